"""How long a connection may take over a request's head, and how large that may be; uvicorn has no bounds there.

Strategy: nothing is done for each request. One timer per connection looks every `head_s` whether the connection is
still where it was at the last look, and bytes are counted only while a head is incomplete. Everything after the head
has bounds elsewhere: bodies in `turnout.serve`, connections without a request by uvicorn's keepalive.
"""

import asyncio
from typing import Any, cast
from urllib.parse import unquote
from weakref import WeakKeyDictionary

import httptools
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT, service_unavailable
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from .cycle import Cycle, Heads


class _Nowhere:
    """A list that keeps nothing."""

    def append(self, _: object) -> None:
        """Let it fall."""


_NOWHERE: Any = _Nowhere()
_HEADS: WeakKeyDictionary[ServerState, Heads] = WeakKeyDictionary()


class Patience(HttpToolsProtocol):
    """uvicorn's connection, closed when it stays in one request's head for long, or sends a head without end.

    `head_s`: seconds; one connection is closed after one to two times this. The same holds for who goes on sending
    a body that was refused already. `head_bytes`: what may come of a head before it is complete, and of what follows a
    body.
    """

    head_s: float = 30.0
    head_bytes: int = 262_144

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._seen: object = None
        self._head = 0
        self._heads: Any = None
        self._embodied = False
        self._answering: Any = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look."""
        heads = _HEADS.get(self.server_state)
        if heads is None:
            heads = _HEADS[self.server_state] = Heads(self.loop, self.server_state)
        self._heads = heads
        super().connection_made(transport)
        self._timer = self.loop.call_later(self.head_s, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more; uvicorn tells the last request only, which need not be the one that is being answered."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        super().connection_lost(exc)
        cycle = self._answering
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_headers_complete(self) -> None:
        """Begin a request; fields that come after its body are let fall, as uvicorn would add them to the head."""
        before: Any = self.cycle
        cycle: Any = self._begun()
        self.cycle = cycle
        self.headers = _NOWHERE
        app = cast("Any", self.app)  # pyright: ignore[reportUnknownMemberType]
        crowd = self.limit_concurrency
        if crowd is not None and max(len(self.connections), len(self.tasks)) >= crowd:
            app = service_unavailable
        if before is None or before.response_complete:
            self._start_asgi_task(cycle, app)
        else:  # it has to wait for the answer to the request before it
            self.flow.pause_reading()
            self.pipeline.appendleft((cycle, app))

    def _begun(self) -> Any:
        parser: Any = self.parser  # of a connection that is open
        scope, url = self.scope, httptools.parse_url(self.url)
        version = parser.get_http_version()
        if version != "1.1":
            scope["http_version"] = version
        scope["method"] = parser.get_method().decode("ascii")
        path = url.path.decode("ascii")
        scope["path"] = self.root_path + (unquote(path) if "%" in path else path)
        scope["raw_path"] = self.root_path.encode("ascii") + url.path
        scope["query_string"] = url.query or b""
        return Cycle(
            scope,
            self.transport,
            self.flow,
            self._heads,
            # by their places: a class that is called by names makes a dictionary of them first
            self.expect_100_continue,
            version != "1.0" and parser.should_keep_alive(),
            self.on_response_complete,
        )

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body."""
        self._embodied = True
        cycle: Any = self.cycle
        if not cycle.response_complete and cycle.feed(body) > HIGH_WATER_LIMIT:
            self.flow.pause_reading()

    def on_message_complete(self) -> None:
        """Note that a body is complete."""
        cycle: Any = self.cycle
        if not cycle.response_complete:
            cycle.more_body = False
            cycle.message_event.set()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read, after what was said already."""
        cycle: Any = self.cycle
        if cycle is not None:
            cycle.send_head()
        super().send_400_response(msg)

    def data_received(self, data: bytes) -> None:
        """Take what came; refuse what is neither a body nor a head that ends."""
        self._embodied = False
        super().data_received(data)
        cycle: Any = self.cycle  # None before the first head is complete
        begun: bool = cycle is not None and cycle.scope is self.scope
        if begun and (self._embodied or not self.cycle.more_body):
            self._head = 0
            return
        self._head += len(data)
        if self._head > self.head_bytes and not self.transport.is_closing():
            if begun:
                self.transport.close()
            else:
                self.send_400_response("The head of the request is too large.")

    def _look(self) -> None:
        cycle: Any = self.cycle
        answered = cycle is None or cycle.response_complete
        idle = self.timeout_keep_alive_task is not None
        if answered and not idle and self._seen is cycle:
            self.transport.close()
            return
        self._seen = cycle if answered and not idle else self
        self._timer = self.loop.call_later(self.head_s, self._look)
