"""The form of an action's parameters, for schemas of every kind."""

import datetime
from decimal import Decimal
from typing import Any, Literal

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.actions import Actions, action
from turnout.llm.shape import branches, shape


class Line(msgspec.Struct):
    name: str
    count: int = 1
    note: str | None = None


class Node(msgspec.Struct):
    name: str
    next: "Node | None" = None


@action
def everything(
    a: str,
    day: datetime.date,
    price: Decimal,
    lines: list[Line],
    tree: Node,
    prices: dict[str, int],
    pair: tuple[int, str],
    anything: Any,
    currency: Literal["EUR", "USD"] = "EUR",
    flag: bool = False,
    maybe: int | None = None,
    either: int | list[str] = 0,
) -> None:
    """Take everything."""


SCHEMA: Any = Actions(everything)._all[0].schema


def closed(form: Any) -> bool:
    """Whether every object of a form is closed and asks for all its members, as strict modes demand."""
    if isinstance(form, list):
        return all(closed(each) for each in form)
    if not isinstance(form, dict):
        return True
    fine = form.get("type") != "object" or (
        form["additionalProperties"] is False and form["required"] == list(form["properties"])
    )
    return fine and all(closed(each) for each in form.values())


def test_a_form_is_closed_whatever_the_schema_allows() -> None:
    form = shape(SCHEMA).form()
    assert closed(form)
    assert "$ref" not in str(form)
    assert list(form["properties"]) == list(SCHEMA["properties"])


def test_what_a_form_cannot_state_is_asked_for_as_the_text_of_json() -> None:
    known = shape(SCHEMA)
    assert known.texts == {"tree", "prices", "pair", "anything"}
    read = known.read({"prices": '{"nut":2}', "pair": [1, "a"], "tree": "{", "anything": "[1]", "a": "x"})
    assert read == {"prices": {"nut": 2}, "pair": [1, "a"], "anything": [1], "a": "x"}
    assert known.read({"tree": "[" * 100_000}) == {}


def test_a_form_keeps_choices_members_and_descriptions() -> None:
    forms = shape(SCHEMA).forms
    assert forms["currency"] == {"type": "string", "enum": ["EUR", "USD"]}
    assert forms["price"] == {"type": "string"}
    assert forms["day"] == {"type": "string", "format": "date"}
    assert forms["maybe"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    assert forms["lines"]["items"]["properties"]["count"] == {
        "anyOf": [{"type": "integer"}, {"type": "null"}]
    }
    assert shape(SCHEMA).form()["properties"]["maybe"] == forms["maybe"]


def test_members_left_open_inside_a_value_are_taken_out_and_those_that_must_be_there_are_not() -> None:
    lines = [{"name": "nut", "count": None, "note": None}, {"name": None, "count": 2}]
    assert shape(SCHEMA).read({"lines": lines}) == {"lines": [{"name": "nut"}, {"name": None, "count": 2}]}


@pytest.mark.parametrize(
    ("schema", "form"),
    [
        ({"const": "x"}, {"type": "string", "enum": ["x"]}),
        ({"enum": [1, 2]}, {"enum": [1, 2]}),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"oneOf": [{"type": "string"}]}, {"anyOf": [{"type": "string"}]}),
        ({"allOf": [{"type": "string"}], "description": "d"}, {"type": "string", "description": "d"}),
        ({"type": "null"}, {"type": "null"}),
        ({"type": "string", "minLength": 3, "pattern": "x"}, {"type": "string"}),
        ({"$ref": "#/$defs/a~1b"}, {"type": "integer"}),
        ({"$ref": "#/$defs/a~1b", "description": "d"}, {"type": "integer", "description": "d"}),
        ({"$ref": "#/$defs/yes"}, None),
        ({"$ref": "#/$defs/none"}, None),
        ({"$ref": "other.json"}, None),
        ({"$ref": "#/$defs/loop"}, None),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, None),
        ({"type": "object"}, None),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": True}, None),
        ({"type": "array"}, None),
        ({"type": "array", "items": True}, None),
        (True, None),
        ({"type": "array", "items": {"enum": list(range(3_000))}}, None),
    ],
)
def test_each_kind_of_schema_has_a_form_or_is_asked_for_as_text(schema: Any, form: Any) -> None:
    definitions = {"a/b": {"type": "integer"}, "yes": True, "loop": {"items": {"$ref": "#/$defs/loop"}}}
    known = shape({"properties": {"p": schema}, "$defs": definitions})
    if form is None:
        assert known.texts == {"p"}
        assert known.forms["p"]["type"] == "string"
    else:
        assert known.forms["p"] == form


