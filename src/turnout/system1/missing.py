"""How many labelled rows are missing for a promise.

Strategy: if the rows to come go wrong as often as those that are there, how many does the proof need? The shares seen
are kept, the numbers grow, for either kind alone and for both, and the smallest growth that would pass is told. It is
an estimate: the shares are those of the thresholds that looked best.
"""

from collections.abc import Iterator
from typing import Final

from turnout.model import V

from .binomial import lower
from .ladder import UNSEEN
from .risk import Counts, Promise, kept

_FEWEST: Final = 100  # rows of a kind from which growth is counted
_STEPS: Final = 10
_LOOKED_AT: Final = 8


class Missing(V, frozen=True, kw_only=True):
    """Labelled rows to be added: `asking` for actions, `idle` for the model.

    `least`: the rows that are there go wrong too often, but are too few to be sure of it; so many more would do if
    none of them went wrong.
    """

    asking: int = 0
    idle: int = 0
    least: bool = False

    @property
    def told(self) -> str:
        """It in words."""
        kinds = ((self.asking, "that ask for actions"), (self.idle, "that are for the model"))
        rows = " and ".join(f"{number} more labelled rows {kind}" for number, kind in kinds if number)
        return (
            f"at least {rows} are needed, and hardly one of them may go wrong"
            if self.least
            else f"about {rows} would do"
        )


def missing(seen: list[Counts], promise: Promise, *, testing_share: float) -> Missing | None:
    """The fewest rows to add, `None` when the rows show that none of the thresholds would ever pass.

    `seen` are the counts over all rows, for each pair of thresholds; `testing_share` of all rows test.
    """
    tried = [counts for counts in seen[:: max(1, len(seen) // _LOOKED_AT)] if counts.acts]
    likely = [each for each in tried if each.wrong_share(promise.reasoning_share) < promise.max_wrong]
    found = [grown for counts in likely for grown in _grown(counts, promise, testing_share, UNSEEN)]
    if not found:
        lucky = [
            Counts(asking=each.asking, acts=each.acts, idle=each.idle)
            for each in tried
            if not _hopeless(each, promise)
        ]
        found = [
            Missing(asking=grown.asking, idle=grown.idle, least=True)
            for counts in lucky
            for grown in _grown(counts, promise, testing_share, 0.0)
        ]
    return min(found, key=lambda each: each.asking + each.idle, default=None)


def _hopeless(counts: Counts, promise: Promise) -> bool:
    """Whether the rows prove that the promise is broken."""
    share, error = promise.reasoning_share, promise.error / 2
    misroutes = lower(counts.wrong, counts.acts, error) * counts.acts / counts.asking
    false_acts = lower(counts.false, counts.idle, error) if counts.idle else 0.0
    wrong = share * false_acts + (1 - share) * misroutes
    return wrong > promise.max_wrong * (share * false_acts + (1 - share) * counts.acts / counts.asking)


def _grown(counts: Counts, promise: Promise, testing_share: float, unseen: float) -> Iterator[Missing]:
    """For each way to grow, the first size that passes."""
    for asking, idle in ((False, True), (True, False), (True, True)):
        for step in range(1, _STEPS + 1):
            added = Missing(
                asking=_more(counts.asking, step) if asking else 0,
                idle=_more(counts.idle, step) if idle else 0,
            )
            if kept(_scaled(counts, added, testing_share, unseen), promise):
                yield added
                break


def _more(rows: int, step: int) -> int:
    """How many rows a step adds: each step is 1.5 times as many in all, in round numbers."""
    added = int(max(rows, _FEWEST) * 1.5**step) - rows
    unit = 10 if added < 500 else 100
    return -(-added // unit) * unit


def _scaled(counts: Counts, added: Missing, testing_share: float, unseen: float) -> Counts:
    asking = int((counts.asking + added.asking) * testing_share)
    idle = int((counts.idle + added.idle) * testing_share)
    acts = round(asking * counts.acts / counts.asking)
    return Counts(
        asking=asking,
        acts=acts,
        wrong=round(acts * (counts.wrong + unseen) / (counts.acts + 1)),
        idle=idle,
        false=round(idle * (counts.false + unseen) / (counts.idle + 1)),
    )
