"""The in-process engine: marked functions as an `Engine`.

Strategy: everything that can be wrong with a declaration is found when the engine is built. Running is then short:
decode, inject, call, write the result. What the user should hear is a failed result; what the operator should hear is
an exception.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from types import ModuleType
from typing import Any, TypeAlias

from turnout.model import ActionDescriptor, ActionIntent, ActionResult, Descriptors, Request, Rule, as_async
from turnout.model.errors import Misconfigured

from .declaration import Defers, declaration
from .definition import Definition, define
from .failed import Failed
from .outcome import failed, refused, result
from .parameters import Refused
from .synthesizer import Wording

Allow: TypeAlias = Callable[[Request, ActionDescriptor], bool | Awaitable[bool]]
"""Whether a request may use an action; sync (in place, must not block) or async."""

_NO_SUCH = "there is no such action"


class Actions:
    """An `Engine` of marked functions.

    `sources` are functions marked by `action`, and modules, whose marked functions are taken; the same function
    twice counts once. `allow` narrows, beside each action's own `when`, what a request may use: an action that is
    not allowed can neither be described nor run for that request, and running it says what an invented id says.

    Sync functions run in a worker thread with the caller's context variables, async ones in place. Several intents
    run one after another, in order: a failed result does not stop the later ones, since the actions of one request
    are independent of each other, but an exception does. Cancelling stops an async function at its next await; a
    function that is already running in a thread cannot be stopped and runs to its end unseen, one that waits for a
    free thread never starts.

    Raises:
        Misconfigured: a source without actions, two with one id, a signature that cannot be described, a pattern
            or template that is malformed or names what is not there. It names the function and its module.
    """

    def __init__(self, *sources: Callable[..., Any] | ModuleType, allow: Allow | None = None) -> None:
        self._allow = None if allow is None else as_async(allow)
        self._actions: dict[str, Definition] = {}
        places: dict[str, str] = {}
        for function in _functions(sources):
            place = _place(function)
            try:
                found = define(function)
            except Misconfigured as error:
                raise Misconfigured(f"action {place}: {error}") from error
            action_id = found.descriptor.id
            if action_id in self._actions:
                raise Misconfigured(
                    f"action id {action_id!r} is given twice: {places[action_id]} and {place}"
                )
            self._actions[action_id] = found
            places[action_id] = place
        self._all: Descriptors = tuple(each.descriptor for each in self._actions.values())
        self._narrowed = self._allow is not None or any(each.when for each in self._actions.values())

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all actions, in order of declaration."""
        return tuple(self._actions)

    def rules(self) -> tuple[Rule, ...]:
        """How the actions that say so are recognised without a model."""
        return tuple(each.rule for each in self._actions.values() if each.rule.patterns or each.rule.cues)

    def templates(self) -> dict[str, Wording]:
        """How each action's results are worded, for `TemplateSynthesizer`."""
        return {action_id: each.wording for action_id, each in self._actions.items()}

    def negatives(self) -> dict[str, tuple[str, ...]]:
        """For each action that names some, texts that do not ask for it though they look alike."""
        return {name: each.negatives for name, each in self._actions.items() if each.negatives}

    def describe(self) -> Descriptors:
        """All actions, whether or not a request may use them."""
        return self._all

    def deferred(self) -> tuple[Defers, ...]:
        """Who takes over the work of actions, each once; whoever runs the actions closes them at the end."""
        found = [each.deferred for each in self._actions.values() if each.deferred is not None]
        return tuple({id(each): each for each in found}.values())

    async def descriptors(self, request: Request) -> Descriptors:
        """The actions that this request may use."""
        if not self._narrowed:
            return self._all
        return tuple([each.descriptor for each in self._actions.values() if await self._may(request, each)])

    async def execute(self, request: Request, intents: tuple[ActionIntent, ...]) -> tuple[ActionResult, ...]:
        """Run the actions, one after another: exactly one result each, in order.

        Raises:
            Exception: what an action raised, unless it is `Failed`; `Unencodable` when what it gave is not JSON.
        """
        return tuple([await self._one(request, intent) for intent in intents])

    async def propose(
        self, request: Request, intents: tuple[ActionIntent, ...]
    ) -> tuple[str | ActionResult, ...]:
        """What running would do, asked in the user's terms; a failed result where it would not run."""
        return tuple([await self._proposal(request, intent) for intent in intents])

    async def _proposal(self, request: Request, intent: ActionIntent) -> str | ActionResult:
        found = await self._found(request, intent)
        if found is None:
            return failed(intent.action_id, _NO_SUCH)
        arguments = found.parameters.decode(intent.params)
        if isinstance(arguments, Refused):
            return refused(intent.action_id, arguments)
        return found.question.text(intent.params)

    async def _found(self, request: Request, intent: ActionIntent) -> Definition | None:
        found = self._actions.get(intent.action_id)
        return found if found is not None and await self._may(request, found) else None

    async def _one(self, request: Request, intent: ActionIntent) -> ActionResult:
        found = await self._found(request, intent)
        if found is None:
            return failed(intent.action_id, _NO_SUCH)
        arguments = found.parameters.decode(intent.params)
        if isinstance(arguments, Refused):
            return refused(intent.action_id, arguments)
        for name, give in found.injected.items():
            arguments[name] = give(request)
        if found.deferred is None:
            return await _run(found, arguments)
        try:
            return await found.deferred.start(request, intent.action_id, partial(_run, found, arguments))
        except Failed as outcome:
            return result(intent.action_id, outcome)

    async def _may(self, request: Request, found: Definition) -> bool:
        if found.when is not None and not await found.when(request):
            return False
        return self._allow is None or bool(await self._allow(request, found.descriptor))


def marked(module: ModuleType) -> tuple[Callable[..., Any], ...]:
    """The marked functions of a module, those that it imports included, in order."""
    return tuple(value for value in vars(module).values() if declaration(value) is not None)


def _functions(sources: tuple[Any, ...]) -> list[Callable[..., Any]]:
    found: list[Callable[..., Any]] = []
    for source in sources:
        if isinstance(source, ModuleType):
            functions = marked(source)
            if not functions:
                raise Misconfigured(f"module {source.__name__} has no function marked with @action")
        elif declaration(source) is None:
            raise Misconfigured(f"{_place(source)} is not marked with @action")
        else:
            functions = (source,)
        for each in functions:
            if each not in found:
                found.append(each)
    return found


def _place(function: Any) -> str:
    name = getattr(function, "__qualname__", None) or repr(function)
    return f"{getattr(function, '__module__', '?')}.{name}"


async def _run(found: Definition, arguments: dict[str, Any]) -> ActionResult:
    try:
        value = await _call(found, arguments)
    except Failed as outcome:
        value = outcome
    return result(found.descriptor.id, value)


async def _call(found: Definition, arguments: dict[str, Any]) -> Any:
    if found.is_async:
        return await found.call(**arguments)
    value = await asyncio.to_thread(_in_thread, found.call, arguments)
    return await value if inspect.isawaitable(value) else value


def _in_thread(call: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    try:
        return call(**arguments)
    except StopIteration as stop:
        # A future cannot carry it: the awaiting task would never wake.
        raise RuntimeError("the action raised StopIteration") from stop
