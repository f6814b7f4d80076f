"""Who may come in: tokens, origins, host names. Small ASGI wrappers that `turnout serve` puts around the server.

Refusals have the protocol's own shape. Health checks need no token: what asks for them has none.
"""

import hmac
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import unquote_to_bytes

from starlette.middleware.cors import CORSMiddleware

from turnout.model.errors import Forbidden, TurnoutError, Unauthenticated
from turnout.wire.codec import Codec
from turnout.wire.codec import codec as built_codec

from .asgi import ASGIApp, RawHeaders, Receive, Scope, Send, inner_path
from .exchange import Exchange
from .failure import send_error
from .routes import spoken

OPEN_PATHS = frozenset({"/healthz", "/readyz"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_EXPOSED = (
    "x-request-id",
    "x-should-retry",
    "retry-after",
    "retry-after-ms",
    "x-turnout-actions",
    "x-turnout-dropped",
    "x-turnout-lane",
    "x-turnout-replayed",
)


class Door:
    """Passes on the requests in which `fault` finds none; the others are refused with it."""

    def __init__(
        self,
        app: ASGIApp,
        fault: Callable[[Scope], TurnoutError | None],
        headers: RawHeaders | None = None,
        codec: Codec | None = None,
    ) -> None:
        self._app = app
        self._fault = fault
        self._headers = headers or []
        self._codec = codec

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI app."""
        fault = self._fault(scope) if scope["type"] in {"http", "websocket"} else None
        if fault is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            codec = self._codec or built_codec(spoken(scope))
            await send_error(Exchange(scope, None, send), codec, fault, self._headers)


def require_token(app: ASGIApp, tokens: Iterable[str], *, codec: Codec | None = None) -> ASGIApp:
    """Let in only who sends one of `tokens`: as `authorization: Bearer`, `x-api-key`, `x-goog-api-key` or `?key=`.

    Tokens are compared in a time that tells nothing of them.

    Raises:
        ValueError: there is no token, or an empty one.
    """
    digests = [_digest(token.encode()) for token in tokens]
    if not digests or _digest(b"") in digests:
        raise ValueError("tokens: at least one is needed, and none may be empty")

    def fault(scope: Scope) -> TurnoutError | None:
        if inner_path(scope) in OPEN_PATHS:
            return None
        sent = [_digest(token) for token in _sent(scope)]
        # every pair is compared, whichever matches
        matches = [hmac.compare_digest(one, other) for one in sent for other in digests]
        return None if any(matches) else Unauthenticated("the token is missing or wrong")

    return Door(app, fault, [(b"www-authenticate", b"Bearer")], codec)


def _digest(token: bytes) -> bytes:
    return blake2b(token, digest_size=32).digest()


def _sent(scope: Scope) -> list[bytes]:
    """The tokens in a request; more than one kind may be sent."""
    query: bytes = scope.get("query_string", b"")
    found = [unquote_to_bytes(pair[4:]) for pair in query.split(b"&") if pair.startswith(b"key=")]
    for name, value in scope["headers"]:
        if name in {b"x-api-key", b"x-goog-api-key"}:
            found.append(value.strip())
        elif name == b"authorization" and value[:7].lower() == b"bearer ":
            found.append(value[7:].strip())
    return found


def require_host(app: ASGIApp, hosts: Iterable[str] = LOOPBACK, *, codec: Codec | None = None) -> ASGIApp:
    """Answer only to these host names, whatever the port.

    A page whose name was made to point at the loopback address (DNS rebinding) sends its own name as the host.
    """
    known = frozenset(host.lower() for host in hosts)

    @lru_cache(maxsize=64)
    def is_known(value: bytes) -> bool:
        return _host_name(value.decode("latin-1")) in known

    def fault(scope: Scope) -> TurnoutError | None:
        named = [value for name, value in scope["headers"] if name == b"host"]
        if len(named) == 1 and is_known(named[0]):
            return None
        return Forbidden("this host name is not served here", code="unknown_host")

    return Door(app, fault, codec=codec)


def _host_name(value: str) -> str:
    """The name in a Host header (RFC 9110 7.2), without its port and the brackets of IPv6."""
    if value.startswith("["):
        return value[1:].partition("]")[0].lower()
    return value.partition(":")[0].rstrip(".").lower()


def allow_origins(app: ASGIApp, origins: Iterable[str]) -> ASGIApp:
    """Let pages of these origins call (CORS), `*` for any; without credentials of the browser."""
    return CORSMiddleware(
        app,
        allow_origins=tuple(origins),
        allow_methods=("GET", "POST", "OPTIONS"),
        allow_headers=("*",),
        expose_headers=_EXPOSED,
        max_age=600,
    )
