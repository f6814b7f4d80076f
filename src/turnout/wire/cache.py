"""Cache markers as OpenAI's protocols and their relatives write them: an object with a `ttl`, or without."""

from turnout.model import Cache

from .layers import Raw, open_object, open_string, said


def read_cache(raw: Raw) -> Cache | None:
    """The breakpoint that a marker says, `None` when it is none."""
    inner = open_object(raw)
    if inner is None:
        return None
    ttl = inner.get("ttl")
    if not said(ttl):
        return Cache()
    word = open_string(ttl)
    return None if word is None else Cache(ttl=word)
