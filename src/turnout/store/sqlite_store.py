"""A store in a SQLite file, for one process or several of one machine."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from turnout.model import Context
from turnout.model.errors import TurnoutError

from .encoding import address
from .naming import new_id, owner
from .responses import Responses, not_found
from .rows import COLUMNS, Ending, Opening, Policy, Standing, Written, columns, given_away
from .sqlite import SQLiteLedger
from .sqlite_file import SQLiteFile
from .sqlite_history import ROWS, Histories, many
from .sweep import Sweep
from .writer import Together, Work

_WRITTEN = """
    SELECT r.body, m.body{more} FROM turnout_responses r
    LEFT JOIN turnout_history h ON r.answered AND h.id = r.last
    LEFT JOIN turnout_messages m ON m.id = h.message
"""
_FIND = (
    _WRITTEN.format(more="")
    + " WHERE r.id = ? AND r.owner = ? AND r.retain AND r.body IS NOT NULL AND r.expires > ?"
)
_STANDING = (
    _WRITTEN.format(more=", r.id, r.fingerprint, r.process, r.retain, min(r.key_expires, r.expires)")
    + " WHERE r.key = ?"
)
_LAST = """
    SELECT r.last, r.answered FROM turnout_responses r
    WHERE r.id = ? AND r.owner = ? AND r.retain AND r.body IS NOT NULL AND r.expires > ?
"""
_RUNNING = "SELECT id, process, body IS NULL FROM turnout_responses WHERE id IN (VALUES {rows})"
_HISTORY = """
    WITH RECURSIVE chain(parent, message, place) AS (
        SELECT parent, message, 0 FROM turnout_history WHERE id = ?
        UNION ALL
        SELECT h.parent, h.message, chain.place + 1 FROM chain JOIN turnout_history h ON h.id = chain.parent
    )
    SELECT m.body FROM chain JOIN turnout_messages m ON m.id = chain.message ORDER BY chain.place DESC
"""
_ADD_RESPONSES = f"INSERT INTO turnout_responses ({COLUMNS}, body, last, answered) VALUES {{rows}}"
_WITHOUT_KEY = "(?, ?, 1, ?, NULL, '', 0, ?, ?, ?, ?)"
"""A row of these that no key stands for: it is retained, and has ended."""
_END = """
    UPDATE turnout_responses SET body = ?, last = ?, answered = ?, retain = ?, expires = ?,
    key = CASE WHEN ? THEN NULL ELSE key END WHERE id = ?
"""
_UNUSED = """
    WITH RECURSIVE unused(id, parent, message) AS (
        SELECT h.id, h.parent, h.message FROM turnout_history h WHERE h.id = ?
            AND NOT EXISTS (SELECT 1 FROM turnout_responses r WHERE r.last = h.id)
            AND NOT EXISTS (SELECT 1 FROM turnout_history c WHERE c.parent = h.id)
        UNION ALL
        SELECT h.id, h.parent, h.message FROM unused JOIN turnout_history h ON h.id = unused.parent
            WHERE NOT EXISTS (SELECT 1 FROM turnout_responses r WHERE r.last = h.id)
            AND NOT EXISTS (SELECT 1 FROM turnout_history c WHERE c.parent = h.id AND c.id <> unused.id)
    )
    SELECT id, message FROM unused
