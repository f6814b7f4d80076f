"""Durations as they are said: "an hour and a half", "90 minutes", "2h30", "six weeks", "P3D"."""

import re
from decimal import Decimal
from functools import cache
from typing import Final, NamedTuple

from .calendar import Length
from .languages import ENGLISH
from .numbers import number
from .text import Words, several

_ISO: Final = re.compile(
    r"p(?=[\dt])(?:(\d+)y)?(?:(\d+)m)?(?:(\d+)w)?(?:(\d+)d)?(?:t(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)?",
    re.ASCII,
)
_UNITS: Final = {
    "second": "second seconds sec secs sekunde sekunden seconde secondes segundo segundos secondo secondi",
    "minute": "minute minutes min mins minuten minuto minutos minuti",
    "hour": "hour hours hr hrs stunde stunden heure heures hora horas ora ore",
    "day": "day days tag tage tagen jour jours journee journees giornata dia dias giorno giorni",
    "night": "night nights nacht nachte nuit nuits noche noches notte notti",
    "week": "week weeks wk wks woche wochen semaine semaines semana semanas settimana settimane",
    "fortnight": "fortnight fortnights",
    "month": "month months mth mths mos monat monate monaten mois mes meses mese mesi",
    "quarter": "quarters",
    "year": "year years yr yrs jahr jahre jahren an ans annee annees ano anos anno anni",
    "decade": "decade decades",
}
_SHORT: Final = {
    "s": "second",
    "m": "minute",
    "h": "hour",
    "d": "day",
    "w": "week",
    "y": "year",
    "std": "hour",
}
_SIZES: Final[dict[str, tuple[int, int, int]]] = {  # months, days, seconds
    "second": (0, 0, 1),
    "minute": (0, 0, 60),
    "hour": (0, 0, 3600),
    "day": (0, 1, 0),
    "night": (0, 1, 0),
    "week": (0, 7, 0),
    "fortnight": (0, 14, 0),
    "month": (1, 0, 0),
    "quarter": (3, 0, 0),
    "year": (12, 0, 0),
    "decade": (120, 0, 0),
}
_OF: Final = frozenset(
    {"of", "a", "an", "de", "d", "'", "-", "business", "working", "calendar", "full", "whole"}
)
_ARTICLES: Final = {
    "en": frozenset({"a", "an", "one"}),
    "de": frozenset({"ein", "eine", "einen", "einer", "einem"}),
    "fr": frozenset({"un", "une"}),
    "es": frozenset({"un", "una"}),
    "it": frozenset({"un", "una"}),
}
_AND: Final = frozenset({"and", "und", "et", "y", "e", ",", "plus"})
_HALVES: Final = frozenset({"half", "demie", "demi", "media", "medio", "mezza", "mezzo", "mezz"})
_HALVES_OF_UNITS: Final = _HALVES | {"halbe", "halben", "halbes"}
_BEFORE_HALVES: Final = frozenset({"a", "une", "eine", "einer"})
_QUARTERS: Final = {
    **dict.fromkeys(("a", "one", "1", "un", "une", "una", "uno", "eine", "einer"), 1),
    **dict.fromkeys(("three", "3", "trois", "tres", "tre", "drei"), 3),
}
_QUARTER: Final = frozenset(
    {"quarter", "quarters", "quart", "quarts", "cuarto", "cuartos", "quarto", "quarti"}
)
_AFTER: Final = several(
    "on at from for please and or in of today tomorrow long tops max maximum total is was per a each bitte am ab um"
)
_WHOLE_WORDS: Final = {
    "fortnight": Length(days=14, weeks=True),
    "halfhour": Length(seconds=1800),
    "viertelstunde": Length(seconds=900),
    "dreiviertelstunde": Length(seconds=2700),
}


class Said(NamedTuple):
    """A length that ends before the word `end`; `unit` is its smallest unit."""

    end: int
    length: Length
    unit: str


