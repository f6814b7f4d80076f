"""A `Body` written as an Anthropic Messages request.

Strategy: everything that the decoder kept is written back, so that a request of this protocol which a step changed in
one place differs in that place only. What came from another protocol is translated by the table of the model's family,
reported as dropped where it cannot change the answer or is a sampling hint, and refused by name otherwise.
"""

from operator import attrgetter
from typing import Any

import msgspec

from turnout.model import Body, OutputFormat, Tool, ToolChoice
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.layers import open_object, raw_of
from turnout.wire.losses import Losses

from .dialect import AnthropicDialect
from .families import Family, family
from .members import PROTOCOL, Wire, form, restore
from .reasoning import OFF, Thinking, thinking
from .request import read_format
from .transcript import marker, write_messages

_encode = msgspec.json.Encoder().encode
_TEXT_ONLY: frozenset[str] = frozenset({"text"})
_FOREIGN_SAMPLING = ("presence_penalty", "frequency_penalty", "seed")
_USUAL = frozenset(
    {"messages", "max_tokens", "temperature", "top_p", "top_k", "cache", "extra", "want_usage"}
)
_more = attrgetter(*(name for name in Body.__struct_fields__ if name not in _USUAL))
"""What most requests don't say; where none of it is said, nothing has to look at each."""
_NOTHING_MORE = _more(Body(messages=()))
TIERS = {"auto": "auto", "default": "standard_only"}
"""Service tiers of the model that this protocol has; any other costs what the client did not ask for."""

_NOT_COUNTED = (
    "max_tokens",
    "stop_sequences",
    "temperature",
    "top_p",
    "top_k",
    "metadata",
    "service_tier",
    "stream",
)


def encode_request(
    model: str, stream: bool, body: Body, dialect: AnthropicDialect
) -> tuple[bytes, tuple[str, ...]]:
    """The request as bytes, and the names of what was left out.

    Raises:
        Unsupported: the request says what this protocol cannot; `param` names it.
        InvalidRequest: it cannot be said here as it is.
    """
    losses = Losses(PROTOCOL)
    wire = _request(model, body, dialect, losses)
    if stream:
        wire["stream"] = True
    return _encode(wire), losses.names


def encode_count_request(model: str, body: Body, dialect: AnthropicDialect) -> tuple[bytes, tuple[str, ...]]:
    """The same request as one whose tokens are to be counted, which takes less than one that is to be answered.

    Raises:
        Unsupported: as `encode_request` does.
        InvalidRequest: as `encode_request` does.
    """
    losses = Losses(PROTOCOL)
    wire = _request(model, body, dialect, losses)
    for name in _NOT_COUNTED:
        wire.pop(name, None)
    return _encode(wire), losses.names


def _request(model: str, body: Body, dialect: AnthropicDialect, losses: Losses) -> Wire:
    losses.of_extra(body.extra)
    row, how = family(model), OFF
    says_more = _more(body) != _NOTHING_MORE
    if says_more:
        _refuse(body, losses)
        forced = body.tool_choice is not None and body.tool_choice.mode == "required"
        how = thinking(body, row, forced, losses)
    wire: Wire = {"model": model, "max_tokens": _limit(body, row, dialect, how)}
    system, messages = write_messages(body.messages, dialect, losses)
    if system is not None:
        wire["system"] = system
    if not messages:
        raise InvalidRequest("messages: nothing is left to be sent", param="messages")
    wire["messages"] = messages
    if says_more:
        _tools(wire, body, losses)
        wire.update(how.members)
        _format(wire, body)
        _values(wire, body, losses)
    wire.update(sampling(body, row, how, losses))
    if body.cache is not None:
        wire["cache_control"] = marker(body.cache, body.extra, losses)
    if is_ours(body) and body.extra is not None:
        for name in ("output_config", "metadata"):
            if any(member.startswith(name + "/") for member in body.extra.members):
                wire.setdefault(name, {})
        restore(wire, body.extra)
    return wire


def _refuse(body: Body, losses: Losses) -> None:
    if body.previous is not None and (body.extra is None or "thread" not in body.extra.members):
        raise Unsupported("previous_response_id")
    if body.conversation is not None:
        raise Unsupported("conversation")
    if body.background:
        raise Unsupported("background")
    if body.output != _TEXT_ONLY:
        raise Unsupported("modalities", "this protocol answers in text only")
    if body.service_tier is not None and body.service_tier not in TIERS and not is_ours(body):
        raise Unsupported("service_tier", f"this protocol has no service tier {body.service_tier}")
    for name in ("voice", "verbosity", "store", "metadata"):
        if getattr(body, name):
            losses.add(name)
    for name in body.extensions:
        losses.add(name)


def is_ours(body: Body) -> bool:
    """Whether the request came in this protocol."""
    return body.extra is not None and body.extra.protocol == PROTOCOL


def _limit(body: Body, row: Family, dialect: AnthropicDialect, how: Thinking) -> int:
    if body.max_tokens is not None:
        return body.max_tokens
    return (row.output or dialect.default_max_tokens) + (0 if row.output else how.budget)


