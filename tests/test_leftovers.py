"""The check for leftovers finds what it should, and async tests run."""

import asyncio
import gc
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.leftovers import Leftovers
from turnout.model import Answer, Reply


async def _no_bytes() -> AsyncIterator[bytes]:
    for data in ():
        yield data


@pytest.fixture
def leftovers() -> Leftovers:
    return Leftovers()


async def test_an_async_test_runs_in_a_loop_and_takes_fixtures(tmp_path: Path) -> None:
    assert asyncio.get_running_loop().is_running()
    assert isinstance(tmp_path, Path)


_seen: list[int] = []


@given(number=st.integers(min_value=1))
async def test_an_async_test_takes_generated_values(number: int) -> None:
    await asyncio.sleep(0)
    assert number >= 1
    _seen.append(number)


def test_the_async_test_before_has_truly_run() -> None:
    assert len(_seen) > 1


async def test_an_unclosed_reply_is_found_until_it_is_closed(leftovers: Leftovers) -> None:
    with pytest.MonkeyPatch.context() as patch:
        leftovers.watch(patch)
        reply = Reply(relay=_no_bytes(), protocol="openai-chat")
        assert len(leftovers.found()) == 1
        await reply.aclose()
        assert leftovers.found() == []


async def test_a_reply_that_died_unclosed_is_found(leftovers: Leftovers) -> None:
    with pytest.MonkeyPatch.context() as patch:
        leftovers.watch(patch)
        Reply(relay=_no_bytes(), protocol="openai-chat")
        gc.collect()
        assert leftovers.found() == ["a reply was never closed: Reply(200, relay)"]


async def test_a_reply_that_holds_nothing_need_not_be_closed(leftovers: Leftovers) -> None:
    with pytest.MonkeyPatch.context() as patch:
        leftovers.watch(patch)
        Reply.of(Answer(parts=(), stop="end"))
        assert leftovers.found() == []


def test_a_task_that_outlives_its_test_is_found(leftovers: Leftovers) -> None:
    async def main() -> None:
        task = asyncio.create_task(asyncio.Event().wait(), name="forgotten")
        await asyncio.sleep(0)
        assert not task.done()

    with pytest.MonkeyPatch.context() as patch:
        leftovers.watch(patch)
        asyncio.run(main())
    assert len(leftovers.found()) == 1
    assert "forgotten" in leftovers.found()[0]


def test_a_task_that_is_about_to_end_is_not_a_fault(leftovers: Leftovers) -> None:
    async def main() -> None:
        asyncio.create_task(asyncio.sleep(0)).add_done_callback(lambda task: None)

    with pytest.MonkeyPatch.context() as patch:
        leftovers.watch(patch)
        asyncio.run(main())
    assert leftovers.found() == []


def test_an_open_event_loop_is_found(leftovers: Leftovers) -> None:
    with pytest.MonkeyPatch.context() as patch:
        leftovers.watch(patch)
        loop = asyncio.new_event_loop()
        assert leftovers.found() == ["an event loop was never closed"]
        loop.close()
    gc.collect()
    assert leftovers.found() == []
