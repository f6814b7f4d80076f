"""The routes of kept responses: there with a store that gives them back, and only with it."""

import asyncio
import json
import re
from typing import Any

import msgspec
import pytest

from tests.lifecycle.spies import PROTOCOLS, SAID, SpyCatalog, SpyStore, asked, batches, hello
from tests.serve.serve_call import call
from tests.serve.serve_fakes import (
    CODEC,
    JSON,
    SSE,
    Models,
    PlainCodec,
    chunks_of,
    event,
    relayed,
    replying,
)
from turnout.model import (
    Answer,
    Headers,
    Info,
    Message,
    Reply,
    Request,
    StoredResponse,
    Text,
    User,
)
from turnout.model.errors import NotFound
from turnout.serve import Server
from turnout.store import MemoryStore
from turnout.wire import responses
from turnout.wire.codec import codec

KEPT = StoredResponse(
    answer=Answer(id="resp_1", model="m", created=5, parts=(Text(text="hi"),), stop="end"),
    echo={"temperature": "0.5"},
)


class Shelf(SpyStore):
    """A spy that gives one response back."""

    raises: Exception | None = None

    async def get(self, response_id: str, context: Any, /) -> StoredResponse:
        return await self._looked("get", response_id, context, KEPT)

    async def items(self, response_id: str, context: Any, /) -> tuple[Message, ...]:
        said = tuple(Message(role="user", parts=(Text(text=word),)) for word in ("one", "two"))
        return await self._looked("items", response_id, context, said)

    async def delete(self, response_id: str, context: Any, /) -> None:
        return await self._looked("delete", response_id, context, None)

    async def _looked(self, verb: str, response_id: str, context: Any, found: Any) -> Any:
        who = context.get(User)
        self.calls.append(f"{verb} {response_id}" + (f" for {who.id}" if who else ""))
        if self.raises is not None:
            raise self.raises
        if response_id != "resp_1":
            raise NotFound("there is no such response")
        return found


def server(store: Any, **options: Any) -> Server:
    return Server(SpyCatalog(store, hello), store=store, **options)


ROUTES = [("GET", ""), ("DELETE", ""), ("GET", "/input_items")]


@pytest.mark.states("L-103")
@pytest.mark.parametrize(("method", "of_it"), ROUTES)
@pytest.mark.parametrize("store", [None, SpyStore()], ids=["no store", "a store without retrieval"])
async def test_without_retrieval_there_are_no_routes(method: str, of_it: str, store: Any) -> None:
    app = Server(SpyCatalog(SpyStore(), hello), store=store)
    made = await call(app, f"/v1/responses/resp_1{of_it}", method=method)
    assert (made.status, made.json["error"]["code"]) == (404, "not_found")


@pytest.mark.deviates(
    "L-103",
    "the document leaves retrieval to the application; a store that gives responses back has the routes",
)
@pytest.mark.parametrize(("method", "of_it"), ROUTES)
@pytest.mark.parametrize("prefix", ["", "/v1"])
async def test_a_store_that_gives_responses_back_has_the_routes(method: str, of_it: str, prefix: str) -> None:
    store = Shelf()
    app = server(store, identify=lambda request: User(id="ann"))
    made = await call(app, f"{prefix}/responses/resp_1{of_it}", method=method)
    assert made.status == 200
    assert made.headers["content-type"] == "application/json"
    verb = "items" if of_it else method.lower()
    assert store.calls == [f"{verb} resp_1 for ann"]
    if verb == "get":
        assert made.body == responses.body(KEPT)
        assert made.json["temperature"] == 0.5


@pytest.mark.parametrize(("method", "of_it"), ROUTES)
async def test_who_asks_for_what_is_kept_is_read_from_the_call_as_it_came(method: str, of_it: str) -> None:
    """As it is when a response is made, by one and the same function."""
    seen: list[tuple[str, str, bytes]] = []

    def who(request: Request) -> User:
        assert request.source is not None
        source = request.source
        seen.append((source.path, source.query, source.body))
        assert request.body.messages == ()
        return User(id=source.headers.get("x-user", ""))

    store = Shelf()
    headers = {"x-user": "ann"}
    path = f"/v1/responses/resp_1{of_it}"
    made = await call(
        server(store, identify=who), path, method=method, headers=headers, query_string=b"stream=false"
    )
    assert made.status == 200
    assert store.calls == [f"{'items' if of_it else method.lower()} resp_1 for ann"]
    assert seen == [(path, "stream=false", b"")]


