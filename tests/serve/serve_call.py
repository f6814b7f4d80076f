"""Calls an ASGI app without a network, and serves one on loopback with a real server."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn


class Call:
    """What an app sent for one request."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.gone = asyncio.Event()
        self.sent = asyncio.Event()

    @property
    def status(self) -> int:
        return self.messages[0]["status"]

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.messages[0]["headers"]}

    @property
    def pieces(self) -> list[bytes]:
        return [message["body"] for message in self.messages[1:]]

    @property
    def body(self) -> bytes:
        return b"".join(self.pieces)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def finished(self) -> bool:
        return bool(self.messages) and self.messages[-1].get("more_body") is False


def scope_of(path: str, method: str = "POST", headers: Any = None, **more: Any) -> dict[str, Any]:
    given = {"content-type": "application/json"} if headers is None else headers
    return {
        "type": "http",
        "method": method,
        "path": path,
        "root_path": "",
        "query_string": b"",
        "http_version": "1.1",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        **more,
    }


async def call(
    app: Any,
    path: str = "/v1/chat/completions",
    body: Any = None,
    *,
    method: str = "POST",
    headers: dict[str, str] | None = None,
    pieces: list[bytes] | None = None,
    into: Call | None = None,
    **more: Any,
) -> Call:
    """Call `app` once; after the body, `receive` waits until the call's client is gone."""
    made = into or Call()
    if pieces is None:
        pieces = [body if isinstance(body, bytes) else json.dumps(body or {"model": "m"}).encode()]
    left = list(pieces)

    async def receive() -> Any:
        if left:
            piece = left.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(left)}
        await made.gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        made.messages.append(message)
        made.sent.set()

    await app(scope_of(path, method, headers, **more), receive, send)
    return made


@asynccontextmanager
async def serving(app: Any, **options: Any) -> AsyncGenerator[int]:
    """Serve `app` on a free port of 127.0.0.1; yields the port."""
    config = uvicorn.Config(app, port=0, log_config=None, access_log=False, **options)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server._serve())
    while not server.started:
        if task.done():
            task.result()
        await asyncio.sleep(0.001)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await task


async def raw_post(port: int, body: Any, path: str = "/v1/chat/completions") -> Any:
    """A connection over which a request was sent; gives reader and writer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    writer.write(head.encode() + b"content-length: %d\r\n\r\n" % len(data) + data)
    await writer.drain()
    return reader, writer
