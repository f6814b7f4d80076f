"""Calls: actions with their parameters."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, cast

import msgspec

from turnout.model import V


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
