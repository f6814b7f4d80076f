"""Where the bytes of a streamed answer go out, and what keeps a silent stream alive.

Strategy: the status is sent with the first bytes, so that a failure before them can still be an HTTP error. The one
who produces the answer writes from the exchange's own task. Only on a slow exchange a timer runs beside it: it
sends the status when nothing came for `hold_s`, and the keepalive when nothing was sent for `keepalive_s`. What the
timer sends is one small task that the outlet owns; a write waits for it, so that frames never mix.
"""

import asyncio

from turnout.model import V
from turnout.model.errors import DeliveryError

from .asgi import RawHeaders
from .exchange import Exchange

_FRAME_ENDS = (b"\n\n", b"\r\n\r\n", b"\r\r")


class Pace(V, frozen=True, kw_only=True):
    """How a stream behaves while nothing comes; all in seconds.

    `keepalive_s`: silence after which a keepalive is sent, 0 for never. `hold_s`: how long the status is held back
    for the first content.
    """

    keepalive_s: float = 15.0
    hold_s: float = 1.0


class Outlet:
    """The way out of one stream.

    `keepalive` is what may be sent between whole frames, `b""` where nothing may. `touched` says whether any byte
    of the answer was written or held.
    """

    __slots__ = (
        "_busy",
        "_exchange",
        "_headers",
        "_held",
        "_keepalive",
        "_last",
        "_loop",
        "_pace",
        "_side",
        "_status",
        "_tail",
        "_timer",
        "touched",
    )

    def __init__(
        self, exchange: Exchange, status: int, headers: RawHeaders, pace: Pace, keepalive: bytes = b""
    ) -> None:
        self._exchange = exchange
        self._status = status
        self._headers = headers
        self._pace = pace
        self._keepalive = keepalive if pace.keepalive_s > 0 else b""
        self._held = b""
        self._tail = b""
        self._busy = False
        self._side: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.touched = False
        self._loop = asyncio.get_running_loop()
        self._last = self._loop.time()
        exchange.when_slow(self._arm)

    @property
    def started(self) -> bool:
        """Whether the status has been sent."""
        return self._exchange.started

    @property
    def between_frames(self) -> bool:
        """Whether what was sent so far ends with a whole frame."""
        return not self._tail or self._tail.endswith(_FRAME_ENDS)

    def hold(self, data: bytes) -> None:
        """Keep bytes that alone are no reason to send the status; the next write or the timer sends them."""
        self.touched = True
        self._held += data

    async def write(self, data: bytes, last: bool = False) -> None:
        """Send what is held and `data`, as one message; `last` ends the answer.

        Raises:
            DeliveryError: the client is gone.
        """
        if self._side is not None:
            await self._side
        self.touched = True
        if last:
            self._exchange.end()
        if self._held:
            data, self._held = self._held + data, b""
        self._busy = True
        try:
            if not self._exchange.started:
                await self._exchange.start(self._status, self._headers)
            if data or last:
                self._tail = data if len(data) > 3 else (self._tail + data)[-4:]
                await self._exchange.write(data, last)
        finally:
            self._busy = False
            self._last = self._loop.time()

    def add_headers(self, headers: RawHeaders) -> None:
        """Headers learnt while the status was held back; too late, they are left out."""
        if not self._exchange.started:
            self._headers = [*self._headers, *headers]

    # ---- beside the writer ----------------------------------------------------------------------------------

    def _arm(self) -> None:
        """Set the timer to the next thing that may be due."""
        if not self._exchange.started:
            self._timer = self._loop.call_later(self._pace.hold_s, self._tick)
        elif self._keepalive:
            due = self._last + self._pace.keepalive_s - self._loop.time()
            self._timer = self._loop.call_later(max(due, 0.001), self._tick)

    def _tick(self) -> None:
        if self._exchange.done:
            return
        now = self._loop.time()
        if self._exchange.started and now - self._last < self._pace.keepalive_s:
            self._arm()
            return
        self._last = now
        if self._busy or not self.between_frames:
            self._arm()
            return
        self._side = self._loop.create_task(self._aside(self._keepalive if self._exchange.started else b""))

    async def _aside(self, data: bytes) -> None:
        try:
            if not self._exchange.started:
                await self._exchange.start(self._status, self._headers)
            if self._held:
                data, self._held = self._held + data, b""
            if data:
                self._tail = data
                await self._exchange.write(data)
        except DeliveryError:
            return
        finally:
            self._side = None
            self._last = self._loop.time()
        self._arm()

    async def close(self) -> None:
        """Stop the timer and what it started; harmless when done before."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._exchange.when_slow(_nothing)
        side = self._side
        if side is not None:
            side.cancel()
            await asyncio.wait([side])


def _nothing() -> None:
    """What a closed outlet does when its exchange turns out to be slow."""
