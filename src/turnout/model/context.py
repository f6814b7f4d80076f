"""What travels with a request and is not part of it: an immutable bag keyed by type.

It travels on the request, never in a context variable of ours; the application's own context variables reach every
port.
"""

from typing import Any, TypeVar, cast, overload

from .base import V

T = TypeVar("T")
D = TypeVar("D")


class User(V, frozen=True, kw_only=True):
    """Who the request is made for; `""` is nobody known."""

    id: str = ""


class AgentIdentity(V, frozen=True, kw_only=True):
    """Which program makes the request; `""` is none known."""

    id: str = ""


class IdempotencyKey(V, frozen=True, kw_only=True):
    """The key under which the client says that requests are the same one."""

    value: str


class Thread(V, frozen=True, kw_only=True):
    """The conversation that the request belongs to, where the protocol names one."""

    id: str


class Context:
    """An immutable bag of values, one per type.

    `scope` is the ASGI scope or `None` without HTTP, `request_id` names the request in errors and headers,
    `deadline` is a time of the event loop's clock in seconds or `None`.
    """

    __slots__ = ("_values", "deadline", "request_id", "scope")

    scope: dict[str, Any] | None
    request_id: str
    deadline: float | None
    _values: dict[Any, Any]

    def __init__(
        self,
        *,
        scope: dict[str, Any] | None = None,
        request_id: str = "",
        deadline: float | None = None,
        values: dict[Any, Any] | None = None,
    ) -> None:
        _set_scope(self, scope)
        _set_request_id(self, request_id)
        _set_deadline(self, deadline)
        _set_values(self, {} if values is None else dict(values))

    def with_(self, value: Any, key: Any = None) -> "Context":
        """A context that also holds `value`, under its own type unless `key` names another one."""
        copy = Context.__new__(Context)
        _set_scope(copy, self.scope)
        _set_request_id(copy, self.request_id)
        _set_deadline(copy, self.deadline)
        _set_values(copy, {**self._values, (type(value) if key is None else key): value})
        return copy

    @overload
    def get(self, key: type[T]) -> T | None: ...
    @overload
    def get(self, key: type[T], default: D) -> T | D: ...
    def get(self, key: type[T], default: Any = None) -> Any:
        """The value kept under `key`, else `default`."""
        return self._values.get(key, default)

    def __getitem__(self, key: type[T]) -> T:
        """The value kept under `key`.

        Raises:
            KeyError: there is none.
        """
        return cast("T", self._values[key])

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a context is immutable; use with_(value)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a context is immutable")

    def __contains__(self, key: Any) -> bool:
        return key in self._values

    def __repr__(self) -> str:
        names = ", ".join(getattr(key, "__name__", str(key)) for key in self._values)
        return f"Context(request_id={self.request_id!r}, holds=[{names}])"


# The slots' own setters go past `__setattr__`; bound once, they cost half of what `object.__setattr__` does.
_slots: Any = Context.__dict__
_set_scope = _slots["scope"].__set__
_set_request_id = _slots["request_id"].__set__
_set_deadline = _slots["deadline"].__set__
_set_values = _slots["_values"].__set__

NO_CONTEXT = Context()
