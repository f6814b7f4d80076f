"""One verb with several values, and what is said once for several of them."""

import datetime
from typing import Any

import pytest

from turnout.system1.calls import call_of
from turnout.system1.joined import joined, overheard
from turnout.system1.parameters import Extraction, extract

NOW = datetime.datetime(2026, 6, 15, 9, 30)
HEATING: dict[str, Any] = {
    "type": "object",
    "properties": {
        "room": {"type": "string", "description": "room", "enum": ["kitchen", "hall", "attic"]},
        "celsius": {"type": "number", "description": "degrees Celsius"},
        "day": {"type": "string", "format": "date", "description": "day, never in the past"},
    },
    "required": ["room", "celsius"],
}


def read(_action: str, schema: dict[str, Any], text: str) -> Extraction:
    return extract(schema, text, now=NOW, about="Heat a room")


def made(text: str) -> list[dict[str, Any]]:
    found = read("heat", HEATING, text)
    calls = joined(call_of("heat", found, HEATING), found, text, read, HEATING)
    return [call.params for call in calls]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "heat the kitchen to 20 degrees and the hall to 18 degrees",
            [{"room": "kitchen", "celsius": 20}, {"room": "hall", "celsius": 18}],
        ),
        (
            "heat the kitchen and the hall to 20",
            [{"room": "kitchen", "celsius": 20}, {"room": "hall", "celsius": 20}],
        ),
        ("kitchen to 20, hall to 18", [{"room": "kitchen", "celsius": 20}, {"room": "hall", "celsius": 18}]),
        (
            "20 degrees in the kitchen, the hall and the attic",
            [{"room": room, "celsius": 20} for room in ("kitchen", "hall", "attic")],
        ),
        (
            "tomorrow heat the kitchen to 20 and the hall to 18",
            [
                {"room": "kitchen", "celsius": 20, "day": "2026-06-16"},
                {"room": "hall", "celsius": 18, "day": "2026-06-16"},
            ],
        ),
    ],
)
def test_each_joined_value_makes_a_call(text: str, expected: list[dict[str, Any]]) -> None:
    assert made(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "heat the kitchen to 20 tomorrow and also the hall",
        "tomorrow heat both the kitchen and the hall to 20",
        "heat the kitchen to 20 tomorrow, and the hall as well",
    ],
)
def test_who_says_also_or_both_says_all_of_it_for_both(text: str) -> None:
    assert made(text) == [
        {"room": "kitchen", "celsius": 20, "day": "2026-06-16"},
        {"room": "hall", "celsius": 20, "day": "2026-06-16"},
    ]


ROUNDS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "crate": {"type": "integer", "description": "number of the crate"},
        "tools": {"type": "array", "items": {"enum": ["saw", "drill", "rope"]}, "description": "tools"},
        "at": {"type": "string", "format": "time", "description": "when"},
    },
    "required": ["crate"],
}


def rounds(text: str) -> list[dict[str, Any]]:
    found = read("pack", ROUNDS, text)
    calls = joined(call_of("pack", found, ROUNDS), found, text, read, ROUNDS)
    return [call.params for call in calls]


def test_a_list_is_dealt_out_where_each_part_of_it_has_its_own_place() -> None:
    assert rounds("saw to crate 211, drill to crate 212") == [
        {"crate": 211, "tools": ["saw"]},
        {"crate": 212, "tools": ["drill"]},
    ]
    assert rounds("saw, drill to crate 211") == []


def test_a_time_that_may_be_of_either_half_of_the_day_is_in_that_of_the_others() -> None:
    assert rounds("crate 211 at 4 and crate 212 at 5 pm") == [
        {"crate": 211, "at": "16:00:00"},
        {"crate": 212, "at": "17:00:00"},
    ]


def test_what_is_said_in_between_counts_for_its_own_call_only() -> None:
    text = "heat the kitchen to 20 tomorrow and the hall to 18"

    assert made(text) == [
        {"room": "kitchen", "celsius": 20, "day": "2026-06-16"},
        {"room": "hall", "celsius": 18},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "heat the kitchen to 20",
        "heat the kitchen, please, to 20",
        "heat the kitchen to 20, the hall can wait",
        "heat the kitchen to 20 and be quick",
    ],
)
def test_one_thing_is_one_call(text: str) -> None:
    assert made(text) == []


