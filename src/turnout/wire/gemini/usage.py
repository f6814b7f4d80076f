"""Usage, in both directions.

`promptTokenCount` holds the cached tokens, `toolUsePromptTokenCount` comes beside it; `candidatesTokenCount` leaves
out what was thought (recorded: 29 + 15 + 804 = 848). The model's counts are disjoint.
"""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from turnout.model import Usage
from turnout.wire.numbers import count

from .members import Wire

_COUNTS = (
    "promptTokenCount",
    "candidatesTokenCount",
    "thoughtsTokenCount",
    "cachedContentTokenCount",
    "toolUsePromptTokenCount",
)
_TOOL_USE = "tool_use_prompt"


def counts(row: Mapping[str, Any]) -> dict[str, int]:
    """The counts that a service says."""
    said: dict[str, int] = {}
    for name in _COUNTS:
        value = count(row.get(name))
        if value is not None:
            said[name] = value
    return said


def read_usage(said: Mapping[str, int]) -> Usage | None:
    """Usage from the counts of an answer, `None` when it says none."""
    if not said:
        return None
    prompt, tools = said.get("promptTokenCount"), said.get("toolUsePromptTokenCount")
    cached, thoughts = said.get("cachedContentTokenCount"), said.get("thoughtsTokenCount")
    candidates = said.get("candidatesTokenCount")
    total = None if prompt is None and tools is None else (prompt or 0) + (tools or 0)
    output = None if candidates is None and thoughts is None else (candidates or 0) + (thoughts or 0)
    return Usage(
        input=None if total is None else max(0, total - (cached or 0)),
        cache_read=cached,
        output=output,
        reasoning=thoughts,
        detail={} if tools is None else {_TOOL_USE: tools},
    )


def write_usage(usage: Usage) -> Wire | None:
    """Usage as this protocol says it, `None` when nothing is known."""
    if usage == Usage():
        return None
    prompt, output = usage.total_input or 0, usage.output or 0
    tools = min(usage.detail.get(_TOOL_USE, 0), prompt)
    thoughts = usage.reasoning or 0
    shown = output - thoughts if thoughts <= output else output  # some count thoughts beside it
    wire: Wire = {}
    if usage.input is not None:
        wire["promptTokenCount"] = prompt - tools
    if usage.output is not None:
        wire["candidatesTokenCount"] = shown
    if _TOOL_USE in usage.detail:
        wire["toolUsePromptTokenCount"] = tools
    if usage.cache_read is not None:
        wire["cachedContentTokenCount"] = usage.cache_read
    if usage.reasoning is not None:
        wire["thoughtsTokenCount"] = thoughts
    wire["totalTokenCount"] = prompt + shown + thoughts
    return wire


def row_of(raw: msgspec.Raw) -> dict[str, Any]:
    """The members of a `usageMetadata`; none when it is something else."""
    row = msgspec.json.decode(raw)
    return cast("dict[str, Any]", row) if isinstance(row, dict) else {}
