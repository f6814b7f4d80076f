"""The one place that checks the grammar and the size of an answer's events; encoders trust what comes out of it.

Strategy: one step per event, with a small record for each part that is open. What breaks a rule never comes out.
What comes out is in normal form: parts that are still open at `Finish` end before it, in the order of their start,
and a function call that got no arguments gets `{}`. At `Failed` open parts stay open: they did not end. An answer
may fail before its `Start`.
"""

from typing import Any, cast

import msgspec

from .base import V
from .errors import BadOutput, BrokenStream, OutputTooLarge, TurnoutError
from .events import Amend, Batch, Delta, Event, Failed, Finish, PartEnd, PartStart, Signal, Start, Unknown
from .limits import Limits
from .parts import AnyPart, Extension, Inline, Media, Refusal, Text, Thinking, ToolCall

_FIELDS: dict[type, frozenset[str]] = {
    Text: frozenset({"text"}),
    Refusal: frozenset({"text"}),
    Thinking: frozenset({"text", "summary"}),
    ToolCall: frozenset({"arguments"}),
    Extension: frozenset({"data"}),
}
_NO_FIELDS: frozenset[str] = frozenset()


class _Open:
    """What must be known of a part until it ends."""

    __slots__ = ("bare_call", "fields", "kind", "size", "summaries")

    def __init__(self, part: AnyPart, size: int) -> None:
        self.kind = type(part)
        self.fields = _fields(part)
        self.size = size
        self.summaries = len(part.summary) if isinstance(part, Thinking) else 0
        self.bare_call = isinstance(part, ToolCall) and part.kind == "function" and not part.arguments


