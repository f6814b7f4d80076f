"""The request that every step, agent and provider takes, and the lane in which it goes on.

Strategy: a request is cheap to make from a peek at its bytes. Its body is decoded on first touch, by a function
that the codec gave, at most once for all copies. `replace` records what changed, so that `lane` can tell whether
the very bytes may go out.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, final

import msgspec

from .base import ProtocolName, V
from .body import Body, Tool
from .context import NO_CONTEXT, Context
from .headers import NO_HEADERS, Headers
from .parts import Message

Lane: TypeAlias = Literal["bytes", "splice", "rewrite", "translate"]


class Source(V, frozen=True, kw_only=True):
    """The call as it came. `path` is the path inside the mount, `query` the raw query without `?`."""

    protocol: ProtocolName
    body: bytes
    headers: Headers = NO_HEADERS
    path: str = ""
    query: str = ""
    version: str | None = None

    def __repr__(self) -> str:
        return f"Source({self.protocol}, {len(self.body)} bytes, {self.headers!r})"


class _Lazy:
    """A body that is decoded at most once, shared by all copies of a request."""

    __slots__ = ("decode", "value")

    def __init__(self, decode: Callable[[], Body] | None, value: Body | None) -> None:
        self.decode = decode
        self.value = value

    def get(self) -> Body:
        if self.value is None:
            self.value = Body(messages=()) if self.decode is None else self.decode()
            self.decode = None  # lets go of what the function holds
        return self.value


_UNCHANGED: frozenset[str] = frozenset()
_BODY_FIELDS = frozenset(Body.__struct_fields__)


class _Fields:
    """The fields of a request while they are written; `_sealed` makes them immutable."""

    __slots__ = ("_first", "_lazy", "changed", "context", "model", "source", "stream")

    model: str
    stream: bool
    source: Source | None
    context: Context
    changed: frozenset[str]
    _lazy: _Lazy
    _first: "Request | None"


def _sealed(
    model: str,
    stream: bool,
    source: Source | None,
    context: Context,
    changed: frozenset[str],
    lazy: _Lazy,
    first: "Request | None",
) -> "Request":
    # A third of the time that going around a `__setattr__` takes, field by field.
    fields: Any = _Fields()
    fields.model = model
    fields.stream = stream
    fields.source = source
    fields.context = context
    fields.changed = changed
    fields._lazy = lazy
    fields._first = first
    fields.__class__ = Request
    return fields


@final
class Request(_Fields):
    """A request to a model; immutable.

    `changed` names the fields that differ from how the request was first made.
    """

    __slots__ = ()

    def __new__(
        cls,
        *,
        model: str = "",
        stream: bool = False,
        body: Body | None = None,
        source: Source | None = None,
        context: Context = NO_CONTEXT,
        decode: Callable[[], Body] | None = None,
        changed: frozenset[str] = _UNCHANGED,
    ) -> "Request":
        """A request whose body is given, or decoded on first touch by `decode`, or empty."""
        return _sealed(model, stream, source, context, changed, _Lazy(decode, body), None)

    @classmethod
    def of_source(
        cls, source: Source, model: str, stream: bool, context: Context, decode: Callable[[], Body]
    ) -> "Request":
        """A request as it came, decoded on first touch by `decode`: what a server makes for each one."""
        return _sealed(model, stream, source, context, _UNCHANGED, _Lazy(decode, None), None)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a request is immutable; use replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a request is immutable")

    @property
    def body(self) -> Body:
        """What the request says.

        Raises:
            InvalidRequest: the source's bytes are not a request of their protocol.
        """
        return self._lazy.get()

    @property
    def decoded(self) -> bool:
        """Whether the body has been decoded (or was given)."""
        return self._lazy.value is not None

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages of the body."""
        return self.body.messages

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools of the body."""
        return self.body.tools

    @property
    def last_user_text(self) -> str:
        """The text of the last user message, `""` when there is none; wrappers of clients included."""
        for message in reversed(self.messages):
            if message.role == "user":
                return message.text
        return ""

    def replace(self, **fields: Any) -> "Request":
        """A copy with other values; a value that was there first is no change.

        Takes `model`, `stream`, `context` and the fields of `Body`; the latter decode the body to compare.

        Raises:
            TypeError: a name that neither the request nor its body has.
            InvalidRequest: the body had to be decoded and is malformed.
        """
        first = self._first or self
        changed = self.changed
        model, stream, context, lazy = self.model, self.stream, self.context, self._lazy
        if "context" in fields:
            context = fields.pop("context")
        if "model" in fields:
            model = fields.pop("model")
            if model != self.model:
                changed = _marked(changed, "model", model != first.model or "model" in first.changed)
        if "stream" in fields:
            stream = fields.pop("stream")
            if stream != self.stream:
                changed = _marked(changed, "stream", stream != first.stream or "stream" in first.changed)
        if fields:
            if unknown := fields.keys() - _BODY_FIELDS:
                raise TypeError(f"a request has no {', '.join(sorted(unknown))}")
            body, was = self.body, first.body
            differing = {name: value for name, value in fields.items() if getattr(body, name) != value}
            for name, value in differing.items():
                changed = _marked(changed, name, getattr(was, name) != value or name in first.changed)
            if differing:
                lazy = _Lazy(None, msgspec.structs.replace(body, **differing))
        return _sealed(model, stream, self.source, context, changed, lazy, first)

    def __repr__(self) -> str:
        return f"Request(model={self.model!r}, stream={self.stream}, source={self.source!r})"


def _marked(changed: frozenset[str], name: str, differs: bool) -> frozenset[str]:
    return changed | {name} if differs else changed - {name}


_MODEL_ONLY = frozenset({"model"})


def lane(request: Request, target: ProtocolName) -> Lane:
    """How a request reaches a provider that speaks `target`; total.

    `bytes`: the very bytes; `splice`: only the model's name is replaced in them; `rewrite`: same protocol,
    encoded again; `translate`: another protocol, or a request that never had bytes.
    """
    source = request.source
    if source is None or source.protocol != target:
        return "translate"
    if not request.changed:
        return "bytes"
    if request.changed <= _MODEL_ONLY:
        return "splice"
    return "rewrite"
