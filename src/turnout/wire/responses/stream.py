"""A streamed answer, read.

Strategy: an event is a small Struct; text, calls and reasoning become events of the model at once; everything that
nobody names is kept. The answer ends with one of the three terminal events, or with an error; the end of the bytes
before that is a cut, and a cut never looks finished (K23).
"""

from collections.abc import Callable
from typing import Any

import msgspec

from turnout.model import Batch, Event, Failed, Finish, Start, Unknown, Usage, UsageSeen
from turnout.model.errors import BrokenStream, ProviderError, TurnoutError
from turnout.wire import sse
from turnout.wire.layers import BROKEN, NOTHING, OBJECT, Members, Raw, open_object, open_string, said
from turnout.wire.telling import Telling

from .answer import answer_of, created_of, failure_in
from .citations import read_citation
from .dialect import ResponsesDialect
from .errors import error_in
from .growing import Items
from .members import PROTOCOL, bag
from .resource import kept_members

_LIST: "msgspec.json.Decoder[list[Raw] | None]" = msgspec.json.Decoder(list[Raw] | None)


class EventShape(msgspec.Struct, gc=False):
    """What is read of an event; everything may be missing."""

    type: str = ""
    delta: Any = None
    output_index: int | None = None
    content_index: int | None = None
    summary_index: int | None = None
    item_id: str | None = None
    text: str | None = None
    refusal: str | None = None
    arguments: str | None = None
    input: str | None = None
    part: Raw = NOTHING
    item: Raw = NOTHING
    annotation: Raw = NOTHING
    response: Raw = NOTHING
    error: Raw = NOTHING


_EVENT = msgspec.json.Decoder(EventShape)


class StreamDecoder(Telling):
    """The decoder of one streamed answer; never raises, trouble is `Failed`."""

    def __init__(self, dialect: ResponsesDialect) -> None:
        super().__init__()
        self._parser = sse.Parser(limit=67_108_864)
        self._items = Items(self._emit, dialect.issuer)
        self._by_id: dict[str, int] = {}
        self._last = 0

    # ---- the face of a decoder -------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> Batch:
        """The events that `data` completes."""
        if self._over:
            return ()
        return self._read(lambda: self._parser.feed(data))

    def close(self) -> Batch:
        """The events that the end of the bytes completes; the terminal one if none came before."""
        if self._over:
            return ()
        self._read(self._parser.close, flush=False)
        if not self._over:
            what = "was cut" if self._started else "holds no events"
            self._fail(BrokenStream(f"the provider's answer {what}"))
        return self._flush()

    def fail(self, error: TurnoutError) -> Batch:
        """The events of an answer that broke."""
        if self._over:
            return ()
        self._fail(error)
        return self._flush()

    def _read(self, frames: Callable[[], list[sse.Frame]], *, flush: bool = True) -> Batch:
        try:
            for frame in frames():
                self._frame(frame)
                if self._over:
                    break
        except BrokenStream as error:
            self._fail(error)
        return self._flush() if flush else ()

    def _emit(self, event: Event) -> None:
        if not self._started and not isinstance(event, Failed):
            self._begin({})
        super()._emit(event)

    # ---- events ----------------------------------------------------------------------------------------------------

    def _frame(self, frame: sse.Frame) -> None:
        data = frame.data
        if data[:6] == b"[DONE]":
            return
        try:
            event = _EVENT.decode(data)
        except BROKEN:
            self._fail(error_in(data) or BrokenStream("the provider sent an event that cannot be read"))
            return
        kind = event.type or frame.event
        reader = _READERS.get(kind)
        if reader is not None:
            reader(self, event)
        elif kind == "error" or (not kind and said(event.error)):
            self._fail(_error_of(data) or ProviderError("the provider reported an error"))
        elif kind.removeprefix("response.") in _TERMINAL:
            self._end(open_object(event.response) or {}, kind)
        elif kind and kind not in _SILENT:
            self._emit(Unknown(protocol=PROTOCOL, kind=kind, body=data.decode("utf-8", "replace")))

    def _place(self, event: EventShape) -> int:
        """Where the event's item is: its index, else that of its id, else the last one."""
        place = event.output_index
        if place is None:
            place = self._by_id.get(event.item_id or "", self._last)
        self._last = place
        return place

    def created(self, event: EventShape) -> None:
        """The answer begins; the events that only repeat it say nothing new."""
        if not self._started:
            self._begin(open_object(event.response) or {})

    def _begin(self, row: Members) -> None:
        self._started = True
        answer_id = open_string(row.get("id")) or ""
        self._items.answer_id = answer_id
        start = Start(
            id=answer_id,
            model=open_string(row.get("model")) or "",
            created=created_of(row),
            extra=bag(kept_members(row)),
        )
        self._emit(start)

    def item_added(self, event: EventShape) -> None:
        """An item begins."""
        place = self._place(event)
        ref = open_string((open_object(event.item) or {}).get("id"))
        if ref is not None:
            self._by_id[ref] = place
        self._items.begin(place, event.item)

    def item_done(self, event: EventShape) -> None:
        """An item is complete."""
        self._items.finish(self._place(event), event.item)

    def part_added(self, event: EventShape) -> None:
        """A content part begins."""
        row = open_object(event.part) or {}
        kind = open_string(row.get("type"))
        if kind in ("output_text", "refusal", "text"):
            self._items.part(self._place(event), event.content_index or 0, refusal=kind == "refusal")
        elif kind is not None:
            self._items.unnamed(self._place(event), event.content_index or 0, event.part)

    def text_delta(self, event: EventShape) -> None:
        """More of a text."""
        self._words(event, event.delta, whole=False, refusal=False)

    def text_done(self, event: EventShape) -> None:
        """A text as a whole."""
        self._words(event, event.text, whole=True, refusal=False)

    def refusal_delta(self, event: EventShape) -> None:
        """More of a refusal."""
        self._words(event, event.delta, whole=False, refusal=True)

    def refusal_done(self, event: EventShape) -> None:
        """A refusal as a whole."""
        self._words(event, event.refusal, whole=True, refusal=True)

    def _words(self, event: EventShape, words: Any, *, whole: bool, refusal: bool) -> None:
        growing = self._items.part(self._place(event), event.content_index or 0, refusal=refusal)
        if isinstance(words, str):
            (self._items.state if whole else self._items.add)(growing, words)

    def annotation_added(self, event: EventShape) -> None:
        """A source of a text."""
        row = open_object(event.annotation)
        if row is not None:
            growing = self._items.part(self._place(event), event.content_index or 0)
            self._items.cite(growing, read_citation(row))

    def arguments_delta(self, event: EventShape) -> None:
        """More of what a call says."""
        self._lone(event, event.delta, "arguments", whole=False)

    def arguments_done(self, event: EventShape) -> None:
        """What a call says as a whole."""
        words = event.arguments if event.input is None else event.input
        self._lone(event, words, "arguments", whole=True)

    def summary_delta(self, event: EventShape) -> None:
        """More of a summary of reasoning."""
        self._lone(event, event.delta, "summary", whole=False, at=event.summary_index or 0)

    def summary_done(self, event: EventShape) -> None:
        """A summary of reasoning as a whole."""
        self._lone(event, event.text, "summary", whole=True, at=event.summary_index or 0)

    def summary_added(self, event: EventShape) -> None:
        """A summary begins; one that stays empty is there all the same."""
        growing = self._items.lone(self._place(event), "reasoning")
        if growing is not None:
            self._items.open_summary(growing, event.summary_index or 0)

    def thought_delta(self, event: EventShape) -> None:
        """More of raw reasoning."""
        self._lone(event, event.delta, "text", whole=False)

    def _lone(self, event: EventShape, words: Any, to: str, *, whole: bool, at: int = 0) -> None:
        kind = "function_call" if to == "arguments" else "reasoning"
        growing = self._items.lone(self._place(event), kind)
        if growing is not None and isinstance(words, str):
            (self._items.state if whole else self._items.add)(growing, words, to, at)

    # ---- ends ------------------------------------------------------------------------------------------------------

    def _end(self, row: Members, kind: str) -> None:
        """One of the terminal events."""
        if "status" not in row:
            row["status"] = Raw(msgspec.json.encode(kind.removeprefix("response.")))
        error = failure_in(row, b"")
        if error is not None:
            self._fail(error)
            return
        if not self._started:
            self._begin(row)
        try:
            self._items.settle(_LIST.decode(row.get("output", b"null")) or [])
        except BROKEN:
            self._fail(BrokenStream("the provider's final output cannot be read"))
            return
        self._items.nothing()
        answer = answer_of(row, tuple(self._items.parts))
        if answer.usage != Usage():
            self._emit(UsageSeen(usage=answer.usage))
        self._emit(
            Finish(stop=answer.stop, stop_raw=answer.stop_raw, metadata=answer.metadata, extra=answer.extra)
        )
        self._over = True


