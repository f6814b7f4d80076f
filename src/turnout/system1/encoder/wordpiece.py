"""WordPiece as BERT's uncased models use it: text in, ids of pieces out.

Source: the published behaviour of BERT's tokenizer (Devlin et al. 2018): clean, lower-case, strip accents, part at
white space, punctuation and CJK characters, then take the longest known piece from the left, again and again.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_LONGEST_WORD: Final = 100
_CJK: Final = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FA1F))


class WordPiece:
    """A tokenizer over `vocabulary`, whose places are the ids; `longest` bounds the ids of one text, marks included.

    Raises:
        ValueError: the vocabulary lacks the marks that every text needs.
    """

    __slots__ = ("_begin", "_end", "_ids", "_longest", "_unknown")

    def __init__(self, vocabulary: Iterable[str], longest: int = 128) -> None:
        self._ids = {piece: at for at, piece in enumerate(vocabulary)}
        try:
            self._begin, self._end, self._unknown = (self._ids[mark] for mark in ("[CLS]", "[SEP]", "[UNK]"))
        except KeyError as error:
            raise ValueError(f"the vocabulary has no {error.args[0]}") from None
        self._longest = longest

    def knows(self, word: str) -> bool:
        """Whether a lower-case word is one piece."""
        return word in self._ids

    def ids(self, text: str) -> list[int]:
        """The ids of a text between its two marks; what goes beyond the bound is left out."""
        found = [self._begin]
        room = self._longest - 1
        for word in words(text):
            found += self._pieces(word)
            if len(found) >= room:
                break
        return [*found[:room], self._end]

    def _pieces(self, word: str) -> list[int]:
        whole = self._ids.get(word)
        if whole is not None:
            return [whole]
        if len(word) > _LONGEST_WORD:
            return [self._unknown]
        pieces: list[int] = []
        start = 0
        while start < len(word):
            end = len(word)
            while end > start:
                known = self._ids.get(word[start:end] if start == 0 else "##" + word[start:end])
                if known is not None:
                    break
                end -= 1
            else:
                return [self._unknown]
            pieces.append(known)
            start = end
        return pieces


def words(text: str) -> list[str]:
    """The words and single marks of a text, lower-case and without accents."""
    lower = text.lower()
    if not lower.isascii():
        lower = "".join(
            letter for letter in unicodedata.normalize("NFD", lower) if unicodedata.category(letter) != "Mn"
        )
    return "".join([_spaced(letter) for letter in lower]).split()


@lru_cache(maxsize=4096)
def _spaced(letter: str) -> str:
    code = ord(letter)
    if letter in "\t\n\r":
        return " "
    kind = unicodedata.category(letter)
    if code in (0, 0xFFFD) or kind.startswith("C"):
        return ""
    if kind == "Zs":
        return " "
    marks = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    if marks or kind.startswith("P") or any(first <= code <= last for first, last in _CJK):
        return f" {letter} "
    return letter
