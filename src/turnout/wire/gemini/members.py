"""What this codec takes from the layers that all codecs read by.

Bodies are the JSON of protocol buffers: a field may be spelled `inlineData` or `inline_data`, both in one body
(google-genai 3.6 mixes them), a repeated field with one value may be that value. Fields are read under their
camel-case names; maps, arguments, results and schemas belong to somebody else and are never respelled.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from turnout.model import Extra, Json, ProtocolName
from turnout.model.errors import InvalidRequest
from turnout.wire.codec import FORM
from turnout.wire.layers import (
    BROKEN,
    MAYBE_STRING,
    NOTHING,
    NULL,
    OBJECT,
    STRING,
    TRUE,
    Bags,
    Members,
    Raw,
    open_string,
    raw_of,
    read,
    said,
    text,
    unnamed,
)

PROTOCOL: ProtocolName = "gemini"

_BAGS = Bags(PROTOCOL)
bag = _BAGS.bag
form = _BAGS.form

_SNAKE = re.compile(r"(?<=[A-Za-z0-9])_([a-z0-9])")
_LIST: "msgspec.json.Decoder[list[msgspec.Raw] | None]" = msgspec.json.Decoder(list[msgspec.Raw] | None)

Wire = dict[str, Any]


def camel(name: str) -> str:
    """The camel-case spelling of a field's name."""
    return _SNAKE.sub(lambda found: found[1].upper(), name)


def _respelled(row: Members) -> Members:
    return row if not any("_" in name for name in row) else {camel(name): raw for name, raw in row.items()}


def members(raw: Raw, param: str) -> Members:
    """The fields of an object of a request.

    Raises:
        InvalidRequest: it is no object.
    """
    return _respelled(read(OBJECT, raw, param, "an object"))


def open_object(raw: Raw) -> Members | None:
    """The fields of an object, `None` when it is something else."""
    try:
        return _respelled(OBJECT.decode(raw))
    except BROKEN:
        return None


def listed(raw: Raw | None, param: str) -> list[Raw]:
    """The values of a repeated field: a list, one value, or nothing.

    Raises:
        InvalidRequest: it is neither.
    """
    if raw is None or not said(raw):
        return []
    if bytes(raw)[:1] == b"{":
        return [raw]
    return read(_LIST, raw, param, "a list") or []


def leftover(row: Members, prefix: str = "") -> dict[str, Json]:
    """Fields that nobody names, as texts, but for nulls; `prefix` names the object inside which they are."""
    return {prefix + unnamed(name): text(raw) for name, raw in row.items() if raw != NULL}


def restore(target: Wire, extra: Extra | None) -> None:
    """Write fields that the model does not name back into the objects they came from.

    A name like `generationConfig/speechConfig` goes into the object `generationConfig` of `target`, which is made
    where it is missing.
    """
    if extra is None or extra.protocol != PROTOCOL:
        return
    for name, json in extra.members.items():
        if name.startswith(FORM):
            continue
        inner = target
        *path, last = name.removeprefix("/").split("/")
        for step in path:
            inner = inner.setdefault(step, {})
        inner[last] = raw_of(json)


def word(raw: Raw, param: str, names: Mapping[int, str] = {}) -> str | None:
    """An enumeration's word in capitals; a number stands for the word that it has in `names`.

    Raises:
        InvalidRequest: it is neither.
    """
    if not said(raw):
        return None
    given = open_string(raw)
    if given is not None:
        return given.upper()
    number: int = read(_INT, raw, param, "a word")
    return names.get(number, str(number))


_INT = msgspec.json.Decoder(int)

__all__ = [
    "BROKEN",
    "MAYBE_STRING",
    "NOTHING",
    "NULL",
    "OBJECT",
    "PROTOCOL",
    "STRING",
    "TRUE",
    "InvalidRequest",
    "Members",
    "Raw",
    "Wire",
    "bag",
    "camel",
    "form",
    "leftover",
    "listed",
    "members",
    "open_object",
    "open_string",
    "raw_of",
    "read",
    "restore",
    "said",
    "text",
    "unnamed",
    "word",
]
