"""Days and periods in a text: "the 3rd of March", "next Friday", "in two weeks", "last quarter", "2026-03"."""

import datetime
from collections.abc import Callable
from typing import Final

from .calendar import Day, Length, Period, backwards, days, later
from .date_words import EDGES, OF, PARTS_OF_DAY, UNITS, WAYS, away_words, day_words
from .durations import Said, duration
from .feasts import feast
from .languages import ENGLISH, months, weekdays
from .month_days import MonthDays
from .numbers import ordinal
from .periods import Periods, Stretch
from .text import Words, several
from .written_dates import WrittenDates

_ABOUT: Final = several("exactly about around roughly precisely genau etwa ca environ")


class Calendar:
    """Reads days and periods in the words of one text, on one day."""

    __slots__ = (
        "_away",
        "_code",
        "_figures",
        "_month_days",
        "_months",
        "_named",
        "_periods",
        "_today",
        "_weekdays",
        "_words",
    )

    def __init__(self, words: Words, today: datetime.date, code: str = ENGLISH) -> None:
        self._words = words
        self._today = today
        self._code = code
        self._months = months(code)
        self._weekdays = weekdays(code)
        self._away = away_words(code)
        self._periods = Periods(words, today, code)
        self._month_days = MonthDays(words, self._periods, code)
        self._figures = WrittenDates(words, today, self._periods, code)
        self._named = day_words(code)

    def read(self, at: int) -> Stretch | None:
        """The longest day or period that begins with a word, or `None`."""
        best: Stretch | None = None
        for reader in self._readers(at):
            found = reader(at)
            if found is not None and (best is None or found.end > best.end):
                best = found
        return best

    def _plain(self, at: int) -> Stretch | None:
        """The longest day that begins with a word and isn't counted from another one."""
        counted = (self._counted, self._away_from_now)
        found = [each for reader in self._readers(at) if reader not in counted if (each := reader(at))]
        return max(found, key=lambda each: each.end, default=None) or self._next_weekday(at)

    def _next_weekday(self, at: int) -> Stretch | None:
        """`next Friday`."""
        away = self._away.get(self._words.word(at))
        weekday = self._weekdays.get(self._words.word(at + 1))
        if away is None or weekday is None or abs(away) > 1:
            return None
        return Stretch(at + 2, Day(weekday=weekday, way=WAYS[away]))

    def _readers(self, at: int) -> tuple[Callable[[int], Stretch | None], ...]:
        word = self._words.word(at)
        if self._words.is_number(at):
            return (
                self._figures.read,
                self._month_days.day_month,
                self._periods.placed,
                self._counted,
                self._month_days.numbered,
                self._periods.year_quarter,
                self._periods.counted_quarter,
                self._periods.year,
            )
        if word in self._weekdays:
            return (self._weekday, self._feast)
        if word in self._months:
            return (self._month_days.month_day, self._month_days.month)
        return (
            self._named_day,
            self._counted,
            self._edge,
            self._month_days.day_month,
            self._placed_weekday,
            self._periods.placed,
            self._away_from_now,
            self._periods.quarter,
            self._feast,
            self._month_days.the_day,
        )

    def _weekday(self, at: int) -> Stretch | None:
        """`Friday`, `Friday next week`, `Friday 4 March`, `Friday week`."""
        words = self._words
        name = words.word(at)
        if name in {"sat", "sun", "wed", "mon"} and not (
            words.text[words.starts[at]].isupper() or len(words) <= 2
        ):
            return None
        weekday = self._weekdays[name]
        if (words.word(at + 1), words.word(at + 2)) in {("after", "next"), ("before", "last")}:
            by = 7 if words.word(at + 1) == "after" else -7
            way = WAYS[1 if by > 0 else -1]
            nearest = days(Day(weekday=weekday, way=way), self._today, "future" if by > 0 else "past")
            return Stretch(at + 3, Day(dates=tuple(each + datetime.timedelta(days=by) for each in nearest)))
        end = words.skip(at + 1, frozenset({".", ","})) if words.word(at + 1) in {".", ","} else at + 1
        dated = (
            self._month_days.day_month(self._skip_the(end))
            or self._written_at(self._skip_the(end))
            or self._month_day_at(end)
        )
        if dated is not None and isinstance(dated.said, Day):
            return Stretch(dated.end, dated.said._replace(weekday=weekday))
        following = self._after_weekday(at + 1, weekday)
        return following or self._weeks_on(Stretch(at + 1, Day(weekday=weekday)))

    def _after_weekday(self, at: int, weekday: int) -> Stretch | None:
        words = self._words
        after = words.skip(at, frozenset({"of", "in", "der", "de", "la", "the"}))
        period = self._periods.counted(after)
        if period is not None and isinstance(period.said, Period) and period.said.unit == "week":
            return Stretch(period.end, Day(weekday=weekday, period=period.said))
        if words.word(at) in {"prochain", "proximo", "prossimo"}:
            return Stretch(at + 1, Day(weekday=weekday, way="next"))
        if words.word(at) in {"dernier", "pasado", "scorso"}:
            return Stretch(at + 1, Day(weekday=weekday, way="last"))
        day = ordinal(words, self._skip_the(at), self._code)
        if day is not None and self._skip_the(at) > at:
            return Stretch(day[0], Day(day=day[1], weekday=weekday))
        numbered = words.is_number(at) and len(words.word(at)) <= 2 and 1 <= int(words.word(at)) <= 31
        ends = not words.word(at + 1).isalnum() and words.word(at + 1) not in {
            ":",
            "%",
            "/",
            "-",
            "\u20ac",
            "$",
        }
        if numbered and ends and not (words.word(at + 1) == "." and words.joined(at + 2)):
            # "Venerd\u00ec 24": a number that ends what is said after a weekday is its day.
            return Stretch(at + 1, Day(day=int(words.word(at)), weekday=weekday))
        return None

    def _skip_the(self, at: int) -> int:
        return self._words.skip(at, frozenset({"the", ",", "den", "der", "dem", "le", "el", "il", "on"}))

    def _written_at(self, at: int) -> Stretch | None:
        return self._figures.read(at) if self._words.is_number(at) else None

    def _month_day_at(self, at: int) -> Stretch | None:
        return self._month_days.month_day(at) if self._words.word(at) in self._months else None

    def _named_day(self, at: int) -> Stretch | None:
        """`today`, `tomorrow`, `the day after tomorrow`, `this evening`."""
        words = self._words
        first, second = words.word(at), words.word(at + 1)
        if first == "morgen" and words.word(at - 1) in {"am", "guten", "jeden"}:
            return None
        if first == "pasado" and second == "manana":
            return self._from_today(at + 2, 2)
        if first in self._named:
            return self._weeks_on(self._from_today(at + 1, self._named[first]))
        if (first, second) == ("altro", "ieri"):
            return self._from_today(at + 2, -2)
        if first in {"apres", "avant"} and second == "-":
            by = {"demain": 2, "hier": -2}.get(words.word(at + 2))
            return None if by is None else self._from_today(at + 3, by)
        if first == "this" and second in PARTS_OF_DAY:
            return self._from_today(at + 1, 0)
        if (first, second) == ("last", "night"):
            return self._from_today(at + 1, -1)
        if first in {"later", "earlier"} and second == "today":
            return self._from_today(at + 2, 0)
        return self._day_after(at)

    def _day_after(self, at: int) -> Stretch | None:
        """`the day after tomorrow`, `the Monday after next`."""
        words = self._words
        start = at + 1 if words.word(at) == "the" else at
        if words.word(start) in self._weekdays and words.words[start + 1 : start + 3] in (
            ["after", "next"],
            ["before", "last"],
        ):
            return self._weekday(start)
        if words.word(start) != "day" or words.word(start + 1) not in {"after", "before"}:
            return None
        base = self._named.get(words.word(start + 2))
        if base is None:
            return None
        return self._from_today(start + 3, base + (1 if words.word(start + 1) == "after" else -1))

    def _from_today(self, end: int, by: int) -> Stretch:
        return Stretch(end, Day(dates=(self._today + datetime.timedelta(days=by),)))

    def _counted(self, at: int) -> Stretch | None:
        """`in three days`, `two weeks ago`, `a week from tomorrow`, `vor drei Tagen`, `il y a trois jours`."""
        words = self._words
        start = self._after_lead(at)
        lead = words.word(start - 1) if start > at else ""
        if start > at:
            start = words.skip(start, _ABOUT)
        said = duration(words, start, self._code)
        if said is None or said.length.seconds:
            return None
        is_past = words.word(said.end) in {"ago", "fa"} or (
            words.word(said.end) == "back" and not words.word(said.end + 1).isalpha()
        )
        if is_past or lead in {"vor", "hace", "a"}:
            return self._ago(said.end + is_past, said)
        if lead and lead != "within":
            return self._lead(said.end, said.length, said.unit)
        return self._from_then(said)

    def _after_lead(self, at: int) -> int:
        """The first word after one that leads to a length from now or until now."""
        words = self._words
        if words.words[at : at + 3] == ["il", "y", "a"]:
            return at + 3
        if words.word(at) == "dentro" and words.word(at + 1) == "de":
            return at + 2
        return at + 1 if words.word(at) in {"in", "vor", "dans", "en", "tra", "fra", "hace", "within"} else at

    def _ago(self, end: int, said: Said) -> Stretch | None:
        """`a week ago`, `a week ago yesterday`."""
        base = self._named_day(end)
        if base is None or not isinstance(base.said, Day):
            return self._lead(end, backwards(said.length), said.unit)
        return self._lead(base.end, backwards(said.length), said.unit, base.said.dates[0])

    def _from_then(self, said: Said) -> Stretch | None:
        """`a week from Tuesday`, `a week tomorrow`, `two weeks on Monday`."""
        words, unit = self._words, said.unit
        link = words.word(said.end)
        if unit == "night":
            # "Three nights from the 5th" says how long.
            return None
        if link == "from" and words.word(said.end + 1) == "now":
            return self._lead(said.end + 2, said.length, unit)
        if link in {"from", "after"}:
            base = self._plain(said.end + 1) or self._plain(
                words.skip(said.end + 1, frozenset({"this", "the"}))
            )
            found = days(base.said, self._today) if base is not None and isinstance(base.said, Day) else ()
            return self._lead(base.end, said.length, unit, found[0]) if base and len(found) == 1 else None
        if link in self._named and self._code == ENGLISH and unit in {"week", "fortnight"}:
            base_day = self._today + datetime.timedelta(days=self._named[link])
            return self._lead(said.end + 1, said.length, unit, base_day)
        weekday = self._weekdays.get(words.word(said.end + 1))
        if link == "on" and weekday is not None and unit in {"week", "fortnight"}:
            return Stretch(said.end + 2, Day(dates=(_weekday_after(self._today, weekday, said.length.days),)))
        return None

    def _weeks_on(self, found: Stretch) -> Stretch:
        """`tomorrow week`, `heute in einer Woche`, `Montag in zwei Wochen`: a day, and weeks from it."""
        words, end = self._words, found.end
        base = days(found.said, self._today) if isinstance(found.said, Day) else ()
        if len(base) != 1:
            return found
        if words.word(end) in {"week", "fortnight"} and words.word(end + 1) != "of":
            ahead = 7 if words.word(end) == "week" else 14
            return Stretch(end + 1, Day(dates=(base[0] + datetime.timedelta(days=ahead),)))
        if words.word(end) == "en" and words.word(end + 1) in {"huit", "quinze"}:
            ahead = 7 if words.word(end + 1) == "huit" else 14
            return Stretch(end + 2, Day(dates=(base[0] + datetime.timedelta(days=ahead),)))
        if words.word(end) != "in":
            return found
        said = duration(words, end + 1, self._code)
        if said is None or said.unit not in {"week", "fortnight"}:
            return found
        return self._lead(said.end, said.length, said.unit, base[0]) or found

    def _lead(self, end: int, length: Length, unit: str, base: datetime.date | None = None) -> Stretch | None:
        try:
            day = later(base or self._today, length)
        except (ValueError, OverflowError):
            return None
        return Stretch(end, Day(dates=(day,), period=_period_of(day, unit)))

    def _edge(self, at: int) -> Stretch | None:
        """`the end of the month`, `end of March`, `the first day of next month`."""
        words = self._words
        start = words.skip(at, frozenset({"the", "am", "zum", "zu"}))
        place = EDGES.get(words.word(start), 0)
        if not place and words.word(start) in {"first", "last"} and words.word(start + 1) == "day":
            place, start = (1 if words.word(start) == "first" else -1), start + 1
        if not place:
            return self._end_of(start)
        after = words.skip(start + 1, OF)
        period = self._any_period(after)
        if period is None:
            unit = UNITS.get(words.word(after))
            if unit is None or unit == "day" or after == start + 1:
                return None
            period = Stretch(after + 1, Period(unit, away=0))
        if not isinstance(period.said, Period):
            return None
        return Stretch(period.end, Day(period=period.said, place=place))

    def _feast(self, at: int) -> Stretch | None:
        """`Christmas Eve`, `Easter Monday 2028`."""
        found = feast(self._words, at)
        if found is None:
            return None
        end, year = self._periods.year_after(found[0])
        return Stretch(end, found[1]._replace(year=year))

    def _end_of(self, at: int) -> Stretch | None:
        """`month end`, `year-end`."""
        if self._words.word(at) in {"eom", "eoy"}:
            period = Period("month" if self._words.word(at) == "eom" else "year", away=0)
            return Stretch(at + 1, Day(period=period, place=-1))
        unit = UNITS.get(self._words.word(at))
        after = self._words.skip(at + 1, frozenset({"-"}))
        if unit not in {"month", "quarter", "year"} or self._words.word(after) != "end":
            return None
        return Stretch(after + 1, Day(period=Period(unit, away=0), place=-1))

    def _any_period(self, at: int) -> Stretch | None:
        for reader in (self._periods.counted, self._periods.quarter, self._periods.placed):
            found = reader(at)
            if found is not None:
                return found
        if self._words.word(at) in self._months:
            return self._month_days.month(at) or Stretch(
                at + 1, Period("month", self._months[self._words.word(at)])
            )
        return self._periods.year(at) if self._words.is_number(at) else None

    def _placed_weekday(self, at: int) -> Stretch | None:
        """`the first Monday of January`, `last Friday of the month`."""
        words = self._words
        start = words.skip(at, frozenset({"the", "am"}))
        if words.word(start) == "last":
            place, after = -1, start + 1
        else:
            placed = ordinal(words, start, self._code)
            if placed is None or placed[1] > 5:
                return None
            after, place = placed
        weekday = self._weekdays.get(words.word(after))
        if weekday is None or words.word(after + 1) not in {"of", "in", "im", "des"}:
            return None
        within = words.skip(after + 1, OF)
        period = self._any_period(within)
        if period is None and UNITS.get(words.word(within)) in {"month", "quarter", "year"}:
            period = Stretch(within + 1, Period(UNITS[words.word(within)], away=0))
        if period is None or not isinstance(period.said, Period):
            return None
        return Stretch(period.end, Day(weekday=weekday, period=period.said, place=place))

    def _away_from_now(self, at: int) -> Stretch | None:
        """`last month`, `this quarter`, `next Friday`, `last March`, `the week after next`."""
        words = self._words
        start = words.skip(at, frozenset({"the", "den", "der", "dem", "die", "le", "la", "el", "il"}))
        away = self._away.get(words.word(start))
        if away is None:
            return self._week_of(start) or self._periods.twice_away(start) or self._periods.away_after(start)
        if away == 0 and words.word(start + 1) in {"coming", "past", "next", "last"}:
            start, away = start + 1, self._away[words.word(start + 1)]
        name = words.word(start + 1)
        if name in self._weekdays:
            # The coming Friday is this one, of whichever week.
            if abs(away) > 1:
                coming = days(Day(weekday=self._weekdays[name], way="next"), self._today)
                ahead = datetime.timedelta(days=7)
                return (
                    Stretch(start + 2, Day(dates=tuple(each + ahead for each in coming)))
                    if away > 0
                    else None
                )
            way = "this" if words.word(start).startswith(("com", "komm", "upcom", "foll")) else WAYS[away]
            return Stretch(start + 2, Day(weekday=self._weekdays[name], way=way))
        if name in self._months:
            year = self._year_of_month(self._months[name], away)
            return Stretch(start + 2, Period("month", self._months[name], year))
        return self._in_week(self._periods.counted(start))

    def _in_week(self, found: Stretch | None) -> Stretch | None:
        """`next week Friday`, `next week on Friday`."""
        if found is None or not isinstance(found.said, Period) or found.said.unit != "week":
            return found
        at = self._words.skip(found.end, frozenset({"on", "am", ","}))
        weekday = self._weekdays.get(self._words.word(at))
        if weekday is None or at > found.end + 1:
            return found
        return Stretch(at + 1, Day(weekday=weekday, period=found.said))

    def _year_of_month(self, month: int, away: int) -> int | None:
        if away == 0:
            return self._today.year
        if away < 0:
            return self._today.year - (month >= self._today.month)
        return self._today.year + (month <= self._today.month)

    def _week_of(self, at: int) -> Stretch | None:
        """`the week of March 8th`: the week that holds a day."""
        words = self._words
        if words.word(at) not in {"week", "woche", "semaine", "semana", "settimana"}:
            return None
        after = words.skip(at + 1, OF)
        day = self._plain(after) if after > at + 1 else None
        if day is None and after > at + 1:
            day = self._month_days.the_day(after - 1)
        found = days(day.said, self._today) if day is not None and isinstance(day.said, Day) else ()
        if day is None or len(found) != 1:
            return None
        year, week, _ = found[0].isocalendar()
        return Stretch(day.end, Period("week", week, year))


def _period_of(day: datetime.date, unit: str) -> Period | None:
    """The period of a unit that a day lies in: two quarters ago is a quarter too."""
    if unit == "month":
        return Period("month", day.month, day.year)
    if unit == "quarter":
        return Period("quarter", (day.month + 2) // 3, day.year)
    if unit in {"week", "fortnight"}:
        year, week, _ = day.isocalendar()
        return Period("week", week, year)
    return Period("year", year=day.year) if unit == "year" else None


def _weekday_after(today: datetime.date, weekday: int, extra: int) -> datetime.date:
    return today + datetime.timedelta(days=((weekday - today.weekday()) % 7 or 7) + extra)
