"""The lexical tier: scores from the words alone, in pure Python; there are no weights to install.

Strategy: two views of the same features. How much likelier each is in the texts of one action than in all others
(naive Bayes against the complement, Rennie et al. 2003), and how near the text is to the middle of an action's texts.
Both are sums over the few actions that share a feature with the text, and are counted, not trained: learning another
action takes no longer than reading its examples.
"""

import math
from collections import defaultdict
from typing import Final

from .catalogue import NONE, Catalogue
from .features import Rarity, counts
from .scores import Scores

_SMOOTH: Final = 0.1
_OWN_SMOOTH: Final = 0.05 * _SMOOTH
_MIDDLE: Final = 5.0
_SHARPNESS: Final = 2.0
_NEAREST: Final = 3
_AS_NEAR: Final = 1.5
"""A middle is farther from a text than the nearest examples are; this makes up for it."""

Vector = dict[str, float]


class LexicalScorer:
    """Scores texts by the words that they share with a catalogue's rows."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._ids = catalogue.ids
        bags = [counts(text) for text in catalogue.texts]
        self._rarity = Rarity(bags)
        vectors = [self._rarity.vector(bag) for bag in bags]
        classes = len(catalogue.ids) + (NONE in catalogue.labels)
        labels = [len(catalogue.ids) if label == NONE else label for label in catalogue.labels]
        self._model = _Counted(vectors, labels, classes)
        self._elsewhere: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for row, (vector, label) in enumerate(zip(vectors, catalogue.labels, strict=True)):
            if label == NONE:
                for name, value in vector.items():
                    self._elsewhere[name].append((row, value))

    def score(self, text: str) -> Scores:
        """How surely the text asks for an action, and for which."""
        vector = self._rarity.vector(counts(text))
        if not vector:
            return Scores(ours=0.0)
        sums, middle = self._model.read(vector)
        near = max(middle[: len(self._ids)])
        return verdict(self._ids, _chances(sums), _AS_NEAR * near, self._likeness_elsewhere(vector))

    def _likeness_elsewhere(self, vector: Vector) -> float:
        """The mean likeness to the nearest of the rows that ask for nothing; they have no middle."""
        likeness: dict[int, float] = defaultdict(float)
        for name, value in vector.items():
            for row, weight in self._elsewhere.get(name, ()):
                likeness[row] += value * weight
        best = sorted(likeness.values(), reverse=True)[:_NEAREST]
        return sum(best) / len(best) if best else 0.0


def verdict(
    ids: tuple[str, ...], chances: list[float], near: float, other: float, *, certainty: float = 0.5
) -> Scores:
    """Both scores: from the probabilities of the actions (and, after them, of none), and the likeness of neighbours.

    `certainty` is the share of the best probability in the first score, the rest is that of the likeness. A text that
    is nearer to what asks for nothing than to what asks for something loses the difference.
    """
    acting = chances[: len(ids)]
    order = sorted(range(len(ids)), key=acting.__getitem__, reverse=True)
    total = sum(acting) or 1.0
    likeness = max(0.0, near - max(0.0, other - near))
    ours = certainty * acting[order[0]] + (1 - certainty) * min(1.0, likeness)
    return Scores(ours=ours, ranked=tuple((ids[at], acting[at] / total) for at in order))


def _chances(sums: list[float]) -> list[float]:
    most = max(sums)
    powers = [math.exp(_SHARPNESS * (value - most)) for value in sums]
    total = sum(powers)
    return [power / total for power in powers]


class _Counted:
    """What the features tell of each action: per feature (place of the action, log odds, weight in its middle)."""

    def __init__(self, vectors: list[Vector], labels: list[int], classes: int) -> None:
        own: dict[str, dict[int, float]] = defaultdict(dict)
        sizes = [0.0] * classes
        for vector, label in zip(vectors, labels, strict=True):
            for name, value in vector.items():
                places = own[name]
                places[label] = places.get(label, 0.0) + value
                sizes[label] += value
        lengths = [0.0] * classes
        for places in own.values():
            for at, value in places.items():
                lengths[at] += value * value
        total, kinds = sum(sizes), len(own)
        self._bias = [
            math.log(total - size + _SMOOTH * kinds) - math.log(size + _OWN_SMOOTH * kinds) for size in sizes
        ]
        self._told = {
            name: [
                (
                    at,
                    math.log((value + _OWN_SMOOTH) / _OWN_SMOOTH)
                    - math.log((sum(places.values()) - value + _SMOOTH) / (sum(places.values()) + _SMOOTH)),
                    value / math.sqrt(lengths[at]),
                )
                for at, value in places.items()
            ]
            for name, places in own.items()
        }

    def read(self, vector: Vector) -> tuple[list[float], list[float]]:
        """How much speaks for each action, of which only differences count, and how near each one's middle is."""
        odds = [0.0] * len(self._bias)
        middle = [0.0] * len(self._bias)
        for name, value in vector.items():
            for at, told, weight in self._told.get(name, ()):
                odds[at] += value * told
                middle[at] += value * weight
        weight = 1 / sum(vector.values())
        sums = [
            odd * weight + bias + _MIDDLE * near
            for odd, bias, near in zip(odds, self._bias, middle, strict=True)
        ]
        return sums, middle
