"""Countries, states, large cities and nationalities by their English names.

The next request may name another one than the examples did.
"""

from functools import cache
from typing import Final

from .text import Words

_COUNTRIES: Final = (
    "afghanistan albania algeria andorra angola argentina armenia aruba australia austria azerbaijan"
    " bahamas bahrain bangladesh barbados belarus belgium belize benin bermuda bhutan bolivia botswana"
    " brazil brunei bulgaria burundi cambodia cameroon canada chad chile china colombia comoros congo"
    " croatia cuba curacao cyprus czechia denmark djibouti dominica ecuador egypt england eritrea estonia"
    " eswatini ethiopia fiji finland france gabon gambia georgia germany ghana gibraltar greece greenland"
    " grenada guadeloupe guam guatemala guinea guyana haiti honduras hungary iceland india indonesia iran"
    " iraq ireland israel italy jamaica japan jordan kazakhstan kenya kiribati kosovo kuwait kyrgyzstan"
    " laos latvia lebanon lesotho liberia libya liechtenstein lithuania luxembourg macao macedonia"
    " madagascar malawi malaysia maldives mali malta martinique mauritania mauritius mayotte mexico"
    " micronesia moldova monaco mongolia montenegro montserrat morocco mozambique myanmar namibia nauru"
    " nepal netherlands nicaragua niger nigeria norway oman pakistan palau palestine panama paraguay peru"
    " philippines poland portugal qatar romania russia rwanda samoa scotland senegal serbia seychelles"
    " singapore slovakia slovenia somalia spain sudan suriname swaziland sweden switzerland syria taiwan"
    " tajikistan tanzania thailand togo tonga tunisia turkey turkmenistan tuvalu uganda ukraine uruguay"
    " usa uk uae uzbekistan vanuatu venezuela vietnam wales yemen zambia zimbabwe"
)
_COUNTRIES_OF_MORE_WORDS: Final = (
    "antigua and barbuda|bosnia and herzegovina|burkina faso|cape verde|cayman islands"
    "|central african republic|cook islands|costa rica|czech republic|dominican republic|east timor"
    "|el salvador|equatorial guinea|falkland islands|faroe islands|french guiana|great britain"
    "|guinea bissau|hong kong|ivory coast|marshall islands|new caledonia|new zealand|north korea"
    "|northern ireland|papua new guinea|puerto rico|saint lucia|san marino|saudi arabia|sierra leone"
    "|solomon islands|south africa|south korea|south sudan|sri lanka|trinidad and tobago"
    "|united arab emirates|united kingdom|united states|united states of america|vatican city"
    "|virgin islands|western sahara"
)
_STATES: Final = (
    "alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho"
    " illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota"
    " mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah"
    " vermont virginia wisconsin wyoming al ak az ar ca co ct de fl ga hi ia id il ks ky la ma md mi mn mo"
    " ms mt nc nd ne nh nj nm nv ny oh ok or pa ri sc sd tn tx ut va vt wa wi wv wy dc ontario quebec"
    " alberta manitoba saskatchewan queensland tasmania"
)
_STATES_OF_MORE_WORDS: Final = (
    "new hampshire|new jersey|new mexico|new york|north carolina|north dakota|rhode island|south carolina"
    "|south dakota|west virginia|washington dc|british columbia|nova scotia|new brunswick|new south wales"
)
_CITIES: Final = (
    "amsterdam athens atlanta auckland austin baltimore bangkok barcelona beijing berlin birmingham"
    " bogota boston brisbane brooklyn brussels budapest cairo calgary charlotte chicago cincinnati"
    " cleveland cologne copenhagen dallas delhi denver detroit dublin edinburgh florence frankfurt geneva"
    " glasgow hamburg helsinki houston indianapolis istanbul jacksonville jakarta johannesburg kyoto leeds"
    " lima lisbon liverpool london lyon madrid manchester manila marseille melbourne memphis miami milan"
    " milwaukee minneapolis montreal moscow mumbai munich nairobi naples nashville oakland orlando osaka"
    " oslo ottawa paris philadelphia phoenix pittsburgh portland prague rome rotterdam sacramento seattle"
    " seoul shanghai stockholm sydney tampa tokyo toronto tucson turin vancouver venice vienna warsaw"
    " zurich"
)
_CITIES_OF_MORE_WORDS: Final = (
    "buenos aires|cape town|fort worth|hong kong city|kansas city|las vegas|los angeles|mexico city"
    "|new delhi|new orleans|new york city|rio de janeiro|salt lake city|san antonio|san diego"
    "|san francisco|san jose|santa fe|sao paulo|st louis|tel aviv"
)
_NATIONALITIES: Final = (
    "african american arab argentinian asian australian austrian belgian brazilian british bulgarian"
    " cajun canadian caribbean chinese colombian croatian cuban czech danish dutch egyptian english"
    " ethiopian european filipino finnish french georgian german greek hawaiian hungarian indian"
    " indonesian iranian irish israeli italian jamaican japanese jewish korean latin lebanese malaysian"
    " mediterranean mexican moroccan nepalese norwegian pakistani persian peruvian polish portuguese"
    " romanian russian scandinavian scottish serbian sicilian spanish swedish swiss taiwanese thai tibetan"
    " tunisian turkish ukrainian venezuelan vietnamese welsh"
)
# Short forms that are words as well.
_ALSO_WORDS: Final = frozenset(
    {"al", "co", "de", "hi", "id", "il", "in", "la", "ma", "me", "mi", "ok", "or", "pa"}
)
_MOST_WORDS: Final = 4


def place(words: Words, at: int) -> tuple[int, str] | None:
    """The place or nationality that begins with a word: where it ends, and its kind."""
    names = _names()
    for end in range(min(len(words), at + _MOST_WORDS), at, -1):
        kind = names.get(tuple(words.words[at:end]))
        if kind is not None:
            return end, kind
    return None


@cache
def _names() -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    for kind, single, several in (
        ("country", _COUNTRIES, _COUNTRIES_OF_MORE_WORDS),
        ("state", _STATES, _STATES_OF_MORE_WORDS),
        ("city", _CITIES, _CITIES_OF_MORE_WORDS),
        ("nationality", _NATIONALITIES, ""),
    ):
        for name in (*single.split(), *several.split("|")):
            if name and name not in _ALSO_WORDS:
                found.setdefault(tuple(name.split()), kind)
    return found
