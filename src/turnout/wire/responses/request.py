"""A Responses request, read into a `Body`.

Source of the field names: `ResponseCreateParams` of openai 3.57, and `CreateResponseBody` of Open Responses
2026-04-24, which has penalties. What the model does not name stays in `Body.extra` as its maker wrote it; `must` names
those members that change the answer by the value they have.
"""

from collections.abc import Callable
from typing import Any, cast

import msgspec

from turnout.model import Body, Extra, Message, OutputFormat, Reasoning, Source, Text
from turnout.model.errors import InvalidRequest
from turnout.wire.codec import FORM
from turnout.wire.layers import (
    MAYBE_STRING,
    NULL,
    Members,
    Raw,
    leftover,
    members,
    open_body,
    open_object,
    open_string,
    raw_of,
    read,
    said,
    text,
    unnamed,
)

from .members import PROTOCOL
from .tools import read_choice, read_tools
from .turns import read_items

_FLOAT = msgspec.json.Decoder(float | None)
_INT = msgspec.json.Decoder(int | None)
_BOOL = msgspec.json.Decoder(bool | None)
_WORDS: Any = msgspec.json.Decoder(dict[str, str] | None)
_INPUT: Any = msgspec.json.Decoder(str | list[Raw] | None)
_ANY = msgspec.json.Decoder()

