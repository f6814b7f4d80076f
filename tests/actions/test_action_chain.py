"""Actions in a whole control plane: recognised by their own rules, run, and worded, without any model."""

import asyncio
from decimal import Decimal

import pytest

from turnout.actions import Actions, TemplateSynthesizer, action
from turnout.model import Answer, Body, Message, Reply, Request, Text
from turnout.plane import Interception
from turnout.system1.rules import RulesClassifier

PAID: list[tuple[str, Decimal]] = []


@action(
    patterns=[r"pay invoice (?P<invoice>\S+) over (?P<amount>\S+)", r"pay invoice (?P<invoice>\S+)"],
    template="Paid {amount} for {invoice}.",
)
def pay(invoice: str, amount: Decimal) -> None:
    """Pay an invoice.

    Args:
        amount: what to pay
    """
    PAID.append((invoice, amount))


@action(cues=["show|list", "invoices"])
def invoices() -> list[str]:
    """List the invoices."""
    return ["R-1", "R-2"]


async def reason(request: Request) -> Reply:
    return Reply.of(Answer(parts=(Text(text="a model"),), stop="end"))


ENGINE = Actions(pay, invoices)
STEP = Interception(RulesClassifier(ENGINE.rules()), ENGINE, TemplateSynthesizer(ENGINE.templates()))(reason)


@pytest.mark.states("P-005", "P-007", "P-010", "P-204")
@pytest.mark.parametrize(
    ("said", "answer", "paid"),
    [
        ("Pay invoice R-1 over 12.50", "Paid 12.50 for R-1.", [("R-1", Decimal("12.50"))]),
        ("please show my invoices", "Done: invoices.\n- R-1\n- R-2", []),
        (
            "Pay invoice R-1 over 12.50 and list the invoices",
            "Paid 12.50 for R-1.\n\nDone: invoices.\n- R-1\n- R-2",
            [("R-1", Decimal("12.50"))],
        ),
        ("pay invoice R-1", "Not done: pay. Which amount? (what to pay)", []),
        (
            "pay invoice R-1 over 1,000",
            "Not done: pay. Amount: expected a number in plain digits such as 1250.50.",
            [],
        ),
        ("Why did we pay so many invoices?", "a model", []),
    ],
)
def test_a_request_that_the_rules_know_is_answered_by_the_functions(
    said: str, answer: str, paid: list[tuple[str, Decimal]]
) -> None:
    PAID.clear()
    request = Request(model="m", body=Body(messages=(Message(role="user", parts=(Text(text=said),)),)))

    async def run() -> str:
        async with asyncio.timeout(5), await STEP(request) as reply:
            return (await reply.answer()).text

    assert asyncio.run(run()) == answer
    assert paid == PAID
