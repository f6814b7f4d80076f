"""What this codec takes from the layers that all codecs read by, and its own names."""

from turnout.model import Cache, Json, ProtocolName
from turnout.wire.cache import read_cache
from turnout.wire.codec import FORM
from turnout.wire.layers import Bags, Members, text

PROTOCOL: ProtocolName = "openai-responses"

_BAGS = Bags(PROTOCOL)
bag = _BAGS.bag
own = _BAGS.own
form = _BAGS.form
restore = _BAGS.restore

ITEM = "item/"
"""Prefix, in the `Extra` of the first part of a message item, of the members of that item."""

_CACHE = "prompt_cache_breakpoint"


def take_cache(row: Members, names: dict[str, Json]) -> Cache | None:
    """The cache breakpoint of a content part, taken out of `row`; its very form goes into `names` (openai 3.57)."""
    raw = row.get(_CACHE)
    cache = None if raw is None else read_cache(raw)
    if cache is not None:
        names[FORM + _CACHE] = text(row.pop(_CACHE))
    return cache
