"""Sees what a test leaves behind: replies that nobody closed, tasks that still run, event loops that stay open.

Strategy: only the tests patch anything. Replies are watched by weak reference, so that watching one does not keep
it alive; a reply that dies unclosed stays a fault. Tasks are looked at when a runner's main coroutine is done,
before the runner would cancel them and so hide them.
"""

import asyncio
import asyncio.base_events
import itertools
import threading
from collections.abc import Coroutine
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import pytest

from turnout.model.reply import Reply

_INIT = Reply.__init__
_ACLOSE = Reply.aclose
_LOOP_INIT = asyncio.base_events.BaseEventLoop.__init__
_RUN = asyncio.Runner.run
# Taken once, so that a watch within a watch replaces the outer one: so the watch itself can be tested.

_TURNS = 20
"""Turns of the event loop in which tasks that are about to end may do so."""


class Leftovers:
    """While `watch` is in force, notes what is made; `found` says what of it is left."""

    def __init__(self) -> None:
        self._counter = itertools.count()
        self._numbers: WeakKeyDictionary[Reply, int] = WeakKeyDictionary()
        self._open: dict[int, str] = {}
        self._loops: WeakSet[asyncio.AbstractEventLoop] = WeakSet()
        self._tasks: list[str] = []

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Start to look, until `patch` is undone."""
        self._watch_replies(patch)
        self._watch_loops(patch)
        self._watch_tasks(patch)

    def found(self) -> list[str]:
        """One line for each thing that is left."""
        replies = [f"a reply was never closed: {shown}" for shown in self._open.values()]
        loops = ["an event loop was never closed" for loop in self._loops if not loop.is_closed()]
        return replies + self._tasks + loops

    def _watch_replies(self, patch: pytest.MonkeyPatch) -> None:
        def watched_init(reply: Reply, **given: Any) -> None:
            _INIT(reply, **given)
            if given.get("relay") is not None or given.get("close") is not None:
                number = self._numbers[reply] = next(self._counter)
                self._open[number] = repr(reply)

        async def watched_aclose(reply: Reply) -> None:
            self._open.pop(self._numbers.get(reply, -1), None)
            await _ACLOSE(reply)

        patch.setattr(Reply, "__init__", watched_init)
        patch.setattr(Reply, "aclose", watched_aclose)

    def _watch_loops(self, patch: pytest.MonkeyPatch) -> None:
        def watched_init(loop: asyncio.base_events.BaseEventLoop) -> None:
            _LOOP_INIT(loop)
            self._loops.add(loop)

        patch.setattr(asyncio.base_events.BaseEventLoop, "__init__", watched_init)

    def _watch_tasks(self, patch: pytest.MonkeyPatch) -> None:
        owner = threading.get_ident()

        async def watched(main: Coroutine[Any, Any, Any]) -> Any:
            try:
                return await main
            finally:
                for _ in range(_TURNS):
                    if not _others():
                        break
                    await asyncio.sleep(0)
                self._tasks += [
                    f"a task still runs: {task.get_name()} {task.get_coro()}" for task in _others()
                ]

        def watched_run(runner: asyncio.Runner, coro: Any, **given: Any) -> Any:
            wrapped = watched(coro) if threading.get_ident() == owner and asyncio.iscoroutine(coro) else coro
            return _RUN(runner, wrapped, **given)

        patch.setattr(asyncio.Runner, "run", watched_run)


def _others() -> list[asyncio.Task[Any]]:
    return [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
