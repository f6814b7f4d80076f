"""What a relay needs of a JSON body without decoding it: two top-level members, and another model's name in place.

Strategy: msgspec reads over everything that is not asked for, at the speed of validation; there is no scanner here.
One reading tells the members; that they are there once and spelled plainly, a count tells mostly, else a second
reading: where a key stands is found by spoiling a place that spells it and reading again, and if the key is gone, that
place was it, and the only one.
"""

import re
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from turnout.model.errors import InvalidRequest

_Name: TypeAlias = Literal["model", "stream"]

_SPOILER = 0x7F  # takes the place of a key's first letter
_HEAD = 256
_TAIL = 1024
_SPELLED: dict[_Name, re.Pattern[bytes]] = {
    "model": re.compile(rb'"model"[ \t\r\n]*:[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*")', re.DOTALL),
    "stream": re.compile(rb'"stream"[ \t\r\n]*:[ \t\r\n]*(true|false|null)'),
}
# A backslash that is itself escaped, or a pair, is read over; what is left to the group is half of a pair.
_SURROGATES = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


class _Top(msgspec.Struct, gc=False):
    """The members that are asked for; `moved` is what `model` is called once its key is spoiled."""

    model: str | UnsetType = UNSET
    stream: bool | UnsetType | None = UNSET
    moved: Any = msgspec.field(name="\x7fodel", default=UNSET)


class _Object(msgspec.Struct):
    """Any object."""


class _Model(msgspec.Struct):
    """Any object whose model, if there is one, is a string."""

    model: str = ""


_read = msgspec.json.Decoder(_Top).decode


def peek(body: bytes) -> tuple[str, bool]:
    """The top-level `model` and `stream` of a request; a `stream` that is absent or null is `False`.

    Raises:
        InvalidRequest: the body is not one JSON object; `model` is missing, empty or no string; `stream` is neither
            a boolean nor null; or one of the two keys is there twice or spelled with escapes, of which parsers make
            different things. `param` names the member.
    """
    top = _top(body)
    model, stream = top.model, top.stream
    if model is UNSET or not model:
        raise InvalidRequest("model is missing or empty", param="model")
    if _is_once(body, b'"model"') and (stream is UNSET or _is_once(body, b'"stream"')):
        return model, stream is True
    spoiled = bytearray(body)
    spoiled[_guess(body, "model").start() + 1] = _SPOILER
    if stream is not UNSET:
        spoiled[_guess(body, "stream").start() + 1] = _SPOILER
    rest = _top(spoiled)
    if rest.model is not UNSET:
        _place(body, "model")
    if rest.stream is not UNSET:
        _place(body, "stream")
    return model, stream is True


def splice(body: bytes, model: str) -> bytes:
    """`body`, which `peek` has accepted, with another value of the top-level `model` and every other byte the same.

    Raises:
        InvalidRequest: `peek` would not have accepted the body.
    """
    place = _guess(body, "model")
    spoiled = bytearray(body)
    spoiled[place.start() + 1] = _SPOILER
    top = _top(spoiled)
    if top.moved is UNSET or top.model is not UNSET:
        place = _place(body, "model")
    start, end = place.span(1)
    return b"".join((body[:start], msgspec.json.encode(model), body[end:]))


def may_spell_by_number(body: bytes | bytearray) -> bool:
    r"""Whether characters may be spelled as `\uXXXX` in it."""
    return b"\\" in body and b"\\u" in body  # a single byte is found much faster than two


def _is_once(body: bytes, key: bytes) -> bool:
    """Whether a key that the body has is the only one, since nothing else there could spell it."""
    return body.count(key) == 1 and not may_spell_by_number(body)


def mend(body: bytes | bytearray) -> bytes:
    """The body with the replacement character for every half of a surrogate pair; as many bytes as before.

    JavaScript clients that cut a text inside an emoji write such halves as escapes. They are JSON's grammar, but
    no text, and msgspec refuses them; a body that is only passed on goes out as it came.
    """
    return _SURROGATES.sub(lambda found: b"\\ufffd" if found[1] else found[0], body)


def _top(body: bytes | bytearray) -> _Top:
    try:
        return _read(body)
    except msgspec.ValidationError:
        raise _misfit(body) from None
    except msgspec.DecodeError:
        mended = mend(body)
        if mended != body:
            return _top(mended)
        raise InvalidRequest("the body is not valid JSON") from None
    except RecursionError:
        raise InvalidRequest("the body is nested too deeply") from None


def _misfit(body: bytes | bytearray) -> InvalidRequest:
    """Which member has the wrong type, or what is wrong after it: a type is looked at before the rest is read."""
    try:
        if not _fits(body, _Object):
            return InvalidRequest("the body is not a JSON object")
        if not _fits(body, _Model):
            return InvalidRequest("model is not a string", param="model")
        return InvalidRequest("stream is neither true nor false", param="stream")
    except msgspec.DecodeError:
        mended = mend(body)
        return _misfit(mended) if mended != body else InvalidRequest("the body is not valid JSON")
    except RecursionError:
        return InvalidRequest("the body is nested too deeply")


def _fits(body: bytes | bytearray, shape: type) -> bool:
    try:
        msgspec.json.decode(body, type=shape)
    except msgspec.ValidationError:
        return False
    return True


def _guess(body: bytes, name: _Name) -> re.Match[bytes]:
    """A place that spells the member, likely the top-level one: clients write it first or last, or it is the only one.

    Raises:
        InvalidRequest: no place does.
    """
    spelled = _SPELLED[name]
    place = (
        spelled.search(body, 0, _HEAD)
        or spelled.search(body, max(0, len(body) - _TAIL))
        or spelled.search(body)
    )
    if place is None:
        raise InvalidRequest(f"{name} is missing or spelled with escapes", param=name)
    return place


def _place(body: bytes, name: _Name) -> re.Match[bytes]:
    """The one place of the top-level member among all that spell it, by halving: a few dozen readings at most.

    Raises:
        InvalidRequest: the member is missing, spelled with escapes, or there twice.
    """
    spelled = _SPELLED[name]
    key = b'"%b"' % name.encode()
    spoiled = b'"%c%b' % (_SPOILER, key[2:])

    def is_seen_without(start: int, end: int) -> bool:
        """Whether the member is there when the keys that begin in this range are spoiled."""
        end += len(key) - 1
        rest = b"".join((body[:start], body[start:end].replace(key, spoiled), body[end:]))
        return getattr(_top(rest), name) is not UNSET

    if not is_seen_without(0, 0):
        raise InvalidRequest(f"{name} is missing", param=name)
    if is_seen_without(0, len(body)):
        raise InvalidRequest(f"{name} is spelled with escapes", param=name)
    low, high = 0, len(body)  # the last top-level key begins in this range
    place = spelled.search(body, low)
    while (
        place is not None
        and (after := spelled.search(body, place.end())) is not None
        and after.start() < high
    ):
        middle = (low + high) // 2
        if is_seen_without(0, middle):
            low = middle
            place = spelled.search(body, low)
        else:
            high = middle
    if place is None or is_seen_without(place.start(), place.start() + 1):
        raise InvalidRequest(f"{name} is given twice", param=name)
    return place
