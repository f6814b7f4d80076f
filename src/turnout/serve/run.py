"""One accepted run of a step, from its start to its end in the store.

Strategy: whatever happens to a run, its finisher is called exactly once, in a task of its own, so that who leaves
meanwhile does not tear it. Of a stream everything goes on as it comes but its end, which waits for the store; a whole
answer waits for it altogether. What a run that nobody ends any more leaves open is ended by closing its reply.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from inspect import isawaitable
from typing import Any, cast

import msgspec

from turnout.model import (
    Acceptance,
    Answer,
    Batch,
    Event,
    Failed,
    Finish,
    Folder,
    Headers,
    Reply,
    Request,
    Signal,
    Start,
    Step,
    StoredResponse,
)
from turnout.model.errors import (
    BadOutput,
    BrokenStream,
    Cancelled,
    DeliveryError,
    ProviderError,
    TurnoutError,
)
from turnout.wire.codec import Seed

from .asking import asked
from .failure import shown
from .steps import as_reply

_replace: Any = msgspec.structs.replace
NOT_STORED = "turnout: the response could not be stored"
_UNENDED = Finish(stop="unknown")
_OF_OTHER_BYTES = frozenset({b"content-encoding", b"etag"})
"""Headers that hold for the very bytes of an upstream's answer."""

_LEFT_S = 1.0
"""Seconds for which a caller that was cancelled, or has left, still waits for its run's end to be stored."""


