"""What the control plane itself costs, with components that answer at once: `python benchmarks/plane.py`.

Prints nanoseconds of CPU per request, the best of several rounds; the cost of a bare call of the last component, which
is in each figure, stands first.
"""

import time
from collections.abc import Callable
from typing import Any, TypeAlias

from turnout.model import (
    ActionDescriptor,
    ActionIntent,
    ActionResult,
    Answer,
    Body,
    Descriptors,
    Intent,
    Message,
    Reply,
    Request,
    Rule,
    Source,
    Synthesis,
    Text,
    User,
)
from turnout.plane import ControlPlane, Interception, Reasoning, UserIdentityMiddleware, user_header
from turnout.system1 import RulesClassifier

ROUNDS = 7
REQUESTS = 20_000
REPLY = Reply.of(Answer(parts=(Text(text="done"),), stop="end"))
ACTIONS = (
    ActionDescriptor(id="restart", name="restart", description="Restart a service"),
    ActionDescriptor(id="version", name="version", description="Tell the version"),
)
RULES = (
    Rule(action_id="restart", patterns=(r"restart (?P<service>\w+)",)),
    Rule(action_id="version", patterns=(r"(?:tell me|what is) the version",), cues=("version",)),
)


class Engine:
    """Describes `actions` and runs nothing."""

    def __init__(self, *actions: ActionDescriptor) -> None:
        self._actions = actions

    async def descriptors(self, _request: Request, /) -> Descriptors:
        """The same for every request."""
        return self._actions

    async def execute(
        self, _request: Request, intents: tuple[ActionIntent, ...], /
    ) -> tuple[ActionResult, ...]:
        """Say that all is done."""
        return tuple(ActionResult(action_id=intent.action_id, status="done") for intent in intents)


async def answer(_request: Request) -> Reply:
    """A model without any delay."""
    return REPLY


async def nobody(_request: Request) -> User | None:
    """An identity provider that knows nobody."""
    return None


async def no_action(_request: Request, _descriptors: Descriptors) -> Intent:
    """A classifier that sees no action in anything."""
    return Intent()


async def wording(_synthesis: Synthesis) -> Reply:
    """A synthesizer without words."""
    return REPLY


def request(text: str) -> Request:
    """A request as a server makes it, with its body decoded."""
    body = Body(messages=(Message(role="user", parts=(Text(text=text),)),))
    return Request(model="m", source=Source(protocol="openai-chat", body=b"{}"), body=body)


def cost(step: Callable[[Request], Any], sent: Request, rounds: int, requests: int) -> float:
    """Nanoseconds of CPU for one request, without an event loop: nothing here ever waits."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time_ns()
        for _ in range(requests):
            try:
                step(sent).send(None)
            except StopIteration:
                pass
            else:
                raise RuntimeError("a step that waits cannot be measured so")
        best = min(best, (time.process_time_ns() - started) / requests)
    return best


Case: TypeAlias = tuple[str, Callable[[Request], Any], str]
"""A name, the step that is measured and what the user says."""


def cases() -> list[Case]:
    """What is measured; the cost of the first is in all others."""
    reasoning = Reasoning(answer)
    rules = RulesClassifier(RULES)
    question, order = "What is the capital of France?", "restart api"
    return [
        ("a bare call", answer, question),
        ("reasoning", ControlPlane([reasoning]).process, question),
        (
            "interception without actions, reasoning",
            ControlPlane([Interception(no_action, Engine(), wording), reasoning]).process,
            question,
        ),
        (
            "identity of nobody, reasoning",
            ControlPlane([UserIdentityMiddleware(nobody), reasoning]).process,
            question,
        ),
        (
            "identity from a header, reasoning",
            ControlPlane([UserIdentityMiddleware(user_header()), reasoning]).process,
            question,
        ),
        (
            "interception with 2 actions, instant classifier, reasoning",
            ControlPlane([Interception(no_action, Engine(*ACTIONS), wording), reasoning]).process,
            question,
        ),
        (
            "interception with 2 actions, rules, reasoning",
            ControlPlane([Interception(rules, Engine(*ACTIONS), wording), reasoning]).process,
            question,
        ),
        (
            "interception with 2 actions, rules, one acts",
            ControlPlane([Interception(rules, Engine(*ACTIONS), wording), reasoning]).process,
            order,
        ),
    ]


def measured(rounds: int = ROUNDS, requests: int = REQUESTS) -> list[tuple[str, float]]:
    """The name of each case and nanoseconds of CPU for one request."""
    return [(name, cost(step, request(text), rounds, requests)) for name, step, text in cases()]


def main() -> None:
    """Print the table."""
    for name, nanoseconds in measured():
        print(f"{nanoseconds:9.0f} ns  {name}")


if __name__ == "__main__":
    main()
