"""A Postgres database that many processes share: its tables, a pool of connections, and who is still there.

Strategy: a process says that it is there by a row that it renews; the database's clock counts, so that hosts need not
agree on the time. Work runs in a task of its own: a caller that is cancelled does not cut a transaction in two. Each
event loop of the process has connections of its own, all of them share the row.
"""

import asyncio
import contextlib
import importlib
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from functools import partial
from hashlib import blake2b
from typing import Any, Final, TypeVar

from turnout.model.errors import Misconfigured, StoreFailed, TurnoutError

from .schema import SCHEMA, newer

T = TypeVar("T")
Work = Callable[[Any], Awaitable[T]]
"""What is done with a connection, which is asyncpg's."""

_TABLES: Final = """
CREATE TABLE turnout_schema (version integer NOT NULL);
CREATE TABLE turnout_processes (id text PRIMARY KEY, until timestamptz NOT NULL);
CREATE TABLE turnout_ledger (
    key text PRIMARY KEY,
    fingerprint text NOT NULL,
    process text NOT NULL,
    record text,
    delivered boolean NOT NULL DEFAULT false,
    since double precision NOT NULL,
    expires double precision NOT NULL
);
CREATE INDEX turnout_ledger_expires ON turnout_ledger (expires);
CREATE TABLE turnout_responses (
    id text PRIMARY KEY,
    owner text NOT NULL,
    retain boolean NOT NULL,
    expires double precision NOT NULL,
    key text,
    fingerprint text NOT NULL,
    key_expires double precision NOT NULL,
    process text NOT NULL,
    body bytea,
    last bytea,
    answered boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX turnout_responses_key ON turnout_responses (key) WHERE key IS NOT NULL;
CREATE INDEX turnout_responses_last ON turnout_responses (last) WHERE last IS NOT NULL;
CREATE INDEX turnout_responses_expires ON turnout_responses (expires);
CREATE TABLE turnout_history (id bytea PRIMARY KEY, parent bytea, message bytea NOT NULL);
CREATE INDEX turnout_history_parent ON turnout_history (parent) WHERE parent IS NOT NULL;
CREATE INDEX turnout_history_message ON turnout_history (message);
CREATE TABLE turnout_messages (address bytea PRIMARY KEY, body bytea NOT NULL);
"""
_CONNECT_S = 10.0
_COMMAND_S = 30.0
_CLOSE_S = 5.0


