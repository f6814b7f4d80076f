"""The transport over aiohttp, the only module that knows it.

Strategy: aiohttp's connector (pool, TLS, proxies, name lookup) and its parser, without its session. A call is one write
of a head and a body that are at hand, so what the session does for each call (merging headers, cookies, traces, a
task that writes, a response object) is half of a call's cost and none of its use. There is one pool per event loop,
owned by the transport. One deadline covers the time to the headers, and one lazy timer per body, which is moved only
when it fires, covers silence between reads. A connection whose body did not end is aborted, never drained.
"""

import asyncio
import ssl
from collections.abc import Iterable
from functools import partial
from typing import Any

import aiohttp
from aiohttp import StreamReader, hdrs
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ClientRequest, ConnectionKey
from aiohttp.connector import Connection
from aiohttp.http import StreamWriter
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.http_parser import RawResponseMessage
from yarl import URL

from turnout.model.errors import BrokenStream, Misconfigured, ProviderError

from .deadlines import Deadlines
from .transport import RawHeaders, no_answer

_SLICE = 65_536
_LARGE = 262_144
_TARGETS = 256
_LONGEST_LINE = 65_536


class _Handler(ResponseHandler):
    """aiohttp's connection, which resumes only what was paused: its streams ask for that at each read."""

    __slots__ = ()

    def resume_reading(self, *how: Any, **more: Any) -> None:
        if self._reading_paused:
            super().resume_reading(*how, **more)


class _Known(ClientRequest):
    """What the connector knows an address by; its key is the same at each call."""

    _key: ConnectionKey | None = None

    @property
    def connection_key(self) -> ConnectionKey:
        if self._key is None:
            self._key = super().connection_key
        return self._key


class _Target:
    """An address, and what a call to it always says; `request` is what the connector knows it by.

    Calls to one address mostly say the same, so what the last one said is kept as it was written.
    """

    __slots__ = ("_line", "_said", "_written", "request")

    def __init__(self, url: URL, proxy: URL | None, loop: asyncio.AbstractEventLoop) -> None:
        self.request = _Known("GET", url, loop=loop, proxy=proxy)
        absolute = proxy is not None and url.scheme == "http"
        where = str(self.request.url) if absolute else url.raw_path_qs
        self._line = f" {where} HTTP/1.1\r\nhost: {self.request.headers[hdrs.HOST]}\r\n"
        self._said: tuple[str, list[tuple[str, str]]] = ("", [])
        self._written = b""

    def head(self, method: str, headers: Iterable[tuple[str, str]], size: int) -> bytes:
        """The request up to its body of `size` bytes.

        Raises:
            Misconfigured: a header holds a line break or what cannot be encoded.
        """
        saying = (method, list(headers))
        if saying != self._said:
            self._written = self._write(*saying)
            self._said = saying
        if size or method != "GET":
            return b"%bcontent-length: %d\r\n\r\n" % (self._written, size)
        return self._written + b"\r\n"

    def _write(self, method: str, headers: list[tuple[str, str]]) -> bytes:
        said = [f"{name}: {value}\r\n" for name, value in headers]
        text = "".join(said)
        if text.count("\n") != len(said) or text.count("\r") != len(said) or "\0" in text:
            raise Misconfigured("a header for the provider cannot be sent")
        proxied = self.request.headers.get(hdrs.PROXY_AUTHORIZATION)  # the connector sets it
        to_proxy = "" if proxied is None else f"proxy-authorization: {proxied}\r\n"
        try:
            return f"{method}{self._line}{text}{to_proxy}".encode()
        except UnicodeEncodeError as error:
            raise Misconfigured("a header for the provider cannot be sent") from error


def _abort(connection: Connection) -> None:
    transport = connection.transport
    if transport is not None:
        transport.abort()
    connection.close()


async def _pour(protocol: ResponseHandler, body: bytes, loop: asyncio.AbstractEventLoop) -> None:
    """Write a big body in slices, so that other tasks run in between."""
    writer = StreamWriter(protocol, loop)
    view = memoryview(body)
    try:
        for start in range(0, len(view), _SLICE):
            await writer.write(view[start : start + _SLICE])
    except (aiohttp.ClientError, OSError):
        return  # whoever waits for the answer is told of it


