"""How like a text is to the examples of one action, beside how like these are to each other.

Strategy: the local density of novelty detection (Breunig et al. 2000). Requests that an application nearly offers are
worded like some example of some action; what is asked for is worded like many examples of its own one. An action whose
examples are close together asks for more likeness than one of which people speak in many ways.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .heads import Floats
from .nearest import mean_of_best

NEAREST: Final = 3
_QUARTER: Final = 4
"""The likeness to an action is that to the nearest quarter of its examples, and to three at least."""
_USUAL: Final = 0.7
_ALLOWED: Final = 0.5
_FEW: Final = 10
"""Half of what the examples of an action have in common above (or below) the usual counts against (or for) a text;
less of it where the examples are few, which tell little about all the others."""
_SEEN: Final = 400
"""So many of an action's examples tell how like each other they are."""


class Membership:
    """What is known of the rows of each class; the vectors have length 1 and are sorted by class."""

    __slots__ = ("_expected", "_rows")

    def __init__(self, rows: Floats, labels: NDArray[np.int64], classes: int) -> None:
        ends = np.searchsorted(labels, np.arange(classes), side="right")
        self._rows = np.split(rows, ends[:-1])
        self._expected = [_ALLOWED * _alike(own) for own in self._rows]

    def __call__(self, vector: Floats, label: int) -> tuple[float, float]:
        """The likeness to the nearest examples of the class: the mean of three, and that of a quarter of them as it
        compares to their own."""
        values = self._rows[label] @ vector
        if not len(values):
            return 0.0, 0.0
        return mean_of_best(values, NEAREST), mean_of_best(values, _quarter(len(values))) - self._expected[
            label
        ]

    def size(self, label: int) -> int:
        """How many rows the class has."""
        return len(self._rows[label])


def _quarter(count: int) -> int:
    return max(NEAREST, count // _QUARTER)


def _alike(own: Floats) -> float:
    """How much liker than usual an example is to the nearest quarter of the others, for the median of the examples."""
    if len(own) <= NEAREST:
        return 0.0
    seen = own[:: -(-len(own) // _SEEN)]
    likeness = seen @ seen.T
    np.fill_diagonal(likeness, -1)
    count = min(_quarter(len(seen)), len(seen) - 1)
    median = np.median(np.partition(likeness, -count, axis=1)[:, -count:].mean(1))
    return float(median - _USUAL) * len(own) / (len(own) + _FEW)
