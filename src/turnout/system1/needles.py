"""Words without which a text cannot ask for an action: a test that costs almost nothing, before all others.

Strategy: a pattern's own parse tree says which literal words every match holds. A text without any of them cannot
match, whatever stands around the user's words; so most texts need not be read at all. Where nothing can be told, or
a text is not plain ASCII (other letters may fold to the same), nothing is ruled out.
"""

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final

_PARSER: Final[Any] = import_module("re._parser")
_SRE: Final[Any] = import_module("re._constants")

Needles = frozenset[str]
"""Lower-case ASCII words, one of which a matching text holds."""

_SHORTEST: Final = 2  # a single letter is in every text
_GROUPS: Final = frozenset({"SUBPATTERN", "ATOMIC_GROUP"})
_REPEATS: Final = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})


def of_pattern(pattern: re.Pattern[str]) -> Needles | None:
    """The words of which every text that holds a match has one; `None` when there is no such word."""
    return _of(_PARSER.parse(pattern.pattern, pattern.flags))


def any_of(choices: Iterable[Needles | None]) -> Needles | None:
    """The words of which a text has one when it fits one of the choices."""
    found: set[str] = set()
    for needles in choices:
        if needles is None:
            return None
        found |= needles
    return frozenset(found)


def _of(tree: Any) -> Needles | None:
    """The most telling of the needles that the items of a sequence give: each item must match."""
    best: Needles | None = None
    run: list[str] = []
    items: list[tuple[Any, Any]] = [*tree, (_SRE.FAILURE, None)]
    for operation, argument in items:
        letter = chr(argument).lower() if operation is _SRE.LITERAL else ""
        if letter.isascii() and letter.isalnum():
            run.append(letter)
            continue
        if len(run) >= _SHORTEST:
            best = _better(best, frozenset({"".join(run)}))
        run = []
        best = _better(best, _of_item(str(operation), argument))
    return best


def _of_item(operation: str, argument: Any) -> Needles | None:
    if operation in _GROUPS:
        return _of(argument[-1] if operation == "SUBPATTERN" else argument)
    if operation in _REPEATS:
        return _of(argument[2]) if argument[0] > 0 else None
    if operation == "BRANCH":
        return any_of(_of(branch) for branch in argument[1])
    return None


def _better(one: Needles | None, other: Needles | None) -> Needles | None:
    """Of two conditions the more telling one: the longer its shortest word, and the fewer words."""
    if not one or not other:
        return one or other
    return max(one, other, key=lambda needles: (min(map(len, needles)), -len(needles)))
