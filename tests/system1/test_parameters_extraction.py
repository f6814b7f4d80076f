"""Parameters in requests: each value to the parameter it is meant for, what is unclear left open, nothing made up."""

import datetime
import re
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnout.system1.parameters import Example, Extraction, Tagger, extract

NOW = datetime.datetime(2026, 11, 30, 12, 0)
STAFF = ["Ines Marek", "Ines Duval", "Otto Brandt", "Lea & Partner"]


def form(required: str = "", **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required.split()}


STAY = form(
    "arrival departure guests",
    arrival={"type": "string", "format": "date", "description": "first night"},
    departure={"type": "string", "format": "date", "description": "day of leaving, the end of the stay"},
    guests={"type": "integer", "description": "number of guests", "minimum": 1, "maximum": 8},
    breakfast={"type": "boolean", "description": "whether there is breakfast"},
)
TRIP = form(
    "from to",
    **{
        "from": {"type": "string", "description": "city of departure"},
        "to": {"type": "string", "description": "destination city"},
    },
)
TRANSFER = form(
    "total",
    total={
        "type": "object",
        "properties": {
            "value": {"type": "number", "minimum": 0},
            "currency": {"type": "string", "enum": ["EUR", "USD", "GBP"]},
        },
        "required": ["value", "currency"],
    },
    note={"type": "string", "description": "text for the recipient"},
)
TASK = form(
    "person",
    person={"type": "string", "enum": STAFF, "description": "who does it"},
    priority={"type": "string", "enum": ["low", "normal", "urgent"], "description": "priority"},
    state={
        "type": "string",
        "enum": ["todo", "in_progress", "done"],
        "x-synonyms": {"done": ["finished", "ready"]},
    },
    labels={"type": "array", "items": {"type": "string", "enum": ["bug", "docs", "design"]}},
)


def values(found: Extraction) -> dict[str, Any]:
    return {name: each.value for name, each in found.values.items()}


def test_words_beside_a_value_tell_the_parameter() -> None:
    found = extract(STAY, "3 guests from 4 December until the 9th of December, with breakfast", now=NOW)
    assert values(found) == {
        "arrival": "2026-12-04",
        "departure": "2026-12-09",
        "guests": 3,
        "breakfast": True,
    }
    assert found.missing == ()
    assert found.ambiguous == {}
    assert found.invalid == {}


def test_the_order_of_values_does_not_matter() -> None:
    found = extract(STAY, "until 9 December for four people, arriving on December 4, no breakfast", now=NOW)
    assert values(found) == {
        "arrival": "2026-12-04",
        "departure": "2026-12-09",
        "guests": 4,
        "breakfast": False,
    }


def test_what_was_not_said_is_missing_and_never_made_up() -> None:
    found = extract(STAY, "I'd like a room from tomorrow", now=NOW)
    assert values(found) == {"arrival": "2026-12-01"}
    assert found.missing == ("departure", "guests")


def test_a_value_against_the_schema_is_named_and_not_given() -> None:
    found = extract(STAY, "for 12 guests from tomorrow", now=NOW)
    assert found.invalid == {"guests": 12}
    assert "guests" not in found.values
    assert "guests" not in found.missing


def test_a_day_or_a_month_first_is_ambiguous() -> None:
    found = extract(STAY, "from 03/04 for two guests", now=NOW)
    assert found.ambiguous == {"arrival": ("2027-04-03", "2027-03-04")}
    assert values(found) == {"guests": 2}


def test_a_name_of_two_people_is_ambiguous_and_the_full_name_is_not() -> None:
    assert extract(TASK, "give it to Ines", now=NOW).ambiguous == {"person": ("Ines Marek", "Ines Duval")}
    assert values(extract(TASK, "give it to ines duval", now=NOW)) == {"person": "Ines Duval"}


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("otto does it", "Otto Brandt"),
        ("ask Brandt", "Otto Brandt"),
        ("ask Otto Brant", "Otto Brandt"),
        ("Lea and Partner", "Lea & Partner"),
        ("ask Olga", None),
        ("otto@example.org", None),
    ],
)
def test_part_of_a_choice_or_a_slip_of_the_pen_names_it(text: str, person: str | None) -> None:
    assert values(extract(TASK, text, now=NOW)).get("person") == person


def test_choices_go_by_their_words_their_synonyms_and_in_lists() -> None:
    found = extract(TASK, "Otto: urgent, in progress, labels design and bugs", now=NOW)
    assert values(found) == {
        "person": "Otto Brandt",
        "priority": "urgent",
        "state": "in_progress",
        "labels": ["design", "bug"],
    }
    assert values(extract(TASK, "otto, it is finished", now=NOW))["state"] == "done"


