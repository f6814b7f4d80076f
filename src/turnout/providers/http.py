"""The transport over aiohttp, the only module that knows it.

Strategy: one session with one pool of connections per event loop, owned by the transport. aiohttp's own timers are
off but for connecting: one deadline covers the time to the headers, and one lazy timer per body, which is moved
only when it fires, covers silence between reads. A connection whose body did not end is aborted, never drained.
"""

import asyncio
import ssl
from collections.abc import Iterable
from typing import Any

import aiohttp
from aiohttp import payload
from aiohttp.abc import AbstractStreamWriter
from aiohttp.client_reqrep import ClientResponse
from aiohttp.connector import Connection
from yarl import URL

from turnout.model.errors import BrokenStream, Misconfigured, ProviderError

from .deadlines import Deadlines
from .transport import RawHeaders, no_answer

_SLICE = 65_536
_LARGE = 262_144
_URLS = 256


class _Aborting(ClientResponse):
    """A response whose connection is cut, not closed politely, when waiting for its headers is given up."""

    async def start(self, connection: Connection) -> ClientResponse:
        try:
            return await super().start(connection)
        except BaseException:
            _abort(connection)
            raise


def _abort(connection: Connection | None) -> None:
    transport = None if connection is None else connection.transport
    if transport is not None:
        transport.abort()


class _Large(payload.Payload):
    """A big body, written in slices so that other tasks run in between."""

    _autoclose = True

    def __init__(self, value: bytes) -> None:
        super().__init__(value)
        self._size = len(value)

    async def write(self, writer: AbstractStreamWriter) -> None:
        view = memoryview(self._value)
        for start in range(0, len(view), _SLICE):
            await writer.write(view[start : start + _SLICE])

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        await self.write(writer)

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return self._value.decode(encoding, errors)


class HttpResponse:
    """An answer over aiohttp."""

    __slots__ = (
        "_content",
        "_idle_s",
        "_idled",
        "_loop",
        "_protocol",
        "_response",
        "_timer",
        "_waiting",
        "headers",
        "length",
        "status",
    )

    def __init__(self, response: ClientResponse, idle_s: float, loop: asyncio.AbstractEventLoop) -> None:
        self.status = response.status
        self.headers: RawHeaders = response.raw_headers
        self.length = response.content_length
        self._response = response
        self._content = response.content
        connection = response.connection
        self._protocol = None if connection is None else connection.protocol
        self._idle_s = idle_s
        self._idled = False
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None
        self._waiting = 0.0

    @property
    def ended(self) -> bool:
        """Whether all of the body has been read."""
        return self._content.at_eof()

    async def read(self) -> bytes:
        """What has come since the last read; see `Response.read`."""
        content = self._content
        try:
            if content.is_eof():
                data = await content.readany()
            else:
                self._waiting = self._loop.time()
                if self._timer is None:
                    self._timer = self._loop.call_later(self._idle_s, self._look)
                try:
                    data = await content.readany()
                finally:
                    self._waiting = 0.0
        except (aiohttp.ClientError, OSError, RuntimeError) as error:
            self.close()
            if self._idled:
                late = "the provider's answer stopped coming"
                raise ProviderError(late, kind="timeout", retryable=True) from error
            raise BrokenStream("the provider's answer was cut") from error
        if content.at_eof():
            self._end()
        return data

    def _end(self) -> None:
        self._stop_timer()
        lost = None if self._protocol is None else self._protocol.exception()
        if isinstance(lost, OSError):  # a body that only the connection's end delimits, and it was reset
            raise BrokenStream("the provider's answer was cut") from lost

    def _look(self) -> None:
        """The timer fired: give up if a read has waited all the time, else look again when it would have."""
        if self._content.is_eof():
            self._timer = None
            return
        waited = self._loop.time() - self._waiting if self._waiting else 0.0
        if self._waiting and waited >= self._idle_s - 0.001:
            self._idled = True
            self._content.set_exception(aiohttp.SocketTimeoutError("no data came"))
            self.close()
            return
        self._timer = self._loop.call_later(self._idle_s - waited, self._look)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        """Let go of the connection; one whose body did not end is cut at once."""
        self._stop_timer()
        if not self._content.is_eof():
            _abort(self._response.connection)
        self._response.close()


