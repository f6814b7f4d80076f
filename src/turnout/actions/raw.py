"""Parameters described by an explicit JSON Schema, for functions that take `**params`.

The schema is the application's; its validator is compiled once and never fetches anything.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, cast

import jsonschema_rs

from turnout.model.errors import Misconfigured

from .coercion import choice, number, whole, yes_no
from .parameters import Refused
from .schema import properties

_TYPES: dict[str, Callable[[Any], Any]] = {"integer": whole, "number": number, "boolean": yes_no}


class RawParameters:
    """The parameters of a function with `**params`, as its schema says."""

    def __init__(self, schema: dict[str, Any], reserved: frozenset[str]) -> None:
        # The mask keeps what a client sent out of the messages, which quote it whole otherwise.
        self._validator: Any = jsonschema_rs.validator_for(
            schema, validate_formats=True, offline=True, mask="it"
        )
        self.schema: dict[str, Any] | None = schema
        self._reserved = reserved
        self._properties = properties(schema)
        self.names = frozenset(schema.get("properties", {}))
        self.open = schema.get("additionalProperties", True) is not False
        self.defaults: dict[str, Any] = {}

    def decode(self, params: Mapping[str, Any]) -> dict[str, Any] | Refused:
        """The parameters as they were given; text that spells a number, truth value or option is read as such."""
        read = {name: _read(self._properties.get(name, {}), value) for name, value in params.items()}
        unknown = [name for name in read if name in self._reserved]
        missing: list[str] = []
        invalid: dict[str, str] = {}
        for error in self._errors(read, invalid):
            place = [str(step) for step in error.instance_path]
            kind = error.kind.name
            if place:
                _add(invalid, place, error.message)
            elif kind == "required":
                missing.append(error.kind.property)
            elif kind in {"additionalProperties", "unevaluatedProperties"}:
                unknown += error.kind.unexpected
            else:
                _add(invalid, ["parameters"], error.message)
        if missing or invalid or unknown:
            return Refused(missing=tuple(missing), invalid=invalid, unknown=tuple(dict.fromkeys(unknown)))
        return read

    def _errors(self, read: dict[str, Any], invalid: dict[str, str]) -> list[Any]:
        """What the validator says; values that JSON cannot carry go to `invalid` and are left out."""
        try:
            return list(self._validator.iter_errors(read))
        except ValueError:
            kept = {name: value for name, value in read.items() if self._is_json(name, value)}
            invalid |= {str(name): "cannot be written as JSON" for name in read if name not in kept}
            return list(self._validator.iter_errors(kept))

    def _is_json(self, name: str, value: Any) -> bool:
        try:
            list(self._validator.iter_errors({name: value}))
        except ValueError:
            return False
        return True


def raw(signature: inspect.Signature, injected: Mapping[str, Any], schema: Any) -> RawParameters:
    """The parameters that `schema` describes.

    Raises:
        Misconfigured: the function does not take `**params` only, or the schema is no schema of an object.
    """
    own = [one for name, one in signature.parameters.items() if name not in injected]
    if [one.kind for one in own] != [inspect.Parameter.VAR_KEYWORD]:
        raise Misconfigured(
            "schema= is for a function whose parameters are **params, beside what is injected"
        )
    if not isinstance(schema, dict) or cast("dict[str, Any]", schema).get("type") != "object":
        raise Misconfigured('schema= is a JSON Schema with "type": "object"')
    try:
        return RawParameters(cast("dict[str, Any]", schema), frozenset(injected))
    except (ValueError, TypeError) as error:
        raise Misconfigured(f"schema= is no valid JSON Schema: {error}") from error


def _read(schema: dict[str, Any], value: Any) -> Any:
    options = schema.get("enum")
    if isinstance(options, list):
        return choice(tuple(cast("list[Any]", options)), value)
    kind = schema.get("type")
    return _TYPES[kind](value) if isinstance(kind, str) and kind in _TYPES else value


def _add(invalid: dict[str, str], place: list[str], message: str) -> None:
    name, *rest = place
    said = f"{'.'.join(rest)}: {message}" if rest else message
    invalid[name] = f"{invalid[name]}; {said}" if name in invalid else said