_PLAIN: dict[str, tuple[str, Any, str]] = {
    "temperature": ("temperature", _FLOAT, "a number"),
    "top_p": ("top_p", _FLOAT, "a number"),
    "presence_penalty": ("presence_penalty", _FLOAT, "a number"),
    "frequency_penalty": ("frequency_penalty", _FLOAT, "a number"),
    "max_output_tokens": ("max_tokens", _INT, "an integer"),
    "parallel_tool_calls": ("parallel", _BOOL, "true or false"),
    "store": ("store", _BOOL, "true or false"),
    "background": ("background", _BOOL, "true or false"),
    "previous_response_id": ("previous", MAYBE_STRING, "a string"),
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
    top = open_body(source.body)
    fields: Fields = {}
    names: Names = {}
    for name, raw in top.items():
        plain = _PLAIN.get(name)
        if plain is not None:
            value = read(plain[1], raw, name, plain[2])
            if value is not None:
                fields[plain[0]] = value
        elif (special := _SPECIAL.get(name)) is not None:
            if said(raw):
                special(raw, top, fields, names)
        elif name not in _ELSEWHERE and raw != NULL:
            names[unnamed(name)] = text(raw)
    messages = _messages(top, names)
    if not messages and not any(said(top.get(name)) for name in _INSTEAD):
        raise InvalidRequest("input is required", param="input")
    must = frozenset([name for name in names.keys() & _MUST.keys() if _MUST[name](names[name])])
    return Body(messages=messages, extra=Extra(protocol=PROTOCOL, members=names, must=must), **fields)


_ELSEWHERE = frozenset({"model", "stream", "input", "instructions"})
_INSTEAD = ("previous_response_id", "conversation", "prompt", "input")
"""Members of which one must say what is to be answered."""


def _messages(top: Members, names: Names) -> tuple[Message, ...]:
    """The instructions as the leading message, then the input."""
    lead: list[Message] = []
    words = read(MAYBE_STRING, top.get("instructions", NULL), "instructions", "a string")
    if words is not None:
        lead.append(Message(role="system", parts=(Text(text=words),), extra=INSTRUCTIONS))
    value = read(_INPUT, top.get("input", NULL), "input", "a string or a list of items")
    # Written down whatever it is, so that a body of this protocol is known as one.
    names[FORM + "input"] = "null" if value is None else '""' if isinstance(value, str) else "[]"
    if value is None:
        return tuple(lead)
    if isinstance(value, str):
        return (*lead, Message(role="user", parts=(Text(text=value),)))
    return (*lead, *read_items(value))


INSTRUCTIONS = Extra(protocol=PROTOCOL, members={FORM + "instructions": "null"})
"""Marks the message that came as `instructions`."""


# ---- which unnamed members change the answer -----------------------------------------------------------------------


def _said(_json: str) -> bool:
    return True


def _filled(json: str) -> bool:
    return bool(_ANY.decode(json))


def _asks(json: str) -> bool:
    """Whether `include` asks for what would be missed; results of hosted tools come with those or not at all."""
    asked: Any = _ANY.decode(json)
    return not isinstance(asked, list) or not HARMLESS.issuperset(cast("list[Any]", asked))


HARMLESS = frozenset(
    {
        "reasoning.encrypted_content",
        "message.input_image.image_url",
        "web_search_call.results",
        "web_search_call.action.sources",
        "file_search_call.results",
        "code_interpreter_call.outputs",
        "computer_call_output.output.image_url",
    }
)
"""What `include` may ask for without a refusal elsewhere."""
_MUST: dict[str, Callable[[str], bool]] = {
    "prompt": _said,
    "context_management": _filled,
    "background_options": _filled,
    "max_tool_calls": _said,
    "top_logprobs": _filled,
    "moderation": _said,
    "include": _asks,
    "text": _said,
}


# ---- members that are more than a value ----------------------------------------------------------------------------


def _conversation(raw: Raw, _top: Members, fields: Fields, names: Names) -> None:
    """The id of a conversation, or an object that holds it."""
    word = open_string(raw)
    if word is None:
        row = members(raw, "conversation")
        word = open_string(row.get("id"))
        names[FORM + "conversation"] = text(raw)
    if word is None:
        raise InvalidRequest("conversation must be an id", param="conversation")
    fields["conversation"] = word


def _user(raw: Raw, _top: Members, fields: Fields, _names: Names) -> None:
    fields["user"] = read(MAYBE_STRING, raw, "user", "a string")


def _safety_identifier(raw: Raw, top: Members, fields: Fields, names: Names) -> None:
    """The newer name of `user`; beside it, it is only passed on."""
    value = read(MAYBE_STRING, raw, "safety_identifier", "a string")
    if said(top.get("user")):
        names["safety_identifier"] = text(raw)
    else:
        fields["user"] = value
        names[FORM + "user"] = '"safety_identifier"'


def _reasoning(raw: Raw, _top: Members, fields: Fields, names: Names) -> None:
    row = members(raw, "reasoning")
    fields["reasoning"] = read_reasoning(row)
    names[FORM + "reasoning"] = text(raw)
    for name in ("effort", "summary"):
        row.pop(name, None)
    names.update(leftover(row, "reasoning/"))


def read_reasoning(row: Members) -> Reasoning:
    """How much to think and what to show of it.

    Raises:
        InvalidRequest: a member is malformed.
    """
    effort = read(MAYBE_STRING, row.get("effort", NULL), "reasoning.effort", "a string")
    summary = read(MAYBE_STRING, row.get("summary", NULL), "reasoning.summary", "a string")
    return Reasoning(effort=effort, show=None if summary is None else "summary")


def _text(raw: Raw, _top: Members, fields: Fields, names: Names) -> None:
    row = members(raw, "text")
    verbosity = read(MAYBE_STRING, row.pop("verbosity", NULL), "text.verbosity", "a string")
    if verbosity is not None:
        fields["verbosity"] = verbosity
    shaped = row.pop("format", NULL)
    if shaped != NULL:
        inner = members(shaped, "text.format")
        shape = read_format(inner)
        if shape is None:
            names["text"] = text(raw)
            return
        fields["format"] = shape
        if inner.keys() - _FORMAT_MEMBERS or NULL in inner.values():
            names[FORM + "format"] = text(shaped)
    names.update(leftover(row, "text/"))


_FORMAT_MEMBERS = {"type", "name", "schema", "strict", "description"}


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
            path = "text.format"
            schema = row.get("schema")
            described = row.get("description", NULL)
            return OutputFormat(
                kind="json_schema",
                name=read(MAYBE_STRING, row.get("name", NULL), f"{path}.name", "a string"),
                description=read(MAYBE_STRING, described, f"{path}.description", "a string"),
                strict=read(_BOOL, row.get("strict", NULL), f"{path}.strict", "true or false"),
                schema=text(schema) if schema is not None and said(schema) else None,
            )
        case _:
            return None


def _tools(raw: Raw, _top: Members, fields: Fields, _names: Names) -> None:
    tools = read_tools(raw)
    if tools:
        fields["tools"] = tools


def _tool_choice(raw: Raw, _top: Members, fields: Fields, names: Names) -> None:
    choice = read_choice(raw)
    if choice is None:
        raise InvalidRequest("tool_choice is none of its forms", param="tool_choice")
    fields["tool_choice"] = choice
    if open_string(raw) is None:
        names[FORM + "tool_choice"] = text(raw)


_SPECIAL: dict[str, Callable[[Raw, Members, Fields, Names], None]] = {
    "conversation": _conversation,
    "user": _user,
    "safety_identifier": _safety_identifier,
    "reasoning": _reasoning,
    "text": _text,
    "tools": _tools,
    "tool_choice": _tool_choice,
}


def written_object(json: str) -> Members:
    """The members of an object that was written down as text."""
    return open_object(raw_of(json)) or {}
