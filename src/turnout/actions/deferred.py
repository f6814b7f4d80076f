"""Actions that answer at once and go on working.

Strategy: the work is a task that its `Deferred` owns: bounded in number and time, cancelled when the service stops.
That it was begun is in a ledger before it begins, and what came of it afterwards, so that a status can always be
told; also that its process is gone and nobody knows.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec

from turnout.model import ActionResult, Ledger, Request
from turnout.model.errors import Misconfigured
from turnout.model.ledger import caller, digest

from .declaration import action
from .failed import Failed
from .outcome import failed

RUNNING = "running"
CANCELLED = "cancelled"
LOST = "lost"

OnFailure: TypeAlias = Callable[[str, Exception], None]
"""Told the id of an action whose work raised, and what it raised."""

_LOG = logging.getLogger(__name__)
_ID = r"(?P<execution_id>[0-9a-f]{12})"
_NOUN = r"(?:the )?(?:execution |reference |run |job |task )?"


class Deferred:
    """Owns work that goes on after its action has answered: `@action(deferred=...)`.

    The action's result has the status `running` and an execution id. `status` and `cancel` are actions to register
    beside it, for the caller that began the work; they give the result that the work gave, or the status `running`,
    `cancelled` or `lost` (its process is gone). At most `most` run at once, more are refused; each is stopped after
    `limit_s` seconds; what came of it is told for `keep_s` seconds.

    `on_failure` is told what work raised; without it, a log names the action and the kind of error. Close it with
    `aclose`, or use it as an async context manager: what still runs is cancelled then. `name` begins the ids of
    `status` and `cancel`.

    Raises:
        Misconfigured: `most` or `limit_s` is not positive.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        name: str = "executions",
        most: int = 100,
        limit_s: float = 3_600.0,
        keep_s: float = 86_400.0,
        on_failure: OnFailure | None = None,
        new_id: Callable[[], str] = lambda: secrets.token_hex(6),
    ) -> None:
        if most <= 0 or limit_s <= 0:
            raise Misconfigured("deferred work needs a place and time: most and limit_s are more than 0")
        self._ledger = ledger
        self._most = most
        self._limit_s = limit_s
        self._keep_s = keep_s
        self._on_failure = on_failure or _log
        self._new_id = new_id
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._beginning: set[asyncio.Future[None]] = set()
        self._closing: set[asyncio.AbstractEventLoop] = set()

        @action(
            id=f"{name}.status",
            name="Status of an execution",
            patterns=[rf"(?:what is |what's )?(?:the )?(?:status|state) of {_NOUN}{_ID}"],
            read_only=True,
        )
        async def status(execution_id: str, request: Request) -> ActionResult:
            """Tell whether work that was begun earlier is done, and what it gave."""
            return await self._status(request, execution_id)

        @action(
            id=f"{name}.cancel",
            name="Cancel an execution",
            patterns=[rf"(?:cancel|stop|abort) {_NOUN}{_ID}"],
            idempotent=True,
        )
        async def cancel(execution_id: str, request: Request) -> ActionResult:
            """Stop work that was begun earlier and is not done yet."""
            return await self._cancel(request, execution_id)

        self.status = status
        self.cancel = cancel

    async def start(
        self, request: Request, action_id: str, work: Callable[[], Awaitable[ActionResult]]
    ) -> ActionResult:
        """Begin `work` for the caller of `request`; the engine calls this.

        Raises:
            Failed: too much is running.
            StoreFailed: the ledger cannot be written; nothing has begun.
        """
        if (
            len(self._tasks) + len(self._beginning) >= self._most
            or asyncio.get_running_loop() in self._closing
        ):
            raise Failed("too much is under way; please try again later")
        execution_id = self._new_id()
        key = _key(request, execution_id)
        begun = asyncio.get_running_loop().create_future()
        self._beginning.add(begun)
        try:
            await self._ledger.claim(f"execution/{key}", keep_s=self._keep_s)
            await self._ledger.settle(f"execution/{key}", action_id, keep_s=self._keep_s)
            await self._ledger.claim(f"work/{key}", keep_s=self._keep_s)
        finally:
            self._beginning.remove(begun)
            begun.set_result(None)
        # Nothing is awaited between the claim and the task, which settles it; whoever waits for `begun` finds it.
        task = asyncio.create_task(self._run(key, action_id, execution_id, work))
        self._tasks[key] = task
        task.add_done_callback(lambda _: self._tasks.pop(key))
        return ActionResult(action_id=action_id, status=RUNNING, execution_id=execution_id)

    async def aclose(self) -> None:
        """Cancel what runs in this event loop and wait until it has ended.

        Harmless when done before, and work may be begun after.
        """
        loop = asyncio.get_running_loop()
        self._closing.add(loop)
        try:
            while True:
                if beginning := [each for each in tuple(self._beginning) if each.get_loop() is loop]:
                    await asyncio.wait(beginning)
                elif tasks := [each for each in tuple(self._tasks.values()) if each.get_loop() is loop]:
                    await _stop(tasks)
                else:
                    break
        finally:
            self._closing.discard(loop)

    async def __aenter__(self) -> "Deferred":
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    async def _run(
        self,
        key: str,
        action_id: str,
        execution_id: str,
        work: Callable[[], Awaitable[ActionResult]],
    ) -> None:
        try:
            result = await self._result(action_id, work)
        except asyncio.CancelledError:
            await self._settle(
                key,
                action_id,
                _stopped(
                    action_id,
                    execution_id,
                    LOST if asyncio.get_running_loop() in self._closing else CANCELLED,
                ),
            )
            raise
        await self._settle(key, action_id, msgspec.structs.replace(result, execution_id=execution_id))

    async def _result(self, action_id: str, work: Callable[[], Awaitable[ActionResult]]) -> ActionResult:
        limit = asyncio.timeout(self._limit_s)
        try:
            async with limit:
                return await work()
        except Exception as error:
            if limit.expired():
                return failed(action_id, "it took too long and was stopped; it may have been done in part")
            self._on_failure(action_id, error)
            return failed(action_id, "it failed; it may have been done in part")

    async def _settle(self, key: str, action_id: str, result: ActionResult) -> None:
        try:
            record = msgspec.json.encode(result).decode()
            await self._ledger.settle(f"work/{key}", record, keep_s=self._keep_s)
        except Exception as error:  # nobody waits for it: whoever asks for the status is told that it is lost
            self._on_failure(action_id, error)

    async def _status(self, request: Request, execution_id: str) -> ActionResult:
        key = _key(request, execution_id)
        about = await self._ledger.look(f"execution/{key}")
        if about is None or about.state != "done":
            raise Failed(f"there is no execution {execution_id}")
        work = await self._ledger.look(f"work/{key}")
        if work is not None and work.state == "done":
            return msgspec.json.decode(work.record, type=ActionResult)
        if work is not None and work.state == "running":
            return ActionResult(action_id=about.record, status=RUNNING, execution_id=execution_id)
        return _stopped(about.record, execution_id, LOST)

    async def _cancel(self, request: Request, execution_id: str) -> ActionResult:
        task = self._tasks.get(_key(request, execution_id))
        if task is not None:
            await _stop([task])
        told = await self._status(request, execution_id)
        if told.status == RUNNING:
            raise Failed("it runs in another process and cannot be stopped from here")
        return told


async def _stop(tasks: list[asyncio.Task[None]]) -> None:
    """Cancel tasks, all of which have begun by then, and wait for their ends and what follows them."""
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    await asyncio.sleep(0)


def _stopped(action_id: str, execution_id: str, status: str) -> ActionResult:
    return ActionResult(
        action_id=action_id,
        status=status,
        execution_id=execution_id,
        data={"result": "it was stopped before its end and may have been done in part"},
    )


def _key(request: Request, execution_id: str) -> str:
    return digest(caller(request), execution_id)


def _log(action_id: str, error: Exception) -> None:
    _LOG.error("the deferred work of action %r raised %s", action_id, type(error).__name__)
