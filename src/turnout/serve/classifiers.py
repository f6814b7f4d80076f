"""Several classifiers as one: the first that decides is believed."""

from collections.abc import Iterable
from typing import Any

from turnout.model import Ask, Classification, Descriptors, Intent, Request, as_async


class InOrder:
    """Asks classifiers one after another until one names an action or asks the user; else no action.

    Raises:
        TypeError: one of them cannot be called.
    """

    __slots__ = ("_classifiers",)

    def __init__(self, classifiers: Iterable[Any]) -> None:
        self._classifiers = [(as_async(each), getattr(each, "explain", None)) for each in classifiers]

    async def __call__(self, request: Request, descriptors: Descriptors) -> Intent | Ask:
        """What the first one that decides says."""
        for classify, _ in self._classifiers:
            outcome = await classify(request, descriptors)
            if outcome != Intent():
                return outcome
        return Intent()

    async def explain(self, request: Request, descriptors: Descriptors) -> Classification:
        """The same outcome with its grounds; without one, the candidates of all."""
        candidates: list[Any] = []
        reasons: list[str] = []
        for classify, explain in self._classifiers:
            if explain is None:
                judged = Classification(outcome=await classify(request, descriptors))
            else:
                judged = await as_async(explain)(request, descriptors)
            if judged.outcome != Intent():
                return judged
            candidates += judged.candidates
            reasons += [judged.reason] if judged.reason else []
        return Classification(outcome=Intent(), candidates=tuple(candidates), reason="; ".join(reasons))
