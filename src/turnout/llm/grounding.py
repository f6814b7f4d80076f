"""Whether a value that a model gives was said by the user.

What counts as said, leaf by leaf:

- *text*: its words stand in the conversation one after another, whatever the case, accents, punctuation and spacing;
  other signs (`/`, `@`, `*`, `&`) stand where they stand there;
- *a number*: it stands there in digits, in any common grouping, with `k`, `million` or `%`, or in words;
- *a date, a time, a duration*: it is written there, named (`March` is its first or last day, in a year that is free
  where none is said), or counted from today (`tomorrow`, `next Friday`, `in two weeks`);
- *a choice* of the schema: one of its words stands there; or none of any choice does, and the model concluded it.
  A currency is never concluded: it is written there, by its code, sign or name;
- *a truth value*: it is the model's conclusion.

A list or an object is said when all of it is. What was not said stays out whole, since half a list is another list.
Sums, differences and translations are not said: the engine asks for the value, or a default holds. Words for numbers,
months and days are known in English, German, French, Spanish, Italian, Dutch and Portuguese.
"""

import datetime
import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cached_property
from typing import Any, Final, cast

from .dates import is_date_said, is_duration_said, is_time_said
from .numerals import values
from .shape import branches
from .words import holds, plain, words

_FIGURE: Final = re.compile(r"[+-]?\d+(?:\.\d+)?")
_FRACTION: Final = re.compile(r"[+-]?\d+[.,]\d+")
_MONTH: Final = re.compile(r"\d{4}-\d{2}")
_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}\S*)?")
_CLOCK: Final = re.compile(r"\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?")
_DURATION: Final = re.compile(
    r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", re.ASCII
)
_UNITS: Final = (604_800, 86_400, 3_600, 60, 1)
_SIGNS: Final = {
    "EUR": "€ euro euros",
    "USD": "$ dollar dollars",
    "GBP": "£ pound pounds",
    "JPY": "¥ yen",
    "CHF": "franken francs",
}
_CODE: Final = re.compile(r"[A-Z]{3}")
_CODES: Final = frozenset("AUD BRL CAD CHF CNY CZK DKK EUR GBP HUF INR JPY MXN NOK PLN SEK USD".split())  # noqa: SIM905
_OTHER_DOLLAR: Final = re.compile(
    r"\b(?:canadian|australian|new zealand|hong kong|singapore|taiwan|cad|aud|nzd|hkd|sgd)\b"
    r"|(?<![a-z])(?!us)[a-z]{1,2}\$"
)
"""What makes a dollar another one than that of the United States."""
_SPACED: Final = re.compile(r"[\s.,:;!?'\"()\u2018-\u201f_\u2010-\u2015-]+")
"""Spaces and the marks of prose, which people set as they like."""
_DEEPEST: Final = 16


