"""How a request is answered once it is known, whether it came over HTTP or not.

Strategy: the catalog names what answers, admission holds the request to what that can do, and where there is a store,
everything goes by way of it.
"""

from turnout.model import Catalog, Info, Reply, Request, Step
from turnout.wire.codec import Codec, Seed

from .admission import Admission
from .detached import Runs
from .lifecycle import Lifecycle, refuse_storing
from .settings import Settings
from .steps import as_reply, load


class Answering:
    """Answers requests with what `catalog` loads for them; `runs` owns what runs on without a client."""

    __slots__ = ("_admission", "_catalog", "_lifecycle", "_settings")

    def __init__(self, catalog: Catalog, settings: Settings, runs: Runs) -> None:
        self._catalog = catalog
        self._settings = settings
        self._admission = Admission(settings)
        self._lifecycle = None if settings.store is None else Lifecycle(settings, runs)

    async def admit(self, request: Request) -> tuple[Request, Step, Info, tuple[str, ...]]:
        """The request as what answers gets it, that, what is told of it, and the names of what is ignored.

        Raises:
            TurnoutError: nothing answers to the name, or it cannot honour the request; nothing has run.
        """
        step, info = await load(self._catalog, request.model, request.context)
        admitted, ignored = await self._admission.admit(info, request)
        return admitted, step, info, ignored

    async def answer(
        self, request: Request, step: Step, info: Info, codec: Codec | None
    ) -> tuple[Reply, Seed]:
        """The reply to a request that was admitted, and how its answer is named; who takes the reply closes it.

        `codec`: that of the request's protocol, `None` for a request that the application made itself.

        Raises:
            TurnoutError: the request cannot be kept, the store refused or failed, or the step did.
        """
        if self._lifecycle is not None:
            return await self._lifecycle.answer(request, step, info, codec)
        if not info.unlimited:
            refuse_storing(request)
        return as_reply(await step(request)), self._seed(request, info)

    def _seed(self, request: Request, info: Info) -> Seed:
        return Seed(
            id=request.context.request_id,
            created=int(self._settings.now()),
            model=request.model,
            reasoning=info.reasoning,
            request=request,
        )
