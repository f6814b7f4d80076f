"""Fitting tool-call ids and tool names to what a provider takes, and back.

Strategy: ids and names are opaque and the client keeps its own. One that does not match the provider's pattern is
replaced by one made from its digest (an id) or its letters (a name): the same each time, unique within the request,
in calls, results, tools and choice alike. Bytes are scanned first, so that a request that fits is never decoded.
"""

import re
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from hashlib import blake2b
from typing import Any, cast

import msgspec

from turnout.model import (
    AnyPart,
    Batch,
    Body,
    Message,
    PartEnd,
    PartStart,
    Request,
    ToolCall,
    ToolResult,
    V,
)
from turnout.model.errors import Misconfigured

_replace: Any = msgspec.structs.replace
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ALPHABETS = (_BASE62, "0123456789abcdef", "0123456789ABCDEF", "abcdefghijklmnopqrstuvwxyz", "0123456789")
_PREFIXES = ("", "call_", "toolu_", "call-")
_LENGTHS = (24, 32, 16, 12, 9, 10, 8, 40, 36, 20, 6)
_RESULT_IDS = re.compile(rb'"(?:tool_call_id|tool_use_id|call_id)"\s*:\s*"((?:[^"\\]|\\.)*)"')
_NAMES = re.compile(rb'"name"\s*:\s*"((?:[^"\\]|\\.)*)"')


def _digits(text: str, alphabet: str, length: int) -> str:
    number = int.from_bytes(blake2b(text.encode(), digest_size=64).digest(), "big")
    out: list[str] = []
    for _ in range(length):
        number, digit = divmod(number, len(alphabet))
        out.append(alphabet[digit])
    return "".join(out)


class Shape(V, frozen=True, kw_only=True):
    """What made-up ids look like."""

    prefix: str
    alphabet: str
    length: int

    def make(self, text: str) -> str:
        """An id from the digest of `text`."""
        return self.prefix + _digits(text, self.alphabet, self.length)


def compiled(pattern: str, option: str) -> re.Pattern[str]:
    """The pattern that a whole id or name must match.

    Raises:
        Misconfigured: not a regular expression.
    """
    try:
        return re.compile(pattern)
    except re.error as error:
        raise Misconfigured(f"{option}: not a regular expression: {error}") from error


def shape_for(pattern: re.Pattern[str], option: str) -> Shape:
    """A shape whose ids match `pattern`.

    Raises:
        Misconfigured: none was found.
    """
    for alphabet in _ALPHABETS:
        for prefix in _PREFIXES:
            for length in _LENGTHS:
                shape = Shape(prefix=prefix, alphabet=alphabet, length=length)
                if all(pattern.fullmatch(shape.make(sample)) for sample in ("a", "b", "c", "d")):
                    return shape
    raise Misconfigured(f"{option}: no id can be made that matches it")


class Fit(V, frozen=True, kw_only=True):
    """What was replaced in one request: the client's word to the provider's."""

    ids: dict[str, str] = {}
    names: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self.ids or self.names)


NO_FIT = Fit()


class Fitter:
    """Fits requests to the patterns of one provider; `None` leaves ids or names as they are."""

    def __init__(self, ids: str = "", names: str = "") -> None:
        self._ids = compiled(ids, "tool_id_pattern") if ids else None
        self._names = compiled(names, "tool_name_pattern") if names else None
        self._id_shape = None if self._ids is None else shape_for(self._ids, "tool_id_pattern")
        self._name_shape = None if self._names is None else shape_for(self._names, "tool_name_pattern")

    def __bool__(self) -> bool:
        return self._ids is not None or self._names is not None

    def may_need(self, data: bytes) -> bool:
        """Whether a request's bytes may hold an id or a name that does not fit; never wrong when it says no."""
        return _misfits(self._ids, _RESULT_IDS, data) or _misfits(self._names, _NAMES, data)

    def fit(self, request: Request) -> tuple[Request, Fit]:
        """The request with ids and names that the provider takes, and what was replaced."""
        body = request.body
        ids = {} if self._ids is None else self._fit_ids(self._ids, _ids_of(body))
        names = {} if self._names is None else self._fit_names(self._names, _names_of(body))
        if not ids and not names:
            return request, NO_FIT
        fit = Fit(ids=ids, names=names)
        fields: dict[str, Any] = {
            "messages": tuple(_message(message, fit) for message in body.messages),
            "tools": tuple(
                tool if tool.kind == "hosted" else _replace(tool, name=names.get(tool.name, tool.name))
                for tool in body.tools
            ),
        }
        if body.tool_choice is not None:
            chosen = tuple(names.get(name, name) for name in body.tool_choice.names)
            fields["tool_choice"] = _replace(body.tool_choice, names=chosen)
        return request.replace(**fields), fit

    def _fit_ids(self, pattern: re.Pattern[str], ids: list[str]) -> dict[str, str]:
        assert self._id_shape is not None  # noqa: S101 -- made with the pattern
        used = {text for text in ids if pattern.fullmatch(text)}
        out: dict[str, str] = {}
        for text in ids:
            if text not in used and text not in out:
                out[text] = _unused(self._id_shape, text, used)
                used.add(out[text])
        return out

    def _fit_names(self, pattern: re.Pattern[str], names: list[str]) -> dict[str, str]:
        assert self._name_shape is not None  # noqa: S101 -- made with the pattern
        used = {text for text in names if pattern.fullmatch(text)}
        out: dict[str, str] = {}
        for text in names:
            if text not in used and text not in out:
                readable = _readable(pattern, text, used)
                out[text] = readable or _unused(self._name_shape, text, used)
                used.add(out[text])
        return out


