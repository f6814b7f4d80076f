"""A Chat Completions request, read into a `Body`.

Source of the field names: `CompletionCreateParams` of openai 3.57. What the model does not name stays in
`Body.extra` as its maker wrote it; `must` names those members that change the answer by the value they have.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from turnout.model import Body, Extra, OutputFormat, Reasoning, Source, Tool, ToolChoice
from turnout.model.errors import InvalidRequest
from turnout.wire.codec import FORM
from turnout.wire.json import may_spell_by_number
from turnout.wire.layers import open_body

from .members import (
    BROKEN,
    MAYBE_STRING,
    NOTHING,
    NULL,
    PROTOCOL,
    STRING,
    TRUE,
    Members,
    bag,
    leftover,
    members,
    open_object,
    open_string,
    own,
    read,
    said,
    take_cache,
    text,
    unnamed,
)
from .messages import Usual, read_messages, usual_messages

_FLOAT = msgspec.json.Decoder(float | None)
_INT = msgspec.json.Decoder(int | None)
_BOOL = msgspec.json.Decoder(bool | None)
_WORDS: Any = msgspec.json.Decoder(dict[str, str] | None)
_ITEMS: Any = msgspec.json.Decoder(list[Any] | None)
_STOP: Any = msgspec.json.Decoder(str | list[str] | None)
_LIST: "msgspec.json.Decoder[list[msgspec.Raw] | None]" = msgspec.json.Decoder(list[msgspec.Raw] | None)
_ANY = msgspec.json.Decoder()

_PLAIN: dict[str, tuple[str, Any, str]] = {
    "temperature": ("temperature", _FLOAT, "a number"),
    "top_p": ("top_p", _FLOAT, "a number"),
    "presence_penalty": ("presence_penalty", _FLOAT, "a number"),
    "frequency_penalty": ("frequency_penalty", _FLOAT, "a number"),
    "seed": ("seed", _INT, "an integer"),
    "parallel_tool_calls": ("parallel", _BOOL, "true or false"),
    "store": ("store", _BOOL, "true or false"),
    "verbosity": ("verbosity", MAYBE_STRING, "a string"),
    "service_tier": ("service_tier", MAYBE_STRING, "a string"),
    "metadata": ("metadata", _WORDS, "an object of strings"),
}

Fields = dict[str, Any]
Names = dict[str, str]


def decode_request(source: Source) -> Body:
    """The whole request.

    Raises:
        InvalidRequest: it is no JSON object or a field is malformed; `param` names the field.
    """
    if len(source.body) <= _SMALL:
        usual = _usual(source.body)
        if usual is not None:
            return usual
    return layered(source.body)


def layered(data: bytes) -> Body:
    """The whole request, read layer by layer; see `decode_request`."""
    top = open_body(data)
    fields: Fields = {"want_usage": False}
    names: Names = {}
    for name, raw in top.items():
        plain = _PLAIN.get(name)
        if plain is not None:
            value = read(plain[1], raw, name, plain[2])
            if value is not None:
                fields[plain[0]] = value
        elif (special := _SPECIAL.get(name)) is not None:
            special(raw, top, fields, names)
        elif name not in _ELSEWHERE and raw != NULL:
            names[unnamed(name)] = text(raw)
    if names:
        must = frozenset([name for name in names.keys() & _MUST.keys() if _MUST[name](names[name])])
        fields["extra"] = Extra(protocol=PROTOCOL, members=names, must=must)
    messages = top.get("messages")
    if messages is None or messages == NULL:
        raise InvalidRequest("messages is required", param="messages")
    return Body(messages=read_messages(messages), **fields)


_ELSEWHERE = frozenset({"model", "stream", "messages"})


# ---- the short way: what small requests are made of ----------------------------------------------------------------

_SMALL = 4_096
"""Bytes; a larger request is more often an unusual one, and too dear to be read twice."""


class _Streamed(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    include_usage: Literal[True]


class _Usual(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A request with the members of nearly all; anything else is read layer by layer, to the same value."""

    model: str
    messages: list[Usual]
    stream: bool | None = None
    stream_options: _Streamed | None = None
    temperature: float | None = None
    top_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    user: str | None = None
    store: bool | None = None
    metadata: dict[str, str] | None = None


