"""The request that every step, agent and provider takes, and the lane in which it goes on.

Strategy: a request is cheap to make from a peek at its bytes. Its body is decoded on first touch, by a function
that the codec gave, at most once for all copies. `replace` records what changed, so that `lane` can tell whether
the very bytes may go out.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

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
            if self.decode is None:
                self.value = Body(messages=())
            else:
                self.value = self.decode()
        return self.value


_OWN_FIELDS = frozenset({"model", "stream", "context"})


class _Fields:
    """The fields of a request while they are written; `_sealed` closes them."""

    __slots__ = ("_lazy", "changed", "context", "model", "source", "stream")

    model: str
    stream: bool
    source: Source | None
    context: Context
    changed: frozenset[str]
    _lazy: _Lazy


def _sealed(
    model: str,
    stream: bool,
    source: Source | None,
    context: Context,
    changed: frozenset[str],
    lazy: _Lazy,
) -> "Request":
    # A third of the time of going around the `__setattr__` that makes a request immutable.
    fields: Any = _Fields()
    fields.model = model
    fields.stream = stream
    fields.source = source
    fields.context = context
    fields.changed = changed
    fields._lazy = lazy
    fields.__class__ = Request
    return fields


class Request(_Fields):
    """A request to a model; immutable.

    `changed` names the fields that differ from `source`.
    """

    __slots__ = ()

    def __init__(
        self,
        *,
        model: str = "",
        stream: bool = False,
        body: Body | None = None,
        source: Source | None = None,
        context: Context = NO_CONTEXT,
        decode: Callable[[], Body] | None = None,
        changed: frozenset[str] = frozenset(),
    ) -> None:
        put = object.__setattr__
        put(self, "model", model)
        put(self, "stream", stream)
        put(self, "source", source)
        put(self, "context", context)
        put(self, "changed", changed)
        put(self, "_lazy", _Lazy(decode, body))

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
        """A copy with other values; `changed` grows by the names whose value is another one.

        Takes `model`, `stream`, `context` and the fields of `Body`; the latter decode the body to compare.

        Raises:
            TypeError: a name that neither the request nor its body has.
        """
        model = fields.get("model", self.model)
        stream = fields.get("stream", self.stream)
        changed = set(self.changed)
        if model != self.model:
            changed.add("model")
        if stream != self.stream:
            changed.add("stream")
        lazy = self._lazy
        inner = {name: value for name, value in fields.items() if name not in _OWN_FIELDS}
        if inner:
            body = self.body
            differing = {name: value for name, value in inner.items() if getattr(body, name, ...) != value}
            lazy = _Lazy(None, msgspec.structs.replace(body, **inner))
            changed.update(differing)
        return _sealed(
            model, stream, self.source, fields.get("context", self.context), frozenset(changed), lazy
        )

    def in_context(self, context: Context) -> "Request":
        """The same request in another context; `replace(context=...)`, only faster."""
        return _sealed(self.model, self.stream, self.source, context, self.changed, self._lazy)

    def __repr__(self) -> str:
        return f"Request(model={self.model!r}, stream={self.stream}, source={self.source!r})"


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
