"""A store that several event loops of one process use at once: leaving one takes nothing from the others."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.store.conftest import counted
from tests.store.turns import ANN, answered, ran, turn
from turnout import App
from turnout.model import Body, Context, IdempotencyKey, Message, Request, Text
from turnout.model.errors import RunInProgress
from turnout.store import PostgresStore

Again = Callable[..., Any]


def keyed() -> Request:
    said = Message(role="user", parts=(Text(text="x"),))
    context = Context().with_(IdempotencyKey(value="k"))
    return Request(model="held", body=Body(messages=(said,)), context=context)


async def test_an_app_that_is_asked_in_a_thread_keeps_the_keys_of_what_it_runs(again: Again) -> None:
    runs: list[str] = []
    running, on = asyncio.Event(), asyncio.Event()

    async def held(request: Request, emit: Any) -> None:
        runs.append("held")
        running.set()
        await on.wait()
        await emit.text("done")

    async def quick(request: Request, emit: Any) -> None:
        await emit.text("hi")

    app, other = App(store=again()), App(store=again())
    for each in (app, other):
        each.agent(held, "held")
        each.agent(quick, "quick")
    run = asyncio.ensure_future(app.process(keyed()))
    await running.wait()
    assert (await asyncio.to_thread(app.process_sync, "x", model="quick")).text == "hi"
    with pytest.raises(RunInProgress):
        await other.process(keyed())
    on.set()
    assert (await run).text == "done"
    assert (await other.process(keyed())).text == "done"
    assert runs == ["held"]
    await app.aclose()
    await other.aclose()


async def test_an_app_that_is_closed_in_another_event_loop_keeps_the_keys_of_what_it_runs(
    again: Again,
) -> None:
    store, other = again(), again()
    app = App(store=store)
    acceptance = await store.accept(turn(key="k"))
    claim = await store.claim("work", keep_s=60)

    async def beside() -> None:
        await ran(store, turn())
        await app.aclose()

    for close in (beside(), app.aclose()):
        await asyncio.to_thread(asyncio.run, close)
        with pytest.raises(RunInProgress):
            await other.accept(turn(key="k"))
        assert (claim.state, (await other.claim("work", keep_s=60)).state) == ("fresh", "running")
    await acceptance.finish(answered(acceptance.response.id), None)
    assert (await other.accept(turn(key="k"))).replay == answered(acceptance.response.id)
    await app.aclose()
    assert (await other.claim("work", keep_s=60)).state == "lost"
    await other.aclose()


async def test_an_event_loop_that_leaves_a_postgres_store_leaves_no_connection(postgres_url: str) -> None:
    store = PostgresStore(postgres_url, connections=2)
    acceptance = await store.accept(turn(key="k"))

    async def beside() -> None:
        await ran(store, turn())
        await store.leave()

    async def connections() -> int:
        return await counted(
            store, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        )

    before = await connections()
    for _ in range(3):
        await asyncio.to_thread(asyncio.run, beside())
    async with asyncio.timeout(10):
        while await connections() != before:
            pass  # the server notices a moment later
    assert await counted(store, "SELECT count(*) FROM turnout_processes") == 1
    finish: Any = acceptance.finish
    await finish(answered(acceptance.response.id), None)
    assert (await store.get(acceptance.response.id, ANN)).status == "completed"
    await store.aclose()


async def test_a_process_is_there_until_its_last_event_loop_has_closed_a_postgres_store(
    postgres_url: str,
) -> None:
    store, other = PostgresStore(postgres_url), PostgresStore(postgres_url)
    here = "SELECT count(*) FROM turnout_processes"
    await store.accept(turn(key="k"))

    async def beside() -> None:
        await ran(store, turn())
        await store.aclose()

    await asyncio.to_thread(asyncio.run, beside())
    assert await counted(other, here) == 2
    await store.aclose()
    assert await counted(other, here) == 1
    await other.aclose()
