"""What a parameter must be, in words for the person who gave it."""

from collections.abc import Callable
from typing import Any

from msgspec import inspect as kinds

_NAMES: dict[type[kinds.Type], str] = {
    kinds.IntType: "a whole number",
    kinds.FloatType: "a number",
    kinds.DecimalType: "a number in plain digits such as 1250.50",
    kinds.BoolType: "yes or no",
    kinds.StrType: "text",
    kinds.BytesType: "base64 text",
    kinds.ByteArrayType: "base64 text",
    kinds.DateType: "a date such as 2026-03-31",
    kinds.TimeType: "a time such as 14:30",
    kinds.DateTimeType: "a date and time such as 2026-03-31T14:30:00Z",
    kinds.TimeDeltaType: "a duration such as PT30M (ISO 8601)",
    kinds.UUIDType: "a UUID",
    kinds.NoneType: "nothing",
    kinds.ListType: "a list",
    kinds.SetType: "a list",
    kinds.FrozenSetType: "a list",
    kinds.VarTupleType: "a list",
    kinds.TupleType: "a list",
}

BOUNDS: dict[str, str] = {
    "ge": "at least {}",
    "gt": "more than {}",
    "le": "at most {}",
    "lt": "less than {}",
    "multiple_of": "a multiple of {}",
    "min_length": "of length {} or more",
    "max_length": "of length {} or less",
    "pattern": "of the form {}",
}
"""The bounds of `msgspec.Meta` in words."""


def expectation(kind: kinds.Type) -> str:
    """What a value of this type is, with its bounds: `a whole number, at least 1`."""
    if isinstance(kind, kinds.Metadata):
        return expectation(kind.type)
    special = _SPECIAL.get(type(kind))
    said = special(kind) if special is not None else _NAMES.get(type(kind), "an object")
    for field, words in BOUNDS.items():
        bound = getattr(kind, field, None)
        if bound is not None:
            said += ", " + words.format(bound)
    return said


def _union(kind: Any) -> str:
    return " or ".join(expectation(each) for each in kind.types if not isinstance(each, kinds.NoneType))


def _enum(kind: Any) -> str:
    return "one of " + ", ".join(str(member.value) for member in kind.cls)


def _literal(kind: Any) -> str:
    return "one of " + ", ".join(str(value) for value in kind.values if value is not None)


_SPECIAL: dict[type[kinds.Type], Callable[[Any], str]] = {
    kinds.UnionType: _union,
    kinds.EnumType: _enum,
    kinds.LiteralType: _literal,
}
