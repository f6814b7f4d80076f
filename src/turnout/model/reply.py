"""What answers a request: an upstream's own bytes to be passed on, or events.

Strategy: a `Reply` has one owner, who consumes it once and closes it. Bytes are only decoded when somebody asks
for events. What one read gave is one batch, so that nothing waits for a later read.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol

from .answer import Answer
from .base import ProtocolName
from .errors import BadOutput, ProviderError, TurnoutError
from .events import Batch, Event, Failed
from .fold import Folder, unfold
from .headers import NO_HEADERS, Headers


class Decoder(Protocol):
    """Turns an upstream's bytes into events; trouble is a `Failed` event, never an exception.

    The decoder of a whole answer may also have `answer() -> Answer`, which gives it without events once all bytes
    were fed, or raises its error.
    """

    def feed(self, data: bytes) -> Batch:
        """The events that `data` completes."""
        ...

    def close(self) -> Batch:
        """The events that the end of the bytes completes; the terminal event if none came before."""
        ...

    def fail(self, error: TurnoutError) -> Batch:
        """The events of an answer that broke with `error`."""
        ...


class _Relay:
    """The upstream's bytes; knows whether somebody took them, at no cost per read."""

    __slots__ = ("_bytes", "decoded", "taken")

    def __init__(self, data: AsyncIterator[bytes]) -> None:
        self._bytes = data
        self.taken = False
        self.decoded = False

    def _take(self) -> AsyncIterator[bytes]:
        if self.decoded:
            raise RuntimeError("a reply is consumed once, and this one as events")
        self.taken = True
        return self._bytes

    def decode(self) -> AsyncIterator[bytes]:
        """The bytes, for those who give events."""
        if self.taken:
            raise RuntimeError("a reply is consumed once, and this one as bytes")
        self.decoded = True
        return self._bytes

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._take())

    def __anext__(self) -> Awaitable[bytes]:
        return anext(self._take())

    async def aclose(self) -> None:
        await _close_one(self._bytes)


