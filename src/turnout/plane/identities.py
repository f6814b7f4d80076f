"""Who makes a request, for the rest of the chain.

Strategy: identities lie in the request's context, one per type, so that a user, an agent and a type of the
application's own live side by side. A step puts one there and neither answers nor changes the request.
"""

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar, overload

from turnout.model import AgentIdentity, Context, IdentityProvider, Reply, Request, Step, User

from .stage import component, fail

T = TypeVar("T")
D = TypeVar("D")

DEFAULT_USER_IDENTITY_HEADER: Final = "OpenAI-Organization"
"""What OpenAI's clients send that comes nearest to a user: the organization that is billed."""

DEFAULT_AGENT_IDENTITY_HEADER: Final = "User-Agent"
"""The header in which client libraries and agents name themselves."""

_MISSING: Any = object()


def with_identity(context: Context, identity: Any, kind: type[Any] | None = None) -> Context:
    """A context that carries an identity under its own type, or under `kind`; one per type."""
    return context.with_(identity, kind)


@overload
def identity(context: Context, kind: type[T]) -> T: ...
@overload
def identity(context: Context, kind: type[T], default: D) -> T | D: ...
def identity(context: Context, kind: type[T], default: Any = _MISSING) -> Any:
    """The identity of type `kind` that the context carries.

    When there is none: `default`, and without one the type's zero value, `kind()`.

    Raises:
        TypeError: there is none, no `default` is given and `kind` cannot be made without arguments.
    """
    found = context.get(kind, _MISSING)
    if found is not _MISSING:
        return found
    return kind() if default is _MISSING else default


def user(context: Context) -> User:
    """The user that the context carries; its `id` is `""` when nobody is known."""
    return context.get(User, _NOBODY)


def agent(context: Context) -> AgentIdentity:
    """The agent that the context carries; its `id` is `""` when none is known."""
    return context.get(AgentIdentity, _NO_AGENT)


class Identity(Generic[T]):
    """A middleware that asks `provider` who makes a request and puts the answer in the context.

    `kind` is the type under which `identity(context, kind)` finds it; left out, the type of the value itself. An
    unknown identity is the type's zero value, or `None`, which leaves the context as it is. A provider that fails
    fails the request (`StageError` of stage `identity`) and the rest of the chain does not run; what it refuses on
    purpose (`Unauthenticated`, `Forbidden`) reaches the client as that.

    Raises:
        TypeError: the provider is missing or cannot be called.
    """

    __slots__ = ("_kind", "_provide")

    def __init__(self, provider: IdentityProvider[T | None], kind: type[T] | None = None) -> None:
        self._provide = component(provider, "an identity provider", of=type(self).__name__)
        self._kind = kind

    def __call__(self, next: Step) -> Step:
        """The step that goes before `next`."""
        provide = self._provide
        kind = self._kind

        async def identify(request: Request) -> Reply:
            try:
                who = await provide(request)
            except Exception as error:
                fail("identity", error, request)
            if who is None:
                return await next(request)
            return await next(request.replace(context=request.context.with_(who, kind)))

        return identify


class UserIdentityMiddleware(Identity[User]):
    """`Identity` for the `User` that a request is made for."""

    __slots__ = ()

    def __init__(self, provider: IdentityProvider[User | None]) -> None:
        super().__init__(provider, User)


class AgentIdentityMiddleware(Identity[AgentIdentity]):
    """`Identity` for the program that makes a request."""

    __slots__ = ()

    def __init__(self, provider: IdentityProvider[AgentIdentity | None]) -> None:
        super().__init__(provider, AgentIdentity)


class HeaderIdentity(Generic[T]):
    """An identity provider that reads an HTTP header, in any case and over every served protocol.

    `make` turns the header's value into the identity and is not called when there is no such header, or no HTTP: the
    identity is then unknown. Of a header that was sent twice the first value counts.

    It trusts the header as sent. Anybody can send any header: use it behind something that sets or removes this one.

    Raises:
        ValueError: `header` is no name of a header.
    """

    __slots__ = ("_make", "_name")

    def __init__(self, header: str, make: Callable[[str], T]) -> None:
        if not header.isascii() or not header or any(sign.isspace() for sign in header):
            raise ValueError(f"{header!r} is no name of a header")
        self._name = header.lower().encode("ascii")
        self._make = make

    async def __call__(self, request: Request) -> T | None:
        """The identity that the request's header says, `None` when it says none."""
        for name, value in _headers(request):
            if name.lower() == self._name:
                return self._make(value.decode("latin-1")) if value else None
        return None


def user_header(name: str = "") -> HeaderIdentity[User]:
    """A provider of the `User` that header `name` says, by default `DEFAULT_USER_IDENTITY_HEADER`.

    The header is trusted as sent; see `HeaderIdentity`.
    """
    return HeaderIdentity(name or DEFAULT_USER_IDENTITY_HEADER, lambda value: User(id=value))


def agent_header(name: str = "") -> HeaderIdentity[AgentIdentity]:
    """A provider of the `AgentIdentity` that header `name` says, by default `DEFAULT_AGENT_IDENTITY_HEADER`.

    The header is trusted as sent; see `HeaderIdentity`.
    """
    return HeaderIdentity(name or DEFAULT_AGENT_IDENTITY_HEADER, lambda value: AgentIdentity(id=value))


_NOBODY: Final = User()
_NO_AGENT: Final = AgentIdentity()


def _headers(request: Request) -> Any:
    if request.source is not None and request.source.headers.raw:
        return request.source.headers.raw
    scope = request.context.scope
    return scope.get("headers", ()) if scope is not None else ()
