"""The contents of a request, read into messages.

Strategy: results stand among the user's parts here; they become the one `tool` message that answers the calls before
it, ahead of what else the user says (K01). Ids are optional and often missing on one side only, so a result finds
its call by id, else by name, in the order of the calls.
"""

from typing import Any

import msgspec

from turnout.model import AnyPart, Message, Role, Text, ToolCall, ToolResult
from turnout.model.errors import InvalidRequest
from turnout.wire.codec import FORM

from .ids import call_id as derived_id
from .members import MAYBE_STRING, NULL, Raw, bag, leftover, listed, members, read, said, text
from .parts import read_part

_replace: Any = msgspec.structs.replace
_ROLES: dict[str, Role] = {
    "": "user",
    "user": "user",
    "function": "user",
    "tool": "user",
    "model": "assistant",
}
EMPTY = FORM + "parts"
"""Remembers the parts of a content that says nothing."""
ROLE = FORM + "role"
"""Remembers a role that is another spelling."""
_NOTHING: tuple[AnyPart, ...] = (Text(text=""),)


def read_contents(raw: Raw | None) -> list[Message]:
    """All contents.

    Raises:
        InvalidRequest: one is malformed; `param` names the place.
    """
    conversation = _Conversation()
    for at, content in enumerate(listed(raw, "contents")):
        conversation.add(content, f"contents[{at}]")
    return conversation.messages


def read_system(raw: Raw) -> Message | None:
    """The system instruction, a content or a text; `None` when it says nothing.

    Raises:
        InvalidRequest: it is malformed.
    """
    if bytes(raw)[:1] == b'"':
        words = read(MAYBE_STRING, raw, "systemInstruction", "a content")
        return Message(role="system", parts=(Text(text=words),)) if words else None
    row = members(raw, "systemInstruction")
    parts = _parts(row.pop("parts", None), "systemInstruction")
    row.pop("role", None)
    if any(isinstance(part, ToolCall | ToolResult) for part in parts):
        raise InvalidRequest("a system instruction holds no calls", param="systemInstruction.parts")
    return Message(role="system", parts=parts, extra=bag(leftover(row))) if parts else None


def _parts(raw: Raw | None, param: str) -> tuple[AnyPart, ...]:
    parts = [read_part(part, f"{param}.parts[{at}]") for at, part in enumerate(listed(raw, f"{param}.parts"))]
    return tuple([part for part in parts if part != _NOTHING[0]])


class _Conversation:
    """The messages so far, and the calls that are not answered yet."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._calls: list[tuple[str, str]] = []
        self._derived = 0

    def add(self, raw: Raw, param: str) -> None:
        row = members(raw, param)
        word = read(MAYBE_STRING, row.pop("role", NULL), f"{param}.role", "a string") or ""
        role = _ROLES.get(word)
        if role is None:
            raise InvalidRequest(f"{param}.role is not a role of a content", param=f"{param}.role")
        written = row.pop("parts", None)
        parts = _parts(written, param)
        names = leftover(row)
        if not parts:
            names[EMPTY] = text(written) if written is not None and said(written) else "[]"
            parts = _NOTHING
        if role == "user":
            self._add_user(parts, names, param, word)
        else:
            self._add_model(parts, names, param)

    def _add_model(self, parts: tuple[AnyPart, ...], names: dict[str, str], param: str) -> None:
        if any(isinstance(part, ToolResult) for part in parts):
            raise InvalidRequest(f"{param}: a result is said by the user", param=f"{param}.role")
        identified: list[AnyPart] = []
        for part in parts:
            if isinstance(part, ToolCall):
                if not part.call_id:
                    part = _replace(part, call_id=self._new_id())  # noqa: PLW2901
                self._calls.append((part.call_id, part.name))
            identified.append(part)
        self.messages.append(Message(role="assistant", parts=tuple(identified), extra=bag(names)))

    def _add_user(self, parts: tuple[AnyPart, ...], names: dict[str, str], param: str, word: str) -> None:
        results = [part for part in parts if isinstance(part, ToolResult)]
        others = tuple([part for part in parts if not isinstance(part, ToolResult)])
        if any(isinstance(part, ToolCall) for part in others):
            raise InvalidRequest(f"{param}: a call is made by the model", param=f"{param}.role")
        if results and word in ("function", "tool"):
            names[ROLE] = f'"{word}"'
        extra = bag(names)
        if results:
            answered = self._matched(results)
            self.messages.append(Message(role="tool", parts=tuple(answered), extra=extra))
            extra = None
        if others:
            self.messages.append(Message(role="user", parts=others, extra=extra))

    def _matched(self, results: list[ToolResult]) -> list[ToolResult]:
        """The results under the ids of the calls that they answer, in the order of the calls."""
        order = {call: at for at, (call, _) in enumerate(self._calls)}
        found: list[tuple[int, ToolResult]] = []
        for result in results:
            place = self._place(result)
            if place is None:
                call = result.call_id or self._new_id()
                found.append((len(order), _replace(result, call_id=call)))
            else:
                call, _ = self._calls.pop(place)
                found.append((order[call], _replace(result, call_id=call)))
        return [result for _, result in sorted(found, key=lambda pair: pair[0])]

    def _new_id(self) -> str:
        """An id that depends on the order of what lacks one, however contents are grouped."""
        self._derived += 1
        return derived_id(f"contents/{self._derived}")

    def _place(self, result: ToolResult) -> int | None:
        """Which of the open calls a result answers: the one of its id, else the first of its name."""
        for at, (call, name) in enumerate(self._calls):
            if call == result.call_id if result.call_id else name == result.name:
                return at
        return None
