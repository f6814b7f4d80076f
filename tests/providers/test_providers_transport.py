"""The transport over aiohttp against real loopback servers."""

import asyncio
import gzip
import subprocess
import sys
import time
from typing import Any

import pytest
from upstream import Call, Wire, runs, script_of, stalled, upstream, whole

from turnout.model.errors import BrokenStream, Misconfigured, ProviderError
from turnout.providers import HttpTransport


async def everything(response: Any) -> bytes:
    out = b""
    while data := await response.read():
        out += data
    return out


@runs
async def test_a_whole_body_comes_back_as_sent_with_status_headers_and_length():
    async with upstream(whole(207, b"hello", [("X-One", "a"), ("X-One", "b")])) as up:
        transport = HttpTransport()
        response = await transport.send("POST", up.url + "/x?a=%2F&b=c+d", [("x-h", "v")], b"body")
        assert (response.status, response.length) == (207, 5)
        assert [pair for pair in response.headers if pair[0].lower() == b"x-one"] == [
            (b"X-One", b"a"),
            (b"X-One", b"b"),
        ]
        assert await everything(response) == b"hello"
        assert response.ended
        assert up.last.target == "/v1/x?a=%2F&b=c+d"
        assert (up.last.method, up.last.body, up.last.headers["x-h"]) == ("POST", b"body", "v")
        response.close()
        await transport.aclose()


@runs
async def test_connections_are_kept_and_used_again():
    async with upstream(whole(200, b"ok")) as up:
        transport = HttpTransport()
        for _ in range(5):
            response = await transport.send("POST", up.url, [], b"x")
            await everything(response)
            response.close()
        assert (up.connections, len(up.calls)) == (1, 5)
        await transport.aclose()
        await up.all_closed.wait()


@runs
async def test_each_call_to_one_address_says_what_it_was_given_whatever_the_one_before_it_said():
    async with upstream(whole(200, b"ok")) as up:
        transport = HttpTransport()
        said = [
            ("POST", "1", b"a"),
            ("POST", "2", b"a"),
            ("POST", "2", b"long"),
            ("GET", "2", b""),
            ("PUT", "", b""),
        ]
        for method, value, body in (*said, *reversed(said)):
            response = await transport.send(method, up.url, [("x-h", value)] if value else [], body)
            await everything(response)
            response.close()
            assert (up.last.method, up.last.body, up.last.headers.get("x-h", "")) == (method, body, value)
        with pytest.raises(Misconfigured):
            await transport.send("POST", up.url, [("x-h", "1\r\nx: 2")], b"")
        await transport.aclose()


@runs
@pytest.mark.parametrize("size", [0, 1, 100_000, 1_000_000])
async def test_a_connection_closes_whatever_was_sent_over_it(size: int):
    """On asyncio's own loop a connection does not close any more once nothing was among the pieces of one write."""
    async with upstream(whole(200, b"ok")) as up:
        transport = HttpTransport()
        response = await transport.send("POST", up.url, [], b"x" * size)
        assert await everything(response) == b"ok"
        response.close()
        assert up.last.body == b"x" * size
        await transport.aclose()
        await up.all_closed.wait()


@runs
async def test_each_read_gives_what_has_come_without_waiting_for_more():
    release = asyncio.Event()

    async def script(_: Call, wire: Wire) -> None:
        await wire.head(200, {"transfer-encoding": "chunked"})
        await wire.chunk(b"one")
        await release.wait()
        await wire.chunk(b"two")
        await wire.end()

    async with upstream(script) as up:
        transport = HttpTransport()
        response = await transport.send("POST", up.url, [], b"")
        assert response.length is None
        assert await response.read() == b"one"
        release.set()
        assert await everything(response) == b"two"
        await transport.aclose()


@runs
async def test_compressed_bytes_are_not_touched():
    packed = gzip.compress(b"plain text " * 50)
    async with upstream(whole(200, packed, {"content-encoding": "gzip"})) as up:
        transport = HttpTransport()
        response = await transport.send("POST", up.url, [("accept-encoding", "gzip")], b"")
        assert await everything(response) == packed
        await transport.aclose()


