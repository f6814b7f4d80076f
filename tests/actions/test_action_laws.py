"""Whatever a client or a model asks for: no exception, no effect unless all is right, one result each."""

import asyncio
import dataclasses
import datetime as dt
import enum
from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta

from turnout.actions import Actions, TemplateSynthesizer, action
from turnout.model import ActionIntent, Context, Intent, Request, Synthesis

EFFECTS: list[dict[str, Any]] = []


class Currency(enum.Enum):
    EUR = "EUR"
    USD = "USD"


@dataclasses.dataclass
class Line:
    item: str
    quantity: Annotated[int, Meta(ge=1)] = 1
    price: Decimal = Decimal(1)


@action(template="Paid {amount} to {customer}.")
async def typed(
    customer: str,
    amount: Decimal,
    ctx: Context,
    count: int = 1,
    rate: float | None = None,
    due: dt.date | None = None,
    at: dt.time | None = None,
    currency: Currency = Currency.EUR,
    mode: Literal["net", "gross"] = "net",
    lines: list[Line] = [],  # noqa: B006 -- as written by users
    notes: dict[str, int] | None = None,
    either: int | list[Line] = 0,
) -> dict[str, Any]:
    assert isinstance(customer, str)
    assert isinstance(amount, Decimal)
    assert amount.is_finite()
    assert type(count) is int
    assert rate is None or abs(rate) != float("inf")
    assert due is None or type(due) is dt.date
    assert at is None or type(at) is dt.time
    assert isinstance(currency, Currency)
    assert mode in {"net", "gross"}
    assert all(type(line) is Line and line.price.is_finite() and line.quantity >= 1 for line in lines)
    assert isinstance(ctx, Context)
    assert isinstance(either, int | list)
    assert notes is None or all(type(note) is int for note in notes.values())
    EFFECTS.append({"customer": customer})
    return {"amount": amount}


@action(
    schema={
        "type": "object",
        "properties": {"count": {"type": "integer"}, "mode": {"enum": ["net", "gross"]}},
        "required": ["count"],
        "additionalProperties": False,
    }
)
async def raw(**params: Any) -> None:
    assert isinstance(params["count"], int | float)
    assert params["count"] == int(params["count"])
    assert set(params) <= {"count", "mode"}
    EFFECTS.append(params)


ENGINE = Actions(typed, raw)

names = st.sampled_from(
    [
        "customer",
        "amount",
        "count",
        "rate",
        "due",
        "at",
        "currency",
        "mode",
        "lines",
        "notes",
        "either",
        "ctx",
        "self",
    ]
)
texts = st.text(max_size=6) | st.sampled_from(
    ["1", "1.50", "1,000", "1_0", "nan", "eur", "2026-03-31", "14:30", "net", "yes", "-3", "1e9", "null"]
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | texts
    | st.decimals()
    | st.dates()
    | st.builds(object)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["item", "quantity", "price", "x"]) | st.text(max_size=3), inner, max_size=3
        )
        | st.tuples(inner, inner)
    ),
    max_leaves=5,
)
anything = st.dictionaries(names | st.text(max_size=4), values, max_size=5)
fitting = st.fixed_dictionaries(
    {"customer": st.text(max_size=5), "amount": st.sampled_from(["1", "2.50", 3, 0.1])},
    optional={
        "count": st.sampled_from(["1", 2, 3.0]),
        "currency": st.sampled_from(["eur", "USD"]),
        "due": st.dates().map(str),
        "lines": st.lists(
            st.fixed_dictionaries({"item": st.text(max_size=3), "quantity": st.integers(1, 9)})
        ),
    },
)
ids = st.sampled_from(["typed", "raw", "unknown", ""])
intents = st.builds(
    lambda action_id, params: ActionIntent(action_id=action_id, params=params), ids, anything | fitting
)


@pytest.mark.states("P-010", "P-056", "P-058")
@settings(max_examples=200, deadline=None)
@given(st.lists(intents, max_size=4).map(tuple))
def test_any_parameters_give_one_result_each_and_run_only_what_is_right(
    asked: tuple[ActionIntent, ...],
) -> None:
    EFFECTS.clear()
    results = asyncio.run(ENGINE.execute(Request(), asked))
    assert [result.action_id for result in results] == [one.action_id for one in asked]
    ran = [result for result in results if result.status == "succeeded"]
    assert len(EFFECTS) == len(ran)
    for result in results:
        assert result.status in {"succeeded", "failed"}
        if result.status == "failed":
            assert result.data is not None
            assert result.data["error"]
            msgspec.json.encode(msgspec.to_builtins(result))
    synthesis = Synthesis(request=Request(), intent=Intent(actions=asked), results=results)
    text = TemplateSynthesizer(ENGINE.templates()).text(synthesis)
    assert bool(text) == bool(asked)


@settings(max_examples=50, deadline=None)
@given(fitting)
def test_parameters_that_fit_run(params: dict[str, Any]) -> None:
    EFFECTS.clear()
    (result,) = asyncio.run(ENGINE.execute(Request(), (ActionIntent(action_id="typed", params=params),)))
    assert result.status == "succeeded", result.data
    assert [{"customer": params["customer"]}] == EFFECTS


@settings(max_examples=50, deadline=None)
@given(fitting, st.text(max_size=6))
def test_one_parameter_too_many_runs_nothing(params: dict[str, Any], extra: str) -> None:
    EFFECTS.clear()
    asked = ActionIntent(action_id="typed", params={**params, f"not_{extra}": 1})
    (result,) = asyncio.run(ENGINE.execute(Request(), (asked,)))
    assert result.data is not None
    assert result.data["unknown"] == [f"not_{extra}"]
    assert EFFECTS == []


@settings(max_examples=100, deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**15), max_value=10**15))
def test_an_exact_number_is_said_exactly(amount: Decimal) -> None:
    asked = (ActionIntent(action_id="typed", params={"customer": "Acme", "amount": str(amount)}),)
    results = asyncio.run(ENGINE.execute(Request(), asked))
    synthesis = Synthesis(request=Request(), intent=Intent(actions=asked), results=results)
    assert TemplateSynthesizer(ENGINE.templates()).text(synthesis) == f"Paid {amount} to Acme."
