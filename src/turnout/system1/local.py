"""The local tier: a sentence encoder beside the words, under one softmax head.

Strategy: vectors see what is meant, words see names and rare terms; joined they are better than either. The head reads
the vectors by a likeness that was learned from the examples, and words go through the hashing trick into a vector of
fixed size. The nearest examples of the best actions have a word in which it is, and likeness to those of the very best
tells whether the text is ours; both compare the vectors as they came, since what tells actions apart is not what tells
them from everything else.
"""

import copy
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from .catalogue import NONE, Catalogue
from .cores import one_core
from .features import Rarity, counts
from .heads import Floats, Softmax, fit_softmax
from .leaning import learned
from .lexical import verdict
from .membership import NEAREST, Membership
from .metric import learn_metric
from .nearest import Nearest
from .scores import Labelled, Lean, Scores
from .scratch import scratch

Encode = Callable[[Sequence[str]], Any]
"""Texts in, an array with one vector per text out, each of length 1."""

_HASHED: Final = 1024
_SCALE: Final = 3.0
_WORDS: Final = 0.33
"""Scale of the vectors, and of the words beside them: with `_DECAY`, how freely the head may use each."""
_CERTAINTY: Final = 0.15
_DECAY: Final = 0.3
_BEST: Final = 5
_PULL: Final = 10
_BENDS: Final = 30
"""Among so many actions the nearest examples have a word in which, half of the greatest with 30 examples each."""
_STEPS: Final = 6
_FEW: Final = 10
"""Steps that adapt a head to a slightly other catalogue, which is one where at most a tenth of the texts are new; the
likeness stays as it was learned."""
_SKETCHED: Final = 12
_NOTICEABLE: Final = 0.005


