"""What a place in a text comes to as a day, a time, a moment, a duration or a period."""

import datetime
import re
from decimal import Decimal
from typing import Final, cast

from .calendar import Day, Length, Period, bounds, days, later
from .languages import ENGLISH, months
from .mentions import Mention, Mentions, Moment
from .number_options import length_of
from .numbers import number, spoken_year
from .option import Clockwork, Option
from .slots import Slot, period_unit, stem
from .text import Words, several
from .times import Clock, clock, is_before_time

_ASIDE: Final = several(
    "not nicht i d m would like make it that please no sorry ok okay say let s then actually wait oh rather"
    " change to uh um the think maybe better at around about bitte nein sharp exactly precisely genau punkt"
)
_RUN: Final = re.compile(r"(\d{1,2}):(\d\d):(\d\d)")
_DOTTED: Final = re.compile(r"(0?[7-9]|1\d|2[0-3])\.([0-5]\d)")
_ROWS: Final = several(
    "working business floor option one time item row person flight result movie choice entry line page"
    " chapter room seat place street avenue quarter half week month year day person question point part stage"
    " round grade class attempt try order invoice email message file version edition season episode"
)
_PLANNED: Final = frozenset(
    stem(each)
    for each in several(
        "shift class course lesson appointment meeting session training booking reservation table seat ticket flight"
        " train trip tour visit delivery pickup collection departure call interview match game show concert lunch"
        " dinner breakfast meal event party exam test slot place spot bus ride service shipment order"
    )
)
"""What people have or book for a day; without another word they mean the coming one."""
_DONE: Final = frozenset(
    stem(each)
    for each in several(
        "backup snapshot report figure number result sale revenue log minutes recording data export run build release"
        " deploy deployment invoice bill receipt payment transaction statement mail email message post paper news"
        " incident outage error file scan photo picture score change commit"
    )
)
"""What a day has left behind; without another word the last one is meant."""
_JOINING: Final = several("to with for by and or at on in from instead as")
_MIDNIGHTS: Final = frozenset({"midnight", "mitternacht", "minuit", "medianoche", "mezzanotte"})


def day_option(slot: Slot, mention: Mention, mentions: Mentions, clockwork: Clockwork) -> Option | None:
    """A mention as a day in the style of the slot."""
    value = mention.value
    day = value.day if isinstance(value, Moment) else value
    if mention.kind == "number" and not slot.verbatim:
        day = _undivided_date(mentions.words.said(mention.first, mention.end))
    if not isinstance(day, Day) or (day.day and not day.year and "birth" in slot.cues):
        # Nobody is born on a day of every year.
        return None
    first, end = value.day_at if isinstance(value, Moment) else (mention.first, mention.end)
    if slot.verbatim:
        if mentions.words.words[first:end] == ["this"]:
            return None
        if mention.core > first and mentions.words.word(mention.core - 1) != "this":
            end = mention.core
        if mention.bare and _is_place_in_row(mentions.words, end):
            return None
        if mentions.words.word(first) == "the" and not mention.bare:
            first += 1
        return Option(first, end, (None,), 0.95)
    if mention.bare and _is_place_in_row(mentions.words, end):
        return None
    found = _meant(slot, day, mention, mentions, clockwork.now.date())
    style = slot.style or "%Y-%m-%d"
    return Option(first, end, tuple(each.strftime(style) for each in found), 0.95)


def _meant(
    slot: Slot, day: Day, mention: Mention, mentions: Mentions, today: datetime.date
) -> tuple[datetime.date, ...]:
    """The dates that a day may be, as what stands around it tells: "since 1 July", "Friday's backup"."""
    words = mentions.words
    is_owner = day.weekday is not None and words.words[mention.end : mention.end + 2] == ["'", "s"]
    owned = words.word(mention.end + 2) if is_owner else ""
    is_done = is_owner and not day.way and not _lies_ahead(slot, owned)
    begun_before = words.word(mention.first - 1) == "since" and not day.way
    direction = "past" if is_done or begun_before else slot.direction
    begun = days(mention.since, today, direction) if mention.since is not None else ()
    found = days(day, begun[0] if len(begun) == 1 else today, direction)
    if is_done and slot.direction == "future" and stem(owned) not in _DONE:
        # "Friday's yoga" may be either.
        found = (*found, *days(day, today, "future"))
    return found


