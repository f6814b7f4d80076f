"""What the tiers of classification share: labelled texts, two scores, and the bars that both must pass."""

from turnout.model import V


class Labelled(V, frozen=True, kw_only=True):
    """A text and the actions that it asks for, one id per call; none means that it is not for the application."""

    text: str
    actions: tuple[str, ...] = ()


class Scores(V, frozen=True, kw_only=True):
    """What a tier says of one text.

    `ours` is from 0 to 1: how surely it asks for anything in the catalogue. `ranked` holds (action id, probability),
    best first: which of them, given that it is one.
    """

    ours: float
    ranked: tuple[tuple[str, float], ...] = ()

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

    def passed(self, scores: Scores) -> bool:
        """Whether the scores are good enough to act on."""
        return scores.ours >= self.ours and scores.margin >= self.margin
