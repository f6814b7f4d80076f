"""Where a turn stands decides first: after a tool's result, before an answer, inside an answer."""

from typing import Any

import pytest
from bodies import AGENT, WRAPPERS, assistant, called, image, of, result, said, system, user
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from turnout.model import (
    Headers,
    Message,
    Opaque,
    OutputFormat,
    Source,
    Text,
    Thinking,
    Tool,
    ToolChoice,
)
from turnout.model.utterance import Reader, utterance

WORDS = "refund invoice 42 for Acme"


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_the_words_come_back_out_of_every_wrapper(wrapper: str) -> None:
    read = utterance(WRAPPERS[wrapper](WORDS))
    assert (read.kind, read.text) == ("request", WORDS), read


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_tool_result_makes_it_a_continuation_whatever_the_client_adds_after_it(wrapper: str) -> None:
    body = WRAPPERS[wrapper](WORDS)
    for after in (
        (),
        (user("<system-reminder>x</system-reminder>"),),
        (user("go on"), user("and on")),
        (system("x"),),
    ):
        read = utterance(of(*body.messages, called(), result(), *after, tools=1))
        assert (read.kind, read.text) == ("continuation", "")


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_trailing_assistant_message_makes_it_a_prefill(wrapper: str) -> None:
    read = utterance(of(*WRAPPERS[wrapper](WORDS).messages, assistant("Sure, ")))
    assert (read.kind, read.text) == ("prefill", "")


WORD = ("refund", "invoice", "42", "für", "Åse", "請求書", "12.5", "C-7", "it's", "😀", "a\nb", "a\n\nb")
PLAIN = st.lists(st.sampled_from(WORD), min_size=1, max_size=8).map(" ".join)


@given(words=PLAIN, wrapper=st.sampled_from(sorted(WRAPPERS)))
@settings(max_examples=300, deadline=None)
def test_any_plain_words_come_back_out_of_every_wrapper(words: str, wrapper: str) -> None:
    read = utterance(WRAPPERS[wrapper](words))
    assert read.text == words
    assert read.kind == "request" or (read.kind == "answer" and words in ("42", "😀"))


def test_calls_that_wait_for_their_results_are_a_continuation_even_before_new_words() -> None:
    assert utterance(of(user(WORDS), called(), tools=1)).kind == "continuation"
    assert utterance(of(user(WORDS), called(), user(WORDS), tools=1)).kind == "continuation"


def test_thinking_before_the_call_does_not_hide_the_result() -> None:
    thinking = Message(role="assistant", parts=(Thinking(text="hm"),))
    assert utterance(of(user(WORDS), thinking, called(), result(), tools=1)).kind == "continuation"


@pytest.mark.parametrize(
    "text",
    [
        "Observation:\nThe total is 12.",
        "Tool result: refunded",
        "Tool output: refunded",
        "function response: {}",
        "Code output: 12",
        "Exit code: 0\nrefunded",
        "Execution result of [run]: 0",
        "Output of the command ls: a",
        "Traceback (most recent call last):\n  x",
        "[read_file for 'refunds.txt'] Result:\nrefund",
        "[ERROR] There was no tool in your answer.",
        "The code above was executed on this machine.",
        "Continue if there are next steps, or stop.",
        "2 validation errors for Refund:\namount missing",
        "Fix your answer, based on the following errors:\namount missing",
        "Note that you did not use a tool in your answer.",
        "Your last response was cut off.",
        "[Message of a previous active turn, kept as context.]\nrefund order 7\n\nGo on.",
        "[Sat 2026-11-28 10:00 UTC] [From an interrupted run: do not repeat it]\nrefund order 7",
        "refund order 7\n\nContinue the current task from what was done. Do not start it again.",
        "<tool_response>\nrefunded\n</tool_response>",
        "<function_results>refund</function_results> go on",
        "<returncode>0</returncode>\n<output>\nrefund\n</output>",
        "<system-reminder>x</system-reminder><bash-stdout>refund</bash-stdout>",
    ],
)
def test_a_result_that_comes_as_user_text_is_a_continuation(text: str) -> None:
    read = utterance(of(user("refund it"), assistant("Calling refund."), user(text)))
    assert (read.kind, read.text) == ("continuation", "")


def test_a_result_in_one_part_and_words_in_another_are_a_continuation() -> None:
    assert utterance(of(user("Observation: refunded", "refund it"))).kind == "continuation"


def test_a_client_that_says_an_agent_began_the_call_is_believed() -> None:
    def source(initiator: str) -> Source:
        return Source(protocol="openai-chat", body=b"", headers=Headers.of({"X-Initiator": initiator}))

    assert utterance(of(user(WORDS)), source("agent")).kind == "continuation"
    assert utterance(of(user(WORDS)), source("user")).text == WORDS
    assert utterance(of(user(WORDS)), Source(protocol="openai-chat", body=b"")).text == WORDS


def test_without_words_of_a_user_there_is_nothing() -> None:
    for body in (
        of(),
        of(system(AGENT)),
        of(user("")),
        of(user("  \n ")),
        of(Message(role="user", parts=(image(),))),
        of(Message(role="user", parts=(Opaque(protocol="gemini", kind="x", body="{}"),))),
        of(user("<system-reminder>refund</system-reminder>")),
        of(user("<garage-facts>\nrefund\n</garage-facts>")),
        of(user("<garage-facts>\nrefund")),
        of(user("# Local instructions for this folder")),
        of(user("hello"), assistant("hello"), user("<environment_context>refund</environment_context>")),
    ):
        read = utterance(body)
        assert (read.kind, read.text) == ("none", ""), read
        assert read.reason


