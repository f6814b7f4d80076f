"""What the last words of a conversation ask for in the light of those before."""

from typing import Any

import pytest
from conversation_fakes import SCHEMAS, conversation, extract, reading

from turnout.model.utterance import Turn
from turnout.system1.followup import follow

Calls = list[tuple[str, dict[str, Any]]]


def calls(*texts: str) -> Calls:
    return [(call.action_id, call.params) for call in conversation(*texts).calls]


def report(month: str, **more: str) -> tuple[str, dict[str, Any]]:
    return "report", {"month": month, **more}


SENT = ("send the report for March", "Done, it is sent.")
SENT_TO_BO = ("send the report for March to Bo", "Done.")
RESTARTED = ("restart api", "api is up again.")
SCALING = ("scale web to 30 replicas", "Scale web to 30 replicas?")
WHICH = ("restart", "Which service?")
MONDAY = ("book a room on Monday", "Book a room on Monday?")

CONTINUED: list[tuple[str, tuple[str, ...], Calls]] = [
    ("slot answer", ("send the report to Anna", "For which month?", "May"), [report("May", to="Anna")]),
    ("slot answer", (*WHICH, "web"), [("restart", {"service": "web"})]),
    ("slot answer", (*WHICH, "the web one please"), [("restart", {"service": "web"})]),
    ("slot answer", (*WHICH, "it's api"), [("restart", {"service": "api"})]),
    (
        "slot answer",
        (*WHICH, "api and web"),
        [("restart", {"service": "api"}), ("restart", {"service": "web"})],
    ),
    (
        "slot answer",
        ("book a room", "Which day?", "on Friday for 5 people"),
        [("room", {"day": "Friday", "people": 5})],
    ),
    (
        "slot answer",
        ("book a room on Monday", "For how many?", "6"),
        [("room", {"day": "Monday", "people": 6})],
    ),
    (
        "slot answer",
        ("scale api", "To how many replicas?", "4"),
        [("scale", {"service": "api", "replicas": 4})],
    ),
    (
        "slot answer",
        ("scale", "Which service?", "web", "To how many?", "9"),
        [("scale", {"service": "web", "replicas": 9})],
    ),
    (
        "slot answer",
        ("open a ticket", "What is it about?", "The coffee machine leaks."),
        [("ticket", {"title": "The coffee machine leaks"})],
    ),
    ("the same", (*SENT, "the same for April please"), [report("April")]),
    ("the same", (*SENT, "Do the same for May"), [report("May")]),
    ("the same", (*SENT, "and for April?"), [report("April")]),
    ("the same", (*SENT, "And April"), [report("April")]),
    ("the same", (*SENT, "now do May"), [report("May")]),
    ("the same", (*SENT, "same for April and May"), [report("April"), report("May")]),
    ("the same", (*SENT, "thanks, now the same for May"), [report("May")]),
    ("the same", (*SENT, "what about April?"), [report("April")]),
    ("the same", (*SENT, "Also for Carla"), [report("March", to="Carla")]),
    ("the same", (*SENT_TO_BO, "again please"), [report("March", to="Bo")]),
    ("the same", (*SENT_TO_BO, "to Carla as well"), [report("March", to="Carla")]),
    ("the same", (*SENT_TO_BO, "Do it again for April"), [report("April", to="Bo")]),
    ("the same", (*SENT, "Das gleiche für April"), [report("April")]),
    ("correction", (*SCALING, "no, 40 not 30"), [("scale", {"service": "web", "replicas": 40})]),
    ("correction", (*SCALING, "No, make it 40"), [("scale", {"service": "web", "replicas": 40})]),
    ("correction", (*SCALING, "Sorry, I meant api"), [("scale", {"service": "api", "replicas": 30})]),
    ("correction", (*SCALING, "not web, api"), [("scale", {"service": "api", "replicas": 30})]),
    ("correction", (*SCALING, "40 instead"), [("scale", {"service": "web", "replicas": 40})]),
    ("correction", (*SENT_TO_BO, "Oops, that should have been April"), [report("April", to="Bo")]),
    ("correction", (*SENT_TO_BO, "actually Carla"), [report("March", to="Carla")]),
    ("correction", (*MONDAY, "Tuesday, sorry"), [("room", {"day": "Tuesday"})]),
    ("correction", (*MONDAY, "make it Tuesday"), [("room", {"day": "Tuesday"})]),
    ("correction", (*MONDAY, "Yes, but for 6 people"), [("room", {"day": "Monday", "people": 6})]),
    ("correction", (*MONDAY, "nein, Dienstag wäre Tuesday"), [("room", {"day": "Tuesday"})]),
    ("yes", (*SCALING, "yes"), [("scale", {"service": "web", "replicas": 30})]),
    ("yes", (*SCALING, "Yes please!"), [("scale", {"service": "web", "replicas": 30})]),
    ("yes", (*SCALING, "ja bitte"), [("scale", {"service": "web", "replicas": 30})]),
    ("yes", (*SCALING, "go ahead"), [("scale", {"service": "web", "replicas": 30})]),
    (
        "yes",
        ("book a room", "Which day?", "Monday", "A room on Monday, is that right?", "yes"),
        [("room", {"day": "Monday"})],
    ),
    ("yes", (*SCALING, "fine by us, carry on"), [("scale", {"service": "web", "replicas": 30})]),
    ("yes", (*SCALING, "That is correct, please proceed."), [("scale", {"service": "web", "replicas": 30})]),
    ("yes", (*SCALING, "sure, scale it"), [("scale", {"service": "web", "replicas": 30})]),
    (
        "yes, and more",
        (*SCALING, "yes, and api as well"),
        [("scale", {"service": "web", "replicas": 30}), ("scale", {"service": "api", "replicas": 30})],
    ),
    (
        "yes, and more",
        (*SCALING, "Yes. Also lock the front door"),
        [("scale", {"service": "web", "replicas": 30}), ("lock", {"door": "front"})],
    ),
    (
        "slot answer",
        ("open a ticket", "What is it about?", "that the coffee machine leaks"),
        [("ticket", {"title": "the coffee machine leaks"})],
    ),
    ("the same", (*SENT, "April too, they need both"), [report("April")]),
    ("switch", (*RESTARTED, "lock the front door"), [("lock", {"door": "front"})]),
    ("switch", (*RESTARTED, "actually, lock the front door"), [("lock", {"door": "front"})]),
    ("switch", (*WHICH, "lock the garage door instead"), [("lock", {"door": "garage"})]),
    ("switch", (*SCALING, "no, restart api"), [("restart", {"service": "api"})]),
    ("switch", (*RESTARTED, "and lock the front door"), [("lock", {"door": "front"})]),
    (
        "after an excursion",
        (*WHICH, "what is a worker?", "A process without a door. Which service do you mean?", "web"),
        [("restart", {"service": "web"})],
    ),
]

