"""What the last words of a conversation ask for, from its messages alone.

Strategy: nothing is remembered between requests. The user's turns are read again from the first on, each in the light
of what the ones before it asked for: an answer to the assistant's question fills what was missing, a correction or
"the same for March" repeats the last call with other values, a request of its own switches. Only the user's words
give actions and values; of the assistant's it counts merely whether they ask something.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from turnout.model import V
from turnout.model.utterance import Turn, consent
from turnout.model.utterance.words import pattern, word_set

from . import phrases_followup, phrases_framing
from .calls import Call, Extract, Extraction, Schema, filled, named, only
from .clauses import lowered
from .composing import calls, in_order
from .compound import BELOW, Read, Reading, coordinations
from .speech import BACKGROUND, Speech, speech, wanted

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
    *earlier, last = heard
    for said in earlier:
        reader.take(said)
    return reader.reading_by(read).take(last)


class _At(NamedTuple):
    """A value and where it stands."""

    value: Any
    start: int
    end: int


class _Values(NamedTuple):
    """Values that were found, and nothing that was not."""

    values: Mapping[str, _At]
    missing: tuple[str, ...] = ()
    ambiguous: Mapping[str, Sequence[Any]] = {}
    invalid: Mapping[str, Any] = {}


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
_LITTLE: Final = word_set("""
    a an the it its it's is for to at on in of by with from and or please pls thanks i i'd i'll we me my our us
    would will like want need take have go make be that this one ok okay yes yeah um uh let's lets say just then
    maybe think probably about around best work works fine good great should can could you do der die das ein
    eine einen für am um im in bitte ich wir nehme mir le la les un une pour à au en de du s'il te plaît je el
    los por favor para el a las il lo per alle the""")
_WORD: Final = re.compile(r"[^\W_]+(?:['.:-][^\W_]+)*")


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

    def take(self, said: _Said) -> Outcome:
        """What this turn asks for."""
        outcome = self._taken(said)
        outcome = msgspec.structs.replace(
            outcome,
            calls=tuple(in_order(call, self._schemas.get(call.action_id, {})) for call in outcome.calls),
        )
        self._current = bool(outcome.calls)
        if outcome.calls:
            self._said = said.text
            self._calls = outcome.calls
        return outcome

    def _taken(self, said: _Said) -> Outcome:
        if not self._calls:
            return self._fresh(said.text)
        agreed = consent(said.text)
        if agreed == "no":
            return Outcome(reason="the user says no")
        if agreed == "yes":
            return self._confirmed(said.after)
        heard = speech(said.text)
        if heard.forms() == frozenset({"courtesy"}):
            return Outcome(reason="the user asks for nothing")
        asks = "?" in said.after
        found = self._repeated(said.text, heard) or self._corrected(said.text, heard)
        if found is None and "retreat" in heard.forms():
            self._calls = ()
            return Outcome(reason="the user takes it back")
        if found is None and asks:
            found = self._answered(said, heard)
        return found or self._gone_on(said, self._fresh(said.text))

    def _gone_on(self, said: _Said, fresh: Outcome) -> Outcome:
        """Words that are a request of their own, or else more about the last calls, which speak for them."""
        if fresh.calls:
            answers = "?" in said.after and any(call.open for call in self._calls) and self._current
            return self._merged(fresh) if answers else fresh
        ranked = fresh.reading.scores.ranked
        if fresh.reason != BELOW or not ranked or not _POINTS.search(said.text):
            return fresh
        if all(call.action_id != ranked[0][0] for call in self._calls) or speech(said.text).forms():
            return fresh
        found = self._revalued(said.text, most=_MOST_LEFT)
        return msgspec.structs.replace(found, reason="the last once more") if found else fresh

    def _fresh(self, text: str) -> Outcome:
        """The words by themselves."""
        reading = self._read(text)
        made = calls(reading, self._extract, self._schemas, self._calls)
        reason = reading.reason or ("" if made else "a part of it is not understood")
        return Outcome(calls=made, reason=reason, reading=reading)

    def _confirmed(self, after: str) -> Outcome:
        """A yes: to the last calls, if the question is about them and about nothing more."""
        question = _question(after)
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

    def _repeated(self, text: str, heard: Speech) -> Outcome | None:
        """ "The same for March": the last calls once more with other values."""
        body = _without_courtesy(text, heard)
        low = lowered(body)
        cue = pattern(phrases_followup.SAME).match(low)
        too = pattern(phrases_followup.TOO).search(low)
        if cue is None and too is None:
            return None
        rest = body[
            0 if cue is None else cue.end() : len(body)
            if too is None
            else max(too.start(), cue.end() if cue else 0)
        ]
        again = cue is not None and pattern(phrases_followup.AGAIN).search(cue[0]) is not None
        said = speech(rest)
        if not again and (_QUESTIONS & (said.forms() - {"lookup"})):
            return None
        if not again and said.asks:
            fresh = self._fresh(rest)
            if fresh.calls or _content(rest) > 1:
                return fresh
        if not _content(rest):
            return Outcome(calls=self._calls, reason="the same again") if again else None
        found = self._revalued(rest, most=_MOST_LEFT if again else 1)
        return found and msgspec.structs.replace(found, reason="the same with other values")

    def _corrected(self, text: str, heard: Speech) -> Outcome | None:
        """ "No, 40 not 30": the last call with another value."""
        low = lowered(text)
        assent = pattern(phrases_followup.ASSENT).match(low)
        if assent is not None:
            text, low = text[assent.end() :], low[assent.end() :]
        elif pattern(phrases_followup.CUES).search(low) is None:
            return None
        cue = pattern(phrases_followup.CORRECTS).match(low)
        rest = text if cue is None else text[cue.end() :]
        rest = pattern(phrases_followup.NOT_TAIL, re.IGNORECASE).sub("", rest)
        rest = pattern(phrases_framing.INSTEAD, re.IGNORECASE).sub("", rest)
        rest = re.sub(
            r"[\s,]+(?:instead|rather|please|actually|sorry)(?=\W*\Z)", "", rest, flags=re.IGNORECASE
        )
        forms = speech(rest).forms()
        if _QUESTIONS & forms:
            return None
        fresh = self._fresh(rest)
        if fresh.calls:
            return self._merged(fresh)
        if forms - BACKGROUND - {"negation"}:
            return None
        if "negation" in forms:
            rest = wanted(rest, speech(rest))
        found = self._revalued(rest, most=_MOST_LEFT)
        return found and msgspec.structs.replace(found, reason="corrected")

    def _merged(self, fresh: Outcome) -> Outcome:
        """A corrected request: what it leaves open is as it was said before."""
        known = {call.action_id: call for call in self._calls}
        made = tuple(
            filled(
                call,
                {name: known[call.action_id].params[name] for name in _kept(call, known[call.action_id])},
            )
            if call.action_id in known
            else call
            for call in fresh.calls
        )
        return msgspec.structs.replace(fresh, calls=made)

    def _revalued(self, rest: str, most: int, *, new: bool = False) -> Outcome | None:
        """The last calls with the values that these words give.

        They replace values that were said, where they fit one; with `new` they rather add one that wasn't.
        """
        for at in reversed(range(len(self._calls))):
            call = self._calls[at]
            schema = self._schemas.get(call.action_id, {})
            said = [name for name in named(schema) if name in call.params]
            unsaid = [name for name in named(schema) if name not in call.params]
            for names in (unsaid, said) if new else (said, unsaid):
                made = self._filled(call, schema, names, rest, most) if names else ()
                if made:
                    return Outcome(calls=(*self._calls[:at], *made, *self._calls[at + 1 :]))
        return None

    def _filled(
        self, call: Call, schema: Schema, names: Sequence[str], text: str, most: int
    ) -> tuple[Call, ...]:
        found = self._extract(call.action_id, only(schema, names), text)
        values = {name: each.value for name, each in found.values.items()}
        if not values and found.ambiguous:
            return self._each(call, schema, names, text)
        if not values or _left(text, found) > most:
            return ()
        doubtful = {name: tuple(each) for name, each in found.ambiguous.items() if name in call.open}
        return (
            msgspec.structs.replace(filled(call, values), ambiguous=doubtful)
            if doubtful
            else filled(call, values),
        )

    def _each(self, call: Call, schema: Schema, names: Sequence[str], text: str) -> tuple[Call, ...]:
        """One call for each of several joined values."""
        part = only(schema, names)
        for texts in coordinations(f". {text}"):
            found = [self._extract(call.action_id, part, each) for each in texts]
            if all(each.values and not each.ambiguous for each in found):
                return tuple(
                    filled(call, {name: value.value for name, value in each.values.items()}) for each in found
                )
        return ()

    def _answered(self, said: _Said, heard: Speech) -> Outcome | None:
        """An answer to the assistant's question."""
        if _QUESTIONS & heard.forms():
            return None
        waiting = next((call for call in reversed(self._calls) if call.open), None)
        if heard.asks:
            fresh = self._fresh(said.text)
            if fresh.calls:
                return self._merged(fresh) if waiting is not None else fresh
        if waiting is None:
            found = self._revalued(said.text, most=2, new=True)
            return found and msgspec.structs.replace(found, reason="another value")
        filled = self._slot(waiting, said.text)
        if not filled:
            return None
        made = [each for other in self._calls for each in (filled if other is waiting else (other,))]
        return Outcome(calls=tuple(made), reason="an answer to the assistant's question")

    def _slot(self, waiting: Call, text: str) -> tuple[Call, ...]:
        """The call with what was open in it taken from the words, as far as they say it; several for joined values."""
        schema = self._schemas.get(waiting.action_id, {})
        found = self._together(waiting, schema, text) or self._extract(
            waiting.action_id, only(schema, waiting.open), text
        )
        if not found.values and found.ambiguous:
            several = self._each(waiting, schema, waiting.open, text)
            if several:
                return several
        if not found.values and not found.ambiguous and not found.invalid:
            return self._free_text(waiting, schema, text)
        call = filled(waiting, {name: each.value for name, each in found.values.items()})
        rest = _blanked(text, found)
        others = [name for name in named(schema) if name not in call.params and name not in waiting.open]
        if others and _content(rest):
            more = self._extract(waiting.action_id, only(schema, others), rest)
            call = filled(call, {name: each.value for name, each in more.values.items()})
        doubtful = {**found.ambiguous, **found.invalid}
        return (
            msgspec.structs.replace(
                call,
                ambiguous={**call.ambiguous, **{name: tuple(each) for name, each in found.ambiguous.items()}},
                invalid={**call.invalid, **found.invalid},
                missing=tuple(name for name in call.missing if name not in doubtful),
            ),
        )

    def _together(self, waiting: Call, schema: Schema, text: str) -> Extraction | None:
        """A date that is counted from one that was said: "the 9th" after "from 5 October"."""
        properties = named(schema)
        dated = [name for name in waiting.open if properties[name].get("format") in _DATED]
        said = [name for name in waiting.params if properties[name].get("format") in _DATED]
        if not dated or not said or not self._said:
            return None
        before = self._extract(
            waiting.action_id, only(schema, [*said, *dated]), f"{self._said.rstrip('.!')} {text}"
        )
        whole = all(name in before.values for name in dated) and all(
            name in before.values and before.values[name].value == waiting.params[name] for name in said
        )
        if not whole:
            return None
        alone = self._extract(waiting.action_id, only(schema, dated), text)
        return _Values(
            {
                name: _At(before.values[name].value, found.start, found.end)
                for name, found in alone.values.items()
            }
        )

    def _free_text(self, waiting: Call, schema: Schema, text: str) -> tuple[Call, ...]:
        """The words as they are, where one text of any kind is asked for."""
        if len(waiting.open) != 1 or len(text) > _LONGEST_TEXT:
            return ()
        name = waiting.open[0]
        wants: Any = named(schema).get(name) or {}
        if wants.get("type") != "string" or any(
            key in wants for key in ("enum", "format", "pattern", "const")
        ):
            return ()
        return (filled(waiting, {name: _unquoted(text.strip().rstrip("."))}),)


