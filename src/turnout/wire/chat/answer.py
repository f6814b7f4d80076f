"""Whole answers, in both directions."""

from typing import Any

import msgspec

from turnout.model import (
    Answer,
    AnyPart,
    Citation,
    Extra,
    Inline,
    Media,
    Opaque,
    Refusal,
    Seal,
    Text,
    Thinking,
    ToolCall,
    Usage,
    merge_extra,
)
from turnout.model.errors import BrokenStream, Unsupported
from turnout.wire.codec import FORM, Seed

from .content import media_url
from .dialect import ChatDialect
from .errors import error_in
from .finish import failure_of, finish_of, is_legacy, refused, stop_of, word_of
from .google import shown_signature
from .ids import answer_call_id
from .losses import Losses
from .members import BROKEN, NOTHING, PROTOCOL, bag, form, raw_of, restore, said, text
from .pieces import (
    Logprobs,
    arguments_of,
    citations_of,
    images_of,
    kept,
    kind_of,
    metadata_of,
    typed,
    words_of,
)
from .reasoning import Details, spelling, written_words
from .shapes import EMPTY, AnswerShape, AudioShape, CallShape, FunctionShape, MessageShape, read_answer
from .usage import read_usage, write_usage
from .usual import read_usual

Wire = dict[str, Any]

_encode = msgspec.json.Encoder().encode


# ---- reading -----------------------------------------------------------------------------------------------------


def decode_answer(data: bytes, dialect: ChatDialect) -> Answer:
    """A whole answer.

    Raises:
        BrokenStream: the bytes are empty or no chat completion.
        ProviderError: they are an error, whatever the status was.
        Unsupported: they hold several choices.
    """
    return read_usual(data) or layered(data, dialect)


def layered(data: bytes, dialect: ChatDialect) -> Answer:
    """A whole answer, read layer by layer; see `decode_answer`."""
    if not data.strip():
        raise BrokenStream("the provider's answer is empty")
    try:
        shape = read_answer(data)
    except BROKEN:
        raise error_in(data) or BrokenStream("the provider's answer is not a chat completion") from None
    if said(shape.error) or not shape.choices:
        raise error_in(data) or BrokenStream("the provider's answer holds no choice")
    if len(shape.choices) > 1:
        raise Unsupported("n", "an answer of several choices is only passed on")
    return _answer(shape, dialect)


def _answer(shape: AnswerShape, dialect: ChatDialect) -> Answer:
    choice = (shape.choices or [])[0]
    message = choice.message or choice.delta or EMPTY
    word = word_of(choice.finish_reason)
    failure = failure_of(word)
    if failure is not None:
        raise failure
    answer_id = shape.id or ""
    parts = _parts(message, answer_id, dialect)
    called = any(isinstance(part, ToolCall) for part in parts)
    stop, raw, extra = stop_of(word, called, refused(parts))
    names = kept(shape)
    if choice.logprobs is not NOTHING:
        logprobs = Logprobs()
        logprobs.add(choice.logprobs)
        joined = logprobs.json()
        if joined is not None:
            names["logprobs"] = joined
    row = shape.usage or (shape.x_groq.usage if shape.x_groq is not None else None)
    usage = read_usage(row, dialect) if row else None
    return Answer(
        id=answer_id,
        model=shape.model or "",
        created=int(shape.created or 0),
        parts=parts,
        stop=stop,
        stop_raw=raw,
        metadata=metadata_of(shape),
        extra=merge_extra(bag(names), extra),
        usage=usage or Usage(),
    )


