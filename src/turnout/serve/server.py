"""The protocol server: an ASGI app that serves whatever a catalog holds, over every protocol that is built.

It authenticates nobody: the application's own middleware does, or `serve.door`. It can be mounted in any ASGI
framework; frameworks don't pass their lifespan on to what is mounted, so hosts use `Server.lifespan` or close it
themselves.
"""

import inspect
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

from turnout.model import Catalog, Context, IdentityProvider, Limits, ProtocolName, Store, User
from turnout.model.errors import (
    CatalogFailed,
    InvalidRequest,
    MethodNotAllowed,
    Misconfigured,
    NotFound,
    TurnoutError,
)
from turnout.wire.codec import Codec
from turnout.wire.codec import codec as built_codec

from .answering import Answering
from .asgi import RawHeaders, Receive, Scope, Send, inner_path
from .audio import Audio
from .detached import Runs
from .endpoint import Endpoint
from .exchange import Exchange
from .failure import OnError, Visit, send_whole, settle
from .grace import Grace
from .models import NoCatalog
from .names import new_id
from .retrieval import Retrieval
from .routes import ROWS, Route, Table, with_open_responses
from .settings import Settings
from .steps import load

_JSON: RawHeaders = [(b"content-type", b"application/json")]


class Server:
    """Serves `catalog`; without one, `None`, nothing is listed and nothing can run.

    `limits`: sizes of what clients may send. `on_error(error, request_or_context)`: told of failures that are not
    the client's, sync or async. `keepalive_s`: silence in a stream after which a keepalive is sent, in seconds, 0
    for never. `read_s`: longest silence in seconds while a body is read. `stop_s`: how long in seconds an agent may
    take to end once it was cancelled; then it is left to itself, and `on_error` told. `ready`: asked by `/readyz`.
    `prepare`: what is done when the application starts. `owned`: what has `aclose`, and is closed at the server's end,
    or what gives it then. `runs` owns the runs that go on without a client; they end first.
    `open_responses`: Responses are answered in the shape of Open Responses 2026-04-24 instead of OpenAI's own.
    `assets(media, limit, context)`: gives the bytes behind a file handle that a client sends to an agent, `Inline` or
    bytes and media type, sync or async; raises to refuse. `transcriber` and `speaker` answer the audio endpoints, which
    exist only with them: functions (`Transcriber`, `Speaker`), or a provider that the calls are passed on to. `store`
    accepts what runs and keeps what is to be kept: with `store_default` also the responses of requests that do not say
    so; `identify` tells it who asks.
    """

    def __init__(
        self,
        catalog: Catalog | None,
        *,
        limits: Limits | None = None,
        on_error: OnError | None = None,
        keepalive_s: float = 15.0,
        read_s: float = 60.0,
        hold_s: float = 1.0,
        stop_s: float = 5.0,
        ready: Callable[[], bool | Awaitable[bool]] | None = None,
        prepare: Callable[[], Awaitable[None]] | None = None,
        owned: Iterable[Any] | Callable[[], Iterable[Any]] = (),
        runs: Runs | None = None,
        open_responses: bool = False,
        assets: Callable[..., Any] | None = None,
        transcriber: Any = None,
        speaker: Any = None,
        store: Store | None = None,
        store_default: bool = False,
        identify: IdentityProvider[User | None] | None = None,
        codec: Callable[[ProtocolName], Codec] = built_codec,
        new_id: Callable[[], str] = new_id,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._catalog = catalog = NoCatalog() if catalog is None else catalog
        self._settings = Settings(
            limits=limits or Limits(),
            assets=assets,
            store=store,
            store_default=store_default,
            identify=identify,
            on_error=on_error,
            keepalive_s=keepalive_s,
            read_s=read_s,
            hold_s=hold_s,
            stop_s=stop_s,
            new_id=new_id,
            now=now,
        )
        self._runs = runs or Runs()
        self.answering = Answering(catalog, self._settings, self._runs)
        self._endpoint = Endpoint(catalog, self._settings, self.answering)
        audio = Audio(self._settings, transcriber, speaker)
        self._handlers = audio.handlers
        self._kept = Retrieval(self._settings)
        rows = (*ROWS, *audio.rows, *self._kept.rows)
        self._table = Table(rows, with_open_responses(codec) if open_responses else codec)
        self._grace = Grace()
        self._ready = ready
        self._prepare = prepare
        self._owned = owned if callable(owned) else tuple(owned).__iter__
        self._closing = False

    # ---- ASGI ------------------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI app."""
        kind = scope["type"]
        if kind == "http":
            exchange = Exchange(scope, receive, send, self._grace, self._settings.read_s)
            found = self._table.find(inner_path(scope))
            if found is not None and scope["method"] == "POST":
                codec, verb = found[0].codec, found[0].verb
                if codec is not None and verb == "answer":
                    await self._endpoint.answer(exchange, codec)
                    return
                if codec is not None and verb == "count":
                    await self._endpoint.count(exchange, codec)
                    return
                if codec is not None and verb in self._handlers:
                    await self._handlers[verb](exchange, codec)
                    return
            await self._aside(exchange, found)
        elif kind == "lifespan":
            await self._lifespan(receive, send)
        elif kind == "websocket":
            await self._refuse_socket(scope, receive, send)

    async def _refuse_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing is served over WebSocket; a client that also posts (codex) turns to that at once after a 426."""
        await receive()
        found = self._table.find(inner_path(scope))
        posted = found is not None and found[0].verb == "answer"
        if not posted or "websocket.http.response" not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        status, headers, data = self._table.codec_for(scope).encode_error(no_socket())
        head = [*headers.raw, (b"upgrade", b"HTTP/1.1"), (b"content-length", b"%d" % len(data))]
        await send({"type": "websocket.http.response.start", "status": status, "headers": head})
        await send({"type": "websocket.http.response.body", "body": data})

    async def _aside(self, exchange: Exchange, found: tuple[Route, str] | None) -> None:
        """Everything but a request to a model."""
        codec = (None if found is None else found[0].codec) or self._table.codec_for(exchange.scope)
        visit = self._settings.visit(exchange.scope, codec)
        work = self._look_up(exchange, codec, found, visit)
        await settle(work, exchange, codec, visit, self._settings.on_error)

    async def _look_up(
        self, exchange: Exchange, codec: Codec, found: tuple[Route, str] | None, visit: Visit
    ) -> None:
        """Send what is asked for.

        Raises:
            TurnoutError: there is nothing at this path, or not with this method.
        """
        if found is None:
            raise NotFound("there is nothing at this path")
        route, name = found
        if route.verb == "response":
            await self._kept.answer(exchange, codec, name, visit)
            return
        if exchange.scope["method"] not in route.methods:
            visit.headers.append((b"allow", route.allow))
            if route.verb == "answer" and (b"upgrade", b"websocket") in exchange.scope["headers"]:
                visit.headers.append((b"upgrade", b"HTTP/1.1"))
                raise no_socket()
            raise MethodNotAllowed(f"this path takes {route.allow.decode()}")
        status, data = 200, b'{"status":"ok"}'
        if route.verb == "readyz":
            status, data = (
                (200, b'{"status":"ready"}') if await self.ready() else (503, b'{"status":"not ready"}')
            )
        elif route.verb != "healthz":
            query = exchange.scope.get("query_string", b"").decode("latin-1")
            data = await self._models(codec, name, query, visit.context)
        await send_whole(exchange, status, [*_JSON, *visit.headers], data)

    async def _models(self, codec: Codec, name: str, query: str, context: Context) -> bytes:
        """The list of models, or the one called `name`, which may be one that is not listed.

        Raises:
            NotFound: nothing answers to that name.
            CatalogFailed: the catalog raised something else than an error of this tree.
        """
        try:
            listed = await self._catalog.list(context)
        except TurnoutError:
            raise
        except Exception as error:
            raise CatalogFailed("turnout: the catalog failed") from error
        if not name:
            return codec.encode_models(listed, query)
        info = listed.get(name)
        if info is None:
            _, info = await load(self._catalog, name, context)
        return codec.encode_model(name, info)

    # ---- life ------------------------------------------------------------------------------------------------

    async def ready(self) -> bool:
        """Whether requests can be answered."""
        if self._closing:
            return False
        if self._ready is None:
            return True
        answer = self._ready()
        return await answer if inspect.isawaitable(answer) else answer

    async def aclose(self) -> None:
        """Close what the server owns; all of it, also when one of them fails."""
        self._closing = True
        # What runs on ends first: it is stored in what is closed next.
        await close_all((self._runs, *self._owned()))

    @asynccontextmanager
    async def lifespan(self, app: Any = None) -> AsyncGenerator[None]:
        """The lifespan to give to the framework that this is mounted in.

        Raises:
            Misconfigured: what is needed to answer cannot be prepared.
        """
        self._closing = False
        try:
            if self._prepare is not None:
                await self._prepare()
            yield
        finally:
            await self.aclose()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self._closing = False
        if self._prepare is not None:
            try:
                await self._prepare()
            except Misconfigured as error:
                await self.aclose()
                await send({"type": "lifespan.startup.failed", "message": error.message})
                return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        try:
            await self.aclose()
        except Exception as error:  # the server is told in its own words
            await send({"type": "lifespan.shutdown.failed", "message": type(error).__name__})
            return
        await send({"type": "lifespan.shutdown.complete"})


def no_socket() -> TurnoutError:
    """What tells a client that it has to post."""
    return InvalidRequest(
        "this path is not served over WebSocket; send a POST", status=426, code="websocket_unsupported"
    )


async def close_all(things: Iterable[Any]) -> None:
    """Close each of `things`, also when one of them fails.

    Raises:
        Exception: what the last one that failed raised.
    """
    failed: Exception | None = None
    for thing in things:
        try:
            await thing.aclose()
        except Exception as error:  # the others are closed first
            failed = error
    if failed is not None:
        raise failed
