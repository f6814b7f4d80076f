"""What months, weekdays and numbers are called, for all that read what people write.

Words are plain: lower case, without accents.
"""

from typing import Final, NamedTuple


class Language(NamedTuple):
    """The words of one language, all plain (lower case, no accents), spellings of one thing apart by blanks."""

    months: tuple[str, ...]
    weekdays: tuple[str, ...]  # the full name first
    numbers: str  # from 0 on
    tens: tuple[str, ...] = ()  # from 20 on
    telling: str = ""  # short words by which the language is known


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
    " halb viertel quartal anderthalb mittags abends",
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
    " prochain prochaine dernier derniere aujourd'hui jours semaines demie midi minuit trimestre deuxieme",
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
_NL: Final = Language(
    months=(
        "januari",
        "februari feb",
        "maart",
        "april",
        "mei",
        "juni",
        "juli",
        "augustus",
        "september",
        "oktober",
        "november",
        "december",
    ),
    weekdays=("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"),
    numbers="nul een twee drie vier vijf zes zeven acht negen tien elf twaalf",
)
_PT: Final = Language(
    months=(
        "janeiro",
        "fevereiro",
        "marco",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ),
    weekdays=(
        "segunda-feira",
        "terca-feira",
        "quarta-feira",
        "quinta-feira",
        "sexta-feira",
        "sabado",
        "domingo",
    ),
    numbers="zero um dois tres quatro cinco seis sete oito nove dez onze doze",
)
LANGUAGES: Final = {"en": _EN, "de": _DE, "fr": _FR, "es": _ES, "it": _IT, "nl": _NL, "pt": _PT}
