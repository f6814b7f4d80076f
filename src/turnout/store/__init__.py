"""Where responses and records are kept: in memory, in a SQLite file, in a Postgres database."""

from .memory import MemoryLedger
from .memory_store import MemoryStore
from .naming import owner
from .postgres_store import PostgresStore
from .responses import Responses
from .rows import DAY_S, Ending, Opening, Policy, Standing, Written
from .sqlite import SQLiteLedger
from .sqlite_store import SQLiteStore
from .urls import AnyStore, open  # noqa: A004 -- what it does

__all__ = [
    "DAY_S",
    "AnyStore",
    "Ending",
    "MemoryLedger",
    "MemoryStore",
    "Opening",
    "Policy",
    "PostgresStore",
    "Responses",
    "SQLiteLedger",
    "SQLiteStore",
    "Standing",
    "Written",
    "open",
    "owner",
]
