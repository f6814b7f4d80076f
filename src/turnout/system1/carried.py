"""A number that leaves its unit to a value before it: "10 minutes" and then "15"."""

import re
from typing import Final

_NUMBER: Final = re.compile(r"(?<![\w.,:-])\d+(?:[.,]\d+)?(?![\w:-]|[.,]\d)")
_UNIT: Final = re.compile(r"(?P<before>[€$£]?)\s*\d+(?:[.,]\d+)?(?P<after>\s*[^\W\d_]+|\s*%)?")


def with_unit(text: str, before: str) -> str:
    """The text with its only number in the unit of the value `before` it, `""` where one of both has none or more.

    >>> with_unit("another one for 15", "10 minutes")
    'another one for 15 minutes'
    """
    unit = _UNIT.fullmatch(before.strip())
    numbers = list(_NUMBER.finditer(text))
    if unit is None or len(numbers) != 1 or not (unit["before"] or unit["after"]):
        return ""
    [number] = numbers
    return f"{text[: number.start()]}{unit['before']}{number[0]}{unit['after'] or ''}{text[number.end() :]}"