class HttpResponse:
    """An answer over aiohttp."""

    __slots__ = (
        "_connection",
        "_content",
        "_idle_s",
        "_idled",
        "_loop",
        "_pouring",
        "_protocol",
        "_timer",
        "_waiting",
        "headers",
        "length",
        "status",
    )

    def __init__(
        self,
        message: RawResponseMessage,
        content: StreamReader,
        connection: Connection,
        pouring: asyncio.Task[None] | None,
        idle_s: float,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.status = message.code
        self.headers: RawHeaders = message.raw_headers
        length = message.headers.get(hdrs.CONTENT_LENGTH)
        self.length = None if length is None else int(length)
        self._content = content
        self._connection = connection
        self._protocol = connection.protocol
        self._pouring = pouring
        self._idle_s = idle_s
        self._idled = False
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None
        self._waiting = 0.0
        content.on_eof(self._release)

    def _release(self) -> None:
        """The body has come: others may use the connection, unless it still carries the request."""
        pouring = self._pouring
        if pouring is None or pouring.done():
            self._connection.release()
        else:
            pouring.cancel()
            _abort(self._connection)

    @property
    def ended(self) -> bool:
        """Whether all of the body has been read."""
        return self._content.at_eof()

    async def read(self) -> bytes:
        """What has come since the last read; see `Response.read`."""
        content = self._content
        try:
            if content.is_eof():
                data = content.read_nowait()
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
        if self._content.is_eof():
            return
        if self._content.exception() is None:
            self._content.set_exception(aiohttp.ClientConnectionError("closed here"))
        if self._pouring is not None:
            self._pouring.cancel()
        _abort(self._connection)


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
        self._proxy = None if proxy is None else _proxy(proxy)
        self._ssl = _trust(ca_file)
        self._pools: dict[asyncio.AbstractEventLoop, _Pool] = {}

    def _pool(self, loop: asyncio.AbstractEventLoop) -> "_Pool":
        for gone in [known for known in self._pools if known.is_closed()]:
            del self._pools[gone]
        connector = aiohttp.TCPConnector(
            limit=self._connections, keepalive_timeout=self._keepalive_s, ssl=self._ssl
        )
        handler: Any = partial(_Handler, loop=loop)
        connector._factory = handler  # pyright: ignore[reportPrivateUsage]
        pool = self._pools[loop] = _Pool(connector, Deadlines(loop, self._first_byte_s), self._proxy, loop)
        return pool

    async def send(
        self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes
    ) -> HttpResponse:
        """Make one call; see `Transport.send`."""
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop) or self._pool(loop)
        wait = pool.deadlines.enter()
        try:
            target = pool.target(url)
            connection = await pool.connector.connect(target.request, [], self._timeout)
            return await self._sent(connection, target, method, headers, body)
        except asyncio.CancelledError as error:
            if wait.is_timeout():
                raise no_answer("the provider did not answer in time", late=True) from error
            raise
        except TimeoutError as error:
            raise no_answer("the provider could not be connected to in time", late=True) from error
        except (aiohttp.ClientConnectorError, aiohttp.ClientProxyConnectionError) as error:
            raise no_answer("the provider could not be reached") from error
        except (HttpProcessingError, aiohttp.ClientResponseError) as error:
            raise no_answer("the provider's answer is not HTTP") from error
        except aiohttp.InvalidURL as error:
            raise Misconfigured("the provider's address cannot be used") from error
        except (aiohttp.ClientError, OSError) as error:
            raise no_answer("the provider closed the connection without an answer") from error
        finally:
            pool.deadlines.leave(wait)

    async def _sent(
        self,
        connection: Connection,
        target: _Target,
        method: str,
        headers: Iterable[tuple[str, str]],
        body: bytes,
    ) -> HttpResponse:
        """Write the call and wait for the answer's head; the connection is cut if there is none."""
        protocol, pouring, loop = connection.protocol, None, target.request.loop
        try:
            head = target.head(method, headers, len(body))
            if protocol is None or protocol.transport is None:
                raise aiohttp.ServerDisconnectedError
            protocol.set_response_params(
                read_until_eof=True,
                auto_decompress=False,
                max_line_size=_LONGEST_LINE,
                max_field_size=_LONGEST_LINE,
            )
            if len(body) > _LARGE:
                protocol.transport.write(head)
                pouring = loop.create_task(_pour(protocol, body, loop))
            elif len(body) > _SLICE:
                protocol.transport.write(head)
                protocol.transport.write(body)
            else:
                # Not `writelines`: asyncio's own loop never gets rid of an empty piece (cpython 155888), and breaks
                # where the connection was lost (136234).
                protocol.transport.write(head + body)
            message, content = await protocol.read()
            while 100 <= message.code < 200 and message.code != 101:  # RFC 9110 section 15.2: more follows
                message, content = await protocol.read()
            return HttpResponse(message, content, connection, pouring, self._idle_s, loop)
        except BaseException:
            if pouring is not None:
                pouring.cancel()
            _abort(connection)
            raise

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            pool.deadlines.close()
            await pool.connector.close()

    def __repr__(self) -> str:
        return f"HttpTransport(connections={self._connections})"


class _Pool:
    """What calls in one event loop share."""

    __slots__ = ("_loop", "_proxy", "_targets", "connector", "deadlines")

    def __init__(
        self,
        connector: aiohttp.TCPConnector,
        deadlines: Deadlines,
        proxy: URL | None,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.connector = connector
        self.deadlines = deadlines
        self._proxy = proxy
        self._loop = loop
        self._targets: dict[str, _Target] = {}

    def target(self, url: str) -> _Target:
        """The address that `url` names.

        Raises:
            Misconfigured: it is none that can be called.
        """
        target = self._targets.get(url)
        if target is None:
            if len(self._targets) >= _TARGETS:
                self._targets.clear()
            target = self._targets[url] = _Target(_address(url), self._proxy, self._loop)
        return target


def _address(text: str) -> URL:
    try:
        url = URL(text, encoded=True)
    except ValueError as error:
        raise Misconfigured("the provider's address cannot be used") from error
    if url.scheme not in {"http", "https"} or not url.raw_host:
        raise Misconfigured("the provider's address cannot be used")
    return url


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
