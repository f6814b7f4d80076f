"""A store in a Postgres database, for many processes on many hosts.

Strategy: links of histories are named by what they hold, so that all that a response adds goes out in one statement.
Who adds to the histories of an owner shares a lock that who removes from them has alone: nothing is removed that
somebody builds on.
"""

import time
from collections.abc import Callable, Iterable
from functools import partial
from hashlib import blake2b
from typing import Any

from turnout.model import Context

from .encoding import address
from .naming import new_id, owner
from .postgres_database import PostgresDatabase, Work, exclusive, shared
from .postgres_ledger import IS_HERE, PostgresLedger
from .responses import Responses, not_found
from .rows import COLUMNS, Ending, Opening, Policy, Standing, Written, columns, given_away
from .sweep import Sweep

_RESERVE = f"""
    INSERT INTO turnout_responses ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING
"""
_VISIBLE = "r.id = $1 AND r.owner = $2 AND r.retain AND r.body IS NOT NULL AND r.expires > $3"
_LAST = f"SELECT r.last, r.answered FROM turnout_responses r WHERE {_VISIBLE}"
_APART = """
    LEFT JOIN turnout_history h ON r.answered AND h.id = r.last
    LEFT JOIN turnout_messages m ON m.address = h.message
"""
_FIND = f"SELECT r.body, m.body AS answer FROM turnout_responses r {_APART} WHERE {_VISIBLE}"
_STANDING = f"""
    SELECT r.id, r.fingerprint, r.retain, r.body, m.body AS answer, {IS_HERE} AS is_here,
        least(r.key_expires, r.expires) AS lapses
    FROM turnout_responses r {_APART} WHERE r.key = $1 FOR UPDATE OF r
"""
_HISTORY = """
    WITH RECURSIVE chain(parent, message, place) AS (
        SELECT parent, message, 0 FROM turnout_history WHERE id = $1
        UNION ALL
        SELECT h.parent, h.message, chain.place + 1 FROM chain JOIN turnout_history h ON h.id = chain.parent
    )
    SELECT m.body FROM chain JOIN turnout_messages m ON m.address = chain.message ORDER BY chain.place DESC
"""
_GROW = """
    WITH new_messages AS (
        INSERT INTO turnout_messages (address, body) SELECT * FROM unnest($1::bytea[], $2::bytea[])
        ON CONFLICT (address) DO NOTHING
    ), new_history AS (
        INSERT INTO turnout_history (id, parent, message) SELECT * FROM unnest($3::bytea[], $4::bytea[], $5::bytea[])
        ON CONFLICT (id) DO NOTHING
    )
"""
_ADD = f"""
    INSERT INTO turnout_responses ({COLUMNS}, body, last, answered)
    VALUES ($6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT (id) DO NOTHING
"""
_END = """
    UPDATE turnout_responses SET body = $3, last = $4, answered = $5, retain = $6, expires = $7,
    key = CASE WHEN $8 THEN NULL ELSE key END
    WHERE id = $1 AND process = $2 AND body IS NULL
"""
_REMOVE = """
    WITH RECURSIVE unused(id, parent) AS (
        SELECT h.id, h.parent FROM turnout_history h WHERE h.id = $1
            AND NOT EXISTS (SELECT 1 FROM turnout_responses r WHERE r.last = h.id)
            AND NOT EXISTS (SELECT 1 FROM turnout_history c WHERE c.parent = h.id)
        UNION ALL
        SELECT h.id, h.parent FROM unused JOIN turnout_history h ON h.id = unused.parent
            WHERE NOT EXISTS (SELECT 1 FROM turnout_responses r WHERE r.last = h.id)
            AND NOT EXISTS (SELECT 1 FROM turnout_history c WHERE c.parent = h.id AND c.id <> unused.id)
    )
    DELETE FROM turnout_history h USING unused WHERE h.id = unused.id RETURNING h.message
"""
"""Removes the links that are needed no more, once no response ends in the first of them."""
_REMOVE_MESSAGES = """
    DELETE FROM turnout_messages m WHERE m.address = ANY($1::bytea[])
    AND NOT EXISTS (SELECT 1 FROM turnout_history h WHERE h.message = m.address)
"""


