"""A server that ends: what it tells the requests for which it no longer waits."""

import asyncio
from typing import Any

import pytest

from tests.serve.serve_call import Call, call
from turnout import App
from turnout.model import Reply, Request
from turnout.serve.ending import Ending


async def cancelled(app: Any, into: Call, begun: asyncio.Event, **more: Any) -> Call:
    """A call whose task is cancelled once `begun` is set."""
    task = asyncio.ensure_future(call(Ending(app), into=into, **more))
    await begun.wait()
    task.cancel()
    return await task


def waiting(begun: asyncio.Event) -> App:
    async def wait(request: Request) -> Reply:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    app = App()
    app.reason_with(wait)
    return app


@pytest.mark.parametrize("stream", [False, True])
async def test_a_request_without_an_answer_is_told_that_the_server_ends(stream: bool) -> None:
    begun = asyncio.Event()
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": stream}
    made = await cancelled(waiting(begun), Call(), begun, body=body)
    assert (made.status, made.json["error"]["code"], made.finished) == (503, "shutting_down", True)
    assert made.headers["x-should-retry"] == "false"
    assert made.headers["connection"] == "close"


async def test_an_answer_that_has_begun_is_cut_and_does_not_look_finished() -> None:
    begun = asyncio.Event()
    made = Call()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"half", "more_body": True})
        begun.set()
        await asyncio.Event().wait()

    async def strict(scope: Any, receive: Any, send: Any) -> None:
        async def once(message: Any) -> None:
            if message["type"] == "http.response.start" and made.messages:
                raise RuntimeError("the response has started")  # as servers do
            await send(message)

        await Ending(app)(scope, receive, once)

    task = asyncio.ensure_future(call(strict, into=made))
    await begun.wait()
    task.cancel()
    await task
    assert (made.status, made.body, made.finished) == (200, b"half", False)


async def test_what_is_no_request_ends_as_cancelled() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await Ending(app)({"type": "lifespan"}, None, None)  # type: ignore[arg-type]
