"""Answers of Anthropic Messages, whole and streamed, in both directions; errors and lists of models."""

import json
from typing import Any

import pytest

from turnout.model import (
    Amend,
    Answer,
    Batch,
    Citation,
    Delta,
    Event,
    Extension,
    Extra,
    Failed,
    Finish,
    Headers,
    Info,
    Inline,
    Media,
    Opaque,
    PartEnd,
    PartStart,
    Refusal,
    Seal,
    Signal,
    Start,
    Stop,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
    Usage,
    UsageSeen,
    fold,
)
from turnout.model.errors import (
    BrokenStream,
    Cancelled,
    InvalidRequest,
    ProviderError,
    TurnoutError,
    Unsupported,
)
from turnout.wire.anthropic import CODEC, DIALECTS
from turnout.wire.anthropic.stop import READ, WRITE
from turnout.wire.anthropic.usage import read_usage
from turnout.wire.codec import Seed

PLAIN = DIALECTS[""]
SEED = Seed(id="msg_seed", created=9, model="seed-model")
END = Finish(stop="end")


def message(*content: Any, **fields: Any) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "up",
        "content": list(content),
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 3, "output_tokens": 2},
        **fields,
    }


def read(*content: Any, **fields: Any) -> Answer:
    return CODEC.decode_answer(json.dumps(message(*content, **fields)).encode(), PLAIN)


def frame(kind: str, **members: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **members})}\n\n".encode()


START = frame("message_start", message=message(stop_reason=None))
STOP = frame("message_stop")
SHELL = {"type": "text", "text": ""}
CALL = {"type": "tool_use", "id": "t", "name": "f", "input": {}}


def ending(reason: str = "end_turn", **fields: Any) -> bytes:
    return frame("message_delta", delta={"stop_reason": reason, **fields}, usage={"output_tokens": 5}) + STOP


def opened(block: Any, *deltas: Any, index: int = 0, stop: bool = True) -> bytes:
    out = [frame("content_block_start", index=index, content_block=block)]
    out += [frame("content_block_delta", index=index, delta=delta) for delta in deltas]
    if stop:
        out.append(frame("content_block_stop", index=index))
    return b"".join(out)


def decoded(*pieces: bytes) -> Batch:
    decoder = CODEC.stream_decoder(PLAIN)
    return decoder.feed(b"".join(pieces)) + decoder.close()


def failure(*pieces: bytes) -> TurnoutError:
    last = decoded(*pieces)[-1]
    assert isinstance(last, Failed)
    return last.error


# ---- whole answers, read -------------------------------------------------------------------------------------------


@pytest.mark.states("T-044", "T-045", "T-049", "T-050", "T-051", "T-052", "P-191")
def test_a_whole_answer_is_read() -> None:
    usage = {
        "input_tokens": 1,
        "cache_read_input_tokens": 2,
        "cache_creation_input_tokens": 7,
        "cache_creation": {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 4},
        "output_tokens": 5,
        "output_tokens_details": {"thinking_tokens": 6, "other": 1},
        "service_tier": "standard",
        "inference_geo": None,
    }
    answer = read({"type": "text", "text": "a"}, usage=usage, container={"id": "c"})
    assert (answer.id, answer.model, answer.text) == ("msg_1", "up", "a")
    assert answer.usage == Usage(
        input=1, cache_read=2, cache_write=3, cache_write_1h=4, output=5, reasoning=6
    )
    assert answer.usage.total_input == 10
    assert answer.extra is not None
    assert answer.extra.members.keys() == {
        "container", "usage/service_tier", "usage/output_tokens_details"
    }  # fmt: skip
    again = json.loads(CODEC.encode_answer(answer, SEED)[0])
    assert again["usage"]["output_tokens_details"] == {"other": 1, "thinking_tokens": 6}
    assert again["usage"]["cache_creation"] == usage["cache_creation"]


@pytest.mark.parametrize(
    ("row", "usage"),
    [
        ({"cache_creation_input_tokens": 5}, Usage(cache_write=5)),
        ({"cache_creation": {"ephemeral_5m_input_tokens": 5}}, Usage(cache_write=5)),
        ({"input_tokens": 2.0, "output_tokens": True}, Usage(input=2)),
        ({"output_tokens_details": 5, "cache_creation": 5}, Usage()),
        (None, Usage()),
        (5, Usage()),
    ],
)
def test_usage_is_read_leniently(row: Any, usage: Usage) -> None:
    assert read(usage=row).usage == usage