def test_an_unread_word_of_a_later_value_is_not_replaced_by_the_first_one_s() -> None:
    found = read("heat", HEATING, "heat the kitchen to 20 and the hall to somewhat less")
    text = "heat the kitchen to 20 and the hall to somewhat less"

    calls = joined(call_of("heat", found, HEATING), found, text, read, HEATING)

    assert all(call.params != {"room": "hall", "celsius": 20} for call in calls)


def test_a_number_that_nothing_reads_is_a_part_not_understood() -> None:
    schema = {"type": "object", "properties": {"room": HEATING["properties"]["room"]}, "required": ["room"]}
    text = "light the kitchen and turn 3 knobs"

    assert overheard(read("light", schema, text), text)
    assert not overheard(read("heat", HEATING, "heat the kitchen to 20"), "heat the kitchen to 20")


def test_a_joint_within_a_value_joins_nothing() -> None:
    schema = {
        "type": "object",
        "properties": {"length": {"type": "string", "format": "duration"}},
        "required": ["length"],
    }
    text = "for two and a half hours"
    found = read("mute", schema, text)

    assert found.values["length"].value == "PT2H30M"
    assert joined(call_of("mute", found, schema), found, text, read, schema) == ()


def calls_of(schema: dict[str, Any], about: str, text: str) -> list[dict[str, Any]]:
    def found_in(_action: str, part: dict[str, Any], said: str) -> Extraction:
        return extract(part, said, now=NOW, about=about)

    found = found_in("it", schema, text)
    return [call.params for call in joined(call_of("it", found, schema), found, text, found_in, schema)]


TIMER: dict[str, Any] = {
    "type": "object",
    "properties": {"length": {"type": "string", "format": "duration"}},
    "required": ["length"],
}
BILL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "table": {"type": "integer", "description": "number of the table", "minimum": 20, "maximum": 99},
        "amount": {"type": "number", "description": "euros"},
    },
    "required": ["table", "amount"],
}
ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "dish": {"type": "string", "description": "dish", "enum": ["soup", "salad", "risotto"]},
        "portions": {"type": "integer", "description": "portions", "minimum": 1},
    },
    "required": ["dish", "portions"],
}
COPIES: dict[str, Any] = {
    "type": "object",
    "properties": {
        "sheet": {"type": "string", "description": "sheet", "pattern": r"^X\d{2}$"},
        "colour": {"type": "string", "description": "colour", "enum": ["red", "blue"]},
    },
    "required": ["sheet"],
}


def test_a_number_leaves_its_unit_to_the_one_before() -> None:
    assert calls_of(TIMER, "Start a timer", "a timer for 8 minutes and another one for 20") == [
        {"length": "PT8M"},
        {"length": "PT20M"},
    ]
    assert calls_of(BILL, "Put something on a bill", "put 12 euros on 44 and 9 on 51") == [
        {"table": 44, "amount": 12},
        {"table": 51, "amount": 9},
    ]


def test_values_of_several_pieces_are_not_mixed_into_one_call() -> None:
    made = calls_of(ORDER, "Order a dish", "3 portions of soup and the salad, please quickly")

    assert all(call != {"dish": "salad", "portions": 3} for call in made)


def test_what_stands_behind_the_last_value_counts_for_those_before() -> None:
    assert calls_of(COPIES, "Copy a sheet", "copy X10 and X11 in red") == [
        {"sheet": "X10", "colour": "red"},
        {"sheet": "X11", "colour": "red"},
    ]


def test_what_stands_between_two_values_counts_for_the_first_only() -> None:
    assert calls_of(COPIES, "Copy a sheet", "copy X10 in red and X11") == [
        {"sheet": "X10", "colour": "red"},
        {"sheet": "X11"},
    ]


def test_what_is_the_same_is_said_before() -> None:
    assert made("heat the kitchen to 20 and the hall to the same temperature") == [
        {"room": "kitchen", "celsius": 20},
        {"room": "hall", "celsius": 20},
    ]
