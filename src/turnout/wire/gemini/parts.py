"""The parts of contents, read: the same for requests and answers.

Shapes: `Part` of google-genai 3.6. A part is one of text, a call, a result, media; anything else (code execution,
the service's own tools) is kept whole and in place as `Opaque`. Any part may carry a thought signature, which goes
back on that part.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from turnout.model import (
    AnyPart,
    File,
    Inline,
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
from turnout.model.errors import InvalidRequest
from turnout.wire.codec import FORM

from .members import (
    BROKEN,
    MAYBE_STRING,
    NULL,
    PROTOCOL,
    STRING,
    TRUE,
    Members,
    Raw,
    bag,
    leftover,
    listed,
    members,
    open_object,
    open_string,
    read,
    said,
    text,
)

THOUGHT = FORM + "thought"
"""Marks thoughts that came in this protocol: they go back to it without a signature as well."""
NO_ID = FORM + "id"
"""Marks calls and results that came without an id."""


class _Plain(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """What most parts are; anything else is read layer by layer, to the same value."""

    text: str


_PLAIN = msgspec.json.Decoder(_Plain)


def read_part(raw: Raw, param: str) -> AnyPart:
    """One part. The id of a call or result that has none is `""`: whoever knows the place derives it.

    Raises:
        InvalidRequest: it is no object, or lacks what its kind needs.
    """
    try:
        return Text(text=_PLAIN.decode(raw).text)
    except BROKEN:
        row = members(raw, param)
    kind = next((name for name in _READERS if said(row.get(name))), None)
    if kind is None:
        named = [name for name in row if name not in _BESIDE and said(row[name])]
        if not named and "text" not in row and not said(row.get("thoughtSignature")):
            named = ["part"]
        if named:
            return Opaque(protocol=PROTOCOL, kind=named[0], body=text(raw))
        kind = "text"
        row["text"] = _EMPTY  # a part that is only its signature
    return _READERS[kind](row, param)


_EMPTY = msgspec.Raw(b'""')
_BESIDE = frozenset(
    {
        "thought",
        "thoughtSignature",
        "videoMetadata",
        "mediaResolution",
        "mediaProcessing",
        "partMetadata",
        "text",
    }
)


def _common(row: Members, names: dict[str, str], param: str) -> dict[str, Any]:
    """What all parts have in common, from the fields that are left of one."""
    fields: dict[str, Any] = {}
    path = f"{param}.thoughtSignature"
    signature = read(MAYBE_STRING, row.pop("thoughtSignature", NULL), path, "a string")
    if signature is not None:
        fields["seal"] = Seal(issuer=PROTOCOL, kind="signature", data=signature)
    names.update(leftover(row))
    if names:
        fields["extra"] = bag(names)
    return fields


def _text(row: Members, param: str) -> AnyPart:
    words = read(STRING, row.pop("text"), f"{param}.text", "a string")
    if row.pop("thought", NULL) == TRUE:
        return Thinking(text=words, **_common(row, {THOUGHT: "true"}, param))
    return Text(text=words, **_common(row, {}, param))


def _call(row: Members, param: str) -> AnyPart:
    path = f"{param}.functionCall"
    inner = members(row.pop("functionCall"), path)
    name = read(STRING, inner.pop("name", NULL), f"{path}.name", "a string")
    call_id = read(MAYBE_STRING, inner.pop("id", NULL), f"{path}.id", "a string")
    args = inner.pop("args", NULL)
    if args != NULL:
        members(args, f"{path}.args")
    names = {} if call_id else {NO_ID: "null"}
    names.update(leftover(inner, "functionCall/"))
    return ToolCall(
        call_id=call_id or "",
        name=name,
        arguments="{}" if args == NULL else text(args),
        **_common(row, names, param),
    )


RESPONSE = FORM + "response"


def _result(row: Members, param: str) -> AnyPart:
    path = f"{param}.functionResponse"
    inner = members(row.pop("functionResponse"), path)
    name = read(STRING, inner.pop("name", NULL), f"{path}.name", "a string")
    call_id = read(MAYBE_STRING, inner.pop("id", NULL), f"{path}.id", "a string")
    response = inner.pop("response", NULL)
    media = [
        _response_media(raw, f"{path}.parts[{at}]")
        for at, raw in enumerate(listed(inner.pop("parts", None), f"{path}.parts"))
    ]
    names = {} if call_id else {NO_ID: "null"}
    words, is_error = read_response(response)
    names[RESPONSE] = text(response)
    names.update(leftover(inner, "functionResponse/"))
    parts: list[AnyPart] = [Text(text=words)] if words else []
    return ToolResult(
        call_id=call_id or "",
        name=name,
        parts=(*parts, *media),
        is_error=is_error,
        structured=text(response) if response != NULL else None,
        **_common(row, names, param),
    )


def read_response(raw: Raw) -> tuple[str, bool]:
    """The words of a result, and whether it is an error.

    A service reads `output` as what the function gave and `error` as its failure (google-genai 3.6,
    `FunctionResponse`); Python's SDK writes `result`. A lone text under one of them is the result, all else is JSON.
    """
    inner = open_object(raw)
    if not inner:
        return "", False
    if len(inner) == 1:
        key, value = next(iter(inner.items()))
        words = open_string(value)
        if key in _KEYS:
            return text(value) if words is None else words, key == "error"
    return text(raw), False


_KEYS = ("output", "result", "error")


def _response_media(raw: Raw, param: str) -> AnyPart:
    row = members(raw, param)
    for kind in ("inlineData", "fileData"):
        if said(row.get(kind)):
            return _READERS[kind](row, param)
    return Opaque(protocol=PROTOCOL, kind="functionResponse.parts", body=text(raw))


Kind = Literal["image", "audio", "video", "document"]


def media_kind(media_type: str) -> Kind:
    """What media of a type is; what is neither picture, sound nor film is a document."""
    head = media_type.partition("/")[0].lower()
    return head if head in ("image", "audio", "video") else "document"  # pyright: ignore[reportReturnType]


def _inline(row: Members, param: str) -> AnyPart:
    path = f"{param}.inlineData"
    inner = members(row.pop("inlineData"), path)
    data = read(STRING, inner.pop("data", NULL), f"{path}.data", "a string")
    media_type = read(STRING, inner.pop("mimeType", NULL), f"{path}.mimeType", "a string")
    return _media(Inline(media_type=media_type, data=data), media_type, inner, row, param, "inlineData/")


def _file(row: Members, param: str) -> AnyPart:
    path = f"{param}.fileData"
    inner = members(row.pop("fileData"), path)
    uri = read(STRING, inner.pop("fileUri", NULL), f"{path}.fileUri", "a string")
    media_type = read(MAYBE_STRING, inner.pop("mimeType", NULL), f"{path}.mimeType", "a string")
    media_type = media_type or guessed(uri)
    source: MediaSource = (
        Url(url=uri, media_type=media_type)
        if is_public(uri)
        else File(ref=uri, owner=PROTOCOL, media_type=media_type)
    )
    return _media(source, media_type or "", inner, row, param, "fileData/")


def is_public(uri: str) -> bool:
    """Whether anybody can read what is at `uri`; files and buckets of Google belong to their account."""
    return uri.startswith(("https://", "http://")) and "://generativelanguage.googleapis.com/" not in uri


_SUFFIXES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "gif": "image/gif",
    "heic": "image/heic",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "csv": "text/csv",
    "html": "text/html",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
    "ogg": "audio/ogg",
    "flac": "audio/flac",
    "mp4": "video/mp4",
    "mov": "video/quicktime",
    "webm": "video/webm",
}


def guessed(uri: str) -> str | None:
    """The media type that the end of an address tells, if any."""
    return _SUFFIXES.get(uri.partition("?")[0].rpartition(".")[2].lower())


def _media(
    source: MediaSource, media_type: str, inner: Members, row: Members, param: str, prefix: str
) -> AnyPart:
    name = open_string(inner.get("displayName"))
    if name is not None:
        del inner["displayName"]
    return Media(
        kind=media_kind(media_type), source=source, name=name, **_common(row, leftover(inner, prefix), param)
    )


_READERS: dict[str, Callable[[Members, str], AnyPart]] = {
    "text": _text,
    "functionCall": _call,
    "functionResponse": _result,
    "inlineData": _inline,
    "fileData": _file,
}


__all__ = [
    "NO_ID",
    "RESPONSE",
    "THOUGHT",
    "InvalidRequest",
    "guessed",
    "is_public",
    "media_kind",
    "read_part",
    "read_response",
]
