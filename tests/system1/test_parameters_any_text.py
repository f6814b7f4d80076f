"""What holds for every text: no error, spans inside of it, values that the schema allows, time in proportion."""

import datetime
import itertools
import json
import re
import sys
import time
from types import FrameType
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnout.system1.parameters import Extraction, Readings, extract
from turnout.system1.parameters.text import Words

NOW = datetime.datetime(2026, 11, 30, 12, 0)

PROPERTIES: dict[str, dict[str, Any]] = {
    "arrival": {"type": "string", "format": "date", "description": "day of arrival"},
    "clock": {"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$"},
    "start": {"type": "string", "format": "date-time"},
    "length": {"type": "string", "format": "duration"},
    "month": {"type": "string", "pattern": r"^\d{4}-(0[1-9]|1[0-2])$", "description": "month of the report"},
    "quarter": {"type": "string", "pattern": r"^\d{4}-Q[1-4]$"},
    "week": {"type": "string", "pattern": r"^\d{4}-W\d{2}$"},
    "pieces": {"type": "integer", "minimum": 1, "maximum": 500},
    "weight": {"type": "number", "description": "weight in kilograms", "exclusiveMinimum": 0},
    "share": {"type": "number", "description": "share in percent", "maximum": 100},
    "price": {"type": "number", "description": "price in EUR"},
    "wrapped": {"type": "boolean", "description": "whether it is gift wrapped"},
    "on": {"type": "boolean"},
    "phone": {"type": "string", "pattern": r"^\+[1-9]\d{6,14}$", "description": "phone in E.164"},
    "email": {"type": "string", "format": "email"},
    "link": {"type": "string", "format": "uri"},
    "colour": {"type": "string", "enum": ["red", "dark red", "green", "IT", "weekly", "Room 2"]},
    "level": {"type": "integer", "enum": [1, 2, 3]},
    "order": {"type": "string", "pattern": r"^ORD-\d{4}$", "description": "order number"},
    "bay": {"type": "string", "pattern": r"^[A-Z]\d{2}-[A-Z]{2}$"},
    "days": {"type": "array", "items": {"type": "string", "format": "date"}},
    "tags": {"type": "array", "items": {"type": "string", "enum": ["red", "blue"]}},
    "numbers": {"type": "array", "items": {"type": "integer"}},
    "customer": {"type": "string", "description": "name of the customer"},
    "note": {"type": "string", "maxLength": 40, "description": "note"},
    "destination": {"type": "string", "description": "destination city"},
}
FORMS = {
    "date": datetime.date.fromisoformat,
    "date-time": datetime.datetime.fromisoformat,
    "duration": lambda text: re.fullmatch(r"P(?=.)[\dYMWD]*(?:T(?=.)[\dHMS]+)?", text) or pytest.fail(text),
}
SPOKEN = re.split(
    r"\|",
    "half past six|to|and|or|a|the|of|in|from|week|weeks|after next|ago|Monday|tomorrow|12|3rd|03/04|1.250,50|\u20ac"
    "|euros|hundred|thousand|minus|-|:|.|,|%|kg|feet|\u00bd|am|pm|Q3|not|no|yes|without|between|until|hours|M\u00e4rz"
    "|hundert|mil|vingt|mezzo|ORD-1042|x@y.org|+49 170|https://a.example|red|(|)|\"|'|\U0001f600"
    "|\u05e9\u05dc\u05d5\u05dd|\u0663\u0664|\u200f|\u202e|e\u0301|\0|Anna|Room|1e9|0|00|\uff11\uff12|\u2160|\u00b2"
    "|-ish|every|quarter",
)

texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(SPOKEN), max_size=14).map(" ".join),
    st.lists(st.sampled_from(SPOKEN), max_size=10).map("".join),
)


def form(names: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: PROPERTIES[name] for name in names}, "required": names}


def is_allowed(schema: dict[str, Any], value: Any) -> bool:
    """Whether a value keeps to a schema, by the words of JSON Schema that this file uses."""
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list}
    if not isinstance(value, kinds[schema["type"]]) or (
        schema["type"] != "boolean" and isinstance(value, bool)
    ):
        return False
    if isinstance(value, list):
        return all(is_allowed(schema["items"], each) for each in cast("list[Any]", value))
    given: Any = value  # of a kind that fits the words below
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "pattern" in schema and re.search(schema["pattern"], given) is None:
        return False
    if schema.get("format") in FORMS:
        FORMS[schema["format"]](given)
    bounds = (
        ("minimum", lambda bound: given >= bound),
        ("maximum", lambda bound: given <= bound),
        ("exclusiveMinimum", lambda bound: given > bound),
        ("maxLength", lambda bound: len(given) <= bound),
    )
    return all(keeps(schema[word]) for word, keeps in bounds if word in schema)


def check(found: Extraction, text: str, names: list[str]) -> None:
    for name, each in found.values.items():
        assert 0 <= each.start < each.end <= len(text)
        assert 0.8 <= each.confidence <= 1
        assert is_allowed(PROPERTIES[name], each.value), (name, each.value)
        json.dumps(each.value, allow_nan=False)
    settled = [*found.values, *found.missing, *found.ambiguous, *found.invalid]
    assert len(settled) == len(set(settled))
    assert set(settled) == set(names)


