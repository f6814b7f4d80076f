"""All actions of one request: one, several, or one several times with other values.

Strategy: the clauses that ask are scored one by one, so that each is judged as the single requests were that the
scorer learned from. A clause that only elaborates ("call it Urgent", "for 4 people") joins the one before it. If one
clause that asks isn't sure, or is refused by the gate, nothing is acted on: half of a request is another request.
"""

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final, TypeAlias

import msgspec

from turnout.model.utterance.words import pattern, word_set

from .asked import BELOW, Asked, Reading
from .calls import Extraction
from .choice import leaves_a_choice
from .clauses import lowered, opens
from .coordination import JOINT, coordinations, in_quotes
from .leftover import blanked, is_bare
from .oneness import rather_one
from .parts import FEW_WORDS, Part, parts_of
from .payload import quotes
from .phrases_framing import RESTRICTION, SO, TELLS
from .scores import Scores, Thresholds
from .speech import Clause, Gate, Speech, straightened, wanted, without_instead
from .unmarked import Unmarked, is_open
from .verbs import IMPERATIVES

Score: TypeAlias = Callable[[str], Scores]
"""What a tier says of one text."""
Told: TypeAlias = Callable[[str, str], Extraction]
"""The parameters of an action that a text gives: action id, text."""

MOST: Final = 5
"""Actions in one request; more of them are a task for reasoning."""

_ELABORATING: Final = word_set("""
    call name title label make set mark put keep give use say mention include note with let add it it's its also for
    from to at on in by that this they them under about please""")
