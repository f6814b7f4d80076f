"""Connections that never come to the point: `turnout serve` lets go of them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from tests.serve.serve_fakes import Models
from turnout.cli.listen import listening
from turnout.cli.patience import Patience
from turnout.serve import Server

HEAD = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n"


class Hasty(Patience):
    head_s = 0.1


class Sparing(Patience):
    head_bytes = 10_000


@asynccontextmanager
async def connected(
    http: type[Patience] = Hasty,
) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    async with listening(Server(Models()), "127.0.0.1", 0, http=http) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            yield reader, writer
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def until_closed(reader: asyncio.StreamReader) -> bytes:
    """What came before the connection ended; one that is closed with bytes unread may end in a reset."""
    try:
        return await reader.read()
    except ConnectionError:
        return b""


async def answer(reader: asyncio.StreamReader) -> bytes:
    await reader.readuntil(b"\r\n\r\n")
    return await reader.readexactly(len(b'{"status":"ok"}'))


@pytest.mark.parametrize("sent", [b"", b"GET", HEAD])
async def test_a_connection_without_a_whole_head_is_closed(sent: bytes) -> None:
    async with connected() as (reader, writer):
        writer.write(sent)
        assert await until_closed(reader) == b""


async def test_a_connection_that_sends_its_head_byte_by_byte_is_closed_as_well() -> None:
    async with connected() as (reader, writer):
        writer.write(HEAD + b"x-slow: ")
        closed = asyncio.ensure_future(until_closed(reader))
        while not closed.done():
            writer.write(b"x")
            await asyncio.wait([closed], timeout=0.02)
        assert await closed == b""


async def test_a_second_head_that_does_not_end_is_not_waited_for_either() -> None:
    async with connected() as (reader, writer):
        writer.write(HEAD + b"\r\n")
        assert await answer(reader) == b'{"status":"ok"}'
        writer.write(HEAD)
        assert await until_closed(reader) == b""


async def test_a_connection_that_is_used_stays() -> None:
    async with connected() as (reader, writer):
        clock = asyncio.get_running_loop().time
        end = clock() + 4 * Hasty.head_s
        while clock() < end:
            writer.write(HEAD + b"\r\n")
            assert await answer(reader) == b'{"status":"ok"}'


async def test_a_head_without_end_is_refused() -> None:
    async with connected(Sparing) as (reader, writer):
        writer.write(HEAD)
        with suppress(ConnectionError):
            while not writer.is_closing():
                writer.write(b"x-more: %b\r\n" % (b"y" * 1_000))
                await writer.drain()
        said = await until_closed(reader)
        assert said == b"" or said.startswith(b"HTTP/1.1 400 ")


CHUNKED = (
    b"POST /v1/chat/completions HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
)


@pytest.mark.parametrize("line", [b"x-1: " + b"v" * 1_000 + b"\r\n", b"v" * 1_000], ids=["lines", "one line"])
async def test_fields_after_a_body_do_not_go_on_for_ever(line: bytes) -> None:
    async with connected(Sparing) as (reader, writer):
        writer.write(CHUNKED + b"x-0: ")
        closed = asyncio.ensure_future(until_closed(reader))
        sent = 0
        while not closed.done() and sent < 100 * Sparing.head_bytes:
            writer.write(line)
            sent += len(line)
            await asyncio.sleep(0)
        await closed
        assert sent < 100 * Sparing.head_bytes


async def test_fields_after_a_body_are_let_fall() -> None:
    heads: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["more_body"]:
            pass
        heads.append(scope["headers"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async with listening(app, "127.0.0.1", 0, lifespan="off") as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(CHUNKED + b"x-late: 1\r\n\r\n" + HEAD + b"\r\n")
        for _ in range(2):
            assert b" 204 " in await reader.readuntil(b"\r\n\r\n")
        writer.close()
    assert [name for name, _ in heads[0]] == [b"host", b"transfer-encoding"]
    assert [name for name, _ in heads[1]] == [b"host"]


async def test_a_client_that_asked_twice_and_leaves_is_told_of_to_the_request_that_runs() -> None:
    left = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        left.set()

    async with listening(app, "127.0.0.1", 0, lifespan="off") as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write((HEAD + b"\r\n") * 2)
        await writer.drain()
        await asyncio.sleep(0)
        writer.transport.abort()
        async with asyncio.timeout(5):
            await left.wait()


async def test_garbage_behind_a_request_does_not_take_its_head_away(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    async with listening(app, "127.0.0.1", 0, lifespan="off") as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HEAD / HTTP/1.1\r\nhost: h\r\n\r\n\x00\x01garbage\r\n\r\n")
        assert (await until_closed(reader)).startswith(b"HTTP/1.1 ")
        writer.close()
    assert "Traceback" not in capfd.readouterr().err
