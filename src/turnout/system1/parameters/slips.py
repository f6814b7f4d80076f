"""Slips of the pen in the words for days, months and numbers: "tomorow", "thrusday", "thirteeen".

Strategy: a word that means nothing here, and from which one slip (two in a long one) leads to just one such word, is
read as that one. Its place in the text stays as it is.
"""

from functools import cache, lru_cache
from typing import Final

from turnout.model.languages import LANGUAGES

from .text import Words, several

_SHORTEST: Final = 6
_LONG: Final = 8
_ALSO: Final = "tomorrow yesterday tonight hundred thousand million midnight"
# Words that are one slip away and are not meant.
_REAL: Final = several(
    "sundae sundry thirsty plenty twenties thirties forties fifties sixties seventies eighties nineties hundreds"
    " thousands millions sundays mondays fridays seventh"
    " eighth ninetieth junior augusta augustus remember member ember twelfth tonights mighty nightly million"
)


def distance(one: str, other: str) -> int:
    """How many letters are added, left out, changed or swapped with their neighbour between two words."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        previous, row = row, [at]
        for index, want in enumerate(other, 1):
            cost = min(previous[index] + 1, row[-1] + 1, previous[index - 1] + (letter != want))
            if at > 1 and index > 1 and letter == other[index - 2] and one[at - 2] == want:
                cost = min(cost, before[index - 2] + 1)
            row.append(cost)
        before = previous
    return row[-1]


def set_right(words: Words) -> None:
    """Puts the words that were meant into the place of slips."""
    words.words[:] = [_meant(each) if len(each) >= _SHORTEST else each for each in words.words]


@lru_cache(maxsize=8192)
def _meant(word: str) -> str:
    if not word.isalpha() or not word.isascii() or word in _known() or word in _REAL:
        return word
    near = [other for other in _targets().get(word[0], ()) if _is_slip(word, other)]
    return near[0] if len(near) == 1 else word


def _is_slip(word: str, other: str) -> bool:
    most = 2 if len(other) >= _LONG else 1
    return abs(len(word) - len(other)) <= most and word != other + "s" and distance(word, other) <= most


@cache
def _targets() -> dict[str, tuple[str, ...]]:
    """The words that may be meant, by their first letters."""
    english = LANGUAGES["en"]
    named = [each.split()[0] for each in (*english.months, *english.weekdays, *english.tens)]
    found = [each for each in (*named, *english.numbers.split(), *_ALSO.split()) if len(each) >= _SHORTEST]
    return {
        letter: tuple(each for each in found if each[0] == letter) for letter in {each[0] for each in found}
    }


@cache
def _known() -> frozenset[str]:
    """The words for days, months and numbers of all languages, which are no slips of one another."""
    return frozenset(
        word
        for each in LANGUAGES.values()
        for names in (*each.months, *each.weekdays, *each.tens, each.numbers)
        for word in names.split()
    ) | frozenset(_ALSO.split())
