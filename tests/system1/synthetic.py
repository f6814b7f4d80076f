"""Requests whose scores are drawn from known distributions, so that the true share of wrong actions is known."""

import random
from collections.abc import Iterable

from turnout.system1.ladder import Scored, count
from turnout.system1.risk import Counts
from turnout.system1.scores import Labelled, Scores, Thresholds


class World:
    """Traffic with a scorer of a certain skill.

    `accuracy`: how often the best action is the right one; `near`: the share of the requests for the model that look
    like ones for an action.
    """

    def __init__(self, seed: int, *, accuracy: float = 0.97, near: float = 0.05) -> None:
        self._random = random.Random(seed)
        self._accuracy = accuracy
        self._near = near
        self._scores: dict[str, Scores] = {}

    def rows(self, asking: int, idle: int) -> list[Labelled]:
        """Fresh labelled rows."""
        return [self._row(place < asking) for place in range(asking + idle)]

    def score(self, text: str) -> Scores:
        """What was drawn for the text."""
        return self._scores[text]

    def truth(self, thresholds: Thresholds, rows: Iterable[Labelled]) -> Counts:
        """What the thresholds do to the rows."""
        scored = [
            Scored(
                self.score(row.text).ours,
                self.score(row.text).margin,
                row.actions == ("right",) and self.score(row.text).ranked[0][0] == "right"
                if row.actions
                else None,
            )
            for row in rows
        ]
        return count(scored, thresholds)

    def _row(self, asks: bool) -> Labelled:
        draw = self._random
        text = f"request {len(self._scores)}"
        right = asks and draw.random() < self._accuracy
        near = draw.random() < self._near
        if right:
            ours, margin = draw.betavariate(9, 2), draw.betavariate(5, 1)
        elif asks:
            ours, margin = draw.betavariate(6, 2.5), draw.betavariate(1, 2.5)
        elif near:
            ours, margin = draw.betavariate(5, 4), draw.betavariate(2, 2)
        else:
            ours, margin = draw.betavariate(2, 6), draw.betavariate(1, 2)
        best, other = ("right", "other") if right else ("other", "right")
        self._scores[text] = Scores(ours=ours, ranked=((best, (1 + margin) / 2), (other, (1 - margin) / 2)))
        return Labelled(text=text, actions=("right",) if asks else ())
