"""Ids of items and calls that came without one: the same for the same answer, streamed or whole."""

from hashlib import blake2s


def digest(seed: str) -> str:
    """Letters that are always the same for the same `seed`."""
    return blake2s(seed.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def answer_call_id(answer_id: str, index: int) -> str:
    """The id of the call that is part `index` of an answer."""
    return "call_" + digest(f"{answer_id}/{index}")


def response_id(answer_id: str, seed_id: str) -> str:
    """The id of a response: its maker's own, else one made from the seed's."""
    return answer_id or (seed_id if seed_id.startswith("resp_") else f"resp_{seed_id}")
