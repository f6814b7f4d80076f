"""Actions at most once: a request that is repeated gets what its first run gave, and nothing runs again.

Strategy: the run is claimed in the ledger before the engine is asked, and settled before its results are worded.
Whatever happens between the two leaves a trace: an exception and a cancellation are recorded as such, a process that
dies leaves its claim behind. Who asks again is told; nobody but a person decides to try again.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Literal, NoReturn, TypeAlias

import msgspec

from turnout.model import ActionResult, Claim, Descriptors, Intent, Ledger, Reply, Request, V
from turnout.model.errors import Conflict, StageError
from turnout.model.ledger import Identity, identified, says_again

KEEP_S: Final = 86_400.0
"""How long a run is remembered under a key that the client gave."""

REPEAT_S: Final = 600.0
"""How long the same words count as the same request when their answer failed or did not reach the client."""

Execute: TypeAlias = Callable[[], Awaitable[tuple[ActionResult, ...]]]


class Run(V, frozen=True, kw_only=True):
    """What one run of actions came to.

    `end`: `done` when the engine gave results, `failed` when it raised, `interrupted` when the run was cancelled,
    `refused` when the user said no to it. `replayed`: read from the ledger.
    """

    end: Literal["done", "failed", "interrupted", "refused"] = "done"
    intent: Intent = Intent()
    results: tuple[ActionResult, ...] = ()
    replayed: bool = False


class Once:
    """Runs actions at most once per request identity, with a ledger.

    A request is identified by its `IdempotencyKey` and its caller (the user, else the credentials). Without a key it
    is identified by what is said in it, if the client says that it repeats, or if the last answer to the same words
    failed or has not reached the client; a person who asks again after a finished answer means it again.
    """

    __slots__ = ("_ledger",)

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def recall(self, request: Request) -> Run | None:
        """The run of a request that says that it has been made before; `None` if there was none.

        Raises:
            Conflict: the run goes on, was lost or was interrupted, or the key stands for another request.
            StageError: the run failed.
            StoreFailed: the ledger cannot be read.
        """
        who = identified(request) if says_again(request) else None
        if who is None:
            return None
        claim = await self._ledger.look(who.key, who.fingerprint)
        return None if claim is None else recorded(claim)

    async def run(self, who: Identity, intent: Intent, execute: Execute) -> Run:
        """Run `execute`, unless the request `who` has had its run.

        Raises:
            Conflict: as `recall`.
            StageError: the run failed, now or before, or what came of it cannot be recorded.
            StoreFailed: the ledger cannot be used; nothing ran.
        """
        keep_s = KEEP_S if who.keyed else REPEAT_S
        claim = await self._ledger.claim(
            who.key, who.fingerprint, keep_s=keep_s, again=not (who.keyed or who.repeats)
        )
        if claim.state != "fresh":
            return recorded(claim)
        try:
            results = await execute()
        except BaseException as error:
            end = "failed" if isinstance(error, Exception) else "interrupted"
            await self._settle_quietly(who.key, Run(end=end, intent=intent), keep_s)
            raise
        run = Run(intent=intent, results=results)
        try:
            await self._ledger.settle(who.key, _written(run), keep_s=keep_s)
        except Exception as error:
            raise StageError("execute", "what came of it cannot be recorded", may_have_acted=True) from error
        return run

    async def refuse(self, who: Identity) -> bool:
        """Let the run never happen; `False` when it has been claimed before."""
        claim = await self._ledger.claim(who.key, who.fingerprint, keep_s=KEEP_S)
        if claim.state != "fresh":
            return False
        await self._ledger.settle(who.key, _written(Run(end="refused")), keep_s=KEEP_S)
        return True

    def note_delivery(self, request: Request, reply: Reply, who: Identity | None = None) -> None:
        """Have it noted when `reply` reaches its end, where that makes a difference: for requests without a key."""
        who = who or identified(request)
        if who is not None and not who.keyed:
            reply.on_delivery(partial(self._ledger.deliver, who.key))

    async def _settle_quietly(self, key: str, run: Run, keep_s: float) -> None:
        """Settle a run whose own failure is what must be told."""
        try:
            await self._ledger.settle(key, _written(run), keep_s=keep_s)
        except Exception:
            return


def recorded(claim: Claim) -> Run:
    """What the ledger says of a run that was claimed before.

    Raises:
        Conflict: the run goes on, was lost or was interrupted, or the key stands for another request.
        StageError: the run failed.
    """
    if claim.state == "running":
        raise Conflict(
            "turnout: this request is still being carried out; ask again in a moment",
            code="run_in_progress",
            retryable=True,
            retry_after=1.0,
        )
    if claim.state == "conflict":
        raise Conflict(
            "turnout: this idempotency key was used for another request; nothing was carried out now",
            code="idempotency_conflict",
            may_have_acted=True,
        )
    if claim.state == "lost":
        _interrupted()
    run = msgspec.json.decode(claim.record, type=Run)
    if run.end == "interrupted":
        _interrupted()
    if run.end == "failed":
        raise StageError(
            "execute",
            "an earlier attempt of this request failed; it may have been carried out and is not run again",
            may_have_acted=True,
        )
    return msgspec.structs.replace(run, replayed=True)


def _interrupted() -> NoReturn:
    raise Conflict(
        "turnout: an earlier attempt of this request was interrupted. It may have been carried out, in whole or in"
        " part, and is not run again. Look at what was done before you ask anew.",
        code="run_interrupted",
        may_have_acted=True,
    )


def is_repeatable(intent: Intent, descriptors: Descriptors) -> bool:
    """Whether all actions of an intent say that they may run again: they are `read_only` or `idempotent`."""
    harmless = {each.id for each in descriptors if each.read_only or each.idempotent}
    return all(each.action_id in harmless for each in intent.actions)


def _written(run: Run) -> str:
    """A run as JSON; a host's own engine may give values that JSON has no form for, which are kept as text."""
    return msgspec.json.encode(run, enc_hook=str).decode()
