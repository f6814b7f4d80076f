"""Units of measure and currencies: by which words they go, and how one is expressed in another."""

from decimal import Decimal
from functools import cache
from typing import Final, NamedTuple

_CURRENCIES: Final = {
    "EUR": "\u20ac eur euro euros",
    "USD": "$ usd us$ dollar dollars buck bucks dolar dolares dollari",
    "GBP": "\u00a3 gbp pound pounds quid sterling pfund livres libras sterline",
    "CHF": "chf franken francs franc sfr",
    "JPY": "\u00a5 jpy yen",
    "CNY": "cny rmb yuan renminbi",
    "INR": "\u20b9 inr rupee rupees",
    "SEK": "sek kronor krona",
    "NOK": "nok",
    "DKK": "dkk",
    "PLN": "pln zloty zlotys",
    "CZK": "czk",
    "HUF": "huf forint",
    "AUD": "aud a$",
    "CAD": "cad c$",
    "NZD": "nzd",
    "SGD": "sgd",
    "HKD": "hkd",
    "BRL": "brl reais",
    "MXN": "mxn pesos",
    "ZAR": "zar rand",
    "TRY": "\u20ba lira",
    "KRW": "\u20a9 krw won",
}
_CENTS: Final = {
    "cent": "",
    "cents": "",
    "pence": "GBP",
    "penny": "GBP",
    "p": "GBP",
    "centimes": "",
    "centimos": "",
}
_KINDS_OF_DOLLAR: Final = {
    "us": "USD",
    "american": "USD",
    "canadian": "CAD",
    "australian": "AUD",
    "singapore": "SGD",
    "swiss": "CHF",
    "british": "GBP",
    "hong": "HKD",
}
# Of each dimension: unit, factor to the first unit, words.
_UNITS: Final[dict[str, tuple[tuple[str, str, str], ...]]] = {
    "mass": (
        ("g", "1", "g gram grams gramme grammes gramm grammi gramo gramos grammo gr"),
        (
            "kg",
            "1000",
            "kg kgs kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes chilo chili kilogramos",
        ),
        ("mg", "0.001", "mg milligram milligrams milligramm"),
        ("t", "1000000", "t ton tons tonne tonnes tonnen"),
        ("lb", "453.59237", "lb lbs pound pounds"),
        ("oz", "28.349523125", "oz ounce ounces"),
        ("st", "6350.29318", "stone stones"),
    ),
    "length": (
        ("m", "1", "m metre metres meter meters metro metros metri"),
        ("cm", "0.01", "cm centimetre centimetres centimeter centimeters zentimeter centimetri centimetros"),
        ("mm", "0.001", "mm millimetre millimetres millimeter millimeters"),
        (
            "km",
            "1000",
            "km kms kilometre kilometres kilometer kilometers chilometri chilometro kilometros kilometro",
        ),
        ("in", "0.0254", "inch inches"),
        ("ft", "0.3048", "ft foot feet"),
        ("yd", "0.9144", "yd yard yards"),
        ("mi", "1609.344", "mi mile miles"),
        ("nmi", "1852", "nmi"),
    ),
    "volume": (
        ("l", "1", "l litre litres liter liters litri litro litros ltr"),
        ("ml", "0.001", "ml millilitre millilitres milliliter milliliters"),
        ("dl", "0.1", "dl deciliter deciliters decilitre decilitres deziliter decilitri"),
        ("hl", "100", "hl hectolitre hectolitres hektoliter"),
        ("cl", "0.01", "cl centilitre centilitres"),
        ("m3", "1000", "m3 cbm kubikmeter"),
        ("gal", "3.785411784", "gallon gallons"),
    ),
    "temperature": (
        ("C", "1", "celsius c"),
        ("F", "1", "fahrenheit f"),
        ("K", "1", "kelvin"),
        ("deg", "1", "degree degrees grad degre degres grado grados gradi deg"),
    ),
    "percent": (("%", "1", "% percent pct prozent pourcent"),),
    "data": (
        ("mb", "1", "mb megabyte megabytes mib meg megs"),
        ("kb", "0.001", "kb kilobyte kilobytes kib"),
        ("gb", "1000", "gb gigabyte gigabytes gib gig gigs"),
        ("tb", "1000000", "tb terabyte terabytes tib"),
    ),
    "power": (
        ("w", "1", "w watt watts"),
        ("kw", "1000", "kw kilowatt kilowatts"),
        ("mw", "1000000", "megawatt megawatts"),
    ),
    "energy": (("kwh", "1", "kwh"), ("wh", "0.001", "wh"), ("mwh", "1000", "mwh")),
    "speed": (
        ("km/h", "1", "kmh kph km/h kmph stundenkilometer"),
        ("mph", "1.609344", "mph mi/h"),
        ("m/s", "3.6", "m/s"),
        ("kn", "1.852", "knots"),
    ),
    "area": (
        ("m2", "1", "m2 sqm qm quadratmeter"),
        ("ft2", "0.09290304", "ft2 sqft"),
        ("km2", "1000000", "km2 quadratkilometer"),
        ("ha", "10000", "ha hectare hectares hektar"),
        ("acre", "4046.8564224", "acre acres"),
    ),
    "pressure": (
        ("bar", "1", "bar bars"),
        ("mbar", "0.001", "mbar millibar hpa"),
        ("kpa", "0.01", "kpa kilopascal kilopascals"),
        ("psi", "0.0689475729", "psi"),
        ("atm", "1.01325", "atm"),
    ),
    "time": (
        ("ms", "0.001", "ms millisecond milliseconds"),
        ("s", "1", "s sec secs second seconds sekunde sekunden secondes segundos secondi"),
        ("min", "60", "min mins minute minutes minuten minutos minuti"),
        ("h", "3600", "h hr hrs hour hours stunde stunden heure heures hora horas ora ore"),
        ("d", "86400", "day days tag tage tagen jour jours dia dias giorno giorni night nights nacht nachte"),
        ("wk", "604800", "week weeks woche wochen semaine semaines semanas settimane"),
        ("mo", "0", "month months monat monate mois meses mesi"),
        ("yr", "0", "year years jahr jahre ans annees anos anni"),
    ),
}