class Run:
    """An accepted request under way, which continues from the response `previous`.

    `seed` says how its answer is named. `own` has somebody wait for work at the end of the server, in a task unless
    it is a future already, and gives its outcome to whoever waits, whose leaving does not touch it; `lost` is told of
    a failure to store what had failed before. `renamed` gives the bytes of a whole answer the name of what was read
    from them, where the client's protocol can.
    """

    def __init__(
        self,
        request: Request,
        acceptance: Acceptance,
        seed: Seed,
        *,
        previous: str | None = None,
        own: Callable[[Awaitable[Any]], asyncio.Future[Any]],
        lost: Callable[[Exception], Awaitable[None]],
    ) -> None:
        self.accepted = acceptance
        self._request = request
        self._previous = previous
        self._seed = seed
        self._own = own
        self._lost = lost
        self.renamed: Callable[[bytes, Answer], bytes | None] | None = None
        self._folder: Folder | None = None  # of a stream
        self._ended = False
        self._bound: asyncio.Timeout | None = None

    # ---- running ---------------------------------------------------------------------------------------------

    async def start(self, step: Step, request: Request) -> Reply:
        """The reply to `request`, whose success is told when the store has it; who takes it closes it.

        Raises:
            Exception: the step failed, or the store did; the run has ended then.
        """
        try:
            return await self.begin(step, request)
        except BaseException as error:
            await self.fail(error)
            raise

    async def begin(self, step: Step, request: Request) -> Reply:
        """As `start`, but who calls it ends the run when this fails."""
        reply = as_reply(await step(request))
        if reply.relay is not None:
            if self._passes_on(reply):
                return reply
            if reply.status >= 400:
                return await self._refused(reply)
        if request.stream:
            made = Reply.of_batches(
                self._batches(reply),
                headers=reply.headers,
                dropped=reply.dropped,
                close=lambda: self._close(reply),
            )
        else:
            decoder = self._reads_whole(reply)
            made = await (self._whole(reply) if decoder is None else self._own_bytes(reply, decoder))
        if made is not reply:
            made.status = reply.status
            made.on_delivery(reply.delivered)
        return made

    def _passes_on(self, reply: Reply) -> bool:
        """Whether an upstream's bytes go on unread: nobody wants to know what they say, or to name it otherwise."""
        source = self._request.source
        nobody = self.accepted.finish is None and not self.accepted.response.metadata
        return nobody and source is not None and source.protocol == reply.protocol

    async def _whole(self, reply: Reply) -> Reply:
        async with reply:
            answer = self._named(await reply.answer())
            await self.finish(answer)
        return Reply.of(answer, headers=reply.headers, dropped=reply.dropped)

    def _reads_whole(self, reply: Reply) -> Any:
        """What reads an upstream's whole answer that keeps its bytes but for its name, `None` for any other."""
        source = self._request.source
        if self.renamed is None or reply.relay is None or self.accepted.response.metadata:
            return None
        if source is None or source.protocol != reply.protocol:
            return None
        decoder = reply.decoder()  # of bytes as they are, and of no stream, when it gives an answer
        return decoder if hasattr(decoder, "answer") else None

    async def _own_bytes(self, reply: Reply, decoder: Any) -> Reply:
        pieces: list[bytes] = []
        relay: Any = reply.relay
        renamed: Any = self.renamed
        async with reply:
            async for piece in relay:
                pieces.append(piece)
                decoder.feed(piece)
            answer = self._named(decoder.answer())
            await self.finish(answer)
        data = renamed(pieces[0] if len(pieces) == 1 else b"".join(pieces), answer)
        if data is None:
            return Reply.of(answer, headers=reply.headers, dropped=reply.dropped)
        if not _OF_OTHER_BYTES.isdisjoint(dict(reply.headers.raw)):
            kept = [pair for pair in reply.headers.raw if pair[0] not in _OF_OTHER_BYTES]
            reply.headers = Headers.lower(kept)
        reply.put_back(data)
        return reply

    async def _batches(self, reply: Reply) -> AsyncGenerator[Batch]:
        self._folder = folder = Folder()
        try:
            async for batch in reply.batches():
                told, end = self._told(batch, folder)
                if told:
                    yield told
                if end is not None:
                    yield (await self._ending(end, folder),)
                    return
            raise BrokenStream("the answer ended without its end mark")
        except Exception as error:
            await self.fail(error)
            raise

    def _told(self, batch: Batch, folder: Folder) -> tuple[Batch, Finish | Failed | None]:
        """The events of a batch as the client sees them, and the one that ends the answer apart."""
        told: list[Event] = []
        for event in batch:
            if isinstance(event, Finish | Failed):
                return tuple(told), event
            if isinstance(event, Signal) and event.kind == "activity" and not self.accepted.activity:
                return tuple(told), Failed(error=BadOutput("activity is not allowed in this run"))
            told.append(self._begun(event) if isinstance(event, Start) else event)
            folder.feed(told[-1])
        return tuple(told), None

    async def _ending(self, end: Finish | Failed, folder: Folder) -> Finish | Failed:
        if isinstance(end, Failed):
            await self.fail(end.error)
            return end
        end = _replace(end, metadata=self._metadata(end.metadata))
        folder.feed(end)
        await self.finish(folder.result())
        return end

    async def _refused(self, reply: Reply) -> Reply:
        """An upstream's error, whose bytes go on as they are when the store has been told."""
        decoder = reply.decoder()
        pieces: list[bytes] = []
        failed: list[TurnoutError] = []
        async with reply:
            async for piece in cast("Any", reply.relay):
                pieces.append(piece)
                failed += _errors(() if decoder is None else decoder.feed(piece))
            failed += _errors(() if decoder is None else decoder.close())
        await self.fail(failed[0] if failed else BrokenStream("the provider failed to answer"))
        return Reply(
            status=reply.status,
            headers=reply.headers,
            relay=_Each(pieces),
            protocol=reply.protocol,
            dropped=reply.dropped,
            length=sum(map(len, pieces)),
            decode=cast("Any", reply.decoder),
        )

    async def _close(self, reply: Reply) -> None:
        """End a run that has no end yet: who took its reply closed it."""
        try:
            await reply.aclose()
        finally:
            await self.fail(DeliveryError())

    # ---- names -----------------------------------------------------------------------------------------------

    def _begun(self, start: Start) -> Start:
        seed = self.accepted.response
        return _replace(
            start,
            id=seed.id or start.id or self._seed.id,
            created=seed.created or start.created or self._seed.created,
            model=start.model or self._seed.model,
        )

    def _named(self, answer: Answer) -> Answer:
        given, seed = self.accepted.response, self._seed
        return _replace(
            answer,
            id=given.id or answer.id or seed.id,
            created=given.created or answer.created or seed.created,
            model=answer.model or seed.model,
            metadata=self._metadata(answer.metadata),
        )

    def _metadata(self, own: dict[str, str]) -> dict[str, str]:
        """What the store said at acceptance, beside what the request and the answer say."""
        given = self.accepted.response.metadata
        return {**self._request.body.metadata, **given, **own} if given else own

    # ---- its end ---------------------------------------------------------------------------------------------

    def bound(self, timeout: asyncio.Timeout | None) -> None:
        """Have `timeout` end when the run does: storing it takes what it takes. `None`: it has ended before."""
        self._bound = timeout

    async def finish(self, answer: Answer) -> None:
        """The run has answered; nothing if it has ended before.

        Raises:
            TurnoutError: the store does not have it.
        """
        finisher = self.accepted.finish
        if self._ends() and finisher is not None:
            await self._store(finisher, self._response(answer, answer.status), None)

    async def fail(self, error: BaseException) -> None:
        """The run has failed with `error`; nothing if it has ended before.

        Who was cancelled, or has left, waits for the store but a moment; the server has it for the rest.
        """
        finisher = self.accepted.finish
        if not self._ends() or finisher is None:
            return
        public = _public(error)
        answer = self._named((self._folder or Folder()).partial(_UNENDED))
        status = "cancelled" if isinstance(public, Cancelled) else "failed"
        stored = self._response(answer, status, fields_of(public))
        storing = self._stored(finisher, stored, public)
        if isinstance(error, asyncio.CancelledError | DeliveryError):
            await asyncio.wait({self._own(storing)}, timeout=_LEFT_S)
        else:
            await storing

    async def _stored(self, finisher: Any, stored: StoredResponse, error: TurnoutError) -> None:
        try:
            await self._store(finisher, stored, error)
        except Exception as lost:  # the run's own failure is the one to tell
            await self._lost(lost)

    def _ends(self) -> bool:
        """End the run; false when it has ended before."""
        if self._ended:
            return False
        self._ended = True
        if self._bound is not None:
            self._bound.reschedule(None)
        return True

    def _response(self, answer: Answer, status: Any, error: dict[str, Any] | None = None) -> StoredResponse:
        return StoredResponse(
            answer=answer,
            status=status,
            error=error,
            previous=self._previous,
            conversation=self._request.body.conversation,
            echo=self._seed.echo or {},
        )

    async def _store(self, finisher: Any, stored: StoredResponse, error: TurnoutError | None) -> None:
        await asked(self._finished(finisher, stored, error), NOT_STORED, may_have_acted=True)

    async def _finished(self, finisher: Any, stored: StoredResponse, error: TurnoutError | None) -> None:
        """Call a finisher, sync or async; what it does goes on when nobody waits any more."""
        work = finisher(stored, error)
        if isawaitable(work):
            await self._own(work)


