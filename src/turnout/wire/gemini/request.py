"""A `generateContent` request, read into a `Body`; model and stream are in its path.

Source of the names: `GenerateContentConfig` and its parts in google-genai 3.6. What the model does not name stays in
`Body.extra` as its maker wrote it; `must` names those fields that change the answer by the value they have. Where
the model says a thing in other terms, the wire's own words are remembered and go back while they still agree.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from turnout.model import Body, Extra, OutputFormat, Reasoning, Source, Tool, ToolChoice
from turnout.model.errors import InvalidRequest
from turnout.wire.codec import FORM
from turnout.wire.layers import open_body

from .contents import read_contents, read_system
from .members import (
    MAYBE_STRING,
    NULL,
    PROTOCOL,
    STRING,
    TRUE,
    Members,
    Raw,
    bag,
    camel,
    leftover,
    listed,
    members,
    open_object,
    open_string,
    read,
    said,
    text,
    word,
)
from .schema import json_schema

_FLOAT = msgspec.json.Decoder(float | None, strict=False)
_INT = msgspec.json.Decoder(int | None, strict=False)
_BOOL = msgspec.json.Decoder(bool | None)
_WORDS: Any = msgspec.json.Decoder(list[str] | None)
_MIXED: Any = msgspec.json.Decoder(list[str | int] | None)

Fields = dict[str, Any]
Names = dict[str, str]

CONFIG = "generationConfig"
_PLAIN: dict[str, tuple[str, Any, str]] = {
    "temperature": ("temperature", _FLOAT, "a number"),
    "topP": ("top_p", _FLOAT, "a number"),
    "topK": ("top_k", _INT, "an integer"),
    "presencePenalty": ("presence_penalty", _FLOAT, "a number"),
    "frequencyPenalty": ("frequency_penalty", _FLOAT, "a number"),
    "maxOutputTokens": ("max_tokens", _INT, "an integer"),
    "seed": ("seed", _INT, "an integer"),
}


def decode_request(source: Source) -> Body:
    """The whole request; that of a count of tokens may be inside `generateContentRequest`.

    Raises:
        InvalidRequest: it is no JSON object or a field is malformed; `param` names the field.
    """
    top = {camel(name): raw for name, raw in open_body(source.body).items()}
    inner = top.pop("generateContentRequest", None)
    if inner is not None and said(inner):
        top = members(inner, "generateContentRequest")
    fields: Fields = {}
    names: Names = {}
    must: set[str] = set()
    system = top.pop("systemInstruction", NULL)
    messages = read_contents(top.pop("contents", None))
    instruction = read_system(system) if said(system) else None
    if instruction is not None:
        messages.insert(0, instruction)
    if not messages:
        raise InvalidRequest("contents is required", param="contents")
    for name, raw in top.items():
        reader = _TOP.get(name)
        if reader is not None:
            reader(raw, fields, names, must)
        elif name != "model" and raw != NULL:
            names[name] = text(raw)
            if name in _MUST:
                must.add(name)
    if names:
        fields["extra"] = Extra(protocol=PROTOCOL, members=names, must=frozenset(must))
    return Body(messages=tuple(messages), **fields)


_MUST = frozenset({"cachedContent", "modelArmorConfig"})


def _store(raw: Raw, fields: Fields, _names: Names, _must: set[str]) -> None:
    value = read(_BOOL, raw, "store", "true or false")
    if value is not None:
        fields["store"] = value


def _tier(raw: Raw, fields: Fields, names: Names, _must: set[str]) -> None:
    value = word(raw, "serviceTier")
    if value is not None:
        fields["service_tier"] = {"STANDARD": "default", "UNSPECIFIED": "auto"}.get(value, value.lower())
        names[FORM + "serviceTier"] = text(raw)


# ---- generationConfig ------------------------------------------------------------------------------------------------


def _config(raw: Raw, fields: Fields, names: Names, must: set[str]) -> None:
    if not said(raw):
        return
    row = members(raw, CONFIG)
    _format(row, fields, names, must)
    for name, value in row.items():
        plain = _PLAIN.get(name)
        path = f"{CONFIG}.{name}"
        if plain is not None:
            given = read(plain[1], value, path, plain[2])
            if given is not None:
                fields[plain[0]] = given
        elif (special := _CONFIG.get(name)) is not None:
            special(value, fields, names, must)
        elif said(value):
            names[f"{CONFIG}/{name}"] = text(value)
            if name in _MUST_CONFIG:
                must.add(f"{CONFIG}/{name}")


_MUST_CONFIG = frozenset(
    {"speechConfig", "imageConfig", "routingConfig", "responseFormat", "translationConfig", "logprobs"}
)


def _stops(raw: Raw, fields: Fields, _names: Names, _must: set[str]) -> None:
    value = read(_WORDS, raw, f"{CONFIG}.stopSequences", "a list of strings")
    if value:
        fields["stop"] = tuple(value)


def _candidates(raw: Raw, _fields: Fields, names: Names, must: set[str]) -> None:
    value = read(_INT, raw, f"{CONFIG}.candidateCount", "an integer")
    if value is not None:
        names[f"{CONFIG}/candidateCount"] = text(raw)
        if value > 1:
            must.add(f"{CONFIG}/candidateCount")


def _logprobs(raw: Raw, _fields: Fields, names: Names, must: set[str]) -> None:
    if said(raw):
        names[f"{CONFIG}/responseLogprobs"] = text(raw)
        if raw == TRUE:
            must.add(f"{CONFIG}/responseLogprobs")


def _modalities(raw: Raw, fields: Fields, names: Names, must: set[str]) -> None:
    output = read_modalities(raw)
    if not output:
        return
    if "" in output:
        names[f"{CONFIG}/responseModalities"] = text(raw)
        must.add(f"{CONFIG}/responseModalities")
        return
    fields["output"] = output
    names[FORM + "responseModalities"] = text(raw)


def read_modalities(raw: Raw) -> frozenset[str]:
    """The kinds of output that are asked for, `""` for one that nobody names.

    Raises:
        InvalidRequest: it is no list of words.
    """
    given: list[str | int] = read(_MIXED, raw, f"{CONFIG}.responseModalities", "a list of words") or []
    return frozenset([_MODALITIES.get(str(each).upper(), "") for each in given])


_MODALITIES = {"TEXT": "text", "IMAGE": "image", "AUDIO": "audio", "1": "text", "2": "image", "3": "audio"}


def _thinking(raw: Raw, fields: Fields, names: Names, _must: set[str]) -> None:
    reasoning = read_thinking(raw)
    if reasoning is None:
        return
    names[FORM + "thinkingConfig"] = text(raw)
    if reasoning != Reasoning():
        fields["reasoning"] = reasoning


def read_thinking(raw: Raw) -> Reasoning | None:
    """What a `thinkingConfig` asks for, `None` when it says nothing; an empty one asks for nothing.

    Raises:
        InvalidRequest: it is malformed.
    """
    if not said(raw):
        return None
    path = f"{CONFIG}.thinkingConfig"
    row = members(raw, path)
    shown = read(_BOOL, row.get("includeThoughts", NULL), f"{path}.includeThoughts", "true or false")
    budget = read(_INT, row.get("thinkingBudget", NULL), f"{path}.thinkingBudget", "an integer")
    level = word(row.get("thinkingLevel", NULL), f"{path}.thinkingLevel")
    fields: Fields = {}
    if shown is not None:
        fields["show"] = "summary" if shown else "omitted"
    if level in _LEVELS:
        fields["effort"] = level.lower()
    if budget == 0:
        fields["mode"] = "off"
    elif budget is not None and budget < 0:
        fields["mode"] = "adaptive"
    elif budget is not None:
        fields["budget"] = budget
    return Reasoning(**fields)


_LEVELS = ("MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH")


def _format(row: Members, fields: Fields, names: Names, must: set[str]) -> None:
    """The form of the answer's text, from the three fields that say it."""
    said_of_it = {name: row.pop(name) for name in _FORMATS if name in row}
    given = {name: raw for name, raw in said_of_it.items() if said(raw)}
    if not given:
        return
    shape = read_format(given)
    if shape is None:
        must.add(f"{CONFIG}/responseMimeType")
        names.update(leftover(given, f"{CONFIG}/"))
        return
    fields["format"] = shape
    for name, raw in given.items():
        names[FORM + name] = text(raw)


