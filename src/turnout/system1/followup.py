"""What the last words of a conversation ask for, from its messages alone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from turnout.model import V

from .compound import Reading


class Turn(V, frozen=True, kw_only=True):
    """What one of the two said: the user's own words, unwrapped, or the assistant's text."""

    speaker: Literal["user", "assistant"]
    text: str


class Extraction(Protocol):
    """What `parameters.extract` gives: the values found, by name, and why others are not."""

    values: dict[str, Any]
    missing: tuple[str, ...]
    ambiguous: dict[str, tuple[Any, ...]]
    invalid: dict[str, Any]


Read: TypeAlias = Callable[[str], Reading]
"""`compound.read` with everything but the text bound."""
Extract: TypeAlias = Callable[[str, dict[str, Any], str], Extraction]
"""Action id, schema (maybe with fewer properties than the action's), text."""


class Call(V, frozen=True, kw_only=True):
    """One action with its parameters; it can run when nothing is missing, ambiguous or invalid."""

    action_id: str
    params: dict[str, Any] = {}
    missing: tuple[str, ...] = ()
    ambiguous: dict[str, tuple[Any, ...]] = {}
    invalid: dict[str, Any] = {}


class Outcome(V, frozen=True, kw_only=True):
    """What is asked for now; `reason` says why it's nothing, or how it was understood."""

    calls: tuple[Call, ...] = ()
    reason: str = ""


def follow(
    turns: Sequence[Turn], *, read: Read, extract: Extract, schemas: Mapping[str, dict[str, Any]]
) -> Outcome:
    """What the last turn, a user's, asks for in the light of those before it; with one turn: of itself."""
    raise NotImplementedError(turns, read, extract, schemas)
