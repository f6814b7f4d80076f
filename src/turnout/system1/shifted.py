"""Days counted from those of a call: "a week later", "the day after", "two days earlier"."""

import datetime
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from .calls import Call, named

_COUNTS: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}
_SHIFT: Final = re.compile(
    r"\b(?:(?P<count>an?|one|two|three|four|\d{1,2}) (?P<unit>day|week)s? (?P<way>later|earlier"
    r"|after(?: that)?|before(?: that)?)"
    r"|the (?P<next>day|week) (?P<side>after|before)(?! tomorrow| yesterday)(?: that)?"
    r"|the (?P<following>following) (?P<of>day|week))\b",
    re.IGNORECASE,
)
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?=\Z|T)")
_MOST: Final = 60  # of a unit


class Shift(NamedTuple):
    """New values by name, and where in the text they were said."""

    values: Mapping[str, Any]
    start: int
    end: int


def shifted(call: Call, schema: dict[str, Any], text: str) -> Shift | None:
    """The days and moments of a call as a text moves them, all by the same; `None` where it moves none."""
    found = _SHIFT.search(text)
    dated = {
        name: value for name, value in call.params.items() if _is_day(named(schema).get(name, {}), value)
    }
    if found is None or not dated:
        return None
    count = _COUNTS.get((found["count"] or "a").lower()) or int(found["count"])
    unit = (found["unit"] or found["next"] or found["of"]).lower()
    way = (found["way"] or found["side"] or "after").lower()
    days = (
        min(count, _MOST)
        * (7 if unit == "week" else 1)
        * (-1 if way.startswith(("earlier", "before")) else 1)
    )
    return Shift({name: _moved(value, days) for name, value in dated.items()}, *found.span())


def _is_day(wants: dict[str, Any], value: Any) -> bool:
    return (
        wants.get("format") in ("date", "date-time")
        and isinstance(value, str)
        and _DAY.match(value) is not None
    )


def _moved(value: str, days: int) -> str:
    day = datetime.date.fromisoformat(value[:10]) + datetime.timedelta(days=days)
    return day.isoformat() + value[10:]
