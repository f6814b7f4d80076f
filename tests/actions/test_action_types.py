"""Every type that a parameter may have: its schema, what is read, what is refused."""

import asyncio
import dataclasses
import datetime as dt
import enum
import uuid
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional, TypedDict

import jsonschema_rs
import msgspec
import pytest
from msgspec import Meta
from pydantic import BaseModel

from turnout.actions import Actions, action
from turnout.model import ActionIntent, Request


class Currency(enum.Enum):
    EUR = "EUR"
    USD = "USD"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Case(enum.Enum):
    UPPER = "A"
    LOWER = "a"


@dataclasses.dataclass
class Line:
    item: str
    quantity: int = 1
    price: Decimal = Decimal("1.00")


@dataclasses.dataclass
class Even:
    half: int

    def __post_init__(self) -> None:
        if self.half < 0:
            raise ValueError("Half of it is not below zero")


class Order(msgspec.Struct):
    lines: list[Line]
    due: dt.date | None = None


class Card(msgspec.Struct, tag="card"):
    number: str


class Bank(msgspec.Struct, tag="bank"):
    iban: str
    amount: Decimal = Decimal(0)


class Pair(msgspec.Struct, array_like=True):
    low: int
    high: int


class Tagged(msgspec.Struct, array_like=True, tag="t"):
    low: int


class Point(NamedTuple):
    x: int
    y: Decimal


class Address(TypedDict):
    city: str
    zip: NotRequired[int]


class Node(msgspec.Struct):
    kids: list["Node"] = []


class Size(BaseModel):
    width: int


class Box(BaseModel):
    size: Size
    label: str = ""


NUMBER = {"type": "integer"}
DECIMAL = {"type": "string", "format": "decimal"}

