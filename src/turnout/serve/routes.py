"""Which path speaks which protocol; a later protocol adds its rows.

Strategy: paths are exact, inside the mount, with and without `/v1` in front. Only a model's name may follow
`/models/`, slashes and colons in it included; behind it may stand what is asked of it, as `:generateContent`. What
stands before `/models/` then does not matter (Vertex AI puts project and place there).
"""

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from turnout.model import ProtocolName, V
from turnout.wire.codec import Codec

from .asgi import Scope, inner_path

Verb: TypeAlias = Literal[
    "answer", "count", "models", "model", "healthz", "readyz", "transcribe", "speak", "response"
]

DEFAULT_PROTOCOL: ProtocolName = "openai-chat"
"""In whose shape errors are told where nothing says which protocol a client speaks."""


class Row(V, frozen=True, kw_only=True):
    """A path and what is done there; a `path` that ends in `/` is followed by a name, one that begins with `:` follows
    a model's name.

    Without a `protocol` it is the client's own, see `spoken`.
    """

    path: str
    verb: Verb
    methods: tuple[str, ...]
    protocol: ProtocolName | None = None
    versioned: bool = True


ROWS: tuple[Row, ...] = (
    Row(path="/chat/completions", verb="answer", methods=("POST",), protocol="openai-chat"),
    Row(path="/responses", verb="answer", methods=("POST",), protocol="openai-responses"),
    Row(path="/messages", verb="answer", methods=("POST",), protocol="anthropic-messages"),
    Row(path="/messages/count_tokens", verb="count", methods=("POST",), protocol="anthropic-messages"),
    Row(path=":generateContent", verb="answer", methods=("POST",), protocol="gemini"),
    Row(path=":streamGenerateContent", verb="answer", methods=("POST",), protocol="gemini"),
    Row(path=":countTokens", verb="count", methods=("POST",), protocol="gemini"),
    Row(path="/models", verb="models", methods=("GET", "HEAD")),
    Row(path="/models/", verb="model", methods=("GET", "HEAD")),
    Row(path="/healthz", verb="healthz", methods=("GET", "HEAD"), versioned=False),
    Row(path="/readyz", verb="readyz", methods=("GET", "HEAD"), versioned=False),
)


_STARTS: tuple[tuple[str, ProtocolName], ...] = (
    ("/chat", "openai-chat"),
    ("/messages", "anthropic-messages"),
    ("/responses", "openai-responses"),
)
_SIGNS: dict[bytes, ProtocolName] = {b"anthropic-version": "anthropic-messages", b"x-goog-api-key": "gemini"}
_CALL = re.compile(r"/models/.+(:[A-Za-z]+)\Z")
_METHODS: dict[str, ProtocolName] = {
    row.path: row.protocol for row in ROWS if row.path[0] == ":" and row.protocol
}
_BETA = "/v1beta"


def spoken(scope: Scope) -> ProtocolName:
    """The protocol that a client speaks: by the path that it calls, else by a header that only its clients send."""
    path = inner_path(scope)
    if path.startswith(_BETA + "/"):
        return "gemini"
    called = _CALL.search(path)
    if called is not None and called[1] in _METHODS:
        return _METHODS[called[1]]
    path = path[3:] if path.startswith("/v1/") else path
    for start, protocol in _STARTS:
        if path == start or path.startswith(start + "/"):
            return protocol
    for name, _ in scope["headers"]:
        protocol = _SIGNS.get(name)
        if protocol is not None:
            return protocol
    return DEFAULT_PROTOCOL


def with_open_responses(codec: Callable[[ProtocolName], Codec]) -> Callable[[ProtocolName], Codec]:
    """The same codecs, but Responses in the shape of Open Responses."""

    def find(protocol: ProtocolName) -> Codec:
        from turnout.wire.responses import OPEN_CODEC

        return OPEN_CODEC if protocol == "openai-responses" else codec(protocol)

    return find


class Route:
    """A row with its codec, `None` where that is the client's own."""

    __slots__ = ("allow", "codec", "methods", "verb")

    def __init__(self, row: Row, codec: Codec | None) -> None:
        self.verb: Verb = row.verb
        self.methods = frozenset(row.methods)
        self.allow = ", ".join(row.methods).encode()
        self.codec = codec


class Table:
    """All routes of a server."""

    def __init__(self, rows: tuple[Row, ...], codec: Callable[[ProtocolName], Codec]) -> None:
        self._exact: dict[str, Route] = {}
        self._methods: dict[str, Route] = {}
        self._named: list[tuple[str, Route]] = []
        self._codec = codec
        for row in rows:
            route = Route(row, codec(row.protocol) if row.protocol is not None else None)
            for prefix in _prefixes(row):
                if row.path.startswith(":"):
                    self._methods[row.path] = route
                elif row.path.endswith("/"):
                    self._named.append((prefix + row.path, route))
                else:
                    self._exact[prefix + row.path] = route

    def codec_for(self, scope: Scope) -> Codec:
        """The codec of the protocol that a client speaks."""
        return self._codec(spoken(scope))

    def find(self, path: str) -> tuple[Route, str] | None:
        """The route of `path` and the name that follows it, `""` for an exact path; `None` where nothing is."""
        route = self._exact.get(path)
        if route is not None:
            return route, ""
        called = _CALL.search(path) if ":" in path else None
        if called is not None and called[1] in self._methods:
            return self._methods[called[1]], ""
        for start, named in self._named:
            if path.startswith(start) and len(path) > len(start):
                return named, path[len(start) :]
        return None


def _prefixes(row: Row) -> tuple[str, ...]:
    """What may stand before a path: the version, and that of the clients that are told by their headers."""
    if not row.versioned:
        return ("",)
    return ("", "/v1", _BETA) if row.protocol is None else ("", "/v1")
