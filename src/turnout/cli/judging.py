"""Labelled requests, put to an application one by one: what it would do with each."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from turnout.model import Ask, Body, Context, Request
from turnout.plane import Explanation
from turnout.system1.cases import Asked, Case
from turnout.system1.evaluation import Judged

if TYPE_CHECKING:
    from turnout import App

_AT_ONCE = 8  # a classifier that asks a model waits most of the time


def request_of(app: "App", case: Case, model: str = "") -> Request:
    """The case as a request for `model`, by default the first exact name."""
    name = model or next((each for each in app.model_names if "*" not in each), "")
    return Request(
        model=name, body=Body(messages=case.conversation), context=Context(request_id="evaluation")
    )


async def explained(app: "App", cases: Iterable[Case], model: str = "") -> list[Explanation]:
    """What the application would do with each case; nothing runs."""
    free = asyncio.Semaphore(_AT_ONCE)

    async def one(case: Case) -> Explanation:
        async with free:
            return await app.explain(request_of(app, case, model))

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(case)) for case in cases]
    return [task.result() for task in tasks]


def judged(cases: Iterable[Case], found: Iterable[Explanation]) -> list[Judged]:
    """The cases with what was made of them.

    Where the classifier scores at all, a case that it has no candidate for counts as scored 0.
    """
    pairs = list(zip(cases, found, strict=True))
    scores = any(each.score is not None for _, told in pairs for each in told.candidates)
    return [_judged(case, told, 0.0 if scores else None) for case, told in pairs]


def _judged(case: Case, told: Explanation, unscored: float | None) -> Judged:
    intents = () if isinstance(told.outcome, Ask) else told.outcome.actions
    best = told.candidates[0] if told.candidates else None
    asked = case.asked
    picked = tuple(each.action_id for each in intents)
    valued = sorted(picked) == sorted(each.id for each in asked) and any(
        each.parameters is not None for each in asked
    )
    return Judged(
        text=case.said,
        gold=tuple(each.id for each in asked),
        picked=picked,
        asked=isinstance(told.outcome, Ask),
        score=unscored if best is None or best.score is None else best.score,
        top=best.action_id if best is not None else None,
        values=_same_values(asked, [(each.action_id, each.params) for each in intents]) if valued else None,
    )


def _same_values(asked: tuple[Asked, ...], picked: list[tuple[str, dict[str, Any]]]) -> bool:
    """Whether each call that the label gives the parameters of was picked with just these."""
    left = list(picked)
    for each in asked:
        if each.parameters is None:
            continue
        wanted = _plain(each.parameters)
        place = next(
            (
                index
                for index, (name, params) in enumerate(left)
                if name == each.id and _plain(params) == wanted
            ),
            None,
        )
        if place is None:
            return False
        del left[place]
    return True


def _plain(value: Any) -> Any:
    """A value as it is compared: parameters may still be as the user wrote them."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in cast("list[Any]", value)]
    if isinstance(value, bool) or value is None:
        return str(value).casefold()
    try:
        return float(value)
    except (TypeError, ValueError):
        return " ".join(str(value).split()).casefold()
