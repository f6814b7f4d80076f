"""BERT's forward pass in numpy: ids of pieces in, one vector per text out.

Source: the published architecture (Vaswani et al. 2017, Devlin et al. 2018) and the pooling of
sentence-transformers/all-MiniLM-L6-v2: the mean over all pieces, scaled to length 1. Beside that of the last layer
stands that of the middle one, which is nearer to the wording: a head that sees both tells actions apart better, at no
cost.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .matrix import ROWS, Floats, Matrix, plain

_EPSILON: Final = np.float32(1e-12)
_ERF: Final = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_SCALE: Final = 0.3275911
_HALF_ROOT: Final = np.float32(0.5**0.5)
_MEANING: Final = np.float32(0.8)
_WORDING: Final = np.float32(0.6)
"""Shares of the last layer and of the middle one in a vector; their squares are those in a likeness."""

Norm = tuple[Floats, Floats]


class _Layer(NamedTuple):
    """The weights of one layer.

    Queries, keys and values are one matrix, the queries scaled by the root of their length. `wide` gives its numbers
    times the root of a half, which is what the error function of GELU takes, and `narrow` takes them so.
    """

    attend: Matrix
    out: Matrix
    out_norm: Norm
    wide: Matrix
    narrow: Matrix
    narrow_norm: Norm


class Forward:
    """The encoder of the given tensors, by the names of Hugging Face's `BertModel`; `heads` per layer.

    A tensor may be int8 with the scales of its rows beside it, under its name with `/scale`.

    Raises:
        KeyError: a tensor is missing.
    """

    def __init__(self, tensors: Mapping[str, Any], heads: int = 12) -> None:
        self._heads = heads
        embeddings = "embeddings.word_embeddings.weight"
        self._words: NDArray[Any] = np.asarray(tensors[embeddings])
        self._word_scales: Floats | None = (
            np.asarray(tensors[f"{embeddings}/scale"], np.float32)
            if f"{embeddings}/scale" in tensors
            else None
        )
        kind = plain(tensors, "embeddings.token_type_embeddings.weight")[0]
        self._places: Floats = plain(tensors, "embeddings.position_embeddings.weight") + kind
        self._norm = _norm(tensors, "embeddings.LayerNorm")
        layers = 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer."))
        self._layers = [_layer(tensors, f"encoder.layer.{at}.", heads) for at in range(layers)]

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
        found = _normed(found, self._norm)
        middle = len(self._layers) // 2
        for layer in self._layers[:middle]:
            found = self._through(layer, found)
        wording = _pooled(found)
        for layer in self._layers[middle:]:
            found = self._through(layer, found)
        return np.hstack([_pooled(found) * _MEANING, wording * _WORDING])

    def _through(self, layer: _Layer, x: Floats) -> Floats:
        count, length, size = x.shape
        rows = x.reshape(-1, size)
        packed = layer.attend(rows).reshape(count, length, 3, self._heads, size // self._heads)
        query, key, value = packed.transpose(2, 0, 3, 1, 4)
        shares = query @ key.swapaxes(-1, -2)
        shares -= np.maximum.reduce(shares, axis=-1, keepdims=True)
        np.exp(shares, out=shares)
        shares /= np.add.reduce(shares, axis=-1, keepdims=True)
        mixed = layer.out((shares @ value).transpose(0, 2, 1, 3).reshape(-1, size))
        mixed += rows
        rows = _normed(mixed, layer.out_norm)
        inner = layer.narrow(_gelu(layer.wide(rows)))
        inner += rows
        return _normed(inner, layer.narrow_norm).reshape(x.shape)


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
    return mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), _EPSILON)


def _layer(tensors: Mapping[str, Any], at: str, heads: int) -> _Layer:
    own = f"{at}attention.self."
    weights = [plain(tensors, f"{own}{name}.weight") for name in ("query", "key", "value")]
    biases = [plain(tensors, f"{own}{name}.bias") for name in ("query", "key", "value")]
    root = np.float32((len(weights[0]) // heads) ** -0.5)
    weights[0] = weights[0] * root
    biases[0] = biases[0] * root

    def matrix(name: str, before: np.float32, after: np.float32) -> Matrix:
        weight = plain(tensors, f"{at}{name}.weight") * (before * after)
        return Matrix(weight, plain(tensors, f"{at}{name}.bias") * after)

    one = np.float32(1)
    return _Layer(
        attend=Matrix(np.concatenate(weights), np.concatenate(biases)),
        out=matrix("attention.output.dense", one, one),
        out_norm=_norm(tensors, f"{at}attention.output.LayerNorm"),
        wide=matrix("intermediate.dense", one, _HALF_ROOT),
        narrow=matrix("output.dense", _HALF_ROOT, one),
        narrow_norm=_norm(tensors, f"{at}output.LayerNorm"),
    )


def _norm(tensors: Mapping[str, Any], name: str) -> Norm:
    return plain(tensors, f"{name}.weight"), plain(tensors, f"{name}.bias")


def _normed(x: Floats, norm: Norm) -> Floats:
    """The rows `x`, which are used up, with mean 0 and deviation 1, times and plus what the norm says."""
    share = np.float32(1 / x.shape[-1])
    x -= np.add.reduce(x, axis=-1, keepdims=True) * share
    spread = np.einsum("...i,...i->...", x, x)[..., None] * share
    x /= np.sqrt(spread + _EPSILON)
    x *= norm[0]
    x += norm[1]
    return x


def _gelu(y: Floats) -> Floats:
    """`y * (1 + erf(y))`: GELU, but for the roots of a half that its matrices hold; `y` is used up.

    numpy lacks the error function; this is it to 1.5e-7 (Abramowitz and Stegun 1964, 7.1.26).
    """
    size = np.abs(y)
    t = size * np.float32(_ERF_SCALE)
    t += np.float32(1)
    np.reciprocal(t, out=t)
    sum_ = t * np.float32(_ERF[4])
    for factor in reversed(_ERF[:4]):
        sum_ += np.float32(factor)
        sum_ *= t
    np.multiply(size, size, out=t)
    np.negative(t, out=t)
    np.exp(t, out=t)
    sum_ *= t
    sum_ *= size
    y += size
    y -= sum_
    return y
