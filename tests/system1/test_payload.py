"""Words that a request hands on are not read as words of the request."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.system1.clauses import clauses, lowered
from turnout.system1.payload import handed_on, without_payload
from turnout.system1.speech import forms


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('tell Ann "the lift is out of order"', "tell Ann"),
        ("message Tom: why is the gate open?", "message Tom"),
        ('open a ticket titled "printer is on fire" for Mo', "open a ticket titled for Mo"),
        ('rename it to "Blue"', None),
        ('"the whole text is quoted"', None),
        ("book the hall: it is free", None),
    ],
)
def test_the_request_is_what_is_left(text: str, left: str | None) -> None:
    assert without_payload(text, lowered(text)) == left


@pytest.mark.parametrize(
    "text",
    [
        "message Tom: why is the gate open?",
        "write to Ann: don't come, it is late",
        "tell Mo: if it rains, stay in",
    ],
)
def test_a_message_is_one_clause_with_the_words_that_it_hands_on(text: str) -> None:
    assert clauses(text) == ((0, len(text)),)
    assert forms(text) == frozenset()


def test_a_request_after_a_message_is_read_for_itself() -> None:
    text = "tell Ann: I am late. Also close ticket 9"

    assert [text[start:end] for start, end in clauses(text)][-1] == "close ticket 9"


@given(st.text(max_size=80))
def test_what_is_handed_on_lies_in_the_text(text: str) -> None:
    low = lowered(text)

    assert all(0 <= start < end <= len(text) for start, end in handed_on(low))
    left = without_payload(text, low)
    assert left is None or len(left) <= len(text)