"""
"""The links that are needed no more, once no response ends in the first of them."""


class SQLiteStore(Responses):
    """A `Store` with its `Retrieval`, and a `Ledger`, in the file `path`, which is made when it is not there.

    A response is on the disk before its run is said to have finished, in one transaction, so that a process may be
    killed at any instant. A key whose process has ended without a word is free at once. Other workers may share the
    file on a local disk. Close it with `aclose`; a later use opens it again.
    """

    def __init__(
        self,
        path: str | Path,
        policy: Policy = Policy(),  # noqa: B008 -- a frozen value
        *,
        owner: Callable[[Context], str] = owner,
        now: Callable[[], float] = time.time,
        new_id: Callable[[], str] = new_id,
    ) -> None:
        self._file = SQLiteFile(path)
        super().__init__(SQLiteLedger(self._file, now=now), policy, owner=owner, now=now, new_id=new_id)
        self._sweeping = Sweep()

    async def _reserve(self, opening: Opening) -> Standing | None:
        def undo(outcome: Any) -> Work | None:
            return partial(_release, opening) if outcome is None else None

        return await self._file.run(partial(self._reserve_now, opening), undo)

    def _keep(self, ending: Ending) -> "asyncio.Future[None]":
        return self._file.begin(Together(self._keep_now, ending))

    async def _release(self, opening: Opening) -> None:
        await self._file.run(partial(_release, opening))

    async def _find(self, response_id: str, owner: str) -> Written | None:
        visible = (response_id, owner, self._now())

        def find(connection: sqlite3.Connection) -> Written | None:
            row = connection.execute(_FIND, visible).fetchone()
            return None if row is None else Written(body=row[0], answer=row[1])

        return await self._file.run(find)

    async def _history(self, response_id: str, owner: str, *, answered: bool) -> list[bytes] | None:
        visible = (response_id, owner, self._now())

        def read(connection: sqlite3.Connection) -> list[bytes] | None:
            row = connection.execute(_LAST, visible).fetchone()
            if row is None:
                return None
            last, apart = row
            bodies = [body for (body,) in connection.execute(_HISTORY, (last,))]
            return bodies[:-1] if apart and not answered else bodies

        return await self._file.run(read)

    async def _forget(self, response_id: str, owner: str) -> bool:
        visible = (response_id, owner, self._now())

        def forget(connection: sqlite3.Connection) -> bool:
            row = connection.execute(_LAST, visible).fetchone()
            if row is not None:
                _drop(connection, ((response_id, row[0]),))
            return row is not None

        return await self._file.run(forget)

    def _reserve_now(self, opening: Opening, connection: sqlite3.Connection) -> Standing | None:
        self._sweep(connection)
        row = connection.execute(_STANDING, (opening.key,)).fetchone()
        if row is not None:
            body, answer, id_, fingerprint, process, retain, expires = row
            ended = None if body is None else Written(body=body, answer=answer)
            if self._file.is_there(process) if ended is None else opening.now < expires:
                return Standing(id=id_, fingerprint=fingerprint, ended=ended)
            if ended is not None and retain:
                connection.execute("UPDATE turnout_responses SET key = NULL WHERE id = ?", (id_,))
            else:
                connection.execute("DELETE FROM turnout_responses WHERE id = ?", (id_,))
        many(connection, _ADD_RESPONSES, [(*columns(opening, self._file.process), None, None, False)])
        return None

    def _keep_now(self, connection: sqlite3.Connection, endings: list[Ending]) -> list[TurnoutError | None]:
        """Write the ends of several runs: what is wrong with each, if anything is."""
        self._sweep(connection)
        if len(endings) <= ROWS and not any(ending.opening.key for ending in endings):
            try:  # their ids were made for them, so nobody has to look whether these are there
                return self._written(connection, endings, {})
            except sqlite3.IntegrityError:  # they are, and nothing was written
                pass
        return self._written(connection, endings, self._running(connection, endings))

    def _written(
        self, connection: sqlite3.Connection, endings: list[Ending], running: dict[str, bool]
    ) -> list[TurnoutError | None]:
        """As `_keep_now`, of runs of which `running` says what their rows do."""
        outcomes: list[TurnoutError | None] = []
        told = [_told(ending) for ending in endings]
        histories = Histories(connection, [where for each in told for where, _ in each])
        rows: list[tuple[Any, ...]] = []
        ends: list[tuple[Any, ...]] = []
        for ending, messages in zip(endings, told, strict=True):
            opening, written, last = ending.opening, ending.written, 0
            try:
                if ending.previous is not None and opening.retain:
                    last = _before(connection, ending.previous, opening.owner, self._now())
                if running.get(opening.id) is not (True if opening.key else None):
                    raise given_away()
            except TurnoutError as error:
                outcomes.append(error)
                continue
            outcomes.append(None)
            running[opening.id] = False
            last = histories.grow(last, messages)
            answered = 1 if opening.retain and written.answer is not None else 0
            end = (bytearray(written.body), last or None, answered)
            if opening.key:
                ends.append((*end, opening.retain, opening.expires, ending.free, opening.id))
            else:
                rows.append((opening.id, opening.owner, opening.expires, self._file.process, *end))
        many(connection, _ADD_RESPONSES, rows, _WITHOUT_KEY)
        for end in ends:
            connection.execute(_END, end)
        histories.write()
        return outcomes

    def _running(self, connection: sqlite3.Connection, endings: list[Ending]) -> dict[str, bool]:
        """Of those runs that have a row, whether it waits for this process to end it."""
        ids = [(ending.opening.id,) for ending in endings]
        return {
            id_: bool(process == self._file.process and runs)
            for id_, process, runs in many(connection, _RUNNING, ids)
        }

    def _sweep(self, connection: sqlite3.Connection) -> None:
        """Clear away what is past its time: responses, and runs of processes that have ended."""
        now = self._now()
        if not self._sweeping.due(now):
            return
        found: list[tuple[str, int | None, bool, str]] = connection.execute(
            "SELECT id, last, body IS NULL, process FROM turnout_responses WHERE expires <= ?", (now,)
        ).fetchall()
        running = {process for _, _, runs, process in found if runs}
        there = {process for process in running if self._file.is_there(process)}
        _drop(
            connection,
            ((id_, last) for id_, last, runs, process in found if not runs or process not in there),
        )


def _release(opening: Opening, connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM turnout_responses WHERE id = ? AND body IS NULL", (opening.id,))


def _before(connection: sqlite3.Connection, previous: str, owner: str, now: float) -> int:
    """The history that ends in a response."""
    row = connection.execute(_LAST, (previous, owner, now)).fetchone()
    if row is None:
        raise not_found(previous)
    return row[0] or 0


def _told(ending: Ending) -> list[tuple[bytes, bytes]]:
    """The messages that a run adds to the history that it continues from, each after its address."""
    owner = ending.opening.owner
    return [(address(owner, body), body) for body in ending.told] if ending.opening.retain else []


def _drop(connection: sqlite3.Connection, rows: Iterable[tuple[str, int | None]]) -> None:
    """Remove responses, and what they alone needed of their histories."""
    for id_, last in rows:
        connection.execute("DELETE FROM turnout_responses WHERE id = ?", (id_,))
        unused = connection.execute(_UNUSED, (last,)).fetchall()
        connection.executemany("DELETE FROM turnout_history WHERE id = ?", [(link,) for link, _ in unused])
        connection.executemany(
            "DELETE FROM turnout_messages WHERE id = ?1"
            " AND NOT EXISTS (SELECT 1 FROM turnout_history WHERE message = ?1)",
            [(message,) for message in {message for _, message in unused}],
        )