NOTHING: list[tuple[str, tuple[str, ...]]] = [
    ("thanks", (*RESTARTED, "thanks!")),
    ("thanks", (*RESTARTED, "Great, thank you")),
    ("thanks", (*RESTARTED, "perfect")),
    ("no", (*SCALING, "no")),
    ("no", (*SCALING, "No, leave it as it is.")),
    ("no", (*SCALING, "forget it")),
    ("no", (*SCALING, "don't")),
    ("no", (*SCALING, "never mind, no need")),
    ("no", (*SCALING, "nein danke")),
    ("no", (*WHICH, "none of them, never mind")),
    ("question", (*RESTARTED, "who won the match?")),
    ("question", (*RESTARTED, "Why was it slow?")),
    ("question", (*RESTARTED, "how long did that take?")),
    ("question", (*WHICH, "what is a service?")),
    ("question", (*WHICH, "which ones are there?")),
    ("question", (*WHICH, "how do I find out?")),
    ("question", (*SCALING, "what does that cost?")),
    ("question", (*RESTARTED, "what about the weather")),
    ("off topic", (*RESTARTED, "I like trains")),
    ("off topic", ("hello", "Hi, what can I do for you?", "nothing")),
    ("yes to nothing", (*RESTARTED, "yes")),
    ("yes to nothing", ("restart api", "Anything else?", "yes")),
    ("yes to an offer", ("restart api", "api is restarted. Shall I restart web too?", "yes")),
    ("yes to an offer", ("restart api", "Done. Shall I lock the front door?", "yes")),
    (
        "yes to another value",
        ("book a room on Monday", "Monday is full. Shall I book it for Tuesday?", "yes"),
    ),
    ("yes to a question for a value", (*WHICH, "yes")),
    ("yes to old news", (*RESTARTED, "who won the match?", "Our team. Do you want the score?", "yes")),
    ("after it was taken back", (*WHICH, "forget it", "Fine. Tea?", "web")),
]


