"""Functions whose parameters are described by an explicit JSON Schema."""

import asyncio
import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from turnout.actions import Actions, action
from turnout.model import ActionIntent, Context, Request

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "month": {"type": "string", "format": "date", "description": "First day"},
        "count": {"type": "integer", "minimum": 1},
        "rate": {"type": "number"},
        "send": {"type": "boolean"},
        "currency": {"enum": ["EUR", "USD", 3]},
        "address": {"type": "object", "properties": {"zip": {"type": ["integer", "null"]}}},
        "anything": True,
    },
    "required": ["month", "count"],
    "additionalProperties": False,
}


def engine(schema: dict[str, Any] = SCHEMA) -> tuple[Actions, list[Any]]:
    seen: list[Any] = []

    @action(id="run", schema=schema)
    async def raw(ctx: Context, **params: Any) -> None:
        seen.append(params)

    return Actions(raw), seen


def run(which: Actions, params: dict[str, Any]) -> Any:
    return asyncio.run(which.execute(Request(), (ActionIntent(action_id="run", params=params),)))[0]


def test_the_schema_is_the_applications_own() -> None:
    which, _ = engine()
    assert asyncio.run(which.descriptors(Request()))[0].schema == SCHEMA


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"month": "2026-03-01", "count": 2}, {"month": "2026-03-01", "count": 2}),
        (
            {"month": "2026-03-01", "count": "2", "rate": "1.5", "send": "yes", "currency": "eur"},
            {"month": "2026-03-01", "count": 2, "rate": 1.5, "send": True, "currency": "EUR"},
        ),
        (
            {"month": "2026-03-01", "count": 1, "currency": "3"},
            {"month": "2026-03-01", "count": 1, "currency": 3},
        ),
        (
            {"month": "2026-03-01", "count": 1, "anything": [1]},
            {"month": "2026-03-01", "count": 1, "anything": [1]},
        ),
    ],
)
def test_parameters_that_fit_reach_the_function(given: dict[str, Any], read: dict[str, Any]) -> None:
    which, seen = engine()
    assert run(which, given).status == "succeeded"
    assert seen == [read]


@pytest.mark.states("P-058")
def test_one_answer_names_everything_that_is_wrong() -> None:
    which, seen = engine()
    result = run(which, {"month": "March", "rate": "1,5", "address": {"zip": "x"}, "foo": 1, "ctx": 2})
    assert result.status == "failed"
    assert result.data["missing"] == ["count"]
    assert result.data["unknown"] == ["ctx", "foo"]
    assert result.data["invalid"] == {
        "month": 'it is not a "date"',
        "rate": 'it is not of type "number"',
        "address": 'zip: it is not of types "null", "integer"',
    }
    assert seen == []


def test_several_faults_of_one_parameter_are_all_named() -> None:
    which, _ = engine({"type": "object", "properties": {"a": {"minLength": 3, "pattern": "^x"}}})
    said = run(which, {"a": "y"}).data["invalid"]["a"]
    assert "shorter" in said
    assert "^x" in said


def test_a_fault_of_the_whole_is_named_too() -> None:
    which, _ = engine({"type": "object", "minProperties": 1})
    assert set(run(which, {}).data["invalid"]) == {"parameters"}


@pytest.mark.parametrize("value", [object(), dt.date(2026, 1, 1), {1: 2}, {"a": 1j}])
def test_what_json_cannot_carry_is_refused_by_name(value: Any) -> None:
    which, seen = engine()
    result = run(which, {"anything": value, "count": 0})
    assert result.data["invalid"]["anything"] == "cannot be written as JSON"
    assert "minimum" in result.data["invalid"]["count"] or "less than" in result.data["invalid"]["count"]
    assert result.data["missing"] == ["month"]
    assert seen == []


def test_an_open_schema_lets_others_pass_but_not_what_is_injected() -> None:
    which, seen = engine({"type": "object"})
    assert run(which, {"a": Decimal("1"), "b": [1]}).status == "succeeded"
    assert seen == [{"a": Decimal("1"), "b": [1]}]
    assert run(which, {"ctx": 1}).data["unknown"] == ["ctx"]


def test_a_function_of_free_parameters_may_have_any_group_and_any_template_name() -> None:
    @action(schema={"type": "object"}, patterns=["(?P<who>x)"], template="{anything}")
    def free(**params: str) -> str:
        return ""

    assert Actions(free).rules()[0].patterns == ("(?P<who>x)",)