def test_words_of_several_parts_are_one_text_in_their_order() -> None:
    assert utterance(of(user("refund", "invoice 42", "", "today"))).text == "refund\ninvoice 42\ntoday"


def test_of_several_user_messages_the_last_with_words_counts() -> None:
    read = utterance(of(user("list invoices"), user(WORDS), user("<system-reminder>x</system-reminder>")))
    assert (read.kind, read.text) == ("request", WORDS)


def test_instructions_in_the_message_before_make_a_side_call_of_the_words_after_it() -> None:
    assert utterance(of(user("Make up a title for this conversation:"), user(WORDS))).kind == "side_call"
    assert utterance(of(user("good morning"), user(WORDS))).kind == "request"


def test_lines_and_paragraphs_of_a_request_are_kept() -> None:
    words = "Create an invoice for Acme:\n- 3 days of work\n- travel\n\nSend it on Monday."
    assert utterance(of(system(AGENT), user(words))).text == words


@pytest.mark.parametrize(
    "words",
    [
        "yes",
        "Yes, please.",
        "no thanks",
        "ok",
        "👍",
        "Ja, bitte!",
        "oui",
        "sí",
        "はい",
        "да",
        "go ahead",
        "2",
        "b)",
        "yes do it",
    ],
)
def test_a_short_yes_no_or_choice_right_after_the_assistant_is_an_answer(words: str) -> None:
    read = utterance(of(user("refund it"), assistant("Shall I refund invoice 42?"), user(words)))
    assert (read.kind, read.text) == ("answer", words)
    assert utterance(of(user(words))).kind == "request"


@pytest.mark.parametrize(
    "words", ["balance", "list invoices", "no, refund invoice 43", "please", "yes " * 20]
)
def test_other_words_after_the_assistant_are_a_request(words: str) -> None:
    assert utterance(of(user("hello"), assistant("What can I do?"), user(words))).kind == "request"


def test_the_message_of_another_speaker_is_not_the_users() -> None:
    assert utterance(of(user("write a poem", name="ann"), user(WORDS, name="critic"))).kind == "none"
    assert (
        utterance(of(user("hello", name="ann"), assistant("hello"), user(WORDS, name="ann"))).kind
        == "request"
    )


def test_what_a_program_reads_is_a_side_call() -> None:
    body = of(user(WORDS), tools=2)
    changes: list[dict[str, Any]] = [
        {"format": OutputFormat(kind="json")},
        {"format": OutputFormat(kind="json_schema", schema="{}")},
        {"tool_choice": ToolChoice(mode="required", names=("answer",))},
        {"tool_choice": ToolChoice(mode="required"), "tools": (Tool(name="answer"),)},
        {"max_tokens": 1},
        {"max_tokens": 32},
    ]
    for fields in changes:
        assert utterance(structs.replace(body, **fields)).kind == "side_call"


def test_settings_of_ordinary_requests_do_not_matter() -> None:
    body = of(user(WORDS), tools=2)
    changes: list[dict[str, Any]] = [
        {"format": OutputFormat(kind="text")},
        {"tool_choice": ToolChoice(mode="auto")},
        {"tool_choice": ToolChoice(mode="required")},
        {"max_tokens": 33},
        {"temperature": 0.0},
    ]
    for fields in changes:
        assert utterance(structs.replace(body, **fields)).text == WORDS


def test_a_turn_without_the_tools_of_the_turns_before_is_a_side_call() -> None:
    turns = (user("time?"), called(), result("noon"), assistant("Noon."), user(WORDS))
    assert utterance(of(*turns)).kind == "side_call"
    assert utterance(of(*turns, tools=1)).kind == "request"


def test_an_item_that_triggers_compaction_is_a_side_call() -> None:
    trigger = Message(
        role="user", parts=(Opaque(protocol="openai-responses", kind="compaction_trigger", body="{}"),)
    )
    assert utterance(of(user(WORDS), trigger)).kind == "side_call"


def test_an_utterance_longer_than_4000_code_points_is_no_request() -> None:
    assert utterance(of(user("x" * 4000))).kind == "request"
    assert utterance(of(user("é" * 4001))) == utterance(of(user("x" * 4001)))
    assert utterance(of(user("x" * 4001))).kind == "none"
    reminder = "<system-reminder>" + "y" * 20_000 + "</system-reminder>"
    assert utterance(of(user(reminder, "x" * 4000))).text == "x" * 4000
    assert Reader(longest=3).read(of(user("refund"))).kind == "none"


def test_roles_that_stand_among_the_users_messages_are_passed_over() -> None:
    read = utterance(
        of(said("developer", "Be brief."), user(WORDS), said("developer", "Be briefer."), system("x"))
    )
    assert read.text == WORDS


def test_the_reading_says_what_was_taken_off_and_quotes_nothing() -> None:
    read = utterance(WRAPPERS["a stamp, a runtime line and a context message"](WORDS))
    assert read.wrapper == "<inner_context>, time stamp, runtime line"
    secret = utterance(of(user(f"<sk-secret>x</sk-secret> {WORDS}")))
    assert "secret" not in secret.wrapper + secret.reason
    assert secret.wrapper == "an unknown block"


def test_a_text_part_counts_wherever_media_stand() -> None:
    parts = (Text(text="refund"), image(), Text(text="this"))
    assert utterance(of(Message(role="user", parts=parts))).text == "refund\nthis"
