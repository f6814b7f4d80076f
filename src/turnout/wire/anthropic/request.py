"""An Anthropic Messages request, read into a `Body`.

Source of the field names: `MessageCreateParams` of anthropic 2.14 and its beta twin. What the model does not name stays
in `Body.extra` as its maker wrote it; `must` names what changes the answer or where it is made.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from turnout.model import Body, Extra, Json, OutputFormat, Reasoning, Source, Tool, ToolChoice
from turnout.model.errors import InvalidRequest
from turnout.wire.codec import FORM
from turnout.wire.layers import (
    BROKEN,
    MAYBE_STRING,
    NOTHING,
    NULL,
    STRING,
    Members,
    leftover,
    members,
    open_body,
    open_object,
    open_string,
    read,
    said,
    text,
    unnamed,
)

from .members import PROTOCOL, bag, own, take_cache
from .messages import read_messages

STRICT_VERSION = "2026-10-21"
"""The version of the protocol from which sampling parameters are refused."""

_FLOAT = msgspec.json.Decoder(float | None)
_INT = msgspec.json.Decoder(int | None)
_BOOL = msgspec.json.Decoder(bool | None)
_WORDS: Any = msgspec.json.Decoder(list[str] | None)
_LIST: "msgspec.json.Decoder[list[msgspec.Raw] | None]" = msgspec.json.Decoder(list[msgspec.Raw] | None)
_SAMPLING = frozenset({"temperature", "top_p", "top_k"})
_PLAIN: dict[str, tuple[str, Any, str]] = {
    "max_tokens": ("max_tokens", _INT, "an integer"),
    "temperature": ("temperature", _FLOAT, "a number"),
    "top_p": ("top_p", _FLOAT, "a number"),
    "top_k": ("top_k", _INT, "an integer"),
}
_ELSEWHERE = frozenset({"model", "stream", "messages", "system"})
_MUST = frozenset({"container", "inference_geo", "mcp_servers", "output_format", "thread"})
"""Members that change the answer, or where it may be made, when they are said."""
_INSIDE = ("output_config/", "tool_choice/")
_HARMLESS = frozenset({"[]", "{}", '""', '"global"', "false"})

Fields = dict[str, Any]
Names = dict[str, Json]


def version_of(source: Source) -> str:
    """The version of the protocol that a call speaks, `""` when it does not say."""
    return source.version or source.headers.get("anthropic-version") or ""


def decode_request(source: Source) -> Body:
    """The whole request; also one whose tokens are to be counted.

    Raises:
        InvalidRequest: it is no JSON object, a field is malformed, or its version does not have it; `param` names
            the field.
    """
    top = open_body(source.body)
    strict = version_of(source) == STRICT_VERSION
    fields: Fields = {}
    names: Names = {FORM + "protocol": "null"}  # so that this protocol's encoder knows its own
    for name, raw in top.items():
        plain = _PLAIN.get(name)
        if plain is not None:
            value = read(plain[1], raw, name, plain[2])
            if value is not None:
                if strict and name in _SAMPLING:
                    raise InvalidRequest(f"{name} does not exist in version {STRICT_VERSION}", param=name)
                fields[plain[0]] = value
        elif (special := _SPECIAL.get(name)) is not None:
            special(raw, fields, names)
        elif name not in _ELSEWHERE and raw != NULL:
            names[unnamed(name)] = text(raw)
    _settle_effort(fields, names)
    must = frozenset(
        [
            name
            for name in names
            if (name in _MUST or name.startswith(_INSIDE)) and names[name] not in _HARMLESS
        ]
    )
    fields["extra"] = Extra(protocol=PROTOCOL, members=names, must=must)
    messages = top.get("messages")
    if messages is None or messages == NULL:
        raise InvalidRequest("messages is required", param="messages")
    return Body(messages=read_messages(messages, top.get("system"), strict), **fields)


# ---- members that are more than a value ----------------------------------------------------------------------------


def _stop(raw: msgspec.Raw, fields: Fields, _names: Names) -> None:
    words = read(_WORDS, raw, "stop_sequences", "a list of strings")
    if words:
        fields["stop"] = tuple(words)


def _metadata(raw: msgspec.Raw, fields: Fields, names: Names) -> None:
    if not said(raw):
        return
    row = members(raw, "metadata")
    user = read(MAYBE_STRING, row.pop("user_id", NULL), "metadata.user_id", "a string")
    if user is not None:
        fields["user"] = user
    names.update(leftover(row, "metadata/"))


_TIERS = {"standard_only": "default"}


def _service_tier(raw: msgspec.Raw, fields: Fields, _names: Names) -> None:
    word = read(MAYBE_STRING, raw, "service_tier", "a string")
    if word is not None:
        fields["service_tier"] = _TIERS.get(word, word)


def _cache(raw: msgspec.Raw, fields: Fields, names: Names) -> None:
    if not said(raw):
        return
    row: Members = {"cache_control": raw}
    cache = take_cache(row, names)
    if cache is None:
        raise InvalidRequest("cache_control is no cache marker", param="cache_control")
    fields["cache"] = cache


def _thread(raw: msgspec.Raw, fields: Fields, names: Names) -> None:
    """A conversation that the provider keeps; one that goes on names the answer before it."""
    if not said(raw):
        return
    names["thread"] = text(raw)
    row = members(raw, "thread")
    fields["previous"] = open_string(row.get("previous_message_id"))


# ---- reasoning and the form of the answer ----------------------------------------------------------------------------

_MODES: dict[str, Literal["off", "on", "adaptive"]] = {
    "enabled": "on",
    "adaptive": "adaptive",
    "disabled": "off",
}
_SHOWN: dict[str, Literal["summary", "omitted"]] = {"summarized": "summary", "omitted": "omitted"}


def read_thinking(raw: msgspec.Raw) -> Reasoning | None:
    """How to think, `None` when it is a way that nobody names.

    Raises:
        InvalidRequest: its budget is no integer.
    """
    row = open_object(raw)
    mode = None if row is None else _MODES.get(open_string(row.get("type")) or "")
    if row is None or mode is None:
        return None
    return Reasoning(
        mode=mode,
        budget=read(_INT, row.get("budget_tokens", NULL), "thinking.budget_tokens", "an integer"),
        show=_SHOWN.get(open_string(row.get("display")) or ""),
    )


def _thinking(raw: msgspec.Raw, fields: Fields, names: Names) -> None:
    if not said(raw):
        return
    reasoning = read_thinking(raw)
    if reasoning is None:
        names["thinking"] = text(raw)
        return
    fields["reasoning"] = reasoning
    names[FORM + "thinking"] = text(raw)


def _output_config(raw: msgspec.Raw, fields: Fields, names: Names) -> None:
    if not said(raw):
        return
    row = members(raw, "output_config")
    effort = read(MAYBE_STRING, row.pop("effort", NULL), "output_config.effort", "a string")
    if effort is not None:
        fields["effort"] = effort
    shape = row.get("format")
    if shape is not None and said(shape) and (read_shape := read_format(shape)) is not None:
        fields["format"] = read_shape
        names[FORM + "format"] = text(row.pop("format"))
    names.update(leftover(row, "output_config/"))


def read_format(raw: msgspec.Raw) -> OutputFormat | None:
    """The form of the answer's text, `None` when it is none that the model names."""
    row = open_object(raw)
    if row is None or open_string(row.get("type")) != "json_schema":
        return None
    schema = row.get("schema")
    return OutputFormat(
        kind="json_schema", schema=text(schema) if schema is not None and said(schema) else None
    )


