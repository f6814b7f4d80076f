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


@runs
async def test_each_task_has_its_own_time_and_one_timer_serves_all():
    loop = asyncio.get_running_loop()
    deadlines = Deadlines(loop, 0.03)
    gate = asyncio.Event()
    first = [asyncio.create_task(inside(deadlines, asyncio.Event())) for _ in range(3)]
    await asyncio.sleep(0.015)
    second = [asyncio.create_task(inside(deadlines, gate)) for _ in range(3)]
    assert await asyncio.gather(*first) == ["late"] * 3
    gate.set()
    assert await asyncio.gather(*second) == ["done"] * 3
    third = asyncio.create_task(inside(deadlines, asyncio.Event()))
    assert await third == "late"
    assert third.cancelling() == 0
    deadlines.close()
    deadlines.close()


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
