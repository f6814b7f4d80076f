"""Content parts of messages, in both directions.

Shapes: the content part types of openai 3.57 (`text`, `refusal`, `image_url`, `input_audio`, `file`), `video_url`
(several compatible providers) and Mistral's `thinking`. Any other type is kept in place as `Opaque`.
"""

from base64 import b64decode
from collections.abc import Callable
from typing import Any

import msgspec

from turnout.model import AnyPart, File, Inline, Media, MediaSource, Opaque, Refusal, Text, Thinking, Url
from turnout.model.errors import Unsupported
from turnout.wire.codec import FORM
from turnout.wire.media import media_source, media_url

from .dialect import ChatDialect
from .losses import Losses
from .members import (
    NULL,
    PROTOCOL,
    STRING,
    Members,
    bag,
    form,
    leftover,
    members,
    open_object,
    open_string,
    raw_of,
    read,
    read_cache,
    restore,
    take_cache,
    text,
)

_AUDIO_TYPES = {"mp3": "audio/mpeg"}
_AUDIO_FORMATS = {kind: name for name, kind in _AUDIO_TYPES.items()}
_PARTS: "msgspec.json.Decoder[list[msgspec.Raw]]" = msgspec.json.Decoder(list[msgspec.Raw])


# ---- reading -----------------------------------------------------------------------------------------------------


def read_part(raw: msgspec.Raw, param: str) -> AnyPart:
    """One content part of a request.

    Raises:
        InvalidRequest: it is no object, has no type, or lacks what its type needs.
    """
    row = members(raw, param)
    kind = read(STRING, row.get("type", NULL), f"{param}.type", "a string")
    reader = _READERS.get(kind)
    part = reader(row, param) if reader is not None else None
    return Opaque(protocol=PROTOCOL, kind=kind, body=text(raw)) if part is None else part


def _common(row: Members, names: dict[str, str]) -> dict[str, Any]:
    """What all parts have in common, from the members that are left of one."""
    row.pop("type")
    cache = take_cache(row, names)
    names.update(leftover(row))
    fields: dict[str, Any] = {}
    if cache is not None:
        fields["cache"] = cache
    if names:
        fields["extra"] = bag(names)
    return fields


def _text(row: Members, param: str) -> AnyPart:
    words = read(STRING, row.pop("text", NULL), f"{param}.text", "a string")
    if len(row) == 1:
        return Text(text=words)
    return Text(text=words, **_common(row, {}))


def _refusal(row: Members, param: str) -> AnyPart:
    words = read(STRING, row.pop("refusal", NULL), f"{param}.refusal", "a string")
    return Refusal(text=words, **_common(row, {FORM + "part": "null"}))


def _linked(member: str, kind: str) -> Callable[[Members, str], AnyPart | None]:
    def reader(row: Members, param: str) -> AnyPart | None:
        inner = open_object(row.get(member))
        if inner is None:
            return None
        del row[member]
        path = f"{param}.{member}.url"
        url = read(STRING, inner.pop("url", NULL), path, "a string")
        detail = open_string(inner.get("detail"))
        if detail is not None:
            del inner["detail"]
        names = leftover(inner, f"{member}/")
        fields = _common(row, names)
        return Media(kind=kind, source=media_source(url), detail=detail, **fields)  # pyright: ignore[reportArgumentType]

    return reader


def _input_audio(row: Members, param: str) -> AnyPart | None:
    inner = open_object(row.get("input_audio"))
    if inner is None:
        return None
    del row["input_audio"]
    path = f"{param}.input_audio"
    data = read(STRING, inner.pop("data", NULL), f"{path}.data", "a string")
    name = read(STRING, inner.pop("format", NULL), f"{path}.format", "a string")
    source = Inline(media_type=_AUDIO_TYPES.get(name, f"audio/{name}"), data=data)
    return Media(kind="audio", source=source, **_common(row, leftover(inner, "input_audio/")))


def _file(row: Members, _param: str) -> AnyPart | None:
    inner = open_object(row.get("file"))
    if inner is None:
        return None
    ref, data = open_string(inner.get("file_id")), open_string(inner.get("file_data"))
    if ref is not None:
        source: MediaSource = File(ref=ref, owner=PROTOCOL)
    elif data is not None:
        source = media_source(data)
    else:
        return None
    del row["file"]
    del inner["file_id" if ref is not None else "file_data"]
    name = open_string(inner.get("filename"))
    if name is not None:
        del inner["filename"]
    return Media(kind="document", source=source, name=name, **_common(row, leftover(inner, "file/")))


def thinking_words(raw: msgspec.Raw | None) -> str | None:
    """The words of a `thinking` member: a string, or a list of text parts (Mistral)."""
    words = open_string(raw)
    if words is not None or raw is None:
        return words
    try:
        rows = [open_object(item) for item in _PARTS.decode(raw)]
    except msgspec.DecodeError:
        return None
    texts = [open_string(row.get("text")) for row in rows if row is not None]
    return "".join(word for word in texts if word is not None)


def _thinking(row: Members, _param: str) -> AnyPart | None:
    raw = row.get("thinking")
    words = thinking_words(raw)
    if raw is None or words is None:
        return None
    del row["thinking"]
    return Thinking(text=words, **_common(row, {FORM + "thinking": text(raw)}))


_READERS: dict[str, Callable[[Members, str], AnyPart | None]] = {
    "text": _text,
    "refusal": _refusal,
    "image_url": _linked("image_url", "image"),
    "video_url": _linked("video_url", "video"),
    "input_audio": _input_audio,
    "file": _file,
    "thinking": _thinking,
}


# ---- writing -----------------------------------------------------------------------------------------------------


