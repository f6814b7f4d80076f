"""How a reply reaches the client: relayed bytes, encoded events, and what happens when they break."""

import asyncio
import json
from functools import partial
from typing import Any

import pytest

from tests.serve.serve_call import Call, call
from tests.serve.serve_fakes import (
    CODEC,
    FINISH,
    JSON,
    SSE,
    START,
    Models,
    Spy,
    chunks_of,
    event,
    evented,
    relayed,
    replying,
    say,
)
from turnout.model import (
    Answer,
    Delta,
    Extension,
    Failed,
    Headers,
    Opaque,
    PartStart,
    Reply,
    Request,
    Text,
    ToolCall,
)
from turnout.model.errors import BrokenStream, ProviderError, StageError
from turnout.serve import Server, write_response

STREAM = {"model": "m", "stream": True}


def server(make: Any, **options: Any) -> Server:
    return Server(Models(m=replying(make)), codec=lambda _: CODEC, **options)


async def streamed(make: Any, **options: Any) -> Call:
    return await call(server(make, **options), body=STREAM)


async def until(made: Call, wanted: bytes, times: int = 1) -> None:
    while made.body.count(wanted) < times:
        made.sent.clear()
        await made.sent.wait()


# ---- relay --------------------------------------------------------------------------------------------------


@pytest.mark.states("P-140", "P-141")
async def test_a_relay_sends_each_read_as_it_comes() -> None:
    pieces = [event({"t": "a"}), b'data: {"t"', b': "b"}\n\n', b": comment\n\n", b"data: [DONE]\n\n"]
    made = await streamed(lambda: relayed(*pieces, headers=SSE))
    assert made.pieces == [*pieces, b""]
    assert made.finished


@pytest.mark.states("P-141")
async def test_the_first_bytes_arrive_before_the_last_are_made() -> None:
    for make in (
        lambda seen: relayed(b"first", seen, b"last", headers=SSE),
        lambda seen: relayed(b"first", seen, b"last", headers=JSON),
        lambda seen: evented((*START, *say("first")), seen, (*say("last"), *FINISH)),
    ):
        seen = asyncio.Event()
        made = Call()
        task = asyncio.create_task(call(server(partial(make, seen)), body=STREAM, into=made))
        await until(made, b"first")
        assert b"last" not in made.body
        seen.set()
        await task
        assert b"last" in made.body


@pytest.mark.states("P-140")
async def test_status_and_headers_of_the_upstream_are_relayed() -> None:
    headers = Headers.of(
        [
            ("content-type", "application/json"),
            ("retry-after", "7"),
            ("x-vendor", "1"),
            ("x-vendor", "2"),
            ("connection", "close"),
            ("transfer-encoding", "chunked"),
            ("content-length", "999"),
            ("set-cookie", "a=b"),
            ("server", "theirs"),
            ("date", "then"),
        ]
    )
    made = await call(server(lambda: relayed(b'{"error":1}', status=429, headers=headers, length=11)))
    assert made.status == 429
    assert made.body == b'{"error":1}'
    said = [(name.decode(), value.decode()) for name, value in made.messages[0]["headers"]]
    assert [pair for pair in said if pair[0] != "x-request-id"] == [
        ("content-type", "application/json"),
        ("retry-after", "7"),
        ("x-vendor", "1"),
        ("x-vendor", "2"),
        ("content-length", "11"),
    ]


async def test_a_stream_is_told_not_to_be_buffered_unless_the_upstream_says() -> None:
    made = await streamed(lambda: relayed(b"x", headers=SSE))
    assert (made.headers["cache-control"], made.headers["x-accel-buffering"]) == ("no-cache", "no")
    theirs = Headers.of({"content-type": "text/event-stream", "cache-control": "no-store"})
    made = await streamed(lambda: relayed(b"x", headers=theirs))
    assert made.headers["cache-control"] == "no-store"
    made = await call(server(lambda: relayed(b"{}")))
    assert "cache-control" not in made.headers


@pytest.mark.parametrize("length", [None, 6])
async def test_a_whole_body_keeps_its_length_and_is_written_once_per_read(length: int | None) -> None:
    made = await call(server(lambda: relayed(b"abc", b"def", length=length)))
    assert made.body == b"abcdef"
    assert made.headers.get("content-length") == (None if length is None else "6")
    assert made.pieces == [b"abc", b"def"] + ([b""] if length is None else [])
    assert made.finished


async def test_a_body_of_known_length_ends_without_another_read() -> None:
    never = asyncio.Event()
    made = await call(server(lambda: relayed(b"abc", never, length=3)))
    assert (made.pieces, made.finished) == ([b"abc"], True)


