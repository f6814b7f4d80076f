"""A caller without HTTP that is cancelled, at whatever moment: it returns, and nothing of its run is left open."""

import asyncio
from typing import Any

import pytest

import turnout
from tests.lifecycle.spies import SpyStore
from tests.serve.serve_fakes import Spy, relayed
from turnout.model import Body, Headers, Message, Reply, Request, Source, StoredResponse, Text
from turnout.model.errors import Cancelled, StoreFailed, TurnoutError


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


class Hanging(SpyStore):
    """A store whose end of a run waits to be let on."""

    def __init__(self) -> None:
        super().__init__()
        self.on = asyncio.Event()

    async def finish(self, stored: StoredResponse, error: TurnoutError | None) -> None:
        await self.on.wait()
        await super().finish(stored, error)


def asked() -> Request:
    return Request(
        model="m", body=Body(messages=(Message(role="user", parts=(Text(text="hello"),)),), store=True)
    )


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.states("L-174", "L-176")
async def test_a_caller_that_is_cancelled_returns_although_the_store_hangs(stream: bool) -> None:
    store, failed = Hanging(), []
    store.finish_raises = RuntimeError("no disk")
    app, running = (
        turnout.App(store=store, on_error=lambda error, about: failed.append(error)),
        asyncio.Event(),
    )

    @app.agent("m")
    async def slow(request: Request, emit: Any) -> None:
        await emit.text("hel")
        running.set()
        await asyncio.Event().wait()

    async def ask() -> None:
        if not stream:
            await app.process(asked())
        async for _ in app.stream(asked()):
            pass

    caller = asyncio.ensure_future(ask())
    await running.wait()
    caller.cancel()
    await asyncio.wait([caller], timeout=5)
    assert caller.cancelled()
    assert store.ends == []
    store.on.set()
    await app.aclose()
    [(stored, error)] = store.ends
    assert stored.status == "cancelled"
    assert isinstance(error, Cancelled)
    assert [type(each) for each in failed] == [StoreFailed]


async def test_a_caller_that_is_cancelled_returns_when_its_run_is_stored() -> None:
    store, running = SpyStore(), asyncio.Event()
    app = turnout.App(store=store)

    @app.agent("m")
    async def slow(request: Request, emit: Any) -> None:
        running.set()
        await asyncio.Event().wait()

    caller = asyncio.ensure_future(app.process(asked()))
    await running.wait()
    caller.cancel()
    await asyncio.wait([caller])
    assert store.ended.is_set()
    await app.aclose()
