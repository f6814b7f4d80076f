"""Invoices by asking for them: with a small model for each step around the action, or with none at all.

Run it with `turnout serve app:app` in this folder and say "Create an invoice for Acme for March's work". With
SMALL_MODEL set, that model selects the action, extracts its parameters and words its result, one call each; without
it, the action's own pattern and template do. Either way the invoice is made by the function, once, and its figures are
the function's own.
"""

import os
from decimal import Decimal
from typing import Literal

import turnout
from turnout import llm
from turnout.actions import Actions, Failed, TemplateSynthesizer

HOURS = {("acme", "March"): Decimal("40"), ("globex", "March"): Decimal("7.5")}
RATE = Decimal("85.50")

Month = Literal[
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
]  # fmt: skip


@turnout.action(
    id="billing.create_invoice",
    patterns=[r"(create|make) an invoice for (?P<customer>\w+) for (?P<month>\w+)('s work)?"],
    template="Invoice {number} for {customer}: {hours} hours in {month}, {total:,.2f} euros.",
)
def create_invoice(customer: str, month: Month) -> dict[str, object] | Failed:
    """Create an invoice for a customer's work in one month.

    Args:
        customer: the customer's name
        month: the month in which the work was done
    """
    hours = HOURS.get((customer.lower(), month))
    if hours is None:
        return Failed(f"there are no hours for {customer} in {month}")
    return {"number": f"R-{customer.upper()}-{month[:3].upper()}", "hours": hours, "total": hours * RATE}


def build(model_url: str, key: str = "", small: str = "") -> turnout.App:
    """The gateway; `small` is the model of the steps, `""` for none."""
    models = turnout.provider("openai-chat", base_url=model_url, api_key=key)
    if small:
        templates = TemplateSynthesizer(Actions(create_invoice).templates())
        app = turnout.App(
            classifier=llm.Classifier(models, model=small),
            synthesizer=llm.Synthesizer(models, model=small, fallback=templates),
        )
    else:
        app = turnout.App()
    app.add(create_invoice)
    app.reason_with(models)
    return app


app = build(
    os.environ.get("MODEL_URL", "http://127.0.0.1:9000/v1"),
    os.environ.get("MODEL_KEY", ""),
    os.environ.get("SMALL_MODEL", ""),
)