@pytest.mark.parametrize(("method", "of_it"), ROUTES)
async def test_what_is_not_there_is_not_found(method: str, of_it: str) -> None:
    made = await call(server(Shelf()), f"/v1/responses/resp_2{of_it}", method=method)
    assert (made.status, made.json["error"]["type"]) == (404, "invalid_request_error")


@pytest.mark.parametrize(("method", "of_it"), ROUTES)
@pytest.mark.states("L-143", "L-150")
async def test_a_lookup_that_breaks_says_nothing_of_the_cause(method: str, of_it: str) -> None:
    store, seen = Shelf(), list[Any]()
    store.raises = RuntimeError("password=hunter2")
    app = server(store, on_error=lambda error, about: seen.append(error.__cause__))
    made = await call(app, f"/v1/responses/resp_1{of_it}", method=method)
    assert made.status == 500
    assert b"hunter2" not in made.body
    assert seen == [store.raises]


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("POST", "resp_1", "GET, DELETE"),
        ("PUT", "resp_1", "GET, DELETE"),
        ("DELETE", "resp_1/input_items", "GET"),
        ("POST", "resp_1/input_items", "GET"),
    ],
)
async def test_another_method_is_refused(method: str, path: str, allow: str) -> None:
    store = Shelf()
    made = await call(server(store), f"/v1/responses/{path}", method=method)
    assert (made.status, made.headers["allow"]) == (405, allow)
    assert store.calls == []


@pytest.mark.states("L-096")
@pytest.mark.parametrize("path", ["compact", "input_tokens", "resp_1/cancel", "resp_1/input_items/x"])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_what_is_not_built_is_not_there(path: str, method: str) -> None:
    store = Shelf()
    made = await call(server(store), f"/v1/responses/{path}", method=method)
    assert made.status == 404
    assert store.calls == []


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("stream=perhaps", "stream"),
        ("starting_after=3", "starting_after"),
        ("stream=true&starting_after=3", "starting_after"),
    ],
)
async def test_a_wish_of_a_lookup_that_cannot_be_met_is_refused_by_name(query: str, param: str) -> None:
    made = await call(server(Shelf()), "/v1/responses/resp_1", method="GET", query_string=query.encode())
    assert (made.status, made.json["error"]["param"]) == (400, param)


@pytest.mark.states("L-104")
@pytest.mark.parametrize("query", ["stream=true", "stream=True"])
async def test_a_response_is_looked_up_as_a_stream(query: str) -> None:
    made = await call(server(Shelf()), "/v1/responses/resp_1", method="GET", query_string=query.encode())
    assert made.status == 200
    assert made.headers["content-type"].startswith("text/event-stream")
    assert made.body == responses.streamed(KEPT)


@pytest.mark.parametrize("query", ["stream=false", "include%5B%5D=reasoning.encrypted_content", ""])
async def test_other_wishes_change_nothing(query: str) -> None:
    made = await call(server(Shelf()), "/v1/responses/resp_1", method="GET", query_string=query.encode())
    assert made.body == responses.body(KEPT)


async def test_items_come_in_the_pages_that_are_asked_for() -> None:
    path = "/v1/responses/resp_1/input_items"
    first = await call(server(Shelf()), path, method="GET", query_string=b"order=asc&limit=1")
    assert [row["content"][0]["text"] for row in first.json["data"]] == ["one"]
    assert first.json["has_more"] is True
    after = f"order=asc&after={first.json['last_id']}".encode()
    rest = await call(server(Shelf()), path, method="GET", query_string=after)
    assert [row["content"][0]["text"] for row in rest.json["data"]] == ["two"]


