"""Times of day as they are said: "half past two", "3 pm", "14:30", "quarter to six in the evening", "noon"."""

import datetime
from typing import Final, NamedTuple

from .languages import ENGLISH, small
from .numbers import number
from .text import Words, several

_FIXED: Final = {
    "noon": 12,
    "midday": 12,
    "mittag": 12,
    "mittags": 12,
    "midi": 12,
    "mediodia": 12,
    "mezzogiorno": 12,
    "midnight": 0,
    "mitternacht": 0,
    "minuit": 0,
    "medianoche": 0,
    "mezzanotte": 0,
}
_HALVES: Final = {
    "morning": "a",
    "mornings": "a",
    "afternoon": "p",
    "evening": "p",
    "night": "p",
    "tonight": "p",
    "fruh": "a",
    "vormittag": "a",
    "vormittags": "a",
    "nachmittag": "p",
    "nachmittags": "p",
    "abend": "p",
    "abends": "p",
    "matin": "a",
    "apres-midi": "p",
    "soir": "p",
    "tarde": "p",
    "noche": "p",
    "mattina": "a",
    "mattino": "a",
    "pomeriggio": "p",
    "sera": "p",
    "stasera": "p",
}
_TONIGHT: Final = frozenset({"tonight", "stasera"})
"""Words that are a day and a half of it."""
_ON_THE: Final = several("in the at am de du la le del della di o'clock on this")
_AT: Final = several(
    "at by from until till to around about before after since past between and um gegen ab bis vor nach von a alle las"
    " les jusqu for noon"
)
_FIVES: Final = range(5, 60, 5)
_QUARTERS: Final = frozenset({"quart", "cuarto", "quarto"})
_HALF_HOURS: Final = frozenset({"demi", "demie", "media", "mezza", "mezzo"})
_PAST: Final = frozenset({"past", "after", "nach", "et", "y", "e"})
_TO: Final = frozenset({"to", "before", "of", "till", "vor", "moins", "menos", "meno"})
_O_CLOCK: Final = frozenset({"o'clock", "oclock", "uhr", "heures", "heure", "horas", "h"})


class Clock(NamedTuple):
    """A time of day that ends before the word `end`.

    `times` holds two where morning and afternoon are both meant. `bare` is one that is only a number: it is a time
    where something else says so, such as a word before it or the want for one.
    """

    end: int
    times: tuple[datetime.time, ...]
    bare: bool = False


def clock(words: Words, at: int, code: str = ENGLISH) -> Clock | None:
    """The time of day that begins with a word, or `None`."""
    word = words.word(at)
    if word in _FIXED:
        end, past = _share_of_hour(words, at + 1) or (at + 1, 0)
        return Clock(end, (_time((_FIXED[word] * 60 + past) % 1440),))
    if word in _HALVES and word not in _TONIGHT and words.word(at + 1) not in _FIXED:
        return _after_half(words, at, code)
    relative = _relative(words, at, code) or _half_hour(words, at, code)
    if relative is not None:
        end, minutes = relative
        return _with_half(words, end, minutes, padded=False, bare=False)
    if words.is_number(at):
        return _digits(words, at)
    return _worded(words, at, code)


def _after_half(words: Words, at: int, code: str) -> Clock | None:
    """`evening 7:30`, `this morning at nine`."""
    start = words.skip(at + 1, frozenset({"at", "um", "a", "alle", "las"}))
    found = clock(words, start, code) if words.word(start) not in _HALVES else None
    if found is None or (not (0 <= found.times[0].hour <= 12) and len(found.times) == 1):
        return None
    minutes = _in_half(found.times[-1].hour * 60 + found.times[-1].minute, _HALVES[words.word(at)])
    return Clock(found.end, (_time(minutes),)) if minutes >= 0 else None


def is_before_time(word: str) -> bool:
    """Whether a word before a bare number makes it a time of day."""
    return word in _AT


