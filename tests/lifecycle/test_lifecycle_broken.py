"""A store may break in any way: that is its failure, told as such; what stops the request itself is none."""

import asyncio
from typing import Any

import pytest

from tests.lifecycle.spies import PROTOCOLS, SUCCESS, SpyCatalog, SpyStore, asked, hello, leaving
from tests.serve.serve_call import call
from turnout.model import Acceptance, Context, Info, Message
from turnout.model.errors import AgentFailed, StoreFailed
from turnout.serve import Server
from turnout.store import MemoryStore

both = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
every = pytest.mark.parametrize("protocol", PROTOCOLS)


class Fatal(BaseException):
    """What no store should raise."""


ways = pytest.mark.parametrize(
    "broken",
    [asyncio.CancelledError(), Fatal("hunter2"), BaseExceptionGroup("hunter2", [asyncio.CancelledError()])],
    ids=["cancelled", "fatal", "group"],
)


def served(store: Any, seen: list[Any]) -> Server:
    catalog = SpyCatalog(store, hello)
    return Server(catalog, store=store, on_error=lambda error, about: seen.append(error))


@every
@both
@ways
@pytest.mark.states("L-159")
async def test_a_store_that_breaks_while_it_accepts_has_failed(
    protocol: str, stream: bool, broken: BaseException
) -> None:
    def accept(_store: SpyStore, _turn: Any) -> Acceptance:
        raise broken

    seen: list[Any] = []
    store = SpyStore(accept)
    made = await call(served(store, seen), **asked(protocol, stream))
    assert made.status == 500
    assert b"hunter2" not in made.body
    assert [type(each) for each in seen] == [StoreFailed]
    assert seen[0].__cause__ is broken
    assert "run" not in store.calls


@every
@both
@ways
@pytest.mark.states("L-178")
async def test_a_store_that_breaks_while_it_finishes_has_not_stored(
    protocol: str, stream: bool, broken: BaseException
) -> None:
    seen: list[Any] = []
    store = SpyStore()
    store.finish_raises = broken
    made = await call(served(store, seen), **asked(protocol, stream))
    assert SUCCESS[protocol] not in made.body or not stream
    assert b"could not be stored" in made.body
    assert b"hunter2" not in made.body
    assert made.status == (200 if stream else 500)
    assert [type(each) for each in seen] == [StoreFailed]


@both
@ways
async def test_a_finisher_that_is_no_coroutine_may_break_as_well(stream: bool, broken: BaseException) -> None:
    def finish(_stored: Any, _error: Any) -> None:
        raise broken

    seen: list[Any] = []
    store = SpyStore(lambda _store, _turn: Acceptance(finish=finish))  # type: ignore[arg-type]
    made = await call(served(store, seen), **asked("openai-chat", stream))
    assert b"could not be stored" in made.body
    assert [type(each) for each in seen] == [StoreFailed]


@ways
async def test_a_store_that_breaks_over_a_history_has_failed(broken: BaseException) -> None:
    class Broken(SpyStore):
        async def load(self, previous: str, context: Context, /) -> tuple[Message, ...]:
            raise broken

    seen: list[Any] = []
    store = Broken()
    made = await call(served(store, seen), **asked("openai-responses", previous_response_id="resp_0"))
    assert made.status == 500
    assert [type(each) for each in seen] == [StoreFailed]
    assert [stored.status for stored, _ in store.ends] == ["failed"]


@ways
@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v1/responses/r"), ("GET", "/v1/responses/r/input_items"), ("DELETE", "/v1/responses/r")],
)
async def test_a_store_that_breaks_over_a_lookup_has_failed(
    method: str, path: str, broken: BaseException
) -> None:
    class Broken(MemoryStore):
        async def get(self, response_id: str, context: Context, /) -> Any:
            raise broken

        items = delete = get

    seen: list[Any] = []
    made = await call(served(Broken(), seen), path=path, method=method)
    assert made.status == 500
    assert [type(each) for each in seen] == [StoreFailed]


@every
@both
async def test_a_client_that_leaves_while_a_store_accepts_is_no_failure(protocol: str, stream: bool) -> None:
    waits, ended = asyncio.Event(), asyncio.Event()

    class Slow(SpyStore):
        async def accept(self, turn: Any, /) -> Acceptance:
            waits.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            raise AssertionError("nobody lets it go on")

    seen: list[Any] = []
    store = Slow()
    await leaving(served(store, seen), waits, asked(protocol, stream))
    assert ended.is_set()
    assert (store.calls, seen) == (["load agent"], [])


CONFLICTS = {
    "openai-chat": lambda body: body["error"]["code"] == "outcome_unknown",
    "openai-responses": lambda body: body["error"]["code"] == "outcome_unknown",
    "anthropic-messages": lambda body: (body["type"], body["error"]["type"]) == ("error", "conflict_error"),
    "gemini": lambda body: (body["error"]["status"], body["error"]["code"]) == ("ABORTED", 409),
}


@every
@both
@pytest.mark.states("L-166", "L-178", "L-193")
async def test_a_request_whose_outcome_is_unknown_is_told_so_and_not_run_again(
    protocol: str, stream: bool
) -> None:
    class Full(MemoryStore):
        """Has no place for more."""

        async def _keep(self, ending: Any) -> None:
            raise StoreFailed("turnout: the disk is full")

    spy = SpyStore()
    catalog = SpyCatalog(spy, hello)
    app = Server(catalog, store=Full())
    headers = {"content-type": "application/json", "idempotency-key": "k"}
    first = await call(app, **asked(protocol, stream), headers=headers)
    assert b"disk is full" in first.body
    again = await call(app, **asked(protocol, stream), headers=headers)
    assert again.status == 409
    assert CONFLICTS[protocol](again.json)
    assert "not run again" in again.body.decode()
    assert again.headers["x-should-retry"] == "false"
    assert spy.calls.count("run") == 1


# ---- an agent that does not end ---------------------------------------------------------------------------------


@both
@every
@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.states("L-082", "L-144")
async def test_a_client_that_leaves_is_not_kept_waiting_by_an_agent_that_goes_on(
    protocol: str, stream: bool, kept: bool
) -> None:
    running, go, over = asyncio.Event(), asyncio.Event(), asyncio.Event()
    seen: list[Any] = []

    async def agent(request: Any, emit: Any) -> None:
        running.set()
        while not go.is_set():
            try:
                await go.wait()
            except asyncio.CancelledError:
                continue
        over.set()

    class Catalog:
        async def load(self, target: str, context: Context) -> Any:
            return agent, Info()

    spy = SpyStore()
    app = Server(
        Catalog(),  # type: ignore[arg-type]
        store=spy if kept else None,
        stop_s=0.001,
        on_error=lambda error, about: seen.append((error, about)),
    )
    async with asyncio.timeout(5):
        await leaving(app, running, asked(protocol, stream))
    [(error, about)] = seen
    assert isinstance(error, AgentFailed)
    assert about.model == "m"
    assert [stored.status for stored, _ in spy.ends] == (["cancelled"] if kept else [])
    go.set()
    await over.wait()