def test_money_fills_an_object_with_its_currency() -> None:
    found = extract(TRANSFER, 'send 1,250.50 euros with the note "rent for May"', now=NOW)
    assert values(found) == {"total": {"value": 1250.5, "currency": "EUR"}, "note": "rent for May"}
    assert extract(TRANSFER, "send 1,250.50", now=NOW).missing == ("total",)
    assert extract(TRANSFER, "send 20 yen", now=NOW).invalid == {"total": "JPY"}


def test_places_go_by_the_way() -> None:
    assert values(extract(TRIP, "a ticket to Graz from Linz", now=NOW)) == {"from": "Linz", "to": "Graz"}
    assert values(extract(TRIP, "from New York to Santa Fe please", now=NOW)) == {
        "from": "New York",
        "to": "Santa Fe",
    }
    assert extract(TRIP, "I need a ticket for Graz", now=NOW).missing == ("from", "to")


def test_what_was_taken_back_does_not_count() -> None:
    assert values(extract(STAY, "for 3, no, for 4 guests", now=NOW)) == {"guests": 4}
    assert values(extract(TASK, "Otto, not Ines Marek", now=NOW)) == {"person": "Otto Brandt"}


@pytest.mark.parametrize(
    "text",
    [
        "don't give it to Otto, ask Ines Duval",
        "not Otto but Ines Duval",
        "Ines Duval instead of Otto",
        "Otto, sorry, I mean Ines Duval",
    ],
)
def test_who_was_turned_down_does_not_count(text: str) -> None:
    assert values(extract(TASK, text, now=NOW)) == {"person": "Ines Duval"}


def test_the_month_of_a_range_may_be_said_once() -> None:
    for text in (
        "from 21 to 23 December",
        "vom 21. bis 23. Dezember",
        "between the 21st and the 23rd of December",
    ):
        found = extract(STAY, text, now=NOW)
        assert values(found) == {"arrival": "2026-12-21", "departure": "2026-12-23"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Peter van der Berg is back", "Peter van der Berg"),
        ("please call Ana Ruiz tomorrow", "Ana Ruiz"),
        ("Call Ana Ruiz tomorrow", "Ana Ruiz"),
        ("Ana Ruiz's number", "Ana Ruiz"),
        ('log "sent it" for Ana Ruiz', "Ana Ruiz"),
        ("Call somebody", None),
        ("call ana", None),
    ],
)
def test_names_of_people_go_by_their_capitals(text: str, name: str | None) -> None:
    schema = form("", who={"type": "string", "description": "full name of the contact"})
    assert values(extract(schema, text, now=NOW)).get("who") == name


def test_days_of_the_week_go_by_their_short_forms() -> None:
    days = {"type": "array", "items": {"type": "string", "enum": ["mon", "tue", "wed", "thu", "fri"]}}
    found = extract(form("days", days=days), "on Monday and Wed", now=NOW)
    assert values(found) == {"days": ["mon", "wed"]}


def test_what_is_moved_goes_from_its_old_day_to_the_new_one() -> None:
    schema = form("day", day={"type": "string", "format": "date", "description": "new start"})
    text = "move it from Wednesday to Friday"
    assert values(extract(schema, text, now=NOW, about="Move a meeting")) == {"day": "2026-12-04"}


def test_a_choice_that_is_changed_takes_the_new_value() -> None:
    schema = form("plan", plan={"type": "string", "enum": ["basic", "plus", "max"]})
    about = "Change the plan of a customer"
    assert values(extract(schema, "from basic to plus", now=NOW, about=about)) == {"plan": "plus"}
    assert values(extract(schema, "switch from basic", now=NOW, about=about)) == {"plan": "basic"}
    assert extract(schema, "basic or plus", now=NOW).ambiguous == {"plan": ("basic", "plus")}


def test_a_number_in_a_name_counts_nothing() -> None:
    schema = form(
        "room level",
        room={"type": "string", "enum": ["hall 1", "hall 2", "lab"]},
        level={"type": "integer", "description": "brightness of the light in percent", "maximum": 100},
    )
    found = extract(schema, "lights off in hall 1", now=NOW)
    assert values(found) == {"room": "hall 1"}
    assert found.missing == ("level",)
    assert values(extract(schema, "light in hall two to 60", now=NOW)) == {"room": "hall 2", "level": 60}


