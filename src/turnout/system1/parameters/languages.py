"""Words for numbers, months, days and units in five languages, and which of them a text is written in."""

from functools import cache
from typing import Final, NamedTuple

ENGLISH: Final = "en"


class Language(NamedTuple):
    """The words of one language, all plain (lower case, no accents), spellings of one thing apart by blanks."""

    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    numbers: str  # from 0 on
    tens: tuple[str, ...]  # from 20 on
    telling: str  # short words by which the language is known


_EN: Final = Language(
    months=(
        "january jan",
        "february feb",
        "march mar",
        "april apr",
        "may",
        "june jun",
        "july jul",
        "august aug",
        "september sep sept",
        "october oct",
        "november nov",
        "december dec",
    ),
    weekdays=(
        "monday mon",
        "tuesday tue tues",
        "wednesday wed weds",
        "thursday thu thur thurs",
        "friday fri",
        "saturday sat",
        "sunday sun",
    ),
    numbers=(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
        " sixteen seventeen eighteen nineteen"
    ),
    tens=("twenty", "thirty", "forty fourty", "fifty", "sixty", "seventy", "eighty", "ninety"),
    telling="the of and to for at on is please my with from this that it until by are what would like",
)
_DE: Final = Language(
    months=(
        "januar jan janner",
        "februar feb",
        "marz mrz",
        "april apr",
        "mai",
        "juni jun",
        "juli jul",
        "august aug",
        "september sep sept",
        "oktober okt",
        "november nov",
        "dezember dez",
    ),
    weekdays=(
        "montag montags",
        "dienstag dienstags",
        "mittwoch mittwochs",
        "donnerstag donnerstags",
        "freitag freitags",
        "samstag sonnabend",
        "sonntag sonntags",
    ),
    numbers=(
        "null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn"
        " sechzehn siebzehn achtzehn neunzehn"
    ),
    tens=("zwanzig", "dreissig", "vierzig", "funfzig", "sechzig", "siebzig", "achtzig", "neunzig"),
    telling="der die das den dem und fur um am im bis vom zum bitte ich mir uns mit von auf ist ein eine einen nach uhr"
    " heute morgen ubermorgen gestern nachsten nachste nachster letzten letzter kommenden stunden minuten tage wochen"
    " halb viertel anderthalb mittags abends",
)
_FR: Final = Language(
    months=(
        "janvier",
        "fevrier",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "aout",
        "septembre",
        "octobre",
        "novembre",
        "decembre",
    ),
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    numbers=(
        "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
        " dix-sept dix-huit dix-neuf"
    ),
    tens=("vingt vingts", "trente", "quarante", "cinquante", "soixante", "", "", ""),
    telling="le la les du des et pour je vous nous est une au aux dans avec jusqu heures demain hier moi mon sur"
    " prochain prochaine dernier derniere aujourd'hui jours semaines demie midi minuit",
)
_ES: Final = Language(
    months=(
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre setiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ),
    weekdays=("lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo"),
    numbers=(
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis"
        " diecisiete dieciocho diecinueve"
    ),
    tens=("veinte", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"),
    telling="el los las del y para por un una en con hasta desde mi manana hoy ayer favor horas proximo proxima pasado"
    " dias semanas media mediodia medianoche",
)
_IT: Final = Language(
    months=(
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ),
    weekdays=("lunedi", "martedi", "mercoledi", "giovedi", "venerdi", "sabato", "domenica"),
    numbers=(
        "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici"
        " sedici diciassette diciotto diciannove"
    ),
    tens=("venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"),
    telling="il lo gli della dello alle dalle e per un una con fino domani oggi ieri mio prossimo prossima scorso"
    " favore ore giorni settimane nel al mezza mezzo mezzogiorno mezzanotte",
)
LANGUAGES: Final = {"en": _EN, "de": _DE, "fr": _FR, "es": _ES, "it": _IT}


def language(words: list[str]) -> str:
    """The language that most of the words tell, English where nothing speaks for another one."""
    counts = dict.fromkeys(LANGUAGES, 0)
    telling = _telling()
    for word in words:
        for code in telling.get(word, ()):
            counts[code] += 1
        if len(word) > 7 and ("hundert" in word or "tausend" in word):
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
    return {
        word: 10 * value
        for each in _both(code)
        for value, words in enumerate(LANGUAGES[each].tens, 2)
        for word in words.split()
    } | _COMPOUND.get(code, {})


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
    for code, each in LANGUAGES.items():
        words = {*each.telling.split(), *each.numbers.split()[2:], *each.tens, *_COMPOUND.get(code, {})}
        for names in (*each.months, *each.weekdays):
            words |= set(names.split())
        for word in words:
            found.setdefault(word, []).append(code)
    return {word: tuple(codes) for word, codes in found.items()}
