"""Sets of words and the words of a name."""

import re

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def word_set(text: str) -> frozenset[str]:
    """The words of a text that is a table."""
    return frozenset(text.split())


def words_of(name: str) -> tuple[str, ...]:
    """The lower-case words of a mark's name: `userRequest`, `user-request` and `USER_REQUEST` are alike."""
    return tuple(word.lower() for word in _WORD.findall(name))
