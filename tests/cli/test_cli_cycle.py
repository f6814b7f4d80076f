"""A connection answers as uvicorn's own does; a head is one write with what follows at once, and never waits."""

import asyncio
from typing import Any, cast

import pytest
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from turnout.cli.cycle import Cycle, Heads
from turnout.cli.listen import listening


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


@pytest.fixture
def wire() -> Wire:
    return Wire()


def heads() -> Heads:
    return Heads(asyncio.get_running_loop(), ServerState())


def cycle(wire: Wire, with_: Heads, method: str = "GET", keep_alive: bool = True) -> Cycle:
    transport = cast("asyncio.Transport", wire)
    return Cycle(
        {"method": method},
        transport,
        FlowControl(transport),
        with_,
        asks_to_go_on=False,
        keep_alive=keep_alive,
        on_response=lambda: None,
    )


HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n"
START = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"6")]}


def piece(data: bytes, more: bool = False) -> dict[str, Any]:
    return {"type": "http.response.body", "body": data, "more_body": more}


async def turns(count: int = 3) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_the_head_goes_with_the_body_that_follows_and_later_pieces_go_alone(wire: Wire) -> None:
    one = cycle(wire, heads())
    for message in (START, piece(b"one", True), piece(b"two")):
        await one.send(message)
    await turns()
    assert wire.done == [HEAD + b"one", b"two"]


async def test_a_head_whose_body_is_not_there_yet_goes_alone_in_the_next_turn(wire: Wire) -> None:
    one = cycle(wire, heads())
    await one.send(START)
    assert wire.done == []
    await turns()
    assert wire.done == [HEAD]
    await one.send(piece(b"body.."))
    assert wire.done == [HEAD, b"body.."]


async def test_a_head_that_is_held_when_the_connection_ends_is_let_fall(wire: Wire) -> None:
    await cycle(wire, heads()).send(START)
    wire.close()
    await turns()
    assert wire.done == ["closed"]


async def test_heads_of_several_connections_that_nothing_follows_go_together() -> None:
    shared = heads()
    wires = [Wire() for _ in range(3)]
    ones = [cycle(wire, shared) for wire in wires]
    for one in ones:
        await one.send(START)
    await ones[1].send(piece(b"body.."))
    await turns()
    assert [wire.done for wire in wires] == [[HEAD], [HEAD + b"body.."], [HEAD]]


async def test_an_application_that_fails_after_its_head_has_sent_it_before_the_end(wire: Wire) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send(START)
        raise OSError("gone")

    await cycle(wire, heads()).run_asgi(app)
    assert wire.done == [HEAD, "closed"]


async def test_a_body_is_received_as_it_came_and_its_pieces_as_one(wire: Wire) -> None:
    one = cycle(wire, heads())
    data = b"x" * 100
    one.feed(data)
    received = await one.receive()
    assert received["body"] is data  # not copied
    assert [one.feed(data), one.feed(b"yz")] == [100, 102]
    one.more_body = False
    assert await one.receive() == {"type": "http.request", "body": data + b"yz", "more_body": False}


async def test_a_client_that_left_is_sent_nothing_and_heard_of(wire: Wire) -> None:
    one = cycle(wire, heads())
    one.disconnected = True
    await one.send(START)
    assert await one.receive() == {"type": "http.disconnect"}
    await turns()
    assert wire.done == []


@pytest.mark.parametrize(
    "messages",
    [
        [piece(b"first")],
        [START, START],
        [START, piece(b"longer than announced")],
        [START, piece(b"short")],
        [START, piece(b"body.."), piece(b"again")],
        [{**START, "headers": [(b"na me", b"value")]}],
        [{**START, "headers": [(b"name", b"val\r\nue: 1")]}],
        [{**START, "headers": [(b"name", b"val\x00ue")]}],
    ],
)
async def test_what_is_no_answer_is_refused(wire: Wire, messages: list[dict[str, Any]]) -> None:
    one = cycle(wire, heads())
    for message in messages[:-1]:
        await one.send(message)
    with pytest.raises(RuntimeError):
        await one.send(messages[-1])


