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
from .clauses import lowered, opens
from .leftover import blanked, content, is_bare

_SHARE: Final = 0.6  # of the examples of an action
_LEAST: Final = 2  # examples
_RUN: Final = re.compile(
    r"(?<![\w@.-])[A-Z\u00c0-\u00de][\w'\u2019&-]*[\w&](?: (?:of |de |von "
    r"|van )?[A-Z\u00c0-\u00de][\w'\u2019&-]*[\w&])*(?![\w@])"
)
_BEGINS: Final = re.compile(r"(?:\A|[.!?:;]\s+|\n)[\"'(]*\Z")
_DENIED: Final = re.compile(
    r"\b(?:not|nicht|pas|instead of|rather than|statt)(?: (?:to|for|an|f\u00fcr))?\s+\Z", re.IGNORECASE
)
_CODE: Final = re.compile(r"\d|\A[A-Z]{1,3}\Z")
_SUBJECT: Final = re.compile(
    r"['\u2019]s\b(?! (?:a|the|not)\b)|\s+(?:is|isn['\u2019]t|was|has|needs?|wants?|gets|takes?|goes|works?"
    r"|weighs"
    r"|comes|will|won['\u2019]t|can|can['\u2019]?t|cannot|could|doesn['\u2019]t|didn['\u2019]t|should|shall"
    r"|must|would|called|asks?"
    r"|asked|owes|pays|joins|starts|leaves|moves|quit|hat|ist|braucht|kann|soll|wiegt|will|a|est|veut"
    r"|p\u00e8se|doit|tiene|es"
    r"|necesita|quiere|pesa|debe|ha|\u00e8|vuole|deve|need|want|work|take|have|are|were|aren['\u2019]t)\b"
    r"|\s*(?:,|\s(?:and|or|und|oder|et|ou|y|o|e)\b|&)\s+[A-Z\u00c0-\u00de]"
)
"""After the first word of a sentence: it is somebody who does something, or whose the thing is."""


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
        wanted = free_texts(schema)
        if len(wanted) != 1:
            continue
        shown = [name_in(text, extract(action, schema, text)) for text in texts]
        if sum(each is not None for each in shown) >= max(_LEAST, _SHARE * len(shown)):
            found[action] = wanted[0]
    return found


def free_texts(schema: Schema) -> Sequence[str]:
    """The required parameters that take any text."""
    required: Any = schema.get("required") or ()
    return [name for name, wants in named(schema).items() if name in required and takes_any_text(wants)]


def takes_any_text(wants: Mapping[str, Any]) -> bool:
    """Whether a parameter has no form of its own."""
    return wants.get("type") == "string" and not any(
        key in wants for key in ("enum", "format", "pattern", "const")
    )


def is_name(said: str) -> bool:
    """Whether a text is written like a name, all of it."""
    return _RUN.fullmatch(said) is not None and _CODE.search(said) is None


def name_in(text: str, found: Extraction) -> Name | None:
    """The only name in a text that is no value found in it, `None` when there is none or there are several."""
    taken = [(each.start, each.end) for each in found.values.values()]
    low = lowered(text)
    runs = (_without_verb(run, text, low) for run in _RUN.finditer(text))
    names = [
        run
        for run in runs
        if run is not None
        and not any(start < run.end and run.start < end for start, end in taken)
        and (_BEGINS.search(text[: run.start]) is None or _is_named_first(run, text, low, found))
        and _DENIED.search(text[: run.start]) is None
        and _CODE.search(run.value) is None
        and run.value.lower() not in _calendar()
    ]
    if len(names) != 1:
        return None
    said = re.sub(r"['\u2019]s\Z", "", names[0].value)
    return Name(said, names[0].start, names[0].start + len(said))


def _without_verb(run: re.Match[str], text: str, low: str) -> Name | None:
    """A row of words with capitals without the verb that begins a sentence: "Book Rex in"; `None` where that is all."""
    first, _, rest = run[0].partition(" ")
    if _BEGINS.search(text[: run.start()]) is None or not opens(low, run.start()):
        return Name(run[0], *run.span())
    return Name(rest, run.start() + len(first) + 1, run.end()) if rest else None


def _is_named_first(run: Name, text: str, low: str, found: Extraction) -> bool:
    """Whether the word that begins a sentence is a name: "Luna needs", "Rex's", "Mia on Sunday"."""
    if not content(run.value):
        return False
    end = run.end - 2 if run.value[-2:] in ("'s", "\u2019s") else run.end
    if _SUBJECT.match(text, end) is not None:
        return True
    rest = blanked(text, found)
    return is_bare(rest[: run.start] + rest[run.end :])


@cache
def _calendar() -> frozenset[str]:
    words = (
        word for each in LANGUAGES.values() for row in (*each.months, *each.weekdays) for word in row.split()
    )
    days = {
        "today",
        "tomorrow",
        "tonight",
        "heute",
        "morgen",
        "demain",
        "hoy",
        "ma\u00f1ana",
        "oggi",
        "domani",
    }
    return frozenset(words) | days | {"i", "i'm", "i'd", "i'll", "ok", "pls", "please"}
