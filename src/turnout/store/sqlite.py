"""A ledger in a SQLite file, for one process or several of one machine."""

import secrets
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from turnout.model import Claim, Json
from turnout.model.errors import StoreFailed

from .presence import Presence, is_present, sweep
from .writer import Work, Writer

_TABLE = """
CREATE TABLE IF NOT EXISTS turnout_ledger (
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    owner TEXT NOT NULL,
    record TEXT,
    delivered INTEGER NOT NULL DEFAULT 0,
    since REAL NOT NULL,
    expires REAL NOT NULL
) WITHOUT ROWID
"""
_BUSY_S = 10.0
_SWEEP_S = 60.0
"""Seconds between two looks for rows that are past their time."""


class SQLiteLedger:
    """A `Ledger` in the file `path`, which is made when it is not there.

    What it has said is on the disk (write-ahead log, `synchronous=FULL`), so that a process may be killed at any
    instant: work that it had claimed and not settled is `lost` for whoever asks next. Other workers may share the
    file on a local disk. `now` tells the time in seconds. Close it with `aclose`; a later
    use opens it again.
    """

    def __init__(self, path: str | Path, *, now: Callable[[], float] = time.time) -> None:
        self._path = Path(path)
        self._now = now
        self._owner = secrets.token_hex(8)
        self._swept = now()
        self._writer = Writer(lambda: _File(self._path, self._owner))

    async def claim(self, key: str, fingerprint: str = "", *, keep_s: float, again: bool = False) -> Claim:
        """Take the work of `key`, if nobody has.

        Raises:
            StoreFailed: the file cannot be read or written; nothing is claimed.
        """

        def claim(connection: sqlite3.Connection) -> Claim:
            now = self._now()
            self._sweep(connection, now)
            found = self._find(connection, key, now)
            if found is not None:
                said, told = found
                if said != fingerprint:
                    return Claim(state="conflict")
                if not (again and told.delivered):
                    return told
            connection.execute(
                "INSERT OR REPLACE INTO turnout_ledger (key, fingerprint, owner, since, expires)"
                " VALUES (?, ?, ?, ?, ?)",
                (key, fingerprint, self._owner, now, now + keep_s),
            )
            return Claim(state="fresh")

        def undo(outcome: Any) -> Work | None:
            return self._release(key) if isinstance(outcome, Claim) and outcome.state == "fresh" else None

        return await self._writer.run(claim, undo)

    async def settle(self, key: str, record: Json, *, keep_s: float) -> None:
        """Say what became of the work of `key`.

        Raises:
            StoreFailed: the file cannot be written, or this ledger has not claimed it.
        """
        now = self._now()

        def settle(connection: sqlite3.Connection) -> None:
            changed = connection.execute(
                "UPDATE turnout_ledger SET record = ?, since = ?, expires = ?"
                " WHERE key = ? AND owner = ? AND record IS NULL",
                (record, now, now + keep_s, key, self._owner),
            )
            if changed.rowcount != 1:
                raise StoreFailed("turnout: the ledger has no such claim")

        await self._writer.run(settle)

    async def deliver(self, key: str) -> None:
        """Note that the answer that tells of settled work reached its end.

        Raises:
            StoreFailed: the file cannot be written.
        """

        def deliver(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE turnout_ledger SET delivered = 1 WHERE key = ? AND record IS NOT NULL", (key,)
            )

        await self._writer.run(deliver)

    async def look(self, key: str, fingerprint: str | None = None) -> Claim | None:
        """What the row of `key` says.

        Raises:
            StoreFailed: the file cannot be read.
        """

        def look(connection: sqlite3.Connection) -> Claim | None:
            found = self._find(connection, key, self._now())
            if found is None:
                return None
            return Claim(state="conflict") if fingerprint not in {None, found[0]} else found[1]

        return await self._writer.run(look)

    async def aclose(self) -> None:
        """Let go of the file; for others, what is claimed and not settled is lost then."""
        await self._writer.aclose()

    def _find(self, connection: sqlite3.Connection, key: str, now: float) -> tuple[str, Claim] | None:
        """The fingerprint of a row and what it says, unless it is past its time."""
        row = connection.execute(
            "SELECT fingerprint, owner, record, delivered, since, expires FROM turnout_ledger WHERE key = ?",
            (key,),
        ).fetchone()
        if row is None:
            return None
        fingerprint, owner, record, delivered, since, expires = row
        age_s = now - since
        if record is None and self._is_there(owner):
            return fingerprint, Claim(state="running", age_s=age_s)
        if now >= expires:
            return None
        if record is None:
            return fingerprint, Claim(state="lost", age_s=age_s)
        return fingerprint, Claim(state="done", record=record, delivered=bool(delivered), age_s=age_s)

    def _is_there(self, owner: str) -> bool:
        return owner == self._owner or is_present(self._path, owner)

    def _release(self, key: str) -> Work:
        def release(connection: sqlite3.Connection) -> None:
            connection.execute(
                "DELETE FROM turnout_ledger WHERE key = ? AND owner = ? AND record IS NULL",
                (key, self._owner),
            )

        return release

    def _sweep(self, connection: sqlite3.Connection, now: float) -> None:
        if now - self._swept < _SWEEP_S:
            return
        self._swept = now
        connection.execute("DELETE FROM turnout_ledger WHERE record IS NOT NULL AND expires <= ?", (now,))
        owners: list[Any] = connection.execute(
            "SELECT DISTINCT owner FROM turnout_ledger WHERE record IS NULL AND expires <= ?", (now,)
        ).fetchall()
        for (owner,) in owners:
            if not self._is_there(owner):
                connection.execute(
                    "DELETE FROM turnout_ledger WHERE owner = ? AND record IS NULL AND expires <= ?",
                    (owner, now),
                )


class _File:
    """The open file and the sign that its owner is there.

    Raises:
        sqlite3.Error: it cannot be opened, or is no database.
    """

    def __init__(self, path: Path, owner: str) -> None:
        sweep(path)
        self._presence = Presence(path, owner)
        try:
            self.connection = sqlite3.connect(path, isolation_level=None, timeout=_BUSY_S)
        except BaseException:
            self._presence.close()
            raise
        try:
            self.connection.execute("PRAGMA journal_mode=WAL")
            self.connection.execute("PRAGMA synchronous=FULL")
            self.connection.execute(_TABLE)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of both."""
        self.connection.close()
        self._presence.close()
