"""How a failure inside a step becomes the error that a control plane raises.

Strategy: a step that asks one of the application's components knows at which stage it did; what the component raises
becomes a `StageError` of that stage, with the component's error as `__cause__`. Some errors are not failures of a
component and stay themselves:

- what ends the request as a whole: cancellation, a timeout once the context's deadline has passed, `Cancelled`,
  `RunTimedOut` and `DeliveryError`;
- a *refusal*, which is an error of the 4xx kind that is meant for the client (`InvalidRequest` from a body that does
  not decode, `Forbidden`, `Unauthenticated`, `Conflict`), from a component that judges the request: the engine and an
  identity provider. A classifier and a synthesizer may themselves ask a model with a request of their own making;
  what is wrong with *that* is no fault of the client's, so theirs are always failures of the stage;
- any `TurnoutError` of the reasoning engine: it is the one who answers this request, so its `ProviderError` keeps the
  upstream's status and its `Unsupported` keeps the name of the client's field;
- the `StageError` of the same stage, since a stage is named once.

What a step of the application itself raises, outside of a component, is never caught.
"""

import asyncio
import time
from typing import Any, Final, NoReturn

from turnout.model import Request, as_async
from turnout.model.errors import (
    Cancelled,
    DeliveryError,
    ProviderError,
    RunTimedOut,
    Stage,
    StageError,
    TurnoutError,
)

_ENDS_THE_REQUEST: Final = (Cancelled, RunTimedOut, DeliveryError)
_JUDGES_THE_REQUEST: Final = frozenset[Stage]({"descriptors", "execute", "identity"})
# A loop's timer may fire this much before its time.
_RESOLUTION: Final = time.get_clock_info("monotonic").resolution


def fail(
    stage: Stage, error: Exception, request: Request, *, what: str = "failed", acted: bool = False
) -> NoReturn:
    """Raise what the control plane raises when a component raised `error` at `stage`.

    `what` is public and says no cause. `acted` marks the error as one after which an action may have run. Call it
    inside the `except` clause that caught `error`.

    Raises:
        StageError: the component failed; `error` is its `__cause__`.
        Exception: `error` itself, where the module's text says so.
    """
    if _ends_the_request(error, request):
        raise error
    if isinstance(error, TurnoutError) and _stays_itself(stage, error):
        if acted:
            error.may_have_acted = True
        raise error
    raise StageError(stage, what, may_have_acted=acted) from error


def component(port: Any, role: str, *, of: str) -> Any:
    """The async function behind a component.

    Raises:
        TypeError: it is missing, or cannot be called; says whose it is.
    """
    if port is None:
        raise TypeError(f"{of} needs {role}, not None")
    return as_async(port)


def _ends_the_request(error: Exception, request: Request) -> bool:
    if isinstance(error, _ENDS_THE_REQUEST):
        return True
    deadline = request.context.deadline
    if deadline is None or not isinstance(error, TimeoutError):
        return False
    return asyncio.get_running_loop().time() + _RESOLUTION >= deadline


def _stays_itself(stage: Stage, error: TurnoutError) -> bool:
    if isinstance(error, StageError):
        return stage in (error.stage, "reason")
    if stage in _JUDGES_THE_REQUEST:
        return 400 <= error.status < 500 and not isinstance(error, ProviderError)
    return stage == "reason"
