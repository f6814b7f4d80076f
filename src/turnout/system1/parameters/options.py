"""What could fill a parameter: the places in a text that hold a value of its kind, and what each would come to."""

import datetime
import re
from decimal import Decimal
from typing import Any, Final, NamedTuple, cast

from .calendar import Day, Length, Period, bounds, days, later
from .durations import duration
from .languages import ENGLISH, months, small
from .mentions import Mention, Mentions, Moment
from .numbers import number, spoken_year
from .option import Option
from .quantities import Measure, Money
from .slots import Slot, choices_of, name_words, period_unit, stem
from .text import Words, several
from .times import Clock, clock, is_before_time
from .units import Unit, convert
from .validity import violation

_EXPLICIT: Final = 1.0
_UNMARKED: Final = 0.6
_ASIDE: Final = several(
    "not nicht i d m would like make it that please no sorry ok okay say let s then actually wait oh rather"
    " change to uh um the think maybe better at around about bitte nein sharp exactly precisely genau punkt"
)
_NUMBERED: Final = several(
    "chapter room page step line gate platform seat level version part section episode season floor terminal track"
    " flight bus train unit apartment suite building zone row ticket order invoice case volume article phase grade"
    " account card ending address street road highway route channel station building file build release ward block"
    " kapitel zimmer raum seite gleis stock chambre salle page habitacion sala capitulo capitolo camera binario"
)
_ALL: Final = several("all alle tous toutes todos todas tutti tutte")
_ORDERING: Final = several("order file build release block address page level")
_RUN: Final = re.compile(r"(\d{1,2}):(\d\d):(\d\d)")
_DOTTED: Final = re.compile(r"(0?[7-9]|1\d|2[0-3])\.([0-5]\d)")
_FUNCTION_WORDS: Final = several(
    "the a an of is be my our your on in at for it to this that please with and or if as per each by from until till"
    " now today tomorrow tonight only total max maximum min minimum thanks thank bitte und pro par por per e y et"
    " then when which but so too also instead always usually again apiece altogether wide high long deep tall heavy"
    " works should would will was seems sounds no not yes ok okay i we you"
)
_LISTING: Final = several(", and und et y e &")
_ONE_OF: Final = several("way of more moment second sec thing another time off")
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
_MIDNIGHTS: Final = frozenset({"midnight", "mitternacht", "minuit", "medianoche", "mezzanotte"})


class Clockwork(NamedTuple):
    """The moment of asking, and the time zone that moments are written in (`None`: local, without an offset)."""

    now: datetime.datetime
    zone: datetime.tzinfo | None = None


def typed_options(slot: Slot, mentions: Mentions, clockwork: Clockwork) -> list[Option]:
    """The mentions that fit a slot for a number, a day, a time, a moment, a duration or a period."""
    reader = _READERS[slot.want]
    read = [(each, reader(slot, each, mentions, clockwork)) for each in mentions.found]
    found = [(mention, option) for mention, option in read if option is not None and option.values]
    if any(option.confidence == _EXPLICIT for _, option in found):
        # A number without the unit is no rival of one that has it.
        found = [
            (mention, option._replace(confidence=min(option.confidence, _UNMARKED)))
            if mention.kind == "number"
            else (mention, option)
            for mention, option in found
        ]
    return [option for _, option in found if not _is_whole(slot, option, mentions.words)]


def _is_whole(slot: Slot, option: Option, words: Words) -> bool:
    """Whether a number is what another is a part of: the 5 of "three out of 5"."""
    if slot.want != "number":
        return False
    before, link = words.word(option.first - 2), words.word(option.first - 1)
    counted = before.isdigit() or before in small("fr") or before in small("de") or before in small("it")
    return (before, link) == ("out", "of") or (counted and link in {"sur", "su", "von"})


def _number(slot: Slot, mention: Mention, mentions: Mentions, clockwork: Clockwork) -> Option | None:
    value = _length_of(mention, mentions)
    said_number = None if _of_most(slot, mention, mentions) else _said_as_number(slot, mention, mentions)
    if said_number is not None:
        return _numbers(slot, mention, said_number, 0.9)
    if isinstance(value, Money):
        return _money(slot, mention, value, mentions)
    if isinstance(value, Measure):
        return _measured(slot, mention, value)
    if isinstance(value, Length):
        return _timed(slot, mention, value)
    if isinstance(value, Period):
        return _year(slot, mention, value, clockwork)
    if mention.kind == "number":
        return _plain(slot, mention, cast("tuple[Decimal, ...]", value), mentions)
    return _of_most(slot, mention, mentions) or _placed(slot, mention, mentions)


