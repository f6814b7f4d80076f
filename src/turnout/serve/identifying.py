"""Who asks, by the headers that say it."""

from turnout.model import IdentityProvider, Middleware, User
from turnout.plane import AgentIdentityMiddleware, UserIdentityMiddleware, agent_header, user_header


def identifying(user: str | None, agent: str | None) -> tuple[Middleware, ...]:
    """The steps that read the headers of these names; none for a name that is not given."""
    steps: list[Middleware] = []
    if user:
        steps.append(UserIdentityMiddleware(user_header(user)))
    if agent:
        steps.append(AgentIdentityMiddleware(agent_header(agent)))
    return tuple(steps)


def provided_by(user: str | None) -> IdentityProvider[User | None] | None:
    """What reads the header that says who asks, `None` without one."""
    return user_header(user) if user else None