def _public(error: BaseException) -> TurnoutError:
    """The error that a finisher is told of."""
    if isinstance(error, asyncio.CancelledError | GeneratorExit | DeliveryError):
        cancelled = Cancelled("turnout: the run was cancelled", may_have_acted=True)
        cancelled.__cause__ = error
        return cancelled
    return shown(cast("Any", error))


def _errors(batch: Batch) -> list[TurnoutError]:
    return [event.error for event in batch if isinstance(event, Failed)]


class _Each:
    """Pieces that are all there, one by one; an event loop keeps no account of it, as it does of generators."""

    __slots__ = ("_left",)

    def __init__(self, pieces: list[bytes]) -> None:
        self._left = iter(pieces)

    def __aiter__(self) -> "_Each":
        return self

    async def __anext__(self) -> bytes:
        for piece in self._left:
            return piece
        raise StopAsyncIteration


def fields_of(error: TurnoutError) -> dict[str, Any]:
    """The fields of an error that are public, as they are stored."""
    said = {
        "status": error.status,
        "type": error.type,
        "code": error.code,
        "message": error.message,
        "param": error.param,
        "kind": error.kind if isinstance(error, ProviderError) else None,
        "may_have_acted": error.may_have_acted or None,
    }
    return {name: value for name, value in said.items() if value is not None}
