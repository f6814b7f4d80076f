"""Several actions in one request."""

from collections.abc import Callable
from typing import TypeAlias

from turnout.model import V

from .scores import Scores, Thresholds
from .speech import Gate

Score: TypeAlias = Callable[[str], Scores]


class Asked(V, frozen=True, kw_only=True):
    """One action that a request asks for, and the words in which its parameters stand."""

    action_id: str
    text: str


class Reading(V, frozen=True, kw_only=True):
    """All that a text asks for; `reason` says why it's nothing."""

    asked: tuple[Asked, ...] = ()
    reason: str = ""


def read(text: str, score: Score, *, gate: Gate, thresholds: Thresholds, most: int = 5) -> Reading:
    """The actions that a text asks for: one, several, or one several times with other values."""
    raise NotImplementedError(text, score, gate, thresholds, most)
