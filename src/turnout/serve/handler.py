"""A bare ASGI handler over one control plane, for who has a server and a router already."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from turnout.model import Context, Info, ProtocolName, Reply, Request, as_async
from turnout.model.errors import MethodNotAllowed
from turnout.wire.codec import Codec
from turnout.wire.codec import codec as built_codec

from .answering import Answering
from .asgi import Receive, Scope, Send
from .detached import Runs
from .endpoint import Endpoint
from .exchange import Exchange
from .failure import settle
from .grace import Grace
from .settings import Settings


class Handler:
    """An ASGI app that answers every POST it gets with one step, in one protocol; routing is the host's."""

    def __init__(self, step: Callable[[Request], Awaitable[Any]], codec: Codec, settings: Settings) -> None:
        self._codec = codec
        self._settings = settings
        only = _Only(step)
        self._endpoint = Endpoint(only, settings, Answering(only, settings, Runs()))
        self._grace = Grace()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI app."""
        if scope["type"] != "http":
            raise RuntimeError(f"this handler serves http, not {scope['type']}")
        exchange = Exchange(scope, receive, send, self._grace, self._settings.read_s)
        if scope["method"] == "POST":
            await self._endpoint.answer(exchange, self._codec)
            return
        visit = self._settings.visit(scope, self._codec)
        visit.headers.append((b"allow", b"POST"))
        await settle(_refused(), exchange, self._codec, visit, None)


async def _refused() -> None:
    raise MethodNotAllowed("this path takes POST")


class _Only:
    """A catalog in which one step answers to every name."""

    def __init__(self, step: Callable[[Request], Awaitable[Reply]]) -> None:
        self._loaded = (step, Info(unlimited=True))

    async def list(self, context: Context) -> Mapping[str, Info]:
        return {}

    async def load(self, target: str, context: Context) -> tuple[Callable[[Request], Awaitable[Reply]], Info]:
        return self._loaded


def chat_completions(
    plane: Any, *, protocol: ProtocolName = "openai-chat", codec: Codec | None = None, **settings: Any
) -> Handler:
    """The handler of `POST /v1/chat/completions` over `plane`, where the host mounts it.

    `plane` is a control plane or any step, sync or async. `settings` are those of `Server`: `limits`, `on_error`,
    `keepalive_s`, `read_s`. 400 for a body that is not a chat completions request, 413 for one that is too large,
    502 when the plane fails, with nothing of its error; `on_error` is told.

    Raises:
        TypeError: `plane` cannot be called.
    """
    return Handler(as_async(plane, "process"), codec or built_codec(protocol), Settings(**settings))
