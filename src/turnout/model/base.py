"""What every value of the model is made of: the frozen Struct base and the names of protocols.

Strategy: a value never changes after it is made. Sequences are tuples, mappings are never edited in place;
`None` means that the sender did not say, while `0`, `""` and `False` are values. JSON that belongs to somebody
else stays text (`Json`), with its key order and number spelling, and nobody parses it to pass it on.
"""

from typing import Literal, TypeAlias

import msgspec

Json: TypeAlias = str
"""One JSON document, verbatim as its maker wrote it."""

ProtocolName: TypeAlias = Literal[
    "openai-chat", "openai-responses", "anthropic-messages", "gemini", "mcp", "ag-ui", "a2a", "decisions"
]


class V(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Base of all values: immutable, compared by content, keyword arguments only."""


class Extra(V, frozen=True, kw_only=True):
    """Members of one wire object that the model does not name.

    They are written back only to `protocol`. `must` holds the names that change the answer (`n`, `logit_bias`):
    another protocol's encoder raises `Unsupported` for those and reports the others as dropped.
    """

    protocol: ProtocolName
    members: dict[str, Json]
    must: frozenset[str] = frozenset()


class Seal(V, frozen=True, kw_only=True):
    """Opaque proof that travels with one part and goes back to its issuer only.

    `issuer` is a protocol, or `protocol:family` where several providers speak one protocol.
    """

    issuer: str
    kind: Literal["signature", "redacted", "encrypted"]
    data: str


class Cache(V, frozen=True, kw_only=True):
    """A cache breakpoint after the element that carries it; `ttl` is `5m`, `30m`, `1h`, `12h` or unsaid."""

    ttl: str | None = None