def _undivided_date(said: str) -> Day | None:
    """`20260304`."""
    if len(said) != 8 or not said.isdigit() or not said.isascii() or not "1900" <= said[:4] < "2200":
        return None
    try:
        return Day(dates=(datetime.date(int(said[:4]), int(said[4:6]), int(said[6:])),))
    except ValueError:
        return None


def _lies_ahead(slot: Slot, owned: str) -> bool:
    """Whether what belongs to a day ("Friday's shift") is still to come, rather than done ("Friday's backup").

    What isn't named ("and Sunday's to Bruno") lies where the parameter looks.
    """
    unnamed = owned in _JOINING or not owned.isalpha()
    return slot.direction == "future" and (unnamed or stem(owned) in _PLANNED)


def _is_place_in_row(words: Words, at: int) -> bool:
    """Whether "the 3rd" counts something else than days: the 3rd floor, the 3rd Cousin."""
    following = words.word(at)
    if following in _ROWS:
        return True
    return following.isalpha() and words.said(at, at + 1)[0].isupper() and following not in months(ENGLISH)


def time_option(slot: Slot, mention: Mention, mentions: Mentions, clockwork: Clockwork) -> Option | None:
    """A mention as a time of day, a bare number too where nothing else is said."""
    confidence = 0.95
    if isinstance(mention.value, Length):
        return _time_from_now(slot, mention, mention.value, mentions, clockwork)
    if isinstance(mention.value, Moment):
        times = mention.value.times
        if slot.verbatim:
            return Option(*mention.value.time_at, (None,), 0.95)
    elif mention.kind == "time":
        times = cast("tuple[datetime.time, ...]", mention.value)
        if slot.verbatim and mentions.words.word(mention.first) == "a":
            return Option(mention.first + 1, mention.end, (None,), confidence)
    else:
        read = _bare_time(mention, mentions)
        if read is None:
            return None
        times, confidence = read
    if slot.verbatim:
        return Option(mention.first, mention.end, (None,), confidence)
    style, times = slot.style or "%H:%M:%S", _awake(slot, times)
    first, end = mention.value.time_at if isinstance(mention.value, Moment) else (mention.first, mention.end)
    return Option(first, end, tuple(each.strftime(style) for each in times), confidence)


def _time_from_now(
    slot: Slot, mention: Mention, length: Length, mentions: Mentions, clockwork: Clockwork
) -> Option | None:
    """`in half an hour` as a time of the same day."""
    moment = None if slot.verbatim else _ahead(mention, length, mentions, clockwork)
    if moment is None or moment.date() != clockwork.now.date() or length.days or length.months:
        return None
    return Option(mention.first, mention.end, (moment.strftime(slot.style or "%H:%M:%S"),), 0.9)


def _awake(slot: Slot, times: tuple[datetime.time, ...]) -> tuple[datetime.time, ...]:
    """The times of a wake-up call: without another word in the morning."""
    if len(times) < 2 or not slot.waking:
        return times
    return tuple(each for each in times if each.hour < 12) or times


def _bare_time(mention: Mention, mentions: Mentions) -> tuple[tuple[datetime.time, ...], float] | None:
    """A bare number as a time of day: after a word for times, or where nothing else was said."""
    words = mentions.words
    if mention.kind != "number" or words.word(mention.first) in {"a", "an", "half"}:
        return None
    read = clock(words, mention.first, mentions.code) or _undivided(words, mention)
    if read is None or read.end < mention.end:
        return None
    before = words.word(mention.first - 1)
    if (is_before_time(before) and before not in {"for", "and"}) or mentions.ranged(mention):
        return _after(mentions.range_start(mention), read.times, mentions), 0.9
    if words.word(mention.first - 1) == ":" or words.word(mention.end) == ":":
        return None
    alone = not any(each.isalpha() for each in words.words[mention.end :]) and mention.first <= 1
    return (read.times, 0.85) if alone or _is_all(words) else None


