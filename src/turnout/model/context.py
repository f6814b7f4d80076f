"""What travels with a request and is not part of it: an immutable bag keyed by type.

It travels on the request, never in a context variable of ours; the application's own context variables reach every
port.
"""

from typing import Any, TypeVar, cast, final, overload

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


class _Fields:
    """The fields of a context while they are written; `_sealed` makes them immutable."""

    __slots__ = ("_values", "deadline", "request_id", "scope")

    scope: dict[str, Any] | None
    request_id: str
    deadline: float | None
    _values: dict[Any, Any]


def _sealed(
    scope: dict[str, Any] | None, request_id: str, deadline: float | None, values: dict[Any, Any]
) -> "Context":
    # A third of the time that going around a `__setattr__` takes, field by field.
    fields: Any = _Fields()
    fields.scope = scope
    fields.request_id = request_id
    fields.deadline = deadline
    fields._values = values
    fields.__class__ = Context
    return fields


@final
class Context(_Fields):
    """An immutable bag of values, one per type.

    `scope` is the ASGI scope or `None` without HTTP, `request_id` names the request in errors and headers,
    `deadline` is a time of the event loop's clock in seconds or `None`.
    """

    __slots__ = ()

    def __new__(
        cls,
        *,
        scope: dict[str, Any] | None = None,
        request_id: str = "",
        deadline: float | None = None,
        values: dict[Any, Any] | None = None,
    ) -> "Context":
        """A context that holds `values`, each under its key."""
        return _sealed(scope, request_id, deadline, {} if values is None else dict(values))

    @classmethod
    def of_scope(cls, scope: dict[str, Any], request_id: str) -> "Context":
        """The context of a request that came over HTTP and of which nothing else is known yet."""
        return _sealed(scope, request_id, None, {})

    def with_(self, value: Any, key: Any = None) -> "Context":
        """A context that also holds `value`, under its own type unless `key` names another one."""
        values: dict[Any, Any] = {**self._values, (type(value) if key is None else key): value}
        return _sealed(self.scope, self.request_id, self.deadline, values)

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


NO_CONTEXT = Context()
