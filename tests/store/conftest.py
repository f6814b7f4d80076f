"""The stores that the contract is tried on."""

import gc
import itertools
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.store import postgres
from tests.store.turns import Make
from turnout.store import MemoryStore, PostgresStore, SQLiteStore

TABLES = ("messages", "history", "responses")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with postgres.running("-c fsync=off", "-c max_connections=60") as url:
        yield url


_names = itertools.count()


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """An empty place in a running server."""
    return postgres.emptied(postgres_server, f"test{next(_names)}")


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    if request.param == "memory":
        return MemoryStore
    if request.param == "sqlite":
        return lambda **options: SQLiteStore(tmp_path / "turnout.db", **options)
    url = request.getfixturevalue("postgres_url")
    return lambda **options: PostgresStore(url, connections=5, **options)


@pytest.fixture(params=["sqlite", "postgres"])
def again(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    if request.param == "sqlite":
        return lambda **options: SQLiteStore(tmp_path / "turnout.db", **options)
    url = request.getfixturevalue("postgres_url")
    return lambda **options: PostgresStore(url, connections=3, **options)


@pytest.fixture
def kept() -> Callable[[Any], Awaitable[dict[str, int]]]:
    """Counts what a store holds."""

    async def count(store: Any) -> dict[str, int]:
        if isinstance(store, MemoryStore):
            gc.collect()
            held = (store._texts, store._histories, store._turns)
            return dict(zip(TABLES, map(len, held), strict=True))
        return {table: await counted(store, f"SELECT count(*) FROM turnout_{table}") for table in TABLES}

    return count


async def counted(store: Any, statement: str) -> int:
    if isinstance(store, SQLiteStore):
        return await store._file.run(lambda connection: connection.execute(statement).fetchone()[0])
    return await store._database.run(lambda connection: connection.fetchval(statement))