@runs
async def test_cookies_are_neither_kept_nor_sent():
    async with upstream(whole(200, b"ok", {"set-cookie": "session=1; Path=/"})) as up:
        transport = HttpTransport()
        for _ in range(2):
            await everything(await transport.send("POST", up.url, [], b""))
        assert all("cookie" not in call.headers for call in up.calls)
        await transport.aclose()


@runs
async def test_a_redirect_is_an_answer_like_any_other():
    async with upstream(whole(307, b"", {"location": "/elsewhere"})) as up:
        transport = HttpTransport()
        response = await transport.send("POST", up.url, [], b"secret")
        assert response.status == 307
        assert len(up.calls) == 1
        response.close()
        await transport.aclose()


async def cut_length(_: Call, wire: Wire) -> None:
    await wire.head(200, {"content-length": "100"})
    await wire.raw(b"half")
    wire.close()


async def cut_chunks(_: Call, wire: Wire) -> None:
    await wire.head(200, {"transfer-encoding": "chunked"})
    await wire.chunk(b"half")
    wire.close()


async def cut_inside_a_chunk(_: Call, wire: Wire) -> None:
    await wire.head(200, {"transfer-encoding": "chunked"})
    await wire.raw(b"ff\r\nhalf")
    wire.close()


async def reset_chunks(_: Call, wire: Wire) -> None:
    await wire.head(200, {"transfer-encoding": "chunked"})
    await wire.chunk(b"half")
    wire.reset()


async def reset_until_close(_: Call, wire: Wire) -> None:
    await wire.head(200, {"connection": "close"})
    await wire.raw(b"half")
    await asyncio.sleep(0.05)  # the bytes must be on their way before the reset overtakes them
    wire.reset()


@pytest.mark.states("T-061")
@pytest.mark.parametrize(
    "script", [cut_length, cut_chunks, cut_inside_a_chunk, reset_chunks, reset_until_close]
)
def test_a_body_that_was_cut_never_ends_quietly(script: Any):
    @runs
    async def check() -> None:
        async with upstream(script) as up:
            transport = HttpTransport()
            response = await transport.send("POST", up.url, [], b"")
            with pytest.raises(BrokenStream):
                await everything(response)
            await transport.aclose()

    check()


@runs
async def test_a_body_that_only_the_end_of_the_connection_delimits_is_whole():
    async def script(_: Call, wire: Wire) -> None:
        await wire.head(200, {"connection": "close"})
        await wire.raw(b"all of it")
        wire.close()

    async with upstream(script) as up:
        transport = HttpTransport()
        response = await transport.send("POST", up.url, [], b"")
        assert await everything(response) == b"all of it"
        await transport.aclose()


@pytest.mark.states("T-006")
@runs
async def test_being_cancelled_before_the_headers_cuts_the_connection_within_100_ms():
    script, came, gone = stalled()
    async with upstream(script) as up:
        transport = HttpTransport()
        task = asyncio.create_task(transport.send("POST", up.url, [], b"x"))
        await came.wait()
        begun = time.monotonic()
        task.cancel()
        async with asyncio.timeout(0.1):
            await gone.wait()
        assert time.monotonic() - begun < 0.1
        with pytest.raises(asyncio.CancelledError):
            await task
        await transport.aclose()


