"""Softmax regression in numpy, fitted by L-BFGS (Nocedal 1980)."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .cores import one_core
from .scratch import scratch

Floats: TypeAlias = NDArray[np.float32]
_MEMORY: Final = 10


class Softmax:
    """Probabilities of classes for rows of features; `weights` has a row more than there are features, the bias."""

    __slots__ = ("weights",)

    def __init__(self, weights: Floats) -> None:
        self.weights = weights

    def __call__(self, x: Floats) -> Floats:
        """The probability of each class, as rows."""
        scores = x @ self.weights[:-1] + self.weights[-1]
        scores -= scores.max(-1, keepdims=True)
        powers = np.exp(scores)
        return powers / powers.sum(-1, keepdims=True)


def fit_softmax(
    x: Floats,
    labels: NDArray[np.int64],
    classes: int,
    *,
    decay: float = 0.6,
    steps: int = 60,
    start: Floats | None = None,
    only: Sequence[int] | None = None,
) -> Softmax:
    """The head that fits the rows; `decay` is the weight of L2, `start` the weights of a similar one to begin with.

    With `only`, no weights but those of these classes are changed, which costs as much less as they are fewer.
    """
    weights = np.zeros((x.shape[1] + 1, classes), np.float32) if start is None else start
    if only is None:
        return Softmax(least(_loss(x, labels, weights, slice(None), decay), weights, steps))
    weights, free = weights.copy(), np.asarray(only, np.int64)
    weights[:, free] = least(_loss(x, labels, weights, free, decay), weights[:, free], steps)
    return Softmax(weights)


Loss: TypeAlias = Callable[[Floats], tuple[float, Floats]]


def _loss(
    x: Floats, labels: NDArray[np.int64], weights: Floats, free: slice | NDArray[np.int64], decay: float
) -> Loss:
    """The loss and its slope by the weights of the `free` classes, where the others have those given."""
    rows = len(x)
    places = np.arange(rows)
    right = scratch(rows, weights.shape[1])
    right[places, labels] = 1
    right = right[:, free]
    shrink = np.float32(decay / rows)
    with one_core():
        fixed = None if isinstance(free, slice) else x @ weights[:-1] + weights[-1]

    scores = scratch(rows, weights.shape[1])

    def loss(weights: Floats) -> tuple[float, Floats]:
        with one_core():
            if fixed is None:
                np.matmul(x, weights[:-1], out=scores)
                np.add(scores, weights[-1], out=scores)
            else:
                np.copyto(scores, fixed)
                scores[:, free] = x @ weights[:-1] + weights[-1]
            np.subtract(scores, scores.max(1, keepdims=True), out=scores)
            told = scores[places, labels]
            np.exp(scores, out=scores)
            sums = scores.sum(1, keepdims=True)
            wrong = float((np.log(sums[:, 0]) - told).mean())
            np.divide(scores, sums, out=scores)
            over = scores[:, free]
            over -= right
            slope = scratch(*weights.shape)
            np.matmul(x.T, over, out=slope[:-1])
            slope[:-1] /= np.float32(rows)
            slope[:-1] += shrink * weights[:-1]
            slope[-1] = over.mean(0)
            return wrong + float(0.5 * shrink * (weights[:-1] ** 2).sum()), slope

    return loss


def least(loss: Loss, weights: Floats, steps: int) -> Floats:
    """The weights where the loss is least, or that are reached in so many steps."""
    value, slope = loss(weights)
    memory = scratch(min(_MEMORY, steps), 2, *weights.shape)
    for taken in range(steps):
        way = _direction(slope, [memory[at % _MEMORY] for at in range(max(0, taken - _MEMORY), taken)])
        fall = float((slope * way).sum())
        length = 1.0
        there = scratch(*weights.shape)
        while True:
            np.multiply(way, np.float32(-length), out=there)
            there += weights
            new_value, new_slope = loss(there)
            if new_value <= value - 1e-4 * length * fall or length < 1e-6:
                break
            length /= 2
        step, change = memory[taken % _MEMORY]
        np.subtract(there, weights, out=step)
        np.subtract(new_slope, slope, out=change)
        weights, value, slope = there, new_value, new_slope
        if float(np.abs(slope).max()) < 1e-5:
            break
    return np.array(weights, np.float32)


def _direction(slope: Floats, past: Sequence[Floats]) -> Floats:
    """The slope, bent by what the last steps told of the curvature."""
    way = scratch(*slope.shape)
    np.copyto(way, slope)
    if not past:
        return way * np.float32(min(1.0, 10 / max(float(np.abs(slope).sum()), 1e-9)))
    pulls: list[np.float32] = []
    for step, change in reversed(past):
        pull = np.float32((step * way).sum() / max(float((change * step).sum()), 1e-12))
        pulls.append(pull)
        way -= pull * change
    step, change = past[-1]
    way *= np.float32((step * change).sum() / max(float((change * change).sum()), 1e-12))
    for (step, change), pull in zip(past, reversed(pulls), strict=True):
        back = np.float32((change * way).sum() / max(float((change * step).sum()), 1e-12))
        way += (pull - back) * step
    return way
