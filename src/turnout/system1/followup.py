"""What the last words of a conversation ask for, from its messages alone.

Strategy: nothing is remembered between requests. The user's turns are read again from the first on, each in the light
of what the ones before it asked for: an answer to the assistant's question fills what was missing, a correction or
"the same for March" repeats the last call with other values, a request of its own switches. Only the user's words
give actions and values; of the assistant's it counts merely whether they ask something.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from turnout.model import V
from turnout.model.utterance import Turn, consent
from turnout.model.utterance.words import pattern

from . import phrases_followup
from .answering import answered, is_about
from .asked import BELOW, Asked, Read, Reading
from .bare_turns import (
    only_denies,
    only_plans,
    question_in,
    without_background,
    without_courtesy,
    without_cue,
    without_denied,
)
from .calls import Call, Extract, Schema, filled, named, only
from .clauses import lowered
from .composing import calls, in_order
from .leftover import content, is_bare
from .revision import Revision
from .speech import BACKGROUND, Speech, speech, wanted

_HALF_SURE: Final = 0.35
_LIKELY: Final = 3
_CHANCE: Final = 0.1
"""How sure a turn must be that a question of the assistant's confirms, among how many actions."""
TURNS: Final = 10
"""Turns of the user that are read again; what lies further back is forgotten."""


class Outcome(V, frozen=True, kw_only=True):
    """What is asked for now; `reason` says why it's nothing, `reading` how the words by themselves were read."""

    calls: tuple[Call, ...] = ()
    reason: str = ""
    reading: Reading = Reading()


def follow(
    turns: Sequence[Turn],
    *,
    read: Read,
    extract: Extract,
    schemas: Mapping[str, Schema],
    recall: Read | None = None,
) -> Outcome:
    """What the last turn, a user's, asks for in the light of those before it; of itself when there are none.

    `recall` reads the earlier turns, with lower bars for instance, since they give nothing without the last one.
    """
    heard = _heard(turns)
    if not heard:
        return Outcome(reason="the user said nothing")
    reader = _Conversation(recall or read, extract, schemas)
    for said, following in pairwise(heard):
        reader.take(said, following.after)
    return reader.reading_by(read).take(heard[-1])


class _Said(NamedTuple):
    """A turn of the user's, and what the assistant said before it."""

    text: str
    after: str


def _heard(turns: Sequence[Turn]) -> list[_Said]:
    heard: list[_Said] = []
    after = ""
    for turn in turns:
        if turn.speaker == "assistant":
            after = turn.text
        elif turn.text.strip():
            heard.append(_Said(turn.text.strip(), after))
            after = ""
    return heard[-TURNS:]


_QUESTIONS: Final = frozenset(
    {
        "how-to",
        "why",
        "explanation",
        "advice",
        "capability",
        "lookup",
        "transformation",
        "code",
        "injection",
        "sarcasm",
        "condition",
        "quoted",
    }
)


