"""Days that are called by a name, in five languages: "Christmas Eve", "Easter Monday", "Karfreitag"."""

from typing import Final

from .calendar import Day
from .text import Words

_FIXED: Final = {
    ("christmas", "eve"): (12, 24),
    ("christmas", "day"): (12, 25),
    ("christmas",): (12, 25),
    ("xmas",): (12, 25),
    ("xmas", "eve"): (12, 24),
    ("boxing", "day"): (12, 26),
    ("new", "year", "eve"): (12, 31),
    ("new", "year", "day"): (1, 1),
    ("halloween",): (10, 31),
    ("silvester",): (12, 31),
    ("valentine", "day"): (2, 14),
    ("valentines", "day"): (2, 14),
    ("heiligabend",): (12, 24),
    ("neujahr",): (1, 1),
    ("noel",): (12, 25),
    ("navidad",): (12, 25),
    ("natale",): (12, 25),
    ("ferragosto",): (8, 15),
}
_MOVABLE: Final = {
    ("shrove", "tuesday"): -47,
    ("ash", "wednesday"): -46,
    ("palm", "sunday"): -7,
    ("maundy", "thursday"): -3,
    ("good", "friday"): -2,
    ("easter", "sunday"): 0,
    ("easter", "monday"): 1,
    ("ascension", "day"): 39,
    ("whit", "sunday"): 49,
    ("whit", "monday"): 50,
    ("rosenmontag",): -48,
    ("aschermittwoch",): -46,
    ("grundonnerstag",): -3,
    ("karfreitag",): -2,
    ("ostersonntag",): 0,
    ("ostermontag",): 1,
    ("christi", "himmelfahrt"): 39,
    ("pfingstsonntag",): 49,
    ("pfingstmontag",): 50,
    ("fronleichnam",): 60,
    ("vendredi", "saint"): -2,
    ("lundi", "de", "paques"): 1,
    ("lundi", "de", "pentecote"): 50,
    ("viernes", "santo"): -2,
    ("venerdi", "santo"): -2,
    ("pasquetta",): 1,
}
"""Days after Easter Sunday."""

_NAMES: Final = sorted((*_FIXED, *_MOVABLE), key=len, reverse=True)
_FIRST: Final = frozenset(name[0] for name in _NAMES)


def feast(words: Words, at: int) -> tuple[int, Day] | None:
    """The feast that begins with a word, and where its name ends."""
    if words.word(at) not in _FIRST:
        return None
    for name in _NAMES:
        end = _end(words, at, name)
        if not end or (name == ("good", "friday") and not words.said(at, at + 1).istitle()):
            continue
        if name in _MOVABLE:
            return end, Day(from_easter=_MOVABLE[name])
        month, day = _FIXED[name]
        return end, Day(day=day, month=month)
    return None


def _end(words: Words, at: int, name: tuple[str, ...]) -> int:
    """Where a name that begins with a word ends, 0 where it does not stand there: "New Year's Eve", "new years day"."""
    for want in name:
        if words.word(at) == "'" and words.word(at + 1) == "s":
            at += 2
        elif words.word(at) in {"'", "s"}:
            at += 1
        if words.word(at) != want and not (want == "year" and words.word(at) == "years"):
            return 0
        at += 1
    return at
