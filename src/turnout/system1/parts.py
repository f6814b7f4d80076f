"""The stretches of a text that ask for something, each with the statements that stand around it."""

from collections.abc import Callable
from typing import Final, NamedTuple

from .speech import BACKGROUND, Clause, Speech

FEW_WORDS: Final = 3
"""Fewer words are no request by themselves."""


class Part(NamedTuple):
    """A stretch that asks for something: its clauses, its own words, and the statements around it.

    `said` is what the clause that asks says, `text` that with the clauses that go on with it, `context` all of it.
    """

    clauses: tuple[Clause, ...]
    said: str
    text: str
    before: str = ""
    after: str = ""
    doubted: bool = False
    whole: str = ""

    @property
    def context(self) -> str:
        """The request with the statements around it."""
        return f"{self.before} {self.text}{'. ' if self.after else ''}{self.after}".strip().rstrip(",")

    @property
    def background(self) -> str:
        """The statements around it."""
        return f"{self.before} {self.after}".strip().rstrip(",")


def parts_of(text: str, speech: Speech, is_request: Callable[[Clause], bool]) -> list[Part]:
    """The stretches that ask, with what stands around them."""
    parts: list[Part] = []
    before, doubted, begins = "", False, 0
    for clause in speech.clauses:
        said = text[clause.begins if clause.asks else clause.start : clause.end]
        if clause.form in ("courtesy", "retreat"):
            continue
        if clause.form == "negation" and not clause.states and (parts or not speech.asks):
            continue
        told = clause.states or clause.form in BACKGROUND or speech.may_be_left_out(clause)
        if not clause.asks and not clause.form and not parts:
            told = told or len(said.split()) <= FEW_WORDS
        asks = clause.asks or (speech.asks and is_request(clause))
        if speech.asks and told and not asks:
            begins = begins if before else clause.start
            before, doubted = f"{before} {said},".lstrip(), doubted or bool(clause.form)
            continue
        if not asks and not clause.form and parts:
            last = parts[-1]
            longer = f"{last.text}, {text[clause.start : clause.end]}"
            whole = f"{last.whole}{text[last.clauses[-1].end : clause.end]}"
            parts[-1] = last._replace(clauses=(*last.clauses, clause), text=longer, whole=whole)
            continue
        whole = text[begins if before else clause.start : clause.end]
        parts.append(Part((clause,), said, said, before, "", doubted, whole))
        before, doubted = "", False
    if before and parts:
        last = parts[-1]
        after = text[last.clauses[-1].end : speech.clauses[-1].end]
        parts[-1] = last._replace(
            after=before.rstrip(","), doubted=last.doubted or doubted, whole=f"{last.whole}{after}"
        )
    return parts
