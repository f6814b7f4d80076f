"""A `Body` written as a Responses request.

Strategy: everything that the decoder kept is written back, so that a request of this protocol which a step changed in
one place differs in that place only. What came from another protocol is translated, reported as dropped where it
cannot change the answer or is a sampling hint, and refused by name otherwise.
"""

from typing import Any

import msgspec

from turnout.model import Body, Message, OutputFormat, Reasoning, Text
from turnout.model.errors import Unsupported
from turnout.wire.codec import FORM
from turnout.wire.layers import open_object, raw_of
from turnout.wire.losses import Losses

from .dialect import ResponsesDialect
from .members import PROTOCOL, form
from .request import read_format, read_reasoning, written_object
from .tools import write_choice, write_tools
from .turns import write_items

Wire = dict[str, Any]

_encode = msgspec.json.Encoder().encode
_SAME = {
    "temperature": "temperature",
    "top_p": "top_p",
    "service_tier": "service_tier",
    "store": "store",
    "previous": "previous_response_id",
    "max_tokens": "max_output_tokens",
    "parallel": "parallel_tool_calls",
}
_PENALTIES = ("presence_penalty", "frequency_penalty")
_TEXT_ONLY: frozenset[str] = frozenset({"text"})


def encode_request(
    model: str, stream: bool, body: Body, dialect: ResponsesDialect
) -> tuple[bytes, tuple[str, ...]]:
    """The request as bytes, and the names of what was left out.

    Raises:
        Unsupported: the request says what this protocol cannot; `param` names it.
    """
    losses = Losses(PROTOCOL)
    losses.of_extra(body.extra)
    _refuse(body, dialect, losses)
    wire: Wire = {"model": model}
    messages = body.messages
    words = instructions_of(messages)
    if words is not None:
        wire["instructions"] = words
        messages = messages[1:]
    if messages or form(body.extra, "input") != "null":
        wire["input"] = _input(body, messages, dialect, losses)
    if stream:
        wire["stream"] = True
    wire.update(settings(body, dialect, losses))
    _values(wire, body, dialect)
    if is_own(body):
        _restore(wire, body)
    else:
        _ask_as_others_do(wire, body, dialect)
    return _encode(wire), losses.names


def is_own(body: Body) -> bool:
    """Whether a request of this protocol says `body`."""
    return body.extra is not None and body.extra.protocol == PROTOCOL


def _restore(wire: Wire, body: Body) -> None:
    """Write back what the model does not name; members of objects are in these already."""
    assert body.extra is not None  # noqa: S101 -- `is_own` has looked
    for name, json in body.extra.members.items():
        if not name.startswith((FORM, "reasoning/", "text/")):
            wire[name.removeprefix("/")] = raw_of(json)


def _ask_as_others_do(wire: Wire, body: Body, dialect: ResponsesDialect) -> None:
    """What goes without saying in other protocols: nothing is stored; reasoning comes so that it can go back."""
    wire.setdefault("store", False)
    thinks = body.reasoning is not None and "reasoning" in wire and wire["reasoning"].get("effort") != "none"
    if thinks and dialect.encrypts:
        wire["include"] = ["reasoning.encrypted_content"]


def instructions_of(messages: tuple[Message, ...]) -> str | None:
    """The text of the leading message that came as `instructions`."""
    if not messages or form(messages[0].extra, "instructions") is None:
        return None
    first = messages[0].parts[0]
    plain = len(messages[0].parts) == 1 and isinstance(first, Text)
    return first.text if plain and isinstance(first, Text) else None


def _input(body: Body, messages: tuple[Message, ...], dialect: ResponsesDialect, losses: Losses) -> Any:
    if form(body.extra, "input") == '""' and len(messages) == 1:
        first = messages[0].parts[0]
        if isinstance(first, Text) and messages[0] == Message(role="user", parts=(Text(text=first.text),)):
            return first.text
    return write_items(messages, dialect, losses, lean=not is_own(body))


