"""What the last words of a conversation ask for, from its messages alone.

Strategy: nothing is remembered between requests. The user's turns are read again from the first on, each in the light
of what the ones before it asked for: an answer to the assistant's question fills what was missing, a correction or
"the same for March" repeats the last call with other values, a request of its own switches. Only the user's words
give actions and values; of the assistant's it counts merely whether they ask something.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias, cast

import msgspec

from turnout.model import V
from turnout.model.utterance import consent
from turnout.model.utterance.words import pattern, word_set

from . import phrases
from .clauses import lowered
from .compound import Asked, Reading, coordinations
from .speech import BACKGROUND, Speech, speech, wanted

TURNS: Final = 10
"""Turns of the user that are read again; what lies further back is forgotten."""


class Turn(V, frozen=True, kw_only=True):
    """What one of the two said: the user's own words, unwrapped, or the assistant's text."""

    speaker: Literal["user", "assistant"]
    text: str


class Found(Protocol):
    """A value in a text, in its normal form, with its span in code points."""

    @property
    def value(self) -> Any: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Extraction(Protocol):
    """What `parameters.extract` gives: the values found, by name, and why others are not."""

    @property
    def values(self) -> Mapping[str, Found]: ...
    @property
    def missing(self) -> Sequence[str]: ...
    @property
    def ambiguous(self) -> Mapping[str, Sequence[Any]]: ...
    @property
    def invalid(self) -> Mapping[str, Any]: ...


Schema: TypeAlias = dict[str, Any]
Read: TypeAlias = Callable[[str], Reading]
"""`compound.read` with everything but the text bound."""
Extract: TypeAlias = Callable[[str, Schema, str], Extraction]
"""The parameters of an action in a text: action id, its schema or a part of it, text."""


class Call(V, frozen=True, kw_only=True):
    """One action with its parameters; it can run when nothing is missing, ambiguous or invalid."""

    action_id: str
    params: dict[str, Any] = {}
    missing: tuple[str, ...] = ()
    ambiguous: dict[str, tuple[Any, ...]] = {}
    invalid: dict[str, Any] = {}

    @property
    def open(self) -> tuple[str, ...]:
        """The parameters that keep it from running."""
        return tuple(dict.fromkeys((*self.missing, *self.ambiguous, *self.invalid)))


class Outcome(V, frozen=True, kw_only=True):
    """What is asked for now; `reason` says why it's nothing, `reading` how the words by themselves were read."""

    calls: tuple[Call, ...] = ()
    reason: str = ""
    reading: Reading = Reading()


def calls(reading: Reading, extract: Extract, schemas: Mapping[str, Schema]) -> tuple[Call, ...]:
    """The actions of a reading with their parameters, clause by clause.

    A clause that joins values ("restart api and web") gives a call for each. One that points back ("and send it to
    Bo") takes what it lacks from the calls before it, parameter of the same name by name.
    """
    made: list[Call] = []
    for asked in reading.asked:
        schema = schemas.get(asked.action_id, {})
        made += [_pointed(call, asked, made, schema) for call in _calls_of(asked, extract, schema)]
    return _distinct(made)


def follow(turns: Sequence[Turn], *, read: Read, extract: Extract, schemas: Mapping[str, Schema]) -> Outcome:
    """What the last turn, a user's, asks for in the light of those before it; of itself when there are none."""
    heard = _heard(turns)
    if not heard:
        return Outcome(reason="the user said nothing")
    reader = _Conversation(read, extract, schemas)
    *earlier, last = heard
    for said in earlier:
        reader.take(said)
    return reader.take(last)


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


def _distinct(made: Sequence[Call]) -> tuple[Call, ...]:
    kept: list[Call] = []
    for call in made:
        if call not in kept:
            kept.append(call)
    return tuple(kept)


def _calls_of(asked: Asked, extract: Extract, schema: Schema) -> tuple[Call, ...]:
    whole = _call(asked.action_id, extract(asked.action_id, schema, asked.text))
    return _joined(whole, asked.text, extract, schema) or (whole,)


