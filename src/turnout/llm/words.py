"""Texts as sequences of words, in which case, accents, punctuation and spacing do not count."""

import re
import unicodedata
from typing import Final

# Scripts that write words without spaces, or hang particles on them: each character is a word.
_DENSE: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_DENSE}]|[^\W\d_{_DENSE}]+|\d+")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_JOINED: Final = 7  # from this many characters on, spaces may be set otherwise


def plain(text: str) -> str:
    """The text in lower case, without accents, in compatible characters."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", decomposed))


def words(text: str) -> tuple[str, ...]:
    """The words of a text: runs of letters or of digits."""
    return tuple(_WORD.findall(plain(text)))


def holds(said: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether the words stand in what was said, one after another, none left out.

    The last may carry a genitive or plural s there. Long ones may be spaced otherwise: `+491701234567` stands in
    `+49 170 1234567`.
    """
    return bool(wanted) and (_in_order(said, wanted) or _in_one(said, "".join(wanted)))


def _in_order(said: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    *head, last = wanted
    size = len(wanted)
    ends = {last, last + "s"} if len(last) > 1 and last.isalpha() else {last}
    return any(
        said[at + size - 1] in ends and list(said[at : at + size - 1]) == head
        for at in range(len(said) - size + 1)
    )


def _in_one(said: tuple[str, ...], wanted: str) -> bool:
    if len(wanted) < _JOINED:
        return False
    starts: set[int] = set()
    place = 0
    for word in said:
        starts.add(place)
        place += len(word)
    starts.add(place)
    text = "".join(said)
    at = text.find(wanted)
    while at >= 0:
        if at in starts and at + len(wanted) in starts:
            return True
        at = text.find(wanted, at + 1)
    return False