_MOST_LEFT: Final = 3
_POINTS: Final = re.compile(r"\b(?:it|them|that|those|also|too|as well|another|back)\b", re.IGNORECASE)
_DATED: Final = frozenset({"date", "date-time"})
_LONGEST_TEXT: Final = 200  # code points


def _question(after: str) -> str:
    """The last question of the assistant's, `""` when it's one for a value or none at all."""
    asked = re.findall(r"[^.!?\n]+\?", re.sub(r"(?<=\d)[.](?=\d)", "\u2024", after))
    question = asked[-1].strip().replace("\u2024", ".") if asked else ""
    return "" if pattern(phrases_followup.FOR_A_VALUE, re.IGNORECASE).match(question) else question


def _without_courtesy(text: str, heard: Speech) -> str:
    kept = [clause for clause in heard.clauses if clause.form != "courtesy"]
    return text[kept[0].start : kept[-1].end] if kept else text


def _kept(call: Call, before: Call) -> list[str]:
    """What an earlier call of the same action says that the corrected one leaves open."""
    return [
        name
        for name in before.params
        if name not in call.params and name not in call.ambiguous and name not in call.invalid
    ]


def _blanked(text: str, found: Extraction) -> str:
    for each in found.values.values():
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text


def _left(text: str, found: Extraction) -> int:
    return _content(_blanked(text, found))


def _content(text: str) -> int:
    """How many words of a text are more than little ones."""
    return sum(word not in _LITTLE for word in _WORD.findall(text.lower()))


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'" else text
