"""An answer, written: whole, or event by event.

Strategy: text goes out as it comes; a call, and whatever is signed, goes out when it is complete, since there is no
place for a half of it. The pieces of one batch are one event. The reason, sources and usage are in the last event;
there is no end mark. Without `alt=sse` the same pieces are the elements of a JSON list.
"""

from typing import Any

import msgspec

from turnout.model import (
    Amend,
    Answer,
    AnyPart,
    Batch,
    Citation,
    Delta,
    Event,
    Extra,
    Finish,
    Folder,
    Media,
    Opaque,
    PartEnd,
    PartStart,
    Refusal,
    Signal,
    Start,
    Text,
    Thinking,
    ToolCall,
    Unknown,
    Usage,
    UsageSeen,
    merge_extra,
    unfold,
)
from turnout.model.errors import BrokenStream, Cancelled, TurnoutError, Unsupported
from turnout.wire.codec import FORM, Seed
from turnout.wire.losses import Losses

from .citations import write_citations
from .errors import error_body, event
from .finish import finish_of
from .members import PROTOCOL, Wire, form, raw_of
from .path import is_sse
from .pieces import (
    call_wire,
    finished,
    is_object,
    media_losses,
    media_wire,
    name_of,
    opaque_wire,
    ours,
    text_wire,
    thinking_wire,
)
from .usage import write_usage

_json = msgspec.json.Encoder().encode


