"""The requests of real clients: which words are the user's, which kind of turn it is, and that nothing else fires."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from convert import body_of
from msgspec import structs

from turnout.model import Body, Message, Source, Text
from turnout.model.utterance import Utterance, utterance
from turnout.wire.codec import codec

PLAIN = r"Reply with exactly [^\n]*: PLAIN-\w{8}"
CALL = r"Call the tool [^\n]* gives\."
READ = r"(?:Use a tool|Run code) to read [^\n]* holds\."
THREAD = r"Call get_word"
HELLO = r"hi"
CONTINUATION, SIDE_CALL = "continuation", "side_call"

CODING = "aider claude-code codex gemini-cli openclaw open-interpreter pi qwen-code"

STRUCTURED = (
    *("ai-sdk", "ai-sdk-gemini", "ai-sdk-messages", "ai-sdk-responses"),
    *("instructor", "instructor-messages", "instructor-responses"),
    *("openai-agents", "openai-agents-chat", "openai-js", "openai-py"),
    *("pydantic-ai", "pydantic-ai-gemini", "pydantic-ai-messages", "pydantic-ai-responses"),
)
BY_STEM = {
    "plain_001": PLAIN,
    "stream_001": PLAIN,
    "tool_001": CALL,
    "toolstream_001": CALL,
    "reasoning-tool_001": CALL,
    "reasoning-toolstream_001": CALL,
    "tool_002": CONTINUATION,
    "toolstream_002": CONTINUATION,
    "reasoning-tool_002": CONTINUATION,
    "reasoning-tool_003": CONTINUATION,
    "reasoning-toolstream_002": CONTINUATION,
}
BY_CLIENT = {
    # what must be JSON or one tool call is read by a program; the rest of "extra" are ordinary requests
    **{(client, "extra_001"): SIDE_CALL for client in STRUCTURED},
    **{
        (client, "extra_002"): SIDE_CALL
        for client in ["pydantic-ai", "pydantic-ai-gemini", "pydantic-ai-messages", "pydantic-ai-responses"]
    },
    **{("instructor", f"extra_00{number}"): SIDE_CALL for number in range(2, 8)},
    **{("instructor-messages", f"extra_00{number}"): SIDE_CALL for number in range(2, 6)},
    **{
        (client, "plain_001"): SIDE_CALL
        for client in ["instructor", "instructor-messages", "instructor-responses"]
    },
    ("dspy", "plain_002"): SIDE_CALL,  # a form with fields
    **{
        (client, stem): SIDE_CALL  # takes notes about the conversation after it
        for client in ("qwen-code", "qwen-code-messages")
        for stem in ("plain_002", "stream_002")
    },
    ("anthropic-py", "extra_004"): THREAD,
    ("anthropic-py", "extra_005"): CONTINUATION,
    ("anthropic-py", "extra_006"): PLAIN,
    ("anthropic-py", "extra_007"): PLAIN,
    ("anthropic-py", "extra_008"): SIDE_CALL,
    ("anthropic-py", "message-threads-keep_001"): THREAD,
    ("anthropic-py", "message-threads-keep_002"): CONTINUATION,
    ("anthropic-py", "message-threads-refuse_001"): THREAD,
    ("anthropic-py", "message-threads-refuse_002"): THREAD,
    ("anthropic-py", "message-threads-refuse_003"): CONTINUATION,
    **{("claude-code", f"answered-400-every-time_00{number}"): PLAIN for number in range(1, 7)},
    ("claude-code", "auth-token-own-model-discovery_003"): READ,
    ("claude-code", "auth-token-own-model-discovery_004"): CONTINUATION,
    ("claude-code", "default-environment_002"): READ,
    ("claude-code", "default-environment_003"): CONTINUATION,
    ("codex", "builtin-provider-websocket-404_008"): READ,
    ("codex", "builtin-provider-websocket-404_009"): CONTINUATION,
    ("codex", "builtin-provider-websocket-426_002"): READ,
    ("codex", "builtin-provider-websocket-426_003"): CONTINUATION,
    ("genai-py", "extra_005"): SIDE_CALL,
    ("genai-py", "extra_006"): PLAIN,
    ("openai-py", "extra_006"): HELLO,
    ("openai-py", "extra_010"): PLAIN,
    ("openai-py-chat", "extra_004"): SIDE_CALL,
    ("openai-py-chat", "extra_005"): PLAIN,
    ("openai-py-chat", "extra_006"): PLAIN,
}
NO_CONVERSATION = (
    *("count_tokens", "countTokens", "input_tokens", "batches", "batchEmbedContents", "embeddings"),
    *("interactions", "conversations", "compact", "cancel", "speech", "transcriptions"),
)

PATTERNS = (
    r".",
    r"\w+",
    r"[Rr]e",
    r"invoice",
    r"refund|reply|read",
    r"the (?P<what>\w+)",
    r"(?i)tool",
    r"\d",
    r"(?s).*",
)
"""Patterns of greedy actions: the first matches any words at all."""


class Capture(NamedTuple):
    client: str
    stem: str
    body: Body


def captures(shared: Path) -> Iterator[Capture]:
    for file in sorted(shared.glob("captures/*/*.json")):
        call = json.loads(file.read_text())
        if call["method"] != "POST" or not isinstance(call["body"], dict):
            continue
        body = body_of(call["path"], call["body"])
        if body is None:
            assert any(word in call["path"] for word in NO_CONVERSATION), (
                f"{file} is an endpoint nobody knows"
            )
            continue
        yield Capture(file.parent.name, re.split(r"_(?:POST|GET)_", file.stem)[0], body)


def expected(capture: Capture) -> str:
    label = BY_CLIENT.get((capture.client, capture.stem)) or BY_STEM.get(capture.stem)
    assert label is not None, f"{capture.client}/{capture.stem} has no label"
    return READ if label == CALL and capture.client.startswith(tuple(CODING.split())) else label


def test_the_words_and_the_kind_of_every_captured_request_are_right(shared: Path) -> None:
    wrong: list[str] = []
    kinds: dict[str, int] = {}
    for capture in captures(shared):
        label, read = expected(capture), utterance(capture.body)
        kinds[read.kind] = kinds.get(read.kind, 0) + 1
        if label in (CONTINUATION, SIDE_CALL):
            right = read.kind == label and read.text == ""
        else:
            right = read.kind == "request" and re.fullmatch(label, read.text) is not None
        if not right or not read.reason:
            wrong.append(f"{capture.client}/{capture.stem}: {read}")
    assert not wrong, "\n".join(wrong)
    assert kinds.keys() == {"request", CONTINUATION, SIDE_CALL}
    assert sum(kinds.values()) > 200


def test_the_codec_and_the_plain_converter_lead_to_the_same_reading(shared: Path) -> None:
    pytest.importorskip("turnout.wire.chat.codec")
    compared = 0
    for file in sorted(shared.glob("captures/*/*_POST_v1_chat_completions.json")):
        call = json.loads(file.read_text())
        source = Source(protocol="openai-chat", body=json.dumps(call["body"]).encode())
        plain = body_of(call["path"], call["body"])
        assert plain is not None
        assert utterance(codec("openai-chat").decode_request(source)) == utterance(plain), file
        compared += 1
    assert compared > 50


def fires(pattern: str, read: Utterance) -> bool:
    return read.kind == "request" and re.search(pattern, read.text) is not None


QUESTION = Text(text="Refund 30.00 EUR to ada?\n\nPlease answer yes or no. (Reference ABCD-EFGH)")


@pytest.mark.parametrize("word", ["yes", "No.", "ok, do it"])
def test_an_answer_to_a_question_is_found_in_the_wrapping_of_every_captured_client(
    shared: Path, word: str
) -> None:
    """The same client's next turn: its request again, with our question before it and the answer in its place."""
    heard = 0
    for capture in captures(shared):
        said = utterance(capture.body)
        if said.kind != "request":
            continue
        run = [reworded(message, said.text, word) for message in capture.body.messages[_turn(capture.body) :]]
        asked = Message(role="assistant", parts=(QUESTION,))
        body = structs.replace(capture.body, messages=(*capture.body.messages, asked, *run))
        answer = utterance(body)
        assert (answer.kind, answer.text, answer.before) == ("answer", word, ""), capture
        heard += 1
    assert heard > 100