TABLE: list[tuple[Any, dict[str, Any], list[tuple[Any, Any]], list[Any]]] = [
    (str, {"type": "string"}, [("Acme", "Acme"), ("", ""), (" x ", " x ")], [1, True, ["a"], {}, 1.5]),
    (
        int,
        NUMBER,
        [(3, 3), ("3", 3), (" 3 ", 3), ("-3", -3), (3.0, 3), (10**30, 10**30)],
        ["1,000", "3.0", "1_000", "three", "", "٣", True, 3.5, 1e300, [3], "9" * 65],
    ),
    (
        float,
        {"type": "number"},
        [(1, 1.0), ("1.5", 1.5), ("1e3", 1000.0), (1.25, 1.25), (".5", 0.5)],
        ["1,5", "nan", "inf", "1e999", float("nan"), float("inf"), True, 10**400],
    ),
    (
        Decimal,
        DECIMAL,
        [
            ("12.50", Decimal("12.50")),
            (1.1, Decimal("1.1")),
            (5, Decimal(5)),
            (Decimal("2.0"), Decimal("2.0")),
        ],
        ["1,000", "1_000", "nan", "Infinity", "1e3", "$5", "", float("inf"), Decimal("NaN"), True, "١٢"],
    ),
    (
        bool,
        {"type": "boolean"},
        [(True, True), ("yes", True), ("No", False), ("TRUE", True)],
        [1, "1", "maybe", "on"],
    ),
    (
        dt.date,
        {"type": "string", "format": "date"},
        [("2026-03-31", dt.date(2026, 3, 31)), (dt.date(2026, 3, 31), dt.date(2026, 3, 31))],
        ["March", "31.03.2026", "2026-02-30", "2026-03", 1700000000, "1700000000", "2026-03-31T00:00:00"],
    ),
    (
        dt.time,
        {"type": "string", "description": "a time such as 14:30"},
        [("14:30", dt.time(14, 30)), ("14:30:10", dt.time(14, 30, 10))],
        ["25:00", "2pm", 14],
    ),
    (
        dt.datetime,
        {"type": "string", "description": "a date and time such as 2026-03-31T14:30:00Z"},
        [
            ("2026-03-31T14:30:00Z", dt.datetime(2026, 3, 31, 14, 30, tzinfo=dt.UTC)),
            ("2026-03-31 14:30:00", dt.datetime(2026, 3, 31, 14, 30)),
        ],
        ["2026-03-31", 1700000000, "1700000000", "tomorrow"],
    ),
    (
        dt.timedelta,
        {"type": "string", "format": "duration"},
        [("PT15M", dt.timedelta(minutes=15))],
        ["15", 15, "15 minutes", "P99999999999D"],
    ),
    (uuid.UUID, {"type": "string", "format": "uuid"}, [("f" * 32, uuid.UUID("f" * 32))], ["f", 1]),
    (bytes, {"type": "string", "contentEncoding": "base64"}, [("eHg=", b"xx")], ["é", 1]),
    (
        Currency,
        {"$ref": "#/$defs/Currency"},
        [("EUR", Currency.EUR), ("eur", Currency.EUR), (" usd ", Currency.USD), (Currency.USD, Currency.USD)],
        ["EURO", 1, "", None],
    ),
    (Level, {"$ref": "#/$defs/Level"}, [(1, Level.LOW), ("2", Level.HIGH)], [3, "3", True, "LOW"]),
    (Case, {"$ref": "#/$defs/Case"}, [("A", Case.UPPER), ("a", Case.LOWER)], [" A", "b"]),
    (Literal["net", "gross"], {"enum": ["gross", "net"]}, [("NET", "net"), ("gross", "gross")], ["n", 1]),
    (Literal[1, 2], {"enum": [1, 2]}, [(1, 1), ("2", 2)], [True, 3, "x"]),
    (Literal["a", None], {"enum": [None, "a"]}, [("A", "a"), (None, None)], ["none", "null"]),
    (
        Annotated[dt.time, Meta(description="When it starts.")],
        {"type": "string", "description": "When it starts (a time such as 14:30)"},
        [],
        [],
    ),
    (
        dt.time | None,
        {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "a time such as 14:30"},
        [("14:30", dt.time(14, 30)), (None, None)],
        ["x"],
    ),
    (
        Annotated[int, Meta(ge=1, le=9, multiple_of=2)],
        {"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 2},
        [(2, 2), ("8", 8)],
        [0, "10", 3],
    ),
    (
        Annotated[str, Meta(min_length=2, max_length=3, pattern="^[a-z]+$", description="A code")],
        {"type": "string", "minLength": 2, "maxLength": 3, "pattern": "^[a-z]+$", "description": "A code"},
        [("ab", "ab")],
        ["a", "abcd", "AB"],
    ),
    (
        Annotated[Decimal, Meta(gt=0, le=100, description="What to pay.")],
        DECIMAL | {"description": "What to pay (more than 0, at most 100)"},
        [("0.01", Decimal("0.01")), (100, Decimal(100))],
        ["0", "-1", "100.01", "nan"],
    ),
    (
        Annotated[Decimal | None, Meta(ge=1), "note"],
        {"anyOf": [DECIMAL, {"type": "null"}], "description": "at least 1"},
        [(None, None), ("1", Decimal(1))],
        ["0.5", "1_000"],
    ),
    (
        Optional[int],  # noqa: UP045 -- the older spelling
        {"anyOf": [NUMBER, {"type": "null"}]},
        [(None, None), ("3", 3), (3.0, 3)],
        ["null", "x", 3.5],
    ),
    (
        Decimal | None,
        {"anyOf": [DECIMAL, {"type": "null"}]},
        [("1.50", Decimal("1.50")), (1.5, Decimal("1.5")), (None, None)],
        ["nan", "1_000", float("nan"), "x"],
    ),
    (int | str, {"anyOf": [NUMBER, {"type": "string"}]}, [("3", "3"), (3, 3)], [None, 1.5]),
    (int | dt.date, {"anyOf": [NUMBER, {"type": "string", "format": "date"}]}, [("3", 3)], ["x"]),
    (
        Annotated[int, Meta(ge=1)] | Annotated[list[int], Meta(max_length=1)],
        {"anyOf": [NUMBER | {"minimum": 1}, {"type": "array", "items": NUMBER, "maxItems": 1}]},
        [(1, 1), (["3"], [3])],
        [0, [1, 2]],
    ),
    (
        list[int],
        {"type": "array", "items": NUMBER},
        [([1, "2"], [1, 2]), ([], [])],
        ["1", [1, "x"], {"a": 1}],
    ),
    (set[int], {"type": "array", "items": NUMBER, "uniqueItems": True}, [([1, "1"], {1})], ["1"]),
    (frozenset[int], {"type": "array", "items": NUMBER, "uniqueItems": True}, [(["1"], frozenset({1}))], [1]),
    (tuple[int, ...], {"type": "array", "items": NUMBER}, [(["1", 2], (1, 2))], [1]),
    (
        tuple[int, str],
        {
            "type": "array",
            "prefixItems": [NUMBER, {"type": "string"}],
            "minItems": 2,
            "maxItems": 2,
            "items": False,
        },
        [(["1", "x"], (1, "x"))],
        [["1"], [1, "x", 2], 1],
    ),
    (
        dict[str, Decimal],
        {"type": "object", "additionalProperties": DECIMAL},
        [({"a": "1.0"}, {"a": Decimal("1.0")})],
        [{"a": "nan"}, {"a": "1,0"}, []],
    ),
    (dict[int, int], {"type": "object", "additionalProperties": NUMBER}, [({"1": "2"}, {1: 2})], [{"x": 1}]),
    (
        Line,
        {"$ref": "#/$defs/Line"},
        [
            ({"item": "a", "quantity": "2", "price": "1.5"}, Line("a", 2, Decimal("1.5"))),
            (Line("b"), Line("b")),
        ],
        [{}, {"item": 1}, {"item": "a", "quantitty": 2}, {"item": "a", "price": "nan"}, "a", 3],
    ),
    (Even, {"$ref": "#/$defs/Even"}, [({"half": 1}, Even(1))], [{"half": -1}]),
    (
        Order,
        {"$ref": "#/$defs/Order"},
        [({"lines": [{"item": "a"}], "due": "2026-01-01"}, Order([Line("a")], dt.date(2026, 1, 1)))],
        [{"lines": [{"item": "a", "extra": 1}]}, {"lines": "a"}],
    ),
    (
        Card | Bank,
        {
            "anyOf": [{"$ref": "#/$defs/Card"}, {"$ref": "#/$defs/Bank"}],
            "discriminator": {
                "propertyName": "type",
                "mapping": {"bank": "#/$defs/Bank", "card": "#/$defs/Card"},
            },
        },
        [({"type": "bank", "iban": "x", "amount": "2.5"}, Bank("x", Decimal("2.5")))],
        [{"type": "cash"}, {"iban": "x"}, {"type": "bank", "iban": "x", "amount": "nan"}],
    ),
    (
        Line | int,
        {"anyOf": [{"$ref": "#/$defs/Line"}, NUMBER]},
        [({"item": "a", "price": "2.50"}, Line("a", 1, Decimal("2.50"))), ("3", 3)],
        [{"item": "a", "price": "1_0"}, {"item": "a", "x": 1}, "x"],
    ),
    (Pair, {"$ref": "#/$defs/Pair"}, [(["1", 2], Pair(1, 2))], [[1], {"low": 1}]),
    (
        Pair | int,
        {"anyOf": [{"$ref": "#/$defs/Pair"}, NUMBER]},
        [(["1", 2], Pair(1, 2)), ("3", 3)],
        [["x", 1]],
    ),
    (Tagged, {"$ref": "#/$defs/Tagged"}, [(["t", "1"], Tagged(1))], [["u", 1]]),
    (Point, {"$ref": "#/$defs/Point"}, [(["1", "2.5"], Point(1, Decimal("2.5")))], [[1, "nan"], 1]),
    (
        Address,
        {"$ref": "#/$defs/Address"},
        [({"city": "Bern", "zip": "3000"}, {"city": "Bern", "zip": 3000})],
        [{"zip": 1}, {"city": "Bern", "street": "x"}],
    ),
    (Node, {"$ref": "#/$defs/Node"}, [({"kids": [{}]}, Node([Node()]))], [{"kids": [{"x": 1}]}]),
    (Any, {}, [("x", "x"), (None, None), ([1], [1])], []),
]

IDS = [str(row[0]).replace("typing.", "").replace("test_action_types.", "") for row in TABLE]


def taking(annotation: Any) -> tuple[Actions, list[Any]]:
    """An engine with one action that takes one value of a type, and what it was given."""
    seen: list[Any] = []

    async def take(value: Any) -> None:
        seen.append(value)

    take.__annotations__["value"] = annotation
    return Actions(action(take)), seen


def run(engine: Actions, **params: Any) -> Any:
    (result,) = asyncio.run(
        engine.execute(Request(), (ActionIntent(action_id=engine.ids[0], params=params),))
    )
    return result


@pytest.mark.states("P-054")
@pytest.mark.parametrize(("annotation", "schema"), [row[:2] for row in TABLE], ids=IDS)
def test_the_schema_says_what_the_type_says(annotation: Any, schema: dict[str, Any]) -> None:
    engine, _ = taking(annotation)
    (descriptor,) = asyncio.run(engine.descriptors(Request()))
    assert descriptor.schema is not None
    found = descriptor.schema["properties"]["value"]
    if "enum" in found:
        assert set(found["enum"]) == set(schema["enum"])
    else:
        assert found == schema
    assert descriptor.schema["type"] == "object"
    assert descriptor.schema["required"] == ["value"]
    assert descriptor.schema["additionalProperties"] is False
    jsonschema_rs.validator_for(descriptor.schema, offline=True)


@pytest.mark.parametrize(
    ("annotation", "given", "value"),
    [(row[0], given, value) for row in TABLE for given, value in row[2]],
)
def test_what_can_mean_one_thing_only_is_read(annotation: Any, given: Any, value: Any) -> None:
    engine, seen = taking(annotation)
    result = run(engine, value=given)
    assert result.status == "succeeded", result.data
    assert seen == [value]
    assert type(seen[0]) is type(value)
    assert str(seen[0]) == str(value)  # 12.50 keeps its spelling


@pytest.mark.states("P-058")
@pytest.mark.parametrize(
    ("annotation", "given"), [(row[0], given) for row in TABLE for given in row[3] if given is not None]
)
def test_what_would_be_a_guess_is_refused_and_nothing_runs(annotation: Any, given: Any) -> None:
    engine, seen = taking(annotation)
    result = run(engine, value=given)
    assert result.status == "failed"
    assert set(result.data) == {"error", "invalid"}
    assert set(result.data["invalid"]) == {"value"}
    assert result.data["invalid"]["value"]
    assert seen == []


@pytest.mark.parametrize("given", ["x", {"half": "x"}, [1], 2])
def test_what_was_given_is_not_repeated_in_the_reason(given: Any) -> None:
    engine, _ = taking(Even)
    assert repr(given) not in str(run(engine, value=given).data)


@pytest.mark.parametrize(
    ("annotation", "given", "words"),
    [
        (int, "x", "expected a whole number"),
        (Annotated[int, Meta(ge=1, lt=9)], 0, "expected a whole number, at least 1, less than 9"),
        (Currency, "GBP", "expected one of EUR, USD"),
        (Literal["a", None], "b", "expected one of a"),
        (Decimal | None, "x", "expected a number in plain digits such as 1250.50"),
        (int | dt.date, "x", "expected a whole number or a date such as 2026-03-31"),
        (Line, "x", "expected an object"),
        (Line, {}, "object missing required field `item`"),
        (Even, {"half": -1}, "half of it is not below zero"),
        (dt.timedelta, "P99999999999D", "duration is out of range"),
        (list[Line], [{"item": "a", "quantity": "x"}], "[0].quantity: expected `int`, got `str`"),
        (
            Order,
            {"lines": [{"item": "a", "price": "1_0", "x": 1}]},
            "lines[0].price: expected a number in plain digits such as 1250.50; lines[0].x: not known",
        ),
    ],
)
def test_the_reason_says_what_was_expected_and_where(annotation: Any, given: Any, words: str) -> None:
    engine, _ = taking(annotation)
    said = run(engine, value=given).data["invalid"]["value"]
    assert said == words


def test_data_nested_without_end_is_refused() -> None:
    engine, seen = taking(Node)
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"kids": [deep]}
    assert run(engine, value=deep).data["invalid"] == {"value": "nested too deeply"}
    assert seen == []


