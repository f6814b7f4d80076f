"""What only a ledger on disk can show: restarts, kills, several processes, cancellation, broken files."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import pytest

from turnout.model import Claim
from turnout.model.errors import StoreFailed
from turnout.store import SQLiteLedger, presence

CHILD = """
import asyncio, sys
from turnout.store import SQLiteLedger

async def main():
    ledger = SQLiteLedger(sys.argv[1])
    for key in sys.argv[2].split():
        print((await ledger.claim(key, "f", keep_s=1000)).state, flush=True)
    if sys.argv[3] == "settle":
        await ledger.settle(sys.argv[2].split()[0], "1", keep_s=1000)
        print("settled", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def child(path: Path, keys: str, then: str = "") -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), keys, then], stdout=subprocess.PIPE, text=True
    )


def line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def kill(process: "subprocess.Popen[str]") -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


async def test_what_a_killed_process_had_claimed_is_lost_and_what_it_had_settled_is_done(
    tmp_path: Path,
) -> None:
    path = tmp_path / "turnout.db"
    process = child(path, "a b", "settle")
    try:
        assert [line(process) for _ in range(3)] == ["fresh", "fresh", "settled"]
        ledger = SQLiteLedger(path)
        assert (await ledger.claim("b", "f", keep_s=1000)).state == "running"
    finally:
        kill(process)
    assert (await ledger.claim("a", "f", keep_s=1000)).state == "done"
    assert (await ledger.claim("b", "f", keep_s=1000)).state == "lost"
    assert (await ledger.claim("b", "g", keep_s=1000)).state == "conflict"
    with pytest.raises(StoreFailed):
        await ledger.settle("b", "1", keep_s=1000)
    await ledger.aclose()
    assert os.listdir(tmp_path) == ["turnout.db"]


async def test_lost_work_is_forgotten_after_its_time_and_not_before(tmp_path: Path) -> None:
    clock = [1000.0]

    def made() -> SQLiteLedger:
        return SQLiteLedger(tmp_path / "turnout.db", now=lambda: clock[0])

    first = made()
    await first.claim("k", "f", keep_s=100)
    await first.claim("other", "f", keep_s=100)
    await first.aclose()
    second = made()
    clock[0] += 99
    assert (await second.claim("k", "f", keep_s=100)).state == "lost"
    clock[0] += 1
    assert (await second.claim("k", "f", keep_s=100)).state == "fresh"
    clock[0] += 60
    assert (await second.claim("k", "f", keep_s=100)).state == "running"
    await second.aclose()
    connection = sqlite3.connect(tmp_path / "turnout.db")
    assert connection.execute("SELECT key FROM turnout_ledger").fetchall() == [("k",)]
    connection.close()


async def test_the_sweep_leaves_work_that_is_under_way(tmp_path: Path) -> None:
    clock = [1000.0]
    ledger = SQLiteLedger(tmp_path / "turnout.db", now=lambda: clock[0])
    await ledger.claim("k", "f", keep_s=1)
    clock[0] += 100
    await ledger.claim("other", "f", keep_s=1)
    assert await ledger.look("k") == Claim(state="running", age_s=100)
    await ledger.aclose()


async def test_two_processes_share_a_file_and_one_of_them_gets_each_key(tmp_path: Path) -> None:
    path = tmp_path / "turnout.db"
    keys = " ".join(f"k{at}" for at in range(40))
    processes = [child(path, keys) for _ in range(2)]
    try:
        states = [[line(process) for _ in range(40)] for process in processes]
    finally:
        for process in processes:
            kill(process)
    assert sorted(one + "/" + other for one, other in zip(*states, strict=True)).count("fresh/fresh") == 0
    assert sum(each.count("fresh") for each in states) == 40


def rows(path: Path) -> int:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT count(*) FROM turnout_ledger").fetchone()[0]


def until_claimed(path: Path) -> None:
    """Hold the event loop until a claim is on the disk, so that its caller is not told yet."""
    ends = time.monotonic() + 5
    while not rows(path):
        assert time.monotonic() < ends


async def test_a_caller_that_is_cancelled_before_its_claim_is_told_has_claimed_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "turnout.db"
    ledger = SQLiteLedger(path)
    await ledger.look("k")
    task = asyncio.create_task(ledger.claim("k", "f", keep_s=1000))
    await asyncio.sleep(0)
    until_claimed(path)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    await ledger.look("k")
    assert rows(path) == 0
    assert (await ledger.claim("k", "f", keep_s=1000)).state == "fresh"
    await ledger.aclose()


async def test_a_caller_that_is_cancelled_before_its_claim_is_written_has_claimed_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "turnout.db"
    ledger = SQLiteLedger(path)
    await ledger.look("k")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # the claim waits for this
        task = asyncio.create_task(ledger.claim("k", "f", keep_s=1000))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        other.execute("COMMIT")
    await ledger.look("k")
    assert rows(path) == 0
    await ledger.aclose()


async def test_a_caller_that_is_cancelled_while_it_settles_has_settled(tmp_path: Path) -> None:
    ledger = SQLiteLedger(tmp_path / "turnout.db")
    await ledger.claim("k", "f", keep_s=1000)
    task = asyncio.create_task(ledger.settle("k", "1", keep_s=1000))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert (await ledger.claim("k", "f", keep_s=1000)).record == "1"
    await ledger.aclose()


