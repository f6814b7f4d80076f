"""What several tests of agents need: a request, and what comes of it."""

from typing import Any

from turnout.agents import Run, adapt
from turnout.model import Answer, Body, Context, Event, Message, Request, Text


def request(text: str = "hello", *, run: Run | None = None, **body: Any) -> Request:
    said = Message(role="user", parts=(Text(text=text),))
    context = Context(request_id="r1")
    return Request(
        model="m",
        body=Body(messages=(said,), **body),
        context=context if run is None else context.with_(run),
    )


async def answer(agent: Any, asked: Request | None = None) -> Answer:
    async with await adapt(agent)(asked or request()) as reply:
        return await reply.answer()


async def events(agent: Any, asked: Request | None = None) -> list[Event]:
    async with await adapt(agent)(asked or request()) as reply:
        return [event async for event in reply.events()]
