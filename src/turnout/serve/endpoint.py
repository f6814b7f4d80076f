"""The one endpoint of all protocols: bytes in, the step that the catalog names, its reply out.

Strategy: nothing here knows a wire format; the codec's verbs do. The body is read under limits and only peeked at;
a request that is passed on is never decoded. All trouble ends in one place, which shows the client what it may see
and tells the application's hook.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from turnout.agents import adapt, checked, is_agent
from turnout.model import (
    Answer,
    Catalog,
    Context,
    Headers,
    IdempotencyKey,
    Info,
    Limits,
    Reply,
    Request,
    Source,
    Step,
    Text,
    V,
    as_async,
    estimate_tokens,
)
from turnout.model.errors import (
    BadOutput,
    CatalogFailed,
    TooLarge,
    TurnoutError,
    UnsupportedMediaType,
)
from turnout.wire.codec import Codec, Seed

from .admission import Admission
from .asgi import RawHeaders, inner_path
from .exchange import Exchange
from .failure import OnError, Visit, send_whole, settle
from .models import Counted
from .names import new_id
from .outlet import Pace
from .write import relay, write


class Settings(V, frozen=True, kw_only=True):
    """What all endpoints of a server share; times in seconds, `now` in Unix seconds.

    `read_s`: the longest silence while a body is read. `assets`: gives what file handles stand for.
    `new_id` names requests and answers.
    """

    limits: Limits = Limits()
    assets: Callable[..., Any] | None = None
    on_error: OnError | None = None
    keepalive_s: float = 15.0
    read_s: float = 60.0
    hold_s: float = 1.0
    new_id: Callable[[], str] = new_id
    now: Callable[[], float] = time.time

    @property
    def pace(self) -> Pace:
        """How streams behave while nothing comes."""
        return Pace(keepalive_s=self.keepalive_s, hold_s=self.hold_s)


class Endpoint:
    """Answers requests to models, in whichever protocol `codec` speaks."""

    __slots__ = ("_admission", "_catalog", "_limit", "_pace", "_settings")

    def __init__(self, catalog: Catalog, settings: Settings) -> None:
        self._catalog = catalog
        self._settings = settings
        self._admission = Admission(settings.limits, settings.assets)
        self._limit = settings.limits.request_bytes
        self._pace = settings.pace

    async def answer(self, exchange: Exchange, codec: Codec) -> None:
        """Serve one request; never raises for what went wrong in it."""
        visit = self._visit(exchange, codec)
        await settle(self._serve(exchange, codec, visit), exchange, codec, visit, self._settings.on_error)

    async def count(self, exchange: Exchange, codec: Codec) -> None:
        """Serve one call that counts the tokens of a request; never raises for what went wrong in it."""
        visit = self._visit(exchange, codec)
        await settle(self._count(exchange, codec, visit), exchange, codec, visit, self._settings.on_error)

    def _visit(self, exchange: Exchange, codec: Codec) -> Visit:
        scope = cast("dict[str, Any]", exchange.scope)
        return Visit(Context(scope=scope, request_id=self._settings.new_id()), codec)

    async def _serve(self, exchange: Exchange, codec: Codec, visit: Visit) -> Exception | None:
        """The straight way; returns the failure that the client has been told of after the status."""
        visit.about = request = await self._request(exchange, codec, cast("Context", visit.about))
        step, info = await load(self._catalog, request.model, request.context)
        request, ignored = await self._admission.admit(info, request)
        visit.about = request
        visit.reply = reply = as_reply(await step(request))
        reply.dropped += ignored
        seed = Seed(
            id=request.context.request_id,
            created=int(self._settings.now()),
            model=request.model,
            reasoning=info.reasoning,
            request=request,
        )
        failure = await write(reply, exchange, codec, request, seed, headers=visit.headers, pace=self._pace)
        if failure is None:
            await reply.delivered()
        return failure

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
        raw: RawHeaders = scope["headers"]
        said = dict(raw)
        check_form(said, self._limit)
        body = await exchange.read(self._limit)
        key = said.get(b"idempotency-key")
        if key:
            context = context.with_(IdempotencyKey(value=key.decode("latin-1")))
        source = Source(
            protocol=codec.protocol,
            body=body,
            headers=Headers.lower(raw),
            path=inner_path(scope),
            query=scope.get("query_string", b"").decode("latin-1"),
        )
        model, stream = codec.peek(source)
        return Request(
            model=model,
            stream=stream,
            source=source,
            context=context,
            decode=partial(codec.decode_request, source),
        )


async def load(catalog: Catalog, name: str, context: Context) -> tuple[Step, Info]:
    """What answers to `name`, and what is told of it.

    Raises:
        TurnoutError: nothing does, or the catalog failed.
    """
    try:
        step, info = await catalog.load(name, context)
        return step if info.unlimited or isinstance(step, Counted) else as_agent(step), info
    except TurnoutError:
        raise
    except Exception as error:
        raise CatalogFailed("turnout: the catalog failed") from error


def as_agent(agent: Any) -> Step:
    """What an application's catalog gave, as a step whose answers are held to what they may be.

    Raises:
        TypeError: it is no agent.
    """
    if is_agent(agent):
        return adapt(agent)
    step = as_async(adapt(agent))

    async def answer(request: Request) -> Reply:
        return checked(as_reply(await step(request)), request)

    return answer


def check_form(said: dict[bytes, bytes], limit: int) -> None:
    """Refuse a body by its headers, before it is read.

    Raises:
        UnsupportedMediaType: it is not JSON, or it is compressed. A page of another origin can post without a
            preflight only what is not JSON, so this also keeps browsers' forms out.
        TooLarge: it says that it has more than `limit` bytes.
    """
    kind = said.get(b"content-type", b"")
    if kind != b"application/json":
        kind = kind.split(b";", 1)[0].strip().lower()
        if kind != b"application/json" and not (kind.startswith(b"application/") and kind.endswith(b"+json")):
            raise UnsupportedMediaType("the content type must be application/json", param="content-type")
    coding = said.get(b"content-encoding")
    if coding is not None and coding.strip().lower() != b"identity":
        raise UnsupportedMediaType(
            f"content-encoding {_word(coding)} is not accepted; send the body uncompressed",
            param="content-encoding",
        )
    length = said.get(b"content-length", b"")
    if length.isdigit() and int(length) > limit:
        raise TooLarge(f"the request's body is over the limit of {limit} bytes")


def _word(value: bytes) -> str:
    """A header's value as it may be repeated in an error: short, letters and digits only."""
    text = value[:20].decode("ascii", "replace")
    return "".join(letter for letter in text if letter.isalnum() or letter in "-,") or "?"


def as_reply(answered: Any) -> Reply:
    """What a step may answer with, as a reply: a `Reply`, an `Answer`, or text.

    Raises:
        BadOutput: it is none of these.
    """
    if isinstance(answered, Reply):
        return answered
    if isinstance(answered, Answer):
        return Reply.of(answered)
    if isinstance(answered, str):
        return Reply.of(Answer(parts=(Text(text=answered),), stop="end"))
    raise BadOutput(f"turnout: a step answers with a Reply, an Answer or text, not {type(answered).__name__}")