def test_the_end_of_a_range_is_counted_from_its_beginning() -> None:
    for text in ("from Monday next week to Friday", "Monday next week until Friday", "Dec 7 through 11 Dec"):
        found = extract(STAY, f"{text}, 2 guests", now=NOW)
        assert values(found) == {"arrival": "2026-12-07", "departure": "2026-12-11", "guests": 2}


def test_taken_words_fill_nothing() -> None:
    text = "2 guests from tomorrow"
    found = extract(STAY, text, now=NOW, taken=((0, 8),))
    assert values(found) == {"arrival": "2026-12-01"}


def test_a_range_of_times_shares_its_day_and_its_half_of_the_day() -> None:
    block = form(
        "start end",
        start={"type": "string", "format": "date-time"},
        end={"type": "string", "format": "date-time"},
    )
    wanted = {"start": "2026-12-01T14:00:00", "end": "2026-12-01T16:00:00"}
    assert values(extract(block, "block tomorrow from 2 to 4 pm", now=NOW)) == wanted
    assert values(extract(block, "tomorrow between 14:00 and 16:00", now=NOW)) == wanted


def test_moments_carry_the_offset_of_the_zone() -> None:
    schema = form("at", at={"type": "string", "format": "date-time"})
    zone = datetime.timezone(datetime.timedelta(hours=-5))
    found = extract(schema, "tomorrow at 15:00", now=NOW, zone=zone)
    assert values(found) == {"at": "2026-12-01T15:00:00-05:00"}


def test_what_the_action_does_tells_a_coming_month_from_a_past_one() -> None:
    schema = form("month", month={"type": "string", "pattern": r"^\d{4}-\d{2}$"})
    assert values(extract(schema, "March", now=NOW, about="Show the revenue")) == {"month": "2026-03"}
    assert values(extract(schema, "March", now=NOW, about="Plan the budget")) == {"month": "2027-03"}


def test_optional_parameters_take_no_number_that_counts_something_else() -> None:
    schema = form("", limit={"type": "integer", "description": "most lines to show"})
    assert values(extract(schema, "show what the 3 servers said", now=NOW)) == {}
    assert values(extract(schema, "show 20 lines of what the servers said", now=NOW)) == {"limit": 20}


SONGS = [
    Example(text=f"play {song} by {singer}", parameters={"song": song, "singer": singer})
    for song, singer in (
        ("blue rain", "nora field"),
        ("old roads", "the pines"),
        ("winter light", "sam ode"),
        ("my harbour", "lin park"),
        ("slow train", "the owls"),
        ("paper moon", "ana reyes"),
    )
]
SONG = form("song", song={"type": "string"}, singer={"type": "string"})


def test_entities_are_learned_from_examples() -> None:
    tagger = Tagger(SONGS)
    found = extract(SONG, "play silver coast by mia stone", now=NOW, examples=tagger)
    assert values(found) == {"song": "silver coast", "singer": "mia stone"}
    assert values(extract(SONG, "play silver coast by mia stone", now=NOW)) == {}


def test_examples_are_learned_alike_each_time() -> None:
    text = "play green glass by otis"
    once, again = (extract(SONG, text, now=NOW, examples=SONGS) for _ in range(2))
    assert once == again


SAID = (
    "book for from to until on at in the next last Friday tomorrow March 3 03/04 14:30 2 guests"
    " people pm euros 12.50 $5 \u20ac , . and not no half past two hours ago Otto Ines 99 1,000 1.000"
    " kg % Graz Q3 2026 - : a heute um drei Uhr demain \xe0 \xfc \xbd \U0001f600 '"
)
TEXTS = st.one_of(st.lists(st.sampled_from(SAID.split()), max_size=14).map(" ".join), st.text(max_size=40))
SCHEMAS = [
    STAY,
    TRIP,
    TRANSFER,
    TASK,
    form(
        "a b c",
        a={"type": "string", "format": "date-time"},
        b={"type": "string", "format": "duration"},
        c={"type": "number", "multipleOf": 0.5, "maximum": 100},
        d={"type": "string", "pattern": r"^\d{4}-Q[1-4]$"},
        e={"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$"},
        f={"type": "string", "pattern": "^AB-[0-9]{2}$"},
        g={"type": "string", "format": "email"},
        h={"type": "array", "items": {"type": "integer"}},
    ),
]


