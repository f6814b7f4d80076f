"""The parts of a streamed answer that are under way, and which of them a delta belongs to."""

from collections.abc import Callable

import msgspec

from turnout.model import (
    Amend,
    AnyPart,
    Citation,
    Delta,
    Event,
    Extra,
    Opaque,
    PartEnd,
    PartStart,
    Refusal,
    Text,
    Thinking,
    ToolCall,
)
from turnout.model.errors import BrokenStream
from turnout.wire.codec import FORM

from .answer import CONTENT_FORM, call_extra, sound
from .calls import LEGACY, Call, Calls
from .dialect import ChatDialect
from .ids import answer_call_id
from .members import NOTHING, PROTOCOL
from .pieces import citations_of, images_of, kind_of, typed, words_of
from .reasoning import Details, spelling
from .shapes import AudioShape, CallShape, MessageShape

_LEGACY = Extra(protocol=PROTOCOL, members={FORM + "function_call": "null"})


class Parts:
    """The parts under way, and which of them a delta belongs to."""

    def __init__(self, emit: Callable[[Event], None], dialect: ChatDialect) -> None:
        self._emit = emit
        self._dialect = dialect
        self.answer_id = ""
        self.count = 0
        self.called = False
        self.refused = False
        self._open: list[int] = []
        self._text: int | None = None
        self._thinking: int | None = None
        self._spelled = False
        self._refusal: int | None = None
        self._sound: int | None = None
        self._details = Details()
        self._citations: list[Citation] = []
        self._calls = Calls()
        self._ended: set[int] = set()

    def add(self, delta: MessageShape) -> None:
        """Take what one chunk adds.

        Raises:
            BrokenStream: it adds to a call that has ended.
        """
        self._add_reasoning(delta)
        content = delta.content
        if content:
            if isinstance(content, str):
                self._add_text(content)
            else:
                for item in content:
                    self._add_typed(item)
        if delta.refusal:
            self._add_refusal(delta.refusal)
        if delta.tool_calls:
            for fragment in delta.tool_calls:
                self._add_call(fragment, fragment.index, None)
        if delta.function_call is not None:
            self._add_call(CallShape(function=delta.function_call), LEGACY, _LEGACY)
        if delta.annotations or delta.audio is not None or delta.images:
            self._add_beside(delta)

    def _add_beside(self, delta: MessageShape) -> None:
        self._cite(citations_of(delta.annotations))
        if delta.audio is not None:
            self._add_sound(delta.audio)
        for image in images_of(delta.images):
            self._end_one(self._begin(image))

    def _begin(self, part: AnyPart) -> int:
        index = self.count
        self.count += 1
        self._open.append(index)
        self._emit(PartStart(index=index, part=part))
        return index

    def _end_one(self, index: int) -> None:
        self._open.remove(index)
        self._ended.add(index)
        self._emit(PartEnd(index=index))

    def _add_reasoning(self, delta: MessageShape) -> None:
        """Take reasoning; once it came under a name of its own, the text inside the details only repeats it."""
        if delta.reasoning_content or delta.reasoning or delta.thinking or delta.reasoning_details:
            field, words = words_of(delta)
            details = self._details.add(delta.reasoning_details) if delta.reasoning_details else ""
            self._spelled = self._spelled or field is not None
            if not self._spelled:
                words = details
            if words or self._details.seal(self._dialect.issuer) is not None:
                index = self._thought(spelling(field or "reasoning"), listed=False)
                if words:
                    self._emit(Delta(index=index, text=words))

    def _thought(self, mark: Extra, *, listed: bool) -> int:
        index = self._thinking
        if index is None or (listed and self._text is not None):
            index = self._thinking = self._begin(Thinking(extra=mark))
            if listed:
                self._text = None
        return index

    def _add_text(self, words: str) -> None:
        index = self._text
        if index is None:
            index = self._text = self._begin(Text(text=""))
            for citation in self._citations:
                self._emit(Amend(index=index, citation=citation))
            self._citations.clear()
        if words:
            self._emit(Delta(index=index, text=words))

    def _add_typed(self, item: object) -> None:
        kind, words = typed(item)
        if kind == "opaque":
            self._text = self._thinking = None
            self._end_one(self._begin(Opaque(protocol=PROTOCOL, kind=kind_of(item), body=words)))
        elif not words:
            return
        elif kind == "thinking":
            self._emit(Delta(index=self._thought(CONTENT_FORM, listed=True), text=words))
        else:
            self._add_text(words)

    def _add_refusal(self, words: str) -> None:
        self.refused = True
        if self._refusal is None:
            self._refusal = self._begin(Refusal(text=""))
        self._emit(Delta(index=self._refusal, text=words))

    def _cite(self, citations: list[Citation]) -> None:
        if self._text is None:
            self._citations.extend(citations)
            return
        for citation in citations:
            self._emit(Amend(index=self._text, citation=citation))

    def _add_sound(self, audio: AudioShape) -> None:
        if self._sound is None:
            shell = msgspec.structs.replace(sound(AudioShape(id=audio.id)), transcript=None)
            self._sound = self._begin(shell)
        index = self._sound
        if audio.data:
            self._emit(Delta(index=index, text=audio.data, to="data"))
        if audio.transcript:
            self._emit(Delta(index=index, text=audio.transcript, to="transcript"))
        extra = sound(audio).extra
        if extra is not None:
            self._emit(Amend(index=index, extra=extra))

    def _add_call(self, fragment: CallShape, index: int | None, mark: Extra | None) -> None:
        call, words = self._calls.take(fragment, index)
        if call.part is None:
            if call.name is None:
                return
            self._begin_call(call, mark or call_extra(fragment.extra_content))
            words = "".join(call.pieces)
        elif fragment.extra_content is not NOTHING:
            self._emit(Amend(index=call.part, extra=call_extra(fragment.extra_content)))
        if not words:
            return
        part = call.part
        if part is None or part in self._ended:
            raise BrokenStream("the provider went on with a tool call that had ended")
        self._emit(Delta(index=part, text=words, to="arguments"))

    def _begin_call(self, call: Call, extra: Extra | None) -> None:
        self.called = True
        self._text = None
        shell = ToolCall(
            call_id=call.id or answer_call_id(self.answer_id, self.count),
            name=call.name or "",
            arguments="",
            kind="custom" if call.custom else "function",
            extra=extra,
        )
        call.part = self._begin(shell)

    def at_least_one(self) -> None:
        """An answer of nothing is one empty text, which also takes sources that no text came for."""
        if not self.count or self._citations:
            self._add_text("")

    def end(self) -> None:
        """End all parts that are open.

        Raises:
            BrokenStream: a call has arguments and no name.
        """
        if any(call.part is None and call.pieces for call in self._calls.all):
            raise BrokenStream("the provider's answer calls a tool without naming it")
        if self._citations:
            self._add_text("")
        for call in self._calls.all:
            if call.part in self._open and not call.pieces and not call.custom:
                self._emit(Delta(index=call.part, text="{}", to="arguments"))
        seal = self._details.seal(self._dialect.issuer)
        if seal is not None and self._thinking in self._open:
            self._emit(Amend(index=self._thinking, seal=seal))
        for index in self._open:
            self._emit(PartEnd(index=index))
        self._ended.update(self._open)
        self._open.clear()
        self._text = self._thinking = self._refusal = self._sound = None
        self._details = Details()
