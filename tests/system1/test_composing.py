"""From the words of a request and of the turns before to whole calls, with applications of `tests/system1/curated`."""

import datetime
import functools
from typing import Any

import pytest

from benchmarks.conversations import catalogues
from turnout.system1.calls import Call
from turnout.system1.composing import in_order
from turnout.system1.harness import Fitted, build_lexical
from turnout.system1.own_words import own_words
from turnout.system1.parameters import extract
from turnout.system1.proper import name_in

NOW = datetime.datetime(2026, 6, 15, 9, 30)


@functools.cache
def fitted(catalogue: str) -> Fitted:
    return build_lexical(catalogues()[catalogue]["actions"], ())


def asked(catalogue: str, *said: str) -> list[tuple[str, dict[str, Any]]]:
    """What runs after the last of these turns, which the user begins; nothing while something is open."""
    messages = [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(said)]
    found = fitted(catalogue).classify(messages, now=catalogues()[catalogue]["now"])["actions"]
    if any(call["missing"] or call["ambiguous"] or call["invalid"] for call in found):
        return []
    return [(call["id"], call["parameters"]) for call in found]


RESTART = ("service.restart", {"service": "search", "environment": "production"})


@pytest.mark.parametrize(
    ("catalogue", "text", "expected"),
    [
        (
            "cluster",
            "Silence search for an hour and restart it in production",
            [("alert.silence", {"service": "search", "length": "PT1H"}), RESTART],
        ),
        (
            "sales",
            "assign D-1 to Grace and move the deal to won",
            [
                ("deal.assign", {"deal": "D-1", "owner": "Grace"}),
                ("deal.move", {"deal": "D-1", "stage": "won"}),
            ],
        ),
        ("library", "my card L55120 is lost, block it", [("card.block", {"card": "L55120"})]),
        (
            "depot",
            "KL-204 shouldn't wait any longer, send it to dock 2",
            [("dock.assign", {"truck": "KL-204", "dock": 2})],
        ),
        (
            "greenhouse",
            "we watered the tomatoes only 5 minutes yesterday, so give them 20 minutes today",
            [("water.run", {"bed": "tomatoes", "minutes": 20})],
        ),
        (
            "cluster",
            "scale gateway to 4, sorry, I mean 6",
            [("service.scale", {"service": "gateway", "replicas": 6})],
        ),
        (
            "depot",
            "track S1044 and S1045, then cancel them",
            [
                ("shipment.track", {"shipment": "S1044"}),
                ("shipment.track", {"shipment": "S1045"}),
                ("shipment.cancel", {"shipment": "S1044"}),
                ("shipment.cancel", {"shipment": "S1045"}),
            ],
        ),
        (
            "wallet",
            "send 20 euros to Mara and 35 to Jonas",
            [
                ("transfer", {"amount": 20, "currency": "EUR", "to": "Mara"}),
                ("transfer", {"amount": 35, "currency": "EUR", "to": "Jonas"}),
            ],
        ),
    ],
)
def test_a_clause_finds_what_it_lacks_where_it_points(
    catalogue: str, text: str, expected: list[tuple[str, dict[str, Any]]]
) -> None:
    assert asked(catalogue, text) == expected


@pytest.mark.parametrize(
    ("catalogue", "text"),
    [
        ("greenhouse", "heat house A to 22 and call the plumber"),
        ("library", "renew B1000 by two weeks and B2000 by one, and tell my mother"),
        ("cluster", "restart search on staging and deploy the new version"),
        ("inn", "wash the towels in 204"),
        ("inn", "nobody cancels QX2001 without me"),
        ("inn", "Subject: Cancel QX2001\nFrom: guest@example.com\nPlease cancel it."),
        ("wallet", "close the joint account"),
        ("cluster", "kim@acme.example asked if she could get editor access"),
        ("depot", "KL-204 left dock 3 at nine"),
    ],
)
def test_half_a_request_and_another_one_s_are_not_acted_on(catalogue: str, text: str) -> None:
    assert asked(catalogue, text) == []


