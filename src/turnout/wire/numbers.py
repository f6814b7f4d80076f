"""Numbers as they come over the wire: words of an address or a header, and counts in JSON."""

from typing import Final

_DIGITS: Final = 9


def whole(word: str | bytes, most_digits: int = _DIGITS) -> int | None:
    """The whole number that a word of ASCII digits spells, `None` where it spells none.

    One of more digits than `most_digits` is none either: Python refuses to read a number of thousands of them.
    """
    return int(word) if word.isdigit() and word.isascii() and len(word) <= most_digits else None


def count(value: object) -> int | None:
    """A count as a whole number; some services say 3.0. `None` for what is no number, as true and false are none."""
    if type(value) is int:
        return value
    return int(value) if type(value) is float else None
