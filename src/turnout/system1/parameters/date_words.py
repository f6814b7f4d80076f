"""Words for days and periods that are counted from today or from an edge, in five languages."""

from functools import cache
from typing import Final

from .calendar import Unit
from .languages import ENGLISH
from .text import several

OF: Final = several("of the in de del di du den des d ' der dieses diesen al la el")
AWAY: Final = {
    "en": {
        "last": -1,
        "previous": -1,
        "past": -1,
        "this": 0,
        "current": 0,
        "running": 0,
        "next": 1,
        "coming": 1,
    }
    | {"following": 1, "upcoming": 1, "prior": -1},
    "de": {
        stem + end: away
        for stem, away in (
            *(("letzte", -1), ("vorige", -1), ("vergangene", -1), ("diese", 0), ("laufende", 0)),
            *(("aktuelle", 0), ("nachste", 1), ("kommende", 1)),
        )
        for end in ("", "n", "r", "m", "s")
    }
    | {f"vorletzte{end}": -2 for end in ("", "n", "r", "m", "s")}
    | {f"ubernachste{end}": 2 for end in ("", "n", "r", "m", "s")}
    | {"vor": -1},
    "fr": {
        "ce": 0,
        "cette": 0,
        "cet": 0,
        "prochain": 1,
        "prochaine": 1,
        "dernier": -1,
        "derniere": -1,
        "passe": -1,
    },
    "es": {
        "este": 0,
        "esta": 0,
        "proximo": 1,
        "proxima": 1,
        "pasado": -1,
        "pasada": -1,
        "viene": 1,
        "ultimo": -1,
        "ultima": -1,
    },
    "it": {"questo": 0, "questa": 0, "prossimo": 1, "prossima": 1, "scorso": -1, "scorsa": -1, "passato": -1},
}
WAYS: Final = {-1: "last", 0: "this", 1: "next"}
NAMED: Final = {
    "en": {"today": 0, "tonight": 0, "tomorrow": 1, "tmrw": 1, "yesterday": -1},
    "de": {"heute": 0, "morgen": 1, "ubermorgen": 2, "gestern": -1, "vorgestern": -2},
    "fr": {"aujourd'hui": 0, "demain": 1, "hier": -1},
    "es": {"hoy": 0, "manana": 1, "ayer": -1, "anteayer": -2},
    "it": {"oggi": 0, "stasera": 0, "domani": 1, "dopodomani": 2, "ieri": -1},
}
PARTS_OF_DAY: Final = frozenset({"morning", "afternoon", "evening", "noon", "abend", "soir", "sera", "tarde"})
UNITS: Final[dict[str, Unit]] = {
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "woche": "week",
    "monat": "month",
    "monats": "month",
    "quartal": "quarter",
    "quartals": "quarter",
    "jahr": "year",
    "jahres": "year",
    "semaine": "week",
    "mois": "month",
    "trimestre": "quarter",
    "annee": "year",
    "an": "year",
    "semana": "week",
    "mes": "month",
    "ano": "year",
    "settimana": "week",
    "mese": "month",
    "anno": "year",
    "half": "half",
    "halbjahr": "half",
    "halbjahres": "half",
    "semestre": "half",
}
EDGES: Final = {
    "end": -1,
    "ende": -1,
    "fin": -1,
    "fine": -1,
    "final": -1,
    "close": -1,
    "start": 1,
    "beginning": 1,
    "begin": 1,
    "anfang": 1,
    "beginn": 1,
    "debut": 1,
    "principio": 1,
    "inicio": 1,
    "inizio": 1,
}


@cache
def away_words(code: str) -> dict[str, int]:
    """How far from the running week, month or year a word leads: "next" is 1."""
    return AWAY[ENGLISH] | AWAY[code]


@cache
def day_words(code: str) -> dict[str, int]:
    """How many days from today a word leads: "tomorrow" is 1."""
    return NAMED[ENGLISH] | NAMED[code]
