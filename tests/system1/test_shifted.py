"""Days counted from those of a call, and times in the half of the day of the one before."""

import datetime
from typing import Any

import pytest

from turnout.system1.calls import Call
from turnout.system1.leftover import is_bare
from turnout.system1.parameters import Extraction, extract
from turnout.system1.revision import Revision
from turnout.system1.shifted import shifted

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "date": {"type": "string", "format": "date", "description": "the day"},
        "time": {"type": "string", "format": "time", "description": "when it begins"},
        "code": {"type": "string", "description": "any text"},
    },
    "required": ["date", "time"],
}
CALL = Call(action_id="meet", params={"date": "2026-03-05", "time": "19:00:00", "code": "2026-03-05"})


def read(_action: str, schema: dict[str, Any], text: str) -> Extraction:
    return extract(schema, text, now=datetime.datetime(2026, 3, 2, 18))


def corrected(text: str) -> dict[str, Any]:
    made = Revision((CALL,), "meet on Thursday at 7 pm", read, {"meet": SCHEMA}).corrected(text, is_bare)
    return made[0].params if made else {}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("a week later", "2026-03-12"),
        ("the week after", "2026-03-12"),
        ("the following day", "2026-03-06"),
        ("two days earlier please", "2026-03-03"),
        ("3 weeks after that", "2026-03-26"),
        ("the day before", "2026-03-04"),
    ],
)
def test_a_day_may_be_counted_from_the_one_before(text: str, day: str) -> None:
    found = shifted(CALL, SCHEMA, text)

    assert found is not None
    assert found.values == {"date": day}
    assert corrected(text) == {**CALL.params, "date": day}


@pytest.mark.parametrize("text", ["the day after tomorrow", "a week", "later", "two hours later", ""])
def test_other_words_count_from_nothing_before(text: str) -> None:
    assert shifted(CALL, SCHEMA, text) is None


def test_a_call_without_days_is_not_moved() -> None:
    assert shifted(Call(action_id="meet", params={"time": "19:00:00"}), SCHEMA, "a week later") is None


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("half past eight", "20:30:00"),
        ("8:30", "20:30:00"),
        ("half past eight in the morning", "08:30:00"),
        ("8 am", "08:00:00"),
        ("08:30", "08:30:00"),
    ],
)
def test_a_time_in_place_of_one_in_the_evening_is_in_the_evening_unless_it_says_otherwise(
    text: str, time: str
) -> None:
    assert corrected(text)["time"] == time
