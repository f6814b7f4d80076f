"""What counts as said by the user, value by value, and what does not."""

import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm_fakes import TODAY

from turnout.llm.grounding import Ground
from turnout.llm.numerals import numerals, values
from turnout.llm.words import holds, words

TEXT: dict[str, Any] = {"type": "string"}
DAY: dict[str, Any] = {"type": "string", "format": "date"}
MONEY: dict[str, Any] = {"type": "string", "format": "decimal"}
CURRENCY: dict[str, Any] = {"enum": ["EUR", "USD", "CHF"]}
WORK = "Create an invoice for Acme for March's work"


def said(text: str, value: Any, schema: Any = None, **options: Any) -> bool:
    return Ground((text,), today=TODAY, **options).holds(value, schema or {})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (WORK, "Acme"),
        (WORK, "acme"),
        ("for ACME, Inc.", "Acme Inc"),
        ("the Müllers' bill", "Müller"),
        ("Müllers Rechnung", "Muller"),
        ("write to ada@example.com!", "ada@example.com"),
        ("call +49 170 1234567", "+491701234567"),
        ("IBAN DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("show inv 2026-001", "INV-2026-001"),
        ("room 007", "007"),
        ("为Acme创建发票", "Acme"),
        ("为小明创建发票", "小明"),
        ("아크메에게 청구서", "아크메"),
        ("send 👍 to her", "👍"),
        ("straße 5", "STRASSE 5"),
        ("for Smith & Sons, Ltd", "Smith & Sons Ltd."),
        ("remove /tmp/a.txt", "/tmp/a.txt"),
    ],
)
def test_a_text_is_said_when_its_words_stand_there_in_order(text: str, value: str) -> None:
    assert said(text, value, TEXT)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (WORK, "Globex"),
        (WORK, "Acm"),
        (WORK, "Acme March"),
        (WORK, "Acme Corp"),
        ("not Acme Corp but Beta Ltd", "Acme Ltd"),
        ("rooms 1 2", "12"),
        ("room 0070", "007"),
        ("call +49 170 12345678", "+491701234567"),
        ("abc def ghi", "bcdefgh"),
        (WORK, "👍"),
        (WORK, " "),
        ("", "Acme"),
        ("remove a", "../a"),
        ("remove a", "*a*"),
        ("remove /tmp/a", "/ /tmp/a"),
        ("write to ada and example com", "ada@example.com"),
        ("learn C", "C++"),
        ("a and b", "a&b"),
    ],
)
def test_a_text_is_not_said_when_any_word_is_missing_or_elsewhere(text: str, value: str) -> None:
    assert not said(text, value, TEXT)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 of them", 3),
        ("3 of them", 3.0),
        ("over 1,250.50 euros", "1250.50"),
        ("over 1.250,50 euros", "1250.5"),
        ("over 1 250,50 euros", "1250.50"),
        ("over 1'250.50", "1250.50"),
        ("1.250.000 Euro", "1250000"),
        ("1,250 euros", 1250),
        ("1.250 euros", 1.25),
        ("order 2 500 ml bottles", 2),
        ("order 2 500 ml bottles", 500),
        ("$5k", 5000),
        ("5 kg", 5),
        ("2.5 million", 2_500_000),
        ("3 Mio Euro", 3_000_000),
        ("4m", 4_000_000),
        ("4 m", 4),
        ("20%", 20),
        ("20 %", 0.2),
        ("20 percent", 0.2),
        ("twelve", 12),
        ("twenty-five", 25),
        ("two hundred and fifty", 250),
        ("a hundred and five", 105),
        ("three thousand two hundred", 3200),
        ("two and three", 3),
        ("five six", 6),
        ("zwei Stück", 2),
        ("fünf Stück", 5),
        ("deux billets", 2),
        ("a ticket", 1),
        ("a couple of", 2),
        ("two dozen, a dozen", 12),
        ("half of it", 0.5),
        ("the 3rd", 3),
        ("minus 5", -5),
        ("-5", -5),
        ("a change of (-7.5)", -7.5),
        ("2-5", 5),
        ("v1.2.3", 2),
    ],
)
def test_a_number_is_said_in_digits_or_words(text: str, value: Any) -> None:
    assert said(text, value, MONEY if isinstance(value, str) else None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("over 12.50", 12),
        ("over 12.50", "50"),
        ("over 12.50", "12.05"),
        ("1,250.50", "1.2505"),
        ("125 050", "1250.50"),
        ("12", 1),
        ("2k", 2),
        ("2 thousand", 2),
        ("-5", 5),
        ("minus 5", 5),
        ("5", -5),
        ("fifty twice", 100),
        ("3 at 20 each", 60),
        ("two hundred", 2),
        (WORK, 100),
        ("5", "five"),
        ("5", "1e3"),
        ("5", True),
    ],
)
def test_a_number_is_not_said_by_other_numbers_or_by_sums(text: str, value: Any) -> None:
    assert not said(text, value, MONEY if isinstance(value, str) else None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (WORK, "2026-03-01"),
        (WORK, "2027-03-31"),
        (WORK, "2026-03"),
        ("for the work of March 2026", "2026-03-31"),
        ("am 5. Mai", "2027-05-05"),
        ("on the 5th of May", "2027-05-05"),
        ("May 5, 2027", "2027-05-05"),
        ("le 5 février", "2027-02-05"),
        ("due 2026-12-24", "2026-12-24"),
        ("31.03.2026", "2026-03-31"),
        ("31.03.26", "2026-03-31"),
        ("3/31", "2026-03-31"),
        ("03/2026", "2026-03-01"),
        ("2026/03/31", "2026-03-31"),
        ("2026-3-31", "2026-03-31"),
        ("today", "2026-11-18"),
        ("by tomorrow", "2026-11-19"),
        ("übermorgen", "2026-11-20"),
        ("the day before yesterday", "2026-11-16"),
        ("next Friday", "2026-11-20"),
        ("am Freitag", "2026-11-27"),
        ("in two weeks", "2026-12-02"),
        ("3 days ago", "2026-11-15"),
        ("end of next month", "2026-12-31"),
        ("this month", "2026-11-01"),
        ("last year", "2025-01-01"),
        ("next week", "2026-11-23"),
    ],
)
def test_a_date_is_said_written_named_or_counted(text: str, value: str) -> None:
    assert said(text, value, DAY)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (WORK, "2026-04-01"),
        (WORK, "2026-03-15"),
        ("March 2025", "2026-03-01"),
        ("May 5", "2027-05-06"),
        ("5 invoices for May", "2027-05-05"),
        ("31.03.2025", "2026-03-31"),
        ("2025-03-31", "2026-03-31"),
        ("3/31 2025", "2026-03-31"),
        ("04/2026", "2026-03-01"),
        ("next Friday", "2026-11-21"),
        ("on Friday", "2027-02-05"),
        ("tomorrow", "2026-11-20"),
        ("next month", "2026-12-15"),
        ("next month", "2026-11-30"),
        ("last year", "2026-01-01"),
        ("next week", "2026-11-24"),
        ("12.50", "2026-11-18"),
        (WORK, "2026-13-01"),
        (WORK, "2026-02-30"),
        (WORK, "March-ish"),
    ],
)
def test_another_day_is_not_said(text: str, value: str) -> None:
    assert not said(text, value, DAY)