@pytest.mark.parametrize(
    "limit", ["many", "0", "101", "-1", "1" * 20, "9" * 5000], ids=lambda limit: limit[:21]
)
async def test_a_limit_that_is_none_is_refused_by_name(limit: str) -> None:
    path, query = "/v1/responses/resp_1/input_items", f"limit={limit}".encode()
    made = await call(server(Shelf()), path, method="GET", query_string=query)
    assert (made.status, made.json["error"]["param"]) == (400, "limit")


# ---- what is passed on -------------------------------------------------------------------------------------------


def passing(codec: PlainCodec, store: Any, **options: Any) -> Server:
    return Server(
        Unlimited(m=replying(lambda: relayed(b'{"id": "up", "text": "hi"}'))),
        codec=lambda _: codec,  # type: ignore[return-value]
        store=store,
        **options,
    )


class Unlimited(Models):
    async def load(self, target: str, context: Any) -> tuple[Any, Info]:
        step, info = await super().load(target, context)
        return step, msgspec.structs.replace(info, unlimited=True)


@pytest.mark.states("L-157")
async def test_without_a_store_what_is_passed_on_is_never_read() -> None:
    codec = PlainCodec()
    made = await call(passing(codec, None), body={"model": "m", "store": True})
    assert (made.body, codec.decoded) == (b'{"id": "up", "text": "hi"}', 0)


async def test_what_nobody_keeps_is_passed_on_in_its_own_bytes() -> None:
    store = SpyStore(lambda store, turn: store.plain(turn, finish=None))
    made = await call(passing(PlainCodec(), store), body={"model": "m"})
    assert made.body == b'{"id": "up", "text": "hi"}'
    assert store.calls == ["accept"]


def upstream(data: bytes, headers: Headers = JSON) -> Reply:
    chat = codec("openai-chat")
    return Reply.relayed(
        200,
        headers,
        chunks_of(data[:9], data[9:]),
        "openai-chat",
        lambda: chat.whole_decoder(chat.dialects[""]),
    )


UPSTREAM = (
    b'{"id": "up", "created": 3, "model": "m-1", "later": 1.50, "choices": [{"index": 0, "message":'
    b' {"role": "assistant", "content": "hi", "score": [ ]}, "finish_reason": "stop"}]}'
)
RENAMED = UPSTREAM.replace(b'"up"', b'"resp_1"').replace(b"3", b"7", 1)


@pytest.mark.states("L-104")
async def test_what_is_kept_goes_out_in_an_upstreams_own_bytes_under_its_new_name() -> None:
    store = SpyStore()
    etag = Headers((*JSON.raw, (b"etag", b'"of the other bytes"'), (b"x-request-id", b"theirs")))
    app = Server(Unlimited(m=replying(lambda: upstream(UPSTREAM, etag))), store=store)
    made = await call(app, body={"model": "m", "messages": SAID})
    assert made.json == json.loads(RENAMED)
    assert b'"later":1.50' in made.body
    assert b'"score": [ ]' in made.body
    assert dict(made.headers).get("etag") is None
    assert made.headers["x-request-id"] == "theirs"
    [(stored, _)] = store.ends
    assert codec("openai-chat").decode_answer(made.body, codec("openai-chat").dialects[""]) == stored.answer


@pytest.mark.states("L-104")
async def test_what_may_be_replayed_is_written_as_its_replay_is() -> None:
    store = MemoryStore()
    app = Server(Unlimited(m=replying(lambda: upstream(UPSTREAM))), store=store, store_default=True)
    headers = {"content-type": "application/json", "idempotency-key": "k"}
    given: dict[str, Any] = {"body": {"model": "m", "messages": SAID}, "headers": headers}
    first, second = await call(app, **given), await call(app, **given)
    assert second.headers["x-turnout-replayed"] == "true"
    assert first.body == second.body


async def test_bytes_that_are_no_answer_are_a_failure_and_not_kept() -> None:
    store = SpyStore()
    app = Server(Unlimited(m=replying(lambda: upstream(b'{"id": "up", "choices": []}'))), store=store)
    made = await call(app, body={"model": "m", "messages": SAID})
    assert (made.status, store.ends[0][0].status) == (502, "failed")


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_request_of_which_nothing_is_kept_is_not_decoded(protocol: str) -> None:
    seen: list[bool] = []

    async def step(request: Request) -> Any:
        seen.append(request.decoded)
        return Answer(parts=(Text(text="hi"),), stop="end")

    app = Server(Unlimited(m=step), store=MemoryStore())
    made = await call(app, **asked(protocol))
    assert (made.status, seen) == (200, [False])


