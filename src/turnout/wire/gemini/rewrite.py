"""A `Body` written as a `generateContent` request.

Strategy: everything that the decoder kept is written back, so that a request of this protocol which a step changed
in one place differs in that place only. What came from another protocol is translated, reported as dropped where it
cannot change the answer or is a sampling hint, and refused by name otherwise.
"""

import re
from typing import Any

import msgspec

from turnout.model import Body, OutputFormat, Reasoning, Tool, ToolChoice
from turnout.model.errors import Unsupported
from turnout.wire.losses import Losses

from .dialect import GeminiDialect
from .members import PROTOCOL, Wire, form, open_object, raw_of, restore
from .request import CONFIG, read_choice, read_format, read_modalities, read_thinking, read_tool
from .schema import sendable
from .transcript import Transcript

_encode = msgspec.json.Encoder().encode
_CONFIG = {
    "temperature": "temperature",
    "top_p": "topP",
    "top_k": "topK",
    "presence_penalty": "presencePenalty",
    "frequency_penalty": "frequencyPenalty",
    "max_tokens": "maxOutputTokens",
    "seed": "seed",
}
_TEXT_ONLY: frozenset[str] = frozenset({"text"})


def encode_request(
    model: str, body: Body, dialect: GeminiDialect, *, translated: bool
) -> tuple[bytes, tuple[str, ...]]:
    """The request as bytes, and the names of what was left out; `translated`: it came in another protocol.

    Raises:
        Unsupported: the request says what this protocol cannot; `param` names it.
        InvalidRequest: the arguments of a call are no JSON object.
    """
    losses = Losses(PROTOCOL)
    wire = _request(model, body, dialect, losses, translated)
    return _encode(wire), losses.names


def encode_count_request(model: str, body: Body, dialect: GeminiDialect) -> tuple[bytes, tuple[str, ...]]:
    """A request whose tokens are to be counted.

    Raises:
        Unsupported: it says what this protocol cannot.
    """
    losses = Losses(PROTOCOL)
    wire = _request(model, body, dialect, losses, translated=True)
    if dialect.whole_count:
        return _encode({"generateContentRequest": {"model": f"models/{model}", **wire}}), losses.names
    counted = {name: wire[name] for name in ("contents", "systemInstruction", "tools") if name in wire}
    return _encode(counted), losses.names


def _request(model: str, body: Body, dialect: GeminiDialect, losses: Losses, translated: bool) -> Wire:
    losses.of_extra(body.extra)
    _refuse(body, losses)
    wire = Transcript(model, dialect, losses, translated).write(body.messages)
    if body.tools:
        wire["tools"] = _tools(body.tools, losses, translated)
    if (calling := _calling(body)) is not None:
        wire["toolConfig"] = {"functionCallingConfig": calling}
    config = _config(model, body, losses, translated)
    if config:
        wire[CONFIG] = config
    _service_tier(wire, body, losses)
    if body.store is not None:
        if translated:
            losses.add("store")
        else:
            wire["store"] = body.store
    restore(wire, body.extra)
    return wire


def _refuse(body: Body, losses: Losses) -> None:
    if body.previous is not None:
        raise Unsupported("previous_response_id")
    if body.conversation is not None:
        raise Unsupported("conversation")
    if body.background:
        raise Unsupported("background")
    if body.voice is not None:
        raise Unsupported("audio", "a voice is chosen in another way here")
    if body.parallel is False and body.tools:
        raise Unsupported("parallel_tool_calls", "calls cannot be kept to one at a time here")
    for name in ("verbosity", "user", "metadata"):
        if getattr(body, name):
            losses.add(name)
    if body.cache is not None:
        losses.add("cache_control")
    for name in body.extensions:
        losses.add(name)


def _service_tier(wire: Wire, body: Body, losses: Losses) -> None:
    tier = body.service_tier
    if tier is None:
        return
    word = {"auto": "unspecified", "default": "standard"}.get(tier, tier)
    written = form(body.extra, "serviceTier")
    if written is not None and written.strip('"').lower() == word:
        wire["serviceTier"] = raw_of(written)
    elif tier == "auto":
        losses.add("service_tier")
    elif word in ("standard", "flex", "priority"):
        wire["serviceTier"] = word
    else:
        raise Unsupported("service_tier", f"there is no tier {tier} here")


# ---- generationConfig ------------------------------------------------------------------------------------------------


def _config(model: str, body: Body, losses: Losses, translated: bool) -> Wire:
    wire: Wire = {}
    for name, ours in _CONFIG.items():
        value = getattr(body, name)
        if value is not None:
            wire[ours] = value
    stops = tuple(stop for stop in body.stop if stop or not translated)
    if stops:
        wire["stopSequences"] = stops
    if len(stops) < len(body.stop):
        losses.add("stop")
    if body.format is not None:
        wire.update(_format(body, body.format, losses, translated))
    if (thinking := _thinking(model, body, losses)) is not None:
        wire["thinkingConfig"] = thinking
    if (modalities := _modalities(body)) is not None:
        wire["responseModalities"] = modalities
    return wire


def _modalities(body: Body) -> Any:
    written = form(body.extra, "responseModalities")
    if written is not None and read_modalities(raw_of(written)) == body.output:
        return raw_of(written)
    if body.output == _TEXT_ONLY:
        return None
    return sorted((word.upper() for word in body.output), reverse=True)


