"""Slips of the fingers, and words that only look like ones."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.model.utterance.words import word_set
from turnout.system1.spelling import Spelling

KNOWN = word_set("please look at the front door of my house now boat and lock it cancel order set teh")
SPELLING = Spelling(
    ("lock the front door", "cancel my order", "book a boat", "set the brightness"), KNOWN.__contains__
)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("lokc the frnt door", "lock the front door"),
        ("cancle my oder", "cancel my order"),
        ("set teh brightnes", "set teh brightness"),
        ("Brigthness of it", "brightness of it"),
    ],
)
def test_one_slip_is_set_right(said: str, meant: str) -> None:
    found = SPELLING.corrected(said)

    assert found is not None
    assert found.text == meant


@pytest.mark.parametrize(
    "text",
    [
        "look at the front door",
        "lock the front door",
        "xyzzy qwfpg",
        "B0at lokc2 a@lokc.example lokc.example",
        "",
    ],
)
def test_what_is_known_and_what_is_no_word_stays(text: str) -> None:
    assert SPELLING.corrected(text) is None


def test_a_word_that_may_be_two_others_stays() -> None:
    either = Spelling(("boat", "boot"), frozenset[str]().__contains__)

    assert either.corrected("bot") is None


def test_a_place_in_the_corrected_text_is_found_in_the_original() -> None:
    said = "pls lokc the frnt door now"
    found = SPELLING.corrected(said)
    assert found is not None

    for word, original in (("front", "frnt"), ("door", "door"), ("lock", "lokc"), ("now", "now")):
        start = found.text.index(word)
        first, last = found.origin(start, start + len(word))
        assert said[first:last] == original


@given(st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=8), max_size=8).map(" ".join))
def test_correcting_twice_is_correcting_once(text: str) -> None:
    found = SPELLING.corrected(text)

    assert found is None or SPELLING.corrected(found.text) is None
