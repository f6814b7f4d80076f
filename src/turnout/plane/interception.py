"""Actions first: the step that recognises a request which the application's own code can answer, and lets it.

Strategy: at most one classification, one execution and one synthesis per request; nothing loops and nothing is tried
again. Whatever is not clearly a request of the user for an action goes on as it came.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from turnout.model import (
    NO_TOKENS,
    ActionResult,
    Answer,
    Ask,
    Candidate,
    Classification,
    Classifier,
    Descriptors,
    Engine,
    Intent,
    Reply,
    Request,
    Step,
    Synthesis,
    Synthesizer,
    Text,
    V,
)
from turnout.model.errors import StageError
from turnout.model.utterance import Utterance, utterance

from .descriptors import with_action_descriptors
from .fitness import unfit_form, unfit_turn
from .stage import component, fail

Turn: TypeAlias = Callable[[Request], Utterance]
"""Tells what the user said in a request, and which kind of turn it is."""


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
       here: an engine answers an unknown id with a failed result.
    5. The synthesizer words the results; its reply is the answer.

    A request that is passed on has the very source it came with; its context carries the descriptors.

    An error of a component is a `StageError` of its stage (`descriptors`, `classify`, `execute`, `synthesize`) and
    never an answer, nor a silent fall back to reasoning; from 4 on it has `may_have_acted`.

    `turn` tells what the user said; by default `turnout.model.utterance`.

    Raises:
        TypeError: a component is missing or cannot be called.
    """

    __slots__ = ("_classify", "_describe", "_execute", "_explain", "_synthesize", "_turn")

    def __init__(
        self, classifier: Classifier, engine: Engine, synthesizer: Synthesizer, *, turn: Turn | None = None
    ) -> None:
        self._classify = component(classifier, "a classifier", of="Interception")
        self._describe = component(
            getattr(engine, "descriptors", None), "an engine's descriptors", of="Interception"
        )
        self._execute = component(getattr(engine, "execute", None), "an engine's execute", of="Interception")
        self._synthesize = component(synthesizer, "a synthesizer", of="Interception")
        explain: Any = getattr(classifier, "explain", None)
        self._explain = None if explain is None else component(explain, "a classifier", of="Interception")
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
            reply = await answer(request, descriptors)
            if reply is not None:
                return reply
            return await next(request.replace(context=with_action_descriptors(request.context, descriptors)))

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
        judged = await self._judge(_heard(request, said), descriptors)
        reason = judged.reason
        if not reason and isinstance(judged.outcome, Ask):
            reason = "the classifier asks the user"
        elif not reason and judged.outcome == Intent():
            reason = "the classifier sees no action in it"
        return _with(found, outcome=judged.outcome, candidates=judged.candidates, reason=reason)

    async def _judge(self, heard: Request, descriptors: Descriptors) -> Classification:
        if self._explain is None:
            outcome = await self._decide(heard, descriptors)
            return Classification(outcome=outcome, candidates=_candidates(outcome, descriptors))
        try:
            return await self._explain(heard, descriptors)
        except Exception as error:
            fail("classify", error, heard)

    async def _answer(self, request: Request, descriptors: Descriptors) -> Reply | None:
        if unfit_form(request.body):
            return None
        said = self._turn(request)
        if unfit_turn(said):
            return None
        heard = _heard(request, said)
        outcome = await self._decide(heard, descriptors)
        if isinstance(outcome, Ask):
            return Reply.of(Answer(parts=(Text(text=outcome.question),), stop="end", usage=NO_TOKENS))
        if not outcome.actions:
            return None
        return await self._act(heard, outcome)

    async def _decide(self, heard: Request, descriptors: Descriptors) -> Intent | Ask:
        try:
            outcome = await self._classify(heard, descriptors)
        except Exception as error:
            fail("classify", error, heard)
        if not isinstance(outcome, Intent | Ask):
            raise StageError("classify", "the classifier gave neither an intent nor a question")
        return outcome

    async def _act(self, heard: Request, intent: Intent) -> Reply:
        asked = tuple(intent.actions)
        try:
            results: tuple[ActionResult, ...] = tuple(await self._execute(heard, asked))
        except Exception as error:
            fail("execute", error, heard, acted=True)
        if len(results) != len(asked):
            counts = f"{len(results)} results for {len(asked)} actions"
            raise StageError("execute", f"the engine gave {counts}", may_have_acted=True)
        try:
            reply = await self._synthesize(Synthesis(request=heard, intent=intent, results=results))
        except Exception as error:
            fail("synthesize", error, heard, acted=True)
        if reply is None:
            raise StageError("synthesize", "the synthesizer gave no reply", may_have_acted=True)
        return reply


def _said(request: Request) -> Utterance:
    return utterance(request.body, request.source)


def _heard(request: Request, said: Utterance) -> Request:
    return request.replace(context=request.context.with_(said, Utterance))


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
