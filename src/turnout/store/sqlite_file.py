"""A SQLite file that is open: its tables, its one writer, and the sign that this process is there."""

import asyncio
import secrets
import sqlite3
import time
from pathlib import Path
from typing import Any

from .presence import Presence, is_present, sweep
from .schema import SCHEMA, newer
from .writer import Undo, Work, Writer

_TABLES = (
    "CREATE TABLE IF NOT EXISTS turnout_schema (version INTEGER NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS turnout_ledger (
        key TEXT PRIMARY KEY,
        fingerprint TEXT NOT NULL,
        owner TEXT NOT NULL,
        record TEXT,
        delivered INTEGER NOT NULL DEFAULT 0,
        since REAL NOT NULL,
        expires REAL NOT NULL
    ) WITHOUT ROWID
    """,
    # A turn that runs under a key has no body; a response has one. `last` is its history with its answer, which is
    # the last message of it where `answered` says so. Not retained, it is kept for its key alone, in one piece.
    """
    CREATE TABLE IF NOT EXISTS turnout_responses (
        id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        retain INTEGER NOT NULL,
        expires REAL NOT NULL,
        key TEXT,
        fingerprint TEXT NOT NULL,
        key_expires REAL NOT NULL,
        process TEXT NOT NULL,
        body BLOB,
        last INTEGER,
        answered INTEGER NOT NULL DEFAULT 0
    )
    """,
    "CREATE UNIQUE INDEX IF NOT EXISTS turnout_responses_key ON turnout_responses (key) WHERE key IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS turnout_responses_last ON turnout_responses (last) WHERE last IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS turnout_responses_expires ON turnout_responses (expires)",
    # A link of a history: a message after another link, 0 for none.
    """
    CREATE TABLE IF NOT EXISTS turnout_history (
        id INTEGER PRIMARY KEY,
        parent INTEGER NOT NULL,
        message INTEGER NOT NULL
    )
    """,
    "CREATE UNIQUE INDEX IF NOT EXISTS turnout_history_place ON turnout_history (parent, message)",
    "CREATE INDEX IF NOT EXISTS turnout_history_message ON turnout_history (message)",
    """
    CREATE TABLE IF NOT EXISTS turnout_messages (
        id INTEGER PRIMARY KEY,
        address BLOB NOT NULL UNIQUE,
        body BLOB NOT NULL
    )
    """,
)
_BUSY_S = 10.0
_AGAIN_S = 0.005
_PAGE = 2048
"""Bytes of a page: a message is found by its digest, so each one that is kept touches a page of its own."""
_CHECKPOINT = 4096
"""Pages of the log (8 MiB) after which they are brought into the file: what is written often is then brought once."""
_STATEMENTS = 256
"""Statements that stay prepared; those that write several rows are one for each number of rows."""


class SQLiteFile:
    """The file `path`, opened on first use and made when it is not there.

    What it has said is on the disk (write-ahead log, `synchronous=FULL`), so that a process may be killed at any
    instant. Other processes of the machine may share it, on a local disk. `process` names this one among them.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self.process = secrets.token_hex(8)
        self._writer = Writer(lambda: _Open(self._path, self.process))

    async def run(self, work: Work, undo: Undo | None = None) -> Any:
        """The outcome of `work`, once it is on the disk; see `Writer.begin`.

        Raises:
            StoreFailed: the file cannot be read or written, or a later version has made it.
        """
        return await self._writer.begin(work, undo)

    def begin(self, work: Work) -> "asyncio.Future[Any]":
        """Begin `work`, which goes on whether anybody waits for it or not; see `Writer.begin`."""
        return self._writer.begin(work)

    def is_there(self, process: str) -> bool:
        """Whether a process that shares the file has not ended."""
        return process == self.process or is_present(self._path, process)

    async def aclose(self) -> None:
        """Let go of the file, and be gone for the others; a later use opens it again."""
        await self._writer.aclose()


class _Open:
    """The open file and the sign that its owner is there.

    Raises:
        sqlite3.Error: it cannot be opened, or is no database.
        StoreFailed: it is of a later version.
    """

    def __init__(self, path: Path, process: str) -> None:
        sweep(path)
        self._presence = Presence(path, process)
        try:
            self.connection = sqlite3.connect(
                path, isolation_level=None, timeout=_BUSY_S, cached_statements=_STATEMENTS
            )
        except BaseException:
            self._presence.close()
            raise
        try:
            _prepare(self.connection)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of both."""
        self.connection.close()
        self._presence.close()


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Write ahead. SQLite does not wait for a lock to change the journal of a new file, so that two may collide."""
    end = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_AGAIN_S)
        else:
            return


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA page_size={_PAGE}")  # of a file that is made; it must be said first
    _keep_a_log(connection)
    connection.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT}")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(_TABLES[0])
    found = connection.execute("SELECT version FROM turnout_schema").fetchone()
    if found is not None and found[0] != SCHEMA:
        raise newer(found[0])
    for table in _TABLES[1:]:
        connection.execute(table)
    if found is None:
        connection.execute("INSERT INTO turnout_schema (version) VALUES (?)", (SCHEMA,))
    connection.execute("COMMIT")
