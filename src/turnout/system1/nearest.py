"""How like a vector is to the nearest of many rows, without looking at all of every row.

Strategy: most of what tells the rows apart lies along a few directions. Likeness along these, and the lengths of what
is left of both (Cauchy and Schwarz), bound the whole likeness; only rows whose bound reaches the best ones found are
read in full. The result is the same as that of reading them all.
"""

from typing import Final

import numpy as np

from .heads import Floats

_MANY: Final = 2048
"""Up to so many rows it takes no longer to read them all."""
_AXES: Final = 128
_FEW: Final = 8
"""Where more than an eighth of the rows would have to be read, all of them are."""

_ROUNDING: Final = np.float32(1e-5)


class Nearest:
    """The mean likeness (the product of the vectors) to the `count` nearest of the rows; 0 without any."""

    __slots__ = ("_along", "_axes", "_count", "_left", "_rows")

    def __init__(self, rows: Floats, count: int = 3) -> None:
        self._rows = rows
        self._count = count
        self._axes: Floats | None = None
        if len(rows) > _MANY and rows.shape[1] > 2 * _AXES:
            self._axes = np.linalg.eigh(rows.T @ rows)[1][:, -_AXES:].astype(np.float32)
            self._along = np.ascontiguousarray(rows @ self._axes)
            self._left = _length_left(rows, self._along)

    def __call__(self, vector: Floats) -> float:
        """The mean likeness to the nearest rows."""
        if not len(self._rows):
            return 0.0
        if self._axes is None:
            return mean_of_best(self._rows @ vector, self._count)
        along = vector @ self._axes
        guessed = self._along @ along
        bounds = guessed + self._left * (_length_left(vector, along) + _ROUNDING)
        likely = np.argpartition(guessed, -self._count)[-self._count :]
        least = (self._rows[likely] @ vector).min() - _ROUNDING
        near = np.flatnonzero(bounds >= least)
        rows = self._rows if _FEW * len(near) > len(self._rows) else self._rows[near]
        return mean_of_best(rows @ vector, self._count)


def _length_left(whole: Floats, along: Floats) -> Floats:
    """The length of what is not along the axes."""
    squares = np.einsum("...i,...i->...", whole, whole) - np.einsum("...i,...i->...", along, along)
    return np.sqrt(np.maximum(squares, 0))


def mean_of_best(values: Floats, count: int) -> float:
    """The mean of the `count` greatest values, of all where there are fewer."""
    best = np.partition(values, -count)[-count:] if len(values) > count else values
    return float(best.mean())
