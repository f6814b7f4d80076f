"""Days and periods as they are said, and what they mean on a given day.

Strategy: what is said is kept as it was said (`Day`, `Period`) until it is known what it is for, since "Friday" is
the coming one for a booking and the last one for a report. Where two days are meant just as well, both are given.
"""

import calendar
import datetime
from typing import Final, Literal, NamedTuple, TypeAlias

Direction: TypeAlias = Literal["future", "past"]
Unit: TypeAlias = Literal["day", "week", "month", "quarter", "half", "year"]

_MONTHS_IN: Final[dict[str, int]] = {"month": 1, "quarter": 3, "half": 6, "year": 12}


class Period(NamedTuple):
    """A stretch of the calendar: a unit, and `number` of it in `year`, or `away` from the running one.

    `year_away` counts the year from the running one where it is said so ("the first quarter of last year").
    """

    unit: Unit
    number: int | None = None
    year: int | None = None
    away: int | None = None
    year_away: int | None = None


class Day(NamedTuple):
    """A day: said outright (`dates`, several where it may be either), by its parts, by its weekday, or in a period.

    `place` in a period is the day's number from 1, or from the end as -1; with `weekday` it counts that weekday.
    `way` is what was said with a weekday: "next", "this", "last" or nothing. `from_easter` counts days after Easter
    Sunday.
    """

    dates: tuple[datetime.date, ...] = ()
    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    way: str = ""
    period: Period | None = None
    place: int = 0
    from_easter: int | None = None


class Length(NamedTuple):
    """A duration. Months and days have no fixed length in seconds and are kept apart."""

    months: int = 0
    days: int = 0
    seconds: int = 0
    weeks: bool = False

    def iso(self) -> str:
        """The ISO 8601 form, such as `P1Y6M`, `P2W` or `PT1H30M`."""
        if self.weeks and not self.months and not self.seconds and self.days % 7 == 0:
            return f"P{self.days // 7}W"
        years, months = divmod(self.months, 12)
        hours, rest = divmod(self.seconds, 3600)
        minutes, seconds = divmod(rest, 60)
        date = _parts((years, "Y"), (months, "M"), (self.days, "D"))
        time = _parts((hours, "H"), (minutes, "M"), (seconds, "S"))
        if not date and not time:
            return "PT0S"
        return f"P{date}T{time}" if time else f"P{date}"

    def plus(self, other: "Length") -> "Length":
        """Both lengths one after the other."""
        return Length(
            self.months + other.months,
            self.days + other.days,
            self.seconds + other.seconds,
            self.weeks and other.weeks,
        )


def _parts(*parts: tuple[int, str]) -> str:
    return "".join(f"{count}{mark}" for count, mark in parts if count)


def days(said: Day, today: datetime.date, direction: Direction = "future") -> tuple[datetime.date, ...]:
    """The dates that a day may mean: one where it is clear, none where there is no such day."""
    try:
        return tuple(dict.fromkeys(_days(said, today, direction)))
    except (ValueError, OverflowError):
        return ()


def _days(said: Day, today: datetime.date, direction: Direction) -> tuple[datetime.date, ...]:
    if said.dates:
        return said.dates
    if said.period is not None:
        return _in_period(said, today, direction)
    if said.day is not None:
        return _by_parts(said, today, direction)
    if said.from_easter is not None:
        return _by_easter(said, today, direction)
    return _by_weekday(said, today, direction) if said.weekday is not None else ()


def _by_parts(said: Day, today: datetime.date, direction: Direction) -> tuple[datetime.date, ...]:
    day = said.day or 0
    if said.year is not None and said.month is not None:
        return (datetime.date(said.year, said.month, day),)
    if said.month is not None:
        years = (
            today.year + by for by in ((0, 1, 2, 3, 4) if direction == "future" else (0, -1, -2, -3, -4))
        )
        candidates = [_date(year, said.month, day) for year in years]
    else:
        steps = range(13) if direction == "future" else range(0, -13, -1)
        candidates = [_date(*_month(today, by), day) for by in steps]
    for each in candidates:
        if each is not None and (each >= today if direction == "future" else each <= today):
            if said.weekday is not None and each.weekday() != said.weekday:
                return (each, *_by_weekday(Day(weekday=said.weekday), today, direction))
            return (each,)
    return ()


def _by_easter(said: Day, today: datetime.date, direction: Direction) -> tuple[datetime.date, ...]:
    away = datetime.timedelta(days=said.from_easter or 0)
    if said.year is not None:
        return (easter(said.year) + away,)
    days_of = [easter(today.year + by) + away for by in (-1, 0, 1)]
    if direction == "future":
        return (min(each for each in days_of if each >= today),)
    return (max(each for each in days_of if each <= today),)


