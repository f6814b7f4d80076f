"""The decorator that marks a function or an object as an agent; who serves it finds the mark."""

import inspect
from collections.abc import Iterable
from types import ModuleType
from typing import Any, TypeVar, cast

from turnout.model import Info, V
from turnout.model.errors import Misconfigured

A = TypeVar("A")

_MARK = "__turnout_agent__"
_SETS = ("input", "output")
MODALITIES = frozenset({"text", "image", "audio", "video", "document"})
"""What an agent may take and give."""


class Marked(V, frozen=True, kw_only=True):
    """What the mark says: the name that the agent answers to, and what it can do."""

    name: str
    info: Info


def agent(thing: Any = None, /, name: str = "", **info: Any) -> Any:
    """Mark a function or an object as an agent; it is returned unchanged. Usable bare, with a name, and called.

    The name is by default the function's own. `info` are the fields of `Info`: what the agent can do beyond text in,
    text out. Its description is by default the docstring's first paragraph.

    Raises:
        Misconfigured: the name or a field of `info` cannot be, or the thing takes no mark.
    """
    if isinstance(thing, str):
        thing, name = None, thing

    def mark(marked: A) -> A:
        named = name or str(getattr(marked, "__name__", ""))
        if not named:
            raise Misconfigured(f"{marked!r} has no name of its own; give one: agent('name')")
        try:
            setattr(marked, _MARK, Marked(name=named, info=info_of(named, marked, info)))
        except AttributeError as error:
            raise Misconfigured(f"agent {named!r}: it takes no mark; wrap it in a function") from error
        return marked

    return mark if thing is None else mark(thing)


def marked(thing: Any) -> Marked | None:
    """The mark of an agent, `None` when there is none."""
    found = getattr(thing, _MARK, None)
    return found if isinstance(found, Marked) else None


def marked_in(module: ModuleType) -> tuple[Any, ...]:
    """The agents that a module holds, each once, in order of definition."""
    found = {id(value): value for value in vars(module).values() if marked(value) is not None}
    return tuple(found.values())


def info_of(name: str, thing: Any, fields: dict[str, Any]) -> Info:
    """What is told of the agent `thing`.

    Raises:
        Misconfigured: a field is none of `Info`, or a modality is none.
    """
    given = dict(fields)
    for key in _SETS:
        if key in given:
            given[key] = _modalities(name, key, given[key])
    given.setdefault("description", _description(thing))
    given.setdefault("owned_by", "turnout")
    try:
        return Info(**given)
    except TypeError as error:
        raise Misconfigured(f"agent {name!r}: {error}") from error


def _modalities(name: str, key: str, values: Any) -> frozenset[str]:
    words = frozenset({values} if isinstance(values, str) else cast("Iterable[str]", values))
    unknown = words - MODALITIES
    if unknown or not words:
        shown = ", ".join(sorted(map(str, unknown))) or "nothing"
        raise Misconfigured(f"agent {name!r}: {key} cannot be {shown}; it is {', '.join(sorted(MODALITIES))}")
    return words


def _description(thing: Any) -> str:
    named = inspect.isroutine(thing) or isinstance(thing, type)
    text = inspect.getdoc(thing if named else type(thing)) or ""
    return " ".join(text.partition("\n\n")[0].split())
