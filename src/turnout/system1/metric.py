"""A likeness of vectors learned from the examples: those of one action become like each other, and unlike all others.

Strategy: neighbourhood components analysis (Goldberger et al. 2004). Each example picks another one, the likelier the
liker it is; the chance that it picks one of its own action is raised. The vectors of an encoder differ in much that
tells nothing about the wish, such as who and when, and in each catalogue something else of it does. What few examples
show of that is used up in a few steps, and more of them would learn the examples by heart.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .cores import one_core
from .heads import Floats

_STEPS: Final = 8
_LENGTH: Final = 1.5
"""The length of the first step; they become shorter evenly. Steps do not depend on how steep the loss is."""
_MOMENTUM: Final = 0.6
_SHARPNESS: Final = 1 / 0.15
_ANCHORED: Final = 3
"""An action of fewer rows, which may be no more than its name and its description, tells nothing about likeness."""
_EACH: Final = 20
_ALL: Final = 2000
"""Most rows of an action, and of all together, that are compared; the cost grows with their square."""
_AT_ONCE: Final = 128
"""Rows whose likeness to all others is held at once; a table of all pairs would stay in the memory of the process."""
_LONGEST: Final = 1536
"""Longer vectors stay as they are: a matrix of their length squared would have to be read for each request."""
_TINY: Final = 1e-9


class Metric:
    """Vectors of length 1 in, as rows, vectors of length 1 out, whose products are the likeness that was learned."""

    __slots__ = ("_change",)

    def __init__(self, change: Floats | None) -> None:
        self._change = change

    def __call__(self, rows: Floats) -> Floats:
        """The rows as they are compared."""
        if self._change is None:
            return rows
        return _changed(rows, self._change)[0]


def learn_metric(rows: Floats, labels: NDArray[np.int64]) -> Metric:
    """The likeness for rows sorted by label; those with a negative label are like nothing, not even each other.

    Without an action of several examples it is the product of the vectors as they came.
    """
    compared = _compared(labels)
    x, labels = rows[compared], labels[compared]
    kinds, counted = np.unique(labels, return_counts=True)
    anchors = np.flatnonzero(np.isin(labels, kinds[(kinds >= 0) & (counted >= _ANCHORED)]))
    if not len(anchors) or len(kinds) < 2 or rows.shape[1] > _LONGEST:
        return Metric(None)
    change: Floats = np.zeros((rows.shape[1], rows.shape[1]), np.float32)
    way: Floats = np.zeros_like(change)
    for step in range(_STEPS):
        with one_core():
            slope = _slope(x, change, labels, anchors)
            way *= np.float32(_MOMENTUM)
            way += slope / np.float32(max(float(np.linalg.norm(slope)), _TINY))
            change -= way * np.float32(_LENGTH * (1 - step / _STEPS))
    return Metric(change)


def _compared(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places of the rows that are compared: of each label as many, spread evenly, and not of all labels if many."""
    places = np.split(np.arange(len(labels)), np.flatnonzero(np.diff(labels)) + 1)
    each = min(_EACH, max(_ANCHORED + 2, _ALL // len(places)))
    kept = places[:: -(-len(places) * each // _ALL)]
    return np.concatenate([own[:: -(-len(own) // each)] for own in kept])


def _slope(x: Floats, change: Floats, labels: NDArray[np.int64], anchors: NDArray[np.int64]) -> Floats:
    """The way in which the anchors' chances to pick rightly, the sum of their logarithms, fall the most."""
    z, lengths = _changed(x, change)
    over = np.zeros_like(z)
    for start in range(0, len(anchors), _AT_ONCE):
        some = anchors[start : start + _AT_ONCE]
        powers = z[some] @ z.T
        powers *= np.float32(_SHARPNESS)
        powers[np.arange(len(some)), some] = -np.inf
        powers -= powers.max(1, keepdims=True)
        np.exp(powers, out=powers)
        right = powers * (labels[some][:, None] == labels)
        powers /= powers.sum(1, keepdims=True)
        right /= np.maximum(right.sum(1, keepdims=True), np.float32(_TINY))
        powers -= right
        over[some] += powers @ z
        over += powers.T @ z[some]
    over -= z * np.einsum("ij,ij->i", over, z)[:, None]
    over /= lengths
    slope: Floats = x.T @ over
    return slope


def _changed(rows: Floats, change: Floats) -> tuple[Floats, Floats]:
    """The rows and their change, at length 1, and how long they were."""
    found: Floats = rows @ change
    found += rows
    squares: Floats = np.einsum("ij,ij->i", found, found)[:, None]
    lengths: Floats = np.maximum(np.sqrt(squares), np.float32(_TINY))
    found /= lengths
    return found, lengths
