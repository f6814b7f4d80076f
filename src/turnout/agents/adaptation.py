"""Whatever an application writes as an agent, as a step: the one shape of everything that answers."""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, cast

from turnout.model import Answer, Event, Message, Reply, Request, Step, V, as_async
from turnout.model.parts import Part

from .emission import Emit
from .running import Runner, run


class _Adapted:
    """A step that runs an agent for each request."""

    __slots__ = ("_runner", "agent")

    def __init__(self, agent: Any, runner: Runner) -> None:
        self.agent = agent
        self._runner = runner

    async def __call__(self, request: Request) -> Reply:
        return Reply.of_batches(run(self._runner, request))


def adapt(agent: Any) -> Step:
    """`agent` as a step.

    It is an object with `run(request, emit)`, a function of the two, or an async generator function of the request,
    which yields text, parts, messages or events. All run as a task that ends with the reply. A step is given back as
    it is: a function of a request that answers with a reply.

    Raises:
        TypeError: it is none of these.
    """
    if isinstance(agent, type):
        raise TypeError(f"{agent.__name__} is a class; give an instance of it")
    if isinstance(agent, _Adapted):
        return agent
    runner = _runner(agent)
    if runner is not None:
        return _Adapted(agent, runner)
    if callable(agent):
        return cast("Step", agent)
    raise TypeError(f"{type(agent).__name__} is no agent: a function, or an object with run(request, emit)")


def is_agent(thing: Any) -> bool:
    """Whether `adapt` makes a step of it, rather than finding one."""
    return not isinstance(thing, type) and (isinstance(thing, _Adapted) or _runner(thing) is not None)


def _runner(agent: Any) -> Runner | None:
    method = getattr(agent, "run", None)
    if callable(method):
        return _yielding(method) if inspect.isasyncgenfunction(method) else as_async(method)
    if inspect.isasyncgenfunction(_called(agent)):
        return _yielding(agent)
    if callable(agent) and takes_emit(agent):
        return as_async(agent)
    return None


def _called(thing: Any) -> Any:
    """The function that runs when `thing` is called."""
    return thing if inspect.isroutine(thing) else getattr(thing.__class__, "__call__", None)  # noqa: B004


def takes_emit(function: Callable[..., Any]) -> bool:
    """Whether a function asks for what an agent gets beside its request: it needs two positional arguments."""
    inner = _called(function)
    code = getattr(inner, "__code__", None)
    if code is not None and not code.co_flags & inspect.CO_VARARGS:
        # Asked for each request of a catalog, and thirty times as fast as a signature.
        bound = inner is not function or inspect.ismethod(function)
        return code.co_argcount - len(inner.__defaults__ or ()) - bound == 2
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [each for each in parameters if each.kind in places and each.default is each.empty]
    return len(needed) == 2


def _yielding(function: Callable[..., Any]) -> Runner:
    """An async generator as what runs: each thing that it yields is emitted."""

    async def runner(request: Request, emit: Emit) -> None:
        yielded: AsyncIterator[Any] = function(request)
        try:
            async for each in yielded:
                await _emit(emit, each)
        finally:
            close: Callable[[], Awaitable[None]] = cast("Any", yielded).aclose
            await close()

    return runner


async def _emit(emit: Emit, each: Any) -> None:
    if isinstance(each, str):
        await emit.delta(each)
    elif isinstance(each, Part | Message):
        await emit.item(cast("Any", each))
    elif isinstance(each, Answer):
        for part in each.parts:
            await emit.item(part)
    elif isinstance(each, V):
        await emit.event(cast("Event", each))
    else:
        await emit.item(each)
