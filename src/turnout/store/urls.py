"""A store by its address."""

from pathlib import Path
from typing import TypeAlias

from .memory_store import MemoryStore
from .postgres_store import PostgresStore
from .responses import Policy
from .sqlite_store import SQLiteStore

AnyStore: TypeAlias = MemoryStore | SQLiteStore | PostgresStore
"""Each is a `Store` with its `Retrieval`, and a `Ledger`."""

_SQLITE = "sqlite:///"
_POSTGRES = ("postgres://", "postgresql://")


def open(url: str, policy: Policy = Policy()) -> AnyStore:  # noqa: A001, B008 -- what it does; a frozen value
    """The store at `url`: `memory:`, `sqlite:///PATH` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.

    A path is relative, unless it begins with a fourth `/`. Nothing is read or written before the first use.

    Raises:
        ValueError: `url` is none of these, or the file's folder does not exist; the message repeats no address, which
            may hold a password.
        Misconfigured: the database's driver is not installed.
    """
    if url == "memory:":
        return MemoryStore(policy)
    if url.startswith(_POSTGRES):
        return PostgresStore(url, policy)
    if not url.startswith(_SQLITE) or url == _SQLITE:
        raise ValueError("expected memory:, sqlite:///PATH or postgres://HOST/DATABASE")
    path = Path(url.removeprefix(_SQLITE))
    if not path.parent.is_dir():
        raise ValueError(f"the folder {path.parent} does not exist")
    return SQLiteStore(path, policy)
