"""Identities: who provides them, where they lie, and what happens when nobody knows."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plane_fakes import ADA, answering, raising, reply, request, run

from turnout.errors import Forbidden, ProviderError, StageError, Unauthenticated
from turnout.model import AgentIdentity, Headers, ProtocolName, Reply, Request, Source, User
from turnout.model.context import Context
from turnout.plane import (
    DEFAULT_AGENT_IDENTITY_HEADER,
    DEFAULT_USER_IDENTITY_HEADER,
    AgentIdentityMiddleware,
    ControlPlane,
    HeaderIdentity,
    Identity,
    Reasoning,
    UserIdentityMiddleware,
    agent,
    agent_header,
    identity,
    user,
    user_header,
    with_identity,
)


@dataclass(frozen=True)
class Account:
    """An identity of the application's own."""

    name: str = ""
    admin: bool = False


@dataclass(frozen=True)
class Strict:
    name: str


def over_http(headers: dict[str, str], protocol: ProtocolName = "openai-chat") -> Request:
    return Request(model="m", source=Source(protocol=protocol, body=b"{}", headers=Headers.of(headers)))


def context_after(middleware: Any, sent: Request) -> Context:
    """The context that the rest of the chain sees."""
    seen: list[Request] = []

    async def rest(given: Request) -> Reply:
        seen.append(given)
        return reply()

    run(ControlPlane([middleware, Reasoning(rest)]).process(sent))
    assert (seen[0].source, seen[0].model, seen[0].changed) == (sent.source, sent.model, frozenset())
    return seen[0].context


def giving(value: Any) -> Callable[[Request], Awaitable[Any]]:
    async def provide(_request: Request) -> Any:
        return value

    return provide


@pytest.mark.states("P-149", "P-152")
def test_a_context_carries_one_identity_per_type() -> None:
    first = with_identity(Context(), Account(name="one"))
    second = with_identity(first, Account(name="two"))
    assert identity(second, Account).name == "two"
    assert identity(first, Account).name == "one"


@pytest.mark.states("P-149", "P-150", "P-156")
def test_without_an_identity_there_is_the_type_s_zero_value() -> None:
    assert identity(Context(), Account) == Account()
    assert identity(Context(), User) == user(Context()) == User(id="")
    assert agent(Context()) == AgentIdentity(id="")
    assert identity(Context(), Strict, None) is None
    with pytest.raises(TypeError):
        identity(Context(), Strict)


@pytest.mark.states("P-149", "P-150", "P-151")
def test_a_user_and_an_agent_live_side_by_side() -> None:
    context = with_identity(with_identity(Context(), ADA), AgentIdentity(id="cli"))
    assert (user(context), agent(context)) == (ADA, AgentIdentity(id="cli"))
    assert identity(context, User) == ADA


@pytest.mark.states("P-152", "P-153", "P-155")
def test_a_middleware_puts_the_provider_s_identity_into_the_context_and_changes_nothing_else() -> None:
    ada = Account(name="ada", admin=True)
    sent = request()
    assert identity(context_after(Identity(giving(ada)), sent), Account) == ada
    assert identity(sent.context, Account) == Account()


@pytest.mark.states("P-150", "P-151", "P-153")
def test_the_middleware_of_user_and_agent_compose() -> None:
    seen: list[Context] = []

    def rest(given: Request) -> Reply:
        seen.append(given.context)
        return reply()

    plane = ControlPlane(
        [
            UserIdentityMiddleware(giving(ADA)),
            AgentIdentityMiddleware(lambda _: AgentIdentity(id="cli")),
            Identity(giving(Account(name="acme")), Account),
            Reasoning(rest),
        ]
    )
    run(plane.process(request()))
    assert (user(seen[0]).id, agent(seen[0]).id, identity(seen[0], Account).name) == ("ada", "cli", "acme")


def test_an_identity_of_a_subtype_lies_under_the_declared_type() -> None:
    class Admin(Account):
        pass

    context = context_after(Identity(giving(Admin(name="root")), Account), request())
    assert identity(context, Account).name == "root"


@pytest.mark.states("P-154")
@pytest.mark.parametrize("middleware", [Identity, UserIdentityMiddleware, AgentIdentityMiddleware])
def test_an_identity_middleware_needs_a_provider(middleware: Any) -> None:
    with pytest.raises(TypeError, match=f"{middleware.__name__} needs an identity provider"):
        middleware(None)


@pytest.mark.states("P-022", "P-155")
@pytest.mark.parametrize("cause", [OSError("ldap down"), ProviderError("no", status_code=401)], ids=repr)
@pytest.mark.parametrize("middleware", [Identity, UserIdentityMiddleware, AgentIdentityMiddleware])
def test_a_provider_s_failure_is_the_stage_s_and_the_rest_does_not_run(
    middleware: Any, cause: Exception
) -> None:
    plane = ControlPlane([middleware(raising(cause)), Reasoning(raising(AssertionError()))])
    with pytest.raises(StageError) as caught:
        run(plane.process(request()))
    assert str(caught.value) == "turnout: identity: failed"
    assert caught.value.__cause__ is cause


