"""The lexical tier: scores from the words alone, in pure Python; there are no weights to install.

Strategy: a linear classifier over weighted features, learned by passive-aggressive updates (Crammer et al. 2006),
which touch two actions per mistake, and averaged over all steps; beside it the nearest examples tell whether the text
is like anything known at all. Both are sums over the few actions and examples that share a feature with the text.
"""

import math
import random
from collections import defaultdict
from typing import Final

from .catalogue import NONE, Catalogue
from .features import Rarity, counts
from .scores import Scores

_EPOCHS: Final = 6
_SHARPNESS: Final = 6.0
_NEAREST: Final = 3
_LEAST: Final = 1e-3

Vector = dict[str, float]


class LexicalScorer:
    """Scores texts by the words that they share with a catalogue's rows."""

    def __init__(self, catalogue: Catalogue, seed: int = 1) -> None:
        self._ids = catalogue.ids
        bags = [counts(text) for text in catalogue.texts]
        self._rarity = Rarity(bags)
        vectors = [self._rarity.vector(bag) for bag in bags]
        classes = len(catalogue.ids) + (NONE in catalogue.labels)
        labels = [len(catalogue.ids) if label == NONE else label for label in catalogue.labels]
        self._classes = classes
        self._weights = _learn(vectors, labels, classes, random.Random(seed))  # noqa: S311 -- the order of rows
        self._rows: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for row, vector in enumerate(vectors):
            for name, value in vector.items():
                self._rows[name].append((row, value))
        self._ours = [label != NONE for label in catalogue.labels]

    def score(self, text: str) -> Scores:
        """How surely the text asks for an action, and for which."""
        vector = self._rarity.vector(counts(text))
        if not vector:
            return Scores(ours=0.0)
        chances = _chances(_sums(vector, self._weights, self._classes))
        near, other = self._nearest(vector)
        return verdict(self._ids, chances, near, other)

    def _nearest(self, vector: Vector) -> tuple[float, float]:
        """The mean likeness to the nearest rows that ask for actions, and to those that ask for none."""
        likeness: dict[int, float] = defaultdict(float)
        for name, value in vector.items():
            for row, weight in self._rows.get(name, ()):
                likeness[row] += value * weight
        near = [value for row, value in likeness.items() if self._ours[row]]
        other = [value for row, value in likeness.items() if not self._ours[row]]
        return _top(near), _top(other)


def verdict(ids: tuple[str, ...], chances: list[float], near: float, other: float) -> Scores:
    """Both scores: from the probabilities of the actions (and, after them, of none), and the likeness of neighbours.

    A text that is nearer to what asks for nothing than to what asks for something loses the difference.
    """
    acting = chances[: len(ids)]
    order = sorted(range(len(ids)), key=acting.__getitem__, reverse=True)
    total = sum(acting) or 1.0
    likeness = max(0.0, near - max(0.0, other - near))
    ours = 0.5 * acting[order[0]] + 0.5 * min(1.0, likeness)
    return Scores(ours=ours, ranked=tuple((ids[at], acting[at] / total) for at in order))


def _top(values: list[float]) -> float:
    best = sorted(values, reverse=True)[:_NEAREST]
    return sum(best) / len(best) if best else 0.0


def _chances(sums: list[float]) -> list[float]:
    most = max(sums)
    powers = [math.exp(_SHARPNESS * (value - most)) for value in sums]
    total = sum(powers)
    return [power / total for power in powers]


def _sums(vector: Vector, weights: dict[str, list[tuple[int, float]]], classes: int) -> list[float]:
    sums = [0.0] * classes
    for name, value in vector.items():
        for at, weight in weights.get(name, ()):
            sums[at] += value * weight
    return sums


def _learn(
    vectors: list[Vector], labels: list[int], classes: int, order: random.Random
) -> dict[str, list[tuple[int, float]]]:
    """Weights per feature, of the actions that it tells something about."""
    now: dict[str, dict[int, float]] = defaultdict(dict)
    past: dict[str, dict[int, float]] = defaultdict(dict)
    rows = list(range(len(vectors)))
    step = 1
    for _ in range(_EPOCHS if classes > 1 else 1):
        order.shuffle(rows)
        for row in rows:
            vector, right = vectors[row], labels[row]
            sums = [0.0] * classes
            for name, value in vector.items():
                for at, weight in now[name].items():
                    sums[at] += value * weight
            mine, sums[right] = sums[right], -math.inf
            rival = max(range(classes), key=sums.__getitem__)
            loss = 1 - mine + (sums[rival] if classes > 1 else 0.0)
            if loss > 0:
                pull = min(1.0, loss / 2)
                _update(now, past, vector, right, pull, step)
                if classes > 1:
                    _update(now, past, vector, rival, -pull, step)
            step += 1
    return {
        name: kept
        for name, weights in now.items()
        if (
            kept := [
                (at, mean)
                for at, weight in weights.items()
                if abs(mean := weight - past[name].get(at, 0.0) / step) > _LEAST
            ]
        )
    }


def _update(
    now: dict[str, dict[int, float]],
    past: dict[str, dict[int, float]],
    vector: Vector,
    at: int,
    pull: float,
    step: int,
) -> None:
    for name, value in vector.items():
        change = pull * value
        now[name][at] = now[name].get(at, 0.0) + change
        past[name][at] = past[name].get(at, 0.0) + change * step
