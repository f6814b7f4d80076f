"""A `Body` written as a Chat Completions request.

Strategy: everything that the decoder kept is written back, so that a request of this protocol which a step changed
in one place differs in that place only. What came from another protocol is translated, reported as dropped where it
cannot change the answer or is a sampling hint, and refused by name otherwise.
"""

from typing import Any

import msgspec

from turnout.model import Body, OutputFormat, Tool, ToolChoice
from turnout.model.errors import Unsupported

from .content import write_cache
from .dialect import ChatDialect
from .losses import Losses
from .members import PROTOCOL, TRUE, form, members, open_object, raw_of, restore
from .request import read_choice, read_format
from .transcript import write_messages

Wire = dict[str, Any]

_SAME = (
    "temperature",
    "top_p",
    "presence_penalty",
    "frequency_penalty",
    "seed",
    "store",
    "verbosity",
    "service_tier",
)
_TEXT_ONLY: frozenset[str] = frozenset({"text"})
_encode = msgspec.json.Encoder().encode


def encode_request(
    model: str, stream: bool, body: Body, dialect: ChatDialect, ask_usage: bool
) -> tuple[bytes, tuple[str, ...]]:
    """The request as bytes, and the names of what was left out.

    `ask_usage` asks for usage in a stream even if the client did not.

    Raises:
        Unsupported: the request says what this protocol cannot; `param` names it.
    """
    losses = Losses()
    losses.of_extra(body.extra)
    _refuse(body, losses)
    wire: Wire = {"model": model, "messages": write_messages(body.messages, dialect, losses)}
    if stream:
        wire["stream"] = True
        _stream_options(wire, body, dialect, ask_usage)
    _values(wire, body, dialect, losses)
    _reasoning(wire, body, losses)
    if body.tools:
        wire["tools"] = [_tool(tool, f"tools[{at}]", dialect, losses) for at, tool in enumerate(body.tools)]
    if body.tool_choice is not None:
        wire["tool_choice"] = _choice(body, body.tool_choice)
    if body.format is not None:
        wire["response_format"] = _format(body, body.format)
    restore(wire, body.extra)
    return _encode(wire), losses.names


def _refuse(body: Body, losses: Losses) -> None:
    if body.previous is not None:
        raise Unsupported("previous_response_id")
    if body.conversation is not None:
        raise Unsupported("conversation")
    if body.background:
        raise Unsupported("background")
    if body.top_k is not None:
        losses.add("top_k")
    if body.cache is not None:
        losses.add("cache_control")
    for name in body.extensions:
        losses.add(name)


LONGEST_USER = 64
"""Most characters of a user's identifier here; other protocols' clients put whole sessions into it."""


def _values(wire: Wire, body: Body, dialect: ChatDialect, losses: Losses) -> None:
    for name in _SAME:
        value = getattr(body, name)
        if value is not None:
            wire[name] = value
    if body.parallel is not None:
        wire["parallel_tool_calls"] = body.parallel
    if body.max_tokens is not None:
        wire[_limit(body, dialect)] = body.max_tokens
    if body.stop:
        lone = len(body.stop) == 1 and form(body.extra, "stop") is not None
        wire["stop"] = body.stop[0] if lone else body.stop
    if body.user is not None:
        _user(wire, body, body.user, losses)
    if body.metadata:
        wire["metadata"] = body.metadata
    if body.output != _TEXT_ONLY:
        wire["modalities"] = sorted(body.output, key=("text", "audio", "image").index)
    if body.voice is not None:
        wire["audio"] = raw_of(body.voice)


def _user(wire: Wire, body: Body, user: str, losses: Losses) -> None:
    if len(user) > LONGEST_USER and body.extra is not None and body.extra.protocol != PROTOCOL:
        losses.add("user")
    else:
        wire["user" if form(body.extra, "user") is None else "safety_identifier"] = user


