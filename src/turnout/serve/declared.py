"""What the decorator of an app takes, for type checkers."""

from collections.abc import Iterable
from typing import Any, TypedDict

from turnout.actions import Defers, When, Wordsmith


class Declared(TypedDict, total=False):
    """What `App.action` takes; `turnout.actions.action` says what each means."""

    id: str | None
    name: str | None
    description: str | None
    patterns: Iterable[str]
    cues: Iterable[str]
    examples: Iterable[str]
    negatives: Iterable[str]
    template: str | Wordsmith | None
    schema: dict[str, Any] | None
    read_only: bool
    destructive: bool
    idempotent: bool
    confirm: bool
    ask: str | None
    deferred: Defers | None
    when: When | None