def _plain(slot: Slot, mention: Mention, numbers: tuple[Decimal, ...], mentions: Mentions) -> Option | None:
    """A number without a unit."""
    if _is_label(slot, mentions, mention) or _is_of_another_kind(slot, mentions, mention):
        return _unlikely(slot, mention, numbers)
    listed = slot.many and _is_listed(mentions, mention)
    if mention.bare and not (listed or mentions.ranged(mention) or _is_pointed_at(slot, mentions, mention)):
        return _numbers(slot, mention, numbers, 0.6)
    if (year := _spoken_year(slot, mention, mentions)) is not None:
        return year
    if slot.unit is not None and slot.unit.dimension == "percent" and _is_share(mentions, mention):
        numbers = tuple(each * 100 for each in numbers)
    return _numbers(slot, mention, numbers, 0.9)


def _said_as_number(slot: Slot, mention: Mention, mentions: Mentions) -> tuple[Decimal, ...] | None:
    """The number in words that may be something else: `dos y medio` an hour, `1/2` a day, `5k` a length in km."""
    words = mentions.words
    if slot.unit is not None and slot.unit.name == "km" and mention.kind == "number":
        if words.word(mention.end - 1) == "k" and words.joined(mention.end - 1):
            return tuple(each / 1000 for each in cast("tuple[Decimal, ...]", mention.value))
        return None
    if slot.verbatim or mention.kind not in {"time", "day"} or mention.first > 0:
        return None
    if mention.kind == "day" and (mention.end < len(words) or slot.schema.get("type") == "integer"):
        return None
    read = number(words, mention.first, mentions.code)
    whole = read is not None and read.end == mention.end and len(read.values) == 1
    return read.values if read is not None and whole and read.values[0] != int(read.values[0]) else None


def _of_most(slot: Slot, mention: Mention, mentions: Mentions) -> Option | None:
    """`4/5` where 5 is the most there is, and no date is asked for."""
    words, most = mentions.words, slot.schema.get("maximum")
    first, mark, last = (words.words[mention.first : mention.end] + [""] * 3)[:3]
    if (
        mention.end - mention.first != 3
        or not words.is_number(mention.first)
        or (mark, last) != ("/", str(most))
    ):
        return None
    return _numbers(slot, mention, (Decimal(first),), 0.9)


def _placed(slot: Slot, mention: Mention, mentions: Mentions) -> Option | None:
    """A place in a row, sure where the parameter is named after it: "the 12th floor", which is no day."""
    value = mention.value
    named = mentions.words.word(mention.end) in name_words(slot.path[-1])
    if mention.kind == "ordinal":
        return _numbers(slot, mention, cast("tuple[Decimal, ...]", value), 0.9 if named else 0.5)
    if isinstance(value, Day) and named and mention.bare and value.day is not None:
        return _numbers(slot, mention, (Decimal(value.day),), 0.9)
    return None


def _year(slot: Slot, mention: Mention, period: Period, clockwork: Clockwork) -> Option | None:
    """`2025` and, where a year is wanted, `last year`."""
    if mention.bare and period.year is not None:
        return _numbers(slot, mention, (Decimal(period.year),), 0.9)
    is_wanted = "year" in slot.cues or slot.path[-1] == "year"
    if period.unit != "year" or period.away is None or not is_wanted:
        return None
    return _numbers(slot, mention, (Decimal(clockwork.now.year + period.away),), 0.95)


def _spoken_year(slot: Slot, mention: Mention, mentions: Mentions) -> Option | None:
    """`nineteen ninety-eight`, where a year is wanted."""
    if "year" not in slot.cues and slot.path[-1] != "year":
        return None
    said = spoken_year(mentions.words, mention.first, mentions.code)
    return None if said is None else _numbers(slot, mention._replace(end=said[0]), (Decimal(said[1]),), 0.9)


def _is_label(slot: Slot, mentions: Mentions, mention: Mention) -> bool:
    """Whether a number is the name of something else (chapter 3, room 204), or counts what is named: "all three"."""
    before = mentions.words.word(mention.first - 1)
    if before in _ALL and stem(mentions.words.word(mention.end)) not in slot.cues:
        return True
    at = mention.first - 2 if before in {"no", "nr", "number", "#"} else mention.first - 1
    before = mentions.words.word(at)
    if at == 0 and before in _ORDERING:
        return False
    return before in _NUMBERED and stem(before) not in slot.cues and before not in slot.cues


