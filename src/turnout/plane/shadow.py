"""Decisions on live traffic that nothing comes of: what would have been answered, before it is switched on.

Strategy: the request goes on to the model at once. The classifier decides beside it, in a task of its own that the
shadow owns, and what it decided is recorded; whatever fails there is recorded or dropped and never reaches a client.
"""

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from turnout.model import Ask, Classification, Descriptors, Request, V, as_async
from turnout.model.utterance import Utterance

_LOG = logging.getLogger(__name__)
_AT_ONCE = 64
_GRACE_S = 5.0

Judge: TypeAlias = Callable[[Request, Descriptors], Awaitable[Classification]]


class ShadowedCall(V, frozen=True, kw_only=True):
    """An action that would have run."""

    id: str
    parameters: dict[str, Any] = {}


class Shadowed(V, frozen=True, kw_only=True):
    """What would have been done with one request; `text` is what the user said.

    `time` is in seconds since 1970. `actions` would have run, none means that the model would have answered; with
    `question` the user would have been asked. `candidates` are ids with scores, best first. `failed` names the type
    of error that the classifier ended with.
    """

    time: float
    text: str
    actions: tuple[ShadowedCall, ...]
    model: str = ""
    question: str = ""
    candidates: tuple[tuple[str, float | None], ...] = ()
    reason: str = ""
    failed: str = ""


Record: TypeAlias = Callable[[Shadowed], Awaitable[None] | None]
"""Keeps one decision; sync (in place, must not block) or async."""


class Shadow:
    """Decides beside the traffic and hands what was decided to `record`.

    At most `at_once` decisions are pending; more are dropped and counted in `dropped`. `aclose` waits for the pending
    ones, some seconds at most. `now` is the clock.
    """

    def __init__(
        self, record: Record | Any, *, at_once: int = _AT_ONCE, now: Callable[[], float] = time.time
    ) -> None:
        self._record = as_async(record)
        self._at_once = at_once
        self._now = now
        self._tasks: set[asyncio.Task[None]] = set()
        self.dropped = 0

    def watch(self, request: Request, descriptors: Descriptors, judge: Judge) -> None:
        """Begin to decide about a request whose context holds the user's words."""
        if len(self._tasks) >= self._at_once:
            self.dropped += 1
            return
        task = asyncio.get_running_loop().create_task(self._decide(request, descriptors, judge))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def aclose(self) -> None:
        """Wait for what is pending in this event loop, then cancel it."""
        loop = asyncio.get_running_loop()
        pending = [task for task in tuple(self._tasks) if task.get_loop() is loop]
        if not pending:
            return
        _, late = await asyncio.wait(pending, timeout=_GRACE_S)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _decide(self, request: Request, descriptors: Descriptors, judge: Judge) -> None:
        text = request.context[Utterance].text
        try:
            judged: Classification | None = await judge(request, descriptors)
            failed = ""
        except Exception as error:  # it is recorded; the request itself is long on its way
            judged, failed = None, type(error).__name__
        row = Shadowed(time=self._now(), text=text, model=request.model, actions=(), failed=failed)
        try:
            await self._record(row if judged is None else _filled(row, judged))
        except Exception as error:
            _LOG.warning("a shadowed decision could not be recorded: %s", type(error).__name__)


def _filled(row: Shadowed, judged: Classification) -> Shadowed:
    outcome = judged.outcome
    asks = isinstance(outcome, Ask)
    return msgspec.structs.replace(
        row,
        actions=()
        if asks
        else tuple(ShadowedCall(id=each.action_id, parameters=each.params) for each in outcome.actions),
        question=outcome.question if asks else "",
        candidates=tuple((each.action_id, each.score) for each in judged.candidates),
        reason=judged.reason,
    )


def append_to(path: str | Path) -> Record:
    """Records into a file, one row of JSON per line, readable by its owner only; several processes may share it.

    The rows are what `turnout eval --shadow` reads. They hold what users said.
    """
    target = Path(path)
    encode = msgspec.json.Encoder(enc_hook=str).encode

    def append(line: bytes) -> None:
        descriptor = os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)

    async def record(row: Shadowed) -> None:
        await asyncio.to_thread(append, encode(row) + b"\n")

    return record
