"""Days and periods written in figures: `2026-03-04`, `4.3.2026`, `04/03`, `03/2026`, `2026/Q1`."""

import datetime

from .calendar import Day, Period
from .languages import ENGLISH
from .periods import Periods, Stretch
from .text import Words


class WrittenDates:
    """Reads days and periods in figures in the words of one text, on one day."""

    __slots__ = ("_code", "_periods", "_today", "_words")

    def __init__(self, words: Words, today: datetime.date, periods: Periods, code: str = ENGLISH) -> None:
        self._words = words
        self._today = today
        self._periods = periods
        self._code = code

    def read(self, at: int) -> Stretch | None:
        """`2026-03-04`, `4.3.2026`, `04/03/26`, `2026-03`, `03/2026`, `2026/Q1`."""
        pieces, marks, end = self._run(at)
        first = self._words.word(at)
        week = self._periods.iso_week(at) if len(first) == 4 else None
        if week is not None:
            return week
        if len(first) == 4 and pieces and ("." not in marks or marks == [".", "."]):
            return self._year_first(int(first), pieces[1:], end)
        if (
            len(pieces) == 3
            and len(set(marks)) == 1
            and len(pieces[2]) in {2, 4}
            and max(map(len, pieces[:2])) <= 2
        ):
            year = self._periods.full_year(int(pieces[2])) if len(pieces[2]) == 2 else int(pieces[2])
            return self._day_first(int(pieces[0]), int(pieces[1]), year, end, marks[0])
        if len(pieces) == 2 and len(pieces[1]) == 4 and marks[0] in "/-." and 1 <= int(pieces[0]) <= 12:
            return Stretch(end, Period("month", int(pieces[0]), int(pieces[1])))
        if len(pieces) == 2 and marks[0] == "/" and max(map(len, pieces)) <= 2:
            return self._day_first(int(pieces[0]), int(pieces[1]), None, end, "/")
        if len(pieces) == 2 and marks[0] == "." and self._words.word(end) == "." and self._words.joined(end):
            return self._day_first(int(pieces[0]), int(pieces[1]), None, end + 1, ".")
        return None

    def _run(self, at: int) -> tuple[list[str], list[str], int]:
        """Numbers that adjoin, apart by single `-`, `/` or `.`: they, these, and where they end."""
        words, end = self._words, at + 1
        pieces, marks = [words.word(at)], list[str]()
        while (
            len(pieces) < 3
            and words.word(end) in {"-", "/", "."}
            and words.joined(end)
            and words.joined(end + 1)
            and (words.is_number(end + 1) or words.word(end + 1) == "q")
        ):
            marks.append(words.word(end))
            if words.word(end + 1) == "q":
                break
            pieces.append(words.word(end + 1))
            end += 2
        return pieces, marks, end

    def _year_first(self, year: int, rest: list[str], end: int) -> Stretch | None:
        words = self._words
        if not 1900 <= year < 2200:
            return None
        if not rest:
            quarter = words.word(end + 1) == "q" and words.is_number(end + 2) and words.joined(end + 2)
            if quarter and words.word(end) in {"-", "/"} and words.word(end + 2) in {"1", "2", "3", "4"}:
                return Stretch(end + 3, Period("quarter", int(words.word(end + 2)), year))
            return None
        numbers = [int(each) for each in rest]
        if len(numbers) == 1:
            return Stretch(end, Period("month", numbers[0], year)) if 1 <= numbers[0] <= 12 else None
        date = _date(year, numbers[0], numbers[1])
        return None if date is None else Stretch(end, Day(dates=(date,)))

    def _day_first(self, first: int, second: int, year: int | None, end: int, mark: str) -> Stretch | None:
        """Two numbers and a year: a day and a month, in either order where nothing tells which."""
        only_day_first = mark == "." or self._code != ENGLISH
        orders = [(first, second)] if only_day_first else [(first, second), (second, first)]
        orders = [each for each in dict.fromkeys(orders) if 1 <= each[0] <= 31 and 1 <= each[1] <= 12]
        if not orders:
            return None
        if len(orders) == 1:
            return Stretch(end, Day(day=orders[0][0], month=orders[0][1], year=year))
        years = (year,) if year is not None else (self._today.year,)
        dates = [_date(each, month, day) for each in years for day, month in orders]
        if year is None:
            dates = [_coming(each, self._today) for each in dates]
        return Stretch(end, Day(dates=tuple(each for each in dates if each is not None)))


def _coming(day: datetime.date | None, today: datetime.date) -> datetime.date | None:
    if day is None or day >= today:
        return day
    return _date(day.year + 1, day.month, day.day)


def _date(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None
