"""A small catalogue with a scorer and an extraction that are just good enough to test what stands on them."""

import re
from collections.abc import Sequence
from typing import Any

from turnout.model import V
from turnout.model.utterance import Turn
from turnout.model.utterance.words import word_set
from turnout.system1.asked import Reading
from turnout.system1.composing import calls
from turnout.system1.compound import read
from turnout.system1.followup import Outcome, follow
from turnout.system1.scores import Scores, Thresholds
from turnout.system1.speech import Gate

EXAMPLES: dict[str, tuple[str, ...]] = {
    "restart": ("restart api", "reboot the web service", "bounce the worker please"),
    "scale": ("scale web to 3 replicas", "run 5 replicas of api"),
    "report": ("send the report for March", "mail the April report to Anna"),
    "room": ("book a room on Monday", "reserve a room for 4 people on Friday"),
    "tickets": ("show my open tickets", "list the tickets of Anna"),
    "lock": ("lock the front door", "lock up the garage door"),
    "ticket": ("open a ticket about the printer", "create a ticket titled Broken chair"),
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "restart": {"properties": {"service": {"enum": ["api", "web", "worker"]}}, "required": ["service"]},
    "scale": {
        "properties": {"service": {"enum": ["api", "web", "worker"]}, "replicas": {"type": "integer"}},
        "required": ["service", "replicas"],
    },
    "report": {
        "properties": {
            "month": {"enum": ["January", "February", "March", "April", "May"]},
            "to": {"enum": ["Anna", "Bo", "Carla"]},
        },
        "required": ["month"],
    },
    "room": {
        "properties": {
            "day": {"enum": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]},
            "people": {"type": "integer"},
        },
        "required": ["day"],
    },
    "tickets": {"properties": {"of": {"enum": ["Anna", "Bo", "Carla"]}}, "required": []},
    "lock": {"properties": {"door": {"enum": ["front", "garage"]}}, "required": ["door"]},
    "ticket": {"properties": {"title": {"type": "string"}}, "required": ["title"]},
}
GATE = Gate.learn(EXAMPLES)
BARS = Thresholds(ours=0.5, margin=0.15)

_COMMON = word_set("a the for to on my of please you it and up about in is at all with this that i")
_TELLING = {
    action: frozenset(re.findall(r"[a-z]+", " ".join(texts).lower())) - _COMMON
    for action, texts in EXAMPLES.items()
}


class Value(V, frozen=True, kw_only=True):
    """A value and where it stands."""

    value: Any
    start: int
    end: int


class Extracted(V, frozen=True, kw_only=True):
    """What was found in a text."""

    values: dict[str, Value] = {}
    missing: tuple[str, ...] = ()
    ambiguous: dict[str, tuple[Any, ...]] = {}
    invalid: dict[str, Any] = {}


def score(text: str) -> Scores:
    """The share of the telling words that an action's examples hold, verbs counting three times."""
    words = [word for word in re.findall(r"[a-z]+", text.lower()) if word not in _COMMON]
    verbs = {texts[at].lower().split()[0] for texts in EXAMPLES.values() for at in range(len(texts))}
    weights = {word: 3 if word in verbs else 1 for word in words}
    total = sum(weights.values()) or 1
    shares = {
        action: sum(weight for word, weight in weights.items() if word in telling) / total
        for action, telling in _TELLING.items()
    }
    whole = sum(share**3 for share in shares.values()) or 1.0
    ranked = sorted(
        ((action, share**3 / whole) for action, share in shares.items()), key=lambda each: -each[1]
    )
    return Scores(ours=max(shares.values()), ranked=tuple(ranked))


def extract(_action: str, schema: dict[str, Any], text: str) -> Extracted:
    """Words of an enum, and one whole number."""
    values: dict[str, Value] = {}
    ambiguous: dict[str, tuple[Any, ...]] = {}
    for name, wants in schema["properties"].items():
        source = "|".join(wants["enum"]) if "enum" in wants else r"\d+" if wants["type"] == "integer" else ""
        if not source:
            titled = re.search(r"(?:titled|about|called) (.+)", text)
            if titled:
                values[name] = Value(value=titled[1].strip(" ."), start=titled.start(1), end=titled.end(1))
            continue
        hits = list(re.finditer(rf"\b(?:{source})\b", text, re.IGNORECASE))
        found = [
            next((v for v in wants.get("enum", ()) if v.lower() == hit[0].lower()), hit[0]) for hit in hits
        ]
        if len(set(found)) == 1:
            value = int(found[0]) if "enum" not in wants else found[0]
            values[name] = Value(value=value, start=hits[0].start(), end=hits[0].end())
        elif found:
            ambiguous[name] = tuple(found)
    missing = tuple(
        name for name in schema.get("required", ()) if name not in values and name not in ambiguous
    )
    return Extracted(values=values, missing=missing, ambiguous=ambiguous)


def reading(text: str) -> Reading:
    """What the text asks for in this catalogue."""
    return read(text, score, gate=GATE, thresholds=BARS)


def asked(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The calls of a text by itself."""
    return [(call.action_id, call.params) for call in calls(reading(text), extract, SCHEMAS)]


def conversation(*texts: str) -> Outcome:
    """What the last text asks for; user and assistant take turns, the user is the last."""
    turns: Sequence[Turn] = [
        Turn(speaker="user" if (len(texts) - at) % 2 else "assistant", text=text)
        for at, text in enumerate(texts)
    ]
    return follow(turns, read=reading, extract=extract, schemas=SCHEMAS)
