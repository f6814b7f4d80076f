"""What a place in a text comes to as a number: plain, counted, measured, or a sum of money."""

from decimal import Decimal
from typing import Any, Final, cast

from .calendar import Day, Length, Period
from .durations import duration
from .mentions import Mention, Mentions
from .numbers import number, spoken_year
from .option import Clockwork, Option
from .quantities import Measure, Money
from .slots import Slot, choices_of, name_words, stem
from .text import several
from .units import Unit, convert
from .validity import violation

_NUMBERED: Final = several(
    "chapter room page step line gate platform seat level version part section episode season floor terminal track"
    " flight bus train unit apartment suite building zone row ticket order invoice case volume article phase grade"
    " account card ending address street road highway route channel station building file build release ward block"
    " kapitel zimmer raum seite gleis stock chambre salle page habitacion sala capitulo capitolo camera binario"
)
_ALL: Final = several("all alle tous toutes todos todas tutti tutte")
_ORDERING: Final = several("order file build release block address page level")
_FUNCTION_WORDS: Final = several(
    "the a an of is be my our your on in at for it to this that please with and or if as per each by from until till"
    " now today tomorrow tonight only total max maximum min minimum thanks thank bitte und pro par por per e y et"
    " then when which but so too also instead always usually again apiece altogether wide high long deep tall heavy"
    " works should would will was seems sounds no not yes ok okay i we you"
)
_LISTING: Final = several(", and und et y e &")
_ONE_OF: Final = several("way of more moment second sec thing another time off")


def number_option(slot: Slot, mention: Mention, mentions: Mentions, clockwork: Clockwork) -> Option | None:
    """A mention as a number, in the unit or the currency of the slot; `None` where it is none."""
    value = length_of(mention, mentions)
    said_number = None if _of_most(slot, mention, mentions) else _said_as_number(slot, mention, mentions)
    if said_number is not None:
        return _numbers(slot, mention, said_number, 0.9)
    if isinstance(value, Money):
        return _money(slot, mention, value, mentions)
    if isinstance(value, Measure):
        return _measured(slot, mention, value)
    if isinstance(value, Length):
        metres = _metres(slot, mention, mentions)
        return _timed(slot, mention, value) if metres is None else _measured(slot, mention, metres)
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


def _metres(slot: Slot, mention: Mention, mentions: Mentions) -> Measure | None:
    """The metres of `1.75m` where a length is wanted; elsewhere they are minutes."""
    if slot.unit is None or slot.unit.dimension != "length" or mentions.words.word(mention.end - 1) != "m":
        return None
    counted = number(mentions.words, mention.first, mentions.code)
    whole = counted is not None and counted.end == mention.end - 1
    return Measure(counted.values, Unit("length", "m")) if counted is not None and whole else None


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


def length_of(mention: Mention, mentions: Mentions) -> Any:
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
