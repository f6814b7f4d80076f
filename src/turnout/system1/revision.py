"""The last calls with other values: corrected, or once more.

Strategy: words that give values are read as if each of the calls were asked for with them. A correction changes the
calls that it means: those that it names by a value of theirs ("4 of the atlas"), or all where they have in common what
is changed. What is asked for once more is what these values make of all the calls, each once; calls that differ in
more than that leave open which of them is meant, and the last one counts, or none.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from .answering import joined_answers
from .calls import Call, Extract, Extraction, Found, Schema, filled, named, only
from .carried import with_unit
from .leftover import blanked, is_bare
from .shifted import shifted

Fits: TypeAlias = Callable[[str], bool]
"""Whether what a text says beside its values leaves it a text about the last calls."""

_ALL: Final = re.compile(
    r"\b(?:all|both|each|every|everything|alle|beide|tous|toutes|todos|ambos|tutti|entrambi)\b", re.IGNORECASE
)
_HALF_OF_DAY: Final = re.compile(
    r"\b0\d|[ap]\.?m\b|morning|noon|night|evening|morgens|vormittag|fr\u00fch|matin|ma\u00f1ana|mattina",
    re.IGNORECASE,
)
_COUNTED: Final = frozenset({"duration"})
_NEAR: Final = 4  # hours
_TIME: Final = re.compile(r"\d\d:\d\d(?::\d\d)?")


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
        return self._with(self._changes(text, fits, fresh=False), text, denied, pending=pending)

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
        return self._with(self._changes(text, fits, fresh=True), text, "", pending=True)

    def named(self, text: str) -> tuple[Call, ...]:
        """Those of several calls that a text names by values which tell them apart, and nothing else."""
        if len(self._calls) < 2:
            return ()
        meant = [call for call in self._calls if self._names(call, text)]
        return tuple(meant) if len(meant) < len(self._calls) else ()

    def _names(self, call: Call, text: str) -> bool:
        """Whether the text is nothing but values of the call, one of them its own."""
        known, rest = self._known(call, text)
        names = [name for name in call.params if name not in known]
        found = self._extract(call.action_id, only(self._schemas.get(call.action_id, {}), names), rest)
        if any(each.value != call.params[name] for name, each in found.values.items()):
            return False
        return bool((known.keys() | found.values.keys()) & self._telling()) and is_bare(blanked(rest, found))

    def _with(
        self, changes: Mapping[int, _Change], text: str, denied: str, *, pending: bool
    ) -> tuple[Call, ...]:
        """The calls with the changes that are meant."""
        meant = self._meant(changes, text, denied)
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
        moved = shifted(call, schema, text)
        if moved is not None:
            text = text[: moved.start] + " " * (moved.end - moved.start) + text[moved.end :]
        known, text = self._known(call, text)
        names = self._without_bare_codes(call, [name for name in names if name not in known], text)
        text, found = self._read(call, schema, names, text)
        values = {name: each.value for name, each in found.values.items()} | self._halved(
            call, schema, found, text
        )
        values = {**(moved.values if moved is not None else {}), **values}
        if not values and found.ambiguous:
            several = joined_answers(call, self._extract, schema, names, text)
            names_said = {
                name for each in several for name in each.params if each.params[name] != call.params.get(name)
            }
            return _Change(several, dict.fromkeys(names_said, ...)) if several else None
        if not (values or known) or not fits(blanked(text, found)):
            return None
        made = filled(call, values)
        doubtful = {name: tuple(each) for name, each in found.ambiguous.items() if name in made.open}
        return _Change(
            (msgspec.structs.replace(made, ambiguous=doubtful) if doubtful else made,), known | values
        )

    def _known(self, call: Call, text: str) -> tuple[dict[str, Any], str]:
        """The numbers that tell the call from the others and stand in the text, and the text without them."""
        known: dict[str, Any] = {}
        for name in self._telling() & call.params.keys():
            value = call.params[name]
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            place = re.search(rf"(?<![\w.,:-]){value}(?![\w:-]|[.,]\d)", text)
            if place is not None:
                known[name] = value
                text = text[: place.start()] + " " * len(place[0]) + text[place.end() :]
        return known, text

    def _without_bare_codes(self, call: Call, names: Sequence[str], text: str) -> Sequence[str]:
        """The parameters but for references of which merely a number was said, where another one may be that number."""
        schema = self._schemas.get(call.action_id, {})
        codes = [name for name in names if "pattern" in named(schema)[name]]
        others = [name for name in names if name not in codes]
        if not codes or not others:
            return names
        found = self._extract(call.action_id, only(schema, codes), text).values
        bare = [name for name, each in found.items() if text[each.start : each.end].isdigit()]
        taken = self._extract(call.action_id, only(schema, others), text).values if bare else ()
        return [name for name in names if name not in bare] if taken else names

    def _read(self, call: Call, schema: Schema, names: Sequence[str], text: str) -> tuple[str, Extraction]:
        """The values in a text, where a number may be in the unit of the value that was said before."""
        part = only(schema, names)
        found = self._extract(call.action_id, part, text)
        for name in names:
            wants = named(schema)[name]
            if name in found.values or (
                wants.get("format") not in _COUNTED and wants.get("type") != "object"
            ):
                continue
            before = self._extract(call.action_id, only(schema, [name]), self._said).values.get(name)
            if before is None:
                continue
            for counted in with_unit(text, self._said[before.start : before.end])[:1]:
                return counted, self._extract(call.action_id, part, counted)
        return text, found

    def _halved(self, call: Call, schema: Schema, found: Extraction, text: str) -> dict[str, Any]:
        """The times that lie in the half of the day in which the call's own is: "8 pm", and then "half past eight"."""
        made: dict[str, Any] = {}
        for name, before in call.params.items():
            if _TIME.fullmatch(str(before)) is None or "date" in str(
                named(schema).get(name, {}).get("format")
            ):
                continue
            values = found.ambiguous.get(name, ())
            if name in found.values and (late := _in_the_evening(text, found.values[name], before)):
                made[name] = late
            alike = [each for each in values if (str(each) >= "12") == (before >= "12")]
            if len(alike) == 1:
                made[name] = alike[0]
        return made

    def _meant(self, changes: Mapping[int, _Change], text: str, denied: str) -> frozenset[int]:
        """The places of the calls that a correction means."""
        if len(changes) < 2:
            return frozenset(changes)
        if by_name := self._named_in(changes):
            return by_name
        if _ALL.search(text):
            return frozenset(changes)
        if denied and (
            turned_down := frozenset(at for at in changes if self._holds(self._calls[at], denied))
        ):
            return turned_down
        return frozenset(changes) if self._alike(changes) else frozenset()

    def _named_in(self, changes: Mapping[int, _Change]) -> frozenset[int]:
        """The calls to be changed of which a value is said that tells them apart; what is named first tells more."""
        telling = self._telling()
        found: dict[int, int] = {}
        for at, change in changes.items():
            call = self._calls[at]
            order = list(named(self._schemas.get(call.action_id, {})))
            places = [
                order.index(name)
                for name, value in change.found.items()
                if name in telling and call.params.get(name) == value
            ]
            if places and change.made != (call,):
                found[at] = min(places)
        return frozenset(at for at, place in found.items() if place == min(found.values()))

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


def _in_the_evening(text: str, found: Found, before: str) -> str:
    """A time said without its half of the day as one of the evening, near to that in its place; else `""`."""
    said, value = text[found.start : found.end], str(found.value)
    if _TIME.fullmatch(value) is None or _HALF_OF_DAY.search(said) or before < "17" or value >= "12":
        return ""
    late = f"{int(value[:2]) + 12:02}{value[2:]}"
    return late if abs(int(late[:2]) - int(before[:2])) <= _NEAR else ""
