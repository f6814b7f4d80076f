"""Whether the figures in a text are those of the results that it words."""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final, cast

from turnout.model import ActionResult

from .numerals import Numeral, numerals, spelled, thousands, values
from .words import plain

_FIGURE: Final = re.compile(r"[+-]?\d+(?:\.\d+)?")
_RUN: Final = re.compile(r"\d+(?:[.,]\d+)*")
_COMPOUND: Final = re.compile(
    r"(?:[^\W\d]{2,}(?:hundert|tausend|honderd|duizend)|(?:hundert|tausend|honderd|duizend)[^\W\d]{2,}|[^\W\d]{3,}mila\b)"
)
"""Numbers that some languages write as one word; what they mean is not read, so that none of them is shown."""
_CLOCK: Final = re.compile(r"(?<!\d)(\d{2}):\d{2}")


class Figures:
    """The figures that may be named: those of the results, and how many of each thing they hold."""

    def __init__(self, results: tuple[ActionResult, ...]) -> None:
        self._values: set[Decimal] = {Decimal(len(results))}
        self._written: set[str] = set()
        for result in results:
            shown = [result.action_id, result.status, result.execution_id or "", result.data]
            for leaf in _leaves(shown):
                self._add(leaf)

    def hold(self, text: str) -> bool:
        """Whether every number of the text, in digits or in words, is one of them.

        It may be grouped and padded otherwise (`1,250.50` is `1250.5`), and never rounded.
        """
        if not all(self._has(each) for each in numerals(text)):
            return False
        if _COMPOUND.search(plain(text)) or not all(
            self._has_sign(sign) for sign in text if not sign.isascii()
        ):
            return False
        return all(each.values & self._values for each in spelled(text) if each.text != "one")

    def _has_sign(self, sign: str) -> bool:
        """Whether a sign that is a number by itself (a half, a circled seven, a Chinese thousand) may stand there."""
        value = None if sign.isdecimal() else unicodedata.numeric(sign, None)
        return value is None or value == 1 or Decimal(repr(value)) in self._values

    def _has(self, numeral: Numeral) -> bool:
        whole = thousands(numeral.text)
        if whole is None:
            return bool(numeral.values & self._values)
        # One separator before three digits parts thousands, unless the results have it just so.
        as_written = (
            numeral.text in self._written and Decimal(numeral.text.replace(",", ".")) in numeral.values
        )
        return as_written or any(abs(each) >= whole and each in self._values for each in numeral.values)

    def _add(self, leaf: Any) -> None:
        if isinstance(leaf, str):
            text = plain(leaf)
            self._written.update(_RUN.findall(text))
            if _FIGURE.fullmatch(text):
                self._values.add(Decimal(text))
                return
            self._values |= values(text)
            self._values |= {Decimal(run) for run in re.findall(r"\d+", text)}
            self._values |= {Decimal((int(hour) + 11) % 12 + 1) for hour in _CLOCK.findall(text)}
        elif isinstance(leaf, int | float) and not isinstance(leaf, bool):
            self._values.add(Decimal(repr(leaf)))


def _leaves(value: Any) -> Iterator[Any]:
    """All names and values, and the number of items of each list."""
    if isinstance(value, dict):
        for name, member in cast("dict[str, Any]", value).items():
            yield name
            yield from _leaves(member)
    elif isinstance(value, list | tuple):
        items = cast("list[Any]", value)
        yield len(items)
        for item in items:
            yield from _leaves(item)
    else:
        yield value
