"""Calls: actions with their parameters, clause by clause."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Protocol, TypeAlias, cast

import msgspec

from turnout.model import V

from .compound import Asked, Reading, coordinations, elided


class Found(Protocol):
    """A value in a text, in its normal form, with its span in code points."""

    @property
    def value(self) -> Any:
        """The value in its normal form."""
        ...

    @property
    def start(self) -> int:
        """Where it begins in the text."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...


class Extraction(Protocol):
    """What `parameters.extract` gives: the values found, by name, and why others are not."""

    @property
    def values(self) -> Mapping[str, Found]:
        """What was found, by name."""
        ...

    @property
    def missing(self) -> Sequence[str]:
        """Required parameters that were not said."""
        ...

    @property
    def ambiguous(self) -> Mapping[str, Sequence[Any]]:
        """What several values fit, with these."""
        ...

    @property
    def invalid(self) -> Mapping[str, Any]:
        """What was said against the schema."""
        ...


Schema: TypeAlias = dict[str, Any]
Read: TypeAlias = Callable[[str], Reading]
"""`compound.read` with everything but the text bound."""
Extract: TypeAlias = Callable[[str, Schema, str], Extraction]
"""The parameters of an action in a text: action id, its schema or a part of it, text."""


class Call(V, frozen=True, kw_only=True):
    """One action with its parameters; it can run when nothing is missing, ambiguous or invalid."""

    action_id: str
    params: dict[str, Any] = {}
    missing: tuple[str, ...] = ()
    ambiguous: dict[str, tuple[Any, ...]] = {}
    invalid: dict[str, Any] = {}

    @property
    def open(self) -> tuple[str, ...]:
        """The parameters that keep it from running."""
        return tuple(dict.fromkeys((*self.missing, *self.ambiguous, *self.invalid)))


_MOST_WAYS: Final = 40
_FEW_WAYS: Final = 9
_TOO: Final = re.compile(
    r"\b(?:too|as well|also|likewise|the same|auch|ebenfalls|aussi|también|anche)\W*\Z", re.IGNORECASE
)


def calls(reading: Reading, extract: Extract, schemas: Mapping[str, Schema]) -> tuple[Call, ...]:
    """The actions of a reading with their parameters, clause by clause.

    A clause that joins values ("restart api and web") gives a call for each. One that points back ("and send it to
    Bo") takes what it lacks from the calls before it, parameter of the same name by name.
    """
    made: list[Call] = []
    for asked in reading.asked:
        schema = schemas.get(asked.action_id, {})
        made += [_pointed(call, asked, made, schema) for call in _calls_of(asked, extract, schema)]
    return _distinct(made)


def _distinct(made: Sequence[Call]) -> tuple[Call, ...]:
    kept: list[Call] = []
    for call in made:
        if call not in kept:
            kept.append(call)
    return tuple(kept)


def _calls_of(asked: Asked, extract: Extract, schema: Schema) -> tuple[Call, ...]:
    whole = call_of(asked.action_id, extract(asked.action_id, schema, asked.text), schema)
    return _joined(whole, asked.text, extract, schema) or (whole,)


def _joined(whole: Call, text: str, extract: Extract, schema: Schema) -> tuple[Call, ...]:
    """The calls of a text that joins values, none when it doesn't."""
    doubtful = bool(whole.ambiguous or whole.invalid)
    uneven: tuple[Call, ...] = ()
    for texts in islice(coordinations(text), _MOST_WAYS if doubtful else _FEW_WAYS):
        made = [call_of(whole.action_id, extract(whole.action_id, schema, each), schema) for each in texts]
        made = _too(made, text)
        if any(call.ambiguous or call.invalid for call in made) or len(_distinct(made)) < len(made):
            continue
        if not doubtful and texts != elided(text) and not _left_out(whole, made, schema):
            continue
        if len({frozenset(call.params) for call in made}) == 1:
            return tuple(made)
        if doubtful and not uneven and not any(call.missing for call in made):
            uneven = tuple(made)
    return uneven


def _too(made: list[Call], text: str) -> list[Call]:
    """ "... and the bedroom too": what the later calls lack is as in the first."""
    if not _TOO.search(text):
        return made
    first = made[0].params
    return [
        made[0],
        *(filled(call, {name: first[name] for name in call.missing if name in first}) for call in made[1:]),
    ]


def _left_out(whole: Call, made: Sequence[Call], schema: Schema) -> bool:
    """Whether reading the text as one call takes one of several typed values and leaves the others out."""
    properties = named(schema)
    differing = [name for name in whole.params if len({repr(call.params.get(name)) for call in made}) > 1]
    return bool(differing) and all(
        any(key in properties[name] for key in ("enum", "format", "pattern"))
        or properties[name].get("type") in ("number", "integer")
        for name in differing
    )


def call_of(action_id: str, found: Extraction, schema: Schema) -> Call:
    """An action with what was found for it in a text; what the schema requires and isn't there is missing."""
    said = {*found.values, *found.ambiguous, *found.invalid}
    required: Any = schema.get("required") or ()
    return Call(
        action_id=action_id,
        params={name: each.value for name, each in found.values.items()},
        missing=tuple(dict.fromkeys((*found.missing, *(name for name in required if name not in said)))),
        ambiguous={name: tuple(values) for name, values in found.ambiguous.items()},
        invalid=dict(found.invalid),
    )


def _pointed(call: Call, asked: Asked, earlier: Sequence[Call], schema: Schema) -> Call:
    if not asked.points or not call.missing:
        return call
    known: dict[str, Any] = {}
    for other in earlier:
        known.update(other.params)
    properties = named(schema)
    given = {
        name: known[name] for name in call.missing if name in known and _fits(known[name], properties[name])
    }
    return filled(call, given)


def _fits(value: Any, schema: dict[str, Any]) -> bool:
    allowed: Any = schema.get("enum")
    return allowed is None or value in allowed


def filled(call: Call, values: Mapping[str, Any]) -> Call:
    """The call with these values, in place of what it had or lacked."""
    if not values:
        return call
    return msgspec.structs.replace(
        call,
        params={**call.params, **values},
        missing=tuple(name for name in call.missing if name not in values),
        ambiguous={name: each for name, each in call.ambiguous.items() if name not in values},
        invalid={name: each for name, each in call.invalid.items() if name not in values},
    )


def named(schema: Schema) -> dict[str, Any]:
    """The schemas of the parameters, by name."""
    return cast("dict[str, Any]", schema.get("properties") or {})


def only(schema: Schema, names: Sequence[str]) -> Schema:
    """The schema of some of the parameters, all required."""
    properties = named(schema)
    return {
        **schema,
        "properties": {name: properties[name] for name in names if name in properties},
        "required": list(names),
    }
