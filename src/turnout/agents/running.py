"""One run of an agent: a task that begins when its answer is asked for, and ends with whoever takes the answer.

Strategy: the task belongs to the iterator over its batches. Closing that cancels the run and waits for it; a run that
ends says so by its last batch. So nothing is left when a reply is closed, and nothing starts before it is consumed.
Only an agent that does not let itself be cancelled is left to itself after a while, since its client is not to wait.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, get_args

from turnout.model import (
    Batch,
    Event,
    Failed,
    Finish,
    Outcome,
    Refusal,
    Request,
    Stop,
    ToolCall,
    Usage,
    UsageSeen,
)
from turnout.model.errors import AgentFailed, BadOutput, TurnoutError

from .emission import Emit
from .handover import Handover
from .permission import Run

Runner = Callable[[Request, Emit], Awaitable[Any]]
_STOPS = frozenset(get_args(Stop))
_UNUSED = Usage()


async def run(runner: Runner, request: Request) -> AsyncGenerator[Batch]:
    """The answer that `runner` gives to a request, as it comes."""
    handover = Handover()
    task = asyncio.create_task(_run(runner, request, handover))
    # The end of an event loop waits for all of its tasks, however long they take. It waits for whoever consumes this,
    # who waits for the run, as long as the run may take to end.
    asyncio._unregister_task(task)
    try:
        async for batch in handover.batches():
            yield batch
    finally:
        handover.leave()
        if not task.done():
            await _stopped(task, request)


_left: set[asyncio.Task[None]] = set()
"""Runs that did not end when they were cancelled; held until they do, or the loop ends."""


async def _stopped(task: asyncio.Task[None], request: Request) -> None:
    """Cancel a run and wait until it has ended; one that takes too long for that is left to itself, and told of."""
    permitted = request.context.get(Run) or Run()
    task.cancel()
    _left.add(task)
    task.add_done_callback(_left.discard)
    await _waited(task, permitted.stop_s)
    if not task.done() and permitted.left is not None:
        stuck = AgentFailed(
            "turnout: the agent did not end when its run was cancelled, and was left to itself"
        )
        await permitted.left(stuck, request)


async def _waited(task: asyncio.Task[None], seconds: float) -> None:
    """Wait until a run has ended, for so long at most, and also for a caller that is cancelled meanwhile."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    cancelled: asyncio.CancelledError | None = None
    while not task.done() and (left := end - loop.time()) > 0:
        try:
            await asyncio.wait([task], timeout=left)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled


async def _run(runner: Runner, request: Request, handover: Handover) -> None:
    """Run the agent, and end its answer whatever becomes of it."""
    emit: Emit | None = None
    last: Batch = ()
    try:
        emit = Emit(request, handover)
        last = _ending(await runner(request, emit), emit)
    except asyncio.CancelledError as error:
        if handover.gone:
            raise
        last = (Failed(error=_failed(error)),)
    except TurnoutError as error:  # public by design
        last = (Failed(error=error),)
    except (KeyboardInterrupt, GeneratorExit):  # the process ends, or the loop has
        raise
    except BaseException as error:  # the cause is for the application's hook; the server goes on
        last = (Failed(error=_failed(error)),)
    finally:
        _end(emit, handover, last)


def _end(emit: Emit | None, handover: Handover, last: Batch) -> None:
    if emit is None:
        handover.end(last)
    else:
        emit.close(*last)


def _failed(cause: BaseException) -> AgentFailed:
    error = AgentFailed("turnout: the agent failed")
    error.__cause__ = cause
    return error


def _ending(given: Any, emit: Emit) -> tuple[Event, ...]:
    """The last events of a run that returned `given`.

    Raises:
        BadOutput: that is no outcome, or one that cannot be.
    """
    outcome = Outcome() if given is None else given
    _check(outcome)
    used = () if outcome.usage == _UNUSED else (UsageSeen(usage=outcome.usage),)
    if outcome.status == "failed":
        return (*used, Failed(error=AgentFailed("turnout: the agent failed")))
    if outcome.status == "cancelled":
        # Not `Cancelled`, which is for clients that have left: this one is there, and is told.
        return (*used, Failed(error=AgentFailed("turnout: the agent cancelled its run", code="cancelled")))
    told = emit.finish
    if told is not None and outcome.status == "completed" and outcome.stop == "end":
        return (*used, told)
    return (*used, Finish(stop=_stop(outcome, emit), metadata=dict(outcome.metadata)))


def _stop(outcome: Outcome, emit: Emit) -> Stop:
    if outcome.stop != "end":
        return outcome.stop
    if outcome.status == "incomplete":
        return "length"
    if ToolCall in emit.kinds:
        return "tool_calls"
    return "refusal" if Refusal in emit.kinds else "end"


def _check(outcome: Any) -> None:
    if not isinstance(outcome, Outcome):
        raise BadOutput(f"an agent returns an Outcome or nothing, not {type(outcome).__name__}")
    if outcome.status not in ("completed", "incomplete", "failed", "cancelled"):
        raise BadOutput("an agent's outcome is completed, incomplete, failed or cancelled")
    if outcome.stop not in _STOPS:
        raise BadOutput("an agent's outcome has a stop that nobody knows")
    usage = outcome.usage
    counts = (
        usage.input,
        usage.cache_read,
        usage.cache_write,
        usage.cache_write_1h,
        usage.output,
        usage.reasoning,
    )
    if any(count is not None and count < 0 for count in counts):
        raise BadOutput("an agent's usage is never negative")
