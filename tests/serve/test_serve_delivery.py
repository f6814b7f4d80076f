"""The server says of a reply that it was delivered when the client had all of it, and else does not."""

import asyncio
from typing import Any

import pytest

from tests.serve.serve_call import call, raw_post, serving
from tests.serve.serve_fakes import CODEC, FINISH, JSON, SSE, START, Models, Spy, event, evented, relayed, say
from turnout.model import Answer, Reply, Request, Text
from turnout.model.errors import StoreFailed
from turnout.serve import Server, write_response


def noted(make: Any, told: list[str], failure: Exception | None = None) -> Any:
    async def note() -> None:
        told.append("delivered")
        if failure is not None:
            raise failure

    async def step(_request: Request) -> Reply:
        reply = make()
        reply.on_delivery(note)
        return reply

    return step


def server(step: Any, **options: Any) -> Server:
    return Server(Models(m=step), codec=lambda _: CODEC, **options)


def answer() -> Reply:
    return Reply.of(Answer(parts=(Text(text="a"),), stop="end"))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("make", "told"),
    [
        (answer, ["delivered"]),
        (lambda: evented((*START, *say("a")), FINISH), ["delivered"]),
        (lambda: evented((*START, *say("a")), RuntimeError("boom")), []),
        (lambda: evented((*START, *say("a"))), []),
        (lambda: evented(RuntimeError("boom")), []),
    ],
    ids=["answer", "events", "fails late", "has no end", "fails early"],
)
async def test_what_came_to_its_end_is_delivered(make: Any, told: list[str], stream: bool) -> None:
    seen: list[str] = []
    await call(server(noted(make, seen)), body={"model": "m", "stream": stream})
    assert seen == told


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: relayed(b'{"a"', b":1}", headers=JSON), ["delivered"]),
        (lambda: relayed(b'{"a"', RuntimeError("boom"), headers=JSON), []),
        (lambda: relayed(b'{"a"', headers=JSON, length=9), []),
        (lambda: relayed(event({"t": "a"}), headers=SSE), ["delivered"]),
        (lambda: relayed(event({"t": "a"}), RuntimeError("boom"), headers=SSE), []),
    ],
    ids=["whole", "whole cut", "whole short", "stream", "stream cut"],
)
async def test_what_was_relayed_to_its_end_is_delivered(make: Any, told: list[str]) -> None:
    seen: list[str] = []
    await call(server(noted(make, seen)), body={"model": "m"})
    assert seen == told


async def test_a_client_that_left_has_not_been_delivered_to() -> None:
    spy = Spy()
    seen: list[str] = []
    step = noted(lambda: evented((*START, *say("a")), spy.forever, FINISH, spy=spy), seen)
    async with serving(server(step)) as port:
        _, writer = await raw_post(port, {"model": "m", "stream": True})
        await spy.running.wait()
        writer.close()
        await spy.closed.wait()
    assert seen == []


async def test_a_ledger_that_fails_then_is_the_hooks_matter() -> None:
    heard: list[Any] = []
    seen: list[str] = []
    app = server(noted(answer, seen, StoreFailed("no disk")), on_error=lambda error, _: heard.append(error))
    made = await call(app, body={"model": "m"})
    assert made.status == 200
    assert [type(each) for each in heard] == [StoreFailed]


@pytest.mark.parametrize("gone", [False, True])
async def test_a_writer_of_the_hosts_own_handler_says_so_too(gone: bool) -> None:
    sent: list[Any] = []
    seen: list[str] = []

    async def send(message: Any) -> None:
        if gone:
            raise OSError("gone")
        sent.append(message)
        await asyncio.sleep(0)

    reply = await noted(answer, seen)(Request())
    await write_response(reply, send)
    assert seen == ([] if gone else ["delivered"])