def _is_of_another_kind(slot: Slot, mentions: Mentions, mention: Mention) -> bool:
    """Whether a number counts things where a measure is asked for: "3 boxes" is no weight."""
    following = mentions.words.word(mention.end)
    if slot.unit is None or slot.unit.name == "yr" or not following.isalpha() or following in _FUNCTION_WORDS:
        return False
    return stem(following) not in slot.cues and following not in slot.cues


def _is_pointed_at(slot: Slot, mentions: Mentions, mention: Mention) -> bool:
    """Whether a "one" is a number: it counts what the slot is about, or nothing else was said."""
    words = mentions.words
    if words.word(mention.end) in _ONE_OF or words.word(mention.end + 1) == "way":
        return False
    near = (words.word(mention.end), words.word(mention.end + 1), words.word(mention.first - 1))
    return len(words) <= mention.end - mention.first + 1 or any(
        each in slot.cues or stem(each) in slot.cues for each in near
    )


def _is_listed(mentions: Mentions, mention: Mention) -> bool:
    """Whether a "one" stands in a list of numbers: "un, deux et trois"."""
    after = mentions.first_at.get(mention.end + 1)
    return after is not None and after.kind == "number" and mentions.words.word(mention.end) in _LISTING


def _is_share(mentions: Mentions, mention: Mention) -> bool:
    """Whether a half or a quarter is meant as a part of the whole."""
    said = mentions.words.words[mention.first : mention.end]
    return any(each in {"half", "quarter", "quarters", "halb", "halfte"} for each in said)


def _money(slot: Slot, mention: Mention, money: Money, mentions: Mentions) -> Option | None:
    if slot.verbatim:
        return Option(mention.first, mention.end, (None,), 0.95) if slot.money else None
    if slot.unit is not None:
        weight = slot.unit.dimension == "mass" and mentions.words.word(mention.end - 1) in {"pound", "pounds"}
        return _measured(slot, mention, Measure((money.amount,), Unit("mass", "lb"))) if weight else None
    if slot.currency and money.currency and money.currency != slot.currency:
        said = f"{_plain_number(money.amount)} {money.currency}"
        return Option(mention.first, mention.end, (said,), 0.95, wrong=True)
    if not slot.money:
        return _unlikely(slot, mention, (money.amount,))
    return _numbers(slot, mention, (money.amount,), 1.0)


def _unlikely(slot: Slot, mention: Mention, numbers: tuple[Decimal, ...]) -> Option | None:
    """A number that is hardly meant for a slot, and surely not where the slot can't take it."""
    found = _numbers(slot, mention, numbers, 0.6)
    fits = found is not None and any(violation(slot.schema, each) is None for each in found.values)
    return found if fits or slot.verbatim else None


def _measured(slot: Slot, mention: Mention, measure: Measure) -> Option | None:
    if slot.verbatim:
        return None
    if slot.unit is None:
        cue = any(each in slot.cues for each in (measure.unit.name, measure.unit.dimension))
        return _numbers(slot, mention, measure.amounts, 0.85) if cue else None
    values = tuple(convert(each, measure.unit, slot.unit) for each in measure.amounts)
    known = tuple(each for each in values if each is not None)
    return _numbers(slot, mention, known, 1.0) if known else None


def _timed(slot: Slot, mention: Mention, length: Length) -> Option | None:
    """A duration in the unit of the slot."""
    if slot.unit is None or slot.unit.dimension != "time":
        words = slot.cues & {"day", "week", "month", "night", "hour", "minute", "year"}
        counts = words and not slot.verbatim and not slot.money
        return _counted(slot, mention, length) if counts else None
    if slot.unit.name in {"mo", "yr"}:
        value = Decimal(length.months) / (12 if slot.unit.name == "yr" else 1)
        return None if length.days or length.seconds else _numbers(slot, mention, (value,), 1.0)
    if length.months:
        return None
    if slot.unit.name == "ms":
        return _numbers(slot, mention, (Decimal(1000 * (length.days * 86_400 + length.seconds)),), 1.0)
    size = {"s": 1, "min": 60, "h": 3600, "d": 86_400, "wk": 604_800}[slot.unit.name]
    return _numbers(slot, mention, (Decimal(length.days * 86_400 + length.seconds) / size,), 1.0)


