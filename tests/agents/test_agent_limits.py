"""Limits around agents: what comes in, however it comes, and what goes out."""

import asyncio
import json
from typing import Any

import pytest

from tests.serve.serve_call import Call, call, serving
from turnout import App, Limits
from turnout.agents import Emit
from turnout.errors import OutputTooLarge
from turnout.model import Request

CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
GEMINI, GEMINI_STREAM = "/v1beta/models/m:generateContent", "/v1beta/models/m:streamGenerateContent"
DEFAULTS = {
    "request_bytes": 32 << 20,
    "media_bytes": 16 << 20,
    "assets": 32,
    "output_bytes": 8 << 20,
    "event_bytes": 1 << 20,
    "multipart_bytes": 32 << 20,
    "ui_item_bytes": 256 << 10,
    "ui_action_bytes": 64 << 10,
}


def body_of(path: str, text: str, *, stream: bool = False) -> dict[str, Any]:
    if path in (GEMINI, GEMINI_STREAM):
        return {"contents": [{"role": "user", "parts": [{"text": text}]}]}
    said: dict[str, Any] = (
        {"input": text} if path == RESPONSES else {"messages": [{"role": "user", "content": text}]}
    )
    return {"model": "m", "max_tokens": 9, "stream": stream, **said}


def app_of(runs: list[str], **options: Any) -> App:
    app = App(**options)

    @app.agent("m")
    async def talk(request: Request, emit: Emit) -> None:
        runs.append("run")
        size, _, pieces = request.last_user_text.partition("x")
        for _ in range(int(pieces or "0")):
            await emit.delta("a" * int(size))

    return app


PATHS = pytest.mark.parametrize("path", [CHAT, RESPONSES, MESSAGES, GEMINI])


@pytest.mark.states("L-138", "L-139", "L-133", "L-134", "L-135", "L-136", "L-137", "L-140")
def test_the_limits_are_the_documented_ones_and_each_is_set_alone() -> None:
    for name, value in DEFAULTS.items():
        assert getattr(Limits(), name) == value
        other = Limits(**{name: 5})
        assert getattr(other, name) == 5
        assert Limits(**{name: 0}) == Limits(**{name: -1}) == Limits()
        assert all(getattr(other, each) == DEFAULTS[each] for each in DEFAULTS if each != name)


@pytest.mark.deviates(
    "L-132", "Real agents' histories exceed 8 MiB: 32 MiB by default; a larger one is refused as documented."
)
@PATHS
async def test_a_body_over_the_limit_is_refused_before_it_is_read_to_its_end(path: str) -> None:
    runs: list[str] = []
    app = app_of(runs, limits=Limits(request_bytes=1_000))
    data = json.dumps(body_of(path, "")).encode()
    fits = data + b" " * (1_000 - len(data))
    assert (await call(app, path, fits)).status == 200
    refused = await call(app, path, fits + b" ")
    assert refused.status == 413
    assert "limit" in refused.json["error"]["message"]
    assert runs == ["run"]


@pytest.mark.states("L-142")
@PATHS
async def test_a_body_of_unsaid_length_is_limited_all_the_same(path: str) -> None:
    runs: list[str] = []
    app = app_of(runs, limits=Limits(request_bytes=1_000))
    async with app, serving(app) as port:
        for size, status in ((900, b"200"), (1_001, b"413")):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = (
                f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n"
            )
            writer.write(head.encode() + b"transfer-encoding: chunked\r\n\r\n")
            data = json.dumps(body_of(path, "")).encode()
            data += b" " * (size - len(data))
            for at in range(0, size, 100):
                piece = data[at : at + 100]
                writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            writer.write(b"0\r\n\r\n")
            await writer.drain()
            assert (await reader.readline()).split()[1] == status
            await reader.read()
            writer.close()
            await writer.wait_closed()
    assert runs == ["run"]


