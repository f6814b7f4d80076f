"""What all decoders of streams have in common: the events of one read, and how an answer ends in a failure."""

from turnout.model import Batch, Event, Failed, Finish, Folder
from turnout.model.errors import BrokenStream, TurnoutError


class Telling:
    """The events told so far; `_started` is set by who tells the first, `_over` by who tells the last."""

    def __init__(self) -> None:
        self._folder = Folder()
        self._out: list[Event] = []
        self._folded = 0
        self._over = False
        self._started = False

    def _emit(self, event: Event) -> None:
        self._out.append(event)

    def _fold(self) -> None:
        """Have the folder know all that was told; at once for many events, since it is asked at a failure only."""
        self._folder.feed_all(self._out[self._folded :] if self._folded else self._out)
        self._folded = len(self._out)

    def _flush(self) -> Batch:
        self._fold()
        batch = tuple(self._out)
        self._out.clear()
        self._folded = 0
        return batch

    def _fail(self, error: TurnoutError) -> None:
        """End in `error`, which takes what came before it along when the answer was cut."""
        if isinstance(error, BrokenStream) and error.partial is None and self._started:
            self._fold()
            error.partial = self._folder.partial(Finish(stop="unknown"))
        self._emit(Failed(error=error))
        self._over = True
