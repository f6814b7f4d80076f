"""Months and the days in them by their numbers: "3 March 2026", "March the third", "last March", "the 15th"."""

from typing import Final

from .calendar import Day, Period
from .date_words import OF, away_words
from .languages import ENGLISH, months
from .numbers import number, ordinal
from .periods import Periods, Stretch
from .text import Words, several
from .units import unit

_LEADS: Final = several("the le el il am den dem l zum vom")
_MEASURED: Final = several("por per pour % euro euros meno menos moins e y et heures heure horas ore h")


class MonthDays:
    """Reads months and numbered days in the words of one text."""

    __slots__ = ("_away", "_code", "_months", "_periods", "_words")

    def __init__(self, words: Words, periods: Periods, code: str = ENGLISH) -> None:
        self._words = words
        self._periods = periods
        self._code = code
        self._months = months(code)
        self._away = away_words(code)

    def day_month(self, at: int) -> Stretch | None:
        """`3 March 2026`, `the third of March`, `3. M\u00e4rz`, `3 de marzo`."""
        start = at + 1 if self._words.word(at) in _LEADS else at
        day = self._day_number(start)
        if day is None:
            return None
        end, value = day
        after = self._words.skip(end, OF)
        if self._words.word(end) in {"-", "."} and self._words.joined(end):
            after = end + 1
        month = self._months.get(self._words.word(after))
        if month is None or (
            after == at + 1 and self._words.word(after) in {"mar", "may"} and after == end + 2
        ):
            return None
        end, year = self._periods.year_after(after + 1)
        return Stretch(end, Day(day=value, month=month, year=year))

    def _day_number(self, at: int) -> tuple[int, int] | None:
        words = self._words
        placed = ordinal(words, at, self._code)
        if placed is None and words.is_number(at) and len(words.word(at)) <= 2:
            placed = at + 1, int(words.word(at))
        if placed is None and self._code != ENGLISH:
            spelled = number(words, at, self._code)
            if spelled is not None and spelled.spelled and spelled.values[0] == int(spelled.values[0]):
                placed = spelled.end, int(spelled.values[0])
        return placed if placed is not None and 1 <= placed[1] <= 31 else None

    def month_day(self, at: int) -> Stretch | None:
        """`March 3rd, 2026`, `March the third`."""
        words = self._words
        after = words.skip(at + 1, frozenset({"the", "."}))
        day = self._day_number(after)
        if day is None or (words.word(day[0]) == ":" and words.joined(day[0])):
            return None
        if ordinal(words, after, self._code) is None and words.word(day[0]) in {"am", "pm", "%", "percent"}:
            return None
        end, year = self._periods.year_after(day[0])
        return Stretch(end, Day(day=day[1], month=self._months[words.word(at)], year=year))

    def month(self, at: int) -> Stretch | None:
        """`March`, `March 2026`, `May` where it is not the verb, `last March`."""
        words = self._words
        word = words.word(at)
        end, year = self._periods.year_after(at + 1)
        if (
            word in {"may", "mar", "jan", "sun", "dec", "mars"}
            and year is None
            and not self._is_placed_month(at)
        ):
            return None
        end = end + (
            1
            if words.word(end) == "." and len(word) == 3 and words.joined(end) and end + 1 < len(words)
            else 0
        )
        return Stretch(end, Period("month", self._months[word], year))

    def _is_placed_month(self, at: int) -> bool:
        words = self._words
        before = words.word(at - 1)
        capital = words.text[words.starts[at]].isupper()
        return (
            (capital and at > 0)
            or len(words) <= 2
            or (capital and words.word(at + 1) in {"or", "and", "to", "until", "-"})
            or before in {"for", "in", "of", "until", "by", "since", "im", "fur"} | set(self._away)
        )

    def the_day(self, at: int) -> Stretch | None:
        """`the 15th`, `on the 15th of next month`, `am 15.`."""
        words = self._words
        if words.word(at) not in {"the", "am", "den", "le", "el", "il", "zum"}:
            return None
        day = ordinal(words, at + 1, self._code)
        if day is None and words.word(at) in {"le", "el", "il"} and self._code != ENGLISH:
            day = self._day_number(at + 1)
            if day is not None and (words.word(day[0]) in _MEASURED or unit(words.word(day[0]))):
                return None
        if day is None or not 1 <= day[1] <= 31:
            return None
        if words.word(day[0] - 1) == "." and words.joined(day[0]) and words.is_number(day[0]):
            return None  # "den 12.6." is written in figures
        return self._numbered_day(day, at)

    def numbered(self, at: int) -> Stretch | None:
        """`15th`, `15th of next month`."""
        day = ordinal(self._words, at, self._code)
        return None if day is None or not 1 <= day[1] <= 31 else self._numbered_day(day, at)

    def _numbered_day(self, day: tuple[int, int], at: int) -> Stretch | None:
        words = self._words
        if words.word(day[0]) in {"of", "des", "de", "del"}:
            period = self._periods.counted(words.skip(day[0], OF))
            if period is not None and isinstance(period.said, Period) and period.said.unit == "month":
                return Stretch(period.end, Day(period=period.said, place=day[1]))
            this = words.skip(day[0], OF)
            if (
                words.word(this) in {"month", "monats", "mois", "mes", "mese"}
                and words.word(this - 1) == "the"
            ):
                return Stretch(this + 1, Day(day=day[1]))
        return Stretch(day[0], Day(day=day[1]), bare=True)
