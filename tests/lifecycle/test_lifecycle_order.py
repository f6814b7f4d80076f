"""A store sees each run in one order, whatever becomes of it, over every protocol, whole and streamed."""

import asyncio
import json
from typing import Any

import pytest

from tests.lifecycle.spies import (
    HEAD,
    PROTOCOLS,
    SUCCESS,
    TAIL,
    SpyCatalog,
    SpyStore,
    asked,
    batches,
    hello,
    leaving,
    say,
    text_of,
)
from tests.serve.serve_call import Call, call, scope_of
from turnout.model import (
    Acceptance,
    Answer,
    Failed,
    Message,
    Reply,
    Request,
    ResponseSeed,
    StoredResponse,
    Text,
    User,
)
from turnout.model.errors import (
    BrokenStream,
    Cancelled,
    Conflict,
    NotFound,
    ProviderError,
    RunTimedOut,
    StoreFailed,
)
from turnout.serve import Server

both = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
every = pytest.mark.parametrize("protocol", PROTOCOLS)
ORDER = ["load agent", "accept", "run", "finish", "finished"]


def served(store: SpyStore, step: Any = hello, info: Any = None, **options: Any) -> tuple[Server, SpyCatalog]:
    catalog = SpyCatalog(store, step, **(info or {}))
    return Server(catalog, store=store, **options), catalog


class Noted(Call):
    """Notes in the store's calls when success is told."""

    def __init__(self, store: SpyStore, protocol: str, stream: bool) -> None:
        super().__init__()
        self.messages = _Messages(store, SUCCESS[protocol] if stream else b"hello")


class _Messages(list[Any]):
    def __init__(self, store: SpyStore, mark: bytes) -> None:
        super().__init__()
        self._store = store
        self._mark = mark

    def append(self, message: Any) -> None:
        super().append(message)
        if self._mark in message.get("body", b""):
            self._store.calls.append("success")


@every
@both
@pytest.mark.states("L-152", "L-160", "L-163", "L-164", "L-173", "L-178", "L-179")
async def test_a_run_is_accepted_run_stored_and_only_then_told(protocol: str, stream: bool) -> None:
    store = SpyStore()
    app, _ = served(store)
    made = await call(app, **asked(protocol, stream), into=Noted(store, protocol, stream))
    assert made.status == 200
    assert store.calls == [*ORDER, "success"]
    [(stored, error)] = store.ends
    assert (stored.status, stored.answer.text, error) == ("completed", "hello", None)
    assert (stored.answer.id, stored.answer.created) == ("resp_1", 7)
    [turn] = store.turns
    assert turn.agent is not None
    assert [(each.role, each.text) for each in turn.items] == [("user", "hello")]
    if not stream:
        assert text_of(protocol, made.body) == "hello"


@every
@both
@pytest.mark.states("L-164")
async def test_an_invalid_request_never_reaches_the_store(protocol: str, stream: bool) -> None:
    store = SpyStore()
    app, _ = served(store)
    made = await call(app, **asked(protocol, stream, messages=7, input=7, contents=7))
    assert made.status == 400
    assert "accept" not in store.calls


@every
@both
@pytest.mark.states("L-166", "L-175", "L-193")
async def test_what_the_store_refuses_does_not_run(protocol: str, stream: bool) -> None:
    def refuse(_store: SpyStore, _turn: Any) -> Acceptance:
        raise Conflict("another request used this key")

    store = SpyStore(refuse)
    app, _ = served(store)
    made = await call(app, **asked(protocol, stream))
    assert made.status == 409
    assert store.calls == ["load agent", "accept"]


@every
@both
@pytest.mark.states("L-143", "L-144", "L-150", "L-159")
async def test_a_store_that_breaks_is_told_without_its_cause(protocol: str, stream: bool) -> None:
    def broken(_store: SpyStore, _turn: Any) -> Acceptance:
        raise RuntimeError("password=hunter2")

    seen: list[Any] = []
    app, _ = served(SpyStore(broken), on_error=lambda error, about: seen.append(error))
    made = await call(app, **asked(protocol, stream))
    assert made.status == 500
    assert b"hunter2" not in made.body
    assert [type(error.__cause__) for error in seen] == [RuntimeError]


