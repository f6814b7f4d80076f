"""Usage, in both directions: cached and written tokens are inside the input, reasoning inside the output."""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from turnout.model import Usage
from turnout.wire.layers import BROKEN, Raw, raw_of, said

from .members import form

_ROW: Any = msgspec.json.Decoder(dict[str, Any])
_DETAILS = ("input_tokens_details", "output_tokens_details")
_NAMED = frozenset({"input_tokens", "output_tokens", "total_tokens", *_DETAILS})


def read_usage(raw: Raw | None) -> Usage:
    """Usage as a provider says it; without a count nothing is known."""
    if raw is None or not said(raw):
        return Usage()
    row = read_object(raw)
    total, output = _count(row, "input_tokens"), _count(row, "output_tokens")
    if total is None and output is None:
        return Usage()
    of_input, of_output = (_inner(row, name) for name in _DETAILS)
    cached, written = _count(of_input, "cached_tokens"), _count(of_input, "cache_write_tokens")
    return Usage(
        input=max(0, (total or 0) - (cached or 0) - (written or 0)),
        cache_read=cached,
        cache_write=written,
        output=output or 0,
        reasoning=_count(of_output, "reasoning_tokens"),
        detail={name: value for name, value in row.items() if name not in _NAMED and type(value) is int},
    )


def _count(row: Mapping[str, Any], name: str) -> int | None:
    value = row.get(name)
    return value if type(value) is int else None


def _inner(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = row.get(name)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def write_usage(usage: Usage, extra: Any) -> Any:
    """Usage with all its members, as it came where it still says the same; clients read 0 for what nobody counted."""
    written = form(extra, "usage")
    if written is not None and read_usage(raw_of(written)) == usage and _is_whole(written):
        return raw_of(written)
    return _row(usage)


def is_canonical(raw: Raw) -> bool:
    """Whether usage says nothing beside its counts."""
    return read_object(raw) == _row(read_usage(raw))


def read_object(raw: Raw) -> dict[str, Any]:
    """All members, empty for what is no object."""
    try:
        return _ROW.decode(raw)
    except BROKEN:
        return {}


def _row(usage: Usage) -> dict[str, Any]:
    total, output = usage.total_input or 0, usage.output or 0
    return {
        "input_tokens": total,
        "input_tokens_details": {
            "cached_tokens": usage.cache_read or 0,
            "cache_write_tokens": (usage.cache_write or 0) + (usage.cache_write_1h or 0),
        },
        "output_tokens": output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning or 0},
        "total_tokens": total + output,
    }


def _is_whole(written: str) -> bool:
    row = read_object(raw_of(written))
    return "cache_write_tokens" in _inner(row, _DETAILS[0]) and "reasoning_tokens" in _inner(row, _DETAILS[1])