class _Once:
    """Bytes in one piece; an event loop keeps no account of it, as it does of generators."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data: bytes | None = data

    def __aiter__(self) -> "_Once":
        return self

    async def __anext__(self) -> bytes:
        data, self._data = self._data, None
        if data is None:
            raise StopAsyncIteration
        return data


class Reply:
    """An answer under way.

    `relay` holds the upstream's own bytes in `protocol`, `length` their number when it is known, `dropped` the
    names of hints that could not be passed on. Either `relay` is consumed, or one of `batches`, `events` and
    `answer`; once, and before the reply is closed. Whoever takes a reply closes it, in the task that consumed it
    or after that task has ended.
    """

    __slots__ = (
        "__weakref__",
        "_answer",
        "_batches",
        "_close",
        "_decode",
        "_delivery",
        "_held",
        "_relay",
        "_taken",
        "closed",
        "dropped",
        "headers",
        "length",
        "protocol",
        "status",
    )

    def __init__(
        self,
        *,
        status: int = 200,
        headers: Headers = NO_HEADERS,
        relay: AsyncIterator[bytes] | None = None,
        protocol: ProtocolName | None = None,
        dropped: tuple[str, ...] = (),
        length: int | None = None,
        answer: Answer | None = None,
        batches: AsyncIterator[Batch] | None = None,
        decode: Callable[[], Decoder] | None = None,
        close: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.status = status
        self.headers = headers
        self._relay = None if relay is None else _Relay(relay)
        self.protocol: ProtocolName | None = protocol
        self.dropped = dropped
        self.length = length
        self.closed = False
        self._answer = answer
        self._batches = batches
        self._decode = decode
        self._close = close
        self._taken = False
        self._delivery: tuple[Callable[[], Awaitable[None]], ...] = ()
        # What `aclose` closes, in this order: who reads comes before what is read.
        self._held: tuple[object, ...] = (self._relay,) if batches is None else (batches, self._relay)

    @classmethod
    def of(cls, answer: Answer, *, headers: Headers = NO_HEADERS, dropped: tuple[str, ...] = ()) -> "Reply":
        """A reply that is already whole."""
        return cls(answer=answer, headers=headers, dropped=dropped)

    @classmethod
    def of_events(
        cls,
        events: AsyncIterator[Event],
        *,
        headers: Headers = NO_HEADERS,
        dropped: tuple[str, ...] = (),
        close: Callable[[], Awaitable[None]] | None = None,
    ) -> "Reply":
        """A reply of single events; each is a batch of its own."""
        reply = cls.of_batches(_single(events), headers=headers, dropped=dropped, close=close)
        reply._held = (*reply._held, events)
        return reply

    @classmethod
    def of_batches(
        cls,
        batches: AsyncIterator[Batch],
        *,
        headers: Headers = NO_HEADERS,
        dropped: tuple[str, ...] = (),
        close: Callable[[], Awaitable[None]] | None = None,
    ) -> "Reply":
        """A reply of events that came together."""
        return cls(batches=batches, headers=headers, dropped=dropped, close=close)

    @classmethod
    def relayed(
        cls,
        status: int,
        headers: Headers,
        relay: AsyncIterator[bytes],
        protocol: ProtocolName,
        decode: Callable[[], Decoder],
        *,
        length: int | None = None,
        dropped: tuple[str, ...] = (),
        close: Callable[[], Awaitable[None]] | None = None,
    ) -> "Reply":
        """An upstream's answer in its own bytes.

        `decode` makes the decoder that fits status and content type; for an error status it is one whose only
        event is `Failed` with the `ProviderError` that the bytes say. `close` releases the connection.
        """
        reply = cls.__new__(cls)
        # A class that is called by names makes a dictionary of them first; a function does not.
        Reply.__init__(
            reply,
            status=status,
            headers=headers,
            relay=relay,
            protocol=protocol,
            decode=decode,
            length=length,
            dropped=dropped,
            close=close,
        )
        return reply

    @property
    def relay(self) -> AsyncIterator[bytes] | None:
        """The upstream's own bytes, also of an error; iterating raises `RuntimeError` after `batches`."""
        return self._relay

    def put_back(self, data: bytes) -> None:
        """Hold `data` instead of the bytes of `relay`, for who has read these and closed the reply."""
        self._relay = _Relay(_Once(data))
        self._held = (self._relay,)
        self._close = None
        self.closed = False
        self.length = len(data)

    def batches(self) -> AsyncIterator[Batch]:
        """What came together, as events; never an empty batch.

        Raises:
            ProviderError: the upstream answered with an error status.
            BadOutput: the reply holds no answer, or bytes that nobody can decode.
            RuntimeError: the reply was consumed or closed before.
        """
        self._take()
        if self._answer is not None:
            batches = _whole(self._answer)
        elif self._batches is not None:
            batches = _filled(self._batches)
        elif self._relay is not None and self._decode is not None:
            batches = _decoded(self._relay.decode(), self._decode(), self.status)
        else:
            raise BadOutput("the reply has no content")
        self._held = (batches, *self._held)
        return batches

    def events(self) -> AsyncIterator[Event]:
        """The events of `batches`, one by one; raises as it does."""
        events = _each(self.batches())
        self._held = (events, *self._held)
        return events

    async def answer(self) -> Answer:
        """The whole answer; the reply is closed then, since nothing is left in it.

        Raises:
            TurnoutError: the answer failed; `BrokenStream` when it was cut.
            BadOutput: the reply holds no answer, or bytes that nobody can decode.
            RuntimeError: the reply was consumed or closed before.
        """
        try:
            if self._answer is not None:
                self._take()
                return self._answer
            if self._relay is not None and self._decode is not None and self.status < 400:
                decoder: Any = self._decode()
                whole: Callable[[], Answer] | None = getattr(decoder, "answer", None)
                if whole is not None:  # nothing is told before its end, so events would be a detour
                    self._take()
                    async for data in self._relay.decode():
                        decoder.feed(data)
                    return whole()
            folder = Folder()
            async for batch in self.batches():
                for event in batch:
                    folder.feed(event)
            return folder.result()
        finally:
            await self.aclose()

    def on_delivery(self, note: Callable[[], Awaitable[None]]) -> None:
        """Have `note` called when the answer has reached its end; never, when it does not get there.

        Who makes a new reply out of this one's events passes it on: `new.on_delivery(this.delivered)`.
        """
        self._delivery = (*self._delivery, note)

    async def delivered(self) -> None:
        """Say that the answer reached its end: all of it was written, and the client was there.

        For who writes a reply to a client, once, after the last byte; before or after the reply is closed.
        """
        notes, self._delivery = self._delivery, ()
        for note in notes:
            await note()

    def decoder(self) -> Decoder | None:
        """A new decoder of the relay's bytes, for who looks at some of them; `None` when nothing is relayed."""
        return None if self._decode is None else self._decode()

    async def aclose(self) -> None:
        """Let go of what the reply holds; harmless when done before.

        All of it is let go of, even when that is cancelled or fails; then the first failure is raised.
        """
        if self.closed:
            return
        self.closed = True
        failure: BaseException | None = None
        for held in self._held:
            try:
                await _close_one(held)
            except BaseException as error:  # cancellation too; it is raised below
                failure = failure or error
        try:
            if self._close is not None:
                await self._close()
        finally:
            if failure is not None:
                raise failure

    def _take(self) -> None:
        if self._taken or self.closed:
            raise RuntimeError("a reply is consumed once, before it is closed")
        self._taken = True

    async def __aenter__(self) -> "Reply":
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        kind = "relay" if self._relay is not None else "answer" if self._answer is not None else "events"
        return f"Reply({self.status}, {kind})"


async def _close_one(held: object) -> None:
    close: Any = getattr(held, "aclose", None)
    if close is not None:
        await close()


async def _each(batches: AsyncIterator[Batch]) -> AsyncIterator[Event]:
    async for batch in batches:
        for event in batch:
            yield event


async def _single(events: AsyncIterator[Event]) -> AsyncIterator[Batch]:
    async for event in events:
        yield (event,)


async def _filled(batches: AsyncIterator[Batch]) -> AsyncIterator[Batch]:
    async for batch in batches:
        if batch:
            yield batch


async def _whole(answer: Answer) -> AsyncIterator[Batch]:
    yield unfold(answer)


async def _decoded(relay: AsyncIterator[bytes], decoder: Decoder, status: int) -> AsyncIterator[Batch]:
    failed: TurnoutError | None = None
    try:
        async for data in relay:
            batch = decoder.feed(data)
            if status >= 400:
                failed = failed or _failure(batch)
            elif batch:
                yield batch
    except TurnoutError as error:
        last = decoder.fail(error)
    else:
        last = decoder.close()
    if status >= 400:
        upstream = ProviderError("the upstream answered with an error", status_code=status)
        raise failed or _failure(last) or upstream
    if last:
        yield last


def _failure(batch: Batch) -> TurnoutError | None:
    return next((event.error for event in batch if isinstance(event, Failed)), None)
