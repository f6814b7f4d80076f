"""The shared time limit."""

import asyncio

import pytest
from upstream import runs

from turnout.providers.deadlines import Deadlines


async def inside(deadlines: Deadlines, gate: asyncio.Event) -> str:
    wait = deadlines.enter()
    try:
        await gate.wait()
    except asyncio.CancelledError:
        return "late" if wait.is_timeout() else "cancelled"
    finally:
        deadlines.leave(wait)
    return "done"


class Clock(asyncio.SelectorEventLoop):
    """An event loop whose time goes on when it is told to."""

    seconds = 0.0

    def time(self) -> float:
        return self.seconds

    async def go_on(self, seconds: float) -> None:
        """Let `seconds` pass, and whatever is due then happen."""
        self.seconds += seconds
        for _ in range(4):
            await asyncio.sleep(0)


def test_each_task_has_its_own_time_and_one_timer_serves_all():
    loop = Clock()

    async def both() -> None:
        deadlines = Deadlines(loop, 3)
        gate = asyncio.Event()
        first = [loop.create_task(inside(deadlines, asyncio.Event())) for _ in range(3)]
        await loop.go_on(0)
        await loop.go_on(2)
        second = [loop.create_task(inside(deadlines, gate)) for _ in range(3)]
        await loop.go_on(0)
        assert not any(task.done() for task in first)
        await loop.go_on(1)
        assert [task.result() for task in first] == ["late"] * 3
        await loop.go_on(1)
        assert not any(task.done() for task in second)
        gate.set()
        assert await asyncio.gather(*second) == ["done"] * 3
        third = loop.create_task(inside(deadlines, asyncio.Event()))
        await loop.go_on(0)
        await loop.go_on(3)
        assert third.result() == "late"
        assert third.cancelling() == 0
        deadlines.close()
        deadlines.close()

    loop.run_until_complete(both())
    loop.close()


@runs
async def test_a_cancellation_from_elsewhere_is_not_taken_for_lateness():
    deadlines = Deadlines(asyncio.get_running_loop(), 5)
    task = asyncio.create_task(inside(deadlines, asyncio.Event()))
    await asyncio.sleep(0)
    task.cancel()
    assert await task == "cancelled"
    deadlines.close()


def test_a_limit_needs_a_task():
    loop = asyncio.new_event_loop()
    with pytest.raises(RuntimeError):
        Deadlines(loop, 1).enter()
    loop.close()