class Writer:
    """Turns the events of an answer into pieces of one."""

    def __init__(self, seed: Seed) -> None:
        self.losses = Losses(PROTOCOL)
        self._seed = seed
        self._start = Start()
        self._whole: dict[int, Folder] = {}
        self._growing: dict[int, bool] = {}
        self._parts: list[Any] = []
        self._texts: dict[int, list[str]] = {}
        self._cited: list[tuple[Citation, int]] = []
        self._usage = Usage()
        self._refusal = ""
        self._cut = False
        self.extra: Extra | None = None

    def one(self, told: Event) -> Wire | None:
        """Take one event; the last piece of the answer where it ends it.

        Raises:
            TurnoutError: the answer says what has no place here.
        """
        match told:
            case Delta():
                self._delta(told)
            case PartStart():
                self._begin(told)
            case PartEnd():
                self._end(told)
            case Amend():
                self._amend(told)
            case UsageSeen():
                self._usage = self._usage.merge(told.usage)
            case Start():
                self.losses.of_extra(told.extra)
                self._start, self.extra = told, told.extra
            case Signal() | Unknown():
                self.losses.add(getattr(told, "name", "") or told.kind)
            case Finish():
                return self._finish(told)
            case _:
                raise told.error
        return None

    def piece(self) -> Wire | None:
        """What has gathered since the last piece, `None` if nothing."""
        if not self._parts:
            return None
        content = {"role": "model", "parts": self._parts}
        self._parts = []
        return self._framed({"candidates": [{"content": content, "index": 0}]})

    def _framed(self, wire: Wire) -> Wire:
        wire["modelVersion"] = self._start.model or self._seed.model
        wire["responseId"] = self._start.id or self._seed.id
        extra = self._start.extra
        if extra is not None and extra.protocol == PROTOCOL and "createTime" in extra.members:
            wire["createTime"] = raw_of(extra.members["createTime"])
        return wire

    # ---- parts -----------------------------------------------------------------------------------------------------

    def _begin(self, told: PartStart) -> None:
        part = told.part
        if isinstance(part, Text | Thinking) and not ours(part.seal) and not _beside(part):
            self._growing[told.index] = isinstance(part, Thinking)
            self.losses.of_extra(part.extra)
            if part.seal is not None:
                self.losses.add("signature")
            self._grow(told.index, part.text)
            return
        folder = self._whole[told.index] = Folder()
        folder.feed(told)

    def _delta(self, told: Delta) -> None:
        if told.index in self._whole:
            self._whole[told.index].feed(told)
            return
        self._grow(told.index, "\n\n" + told.text if told.at and self._fresh(told) else told.text)

    def _fresh(self, told: Delta) -> bool:
        """Whether a summary begins with this."""
        seen = self._texts.setdefault(~told.index, [])
        fresh = len(seen) <= told.at
        while len(seen) <= told.at:
            seen.append("")
        return fresh

    def _grow(self, index: int, words: str) -> None:
        if not words:
            return
        self._texts.setdefault(index, []).append(words)
        thought = self._growing[index]
        last = self._parts[-1] if self._parts else None
        if isinstance(last, _Words) and last.thought is thought:
            last.text += words
        else:
            self._parts.append(_Words(words, thought))

    def _amend(self, told: Amend) -> None:
        self.losses.of_extra(told.extra)
        if told.citation is not None:
            self._cited.append((told.citation, told.index))
        elif told.index in self._whole:
            self._whole[told.index].feed(told)
        elif told.seal is not None:
            self.losses.add("signature")

    def _end(self, told: PartEnd) -> None:
        folder = self._whole.pop(told.index, None)
        if folder is None:
            if told.whole is not None:
                self._rest(told.index, told.whole)
            return
        folder.feed(told)
        part = folder.partial(Finish(stop="unknown")).parts[0]
        if isinstance(part, Text):
            self._texts[told.index] = [part.text]
        self._add_whole(part)

    def _rest(self, index: int, whole: AnyPart) -> None:
        """What a part holds at its end beyond what was shown of it."""
        words = getattr(whole, "text", "") or "\n\n".join(getattr(whole, "summary", ()))
        shown = "".join(self._texts.get(index, ()))
        if words.startswith(shown):
            self._grow(index, words[len(shown) :])
        self._cited += [(citation, index) for citation in getattr(whole, "citations", ())]

    def _add_whole(self, part: AnyPart) -> None:
        match part:
            case Text():
                wire = text_wire(part)
            case Thinking():
                wire = thinking_wire(part)
            case Refusal():
                self.losses.of_extra(part.extra)
                self._refusal += part.text
                return
            case ToolCall():
                wire = self._call(part)
            case Media():
                media_losses(part, self.losses)
                wire = media_wire(part)
            case Opaque(protocol="gemini"):
                self._parts.append(opaque_wire(part))
                return
            case Opaque():
                self.losses.of_opaque(part)
                return
            case _:
                raise Unsupported(name_of(part))
        self._parts.append(finished(wire, part, self.losses))

    def _call(self, part: ToolCall) -> Wire:
        """A call; one that the limit cut inside its arguments is shown as one whose arguments are still to come."""
        if is_object(part.arguments):
            return call_wire(part)
        self._cut = True
        self.losses.add("arguments")
        wire = call_wire(msgspec.structs.replace(part, arguments="{}"))
        del wire["functionCall"]["args"]
        wire["functionCall"]["willContinue"] = True
        return wire

    # ---- the end ---------------------------------------------------------------------------------------------------

    def _finish(self, told: Finish) -> Wire:
        self.losses.of_extra(told.extra)
        if self._cut and told.stop not in ("length", "context_full"):
            raise BrokenStream("the arguments of a call are not a JSON object")
        extra = self.extra = merge_extra(self.extra, told.extra)
        word = finish_of(told.stop, extra)
        wire: Wire = {}
        if form(extra, "candidates") is None or self._parts:
            candidate: Wire = {}
            candidate["content"] = {"role": "model", "parts": self._parts or [{"text": ""}]}
            self._parts = []
            candidate["finishReason"] = word
            candidate["index"] = 0
            if self._refusal:
                candidate["finishMessage"] = self._refusal
            self._sources(candidate, extra)
            wire["candidates"] = [candidate]
        usage = write_usage(self._usage)
        if usage is not None:
            wire["usageMetadata"] = usage
        self._framed(wire)
        _restore(wire, extra)
        if told.metadata:
            self.losses.add("metadata")
        return wire

    def _sources(self, candidate: Wire, extra: Extra | None) -> None:
        names = extra.members if extra is not None and extra.protocol == PROTOCOL else {}
        if "candidates/groundingMetadata" in names or "candidates/citationMetadata" in names:
            return
        texts = {index: "".join(words) for index, words in self._texts.items()}
        grounding = write_citations([(cited, texts.get(index, "")) for cited, index in self._cited])
        if grounding is not None:
            candidate["groundingMetadata"] = grounding
        if any(cited.url is None for cited, _ in self._cited):
            self.losses.add("citations")


