"""Where one clause ends and the next begins."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnout.system1.clauses import clauses
from turnout.system1.payload import quotes


def parts(text: str) -> list[str]:
    return [text[start:end] for start, end in clauses(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("restart api", ["restart api"]),
        ("restart api and web", ["restart api and web"]),
        ("restart api and lock the door", ["restart api", "lock the door"]),
        (
            "restart api, lock the door, then dim the lights",
            ["restart api", "lock the door", "dim the lights"],
        ),
        ("on Monday, 10 am, in the red room", ["on Monday, 10 am, in the red room"]),
        ("I never got it, resend it", ["I never got it", "resend it"]),
        ("It hangs. Restart it!", ["It hangs", "Restart it!"]),
        ("Ask Dr. Lee for a date", ["Ask Dr. Lee for a date"]),
        ("transfer 1.50 to Bo", ["transfer 1.50 to Bo"]),
        ("close it; open the other", ["close it", "open the other"]),
        ("one line\nsend it", ["one line", "send it"]),
        ('note "call Bo, and send it" please', ['note "call Bo, and send it" please']),
        ("don't send it, print it", ["don't send it", "print it"]),
        ("Buche Raum 4 und schick die Einladung", ["Buche Raum 4", "schick die Einladung"]),
        ("réserve une salle et envoie l'invitation", ["réserve une salle", "envoie l'invitation"]),
        ("reserva la sala y envía la invitación", ["reserva la sala", "envía la invitación"]),
        ("prenota la sala e invia l'invito", ["prenota la sala", "invia l'invito"]),
        ("1. restart api\n2. lock the door", ["restart api", "lock the door"]),
        ("two things: 1) restart api 2) lock the door", ["two things", "restart api", "lock the door"]),
        ("(a) restart api (b) lock the door", ["restart api", "lock the door"]),
        ("* restart api\n* lock the door", ["restart api", "lock the door"]),
        ("first restart api, second lock the door", ["first restart api", "lock the door"]),
        ("restart api / lock the door", ["restart api", "lock the door"]),
        ("send and/or print it", ["send and/or print it"]),
        ("restart api, no wait, don't", ["restart api", "no wait, don't"]),
        ("", []),
        (" ... ", []),
    ],
)
def test_a_clause_ends_where_another_begins(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


def test_an_application_s_own_verbs_begin_clauses_too() -> None:
    text = "close it and frobnicate the rest"

    assert len(clauses(text)) == 1
    assert len(clauses(text, frozenset({"frobnicate"}))) == 2


def test_prose_is_one_clause() -> None:
    text = "I came. " * 30

    assert len(clauses(text)) == 1


@pytest.mark.parametrize("text", ['say "hi there"', "say 'hi there'", "say «hi there»", "say „hi there“"])
def test_quoted_words_are_found_with_their_marks(text: str) -> None:
    assert [text[start + 1 : end - 1] for start, end in quotes(text)] == ["hi there"]


def test_an_apostrophe_is_no_quote() -> None:
    assert quotes("don't say it's Bo's") == ()


@given(st.text(alphabet="ab ,.;!?'\"\nİß", max_size=80))
@settings(max_examples=60, deadline=None)
def test_the_spans_are_in_order_and_apart(text: str) -> None:
    spans = clauses(text)

    assert all(start < end <= len(text) for start, end in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
