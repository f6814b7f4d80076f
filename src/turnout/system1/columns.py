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


UNIT: Final = 2.0 ** -(_KEPT + _FACTOR)
"""What the numbers of a sum are counted in."""

_WEIGHED_UNIT: Final = UNIT * 2.0 ** (_CUT - _WEIGHT)


def column(numbers: Iterable[float]) -> int:
    """Numbers from 0 to 64 as one integer."""
    return _packed(numbers, 2.0**-_KEPT)


def addend(numbers: Iterable[float]) -> int:
    """Numbers from 0 to 4,096, to be added to what is `weighed`."""
    return _packed(numbers, _WEIGHED_UNIT)


def weighted_sum(columns: Iterable[tuple[float, int]]) -> int:
    """The sum of columns, each times its factor; the factors are not negative, and together below 128."""
    return sum([round(factor * 2**_FACTOR) * each for factor, each in columns])


def parted(total: int, size: int) -> tuple[int, int]:
    """The first `size` numbers of a sum, and those after them."""
    bits = size * _SLOT
    return total & ((1 << bits) - 1), total >> bits


def counted(total: int, size: int) -> tuple[int, ...]:
    """The numbers of a sum, in `UNIT`s."""
    return struct.unpack(f"<{size}Q", total.to_bytes(size * _SLOT // 8, "little"))


def weighed(sums: Iterable[tuple[float, int]], more: int, size: int) -> list[float]:
    """The numbers of sums, each times its weight, which is not negative, plus an addend; right to about 1e-6.

    No number may reach 4,096 when it is weighed.
    """
    kept = _kept(size)
    total = more + sum([round(weight * 2**_WEIGHT) * ((each >> _CUT) & kept) for weight, each in sums])
    return [number * _WEIGHED_UNIT for number in counted(total, size)]


def _packed(numbers: Iterable[float], unit: float) -> int:
    slots = [round(number / unit) for number in numbers]
    return int.from_bytes(struct.pack(f"<{len(slots)}Q", *slots), "little")


@lru_cache(maxsize=16)
def _kept(size: int) -> int:
    """The bits of each slot that are its own once it has been shifted."""
    return _packed([2 ** (_SLOT - _CUT) - 1] * size, 1)
