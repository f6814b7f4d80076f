"""Everything in a text that has a value of its own: days, times, durations, sums of money, measures and numbers.

Strategy: one pass, longest reading first, whatever the schema wants, so that the 5 of "at 5 pm" is never taken for a
number of pieces and the 2026 of a date never for an amount.
"""

import datetime
import re
from decimal import Decimal
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from .calendar import Day, Length, Period
from .dates import Calendar
from .durations import duration
from .languages import language
from .numbers import number, ordinal
from .text import Words, several
from .times import clock, half_of_day, is_before_time
from .units import Unit, cents_of, convert, currency, kind_of_dollar, unit

Kind: TypeAlias = Literal[
    "day", "period", "time", "moment", "duration", "money", "measure", "number", "ordinal"
]

_CLOSED: Final = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:https?://|www\.)\S+|\b\d{1,3}(?:\.\d{1,3}){3}\b|\bv?\d+\.\d+\.\d+\b(?!\.?\d)"
)
_DATE_IN_DOTS: Final = re.compile(
    r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.\d{2}(?:\d\d)?|\d{1,3}(?:\.\d{3}){2,}"
)
_LINKS: Final = several("at , um a alle las les on the from around about am den gegen t ab by and ( ) kl")
_THROUGH: Final = several("to - through thru until till bis al hasta au")
_ONE: Final = several("one un una une uno ein eine einen einem einer")
_BETWEEN: Final = frozenset({"to", "-", "until", "till", "and", "bis", "a", "alle", "y"})


class Money(NamedTuple):
    """An amount in a currency, `""` where only cents were said."""

    amount: Decimal
    currency: str


