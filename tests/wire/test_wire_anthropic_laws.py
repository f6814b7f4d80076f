"""The laws of the codec of Anthropic Messages, for all requests, answers and streams."""

import json
from typing import Any

import pytest
from anthropic_strategies import answers, plain_answers, requests, streams
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model import strategies as values
from turnout.model import (
    Answer,
    Batch,
    Body,
    Failed,
    Finish,
    Headers,
    Opaque,
    Source,
    Text,
    ToolCall,
    fold,
    unfold,
)
from turnout.model.errors import InvalidRequest, TurnoutError
from turnout.wire.anthropic import CODEC, DIALECTS
from turnout.wire.anthropic.answer import decode_answer, layered
from turnout.wire.anthropic.usual import read_usual
from turnout.wire.codec import Seed, codec

PLAIN = DIALECTS[""]
SEED = Seed(id="msg_seed", created=9, model="seed-model")


def read(body: Any) -> Body:
    return CODEC.decode_request(source(body))


def accepted(body: Any) -> Body | None:
    """What is said, `None` where the request is refused by the name of a field."""
    refused: InvalidRequest | None = None
    try:
        return read(body)
    except InvalidRequest as error:
        refused = error
    assert refused.param
    return None


def source(body: Any, **headers: str) -> Source:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Source(protocol="anthropic-messages", body=data, headers=Headers.of(headers))


def normal(answer: Answer) -> Answer:
    """Blocks that nobody names compare as JSON, since a stream may write them in other white space."""
    parts = [
        Opaque(protocol=part.protocol, kind=part.kind, body=json.dumps(json.loads(part.body)))
        if isinstance(part, Opaque)
        else part
        for part in answer.parts
    ]
    return Answer(
        id=answer.id,
        model=answer.model,
        parts=tuple(parts),
        stop=answer.stop,
        stop_raw=answer.stop_raw,
        stop_sequence=answer.stop_sequence,
        usage=answer.usage,
    )


def is_empty(part: Text) -> bool:
    """Whether a text says nothing; such blocks are read and never written."""
    return not (part.text or part.citations)


def decoded(data: bytes, *cuts: int) -> Batch:
    decoder = CODEC.stream_decoder(PLAIN)
    at, events = 0, ()
    for cut in (*sorted(cuts), len(data)):
        events += decoder.feed(data[at:cut])
        at = cut
    return events + decoder.close()


@settings(max_examples=150)
@given(requests)
def test_a_request_that_is_read_and_written_says_the_same(body: dict[str, Any]) -> None:
    first = accepted(body)
    if first is None:
        return
    data, dropped = CODEC.encode_request(body["model"], bool(body.get("stream")), first, PLAIN, False)
    written = json.loads(data)
    if body.get("max_tokens") is None:
        assert written.pop("max_tokens") == PLAIN.default_max_tokens
    assert read(written) == first
    assert dropped == ()
    assert CODEC.peek(source(data)) == (body["model"], bool(body.get("stream")))


@settings(max_examples=80)
@given(requests)
def test_what_is_counted_is_what_would_be_answered(body: dict[str, Any]) -> None:
    first = accepted(body)
    if first is None:
        return
    data, _ = CODEC.encode_count_request("m", first, PLAIN)
    counted = read(data)
    assert (counted.messages, counted.tools, counted.tool_choice) == (
        first.messages,
        first.tools,
        first.tool_choice,
    )
    assert counted.max_tokens is None


@settings(max_examples=120)
@given(answers)
def test_an_answer_that_is_read_and_written_says_the_same(body: dict[str, Any]) -> None:
    first = CODEC.decode_answer(json.dumps(body).encode(), PLAIN)
    data, dropped = CODEC.encode_answer(first, SEED)
    again = CODEC.decode_answer(data, PLAIN)
    said = tuple(part for part in first.parts if not (isinstance(part, Text) and is_empty(part)))
    assert (again.parts, again.stop, again.stop_raw, again.id, again.model) == (
        said,
        first.stop,
        first.stop_raw,
        first.id,
        first.model,
    )
    assert again.extra == first.extra
    assert (again.usage.total_input or 0) == (first.usage.total_input or 0)
    assert dropped == ()


@settings(max_examples=120)
@given(streams())
def test_a_stream_and_its_whole_twin_are_one_answer(twins: tuple[dict[str, Any], bytes]) -> None:
    whole, data = twins
    assert normal(fold(decoded(data))) == normal(CODEC.decode_answer(json.dumps(whole).encode(), PLAIN))


@settings(max_examples=80)
@given(streams(), st.data())
def test_however_a_stream_is_cut_into_reads_its_events_are_the_same(
    twins: tuple[dict[str, Any], bytes], data: st.DataObject
) -> None:
    _, stream = twins
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6))
    assert decoded(stream, *cuts) == decoded(stream)
    assert decoded(stream.replace(b"\n", b"\r\n"), *cuts) == decoded(stream)


@settings(max_examples=80)
@given(streams(), st.data())
def test_a_cut_stream_never_looks_finished(twins: tuple[dict[str, Any], bytes], data: st.DataObject) -> None:
    _, stream = twins
    end = stream.index(b"event: message_delta")
    cut = stream[: data.draw(st.integers(0, end))]
    events = decoded(cut)
    assert isinstance(events[-1], Failed)
    assert not any(isinstance(event, Finish) for event in events)


