"""Slips of the fingers set right, so that an encoder sees the word that was meant: "bakc door", "cancle it".

Strategy: a word that the encoder does not know as a whole, and from which one slip leads to just one word with which
the catalogue or requests in general are worded, is read as that word. Words that are known are never touched, whatever
is near to them, and neither is anything with a digit. The lexical tier needs none of this: pieces of words are alike
anyway.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from .clauses import lowered
from .gloss import Places, origin
from .verbs import ENGLISH

_WORD: Final = re.compile(r"(?<![\w@./'-])[^\W\d_]{3,20}(?![\w@/'-]|\.\w)")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_LEAST: Final = 4  # letters of a word that may have been meant
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"


class Respelled(NamedTuple):
    """A text with its slips set right; `places` are as those of a gloss."""

    text: str
    places: Places

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that a span of the text comes from."""
        return origin(self.places, start, end)


class Spelling:
    """The words that may have been meant, and which words need no correction."""

    __slots__ = ("_knows", "_meant")

    def __init__(self, texts: Iterable[str], knows: Callable[[str], bool]) -> None:
        own = {word for text in texts for word in _LETTERS.findall(lowered(text)) if len(word) >= _LEAST}
        self._meant = own | {verb for verb in ENGLISH if len(verb) >= _LEAST}
        self._knows = knows

    def corrected(self, text: str) -> Respelled | None:
        """The text with its slips set right, `None` where there are none."""
        low = lowered(text)
        pieces: list[str] = []
        places: list[tuple[int, int, int, int]] = []
        at = done = 0
        for found in _WORD.finditer(low):
            meant = self._meant_by(found[0])
            if not meant:
                continue
            start, end = found.span()
            for piece, first, last in ((text[done:start], done, start), (meant, start, end)):
                pieces.append(piece)
                places.append((at, at + len(piece), first, last))
                at += len(piece)
            done = end
        if not pieces:
            return None
        places.append((at, at + len(text) - done, done, len(text)))
        return Respelled("".join(pieces) + text[done:], tuple(places))

    def _meant_by(self, word: str) -> str:
        if word in self._meant or not word.isascii() or self._knows(word):
            return ""
        near = {other for other in _one_slip_from(word) if other in self._meant}
        return near.pop() if len(near) == 1 else ""


def _one_slip_from(word: str) -> Iterable[str]:
    """Words with one letter more, less, or another, or two swapped; the first letter is seldom the wrong one."""
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        if at == 0:
            continue
        if after:
            yield before + after[1:]
        for letter in _ALPHABET:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]
