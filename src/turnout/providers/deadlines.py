"""One time limit for many waiting tasks, with one timer for all of them.

Strategy: the limit is the same for each, so the order of entering is the order of falling due. Entering and leaving
touch a dict; only the oldest has a timer. `asyncio.timeout` would make and cancel a timer for each.
"""

import asyncio


class Wait:
    """One task inside the limit."""

    __slots__ = ("cancelling", "due", "late", "task")

    def __init__(self, task: "asyncio.Task[object]", due: float) -> None:
        self.task = task
        self.due = due
        self.late = False
        self.cancelling = task.cancelling()

    def is_timeout(self) -> bool:
        """Whether a cancellation that has arrived was the limit's, and nobody else's."""
        return self.late and self.task.uncancel() <= self.cancelling


class Deadlines:
    """Cancels a task that stays inside for longer than `limit_s` seconds."""

    __slots__ = ("_limit_s", "_loop", "_timer", "_waiting")

    def __init__(self, loop: asyncio.AbstractEventLoop, limit_s: float) -> None:
        self._loop = loop
        self._limit_s = limit_s
        self._waiting: dict[Wait, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def enter(self) -> Wait:
        """The running task begins to wait; `leave` must follow."""
        task = asyncio.current_task(self._loop)
        if task is None:
            raise RuntimeError("a time limit needs a task")
        wait = Wait(task, self._loop.time() + self._limit_s)
        self._waiting[wait] = None
        if self._timer is None:
            self._timer = self._loop.call_at(wait.due, self._look)
        return wait

    def leave(self, wait: Wait) -> None:
        """The task waits no longer."""
        self._waiting.pop(wait, None)

    def _look(self) -> None:
        self._timer = None
        now = self._loop.time() + 0.001
        while self._waiting:
            wait = next(iter(self._waiting))
            if wait.due > now:
                self._timer = self._loop.call_at(wait.due, self._look)
                return
            del self._waiting[wait]
            wait.late = True
            wait.task.cancel()

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
