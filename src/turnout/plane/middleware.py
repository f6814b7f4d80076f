"""Middleware from a function."""

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from turnout.model import Middleware, Reply, Request, Step, as_async


def step(function: Callable[[Request, Step], Awaitable[Reply] | Reply]) -> Middleware:
    """Turn `async def function(request, next)` into a middleware.

    The function either answers, or returns `await next(request)` with the request it was given or another one. A
    sync function may return a reply, or what `next` gives it.

    Raises:
        TypeError: it cannot be called, or does not take a request and the rest of the chain.
    """
    run = as_async(function)
    positional = [
        parameter.name
        for parameter in inspect.signature(run).parameters.values()
        if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]

    def middleware(next: Step) -> Step:
        if len(positional) >= 2:
            # The partial of an async function counts as async itself: no coroutine is put around it.
            bound: Step = functools.partial(run, **{positional[1]: next})
            return bound

        async def call(request: Request) -> Reply:
            return await run(request, next)

        return call

    named: Any = functools.update_wrapper(
        middleware, function, assigned=("__module__", "__name__", "__doc__"), updated=()
    )
    return named
