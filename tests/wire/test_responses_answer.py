"""Answers of Responses read: whole and streamed to the same value, however they are cut, and with a true end."""

import itertools
import json
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.wire.responses_strategies import event, responses, stream_of, written
from turnout.model import (
    Answer,
    Citation,
    Event,
    Failed,
    Finish,
    Limits,
    Opaque,
    PartEnd,
    PartStart,
    Refusal,
    Start,
    Text,
    Thinking,
    ToolCall,
    Unknown,
    Usage,
    fold,
)
from turnout.model.errors import BrokenStream, Cancelled, ProviderError
from turnout.model.reducer import Reducer
from turnout.wire.codec import Seed
from turnout.wire.responses import CODEC, OPEN_CODEC
from turnout.wire.responses.dialect import PLAIN

SEED = Seed(id="seed", created=3, model="m")


def read(data: bytes, cuts: tuple[int, ...] = ()) -> tuple[Event, ...]:
    """All events of a stream that arrives in the pieces between `cuts`."""
    decoder = CODEC.stream_decoder(PLAIN)
    events: list[Event] = []
    for start, end in itertools.pairwise([0, *cuts, len(data)]):
        events += decoder.feed(data[start:end])
    events += decoder.close()
    assert decoder.close() == decoder.feed(b"data: {}\n\n") == decoder.fail(Cancelled("late")) == ()
    reducer = Reducer(Limits())
    for one in events:
        assert reducer.apply(one) == (one,), "a decoder gives normal forms"
    assert reducer.ended
    return tuple(events)


def whole(response: dict[str, Any]) -> Answer:
    return CODEC.decode_answer(written(response), PLAIN)


BASE: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 7.0,
    "model": "m",
    "status": "completed",
    "output": [],
}


def with_output(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**BASE, "output": list(items), **more}


def message(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": list(parts),
        **more,
    }


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "output_text", "text": words, "annotations": [], **more}


CALL = {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": '{"a":1}'}


# ---- laws ------------------------------------------------------------------------------------------------------------


@given(responses)
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=120)
def test_an_answer_says_the_same_after_a_round(response: dict[str, Any]) -> None:
    answer = whole(response)
    data, dropped = CODEC.encode_answer(answer, SEED)
    assert CODEC.decode_answer(data, PLAIN) == answer
    assert dropped == ()


@given(responses, st.integers(1, 3))
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=120)
def test_a_stream_says_what_its_whole_twin_says(response: dict[str, Any], pieces: int) -> None:
    assert fold(read(stream_of(response, pieces))) == whole(response)


@given(responses)
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=100)
def test_what_is_streamed_again_says_the_same(response: dict[str, Any]) -> None:
    events = read(stream_of(response))
    data = CODEC.stream_encoder(SEED, True).encode(events)
    again = [json.loads(line[6:]) for line in data.split(b"\n") if line.startswith(b"data: ")]
    assert [row["sequence_number"] for row in again] == list(range(len(again)))
    assert fold(read(data)) == fold(events)
    assert CODEC.decode_answer(written(again[-1]["response"]), PLAIN) == fold(events)


STREAM = stream_of(
    with_output(
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "größe"}]},
        message(text("Zürich 🏔"), phase="final_answer"),
        CALL,
    )
)


def test_every_way_of_cutting_gives_the_same() -> None:
    once = read(STREAM)
    for at in range(len(STREAM)):
        assert read(STREAM, (at,)) == once
    assert read(STREAM, tuple(range(len(STREAM)))) == once


@given(st.integers(0, len(STREAM) - 1))
def test_a_cut_stream_never_looks_finished(end: int) -> None:
    last = STREAM.rindex(b"event: response.completed")
    cut = STREAM[: min(end, last + 40)]
    (failed,) = [one for one in read(cut) if isinstance(one, Failed | Finish)]
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, BrokenStream)


# ---- whole answers ---------------------------------------------------------------------------------------------------


def test_items_become_parts_in_order() -> None:
    thought = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "s"}],
        "content": [{"type": "reasoning_text", "text": "raw"}],
        "encrypted_content": "enc",
    }
    answer = whole(with_output(thought, message(text("hi"), {"type": "refusal", "refusal": "no"}), CALL))
    first, said, refusal, call = answer.parts
    assert isinstance(first, Thinking)
    assert (first.text, first.summary, first.id) == ("raw", ("s",), "rs_1")
    assert first.seal is not None
    assert (first.seal.issuer, first.seal.kind, first.seal.data) == ("openai-responses", "encrypted", "enc")
    assert said == Text(text="hi", item="msg_1")
    assert refusal == Refusal(text="no", item="msg_1")
    assert isinstance(call, ToolCall)
    assert (call.id, call.call_id, call.arguments) == ("fc_1", "c", '{"a":1}')
    assert (answer.id, answer.created, answer.model, answer.stop) == ("resp_1", 7, "m", "refusal")


