"""What is said without being wished for fills no parameter, and the same words as a wish do."""

import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.system1.parameters import extract
from turnout.system1.parameters.calendar import Day, days, easter

NOW = datetime.datetime(2027, 3, 10, 10, 15)  # a Wednesday

PROPERTIES: dict[str, Any] = {
    "seats": {"type": "integer", "description": "number of seats"},
    "style": {"type": "string", "enum": ["baroque", "modern", "gothic"], "description": "style of the house"},
    "day": {"type": "string", "format": "date", "description": "day of the tour"},
    "time": {"type": "string", "pattern": r"^\d{2}:\d{2}$", "description": "time of the tour"},
}
SAID = {
    "seats": [("6", 6), ("twelve", 12)],
    "style": [("baroque", "baroque"), ("gothic", "gothic")],
    "day": [("Friday", "2027-03-12"), ("22 March", "2027-03-22"), ("tomorrow", "2027-03-11")],
    "time": [("15:30", "15:30"), ("9 am", "09:00")],
}
WISHES = {
    "seats": ["a tour with {} seats", "could it be {}?", "is it possible for {}?", "thanks, {} it is"],
    "style": ["I'd like a {} one", "is there a {} one?", "do you have {}?", "thank you, {} please"],
    "day": ["on {} please", "can we come {}?", "thanks! {} then"],
    "time": ["at {} please", "does {} work?", "thank you, {} is fine"],
}
ASIDES = {
    "seats": [
        "is that for {}?",
        "are those for {}?",
        "okay. is this for {} people?",
        "thanks for the {} seats",
    ],
    "style": [
        "is it {}?",
        "was this {} before the war?",
        "how {} is it?",
        "what kind of {} is that?",
        "I don't like {}",
        "any style but {}",
        "thanks for the {} house",
    ],
    "day": ["thanks for your help, that's all for {}", "is that on {}?", "thank you for {}"],
    "time": ["is it at {}?", "is this from {} on?", "thanks for {}"],
}


def read(text: str, name: str) -> Any:
    schema = {"type": "object", "properties": {name: PROPERTIES[name]}, "required": [name]}
    found = extract(schema, text, now=NOW).values
    return found[name].value if name in found else None


def rows(frames: dict[str, list[str]]) -> list[Any]:
    return [
        pytest.param(name, frame.format(said), value, id=f"{name}: {frame.format(said)}")
        for name, texts in frames.items()
        for frame in texts
        for said, value in SAID[name]
    ]


@pytest.mark.parametrize(("name", "text", "value"), rows(WISHES))
def test_a_wish_gives_the_value(name: str, text: str, value: Any) -> None:
    assert read(text, name) == value


@pytest.mark.parametrize(("name", "text", "value"), rows(ASIDES))
def test_the_same_value_in_a_question_about_the_thing_or_in_thanks_gives_none(
    name: str, text: str, value: Any
) -> None:
    assert read(text, name) is None, value


TIMES = st.times().map(lambda time: time.replace(second=0, microsecond=0))


@given(TIMES, TIMES)
def test_two_values_for_two_parameters_that_nothing_tells_apart_are_left_open(
    one: datetime.time, other: datetime.time
) -> None:
    names = ("signal_a", "signal_b")
    schema = {"type": "object", "properties": dict.fromkeys(names, PROPERTIES["time"]), "required": names}
    assert not extract(schema, f"at {one:%H:%M} and at {other:%H:%M}", now=NOW).values


BOUNDS = {
    "up to {}": (None, 1),
    "at most {}": (None, 1),
    "no more than {}": (None, 1),
    "less than {}": (None, 1),
    "under {}": (None, 1),
    "a maximum of {}": (None, 1),
    "at least {}": (1, None),
    "no less than {}": (1, None),
    "more than {}": (1, None),
    "over {}": (1, None),
    "a minimum of {}": (1, None),
}


@pytest.mark.parametrize("said", BOUNDS)
@given(number=st.integers(2, 1900))
def test_words_tell_the_lowest_value_from_the_highest(said: str, number: int) -> None:
    schema = {
        "type": "object",
        "properties": {
            "min_weight": {"type": "integer", "description": "lowest weight in kg"},
            "max_weight": {"type": "integer", "description": "highest weight in kg"},
        },
    }
    found = extract(schema, said.format(f"{number} kg"), now=NOW).values
    wanted = {name: number for name, told in zip(schema["properties"], BOUNDS[said], strict=True) if told}
    assert {name: each.value for name, each in found.items()} == wanted


# ---- feasts --------------------------------------------------------------------------------------------------------

EASTERS = ("1818-03-22", "1943-04-25", "1954-04-18", "2000-04-23", "2027-03-28", "2038-04-25", "2049-04-18")


@pytest.mark.parametrize("day", EASTERS)
def test_easter_is_where_the_tables_have_it(day: str) -> None:
    assert easter(int(day[:4])).isoformat() == day


@given(st.integers(1600, 4000))
def test_easter_is_a_sunday_from_the_22nd_of_march_to_the_25th_of_april(year: int) -> None:
    day = easter(year)
    assert day.weekday() == 6
    assert (3, 22) <= (day.month, day.day) <= (4, 25)


@given(st.dates(datetime.date(1970, 1, 1), datetime.date(2100, 1, 1)), st.integers(-48, 60))
def test_a_feast_is_the_nearest_one_on_the_side_that_is_spoken_of(today: datetime.date, away: int) -> None:
    (coming,) = days(Day(from_easter=away), today)
    (last,) = days(Day(from_easter=away), today, "past")
    assert last <= today <= coming
    assert (coming - last).days in ({0} if last == today else range(340, 400))


@pytest.mark.parametrize(
    ("text", "time"),
    [("right after at 16:00", "16:00"), ("any time after 16:00", None), ("soon after 4 pm", None)],
)
def test_a_time_that_follows_what_is_after_is_meant(text: str, time: str | None) -> None:
    assert read(text, "time") == time
