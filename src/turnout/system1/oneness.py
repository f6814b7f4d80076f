"""Whether a text that was read as several requests is rather one.

Strategy: people tell one wish in two clauses ("my card was declined and I want to know why"), and alone each clause
is near to some action. But all of it together is then nearer to the examples of one action than the lesser clause is
to those of its own, and leaves that one hardly a chance.
"""

from collections.abc import Iterable
from typing import Final

from .scores import Scores, Thresholds

_NEARER: Final = 0.1
_MUCH_NEARER: Final = 0.15
_HARDLY: Final = 0.003


def rather_one(whole: Scores, least: Scores, actions: Iterable[str], bars: Thresholds) -> bool:
    """Whether the scores of the `whole` speak against these `actions`, of which the least sure has the scores `least`.

    One that would not pass the `bars` by itself, and does beside others that are sure, is doubted for less.
    """
    nearer = whole.ours - least.ours
    if nearer > _MUCH_NEARER and not bars.passed(least):
        return True
    chances = dict(whole.ranked)
    return nearer > _NEARER and min((chances.get(each, 0.0) for each in actions), default=1.0) < _HARDLY
