"""A real server on loopback: clients that leave, bodies that are cut, frameworks around it."""

import asyncio
import gc
import json
import logging
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.routing import Mount, Route

from tests.serve.serve_call import raw_post, serving
from tests.serve.serve_fakes import (
    CODEC,
    FINISH,
    JSON,
    SSE,
    START,
    Models,
    Spy,
    event,
    evented,
    relayed,
    replying,
    say,
)
from turnout.model import Limits, Reply, Request
from turnout.serve import Server, chat_completions

WHOLE = {"model": "m"}
STREAM = {"model": "m", "stream": True}


def server(step: Any, **options: Any) -> Server:
    return Server(Models(m=step), codec=lambda _: CODEC, **options)


async def within_100_ms(noticed: asyncio.Event) -> None:
    async with asyncio.timeout(0.1):
        await noticed.wait()


# ---- a client that leaves -----------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [WHOLE, STREAM])
@pytest.mark.states("P-144")
async def test_a_client_that_leaves_before_the_first_byte_cancels_the_step(body: Any) -> None:
    spy = Spy()

    async def step(request: Request) -> Reply:
        await spy.forever()
        raise AssertionError

    async with serving(server(step)) as port:
        _, writer = await raw_post(port, body)
        await spy.running.wait()
        writer.close()
        await within_100_ms(spy.cancelled)


@pytest.mark.parametrize(
    ("body", "make"),
    [
        (STREAM, lambda spy: relayed(event({"t": "a"}), spy.forever, headers=SSE, spy=spy)),
        (STREAM, lambda spy: relayed(spy.forever, headers=SSE, spy=spy)),
        (STREAM, lambda spy: evented((*START, *say("a")), spy.forever, spy=spy)),
        (WHOLE, lambda spy: relayed(b"{", spy.forever, headers=JSON, spy=spy)),
        (WHOLE, lambda spy: evented((*START, *say("a")), spy.forever, spy=spy)),
    ],
)
async def test_a_client_that_leaves_cancels_the_reply_and_closes_it(body: Any, make: Any) -> None:
    spy = Spy()
    async with serving(server(replying(lambda: make(spy)))) as port:
        _, writer = await raw_post(port, body)
        await spy.running.wait()
        writer.close()
        await within_100_ms(spy.cancelled)
        await within_100_ms(spy.closed)


async def test_a_client_that_leaves_after_a_while_is_noticed_as_well() -> None:
    spy = Spy()
    app = server(
        replying(lambda: relayed(event({"t": "a"}), spy.forever, headers=SSE, spy=spy)), keepalive_s=0.01
    )
    async with serving(app) as port:
        reader, writer = await raw_post(port, STREAM)
        await reader.readuntil(b"keepalive")
        writer.close()
        await within_100_ms(spy.cancelled)
        await within_100_ms(spy.closed)


async def test_a_client_that_leaves_is_no_failure_and_nothing_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    heard: list[Any] = []
    spy = Spy()

    async def step(request: Request) -> Reply:
        await spy.forever()
        raise AssertionError

    async with serving(server(step, on_error=lambda error, about: heard.append(error))) as port:
        _, writer = await raw_post(port, WHOLE)
        await spy.running.wait()
        writer.close()
        await spy.cancelled.wait()
    assert not heard
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_client_that_sends_half_a_body_and_leaves_runs_nothing() -> None:
    calls = Spy()

    async def step(request: Request) -> str:
        calls.calls += 1
        return "ok"

    async with serving(server(step)) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
            b'content-length: 100\r\n\r\n{"model":'
        )
        await writer.drain()
        writer.close()
        await writer.wait_closed()
        reader, writer = await raw_post(port, WHOLE)
        await reader.readuntil(b"ok")
        writer.close()
    assert calls.calls == 1