_FORMATS = ("responseMimeType", "responseSchema", "responseJsonSchema")


def read_format(given: Members) -> OutputFormat | None:
    """The form that the fields ask for, `None` when it is none that the model names.

    Raises:
        InvalidRequest: a field is malformed.
    """
    path = f"{CONFIG}.responseMimeType"
    kind = read(MAYBE_STRING, given.get("responseMimeType", NULL), path, "a string")
    schema = given.get("responseJsonSchema")
    if schema is None and "responseSchema" in given:
        schema = msgspec.Raw(json_schema(text(given["responseSchema"])).encode())
    if kind in (None, "application/json") and schema is not None:
        return OutputFormat(kind="json_schema", schema=text(schema))
    if schema is None and kind in ("application/json", "text/plain"):
        return OutputFormat(kind="json" if kind == "application/json" else "text")
    return None


_CONFIG: dict[str, Callable[[Raw, Fields, Names, set[str]], None]] = {
    "stopSequences": _stops,
    "candidateCount": _candidates,
    "responseLogprobs": _logprobs,
    "responseModalities": _modalities,
    "thinkingConfig": _thinking,
}

# ---- tools -----------------------------------------------------------------------------------------------------------


def _tools(raw: Raw, fields: Fields, _names: Names, _must: set[str]) -> None:
    tools: list[Tool] = []
    for at, entry in enumerate(listed(raw, "tools")):
        row = members(entry, f"tools[{at}]")
        for name, value in row.items():
            if name == "functionDeclarations":
                path = f"tools[{at}].functionDeclarations"
                tools.extend(read_tool(each, f"{path}[{n}]") for n, each in enumerate(listed(value, path)))
            elif said(value):
                tools.append(Tool(name=name, kind="hosted", extra=bag({name: text(value)})))
    if tools:
        fields["tools"] = tuple(tools)