@pytest.mark.parametrize(
    ("text", "value", "holding"),
    [
        ("at 14:30", "14:30", True),
        ("at 2:30 pm", "14:30:00", True),
        ("at 2.30 p.m.", "14:30", True),
        ("at 12 am", "00:00", True),
        ("um 14 Uhr", "14:00", True),
        ("at noon", "12:00", True),
        ("at 2", "14:00", True),
        ("at 2:30", "14:30", True),
        ("at 3 pm", "14:00", False),
        ("2 tickets", "14:00", False),
        ("at 2.50 each", "14:00", False),
        ("at 14:30", "14:30:07", False),
        ("at 2:30 pm", "02:30", False),
        ("at 14:30", "14:45", False),
        ("at 14:30", "29:99", False),
        ("tomorrow at 2 pm", "2026-11-19T14:00:00Z", True),
        ("tomorrow", "2026-11-19T00:00:00", True),
        ("tomorrow", "2026-11-19T14:00:00", False),
        ("at 14:00", "2026-11-19T14:00:00", False),
        ("half an hour", "PT30M", True),
        ("30 minutes", "PT30M", True),
        ("90 minutes", "PT1H30M", True),
        ("two weeks", "P14D", True),
        ("an hour", "PT2H", False),
    ],
)
def test_times_and_durations_are_said_in_any_unit(text: str, value: str, holding: bool) -> None:
    assert said(text, value, TEXT) is holding


