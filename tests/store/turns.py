"""Turns and responses for the tests of stores, and the stores to try them on."""

import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Any

from turnout.model import (
    Answer,
    Body,
    Context,
    Ledger,
    Message,
    Reply,
    Request,
    Retrieval,
    Source,
    Store,
    StoredResponse,
    Text,
    Turn,
    User,
)
from turnout.store import Policy


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class WholeStore(Store, Retrieval, Ledger):
    """What every store of the room is: the three ports, and it can be closed."""

    async def aclose(self) -> None: ...


Make = Callable[..., Any]
"""Makes a store on the same records each time; takes `policy` and `now`."""

ANN = Context(values={User: User(id="ann")})
BOB = Context(values={User: User(id="bob")})


def said(text: str, role: Any = "user") -> Message:
    return Message(role=role, parts=(Text(text=text),))


async def agent(request: Request) -> Reply:
    raise AssertionError("a store runs no agent")


def turn(
    *texts: str,
    context: Context = ANN,
    previous: str | None = None,
    key: str | None = None,
    retain: bool = True,
    items: tuple[Message, ...] | None = None,
    source: Source | None = None,
) -> Turn:
    items = tuple(map(said, texts or ("hello",))) if items is None else items
    request = Request(
        model="echo", context=context, body=Body(messages=items, previous=previous), source=source
    )
    return Turn(
        request=request, items=items, agent=agent, previous=previous, idempotency_key=key, retain=retain
    )


def answered(response_id: str, text: str = "hi", **fields: Any) -> StoredResponse:
    answer = Answer(id=response_id, model="echo", created=1, parts=(Text(text=text),), stop="end")
    return StoredResponse(answer=answer, **fields)


@contextlib.asynccontextmanager
async def opened(make: Make, policy: Policy | None = None, now: Clock | None = None) -> AsyncGenerator[Any]:
    store = make(policy=policy or Policy(), now=now or Clock())
    try:
        yield store
    finally:
        await store.aclose()


async def ran(store: Any, asked: Turn, text: str = "hi", **fields: Any) -> str:
    """Accept a turn and finish it at once: the id of its response."""
    acceptance = await store.accept(asked)
    assert acceptance.replay is None
    response_id: str = acceptance.response.id
    if acceptance.finish is not None:
        await acceptance.finish(
            answered(response_id, text, previous=asked.previous, **fields), fields.get("failure")
        )
    return response_id
