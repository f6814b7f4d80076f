"""Heads and bodies go out in order, and a head never waits for a body that is not there yet."""

import asyncio
from typing import Any

from turnout.cli.listen import listening


async def test_an_application_that_waits_after_its_head_has_sent_it() -> None:
    go_on = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await go_on.wait()
        await send({"type": "http.response.body", "body": b"ok"})

    async with listening(app, "127.0.0.1", 0, lifespan="off") as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        go_on.set()
        assert await reader.readexactly(2) == b"ok"
        writer.close()


async def test_heads_without_bodies_and_requests_that_follow_at_once_are_answered_in_order() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = scope["path"].encode()
        headers = [(b"content-length", b"%d" % len(body)), (b"x-method", scope["method"].encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async with listening(app, "127.0.0.1", 0, lifespan="off") as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        asked = [(b"HEAD", b"/1"), (b"GET", b"/2"), (b"HEAD", b"/3"), (b"GET", b"/4")]
        writer.write(b"".join(b"%s %s HTTP/1.1\r\nhost: localhost\r\n\r\n" % each for each in asked))
        for method, path in asked:
            assert b"x-method: " + method in await reader.readuntil(b"\r\n\r\n")
            if method == b"GET":
                assert await reader.readexactly(2) == path
        writer.close()


async def test_who_asks_whether_to_go_on_is_told_before_the_body_comes() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = (await receive())["body"]
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        await send({"type": "http.response.body", "body": body})

    async with listening(app, "127.0.0.1", 0, lifespan="off") as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST / HTTP/1.1\r\nhost: h\r\nexpect: 100-continue\r\ncontent-length: 4\r\n\r\n")
        assert b"100 Continue" in await reader.readuntil(b"\r\n\r\n")
        writer.write(b"body")
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(4) == b"body"
        writer.close()
