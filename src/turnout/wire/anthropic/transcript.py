"""Messages and content blocks, written.

Strategy: every message becomes one list of blocks in the order of its parts. Results of calls stand first in the user
message that follows the calls, with whatever the user said next behind them (K01). Blank text is no block, and a
message with nothing left is none (K10), unless the client of this protocol sent it so.
"""

from base64 import b64decode
from typing import Any, cast

import msgspec

from turnout.model import (
    AnyPart,
    Cache,
    Extra,
    Inline,
    Media,
    Message,
    Opaque,
    Refusal,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Url,
)
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.layers import open_object, raw_of
from turnout.wire.losses import Losses

from .blocks import PLAIN_TEXT
from .citations import proven, write_citation
from .dialect import AnthropicDialect
from .members import PROTOCOL, Wire, form, restore, write_cache

Block = Wire | msgspec.Raw
"""A block; one that nobody names is written as its maker wrote it."""

_SYSTEM = frozenset({"system", "developer"})


def write_messages(
    messages: tuple[Message, ...], dialect: AnthropicDialect, losses: Losses
) -> tuple[Any, list[Wire]]:
    """The top-level instructions (`None` when there are none) and all other messages, as JSON-able values.

    Raises:
        Unsupported: one of them says what this protocol has no place for.
        InvalidRequest: a call's arguments are no JSON object, or instructions come late and are refused.
    """
    lead = 0
    while lead < len(messages) and messages[lead].role in _SYSTEM and not _in_place(messages[lead]):
        lead += 1
    told = [block for message in messages[:lead] for block in _system(message, losses)]
    out: list[Wire] = []
    for at, message in enumerate(messages[lead:], lead):
        if message.role in _SYSTEM and dialect.late_system == "refuse" and at > 0:
            param = f"messages[{at}]"
            raise InvalidRequest(f"{param}: instructions may only come first", param=param)
        _add(out, message, f"messages[{at}]", losses)
    return _folded(told), out


def _in_place(message: Message) -> bool:
    return form(message.extra, "place") is not None


def _folded(blocks: list[Block]) -> Any:
    """A lone plain text as a string, nothing as nothing."""
    lone = blocks[0] if len(blocks) == 1 else None
    if isinstance(lone, dict) and lone.keys() == {"type", "text"}:
        return lone["text"]
    return blocks or None


def _system(message: Message, losses: Losses) -> list[Block]:
    _note(message, losses)
    return [block for part in message.parts for block in _text_only(part, losses)]


def _text_only(part: AnyPart, losses: Losses) -> list[Block]:
    if not isinstance(part, Text | Opaque):
        raise Unsupported("messages.role", "instructions hold text only")
    return write_block(part, losses)


def _note(message: Message, losses: Losses) -> None:
    losses.of_extra(message.extra)
    if message.name is not None:
        losses.add("messages.name")
    if message.phase is not None:
        losses.add("messages.phase")


def _add(out: list[Wire], message: Message, param: str, losses: Losses) -> None:
    last = out[-1] if out else None
    if message.role in _SYSTEM:
        blocks, role = _system(message, losses), "system"
    else:
        _note(message, losses)
        role = "assistant" if message.role == "assistant" else "user"
        words = _lone_text(message)
        if words and (last is None or not _is_results(last)):
            out.append({"role": role, "content": words})
            return
        blocks = [block for part in message.parts for block in _block(part, role, param, losses)]
    if not blocks:
        return
    if message.role == "user" and message.extra is None and last is not None and _is_results(last):
        last["content"] = [*last["content"], *blocks]
        return
    wire: Wire = {"role": role, "content": blocks if message.role == "tool" else _folded(blocks)}
    restore(wire, message.extra)
    out.append(wire)


def _lone_text(message: Message) -> str:
    """The words of a message that is one plain text and no more, `""` for any other."""
    part = message.parts[0] if len(message.parts) == 1 else None
    if type(part) is not Text or message.extra is not None or message.role == "tool":
        return ""
    plain = part.extra is None and part.seal is None and part.cache is None and not part.citations
    return part.text if plain and part.text.strip() else ""


def _is_results(wire: Wire) -> bool:
    content = wire["content"]
    if wire["role"] != "user" or not isinstance(content, list):
        return False
    last: Block = cast("list[Block]", content)[-1]
    return isinstance(last, dict) and last["type"] == "tool_result"


def _block(part: AnyPart, role: str, param: str, losses: Losses) -> list[Block]:
    if role == "assistant" and isinstance(part, ToolCall):
        return [_call(part, param, losses)]
    if role == "assistant" and isinstance(part, Media) and form_of(part) is None:
        raise Unsupported(param, "media cannot stand in an assistant message here")
    return write_block(part, losses)


def form_of(part: Media) -> Extra | None:
    """The extra of media that came in this protocol."""
    return part.extra if part.extra is not None and part.extra.protocol == PROTOCOL else None


# ---- blocks ----------------------------------------------------------------------------------------------------------


