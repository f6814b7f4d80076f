"""Which headers and query parameters cross between a client and a provider.

Strategy: a call to a provider is built from nothing: the provider's own headers, and those of the client's that are
named here or by the operator. Of an answer everything crosses but what belongs to one connection, to the
upstream's site as a whole, or to the transport's reading (RFC 9110 section 7.6.1).
"""

import re
from collections.abc import Iterable

from turnout.model import Headers, Source
from turnout.model.errors import Misconfigured

from .transport import RawHeaders

_SAME_PROTOCOL = frozenset(
    {
        b"accept",
        b"accept-encoding",
        b"anthropic-beta",
        b"anthropic-version",
        b"idempotency-key",
        b"openai-beta",
        b"user-agent",
    }
)

HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
"""Headers that belong to one connection (RFC 9110 section 7.6.1, RFC 2616 section 13.5.1)."""

_NEVER_SENT = HOP_BY_HOP | {
    b"api-key",
    b"authorization",
    b"content-encoding",
    b"content-length",
    b"content-type",
    b"cookie",
    b"cookie2",
    b"expect",
    b"host",
    b"x-api-key",
    b"x-goog-api-key",
}

_NEVER_SHOWN = HOP_BY_HOP | {
    b"access-control-allow-credentials",
    b"access-control-allow-headers",
    b"access-control-allow-methods",
    b"access-control-allow-origin",
    b"access-control-expose-headers",
    b"access-control-max-age",
    b"alt-svc",
    b"clear-site-data",
    b"content-length",
    b"date",
    b"location",
    b"server",
    b"set-cookie",
    b"set-cookie2",
    b"strict-transport-security",
    b"x-accel-charset",
    b"x-accel-expires",
    b"x-accel-limit-rate",
    b"x-accel-redirect",
    b"x-sendfile",
}

_CREDENTIALS = frozenset({"key", "api_key", "api-key", "access_token", "token"})


def _listed(value: bytes) -> set[bytes]:
    return {name.strip().lower() for name in value.split(b",")}


_HARMLESS = frozenset({b"keep-alive", b"close", b"Keep-Alive", b"Close", b""})


class ClientHeaders:
    """Picks the client's headers that cross to a provider; `patterns` are further names, `*` stands for anything;
    `own` are headers that the provider sets itself, which win.

    Raises:
        Misconfigured: a pattern asks for a header that never crosses.
    """

    __slots__ = ("_exact", "_never", "_own_protocol", "_pattern")

    def __init__(self, patterns: Iterable[str] = (), own: Iterable[str] = ()) -> None:
        self._never = _NEVER_SENT | {name.lower().encode("latin-1") for name in own}
        exact: set[bytes] = set()
        loose: list[bytes] = []
        for text in patterns:
            name = text.strip().lower().encode("latin-1", "replace")
            if name in _NEVER_SENT:
                raise Misconfigured(f"forward_headers: {text} never crosses")
            if b"*" in name:
                loose.append(b".*".join(re.escape(piece) for piece in name.split(b"*")))
            else:
                exact.add(name)
        self._exact = frozenset(exact | {b"connection"})  # which may name others that do not cross
        self._own_protocol = self._exact | _SAME_PROTOCOL
        self._pattern = re.compile(b"|".join(loose)) if loose else None

    def pick(self, source: Source, *, same_protocol: bool, raw_answer: bool) -> list[tuple[str, str]]:
        """The headers that cross.

        `same_protocol`: with those of the protocol; `raw_answer`: the answer's bytes go to the client as they
        are, so that its `accept-encoding` counts.
        """
        looked_at = self._own_protocol if same_protocol else self._exact
        pattern = self._pattern
        named: set[bytes] | None = None
        picked: list[tuple[str, str]] = []
        for name, value in source.headers.raw:
            if name not in looked_at and (pattern is None or not pattern.fullmatch(name)):
                continue
            if name == b"connection":
                if value not in _HARMLESS:
                    named = _listed(value) if named is None else named | _listed(value)
            elif name not in self._never and (raw_answer or name != b"accept-encoding"):
                try:
                    picked.append((name.decode("ascii"), value.decode()))
                except UnicodeDecodeError:
                    continue  # not text that can be sent again as it came
        if named is not None:
            picked = [pair for pair in picked if pair[0].encode() not in named]
        return picked


class Crossing:
    """The headers of an upstream's answer that a client may see, and two of them that are read here."""

    __slots__ = ("coding", "headers", "kind")

    def __init__(self, raw: RawHeaders) -> None:
        kept: list[tuple[bytes, bytes]] = []
        named: set[bytes] | None = None
        kind = coding = b""
        for name, value in raw:
            key = name.lower()
            if key not in _NEVER_SHOWN:
                kept.append((key, value))
                if key == b"content-type":
                    kind = value
                elif key == b"content-encoding":
                    coding = value
            elif key == b"connection" and value not in _HARMLESS:
                named = _listed(value) if named is None else named | _listed(value)
        if named is not None:
            kept = [pair for pair in kept if pair[0] not in named]
        self.headers = Headers.lower(kept)
        self.kind = kind.strip().lower()
        self.coding = coding.strip().lower().decode("latin-1")


def without(headers: Headers, *names: str) -> Headers:
    """`headers` without those of `names`."""
    gone = {name.encode() for name in names}
    return Headers(pair for pair in headers.raw if pair[0] not in gone)


def client_query(query: str, own: str) -> str:
    """The provider's own query, and the client's after it: without credentials, and without what `own` says."""
    if not query:
        return own
    taken = {pair.partition("=")[0].lower() for pair in own.split("&")} | _CREDENTIALS
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0].lower() not in taken]
    return "&".join(([own] if own else []) + kept)
