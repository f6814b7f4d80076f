"""A streamed answer, read.

Strategy: every event is a small Struct; what it adds becomes events in normal form at once. Blocks are told apart by
their index. The answer ends with `message_stop`, or with the end of the bytes after a stop reason; anything else is a
cut, and a cut never looks finished (K23). What broken upstreams were recorded to do is survived: a second
`message_start`, blocks that never stop.
"""

from typing import Any, cast

import msgspec

from turnout.model import (
    Amend,
    Batch,
    Delta,
    Finish,
    Json,
    Opaque,
    PartEnd,
    PartStart,
    Start,
    Text,
    Thinking,
    ToolCall,
    Unknown,
    Usage,
    UsageSeen,
)
from turnout.model.errors import BrokenStream, ProviderError, TurnoutError
from turnout.wire import sse
from turnout.wire.failures import error_in
from turnout.wire.layers import BROKEN, NOTHING, Members, open_object, open_string, raw_of, said, text
from turnout.wire.telling import Telling

from .answer import answer_part, message_extra, refusal_of, usage_row
from .blocks import signature
from .citations import read_citation
from .members import PROTOCOL, bag
from .shapes import EVENT, RAW_DELTA, DeltaShape, EventShape
from .stop import stop_of
from .usage import beside_usage, read_usage

_replace: Any = msgspec.structs.replace
_NO_USAGE = Usage()


class _Block:
    """A block under way: its part, and what of it cannot be told before its end."""

    __slots__ = ("body", "grew", "index", "kind", "pieces", "proof", "start")

    def __init__(self, index: int, kind: type, start: Json, body: Members | None) -> None:
        self.index = index
        self.kind = kind
        self.start = start
        self.pieces: list[str] = []
        self.proof = ""
        self.body = body
        self.grew = False