@pytest.mark.parametrize(("_kind", "texts", "expected"), CONTINUED)
def test_a_follow_up_asks_for_the_whole_call(_kind: str, texts: tuple[str, ...], expected: Calls) -> None:
    outcome = conversation(*texts)

    assert [(call.action_id, call.params) for call in outcome.calls] == expected
    assert all(call.open == () for call in outcome.calls)


@pytest.mark.parametrize(("_kind", "texts"), NOTHING)
def test_what_is_no_follow_up_asks_for_nothing(_kind: str, texts: tuple[str, ...]) -> None:
    outcome = conversation(*texts)

    assert outcome.calls == ()
    assert outcome.reason


def test_what_is_still_open_after_an_answer_is_named() -> None:
    (call,) = conversation("scale", "Which service?", "web").calls

    assert (call.params, call.open) == ({"service": "web"}, ("replicas",))


def test_an_answer_that_fits_two_values_of_one_parameter_is_ambiguous_or_two_calls() -> None:
    (call,) = conversation("scale web", "To how many?", "4 or 5").calls

    assert call.open == ("replicas",)
    assert call.ambiguous == {"replicas": ("4", "5")}


@pytest.mark.parametrize(
    "said",
    [
        "no idea",
        "I don't know yet",
        "hmm, not sure",
        "let me check",
        "weiß ich nicht",
        "aucune idée",
        "no sé",
    ],
)
def test_who_does_not_know_gives_no_answer(said: str) -> None:
    assert calls("open a ticket", "What is it about?", said) == []


def test_of_two_texts_that_are_offered_neither_is_taken() -> None:
    outcome = conversation("open a ticket", "What is it about?", "the printer or the scanner")

    assert [call.ambiguous for call in outcome.calls] == [{"title": ("the printer", "the scanner")}]


@pytest.mark.parametrize(
    ("answer", "last", "expected"),
    [
        ("Restart the worker?", "yes", [("restart", {"service": "worker"})]),
        ("Lock the front door?", "yes", []),
        ("I can't do that.", "yes", []),
    ],
)
def test_a_turn_that_was_not_sure_is_borne_out_by_a_question_about_just_that(
    answer: str, last: str, expected: Calls
) -> None:
    vague = "restart push worker somewhere else around later"

    assert calls(vague) == []
    assert calls(vague, answer, last) == expected


def test_what_somebody_will_do_first_corrects_nothing() -> None:
    assert calls(*MONDAY, "hmm no, I'd rather ask for 5 people first") == []


def test_the_assistant_s_words_give_no_values() -> None:
    assert calls("restart", "Shall I restart web?", "hm") == []


def test_only_the_user_s_words_count_where_the_user_speaks_first() -> None:
    turns = [Turn(speaker="assistant", text="restart api"), Turn(speaker="user", text="good morning")]

    assert follow(turns, read=reading, extract=extract, schemas=SCHEMAS).calls == ()


def test_without_a_word_of_the_user_s_nothing_is_asked_for() -> None:
    assert follow([], read=reading, extract=extract, schemas=SCHEMAS).reason == "the user said nothing"


