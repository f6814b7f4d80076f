"""The control plane: a chain of steps, the first of which that answers bypasses the rest."""

from collections.abc import Iterable
from typing import Any, Final, cast

from turnout.model import Middleware, Reply, Request, Step, as_async
from turnout.model.errors import Misconfigured


async def _end(_request: Request) -> Reply:
    raise Misconfigured("no step of the control plane answered")


class ControlPlane:
    """Answers a request by running it through a chain of middleware, in the order given.

    The chain is built once, here: each middleware is called with the rest of the chain and gives its step. A request
    costs the steps it goes through and nothing else: `process` *is* the first step, so that nothing stands between
    the caller and it. A control plane is itself a step: `await plane(request)` is `await plane.process(request)`.

    What a caller may see:

    - a `StageError` (502) when a component given to a shipped step failed: the classifier, the engine, the
      synthesizer, an identity provider, a reasoning engine. Its text is `turnout: <stage>: ...`, once, also where
      one control plane is a step of another; the component's error is its `__cause__`. It has `may_have_acted` when
      actions had been handed to the engine, which tells SDKs not to retry;
    - the client's own fault as itself: `InvalidRequest` of a body that does not decode (400, `param` names the
      field), and what an engine or an identity provider refuses on purpose (`Forbidden`, `Unauthenticated`);
    - the reasoning engine's own `TurnoutError` as itself: a `ProviderError` keeps its status;
    - cancellation, and a timeout of the context's deadline, untouched;
    - whatever else a step raises, untouched: a bug is not recovered from, the host decides.

    Nothing is logged. Either a reply or an error comes out, never both; whoever gets the reply closes it.
    """

    __slots__ = ("__weakref__", "process")

    process: Final[Step]
    """Answer a request; see the class for what it raises."""

    def __init__(self, middlewares: Iterable[Middleware] | Middleware, *more: Middleware) -> None:
        """Build the chain from a list of middleware, or from middleware given one by one.

        Raises:
            ValueError: there is none.
            TypeError: one is `None` or no middleware, or gives no step.
        """
        given: tuple[Any, ...]
        if isinstance(middlewares, Iterable):
            given = (*cast("Iterable[Any]", middlewares), *more)
        else:
            given = (middlewares, *more)
        if not given:
            raise ValueError("a control plane needs at least one middleware")
        for place, middleware in enumerate(given, start=1):
            if not callable(middleware):
                raise TypeError(f"middleware {place} of {len(given)} is {middleware!r}")
        chain: Step = _end
        for middleware in reversed(given):
            made = middleware(chain)
            if not callable(made):
                raise TypeError(
                    f"{middleware!r} is no middleware: given the rest of the chain it made {made!r}"
                )
            chain = as_async(made)
        self.process = chain

    async def __call__(self, request: Request) -> Reply:
        """Answer a request, as `process` does."""
        return await self.process(request)