class _Conversation:
    """The calls that the user's turns have come to so far."""

    def __init__(self, read: Read, extract: Extract, schemas: Mapping[str, Schema]) -> None:
        self._read = read
        self._extract = extract
        self._schemas = schemas
        self._calls: tuple[Call, ...] = ()
        self._said = ""  # the words that they were read in
        self._current = False  # whether they are what the last turn asked for

    def reading_by(self, read: Read) -> "_Conversation":
        """The same conversation, with another way to read what comes now."""
        self._read = read
        return self

    def take(self, said: _Said, answer: str = "") -> Outcome:
        """What this turn asks for; `answer` is what the assistant said to it."""
        outcome = self._taken(said)
        if not outcome.calls and outcome.reason == BELOW and answer:
            outcome = self._borne_out(outcome, said.text, answer)
        outcome = msgspec.structs.replace(
            outcome,
            calls=tuple(in_order(call, self._schemas.get(call.action_id, {})) for call in outcome.calls),
        )
        self._current = bool(outcome.calls)
        if outcome.calls:
            self._said = said.text
            self._calls = outcome.calls
        return outcome

    def _borne_out(self, outcome: Outcome, text: str, answer: str) -> Outcome:
        """What a turn asks for that was not sure by itself, where the assistant's question is about just that.

        The question tells that it is meant; values are only those of the user's words.
        """
        scores = outcome.reading.scores
        if not scores.ranked or scores.ours < _HALF_SURE:
            return outcome
        likely = [action for action, chance in scores.ranked[:_LIKELY] if chance > _CHANCE]
        action = self._asked_about(likely, text, answer)
        if not action:
            return outcome
        asked = Asked(action_id=action, text=text, scores=scores)
        reading = msgspec.structs.replace(outcome.reading, asked=(asked,), reason="")
        made = calls(reading, self._extract, self._schemas, self._calls)
        return Outcome(calls=made, reading=reading)

    def _asked_about(self, likely: Sequence[str], text: str, answer: str) -> str:
        """The action that the assistant's question is about: it says it itself, or it asks for what that one lacks."""
        question = question_in(answer)
        if question:
            found = self._read(question)
            if found.reason == BELOW and found.scores.ranked:
                return found.scores.ranked[0][0] if found.scores.ranked[0][0] in likely[:1] else ""
            return (
                found.asked[0].action_id
                if len(found.asked) == 1 and found.asked[0].action_id in likely
                else ""
            )
        if "?" not in answer or not likely:
            return ""
        for action in likely:
            schema = self._schemas.get(action, {})
            lacking = self._extract(action, schema, text).missing
            if any(is_about(named(schema).get(name, {}), name, answer) for name in lacking):
                return action
        return ""

    def _taken(self, said: _Said) -> Outcome:
        if not self._calls:
            return self._fresh(said.text)
        if (truth := self._truth(said)) is not None:
            return truth
        agreed = consent(said.text)
        if agreed == "no":
            return Outcome(reason="the user says no")
        if agreed == "yes":
            return self._confirmed(said.after)
        heard = speech(said.text)
        if heard.forms() == frozenset({"courtesy"}):
            return Outcome(reason="the user asks for nothing")
        found = (
            self._agreed(said)
            or self._chosen(said)
            or self._repeated(said, heard)
            or self._corrected(said, heard)
        )
        if found is None and "retreat" in heard.forms():
            self._calls = ()
            return Outcome(reason="the user takes it back")
        if found is None and "?" in said.after:
            found = self._answered(said, heard)
        return found or self._gone_on(said, heard)

    def _truth(self, said: _Said) -> Outcome | None:
        """A yes or a no as the answer to a question for a truth that is open."""
        wanted = [
            name
            for call in self._calls
            for name in call.open
            if named(self._schemas.get(call.action_id, {})).get(name, {}).get("type") == "boolean"
        ]
        if not wanted or "?" not in said.after or not self._current:
            return None
        made = answered(
            self._calls, said.text, self._extract, self._schemas, said=self._said, question=said.after
        )
        found = bool(made) and made != self._calls and self._decides(made)
        return Outcome(calls=made, reason="an answer to the assistant's question") if found else None

    def _agreed(self, said: _Said) -> Outcome | None:
        """A yes that says it once more, or that adds something: "sure, cancel it", "yes, and web as well"."""
        assent = pattern(phrases_followup.AGREES).match(lowered(said.text))
        if assent is None or not self._confirmed(said.after).calls:
            return None
        rest = said.text[assent.end() :]
        if self._restates(rest):
            return Outcome(calls=self._calls, reason="the user says yes to it")
        adds = pattern(phrases_followup.ADDS).search(lowered(said.text), assent.start("joint"))
        if adds is None:
            return None
        more = self._last.repeated(pattern(phrases_followup.TOO).sub("", rest), is_bare)
        more = more or self._fresh(rest).calls
        return Outcome(calls=(*self._calls, *more), reason="the user says yes, and more") if more else None

    def _restates(self, rest: str) -> bool:
        """Whether words only say the last calls once more, with a pronoun for their values."""
        if len(rest.split()) > _SHORT or _OBJECT.search(rest) is None:
            return False
        found = self._read(rest)
        if found.reason not in ("", BELOW) or not found.scores.ranked:
            return False
        action = found.scores.ranked[0][0]
        schema = self._schemas.get(action, {})
        known = {call.action_id for call in self._calls} == {action}
        return known and not self._extract(action, schema, rest).values

    def _chosen(self, said: _Said) -> Outcome | None:
        """Some of several calls that wait for a yes: "only A-19", "skip A-18"."""
        if "?" not in said.after or not self._current:
            return None
        only = pattern(phrases_followup.ONLY, re.IGNORECASE).search(said.text)
        without = pattern(phrases_followup.WITHOUT, re.IGNORECASE).search(said.text)
        meant = self._last.named(said.text) if only or without else ()
        if not meant:
            return None
        made = meant if only else tuple(call for call in self._calls if call not in meant)
        return Outcome(calls=made, reason="some of them")

    def _gone_on(self, said: _Said, heard: Speech) -> Outcome:
        """Words that are a request of their own, or else more about the last calls, which speak for them."""
        if (values := self._only_values(said, heard)) is not None:
            return values
        fresh = self._fresh(said.text)
        if fresh.calls:
            answers = "?" in said.after and any(call.open for call in self._calls) and self._current
            return self._merged(fresh) if answers else fresh
        ranked = fresh.reading.scores.ranked
        if fresh.reason != BELOW or not ranked or not _POINTS.search(said.text):
            return fresh
        if all(call.action_id != ranked[0][0] for call in self._calls) or heard.forms():
            return fresh
        made = self._last.repeated(said.text, _few)
        return Outcome(calls=made, reason="the last once more") if made else fresh

    def _only_values(self, said: _Said, heard: Speech) -> Outcome | None:
        """Words that are nothing but values of the last calls: "12,500, sorry", "Monday, same time"."""
        asks = "?" in said.after
        text = without_background(said.text, heard)
        if speech(text).forms() or (asks and not self._current):
            return None
        made = self._last.corrected(text, is_bare) if asks else self._last.repeated(text, is_bare)
        if not made:
            return None
        if all(call in self._calls for call in made):
            return Outcome(reason="the user says nothing new")
        if "?" in text and not pattern(phrases_followup.PROPOSES, re.IGNORECASE).search(text):
            return Outcome(reason="the user wonders about a value")
        return Outcome(calls=made, reason="other values")

    @property
    def _last(self) -> Revision:
        return Revision(self._calls, self._said, self._extract, self._schemas)

    def _fresh(self, text: str) -> Outcome:
        """The words by themselves."""
        reading = self._read(text)
        made = calls(reading, self._extract, self._schemas, self._calls)
        reason = reading.reason or ("" if made else "a part of it is not understood")
        return Outcome(calls=made, reason=reason, reading=reading)

    def _confirmed(self, after: str) -> Outcome:
        """A yes: to the last calls, if the question is about them and about nothing more."""
        question = question_in(after)
        if (
            not self._current
            or not question
            or pattern(phrases_followup.OFFERING, re.IGNORECASE).search(question)
        ):
            return Outcome(reason="there is nothing to say yes to")
        if pattern(phrases_followup.REPORTS, re.IGNORECASE).search(after[: after.rindex(question)]):
            return Outcome(reason="the assistant offers something that the user didn't ask for")
        if any(call.open for call in self._calls):
            return Outcome(reason="the user says yes, and parameters are missing")
        asked = self._read(question).asked
        if asked and {one.action_id for one in asked} != {call.action_id for call in self._calls}:
            return Outcome(reason="the assistant asks about another action than the user")
        if any(self._differs(call, question) for call in self._calls):
            return Outcome(reason="the assistant asks about other values than the user's")
        return Outcome(calls=self._calls, reason="the user says yes to it")

    def _differs(self, call: Call, question: str) -> bool:
        schema = self._schemas.get(call.action_id, {})
        found = self._extract(call.action_id, only(schema, list(call.params)), question)
        return any(each.value != call.params[name] for name, each in found.values.items())

    def _repeated(self, said: _Said, heard: Speech) -> Outcome | None:
        """ "The same for March": the last calls once more with other values, whatever else tells why."""
        body = without_courtesy(said.text, heard)
        found = self._once_more(said, body)
        if found is None and (bare := without_background(body, speech(body))) != body:
            found = self._once_more(said, bare)
        return found

    def _once_more(self, said: _Said, body: str) -> Outcome | None:
        low = lowered(body)
        cue = pattern(phrases_followup.SAME).match(low)
        too = pattern(phrases_followup.TOO).search(low)
        if cue is None and too is None:
            return None
        begins = 0 if cue is None else cue.end()
        rest = body[begins : len(body) if too is None else max(too.start(), begins)]
        again = any(each and pattern(phrases_followup.AGAIN).search(each[0]) for each in (cue, too))
        forms = speech(rest).forms() - {"lookup", "quoted"}
        if not again and _QUESTIONS & forms:
            return None
        if "negation" in forms:
            rest = wanted(rest, speech(rest))
            if not content(rest):
                return None
        made = self._other_values(said, rest) if content(rest) else ()
        if made:
            return Outcome(calls=made, reason="the same with other values")
        if not again and speech(rest).asks:
            fresh = self._fresh(rest)
            if fresh.calls or content(rest) > 1:
                return self._merged(fresh, required=True) if too else fresh
        if not content(rest):
            return Outcome(calls=self._calls, reason="the same again") if again else None
        made = self._last.repeated(rest, _few if again else _one)
        return Outcome(calls=made, reason="the same with other values") if made else None

    def _other_values(self, said: _Said, rest: str) -> tuple[Call, ...]:
        """The calls that words which are only values make of the last ones, which may wait for a yes."""
        waits = "?" in said.after and self._current and len(self._calls) > 1
        made = self._last.corrected(rest, is_bare) if waits else ()
        return made or self._last.repeated(rest, is_bare)

    def _corrected(self, said: _Said, heard: Speech) -> Outcome | None:
        """ "No, 40 not 30": the last calls with another value."""
        text, low = said.text, lowered(said.text)
        assent = pattern(phrases_followup.ASSENT).match(low)
        if assent is not None:
            text, low = text[assent.end() :], low[assent.end() :]
        elif pattern(phrases_followup.CUES).search(low) is None:
            return None
        rest, denied = without_denied(without_cue(text, low))
        forms = speech(rest).forms()
        if _QUESTIONS & forms or only_denies(speech(rest)):
            return None
        pending = "?" in said.after or not said.after
        correct = partial(self._last.corrected, denied=denied, pending=pending)
        made = correct(rest, is_bare)
        if made:
            return Outcome(calls=made, reason="corrected")
        fresh = self._fresh(rest)
        if fresh.calls:
            return self._merged(fresh, pending=pending)
        if forms - BACKGROUND - {"negation"} or only_plans(rest, speech(rest)):
            return None
        if "negation" in forms:
            rest = wanted(rest, speech(rest))
        made = correct(rest, _few)
        return Outcome(calls=made, reason="corrected") if made else None

    def _merged(self, fresh: Outcome, *, pending: bool = False, required: bool = False) -> Outcome:
        """A corrected request: what it leaves open is as it was said before, and so are `pending` ones beside it.

        `required` takes from before only what the action can't do without.
        """
        said = list(self._calls)
        made: list[Call] = []
        for call in fresh.calls:
            at = _before(call, said)
            if at is None:
                return fresh
            kept = call.missing if required else _kept(call, said[at])
            whole = filled(call, {name: said[at].params[name] for name in kept if name in said[at].params})
            said[at] = whole
            made.append(whole)
        return msgspec.structs.replace(fresh, calls=tuple(said) if pending else tuple(made))

    def _answered(self, said: _Said, heard: Speech) -> Outcome | None:
        """An answer to the assistant's question."""
        if _QUESTIONS & heard.forms():
            return None
        waiting = any(call.open for call in self._calls)
        if heard.asks:
            fresh = self._fresh(said.text)
            if fresh.calls:
                return self._merged(fresh) if waiting else fresh
        if not waiting:
            made = self._last.extended(said.text, _two)
            if made == self._calls or (only_denies(heard) and not self._decides(made)):
                return None
            return Outcome(calls=made, reason="another value") if made else None
        made = answered(
            self._calls, said.text, self._extract, self._schemas, said=self._said, question=said.after
        )
        if only_denies(heard) and not self._decides(made):
            return None
        return Outcome(calls=made, reason="an answer to the assistant's question") if made else None

    def _decides(self, made: Sequence[Call]) -> bool:
        """Whether an answer says nothing but truths, which a refusal may: "not needed"."""
        before = [call.params for call in self._calls]
        new = [
            each
            for call in made
            for each in call.params.items()
            if all(each not in p.items() for p in before)
        ]
        return all(isinstance(value, bool) for _, value in new)


def _one(rest: str) -> bool:
    return content(rest) <= 1


def _two(rest: str) -> bool:
    return content(rest) <= 2


def _few(rest: str) -> bool:
    return content(rest) <= 3


_SHORT: Final = 5  # words
_OBJECT: Final = re.compile(r"\b(?:it|that|them|this|those|es|das|le|la|les|lo|los|las)\b", re.IGNORECASE)
_POINTS: Final = re.compile(r"\b(?:it|them|that|those|also|too|as well|another|back)\b", re.IGNORECASE)


def _kept(call: Call, before: Call) -> list[str]:
    """What an earlier call of the same action says that the corrected one leaves open."""
    return [
        name
        for name in before.params
        if name not in call.params and name not in call.ambiguous and name not in call.invalid
    ]


def _before(call: Call, said: Sequence[Call]) -> int | None:
    """The place of the call that another one of the same action corrects: one with a value of it, or else the last."""
    same = [at for at, each in enumerate(said) if each.action_id == call.action_id]
    alike = [
        at for at in same if any(said[at].params.get(name) == value for name, value in call.params.items())
    ]
    return next(reversed(alike or same), None)
