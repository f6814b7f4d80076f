"""An application asked without HTTP goes by way of its store, as the served one does."""

import json
from typing import Any

import pytest

from tests.serve.serve_call import call
from turnout import App
from turnout.model import (
    Body,
    Context,
    Delta,
    Failed,
    Finish,
    IdempotencyKey,
    Info,
    Message,
    Request,
    Text,
    User,
)
from turnout.model.errors import NotFound, OutcomeUnknown, StoreFailed, Unsupported
from turnout.store import MemoryStore

ANN, BOB = (Context(values={User: User(id=name)}) for name in ("ann", "bob"))


class Told:
    """An agent that tells what it was told, and counts."""

    def __init__(self) -> None:
        self.runs = 0

    async def run(self, request: Request, emit: Any) -> None:
        self.runs += 1
        await emit.text(" / ".join(message.text for message in request.messages))


def made(store: Any, told: Any = None, **options: Any) -> App:
    app = App(store=store, **options)
    app.agent(told or Told(), "told", continuation=True)
    return app


def saying(text: str, context: Context = ANN, **fields: Any) -> Request:
    messages = (Message(role="user", parts=(Text(text=text),)),)
    return Request(model="told", body=Body(messages=messages, **fields), context=context)


@pytest.mark.states("L-154", "L-155")
@pytest.mark.parametrize(
    ("default", "store", "kept"),
    [(True, None, True), (False, None, False), (False, True, True), (True, False, False)],
)
async def test_what_is_asked_without_http_is_kept_as_what_is_served(
    default: bool, store: bool | None, kept: bool
) -> None:
    records = MemoryStore()
    async with made(records, store_default=default) as app:
        answer = await app.process(saying("hello", store=store))
        assert answer.text == "hello"
        if kept:
            assert (await records.get(answer.id, ANN)).answer == answer
        else:
            with pytest.raises(NotFound):
                await records.get(answer.id, ANN)


async def test_a_turn_is_continued_by_its_owner_only() -> None:
    async with made(MemoryStore(), store_default=True) as app:
        first = await app.process(saying("one"))
        second = await app.process(saying("two", previous=first.id))
        assert second.text == "one / one / two"
        with pytest.raises(NotFound) as caught:
            await app.process(saying("two", BOB, previous=first.id))
        assert caught.value.code == "previous_response_not_found"


async def test_a_stream_is_kept_before_its_end_is_told() -> None:
    records = MemoryStore()
    async with made(records, store_default=True) as app:
        found: Any = None
        async for event in app.stream(saying("hello")):
            if isinstance(event, Finish):
                found = [row.written for row in records._turns.values()]
        assert found is not None
        assert all(found)


async def test_a_key_runs_once_and_gives_the_same_answer_again() -> None:
    told = Told()
    async with made(MemoryStore(), told) as app:
        keyed = ANN.with_(IdempotencyKey(value="k"))
        answers = [await app.process(saying("hello", keyed)) for _ in range(2)]
        assert answers[0] == answers[1]
        assert told.runs == 1


async def test_what_could_not_be_kept_is_no_answer() -> None:
    class Full(MemoryStore):
        async def _keep(self, ending: Any) -> None:
            raise StoreFailed("turnout: the disk is full")

    told = Told()
    async with made(Full(), told) as app:
        keyed = ANN.with_(IdempotencyKey(value="k"))
        with pytest.raises(StoreFailed):
            await app.process(saying("hello", keyed))
        with pytest.raises(OutcomeUnknown):
            await app.process(saying("hello", keyed))
        assert told.runs == 1


async def test_a_stream_that_could_not_be_kept_ends_in_a_failure() -> None:
    """As over HTTP: what was said stands, and success is not told."""

    class Full(MemoryStore):
        async def _keep(self, ending: Any) -> None:
            raise StoreFailed("turnout: the disk is full")

    async with made(Full(), store_default=True) as app:
        events = [event async for event in app.stream(saying("hello"))]
        *said, end = events
        assert "hello" in [event.text for event in said if isinstance(event, Delta)]
        assert not any(isinstance(event, Finish) for event in said)
        assert isinstance(end, Failed)
        assert isinstance(end.error, StoreFailed)


async def test_a_stream_that_fails_before_its_first_event_raises() -> None:
    async def refuses(request: Request) -> Any:
        raise Unsupported("tools")

    async with App() as app:
        app.model("told", refuses)
        with pytest.raises(Unsupported):
            [event async for event in app.stream(saying("hello"))]


# ---- a function as a model ---------------------------------------------------------------------------------------


async def echoing(request: Request) -> str:
    return " / ".join(message.text for message in request.messages)


CONTINUING = [({"previous": "resp_1"}, "previous_response_id"), ({"conversation": "conv_1"}, "conversation")]


@pytest.mark.parametrize(("fields", "param"), CONTINUING)
async def test_a_function_that_is_a_model_continues_from_nothing_without_a_store(
    fields: Any, param: str
) -> None:
    async with App() as app:
        app.model("told", echoing)
        with pytest.raises(Unsupported) as caught:
            await app.process(saying("hello", **fields))
        assert caught.value.param == param
        name = {"previous": "previous_response_id"}
        asked = {"model": "told", "input": "hi", **{name.get(key, key): fields[key] for key in fields}}
        made = await call(app, "/v1/responses", asked)
        assert (made.status, made.json["error"]["param"]) == (400, param)
        assert (await app.process(saying("hello"))).text == "hello"


async def test_a_function_that_says_so_may_continue() -> None:
    async with App() as app:
        app.model("told", echoing, info=Info(continuation=True))
        assert (await app.process(saying("hello", previous="resp_1"))).text == "hello"


async def test_a_function_that_is_a_model_is_given_the_history_by_a_store() -> None:
    async with App(store=MemoryStore(), store_default=True) as app:
        app.model("told", echoing)
        first = await app.process(saying("one"))
        assert (await app.process(saying("two", previous=first.id))).text == "one / one / two"


@pytest.mark.states("L-157")
@pytest.mark.parametrize(
    ("fields", "param"), [({"store": True}, "store"), ({"previous": "r"}, "previous_response_id")]
)
async def test_without_a_store_an_agent_keeps_nothing_here_either(fields: Any, param: str) -> None:
    async with made(None) as app:
        with pytest.raises(Unsupported) as caught:
            await app.process(saying("hello", **fields))
        assert caught.value.param == param


@pytest.mark.states("L-104", "L-192")
async def test_what_is_asked_without_http_is_looked_up_over_http() -> None:
    async with made(MemoryStore(), store_default=True, user_header="x-user") as app:
        answer = await app.process(saying("hello"))
        path = f"/v1/responses/{answer.id}"
        found = await call(app, path, method="GET", headers={"x-user": "ann"})
        assert found.status == 200
        body = json.loads(found.body)
        assert (body["id"], body["status"]) == (answer.id, "completed")
        assert body["output"][0]["content"][0]["text"] == "hello"
        assert (await call(app, path, method="GET", headers={"x-user": "bob"})).status == 404


async def test_a_model_is_asked_by_way_of_the_store_as_well() -> None:
    async def provider(request: Request) -> str:
        return "said"

    records = MemoryStore()
    app = App(store=records, store_default=True)
    app.model("told", provider, info=Info())
    async with app:
        answer = await app.process(saying("hello"))
        assert (await records.get(answer.id, ANN)).answer.text == "said"
