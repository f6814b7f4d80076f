"""Whole answers, in both directions."""

from typing import Any

import msgspec

from turnout.model import (
    Answer,
    AnyPart,
    Extra,
    Json,
    Media,
    Opaque,
    Refusal,
    Text,
    Thinking,
    ToolCall,
)
from turnout.model.errors import BrokenStream, InvalidRequest, Unsupported
from turnout.wire.codec import FORM, Seed
from turnout.wire.failures import error_in
from turnout.wire.layers import (
    BROKEN,
    NULL,
    Members,
    leftover,
    open_object,
    open_string,
    raw_of,
    said,
    text,
)
from turnout.wire.losses import Losses

from .blocks import read_block
from .citations import write_citation
from .members import PROTOCOL, Wire, bag, form, restore
from .stop import stop_of, word_of
from .usage import PREFIX, beside_usage, read_usage, write_usage
from .usual import read_usual

_encode = msgspec.json.Encoder().encode
_TOP = msgspec.json.Decoder(dict[str, msgspec.Raw])
_BLOCKS: "msgspec.json.Decoder[list[msgspec.Raw]]" = msgspec.json.Decoder(list[msgspec.Raw])
_ROW: "msgspec.json.Decoder[dict[str, Any]]" = msgspec.json.Decoder(dict[str, Any])
_NAMED = frozenset(
    {"id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "stop_details", "usage"}
)
CUT = "INVALID_JSON"
"""The member under which half of a call's arguments stand, in a whole answer that was cut inside them; Anthropic's
documents on tool streaming name it for JSON that cannot be an object."""


# ---- reading -----------------------------------------------------------------------------------------------------


def decode_answer(data: bytes) -> Answer:
    """A whole answer.

    Raises:
        BrokenStream: the bytes are empty or no message.
        ProviderError: they are an error, whatever the status was.
    """
    usual = read_usual(data)
    if usual is None:
        return layered(data)
    row, parts = usual
    return _answer(row.id, row.model, parts, row.stop_reason, row.stop_sequence, row.usage, {})


def layered(data: bytes) -> Answer:
    """A whole answer, read layer by layer; see `decode_answer`."""
    if not data.strip():
        raise BrokenStream("the provider's answer is empty")
    try:
        top: Members = _TOP.decode(data)
        blocks = _BLOCKS.decode(top.get("content", NULL))
    except BROKEN:
        raise error_in(data) or BrokenStream("the provider's answer is not a message") from None
    parts = [answer_part(block) for block in blocks]
    details = top.get("stop_details")
    names = message_extra(top)
    if details is not None and said(details):
        names["stop_details"] = text(details)
    return _answer(
        open_string(top.get("id")) or "",
        open_string(top.get("model")) or "",
        parts,
        open_string(top.get("stop_reason")),
        open_string(top.get("stop_sequence")),
        usage_row(top.get("usage")),
        names,
        refusal_of(details),
    )


def _answer(
    answer_id: str,
    model: str,
    parts: list[AnyPart],
    word: str | None,
    sequence: str | None,
    counts: dict[str, Any],
    names: dict[str, Json],
    refusal: Refusal | None = None,
) -> Answer:
    stop, raw, extra = stop_of(word, _ends_in_call(parts))
    names |= beside_usage(counts)
    if extra is not None:
        names |= extra.members
    return Answer(
        id=answer_id,
        model=model,
        parts=tuple(parts) if refusal is None else (*parts, refusal),
        stop=stop,
        stop_raw=raw,
        stop_sequence=sequence,
        usage=read_usage(counts),
        extra=bag(names) if names else None,
    )


def _ends_in_call(parts: list[AnyPart]) -> bool:
    """Whether the last part that says anything is a call."""
    for part in reversed(parts):
        if not isinstance(part, Text) or part.text or part.citations:
            return isinstance(part, ToolCall)
    return False


def answer_part(raw: msgspec.Raw) -> AnyPart:
    """One block of an answer.

    Raises:
        BrokenStream: it lacks what its type needs.
    """
    try:
        part = read_block(raw, "content")
    except InvalidRequest as error:
        raise BrokenStream(f"the provider's answer holds a malformed block: {error.message}") from None
    if isinstance(part, Text) and part.extra is not None and form(part.extra, "blank") is not None:
        kept = {name: json for name, json in part.extra.members.items() if name != FORM + "blank"}
        return msgspec.structs.replace(part, extra=bag(kept))
    return part


def message_extra(row: Members) -> dict[str, Json]:
    """The members of a message that nobody names."""
    return leftover({name: raw for name, raw in row.items() if name not in _NAMED})


def usage_row(raw: msgspec.Raw | None) -> dict[str, Any]:
    """Usage as values, nothing when it is no object."""
    if raw is None:
        return {}
    try:
        return _ROW.decode(raw)
    except BROKEN:
        return {}


def refusal_of(details: msgspec.Raw | None) -> Refusal | None:
    """The refusal in words that `stop_details` holds."""
    row = open_object(details)
    if row is None or open_string(row.get("type")) != "refusal":
        return None
    words = open_string(row.get("explanation"))
    return Refusal(text=words, category=open_string(row.get("category"))) if words else None


# ---- writing -----------------------------------------------------------------------------------------------------


def encode_answer(answer: Answer, seed: Seed) -> tuple[bytes, tuple[str, ...]]:
    """A whole answer, and the names of what was left out.

    Reasoning is shown only with the proof of this protocol, since a client would send it back (K13).

    Raises:
        Unsupported: the answer holds what this protocol cannot say.
        BrokenStream: a call's arguments are no JSON object, or it ended for a reason that nobody names.
    """
    losses = Losses(PROTOCOL)
    losses.of_extra(answer.extra)
    if answer.metadata:
        losses.add("metadata")
    cut = answer.stop in ("length", "context_full")
    content = [block for part in answer.parts for block in _block(part, cut, losses)]
    refused = "".join(part.text for part in answer.parts if isinstance(part, Refusal))
    category = next((part.category for part in answer.parts if isinstance(part, Refusal)), None)
    wire: Wire = {
        "id": answer.id or seed.id,
        "type": "message",
        "role": "assistant",
        "model": answer.model or seed.model,
        "content": content,
        "stop_reason": word_of(answer.stop, answer.extra),
        "stop_sequence": answer.stop_sequence,
        "usage": write_usage(answer.usage, answer.extra),
    }
    details = stop_details(answer.extra, refused, category)
    if details is not None:
        wire["stop_details"] = details
    restore_message(wire, answer.extra)
    return _encode(wire), losses.names


def stop_details(extra: Extra | None, refused: str, category: str | None) -> Any:
    """Why the model refused, as it came or in the words of its refusal."""
    if extra is not None and extra.protocol == PROTOCOL and "stop_details" in extra.members:
        return raw_of(extra.members["stop_details"])
    if not refused:
        return None
    return {"type": "refusal", "category": category, "explanation": refused}


def restore_message(wire: Wire, extra: Extra | None) -> None:
    """Write back what the decoder kept of a message of this protocol."""
    if extra is None or extra.protocol != PROTOCOL:
        return
    kept = {
        name: json
        for name, json in extra.members.items()
        if not name.startswith(PREFIX) and name not in ("stop_reason", "stop_details")
    }
    restore(wire, bag(kept))


def _block(part: AnyPart, cut: bool, losses: Losses) -> list[Any]:
    match part:
        case Text():
            note(part, losses)
            return [_text(part, losses)] if part.text or part.citations else []
        case ToolCall():
            note(part, losses)
            return [_call(part, cut)]
        case Thinking():
            return thought(part, losses)
        case Refusal():
            note(part, losses)
            return []
        case Opaque(protocol="anthropic-messages"):
            return [raw_of(part.body)]
        case Opaque():
            losses.of_opaque(part)
            return []
        case Media():
            losses.add(f"modalities.{part.kind}")  # nobody can ask for it in this protocol
            return []
        case _:
            raise Unsupported(
                str(part.__struct_config__.tag), "this protocol has no place for it in an answer"
            )


def note(part: AnyPart, losses: Losses) -> None:
    """Note what a part carries beside its content that this protocol has no place for."""
    losses.of_extra(part.extra)
    if part.seal is not None:
        losses.add("signature")


def thought(part: Thinking, losses: Losses) -> list[Wire]:
    """Reasoning with the proof of this protocol as one block, other as none."""
    seal = part.seal
    if seal is None or seal.issuer != PROTOCOL:
        losses.add("reasoning")
        return []
    if seal.kind == "redacted":
        wire: Wire = {"type": "redacted_thinking", "data": seal.data}
    else:
        wire = {"type": "thinking", "thinking": part.text, "signature": seal.data}
    restore(wire, part.extra)
    return [wire]


def _text(part: Text, losses: Losses) -> Wire:
    wire: Wire = {"type": "text", "text": part.text}
    if part.citations:
        found = [write_citation(citation) for citation in part.citations]
        wire["citations"] = [row for row in found if row is not None]
        if None in found:
            losses.add("citations")
    restore(wire, part.extra)
    return wire


def call_shell(part: ToolCall) -> Wire:
    """A call without its arguments.

    Raises:
        Unsupported: it is a call of a custom tool.
    """
    if part.kind != "function":
        raise Unsupported("tools", "a call of a custom tool cannot be told in this protocol")
    wire: Wire = {"type": "tool_use", "id": part.call_id, "name": part.name, "input": {}}
    restore(wire, part.extra)
    return wire


def _call(part: ToolCall, cut: bool) -> Wire:
    wire = call_shell(part)
    raw = raw_of(part.arguments)
    if open_object(raw) is not None:
        wire["input"] = raw
    elif cut:
        wire["input"] = {CUT: part.arguments}
    else:
        raise BrokenStream(f"the arguments of the call of {part.name} are no JSON object")
    return wire
