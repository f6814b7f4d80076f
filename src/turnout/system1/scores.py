"""What the tiers of classification share: labelled texts, two scores, and the bars that both must pass."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple, Protocol, Self, runtime_checkable

from turnout.model import V

EASED_OURS: Final = 0.8
EASED_MARGIN: Final = 0.6


class Labelled(V, frozen=True, kw_only=True):
    """A text and the actions that it asks for, one id per call; none means that it is not for the application.

    `parameters` are those of a single action, as their values stand in the text.
    """

    text: str
    actions: tuple[str, ...] = ()
    parameters: dict[str, str] = {}


class Lean(V, frozen=True, kw_only=True):
    """What labelled rows teach a tier about its first score, beside the examples that it was fitted on.

    `constant` and the product of `weights` with a text's vector are added to how surely the text asks for anything.
    """

    constant: float
    weights: tuple[float, ...]


class Scores(V, frozen=True, kw_only=True):
    """What a tier says of one text.

    `ours` is from 0 to 1: how surely it asks for anything in the catalogue. `ranked` holds (action id, probability),
    best first: which of them, given that it is one. `several` are all actions of a text that asks for more than one,
    an id per call; the other two are then of the one that is least sure, which decides whether any runs.
    """

    ours: float
    ranked: tuple[tuple[str, float], ...] = ()
    several: tuple[str, ...] = ()

    @property
    def picked(self) -> tuple[str, ...]:
        """What runs if the scores are good enough."""
        return self.several or tuple(action for action, _ in self.ranked[:1])

    @property
    def margin(self) -> float:
        """How far the best action is ahead of the second, from 0 to 1."""
        if not self.ranked:
            return 0.0
        return self.ranked[0][1] - (self.ranked[1][1] if len(self.ranked) > 1 else 0.0)


class Thresholds(V, frozen=True, kw_only=True):
    """The bars for acting; both must be reached."""

    ours: float
    margin: float

    def eased(self) -> "Thresholds":
        """Lower bars, for words beside others that are sure: their company speaks for them."""
        return Thresholds(ours=self.ours * EASED_OURS, margin=self.margin * EASED_MARGIN)

    def passed(self, scores: Scores) -> bool:
        """Whether the scores are good enough to act on."""
        return scores.ours >= self.ours and scores.margin >= self.margin


@runtime_checkable
class Teachable(Protocol):
    """A scorer that labelled rows correct."""

    def leans(self, rows: Sequence[Labelled], folds: int) -> tuple[Lean | None, ...]:
        """What the rows teach about the first score: all of them, and then all without those of each fold.

        The row at a place is in the fold of that number modulo `folds`. `None` where nothing can be learned.
        """
        ...

    def leaning(self, lean: Lean | None) -> Self:
        """The same scorer with that correction of its first score, and no other."""
        ...


class Known(NamedTuple):
    """The scores of texts that are known already: by their words alone, and in the light of their values."""

    worded: dict[str, Scores]
    weighed: dict[str, Scores]

    def all(self) -> Iterator[Scores]:
        """All of them."""
        return chain(self.worded.values(), self.weighed.values())
