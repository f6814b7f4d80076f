"""An answer, written: the one place that owns what Responses counts (K27).

Strategy: sequence numbers, output and content indexes, ids and the final output belong to one object. The final output
is made of the items as they were announced, whole answers are what a stream would have ended with, and items end in
the order of their indexes: one that is complete waits for those before it. What is the same in every delta of a part is
written once.
"""

from typing import Any

from turnout.model import (
    Amend,
    Answer,
    AnyPart,
    Batch,
    Delta,
    Event,
    Extra,
    Failed,
    Finish,
    PartEnd,
    PartStart,
    Signal,
    Start,
    Unknown,
    Usage,
    UsageSeen,
    merge_extra,
    unfold,
)
from turnout.model.errors import Cancelled, TurnoutError
from turnout.wire.codec import FORM, Seed
from turnout.wire.layers import open_object, raw_of
from turnout.wire.losses import Losses

from .errors import error_members, failure, frame
from .finish import status_of
from .members import PROTOCOL
from .resource import as_bytes, outcome, overlay, resource
from .shapes import Shape
from .shown import Item, Shown
from .shown_items import item_for
from .usage import write_usage

Wire = dict[str, Any]


class StreamEncoder:
    """Writes the events of one answer as a stream of events; never raises, trouble is the error event."""

    def __init__(self, seed: Seed, shape: Shape) -> None:
        self._writer = Writer(seed, shape)

    @property
    def dropped(self) -> tuple[str, ...]:
        """The names of what was left out so far."""
        return self._writer.losses.names

    def encode(self, batch: Batch) -> bytes:
        """The bytes of one batch; what cannot be said ends the stream with the error event."""
        writer = self._writer
        for event in batch:
            if writer.over:
                break
            try:
                writer.write(event)
            except TurnoutError as error:
                writer.fail(error)
        return writer.taken()


ACTIVITY = "turnout:activity"
"""The type of the event that tells what goes on beside an answer."""


def encode_answer(answer: Answer, seed: Seed, shape: Shape) -> tuple[bytes, tuple[str, ...]]:
    """A whole answer, and the names of what was left out: the response with which its stream would have ended.

    Raises:
        Unsupported: the answer holds what this protocol cannot say.
        BrokenStream: it ended for a reason of another protocol that nobody names.
    """
    writer = Writer(seed, shape, quiet=True)
    for event in unfold(answer):
        writer.write(event)
    return as_bytes(writer.response), writer.losses.names


