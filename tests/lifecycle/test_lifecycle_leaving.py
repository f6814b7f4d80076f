"""A caller without HTTP that is cancelled, at whatever moment: it returns, and nothing of its run is left open."""

import asyncio

import pytest

import turnout
from tests.lifecycle.spies import SpyStore
from tests.serve.serve_fakes import Spy, relayed
from turnout.model import Body, Headers, Reply, Request, Source


def passed_on() -> Request:
    source = Source(
        protocol="openai-chat", path="/v1/chat/completions", query="", headers=Headers(), body=b"{}"
    )
    return Request(model="m", source=source, body=Body(messages=()))


@pytest.mark.parametrize("turns", range(8))
@pytest.mark.states("L-184")
async def test_what_a_detached_run_passes_on_is_closed_whenever_its_caller_is_cancelled(turns: int) -> None:
    store = SpyStore(lambda store, turn: store.plain(turn, run_timeout=5, finish=None))
    app, spy, loop = turnout.App(store=store), Spy(), asyncio.get_running_loop()

    def cancel(after: int) -> None:
        loop.call_soon(cancel, after - 1) if after else caller.cancel()

    async def upstream(request: Request) -> Reply:
        cancel(turns)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return relayed(b'{"id": "up", "text": "hi"}', spy=spy)

    async def ask() -> None:
        async with await app.reply(passed_on()):
            await asyncio.Event().wait()

    app.model("m", upstream)
    caller = asyncio.ensure_future(ask())
    await asyncio.wait([caller])
    await app.aclose()
    assert caller.cancelled()
    assert spy.closed.is_set()