class PostgresStore(Responses):
    """A `Store` with its `Retrieval`, and a `Ledger`, in the Postgres database at `url`, which gateways share.

    Each event loop that uses it holds at most `connections` and one more, by which the process renews its lease. A key
    whose process has ended without a word is free when that process has not renewed its lease for `lease_s` seconds;
    who is late with the end of a run is told `StoreFailed`. Close it with `aclose`; a later use opens it again.

    Raises:
        Misconfigured: the driver is not installed: the extra `postgres`.
    """

    def __init__(
        self,
        url: str,
        policy: Policy = Policy(),  # noqa: B008 -- a frozen value
        *,
        owner: Callable[[Context], str] = owner,
        now: Callable[[], float] = time.time,
        new_id: Callable[[], str] = new_id,
        connections: int = 10,
        lease_s: float = 30.0,
    ) -> None:
        self._database = PostgresDatabase(url, connections=connections, lease_s=lease_s)
        super().__init__(PostgresLedger(self._database, now=now), policy, owner=owner, now=now, new_id=new_id)
        self._sweeping = Sweep()

    async def leave(self) -> None:
        """Close the connections of the running event loop; runs go on in others."""
        await self._database.leave()

    async def _reserve(self, opening: Opening) -> Standing | None:
        def undo(outcome: Standing | None) -> "Work[Any] | None":
            return partial(_release, opening) if outcome is None else None

        return await self._database.run(partial(self._reserve_now, opening), undo)

    async def _keep(self, ending: Ending) -> None:
        if ending.opening.retain:
            await self._database.run(partial(self._keep_now, ending))
        else:
            await self._database.run(partial(self._settle_now, ending))

    async def _release(self, opening: Opening) -> None:
        await self._database.run(partial(_release, opening))

    async def _find(self, response_id: str, owner: str) -> Written | None:
        async def find(connection: Any) -> Written | None:
            row = await connection.fetchrow(_FIND, response_id, owner, self._now())
            return None if row is None else Written(body=row["body"], answer=row["answer"])

        return await self._database.run(find)

    async def _history(self, response_id: str, owner: str, *, answered: bool) -> list[bytes] | None:
        async def read(connection: Any) -> list[bytes] | None:
            async with self._database.transaction(connection, shared(owner)):
                row = await connection.fetchrow(_LAST, response_id, owner, self._now())
                if row is None:
                    return None
                bodies = [each["body"] for each in await connection.fetch(_HISTORY, row["last"])]
            return bodies[:-1] if row["answered"] and not answered else bodies

        return await self._database.run(read)

    async def _forget(self, response_id: str, owner: str) -> bool:
        async def forget(connection: Any) -> bool:
            async with self._database.transaction(connection, exclusive(owner)):
                row = await connection.fetchrow(_LAST, response_id, owner, self._now())
                if row is not None:
                    await _drop(connection, ((response_id, row["last"]),))
            return row is not None

        return await self._database.run(forget)

    async def _reserve_now(self, opening: Opening, connection: Any) -> Standing | None:
        await self._sweep(connection)
        while await connection.execute(_RESERVE, *columns(opening, self._database.process)) != "INSERT 0 1":
            async with self._database.transaction(connection):
                row = await connection.fetchrow(_STANDING, opening.key, self._database.process)
                if row is None:  # it went meanwhile
                    continue
                ended = None if row["body"] is None else Written(body=row["body"], answer=row["answer"])
                if row["is_here"] if ended is None else opening.now < row["lapses"]:
                    return Standing(id=row["id"], fingerprint=row["fingerprint"], ended=ended)
                if ended is not None and row["retain"]:
                    await connection.execute(
                        "UPDATE turnout_responses SET key = NULL WHERE id = $1", row["id"]
                    )
                else:
                    await connection.execute("DELETE FROM turnout_responses WHERE id = $1", row["id"])
        return None

    async def _settle_now(self, ending: Ending, connection: Any) -> None:
        """Keep the end of a run for its key alone."""
        await self._sweep(connection)
        if await self._ended(connection, ending, None, False) != "UPDATE 1":
            raise given_away()

    async def _keep_now(self, ending: Ending, connection: Any) -> None:
        opening = ending.opening
        process = self._database.process
        await self._sweep(connection)
        async with self._database.transaction(connection, shared(opening.owner)):
            link = await self._before(connection, ending)
            grown, link = _grown(opening.owner, link, ending.told)
            answered = ending.written.answer is not None
            if opening.key:
                done = await self._ended(connection, ending, link, answered)
                await connection.execute(_GROW + "SELECT 1", *grown)
            else:
                end = (ending.written.body, link, answered)
                done = await connection.execute(_GROW + _ADD, *grown, *columns(opening, process), *end)
            if done not in {"UPDATE 1", "INSERT 0 1"}:
                raise given_away()

    async def _ended(self, connection: Any, ending: Ending, last: bytes | None, answered: bool) -> str:
        opening = ending.opening
        end = (ending.written.body, last, answered, opening.retain, opening.expires, ending.free)
        return await connection.execute(_END, opening.id, self._database.process, *end)

    async def _before(self, connection: Any, ending: Ending) -> bytes | None:
        """The history that a turn continues from."""
        if ending.previous is None:
            return None
        row = await connection.fetchrow(_LAST, ending.previous, ending.opening.owner, self._now())
        if row is None:
            raise not_found(ending.previous)
        return row["last"]

    async def _sweep(self, connection: Any) -> None:
        """Clear away what is past its time: responses, runs of processes that are gone, and these."""
        now = self._now()
        if not self._sweeping.due(now):
            return
        await connection.execute("DELETE FROM turnout_processes WHERE until < now()")
        past = f"r.expires <= $1 AND (r.body IS NOT NULL OR NOT {IS_HERE})"
        owners = await connection.fetch(
            f"SELECT DISTINCT r.owner FROM turnout_responses r WHERE {past}", now, self._database.process
        )
        for (each,) in owners:
            async with self._database.transaction(connection, exclusive(each)):
                rows = await connection.fetch(
                    f"SELECT r.id, r.last FROM turnout_responses r WHERE {past} AND r.owner = $3 FOR UPDATE",
                    now,
                    self._database.process,
                    each,
                )
                await _drop(connection, rows)


