"""A scripted HTTP/1.1 server on loopback that can misbehave in every way a provider can.

A script is an async function that gets the call and the wire, and writes what it likes. The server counts
connections and says when a client has gone.
"""

import asyncio
import json
import socket
import ssl
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

Script = Callable[["Call", "Wire"], Awaitable[None]]


@dataclass
class Call:
    method: str
    target: str
    raw_headers: list[tuple[str, str]]
    body: bytes = b""

    @property
    def headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.raw_headers}

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Wire:
    """What a script writes with."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.keep = True

    async def raw(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def head(self, status: int, headers: dict[str, str] | list[tuple[str, str]]) -> None:
        pairs = headers.items() if isinstance(headers, dict) else headers
        lines = [f"HTTP/1.1 {status} Word", *(f"{name}: {value}" for name, value in pairs)]
        await self.raw(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))

    async def whole(
        self, status: int, body: bytes, headers: dict[str, str] | list[tuple[str, str]] | None = None
    ) -> None:
        pairs = list(headers.items()) if isinstance(headers, dict) else list(headers or [])
        await self.head(status, [*pairs, ("content-length", str(len(body)))])
        await self.raw(body)

    async def chunk(self, data: bytes) -> None:
        await self.raw(b"%x\r\n%s\r\n" % (len(data), data))

    async def end(self) -> None:
        await self.raw(b"0\r\n\r\n")

    async def sse(self, *events: bytes, headers: dict[str, str] | None = None, end: bool = True) -> None:
        await self.head(
            200, {"content-type": "text/event-stream", "transfer-encoding": "chunked", **(headers or {})}
        )
        for event in events:
            await self.chunk(event)
        if end:
            await self.end()

    def close(self) -> None:
        self.keep = False
        self._writer.close()

    def reset(self) -> None:
        """End the connection with a TCP reset."""
        self.keep = False
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def client_gone(self) -> None:
        """Wait until the client has closed its side."""
        self.keep = False
        try:
            while await self._reader.read(65_536):
                pass
        except ConnectionError:
            pass


@dataclass
class Upstream:
    script: Script
    calls: list[Call] = field(default_factory=list)
    connections: int = 0
    open: int = 0
    port: int = 0
    tls: bool = False
    all_closed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.all_closed.set()

    @property
    def origin(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return self.origin + "/v1"

    @property
    def last(self) -> Call:
        return self.calls[-1]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        self.all_closed.clear()
        wire = Wire(reader, writer)
        try:
            while wire.keep and (call := await _read(reader)) is not None:
                self.calls.append(call)
                await self.script(call, wire)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            self.open -= 1
            if self.open == 0:
                self.all_closed.set()


async def _read(reader: asyncio.StreamReader) -> Call | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ", 2)
    pairs = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    call = Call(method, target, pairs)
    if length := int(call.headers.get("content-length", "0")):
        call.body = await reader.readexactly(length)
    return call


@asynccontextmanager
async def upstream(script: Script, *, tls: ssl.SSLContext | None = None) -> AsyncGenerator[Upstream]:
    """A server that runs `script` for every call."""
    up = Upstream(script, tls=tls is not None)
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await up.serve(reader, writer)
        except asyncio.CancelledError:
            pass
        finally:
            tasks.discard(task)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls, limit=1 << 20)
    up.port = server.sockets[0].getsockname()[1]
    try:
        yield up
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def script_of(*answers: Script) -> Script:
    """The answers in turn; the last one repeats."""
    turn = 0

    async def run(call: Call, wire: Wire) -> None:
        nonlocal turn
        answer = answers[min(turn, len(answers) - 1)]
        turn += 1
        await answer(call, wire)

    return run


def whole(status: int, body: bytes, headers: dict[str, str] | list[tuple[str, str]] | None = None) -> Script:
    async def run(_: Call, wire: Wire) -> None:
        await wire.whole(status, body, headers)

    return run


def as_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Script:
    return whole(status, json.dumps(value).encode(), {"content-type": "application/json", **(headers or {})})


def sse(*events: bytes, headers: dict[str, str] | None = None) -> Script:
    async def run(_: Call, wire: Wire) -> None:
        await wire.sse(*events, headers=headers)

    return run


def stalled(*, after: bytes = b"") -> tuple[Script, asyncio.Event, asyncio.Event]:
    """A script that answers `after` and then nothing; events: the call has come, the client has gone."""
    came, gone = asyncio.Event(), asyncio.Event()

    async def run(_: Call, wire: Wire) -> None:
        if after:
            await wire.raw(after)
        came.set()
        await wire.client_gone()
        gone.set()

    return run, came, gone


def runs(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an async test in a loop of its own, bounded."""

    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        async def bounded() -> None:
            async with asyncio.timeout(10):
                await test(*args, **kwargs)

        asyncio.run(bounded())

    return run