@given(text=texts, name=st.sampled_from(sorted(PROPERTIES)))
@settings(max_examples=400)
def test_a_value_of_any_text_stands_in_it_and_keeps_to_its_schema(text: str, name: str) -> None:
    check(extract(form([name]), text, now=NOW), text, [name])


@given(text=texts)
@settings(max_examples=150)
def test_every_parameter_of_any_text_is_settled_in_one_way(text: str) -> None:
    names = list(PROPERTIES)
    check(extract(form(names), text, now=NOW), text, names)


@given(
    said=st.lists(texts, min_size=1, max_size=3),
    asked=st.lists(
        st.tuples(st.integers(0, 2), st.sets(st.sampled_from(sorted(PROPERTIES)), min_size=1, max_size=4)),
        max_size=6,
    ),
)
@settings(max_examples=150)
def test_texts_that_are_read_once_for_all_actions_say_to_each_what_they_say_to_it_alone(
    said: list[str], asked: list[tuple[int, set[str]]]
) -> None:
    readings = Readings(NOW)
    for which, names in asked:
        text, schema = said[which % len(said)], form(sorted(names))
        assert readings.extract(schema, text) == extract(schema, text, now=NOW)


def test_a_text_is_read_once_for_all_actions() -> None:
    text, names = REPEATED["days and times"] * 4, ["pieces"]
    extract(form(names), text, now=NOW)  # what is compiled and kept once counts for neither
    readings = Readings(NOW)
    first, second = work(text, names, readings), work(text, names, readings)
    assert second < first / 4


def test_of_many_texts_only_the_last_ones_are_kept() -> None:
    names, readings = ["pieces"], Readings(NOW)
    first = work("some 7 pieces", names, readings)
    for number in range(200):
        readings.extract(form(names), f"{number} pieces")
    assert work("some 7 pieces", names, readings) > first / 2


@given(text=texts)
@settings(max_examples=150)
def test_no_two_parameters_are_filled_by_the_same_words(text: str) -> None:
    names = [name for name in PROPERTIES if name not in {"wrapped", "on", "days", "tags", "numbers"}]
    spans = sorted((each.start, each.end) for each in extract(form(names), text, now=NOW).values.values())
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))


LONG = {
    "digits": "1" * 4000,
    "more digits than Python turns into a number": "7" * 9000,
    "numbers": "12 " * 1333,
    "hyphens": "1-" * 2000,
    "thousands": "1" + ",111" * 1000,
    "hundreds in one word": "hundert" * 570,
    "thousands in one word": "zweitausend" * 360,
    "millions of millions": "5 " + "million " * 500,
    "hundreds": "one hundred and " * 250,
    "weeks from weeks": "a week from " * 330,
    "weeks of weeks": "week of the " * 330,
    "names": "Anna " * 800,
    "an address without an end": "a." * 2000 + "@",
    "hosts": "www." * 1000,
    "brackets": "(" * 4000,
    "sums": "5 EUR " * 650,
    "emoji": "\U0001f600" * 4000,
    "words from right to left": "\u05e9\u05dc\u05d5\u05dd " * 800,
    "pieces of references": "AB 12 " * 660,
    "refusals": "not red, " * 440,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_text_is_read_in_bounded_time(text: str) -> None:
    names = list(PROPERTIES)
    began = time.process_time()
    check(extract(form(names), text, now=NOW), text, names)
    assert time.process_time() - began < 8


REPEATED = {
    "names": "Anna met Ben. ",
    "addresses": "see www.example.org and a@b.org, ",
    "figures to call": "call 030 1234567 or five five five one two three four. ",
    "quotes without an end": "\u201eone \u00abtwo ",
    "titles": "called Blue named Green ",
    "days and times": "on Monday at 9 or Tuesday from 2 to 4, ",
    "years in words": "nineteen ninety and twenty ten, ",
    "references": "ORD 1042, ord one oh four two, A12-BC; ",
    "take-backs": "red, no, green, sorry, 5 kg, ",
    "spelled out": "a dot b at c dot d slash e ",
}


def work(text: str, names: list[str], readings: Readings | None = None) -> int:
    """How many steps of the interpreter reading a text takes, alone or with what was read before."""
    steps = 0

    def count(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal steps
        frame.f_trace_opcodes = True
        steps += event == "opcode"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        (readings or Readings(NOW)).extract(form(names), text)
    finally:
        sys.settrace(before)
    return steps


@pytest.mark.parametrize("text", REPEATED.values(), ids=REPEATED)
def test_work_grows_with_the_length_of_a_text_and_not_with_its_square(text: str) -> None:
    names = [
        "customer",
        "note",
        "destination",
        "phone",
        "email",
        "link",
        "order",
        "bay",
        "clock",
        "arrival",
        "start",
    ]
    extract(form(names), text, now=NOW)  # what is compiled and kept once counts for neither
    short, long = (work(text * many, names) for many in (16, 48))
    assert long < 3.6 * short


def test_a_long_run_of_fillers_is_not_looked_through_at_each_word() -> None:
    words = Words("- " * 1000 + "5")
    assert max(words.skip(at, frozenset({"-"})) - at for at in range(len(words))) < 20