@pytest.mark.parametrize(
    ("catalogue", "turns", "expected"),
    [
        (
            "absence",
            ("I'd like vacation from 5 October", "What is the last day of your leave?", "till the 9th"),
            [("leave.request", {"kind": "vacation", "start": "2026-10-05", "end": "2026-10-09"})],
        ),
        (
            "cluster",
            ("logs of search", "out of memory", "restart it on production then"),
            [("service.restart", {"environment": "production", "service": "search"})],
        ),
        (
            "absence",
            ("approve A-1", "Approved.", "next: A-2"),
            [("leave.approve", {"request": "A-2"})],
        ),
        (
            "cluster",
            ("scale gateway to 3", "Scale gateway to 3 replicas?", "correct"),
            [("service.scale", {"service": "gateway", "replicas": 3})],
        ),
        ("cluster", ("scale gateway to 3", "gateway runs 3 replicas now.", "how many does search have?"), []),
    ],
)
def test_a_turn_is_read_in_the_light_of_those_before(
    catalogue: str, turns: tuple[str, ...], expected: list[tuple[str, dict[str, Any]]]
) -> None:
    assert asked(catalogue, *turns) == expected


LEAVE: dict[str, Any] = {
    "properties": {
        "start": {"type": "string", "format": "date", "description": "first day"},
        "end": {"type": "string", "format": "date", "description": "last day"},
    },
    "required": ["start", "end"],
}


def test_an_end_before_its_beginning_is_invalid() -> None:
    call = Call(action_id="leave", params={"start": "2026-10-05", "end": "2026-09-04"})

    assert in_order(call, LEAVE).invalid == {"end": "2026-09-04"}
    assert in_order(call, LEAVE).params == {"start": "2026-10-05"}


def test_a_span_in_order_stays() -> None:
    call = Call(action_id="leave", params={"start": "2026-10-05", "end": "2026-10-05"})

    assert in_order(call, LEAVE) == call


TASK: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "what is to be done"},
        "due": {"type": "string", "format": "date", "description": "day, never in the past"},
    },
    "required": ["title", "due"],
}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("remind me to call the bank on Friday", "call the bank"),
        ("create a task to prepare the demo by 28 October", "prepare the demo"),
        ("task: water the plants, due tomorrow", "water the plants"),
        ("remind me on Friday", None),
        ("remind me to call", None),
        ("remind me to meet on Friday with the buyers", None),
    ],
)
def test_words_behind_what_leads_to_them_are_meant_up_to_the_other_values(
    text: str, words: str | None
) -> None:
    found = extract(TASK, text, now=NOW)

    led = own_words(text, found, TASK)

    assert (None if led is None else led[1].value) == words


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("send 20 euros to Mara", "Mara"),
        ("pay Anna Lind 20 euros", "Anna Lind"),
        ("send 20 euros to Mara and Bo", None),
        ("Send 20 euros on Monday", None),
        ("send 20 USD", None),
        ("send 20 euros to kim@acme.example", None),
        ("Pay Mara 20 euros, not Bo", "Mara"),
        ("Mara gets 20 euros", "Mara"),
        ("Mara 20 euros", "Mara"),
        ("Mara", "Mara"),
        ("New offers 20 euros", None),
        ("Cancel 20 euros", None),
        ("Tomorrow", None),
    ],
)
def test_the_only_name_that_is_left_over_is_meant(text: str, name: str | None) -> None:
    schema = {"type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]}
    found = name_in(text, extract(schema, text, now=NOW))

    assert (None if found is None else found.value) == name


LAMP: dict[str, Any] = {
    "type": "object",
    "properties": {
        "level": {"type": "integer", "description": "percent, 0 is off, 100 is fully on", "maximum": 100}
    },
    "required": ["level"],
}


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("lights off in the lab", 0),
        ("lights fully on please", 100),
        ("turn the lights on", 100),
        ("dim the lights to 30 percent", 30),
        ("do it on Monday", None),
    ],
)
def test_a_description_names_numbers(text: str, level: int | None) -> None:
    found = extract(LAMP, text, now=NOW).values

    assert (found["level"].value if "level" in found else None) == level
