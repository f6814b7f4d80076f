"""What the items of an answer and their parts have in common while they are shown."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from turnout.model import Amend, AnyPart, Extra, Seal, Thinking, merge_extra
from turnout.wire.codec import FORM
from turnout.wire.layers import raw_of

from .ids import digest
from .members import ITEM, PROTOCOL
from .resource import as_bytes

if TYPE_CHECKING:
    from .writer import Writer

Wire = dict[str, Any]


class Shown:
    """A part under way. This one shows nothing; the others say how their text is shown."""

    def __init__(self, writer: "Writer", part: AnyPart) -> None:
        self.writer = writer
        self.part: Any = part
        self.ended = False
        self.extra = part.extra
        self.seal: Seal | None = part.seal
        self.pieces: list[str] = []
        self.sent = 0

    def add(self, words: str, to: str = "text", at: int = 0) -> None:
        """Append to a field of the part."""
        self.pieces.append(words)
        self.sent += len(words)

    def amend(self, event: Amend) -> None:
        """What comes beside the text."""
        if event.extra is not None:
            self.writer.losses.of_extra(event.extra)
            self.extra = merge_extra(self.extra, event.extra)
        if event.seal is not None:
            self.seal = event.seal

    def end(self, whole: AnyPart | None) -> None:
        """The part is complete; `whole` is how its maker states it."""
        if whole is not None:
            self.extra = merge_extra(self.extra, whole.extra)
            self.seal = whole.seal or self.seal
            self.complete(whole)
        self.ended = True
        if self.seal is not None and not isinstance(self.part, Thinking):
            self.writer.losses.add("signature")
        self.close()

    def complete(self, whole: AnyPart) -> None:
        """Append what `whole` holds and was not shown."""

    def close(self) -> None:
        """Say that the part is complete."""

    @property
    def text(self) -> str:
        """What was shown."""
        return "".join(self.pieces)


class Item(ABC):
    """One item of the output; `sealed`: no more parts come."""

    prefix = ""

    def __init__(self, part: AnyPart, writer: "Writer", wanted: str | None) -> None:
        self.writer = writer
        self.index = writer.next_index
        self.sealed = False
        self.refused = False
        self.parts: list[Shown] = []
        made = f"{self.prefix}_{digest(f'{writer.response_id}/{self.index}')}"
        self.id = writer.own_id(wanted, made)

    def takes(self, part: AnyPart) -> bool:
        """Whether `part` belongs to this item."""
        return False

    @abstractmethod
    def begin(self, part: AnyPart) -> Shown:
        """A part of the item begins."""

    @property
    def complete(self) -> bool:
        """Whether nothing is added to the item any more."""
        return self.sealed and all(part.ended for part in self.parts)

    @abstractmethod
    def announced(self) -> Any:
        """The item as it begins."""

    @abstractmethod
    def finished(self, status: str) -> Any:
        """The item as it ended."""

    def place(self, **more: Any) -> Wire:
        """Where an event about this item belongs."""
        return {"item_id": self.id, "output_index": self.index, **more}


def delta_ends(kind: str, place: Wire) -> tuple[bytes, bytes]:
    """What stands before the number of a delta, and between it and the text."""
    head = b'event: %b\ndata: {"type":%b,"sequence_number":' % (kind.encode(), as_bytes(kind))
    return head, b"," + as_bytes(place)[1:-1] + b',"delta":'


def own_members(extra: Extra | None, prefix: str = "") -> Wire:
    """The members of this protocol in an `Extra` that belong to the object named by `prefix`."""
    if extra is None or extra.protocol != PROTOCOL:
        return {}
    return {
        name.removeprefix(prefix).removeprefix("/"): raw_of(json)
        for name, json in extra.members.items()
        if name.startswith(prefix) and not name.startswith(FORM) and (prefix or not name.startswith(ITEM))
    }
