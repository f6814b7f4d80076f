"""A text as a row of words, each with its place, so that every reading can say where it stands."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

_SHARES: Final = "\u00bc\u00bd\u00be\u2153\u2154"
_TOKEN: Final = re.compile(
    rf"o['\u2019\"]\s?clock|aujourd['\u2019]hui|[^\W\d_{_SHARES}]+|\d+|\S", re.IGNORECASE
)
_CLOCK: Final = re.compile(r"^o['\"]\s?clock$")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_MOST_DIGITS: Final = 18
_MOST_FILLERS: Final = 8
_TAKEN: Final = "\0"
_DASHES: Final = str.maketrans("\u2019\u2018\u00b4\u02bc\u2010\u2011\u2012\u2013\u2014\u2212", "''''------")


@lru_cache(maxsize=8192)
def plain(word: str) -> str:
    """A word in lower case, without accents, with plain quotes and dashes."""
    if word in _SHARES:
        return word
    if word.isascii():
        return _CLOCK.sub("o'clock", word.lower())
    decomposed = unicodedata.normalize("NFKD", word.translate(_DASHES).casefold())
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", decomposed))


def several(words: str) -> frozenset[str]:
    """A set of words that are written with blanks between them."""
    return frozenset(words.split())


class Words:
    """The words of a text: runs of letters, runs of digits, and every other sign by itself.

    `words[i]` is plain; `starts[i]` and `ends[i]` are its offsets (code points) in `text`. Words in `taken` spans
    are blanked: they match nothing and still part what stands around them. `known` keeps what a grammar that several
    others build on read at a place, by its name, the place and the language.
    """

    __slots__ = ("ends", "known", "starts", "text", "words")

    def __init__(self, text: str, taken: Iterable[tuple[int, int]] = ()) -> None:
        self.text = text
        found = list(_TOKEN.finditer(text))
        self.starts = [each.start() for each in found]
        self.ends = [each.end() for each in found]
        self.words = [plain(each[0]) for each in found]
        self.known: dict[tuple[str, int, str], Any] = {}
        for start, end in taken:
            for at in range(*self.span(start, end)):
                self.words[at] = _TAKEN

    def __len__(self) -> int:
        return len(self.words)

    def word(self, at: int) -> str:
        """The word at an index, `""` outside of the text."""
        words = self.words
        return words[at] if 0 <= at < len(words) else ""

    def joined(self, at: int) -> bool:
        """Whether no blank parts a word from the one before it."""
        return 0 < at < len(self.words) and self.starts[at] == self.ends[at - 1]

    def said(self, first: int, end: int) -> str:
        """The text of the words from `first` up to and without `end`, as it stands there, `""` outside of it."""
        return self.text[self.starts[first] : self.ends[end - 1]] if first < end <= len(self.words) else ""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The words, from the first up to and without the last, that a stretch of the text touches."""
        return bisect_right(self.ends, start), bisect_left(self.starts, end)

    def is_number(self, at: int) -> bool:
        """Whether the word is a run of the digits 0 to 9 that may be a number; a longer one is a reference."""
        word = self.word(at)
        return word.isdigit() and word.isascii() and len(word) <= _MOST_DIGITS

    def skip(self, at: int, fillers: frozenset[str]) -> int:
        """The index of the first word from `at` on that is none of the fillers.

        Of a long run of them it is the index of one: nobody speaks so, and looking on would take long at each word.
        """
        end = at + _MOST_FILLERS
        while at < end and self.word(at) in fillers:
            at += 1
        return at
