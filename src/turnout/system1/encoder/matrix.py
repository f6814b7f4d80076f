"""A matrix in blocks: the product of few rows with a large matrix, without it being copied first.

Why: BLAS libraries are made for large products and copy both sides into an order of their own before they begin. For
the dozen rows of a short text that takes longer than the product itself. OpenBLAS leaves it out for products of up to
a million multiplications on processors with AVX-512: there, many small blocks that lie in memory one after another
take less than half the time. On others the whole at once is quicker.
"""

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..cores import one_core

Floats: TypeAlias = NDArray[np.float32]
_TALL: Final = 384
_NARROW: Final = 64
ROWS: Final = 40
"""Rows at once: the product of so many with one block stays below a million."""

_ALL: Final = 1 << 20
_TRIED: Final = (12, 384, 1536)
_TIMES: Final = 7


class Matrix:
    """`x @ weights.T + bias` for rows `x`; `weights` has a row per number of the result, as it is kept in files.

    `blocks` says whether to part it; the result is the same but for rounding.
    """

    __slots__ = ("_bias", "_blocks", "_rows")

    def __init__(self, weights: Floats, bias: Floats, *, blocks: bool = True) -> None:
        wide, deep = weights.shape
        tall, narrow = (_divisor(deep, _TALL), _divisor(wide, _NARROW)) if blocks else (deep, wide)
        self._rows = ROWS if blocks else _ALL
        parts = weights.T.reshape(deep // tall, tall, wide // narrow, narrow)
        self._blocks: Floats = np.ascontiguousarray(parts.transpose(0, 2, 1, 3))
        self._bias = bias

    def __call__(self, x: Floats) -> Floats:
        """One row of the result per row."""
        count, (parts, columns, tall, narrow) = len(x), self._blocks.shape
        found = np.empty((parts, count, columns * narrow), np.float32)
        of = x.reshape(count, parts, 1, tall).transpose(1, 2, 0, 3)
        into = found.reshape(parts, count, columns, narrow).transpose(0, 2, 1, 3)
        for start, end in _pieces(count, self._rows):
            np.matmul(of[:, :, start:end], self._blocks, out=into[:, :, start:end])
        whole: Floats = found[0] if parts == 1 else np.add.reduce(found, axis=0)
        whole += self._bias
        return whole


@lru_cache(maxsize=1)
def blocks_pay() -> bool:
    """Whether blocks are quicker on this machine, by trying both, which takes a few milliseconds."""
    rows, deep, wide = _TRIED
    x, weights, bias = (np.ones(shape, np.float32) for shape in ((rows, deep), (wide, deep), wide))
    with one_core():
        parted, whole = (_shortest(Matrix(weights, bias, blocks=blocks), x) for blocks in (True, False))
    return parted < whole


def _shortest(product: Callable[[Floats], Floats], x: Floats) -> float:
    """How long it takes where nothing comes in between."""
    found: list[float] = []
    for _ in range(_TIMES):
        began = time.perf_counter()
        product(x)
        found.append(time.perf_counter() - began)
    return min(found)


def _pieces(rows: int, most: int) -> list[tuple[int, int]]:
    """The rows in as few and as equal pieces as may be."""
    count = -(-rows // most)
    return [(rows * at // count, rows * (at + 1) // count) for at in range(count)]


def _divisor(size: int, most: int) -> int:
    """The largest divisor that is not above `most`."""
    return next(part for part in range(min(size, most), 0, -1) if size % part == 0)


def plain(tensors: Any, name: str) -> Floats:
    """The tensor of this name as float32; one in int8 has the scales of its rows beside it, under `name/scale`."""
    found: Floats = np.asarray(tensors[name]).astype(np.float32)
    scale = tensors.get(f"{name}/scale")
    return found if scale is None else found * np.asarray(scale, np.float32)