def _joined(whole: Call, text: str, extract: Extract, schema: Schema) -> tuple[Call, ...]:
    """The calls of a text that joins values, none when it doesn't."""
    if not whole.ambiguous and not whole.invalid:
        return ()
    tried = 0
    uneven: tuple[Call, ...] = ()
    for texts in coordinations(text):
        tried += 1
        if tried > _MOST_WAYS:
            break
        made = [_call(whole.action_id, extract(whole.action_id, schema, each)) for each in texts]
        if any(call.ambiguous or call.invalid for call in made):
            continue
        if len(_distinct(made)) < len(made):
            continue
        if len({frozenset(call.params) for call in made}) == 1:
            return tuple(made)
        if not uneven and not any(call.missing for call in made):
            uneven = tuple(made)
    return uneven


_MOST_WAYS: Final = 40


def _call(action_id: str, found: Extraction) -> Call:
    return Call(
        action_id=action_id,
        params={name: each.value for name, each in found.values.items()},
        missing=tuple(found.missing),
        ambiguous={name: tuple(values) for name, values in found.ambiguous.items()},
        invalid=dict(found.invalid),
    )


def _pointed(call: Call, asked: Asked, earlier: Sequence[Call], schema: Schema) -> Call:
    if not asked.points or not call.missing:
        return call
    known: dict[str, Any] = {}
    for other in earlier:
        known.update(other.params)
    properties = _properties(schema)
    given = {
        name: known[name] for name in call.missing if name in known and _fits(known[name], properties[name])
    }
    return _with(call, given)


def _fits(value: Any, schema: Any) -> bool:
    allowed: Any = schema.get("enum") if isinstance(schema, dict) else None
    return allowed is None or value in allowed


def _with(call: Call, values: Mapping[str, Any]) -> Call:
    """The call with these values, in place of what it had or lacked."""
    if not values:
        return call
    return msgspec.structs.replace(
        call,
        params={**call.params, **values},
        missing=tuple(name for name in call.missing if name not in values),
        ambiguous={name: each for name, each in call.ambiguous.items() if name not in values},
        invalid={name: each for name, each in call.invalid.items() if name not in values},
    )


def _properties(schema: Schema) -> dict[str, Any]:
    return cast("dict[str, Any]", schema.get("properties") or {})


def _only(schema: Schema, names: Sequence[str]) -> Schema:
    """The schema of some of the parameters, all required."""
    properties = _properties(schema)
    return {
        **schema,
        "properties": {name: properties[name] for name in names if name in properties},
        "required": list(names),
    }


