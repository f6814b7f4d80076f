"""The stores that the contract is tried on."""

import gc
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.store.turns import Make
from turnout.store import MemoryStore, SQLiteStore

TABLES = ("messages", "history", "responses")


@pytest.fixture(params=["memory", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    if request.param == "memory":
        return MemoryStore
    return lambda **options: SQLiteStore(tmp_path / "turnout.db", **options)


@pytest.fixture
def kept() -> Callable[[Any], Awaitable[dict[str, int]]]:
    """Counts what a store holds."""

    async def count(store: Any) -> dict[str, int]:
        if isinstance(store, MemoryStore):
            gc.collect()
            held = (store._texts, store._histories, store._turns)
            return dict(zip(TABLES, map(len, held), strict=True))
        return {
            table: await store._file.run(
                lambda connection, table=table: connection.execute(
                    f"SELECT count(*) FROM turnout_{table}"
                ).fetchone()[0]
            )
            for table in TABLES
        }

    return count