async def test_what_breaks_before_the_first_bytes_is_an_http_error() -> None:
    error = ProviderError("the connection broke", kind="provider")
    for make in (
        lambda: relayed(error, headers=SSE),
        lambda: relayed(headers=SSE),
        lambda: relayed(error),
        relayed,
        lambda: evented(error),
        lambda: evented(START, error),
        lambda: evented((*START, Failed(error=error))),
        lambda: evented(START),
        evented,
        lambda: relayed(event({"error": "early"}), headers=SSE, protocol="gemini"),
    ):
        made = await streamed(make)
        assert made.status in {502, 429}
        assert made.json["error"]["message"]
        assert made.finished
        assert made.headers["content-type"] == "application/json"


async def test_an_error_event_that_comes_first_is_an_http_error() -> None:
    made = await streamed(lambda: relayed(event({"error": "slow down"}), b"data: [DONE]\n\n", headers=SSE))
    assert (made.status, made.json["error"]["message"]) == (429, "slow down")


async def test_the_word_error_in_a_text_is_no_error() -> None:
    first = event({"t": '"error"', "x": {"error": 0}})
    for pieces in ([first, event({"error": "late"})], [event({"t": "a"}) + event({"error": "late"})]):
        made = await streamed(lambda pieces=pieces: relayed(*pieces, headers=SSE))
        assert (made.status, made.body) == (200, b"".join(pieces))


@pytest.mark.parametrize("tail", [event({"t": "a"}), b'data: {"t": "a', b"data: x\r\n\r\n", b"data: x\n"])
async def test_a_stream_that_breaks_ends_in_one_error_event(tail: bytes) -> None:
    heard: list[Any] = []
    error = OSError("sk-secret")
    made = await streamed(
        lambda: relayed(tail, error, headers=SSE), on_error=lambda raised, about: heard.append(raised)
    )
    frames = [frame.strip("\n") for frame in made.body.decode().replace("\r\n", "\n").split("\n\n")]
    assert frames[-2:] == ['data: {"error": "turnout: the request failed"}', ""]
    assert made.body.startswith(tail)
    assert made.finished
    assert heard == [error]


async def test_a_whole_body_that_breaks_is_cut() -> None:
    for make in (
        lambda: relayed(b"{", OSError("x")),
        lambda: relayed(b"{", OSError("x"), length=2),
        lambda: relayed(b"{", length=2),
        lambda: relayed(
            b"\x1f\x8b", OSError("x"), headers=Headers.of({**dict(SSE.items()), "content-encoding": "gzip"})
        ),
    ):
        heard: list[Any] = []
        made = await streamed(make, on_error=lambda raised, about, heard=heard: heard.append(raised))
        assert made.status == 200
        assert made.body in {b"{", b"\x1f\x8b"}
        assert not made.finished
        assert len(heard) == 1


async def test_a_stream_without_its_end_mark_is_relayed_as_it_is() -> None:
    made = await streamed(lambda: relayed(event({"t": "a"}), headers=SSE))
    assert (made.body, made.finished) == (event({"t": "a"}), True)


async def test_an_answer_without_content_may_be_empty() -> None:
    made = await call(server(lambda: relayed(status=204, headers=Headers())))
    assert (made.status, made.body, made.finished) == (204, b"", True)


# ---- encode -------------------------------------------------------------------------------------------------


async def test_each_batch_is_one_message_and_the_last_one_ends_the_answer() -> None:
    made = await streamed(lambda: evented((*START, *say("a"), *say("b")), say("c"), (*say("d"), *FINISH)))
    assert made.pieces == [
        event({"start": True}) + event({"t": "a"}) + event({"t": "b"}),
        event({"t": "c"}),
        event({"t": "d"}) + b"data: [DONE]\n\n",
    ]
    assert made.headers["content-type"].startswith("text/event-stream")
    assert made.headers["cache-control"] == "no-cache"
    assert made.finished


async def test_nothing_is_sent_until_there_is_content() -> None:
    go = asyncio.Event()
    made = Call()
    task = asyncio.create_task(
        call(server(lambda: evented(START, say(""), go, FINISH)), body=STREAM, into=made)
    )
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not made.messages
    go.set()
    await task
    assert made.pieces == [event({"start": True}) + event({"t": ""}) + b"data: [DONE]\n\n"]


@pytest.mark.parametrize(
    ("batch", "content"),
    [
        (say("x"), True),
        (say(""), False),
        ((Delta(index=0, text="{", to="arguments"),), True),
        ((PartStart(index=1, part=Opaque(protocol="openai-chat", kind="k", body="{}")),), True),
        ((PartStart(index=1, part=Extension(name="ui", data="{}")),), True),
        ((PartStart(index=1, part=Text(text="x")),), True),
        ((PartStart(index=1, part=Text(text="")),), False),
        ((PartStart(index=1, part=ToolCall(call_id="c", name="f", arguments="")),), False),
    ],
)
async def test_content_is_what_makes_an_error_come_too_late(batch: Any, content: bool) -> None:
    error = ProviderError("late")
    made = await streamed(lambda: evented(START, batch, error))
    assert made.status == (200 if content else 502)
    assert made.finished


