"""A streamed answer, read.

Strategy: every chunk is a small Struct; what it adds becomes events in normal form at once, whatever spelling the
provider uses. All parts stay open until the finish reason, because citations and proofs may come late; text after a
call is a new part. The answer ends with `[DONE]`, or with the end of the bytes after a finish reason; anything else
is a cut, and a cut never looks finished (K23).
"""

from turnout.model import (
    Batch,
    Finish,
    Start,
    Usage,
    UsageSeen,
    merge_extra,
)
from turnout.model.errors import BrokenStream, ProviderError, TurnoutError, Unsupported
from turnout.wire import sse
from turnout.wire.telling import Telling

from .dialect import ChatDialect
from .errors import error_in
from .finish import failure_of, stop_of, word_of
from .members import BROKEN, NOTHING, bag, said
from .parts import Parts
from .pieces import Logprobs, kept, metadata_of
from .shapes import AnswerShape, ChoiceShape, MessageShape, read_answer
from .usage import read_usage


class StreamDecoder(Telling):
    """The decoder of one streamed answer; never raises, trouble is `Failed`."""

    def __init__(self, dialect: ChatDialect) -> None:
        super().__init__()
        self._dialect = dialect
        self._parser = sse.Parser()
        self._parts = Parts(self._emit, dialect)
        self._id = ""
        self._word: str | None = None
        self._usage: Usage | None = None
        self._kept: dict[str, str] = {}
        self._late: dict[str, str] = {}
        self._seen: tuple[object, ...] = ()
        self._metadata: dict[str, str] = {}
        self._logprobs = Logprobs()

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
        for frame in frames:
            self._frame(frame)
            if self._over:
                break
        return self._flush()

    def close(self) -> Batch:
        """The events that the end of the bytes completes; the terminal one if none came before."""
        if self._over:
            return ()
        try:
            frames = self._parser.close()
        except BrokenStream as error:
            self._fail(error)
            return self._flush()
        for frame in frames:  # at most one
            self._frame(frame)
        if not self._over:
            if self._word is not None:
                self._finish()
            elif self._started:
                self._fail(BrokenStream("the provider's answer was cut"))
            else:
                self._fail(BrokenStream("the provider's answer holds no events"))
        return self._flush()

    def fail(self, error: TurnoutError) -> Batch:
        """The events of an answer that broke; one that had its finish reason already is complete."""
        if self._over:
            return ()
        if self._word is not None and isinstance(error, BrokenStream):
            self._finish()
        else:
            self._fail(error)
        return self._flush()

    # -- frames and chunks -------------------------------------------------------------------------------------------

    def _frame(self, frame: sse.Frame) -> None:
        data = frame.data
        if data[:6] == b"[DONE]":
            self._done()
            return
        try:
            chunk = read_answer(data)
        except BROKEN:
            self._fail(error_in(data) or BrokenStream("the provider sent an event that is not a chunk"))
            return
        row = chunk.usage or (chunk.x_groq.usage if chunk.x_groq is not None else None)
        if row:
            self._see_usage(read_usage(row, self._dialect))
        if chunk.error is not NOTHING and said(chunk.error):
            self._fail(error_in(data) or ProviderError("the provider reported an error"))
        elif chunk.choices:
            self._chunk(chunk, chunk.choices)
        elif frame.event == "error" or chunk.choices is None:
            self._maybe_error(data, frame.event == "error")
        else:
            self._keep(chunk)

    def _maybe_error(self, data: bytes, named: bool) -> None:
        """An event without choices: an error in one of its shapes, else nothing that matters."""
        error = error_in(data)
        if error is None and named:
            error = ProviderError("the provider reported an error")
        if error is not None:
            self._fail(error)

    def _chunk(self, chunk: AnswerShape, choices: list[ChoiceShape]) -> None:
        choice = choices[0]
        if choice.index or len(choices) > 1:
            self._fail(Unsupported("n", "a stream of several choices is only passed on"))
            return
        if not self._started:
            self._start(chunk)
        else:
            self._keep(chunk)
        if choice.delta is not None and not self._add(choice.delta):
            return
        if choice.logprobs is not NOTHING:
            self._logprobs.add(choice.logprobs)
        word = word_of(choice.finish_reason)
        if word is not None:
            self._word = word
            self._end_parts()

    def _start(self, chunk: AnswerShape) -> None:
        self._started = True
        self._id = chunk.id or ""
        self._kept = kept(chunk)
        self._metadata.update(metadata_of(chunk))
        start = Start(
            id=self._id,
            model=chunk.model or "",
            created=int(chunk.created or 0),
            extra=bag({**self._late, **self._kept}),
        )
        self._kept = {**self._late, **self._kept}
        self._late = {}
        self._parts.answer_id = self._id
        self._emit(start)
        if self._usage is not None:
            self._emit(UsageSeen(usage=self._usage))

    def _keep(self, chunk: AnswerShape) -> None:
        """Note what a later chunk says about the whole answer; mostly it repeats the one before."""
        seen = (
            chunk.service_tier,
            chunk.system_fingerprint,
            chunk.moderation,
            chunk.citations,
            chunk.search_results,
            chunk.metadata,
        )
        if seen == self._seen:
            return
        self._seen = seen
        for name, json in kept(chunk).items():
            if self._kept.get(name) != json:
                self._late[name] = json
            else:
                self._late.pop(name, None)
        self._metadata.update(metadata_of(chunk))

    def _see_usage(self, usage: Usage | None) -> None:
        if usage is None or usage == self._usage:
            return
        self._usage = usage
        if self._started:
            self._emit(UsageSeen(usage=usage))

    def _add(self, delta: MessageShape) -> bool:
        try:
            self._parts.add(delta)
        except BrokenStream as error:
            self._fail(error)
            return False
        return True

    def _end_parts(self) -> None:
        try:
            self._parts.end()
        except BrokenStream as error:
            self._fail(error)

    # -- ends --------------------------------------------------------------------------------------------------------

    def _done(self) -> None:
        if self._word is None and not self._parts.count:
            self._fail(BrokenStream("the provider's answer is empty"))
        else:
            self._finish()

    def _finish(self) -> None:
        failure = failure_of(self._word)
        if failure is not None:
            self._fail(failure)
            return
        self._parts.at_least_one()
        self._end_parts()
        if self._over:
            return
        stop, raw, extra = stop_of(self._word, self._parts.called, self._parts.refused)
        names = self._late
        logprobs = self._logprobs.json()
        if logprobs is not None:
            names = {**names, "logprobs": logprobs}
        extra = merge_extra(bag(names), extra)
        self._emit(Finish(stop=stop, stop_raw=raw, metadata=self._metadata, extra=extra))
        self._over = True
