"""Who asks: by a function of the application, or by a header."""

from typing import Any

from turnout.model import Middleware
from turnout.plane import AgentIdentityMiddleware, UserIdentityMiddleware, agent_header, user_header


def identifying(
    user: Any, agent: Any, user_name: str | None, agent_name: str | None
) -> tuple[Middleware, ...]:
    """The steps that find out who asks; what is given as a function goes before the name of a header."""
    who = user or (user_header(user_name) if user_name else None)
    what = agent or (agent_header(agent_name) if agent_name else None)
    steps: list[Middleware] = []
    if who is not None:
        steps.append(UserIdentityMiddleware(who))
    if what is not None:
        steps.append(AgentIdentityMiddleware(what))
    return tuple(steps)
