"""The bare handler over one control plane."""

from typing import Any

import pytest

from tests.serve.serve_call import call
from tests.serve.serve_fakes import CODEC, SSE, Models, Spy, event, relayed
from turnout.model import Answer, Limits, Reply, Request, Text
from turnout.model.errors import StageError
from turnout.serve import Server, chat_completions, write_response
from turnout.wire import chat


class Plane:
    def __init__(self, make: Any) -> None:
        self.make = make
        self.seen: list[Request] = []

    async def process(self, request: Request) -> Reply:
        self.seen.append(request)
        made = self.make()
        if isinstance(made, Exception):
            raise made
        return made


@pytest.mark.states("P-136", "P-140", "P-141")
async def test_the_handler_serves_the_plane_wherever_it_is_mounted() -> None:
    plane = Plane(lambda: relayed(event({"t": "a"}), event({"t": "b"}), status=203, headers=SSE))
    handler = chat_completions(plane, codec=CODEC)
    made = await call(handler, "/any/where", {"model": "any", "stream": True})
    assert (made.status, made.pieces[:2]) == (203, [event({"t": "a"}), event({"t": "b"})])
    assert [request.model for request in plane.seen] == ["any"]


@pytest.mark.states("P-137")
async def test_what_is_no_request_is_a_400() -> None:
    assert (await call(chat_completions(Plane(Reply), codec=CODEC), body=b"no")).status == 400


@pytest.mark.states("P-138")
async def test_a_body_too_large_is_a_413() -> None:
    handler = chat_completions(Plane(Reply), codec=CODEC, limits=Limits(request_bytes=5))
    assert (await call(handler)).status == 413


@pytest.mark.states("P-139", "P-145", "P-146")
@pytest.mark.parametrize("error", [RuntimeError("sk-secret"), StageError("classify")])
async def test_a_plane_that_fails_is_a_502_whose_cause_only_the_host_learns(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    error.__cause__ = ValueError("sk-secret")
    logged: list[BaseException] = []

    async def decorated(request: Request) -> Reply:
        try:
            return await plane.process(request)
        except Exception as raised:
            logged.append(raised)
            raise

    plane = Plane(lambda: error)
    spy = Spy()
    made = await call(
        chat_completions(decorated, codec=CODEC, on_error=lambda raised, about: spy.closed.set())
    )
    assert made.status == 502
    assert b"sk-secret" not in made.body
    assert logged == [error]
    assert spy.closed.is_set()
    assert not caplog.records


async def test_only_post_is_taken() -> None:
    made = await call(chat_completions(Plane(Reply), codec=CODEC), method="GET")
    assert (made.status, made.headers["allow"]) == (405, "POST")


async def test_a_sync_step_is_taken_and_nothing_else() -> None:
    made = await call(chat_completions(lambda request: "hi", codec=CODEC))
    assert made.json["text"] == "hi"
    with pytest.raises(TypeError):
        chat_completions(42, codec=CODEC)
    with pytest.raises(RuntimeError, match="websocket"):
        await chat_completions(Plane(Reply), codec=CODEC)({"type": "websocket"}, None, None)  # type: ignore[arg-type]


@pytest.mark.states("P-140", "P-141", "P-147")
async def test_an_own_handler_is_written_from_the_public_pieces() -> None:
    plane = Plane(lambda: Reply.of(Answer(parts=(Text(text="hi"),), stop="end")))

    async def own(scope: Any, receive: Any, send: Any) -> None:
        body = (await receive())["body"]
        request = chat.decode_request(body, scope["headers"]).to_request()
        await write_response(await plane.process(request), send, request)

    asked = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
    made = await call(own, body=asked)
    assert (made.status, made.json["choices"][0]["message"]["content"]) == (200, "hi")
    assert plane.seen[0].last_user_text == "hello"
    made = await call(own, body=asked | {"stream": True})
    assert made.headers["content-type"].startswith("text/event-stream")
    assert made.body.endswith(b"data: [DONE]\n\n")


@pytest.mark.states("P-137", "P-139", "P-144")
@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"model": "m"}, "messages"),
        ({"model": "m", "messages": "x"}, "messages"),
        ({"messages": []}, "model"),
        ({"model": 1, "messages": []}, "model"),
    ],
)
async def test_a_request_that_a_plane_cannot_read_is_a_400_in_chats_shape(body: Any, param: str) -> None:
    def read(request: Request) -> str:
        return request.last_user_text

    made = await call(chat_completions(read), body=body)
    assert made.status == 400
    assert set(made.json["error"]) == {"message", "type", "param", "code"}
    assert (made.json["error"]["type"], made.json["error"]["param"]) == ("invalid_request_error", param)


async def test_models_are_listed_in_chats_shape() -> None:
    app = Server(Models(a=None, b=None))
    listed = (await call(app, "/v1/models", method="GET")).json
    one = (await call(app, "/models/b", method="GET")).json
    assert listed["object"] == "list"
    assert one == listed["data"][1]
    assert one == {"id": "b", "object": "model", "created": 0, "owned_by": "turnout"}
