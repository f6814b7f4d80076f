"""In which order thresholds are tried for a promise: a ladder from the surest pair down to the one that acts most.

Strategy: trying many thresholds on the same rows and keeping the best is no proof, unless their order was fixed
beforehand. So a few rows are set aside to plan with, and these draw the ladder: for each share of requests answered,
the pair of thresholds with the fewest wrong actions; first the one most likely to pass. How few rows there are for it
costs coverage and never the promise.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from operator import mul
from statistics import pstdev
from typing import Final, NamedTuple

from .risk import Counts, Promise
from .scores import Thresholds

_OURS: Final = 48
_MARGINS: Final = 24
_RUNGS: Final = 50
UNSEEN: Final = 0.25  # errors that are there though none was seen
_NARROWEST: Final = 0.001
_WIDTH: Final = 0.7


class Scored(NamedTuple):
    """A labelled row by its scores; `right` is whether its best action is what was asked for, `None` where none was.

    `ran` is there where the scores don't tell all, as for a text in which several actions may be read: whether the
    thresholds let just that run which is asked for, and `None` where nothing would run.
    """

    ours: float
    margin: float
    right: bool | None
    ran: Callable[[Thresholds], bool | None] | None = None

    def acts(self, thresholds: Thresholds) -> bool | None:
        """Whether just that would run which is asked for; `None` where nothing would."""
        if self.ran is not None:
            return self.ran(thresholds)
        passed = self.ours >= thresholds.ours and self.margin >= thresholds.margin
        return bool(self.right) if passed else None


class _Pair(NamedTuple):
    """A pair of thresholds, what it does to the rows, and how far in standard errors it is from too many errors."""

    thresholds: Thresholds
    covered: float
    safety: float


def count(rows: list[Scored], thresholds: Thresholds) -> Counts:
    """What the thresholds do to the rows."""
    ran = [(row.right is not None, right) for row in rows if (right := row.acts(thresholds)) is not None]
    asking = sum(row.right is not None for row in rows)
    acts = sum(asks for asks, _ in ran)
    wrong = sum(asks and not right for asks, right in ran)
    return Counts(asking=asking, acts=acts, wrong=wrong, idle=len(rows) - asking, false=len(ran) - acts)


def ladder(rows: list[Scored], promise: Promise, asking: int, idle: int) -> tuple[Thresholds, ...]:
    """The thresholds to try, in order; `asking` and `idle` are how many rows they will be tried on."""
    best: dict[int, _Pair] = {}
    for pair in _pairs(rows, promise, asking, idle):
        rung = int(pair.covered * _RUNGS)
        if rung not in best or pair.safety > best[rung].safety:
            best[rung] = pair
    # A rung that is less safe than one that covers more is passed over.
    climbed: list[_Pair] = []
    for _, pair in sorted(best.items(), reverse=True):
        if not climbed or pair.safety > climbed[-1].safety:
            climbed.append(pair)
    return tuple(pair.thresholds for pair in reversed(climbed))


def _pairs(rows: list[Scored], promise: Promise, asking: int, idle: int) -> list[_Pair]:
    """Every pair of a grid over the rows' own scores, with what it does to them."""
    plain, others = [row for row in rows if row.ran is None], [row for row in rows if row.ran is not None]
    right, wrong, none = ([row for row in plain if row.right is kind] for kind in (True, False, None))
    ours = _cuts([row.ours for row in rows], _OURS)
    margins = _cuts([row.margin for row in rows if row.right is not None], _MARGINS)
    planned = sum(row.right is not None for row in rows)
    misroutes = _smooth(wrong, ours, margins)
    false_acts = _smooth(none, ours, margins)
    pairs: list[_Pair] = []
    for first, bar in enumerate(ours):
        sure = sorted(row.margin for row in right if row.ours >= bar)
        for second, margin in enumerate(margins):
            thresholds = Thresholds(ours=bar, margin=margin)
            more = count(others, thresholds)
            covered = (len(sure) - bisect_left(sure, margin) + more.acts - more.wrong) / max(1, planned)
            wrongly = (misroutes[first][second] + more.wrong + UNSEEN) / (planned + 1)
            falsely = (false_acts[first][second] + more.false + UNSEEN) / (len(rows) - planned + 1)
            safety = _safety(covered, wrongly, falsely, promise, asking, idle)
            pairs.append(_Pair(thresholds, covered, safety))
    return pairs


def _smooth(rows: list[Scored], ours: list[float], margins: list[float]) -> list[list[float]]:
    """How many rows pass each pair, each row spread out a little over its surroundings.

    Errors above a high threshold are too rare for a few rows to hold any; where the others end tells more.
    """
    of_ours = [_spread([row.ours for row in rows], cut) for cut in ours]
    of_margins = [_spread([row.margin for row in rows], cut) for cut in margins]
    return [[sum(map(mul, one, other)) for other in of_margins] for one in of_ours]


def _spread(values: list[float], cut: float) -> list[float]:
    """How much of each value, spread out by a logistic kernel, is above the cut."""
    upper_half = sorted(values)[len(values) // 2 :]
    deviation = pstdev(upper_half) if upper_half else 0.0
    width = max(_NARROWEST, _WIDTH * deviation * max(1, len(upper_half)) ** -0.2)
    return [1 / (1 + math.exp(min(40.0, (cut - value) / width))) for value in values]


def _cuts(values: list[float], most: int) -> list[float]:
    """At most `most` values that part the given ones into equal shares, ascending; the smallest is one."""
    ordered = sorted(values)
    return sorted({ordered[len(ordered) * place // most] for place in range(most)}) if ordered else []


def _safety(right: float, wrong: float, false: float, promise: Promise, asking: int, idle: int) -> float:
    """How many standard errors, on the rows that it will be tried on, a pair is from breaking the promise."""
    share, limit = promise.reasoning_share, promise.max_wrong
    gain = (1 - share) * (limit * right - (1 - limit) * wrong) - share * (1 - limit) * false
    spread = (1 - share) ** 2 * (limit**2 * right + (1 - limit) ** 2 * wrong) / max(1, asking)
    spread += (share * (1 - limit)) ** 2 * false / max(1, idle)
    return gain / math.sqrt(spread)
