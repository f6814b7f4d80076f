"""Content blocks, read: those of requests and of answers are the same (anthropic 2.14, `ContentBlockParam`).

A block that nobody names here (server tools, search results, compaction, what comes later) stays in place as `Opaque`.
Proof of reasoning is a `Seal` of this protocol, also where a compatible provider leaves it empty.
"""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import msgspec

from turnout.model import (
    AnyPart,
    Citation,
    File,
    Inline,
    Json,
    Media,
    MediaSource,
    Opaque,
    Seal,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Url,
)
from turnout.wire.codec import FORM
from turnout.wire.layers import (
    MAYBE_STRING,
    NULL,
    STRING,
    Members,
    leftover,
    members,
    open_object,
    open_string,
    read,
    said,
    text,
)

from .citations import read_citation
from .members import PROTOCOL, bag, take_cache

_BOOL = msgspec.json.Decoder(bool | None)
_CONTENT: "msgspec.json.Decoder[str | list[msgspec.Raw] | None]" = msgspec.json.Decoder(
    str | list[msgspec.Raw] | None
)
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw])
PLAIN_TEXT = "text/plain"

Names = dict[str, Json]


def read_content(raw: msgspec.Raw | None, param: str) -> list[AnyPart]:
    """Content that is a string or a list of blocks; null and absence are no part.

    Raises:
        InvalidRequest: it is something else, or one of its blocks is malformed.
    """
    value = read(_CONTENT, NULL if raw is None else raw, param, "a string or a list of content blocks")
    if value is None:
        return []
    if isinstance(value, str):
        return [plain(value)]
    return [read_block(item, f"{param}[{at}]") for at, item in enumerate(value)]


def plain(words: str) -> Text:
    """A text; a blank one remembers that it came so, since this protocol's writers leave blank ones out."""
    return Text(text=words) if words.strip() else Text(text=words, extra=bag({FORM + "blank": "null"}))