_USUAL_REQUEST = msgspec.json.Decoder(_Usual)
_OLD_LIMIT = Extra(protocol=PROTOCOL, members={FORM + "limit": '"max_tokens"'})
_NEW_LIMIT = Extra(protocol=PROTOCOL, members={FORM + "limit": '"max_completion_tokens"'})


def _usual(data: bytes) -> Body | None:
    if may_spell_by_number(data):  # halves of surrogate pairs are mended on the other way
        return None
    try:
        said = _USUAL_REQUEST.decode(data)
    except BROKEN:
        return None
    messages = usual_messages(said.messages)
    old, new = said.max_tokens, said.max_completion_tokens
    limited = old is not None or new is not None
    if messages is None or (old is not None and new is not None) or (said.stream_options and not said.stream):
        return None
    return Body(
        messages=messages,
        want_usage=said.stream_options is not None,
        temperature=said.temperature,
        top_p=said.top_p,
        presence_penalty=said.presence_penalty,
        frequency_penalty=said.frequency_penalty,
        seed=said.seed,
        max_tokens=new if old is None else old,
        user=said.user,
        store=said.store,
        metadata=said.metadata or {},
        extra=(_OLD_LIMIT if new is None else _NEW_LIMIT) if limited else None,
    )


# ---- which unnamed members change the answer -----------------------------------------------------------------------


def _said(_json: str) -> bool:
    return True


def _filled(json: str) -> bool:
    return json not in ("{}", "[]", "false", "0") and bool(_value(json))


def _value(json: str) -> Any:
    try:
        return _ANY.decode(json)
    except BROKEN:
        return json


_MUST: dict[str, Callable[[str], bool]] = {
    "n": lambda json: _value(json) != 1,
    "logprobs": _filled,
    "top_logprobs": _filled,
    "logit_bias": _filled,
    "prediction": _said,
    "functions": _filled,
    "function_call": lambda json: _value(json) not in ("auto", "none"),
    "web_search_options": _said,
    "moderation": _said,
    "response_format": _said,
    "modalities": _said,
}


# ---- members that are more than a value ----------------------------------------------------------------------------


def _max_tokens(raw: msgspec.Raw, top: Members, fields: Fields, names: Names) -> None:
    """The old name of the limit; beside the new one it is only passed on."""
    value = read(_INT, raw, "max_tokens", "an integer")
    if said(top.get("max_completion_tokens")):
        names["max_tokens"] = text(raw)
    elif value is not None:
        fields["max_tokens"] = value
        names[FORM + "limit"] = '"max_tokens"'


def _max_completion_tokens(raw: msgspec.Raw, _top: Members, fields: Fields, names: Names) -> None:
    value = read(_INT, raw, "max_completion_tokens", "an integer")
    if value is not None:
        fields["max_tokens"] = value
        names[FORM + "limit"] = '"max_completion_tokens"'


def _stop(raw: msgspec.Raw, _top: Members, fields: Fields, names: Names) -> None:
    value = read(_STOP, raw, "stop", "a string or a list of strings")
    if isinstance(value, str):
        fields["stop"] = (value,)
        names[FORM + "stop"] = '""'
    elif value:
        fields["stop"] = tuple(value)


def _effort(raw: msgspec.Raw, _top: Members, fields: Fields, _names: Names) -> None:
    value = read(MAYBE_STRING, raw, "reasoning_effort", "a string")
    if value is not None:
        fields["reasoning"] = Reasoning(effort=value)


def _user(raw: msgspec.Raw, _top: Members, fields: Fields, _names: Names) -> None:
    value = read(MAYBE_STRING, raw, "user", "a string")
    if value is not None:
        fields["user"] = value


