"""What a schema wants: each parameter's kind of value, the words that point at it, and how its value is written.

Strategy: the JSON Schema's type and format come first, then its pattern, which is tried on one sample of each form,
then what name and description say. A string without any of these keeps the words of the user.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from .calendar import Direction, Unit
from .text import Words, plain, several
from .units import Unit as Measured
from .units import currency, unit_at

Want: TypeAlias = Literal[
    "number",
    "day",
    "period",
    "time",
    "moment",
    "duration",
    "boolean",
    "choice",
    "email",
    "url",
    "phone",
    "code",
    "text",
]

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+|\d+")
_EMPTY: Final = several(
    "the a an of to for in on at by with and or is be it its this that from as if not which who whether how many much"
    " number name type value id string local iso form left out all one will should user boolean flag indicating are"
    " up other used than into new time day date month format yyyy mm dd hh never past until start end"
)
_PLURALS: Final = {"children": "child", "women": "woman", "men": "man", "kids": "child", "kid": "child"}
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_FOR_EACH: Final = several("per each every pro par por a an")
_FORMATS: Final[dict[str, Want]] = {
    "date": "day",
    "date-time": "moment",
    "time": "time",
    "duration": "duration",
    "email": "email",
    "idn-email": "email",
    "uri": "url",
    "url": "url",
    "iri": "url",
    "phone": "phone",
    "year-month": "period",
    "month": "period",
}
# One sample of each form that a pattern may ask for.
_SAMPLES: Final[tuple[tuple[str, Want, str], ...]] = (
    ("2026-11-24", "day", "%Y-%m-%d"),
    ("24.11.2026", "day", "%d.%m.%Y"),
    ("24/11/2026", "day", "%d/%m/%Y"),
    ("20261124", "day", "%Y%m%d"),
    ("2026-11-24T14:35", "moment", "%Y-%m-%dT%H:%M"),
    ("2026-11-24T14:35:00", "moment", "%Y-%m-%dT%H:%M:%S"),
    ("2026-11-24T14:35:00Z", "moment", "%Y-%m-%dT%H:%M:%S"),
    ("2026-11-24 14:35", "moment", "%Y-%m-%d %H:%M"),
    ("14:35", "time", "%H:%M"),
    ("14:35:00", "time", "%H:%M:%S"),
    ("2026-11", "period", "month"),
    ("2026-Q3", "period", "quarter"),
    ("2026Q3", "period", "quarter"),
    ("2026-W35", "period", "week"),
    ("2026-H2", "period", "half"),
    ("PT35M", "duration", ""),
    ("+4915112345678", "phone", ""),
)
_CALENDAR: Final = several("date day year yyyymmdd")
_DECOYS: Final = ("xq", "7 7", "q7q7q", "1.4.2", "deadbeef", "ABCDEFGH", "ABCD1234", "ABCDEFGHIJK", "AB-1234")
_DESCRIBED: Final[tuple[tuple[re.Pattern[str], Want, str], ...]] = (
    (re.compile(r"yyyy-mm-dd[t ]hh:mm(?!:ss)", re.I), "moment", "%Y-%m-%dT%H:%M"),
    (re.compile(r"yyyy-mm-dd[t ]hh:mm:ss", re.I), "moment", "%Y-%m-%dT%H:%M:%S"),
    (re.compile(r"yyyy-mm-dd", re.I), "day", "%Y-%m-%d"),
    (re.compile(r"dd\.mm\.yyyy", re.I), "day", "%d.%m.%Y"),
    (re.compile(r"yyyy-mm\b", re.I), "period", "month"),
    (re.compile(r"yyyy-q[nq1]", re.I), "period", "quarter"),
    (re.compile(r"yyyy-w", re.I), "period", "week"),
    (re.compile(r"\bhh:mm(?!:ss)", re.I), "time", "%H:%M"),
    (re.compile(r"\bhh:mm:ss", re.I), "time", "%H:%M:%S"),
    (re.compile(r"iso[ -]?8601 duration", re.I), "duration", ""),
    (re.compile(r"e\.164", re.I), "phone", ""),
)
_NAMED: Final[tuple[tuple[frozenset[str], Want], ...]] = (
    (frozenset({"email", "mail"}), "email"),
    (frozenset({"url", "link", "website"}), "url"),
    (frozenset({"phone", "telephone"}), "phone"),
    (frozenset({"date"}), "day"),
    (frozenset({"time"}), "time"),
    (frozenset({"duration"}), "duration"),
    (frozenset({"amount", "price", "fare", "cost", "balance", "quantity"}), "number"),
)
_MONEY: Final = several(
    "amount price money cost fee budget fare salary payment refund pay total balance deposit charge sum spend limit"
    " value"
)
_ALSO_WORDS: Final = several("bar bars stone stones")
_ADJECTIVES: Final = {
    "width": several("wide broad breit"),
    "height": several("high tall hoch"),
    "length": several("long lang"),
    "depth": several("deep tief"),
    "weight": several("weigh weighs heavy schwer wiegt"),
    "age": several("old alt"),
}
"""What is said of a thing after a measure, by the stem of the noun for it: "80 cm wide"."""
_MOVING: Final = several("new mov move chang change shift reschedul reschedule another postpon postpone")
_STAYING: Final = several("stay night hotel room lodg apart hostel")
WAKING: Final = several("wake wak woken awake awaken weck aufweck reveil despert svegli")
"""Plain stems of words for waking somebody, which is done in the morning."""
_AUXILIARY: Final = several(
    "has have is are can allow allowed offer offers serve serves good free include includes"
)
PERSONS: Final = several(
    "people person guest adult traveler traveller passenger rider seat party group us ppl participant attendee visitor"
)
_PAST: Final = re.compile(
    r"\b(?:past|over|passed|elapsed|billed|report|statement|spent|incurred|worked|happened|occurred|was|were|previous"
    r"|birth|history|receipt|closed|ended|taken|used|(?:never|not) in the future)\b",
    re.I,
)
_FUTURE: Final = re.compile(
    r"\b(?:never|not) in the past\b|(?<!never in the )(?<!not in the )\bfuture\b"
    r"|\b(?:coming|upcoming|due|deadline|first day|last day)\b",
    re.I,
)
_COMING: Final = re.compile(
    r"\b(?:plan|planned|forecast|budget|book|booking|reserve|delivery|deliver|coming|future|upcoming|begins?|starts?"
    r"|starting|schedule|due|expires?|expiry|valid|not in the past|never in the past)\b",
    re.I,
)
_STARTS: Final = several(
    "from start starts begin begins starting origin source pickup departure leaving leave since outbound minimum min"
    " lower first checkin old loading shipper sender opens opening"
)
_ENDS: Final = several(
    "to until end ends till ending destination target dropoff return returning arrival maximum max upper last due"
    " deadline checkout new inbound stays delivery delivered unloading consignee receiver closes closing"
)


class Slot(NamedTuple):
    """One parameter that may be filled, a member of an object by its path.

    `style` is the form of a day, a time or a moment (as for `strftime`) or the unit of a period; `verbatim` ones
    keep the words of the user. `cues` are the plain stems of the words that name it; `role` tells the beginning of a
    range from its end: a journey begins with the departure, a `stay` with the arrival; "moved" is
    one that an action sets anew. `many` takes all values that are said, and `waking` one of an action that wakes.
    """

    path: tuple[str, ...]
    schema: dict[str, Any]
    want: Want
    required: bool
    cues: frozenset[str]
    role: str
    direction: Direction
    style: str = ""
    unit: Measured | None = None
    currency: str | None = None
    money: bool = False
    verbatim: bool = False
    many: bool = False
    stay: bool = False
    waking: bool = False

    @property
    def name(self) -> str:
        """The parameter that it is or belongs to."""
        return self.path[0]


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A plain word without the endings of plurals and of verbs, alike for all forms of a word in most cases."""
    if word in _PLURALS:
        return _PLURALS[word]
    for ending in ("ies", "ing", "ure", "es", "ed", "al", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            bare = word[: -len(ending)]
            # "Wrapped" is of "wrap", "called" of "call".
            doubled = ending in {"ing", "ed"} and bare[-1] == bare[-2] and bare[-1] not in "lsz"
            return bare[:-1] if doubled and len(bare) > 3 else bare
    return word


def name_words(text: str) -> list[str]:
    """The plain words of a name such as `check_in_date` or `dueDate`, or of a sentence."""
    return [plain(each) for each in _WORD.findall(text)]


def slots(schema: dict[str, Any], about: str = "") -> tuple[Slot, ...]:
    """The parameters of an object schema; `about` says what the action does."""
    found = tuple(_slots(schema, (), about, True, 0))
    told = {word for slot in found for word in slot.cues} | {stem(each) for each in name_words(about)}
    if told & _STAYING:
        found = tuple(each._replace(role=_stay_role(each), stay=True) for each in found)
    if told & WAKING:
        found = tuple(each._replace(waking=True) for each in found)
    return tuple(each._replace(role=_role_among(each, found, about)) for each in found)


def _slots(
    schema: dict[str, Any], path: tuple[str, ...], about: str, needed: bool, depth: int
) -> Iterator[Slot]:
    required = set(schema.get("required", ()))
    for name, member in cast("dict[str, Any]", schema.get("properties") or {}).items():
        if not isinstance(member, dict) or depth > 3:
            continue
        known = resolved(cast("dict[str, Any]", member), schema)
        must = needed and name in required
        if known.get("properties"):
            yield from _slots(known, (*path, name), about, must, depth + 1)
        else:
            yield _slot((*path, name), known, about, must)


def resolved(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """The schema without null beside its type and with its reference followed."""
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        shared = cast("dict[str, Any]", root.get("$defs") or {})
        target = shared.get(reference.removeprefix("#/$defs/"))
        if isinstance(target, dict):
            return cast("dict[str, Any]", target) | {
                key: each for key, each in schema.items() if key != "$ref"
            }
    for key in ("anyOf", "oneOf"):
        options = [each for each in schema.get(key) or () if each.get("type") != "null"]
        if len(options) == 1:
            return resolved(cast("dict[str, Any]", {**schema, key: None, **options[0]}), root)
    kinds = schema.get("type")
    if isinstance(kinds, list):
        real = [each for each in cast("list[str]", kinds) if each != "null"]
        return {**schema, "type": real[0] if len(real) == 1 else None}
    return schema


def _slot(path: tuple[str, ...], schema: dict[str, Any], about: str, required: bool) -> Slot:
    many = schema.get("type") == "array"
    inner = resolved(schema.get("items") or {}, schema) if many else schema
    name = " ".join(name_words(path[-1]))
    described = (
        f"{schema.get('title') or ''} {schema.get('description') or ''} {inner.get('description') or ''}"
    )
    want, style, verbatim = _want(name, described, inner)
    tokens = [*name.split(), *name_words(described)]
    measured, code = _unit(name, described)
    money = bool(_MONEY & set(tokens)) or code is not None
    cues = frozenset(
        stem(word)
        for word in (*tokens, *name_words(" ".join(path[:-1])))
        if word not in _EMPTY and word not in _LETTERS
    )
    if want == "boolean":
        cues = frozenset(stem(word) for word in name.split() if word not in _EMPTY | _AUXILIARY)
    if want == "number":
        cues |= {adjective for noun in cues & _ADJECTIVES.keys() for adjective in _ADJECTIVES[noun]}
    if want == "number" and cues & PERSONS:
        cues |= PERSONS
    return Slot(
        path=path,
        schema=inner,
        want=want,
        required=required,
        cues=cues,
        role=_role(name.replace(" ", "_"), described),
        direction=_direction(want, f"{name} {described}", about),
        style=style,
        unit=measured if want == "number" else None,
        currency=code,
        money=money,
        verbatim=verbatim,
        many=many,
    )


def _want(name: str, described: str, schema: dict[str, Any]) -> tuple[Want, str, bool]:
    """The kind of value, its style, and whether the words of the user are kept."""
    kind = schema.get("type")
    choices = choices_of(schema)
    if kind == "boolean" or (choices and {str(each).casefold() for each in choices} <= {"true", "false"}):
        return "boolean", "", False
    if choices:
        want: Want = "number" if all(_is_numeric(each) for each in choices) else "choice"
        return want, "", False
    if kind in {"number", "integer"} or schema.get("format") == "decimal":
        return "number", "", False
    if kind not in {"string", None}:
        return "text", "", True
    return _string(name, described, schema)


def _string(name: str, described: str, schema: dict[str, Any]) -> tuple[Want, str, bool]:
    pattern = schema.get("pattern")
    form = _FORMATS.get(str(schema.get("format")))
    said = {*name.split(), *name_words(described)}
    by_pattern = _by_pattern(pattern, frozenset(said & _CALENDAR)) if isinstance(pattern, str) else None
    told: tuple[Want, str] | None = next(
        ((want, style) for sign, want, style in _DESCRIBED if sign.search(described)), None
    )
    if form is not None:
        for known in (by_pattern, told):
            if known is not None and known[0] == form:
                return form, known[1], False
        return form, _STYLES.get(form, ""), False
    if by_pattern is not None:
        return by_pattern[0], by_pattern[1], False
    if isinstance(pattern, str):
        return "code", pattern, False
    if told is not None:
        return told[0], told[1], False
    words = set(name.split())
    for named, want in _NAMED:
        if words & named or (want in {"day", "time"} and set(name_words(described)[:2]) & named):
            return want, "", want not in {"email", "url", "phone"}
    if "number of" in described.lower() or words & {"number", "count", "size"}:
        return "number", "", True
    return "text", "", True


_STYLES: Final = {"day": "%Y-%m-%d", "moment": "%Y-%m-%dT%H:%M:%S", "time": "%H:%M:%S", "period": "month"}


@lru_cache(maxsize=512)
def _by_pattern(pattern: str, named: frozenset[str]) -> tuple[Want, str] | None:
    """The form that a pattern asks for; of figures alone only what `named` words of the calendar say they are."""
    try:
        compiled = re.compile(pattern)
    except re.error:
        return None
    if any(compiled.search(each) for each in _DECOYS):
        return None
    if "year" in named and compiled.fullmatch("2026"):
        return "period", "year"
    for sample, want, style in _SAMPLES:
        if compiled.search(sample) and (not sample.isdigit() or named):
            return want, style
    return None


def choices_of(schema: dict[str, Any]) -> list[Any]:
    """The values that a schema lists, by `enum`, `const` or constants in `oneOf`/`anyOf`."""
    if "const" in schema:
        return [schema["const"]]
    if isinstance(schema.get("enum"), list):
        return [each for each in schema["enum"] if each is not None]
    options = cast("list[dict[str, Any]]", schema.get("oneOf") or schema.get("anyOf") or [])
    return [each["const"] for each in options] if all("const" in each for each in options) else []


def _is_numeric(choice: Any) -> bool:
    if isinstance(choice, bool):
        return False
    return isinstance(choice, int | float) or re.fullmatch(r"\d+(?:\.\d+)?", str(choice)) is not None


def _unit(name: str, described: str) -> tuple[Measured | None, str | None]:
    """The unit of measure and the currency that a number is given in, by its name or description."""
    for source in (name, described):
        tokens = name_words(source)
        for said in (Words(source.replace("_", " ")).words, tokens):
            measured = _measured(said)
            if measured is not None:
                return measured, None
        for word in re.findall(r"\b[A-Z]{3}\b|[\u20ac$\u00a3]", source) + [
            each for each in tokens if len(each) > 3
        ]:
            code = currency(plain(word))
            if code is not None:
                return None, code
    return None, None


def _measured(words: list[str]) -> Measured | None:
    """The first unit that words name; a degree is one only with its scale."""
    for at, word in enumerate(words):
        found = unit_at(words, at)
        if found is None or word in {"degree", "degrees"} or (at and words[at - 1] in _FOR_EACH):
            continue
        led = at > 0 and words[at - 1] in {"in", "(", "["}
        if word in _ALSO_WORDS and not led:
            continue
        if word == "min" and not led and (at + 1 < len(words) or at == 0):
            # A `min_price` is the lowest one.
            continue
        if len(word) > 1 or word == "%" or found[0] > at + 1 or led:
            return found[1]
    return None


def _role(name: str, described: str) -> str:
    words = name.split("_")
    # "To" in a sentence leads to a verb: "copies to print".
    for source in (words, [each for each in name_words(described) if each != "to"]):
        joined = {*source, *(a + b for a, b in pairwise(source))}
        starts, ends = joined & _STARTS, joined & _ENDS
        if bool(starts) != bool(ends):
            return "start" if starts else "end"
    return ""


def _stay_role(slot: Slot) -> str:
    """The end of a stay that a parameter is: one arrives first and leaves last."""
    name = set(name_words(slot.path[-1]))
    if name & {"arrival", "arrive", "arriving"}:
        return "start"
    return "end" if name & {"departure", "depart", "leave", "leaving"} else slot.role


def _role_among(slot: Slot, all_slots: tuple[Slot, ...], about: str) -> str:
    """A beginning without an end is no range; a value that is moved goes "from" its old one "to" the new one."""
    peers = [
        each
        for each in all_slots
        if each is not slot and each.want == slot.want and choices_of(each.schema) == choices_of(slot.schema)
    ]
    if peers:
        lone = slot.role == "start" and slot.want != "text" and all(each.role != "end" for each in peers)
        return "" if lone else slot.role
    told = {stem(each) for each in name_words(f"{slot.schema.get('description', '')} {about}")}
    if told & _MOVING and slot.want not in {"text", "boolean"}:
        return "moved"
    return "" if slot.role == "start" else slot.role


def _direction(want: Want, described: str, about: str) -> Direction:
    if _FUTURE.search(described):
        return "future"
    if _PAST.search(described):
        return "past"
    if want == "period":
        return "future" if _COMING.search(f"{described} {about}") else "past"
    return "future"


def period_unit(slot: Slot) -> Unit:
    """The unit of a period that a slot wants."""
    return cast("Unit", slot.style or "month")
