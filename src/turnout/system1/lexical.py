"""The lexical tier: scores from the words alone, in pure Python; there are no weights to install.

Strategy: two views of the same features. How much likelier each is in the texts of one action than in all others
(naive Bayes against the complement, Rennie et al. 2003), and how near the text is to the middle of an action's texts.
Both are sums over the few actions that share a feature with the text, and are counted, not trained: learning another
action takes no longer than reading its examples.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from .catalogue import NONE, Catalogue
from .columns import ABOVE, addend, column, numbers, parted, weighed, weighted_sum
from .features import Rarity, counts
from .scores import Scores

_SMOOTH: Final = 0.1
_OWN_SMOOTH: Final = 0.05 * _SMOOTH
_MIDDLE: Final = 5.0
_SHARPNESS: Final = 2.0
_NEAREST: Final = 3
_RARE: Final = 0.5
_STEMS: Final = 4
"""A word by its stem tells more beside its many pieces than rarity says, which in few examples most words have."""
_AS_NEAR: Final = 1.35
"""A middle is farther from a text than the nearest examples are; this makes up for it."""
_UNHEARD: Final = 0.5
"""Words that no example has count against a text: where half of them are such, by the square root of a half."""
_MANY: Final = 6
"""A feature that a sixth of the actions have is read faster for all of them at once than for each."""

RANKED: Final = 100
"""Most actions in a ranking; what comes after them is of no use to anyone."""

_SAMPLED: Final = 8

Vector = dict[str, float]


class LexicalScorer:
    """Scores texts by the words that they share with a catalogue's rows."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._ids = catalogue.ids
        bags = [counts(text, _STEMS) for text in catalogue.texts]
        self._rarity = Rarity(bags, _RARE)
        vectors = [self._rarity.vector(bag) for bag in bags]
        classes = len(catalogue.ids) + (NONE in catalogue.labels)
        labels = [len(catalogue.ids) if label == NONE else label for label in catalogue.labels]
        self._model = _Counted(vectors, labels, len(catalogue.ids), classes)
        self._elsewhere: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for row, (vector, label) in enumerate(zip(vectors, catalogue.labels, strict=True)):
            if label == NONE:
                for name, value in vector.items():
                    self._elsewhere[name].append((row, value))

    @property
    def encoding(self) -> str:
        """Nothing; there is no encoder."""
        return ""

    def score(self, text: str) -> Scores:
        """How surely the text asks for an action, and for which."""
        vector = self._rarity.vector(counts(text, _STEMS))
        if not vector:
            return Scores(ours=0.0)
        likely, near = self._model.read(vector)
        chances = list(map(math.exp, likely))
        near *= _AS_NEAR
        found = verdict(self._ids, chances, near - max(0.0, self._likeness_elsewhere(vector) - near))
        return msgspec.structs.replace(found, ours=found.ours * self._rarity.known(text) ** _UNHEARD)

    def _likeness_elsewhere(self, vector: Vector) -> float:
        """The mean likeness to the nearest of the rows that ask for nothing; they have no middle."""
        likeness: dict[int, float] = defaultdict(float)
        for name, value in vector.items():
            for row, weight in self._elsewhere.get(name, ()):
                likeness[row] += value * weight
        best = sorted(likeness.values(), reverse=True)[:_NEAREST]
        return sum(best) / len(best) if best else 0.0


def verdict(ids: tuple[str, ...], chances: list[float], likeness: float, *, certainty: float = 0.5) -> Scores:
    """Both scores: from the probabilities of the actions (and, after them, of none), and the likeness to examples.

    The probabilities may be all too large by the same factor. `certainty` is the share of the best one in the first
    score, the rest is that of the likeness. A text that is nearer to what asks for nothing than to what asks for
    something has lost the difference.
    """
    acting = chances[: len(ids)]
    order = _best(acting)
    total = sum(acting) or 1.0
    ours = certainty * acting[order[0]] / sum(chances) + (1 - certainty) * min(1.0, max(0.0, likeness))
    return Scores(ours=ours, ranked=tuple([(ids[at], acting[at] / total) for at in order]))


def _best(chances: list[float]) -> list[int]:
    """The places of the `RANKED` largest, in order; a sample tells most of the others apart beforehand."""
    places: Iterable[int] = range(len(chances))
    if len(chances) > 3 * RANKED:
        bar = sorted(chances[::_SAMPLED], reverse=True)[2 * RANKED // _SAMPLED]
        above = [at for at, chance in enumerate(chances) if chance >= bar]
        places = above if len(above) >= RANKED else places
    return sorted(places, key=chances.__getitem__, reverse=True)[:RANKED]


class _Counted:
    """What the features tell of each action: log odds, and the weight in its middle.

    Features that all texts of the catalogue have alike, as most pieces of a rare word are, tell the same and are read
    as one. What few actions have keeps both by their places; what many have keeps a column of the odds for all
    actions and, after them, of the weights.
    """

    def __init__(self, vectors: list[Vector], labels: list[int], actions: int, classes: int) -> None:
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
        total, kinds = sum(sizes), max(1, len(own))
        bias = [math.log((total - size + _SMOOTH * kinds) / (size + _OWN_SMOOTH * kinds)) for size in sizes]
        self._bias = addend([_SHARPNESS * (each - min(bias)) for each in bias])
        self._actions, self._classes = actions, classes
        scales = [1 / math.sqrt(length) if length else 0.0 for length in lengths]
        self._few: dict[int, list[tuple[int, float, float]]] = {}
        self._many: dict[int, int] = {}
        alike: dict[tuple[tuple[int, float], ...], int] = {}
        self._kinds = {
            name: alike.setdefault(tuple(places.items()), len(alike)) for name, places in own.items()
        }
        for places, kind in alike.items():
            told = [
                (at, odds, value * scales[at])
                for (at, value), odds in zip(places, _odds(places), strict=True)
            ]
            if _MANY * len(told) < classes:
                self._few[kind] = told
                continue
            both = [0.0] * (2 * classes)
            for at, odds, weight in told:
                both[at], both[classes + at] = odds, weight
            self._many[kind] = column(both)

    def read(self, vector: Vector) -> tuple[list[float], float]:
        """The logarithm of how likely each class is, all too large by one number, and how near the nearest middle is.

        What asks for nothing, the last class where there is one, has no middle.
        """
        classes, few, many = self._classes, self._few, self._many
        said: dict[int, float] = {}
        for name, value in vector.items():
            kind = self._kinds[name]
            said[kind] = said.get(kind, 0.0) + value
        sums = weighted_sum([(value, many[kind]) for kind, value in said.items() if kind in many])
        odds, middle = parted(sums, classes)
        weight, pull = _SHARPNESS / sum(vector.values()), _SHARPNESS * _MIDDLE
        likely = weighed([(weight, odds), (pull, middle)], self._bias, classes)
        near = numbers(middle, classes)
        for kind, value in said.items():
            if kind in few:
                speaks, pulls = weight * value, pull * value
                for at, told, share in few[kind]:
                    likely[at] += speaks * told + pulls * share
                    near[at] += value * share
        return likely, max(near[: self._actions]) - ABOVE


def _odds(places: Sequence[tuple[int, float]]) -> Iterator[float]:
    """The log odds of a feature for each action that has it; none is negative."""
    whole = sum([value for _, value in places])
    for _, value in places:
        own, elsewhere = value + _OWN_SMOOTH, max(0.0, whole - value) + _SMOOTH
        yield math.log(own * (whole + _SMOOTH) / (_OWN_SMOOTH * elsewhere))
