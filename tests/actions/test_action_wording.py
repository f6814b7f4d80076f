"""How results are worded without a model: exactly, readably, and in any case."""

import asyncio
import datetime as dt
import logging
from decimal import Decimal
from typing import Any, Literal

import msgspec
import pytest

from turnout.actions import Actions, Failed, TemplateSynthesizer, Wording, action, default_wording
from turnout.model import ActionIntent, ActionResult, Intent, Request, Synthesis


def told(
    synthesizer: TemplateSynthesizer, *results: ActionResult, params: tuple[dict[str, Any], ...] = ()
) -> str:
    intents = tuple(
        ActionIntent(action_id=result.action_id, params=given)
        for result, given in zip(results, params or [{} for _ in results], strict=True)
    )
    synthesis = Synthesis(request=Request(), intent=Intent(actions=intents), results=results)
    assert synthesizer.text(synthesis) == synthesizer.text(synthesis)
    reply = asyncio.run(synthesizer(synthesis))
    answer = asyncio.run(reply.answer())
    assert answer.stop == "end"
    assert len(answer.parts) == 1
    assert answer.text == synthesizer.text(synthesis)
    return answer.text


def done(**data: Any) -> ActionResult:
    return ActionResult(action_id="a", status="succeeded", data=data or None)


def failed(**data: Any) -> ActionResult:
    return ActionResult(action_id="a", status="failed", data=data)


# ---- templates -----------------------------------------------------------------------------------------------------


@pytest.mark.states("P-204")
@pytest.mark.parametrize(
    ("template", "data", "params", "text"),
    [
        (
            "Invoice {number} over {total}.",
            {"number": "R-1", "total": "12.50"},
            {},
            "Invoice R-1 over 12.50.",
        ),
        ("{total}", {"total": 10**30}, {}, "1" + "0" * 30),
        ("{total}", {"total": 0.1}, {}, "0.1"),
        ("{total}", {"total": "0.10"}, {}, "0.10"),
        ("{total:,.2f}", {"total": "1234567.5"}, {}, "1,234,567.50"),
        ("{total:,}", {"total": "12345678901234567890.12"}, {}, "12,345,678,901,234,567,890.12"),
        ("{total:,}", {"total": 1234567}, {}, "1,234,567"),
        ("{total:.1f}", {"total": 0.25}, {}, "0.2"),
        ("{name:>6}|", {"name": "Acme"}, {}, "  Acme|"),
        ("{ok} {none}", {"ok": True, "none": None}, {}, "yes none"),
        ("{ok:>4}", {"ok": False}, {}, "no"),
        ("{a.b.c}", {"a": {"b": {"c": 3}}}, {}, "3"),
        ("{items}", {"items": ["a", {"n": 1}, []]}, {}, "a, (n: 1), none"),
        ("{customer}: {result}", {"result": 3}, {"customer": "Acme"}, "Acme: 3"),
        ("{n} {params.n}", {"n": 1}, {"n": "one"}, "1 one"),
        ("{due}", {}, {"due": dt.date(2026, 1, 2)}, "2026-01-02"),
        ("{{{result}}}", {"result": 1}, {}, "{1}"),
        ("Sent.", {}, {}, "Sent."),
    ],
)
def test_a_template_says_the_figures_as_they_are(
    template: str, data: dict[str, Any], params: dict[str, Any], text: str
) -> None:
    assert told(TemplateSynthesizer({"a": template}), done(**data), params=(params,)) == text


@pytest.mark.parametrize(
    ("template", "data", "params"),
    [
        ("{number}", {"total": 1}, {}),
        ("{a.b}", {"a": 3}, {}),
        ("{a.b}", {"a": {"c": 3}}, {}),
        ("{total.__class__}", {"total": 1}, {}),
        ("{total.real}", {"total": 1}, {}),
        ("{total:d}", {"total": "text"}, {}),
        ("{total:d}", {"total": "1.5"}, {}),
        ("{total:d}", {"total": [1]}, {}),
        ("{total}", {"sum": 1}, {"total": object()}),
    ],
)
def test_a_template_that_cannot_be_filled_gives_the_default_and_no_exception(
    template: str, data: dict[str, Any], params: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "turnout"):
        said = told(TemplateSynthesizer({"a": template}), done(**data), params=(params,))
    assert said == told(TemplateSynthesizer(), done(**data))
    assert "'a'" in caplog.text
    assert "text" not in caplog.text


def test_a_template_never_words_what_did_not_succeed() -> None:
    synthesizer = TemplateSynthesizer({"a": "Invoice sent."})
    assert told(synthesizer, failed(error="No stock")) == "Not done: a. No stock."
    queued = ActionResult(action_id="a", status="queued", execution_id="t-7")
    assert told(synthesizer, queued) == "Queued: a (reference t-7)."


def test_a_function_words_what_did_not_fail() -> None:
    def word(result: ActionResult, intent: ActionIntent) -> str:
        return f"{result.status} {intent.params['n']}"

    synthesizer = TemplateSynthesizer({"a": word})
    assert told(synthesizer, done(x=1), params=({"n": 3},)) == "succeeded 3"
    assert told(synthesizer, ActionResult(action_id="a", status="queued"), params=({"n": 3},)) == "queued 3"
    assert told(synthesizer, failed(error="no"), params=({"n": 3},)) == "Not done: a. No."
    assert told(synthesizer, done(x=1)) == "Done: a.\n- X: 1"  # it raised


@pytest.mark.parametrize("given", ["", None, 3])
def test_a_function_that_gives_no_text_gives_the_default(given: Any) -> None:
    assert told(TemplateSynthesizer({"a": lambda result, intent: given}), done()) == "Done: a."


# ---- the default ---------------------------------------------------------------------------------------------------


