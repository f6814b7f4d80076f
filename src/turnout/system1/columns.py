"""Sums of columns of numbers, each times a factor, in pure Python and at the speed of C.

Strategy: Python multiplies and adds large integers in C. A column is one of them, its numbers side by side in fixed
point, each in a slot so wide that no sum spills into the next. One multiplication then serves a whole column.
"""

import struct
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_SLOT: Final = 64
_KEPT: Final = 26
_FACTOR: Final = 25
_CUT: Final = 24
_WEIGHT: Final = 23
"""Bits of a slot; how many are after the point in the numbers of a column and in a factor; how many of a sum are cut
off before it is weighed, and how many are after the point in its weight."""

_SUM: Final = _KEPT + _FACTOR
_WEIGHED: Final = _SUM - _CUT + _WEIGHT

ABOVE: Final = 256.0
"""How much the numbers of a sum are too large when they are read: a slot with the exponent of 256 before its bits is a
float, and so no number has to be made of each."""

_READ: Final = 44
_FLOAT: Final = 52
_EXPONENT: Final = (1023 + 8) << _FLOAT


def column(numbers: Iterable[float]) -> int:
    """Numbers from 0 to 64 as one integer."""
    return _packed(numbers, 2.0**-_KEPT)


def addend(numbers: Iterable[float]) -> int:
    """Numbers from 0 to 256, to be added to what is `weighed`."""
    return _packed(numbers, 2.0**-_WEIGHED)


def weighted_sum(columns: Iterable[tuple[float, int]]) -> int:
    """The sum of columns, each times its factor; the factors are not negative, and together below 128."""
    return sum([round(factor * 2**_FACTOR) * each for factor, each in columns])


def parted(total: int, size: int) -> tuple[int, int]:
    """The first `size` numbers of a sum, and those after them."""
    bits = size * _SLOT
    return total & ((1 << bits) - 1), total >> bits


def numbers(total: int, size: int) -> list[float]:
    """The numbers of a sum, none of which reaches 256, and all of them larger by `ABOVE`."""
    return _read(total, size, _SUM)


def weighed(sums: Iterable[tuple[float, int]], more: int, size: int) -> list[float]:
    """The numbers of sums, each times its weight, which is not negative, plus an addend; right to about 1e-6.

    None of them reaches 256, and all are larger by `ABOVE`.
    """
    kept = _filled(size, 2 ** (_SLOT - _CUT) - 1)
    total = more + sum([round(weight * 2**_WEIGHT) * ((each >> _CUT) & kept) for weight, each in sums])
    return _read(total, size, _WEIGHED)


def _read(total: int, size: int, bits: int) -> list[float]:
    """The numbers of which so many bits are after the point."""
    cut = (total >> (bits - _READ)) & _filled(size, 2**_FLOAT - 1)
    floats = (cut | _filled(size, _EXPONENT)).to_bytes(size * _SLOT // 8, "little")
    return [*struct.unpack(f"<{size}d", floats)]


def _packed(numbers: Iterable[float], unit: float) -> int:
    slots = [round(number / unit) for number in numbers]
    return int.from_bytes(struct.pack(f"<{len(slots)}Q", *slots), "little")


@lru_cache(maxsize=64)
def _filled(size: int, slot: int) -> int:
    """A column with the same bits in each slot."""
    return int.from_bytes(slot.to_bytes(_SLOT // 8, "little") * size, "little")