class Unit(NamedTuple):
    """A unit of measure and the dimension it belongs to."""

    dimension: str
    name: str


def unit(word: str) -> Unit | None:
    """The unit that a plain word names, time and percent included."""
    return _named().get(word)


def words_of(named: Unit | None) -> tuple[str, ...]:
    """The words that name a unit."""
    return tuple(word for word, each in _named().items() if each == named)


def unit_at(words: list[str], at: int) -> tuple[int, Unit] | None:
    """The unit that begins with a word, of several words too: `km/h`, `kilometres per hour`, `square metres`, `m2`.

    Returns where it ends, and the unit.
    """
    word, after = _at(words, at), _at(words, at + 1)
    if word == "\u00b0" and after in {"c", "f"}:
        return at + 2, Unit("temperature", after.upper())
    if word == "metric" and unit(after) == Unit("mass", "t"):
        return at + 2, Unit("mass", "t")
    if word == "nautical" and unit(after) == Unit("length", "mi"):
        return at + 2, Unit("length", "nmi")
    power = "2" if word in _SQUARE else "3" if word in _CUBIC else ""
    if power:
        squared = unit(after)
        found = (
            unit(f"{squared.name}{power}") if squared is not None and squared.dimension == "length" else None
        )
        return (at + 2, found) if found is not None else None
    found = unit(word)
    if found is None:
        return None
    after = "2" if after in _SQUARED else "3" if after in _CUBED else after
    if found.dimension == "length" and after in {"2", "3"}:
        raised = unit(found.name + after)
        return (at + 2, raised) if raised is not None else (at + 1, found)
    if after in {"/", "per", "an", "a", "pro", "par", "por", "all"} and found.dimension == "length":
        end = at + 3 if _at(words, at + 2) in {"'", "l"} else at + 2
        over = unit(_at(words, end)) if _at(words, end) not in {"min"} else None
        rate = unit(f"{found.name}/{over.name}") if over is not None and over.dimension == "time" else None
        if rate is not None:
            return end + 1, rate
    return at + 1, found


def _at(words: list[str], at: int) -> str:
    return words[at] if at < len(words) else ""


_SQUARE: Final = frozenset({"square", "sq", "quadrat"})
_SQUARED: Final = frozenset({"carres", "carre", "cuadrados", "cuadrado", "quadri", "quadrati", "quadrato"})
_CUBED: Final = frozenset({"cubes", "cube", "cubicos", "cubico", "cubi", "cubo"})
_CUBIC: Final = frozenset({"cubic", "cu", "kubik"})


def currency(word: str) -> str | None:
    """The ISO 4217 code of the currency that a plain word or sign names."""
    return _currencies().get(word)


def cents_of(word: str) -> str | None:
    """The currency whose hundredth a word names, `""` where it goes with several, `None` where it names none."""
    return _CENTS.get(word)


def kind_of_dollar(word: str) -> str | None:
    """The currency that a country's adjective before "dollars" (or "francs", "pounds") names."""
    return _KINDS_OF_DOLLAR.get(word)


def convert(value: Decimal, source: Unit, target: Unit, places: int = 6) -> Decimal | None:
    """A value in another unit, rounded to so many places; `None` where the units don't measure the same."""
    if source == target:
        return value
    if source.dimension != target.dimension:
        return None
    if source.dimension == "temperature":
        return _temperature(value, source.name, target.name)
    factor, base = _factors()[source], _factors()[target]
    if not factor or not base:
        return value * 12 if (source.name, target.name) == ("yr", "mo") else None
    return round(value * factor / base, places).normalize() + 0


def _temperature(value: Decimal, source: str, target: str) -> Decimal | None:
    if "deg" in {source, target}:
        return value
    celsius = {"C": value, "F": (value - 32) * 5 / 9, "K": value - Decimal("273.15")}[source]
    found = {"C": celsius, "F": celsius * 9 / 5 + 32, "K": celsius + Decimal("273.15")}[target]
    return round(found, 6).normalize() + 0


@cache
def _named() -> dict[str, Unit]:
    return {
        word: Unit(dimension, name)
        for dimension, units in _UNITS.items()
        for name, _, words in units
        for word in words.split()
    }


@cache
def _factors() -> dict[Unit, Decimal]:
    return {
        Unit(dimension, name): Decimal(factor)
        for dimension, units in _UNITS.items()
        for name, factor, _ in units
    }


@cache
def _currencies() -> dict[str, str]:
    return {word: code for code, words in _CURRENCIES.items() for word in words.split()}
