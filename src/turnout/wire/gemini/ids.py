"""Ids of calls that came without one, as most of this protocol's do."""

from hashlib import blake2s


def call_id(seed: str) -> str:
    """A call id that is always the same for the same `seed`, so that a stream and its whole twin agree."""
    return "call_" + blake2s(seed.encode(), digest_size=12).hexdigest()


def answer_call_id(answer_id: str, index: int, name: str, arguments: str) -> str:
    """The id of the call that is part `index` of an answer; one without an id is told apart by what it calls."""
    return call_id(f"{answer_id}/{index}" if answer_id else f"/{index}/{name}/{arguments}")
