"""What every store does with turns and responses, whatever it keeps them in.

Strategy: a response exists once it has finished, and is written in one transaction then. Only a turn with an
idempotency key is written down before it runs, so that nobody runs it beside; if the process that runs it ends
without a word, the key is free again. Without a key, and not to be kept, a turn touches nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

import msgspec

from turnout.model import (
    Acceptance,
    Claim,
    Context,
    Json,
    Ledger,
    Message,
    ResponseSeed,
    StoredResponse,
    Turn,
)
from turnout.model.errors import Conflict, NotFound, RunInProgress, TurnoutError
from turnout.model.ledger import digest

from .encoding import message, parted, response, written
from .naming import fingerprint, may_be
from .rows import Ending, Opening, Policy, Standing, Written, given_away
from .unsettled import Unsettled, told, unknown


class Responses(ABC):
    """What all stores of this room are: a `Store` with its `Retrieval`, and the `Ledger` that it is given.

    A subclass says how the rows of responses are read and written.

    `owner` tells who owns what a request makes and who may see it: another owner's response is not found. `now` tells
    the time in Unix seconds, `new_id` makes the ids of responses.
    """

    def __init__(
        self,
        ledger: Ledger,
        policy: Policy,
        *,
        owner: Callable[[Context], str],
        now: Callable[[], float],
        new_id: Callable[[], str],
    ) -> None:
        self.policy = policy
        self._ledger = ledger
        self._owner = owner
        self._now = now
        self._new_id = new_id
        self._unsettled = Unsettled(self._keep, self._release)

    async def accept(self, turn: Turn, /) -> Acceptance:
        """Reserve an identity for this turn, or answer it with the response that its key stands for.

        Raises:
            Conflict: another request used the same key.
            RunInProgress: the same request runs at this moment.
            OutcomeUnknown: it ran, and its end could not be written.
            StoreFailed: the store cannot be read or written; nothing is reserved.
        """
        if not turn.retain and turn.idempotency_key is None:
            return self.unkept()
        opening = self._opened(turn)
        if opening.key:
            await self._unsettled.settle()
            standing = await self._reserve(opening)
            if standing is not None:
                return Acceptance(replay=self._replayed(standing, opening))
        return Acceptance(
            response=ResponseSeed(id=opening.id, created=int(opening.now)),
            activity=self.policy.activity,
            run_timeout=self.policy.run_timeout,
            finish=_Finish(self._finish, opening, turn),
        )

    def unkept(self) -> Acceptance:
        """The acceptance of a turn of which nothing is kept, whatever it says.

        A server asks for this one where a request plainly is of that kind, without decoding it for a `Turn`.
        """
        return Acceptance(
            response=ResponseSeed(id=self._new_id(), created=int(self._now())),
            activity=self.policy.activity,
            run_timeout=self.policy.run_timeout,
        )

    async def load(self, previous: str, context: Context, /) -> tuple[Message, ...]:
        """The history that ends in the answer of the response `previous`, in order.

        Raises:
            NotFound: there is none, or it is another owner's, or it is past its time.
            StoreFailed: the store cannot be read.
        """
        return await self._messages(previous, context, answered=True)

    async def items(self, response_id: str, context: Context, /) -> tuple[Message, ...]:
        """The messages that the response `response_id` answered: its history and its turn, in order.

        Raises:
            NotFound: there is none, or it is another owner's, or it is past its time.
            StoreFailed: the store cannot be read.
        """
        return await self._messages(response_id, context, answered=False)

    async def get(self, response_id: str, context: Context, /) -> StoredResponse:
        """The response `response_id`.

        Raises:
            NotFound: there is none, or it is another owner's, or it is past its time.
            StoreFailed: the store cannot be read.
        """
        found = await self._find(response_id, self._owner(context)) if may_be(response_id) else None
        if found is None:
            raise not_found(response_id)
        return response(found.body, found.answer)

    async def delete(self, response_id: str, context: Context, /) -> None:
        """Forget the response `response_id`, and those of its messages that no other response needs.

        Raises:
            NotFound: there is none, or it is another owner's, or it is past its time.
            StoreFailed: the store cannot be written.
        """
        if not may_be(response_id) or not await self._forget(response_id, self._owner(context)):
            raise not_found(response_id)

    async def claim(self, key: str, fingerprint: str = "", *, keep_s: float, again: bool = False) -> Claim:
        """Take the work of `key`, if nobody has; see `Ledger`.

        Raises:
            StoreFailed: the store cannot be read or written; nothing is claimed.
        """
        return await self._ledger.claim(key, fingerprint, keep_s=keep_s, again=again)

    async def settle(self, key: str, record: Json, *, keep_s: float) -> None:
        """Say what became of the work of `key`; see `Ledger`.

        Raises:
            StoreFailed: the store cannot be written, or has no such claim.
        """
        await self._ledger.settle(key, record, keep_s=keep_s)

    async def deliver(self, key: str) -> None:
        """Note that the answer that tells of settled work reached its end.

        Raises:
            StoreFailed: the store cannot be written.
        """
        await self._ledger.deliver(key)

    async def look(self, key: str, fingerprint: str | None = None) -> Claim | None:
        """What the row of `key` says.

        Raises:
            StoreFailed: the store cannot be read.
        """
        return await self._ledger.look(key, fingerprint)

    async def aclose(self) -> None:
        """Let go of what the store is kept in; a later use opens it again."""
        await self._unsettled.settle()
        await self._ledger.aclose()

    @abstractmethod
    async def _reserve(self, opening: Opening) -> Standing | None:
        """Give the opening its key, or say what that stands for. A caller that is cancelled has reserved nothing."""

    @abstractmethod
    def _keep(self, ending: Ending) -> Awaitable[None]:
        """Write the end of a run, whole or not at all, also when the caller is cancelled.

        A future, where it goes on whether anybody waits or not.

        Raises:
            NotFound: there is no response `previous`, or it is another owner's.
            StoreFailed: it cannot be written, the key was given to another run meanwhile, or it has ended before.
        """

    @abstractmethod
    async def _release(self, opening: Opening) -> None:
        """Forget that the opening has its key, also when the caller is cancelled."""

    @abstractmethod
    async def _find(self, response_id: str, owner: str) -> Written | None: ...

    @abstractmethod
    async def _history(self, response_id: str, owner: str, *, answered: bool) -> list[bytes] | None:
        """The messages up to a response's answer, which is the last with `answered`."""

    @abstractmethod
    async def _forget(self, response_id: str, owner: str) -> bool: ...

    def _opened(self, turn: Turn) -> Opening:
        now = self._now()
        owner = self._owner(turn.request.context)
        opening = Opening(
            id=self._new_id(),
            owner=owner,
            retain=turn.retain,
            now=now,
            expires=now + (self.policy.retention_s if turn.retain else self.policy.key_s),
        )
        if turn.idempotency_key is None:
            return opening
        return msgspec.structs.replace(
            opening,
            key=digest("turn", owner, turn.idempotency_key),
            fingerprint=fingerprint(turn),
            key_expires=now + self.policy.key_s,
        )

    def _finish(
        self, opening: Opening, turn: Turn, ended: StoredResponse, error: TurnoutError | None
    ) -> Awaitable[None]:
        if opening.key or turn.previous is not None:
            return self._settle(opening, turn, ended, error)
        return self._keep(_ending(opening, turn, ended, free=False))

    async def _settle(
        self, opening: Opening, turn: Turn, ended: StoredResponse, error: TurnoutError | None
    ) -> None:
        free = _frees(ended, error)
        try:
            await self._end(opening, turn, ended, error, free=free)
        except NotFound:
            raise
        except Exception:
            if opening.key:
                await self._unsettled.add(opening, free=free)
            raise

    async def _end(
        self, opening: Opening, turn: Turn, ended: StoredResponse, error: TurnoutError | None, *, free: bool
    ) -> None:
        if not opening.retain:
            if free:
                await self._release(opening)
            else:
                await self._keep(Ending(opening=opening, written=Written(body=written(ended)), free=False))
            return
        try:
            if turn.previous is not None and not may_be(turn.previous):
                raise not_found(turn.previous)
            await self._keep(_ending(opening, turn, ended, free=free))
        except NotFound:
            # What the turn continued from is not there (any more): then there is nothing that could be kept.
            await self._release(opening)
            if error is None:
                raise

    def _replayed(self, standing: Standing, opening: Opening) -> StoredResponse:
        if standing.fingerprint != opening.fingerprint:
            raise Conflict(
                "turnout: this idempotency key was used for another request", code="idempotency_conflict"
            )
        if standing.ended is None:
            if standing.id in self._unsettled:
                raise unknown(standing.id)
            raise RunInProgress("turnout: this request is still being answered", response_id=standing.id)
        return told(response(standing.ended.body, standing.ended.answer), standing.id)

    async def _messages(self, response_id: str, context: Context, *, answered: bool) -> tuple[Message, ...]:
        found = None
        if may_be(response_id):
            found = await self._history(response_id, self._owner(context), answered=answered)
        if found is None:
            raise not_found(response_id)
        return tuple(map(message, found))