@pytest.mark.parametrize(
    ("more", "stop", "raw"),
    [
        ({}, "end", None),
        ({"status": None}, "end", None),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "length", None),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            "content_filter",
            None,
        ),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "steered"}},
            "unknown",
            "incomplete/steered",
        ),
        ({"status": "incomplete"}, "unknown", "incomplete"),
        ({"status": "queued"}, "unknown", "queued"),
    ],
)
def test_status_and_reason_are_one_stop(more: dict[str, Any], stop: str, raw: str | None) -> None:
    answer = whole(with_output(message(text("x")), **more))
    assert (answer.stop, answer.stop_raw) == (stop, raw)
    data, _ = CODEC.encode_answer(answer, SEED)
    again = CODEC.decode_answer(data, PLAIN)
    assert again == msgspec.structs.replace(answer, usage=again.usage)
    assert (again.usage.total_input, again.usage.output) == (0, 0)


def test_a_call_is_a_stop_of_its_own() -> None:
    assert whole(with_output(CALL)).stop == "tool_calls"


def test_usage_is_told_in_disjoint_counts() -> None:
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 1},
        "output_tokens": 7,
        "output_tokens_details": {"reasoning_tokens": 3},
        "total_tokens": 17,
        "num_sources_used": 2,
    }
    assert whole(with_output(message(text("x")), usage=usage)).usage == Usage(
        input=5, cache_read=4, cache_write=1, output=7, reasoning=3, detail={"num_sources_used": 2}
    )


@pytest.mark.parametrize("usage", [5, {}, {"total_tokens": 3}, {"input_tokens": "x"}])
def test_what_is_no_usage_counts_nothing(usage: Any) -> None:
    assert whole(with_output(message(text("x")), usage=usage)).usage == Usage()


def test_details_may_be_missing() -> None:
    assert whole(with_output(message(text("x")), usage={"output_tokens": 3})).usage == Usage(
        input=0, output=3
    )


def test_sources_keep_their_kind() -> None:
    rows = [
        {"type": "url_citation", "url": "u", "title": "t", "start_index": 1, "end_index": 2},
        {"type": "file_citation", "file_id": "f", "index": 3},
    ]
    (part,) = whole(with_output(message({**text("x"), "annotations": rows}))).parts
    assert isinstance(part, Text)
    first, second = part.citations
    assert first == Citation(kind="url", url="u", title="t", start=1, end=2)
    assert second.kind == "file_citation"
    (odd,) = whole(with_output(message({**text("x"), "annotations": 5}))).parts
    assert isinstance(odd, Text)
    assert odd.citations == ()


def test_items_that_nobody_names_stay_in_place() -> None:
    row = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
    first, _ = whole(with_output(row, message(text("x")))).parts
    assert isinstance(first, Opaque)
    assert json.loads(first.body) == row
    assert first.extra is None


@pytest.mark.parametrize("kind", ["shell_call", "image_generation_call", "tool_search_call"])
def test_items_that_the_client_must_answer_say_so(kind: str) -> None:
    (part,) = whole(with_output({"type": kind, "id": "x", "execution": "client"})).parts
    assert part.extra is not None
    assert part.extra.must == {kind}


def test_what_providers_leave_out_is_made_up_for() -> None:
    bare = [
        {"type": "function_call", "name": "f"},
        {"type": "custom_tool_call", "id": "ctc", "name": "g"},
        {"type": "message", "content": [{"type": "output_text", "text": "x"}]},
        {"type": "reasoning"},
        {},
    ]
    made, custom, said, thought, other = whole({"output": bare}).parts
    assert isinstance(made, ToolCall)
    assert made.call_id.startswith("call_")
    assert made.arguments == "{}"
    assert isinstance(custom, ToolCall)
    assert (custom.call_id, custom.arguments, custom.kind) == ("ctc", "", "custom")
    assert said.item == "~2"
    assert thought == Thinking(extra=thought.extra)
    assert isinstance(other, Opaque)


def test_an_answer_of_nothing_is_one_empty_text() -> None:
    assert whole(BASE).parts == (Text(text=""),)
    assert fold(read(stream_of(BASE))).parts == (Text(text=""),)


