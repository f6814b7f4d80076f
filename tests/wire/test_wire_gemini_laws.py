"""The laws of the Gemini codec, on generated and on recorded traffic."""

import json
from pathlib import Path
from typing import Any

import gemini_strategies as wire
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.strategies import answers as model_answers
from tests.model.strategies import bodies, tellings
from turnout.model import Answer, Batch, Body, Failed, Finish, Headers, Source, fold, unfold
from turnout.model.errors import BrokenStream, InvalidRequest, Unsupported
from turnout.wire.codec import Seed, codec

CODEC = codec("gemini")
PLAIN = CODEC.dialects[""]
SEED = Seed(id="", created=0, model="")


def source(body: Any, path: str = "/v1beta/models/m:generateContent", query: str = "") -> Source:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Source(protocol="gemini", body=data, headers=Headers(()), path=path, query=query)


def read(body: Any) -> Body:
    return CODEC.decode_request(source(body))


def streamed(data: bytes, cuts: list[int] | None = None) -> Batch:
    decoder = CODEC.stream_decoder(PLAIN)
    events: Batch = ()
    last = 0
    for cut in [*(cuts or []), len(data)]:
        events += decoder.feed(data[last:cut])
        last = cut
    return events + decoder.close()


def answered(body: Any) -> Answer:
    return CODEC.decode_answer(json.dumps(body).encode(), PLAIN)


@given(wire.requests)
def test_a_request_that_is_written_reads_as_the_same(body: dict[str, Any]) -> None:
    try:
        first = read(body)
    except InvalidRequest as error:
        assert error.param is not None  # noqa: PT017
        return
    data, dropped = CODEC.encode_request("m", False, first, PLAIN, False)
    assert read(data) == first
    assert dropped == ()


@given(wire.answers)
def test_an_answer_that_is_written_reads_as_the_same(body: dict[str, Any]) -> None:
    try:
        first = answered(body)
    except BrokenStream:
        return
    data, dropped = CODEC.encode_answer(first, SEED)
    assert CODEC.decode_answer(data, PLAIN) == first
    assert dropped == ()
    encoder = CODEC.stream_encoder(SEED, True)
    stream = b"".join(encoder.encode((event,)) for event in unfold(first))
    assert fold(streamed(stream)) == first


@given(wire.streams, st.data())
def test_a_stream_says_what_its_whole_twin_says_however_it_is_cut(
    twin: tuple[dict[str, Any], list[dict[str, Any]]], data: st.DataObject
) -> None:
    whole, pieces = twin
    raw = wire.as_events(pieces, end=data.draw(st.sampled_from(["\r\n", "\n"])))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=5)))
    events = streamed(raw, cuts)
    assert events == streamed(raw)
    listed = json.dumps(pieces).encode()
    decoder = CODEC.whole_decoder(PLAIN)
    decoder.feed(listed)
    for told in (events, decoder.close()):
        try:
            expected = answered(whole)
        except BrokenStream as error:
            assert isinstance(told[-1], Failed)
            assert str(told[-1].error) == str(error)  # noqa: PT017
        else:
            assert fold(told) == expected


@given(wire.streams, st.data())
def test_a_cut_stream_never_looks_finished(
    twin: tuple[dict[str, Any], list[dict[str, Any]]], data: st.DataObject
) -> None:
    _, pieces = twin
    kept = pieces[: data.draw(st.integers(0, len(pieces) - 1))]
    assert isinstance(streamed(wire.as_events(kept))[-1], Failed)


@given(bodies, st.booleans())
def test_any_body_is_written_or_refused_by_name(body: Body, count: bool) -> None:
    try:
        if count:
            data, dropped = CODEC.encode_count_request("m", body, PLAIN)
        else:
            data, dropped = CODEC.encode_request("gemini-3-pro", False, body, PLAIN, True)
    except (Unsupported, InvalidRequest) as error:
        assert error.param  # noqa: PT017
        return
    assert isinstance(json.loads(data), dict)
    assert all(dropped)


