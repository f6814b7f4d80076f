"""A store that notes each call, and the requests of all protocols, so that the order of a run can be seen."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from tests.serve.serve_call import Call, call
from turnout.model import (
    Acceptance,
    Batch,
    Context,
    Delta,
    Finish,
    Message,
    PartEnd,
    PartStart,
    Reply,
    Request,
    ResponseSeed,
    Start,
    StoredResponse,
    Text,
    Turn,
)
from turnout.model.errors import TurnoutError


class SpyStore:
    """Accepts as `accept` says; notes what is called in `calls`, and what it was finished with."""

    def __init__(self, accept: Callable[["SpyStore", Turn], Acceptance] | None = None) -> None:
        self.calls: list[str] = []
        self.turns: list[Turn] = []
        self.ends: list[tuple[StoredResponse, TurnoutError | None]] = []
        self.history: tuple[Message, ...] = ()
        self.finish_raises: BaseException | None = None
        self.ended = asyncio.Event()
        self._accept = accept or SpyStore.plain

    def plain(self, turn: Turn, **fields: Any) -> Acceptance:
        """New work, with a name of its own."""
        given: dict[str, Any] = {
            "response": ResponseSeed(id="resp_1", created=7),
            "finish": self.finish,
            **fields,
        }
        return Acceptance(**given)

    async def accept(self, turn: Turn, /) -> Acceptance:
        self.calls.append("accept")
        self.turns.append(turn)
        return self._accept(self, turn)

    async def load(self, previous: str, context: Context, /) -> tuple[Message, ...]:
        self.calls.append(f"load history {previous}")
        return self.history

    async def finish(self, stored: StoredResponse, error: TurnoutError | None) -> None:
        self.calls.append("finish")
        self.ends.append((stored, error))
        await asyncio.sleep(0)  # a store takes its time; success must wait for it
        self.calls.append("finished")
        self.ended.set()
        if self.finish_raises is not None:
            raise self.finish_raises


class SpyCatalog:
    """One agent for all names; notes when it is loaded and run."""

    def __init__(self, store: SpyStore, step: Any, **info: Any) -> None:
        self._store = store
        self._step = step
        self._info = info
        self.asked: list[Request] = []

    async def list(self, context: Context) -> dict[str, Any]:
        raise AssertionError("a run lists nothing")

    async def load(self, target: str, context: Context) -> Any:
        from turnout.model import Info

        self._store.calls.append("load agent")

        async def step(request: Request) -> Any:
            self._store.calls.append("run")
            self.asked.append(request)
            answered = self._step(request)
            return await answered if asyncio.iscoroutine(answered) else answered

        info: dict[str, Any] = {"continuation": True, **self._info}
        return step, Info(**info)


# ---- requests of all protocols -------------------------------------------------------------------------------

PROTOCOLS = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")
SAID: Any = [{"role": "user", "content": "hello"}]
REQUESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "openai-chat": ("/v1/chat/completions", {"model": "m", "messages": SAID}),
    "openai-responses": ("/v1/responses", {"model": "m", "input": "hello"}),
    "anthropic-messages": ("/v1/messages", {"model": "m", "max_tokens": 9, "messages": SAID}),
    "gemini": (
        "/v1/models/m:generateContent",
        {"contents": [{"role": "user", "parts": [{"text": "hello"}]}]},
    ),
}
SUCCESS = {
    "openai-chat": b"[DONE]",
    "openai-responses": b"response.completed",
    "anthropic-messages": b"message_stop",
    "gemini": b'"finishReason"',
}
"""What ends a stream that succeeded."""


def asked(protocol: str, stream: bool = False, **more: Any) -> dict[str, Any]:
    """The arguments of `call` for a request."""
    path, body = REQUESTS[protocol]
    if protocol == "gemini":
        given: dict[str, Any] = {"path": path, "body": {**body, **more}}
        if stream:
            given["path"] = path.replace("generateContent", "streamGenerateContent")
            given["query_string"] = b"alt=sse"
        return given
    return {"path": path, "body": {**body, **more, **({"stream": True} if stream else {})}}


# ---- clients ------------------------------------------------------------------------------------------


async def leaving(app: Any, running: asyncio.Event, given: dict[str, Any]) -> Call:
    """A client that leaves when the run has begun."""
    made = Call()
    task = asyncio.ensure_future(call(app, **given, into=made))
    await running.wait()
    made.gone.set()
    await task
    return made


# ---- agents --------------------------------------------------------------------------------------------------

HEAD: Batch = (Start(), PartStart(index=0, part=Text(text="")))
TAIL: Batch = (PartEnd(index=0), Finish(stop="end"))


def say(text: str) -> Batch:
    return (Delta(index=0, text=text),)


def batches(*pieces: Any) -> Callable[[Request], Reply]:
    """A step that tells batches, raises exceptions and awaits what functions give, in order."""

    async def told() -> AsyncIterator[Batch]:
        for piece in pieces:
            if isinstance(piece, BaseException):
                raise piece
            if callable(piece):
                waits: Any = piece
                await waits()
            else:
                yield piece

    return lambda _request: Reply.of_batches(told())


hello = batches((*HEAD, *say("hel")), say("lo"), TAIL)


def text_of(protocol: str, body: bytes) -> str:
    """The text of a whole answer."""
    row = json.loads(body)
    match protocol:
        case "openai-chat":
            return row["choices"][0]["message"]["content"]
        case "openai-responses":
            return row["output"][0]["content"][0]["text"]
        case "anthropic-messages":
            return row["content"][0]["text"]
        case _:
            return row["candidates"][0]["content"]["parts"][0]["text"]
