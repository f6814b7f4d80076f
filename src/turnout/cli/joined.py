"""One write for a response's head and what follows it at once.

uvicorn hands the head to the transport as soon as an application names the status, so that the body, which mostly
follows in the same turn of the event loop, costs a system call (and wakes the client) once more.
"""

import asyncio
from typing import Any, Final

_HEAD: Final = b"HTTP/1."


class Joined:
    """A connection's transport: heads go with the bytes that follow at once, or alone in the loop's next turn.

    A head is known by how it begins. What begins so and is none is sent in the next turn as well, which harms nothing;
    order is kept in any case.
    """

    __slots__ = ("_head", "_loop", "_timer", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head = b""
        self._timer: asyncio.Handle | None = None

    def write(self, data: bytes) -> None:
        """Send bytes, in order."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._transport.writelines((self._head, data))
        elif data.startswith(_HEAD):
            self._head = data
            self._timer = self._loop.call_soon(self._alone)
        else:
            self._transport.write(data)

    def _alone(self) -> None:
        self._timer = None
        if not self._transport.is_closing():
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