def _limit(body: Body, dialect: ChatDialect) -> str:
    written = form(body.extra, "limit")
    return dialect.limit if written is None else written.strip('"')


def _stream_options(wire: Wire, body: Body, dialect: ChatDialect, ask_usage: bool) -> None:
    written = form(body.extra, "stream_options")
    options: Wire = {} if written is None else dict(members(raw_of(written), "stream_options"))
    wanted = body.want_usage or (ask_usage and dialect.asks_usage)
    if written is not None and (options.get("include_usage") == TRUE) is wanted:
        wire["stream_options"] = raw_of(written)
        return
    if wanted:
        options["include_usage"] = True
    if options:
        wire["stream_options"] = options


_EFFORTS = ((2_048, "low"), (8_192, "medium"))


def _reasoning(wire: Wire, body: Body, losses: Losses) -> None:
    """Effort as it is; a budget in tokens becomes the nearest effort and is reported."""
    reasoning = body.reasoning
    if reasoning is None:
        return
    effort = reasoning.effort
    if effort is None and reasoning.mode == "off":
        effort = "none"
    if reasoning.budget is not None:
        losses.add("reasoning.budget")
        if effort is None:
            budget = reasoning.budget
            effort = next((word for limit, word in _EFFORTS if budget <= limit), "high")
    if reasoning.show is not None:
        losses.add("reasoning.show")
    if effort is not None:
        wire["reasoning_effort"] = effort
    elif reasoning.mode is not None:
        losses.add("reasoning.mode")


def _tool(tool: Tool, param: str, dialect: ChatDialect, losses: Losses) -> Wire:
    losses.of_extra(tool.extra)
    if tool.namespace is not None:
        raise Unsupported(f"{param}.namespace")
    if tool.output_schema is not None:
        losses.add("output_schema")
    wire = _tool_body(tool, param)
    write_cache(wire, tool, dialect, losses)
    restore(wire, tool.extra)
    return wire


def _tool_body(tool: Tool, param: str) -> Wire:
    if tool.kind == "hosted":
        if tool.extra is not None and tool.extra.protocol != PROTOCOL:
            raise Unsupported(f"{param}.type", f"the tool {tool.name} is hosted by another protocol")
        return {"type": tool.name}
    body: Wire = {"name": tool.name}
    if tool.description is not None:
        body["description"] = tool.description
    if tool.kind == "function":
        if tool.parameters is not None:
            body["parameters"] = raw_of(tool.parameters)
        if tool.strict is not None:
            body["strict"] = tool.strict
    elif tool.format is not None:
        body["format"] = raw_of(tool.format)
    return {"type": tool.kind, tool.kind: body}


def _choice(body: Body, choice: ToolChoice) -> Any:
    written = form(body.extra, "tool_choice")
    if written is not None and read_choice(raw_of(written)) == choice:
        return raw_of(written)
    if not choice.names or choice.mode == "none":
        return choice.mode
    custom = {tool.name for tool in body.tools if tool.kind == "custom"}
    named: list[Wire] = []
    for name in choice.names:
        kind = "custom" if name in custom else "function"
        named.append({"type": kind, kind: {"name": name}})
    if choice.mode == "required" and len(named) == 1:
        return named[0]
    return {"type": "allowed_tools", "allowed_tools": {"mode": choice.mode, "tools": named}}


def _format(body: Body, shape: OutputFormat) -> Any:
    written = form(body.extra, "response_format")
    row = None if written is None else open_object(raw_of(written))
    if written is not None and row is not None and read_format(row) == shape:
        return raw_of(written)
    if shape.kind != "json_schema":
        return {"type": "text" if shape.kind == "text" else "json_object"}
    inner: Wire = {"name": shape.name or "answer"}
    if shape.description is not None:
        inner["description"] = shape.description
    if shape.schema is not None:
        inner["schema"] = raw_of(shape.schema)
    if shape.strict is not None:
        inner["strict"] = shape.strict
    return {"type": "json_schema", "json_schema": inner}