def half_of_day(words: Words, at: int) -> tuple[int, str] | None:
    """`am`, `p.m.`, `in the morning`, `tonight` from a word on: where it ends, and `a` or `p`."""
    word = words.word(at)
    if word in {"am", "pm"}:
        # "am" may begin another phrase in German.
        return at + 1, word[0]
    if word in {"a", "p"} and words.word(at + 1) == "." and words.word(at + 2) == "m":
        return at + 3 + (words.word(at + 3) == "." and words.joined(at + 3)), word
    if word in {"a", "p"} and words.joined(at) and words.is_number(at - 1) and not words.joined(at + 1):
        return at + 1, word
    after = words.skip(at, _ON_THE)
    if words.word(after) == "apres" and words.word(after + 1) == "-" and words.word(after + 2) == "midi":
        return after + 3, "p"
    half = _HALVES.get(words.word(after))
    if half is None or after - at > 3:
        return None
    if words.word(after) in _TONIGHT and words.word(after + 1) in _AT | {"@"}:
        # "for two tonight at 8": the hour comes after it.
        return None
    if words.word(after) in _TONIGHT:
        return after, half  # the word is a day too
    return after + 1, half


def _digits(words: Words, at: int) -> Clock | None:
    text = words.word(at)
    after = words.word(at + 1)
    if len(text) > 2:
        return _undivided(words, at, text)
    hour, end, minute = int(text), at + 1, None
    adjoining = words.joined(at + 1) and words.joined(at + 2) and words.is_number(at + 2)
    if after in {":", "h", "."} and adjoining and len(words.word(at + 2)) == 2:
        minute, end = int(words.word(at + 2)), at + 3
        if after == "." and not _is_dotted_time(words, at, end):
            return None
        if after == ":" and words.word(end) == ":" and words.joined(end) and words.is_number(end + 1):
            return _exact(end + 2, hour, minute, int(words.word(end + 1)))
    elif _is_in_figures(words, at):
        return None
    elif words.is_number(at + 1) and len(after) == 2 and int(after) < 60 and half_of_day(words, at + 2):
        # "7 20 pm"
        minute, end = int(after), at + 2
    padded = text.startswith("0") or after == "h" or hour > 12
    bare = minute is None
    if words.word(end) in _O_CLOCK:
        bare = False
        end += 1
        minutes = (
            _minutes_after(words, end) if minute is None and words.word(end - 1) in {"uhr", "h"} else None
        )
        if minutes is not None:
            end, minute = minutes
    if hour > 24 or (minute or 0) > 59:
        return None
    return _with_half(words, end, hour * 60 + (minute or 0), padded=padded, bare=bare)


def _is_in_figures(words: Words, at: int) -> bool:
    """Whether a number is part of a date or a ratio; "9-11" may be two hours, "9-11-2026" is a date."""
    after = words.word(at + 1)
    if not words.joined(at + 1) or after not in {":", "/", "-"} or not words.is_number(at + 2):
        return False
    return after != "-" or words.word(at + 3) == "-"


def _minutes_after(words: Words, at: int) -> tuple[int, int] | None:
    """The minutes of `14 Uhr 30` and `14 Uhr dreißig`."""
    if words.is_number(at):
        return at + 1, int(words.word(at))
    found = number(words, at, "de")
    if found is None or not found.spelled or found.values[0] not in range(1, 60):
        return None
    return found.end, int(found.values[0])


def _undivided(words: Words, at: int, text: str) -> Clock | None:
    """`1730 hours`, `at 0900`."""
    if len(text) == 4 and text[0] == "0" and words.word(at - 1) in {"at", "until", "from", "by", "um"}:
        return _exact(at + 1, int(text[:2]), int(text[2:]))
    if len(text) < 5 and words.word(at + 1) in {"h", "hrs", "hours", "uhr"}:
        return _exact(at + 2, int(text[:-2]), int(text[-2:]))
    return None


def _is_dotted_time(words: Words, at: int, end: int) -> bool:
    """Whether two numbers apart by a full stop are a time: by what stands before or after them."""
    padded = words.word(at).startswith("0") and len(words.word(at)) == 2
    marked = half_of_day(words, end) is not None or words.word(end) in _O_CLOCK or padded
    return marked or (words.word(at - 1) in {"at", "um"} and words.word(end) not in {"%", "."})


