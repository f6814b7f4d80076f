"""The last step: whoever answers when no action does."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from turnout.model import ReasoningEngine, Reply, Request, Step, as_async
from turnout.model.errors import StageError

from .descriptors import action_descriptors
from .stage import component, fail

Answering: TypeAlias = Callable[[Request], Awaitable[Reply] | Reply]
"""A step, sync or async."""


class _Answers:
    """A step in the place of a reasoning engine."""

    __slots__ = ("step",)

    def __init__(self, step: Answering) -> None:
        self.step = step


class Reasoning:
    """A middleware that always answers: it never calls the rest of a chain, so it ends one.

    `engine` is a reasoning engine, called with the request and the action descriptors of its context, or any step,
    called with the request alone: a provider, an agent, another control plane. Which of the two it is shows in the
    number of arguments it must be given; `reason_with` says it where that does not (a function of `*args`).

    Its own `TurnoutError`s go to the caller as they are; another exception is a `StageError` of stage `reason`.

    Raises:
        TypeError: the engine is missing or takes neither one nor two arguments.
    """

    __slots__ = ("_engine", "_step")

    def __init__(self, engine: ReasoningEngine | Answering | _Answers) -> None:
        answers = engine if isinstance(engine, _Answers) else None
        run = component(answers.step if answers else engine, "a reasoning engine", of="Reasoning")
        alone = answers is not None or _takes_a_request_alone(engine)
        self._step = run if alone else None
        self._engine = None if alone else run

    def __call__(self, _next: Step) -> Step:
        """The step; the rest of the chain is not for it."""
        run = self._step
        if run is not None:

            async def answer(request: Request) -> Reply:
                try:
                    reply = await run(request)
                except Exception as error:
                    fail("reason", error, request)
                if reply is None:
                    raise StageError("reason", "the engine gave no reply")
                return reply

            return answer
        engine: Any = self._engine

        async def reason(request: Request) -> Reply:
            try:
                reply = await engine(request, action_descriptors(request.context))
            except Exception as error:
                fail("reason", error, request)
            if reply is None:
                raise StageError("reason", "the engine gave no reply")
            return reply

        return reason


def reason_with(step: Answering) -> _Answers:
    """A step (a provider, an agent, a control plane) as the engine of `Reasoning`, whatever its signature.

    Raises:
        TypeError: it cannot be called.
    """
    return _Answers(as_async(step))


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _takes_a_request_alone(engine: Any) -> bool:
    parameters = list(inspect.signature(engine).parameters.values())
    if any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters):
        return False
    positional = [parameter for parameter in parameters if parameter.kind in _POSITIONAL]
    needed = sum(parameter.default is inspect.Parameter.empty for parameter in positional)
    if needed > 2 or not positional:
        raise TypeError(f"{engine!r} takes neither (request, descriptors) nor (request)")
    return needed <= 1