@given(model_answers, st.data())
def test_any_telling_of_an_answer_is_a_stream_that_ends_once(answer: Answer, data: st.DataObject) -> None:
    encoder = CODEC.stream_encoder(SEED, True)
    stream = b"".join(encoder.encode((event,)) for event in data.draw(tellings(answer)))
    pieces = [json.loads(line[6:]) for line in stream.split(b"\r\n\r\n") if line]
    ends = ["error" in piece or "finishReason" in piece["candidates"][0] for piece in pieces]
    assert ends == [False] * (len(ends) - 1) + [True]
    assert encoder.encode(unfold(answer)) == b""


@given(model_answers)
def test_any_answer_is_written_whole_and_streamed_to_the_same_or_refused(answer: Answer) -> None:
    told = unfold(answer)
    encoder = CODEC.stream_encoder(SEED, True)
    stream = b"".join(encoder.encode((event,)) for event in told)
    try:
        raw, dropped = CODEC.encode_answer(answer, SEED)
    except (Unsupported, BrokenStream) as error:
        last = json.loads(stream.rstrip().rpartition(b"data: ")[2])
        assert last["error"]["message"] == error.message  # noqa: PT017
        return
    assert set(dropped) == set(encoder.dropped)
    whole = CODEC.decode_answer(raw, PLAIN)
    again = fold(streamed(stream))
    assert (again.text, again.stop, again.usage) == (whole.text, whole.stop, whole.usage)


@given(wire.requests, st.sampled_from(["m", "a/b", "q:8b", "gemini-2.5-pro"]), st.booleans())
def test_a_peek_says_what_the_path_says(body: dict[str, Any], model: str, stream: bool) -> None:
    method = "streamGenerateContent" if stream else "generateContent"
    asked = source(body, f"/v1beta/models/{model}:{method}")
    assert CODEC.peek(asked) == (model, stream)
    assert CODEC.splice(asked, "other") == (asked.body, f"/v1beta/models/other:{method}")


@given(st.binary(max_size=30))
def test_bytes_that_are_no_answer_fail_and_never_raise(data: bytes) -> None:
    for decoder in (CODEC.stream_decoder(PLAIN), CODEC.whole_decoder(PLAIN)):
        events = decoder.feed(data) + decoder.close()
        assert isinstance(events[-1], Failed)
        assert decoder.feed(data) == decoder.close() == ()


# ---- recorded traffic ------------------------------------------------------------------------------------------------


def _cases(shared: Path) -> list[dict[str, Any]]:
    found = [
        json.loads(path.read_text("utf-8"))
        for kind in ("gemini-generate", "vertex-generate")
        for path in sorted((shared / "corpus" / "cases" / kind).glob("*.json"))
        if not path.name.endswith(".expected.json")
    ]
    assert len(found) > 60
    return found


def test_recorded_requests_read_as_the_same_after_writing(shared: Path) -> None:
    checked = 0
    for case in _cases(shared):
        body = case["request"].get("body")
        if not isinstance(body, dict) or not body.get("contents"):
            continue
        first = read(body)
        data, dropped = CODEC.encode_request("m", False, first, PLAIN, False)
        assert read(data) == first, case["id"]
        assert dropped == ()
        checked += 1
    assert checked > 40


def test_recorded_answers_read_as_the_same_however_they_are_cut(shared: Path) -> None:
    for case in _cases(shared):
        body = case["response"]["body"]
        if case["response"]["status"] != 200:
            continue
        if isinstance(body, str):
            raw = body.encode()
            events = streamed(raw)
            assert events == streamed(raw, list(range(0, len(raw), 7))), case["id"]
            if isinstance(events[-1], Failed):
                continue
            answer = fold(events)
        else:
            answer = answered(body)
        assume_id = msgspec.structs.replace(answer, id=answer.id or "x")
        data, dropped = CODEC.encode_answer(assume_id, SEED)
        again = CODEC.decode_answer(data, PLAIN)
        assert (again.text, again.stop, again.usage) == (answer.text, answer.stop, answer.usage), case["id"]
        assert dropped == ()


@pytest.mark.parametrize("stop", ["end", "length", "content_filter", "pause"])
def test_every_written_reason_is_read_as_the_same(stop: Any) -> None:
    answer = Answer(parts=answered(_said("x")).parts, stop=stop, id="i", model="m")
    data, _ = CODEC.encode_answer(answer, SEED)
    assert CODEC.decode_answer(data, PLAIN).stop == stop
    assert isinstance(unfold(answer)[-1], Finish)


def _said(words: str) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": [{"text": words}]}, "finishReason": "STOP"}]}
