"""What a server that ends tells the requests for which it no longer waits."""

import asyncio

from turnout.model.errors import DeliveryError, TurnoutError
from turnout.wire.codec import Codec
from turnout.wire.codec import codec as built_codec

from .asgi import ASGIApp, Receive, Scope, Send
from .exchange import Exchange
from .failure import send_error
from .routes import DEFAULT_PROTOCOL


class Ending:
    """Answers for requests that the ASGI server cancels: 503 in the protocol's shape where no answer has begun.

    For the outermost place only, in a server that cancels a request's task when it ends and for no other reason:
    the cancellation stops here. An answer that has begun is cut, so it does not look finished. Clients are told not
    to repeat by themselves, since an action may have been under way.
    """

    def __init__(self, app: ASGIApp, codec: Codec | None = None) -> None:
        self._app = app
        self._codec = codec or built_codec(DEFAULT_PROTOCOL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI app."""
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            await self._tell(scope, send)

    async def _tell(self, scope: Scope, send: Send) -> None:
        gone = TurnoutError(
            "turnout: the server is shutting down", status=503, code="shutting_down", may_have_acted=True
        )
        try:
            await send_error(Exchange(scope, None, send), self._codec, gone, [(b"connection", b"close")])
        except (DeliveryError, RuntimeError):  # the client is gone, or the answer had begun
            return