def _parts(message: MessageShape, answer_id: str, dialect: ChatDialect) -> tuple[AnyPart, ...]:
    parts = _thinking(message, dialect)
    if isinstance(message.content, str):
        if message.content:
            parts.append(Text(text=message.content))
    else:
        for item in message.content or ():
            _add_typed(parts, item)
    _cite(parts, message)
    if message.refusal:
        parts.append(Refusal(text=message.refusal))
    if message.audio is not None:
        parts.append(sound(message.audio))
    parts.extend(images_of(message.images))
    for call in message.tool_calls or ():
        parts.append(_call(call, answer_id, len(parts)))
    if message.function_call is not None:
        call = CallShape(function=message.function_call)
        mark = Extra(protocol=PROTOCOL, members={FORM + "function_call": "null"})
        parts.append(msgspec.structs.replace(_call(call, answer_id, len(parts)), extra=mark))
    return tuple(parts) or (Text(text=""),)


def _thinking(message: MessageShape, dialect: ChatDialect) -> list[AnyPart]:
    field, words = words_of(message)
    if not words and message.reasoning_details is None:
        return []
    details = Details()
    said = details.add(message.reasoning_details)
    seal = details.seal(dialect.issuer)
    if not (words or said or seal):
        return []
    return [Thinking(text=words or said, seal=seal, extra=spelling(field or "reasoning"))]


def _add_typed(parts: list[AnyPart], item: object) -> None:
    """One element of a content list; adjacent texts and adjacent thoughts are one part, as they are in a stream."""
    kind, words = typed(item)
    last = parts[-1] if parts else None
    if kind == "text":
        if isinstance(last, Text):
            parts[-1] = msgspec.structs.replace(last, text=last.text + words)
        elif words:
            parts.append(Text(text=words))
    elif kind == "thinking":
        if isinstance(last, Thinking):
            parts[-1] = msgspec.structs.replace(last, text=last.text + words)
        elif words:
            parts.append(Thinking(text=words, extra=CONTENT_FORM))
    else:
        parts.append(Opaque(protocol=PROTOCOL, kind=kind_of(item), body=words))


CONTENT_FORM = Extra(protocol=PROTOCOL, members={FORM + "thinking": "null"})
"""Marks thoughts that came as typed parts of the content."""


def _cite(parts: list[AnyPart], message: MessageShape) -> None:
    found = None if message.annotations is None else citations_of(message.annotations)
    if not found:
        return
    for at in reversed(range(len(parts))):
        part = parts[at]
        if isinstance(part, Text):
            parts[at] = msgspec.structs.replace(part, citations=tuple(found))
            return
    parts.append(Text(text="", citations=tuple(found)))


def sound(audio: AudioShape) -> Media:
    """Sound of an answer; its format is what the request asked for and is not said again."""
    names: dict[str, str] = {}
    if said(audio.expires_at) and text(audio.expires_at) != "0":
        names["audio/expires_at"] = text(audio.expires_at)
    source = Inline(media_type="audio/*", data=audio.data or "")
    return Media(
        kind="audio", id=audio.id, source=source, transcript=audio.transcript or None, extra=bag(names)
    )


def _call(shape: CallShape, answer_id: str, index: int) -> ToolCall:
    custom = shape.custom
    function = shape.function or FunctionShape()
    name = function.name if custom is None else custom.name
    if not name:
        raise BrokenStream("the provider's answer calls a tool without naming it")
    arguments = (arguments_of(function.arguments) or "{}") if custom is None else (custom.input or "")
    return ToolCall(
        call_id=shape.id or answer_call_id(answer_id, index),
        name=name,
        arguments=arguments,
        kind="function" if custom is None else "custom",
        extra=call_extra(shape.extra_content),
    )


def call_extra(extra_content: msgspec.Raw) -> Extra | None:
    """What Google's compatible endpoint adds to a call (its thought signature)."""
    return None if extra_content is NOTHING else bag({"extra_content": text(extra_content)})


# ---- writing -----------------------------------------------------------------------------------------------------


