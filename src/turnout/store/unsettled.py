"""Runs under a key whose end could not be written.

Strategy: such a run may have done all that it was for, so its key is not given to another one; whoever asks again is
told that nobody knows. What is written of it instead of its response says so to other processes as well, and later.
As long as not even that can be written, this process remembers, and tries again before each key that it is asked for.
"""

import contextlib
from collections.abc import Awaitable, Callable

import msgspec

from turnout.model import Answer, StoredResponse
from turnout.model.errors import OutcomeUnknown, StoreFailed

from .encoding import written
from .rows import Ending, GivenAway, Opening, Written


class Unsettled:
    """The runs of this process that have ended, of which the store knows nothing yet.

    `keep` writes the end of a run, `release` gives its key back.
    """

    def __init__(
        self, keep: Callable[[Ending], Awaitable[None]], release: Callable[[Opening], Awaitable[None]]
    ) -> None:
        self._keep = keep
        self._release = release
        self._runs: dict[str, tuple[Opening, bool]] = {}

    def __contains__(self, response_id: str) -> bool:
        return response_id in self._runs

    async def add(self, opening: Opening, *, free: bool) -> None:
        """Note that the end of a run could not be written; `free`: nothing came of it, so its key is given back."""
        self._runs[opening.id] = (opening, free)
        await self.settle()

    async def settle(self) -> None:
        """Write what can be written by now. It ends with the first that cannot: each may wait long for its failure."""
        for opening, free in list(self._runs.values()):
            try:
                await self._settled(opening, free=free)
            except StoreFailed:
                return
            self._runs.pop(opening.id, None)

    async def _settled(self, opening: Opening, *, free: bool) -> None:
        if free:
            await self._release(opening)
            return
        # It was its response that had an owner and a time; what stands for the key alone has neither.
        for_key = msgspec.structs.replace(opening, retain=False, expires=opening.key_expires)
        with contextlib.suppress(GivenAway):  # it was written after all, or is another run's by now
            await self._keep(Ending(opening=for_key, written=Written(body=_UNKNOWN), free=False))


_UNKNOWN = written(
    StoredResponse(
        answer=Answer(parts=(), stop="unknown"), status="failed", error={"code": OutcomeUnknown.code}
    )
)
_RESPONSE = msgspec.json.decode(_UNKNOWN, type=StoredResponse)


def told(stored: StoredResponse, response_id: str) -> StoredResponse:
    """What a key stands for.

    Raises:
        OutcomeUnknown: it stands for a run whose end nobody knows.
    """
    if stored == _RESPONSE:
        raise unknown(response_id)
    return stored


def unknown(response_id: str) -> OutcomeUnknown:
    """The error of a run whose end nobody knows."""
    return OutcomeUnknown(
        "turnout: this request was answered, but its response could not be stored. It may have been carried out and"
        " is not run again under this key. Look at what was done before you ask anew.",
        response_id=response_id,
    )
