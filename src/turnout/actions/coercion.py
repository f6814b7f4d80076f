"""From the user's own spelling to JSON's: what may be read without guessing, and what may not be let through.

Strategy: rules give strings, models give JSON. `coerce` walks a value beside its type, turns text that can mean only
one thing into that thing (`"3"` for a whole number, `"eur"` for the choice `EUR`), and reports what msgspec would
let pass though it must not: numbers that are not finite, `1_000`, members of an object that nobody reads. Everything
else stays as it is for msgspec, which judges last and strictly. Numbers with separators, units or currency signs,
timestamps for dates and single values for lists are guesses, so they stay and are refused.
"""

import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, cast

from msgspec import inspect as kinds

from .expectation import expectation

_WHOLE = re.compile(r"[+-]?[0-9]{1,64}")
_PLAIN = re.compile(r"[+-]?(?:[0-9]{1,64}(?:\.[0-9]{1,64})?|\.[0-9]{1,64})")
_FLOAT = re.compile(_PLAIN.pattern + r"(?:[eE][+-]?[0-9]{1,3})?")
_CLOCK = re.compile(r"[0-9]{2}:[0-9]{2}")
_YES_NO = {"true": True, "yes": True, "false": False, "no": False}
_EXACT_FLOAT = 2**53

Problems = list[tuple[str, str]]
"""What is wrong, each with the place inside the value (`[0].quantity`, `""` for the value itself)."""


def coerce(kind: kinds.Type, value: Any, place: str, problems: Problems) -> Any:
    """`value` in the spelling that msgspec takes for `kind`; adds to `problems` what must be refused."""
    if isinstance(kind, kinds.Metadata):
        return coerce(kind.type, value, place, problems)
    rule = _RULES.get(type(kind))
    return value if rule is None else rule(kind, value, place, problems)


def whole(value: Any) -> Any:
    """The whole number that `value` spells, else `value`."""
    if isinstance(value, str):
        text = value.strip()
        return int(text) if _WHOLE.fullmatch(text) else value
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_FLOAT:
        return int(value)
    return value


def number(value: Any) -> Any:
    """The binary number that `value` spells, else `value`."""
    if isinstance(value, str):
        text = value.strip()
        return float(text) if _FLOAT.fullmatch(text) else value
    return value


def decimal(text: str) -> Decimal | None:
    """The exact number that `text` spells in plain digits, else `None`."""
    text = text.strip()
    return Decimal(text) if _PLAIN.fullmatch(text) else None


def yes_no(value: Any) -> Any:
    """The truth value that `value` spells, else `value`."""
    return _YES_NO.get(value.strip().lower(), value) if isinstance(value, str) else value


def choice(options: tuple[Any, ...], value: Any) -> Any:
    """The one option that `value` spells in another case or as text, else `value`."""
    if not isinstance(value, str) or value in options:
        return value
    text = value.strip().casefold()
    found = [option for option in options if option is not None and str(option).casefold() == text]
    return found[0] if len(found) == 1 else value


def _whole(_kind: Any, value: Any, _place: str, _problems: Problems) -> Any:
    return whole(value)


def _number(kind: Any, value: Any, place: str, problems: Problems) -> Any:
    read = number(value)
    if isinstance(read, float | Decimal) and not math.isfinite(read):
        problems.append((place, f"expected {expectation(kind)}"))
    return read


def _decimal(kind: Any, value: Any, place: str, problems: Problems) -> Any:
    read = decimal(value) if isinstance(value, str) else value
    if read is None or (isinstance(read, float | Decimal) and not math.isfinite(read)):
        problems.append((place, f"expected {expectation(kind)}"))
    return read


def _yes_no(_kind: Any, value: Any, _place: str, _problems: Problems) -> Any:
    return yes_no(value)


def _time(_kind: Any, value: Any, _place: str, _problems: Problems) -> Any:
    if isinstance(value, str) and _CLOCK.fullmatch(value.strip()):
        return value.strip() + ":00"
    return value


def _enum(kind: Any, value: Any, _place: str, _problems: Problems) -> Any:
    return choice(tuple(member.value for member in kind.cls), value)


def _literal(kind: Any, value: Any, _place: str, _problems: Problems) -> Any:
    return choice(kind.values, value)


def _each(kind: Any, value: Any, place: str, problems: Problems) -> Any:
    if not isinstance(value, list | tuple):
        return value
    items = cast("list[Any]", value)
    return [coerce(kind.item_type, item, f"{place}[{at}]", problems) for at, item in enumerate(items)]