@every
@both
@pytest.mark.states("L-178")
async def test_what_is_not_stored_is_no_success(protocol: str, stream: bool) -> None:
    store = SpyStore()
    store.finish_raises = RuntimeError("password=hunter2")
    seen: list[Any] = []
    app, _ = served(store, on_error=lambda error, about: seen.append(error))
    made = await call(app, **asked(protocol, stream))
    assert SUCCESS[protocol] not in made.body or not stream
    assert b"hunter2" not in made.body
    assert store.calls == ORDER
    assert isinstance(seen[0], StoreFailed)
    if stream:
        assert made.status == 200
        assert b"could not be stored" in made.body
    else:
        assert made.status == 500


@every
@pytest.mark.parametrize("detached", [False, True], ids=["attached", "detached"])
@pytest.mark.parametrize("failure", [StoreFailed, NotFound, RuntimeError])
@pytest.mark.states("L-178")
async def test_a_run_whose_end_is_not_stored_is_not_repeated_by_its_client(
    protocol: str, detached: bool, failure: type[Exception]
) -> None:
    store = SpyStore(lambda store, turn: store.plain(turn, run_timeout=5 if detached else 0))
    store.finish_raises = failure("no")
    app, _ = served(store)
    made = await call(app, **asked(protocol))
    assert made.status >= 400
    assert made.headers["x-should-retry"] == "false"
    await app.aclose()


@every
@both
@pytest.mark.parametrize("late", [False, True], ids=["early", "late"])
@pytest.mark.parametrize(
    ("failure", "status"),
    [(RuntimeError("secret"), "failed"), (ProviderError("no", status_code=429), "failed")],
    ids=["error", "public error"],
)
@pytest.mark.states("L-176", "L-180")
async def test_a_run_that_fails_is_finished_once_with_its_error(
    protocol: str, stream: bool, late: bool, failure: Exception, status: str
) -> None:
    store = SpyStore()
    app, _ = served(store, batches((*HEAD, *say("hel")), failure) if late else batches(failure))
    made = await call(app, **asked(protocol, stream))
    assert store.calls == ORDER
    [(stored, error)] = store.ends
    assert stored.status == status
    assert stored.answer.text == ("hel" if late and stream else stored.answer.text)
    assert error is failure or (error is not None and error.__cause__ is failure)
    assert "secret" not in str(stored.error)
    assert b"secret" not in made.body
    assert made.status == 200 if stream and late else made.status >= 400


@every
@both
@pytest.mark.states("L-176")
async def test_a_run_without_an_end_is_a_failure(protocol: str, stream: bool) -> None:
    store = SpyStore()
    app, _ = served(store, batches((*HEAD, *say("hel"))))
    await call(app, **asked(protocol, stream))
    [(stored, error)] = store.ends
    assert stored.status == "failed"
    assert isinstance(error, BrokenStream)


@both
@pytest.mark.states("L-176")
async def test_a_run_over_the_limit_is_finished_with_that(stream: bool) -> None:
    from turnout.model import Limits

    store = SpyStore()
    long = batches((*HEAD, *say("x" * 100)), TAIL)
    app, _ = served(store, long, limits=Limits(output_bytes=50))
    await call(app, **asked("openai-chat", stream))
    [(stored, error)] = store.ends
    assert (stored.status, error is not None and error.code) == ("failed", "output_too_large")


@every
@both
@pytest.mark.states("L-166", "L-172", "L-175", "L-190", "L-191")
async def test_a_replay_answers_without_a_run(protocol: str, stream: bool) -> None:
    answer = Answer(id="resp_9", created=5, model="m", parts=(Text(text="hello", item="msg_9"),), stop="end")
    store = SpyStore(
        lambda _store, _turn: Acceptance(replay=StoredResponse(answer=answer), finish=_store.finish)
    )
    app, _ = served(store)
    made = await call(app, **asked(protocol, stream))
    assert made.status == 200
    assert store.calls == ["load agent", "accept"]
    assert made.headers["x-turnout-replayed"] == "true"
    assert b"resp_9" in made.body
    assert b"hello" in made.body
    if protocol == "openai-responses":
        assert b"msg_9" in made.body


@every
@both
@pytest.mark.states("L-194")
async def test_a_replay_of_what_still_runs_is_a_conflict(protocol: str, stream: bool) -> None:
    active = StoredResponse(answer=Answer(id="resp_9", parts=(), stop="end"), status="in_progress")
    store = SpyStore(lambda _store, _turn: Acceptance(replay=active))
    app, _ = served(store)
    made = await call(app, **asked(protocol, stream))
    assert made.status == 409
    assert store.calls == ["load agent", "accept"]