def write_part(part: AnyPart, dialect: ChatDialect, losses: Losses) -> Any:
    """One content part as JSON-able values.

    Raises:
        Unsupported: this protocol has no place for it.
    """
    if isinstance(part, Opaque):
        if part.protocol != PROTOCOL:
            raise Unsupported(part.kind)
        return raw_of(part.body)
    wire = _body(part)
    losses.of_part(part)
    write_cache(wire, part, dialect, losses)
    restore(wire, part.extra)
    return wire


def _body(part: AnyPart) -> dict[str, Any]:
    match part:
        case Text():
            return {"type": "text", "text": part.text}
        case Refusal():
            return {"type": "refusal", "refusal": part.text}
        case Media():
            return _words(part, part.source) if _is_told(part) else _media(part)
        case Thinking() if form(part.extra, "thinking") is not None:
            return {"type": "thinking", "thinking": _thinking_body(part)}
        case _:
            raise Unsupported(type(part).__struct_config__.tag or "content")  # pyright: ignore[reportArgumentType]


def _thinking_body(part: Thinking) -> Any:
    written = form(part.extra, "thinking")
    if written is not None and thinking_words(raw_of(written)) == part.text:
        return raw_of(written)
    return [{"type": "text", "text": part.text}]


def _media(part: Media) -> dict[str, Any]:
    source = part.source
    match part.kind:
        case "image" | "video":
            member = f"{part.kind}_url"
            link: dict[str, Any] = {"url": media_url(source)}
            if part.detail is not None:
                link["detail"] = part.detail
            return {"type": member, member: link}
        case "audio":
            if not isinstance(source, Inline):
                raise Unsupported("input_audio", "audio goes here as bytes only")
            name = _AUDIO_FORMATS.get(source.media_type) or source.media_type.removeprefix("audio/")
            return {"type": "input_audio", "input_audio": {"data": source.data, "format": name}}
        case _:
            return {"type": "file", "file": _document(part)}


def _foreign(part: Media) -> bool:
    return part.extra is not None and part.extra.protocol != PROTOCOL


def _is_told(part: Media) -> bool:
    """Whether another protocol's document is plain text, which goes here as text: files are PDF only."""
    source = part.source
    return (
        part.kind == "document"
        and isinstance(source, Inline)
        and source.media_type.startswith("text/")
        and _foreign(part)
    )


def _words(part: Media, source: Any) -> dict[str, Any]:
    try:
        words = b64decode(source.data, validate=True).decode()
    except ValueError:
        raise Unsupported("file", "a plain text is base64 of UTF-8") from None
    head = [text for text in (part.name, part.context) if text]
    return {"type": "text", "text": "\n\n".join((*head, words))}


def _document(part: Media) -> dict[str, Any]:
    source = part.source
    if isinstance(source, File):
        if source.owner != PROTOCOL:
            raise Unsupported("file", "the file belongs to another provider")
        file: dict[str, Any] = {"file_id": source.ref}
    elif isinstance(source, Url) and _foreign(part):
        raise Unsupported("file", "a document goes here as bytes only")
    else:
        file = {"file_data": media_url(source)}
    if part.name is not None:
        file["filename"] = part.name
    elif _foreign(part):
        file["filename"] = "document.pdf"
    return file


def write_cache(wire: dict[str, Any], part: Any, dialect: ChatDialect, losses: Losses) -> None:
    """The cache breakpoint of `part` (anything with `cache` and `extra`), as it came where it still says the same."""
    cache = part.cache
    if cache is None:
        return
    for name in ("cache_control", "prompt_cache_breakpoint"):
        written = form(part.extra, name)
        if written is not None and read_cache(raw_of(written)) == cache:
            wire[name] = raw_of(written)
            return
    if form(part.extra, "message.cache_control") is not None:
        return
    if dialect.cache is None:
        losses.add("cache_control")
        return
    if dialect.cache == "cache_control":
        wire["cache_control"] = _marker("ephemeral", cache.ttl)
    elif not isinstance(part, Text | Media):
        losses.add("cache_control")
    else:
        if cache.ttl not in _TTLS:
            losses.add("cache_control.ttl")
        wire["prompt_cache_breakpoint"] = {"mode": "explicit", **_TTLS.get(cache.ttl, {})}


def _marker(kind: str, ttl: str | None) -> dict[str, str]:
    return {"type": kind} if ttl is None else {"type": kind, "ttl": ttl}


_TTLS: dict[str | None, dict[str, str]] = {None: {}, "30m": {"ttl": "30m"}, "12h": {"ttl": "12h"}}
"""Lifetimes of OpenAI's breakpoints (openai 3.57); another one becomes the request's own."""


def read_content(raw: msgspec.Raw | None, param: str) -> tuple[AnyPart, ...]:
    """The content of a message: a string is one text, `""` included; null and absence are no part.

    Raises:
        InvalidRequest: it is neither string, list nor null, or one of its parts is malformed.
    """
    if raw is None:
        return ()
    value = read(_CONTENT, raw, param, "a string, a list of parts or null")
    if value is None:
        return ()
    if isinstance(value, str):
        return (Text(text=value),)
    return tuple([read_part(item, f"{param}[{at}]") for at, item in enumerate(value)])


_CONTENT = msgspec.json.Decoder(str | list[msgspec.Raw] | None)


def write_content(parts: list[AnyPart], dialect: ChatDialect, losses: Losses) -> Any:
    """Content as JSON-able values: none is null, a lone plain text a string, all else a list (P-104).

    Raises:
        Unsupported: a part has no place here.
    """
    if not parts:
        return None
    wire = [write_part(part, dialect, losses) for part in parts]
    if len(wire) == 1 and isinstance(parts[0], Text) and len(wire[0]) == 2:
        return parts[0].text
    return wire