class _Words(dict[str, Any]):
    """A text or thought that grows until its piece is written."""

    def __init__(self, words: str, thought: bool) -> None:
        super().__init__(text=words)
        self.thought = thought
        if thought:
            self["thought"] = True

    @property
    def text(self) -> str:
        """The words so far."""
        return self["text"]

    @text.setter
    def text(self, words: str) -> None:
        self["text"] = words


def _beside(part: Text | Thinking) -> bool:
    """Whether a part of this protocol carries fields beside its text."""
    extra = part.extra
    return (
        extra is not None
        and extra.protocol == PROTOCOL
        and any(not name.startswith(FORM) for name in extra.members)
    )


def _restore(wire: Wire, extra: Extra | None) -> None:
    """Write back what the decoder kept of an answer of this protocol."""
    if extra is None or extra.protocol != PROTOCOL:
        return
    for name, json in extra.members.items():
        head, slash, tail = name.partition("/")
        if name.startswith(FORM):
            continue
        if not slash:
            wire[name] = raw_of(json)
        elif head == "candidates":
            wire.setdefault("candidates", [{}])[0][tail] = raw_of(json)
        else:
            wire.setdefault(head, {})[tail] = raw_of(json)


def encode_answer(answer: Answer, seed: Seed) -> tuple[bytes, tuple[str, ...]]:
    """A whole answer, and the names of what was left out.

    Raises:
        Unsupported: the answer holds what this protocol cannot say.
        BrokenStream: it ended for a reason of another protocol that nobody names, or calls with no JSON object.
    """
    writer = Writer(seed)
    wire: Wire = {}
    for told in unfold(answer):
        wire = writer.one(told) or wire
    return _json(wire), writer.losses.names


class StreamEncoder:
    """Writes the events of one answer as a stream, in the form that the client's call asks for."""

    def __init__(self, seed: Seed) -> None:
        self._writer = Writer(seed)
        source = None if seed.request is None else seed.request.source
        self._events = source is None or source.protocol != PROTOCOL or is_sse(source.query)
        self.content_type = b"text/event-stream; charset=utf-8" if self._events else b"application/json"
        self._begun = False
        self._over = False

    @property
    def dropped(self) -> tuple[str, ...]:
        """The names of what was left out so far."""
        return self._writer.losses.names

    def encode(self, batch: Batch) -> bytes:
        """The bytes of one batch; what cannot be said ends the stream with the error."""
        out: list[bytes] = []
        last: Wire | None = None
        for told in batch:
            if self._over:
                break
            try:
                last = self._writer.one(told)
            except Cancelled:
                self._over = True
            except TurnoutError as error:
                self._piece(self._writer.piece(), out)
                self._over = True
                self._write(error_body(error), out)
                self._end(out)
            if last is not None:
                self._over = True
        if last is not None:
            self._piece(last, out)
            self._end(out)
        elif not self._over:
            self._piece(self._writer.piece(), out)
        return b"".join(out)

    def _piece(self, wire: Wire | None, out: list[bytes]) -> None:
        if wire is not None:
            self._write(_json(wire), out)

    def _write(self, data: bytes, out: list[bytes]) -> None:
        if self._events:
            out.append(event(data))
        else:
            out.append((b",\r\n" if self._begun else b"[") + data)
        self._begun = True

    def _end(self, out: list[bytes]) -> None:
        if not self._events:
            out.append(b"]")
