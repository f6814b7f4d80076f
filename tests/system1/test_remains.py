"""Free text of a request by what is left over of it."""

import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.system1.parameters import Extraction, extract
from turnout.system1.remains import Remains

NOW = datetime.datetime(2026, 10, 7, 10, 15)
SCHEMAS: dict[str, dict[str, Any]] = {
    "goods": {
        "type": "object",
        "properties": {
            "article": {"type": "string", "description": "what is bought"},
            "boxes": {"type": "integer"},
        },
        "required": ["article", "boxes"],
    },
    "leave": {
        "type": "object",
        "properties": {"absentee": {"type": "string"}, "date": {"type": "string", "format": "date"}},
        "required": ["absentee", "date"],
    },
    "vague": {
        "type": "object",
        "properties": {"trouble": {"type": "string"}},
        "required": ["trouble"],
    },
}
EXAMPLES = {
    "goods": ["buy 20 boxes of toner", "we need 5 boxes of staples", "get us 12 boxes of paper clips"],
    "leave": ["Ann has Friday off", "give Bert a day off tomorrow", "day off for Cleo on Monday"],
    "vague": [
        "the lift makes a noise and shakes",
        "the roof of the barn leaks into the hall",
        "smoke from a socket",
    ],
}


def read(action: str, schema: dict[str, Any], text: str) -> Extraction:
    return extract(schema, text, now=NOW)


REMAINS = Remains.learn(EXAMPLES, {"goods": ("buy goods", "Buy goods for the office")}, SCHEMAS, read)


def left(action: str, text: str) -> str | None:
    found = REMAINS.find(action, text, read(action, SCHEMAS[action], text))
    return None if found is None else found[1].value


@pytest.mark.parametrize(
    ("text", "article"),
    [
        ("could we have another 30 boxes of envelopes", "envelopes"),
        ("I'd like 4 boxes of printer ink, please", "printer ink"),
        ("the markers are all gone, please buy 3 boxes", "markers"),
        ("buy 7 boxes", None),
        ("buy 7 boxes of pens and 2 lamps", None),
    ],
)
def test_the_one_stretch_that_nothing_explains_is_the_free_text(text: str, article: str | None) -> None:
    assert left("goods", text) == article


@pytest.mark.parametrize(
    ("text", "colleague"),
    [
        ("Dora's nephew marries on Saturday, she needs the day off", "Dora"),
        ("could Emil Frey have Friday off for a seminar?", "Emil Frey"),
        ("a day off for gus on friday", "gus"),
        ("Dora or Emil is off on Friday", None),
    ],
)
def test_of_an_action_that_takes_names_a_name_is_meant(text: str, colleague: str | None) -> None:
    assert left("leave", text) == colleague


def test_examples_that_leave_no_single_stretch_teach_nothing() -> None:
    assert left("vague", "the tap drips") is None


@given(st.text(max_size=80))
def test_what_is_found_stands_in_the_text(text: str) -> None:
    for action in EXAMPLES:
        found = REMAINS.find(action, text, read(action, SCHEMAS[action], text))
        if found is not None:
            name, said = found
            assert name in SCHEMAS[action]["required"]
            assert said.value == text[said.start : said.end] != ""