@given(text=TEXTS, schema=st.sampled_from(SCHEMAS))
@settings(max_examples=300, deadline=None)
def test_values_lie_in_the_text_and_fit_the_schema(text: str, schema: dict[str, Any]) -> None:
    found = extract(schema, text, now=NOW)
    for name, each in found.values.items():
        assert 0 <= each.start < each.end <= len(text)
        assert 0.8 <= each.confidence <= 1
        assert text[each.start : each.end].strip()
        assert jsonschema_rs.is_valid(schema["properties"][name], each.value)
    open_names = {*found.missing, *found.ambiguous, *found.invalid}
    assert not open_names & set(found.values)
    assert set(schema["required"]) <= open_names | set(found.values)
    assert all(len(each) > 1 for each in found.ambiguous.values())


@given(text=TEXTS, cut=st.tuples(st.integers(0, 40), st.integers(0, 40)))
@settings(max_examples=100, deadline=None)
def test_no_value_takes_a_word_that_is_taken(text: str, cut: tuple[int, int]) -> None:
    start, end = min(cut), max(cut)
    for each in extract(STAY, text, now=NOW, taken=((start, end),)).values.values():
        assert each.end <= start or end <= each.start or start == end


MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
SPELLINGS = [
    lambda day: day.isoformat(),
    lambda day: f"{day.day}.{day.month}.{day.year}",
    lambda day: f"{day.day} {MONTHS[day.month - 1]} {day.year}",
    lambda day: f"{MONTHS[day.month - 1]} {day.day}, {day.year}",
    lambda day: f"the {day.day}th of {MONTHS[day.month - 1][:3]} {day.year}",
    lambda day: f"{day:%A}, {day.day} {MONTHS[day.month - 1]} {day.year}",
]


@given(
    day=st.dates(datetime.date(2020, 1, 1), datetime.date(2040, 12, 31)), spelling=st.sampled_from(SPELLINGS)
)
def test_a_date_is_read_back_from_every_spelling(day: datetime.date, spelling: Any) -> None:
    schema = form("day", day={"type": "string", "format": "date"})
    assert values(extract(schema, f"book it for {spelling(day)} please", now=NOW)) == {"day": day.isoformat()}


@given(time=st.times().map(lambda time: time.replace(second=0, microsecond=0)))
def test_a_time_is_read_back_from_both_clocks(time: datetime.time) -> None:
    schema = form("time", time={"type": "string", "pattern": r"^\d\d:\d\d$"})
    wanted = {"time": f"{time:%H:%M}"}
    assert values(extract(schema, f"at {time:%H:%M}", now=NOW)) == wanted
    half = "am" if time.hour < 12 else "pm"
    assert values(extract(schema, f"at {(time.hour + 11) % 12 + 1}:{time:%M} {half}", now=NOW)) == wanted


@given(value=st.decimals(0, 10**7, places=2, allow_nan=False), grouped=st.booleans())
def test_a_number_is_read_back_from_digits(value: Any, grouped: bool) -> None:
    schema = form("n", n={"type": "number", "description": "how much"})
    said = f"{value:,.2f}" if grouped else f"{value:.2f}"
    assert values(extract(schema, f"set it to {said} now", now=NOW)) == {"n": float(value)}


SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
ROUND = "twenty thirty forty fifty sixty seventy eighty ninety"


def in_words(number: int) -> str:
    if number < 20:
        return SMALL.split()[number]
    if number < 100:
        ten, one = divmod(number, 10)
        return ROUND.split()[ten - 2] + (f"-{SMALL.split()[one]}" if one else "")
    for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            many, rest = divmod(number, size)
            link = " and " if 0 < rest < 100 else " "
            return f"{in_words(many)} {name}" + (f"{link}{in_words(rest)}" if rest else "")
    raise AssertionError(number)


@given(number=st.integers(2, 9_999_999))
def test_a_number_is_read_back_from_words(number: int) -> None:
    schema = form("n", n={"type": "integer", "description": "how many"})
    assert values(extract(schema, in_words(number), now=NOW)) == {"n": number}