@pytest.mark.states("P-144")
async def test_an_answer_that_fails_in_the_stream_ends_in_one_error_event() -> None:
    for failing in (
        (Failed(error=ProviderError("broke")),),
        ProviderError("broke"),
        (*say("b"), Failed(error=ProviderError("broke"))),
    ):
        heard: list[Any] = []
        made = await streamed(
            lambda failing=failing: evented((*START, *say("a")), failing),
            on_error=lambda raised, about, heard=heard: heard.append(raised),
        )
        assert made.body.count(b'"error"') == 1
        assert made.body.endswith(event({"error": "broke"}))
        assert made.finished
        assert heard == [ProviderError("broke")]


async def test_a_stream_that_stops_without_an_end_is_never_a_success() -> None:
    made = await streamed(lambda: evented((*START, *say("a"))))
    assert b"[DONE]" not in made.body
    assert made.body.endswith(event({"error": "the answer ended without its end mark"}))


async def test_a_cause_inside_a_stream_stays_inside() -> None:
    made = await streamed(lambda: evented((*START, *say("a")), RuntimeError("sk-secret")))
    assert b"sk-secret" not in made.body
    assert made.body.endswith(event({"error": "turnout: the request failed"}))


async def test_an_upstream_of_another_protocol_is_encoded_without_the_headers_of_its_bytes() -> None:
    theirs = Headers.of(
        {
            "content-type": "text/event-stream",
            "content-encoding": "gzip",
            "retry-after": "3",
            "set-cookie": "a=b",
        }
    )
    made = await streamed(
        lambda: relayed(event({"t": "a"}), headers=theirs, protocol="gemini", dropped=("top_k",))
    )
    assert made.body == event({"t": "a"}) + event({"error": "cut"})
    assert "content-encoding" not in made.headers
    assert "set-cookie" not in made.headers
    assert (made.headers["retry-after"], made.headers["x-turnout-dropped"]) == ("3", "top_k")


async def test_an_error_status_of_another_protocol_is_told_in_the_clients_own() -> None:
    for body in (STREAM, {"model": "m"}):
        made = await call(server(lambda: relayed(b"<html>", status=429, protocol="gemini")), body=body)
        assert (made.status, made.json["error"]["message"]) == (429, "upstream said no")


async def test_a_whole_answer_is_asked_for_from_events() -> None:
    make = lambda: evented(START, say("a"), say("b"), FINISH)  # noqa: E731
    made = await call(server(make, new_id=lambda: "i", now=lambda: 5.0))
    assert made.json == {"id": "a", "model": "m", "text": "ab"}
    assert made.headers["content-length"] == str(len(made.body))
    made = await call(server(lambda: evented((*START, *say("a")), StageError("reason"))))
    assert made.status == 502


async def test_a_reply_without_content_is_a_failure() -> None:
    for body in (STREAM, {"model": "m"}):
        made = await call(server(Reply), body=body)
        assert (made.status, made.json["error"]["code"]) == (500, "bad_output")


# ---- silence ------------------------------------------------------------------------------------------------


async def test_the_status_is_held_back_no_longer_than_it_may() -> None:
    for make in (
        lambda go: relayed(go, b"x", headers=SSE),
        lambda go: evented(START, go, (*say("x"), *FINISH)),
    ):
        go = asyncio.Event()
        made = Call()
        task = asyncio.create_task(call(server(partial(make, go), hold_s=0.01), body=STREAM, into=made))
        await made.sent.wait()
        assert made.status == 200
        go.set()
        await task
        assert b"x" in made.body
        assert made.finished


async def test_a_failure_after_the_status_was_sent_in_silence_is_told_in_the_stream() -> None:
    go = asyncio.Event()
    made = Call()
    app = server(lambda: relayed(go, OSError("x"), headers=SSE), hold_s=0.01)
    task = asyncio.create_task(call(app, body=STREAM, into=made))
    await made.sent.wait()
    go.set()
    await task
    assert made.body == event({"error": "turnout: the request failed"})
    assert made.finished


async def test_a_silent_stream_is_kept_alive_between_whole_frames() -> None:
    for make in (
        lambda go: relayed(event({"t": "a"}), go, event({"t": "b"}), headers=SSE),
        lambda go: evented((*START, *say("a")), go, (*say("b"), *FINISH)),
    ):
        go = asyncio.Event()
        made = Call()
        app = server(partial(make, go), keepalive_s=0.01)
        task = asyncio.create_task(call(app, body=STREAM, into=made))
        await until(made, b": keepalive\n\n", 3)
        go.set()
        await task
        frames = made.body.split(b"\n\n")
        assert [frame for frame in frames if b"keepalive" in frame] == [b": keepalive"] * (
            made.body.count(b"keepalive")
        )
        assert (
            frames.index(b'data: {"t": "a"}')
            < frames.index(b": keepalive")
            < frames.index(b'data: {"t": "b"}')
        )
        assert made.finished


