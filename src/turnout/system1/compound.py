"""All actions of one request: one, several, or one several times with other values.

Strategy: the clauses that ask are scored one by one, so that each is judged as the single requests were that the
scorer learned from. A clause that only elaborates ("call it Urgent", "for 4 people") joins the one before it. If one
clause that asks isn't sure, or is refused by the gate, nothing is acted on: half of a request is another request.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import Final, NamedTuple, TypeAlias

import msgspec

from turnout.model import V
from turnout.model.utterance.words import word_set

from .clauses import lowered
from .phrases_framing import RESTRICTION
from .scores import Scores, Thresholds
from .speech import BACKGROUND, Clause, Gate, Speech, straightened, wanted

Score: TypeAlias = Callable[[str], Scores]
"""What a tier says of one text."""

MOST: Final = 5
"""Actions in one request; more of them are a task for reasoning."""

_ELABORATING: Final = word_set("""
    call name title label make set mark put keep give use say mention include note with let add it it's its also for
    from to at on in by that this they them under about please""")
_POINTING: Final = re.compile(
    r"\b(?:it|that|this|them|these|those|its|one|ones|there|him|her|es|ihn|sie|le|la|lo|les)\b"
)
_JOINT: Final = re.compile(
    r"\s*,?\s+(?:and|und|et|y|e)\s+(?:then |also )?|\s*,\s+|\s+&\s+|\s+(?:as well as|plus)\s+"
)
_WORD: Final = re.compile(r"\S+")
_ELIDED: Final = re.compile(
    r"(?P<head>.+?)(?P<tail>\s(?:called|titled|named|about|on|for|at|to|with|from|in|of|that|which|due)\b.*?)"
    r",?\s+and\s+(?:also\s+)?(?:another(?: one)?|a second(?: one)?|one more|one|the other(?: one)?|the one)\s+"
    r"(?P<rest>.+)\Z",
    re.IGNORECASE | re.DOTALL,
)
"""One verb with two objects, the second a pronoun: "book a room for May and another one for June"."""
_NOT_A_START: Final = re.compile(
    r"(?:the|a|an|my|our|your|his|her|their|this|that|these|those|another|one|some|in|on|at|for|from|to|of|with|by|\d\S*"
    r"|der|die|das|den|ein|eine|le|la|les|un|une|el|los|una|il|lo)\b",
    re.IGNORECASE,
)
_SPLIT_JOINTS: Final = 4
_FEW_WORDS: Final = 3
_MOST_JOINTS: Final = 8
_LONG: Final = 500  # code points; a longer text joins no values of one verb
_BELOW: Final = "below threshold"


class Asked(V, frozen=True, kw_only=True):
    """One action that a request asks for, and the words in which its parameters stand.

    `points` says that the words point back to an earlier one ("send it"), `scores` what they were chosen by.
    """

    action_id: str
    text: str
    scores: Scores = Scores(ours=0.0)
    points: bool = False


class Reading(V, frozen=True, kw_only=True):
    """All that a text asks for; `reason` says why that's nothing.

    `scores` are those of the clause that decided, for people who tune the thresholds.
    """

    asked: tuple[Asked, ...] = ()
    reason: str = ""
    scores: Scores = Scores(ours=0.0)


class _Part(NamedTuple):
    """A stretch that asks for something: its clauses, and the words that tell its parameters."""

    clauses: tuple[Clause, ...]
    said: str
    context: str


def read(text: str, score: Score, *, gate: Gate, thresholds: Thresholds, most: int = MOST) -> Reading:
    """The actions that a text asks for: one, several, or none.

    `score` is called once for a text of one clause, and once or twice per clause for others.
    """
    return _Reader(text, score, gate, thresholds, most).read()


class _Reader:
    """One text on its way through the gate and the scorer."""

    def __init__(self, text: str, score: Score, gate: Gate, thresholds: Thresholds, most: int) -> None:
        self._text = text = straightened(text)
        self._low = lowered(text)
        self._score = score
        self._gate = gate
        self._thresholds = self._bars = thresholds
        self._most = most
        self._speech = gate.read(text)
        self._known: dict[str, Scores] = {}

    def read(self) -> Reading:
        speech = self._speech
        if not speech.clauses and not speech.whole:
            return Reading(reason="there are no words")
        if refusal := self._gate.always(speech.forms()):
            return Reading(reason=refusal)
        if refusal := self._unwanted():
            return Reading(reason=refusal)
        parts = self._parts()
        if len(parts) > self._most:
            return Reading(reason=f"there are more than {self._most} requests in it")
        if len(parts) > 1:
            return self._several(parts)
        one = self._one(wanted(self._text, speech), speech.forms())
        if parts and not one.asked and len(speech.clauses) > 1:
            alone = self._one(parts[0].said, speech.forms())
            if alone.asked:
                return alone
        return self._apart(one) if one.asked else self._together(one)

    def _together(self, one: Reading) -> Reading:
        """A text that joins values, so that no example is like it, by the requests with one of them each."""
        text = wanted(self._text, self._speech)
        if one.reason != _BELOW or not one.scores.ranked:
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

    def _one(self, text: str, forms: frozenset[str]) -> Reading:
        """A text that asks for one action, or for none."""
        scores = self._scores(text)
        if not scores.ranked:
            return Reading(reason="nothing in the catalogue is like it", scores=scores)
        action = scores.ranked[0][0]
        if refusal := self._gate.objects(action, forms):
            return Reading(reason=refusal, scores=scores)
        if not self._bars.passed(scores):
            return Reading(reason=_BELOW, scores=scores)
        points = _POINTING.search(text.lower()) is not None
        return Reading(
            asked=(Asked(action_id=action, text=text, scores=scores, points=points),), scores=scores
        )

    def _unwanted(self) -> str:
        """Why what is not wanted speaks against all of it: it narrows the request, or isn't about an action of ours."""
        speech = self._speech
        asked = False
        for clause in speech.clauses:
            asked = asked or clause.asks
            if clause.form != "negation" or not speech.may_be_left_out(clause) or not asked:
                continue
            if re.match(RESTRICTION, self._low[clause.begins : clause.end]):
                return "gate: negation"
            said = self._text[clause.begins : clause.end]
            if self._low.startswith("not ", clause.begins) or (clause.states and " want" not in said):
                continue
            if self._scores(said).ours < self._thresholds.ours:
                return "gate: negation"
        return ""

    def _parts(self) -> list[_Part]:
        """The stretches that ask, with what stands around them as their context."""
        speech = self._speech
        parts: list[_Part] = []
        before = ""
        for clause in speech.clauses:
            said = self._text[clause.begins if clause.asks else clause.start : clause.end]
            if clause.form in ("courtesy", "retreat") or (clause.form == "negation" and not clause.states):
                continue
            if speech.asks and (clause.states or clause.form in BACKGROUND or speech.may_be_left_out(clause)):
                before = f"{before} {said},".lstrip()
                continue
            if (
                not clause.asks
                and not clause.form
                and speech.asks
                and not parts
                and len(said.split()) <= _FEW_WORDS
            ):
                before = f"{before} {said},".lstrip()
                continue
            if not clause.asks and not clause.form and parts:
                last = parts[-1]
                parts[-1] = last._replace(
                    clauses=(*last.clauses, clause), context=f"{last.context}, {self._span(clause)}"
                )
                continue
            parts.append(_Part((clause,), said, f"{before} {self._span(clause)}".lstrip()))
            before = ""
        if before and parts:
            parts[-1] = parts[-1]._replace(context=f"{parts[-1].context}. {before.rstrip(',')}")
        return parts

    def _span(self, clause: Clause) -> str:
        return self._text[clause.start : clause.end]

    def _several(self, parts: list[_Part]) -> Reading:
        """Every part must be sure; beside one that is, the bars are a little lower for the others."""
        if any(self._thresholds.passed(self._scores(part.said)) for part in parts):
            self._bars = self._thresholds.eased()
        found: list[Asked] = []
        failed = Reading()
        for part in parts:
            forms = Speech(part.clauses, self._speech.whole).forms()
            one = self._one(part.said, forms)
            if len(part.clauses) > 1 and not one.asked:
                one = self._one(part.context, forms)
            same = bool(one.asked and found) and one.asked[0].action_id == found[-1].action_id
            if found and (not one.asked or same) and self._elaborates(part):
                last = found[-1]
                found[-1] = Asked(
                    action_id=last.action_id,
                    text=f"{last.text}, {part.context}",
                    scores=last.scores,
                    points=last.points,
                )
            elif one.asked:
                found += [
                    Asked(
                        action_id=asked.action_id,
                        text=part.context if len(self._apart(one).asked) == 1 else asked.text,
                        scores=asked.scores,
                        points=asked.points,
                    )
                    for asked in self._apart(one).asked
                ]
            else:
                failed = one
                break
        if failed.reason or not found:
            return self._whole(failed)
        scores = min((asked.scores for asked in found), key=lambda scores: (scores.ours, scores.margin))
        return Reading(asked=tuple(found), scores=scores)

    def _whole(self, failed: Reading) -> Reading:
        """The text as one request after all: nothing may be left over that asks for something else."""
        self._bars = self._thresholds
        if any(clause.form and not self._speech.may_be_left_out(clause) for clause in self._speech.clauses):
            return failed
        if sum(clause.asks for clause in self._speech.clauses) > 1:
            return failed
        return self._one(wanted(self._text, self._speech), self._speech.forms())

    def _elaborates(self, part: _Part) -> bool:
        """Whether a clause tells more about what was asked before it."""
        words = part.said.lower().split()
        return (
            bool(words)
            and words[0].strip(",.:") in _ELABORATING
            and (
                words[0] not in ("add", "put", "set", "make", "give", "mark")
                or _POINTING.search(part.said.lower()) is not None
            )
        )

    def _apart(self, one: Reading) -> Reading:
        """One clause as two requests, where both halves are sure of two different actions."""
        text = one.asked[0].text
        for joint in list(_JOINT.finditer(text))[:_SPLIT_JOINTS]:
            left, right = text[: joint.start()], text[joint.end() :]
            if len(left.split()) < 2 or len(right.split()) < 3 or _quoted(text, joint.start()):
                continue
            if _NOT_A_START.match(right):
                continue
            second = self._one(right, frozenset())
            if not second.asked:
                continue
            first = self._one(left, frozenset())
            if first.asked and first.asked[0].action_id != second.asked[0].action_id:
                return Reading(asked=(first.asked[0], second.asked[0]), scores=one.scores)
        return one


