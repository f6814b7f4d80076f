"""What tells a text that asks for an action from one that only speaks about it."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from speech_frames import ASKING, TELLING, framed
from speech_sentences import REQUESTS, TRAPS

from turnout.system1.speech import Gate, forms, speech, straightened, wanted

ALL_TRAPS = [(form, text) for form, texts in TRAPS.items() for text in texts]

CHANGES = {
    "cancel": ("cancel my booking", "please cancel order 5"),
    "close": ("close the ticket", "mark ticket 9 as closed"),
}


@pytest.mark.parametrize(("form", "text"), ALL_TRAPS)
def test_a_text_that_only_speaks_about_an_action_is_refused(form: str, text: str) -> None:
    assert forms(text)
    assert Gate.learn(CHANGES).refuses("cancel", text)


@pytest.mark.parametrize("text", REQUESTS)
def test_a_request_passes_whatever_trap_it_looks_like(text: str) -> None:
    assert forms(text) == frozenset()


@pytest.mark.parametrize("words", ["cancel order 12345", "close ticket 9"])
@pytest.mark.parametrize("frame", range(len(framed(ASKING, ""))))
def test_politeness_and_haste_change_nothing_of_a_request(frame: int, words: str) -> None:
    said = framed(ASKING, words)[frame]

    assert Gate.learn(CHANGES).refuses("cancel", said) is None, said


@pytest.mark.parametrize("words", ["cancel order 12345", "close ticket 9"])
@pytest.mark.parametrize("frame", range(len(framed(TELLING, ""))))
def test_words_that_ask_by_themselves_do_not_where_they_are_only_spoken_of(frame: int, words: str) -> None:
    said = framed(TELLING, words)[frame]

    assert Gate.learn(CHANGES).refuses("cancel", said), said


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("not Carl, Bea should edit it", "Bea should edit it"),
        ("no, not on paper: mail the bill to Ann", "mail the bill to Ann"),
        ("not now, I am busy with it", "not now, I am busy with it"),
    ],
)
def test_what_is_put_right_at_the_beginning_is_left_out(text: str, plain: str) -> None:
    assert straightened(text).removeprefix("no, ") == plain


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("negation", "don\u00b4t cancel order 12345"),
        ("negation", "donot cancel order 12345"),
        ("negation", "neither cancel order 12345 nor close ticket 9"),
        ("retreat", "cancel order 12345. Actually no."),
        ("retreat", "cancel order 12345. Oh no!"),
    ],
)
def test_what_is_refused_is_known_however_it_is_written(form: str, text: str) -> None:
    assert form in forms(text)


@pytest.mark.parametrize("form", TRAPS)
def test_nearly_every_trap_is_called_by_its_own_name(form: str) -> None:
    named = sum(form in forms(text) for text in TRAPS[form])

    assert named / len(TRAPS[form]) >= 0.85


@pytest.mark.parametrize(
    ("examples", "text"),
    [
        (("how do I reset my password", "I forgot my password"), "How can I reset my password?"),
        (("my card was stolen", "block the card"), "somebody stole my card"),
        (("translate this into French", "say it in German"), "translate 'good night' into Italian"),
        (("why was my payment declined",), "Why did you decline my payment?"),
        (("remind me to call Bo when I get home",), "remind me to buy milk when I get to the shop"),
        (("don't disturb me until five", "mute everything"), "don't let anybody disturb me today"),
        (("what is a haircut", "define amortisation"), "what does escrow mean"),
        (("thanks", "thank you so much"), "many thanks!"),
    ],
)
def test_a_form_that_the_examples_of_an_action_show_is_normal_for_it(
    examples: tuple[str, ...], text: str
) -> None:
    gate = Gate.learn({"taught": examples, "other": ("open the gate",)})

    assert gate.refuses("taught", text) is None
    assert gate.refuses("other", text)


def test_a_question_for_facts_asks_for_an_action_that_looks_something_up_and_for_no_other() -> None:
    gate = Gate.learn(
        {"orders.list": ("show my orders",), "orders.cancel": ("cancel my order",), "balance": ()},
        {"balance": ("Account balance", "Returns the balance of an account.")},
    )

    assert gate.refuses("orders.list", "Which orders are still open?") is None
    assert gate.refuses("orders.cancel", "Which orders are still open?") == "gate: lookup"
    assert gate.refuses("balance", "how much money is on my account?") is None


@pytest.mark.parametrize(
    "text", ["How do I list my orders?", "What does 'open order' mean?", "don't show my orders"]
)
def test_an_action_that_looks_something_up_takes_no_other_question(text: str) -> None:
    assert Gate.learn({"orders.list": ("show my orders",)}).refuses("orders.list", text)


def test_a_form_that_many_actions_show_is_the_tone_of_the_catalogue() -> None:
    answers = {f"answer-{number}": ("how do I do that", "where is it") for number in range(5)}
    commands = {f"command-{number}": ("restart it",) for number in range(5)}

    assert Gate.learn(answers | commands).refuses("command-1", "how do I restart it") is None
    assert Gate.learn(commands | {"answer-1": answers["answer-1"]}).refuses(
        "command-1", "how do I restart it"
    )


def test_the_reason_names_every_form_that_is_not_normal() -> None:
    assert Gate.learn(CHANGES).refuses("cancel", "Why did Tom say 'cancel it'? How do I cancel it?") == (
        "gate: how-to, why"
    )


def test_an_action_without_examples_takes_plain_requests_only() -> None:
    assert Gate.learn({}).refuses("unknown", "close the ticket") is None
    assert Gate.learn({}).refuses("unknown", "don't close the ticket") == "gate: negation"


def test_a_verb_of_the_examples_begins_a_request_too() -> None:
    gate = Gate.learn({"dye": ("frobnicate the jacket",)})

    assert [clause.asks for clause in gate.read("It looks dull, frobnicate the trousers").clauses] == [
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Don't restart api, restart web instead", "restart web"),
        ("Cancel the second order, not the first", "Cancel the second order"),
        ("Move it to May instead of June", "Move it to May"),
        ("Hi Sam, close the ticket. Thanks!", "close the ticket"),
        ("No, close the other one", "close the other one"),
        ("close the ticket", "close the ticket"),
    ],
)
def test_what_is_not_wanted_is_left_out(text: str, left: str) -> None:
    assert wanted(text, speech(text)).removesuffix(" instead") == left


@pytest.mark.parametrize(
    ("text", "straight"),
    [
        ("Don't book Monday but Tuesday", "book Tuesday"),
        ("please don't move the call to May but to June", "please move the call to June"),
        ("Do not refund order 5, just order 6", "refund order 6"),
        ("take not the red one but the blue one", "take the blue one"),
        ("Storniere nicht Bestellung 5, sondern Bestellung 6", "Storniere Bestellung 6"),
        ("don't restart api but tell me its state", "don't restart api but tell me its state"),
        ("close the ticket but keep the chat", "close the ticket but keep the chat"),
    ],
)
def test_one_thing_in_place_of_another_is_read_as_the_one(text: str, straight: str) -> None:
    assert straightened(text) == straight


@pytest.mark.parametrize(
    "text",
    ["x" * 5_000, "please " * 800, '"' * 3_000, "a, " * 1_300, "if " * 1_300, "no " * 1_300, "(" * 3_900],
)
def test_a_hostile_text_takes_no_time(text: str) -> None:
    start = time.process_time()
    Gate.learn(CHANGES).refuses("cancel", text)

    assert time.process_time() - start < 1.0


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_text_has_forms_and_its_clauses_lie_in_it(text: str) -> None:
    read = speech(text)

    assert forms(text) == forms(text)
    assert all(0 <= clause.start <= clause.begins <= clause.end <= len(text) for clause in read.clauses)


@given(st.sampled_from(REQUESTS), st.sampled_from(["Hi, ", "Please, ", "ok, ", "Good morning! ", "thanks, "]))
@settings(max_examples=40, deadline=None)
def test_a_greeting_changes_nothing(text: str, greeting: str) -> None:
    assert forms(greeting + text) == frozenset()


def test_a_gate_that_learns_from_one_before_it_is_the_one_that_reads_everything() -> None:
    more = {**CHANGES, "close": ("is ticket 4 to be closed?",), "void": ("please cancel bill 3",)}
    about = {"void": ("void", "Cancel a bill.")}
    before = Gate.learn(CHANGES)
    texts = ("cancel it", "is it closed?", "how do I cancel it?", "ticket 4 is closed")
    fresh, later = Gate.learn(more, about), Gate.learn(more, about, before)

    assert [later.refuses(action, text) for action in more for text in texts] == [
        fresh.refuses(action, text) for action in more for text in texts
    ]
    assert later.stated == fresh.stated


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("the pump needs to be replaced", True),
        ("The pump in hall 3 has to be cleaned now.", True),
        ("the pump had to be replaced", False),
        ("does the pump have to be replaced?", False),
        ("The pump has to be replaced every year", False),
        ("The pump has to be replaced. Order one.", True),
    ],
)
def test_a_statement_that_something_has_to_be_done_asks_for_it(text: str, asks: bool) -> None:
    assert speech(text).asks is asks


def test_beside_a_request_what_has_to_be_done_is_background() -> None:
    read = speech("The pump has to be replaced. Order one.")

    assert [(each.asks, each.states) for each in read.clauses] == [(False, True), (True, False)]


@pytest.mark.parametrize(
    "text",
    [
        "for example: cancel order 5",
        "For instance, cancel my booking",
        "e.g. close ticket 9",
        "a test message: cancel order 5",
        "zum Beispiel: cancel order 5",
    ],
)
def test_an_example_asks_for_nothing(text: str) -> None:
    assert "example" in forms(text)


@pytest.mark.parametrize(
    ("text", "asking"),
    [
        ("the box on floor 3 is full, could you see to that?", "the box on floor 3 is full"),
        ("Ann left us in May. Please record that, would you?", "Ann left us in May"),
        ("the lease of 7 ran out. please terminate it", "please terminate it"),
        ("I closed 7 yesterday. It's 8 that has to be closed", "It's 8 that has to be closed"),
    ],
)
def test_the_clause_that_says_what_is_wanted_asks(text: str, asking: str) -> None:
    read = speech(text)

    assert [text[each.start : each.end] for each in read.clauses if each.asks] == [asking]
    assert read.forms() == frozenset()


def test_a_thing_with_a_number_is_no_verb() -> None:
    assert not speech("order number 17").asks


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("Who needs order 7 any more? Cancel it.", True),
        ("Who needs order 7? Tell me.", False),
        ("Cancel order 7. Who needs it?", False),
    ],
)
def test_a_question_before_a_deed_wants_no_answer(text: str, left_out: bool) -> None:
    assert (forms(text) == frozenset()) is left_out


def test_forms_that_values_outweigh_are_few() -> None:
    assert Gate.surely({"feasibility", "wish", "quoted", "past"}) == {"past"}
    assert forms("is it possible to have room 3 on Friday?") == {"feasibility"}
    assert forms("my aunt would like room 3 on Friday") == {"wish"}
