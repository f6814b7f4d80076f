"""What this codec takes from the layers that all codecs read by, and its spellings of a cache breakpoint."""

from turnout.model import Cache, Json, ProtocolName
from turnout.wire.cache import read_cache
from turnout.wire.codec import FORM
from turnout.wire.layers import (
    BROKEN,
    MAYBE_STRING,
    NOTHING,
    NULL,
    OBJECT,
    STRING,
    TRUE,
    Bags,
    Members,
    Raw,
    leftover,
    members,
    open_object,
    open_string,
    raw_of,
    read,
    said,
    text,
    unnamed,
)

PROTOCOL: ProtocolName = "openai-chat"

_BAGS = Bags(PROTOCOL)
bag = _BAGS.bag
own = _BAGS.own
form = _BAGS.form
restore = _BAGS.restore

_CACHES = ("cache_control", "prompt_cache_breakpoint")


def take_cache(row: Members, names: dict[str, Json]) -> Cache | None:
    """The cache breakpoint of an element, taken out of `row`; its very form goes into `names`.

    `cache_control` is Anthropic's spelling that several compatible providers take, `prompt_cache_breakpoint`
    OpenAI's own (openai 3.57, content parts).
    """
    for name in _CACHES:
        if name in row:
            cache = read_cache(row[name])
            if cache is not None:
                names[FORM + name] = text(row.pop(name))
                return cache
    return None


__all__ = [
    "BROKEN",
    "MAYBE_STRING",
    "NOTHING",
    "NULL",
    "OBJECT",
    "PROTOCOL",
    "STRING",
    "TRUE",
    "Members",
    "Raw",
    "bag",
    "form",
    "leftover",
    "members",
    "open_object",
    "open_string",
    "own",
    "raw_of",
    "read",
    "read_cache",
    "restore",
    "said",
    "take_cache",
    "text",
    "unnamed",
]
