"""Running the actions of an intent, under a ledger's control where there is one, and wording what came of it.

Strategy: whatever is answered here comes with the decision that it is the answer to. At most one execution and one
synthesis per request; what may have run is never run again.
"""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeAlias

from turnout.model import (
    NO_TOKENS,
    ActionIntent,
    ActionResult,
    Answer,
    Candidate,
    Decision,
    Descriptors,
    Engine,
    Intent,
    Ledger,
    Reply,
    Request,
    Synthesis,
    Synthesizer,
    Text,
)
from turnout.model.errors import Misconfigured, StageError
from turnout.model.ledger import identified

from .confirmation import Confirmations, Phrases
from .once import Execute, Once, Run, is_repeatable
from .proposal import proposer
from .stage import component, fail

Tell: TypeAlias = Callable[[Request, Decision], Awaitable[None]]
"""Told of a decision whose actions failed; those that are answered are in `Acted`."""


class Acted(NamedTuple):
    """An answer, and what was decided."""

    reply: Reply
    decision: Decision


class Acting:
    """The engine and the synthesizer, and what makes them safe to use: at most once, and only after a yes.

    Without a ledger nothing is remembered, and an action that wants a confirmation is refused.

    Raises:
        TypeError: a component is missing or cannot be called.
    """

    __slots__ = ("_confirmations", "_execute", "_once", "_propose", "_synthesize", "_tell")

    def __init__(
        self,
        engine: Engine,
        synthesizer: Synthesizer,
        ledger: Ledger | None,
        phrases: Phrases | None,
        tell: Tell,
    ) -> None:
        self._tell = tell
        self._execute = component(getattr(engine, "execute", None), "an engine's execute", of="Interception")
        self._synthesize = component(synthesizer, "a synthesizer", of="Interception")
        self._propose = proposer(engine)
        self._once = None if ledger is None else Once(ledger)
        self._confirmations = None if ledger is None else Confirmations(ledger, phrases=phrases)

    async def resume(self, heard: Request, words: str, descriptors: Descriptors) -> Acted | None:
        """The answer to a request that was made before, or that answers a confirmation; `None` for any other."""
        if self._once is None or self._confirmations is None:
            return None
        try:
            run = await self._once.recall(heard)
        except Exception as error:
            await self._tell(heard, Decision(lane="action", failed=type(error).__name__))
            raise
        if run is not None:
            acted = await self._word(heard, run)
            self._once.note_delivery(heard, acted.reply)
            return acted
        answer = await self._confirmations.hear(heard, words, descriptors)
        if answer is None or answer.kind == "other":
            return None
        if answer.kind == "no":
            return say(answer.text, Decision(lane="cancel", intent=answer.intent))
        intent = answer.intent
        return await self._carried_out(
            heard, intent, self._once.run(answer.who, intent, self._runs(heard, intent))
        )

    async def act(
        self,
        heard: Request,
        intent: Intent,
        descriptors: Descriptors,
        candidates: tuple[Candidate, ...] = (),
    ) -> Acted:
        """Run the actions of `intent` and word their results, or put the question whether to."""
        asked = {each.action_id for each in intent.actions}
        if any(each.confirm and each.id in asked for each in descriptors):
            return await self._confirm(heard, intent, descriptors, candidates)
        execute = self._runs(heard, intent)
        who = None if self._once is None or is_repeatable(intent, descriptors) else identified(heard)
        if self._once is None or who is None:
            return await self._carried_out(heard, intent, _unrecorded(intent, execute), candidates)
        acted = await self._carried_out(heard, intent, self._once.run(who, intent, execute), candidates)
        self._once.note_delivery(heard, acted.reply, who)
        return acted

    async def _carried_out(
        self,
        heard: Request,
        intent: Intent,
        running: Awaitable[Run],
        candidates: tuple[Candidate, ...] = (),
    ) -> Acted:
        """What came of a run, in words; if it fails, the decision that led to it is told."""
        results: tuple[ActionResult, ...] = ()
        try:
            run = await running
            results = run.results
            if run.end == "refused":
                return self._cancelled(intent)
            return await self._word(heard, run, candidates)
        except BaseException as error:
            kind = type(error).__name__
            await self._tell(
                heard,
                Decision(lane="action", intent=intent, candidates=candidates, results=results, failed=kind),
            )
            raise

    def _cancelled(self, intent: Intent) -> Acted:
        text = "" if self._confirmations is None else self._confirmations.cancelled
        return say(text, Decision(lane="cancel", intent=intent))

    async def _confirm(
        self, heard: Request, intent: Intent, descriptors: Descriptors, candidates: tuple[Candidate, ...]
    ) -> Acted:
        if self._confirmations is None:
            raise Misconfigured("turnout: an action that asks for a confirmation needs a ledger")
        try:
            proposals = await self._propose(heard, intent.actions, descriptors)
        except Exception as error:
            fail("execute", error, heard, what="the confirmation failed")
        if len(proposals) != len(intent.actions):
            raise StageError(
                "execute", f"the engine gave {len(proposals)} proposals for {len(intent.actions)} actions"
            )
        refused = _refused(intent.actions, proposals)
        if refused:
            only = Intent(actions=tuple(each for each, _ in refused))
            results = tuple(result for _, result in refused)
            return await self._word(heard, Run(intent=only, results=results), candidates)
        texts = tuple(each for each in proposals if isinstance(each, str))
        question = await self._confirmations.put(heard, intent, texts)
        return say(question, Decision(lane="confirm", intent=intent, candidates=candidates))

    def _runs(self, heard: Request, intent: Intent) -> Execute:
        asked = tuple(intent.actions)

        async def execute() -> tuple[ActionResult, ...]:
            try:
                results: tuple[ActionResult, ...] = tuple(await self._execute(heard, asked))
            except Exception as error:
                fail("execute", error, heard, acted=True)
            if len(results) != len(asked):
                counts = f"{len(results)} results for {len(asked)} actions"
                raise StageError("execute", f"the engine gave {counts}", may_have_acted=True)
            return results

        return execute

    async def _word(self, heard: Request, run: Run, candidates: tuple[Candidate, ...] = ()) -> Acted:
        synthesis = Synthesis(request=heard, intent=run.intent, results=run.results)
        try:
            reply: Any = await self._synthesize(synthesis)
        except Exception as error:
            fail("synthesize", error, heard, acted=True)
        if reply is None:
            raise StageError("synthesize", "the synthesizer gave no reply", may_have_acted=True)
        decision = Decision(
            lane="action",
            intent=run.intent,
            candidates=candidates,
            results=run.results,
            replayed=run.replayed,
        )
        return Acted(reply, decision)


async def _unrecorded(intent: Intent, execute: Execute) -> Run:
    return Run(intent=intent, results=await execute())


def _refused(
    intents: tuple[ActionIntent, ...], proposals: tuple[str | ActionResult, ...]
) -> list[tuple[ActionIntent, ActionResult]]:
    return [
        (intent, proposal)
        for intent, proposal in zip(intents, proposals, strict=True)
        if isinstance(proposal, ActionResult)
    ]


def say(text: str, decision: Decision) -> Acted:
    """An answer of one text that no model was asked for."""
    return Acted(Reply.of(Answer(parts=(Text(text=text),), stop="end", usage=NO_TOKENS)), decision)
