"""What all endpoints of a server share."""

import time
from collections.abc import Callable
from typing import Any

from turnout.agents import Run
from turnout.model import Context, IdentityProvider, Info, Limits, Request, Store, User, V, as_async
from turnout.model.errors import AgentFailed
from turnout.wire.codec import Codec

from .asgi import Scope
from .failure import OnError, Visit, report
from .names import new_id
from .outlet import Pace


class Settings(V, frozen=True, kw_only=True):
    """What all endpoints of a server share; times in seconds, `now` in Unix seconds.

    `read_s`: the longest silence while a body is read. `stop_s`: how long an agent may take to end once it was
    cancelled. `assets`: gives what file handles stand for. `new_id` names
    requests and answers. `store` keeps responses, by `store_default` also those of which a request does not say so;
    `identify` says for it who asks.
    """

    limits: Limits = Limits()
    assets: Callable[..., Any] | None = None
    store: Store | None = None
    store_default: bool = False
    identify: IdentityProvider[User | None] | None = None
    on_error: OnError | None = None
    keepalive_s: float = 15.0
    read_s: float = 60.0
    stop_s: float = 5.0
    hold_s: float = 1.0
    new_id: Callable[[], str] = new_id
    now: Callable[[], float] = time.time

    def visit(self, scope: Scope, codec: Codec) -> Visit:
        """What is known of a call that begins."""
        said: Any = scope
        return Visit(Context.of_scope(said, self.new_id()), codec)

    async def identified(self, request: Request) -> Request:
        """The request with who asks in its context, where somebody can say it."""
        if self.identify is None:
            return request
        who = await as_async(self.identify)(request)
        return request if who is None else request.replace(context=request.context.with_(who, User))

    def run(self, info: Info | None = None) -> Run:
        """What is decided about a run of an agent that declares `info`."""
        return Run(info=info, limits=self.limits, stop_s=self.stop_s, left=self._left)

    async def _left(self, error: AgentFailed, request: Request) -> None:
        await report(self.on_error, error, request)

    @property
    def pace(self) -> Pace:
        """How streams behave while nothing comes."""
        return Pace(keepalive_s=self.keepalive_s, hold_s=self.hold_s)