class PostgresDatabase:
    """The database at `url`, with at most `connections` of an event loop and one more; opened on first use.

    `process` names this process among those that share the database. It counts as gone when it has not renewed its
    row for `lease_s` seconds, or at once when it closes.

    Raises:
        Misconfigured: the driver is not installed; on first use, `url` is no address.
    """

    def __init__(self, url: str, *, connections: int = 10, lease_s: float = 30.0) -> None:
        self._driver = _driver()
        self._url = url
        self._connections = connections
        self._lease_s = lease_s
        self.process = secrets.token_hex(8)
        self._uses: dict[asyncio.AbstractEventLoop, _Use] = {}

    async def run(self, work: "Work[T]", undo: "Callable[[T], Work[Any] | None] | None" = None) -> T:
        """The outcome of `work`, which is taken over before anything is awaited.

        It is done although its caller is cancelled. With `undo`, the outcome of work whose caller was cancelled is
        taken back by what `undo` gives for it.

        Raises:
            StoreFailed: the database cannot be reached, read or written.
        """
        task = asyncio.ensure_future(self._done(work))
        self._own(task)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if undo is not None:
                self._own(asyncio.ensure_future(self._taken_back(task, undo)))
            raise

    async def aclose(self) -> None:
        """Finish what is under way, be gone for the others, and close the connections; a later use opens them again.

        Raises:
            StoreFailed: the database cannot be reached.
        """
        await self._end(gone=True)

    async def leave(self) -> None:
        """Finish what is under way in the running event loop, and close its connections; the process stays there."""
        await self._end(gone=False)

    async def _end(self, *, gone: bool) -> None:
        loop = asyncio.get_running_loop()
        use = self._uses.get(loop)
        if use is None:
            return
        while use.tasks:
            await asyncio.wait(use.tasks)
        if self._uses.get(loop) is not use:  # it was ended meanwhile
            return
        del self._uses[loop]
        if use.pool is None:
            return
        try:
            if use.renewing is not None:
                use.renewing.cancel()
                await asyncio.wait([use.renewing])
            if gone and all(other.is_closed() for other in tuple(self._uses)):
                with self._failing():
                    await use.pool.execute(
                        "DELETE FROM turnout_processes WHERE id = $1", self.process, timeout=_CONNECT_S
                    )
        finally:
            await self._closed(use.pool)

    @contextlib.asynccontextmanager
    async def transaction(self, connection: Any, lock: str = "") -> AsyncGenerator[None]:
        """What is done in it is done whole or not at all; `lock` is a statement that it begins with."""
        try:
            await connection.execute(f"BEGIN; {lock}")
            yield
        except BaseException:
            with contextlib.suppress(Exception):  # a broken connection has rolled back by itself
                await connection.execute("ROLLBACK")
            raise
        await connection.execute("COMMIT")

    def _own(self, task: "asyncio.Task[Any]") -> None:
        tasks = self._use().tasks
        tasks.add(task)
        task.add_done_callback(partial(_disown, tasks))

    def _use(self) -> "_Use":
        """What the running event loop has open."""
        loop = asyncio.get_running_loop()
        use = self._uses.get(loop)
        if use is None:
            for ended in [other for other in tuple(self._uses) if other.is_closed()]:
                self._uses.pop(ended, None)
            use = self._uses[loop] = _Use()
        return use

    async def _done(self, work: "Work[T]") -> T:
        with self._failing():
            pool = await self._opened()
            async with pool.acquire(timeout=_CONNECT_S) as connection:
                return await work(connection)

    async def _taken_back(self, task: "asyncio.Task[T]", undo: "Callable[[T], Work[Any] | None]") -> None:
        await asyncio.wait([task])
        if task.cancelled() or task.exception() is not None:
            return
        work = undo(task.result())
        if work is not None:
            with contextlib.suppress(StoreFailed):  # nobody waits; the lease frees it
                await self._done(work)

    async def _opened(self) -> Any:
        use = self._use()
        if use.pool is None:
            async with use.lock:
                if use.pool is None:
                    use.pool = await self._connected()
                    use.renewing = asyncio.ensure_future(self._renew())
        return use.pool

    async def _closed(self, pool: Any) -> None:
        try:
            async with asyncio.timeout(_CLOSE_S):
                await pool.close()
        except (TimeoutError, self._driver.PostgresError, self._driver.InterfaceError, OSError):
            pool.terminate()

    async def _connected(self) -> Any:
        async def nothing(connection: Any) -> None:
            """A connection has no state of its own between two uses."""

        options = {"timeout": _CONNECT_S, "command_timeout": _COMMAND_S, "reset": nothing}
        try:
            pool = await self._driver.create_pool(
                self._url, min_size=1, max_size=self._connections, **options
            )
        except ValueError as error:
            raise Misconfigured("turnout: the address of the Postgres store cannot be read") from error
        try:
            async with pool.acquire() as connection:
                await self._prepare(connection)
                await connection.execute(_RENEW, self.process, self._lease_s)
        except BaseException:
            await self._closed(pool)
            raise
        return pool

    async def _prepare(self, connection: Any) -> None:
        """Make the tables, unless they are there.

        Raises:
            StoreFailed: a later version has made them.
        """
        if await connection.fetchval(_IS_THERE) is None:
            async with self.transaction(connection, exclusive("schema")):
                if await connection.fetchval(_IS_THERE) is None:
                    await connection.execute(_TABLES)
                    await connection.execute("INSERT INTO turnout_schema (version) VALUES ($1)", SCHEMA)
        version = await connection.fetchval("SELECT version FROM turnout_schema")
        if version != SCHEMA:
            raise newer(version)

    async def _renew(self) -> None:
        """Say again and again that this process is there, on a connection that no work is waiting for."""
        connection: Any = None
        try:
            while True:  # opening has said it for the first time
                await asyncio.sleep(self._lease_s / 3)
                # Whoever uses the store is told of an error; here it is tried again.
                with contextlib.suppress(StoreFailed), self._failing():
                    if connection is None or connection.is_closed():
                        connection = await self._driver.connect(self._url, timeout=_CONNECT_S)
                    await connection.execute(_RENEW, self.process, self._lease_s, timeout=_CONNECT_S)
        finally:
            if connection is not None:
                with contextlib.suppress(Exception):  # it has been cut then
                    await connection.close(timeout=_CLOSE_S)

    @contextlib.contextmanager
    def _failing(self) -> Generator[None]:
        """Let what the driver raises be a `StoreFailed`; the address, which may hold a password, is in no message."""
        try:
            yield
        except TurnoutError:
            raise
        except (self._driver.PostgresError, self._driver.InterfaceError, OSError) as error:
            raise StoreFailed("turnout: the store cannot be read or written") from error


class _Use:
    """What one event loop has open."""

    __slots__ = ("lock", "pool", "renewing", "tasks")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.pool: Any = None
        self.renewing: asyncio.Task[None] | None = None
        self.tasks: set[asyncio.Task[Any]] = set()


def _disown(tasks: "set[asyncio.Task[Any]]", task: "asyncio.Task[Any]") -> None:
    tasks.discard(task)
    if not task.cancelled():
        task.exception()  # whoever waited has been told


_IS_THERE = "SELECT 1 FROM pg_class WHERE relname = 'turnout_schema' AND pg_table_is_visible(oid)"
"""Not `to_regclass`, which in a transaction may remember that there was no such table before."""
_RENEW = """
    INSERT INTO turnout_processes (id, until) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
    ON CONFLICT (id) DO UPDATE SET until = excluded.until
"""


def exclusive(name: str) -> str:
    """The statement that waits until no transaction has the lock `name`, and takes it."""
    return f"SELECT pg_advisory_xact_lock({_number(name)})"


def shared(name: str) -> str:
    """The statement that waits until no transaction has the lock `name` for itself, and takes part in it."""
    return f"SELECT pg_advisory_xact_lock_shared({_number(name)})"


def _number(name: str) -> int:
    return int.from_bytes(blake2b(b"turnout/" + name.encode(), digest_size=8).digest(), signed=True)


def _driver() -> Any:
    try:
        return importlib.import_module("asyncpg")
    except ImportError as error:
        raise Misconfigured(
            "turnout: a Postgres store needs asyncpg: pip install 'turnout[postgres]'"
        ) from error
