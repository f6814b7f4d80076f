"""What an application registers: actions, steps, models and agents, kept until something is built of them."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar, Unpack, cast, overload

import msgspec

from turnout.actions import Declared, action, declaration
from turnout.actions import marked as actions_in
from turnout.agents import info_of, marked, marked_in
from turnout.model import Info, Middleware, Provider, Reply, Request
from turnout.model.errors import Misconfigured

from .models import Name, as_info, no_model, renamed
from .steps import as_agent

F = TypeVar("F", bound=Callable[..., Any])


class Entry:
    """A model as it was registered."""

    __slots__ = ("actions", "info", "model", "name", "provider")

    def __init__(self, name: Name, provider: Any, model: str | None, actions: bool, info: Info) -> None:
        self.name = name
        self.provider = provider
        self.model = model
        self.actions = actions
        self.info = info


class Registry:
    """Keeps what is registered; `_changed` is called when something is added."""

    def __init__(self) -> None:
        self._sources: list[Callable[..., Any] | ModuleType] = []
        self._steps: list[Middleware] = []
        self._entries: dict[str, Entry] = {}
        self._agents: list[Any] = []

    @overload
    def action(self, function: F, /) -> F: ...
    @overload
    def action(self, /, **declared: Unpack[Declared]) -> Callable[[F], F]: ...
    def action(self, function: Any = None, /, **declared: Unpack[Declared]) -> Any:
        """Mark a function as an action of this app; it is returned unchanged. Usable bare and called.

        Takes what `turnout.action` takes.

        Raises:
            Misconfigured: one string where several are asked for.
        """

        def mark(marked: F) -> F:
            self.add(cast("Any", action(**declared))(marked))
            return marked

        return mark if function is None else mark(function)

    def add(self, *sources: Callable[..., Any] | ModuleType) -> None:
        """Use the marked actions and agents given, and those of the modules given.

        Raises:
            Misconfigured: an agent has a name that something answers to already.
        """
        for source in sources:
            agents = marked_in(source) if isinstance(source, ModuleType) else (source,)
            for each in agents:
                mark = marked(each)
                if mark is not None and not any(each is known for known in self._agents):
                    self._add_agent(mark.name, each, mark.info)
            if _has_actions(source) or not any(marked(each) for each in agents):
                self._sources.append(source)
        self._changed()

    def use(self, *middleware: Middleware) -> None:
        """Put steps before interception, in order; they see each request, by the name that the client knows.

        Raises:
            TypeError: one cannot be called.
        """
        for each in middleware:
            if not callable(each):
                raise TypeError(f"{each!r} is no middleware")
        self._steps.extend(middleware)
        self._changed()

    def model(
        self,
        name: str,
        provider: Provider | Callable[[Request], Any],
        *,
        model: str | None = None,
        actions: bool = True,
        reasoning: str = "",
        info: Info | None = None,
    ) -> None:
        """Let `provider`, or any step, answer to `name`, an exact name or a pattern with one `*`.

        `model` is the name sent upstream, by default as the client sent it; a `*` in it is what the pattern's stands
        for. `actions=False`: requests for it are never intercepted. `reasoning` is the member of a chat completion
        (`reasoning_content`) that shows thoughts which came in another protocol; by default they are left out. `info`
        is told by `/models`, of exact names. What a request goes on from (`previous_response_id`, `conversation`) is a
        provider's own matter; a function is not asked then, unless a store gives it the history or `info` says
        `continuation`.

        Raises:
            Misconfigured: something answers to this name already, or a name cannot be one.
            TypeError: `provider` cannot be called.
        """
        pattern = Name(name)
        if not callable(provider):
            raise TypeError(f"model {name!r}: {provider!r} is neither a provider nor a function")
        info = msgspec.structs.replace(info or as_info(provider), unlimited=True)
        if reasoning:
            info = msgspec.structs.replace(info, reasoning=reasoning)
        renamed(_unanswered, pattern, model)
        self._enter(pattern, provider, model, actions, info)

    def _enter(self, name: Name, provider: Any, model: str | None, actions: bool, info: Info) -> None:
        if name.text in self._entries:
            raise Misconfigured(f"model {name.text!r} is given twice")
        self._entries[name.text] = Entry(name, provider, model, actions, info)
        self._changed()

    def agent(self, agent: Any = None, /, name: str = "", **info: Any) -> Any:
        """Let an agent of the application's own answer to a name; it is returned unchanged.

        Usable as a decorator, bare, with a name, and called.

        It is an object with `run(request, emit)`, a function of the two, an async generator function of the request,
        or a step. Its name is by default the function's own; `info` are the fields of `turnout.model.Info`, what it
        can do beyond text in, text out. Requests for it are never intercepted.

        Raises:
            Misconfigured: something answers to this name already, or the name or a field of `info` cannot be.
            TypeError: it is no agent.
        """
        if isinstance(agent, str):
            agent, name = None, agent

        def register(given: Any) -> Any:
            named = name or str(getattr(given, "__name__", ""))
            self._add_agent(named, given, info_of(named, given, info))
            return given

        return register if agent is None else register(agent)

    def _add_agent(self, name: str, agent: Any, info: Info) -> None:
        if "*" in name:
            raise Misconfigured(f"agent {name!r}: a name has no *")
        self._enter(Name(name), as_agent(agent), None, False, info)
        self._agents.append(agent)

    def reason_with(self, provider: Provider | Callable[[Request], Any]) -> None:
        """Let `provider` answer to every name that nothing else answers to."""
        self.model("*", provider)

    @property
    def model_names(self) -> tuple[str, ...]:
        """The names and patterns that something answers to, in order of registration."""
        return tuple(self._entries)

    def _changed(self) -> None:
        """What was built before does not have all that is registered."""

    def _entry(self, name: str) -> Entry:
        if name in self._entries:
            return self._entries[name]
        fitting = [entry for entry in self._entries.values() if entry.name.match(name) is not None]
        if not fitting:
            raise no_model(name)
        return max(fitting, key=lambda entry: len(entry.name.text))


def _has_actions(source: Callable[..., Any] | ModuleType) -> bool:
    return bool(actions_in(source)) if isinstance(source, ModuleType) else declaration(source) is not None


async def _unanswered(request: Request) -> Reply:
    raise no_model(request.model)