@every
@both
async def test_a_replay_of_a_failure_is_that_failure(protocol: str, stream: bool) -> None:
    first, second = SpyStore(), SpyStore(lambda _store, _turn: Acceptance(replay=first.ends[0][0]))
    created = await call(
        served(first, batches(ProviderError("busy", status_code=429, kind="rate_limit")))[0],
        **asked(protocol, stream),
    )
    replayed = await call(served(second)[0], **asked(protocol, stream))
    assert (created.status, replayed.status) == (429, 429)
    assert b"busy" in replayed.body


@every
@both
@pytest.mark.states("L-167", "L-169", "L-171")
async def test_an_accepted_agent_runs_instead_of_the_catalogs(protocol: str, stream: bool) -> None:
    async def prepared(request: Request, emit: Any) -> None:
        await emit.text("hello")

    store = SpyStore(lambda store, turn: store.plain(turn, agent=prepared))
    app, catalog = served(store)
    more = {"previous_response_id": "resp_0"} if protocol == "openai-responses" else {}
    made = await call(app, **asked(protocol, stream, **more), into=Noted(store, protocol, stream))
    assert store.calls == ["load agent", "accept", "finish", "finished", "success"]
    assert catalog.asked == []
    assert made.status == 200


@both
@pytest.mark.states("L-158", "L-165", "L-168", "L-170")
async def test_history_is_loaded_after_acceptance_and_goes_before_the_turn(stream: bool) -> None:
    store = SpyStore()
    store.history = tuple(Message(role="user", parts=(Text(text=word),)) for word in ("one", "two"))
    app, catalog = served(store)
    given = asked("openai-responses", stream, previous_response_id="resp_0", instructions="be brief")
    await call(app, **given)
    assert store.calls == ["load agent", "accept", "load history resp_0", "run", "finish", "finished"]
    [request] = catalog.asked
    assert [each.text for each in request.messages] == ["be brief", "one", "two", "hello"]
    assert request.body.previous is None
    [turn] = store.turns
    assert (turn.previous, [each.text for each in turn.items]) == ("resp_0", ["hello"])
    assert store.ends[0][0].previous == "resp_0"


@both
@pytest.mark.states("L-158", "L-159", "L-176")
async def test_history_that_is_not_there_ends_an_accepted_run(stream: bool) -> None:
    store = SpyStore()

    async def nothing(previous: str, context: Any) -> Any:
        raise NotFound("there is no such response")

    store.load = nothing  # type: ignore[method-assign]
    app, _ = served(store)
    made = await call(app, **asked("openai-responses", stream, previous_response_id="resp_0"))
    assert made.status == 404
    assert made.json["error"]["param"] == "previous_response_id"
    assert made.json["error"]["code"] == "previous_response_not_found"
    assert store.calls == ["load agent", "accept", "finish", "finished"]


# ---- clients that leave, runs that go on --------------------------------------------------------------------------


class Slow:
    """A step that says a word, waits to be let on, and ends."""

    def __init__(self) -> None:
        self.running = asyncio.Event()
        self.on = asyncio.Event()
        self.cancelled = False

    async def _wait(self) -> None:
        self.running.set()
        try:
            await self.on.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise

    def __call__(self, request: Request) -> Reply:
        return batches((*HEAD, *say("hel")), self._wait, say("lo"), TAIL)(request)


@every
@both
@pytest.mark.states("L-082", "L-174", "L-176", "L-183")
async def test_a_client_that_leaves_cancels_its_run_which_is_finished(protocol: str, stream: bool) -> None:
    store, slow = SpyStore(), Slow()
    app, _ = served(store, slow)
    await leaving(app, slow.running, asked(protocol, stream))
    assert slow.cancelled
    assert store.calls == ORDER
    [(stored, error)] = store.ends
    assert stored.status == "cancelled"
    assert isinstance(error, Cancelled)


@every
@both
@pytest.mark.states("L-176", "L-184", "L-185")
async def test_a_detached_run_goes_on_without_its_client(protocol: str, stream: bool) -> None:
    store, slow = SpyStore(lambda store, turn: store.plain(turn, run_timeout=5)), Slow()
    app, _ = served(store, slow)
    await leaving(app, slow.running, asked(protocol, stream))
    assert store.ends == []
    slow.on.set()
    await store.ended.wait()
    [(stored, error)] = store.ends
    assert (stored.status, stored.answer.text, error) == ("completed", "hello", None)
    assert not slow.cancelled
    await app.aclose()


@every
@both
@pytest.mark.states("L-179", "L-184")
async def test_a_detached_run_whose_client_stays_has_the_same_order(protocol: str, stream: bool) -> None:
    store = SpyStore(lambda store, turn: store.plain(turn, run_timeout=5))
    app, _ = served(store)
    made = await call(app, **asked(protocol, stream), into=Noted(store, protocol, stream))
    assert store.calls == [*ORDER, "success"]
    assert made.status == 200
    await app.aclose()


