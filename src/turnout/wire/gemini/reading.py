"""The pieces of an answer, read into events: the same for a stream and for a whole answer, which is one piece.

Strategy: texts that follow each other are one part, and so are thoughts, unless a piece is signed: a signature
belongs to the part that it came on, so that a signed piece is a part of its own. The last text stays open to the
end, because sources are told last. There is no end mark; an answer has ended when its bytes end after a reason.
"""

from datetime import datetime
from typing import Any

import msgspec

from turnout.model import (
    Amend,
    AnyPart,
    Delta,
    Event,
    Failed,
    Finish,
    Folder,
    PartEnd,
    PartStart,
    Start,
    Text,
    Thinking,
    ToolCall,
    Usage,
    UsageSeen,
    merge_extra,
)
from turnout.model.errors import BrokenStream, InvalidRequest, ProviderError, TurnoutError, Unsupported

from .arguments import Arguments, StreamedCall
from .citations import read_citations
from .errors import error_in
from .finish import failure_of, stop_of, word_of
from .ids import answer_call_id
from .members import BROKEN, NULL, Raw, bag, members, open_object, open_string, raw_of, said, text
from .parts import read_part
from .shapes import KEPT, KEPT_OF_CANDIDATE, AnswerShape, CandidateShape
from .usage import counts, read_usage, row_of

_replace: Any = msgspec.structs.replace
_CALL = msgspec.json.Decoder(StreamedCall)
BLOCKED = "~candidates"
"""Marks an answer without a candidate: the prompt was blocked."""


