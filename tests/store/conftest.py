"""The stores that the contract is tried on."""

import gc
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.store.turns import Make
from turnout.store import MemoryStore


@pytest.fixture(params=["memory"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    return MemoryStore


@pytest.fixture
def kept() -> Callable[[Any], Awaitable[dict[str, int]]]:
    """Counts what a store holds."""

    async def count(store: Any) -> dict[str, int]:
        gc.collect()
        return {
            "messages": len(store._texts),
            "history": len(store._histories),
            "responses": len(store._turns),
        }

    return count
