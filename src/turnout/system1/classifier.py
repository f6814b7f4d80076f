"""The classifier of System 1: which actions a request asks for, with which values, and nothing when it is not sure.

Strategy: the tiers score clauses; speech acts, several actions in one request and follow-ups are read around the
scores; parameters are typed by their schemas. An action runs only where all of it agrees and nothing is left open.
"""

import asyncio
import copy
import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol

import msgspec

from turnout.model import (
    ActionDescriptor,
    ActionIntent,
    Ask,
    Candidate,
    Classification,
    Descriptors,
    Intent,
    Request,
)
from turnout.model.errors import Misconfigured
from turnout.model.utterance import Turn, turns

from .calls import Call, named, only
from .catalogue import Catalogue, compile_catalogue, spoken
from .clauses import lowered
from .compound import read
from .followup import Outcome, follow
from .gloss import gloss
from .lexical import LexicalScorer
from .own_words import own_words
from .parameters import Example, Extraction, Readings, Tagger, extract
from .parameters.filling import Value
from .payload import without_payload
from .proper import Name, name_in, naming
from .remains import LEFT, Remains
from .scores import Known, Labelled, Lean, Scores, Teachable, Thresholds
from .speech import Gate
from .spelling import Respelled, Spelling
from .weighing import weighed

HANDFUL: Final = 5
"""Most actions that may be told apart by their names and descriptions alone."""

CAREFUL: Final = Thresholds(ours=0.55, margin=0.25)
"""What applies without a calibration, with the encoder; few wrong actions, no promise."""

CAREFUL_LEXICAL: Final = Thresholds(ours=0.5, margin=0.45)
"""The same for the lexical tier."""

SCORING: Final = 4
"""Raised whenever a tier scores otherwise than before: what was calibrated then says nothing of the scores now."""

_SHOWN: Final = 5
_TELLING: Final = 20  # examples of an action that tell whether it takes a name
_NAMED: Final = 0.85
_WORD: Final = re.compile(r"[a-z]+")
_ANY_TIME: Final = datetime.datetime(2026, 1, 15, 12)


class Scorer(Protocol):
    """What a tier gives."""

    @property
    def encoding(self) -> str:
        """A digest of what its encoder makes of texts, `""` without one."""
        ...

    def score(self, text: str) -> Scores:
        """How surely the text asks for an action, and for which."""
        ...


