"""Items grouped into messages, and messages laid flat into items again.

The law of this file: nothing moves. What one side says in a row is one message; all outputs that answer one message's
calls are one `tool` message right behind it, in the order of the calls, as the model wants it. Where that is another
order than the client's, each output remembers its place, and goes back to it.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from turnout.model import (
    AnyPart,
    Extra,
    Media,
    Message,
    Opaque,
    Refusal,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    merge_extra,
)
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.codec import FORM
from turnout.wire.layers import (
    MAYBE_STRING,
    NULL,
    STRING,
    Members,
    Raw,
    members,
    raw_of,
    read,
    text,
    unnamed,
)
from turnout.wire.losses import Losses
from turnout.wire.numbers import whole

from .content import name_of, read_content, write_part
from .dialect import ResponsesDialect
from .items import (
    CALLS,
    RESULTS,
    read_call,
    read_opaque,
    read_reasoning,
    read_result,
    write_call,
    write_reasoning,
    write_result,
)
from .members import ITEM, PROTOCOL, bag, form

Wire = dict[str, Any]

_replace: Any = msgspec.structs.replace
_ROLES: dict[str, Role] = {name: name for name in ("user", "assistant", "system", "developer")}
_ANSWERED = frozenset(
    {
        "compaction",
        "mcp_list_tools",
        "mcp_approval_request",
        "program",
        "reasoning",
        "tool_search_output",
        "item_reference",
    }
)
"""Items that nobody names and that came out of a model's answer, beside all `*_call`; the others are the client's."""
_PLACE = FORM + "place"


# ---- grouping ----------------------------------------------------------------------------------------------------


def read_items(rows: list[Raw]) -> tuple[Message, ...]:
    """The messages that a list of items says.

    Raises:
        InvalidRequest: an item is malformed; `param` names it.
    """
    conversation = _Conversation()
    for at, raw in enumerate(rows):
        conversation.add(raw, at, f"input[{at}]")
    return conversation.close()


class _Turn:
    """What the assistant says in a row, and the outputs of its calls; `places` and `at` count the client's items."""

    def __init__(self) -> None:
        self.parts: list[AnyPart] = []
        self.places: list[int] = []
        self.message: Members | None = None
        self.id: str | None = None
        self.phase: str | None = None
        self.calls: list[str] = []
        self.results: list[tuple[int, ToolResult]] = []


class _Conversation:
    def __init__(self) -> None:
        self._done: list[_Turn | tuple[int, Message]] = []
        self._turn: _Turn | None = None
        self._waiting: dict[str, _Turn] = {}

    def add(self, raw: Raw, at: int, param: str) -> None:
        row = members(raw, param)
        kind = read(MAYBE_STRING, row.get("type", NULL), f"{param}.type", "a string")
        if kind is None or kind == "message":
            self._add_message(row, at, param, bare=kind is None)
        elif kind in CALLS:
            self._add_call(read_call(row, kind, param), at)
        elif kind in RESULTS:
            self._add_result(read_result(row, kind, param), at)
        elif kind == "reasoning":
            self._say([read_reasoning(row, PROTOCOL)], at)
        elif kind in _ANSWERED or kind.endswith("_call"):
            self._say([read_opaque(raw, kind)], at)
        else:
            self._turn = None
            self._done.append((at, Message(role="user", parts=(read_opaque(raw, kind),))))

    def _say(self, parts: list[AnyPart], at: int) -> _Turn:
        turn = self._turn
        if turn is None:
            turn = self._turn = _Turn()
            self._done.append(turn)
        turn.parts.extend(parts)
        turn.places.append(at)
        return turn

    def _add_call(self, call: ToolCall, at: int) -> None:
        turn = self._say([call], at)
        turn.calls.append(call.call_id)
        self._waiting[call.call_id] = turn

    def _add_result(self, result: ToolResult, at: int) -> None:
        self._turn = None
        turn = self._waiting.pop(result.call_id, None)
        if turn is not None:
            turn.results.append((at, result))
            return
        last = self._done[-1] if self._done else None
        if isinstance(last, tuple) and last[1].role == "tool":
            message = _replace(last[1], parts=(*last[1].parts, result))
            self._done[-1] = (last[0], message)
        else:
            self._done.append((at, Message(role="tool", parts=(result,))))

    def _add_message(self, row: Members, at: int, param: str, *, bare: bool) -> None:
        row.pop("type", None)
        word = read(STRING, row.pop("role", NULL), f"{param}.role", "a string")
        role = _ROLES.get(word)
        if role is None:
            raise InvalidRequest(f"{param}.role is not a role of a message", param=f"{param}.role")
        content, listed = read_content(row.pop("content", None), f"{param}.content", role)
        names = _message_names(row, bare=bare, listed=listed, empty=not content)
        ref = read(MAYBE_STRING, names.pop("id", NULL), f"{param}.id", "a string")
        phase = read(MAYBE_STRING, names.pop("phase", NULL), f"{param}.phase", "a string")
        parts = content or (Text(text=""),)
        if role != "assistant":
            self._turn = None
            message = Message(role=role, parts=parts, id=ref, phase=phase, extra=bag(_texts(names)))
            self._done.append((at, message))
            return
        turn = self._turn
        if turn is not None and turn.message is not None and not turn.calls:
            self._turn = None
        self._say_message(list(parts), names, ref, phase, at)

    def _say_message(
        self, parts: list[AnyPart], names: Members, ref: str | None, phase: str | None, at: int
    ) -> None:
        turn = self._turn
        key = ref
        if turn is None or turn.message is None:
            turn = self._say([], at)
            turn.message, turn.phase = names, phase
            phase = None
        else:
            turn.places.append(at)
            key = ref if ref is not None else f"{FORM}{len(turn.parts)}"
        kept = {_item_name(name): text(raw) for name, raw in names.items()}
        if phase is not None:
            kept[ITEM + "phase"] = msgspec.json.encode(phase).decode()
        if key is not None:
            parts = [_replace(part, item=key) for part in parts]
        if kept:
            own = Extra(protocol=PROTOCOL, members=kept)
            parts[0] = _replace(parts[0], extra=merge_extra(parts[0].extra, own))
        turn.parts.extend(parts)

    def close(self) -> tuple[Message, ...]:
        """All messages; outputs that go to another place than the client's remember it."""
        order: list[int] = []
        for entry in self._done:
            if isinstance(entry, tuple):
                count = len(entry[1].parts) if entry[1].role == "tool" else 1
                order.extend(range(entry[0], entry[0] + count))
            else:
                entry.results.sort(key=lambda pair, calls=entry.calls: calls.index(pair[1].call_id))
                order.extend(entry.places)
                order.extend(at for at, _ in entry.results)
        moved = order != sorted(order)
        messages: list[Message] = []
        for entry in self._done:
            if isinstance(entry, tuple):
                messages.append(entry[1])
                continue
            messages.append(Message(role="assistant", parts=tuple(entry.parts), phase=entry.phase))
            if entry.results:
                results = [_placed(result, at) if moved else result for at, result in entry.results]
                messages.append(Message(role="tool", parts=tuple(results)))
        return tuple(messages)