def test_a_loop_that_ends_while_a_claim_is_written_has_claimed_nothing(tmp_path: Path) -> None:
    path = tmp_path / "turnout.db"
    ledger = SQLiteLedger(path)

    async def leave(other: sqlite3.Connection) -> Any:
        await ledger.look("k")
        other.execute("BEGIN IMMEDIATE")  # the claim waits for this
        waiting = ledger.claim("k", "f", keep_s=1000).__await__()
        next(waiting)
        return waiting

    async def after() -> str:
        await ledger.look("k")
        state = (await ledger.claim("k", "f", keep_s=1000)).state
        await ledger.aclose()
        return state

    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        waiting = asyncio.run(leave(other))  # ends as a program that waits for nothing
        other.execute("COMMIT")
    waiting.close()
    assert asyncio.run(after()) == "fresh"


async def test_what_fails_in_an_unforeseen_way_fails_alone(tmp_path: Path) -> None:
    clock = [1.0]
    ledger = SQLiteLedger(tmp_path / "turnout.db", now=lambda: clock[0] + 0)
    await ledger.look("k")
    clock[0] = cast("Any", "no time")
    with pytest.raises(StoreFailed):
        await ledger.look("k")
    clock[0] = 2.0
    assert (await ledger.claim("k", keep_s=1)).state == "fresh"
    await ledger.aclose()


@pytest.mark.parametrize("fault", ["no folder", "no database", "a folder"])
async def test_a_file_that_cannot_be_used_is_told_without_its_cause(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "x" / "turnout.db" if fault == "no folder" else tmp_path / "turnout.db"
    if fault == "no database":
        path.write_bytes(b"this is no database at all" * 100)
    if fault == "a folder":
        path.mkdir()
    ledger = SQLiteLedger(path)
    with pytest.raises(StoreFailed, match="cannot be read or written") as caught:
        await ledger.claim("k", keep_s=1)
    assert isinstance(caught.value.__cause__, sqlite3.Error)
    await ledger.aclose()


async def test_a_write_that_fails_fails_all_that_were_to_be_written_with_it(tmp_path: Path) -> None:
    path = tmp_path / "turnout.db"
    ledger = SQLiteLedger(path)
    await ledger.look("k")
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE turnout_ledger")
    connection.close()
    outcomes = await asyncio.gather(
        *(ledger.claim(f"k{at}", keep_s=1) for at in range(3)), return_exceptions=True
    )
    assert [type(each) for each in outcomes] == [StoreFailed] * 3
    await ledger.aclose()


async def test_a_file_that_cannot_be_closed_is_told_and_can_be_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = SQLiteLedger(tmp_path / "turnout.db")
    await ledger.claim("k", keep_s=1000)

    def close(held: presence.Presence) -> None:
        held._lock.close()
        raise OSError("in use")

    with monkeypatch.context() as patch:
        patch.setattr(presence.Presence, "close", close)
        with pytest.raises(StoreFailed):
            await ledger.aclose()
    assert (await ledger.claim("k", keep_s=1000)).state == "running"
    await ledger.aclose()


async def test_a_later_use_opens_a_closed_ledger_again(tmp_path: Path) -> None:
    ledger = SQLiteLedger(tmp_path / "turnout.db")
    await ledger.aclose()
    await ledger.claim("k", "f", keep_s=1000)
    await ledger.aclose()
    await ledger.aclose()
    await ledger.settle("k", "1", keep_s=1000)
    with contextlib.closing(sqlite3.connect(tmp_path / "turnout.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # all that follows waits for this
        waiting = asyncio.gather(ledger.look("k"), ledger.aclose(), ledger.look("k"))
        await asyncio.sleep(0)
        other.execute("COMMIT")
    before, _, after = await waiting
    assert before is not None
    assert after is not None
    assert before.record == after.record == "1"
    await ledger.aclose()
    assert os.listdir(tmp_path) == ["turnout.db"]


async def test_traces_of_processes_that_ended_without_a_word_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "turnout.db"
    old = tmp_path / "turnout.db-0123.run"
    old.touch()
    os.utime(old, (1, 1))
    young = tmp_path / "turnout.db-4567.run"
    young.touch()
    ledger = SQLiteLedger(path)
    await ledger.look("k")
    assert not old.exists()
    assert young.exists()
    await ledger.aclose()


def test_who_is_there_is_told_by_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "turnout.db"
    assert not presence.is_present(path, "me")
    held = presence.Presence(path, "me")
    assert presence.is_present(path, "me")
    with pytest.raises(sqlite3.OperationalError):
        presence.Presence(path, "me")
    held.close()
    assert not presence.is_present(path, "me")


async def test_a_file_that_somebody_else_holds_too_long_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnout.store.sqlite_file._BUSY_S", 0.01)
    ledger = SQLiteLedger(tmp_path / "turnout.db")
    await ledger.look("k")
    with contextlib.closing(sqlite3.connect(tmp_path / "turnout.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailed):
            await ledger.look("k")
        other.execute("COMMIT")
    assert await ledger.look("k") is None
    await ledger.aclose()
