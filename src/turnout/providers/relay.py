"""An upstream's bytes on their way: held until they proved viable, then handed on as they come.

Strategy (the design's decision 17): a cut, an empty body or an error event before the first content is an HTTP
error, which can be retried. A plain relay holds one read; where more may be held, a decoder of its own looks at the
held bytes, which are the only ones that a relay decodes.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from itertools import chain
from typing import TypeAlias

from turnout.model import Batch, Decoder, Delta, Failed, Finish, PartStart, Start, Text, Thinking, ToolCall
from turnout.model.errors import BrokenStream, ProviderError, TurnoutError

from .transport import Response

HOLD_S = 1.0
"""Longest time in seconds that a stream is held after the upstream's headers."""

HOLD_BYTES = 1_048_576

Probe: TypeAlias = Callable[[], Decoder]


class Relay:
    """The bytes in hand, then those still to come. Closing it lets go of the connection."""

    __slots__ = ("_held", "_response")

    def __init__(self, held: list[bytes], response: Response | None) -> None:
        held.reverse()
        self._held = held
        self._response = response

    def __aiter__(self) -> "Relay":
        return self

    async def __anext__(self) -> bytes:
        if self._held:
            return self._held.pop()
        if self._response is None:
            raise StopAsyncIteration
        data = await self._response.read()
        if not data:
            raise StopAsyncIteration
        return data

    async def aclose(self) -> None:
        """Let go of the connection."""
        self._held = []
        if self._response is not None:
            self._response.close()
            self._response = None


async def first_read(response: Response, probe: Probe | None) -> list[bytes]:
    """The first read of an answer, checked; `probe` for a stream whose bytes can be read.

    Raises:
        BrokenStream: the answer is empty, cut or a web page.
        ProviderError: it begins with an error event.
    """
    data = await response.read()
    if not data:
        raise BrokenStream("the provider's answer is empty")
    _not_a_page(data)
    if probe is not None and b'error"' in data:
        try:
            _look(probe().feed(data), begun=True)
        except BrokenStream:
            pass  # no error event; what else it is, the client sees as it came
    return [data]


class Ahead:
    """A decoder that has read the held bytes; when they come again, it says what they said, without reading them."""

    __slots__ = ("_decoder", "_end", "_said")

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        self._said: deque[Batch] = deque()
        self._end: Batch | None = None

    def read(self, data: bytes) -> Batch:
        """The events of a piece that will come again."""
        batch = self._decoder.feed(data)
        self._said.append(batch)
        return batch

    def read_end(self) -> Batch:
        """The events of an end that will come again."""
        self._end = self._decoder.close()
        return self._end

    def feed(self, data: bytes) -> Batch:
        """The events that `data` completes."""
        return self._said.popleft() if self._said else self._decoder.feed(data)

    def close(self) -> Batch:
        """The events that the end completes."""
        return self._decoder.close() if self._end is None else self._end

    def fail(self, error: TurnoutError) -> Batch:
        """The events of an answer that broke with `error`."""
        return self._decoder.fail(error)


async def until_content(response: Response, probe: Probe | None) -> tuple[list[bytes], Decoder | None]:
    """What came until the first content, or for `HOLD_S`; a whole answer (no `probe`) to its end.

    Nobody can use the half of a whole answer, so only a stream is held for a limited time. The decoder, made by
    `probe`, is for who decodes the same bytes.

    Raises:
        BrokenStream: the answer is empty, cut or a web page.
        ProviderError: an error event came first.
    """
    held: list[bytes] = []
    if probe is None:
        await _fill(held, response, None)
        if not held:
            raise BrokenStream("the provider's answer is empty")
        return held, None
    ahead = Ahead(probe())
    try:
        async with asyncio.timeout(HOLD_S):
            if await _fill(held, response, ahead):
                return held, ahead
    except TimeoutError:
        return held, ahead
    if not held:
        raise BrokenStream("the provider's answer is empty")
    _look(ahead.read_end())
    return held, ahead


async def _fill(held: list[bytes], response: Response, ahead: Ahead | None) -> bool:
    """Read on to the end, or until it is enough; says whether it is."""
    size = 0
    while size < HOLD_BYTES:
        data = await response.read()
        if not data:
            return False
        if not held:
            _not_a_page(data)
        held.append(data)
        size += len(data)
        if ahead is not None and _look(ahead.read(data)):
            return True
        if response.ended:
            return False
    return True


def _not_a_page(data: bytes) -> None:
    if data[:64].lstrip()[:1] == b"<":
        raise BrokenStream("the provider answered with a web page")


def _look(batch: Batch, *, begun: bool = False) -> bool:
    """Whether `batch` carries content; raises the provider's error that comes before any.

    `begun`: an answer that has begun is as good as content, since it is passed on as it came.
    """
    for event in batch:
        match event:
            case Start() if begun:
                return True
            case Failed(error=error):
                if isinstance(error, ProviderError):
                    raise error
                return True  # what cannot be told in events (several choices) can still be passed on
            case Delta(text=text):
                if text:
                    return True
            case PartStart(part=part):
                if not isinstance(part, Text | Thinking | ToolCall):
                    return True
            case Finish():
                return True
            case _:
                pass
    return False


async def read_all(response: Response, limit: int) -> tuple[list[bytes], bool]:
    """What the body holds, up to about `limit` bytes, and whether that is all.

    Raises:
        BrokenStream: the body was cut.
        ProviderError: it stopped coming.
    """
    pieces: list[bytes] = []
    size = 0
    while size <= limit:
        data = await response.read()
        if not data:
            return pieces, True
        pieces.append(data)
        size += len(data)
    return pieces, False


def plain_text(pieces: list[bytes]) -> bytes:
    """The pieces as one."""
    return pieces[0] if len(pieces) == 1 else b"".join(chain(pieces))
