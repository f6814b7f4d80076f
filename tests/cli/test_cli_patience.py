"""Connections that never come to the point: `turnout serve` lets go of them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

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
