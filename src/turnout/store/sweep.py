"""When rows that are past their time are looked for: beside other work, and not each time."""

from typing import Final

PERIOD_S: Final = 60.0
"""Seconds between two looks."""


class Sweep:
    """Remembers the last look; `last` is when that was, in the seconds that `due` is asked in."""

    __slots__ = ("_last",)

    def __init__(self, last: float = 0.0) -> None:
        self._last = last

    def due(self, now: float) -> bool:
        """Whether it is time for a look, which then counts as taken."""
        if now - self._last < PERIOD_S:
            return False
        self._last = now
        return True
