"""Responses that a store can give back: looked up, deleted, and what they answered (OpenAI Responses)."""

from typing import Any, Final
from urllib.parse import parse_qsl

from turnout.model import Context, Request, as_async
from turnout.model.errors import (
    InvalidRequest,
    MethodNotAllowed,
    NotFound,
    Unsupported,
)
from turnout.wire.codec import Codec
from turnout.wire.numbers import whole

from .asgi import RawHeaders
from .asking import asked
from .exchange import Exchange
from .failure import Visit, send_whole
from .incoming import source_of
from .routes import Row
from .settings import Settings

_JSON: Final[RawHeaders] = [(b"content-type", b"application/json")]
_EVENTS: Final[RawHeaders] = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]
_ROW: Final = Row(path="/responses/", verb="response", methods=("GET", "DELETE"), protocol="openai-responses")
_OTHERS: Final = frozenset({"compact", "input_tokens"})
"""Paths of the protocol that are no responses, and not built."""


class Retrieval:
    """Answers calls about kept responses; nothing is served without a store that gives them back."""

    def __init__(self, settings: Settings) -> None:
        store: Any = settings.store
        self._settings = settings
        self._store = store if all(callable(getattr(store, name, None)) for name in _FACE) else None

    @property
    def rows(self) -> tuple[Row, ...]:
        """The paths that are served."""
        return () if self._store is None else (_ROW,)

    async def answer(self, exchange: Exchange, codec: Codec, name: str, visit: Visit) -> None:
        """Answer a call about the response that `name` begins with.

        Raises:
            TurnoutError: there is no such response, or it cannot be told.
        """
        response_id, _, of_it = name.partition("/")
        if of_it not in ("", "input_items") or response_id in _OTHERS:
            raise NotFound("there is nothing at this path")
        methods = {"GET"} if of_it else {"GET", "DELETE"}
        method = exchange.scope["method"]
        if method not in methods:
            allow = ", ".join(sorted(methods, reverse=True))
            visit.headers.append((b"allow", allow.encode()))
            raise MethodNotAllowed(f"this path takes {allow}")
        query = dict(parse_qsl(exchange.scope.get("query_string", b"").decode("latin-1")))
        call = source_of(exchange.scope, codec.protocol, b"")
        caller = await self._settings.identified(Request(source=call, context=visit.context))
        context = caller.context
        kind = _JSON
        if of_it:
            data = await self._input_items(response_id, query, context)
        elif method == "DELETE":
            data = await self._delete(response_id, context)
        else:
            streams = _is_true(query, "stream")
            kind = _EVENTS if streams else _JSON
            data = await self._get(response_id, query, context, codec, streams=streams)
        await send_whole(exchange, 200, [*kind, *visit.headers], data)

    async def _get(
        self, response_id: str, query: dict[str, str], context: Context, codec: Any, *, streams: bool
    ) -> bytes:
        if "starting_after" in query:
            # The numbers of a stream that made a response are not those of one that tells it again.
            raise Unsupported("starting_after")
        stored = await self._asked("get", response_id, context)
        return codec.stream_stored(stored) if streams else codec.encode_stored(stored)

    async def _delete(self, response_id: str, context: Context) -> bytes:
        from turnout.wire.responses import deleted

        await self._asked("delete", response_id, context)
        return deleted(response_id)

    async def _input_items(self, response_id: str, query: dict[str, str], context: Context) -> bytes:
        from turnout.wire.responses import input_items, page

        limit = whole(query.get("limit", "20"))
        if limit is None:
            raise InvalidRequest("limit is a number", param="limit")
        messages = await self._asked("items", response_id, context)
        return page(
            input_items(response_id, tuple(messages)),
            limit=limit,
            order=query.get("order", "desc"),
            after=query.get("after"),
        )

    async def _asked(self, verb: str, response_id: str, context: Context) -> Any:
        return await asked(as_async(getattr(self._store, verb))(response_id, context))


def _is_true(query: dict[str, str], name: str) -> bool:
    """Whether a query says yes to something.

    Raises:
        InvalidRequest: it says neither yes nor no.
    """
    said = query.get(name, "false").lower()
    if said not in ("true", "false"):
        raise InvalidRequest(f"{name} is true or false", param=name)
    return said == "true"


_FACE: Final = ("get", "items", "delete")
