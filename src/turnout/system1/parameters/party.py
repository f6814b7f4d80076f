"""How many people a text speaks of without a number: "just me", "my wife and I", "me plus three", "zu fünft"."""

import re
from typing import Final

from .languages import small
from .mentions import Mentions
from .numbers import ordinal
from .option import Option, option_at
from .slots import PERSONS, Slot
from .text import Words

_KIN: Final = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse|friend|mum|mom|mother|dad|father|son|daughter"
    r"|brother|sister|colleague|boss)"
)
_ALONE: Final = re.compile(
    r"\b(?:(?:just|only) (?:me|myself)|(?:me|myself) (?:alone|only)|on my own|by myself|nur ich|ich allein|allein"
    r"|moi seule?|juste moi|solo yo|yo solo|solo io|da solo)\b",
    re.I,
)
_PAIR: Final = re.compile(
    rf"\b(?:(?:my|the) {_KIN} and (?:i|me|myself)|(?:me|myself) and my {_KIN}|(?:just )?the two of us|zu zweit"
    r"|meine? (?:frau|mann|freund|freundin) und ich)\b",
    re.I,
)
_PLUS: Final = re.compile(
    r"\b(?:me|myself) (?:plus|and) (\w+)(?: (?:others?|friends?|people|guests?|kids|more))?", re.I
)
_TOGETHER: Final = re.compile(r"\bzu (\w+t)\b", re.I)


def party_options(slot: Slot, mentions: Mentions) -> list[Option]:
    """The places of a text that say a number of people, for a parameter that counts them."""
    if not slot.cues & PERSONS:
        return []
    text = mentions.words.text
    found = [(match, 1) for match in _ALONE.finditer(text)] + [(match, 2) for match in _PAIR.finditer(text)]
    for match in _PLUS.finditer(text):
        more = (
            int(match[1])
            if match[1].isascii() and match[1].isdigit()
            else small("en").get(match[1].lower(), 0)
        )
        found += [(match, 1 + more)] if 0 < more < 100 else []
    words = mentions.words
    for match in _TOGETHER.finditer(text):
        first, _ = words.span(*match.span(1))
        placed = ordinal(Words(f"{words.word(first)}e"), 0, "de")
        found += [(match, placed[1])] if placed is not None and placed[1] > 2 else []
    made = (option_at(words, *match.span(), value, 0.95) for match, value in found)
    return [each for each in made if each is not None]
