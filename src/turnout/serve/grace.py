"""One timer for all requests under way, so that a fast one pays nothing for what only slow ones need.

Noticing that a client has left takes a task that waits on `receive` (3 to 5 us to make, wake and cancel), a
keepalive takes a timer (1 us). Most of these would be thrown away within milliseconds. So a request is only put
into a dict (0.1 us) and leaves it when it is done; the timer tells those that are still there after a `period` that
they are slow. It runs while there is somebody in it, and not at all while the server is idle. Leaving at once
matters: what is kept for a period is memory that the next requests find cold.
"""

import asyncio
from typing import Protocol

PERIOD = 0.02
"""Seconds; a request is called slow after one to two periods, well within the 100 ms in which a client that has
left must be noticed."""


class Guest(Protocol):
    """Somebody who may turn out to be slow."""

    done: bool

    def slowed(self) -> None:
        """It has taken longer than a period."""
        ...


class Grace:
    """Calls `slowed` once for each guest that is not done after one to two periods."""

    __slots__ = ("_loop", "_older", "_period", "_timer", "_younger")

    def __init__(self, period: float = PERIOD) -> None:
        self._period = period
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._younger: dict[Guest, None] = {}
        self._older: dict[Guest, None] = {}

    def admit(self, guest: Guest, loop: asyncio.AbstractEventLoop) -> None:
        """Watch over `guest` until it leaves or is slow."""
        if loop is not self._loop:
            self._move(loop)
        self._younger[guest] = None
        if self._timer is None:
            self._timer = loop.call_later(self._period, self._tick)

    def leave(self, guest: Guest) -> None:
        """Forget `guest`; harmless when it is not watched over."""
        self._younger.pop(guest, None)
        self._older.pop(guest, None)

    def _move(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin anew in another loop; the one before has ended with everything in it."""
        self._loop, self._timer = loop, None
        self._younger, self._older = {}, {}

    def _tick(self) -> None:
        due, self._older, self._younger = self._older, self._younger, {}
        self._timer = None
        if self._older and self._loop is not None:
            self._timer = self._loop.call_later(self._period, self._tick)
        for guest in due:
            if not guest.done:
                guest.slowed()