def write_block(part: AnyPart, losses: Losses) -> list[Block]:
    """One part as no block or one.

    Raises:
        Unsupported: this protocol has no place for it.
    """
    if type(part) is Text and part.extra is None and part.seal is None and part.cache is None:
        wire = _text(part, losses)
        return [] if wire is None else [wire]
    if isinstance(part, Opaque):
        if part.protocol != PROTOCOL:
            raise Unsupported(part.kind)
        return [raw_of(part.body)]
    losses.of_extra(part.extra)
    match part:
        case Text():
            wire = _text(part, losses)
        case Refusal():
            wire = {"type": "text", "text": part.text} if part.text.strip() else None
        case Thinking():
            wire = _thinking(part, losses)
        case Media():
            wire = _media(part, losses)
        case ToolResult():
            wire = _result(part, losses)
        case _:
            raise Unsupported(str(part.__struct_config__.tag))
    if wire is None:
        return []
    return [_finished(wire, part, losses)]


def _finished(wire: Wire, part: AnyPart, losses: Losses) -> Wire:
    if part.seal is not None and not isinstance(part, Thinking):
        losses.add("signature")
    if part.cache is not None:
        wire["cache_control"] = marker(part.cache, part.extra, losses)
    restore(wire, part.extra)
    return wire


def marker(cache: Cache, extra: Extra | None, losses: Losses) -> Any:
    """A cache breakpoint; a lifetime that this protocol lacks is reported."""
    wire, changed = write_cache(cache, extra)
    if changed:
        losses.add("cache_control.ttl")
    return wire


def _text(part: Text, losses: Losses) -> Wire | None:
    if not part.text.strip() and form(part.extra, "blank") is None:
        return None
    wire: Wire = {"type": "text", "text": part.text}
    if part.citations:
        found = [write_citation(citation) for citation in part.citations]
        kept = [row for row in found if row is not None and proven(row)]
        if len(kept) < len(found):
            losses.add("citations")
        if kept:
            wire["citations"] = kept
    return wire


def _thinking(part: Thinking, losses: Losses) -> Wire | None:
    """Reasoning goes back to the provider that proved it, and to no other."""
    seal = part.seal
    if seal is None or seal.issuer != PROTOCOL:
        losses.add("reasoning")
        return None
    if seal.kind == "redacted":
        return {"type": "redacted_thinking", "data": seal.data}
    return {"type": "thinking", "thinking": part.text, "signature": seal.data}


def _call(part: ToolCall, param: str, losses: Losses) -> Wire:
    if part.kind != "function":
        raise Unsupported(f"{param}.tool_calls", "calls of custom tools have no place here")
    if open_object(raw_of(part.arguments)) is None:
        param += ".tool_calls"
        raise InvalidRequest(f"{param}: the arguments of {part.call_id!r} are no JSON object", param=param)
    losses.of_extra(part.extra)
    if part.namespace is not None:
        losses.add("namespace")
    wire = {"type": "tool_use", "id": part.call_id, "name": part.name, "input": raw_of(part.arguments)}
    return _finished(wire, part, losses)


def _result(part: ToolResult, losses: Losses) -> Wire:
    wire: Wire = {"type": "tool_result", "tool_use_id": part.call_id}
    blocks: list[Block] = [block for inner in part.parts for block in write_block(inner, losses)]
    if not blocks and part.structured is not None:
        blocks.append({"type": "text", "text": part.structured})
    content = _folded(blocks)
    if content is not None:
        wire["content"] = content
    if part.is_error:
        wire["is_error"] = True
    return wire


# ---- media -----------------------------------------------------------------------------------------------------------


def _media(part: Media, losses: Losses) -> Wire:
    if part.detail is not None:
        losses.add("detail")
    if part.kind not in ("image", "document"):
        raise Unsupported(f"input_{part.kind}", f"this protocol takes no {part.kind}")
    wire: Wire = {"type": part.kind, "source": _source(part)}
    if part.name is not None:
        if part.kind == "document":
            wire["title"] = part.name
        else:
            losses.add("filename")
    if part.context is not None:
        wire["context"] = part.context
    return wire


def _source(part: Media) -> Wire:
    source = part.source
    match source:
        case Inline(media_type=media_type, data=data):
            if media_type.split(";")[0] == PLAIN_TEXT:
                return {"type": "text", "media_type": PLAIN_TEXT, "data": _words(data)}
            if part.kind == "document" and media_type != "application/pdf" and form_of(part) is None:
                raise Unsupported("file", f"this protocol takes no document of type {media_type}")
            return {"type": "base64", "media_type": media_type, "data": data}
        case Url(url=url):
            if not url.startswith(("http://", "https://")):
                raise Unsupported(f"{part.kind}_url", "an address is http or https here")
            return {"type": "url", "url": url}
        case _:
            if source.owner != PROTOCOL:
                raise Unsupported("file", "the file belongs to another provider")
            return {"type": "file", "file_id": source.ref}


def _words(data: str) -> str:
    try:
        return b64decode(data, validate=True).decode()
    except ValueError:
        raise InvalidRequest("file: a plain text is base64 of UTF-8", param="file") from None
