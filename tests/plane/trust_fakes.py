"""A control plane with a ledger, whose one action counts its runs, and requests as a server makes them."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from tests.plane.plane_fakes import answering
from turnout.actions import Actions, TemplateSynthesizer, action
from turnout.model import (
    Body,
    Context,
    Decision,
    Headers,
    IdempotencyKey,
    Ledger,
    Message,
    Reply,
    Request,
    Source,
    Text,
    User,
)
from turnout.plane import ControlPlane, Interception, Phrases, Reasoning
from turnout.store import MemoryLedger
from turnout.system1 import RulesClassifier


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Bank:
    """The actions, which note each run; `hold` keeps a transfer under way, `broken` lets it fail."""

    def __init__(self) -> None:
        self.runs: list[str] = []
        self.hold: asyncio.Event | None = None
        self.started = asyncio.Event()
        self.broken: Exception | None = None

        @action(
            patterns=[r"transfer (?P<amount>\d+) to (?P<to>\w+)"], template="Transferred {amount} to {to}."
        )
        async def transfer(amount: int, to: str) -> dict[str, Any]:
            """Transfer money."""
            self.runs.append(f"transfer {amount} {to}")
            self.started.set()
            if self.hold is not None:
                await self.hold.wait()
            if self.broken is not None:
                raise self.broken
            return {"number": len(self.runs)}

        @action(
            patterns=[r"refund (?P<amount>\S+) to (?P<to>\w+)"],
            template="Refunded {amount:.2f} to {to}, number {number}.",
            confirm=True,
            ask="Refund {amount:.2f} EUR to {to}?",
        )
        async def refund(amount: float, to: str) -> dict[str, Any]:
            """Refund a payment."""
            self.runs.append(f"refund {amount} {to}")
            self.started.set()
            if self.hold is not None:
                await self.hold.wait()
            return {"number": len(self.runs)}

        @action(cues=["balance"], read_only=True, template="Balance number {number}.")
        async def balance() -> dict[str, Any]:
            """The balance."""
            self.runs.append("balance")
            if self.broken is not None:
                raise self.broken
            return {"number": len(self.runs)}

        @action(cues=["delete everything"], confirm=True)
        async def delete(all_of_it: bool = True) -> None:
            """Delete everything."""
            self.runs.append("delete")

        self.engine = Actions(transfer, refund, balance, delete)


class Desk:
    """A control plane over a bank, and its ledger."""

    def __init__(
        self,
        ledger: Ledger | None = None,
        *,
        clock: Clock | None = None,
        classifier: Any = None,
        phrases: Phrases | None = None,
        engine: Any = None,
        synthesizer: Any = None,
    ) -> None:
        self.bank = Bank()
        self.clock = clock or Clock()
        self.ledger: Ledger = ledger or MemoryLedger(now=self.clock)
        self.decisions: list[Decision] = []
        self.interception = Interception(
            classifier or RulesClassifier(self.bank.engine.rules()),
            engine or self.bank.engine,
            synthesizer or TemplateSynthesizer(self.bank.engine.templates()),
            ledger=self.ledger,
            phrases=phrases,
            on_decision=lambda _request, decision: self.decisions.append(decision),
        )
        self.plane = ControlPlane([self.interception, Reasoning(answering())])

    async def ask(self, request: Request, *, delivered: bool = True) -> str:
        """The text of the answer; `delivered` as a server would say it."""
        text, _ = await self.answer(request, delivered=delivered)
        return text

    async def answer(self, request: Request, *, delivered: bool = True) -> tuple[str, Headers]:
        reply: Reply = await self.plane(request)
        async with reply:
            text = (await reply.answer()).text
        if delivered:
            await reply.delivered()
        return text, reply.headers


def asking(
    *texts: str,
    key: str | None = None,
    user: str | None = None,
    retry: int | None = None,
    token: str | None = "Bearer a",
    stream: bool = False,
    more: str = "",
    query: str = "",
) -> Request:
    """A request whose messages are `texts`, the user's and the assistant's by turns."""
    roles: Callable[[int], Any] = lambda at: "assistant" if at % 2 else "user"  # noqa: E731
    messages = tuple(Message(role=roles(at), parts=(Text(text=text),)) for at, text in enumerate(texts))
    headers = {"authorization": token} if token else {}
    if retry is not None:
        headers["x-stainless-retry-count"] = str(retry)
    context = Context()
    if key is not None:
        context = context.with_(IdempotencyKey(value=key))
    if user is not None:
        context = context.with_(User(id=user))
    data = json.dumps([*texts, stream, more]).encode()
    source = Source(
        protocol="openai-chat", body=data, headers=Headers.of(headers), path="/chat/completions", query=query
    )
    return Request(model="m", stream=stream, source=source, body=Body(messages=messages), context=context)