def _format(body: Body, shape: OutputFormat, losses: Losses, translated: bool) -> Wire:
    written = {
        name: raw_of(json)
        for name in ("responseMimeType", "responseSchema", "responseJsonSchema")
        if (json := form(body.extra, name)) is not None
    }
    if written and read_format(written) == shape:
        return dict(written)
    for name in ("name", "strict", "description"):
        if getattr(shape, name) is not None:
            losses.add(f"response_format.{name}")
    if shape.kind == "text":
        return {"responseMimeType": "text/plain"}
    wire: Wire = {"responseMimeType": "application/json"}
    if shape.schema is not None:
        wire["responseJsonSchema"] = raw_of(
            _schema(shape.schema, "response_format.schema", losses, translated)
        )
    return wire


def _schema(schema: str, name: str, losses: Losses, translated: bool) -> str:
    sent, whole = sendable(schema) if translated else (schema, True)
    if not whole:
        losses.add(f"{name}.$ref")
    return sent


_BUDGETED = re.compile(r"gemini-2\b")
BUDGETS = {"minimal": 512, "low": 1_024, "medium": 8_192, "high": 24_576, "xhigh": 24_576, "max": 24_576}
LEVELS = {
    "minimal": "MINIMAL",
    "low": "LOW",
    "medium": "MEDIUM",
    "high": "HIGH",
    "xhigh": "XHIGH",
    "max": "XHIGH",
}


def _thinking(model: str, body: Body, losses: Losses) -> Any:
    """Levels, or budgets for models that know only those (K18); thoughts are shown where thinking is asked for."""
    reasoning = body.reasoning
    written = form(body.extra, "thinkingConfig")
    if written is not None and read_thinking(raw_of(written)) == (reasoning or Reasoning()):
        return raw_of(written)
    if reasoning is None:
        return None
    wire: Wire = {}
    effort = reasoning.effort
    if reasoning.mode == "off" or effort == "none" or reasoning.budget == 0:
        return {"thinkingBudget": 0}
    if effort is not None:
        if effort not in LEVELS:
            raise Unsupported("reasoning_effort", f"there is no effort {effort} here")
        if _BUDGETED.search(model):
            wire["thinkingBudget"] = reasoning.budget or BUDGETS[effort]
        else:
            wire["thinkingLevel"] = LEVELS[effort]
            if reasoning.budget is not None:
                losses.add("reasoning.budget")
    elif reasoning.budget is not None:
        wire["thinkingBudget"] = reasoning.budget
    elif reasoning.mode == "adaptive":
        wire["thinkingBudget"] = -1
    wire["includeThoughts"] = reasoning.show != "omitted"
    return wire


# ---- tools -----------------------------------------------------------------------------------------------------------


def _tools(tools: tuple[Tool, ...], losses: Losses, translated: bool) -> list[Wire]:
    """Functions that stand together are one entry; each hosted tool is one."""
    entries: list[Wire] = []
    for at, tool in enumerate(tools):
        param = f"tools[{at}]"
        losses.of_extra(tool.extra)
        if tool.cache is not None:
            losses.add("cache_control")
        if tool.kind == "hosted":
            entries.append(_hosted(tool, param))
        elif entries and "functionDeclarations" in entries[-1]:
            entries[-1]["functionDeclarations"].append(_declaration(tool, param, losses, translated))
        else:
            entries.append({"functionDeclarations": [_declaration(tool, param, losses, translated)]})
    return entries


def _hosted(tool: Tool, param: str) -> Wire:
    if tool.extra is None or tool.extra.protocol != PROTOCOL:
        raise Unsupported(f"{param}.type", f"the tool {tool.name} is hosted by another protocol")
    wire: Wire = {}
    restore(wire, tool.extra)
    return wire


def _declaration(tool: Tool, param: str, losses: Losses, translated: bool) -> Wire:
    if tool.kind == "custom":
        raise Unsupported(f"{param}.type", f"the tool {tool.name} takes free text, which has no place here")
    if tool.namespace is not None:
        raise Unsupported(f"{param}.namespace")
    wire: Wire = {"name": tool.name}
    if tool.description is not None:
        wire["description"] = tool.description
    _write_schema(wire, tool, "parameters", losses, translated)
    _write_schema(wire, tool, "response", losses, translated)
    if tool.strict is not None:
        losses.add("strict")
    restore(wire, tool.extra)
    return wire


def _write_schema(wire: Wire, tool: Tool, subset: str, losses: Losses, translated: bool) -> None:
    """A schema in the form that it came in where that still says the same, else as JSON Schema (K07)."""
    schema = tool.parameters if subset == "parameters" else tool.output_schema
    if schema is None:
        return
    written = form(tool.extra, subset)
    if written is not None:
        known = read_tool(raw_of(f'{{"name":"","{subset}":{written}}}'), subset)
        if schema == (known.parameters if subset == "parameters" else known.output_schema):
            wire[subset] = raw_of(written)
            return
    if open_object(raw_of(schema)) != {}:  # an empty one allows anything, which saying nothing does too
        wire[f"{subset}JsonSchema"] = raw_of(_schema(schema, f"{tool.name}.{subset}", losses, translated))


def _calling(body: Body) -> Any:
    choice = body.tool_choice
    written = form(body.extra, "functionCallingConfig")
    if written is not None and read_choice(raw_of(written)) == choice:
        return raw_of(written)
    return None if choice is None else _choice(choice)


def _choice(choice: ToolChoice) -> Wire:
    """The mode; names with a free choice need `VALIDATED`, since `AUTO` takes none."""
    if choice.mode == "none":
        return {"mode": "NONE"}
    free = "VALIDATED" if choice.names else "AUTO"
    wire: Wire = {"mode": "ANY" if choice.mode == "required" else free}
    if choice.names:
        wire["allowedFunctionNames"] = choice.names
    return wire
