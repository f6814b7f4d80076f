"""The items of an answer, read into parts; the same ones whether they came streamed or whole.

Recorded providers leave out what their documents require, so everything may be missing here. The status of an item
is not kept: it follows from how the answer ended.
"""

from typing import Any

import msgspec

from turnout.model import AnyPart, Extra, Opaque, ToolCall, merge_extra
from turnout.model.errors import BrokenStream, InvalidRequest
from turnout.wire.codec import FORM
from turnout.wire.layers import NULL, Members, Raw, leftover, members, open_string, said, text

from .content import read_content
from .ids import answer_call_id
from .items import CALLS, read_call, read_opaque, read_reasoning
from .members import ITEM, PROTOCOL, bag

_replace: Any = msgspec.structs.replace


def read_item(raw: Raw, output_index: int, answer_id: str, issuer: str) -> tuple[AnyPart, ...]:
    """The parts of one item of an output.

    Raises:
        BrokenStream: it is malformed.
    """
    try:
        row = members(raw, "output")
        kind = open_string(row.get("type")) or ""
        if kind == "message":
            return _message(row, output_index)
        if kind in CALLS:
            return (_call(row, kind, output_index, answer_id),)
        if kind == "reasoning":
            row.pop("status", None)
            return (read_reasoning(row, issuer),)
    except InvalidRequest as error:
        raise BrokenStream(f"the provider's answer holds a malformed item: {error.message}") from error
    return (_opaque(raw, row, kind),)


def _opaque(raw: Raw, row: Members, kind: str) -> Opaque:
    part = read_opaque(raw, kind or "item")
    if kind == "tool_search_call" and open_string(row.get("execution")) == "client":
        must = Extra(protocol=PROTOCOL, members={FORM + "item": "null"}, must=frozenset({kind}))
        return _replace(part, extra=must)
    return part


def item_key(row: Members, output_index: int) -> str:
    """What the parts of one message item have in common: its id, else its place."""
    return open_string(row.get("id")) or f"{FORM}{output_index}"


def item_extra(row: Members) -> Extra | None:
    """What a message item says beside its content."""
    rest = {name: raw for name, raw in row.items() if name not in _OF_ITEM}
    return bag(leftover(rest, ITEM))


_OF_ITEM = frozenset({"type", "id", "role", "status", "content"})


def _message(row: Members, output_index: int) -> tuple[AnyPart, ...]:
    parts, _ = read_content(row.get("content"), "content", "assistant")
    key = item_key(row, output_index)
    parts = tuple([_replace(part, item=key) for part in parts])
    extra = item_extra(row)
    if extra is None or not parts:
        return parts
    return (_replace(parts[0], extra=merge_extra(parts[0].extra, extra)), *parts[1:])


def _call(row: Members, kind: str, output_index: int, answer_id: str) -> ToolCall:
    row.pop("status", None)
    if not said(row.get("call_id")):
        made = open_string(row.get("id")) or answer_call_id(answer_id, output_index)
        row["call_id"] = Raw(msgspec.json.encode(made))
    if not said(row.get(CALLS[kind])):
        row[CALLS[kind]] = _EMPTY
    return read_call(row, kind, "output")


_EMPTY = Raw(b'""')

__all__ = ["NULL", "item_extra", "item_key", "read_item", "text"]
