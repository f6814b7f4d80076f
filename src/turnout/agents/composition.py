"""What an agent says, as the events of one answer: parts are begun, ended and numbered here."""

import json
from hashlib import blake2s
from typing import Any

import msgspec

from turnout.model import (
    Amend,
    AnyPart,
    Delta,
    Event,
    Extension,
    Message,
    PartEnd,
    PartStart,
    Refusal,
    Text,
    Thinking,
    ToolCall,
)
from turnout.model.errors import BadOutput

_PARTS: tuple[type, ...] = AnyPart.__args__
_replace: Any = msgspec.structs.replace


class Composition:
    """The parts of one answer, in the order in which they begin.

    `thoughts`: whether thinking is shown; else it is left out. `seed` makes the ids of calls, the same for the same
    request.
    """

    __slots__ = ("_live", "_next", "_numbers", "_seed", "_thoughts", "kinds")

    def __init__(self, *, thoughts: bool, seed: str) -> None:
        self.kinds: set[type] = set()
        self._thoughts = thoughts
        self._seed = seed
        self._next = 0
        self._live: tuple[int, type] | None = None
        self._numbers: dict[int, int | None] = {}

    def grown(self, text: str, shell: Text | Thinking) -> list[Event]:
        """A piece of text for the part of this kind that is under way, or for a new one."""
        kind = type(shell)
        if self._left_out(shell):
            return []
        if self._live is not None and self._live[1] is kind:
            return [Delta(index=self._live[0], text=text)]
        events = self.ended()
        index = self._number(shell)
        self._live = (index, kind)
        return [*events, PartStart(index=index, part=shell), Delta(index=index, text=text)]

    def ended(self) -> list[Event]:
        """The end of the part that pieces of text go to, if there is one."""
        if self._live is None:
            return []
        index, self._live = self._live[0], None
        return [PartEnd(index=index)]

    def whole(self, item: AnyPart | Message) -> list[Event]:
        """One complete part, or all parts of a message.

        Raises:
            BadOutput: it is neither, not the assistant's, or its JSON is none.
        """
        if isinstance(item, Message):
            if item.role != "assistant":
                raise BadOutput(f"an agent's message is the assistant's, not the {item.role}'s")
            parts = item.parts
        else:
            parts = (item,)
        events = self.ended()
        for part in parts:
            if not self._left_out(part):
                events += self._part(part)
        return events

    def passed(self, event: PartStart | Delta | Amend | PartEnd) -> list[Event]:
        """An event of another numbering, in this one's.

        Raises:
            BadOutput: it is about a part that has not begun.
        """
        if isinstance(event, PartStart):
            events = self.ended()
            shown = not self._left_out(event.part)
            number = self._numbers[event.index] = self._number(event.part) if shown else None
            return [] if number is None else [*events, PartStart(index=number, part=event.part)]
        if event.index not in self._numbers:
            raise BadOutput(f"part {event.index} is not open")
        number = self._numbers[event.index]
        return [] if number is None else [_replace(event, index=number)]

    def call_id(self) -> str:
        """The id of a call that is given none."""
        return "call_" + blake2s(f"{self._seed}/{self._next}".encode(), digest_size=12).hexdigest()

    def _left_out(self, part: AnyPart) -> bool:
        return isinstance(part, Thinking) and not self._thoughts

    def _number(self, part: AnyPart) -> int:
        self.kinds.add(type(part))
        number = self._next
        self._next += 1
        return number

    def _part(self, part: AnyPart) -> list[Event]:
        if not isinstance(part, _PARTS):
            raise BadOutput(f"an agent emits parts, not {type(part).__name__}")
        if isinstance(part, ToolCall) and part.kind == "function":
            check_arguments(part.arguments)
        if isinstance(part, Extension):
            check_json(part.data)
        index = self._number(part)
        inner: list[Event] = []
        if isinstance(part, Text):
            inner = [Delta(index=index, text=part.text)] if part.text else []
            inner += [Amend(index=index, citation=citation) for citation in part.citations]
            part = _replace(part, text="", citations=())
        elif isinstance(part, Refusal):
            inner = [Delta(index=index, text=part.text)] if part.text else []
            part = _replace(part, text="")
        elif isinstance(part, ToolCall):
            inner = [Delta(index=index, text=part.arguments, to="arguments")]
            part = _replace(part, arguments="")
        return [PartStart(index=index, part=part), *inner, PartEnd(index=index)]


def arguments_of(value: Any) -> str:
    """The arguments of a call as JSON text; nothing is `{}`.

    Raises:
        BadOutput: they are not an object that JSON can say.
    """
    if isinstance(value, str):
        return value
    try:
        return "{}" if value is None else json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        raise BadOutput("the arguments of a tool call cannot be written as JSON") from None


def check_arguments(text: str) -> None:
    """See that a call's arguments are the JSON text of an object.

    Raises:
        BadOutput: they are not.
    """
    try:
        whole = isinstance(json.loads(text), dict)
    except ValueError:
        whole = False
    if not whole:
        raise BadOutput("the arguments of a tool call are the JSON text of an object")


def check_json(text: str) -> None:
    """See that a text is JSON.

    Raises:
        BadOutput: it is not.
    """
    try:
        json.loads(text)
    except ValueError:
        raise BadOutput("the data of an extension is JSON text") from None
