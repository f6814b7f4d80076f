"""A ledger in a Postgres database, for many processes on many hosts."""

import time
from collections.abc import Callable
from typing import Any, Final

from turnout.model import Claim, Json
from turnout.model.errors import StoreFailed

from .postgres_database import PostgresDatabase, Work
from .sweep import Sweep

IS_HERE: Final = """(process = $2 OR EXISTS (
    SELECT 1 FROM turnout_processes p WHERE p.id = process AND p.until > clock_timestamp()
))"""
"""Whether the `process` of a row is there; `$2` is this one."""

_FIND = f"""
    SELECT fingerprint, record, delivered, since, expires, {IS_HERE} AS is_here FROM turnout_ledger WHERE key = $1
"""
_ADD = """
    INSERT INTO turnout_ledger (key, fingerprint, process, since, expires) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (key) DO NOTHING
"""
_TAKE = """
    UPDATE turnout_ledger SET fingerprint = $2, process = $3, since = $4, expires = $5, record = NULL, delivered = false
    WHERE key = $1
"""


class PostgresLedger:
    """A `Ledger` in a database that gateways share.

    What a process had claimed and not settled is `lost` for whoever asks next when the process has closed its ledger,
    or has not renewed its lease. `now` tells the time in seconds.
    """

    def __init__(self, database: PostgresDatabase, *, now: Callable[[], float] = time.time) -> None:
        self._database = database
        self._now = now
        self._sweeping = Sweep(now())

    async def claim(self, key: str, fingerprint: str = "", *, keep_s: float, again: bool = False) -> Claim:
        """Take the work of `key`, if nobody has.

        Raises:
            StoreFailed: the database cannot be read or written; nothing is claimed.
        """
        process = self._database.process

        async def claim(connection: Any) -> Claim:
            now = self._now()
            await self._sweep(connection, now)
            row = (key, fingerprint, process, now, now + keep_s)
            while await connection.execute(_ADD, *row) != "INSERT 0 1":
                async with self._database.transaction(connection):
                    found = await connection.fetchrow(_FIND + " FOR UPDATE OF turnout_ledger", key, process)
                    if found is None:  # it went meanwhile
                        continue
                    told = _told(found, now)
                    if told is not None and found["fingerprint"] != fingerprint:
                        return Claim(state="conflict")
                    if told is not None and not (again and told.delivered):
                        return told
                    await connection.execute(_TAKE, *row)
                    break
            return Claim(state="fresh")

        def undo(outcome: Claim) -> "Work[Any] | None":
            return self._release(key) if outcome.state == "fresh" else None

        return await self._database.run(claim, undo)

    async def settle(self, key: str, record: Json, *, keep_s: float) -> None:
        """Say what became of the work of `key`.

        Raises:
            StoreFailed: the database cannot be written, or this ledger has not claimed it.
        """
        now = self._now()

        async def settle(connection: Any) -> None:
            changed = await connection.execute(
                "UPDATE turnout_ledger SET record = $2, since = $3, expires = $4"
                " WHERE key = $1 AND process = $5 AND record IS NULL",
                key,
                record,
                now,
                now + keep_s,
                self._database.process,
            )
            if changed != "UPDATE 1":
                raise StoreFailed("turnout: the ledger has no such claim")

        await self._database.run(settle)

    async def deliver(self, key: str) -> None:
        """Note that the answer that tells of settled work reached its end.

        Raises:
            StoreFailed: the database cannot be written.
        """

        async def deliver(connection: Any) -> None:
            await connection.execute(
                "UPDATE turnout_ledger SET delivered = true WHERE key = $1 AND record IS NOT NULL", key
            )

        await self._database.run(deliver)

    async def look(self, key: str, fingerprint: str | None = None) -> Claim | None:
        """What the row of `key` says.

        Raises:
            StoreFailed: the database cannot be read.
        """

        async def look(connection: Any) -> Claim | None:
            found = await connection.fetchrow(_FIND, key, self._database.process)
            if found is None:
                return None
            told = _told(found, self._now())
            return (
                Claim(state="conflict") if told and fingerprint not in {None, found["fingerprint"]} else told
            )

        return await self._database.run(look)

    async def aclose(self) -> None:
        """Let go of the database; for others, what is claimed and not settled is lost then."""
        await self._database.aclose()

    async def leave(self) -> None:
        """Close the connections of the running event loop; what is claimed stays so."""
        await self._database.leave()

    def _release(self, key: str) -> "Work[Any]":
        async def release(connection: Any) -> None:
            await connection.execute(
                "DELETE FROM turnout_ledger WHERE key = $1 AND process = $2 AND record IS NULL",
                key,
                self._database.process,
            )

        return release

    async def _sweep(self, connection: Any, now: float) -> None:
        if not self._sweeping.due(now):
            return
        await connection.execute(
            f"DELETE FROM turnout_ledger WHERE expires <= $1 AND (record IS NOT NULL OR NOT {IS_HERE})",
            now,
            self._database.process,
        )


def _told(row: Any, now: float) -> Claim | None:
    """What a row says, unless it is past its time."""
    age_s = now - row["since"]
    if row["record"] is None and row["is_here"]:
        return Claim(state="running", age_s=age_s)
    if now >= row["expires"]:
        return None
    if row["record"] is None:
        return Claim(state="lost", age_s=age_s)
    return Claim(state="done", record=row["record"], delivered=row["delivered"], age_s=age_s)
