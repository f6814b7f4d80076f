"""A ledger in the memory of one process."""

import time
from collections.abc import Callable

from turnout.model import Claim, Json
from turnout.model.errors import StoreFailed

_SWEEP = 1024
"""Claims between two looks for rows that are past their time."""


class _Row:
    __slots__ = ("delivered", "expires", "fingerprint", "record", "since")

    def __init__(self, fingerprint: str, since: float, expires: float) -> None:
        self.fingerprint = fingerprint
        self.record: Json | None = None
        self.delivered = False
        self.since = since
        self.expires = expires


class MemoryLedger:
    """A `Ledger` whose rows live as long as the process: nothing in it is ever `lost`, a restart forgets it all.

    `now` tells the time in seconds. It is for one process: several workers need a ledger that they share.
    """

    def __init__(self, *, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._rows: dict[str, _Row] = {}
        self._claims = 0

    async def claim(self, key: str, fingerprint: str = "", *, keep_s: float, again: bool = False) -> Claim:
        """Take the work of `key`, if nobody has."""
        now = self._now()
        row = self._row(key, now)
        if row is not None and not (again and row.delivered and row.fingerprint == fingerprint):
            return _told(row, now) if row.fingerprint == fingerprint else Claim(state="conflict")
        self._rows[key] = _Row(fingerprint, now, now + keep_s)
        self._claims += 1
        if self._claims % _SWEEP == 0:
            self._sweep(now)
        return Claim(state="fresh")

    async def settle(self, key: str, record: Json, *, keep_s: float) -> None:
        """Say what became of the work of `key`.

        Raises:
            StoreFailed: nobody has claimed it.
        """
        now = self._now()
        row = self._row(key, now)
        if row is None or row.record is not None:
            raise StoreFailed("turnout: the ledger has no such claim")
        row.record = record
        row.since = now
        row.expires = now + keep_s

    async def deliver(self, key: str) -> None:
        """Note that the answer that tells of settled work reached its end."""
        row = self._row(key, self._now())
        if row is not None and row.record is not None:
            row.delivered = True

    async def look(self, key: str, fingerprint: str | None = None) -> Claim | None:
        """What the row of `key` says."""
        now = self._now()
        row = self._row(key, now)
        if row is None:
            return None
        return Claim(state="conflict") if fingerprint not in {None, row.fingerprint} else _told(row, now)

    async def aclose(self) -> None:
        """Nothing is held."""

    def _row(self, key: str, now: float) -> _Row | None:
        row = self._rows.get(key)
        return None if row is None or _past(row, now) else row

    def _sweep(self, now: float) -> None:
        self._rows = {key: row for key, row in self._rows.items() if not _past(row, now)}


def _past(row: _Row, now: float) -> bool:
    return row.record is not None and now >= row.expires


def _told(row: _Row, now: float) -> Claim:
    age_s = now - row.since
    if row.record is None:
        return Claim(state="running", age_s=age_s)
    return Claim(state="done", record=row.record, delivered=row.delivered, age_s=age_s)
