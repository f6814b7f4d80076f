"""Everything in a text that has a value of its own: days, times, durations, sums of money, measures and numbers.

Strategy: one pass, longest reading first, whatever the schema wants, so that the 5 of "at 5 pm" is never taken for a
number of pieces and the 2026 of a date never for an amount.
"""

import datetime
import re
from decimal import Decimal
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from .calendar import Day, Length, Period
from .dates import Calendar
from .durations import duration, length
from .languages import language
from .quantities import Measure, Money, Quantities, shared
from .slots import stem
from .text import Words, several
from .times import clock, half_of_day, is_before_time
from .units import currency

Kind: TypeAlias = Literal[
    "day", "period", "time", "moment", "duration", "money", "measure", "number", "ordinal"
]

_CLOSED: Final = re.compile(
    r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:https?://|www\.)\S+|\b\d{1,3}(?:\.\d{1,3}){3}\b|\bv?\d+\.\d+\.\d+\b(?!\.?\d)"
)
_DATE_IN_DOTS: Final = re.compile(
    r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.\d{2}(?:\d\d)?|(?:19|20)\d\d\.\d\d\.\d\d|\d{1,3}(?:\.\d{3}){2,}"
)
_LINKS: Final = several("at , um a alle las les on the from around about am den gegen t ab by and ( ) kl")
_THROUGH: Final = several("to - through thru until till bis al hasta au")
_OR: Final = several("or oder ou o")
_ANDS: Final = several("and und et y e")
_BETWEEN_WORDS: Final = several("between zwischen entre tra fra")
_AFTER_HOURS: Final = several("am pm h uhr st nd rd th")
_BETWEEN: Final = frozenset({"or", "oder", "to", "-", "until", "till", "and", "bis", "a", "alle", "y"})


class Moment(NamedTuple):
    """A day and the times of that day that may be meant, and the words (first, end) of each."""

    day: Day
    times: tuple[datetime.time, ...]
    day_at: tuple[int, int] = (0, 0)
    time_at: tuple[int, int] = (0, 0)


class Mention(NamedTuple):
    """Something said: its kind, its words from `first` up to and without `end`, and what it is.

    The value is a `Day`, `Period`, `Moment`, `Length`, `Money`, `Measure`, or a tuple of times or of numbers.
    `bare` is a reading that needs something else to speak for it. `half` is the half of the day, `a` or `p`, where
    a day was said with it ("tomorrow evening"), and `core` where that day's own words end. `since` is the day that a
    range begins with which this day ends.
    """

    kind: Kind
    first: int
    end: int
    value: Day | Period | Moment | Length | Money | Measure | tuple[datetime.time, ...] | tuple[Decimal, ...]
    bare: bool = False
    half: str = ""
    since: Day | None = None
    core: int = 0


