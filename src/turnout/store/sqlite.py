"""A ledger in a SQLite file, for one process or several of one machine."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from turnout.model import Claim, Json
from turnout.model.errors import StoreFailed

from .sqlite_file import SQLiteFile
from .sweep import Sweep
from .writer import Work


class SQLiteLedger:
    """A `Ledger` in the file `path`, which is made when it is not there.

    What it has said is on the disk, so that a process may be killed at any instant: work that it had claimed and not
    settled is `lost` for whoever asks next. Other workers may share the file on a local disk. `now` tells the time in
    seconds. Close it with `aclose`; a later use opens it again.
    """

    def __init__(self, path: str | Path | SQLiteFile, *, now: Callable[[], float] = time.time) -> None:
        self._file = path if isinstance(path, SQLiteFile) else SQLiteFile(path)
        self._now = now
        self._sweeping = Sweep(now())

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
                (key, fingerprint, self._file.process, now, now + keep_s),
            )
            return Claim(state="fresh")

        def undo(outcome: Any) -> Work | None:
            return self._release(key) if isinstance(outcome, Claim) and outcome.state == "fresh" else None

        return await self._file.run(claim, undo)

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
                (record, now, now + keep_s, key, self._file.process),
            )
            if changed.rowcount != 1:
                raise StoreFailed("turnout: the ledger has no such claim")

        await self._file.run(settle)

    async def deliver(self, key: str) -> None:
        """Note that the answer that tells of settled work reached its end.

        Raises:
            StoreFailed: the file cannot be written.
        """

        def deliver(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE turnout_ledger SET delivered = 1 WHERE key = ? AND record IS NOT NULL", (key,)
            )

        await self._file.run(deliver)

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

        return await self._file.run(look)

    async def aclose(self) -> None:
        """Let go of the file; for others, what is claimed and not settled is lost then."""
        await self._file.aclose()

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
        if record is None and self._file.is_there(owner):
            return fingerprint, Claim(state="running", age_s=age_s)
        if now >= expires:
            return None
        if record is None:
            return fingerprint, Claim(state="lost", age_s=age_s)
        return fingerprint, Claim(state="done", record=record, delivered=bool(delivered), age_s=age_s)

    def _release(self, key: str) -> Work:
        def release(connection: sqlite3.Connection) -> None:
            connection.execute(
                "DELETE FROM turnout_ledger WHERE key = ? AND owner = ? AND record IS NULL",
                (key, self._file.process),
            )

        return release

    def _sweep(self, connection: sqlite3.Connection, now: float) -> None:
        if not self._sweeping.due(now):
            return
        connection.execute("DELETE FROM turnout_ledger WHERE record IS NOT NULL AND expires <= ?", (now,))
        owners: list[Any] = connection.execute(
            "SELECT DISTINCT owner FROM turnout_ledger WHERE record IS NULL AND expires <= ?", (now,)
        ).fetchall()
        for (owner,) in owners:
            if not self._file.is_there(owner):
                connection.execute(
                    "DELETE FROM turnout_ledger WHERE owner = ? AND record IS NULL AND expires <= ?",
                    (owner, now),
                )
