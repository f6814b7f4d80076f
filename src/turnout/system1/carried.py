"""A number that leaves its unit to a value before it: "10 minutes" and then "15"."""

import re
from typing import Final

_NUMBER: Final = re.compile(r"(?<![\w.,:-])\d+(?:[.,]\d+)?(?![\w:%€$£-]|[.,]\d)")
_VALUE: Final = re.compile(r"(?P<before>[€$£]?)\s*\d+(?:[.,]\d+)?(?P<after>\s*[^\W\d_]+|\s*%|\s*[€$£])?")


def with_unit(text: str, before: str) -> tuple[str, ...]:
    """The text with one of its numbers in the unit of the value `before` it, for each of them; none without a unit.

    >>> with_unit("another one for 15", "10 minutes")
    ('another one for 15 minutes',)
    """
    value = _VALUE.fullmatch(before.strip())
    if value is None or not (value["before"] or value["after"]):
        return ()
    return tuple(
        f"{text[: each.start()]}{value['before']}{each[0]}{value['after'] or ''}{text[each.end() :]}"
        for each in _NUMBER.finditer(text)
    )
