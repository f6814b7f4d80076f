"""One request on a connection of uvicorn's, and its answer.

This stands in for uvicorn's own `RequestResponseCycle` and writes what that writes, byte for byte (a test holds the two
together), with half of its work: names of headers are checked once and remembered, all values of a head are checked at
once, a body that came in one piece is handed on as it came, and a response's head is one write with what follows it at
once. A head that nothing follows is sent in the event loop's next turn, together with those of other connections, so
that none pays for a timer of its own.
"""

import asyncio
import logging
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE
from uvicorn.server import ServerState

_NO_NAME: Final = re.compile(rb'[\x00-\x20\x7f()<>@,;:\[\]={}\\"]')
_CONTROLS: Final = bytes({*range(0x20), 0x7F} - {0x09})  # of a value; a tab may stand in one
_WITH_A_MEANING: Final = frozenset({b"content-length", b"transfer-encoding", b"connection"})
_WITHOUT_BODY: Final = frozenset({204, 304})
_WHOLE_FAILURE: Final = (
    {
        "type": "http.response.start",
        "status": 500,
        "headers": [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", b"21"),
            (b"connection", b"close"),
        ],
    },
    {"type": "http.response.body", "body": b"Internal Server Error"},
)
_log: Final = logging.getLogger("uvicorn.error")


class Heads:
    """What the heads of one server have in common, and those that wait in its event loop."""

    __slots__ = ("_common", "_loop", "_state", "_waiting", "_written")

    def __init__(self, loop: asyncio.AbstractEventLoop, state: ServerState) -> None:
        self._loop = loop
        self._state = state
        self._common: list[tuple[bytes, bytes]] = []
        self._written = b""
        self._waiting: list[Cycle] = []

    def common(self) -> bytes:
        """The headers of every response, as uvicorn has them now: it makes them anew each second, for the date."""
        common = self._state.default_headers
        if common is not self._common:
            self._common = common
            self._written = b"".join([b"%b: %b\r\n" % pair for pair in common])
        return self._written

    def add(self, one: "Cycle") -> None:
        """Send the head of `one` in the next turn unless something else has by then."""
        if not self._waiting:
            self._loop.call_soon(self._send)
        self._waiting.append(one)

    def _send(self) -> None:
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            one.send_head()


