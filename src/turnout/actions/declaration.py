"""The `action` decorator: it marks a function and does nothing else.

Strategy: there is no registry. A mark is a frozen value kept on the function, which stays what it was and can be
called and tested as such; an engine is built later, from the functions and modules that it is given.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypedDict, TypeVar, Unpack, overload

from turnout.model import ActionIntent, ActionResult, Request
from turnout.model.errors import Misconfigured

F = TypeVar("F", bound=Callable[..., Any])

When: TypeAlias = Callable[[Request], bool | Awaitable[bool]]
"""Whether an action exists for a request; sync (in place, must not block) or async."""

Wordsmith: TypeAlias = Callable[[ActionResult, ActionIntent], str]
"""Words one result; a pure function."""


class Defers(Protocol):
    """Takes work over and answers at once; `turnout.actions.Deferred` does."""

    def start(
        self, request: Request, action_id: str, work: Callable[[], Awaitable[ActionResult]]
    ) -> Awaitable[ActionResult]:
        """Begin `work`; the result that says so."""
        ...

    async def aclose(self) -> None:
        """Stop what runs."""
        ...


_MARK = "__turnout_action__"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What `action` was told; `None` means that the function itself says it."""

    id: str | None = None
    name: str | None = None
    description: str | None = None
    patterns: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    negatives: tuple[str, ...] = ()
    template: str | Wordsmith | None = None
    schema: dict[str, Any] | None = None
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    confirm: bool = False
    ask: str | None = None
    deferred: Defers | None = None
    when: When | None = None


class Declared(TypedDict, total=False):
    """What `action` takes."""

    id: str | None
    name: str | None
    description: str | None
    patterns: Iterable[str]
    cues: Iterable[str]
    examples: Iterable[str]
    negatives: Iterable[str]
    template: str | Wordsmith | None
    schema: dict[str, Any] | None
    read_only: bool
    destructive: bool
    idempotent: bool
    confirm: bool
    ask: str | None
    deferred: Defers | None
    when: When | None


_LISTS = ("patterns", "cues", "examples", "negatives")


@overload
def action(function: F, /) -> F: ...
@overload
def action(**declared: Unpack[Declared]) -> Callable[[F], F]: ...
def action(function: Any = None, /, **declared: Unpack[Declared]) -> Any:
    """Mark a function as an action; it is returned unchanged. Usable bare and called.

    - `id`, `name`, `description`: by default the function's name, that name in words, and its docstring.
    - `patterns`: regular expressions for the rules classifier, each for a whole request; named groups are
      parameters. `cues`: words that a request must hold, all of them, `|` between alternatives of one.
    - `examples`, `negatives`: sentences that ask for it, and sentences that don't though they look alike; for
      classifiers that learn. The rules don't read them.
    - `template`: words a result: a format string over the result's fields and the parameters, or a function of
      the result and its intent.
    - `schema`: the JSON Schema of a function whose parameters are `**params`.
    - `read_only`, `destructive`, `idempotent`: what the action's effects are like, told to whoever chooses. What is
      `read_only` or `idempotent` may run again for a request that is repeated; nothing else does.
    - `confirm`: the user is asked before it runs. `ask`: that question, a format string over the parameters; by
      default the action's name and its parameters.
    - `deferred`: who takes over its work, so that it answers at once (see `Deferred`).
    - `when`: whether the action exists for a request; where it says no, the action is neither described nor run.

    Raises:
        Misconfigured: one string where several are asked for, or a callable that can't be marked. All else is
            checked when an engine is built.
    """
    told: dict[str, Any] = dict(declared)
    for name in _LISTS:
        if name in told:
            told[name] = _strings(name, told[name])
    declaration = Declaration(**told)

    def mark(marked: F) -> F:
        try:
            setattr(marked, _MARK, declaration)
        except (AttributeError, TypeError) as error:
            raise Misconfigured(
                f"{marked!r} cannot be an action: it takes no mark; wrap it in a function"
            ) from error
        return marked

    return mark if function is None else mark(function)


def declaration(function: Any) -> Declaration | None:
    """The mark of a function, `None` when it is no action."""
    found = getattr(function, _MARK, None)
    return found if isinstance(found, Declaration) else None


def _strings(name: str, values: Iterable[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise Misconfigured(f"{name} of an action is a list of strings, not one string: [{values!r}]")
    return tuple(values)