def _safety_identifier(raw: msgspec.Raw, top: Members, fields: Fields, names: Names) -> None:
    """The newer name of `user`; beside it, it is only passed on."""
    value = read(MAYBE_STRING, raw, "safety_identifier", "a string")
    if said(top.get("user")):
        names["safety_identifier"] = text(raw)
    elif value is not None:
        fields["user"] = value
        names[FORM + "user"] = '"safety_identifier"'


def _stream_options(raw: msgspec.Raw, top: Members, fields: Fields, names: Names) -> None:
    """`include_usage` says whether a stream shows usage; without a stream it is only passed on."""
    if not said(raw):
        return
    inner = members(raw, "stream_options")
    if top.get("stream") != TRUE:
        names["stream_options"] = text(raw)
        return
    path = "stream_options.include_usage"
    wanted = read(_BOOL, inner.pop("include_usage", NULL), path, "true or false")
    fields["want_usage"] = wanted is True
    if inner or wanted is False:
        names[FORM + "stream_options"] = text(raw)


def _modalities(raw: msgspec.Raw, _top: Members, fields: Fields, names: Names) -> None:
    words: list[object] | None = read(_ITEMS, raw, "modalities", "a list")
    known = [word for word in ("text", "audio", "image") if word in (words or ())]
    if known and len(known) == len(words or ()):
        fields["output"] = frozenset(known)
    elif words:
        names["modalities"] = text(raw)


def _audio(raw: msgspec.Raw, _top: Members, fields: Fields, _names: Names) -> None:
    if said(raw):
        fields["voice"] = text(raw)


def _tools(raw: msgspec.Raw, _top: Members, fields: Fields, _names: Names) -> None:
    rows = read(_LIST, raw, "tools", "a list")
    if rows:
        fields["tools"] = tuple([read_tool(row, f"tools[{at}]") for at, row in enumerate(rows)])


def read_tool(raw: msgspec.Raw, param: str) -> Tool:
    """One tool; a type that nobody names is a hosted one.

    Raises:
        InvalidRequest: it is malformed.
    """
    try:
        usual = _USUAL.decode(raw)
    except BROKEN:
        return _layered_tool(raw, param)
    function = usual.function
    parameters = function.parameters
    return Tool(
        name=function.name,
        description=function.description,
        parameters=text(parameters) if said(parameters) else None,
        strict=function.strict,
    )


