"""The only two conversions between a streamed and a whole answer.

Strategy: `Folder` trusts the event grammar (the reducer checks it) and keeps text in lists, so that a long answer
is joined once. `unfold` gives each part as a shell, its text in one delta, and its end.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from .answer import Answer, Usage
from .base import Extra, Seal
from .errors import BrokenStream, TurnoutError
from .events import Amend, Batch, Delta, Event, Failed, Finish, PartEnd, PartStart, Start, UsageSeen
from .parts import AnyPart, Citation, Media, Refusal, Text, Thinking, ToolCall

_replace: Any = msgspec.structs.replace
_NO_USAGE = Usage()


class _Growing:
    """One part under way: its shell and what was appended since."""

    __slots__ = ("citations", "extra", "pieces", "seal", "shell", "summaries")

    def __init__(self, shell: AnyPart) -> None:
        self.shell = shell
        self.pieces: dict[str, list[str]] = {}
        self.summaries: dict[int, list[str]] = {}
        self.citations: list[Citation] = []
        self.seal: Seal | None = None
        self.extra: Extra | None = None

    def append(self, event: Delta) -> None:
        to = event.to
        if to == "summary":
            self.summaries.setdefault(event.at, []).append(event.text)
        else:
            self.pieces.setdefault(to, []).append(event.text)

    def amend(self, event: Amend) -> None:
        if event.citation is not None:
            self.citations.append(event.citation)
        if event.seal is not None:
            self.seal = event.seal
        if event.extra is not None:
            self.extra = merge_extra(self.extra, event.extra)

    def part(self) -> AnyPart:
        shell = self.shell
        fields: dict[str, Any] = {}
        for to, texts in self.pieces.items():
            fields |= _appended(shell, to, "".join(texts))
        if self.summaries and isinstance(shell, Thinking):
            fields["summary"] = self._summary(shell)
        if self.citations and isinstance(shell, Text):
            fields["citations"] = (*shell.citations, *self.citations)
        if self.seal is not None:
            fields["seal"] = self.seal
        if self.extra is not None:
            fields["extra"] = merge_extra(shell.extra, self.extra)
        return _replace(shell, **fields) if fields else shell

    def _summary(self, shell: Thinking) -> tuple[str, ...]:
        entries = dict(enumerate(shell.summary))
        for at, texts in self.summaries.items():
            entries[at] = entries.get(at, "") + "".join(texts)
        return tuple(entries[at] for at in sorted(entries))


def _appended(shell: AnyPart, to: str, text: str) -> dict[str, Any]:
    if isinstance(shell, Media):
        if to == "transcript":
            return {"transcript": (shell.transcript or "") + text}
        source: Any = shell.source
        return {"source": _replace(source, data=source.data + text)}
    return {to: getattr(shell, to) + text}


def merge_extra(earlier: Extra | None, later: Extra | None) -> Extra | None:
    """Both bags as one; what `later` says wins member by member, and wholly when it is another protocol's."""
    if earlier is None or later is None:
        return later if earlier is None else earlier
    if earlier.protocol != later.protocol:
        return later
    return Extra(
        protocol=later.protocol,
        members={**earlier.members, **later.members},
        must=earlier.must | later.must,
    )