async def test_an_upstreams_error_is_told_to_the_store_and_passed_on_as_it_came() -> None:
    store = SpyStore()
    refused = replying(lambda: relayed(b'{"err', b'or": 1}', status=429))
    app = Server(Unlimited(m=refused), codec=lambda _: CODEC, store=store)
    made = await call(app, body={"model": "m"})
    assert (made.status, made.body) == (429, b'{"error": 1}')
    [(stored, error)] = store.ends
    assert (stored.status, error.status if error else 0) == ("failed", 429)


async def test_an_upstreams_stream_that_is_cut_is_a_failure_in_the_store() -> None:
    store = SpyStore()
    cut = replying(lambda: relayed(event({"t": "hel"}), headers=SSE))
    app = Server(Unlimited(m=cut), codec=lambda _: CODEC, store=store)
    await call(app, body={"model": "m", "stream": True})
    assert store.ends[0][0].status == "failed"


# ---- values ------------------------------------------------------------------------------------------------------


@pytest.mark.states("L-177")
async def test_what_a_finisher_gets_cannot_be_changed_under_the_client() -> None:
    store = SpyStore()
    await call(server(store), **asked("openai-responses"))
    [(stored, _)] = store.ends
    with pytest.raises(AttributeError):
        stored.status = "failed"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        stored.answer.parts[0].text = "other"  # type: ignore[union-attr,misc]


@pytest.mark.states("L-199")
async def test_what_is_told_as_activity_is_passed_on_as_it_was_said() -> None:
    from turnout.agents import Emit

    async def agent(request: Request, emit: Emit) -> None:
        await emit.activity("look", {"secret": "the application's own matter"})
        await emit.text("hi")

    store = SpyStore(lambda store, turn: store.plain(turn, agent=agent, activity=True))
    made = await call(server(store), **asked("openai-responses", True))
    assert b"the application's own matter" in made.body
    assert store.ends[0][0].answer.text == "hi"


async def test_an_acceptance_that_is_none_is_the_stores_failure() -> None:
    store = SpyStore(lambda store, turn: None)  # type: ignore[arg-type,return-value]
    made = await call(server(store), **asked("openai-chat"))
    assert (made.status, made.json["error"]["code"]) == (500, "store_failed")


async def test_a_run_that_fails_and_cannot_be_stored_tells_both_to_the_application() -> None:
    store, seen = SpyStore(), list[Any]()
    store.finish_raises = RuntimeError("disk full")
    app = Server(
        SpyCatalog(store, batches(ValueError("broken"))),
        store=store,
        on_error=lambda error, about: seen.append(type(error.__cause__)),
    )
    made = await call(app, **asked("openai-chat"))
    assert made.status >= 500
    assert seen[0] is RuntimeError
    assert len(seen) == 2


async def test_a_history_that_breaks_ends_the_run() -> None:
    store = SpyStore()

    async def broken(previous: str, context: Any) -> Any:
        raise OSError("disk gone")

    store.load = broken  # type: ignore[method-assign]
    made = await call(server(store), **asked("openai-responses", previous_response_id="resp_0"))
    assert (made.status, made.json["error"]["code"]) == (500, "store_failed")
    assert store.calls[-1] == "finished"


async def test_two_runs_of_one_server_do_not_mix_over_a_real_store() -> None:
    app = Server(SpyCatalog(SpyStore(), hello), store=MemoryStore())
    made = await asyncio.gather(
        *(call(app, **asked("openai-responses", at % 2 == 0, store=True)) for at in range(20))
    )
    ids = [re.findall(rb'"id":"(resp_\w+)"', one.body)[0] for one in made]
    assert len(set(ids)) == 20
    for response_id in ids:
        found = await call(app, f"/v1/responses/{response_id.decode()}", method="GET")
        assert found.json["output"][0]["content"][0]["text"] == "hello"
