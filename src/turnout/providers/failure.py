"""Answers that are errors: an upstream's own, shown as it is but for our keys, and those made here.

Strategy: an error status keeps its status, headers and bytes. Its body is read whole, within a bound, so that a
provider that repeats the key it was given does not hand it to the client.
"""

from collections.abc import Callable

from turnout.model import Headers, Reply
from turnout.model.errors import BrokenStream, ProviderError
from turnout.wire.codec import Codec, ErrorDecoder

from .crossing import without
from .encoding import IDENTITY, Inflater
from .relay import Relay, plain_text, read_all
from .transport import Response

ERROR_BYTES = 1_048_576
_MASK = b"***"
_SHORTEST = 8
_STATUS: dict[str, int] = {
    "auth": 401,
    "content_filter": 400,
    "context_too_long": 400,
    "invalid_request": 400,
    "overloaded": 503,
    "rate_limit": 429,
    "timeout": 504,
}


class Redactor:
    """Takes secrets out of bytes; ones so short that they could be ordinary words stay."""

    __slots__ = ("_secrets",)

    def __init__(self, secrets: tuple[str, ...]) -> None:
        texts = {text.encode() for text in secrets if len(text) >= _SHORTEST}
        self._secrets = sorted(texts, key=len, reverse=True)

    def clean(self, data: bytes) -> bytes:
        """`data` with each secret masked; the very same object when it holds none."""
        for secret in self._secrets:
            if secret in data:
                data = data.replace(secret, _MASK)
        return data

    def __repr__(self) -> str:
        return f"Redactor({len(self._secrets)})"


async def refused(codec: Codec, response: Response, headers: Headers, redactor: Redactor) -> Reply:
    """The reply of an upstream's answer with an error status."""
    status = response.status
    told = Headers(response.headers)  # with the date, from which the date of a pause counts
    try:
        pieces, whole = await read_all(response, ERROR_BYTES)
    except ProviderError as error:
        cut = ProviderError("the provider's error answer was cut", status_code=status)
        cut.__cause__ = error
        return made_here(codec, cut, headers, redactor)
    coding = headers.get("content-encoding", "").strip().lower()
    if not whole:
        relay = Relay(pieces, response)
        return Reply.relayed(
            status,
            headers,
            relay,
            codec.protocol,
            lambda: ErrorDecoder(lambda data: codec.decode_error(status, told, data)),
            length=response.length,
        )
    data = plain_text(pieces)
    plain = data if coding in IDENTITY else _inflated(data, coding)
    clean = redactor.clean(plain)
    if clean is not plain:
        data, headers = clean, without(headers, "content-encoding")
    return _reply(codec, status, headers, data, lambda: codec.decode_error(status, told, clean))


def _inflated(data: bytes, coding: str) -> bytes:
    try:
        inflater = Inflater(coding)
        return inflater.feed(data)
    except BrokenStream:
        return b""  # of a coding that was not asked for: it crosses as it is and cannot be read


def made_here(codec: Codec, error: ProviderError, headers: Headers, redactor: Redactor) -> Reply:
    """The reply of an error that came in place of an answer; without a status of its own its kind gives one."""
    if error.status_code is None and not isinstance(error, BrokenStream):
        error.status = _STATUS.get(error.kind, error.status)
    status, own, data = codec.encode_error(error)
    clean = redactor.clean(data)
    kept = without(headers, "content-type", "content-encoding", *own)
    crossing = Headers((*own.raw, *kept.raw))
    if clean is data:
        return _reply(codec, status, crossing, data, lambda: error)
    return _reply(codec, status, crossing, clean, lambda: codec.decode_error(status, crossing, clean))


def _reply(
    codec: Codec, status: int, headers: Headers, data: bytes, made: Callable[[], ProviderError]
) -> Reply:
    relay = Relay([data] if data else [], None)

    def decode() -> ErrorDecoder:
        return ErrorDecoder(lambda _: made())

    return Reply.relayed(status, headers, relay, codec.protocol, decode, length=len(data))