@given(days=st.integers(0, 400), hours=st.integers(0, 23), minutes=st.integers(0, 59))
def test_a_duration_is_read_back(days: int, hours: int, minutes: int) -> None:
    parts = [(days, "days"), (hours, "hours"), (minutes, "minutes")]
    said = ", ".join(f"{count} {unit}" for count, unit in parts if count)
    schema = form("length", length={"type": "string", "format": "duration"})
    found = values(extract(schema, f"for {said}", now=NOW)) if said else None
    if found is not None:
        match = re.fullmatch(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?", found["length"])
        assert match is not None
        assert tuple(int(each or 0) for each in match.groups()) == (days, hours, minutes)


@pytest.mark.parametrize(
    ("about", "text", "expected"),
    [
        ("Swap a shift", "swap Friday's shift", "2026-12-04"),
        ("Swap a shift", "give Bo Friday's shift and Ann Friday's, not today's", "2026-12-04"),
        ("Restore a backup", "restore Friday's backup", "2026-11-27"),
        ("Export orders", "the orders since 1 July", "2026-07-01"),
    ],
)
def test_what_people_have_planned_for_a_day_is_still_to_come(about: str, text: str, expected: str) -> None:
    schema = {
        "type": "object",
        "properties": {"date": {"type": "string", "format": "date", "description": "day"}},
        "required": ["date"],
    }

    assert extract(schema, text, now=NOW, about=about).values["date"].value == expected


@pytest.mark.parametrize("text", ["swap Friday's one", "a place in Friday's yoga"])
def test_what_may_be_done_or_still_to_come_leaves_the_day_open(text: str) -> None:
    schema = form("date", date={"type": "string", "format": "date", "description": "day"})

    assert extract(schema, text, now=NOW).ambiguous == {"date": ("2026-11-27", "2026-12-04")}


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("day of the work, never in the future", "2026-11-27"),
        ("day of the work, never in the past", "2026-12-04"),
        ("a day in the future", "2026-12-04"),
    ],
)
def test_a_day_lies_where_the_schema_says_that_it_does(description: str, expected: str) -> None:
    schema = form("date", date={"type": "string", "format": "date", "description": description})

    assert values(extract(schema, "on Friday", now=NOW)) == {"date": expected}


@pytest.mark.parametrize("text", ["one euro is 0.86 pounds", "a dollar buys 0.8", "1 \u20ac = 0.86"])
def test_what_a_rate_is_told_for_is_not_the_rate(text: str) -> None:
    schema = form("rate", rate={"type": "number", "description": "units for one euro"})

    assert values(extract(schema, text, now=NOW)).get("rate") != 1


@pytest.mark.parametrize(("led", "found"), [("until", {"until": "2026-12-04"}), ("as of", {})])
def test_a_beginning_is_no_end(led: str, found: dict[str, str]) -> None:
    until = {"type": "string", "format": "date", "description": "last day"}
    schema = {"type": "object", "properties": {"until": until}}

    assert values(extract(schema, f"out of office {led} 4 December", now=NOW)) == found


@pytest.mark.parametrize("said", ["Rain over the hills", "Why we don't close", "Don't stop"])
def test_what_is_quoted_is_the_new_text_with_all_its_words(said: str) -> None:
    schema = form("headline", headline={"type": "string", "description": "new headline"})

    assert values(extract(schema, f'the headline should be "{said}"', now=NOW)) == {"headline": said}


@pytest.mark.parametrize(
    ("about", "text", "expected"),
    [
        ("Wake a guest", "at 6:30", ["06:30"]),
        ("Set an alarm", "wake me at 5:15", ["05:15"]),
        ("Set an alarm", "at 5:15", ["17:15", "05:15"]),
        ("Wake a guest", "at 5 pm", ["17:00"]),
    ],
)
def test_people_are_woken_in_the_morning(about: str, text: str, expected: list[str]) -> None:
    schema = {
        "type": "object",
        "properties": {"time": {"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$"}},
        "required": ["time"],
    }
    found = extract(schema, text, now=NOW, about=about)

    meant = [found.values["time"].value] if found.values else [*found.ambiguous["time"]]
    assert meant == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("put 12 euros on 44", {"table": 44, "amount": 12}),
        ("charge 12 euros to 44", {"table": 44, "amount": 12}),
        ("44 gets all three drinks for 9 euros", {"table": 44, "amount": 9}),
    ],
)
def test_the_unit_of_one_value_says_nothing_of_another(text: str, expected: dict[str, int]) -> None:
    schema = {
        "type": "object",
        "properties": {
            "table": {"type": "integer", "description": "number of the table", "minimum": 20, "maximum": 99},
            "amount": {"type": "number", "description": "euros"},
        },
        "required": ["table", "amount"],
    }
    found = extract(schema, text, now=NOW, about="Put something on a bill")

    assert {name: each.value for name, each in found.values.items()} == expected


def test_a_number_against_the_schema_yields_to_a_parameter_that_can_take_it() -> None:
    schema = form(
        "room time",
        room={"type": "integer", "description": "number of the room", "minimum": 100},
        time={"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$"},
    )

    found = extract(schema, "wake them at 8", now=NOW)

    assert found.values["time"].value == "08:00"
    assert not found.invalid
    assert extract(schema, "wake room 8", now=NOW).invalid == {"room": 8}