def _after(
    start: Mention | None, times: tuple[datetime.time, ...], mentions: Mentions
) -> tuple[datetime.time, ...]:
    """Of the times that end a range the one that comes next after its beginning: "9 to 5"."""
    begun = clock(mentions.words, start.first, mentions.code) if start is not None else None
    if begun is None or len(begun.times) != 1 or len(times) != 2:
        return times
    return tuple(sorted(each for each in times if each > begun.times[0])[:1]) or times


def _is_all(words: Words) -> bool:
    """Whether nothing was said but numbers and words to put them right."""
    return len(words) <= 8 and all(
        not each.isalpha() or each in _ASIDE or number(words, at) is not None
        for at, each in enumerate(words.words)
    )


def _undivided(words: Words, mention: Mention) -> Clock | None:
    """`0830` and `8.30` alone."""
    dotted = _DOTTED.fullmatch(words.said(mention.first, mention.end)) if len(words) <= 4 else None
    if dotted is not None:
        return Clock(mention.end, (datetime.time(int(dotted[1]), int(dotted[2])),))
    said = words.word(mention.first)
    if len(words) > 2 or mention.end != mention.first + 1 or len(said) != 4 or not said.isdigit():
        return None
    hour, minute = int(said[:2]), int(said[2:])
    return Clock(mention.end, (datetime.time(hour, minute),)) if hour < 24 and minute < 60 else None


def moment_option(slot: Slot, mention: Mention, mentions: Mentions, clockwork: Clockwork) -> Option | None:
    """A mention as a day and a time."""
    value = mention.value
    now = clockwork.now
    if isinstance(value, Moment):
        found = [(day, time) for day in days(value.day, now.date(), slot.direction) for time in value.times]
        if _MIDNIGHTS & set(mentions.words.words[mention.first : mention.end]):
            # The night before that day or the one after it.
            found += [(day + datetime.timedelta(days=1), time) for day, time in found]
        return _moments(slot, mention, [datetime.datetime.combine(*each) for each in found], clockwork, 0.95)
    if isinstance(value, Length):
        return _from_now(slot, mention, value, mentions, clockwork)
    if mention.kind == "time":
        times = cast("tuple[datetime.time, ...]", value)
        return _time_of_some_day(slot, mention, times, mentions, clockwork)
    read = _bare_time(mention, mentions)
    return None if read is None else _time_of_some_day(slot, mention, read[0], mentions, clockwork)


def _from_now(
    slot: Slot, mention: Mention, length: Length, mentions: Mentions, clockwork: Clockwork
) -> Option | None:
    """`in two hours`, `90 minutes from now`, `an hour ago`."""
    moment = _ahead(mention, length, mentions, clockwork)
    return None if moment is None else _moments(slot, mention, [moment], clockwork, 0.95)


def _ahead(
    mention: Mention, length: Length, mentions: Mentions, clockwork: Clockwork
) -> datetime.datetime | None:
    """The moment that a length leads to from now, where it is said so; its hours and minutes count."""
    words = mentions.words
    after = words.word(mention.end)
    ahead = words.word(mention.first - 1) in {"in", "dans", "en", "tra", "fra"} or (
        after == "from" and words.word(mention.end + 1) == "now"
    )
    if not length.seconds or not (ahead or after in {"ago", "fa"}):
        return None
    sign = 1 if ahead else -1
    local = clockwork.now.replace(second=0, microsecond=0, tzinfo=None)
    moment = local + datetime.timedelta(days=sign * length.days, seconds=sign * length.seconds)
    if length.months:
        day = later(moment.date(), Length(sign * length.months))
        moment = datetime.datetime.combine(day, moment.time())
    return moment