def duration(words: Words, at: int, code: str = ENGLISH) -> Said | None:
    """The duration that begins with a word, the longest one, or `None`."""
    key = ("duration", at, code)
    if key not in words.known:
        words.known[key] = _read(words, at, code)
    return words.known[key]


def _read(words: Words, at: int, code: str) -> Said | None:
    word = words.word(at)
    if word in _WHOLE_WORDS:
        return Said(at + 1, _WHOLE_WORDS[word], "minute")
    if word.startswith("p") and len(word) <= 2:
        return _iso(words, at)
    said = _quarters(words, at) or _clocked(words, at) or _one(words, at, code)
    while said is not None:
        following = words.skip(said.end, _AND)
        more = _one(words, following, code) if following - said.end < 2 else None
        if more is None or _order(more.unit) >= _order(said.unit):
            more = _bare_minutes(words, said, code)
        if more is None:
            return said
        said = Said(more.end, said.length.plus(more.length), more.unit)
    return None


def length(value: Decimal, unit: str) -> Length | None:
    """So much of a unit; `None` where a part of a month or of a second would be left."""
    months, days, seconds = _SIZES[unit]
    whole_months = value * months
    all_seconds = value * seconds
    whole_days = int(value * days)
    all_seconds += (value * days - whole_days) * 86_400
    if whole_months != int(whole_months) or all_seconds != int(all_seconds) or value < 0 or value > 10**6:
        return None
    weeks = unit in {"week", "fortnight"} and whole_days == value * days
    return Length(int(whole_months), whole_days, int(all_seconds), weeks)


def _order(unit: str) -> int:
    months, days, seconds = _SIZES[unit]
    return months * 30 * 86_400 + days * 86_400 + seconds


def _one(words: Words, at: int, code: str) -> Said | None:
    """One number and its unit."""
    half = _half_unit(words, at)
    if half is not None:
        return half
    counted = number(words, at, code)
    article = words.word(at) in _ARTICLES[code] or words.word(at) in _ARTICLES[ENGLISH]
    if article and (counted is None or (counted.end == at + 1 and counted.spelled)):
        end, value = at + 1, Decimal(1)
    elif counted is not None and len(counted.values) == 1:
        end, value = counted.end, counted.values[0]
    elif words.word(at + 1) in _AND and words.word(words.skip(at + 2, _ARTICLES[ENGLISH])) in _HALVES:
        # "Hora y media" is said without its article.
        end, value = at, Decimal(1)
    else:
        return None
    unit = _unit(words, end)
    if unit is None:
        return None
    end, name = unit
    end, value = _and_a_half(words, end, value, code)
    found = length(value, name)
    return None if found is None else Said(end, found, name)


def _half_unit(words: Words, at: int) -> Said | None:
    """`half an hour`, `half a day`, `une demi-heure`."""
    at = words.skip(at, _BEFORE_HALVES) if words.word(at + 1) in _HALVES else at
    if words.word(at) not in _HALVES_OF_UNITS:
        return None
    name = _names().get(words.word(words.skip(at + 1, _OF)))
    end = words.skip(at + 1, _OF) + 1
    found = length(Decimal("0.5"), name) if name else None
    return None if found is None or name is None else Said(end, found, name)


def _unit(words: Words, at: int) -> tuple[int, str] | None:
    word = words.word(at)
    if word in _SHORT and words.joined(at) and words.is_number(at - 1):
        return at + 1, _SHORT[word]
    if word in {"d", "w"} and words.is_number(at - 1) and not words.word(at + 1).isalnum():
        return at + 1, _SHORT[word]
    if word in {"h", "s", "std"} and words.word(at - 1) != "'":
        return _past_stop(words, at + 1), _SHORT[word]
    after = words.skip(at, _OF)
    name = _names().get(words.word(after))
    if name is None or after - at > 2:
        return None
    return _past_stop(words, after + 1), name