class Ground:
    """What was said: the texts, the latest first, on the day `today`.

    `infer=False`: choices and truth values count only where their own words were said.
    """

    def __init__(self, texts: Iterable[str], *, today: datetime.date, infer: bool = True) -> None:
        self._texts = tuple(texts)
        self._today = today
        self._infer = infer

    def holds(self, value: Any, schema: Any, depth: int = 0) -> bool:
        """Whether all of a JSON value was said, `schema` (references written out) tells what it is."""
        if depth > _DEEPEST:
            return False
        kinds = branches(schema)
        if isinstance(value, list):
            items = {"anyOf": [each.get("items", {}) for each in kinds]}
            return all(self.holds(each, items, depth + 1) for each in cast("list[Any]", value))
        if isinstance(value, dict):
            members = cast("dict[str, Any]", value).items()
            return all(self._has_member(name, member, kinds, depth) for name, member in members)
        choices = [choice for kind in kinds for choice in _choices(kind)]
        if choices:
            return self._has_choice(value, choices)
        return self._has_leaf(value, kinds)

    def _has_member(self, name: str, member: Any, kinds: list[dict[str, Any]], depth: int) -> bool:
        known = [kind["properties"][name] for kind in kinds if name in kind.get("properties", {})]
        if not known and not self._has_text(name):
            return False
        free = [kind.get("additionalProperties", {}) for kind in kinds]
        return self.holds(member, {"anyOf": known or free}, depth + 1)

    def _has_leaf(self, value: Any, kinds: list[dict[str, Any]]) -> bool:
        if value is None:
            return True
        if isinstance(value, bool):
            boolean = any(kind.get("type") == "boolean" for kind in kinds)
            return boolean and (self._infer or self._has_text("yes" if value else "no"))
        if isinstance(value, int | float):
            return Decimal(repr(value)) in self._numbers
        text = cast("str", value).strip()
        if any(kind.get("format") == "decimal" for kind in kinds) or _FRACTION.fullmatch(text):
            return bool(_FIGURE.fullmatch(text)) and Decimal(text) in self._numbers
        return self._has_text(text) or self._has_moment(text)

    def _has_choice(self, value: Any, choices: list[Any]) -> bool:
        if value in choices and any(isinstance(value, bool) is isinstance(one, bool) for one in choices):
            if self._has_label(value):
                return True
            # Amounts are worth nothing without their currency: that one is not for a model to conclude.
            infer = self._infer and not _are_currencies(choices)
            return infer and not any(self._has_label(choice) for choice in choices)
        text = value.casefold() if isinstance(value, str) else None
        alike = [one for one in choices if isinstance(one, str) and one.casefold() == text]
        return bool(alike) and self._has_choice(alike[0], choices)

    def _has_label(self, choice: Any) -> bool:
        if isinstance(choice, int | float) and not isinstance(choice, bool):
            return Decimal(repr(choice)) in self._numbers
        label = str(choice)
        signs = _SIGNS.get(label.upper(), "").split()
        if "dollar" in signs and any(_OTHER_DOLLAR.search(text.lower()) for text in self._texts):
            signs = []
        return self._has_text(label) or any(
            self._has_text(sign) if sign.isalpha() else any(sign in text for text in self._texts)
            for sign in signs
        )

    def _has_text(self, text: str) -> bool:
        wanted = words(text)
        if not wanted:
            return bool(text.strip()) and any(text.strip() in each for each in self._texts)
        signed = _without_spacing(text)
        loose = signed.isalnum()
        return any(
            holds(said, wanted) and (loose or signed in _without_spacing(each))
            for said, each in zip(self._words, self._texts, strict=True)
        )

    def _has_moment(self, text: str) -> bool:
        """Whether the text is an ISO date, time or duration that was said in another form."""
        if _MONTH.fullmatch(text):
            return self._has_moment(f"{text}-01")
        if duration := _DURATION.fullmatch(text):
            counts = zip(duration.groups(), _UNITS, strict=True)
            seconds = sum((Decimal(count or 0) * unit for count, unit in counts), Decimal(0))
            return any(is_duration_said(seconds, each) for each in self._texts)
        try:
            if _CLOCK.fullmatch(text):
                clock = datetime.time.fromisoformat(text)
                return any(is_time_said(clock, each) for each in self._texts)
            if not _MOMENT.fullmatch(text):
                return False
            moment = datetime.datetime.fromisoformat(text)
        except ValueError:
            return False
        return any(is_date_said(moment.date(), each, self._today) for each in self._texts) and any(
            is_time_said(moment.time(), each) for each in self._texts
        )

    @cached_property
    def _words(self) -> tuple[tuple[str, ...], ...]:
        return tuple(words(text) for text in self._texts)

    @cached_property
    def _numbers(self) -> frozenset[Decimal]:
        return frozenset(value for text in self._texts for value in values(text))


def _without_spacing(text: str) -> str:
    return _SPACED.sub("", plain(text))


def _are_currencies(choices: list[Any]) -> bool:
    codes = [choice for choice in choices if isinstance(choice, str) and _CODE.fullmatch(choice)]
    return len(codes) == len(choices) > 1 and not _CODES.isdisjoint(codes)


def _choices(kind: dict[str, Any]) -> list[Any]:
    return [kind["const"]] if "const" in kind else kind.get("enum", [])
