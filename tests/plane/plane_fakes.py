"""Instant components and the requests that tests of the control plane send through them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from turnout.model import (
    ActionDescriptor,
    ActionIntent,
    ActionResult,
    Answer,
    Body,
    Context,
    Headers,
    Intent,
    Message,
    Reply,
    Request,
    Source,
    Synthesis,
    Text,
    User,
)
from turnout.model.context import NO_CONTEXT
from turnout.model.errors import InvalidRequest

RESTART = ActionDescriptor(
    id="ops.restart",
    name="restart",
    description="Restart a service",
    schema={
        "type": "object",
        "properties": {"service": {"type": "string"}},
        "required": ["service"],
    },
)
VERSION = ActionDescriptor(id="ops.version", name="version", description="Tell the version")
BOTH = (RESTART, VERSION)


def run(work: Awaitable[Any]) -> Any:
    """The result of async work, within five seconds."""

    async def bounded() -> Any:
        async with asyncio.timeout(5):
            return await work

    return asyncio.run(bounded())


def body(text: str, **fields: Any) -> Body:
    return Body(messages=(Message(role="user", parts=(Text(text=text),)),), **fields)


def request(text: str = "restart api", *, context: Context = NO_CONTEXT, **fields: Any) -> Request:
    """A request as a host makes it by hand."""
    return Request(model="m", body=body(text, **fields), context=context)


class Decodes:
    """Counts how often a request's body is decoded."""

    def __init__(self, text: str = "restart api", error: Exception | None = None, **fields: Any) -> None:
        self.times = 0
        self._body = body(text, **fields)
        self._error = error

    def __call__(self) -> Body:
        self.times += 1
        if self._error is not None:
            raise self._error
        return self._body


def served(decode: Callable[[], Body], headers: dict[str, str] | None = None) -> Request:
    """A request as a server makes it from bytes."""
    source = Source(protocol="openai-chat", body=b'{"model":"m"}', headers=Headers.of(headers or {}))
    return Request(model="m", source=source, decode=decode)


def reply(text: str = "done") -> Reply:
    return Reply.of(Answer(parts=(Text(text=text),), stop="end"))


def said(given: Reply) -> str:
    """The text of a reply that is whole."""

    async def read() -> str:
        async with given:
            return (await given.answer()).text

    return run(read())


def answering(text: str = "from the model") -> Callable[[Request], Awaitable[Reply]]:
    async def answer(_request: Request) -> Reply:
        return reply(text)

    return answer


class Engine:
    """An engine that notes its calls; `fails` maps the name of a method to what it raises."""

    def __init__(
        self, *descriptors: ActionDescriptor, calls: list[str] | None = None, **fails: Exception
    ) -> None:
        self._descriptors = descriptors
        self._fails = fails
        self.calls: list[str] = [] if calls is None else calls
        self.executed: list[tuple[ActionIntent, ...]] = []

    async def descriptors(self, _request: Request, /) -> tuple[ActionDescriptor, ...]:
        self.calls.append("descriptors")
        if "descriptors" in self._fails:
            raise self._fails["descriptors"]
        return self._descriptors

    async def execute(
        self, _request: Request, intents: tuple[ActionIntent, ...], /
    ) -> tuple[ActionResult, ...]:
        self.calls.append("execute")
        self.executed.append(intents)
        if "execute" in self._fails:
            raise self._fails["execute"]
        known = {descriptor.id for descriptor in self._descriptors}
        return tuple(
            ActionResult(action_id=intent.action_id, status="done" if intent.action_id in known else "failed")
            for intent in intents
        )


def choosing(*action_ids: str, calls: list[str] | None = None) -> Callable[..., Awaitable[Intent]]:
    """A classifier that always chooses these actions."""

    async def classify(_request: Request, _descriptors: Any) -> Intent:
        if calls is not None:
            calls.append("classify")
        return Intent(actions=tuple(ActionIntent(action_id=name) for name in action_ids))

    return classify


async def wording(synthesis: Synthesis) -> Reply:
    """A synthesizer that shows each result."""
    return reply("; ".join(f"{result.action_id} {result.status}" for result in synthesis.results))


def raising(error: BaseException) -> Callable[..., Awaitable[Any]]:
    """Any component, failing."""

    async def fail(*_args: Any) -> Any:
        raise error

    return fail


MALFORMED = InvalidRequest("messages must be a list", param="messages")
ADA = User(id="ada")