class Reading:
    """One answer under way; `take` what `add` and the ends have made of it."""

    def __init__(self) -> None:
        self.over = False
        self.started = False
        self._out: list[Event] = []
        self._folder = Folder()
        self._id = ""
        self._count = 0
        self._said = False
        self._called = False
        self._open: int | None = None
        self._kind: type[Any] | None = None
        self._words: list[str] = []
        self._call: Arguments | None = None
        self._call_at = 0
        self._word: str | None = None
        self._counts: dict[str, int] = {}
        self._usage: Usage | None = None
        self._kept: dict[str, str] = {}

    def take(self) -> tuple[Event, ...]:
        """The events since the last time."""
        batch = tuple(self._out)
        self._out.clear()
        return batch

    def _emit(self, event: Event) -> None:
        self._out.append(event)
        self._folder.feed(event)

    # ---- pieces ----------------------------------------------------------------------------------------------------

    def add(self, shape: AnswerShape, data: bytes) -> None:
        """Take one piece; `data` are its bytes, for errors in them. What comes after the end is passed over."""
        if self.over:
            return
        if said(shape.error):
            self.fail(error_in(data) or ProviderError("the provider reported an error"))
            return
        if not self.started:
            self._start(shape)
        self._keep(shape)
        for candidate in shape.candidates or ():
            if candidate.index or len(shape.candidates or ()) > 1:
                self.fail(Unsupported("candidateCount", "an answer of several candidates is only passed on"))
                return
            try:
                self._candidate(candidate)
            except InvalidRequest as error:
                broken = BrokenStream("the provider's answer holds a part that is malformed")
                broken.__cause__ = error
                self.fail(broken)
            except BrokenStream as error:
                self.fail(error)

    def _start(self, shape: AnswerShape) -> None:
        self.started = True
        self._id = shape.responseId or ""
        stamp = shape.createTime
        self._emit(
            Start(
                id=self._id,
                model=shape.modelVersion or "",
                created=_epoch(open_string(stamp)),
                extra=bag({"createTime": text(stamp)}) if said(stamp) else None,
            )
        )

    def _keep(self, shape: AnswerShape) -> None:
        for name in KEPT:
            raw: Raw = getattr(shape, name)
            if said(raw):
                self._kept[name] = text(raw)
        if said(shape.usageMetadata):
            row = row_of(shape.usageMetadata)
            self._counts.update(counts(row))
            for name, value in row.items():
                if name not in self._counts and name != "totalTokenCount" and value is not None:
                    self._kept[f"usageMetadata/{name}"] = msgspec.json.encode(value).decode()
            usage = read_usage(self._counts)
            if usage is not None and usage != self._usage:
                self._usage = usage
                self._emit(UsageSeen(usage=usage))

    def _candidate(self, candidate: CandidateShape) -> None:
        parts = candidate.content.parts if candidate.content is not None else None
        for raw in parts or ():
            self._said = True
            self._part(raw)
        for name in KEPT_OF_CANDIDATE:
            raw = getattr(candidate, name)
            if said(raw):
                self._kept[f"candidates/{name}"] = text(raw)
        self._word = word_of(candidate.finishReason) or self._word

    # ---- parts -----------------------------------------------------------------------------------------------------

    def _part(self, raw: Raw) -> None:
        row = open_object(raw) if b'"functionCall"' in bytes(raw) else None
        if row is not None and said(row.get("functionCall")):
            streamed = _streamed(row["functionCall"])
            if streamed is not None:
                self._streamed(streamed, row)
                return
        part = read_part(raw, "content.parts")
        if isinstance(part, Text | Thinking):
            self._add_text(part)
            return
        self._close()
        if isinstance(part, ToolCall):
            self._whole_call(part)
        else:
            index = self._begin(part)
            self._emit(PartEnd(index=index))

    def _begin(self, part: AnyPart) -> int:
        index = self._count
        self._count += 1
        self._emit(PartStart(index=index, part=part))
        return index

    def _close(self) -> None:
        """End the part that is open."""
        self._end_call()
        if self._open is not None:
            self._emit(PartEnd(index=self._open))
            self._open = None
            self._kind = None
            self._words = []

    def _add_text(self, part: Text | Thinking) -> None:
        alone = part.seal is not None or (isinstance(part, Text) and part.extra is not None)
        if not part.text and not alone:
            return
        if alone or self._kind is not type(part):
            self._close()
            self._open = self._begin(_replace(part, text=""))
            self._kind = type(part)
        if self._open is not None and part.text:
            self._words.append(part.text)
            self._emit(Delta(index=self._open, text=part.text))
        if alone:
            self._kind = None  # what follows is another part; this one stays open for its sources

    def _whole_call(self, part: ToolCall) -> None:
        if not part.call_id:
            derived = answer_call_id(self._id, self._count, part.name, part.arguments)
            part = _replace(part, call_id=derived)
        index = self._begin(_replace(part, arguments=""))
        self._emit(Delta(index=index, text=part.arguments, to="arguments"))
        self._emit(PartEnd(index=index))
        self._called = True

    def _streamed(self, call: StreamedCall, row: dict[str, Raw]) -> None:
        """A piece of a call whose arguments are streamed; a piece with a name begins one."""
        if call.name:
            self._close()
            self._call = Arguments()
            self._called = True
            signature = row.get("thoughtSignature")
            shell = msgspec.Raw(b'{"functionCall":{"name":""}}')
            if signature is not None and said(signature):
                shell = msgspec.Raw(
                    b'{"functionCall":{"name":""},"thoughtSignature":' + bytes(signature) + b"}"
                )
            made: Any = read_part(shell, "content.parts")
            own = call.id or answer_call_id(self._id, self._count, call.name, "")
            extra = None if call.id else made.extra
            self._call_at = self._begin(
                _replace(made, name=call.name, call_id=own, arguments="", extra=extra)
            )
        if self._call is None:
            if call.partialArgs:
                raise BrokenStream("the provider's answer has arguments of no call")
            return
        for piece in call.partialArgs or ():
            self._call.add(piece)
        if not call.willContinue:
            self._end_call()

    def _end_call(self) -> None:
        if self._call is not None:
            self._emit(Delta(index=self._call_at, text=self._call.json(), to="arguments"))
            self._emit(PartEnd(index=self._call_at))
            self._call = None

    # ---- ends ------------------------------------------------------------------------------------------------------

    def end(self) -> None:
        """The bytes have ended."""
        if self.over:
            return
        if self._word is not None:
            self._finish(self._word)
        elif not self.started:
            self.fail(BrokenStream("the provider's answer holds no events"))
        elif _is_blocked(self._kept) and not self._count:
            self._finish_blocked()
        elif self._count:
            self.fail(BrokenStream("the provider's answer was cut"))
        else:
            self.fail(BrokenStream("the provider's answer is empty"))

    def broken(self, error: TurnoutError) -> None:
        """The bytes broke; an answer that had its reason already is complete."""
        if self._word is not None and isinstance(error, BrokenStream):
            self._finish(self._word)
        else:
            self.fail(error)

    def fail(self, error: TurnoutError) -> None:
        """End in an error."""
        if isinstance(error, BrokenStream) and error.partial is None and self.started:
            error.partial = self._folder.partial(Finish(stop="unknown"))
        self._emit(Failed(error=error))
        self.over = True

    def _finish(self, word: str) -> None:
        failure = failure_of(word)
        if failure is not None:
            self.fail(failure)
            return
        stop, extra = stop_of(word, self._called)
        if not self._said and stop == "end":
            self.fail(BrokenStream("the provider's answer is empty"))
            return
        self._cite()
        if not self._count:
            self._begin(Text(text=""))
            self._emit(PartEnd(index=0))
        self._close()
        self._emit(Finish(stop=stop, extra=merge_extra(bag(self._kept), extra)))
        self.over = True

    def _finish_blocked(self) -> None:
        self._begin(Text(text=""))
        self._emit(PartEnd(index=0))
        if not any(name.startswith("candidates/") for name in self._kept):
            self._kept[BLOCKED] = "null"
        self._emit(Finish(stop="content_filter", extra=bag(self._kept)))
        self.over = True

    def _cite(self) -> None:
        """Sources go to the text that is still open; there is one where the answer ends with words."""
        grounding = self._kept.get("candidates/groundingMetadata")
        citing = self._kept.get("candidates/citationMetadata")
        if grounding is None and citing is None:
            return
        is_text = self._open is not None and self._shown_text()
        found = read_citations(grounding, citing, "".join(self._words) if is_text else "")
        if not found:
            return
        if not is_text:
            self._close()
            self._open = self._begin(Text(text=""))
        for citation in found:
            assert self._open is not None  # noqa: S101 -- for the type checker
            self._emit(Amend(index=self._open, citation=citation))

    def _shown_text(self) -> bool:
        parts = self._folder.partial(Finish(stop="unknown")).parts
        return isinstance(parts[-1], Text)


def _streamed(raw: Raw) -> StreamedCall | None:
    """The call if it is a piece of one, `None` if it is whole."""
    row = members(raw, "functionCall")
    if said(row.get("name")) and not (row.keys() & {"partialArgs", "willContinue"}):
        return None
    if said(row.get("args", NULL)):
        return None
    try:
        return _CALL.decode(msgspec.json.encode(row))
    except BROKEN:
        raise BrokenStream("the provider's answer has a call that is malformed") from None


def _is_blocked(kept: dict[str, str]) -> bool:
    feedback = open_object(raw_of(kept.get("promptFeedback", "null")))
    return feedback is not None and said(feedback.get("blockReason"))


def _epoch(stamp: str | None) -> int:
    """Unix seconds of a time in RFC 3339, 0 where there is none."""
    try:
        made = datetime.fromisoformat(stamp or "")
    except ValueError:
        return 0
    return 0 if made.tzinfo is None else int(made.timestamp())
