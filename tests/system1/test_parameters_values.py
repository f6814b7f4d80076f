"""One value in many spellings, read by the schema of its parameter; nothing where it is not clear."""

import datetime
from typing import Any

import pytest

from turnout.system1.parameters import extract

NOW = datetime.datetime(2026, 11, 30, 12, 0)  # a Monday

DATE = {"type": "string", "format": "date", "description": "day of the delivery"}
PAST_DATE = {"type": "string", "format": "date", "description": "day on which it happened"}
TIME = {"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$", "description": "when the shop opens"}
MOMENT = {"type": "string", "format": "date-time", "description": "start (YYYY-MM-DDTHH:MM)"}
LENGTH = {"type": "string", "format": "duration", "description": "how long"}
MONTH = {"type": "string", "pattern": r"^\d{4}-(0[1-9]|1[0-2])$", "description": "month of the report"}
QUARTER = {"type": "string", "pattern": r"^\d{4}-Q[1-4]$", "description": "quarter of the report"}
NUMBER = {"type": "number", "description": "how many"}
PIECES = {"type": "integer", "description": "number of pieces", "minimum": 1}
GRAMS = {"type": "number", "description": "weight in grams"}
CENTIMETRES = {"type": "number", "description": "height in centimetres"}
CELSIUS = {"type": "number", "description": "degrees Celsius"}
PERCENT = {"type": "number", "description": "share in percent"}
MINUTES = {"type": "integer", "description": "length in minutes"}
EUROS = {"type": "number", "description": "price in EUR"}
PHONE = {"type": "string", "pattern": r"^\+[1-9]\d{6,14}$", "description": "phone in E.164 form"}
EMAIL = {"type": "string", "format": "email"}
URL = {"type": "string", "format": "uri"}
CODE = {"type": "string", "pattern": r"^ORD-\d{4}$", "description": "order number"}
CURRENCY = {"type": "string", "enum": ["EUR", "USD", "GBP", "CHF"], "description": "currency"}


def read(schema: dict[str, Any], text: str) -> Any:
    """The only parameter's value, a list of what it may be, or `None`."""
    form = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    found = extract(form, text, now=NOW)
    if found.ambiguous:
        return sorted(found.ambiguous["x"])
    if found.invalid:
        return ("invalid", found.invalid["x"])
    return found.values["x"].value if found.values else None