@settings(max_examples=80)
@given(streams(), st.data())
def test_a_stream_that_is_read_and_written_tells_the_same_answer(
    twins: tuple[dict[str, Any], bytes], data: st.DataObject
) -> None:
    events = decoded(twins[1])
    writer = CODEC.stream_encoder(SEED, True)
    cut = data.draw(st.integers(0, len(events)))
    written = writer.encode(events[:cut]) + writer.encode(events[cut:])
    again, first = fold(decoded(written)), fold(events)
    kept = [part for part in first.parts if getattr(part, "text", "x") or part.seal is not None]
    assert list(normal(again).parts) == list(normal(Answer(parts=tuple(kept), stop="end")).parts)
    assert (again.stop, again.stop_raw, again.stop_sequence) == (
        first.stop,
        first.stop_raw,
        first.stop_sequence,
    )


# ---- anything that another protocol may say ------------------------------------------------------------------------


@settings(max_examples=150)
@given(values.bodies)
def test_any_request_is_written_or_refused_by_name(body: Body) -> None:
    named: list[str | None] = []
    for protocol in ("anthropic-messages", "openai-chat"):
        spoken = codec(protocol)
        try:
            data, dropped = spoken.encode_request("claude-x", False, body, spoken.dialects[""], True)
        except InvalidRequest as error:
            named.append(error.param)
            continue
        assert json.loads(data)["messages"]
        assert all(dropped)
    assert all(named)


@settings(max_examples=150)
@given(values.answers)
def test_any_answer_is_written_or_refused(answer: Answer) -> None:
    try:
        data, _ = CODEC.encode_answer(answer, SEED)
    except TurnoutError:
        return
    blocks = json.loads(data)["content"]
    words = [block["text"] for block in blocks if block.get("type") == "text"]
    assert "".join(words) == answer.text


@settings(max_examples=150)
@given(values.answers)
def test_any_stream_ends_once(answer: Answer) -> None:
    writer = CODEC.stream_encoder(SEED, True)
    data = b"".join(writer.encode((event,)) for event in unfold(answer))
    kinds = [line[7:] for line in data.decode().split("\n") if line.startswith("event: ")]
    assert sum(kind in {"message_stop", "error"} for kind in kinds) == 1
    assert kinds[-1] in {"message_stop", "error"}
    starts = [kind for kind in kinds if kind in {"content_block_start", "content_block_stop"}]
    if kinds[-1] == "message_stop":
        assert starts == ["content_block_start", "content_block_stop"] * (len(starts) // 2)


def whole(read: Any, data: bytes) -> Any:
    try:
        return read(data)
    except TurnoutError as error:
        return type(error), error.message


@settings(max_examples=200)
@given(st.one_of(answers, plain_answers))
def test_the_short_way_to_an_answer_says_what_the_long_one_says(body: dict[str, Any]) -> None:
    for ascii_only in (True, False):
        data = json.dumps(body, ensure_ascii=ascii_only).encode()
        assert whole(decode_answer, data) == whole(layered, data)


@pytest.mark.parametrize(
    "odd",
    [
        {"id": None},
        {"id": 7},
        {"role": "user"},
        {"type": "completion"},
        {"usage": None},
        {"usage": {"input_tokens": 2.0, "output_tokens": True}},
        {"stop_details": {"type": "refusal", "explanation": "no", "category": None}},
        {"container": None, "stop_details": None},
        {"container": {"id": "c"}},
        {"content": None},
        {"content": [{"type": "text"}]},
        {"content": [{"type": "text", "text": "a", "id": None, "citations": []}]},
        {"content": [{"type": "text", "text": "a", "id": "b", "input": None}]},
        {"content": [{"type": "tool_use", "id": "t"}]},
        {"content": [{"type": "tool_use", "id": "t", "name": "n"}]},
        {"content": [{"type": "tool_use", "id": "t", "name": "n", "input": None, "text": "x"}]},
        {
            "content": [
                {"type": "tool_use", "id": "t", "name": "n", "input": [1], "caller": {"type": "direct"}}
            ]
        },
        {"content": [{"type": "text", "text": "\ud83d"}]},
    ],
)
def test_an_odd_answer_says_the_same_either_way(odd: dict[str, Any]) -> None:
    usual = {"id": "m", "model": "up", "content": [{"type": "text", "text": "hi"}], "usage": {}}
    data = json.dumps({**usual, **odd}).encode()
    assert whole(decode_answer, data) == whole(layered, data)


def test_nearly_all_answers_go_the_short_way() -> None:
    call = {"type": "tool_use", "id": "t", "name": "n", "input": {"a": [1, "b"]}}
    body = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "up",
        "content": [{"type": "text", "text": "hi"}, call],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 2, "service_tier": "standard"},
    }
    found = read_usual(json.dumps(body).encode())
    assert found is not None
    assert found[1] == [Text(text="hi"), ToolCall(call_id="t", name="n", arguments='{"a": [1, "b"]}')]