@pytest.mark.parametrize("refusal", [Unauthenticated("log in first"), Forbidden("not you")])
def test_a_provider_may_refuse_a_request(refusal: Exception) -> None:
    with pytest.raises(type(refusal)) as caught:
        run(ControlPlane([Identity(raising(refusal)), Reasoning(answering())]).process(request()))
    assert caught.value is refusal


@pytest.mark.states("P-156")
def test_an_unknown_identity_is_no_error() -> None:
    sent = request()
    assert context_after(UserIdentityMiddleware(giving(None)), sent) is sent.context
    assert user(context_after(UserIdentityMiddleware(giving(User())), sent)) == User()


@pytest.mark.states("P-157")
@pytest.mark.parametrize("protocol", get_args(ProtocolName))
def test_a_header_is_read_in_any_case_over_every_protocol(protocol: ProtocolName) -> None:
    for name in ("X-User-Id", "x-user-id", "X-USER-ID"):
        for sent in ("x-user-id", "X-User-ID"):
            context = context_after(
                UserIdentityMiddleware(user_header(name)), over_http({sent: "ada"}, protocol)
            )
            assert user(context).id == "ada"


@pytest.mark.states("P-157")
def test_a_header_is_read_from_the_scope_when_the_request_has_no_source() -> None:
    scope = {"type": "http", "headers": [(b"other", b"x"), (b"X-User-Id", b"ada")]}
    sent = request(context=Context(scope=scope))
    assert user(context_after(UserIdentityMiddleware(user_header("x-user-id")), sent)).id == "ada"


@pytest.mark.states("P-158")
@pytest.mark.parametrize(
    "sent",
    [
        request(),
        over_http({}),
        over_http({"x-other": "ada"}),
        over_http({"x-user-id": ""}),
        request(context=Context(scope={"type": "lifespan"})),
    ],
    ids=["no HTTP", "no headers", "another header", "an empty header", "a scope without headers"],
)
def test_without_the_header_nobody_is_known_and_nothing_fails(sent: Request) -> None:
    assert user(context_after(UserIdentityMiddleware(user_header("x-user-id")), sent)) == User()
    assert agent(context_after(AgentIdentityMiddleware(agent_header("x-user-id")), sent)) == AgentIdentity()


@pytest.mark.states("P-158")
@settings(max_examples=50, deadline=None)
@given(
    raw=st.lists(st.tuples(st.binary(max_size=8), st.binary(max_size=8)), max_size=4),
    value=st.binary(max_size=8),
)
def test_no_header_makes_the_provider_fail(raw: list[tuple[bytes, bytes]], value: bytes) -> None:
    source = Source(protocol="gemini", body=b"", headers=Headers([*raw, (b"x-u", value)]))
    found = run(user_header("X-U")(Request(source=source)))
    first = next(content for name, content in source.headers.raw if name == b"x-u")
    assert found == (User(id=first.decode("latin-1")) if first else None)


@pytest.mark.states("P-159", "P-160", "P-161")
def test_the_default_headers_are_those_of_openai_clients() -> None:
    assert (DEFAULT_USER_IDENTITY_HEADER, DEFAULT_AGENT_IDENTITY_HEADER) == (
        "OpenAI-Organization",
        "User-Agent",
    )
    sent = over_http({"openai-organization": "org-1", "user-agent": "OpenAI/Python 3.57.0"})
    assert run(user_header()(sent)) == run(user_header("")(sent)) == User(id="org-1")
    assert (
        run(agent_header()(sent)) == run(agent_header("")(sent)) == AgentIdentity(id="OpenAI/Python 3.57.0")
    )


@pytest.mark.states("P-162")
@pytest.mark.parametrize("provider", [HeaderIdentity, user_header, agent_header])
def test_the_documentation_warns_that_headers_are_trusted_as_sent(provider: Any) -> None:
    assert "as sent" in provider.__doc__


def test_of_a_header_sent_twice_the_first_counts() -> None:
    source = Source(protocol="openai-chat", body=b"", headers=Headers([(b"x-u", b"ada"), (b"x-u", b"eve")]))
    assert run(user_header("x-u")(Request(source=source))) == User(id="ada")


def test_a_header_may_become_an_identity_of_the_application_s_own() -> None:
    provider = HeaderIdentity("x-account", lambda value: Account(name=value, admin=value == "root"))
    context = context_after(Identity(provider, Account), over_http({"x-account": "root"}))
    assert identity(context, Account) == Account(name="root", admin=True)


@pytest.mark.parametrize("name", ["x user", "x-\N{LATIN SMALL LETTER E WITH ACUTE}", "x\n", " "])
def test_what_is_no_header_name_is_refused_at_once(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a header"):
        user_header(name)


def test_a_header_identity_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="no name of a header"):
        HeaderIdentity("", str)


def test_an_identity_s_value_never_shows_when_a_context_is_printed() -> None:
    context = context_after(UserIdentityMiddleware(giving(ADA)), request())
    assert "ada" not in repr(context)