@pytest.mark.states("T-006")
@runs
async def test_a_response_closed_inside_its_body_cuts_the_connection_within_100_ms():
    script, came, gone = stalled(after=b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf")
    async with upstream(script) as up:
        transport = HttpTransport()
        response = await transport.send("POST", up.url, [], b"x")
        assert await response.read() == b"half"
        await came.wait()
        response.close()
        async with asyncio.timeout(0.1):
            await gone.wait()
        assert up.connections == 1
        with pytest.raises(BrokenStream):
            await response.read()
        await transport.aclose()


@runs
async def test_a_body_that_is_still_being_sent_does_not_keep_a_cancelled_connection_open():
    came, gone = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        reader._transport.pause_reading()  # type: ignore[attr-defined]
        came.set()
        await asyncio.sleep(0.05)
        reader._transport.resume_reading()  # type: ignore[attr-defined]
        try:
            while await reader.read(1 << 20):
                pass
        except ConnectionError:
            pass
        gone.set()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    transport = HttpTransport()
    task = asyncio.create_task(
        transport.send("POST", f"http://127.0.0.1:{port}/", [], bytes(24 * 1024 * 1024))
    )
    await came.wait()
    task.cancel()
    async with asyncio.timeout(1):
        await gone.wait()
    await asyncio.gather(task, return_exceptions=True)
    await transport.aclose()
    server.close()


@runs
async def test_a_read_that_is_given_up_loses_nothing():
    release = asyncio.Event()

    async def script(_: Call, wire: Wire) -> None:
        await wire.head(200, {"transfer-encoding": "chunked"})
        await release.wait()
        await wire.chunk(b"late")
        await wire.end()

    async with upstream(script) as up:
        transport = HttpTransport()
        response = await transport.send("POST", up.url, [], b"")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await response.read()
        release.set()
        assert await everything(response) == b"late"
        await transport.aclose()


@pytest.mark.states("T-072")
@runs
async def test_headers_that_come_too_late_are_a_timeout():
    script, _, gone = stalled()
    async with upstream(script) as up:
        transport = HttpTransport(first_byte_s=0.05)
        with pytest.raises(ProviderError) as caught:
            await transport.send("POST", up.url, [], b"")
        assert (caught.value.kind, caught.value.status, caught.value.retryable) == ("timeout", 504, True)
        await gone.wait()
        await transport.aclose()


@runs
async def test_a_silent_body_is_a_timeout_and_its_connection_is_cut():
    script, _, gone = stalled(after=b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf")
    async with upstream(script) as up:
        transport = HttpTransport(idle_s=0.05)
        response = await transport.send("POST", up.url, [], b"")
        assert await response.read() == b"half"
        with pytest.raises(ProviderError) as caught:
            await response.read()
        assert (caught.value.kind, caught.value.status) == ("timeout", 504)
        await gone.wait()
        await transport.aclose()


@runs
async def test_time_that_the_reader_takes_is_not_the_providers_silence():
    async def script(_: Call, wire: Wire) -> None:
        await wire.head(200, {"transfer-encoding": "chunked"})
        for _turn in range(3):
            await wire.chunk(b"x")
        await asyncio.sleep(0.2)
        await wire.end()

    async with upstream(script) as up:
        transport = HttpTransport(idle_s=0.15)
        response = await transport.send("POST", up.url, [], b"")
        await response.read()
        await asyncio.sleep(0.19)  # longer than idle_s, but nobody was reading
        assert set(await everything(response)) <= set(b"x")
        await transport.aclose()


@pytest.mark.states("T-072", "T-075")
@runs
async def test_nobody_listening_is_an_error_with_its_cause():
    async with upstream(whole(200, b"")) as up:
        port = up.port
    transport = HttpTransport()
    with pytest.raises(ProviderError) as caught:
        await transport.send("POST", f"http://127.0.0.1:{port}/", [], b"")
    error = caught.value
    assert (error.kind, error.status, error.status_code, error.retryable) == ("provider", 502, None, True)
    assert isinstance(error.__cause__, OSError)
    assert str(port) not in str(error)
    await transport.aclose()


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 20"])
def test_no_answer_in_http_is_an_error(answer: bytes):
    async def script(_: Call, wire: Wire) -> None:
        await wire.raw(answer)
        wire.close()

    @runs
    async def check() -> None:
        async with upstream(script) as up:
            transport = HttpTransport()
            with pytest.raises(ProviderError) as caught:
                await transport.send("POST", up.url, [], b"")
            assert (caught.value.kind, caught.value.status) == ("provider", 502)
            assert len(up.calls) == 1
            await transport.aclose()

    check()


@runs
async def test_no_more_connections_are_open_than_allowed():
    busy = 0
    most = 0

    async def script(_: Call, wire: Wire) -> None:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0.005)
        busy -= 1
        await wire.whole(200, b"ok")

    async with upstream(script) as up:
        transport = HttpTransport(connections=2)

        async def one() -> bytes:
            return await everything(await transport.send("POST", up.url, [], b""))

        assert await asyncio.gather(*(one() for _ in range(10))) == [b"ok"] * 10
        assert most == 2
        assert up.connections <= 2
        await transport.aclose()


@runs
async def test_a_big_body_arrives_whole():
    data = bytes(range(256)) * 20_000
    async with upstream(whole(200, b"ok")) as up:
        transport = HttpTransport()
        await everything(await transport.send("POST", up.url, [("content-type", "application/json")], data))
        assert up.last.body == data
        assert up.last.headers["content-length"] == str(len(data))
        assert up.last.headers["content-type"] == "application/json"
        await transport.aclose()


@runs
async def test_a_slow_reader_holds_the_sender_back():
    sent = 0

    async def script(_: Call, wire: Wire) -> None:
        nonlocal sent
        await wire.head(200, {"transfer-encoding": "chunked"})
        for _turn in range(400):
            await wire.chunk(bytes(100_000))
            sent += 1
        await wire.end()

    async with upstream(script) as up:
        transport = HttpTransport()
        response = await transport.send("POST", up.url, [], b"")
        await response.read()
        await asyncio.sleep(0.1)
        assert sent < 300
        response.close()
        await transport.aclose()


@runs
async def test_a_proxy_gets_the_whole_address_and_its_own_credentials():
    async with upstream(whole(200, b"via")) as proxy:
        transport = HttpTransport(proxy=f"http://me:word@127.0.0.1:{proxy.port}")
        response = await transport.send("POST", "http://models.invalid/v1/x", [], b"b")
        assert await everything(response) == b"via"
        assert proxy.last.target == "http://models.invalid/v1/x"
        assert proxy.last.headers["proxy-authorization"].startswith("Basic ")
        assert "word" not in repr(transport)
        await transport.aclose()


@runs
async def test_a_proxy_that_is_away_is_named_without_its_credentials():
    async with upstream(whole(200, b"")) as gone:
        port = gone.port
    transport = HttpTransport(proxy=f"http://me:hunter2@127.0.0.1:{port}")
    with pytest.raises(ProviderError) as caught:
        await transport.send("POST", "http://models.invalid/v1/x", [], b"b")
    assert "hunter2" not in f"{caught.value}{caught.value.__cause__}{caught.value.__cause__!r}"
    await transport.aclose()


@pytest.mark.parametrize("options", [{"proxy": "socks5://x"}, {"proxy": "nothing"}, {"ca_file": "/no/such"}])
def test_options_that_cannot_work_are_named(options: dict[str, Any]):
    with pytest.raises(Misconfigured) as caught:
        HttpTransport(**options)
    assert next(iter(options)) in str(caught.value)


@runs
async def test_a_header_that_would_break_the_call_is_refused():
    async with upstream(whole(200, b"")) as up:
        transport = HttpTransport()
        with pytest.raises(Misconfigured):
            await transport.send("POST", up.url, [("x-a", "b\r\nx-c: d")], b"")
        assert up.calls == []
        await transport.aclose()


def test_a_transport_serves_one_event_loop_after_another():
    transport = HttpTransport()

    @runs
    async def once() -> None:
        async with upstream(whole(200, b"ok")) as up:
            assert await everything(await transport.send("POST", up.url, [], b"")) == b"ok"
            await transport.aclose()

    once()
    once()


@runs
async def test_many_calls_and_departures_leave_nothing_open():
    ready = asyncio.Event()

    async def never(_: Call, wire: Wire) -> None:
        ready.set()
        await wire.client_gone()

    async with upstream(script_of(whole(200, b"ok"), never)) as up:
        transport = HttpTransport(connections=20)
        await everything(await transport.send("POST", up.url, [], b""))
        before = len(asyncio.all_tasks())
        for _ in range(10):
            ready.clear()
            tasks = [asyncio.create_task(transport.send("POST", up.url, [], b"")) for _ in range(10)]
            await ready.wait()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        await transport.aclose()
        await up.all_closed.wait()
        assert up.open == 0
        assert len(asyncio.all_tasks()) <= before


def test_the_network_library_is_loaded_by_the_first_call_only():
    code = (
        "import sys, turnout.providers as p; p.provider; p.PRESETS;"
        "assert 'aiohttp' not in sys.modules and 'turnout.wire' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
