"""What runs beside an answer: the watcher, the timer, the grace for fast requests."""

import asyncio
from typing import Any

from tests.serve.serve_call import Call, call, scope_of
from tests.serve.serve_fakes import (
    CODEC,
    FINISH,
    SSE,
    START,
    Models,
    Spy,
    event,
    evented,
    relayed,
    replying,
    say,
)
from turnout.model import Reply, Request
from turnout.serve import Server
from turnout.serve.grace import Grace

STREAM = {"model": "m", "stream": True}


def server(step: Any, **options: Any) -> Server:
    return Server(Models(m=step), codec=lambda _: CODEC, **options)


class Peer:
    """The server's side of one request, driven by hand."""

    def __init__(self, body: bytes = b'{"model":"m","stream":true}') -> None:
        self.body = body
        self.receiving = 0
        self.gone = asyncio.Event()
        self.watched = asyncio.Event()
        self.sent: list[Any] = []
        self.given = False

    async def receive(self) -> Any:
        if not self.given:
            self.given = True
            return {"type": "http.request", "body": self.body, "more_body": False}
        self.receiving += 1
        self.watched.set()
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)


async def test_a_disconnect_that_follows_the_last_message_cancels_nothing() -> None:
    finished: list[bool] = []

    class Saying(Peer):
        async def send(self, message: Any) -> None:
            self.sent.append(message)
            if message.get("more_body") is False:
                self.gone.set()
                for _ in range(5):
                    await asyncio.sleep(0)
                finished.append(True)

    async def watched() -> None:
        await peer.watched.wait()

    for make in (
        lambda: evented((*START, *say("a")), watched, FINISH),
        lambda: relayed(event({"t": "a"}), watched, b"data: [DONE]\n\n", headers=SSE),
        lambda: relayed(b"a", watched, b"b"),
        lambda: relayed(b"a", watched, b"b", length=2),
        lambda: relayed(b"a", watched, OSError("x"), headers=SSE),
    ):
        peer = Saying()
        await server(replying(make))(scope_of("/chat/completions"), peer.receive, peer.send)
        assert peer.sent[-1]["more_body"] is False
    assert finished == [True] * 5


async def test_a_fast_request_is_never_watched() -> None:
    peer = Peer()
    app = server(replying(lambda: relayed(b"{}")))
    await app(scope_of("/chat/completions"), peer.receive, peer.send)
    assert peer.receiving == 0


async def test_a_request_whose_body_came_slowly_is_watched_as_well() -> None:
    spy = Spy()
    slow = asyncio.Event()

    class Slow(Peer):
        async def receive(self) -> Any:
            if not self.given:
                await slow.wait()
            return await super().receive()

    async def step(request: Request) -> Reply:
        await spy.forever()
        raise AssertionError

    peer = Slow()
    app = server(step)
    task = asyncio.create_task(app(scope_of("/chat/completions"), peer.receive, peer.send))
    asyncio.get_running_loop().call_later(0.06, slow.set)
    await spy.running.wait()
    peer.gone.set()
    async with asyncio.timeout(0.1):
        await spy.cancelled.wait()
    await task
    assert not peer.sent


async def test_a_keepalive_on_its_way_out_is_waited_for() -> None:
    drained, blocked, go = asyncio.Event(), asyncio.Event(), asyncio.Event()

    class Full(Peer):
        async def send(self, message: Any) -> None:
            if b"keepalive" in message.get("body", b"") and not drained.is_set():
                blocked.set()
                await drained.wait()
            self.sent.append(message)

    peer = Full()
    app = server(replying(lambda: evented((*START, *say("a")), go, FINISH)), keepalive_s=0.01)
    task = asyncio.create_task(app(scope_of("/chat/completions"), peer.receive, peer.send))
    await blocked.wait()
    go.set()
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(peer.sent) == 2
    drained.set()
    await task
    assert [message["body"] for message in peer.sent[2:]] == [b": keepalive\n\n", b"data: [DONE]\n\n"]


async def test_a_client_that_leaves_during_a_keepalive_ends_everything() -> None:
    spy = Spy()
    blocked = asyncio.Event()

    class Full(Peer):
        async def send(self, message: Any) -> None:
            if b"keepalive" in message.get("body", b""):
                blocked.set()
                await asyncio.Event().wait()

    peer = Full()
    app = server(replying(lambda: evented((*START, *say("a")), spy.forever, spy=spy)), keepalive_s=0.01)
    task = asyncio.create_task(app(scope_of("/chat/completions"), peer.receive, peer.send))
    await blocked.wait()
    peer.gone.set()
    await task
    assert spy.closed.is_set()


async def test_a_keepalive_that_finds_nobody_ends_quietly() -> None:
    failed = asyncio.Event()
    made = Call()

    class Gone(Peer):
        async def send(self, message: Any) -> None:
            if b"keepalive" in message.get("body", b""):
                failed.set()
                raise OSError("the client is gone")
            made.messages.append(message)

    peer = Gone()
    app = server(replying(lambda: evented((*START, *say("a")), failed, FINISH)), keepalive_s=0.01)
    await app(scope_of("/chat/completions"), peer.receive, peer.send)
    assert made.finished


async def test_a_receive_that_breaks_cancels_nothing() -> None:
    class Broken(Peer):
        async def receive(self) -> Any:
            if self.given:
                self.watched.set()
                raise RuntimeError("no more")
            return await super().receive()

    async def watched() -> None:
        await peer.watched.wait()
        await asyncio.sleep(0)

    peer = Broken()
    app = server(replying(lambda: evented((*START, *say("a")), watched, FINISH)))
    await app(scope_of("/chat/completions"), peer.receive, peer.send)
    assert peer.sent[-1]["more_body"] is False


async def test_grace_is_given_once_and_only_to_who_is_still_there() -> None:
    told: list[str] = []
    rested = asyncio.Event()

    class Guest:
        def __init__(self, name: str, done: bool = False) -> None:
            self.name, self.done = name, done

        def slowed(self) -> None:
            told.append(self.name)
            if self.name == "last":
                rested.set()

    loop = asyncio.get_running_loop()
    grace = Grace(period=0.001)
    grace.admit(Guest("slow"), loop)
    grace.admit(Guest("fast", done=True), loop)
    grace.admit(Guest("last"), loop)
    await rested.wait()
    assert told == ["slow", "last"]
    assert grace._timer is None
    rested.clear()
    grace.admit(Guest("last"), loop)
    await rested.wait()
    assert told == ["slow", "last", "last"]


def test_a_server_outlives_the_loop_that_it_was_used_in() -> None:
    spy_closed: list[bool] = []

    async def once() -> None:
        spy = Spy()
        app_call = asyncio.create_task(call(app, body=STREAM, into=(made := Call())))
        while not made.body:
            await made.sent.wait()
            made.sent.clear()
        made.gone.set()
        await app_call
        spy_closed.append(spy.closed.is_set())

    async def hold(request: Request) -> Reply:
        return evented((*START, *say("a")), asyncio.Event())

    app = server(hold)
    asyncio.run(once())
    asyncio.run(once())
    assert len(spy_closed) == 2
