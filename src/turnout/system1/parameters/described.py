"""Words that a description gives to numbers: "percent, 0 is off, 100 is fully on" makes "off" a way to say 0."""

import re
from functools import lru_cache
from typing import Final

from .mentions import Mentions
from .option import Option
from .slots import Slot
from .text import plain, several

_GIVEN: Final = re.compile(
    r"(-?\d+(?:\.\d+)?)\s*(?:is|=|means|for|:|\u2192)\s*(?:the\s+)?([^\W\d]+(?:\s[^\W\d]+)?)\s*(?=[,;.)]|\Z|\band\b)"
)
_DEGREES: Final = several("fully completely entirely wholly totally all")
_LITTLE: Final = several("on in up down at to for")
_LEADING: Final = several("turn switch put light lights lamp lamps it them all back set heating vent vents")
_FOLLOWING: Final = several("in at for please pls and again now everywhere . , ! ;")
_SAID: Final = 0.9
_TERMS: Final = 6


def described_options(slot: Slot, mentions: Mentions) -> list[Option]:
    """The places of a text that say a number by a word of the parameter's description."""
    words = mentions.words
    return [
        Option(at, at + len(name), (value,), _SAID)
        for name, value in _names(str(slot.schema.get("description", "")))
        for at in range(len(words) - len(name) + 1)
        if tuple(words.words[at : at + len(name)]) == name and _stands_alone(words.words, at, name)
    ]


def _stands_alone(words: list[str], at: int, name: tuple[str, ...]) -> bool:
    """Whether a word that is a preposition too ("on") is none here: "turn it on", "lights on in the lab"."""
    if "".join(name) not in _LITTLE:
        return True
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else "."
    return before in _LEADING and (after in _FOLLOWING or before in ("turn", "switch", "put"))


@lru_cache(maxsize=1024)
def _names(description: str) -> tuple[tuple[tuple[str, ...], float], ...]:
    """The names in plain words and what they stand for; of "fully on" the bare "on" too."""
    found: dict[tuple[str, ...], float] = {}
    for given in list(_GIVEN.finditer(description))[:_TERMS]:
        name = tuple(plain(given[2]).split())
        number = float(given[1])
        value = int(number) if number.is_integer() else number
        found[name] = value
        if name[0] in _DEGREES and len(name) > 1:
            found.setdefault(name[1:], value)
    return tuple(found.items())