def read_tool(raw: Raw, param: str) -> Tool:
    """One function that the client offers; its schema becomes JSON Schema, the original is remembered.

    Raises:
        InvalidRequest: it is malformed.
    """
    row = members(raw, param)
    names: Names = {}
    return Tool(
        name=read(STRING, row.pop("name", NULL), f"{param}.name", "a string"),
        description=read(MAYBE_STRING, row.pop("description", NULL), f"{param}.description", "a string"),
        parameters=_schema(row, "parameters", "parametersJsonSchema", names),
        output_schema=_schema(row, "response", "responseJsonSchema", names),
        extra=bag({**names, **leftover(row)}),
    )


def _schema(row: Members, subset: str, full: str, names: Names) -> str | None:
    given, whole = row.pop(subset, NULL), row.pop(full, NULL)
    if said(whole):
        return None if open_object(whole) == {} else text(whole)  # anything is allowed, as without a schema
    if not said(given) or open_object(given) == {}:
        return None
    names[FORM + subset] = text(given)
    return json_schema(text(given))


def _tool_config(raw: Raw, fields: Fields, names: Names, _must: set[str]) -> None:
    if not said(raw):
        return
    row = members(raw, "toolConfig")
    calling = row.pop("functionCallingConfig", NULL)
    names.update(leftover(row, "toolConfig/"))
    if said(calling):
        choice = read_choice(calling)
        names[FORM + "functionCallingConfig"] = text(calling)
        if choice is not None:
            fields["tool_choice"] = choice


def read_choice(raw: Raw) -> ToolChoice | None:
    """Which tools may be called, `None` when it says nothing of it.

    `VALIDATED` leaves the choice to the model, as `AUTO` does, and makes calls fit their schemas.

    Raises:
        InvalidRequest: a field is malformed, or the mode is none.
    """
    path = "toolConfig.functionCallingConfig"
    row = members(raw, path)
    allowed = read(_WORDS, row.get("allowedFunctionNames", NULL), f"{path}.allowedFunctionNames", "names")
    mode = word(row.get("mode", NULL), f"{path}.mode", _MODE_NUMBERS)
    if mode is None or mode == "MODE_UNSPECIFIED":
        return ToolChoice(mode="auto", names=tuple(allowed)) if allowed else None
    meant = _MODES.get(mode)
    if meant is None:
        raise InvalidRequest(f"{path}.mode is none of its words", param=f"{path}.mode")
    return ToolChoice(mode=meant, names=tuple(allowed or ()))  # pyright: ignore[reportArgumentType]


_MODES = {"AUTO": "auto", "ANY": "required", "NONE": "none", "VALIDATED": "auto"}
_MODE_NUMBERS = {0: "MODE_UNSPECIFIED", 1: "AUTO", 2: "ANY", 3: "NONE", 4: "VALIDATED"}

_TOP: dict[str, Callable[[Raw, Fields, Names, set[str]], None]] = {
    "generationConfig": _config,
    "tools": _tools,
    "toolConfig": _tool_config,
    "serviceTier": _tier,
    "store": _store,
}

__all__ = [
    "CONFIG",
    "decode_request",
    "open_object",
    "open_string",
    "read_choice",
    "read_format",
    "read_modalities",
    "read_thinking",
    "read_tool",
]