class System1Classifier:
    """A classifier of local tiers; made by `fit`, never changed.

    `now` gives the user's local time, from which "tomorrow" is counted; by default the machine's.
    """

    def __init__(
        self,
        descriptors: Descriptors,
        catalogue: Catalogue,
        scorer: Scorer,
        gate: Gate,
        thresholds: Thresholds,
        *,
        tier: str,
        tagger: Tagger | None = None,
        names: Mapping[str, str] | None = None,
        remains: Remains | None = None,
        spelling: Spelling | None = None,
        foreign: bool = False,
        now: Callable[[], datetime.datetime] = datetime.datetime.now,
    ) -> None:
        self._tagger = tagger
        self._names = names or {}
        self._remains = remains or Remains({})
        self._spelling = spelling
        self._descriptors = {each.id: each for each in descriptors}
        self._schemas = {each.id: each.schema or {} for each in descriptors}
        self._formed = any(named(schema) for schema in self._schemas.values())
        self._catalogue = catalogue
        self._scorer = scorer
        self._gate = gate
        self._thresholds = thresholds
        self._tier = tier
        self._now = now
        taught = sum(1 for count in catalogue.taught if count)
        self._foreign = foreign
        self._words = frozenset(word for text in catalogue.texts for word in _WORD.findall(text.lower()))
        self._alone = len(descriptors) <= HANDFUL or 2 * taught > len(descriptors)

    @classmethod
    def fit(
        cls,
        descriptors: Descriptors,
        examples: Sequence[Labelled] = (),
        negatives: Mapping[str, Sequence[str]] | None = None,
        reasoning: Sequence[str] = (),
        *,
        encoder: Callable[[Sequence[str]], Any] | None = None,
        local: bool | None = None,
        since: "System1Classifier | None" = None,
        now: Callable[[], datetime.datetime] = datetime.datetime.now,
    ) -> "System1Classifier":
        """Learn from what the actions say of themselves, further examples, and texts that ask for none.

        `encoder` is one of your own: texts to vectors of length 1. Without one the installed weights are used, and
        without those (or with `local=False`) the words alone. Takes seconds; call it off the event loop. With `since`,
        a classifier of nearly the same catalogue, only what is new is learned (with an encoder).

        Raises:
            Misconfigured: there are no actions, or `local=True` and no weights are installed.
        """
        if not descriptors:
            raise Misconfigured("there are no actions to tell apart")
        catalogue = compile_catalogue(descriptors, examples, negatives, reasoning)
        spelling: Spelling | None = None
        if encoder is None and local is not False:
            from .tiers import installed

            encoder = own = installed()
            if own is not None:
                spelling = Spelling(catalogue.texts, own.knows)
            elif local:
                raise Misconfigured("the local encoder is not installed; run `turnout encoder install`")
        scorer: Scorer
        if encoder is None:
            scorer, tier, thresholds = LexicalScorer(catalogue), "lexical", CAREFUL_LEXICAL
        else:
            from .local import LocalScorer

            before = None if since is None or not isinstance(since._scorer, LocalScorer) else since._scorer
            scorer, tier, thresholds = LocalScorer(catalogue, encoder, before), "local", CAREFUL
        gate = Gate.learn(
            _taught(descriptors, examples),
            {each.id: (spoken(each), each.description) for each in descriptors},
            None if since is None else since._gate,
        )
        return cls(
            descriptors,
            catalogue,
            scorer,
            gate,
            thresholds,
            tier=tier,
            tagger=_tagger(descriptors, examples),
            names=_names(descriptors, examples),
            remains=_remains(descriptors, examples),
            spelling=spelling,
            foreign=cls._has_foreign(catalogue, since),
            now=now,
        )

    @staticmethod
    def _has_foreign(catalogue: Catalogue, since: "System1Classifier | None") -> bool:
        """Whether a text of the catalogue is in another known language; where none was, only new ones are read."""
        known: frozenset[str] = frozenset()
        if since is not None and not since._foreign:
            known = frozenset(since._catalogue.texts)
        return any(text not in known and gloss(text) is not None for text in catalogue.texts)

    @property
    def fingerprint(self) -> str:
        """A digest of what its scores depend on: the tier and how it scores, all it learned from, and its encoder."""
        encoding = f"-{self._scorer.encoding}" if self._scorer.encoding else ""
        return f"{self._tier}{SCORING}-{self._catalogue.fingerprint}{encoding}"

    @property
    def tier(self) -> str:
        """`local` with an encoder, `lexical` without one."""
        return self._tier

    @property
    def thresholds(self) -> Thresholds:
        """The bars for acting."""
        return self._thresholds

    def calibrated(self, thresholds: Thresholds, lean: Lean | None = None) -> "System1Classifier":
        """The same classifier with these thresholds, and with what labelled rows taught of its first score."""
        same = self.leaning(lean)
        same._thresholds = thresholds
        return same

    def leaning(self, lean: Lean | None) -> "System1Classifier":
        """The same classifier with that correction of its first score, and no other."""
        same = copy.copy(self)
        if isinstance(self._scorer, Teachable):
            same._scorer = self._scorer.leaning(lean)
        return same

    def leans(self, rows: Sequence[Labelled], folds: int) -> tuple[Lean | None, ...]:
        """What the rows teach about the first score: all of them, and then all without those of each fold.

        The row at a place is in the fold of that number modulo `folds`. `None` where nothing can be learned.
        """
        if not isinstance(self._scorer, Teachable):
            return (None,) * (folds + 1)
        read = ((row, gloss(row.text, self._words)) for row in rows)
        english = [
            row if foreign is None else Labelled(text=foreign.text, actions=row.actions)
            for row, foreign in read
        ]
        return self._scorer.leans(english, folds)

    def score(self, text: str) -> Scores:
        """How surely the text asks for an action, and for which; speech acts are not looked at."""
        readings = Readings(self._now())
        return self._weighed(
            self._score_words(text),
            lambda action: self._extract(readings, action, self._schemas[action], text),
        )

    def _weighed(self, scores: Scores, told: Callable[[str], Extraction]) -> Scores:
        return weighed(scores, told, self._required) if self._formed and scores.ranked else scores

    def _required(self, action_id: str) -> Sequence[str]:
        return self._schemas[action_id].get("required") or ()

    def _score_words(self, text: str) -> Scores:
        foreign = gloss(text, self._words)
        if foreign is None:
            return self._score_english(text)
        english = self._scorer.score(foreign.text)
        if not self._foreign:
            return english
        return max(english, self._scorer.score(text), key=lambda each: (each.ours, each.margin))

    def _score_english(self, text: str) -> Scores:
        text = without_payload(text, lowered(text)) or text
        respelled = self._respelled(text)
        return self._scorer.score(text if respelled is None else respelled.text)

    def _respelled(self, text: str) -> Respelled | None:
        return None if self._spelling is None else self._spelling.corrected(text)

    def acting(self, text: str) -> Callable[[Thresholds], tuple[str, ...]]:
        """What would run for a text said first in a conversation, by the thresholds; scored once for all of them."""
        known = Known({}, {})
        decided: dict[tuple[bool, ...], tuple[str, ...]] = {}

        def at(thresholds: Thresholds) -> tuple[str, ...]:
            def passes() -> tuple[bool, ...]:
                bars = (thresholds, thresholds.eased())
                return tuple(bar.passed(scores) for scores in known.all() for bar in bars)

            found = decided.get(passes())
            if found is None:
                found = self._would_run(text, thresholds, known)
                decided[passes()] = found
            return found

        return at

    def _would_run(self, text: str, thresholds: Thresholds, known: Known) -> tuple[str, ...]:
        said = (Turn(speaker="user", text=text),)
        outcome = self._decided(said, self._now(), thresholds, known)
        return (
            ()
            if any(call.open for call in outcome.calls)
            else tuple(call.action_id for call in outcome.calls)
        )

    async def __call__(self, request: Request, descriptors: Descriptors) -> Intent | Ask:
        """Which actions the request asks for; a question when what it asks for cannot run yet."""
        return (await self.explain(request, descriptors)).outcome

    async def explain(self, request: Request, descriptors: Descriptors) -> Classification:
        """The same outcome with its grounds."""
        allowed = frozenset(each.id for each in descriptors)
        decide = partial(self.decide, turns(request), allowed=allowed)
        # Milliseconds of arithmetic, which lets other threads run; the words alone cost less than the way there.
        outcome = await asyncio.to_thread(decide) if self._tier == "local" else decide()
        candidates = self._candidates(outcome)
        if not outcome.calls:
            return Classification(outcome=Intent(), candidates=candidates, reason=outcome.reason)
        open_calls = [call for call in outcome.calls if call.open]
        if open_calls:
            question = self._question(open_calls[0])
            ids = tuple(dict.fromkeys(call.action_id for call in outcome.calls))
            return Classification(outcome=Ask(question=question, candidates=ids), candidates=candidates)
        actions = tuple(ActionIntent(action_id=call.action_id, params=call.params) for call in outcome.calls)
        return Classification(outcome=Intent(actions=actions), candidates=candidates)

    def decide(
        self,
        heard: Sequence[Turn],
        *,
        allowed: frozenset[str] | None = None,
        now: datetime.datetime | None = None,
        known: Known | None = None,
    ) -> Outcome:
        """What the last turn asks for, in the light of those before it; `allowed` are the actions that may be.

        `known` takes the scores of what is scored, and spares scoring what is in it.
        """
        known = Known({}, {}) if known is None else known
        outcome = self._decided(heard, now or self._now(), self._thresholds, known)
        if (
            outcome.calls
            and allowed is not None
            and any(call.action_id not in allowed for call in outcome.calls)
        ):
            return self._nothing(outcome, "the request may not use that action")
        return outcome

    def _decided(
        self,
        heard: Sequence[Turn],
        moment: datetime.datetime,
        thresholds: Thresholds,
        known: Known,
    ) -> Outcome:
        """What the last turn asks for; `known` keeps the scores of what was scored."""

        def worded(text: str) -> Scores:
            found = known.worded.get(text)
            if found is None:
                found = known.worded[text] = self._score_words(text)
            return found

        def score(text: str) -> Scores:
            found = known.weighed.get(text)
            if found is None:
                found = known.weighed[text] = self._weighed(worded(text), lambda action: told(action, text))
            return found

        readings = Readings(moment)
        read_before: dict[tuple[str, str], Extraction] = {}

        def told(action_id: str, text: str) -> Extraction:
            found = read_before.get((action_id, text))
            if found is None:
                found = read_before[action_id, text] = self._extract(
                    readings, action_id, self._schemas[action_id], text
                )
            return found

        def extracted(action_id: str, schema: dict[str, Any], text: str) -> Extraction:
            if schema is self._schemas.get(action_id):
                return told(action_id, text)
            return self._extract(readings, action_id, schema, text)

        reads = partial(read, score=score, worded=worded, gate=self._gate, told=told)
        outcome = follow(
            heard,
            read=partial(reads, thresholds=thresholds),
            extract=extracted,
            schemas=self._schemas,
            recall=partial(reads, thresholds=thresholds.eased()),
        )
        if outcome.calls and not self._alone:
            return self._nothing(outcome, "too few actions have examples for acting alone")
        return outcome

    @staticmethod
    def _nothing(outcome: Outcome, reason: str) -> Outcome:
        return Outcome(reason=reason, reading=outcome.reading)

    def _extract(self, readings: Readings, action_id: str, schema: dict[str, Any], text: str) -> Extraction:
        about = self._descriptors[action_id].description
        found = readings.extract(schema, text, about=about, examples=self._tagger or ())
        name = self._names.get(action_id, "")
        foreign = gloss(text, self._words)
        plain = text if foreign is None else foreign.uncapitalised(text)
        if name in found.missing and (said := name_in(plain, found)):
            found = _with(found, name, said)
        elif found.missing and (led := own_words(text, found, schema)):
            found = _with(found, *led)
        elif found.missing and (left := self._remains.find(action_id, text, found)):
            found = _with(found, *left, confidence=LEFT)
        lacking = [*found.missing, *(_unsaid_choices(schema, found) if foreign is not None else ())]
        rendered = (foreign or self._respelled(text)) if lacking else None
        if rendered is None:
            return found
        english = readings.extract(only(schema, lacking), rendered.text, about=about)
        values = {
            name: msgspec.structs.replace(each, start=start, end=end)
            for name, each in english.values.items()
            for start, end in (rendered.origin(each.start, each.end),)
            if not any(start < other.end and other.start < end for other in found.values.values())
        }
        return msgspec.structs.replace(
            found,
            values={**found.values, **values},
            missing=tuple(name for name in found.missing if name not in values),
        )

    def _candidates(self, outcome: Outcome) -> tuple[Candidate, ...]:
        chosen = {call.action_id: call for call in outcome.calls}
        scores = outcome.reading.scores
        ranked = [*chosen, *(action for action, _ in scores.ranked if action not in chosen)][:_SHOWN]
        chances = dict(scores.ranked)
        bars = self._thresholds
        because = (
            f"ours {scores.ours:.3f} of {bars.ours:.3f}, margin {scores.margin:.3f} of {bars.margin:.3f}"
        )
        return tuple(
            Candidate(
                action_id=action,
                score=min(1.0, chances.get(action, 0.0)),
                params=chosen[action].params if action in chosen else {},
                missing=chosen[action].open if action in chosen else (),
                because=because if action in chosen or action == ranked[0] else "",
            )
            for action in ranked
        )

    def _question(self, call: Call) -> str:
        """What the user is asked, so that the answer fills what is open."""
        descriptor = self._descriptors[call.action_id]
        name = call.open[0]
        asked = name.replace("_", " ")
        if name in call.ambiguous:
            choices = " or ".join(str(value) for value in call.ambiguous[name])
            return f"{_sentence(descriptor)}: which {asked} do you mean, {choices}?"
        if name in call.invalid:
            wrong = call.invalid[name]
            return f"{_sentence(descriptor)}: {wrong} does not work as {asked}. Which {asked} should it be?"
        return f"{_sentence(descriptor)}: which {asked}?"