@every
@both
@pytest.mark.states("L-176", "L-187")
async def test_a_detached_run_that_takes_too_long_is_stopped_and_told(protocol: str, stream: bool) -> None:
    store, slow = SpyStore(lambda store, turn: store.plain(turn, run_timeout=0.02)), Slow()
    app, _ = served(store, slow)
    made = await call(app, **asked(protocol, stream))
    assert slow.cancelled
    [(stored, error)] = store.ends
    assert stored.status == "failed"
    assert isinstance(error, RunTimedOut)
    assert store.calls == ORDER
    if stream:
        assert SUCCESS[protocol] not in made.body
        assert b"longer than it may" in made.body
    else:
        assert made.status == 504


@every
@both
@pytest.mark.states("L-185")
async def test_a_server_that_ends_ends_its_detached_runs(protocol: str, stream: bool) -> None:
    store, slow = SpyStore(lambda store, turn: store.plain(turn, run_timeout=50)), Slow()
    app, _ = served(store, slow)
    await leaving(app, slow.running, asked(protocol, stream))
    await app.aclose()
    assert slow.cancelled
    [(stored, error)] = store.ends
    assert stored.status == "cancelled"
    assert isinstance(error, Cancelled)


@both
@pytest.mark.states("L-185")
async def test_a_client_of_a_run_that_the_server_ends_is_told(stream: bool) -> None:
    store, slow = SpyStore(lambda store, turn: store.plain(turn, run_timeout=50)), Slow()
    app, _ = served(store, slow)
    task = asyncio.ensure_future(call(app, **asked("openai-chat", stream)))
    await slow.running.wait()
    await app.aclose()
    made = await task
    assert b"shutting down" in made.body
    assert b"[DONE]" not in made.body


@both
@pytest.mark.parametrize("limit_s", [-1.0, float("nan")])
@pytest.mark.states("L-188")
async def test_a_negative_time_limit_is_refused_and_the_run_finished(stream: bool, limit_s: float) -> None:
    store = SpyStore(lambda store, turn: store.plain(turn, run_timeout=limit_s))
    app, _ = served(store)
    made = await call(app, **asked("openai-chat", stream))
    assert made.status == 500
    assert store.calls == ["load agent", "accept", "finish", "finished"]
    assert store.ends[0][0].status == "failed"


@both
@pytest.mark.states("L-186")
async def test_a_detached_run_keeps_who_asked(stream: bool) -> None:
    import contextvars

    told: contextvars.ContextVar[str] = contextvars.ContextVar("told", default="")
    store = SpyStore(lambda store, turn: store.plain(turn, run_timeout=5))
    seen: list[Any] = []

    def step(request: Request) -> Reply:
        seen.append((request.context.get(User), told.get()))
        return hello(request)

    app, _ = served(store, step, identify=lambda request: User(id="ann"))
    told.set("by the application")
    await call(app, **asked("openai-chat", stream))
    assert seen == [(User(id="ann"), "by the application")]
    await app.aclose()


@both
async def test_a_client_that_leaves_while_a_response_is_stored_does_not_tear_it(stream: bool) -> None:
    store = SpyStore()
    storing, on = asyncio.Event(), asyncio.Event()

    async def finish(stored: StoredResponse, error: Any) -> None:
        storing.set()
        await on.wait()
        await SpyStore.finish(store, stored, error)

    store.finish = finish  # type: ignore[method-assign]
    app, _ = served(store)
    await leaving(app, storing, asked("openai-chat", stream))
    on.set()
    await store.ended.wait()
    assert store.calls == ORDER
    assert store.ends[0][0].status == "completed"


@both
@pytest.mark.states("L-176")
async def test_an_answer_that_cannot_be_delivered_ends_its_run(stream: bool) -> None:
    store = SpyStore()
    app, _ = served(store)
    given = asked("openai-chat", stream)
    left = [{"type": "http.request", "body": json.dumps(given["body"]).encode(), "more_body": False}]

    async def receive() -> Any:
        return left.pop() if left else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        raise OSError("the client is gone")

    await app(scope_of(given["path"]), receive, send)
    assert store.calls == ORDER
    # A whole answer is stored before any of it is sent.
    assert store.ends[0][0].status == ("cancelled" if stream else "completed")


# ---- names -------------------------------------------------------------------------------------------------------


