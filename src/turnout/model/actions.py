"""Actions as values: what may run, what a request asks for, what running gave."""

from typing import Any, Literal, TypeAlias

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

    def missing(self, params: dict[str, Any]) -> tuple[str, ...]:
        """The required parameters that `params` lacks, in the schema's order."""
        required: Any = (self.schema or {}).get("required", ())
        return tuple(name for name in required if name not in params)


Descriptors: TypeAlias = tuple[ActionDescriptor, ...]


class ActionIntent(V, frozen=True, kw_only=True):
    """One action that a request asks for; a parameter that the request does not give is left out."""

    action_id: str
    params: dict[str, Any] = {}


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


class Rule(V, frozen=True, kw_only=True):
    """How a request for one action may be worded, for classification without a model.

    Each of `patterns` is a regular expression that describes a whole request, not a piece of one; its named groups
    are the action's parameters. `cues` are the words or phrases that a request must hold, all of them, and beside
    which it may hold nothing but small words ("the", "my"); `|` separates the alternatives of one cue:
    `("list|show", "invoices|bills")`.
    """

    action_id: str
    patterns: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()


class Candidate(V, frozen=True, kw_only=True):
    """An action that a classifier considered, and what speaks for it.

    `score` is from 0 to 1 and is compared with `threshold`, `None` where the classifier has no such number;
    `because` names what matched, `missing` the required parameters that the request does not give.
    """

    action_id: str
    score: float | None = None
    threshold: float | None = None
    params: dict[str, Any] = {}
    missing: tuple[str, ...] = ()
    because: str = ""


class Classification(V, frozen=True, kw_only=True):
    """A classifier's outcome with its grounds, for people who tune it; `reason` says why nothing was chosen."""

    outcome: Intent | Ask
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""


class ActionResult(V, frozen=True, kw_only=True):
    """What one action gave; the words of `status` are the engine's own."""

    action_id: str
    status: str
    execution_id: str | None = None
    data: dict[str, Any] | None = None


class Decision(V, frozen=True, kw_only=True):
    """What was decided about one request, and what came of it; for tests and logs, holds what the user said.

    `lane`: `action` when actions answer, `confirm` when the user is asked before they run, `cancel` when a
    confirmation came to nothing, `ask` when the classifier asks, `model` when the request is passed on. `intent` is
    what would run or ran, `candidates` what the classifier considered, `results` what running gave, `replayed`
    whether that happened at an earlier request. `reason` says why the request is passed on, `failed` names the kind of
    error that running or wording the actions ended with; they may have had effects then.
    """

    lane: Literal["action", "confirm", "cancel", "ask", "model"]
    intent: Intent = Intent()
    candidates: tuple[Candidate, ...] = ()
    results: tuple[ActionResult, ...] = ()
    replayed: bool = False
    reason: str = ""
    failed: str = ""


class Synthesis(V, frozen=True, kw_only=True):
    """What a synthesizer may word: the request, the intent and one result per action of it, in order."""

    request: Request
    intent: Intent
    results: tuple[ActionResult, ...]
