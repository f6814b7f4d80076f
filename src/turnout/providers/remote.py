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
from typing import Any, cast

import msgspec

from turnout.model import (
    Answer,
    Event,
    ModelInfo,
    ProtocolName,
    Reply,
    Request,
    estimate_tokens,
)
from turnout.model.errors import Misconfigured, ProviderError
from turnout.model.headers import Headers
from turnout.wire.codec import Codec, Dialect, counted
from turnout.wire.codec import codec as codec_of

from .adapt import Fitter
from .address import address_of
from .auth import Hook, Scheme, Secret
from .calls import Call, Calls
from .credentials import Credentials
from .crossing import ClientHeaders, Crossing
from .encoding import IDENTITY, Inflater
from .failure import ERROR_BYTES
from .known import completed
from .relay import plain_text, read_all
from .replies import Replies
from .retries import Backoff, asked_pause, may_repeat
from .transport import Transport

PAGES = 100
"""Most pages of a list of models that are read."""


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
        codec = self._codec = _codec(protocol)
        row = _dialect(codec, dialect, options)
        address = self._address = address_of(protocol, base_url, path=path, root=root, query=query)
        keys = self._credentials = Credentials(api_key, auth, headers or {})
        crossing = ClientHeaders(forward_headers, own=keys.names)
        fitter = Fitter(tool_id_pattern, tool_name_pattern)
        self._calls = Calls(
            codec, row, address, keys, crossing, fitter, model=model, repair=repair, strict=strict_parameters
        )
        self._replies = Replies(codec, row, keys.redactor, patient=retries > 0)
        self._retries = max(0, retries)
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
        return await self._made(self._calls.call(request))

    async def count(self, request: Request) -> Reply:
        """Count the input tokens of a request: the provider's own answer, which as an `Answer` is all usage.

        Where the protocol cannot count, the usage is an estimate and says so. Raises as a call does.
        """
        if not self._codec.counts:
            return Reply.of(counted(estimate_tokens(request.body), estimated=True))
        return await self._made(self._calls.call(request, counting=True))

    async def forward(self, path: str, request: Request) -> Reply:
        """Pass on a call beside the protocol's own, to `path` below the base URL, as it came (`/audio/speech`).

        Raises:
            ProviderError: there was no answer at all.
            Unauthenticated: the caller's own credentials are asked for, and it sent none.
        """
        return await self._made(self._calls.forwarded(path, request))

    def _made(self, call: Call) -> Awaitable[Reply]:
        return self._attempt(call) if self._retries == 0 else self._attempts(call)

    def _wire(self) -> Transport:
        if self._transport is None:
            from .http import HttpTransport  # aiohttp is imported by the first call

            self._transport = HttpTransport(**self._wiring)
        return self._transport

    # ---- the way back -----------------------------------------------------------------------------------------

    async def _attempts(self, call: Call) -> Reply:
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

    async def _attempt(self, call: Call) -> Reply:
        headers = call.headers
        if self._credentials.signs:  # each try anew: a signature has a time, and may count but once
            headers = await self._credentials.signed("POST", call.url, headers, call.body)
        response = await self._wire().send("POST", call.url, headers, call.body)
        try:
            return await self._replies.reply(call, response)
        except BaseException:
            response.close()
            raise

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
        url, headers = self._calls.lookup(url, query)
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
