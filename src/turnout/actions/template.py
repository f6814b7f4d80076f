"""Format strings over results, without attributes, calls or indexing: `Invoice {number} over {total:,.2f}`.

Strategy: a template is read and checked when it is made. Filling it looks names up in mappings only, so that no
template and no data can reach into an object.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from string import Formatter
from typing import Any, cast

from .phrase import phrase

_FIELD = re.compile(r"\w+(?:\.\w+)*")
_SPEC = re.compile(r"(?:[^{}]?[<>=^])?[+\- ]?0?[0-9]{0,3}[,_]?(?:\.[0-9]{1,2})?[bcdeEfFgGosxX%]?")
_PLAIN = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


class Template:
    """A format string.

    Raises:
        ValueError: it is malformed, or asks for more than names, dotted names and simple formats.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._pieces: list[tuple[str, tuple[str, ...], str]] = []
        for literal, field, spec, conversion in Formatter().parse(text):
            if field is None:
                self._pieces.append((literal, (), ""))
                continue
            if not _FIELD.fullmatch(field):
                raise ValueError(f"{{{field}}} is no name; use {{name}} or {{name.member}}")
            if conversion or not _SPEC.fullmatch(spec or ""):
                raise ValueError(f"{{{field}}} has a format that is not taken here")
            self._pieces.append((literal, tuple(field.split(".")), spec or ""))
        self.roots = tuple(path[0] for _, path, _ in self._pieces if path)

    def fill(self, values: Mapping[str, Any]) -> str:
        """The text with the values in it.

        Raises:
            LookupError: a name that the values don't have.
            ValueError: a format that does not fit its value.
        """
        filled: list[str] = []
        for literal, path, spec in self._pieces:
            filled.append(literal)
            if path:
                filled.append(_show(_find(values, path), spec))
        return "".join(filled)


def _find(values: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    found: Any = values
    for name in path:
        if not isinstance(found, Mapping):
            raise LookupError(name)
        found = cast("Mapping[str, Any]", found)[name]
    return found


def _show(value: Any, spec: str) -> str:
    if not spec or isinstance(value, bool):
        return phrase(value)
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return format(Decimal(value), spec)
    if isinstance(value, int | float | str):
        return format(value, spec)
    raise ValueError(f"{type(value).__name__} takes no format")
