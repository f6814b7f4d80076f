"""One thread that owns a SQLite connection and commits what comes together at once.

Strategy: a commit waits for the disk, so whatever queued up while it waited goes into the next one. When several did,
the next one waits for those that are on their way, as long as they keep coming and for half of what a commit takes at
most: else those who wait for one commit and those who miss it take turns, and each commit is half as full as it could
be. Nobody is told of an outcome before it is on the disk.
"""

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from itertools import groupby
from typing import Any, Protocol, TypeAlias

from turnout.model.errors import StoreFailed, TurnoutError

_AllOfIt: TypeAlias = Callable[[sqlite3.Connection, list[Any]], list[Any]]


class Together:
    """Work that is done at once with what comes beside it: `all_of_it` is given the `item` of each.

    It gives their outcomes in order, errors among them, and writes nothing for an item whose outcome is an error.
    """

    __slots__ = ("all_of_it", "item")

    def __init__(self, all_of_it: _AllOfIt, item: Any) -> None:
        self.all_of_it = all_of_it
        self.item = item


Work: TypeAlias = Callable[[sqlite3.Connection], Any] | Together
"""What is done inside a transaction; it may raise a `TurnoutError` as long as it has written nothing."""

Undo: TypeAlias = Callable[[Any], Work | None]
"""Given the outcome (or error) of work whose caller was cancelled meanwhile: what takes it back, if anything must."""

_MOST = 512
"""Jobs in one commit."""

_GATHER_S = 0.0003
"""How long a commit waits for others at least, in seconds, when the last one was not alone."""


class Opened(Protocol):
    """A connection that is open, and what else is held as long as it is."""

    connection: sqlite3.Connection

    def close(self) -> None:
        """Let go of all of it."""
        ...


class _Job:
    """`work`, or the order to end; `future` is for who waits, if anybody does."""

    __slots__ = ("future", "undo", "work")

    def __init__(self, work: Work | None, undo: Undo | None, future: "asyncio.Future[Any] | None") -> None:
        self.work = work
        self.undo = undo
        self.future = future

    @property
    def is_given_up(self) -> bool:
        """Whether nobody waits any more, and nothing has to be done then."""
        return self.undo is not None and self.future is not None and self.future.cancelled()


