"""The short way to read what nearly all whole answers are: text and calls, with nothing that nobody names.

Strategy: one typed reading instead of one for each layer. Anything else is left to the reader that goes layer by layer,
and where both can read an answer, both read the same.
"""

from typing import Any, Literal

import msgspec

from turnout.model import AnyPart, Text, ToolCall
from turnout.wire.layers import BROKEN, NOTHING, said, text


class _Block(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    type: Literal["text", "tool_use"]
    text: str | None = None
    citations: None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = NOTHING


class Usual(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """An answer as it stands on the wire."""

    content: list[_Block]
    usage: dict[str, Any]
    id: str = ""
    model: str = ""
    type: Literal["message"] = "message"
    role: Literal["assistant"] = "assistant"
    stop_reason: str | None = None
    stop_sequence: str | None = None
    stop_details: None = None
    container: None = None


_READ = msgspec.json.Decoder(Usual)


def read_usual(data: bytes) -> tuple[Usual, list[AnyPart]] | None:
    """The answer and its parts, `None` when it is not so usual after all."""
    try:
        usual = _READ.decode(data)
        parts = [_part(block) for block in usual.content]
    except BROKEN:
        return None
    return (usual, [part for part in parts if part is not None]) if None not in parts else None


def _part(block: _Block) -> AnyPart | None:
    words, given = block.text, block.input
    if block.type == "text":
        alone = block.id is None and block.name is None and given is NOTHING
        return Text(text=words) if alone and words is not None else None
    if block.id is None or block.name is None or words is not None:
        return None
    return ToolCall(call_id=block.id, name=block.name, arguments=text(given) if said(given) else "{}")
