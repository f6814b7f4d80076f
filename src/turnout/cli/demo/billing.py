"""A small billing desk: the sample actions of the demo, written as an application would write its own."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Literal

import msgspec

from turnout.actions import Failed, action

Customer = Literal["Acme", "Globex", "Initech"]
Amount = Annotated[Decimal, msgspec.Meta(gt=0, description="An amount in euros")]


class Invoice(msgspec.Struct, kw_only=True):
    """An invoice; `paid` is what has been paid of `amount`, both in euros."""

    number: str
    customer: str
    amount: Decimal
    month: str
    paid: Decimal = Decimal(0)

    @property
    def open(self) -> Decimal:
        """What is still to be paid, in euros."""
        return self.amount - self.paid


class Desk:
    """The books: invoices by number. In memory, made anew for each demo."""

    def __init__(self) -> None:
        self.invoices: dict[str, Invoice] = {}
        self.open_books()

    def open_books(self) -> None:
        """Begin anew with three invoices."""
        self.invoices = {
            invoice.number: invoice
            for invoice in (
                Invoice(number="INV-1001", customer="Acme", amount=Decimal("1200.00"), month="January"),
                Invoice(number="INV-1002", customer="Acme", amount=Decimal("480.50"), month="February"),
                Invoice(number="INV-1003", customer="Globex", amount=Decimal("75.00"), month="February"),
            )
        }

    def actions(self) -> tuple[Callable[..., object], ...]:
        """The desk's work as actions."""
        return (
            self.create_invoice,
            self.open_invoices,
            self.invoice_status,
            self.record_payment,
            self.refund,
        )

    @action(
        id="billing.create_invoice",
        patterns=[
            r"(create|make|write) an invoice (for|to) (?P<customer>\w+) (over|for|of) (?P<amount>[\d.]+)( euros?)?"
            r"( for (?P<month>\w+))?",
        ],
        examples=["create an invoice for Acme over 300 euros for March"],
        template="Invoice {number} for {customer} over {amount} euros is written.",
    )
    def create_invoice(self, customer: Customer, amount: Amount, month: str | None = None) -> Invoice:
        """Write a new invoice for a customer."""
        number = f"INV-{1001 + len(self.invoices)}"
        shown = month or f"{datetime.date(2026, 11, 1):%B}"
        invoice = Invoice(number=number, customer=customer, amount=amount, month=shown)
        self.invoices[number] = invoice
        return invoice

    @action(
        id="billing.open_invoices",
        patterns=[
            r"(which|what) invoices (of|from|for) (?P<customer>\w+) are (still )?(open|unpaid)",
            r"(show|list) (me )?(the |all )?open invoices (of|from|for) (?P<customer>\w+)",
        ],
        examples=["which invoices of Acme are open?"],
        read_only=True,
        template="{customer} has {count} open invoices, {total} euros in all: {numbers}.",
    )
    def open_invoices(self, customer: Customer) -> dict[str, object]:
        """List the invoices that a customer has not paid in full."""
        found = [i for i in self.invoices.values() if i.customer == customer and i.open > 0]
        return {
            "customer": customer,
            "count": len(found),
            "total": sum((i.open for i in found), Decimal(0)),
            "numbers": ", ".join(i.number for i in found) or "none",
        }

    @action(
        id="billing.invoice_status",
        patterns=[
            r"(what is|what's|show me|tell me) the status of (invoice )?(?P<number>INV-\d+)",
            r"status of (invoice )?(?P<number>INV-\d+)",
            r"is (invoice )?(?P<number>INV-\d+) paid",
        ],
        examples=["what is the status of INV-1001?"],
        read_only=True,
        template="Invoice {number} of {customer}: {paid} of {amount} euros paid.",
    )
    def invoice_status(self, number: str) -> Invoice | Failed:
        """Say how much of an invoice is paid."""
        return self.invoices.get(number.upper()) or Failed(f"there is no invoice {number.upper()}")

    @action(
        id="billing.record_payment",
        patterns=[
            r"(record|book|register) a payment of (?P<amount>[\d.]+)( euros?)? (for|on) (invoice )?(?P<number>INV-\d+)",
        ],
        examples=["record a payment of 480.50 euros for INV-1002"],
        template="Payment booked: invoice {number} now has {paid} of {amount} euros paid.",
    )
    def record_payment(self, number: str, amount: Amount) -> Invoice | Failed:
        """Book a payment on an invoice; never more than is open."""
        invoice = self.invoices.get(number.upper())
        if invoice is None:
            return Failed(f"there is no invoice {number.upper()}")
        if amount > invoice.open:
            return Failed(f"only {invoice.open} euros of {invoice.number} are open")
        invoice.paid += amount
        return invoice

    @action(
        id="billing.refund",
        patterns=[r"refund (?P<amount>[\d.]+)( euros?)? (on|for|of) (invoice )?(?P<number>INV-\d+)"],
        examples=["refund 20 euros on INV-1002"],
        destructive=True,
        confirm=True,
        ask="Refund {amount} euros on invoice {number}?",
        template="Refunded. Invoice {number} now has {paid} of {amount} euros paid.",
    )
    def refund(self, number: str, amount: Amount) -> Invoice | Failed:
        """Pay back a part of what was paid on an invoice; asks before it does."""
        invoice = self.invoices.get(number.upper())
        if invoice is None:
            return Failed(f"there is no invoice {number.upper()}")
        if amount > invoice.paid:
            return Failed(f"only {invoice.paid} euros were paid on {invoice.number}")
        invoice.paid -= amount
        return invoice
