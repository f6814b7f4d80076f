"""The last calls with other values: corrected, or once more.

Strategy: words that give values are read as if each of the calls were asked for with them. A correction changes the
calls that it means: those that it names by a value of theirs ("4 of the atlas"), or all where they have in common what
is changed. What is asked for once more is what these values make of all the calls, each once; calls that differ in
more than that leave open which of them is meant, and the last one counts, or none.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from .answering import joined_answers
from .calls import Call, Extract, Extraction, Schema, filled, named, only
from .carried import with_unit
from .leftover import blanked

Fits: TypeAlias = Callable[[str], bool]
"""Whether what a text says beside its values leaves it a text about the last calls."""

_COUNTED: Final = frozenset({"duration"})


class _Change(NamedTuple):
    """What becomes of one call: the calls in its place, and the values that were found for it."""

    made: tuple[Call, ...]
    found: Mapping[str, Any]


class Revision:
    """Calls that were asked for in the words `said`, as further words change them."""

    def __init__(
        self, calls: Sequence[Call], said: str, extract: Extract, schemas: Mapping[str, Schema]
    ) -> None:
        self._calls = tuple(calls)
        self._said = said
        self._extract = extract
        self._schemas = schemas

    def corrected(self, text: str, fits: Fits, *, denied: str = "", pending: bool = True) -> tuple[Call, ...]:
        """The calls with the values of a text in place of theirs, none where it isn't clear whose.

        `denied` are words that name what was not meant. Without `pending`, when they have run, only those that change.
        """
        return self._with(self._changes(text, fits, fresh=False), denied, pending=pending)

    def repeated(self, text: str, fits: Fits) -> tuple[Call, ...]:
        """The calls once more with the values of a text, none where it gives none."""
        changes = self._changes(text, fits, fresh=False)
        if not changes:
            return ()
        made = _distinct([each for change in changes.values() for each in change.made])
        if len(changes) > 1 and not self._alike(changes) and len(made) > 1:
            return changes[max(changes)].made
        return made

    def extended(self, text: str, fits: Fits) -> tuple[Call, ...]:
        """The calls with the values of a text, which rather adds one that was not said."""
        return self._with(self._changes(text, fits, fresh=True), "", pending=True)

    def _with(self, changes: Mapping[int, _Change], denied: str, *, pending: bool) -> tuple[Call, ...]:
        """The calls with the changes that are meant."""
        meant = self._meant(changes, denied)
        made: list[Call] = []
        for at, call in enumerate(self._calls):
            if at in meant:
                made += changes[at].made
            elif pending and meant:
                made.append(call)
        return tuple(made)

    def _changes(self, text: str, fits: Fits, *, fresh: bool) -> dict[int, _Change]:
        """What becomes of each call that the values of a text fit, by its place."""
        found: dict[int, _Change] = {}
        for at, call in enumerate(self._calls):
            names = named(self._schemas.get(call.action_id, {}))
            said = [name for name in names if name in call.params]
            unsaid = [name for name in names if name not in call.params]
            for wanted in (unsaid, said) if fresh else (said, unsaid):
                change = self._change(call, wanted, text, fits) if wanted else None
                if change is not None:
                    found[at] = change
                    break
        return found

    def _change(self, call: Call, names: Sequence[str], text: str, fits: Fits) -> _Change | None:
        schema = self._schemas.get(call.action_id, {})
        read = self._read(call, schema, names, text)
        if read is None:
            return None
        text, found = read
        values = {name: each.value for name, each in found.values.items()}
        if not values and found.ambiguous:
            several = joined_answers(call, self._extract, schema, names, text)
            names_said = {
                name for each in several for name in each.params if each.params[name] != call.params.get(name)
            }
            return _Change(several, dict.fromkeys(names_said, ...)) if several else None
        if not values or not fits(blanked(text, found)):
            return None
        made = filled(call, values)
        doubtful = {name: tuple(each) for name, each in found.ambiguous.items() if name in call.open}
        return _Change((msgspec.structs.replace(made, ambiguous=doubtful) if doubtful else made,), values)

    def _read(
        self, call: Call, schema: Schema, names: Sequence[str], text: str
    ) -> tuple[str, Extraction] | None:
        """The values in a text, which may be a number in the unit of the value that was said before."""
        part = only(schema, names)
        found = self._extract(call.action_id, part, text)
        if found.values or found.ambiguous:
            return text, found
        for name in names:
            if named(schema)[name].get("format") not in _COUNTED:
                continue
            before = self._extract(call.action_id, only(schema, [name]), self._said).values.get(name)
            counted = with_unit(text, self._said[before.start : before.end]) if before is not None else ""
            if counted:
                return counted, self._extract(call.action_id, part, counted)
        return None

    def _meant(self, changes: Mapping[int, _Change], denied: str) -> frozenset[int]:
        """The places of the calls that a correction means."""
        if len(changes) < 2:
            return frozenset(changes)
        telling = self._telling()
        by_name = frozenset(
            at
            for at, change in changes.items()
            if any(
                self._calls[at].params.get(name) == value
                for name, value in change.found.items()
                if name in telling
            )
        )
        if by_name:
            return by_name
        if denied and (
            turned_down := frozenset(at for at in changes if self._holds(self._calls[at], denied))
        ):
            return turned_down
        return frozenset(changes) if self._alike(changes) else frozenset()

    def _telling(self) -> frozenset[str]:
        """The parameters that not all of the calls which have them say alike."""
        values: dict[str, set[str]] = {}
        for call in self._calls:
            for name, value in call.params.items():
                values.setdefault(name, set()).add(repr(value))
        return frozenset(name for name, said in values.items() if len(said) > 1)

    def _holds(self, call: Call, denied: str) -> bool:
        """Whether a value of the call is what the words say."""
        schema = only(self._schemas.get(call.action_id, {}), list(call.params))
        found = self._extract(call.action_id, schema, denied).values
        return any(each.value == call.params[name] for name, each in found.items())

    def _alike(self, changes: Mapping[int, _Change]) -> bool:
        """Whether the calls have in common what is changed in them."""
        names = {name for change in changes.values() for name in change.found}
        return not names & self._telling() and all(change.found for change in changes.values())


def _distinct(calls: Sequence[Call]) -> tuple[Call, ...]:
    kept: list[Call] = []
    for call in calls:
        if call not in kept:
            kept.append(call)
    return tuple(kept)