class Mentions:
    """The mentions in a text on one day, in their order.

    `first_at` has them by their first words; `days` are the days that are named, with a time or without; `stems` are
    those of all words.
    """

    __slots__ = (
        "_calendar",
        "_closed",
        "_ends",
        "_quantities",
        "_ranged",
        "_ranges_found",
        "code",
        "days",
        "first_at",
        "found",
        "stems",
        "words",
    )

    def __init__(self, words: Words, today: datetime.date) -> None:
        self.words = words
        self.stems = frozenset(stem(each) for each in words.words)
        self.code = language(words.words)
        self._calendar = Calendar(words, today, self.code)
        self._quantities = Quantities(words, self.code)
        self._closed = {
            at
            for each in _CLOSED.finditer(words.text)
            if not _DATE_IN_DOTS.fullmatch(each[0])
            for at in range(*words.span(*each.span()))
        }
        found: list[Mention] = []
        at = 0
        while at < len(words):
            mention = self._read(at)
            if mention is None:
                at += 1
            else:
                found.append(mention)
                at = mention.end
        found = self._ranges(self._alike(found))
        self.found = tuple(self._day_ranges(self._moments(found)))
        self._ranges_found = tuple(
            (one, other) for one, other in pairwise(self.found) if self._is_range(one, other)
        )
        self._ends = {other.first: one for one, other in self._ranges_found}
        self.first_at = {each.first: each for each in self.found}
        self.days = frozenset(
            each.value.day if isinstance(each.value, Moment) else each.value
            for each in self.found
            if each.kind in {"day", "moment"}
        )
        self._ranged = {
            each.first
            for pair in self._ranges_found
            for each in pair
            if pair[0].kind == pair[1].kind == "number"
        }

    def ranges(self, *, open_ends: bool = True) -> list[tuple[Mention, Mention]]:
        """Two that are linked: `9 to 11`, `between 9 and 11` and, without `open_ends` left out, `9 or 10`."""
        return [
            (one, other)
            for one, other in self._ranges_found
            if open_ends or self.words.word(one.end) not in _OR
        ]

    def range_start(self, mention: Mention) -> Mention | None:
        """The first of two of any kind that are linked, of which this is the second."""
        return self._ends.get(mention.first)

    def ranged(self, mention: Mention) -> bool:
        """Whether it is one of two numbers that are linked."""
        return mention.first in self._ranged

    def _is_range(self, one: Mention, other: Mention) -> bool:
        words = self.words
        if other.first != one.end + 1:
            return False
        link = words.word(one.end)
        if link == "alle" and words.word(one.first - 1) == "dalle":
            return True
        if link == "a" and (self.code in {"fr", "es", "it"} or words.said(one.end, one.end + 1) == "\u00e0"):
            return True
        return link in _THROUGH | _OR or (link in _ANDS and words.word(one.first - 1) in _BETWEEN_WORDS)

    def _alike(self, found: list[Mention]) -> list[Mention]:
        """`2 to 3 hours`, `$20-30`: both ends of a range are counted in the unit that stands at one."""
        made = list(found)
        for index, (one, other) in enumerate(pairwise(found)):
            if not self._is_range(one, other):
                continue
            if one.kind == "number":
                made[index] = self._in_unit_of(one, other) or one
            elif (
                other.kind == "number" and not self.words.word(other.end).isalnum() and self._opens_range(one)
            ):
                made[index + 1] = self._in_unit_of(other, one) or other
        return made

    def _opens_range(self, one: Mention) -> bool:
        """Whether a value with a unit begins a range with a plain number: "$20-30", not "charge 12 euros to 204"."""
        words = self.words
        return (
            words.word(one.end) == "-"
            or not (words.is_number(one.first) and words.word(one.end - 1).isalpha())
            or words.word(one.first - 1) in _BETWEEN_WORDS | {"from", "von", "de", "da"}
        )

    def _in_unit_of(self, plain: Mention, other: Mention) -> Mention | None:
        values = cast("tuple[Decimal, ...]", plain.value)
        if other.kind == "duration":
            said = duration(self.words, other.first, self.code)
            counted = length(values[0], said.unit) if said is not None else None
            return None if counted is None else Mention("duration", plain.first, plain.end, counted)
        found = shared(values, other.value)
        return None if found is None else Mention(found.kind, plain.first, plain.end, found.value)

    def _read(self, at: int) -> Mention | None:
        if at in self._closed or self._is_inside_code(at):
            return None
        best: Mention | None = None
        for reader in (self._day, self._time, self._length, self._quantity):
            mention = reader(at)
            if mention is not None and (
                best is None
                or mention.end > best.end
                or (best.bare and not mention.bare and mention.end == best.end)
            ):
                best = mention
        return best

    def _is_inside_code(self, at: int) -> bool:
        """Whether a number is part of a reference such as `INV-1042` or `b2`."""
        words = self.words
        if not words.is_number(at) or not words.joined(at):
            return False
        before = words.word(at - 1)
        if before.isalpha():
            return len(before) > 3 or (
                currency(before) is None and before not in {"q", "h", "kw", "p", "t", "fy"}
            )
        return (
            before in {"-", "_", "/"}
            and words.joined(at - 1)
            and words.word(at - 2).isalpha()
            and len(words.word(at - 2)) < 6
            and not (words.word(at - 2) in _AFTER_HOURS and words.is_number(at - 3))
        )

    def _day(self, at: int) -> Mention | None:
        found = self._calendar.read(at)
        if found is None:
            return None
        if not isinstance(found.said, Day):
            return Mention("period", at, found.end, found.said, found.bare)
        half = self._half_after(found.end)
        if half is not None:
            return Mention("day", at, half[0], found.said, half=half[1], core=found.end)
        tonight = "p" if self.words.word(found.end - 1) in {"tonight", "stasera"} else ""
        return Mention("day", at, found.end, found.said, found.bare, tonight)

    def _half_after(self, at: int) -> tuple[int, str] | None:
        """The half of the day after a day, where it isn't said with a time: "tomorrow evening", not "evening 7:30"."""
        words = self.words
        if words.word(at) in {"at", "am", "a", "p"}:
            return None
        half = half_of_day(words, at)
        if half is None or words.word(at - 1) == "this":
            return half
        timed = clock(words, half[0] - 1, self.code)
        return half if timed is None or timed.end <= half[0] else None

    def _time(self, at: int) -> Mention | None:
        found = clock(self.words, at, self.code)
        if found is None or found.bare:
            return None
        return Mention("time", at, found.end, found.times)

    def _length(self, at: int) -> Mention | None:
        found = duration(self.words, at, self.code)
        return None if found is None else Mention("duration", at, found.end, found.length)

    def _quantity(self, at: int) -> Mention | None:
        found = self._quantities.read(at)
        return None if found is None else Mention(found.kind, at, found.end, found.value, found.bare)

    def _ranges(self, found: list[Mention]) -> list[Mention]:
        """`2 to 4 pm`, `from 9 to half past 10`: a bare number linked to a time is a time too."""
        words = self.words
        made = list(found)
        for index, mention in enumerate(found):
            if mention.kind != "number" or words.word(mention.end) not in _BETWEEN:
                if mention.kind == "number" and self._is_after_time(found, index):
                    self._as_time(made, index, made[index - 1])
                continue
            after = found[index + 1] if index + 1 < len(found) else None
            if after is not None and after.kind == "time" and after.first <= mention.end + 2:
                self._as_time(made, index, after)
        return made

    def _is_after_time(self, found: list[Mention], index: int) -> bool:
        before = found[index - 1] if index else None
        return (
            before is not None
            and before.kind == "time"
            and found[index].first == before.end + 1
            and self.words.word(before.end) in {"to", "-", "until", "till", "bis"}
        )

    def _as_time(self, made: list[Mention], index: int, other: Mention) -> None:
        mention = made[index]
        read = clock(self.words, mention.first, self.code)
        if read is None:
            return
        times = cast("tuple[datetime.time, ...]", other.value)
        own = read.times
        if len(times) == 1:
            late = other.first > mention.first
            own = tuple(each for each in _both_halves(own) if _is_near(each, times[0], late))[:1] or own
        made[index] = Mention("time", mention.first, mention.end, own)

    def _moments(self, found: list[Mention]) -> list[Mention]:
        """Days and times that stand together are moments."""
        made: list[Mention] = []
        for mention in found:
            before = made[-1] if made else None
            early = self._hour_of_day(before, mention)
            if early is not None:
                made[-1] = early
                continue
            if before is not None and self._is_linked(before.end, mention.first):
                joined = _moment(before, mention)
                if joined is not None:
                    made[-1] = joined
                    continue
                late = self._bare_time(before, mention)
                if late is not None:
                    made[-1] = late
                    continue
            made.append(mention)
        return made

    def _day_ranges(self, found: list[Mention]) -> list[Mention]:
        """The end of a range of days is counted from its beginning: "Monday next week to Friday"."""
        made = list(found)
        for index, mention in enumerate(found[1:], 1):
            before = found[index - 1]
            link = self.words.words[before.end : mention.first]
            if not 0 < len(link) < 3 or link[0] not in _THROUGH | {"and", "&", ","}:
                continue
            later = self._later_in_month(made[index - 1], mention)
            if later is not None and (link[0] != "," or self.words.word(later.end) in {"and", "&", ","}):
                made[index] = later
                continue
            if mention.kind != "day" or link[0] not in _THROUGH | {"and"}:
                continue
            first = _same_month(before, mention)
            if first is not None:
                made[index - 1] = first
            elif before.kind == "day" and link[0] in _THROUGH and isinstance(before.value, Day):
                made[index] = mention._replace(since=before.value)
        return made

    def _later_in_month(self, first: Mention, second: Mention) -> Mention | None:
        """`Oct 3-10`, `October 3 and 10`: a number after a day, which ends what is said, is of the same month."""
        day = first.value
        if first.kind != "day" or not isinstance(day, Day) or day.day is None or day.month is None:
            return None
        after = self.words.word(second.end)
        if (after.isalpha() and after not in _ANDS) or second.end > second.first + 2:
            return None
        if second.kind in {"number", "ordinal"}:
            value = cast("tuple[Decimal, ...]", second.value)[0]
        elif isinstance(second.value, Day) and second.value == Day(day=second.value.day) and second.value.day:
            value = Decimal(second.value.day)
        else:
            return None
        if value != int(value) or not day.day < value <= 31:
            return None
        end, year = second.end, day.year
        if after == "," and self.words.is_number(end + 1) and len(self.words.word(end + 1)) == 4:
            end, year = end + 2, int(self.words.word(end + 1))
        return Mention("day", second.first, end, Day(day=int(value), month=day.month, year=year))

    def _is_linked(self, end: int, first: int) -> bool:
        return first - end <= 2 and all(self.words.word(at) in _LINKS for at in range(end, first))

    def _hour_of_day(self, before: Mention | None, mention: Mention) -> Mention | None:
        """`8 tomorrow morning`: a bare hour before a day with its half."""
        if before is None or before.kind != "number" or not mention.half or before.end != mention.first:
            return None
        if is_before_time(self.words.word(mention.end)) or self.words.word(before.first - 1) == "for":
            # "for two tonight at 8" counts people, and the hour comes after it.
            return None
        read = clock(self.words, before.first, self.code)
        if read is None or read.end != before.end:
            return None
        return _moment(Mention("time", before.first, before.end, read.times), mention)

    def _bare_time(self, before: Mention, mention: Mention) -> Mention | None:
        """`tomorrow at 3`: a bare hour after a day and a word for times."""
        words = self.words
        if (
            before.kind != "day"
            or mention.kind != "number"
            or not is_before_time(words.word(mention.first - 1))
        ):
            return None
        read = clock(words, mention.first, self.code)
        if read is None or words.word(mention.first - 1) in {"for", "a", ",", "and"} | _BETWEEN_WORDS:
            return None
        return _moment(before, Mention("time", mention.first, max(read.end, mention.end), read.times))


