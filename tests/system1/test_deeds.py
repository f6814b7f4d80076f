"""Verbs that ask for something else than an action does, however near the rest of the words."""

import pytest

from turnout.system1.deeds import Deeds, head, is_form_of_verb

DEEDS = Deeds.learn(
    {
        "towels": ["bring towels to 204", "room 311 needs a pillow", "could someone take a blanket up"],
        "cancel": ["cancel booking 7", "please call off 8", "drop the booking 9"],
        "few": ["bring towels"],
    },
    {
        "towels": ("bring to room", "Have something brought to a room"),
        "cancel": ("cancel booking", "Cancel a booking"),
    },
)


@pytest.mark.parametrize(
    "text", ["wash the towels", "please repair the lamp in 204", "could you buy new towels"]
)
def test_another_verb_of_a_firm_meaning_is_another_request(text: str) -> None:
    assert DEEDS.objects("towels", text)


@pytest.mark.parametrize(
    "text",
    [
        "bring towels to 3",
        "get me some towels",
        "towels for 204 please",
        "send two pillows up",
        "I'd like a blanket",
        "frobnicate the towels",
    ],
)
def test_verbs_that_may_mean_anything_speak_against_nothing(text: str) -> None:
    assert DEEDS.objects("towels", text) == ""


@pytest.mark.parametrize("text", ["delete booking 7", "please withdraw the booking", "revoke 8"])
def test_verbs_of_the_same_meaning_stand_for_each_other(text: str) -> None:
    assert DEEDS.objects("cancel", text) == ""


def test_an_action_with_few_examples_is_given_the_benefit_of_the_doubt() -> None:
    assert DEEDS.objects("few", "wash the towels") == ""
    assert DEEDS.objects("unknown", "wash the towels") == ""


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Please cancel it", "cancel"),
        ("could you move my table", "move"),
        ("I'd like to sell it", "sell"),
        ("", ""),
    ],
)
def test_the_verb_is_found_behind_politeness(text: str, verb: str) -> None:
    assert head(text) == verb


@pytest.mark.parametrize(
    "text",
    [
        "tell Ben to bring towels to 204",
        "could you ask the night porter to bring up a pillow?",
        "remind me to bring towels to 204",
        "get Ana to take a blanket up",
        "please email Ana that she should bring towels to 3",
    ],
)
def test_what_somebody_else_is_to_do_is_not_asked_of_us(text: str) -> None:
    assert DEEDS.objects("towels", text)


MESSAGES = Deeds.learn(
    {"remind": ["remind the tenant of 3 about the rent"], "robot": ["let the robot clean the hall"]},
    {"robot": ("start robot", "Have the robot clean a room")},
)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("remind", "remind the tenant of 5 to pay the rent"),
        ("remind", "tell the tenant of 5 to pay the rent"),
        ("robot", "tell the robot to clean the hall"),
    ],
)
def test_an_action_that_tells_people_things_or_is_told_is_asked_for_so(action: str, text: str) -> None:
    assert MESSAGES.objects(action, text) == ""


@pytest.mark.parametrize("word", ["cancel", "cancelled", "cancelling", "reorders", "unblock", "deletes"])
def test_forms_of_verbs_are_known(word: str) -> None:
    assert is_form_of_verb(word)


@pytest.mark.parametrize("word", ["bed", "thing", "lasagne", "un", "red"])
def test_other_words_are_no_forms_of_verbs(word: str) -> None:
    assert not is_form_of_verb(word)
