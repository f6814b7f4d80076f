"""A reply of chunks that an application makes over time, as a model's provider streams them.

Strategy: the application's function runs in a task that the reply owns. It hands over bytes and waits when the reader
is behind; the reader takes all that is there, so that what came together goes out together. How the function ends is
how the body ends: with the end event, or with its error.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Self, TypeAlias

from turnout.model import Reply
from turnout.model.errors import Cancelled, EmitClosed
from turnout.wire.chat.replies import DONE, STREAM_HEADERS, event, stream_decoder
from turnout.wire.chat.view_answer import ChatCompletionChunk

Emit: TypeAlias = Callable[[ChatCompletionChunk], Awaitable[None]]
Produce: TypeAlias = Callable[[Emit], Awaitable[None]]

_AHEAD = 65_536  # bytes that may wait for the reader
_GRACE_S = 1.0  # for a function whose emission failed to clean up before it is cancelled


def stream_response(produce: Produce) -> Reply:
    """The reply whose events are the chunks that `produce` emits, followed by the end event.

    It returns at once; `produce` runs in a task of its own until it returns or the reply is closed. Closing makes
    `emit` fail with `EmitClosed` and, where `produce` waits for something else or takes its time, cancels it. If
    `produce` raises, reading the body raises the same error after the chunks before it, and there is no end event.
    `emit` waits while the reader is far behind.

    >>> async def produce(emit):
    ...     for word in ("Hello", " there"):
    ...         delta = ChatCompletionChunkChoice(delta=ChatCompletionDelta(content=word))
    ...         await emit(chunk.replace(choices=(delta,)))
    >>> reply = stream_response(produce)

    Raises:
        RuntimeError: no event loop is running.
    """
    body = _Body(produce)
    return Reply.relayed(200, STREAM_HEADERS, body, "openai-chat", stream_decoder)


class _Body:
    """The bytes of such a reply, and the owner of the task that makes them."""

    def __init__(self, produce: Produce) -> None:
        loop = asyncio.get_running_loop()
        self._ready = bytearray()
        self._closed = False
        self._over = False
        self._read_to_its_end = False
        self._waiting = 0  # emissions that wait for the reader
        self._readable = asyncio.Event()
        self._writable = asyncio.Event()
        self._task = loop.create_task(self._run(produce))
        self._task.add_done_callback(self._end)

    async def _run(self, produce: Produce) -> None:
        try:
            await produce(self._emit)
        except EmitClosed:
            if not self._closed:
                raise

    def _end(self, _: "asyncio.Future[None]") -> None:
        self._over = True
        self._readable.set()

    async def _emit(self, chunk: ChatCompletionChunk) -> None:
        if self._closed or self._over:
            raise EmitClosed("the stream has ended")
        self._ready += event(chunk)
        self._readable.set()
        while len(self._ready) > _AHEAD:
            self._writable.clear()
            self._waiting += 1
            try:
                await self._writable.wait()
            finally:
                self._waiting -= 1
        if self._closed:
            raise EmitClosed("the stream was closed")

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        while not (self._ready or self._over or self._closed):
            self._readable.clear()
            await self._readable.wait()
        if self._ready:
            data = bytes(self._ready)
            self._ready.clear()
            self._writable.set()
            return data
        if self._closed or self._read_to_its_end:
            raise StopAsyncIteration
        self._read_to_its_end = True
        if self._task.cancelled():
            raise Cancelled("what produces the stream was cancelled")
        if (error := self._task.exception()) is not None:
            raise error
        return DONE

    async def aclose(self) -> None:
        """End the task, if it has not ended, and let go of what was not read."""
        self._closed = True
        self._ready.clear()
        self._readable.set()
        self._writable.set()
        try:
            if self._waiting:
                await asyncio.wait([self._task], timeout=_GRACE_S)
        finally:
            if not self._task.done():  # cancelling one that is would hide an error that nobody has read
                self._task.cancel()
        await asyncio.wait([self._task])