class Writer:
    """Runs work on a connection that `open` makes, in the writer's own thread; both begin on first use.

    `clock` tells the time, and `sleep` lets it pass in that thread, in seconds.
    """

    def __init__(
        self,
        open: Callable[[], Opened],  # noqa: A002 -- what it does
        *,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._open = open
        self._clock = clock
        self._sleep = sleep
        self._queue: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._crowded = False
        self._took_s = 0.0
        self._loops: set[asyncio.AbstractEventLoop] = set()

    def begin(self, work: Work, undo: Undo | None = None) -> "asyncio.Future[Any]":
        """Queue `work`: its outcome, once it is on the disk, or `StoreFailed` when the file fails.

        With `undo`, work whose future is cancelled is not begun, or taken back; without it, it is done all the same.
        """
        loop = asyncio.get_running_loop()
        self._loops.add(loop)
        future: asyncio.Future[Any] = loop.create_future()
        self._put(_Job(work, undo, future))
        return future

    async def aclose(self) -> None:
        """Finish what is queued and let go of the file; a later `run` opens it again.

        As long as another event loop that has used it is not closed, the file stays open for that one.
        """
        if self._thread is None:
            return
        here = asyncio.get_running_loop()
        self._loops = {loop for loop in tuple(self._loops) if loop is not here and not loop.is_closed()}
        if self._loops:
            self._put(_Job(_nothing, None, flushed := here.create_future()))
            await flushed
            return
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._put(_Job(None, None, future))
        await future

    def _put(self, job: _Job) -> None:
        with self._lock:
            self._queue.put(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="turnout-store", daemon=True)
                self._thread.start()

    def _serve(self) -> None:
        opened: Opened | None = None
        while True:
            jobs, last = self._next()
            if jobs:
                try:
                    opened = opened or self._open()
                except Exception as error:  # whatever it is, those who wait are told
                    outcomes: list[Any] = [_failed(error) for _ in jobs]
                else:
                    began = self._clock()
                    outcomes = _commit(opened.connection, jobs)
                    self._took_s = self._clock() - began
                self._tell(list(zip(jobs, outcomes, strict=True)))
            if last is not None:
                outcome = _closed(opened)
                opened = None
                ended = self._end()
                self._tell([(last, outcome)])
                if ended:
                    return

    def _end(self) -> bool:
        """Whether the thread ends: nothing has been queued since it was told to."""
        with self._lock:
            if self._queue.empty():
                self._thread = None
            return self._thread is None

    def _next(self) -> tuple[list[_Job], _Job | None]:
        """What is queued, at least one; and the order to end, when it comes."""
        jobs: list[_Job] = []
        job = self._queue.get()
        if self._crowded:
            self._gather()
        while job.work is not None:
            jobs.append(job)
            if len(jobs) == _MOST or self._queue.empty():
                break
            job = self._queue.get()
        self._crowded = len(jobs) > 1
        return jobs, None if job.work is not None else job

    def _gather(self) -> None:
        """Wait for those that are on their way."""
        most = self._took_s / 2
        step = max(_GATHER_S, most / 4)
        waited, there = 0.0, -1
        while self._queue.qsize() > there and waited + step <= max(most, step):
            there = self._queue.qsize()
            self._sleep(step)
            waited += step

    def _tell(self, told: "list[tuple[_Job, Any]]") -> None:
        """Tell those who wait, all of a loop at once: what they ask for next then comes together as well."""
        loops: dict[asyncio.AbstractEventLoop, list[tuple[_Job, Any]]] = {}
        for each in told:
            future = each[0].future
            if future is not None:
                loop = future.get_loop()
                if loop in loops:
                    loops[loop].append(each)
                else:
                    loops[loop] = [each]
        for loop, theirs in loops.items():
            try:
                loop.call_soon_threadsafe(self._resolve, theirs)
            except RuntimeError:  # the loop has ended, and with it whoever waited
                for job, outcome in theirs:
                    self._take_back(job, outcome)

    def _resolve(self, told: "list[tuple[_Job, Any]]") -> None:
        for job, outcome in told:
            future = job.future
            if future is None or future.done():
                self._take_back(job, outcome)
            elif outcome is not None and isinstance(outcome, BaseException):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    def _take_back(self, job: _Job, outcome: Any) -> None:
        work = None if job.undo is None else job.undo(outcome)
        if work is not None:
            self._put(_Job(work, None, None))


def _nothing(connection: sqlite3.Connection) -> None:
    """What waits for its turn alone."""


def _commit(connection: sqlite3.Connection, jobs: list[_Job]) -> list[Any]:
    """Do the work of all jobs in one transaction: their outcomes, errors among them."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        outcomes = _outcomes(connection, jobs)
        connection.execute("COMMIT")
    except Exception as error:  # the thread must live, and those who wait are told
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return [_failed(error) for _ in jobs]
    return outcomes


def _outcomes(connection: sqlite3.Connection, jobs: list[_Job]) -> list[Any]:
    """The outcome of each job, in order; neighbours that are done together are."""
    outcomes: list[Any] = []
    for all_of_it, group in groupby(jobs, _all_of_it):
        if all_of_it is None:
            outcomes += [_outcome(connection, job) for job in group]
        else:
            outcomes += _together(connection, all_of_it, list(group))
    return outcomes


def _all_of_it(job: _Job) -> _AllOfIt | None:
    return job.work.all_of_it if isinstance(job.work, Together) else None


def _together(connection: sqlite3.Connection, all_of_it: _AllOfIt, jobs: list[_Job]) -> list[Any]:
    there: list[Any] = [None if job.is_given_up else job.work for job in jobs]
    items = [work.item for work in there if work is not None]
    outcomes = iter(all_of_it(connection, items) if items else ())
    return [None if work is None else next(outcomes) for work in there]


def _outcome(connection: sqlite3.Connection, job: _Job) -> Any:
    work: Any = job.work
    if work is None or job.is_given_up:
        return None
    try:
        return work(connection)
    except TurnoutError as error:
        return error


def _closed(opened: Opened | None) -> StoreFailed | None:
    """Close what is open; the error, if there was one."""
    try:
        if opened is not None:
            opened.close()
    except Exception as error:  # the thread must come to its end
        return _failed(error)
    return None


def _failed(cause: Exception) -> StoreFailed:
    if isinstance(cause, StoreFailed):
        return cause
    error = StoreFailed("turnout: the store cannot be read or written")
    error.__cause__ = cause
    return error
