"""The local tier: a sentence encoder beside the words, under one softmax head.

Strategy: vectors see what is meant, words see names and rare terms; joined they are better than either. Words go
through the hashing trick into a vector of fixed size. Likeness in meaning to the examples of the best action tells
whether the text is ours.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from .catalogue import NONE, Catalogue
from .cores import one_core
from .features import Rarity, counts
from .heads import Floats, Softmax, fit_softmax
from .lexical import verdict
from .membership import NEAREST, Membership
from .nearest import Nearest
from .scores import Scores

Encode = Callable[[Sequence[str]], Any]
"""Texts in, an array with one vector per text out, each of length 1."""

_HASHED: Final = 1024
_SCALE: Final = 3.7
_WORDS: Final = 0.33
"""Scale of the vectors, and of the words beside them: with `_DECAY`, how freely the head may use each."""
_CERTAINTY: Final = 0.15
_DECAY: Final = 0.3
_STEPS: Final = 12
"""Steps that adapt a head to a slightly other catalogue."""


class LocalScorer:
    """Scores texts by their meaning and their words.

    `encode` gives vectors of length 1. Fitting takes seconds for a thousand rows, most of them in `encode`; with a
    scorer of nearly the same catalogue as `since`, what that knows is not done again.
    """

    def __init__(self, catalogue: Catalogue, encode: Encode, since: "LocalScorer | None" = None) -> None:
        self._ids = catalogue.ids
        self._encode = encode
        bags = [counts(text) for text in catalogue.texts]
        self._rarity = Rarity(bags)
        self._known = _vectors(catalogue.texts, encode, {} if since is None else since._known)
        meant = np.stack([self._known[text] for text in catalogue.texts])
        labels = np.array(catalogue.labels, np.int64)
        ours = labels != NONE
        self._own = Membership(meant[ours], labels[ours], len(catalogue.ids))
        self._other = Nearest(meant[~ours], NEAREST)
        classes = len(catalogue.ids) + (not ours.all())
        labels[~ours] = len(catalogue.ids)
        x = self._joined(meant, bags)
        if since is None:
            self._head: Softmax = fit_softmax(x, labels, int(classes), decay=_DECAY)
        else:
            self._head = fit_softmax(
                x, labels, int(classes), decay=_DECAY, start=self._from(since, int(classes)), steps=_STEPS
            )

    def _from(self, since: "LocalScorer", classes: int) -> Floats:
        """The other's weights at the places of the same actions here, and 0 for new ones."""
        old = since._head.weights
        start = np.zeros((len(old), classes), np.float32)
        places = {action: at for at, action in enumerate(since._ids)}
        for at, action in enumerate(self._ids):
            if action in places:
                start[:, at] = old[:, places[action]]
        if classes > len(self._ids) and old.shape[1] > len(since._ids):
            start[:, -1] = old[:, -1]
        return start

    def score(self, text: str) -> Scores:
        """How surely the text asks for an action, and for which."""
        meant = np.asarray(self._encode([text]), np.float32)
        x = self._joined(meant, [counts(text)])
        with one_core():
            chances = self._head(x)[0]
            near, likeness = self._own(meant[0], int(chances[: len(self._ids)].argmax()))
            likeness -= max(0.0, self._other(meant[0]) - near)
        return verdict(self._ids, chances.tolist(), likeness, certainty=_CERTAINTY)

    def _joined(self, meant: Floats, bags: Sequence[Counter[str]]) -> Floats:
        words = np.zeros((len(bags), _HASHED), np.float32)
        for row, bag in enumerate(bags):
            for name, value in self._rarity.vector(bag).items():
                place = zlib.crc32(name.encode())
                words[row, (place >> 1) % _HASHED] += value if place & 1 else -value
        words /= np.maximum(np.linalg.norm(words, axis=1, keepdims=True), 1e-9)
        return np.hstack([meant * np.float32(_SCALE), words * np.float32(_SCALE * _WORDS)])


def _vectors(texts: Sequence[str], encode: Encode, known: Mapping[str, Floats]) -> dict[str, Floats]:
    new = [text for text in texts if text not in known]
    found = dict(zip(new, np.asarray(encode(new), np.float32), strict=True)) if new else {}
    return {text: known[text] if text in known else found[text] for text in texts}
