"""A store in the memory of one process."""

import itertools
import time
from collections.abc import Callable
from weakref import WeakValueDictionary

from turnout.model import Context

from .encoding import address
from .memory import MemoryLedger
from .naming import new_id, owner
from .responses import Responses, not_found
from .rows import Ending, Opening, Policy, Standing, Written, given_away
from .sweep import Sweep


class _Message:
    __slots__ = ("__weakref__", "body")

    def __init__(self, body: bytes) -> None:
        self.body = body


class _History:
    """A link of a history; it lives as long as a response or a longer history refers to it."""

    __slots__ = ("__weakref__", "message", "number", "parent")

    def __init__(self, number: int, parent: "_History | None", message: _Message) -> None:
        self.number = number
        self.parent = parent
        self.message = message


class _Row:
    """A turn that was accepted under a key, or a response; it is one when it has a `body`.

    `last` is its history with its answer, which is the last message of it where `answered` says so.
    """

    __slots__ = ("answered", "body", "key", "last", "opening")

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.key = opening.key
        self.body: bytes | None = None
        self.last: _History | None = None
        self.answered = False

    @property
    def written(self) -> Written | None:
        """The response, if it has ended."""
        if self.body is None:
            return None
        apart = self.last if self.answered else None
        return Written(body=self.body, answer=None if apart is None else apart.message.body)


class MemoryStore(Responses):
    """A `Store` with its `Retrieval`, and a `Ledger`, that live as long as the process: a restart forgets it all.

    It is for one process: several workers need a store that they share.
    """

    def __init__(
        self,
        policy: Policy = Policy(),  # noqa: B008 -- a frozen value
        *,
        owner: Callable[[Context], str] = owner,
        now: Callable[[], float] = time.time,
        new_id: Callable[[], str] = new_id,
    ) -> None:
        super().__init__(MemoryLedger(now=now), policy, owner=owner, now=now, new_id=new_id)
        self._turns: dict[str, _Row] = {}
        self._keys: dict[str, _Row] = {}
        self._histories: WeakValueDictionary[tuple[int, bytes], _History] = WeakValueDictionary()
        self._texts: WeakValueDictionary[bytes, _Message] = WeakValueDictionary()
        self._numbers = itertools.count(1)
        self._sweeping = Sweep()

    async def _reserve(self, opening: Opening) -> Standing | None:
        self._clear()
        row = self._keys.get(opening.key)
        if row is not None and not self._lapses(row):
            return Standing(id=row.opening.id, fingerprint=row.opening.fingerprint, ended=row.written)
        if row is not None:
            self._unkey(row)
        self._keys[opening.key] = self._turns[opening.id] = _Row(opening)
        return None

    async def _keep(self, ending: Ending) -> None:
        self._clear()
        opening = ending.opening
        before = self._before(ending) if opening.retain else None
        row = self._turns.get(opening.id)
        if row is None and not opening.key:
            row = _Row(opening)
        if row is None or row.body is not None:
            raise given_away()
        if opening.retain:
            row.last = self._grown(opening.owner, before, ending.told)
            row.answered = ending.written.answer is not None
        row.opening = opening
        row.body = ending.written.body
        self._turns[opening.id] = row
        if ending.free:
            self._unkey(row)

    async def _release(self, opening: Opening) -> None:
        row = self._turns.get(opening.id)
        if row is not None and row.body is None:
            self._drop(row)

    async def _find(self, response_id: str, owner: str) -> Written | None:
        row = self._visible(response_id, owner)
        return None if row is None else row.written

    async def _history(self, response_id: str, owner: str, *, answered: bool) -> list[bytes] | None:
        row = self._visible(response_id, owner)
        if row is None:
            return None
        bodies: list[bytes] = []
        link = row.last
        while link is not None:
            bodies.append(link.message.body)
            link = link.parent
        bodies.reverse()
        return bodies[:-1] if row.answered and not answered else bodies

    async def _forget(self, response_id: str, owner: str) -> bool:
        row = self._visible(response_id, owner)
        if row is not None:
            self._drop(row)
        return row is not None

    def _visible(self, response_id: str, owner: str) -> _Row | None:
        row = self._turns.get(response_id)
        if row is None or row.body is None or not row.opening.retain or row.opening.owner != owner:
            return None
        return None if self._now() >= row.opening.expires else row

    def _lapses(self, row: _Row) -> bool:
        """Whether the key of a row is past its time; a run that goes on keeps its key."""
        return row.body is not None and self._now() >= min(row.opening.key_expires, row.opening.expires)

    def _before(self, ending: Ending) -> _History | None:
        if ending.previous is None:
            return None
        row = self._visible(ending.previous, ending.opening.owner)
        if row is None:
            raise not_found(ending.previous)
        return row.last

    def _grown(self, owner: str, history: _History | None, bodies: tuple[bytes, ...]) -> _History | None:
        """The history that grows from `history`, of links that are there where they are."""
        for body in bodies:
            where = address(owner, body)
            text = self._texts.setdefault(where, _Message(body))
            place = (0 if history is None else history.number, where)
            history = self._histories.setdefault(place, _History(next(self._numbers), history, text))
        return history

    def _unkey(self, row: _Row) -> None:
        """Let the key of a row stand for nothing; a row that is kept for it alone goes with it."""
        if self._keys.get(row.key) is row:
            del self._keys[row.key]
        row.key = ""
        if not row.opening.retain:
            self._turns.pop(row.opening.id, None)

    def _drop(self, row: _Row) -> None:
        self._unkey(row)
        self._turns.pop(row.opening.id, None)

    def _clear(self) -> None:
        now = self._now()
        if not self._sweeping.due(now):
            return
        for row in list(self._turns.values()):
            if row.body is not None and now >= row.opening.expires:
                self._drop(row)
            elif row.key and self._lapses(row):
                self._unkey(row)
