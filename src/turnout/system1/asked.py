"""What a text asks for: actions, and the words of each in which its parameters stand."""

from collections.abc import Callable
from typing import Final, TypeAlias

from turnout.model import V

from .scores import Scores

BELOW: Final = "below threshold"
"""The reason of a reading that is not sure enough."""


class Asked(V, frozen=True, kw_only=True):
    """One action that a request asks for, and the words in which its parameters stand.

    `points` says that the words point back to an earlier one ("send it"), `scores` what they were chosen by.
    `background` are statements beside them, which may say what they leave open; `doubted` says that these tell what
    was, or what is not wanted. `whole` is all of it as it was written, where that is more than `text`.
    """

    action_id: str
    text: str
    scores: Scores = Scores(ours=0.0)
    points: bool = False
    background: str = ""
    doubted: bool = False
    whole: str = ""


class Reading(V, frozen=True, kw_only=True):
    """All that a text asks for; `reason` says why that's nothing.

    `scores` are those of the clause that decided, for people who tune the thresholds.
    """

    asked: tuple[Asked, ...] = ()
    reason: str = ""
    scores: Scores = Scores(ours=0.0)


Read: TypeAlias = Callable[[str], Reading]
"""`read` with everything but the text bound."""