@pytest.mark.states("L-142")
async def test_a_body_that_comes_too_slowly_is_given_up() -> None:
    runs: list[str] = []
    app = app_of(runs, read_s=0.05)
    async with app, serving(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = (
            f"POST {CHAT} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n"
        )
        writer.write(head.encode() + b'{"model":')
        await writer.drain()
        assert (await reader.readline()).split()[1] == b"408"
        writer.close()
        await writer.wait_closed()
    assert runs == []


def over(made: Call) -> bool:
    return b"over the limit" in made.body


@pytest.mark.states("L-135")
@PATHS
async def test_an_answer_over_the_limit_stops_the_run_and_is_an_error(path: str) -> None:
    runs: list[str] = []
    heard: list[BaseException] = []
    app = app_of(runs, limits=Limits(output_bytes=1_050), on_error=lambda error, _: heard.append(error))
    assert (await call(app, path, body_of(path, "100x10"))).status == 200
    made = await call(app, path, body_of(path, "100x11"))
    assert made.status == 500
    assert over(made)
    assert [type(error) for error in heard] == [OutputTooLarge]


@pytest.mark.states("L-135", "L-147")
@pytest.mark.parametrize("path", [CHAT, RESPONSES, MESSAGES, GEMINI_STREAM])
async def test_a_streamed_answer_over_the_limit_never_looks_finished(path: str) -> None:
    app = app_of([], limits=Limits(output_bytes=1_000))
    body = body_of(path, "100x11", stream=True)
    made = await call(app, path, body, query_string=b"alt=sse")
    assert made.status == 200
    assert over(made)
    for success in (b"[DONE]", b"response.completed", b"message_stop", b"STOP"):
        assert success not in made.body


@pytest.mark.states("L-136")
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_one_event_over_the_limit_is_an_error(stream: bool) -> None:
    app = app_of([], limits=Limits(event_bytes=1_000))
    assert (await call(app, CHAT, body_of(CHAT, "1000x2", stream=stream))).status == 200
    # Nothing was said before, so the stream can still be an HTTP error.
    made = await call(app, CHAT, body_of(CHAT, "1001x1", stream=stream))
    assert made.status == 500
    assert over(made)


# ---- malformed requests ----------------------------------------------------------------------------------------------

BROKEN: list[tuple[str, str, Any]] = [
    (path, what, body)
    for path in (CHAT, RESPONSES, MESSAGES)
    for what, body in (
        ("no json", b"{"),
        ("no object", b"[]"),
        ("wrong type", {**body_of(path, "hi"), "temperature": "hot"}),
        ("nothing asked", {"model": "m", "max_tokens": 9}),
    )
] + [
    (GEMINI, "no json", b"{"),
    (GEMINI, "no object", b"[]"),
    (GEMINI, "wrong type", {**body_of(GEMINI, "hi"), "generationConfig": {"temperature": "hot"}}),
    (GEMINI, "nothing asked", {"contents": 3}),
]


@pytest.mark.states("L-151", "L-148", "L-112")
@pytest.mark.parametrize(("path", "what", "body"), BROKEN)
async def test_a_malformed_request_is_refused_in_the_protocols_envelope(
    path: str, what: str, body: Any
) -> None:
    runs: list[str] = []
    made = await call(app_of(runs), path, body)
    assert made.status == 400
    assert made.headers["content-type"].startswith("application/json")
    error = made.json["error"]
    if path == MESSAGES:
        assert (made.json["type"], error["type"]) == ("error", "invalid_request_error")
    elif path == GEMINI:
        assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")
    else:
        assert error["type"] == "invalid_request_error"
    assert runs == []


@pytest.mark.states("L-146")
@pytest.mark.parametrize("path", [CHAT, RESPONSES, MESSAGES])
async def test_a_refusal_of_a_stream_is_an_ordinary_error(path: str) -> None:
    body = {**body_of(path, "1x1", stream=True), "tools": [{"type": "web_search", "name": "w"}]}
    made = await call(app_of([]), path, body)
    assert made.status == 400
    assert made.headers["content-type"].startswith("application/json")