DATES = {
    "tomorrow": "2026-12-01",
    "the day after tomorrow": "2026-12-02",
    "today please": "2026-11-30",
    "on Thursday": "2026-12-03",
    "this Saturday": "2026-12-05",
    "next Monday": "2026-12-07",
    "Wednesday next week": "2026-12-09",
    "Wednesday of next week": "2026-12-09",
    "a week from tomorrow": "2026-12-08",
    "a week on Friday": "2026-12-11",
    "in three days": "2026-12-03",
    "in a fortnight": "2026-12-14",
    "two weeks from today": "2026-12-14",
    "in two months": "2027-01-30",
    "on the 15th": "2026-12-15",
    "the 15th of January": "2027-01-15",
    "15 January 2027": "2027-01-15",
    "January 15": "2027-01-15",
    "Jan 15th, 2027": "2027-01-15",
    "15-01-2027": "2027-01-15",
    "15/01/2027": "2027-01-15",
    "15.1.2027": "2027-01-15",
    "2027-01-15": "2027-01-15",
    "Friday 4 December": "2026-12-04",
    "Friday, December 4th": "2026-12-04",
    "the end of the month": "2026-11-30",
    "end of next month": "2026-12-31",
    "the first of March": "2027-03-01",
    "the twenty-first of December": "2026-12-21",
    "the first Monday of January": "2027-01-04",
    "the last Friday of next month": "2026-12-25",
    "the 3rd of next month": "2026-12-03",
    "New Year's Eve": "2026-12-31",
    "Christmas Eve": "2026-12-24",
    "am 24. Dezember": "2026-12-24",
    "\u00fcbermorgen": "2026-12-02",
    "n\u00e4chsten Montag": "2026-12-07",
    "am ersten Februar": "2027-02-01",
    "le 14 juillet": "2027-07-14",
    "demain": "2026-12-01",
    "el 3 de marzo": "2027-03-03",
    "ma\u00f1ana": "2026-12-01",
    "il 5 gennaio": "2027-01-05",
    "31 April": None,
    "sometime soon": None,
    "in March": None,
    "03/04": ["2027-03-04", "2027-04-03"],
    "05/06/2027": ["2027-05-06", "2027-06-05"],
    "next Friday": ["2026-12-04", "2026-12-11"],
    "end of next week": ["2026-12-11", "2026-12-13"],
    "Tuesday or Wednesday": ["2026-12-01", "2026-12-02"],
    "Tuesday, no, Wednesday": "2026-12-02",
}
TIMES = {
    "at 9 am": "09:00",
    "9:30": "09:30",
    "14:05": "14:05",
    "7 p.m.": "19:00",
    "half past eight in the evening": "20:30",
    "quarter to six in the morning": "05:45",
    "a quarter past nine": "09:15",
    "ten to twelve": "11:50",
    "five thirty pm": "17:30",
    "noon": "12:00",
    "midnight": "00:00",
    "12 am": "00:00",
    "12:15 pm": "12:15",
    "eight o'clock": "08:00",
    "at 3 in the afternoon": "15:00",
    "1730 hours": "17:30",
    "evening 7:30": "19:30",
    "um 8 Uhr": "08:00",
    "halb neun": "08:30",
    "Viertel nach neun": "09:15",
    "20 Uhr 15": "20:15",
    "\u00e0 15h30": "15:30",
    "neuf heures et demie": "09:30",
    "a las diez y media": "10:30",
    "alle dieci e mezza": "10:30",
    "at 5": ["05:00", "17:00"],
    "half past two": ["02:30", "14:30"],
    "half six pm": "18:30",
    "20 to 8 in the morning": "07:40",
    "8 in the evening": "20:00",
    "25:00": None,
    "4 pieces": None,
}
MOMENTS = {
    "tomorrow at 3 pm": "2026-12-01T15:00",
    "3pm tomorrow": "2026-12-01T15:00",
    "Friday at noon": "2026-12-04T12:00",
    "tomorrow evening at 8": "2026-12-01T20:00",
    "tonight at 9": "2026-11-30T21:00",
    "2026-12-24T18:30": "2026-12-24T18:30",
    "on the 5th of January, half past ten": "2027-01-05T10:30",
    "in two hours": "2026-11-30T14:00",
    "in 90 minutes": "2026-11-30T13:30",
    "at 5 pm": "2026-11-30T17:00",
    "next Monday at 0900": "2026-12-07T09:00",
    "8 tomorrow morning": "2026-12-01T08:00",
    "tomorrow midnight": ["2026-12-01T00:00", "2026-12-02T00:00"],
    "at 9 am": None,
    "tomorrow": None,
    "am Freitag um 14 Uhr": "2026-12-04T14:00",
    "demain \u00e0 9h": "2026-12-01T09:00",
    "tomorrow at 3": ["2026-12-01T03:00", "2026-12-01T15:00"],
}
LENGTHS = {
    "90 minutes": "PT1H30M",
    "an hour and a half": "PT1H30M",
    "one and a half hours": "PT1H30M",
    "half an hour": "PT30M",
    "three quarters of an hour": "PT45M",
    "2h30": "PT2H30M",
    "1h 15m": "PT1H15M",
    "two hours and twenty minutes": "PT2H20M",
    "three days": "P3D",
    "a fortnight": "P2W",
    "6 weeks": "P6W",
    "a year and a half": "P1Y6M",
    "18 months": "P1Y6M",
    "a week and three days": "P10D",
    "a couple of days": "P2D",
    "PT45M": "PT45M",
    "anderthalb Stunden": "PT1H30M",
    "zwei Wochen": "P2W",
    "une demi-heure": "PT30M",
    "una hora y media": "PT1H30M",
    "un'ora e mezza": "PT1H30M",
    "1:30 h": "PT1H30M",
    "5 min 30 s": "PT5M30S",
    "three-quarters of an hour": "PT45M",
    "deux heures et demie": "PT2H30M",
    "a while": None,
}
MONTHS = {
    "last month": "2026-10",
    "this month": "2026-11",
    "October": "2026-10",
    "December": "2025-12",
    "March 2025": "2025-03",
    "03/2025": "2025-03",
    "2025-03": "2025-03",
    "May last year": "2025-05",
    "the month before last": "2026-09",
    "Oktober": "2026-10",
    "letzten Monat": "2026-10",
    "le mois dernier": "2026-10",
    "el mes pasado": "2026-10",
    "il mese scorso": "2026-10",
    "last quarter": None,
    "I may come": None,
}
QUARTERS = {
    "Q3": "2026-Q3",
    "q1 2025": "2025-Q1",
    "the third quarter": "2026-Q3",
    "last quarter": "2026-Q3",
    "this quarter": "2026-Q4",
    "the first quarter of last year": "2025-Q1",
    "Q2 last year": "2025-Q2",
    "2025-Q2": "2025-Q2",
    "drittes Quartal": "2026-Q3",
    "2025 Q4": "2025-Q4",
    "Q5": None,
}
NUMBERS = {
    "42": 42,
    "forty-two": 42,
    "two hundred and six": 206,
    "a thousand two hundred": 1200,
    "twelve hundred": 1200,
    "3.5": 3.5,
    "three point two five": 3.25,
    "two and a half": 2.5,
    "two thirds": 0.666667,
    "1 000,50": 1000.5,
    "1,250": 1250,
    "1,250.75": 1250.75,
    "1.250,75": 1250.75,
    "1'250": 1250,
    "1 250 000": 1250000,
    "5k": 5000,
    "2 million": 2000000,
    "a dozen": 12,
    "half a dozen": 6,
    "three dozen": 36,
    "minus 7": -7,
    "-7.5": -7.5,
    "zweiundvierzig": 42,
    "zweihundertf\u00fcnfzig": 250,
    "quatre-vingt-dix-sept": 97,
    "treinta y cinco": 35,
    "ventuno": 21,
    "1.250": [1.25, 1250],
    "12 or 13": [12, 13],
    "v1.2.3": None,
    "INV-1042": None,
    "at 5 pm": None,
}