class _UsualFunction(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    name: str
    description: str | None = None
    parameters: msgspec.Raw = NOTHING
    strict: bool | None = None


class _UsualTool(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """What nearly all tools are; anything else is read layer by layer, to the same value."""

    function: _UsualFunction
    type: Literal["function"] = "function"


_USUAL = msgspec.json.Decoder(_UsualTool)


def _layered_tool(raw: msgspec.Raw, param: str) -> Tool:
    row = members(raw, param)
    kind = read(MAYBE_STRING, row.pop("type", NULL), f"{param}.type", "a string")
    if kind is None:
        kind = "function"
    if kind not in ("function", "custom"):
        cache_names: Names = {}
        cache = take_cache(row, cache_names)
        names = {**cache_names, **leftover(row)}
        return Tool(name=kind, kind="hosted", cache=cache, extra=own(names))
    path = f"{param}.{kind}"
    inner = members(row.pop(kind, NULL), path)
    fields: Fields = {"name": read(STRING, inner.pop("name", NULL), f"{path}.name", "a string")}
    description = read(MAYBE_STRING, inner.pop("description", NULL), f"{path}.description", "a string")
    if description is not None:
        fields["description"] = description
    if kind == "function":
        parameters = inner.pop("parameters", NULL)
        if parameters != NULL:
            fields["parameters"] = text(parameters)
        if "strict" in inner:
            fields["strict"] = read(_BOOL, inner.pop("strict"), f"{path}.strict", "true or false")
    else:
        fields["kind"] = "custom"
        shape = inner.pop("format", NULL)
        if shape != NULL:
            fields["format"] = text(shape)
    if row or inner:
        _tool_rest(row, inner, kind, fields)
    return Tool(**fields)


def _tool_rest(row: Members, inner: Members, kind: str, fields: Fields) -> None:
    names = leftover(inner, f"{kind}/")
    fields["cache"] = take_cache(row, names)
    names.update(leftover(row))
    fields["extra"] = bag(names)


def _tool_choice(raw: msgspec.Raw, _top: Members, fields: Fields, names: Names) -> None:
    if not said(raw):
        return
    choice = read_choice(raw)
    if choice is None:
        raise InvalidRequest("tool_choice is none of its forms", param="tool_choice")
    fields["tool_choice"] = choice
    if open_string(raw) != choice.mode:
        names[FORM + "tool_choice"] = text(raw)


def read_choice(raw: msgspec.Raw) -> ToolChoice | None:
    """Which tools may be called: a word, one named tool, or `allowed_tools`; `None` when it is none of these."""
    word = open_string(raw)
    if word is not None:
        mode = {"auto": "auto", "none": "none", "required": "required", "any": "required"}.get(word)
        return None if mode is None else ToolChoice(mode=mode)  # pyright: ignore[reportArgumentType]
    row = open_object(raw)
    if row is None:
        return None
    allowed = open_object(row.get("allowed_tools"))
    if allowed is not None:
        mode = open_string(allowed.get("mode"))
        if mode not in ("auto", "required"):
            return None
        return ToolChoice(mode=mode, names=_names_of(allowed.get("tools")))
    name = _named(row)
    return None if name is None else ToolChoice(mode="required", names=(name,))


def _named(row: Members | None) -> str | None:
    if row is None:
        return None
    for kind in ("function", "custom"):
        inner = open_object(row.get(kind))
        if inner is not None:
            return open_string(inner.get("name"))
    return None


def _names_of(raw: msgspec.Raw | None) -> tuple[str, ...]:
    path = "tool_choice.allowed_tools.tools"
    rows: list[msgspec.Raw] = read(_LIST, NULL if raw is None else raw, path, "a list") or []
    names = [_named(open_object(row)) for row in rows]
    return tuple([name for name in names if name is not None])


def _response_format(raw: msgspec.Raw, _top: Members, fields: Fields, names: Names) -> None:
    if not said(raw):
        return
    row = open_object(raw)
    shape = None if row is None else read_format(row)
    if row is None or shape is None:
        names["response_format"] = text(raw)
        return
    fields["format"] = shape
    known = {"type", "json_schema"} if shape.kind == "json_schema" else {"type"}
    inner = open_object(row.get("json_schema")) or {}
    nameless = shape.kind == "json_schema" and shape.name is None
    if nameless or row.keys() - known or inner.keys() - {"name", "schema", "strict", "description"}:
        names[FORM + "response_format"] = text(raw)


def read_format(row: Members) -> OutputFormat | None:
    """The form of the answer's text, `None` when it is none that the model names.

    Raises:
        InvalidRequest: a JSON schema's members are malformed.
    """
    match open_string(row.get("type")):
        case "text":
            return OutputFormat(kind="text")
        case "json_object":
            return OutputFormat(kind="json")
        case "json_schema":
            path = "response_format.json_schema"
            inner = members(row.get("json_schema", NULL), path)
            schema = inner.get("schema")
            return OutputFormat(
                kind="json_schema",
                name=read(MAYBE_STRING, inner.get("name", NULL), f"{path}.name", "a string"),
                description=read(
                    MAYBE_STRING, inner.get("description", NULL), f"{path}.description", "a string"
                ),
                strict=read(_BOOL, inner.get("strict", NULL), f"{path}.strict", "true or false"),
                schema=text(schema) if schema is not None and said(schema) else None,
            )
        case _:
            return None


_SPECIAL: dict[str, Callable[[msgspec.Raw, Members, Fields, Names], None]] = {
    "max_tokens": _max_tokens,
    "max_completion_tokens": _max_completion_tokens,
    "stop": _stop,
    "reasoning_effort": _effort,
    "user": _user,
    "safety_identifier": _safety_identifier,
    "stream_options": _stream_options,
    "modalities": _modalities,
    "audio": _audio,
    "tools": _tools,
    "tool_choice": _tool_choice,
    "response_format": _response_format,
}
