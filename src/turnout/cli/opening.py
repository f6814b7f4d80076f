"""One write for a response's head and the first of its body.

uvicorn hands the head to the transport as soon as an application names the status, so that the body, which mostly
follows in the same turn of the event loop, costs a system call (and wakes the client) once more.
"""

import asyncio
from typing import Any


class Opening:
    """The transport of one response: its head goes with what follows it at once, or alone in the loop's next turn."""

    __slots__ = ("_first", "_head", "_loop", "_timer", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._first = True
        self._head = b""
        self._timer: asyncio.Handle | None = None

    def write(self, data: bytes) -> None:
        """Send a piece of the response, in order."""
        if self._first:
            self._first = False
            self._head = data
            self._timer = self._loop.call_soon(self._alone)
        elif self._timer is None:
            self._transport.write(data)
        else:
            self._timer.cancel()
            self._timer = None
            self._transport.writelines((self._head, data))

    def _alone(self) -> None:
        self._timer = None
        self._transport.write(self._head)

    def close(self) -> None:
        """Close the connection after what was written."""
        if self._timer is not None:
            self._timer.cancel()
            self._alone()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        """Whatever else a transport can do."""
        return getattr(self._transport, name)