# ---- the same bytes as uvicorn's own ---------------------------------------------------------------------------------

LENGTH = [(b"content-length", b"4")]
ANSWERS: dict[str, list[dict[str, Any]]] = {
    "whole": [{**START, "headers": LENGTH}, piece(b"body")],
    "chunked": [{**START, "headers": []}, piece(b"bo", True), piece(b"", True), piece(b"dy")],
    "said to be chunked": [{**START, "headers": [(b"Transfer-Encoding", b"chunked")]}, piece(b"body")],
    "both": [{**START, "headers": [*LENGTH, (b"transfer-encoding", b"chunked")]}, piece(b"body")],
    "capitals": [
        {**START, "headers": [(b"X-Name", b"Value\twith tab"), (b"Content-Length", b"0")]},
        piece(b""),
    ],
    "closing": [{**START, "headers": [*LENGTH, (b"connection", b"Close, x")]}, piece(b"body")],
    "kept open": [{**START, "headers": [*LENGTH, (b"connection", b"keep-alive")]}, piece(b"body")],
    "empty": [{**START, "status": 204, "headers": []}, piece(b"")],
    "not changed": [{**START, "status": 304, "headers": [(b"etag", b"1")]}, piece(b"")],
    "a status of one's own": [{**START, "status": 299, "headers": LENGTH}, piece(b"body")],
    "nothing": [],
    "no end": [{**START, "headers": LENGTH}, piece(b"bo", True)],
    "too long": [{**START, "headers": LENGTH}, piece(b"body and more")],
    "fails": [{"type": "nonsense"}],
}
REQUESTS = [
    b"GET %b HTTP/1.1\r\nhost: h\r\n\r\n",
    b"HEAD %b HTTP/1.1\r\nhost: h\r\n\r\n",
    b"GET %b HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n",
    b"GET %b HTTP/1.0\r\nhost: h\r\n\r\n",
    b"POST %b?q=1#f HTTP/1.1\r\nhost: h\r\ncontent-length: 3\r\n\r\nabc",
    b"POST %b HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
]


async def scripted(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the messages that the path names, and shows what it was asked in the first of them."""
    seen = {name: scope[name] for name in ("method", "path", "raw_path", "query_string", "http_version")}
    body = b""
    while (message := await receive())["type"] == "http.request":
        body += message["body"]
        if not message["more_body"]:
            break
    for message in list(ANSWERS.values())[int(scope["path"].removeprefix("/ "))]:
        if message["type"] == "http.response.start":
            shown = (b"x-seen", repr((sorted(seen.items()), body)).encode())
            message = {**message, "headers": [*message["headers"], shown]}  # noqa: PLW2901
        await send(message)


async def exchanged(port: int, request: bytes) -> list[bytes]:
    """The lines of all that comes for a request and one for nothing behind it, but for the date."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request + b"GET /last HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n")
    lines = (await reader.read()).split(b"\r\n")
    writer.close()
    return [line for line in lines if not line.startswith(b"date: ")]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda line: line.split(b"\r")[0].decode())
async def test_every_answer_is_byte_for_byte_what_uvicorn_itself_would_send(request_: bytes) -> None:
    async with (
        listening(scripted, "127.0.0.1", 0, lifespan="off", log_level="critical") as ours,
        listening(
            scripted, "127.0.0.1", 0, lifespan="off", log_level="critical", http=HttpToolsProtocol
        ) as theirs,
    ):
        for number, name in enumerate(ANSWERS):
            request = request_.replace(b"%b", b"/%%20%d" % number)
            assert await exchanged(ours, request) == await exchanged(theirs, request), name


async def test_every_answer_says_when_it_was_made() -> None:
    async with listening(scripted, "127.0.0.1", 0, lifespan="off") as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUESTS[0].replace(b"%b", b"/%200"))
        assert b"\r\ndate: " in await reader.readuntil(b"\r\n\r\n")
        writer.close()


# ---- in place --------------------------------------------------------------------------------------------------------


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
