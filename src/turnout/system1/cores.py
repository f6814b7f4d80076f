"""One core for all that numpy computes here.

Why: a text is too little work for several cores, and the threads of a BLAS wait for each other by spinning, which
costs a busy machine many times what it gains.
"""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import Any

_lock = threading.Lock()


@contextmanager
def one_core() -> Generator[None]:
    """Within it numpy computes on one core; one at a time, since the setting is the process's. Keep it short."""
    with _lock, _blas().limit(limits=1):
        yield


@lru_cache(maxsize=1)
def _blas() -> Any:
    return import_module("threadpoolctl").ThreadpoolController().select(user_api="blas")
