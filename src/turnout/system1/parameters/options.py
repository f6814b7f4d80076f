"""What could fill a parameter: the places in a text that hold a value of its kind, and what each would come to."""

from typing import Final

from .calendar_options import day_option, duration_option, moment_option, period_option, time_option
from .languages import small
from .mentions import Mentions
from .number_options import number_option
from .option import Clockwork, Option
from .slots import Slot
from .text import Words

_EXPLICIT: Final = 1.0
_UNMARKED: Final = 0.6


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


_READERS: Final = {
    "number": number_option,
    "day": day_option,
    "time": time_option,
    "moment": moment_option,
    "duration": duration_option,
    "period": period_option,
}
TYPED: Final = frozenset(_READERS)
