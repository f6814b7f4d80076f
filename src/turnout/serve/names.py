"""Names of requests."""

import random

_random = random.Random()  # noqa: S311 -- names requests in headers and errors; nothing is guarded by it


def new_id() -> str:
    """A name for a request, unique for all practical purposes: 24 hexadecimal digits."""
    return f"{_random.getrandbits(96):024x}"