def _sentence(descriptor: ActionDescriptor) -> str:
    return spoken(descriptor).capitalize()


def _tagger(descriptors: Descriptors, examples: Sequence[Labelled]) -> Tagger | None:
    """What finds values as the examples show them, `None` when none shows any."""
    names = {each.id: tuple((each.schema or {}).get("properties", ())) for each in descriptors}
    shown = [
        Example(text=row.text, parameters=row.parameters, names=names.get(row.actions[0], ()))
        for row in examples
        if row.parameters and len(row.actions) == 1
    ]
    return Tagger(shown) if shown else None


def _unsaid_choices(schema: dict[str, Any], found: Extraction) -> list[str]:
    """The optional parameters with choices of which a text says nothing; in another language it may after all."""
    said = {*found.values, *found.missing, *found.ambiguous, *found.invalid}
    return [name for name, wants in named(schema).items() if "enum" in wants and name not in said]


def _with(found: Extraction, name: str, said: Name, confidence: float = _NAMED) -> Extraction:
    """What was found with one more value."""
    value = Value(value=said.value, start=said.start, end=said.end, confidence=confidence)
    missing = tuple(each for each in found.missing if each != name)
    return msgspec.structs.replace(found, values={**found.values, name: value}, missing=missing)


def _names(descriptors: Descriptors, examples: Sequence[Labelled]) -> dict[str, str]:
    """The parameters that are names of people and firms, as the examples show."""
    about = {each.id: each.description for each in descriptors}

    def read_one(action_id: str, schema: dict[str, Any], text: str) -> Extraction:
        return extract(schema, text, now=_ANY_TIME, about=about[action_id])

    taught = {action: texts[:_TELLING] for action, texts in _taught(descriptors, examples).items()}
    return naming(taught, {each.id: each.schema or {} for each in descriptors}, read_one)


def _remains(descriptors: Descriptors, examples: Sequence[Labelled]) -> Remains:
    """How the free texts of the actions stand in their examples."""
    about = {each.id: each.description for each in descriptors}

    def read_one(action_id: str, schema: dict[str, Any], text: str) -> Extraction:
        return extract(schema, text, now=_ANY_TIME, about=about[action_id])

    taught = {action: texts[:_TELLING] for action, texts in _taught(descriptors, examples).items()}
    told = {each.id: (spoken(each), each.description) for each in descriptors}
    return Remains.learn(taught, told, {each.id: each.schema or {} for each in descriptors}, read_one)


def _taught(descriptors: Descriptors, examples: Sequence[Labelled]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {each.id: list(each.examples) for each in descriptors}
    for row in examples:
        if len(row.actions) == 1 and row.actions[0] in found:
            found[row.actions[0]].append(row.text)
    return found
