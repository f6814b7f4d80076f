"""The answer of a step that nobody runs for the application, held to what an agent may say."""

from collections.abc import AsyncGenerator

from turnout.model import Batch, Event, Failed, Reducer, Reply, Request
from turnout.model.errors import BadOutput, OutputTooLarge, TurnoutError

from .permission import Permission, Run


def checked(reply: Reply, request: Request) -> Reply:
    """`reply`, up to the first event that it may not have; bytes that are relayed stay as they are."""
    run = request.context.get(Run)
    if run is None or reply.relay is not None or reply.status >= 400:
        return reply
    made = Reply.of_batches(
        _checked(reply, run, request), headers=reply.headers, dropped=reply.dropped, close=reply.aclose
    )
    made.status = reply.status
    made.on_delivery(reply.delivered)
    return made


async def _checked(reply: Reply, run: Run, request: Request) -> AsyncGenerator[Batch]:
    permission, reducer = Permission(run, request), Reducer(run.limits)
    async for batch in reply.batches():
        allowed, error = _allowed(batch, permission)
        given = reducer.apply_batch((*allowed, Failed(error=error)) if error else allowed)
        if given:
            yield given
        if reducer.ended:
            return
    if last := reducer.close():
        yield last


def _allowed(batch: Batch, permission: Permission) -> tuple[tuple[Event, ...], TurnoutError | None]:
    """The events before the first that may not be, and what is wrong with that one."""
    allowed: list[Event] = []
    for event in batch:
        try:
            permission.check(event)
        except (BadOutput, OutputTooLarge) as error:
            return tuple(allowed), error
        allowed.append(event)
    return tuple(allowed), None