def _same_month(first: Mention, second: Mention) -> Mention | None:
    """`from 21 to 23 December`: a number before a day is a day of the same month."""
    day = second.value
    if not isinstance(day, Day) or day.day is None or day.month is None:
        return None
    value: Decimal | int | None = None
    if isinstance(first.value, Day) and first.value.month is None and not first.value.dates:
        value = first.value.day
    elif first.kind in {"number", "ordinal"}:
        value = cast("tuple[Decimal, ...]", first.value)[0]
    if value is None or value != int(value) or not 1 <= value < day.day:
        return None
    return Mention("day", first.first, first.end, Day(day=int(value), month=day.month, year=day.year))


def _moment(first: Mention, second: Mention) -> Mention | None:
    day, time = (first, second) if first.kind == "day" else (second, first)
    if day.kind != "day" or time.kind != "time" or not isinstance(day.value, Day):
        return None
    times = cast("tuple[datetime.time, ...]", time.value)
    if (day.half and len(times) > 1) or (day.half == "p" and min(times).hour < 12):
        times = tuple(each for each in _both_halves(times) if (each.hour >= 12) == (day.half == "p"))
    return Mention(
        "moment",
        first.first,
        second.end,
        Moment(day.value, times, (day.first, day.core or day.end), (time.first, time.end)),
    )


def _both_halves(times: tuple[datetime.time, ...]) -> list[datetime.time]:
    return [each.replace(hour=(each.hour + by) % 24) for each in times[:1] for by in (0, 12)]


def _is_near(time: datetime.time, other: datetime.time, before: bool) -> bool:
    """Whether a time and one after (or before) it are less than twelve hours apart."""
    ahead = (other.hour * 60 + other.minute) - (time.hour * 60 + time.minute)
    return 0 < ahead < 720 if before else 0 < -ahead < 720