def test_an_answer_without_usage_has_none() -> None:
    body = {"content": [], "stop_reason": "end_turn"}
    assert CODEC.decode_answer(json.dumps(body).encode(), PLAIN).usage == Usage()


@pytest.mark.states("T-046", "P-192")
@pytest.mark.parametrize(("word", "stop"), list(READ.items()))
def test_every_stop_reason_is_known(word: str, stop: Stop) -> None:
    answer = read({"type": "text", "text": "a"}, stop_reason=word, stop_sequence="s")
    assert (answer.stop, answer.stop_raw, answer.stop_sequence) == (stop, None, "s")
    assert json.loads(CODEC.encode_answer(answer, SEED)[0])["stop_reason"] == word


def test_a_reason_that_nobody_names_goes_back_as_it_came() -> None:
    answer = read(stop_reason="brand_new")
    assert (answer.stop, answer.stop_raw) == ("unknown", "brand_new")
    assert json.loads(CODEC.encode_answer(answer, SEED)[0])["stop_reason"] == "brand_new"
    for extra in (None, Extra(protocol="openai-chat", members={"finish_reason": '"odd"'})):
        with pytest.raises(BrokenStream):
            CODEC.encode_answer(Answer(parts=(), stop="unknown", extra=extra), SEED)


def test_a_streamed_reason_that_nobody_names_goes_back_as_it_came() -> None:
    events = decoded(START, ending("brand_new"))
    assert fold(events).stop_raw == "brand_new"
    assert b'"stop_reason":"brand_new"' in CODEC.stream_encoder(SEED, True).encode(events)


def test_an_answer_that_ends_in_a_call_waits_for_it() -> None:
    assert read({**CALL, "input": {"a": 1}}).stop == "tool_calls"
    assert read({**CALL, "input": {"a": 1}}, {"type": "text", "text": "done"}).stop == "end"
    assert read({**CALL, "input": {"a": 1}}, SHELL).stop == "tool_calls"
    assert read(stop_reason=None).stop == "end"
    call = opened(CALL, {"type": "input_json_delta", "partial_json": "{}"})
    assert fold(decoded(START, call, opened(SHELL, index=1), ending())).stop == "tool_calls"
    more = opened(SHELL, {"type": "text_delta", "text": "done"}, index=1)
    assert fold(decoded(START, call, more, ending())).stop == "end"


def test_a_refusal_is_read_in_its_words() -> None:
    details = {"type": "refusal", "category": "bio", "explanation": "no"}
    answer = read(stop_reason="refusal", stop_details=details)
    assert answer.parts == (Refusal(text="no", category="bio"),)
    assert json.loads(CODEC.encode_answer(answer, SEED)[0])["stop_details"] == details
    assert read(stop_reason="refusal", stop_details={"type": "refusal"}).parts == ()
    assert read(stop_details={"type": "other", "explanation": "x"}).parts == ()


@pytest.mark.states("T-076")
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"<html>",
        b"[]",
        b"{}",
        b'{"content":5}',
        b'{"content":[5]}',
        b'{"content":[{"type":"tool_use","id":"x"}]}',
        b'{"content":[{"type":"text"}]}',
    ],
)
def test_what_is_no_answer_is_broken(data: bytes) -> None:
    with pytest.raises(BrokenStream):
        CODEC.decode_answer(data, PLAIN)


def test_an_error_with_status_200_is_an_error() -> None:
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    with pytest.raises(ProviderError, match="busy") as seen:
        CODEC.decode_answer(json.dumps(body).encode(), PLAIN)
    assert seen.value.kind == "overloaded"


def test_the_whole_decoder_has_the_face_of_a_streams() -> None:
    decoder = CODEC.whole_decoder(PLAIN)
    data = json.dumps(message({"type": "text", "text": "größe"})).encode()
    assert decoder.feed(data[:50]) == decoder.feed(data[50:]) == ()
    assert fold(decoder.close()).text == "größe"
    assert decoder.close() == decoder.fail(BrokenStream("late")) == ()
    decoder = CODEC.whole_decoder(PLAIN)
    assert isinstance(decoder.close()[-1], Failed)
    decoder = CODEC.whole_decoder(PLAIN)
    assert decoder.fail(BrokenStream("cut")) == (Failed(error=BrokenStream("cut")),)