class _UsualText(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    text: str
    type: str


_USUAL = msgspec.json.Decoder(_UsualText)


def read_block(raw: msgspec.Raw, param: str) -> AnyPart:
    """One content block.

    Raises:
        InvalidRequest: it is no object, has no type, or lacks what its type needs.
    """
    try:
        usual = _USUAL.decode(raw)
    except msgspec.DecodeError:
        pass
    else:
        if usual.type == "text":
            return plain(usual.text)
    row = members(raw, param)
    kind = read(STRING, row.get("type", NULL), f"{param}.type", "a string")
    reader = READERS.get(kind)
    part = reader(row, param) if reader is not None else None
    return opaque(kind, raw) if part is None else part


def opaque(kind: str, raw: msgspec.Raw) -> Opaque:
    """A block that stays as it is."""
    return Opaque(protocol=PROTOCOL, kind=kind, body=text(raw))


def _common(row: Members, names: Names, must: frozenset[str] = frozenset()) -> dict[str, Any]:
    """What all blocks have in common, from the members that are left of one."""
    row.pop("type")
    fields: dict[str, Any] = {}
    cache = take_cache(row, names)
    if cache is not None:
        fields["cache"] = cache
    if row:
        names.update(leftover(row))
    if names:
        fields["extra"] = bag(names, must & names.keys())
    return fields


def _text(row: Members, param: str) -> AnyPart:
    words = read(STRING, row.pop("text", NULL), f"{param}.text", "a string")
    cited = read_citations(row.pop("citations", None))
    names: Names = {} if words.strip() else {FORM + "blank": "null"}
    return Text(text=words, citations=cited, **_common(row, names))


def read_citations(raw: msgspec.Raw | None) -> tuple[Citation, ...]:
    """The citations of a text block; what is no list of them is none."""
    if raw is None or raw == NULL:
        return ()
    try:
        rows = _ITEMS.decode(raw)
    except msgspec.DecodeError:
        return ()
    found = [read_citation(row) for row in rows]
    return tuple([citation for citation in found if citation is not None])


def _image(row: Members, _param: str) -> AnyPart | None:
    names: Names = {}
    source = _source(row.get("source"), names)
    if source is None:
        return None
    del row["source"]
    return Media(kind="image", source=source, **_common(row, names))


def _document(row: Members, param: str) -> AnyPart | None:
    names: Names = {}
    source = _source(row.get("source"), names)
    if source is None:
        return None
    names.setdefault(FORM + "source", "null")  # other protocols' documents need a name, this one's don't
    del row["source"]
    fields: dict[str, Any] = {}
    for name, field in (("title", "name"), ("context", "context")):
        word = read(MAYBE_STRING, row.pop(name, NULL), f"{param}.{name}", "a string")
        if word is not None:
            fields[field] = word
    inner = open_object(row.get("citations"))
    asked = inner is not None and inner.get("enabled") == msgspec.Raw(b"true")
    must = frozenset({"citations"}) if asked else frozenset[str]()
    return Media(kind="document", source=source, **fields, **_common(row, names, must))


def _source(raw: msgspec.Raw | None, names: Names) -> MediaSource | None:
    """Where media is, `None` for a source that nobody names (content blocks)."""
    inner = open_object(raw)
    if inner is None:
        return None
    kind = open_string(inner.get("type"))
    data, media_type = open_string(inner.get("data")), open_string(inner.get("media_type"))
    source: MediaSource | None = None
    if kind == "base64" and data is not None and media_type is not None:
        source = Inline(media_type=media_type, data=data)
    elif kind == "text" and data is not None:
        source = Inline(media_type=PLAIN_TEXT, data=b64encode(data.encode()).decode())
        names[FORM + "source"] = '"text"'
    elif kind == "url" and (url := open_string(inner.get("url"))) is not None:
        source = Url(url=url)
    elif kind == "file" and (ref := open_string(inner.get("file_id"))) is not None:
        source = File(ref=ref, owner=PROTOCOL)
    if source is not None:
        for name in ("type", "data", "media_type", "url", "file_id"):
            inner.pop(name, None)
        names.update(leftover(inner, "source/"))
    return source


def signature(data: str) -> Seal:
    """The proof of a thought."""
    return Seal(issuer=PROTOCOL, kind="signature", data=data)


def _thinking(row: Members, param: str) -> AnyPart:
    words = read(MAYBE_STRING, row.pop("thinking", NULL), f"{param}.thinking", "a string")
    proof = read(MAYBE_STRING, row.pop("signature", NULL), f"{param}.signature", "a string")
    return Thinking(text=words or "", seal=signature(proof or ""), **_common(row, {}))


def _redacted(row: Members, param: str) -> AnyPart:
    data = read(STRING, row.pop("data", NULL), f"{param}.data", "a string")
    return Thinking(seal=Seal(issuer=PROTOCOL, kind="redacted", data=data), **_common(row, {}))


def _tool_use(row: Members, param: str) -> AnyPart:
    call_id = read(STRING, row.pop("id", NULL), f"{param}.id", "a string")
    name = read(STRING, row.pop("name", NULL), f"{param}.name", "a string")
    given = row.pop("input", None)
    arguments = text(given) if given is not None and said(given) else "{}"
    must = frozenset[str]()
    caller = open_object(row.get("caller"))
    if caller is not None and open_string(caller.get("type")) != "direct":
        must = frozenset({"caller"})
    return ToolCall(call_id=call_id, name=name, arguments=arguments, **_common(row, {}, must))


def _tool_result(row: Members, param: str) -> AnyPart:
    call_id = read(STRING, row.pop("tool_use_id", NULL), f"{param}.tool_use_id", "a string")
    parts = read_content(row.pop("content", None), f"{param}.content")
    failed = read(_BOOL, row.pop("is_error", NULL), f"{param}.is_error", "true or false")
    if len(parts) == 1 and parts[0] == plain(""):
        parts = []
    fields: dict[str, Any] = {"is_error": True} if failed else {}
    return ToolResult(call_id=call_id, parts=tuple(parts), **fields, **_common(row, {}))


READERS: dict[str, Callable[[Members, str], AnyPart | None]] = {
    "text": _text,
    "image": _image,
    "document": _document,
    "thinking": _thinking,
    "redacted_thinking": _redacted,
    "tool_use": _tool_use,
    "tool_result": _tool_result,
}
"""By the block's type; `None` from one keeps the block as it is."""
