"""Whether counted errors are few enough for a promise about the share of wrong actions, in traffic of a known mix.

Strategy: what is promised is wrong/acts, where a wrong act is a *misroute* (a request for one action runs another) or
a *false act* (a request for the model runs one). Labelled rows hardly ever have the traffic's mix, so both kinds are
counted apart, misroutes over the rows that ask for an action and false acts over those that don't, and mixed with the
share of reasoning traffic. The promise leaves a budget of errors, of which either kind may have used any part; it is
kept only if, for *every* split of the budget, errors as few as were counted would have been too unlikely. That needs
no normal approximation and no choice of a split, and is exact up to the grid, which errs on the side of refusing.
"""

from typing import Final

import msgspec

from turnout.model import V

from .binomial import at_most, lower

_CELLS: Final = 16
_FINEST: Final = 1 / 512
_BLOCKS: Final = 48
_HALVINGS: Final = 14
_FOR_COVERAGE: Final = (
    0.1  # of the error that the confidence leaves; the share of acts is known best of the three
)


class Promise(V, frozen=True, kw_only=True):
    """Of all actions that run at most the share `max_wrong` is wrong.

    That holds in traffic of which the share `reasoning_share` is for the model, and it is true with probability
    `confidence` at least, over the rows that happened to be labelled.

    Raises:
        ValueError: a number is not between 0 and 1, or nothing could be promised with it.
    """

    max_wrong: float = 0.01
    reasoning_share: float = 0.8
    confidence: float = 0.95

    def __post_init__(self) -> None:
        for name, least in (("max_wrong", 0.0), ("reasoning_share", -1.0), ("confidence", 0.0)):
            value = getattr(self, name)
            if not least < value < 1.0 or value < 0.0:
                raise ValueError(f"{name} is {value}; expected a share below 1")

    @property
    def error(self) -> float:
        """How probable it may be that the promise is broken after all."""
        return 1.0 - self.confidence


class Counts(V, frozen=True, kw_only=True):
    """What happens to labelled rows at some thresholds.

    `asking` rows ask for an action, `acts` of them are acted on and `wrong` of these otherwise than asked; `idle` rows
    ask for none, and `false` of them are acted on.
    """

    asking: int = 0
    acts: int = 0
    wrong: int = 0
    idle: int = 0
    false: int = 0

    @property
    def coverage(self) -> float:
        """The share of the rows that ask for an action which are answered right."""
        return (self.acts - self.wrong) / self.asking if self.asking else 0.0

    def wrong_share(self, reasoning_share: float) -> float:
        """Wrong/acts as counted, in traffic of that mix; 0 where nothing acts."""
        false = reasoning_share * (self.false / self.idle if self.idle else 0.0)
        acts = (1 - reasoning_share) * (self.acts / self.asking if self.asking else 0.0)
        wrong = (1 - reasoning_share) * (self.wrong / self.asking if self.asking else 0.0)
        return (false + wrong) / (false + acts) if false + acts else 0.0


def kept(counts: Counts, promise: Promise) -> bool:
    """Whether the counts prove the promise at its confidence; never where no act or no needed row was seen.

    With `a` the share of asking rows acted on, `m` the misroutes among these acts and `f` the false acts among idle
    rows, the promise `wrong/acts <= max_wrong` is `m + weight * f <= max_wrong`, where
    `weight = share * (1 - max_wrong) / ((1 - share) * a)`. `a` is bounded from below first. Then errors as few as
    seen, measured by `m + weight * f` again, are tested against each split of `max_wrong` into `m` and `weight * f`.
    """
    share, limit = promise.reasoning_share, promise.max_wrong
    if counts.acts == 0 or (share > 0 and counts.idle == 0):
        return False
    acting = lower(counts.acts, counts.asking, _FOR_COVERAGE * promise.error)
    weight = share * (1 - limit) / ((1 - share) * acting)
    seen = counts.wrong / counts.acts + (weight * counts.false / counts.idle if share else 0.0)
    if seen >= limit:
        return False
    most = int(seen * counts.acts + 1e-9)
    step = most // _BLOCKS + 1
    blocks: list[tuple[int, int, int]] = []
    for first in range(0, most + 1, step):
        false = int((seen - first / counts.acts) * counts.idle / weight + 1e-9) if share else counts.idle
        blocks.append((first, min(first + step - 1, most), false))
    allowed = (1 - _FOR_COVERAGE) * promise.error
    if not share:
        return _as_few(blocks, counts, limit, 0.0) <= allowed

    def probability(first: float, last: float) -> float:
        """Of errors as few as seen, with both shares at their smallest where misroutes use up `first` to `last`."""
        return _as_few(blocks, counts, limit * first, min(1.0, limit * (1 - last) / weight))

    def refuted(first: float, last: float) -> bool:
        """Whether misroutes cannot use up that part of the budget, false acts the rest, and errors be as few."""
        if probability(first, last) <= allowed:
            return True
        middle = (first + last) / 2
        if last - first <= _FINEST or probability(middle, middle) > allowed:
            return False
        return refuted(first, middle) and refuted(middle, last)

    return all(refuted(cell / _CELLS, (cell + 1) / _CELLS) for cell in range(_CELLS))


def _as_few(blocks: list[tuple[int, int, int]], counts: Counts, misroutes: float, false_acts: float) -> float:
    """The probability of errors within the blocks (first and last number of misroutes, most false acts)."""
    total, below = 0.0, 0.0
    for _, last, false in blocks:
        upto = at_most(last, counts.acts, misroutes)
        if upto > below:
            total += (upto - below) * at_most(false, counts.idle, false_acts)
            below = upto
    return total


def at_worst(counts: Counts, promise: Promise) -> float:
    """The smallest `max_wrong` that the counts prove, all else as in the promise; 1 when they prove nothing."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if kept(counts, msgspec.structs.replace(promise, max_wrong=middle)):
            high = middle
        else:
            low = middle
    return high