def encode_answer(answer: Answer, seed: Seed) -> tuple[bytes, tuple[str, ...]]:
    """A whole answer, and the names of what was left out.

    Reasoning that came in this protocol keeps its spelling; that of others is shown as the member that the seed
    names, and left out without one.

    Raises:
        Unsupported: the answer holds what this protocol cannot say.
        BrokenStream: it ended for a reason of another protocol that nobody names.
    """
    losses = Losses()
    losses.of_extra(answer.extra)
    message: Wire = {"role": "assistant", "content": None, "refusal": None}
    words = _lone_words(answer.parts)
    if words is None:
        _write_parts(answer, message, seed, losses)
    else:
        message["content"] = words
    legacy = "function_call" in message
    choice: Wire = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": finish_of(answer.stop, legacy, answer.extra),
    }
    wire: Wire = {
        "id": answer.id or seed.id,
        "object": "chat.completion",
        "created": answer.created or seed.created,
        "model": answer.model or seed.model,
        "choices": [choice],
    }
    usage = write_usage(answer.usage)
    if usage is not None:
        wire["usage"] = usage
    if answer.metadata:
        wire["metadata"] = answer.metadata
    restore_answer(wire, choice, answer.extra)
    return _encode(wire), losses.names


def _lone_words(parts: tuple[AnyPart, ...]) -> str | None:
    """The words of an answer that is nothing else, as most are."""
    if len(parts) != 1:
        return None
    part = parts[0]
    if not isinstance(part, Text) or part.citations or part.extra is not None or part.seal is not None:
        return None
    return part.text


def _write_parts(answer: Answer, message: Wire, seed: Seed, losses: Losses) -> None:
    listed = any(_is_listed(part) for part in answer.parts if type(part) is not Text)
    writer = _Writer(message, seed, losses, listed)
    for part in answer.parts:
        writer.add(part)
    writer.close()


def restore_answer(wire: Wire, choice: Wire, extra: Extra | None) -> None:
    """Write back what the decoder kept of an answer of this protocol."""
    if extra is None or extra.protocol != PROTOCOL:
        return
    for name, json in extra.members.items():
        if name == "logprobs":
            choice[name] = raw_of(json)
        elif name != "finish_reason":
            wire[name] = raw_of(json)


def _is_listed(part: AnyPart) -> bool:
    """Whether a part came as a typed part of the content, which is a list then."""
    if isinstance(part, Opaque):
        return part.protocol == PROTOCOL
    return isinstance(part, Thinking) and form(part.extra, "thinking") is not None


_BESIDE_WORDS = ("tool_calls", "function_call", "audio")


class _Writer:
    """Writes the parts of an answer into its one message."""

    def __init__(self, message: Wire, seed: Seed, losses: Losses, listed: bool) -> None:
        self._message = message
        self._seed = seed
        self._reasoning = seed.reasoning or None
        self._losses = losses
        self._content: list[Any] = []
        self._listed = listed
        self._length = 0

    def add(self, part: AnyPart) -> None:
        """Write one part."""
        match part:
            case Text():
                self._text(part)
            case Thinking():
                self._thinking(part)
            case Refusal():
                self._message["refusal"] = (self._message["refusal"] or "") + part.text
            case ToolCall():
                self._call(part)
            case Media():
                self._media(part)
            case Opaque(protocol="openai-chat"):
                self._content.append(raw_of(part.body))
            case Opaque():
                self._losses.of_opaque(part)
            case _:
                raise Unsupported(name_of(part))
        if part.extra is not None:
            self._losses.of_extra(part.extra)
        if part.seal is not None and not is_shown(part):
            self._losses.add("signature")

    def _text(self, part: Text) -> None:
        self._content.append({"type": "text", "text": part.text})
        for citation in part.citations:
            row = annotation(citation, 0 if self._listed else self._length)
            if row is None:
                self._losses.add("citations")
            else:
                self._message.setdefault("annotations", []).append(row)
        self._length += len(part.text)

    def _thinking(self, part: Thinking) -> None:
        if _is_listed(part):
            self._content.append(listed_thinking(part.text))
            return
        field = place(part, self._reasoning)
        if field is None:
            self._losses.add("reasoning")
            return
        self._message[field] = self._message.get(field, "") + written_words(part)
        if part.seal is not None and ours(part.seal):
            self._message["reasoning_details"] = raw_of(part.seal.data)

    def _call(self, part: ToolCall) -> None:
        if is_legacy(part):
            self._message["function_call"] = {"name": part.name, "arguments": part.arguments}
            return
        member = "input" if part.kind == "custom" else "arguments"
        wire: Wire = {
            "id": part.call_id,
            "type": part.kind,
            part.kind: {"name": part.name, member: part.arguments},
        }
        restore(wire, part.extra)
        shown_signature(wire, part)
        self._message.setdefault("tool_calls", []).append(wire)

    def _media(self, part: Media) -> None:
        if part.kind == "audio" and isinstance(part.source, Inline):
            self._message["audio"] = sound_wire(part, self._seed)
            restore(self._message, part.extra)
        elif is_image(part):
            self._message.setdefault("images", []).append(image_wire(part))
        else:
            raise Unsupported(f"modalities.{part.kind}", f"this protocol has no {part.kind} in an answer")

    def close(self) -> None:
        """Write the content: a string, a list where parts of other types are in it, null where there is none."""
        if self._listed:
            self._message["content"] = self._content
        elif self._content:
            words = "".join([row["text"] for row in self._content])
            only = self._message.keys().isdisjoint(_BESIDE_WORDS)
            self._message["content"] = words if words or (only and not self._message["refusal"]) else None