def _positions(types: list[kinds.Type], value: Any, place: str, problems: Problems) -> Any:
    if not isinstance(value, list | tuple):
        return value
    items = cast("list[Any]", value)
    known = [
        coerce(types[at], item, f"{place}[{at}]", problems) for at, item in enumerate(items[: len(types)])
    ]
    return [*known, *items[len(types) :]]  # msgspec judges the length


def _tuple(kind: Any, value: Any, place: str, problems: Problems) -> Any:
    return _positions(list(kind.item_types), value, place, problems)


def _named_tuple(kind: Any, value: Any, place: str, problems: Problems) -> Any:
    return _positions([field.type for field in kind.fields], value, place, problems)


def _mapping(kind: Any, value: Any, place: str, problems: Problems) -> Any:
    if not isinstance(value, Mapping):
        return value
    members = cast("Mapping[Any, Any]", value)
    return {key: coerce(kind.value_type, item, f"{place}.{key}", problems) for key, item in members.items()}


def _object(kind: Any, value: Any, place: str, problems: Problems) -> Any:
    if not isinstance(value, Mapping):
        return value
    members = cast("Mapping[Any, Any]", value)
    fields = {field.encode_name: field.type for field in kind.fields}
    tag = getattr(kind, "tag_field", None)
    read: dict[Any, Any] = {}
    for key, item in members.items():
        if key in fields:
            read[key] = coerce(fields[key], item, f"{place}.{key}", problems)
        elif key == tag:
            read[key] = item
        else:
            problems.append((f"{place}.{key}", "not known"))
    return read


def _struct(kind: Any, value: Any, place: str, problems: Problems) -> Any:
    if kind.array_like:
        tag = [] if kind.tag_field is None else [kinds.AnyType()]
        return _positions([*tag, *(field.type for field in kind.fields)], value, place, problems)
    return _object(kind, value, place, problems)


def _union(kind: Any, value: Any, place: str, problems: Problems) -> Any:
    for member in kind.types:
        if _claims(member, value):
            return coerce(member, value, place, problems)
    if not isinstance(value, str | float):
        return value
    refused: Problems = []
    for member in kind.types:
        found: Problems = []
        read = coerce(member, value, place, found)
        if not found and read is not value:
            return read
        refused += found
    problems += [(place, f"expected {expectation(kind)}")] if refused else []
    return value


def _claims(member: kinds.Type, value: Any) -> bool:
    """Whether this member of a union is the one that JSON of this form is meant for."""
    member = member.type if isinstance(member, kinds.Metadata) else member
    if isinstance(value, Mapping):
        tag_field = getattr(member, "tag_field", None)
        if tag_field is not None:
            return cast("Mapping[Any, Any]", value).get(tag_field) == getattr(member, "tag", None)
        return isinstance(member, _OBJECTS) and not getattr(member, "array_like", False)
    if isinstance(value, list | tuple):
        return isinstance(member, _LISTS) or getattr(member, "array_like", False)
    if isinstance(value, float | Decimal):
        return isinstance(member, kinds.FloatType | kinds.DecimalType)
    return isinstance(value, str) and isinstance(member, kinds.StrType)


_OBJECTS = (kinds.StructType, kinds.DataclassType, kinds.TypedDictType, kinds.DictType)
_LISTS = (
    kinds.ListType,
    kinds.SetType,
    kinds.FrozenSetType,
    kinds.VarTupleType,
    kinds.TupleType,
    kinds.NamedTupleType,
)
_RULES: dict[type[kinds.Type], Callable[[Any, Any, str, Problems], Any]] = {
    kinds.IntType: _whole,
    kinds.FloatType: _number,
    kinds.DecimalType: _decimal,
    kinds.BoolType: _yes_no,
    kinds.TimeType: _time,
    kinds.EnumType: _enum,
    kinds.LiteralType: _literal,
    kinds.ListType: _each,
    kinds.SetType: _each,
    kinds.FrozenSetType: _each,
    kinds.VarTupleType: _each,
    kinds.TupleType: _tuple,
    kinds.NamedTupleType: _named_tuple,
    kinds.DictType: _mapping,
    kinds.StructType: _struct,
    kinds.DataclassType: _object,
    kinds.TypedDictType: _object,
    kinds.UnionType: _union,
}