@pytest.mark.parametrize("data", [b"", b"  ", b"<html>", b"{}", b"[]", b'{"output":5}'])
def test_what_is_no_response_is_broken(data: bytes) -> None:
    with pytest.raises(BrokenStream):
        CODEC.decode_answer(data, PLAIN)


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        ({"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, "rate_limit"),
        ({"status": "failed", "output": [], "error": {"message": "m", "code": "server_error"}}, "provider"),
        ({"status": "failed", "output": [], "error": None}, "provider"),
        ({"output": [], "error": 5}, "provider"),
        ({"output": [{"type": "function_call", "call_id": 5, "name": "f"}]}, "provider"),
        ({"output": [5]}, "provider"),
    ],
)
def test_a_failed_response_is_an_error(response: dict[str, Any], kind: str) -> None:
    with pytest.raises(ProviderError) as raised:
        whole(response)
    assert raised.value.kind == kind


def test_odd_times_and_metadata_are_unsaid() -> None:
    answer = whole(with_output(created_at="now", metadata={"a": 5}))
    assert (answer.created, answer.metadata) == (0, {})
    assert whole(with_output(created_at=1e400 if False else 1e300)).created > 0


def test_the_whole_decoder_has_the_face_of_a_streams() -> None:
    decoder = CODEC.whole_decoder(PLAIN)
    data = json.dumps(with_output(message(text("x")))).encode()
    assert decoder.feed(data[:9]) == decoder.feed(data[9:]) == ()
    assert fold(decoder.close()).text == "x"
    assert decoder.close() == decoder.fail(Cancelled("late")) == ()
    broken = CODEC.whole_decoder(PLAIN)
    assert isinstance(broken.close()[0], Failed)
    failed = CODEC.whole_decoder(PLAIN)
    assert failed.fail(BrokenStream("cut")) == (Failed(error=BrokenStream("cut")),)


# ---- streams ---------------------------------------------------------------------------------------------------------


def stream(*rows: tuple[str, dict[str, Any]]) -> tuple[Event, ...]:
    return read(b"".join(event(kind, at, **members) for at, (kind, members) in enumerate(rows)))


def created(**more: Any) -> tuple[str, dict[str, Any]]:
    return ("response.created", {"response": {**BASE, "status": "in_progress", **more}})


def completed(*items: dict[str, Any], **more: Any) -> tuple[str, dict[str, Any]]:
    return ("response.completed", {"response": with_output(*items, **more)})


def added(at: int, **item: Any) -> tuple[str, dict[str, Any]]:
    return ("response.output_item.added", {"output_index": at, "item": item})


def done(at: int, **item: Any) -> tuple[str, dict[str, Any]]:
    return ("response.output_item.done", {"output_index": at, "item": item})


def test_arguments_that_come_only_at_the_end_are_taken() -> None:
    begun = {**CALL, "arguments": ""}
    at_done = ("response.function_call_arguments.done", {"output_index": 0, "arguments": '{"a":1}'})
    for rows in ([added(0, **begun), at_done], [added(0, **begun)], [added(0, **CALL)], []):
        events = stream(created(), *rows, done(0, **CALL), completed(CALL))
        words = "".join(one.text for one in events if hasattr(one, "text"))  # pyright: ignore[reportAttributeAccessIssue]
        assert words == '{"a":1}'
        assert fold(events) == whole(with_output(CALL))


def test_a_call_without_arguments_has_none() -> None:
    bare = {**CALL, "arguments": ""}
    (call,) = fold(stream(created(), added(0, **bare), done(0, **bare), completed(bare))).parts
    assert isinstance(call, ToolCall)
    assert call.arguments == "{}"


def test_items_that_only_the_final_response_tells_are_taken_from_it() -> None:
    events = stream(created(), completed(message(text("hi")), CALL))
    assert fold(events) == whole(with_output(message(text("hi")), CALL))


def test_items_without_an_end_are_ended_by_the_final_response() -> None:
    rows = (
        added(0, **message()),
        ("response.output_text.delta", {"output_index": 0, "content_index": 0, "delta": "h"}),
        added(1, **{**CALL, "arguments": ""}),
    )
    assert fold(stream(created(), *rows, completed(message(text("hi")), CALL))).text == "hi"
    bare = fold(stream(created(), *rows, completed()))
    assert [type(part) for part in bare.parts] == [Text, ToolCall]
    assert bare.stop == "tool_calls"