def _quoted(text: str, at: int) -> bool:
    return text[:at].count('"') % 2 == 1


def elided(text: str) -> tuple[str, ...]:
    """The two requests of a text with one verb and a pronoun for its second object; none for any other."""
    found = _ELIDED.match(text) if len(text) <= _LONG else None
    if found is None or _quoted(text, found.end("tail")):
        return ()
    return found["head"] + found["tail"], f"{found['head']} {found['rest']}"


def coordinations(text: str, longest: int = 6) -> Iterator[tuple[str, ...]]:
    """The ways in which a text may hold one request with several values.

    "restart api and web" may be "restart api" and "restart web". Each way is a tuple of texts with
    one of the joined values each, the shortest values first; two to four of them.
    """
    twice = elided(text)
    if twice:
        yield twice
    joints = [found.span() for found in _JOINT.finditer(text) if not _quoted(text, found.start())]
    if len(joints) > _MOST_JOINTS:
        return
    chains = [joints[start:end] for start in range(len(joints)) for end in range(len(joints), start, -1)]
    for chain in chains:
        if len(chain) > 3 or not re.search(r"\w|&", text[chain[-1][0] : chain[-1][1]]):
            continue
        yield from _ways(text, chain, longest)


def _ways(text: str, chain: list[tuple[int, int]], longest: int) -> Iterator[tuple[str, ...]]:
    left, right = text[: chain[0][0]], text[chain[-1][1] :]
    middles = [text[one[1] : two[0]] for one, two in pairwise(chain)]
    starts = [found.start() for found in _WORD.finditer(left)]
    ends = [found.end() for found in _WORD.finditer(right)]
    sizes = [
        (before, after)
        for before in range(1, min(longest, len(starts) - 1) + 1)
        for after in range(1, min(longest, len(ends)) + 1)
    ]
    for before, after in sorted(sizes, key=lambda size: (size[0] + size[1], abs(size[0] - size[1]))):
        head, tail = left[: starts[-before]], right[ends[after - 1] :]
        values = [left[starts[-before] :], *middles, right[: ends[after - 1]]]
        yield tuple(f"{head}{value.strip()}{tail}" for value in values)
