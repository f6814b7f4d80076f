"""Messages of an answer as they are shown: texts and refusals that stand next to each other."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from turnout.model import Amend, AnyPart, Refusal, Text
from turnout.wire.layers import raw_of

from .citations import write_citation
from .members import ITEM, form
from .shown import Item, Shown, Wire, delta_ends, own_members

if TYPE_CHECKING:
    from .writer import Writer


class MessageItem(Item):
    """A message: texts and refusals that stand next to each other."""

    prefix = "msg"

    def __init__(self, part: AnyPart, writer: "Writer") -> None:
        super().__init__(part, writer, part.item)
        self.key = part.item
        self.extra = part.extra

    def takes(self, part: AnyPart) -> bool:
        """Texts and refusals of the same item."""
        shown = isinstance(part, Text | Refusal) or form(part.extra, "part") is not None
        return not self.sealed and shown and part.item == self.key

    def announced(self) -> Wire:
        """A message without content."""
        return self._wire("in_progress", [])

    def _wire(self, status: str, content: Sequence[Any]) -> Wire:
        extra = self.parts[0].extra if self.parts else self.extra
        return {
            "id": self.id,
            "type": "message",
            "status": status,
            "role": "assistant",
            "content": content,
            **own_members(extra, ITEM),
        }

    def begin(self, part: AnyPart) -> Shown:
        """A content part begins."""
        kind: Any = _Refusal if isinstance(part, Refusal) else _Text if isinstance(part, Text) else _Content
        self.refused = self.refused or kind is _Refusal
        shown = kind(self, part, len(self.parts))
        self.parts.append(shown)
        shown.open()
        return shown

    def finished(self, status: str) -> Wire:
        """The message with all that was said."""
        return self._wire(status, [part.wire() for part in self.parts if isinstance(part, _Content)])


class _Content(Shown):
    """A content part; this one is of a type that nobody names and shown as it came."""

    kind = ""

    def __init__(self, item: MessageItem, part: Any, at: int) -> None:
        super().__init__(item.writer, part)
        self.at = at
        self.where = item.place(content_index=at)
        self.head, self.tail = delta_ends(f"response.{self.kind}.delta", self._delta_place())

    def _delta_place(self) -> Wire:
        return self.where

    def open(self) -> None:
        """Announce the part, and what it holds already."""
        self.writer.emit("response.content_part.added", {**self.where, "part": self.wire()})
        self.complete(self.part)

    def add(self, words: str, to: str = "text", at: int = 0) -> None:
        """More text."""
        super().add(words)
        if words:
            self.writer.emit_delta(self.head, words, self.tail)

    def complete(self, whole: Any) -> None:
        """The rest of a text that its maker states whole."""
        words = getattr(whole, "text", "")
        if len(words) > self.sent:
            self.add(words[self.sent :])

    def wire(self) -> Any:
        """The part as it is now."""
        return raw_of(self.part.body)


class _Text(_Content):
    kind = "output_text"

    def __init__(self, item: MessageItem, part: Text, at: int) -> None:
        super().__init__(item, part, at)
        self.citations: list[Wire] = []

    def _delta_place(self) -> Wire:
        return {**self.where, "logprobs": []}

    def open(self) -> None:
        super().open()
        for citation in self.part.citations:
            self._cite(citation)

    def _cite(self, citation: Any) -> None:
        row = write_citation(citation)
        if row is None:
            self.writer.losses.add("citations")
            return
        at = len(self.citations)
        self.citations.append(row)
        place = {**self.where, "annotation_index": at, "annotation": row}
        self.writer.emit("response.output_text.annotation.added", place)

    def amend(self, event: Amend) -> None:
        super().amend(event)
        if event.citation is not None:
            self._cite(event.citation)

    def complete(self, whole: Any) -> None:
        super().complete(whole)
        if whole is not self.part:
            for citation in whole.citations[len(self.citations) :]:
                self._cite(citation)

    def wire(self) -> Wire:
        members = own_members(self.extra)
        members.pop("annotations", None)
        return {
            "type": "output_text",
            "text": self.text,
            "annotations": list(self.citations),
            "logprobs": [],
            **members,
        }

    def close(self) -> None:
        wire = self.wire()
        place = {**self.where, "text": wire["text"], "logprobs": wire["logprobs"]}
        self.writer.emit("response.output_text.done", place)
        self.writer.emit("response.content_part.done", {**self.where, "part": wire})


class _Refusal(_Content):
    kind = "refusal"

    def wire(self) -> Wire:
        return {"type": "refusal", "refusal": self.text, **own_members(self.extra)}

    def close(self) -> None:
        self.writer.emit("response.refusal.done", {**self.where, "refusal": self.text})
        self.writer.emit("response.content_part.done", {**self.where, "part": self.wire()})
