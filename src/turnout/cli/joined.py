"""One write for a response's head and what follows it at once.

uvicorn hands the head to the transport as soon as an application names the status, so that the body, which mostly
follows in the same turn of the event loop, costs a system call (and wakes the client) once more. Heads that nothing
follows are sent together in the loop's next turn, so that the others pay for no timer of their own.
"""

import asyncio
from typing import Any, Final

_HEAD: Final = b"HTTP/1."


class Heads:
    """The heads that wait in one event loop."""

    __slots__ = ("_loop", "_waiting")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: list[Joined] = []

    def add(self, one: "Joined") -> None:
        """Send the head of `one` in the next turn unless something else has by then."""
        if not self._waiting:
            self._loop.call_soon(self._send)
        self._waiting.append(one)

    def _send(self) -> None:
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            one.send_head()


class Joined:
    """A connection's transport: heads go with the bytes that follow at once, or alone in the loop's next turn.

    A head is known by how it begins. What begins so and is none is sent in the next turn as well, which harms nothing;
    order is kept in any case.
    """

    __slots__ = ("_head", "_heads", "_transport", "_write", "is_closing")

    def __init__(self, transport: asyncio.Transport, heads: Heads) -> None:
        self._transport = transport
        self._write = transport.write
        self._heads = heads
        self._head = b""
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        """Send bytes, in order."""
        if self._head:
            head, self._head = self._head, b""
            self._write(head + data)  # one piece: asyncio's own loops have had faults with several
        elif data.startswith(_HEAD):
            self._head = data
            self._heads.add(self)
        else:
            self._write(data)

    def send_head(self) -> None:
        """Send the head that waits, if there is one and somebody to get it."""
        head, self._head = self._head, b""
        if head and not self.is_closing():
            self._write(head)

    def close(self) -> None:
        """Close the connection after what was written."""
        self.send_head()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        """Whatever else a transport can do."""
        return getattr(self._transport, name)