_POINTING: Final = re.compile(
    r"\b(?:it|that|this|them|these|those|its|one|ones|there|they|he|she|him|her|his|hers|their|theirs|same"
    r"|instead|es|ihn|sie|le|la|lo|les)\b"
)
_NOT_A_START: Final = re.compile(
    r"(?:this|that|these|those|another|one|some|in|on|at|for|from|to|of|with|by)\b",
    re.IGNORECASE,
)
_SETTING_VERBS: Final = word_set("call name title label make set mark put give add")
_SPLIT_JOINTS: Final = 4
_SEVERAL: Final = 2
_LEAD: Final = 7  # words
_REFERENCE: Final = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]+")
_OBJECT: Final = re.compile(r"\b(?:it|them|that|this|those|these|him|her)\b(?!')", re.IGNORECASE)
_SETTING: Final = re.compile(
    r"(?:set|make|mark|put|change|turn|move|switch|assign)\s+(?:it|them|that|him|her)\b", re.IGNORECASE
)
_AFTERWARDS: Final = re.compile(
    r"(?<=\w),? and (?:once|when|after|as soon as) (?:that|this|it)(?:'s| is| has been) "
    r"(?:done|finished|complete|completed|through|over)\b,? (?:please )?",
    re.IGNORECASE,
)
"""Says when, not whether: what comes before it is asked for as well."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_LITTLE: Final = word_set("""
    a an the my our your to of at on in for from by with until till and or also then please pls too as well both each
    all der die das den dem ein eine le la les l un une el los las il lo""")


def read(
    text: str,
    score: Score,
    *,
    gate: Gate,
    thresholds: Thresholds,
    most: int = MOST,
    told: Told | None = None,
    worded: Score | None = None,
) -> Reading:
    """The actions that a text asks for: one, several, or none.

    `score` is called once for a text of one clause, and once or twice per clause for others. `told` finds the values
    of an action in a text; with it a value is not taken for another request. `worded` scores a clause among others,
    which may leave values to them, by its words alone.
    """
    return _Reader(text, score, gate, thresholds, most, told, worded or score).read()


class _Reader:
    """One text on its way through the gate and the scorer."""

    def __init__(
        self,
        text: str,
        score: Score,
        gate: Gate,
        thresholds: Thresholds,
        most: int,
        told: Told | None,
        worded: Score,
    ) -> None:
        self._text = text = _AFTERWARDS.sub(" and then ", straightened(text))
        self._low = lowered(text)
        self._score = score
        self._gate = gate
        self._thresholds = self._bars = thresholds
        self._most = most
        self._told = told
        self._worded_score = worded
        self._speech = gate.read(text)
        self._known: dict[str, Scores] = {}
        self._unmarked = Unmarked(text, self._scores, gate, thresholds, told)

    def read(self) -> Reading:
        speech = self._speech
        if not speech.clauses and not speech.whole:
            return Reading(reason="there are no words")
        unmarked = self._unmarked
        speech = self._speech = unmarked.with_refusals(unmarked.with_statements(speech))
        if refusal := self._gate.always(self._gate.surely(speech.forms())):
            return Reading(reason=refusal)
        if refusal := self._unwanted():
            return Reading(reason=refusal)
        if leaves_a_choice(self._text):
            return Reading(reason="it leaves a choice between requests")
        parts = self._without_reasons(parts_of(self._text, self._speech, unmarked.is_request))
        if len(parts) > self._most:
            return Reading(reason=f"there are more than {self._most} requests in it")
        return self._doubted(self._several(parts) if len(parts) > 1 else self._single(parts))

    def _single(self, parts: list[Part]) -> Reading:
        """A text of one part, with or without statements around it."""
        speech = self._speech
        one = self._one(wanted(self._text, speech), speech.forms())
        if one.asked:
            one = self._with_its_words(one, parts)
            return self._apart(one) if one.asked else one
        alone = len(speech.clauses) == 1
        if alone and one.reason == BELOW and (core := self._core()):
            without = self._one(core, speech.forms())
            if without.asked:
                return without
        if alone and one.reason == BELOW and one.scores.ours >= self._bars.ours:
            apart = self._apart(Reading(asked=(self._asked(one),), scores=one.scores))
            if len(apart.asked) > 1:
                return apart
        if parts and not alone:
            said = self._one(parts[0].said, speech.forms())
            if said.asked and len(parts[0].clauses) > 1 and not self._is_about(one, said.asked[0]):
                return one
            said = said if said.asked or said.reason != BELOW else self._named_before(parts[0]) or said
            if said.asked:
                return self._worded(said, parts[0])
        return self._together(one)

    def _named_before(self, part: Part) -> Reading | None:
        """A clause with the reference that was named before it in a pronoun's place: "don't move D-4, close it"."""
        pronoun = _OBJECT.search(part.said)
        named = list(_REFERENCE.finditer(self._text, 0, part.clauses[0].start))
        if pronoun is None or not named:
            return None
        said = f"{part.said[: pronoun.start()]}{named[-1][0]}{part.said[pronoun.end() :]}"
        return self._one(said, self._speech.forms())

    def _with_its_words(self, one: Reading, parts: list[Part]) -> Reading:
        """The reading of a whole text by the words of the part that asks; nothing where these ask for another."""
        if not parts or not parts[0].background:
            return one
        refusal = self._gate.misses(one.asked[0].action_id, parts[0].said)
        return Reading(reason=refusal, scores=one.scores) if refusal else self._worded(one, parts[0])

    def _without_reasons(self, parts: list[Part]) -> list[Part]:
        """The parts with those before a request that only tell why it is made as what stands around it."""
        while len(parts) > 1 and not parts[0].clauses[0].asks and parts[1].clauses[0].asks:
            reason, request, *others = parts
            if not self._is_reason(reason, request):
                break
            begins, ends = reason.clauses[0].start, request.clauses[-1].end
            before = f"{reason.before} {reason.text}, {request.before}".strip()
            whole = self._text[begins:ends]
            parts = [request._replace(before=before, whole=whole), *others]
        return parts

    def _is_reason(self, told: Part, request: Part) -> bool:
        """Whether a part without a verb that asks tells why the next one is asked for."""
        between = self._low[told.clauses[-1].end : request.clauses[0].begins]
        if pattern(SO).search(between):
            return True
        action = self._top(told.said)
        if action == self._top(request.said) and not self._is_said_whole(action, told.said):
            return True
        clause = told.clauses[0]
        if (
            clause.form == "lookup"
            and not clause.rhetorical
            and self._one(told.said, frozenset({"lookup"})).asked
        ):
            return False
        return pattern(TELLS).match(self._low, clause.begins, clause.end) is not None and not (
            self._gate.stated and self._unmarked.is_request(clause._replace(states=True))
        )

    def _is_said_whole(self, action: str, text: str) -> bool:
        """Whether a text has all values that an action requires, or several for one."""
        if self._told is None or not action:
            return False
        found = self._told(action, text)
        return bool(found.values or found.ambiguous) and not (found.missing or found.invalid)

    def _core(self) -> str:
        """What the only clause says after greetings and politeness, `""` where there are none."""
        clause = self._speech.clauses[0]
        return self._text[clause.begins : clause.end].strip() if clause.begins > clause.start else ""

    @staticmethod
    def _is_about(one: Reading, said: Asked) -> bool:
        """Whether all of a text is nearest to what the clause that asks is for: if not, it asks for more."""
        return bool(one.scores.ranked) and one.scores.ranked[0][0] == said.action_id

    def _doubted(self, found: Reading) -> Reading:
        """The reading; nothing where several actions were found in what may as well be one request."""
        actions = {asked.action_id for asked in found.asked}
        if len(actions) < 2:
            return found
        whole = self._worded_score(wanted(self._text, self._speech))
        each_one = (self._worded_score(asked.text) for asked in found.asked)
        least = min(each_one, key=lambda each: (each.ours, each.margin))
        if not rather_one(whole, least, actions, self._thresholds):
            return found
        return Reading(reason="it may be one request or several", scores=least)

    def _worded(self, one: Reading, part: Part) -> Reading:
        """The reading with the words of the request apart from the statements around it."""
        asked = msgspec.structs.replace(
            one.asked[0],
            text=without_instead(part.text),
            background=part.background,
            doubted=part.doubted,
            points=_points(part.text),
            whole=part.whole,
        )
        return msgspec.structs.replace(one, asked=(asked,))

    def _asked(self, one: Reading) -> Asked:
        """What a text that isn't sure enough would ask for."""
        text = wanted(self._text, self._speech)
        return Asked(action_id=one.scores.ranked[0][0], text=text, scores=one.scores, points=_points(text))

    def _together(self, one: Reading) -> Reading:
        """A text that joins values, so that no example is like it, by the requests with one of them each."""
        text = wanted(self._text, self._speech)
        if one.reason != BELOW or not one.scores.ranked:
            return one
        for texts in islice(coordinations(text), 1):
            each = [self._one(part, self._speech.forms()) for part in texts]
            if all(found.asked and found.asked[0].action_id == one.scores.ranked[0][0] for found in each):
                asked = msgspec.structs.replace(each[0].asked[0], text=text)
                return Reading(asked=(asked,), scores=each[0].scores)
        return one

    def _scores(self, text: str) -> Scores:
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._score(text)
        return known

    def _one(self, text: str, forms: frozenset[str], *, worded: bool = False) -> Reading:
        """A text that asks for one action, or for none."""
        scores = self._worded_score(text) if worded else self._scores(text)
        if not scores.ranked:
            return Reading(reason="nothing in the catalogue is like it", scores=scores)
        action = scores.ranked[0][0]
        refusal = self._gate.objects(action, forms)
        if refusal and (
            self._gate.objects(action, self._gate.surely(forms)) or not self._says_all(action, text)
        ):
            return Reading(reason=refusal, scores=scores)
        if refusal := self._gate.misses(action, text):
            return Reading(reason=refusal, scores=scores)
        if not self._speech.asks and self._gate.unable(action, text):
            return Reading(reason="gate: negation", scores=scores)
        if not self._bars.passed(scores):
            return Reading(reason=BELOW, scores=scores)
        asked = Asked(action_id=action, text=text, scores=scores, points=_points(text))
        return Reading(asked=(asked,), scores=scores)

    def _says_all(self, action: str, text: str) -> bool:
        """Whether a text gives all values that an action requires, several, and quotes nothing beside them."""
        if self._told is None:
            return False
        found = self._told(action, text)
        spans = [(each.start, each.end) for each in found.values.values()]
        quoted = [span for span in quotes(lowered(text)) if " " in text[slice(*span)].strip("\"' ")]
        return (
            _is_whole(found)
            and len(spans) >= _SEVERAL
            and all(any(start < last and first < end for first, last in spans) for start, end in quoted)
        )

    def _unwanted(self) -> str:
        """Why what is not wanted speaks against all of it: it narrows the request, or isn't about an action of ours."""
        speech = self._speech
        asked: Clause | None = None
        for clause in speech.clauses:
            asked = clause if clause.asks else asked
            if clause.form != "negation" or not speech.may_be_left_out(clause) or asked is None:
                continue
            if self._is_another_value(clause, asked):
                continue
            if re.match(RESTRICTION, self._low[clause.begins : clause.end]):
                return "gate: negation"
            said = self._text[clause.begins : clause.end]
            if self._low.startswith("not ", clause.begins) or (clause.states and " want" not in said):
                continue
            if self._scores(said).ours < self._thresholds.ours:
                return "gate: negation"
        return ""

    def _is_another_value(self, clause: Clause, asked: Clause) -> bool:
        """Whether what is not wanted is only another value of what is: "news in the office, not in the kitchen"."""
        said = self._span(asked)
        ranked = self._scores(said).ranked if self._told is not None else ()
        if self._told is None or not ranked or not self._low.startswith(("not ", "but not "), clause.begins):
            return False
        wanted = self._told(ranked[0][0], said).values
        other = re.sub(r"\A(?:but )?not ", "", self._text[clause.begins : clause.end], flags=re.IGNORECASE)
        turned_down = self._told(ranked[0][0], other)
        return (
            bool(turned_down.values)
            and all(
                name in wanted and wanted[name].value != each.value
                for name, each in turned_down.values.items()
            )
            and is_bare(blanked(other, turned_down))
        )

    def _span(self, clause: Clause) -> str:
        return self._text[clause.start : clause.end]

    def _several(self, parts: list[Part]) -> Reading:
        """Every part must be sure; beside one that is, the bars are a little lower for the others."""
        if any(self._thresholds.passed(self._scores(part.said)) for part in parts):
            self._bars = self._thresholds.eased()
        found: list[Asked] = []
        failed = Reading()
        lead = self._lead(parts[0])
        for part in parts:
            led = part._replace(before=f"{lead}, {part.before}") if found and lead else part
            one = self._part(led, found)
            if one is None:
                last = found[-1]
                found[-1] = msgspec.structs.replace(last, text=f"{last.text}, {part.context}")
            elif one.asked:
                found += one.asked
            else:
                failed = one
                break
        if failed.reason or not found:
            return self._whole(failed)
        scores = min((asked.scores for asked in found), key=lambda scores: (scores.ours, scores.margin))
        return Reading(asked=tuple(found), scores=scores)

    def _lead(self, part: Part) -> str:
        """What stands before the first verb, and so is said of all that follows: "tomorrow, ...", "in house A: ..."."""
        ahead = [clause for clause in self._speech.clauses if clause.end <= part.clauses[0].start]
        if part.before and not any(clause.asks or clause.states or clause.form for clause in ahead):
            return part.before
        words = list(_LETTERS.finditer(part.said.lower()))[:_LEAD]
        verb = next((word.start() for word in words if word[0] in IMPERATIVES), 0)
        return part.said[:verb].strip(" ,")

    def _part(self, part: Part, found: Sequence[Asked]) -> Reading | None:
        """What a part asks for; `None` when it tells more about what was asked before it."""
        forms = Speech(part.clauses, self._speech.whole).forms()
        one = self._one(part.said, forms)
        if one.reason == BELOW:
            one = self._one(part.said, forms, worded=True)
        if len(part.clauses) > 1 and not one.asked:
            one = self._one(part.context, forms)
        if not one.asked and found and one.reason == BELOW:
            one = self._resolved(part, found[-1], forms) or one
        same = bool(one.asked and found) and one.asked[0].action_id == found[-1].action_id
        if found and (not one.asked or same) and _elaborates(part.said):
            return None if one.asked or self._tells_more(part, found[-1]) else one
        if not one.asked:
            return one
        apart = self._apart(one)
        return apart if len(apart.asked) > 1 else self._worded(one, part)

    def _resolved(self, part: Part, last: Asked, forms: frozenset[str]) -> Reading | None:
        """A clause that points back ("set it to offer"), read with the thing it points at in the pronoun's place."""
        pronoun = _OBJECT.search(part.said)
        if pronoun is None or self._told is None:
            return None
        values = sorted(self._told(last.action_id, last.text).values.values(), key=lambda each: each.start)
        for each in values[:1]:
            thing = last.text[each.start : each.end]
            one = self._one(f"{part.said[: pronoun.start()]}{thing}{part.said[pronoun.end() :]}", forms)
            if one.asked and one.asked[0].action_id != last.action_id:
                return one
        return None

    def _gains(self, part: Part, last: Asked) -> bool:
        """Whether the clause gives a value that the last request has none of."""
        if self._told is None:
            return False
        more = self._told(last.action_id, f"{last.text}, {part.said}")
        return len(more.values) > len(self._told(last.action_id, last.text).values)

    def _tells_more(self, part: Part, last: Asked) -> bool:
        """Whether a clause that is no request of its own may be taken for more about the last one.

        One that sets something ("set it to offer") and gives no value of the last action asks for something else.
        """
        return self._told is None or _SETTING.match(part.said) is None or self._gains(part, last)

    def _whole(self, failed: Reading) -> Reading:
        """The text as one request after all: nothing may be left over that asks for something else."""
        self._bars = self._thresholds
        if any(clause.form and not self._speech.may_be_left_out(clause) for clause in self._speech.clauses):
            return failed
        if sum(clause.asks for clause in self._speech.clauses) > 1:
            return failed
        return self._one(wanted(self._text, self._speech), self._speech.forms())

    def _apart(self, one: Reading) -> Reading:
        """One clause as two requests or more, where the halves are sure of different actions."""
        asked = one.asked[0]
        for left, right in self._halves(asked):
            second = self._one(right, frozenset())
            if not second.asked or second.asked[0].action_id == asked.action_id == self._top(left):
                continue
            first = self._one(left, frozenset())
            if (
                first.asked
                and first.asked[0].action_id != second.asked[0].action_id
                and self._is_sure_cut(first.asked[0], second.asked[0])
            ):
                more = self._apart(second).asked
                background = {"background": asked.background, "doubted": asked.doubted}
                both = [msgspec.structs.replace(each, **background) for each in (first.asked[0], *more)]
                return Reading(asked=tuple(both), scores=one.scores)
        return one

    def _top(self, text: str) -> str:
        ranked = self._scores(text).ranked
        return ranked[0][0] if ranked else ""

    def _halves(self, asked: Asked) -> list[tuple[str, str]]:
        """The ways to cut a clause in two, neither of which gives merely another value."""
        text = asked.text
        found: list[tuple[str, str]] = []
        for joint in list(JOINT.finditer(text))[:_SPLIT_JOINTS]:
            left, right = text[: joint.start()], text[joint.end() :]
            if len(left.split()) < 2 or len(right.split()) < 2 or in_quotes(text, joint.start()):
                continue
            following = JOINT.search(right)
            first = right[: following.start()] if following else right
            if _NOT_A_START.match(right) or self._is_value(asked.action_id, first, left):
                continue
            found.append((left, right))
        return found

    def _is_sure_cut(self, first: Asked, second: Asked) -> bool:
        """Whether a cut that no verb shows leaves two requests that say all they need."""
        if self._told is None or opens(lowered(second.text), 0, self._gate.verbs):
            return True
        before, after = (self._told(each.action_id, each.text) for each in (first, second))
        if not _is_whole(before):
            return False
        if _is_whole(after):
            return True
        given = bool(after.values) and not after.ambiguous and not after.invalid
        return given and second.points and set(after.missing) <= set(before.values)

    def _is_value(self, action_id: str, text: str, left: str) -> bool:
        """Whether a text holds nothing but values of the action, and words that stand before the joint as well."""
        if self._told is None:
            return len(text.split()) < FEW_WORDS
        values = self._told(action_id, text).values.values()
        for each in values:
            text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
        known = _LITTLE.union(_LETTERS.findall(left.lower()))
        return bool(values) and all(word in known for word in _LETTERS.findall(text.lower()))


def _is_whole(found: Extraction) -> bool:
    return bool(found.values) and not is_open(found)


def _points(text: str) -> bool:
    return _POINTING.search(text.lower()) is not None


def _elaborates(said: str) -> bool:
    """Whether a clause may tell more about what was asked before it."""
    words = said.lower().split()
    if not words or words[0].strip(",.:") not in _ELABORATING or (words[0] == "let" and "know" in words):
        return False
    return words[0].strip(",.:") not in _SETTING_VERBS or _points(said)
