"""Where responses and records are kept: in memory, in a SQLite file."""

from .memory import MemoryLedger
from .memory_store import MemoryStore
from .responses import Policy, owner
from .sqlite import SQLiteLedger
from .sqlite_store import SQLiteStore
from .urls import ledger

__all__ = ["MemoryLedger", "MemoryStore", "Policy", "SQLiteLedger", "SQLiteStore", "ledger", "owner"]