# ---- whole answers, written ----------------------------------------------------------------------------------------


def write(*parts: Any, stop: Stop = "end", **fields: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    data, dropped = CODEC.encode_answer(Answer(parts=parts, stop=stop, **fields), SEED)
    return json.loads(data), dropped


def test_an_answer_of_others_has_what_clients_need() -> None:
    wire, dropped = write(Text(text="a"), metadata={"a": "b"}, usage=Usage(input=1, cache_read=2))
    assert wire == {
        "id": "msg_seed",
        "type": "message",
        "role": "assistant",
        "model": "seed-model",
        "content": [{"type": "text", "text": "a"}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "cache_read_input_tokens": 2, "output_tokens": 0},
    }
    assert dropped == ("metadata",)


@pytest.mark.parametrize(("stop", "word"), list(WRITE.items()))
def test_every_stop_has_a_word(stop: Stop, word: str) -> None:
    assert write(stop=stop)[0]["stop_reason"] == word


def test_a_refusal_of_others_explains_itself() -> None:
    wire, _ = write(Refusal(text="No"), Refusal(text=", sorry."), stop="refusal")
    assert wire["content"] == []
    assert wire["stop_details"] == {"type": "refusal", "category": None, "explanation": "No, sorry."}


def test_arguments_are_an_object_or_the_answer_is_broken() -> None:
    call = ToolCall(call_id="c", name="f", arguments='{"a":1.50}')
    wire, _ = write(call, stop="tool_calls")
    assert wire["content"] == [{"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1.5}}]
    cut = ToolCall(call_id="c", name="f", arguments='{"a":')
    wire, _ = write(cut, stop="length")
    assert wire["content"][0]["input"] == {"INVALID_JSON": '{"a":'}
    with pytest.raises(BrokenStream):
        write(cut, stop="tool_calls")
    with pytest.raises(Unsupported):
        write(ToolCall(call_id="c", name="f", kind="custom", arguments="x"))


def test_thoughts_are_shown_with_our_proof_only() -> None:
    seal = Seal(issuer="anthropic-messages", kind="signature", data="s")
    wire, dropped = write(
        Thinking(text="a", seal=seal),
        Thinking(text="b"),
        Thinking(text="c", seal=Seal(issuer="gemini", kind="signature", data="s")),
        Text(text="d", seal=seal),
    )
    assert wire["content"] == [
        {"type": "thinking", "thinking": "a", "signature": "s"},
        {"type": "text", "text": "d"},
    ]
    assert dropped == ("reasoning", "signature")


def test_citations_are_told_where_this_protocol_has_a_place() -> None:
    url = Citation(kind="url", url="u", quote="q", title="t")
    wire, dropped = write(Text(text="a", citations=(url, Citation(kind="url"), Citation(kind="odd"))))
    assert wire["content"][0]["citations"] == [
        {"type": "web_search_result_location", "url": "u", "cited_text": "q", "encrypted_index": "", "title": "t"}
    ]  # fmt: skip
    assert dropped == ("citations",)
    place = {"type": "search_result_location", "cited_text": "q", "title": "t", "source": "s"}
    answer = read({"type": "text", "text": "a", "citations": [place]})
    assert json.loads(CODEC.encode_answer(answer, SEED)[0])["content"][0]["citations"] == [place]


MUST = Extra(protocol="gemini", members={"m": "1"}, must=frozenset({"m"}))


@pytest.mark.parametrize(
    "part", [ToolResult(call_id="c"), Extension(name="ui", data="{}"), Text(text="a", extra=MUST)]
)
def test_parts_without_a_place_are_refused(part: Any) -> None:
    with pytest.raises(Unsupported):
        write(part)


def test_what_nobody_could_ask_for_is_left_out_and_reported() -> None:
    sound = Media(kind="audio", source=Inline(media_type="audio/wav", data="A"))
    wire, dropped = write(sound, Opaque(protocol="gemini", kind="code", body="{}"), Text(text=""))
    assert wire["content"] == []
    assert dropped == ("modalities.audio", "code")
    with pytest.raises(Unsupported):
        write(Opaque(protocol="gemini", kind="code", body="{}", extra=MUST))


# ---- streams, read -------------------------------------------------------------------------------------------------


@pytest.mark.states("T-060", "T-061")
@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ((), "no events"),
        ((b": ping\n\n",), "no events"),
        ((START,), "cut"),
        ((START, opened(SHELL, {"type": "text_delta", "text": "a"})), "cut"),
        ((START, b"data: {\n\n"), "not of this protocol"),
        ((START, b"data: 5\n\n"), "not of this protocol"),
        ((b'data: {"choices":[]}\n\n',), "not of this protocol"),
        ((opened(SHELL),), "in the middle"),
        ((ending(),), "in the middle"),
        ((STOP,), "in the middle"),
        ((START, frame("content_block_delta", index=3, delta={"type": "text_delta"})), "not open"),
        ((START, opened(SHELL, None)), "not open"),
        ((START, opened({"type": "tool_use"})), "malformed"),
        ((b"data: " + b"x" * 2_000_000,), "larger"),
    ],
)
def test_a_stream_that_is_none_is_broken(pieces: tuple[bytes, ...], text: str) -> None:
    error = failure(*pieces)
    assert isinstance(error, BrokenStream)
    assert text in error.message


def test_what_came_before_a_break_is_kept() -> None:
    error = failure(START, opened(SHELL, {"type": "text_delta", "text": "half"}, stop=False))
    assert isinstance(error, BrokenStream)
    assert error.partial is not None
    assert error.partial.text == "half"


def test_a_stream_over_the_limit_is_broken_at_its_end_too() -> None:
    decoder = CODEC.stream_decoder(PLAIN)
    data = START + b"data: " + b"x" * 1_100_000
    assert isinstance(decoder.feed(data)[0], Start)
    last = decoder.close()[-1]
    assert isinstance(last, Failed)
    assert decoder.close() == decoder.feed(b"x") == decoder.fail(BrokenStream("late")) == ()


def test_an_error_inside_a_stream_is_its_end() -> None:
    error = {"type": "overloaded_error", "message": "busy"}
    seen = failure(START, frame("error", error=error), ending())
    assert isinstance(seen, ProviderError)
    assert (seen.kind, seen.message) == ("overloaded", "busy")
    assert failure(START, b"event: error\ndata: {}\n\n").message
    nested = b'event: error\ndata: {"error": {"message": "odd"}}\n\n'
    assert failure(nested).message == "odd"
    assert failure(START, frame("error")).message == "the provider reported an error"


def test_a_stream_that_has_its_stop_reason_is_whole() -> None:
    end = frame("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 1})
    assert isinstance(decoded(START, end)[-1], Finish)
    decoder = CODEC.stream_decoder(PLAIN)
    decoder.feed(START + end)
    assert isinstance(decoder.fail(BrokenStream("reset"))[-1], Finish)
    decoder = CODEC.stream_decoder(PLAIN)
    decoder.feed(START)
    assert isinstance(decoder.fail(BrokenStream("reset"))[-1], Failed)
    assert isinstance(decoded(START, STOP)[-1], Finish)
    assert isinstance(decoded(START, STOP[:-1])[-1], Finish)
    assert isinstance(decoded(START, b"data: {")[-1], Failed)
    assert isinstance(decoded(START, frame("message_delta", delta={"stop_reason": "end_turn"}))[-1], Finish)


def test_what_broken_upstreams_do_is_survived() -> None:
    text = {"type": "text_delta", "text": "a"}
    answer = fold(decoded(START, opened(SHELL, text, stop=False), START, opened(SHELL, text), ending()))
    assert answer.text == "aa"
    half = opened(CALL, {"type": "input_json_delta", "partial_json": '{"a":'}, stop=False)
    answer = fold(decoded(START, half, frame("content_block_stop", index=9), ending("max_tokens")))
    assert answer.parts == (ToolCall(call_id="t", name="f", arguments='{"a":'),)
    assert answer.stop == "length"
    assert (
        fold(
            decoded(
                frame("ping"),
                frame("novel"),
                START,
                frame("message_delta"),
                frame("message_delta", delta={}),
                ending(),
            )
        ).parts
        == ()
    )


@pytest.mark.states("T-056", "T-058", "T-063")
def test_arguments_arrive_whole_however_they_come() -> None:
    given = {**CALL, "input": {"city": "Rome"}}
    pieces = [{"type": "input_json_delta", "partial_json": piece} for piece in ("", '{"a"', ":1}")]
    for block, deltas, arguments in (
        (CALL, (), "{}"),
        (CALL, pieces[:1], "{}"),
        (CALL, pieces, '{"a":1}'),
        (given, (), '{"city": "Rome"}'),
        (given, pieces, '{"a":1}'),
    ):
        (part,) = fold(decoded(START, opened(block, *deltas), ending("tool_use"))).parts
        assert isinstance(part, ToolCall)
        assert part.arguments == arguments


def test_proofs_citations_and_unknown_deltas_are_kept() -> None:
    thinking = {"type": "thinking", "thinking": "", "signature": ""}
    proof = {"type": "signature_delta", "signature": "s"}
    place = {"type": "char_location", "cited_text": "q", "document_index": 0}
    events = decoded(
        START,
        opened(thinking, {"type": "thinking_delta", "thinking": ""}, proof),
        opened({**thinking, "signature": "given"}, index=1),
        opened(
            SHELL,
            {"type": "citations_delta", "citation": place},
            {"type": "citations_delta", "citation": 5},
            {"type": "sparkle_delta", "x": 1},
            {"type": "text_delta", "text": ""},
            index=2,
        ),
        frame("novel", x=1),
        ending(),
    )
    first, second, third = fold(events).parts
    assert [part.seal.data for part in (first, second) if part.seal] == ["s", "given"]
    assert isinstance(third, Text)
    assert third.citations[0].quote == "q"
    unknown = [event for event in events if isinstance(event, Unknown)]
    assert [event.kind for event in unknown] == ["content_block_delta", "novel"]
    written = CODEC.stream_encoder(SEED, True).encode(events)
    assert written.count(b"event: novel\n") == 1


def test_blocks_that_nobody_names_grow() -> None:
    server = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    compaction = {"type": "compaction", "content": None}
    pieces = [{"type": "input_json_delta", "partial_json": piece} for piece in ('{"q":', "1}")]
    events = decoded(
        START,
        opened(server, *pieces),
        opened(
            compaction,
            {"type": "compaction_delta", "content": "sum", "n": 1},
            {"type": "compaction_delta", "content": "mary"},
            index=1,
        ),
        opened(server, {"type": "input_json_delta", "partial_json": '{"cut'}, index=2),
        opened(server, index=3),
        ending(),
    )
    bodies = [json.loads(part.body) for part in fold(events).parts if isinstance(part, Opaque)]
    assert bodies[0]["input"] == {"q": 1}
    assert bodies[1] == {"type": "compaction", "content": "summary", "n": 1}
    assert bodies[2]["input"] == '{"cut'
    assert bodies[3] == server


@pytest.mark.states("T-053", "T-062")
def test_counts_are_cumulative_and_a_later_one_wins() -> None:
    start = frame(
        "message_start",
        message=message(usage={"input_tokens": 9, "cache_read_input_tokens": 4, "output_tokens": 1}),
    )
    end = frame(
        "message_delta",
        delta={"stop_reason": "refusal", "stop_details": {"type": "refusal", "explanation": "no"}, "x": 1},
        usage={"output_tokens": 7, "input_tokens": None, "cache_read_input_tokens": 0},
    )
    events = decoded(start, end, STOP)
    answer = fold(events)
    assert answer.usage == Usage(input=9, cache_read=0, output=7)
    assert answer.parts == (Refusal(text="no"),)
    assert answer.extra is not None
    assert answer.extra.members["x"] == "1"
    assert [type(event) for event in events][-1] is Finish


# ---- streams, written ----------------------------------------------------------------------------------------------


def told(*events: Event) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The data of all events that were written, and what was left out."""
    writer = CODEC.stream_encoder(SEED, True)
    data = b"".join(writer.encode((event,)) for event in events)
    rows: list[dict[str, Any]] = []
    for block in data.decode().split("\n\n")[:-1]:
        name, _, row = block.partition("\ndata: ")
        rows.append(json.loads(row))
        assert name == f"event: {rows[-1]['type']}"
    return rows, writer.dropped


def kinds(rows: list[dict[str, Any]]) -> list[Any]:
    short = {"content_block_start": "start", "content_block_stop": "stop"}
    return [
        row["delta"]["type"] if row["type"] == "content_block_delta" else short.get(row["type"], row["type"])
        for row in rows
    ]


def test_a_block_is_opened_by_its_first_content() -> None:
    rows, _ = told(
        Start(),
        PartStart(index=0, part=Text(text="")),
        Delta(index=0, text=""),
        Delta(index=0, text="a"),
        Delta(index=0, text="b"),
        PartEnd(index=0),
        PartStart(index=1, part=Text(text="")),
        PartEnd(index=1),
        UsageSeen(usage=Usage(input=3, output=2)),
        END,
    )
    assert kinds(rows) == [
        "message_start", "start", "text_delta", "text_delta", "stop", "message_delta", "message_stop"
    ]  # fmt: skip
    assert rows[0]["message"]["content"] == []
    assert rows[-2]["usage"] == {"input_tokens": 3, "output_tokens": 2}
    assert rows[-2]["delta"] == {"stop_reason": "end_turn", "stop_sequence": None}


@pytest.mark.states("T-059")
def test_one_block_is_open_at_a_time_and_text_opens_another() -> None:
    rows, _ = told(
        Start(),
        PartStart(index=0, part=Text(text="a")),
        PartStart(index=1, part=ToolCall(call_id="c", name="f", arguments="")),
        Delta(index=1, text="{}", to="arguments"),
        Delta(index=0, text="b"),
        PartEnd(index=1),
        PartEnd(index=0),
        Finish(stop="tool_calls"),
    )
    assert kinds(rows)[1:-2] == [
        "start", "text_delta", "stop", "start", "input_json_delta", "stop", "start", "text_delta", "stop"
    ]  # fmt: skip
    assert [row["index"] for row in rows if row["type"] == "content_block_start"] == [0, 1, 2]
    assert rows[4]["content_block"] == CALL | {"id": "c"}


@pytest.mark.parametrize(
    "late",
    [
        (ToolCall(call_id="c", name="f", arguments="{"), Delta(index=0, text="}", to="arguments")),
        (
            Thinking(text="a", seal=Seal(issuer="anthropic-messages", kind="signature", data="")),
            Delta(index=0, text="b"),
        ),
    ],
)
def test_what_has_ended_cannot_go_on(late: tuple[Any, Delta]) -> None:
    part, delta = late
    rows, _ = told(
        Start(), PartStart(index=0, part=part), PartStart(index=1, part=Text(text="x")), delta, END
    )
    assert rows[-1]["type"] == "error"
    assert rows[-1]["error"]["type"] == "api_error"
    assert "message_stop" not in kinds(rows)


def test_thoughts_end_with_their_proof() -> None:
    seal = Seal(issuer="anthropic-messages", kind="signature", data="")
    proof = Seal(issuer="anthropic-messages", kind="signature", data="s")
    rows, dropped = told(
        Start(),
        PartStart(index=0, part=Thinking(seal=seal)),
        Delta(index=0, text="hm"),
        Delta(index=0, text="summary", to="summary"),
        Amend(index=0, seal=proof),
        PartEnd(index=0),
        PartStart(index=1, part=Thinking(seal=seal)),
        PartEnd(index=1, whole=Thinking(seal=proof)),
        PartStart(index=2, part=Thinking(seal=Seal(issuer="anthropic-messages", kind="redacted", data="d"))),
        PartEnd(index=2),
        PartStart(index=3, part=Thinking()),
        Delta(index=3, text="not ours"),
        PartEnd(index=3),
        END,
    )
    assert kinds(rows)[1:-2] == [
        "start", "thinking_delta", "signature_delta", "stop", "start", "signature_delta", "stop", "start", "stop"
    ]  # fmt: skip
    assert rows[3]["delta"]["signature"] == rows[6]["delta"]["signature"] == "s"
    assert rows[8]["content_block"] == {"type": "redacted_thinking", "data": "d"}
    assert dropped == ("reasoning",)


def test_citations_wait_for_their_text() -> None:
    place = Citation(kind="url", url="u")
    rows, dropped = told(
        Start(),
        PartStart(index=0, part=Text(text="", citations=(place,))),
        Amend(index=0, citation=Citation(kind="odd")),
        Delta(index=0, text="a"),
        Amend(index=0, citation=place, seal=Seal(issuer="gemini", kind="signature", data="s")),
        PartEnd(index=0),
        PartStart(index=1, part=Text(text="")),
        Amend(index=1, citation=place),
        PartEnd(index=1),
        END,
    )
    assert kinds(rows)[1:-2] == ["start", "citations_delta", "text_delta", "citations_delta", "stop"]
    assert dropped == ("citations", "signature")


def test_what_a_part_holds_only_at_its_end_is_told_then() -> None:
    rows, _ = told(
        Start(),
        PartStart(index=0, part=Text(text="")),
        Delta(index=0, text="a"),
        PartEnd(index=0, whole=Text(text="abc")),
        PartStart(index=1, part=Refusal(text="", category="bio")),
        Delta(index=1, text="no"),
        PartEnd(index=1, whole=Refusal(text="no!")),
        Finish(stop="refusal"),
    )
    assert [row["delta"]["text"] for row in rows if row["type"] == "content_block_delta"] == ["a", "bc"]
    assert rows[-2]["delta"]["stop_details"] == {
        "type": "refusal", "category": "bio", "explanation": "no!"
    }  # fmt: skip


def test_what_this_protocol_has_no_place_for_is_left_out_and_reported() -> None:
    sound = Media(kind="audio", source=Inline(media_type="audio/wav", data=""))
    rows, dropped = told(
        Start(extra=Extra(protocol="openai-chat", members={"service_tier": '"x"'})),
        Signal(kind="custom", name="blink"),
        Signal(kind="state"),
        Unknown(protocol="gemini", kind="odd", body="{}"),
        PartStart(index=0, part=sound),
        Delta(index=0, text="AAAA", to="data"),
        PartEnd(index=0),
        PartStart(index=1, part=Opaque(protocol="gemini", kind="code", body="{}")),
        PartEnd(index=1),
        Finish(stop="end", metadata={"a": "b"}),
    )
    assert kinds(rows) == ["message_start", "message_delta", "message_stop"]
    assert dropped == ("service_tier", "blink", "state", "odd", "modalities.audio", "code", "metadata")


@pytest.mark.parametrize(
    "event",
    [
        PartStart(index=0, part=Extension(name="ui", data="{}")),
        PartStart(index=0, part=ToolCall(call_id="c", name="f", kind="custom")),
        PartStart(index=0, part=Text(text="", extra=MUST)),
        Finish(stop="unknown", stop_raw="odd"),
        Failed(error=ProviderError("busy", kind="overloaded")),
    ],
)
def test_what_cannot_be_said_ends_in_the_error_event(event: Event) -> None:
    rows, _ = told(Start(), event, END)
    assert rows[-1]["type"] == "error"
    assert len(rows) == 2


def test_a_client_that_is_gone_is_told_nothing() -> None:
    rows, _ = told(Start(), Failed(error=Cancelled("left")), END)
    assert kinds(rows) == ["message_start"]


# ---- errors, lists, counts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"), (401, "authentication_error"), (402, "billing_error"),
        (403, "permission_error"), (404, "not_found_error"), (405, "invalid_request_error"),
        (409, "conflict_error"), (413, "request_too_large"), (422, "invalid_request_error"),
        (429, "rate_limit_error"), (500, "api_error"), (502, "api_error"), (503, "overloaded_error"),
        (504, "timeout_error"), (529, "overloaded_error"),
    ],
)  # fmt: skip
@pytest.mark.states("P-188")
def test_an_error_has_the_type_of_its_status(status: int, kind: str) -> None:
    error = TurnoutError("oh", status=status, retry_after=2.5, may_have_acted=True)
    shown, headers, data = CODEC.encode_error(error, "req_1")
    assert shown == status
    body = json.loads(data)
    assert body["type"] == "error"
    assert body["error"]["type"] == kind
    assert body["request_id"] == "req_1"
    assert headers.get("retry-after") == "3"
    assert headers.get("x-should-retry") == "false"


def test_an_error_names_its_field_and_its_cause() -> None:
    body = json.loads(CODEC.encode_error(Unsupported("thread", "not here"))[2])
    assert body["error"]["message"] == "thread: not here"
    assert body["error"]["details"] == {"error_code": "thread_unsupported_request"}
    assert "request_id" not in body
    body = json.loads(CODEC.encode_error(InvalidRequest("top_k is odd", param="top_k"))[2])
    assert body["error"] == {"type": "invalid_request_error", "message": "top_k is odd"}


@pytest.mark.states("T-067", "T-069", "T-070", "T-072", "T-073")
@pytest.mark.parametrize(
    ("status", "kind", "wanted", "retryable"),
    [
        (429, "rate_limit_error", "rate_limit", True),
        (401, "authentication_error", "auth", False),
        (403, "permission_error", "auth", False),
        (400, "invalid_request_error", "invalid_request", False),
        (529, "overloaded_error", "overloaded", True),
        (500, "api_error", "provider", True),
        (504, "timeout_error", "timeout", True),
    ],
)
def test_an_upstreams_error_is_read(status: int, kind: str, wanted: str, retryable: bool) -> None:
    data = json.dumps({"type": "error", "error": {"type": kind, "message": "m"}}).encode()
    error = CODEC.decode_error(status, Headers.of({"retry-after": "7"}), data)
    assert (error.kind, error.status_code, error.retryable, error.retry_after) == (
        wanted,
        status,
        retryable,
        7,
    )
    long = json.dumps({"error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"}})
    assert CODEC.decode_error(400, Headers(), long.encode()).kind == "context_too_long"


MODELS = {name: Info(created=1_790_000_000, description=name.upper()) for name in "abcd"} | {"e": Info()}


@pytest.mark.parametrize(
    ("query", "names", "more"),
    [
        ("", "abcde", False),
        ("limit=2", "ab", True),
        ("limit=9999", "abcde", False),
        ("limit=2&after_id=b", "cd", True),
        ("after_id=e", "", False),
        ("after_id=x", "abcde", False),
        ("limit=2&before_id=d", "bc", True),
        ("before_id=b", "a", False),
    ],
)
def test_models_are_listed_in_pages(query: str, names: str, more: bool) -> None:
    body = json.loads(CODEC.encode_models(MODELS, query))
    assert "".join(model["id"] for model in body["data"]) == names
    assert (body["has_more"], body["first_id"]) == (more, names[0] if names else None)
    if more and "before" not in query:
        _, page = CODEC.decode_models(json.dumps(body).encode())
        assert page == f"after_id={names[-1]}"


@pytest.mark.parametrize("limit", ["0", "-1", "x", "", "9" * 5000], ids=lambda limit: limit[:9])
def test_a_page_of_no_size_is_refused(limit: str) -> None:
    with pytest.raises(InvalidRequest):
        CODEC.encode_models(MODELS, f"limit={limit}")


def test_one_model_is_told() -> None:
    assert json.loads(CODEC.encode_model("a", MODELS["a"])) == {
        "type": "model",
        "id": "a",
        "display_name": "A",
        "created_at": "2026-09-21T14:13:20Z",
        "lifecycle": "active",
    }


@pytest.mark.states("T-004", "T-064", "T-065")
def test_a_providers_models_are_read() -> None:
    row = {
        "id": "claude",
        "created_at": "2026-09-21T14:13:20Z",
        "max_input_tokens": 1_000_000,
        "max_tokens": 128_000,
        "capabilities": {"image_input": {"supported": True}, "thinking": {}},
    }
    rows = [row, {"id": "b", "created_at": "x", "max_tokens": True}, {"id": ""}, 5]
    models, page = CODEC.decode_models(json.dumps({"data": rows, "has_more": True, "last_id": None}).encode())
    first, second = models
    assert (first.context_window, first.max_tokens, first.created) == (1_000_000, 128_000, 1_790_000_000)
    assert (first.supports_vision, first.supports_thinking, first.supports_tools) == (True, None, True)
    assert (second.max_tokens, second.created) == (None, 0)
    assert page == ""
    for data in (b"", b"[]", b'{"data":5}'):
        with pytest.raises(ProviderError):
            CODEC.decode_models(data)


def test_a_count_is_read_and_written() -> None:
    assert CODEC.decode_count(CODEC.encode_count(7)) == 7
    for data in (b"", b"{}", b"\xff"):
        with pytest.raises(BrokenStream):
            CODEC.decode_count(data)


def test_an_error_of_a_relay_is_the_same_event() -> None:
    broken = CODEC.error_event(BrokenStream("cut"), b"data: half")
    assert broken.startswith(b"event: error\n")
    assert b'"api_error"' in broken


def test_a_ping_says_what_it_is() -> None:
    assert CODEC.keepalive() == b'event: ping\ndata: {"type":"ping"}\n\n'


def test_written_tokens_of_which_only_the_short_lifetime_is_told_are_all_short() -> None:
    said = {"cache_creation_input_tokens": 5, "cache_creation": {"ephemeral_5m_input_tokens": 5}}
    usage = read_usage(said)
    assert (usage.cache_write, usage.cache_write_1h) == (5, None)
