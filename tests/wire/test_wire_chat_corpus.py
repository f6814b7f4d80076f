"""Recorded traffic of providers that speak Chat Completions, and requests of real clients.

What an official SDK made of each recording is beside it; where we differ on purpose, the table says why.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from turnout.model import (
    Answer,
    Batch,
    Failed,
    Finish,
    Headers,
    Limits,
    Opaque,
    Source,
    Text,
    Thinking,
    ToolCall,
    fold,
)
from turnout.model.errors import ProviderError, TurnoutError, Unsupported
from turnout.model.reducer import Reducer
from turnout.wire.chat import CODEC, DIALECTS, ChatDialect
from turnout.wire.codec import Seed

PLAIN = DIALECTS[""]
SEED = Seed(id="seed", created=1, model="seed")
FOREIGN = ("cohere-chat", "ollama-chat-native")
"""Kinds that are called chat and are another protocol."""

EXEMPT_USAGE: dict[str, str] = {
    "xai": "counts reasoning beside completion_tokens; ours are disjoint",
    "groq": "the SDK does not read x_groq.usage",
}
EXEMPT: dict[tuple[str, str], str] = {
    (
        "finish",
        "refused-completion",
    ): "a refusal is told as content_filter (with the text in message.refusal)",
    ("finish", "legacy"): "a word of today's protocol is written for `eos`",
    ("thinking", "web-search-with-openrouter"): "the oracle reads no text inside reasoning_details",
    ("usage", "moderation-stream"): "the oracle lost the usage of the chunk before the moderation result",
    ("usage", "audio-models-mistral"): "audio tokens of the prompt are counted beside prompt_tokens",
}


def cases(shared: Path, kind: str) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Name, recording and expectation of all successful answers whose body is of `kind`."""
    found: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    for path in sorted(shared.glob("corpus/cases/*chat*/*.json")):
        if path.name.endswith(".expected.json") or path.parent.name.startswith(FOREIGN):
            continue
        case = json.loads(path.read_text())
        response = case["response"]
        if response["status"] == 200 and response["body_kind"] == kind:
            expected = path.with_name(path.stem + ".expected.json")
            found.append((path.stem, case, json.loads(expected.read_text())))
    assert len(found) > 20
    return found


def dialect(case: dict[str, Any]) -> ChatDialect:
    return DIALECTS.get(case["provider"], PLAIN)


def read(data: bytes, row: ChatDialect, cuts: list[int] | None = None) -> Batch:
    decoder = CODEC.stream_decoder(row)
    places = [0, *(cuts or ()), len(data)]
    events = [
        event for at in range(len(places) - 1) for event in decoder.feed(data[places[at] : places[at + 1]])
    ]
    return (*events, *decoder.close())


def outcome(events: Batch) -> Answer | TurnoutError:
    """What a recording tells, checked against the grammar of events."""
    reducer = Reducer(Limits())
    assert tuple(shown for event in events for shown in reducer.apply(event)) == events
    assert reducer.ended
    last = events[-1]
    return last.error if isinstance(last, Failed) else fold(events)


# ---- cutting -----------------------------------------------------------------------------------------------------


@pytest.mark.states("K25")
def test_recorded_streams_read_alike_however_they_arrive(shared: Path) -> None:
    chance = random.Random(7)
    for name, case, _ in cases(shared, "sse"):
        data, row = case["response"]["body"].encode(), dialect(case)
        whole = read(data, row)
        assert read(data, row, list(range(1, len(data)))) == whole, f"{name}: byte by byte"
        for _ in range(4):
            cuts = sorted(chance.randrange(len(data) + 1) for _ in range(chance.randrange(1, 40)))
            assert read(data, row, cuts) == whole, f"{name}: {cuts}"
        unix = data.replace(b"\r\n", b"\n")
        for end in (b"\r\n", b"\r"):
            other = unix.replace(b"\n", end)
            cuts = sorted(chance.randrange(len(other) + 1) for _ in range(200))
            assert read(other, row) == read(other, row, cuts) == whole, f"{name}: other line ends, {cuts}"


@pytest.mark.states("K25")
def test_every_single_cut_of_short_recordings_reads_alike(shared: Path) -> None:
    tried = 0
    for name, case, _ in cases(shared, "sse"):
        data, row = case["response"]["body"].encode(), dialect(case)
        if len(data) > 3_000:
            continue
        tried += 1
        whole = read(data, row)
        for cut in range(1, len(data)):
            assert read(data, row, [cut]) == whole, f"{name}: cut at {cut}"
    assert tried >= 3


