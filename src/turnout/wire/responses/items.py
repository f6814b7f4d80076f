"""Items that are one part each: calls, their outputs, reasoning; in both directions.

Shapes: the item types of openai 3.57. An item of any other type is an `Opaque` part of the side that sends it.
"""

from typing import Any

import msgspec

from turnout.model import AnyPart, Extra, Media, Opaque, Text, Thinking, ToolCall, ToolResult
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.codec import FORM
from turnout.wire.layers import (
    BROKEN,
    NOTHING,
    NULL,
    STRING,
    Members,
    Raw,
    leftover,
    open_object,
    open_string,
    raw_of,
    read,
    said,
    text,
)
from turnout.wire.losses import Losses

from .content import name_of, read_content, write_part
from .dialect import ResponsesDialect
from .members import PROTOCOL, bag, form, restore
from .seals import is_ours, read_seal

Names = dict[str, str]
Wire = dict[str, Any]

CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
"""Item types of calls that clients answer, and the member that holds what the model wrote."""
RESULTS = {"function_call_output": "function", "custom_tool_call_output": "custom"}
"""Item types of what running a tool gave, and the kind of tool."""

CLIENTS_PART = frozenset(
    {
        "apply_patch_call",
        "computer_call",
        "image_generation_call",
        "local_shell_call",
        "mcp_approval_request",
        "shell_call",
    }
)
"""Items of an answer that a client has to answer itself, or that are the answer."""

_LIST: "msgspec.json.Decoder[list[Raw]]" = msgspec.json.Decoder(list[Raw])


# ---- reading -----------------------------------------------------------------------------------------------------


def read_call(row: Members, kind: str, param: str) -> ToolCall:
    """A call.

    Raises:
        InvalidRequest: it lacks its id, name or arguments.
    """
    call_id = read(STRING, row.pop("call_id", NULL), f"{param}.call_id", "a string")
    fields: dict[str, Any] = {"id": _take(row, "id"), "namespace": _take(row, "namespace")}
    name = read(STRING, row.pop("name", NULL), f"{param}.name", "a string")
    member = CALLS[kind]
    words = arguments_of(row.pop(member, NULL))
    if words is None:
        raise InvalidRequest(f"{param}.{member} must be a string", param=f"{param}.{member}")
    custom = kind == "custom_tool_call"
    return ToolCall(
        call_id=call_id,
        name=name,
        arguments=words or ("" if custom else "{}"),
        kind="custom" if custom else "function",
        extra=bag(_rest(row)),
        **fields,
    )


def arguments_of(raw: Raw) -> str | None:
    """Arguments as text; a server that sends an object means its JSON."""
    word = open_string(raw)
    if word is None and open_object(raw) is not None:
        return text(raw)
    return word


def read_result(row: Members, kind: str, param: str) -> ToolResult:
    """What running a tool gave.

    Raises:
        InvalidRequest: it lacks its call id, or its output is malformed.
    """
    call_id = read(STRING, row.pop("call_id", NULL), f"{param}.call_id", "a string")
    fields: dict[str, Any] = {"id": _take(row, "id"), "name": _take(row, "name")}
    parts, listed = read_content(row.pop("output", NULL), f"{param}.output", "tool")
    names = _rest(row)
    if fields["name"] is not None:
        names[FORM + "name"] = "null"
    if listed:
        names[FORM + "output"] = "[]"
    elif parts == (Text(text=""),):
        parts = ()
    return ToolResult(
        call_id=call_id,
        parts=parts,
        kind="custom" if RESULTS[kind] == "custom" else "function",
        extra=bag(names),
        **fields,
    )


def read_reasoning(row: Members, issuer: str) -> Thinking:
    """Reasoning: summaries, raw text, and what its maker encrypted. What is malformed in it stays in its bag."""
    ref = _take(row, "id")
    names: Names = {FORM + "reasoning": "null"}
    summary = _texts(row.get("summary"))
    if summary is not None:
        if "summary" not in row:
            names[FORM + "summary"] = "null"
        row.pop("summary", None)
    content = _texts(row.get("content"))
    if content is not None:
        raw = row.pop("content", NULL)
        if said(raw) and (len(content) != 1 or not content[0]):
            names[FORM + "content"] = text(raw)
    sealed = open_string(row.get("encrypted_content"))
    if sealed is not None:
        del row["encrypted_content"]
    names.update(_rest(row))
    return Thinking(
        id=ref,
        text="".join(content or ()),
        summary=tuple(summary or ()),
        seal=None if sealed is None else read_seal(sealed, issuer),
        extra=bag(names),
    )


class _Said(msgspec.Struct, gc=False):
    text: str = ""


_SAID: "msgspec.json.Decoder[list[_Said] | None]" = msgspec.json.Decoder(list[_Said] | None)


