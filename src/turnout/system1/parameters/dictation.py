"""Signs that are spelled out one by one: "one two dash a b" is 12-ab, "double five oh" is 550."""

from typing import Final, NamedTuple

from .languages import small
from .numbers import number
from .text import Words, several

MARKS: Final = {
    word: mark
    for mark, words in (
        ("-", "dash hyphen bindestrich strich tiret guion trattino"),
        ("_", "underscore unterstrich underline"),
        (".", "dot point period punkt punto"),
        ("/", "slash schragstrich barre barra"),
        ("#", "hash raute"),
        ("+", "plus"),
    )
    for word in words.split()
}
"""Words for marks, plain, in five languages."""
_TIMES: Final = {"double": 2, "triple": 3, "treble": 3, "doppel": 2}
_NOUGHT: Final = several("oh nought")
_SIGNS: Final = several("- _ . / # +")
_MOST: Final = 32
_LARGEST: Final = 1000


class Piece(NamedTuple):
    """One sign or several, which end before the word `end`; `spoken` ones were said by their names."""

    text: str
    end: int
    spoken: bool = False


def piece(words: Words, at: int, code: str) -> Piece | None:
    """What a word says of a spelled out reference: a digit, a number, a letter, or a mark."""
    word = words.word(at)
    times = _TIMES.get(word)
    if times is not None:
        once = digit(words, at + 1, code)
        return None if once is None else Piece(once.text * times, once.end, True)
    if word in _SIGNS:
        return Piece(word, at + 1)
    if word in MARKS:
        return Piece(MARKS[word], at + 1, True)
    found = digit(words, at, code)
    if found is not None:
        return found
    spelled = number(words, at, code) if word.isalpha() and len(word) > 1 else None
    if spelled is not None and spelled.spelled and spelled.values[0] in range(_LARGEST):
        return Piece(str(int(spelled.values[0])), spelled.end, True)
    return Piece(words.said(at, at + 1), at + 1) if len(word) == 1 and word.isalpha() else None


def digit(words: Words, at: int, code: str) -> Piece | None:
    """A run of digits, or one digit by its name."""
    word = words.word(at)
    if words.is_number(at):
        return Piece(word, at + 1)
    value = 0 if word in _NOUGHT else small(code).get(word, _LARGEST) if len(word) > 1 else _LARGEST
    return Piece(str(value), at + 1, True) if value < 10 else None


def digits(words: Words, at: int, code: str) -> Piece | None:
    """The digits from a word on, of which some are said by their names: "plus four four double two 01"."""
    text, end, spoken = "", at, False
    if words.word(at) == "plus":
        text, end, spoken = "+", at + 1, True
    while end - at < _MOST:
        times = _TIMES.get(words.word(end), 0)
        found = digit(words, end + (times > 0), code)
        if found is None:
            break
        text, end, spoken = text + found.text * (times or 1), found.end, spoken or found.spoken
    return Piece(text, end, spoken) if text.strip("+") else None