@pytest.mark.parametrize(
    "schema",
    [None, {}, {"type": "object"}, {"type": "object", "properties": {}, "additionalProperties": False}],
)
def test_an_action_without_parameters_has_nothing_to_fill_in(schema: Any) -> None:
    assert shape(schema).parameters == {}


@pytest.mark.parametrize(
    "schema",
    [
        {"additionalProperties": True},
        {"anyOf": [{"properties": {"a": {}}}]},
        {"patternProperties": {"^x": {}}},
    ],
)
def test_parameters_without_names_are_asked_for_as_one_text(schema: Any) -> None:
    known = shape(schema)
    assert list(known.form()["properties"]) == ["parameters"]
    assert known.read({"parameters": '{"a": 1}'}) == {"a": 1}
    assert known.read({"parameters": "[1]"}) == {}
    assert known.read({}) == {}


def test_a_nullable_alternative_is_made_nullable_once() -> None:
    known = shape(
        {"properties": {"p": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "n": {"type": "null"}}}
    )
    members = known.form()["properties"]
    assert members["p"]["anyOf"] == [{"type": "string"}, {"type": "integer"}, {"type": "null"}]
    assert members["n"] == {"type": "null"}


def test_alternatives_are_told_apart() -> None:
    assert branches(True) == [{}]
    assert branches({"anyOf": [{"type": "string"}, {"oneOf": [{"type": "null"}]}]}) == [
        {"type": "string"},
        {"type": "null"},
    ]
    own = {"properties": {"a": {}}, "allOf": [{"required": ["a"]}]}
    assert branches(own) == [own, {"required": ["a"]}]


LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer", "minimum": 3},
        {"enum": ["a", "b"]},
        {"type": ["number", "null"]},
        {"type": "string", "format": "date"},
        {},
        True,
    ]
)
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda one: {"type": "array", "items": one}),
        st.lists(inner, min_size=1, max_size=3).map(lambda many: {"anyOf": many}),
        st.dictionaries(st.sampled_from("xyz"), inner, max_size=3).map(
            lambda members: {"type": "object", "properties": members, "required": list(members)[:1]}
        ),
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("abc"), SCHEMAS, min_size=1))
def test_every_form_is_a_closed_schema_in_which_all_may_be_null(members: Any) -> None:
    form = shape({"type": "object", "properties": members}).form()
    assert closed(form)
    assert jsonschema_rs.validator_for(form).is_valid(dict.fromkeys(members))


def nested(depth: int, key: str) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}} if key == "properties" else {key: [schema]}
    return {"type": "object", "properties": {"p": schema}}


@pytest.mark.parametrize("key", ["properties", "anyOf", "allOf"])
@pytest.mark.parametrize("depth", [70, 5_000])
def test_a_schema_nested_beyond_measure_is_asked_for_as_text(depth: int, key: str) -> None:
    known = shape(nested(depth, key))
    assert known.texts == {"p"}
    assert known.read({"p": '{"a": 1}'}) == {"p": {"a": 1}}


@pytest.mark.parametrize(
    "one",
    [
        None,
        5,
        "text",
        True,
        {"anyOf": 5},
        {"enum": 5},
        {"allOf": "ab"},
        {"type": "object", "properties": [1]},
    ],
)
def test_what_is_no_schema_is_asked_for_as_text(one: Any) -> None:
    known = shape({"type": "object", "properties": {"p": one, "q": {"type": "string"}}})
    assert known.texts == {"p"}
    assert known.read({"p": "1", "q": "x"}) == {"p": 1, "q": "x"}
    assert branches(known.parameters["p"])


def test_parameters_that_are_no_mapping_are_none() -> None:
    assert shape({"type": "object", "properties": [1]}).forms == {}
