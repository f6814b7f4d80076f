"""What stands between a request and the agent that it is for: what the agent can do, and the media it is given."""

from collections.abc import Callable
from typing import Any

from turnout.agents import Run
from turnout.model import Info, Limits, Request, as_async

from .assets import Assets
from .capabilities import check


class Admission:
    """Admits requests to agents; what is `unlimited`, a provider, is not looked at, and its request not decoded."""

    def __init__(self, limits: Limits, resolver: Callable[..., Any] | None = None) -> None:
        self._limits = limits
        self._assets = Assets(limits, None if resolver is None else as_async(resolver))

    async def admit(self, info: Info, request: Request) -> tuple[Request, tuple[str, ...]]:
        """The request as the agent gets it, and the names of what is ignored in it.

        Raises:
            TurnoutError: the agent cannot honour it; nothing has run.
        """
        if info.unlimited:
            return request, ()
        protocol = None if request.source is None else request.source.protocol
        ignored = check(info, protocol, request)
        request = await self._assets.admit(request, info)
        run = Run(info=info, limits=self._limits)
        return request.replace(context=request.context.with_(run)), ignored
