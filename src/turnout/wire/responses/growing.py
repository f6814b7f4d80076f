"""The items of a streamed answer that are under way, and the parts that they become.

Strategy: an item is known by its `output_index`, since some servers change its id between events (recorded). What came
as deltas is counted, so that what a later event states whole (`.done`, the finished item, the final response) only
adds what is missing. A part ends when its item does, or when the next part of the same item begins; what its maker
states at the end of the item is the part as a whole.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from turnout.model import (
    Amend,
    AnyPart,
    Citation,
    Delta,
    Event,
    Opaque,
    PartEnd,
    PartStart,
    Refusal,
    Text,
    Thinking,
    ToolCall,
    merge_extra,
)
from turnout.wire.layers import Members, Raw, open_object, open_string, text

from .content import UNNAMED_PART
from .items import CALLS
from .members import PROTOCOL
from .output import item_extra, item_key, read_item

_replace: Any = msgspec.structs.replace


class Growing:
    """One part under way: its shell, and how much of each of its fields has come."""

    __slots__ = ("came", "index", "open", "shell")

    def __init__(self, index: int, shell: AnyPart) -> None:
        self.index = index
        self.shell = shell
        self.open = True
        self.came: dict[tuple[str, int], int] = {}


class Item:
    """One item under way; `parts` by their place in its content, 0 for items that are one part."""

    __slots__ = ("done", "kind", "output_index", "parts", "row")

    def __init__(self, output_index: int, kind: str, row: Members) -> None:
        self.output_index = output_index
        self.kind = kind
        self.row = row
        self.parts: dict[int, Growing] = {}
        self.done = False


class Items:
    """All items of one answer."""

    def __init__(self, emit: Callable[[Event], None], issuer: str) -> None:
        self._emit = emit
        self._issuer = issuer
        self._items: dict[int, Item] = {}
        self._count = 0
        self.answer_id = ""
        self.parts: list[AnyPart] = []

    # ---- items -----------------------------------------------------------------------------------------------------

    def begin(self, output_index: int, raw: Raw | None, kind: str = "") -> Item:
        """The item at `output_index`, announced by `raw` or by a first event of its kind."""
        item = self._items.get(output_index)
        if item is not None:
            return item
        row = open_object(raw) or {}
        item = Item(output_index, open_string(row.get("type")) or kind or "message", row)
        self._items[output_index] = item
        if raw is not None and item.kind != "message":
            for at, part in enumerate(read_item(raw, output_index, self.answer_id, self._issuer)):
                self._begin_part(item, at, part)
        return item

    def _begin_part(self, item: Item, at: int, part: AnyPart) -> Growing:
        shell = part
        match part:
            case ToolCall():
                said = "" if part.kind == "function" and part.arguments == "{}" else part.arguments
                shell = _replace(part, arguments="")
                growing = self._start(item, at, shell)
                self.add(growing, said, "arguments")
                return growing
            case Thinking():
                shell = _replace(part, text="", summary=())
            case Text() | Refusal():
                shell = _replace(part, text="", **({"citations": ()} if isinstance(part, Text) else {}))
            case _:
                pass
        growing = self._start(item, at, shell)
        self._complete(growing, part)
        return growing

    def _start(self, item: Item, at: int, shell: AnyPart) -> Growing:
        growing = Growing(self._count, shell)
        self._count += 1
        item.parts[at] = growing
        self._emit(PartStart(index=growing.index, part=shell))
        return growing

    # ---- parts -----------------------------------------------------------------------------------------------------

    def part(self, output_index: int, at: int, *, refusal: bool = False) -> Growing:
        """The part at `at` of a message, begun if need be; it ends those before it."""
        item = self.begin(output_index, None)
        return self._content(item, at, Refusal(text="") if refusal else Text(text=""))

    def unnamed(self, output_index: int, at: int, raw: Raw) -> None:
        """A content part of a message, of a type that nobody names, begins."""
        item = self.begin(output_index, None)
        if item.kind == "message":
            kind = open_string((open_object(raw) or {}).get("type")) or "part"
            self._content(item, at, Opaque(protocol=PROTOCOL, kind=kind, body=text(raw), extra=UNNAMED_PART))

    def _content(self, item: Item, at: int, shell: AnyPart) -> Growing:
        growing = item.parts.get(at)
        if growing is not None:
            return growing
        for earlier in item.parts.values():
            self._end(earlier, None)
        shell = _replace(shell, item=item_key(item.row, item.output_index))
        extra = item_extra(item.row)
        if extra is not None and not item.parts:
            shell = _replace(shell, extra=merge_extra(shell.extra, extra))
        return self._start(item, at, shell)

    def lone(self, output_index: int, kind: str) -> Growing | None:
        """The part that an item of `kind` is; `None` when it was announced as another kind."""
        item = self.begin(output_index, None, kind)
        if (item.kind == "reasoning") is not (kind == "reasoning"):
            return None
        if kind == "reasoning" and not item.parts:
            return self._begin_part(item, 0, Thinking())
        return item.parts.get(0) if item.kind in _LONE else None

    def add(self, growing: Growing, words: str, to: Any = "text", at: int = 0) -> None:
        """Append to a field of a part that is open."""
        if not words or not growing.open:
            return
        key = (to, at)
        growing.came[key] = growing.came.get(key, 0) + len(words)
        self._emit(Delta(index=growing.index, text=words, to=to, at=at))

    def state(self, growing: Growing, words: str, to: Any = "text", at: int = 0) -> None:
        """A field as a whole: what of it has not come is appended."""
        self.add(growing, words[growing.came.get((to, at), 0) :], to, at)

    def open_summary(self, growing: Growing, at: int) -> None:
        """A summary begins, perhaps to stay empty."""
        if growing.open and ("summary", at) not in growing.came:
            growing.came["summary", at] = 0
            self._emit(Delta(index=growing.index, text="", to="summary", at=at))

    def cite(self, growing: Growing, citation: Citation) -> None:
        """A source of a text that is open."""
        if growing.open and isinstance(growing.shell, Text):
            self._emit(Amend(index=growing.index, citation=citation))

    def _complete(self, growing: Growing, whole: AnyPart) -> None:
        """Append what `whole` holds and has not come."""
        match whole:
            case Text() | Refusal():
                self.state(growing, whole.text)
            case ToolCall():
                self.state(growing, whole.arguments, "arguments")
            case Thinking():
                self.state(growing, whole.text)
                for at, words in enumerate(whole.summary):
                    self.state(growing, words, "summary", at)
            case _:
                pass

    def _end(self, growing: Growing, whole: AnyPart | None) -> None:
        if not growing.open:
            return
        if whole is not None and type(whole) is type(growing.shell):
            self._complete(growing, whole)
        else:
            whole = None
            if isinstance(growing.shell, ToolCall) and growing.shell.kind == "function" and not growing.came:
                self.add(growing, "{}", "arguments")
        growing.open = False
        self._emit(PartEnd(index=growing.index, whole=whole))

    # ---- ends ------------------------------------------------------------------------------------------------------

    def finish(self, output_index: int, raw: Raw) -> None:
        """The item at `output_index` is complete: `raw` states it whole.

        Raises:
            BrokenStream: it is malformed.
        """
        item = self._items.get(output_index)
        if item is not None and item.done:
            return
        whole = read_item(raw, output_index, self.answer_id, self._issuer)
        item = item or self.begin(output_index, _shell(raw) if _kind(raw) == "message" else raw)
        for at, part in enumerate(whole):
            growing = item.parts.get(at)
            if growing is None:
                growing = self._begin_part(item, at, part)
            self._end(growing, part)
        for growing in item.parts.values():
            self._end(growing, None)
        item.done = True
        self.parts.extend(whole)

    def settle(self, rows: list[Raw]) -> None:
        """The final output: items of which no end, or nothing, was told are taken from it; the others stand.

        Raises:
            BrokenStream: one of them is malformed.
        """
        for at, raw in enumerate(rows):
            item = self._items.get(at)
            if item is None or (not item.done and item.kind == _kind(raw)):
                if item is None and len(rows) == len(self._items):
                    continue  # its items were counted otherwise
                self.finish(at, raw)
        for item in self._items.values():
            if not item.done:
                for growing in item.parts.values():
                    self._end(growing, None)
                self.parts.extend(growing.shell for growing in item.parts.values())
                item.done = True

    def nothing(self) -> None:
        """An answer of nothing is one empty text."""
        if not self._count:
            item = self.begin(0, None)
            growing = self._start(item, 0, Text(text=""))
            self._end(growing, None)


_LONE = frozenset({*CALLS, "reasoning"})


def _kind(raw: Raw) -> str:
    return open_string((open_object(raw) or {}).get("type")) or ""


def _shell(raw: Raw) -> Raw:
    """A message item without its content."""
    row = open_object(raw) or {}
    row.pop("content", None)
    return Raw(msgspec.json.encode(row))
