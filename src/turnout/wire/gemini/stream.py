"""A streamed answer, read; and a whole one, which is a stream of one piece.

A stream is server-sent events with `alt=sse`, else a JSON list that grows (google-genai always asks for events);
what the provider sends tells which.
"""

from turnout.model import Answer, Batch, fold
from turnout.model.errors import BrokenStream, TurnoutError
from turnout.wire import sse

from .errors import error_in
from .members import BROKEN
from .reading import Reading
from .shapes import read_answer, read_answers


class StreamDecoder:
    """The decoder of one streamed answer; never raises, trouble is `Failed`."""

    def __init__(self) -> None:
        self._parser = sse.Parser()
        self._reading = Reading()

    def feed(self, data: bytes) -> Batch:
        """The events that `data` completes."""
        if self._reading.over:
            return ()
        try:
            self._frames(self._parser.feed(data))
        except BrokenStream as error:
            self._reading.fail(error)
        return self._reading.take()

    def close(self) -> Batch:
        """The events that the end of the bytes completes; the terminal one if none came before."""
        if self._reading.over:
            return ()
        try:
            self._frames(self._parser.close())
            self._reading.end()
        except BrokenStream as error:
            self._reading.fail(error)
        return self._reading.take()

    def fail(self, error: TurnoutError) -> Batch:
        """The events of an answer that broke; one that had its finish reason already is complete."""
        if self._reading.over:
            return ()
        self._reading.broken(error)
        return self._reading.take()

    def _frames(self, frames: list[sse.Frame]) -> None:
        for frame in frames:
            if self._reading.over:
                return
            try:
                shape = read_answer(frame.data)
            except BROKEN:
                broken = BrokenStream("the provider sent an event that is not a piece of an answer")
                self._reading.fail(error_in(frame.data) or broken)
                return
            self._reading.add(shape, frame.data)


class WholeDecoder:
    """The decoder of a whole answer, with the face of a stream's."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._reading = Reading()

    def feed(self, data: bytes) -> Batch:
        """Keep the bytes; a whole answer says nothing before its end."""
        self._data += data
        return ()

    def close(self) -> Batch:
        """All events of the answer."""
        if self._reading.over:
            return ()
        data = bytes(self._data)
        try:
            shapes = read_answers(data)
        except BROKEN:
            broken = BrokenStream("the provider's answer is not one of this protocol")
            self._reading.fail(error_in(data) or broken)
            return self._reading.take()
        for shape in shapes:
            self._reading.add(shape, data)
        self._reading.end()
        return self._reading.take()

    def fail(self, error: TurnoutError) -> Batch:
        """The failure that came instead of the rest."""
        if self._reading.over:
            return ()
        self._reading.fail(error)
        return self._reading.take()


def decode_answer(data: bytes) -> Answer:
    """A whole answer.

    Raises:
        BrokenStream: the bytes are not an answer of this protocol, or an empty one.
        ProviderError: they are an error.
    """
    decoder = WholeDecoder()
    decoder.feed(data)
    return fold(decoder.close())