def _grown(
    owner: str, link: bytes | None, bodies: tuple[bytes, ...]
) -> tuple[tuple[list[Any], list[Any], list[Any], list[Any], list[Any]], bytes | None]:
    """What `_GROW` takes for the history that grows from `link`, and its last link."""
    messages: dict[bytes, bytes] = {}
    links: list[tuple[bytes, bytes | None, bytes]] = []
    for body in bodies:
        message = address(owner, body)
        messages[message] = body
        longer = blake2b((link or b"") + message, digest_size=16).digest()
        links.append((longer, link, message))
        link = longer
    # In one order everywhere, so that two who add the same never wait for each other.
    links.sort()
    addresses = sorted(messages)
    return (
        addresses,
        [messages[each] for each in addresses],
        [each[0] for each in links],
        [each[1] for each in links],
        [each[2] for each in links],
    ), link


async def _release(opening: Opening, connection: Any) -> None:
    await connection.execute("DELETE FROM turnout_responses WHERE id = $1 AND body IS NULL", opening.id)


async def _drop(connection: Any, rows: Iterable[Any]) -> None:
    """Remove responses, and what they alone needed of their histories."""
    for id_, last in rows:
        await connection.execute("DELETE FROM turnout_responses WHERE id = $1", id_)
        messages = await connection.fetch(_REMOVE, last)
        await connection.execute(_REMOVE_MESSAGES, [each["message"] for each in messages])
