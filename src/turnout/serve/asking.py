"""What an application's store is asked, and whose fault it is when it does not answer.

A store may raise whatever it likes. An error of the tree is what it says; anything else, a cancellation that nobody
asked for among them, is its failure. Only what stops the asking task itself is let through.
"""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from turnout.model.errors import StoreFailed, TurnoutError

T = TypeVar("T")

_STOPS = (KeyboardInterrupt, SystemExit, GeneratorExit)
"""What ends the process, or closes the coroutine that asks."""


async def asked(
    work: Awaitable[T], message: str = "turnout: the store failed", *, may_have_acted: bool = False
) -> T:
    """What `work` of a store gives; `may_have_acted` says of all that it raises that an action may have run before.

    Raises:
        TurnoutError: what it raised; `StoreFailed` with `message` for what is no error of the tree.
        asyncio.CancelledError: the task that asks was cancelled.
    """
    try:
        return await work
    except TurnoutError as error:
        error.may_have_acted = error.may_have_acted or may_have_acted
        raise
    except _STOPS:
        raise
    except BaseException as error:
        if isinstance(error, asyncio.CancelledError) and _is_cancelled():
            raise
        raise StoreFailed(message, may_have_acted=may_have_acted) from error


def _is_cancelled() -> bool:
    """Whether somebody has asked this task to stop."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0
