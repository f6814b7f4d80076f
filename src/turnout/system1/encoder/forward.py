"""BERT's forward pass in numpy: ids of pieces in, one vector per text out.

Source: the published architecture (Vaswani et al. 2017, Devlin et al. 2018) and the pooling of
sentence-transformers/all-MiniLM-L6-v2: the mean over all pieces, scaled to length 1. Beside that of the last layer
stands that of the middle one, which is nearer to the wording: a head that sees both tells actions apart better, at no
cost.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .layers import NumpyLayers, norm_of, normed
from .matrix import ROWS, Floats, plain

Layers: TypeAlias = Callable[[Floats], tuple[Floats, Floats]]
"""What comes out of the middle layer and of the last, for sums of embeddings; all as [texts, pieces, numbers]."""

_SHORTEST: Final = np.float32(1e-12)
_MEANING: Final = np.float32(0.8)
_WORDING: Final = np.float32(0.6)
"""Shares of the last layer and of the middle one in a vector; their squares are those in a likeness."""


class Forward:
    """The encoder of the given tensors, by the names of Hugging Face's `BertModel`; `heads` per layer.

    A tensor may be int8 with the scales of its rows beside it, under its name with `/scale`. `layers` compute what is
    between the embeddings and the vectors, by default in numpy.

    Raises:
        KeyError: a tensor is missing.
    """

    def __init__(self, tensors: Mapping[str, Any], heads: int = 12, layers: Layers | None = None) -> None:
        embeddings = "embeddings.word_embeddings.weight"
        self._words: NDArray[Any] = np.asarray(tensors[embeddings])
        self._word_scales: Floats | None = (
            np.asarray(tensors[f"{embeddings}/scale"], np.float32)
            if f"{embeddings}/scale" in tensors
            else None
        )
        kind = plain(tensors, "embeddings.token_type_embeddings.weight")[0]
        self._places: Floats = plain(tensors, "embeddings.position_embeddings.weight") + kind
        self._norm = norm_of(tensors, "embeddings.LayerNorm")
        self._layers = layers or NumpyLayers(tensors, heads)

    @property
    def size(self) -> int:
        """The length of a vector."""
        return 2 * int(self._words.shape[1])

    def __call__(self, texts: Sequence[Sequence[int]]) -> Floats:
        """One vector of length 1 per text, as rows; the texts are given as ids, none of them empty."""
        found = np.empty((len(texts), self.size), np.float32)
        for places in batches([len(text) for text in texts]):
            found[places] = self._vectors(np.array([texts[at] for at in places], np.int64))
        return found

    def _vectors(self, ids: NDArray[np.int64]) -> Floats:
        """The vectors of texts of one length."""
        found = self._words[ids].astype(np.float32)
        if self._word_scales is not None:
            found *= self._word_scales[ids]
        found += self._places[: ids.shape[1]]
        middle, last = self._layers(normed(found, self._norm))
        return np.hstack([_pooled(last) * _MEANING, _pooled(middle) * _WORDING])


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The places of texts that go through together: as long as each other, and few enough for one product."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for length, places in groupby(order, key=lengths.__getitem__):
        same, most = list(places), max(1, ROWS // length)
        for start in range(0, len(same), most):
            yield same[start : start + most]


def _pooled(x: Floats) -> Floats:
    """The mean over the pieces of each text, of length 1."""
    mean = x.mean(1)
    return mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), _SHORTEST)
