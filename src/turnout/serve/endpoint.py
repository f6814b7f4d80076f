"""The one endpoint of all protocols: bytes in, the step that the catalog names, its reply out.

Strategy: nothing here knows a wire format; the codec's verbs do. The body is read under limits and only peeked at;
a request that is passed on is never decoded. All trouble ends in one place, which shows the client what it may see
and tells the application's hook.
"""

from functools import partial
from typing import cast

from turnout.model import (
    Catalog,
    Context,
    IdempotencyKey,
    Info,
    Request,
    as_async,
    estimate_tokens,
)
from turnout.wire.codec import Codec, Seed

from .admission import Admission
from .asgi import RawHeaders
from .exchange import Exchange
from .failure import Visit, send_whole, settle
from .incoming import check_form, source_of
from .lifecycle import Lifecycle, refuse_storing
from .settings import Settings
from .steps import as_reply, load
from .write import relay, write


class Endpoint:
    """Answers requests to models, in whichever protocol `codec` speaks."""

    __slots__ = ("_admission", "_catalog", "_lifecycle", "_limit", "_pace", "_settings")

    def __init__(self, catalog: Catalog, settings: Settings) -> None:
        self._catalog = catalog
        self._settings = settings
        self._admission = Admission(settings.limits, settings.assets)
        self._lifecycle = None if settings.store is None else Lifecycle(settings)
        self._limit = settings.limits.request_bytes
        self._pace = settings.pace

    async def aclose(self) -> None:
        """End what runs on without a client."""
        if self._lifecycle is not None:
            await self._lifecycle.aclose()

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
        visit.about = request = await self._request(exchange, codec, cast("Context", visit.about))
        step, info = await load(self._catalog, request.model, request.context)
        request, ignored = await self._admission.admit(info, request)
        visit.about = request
        if self._lifecycle is not None:
            visit.reply, seed = await self._lifecycle.answer(request, step, info, codec)
        else:
            if not info.unlimited:
                refuse_storing(request)
            visit.reply = as_reply(await step(request))
            seed = self._seed(request, info)
        reply = visit.reply
        reply.dropped += ignored
        failure = await write(reply, exchange, codec, request, seed, headers=visit.headers, pace=self._pace)
        if failure is None:
            await reply.delivered()
        return failure

    def _seed(self, request: Request, info: Info) -> Seed:
        return Seed(
            id=request.context.request_id,
            created=int(self._settings.now()),
            model=request.model,
            reasoning=info.reasoning,
            request=request,
        )

    async def _count(self, exchange: Exchange, codec: Codec, visit: Visit) -> Exception | None:
        """Ask what counts for the model: its step's own `count`, which answers with usage; else an estimate."""
        visit.about = request = await self._request(exchange, codec, cast("Context", visit.about))
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
        said = dict(cast("RawHeaders", scope["headers"]))
        check_form(said, self._limit)
        body = await exchange.read(self._limit)
        key = said.get(b"idempotency-key")
        if key:
            context = context.with_(IdempotencyKey(value=key.decode("latin-1")))
        source = source_of(scope, codec.protocol, body)
        model, stream = codec.peek(source)
        return Request(
            model=model,
            stream=stream,
            source=source,
            context=context,
            decode=partial(codec.decode_request, source),
        )
