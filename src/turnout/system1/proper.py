"""Names of people and firms, for the actions whose examples show that they take one: "pay Otto 15 pounds".

Strategy: a free text that is required, and a name in nearly every example that is no value of another parameter, belong
together. In a request of such an action the only name that is left over is then this text; where two are, it's open.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from turnout.model.languages import LANGUAGES

from .calls import Extraction, Schema, named

_SHARE: Final = 0.6  # of the examples of an action
_LEAST: Final = 2  # examples
_RUN: Final = re.compile(
    r"(?<![\w@.-])[A-Z\u00c0-\u00de][\w'\u2019&-]*[\w&](?: (?:of |de |von "
    r"|van )?[A-Z\u00c0-\u00de][\w'\u2019&-]*[\w&])*(?![\w@])"
)
_BEGINS: Final = re.compile(r"(?:\A|[.!?:;]\s+|\n)[\"'(]*\Z")
_CODE: Final = re.compile(r"\d|\A[A-Z]{1,3}\Z")


class Name(NamedTuple):
    """A name and where it stands."""

    value: str
    start: int
    end: int


def naming(
    examples: Mapping[str, Iterable[str]],
    schemas: Mapping[str, Schema],
    extract: Callable[[str, Schema, str], Extraction],
) -> dict[str, str]:
    """The parameter of each action that is a name, as its examples tell, by action id."""
    found: dict[str, str] = {}
    for action, texts in examples.items():
        schema = schemas.get(action, {})
        wanted = _free(schema)
        if len(wanted) != 1:
            continue
        shown = [name_in(text, extract(action, schema, text)) for text in texts]
        if sum(each is not None for each in shown) >= max(_LEAST, _SHARE * len(shown)):
            found[action] = wanted[0]
    return found


def _free(schema: Schema) -> Sequence[str]:
    """The required parameters that take any text."""
    required: Any = schema.get("required") or ()
    return [name for name, wants in named(schema).items() if name in required and takes_any_text(wants)]


def takes_any_text(wants: Mapping[str, Any]) -> bool:
    """Whether a parameter has no form of its own."""
    return wants.get("type") == "string" and not any(
        key in wants for key in ("enum", "format", "pattern", "const")
    )


def name_in(text: str, found: Extraction) -> Name | None:
    """The only name in a text that is no value found in it, `None` when there is none or there are several."""
    taken = [(each.start, each.end) for each in found.values.values()]
    names = [
        run
        for run in _RUN.finditer(text)
        if not any(start < run.end() and run.start() < end for start, end in taken)
        and _BEGINS.search(text[: run.start()]) is None
        and _CODE.search(run[0]) is None
        and run[0].lower() not in _calendar()
    ]
    if len(names) != 1:
        return None
    said = re.sub(r"['\u2019]s\Z", "", names[0][0])
    return Name(said, names[0].start(), names[0].start() + len(said))


@cache
def _calendar() -> frozenset[str]:
    words = (
        word for each in LANGUAGES.values() for row in (*each.months, *each.weekdays) for word in row.split()
    )
    return frozenset(words) | {"i", "i'm", "i'd", "i'll", "ok", "pls", "please"}
