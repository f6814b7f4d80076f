"""Items of an answer that are one part, as they are shown: calls, reasoning, images, and those that nobody names."""

from typing import TYPE_CHECKING, Any

from turnout.model import AnyPart, Extra, Inline, Media, Opaque, Refusal, Seal, Text, Thinking, ToolCall
from turnout.model.errors import Unsupported
from turnout.wire.layers import open_object, open_string, raw_of

from .content import name_of
from .items import written_content
from .members import form
from .seals import write_seal
from .shapes import OPEN_ITEMS
from .shown import Item, Shown, Wire, delta_ends, own_members
from .shown_message import MessageItem

if TYPE_CHECKING:
    from .writer import Writer


def item_for(part: AnyPart, writer: "Writer") -> Item | None:
    """The item that begins with `part`; `None` for a block of another protocol that is left out.

    Raises:
        Unsupported: this protocol cannot say it.
    """
    match part:
        case Text() | Refusal():
            return MessageItem(part, writer)
        case Opaque(protocol="openai-responses"):
            inside = form(part.extra, "part") is not None
            return MessageItem(part, writer) if inside else OpaqueItem(part, writer)
        case Opaque():
            writer.losses.of_opaque(part)
            return None
        case Thinking():
            return ReasoningItem(part, writer)
        case ToolCall():
            return CallItem(part, writer)
        case Media(kind="image", source=Inline()):
            return ImageItem(part, writer)
        case Media(kind="audio"):
            # Nobody can ask for sound in this protocol, so it came unasked.
            writer.losses.add("audio")
            return None
        case Media():
            raise Unsupported(f"modalities.{part.kind}", f"this protocol has no {part.kind} in an answer")
        case _:
            raise Unsupported(name_of(part))


# ---- calls -------------------------------------------------------------------------------------------------------


class CallItem(Item):
    """A call of a function or of a custom tool."""

    def __init__(self, part: ToolCall, writer: "Writer") -> None:
        self.custom = part.kind == "custom"
        self.prefix = "ctc" if self.custom else "fc"
        super().__init__(part, writer, part.id)
        self.call = part
        self.member = "input" if self.custom else "arguments"

    def begin(self, part: AnyPart) -> Shown:
        """The call begins."""
        shown = _Call(self, self.call)
        self.parts.append(shown)
        shown.complete(self.call)
        return shown

    def _wire(self, words: str, status: str, extra: Extra | None) -> Wire:
        wire: Wire = {
            "id": self.id,
            "type": "custom_tool_call" if self.custom else "function_call",
            "status": status,
            "call_id": self.call.call_id,
            "name": self.call.name,
            self.member: words,
        }
        if self.call.namespace is not None:
            wire["namespace"] = self.call.namespace
        return {**wire, **own_members(extra)}

    def announced(self) -> Wire:
        """The call without what it says."""
        return self._wire("", "in_progress", self.call.extra)

    def finished(self, status: str) -> Wire:
        """The call with all that it says."""
        return self._wire(self.parts[0].text, status, self.parts[0].extra)


class _Call(Shown):
    def __init__(self, item: CallItem, part: ToolCall) -> None:
        super().__init__(item.writer, part)
        self._item = item
        self._kind = "response.custom_tool_call_input" if item.custom else "response.function_call_arguments"
        self._head, self._tail = delta_ends(f"{self._kind}.delta", item.place())

    def add(self, words: str, to: str = "arguments", at: int = 0) -> None:
        super().add(words)
        if words:
            self.writer.emit_delta(self._head, words, self._tail)

    def complete(self, whole: Any) -> None:
        if len(whole.arguments) > self.sent:
            self.add(whole.arguments[self.sent :])

    def close(self) -> None:
        item = self._item
        named = {} if item.custom else {"name": item.call.name}
        self.writer.emit(f"{self._kind}.done", {**item.place(), **named, item.member: self.text})


# ---- reasoning ---------------------------------------------------------------------------------------------------


class ReasoningItem(Item):
    """Reasoning. Raw text that came in this protocol stays raw; that of others is shown as a summary, which is what
    clients of this protocol show."""

    prefix = "rs"

    def __init__(self, part: Thinking, writer: "Writer") -> None:
        super().__init__(part, writer, part.id)
        self.own = form(part.extra, "reasoning") is not None
        self.thought = part

    def begin(self, part: AnyPart) -> Shown:
        """The reasoning begins."""
        shown = _Thought(self, self.thought)
        self.parts.append(shown)
        shown.complete(self.thought)
        return shown

    def announced(self) -> Wire:
        """Reasoning of which nothing is shown yet."""
        return self._wire([], None, self.thought.extra, None)

    def _wire(self, summary: list[Wire], content: Any, extra: Extra | None, seal: Seal | None) -> Wire:
        wire: Wire = {"id": self.id, "type": "reasoning", "summary": summary}
        if content is not None:
            wire["content"] = content
        if seal is not None:
            wire["encrypted_content"] = write_seal(seal)
        return {**wire, **own_members(extra)}

    def finished(self, status: str) -> Wire:
        """The reasoning with all that was shown of it, and its proof."""
        shown = self.parts[0]
        assert isinstance(shown, _Thought)  # noqa: S101 -- `begin` made it
        summary = [{"type": "summary_text", "text": "".join(pieces)} for pieces in shown.sections]
        content = written_content(Thinking(text=shown.text, extra=shown.extra)) if self.own else None
        return self._wire(summary, content, shown.extra, shown.seal)


