"""A store in the memory of one process."""

import time
from collections.abc import Callable
from weakref import WeakValueDictionary

from turnout.model import Context

from .history import links
from .memory import MemoryLedger
from .responses import (
    Ending,
    Opening,
    Policy,
    Responses,
    Standing,
    Written,
    given_away,
    new_id,
    not_found,
    owner,
)

_SWEEP_S = 60.0
"""Seconds between two looks for rows that are past their time."""


class _Message:
    __slots__ = ("__weakref__", "body")

    def __init__(self, body: bytes) -> None:
        self.body = body


class _History:
    """A link of a history; it lives as long as a response or a longer history refers to it."""

    __slots__ = ("__weakref__", "id", "message", "parent")

    def __init__(self, id_: bytes, parent: "_History | None", message: _Message) -> None:
        self.id = id_
        self.parent = parent
        self.message = message


class _Row:
    """A turn that was accepted under a key, or a response; it is one when it has a `body`."""

    __slots__ = ("answered", "asked", "body", "key", "opening")

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.key = opening.key
        self.body: bytes | None = None
        self.asked: _History | None = None
        self.answered: _History | None = None

    @property
    def written(self) -> Written | None:
        """The response; its answer is apart when it is the last message of a history."""
        if self.body is None:
            return None
        apart = None if self.answered is self.asked else self.answered
        return Written(body=self.body, answer=None if apart is None else apart.message.body)


class MemoryStore(Responses, MemoryLedger):
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
        Responses.__init__(self, policy, owner=owner, now=now, new_id=new_id)
        MemoryLedger.__init__(self, now=now)
        self._turns: dict[str, _Row] = {}
        self._keys: dict[str, _Row] = {}
        self._histories: WeakValueDictionary[bytes, _History] = WeakValueDictionary()
        self._texts: WeakValueDictionary[bytes, _Message] = WeakValueDictionary()
        self._swept = now()

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
        row = self._turns.get(opening.id)
        if row is None and not opening.key:
            row = _Row(opening)
        if row is None or row.body is not None:
            raise given_away()
        if opening.retain:
            before = self._before(ending)
            row.asked = self._grown(opening.owner, before, ending.messages)
            answer = () if ending.written.answer is None else (ending.written.answer,)
            row.answered = self._grown(opening.owner, row.asked, answer)
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
        link = row.answered if answered else row.asked
        bodies: list[bytes] = []
        while link is not None:
            bodies.append(link.message.body)
            link = link.parent
        return bodies[::-1]

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
        return row.answered

    def _grown(self, owner: str, history: _History | None, bodies: tuple[bytes, ...]) -> _History | None:
        for link in links(owner, None if history is None else history.id, bodies):
            text = self._texts.setdefault(link.message, _Message(link.body))
            history = self._histories.setdefault(link.id, _History(link.id, history, text))
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
        if now - self._swept < _SWEEP_S:
            return
        self._swept = now
        for row in list(self._turns.values()):
            if row.body is not None and now >= row.opening.expires:
                self._drop(row)
            elif row.key and self._lapses(row):
                self._unkey(row)
