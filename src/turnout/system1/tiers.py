"""Which tier there is on this machine."""

import importlib.util
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .encoder.weights import Encoder

_lock = threading.Lock()
_loaded: dict[str, "Encoder"] = {}


def installed() -> "Encoder | None":
    """The encoder whose weights are installed, loaded once; `None` without the extra `local` or without weights.

    Raises:
        Misconfigured: the weights are damaged.
    """
    if not available():
        return None
    from .encoder.weights import cache, load

    path = cache()
    with _lock:
        known = _loaded.get(str(path))
        if known is None and path.is_file():
            known = _loaded[str(path)] = load(path)
        return known


def engine() -> str:
    """What computes the installed encoder's vectors, `numpy` or `onnxruntime`; `""` where none is installed.

    Raises:
        Misconfigured: the weights are damaged.
    """
    found = installed()
    return "" if found is None else found.engine


def available() -> bool:
    """Whether the packages of the extra `local` are there."""
    return all(importlib.util.find_spec(name) is not None for name in ("numpy", "threadpoolctl"))
