"""A model's words as they come: text alone is taken, and with figures to check no sentence before it is checked."""

import re
from typing import Final

from turnout.model import (
    Answer,
    Batch,
    Delta,
    Event,
    Failed,
    Finish,
    PartEnd,
    PartStart,
    Refusal,
    Start,
    Stop,
    Text,
    ToolCall,
    Usage,
    UsageSeen,
)
from turnout.model.errors import BadOutput, BrokenStream

from .figures import Figures

LONGEST: Final = 8_192
"""In code points: no sentence is longer."""

_GOOD: Final[frozenset[Stop]] = frozenset({"end", "stop_sequence", "unknown"})
_SENTENCE: Final = re.compile(r".*(?:[.!?…](?=\s)|[。！？\n])", re.DOTALL)  # noqa: RUF001 -- full-width marks


class Unusable(BadOutput):
    """The model answered, and not with words that can be shown."""


class Wording:
    """Takes the events of a model's answer and gives those of the reply; `begun` once there was something to say.

    Without `figures` nothing is checked and each piece is given at once.
    """

    __slots__ = ("_figures", "_finished", "_held", "_texts", "begun", "usage")

    def __init__(self, figures: Figures | None) -> None:
        self._figures = figures
        self._held = ""
        self._texts: set[int] = set()
        self._finished = False
        self.begun = False
        self.usage = Usage()

    def take(self, batch: Batch) -> str:
        """What may be said after these events.

        Raises:
            Unusable: they hold what cannot be shown.
            TurnoutError: the answer failed.
        """
        for event in batch:
            self._take(event)
        if self._figures is None:
            return self._give(len(self._held))
        end = _SENTENCE.match(self._held)
        if end is None and len(self._held) > LONGEST:
            raise Unusable("the model does not end its sentence")
        return self._give(0 if end is None else end.end())

    def rest(self) -> str:
        """What is left to say when the events are over.

        Raises:
            Unusable: it cannot be shown, or nothing was said at all.
            BrokenStream: the answer has not ended.
        """
        if not self._finished:
            raise BrokenStream("the answer ended without its end mark")
        piece = self._give(len(self._held))
        if not piece and not self.begun:
            raise Unusable("the model said nothing")
        return piece

    def say(self, text: str) -> Batch:
        """The events that say a piece."""
        first: Batch = () if self.begun else (Start(), PartStart(index=0, part=Text(text="")))
        self.begun = True
        return (*first, Delta(index=0, text=text))

    def end(self) -> Batch:
        """The events that end the reply."""
        return (PartEnd(index=0), UsageSeen(usage=self.usage), Finish(stop="end"))

    def _take(self, event: Event) -> None:
        match event:
            case Delta() if event.index in self._texts and event.to == "text":
                self._held += event.text
            case PartStart(part=Text(text=text)):
                self._texts.add(event.index)
                self._held += text
            case PartStart(part=Refusal() | ToolCall()):
                raise Unusable("the model refused, or called a tool that it was not given")
            case UsageSeen():
                self.usage = self.usage.merge(event.usage)
            case Failed():
                raise event.error
            case Finish():
                self._finished = True
                if event.stop not in _GOOD:
                    raise Unusable("the model did not come to an end")
            case _:
                pass

    def _give(self, size: int) -> str:
        piece, held = self._held[:size], self._held[size:]
        if not self.begun:
            piece = piece.lstrip()
        if not piece:
            return ""
        if self._figures is not None and not self._figures.hold(piece):
            raise Unusable("the model named a figure that is not in the results")
        self._held = held
        return piece


def usable(answer: Answer, figures: Figures | None) -> str:
    """The words of a whole answer.

    Raises:
        Unusable: they cannot be shown.
    """
    text = answer.text.strip()
    if answer.stop not in _GOOD or any(isinstance(part, Refusal | ToolCall) for part in answer.parts):
        raise Unusable("the model refused, was cut off, or called a tool that it was not given")
    if not text:
        raise Unusable("the model said nothing")
    if figures is not None and not figures.hold(text):
        raise Unusable("the model named a figure that is not in the results")
    return text
