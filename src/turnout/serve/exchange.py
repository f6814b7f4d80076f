"""One HTTP exchange: the body comes in under limits, the answer goes out, a client that leaves cancels it.

Strategy: the exchange belongs to the task that the ASGI server runs it in. While the body is read, `receive` is
read here; afterwards, and only once the exchange is slow (see `grace`), one watcher task waits on `receive` and
cancels the exchange's task when the client has left. The watcher is stopped before the last message is sent,
because servers also say "disconnect" after a complete answer.
"""

import asyncio
from collections.abc import Callable

from turnout.model.errors import DeliveryError, InvalidRequest, TooLarge

from .asgi import RawHeaders, Receive, Scope, Send
from .grace import Grace


class Exchange:
    """One request and its answer.

    `started` says whether the status has been sent, `done` whether the exchange needs no watching any more,
    `gone` whether the client has left.
    """

    __slots__ = (
        "_before",
        "_grace",
        "_late",
        "_loop",
        "_on_slow",
        "_read_s",
        "_reading",
        "_reads",
        "_receive",
        "_send",
        "_slow",
        "_task",
        "_timer",
        "_watcher",
        "done",
        "gone",
        "scope",
        "started",
    )

    def __init__(
        self,
        scope: Scope,
        receive: Receive | None,
        send: Send,
        grace: Grace | None = None,
        read_s: float = 60.0,
    ) -> None:
        self.scope = scope
        self.started = False
        self.done = False
        self.gone = False
        self._receive = receive
        self._send = send
        self._read_s = read_s
        self._reading = False
        self._reads = 0
        self._late = False
        self._slow = False
        self._on_slow: Callable[[], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task(self._loop)
        self._before = self._task.cancelling() if self._task is not None else 0
        self._grace = grace
        if grace is not None:
            grace.admit(self, self._loop)

    # ---- the body -------------------------------------------------------------------------------------------

    async def read(self, limit: int) -> bytes:
        """The request's body; raises as `pour` does."""
        pieces: list[bytes] = []
        await self.pour(limit, pieces.append)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    async def pour(self, limit: int, take: Callable[[bytes], None]) -> None:
        """Give the request's body to `take`, piece by piece.

        Raises:
            TooLarge: it has more than `limit` bytes; those up to there were given.
            InvalidRequest: nothing came for `read_s` seconds (status 408).
            DeliveryError: the client left.
        """
        if self._receive is None:
            return
        self._reading = True
        size, more = 0, True
        try:
            while more and size <= limit:
                piece, more = await self._next()
                size += len(piece)
                if size <= limit:
                    take(piece)
        except asyncio.CancelledError:
            if self._late and self._own_cancel():
                raise InvalidRequest(
                    "the request's body did not come in time", status=408, code="request_timeout"
                ) from None
            raise
        finally:
            self._reading = False
            if self._slow:
                self._after_slow_read()
        if size > limit:
            raise TooLarge(f"the request's body is over the limit of {limit} bytes")

    async def _next(self) -> tuple[bytes, bool]:
        assert self._receive is not None  # noqa: S101 -- for the type checker: `read` has looked
        message = await self._receive()
        if message["type"] != "http.request":
            self.gone = True
            raise DeliveryError
        self._reads += 1
        return message.get("body", b""), message.get("more_body", False)

    def _after_slow_read(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self.gone:
            self._watch()

    def _check_reads(self, seen: int) -> None:
        if self._reads == seen:
            self._late = True
            self._cancel()
        else:
            self._timer = self._loop.call_later(self._read_s, self._check_reads, self._reads)

    # ---- the answer -----------------------------------------------------------------------------------------

    async def start(self, status: int, headers: RawHeaders) -> None:
        """Send status and headers.

        Raises:
            DeliveryError: the client is gone.
        """
        self.started = True
        try:
            await self._send({"type": "http.response.start", "status": status, "headers": headers})
        except OSError as error:
            raise DeliveryError from error

    async def write(self, data: bytes, last: bool = False) -> None:
        """Send a piece of the body; after the `last` one nothing is watched any more.

        Raises:
            DeliveryError: the client is gone.
        """
        if last:
            self.end()
        try:
            await self._send({"type": "http.response.body", "body": data, "more_body": not last})
        except OSError as error:
            raise DeliveryError from error

    # ---- slowness and leaving -------------------------------------------------------------------------------

    def when_slow(self, call: Callable[[], None]) -> None:
        """Call `call` when the exchange turns out to be slow; at once when it already has."""
        if self._slow:
            call()
        else:
            self._on_slow = call

    def slowed(self) -> None:
        """The grace is over: arm what only slow exchanges need."""
        self._slow = True
        if self._reading:
            self._timer = self._loop.call_later(self._read_s, self._check_reads, self._reads)
            return
        self._watch()
        if self._on_slow is not None:
            self._on_slow()

    def _watch(self) -> None:
        if self._receive is not None and self._watcher is None and not self.done:
            self._watcher = self._loop.create_task(self._until_gone(self._receive))

    async def _until_gone(self, receive: Receive) -> None:
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        except Exception:  # a receive that breaks can tell nothing more
            return
        if not self.done:
            self.gone = True
            self._cancel()

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _own_cancel(self) -> bool:
        """Take back the cancellation that this exchange asked for; false when somebody else asked as well."""
        return self._task is not None and self._task.uncancel() <= self._before

    def left(self) -> bool:
        """Whether the cancellation under way is only that of a client that has left; it is then taken back."""
        return self.gone and self._own_cancel()

    def cancelled(self) -> bool:
        """Whether somebody asked this task to end, rather than one that it waited for."""
        return self._task is None or self._task.cancelling() > self._before

    def end(self) -> None:
        """Stop watching; harmless when done before."""
        self.done = True
        if self._grace is not None:
            self._grace.leave(self)
            self._grace = None
        if self._watcher is not None:
            self._watcher.cancel()
            self._watcher = None
