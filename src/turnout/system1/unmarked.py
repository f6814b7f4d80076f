"""Which clauses ask although no verb shows it: statements and refusals, as an action's examples say it."""

import re
from collections.abc import Callable
from typing import Final

from .calls import Extraction
from .parts import FEW_WORDS
from .scores import Scores, Thresholds
from .speech import Clause, Gate, Speech

_SUBJECT: Final = re.compile(r"(?:it|this|that)(?:'s| is)\b", re.IGNORECASE)
_REFERENCE: Final = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]+")
_PAST: Final = re.compile(
    r"\b(?:was|were|had|did|went|came)\b|\A(?-i:[A-Z])[a-z]+ \w{2,}ed \w", re.IGNORECASE
)


class Unmarked:
    """The clauses of one text that are requests without the shape of one."""

    def __init__(
        self,
        text: str,
        score: Callable[[str], Scores],
        gate: Gate,
        thresholds: Thresholds,
        told: Callable[[str, str], Extraction] | None,
    ) -> None:
        self._text = text
        self._scores = score
        self._gate = gate
        self._thresholds = thresholds
        self._told = told

    def with_statements(self, speech: Speech) -> Speech:
        """The speech with a statement that is a request as what it is, where nothing else asks.

        "they signed! D-4 is won", where deals are won.
        """
        if speech.asks or len(speech.clauses) < 2 or not self._gate.stated or speech.whole:
            return speech
        read = tuple(
            clause._replace(asks=True, states=False) if clause.states and self.is_request(clause) else clause
            for clause in speech.clauses
        )
        return speech._replace(clauses=read)

    def with_refusals(self, speech: Speech) -> Speech:
        """The speech with a refusal as a request where an action is asked for just so: "do not disturb"."""
        if not speech.asks or not any(clause.form == "negation" for clause in speech.clauses):
            return speech
        read = tuple(
            clause._replace(form="", asks=True)
            if clause.form == "negation" and self._is_normal(clause)
            else clause
            for clause in speech.clauses
        )
        return speech._replace(clauses=read)

    def _is_normal(self, clause: Clause) -> bool:
        """Whether a clause is surely for an action whose examples have its form."""
        said = self._span(clause)
        scores = self._scores(said)
        return self._thresholds.passed(scores) and self._gate.shows(scores.ranked[0][0], said)

    def is_request(self, clause: Clause) -> bool:
        """Whether a clause without a verb that asks is a request by itself: "D-12 is won", as examples say it."""
        if clause.asks or clause.form or (clause.states and not self._gate.stated):
            return clause.asks
        said = self._span(clause)
        if len(said.split()) < FEW_WORDS:
            return False
        return self._is_sure_of(said, clause) or (
            clause.states and self._is_sure_of(self._referred(clause), clause)
        )

    def _is_sure_of(self, said: str, clause: Clause) -> bool:
        scores = self._scores(said) if said else Scores(ours=0.0)
        if not scores.ranked or not self._thresholds.passed(scores):
            return False
        action = scores.ranked[0][0]
        if clause.states and (action not in self._gate.stated or _is_past(said)):
            return False
        return self._told is None or not is_open(self._told(action, said))

    def _referred(self, clause: Clause) -> str:
        """A statement about "it" with the reference that was named before in its place, `""` for any other."""
        said = self._span(clause)
        subject = _SUBJECT.match(said)
        named = _REFERENCE.search(self._text, 0, clause.start)
        if subject is None or named is None:
            return ""
        return f"{named[0]} is{said[subject.end() :]}"

    def _span(self, clause: Clause) -> str:
        return self._text[clause.start : clause.end]


def is_open(found: Extraction) -> bool:
    """Whether a text leaves a parameter open."""
    return bool(found.missing or found.ambiguous or found.invalid)


def _is_past(said: str) -> bool:
    """Whether a statement tells what was."""
    return _PAST.search(said) is not None
