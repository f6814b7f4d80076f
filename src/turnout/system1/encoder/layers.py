"""The layers of a BERT in numpy."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from .matrix import Floats, Matrix, blocks_pay, plain

Norm: TypeAlias = tuple[Floats, Floats]
_EPSILON: Final = np.float32(1e-12)
_ERF: Final = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_SCALE: Final = 0.3275911
_HALF_ROOT: Final = np.float32(0.5**0.5)


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


class NumpyLayers:
    """All layers of the given tensors, by the names of Hugging Face's `BertModel`; `heads` in each.

    Raises:
        KeyError: a tensor is missing.
    """

    def __init__(self, tensors: Mapping[str, Any], heads: int) -> None:
        self._heads = heads
        blocks = blocks_pay()
        self._layers = [
            _layer(tensors, f"encoder.layer.{at}.", heads, blocks) for at in range(count_layers(tensors))
        ]

    def __call__(self, x: Floats) -> tuple[Floats, Floats]:
        """What comes out of the middle layer and of the last, for `x` as [texts, pieces, numbers]."""
        middle = len(self._layers) // 2
        for layer in self._layers[:middle]:
            x = self._through(layer, x)
        last = x
        for layer in self._layers[middle:]:
            last = self._through(layer, last)
        return x, last

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
        rows = normed(mixed, layer.out_norm)
        inner = layer.narrow(_gelu(layer.wide(rows)))
        inner += rows
        return normed(inner, layer.narrow_norm).reshape(x.shape)


def count_layers(tensors: Mapping[str, Any]) -> int:
    """How many layers there are."""
    return 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer."))


def _layer(tensors: Mapping[str, Any], at: str, heads: int, blocks: bool) -> _Layer:
    own = f"{at}attention.self."
    weights = [plain(tensors, f"{own}{name}.weight") for name in ("query", "key", "value")]
    biases = [plain(tensors, f"{own}{name}.bias") for name in ("query", "key", "value")]
    root = np.float32((len(weights[0]) // heads) ** -0.5)
    weights[0] = weights[0] * root
    biases[0] = biases[0] * root

    def matrix(name: str, before: np.float32, after: np.float32) -> Matrix:
        weight = plain(tensors, f"{at}{name}.weight") * (before * after)
        return Matrix(weight, plain(tensors, f"{at}{name}.bias") * after, blocks=blocks)

    one = np.float32(1)
    return _Layer(
        attend=Matrix(np.concatenate(weights), np.concatenate(biases), blocks=blocks),
        out=matrix("attention.output.dense", one, one),
        out_norm=norm_of(tensors, f"{at}attention.output.LayerNorm"),
        wide=matrix("intermediate.dense", one, _HALF_ROOT),
        narrow=matrix("output.dense", _HALF_ROOT, one),
        narrow_norm=norm_of(tensors, f"{at}output.LayerNorm"),
    )


def norm_of(tensors: Mapping[str, Any], name: str) -> Norm:
    """The factors and addends of a norm."""
    return plain(tensors, f"{name}.weight"), plain(tensors, f"{name}.bias")


def normed(x: Floats, norm: Norm) -> Floats:
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
