"""BERT's forward pass in numpy: ids of pieces in, one vector per text out.

Source: the published architecture (Vaswani et al. 2017, Devlin et al. 2018) and the pooling of
sentence-transformers/all-MiniLM-L6-v2: the mean over all pieces, scaled to length 1. Beside that of the last layer
stands that of the middle one, which is nearer to the wording: a head that sees both tells actions apart better, at no
cost.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
_EPSILON: Final = 1e-12
_ERF: Final = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_FAR: Final = np.float32(-1e9)
_MEANING: Final = np.float32(0.8)
_WORDING: Final = np.float32(0.6)
"""Shares of the last layer and of the middle one in a vector; their squares are those in a likeness."""


class _Layer(NamedTuple):
    """The weights of one layer; queries, keys and values are one matrix."""

    attend: Floats
    attend_bias: Floats
    out: Floats
    out_bias: Floats
    out_norm: tuple[Floats, Floats]
    wide: Floats
    wide_bias: Floats
    narrow: Floats
    narrow_bias: Floats
    narrow_norm: tuple[Floats, Floats]


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
        kind = _plain(tensors, "embeddings.token_type_embeddings.weight")[0]
        self._places: Floats = _plain(tensors, "embeddings.position_embeddings.weight") + kind
        self._norm = _norm(tensors, "embeddings.LayerNorm")
        layers = 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer."))
        self._layers = [_layer(tensors, f"encoder.layer.{at}.") for at in range(layers)]

    @property
    def size(self) -> int:
        """The length of a vector."""
        return 2 * int(self._words.shape[1])

    def __call__(self, texts: Sequence[Sequence[int]]) -> Floats:
        """One vector of length 1 per text, as rows; the texts are given as ids, none of them empty."""
        longest = max(map(len, texts))
        ids = np.zeros((len(texts), longest), np.int64)
        there = np.zeros((len(texts), longest), np.float32)
        for row, text in enumerate(texts):
            ids[row, : len(text)] = text
            there[row, : len(text)] = 1
        found = self._words[ids].astype(np.float32)
        if self._word_scales is not None:
            found *= self._word_scales[ids]
        found += self._places[:longest]
        found = _normed(found, self._norm)
        hidden = None if there.all() else (1 - there)[:, None, None, :] * _FAR
        middle = len(self._layers) // 2
        for layer in self._layers[:middle]:
            found = self._through(layer, found, hidden)
        wording = _pooled(found, there)
        for layer in self._layers[middle:]:
            found = self._through(layer, found, hidden)
        return np.hstack([_pooled(found, there) * _MEANING, wording * _WORDING])

    def _through(self, layer: _Layer, x: Floats, hidden: Floats | None) -> Floats:
        count, length, size = x.shape
        each = size // self._heads
        packed = (x @ layer.attend + layer.attend_bias).reshape(count, length, 3, self._heads, each)
        query, key, value = packed.transpose(2, 0, 3, 1, 4)
        scores = query @ key.swapaxes(-1, -2)
        scores *= np.float32(each**-0.5)
        if hidden is not None:
            scores += hidden
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(count, length, size)
        mixed = mixed @ layer.out
        mixed += layer.out_bias
        mixed += x
        x = _normed(mixed, layer.out_norm)
        inner = x @ layer.wide
        inner += layer.wide_bias
        inner = _gelu(inner) @ layer.narrow
        inner += layer.narrow_bias
        inner += x
        return _normed(inner, layer.narrow_norm)


def _pooled(x: Floats, there: Floats) -> Floats:
    """The mean over the pieces of each text, of length 1."""
    mean = (x * there[:, :, None]).sum(1) / there.sum(1, keepdims=True)
    return mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), _EPSILON)


def _layer(tensors: Mapping[str, Any], at: str) -> _Layer:
    own = f"{at}attention.self."
    names = ("query", "key", "value")
    return _Layer(
        attend=np.ascontiguousarray(
            np.concatenate([_plain(tensors, f"{own}{name}.weight") for name in names]).T
        ),
        attend_bias=np.concatenate([_plain(tensors, f"{own}{name}.bias") for name in names]),
        out=np.ascontiguousarray(_plain(tensors, f"{at}attention.output.dense.weight").T),
        out_bias=_plain(tensors, f"{at}attention.output.dense.bias"),
        out_norm=_norm(tensors, f"{at}attention.output.LayerNorm"),
        wide=np.ascontiguousarray(_plain(tensors, f"{at}intermediate.dense.weight").T),
        wide_bias=_plain(tensors, f"{at}intermediate.dense.bias"),
        narrow=np.ascontiguousarray(_plain(tensors, f"{at}output.dense.weight").T),
        narrow_bias=_plain(tensors, f"{at}output.dense.bias"),
        narrow_norm=_norm(tensors, f"{at}output.LayerNorm"),
    )


def _plain(tensors: Mapping[str, Any], name: str) -> Floats:
    found = np.asarray(tensors[name]).astype(np.float32)
    scale = tensors.get(f"{name}/scale")
    return found if scale is None else found * np.asarray(scale, np.float32)


def _norm(tensors: Mapping[str, Any], name: str) -> tuple[Floats, Floats]:
    return _plain(tensors, f"{name}.weight"), _plain(tensors, f"{name}.bias")


def _normed(x: Floats, norm: tuple[Floats, Floats]) -> Floats:
    x = x - x.mean(-1, keepdims=True)
    x /= np.sqrt(np.einsum("...i,...i->...", x, x)[..., None] / x.shape[-1] + _EPSILON)
    x *= norm[0]
    x += norm[1]
    return x


def _gelu(x: Floats) -> Floats:
    """GELU with the error function, which numpy lacks; to 1.5e-7 (Abramowitz and Stegun 1964, 7.1.26)."""
    z = np.abs(x) * np.float32(0.7071067811865476)
    t = 1 / (1 + np.float32(0.3275911) * z)
    sum_ = np.full_like(t, _ERF[4])
    for factor in reversed(_ERF[:4]):
        sum_ *= t
        sum_ += np.float32(factor)
    sum_ *= t
    sum_ *= np.exp(-z * z)
    erf = np.copysign(1 - sum_, x)
    return x * (1 + erf) * np.float32(0.5)