def _message_names(row: Members, *, bare: bool, listed: bool, empty: bool) -> Members:
    """What a message item says beside its content; how it was spelt, under names that other protocols pass over."""
    names = {unnamed(name): raw for name, raw in row.items() if raw != NULL}
    if (status := names.pop("status", None)) is not None:
        names[FORM + "status"] = status
    if bare:
        names[FORM + "bare"] = NULL
    if empty:
        names[FORM + "content"] = Raw(b"[]")
    elif not listed:
        names[FORM + "content"] = Raw(b'""')
    return names


def _texts(names: Members) -> dict[str, str]:
    return {name: text(raw) for name, raw in names.items()}


def _item_name(name: str) -> str:
    return FORM + ITEM + name.removeprefix(FORM) if name.startswith(FORM) else ITEM + name


def _placed(result: ToolResult, at: int) -> ToolResult:
    mark = Extra(protocol=PROTOCOL, members={_PLACE: str(at)})
    return _replace(result, extra=merge_extra(result.extra, mark))


# ---- laying flat -------------------------------------------------------------------------------------------------


class _Entry:
    """One item under way, with what tells its place."""

    __slots__ = ("answers", "call", "place", "wire")

    def __init__(self, wire: Any, *, call: str = "", answers: str = "", place: int | None = None) -> None:
        self.wire = wire
        self.call = call
        self.answers = answers
        self.place = place


def write_items(
    messages: tuple[Message, ...], dialect: ResponsesDialect, losses: Losses, *, lean: bool = False
) -> list[Any]:
    """All messages as items, JSON-able values.

    `lean`: a lone text of the assistant's is its message's content as it is. A list of content is, by the published
    schema, that of a message with an id and a status, which another protocol's history does not have.

    Raises:
        Unsupported: one of them says what this protocol has no place for.
    """
    entries: list[_Entry] = []
    for message in messages:
        match message.role:
            case "tool":
                entries.extend(_results(message, dialect, losses))
            case "assistant":
                entries.extend(_assistant(message, dialect, losses, lean=lean))
            case _:
                entries.append(_Entry(_plain(message, dialect, losses)))
    return [entry.wire for entry in _in_place(entries)]


def _in_place(entries: list[_Entry]) -> list[_Entry]:
    """The entries with those that remember a place put there, unless that would put an output before its call."""
    moved = sorted(
        (entry for entry in entries if entry.place is not None), key=lambda entry: entry.place or 0
    )
    if not moved:
        return entries
    out = [entry for entry in entries if entry.place is None]
    for entry in moved:
        out.insert(entry.place or 0, entry)
    called: set[str] = set()
    known = {entry.call for entry in entries if entry.call}
    for entry in out:
        if entry.answers and entry.answers in known and entry.answers not in called:
            return entries
        called.add(entry.call)
    return out


