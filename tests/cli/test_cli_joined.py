"""A response's head is one write with what follows at once, and never waits for what does not."""

import asyncio
from typing import Any, cast

from turnout.cli.joined import Heads, Joined
from turnout.cli.listen import listening

HEAD = b"HTTP/1.1 200 OK\r\n\r\n"


class Wire:
    """A transport that remembers what it was told."""

    def __init__(self) -> None:
        self.done: list[bytes | str] = []

    def is_closing(self) -> bool:
        return "closed" in self.done

    def write(self, data: bytes) -> None:
        self.done.append(data)

    def close(self) -> None:
        self.done.append("closed")


def joined() -> tuple[Wire, Joined]:
    wire = Wire()
    return wire, Joined(cast("asyncio.Transport", wire), Heads(asyncio.get_running_loop()))


async def turns(count: int = 3) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_the_head_goes_with_the_body_that_follows_and_later_pieces_go_alone() -> None:
    wire, one = joined()
    for piece in (HEAD, b"one", b"two"):
        one.write(piece)
    await turns()
    assert wire.done == [HEAD + b"one", b"two"]


async def test_a_head_whose_body_is_not_there_yet_goes_alone_in_the_next_turn() -> None:
    wire, one = joined()
    one.write(HEAD)
    assert wire.done == []
    await turns()
    assert wire.done == [HEAD]
    one.write(b"body")
    assert wire.done == [HEAD, b"body"]


async def test_what_follows_a_head_that_is_still_held_keeps_its_place() -> None:
    wire, one = joined()
    one.write(HEAD)
    one.write(HEAD)
    one.write(b"body")
    await turns()
    assert wire.done == [HEAD + HEAD, b"body"]


async def test_a_head_that_is_held_when_the_connection_ends_is_let_fall() -> None:
    wire, one = joined()
    one.write(HEAD)
    wire.close()
    await turns()
    assert wire.done == ["closed"]


async def test_heads_of_several_connections_that_nothing_follows_go_together() -> None:
    heads = Heads(asyncio.get_running_loop())
    wires = [Wire() for _ in range(3)]
    ones = [Joined(cast("asyncio.Transport", wire), heads) for wire in wires]
    for one in ones:
        one.write(HEAD)
    ones[1].write(b"body")
    await turns()
    assert [wire.done for wire in wires] == [[HEAD], [HEAD + b"body"], [HEAD]]
    ones[1].write(HEAD)
    await turns()
    assert wires[1].done[-1] == HEAD


async def test_closing_sends_the_head_first() -> None:
    wire, one = joined()
    one.write(HEAD)
    one.close()
    await turns()
    assert wire.done == [HEAD, "closed"]


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
