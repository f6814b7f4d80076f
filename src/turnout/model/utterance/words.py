"""Sets of words, the words of a name, and patterns that are compiled when they are first looked for."""

import re
from functools import cache

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@cache
def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled pattern of a constant of these tables; compiling them all takes longer than importing all else."""
    return re.compile(source, flags)


def word_set(text: str) -> frozenset[str]:
    """The words of a text that is a table."""
    return frozenset(text.split())


def words_of(name: str) -> tuple[str, ...]:
    """The lower-case words of a mark's name: `userRequest`, `user-request` and `USER_REQUEST` are alike."""
    return tuple(word.lower() for word in _WORD.findall(name))