@pytest.mark.parametrize(
    ("text", "value", "schema", "holding"),
    [
        ("300 euros", "EUR", CURRENCY, True),
        ("300 €", "EUR", CURRENCY, True),
        ("300 eur", "eur", CURRENCY, True),
        ("300 dollars", "EUR", CURRENCY, False),
        ("300", "EUR", CURRENCY, False),
        ("300", "EUR", {"const": "EUR"}, True),
        ("300 kronor", "EUR", CURRENCY, False),
        ("300 dollars", "USD", CURRENCY, True),
        ("a refund of US$300", "USD", CURRENCY, True),
        ("300 Canadian dollars", "USD", {"enum": ["USD", "CAD"]}, False),
        ("A$300", "USD", {"enum": ["USD", "AUD"]}, False),
        ("300 dollars", "CAD", {"enum": ["AUD", "CAD"]}, False),
        ("300 CAD", "CAD", {"enum": ["USD", "CAD"]}, True),
        ("300", "GBP", CURRENCY, False),
        ("urgent!", "high", {"enum": ["low", "high"]}, True),
        ("low", "high", {"enum": ["low", "high"]}, False),
        ("5 stars", 5, {"enum": [1, 5]}, True),
        ("1 star", 5, {"enum": [1, 5]}, False),
        ("5", True, {"enum": [1, 5]}, False),
        ("whatever", "x", {"const": "x"}, True),
        ("whatever", True, {"type": "boolean"}, True),
        ("whatever", True, {"type": "string"}, False),
        ("whatever", None, {"type": "null"}, True),
    ],
)
def test_a_choice_may_be_concluded_but_not_against_the_words(
    text: str, value: Any, schema: Any, holding: bool
) -> None:
    assert said(text, value, schema) is holding


@pytest.mark.parametrize(
    ("text", "value", "schema", "holding"),
    [
        ("urgent!", "high", {"enum": ["low", "high"]}, False),
        ("high", "high", {"enum": ["low", "high"]}, True),
        ("yes please", True, {"type": "boolean"}, True),
        ("please", False, {"type": "boolean"}, False),
    ],
)
def test_without_inference_a_choice_must_be_said(text: str, value: Any, schema: Any, holding: bool) -> None:
    assert said(text, value, schema, infer=False) is holding


def test_half_a_list_or_object_is_not_said() -> None:
    numbers = {"type": "array", "items": {"type": "integer"}}
    assert said("2 and 3", [2, 3], numbers)
    assert not said("2 and 3", [2, 3, 4], numbers)
    line = {"type": "object", "properties": {"name": TEXT, "unit": {"enum": ["kg", "g"]}}}
    assert said("5 kg of nuts", {"name": "nuts", "unit": "kg"}, line)
    assert not said("5 kg of nuts", {"name": "bolts", "unit": "kg"}, line)
    free = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert said("5 nuts, 7 bolts", {"nuts": 5, "bolts": 7}, free)
    assert not said("5 nuts, 7 bolts", {"nuts": 5, "screws": 7}, free)
    deep: Any = "nuts"
    for _ in range(30):
        deep = [deep]
    assert not said("nuts", deep)


def test_any_of_the_texts_may_say_it_but_not_two_together() -> None:
    ground = Ground(("for Acme", "over 5"), today=TODAY)
    assert ground.holds("Acme", TEXT)
    assert ground.holds(5, {})
    assert not ground.holds("Acme over", TEXT)
    assert not Ground((), today=TODAY).holds("Acme", TEXT)


@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=60))
def test_what_stands_in_a_text_with_spaces_around_is_said(before: str, value: str, after: str) -> None:
    wanted = words(value)
    assert holds(words(f"{before} . {value} . {after}"), wanted) is bool(wanted)


@given(st.decimals(min_value=0, max_value=10**12, places=2, allow_nan=False))
def test_every_common_grouping_of_a_number_is_read(number: Decimal) -> None:
    english = f"{number:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    for spelling in (f"{number:.2f}", english, german, english.replace(",", "'"), english.replace(",", " ")):
        assert number in values(f"pay {spelling} now"), spelling


@given(st.text(alphabet="0123456789.,'k%m -twoandhundred", max_size=60))
def test_reading_numbers_never_fails(text: str) -> None:
    values(text)
    for numeral in numerals(text):
        assert numeral.values


@given(st.dates(datetime.date(2000, 1, 1), datetime.date(2099, 12, 31)))
def test_a_date_is_said_in_its_usual_spellings(day: datetime.date) -> None:
    for text in (
        f"{day:%Y-%m-%d}",
        f"{day:%d.%m.%Y}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
    ):
        assert said(f"on {text} please", day.isoformat(), DAY), text
        assert not said(f"on {text} please", (day + datetime.timedelta(days=40)).isoformat(), DAY), text