def rows(*tables: tuple[dict[str, Any], dict[str, Any]]) -> list[Any]:
    return [
        pytest.param(schema, text, value, id=f"{text.encode('ascii', 'replace').decode()}")
        for schema, table in tables
        for text, value in table.items()
    ]


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    rows(
        (DATE, DATES),
        (TIME, TIMES),
        (MOMENT, MOMENTS),
        (LENGTH, LENGTHS),
        (MONTH, MONTHS),
        (QUARTER, QUARTERS),
        (NUMBER, NUMBERS),
    ),
)
def test_a_value_has_one_normal_form_in_every_spelling(schema: dict[str, Any], text: str, value: Any) -> None:
    assert read(schema, text) == value


MEASURES: list[tuple[dict[str, Any], str, Any]] = [
    (GRAMS, "2.5 kg", 2500),
    (GRAMS, "two kilos", 2000),
    (GRAMS, "800 g", 800),
    (GRAMS, "750", 750),
    (GRAMS, "half a kilo", 500),
    (GRAMS, "3 metres", None),
    (GRAMS, "a ton", None),
    (CENTIMETRES, "1.2 m", 120),
    (CENTIMETRES, "30cm", 30),
    (CENTIMETRES, "1 m 20 cm", 120),
    (CENTIMETRES, "ten inches", 25.4),
    (CELSIUS, "21 degrees", 21),
    (CELSIUS, "-18\u00b0C", -18),
    (CELSIUS, "minus 18 degrees", -18),
    (CELSIUS, "68 \u00b0F", 20),
    (PERCENT, "15%", 15),
    (PERCENT, "7.5 percent", 7.5),
    (PERCENT, "a quarter", 25),
    (PERCENT, "half", 50),
    (PERCENT, "20", 20),
    (PERCENT, "15 Prozent", 15),
    (MINUTES, "half an hour", 30),
    (MINUTES, "1h30", 90),
    (MINUTES, "45", 45),
    (MINUTES, "ninety minutes", 90),
    (PIECES, "five pieces", 5),
    (PIECES, "0", ("invalid", 0)),
    (PIECES, "2.5", ("invalid", 2.5)),
    (PIECES, "1.250", 1250),
    (PIECES, "5 kg", None),
    (EUROS, "\u20ac19.99", 19.99),
    (EUROS, "19,99 \u20ac", 19.99),
    (EUROS, "1,250 euros", 1250),
    (EUROS, "EUR 1.2m", 1200000),
    (EUROS, "fifty cents", 0.5),
    (EUROS, "5 euros 20", 5.2),
    (EUROS, "5 euros and 20 cents", 5.2),
    (EUROS, "30", 30),
    (EUROS, "$30", ("invalid", "30 USD")),
    (EUROS, "zw\u00f6lf Euro", 12),
    (CURRENCY, "dollars", "USD"),
    (CURRENCY, "\u00a35", "GBP"),
    (CURRENCY, "Swiss francs", "CHF"),
    (CURRENCY, "20 yen", ("invalid", "JPY")),
    (PHONE, "+49 170 1234567", "+491701234567"),
    (PHONE, "0049 (0)170 / 123 45 67", "+491701234567"),
    (PHONE, "+1 (212) 555-0142", "+12125550142"),
    (PHONE, "0170 1234567", ("invalid", "01701234567")),
    (EMAIL, "write to ann.lee+x@mail.example.org, please", "ann.lee+x@mail.example.org"),
    (URL, "see https://example.org/a?b=1.", "https://example.org/a?b=1"),
    (CODE, "ORD-1042", "ORD-1042"),
    (CODE, "ord-1042", "ORD-1042"),
    (CODE, "order 1042", "ORD-1042"),
    (CODE, "order number 1042", "ORD-1042"),
    (CODE, "ORD 1042", "ORD-1042"),
    (CODE, "ORD-12", ("invalid", "ORD-12")),
    (CODE, "the last one", None),
]


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        pytest.param(*row, id=f"{at} {row[1].encode('ascii', 'replace').decode()}")
        for at, row in enumerate(MEASURES)
    ],
)
def test_a_value_comes_in_the_unit_of_its_parameter(schema: dict[str, Any], text: str, value: Any) -> None:
    assert read(schema, text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Friday", "2026-11-27"),
        ("last Friday", "2026-11-27"),
        ("the 15th", "2026-11-15"),
        ("yesterday", "2026-11-29"),
    ],
)
def test_a_day_of_something_over_lies_in_the_past(text: str, value: str) -> None:
    assert read(PAST_DATE, text) == value
