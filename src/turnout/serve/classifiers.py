"""The classifier that an application asks for: named, its own, or several of which the first to decide is believed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from turnout.model import Ask, Classification, Descriptors, Intent, Request, as_async
from turnout.model.errors import Misconfigured


def chosen(given: Any, named: Mapping[str, Any]) -> Any:
    """The classifier that was asked for: `None` for the rules, a name, one of the application's own, or several.

    Raises:
        Misconfigured: a name stands for no classifier.
        TypeError: one of several cannot be called.
    """
    if given is None:
        return named["rules"]
    if isinstance(given, Sequence) and not isinstance(given, str):
        return InOrder([_one(each, named) for each in cast("Sequence[Any]", given)])
    return _one(given, named)


def names_local(given: Any) -> bool:
    """Whether the local tier is, or is among, what was asked for."""
    if isinstance(given, Sequence) and not isinstance(given, str):
        return any(names_local(each) for each in cast("Sequence[Any]", given))
    return isinstance(given, str) and given == "local"


def _one(given: Any, named: Mapping[str, Any]) -> Any:
    if not isinstance(given, str):
        return given
    if given not in named:
        raise Misconfigured(f"{given!r} is no classifier; expected one of {', '.join(named)}, or a function")
    return named[given]


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