class Writer:
    """The state of one answer under way; `response` is the one that is announced, and at the end the final one.

    A `quiet` one writes no events, for who only wants the end.
    """

    def __init__(self, seed: Seed, shape: Shape, *, quiet: bool = False) -> None:
        self.shape = shape
        self.losses = Losses(PROTOCOL)
        self.over = False
        self.response: Wire = {}
        self._quiet = quiet
        self._seed = seed
        self._out: list[bytes] = []
        self._number = 0
        self._items: list[Item] = []
        self._ended = 0
        self._shown: dict[int, Shown] = {}
        self._ids: set[str] = set()
        self._usage = Usage()
        self._extra: Extra | None = None

    def taken(self) -> bytes:
        """The bytes since the last call."""
        data = b"".join(self._out)
        self._out.clear()
        return data

    def emit(self, kind: str, members: Wire) -> None:
        """Write one event."""
        if self._quiet:
            return
        self._out.append(frame(kind, self._number, members))
        self._number += 1

    def emit_delta(self, head: bytes, words: str, tail: bytes) -> None:
        """Write one delta: what stands around its number and its text was written before."""
        if self._quiet:
            return
        self._out.append(b"%b%d%b%b%b" % (head, self._number, tail, as_bytes(words), _DELTA_END))
        self._number += 1

    # ---- events ----------------------------------------------------------------------------------------------------

    def write(self, event: Event) -> None:
        """Write one event of the model.

        Raises:
            Unsupported: this protocol cannot say it.
        """
        match event:
            case Delta():
                self._shown[event.index].add(event.text, event.to, event.at)
            case PartStart():
                self._begin_part(event.index, event.part)
            case PartEnd():
                self._shown[event.index].end(event.whole)
                self._end_items()
            case Amend():
                self._shown[event.index].amend(event)
            case UsageSeen():
                self._usage = self._usage.merge(event.usage)
            case Start():
                self._begin(event)
            case Finish():
                self._finish(event)
            case Failed():
                self.fail(event.error)
            case _:
                self._aside(event)

    def _aside(self, event: Signal | Unknown) -> None:
        """What is no part of the answer."""
        if isinstance(event, Unknown):
            if event.protocol == PROTOCOL:
                self._pass_on(event)
            else:
                self.losses.add(event.kind)
        elif event.kind == "activity":
            # Named as Open Responses asks of whoever adds an event; the SDKs pass over it.
            self.emit(ACTIVITY, {"name": event.name, "data": raw_of(event.data)})
        else:
            self.losses.add(event.name or event.kind)

    def _begin(self, start: Start) -> None:
        self.losses.of_extra(start.extra)
        self._extra = start.extra
        self.response = resource(
            self._seed,
            id=start.id,
            model=start.model,
            created=start.created,
            is_open=bool(self.shape.prefix),
        )
        overlay(self.response, start.extra, self._seed)
        for kind in ("response.created", "response.in_progress"):
            self.emit(kind, {"response": self.response})

    def _pass_on(self, event: Unknown) -> None:
        """An event that nobody names, under the next number."""
        row = open_object(raw_of(event.body)) or {}
        for name in ("type", "sequence_number"):
            row.pop(name, None)
        self.emit(event.kind, row)

    # ---- items -----------------------------------------------------------------------------------------------------

    def _begin_part(self, index: int, part: AnyPart) -> None:
        self.losses.of_extra(part.extra)
        last = self._items[-1] if self._items else None
        if last is None or not last.takes(part):
            if last is not None:
                last.sealed = True
                self._end_items()
            item = item_for(part, self)
            if item is None:
                self._shown[index] = Shown(self, part)
                return
            self._items.append(item)
            self.emit("response.output_item.added", {"output_index": item.index, "item": item.announced()})
            last = item
        self._shown[index] = last.begin(part)

    @property
    def next_index(self) -> int:
        """The output index of the next item."""
        return len(self._items)

    def own_id(self, wanted: str | None, made: str) -> str:
        """An id that no other item of this answer has: the one that its maker gave, else a made one."""
        ref = made if not wanted or wanted.startswith(FORM) or wanted in self._ids else wanted
        self._ids.add(ref)
        return ref

    @property
    def response_id(self) -> str:
        """The id of the answer."""
        return str(self.response["id"])

    def _end_items(self, *, status: str = "completed") -> None:
        """End the items that are complete, as far as all before them are."""
        while self._ended < len(self._items) and self._items[self._ended].complete:
            item = self._items[self._ended]
            self._ended += 1
            last = self._ended == len(self._items)
            wire = item.finished(status if last else "completed")
            self.response["output"] = [*self.response["output"], wire]
            self.emit("response.output_item.done", {"output_index": item.index, "item": wire})

    def seal(self, status: str) -> None:
        """No more items come; the last one has this status."""
        if self._items:
            self._items[-1].sealed = True
        self._end_items(status=status)

    # ---- ends ------------------------------------------------------------------------------------------------------

    def _finish(self, event: Finish) -> None:
        self.losses.of_extra(event.extra)
        refused = any(item.refused for item in self._items)
        status, reason = status_of(event.stop, event.stop_raw, refused=refused)
        self.seal("completed" if status == "completed" else "incomplete")
        extra = merge_extra(self._extra, event.extra)
        overlay(self.response, extra, self._seed)
        outcome(self.response, event.metadata, status, reason)
        self.response["usage"] = write_usage(self._usage, extra)
        self.end("incomplete" if status == "incomplete" else "completed")

    def fail(self, error: TurnoutError) -> None:
        """End with an error; one that was cancelled has nobody to tell."""
        if isinstance(error, Cancelled):
            self.over = True
            return
        if not self.response:
            self._begin(Start())
        self.emit("error", error_members(error))
        self.response.update({"status": "failed", "error": failure(error)})
        self.end("failed")

    def end(self, kind: str) -> None:
        """End with the event that holds the response as it is."""
        self.emit(f"response.{kind}", {"response": self.response})
        self.over = True
        if self.shape.done:
            self._out.append(self.shape.done)


_DELTA_END = b"}\n\n"

__all__ = ["StreamEncoder", "Writer", "encode_answer"]
