"""A run that its client's connection does not bound: a task of the server's own, with a time limit.

Strategy: the task runs the step and stores its end, and puts what is to be told into a channel; the client reads from
there as long as it is there. The server waits for these tasks, or cancels them, at its end.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable
from functools import partial
from typing import Any

from turnout.model import Batch, Reply, Request, Step
from turnout.model.errors import RunTimedOut, StoreFailed, TurnoutError

from .run import NOT_STORED, Run

_END_S = 5.0
"""Seconds for which the end of a server waits for what is being stored."""


class Runs:
    """Owns the tasks that no client's connection bounds: runs, and the ends of runs that are being stored.

    Several event loops may share it, each in its own thread: no loop touches the tasks of another.
    """

    def __init__(self) -> None:
        self._runs: set[asyncio.Future[Any]] = set()
        self._ends: set[asyncio.Future[Any]] = set()

    def run(self, work: Awaitable[Any]) -> "asyncio.Future[Any]":
        """Own a run, which `aclose` cancels."""
        return _own(work, self._runs)

    def end(self, work: Awaitable[Any]) -> "asyncio.Future[Any]":
        """Own what stores the end of a run, which `aclose` waits for: its outcome, for one who waits for it.

        The work goes on when that one is cancelled. Work that was cancelled itself has failed: `StoreFailed`.
        """
        task = work if isinstance(work, asyncio.Future) else asyncio.ensure_future(work)
        waits: asyncio.Future[Any] = task.get_loop().create_future()
        self._ends.add(task)
        task.add_done_callback(partial(_tell, self._ends, waits))
        return waits

    async def aclose(self) -> None:
        """End the runs of this event loop that go on without a client, and wait for what is being stored."""
        runs = _here(self._runs)
        for task in runs:
            task.cancel()
        if runs:
            await asyncio.wait(runs, timeout=_END_S)
        ends = _here(self._ends)
        if ends:
            await asyncio.wait(ends, timeout=_END_S)
        for task in (*_here(self._runs), *_here(self._ends)):
            task.cancel()


def _own(work: Awaitable[Any], among: "set[asyncio.Future[Any]]") -> "asyncio.Future[Any]":
    task = asyncio.ensure_future(work)
    among.add(task)
    task.add_done_callback(partial(_forget, among))
    return task


def _forget(among: "set[asyncio.Future[Any]]", task: "asyncio.Future[Any]") -> None:
    among.discard(task)
    if not task.cancelled():
        task.exception()  # read, so that nobody is told that nobody did; whoever waited has it


def _tell(
    among: "set[asyncio.Future[Any]]", waits: "asyncio.Future[Any]", task: "asyncio.Future[Any]"
) -> None:
    among.discard(task)
    error = StoreFailed(NOT_STORED) if task.cancelled() else task.exception()
    if waits.done():
        return
    if error is None:
        waits.set_result(task.result())
    else:
        waits.set_exception(error)


def _here(tasks: "set[asyncio.Future[Any]]") -> "list[asyncio.Future[Any]]":
    """Those of the running event loop."""
    loop = asyncio.get_running_loop()
    return [task for task in tuple(tasks) if task.get_loop() is loop]


class Channel:
    """The way from a detached run to its client; it never waits for the client."""

    def __init__(self) -> None:
        self._head: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._batches: list[Batch] = []
        self._changed = asyncio.Event()
        self._over = False
        self._failure: BaseException | None = None
        self._streams = False
        self._held: Reply | None = None
        self.gone = False

    async def reply(self) -> Reply:
        """The reply of the run, when it has begun; a client that is cancelled before has none to close.

        Raises:
            Exception: it failed before.
        """
        try:
            head = await asyncio.shield(self._head)
        except asyncio.CancelledError:
            self.gone = True
            if self._held is not None:  # the run began in this very turn
                with contextlib.suppress(Exception):  # it is told of its own cancellation
                    await self._held.aclose()
            raise
        self._held = None
        if head.relay is not None or not self._streams:
            return head
        made = Reply.of_batches(self._read(), headers=head.headers, dropped=head.dropped, close=self._leave)
        made.status = head.status
        made.on_delivery(head.delivered)
        return made

    async def begin(self, reply: Reply, *, streams: bool) -> None:
        """The run has a reply. With `streams` its batches are put; without, the reply is the channel's to close."""
        self._streams = streams
        if not streams:
            if self.gone:
                await reply.aclose()
                return
            self._held = reply
        if not self._head.done():
            self._head.set_result(reply)

    def put(self, batch: Batch) -> None:
        """Tell a batch."""
        if not self.gone:
            self._batches.append(batch)
            self._changed.set()

    def end(self, failure: BaseException | None = None) -> None:
        """Nothing more comes; or the run failed."""
        self._over, self._failure = True, failure
        self._changed.set()
        if not self._head.done():
            if failure is None or self.gone:
                self._head.cancel()
            else:
                self._head.set_exception(failure)

    async def _read(self) -> AsyncGenerator[Batch]:
        while True:
            batches, self._batches = self._batches, []
            for batch in batches:
                yield batch
            if self._batches:
                continue
            if self._over:
                break
            self._changed.clear()
            await self._changed.wait()
        if self._failure is not None:
            raise self._failure

    async def _leave(self) -> None:
        self.gone = True
        self._batches = []


async def drive(run: Run, step: Step, request: Request, channel: Channel) -> None:
    """Run `step` to its end, whether somebody reads from `channel` or not."""
    reply: Reply | None = None
    limit = asyncio.timeout(run.accepted.run_timeout)
    try:
        async with limit:
            run.bound(limit)
            reply = await run.begin(step, request)
            streams = request.stream and reply.relay is None
            await channel.begin(reply, streams=streams)
            if streams:
                async for batch in reply.batches():
                    channel.put(batch)
        channel.end()
    except TimeoutError as error:
        await _broken(run, channel, _timed_out(error) if limit.expired() else error)
    except asyncio.CancelledError as error:
        await _broken(run, channel, error, _ending(error))
        raise
    except Exception as error:  # the client is told, or nobody is left to be
        await _broken(run, channel, error)
    finally:
        if reply is not None and request.stream and reply.relay is None:
            await reply.aclose()


async def _broken(
    run: Run, channel: Channel, error: BaseException, told: BaseException | None = None
) -> None:
    run.bound(None)
    try:
        await run.fail(error)
    finally:
        channel.end(told or error)


def _ending(cause: BaseException) -> TurnoutError:
    error = TurnoutError(
        "turnout: the server is shutting down", status=503, code="shutting_down", may_have_acted=True
    )
    error.__cause__ = cause
    return error


def _timed_out(cause: BaseException) -> RunTimedOut:
    error = RunTimedOut("turnout: the run took longer than it may", may_have_acted=True)
    error.__cause__ = cause
    return error
