"""Which path speaks which protocol; a later protocol adds its rows.

Strategy: paths are exact, inside the mount, with and without `/v1` in front. Only a model's name may follow
`/models/`, slashes in it included.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

from turnout.model import ProtocolName, V
from turnout.wire.codec import Codec

Verb: TypeAlias = Literal["answer", "models", "model", "healthz", "readyz"]

DEFAULT_PROTOCOL: ProtocolName = "openai-chat"
"""In whose shape errors are told where no route says it."""


class Row(V, frozen=True, kw_only=True):
    """A path and what is done there; a `path` that ends in `/` is followed by a name."""

    path: str
    verb: Verb
    methods: tuple[str, ...]
    protocol: ProtocolName = DEFAULT_PROTOCOL
    versioned: bool = True


ROWS: tuple[Row, ...] = (
    Row(path="/chat/completions", verb="answer", methods=("POST",)),
    Row(path="/responses", verb="answer", methods=("POST",), protocol="openai-responses"),
    Row(path="/models", verb="models", methods=("GET", "HEAD")),
    Row(path="/models/", verb="model", methods=("GET", "HEAD")),
    Row(path="/healthz", verb="healthz", methods=("GET", "HEAD"), versioned=False),
    Row(path="/readyz", verb="readyz", methods=("GET", "HEAD"), versioned=False),
)


class Route:
    """A row with its codec; `name` is what followed the path, `""` for exact ones."""

    __slots__ = ("allow", "codec", "methods", "verb")

    def __init__(self, row: Row, codec: Codec) -> None:
        self.verb: Verb = row.verb
        self.methods = frozenset(row.methods)
        self.allow = ", ".join(row.methods).encode()
        self.codec = codec


class Table:
    """All routes of a server."""

    def __init__(self, rows: tuple[Row, ...], codec: Callable[[ProtocolName], Codec]) -> None:
        self._exact: dict[str, Route] = {}
        self._named: list[tuple[str, Route]] = []
        self.default = codec(DEFAULT_PROTOCOL)
        for row in rows:
            route = Route(row, codec(row.protocol))
            for prefix in ("", "/v1") if row.versioned else ("",):
                if row.path.endswith("/"):
                    self._named.append((prefix + row.path, route))
                else:
                    self._exact[prefix + row.path] = route

    def find(self, path: str) -> tuple[Route, str] | None:
        """The route of `path` and the name that follows it, `""` for an exact path; `None` where nothing is."""
        route = self._exact.get(path)
        if route is not None:
            return route, ""
        for start, named in self._named:
            if path.startswith(start) and len(path) > len(start):
                return named, path[len(start) :]
        return None
