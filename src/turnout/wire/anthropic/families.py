"""What each family of models takes, as rows of one table.

Source: Anthropic's model overview, migration guides and pages on adaptive thinking and effort, as of November 2026.
A name that nobody knows is taken for a model without any of these limits.
"""

import re
from functools import lru_cache
from typing import Literal

from turnout.model import V

Thinks = Literal["no", "budget", "both", "adaptive", "always"]


class Family(V, frozen=True, kw_only=True):
    """A family of models.

    `output` is its output limit in tokens, `None` when it is not known. `sampling`: `one` takes temperature or top_p,
    not both. `thinks`: with a `budget` only, adaptively only, in `both` ways, or `always`, which cannot be switched
    off. `efforts` are the levels that it knows, from low to high.
    """

    output: int | None = None
    sampling: Literal["all", "one", "none"] = "all"
    thinks: Thinks = "adaptive"
    efforts: tuple[str, ...] = ("low", "medium", "high", "xhigh", "max")


UNKNOWN = Family()
_THREE = ("low", "medium", "high")

ROWS: tuple[tuple[str, tuple[int, int], Family], ...] = (
    # line ("" for any), first version, what holds from there on; the first row that fits counts
    ("fable", (0, 0), Family(output=128_000, sampling="none", thinks="always")),
    ("mythos", (0, 0), Family(output=128_000, sampling="none", thinks="always")),
    ("opus", (5, 5), Family(output=128_000, sampling="none", thinks="always")),
    ("", (4, 7), Family(output=128_000, sampling="none")),
    ("", (4, 6), Family(output=128_000, sampling="one", thinks="both", efforts=(*_THREE, "max"))),
    ("opus", (4, 5), Family(output=64_000, sampling="one", thinks="budget", efforts=_THREE)),
    ("", (4, 5), Family(output=64_000, sampling="one", thinks="budget", efforts=())),
    ("opus", (4, 1), Family(output=32_000, sampling="one", thinks="budget", efforts=())),
    ("opus", (4, 0), Family(output=32_000, thinks="budget", efforts=())),
    ("", (4, 0), Family(output=64_000, thinks="budget", efforts=())),
    ("", (3, 7), Family(output=64_000, thinks="budget", efforts=())),
    ("", (3, 5), Family(output=8_192, thinks="no", efforts=())),
    ("", (0, 0), Family(output=4_096, thinks="no", efforts=())),
)

_LINES = "opus|sonnet|haiku|fable|mythos"
_NUMBER = r"(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)"
_AFTER = re.compile(rf"claude-({_LINES})(?:-{_NUMBER})?")
_BEFORE = re.compile(rf"claude-{_NUMBER}-({_LINES})")


@lru_cache(maxsize=256)
def family(model: str) -> Family:
    """What is known of the model of this name, whatever stands around it (`us.anthropic.claude-...-v1:0`)."""
    found = _BEFORE.search(model)
    if found is not None:
        major, minor, line = found[1], found[2], found[3]
    else:
        found = _AFTER.search(model)
        if found is None:
            return UNKNOWN
        line, major, minor = found[1], found[2], found[3]
    version = (int(major or 99), int(minor or 0))
    return next(row for name, since, row in ROWS if name in {"", line} and version >= since)
