"""One provider of models: any codec, any transport.

Strategy: a request is passed on in the first lane that its changes allow (`turnout.model.lane`), so that what is
only passed on is never decoded. What comes back is a relay of the upstream's bytes, or events where ids, names or
the form of the answer have to change. All that does not depend on the request is made once, at construction.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any, cast

import msgspec

from turnout.model import (
    Answer,
    Body,
    Decoder,
    Event,
    Lane,
    ModelInfo,
    ProtocolName,
    Reply,
    Request,
    Source,
    estimate_tokens,
    lane,
)
from turnout.model.errors import BrokenStream, Misconfigured, ProviderError, Unsupported
from turnout.model.headers import Headers
from turnout.wire.codec import Codec, CountDecoder, Dialect, counted
from turnout.wire.codec import codec as codec_of

from .adapt import NO_FIT, Fit, Fitter, restored
from .address import STREAMS, address_of
from .auth import Hook, Scheme, Secret
from .credentials import Credentials, Pairs
from .crossing import ClientHeaders, Crossing, client_query, without
from .encoding import IDENTITY, Inflater, Unpacking
from .failure import ERROR_BYTES, made_here, refused
from .known import completed
from .pairing import begins_elsewhere, check_pairs, repaired
from .recast import NO_RECAST, Recast, declared, recast
from .relay import Relay, first_read, plain_text, read_all, until_content
from .retries import Backoff, asked_pause, may_repeat
from .transport import Response, Transport

USER_AGENT = "turnout"
SAMPLING = frozenset(
    {"temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty", "seed", "stop", "logit_bias"}
)
"""Parameters that `strict_parameters` refuses instead of dropping."""

PAGES = 100
"""Most pages of a list of models that are read."""


_USUAL = (("accept", "*/*"), ("accept-encoding", "identity"), ("user-agent", USER_AGENT))
"""Headers of a call that the client does not speak for."""


class _Call:
    """One request, ready to be sent, perhaps more than once."""

    __slots__ = ("body", "counting", "dropped", "fit", "forwarded", "headers", "how", "lane", "recode", "url")

    def __init__(
        self,
        lane: Lane,
        url: str,
        headers: Pairs,
        body: bytes,
        dropped: tuple[str, ...],
        fit: Fit,
        recode: bool,
        counting: bool = False,
        how: Recast = NO_RECAST,
        forwarded: bool = False,
    ) -> None:
        self.lane = lane
        self.how = how
        self.counting = counting
        self.url = url
        self.headers = headers
        self.body = body
        self.dropped = dropped
        self.fit = fit
        self.recode = recode
        self.forwarded = forwarded


class Provider:
    """A provider of models that speaks `protocol` at `base_url`; also an agent (`await provider(request)`).

    `api_key` is sent as `auth` says, `"client"` sends the caller's own credentials; `auth` may be a hook instead,
    or `module:function`. `headers` are sent with each call; `forward_headers` names client headers that may cross
    (`*` stands for anything). `model` is sent instead of the request's. `retries` counts further tries, only while
    nothing of the answer was shown. `repair` reads and writes answers again and completes histories.
    `tool_id_pattern` and `tool_name_pattern` are regular expressions for whole ids and names. Times are in seconds,
    see `HttpTransport`; `transport` replaces it, and is closed with the provider. `sleep`, `clock` (Unix seconds)
    and `chance` (0..1) serve the retries. `options` are those of the protocol's dialect (`version`...).

    Raises:
        Misconfigured: an option cannot work; names it.
    """

    def __init__(
        self,
        name: str,
        protocol: ProtocolName,
        base_url: str,
        *,
        api_key: str | Secret | None = None,
        auth: Scheme | str | Hook = "bearer",
        headers: Mapping[str, str] | None = None,
        forward_headers: Iterable[str] = (),
        model: str = "",
        dialect: str = "",
        root: str = "",
        path: str = "",
        query: str = "",
        retries: int = 0,
        repair: bool = False,
        strict_parameters: bool = False,
        tool_id_pattern: str = "",
        tool_name_pattern: str = "",
        connections: int = 100,
        connect_s: float = 10.0,
        first_byte_s: float = 600.0,
        idle_s: float = 120.0,
        proxy: str | None = None,
        ca_file: str | None = None,
        transport: Transport | None = None,
        backoff: Backoff | None = None,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
        clock: Callable[[], float] = time.time,
        chance: Callable[[], float] = random.random,
        **options: Any,
    ) -> None:
        self.name = name
        self.protocol: ProtocolName = protocol
        self._codec = _codec(protocol)
        self._dialect = _dialect(self._codec, dialect, options)
        self._address = address_of(protocol, base_url, path=path, root=root, query=query)
        self._model = model
        self._retries = max(0, retries)
        self._repair = repair
        self._strict = strict_parameters
        self._fitter = Fitter(tool_id_pattern, tool_name_pattern)
        self._credentials = Credentials(api_key, auth, headers or {})
        self._crossing = ClientHeaders(forward_headers, own=self._credentials.names)
        self._transport = transport
        self._wiring: dict[str, Any] = {
            "connections": connections,
            "connect_s": connect_s,
            "first_byte_s": first_byte_s,
            "idle_s": idle_s,
            "proxy": proxy,
            "ca_file": ca_file,
        }
        self._backoff = backoff or Backoff()
        self._sleep = sleep
        self._clock = clock
        self._chance = chance

    # ---- the way out ------------------------------------------------------------------------------------------

    async def __call__(self, request: Request) -> Reply:
        """Pass a request on.

        An answer with an error status is a reply, as are an empty answer, an error event and a cut before the
        first content.

        Raises:
            ProviderError: there was no answer at all.
            InvalidRequest: the request cannot be sent as it is; `param` names the field.
            Unauthenticated: the caller's own credentials are asked for, and it sent none.
        """
        return await self._made(self._call(request))

    async def count(self, request: Request) -> Reply:
        """Count the input tokens of a request: the provider's own answer, which as an `Answer` is all usage.

        Where the protocol cannot count, the usage is an estimate and says so. Raises as a call does.
        """
        if not self._codec.counts:
            return Reply.of(counted(estimate_tokens(request.body), estimated=True))
        return await self._made(self._call(request, counting=True))

    async def forward(self, path: str, request: Request) -> Reply:
        """Pass on a call beside the protocol's own, to `path` below the base URL, as it came (`/audio/speech`).

        Raises:
            ProviderError: there was no answer at all.
            Unauthenticated: the caller's own credentials are asked for, and it sent none.
        """
        source = request.source
        if source is None:
            raise ValueError("a call that is passed on as it came has a source")
        query = client_query(source.query, self._address.query)
        url = self._address.beside(path)
        headers = self._headers(request, same=True, raw_answer=True, encoded=False)
        kind = source.headers.get("content-type", "")
        headers = [pair for pair in headers if pair[0] != "content-type"] + [("content-type", kind)]
        call = _Call(
            "bytes",
            f"{url}?{query}" if query else url,
            headers,
            source.body,
            (),
            NO_FIT,
            False,
            forwarded=True,
        )
        return await self._made(call)

    async def _made(self, call: _Call) -> Reply:
        if self._credentials.signs:
            call.headers = await self._credentials.signed("POST", call.url, call.headers, call.body)
        if self._retries == 0:
            return await self._attempt(call)
        return await self._attempts(call)

    def _call(self, request: Request, *, counting: bool = False) -> _Call:
        if self._model and request.model != self._model:
            request = request.replace(model=self._model)
        fit, how = NO_FIT, NO_RECAST
        way = lane(request, self.protocol)
        if way == "translate" and request.body.tools:
            request, how = recast(request, self._dialect)
        if self._fitter or self._repair:
            request, fit = self._adapted(request)
            way = lane(request, self.protocol)
        source = request.source
        dropped: tuple[str, ...] = ()
        if way == "bytes":
            body = cast("Source", source).body
        elif way == "splice":
            body, _ = self._codec.splice(cast("Source", source), request.model)
        else:
            body, dropped = self._encoded(request, counting, ask_usage=way == "translate")
            dropped = (*how.dropped, *dropped)
        recode = self._repair or bool(fit) or (bool(how) and not counting)
        same = source is not None and source.protocol == self.protocol
        raw_answer = not recode and (way in {"bytes", "splice"})
        headers = self._headers(request, same, raw_answer, encoded=way in {"rewrite", "translate"})
        query = self._query(request, same, counting)
        url = (
            self._address.count(request.model)
            if counting
            else self._address.call(request.model, request.stream)
        )
        return _Call(
            way, f"{url}?{query}" if query else url, headers, body, dropped, fit, recode, counting, how
        )

    def _query(self, request: Request, same: bool, counting: bool) -> str:
        """The provider's own query, with the client's where it speaks the protocol and asked for the same."""
        own, source = self._address.query, request.source
        asked = same and "stream" not in request.changed
        if request.stream and not counting and not asked:
            own = "&".join(text for text in (own, STREAMS.get(self.protocol, "")) if text)
        return client_query(source.query, own) if same and source is not None else own

    def _adapted(self, request: Request) -> tuple[Request, Fit]:
        source = request.source
        unread = source is not None and not request.decoded and source.protocol == self.protocol
        data = source.body if unread and source is not None else b""
        if self._repair and (not unread or b'"tool' in data):
            request = request.replace(messages=repaired(request.body.messages))
        if self._fitter and (not unread or self._fitter.may_need(data)):
            return self._fitter.fit(request)
        return request, NO_FIT

    def _encoded(self, request: Request, counting: bool, *, ask_usage: bool) -> tuple[bytes, tuple[str, ...]]:
        body, codec = request.body, self._codec
        if not begins_elsewhere(body):
            check_pairs(body.messages)
        if counting:
            data, dropped = codec.encode_count_request(request.model, body, self._dialect)
        else:
            data, dropped = codec.encode_request(
                request.model, request.stream, body, self._dialect, ask_usage
            )
        if self._strict:
            for name in dropped:
                if name in SAMPLING:
                    raise Unsupported(name)
        return data, dropped

    def _headers(self, request: Request, same: bool, raw_answer: bool, *, encoded: bool) -> Pairs:
        source = request.source
        own = self._own_headers(source if same else None, request.model, request.body if encoded else None)
        picked: Pairs = []
        if source is not None:
            picked = self._crossing.pick(source, same_protocol=same, raw_answer=raw_answer)
        callers = self._credentials.of_caller(request, same_protocol=same)
        if not picked:
            return [*self._credentials.static, *own, *_USUAL, *callers]
        taken = {name for name, _ in own}
        picked = [pair for pair in picked if pair[0] not in taken]
        names = {name for name, _ in picked}
        usual = (pair for pair in _USUAL if pair[0] not in names)
        return [*self._credentials.static, *picked, *own, *usual, *callers]

    def _own_headers(self, source: Source | None, model: str, body: Body | None) -> Pairs:
        """The protocol's headers, where the operator does not set them."""
        pairs = self._codec.call_headers(source, model, body, self._dialect)
        return [pair for pair in pairs if pair[0] not in self._credentials.names]

    def _wire(self) -> Transport:
        if self._transport is None:
            from .http import HttpTransport  # aiohttp is imported by the first call

            self._transport = HttpTransport(**self._wiring)
        return self._transport

    # ---- the way back -----------------------------------------------------------------------------------------

    async def _attempts(self, call: _Call) -> Reply:
        attempt = 0
        while True:
            pause: float | None = None
            try:
                reply = await self._attempt(call)
            except ProviderError as error:
                if attempt >= self._retries or not error.retryable:
                    raise
            else:
                if attempt >= self._retries or not self._again(reply):
                    return reply
                pause = asked_pause(reply.headers, self._clock())
                if pause is not None and pause > self._backoff.patience:
                    return reply
                await reply.aclose()
            await self._sleep(self._backoff.pause(attempt, self._chance()) if pause is None else pause)
            attempt += 1

    @staticmethod
    def _again(reply: Reply) -> bool:
        return reply.status >= 400 and may_repeat(reply.status, reply.headers)

    async def _attempt(self, call: _Call) -> Reply:
        response = await self._wire().send("POST", call.url, call.headers, call.body)
        try:
            return await self._reply(call, response)
        except BaseException:
            response.close()
            raise

    async def _reply(self, call: _Call, response: Response) -> Reply:
        shown = Crossing(response.headers)
        if response.status >= 400:
            reply = await refused(self._codec, response, shown.headers, self._credentials.redactor)
            reply.dropped = call.dropped
            return reply
        streamed = shown.kind.startswith(b"text/event-stream")
        coding = shown.coding
        probe = (lambda: self._decoder(True, coding)) if streamed else None
        ahead: Decoder | None = None
        try:
            if not 200 <= response.status < 300:
                raise BrokenStream("the provider answered with a redirect, which is not followed")
            if call.forwarded and not streamed:
                held = [data] if (data := await response.read()) else []
            elif self._retries or call.recode or call.lane == "translate":
                held, ahead = await until_content(response, probe)
            else:
                held = await first_read(response, probe)
        except ProviderError as error:
            response.close()
            reply = made_here(self._codec, error, shown.headers, self._credentials.redactor)
            reply.dropped = call.dropped
            return reply
        if ahead is not None:
            return self._relayed(call, response, shown.headers, held, streamed, lambda: ahead)
        made = partial(self._decoder, streamed, coding, call.counting)
        return self._relayed(call, response, shown.headers, held, streamed, made)

    def _relayed(
        self,
        call: _Call,
        response: Response,
        headers: Headers,
        held: list[bytes],
        streamed: bool,
        decode: Callable[[], Decoder],
    ) -> Reply:
        ended = response.ended
        length = None
        if not streamed:
            length = sum(map(len, held)) if ended else response.length
        if ended:
            response.close()
        reply = Reply.relayed(
            response.status,
            headers,
            Relay(held, None if ended else response),
            self.protocol,
            decode,
            length=length,
            dropped=call.dropped,
        )
        if not call.recode:
            return reply
        batches = reply.batches()
        if call.fit:
            batches = restored(batches, call.fit)
        return Reply.of_batches(
            declared(batches, call.how) if call.how else batches,
            headers=without(headers, "content-type", "content-encoding"),
            dropped=call.dropped,
            close=reply.aclose,
        )

    def _decoder(self, streamed: bool, coding: str, counting: bool = False) -> Decoder:
        codec = self._codec
        if counting:
            decoder: Decoder = CountDecoder(codec.decode_count)
        else:
            decoder = codec.stream_decoder(self._dialect) if streamed else codec.whole_decoder(self._dialect)
        return decoder if coding in IDENTITY else Unpacking(decoder, coding)

    # ---- the typed face ---------------------------------------------------------------------------------------

    async def chat(self, request: Request) -> Answer:
        """The whole answer.

        Raises:
            ProviderError: the provider refused, failed, or gave no answer.
        """
        async with await self(request.replace(stream=False)) as reply:
            return await reply.answer()

    async def stream(self, request: Request) -> AsyncIterator[Event]:
        """The answer as events, the last one `Finish` or `Failed`; ending early lets go of the connection.

        Raises:
            ProviderError: the provider refused or gave no answer, before the first event.
        """
        reply = await self(request.replace(stream=True))
        async with reply, aclosing(cast("Any", reply.events())) as events:
            async for event in events:
                yield event

    async def count_tokens(self, request: Request) -> int:
        """The input tokens of a request; an estimate where the protocol cannot count.

        Raises:
            ProviderError: the provider refused, failed, or gave no answer.
        """
        async with await self.count(request) as reply:
            return (await reply.answer()).usage.total_input or 0

    async def models(self) -> tuple[ModelInfo, ...]:
        """The models that the provider lists, all pages of them; what it does not say is filled in where it is known.

        Raises:
            ProviderError: it refused, gave no answer, or its list cannot be read.
        """
        listed: list[ModelInfo] = []
        page = ""
        for _ in range(PAGES):
            rows, page = self._codec.decode_models(await self._looked_up(self._address.models(), page))
            listed += rows
            if not page:
                break
        return tuple(completed(info) for info in listed)

    async def _looked_up(self, url: str, query: str) -> bytes:
        """The body at `url`, which nothing is sent to."""
        headers = [pair for pair in self._credentials.static if pair[0] != "content-type"]
        headers += self._own_headers(None, "", None)
        headers += [
            ("accept", "application/json"),
            ("accept-encoding", "identity"),
            ("user-agent", USER_AGENT),
        ]
        queries = "&".join(text for text in (self._address.query, query) if text)
        url += f"?{queries}" if queries else ""
        headers = await self._credentials.signed("GET", url, headers, b"")
        response = await self._wire().send("GET", url, headers, b"")
        try:
            pieces, _ = await read_all(response, 16 * ERROR_BYTES)
            data, shown = plain_text(pieces), Crossing(response.headers)
            if shown.coding not in IDENTITY:
                data = Inflater(shown.coding).feed(data)
            if response.status >= 300:
                told = Headers(response.headers)
                raise self._codec.decode_error(response.status, told, self._credentials.redactor.clean(data))
            return data
        finally:
            response.close()

    async def aclose(self) -> None:
        """Close the provider's connections; a later call opens new ones."""
        if self._transport is not None:
            await self._transport.aclose()

    async def __aenter__(self) -> "Provider":
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"Provider({self.name!r}, {self.protocol})"


def _codec(protocol: ProtocolName) -> Codec:
    try:
        return codec_of(protocol)
    except LookupError as error:
        raise Misconfigured(f"protocol: {protocol!r} is not spoken here") from error


def _dialect(codec: Codec, name: str, options: Mapping[str, Any]) -> Any:
    """The row of the protocol's dialects with the operator's options in it.

    Raises:
        Misconfigured: an option is unknown or of the wrong type.
    """
    row: Dialect = codec.dialects.get(name, codec.dialects[""])
    for option in options:
        if option not in row.OPTIONS:
            raise Misconfigured(f"{option}: {codec.protocol} has no such option")
    if not options:
        return row
    try:
        return msgspec.convert({**msgspec.structs.asdict(row), **options}, type(row))
    except msgspec.ValidationError as error:
        raise Misconfigured(f"{codec.protocol}: {error}") from error
