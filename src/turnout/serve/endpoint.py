"""The one endpoint of all protocols: bytes in, the step that the catalog names, its reply out.

Strategy: nothing here knows a wire format; the codec's verbs do. The body is read under limits and only peeked at;
a request that is passed on is never decoded. All trouble ends in one place, which shows the client what it may see
and tells the application's hook.
"""

from functools import partial

from turnout.model import (
    Catalog,
    Context,
    IdempotencyKey,
    Request,
    as_async,
    estimate_tokens,
)
from turnout.wire.codec import Codec

from .answering import Answering
from .exchange import Exchange
from .failure import Visit, send_whole, settle
from .incoming import check_form, source_of
from .settings import Settings
from .steps import as_reply, load
from .write import relay, write


class Endpoint:
    """Answers requests to models, in whichever protocol `codec` speaks."""

    __slots__ = ("_answering", "_catalog", "_limit", "_pace", "_settings")

    def __init__(self, catalog: Catalog, settings: Settings, answering: Answering) -> None:
        self._catalog = catalog
        self._settings = settings
        self._answering = answering
        self._limit = settings.limits.request_bytes
        self._pace = settings.pace

    async def answer(self, exchange: Exchange, codec: Codec) -> None:
        """Serve one request; never raises for what went wrong in it."""
        visit = self._settings.visit(exchange.scope, codec)
        await settle(self._serve(exchange, codec, visit), exchange, codec, visit, self._settings.on_error)

    async def count(self, exchange: Exchange, codec: Codec) -> None:
        """Serve one call that counts the tokens of a request; never raises for what went wrong in it."""
        visit = self._settings.visit(exchange.scope, codec)
        await settle(self._count(exchange, codec, visit), exchange, codec, visit, self._settings.on_error)

    async def _serve(self, exchange: Exchange, codec: Codec, visit: Visit) -> Exception | None:
        """The straight way; returns the failure that the client has been told of after the status."""
        visit.about = request = await self._request(exchange, codec, visit.context)
        request, step, info, ignored = await self._answering.admit(request)
        visit.about = request
        visit.reply, seed = await self._answering.answer(request, step, info, codec)
        reply = visit.reply
        reply.dropped += ignored
        failure = await write(reply, exchange, codec, request, seed, headers=visit.headers, pace=self._pace)
        if failure is None:
            await reply.delivered()
        return failure

    async def _count(self, exchange: Exchange, codec: Codec, visit: Visit) -> Exception | None:
        """Ask what counts for the model: its step's own `count`, which answers with usage; else an estimate."""
        visit.about = request = await self._request(exchange, codec, visit.context)
        step, _ = await load(self._catalog, request.model, request.context)
        counts = getattr(step, "count", None)
        headers, tokens = visit.headers, None
        if counts is not None:
            visit.reply = reply = as_reply(await as_async(counts)(request))
            if reply.relay is not None and reply.protocol == codec.protocol:
                return await relay(reply, exchange, codec, headers=headers, pace=self._pace)
            usage = (await reply.answer()).usage
            tokens = None if usage.estimated else usage.total_input
        if tokens is None:
            tokens = estimate_tokens(request.body)
            headers = [*headers, (b"x-turnout-estimated", b"input_tokens")]
        data = codec.encode_count(tokens)
        await send_whole(exchange, 200, [(b"content-type", b"application/json"), *headers], data)
        return None

    async def _request(self, exchange: Exchange, codec: Codec, context: Context) -> Request:
        """The request, peeked at.

        Raises:
            TurnoutError: what is sent is not a request of this protocol within the limits.
            DeliveryError: the client left.
        """
        scope = exchange.scope
        said: dict[bytes, bytes] = dict(scope["headers"])
        check_form(said, self._limit)
        body = await exchange.read(self._limit)
        key = said.get(b"idempotency-key")
        if key:
            context = context.with_(IdempotencyKey(value=key.decode("latin-1")))
        source = source_of(scope, codec.protocol, body)
        model, stream = codec.peek(source)
        return Request.of_source(source, model, stream, context, partial(codec.decode_request, source))
