"""What the server itself costs per request: CPU and memory of the ASGI callable, without any network.

Run: `python benchmarks/serve.py [seconds]`. The step answers at once with relayed bytes, and the codec is one whose
verbs do nothing, so that what is left is the endpoint, the exchange and the writer. A stream is 23 reads.
"""

import sys
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable
from typing import Any

import uvloop

from turnout.model import Context, Headers, Info, Reply, Request
from turnout.serve import Server

HEADERS = [
    (b"host", b"127.0.0.1:8787"),
    (b"accept", b"application/json"),
    (b"accept-encoding", b"gzip, deflate"),
    (b"connection", b"keep-alive"),
    (b"user-agent", b"OpenAI/Python"),
    (b"content-type", b"application/json"),
    (b"authorization", b"Bearer x"),
    (b"x-stainless-retry-count", b"0"),
    (b"content-length", b"600"),
]
SCOPE: dict[str, Any] = {
    "type": "http",
    "method": "POST",
    "path": "/v1/chat/completions",
    "root_path": "",
    "query_string": b"",
    "headers": HEADERS,
}
BODY = b'{"model":"m","messages":[{"role":"user","content":"' + b"x" * 540 + b'"}]}'
JSON = Headers.of({"content-type": "application/json", "x-request-id": "r", "openai-version": "1"})
SSE = Headers.of({"content-type": "text/event-stream", "x-request-id": "r", "openai-version": "1"})
ANSWER = b"{" + b" " * 400 + b"}"
EVENT = b'data: {"choices":[{"delta":{"content":"some words"}}]}\n\n'


class NoCodec:
    """The verbs that a relay needs, doing nothing."""

    protocol = "openai-chat"
    request_id = "x-request-id"

    def peek(self, source: Any) -> tuple[str, bool]:
        return "m", False

    def decode_request(self, source: Any) -> Any:
        raise AssertionError("a relay decodes nothing")

    def keepalive(self) -> bytes:
        return b": keepalive\n\n"


class Pieces:
    """Bytes that are all there."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.left = iter(pieces)

    def __aiter__(self) -> "Pieces":
        return self

    async def __anext__(self) -> bytes:
        for piece in self.left:
            return piece
        raise StopAsyncIteration


def whole() -> AsyncIterator[bytes]:
    return Pieces([ANSWER])


def stream() -> AsyncIterator[bytes]:
    return Pieces([EVENT] * 23)


def relaying(make: Callable[[], AsyncIterator[bytes]], headers: Headers, length: int | None) -> Any:
    async def step(request: Request) -> Reply:
        return Reply.relayed(200, headers, make(), "openai-chat", _no_decoder, length=length)

    return step


def _no_decoder() -> Any:
    raise AssertionError("a relay decodes nothing")


class One:
    """A catalog of one step."""

    def __init__(self, step: Any) -> None:
        self.loaded = (step, Info(unlimited=True))

    async def list(self, context: Context) -> dict[str, Info]:
        return {}

    async def load(self, target: str, context: Context) -> Any:
        return self.loaded


async def send(sent: Any) -> None:
    """Take what is sent, which must be an answer."""
    if sent.get("status", 200) != 200:
        raise AssertionError("what is measured fails")


async def cost(app: Any, seconds: float) -> float:
    """CPU microseconds per call of `app`."""
    message = {"type": "http.request", "body": BODY, "more_body": False}

    async def receive() -> Any:
        return message

    calls = 0
    end = time.process_time() + seconds
    began = time.process_time()
    while time.process_time() < end:
        for _ in range(500):
            await app(dict(SCOPE), receive, send)
        calls += 500
    return (time.process_time() - began) / calls * 1e6


async def memory(app: Any) -> float:
    """Bytes that one call of `app` holds at its highest."""

    async def receive() -> Any:
        return {"type": "http.request", "body": BODY, "more_body": False}

    await app(dict(SCOPE), receive, send)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    await app(dict(SCOPE), receive, send)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most - before


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    """The least that an app can do: the floor of the measurement."""
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": ANSWER, "more_body": False})


def apps() -> dict[str, Any]:
    """What is measured, by name."""

    def server(step: Any) -> Server:
        return Server(One(step), codec=lambda _: NoCodec())  # type: ignore[arg-type, return-value]

    return {
        "floor (no server)": nothing,
        "whole, length known": server(relaying(whole, JSON, len(ANSWER))),
        "whole, length unknown": server(relaying(whole, JSON, None)),
        "stream of 23 reads": server(relaying(stream, SSE, None)),
    }


async def measured(seconds: float) -> AsyncIterator[tuple[str, float, float]]:
    """Name, CPU in microseconds and bytes at the most, for each of `apps`."""
    for name, app in apps().items():
        await cost(app, min(0.1, seconds))
        yield name, min([await cost(app, seconds / 3) for _ in range(3)]), await memory(app)


async def main(seconds: float) -> None:
    """Print the table."""
    async for name, best, most in measured(seconds):
        print(f"{name:24} {best:7.2f} us {most:8.0f} B")


if __name__ == "__main__":
    uvloop.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0))
