"""Where records are kept: in memory, in a SQLite file."""

from .memory import MemoryLedger
from .sqlite import SQLiteLedger
from .urls import ledger

__all__ = ["MemoryLedger", "SQLiteLedger", "ledger"]
