"""Whether a text names a date, a time or a duration, in figures, in words, or counted from today."""

import datetime
import re
from decimal import Decimal
from functools import cache
from typing import Final

from turnout.model.languages import LANGUAGES

from .numerals import values
from .words import plain, words

# Short forms that are words of their own.
_UNCLEAR: Final = frozenset({"mon", "wed", "weds", "sat", "sun"})
_DAYS: Final = {
    -2: r"day before yesterday|vorgestern|avant-hier|anteayer|altro ieri|eergisteren|anteontem",
    -1: r"yesterday|gestern|hier|ayer|ieri|gisteren|ontem",
    0: r"today|tonight|now|heute|jetzt|aujourd|hoy|oggi|vandaag|hoje",
    1: r"tomorrow|morgen|demain|manana|domani|amanha",
    2: r"day after tomorrow|ubermorgen|apres-demain|pasado manana|dopodomani|overmorgen",
}
_PERIODS: Final = {
    -1: r"last|previous|past|letzte[nmrs]?|vorige[nmrs]?|vergangene[nmrs]?|pasad[oa]|scors[oa]|vorige|passad[oa]",
    0: r"this|current|end of (?:the )?(?:month|year|week)|diese[nmrs]?|ende des|ce|cette|este|esta|questo|questa|deze",
    1: r"next|coming|following|nachste[nmrs]?|kommende[nmrs]?|prochaine?|proxim[oa]|prossim[oa]|volgende",
}
_MONTH: Final = re.compile(r"\b(?:months?|monate?s?|mois|mes|mese|maand)\b")
_YEAR: Final = re.compile(r"\b(?:years?|jahre?s?|an|annee|ano|anno|jaar)\b")
_WEEK: Final = re.compile(r"\b(?:weeks?|wochen?|semaine|semana|settimana)\b")
_STEPS: Final = {
    1: re.compile(r"\b(?:days?|tage?n?|jours?|dias?|giorni|dagen)\b"),
    7: re.compile(r"\b(?:weeks?|wochen?|semaines?|semanas?|settimane|weken)\b"),
}
_WRITTEN: Final = re.compile(r"(?<!\d)(\d{1,4})\s?[./-]\s?(\d{1,4})(?:\s?[./-]\s?(\d{2,4}))?(?!\d)")
_FULL_YEAR: Final = re.compile(r"(?<![\d.,])(?:19|20|21)\d\d(?![\d,]|\.\d)")
_CLOCK: Final = re.compile(
    r"(?:\b(at|by|before|after|from|until|till|um|gegen|ab|bis|vor|nach|a|a las|as|alle|om)\s+)?"
    r"(?<!\d)(\d{1,2})(?:\s?[:.h]\s?(\d{2}))?(?![\d.,]\d)\s?(?:([ap])\.?m\b|(uhr|h|o.?clock)\b)?"
)
_NOON: Final = re.compile(r"\b(?:noon|midday|mittags?|midi|mediodia|mezzogiorno)\b")


def is_date_said(value: datetime.date, text: str, today: datetime.date) -> bool:
    """Whether a text names this day.

    A month alone means its first or its last day, a year is free where none is said.
    """
    said = plain(text)
    return _is_written(value, said) or _is_named(value, said) or _is_counted(value, said, today)


def is_time_said(value: datetime.time, text: str) -> bool:
    """Whether a text names this time of day, in whole minutes; the first minute of a day need not be said."""
    said = plain(text)
    if value.hour == 0 and value.minute == 0:
        return True
    if value.hour == 12 and value.minute == 0 and _NOON.search(said):
        return True
    return any(_is_clock(value, found) for found in _CLOCK.finditer(said))