@pytest.mark.states("P-204")
@pytest.mark.parametrize(
    ("result", "text"),
    [
        (done(), "Done: create invoice."),
        (
            done(number="R-1", total="12.50", due_date="2026-04-01", sent=True, note=None, tags=["a", "b"]),
            "Done: create invoice.\n- Number: R-1\n- Total: 12.50\n- Due date: 2026-04-01\n- Sent: yes\n"
            "- Note: none\n- Tags: a, b",
        ),
        (done(lines=[{"item": "a", "n": 2}]), "Done: create invoice.\n- Lines: (item: a, n: 2)"),
        (done(result=42), "Done: create invoice: 42"),
        (done(result=True), "Done: create invoice: yes"),
        (done(result=[]), "Done: create invoice: none"),
        (done(result=["a", {"n": 1}]), "Done: create invoice.\n- a\n- n: 1"),
        (done(result={"n": 1}), "Done: create invoice.\n- N: 1"),
        (done(result="All is well."), "All is well."),
        (done(result=" "), "Done: create invoice:  "),
        (
            ActionResult(action_id="a", status="in_progress", execution_id="t-7", data={"result": "soon"}),
            "In progress: create invoice (reference t-7): soon",
        ),
        (failed(error="the customer is blocked"), "Not done: create invoice. The customer is blocked."),
        (failed(error="Blocked!"), "Not done: create invoice. Blocked!"),
        (failed(error=" "), "Not done: create invoice."),
        (failed(), "Not done: create invoice."),
        (ActionResult(action_id="a", status="failed"), "Not done: create invoice."),
        (
            failed(error="missing: due_date, customer", missing=["due_date", "customer"]),
            "Not done: create invoice. Which due date? (the day it is due) Which customer?",
        ),
        (
            failed(error="e", invalid={"amount": "expected a number"}, unknown=["foo_bar", "b"]),
            "Not done: create invoice. Amount: expected a number. I don't know what to do with foo bar, b.",
        ),
        (failed(error="odd", missing="x", invalid=3, unknown=None), "Not done: create invoice. Odd."),
    ],
)
def test_the_default_reads_well(result: ActionResult, text: str) -> None:
    wording = Wording(name="Create invoice", told={"due_date": "the day it is due."})
    assert told(TemplateSynthesizer({"a": wording}), result) == text
    assert default_wording(result, wording) == text


def test_an_action_that_nobody_knows_is_named_by_its_id_and_an_abbreviation_keeps_its_capitals() -> None:
    result = ActionResult(action_id="billing.pay_all", status="succeeded")
    assert told(TemplateSynthesizer(), result) == "Done: pay all."
    assert (
        told(TemplateSynthesizer({"billing.pay_all": Wording(name="VAT report")}), result)
        == "Done: VAT report."
    )


def test_parameters_that_the_engine_would_refuse_are_shown_as_given() -> None:
    synthesizer = TemplateSynthesizer(Actions(create_invoice).templates())
    result = ActionResult(action_id="create_invoice", status="succeeded", data={"number": "1", "total": "2"})
    text = told(synthesizer, result, params=({"customer": "A", "amount": "x", "currency": "GBP"},))
    assert text == "Invoice 1 for A over 2 GBP."


@pytest.mark.states("P-204")
def test_several_results_are_one_reply_in_order() -> None:
    synthesizer = TemplateSynthesizer({"a": "A is {result} for {who}."})
    b = ActionResult(action_id="b", status="succeeded", data={"result": 2})
    text = told(synthesizer, done(result=1), b, done(result=3), params=({"who": "x"}, {}, {"who": "y"}))
    assert text == "A is 1 for x.\n\nDone: b: 2\n\nA is 3 for y."


def test_results_without_an_intent_are_worded_all_the_same() -> None:
    synthesis = Synthesis(request=Request(), intent=Intent(), results=(done(result=1),))
    assert TemplateSynthesizer({"a": "{params.x}"}).text(synthesis) == "Done: a: 1"


# ---- with the engine -------------------------------------------------------------------------------------------------


UNWRITABLE = object()


class Invoice(msgspec.Struct):
    number: str
    total: Decimal


@action(template="Invoice {number} for {customer} over {total} {currency}.")
async def create_invoice(
    customer: str, amount: Decimal, currency: Literal["EUR", "USD"] = "EUR", note: Any = UNWRITABLE
) -> Invoice:
    """Create an invoice.

    Args:
        customer: the customer's full name.
    """
    if customer == "Void":
        raise Failed("this customer is closed")
    return Invoice("R-1", amount)


@pytest.mark.states("P-204")
@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"customer": "Acme", "amount": "12.50"}, "Invoice R-1 for Acme over 12.50 EUR."),
        ({"customer": "Acme", "amount": "12.50", "currency": None}, "Invoice R-1 for Acme over 12.50 EUR."),
        ({"customer": "Acme", "amount": 3, "currency": "USD"}, "Invoice R-1 for Acme over 3 USD."),
        ({"customer": "Acme", "amount": 0.1, "currency": "usd"}, "Invoice R-1 for Acme over 0.1 USD."),
        ({"customer": "Void", "amount": 3}, "Not done: create invoice. This customer is closed."),
        ({"amount": 3}, "Not done: create invoice. Which customer? (the customer's full name)"),
        (
            {"customer": "A", "amount": "1,000"},
            "Not done: create invoice. Amount: expected a number in plain digits such as 1250.50.",
        ),
    ],
)
def test_the_engines_templates_word_what_it_ran(params: dict[str, Any], text: str) -> None:
    engine = Actions(create_invoice)
    intents = (ActionIntent(action_id="create_invoice", params=params),)
    results = asyncio.run(engine.execute(Request(), intents))
    assert told(TemplateSynthesizer(engine.templates()), *results, params=(params,)) == text