_CORRECTS: Final = (
    r"(?:(?:no|nope|nah|sorry|wait|hold on|actually|oops|ah|oh|hmm|sorry|correction|my mistake|my bad|apologies|scratch that|rather|on second thoughts?"
    r"|nein|doch|moment|halt|entschuldigung|quatsch|non|pardon|désolé|attends|en fait|no|perdón|espera|mejor dicho|scusa|aspetta|anzi|in realtà)(?:\s*[,.!:;-]+\s*|\s+))*"
    r"(?:(?:i|we) (?:meant|mean|should have said|wanted)(?: to say)?|make (?:it|that|this|them)|change (?:it|that|this|them|the \w+) (?:to|into)|set it to|it(?:'s| is| should be| has to be| must be) (?:actually|rather)?"
    r"|that should (?:be|have been)|should be|let'?s (?:make it|say|do|go with)|use|take|better|instead|not|better make it|i said|say"
    r"|ich meinte|ich meine|mach|nimm|lieber|sondern|es ist|je voulais dire|plutôt|mets|prends|c'est|quería decir|mejor|pon|que sea|es|volevo dire|piuttosto|meglio|facciamo|metti|è)?"
    r"(?:\s*[,.!:;-]+\s*|\s+|\Z)"
)
"""Words that take back what was said and put something else in its place."""
_CUES: Final = (
    r"\b(?:no|nope|sorry|wait|actually|oops|correction|meant|mistake|instead|rather|scratch that|make it|make that|make them|change it|change that|change the \w+|should be|should have been|second thoughts?|better|let's say"
    r"|nein|doch|meinte|lieber|sondern|mach|non|pardon|plutôt|voulais dire|en fait|perdón|quería decir|mejor|scusa|anzi|volevo dire|piuttosto|meglio)\b"
)
_SAME: Final = (
    r"(?:(?:(?:and|also|then|now|next)[\s,]+)+(?:do|for)\b(?! it\b| that\b| the\b| this\b)\s*|(?:(?:and|also|then|now|next|ok|okay|great|thanks|please|can you|could you|would you|do|und|jetzt|auch|et|aussi|maintenant|y|ahora|también|e|ora|anche|bitte)[\s,]+)*"
    r"(?:(?:do |exactly )?the same(?: (?:thing|again|one|please|action|request))*|same(?: (?:thing|again|here|one))*|(?:do|repeat|run|try) (?:it|that|this)(?: (?:again|once more|too|as well))?|repeat|again|once more|one more time|ditto|likewise|another(?: one)?|one more"
    r"|what about|how about|and|also|as well|das ?selbe|das gleiche|dasselbe|nochmal|noch einmal|wiederhole das|und|ebenso|auch|la même chose|pareil|idem|encore|de même|et|aussi"
    r"|lo mismo|otra vez|igual|de nuevo|repite|y|también|lo stesso|la stessa cosa|di nuovo|ancora|uguale|e|anche)\b)"
    r"(?:\s*[,:-]?\s*(?:again|too|as well|please|bitte|por favor|per favore))*\s*[,:-]?\s*"
)
"""Words that ask for the last action once more."""
_TOO: Final = r"[\s,]+(?:as well|too|also|likewise|auch|ebenfalls|aussi|également|también|igualmente|anche)\W*(?:please)?\W*\Z"
_AGAIN: Final = (
    r"(?:\b(?:the same|same again|same thing|(?:do|repeat|run) (?:it|that|this)|repeat|again|once more|one more time|ditto|likewise|another|one more|nochmal|noch einmal|dasselbe|das gleiche|das selbe|encore|la même chose"
    r"|pareil|otra vez|de nuevo|lo mismo|repite|di nuovo|ancora|lo stesso|la stessa cosa)\b)"
)
_FOR_A_VALUE: Final = (
    r"\W*(?:(?:and|ok|okay|sure|great|fine|gladly|for|on|at|to|in|by|from|until|under|with|und|für|pour|à|para|per)[\s,]+)*"
    r"(?:which|what|when|where|who|whom|whose|how|why|welche\w*|was|wann|wo|wer|wie\w*|warum|quel\w*|quand|où|qui|combien|comment|qué|cuál\w*"
    r"|cuándo|dónde|quién|cuánt\w*|cómo|quale|quali|quando|dove|chi|quant\w*|come|che)\b"
)
_OFFERING: Final = (
    r"\b(?:too|also|as well|else|instead|another|anything|something|more|other|next|auch|außerdem|stattdessen|sonst|aussi|également|à la place|autre|también|además"
    r"|otra|otro|algo más|anche|invece|altro)\b"
)
"""A question that offers what wasn't asked for."""
_REPORTS: Final = (
    r"\A\W*(?:done|all set|finished|completed|sorted|erledigt|fertig|fait|c'est fait|hecho|listo|fatto)\b"
    r"|\b(?:has|have|'ve) (?:been |now been |just )?\w+(?:ed|nt|ne|n)\b|\b(?:was|were|is now|are now) \w+ed\b|\bi(?:'ve| have) \w+ed\b|\bwurden? \w+|\ba été\b|\bha sido\b|\bè stat[oa]\b"
)
"""A finished action, so that the question after it is about another one."""
_ASSENT: Final = r"(?:yes|yeah|yep|yup|sure|ok|okay|right|correct|ja|oui|sí|si|sì|genau)(?: (?:please|bitte|gerne|por favor))?(?:\s*[,.!:-]+\s*|\s+(?:but|and|aber|mais|pero|ma)\s+)"
_NOT_TAIL: Final = r",?\s+(?:and )?(?:not|nicht|pas|no|non)\s+(?!only)[^,;.!?]+\Z|\A(?:not|nicht|pas|no|non)\s+[^,;.!?]+?(?:,\s*(?:but\s+|sondern\s+|mais\s+|sino\s+|ma\s+)?|\s+but\s+|\s+sondern\s+)"
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
    a an the it its it's is for to at on in of by with from and or please pls thanks i i'd i'll we me my our us would will
    like want need take have go make be that this one ok okay yes yeah um uh let's lets say just then maybe think probably
    about around best work works fine good great should can could you do der die das ein eine einen für am um im in bitte
    ich wir nehme mir le la les un une pour à au en de du s'il te plaît je el los por favor para el a las il lo per alle
    the""")
_WORD: Final = re.compile(r"[^\W_]+(?:['.:-][^\W_]+)*")


class _Conversation:
    """The calls that the user's turns have come to so far."""

    def __init__(self, read: Read, extract: Extract, schemas: Mapping[str, Schema]) -> None:
        self._read = read
        self._extract = extract
        self._schemas = schemas
        self._calls: tuple[Call, ...] = ()
        self._current = False  # whether they are what the last turn asked for

    def take(self, said: _Said) -> Outcome:
        """What this turn asks for."""
        outcome = self._taken(said)
        self._current = bool(outcome.calls)
        if outcome.calls:
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
        if heard.forms() == {"courtesy"}:
            return Outcome(reason="the user asks for nothing")
        asks = "?" in said.after
        found = self._repeated(said.text, heard) or self._corrected(said.text, heard)
        if found is None and "retreat" in heard.forms():
            self._calls = ()
            return Outcome(reason="the user takes it back")
        if found is None and asks:
            found = self._answered(said, heard)
        return found or self._fresh(said.text)

    def _fresh(self, text: str) -> Outcome:
        """The words by themselves."""
        reading = self._read(text)
        made = calls(reading, self._extract, self._schemas)
        return Outcome(calls=made, reason=reading.reason, reading=reading)

    def _confirmed(self, after: str) -> Outcome:
        """A yes: to the last calls, if the question is about them and about nothing more."""
        question = _question(after)
        if not self._current or not question or pattern(_OFFERING, re.IGNORECASE).search(question):
            return Outcome(reason="there is nothing to say yes to")
        if pattern(_REPORTS, re.IGNORECASE).search(after[: after.rindex(question)]):
            return Outcome(reason="the assistant offers something that the user didn't ask for")
        if any(call.open for call in self._calls):
            return Outcome(reason="the user says yes, and parameters are missing")
        if any(self._differs(call, question) for call in self._calls):
            return Outcome(reason="the assistant asks about other values than the user's")
        return Outcome(calls=self._calls, reason="the user says yes to it")

    def _differs(self, call: Call, question: str) -> bool:
        schema = self._schemas.get(call.action_id, {})
        found = self._extract(call.action_id, _only(schema, list(call.params)), question)
        return any(each.value != call.params[name] for name, each in found.values.items())

    def _repeated(self, text: str, heard: Speech) -> Outcome | None:
        """ "The same for March": the last calls once more with other values."""
        body = _without_courtesy(text, heard)
        low = lowered(body)
        cue = pattern(_SAME).match(low)
        too = pattern(_TOO).search(low)
        if cue is None and too is None:
            return None
        rest = body[
            0 if cue is None else cue.end() : len(body)
            if too is None
            else max(too.start(), cue.end() if cue else 0)
        ]
        again = cue is not None and pattern(_AGAIN).search(cue[0]) is not None
        if not again:
            fresh = self._fresh(rest)
            if fresh.calls:
                return fresh
            if _QUESTIONS & (speech(rest).forms() - {"lookup"}):
                return None
        if not _content(rest):
            return Outcome(calls=self._calls, reason="the same again") if again else None
        found = self._revalued(rest, most=_MOST_LEFT)
        return found and msgspec.structs.replace(found, reason="the same with other values")

    def _corrected(self, text: str, heard: Speech) -> Outcome | None:
        """ "No, 40 not 30": the last call with another value."""
        low = lowered(text)
        assent = pattern(_ASSENT).match(low)
        if assent is not None:
            text, low = text[assent.end() :], low[assent.end() :]
        elif pattern(_CUES).search(low) is None:
            return None
        cue = pattern(_CORRECTS).match(low)
        rest = text if cue is None else text[cue.end() :]
        rest = pattern(_NOT_TAIL, re.IGNORECASE).sub("", rest)
        rest = pattern(phrases.INSTEAD, re.IGNORECASE).sub("", rest)
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
            _with(
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
            said = [name for name in _properties(schema) if name in call.params]
            unsaid = [name for name in _properties(schema) if name not in call.params]
            for names in (unsaid, said) if new else (said, unsaid):
                made = self._filled(call, schema, names, rest, most) if names else ()
                if made:
                    return Outcome(calls=(*self._calls[:at], *made, *self._calls[at + 1 :]))
        return None

    def _filled(
        self, call: Call, schema: Schema, names: Sequence[str], text: str, most: int
    ) -> tuple[Call, ...]:
        found = self._extract(call.action_id, _only(schema, names), text)
        values = {name: each.value for name, each in found.values.items()}
        if not values and found.ambiguous:
            return self._each(call, schema, names, text)
        if not values or _left(text, found) > most:
            return ()
        doubtful = {name: tuple(each) for name, each in found.ambiguous.items() if name in call.open}
        return (
            msgspec.structs.replace(_with(call, values), ambiguous=doubtful)
            if doubtful
            else _with(call, values),
        )

    def _each(self, call: Call, schema: Schema, names: Sequence[str], text: str) -> tuple[Call, ...]:
        """One call for each of several joined values."""
        only = _only(schema, names)
        for texts in coordinations(f". {text}"):
            found = [self._extract(call.action_id, only, each) for each in texts]
            if all(each.values and not each.ambiguous for each in found):
                return tuple(
                    _with(call, {name: value.value for name, value in each.values.items()}) for each in found
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
        found = self._extract(waiting.action_id, _only(schema, waiting.open), text)
        if not found.values and found.ambiguous:
            several = self._each(waiting, schema, waiting.open, text)
            if several:
                return several
        if not found.values and not found.ambiguous and not found.invalid:
            return self._free_text(waiting, schema, text)
        call = _with(waiting, {name: each.value for name, each in found.values.items()})
        rest = _blanked(text, found)
        others = [
            name for name in _properties(schema) if name not in call.params and name not in waiting.open
        ]
        if others and _content(rest):
            more = self._extract(waiting.action_id, _only(schema, others), rest)
            call = _with(call, {name: each.value for name, each in more.values.items()})
        doubtful = {**found.ambiguous, **found.invalid}
        return (
            msgspec.structs.replace(
                call,
                ambiguous={**call.ambiguous, **{name: tuple(each) for name, each in found.ambiguous.items()}},
                invalid={**call.invalid, **found.invalid},
                missing=tuple(name for name in call.missing if name not in doubtful),
            ),
        )

    def _free_text(self, waiting: Call, schema: Schema, text: str) -> tuple[Call, ...]:
        """The words as they are, where one text of any kind is asked for."""
        if len(waiting.open) != 1 or len(text) > _LONGEST_TEXT:
            return ()
        name = waiting.open[0]
        wants: Any = _properties(schema).get(name) or {}
        if wants.get("type") != "string" or any(
            key in wants for key in ("enum", "format", "pattern", "const")
        ):
            return ()
        return (_with(waiting, {name: _unquoted(text.strip().rstrip("."))}),)


_MOST_LEFT: Final = 3
_LONGEST_TEXT: Final = 200  # code points


def _question(after: str) -> str:
    """The last question of the assistant's, `""` when it's one for a value or none at all."""
    asked = re.findall(r"[^.!?\n]*\S[^.!?\n]*\?", re.sub(r"(?<=\d)[.](?=\d)", "\u2024", after))
    question = asked[-1].strip().replace("\u2024", ".") if asked else ""
    return "" if pattern(_FOR_A_VALUE, re.IGNORECASE).match(question) else question


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
