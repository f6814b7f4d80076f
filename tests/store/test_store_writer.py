"""The thread that commits for a SQLite file: how long it waits for those that are on their way."""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from typing import Any

import pytest

from turnout.store.writer import Together, Writer


class Opened:
    """A database in memory; `closed` when it was."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)

    def close(self) -> None:
        self.connection.close()


class Clock:
    """A time that passes in commits, `commit_s` each, and in sleep; `meanwhile` is done in the nth sleep."""

    def __init__(self, commit_s: float) -> None:
        self.commit_s = commit_s
        self.now = 0.0
        self.slept: list[float] = []
        self.meanwhile: list[Callable[[], Any]] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept.append(seconds)
        if self.meanwhile:
            self.meanwhile.pop(0)()


class Sizes:
    """Work that notes how much of it is done at once, and takes the time of a commit."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.seen: list[int] = []
        self.gate = threading.Event()
        self.begun: queue.SimpleQueue[None] = queue.SimpleQueue()

    def all_of_it(self, connection: sqlite3.Connection, items: list[Any]) -> list[Any]:
        self.seen.append(len(items))
        self.clock.now += self.clock.commit_s
        self.begun.put(None)
        self.gate.wait(10)
        return items

    @property
    def work(self) -> Together:
        return Together(self.all_of_it, None)


async def crowded(clock: Clock) -> tuple[Writer, Sizes]:
    """A writer whose last commit held two: the next one gathers."""
    writer, sizes = Writer(Opened, clock=clock, sleep=clock.sleep), Sizes(clock)
    first = writer.begin(sizes.work)
    await asyncio.to_thread(sizes.begun.get)
    pair = [writer.begin(sizes.work) for _ in range(2)]
    sizes.gate.set()
    await asyncio.gather(first, *pair)
    assert (sizes.seen, clock.slept) == ([1, 2], [])
    return writer, sizes


@pytest.mark.parametrize(("commit_s", "comers"), [(0.008, 3), (0.0001, 1)], ids=["slow disk", "fast disk"])
async def test_a_commit_waits_as_long_as_somebody_comes_and_half_a_commit_at_most(
    commit_s: float, comers: int
) -> None:
    clock = Clock(commit_s)
    writer, sizes = await crowded(clock)
    coming: list[asyncio.Future[Any]] = []
    loop = asyncio.get_running_loop()

    def come() -> None:
        begun = threading.Event()
        loop.call_soon_threadsafe(lambda: (coming.append(writer.begin(sizes.work)), begun.set()))
        begun.wait(10)

    clock.meanwhile = [come] * 20
    await writer.begin(sizes.work)
    await asyncio.gather(*coming)
    assert sum(clock.slept[: sizes.seen[2] - 1]) <= max(commit_s / 2, 0.0003)
    assert sizes.seen[2] >= 1 + comers
    await writer.aclose()


async def test_a_commit_to_which_nobody_comes_waits_but_once() -> None:
    clock = Clock(0.008)
    writer, sizes = await crowded(clock)
    await writer.begin(sizes.work)
    assert sizes.seen == [1, 2, 1]
    assert len(clock.slept) == 1
    await writer.begin(sizes.work)  # and the one after it, which was alone, not at all
    assert len(clock.slept) == 1
    await writer.aclose()
