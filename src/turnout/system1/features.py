"""What a text is made of for the lexical tier: stems, pairs of them, and pieces of words, weighted by rarity."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice, pairwise
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_SPOKEN: Final = re.compile(r"(?<![\w@])(?:[^\W\d_A-Z]+|(?<![^.!?] )(?<![^.!?\s])[^\W\d_]+|[A-Z]+)(?![\w@])")
_SUFFIXES: Final = ("ing", "ed", "ly", "es", "s")
_SMALL: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "on",
        "for",
        "is",
        "are",
        "be",
        "i",
        "my",
        "me",
        "you",
        "your",
        "it",
        "that",
        "this",
        "do",
        "does",
        "can",
        "could",
        "would",
        "will",
        "with",
        "at",
        "from",
        "please",
        "and",
        "or",
        "what",
        "how",
        "whats",
        "s",
    ]
)
_LENGTHS: Final = (3, 4)
_LONGEST: Final = 200  # words; what follows says no more about the wish


def counts(text: str, stems: int = 2) -> Counter[str]:
    """The features of a text with how often each is there; a stem counts `stems` times, more than its pieces."""
    words = _WORD.findall(folded(text))[:_LONGEST]
    stemmed = [stem(word) for word in words]
    found: Counter[str] = Counter()
    for word in stemmed:
        found["=" + word] += stems
    found.update([f"{one} {other}" for one, other in pairwise(stemmed)])
    for word in words:
        if word not in _SMALL:
            found.update(_pieces(word))
    return found


def folded(text: str) -> str:
    """The text in lower case without accents."""
    if text.isascii():
        return text.lower()
    return "".join(
        letter for letter in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(letter)
    )


def stem(word: str) -> str:
    """An English word without its most common endings."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


@lru_cache(maxsize=16_384)
def _pieces(word: str) -> tuple[str, ...]:
    if len(word) > 40:
        return ()
    marked = f"<{word}>"
    return tuple(marked[at : at + size] for size in _LENGTHS for at in range(len(marked) - size + 1))


class Rarity:
    """How much each feature tells, learned from the texts of a catalogue; a vector has length 1.

    `power` is that of the rarity in a weight; below 1 it counts less, since in few examples most words are rare.
    """

    __slots__ = ("_weights",)

    def __init__(self, texts: Iterable[Counter[str]], power: float = 1.0) -> None:
        seen: Counter[str] = Counter()
        total = 0
        for text in texts:
            seen.update(text.keys())
            total += 1
        self._weights = {
            name: (math.log((1 + total) / (1 + count)) + 1) ** power for name, count in seen.items()
        }

    def known(self, text: str) -> float:
        """The share of the text's words that the catalogue has as well; half a word, where it has half of its pieces.

        Small words, numbers, and names in the midst of a sentence tell nothing; 1 where nothing else is said.
        """
        weights = self._weights
        shares: list[float] = []
        for found in islice(_SPOKEN.finditer(text), _LONGEST):
            word = folded(found[0])
            if word in _SMALL:
                continue
            if "=" + stem(word) in weights:
                shares.append(1.0)
                continue
            pieces = _pieces(word)
            shares.append(sum([piece in weights for piece in pieces]) / len(pieces) if pieces else 0.0)
        return sum(shares) / len(shares) if shares else 1.0

    def vector(self, text: Counter[str]) -> dict[str, float]:
        """The weighted features that the catalogue has as well; empty for a text that shares none."""
        weights = self._weights
        found = {
            name: (1 + math.log(count) if count > 1 else 1.0) * weights[name]
            for name, count in text.items()
            if name in weights
        }
        size = math.sqrt(sum([value * value for value in found.values()]))
        return {name: value / size for name, value in found.items()} if size else found