class HttpTransport:
    """Calls over HTTP/1.1 with pooled connections; close it in the event loop that used it.

    `connections` bounds those open at once, further calls wait. Times are in seconds: `connect_s` for one
    connection with its TLS, `first_byte_s` from the call to the answer's headers (waiting for a free connection
    included), `idle_s` between two reads, `keepalive_s` that an unused connection is kept. `proxy` is an
    `http://` address and may hold credentials; `ca_file` a PEM file to trust instead of the system's.

    Raises:
        Misconfigured: the certificates cannot be read.
    """

    def __init__(
        self,
        *,
        connections: int = 100,
        connect_s: float = 10.0,
        first_byte_s: float = 600.0,
        idle_s: float = 120.0,
        keepalive_s: float = 15.0,
        proxy: str | None = None,
        ca_file: str | None = None,
    ) -> None:
        self._connections = connections
        self._first_byte_s = first_byte_s
        self._idle_s = idle_s
        self._keepalive_s = keepalive_s
        self._timeout = aiohttp.ClientTimeout(total=None, sock_connect=connect_s)
        self._proxy = proxy and _proxy(proxy)
        self._ssl = _trust(ca_file)
        self._pools: dict[asyncio.AbstractEventLoop, tuple[aiohttp.ClientSession, Deadlines]] = {}
        self._urls: dict[str, URL] = {}

    def _pool(self, loop: asyncio.AbstractEventLoop) -> tuple[aiohttp.ClientSession, Deadlines]:
        for gone in [known for known in self._pools if known.is_closed()]:
            del self._pools[gone]
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=self._connections, keepalive_timeout=self._keepalive_s, ssl=self._ssl
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=self._timeout,
            auto_decompress=False,
            response_class=_Aborting,
            max_line_size=65_536,
            max_field_size=65_536,
        )
        pool = self._pools[loop] = session, Deadlines(loop, self._first_byte_s)
        return pool

    def _url(self, text: str) -> URL:
        url = self._urls.get(text)
        if url is None:
            if len(self._urls) >= _URLS:
                self._urls.clear()
            url = self._urls[text] = URL(text, encoded=True)
        return url

    async def send(
        self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes
    ) -> HttpResponse:
        """Make one call; see `Transport.send`."""
        loop = asyncio.get_running_loop()
        session, deadlines = self._pools.get(loop) or self._pool(loop)
        data: Any = _Large(body) if len(body) > _LARGE else (body or None)
        wait = deadlines.enter()
        try:
            response = await session.request(
                method,
                self._url(url),
                headers=headers,
                data=data,
                allow_redirects=False,
                proxy=self._proxy,
            )
        except asyncio.CancelledError as error:
            if wait.is_timeout():
                raise no_answer("the provider did not answer in time", late=True) from error
            raise
        except TimeoutError as error:
            raise no_answer("the provider could not be connected to in time", late=True) from error
        except (aiohttp.ClientConnectorError, aiohttp.ClientProxyConnectionError) as error:
            raise no_answer("the provider could not be reached") from error
        except aiohttp.ClientResponseError as error:
            raise no_answer("the provider's answer is not HTTP") from error
        except aiohttp.InvalidURL as error:
            raise Misconfigured("the provider's address cannot be used") from error
        except (aiohttp.ClientError, OSError) as error:
            raise no_answer("the provider closed the connection without an answer") from error
        except ValueError as error:
            raise Misconfigured("a header for the provider cannot be sent") from error
        finally:
            deadlines.leave(wait)
        return HttpResponse(response, self._idle_s, loop)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            pool[1].close()
            await pool[0].close()

    def __repr__(self) -> str:
        return f"HttpTransport(connections={self._connections})"


def _trust(ca_file: str | None) -> ssl.SSLContext | bool:
    if ca_file is None:
        return True
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        raise Misconfigured(f"ca_file: {ca_file} cannot be read as certificates") from error


def _proxy(address: str) -> URL:
    try:
        url = URL(address)
    except ValueError as error:
        raise Misconfigured("proxy: not an address") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise Misconfigured("proxy: an http:// address is expected")
    return url
