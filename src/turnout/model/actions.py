"""Actions as values: what may run, what a request asks for, what running gave."""

from typing import Any, TypeAlias

from .base import V
from .request import Request


class ActionDescriptor(V, frozen=True, kw_only=True):
    """One action of the application, as classifiers see it; `schema` is the JSON Schema of its parameters."""

    id: str
    name: str
    description: str
    schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    examples: tuple[str, ...] = ()
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    confirm: bool = False


Descriptors: TypeAlias = tuple[ActionDescriptor, ...]


class ActionIntent(V, frozen=True, kw_only=True):
    """One action that a request asks for; a parameter that the request does not give is left out."""

    action_id: str
    params: dict[str, Any] = {}


class Rule(V, frozen=True, kw_only=True):
    """How one action is recognised without a model, as its declaration says.

    `patterns` are regular expressions whose named groups are parameters; `cues` are words that speak for it.
    """

    action_id: str
    patterns: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()


class Intent(V, frozen=True, kw_only=True):
    """All that a request asks for; no action means that reasoning answers."""

    actions: tuple[ActionIntent, ...] = ()

    @property
    def is_reasoning(self) -> bool:
        """Whether no action is asked for."""
        return not self.actions


class Ask(V, frozen=True, kw_only=True):
    """The classifier cannot tell and asks the user; nothing runs."""

    question: str
    candidates: tuple[str, ...] = ()


class ActionResult(V, frozen=True, kw_only=True):
    """What one action gave; the words of `status` are the engine's own."""

    action_id: str
    status: str
    execution_id: str | None = None
    data: dict[str, Any] | None = None


class Synthesis(V, frozen=True, kw_only=True):
    """What a synthesizer may word: the request, the intent and one result per action of it, in order."""

    request: Request
    intent: Intent
    results: tuple[ActionResult, ...]