def _past_stop(words: Words, at: int) -> int:
    """The word after a full stop that ends an abbreviation within a length: `2 Std. 30 Min.`"""
    return at + 1 if words.word(at) == "." and words.joined(at) and words.is_number(at + 1) else at


def _and_a_half(words: Words, at: int, value: Decimal, code: str) -> tuple[int, Decimal]:
    """`an hour and a half`, `hora y media`."""
    if words.word(at) in _AND and words.word(at) != ",":
        if words.word(at + 1) in {"three", "3"} and words.word(at + 2) == "quarters":
            return at + 3, value + Decimal("0.75")
        after = words.skip(at + 1, _ARTICLES[code] | _ARTICLES[ENGLISH])
        if words.word(after) in _HALVES and words.word(after + 1) not in _names():
            return after + 1, value + Decimal("0.5")
        if words.word(after) in {"quarter", "quart", "cuarto", "quarto"} and (
            after > at + 1 or code != ENGLISH
        ):
            return after + 1, value + Decimal("0.25")
    return at, value


def _bare_minutes(words: Words, said: Said, code: str) -> Said | None:
    """The minutes of `2h30`, `1 hr 15` and `one hour fifteen`, whose unit goes without saying."""
    at = said.end
    if said.unit != "hour" or said.length.seconds % 3600:
        return None
    if words.is_number(at) and words.joined(at):
        whole = len(words.word(at)) == 2 and int(words.word(at)) < 60
        return Said(at + 1, Length(seconds=60 * int(words.word(at))), "minute") if whole else None
    more = number(words, at, code)
    if more is None or len(more.values) != 1 or more.values[0] not in range(5, 60):
        return None
    following = words.word(more.end)
    if following.isalnum() and following not in _AFTER:
        return None
    if following in {":", "%", "/", "-", "\u20ac", "$", "\u00a3"}:
        return None
    return Said(more.end, Length(seconds=60 * int(more.values[0])), "minute")


def _quarters(words: Words, at: int) -> Said | None:
    """`three quarters of an hour`, `quarter of an hour`, `trois quarts d'heure`, `un quart d'heure`."""
    if words.word(at) == "dreiviertel" and _names().get(words.word(at + 1)) == "hour":
        return Said(at + 2, Length(seconds=2700), "minute")
    many = _QUARTERS.get(words.word(at), 0)
    after = at + 1 if many else at
    if words.word(after) not in _QUARTER:
        return None
    end = words.skip(after + 1, _OF)
    if _names().get(words.word(end)) != "hour":
        return None
    return Said(end + 1, Length(seconds=900 * (many or 1)), "minute")


def _clocked(words: Words, at: int) -> Said | None:
    """`2:30 hours`."""
    if not (words.is_number(at) and words.word(at + 1) == ":" and words.is_number(at + 2)):
        return None
    joined = words.joined(at + 1) and words.joined(at + 2)
    hours, minutes = words.word(at), words.word(at + 2)
    if not joined or len(minutes) != 2 or int(minutes) > 59 or len(hours) > 3:
        return None
    if _names().get(words.word(at + 3)) != "hour" and words.word(at + 3) not in {"h", "std"}:
        return None
    return Said(at + 4, Length(seconds=3600 * int(hours) + 60 * int(minutes)), "minute")


def _iso(words: Words, at: int) -> Said | None:
    end = at + 1
    while end < len(words) and words.joined(end) and words.word(end).isalnum():
        end += 1
    found = _ISO.fullmatch(words.said(at, end).lower())
    if found is None or end == at + 1:
        return None
    years, months, weeks, days, hours, minutes, seconds = (int(each or 0) for each in found.groups())
    read = Length(
        years * 12 + months,
        weeks * 7 + days,
        hours * 3600 + minutes * 60 + seconds,
        bool(weeks) and not days,
    )
    return Said(end, read, "second")


@cache
def _names() -> dict[str, str]:
    return {word: name for name, words in _UNITS.items() for word in words.split()}
