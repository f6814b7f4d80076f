"""An app that is asked in other threads, or given more, while it is served: nothing that runs is touched."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.lifecycle.spies import SpyStore
from tests.serve.serve_call import call
from turnout import App
from turnout.actions import Deferred
from turnout.model import ActionResult, Reply, Request
from turnout.store import MemoryLedger


class Held:
    """An agent that says one half, and the other when it may."""

    def __init__(self) -> None:
        self.running = asyncio.Event()
        self.on = asyncio.Event()

    async def __call__(self, request: Request, emit: Any) -> None:
        await emit.delta("a")
        self.running.set()
        await self.on.wait()
        await emit.delta("b")


class Closed(SpyStore):
    """Notes among the calls that it was closed."""

    async def aclose(self) -> None:
        self.calls.append("closed")


async def quick(request: Request, emit: Any) -> None:
    await emit.text("hi")


def detached() -> Closed:
    return Closed(lambda store, turn: store.plain(turn, run_timeout=50))


def app_of(store: Any, held: Held) -> App:
    app = App(store=store)
    app.agent(held, "held")
    app.agent(quick, "quick")
    return app


async def ready(app: App) -> int:
    return (await call(app, "/readyz", method="GET")).status


def once(app: App) -> Any:
    assert app.process_sync("x", model="quick").text == "hi"


def closed(app: App) -> Any:
    asyncio.run(app.aclose())


@pytest.mark.parametrize("beside", [once, closed])
async def test_what_a_thread_does_beside_a_served_app_ends_none_of_its_runs(
    beside: Callable[[App], Any],
) -> None:
    store, held = detached(), Held()
    app = app_of(store, held)
    async with app.lifespan():
        run = asyncio.ensure_future(app.process("x", model="held"))
        await held.running.wait()
        await asyncio.to_thread(beside, app)
        assert await ready(app) == 200
        assert (await app.process("x", model="quick")).text == "hi"
        held.on.set()
        assert (await run).text == "ab"
        assert store.ends[-1][0].status == "completed"
    assert await ready(app) == 503
    async with app.lifespan():
        assert await ready(app) == 200


async def test_a_thread_that_asks_does_not_close_the_store() -> None:
    store = detached()
    app = app_of(store, Held())
    await asyncio.to_thread(once, app)
    assert "closed" not in store.calls
    await app.aclose()
    assert store.calls[-1] == "closed"


async def test_deferred_work_ends_with_its_own_event_loop_only() -> None:
    jobs, on = Deferred(MemoryLedger()), asyncio.Event()

    async def work(wait: asyncio.Event) -> ActionResult:
        await wait.wait()
        return ActionResult(action_id="a", status="ok")

    async def begun(wait: asyncio.Event) -> str:
        return (await jobs.start(Request(model="m"), "a", lambda: work(wait))).execution_id or ""

    async def other() -> str:
        started = await begun(asyncio.Event())
        await jobs.aclose()
        return started

    here = await begun(on)
    there = await asyncio.to_thread(asyncio.run, other())
    status: Any = jobs._status
    assert (await status(Request(model="m"), there)).status == "lost"
    assert (await status(Request(model="m"), here)).status == "running"
    on.set()
    await asyncio.wait(list(jobs._tasks.values()))
    assert (await status(Request(model="m"), here)).status == "ok"


@pytest.mark.parametrize("mounted", [True, False], ids=["lifespan", "context"])
async def test_what_is_registered_later_leaves_the_runs_before_to_be_ended_first(mounted: bool) -> None:
    store, held, provider = detached(), Held(), Provider()
    app = app_of(store, held)
    async with app.lifespan() if mounted else app:
        run = asyncio.ensure_future(app.process("x", model="held"))
        await held.running.wait()
        app.model("later", provider)
        app.on_error = print
        app.build()
    assert store.calls[-3:] == ["finish", "finished", "closed"]
    assert store.ends[-1][0].status == "cancelled"
    assert provider.closed
    with pytest.raises(Exception, match="shutting down"):
        await run


class Provider:
    closed = False

    async def __call__(self, request: Request) -> Reply:
        raise AssertionError("it is not asked")

    async def aclose(self) -> None:
        self.closed = True