def easter(year: int) -> datetime.date:
    """Easter Sunday of a year in the Gregorian calendar: the Sunday after the full moon of spring (Gauss, Lilius)."""
    century = year // 100
    moon = (19 * (year % 19) + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    moon -= (moon // 28) * (1 - (29 // (moon + 1)) * ((21 - year % 19) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    return datetime.date(year, 3, 28) + datetime.timedelta(days=moon - weekday)


def _by_weekday(said: Day, today: datetime.date, direction: Direction) -> tuple[datetime.date, ...]:
    ahead = ((said.weekday or 0) - today.weekday()) % 7 or 7
    coming = today + datetime.timedelta(days=ahead)
    last = coming - datetime.timedelta(days=7 if coming - datetime.timedelta(days=7) < today else 14)
    if said.way == "last":
        return (last,)
    if said.way == "this":
        return (coming if direction == "future" or ahead < 7 else last,)
    if said.way == "next":
        # On a Monday "next Friday" is the one of this week or the one of the next, and people differ.
        monday = today - datetime.timedelta(days=today.weekday())
        of_next_week = monday + datetime.timedelta(days=7 + (said.weekday or 0))
        return (coming, of_next_week) if of_next_week != coming else (coming,)
    return (last,) if direction == "past" else (coming,)


def _in_period(said: Day, today: datetime.date, direction: Direction) -> tuple[datetime.date, ...]:
    period = said.period or Period("day")
    found: list[datetime.date] = []
    for first, last in bounds(period, today, direction):
        if said.weekday is None:
            day = first + datetime.timedelta(days=said.place - 1)
            if said.place < 0:
                day = last + datetime.timedelta(days=said.place + 1)
        elif said.place >= 0:
            day = first + datetime.timedelta(
                days=(said.weekday - first.weekday()) % 7 + 7 * max(said.place - 1, 0)
            )
        else:
            day = last - datetime.timedelta(days=(last.weekday() - said.weekday) % 7)
        if first <= day <= last:
            found.append(day)
            if period.unit == "week" and said.weekday is None and said.place == -1:
                # The end of a week is its Friday at work and its Sunday elsewhere.
                found.append(day - datetime.timedelta(days=2))
    return tuple(found)


def bounds(
    said: Period, today: datetime.date, direction: Direction = "past"
) -> tuple[tuple[datetime.date, datetime.date], ...]:
    """The first and the last day of what a period may mean, earliest guess first."""
    if said.unit == "week":
        return _week(said, today)
    if said.unit == "day":
        return ()
    size = _MONTHS_IN[said.unit]
    try:
        starts = _starts(said, today, direction, size)
        return tuple((start, _shifted(start, size) - datetime.timedelta(days=1)) for start in starts)
    except (ValueError, OverflowError):
        return ()


def _starts(said: Period, today: datetime.date, direction: Direction, size: int) -> tuple[datetime.date, ...]:
    if said.away is not None:
        running = datetime.date(today.year, (today.month - 1) // size * size + 1, 1)
        return (_shifted(running, said.away * size),)
    year = said.year if said.year_away is None else today.year + said.year_away
    if said.unit == "year":
        return () if year is None else (datetime.date(year, 1, 1),)
    month = ((said.number or 1) - 1) * size + 1
    if year is not None:
        return (datetime.date(year, month, 1),)
    this = datetime.date(today.year, month, 1)
    if direction == "past":
        return (this if this <= today else this.replace(year=today.year - 1),)
    over = _shifted(this, size) <= today
    return (this.replace(year=today.year + 1) if over else this,)


def _week(said: Period, today: datetime.date) -> tuple[tuple[datetime.date, datetime.date], ...]:
    if said.number is not None:
        try:
            monday = datetime.date.fromisocalendar(said.year or today.year, said.number, 1)
        except ValueError:
            return ()
    else:
        monday = today + datetime.timedelta(days=7 * (said.away or 0) - today.weekday())
    return ((monday, monday + datetime.timedelta(days=6)),)


def later(day: datetime.date, by: Length) -> datetime.date:
    """The day that a length of months and days leads to, the last day of a month where it has fewer days.

    Raises:
        OverflowError, ValueError: it is out of the calendar.
    """
    return _shifted(day, by.months) + datetime.timedelta(days=by.days)


def backwards(by: Length) -> Length:
    """The same length towards the past."""
    return Length(-by.months, -by.days, -by.seconds)


def _shifted(day: datetime.date, months: int) -> datetime.date:
    year, month = _month(day, months)
    return datetime.date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def _month(day: datetime.date, by: int) -> tuple[int, int]:
    years, month = divmod(day.month - 1 + by, 12)
    return day.year + years, month + 1


def _date(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None
