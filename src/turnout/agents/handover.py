"""The way from a run to whoever consumes its answer: one batch at a time, without a queue.

Strategy: `give` ends when its batch has been taken, so an agent is never more than one batch ahead of its client.
What the end of a run adds waits for nobody. Everything happens in one event loop; no locks.
"""

import asyncio
from collections.abc import AsyncIterator

from turnout.model import Batch
from turnout.model.errors import ConcurrentEmit, DeliveryError, EmitClosed


class Handover:
    """Takes batches from one side and gives them to the other.

    `over`: nothing more is given. `gone`: nobody takes any more.
    """

    __slots__ = ("_giving", "_slot", "_taken", "_wake", "gone", "over")

    def __init__(self) -> None:
        self.over = False
        self.gone = False
        self._slot: Batch = ()
        self._giving = False
        self._taken: asyncio.Future[None] | None = None
        self._wake: asyncio.Future[None] | None = None

    def check(self) -> None:
        """See whether something may be given now.

        Raises:
            ConcurrentEmit: something is being given.
            DeliveryError: nobody takes it any more.
            EmitClosed: the run has ended.
        """
        if self._giving:
            raise ConcurrentEmit(
                "an agent emits one thing after another; this emission came beside another one"
            )
        if self.gone:
            raise DeliveryError
        if self.over:
            raise EmitClosed("the run has ended; nothing can be emitted any more")

    async def give(self, batch: Batch) -> None:
        """Give one batch, and wait until it is taken; raises as `check` does."""
        self.check()
        self._put(batch)
        self._giving = True
        self._taken = asyncio.get_running_loop().create_future()
        try:
            await self._taken
        finally:
            self._giving = False
            self._taken = None

    def end(self, batch: Batch) -> None:
        """Give the last batch, without waiting."""
        self.over = True
        self._put(batch)

    async def batches(self) -> AsyncIterator[Batch]:
        """What is given, until the end."""
        while True:
            if not self._slot:
                if self.over:
                    return
                self._wake = asyncio.get_running_loop().create_future()
                await self._wake
            batch, self._slot = self._slot, ()
            if self._taken is not None and not self._taken.done():
                self._taken.set_result(None)
            yield batch

    def leave(self) -> None:
        """Take nothing any more; who is giving something is told."""
        self.gone = not self.over  # nobody is missing after the end
        if self._taken is not None and not self._taken.done():
            self._taken.set_exception(DeliveryError())

    def _put(self, batch: Batch) -> None:
        # Not empty when the one who gave it was cancelled before it was taken.
        self._slot = self._slot + batch
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)