class Measure(NamedTuple):
    """An amount in a unit."""

    amounts: tuple[Decimal, ...]
    unit: Unit


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
    a day was said with it ("tomorrow evening"). `since` is the day that a range begins with which this day ends.
    """

    kind: Kind
    first: int
    end: int
    value: Day | Period | Moment | Length | Money | Measure | tuple[datetime.time, ...] | tuple[Decimal, ...]
    bare: bool = False
    half: str = ""
    since: Day | None = None


class Mentions:
    """The mentions in a text on one day, in their order."""

    __slots__ = ("_calendar", "_closed", "code", "found", "words")

    def __init__(self, words: Words, today: datetime.date) -> None:
        self.words = words
        self.code = language(words.words)
        self._calendar = Calendar(words, today, self.code)
        self._closed = [
            each.span() for each in _CLOSED.finditer(words.text) if not _DATE_IN_DOTS.fullmatch(each[0])
        ]
        found: list[Mention] = []
        at = 0
        while at < len(words):
            mention = self._read(at)
            if mention is None:
                at += 1
            else:
                found.append(mention)
                at = mention.end
        self.found = tuple(self._day_ranges(self._moments(self._ranges(found))))

    def _read(self, at: int) -> Mention | None:
        words = self.words
        start = words.starts[at]
        if any(first <= start < last for first, last in self._closed):
            return None
        if self._is_inside_code(at):
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
            return len(before) > 3 or (currency(before) is None and before not in {"q", "h", "kw", "p", "t"})
        return (
            before in {"-", "_", "/"}
            and words.joined(at - 1)
            and words.word(at - 2).isalpha()
            and len(words.word(at - 2)) < 6
        )

    def _day(self, at: int) -> Mention | None:
        found = self._calendar.read(at)
        if found is None:
            return None
        if not isinstance(found.said, Day):
            return Mention("period", at, found.end, found.said, found.bare)
        half = (
            half_of_day(self.words, found.end)
            if self.words.word(found.end) not in {"at", "am", "a", "p"}
            else None
        )
        if half is not None:
            return Mention("day", at, half[0], found.said, half=half[1])
        tonight = "p" if self.words.word(found.end - 1) in {"tonight", "stasera"} else ""
        return Mention("day", at, found.end, found.said, found.bare, tonight)

    def _time(self, at: int) -> Mention | None:
        found = clock(self.words, at, self.code)
        if found is None or found.bare:
            return None
        return Mention("time", at, found.end, found.times)

    def _length(self, at: int) -> Mention | None:
        found = duration(self.words, at, self.code)
        return None if found is None else Mention("duration", at, found.end, found.length)

    def _quantity(self, at: int) -> Mention | None:
        words = self.words
        sign = currency(words.word(at))
        if sign is not None and not _is_word_of_weight(words, at):
            counted = number(words, at + 1, self.code)
            if counted is not None and not counted.spelled and len(counted.values) == 1:
                return self._money(at, *self._millions(counted.end, counted.values[0]), sign)
        counted = number(words, at, self.code)
        if counted is None:
            placed = ordinal(words, at, self.code)
            return (
                None
                if placed is None
                else Mention("ordinal", at, placed[0], (Decimal(placed[1]),), bare=True)
            )
        end, values = counted.end, counted.values
        named = self._currency_after(end)
        if named is not None and len(values) == 1:
            return self._money(at, named[0], values[0], named[1])
        if words.joined(end) and words.word(end) == "m":
            named = self._currency_after(end + 1)
            if named is not None:
                return self._money(at, named[0], values[0] * 10**6, named[1])
        measured = self._measure(at, end, values)
        if measured is not None:
            return measured
        if self._runs_on(end):
            return None
        return Mention("number", at, end, values, bare=end == at + 1 and words.word(at) in _ONE)

    def _runs_on(self, end: int) -> bool:
        """Whether letters adjoin the number, so that it is part of a reference."""
        words = self.words
        return (
            words.joined(end)
            and words.word(end).isalpha()
            and words.is_number(end - 1)
            and words.word(end) not in {"x", "m"}
        )

    def _millions(self, end: int, value: Decimal) -> tuple[int, Decimal]:
        if self.words.word(end) == "m" and self.words.joined(end):
            return end + 1, value * 10**6
        return end, value

    def _currency_after(self, at: int) -> tuple[int, str] | None:
        words = self.words
        word = words.word(at)
        adjective = kind_of_dollar(word)
        if adjective is not None and currency(words.word(at + 1)) is not None:
            return at + 2, adjective
        if word == "hong" and words.word(at + 1) == "kong":
            return at + 3, "HKD"
        code = currency(word)
        if code is not None:
            end = at + 2 if words.word(at + 1) == "sterling" else at + 1
            return end, code
        if cents_of(word) is not None and (word != "p" or words.joined(at)):
            return at + 1, "c" + (cents_of(word) or "")
        return None

    def _money(self, at: int, end: int, amount: Decimal, code: str) -> Mention:
        words = self.words
        if code.startswith("c") and len(code) in {1, 4}:
            return Mention("money", at, end, Money(amount / 100, code[1:]))
        after = words.skip(end, frozenset({"and", "und", "et", "y", "e"}))
        more = number(words, after, self.code) if after - end < 2 and amount == int(amount) else None
        if more is not None and more.values[0] in range(1, 100):
            cents = cents_of(words.word(more.end))
            if cents is not None and cents in {"", code}:
                return Mention("money", at, more.end + 1, Money(amount + more.values[0] / 100, code))
        named = currency(words.word(end)) if words.word(end).isalpha() and len(words.word(end)) == 3 else None
        if named is not None and words.word(at) in {"$", "\u00a3", "\u20ac"}:
            return Mention("money", at, end + 1, Money(amount, named))
        return Mention("money", at, end, Money(amount, code))

    def _measure(self, at: int, end: int, values: tuple[Decimal, ...]) -> Mention | None:
        found = self._unit(end)
        if found is None:
            return None
        after, measured = found
        more = (
            number(self.words, self.words.skip(after, frozenset({"and"})), self.code)
            if len(values) == 1
            else None
        )
        if more is not None and len(more.values) == 1:
            second = self._unit(more.end)
            if second is not None and second[1].dimension == measured.dimension and second[1] != measured:
                added = convert(more.values[0], second[1], measured)
                if added is not None and added < 1 and measured.dimension != "percent":
                    return Mention("measure", at, second[0], Measure((values[0] + added,), measured))
        return Mention("measure", at, after, Measure(values, measured))

    def _unit(self, at: int) -> tuple[int, Unit] | None:
        words = self.words
        after = at + 1 if words.word(at) == "-" and words.joined(at) and words.joined(at + 1) else at
        word = words.word(after)
        if word == "\u00b0":
            named = (
                unit(words.word(after + 1))
                if words.word(after + 1) in {"c", "f", "celsius", "fahrenheit"}
                else None
            )
            return (after + 2, named) if named else (after + 1, Unit("temperature", "deg"))
        if word == "per" and words.word(after + 1) == "cent":
            return after + 2, Unit("percent", "%")
        if word in {"pour", "por", "per"} and words.word(after + 1) in {"cent", "ciento", "cento"}:
            return after + 2, Unit("percent", "%")
        found = unit(word)
        if found is None or found.dimension == "time":
            return None
        if len(word) == 1 and word not in {"%"} and not self._may_be_short_unit(after, word):
            return None
        if found.name == "deg":
            scale = unit(words.word(after + 1))
            if scale is not None and scale.dimension == "temperature":
                return after + 2, scale
        if (found.name == "C" and len(word) == 1) or (found.name == "F" and len(word) == 1):
            return (
                (after + 1, found)
                if words.joined(after) or words.text[words.starts[after]].isupper()
                else None
            )
        return after + 1, found

    def _may_be_short_unit(self, at: int, word: str) -> bool:
        """Whether a single letter after a number is its unit and not a word ("5 m", not "5 t-shirts")."""
        words = self.words
        if words.word(at + 1) in {"-", "'"} and words.joined(at + 1):
            return False
        return words.joined(at) or word in {"g", "l", "m", "t", "w", "c", "f"}

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
            if mention.kind != "day" or not 0 < len(link) < 3 or link[0] not in _THROUGH | {"and"}:
                continue
            first = _same_month(before, mention)
            if first is not None:
                made[index - 1] = first
            elif before.kind == "day" and link[0] in _THROUGH and isinstance(before.value, Day):
                made[index] = mention._replace(since=before.value)
        return made

    def _is_linked(self, end: int, first: int) -> bool:
        return first - end <= 2 and all(self.words.word(at) in _LINKS for at in range(end, first))

    def _hour_of_day(self, before: Mention | None, mention: Mention) -> Mention | None:
        """`8 tomorrow morning`: a bare hour before a day with its half."""
        if before is None or before.kind != "number" or not mention.half or before.end != mention.first:
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
        if read is None or words.word(mention.first - 1) in {"for", "a", ","}:
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
        Moment(day.value, times, (day.first, day.end), (time.first, time.end)),
    )


def _both_halves(times: tuple[datetime.time, ...]) -> list[datetime.time]:
    return [each.replace(hour=(each.hour + by) % 24) for each in times[:1] for by in (0, 12)]


def _is_near(time: datetime.time, other: datetime.time, before: bool) -> bool:
    """Whether a time and one after (or before) it are less than twelve hours apart."""
    ahead = (other.hour * 60 + other.minute) - (time.hour * 60 + time.minute)
    return 0 < ahead < 720 if before else 0 < -ahead < 720


def _is_word_of_weight(words: Words, at: int) -> bool:
    return words.word(at) in {"pound", "pounds", "won", "rand", "lira", "try", "franc", "francs"}
