"""What an agent says its answer with.

Strategy: each call makes the events of what is said, checks them, and hands them over as one batch. A call that fails
is the end of what the client is given, whatever the agent does about it.
"""

import json
from base64 import b64encode
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

import msgspec

from turnout.model import (
    Amend,
    AnyPart,
    Batch,
    Citation,
    Delta,
    Event,
    Failed,
    Finish,
    Inline,
    Media,
    Message,
    PartEnd,
    PartStart,
    Reducer,
    Request,
    Signal,
    Start,
    Text,
    Thinking,
    ToolCall,
    Url,
    Usage,
    UsageSeen,
)
from turnout.model.errors import BadOutput, OutputTooLarge, TurnoutError

from .composition import Composition, arguments_of
from .handover import Handover
from .permission import Permission, Run

_Kind: TypeAlias = Literal["image", "audio", "video", "document"]
_encode = msgspec.json.Encoder().encode
_KINDS: dict[str, _Kind] = {"image": "image", "audio": "audio", "video": "video"}


class Emit:
    """The agent's way to its client: everything that it says goes through here, one thing after another.

    Each method waits until what it says was taken, so an agent never runs far ahead of its client. Called beside
    another call it raises `ConcurrentEmit`; after the run's end `EmitClosed`; `DeliveryError` when the client has
    gone; `BadOutput` or `OutputTooLarge` when the agent may not say this: nothing later is delivered then.
    """

    __slots__ = ("_composition", "_handover", "_permission", "_reducer", "_started", "failure", "finish")

    def __init__(self, request: Request, handover: Handover) -> None:
        run = request.context.get(Run) or Run()
        self._handover = handover
        self._permission = Permission(run, request)
        self._reducer = Reducer(run.limits)
        self._composition = Composition(thoughts=self._permission.thoughts, seed=request.context.request_id)
        self._started = False
        self.failure: TurnoutError | None = None
        self.finish: Finish | None = None

    # ---- what an agent calls ---------------------------------------------------------------------------------

    async def text(self, text: str, *, citations: Iterable[Citation] = ()) -> None:
        """Say one complete message."""
        self._ready()
        await self.item(Text(text=self._words(text), citations=tuple(citations)))

    async def delta(self, text: str) -> None:
        """Say a piece of text; pieces that follow each other are one message."""
        self._ready()
        await self._give(self._composition.grown(self._words(text), Text(text="")))

    async def thinking(self, text: str) -> None:
        """Think aloud, in pieces; shown where the client asked for it, and left out elsewhere."""
        self._ready()
        await self._give(self._composition.grown(self._words(text), Thinking()))

    async def tool(self, name: str, arguments: Any = None, *, call_id: str = "") -> str:
        """Call a function of the client's, completely; gives the call's id, made up unless given.

        `arguments` is an object, or the JSON text of one.

        Raises:
            BadOutput: the arguments are no such thing, the agent declared no `client_tools`, or the client has no
                such function.
        """
        call_id = call_id or self._composition.call_id()
        await self.item(ToolCall(call_id=call_id, name=name, arguments=arguments_of(arguments)))
        return call_id

    async def media(
        self,
        source: bytes | str | Media,
        media_type: str = "",
        *,
        transcript: str | None = None,
        name: str | None = None,
    ) -> None:
        """Give one image or sound: its bytes, or its http(s) address; `media_type` says which it is.

        Raises:
            BadOutput: it is neither an image nor a sound, the agent did not declare it, or nobody asked for it.
        """
        if isinstance(source, Media):
            await self.item(source)
            return
        where = (
            Url(url=source, media_type=media_type or None)
            if isinstance(source, str)
            else Inline(media_type=media_type, data=b64encode(source).decode())
        )
        kind: _Kind = _KINDS.get(media_type.partition("/")[0], "document")
        await self.item(Media(kind=kind, source=where, transcript=transcript, name=name))

    async def item(self, item: AnyPart | Message) -> None:
        """Give one complete part, or the parts of one message of the assistant's.

        Raises:
            BadOutput: it is neither, or a part that cannot be in this answer.
        """
        self._ready()
        try:
            events = self._composition.whole(item)
        except BadOutput as error:
            self.failure = error
            raise
        await self._give(events)

    async def activity(self, name: str, data: Any = None) -> None:
        """Tell what goes on, beside the answer; `data` is a value that JSON can say.

        Raises:
            BadOutput: the application did not allow activity for this run.
        """
        self._ready()
        await self._give([Signal(kind="activity", name=name, data=json.dumps(data, ensure_ascii=False))])

    async def usage(self, usage: Usage) -> None:
        """Tell what has been used so far; several tellings are merged."""
        self._ready()
        await self._give([UsageSeen(usage=usage)])

    async def event(self, event: Event) -> None:
        """Pass on one event of an answer, such as a provider's; its parts are numbered anew.

        A `Start` is the server's own matter. A `Finish` says how the run ends, unless its outcome says otherwise.

        Raises:
            TurnoutError: the event is a failure; it is raised as what it carries.
        """
        self._ready()
        match event:
            case Start():
                pass
            case Finish():
                self.finish = event
            case Failed(error=error):
                raise error
            case PartStart() | Delta() | Amend() | PartEnd():
                await self._give(self._composition.passed(event))
            case _:
                await self._give([event])

    # ---- what the run calls ----------------------------------------------------------------------------------

    @property
    def kinds(self) -> frozenset[type]:
        """Of which kinds the parts so far are."""
        return frozenset(self._composition.kinds)

    def close(self, *last: Event) -> None:
        """End the answer with `last`, whose final event is `Finish` or `Failed`.

        Parts under way end before a finish.
        """
        if self.failure is not None:
            last = (Failed(error=self.failure),)
        batch = self._reducer.apply_batch((*self._begun(), *last))
        self._handover.end(batch)

    # ---- how it is done --------------------------------------------------------------------------------------

    def _ready(self) -> None:
        self._handover.check()
        if self.failure is not None:
            raise self.failure

    def _words(self, text: Any) -> str:
        if isinstance(text, str):
            return text
        self.failure = BadOutput(f"an agent says text, not {type(text).__name__}")
        raise self.failure

    async def _give(self, events: list[Event]) -> None:
        given: list[Event] = []
        try:
            for event in (*self._begun(), *events):
                self._permission.check(event)
                _sendable(event)
                given += self._reducer.apply(event)
        except (BadOutput, OutputTooLarge) as error:
            self.failure = error
            raise
        if given:
            await self._handover.give(tuple(given))

    def _begun(self) -> Batch:
        """The start of the answer, before the first thing that is said."""
        if self._started:
            return ()
        self._started = True
        return (Start(),)


def _sendable(event: Event) -> None:
    """See that every client can be sent what an event says.

    Raises:
        BadOutput: it holds half of a surrogate pair, which no encoding has.
    """
    if isinstance(event, PartStart) and isinstance(event.part, Media):
        return  # base64 and addresses, and large
    try:
        _encode(event)
    except UnicodeEncodeError:
        raise BadOutput(
            "an agent's text holds half of a surrogate pair, which no client can be sent"
        ) from None