class Reducer:
    """Takes the events of one answer and gives them back in normal form, up to the first that breaks a rule.

    `limits.event_bytes` bounds the text of one event and `limits.output_bytes` that of all, in bytes of UTF-8; a
    part that its maker states again at its end counts once, with the larger of its sizes.
    """

    __slots__ = (
        "_event_bytes",
        "_open",
        "_output_bytes",
        "_size",
        "_started",
        "_violation",
        "ended",
        "parts",
    )

    def __init__(self, limits: Limits) -> None:
        self.ended = False
        self.parts = 0
        self._event_bytes = limits.event_bytes
        self._output_bytes = limits.output_bytes
        self._started = False
        self._size = 0
        self._open: dict[int, _Open] = {}
        self._violation: TurnoutError | None = None

    def apply(self, event: Event) -> Batch:
        """The events to show for `event`.

        Raises:
            BadOutput: the event breaks the grammar; so does every later one, and `close` tells of it.
            OutputTooLarge: it is over a limit; the same holds.
        """
        if self._violation is not None:
            raise self._violation
        try:
            return self._delta(event) if type(event) is Delta else self._rare(event)
        except (BadOutput, OutputTooLarge) as error:
            self._violation = error
            raise

    def apply_batch(self, batch: Batch) -> Batch:
        """The events to show for `batch`; one that breaks a rule becomes `Failed`, and the rest is left out.

        Raises:
            BadOutput: the answer had ended before.
        """
        if self.ended and batch:
            raise BadOutput("an event came after the end of the answer")
        given: list[Event] = []
        try:
            for event in batch:
                given += self.apply(event)
        except (BadOutput, OutputTooLarge):
            if given and isinstance(given[-1], Finish):
                # The end was not shown yet, and what follows it proves it wrong.
                given.pop()
                self.ended = False
            given += self.close()
        return tuple(given)

    def close(self) -> Batch:
        """What ends an answer that gives no more events: nothing, or `Failed` when it had not ended."""
        if self.ended:
            return ()
        self._end()
        return (Failed(error=self._violation or BrokenStream("the answer ended without its end mark")),)

    def _delta(self, event: Delta) -> Batch:
        part = self._part(event.index)
        to, at, text = event.to, event.at, event.text
        if to not in part.fields:
            raise BadOutput(f"a {_name(part.kind)} has no {to} to append to")
        if to == "summary":
            if not 0 <= at <= part.summaries:
                raise BadOutput(f"there is no summary {at} to append to")
            part.summaries = max(part.summaries, at + 1)
        elif at != 0:
            raise BadOutput(f"{to} has no entry {at}")
        self._grow(part, len(text) if text.isascii() else _size(text))
        if text:
            part.bare_call = False
        return (event,)

    def _rare(self, event: Event) -> Batch:
        self._check_place(event)
        match event:
            case Start():
                self._started = True
            case PartStart():
                self._start_part(event)
            case Amend():
                self._amend(event)
            case PartEnd():
                return self._end_part(event)
            case Signal() | Unknown():
                self._count(_size(event))
            case Finish():
                self._count(_size(event))
                return self._finish(event)
            case Failed():
                self._end()
            case _:
                pass  # usage may come at any time
        return (event,)

    def _check_place(self, event: Event) -> None:
        if self.ended:
            raise BadOutput("an event came after the end of the answer")
        if isinstance(event, Start):
            if self._started:
                raise BadOutput("an answer starts once")
        elif not self._started and not isinstance(event, Failed):
            raise BadOutput("an answer begins with its start")

    def _start_part(self, event: PartStart) -> None:
        if event.index != self.parts:
            raise BadOutput(f"part {event.index} starts where part {self.parts} is next")
        size = _size(event.part)
        self._count(size)
        self._open[event.index] = _Open(event.part, size)
        self.parts += 1

    def _amend(self, event: Amend) -> None:
        part = self._part(event.index)
        if event.citation is not None and part.kind is not Text:
            raise BadOutput(f"a {_name(part.kind)} has no citations")
        self._grow(part, _size(event))

    def _end_part(self, event: PartEnd) -> Batch:
        part = self._part(event.index)
        whole = event.whole
        if whole is not None:
            if type(whole) is not part.kind:
                raise BadOutput(f"a {_name(part.kind)} ends as a {_name(type(whole))}")
            if isinstance(whole, ToolCall) and whole.kind == "function" and not whole.arguments:
                whole = msgspec.structs.replace(whole, arguments="{}")
                event = PartEnd(index=event.index, whole=whole)
            size = _size(whole)
            self._count(size, part.size)
        del self._open[event.index]
        if not part.bare_call:
            return (event,)
        arguments = whole.arguments if isinstance(whole, ToolCall) else "{}"
        return (Delta(index=event.index, text=arguments, to="arguments"), event)

    def _finish(self, event: Finish) -> Batch:
        given: list[Event] = []
        for index in sorted(self._open):
            given += self._end_part(PartEnd(index=index))
        self._end()
        return (*given, event)

    def _end(self) -> None:
        self.ended = True
        self._open.clear()

    def _part(self, index: int) -> _Open:
        part = self._open.get(index)
        if part is None:
            raise BadOutput(f"part {index} is not open")
        return part

    def _grow(self, part: _Open, size: int) -> None:
        self._count(size)
        part.size += size

    def _count(self, size: int, known: int = 0) -> None:
        if size > self._event_bytes:
            raise OutputTooLarge("an event of the answer is over the limit")
        if size > known:
            self._size += size - known
        if self._size > self._output_bytes:
            raise OutputTooLarge("the answer is over the limit")


def _fields(part: AnyPart) -> frozenset[str]:
    if isinstance(part, Media):
        return frozenset({"data", "transcript"} if isinstance(part.source, Inline) else {"transcript"})
    return _FIELDS.get(type(part), _NO_FIELDS)


def _name(kind: type) -> str:
    return str(cast("type[V]", kind).__struct_config__.tag).replace("_", " ")


def _size(value: Any) -> int:
    """The bytes of all text in a value, as UTF-8."""
    if isinstance(value, str):
        return len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, msgspec.Struct):
        return sum([_size(item) for item in msgspec.structs.astuple(value) if item])
    if isinstance(value, dict):
        return sum([_size(item) for pair in cast("dict[Any, Any]", value).items() for item in pair])
    if isinstance(value, (tuple, frozenset)):
        return sum([_size(item) for item in cast("tuple[Any, ...]", value)])
    return 0