async def long_silence() -> None:
    """Waits until another stream, silent as long as this one, was kept alive four times."""
    go = asyncio.Event()
    made = Call()
    app = server(lambda: relayed(b"a\n\n", go, headers=SSE), keepalive_s=0.01)
    task = asyncio.create_task(call(app, body=STREAM, into=made))
    await until(made, b"keepalive", 4)
    go.set()
    await task


async def test_no_keepalive_is_put_inside_a_frame() -> None:
    silent, go = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        await long_silence()
        silent.set()

    pieces = [event({"t": "a"})[:-1], wait, b"\n", go]
    made = Call()
    app = server(lambda: relayed(*pieces, headers=SSE), keepalive_s=0.01)
    task = asyncio.create_task(call(app, body=STREAM, into=made))
    await silent.wait()
    assert b"keepalive" not in made.body
    await until(made, b"keepalive")
    go.set()
    await task
    assert made.body.startswith(event({"t": "a"}) + b": keepalive\n\n")


@pytest.mark.parametrize(
    ("headers", "options"),
    [
        (SSE, {"keepalive_s": 0}),
        (
            Headers.of({"content-type": "text/event-stream", "content-encoding": "gzip"}),
            {"keepalive_s": 0.01},
        ),
        (JSON, {"keepalive_s": 0.01}),
    ],
)
async def test_where_nothing_may_be_put_in_nothing_is(headers: Headers, options: Any) -> None:
    made = await streamed(lambda: relayed(b"a\n\n", long_silence, b"b", headers=headers), **options)
    assert made.body == b"a\n\nb"


# ---- write_response -----------------------------------------------------------------------------------------


async def written(reply: Reply, request: Request | None = None, fail: int = 99) -> Call:
    made = Call()

    async def send(message: Any) -> None:
        if len(made.messages) >= fail:
            raise OSError("the client is gone")
        made.messages.append(message)

    await write_response(reply, send, request, codec=CODEC)
    return made


@pytest.mark.states("P-140", "P-141", "P-147")
async def test_a_response_is_written_as_it_is() -> None:
    reply = relayed(b"a", b"b", status=201, headers=Headers.of({"content-type": "text/x", "x-a": "1"}))
    made = await written(reply)
    assert (made.status, made.pieces) == (201, [b"a", b"b", b""])
    assert made.messages[0]["headers"] == [(b"content-type", b"text/x"), (b"x-a", b"1")]
    assert made.finished


@pytest.mark.states("P-142")
@pytest.mark.parametrize(
    ("status", "sent"),
    [(0, 200), (200, 200), (404, 404), (599, 599), (1, 500), (100, 500), (600, 500), (-1, 500)],
)
async def test_a_missing_status_is_200_and_an_impossible_one_500(status: int, sent: int) -> None:
    made = await written(Reply(status=status, relay=chunks_of(b"x")))
    assert (made.status, made.body, made.finished) == (sent, b"x", True)


@pytest.mark.states("P-143", "P-144")
@pytest.mark.parametrize("fail", [0, 1, 2, 99])
@pytest.mark.parametrize("broken", [False, True])
async def test_a_response_is_closed_and_ends_quietly_whatever_happens(fail: int, broken: bool) -> None:
    spy = Spy()
    reply = relayed(b"a", OSError("x") if broken else b"b", spy=spy)
    made = await written(reply, fail=fail)
    assert spy.closed.is_set()
    assert len(made.messages) == min(fail, 2 if broken else 4)


async def test_a_response_that_fails_before_its_status_is_an_error_without_its_cause() -> None:
    made = await written(relayed(RuntimeError("sk-secret")))
    assert (made.status, made.json["error"]["message"]) == (502, "turnout: the request failed")


async def test_a_response_of_events_is_written_as_the_request_asks() -> None:
    made = await written(Reply.of(Answer(parts=(Text(text="x"),), stop="end")))
    assert made.json["text"] == "x"
    made = await written(evented((*START, *say("a"), *FINISH)), Request(model="m", stream=True))
    assert made.body.endswith(b"data: [DONE]\n\n")
    assert json.loads(made.body.split(b"\n\n")[1][6:]) == {"t": "a"}


async def test_a_broken_stream_carries_no_partial_to_the_client() -> None:
    made = await streamed(lambda: evented((*START, *say("a"), Failed(error=BrokenStream("cut")))))
    assert made.body.endswith(event({"error": "cut"}))