# ---- what the stream's encoder writes in the same way ----------------------------------------------------------------


def name_of(part: AnyPart) -> str:
    """The name under which a part is refused."""
    return str(part.__struct_config__.tag)


def ours(seal: Seal) -> bool:
    """Whether a proof was made by a provider that speaks this protocol."""
    return seal.issuer.startswith(PROTOCOL)


def is_shown(part: AnyPart) -> bool:
    """Whether the proof of a part has a place: thoughts of this protocol, calls of Gemini's models."""
    if part.seal is None or not isinstance(part, ToolCall):
        return part.seal is not None and isinstance(part, Thinking) and ours(part.seal)
    return shown_signature({}, part) and not is_legacy(part)


def place(part: Thinking, reasoning: str | None) -> str | None:
    """The member that shows a thought: the one it came as, else the one that the option names."""
    if part.extra is not None and part.extra.protocol == PROTOCOL:
        for name in part.extra.members:
            if name.startswith(FORM + "message."):
                return name.removeprefix(FORM + "message.")
    return reasoning


def listed_thinking(words: str) -> Wire:
    """A thought as a typed part of the content."""
    return {"type": "thinking", "thinking": [{"type": "text", "text": words}]}


def annotation(citation: Citation, offset: int) -> Wire | None:
    """A source as an annotation, `None` where this protocol cannot say it."""
    if citation.kind == "url":
        known = citation.start is not None or citation.end is not None
        body: Wire = {
            "url": citation.url or "",
            "title": citation.title or "",
            "start_index": (citation.start or 0) + offset if known else 0,
            "end_index": (citation.end or 0) + offset if known else 0,
        }
        if citation.quote is not None:
            body["content"] = citation.quote
        return {"type": "url_citation", "url_citation": body}
    if citation.extra is None or citation.extra.protocol != PROTOCOL:
        return None
    row: Wire = {"type": citation.kind}
    restore(row, citation.extra)
    return row


def sound_wire(part: Media, seed: Seed) -> Wire:
    """Sound as this protocol says it; all four members are required (openai 3.57)."""
    data = part.source.data if isinstance(part.source, Inline) else ""
    ref = part.id or f"audio_{seed.id}"
    return {"id": ref, "data": data, "transcript": part.transcript or "", "expires_at": 0}


def is_image(part: Media) -> bool:
    """Whether an image came in this protocol's de facto form and can go back in it."""
    return part.kind == "image" and form(part.extra, "images") is not None


def image_wire(part: Media) -> Wire:
    """An image in the de facto form."""
    return {"type": "image_url", "image_url": {"url": media_url(part.source)}}