def _length_of(mention: Mention, mentions: Mentions) -> Any:
    """What is said; `2h30` is a length where one is wanted and a time of day elsewhere."""
    if mention.kind == "time":
        said = duration(mentions.words, mention.first, mentions.code)
        if said is not None and said.end == mention.end:
            return said.length
    return mention.value


def _counted(slot: Slot, mention: Mention, length: Length) -> Option | None:
    """`number of nights` and `three nights`: the number that was said."""
    if "month" in slot.cues and length.months:
        return _numbers(slot, mention, (Decimal(length.months),), 0.95)
    if slot.cues & {"day", "night"} and length.days and not length.seconds:
        return _numbers(slot, mention, (Decimal(length.days),), 0.95)
    if "week" in slot.cues and length.days and length.days % 7 == 0:
        return _numbers(slot, mention, (Decimal(length.days // 7),), 0.95)
    return None


def _numbers(slot: Slot, mention: Mention, values: tuple[Decimal, ...], confidence: float) -> Option | None:
    if slot.verbatim:
        if isinstance(mention.value, Length):
            return Option(
                mention.first, mention.end, tuple(_plain_number(each) for each in values), confidence
            )
        return Option(mention.first, mention.end, (None,), confidence)
    fitting = values
    if slot.schema.get("type") == "integer" and len(values) > 1:
        fitting = tuple(each for each in values if each == int(each)) or values
    return Option(
        mention.first, mention.end, tuple(_number_value(slot, each) for each in fitting), confidence
    )


def _number_value(slot: Slot, value: Decimal) -> Any:
    choices = choices_of(slot.schema)
    for choice in choices:
        if Decimal(str(choice)) == value:
            return choice
    if slot.schema.get("type") == "string":
        return _plain_number(value)
    return int(value) if value == int(value) else float(value)


def _plain_number(value: Decimal) -> str:
    return str(int(value)) if value == int(value) else format(value.normalize(), "f")


def _day(slot: Slot, mention: Mention, mentions: Mentions, clockwork: Clockwork) -> Option | None:
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
    direction = slot.direction
    before = mentions.words.word(mention.first - 1)
    after = mentions.words.words[mention.end : mention.end + 2]
    owner = after == ["'", "s"] and not _lies_ahead(slot, mentions.words.word(mention.end + 2))
    if day.weekday is not None and not day.way and (before == "since" or owner):
        direction = "past"
    today = clockwork.now.date()
    begun = days(mention.since, today, direction) if mention.since is not None else ()
    found = days(day, begun[0] if len(begun) == 1 else today, direction)
    style = slot.style or "%Y-%m-%d"
    return Option(first, end, tuple(each.strftime(style) for each in found), 0.95)


def _undivided_date(said: str) -> Day | None:
    """`20260304`."""
    if len(said) != 8 or not said.isdigit() or not said.isascii() or not "1900" <= said[:4] < "2200":
        return None
    try:
        return Day(dates=(datetime.date(int(said[:4]), int(said[4:6]), int(said[6:])),))
    except ValueError:
        return None


def _lies_ahead(slot: Slot, owned: str) -> bool:
    """Whether what belongs to a day ("Friday's shift") is still to come, rather than done ("Friday's backup")."""
    return slot.direction == "future" and stem(owned) in _PLANNED


def _is_place_in_row(words: Words, at: int) -> bool:
    """Whether "the 3rd" counts something else than days: the 3rd floor, the 3rd Cousin."""
    following = words.word(at)
    if following in _ROWS:
        return True
    return following.isalpha() and words.said(at, at + 1)[0].isupper() and following not in months(ENGLISH)


def _time(slot: Slot, mention: Mention, mentions: Mentions, clockwork: Clockwork) -> Option | None:
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


def _moment(slot: Slot, mention: Mention, mentions: Mentions, clockwork: Clockwork) -> Option | None:
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


def _duration(slot: Slot, mention: Mention, mentions: Mentions, _: Clockwork) -> Option | None:
    value = _length_of(mention, mentions)
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


def _period(slot: Slot, mention: Mention, mentions: Mentions, clockwork: Clockwork) -> Option | None:
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


_READERS: Final = {
    "number": _number,
    "day": _day,
    "time": _time,
    "moment": _moment,
    "duration": _duration,
    "period": _period,
}
TYPED: Final = frozenset(_READERS)