class Folder:
    """Takes the events of one answer, in any batches, and gives the answer."""

    def __init__(self) -> None:
        self._start = Start()
        self._growing: dict[int, _Growing] = {}
        self._parts: dict[int, AnyPart] = {}
        self._usage = _NO_USAGE
        self._finish: Finish | None = None
        self._error: TurnoutError | None = None

    def feed(self, event: Event) -> None:
        """Take one event."""
        self.feed_all((event,))

    def feed_all(self, batch: Iterable[Event]) -> None:
        """Take events in their order."""
        growing = self._growing
        for event in batch:
            if type(event) is Delta:  # nearly all are, and an exact type is the cheapest question
                part = growing[event.index]
                pieces = part.pieces.get(event.to)
                if pieces is not None:
                    pieces.append(event.text)
                else:
                    part.append(event)
            else:
                self._feed_rare(event)

    def _feed_rare(self, event: Event) -> None:
        match event:
            case PartStart():
                self._growing[event.index] = _Growing(event.part)
            case Amend():
                self._growing[event.index].amend(event)
            case PartEnd():
                growing = self._growing.pop(event.index)
                self._parts[event.index] = growing.part() if event.whole is None else event.whole
            case UsageSeen():
                seen = self._usage
                self._usage = event.usage if seen is _NO_USAGE else seen.merge(event.usage)
            case Start():
                self._start = event
            case Finish():
                self._finish = event
            case Failed():
                self._error = event.error
            case _:
                pass  # signals and unknown events are no part of an answer

    @property
    def usage(self) -> Usage:
        """The usage seen so far."""
        return self._usage

    def partial(self, finish: Finish) -> Answer:
        """The answer as it stands, ended by `finish`."""
        parts = dict(self._parts)
        parts.update((index, growing.part()) for index, growing in self._growing.items())
        return Answer(
            id=self._start.id,
            model=self._start.model,
            created=self._start.created,
            parts=tuple(parts[index] for index in sorted(parts)),
            stop=finish.stop,
            stop_sequence=finish.stop_sequence,
            stop_raw=finish.stop_raw,
            usage=self._usage,
            metadata=finish.metadata,
            extra=merge_extra(self._start.extra, finish.extra),
        )

    def result(self) -> Answer:
        """The whole answer.

        Raises:
            TurnoutError: the answer failed.
            BrokenStream: it was cut or has not ended; its `partial` is what came before.
        """
        if self._finish is not None:
            return self.partial(self._finish)
        error = self._error or BrokenStream("the answer ended without its end mark")
        if isinstance(error, BrokenStream) and error.partial is None:
            error.partial = self.partial(Finish(stop="unknown"))
        raise error


def fold(events: Iterable[Event]) -> Answer:
    """The answer that `events` tell.

    Raises:
        TurnoutError: they end in a failure, or do not end.
    """
    folder = Folder()
    feed = folder.feed
    for event in events:
        feed(event)
    return folder.result()


def unfold(answer: Answer) -> Batch:
    """The events of a whole answer; `fold` gives it back."""
    events: list[Event] = [
        Start(id=answer.id, model=answer.model, created=answer.created, extra=answer.extra)
    ]
    for index, part in enumerate(answer.parts):
        events.extend(_unfold_part(index, part))
    if answer.usage != _NO_USAGE:
        events.append(UsageSeen(usage=answer.usage))
    events.append(
        Finish(
            stop=answer.stop,
            stop_sequence=answer.stop_sequence,
            stop_raw=answer.stop_raw,
            metadata=answer.metadata,
        )
    )
    return tuple(events)


def _unfold_part(index: int, part: AnyPart) -> Iterable[Event]:
    match part:
        case Text():
            yield PartStart(index=index, part=_replace(part, text="", citations=()))
            if part.text:
                yield Delta(index=index, text=part.text)
            for citation in part.citations:
                yield Amend(index=index, citation=citation)
        case Refusal():
            yield PartStart(index=index, part=_replace(part, text=""))
            if part.text:
                yield Delta(index=index, text=part.text)
        case Thinking():
            yield PartStart(index=index, part=_replace(part, text="", summary=()))
            if part.text:
                yield Delta(index=index, text=part.text)
            for at, summary in enumerate(part.summary):
                yield Delta(index=index, text=summary, to="summary", at=at)
        case ToolCall():
            yield PartStart(index=index, part=_replace(part, arguments=""))
            yield Delta(index=index, text=part.arguments, to="arguments")
        case _:
            yield PartStart(index=index, part=part)
    yield PartEnd(index=index)
