"""Which call a streamed fragment belongs to (K04).

A call is known by its index and its id. A new id on a used index, or a new name after complete JSON, opens a new
call; a missing index is made up for by the id; a repeated id, type or name continues.
"""

import msgspec

from .members import BROKEN
from .pieces import arguments_of
from .shapes import CallShape

_ANY = msgspec.json.Decoder()
LEGACY = -1
"""The index under which a legacy `function_call` is kept."""


class Call:
    """One call under way; `part` is its index among the answer's parts once its name is known."""

    __slots__ = ("custom", "id", "name", "part", "pieces")

    def __init__(self) -> None:
        self.id: str | None = None
        self.name: str | None = None
        self.custom = False
        self.part: int | None = None
        self.pieces: list[str] = []

    @property
    def complete(self) -> bool:
        """Whether the arguments so far are a whole JSON document."""
        text = "".join(self.pieces)
        if not text.rstrip().endswith("}"):
            return False
        try:
            _ANY.decode(text)
        except BROKEN:
            return False
        return True


class Calls:
    """All calls of one answer."""

    def __init__(self) -> None:
        self._by_index: dict[int, Call] = {}
        self._by_id: dict[str, Call] = {}
        self._last: Call | None = None
        self.all: list[Call] = []

    def take(self, fragment: CallShape, index: int | None) -> tuple[Call, str]:
        """The call that `fragment` belongs to, a new one if need be, and the arguments that it adds."""
        name, text = _content(fragment)
        found = self._find(fragment, index, name, text)
        call = self._open() if found is None else found
        if fragment.id:
            call.id = call.id or fragment.id
            self._by_id.setdefault(fragment.id, call)
        if index is not None:
            self._by_index[index] = call
        call.name = call.name or name
        call.custom = call.custom or fragment.custom is not None
        if text:
            call.pieces.append(text)
        self._last = call
        return call, text

    def _open(self) -> Call:
        call = Call()
        self.all.append(call)
        return call

    def _find(self, fragment: CallShape, index: int | None, name: str | None, text: str) -> Call | None:
        if index is None:
            if fragment.id:
                return self._by_id.get(fragment.id)
            call = self._last
        else:
            call = self._by_index.get(index)
        return None if call is None or _is_another(call, fragment.id, name, text) else call


def _content(fragment: CallShape) -> tuple[str | None, str]:
    if fragment.custom is not None:
        return fragment.custom.name or None, fragment.custom.input or ""
    function = fragment.function
    return (None, "") if function is None else (function.name or None, arguments_of(function.arguments))


def _is_another(call: Call, ref: str | None, name: str | None, text: str) -> bool:
    """Whether a fragment where `call` was expected begins another call; one without a name never does."""
    if name is None or call.name is None:
        return False
    if ref and call.id:
        return ref != call.id
    if name != call.name:
        return True
    return text != "" and call.complete