@every
@both
@pytest.mark.states("L-099", "L-181")
async def test_a_response_that_the_store_does_not_name_has_the_servers_name(
    protocol: str, stream: bool
) -> None:
    store = SpyStore(lambda store, turn: store.plain(turn, response=ResponseSeed()))
    app, _ = served(store, new_id=lambda: "abc", now=lambda: 42.0)
    made = await call(app, **asked(protocol, stream))
    expected = "resp_abc" if protocol == "openai-responses" else "abc"
    [(stored, _)] = store.ends
    assert (stored.answer.id, stored.answer.created) == (expected, 42)
    assert f'"{expected}"'.encode() in made.body


@both
@pytest.mark.states("L-182")
async def test_metadata_of_the_acceptance_is_in_the_response(stream: bool) -> None:
    seed = ResponseSeed(id="resp_1", created=7, metadata={"thread_id": "t1"})
    store = SpyStore(lambda store, turn: store.plain(turn, response=seed))
    app, _ = served(store)
    made = await call(app, **asked("openai-responses", stream, metadata={"own": "1"}))
    [(stored, _)] = store.ends
    assert stored.answer.metadata == {"own": "1", "thread_id": "t1"}
    assert b'"metadata":{"own":"1","thread_id":"t1"}' in made.body


@every
@pytest.mark.states("L-162", "L-189")
async def test_a_turn_carries_what_the_client_said(protocol: str) -> None:
    store = SpyStore()
    app, _ = served(store)
    headers = {"content-type": "application/json", "idempotency-key": "k1"}
    await call(app, **asked(protocol), headers=headers)
    [turn] = store.turns
    assert (turn.idempotency_key, turn.thread, turn.previous, turn.retain) == ("k1", None, None, False)
    assert turn.request.model == "m"


@pytest.mark.parametrize("default", [False, True])
@pytest.mark.parametrize("said", [None, False, True])
@pytest.mark.parametrize("protocol", ["openai-chat", "openai-responses", "gemini"])
@pytest.mark.states("L-100", "L-153", "L-154", "L-155", "L-156")
async def test_what_the_client_says_of_keeping_wins_over_the_default(
    protocol: str, said: bool | None, default: bool
) -> None:
    store = SpyStore()
    app, _ = served(store, store_default=default)
    await call(app, **asked(protocol, **({} if said is None else {"store": said})))
    assert store.turns[0].retain is (default if said is None else said)


@pytest.mark.parametrize(
    ("protocol", "more", "param"),
    [
        ("openai-chat", {"store": True}, "store"),
        ("openai-responses", {"store": True}, "store"),
        ("openai-responses", {"previous_response_id": "resp_1"}, "previous_response_id"),
    ],
)
@pytest.mark.states("L-097", "L-157", "L-165")
async def test_without_a_store_nothing_is_kept_or_continued(protocol: str, more: Any, param: str) -> None:
    made = await call(Server(SpyCatalog(SpyStore(), hello)), **asked(protocol, **more))
    assert (made.status, made.json["error"]["param"]) == (400, param)


@pytest.mark.parametrize(
    ("more", "param"), [({"background": True}, "background"), ({"conversation": "conv_1"}, "conversation")]
)
@pytest.mark.parametrize("unlimited", [False, True], ids=["agent", "provider"])
@pytest.mark.states("L-096")
async def test_what_is_not_built_is_refused_by_name(more: Any, param: str, unlimited: bool) -> None:
    store = SpyStore()
    app, _ = served(store, info={"unlimited": unlimited})
    made = await call(app, **asked("openai-responses", **more))
    assert (made.status, made.json["error"]["param"]) == (400, param)
    assert "accept" not in store.calls


@both
@pytest.mark.states("L-161")
async def test_nothing_is_left_in_the_server_after_a_run(stream: bool) -> None:
    store = SpyStore()
    app, _ = served(store)
    for _ in range(3):
        await call(app, **asked("openai-chat", stream))
    runs: Any = app._runs
    await asyncio.sleep(0)
    assert (runs._runs, runs._ends) == (set(), set())


async def test_a_failed_event_of_the_step_is_the_runs_failure() -> None:
    store = SpyStore()
    app, _ = served(store, batches((*HEAD, *say("a")), (Failed(error=ProviderError("no")),)))
    await call(app, **asked("openai-chat", True))
    assert store.ends[0][0].status == "failed"
    assert store.ends[0][0].error == {
        "status": 502,
        "type": "upstream_error",
        "message": "no",
        "kind": "provider",
    }
