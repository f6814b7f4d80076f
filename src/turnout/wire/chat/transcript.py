"""The messages of a request, written.

Strategy: what came in this protocol goes back into its own place and spelling; what came from another one takes the
place that Chat Completions has for it, or is refused by name. Media in tool results of other protocols go into a
user message behind the run of tool messages, since a tool message takes text only (openai 3.57).
"""

from typing import Any

import msgspec

from turnout.model import (
    AnyPart,
    Inline,
    Media,
    Message,
    Opaque,
    Refusal,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from turnout.model.errors import Unsupported

from .content import write_cache, write_content
from .dialect import ChatDialect
from .google import returned_signature
from .losses import Losses
from .members import form, raw_of, read_cache, restore
from .reasoning import write_thinking

Wire = dict[str, Any]


def write_messages(messages: tuple[Message, ...], dialect: ChatDialect, losses: Losses) -> list[Wire]:
    """All messages as JSON-able values.

    Raises:
        Unsupported: one of them says what this protocol has no place for.
    """
    out: list[Wire] = []
    for message in messages:
        losses.of_extra(message.extra)
        if message.phase is not None:
            losses.add("phase")
        match message.role:
            case "tool":
                out.extend(_results(message, dialect, losses))
            case "assistant":
                out.append(_assistant(message, dialect, losses))
            case _:
                out.append(_plain(message, dialect, losses))
    return out


def _plain(message: Message, dialect: ChatDialect, losses: Losses) -> Wire:
    role = message.role
    if role == "developer" and not dialect.developer:
        role = "system"
    if role != "user":
        for part in message.parts:
            if isinstance(part, Media) and form(part.extra, "here") is None:
                raise _no_place(part, "an instruction")
    wire: Wire = {"role": role, "content": write_content(list(message.parts), dialect, losses)}
    return _finish(wire, message, dialect)


def _no_place(part: Media, whose: str) -> Unsupported:
    """Messages of all but the user take text only (OpenAI's schema of 2026-08-21)."""
    return Unsupported(f"messages.{part.kind}", f"{whose}'s {part.kind} has no place here")


def _finish(wire: Wire, message: Message, dialect: ChatDialect) -> Wire:
    if message.name is not None:
        wire["name"] = message.name
    last = message.parts[-1]
    written = form(last.extra, "message.cache_control")
    if written is not None and read_cache(raw_of(written)) == last.cache:
        wire["cache_control"] = raw_of(written)
    restore(wire, message.extra)
    return wire


def _assistant(message: Message, dialect: ChatDialect, losses: Losses) -> Wire:
    wire: Wire = {"role": "assistant", "content": None}
    content: list[AnyPart] = []
    calls: list[Any] = []
    for part in message.parts:
        match part:
            case ToolCall() if form(part.extra, "function_call") is not None:
                wire["function_call"] = {"name": part.name, "arguments": part.arguments}
                restore(wire, part.extra)
            case ToolCall():
                calls.append(write_call(part, dialect, losses))
            case Opaque() if form(part.extra, "tool_calls") is not None:
                calls.append(raw_of(part.body))
            case Thinking() if form(part.extra, "thinking") is None:
                write_thinking(wire, part, dialect, losses)
            case Media(kind="audio"):
                _audio(wire, part, losses)
            case Refusal() if "refusal" not in wire and form(part.extra, "part") is None:
                losses.of_part(part)
                wire["refusal"] = part.text
            case Media() if form(part.extra, "here") is None:
                raise _no_place(part, "an assistant")
            case _:
                content.append(part)
    wire["content"] = write_content(content, dialect, losses)
    if calls:
        wire["tool_calls"] = calls
    return _finish(wire, message, dialect)


def _audio(wire: Wire, part: Media, losses: Losses) -> None:
    """Sound that the model made before goes back as its id only."""
    if part.id is None:
        raise Unsupported("audio", "sound of an assistant goes back by its id only")
    losses.of_part(part)
    wire["audio"] = {"id": part.id}
    restore(wire, part.extra)


def write_call(part: ToolCall, dialect: ChatDialect, losses: Losses) -> Wire:
    """One tool call as JSON-able values."""
    losses.of_extra(part.extra)
    if part.kind == "custom":
        body: Wire = {"name": part.name, "input": part.arguments}
    else:
        body = {"name": part.name, "arguments": part.arguments}
    wire: Wire = {"id": part.call_id, "type": part.kind, part.kind: body}
    write_cache(wire, part, dialect, losses)
    restore(wire, part.extra)
    if part.seal is not None and not returned_signature(wire, part, dialect):
        losses.add("signature")
    if part.namespace is not None:
        losses.add("namespace")
    return wire


def _results(message: Message, dialect: ChatDialect, losses: Losses) -> list[Wire]:
    out: list[Wire] = []
    shown: list[AnyPart] = []
    for part in message.parts:
        if not isinstance(part, ToolResult):
            raise Unsupported("messages", "a tool message holds results only")
        out.append(_result(part, shown, dialect, losses))
    if shown:
        out.append({"role": "user", "content": write_content(shown, dialect, losses)})
    return out


def _result(part: ToolResult, shown: list[AnyPart], dialect: ChatDialect, losses: Losses) -> Wire:
    losses.of_part(part)
    content: list[AnyPart] = []
    for inner in part.parts:
        if isinstance(inner, Media) and form(inner.extra, "here") is None:
            shown.append(inner)
            content.append(
                Text(text=f"[{_kind(inner)} {len(shown)} of the tool results is in the next message]")
            )
        else:
            content.append(inner)
    if not content and part.structured is not None:
        content = [Text(text=part.structured)]
    if part.is_error:
        content = _failed(content)
    body = write_content(content, dialect, losses)
    if form(part.extra, "role") is not None:
        wire: Wire = {"role": "function", "name": part.name, "content": body or ""}
    else:
        wire = {"role": "tool", "tool_call_id": part.call_id, "content": body or ""}
        if part.name is not None:
            wire["name"] = part.name
    write_cache(wire, part, dialect, losses)
    restore(wire, part.extra)
    return wire


def _failed(content: list[AnyPart]) -> list[AnyPart]:
    """The content of a failed call's result, which says in words that it failed: there is no other place for it."""
    first = content[0] if content else None
    if isinstance(first, Text):
        if first.text[:5].lower() == "error":
            return content
        return [msgspec.structs.replace(first, text=f"Error: {first.text}"), *content[1:]]
    return [Text(text="Error"), *content]


def _kind(part: Media) -> str:
    kind = part.kind
    return kind if not isinstance(part.source, Inline) else f"{kind} ({part.source.media_type})"
