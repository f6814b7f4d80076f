"""A streamed answer, written: the one place that knows the grammar of its events (K26).

`message_start (content_block_start content_block_delta* content_block_stop)* message_delta message_stop`, or `error`
in the place of the end. Blocks are numbered 0, 1, 2; one is open at a time. A block opens when there is something to
put into it and closes when another part starts, so that no empty block is ever written. Text of a part whose block is
closed opens another block; a closed call cannot go on, and that is an error.
"""

from typing import Any

import msgspec

from turnout.model import (
    Amend,
    Batch,
    Citation,
    Delta,
    Event,
    Extra,
    Failed,
    Finish,
    Media,
    Opaque,
    PartEnd,
    PartStart,
    Refusal,
    Seal,
    Signal,
    Start,
    Text,
    Thinking,
    ToolCall,
    Unknown,
    Usage,
    UsageSeen,
    merge_extra,
)
from turnout.model.errors import BrokenStream, Cancelled, TurnoutError, Unsupported
from turnout.wire import sse
from turnout.wire.codec import Seed
from turnout.wire.layers import raw_of
from turnout.wire.losses import Losses

from .answer import call_shell, restore_message, stop_details
from .citations import write_citation
from .errors import error_event
from .members import PROTOCOL, Wire, restore
from .stop import word_of
from .usage import write_usage

_json = msgspec.json.Encoder().encode
_FIELDS = {
    "text": (b"text_delta", b"text"),
    "thinking": (b"thinking_delta", b"thinking"),
    "call": (b"input_json_delta", b"partial_json"),
}


class _Shown:
    """A part under way and the block that shows it; `block` is -1 while none is open."""

    __slots__ = ("block", "citations", "closed", "head", "kind", "part", "seal", "sent")

    def __init__(self, part: Any, kind: str) -> None:
        self.part: Any = part
        self.kind = kind
        self.block = -1
        self.closed = False
        self.head = b""
        self.sent = 0
        self.seal: Seal | None = part.seal
        self.citations: list[Citation] = []


