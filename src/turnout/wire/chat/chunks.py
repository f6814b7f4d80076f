"""A streamed answer, written.

Strategy: what is the same in every chunk of an answer is written once; a chunk of text is three pieces of bytes
joined. The order is that of the protocol: a first chunk with the role, what the parts add, the finish reason, usage
if the client asked for it, `[DONE]` (openai 3.57). Nothing is shown before the first part that this protocol can
show, so that the first chunk can tell text from calls.
"""

from typing import Any

import msgspec

from turnout.model import (
    Amend,
    Batch,
    Delta,
    Event,
    Extra,
    Failed,
    Finish,
    Inline,
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
from turnout.model.errors import Cancelled, TurnoutError, Unsupported
from turnout.wire import sse
from turnout.wire.codec import Seed

from .answer import (
    annotation,
    image_wire,
    is_image,
    is_shown,
    listed_thinking,
    name_of,
    ours,
    place,
    restore_answer,
    sound_wire,
)
from .errors import error_event
from .finish import finish_of, is_legacy
from .google import shown_signature
from .losses import Losses
from .members import PROTOCOL, form, raw_of, restore
from .usage import write_usage

Wire = dict[str, Any]

_json = msgspec.json.Encoder().encode
_DONE = b"data: [DONE]\n\n"
_STEADY = ("service_tier", "system_fingerprint")


class _Shown:
    """A part under way: how its text is written, and how much of it was."""

    __slots__ = ("before", "call", "field", "legacy", "listed", "member", "part", "seal", "sent", "summaries")

    def __init__(self, part: Any) -> None:
        self.part = part
        self.field: str | None = None
        self.before = b""  # what stands before each of its texts
        self.call = -1
        self.legacy = False
        self.listed = False
        self.member = b'"function":{"arguments":'
        self.seal: Seal | None = part.seal
        self.sent = 0
        self.summaries = -1


class StreamEncoder:
    """Writes the events of one answer as a stream of chunks.

    `Seed.reasoning` names the member of a delta that shows the thoughts of other protocols; without it they are left
    out. Thoughts that came in this protocol keep their spelling.
    """

    def __init__(self, seed: Seed, want_usage: bool) -> None:
        self._seed = seed
        self._want_usage = want_usage
        self._reasoning = seed.reasoning or None
        self._losses = Losses()
        self._head, self._tail = b"", b""
        self._top: Wire = {}
        self._shown: dict[int, _Shown] = {}
        self._opened = False
        self._over = False
        self._calls = 0
        self._annotations = 0
        self._legacy = False
        self._usage = Usage()
        self._extra: Extra | None = None
        self._begin(Start())

    @property
    def dropped(self) -> tuple[str, ...]:
        """The names of what was left out so far."""
        return self._losses.names

    def encode(self, batch: Batch) -> bytes:
        """The bytes of one batch; what cannot be said ends the stream with the error event."""
        out: list[bytes] = []
        for event in batch:
            if self._over:
                break
            try:
                if type(event) is Delta:
                    self._delta(event, out)
                else:
                    self._one(event, out)
            except TurnoutError as error:
                self._over = True
                out.append(error_event(error))
        return b"".join(out)

    # -- events ------------------------------------------------------------------------------------------------------

    def _one(self, event: Event, out: list[bytes]) -> None:
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
                self._begin(event)
            case Signal() | Unknown():
                self._losses.add(getattr(event, "name", "") or event.kind)
            case _:
                self._terminal(event, out)

    def _terminal(self, event: Event, out: list[bytes]) -> None:
        if isinstance(event, Finish):
            self._finish(event, out)
        elif isinstance(event, Failed) and not isinstance(event.error, Cancelled):
            out.append(error_event(event.error))
        self._over = True

    def _begin(self, start: Start) -> None:
        """Write what all chunks share."""
        self._losses.of_extra(start.extra)
        self._extra = start.extra
        seed = self._seed
        self._top = {
            "id": start.id or seed.id,
            "object": "chat.completion.chunk",
            "created": start.created or seed.created,
            "model": start.model or seed.model,
        }
        if start.extra is not None and start.extra.protocol == PROTOCOL:
            for name in _STEADY:
                if name in start.extra.members:
                    self._top[name] = raw_of(start.extra.members[name])
        self._head = b"data: " + _json(self._top)[:-1] + b',"choices":[{"index":0,"delta":'
        usage = b',"usage":null' if self._want_usage else b""
        self._tail = b',"logprobs":null,"finish_reason":null}]' + usage + b"}\n\n"

    def _write(self, out: list[bytes], delta: bytes) -> None:
        out.append(self._head + delta + self._tail)

    def _open(self, out: list[bytes], content: bytes) -> None:
        """The first chunk: the role, and an empty text or null before calls."""
        if not self._opened:
            self._opened = True
            self._write(out, b'{"role":"assistant","content":' + content + b',"refusal":null}')

    def _part(self, event: PartStart, out: list[bytes]) -> None:
        part = event.part
        shown = self._shown[event.index] = _Shown(part)
        match part:
            case Text():
                self._open(out, b'""')
                shown.field = "content"
            case Refusal():
                self._open(out, b'""')
                shown.field = "refusal"
            case Thinking():
                shown.listed = form(part.extra, "thinking") is not None
                shown.field = "content" if shown.listed else place(part, self._reasoning)
                if shown.field is None:
                    self._losses.add("reasoning")
                else:
                    self._open(out, b'""')
            case ToolCall():
                self._call(part, shown, out)
            case Media():
                self._media(part, shown, out)
            case Opaque(protocol="openai-chat"):
                self._open(out, b'""')
                self._write(out, _json({"content": [raw_of(part.body)]}))
            case Opaque():
                self._losses.of_opaque(part)
            case _:
                raise Unsupported(name_of(part))
        self._losses.of_extra(part.extra)
        self._payload(part, shown, out)

    def _payload(self, part: Any, shown: _Shown, out: list[bytes]) -> None:
        """What a part holds already when it starts, or holds more than was sent when it ends."""
        text = getattr(part, "text", "")
        if isinstance(part, ToolCall):
            text = part.arguments
        elif isinstance(part, Thinking) and not text:
            text = "\n\n".join(part.summary)
        if len(text) > shown.sent:
            self._add(shown, text[shown.sent :], out)

    def _call(self, part: ToolCall, shown: _Shown, out: list[bytes]) -> None:
        self._open(out, b"null")
        if is_legacy(part):
            self._legacy = shown.legacy = True
            self._write(out, _json({"function_call": {"name": part.name, "arguments": ""}}))
            return
        shown.call = self._calls
        self._calls += 1
        row: Wire = {"index": shown.call, "id": part.call_id}
        if part.kind == "custom":
            # Without `type`: that of a chunk's call is `function` only in openai 3.57, which keeps other members.
            shown.member = b'"custom":{"input":'
            row["custom"] = {"name": part.name, "input": ""}
        else:
            row.update({"type": "function", "function": {"name": part.name, "arguments": ""}})
        restore(row, part.extra)
        shown_signature(row, part)
        self._write(out, _json({"tool_calls": [row]}))

    def _media(self, part: Media, shown: _Shown, out: list[bytes]) -> None:
        if part.kind == "audio" and isinstance(part.source, Inline):
            self._open(out, b"null")
            row = {name: value for name, value in sound_wire(part, self._seed).items() if value}
            wire: Wire = {"audio": row}
            restore(wire, part.extra)
            self._write(out, _json(wire))
        elif is_image(part):
            self._open(out, b'""')
            self._write(out, _json({"images": [{"index": 0, **image_wire(part)}]}))
        else:
            raise Unsupported(f"modalities.{part.kind}", f"this protocol has no {part.kind} in an answer")

    def _delta(self, event: Delta, out: list[bytes]) -> None:
        shown = self._shown[event.index]
        text = event.text
        if shown.before and event.to == "text":  # not the first of a plain text
            shown.sent += len(text)
            out.append(b"%b%b}%b" % (shown.before, _json(text), self._tail))
        elif event.to == "text" or event.to == "arguments":  # noqa: PLR1714 -- the hot path
            self._add(shown, text, out)
        elif event.to == "summary":
            if shown.summaries not in (-1, event.at):
                text = "\n\n" + text
            shown.summaries = event.at
            self._add(shown, text, out)
        else:
            self._write(out, _json({"audio": {event.to: text}}))

    def _add(self, shown: _Shown, text: str, out: list[bytes]) -> None:
        shown.sent += len(text)
        if shown.call >= 0:
            head = b'{"tool_calls":[{"index":%d,%b' % (shown.call, shown.member)
            self._write(out, head + _json(text) + b"}}]}")
        elif shown.listed:
            self._write(out, _json({"content": [listed_thinking(text)]}))
        elif shown.field is not None:
            if not shown.before:
                shown.before = b'%b{"%b":' % (self._head, shown.field.encode())
            out.append(b"%b%b}%b" % (shown.before, _json(text), self._tail))
        elif shown.legacy:
            self._write(out, _json({"function_call": {"arguments": text}}))

    def _amend(self, event: Amend, out: list[bytes]) -> None:
        shown = self._shown[event.index]
        self._losses.of_extra(event.extra)
        if event.citation is not None:
            row = annotation(event.citation, 0)
            if row is None:
                self._losses.add("citations")
            else:
                self._write(out, _json({"annotations": [{"index": self._annotations, **row}]}))
                self._annotations += 1
        if event.seal is not None:
            shown.seal = event.seal
        if event.extra is not None and isinstance(shown.part, Media):
            wire: Wire = {"audio": {}}
            restore(wire, event.extra)
            self._write(out, _json(wire))

    def _part_end(self, event: PartEnd, out: list[bytes]) -> None:
        shown = self._shown.pop(event.index)
        if event.whole is not None:
            self._payload(event.whole, shown, out)
            shown.seal = event.whole.seal or shown.seal
        if shown.seal is not None:
            if isinstance(shown.part, Thinking) and shown.field is not None and ours(shown.seal):
                self._write(out, _json({"reasoning_details": raw_of(shown.seal.data)}))
            elif not is_shown(shown.part):
                self._losses.add("signature")

    def _finish(self, event: Finish, out: list[bytes]) -> None:
        self._losses.of_extra(event.extra)
        word = finish_of(event.stop, self._legacy, merge_extra(self._extra, event.extra))
        self._open(out, b'""')
        choice: Wire = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": word}
        wire: Wire = {**self._top, "choices": [choice]}
        if event.metadata:
            wire["metadata"] = event.metadata
        restore_answer(wire, choice, self._extra)
        restore_answer(wire, choice, event.extra)
        if self._want_usage:
            wire["usage"] = None
        out.append(sse.write(_json(wire)))
        usage = write_usage(self._usage) if self._want_usage else None
        if usage is not None:
            out.append(sse.write(_json({**self._top, "choices": [], "usage": usage})))
        out.append(_DONE)