class Cycle:
    """A request and its answer, as uvicorn's connection asks for it.

    `body` is what came of the request's body and has not been received yet, `more_body` whether more may come;
    `message_event` is set when there is something to receive. `keep_alive` says whether the connection stays open
    after the answer. `on_response` is called when the answer is complete.
    """

    __slots__ = (
        "_chunked",
        "_flow",
        "_head",
        "_heads",
        "_left",
        "_on_response",
        "_transport",
        "body",
        "disconnected",
        "keep_alive",
        "message_event",
        "more_body",
        "response_complete",
        "response_started",
        "scope",
        "waiting_for_100_continue",
    )

    def __init__(
        self,
        scope: Any,
        transport: asyncio.Transport,
        flow: FlowControl,
        heads: Heads,
        asks_to_go_on: bool,
        keep_alive: bool,
        on_response: Callable[[], None],
    ) -> None:
        self.scope = scope
        self.body: bytes | bytearray = b""
        self.more_body = True
        self.message_event = asyncio.Event()
        self.keep_alive = keep_alive
        self.waiting_for_100_continue = asks_to_go_on
        self.disconnected = False
        self.response_started = False
        self.response_complete = False
        self._transport = transport
        self._flow = flow
        self._heads = heads
        self._head = b""
        self._left = 0  # bytes of the announced body that are still to be sent
        self._chunked: bool | None = None
        self._on_response: Callable[[], None] | None = on_response

    # ---- the application ------------------------------------------------------------------------------------

    async def run_asgi(self, app: Any) -> None:
        """Run the application; what it leaves undone is answered with 500, or ends the connection."""
        try:
            result = await app(self.scope, self.receive, self.send)
            wrong = "" if result is None else f"ASGI callable should return None, but returned {result!r}."
        except BaseException as error:
            # the task ends here, whatever it was: uvicorn's contract with its tasks
            _log.error("Exception in ASGI application\n", exc_info=error)
            await self._give_up()
        else:
            if not (self.response_complete or self.disconnected):
                wrong = wrong or "ASGI callable returned without completing its response."
            if wrong:
                _log.error(wrong)
                await self._give_up()
        finally:
            self._on_response = None  # a cycle of references with the connection

    async def _give_up(self) -> None:
        if self.response_started or self.disconnected:
            self._close()
            return
        for message in _WHOLE_FAILURE:
            await self.send(message)

    # ---- what comes in --------------------------------------------------------------------------------------

    def feed(self, body: bytes) -> int:
        """Take a piece of the body; gives how many bytes wait to be received."""
        if not self.body:
            self.body = body
        else:
            if isinstance(self.body, bytes):
                self.body = bytearray(self.body)
            self.body += body
        self.message_event.set()
        return len(self.body)

    async def receive(self) -> dict[str, Any]:
        """The next message of the client's: a piece of the body, or that it has left."""
        if self.waiting_for_100_continue and not self._transport.is_closing():
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.waiting_for_100_continue = False
        if not (self.disconnected or self.response_complete):
            if self._flow.read_paused:
                self._flow.resume_reading()
            if not self.message_event.is_set():
                await self.message_event.wait()
            self.message_event.clear()
        if self.disconnected or self.response_complete:
            return {"type": "http.disconnect"}
        body, self.body = self.body, b""
        return {"type": "http.request", "body": bytes(body), "more_body": self.more_body}

    # ---- what goes out --------------------------------------------------------------------------------------

    async def send(self, message: Any) -> None:
        """Send a message of the application's; to a client that has left, nothing.

        Raises:
            RuntimeError: it is not the message that is due, or its headers cannot be sent, or its body is not as long
                as announced.
        """
        if self._flow.write_paused and not self.disconnected:
            await self._flow.drain()
        if self.disconnected:
            return
        due = "http.response.body" if self.response_started else "http.response.start"
        if self.response_complete or message["type"] != due:
            raise RuntimeError(f"Unexpected ASGI message {message['type']!r}.")
        if not self.response_started:
            self._begin(message["status"], message.get("headers", ()))
            return
        more = message.get("more_body", False)
        self._write(message.get("body", b""), more)
        if not more:
            self._end()

    def _begin(self, status: int, headers: Any) -> None:
        self.response_started = True
        self.waiting_for_100_continue = False
        lines: list[bytes] = []
        closes = False
        for given, value in headers:
            name = _checked(given)
            if name in _WITH_A_MEANING and self._heed(name, value):
                closes = True
            lines.append(b"%b: %b\r\n" % (name, value))
        head = b"".join(lines)
        if len(head) - len(head.translate(None, _CONTROLS)) != 2 * len(lines):
            raise RuntimeError("Invalid HTTP header value.")
        if closes:
            self.keep_alive = False
        elif not self.keep_alive:
            head += b"connection: close\r\n"
        if self._chunked is None and status not in _WITHOUT_BODY and self.scope["method"] != "HEAD":
            self._chunked = True
            head += b"transfer-encoding: chunked\r\n"
        self._head = b"%b%b%b\r\n" % (STATUS_LINE[status], self._heads.common(), head)
        self._heads.add(self)

    def _heed(self, name: bytes, value: bytes) -> bool:
        """Mind what a header says of the body; whether it closes the connection."""
        if name == b"connection":
            return b"close" in [token.strip() for token in value.lower().split(b",")]
        if name == b"content-length":
            if self._chunked is None:
                self._left = int(value)
                self._chunked = False
        elif value.lower() == b"chunked":
            self._left = 0
            self._chunked = True
        return False

    def _write(self, body: bytes, more: bool) -> None:
        if self.scope["method"] == "HEAD":
            self._left = 0
            self.send_head()
            return
        if self._chunked:
            if body:
                body = b"%x\r\n%b\r\n" % (len(body), body)
            if not more:
                body += b"0\r\n\r\n"
        elif len(body) > self._left:
            raise RuntimeError("Response content longer than Content-Length")
        else:
            self._left -= len(body)
        head = self._head
        if head:
            self._head = b""
            body = head + body  # one piece: asyncio's own loops have had faults with several
        if body:
            self._transport.write(body)

    def _end(self) -> None:
        if self._left:
            raise RuntimeError("Response content shorter than Content-Length")
        self.response_complete = True
        self.message_event.set()
        if not self.keep_alive:
            self._close()
        if self._on_response is not None:
            self._on_response()

    def send_head(self) -> None:
        """Send the head that waits, if there is one and somebody to get it."""
        head, self._head = self._head, b""
        if head and not self._transport.is_closing():
            self._transport.write(head)

    def _close(self) -> None:
        self.send_head()
        self._transport.close()


@lru_cache(maxsize=1024)
def _checked(name: bytes) -> bytes:
    """A header's name as it is sent."""
    if _NO_NAME.search(name):
        raise RuntimeError("Invalid HTTP header name.")
    return name.lower()
