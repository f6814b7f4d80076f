"""What a docstring says: the description, and a line for each parameter of a Google-style `Args:` section."""

import inspect
import re
from itertools import pairwise

_SECTION = re.compile(
    r"(args|arguments|parameters|returns?|yields?|raises|examples?|notes?|see also|todo|attributes|warnings?):\s*$",
    re.IGNORECASE,
)
_ARGS = frozenset({"args", "arguments", "parameters"})
_ENTRY = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")


def read(text: str | None) -> tuple[str, dict[str, str]]:
    """The text before the first section, and what the `Args:` section says of each parameter."""
    lines = inspect.cleandoc(text or "").splitlines()
    heads = [number for number, line in enumerate(lines) if _SECTION.match(line)]
    description = "\n".join(lines[: heads[0]] if heads else lines).strip()
    for start, end in pairwise([*heads, len(lines)]):
        if lines[start].rstrip(": \t").lower() in _ARGS:
            return description, _entries(lines[start + 1 : end])
    return description, {}


def _entries(lines: list[str]) -> dict[str, str]:
    told: dict[str, str] = {}
    name = ""
    margin = -1
    for line in lines:
        stripped = line.strip()
        if not stripped:
            continue
        indent = len(line) - len(line.lstrip())
        margin = indent if margin < 0 else margin
        entry = _ENTRY.match(stripped)
        if indent <= margin and entry is not None:
            name = entry[1]
            told[name] = entry[2]
        elif name:
            told[name] = f"{told[name]} {stripped}".strip()
    return told