def _error_of(data: bytes) -> ProviderError | None:
    """The error of an event, nested or flat; the type of a flat one is the event's."""
    row = OBJECT.decode(data)
    if not said(row.get("error")):
        row.pop("type", None)
        data = msgspec.json.encode(row)
    return error_in(data)


_TERMINAL = frozenset({"completed", "incomplete", "failed", "cancelled"})
_SILENT = frozenset(
    {
        "response.content_part.done",
        "response.reasoning.done",
        "response.reasoning_summary_part.done",
        "response.reasoning_text.done",
        "keepalive",
        "ping",
    }
)
_READERS: dict[str, Callable[[StreamDecoder, EventShape], None]] = {
    "response.created": StreamDecoder.created,
    "response.queued": StreamDecoder.created,
    "response.in_progress": StreamDecoder.created,
    "response.output_item.added": StreamDecoder.item_added,
    "response.output_item.done": StreamDecoder.item_done,
    "response.content_part.added": StreamDecoder.part_added,
    "response.output_text.delta": StreamDecoder.text_delta,
    "response.output_text.done": StreamDecoder.text_done,
    "response.output_text.annotation.added": StreamDecoder.annotation_added,
    "response.refusal.delta": StreamDecoder.refusal_delta,
    "response.refusal.done": StreamDecoder.refusal_done,
    "response.function_call_arguments.delta": StreamDecoder.arguments_delta,
    "response.function_call_arguments.done": StreamDecoder.arguments_done,
    "response.custom_tool_call_input.delta": StreamDecoder.arguments_delta,
    "response.custom_tool_call_input.done": StreamDecoder.arguments_done,
    "response.reasoning_summary_part.added": StreamDecoder.summary_added,
    "response.reasoning_summary_text.delta": StreamDecoder.summary_delta,
    "response.reasoning_summary_text.done": StreamDecoder.summary_done,
    "response.reasoning_text.delta": StreamDecoder.thought_delta,
    "response.reasoning.delta": StreamDecoder.thought_delta,
}