def _time_of_some_day(
    slot: Slot, mention: Mention, times: tuple[datetime.time, ...], mentions: Mentions, clockwork: Clockwork
) -> Option | None:
    """A time alone is of the one day that the text names, or of today if it is still to come."""
    today = clockwork.now.date()
    said = mentions.days
    if len(said) == 1:
        found = days(cast("Day", next(iter(said))), today, slot.direction)
        moments = [datetime.datetime.combine(day, time) for day in found for time in times]
        return _moments(slot, mention, moments, clockwork, 0.9)
    if said:
        return None
    local = clockwork.now.replace(tzinfo=None)
    moments = [datetime.datetime.combine(today, time) for time in times]
    coming = [each for each in moments if (each > local) == (slot.direction == "future")]
    return _moments(slot, mention, coming, clockwork, 0.85)


def _moments(
    slot: Slot, mention: Mention, found: list[datetime.datetime], clockwork: Clockwork, confidence: float
) -> Option:
    style = slot.style or "%Y-%m-%dT%H:%M:%S"
    written: list[str] = []
    for each in found:
        text = each.strftime(style)
        if clockwork.zone is not None and "pattern" not in slot.schema and style.endswith("%S"):
            text = each.replace(tzinfo=clockwork.zone).isoformat()
        written.append(text)
    return Option(mention.first, mention.end, tuple(written), confidence)


def duration_option(slot: Slot, mention: Mention, mentions: Mentions, _: Clockwork) -> Option | None:
    """A mention as an ISO 8601 duration."""
    value = length_of(mention, mentions)
    if mention.kind == "time" and (run := _RUN.fullmatch(mentions.words.said(mention.first, mention.end))):
        hours, minutes, seconds = (int(each) for each in run.groups())
        value = Length(seconds=3600 * hours + 60 * minutes + seconds)
    if not isinstance(value, Length):
        return None
    if slot.verbatim:
        return Option(mention.first, mention.end, (None,), 0.9)
    if mention.kind == "time" and mentions.range_start(mention) is not None:
        # "Deux à trois heures": a clock's words, and no one length.
        return None
    ago = mentions.words.word(mention.end) in {"ago", "fa"}
    return None if ago else Option(mention.first, mention.end, (value.iso(),), 0.95)


def period_option(slot: Slot, mention: Mention, mentions: Mentions, clockwork: Clockwork) -> Option | None:
    """A mention as a month, a quarter, a half-year, a week or a year, as the slot wants."""
    value = mention.value
    unit = period_unit(slot)
    if isinstance(value, Day) and value.period is not None and value.dates:
        value = value.period
    if unit == "year" and mention.kind in {"number", "time"}:
        spoken = spoken_year(mentions.words, mention.first, mentions.code)
        numeric = int(cast("tuple[Decimal, ...]", value)[0]) if mention.kind == "number" else 0
        said = spoken[1] if spoken is not None else numeric
        value = Period("year", year=said) if 1900 <= said < 2200 else value
    if not isinstance(value, Period) or not (value.unit == unit or _is_allowed(slot, value.unit)):
        return None
    unit = value.unit
    found = bounds(value, clockwork.now.date(), slot.direction)
    return Option(mention.first, mention.end, tuple(_written(slot, unit, first) for first, _ in found), 0.95)


def _is_allowed(slot: Slot, unit: str) -> bool:
    """Whether a pattern takes periods of this unit too: months and quarters."""
    pattern = slot.schema.get("pattern")
    return (
        isinstance(pattern, str)
        and re.search(pattern, _written(slot, unit, datetime.date(2026, 1, 5))) is not None
    )


def _written(slot: Slot, unit: str, first: datetime.date) -> str:
    year, week, _ = first.isocalendar()
    text = {
        "month": f"{first:%Y-%m}",
        "quarter": f"{first.year}-Q{(first.month + 2) // 3}",
        "half": f"{first.year}-H{1 if first.month < 7 else 2}",
        "week": f"{year}-W{week:02d}",
        "year": f"{first.year}",
    }[unit]
    pattern = str(slot.schema.get("pattern", ""))
    return text.replace("-Q", "Q") if unit == "quarter" and pattern and "-" not in pattern else text
