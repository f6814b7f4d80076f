"""A place in a text that could fill a parameter, and what it would come to."""

import datetime
from typing import Any, Final, NamedTuple

from .text import Words

SURE: Final = 0.8
"""The bar: a value with less confidence is left out."""
QUOTED: Final = 0.89
"""How sure words in quotes are the text that a parameter takes; nothing else is just as sure."""


class Option(NamedTuple):
    """A place that could fill a slot: its words, the values that may be meant there, and how likely it is meant.

    `shared` leaves the words to other parameters too, as a currency does to its amount. `wrong` is a value that the
    schema does not allow.
    """

    first: int
    end: int
    values: tuple[Any, ...]
    confidence: float
    shared: bool = False
    wrong: bool = False


class Clockwork(NamedTuple):
    """The moment of asking, and the time zone that moments are written in (`None`: local, without an offset)."""

    now: datetime.datetime
    zone: datetime.tzinfo | None = None


def option_at(words: Words, start: int, end: int, value: Any, confidence: float) -> Option | None:
    """The option of a stretch of text (code points), `None` where it holds no free word."""
    first, last = words.span(start, end)
    if first >= last or any(words.word(at) == "\0" for at in range(first, last)):
        return None
    return Option(first, last, (value,), confidence)
