"""Actions first: the step that recognises a request which the application's own code can answer, and lets it.

Strategy: at most one classification, one execution and one synthesis per request; nothing loops and nothing is tried
again. Whatever is not clearly a request of the user for an action goes on as it came.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from turnout.model import (
    Ask,
    Candidate,
    Classification,
    Classifier,
    Decision,
    Descriptors,
    Engine,
    IdempotencyKey,
    Intent,
    Ledger,
    Reply,
    Request,
    Step,
    Synthesizer,
    V,
    as_async,
)
from turnout.model.errors import StageError
from turnout.model.utterance import Reader, Utterance, utterance

from .acting import Acted, Acting, say
from .confirmation import Phrases
from .descriptors import with_action_descriptors
from .fitness import unfit_form, unfit_turn
from .labels import labelled
from .shadow import Shadow
from .stage import component, fail

_LOG = logging.getLogger(__name__)

Turn: TypeAlias = Callable[[Request], Utterance]
"""Tells what the user said in a request, and which kind of turn it is."""


OnDecision: TypeAlias = Callable[[Request, Decision], Awaitable[None] | None]
"""Told what was decided about each request; sync (in place, must not block) or async."""


class Explanation(V, frozen=True, kw_only=True):
    """What an interception would do with a request.

    `kind` and `text` are the turn and what the user said in it. `reason` says why the request would be passed on or
    the user asked, `""` when actions would run. `candidates` are the actions considered, with what the classifier
    tells of them.
    """

    kind: str = ""
    text: str = ""
    descriptors: Descriptors = ()
    outcome: Intent | Ask = Intent()
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""


class Interception:
    """A middleware that runs the actions a request asks for and passes all other requests on.

    1. The engine describes the actions that this request may use. None: the request is passed on, undecoded.
    2. A request that an action cannot answer is passed on: its turn is not a new request of the user, what the user
       said is too long, or it asks for what an action's reply cannot be (see `fitness`).
    3. The classifier decides, given the request and the descriptors. It finds the `Utterance` in the request's
       context. No action: the request is passed on. An `Ask`: its question is the answer, and nothing runs.
    4. The engine runs all actions of the intent in one call. Whether they are among those described is not checked
       here: an engine answers an unknown id with a failed result. If one of them wants a confirmation, the user is
       asked first and nothing runs.
    5. The synthesizer words the results; its reply is the answer.

    With a `ledger`, before 3: a request that says it was made before gets what its run gave, and the answer to a
    confirmation runs what was stored, or nothing; and in 4 the run is recorded, so that it happens at most once (see
    `Once`). Without one nothing is remembered, and an action that wants a confirmation is `Misconfigured`. `phrases`
    are the words around a confirmation.

    A request that is passed on has the very source it came with; its context carries the descriptors and the
    `Decision`. Replies say what was decided in `x-turnout-lane`, `x-turnout-actions` and `x-turnout-replayed`;
    `on_decision` is told more, and nothing that it raises reaches the client.

    An error of a component is a `StageError` of its stage (`descriptors`, `classify`, `execute`, `synthesize`) and
    never an answer, nor a silent fall back to reasoning; from 4 on it has `may_have_acted`. What the ledger knows to
    be running, lost, interrupted or another request is a `Conflict`.

    With a `shadow`, all requests are passed on: what the classifier decides is only recorded (see `Shadow`).

    `turn` tells what the user said; by default `turnout.model.utterance`, or a `Reader` with wrappers of your own.

    Raises:
        TypeError: a component is missing or cannot be called.
    """

    __slots__ = (
        "_acting",
        "_classify",
        "_could_match",
        "_describe",
        "_explain",
        "_on_decision",
        "_shadow",
        "_turn",
    )

    def __init__(
        self,
        classifier: Classifier,
        engine: Engine,
        synthesizer: Synthesizer,
        *,
        turn: Turn | None = None,
        ledger: Ledger | None = None,
        phrases: Phrases | None = None,
        on_decision: OnDecision | None = None,
        shadow: Shadow | None = None,
    ) -> None:
        self._classify = component(classifier, "a classifier", of="Interception")
        self._describe = component(
            getattr(engine, "descriptors", None), "an engine's descriptors", of="Interception"
        )
        self._could_match: Callable[[str], bool] | None = None
        self._shadow = shadow
        # A host's own reading may find words that are not in the text; a shadow records every request.
        if turn is None and shadow is None:
            self._could_match = getattr(classifier, "could_match", None)
        self._acting = Acting(engine, synthesizer, ledger, phrases, self._tell)
        explain: Any = getattr(classifier, "explain", None)
        self._explain = None if explain is None else component(explain, "a classifier", of="Interception")
        self._on_decision = None if on_decision is None else as_async(on_decision)
        self._turn: Turn = turn or _said

    def __call__(self, next: Step) -> Step:
        """The step that goes before `next`."""
        describe = self._describe
        answer = self._answer

        async def intercept(request: Request) -> Reply:
            try:
                descriptors = await describe(request)
            except Exception as error:
                fail("descriptors", error, request)
            if not descriptors:
                return await next(request)
            descriptors = tuple(descriptors)
            found = await answer(request, descriptors)
            decision = found.decision if isinstance(found, Acted) else found
            if self._on_decision is not None:
                await self._tell(request, decision)
            if isinstance(found, Acted):
                reply = found.reply
            else:
                context = with_action_descriptors(request.context, descriptors).with_(decision)
                reply = await next(request.replace(context=context))
            return labelled(reply, decision, descriptors)

        return intercept

    async def explain(self, request: Request) -> Explanation:
        """What would be done with the request; nothing runs.

        The classifier's own `explain(request, descriptors) -> Classification` is asked where it has one, else the
        classifier itself.

        Raises:
            StageError: the engine or the classifier failed.
            InvalidRequest: the request does not decode.
        """
        try:
            descriptors = tuple(await self._describe(request) or ())
        except Exception as error:
            fail("descriptors", error, request)
        if not descriptors:
            return Explanation(reason="there are no actions for this request")
        said = self._turn(request)
        found = Explanation(kind=said.kind, text=said.text, descriptors=descriptors)
        if reason := unfit_form(request.body) or unfit_turn(said):
            return _with(found, reason=reason)
        judged = await self._judge(self._heard(request, said), descriptors)
        reason = judged.reason
        if not reason and isinstance(judged.outcome, Ask):
            reason = "the classifier asks the user"
        elif not reason and judged.outcome == Intent():
            reason = "the classifier sees no action in it"
        return _with(found, outcome=judged.outcome, candidates=judged.candidates, reason=reason)

    def _heard(self, request: Request, said: Utterance) -> Request:
        context = request.context.with_(said, Utterance)
        if isinstance(self._turn, Reader):
            context = context.with_(self._turn)
        return request.replace(context=context)

    async def _judge(self, heard: Request, descriptors: Descriptors) -> Classification:
        if self._explain is None:
            outcome = await self._decide(heard, descriptors)
            return Classification(outcome=outcome, candidates=_candidates(outcome, descriptors))
        try:
            return await self._explain(heard, descriptors)
        except Exception as error:
            fail("classify", error, heard)

    async def _answer(self, request: Request, descriptors: Descriptors) -> Acted | Decision:
        """The answer with what was decided, or the decision to pass the request on."""
        if reason := unfit_form(request.body):
            return Decision(lane="model", reason=reason)
        if self._hopeless(request, descriptors):
            return _HOPELESS
        said = self._turn(request)
        if reason := unfit_turn(said):
            return Decision(lane="model", reason=reason)
        heard = self._heard(request, said)
        if self._shadow is not None:
            self._shadow.watch(heard, descriptors, self._judge)
            return _SHADOWED
        words = f"{said.before}\n{said.text}" if said.before else said.text
        acted = await self._acting.resume(heard, words, descriptors)
        if acted is not None:
            return acted
        if self._on_decision is None:
            judged = Classification(outcome=await self._decide(heard, descriptors))
        else:
            judged = await self._judge(heard, descriptors)
        outcome = judged.outcome
        if isinstance(outcome, Ask):
            candidates = judged.candidates or _candidates(outcome, descriptors)
            return say(outcome.question, Decision(lane="ask", candidates=candidates))
        if not outcome.actions:
            reason = judged.reason or "the classifier sees no action in it"
            return Decision(lane="model", candidates=judged.candidates, reason=reason)
        return await self._acting.act(heard, outcome, descriptors, judged.candidates)

    def _hopeless(self, request: Request, descriptors: Descriptors) -> bool:
        """Whether the classifier can tell, before anybody looks for the user's words, that nothing is asked for.

        Not where other words count: the answer to a question of ours needs none of an action's, and a key that was
        used for an action conflicts with whatever else comes under it.
        """
        if self._could_match is None or IdempotencyKey in request.context:
            return False
        last: list[str] = []
        for message in reversed(request.messages):
            if message.role in {"assistant", "tool"}:
                if any(descriptor.confirm for descriptor in descriptors):
                    return False
                break
            if message.role == "user":
                last.append(message.text)
        return not self._could_match("\n".join(last))

    async def _tell(self, request: Request, decision: Decision) -> None:
        if self._on_decision is None:
            return
        try:
            await self._on_decision(request, decision)
        except Exception as error:  # an action may have run: its answer does not depend on who listens
            _LOG.warning("the hook for decisions raised %s", type(error).__name__)

    async def _decide(self, heard: Request, descriptors: Descriptors) -> Intent | Ask:
        try:
            outcome = await self._classify(heard, descriptors)
        except Exception as error:
            fail("classify", error, heard)
        if not isinstance(outcome, Intent | Ask):
            raise StageError("classify", "the classifier gave neither an intent nor a question")
        return outcome


_SHADOWED = Decision(lane="model", reason="decisions are only recorded")
_HOPELESS = Decision(lane="model", reason="no words of any action are in it")


def _said(request: Request) -> Utterance:
    return utterance(request.body, request.source)


def _with(found: Explanation, **fields: Any) -> Explanation:
    return Explanation(kind=found.kind, text=found.text, descriptors=found.descriptors, **fields)


def _candidates(outcome: Intent | Ask, descriptors: Descriptors) -> tuple[Candidate, ...]:
    if isinstance(outcome, Ask):
        return tuple(Candidate(action_id=name) for name in outcome.candidates)
    described = {descriptor.id: descriptor for descriptor in descriptors}
    return tuple(
        Candidate(
            action_id=intent.action_id,
            params=intent.params,
            missing=described[intent.action_id].missing(intent.params)
            if intent.action_id in described
            else (),
        )
        for intent in outcome.actions
    )
