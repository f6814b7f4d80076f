"""What the choices of an enumeration are called where the schema has only codes: sizes, languages, countries, units.

Strategy: a table speaks for an enumeration only where all of its choices are in it, so that "M" is called medium
beside S and L, and nothing beside F.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from .text import plain
from .units import Unit, unit, words_of

_SIZES: Final = {
    "XXS": "double extra small|xx small",
    "XS": "extra small|x small|very small",
    "S": "small|klein|petit|petite|pequeno|pequena|piccolo|piccola",
    "M": "medium|mittel|moyen|moyenne|mediano|mediana|media",
    "L": "large|gross|grand|grande",
    "XL": "extra large|x large|very large|sehr gross",
    "XXL": "double extra large|xx large|2xl|double xl",
    "XXXL": "triple extra large|xxx large|3xl|triple xl",
}
_LANGUAGES: Final = {
    "en": "english|englisch|anglais|anglaise|ingles|inglese",
    "de": "german|deutsch|allemand|allemande|aleman|tedesco",
    "fr": "french|franzosisch|francais|francaise|frances|francese",
    "es": "spanish|spanisch|espagnol|espagnole|espanol|castellano|spagnolo",
    "it": "italian|italienisch|italien|italienne|italiano",
    "pt": "portuguese|portugiesisch|portugais|portugues|portoghese",
    "nl": "dutch|niederlandisch|hollandisch|neerlandais|neerlandes|olandese|nederlands",
    "pl": "polish|polnisch|polonais|polaco|polacco|polski",
    "cs": "czech|tschechisch|tcheque|checo|ceco",
    "sv": "swedish|schwedisch|suedois|sueco|svedese",
    "da": "danish|danisch|danois|danes|danese",
    "no": "norwegian|norwegisch|norvegien|noruego|norvegese",
    "fi": "finnish|finnisch|finnois|finlandes|finlandese",
    "el": "greek|griechisch|grec|griego|greco",
    "hu": "hungarian|ungarisch|hongrois|hungaro|ungherese",
    "ro": "romanian|rumanisch|roumain|rumano|rumeno",
    "ru": "russian|russisch|russe|ruso|russo",
    "uk": "ukrainian|ukrainisch|ukrainien|ucraniano|ucraino",
    "tr": "turkish|turkisch|turc|turco",
    "ar": "arabic|arabisch|arabe|arabo",
    "he": "hebrew|hebraisch|hebreu|hebreo|ebraico",
    "hi": "hindi",
    "zh": "chinese|mandarin|chinesisch|chinois|chino|cinese",
    "ja": "japanese|japanisch|japonais|japones|giapponese",
    "ko": "korean|koreanisch|coreen|coreano",
}
_COUNTRIES: Final = {
    "DE": "germany|deutschland|allemagne|alemania|germania",
    "AT": "austria|osterreich|autriche",
    "CH": "switzerland|schweiz|suisse|suiza|svizzera",
    "FR": "france|frankreich|francia",
    "ES": "spain|spanien|espagne|espana|spagna",
    "IT": "italy|italien|italie|italia",
    "PT": "portugal|portogallo",
    "NL": "netherlands|the netherlands|holland|niederlande|pays bas|paises bajos|olanda",
    "BE": "belgium|belgien|belgique|belgica|belgio",
    "LU": "luxembourg|luxemburg|luxemburgo|lussemburgo",
    "GB": "united kingdom|great britain|britain|uk|england|grossbritannien|royaume uni|reino unido|regno unito",
    "IE": "ireland|irland|irlande|irlanda",
    "US": "united states|united states of america|usa|america|the us|the states|etats unis|estados unidos"
    "|stati uniti",
    "CA": "canada|kanada",
    "MX": "mexico|mexiko|mexique|messico",
    "BR": "brazil|brasilien|bresil|brasil|brasile",
    "AU": "australia|australien|australie",
    "NZ": "new zealand|neuseeland|nouvelle zelande|nueva zelanda|nuova zelanda",
    "PL": "poland|polen|pologne|polonia",
    "CZ": "czechia|czech republic|tschechien|tchequie|chequia|cechia",
    "SK": "slovakia|slowakei|slovaquie|eslovaquia|slovacchia",
    "HU": "hungary|ungarn|hongrie|hungria|ungheria",
    "DK": "denmark|danemark|dinamarca|danimarca",
    "SE": "sweden|schweden|suede|suecia|svezia",
    "NO": "norway|norwegen|norvege|noruega|norvegia",
    "FI": "finland|finnland|finlande|finlandia",
    "GR": "greece|griechenland|grece|grecia",
    "RO": "romania|rumanien|roumanie|rumania",
    "HR": "croatia|kroatien|croatie|croacia|croazia",
    "SI": "slovenia|slowenien|slovenie|eslovenia",
    "TR": "turkey|turkei|turquie|turquia|turchia",
    "UA": "ukraine|ucrania|ucraina",
    "JP": "japan|japon|giappone",
    "CN": "china|chine|cina",
    "IN": "india|indien|inde",
    "KR": "south korea|korea|sudkorea|coree du sud|corea del sur|corea del sud",
    "SG": "singapore|singapur|singapour",
    "ZA": "south africa|sudafrika|afrique du sud|sudafrica",
}
_TABLES: Final = (_SIZES, _LANGUAGES, _COUNTRIES)
_FEWEST: Final = 2
_EVERY: Final = "every|each|once a|once per|once every|per"
# How often: the adverbs for it, the unit, and what other languages say.
_OFTEN: Final = (
    ("hourly", "hour", "stundlich|toutes les heures|cada hora|ogni ora"),
    ("daily", "day", "taglich|jeden tag|tous les jours|chaque jour|cada dia|todos los dias|ogni giorno"),
    (
        "weekly",
        "week",
        "wochentlich|jede woche|einmal pro woche|toutes les semaines|chaque semaine|cada semana|semanal|ogni settimana",
    ),
    (
        "biweekly fortnightly",
        "two weeks",
        "every 2 weeks|every other week|every second week|every fortnight|once a fortnight|bi weekly|every 14 days"
        "|alle zwei wochen|alle 2 wochen|zweiwochentlich|toutes les deux semaines|cada dos semanas"
        "|ogni due settimane",
    ),
    (
        "monthly",
        "month",
        "monatlich|jeden monat|einmal im monat|tous les mois|chaque mois|mensuel|cada mes|mensual|ogni mese|mensile",
    ),
    (
        "bimonthly",
        "two months",
        "every 2 months|every other month|every second month|alle zwei monate|tous les deux mois|cada dos meses",
    ),
    (
        "quarterly",
        "quarter",
        "every three months|every 3 months|vierteljahrlich|jedes quartal|quartalsweise|alle drei monate"
        "|tous les trimestres|chaque trimestre|trimestriel|cada trimestre|trimestral|ogni trimestre|trimestrale",
    ),
    (
        "semiannually semiannual biannual half_yearly",
        "six months",
        "every 6 months|every half year|half yearly|twice a year|halbjahrlich|alle sechs monate",
    ),
    (
        "yearly annually annual",
        "year",
        "every twelve months|every 12 months|jahrlich|jedes jahr|einmal im jahr|tous les ans|chaque annee|annuel"
        "|cada ano|anual|ogni anno|annuale",
    ),
    (
        "once one-time one_time onetime",
        "",
        "one time|one off|just once|only once|just the once|einmalig|einmal",
    ),
)
_SPELLINGS: Final = (
    "gray grey|color colour|center centre|canceled cancelled|organization organisation|license licence"
    "|theater theatre|check cheque|tire tyre|catalog catalogue|fiber fibre|meter metre|liter litre"
    "|pajamas pyjamas|aluminum aluminium|jewelry jewellery|traveler traveller|program programme"
    "|favorite favourite|harbor harbour|labor labour|neighbor neighbour"
)
_VARIANTS: Final = {
    one: other
    for american, british in (pair.split() for pair in _SPELLINGS.split("|"))
    for one, other in ((american, british), (british, american))
}


def names_of(value: str, choices: Sequence[str]) -> list[str]:
    """What a choice is called beside its own name, known from all the choices; plain words apart by blanks."""
    found: list[str] = []
    for table in _TABLES:
        if _speaks_for(table, choices):
            found += table[_key(table, value)].split("|")
    if len(choices) >= _FEWEST and all(_unit(each) for each in choices):
        found += words_of(_unit(value))
    found += _often().get(value.lower(), ())
    variants = [" ".join(_VARIANTS.get(word, word) for word in plain(value).split())]
    return found + [each for each in variants if each != plain(value)]


def _unit(value: str) -> Unit | None:
    """The unit that a choice is short for; "in" is one beside others."""
    return Unit("length", "in") if value == "in" else unit(plain(value))


def is_coded(choices: Sequence[str]) -> bool:
    """Whether the choices are codes of one of the tables, which are short words as well."""
    return any(_speaks_for(table, choices) for table in (_LANGUAGES, _COUNTRIES))


def _speaks_for(table: dict[str, str], choices: Sequence[str]) -> bool:
    return len(choices) >= _FEWEST and all(_key(table, each) in table for each in choices)


def _key(table: dict[str, str], value: str) -> str:
    """A code in the case of a table; sizes are written in capitals, or they are letters for something else."""
    if table is _SIZES:
        return value
    if table is _COUNTRIES:
        return "GB" if value.upper() == "UK" else value.upper()
    return value.lower()


@cache
def _often() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for adverbs, span, others in _OFTEN:
        leads = _EVERY.split("|") if " " not in span else ["every", "each", "once every"]
        names = (*adverbs.split(), *(f"{lead} {span}" for lead in leads if span), *others.split("|"))
        found |= dict.fromkeys(adverbs.split(), names)
    return found