def _texts(raw: Raw | None) -> list[str] | None:
    """The texts of a list of `{type, text}`; `None` when it is no such list."""
    try:
        return [one.text for one in _SAID.decode(NULL if raw is None else raw) or ()]
    except BROKEN:
        return None


def read_opaque(raw: Raw, kind: str) -> Opaque:
    """An item that nobody names."""
    must = frozenset({kind}) if kind in CLIENTS_PART else frozenset[str]()
    extra = Extra(protocol=PROTOCOL, members={FORM + "item": "null"}, must=must) if must else None
    return Opaque(protocol=PROTOCOL, kind=kind, body=text(raw), extra=extra)


def _take(row: Members, name: str) -> str | None:
    """A member that is a string, taken out of `row`; what is something else stays in it."""
    value = open_string(row.get(name))
    if value is not None:
        del row[name]
    return value


def _rest(row: Members) -> Names:
    """The members that are left; `status` says nothing that an item in a history does not say itself."""
    row.pop("type", None)
    status = row.pop("status", NOTHING)
    names = leftover(row)
    if said(status):
        names[FORM + "status"] = text(status)
    return names


# ---- writing -----------------------------------------------------------------------------------------------------


def write_call(part: ToolCall, losses: Losses) -> Wire:
    """A call as JSON-able values; its arguments come last."""
    losses.of_extra(part.extra)
    if part.seal is not None:
        losses.add("signature")
    if part.cache is not None:
        losses.add("cache_control")
    custom = part.kind == "custom"
    wire: Wire = {"type": "custom_tool_call" if custom else "function_call"}
    if part.id is not None:
        wire["id"] = part.id
    wire.update({"call_id": part.call_id, "name": part.name})
    if part.namespace is not None:
        wire["namespace"] = part.namespace
    wire["input" if custom else "arguments"] = part.arguments
    _finish(wire, part.extra)
    return wire


def write_result(part: ToolResult, dialect: ResponsesDialect, losses: Losses) -> Wire:
    """What running a tool gave, as JSON-able values.

    Raises:
        Unsupported: it holds what this protocol does not take from a tool.
    """
    losses.of_extra(part.extra)
    if part.is_error:
        losses.add("is_error")
    if part.cache is not None:
        losses.add("cache_control")
    wire: Wire = {"type": "custom_tool_call_output" if part.kind == "custom" else "function_call_output"}
    if part.id is not None:
        wire["id"] = part.id
    wire["call_id"] = part.call_id
    wire["output"] = _output(part, dialect, losses)
    if part.name is not None and form(part.extra, "name") is not None:
        wire["name"] = part.name
    _finish(wire, part.extra)
    return wire


def _output(part: ToolResult, dialect: ResponsesDialect, losses: Losses) -> Any:
    parts: tuple[AnyPart, ...] = part.parts
    if not parts and part.structured is not None:
        parts = (Text(text=part.structured),)
    listed = form(part.extra, "output") is not None
    if not listed:
        if not parts:
            return ""
        words = _only_text(parts)
        if words is not None:
            return words
    for inner in parts:
        if not isinstance(inner, Text | Media | Opaque):
            raise Unsupported(name_of(inner))
    return [write_part(inner, "tool", dialect, losses) for inner in parts]


def _only_text(parts: tuple[AnyPart, ...]) -> str | None:
    """The text of parts that are one plain text."""
    part = parts[0]
    if len(parts) > 1 or not isinstance(part, Text) or part != Text(text=part.text):
        return None
    return part.text


def write_reasoning(part: Thinking, dialect: ResponsesDialect, losses: Losses) -> Wire | None:
    """Reasoning in a history, as its maker sent it; that of other makers is left out, since none can be forged."""
    losses.of_extra(part.extra)
    own = form(part.extra, "reasoning") is not None
    seal = part.seal
    proven = seal is not None and is_ours(seal) and seal.issuer in (PROTOCOL, dialect.issuer)
    if seal is not None and not proven:
        losses.add("signature")
        own = False
    if not own and not proven:
        losses.add("reasoning")
        return None
    wire: Wire = {"type": "reasoning"}
    if part.id is not None:
        wire["id"] = part.id
    if part.summary or form(part.extra, "summary") is None:
        wire["summary"] = [{"type": "summary_text", "text": words} for words in part.summary]
    content = written_content(part)
    if content is not None:
        wire["content"] = content
    if seal is not None:
        wire["encrypted_content"] = seal.data
    _finish(wire, part.extra)
    return wire


def written_content(part: Thinking) -> list[Any] | None:
    """The raw text of reasoning as content parts, as they came where they still say the same."""
    written = form(part.extra, "content")
    if written is not None and "".join(_texts(raw_of(written)) or ()) == part.text:
        return list(_LIST.decode(written))
    return [{"type": "reasoning_text", "text": part.text}] if part.text else None


def _finish(wire: Wire, extra: Extra | None) -> None:
    status = form(extra, "status")
    if status is not None:
        wire["status"] = raw_of(status)
    restore(wire, extra)
