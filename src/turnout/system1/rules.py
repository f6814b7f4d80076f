"""Actions recognised by rules: regular expressions and cue words, declared with the action.

Strategy: a rule describes a whole request, or a whole clause of one that consists of such clauses and nothing else;
a rule that were searched for inside a text would act on its negation, its quotation and the question about it. Where
two actions fit equally well, or a request can be read in two ways, nothing is chosen and reasoning answers.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from turnout.model import (
    ActionIntent,
    Candidate,
    Classification,
    Descriptors,
    Intent,
    Request,
    Rule,
)
from turnout.model.utterance import Utterance, utterance

from . import needles, wording
from .patterns import compiled

_LONGEST: Final = 4_000  # code points; a longer text is no request for an action
_MOST_JOINTS: Final = 7  # clauses beyond these are prose
_SMALL_WORDS: Final = frozenset({"a", "an", "the", "my", "our", "me", "us", "of", "please"})
_SMALL_TALK: Final = 60  # code points that small words may add to cues
_WORD: Final = re.compile(r"\w+(?:['.-]\w+)*")
_BETWEEN_WORDS: Final = re.compile(r"[ \n,.!?:]*\Z")


class _Hit(NamedTuple):
    """A reading of one clause as an action; `weight` counts the characters that the rule itself names.

    `taken` are the stretches of the text that its parameters took.
    """

    action_id: str
    weight: int
    share: float
    params: dict[str, Any]
    taken: tuple[tuple[int, int], ...]
    because: str


class _Found(NamedTuple):
    """What a text asks for, or why it asks for nothing, and all readings that fit."""

    chosen: tuple[_Hit, ...]
    reason: str = ""
    fitting: tuple[_Hit, ...] = ()


class _Pattern(NamedTuple):
    expression: re.Pattern[str]
    named: str

    def needles(self) -> needles.Needles | None:
        """The words of which a text must have one."""
        return needles.of_pattern(self.expression)

    def read(self, action_id: str, text: str, folded: str, start: int, end: int) -> _Hit | str | None:
        """The clause as this action, or why it is doubtful, or nothing."""
        match = self.expression.fullmatch(folded, start, end)
        if match is None or start == end:
            return None
        if doubt := wording.doubt(folded[start:end], self.named):
            return doubt
        names = self.expression.groupindex
        spans = {name: match.span(name) for name in names if match.span(name)[0] >= 0}
        taken = len({place for first, last in spans.values() for place in range(first, last)})
        params = {name: _unquoted(text[first:last].strip()) for name, (first, last) in spans.items()}
        weight = end - start - taken
        said = {name: value for name, value in params.items() if value}
        because = f"pattern {self.expression.pattern}"
        return _Hit(action_id, weight, weight / (end - start), said, tuple(spans.values()), because)


class _Cues(NamedTuple):
    """All cues of one rule; each is a tuple of alternatives, each alternative a tuple of words."""

    cues: tuple[tuple[tuple[str, ...], ...], ...]
    first: re.Pattern[str]
    longest: int
    shown: str

    def needles(self) -> needles.Needles | None:
        """The words of which a text must have one."""
        return needles.of_pattern(self.first)

    def read(self, action_id: str, _text: str, folded: str, start: int, end: int) -> _Hit | str | None:
        """The clause as this action when it consists of the cues and small words."""
        if end - start > self.longest or self.first.search(folded, start, end) is None:
            return None
        left = _words(folded, start, end)
        if not left:
            return None
        for alternatives in self.cues:
            rest = next((rest for cue in alternatives if (rest := _without(left, cue)) is not None), None)
            if rest is None:
                return None
            left = rest
        if not all(word in _SMALL_WORDS or word == "" for word in left):
            return None
        return _Hit(action_id, end - start, 1.0, {}, (), f"cues {self.shown}")


class RulesClassifier:
    """A classifier of rules; it asks no model and is the same for the same words every time.

    A rule fits when one of its patterns describes the whole clause, or when the clause holds all its cues and beside
    them only small words. Case, the form of quotes and dashes, "please" and its like around the clause, and its final
    marks do not count. A pattern whose wildcards take in a negation, a condition or a second sentence does not fit.

    Of several actions that fit, the one whose rule names most of the clause itself is chosen; when two name equally
    much, none is. A request of several clauses ("restart api and tell me the version") asks for all their actions if
    each clause fits, and for none if it can also be read as one.

    Parameters are the named groups' text as the user wrote it, one pair of quotes around a value taken off; a group
    that took part in nothing is left out. Their types are the engine's task.

    Only actions that are described for a request are chosen for it. What the user said comes from the `Utterance` in
    the request's context, else from its body; a turn that is no new request asks for nothing.

    Raises:
        ValueError: a pattern does not compile or could take exponential time, or a cue is blank; names the action.
        TypeError: patterns or cues are one string instead of a tuple of strings.
    """

    __slots__ = ("_needles", "_readers")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._readers: dict[str, tuple[_Pattern | _Cues, ...]] = {}
        for rule in rules:
            self._readers[rule.action_id] = (*self._readers.get(rule.action_id, ()), *_readers(rule))
        self._needles = needles.any_of(
            reader.needles() for readers in self._readers.values() for reader in readers
        )

    def could_match(self, text: str) -> bool:
        """Whether a text that holds the user's words, and anything else, could ask for an action; cheap.

        It never says no to a text in which the words that are there would be chosen for.
        """
        if self._needles is None or not text.isascii():
            return True
        lower = text.lower()
        return any(needle in lower for needle in self._needles)

    async def __call__(self, request: Request, descriptors: Descriptors) -> Intent:
        """Which actions the request asks for."""
        return _intent(self._classify(request, descriptors))

    async def explain(self, request: Request, descriptors: Descriptors) -> Classification:
        """The same outcome as a call, with every action that fits and what it fits by.

        A candidate's score is the share of the clause that the rule itself names; it is compared with nothing but the
        other candidates' weight.
        """
        found = self._classify(request, descriptors)
        described = {descriptor.id: descriptor for descriptor in descriptors}
        candidates = tuple(
            Candidate(
                action_id=hit.action_id,
                score=hit.share,
                params=hit.params,
                missing=described[hit.action_id].missing(hit.params),
                because=hit.because,
            )
            for hit in found.chosen or found.fitting
        )
        return Classification(outcome=_intent(found), candidates=candidates, reason=found.reason)

    def _classify(self, request: Request, descriptors: Descriptors) -> _Found:
        said = request.context.get(Utterance) or utterance(request.body, request.source)
        if said.kind != "request":
            return _Found((), said.reason or f"the turn is no new request: {said.kind}")
        if len(said.text) > _LONGEST:
            return _Found((), f"the text is longer than {_LONGEST} code points")
        readers = [
            (descriptor.id, reader)
            for descriptor in descriptors
            for reader in self._readers.get(descriptor.id, ())
        ]
        text, folded = wording.plain(said.text)
        return _Reading(readers, text, folded).all()


class _Reading:
    """One text, read as a whole and as clauses."""

    def __init__(self, readers: list[tuple[str, _Pattern | _Cues]], text: str, folded: str) -> None:
        self._readers = readers
        self._text = text
        self._folded = folded
        self._joints: list[tuple[int, int]] = []
        self._clauses: dict[tuple[int, int], _Found] = {}

    def all(self) -> _Found:
        """What the text asks for."""
        whole = self._clause(0, len(self._text))
        if whole.fitting and not whole.chosen:
            return whole
        self._joints = wording.joints(self._folded, _MOST_JOINTS)
        if not self._joints:
            return whole
        if whole.chosen and not self._takes_a_joint(whole.chosen[0]):
            return whole
        apart = {_identity(hits): hits for hits in self._apart(0, 0)}
        if not apart:
            return whole
        hits = tuple(hit for way in apart.values() for hit in way)
        if whole.chosen or len(apart) > 1:
            return _Found((), "it can be read in more than one way", (*whole.chosen, *hits))
        return _Found(tuple({(hit.action_id, _shown(hit.params)): hit for hit in hits}.values()))

    def _clause(self, start: int, end: int) -> _Found:
        known = self._clauses.get((start, end))
        if known is None:
            known = self._clauses[start, end] = self._read(start, end)
        return known

    def _read(self, start: int, end: int) -> _Found:
        spans = tuple(wording.readings(self._folded, start, end))
        best: dict[str, _Hit] = {}
        doubt = ""
        for action_id, reader in self._readers:
            for first, last in spans:
                hit = reader.read(action_id, self._text, self._folded, first, last)
                if isinstance(hit, str):
                    doubt = doubt or hit
                elif hit is not None:
                    if action_id not in best or hit.weight > best[action_id].weight:
                        best[action_id] = hit
                    break
        fitting = tuple(sorted(best.values(), key=lambda hit: -hit.weight))
        if not fitting:
            return _Found((), doubt or "no rule describes it")
        if len(fitting) > 1 and fitting[0].weight == fitting[1].weight:
            return _Found((), "two actions fit equally well", fitting)
        return _Found(fitting[:1], "", fitting)

    def _takes_a_joint(self, hit: _Hit) -> bool:
        return any(first <= joint[0] < last for first, last in hit.taken for joint in self._joints)

    def _apart(self, start: int, joint: int) -> Iterator[tuple[_Hit, ...]]:
        """Every way to read the text from `start` on as clauses that each ask for an action, two at least in all."""
        for index in range(joint, len(self._joints)):
            end, following = self._joints[index]
            if first := self._clause(start, end).chosen:
                for rest in self._apart(following, index + 1):
                    yield (*first, *rest)
        if start and (last := self._clause(start, len(self._text)).chosen):
            yield last


def _intent(found: _Found) -> Intent:
    return Intent(
        actions=tuple(ActionIntent(action_id=hit.action_id, params=hit.params) for hit in found.chosen)
    )


def _identity(hits: tuple[_Hit, ...]) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    return tuple((hit.action_id, _shown(hit.params)) for hit in hits)


def _shown(params: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(params.items()))


def _readers(rule: Rule) -> Iterator[_Pattern | _Cues]:
    for name in ("patterns", "cues"):
        if isinstance(getattr(rule, name), str):
            raise TypeError(f"action {rule.action_id!r}: {name} is a string, not a tuple of strings")
    for pattern in (unicodedata.normalize("NFC", pattern) for pattern in rule.patterns):
        yield _Pattern(compiled(pattern, rule.action_id), wording.meant(pattern))
    if rule.cues:
        yield _cues(rule)


def _cues(rule: Rule) -> _Cues:
    texts = [[_folded(alternative) for alternative in cue.split("|")] for cue in rule.cues]
    cues = tuple(tuple(tuple(_WORD.findall(text)) for text in alternatives) for alternatives in texts)
    if not all(words for alternatives in cues for words in alternatives):
        raise ValueError(f"action {rule.action_id!r}: a cue of {rule.cues!r} is blank")
    first = re.compile("|".join(re.escape(words[0]) for words in cues[0]), re.IGNORECASE)
    longest = sum(max(map(len, alternatives)) + 1 for alternatives in texts) + _SMALL_TALK
    return _Cues(cues, first, longest, " + ".join(rule.cues))


def _folded(text: str) -> str:
    return wording.plain(text)[1].casefold()


def _words(folded: str, start: int, end: int) -> list[str]:
    """The words of a clause that holds nothing but words, commas and final marks; else none."""
    words: list[str] = []
    at = start
    for found in _WORD.finditer(folded, start, end):
        if _BETWEEN_WORDS.match(folded, at, found.start()) is None:
            return []
        words.append(found[0].casefold())
        at = found.end()
    return words if _BETWEEN_WORDS.match(folded, at, end) else []


def _without(words: list[str], cue: tuple[str, ...]) -> list[str] | None:
    """The words with the first occurrence of a cue blanked out, `None` when there is none."""
    for at in range(len(words) - len(cue) + 1):
        if tuple(words[at : at + len(cue)]) == cue:
            return [*words[:at], *("" for _ in cue), *words[at + len(cue) :]]
    return None


_QUOTES: Final = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb", "`": "`"}


def _unquoted(value: str) -> str:
    closing = _QUOTES.get(value[:1])
    return value[1:-1] if closing is not None and len(value) > 2 and value.endswith(closing) else value
