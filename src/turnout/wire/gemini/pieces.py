"""Parts as they are written, in requests and answers alike."""

import msgspec

from turnout.model import (
    AnyPart,
    Extra,
    File,
    Inline,
    Json,
    Media,
    Opaque,
    Part,
    Seal,
    Text,
    Thinking,
    ToolCall,
    Url,
)
from turnout.model.errors import Unsupported
from turnout.wire.losses import Losses

from .members import BROKEN, OBJECT, PROTOCOL, Wire, form, raw_of, restore
from .parts import guessed


def is_object(json: Json) -> bool:
    """Whether arguments are a JSON object, which is all that this protocol can carry."""
    try:
        OBJECT.decode(json)
    except BROKEN:
        return False
    return True


def ours(seal: Seal | None) -> bool:
    """Whether a proof was made by a service that speaks this protocol."""
    return seal is not None and seal.issuer == PROTOCOL


def kept(extra: Extra | None) -> bool:
    """Whether a part came in this protocol with more than its content."""
    return extra is not None and extra.protocol == PROTOCOL


def sealed(wire: Wire, part: Part, losses: Losses) -> Wire:
    """`wire` with the part's signature, unless another protocol made it."""
    if part.seal is not None and ours(part.seal):
        wire["thoughtSignature"] = part.seal.data
    elif part.seal is not None:
        losses.add("signature")
    return wire


def finished(wire: Wire, part: Part, losses: Losses) -> Wire:
    """`wire` with all that a part carries beside its content."""
    sealed(wire, part, losses)
    losses.of_extra(part.extra)
    if part.cache is not None:
        losses.add("cache_control")
    restore(wire, part.extra)
    return wire


def text_wire(part: Text) -> Wire:
    """A text."""
    return {"text": part.text}


def thinking_wire(part: Thinking) -> Wire:
    """A thought; summaries are what this protocol shows of thoughts anyway."""
    return {"text": part.text or "\n\n".join(part.summary), "thought": True}


def call_wire(part: ToolCall) -> Wire:
    """A call; the id is left out where the call came without one.

    Raises:
        Unsupported: a tool that takes free text, or is grouped under a name.
    """
    if part.kind == "custom":
        raise Unsupported("custom", f"the tool {part.name} takes free text, which has no place here")
    if part.namespace is not None:
        raise Unsupported("namespace", f"the tool {part.name} is grouped, which has no place here")
    call: Wire = {"name": part.name, "args": raw_of(part.arguments)}
    if form(part.extra, "id") is None:
        call["id"] = part.call_id
    return {"functionCall": call}


def media_wire(part: Media) -> Wire:
    """Media.

    Raises:
        Unsupported: it is another provider's file.
    """
    source = part.source
    if isinstance(source, Inline):
        name, inner = "inlineData", {"mimeType": source.media_type, "data": source.data}
    else:
        name, inner = "fileData", {"fileUri": _uri(source)}
        media_type = source.media_type or guessed(inner["fileUri"])
        if media_type is not None:
            inner["mimeType"] = media_type
    if part.name is not None:
        inner["displayName"] = part.name
    return {name: inner}


def _uri(source: Url | File) -> str:
    if isinstance(source, Url):
        return source.url
    if source.owner not in (None, PROTOCOL):
        raise Unsupported("file", "the file belongs to another provider")
    return source.ref


def media_losses(part: Media, losses: Losses) -> None:
    """Note what media say beside themselves and this protocol has no place for."""
    if part.detail not in (None, "auto"):
        losses.add("detail")
    for name in ("transcript", "context"):
        if getattr(part, name) is not None:
            losses.add(name)


def opaque_wire(part: Opaque) -> msgspec.Raw:
    """A part that nobody names, as it came.

    Raises:
        Unsupported: it is another protocol's.
    """
    if part.protocol != PROTOCOL:
        raise Unsupported(part.kind)
    return raw_of(part.body)


def name_of(part: AnyPart) -> str:
    """The name under which a part is refused."""
    if isinstance(part, Opaque):
        return part.kind
    return str(part.__struct_config__.tag)
