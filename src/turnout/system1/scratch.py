"""Memory for numbers that are needed for a while, which the process then gives back.

Why: the heap of a C library keeps most of what was freed, below whatever came to lie above it. What learning takes,
many times what is learned, would stay with the process as long as it runs.
"""

import math
import mmap
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
_BYTES: Final = 4


def scratch(*shape: int) -> Floats:
    """Zeros of that shape in memory of their own; it goes back to the system with the last array that shows it."""
    count = math.prod(shape)
    if not count:
        return np.zeros(shape, np.float32)
    own = mmap.mmap(-1, count * _BYTES, access=mmap.ACCESS_COPY)  # not shared with a process that is forked
    return np.frombuffer(own, np.float32).reshape(shape)
