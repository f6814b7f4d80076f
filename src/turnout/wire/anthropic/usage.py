"""Usage, in both directions: the protocol's counts are disjoint, as the model's are (anthropic 2.14, `Usage`)."""

from collections.abc import Mapping
from typing import Any, cast

from turnout.model import Extra, Json, Usage
from turnout.wire.layers import open_object, raw_of
from turnout.wire.numbers import count

from .members import PROTOCOL, Wire, json_of

_TOP = frozenset(
    {
        "input_tokens",
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
        "cache_creation",
        "output_tokens",
    }
)
_INNER = {"output_tokens_details": "thinking_tokens"}
PREFIX = "usage/"
"""Names in an `Extra` of what usage says beside the counts."""


def _inner(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def read_usage(row: Mapping[str, Any]) -> Usage:
    """Usage as a provider says it; written tokens whose lifetime is not said count as the short one."""
    said = row.get
    written = count(said("cache_creation_input_tokens"))
    long = reasoning = None
    by_lifetime = said("cache_creation")
    if by_lifetime:
        lifetimes = _inner(by_lifetime)
        long = count(lifetimes.get("ephemeral_1h_input_tokens"))
        if written is None:
            written = count(lifetimes.get("ephemeral_5m_input_tokens"))
        elif long is not None:
            written = max(0, written - long)
    details = said("output_tokens_details")
    if details:
        reasoning = count(_inner(details).get("thinking_tokens"))
    return Usage(
        input=count(said("input_tokens")),
        cache_read=count(said("cache_read_input_tokens")),
        cache_write=written,
        cache_write_1h=long,
        output=count(said("output_tokens")),
        reasoning=reasoning,
    )


def beside_usage(row: Mapping[str, Any]) -> dict[str, Json]:
    """What usage says beside the counts (`service_tier`, uses of server tools), as members of an `Extra`."""
    beside: dict[str, Json] = {}
    if row.keys() <= _TOP:
        return beside
    for name in [name for name in row if name not in _TOP]:
        value = row[name]
        if value is None:
            continue
        if name in _INNER and isinstance(value, dict):
            inner = {key: one for key, one in cast("dict[str, Any]", value).items() if key != _INNER[name]}
            if not inner:
                continue
            value = inner
        beside[PREFIX + name] = json_of(value)
    return beside


def write_usage(usage: Usage, extra: Extra | None, *, counted: bool = True) -> Wire:
    """Usage as this protocol says it; input and output must be there, so that what is unknown is 0.

    `counted=False` leaves the input out where it is not known, which only the event at the end of a stream may.
    """
    wire: Wire = {}
    if counted or usage.input is not None:
        wire["input_tokens"] = usage.input or 0
    short, long = usage.cache_write, usage.cache_write_1h
    if short is not None or long is not None:
        wire["cache_creation_input_tokens"] = (short or 0) + (long or 0)
    if usage.cache_read is not None:
        wire["cache_read_input_tokens"] = usage.cache_read
    if long is not None:
        wire["cache_creation"] = {"ephemeral_5m_input_tokens": short or 0, "ephemeral_1h_input_tokens": long}
    wire["output_tokens"] = usage.output or 0
    if usage.reasoning is not None:
        wire["output_tokens_details"] = {"thinking_tokens": usage.reasoning}
    if extra is not None and extra.protocol == PROTOCOL:
        for name, json in extra.members.items():
            if name.startswith(PREFIX):
                _restore(wire, name.removeprefix(PREFIX), json)
    return wire


def _restore(wire: Wire, name: str, json: Json) -> None:
    counts = wire.get(name)
    wire[name] = raw_of(json) if counts is None else {**(open_object(raw_of(json)) or {}), **counts}