def _is_clock(value: datetime.time, found: re.Match[str]) -> bool:
    """Whether the figures are a time of day, by a word before or after them or by their minutes, and this one."""
    before, hour, minute, half, after = found.groups()
    if not (before or minute or half or after) or value.second or value.minute != int(minute or 0):
        return False
    if half:
        return value.hour == int(hour) % 12 + (12 if half == "p" else 0)
    return value.hour == int(hour) or (int(hour) < 12 and value.hour == int(hour) + 12)


def is_duration_said(seconds: Decimal, text: str) -> bool:
    """Whether a text names this many seconds, in any unit up to weeks."""
    named = values(text)
    return any(seconds / unit in named for unit in (1, 60, 3_600, 86_400, 604_800))


def _is_written(value: datetime.date, said: str) -> bool:
    for found in _WRITTEN.finditer(said):
        first, second, third = int(found[1]), int(found[2]), int(found[3]) if found[3] else None
        if third is None:
            days = {1, _last_day(value)}
            if {first, second} == {value.year, value.month} and value.day in days:
                return True
            if sorted((first, second)) == sorted((value.day, value.month)):
                return _is_year_free(value, said)
        elif first > 31 and (first, second, third) == (value.year, value.month, value.day):
            return True
        elif third % 100 == value.year % 100 and sorted((first, second)) == sorted((value.day, value.month)):
            return third < 100 or third == value.year
    return False


def _is_named(value: datetime.date, said: str) -> bool:
    name = _months()[value.month - 1]
    if not re.search(rf"\b(?:{name})\b", said) or not _is_year_free(value, said):
        return False
    before = re.findall(rf"(\d{{1,2}})(?:st|nd|rd|th|er|[.º])?\s+(?:(?:of|de|di)\s+)?(?:{name})\b", said)
    after = re.findall(rf"\b(?:{name})\.?\s+(?:the\s+)?(\d{{1,2}})(?!\d)", said)
    days = {int(day) for day in (*before, *after)}
    return value.day in (days or {1, _last_day(value)})


def _is_counted(value: datetime.date, said: str, today: datetime.date) -> bool:
    away = (value - today).days
    named = _DAYS.get(away)
    if named is not None and re.search(rf"\b(?:{named})\b", said):
        return True
    if abs(away) <= 14 and _weekdays()[value.weekday()] & set(words(said)):
        return True
    counts = values(said)
    if any(unit.search(said) and Decimal(abs(away)) / step in counts for step, unit in _STEPS.items()):
        return True
    return any(
        re.search(rf"\b(?:{words})\b", said) and _in_period(value, said, today, by)
        for by, words in _PERIODS.items()
    )


def _in_period(value: datetime.date, said: str, today: datetime.date, by: int) -> bool:
    """Whether it is an end of the month, year or week that lies `by` away."""
    if _MONTH.search(said) and (value.year - today.year) * 12 + value.month - today.month == by:
        return value.day in {1, _last_day(value)}
    if _YEAR.search(said) and value.year - today.year == by:
        return (value.month, value.day) in {(1, 1), (12, 31)}
    monday = today - datetime.timedelta(days=today.weekday() - 7 * by)
    return bool(_WEEK.search(said)) and (value - monday).days in {0, 4, 6}


def _is_year_free(value: datetime.date, said: str) -> bool:
    years = {int(year) for year in _FULL_YEAR.findall(said)}
    return not years or value.year in years


def _last_day(value: datetime.date) -> int:
    following = value.replace(day=28) + datetime.timedelta(days=4)
    return (following - datetime.timedelta(days=following.day)).day


@cache
def _months() -> tuple[str, ...]:
    """Of each month, its names in all languages as alternatives of a pattern."""
    names = zip(*(each.months for each in LANGUAGES.values()), strict=True)
    return tuple("|".join(word for each in month for word in each.split()) for month in names)


@cache
def _weekdays() -> tuple[frozenset[str], ...]:
    names = zip(*(each.weekdays for each in LANGUAGES.values()), strict=True)
    return tuple(frozenset(word for each in day for word in each.split()) - _UNCLEAR for day in names)