def _refuse(body: Body, dialect: ResponsesDialect, losses: Losses) -> None:
    if body.output != _TEXT_ONLY:
        raise Unsupported("modalities")
    if body.voice is not None:
        raise Unsupported("audio")
    if any(word.strip() for word in body.stop):
        raise Unsupported("stop", "this protocol has no stop sequences")
    for name in ("stop", "seed", "top_k", "cache"):
        if getattr(body, name):
            losses.add("cache_control" if name == "cache" else name)
    if not dialect.open and not is_own(body):
        for name in _PENALTIES:
            if getattr(body, name) is not None:
                losses.add(name)
    for name in body.extensions:
        losses.add(name)


def _values(wire: Wire, body: Body, dialect: ResponsesDialect) -> None:
    """What answers do not repeat as it is."""
    if body.conversation is not None:
        written = form(body.extra, "conversation")
        same = written is not None and written_object(written).get("id") == raw_of(_json(body.conversation))
        wire["conversation"] = raw_of(written) if written is not None and same else body.conversation
    if body.user is not None:
        newer = form(body.extra, "user") is not None or (dialect.open and not is_own(body))
        wire["safety_identifier" if newer else "user"] = body.user


def _json(value: object) -> str:
    return _encode(value).decode()


def settings(body: Body, dialect: ResponsesDialect, losses: Losses) -> Wire:
    """The members of a request that answers repeat, as far as `body` says them."""
    wire: Wire = {name: value for field, name in _SAME.items() if (value := getattr(body, field)) is not None}
    if not is_own(body) and body.max_tokens is not None and body.max_tokens < dialect.shortest:
        wire["max_output_tokens"] = dialect.shortest
        losses.add("max_tokens")
    if dialect.open or is_own(body):
        wire.update({name: value for name in _PENALTIES if (value := getattr(body, name)) is not None})
    if body.background:
        wire["background"] = True
    if body.metadata:
        wire["metadata"] = body.metadata
    if body.tools:
        wire["tools"] = write_tools(body.tools, dialect, losses)
    if body.tool_choice is not None:
        wire["tool_choice"] = write_choice(body, body.tool_choice)
    reasoning = None if body.reasoning is None else _reasoning(body, body.reasoning, losses)
    if reasoning is not None:
        wire["reasoning"] = reasoning
    shown = _text(body)
    if shown:
        wire["text"] = shown
    return wire


_EFFORTS = ((2_048, "low"), (8_192, "medium"))


def _reasoning(body: Body, reasoning: Reasoning, losses: Losses) -> Any:
    """How much to think: as it came where it still says the same; a budget in tokens becomes the nearest effort."""
    written = form(body.extra, "reasoning")
    row: Wire = {} if written is None else dict(written_object(written))
    if written is not None and read_reasoning(row) == reasoning:
        return raw_of(written)
    effort = reasoning.effort
    if effort is None and reasoning.mode == "off":
        effort = "none"
    if reasoning.budget is not None:
        losses.add("reasoning.budget")
        if effort is None:
            budget = reasoning.budget
            effort = next((word for limit, word in _EFFORTS if budget <= limit), "high")
    wire = {name: raw for name, raw in row.items() if name not in ("effort", "summary")}
    if effort is not None:
        wire["effort"] = effort
    elif reasoning.mode is not None:
        losses.add("reasoning.mode")
    if reasoning.show in ("full", "summary"):
        wire["summary"] = "auto"
    return wire or None


def _text(body: Body) -> Wire:
    wire: Wire = {}
    if body.format is not None:
        wire["format"] = _format(body, body.format)
    if body.verbosity is not None:
        wire["verbosity"] = body.verbosity
    if body.extra is not None and is_own(body):
        for name, json in body.extra.members.items():
            if name.startswith("text/"):
                wire[name.removeprefix("text/")] = raw_of(json)
    return wire


def _format(body: Body, shape: OutputFormat) -> Any:
    written = form(body.extra, "format")
    row = None if written is None else open_object(raw_of(written))
    if written is not None and row is not None and read_format(row) == shape:
        return raw_of(written)
    if shape.kind != "json_schema":
        return {"type": "text" if shape.kind == "text" else "json_object"}
    wire: Wire = {"type": "json_schema", "name": shape.name or "answer"}
    if shape.description is not None:
        wire["description"] = shape.description
    wire["schema"] = raw_of(shape.schema or "{}")
    if shape.strict is not None:
        wire["strict"] = shape.strict
    return wire