class _Thought(Shown):
    """Raw text is content part 0; summaries are sections, in the order in which they begin."""

    def __init__(self, item: ReasoningItem, part: Thinking) -> None:
        super().__init__(item.writer, part)
        self.sections: list[list[str]] = []
        self._item = item
        self._places: dict[int, int] = {}
        self._raw = f"response.{self.writer.shape.raw}"
        self._open: int | None = None
        self._sent: dict[int, int] = {}

    def add(self, words: str, to: str = "text", at: int = 0) -> None:
        if to == "summary":
            self._summarize(words, at)
        elif not self._item.own:
            if words:
                self._summarize(words, _RAW)
        elif words:
            self._think(words)

    def _think(self, words: str) -> None:
        place = self._item.place(content_index=0)
        if not self.pieces:
            part = {"type": "reasoning_text", "text": ""}
            self.writer.emit("response.content_part.added", {**place, "part": part})
        super().add(words)
        self.writer.emit(f"{self._raw}.delta", {**place, "delta": words})

    def _summarize(self, words: str, at: int) -> None:
        section = self._places.get(at)
        if section is None:
            self._close_section()
            section = self._places[at] = self._open = len(self.sections)
            self.sections.append([])
            part = {"type": "summary_text", "text": ""}
            self.writer.emit("response.reasoning_summary_part.added", {**self._place(section), "part": part})
        self._sent[at] = self._sent.get(at, 0) + len(words)
        if words:
            self.sections[section].append(words)
            place = {**self._place(section), "delta": words}
            self.writer.emit("response.reasoning_summary_text.delta", place)

    def _place(self, section: int) -> Wire:
        return self._item.place(summary_index=section)

    def _close_section(self) -> None:
        if self._open is None:
            return
        place, words = self._place(self._open), "".join(self.sections[self._open])
        part = {"type": "summary_text", "text": words}
        self.writer.emit("response.reasoning_summary_text.done", {**place, "text": words})
        self.writer.emit("response.reasoning_summary_part.done", {**place, "part": part})
        self._open = None

    def complete(self, whole: Any) -> None:
        sent = self.sent if self._item.own else self._sent.get(_RAW, 0)
        if len(whole.text) > sent:
            self.add(whole.text[sent:])
        for at, words in enumerate(whole.summary):
            if at not in self._places or len(words) > self._sent[at]:
                self._summarize(words[self._sent.get(at, 0) :], at)

    def close(self) -> None:
        self._close_section()
        if not self.pieces:
            return
        place, words = self._item.place(content_index=0), self.text
        part = {"type": "reasoning_text", "text": words}
        self.writer.emit(f"{self._raw}.done", {**place, "text": words})
        self.writer.emit("response.content_part.done", {**place, "part": part})


_RAW = -1
"""The section that shows raw text."""


# ---- what is complete when it begins -----------------------------------------------------------------------------


class OpaqueItem(Item):
    """An item of this protocol that the model does not name, as its maker sends it."""

    def __init__(self, part: Opaque, writer: "Writer") -> None:
        row = open_object(raw_of(part.body)) or {}
        super().__init__(part, writer, open_string(row.get("id")))
        self.body = part.body

    def begin(self, part: AnyPart) -> Shown:
        """The item begins."""
        shown = _Body(self.writer, part)
        self.parts.append(shown)
        return shown

    def announced(self) -> Any:
        """The item as it came first."""
        return self._named(self.body)

    def finished(self, status: str) -> Any:
        """The item as it came last."""
        return self._named(self.parts[0].part.body)

    def _named(self, body: str) -> Any:
        """Types that the shape does not know carry the name of who defined them."""
        prefix = self.writer.shape.prefix
        row = open_object(raw_of(body)) or {}
        kind = open_string(row.get("type")) or "item"
        if not prefix or kind in OPEN_ITEMS or ":" in kind:
            return raw_of(body)
        return {**row, "type": prefix + kind}


class _Body(Shown):
    def complete(self, whole: Any) -> None:
        self.part = whole


class ImageItem(Item):
    """An image that came as a part, as if it had been asked for with OpenAI's tool for it."""

    prefix = "ig"

    def __init__(self, part: Media, writer: "Writer") -> None:
        super().__init__(part, writer, part.id)

    def begin(self, part: AnyPart) -> Shown:
        """The image begins."""
        shown = Shown(self.writer, part)
        self.parts.append(shown)
        return shown

    def announced(self) -> Wire:
        """An image of which nothing is there yet."""
        return {"id": self.id, "type": "image_generation_call", "status": "in_progress", "result": None}

    def finished(self, status: str) -> Wire:
        """The image as base64."""
        part: Any = self.parts[0].part
        result = part.source.data + self.parts[0].text
        return {"id": self.id, "type": "image_generation_call", "status": status, "result": result}
