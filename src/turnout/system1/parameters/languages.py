"""The words for numbers, months and days in the language that a text is written in."""

from functools import cache
from typing import Final

from turnout.model.languages import LANGUAGES

ENGLISH: Final = "en"
_READ: Final[tuple[str, ...]] = ("en", "de", "fr", "es", "it")


def language(words: list[str]) -> str:
    """The language that most of the words tell, English where nothing speaks for another one."""
    counts: dict[str, int] = dict.fromkeys(_READ, 0)
    telling = _telling()
    for word in words:
        for code in telling.get(word, ()):
            counts[code] += 1
        if len(word) > 7 and ("hundert" in word or "tausend" in word):
            counts["de"] += 1
        if len(word) > 7 and ("cento" in word or word.endswith("mila")):
            counts["it"] += 1
        if word.endswith("einhalb"):
            counts["de"] += 1
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] > counts[ENGLISH] else ENGLISH


def months(code: str) -> dict[str, int]:
    """The months of a language and of English by their names, 1 to 12."""
    return _named("months", code, 1)


def weekdays(code: str) -> dict[str, int]:
    """The weekdays of a language and of English by their names, Monday is 0."""
    return _named("weekdays", code, 0)


@cache
def small(code: str) -> dict[str, int]:
    """The numbers up to 19 in words, of a language and of English."""
    named = {
        word: value for each in _both(code) for value, word in enumerate(LANGUAGES[each].numbers.split())
    }
    if code != ENGLISH:
        named |= _ONES[code]
    return named


@cache
def tens(code: str) -> dict[str, int]:
    """The tens from 20 on in words, of a language and of English."""
    return (
        _TOGETHER
        | {
            word: 10 * value
            for each in _both(code)
            for value, words in enumerate(LANGUAGES[each].tens, 2)
            for word in words.split()
        }
        | _COMPOUND.get(code, {})
    )


# Words that tell a language where little else was said.
_ALSO_TELLING: Final[dict[str, str]] = {
    "de": "erstes zweites drittes viertes vorgestern vorletzte vorletzten vorletztes vorletzter letztes dutzend"
    " hundert tausend millionen halbe halben halbes stunde monat woche jahr tagen dreiviertel grad prozent"
    " nein ja kein keine komma unter null",
    "fr": "premier premiere deuxieme troisieme quatrieme degres quarts quart demi mille ans annee mois semaine"
    " heure prochain quinzaine carres virgule moins oui non",
    "es": "primer primero segundo tercer tercero dentro hace medio media mil cien ciento doscientos trescientos"
    " cuatrocientos quinientos seiscientos setecientos ochocientos novecientos anteayer pasado proximo"
    " proxima ultimo ultima cuarto docena coma bajo cero grados horas hora semana mes ano trimestre tarde manana dias",
    "it": "primo secondo terzo quarto altro dopodomani cento duecento trecento quattrocento cinquecento"
    " seicento settecento ottocento novecento dozzina virgola mila mezzo mezza mezz fa tra fra meno scorso"
    " scorsa prossimo prossima ieri oggi domani gradi settimana mese anno ora ore trimestre alle"
    " pomeriggio sera giorni",
}
_ONES: Final[dict[str, dict[str, int]]] = {
    "de": dict.fromkeys(("ein", "eine", "einen", "einem", "einer"), 1) | {"zwo": 2},
    "fr": {"une": 1},
    "es": {"un": 1, "una": 1},
    "it": {"un": 1, "una": 1},
}


def _compounds(code: str) -> dict[str, int]:
    """The numbers from 21 to 99 that a language writes as one word."""
    language = LANGUAGES[code]
    found: dict[str, int] = {}
    for value, ten in enumerate(language.tens, 2):
        for one in range(1, 10):
            word = language.numbers.split()[one]
            if code == "de":
                found[("ein" if one == 1 else word) + "und" + ten] = 10 * value + one
            elif code == "es":
                found["veinti" + word] = 20 + one
            else:
                stem = ten[:-1] if one in {1, 8} else ten
                found[stem + word] = 10 * value + one
    return found


_COMPOUND: Final = {code: _compounds(code) for code in ("de", "es", "it")}


# "Sixtyfive", as many write it.
_TOGETHER: Final = {
    ten.split()[0] + one: 10 * tenfold + ones
    for tenfold, ten in enumerate(LANGUAGES[ENGLISH].tens, 2)
    for ones, one in enumerate(LANGUAGES[ENGLISH].numbers.split()[1:10], 1)
}


def _both(code: str) -> tuple[str, ...]:
    return (ENGLISH,) if code == ENGLISH else (ENGLISH, code)


@cache
def _named(field: str, code: str, first: int) -> dict[str, int]:
    return {
        word: at
        for each in _both(code)
        for at, words in enumerate(getattr(LANGUAGES[each], field), first)
        for word in words.split()
    }


@cache
def _telling() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for code in _READ:
        each = LANGUAGES[code]
        words = {*each.telling.split(), *each.numbers.split()[2:], *each.tens, *_COMPOUND.get(code, {})}
        words |= set(_ALSO_TELLING.get(code, "").split())
        for names in (*each.months, *each.weekdays):
            words |= set(names.split())
        for word in words:
            found.setdefault(word, []).append(code)
    return {word: tuple(codes) for word, codes in found.items()}
