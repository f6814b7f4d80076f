"""What a call says of itself, before its body is read and after."""

from turnout.model import Headers, ProtocolName, Source
from turnout.model.errors import TooLarge, UnsupportedMediaType
from turnout.wire.numbers import whole

from .asgi import Scope, inner_path

_DIGITS = 18
"""Digits of a length; more are over any limit."""


def check_form(said: dict[bytes, bytes], limit: int) -> None:
    """Refuse a body that is to be JSON by its headers, before it is read.

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
    check_body(said, limit)


def check_body(said: dict[bytes, bytes], limit: int) -> None:
    """Refuse a body of any kind by its headers, before it is read.

    Raises:
        UnsupportedMediaType: it is compressed.
        TooLarge: it says that it has more than `limit` bytes.
    """
    coding = said.get(b"content-encoding")
    if coding is not None and coding.strip().lower() != b"identity":
        word = repeatable(coding[:20].decode("ascii", "replace")) or "?"
        raise UnsupportedMediaType(
            f"content-encoding {word} is not accepted; send the body uncompressed", param="content-encoding"
        )
    length = said.get(b"content-length", b"")
    if length.isdigit():
        size = whole(length, _DIGITS)
        if size is not None and size <= limit:
            return
        raise TooLarge(f"the request's body is over the limit of {limit} bytes")


def repeatable(text: str) -> str:
    """A client's word as it may stand in an error: short, letters, digits and the marks of media types only."""
    return "".join([letter for letter in text[:60] if letter.isalnum() or letter in "-,/+."])


def source_of(scope: Scope, protocol: ProtocolName, body: bytes) -> Source:
    """The call as it came."""
    return Source(
        protocol=protocol,
        body=body,
        headers=Headers.lower(scope["headers"]),
        path=inner_path(scope),
        query=scope.get("query_string", b"").decode("latin-1"),
    )