class _Finish:
    """The `Finisher` of one run, which ends once, even if its response has been deleted meanwhile."""

    __slots__ = ("_ended", "_finish", "_opening", "_turn")

    def __init__(self, finish: Callable[..., Awaitable[None]], opening: Opening, turn: Turn) -> None:
        self._finish = finish
        self._opening = opening
        self._turn = turn
        self._ended = False

    def __call__(self, ended: StoredResponse, error: TurnoutError | None) -> Awaitable[None]:
        if self._ended:
            raise given_away()
        self._ended = True
        return self._finish(self._opening, self._turn, ended, error)


def not_found(response_id: str) -> NotFound:
    """The same words for what is not there and for what is another owner's."""
    return NotFound(
        f"turnout: there is no response {response_id[:100]!r}", code="response_not_found", param="response_id"
    )


def _ending(opening: Opening, turn: Turn, ended: StoredResponse, *, free: bool) -> Ending:
    body, answer = parted(ended)
    return Ending(
        opening=opening,
        written=Written(body=body, answer=None if answer is None else written(answer)),
        free=free,
        previous=turn.previous,
        messages=tuple(map(written, turn.items)),
    )


def _frees(ended: StoredResponse, error: TurnoutError | None) -> bool:
    """Whether the key may be used again: nothing came of the run, and nothing can have been done in it.

    A run that was cancelled gives its key back too: to ask again after a broken connection is what keys are for.
    """
    if ended.status == "cancelled":
        return True
    return error is not None and not error.may_have_acted and (error.retryable or error.status < 500)