def reworded(message: Message, old: str, new: str) -> Message:
    parts = tuple(
        structs.replace(part, text=part.text.replace(old, new)) if isinstance(part, Text) else part
        for part in message.parts
    )
    return structs.replace(message, parts=parts)


def _turn(body: Body) -> int:
    places = [at for at, message in enumerate(body.messages) if message.role in {"assistant", "tool"}]
    return places[-1] + 1 if places else 0


def test_no_action_fires_on_a_captured_continuation_or_side_call(shared: Path) -> None:
    fired: list[str] = []
    asked = 0
    for capture in captures(shared):
        label = expected(capture)
        for pattern in PATTERNS:
            if fires(pattern, utterance(capture.body)):
                asked += 1
                if label in (CONTINUATION, SIDE_CALL):
                    fired.append(f"{pattern} on {capture.client}/{capture.stem}")
    assert not fired, "\n".join(fired)
    assert asked > 0, "greedy patterns fire on ordinary requests, else this test could not fail"


@pytest.mark.parametrize(
    "word", ["reminder", "Runtime", "agent=", "environment", "Monday", "sandbox", "skills", "INTERNAL"]
)
def test_no_word_of_a_wrapper_is_taken_for_the_users(shared: Path, word: str) -> None:
    assert [c.client for c in captures(shared) if word.lower() in utterance(c.body).text.lower()] == []
