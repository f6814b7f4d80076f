"""The law of the typed view: what is read is written with the same members, values, order and number spelling."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.wire.view_documents import CHUNKS, COMPLETIONS, REQUESTS
from turnout.wire.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionRequest
from turnout.wire.sse import Parser


def members(text: str | bytes) -> Any:
    """A document as lists of pairs, with numbers as they are spelled."""
    return json.loads(text, object_pairs_hook=list, parse_int=str, parse_float=str)


def check(kind: type[ChatCompletionRequest | ChatCompletion | ChatCompletionChunk], text: str) -> None:
    value = kind.decode(text)
    written = value.encode()
    assert members(written) == members(text)
    assert kind.decode(written) == value
    assert kind.decode(text.encode()) == value
    assert value.replace() == value


@pytest.mark.states(
    "P-083", "P-081", "P-084", "P-085", "P-086", "P-099", "P-106", "P-107", "P-109", "P-110", "P-111", "P-113"
)
@settings(max_examples=400)
@given(REQUESTS)
def test_a_request_is_written_with_all_that_was_read(text: str) -> None:
    check(ChatCompletionRequest, text)


@settings(max_examples=200)
@given(COMPLETIONS)
def test_a_completion_is_written_with_all_that_was_read(text: str) -> None:
    check(ChatCompletion, text)


@settings(max_examples=200)
@given(CHUNKS)
def test_a_chunk_is_written_with_all_that_was_read(text: str) -> None:
    check(ChatCompletionChunk, text)


def bodies(folder: Path) -> list[dict[str, Any]]:
    """The chat completions requests that were captured from clients or recorded from providers."""
    found: list[dict[str, Any]] = []
    for path in sorted(folder.rglob("*.json")):
        if path.name.endswith(".expected.json"):
            continue
        record = json.loads(path.read_bytes())
        if not isinstance(record, dict):
            continue
        call = record.get("request", record)
        if not isinstance(call, dict) or not str(call.get("path", "")).endswith("/chat/completions"):
            continue
        if isinstance(call.get("body"), dict) and "messages" in call["body"]:
            found.append(call["body"])
    return found


@pytest.mark.states("P-083")
@pytest.mark.parametrize("folder", ["captures", "corpus/cases"])
def test_every_request_that_a_client_sent_is_written_with_all_that_was_read(
    shared: Path, folder: str
) -> None:
    found = bodies(shared / folder)
    assert len(found) > 50
    for body in found:
        check(ChatCompletionRequest, json.dumps(body))
        check(ChatCompletionRequest, json.dumps(body, ensure_ascii=False, indent=1))


def test_every_answer_that_a_provider_gave_in_the_protocol_is_written_with_all_that_was_read(
    shared: Path,
) -> None:
    count = 0
    for path in sorted((shared / "corpus/cases").glob("openai-chat/*.json")):
        response = json.loads(path.read_bytes()).get("response", {})
        if response.get("status") != 200:
            continue
        if response["body_kind"] == "json":
            check(ChatCompletion, json.dumps(response["body"]))
            count += 1
        elif response["body_kind"] == "sse":
            parser = Parser()
            for frame in parser.feed(response["body"].encode()) + parser.close():
                if frame.data != b"[DONE]":
                    check(ChatCompletionChunk, frame.data.decode())
                    count += 1
    assert count > 50