class StreamDecoder(Telling):
    """The decoder of one streamed answer; never raises, trouble is `Failed`."""

    def __init__(self) -> None:
        super().__init__()
        self._parser = sse.Parser()
        self._blocks: dict[int, _Block] = {}
        self._count = 0
        self._last_call = False
        self._usage: dict[str, Any] = {}
        self._told = _NO_USAGE
        self._word: str | None = None
        self._sequence: str | None = None
        self._details: msgspec.Raw = NOTHING
        self._late: dict[str, Json] = {}

    # -- the face of a decoder ---------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> Batch:
        """The events that `data` completes."""
        if self._over:
            return ()
        try:
            frames = self._parser.feed(data)
        except BrokenStream as error:
            self._fail(error)
            return self._flush()
        return self._frames(frames)

    def close(self) -> Batch:
        """The events that the end of the bytes completes; the terminal one if none came before."""
        if self._over:
            return ()
        try:
            batch = self._frames(self._parser.close())
        except BrokenStream as error:
            self._fail(error)
            return self._flush()
        if not self._over:
            if self._word is not None:
                self._finish()
            elif self._started:
                self._fail(BrokenStream("the provider's answer was cut"))
            else:
                self._fail(BrokenStream("the provider's answer holds no events"))
        return (*batch, *self._flush())

    def fail(self, error: TurnoutError) -> Batch:
        """The events of an answer that broke; one that had its stop reason already is complete."""
        if self._over:
            return ()
        if self._word is not None and isinstance(error, BrokenStream):
            self._finish()
        else:
            self._fail(error)
        return self._flush()

    # -- frames ------------------------------------------------------------------------------------------------------

    def _frames(self, frames: list[sse.Frame]) -> Batch:
        for frame in frames:
            try:
                self._frame(frame)
            except BrokenStream as error:
                self._fail(error)
            if self._over:
                break
        return self._flush()

    def _frame(self, frame: sse.Frame) -> None:
        data = frame.data
        try:
            event = EVENT.decode(data)
        except BROKEN:
            raise BrokenStream("the provider sent an event that is not of this protocol") from None
        kind = event.type
        if kind == "content_block_delta":
            self._delta(event, data)
        elif kind == "content_block_start":
            self._block_start(event)
        elif kind == "content_block_stop":
            self._block_stop(event.index)
        else:
            self._rare(kind, event, frame)

    def _rare(self, kind: str, event: EventShape, frame: sse.Frame) -> None:
        data = frame.data
        match kind:
            case "message_start":
                self._message_start(event)
            case "message_delta":
                self._message_delta(event, data)
            case "message_stop":
                self._finish()
            case "ping":
                pass
            case "error":
                self._fail(error_in(data) or ProviderError("the provider reported an error"))
            case _ if frame.event == "error" or not kind:
                error = error_in(data)
                self._fail(error or BrokenStream("the provider sent an event that is not of this protocol"))
            case _ if self._started:
                self._emit(Unknown(protocol=PROTOCOL, kind=kind, body=data.decode("utf-8", "replace")))
            case _:
                pass

    # -- the message -------------------------------------------------------------------------------------------------

    def _message_start(self, event: EventShape) -> None:
        row = open_object(event.message) or {}
        if self._started:
            return
        self._started = True
        self._emit(
            Start(
                id=open_string(row.get("id")) or "",
                model=open_string(row.get("model")) or "",
                extra=bag(message_extra(row)),
            )
        )
        self._see_usage(row.get("usage"))

    def _see_usage(self, raw: msgspec.Raw | None) -> None:
        """Counts are cumulative; the later one that is said wins."""
        self._usage.update({name: value for name, value in usage_row(raw).items() if value is not None})
        usage = read_usage(self._usage)
        if usage != self._told:
            self._told = usage
            self._emit(UsageSeen(usage=usage))

    def _message_delta(self, event: EventShape, data: bytes) -> None:
        self._need_start()
        if event.usage is not NOTHING:
            self._see_usage(event.usage)
        delta = event.delta
        if delta is None:
            return
        if delta.stop_reason is not None:
            self._word = delta.stop_reason
        if delta.stop_sequence is not None:
            self._sequence = delta.stop_sequence
        if said(delta.stop_details):
            self._details = delta.stop_details
        row = RAW_DELTA.decode(data).delta
        self._late.update(message_extra(row))

    def _need_start(self) -> None:
        if not self._started:
            raise BrokenStream("the provider's answer begins in the middle")

    def _finish(self) -> None:
        self._need_start()
        for index in sorted(self._blocks):
            self._block_stop(index)
        stop, raw, extra = stop_of(self._word, self._last_call)
        names = {**self._late, **beside_usage(self._usage)}
        if self._details is not NOTHING:
            names["stop_details"] = text(self._details)
        refusal = refusal_of(self._details)
        if refusal is not None:
            self._emit(PartStart(index=self._count, part=refusal))
            self._emit(PartEnd(index=self._count))
        if extra is not None:
            names.update(extra.members)
        self._emit(Finish(stop=stop, stop_raw=raw, stop_sequence=self._sequence, extra=bag(names)))
        self._over = True

    # -- blocks ------------------------------------------------------------------------------------------------------

    def _block_start(self, event: EventShape) -> None:
        self._need_start()
        if event.index in self._blocks:
            self._block_stop(event.index)
        part: Any = answer_part(event.content_block)
        index = self._count
        self._count += 1
        if not isinstance(part, Text) or part.text or part.citations:
            self._last_call = isinstance(part, ToolCall)
        start, body = "", None
        match part:
            case ToolCall():
                start = part.arguments
                part = _replace(part, arguments="")
            case Thinking(seal=seal) if seal is not None and seal.kind == "signature":
                start = seal.data
                part = _replace(part, seal=signature(""))
            case Opaque():
                body = open_object(raw_of(part.body))
            case _:
                pass
        kind = cast("type", type(part))
        self._blocks[event.index] = _Block(index, kind, start, body)
        self._emit(PartStart(index=index, part=part))

    def _delta(self, event: EventShape, data: bytes) -> None:
        block, delta = self._blocks.get(event.index), event.delta
        if block is None or delta is None:
            raise BrokenStream("the provider's answer adds to a block that is not open")
        kind = delta.type
        if kind == "text_delta" and block.kind is Text:
            if delta.text:
                self._last_call = False
                self._out.append(Delta(index=block.index, text=delta.text))
        elif kind == "input_json_delta" and block.kind is ToolCall:
            if delta.partial_json:
                block.start = ""
                self._emit(Delta(index=block.index, text=delta.partial_json, to="arguments"))
        elif kind == "thinking_delta" and block.kind is Thinking:
            if delta.thinking:
                self._emit(Delta(index=block.index, text=delta.thinking))
        else:
            self._rare_delta(block, delta, data)

    def _rare_delta(self, block: _Block, delta: DeltaShape, data: bytes) -> None:
        kind = delta.type
        if kind == "signature_delta" and block.kind is Thinking:
            block.proof += delta.signature or ""
        elif kind == "citations_delta" and block.kind is Text:
            citation = read_citation(delta.citation)
            if citation is not None:
                self._last_call = False
                self._emit(Amend(index=block.index, citation=citation))
        elif block.body is not None:
            block.grew = True
            _grow(block.body, block.pieces, RAW_DELTA.decode(data).delta)
        else:
            body = data.decode("utf-8", "replace")
            self._emit(Unknown(protocol=PROTOCOL, kind="content_block_delta", body=body))

    def _block_stop(self, at: int) -> None:
        block = self._blocks.pop(at, None)
        if block is None:
            return
        index = block.index
        if block.kind is ToolCall and block.start:
            self._emit(Delta(index=index, text=block.start, to="arguments"))
        proof = block.proof or block.start
        if block.kind is Thinking and proof:
            self._emit(Amend(index=index, seal=signature(proof)))
        whole = _grown(block)
        self._emit(PartEnd(index=index, whole=whole))


def _grow(body: Members, pieces: list[str], delta: Members) -> None:
    """Add to a block that nobody names: fragments of its input, or texts that are appended by their name."""
    for name, raw in delta.items():
        if name == "partial_json":
            pieces.append(open_string(raw) or "")
        elif name != "type":
            old, new = open_string(body.get(name)), open_string(raw)
            body[name] = raw if old is None or new is None else raw_of(_quoted(old + new))


def _quoted(words: str) -> Json:
    return msgspec.json.encode(words).decode()


def _grown(block: _Block) -> Opaque | None:
    """The whole of a block that nobody names, as it stands at its end; `None` where it is as it began."""
    if block.body is None or not block.grew:
        return None
    given = "".join(block.pieces)
    if given:
        whole = open_object(raw_of(given)) is not None
        block.body["input"] = raw_of(given if whole else _quoted(given))
    kind = open_string(block.body.get("type")) or ""
    return Opaque(protocol=PROTOCOL, kind=kind, body=msgspec.json.encode(block.body).decode())