def _exact(end: int, hour: int, minute: int, second: int = 0) -> Clock | None:
    if hour == 24 and not minute and not second:
        hour = 0
    if hour > 23 or minute > 59 or second > 59:
        return None
    return Clock(end, (datetime.time(hour, minute, second),))


def _worded(words: Words, at: int, code: str) -> Clock | None:
    """`five`, `five thirty pm`, `eight o'clock`."""
    found = number(words, at, code)
    if found is None or not found.spelled or len(found.values) != 1:
        return None
    hour = found.values[0]
    if hour in range(100, 2500, 100) and words.word(found.end) in {"hours", "hrs"}:
        return _exact(found.end + 1, int(hour) // 100, 0)
    if hour != int(hour) and code in {"fr", "es", "it"} and 1 <= hour < 25:
        return _with_half(words, found.end, int(hour * 60), padded=hour >= 13, bare=False)
    if hour != int(hour) or not 0 < hour <= 24:
        return None
    end, minutes, bare = found.end, int(hour) * 60, True
    if words.word(end) in _O_CLOCK:
        end, bare = end + 1, False
    if bare and words.word(end) == "-" and words.joined(end) and words.joined(end + 1):
        end += 1
    if bare and words.word(end) in {"oh", "o"} and small(code).get(words.word(end + 1), 10) in range(1, 10):
        minutes += small(code)[words.word(end + 1)]
        return _with_half(words, end + 2, minutes, padded=hour > 12, bare=False)
    more = number(words, end, code)
    if more is None and words.word(end - 1) == "-":
        end -= 1
    if more is not None and more.spelled and more.values[0] in range(10, 60) and words.word(end) != "half":
        end, minutes, bare = more.end, minutes + int(more.values[0]), False
    return _with_half(words, end, minutes, padded=hour > 12, bare=bare)


def _relative(words: Words, at: int, code: str) -> tuple[int, int] | None:
    """`half past two`, `quarter to six`, `ten past nine`, `viertel nach drei`: where it ends, minutes of the day."""
    start = words.skip(at, frozenset({"a"}))
    word = words.word(start)
    if word == "dreiviertel" or (word, words.word(start + 1)) == ("drei", "viertel"):
        hour = _hour(words, start + 1 + (word == "drei"), code)
        return None if hour is None else (hour[0], hour[1] * 60 - 15)
    if word == "viertel" and (hour := _hour(words, start + 1, code)) is not None:
        return hour[0], hour[1] * 60 - 45
    minutes = _minutes(words, at, start, code)
    if minutes is None:
        return None
    end, part = minutes
    link = words.word(end)
    if link == "of":
        return _quarter_of(words, end + 1, code) if word == "quarter" else None
    if link not in _PAST | _TO or link in {"e", "y", "et", "moins", "menos", "meno"}:
        return None
    if link in _TO and word == "half":
        return None
    is_half = words.word(end + 1) == "halb"
    hour = _half_hour(words, end + 1, code) if is_half else _hour(words, end + 1, code)
    if hour is None:
        return None
    return hour[0], hour[1] * (1 if is_half else 60) + (part if link in _PAST else -part)


def _minutes(words: Words, at: int, start: int, code: str) -> tuple[int, int] | None:
    """The minutes before or after an hour, `half`, `quarter`, `ten`: where they end, and how many."""
    word = words.word(start)
    if word in {"half", "quarter", "viertel", "cuarto", "quart"}:
        return start + 1, 30 if word == "half" else 15
    counted = number(words, at, code)
    if counted is None or counted.values[0] not in range(1, 30):
        return None
    part, end = int(counted.values[0]), counted.end
    said_minutes = words.word(end) in {"minutes", "minuten"}
    end = end + 1 if said_minutes else end
    clear = said_minutes or (part % 5 == 0 and (part > 12 or counted.spelled))
    if words.word(end) in {"to", "till"} and not clear:
        return None
    return None if words.word(at - 1) in {"from", "between"} else (end, part)


def _quarter_of(words: Words, at: int, code: str) -> tuple[int, int] | None:
    """`quarter of ten`, which is a quarter to ten where no tens of something follow."""
    hour = _hour(words, at, code)
    if hour is None or hour[1] > 12:
        return None
    ends = not words.word(hour[0]).isalnum() or half_of_day(words, hour[0]) is not None
    return (hour[0], hour[1] * 60 - 15) if ends else None


def _half_hour(words: Words, at: int, code: str) -> tuple[int, int] | None:
    """`halb drei`; `trois heures et demie`, `las dos y media`, `le due e mezza`."""
    if words.word(at) == "half" and words.word(at + 1) not in {"an", "a", "past"}:
        # "Half six" is half past six in Britain.
        hour = _hour(words, at + 1, code)
        if hour is None:
            return None
        led = at == 0 or is_before_time(words.word(at - 1))
        marked = half_of_day(words, hour[0]) is not None or (led and not words.word(hour[0]).isalnum())
        return (hour[0], hour[1] * 60 + 30) if marked else None
    if words.word(at) == "halb":
        hour = _hour(words, at + 1, code)
        return None if hour is None else (hour[0], hour[1] * 60 - 30)
    if code not in {"fr", "es", "it"}:
        return None
    hour = _hour(words, at, code)
    if hour is None:
        return None
    led = words.word(at - 1) in {"las", "les", "le", "alle", "la"} or words.word(hour[0] - 1) in _O_CLOCK
    share = _share_of_hour(words, hour[0], code, led=led)
    return None if share is None else (share[0], hour[1] * 60 + share[1])


def _share_of_hour(
    words: Words, at: int, code: str = ENGLISH, *, led: bool = False
) -> tuple[int, int] | None:
    """`et quart`, `y media`, `meno un quarto` after an hour: where it ends, and the minutes to be added.

    A plain number, `menos diez`, is one of minutes where words before it `led` to an hour.
    """
    if words.word(at) not in {"et", "y", "e", "moins", "menos", "meno"}:
        return None
    part = words.skip(at + 1, frozenset({"le", "un"}))
    minutes = 30 if words.word(part) in _HALF_HOURS else 15 if words.word(part) in _QUARTERS else 0
    counted = number(words, part, code) if not minutes and led else None
    if counted is not None and counted.values[0] in _FIVES:
        part, minutes = counted.end - 1, int(counted.values[0])
    sign = 1 if words.word(at) in {"et", "y", "e"} else -1
    return (part + 1, sign * minutes) if minutes else None


def _hour(words: Words, at: int, code: str) -> tuple[int, int] | None:
    if words.word(at) in _FIXED:
        return at + 1, _FIXED[words.word(at)] or 24
    found = number(words, at, code)
    if found is None or found.values[0] not in range(1, 25):
        return None
    end = found.end + 1 if words.word(found.end) in _O_CLOCK else found.end
    return end, int(found.values[0])


def _with_half(words: Words, end: int, minutes: int, *, padded: bool, bare: bool) -> Clock | None:
    """The time with its half of the day, said after it or left open.

    Unsaid, an hour is read on the 24-hour clock; from 1:00 to 6:59 written without a zero either half is meant.
    """
    half = half_of_day(words, end)
    if half is not None and (words.word(end) != "am" or words.word(end + 1) not in _GERMAN_AFTER_AM):
        end, which = half
        minutes = _in_half(minutes, which)
        end = end + 1 if words.word(end) in _O_CLOCK else end
        return Clock(end, (_time(minutes),)) if minutes >= 0 else None
    if not padded and 60 <= minutes < 7 * 60:
        return Clock(end, (_time(minutes + 720), _time(minutes)), bare)
    return Clock(end, (_time(minutes),), bare)


_GERMAN_AFTER_AM: Final = several(
    "montag dienstag mittwoch donnerstag freitag samstag sonntag ersten dritten"
)


def _in_half(minutes: int, half: str) -> int:
    """The minutes of the day in the morning or after noon, -1 where there is no such time."""
    if minutes >= 13 * 60:
        return minutes if half == "p" else -1
    return minutes % 720 + (720 if half == "p" else 0)


def _time(minutes: int) -> datetime.time:
    return datetime.time(minutes // 60 % 24, minutes % 60)