def test_ids_may_change_and_indexes_may_be_missing() -> None:
    rows = (
        added(0, **message(id="a")),
        ("response.output_text.delta", {"item_id": "a", "content_index": 0, "delta": "h"}),
        ("response.output_text.delta", {"item_id": "b", "content_index": 0, "delta": "i"}),
        done(0, **message(text("hi"), id="c")),
    )
    assert fold(stream(created(), *rows, completed(message(text("hi"))))).text == "hi"


def test_indexes_that_count_otherwise_do_not_repeat_items() -> None:
    said = message(text("hi"))
    answer = fold(stream(created(), added(3, **message()), done(3, **said), completed(said)))
    assert answer.text == "hi"
    assert len(answer.parts) == 1


def test_words_before_their_item_make_it() -> None:
    rows = (
        ("response.output_text.delta", {"delta": "hi"}),
        ("response.output_text.done", {"text": "hi!"}),
        ("response.reasoning_summary_text.delta", {"output_index": 1, "delta": "s"}),
        ("response.function_call_arguments.delta", {"output_index": 2, "delta": "{}"}),
    )
    answer = fold(stream(*rows, completed()))
    assert answer.text == "hi!"
    assert [type(part) for part in answer.parts] == [Text, Thinking]


def test_a_refusal_grows_and_ends() -> None:
    where = {"output_index": 0, "content_index": 0}
    rows = (
        ("response.refusal.delta", {**where, "delta": "n"}),
        ("response.refusal.done", {**where, "refusal": "no"}),
    )
    answer = fold(stream(created(), *rows, completed()))
    assert (answer.stop, answer.parts[0]) == ("refusal", Refusal(text="no", item="~0"))


def test_a_part_that_changes_its_type_keeps_what_came() -> None:
    where = {"output_index": 0, "content_index": 0}
    final = message({"type": "refusal", "refusal": "no"})
    rows = (added(0, **message()), ("response.output_text.delta", {**where, "delta": "x"}), done(0, **final))
    (part,) = fold(stream(created(), *rows, completed(final))).parts
    assert part == Text(text="x", item="msg_1")


def test_sources_that_come_before_the_text_ends_are_its_sources() -> None:
    where = {"output_index": 0, "content_index": 0}
    source = {"type": "url_citation", "url": "u", "title": "", "start_index": 0, "end_index": 0}
    rows = (
        ("response.output_text.annotation.added", {**where, "annotation": source}),
        ("response.output_text.annotation.added", {**where, "annotation": 5}),
        ("response.refusal.delta", {**where, "content_index": 1, "delta": "no"}),
        ("response.output_text.annotation.added", {**where, "annotation": source}),
    )
    first = fold(stream(created(), *rows, completed())).parts[0]
    assert isinstance(first, Text)
    assert len(first.citations) == 1


def test_events_that_say_nothing_do_nothing() -> None:
    said_item = message(text("hi"))
    rows = (
        added(0, type="message"),
        ("response.content_part.added", {"output_index": 0, "content_index": 0, "part": {}}),
        ("response.output_text.delta", {"output_index": 0, "content_index": 0}),
        done(0, **said_item),
        done(0, **said_item),
        added(1, **CALL),
        ("response.reasoning_summary_part.added", {"output_index": 0, "summary_index": 0}),
        ("response.function_call_arguments.delta", {"output_index": 7}),
        ("response.content_part.added", {"output_index": 1, "content_index": 1, "part": {"type": "x"}}),
        ("response.reasoning_summary_part.added", {"output_index": 2, "summary_index": 0}),
        ("response.reasoning_summary_part.added", {"output_index": 2, "summary_index": 0}),
        ("response.reasoning_summary_text.done", {"output_index": 2, "summary_index": 0, "text": "s"}),
    )
    answer = fold(stream(created(), *rows, completed()))
    assert [type(part) for part in answer.parts] == [Text, ToolCall, Thinking]


def test_raw_reasoning_has_two_names() -> None:
    for stem in ("reasoning_text", "reasoning"):
        rows = (
            added(0, type="reasoning", id="rs", summary=[]),
            (f"response.{stem}.delta", {"output_index": 0, "delta": "hm"}),
            (f"response.{stem}.done", {"output_index": 0, "text": "hm"}),
        )
        (part,) = fold(stream(created(), *rows, completed())).parts
        assert isinstance(part, Thinking)
        assert part.text == "hm"