@pytest.mark.states("K23")
def test_a_recording_that_is_cut_before_its_reason_never_looks_finished(shared: Path) -> None:
    for name, case, _ in cases(shared, "sse"):
        data, row = case["response"]["body"].encode(), dialect(case)
        if not isinstance(read(data, row)[-1], Finish):
            continue
        for share in (0, 10, 50, 90):
            part = data[: len(data) * share // 100]
            if b'"finish_reason": "' in part or b'"finish_reason":"' in part or b"[DONE]" in part:
                continue
            assert isinstance(read(part, row)[-1], Failed), f"{name}: {share} %"


# ---- meaning -----------------------------------------------------------------------------------------------------


def exempt(what: str, name: str) -> bool:
    return any(kind == what and part in name for kind, part in EXEMPT)


def check(name: str, case: dict[str, Any], expected: dict[str, Any], got: Answer) -> None:
    """Text, reasoning, calls, finish reason and usage are what the official SDK read."""
    message = expected.get("own_join") or expected["message"]
    choice = message["choices"][0]
    blocks = choice["blocks"]

    def texts(kind: str) -> str:
        return "".join(block["text"] for block in blocks if block["type"] == kind)

    assert got.text == texts("text"), name
    thoughts = "".join(part.text for part in got.parts if isinstance(part, Thinking))
    assert thoughts == texts("thinking") or exempt("thinking", name), name
    calls = [
        (block["name"], block["arguments_raw"] or "{}") for block in blocks if block["type"] == "tool_call"
    ]
    mine = [(part.name, part.arguments) for part in got.parts if isinstance(part, ToolCall)]
    assert mine == calls, name
    ids = [block.get("id") for block in blocks if block["type"] == "tool_call"]
    for part, ref in zip([part for part in got.parts if isinstance(part, ToolCall)], ids, strict=True):
        assert part.call_id
        assert not ref or part.call_id == ref or "variant-a" in name, name
    written = json.loads(CODEC.encode_answer(got, SEED)[0])
    reason = choice["finish_reason"]
    called = bool(calls) and reason in ("stop", None, "")
    assert written["choices"][0]["finish_reason"] == (
        ("tool_calls" if called else reason) or "stop"
    ) or exempt("finish", name), name
    if case["provider"] not in EXEMPT_USAGE and not exempt("usage", name):
        check_usage(name, message.get("usage") or {}, written.get("usage") or {})


def check_usage(name: str, expected: dict[str, Any], written: dict[str, Any]) -> None:
    of_prompt, of_completion = (
        written.get("prompt_tokens_details", {}),
        written.get("completion_tokens_details", {}),
    )
    pairs = {
        "output_tokens": written.get("completion_tokens"),
        "reasoning_tokens": of_completion.get("reasoning_tokens"),
        "cache_write_tokens": of_prompt.get("cache_write_tokens"),
    }
    if expected.get("input_tokens") is not None:
        cached = of_prompt.get("cached_tokens") or 0
        assert written["prompt_tokens"] == max(expected["input_tokens"], cached), name
    for field, value in pairs.items():
        if expected.get(field) is not None:
            assert value == expected[field], f"{name}: {field}"


@pytest.mark.states("T-044", "T-047", "T-049", "T-050", "T-053", "T-058", "K05", "K15", "K16")
@pytest.mark.parametrize("kind", ["sse", "json"])
def test_recorded_answers_mean_what_the_official_sdk_reads(shared: Path, kind: str) -> None:
    checked = 0
    for name, case, expected in cases(shared, kind):
        if kind == "sse":
            got = outcome(read(case["response"]["body"].encode(), dialect(case)))
        else:
            decoder = CODEC.whole_decoder(dialect(case))
            decoder.feed(json.dumps(case["response"]["body"]).encode())
            got = outcome(decoder.close())
        if isinstance(got, TurnoutError):
            assert_failure(name, case, expected, got)
            continue
        checked += 1
        check(name, case, expected, got)
    assert checked > 20


def assert_failure(name: str, case: dict[str, Any], expected: dict[str, Any], got: TurnoutError) -> None:
    """Only several choices and errors that the recording holds are failures."""
    if isinstance(got, Unsupported):
        assert got.param == "n", name
        assert "multi_choice" in case["tags"], name
        return
    assert isinstance(got, ProviderError), name
    assert {"error_in_stream", "error_in_200"} & set(case["tags"]), name
    raised = expected.get("raised") or {}
    assert got.message in raised.get("message", got.message), name


@pytest.mark.parametrize("kind", ["sse", "json"])
def test_recorded_answers_survive_being_written_again(shared: Path, kind: str) -> None:
    for name, case, _ in cases(shared, kind):
        row = dialect(case)
        if kind == "sse":
            events = read(case["response"]["body"].encode(), row)
        else:
            decoder = CODEC.whole_decoder(row)
            decoder.feed(json.dumps(case["response"]["body"]).encode())
            events = decoder.close()
        got = outcome(events)
        if isinstance(got, TurnoutError):
            continue
        data, dropped = CODEC.encode_answer(got, SEED)
        assert dropped == (), name
        assert same(CODEC.decode_answer(data, row), got), name
        encoder = CODEC.stream_encoder(SEED, True)
        written = encoder.encode(events)
        assert encoder.dropped == (), name
        again = outcome(read(written, row))
        assert isinstance(again, Answer), name
        assert same(again, got), name


def same(one: Answer, other: Answer) -> bool:
    """Equal but for texts that calls stood between, and the place of a proof without words."""

    def essence(answer: Answer) -> list[Any]:
        calls = [part for part in answer.parts if isinstance(part, ToolCall)]
        thoughts = [(part.text, part.seal) for part in answer.parts if isinstance(part, Thinking)]
        sources = [citation for part in answer.parts if isinstance(part, Text) for citation in part.citations]
        opaque = [part for part in answer.parts if isinstance(part, Opaque)]
        return [
            answer.id,
            answer.model,
            answer.text,
            calls,
            thoughts,
            sources,
            opaque,
            answer.stop,
            answer.usage,
        ]

    return essence(one) == essence(other)


# ---- errors ------------------------------------------------------------------------------------------------------

KINDS = {401: "auth", 403: "auth", 429: "rate_limit", 500: "provider", 503: "overloaded", 529: "overloaded"}


@pytest.mark.states("T-072", "T-074")
def test_recorded_errors_have_their_kind_and_message(shared: Path) -> None:
    checked = 0
    folders = [*shared.glob("corpus/cases/*chat*/*.json"), *shared.glob("corpus/documented-errors/*/*.json")]
    for path in sorted(folders):
        case = json.loads(path.read_text())
        response = case.get("response")
        if (
            response is None
            or response["status"] < 400
            or response["body_kind"] not in ("json", "text", "empty")
        ):
            continue
        checked += 1
        body = response["body"]
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode() if body else b""
        error = CODEC.decode_error(response["status"], Headers.of(response["headers"]), data)
        status = response["status"]
        wanted = KINDS.get(status, "invalid_request")
        if wanted == "invalid_request" and error.kind != wanted:
            assert error.kind == "context_too_long", path.name
            assert any(
                word in error.message.lower() for word in ("too long", "too many tokens", "context")
            ), path.name
        else:
            assert error.kind == wanted, path.name
        assert error.retryable is (status == 429 or status >= 500), path.name
        assert error.status_code == status
        if data and error.kind != "auth" and "message" in str(body):
            assert error.message in json.dumps(body, ensure_ascii=False).replace('\\"', '"'), path.name
    assert checked > 20


# ---- requests ----------------------------------------------------------------------------------------------------


def requests(shared: Path) -> list[tuple[str, dict[str, Any]]]:
    captures = sorted(shared.glob("captures/*/*chat_completions*.json"))
    found: list[tuple[str, Any]] = [
        (f"{path.parent.name}/{path.stem}", json.loads(path.read_text())["body"]) for path in captures
    ]
    found += [
        (path.stem, json.loads(path.read_text())["request"].get("body"))
        for path in sorted(shared.glob("corpus/cases/*chat*/*.json"))
        if not path.name.endswith(".expected.json") and not path.parent.name.startswith(FOREIGN)
    ]
    return [(name, body) for name, body in found if isinstance(body, dict) and "messages" in body]


def test_requests_of_real_clients_are_read_and_written_without_loss(shared: Path) -> None:
    found = requests(shared)
    assert len(found) > 100
    for name, wire in found:
        body = CODEC.decode_request(Source(protocol="openai-chat", body=json.dumps(wire).encode()))
        stream = wire.get("stream") is True
        data, dropped = CODEC.encode_request(wire.get("model", ""), stream, body, PLAIN, False)
        assert dropped == (), name
        assert CODEC.decode_request(Source(protocol="openai-chat", body=data)) == body, name
        again = json.loads(data)
        for member, value in wire.items():
            if (
                value is None
                or value in ([], {}, False, ["text"])
                or member in ("model", "messages", "tools")
            ):
                continue
            assert again[member] == value, f"{name}: {member}"
        assert len(again["messages"]) == len(wire["messages"]), name
        for before, after in zip(wire.get("tools") or (), again.get("tools", ()), strict=True):
            assert {"type": "function", **before} == after, name
