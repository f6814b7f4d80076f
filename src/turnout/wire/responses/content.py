"""Content parts of messages and of tool outputs, in both directions.

Shapes: `input_text`, `input_image`, `input_file`, `output_text` and `refusal` of openai 3.57, `input_video` of Open
Responses 2026-04-24, and `input_audio` and `text`, which several servers take. Any other type is kept in place.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from turnout.model import AnyPart, File, Inline, Media, Opaque, Refusal, Role, Text, Url
from turnout.model.errors import Unsupported
from turnout.wire.cache import read_cache
from turnout.wire.codec import FORM
from turnout.wire.layers import (
    NULL,
    STRING,
    Members,
    Raw,
    leftover,
    members,
    open_object,
    open_string,
    raw_of,
    read,
    said,
    text,
)
from turnout.wire.losses import Losses
from turnout.wire.media import media_source, media_url

from .citations import is_exact, read_citations, written_citations
from .dialect import ResponsesDialect
from .members import ITEM, PROTOCOL, bag, form, restore, take_cache

Fields = dict[str, Any]
Names = dict[str, str]

_CONTENT: Any = msgspec.json.Decoder(str | list[Raw] | None)
_MARK = FORM + "media"


# ---- reading -----------------------------------------------------------------------------------------------------


def read_content(raw: Raw | None, param: str, role: Role) -> tuple[tuple[AnyPart, ...], bool]:
    """The parts of a content, and whether it was a list; a string is one text, null and absence none.

    Raises:
        InvalidRequest: it is neither string, list nor null, or one of its parts is malformed.
    """
    value = None if raw is None else read(_CONTENT, raw, param, "a string or a list of parts")
    if value is None:
        return (), True
    if isinstance(value, str):
        return (Text(text=value),), False
    return tuple([read_part(item, f"{param}[{at}]", role) for at, item in enumerate(value)]), True


def read_part(raw: Raw, param: str, role: Role) -> AnyPart:
    """One content part.

    Raises:
        InvalidRequest: it is no object, has no type, or lacks what its type needs.
    """
    row = members(raw, param)
    kind = read(STRING, row.pop("type", NULL), f"{param}.type", "a string")
    names: Names = {}
    if kind in _TEXTS:
        return _text(row, param, kind, role, names)
    reader = _READERS.get(kind)
    fields = None if reader is None else reader(row, param)
    if fields is None:
        return Opaque(protocol=PROTOCOL, kind=kind, body=text(raw), extra=UNNAMED_PART)
    kind_of: Any = Refusal if kind == "refusal" else Media
    if kind_of is Media:
        names[_MARK] = "null"
    return kind_of(**fields, **_common(row, names))


UNNAMED_PART = bag({FORM + "part": "null"})
"""Marks what nobody names as the content of a message; without the mark it is an item."""


def text_type(role: Role) -> str:
    """The type of a text that `role` says."""
    return "output_text" if role == "assistant" else "input_text"


_TEXTS = frozenset({"input_text", "output_text", "text"})


def _text(row: Members, param: str, kind: str, role: Role, names: Names) -> Text:
    words = read(STRING, row.pop("text", NULL), f"{param}.text", "a string")
    if kind != text_type(role):
        names[FORM + "type"] = msgspec.json.encode(kind).decode()
    if not row and not names:
        return Text(text=words)
    citations = read_citations(row.get("annotations"))
    if citations is not None:
        raw = row.pop("annotations", NULL)
        if citations and not is_exact(raw, citations):
            names[FORM + "annotations"] = text(raw)
    if row.get("logprobs") in _NONE:
        row.pop("logprobs", None)
    return Text(text=words, citations=citations or (), **_common(row, names))


_NONE = (Raw(b"[]"), NULL)


def _common(row: Members, names: Names) -> Fields:
    """What all parts have in common, from the members that are left of one."""
    cache = take_cache(row, names)
    names.update(leftover(row))
    fields: Fields = {}
    if cache is not None:
        fields["cache"] = cache
    if names:
        fields["extra"] = bag(names)
    return fields


def _refusal(row: Members, param: str) -> Fields:
    return {"text": read(STRING, row.pop("refusal", NULL), f"{param}.refusal", "a string")}


def _image(row: Members, param: str) -> Fields | None:
    fields = _linked(row, param, "image_url", "file_id")
    detail = open_string(row.get("detail"))
    if fields is not None and detail is not None:
        del row["detail"]
        fields["detail"] = detail
    return None if fields is None else {"kind": "image", **fields}


def _file(row: Members, param: str) -> Fields | None:
    fields = _linked(row, param, "file_data", "file_url", "file_id")
    name = open_string(row.get("filename"))
    if fields is not None and name is not None:
        del row["filename"]
        fields["name"] = name
    return None if fields is None else {"kind": "document", **fields}


def _video(row: Members, param: str) -> Fields | None:
    fields = _linked(row, param, "video_url")
    return None if fields is None else {"kind": "video", **fields}


def _linked(row: Members, param: str, *places: str) -> Fields | None:
    """The source of media, in the first of `places` that says something; `None` where several do, or none."""
    given = [name for name in places if said(row.get(name))]
    if len(given) != 1:
        return None
    name = given[0]
    value = read(STRING, row.pop(name), f"{param}.{name}", "a string")
    if name == "file_id":
        return {"source": File(ref=value, owner=PROTOCOL)}
    if name == "file_data" and not value.startswith("data:"):
        return {"source": Inline(media_type="", data=value)}
    return {"source": media_source(value)}


def _audio(row: Members, _param: str) -> Fields | None:
    inner = open_object(row.get("input_audio"))
    data = None if inner is None else open_string(inner.pop("data", None))
    kind = None if inner is None else open_string(inner.pop("format", None))
    if data is None or kind is None or inner:
        return None
    del row["input_audio"]
    return {"kind": "audio", "source": Inline(media_type=_AUDIO_TYPES.get(kind, f"audio/{kind}"), data=data)}


_AUDIO_TYPES = {"mp3": "audio/mpeg"}
_AUDIO_FORMATS = {kind: name for name, kind in _AUDIO_TYPES.items()}
_READERS: dict[str, Callable[[Members, str], Fields | None]] = {
    "refusal": _refusal,
    "input_image": _image,
    "input_file": _file,
    "input_video": _video,
    "input_audio": _audio,
}


# ---- writing -----------------------------------------------------------------------------------------------------


def write_part(part: AnyPart, role: Role, dialect: ResponsesDialect, losses: Losses) -> Any:
    """One content part as JSON-able values.

    Raises:
        Unsupported: this protocol has no place for it.
    """
    losses.of_extra(part.extra)
    if part.seal is not None:
        losses.add("signature")
    match part:
        case Text():
            wire = _write_text(part, role, losses)
        case Refusal():
            wire = {"type": "refusal", "refusal": part.text}
        case Media():
            wire = write_media(part, role, dialect)
        case Opaque(protocol="openai-responses"):
            return raw_of(part.body)
        case _:
            raise Unsupported(name_of(part))
    write_cache(wire, part, dialect, losses)
    _restore_part(wire, part)
    return wire


def name_of(part: AnyPart) -> str:
    """The name under which a part is refused."""
    return part.kind if isinstance(part, Opaque) else str(part.__struct_config__.tag)


def _restore_part(wire: dict[str, Any], part: AnyPart) -> None:
    if part.extra is None or part.extra.protocol != PROTOCOL:
        return
    for name, json in part.extra.members.items():
        if not name.startswith((FORM, ITEM)):
            wire[name.removeprefix("/")] = raw_of(json)


def _write_text(part: Text, role: Role, losses: Losses) -> dict[str, Any]:
    written = form(part.extra, "type")
    kind = text_type(role) if written is None else open_string(raw_of(written))
    wire: dict[str, Any] = {"type": kind, "text": part.text}
    if part.citations:
        if kind == "output_text":
            wire["annotations"] = written_citations(part, losses)
        else:
            losses.add("citations")
    return wire


def write_media(part: Media, role: Role, dialect: ResponsesDialect) -> dict[str, Any]:
    """Media of a user or of a tool.

    Raises:
        Unsupported: this protocol takes no such media, or not there.
    """
    own = form(part.extra, "media") is not None
    if role == "assistant" and not own:
        raise Unsupported(f"messages.{part.kind}", f"an assistant's {part.kind} has no place here")
    match part.kind:
        case "image":
            wire = {"type": "input_image", **_place(part, "image_url")}
            if part.detail is not None or not own:
                wire["detail"] = part.detail or "auto"
        case "document":
            url = "file_url" if isinstance(part.source, Url) else "file_data"
            wire = {"type": "input_file", **_place(part, url), **_named(part, own=own)}
        case "video":
            if not (own or dialect.open):
                raise Unsupported("input_video")
            wire = {"type": "input_video", **_place(part, "video_url")}
        case _:
            source = part.source
            if not own or not isinstance(source, Inline):
                raise Unsupported("input_audio")
            name = _AUDIO_FORMATS.get(source.media_type) or source.media_type.removeprefix("audio/")
            wire = {"type": "input_audio", "input_audio": {"data": source.data, "format": name}}
    return wire


def _named(part: Media, *, own: bool) -> dict[str, str]:
    """The name of a document, which this protocol wants to know beside its bytes."""
    if part.name is not None:
        return {"filename": part.name}
    return {"filename": "document"} if isinstance(part.source, Inline) and not own else {}


def _place(part: Media, member: str) -> dict[str, str]:
    source = part.source
    if isinstance(source, File):
        if source.owner != PROTOCOL:
            raise Unsupported("file_id", "the file belongs to another provider")
        return {"file_id": source.ref}
    if isinstance(source, Inline) and not source.media_type:
        return {member: source.data}
    return {member: media_url(source)}


def write_cache(wire: dict[str, Any], part: Any, dialect: ResponsesDialect, losses: Losses) -> None:
    """The cache breakpoint of `part`, as it came where it still says the same; only what is asked may have one."""
    cache = part.cache
    if cache is None:
        return
    written = form(part.extra, "prompt_cache_breakpoint")
    if written is not None and read_cache(raw_of(written)) == cache:
        wire["prompt_cache_breakpoint"] = raw_of(written)
    elif not dialect.cache or wire.get("type") not in _MARKED:
        losses.add("cache_control")
    else:
        ttl = {} if cache.ttl not in _TTLS else {"ttl": cache.ttl}
        wire["prompt_cache_breakpoint"] = {"mode": "explicit", **ttl}


_TTLS = ("30m", "12h")
_MARKED = frozenset({"input_text", "input_image", "input_file"})
"""What may have a cache breakpoint (OpenAI's schema of 2026-08-21)."""


__all__ = [
    "Fields",
    "Names",
    "name_of",
    "read_content",
    "read_part",
    "restore",
    "write_cache",
    "write_media",
    "write_part",
]