def _misfits(pattern: re.Pattern[str] | None, scan: re.Pattern[bytes], data: bytes) -> bool:
    if pattern is None:
        return False
    for found in scan.finditer(data):
        text: bytes = found.group(1)
        if b"\\" in text or not pattern.fullmatch(text.decode("utf-8", "replace")):
            return True
    return False


def _unused(shape: Shape, text: str, used: set[str]) -> str:
    made = shape.make(text)
    turn = 0
    while made in used:
        turn += 1
        made = shape.make(f"{text}\n{turn}")
    return made


def _readable(pattern: re.Pattern[str], text: str, used: set[str]) -> str:
    """The name in the letters that fit, with a digest behind it where another has the same; `""`: none found."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", text)
    tail = "_" + _digits(text, _BASE62[10:], 6)
    for end in range(len(plain), 0, -1):
        for made in (plain[:end], plain[:end] + tail) if end == len(plain) else (plain[:end] + tail,):
            if made not in used and pattern.fullmatch(made):
                return made
    return ""


def _ids_of(body: Body) -> list[str]:
    return [
        part.call_id
        for message in body.messages
        for part in message.parts
        if isinstance(part, ToolCall | ToolResult)
    ]


def _names_of(body: Body) -> list[str]:
    parts = [part for message in body.messages for part in message.parts]
    names = [tool.name for tool in body.tools if tool.kind != "hosted"]
    names += [part.name for part in parts if isinstance(part, ToolCall)]
    return names + [part.name for part in parts if isinstance(part, ToolResult) and part.name]


def _message(message: Message, fit: Fit) -> Message:
    parts = tuple(_part(part, fit.ids, fit.names) for part in message.parts)
    return message if parts == message.parts else _replace(message, parts=parts)


def _part(part: AnyPart, ids: dict[str, str], names: dict[str, str]) -> AnyPart:
    match part:
        case ToolCall():
            fields = {"call_id": ids.get(part.call_id, part.call_id), "name": names.get(part.name, part.name)}
            return _replace(part, **fields)
        case ToolResult():
            name = names.get(part.name, part.name) if part.name else part.name
            return _replace(part, call_id=ids.get(part.call_id, part.call_id), name=name)
        case _:
            return part


async def restored(batches: AsyncIterator[Batch], fit: Fit) -> AsyncIterator[Batch]:
    """The events of an answer with the client's own ids and names."""
    ids = {sent: own for own, sent in fit.ids.items()}
    names = {sent: own for own, sent in fit.names.items()}
    async with aclosing(cast("Any", batches)):
        async for batch in batches:
            yield tuple(_restore(batch, ids, names))


def _restore(batch: Batch, ids: dict[str, str], names: dict[str, str]) -> Iterable[Any]:
    for event in batch:
        if isinstance(event, PartStart) and isinstance(event.part, ToolCall):
            yield _replace(event, part=_part(event.part, ids, names))
        elif isinstance(event, PartEnd) and isinstance(event.whole, ToolCall):
            yield _replace(event, whole=_part(event.whole, ids, names))
        else:
            yield event
