"""What answers a request: an upstream's own bytes to be passed on, or events.

Strategy: a `Reply` has one owner, who consumes it once and closes it. Bytes are only decoded when somebody asks
for events. What one read gave is one batch, so that nothing waits for a later read.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, Protocol, cast

from .answer import Answer
from .base import ProtocolName
from .errors import BadOutput, ProviderError, TurnoutError
from .events import Batch, Event, Failed
from .fold import Folder, unfold
from .headers import NO_HEADERS, Headers


class Decoder(Protocol):
    """Turns an upstream's bytes into events; trouble is a `Failed` event, never an exception."""

    def feed(self, data: bytes) -> Batch:
        """The events that `data` completes."""
        ...

    def close(self) -> Batch:
        """The events that the end of the bytes completes; the terminal event if none came before."""
        ...

    def fail(self, error: TurnoutError) -> Batch:
        """The events of an answer that broke with `error`."""
        ...


class Reply:
    """An answer under way.

    `relay` holds the upstream's own bytes in `protocol`, `length` their number when it is known, `dropped` the
    names of hints that could not be passed on. Either `relay` is consumed, or one of `batches`, `events` and
    `answer`; once. Whoever takes a reply closes it.
    """

    __slots__ = (
        "__weakref__",
        "_answer",
        "_batches",
        "_close",
        "_decode",
        "_taken",
        "closed",
        "dropped",
        "headers",
        "length",
        "protocol",
        "relay",
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
        self.relay = relay
        self.protocol: ProtocolName | None = protocol
        self.dropped = dropped
        self.length = length
        self.closed = False
        self._answer = answer
        self._batches = batches
        self._decode = decode
        self._close = close
        self._taken = False

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
        return cls.of_batches(_single(events), headers=headers, dropped=dropped, close=close)

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
        return cls(
            status=status,
            headers=headers,
            relay=relay,
            protocol=protocol,
            decode=decode,
            length=length,
            dropped=dropped,
            close=close,
        )

    def batches(self) -> AsyncIterator[Batch]:
        """What came together, as events; never an empty batch.

        Raises:
            ProviderError: the upstream answered with an error status.
            RuntimeError: the reply was consumed before.
        """
        if self._taken:
            raise RuntimeError("a reply is consumed once")
        self._taken = True
        if self._answer is not None:
            return _whole(self._answer)
        if self._batches is not None:
            return self._batches
        if self.relay is None or self._decode is None:
            raise BadOutput("the reply has no content")
        decoded = _decoded(self.relay, self._decode())
        return decoded if self.status < 400 else _raising(decoded)

    async def events(self) -> AsyncIterator[Event]:
        """The events of `batches`, one by one."""
        async with aclosing(cast("Any", self.batches())) as batches:
            async for batch in batches:
                for event in batch:
                    yield event

    async def answer(self) -> Answer:
        """The whole answer.

        Raises:
            TurnoutError: the answer failed; `BrokenStream` when it was cut.
        """
        if self._answer is not None and not self._taken:
            self._taken = True
            return self._answer
        folder = Folder()
        async with aclosing(cast("Any", self.batches())) as batches:
            async for batch in batches:
                for event in batch:
                    folder.feed(event)
        return folder.result()

    def decoder(self) -> Decoder | None:
        """A new decoder of the relay's bytes, for who looks at some of them; `None` when nothing is relayed."""
        return None if self._decode is None else self._decode()

    async def aclose(self) -> None:
        """Let go of what the reply holds; harmless when done before."""
        if self.closed:
            return
        self.closed = True
        try:
            for held in (self.relay, self._batches):
                close = getattr(held, "aclose", None)
                if close is not None:
                    await close()
        finally:
            if self._close is not None:
                await self._close()

    async def __aenter__(self) -> "Reply":
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        kind = "relay" if self.relay is not None else "answer" if self._answer is not None else "events"
        return f"Reply({self.status}, {kind})"


async def _single(events: AsyncIterator[Event]) -> AsyncIterator[Batch]:
    async with aclosing(cast("Any", events)):
        async for event in events:
            yield (event,)


async def _whole(answer: Answer) -> AsyncIterator[Batch]:
    yield unfold(answer)


async def _decoded(relay: AsyncIterator[bytes], decoder: Decoder) -> AsyncIterator[Batch]:
    try:
        async for data in relay:
            if batch := decoder.feed(data):
                yield batch
    except TurnoutError as error:
        if batch := decoder.fail(error):
            yield batch
        return
    if batch := decoder.close():
        yield batch


async def _raising(batches: AsyncIterator[Batch]) -> AsyncIterator[Batch]:
    async for batch in batches:
        for event in batch:
            if isinstance(event, Failed):
                raise event.error
    raise ProviderError("the upstream answered with an error")
    yield ()  # pragma: no cover -- makes this a generator
