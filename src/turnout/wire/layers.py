"""Reading and writing JSON objects layer by layer: a member is opened only where it is named.

Strategy: an object is split into `dict[str, Raw]`, which costs a fraction of generic decoding. What nobody names
stays the maker's own text, which makes `Extra`, verbatim JSON and speed one and the same thing. All codecs read so;
`Bags` is what one protocol writes down of the members that the model does not name.
"""

from typing import Any

import msgspec

from turnout.model import Extra, Json, ProtocolName
from turnout.model.errors import InvalidRequest
from turnout.wire.codec import FORM
from turnout.wire.json import may_spell_by_number, mend

Raw = msgspec.Raw
Members = dict[str, msgspec.Raw]

OBJECT: "msgspec.json.Decoder[Members]" = msgspec.json.Decoder(Members)
STRING = msgspec.json.Decoder(str)
MAYBE_STRING: "msgspec.json.Decoder[str | None]" = msgspec.json.Decoder(str | None)
NULL = msgspec.Raw(b"null")
TRUE = msgspec.Raw(b"true")
NOTHING = msgspec.Raw(b"")
"""`Raw` equals `Raw` only, never bytes."""
BROKEN = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)
"""What msgspec raises at JSON that is malformed, mistyped or nested too deep."""


def text(raw: msgspec.Raw) -> Json:
    """The member as its maker wrote it."""
    return str(raw, "utf-8")


def said(raw: msgspec.Raw | None) -> bool:
    """Whether a member is there and not null."""
    return raw is not None and raw not in (NULL, NOTHING)


def raw_of(json: Json) -> msgspec.Raw:
    """A JSON text that goes into an object unchanged."""
    return msgspec.Raw(json.encode())


def read(decoder: Any, raw: msgspec.Raw, param: str, wanted: str) -> Any:
    """`raw` as `decoder` reads it.

    Raises:
        InvalidRequest: it is something else; the message says what was `wanted`.
    """
    try:
        return decoder.decode(raw)
    except BROKEN:
        raise InvalidRequest(f"{param} must be {wanted}", param=param) from None


def open_body(body: bytes) -> Members:
    """The members of a request's body; halves of surrogate pairs, which JavaScript clients write, are mended.

    Raises:
        InvalidRequest: it is not JSON, or no object.
    """
    try:
        if not body.isascii():
            body.decode()
        return OBJECT.decode(mend(body) if may_spell_by_number(body) else body)
    except msgspec.ValidationError:
        raise InvalidRequest("the body must be a JSON object") from None
    except BROKEN:
        raise InvalidRequest("the body is not JSON") from None


def members(raw: msgspec.Raw, param: str) -> Members:
    """The members of an object of a request.

    Raises:
        InvalidRequest: it is no object.
    """
    return read(OBJECT, raw, param, "an object")


def open_object(raw: msgspec.Raw | None) -> Members | None:
    """The members of an object, `None` when it is something else."""
    if raw is None:
        return None
    try:
        return OBJECT.decode(raw)
    except BROKEN:
        return None


def open_string(raw: msgspec.Raw | None) -> str | None:
    """The string, `None` when it is something else."""
    if raw is None:
        return None
    try:
        return MAYBE_STRING.decode(raw)
    except BROKEN:
        return None


def leftover(row: Members, prefix: str = "") -> dict[str, Json]:
    """Members that nobody names, as texts, but for nulls; `prefix` names the object inside which they are."""
    return {prefix + unnamed(name): text(raw) for name, raw in row.items() if raw != NULL}


def unnamed(name: str) -> str:
    """The name of a member in an `Extra`: the wire's own, unless that looks like a remembered form."""
    return "/" + name if name.startswith(FORM) else name


class Bags:
    """The `Extra` values of one protocol."""

    __slots__ = ("_protocol",)

    def __init__(self, protocol: ProtocolName) -> None:
        self._protocol: ProtocolName = protocol

    def bag(self, names: dict[str, Json], must: frozenset[str] = frozenset()) -> Extra | None:
        """An `Extra` of this protocol, `None` when it would be empty."""
        return Extra(protocol=self._protocol, members=names, must=must) if names else None

    def own(self, names: dict[str, Json]) -> Extra:
        """An `Extra` of this protocol even when it is empty: what only its maker knows must not go elsewhere."""
        return Extra(protocol=self._protocol, members=names)

    def form(self, extra: Extra | None, name: str) -> Json | None:
        """How the wire spelt `name`, when this protocol wrote it down."""
        if extra is None or extra.protocol != self._protocol:
            return None
        return extra.members.get(FORM + name)

    def restore(self, target: dict[str, Any], extra: Extra | None) -> None:
        """Write the members that the model does not name back into the object they came from.

        A name like `function/strict` goes into the object `function` of `target`.
        """
        if extra is None or extra.protocol != self._protocol:
            return
        for name, json in extra.members.items():
            if name.startswith(FORM):
                continue
            head, slash, tail = name.partition("/")
            inner = target.get(head) if slash else None
            if isinstance(inner, dict):
                inner[tail.removeprefix("/")] = raw_of(json)
            else:
                target[name if head or not tail.startswith(FORM) else tail] = raw_of(json)
