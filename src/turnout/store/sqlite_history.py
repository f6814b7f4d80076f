"""Histories in a SQLite file: each message once per owner, and links that say what follows what.

Strategy: what comes together is written in few statements of many rows. Each statement lets the other threads go on,
and getting back costs more than a row does. Ids are counted here, since nobody else writes meanwhile: rows that
follow each other lie together, and a transaction touches few pages.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any

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

    `addresses` are those of all messages that may be added; call `write` when all histories have grown.
    """

    def __init__(self, connection: sqlite3.Connection, addresses: Iterable[bytes]) -> None:
        self._connection = connection
        wanted = [(bytearray(each),) for each in dict.fromkeys(addresses)]
        found: dict[Any, int] = dict(many(connection, _KNOWN, wanted))
        self._last_message = found.pop("message", None) or 0
        self._before = self._last_link = found.pop("link", None) or 0
        self._messages: dict[bytes, int] = found
        self._known = frozenset(self._messages.values())
        self._new: list[tuple[int, bytearray, bytearray]] = []
        self._links: dict[tuple[int, int], int] = {}

    def grow(self, last: int, messages: Iterable[tuple[bytes, bytes]]) -> int:
        """The last link of the history that grows from `last`, 0 for none, of links that are there where they are.

        `messages` are the address and the bytes of each that follows.
        """
        for where, body in messages:
            message = self._messages.get(where)
            if message is None:
                self._last_message = self._messages[where] = message = self._last_message + 1
                self._new.append((message, bytearray(where), bytearray(body)))
            place = (last, message)
            link = self._links.get(place)
            if link is None:
                self._links[place] = link = self._link(last, message)
            last = link
        return last

    def write(self) -> None:
        """Write what is new."""
        many(self._connection, _ADD_MESSAGES, self._new)
        many(
            self._connection,
            _ADD_LINKS,
            [(id_, *place) for place, id_ in self._links.items() if id_ > self._before],
        )

    def _link(self, parent: int, message: int) -> int:
        if parent <= self._before and message in self._known:
            found = self._connection.execute(_LINK, (parent, message)).fetchone()
            if found is not None:
                return found[0]
        self._last_link += 1
        return self._last_link


def many(
    connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]], row: str = ""
) -> list[Any]:
    """Execute a statement for all `rows`, which stand where it says so: what it gives.

    `row` is how one is written, where that is more than its values. Whole numbers, floats, texts and byte arrays are
    bound as they are; of anything else, `bytes` and `bool` too, SQLite's module first asks what it may be.
    """
    given: list[Any] = []
    for at in range(0, len(rows), ROWS):
        some = rows[at : at + ROWS]
        written = row or f"({', '.join('?' * len(some[0]))})"
        values = list(chain.from_iterable(some))
        given += connection.execute(_for_rows(statement, len(some), written), values).fetchall()
    return given


@cache
def _for_rows(statement: str, rows: int, row: str) -> str:
    return statement.format(rows=", ".join([row] * rows))
