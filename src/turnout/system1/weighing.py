"""Scores of a request in the light of its values: what fills an action's form is likely meant for that action.

Strategy: a logistic model over what an extraction tells, learned on requests of many applications, for which of them
no action was there in one half of the cases. An action is likelier the more values it finds, and less the more that
it requires are open, or the more that others find and it has no place for. The text is surer to be ours where one
action stands out so, and finds much of what it requires.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from .parameters import Extraction
from .parameters.option import QUOTED
from .remains import LEFT
from .scores import Scores

_CANDIDATES: Final = 6
_HOPELESS: Final = 0.01
"""Candidates: so many at most, and none whose chance is less than this share of the best one's."""
_CLEAR: Final = 0.95
"""An action with this chance has no rival that values could put before it."""

_CHANCE: Final = 1.6
_FOUND: Final = 1.0
_OPEN: Final = 1.3
_UNEXPLAINED: Final = 1.0
_MOST_FOUND: Final = 3
_MOST_OPEN: Final = 2
"""Weights of a candidate: of the logarithm of its chance, of each value found, open, and found by others only."""

_STANDS_OUT: Final = 0.065
_CAPPED: Final = 4.0
_REQUIRED: Final = 0.08
_LACKING: Final = 0.06
_USUAL: Final = 0.22
"""Of the first score: for the log odds of the best candidate, for each required value that is found, for each that
is open, and what all of it comes to for a usual request that is just sure enough."""


def weighed(
    scores: Scores, told: Callable[[str], Extraction], required: Callable[[str], Sequence[str]]
) -> Scores:
    """The scores with the candidates in their new order, and the first score by how well its values fit the best.

    `told` gives the values that an action finds in the text, `required` the names of those that it needs.
    """
    ranked = scores.ranked
    best = ranked[0][1]
    most = 1 if best >= _CLEAR else _CANDIDATES
    candidates = [action for action, chance in ranked[:most] if chance >= _HOPELESS * best]
    found = {action: told(action) for action in candidates}
    spans = _merged(sorted(span for each in found.values() for span in _spans(each)))
    weights = [
        _CHANCE * math.log(max(chance, 1e-6)) + _fit(found.get(action), spans) for action, chance in ranked
    ]
    chances = _softmax(weights)
    order = sorted(zip(ranked, chances, strict=True), key=lambda each: -each[1])
    action, chance = order[0][0][0], order[0][1]
    ours = scores.ours
    if action in found:
        needed = required(action)
        filled = sum(_tells(found[action], name) for name in needed)
        odds = math.log(max(chance, 1e-9) / max(1 - chance, 1e-9))
        ours += _STANDS_OUT * max(-_CAPPED, min(_CAPPED, odds)) - _USUAL
        ours += _REQUIRED * min(filled, _MOST_FOUND) - _LACKING * min(_open(found[action]), _MOST_OPEN)
    return msgspec.structs.replace(
        scores,
        ours=min(1.0, max(0.0, ours)),
        ranked=tuple((each[0], share) for each, share in order),
    )


def _fit(found: Extraction | None, spans: Sequence[tuple[int, int]]) -> float:
    """What the values say for an action; one that wasn't asked for them finds nothing."""
    if found is None:
        return -_UNEXPLAINED * min(len(spans), _MOST_FOUND)
    own = _spans(found)
    unexplained = sum(not any(start < last and first < end for first, last in own) for start, end in spans)
    return (
        _FOUND * min(sum(_tells(found, name) for name in found.values), _MOST_FOUND)
        - _OPEN * min(_open(found), _MOST_OPEN)
        - _UNEXPLAINED * min(unexplained, _MOST_FOUND)
    )


def _tells(found: Extraction, name: str) -> bool:
    """Whether a value speaks for the action; what was left over and what somebody quotes may stand in any text."""
    value = found.values.get(name)
    if value is None:
        return name in found.ambiguous
    quoted = value.confidence == QUOTED and " " in str(value.value)
    return value.confidence > LEFT and not quoted


def _open(found: Extraction) -> int:
    """How many values are open; several for one are not, they may be meant for as many calls."""
    return len({*found.missing, *found.invalid})


def _spans(found: Extraction) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in found.values.values()]


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _softmax(weights: Sequence[float]) -> list[float]:
    most = max(weights)
    powers = [math.exp(weight - most) for weight in weights]
    total = sum(powers)
    return [power / total for power in powers]
