"""The order in which a request is accepted, run and stored, around any step and over every protocol.

Strategy: six steps. (1) The request is valid, and what is to be kept is decided. (2) The store accepts it, answers it
with an earlier response, or refuses. (3) History is loaded, unless the accepted agent has its own. (4) The step runs.
(5) The finisher is called, once. (6) Success is told. A server without a store has no lifecycle, and no request pays
for one.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from turnout.agents import Run as Permitted
from turnout.model import (
    Acceptance,
    Context,
    Headers,
    IdempotencyKey,
    Info,
    Message,
    Reply,
    Request,
    Step,
    StoredResponse,
    Thread,
    Turn,
    as_async,
)
from turnout.model.errors import (
    Misconfigured,
    NotFound,
    RunInProgress,
    StoreFailed,
    TurnoutError,
    Unsupported,
)
from turnout.wire.codec import Codec, Seed

from .asking import asked
from .detached import Channel, Runs, drive
from .failure import report
from .run import Run
from .settings import Settings
from .steps import as_agent


class Lifecycle:
    """Runs what a store accepts; `runs` owns what goes on without a client."""

    def __init__(self, settings: Settings, runs: Runs) -> None:
        store: Any = settings.store
        self._accept = as_async(store.accept)
        self._unkept: Callable[[], Acceptance] | None = getattr(store, "unkept", None)
        self._load = as_async(store.load)
        self._default = settings.store_default
        self._settings = settings
        self._runs = runs

    async def answer(
        self, request: Request, step: Step, info: Info, codec: Codec | None
    ) -> tuple[Reply, Seed]:
        """The reply to a request that an agent or a provider can take, and how its answer is named.

        Raises:
            TurnoutError: the request cannot be kept, the store refused or failed, or the step did.
        """
        if self._settings.identify is not None:
            request = await self._settings.identified(request)
        if self._unkept is not None and info.unlimited and self._leaves_nothing(request, codec):
            return await self._passed(request, step, self._unkept(), info)
        turn = self._turn(request, step, codec)
        accepted = await self._accepted(turn)
        if accepted.replay is not None:
            return self._replayed(accepted.replay, turn, info)
        seed = self._seed(turn, accepted, info, codec)
        run = self._run(request, accepted, seed, turn.previous)
        if turn.idempotency_key is None:  # a replay is told from what is kept, and is to be the same
            run.renamed = getattr(codec, "renamed", None)
        try:
            if not accepted.run_timeout >= 0:
                raise Misconfigured("turnout: the store gave a run a negative time limit")
            given, prepared = await self._prepared(turn, accepted, info, codec)
        except BaseException as error:
            await run.fail(error)
            raise
        return await self._started(run, given, prepared), seed

    async def _passed(
        self, request: Request, step: Step, accepted: Acceptance, info: Info
    ) -> tuple[Reply, Seed]:
        """The reply to a request of which nothing is kept; it is not decoded for that."""
        given = accepted.response
        seed = Seed(
            id=given.id, created=given.created, model=request.model, reasoning=info.reasoning, request=request
        )
        return await self._started(self._run(request, accepted, seed), step, request), seed

    def _run(self, request: Request, accepted: Acceptance, seed: Seed, previous: str | None = None) -> Run:
        return Run(
            request,
            accepted,
            seed,
            previous=previous,
            own=self._runs.end,
            lost=lambda lost: self._report(lost, request),
        )

    async def _started(self, run: Run, step: Step, request: Request) -> Reply:
        accepted = run.accepted
        if accepted.run_timeout > 0:
            channel = Channel()
            self._runs.run(drive(run, step, request, channel))
            return await channel.reply()
        return await run.start(step, request)

    def _leaves_nothing(self, request: Request, codec: Codec | None) -> bool:
        """Whether a request asks for nothing that a store would do."""
        if IdempotencyKey in request.context:
            return False
        if codec is not None and request.source is not None and not request.decoded:
            return codec.leaves_nothing(request.source, self._default)
        body = request.body
        continues = body.previous is not None or body.conversation is not None
        return not (continues or body.background or (self._default if body.store is None else body.store))

    # ---- 1: policy -------------------------------------------------------------------------------------------

    def _turn(self, request: Request, step: Step, codec: Codec | None) -> Turn:
        """What the store is asked.

        Raises:
            InvalidRequest: the request is malformed, or asks for what is not built.
        """
        body = request.body
        if body.background:
            raise Unsupported("background")
        if body.conversation is not None:
            raise Unsupported("conversation")
        key, thread = request.context.get(IdempotencyKey), request.context.get(Thread)
        _, items = codec_turn(codec)(body.messages)
        return Turn(
            request=request,
            items=items,
            agent=step,
            previous=body.previous,
            thread=None if thread is None else thread.id,
            idempotency_key=None if key is None else key.value,
            retain=self._default if body.store is None else body.store,
        )

    # ---- 2: acceptance ---------------------------------------------------------------------------------------

    async def _accepted(self, turn: Turn) -> Acceptance:
        accepted: Any = await asked(self._accept(turn))
        if not isinstance(accepted, Acceptance):
            raise StoreFailed("turnout: the store accepted with what is no acceptance")
        return accepted

    def _replayed(self, stored: StoredResponse, turn: Turn, info: Info) -> tuple[Reply, Seed]:
        """An earlier response as the answer.

        Raises:
            RunInProgress: it is not there yet.
            TurnoutError: the error that it ended with.
        """
        answer = stored.answer
        if stored.status == "in_progress":
            raise RunInProgress(
                "turnout: this request is still being answered",
                response_id=answer.id,
                metadata=dict(answer.metadata),
            )
        if stored.status in ("failed", "cancelled"):
            raise failure_of(stored)
        seed = Seed(
            id=answer.id or turn.request.context.request_id,
            created=answer.created or int(self._settings.now()),
            model=answer.model or turn.request.model,
            reasoning=info.reasoning,
            request=turn.request,
            echo=stored.echo or None,
        )
        return Reply.of(answer, headers=_REPLAYED), seed

    # ---- 3: history ------------------------------------------------------------------------------------------

    async def _prepared(
        self, turn: Turn, accepted: Acceptance, info: Info, codec: Codec | None
    ) -> tuple[Step, Request]:
        """What runs, and the request that it gets."""
        request = turn.request
        permitted = request.context.get(Permitted)
        if accepted.agent is not None:
            step = as_agent(accepted.agent)
            permitted = permitted or self._settings.run()
        else:
            step = turn.agent
            if turn.previous is not None:
                request = await self._continued(turn, turn.previous)
            if turn.retain and info.unlimited:
                # The store that keeps it is this one: the provider need not keep it, too.
                request = codec_unkept(codec)(request)
        if permitted is not None:
            permitted = msgspec.structs.replace(permitted, activity=accepted.activity)
            request = request.replace(context=request.context.with_(permitted))
        return step, request

    async def _continued(self, turn: Turn, previous: str) -> Request:
        """The request with its history before its turn.

        Raises:
            NotFound: there is no such response for this caller.
        """
        request = turn.request
        try:
            history = await asked(self._loaded(previous, request.context))
        except NotFound as error:
            raise _no_previous(error) from error
        lead = request.messages[: len(request.messages) - len(turn.items)]
        return request.replace(messages=(*lead, *history, *turn.items), previous=None)

    async def _loaded(self, previous: str, context: Context) -> tuple[Message, ...]:
        return tuple(await self._load(previous, context))

    # ---- names -----------------------------------------------------------------------------------------------

    def _seed(self, turn: Turn, accepted: Acceptance, info: Info, codec: Codec | None) -> Seed:
        request, given = turn.request, accepted.response
        echo: Callable[[Request], Any] | None = getattr(codec, "echo", None)
        shown = request if echo is None else request.replace(store=turn.retain)
        return Seed(
            id=given.id or codec_id(codec)(request.context.request_id),
            created=given.created or int(self._settings.now()),
            model=request.model,
            reasoning=info.reasoning,
            request=shown,
            echo=None if echo is None else echo(shown),
        )

    # ---- what runs on ----------------------------------------------------------------------------------------

    async def _report(self, lost: Exception, request: Request) -> None:
        await report(self._settings.on_error, lost, request)


_REPLAYED = Headers.of({"x-turnout-replayed": "true"})


def refuse_storing(request: Request) -> None:
    """What an agent's request may not ask of a server without a store.

    Raises:
        Unsupported: it asks for it; `param` names the field.
    """
    if request.body.store:
        raise Unsupported("store", "store is not supported here: this server keeps no responses")
    refuse_continuing(request)


def refuse_continuing(request: Request) -> None:
    """What a request may not ask of who knows no more of its conversation than it says.

    Raises:
        Unsupported: it continues from what is kept; `param` names the field.
    """
    if request.body.previous is not None:
        raise Unsupported("previous_response_id", "this server keeps no responses to continue from")
    if request.body.conversation is not None:
        raise Unsupported("conversation", "this server keeps no conversations to continue from")


def codec_turn(
    codec: Codec | None,
) -> Callable[[tuple[Message, ...]], tuple[tuple[Message, ...], tuple[Message, ...]]]:
    """How a protocol's messages are told apart: what goes before any history, and the turn itself; without a protocol
    all of them are the turn."""
    return getattr(codec, "turn", _all_of_it)


def _all_of_it(messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    return (), messages


def codec_id(codec: Codec | None) -> Callable[[str], str]:
    """How a protocol makes the id of an answer from that of its request."""
    return getattr(codec, "answer_id", str)


def codec_unkept(codec: Codec | None) -> Callable[[Request], Request]:
    """How a provider of the request's protocol is told that it need not keep the response."""
    return getattr(codec, "unkept", _unkept)


def _unkept(request: Request) -> Request:
    return request if request.body.store is None else request.replace(store=None)


def _no_previous(error: NotFound) -> NotFound:
    """The error of a history that is not there, in terms of the field that asks for it."""
    return NotFound(
        error.message,
        status=error.status,
        code="previous_response_not_found",
        param="previous_response_id",
        metadata=error.metadata,
    )


def failure_of(stored: StoredResponse) -> TurnoutError:
    """The error that a stored run ended with."""
    said: dict[str, Any] = dict(stored.error or {})
    message = said.get("message")
    status = said.get("status")
    return TurnoutError(
        message if isinstance(message, str) else f"turnout: the run {stored.status}",
        status=status if isinstance(status, int) and 400 <= status <= 599 else 500,
        type=_text(said.get("type")),
        code=_text(said.get("code")),
        param=_text(said.get("param")),
        may_have_acted=True,
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
