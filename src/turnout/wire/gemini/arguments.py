"""Arguments that are streamed piece by piece: `partialArgs` (google-genai 3.6, `PartialArg`).

Each piece names a place (`$.list[0].name`) and a value; pieces of one text follow each other with `willContinue`.
"""

import re
from itertools import pairwise
from typing import Any, cast

import msgspec

from turnout.model import Json
from turnout.model.errors import BrokenStream

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]")
_encode = msgspec.json.Encoder().encode


class PartialArg(msgspec.Struct, gc=False):
    """One piece."""

    jsonPath: str = ""
    stringValue: str | None = None
    numberValue: int | float | None = None
    boolValue: bool | None = None

    @property
    def value(self) -> Any:
        """What the piece says; one that says nothing is null."""
        for given in (self.stringValue, self.numberValue, self.boolValue):
            if given is not None:
                return given
        return None


class StreamedCall(msgspec.Struct, gc=False):
    """A `functionCall` of which more may come."""

    id: str | None = None
    name: str | None = None
    args: msgspec.Raw = msgspec.Raw(b"")
    partialArgs: list[PartialArg] | None = None
    willContinue: bool | None = None


class Arguments:
    """The arguments of one call, as far as they are known."""

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}
        self._last = ""

    def add(self, piece: PartialArg) -> None:
        """Put one piece in its place; a text that is there already is continued.

        Raises:
            BrokenStream: the place cannot be.
        """
        steps = _steps(piece.jsonPath)
        if not steps:
            raise BrokenStream("the provider's answer has a piece of arguments without a place")
        place: Any = self._root
        for step, following in pairwise(steps):
            place = _down(place, step, following)
        _put(place, steps[-1], piece.value, continued=piece.jsonPath == self._last)
        self._last = piece.jsonPath

    def json(self) -> Json:
        """All of them."""
        return _encode(self._root).decode()


def _steps(path: str) -> list[str | int]:
    if not path.startswith("$"):
        return []
    steps: list[str | int] = []
    end = 1
    for found in _STEP.finditer(path, 1):
        if found.start() != end:
            return []
        end = found.end()
        name, index, quoted = found.groups()
        if index is None:
            steps.append(name if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
        else:
            steps.append(int(index))
    return steps if end == len(path) else []


def _down(place: Any, step: str | int, following: str | int) -> Any:
    fresh: Any = [] if isinstance(following, int) else {}
    if isinstance(place, dict) and isinstance(step, str):
        return cast("dict[str, Any]", place).setdefault(step, fresh)
    if isinstance(place, list) and isinstance(step, int):
        rows = cast("list[Any]", place)
        if step == len(rows):
            rows.append(fresh)
        if step < len(rows):
            return rows[step]
    raise BrokenStream("the provider's answer has a piece of arguments in a place that is not there")


def _put(place: Any, step: str | int, value: Any, *, continued: bool) -> None:
    if isinstance(place, dict) and isinstance(step, str):
        row = cast("dict[str, Any]", place)
        old = row.get(step)
        row[step] = old + value if continued and isinstance(old, str) and isinstance(value, str) else value
        return
    if isinstance(place, list) and isinstance(step, int):
        rows = cast("list[Any]", place)
        if step == len(rows):
            rows.append(value)
            return
        if step < len(rows):
            old = rows[step]
            both = continued and isinstance(old, str) and isinstance(value, str)
            rows[step] = old + value if both else value
            return
    raise BrokenStream("the provider's answer has a piece of arguments in a place that is not there")
