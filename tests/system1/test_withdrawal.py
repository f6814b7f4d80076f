"""Taking back, and what only looks like it."""

import pytest

from turnout.system1.clauses import lowered
from turnout.system1.speech import forms
from turnout.system1.withdrawal import is_withdrawal, withdrawal


@pytest.mark.parametrize(
    "tail",
    [
        ", no wait, don't",
        " - actually no, scratch that",
        "... hmm, on second thought, never mind",
        ". Wait, no.",
        ", or rather don't",
        ". jk",
        ", lol no",
        ". Hold on, not yet.",
        ". Ach nee, lass mal",
        "... non, laisse tomber",
        ", no, mejor déjalo",
        ", anzi no",
    ],
)
def test_a_request_that_ends_in_words_which_only_take_back_is_taken_back(tail: str) -> None:
    text = f"water the ferns in the hall{tail}"

    assert "retreat" in forms(text)
    cut = withdrawal(lowered(text))
    assert cut is not None
    assert text[: cut[0]] == "water the ferns in the hall"


@pytest.mark.parametrize(
    "text",
    [
        "water the ferns, not the roses",
        "water the ferns at 5, no, 6",
        "water the ferns, scratch that, the roses",
        "water the ferns, no later than noon",
        "water the ferns, please, thanks",
        "the ferns are dead, cancel it",
        "tell Ann: never mind",
    ],
)
def test_words_that_go_on_to_say_something_take_nothing_back(text: str) -> None:
    assert withdrawal(lowered(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "not yet",
        "lol no",
        "pas encore",
        "todavía no",
        "non ancora",
        "noch nicht",
        "nee lass mal",
        "I'd rather not",
    ],
)
def test_words_that_only_turn_down_are_known_by_themselves(text: str) -> None:
    assert is_withdrawal(lowered(text))
    assert forms(text)


@pytest.mark.parametrize("text", ["", "no milk", "wait", "sorry", "yes", "not the roses", "no 6"])
def test_hesitation_alone_and_further_words_turn_nothing_down(text: str) -> None:
    assert not is_withdrawal(text)


def test_a_refusal_with_two_letters_swapped_is_one() -> None:
    assert forms("do nto water the ferns") == {"negation"}
