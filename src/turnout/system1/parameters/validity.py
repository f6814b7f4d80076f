"""Whether a value keeps to what its schema says of one value: bounds, pattern, choices."""

import operator
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from .slots import choices_of

_BOUNDS: Final[dict[str, Callable[[float, float], bool]]] = {
    "minimum": operator.lt,
    "maximum": operator.gt,
    "exclusiveMinimum": operator.le,
    "exclusiveMaximum": operator.ge,
    "multipleOf": lambda value, step: bool(step) and Decimal(str(value)) % Decimal(str(step)) != 0,
}


def violation(schema: dict[str, Any], value: Any) -> str | None:
    """The keyword of the schema that a value goes against, or `None`."""
    choices = choices_of(schema)
    if choices and value not in choices:
        return "enum"
    if isinstance(value, str):
        return _string_violation(schema, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number_violation(schema, value)
    return None


def _string_violation(schema: dict[str, Any], value: str) -> str | None:
    if len(value) < schema.get("minLength", 0):
        return "minLength"
    if len(value) > schema.get("maxLength", len(value)):
        return "maxLength"
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        try:
            return None if re.search(pattern, value) else "pattern"
        except re.error:
            return "pattern"
    return None


def _number_violation(schema: dict[str, Any], value: float) -> str | None:
    if schema.get("type") == "integer" and value != int(value):
        return "type"
    for keyword, is_against in _BOUNDS.items():
        bound = schema.get(keyword)
        if isinstance(bound, int | float) and not isinstance(bound, bool) and is_against(value, bound):
            return keyword
    return None