def _results(message: Message, dialect: ResponsesDialect, losses: Losses) -> Iterable[_Entry]:
    losses.of_extra(message.extra)
    for part in message.parts:
        if not isinstance(part, ToolResult):
            raise Unsupported("messages", "a tool message holds results only")
        place = form(part.extra, "place")
        yield _Entry(
            write_result(part, dialect, losses),
            answers=part.call_id,
            place=None if place is None else whole(place),
        )


def _plain(message: Message, dialect: ResponsesDialect, losses: Losses) -> Any:
    """A message of the user, the system or the developer; an item that nobody names is one of the user's."""
    losses.of_extra(message.extra)
    first = message.parts[0]
    if isinstance(first, Opaque) and form(first.extra, "part") is None:
        if len(message.parts) > 1 or first.protocol != PROTOCOL:
            raise Unsupported(first.kind)
        return raw_of(first.body)
    if message.name is not None:
        losses.add("name")
    names = message.extra.members if message.extra is not None and message.extra.protocol == PROTOCOL else {}
    wire = _head(message.role, message.id, message.phase, bare=FORM + "bare" in names)
    wire["content"] = _content(
        list(message.parts), message.role, names.get(FORM + "content"), dialect, losses
    )
    _restore_item(wire, names, "")
    return wire


def _head(role: str, ref: str | None, phase: str | None, *, bare: bool) -> Wire:
    wire: Wire = {} if bare else {"type": "message"}
    if ref is not None:
        wire["id"] = ref
    wire["role"] = role
    if phase is not None:
        wire["phase"] = phase
    return wire


def _content(
    parts: list[AnyPart], role: Role, written: str | None, dialect: ResponsesDialect, losses: Losses
) -> Any:
    first = parts[0]
    lone = len(parts) == 1 and isinstance(first, Text)
    if written == "[]" and lone and first == Text(text="", extra=first.extra, item=first.item):
        return []
    wires = [write_part(part, role, dialect, losses) for part in parts]
    if written == '""' and lone and len(wires[0]) == 2:
        return wires[0]["text"]
    return wires


def _restore_item(wire: Wire, names: dict[str, str], prefix: str) -> None:
    """Write back what a message item says beside its content, from an `Extra` of this protocol."""
    status = names.get(FORM + prefix + "status")
    if status is not None:
        wire["status"] = raw_of(status)
    for name, json in names.items():
        if name.startswith(prefix) and not name.startswith(FORM):
            wire[name.removeprefix(prefix).removeprefix("/")] = raw_of(json)


_SAID_IN_MESSAGES = (Text, Refusal, Media)


def _in_message(part: AnyPart) -> bool:
    """Whether a part of the assistant's is the content of a message item."""
    return isinstance(part, _SAID_IN_MESSAGES) or form(part.extra, "part") is not None


def _assistant(
    message: Message, dialect: ResponsesDialect, losses: Losses, *, lean: bool
) -> Iterable[_Entry]:
    losses.of_extra(message.extra)
    if message.name is not None:
        losses.add("name")
    phase = message.phase
    for run in _runs(message.parts):
        part = run[0]
        if _in_message(part):
            yield _Entry(_said(run, phase, dialect, losses, lean=lean))
            phase = None
            continue
        match part:
            case ToolCall():
                yield _Entry(write_call(part, losses), call=part.call_id)
            case Thinking():
                wire = write_reasoning(part, dialect, losses)
                if wire is not None:
                    yield _Entry(wire)
            case Opaque(protocol="openai-responses"):
                yield _Entry(raw_of(part.body))
            case _:
                raise Unsupported(name_of(part))


def _runs(parts: tuple[AnyPart, ...]) -> list[list[AnyPart]]:
    """The parts, those of one message item together."""
    runs: list[list[AnyPart]] = []
    for part in parts:
        last = runs[-1][-1] if runs else None
        if last is not None and _in_message(last) and _in_message(part) and not _begins_item(part, last):
            runs[-1].append(part)
        else:
            runs.append([part])
    return runs


def _begins_item(part: AnyPart, last: AnyPart) -> bool:
    if part.item != last.item:
        return True
    names = _own(part)
    return any(name.startswith((ITEM, FORM + ITEM)) for name in names)


def _own(part: AnyPart) -> dict[str, str]:
    return part.extra.members if part.extra is not None and part.extra.protocol == PROTOCOL else {}


def _said(
    run: list[AnyPart],
    phase: str | None,
    dialect: ResponsesDialect,
    losses: Losses,
    *,
    lean: bool,
) -> Wire:
    """A run of the assistant's parts as one message item."""
    first = run[0]
    names = _own(first)
    key = first.item
    ref = None if key is None or key.startswith(FORM) else key
    wire = _head("assistant", ref, phase, bare=FORM + ITEM + "bare" in names)
    written = names.get(FORM + ITEM + "content", '""' if lean else None)
    wire["content"] = _content(run, "assistant", written, dialect, losses)
    _restore_item(wire, names, ITEM)
    return wire


__all__ = ["read_items", "write_items"]