def test_a_pydantic_model_is_described_and_decoded() -> None:
    engine, seen = taking(Box)
    (descriptor,) = asyncio.run(engine.descriptors(Request()))
    assert descriptor.schema is not None
    validator = jsonschema_rs.validator_for(descriptor.schema, offline=True)
    assert validator.is_valid({"value": {"size": {"width": 1}}})
    assert not validator.is_valid({"value": {"size": {"width": "x"}}})
    assert run(engine, value={"size": {"width": 3}}).status == "succeeded"
    assert seen == [Box(size=Size(width=3))]
    assert run(engine, value={"size": {}}).status == "failed"


def test_pydantic_models_inside_structs_and_lists_keep_their_definitions() -> None:
    class Shelf(msgspec.Struct):
        boxes: list[Box]

    engine, seen = taking(Shelf)
    (descriptor,) = asyncio.run(engine.descriptors(Request()))
    assert descriptor.schema is not None
    validator = jsonschema_rs.validator_for(descriptor.schema, offline=True)
    assert not validator.is_valid({"value": {"boxes": [{"size": {"width": "x"}}]}})
    assert run(engine, value={"boxes": [{"size": {"width": 3}}]}).status == "succeeded"
    assert len(seen) == 1


def test_defaults_are_in_the_schema_and_stay_the_functions_own() -> None:
    marker = object()
    seen: list[Any] = []

    @action
    async def take(
        count: int = 3,
        tags: list[str] = ["a"],  # noqa: B006 -- as written by users
        currency: Currency = Currency.EUR,
        anything: Any = marker,
        due: dt.date | None = None,
    ) -> None:
        seen.append((count, tags, currency, anything, due))

    engine = Actions(take)
    (descriptor,) = asyncio.run(engine.descriptors(Request()))
    assert descriptor.schema is not None
    properties = descriptor.schema["properties"]
    assert properties["count"]["default"] == 3
    assert properties["currency"]["default"] == "EUR"
    assert "default" not in properties["tags"]
    assert "default" not in properties["anything"]
    assert descriptor.schema["required"] == []
    assert run(engine).status == "succeeded"
    assert run(engine, count=None, due=None).status == "succeeded"  # null where the type has none: not given
    assert seen == [(3, ["a"], Currency.EUR, marker, None)] * 2
    assert run(engine, count="x", tags="a").data["invalid"].keys() == {"count", "tags"}


def test_null_for_a_required_parameter_is_missing() -> None:
    engine, seen = taking(int)
    assert run(engine, value=None).data["missing"] == ["value"]
    assert seen == []