class StreamWriter:
    """Writes the events of one answer; what cannot be said ends the stream with the error event."""

    def __init__(self, seed: Seed) -> None:
        self._seed = seed
        self._losses = Losses(PROTOCOL)
        self._shown: dict[int, _Shown] = {}
        self._open: _Shown | None = None
        self._blocks = 0
        self._usage = Usage()
        self._extra: Extra | None = None
        self._refused: list[str] = []
        self._category: str | None = None
        self._started = False
        self._over = False

    @property
    def dropped(self) -> tuple[str, ...]:
        """The names of what was left out so far."""
        return self._losses.names

    def encode(self, batch: Batch) -> bytes:
        """The bytes of one batch."""
        out: list[bytes] = []
        for event in batch:
            if self._over:
                break
            try:
                if type(event) is Delta:
                    self._delta(event, out)
                else:
                    self._rare(event, out)
            except TurnoutError as error:
                self._over = True
                out.append(error_event(error))
        return b"".join(out)

    # -- events ------------------------------------------------------------------------------------------------------

    def _rare(self, event: Event, out: list[bytes]) -> None:
        match event:
            case PartStart():
                self._part(event, out)
            case PartEnd():
                self._part_end(event, out)
            case Amend():
                self._amend(event, out)
            case UsageSeen():
                self._usage = self._usage.merge(event.usage)
            case Start():
                self._begin(event, out)
            case Unknown(protocol="anthropic-messages", kind=kind, body=body):
                out.append(sse.write(body.encode(), kind))
            case Signal() | Unknown():
                self._losses.add(getattr(event, "name", "") or event.kind)
            case Finish():
                self._finish(event, out)
            case Failed() if not isinstance(event.error, Cancelled):
                out.append(error_event(event.error))
                self._over = True
            case _:
                self._over = True

    def _begin(self, start: Start, out: list[bytes]) -> None:
        self._losses.of_extra(start.extra)
        self._started = True
        self._extra = start.extra
        message: Wire = {
            "id": start.id or self._seed.id,
            "type": "message",
            "role": "assistant",
            "model": start.model or self._seed.model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": write_usage(self._usage, start.extra),
        }
        restore_message(message, start.extra)
        out.append(_event("message_start", {"message": message}))

    # -- blocks ------------------------------------------------------------------------------------------------------

    def _part(self, event: PartStart, out: list[bytes]) -> None:
        part = event.part
        self._close(out)
        match part:
            case Text():
                shown = _Shown(part, "text")
                shown.citations.extend(part.citations)
            case Thinking(seal=seal) if seal is not None and seal.issuer == PROTOCOL:
                shown = _Shown(part, "thinking")
            case ToolCall():
                shown = _Shown(part, "call")
                self._open_block(shown, call_shell(part), out)
            case Refusal():
                shown = _Shown(part, "refusal")
                self._category = part.category
            case Opaque(protocol="anthropic-messages"):
                shown = _Shown(part, "verbatim")
            case Opaque():
                shown = _Shown(part, "")
                self._losses.of_opaque(part)
            case Thinking():
                shown = _Shown(part, "")
                self._losses.add("reasoning")
            case Media():
                shown = _Shown(part, "")
                self._losses.add(f"modalities.{part.kind}")
            case _:
                kind = str(part.__struct_config__.tag)
                raise Unsupported(kind, "this protocol has no place for it in an answer")
        if not isinstance(part, Opaque):
            self._losses.of_extra(part.extra)
        self._shown[event.index] = shown
        self._payload(part, shown, out)

    def _payload(self, part: Any, shown: _Shown, out: list[bytes]) -> None:
        """What a part holds already when it starts, or holds more than was sent when it ends."""
        text = part.arguments if isinstance(part, ToolCall) else getattr(part, "text", "")
        if len(text) > shown.sent:
            self._add(shown, text[shown.sent :], out)

    def _open_block(self, shown: _Shown, block: Any, out: list[bytes]) -> None:
        self._close(out)
        shown.block = number = self._blocks
        self._blocks += 1
        self._open = shown
        out.append(_event("content_block_start", {"index": number, "content_block": block}))
        fields = _FIELDS.get(shown.kind)
        if fields is not None:
            shown.head = (
                b"event: content_block_delta\ndata: "
                b'{"type":"content_block_delta","index":%d,"delta":{"type":"%b","%b":' % (number, *fields)
            )

    def _close(self, out: list[bytes]) -> None:
        """Close the open block, with what proves it."""
        shown = self._open
        if shown is None:
            return
        if shown.kind == "thinking" and shown.seal is not None:
            proof = {"type": "signature_delta", "signature": shown.seal.data}
            out.append(_event("content_block_delta", {"index": shown.block, "delta": proof}))
        out.append(_event("content_block_stop", {"index": shown.block}))
        shown.block = -1
        shown.closed = True
        self._open = None

    def _delta(self, event: Delta, out: list[bytes]) -> None:
        shown = self._shown[event.index]
        if event.text and event.to != "summary":
            self._add(shown, event.text, out)

    def _add(self, shown: _Shown, text: str, out: list[bytes]) -> None:
        shown.sent += len(text)
        if shown.block < 0 and not self._reopen(shown, text, out):
            return
        out.append(shown.head + _json(text) + b"}}\n\n")

    def _reopen(self, shown: _Shown, text: str, out: list[bytes]) -> bool:
        """Open the block of a part that has none; whether the text goes into it."""
        match shown.kind:
            case "text":
                self._open_block(shown, self._shell(shown), out)
                self._cite(shown, out)
            case "thinking":
                if shown.closed:
                    raise BrokenStream("the provider's reasoning goes on after something else")
                self._open_block(shown, self._shell(shown), out)
            case "call":
                raise BrokenStream("the provider's answer goes on with a call that had ended")
            case "refusal":
                self._refused.append(text)
                return False
            case _:
                return False
        return True

    @staticmethod
    def _shell(shown: _Shown) -> Wire:
        if shown.kind == "text":
            wire: Wire = {"type": "text", "text": ""}
        else:
            wire = {"type": "thinking", "thinking": "", "signature": ""}
        restore(wire, shown.part.extra)
        return wire

    def _cite(self, shown: _Shown, out: list[bytes]) -> None:
        for citation in shown.citations:
            row = write_citation(citation)
            if row is None:
                self._losses.add("citations")
            else:
                delta = {"type": "citations_delta", "citation": row}
                out.append(_event("content_block_delta", {"index": shown.block, "delta": delta}))
        shown.citations.clear()

    def _amend(self, event: Amend, out: list[bytes]) -> None:
        shown = self._shown[event.index]
        self._losses.of_extra(event.extra)
        if event.seal is not None:
            shown.seal = event.seal
        if event.citation is not None:
            shown.citations.append(event.citation)
            if shown.block >= 0:
                self._cite(shown, out)

    def _part_end(self, event: PartEnd, out: list[bytes]) -> None:
        shown = self._shown.pop(event.index)
        whole = event.whole
        if whole is not None:
            self._payload(whole, shown, out)
            shown.seal = whole.seal or shown.seal
        part: Any = shown.part if whole is None else whole
        if shown.kind == "verbatim":
            self._open_block(shown, raw_of(part.body), out)
        elif shown.kind == "thinking" and not shown.closed and shown.block < 0:
            self._open_block(shown, self._bare(shown), out)
        elif shown.kind not in ("thinking", "") and shown.seal is not None:
            self._losses.add("signature")
        if shown.citations:
            self._losses.add("citations")
        if self._open is shown:
            self._close(out)

    def _bare(self, shown: _Shown) -> Wire:
        """The block of a thought that has a proof and no text."""
        seal = shown.seal
        if seal is not None and seal.kind == "redacted":
            shown.kind = "verbatim"
            wire: Wire = {"type": "redacted_thinking", "data": seal.data}
            restore(wire, shown.part.extra)
            return wire
        return self._shell(shown)

    # -- the end -----------------------------------------------------------------------------------------------------

    def _finish(self, event: Finish, out: list[bytes]) -> None:
        self._losses.of_extra(event.extra)
        if event.metadata:
            self._losses.add("metadata")
        word = word_of(event.stop, event.extra)
        self._close(out)
        extra = merge_extra(self._extra, event.extra)
        delta: Wire = {"stop_reason": word, "stop_sequence": event.stop_sequence}
        details = stop_details(event.extra, "".join(self._refused), self._category)
        if details is not None:
            delta["stop_details"] = details
        restore_message(delta, event.extra)
        usage = write_usage(self._usage, extra, counted=False)
        usage.pop("cache_creation", None)
        out.append(_event("message_delta", {"delta": delta, "usage": usage}))
        out.append(_event("message_stop", {}))
        self._over = True


def _event(kind: str, members: Wire) -> bytes:
    return sse.write(_json({"type": kind, **members}), kind)
