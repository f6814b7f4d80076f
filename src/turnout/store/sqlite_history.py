"""Histories in a SQLite file: each message once per owner, and links that say what follows what.

Strategy: what comes together is written in few statements of many rows. Each statement lets the other threads go on,
and getting back costs more than a row does. Ids are counted here, since nobody else writes meanwhile: rows that
follow each other lie together, and a transaction touches few pages.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from .encoding import address

_KNOWN = """
    SELECT address, id FROM turnout_messages WHERE address IN (VALUES {rows})
    UNION ALL SELECT 'message', max(id) FROM turnout_messages
    UNION ALL SELECT 'link', max(id) FROM turnout_history
"""
"""The messages that are there, and the last ids of both tables."""
_LINK = "SELECT id FROM turnout_history WHERE parent = ? AND message = ?"
_ADD_MESSAGES = "INSERT INTO turnout_messages (id, address, body) VALUES {rows}"
_ADD_LINKS = "INSERT INTO turnout_history (id, parent, message) VALUES {rows}"

ROWS = 32
"""Rows in one statement, at most: the messages of 16 runs that ask one thing and are answered."""


class Histories:
    """The histories that grow in one transaction.

    `told` are the owner and the messages of each that may; call `write` when all have grown.
    """

    def __init__(self, connection: sqlite3.Connection, told: Iterable[tuple[str, tuple[bytes, ...]]]) -> None:
        self._connection = connection
        self._addresses = {(owner, body): address(owner, body) for owner, bodies in told for body in bodies}
        wanted = [(each,) for each in self._addresses.values()]
        found: dict[Any, int] = dict(many(connection, _KNOWN, wanted))
        self._last_message = found.pop("message", None) or 0
        self._before = self._last_link = found.pop("link", None) or 0
        self._messages: dict[bytes, int] = found
        self._known = frozenset(self._messages.values())
        self._new: list[tuple[int, bytes, bytes]] = []
        self._links: dict[tuple[int, int], int] = {}

    def grow(self, owner: str, last: int, bodies: tuple[bytes, ...]) -> int:
        """The last link of the history that grows from `last`, 0 for none, of links that are there where they are."""
        for body in bodies:
            last = self._link(last, self._message(self._addresses[owner, body], body))
        return last

    def write(self) -> None:
        """Write what is new."""
        many(self._connection, _ADD_MESSAGES, self._new)
        many(
            self._connection,
            _ADD_LINKS,
            [(id_, *place) for place, id_ in self._links.items() if id_ > self._before],
        )

    def _message(self, where: bytes, body: bytes) -> int:
        message = self._messages.get(where)
        if message is None:
            self._last_message = self._messages[where] = message = self._last_message + 1
            self._new.append((message, where, body))
        return message

    def _link(self, parent: int, message: int) -> int:
        place = (parent, message)
        link = self._links.get(place)
        if link is None and parent <= self._before and message in self._known:
            link = (self._connection.execute(_LINK, place).fetchone() or (None,))[0]
        if link is None:
            self._last_link = link = self._last_link + 1
        self._links[place] = link
        return link


def many(connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Execute a statement for all `rows`, which stand where it says so: what it gives."""
    given: list[Any] = []
    for at in range(0, len(rows), ROWS):
        some = rows[at : at + ROWS]
        values = [value for row in some for value in row]
        given += connection.execute(_for_rows(statement, len(some), len(some[0])), values).fetchall()
    return given


@cache
def _for_rows(statement: str, rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return statement.format(rows=", ".join([row] * rows))