def _settle_effort(fields: Fields, names: Names) -> None:
    """Effort stands in another member than thinking; the two are one thing in the model."""
    effort = fields.pop("effort", None)
    if effort is None:
        return
    reasoning = fields.get("reasoning")
    names[FORM + "effort"] = "null"
    fields["reasoning"] = (
        Reasoning(effort=effort) if reasoning is None else msgspec.structs.replace(reasoning, effort=effort)
    )


# ---- tools -----------------------------------------------------------------------------------------------------------


def _tools(raw: msgspec.Raw, fields: Fields, _names: Names) -> None:
    rows = read(_LIST, raw, "tools", "a list")
    if rows:
        fields["tools"] = tuple([read_tool(row, f"tools[{at}]") for at, row in enumerate(rows)])


class _UsualTool(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """What most tools are; anything else is read layer by layer, to the same value."""

    name: str
    input_schema: msgspec.Raw
    description: str | None = None


_USUAL = msgspec.json.Decoder(_UsualTool)


def read_tool(raw: msgspec.Raw, param: str) -> Tool:
    """One tool; a type that nobody names is a hosted one.

    Raises:
        InvalidRequest: it is malformed.
    """
    try:
        usual = _USUAL.decode(raw)
    except BROKEN:
        return _layered_tool(raw, param)
    schema = usual.input_schema
    if b'"type"' not in bytes(schema):
        return _layered_tool(raw, param)
    return Tool(name=usual.name, description=usual.description, parameters=text(schema))


def _layered_tool(raw: msgspec.Raw, param: str) -> Tool:
    row = members(raw, param)
    kind = read(MAYBE_STRING, row.get("type", NULL), f"{param}.type", "a string")
    names: Names = {}
    cache = take_cache(row, names)
    if kind is not None and kind != "custom":
        del row["type"]
        return Tool(name=kind, kind="hosted", cache=cache, extra=own({**names, **leftover(row)}))
    if kind is not None:
        names[FORM + "type"] = text(row["type"])
    row.pop("type", None)
    name = read(STRING, row.pop("name", NULL), f"{param}.name", "a string")
    description = read(MAYBE_STRING, row.pop("description", NULL), f"{param}.description", "a string")
    schema = row.pop("input_schema", NULL)
    strict = read(_BOOL, row.pop("strict", NULL), f"{param}.strict", "true or false")
    names.update(leftover(row))
    if said(schema) and "type" not in (open_object(schema) or {}):
        names[FORM + "schema"] = "null"
    return Tool(
        name=name,
        description=description,
        parameters=text(schema) if said(schema) else None,
        strict=strict,
        cache=cache,
        extra=bag(names, frozenset({"allowed_callers"} if _is_hidden(row) else ())),
    )


def _is_hidden(row: Members) -> bool:
    """Whether a tool can be called by the provider's own programs only."""
    callers = row.get("allowed_callers", NOTHING)
    return said(callers) and b'"direct"' not in bytes(callers)


_CHOICES: dict[str, Literal["auto", "none", "required"]] = {
    "auto": "auto",
    "any": "required",
    "tool": "required",
    "none": "none",
}


def _tool_choice(raw: msgspec.Raw, fields: Fields, names: Names) -> None:
    if not said(raw):
        return
    row = members(raw, "tool_choice")
    kind = read(STRING, row.pop("type", NULL), "tool_choice.type", "a string")
    mode = _CHOICES.get(kind)
    if mode is None:
        raise InvalidRequest("tool_choice is none of its forms", param="tool_choice")
    name: tuple[str, ...] = ()
    if kind == "tool":
        name = (read(STRING, row.pop("name", NULL), "tool_choice.name", "a string"),)
    fields["tool_choice"] = ToolChoice(mode=mode, names=name)
    alone = read(
        _BOOL,
        row.pop("disable_parallel_tool_use", NULL),
        "tool_choice.disable_parallel_tool_use",
        "true or false",
    )
    if alone is not None:
        fields["parallel"] = not alone
    names.update(leftover(row, "tool_choice/"))


_SPECIAL: dict[str, Callable[[msgspec.Raw, Fields, Names], None]] = {
    "stop_sequences": _stop,
    "metadata": _metadata,
    "service_tier": _service_tier,
    "cache_control": _cache,
    "thread": _thread,
    "thinking": _thinking,
    "output_config": _output_config,
    "tools": _tools,
    "tool_choice": _tool_choice,
}