async def test_many_requests_on_one_connection_are_each_answered_and_none_cancelled() -> None:
    async def step(request: Request) -> str:
        await asyncio.sleep(0.045 if request.stream else 0)
        return "ok"

    async with serving(server(step)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for body in [WHOLE, STREAM, WHOLE, STREAM, WHOLE] * 2:
            data = json.dumps(body).encode()
            head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
            writer.write(head + b"content-length: %d\r\n\r\n" % len(data) + data)
            await reader.readuntil(b"[DONE]" if body is STREAM else b'"ok"}')
            if body is STREAM:
                await reader.readuntil(b"0\r\n\r\n")
        writer.close()


async def test_requests_that_are_pipelined_are_answered_in_order() -> None:
    async def step(request: Request) -> str:
        return request.last_user_text

    async with serving(server(step)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for word in ("one", "two", "three"):
            data = json.dumps({"model": "m", "say": word}).encode()
            head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
            writer.write(head + b"content-length: %d\r\n\r\n" % len(data) + data)
        for word in (b'"one"', b'"two"', b'"three"'):
            assert (await reader.readuntil(b"}")).endswith(word + b"}")
        writer.close()


async def test_a_server_that_ends_cancels_what_runs() -> None:
    spy = Spy()

    async def step(request: Request) -> Reply:
        await spy.forever()
        raise AssertionError

    task = asyncio.current_task()
    assert task is not None
    made = asyncio.create_task(
        server(step)(
            {
                "type": "http",
                "method": "POST",
                "path": "/chat/completions",
                "headers": [(b"content-type", b"application/json")],
            },
            _receive_once(b'{"model":"m"}'),
            _no_send,
        )
    )
    await spy.running.wait()
    made.cancel()
    with pytest.raises(asyncio.CancelledError):
        await made
    assert spy.cancelled.is_set()


def _receive_once(body: bytes) -> Any:
    left = [body]

    async def receive() -> Any:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        await asyncio.Event().wait()
        raise AssertionError

    return receive


async def _no_send(message: Any) -> None:
    raise AssertionError


# ---- cuts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [None, 10])
async def test_a_whole_body_that_breaks_cuts_the_connection(length: int | None) -> None:
    step = replying(lambda: relayed(b'{"te', OSError("x"), length=length))
    async with serving(server(step)) as port:
        reader, writer = await raw_post(port, WHOLE)
        data = await reader.read()
        writer.close()
        assert b'{"te' in data
        assert not data.endswith(b"0\r\n\r\n")


async def test_a_stream_that_breaks_is_ended_by_the_error_event() -> None:
    step = replying(lambda: relayed(event({"t": "a"}), OSError("x"), headers=SSE))
    async with serving(server(step)) as port:
        reader, writer = await raw_post(port, STREAM)
        data = await reader.readuntil(b"0\r\n\r\n")
        assert data.count(b'"error"') == 1
        writer.close()


async def test_a_large_body_over_the_limit_is_refused_politely() -> None:
    async with serving(server(replying(lambda: relayed(b"{}")), limits=Limits(request_bytes=1000))) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        writer.write(head + b"content-length: 3000000\r\n\r\n")
        for _ in range(30):
            writer.write(b" " * 100_000)
            await writer.drain()
        assert b" 413 " in await reader.readline()
        writer.close()


# ---- inside frameworks --------------------------------------------------------------------------------------


@pytest.mark.states("P-136")
@pytest.mark.parametrize("framework", [Starlette, FastAPI])
async def test_it_is_mounted_under_a_prefix(framework: Any) -> None:
    inner = server(replying(lambda: evented((*START, *say("hi")), FINISH)))
    app = framework(routes=[Mount("/ai", app=inner)], lifespan=inner.lifespan)
    handler = chat_completions(replying(lambda: relayed(b'{"h":1}')), codec=CODEC)
    app.router.routes.append(Route("/v1/chat/completions", endpoint=handler))
    async with serving(app) as port:
        for path, body, found in (
            ("/ai/v1/chat/completions", STREAM, b"[DONE]"),
            ("/ai/chat/completions", WHOLE, b'"hi"'),
            ("/v1/chat/completions", WHOLE, b'{"h":1}'),
            ("/ai/other", WHOLE, b"not_found"),
        ):
            reader, writer = await raw_post(port, body, path)
            assert found in await reader.readuntil(found)
            writer.close()
    assert not await inner.ready()


class PassOn(BaseHTTPMiddleware):
    async def dispatch(self, request: Any, call_next: Any) -> Any:
        return await call_next(request)


async def test_leaving_is_noticed_through_a_frameworks_middleware() -> None:
    spy = Spy()
    inner = server(
        replying(lambda: relayed(event({"t": "a"}), spy.forever, headers=SSE, spy=spy)),
    )
    app = Starlette(routes=[Mount("/ai", app=inner)], middleware=[Middleware(PassOn)])
    async with serving(app) as port:
        reader, writer = await raw_post(port, STREAM, "/ai/v1/chat/completions")
        await reader.readuntil(b'"a"}')
        writer.close()
        await within_100_ms(spy.closed)


async def test_a_whole_answer_passes_a_frameworks_middleware() -> None:
    app = Starlette(
        routes=[Mount("/ai", app=server(replying(lambda: relayed(b"{}"))))], middleware=[Middleware(PassOn)]
    )
    async with serving(app) as port:
        for _ in range(3):
            reader, writer = await raw_post(port, WHOLE, "/ai/v1/chat/completions")
            assert (await reader.readuntil(b"{}")).startswith(b"HTTP/1.1 200")
            writer.close()


# ---- nothing is left ----------------------------------------------------------------------------------------


async def test_requests_and_leaving_clients_leave_nothing_behind() -> None:
    replies: list[Reply] = []

    async def step(request: Request) -> Reply:
        reply = evented((*START, *say("a")), asyncio.Event() if request.stream else (), FINISH)
        replies.append(reply)
        return reply

    async with serving(server(step)) as port:
        before = len(asyncio.all_tasks())
        for body in [WHOLE, STREAM] * 10:
            reader, writer = await raw_post(port, body)
            await reader.readuntil(b'"a"')
            writer.close()
            await writer.wait_closed()
        async with asyncio.timeout(1):
            while len(asyncio.all_tasks()) > before:  # noqa: ASYNC110 -- there is no event for "no task is left"
                await asyncio.sleep(0)
    gc.collect()
    assert len(replies) == 20
    assert all(reply.closed for reply in replies)