GROUPS: list[tuple[str, tuple[str, ...], Calls]] = [
    (
        "one answer for all that lack it",
        ("scale api and web", "To how many?", "3"),
        [("scale", {"service": "api", "replicas": 3}), ("scale", {"service": "web", "replicas": 3})],
    ),
    (
        "an answer that names what it is for",
        ("scale api and web", "To how many?", "api to 3 and web to 4"),
        [("scale", {"service": "api", "replicas": 3}), ("scale", {"service": "web", "replicas": 4})],
    ),
    (
        "what two actions have in common, for another",
        ("scale web to 3 replicas and restart it", "Done.", "the same for api"),
        [("scale", {"service": "api", "replicas": 3}), ("restart", {"service": "api"})],
    ),
    (
        "what tells two calls apart, for another",
        ("restart api and web", "Both are up again.", "worker too"),
        [("restart", {"service": "worker"})],
    ),
    (
        "what two calls have in common, for another",
        ("send the report for March to Anna and Bo", "Sent.", "now for April"),
        [("report", {"month": "April", "to": "Anna"}), ("report", {"month": "April", "to": "Bo"})],
    ),
    (
        "a correction that names its call",
        ("scale api to 3 and web to 4", "Shall I?", "no, web to 5"),
        [("scale", {"service": "api", "replicas": 3}), ("scale", {"service": "web", "replicas": 5})],
    ),
    (
        "a correction of what all have in common",
        ("send the report for March to Anna and Bo", "Shall I?", "sorry, for May"),
        [("report", {"month": "May", "to": "Anna"}), ("report", {"month": "May", "to": "Bo"})],
    ),
    (
        "a correction by what was not meant",
        ("restart api and web", "Shall I?", "worker, not web"),
        [("restart", {"service": "api"}), ("restart", {"service": "worker"})],
    ),
    (
        "a correction of what has run leaves the other as it is",
        ("scale api to 3 and web to 4", "Done.", "no, web to 5"),
        [("scale", {"service": "web", "replicas": 5})],
    ),
]


@pytest.mark.parametrize(("_kind", "texts", "expected"), GROUPS)
def test_a_follow_up_of_several_calls_means_those_it_fits(
    _kind: str, texts: tuple[str, ...], expected: Calls
) -> None:
    assert calls(*texts) == expected


def test_a_correction_that_fits_several_calls_alike_changes_none() -> None:
    assert calls("scale api to 3 and web to 4", "Shall I?", "no, 5") == []


@pytest.mark.parametrize(
    "texts", [(*SCALING, "31 then"), (*SCALING, "31, sorry"), (*SCALING, "wrong, I meant 31")]
)
def test_words_that_are_only_another_value_stand_for_the_call_with_it(texts: tuple[str, ...]) -> None:
    assert calls(*texts) == [("scale", {"service": "web", "replicas": 31})]


@pytest.mark.parametrize("said", ["Monday", "Monday then", "Tuesday?", "Tuesday, how nice"])
def test_a_value_that_is_no_other_one_or_only_wondered_at_asks_for_nothing(said: str) -> None:
    assert calls("book a room on Monday", "Done, Monday.", said) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("only web", [("restart", {"service": "web"})]),
        ("skip api", [("restart", {"service": "web"})]),
        ("web to nothing", []),
    ],
)
def test_some_of_several_calls_that_wait_for_a_yes_may_be_chosen(said: str, expected: Calls) -> None:
    assert calls("restart api and web", "Restart both?", said) == expected


@pytest.mark.parametrize("said", ["no, all to 5", "both to 5, sorry"])
def test_a_correction_of_all_changes_what_they_say_differently(said: str) -> None:
    assert calls("scale api to 3 and web to 4", "Shall I?", said) == [
        ("scale", {"service": "api", "replicas": 5}),
        ("scale", {"service": "web", "replicas": 5}),
    ]


@pytest.mark.parametrize(
    "said", ["worker needs the same", "do the worker too", "give worker the same please"]
)
def test_the_same_may_be_said_behind_what_it_is_for(said: str) -> None:
    assert calls(*RESTARTED, said) == [("restart", {"service": "worker"})]


@pytest.mark.parametrize(
    "texts",
    [
        (*WHICH, "not web"),
        (*SENT, "the same but not for May"),
        (*SENT, "please don't make it May"),
        (*SCALING, "don't make it 31"),
    ],
)
def test_a_value_that_is_only_refused_is_not_taken(texts: tuple[str, ...]) -> None:
    assert calls(*texts) == []