class LocalScorer:
    """Scores texts by their meaning and their words.

    `encode` gives vectors of length 1. Fitting takes seconds for a thousand rows, most of them in `encode`; with a
    scorer of nearly the same catalogue as `since`, what that knows is not done again.
    """

    def __init__(self, catalogue: Catalogue, encode: Encode, since: "LocalScorer | None" = None) -> None:
        self._ids = catalogue.ids
        self._encode = encode
        self._lean: tuple[float, Floats] | None = None
        labels = np.array(catalogue.labels, np.int64)
        order = np.argsort(labels, kind="stable")
        texts: list[str] = [catalogue.texts[at] for at in order]
        labels = labels[order]
        bags = [counts(text) for text in texts]
        self._rarity = Rarity(bags)
        known: dict[str, Floats] = {} if since is None else since._known
        meant = _vectors(texts, encode, known)
        self._known: dict[str, Floats] = dict(zip(texts, meant, strict=True))
        self._encoding = _sketch(meant)
        few = sum(text not in known for text in texts) * _FEW <= len(texts)
        near = since if few else None
        self._metric = learn_metric(meant, labels) if near is None else near._metric
        first = int(np.searchsorted(labels, NONE, side="right"))
        self._own = Membership(meant[first:], labels[first:], len(catalogue.ids))
        self._other = Nearest(meant[:first], NEAREST)
        labels[:first] = len(catalogue.ids)
        x = self._joined(self._metric(meant), bags)
        self._head = self._fitted(x, labels, len(catalogue.ids) + (first > 0), near)

    def _fitted(
        self, x: Floats, labels: NDArray[np.int64], classes: int, since: "LocalScorer | None"
    ) -> Softmax:
        """The head for the rows: from the start, or from that of a slightly other catalogue.

        There the weights of the actions that are new are found beside those of the others, which then give way.
        """
        if since is None:
            return fit_softmax(x, labels, classes, decay=_DECAY)
        places = {action: at for at, action in enumerate(since._ids)}
        old = since._head.weights
        own = [places.get(action, -1) for action in self._ids]
        if classes > len(self._ids):
            own.append(len(since._ids) if old.shape[1] > len(since._ids) else -1)
        start = np.where(np.array(own) < 0, np.float32(0), old[:, own])
        new = [at for at, place in enumerate(own) if place < 0]
        if new:
            start = fit_softmax(x, labels, classes, decay=_DECAY, start=start, only=new).weights
        return fit_softmax(x, labels, classes, decay=_DECAY, start=start, steps=_STEPS)

    @property
    def encoding(self) -> str:
        """A digest of what the encoder makes of the catalogue; it is another where the vectors noticeably are."""
        return self._encoding

    def score(self, text: str) -> Scores:
        """How surely the text asks for an action, and for which."""
        vector = np.asarray(self._encode([text]), np.float32)[0]
        scores = self._scored(text, vector)
        if self._lean is None:
            return scores
        constant, weights = self._lean
        ours = scores.ours + constant + float(vector @ weights)
        return msgspec.structs.replace(scores, ours=min(1.0, max(0.0, ours)))

    def _scored(self, text: str, vector: Floats) -> Scores:
        """The scores by the examples alone."""
        with one_core():
            told = self._metric(vector[None])
        x = self._joined(told, [counts(text)])
        with one_core():
            chances = self._beside_examples(self._head(x)[0], vector)
            near, likeness = self._own(vector, int(chances[: len(self._ids)].argmax()))
            likeness -= max(0.0, self._other(vector) - near)
        return verdict(self._ids, chances.tolist(), likeness, certainty=_CERTAINTY)

    def leans(self, rows: Sequence[Labelled], folds: int) -> tuple[Lean | None, ...]:
        """What the rows teach about the first score: all of them, and then all without those of each fold.

        The row at a place is in the fold of that number modulo `folds`. `None` where rows are too few.
        """
        if not rows:
            return (None,) * (folds + 1)
        vectors = np.asarray(self._encode([row.text for row in rows]), np.float32)
        ours = [self._scored(row.text, vector).ours for row, vector in zip(rows, vectors, strict=True)]
        asks = np.array([bool(row.actions) for row in rows])
        fold = np.arange(len(rows)) % folds
        parts = (fold != each for each in (-1, *range(folds)))
        scores = np.array(ours, np.float32)
        return tuple(learned(vectors[part], scores[part], asks[part]) for part in parts)

    def leaning(self, lean: Lean | None) -> "LocalScorer":
        """The same scorer with that correction of the first score, and no other."""
        same = copy.copy(self)
        same._lean = None if lean is None else (lean.constant, np.array(lean.weights, np.float32))
        return same

    def _beside_examples(self, chances: Floats, vector: Floats) -> Floats:
        """The probabilities where those of the best actions heed how near their nearest examples are.

        The head draws straight borders; where examples are many, the nearest of them know the bends.
        """
        best = np.argsort(chances[: len(self._ids)])[-_BEST:]
        near = np.array([self._own(vector, int(at))[0] for at in best], np.float32)
        each = float(np.mean([self._own.size(int(at)) for at in best]))
        chances[best] *= np.exp(np.float32(_PULL * each / (each + _BENDS)) * (near - near.max()))
        return chances / chances.sum()

    def _joined(self, meant: Floats, bags: Sequence[Counter[str]]) -> Floats:
        shape = len(bags), meant.shape[1] + _HASHED
        # Single texts are cheaper in the heap; the rows of a catalogue are not to stay there.
        found = scratch(*shape) if len(bags) > 1 else np.zeros(shape, np.float32)
        np.multiply(meant, np.float32(_SCALE), out=found[:, : meant.shape[1]])
        words = found[:, meant.shape[1] :]
        for row, bag in enumerate(bags):
            vector = self._rarity.vector(bag)
            places = np.array([zlib.crc32(name.encode()) for name in vector], np.int64)
            values = np.array(list(vector.values()), np.float32)
            np.add.at(words[row], (places >> 1) % _HASHED, np.where(places & 1, values, -values))
        sizes = np.sqrt(np.einsum("ij,ij->i", words, words))[:, None]
        words *= np.float32(_SCALE * _WORDS) / np.maximum(sizes, np.float32(1e-9))
        return found


def _vectors(texts: Sequence[str], encode: Encode, known: Mapping[str, Floats]) -> Floats:
    new = [text for text in texts if text not in known]
    found = dict(zip(new, np.asarray(encode(new), np.float32), strict=True)) if new else {}
    return np.stack([known[text] if text in known else found[text] for text in texts])


def _sketch(meant: Floats) -> str:
    """A digest of how like each other some of the vectors are.

    They are rounded to many times what different machines and libraries differ by.
    """
    first = np.linspace(0, len(meant) - 1, min(_SKETCHED, len(meant))).astype(int)
    other = np.roll(first, 1) if len(first) > 1 else first
    alike = np.einsum("ij,ij->i", meant[first], meant[other])
    digest = blake2b(np.asarray(np.round(alike / _NOTICEABLE), "<i2").tobytes(), digest_size=4)
    digest.update(str(meant.shape[1]).encode())
    return digest.hexdigest()
