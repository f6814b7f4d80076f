"""What stands between a request and the agent that it is for: what the agent can do, and the media it is given."""

from turnout.model import Info, Request, as_async

from .assets import Assets
from .capabilities import check
from .settings import Settings


class Admission:
    """Admits requests to agents; what is `unlimited`, a provider, is not looked at, and its request not decoded."""

    def __init__(self, settings: Settings) -> None:
        resolver = settings.assets
        self._settings = settings
        self._assets = Assets(settings.limits, None if resolver is None else as_async(resolver))

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
        run = self._settings.run(info)
        return request.replace(context=request.context.with_(run)), ignored