def _values(wire: Wire, body: Body, losses: Losses) -> None:
    for name in _FOREIGN_SAMPLING:
        if getattr(body, name) is not None:
            losses.add(name)
    stop = [word for word in body.stop if word.strip() or is_ours(body)]
    if len(stop) < len(body.stop):
        losses.add("stop")
    if stop:
        wire["stop_sequences"] = stop
    if body.user is not None:
        wire["metadata"] = {"user_id": body.user}
    if body.service_tier is not None:
        wire["service_tier"] = TIERS.get(body.service_tier, body.service_tier)


# ---- sampling --------------------------------------------------------------------------------------------------------


def sampling(body: Body, row: Family, how: Thinking, losses: Losses) -> Wire:
    """The sampling parameters that this model takes together; the others are reported."""
    given: Wire = {}
    if body.temperature is not None:
        given["temperature"] = body.temperature
    if body.top_p is not None:
        given["top_p"] = body.top_p
    if body.top_k is not None:
        given["top_k"] = body.top_k
    if is_ours(body):
        return given
    if row.sampling == "none" or how.on:
        left_out = list(given)
    elif row.sampling == "one" and "temperature" in given and "top_p" in given:
        left_out = ["top_p"]
    else:
        left_out = []
    for name in left_out:
        del given[name]
        losses.add(name)
    return given


# ---- tools -----------------------------------------------------------------------------------------------------------


def _tools(wire: Wire, body: Body, losses: Losses) -> None:
    tools = _offered(body)
    if tools:
        wire["tools"] = [_tool(tool, f"tools[{at}]", losses) for at, tool in enumerate(tools)]
    choice = _choice(body, bool(tools))
    if choice is not None:
        wire["tool_choice"] = choice


def _offered(body: Body) -> list[Tool]:
    """The tools; where only some may be called, those, since this protocol has no other way to say so."""
    choice = body.tool_choice
    if choice is None or not choice.names or (choice.mode == "required" and len(choice.names) == 1):
        return list(body.tools)
    return [tool for tool in body.tools if tool.name in choice.names]


def _tool(tool: Tool, param: str, losses: Losses) -> Wire:
    losses.of_extra(tool.extra)
    if tool.kind == "hosted":
        if tool.extra is None or tool.extra.protocol != PROTOCOL:  # this protocol's always have a name
            raise Unsupported(f"{param}.type", f"the tool {tool.name} is hosted by another protocol")
        wire: Wire = {"type": tool.name}
    else:
        wire = _function(tool, param)
    if tool.output_schema is not None:
        losses.add("output_schema")
    if tool.cache is not None:
        wire["cache_control"] = marker(tool.cache, tool.extra, losses)
    restore(wire, tool.extra)
    return wire


def _function(tool: Tool, param: str) -> Wire:
    if tool.kind != "function":
        raise Unsupported(f"{param}.type", "custom tools have no place here")
    if tool.namespace is not None:
        raise Unsupported(f"{param}.namespace")
    wire: Wire = {"name": tool.name}
    if form(tool.extra, "type") is not None:
        wire["type"] = "custom"
    if tool.description is not None:
        wire["description"] = tool.description
    wire["input_schema"] = _schema(tool)
    if tool.strict is not None:
        wire["strict"] = tool.strict
    return wire


def _schema(tool: Tool) -> Any:
    """The parameters' schema; this protocol demands one, and that it says `object`."""
    if tool.parameters is None:
        return {"type": "object", "properties": {}}
    raw = raw_of(tool.parameters)
    row = open_object(raw)
    whole = row is None or "type" in row or form(tool.extra, "schema") is not None
    return raw if whole or row is None else {"type": "object", **row}


def _choice(body: Body, offered: bool) -> Wire | None:
    choice = body.tool_choice
    alone = body.parallel is False
    if choice is None:
        if body.parallel is None or not offered or (body.parallel and not is_ours(body)):
            return None
        return {"type": "auto", "disable_parallel_tool_use": alone}
    if not offered and choice.mode != "required" and not is_ours(body):
        return None  # without tools there is nothing to choose
    wire = _word(choice)
    if body.parallel is not None and (is_ours(body) or (alone and choice.mode != "none")):
        wire["disable_parallel_tool_use"] = alone
    return wire


def _word(choice: ToolChoice) -> Wire:
    if choice.mode == "required" and len(choice.names) == 1:
        return {"type": "tool", "name": choice.names[0]}
    return {"type": CHOICES[choice.mode]}


CHOICES = {"auto": "auto", "none": "none", "required": "any"}


# ---- the form of the answer ------------------------------------------------------------------------------------------


def _format(wire: Wire, body: Body) -> None:
    shape = body.format
    if shape is None or shape.kind == "text":
        return
    written = form(body.extra, "format")
    if written is not None and read_format(raw_of(written)) == shape:
        said: Any = raw_of(written)
    else:
        said = {"type": "json_schema", "schema": _answer_schema(shape)}
    wire["output_config"] = {**wire.get("output_config", {}), "format": said}


def _answer_schema(shape: OutputFormat) -> msgspec.Raw:
    if shape.kind != "json_schema" or shape.schema is None:
        raise Unsupported("response_format", "this protocol answers in JSON by a schema only")
    return raw_of(shape.schema)
