"""What this codec takes from the layers that all codecs read by, and its cache breakpoints."""

from typing import Any

import msgspec

from turnout.model import Cache, Extra, Json, ProtocolName
from turnout.wire.codec import FORM
from turnout.wire.layers import Bags, Members, open_object, open_string, raw_of, said, text

PROTOCOL: ProtocolName = "anthropic-messages"

_BAGS = Bags(PROTOCOL)
bag = _BAGS.bag
own = _BAGS.own
form = _BAGS.form
restore = _BAGS.restore

Wire = dict[str, Any]

_PLAIN = {
    b'{"type":"ephemeral"}': Cache(),
    b'{"type": "ephemeral"}': Cache(),
    b'{"type":"ephemeral","ttl":"5m"}': Cache(ttl="5m"),
    b'{"type":"ephemeral","ttl":"1h"}': Cache(ttl="1h"),
}
TTLS = {"5m": "5m", "1h": "1h", "30m": "1h", "12h": "1h"}
"""Lifetimes as this protocol has them; one that it lacks becomes the next that holds as long as it can."""


def take_cache(row: Members, names: dict[str, Json]) -> Cache | None:
    """The cache breakpoint of an element, taken out of `row`; a form of its own goes into `names`."""
    raw = row.get("cache_control")
    if raw is None:
        return None
    written = bytes(raw)
    cache = _PLAIN.get(written)
    if cache is None:
        cache = read_cache(raw)
        if cache is None:
            return None
        names[FORM + "cache_control"] = written.decode()
    del row["cache_control"]
    return cache


def read_cache(raw: msgspec.Raw | None) -> Cache | None:
    """A cache marker, `None` when it is none."""
    inner = open_object(raw)
    if inner is None:
        return None
    ttl = inner.get("ttl")
    if not said(ttl):
        return Cache()
    word = open_string(ttl)
    return None if word is None else Cache(ttl=word)


def write_cache(cache: Cache, extra: Extra | None) -> tuple[Any, bool]:
    """A cache marker as it came, else as this protocol says it; and whether its lifetime had to change."""
    written = form(extra, "cache_control")
    if written is not None and read_cache(raw_of(written)) == cache:
        return raw_of(written), False
    if cache.ttl is None:
        return {"type": "ephemeral"}, False
    ttl = TTLS.get(cache.ttl, "5m")
    return {"type": "ephemeral", "ttl": ttl}, ttl != cache.ttl


def json_of(value: object) -> Json:
    """A decoded value as JSON text."""
    return msgspec.json.encode(value).decode()


__all__ = [
    "PROTOCOL",
    "Wire",
    "bag",
    "form",
    "json_of",
    "own",
    "read_cache",
    "restore",
    "take_cache",
    "text",
    "write_cache",
]
