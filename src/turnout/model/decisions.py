"""Typed questions about an input and their probabilities; not a chat, so a pair of its own."""

from typing import Literal

from .answer import Usage
from .base import Extra, V
from .parts import Message


class Option(V, frozen=True, kw_only=True):
    """One possible answer of a choice, or one level of a score."""

    value: str | bool | int
    description: str | None = None


class Question(V, frozen=True, kw_only=True):
    """One question about the input."""

    kind: Literal["predicate", "choice", "score"]
    instructions: str
    name: str | None = None
    options: tuple[Option, ...] = ()


class Inquiry(V, frozen=True, kw_only=True):
    """An input with questions about it."""

    model: str
    input: tuple[Message, ...]
    questions: tuple[Question, ...]
    extra: Extra | None = None


class Verdict(V, frozen=True, kw_only=True):
    """The answer to one question; probabilities and confidence lie in 0..1."""

    kind: str
    name: str | None = None
    probability: float | None = None
    choice: str | bool | None = None
    score: float | None = None
    confidence: float | None = None
    probabilities: tuple[tuple[str | bool | int, float], ...] = ()
    refused: bool = False


class Decisions(V, frozen=True, kw_only=True):
    """One verdict per question, in order."""

    verdicts: tuple[Verdict, ...]
    usage: Usage = Usage()
    extra: Extra | None = None