def test_events_that_nobody_names_are_kept() -> None:
    ws = {"type": "web_search_call", "id": "ws"}
    rows = (added(0, **ws), ("response.web_search_call.searching", {"output_index": 0, "item_id": "ws"}))
    events = stream(created(), *rows, done(0, **ws, status="completed"), completed(ws))
    (kept,) = [one for one in events if isinstance(one, Unknown)]
    assert kept.kind == "response.web_search_call.searching"
    data = CODEC.stream_encoder(SEED, True).encode(events)
    shown = [json.loads(line[6:]) for line in data.split(b"\n") if line.startswith(b"data: ")]
    assert shown[3] == {
        "type": "response.web_search_call.searching",
        "sequence_number": 3,
        "output_index": 0,
        "item_id": "ws",
    }


def test_what_follows_the_end_is_nothing() -> None:
    data = stream_of(with_output(message(text("x")))) + b"data: [DONE]\n\n" + event("response.created", 9)
    assert isinstance(read(data)[-1], Finish)


def test_an_end_without_a_beginning_is_whole() -> None:
    events = stream(completed(message(text("x"))))
    assert isinstance(events[0], Start)
    assert events[0].id == "resp_1"
    assert fold(events).text == "x"
    bare = read(b'data: {"type":"response.incomplete","response":{"output":[]}}\n\n')
    assert isinstance(bare[-1], Finish)
    assert bare[-1].stop_raw == "incomplete"


@pytest.mark.parametrize(
    ("data", "message", "kind"),
    [
        (
            event("error", 1, error={"type": "x", "code": "rate_limit_exceeded", "message": "slow"}),
            "slow",
            "rate_limit",
        ),
        (event("error", 1, code="server_error", message="oh", param=None), "oh", "provider"),
        (event("error", 1), "the provider reported an error", "provider"),
        (b'data: {"error":{"message":"bare"}}\n\n', "bare", "provider"),
        (b"data: {broken\n\n", "the provider sent an event that cannot be read", "provider"),
        (
            event("response.failed", 1, response={"error": {"code": "server_error", "message": "m"}}),
            "m",
            "provider",
        ),
        (event("response.failed", 1, response={}), "the provider failed to answer", "provider"),
        (
            event("response.completed", 1, response={"output": 5}),
            "the provider's final output cannot be read",
            "provider",
        ),
        (
            event(
                "response.output_item.done", 1, output_index=0, item={"type": "function_call", "call_id": 5}
            ),
            "the provider's answer holds a malformed item: output.call_id must be a string",
            "provider",
        ),
        (b"data: " + b"x" * 67_108_864, "", "provider"),
    ],
)
def test_errors_end_the_answer(data: bytes, message: str, kind: str) -> None:
    for before in (b"", event("response.created", 0, response=BASE)):
        last = read(before + data)[-1]
        assert isinstance(last, Failed)
        assert isinstance(last.error, ProviderError)
        assert message in last.error.message
        assert last.error.kind == kind


def test_a_stream_of_nothing_is_broken() -> None:
    for data in (b"", b": keepalive\n\n", b"data: [DONE]\n\n", b"event: ping\ndata: {}\n\n"):
        (failed,) = read(data)
        assert isinstance(failed, Failed)
        assert "no events" in failed.error.message


def test_what_came_before_a_break_is_kept() -> None:
    decoder = CODEC.stream_decoder(PLAIN)
    decoder.feed(STREAM[: STREAM.index(b"response.completed") - 20])
    (failed,) = decoder.fail(BrokenStream("gone"))
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, BrokenStream)
    assert failed.error.partial is not None
    assert failed.error.partial.text == "Zürich 🏔"


def test_both_shapes_read_alike() -> None:
    data = OPEN_CODEC.stream_encoder(SEED, True).encode(read(STREAM))
    assert data.endswith(b"data: [DONE]\n\n")
    assert fold(read(data)).parts == fold(read(STREAM)).parts


def test_parts_end_before_the_next_one_of_their_item_begins() -> None:
    where = {"output_index": 0}
    rows = (
        ("response.output_text.delta", {**where, "content_index": 0, "delta": "a"}),
        ("response.output_text.delta", {**where, "content_index": 1, "delta": "b"}),
        ("response.output_text.delta", {**where, "content_index": 0, "delta": "late"}),
    )
    events = stream(created(), *rows, completed())
    kinds = [(type(one), one.index) for one in events if isinstance(one, PartStart | PartEnd)]
    assert kinds == [(PartStart, 0), (PartEnd, 0), (PartStart, 1), (PartEnd, 1)]
    assert fold(events).text == "ab"
