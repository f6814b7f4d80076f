"""Answers written as Responses: one object counts everything, and the end is what was announced (K27)."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.model.strategies import answers as any_answers
from tests.model.strategies import tellings
from turnout.model import (
    Amend,
    Answer,
    Body,
    Citation,
    Delta,
    Event,
    Extension,
    Extra,
    Failed,
    File,
    Finish,
    Inline,
    Media,
    Message,
    Opaque,
    PartEnd,
    PartStart,
    Refusal,
    Request,
    Seal,
    Signal,
    Source,
    Start,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    Unknown,
    Url,
    Usage,
    UsageSeen,
)
from turnout.model.errors import (
    BrokenStream,
    Cancelled,
    InvalidRequest,
    ProviderError,
    TurnoutError,
    Unsupported,
)
from turnout.wire.codec import Seed
from turnout.wire.responses import CODEC, OPEN_CODEC
from turnout.wire.responses.dialect import PLAIN
from turnout.wire.responses.seals import read_seal

SEED = Seed(id="seed", created=3, model="m")


def rows_of(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in data.split(b"\n") if line.startswith(b"data: {")]


def write(*events: Event, codec: Any = CODEC) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The events of a stream; each batch of one."""
    encoder = codec.stream_encoder(SEED, True)
    data = b"".join(encoder.encode((one,)) for one in events)
    return rows_of(data), encoder.dropped


def whole(answer: Answer, codec: Any = CODEC, seed: Seed = SEED) -> tuple[dict[str, Any], tuple[str, ...]]:
    data, dropped = codec.encode_answer(answer, seed)
    return json.loads(data), dropped


def answer(*parts: Any, stop: Any = "end", **more: Any) -> Answer:
    return Answer(parts=parts, stop=stop, **more)


END = Finish(stop="end")


# ---- laws ------------------------------------------------------------------------------------------------------------


@given(
    any_answers.flatmap(lambda one: st.tuples(st.just(one), tellings(one))),
    st.sampled_from([CODEC, OPEN_CODEC]),
)
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], max_examples=150)
def test_a_stream_keeps_its_grammar_whatever_is_told(told: tuple[Answer, Any], codec: Any) -> None:
    rows = rows_of(codec.stream_encoder(SEED, True).encode(told[1]))
    assert [row["sequence_number"] for row in rows] == list(range(len(rows)))
    assert [row["type"] for row in rows[:2]] == ["response.created", "response.in_progress"]
    ends = [
        row for row in rows if row["type"].removeprefix("response.") in {"completed", "incomplete", "failed"}
    ]
    assert ends == rows[-1:]
    added = [row["output_index"] for row in rows if row["type"] == "response.output_item.added"]
    done = [row["output_index"] for row in rows if row["type"] == "response.output_item.done"]
    assert added == list(range(len(added)))
    assert done == list(range(len(done)))
    output = [row["item"] for row in rows if row["type"] == "response.output_item.done"]
    assert rows[-1]["response"]["output"] == output
    ids = [item["id"] for item in output if item.get("id")]
    assert len(ids) == len(set(ids))
    _check_texts(rows, output)


def _check_texts(rows: list[dict[str, Any]], output: list[dict[str, Any]]) -> None:
    """Joined deltas are the final texts."""
    for index, item in enumerate(output):
        about = [row for row in rows if row.get("output_index") == index]
        joined = "".join(row["delta"] for row in about if row["type"] == "response.output_text.delta")
        if item.get("type") == "message":
            assert joined == "".join(part.get("text", "") for part in item["content"])


@given(any_answers, st.sampled_from([CODEC, OPEN_CODEC]))
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=150)
def test_whatever_is_answered_is_said_or_refused(given_answer: Answer, codec: Any) -> None:
    try:
        response, dropped = whole(given_answer, codec)
    except (Unsupported, BrokenStream):
        return
    assert response["status"] in {"completed", "incomplete", "cancelled", "queued", "in_progress"}
    assert all(dropped)


# ---- what is shown ---------------------------------------------------------------------------------------------------


def test_items_end_in_the_order_of_their_indexes() -> None:
    call = ToolCall(call_id="c", name="f", arguments="")
    rows, _ = write(
        Start(),
        PartStart(index=0, part=Text(text="")),
        PartStart(index=1, part=call),
        Delta(index=1, text="{}", to="arguments"),
        PartEnd(index=1),
        Delta(index=0, text="late"),
        PartEnd(index=0),
        END,
    )
    done = [row["item"]["type"] for row in rows if row["type"] == "response.output_item.done"]
    assert done == ["message", "function_call"]


def test_texts_that_stand_together_are_one_message_and_those_of_other_items_are_not() -> None:
    one, _ = whole(answer(Text(text="a"), Refusal(text="b")))
    assert [part["type"] for part in one["output"][0]["content"]] == ["output_text", "refusal"]
    two, _ = whole(answer(Text(text="a", item="x"), Text(text="b", item="y")))
    assert [item["id"] for item in two["output"]] == ["x", "y"]
    split, _ = whole(
        answer(Text(text="a", item="x"), ToolCall(call_id="c", name="f"), Text(text="b", item="x"))
    )
    ids = [item["id"] for item in split["output"]]
    assert len(set(ids)) == 3


def test_ids_are_made_the_same_way_each_time() -> None:
    first, _ = whole(answer(Text(text="a")))
    rows, _ = write(Start(), PartStart(index=0, part=Text(text="a")), PartEnd(index=0), END)
    assert first["output"][0]["id"] == rows[-1]["response"]["output"][0]["id"]
    assert first["id"] == "resp_seed"
    assert whole(answer(Text(text="a"), id="own"))[0]["id"] == "own"
    assert whole(answer(Text(text="a")), seed=Seed(id="resp_x", created=1, model="m"))[0]["id"] == "resp_x"


@pytest.mark.parametrize(
    ("stop", "parts", "status", "reason"),
    [
        ("end", (Text(text="x"),), "completed", None),
        ("tool_calls", (ToolCall(call_id="c", name="f"),), "completed", None),
        ("stop_sequence", (Text(text="x"),), "completed", None),
        ("length", (Text(text="x"),), "incomplete", "max_output_tokens"),
        ("context_full", (Text(text="x"),), "incomplete", "max_output_tokens"),
        ("content_filter", (), "incomplete", "content_filter"),
        ("refusal", (Refusal(text="no"),), "completed", None),
        ("refusal", (Text(text=""),), "incomplete", "content_filter"),
        ("input_required", (Text(text="x"),), "incomplete", None),
    ],
)
def test_each_stop_has_its_status(stop: Any, parts: Any, status: str, reason: str | None) -> None:
    response, _ = whole(answer(*parts, stop=stop))
    assert response["status"] == status
    assert response["incomplete_details"] == (None if reason is None else {"reason": reason})
    if parts:
        assert response["output"][-1]["status"] == status


def test_only_the_last_item_is_incomplete() -> None:
    response, _ = whole(
        answer(Text(text="x"), ToolCall(call_id="c", name="f", arguments='{"a'), stop="length")
    )
    assert [item["status"] for item in response["output"]] == ["completed", "incomplete"]


def test_sources_come_beside_the_text_and_in_it() -> None:
    source = Citation(kind="url", url="u", title="t", start=1, end=2)
    rows, dropped = write(
        Start(),
        PartStart(index=0, part=Text(text="x", citations=(source,))),
        Amend(index=0, citation=Citation(kind="page")),
        PartEnd(index=0, whole=Text(text="xy", citations=(source, Citation(kind="url", url="v")))),
        END,
    )
    told = [row["annotation"] for row in rows if row["type"] == "response.output_text.annotation.added"]
    assert [row["url"] for row in told] == ["u", "v"]
    assert rows[-1]["response"]["output"][0]["content"][0]["annotations"] == told
    assert rows[-1]["response"]["output"][0]["content"][0]["text"] == "xy"
    assert dropped == ("citations",)


def test_what_a_part_holds_only_at_its_end_is_told_then() -> None:
    rows, _ = write(
        Start(),
        PartStart(index=0, part=ToolCall(call_id="c", name="f", arguments="")),
        PartEnd(index=0, whole=ToolCall(call_id="c", name="f", arguments='{"a":1}')),
        PartStart(index=1, part=Thinking(text="")),
        PartEnd(index=1, whole=Thinking(text="raw", summary=("s",))),
        END,
    )
    deltas = [row["delta"] for row in rows if row["type"].endswith(".delta")]
    assert deltas == ['{"a":1}', "raw", "s"]


# ---- reasoning -------------------------------------------------------------------------------------------------------

OWN = Extra(protocol="openai-responses", members={"~reasoning": "null"})


def test_thoughts_of_others_are_summaries_and_their_proof_comes_back_whole() -> None:
    seal = Seal(issuer="anthropic-messages", kind="signature", data="sig/+=")
    response, dropped = whole(answer(Thinking(text="hm", seal=seal), Text(text="x")))
    item = response["output"][0]
    assert item["summary"] == [{"type": "summary_text", "text": "hm"}]
    assert "content" not in item
    assert read_seal(item["encrypted_content"], "openai-responses") == seal
    assert dropped == ()


@pytest.mark.parametrize("data", ["turnout.", "turnout.!!!", "turnout.e30="])
def test_what_only_looks_like_such_a_proof_is_the_providers(data: str) -> None:
    assert read_seal(data, "openai-responses") == Seal(issuer="openai-responses", kind="encrypted", data=data)


def test_own_thoughts_stay_raw_and_their_events_have_the_name_of_the_shape() -> None:
    seal = Seal(issuer="openai-responses:azure", kind="encrypted", data="e")
    events = (
        Start(),
        PartStart(index=0, part=Thinking(id="rs", extra=OWN)),
        Delta(index=0, text=""),
        Delta(index=0, text="a"),
        Delta(index=0, text="b"),
        Amend(index=0, seal=seal, extra=Extra(protocol="openai-responses", members={"format": '"x"'})),
        PartEnd(index=0),
        END,
    )
    for codec, stem in ((CODEC, "reasoning_text"), (OPEN_CODEC, "reasoning")):
        rows, _ = write(*events, codec=codec)
        assert [row["delta"] for row in rows if row["type"] == f"response.{stem}.delta"] == ["a", "b"]
        assert [row["text"] for row in rows if row["type"] == f"response.{stem}.done"] == ["ab"]
        item = rows[-1]["response"]["output"][0]
        assert item["content"] == [{"type": "reasoning_text", "text": "ab"}]
        assert (item["id"], item["encrypted_content"], item["format"]) == ("rs", "e", "x")


def test_a_piece_of_anothers_thought_that_says_nothing_shows_nothing() -> None:
    events = (Start(), PartStart(index=0, part=Thinking()), Delta(index=0, text=""), PartEnd(index=0), END)
    rows, _ = write(*events)
    assert not [row for row in rows if "summary" in row["type"]]


def test_summaries_end_before_the_next_one_begins() -> None:
    rows, _ = write(
        Start(),
        PartStart(index=0, part=Thinking(summary=("a",))),
        Delta(index=0, text="b", to="summary", at=1),
        Delta(index=0, text="", to="summary", at=2),
        PartEnd(index=0),
        END,
    )
    kinds = [
        row["type"].removeprefix("response.reasoning_summary_") for row in rows if "summary_index" in row
    ]
    assert kinds == [
        *("part.added", "text.delta", "text.done", "part.done"),
        *("part.added", "text.delta", "text.done", "part.done"),
        *("part.added", "text.done", "part.done"),
    ]
    assert [part["text"] for part in rows[-1]["response"]["output"][0]["summary"]] == ["a", "b", ""]


# ---- other parts -----------------------------------------------------------------------------------------------------


def test_images_are_shown_as_if_they_had_been_asked_for() -> None:
    image = Media(kind="image", source=Inline(media_type="image/png", data="QU"))
    rows, _ = write(
        Start(), PartStart(index=0, part=image), Delta(index=0, text="JD", to="data"), PartEnd(index=0), END
    )
    item = rows[-1]["response"]["output"][0]
    assert (item["type"], item["result"], item["status"]) == ("image_generation_call", "QUJD", "completed")


def test_blocks_that_nobody_names_go_out_as_they_came() -> None:
    body = '{"type":"web_search_call","id":"ws","status":"completed"}'
    shell = Opaque(
        protocol="openai-responses", kind="web_search_call", body='{"type":"web_search_call","id":"ws"}'
    )
    final = Opaque(protocol="openai-responses", kind="web_search_call", body=body)
    rows, _ = write(Start(), PartStart(index=0, part=shell), PartEnd(index=0, whole=final), END)
    assert rows[2]["item"] == {"type": "web_search_call", "id": "ws"}
    assert rows[-1]["response"]["output"] == [json.loads(body)]
    rows, _ = write(Start(), PartStart(index=0, part=final), PartEnd(index=0), END, codec=OPEN_CODEC)
    assert rows[2]["item"]["type"] == "openai:web_search_call"
    known = Opaque(protocol="openai-responses", kind="compaction", body='{"type":"compaction","id":"c"}')
    rows, _ = write(Start(), PartStart(index=0, part=known), PartEnd(index=0), END, codec=OPEN_CODEC)
    assert rows[2]["item"]["type"] == "compaction"


def test_content_that_nobody_names_stays_in_its_message() -> None:
    mark = Extra(protocol="openai-responses", members={"~part": "null"})
    odd = Opaque(protocol="openai-responses", kind="x", body='{"type":"x"}', extra=mark)
    response, _ = whole(answer(Text(text="a"), odd))
    assert response["output"][0]["content"][1] == {"type": "x"}
    alone, _ = whole(answer(odd))
    assert alone["output"][0]["content"] == [{"type": "x"}]


def test_blocks_of_others_sound_and_signals_are_left_out_and_reported() -> None:
    rows, dropped = write(
        Start(extra=Extra(protocol="gemini", members={"m": "1"})),
        PartStart(index=0, part=Opaque(protocol="anthropic-messages", kind="server_tool_use", body="{}")),
        PartEnd(index=0),
        PartStart(index=1, part=Media(kind="audio", source=Inline(media_type="audio/wav", data="QQ"))),
        Delta(index=1, text="x", to="transcript"),
        PartEnd(index=1),
        Signal(kind="custom", name="busy"),
        Unknown(protocol="gemini", kind="odd", body="{}"),
        PartStart(index=2, part=Text(text="a", seal=Seal(issuer="gemini", kind="signature", data="s"))),
        Amend(index=2, extra=Extra(protocol="gemini", members={"n": "1"})),
        PartEnd(index=2),
        END,
    )
    assert dropped == ("m", "server_tool_use", "audio", "busy", "odd", "n", "signature")
    assert [item["type"] for item in rows[-1]["response"]["output"]] == ["message"]


MUST = Extra(protocol="gemini", members={"m": "1"}, must=frozenset({"m"}))


@pytest.mark.parametrize(
    ("event", "param"),
    [
        (PartStart(index=0, part=Extension(name="ui", data="{}")), "extension"),
        (PartStart(index=0, part=ToolResult(call_id="c")), "tool_result"),
        (PartStart(index=0, part=Media(kind="image", source=Url(url="u"))), "modalities.image"),
        (PartStart(index=0, part=Media(kind="video", source=File(ref="f"))), "modalities.video"),
        (PartStart(index=0, part=Opaque(protocol="gemini", kind="code", body="{}", extra=MUST)), "m"),
        (Start(extra=MUST), "m"),
        (Finish(stop="pause"), "status"),
        (Finish(stop="unknown", stop_raw="x"), None),
    ],
)
def test_what_cannot_be_said_fails_the_response(event: Event, param: str | None) -> None:
    rows, _ = write(*(() if isinstance(event, Start) else (Start(),)), event, END)
    assert [row["type"] for row in rows[-2:]] == ["error", "response.failed"]
    assert rows[-2]["error"]["param"] == param


# ---- failures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ProviderError("m", kind="rate_limit"), "rate_limit_exceeded"),
        (ProviderError("m", kind="context_too_long"), "context_length_exceeded"),
        (ProviderError("m", kind="content_filter"), "invalid_prompt"),
        (ProviderError("m"), "server_error"),
        (InvalidRequest("m", param="p"), "invalid_prompt"),
        (TurnoutError("m"), "server_error"),
    ],
)
def test_a_failure_is_an_error_and_a_failed_response(error: TurnoutError, code: str) -> None:
    for before in ((), (Start(),), (Start(), PartStart(index=0, part=Text(text="a")))):
        rows, _ = write(*before, Failed(error=error), END)
        assert [row["sequence_number"] for row in rows] == list(range(len(rows)))
        assert [row["type"] for row in rows[-2:]] == ["error", "response.failed"]
        told = rows[-2]
        assert (
            (told["message"], told["param"])
            == ("m", error.param)
            == (told["error"]["message"], told["error"]["param"])
        )
        assert told["code"] == told["error"]["code"]
        assert rows[-1]["response"]["error"] == {"code": code, "message": "m"}
        assert rows[-1]["response"]["output"] == []


def test_a_cancellation_is_never_written() -> None:
    rows, _ = write(Start(), Failed(error=Cancelled("gone")), END)
    assert len(rows) == 2


def test_an_error_behind_a_relayed_stream_goes_on_counting() -> None:
    after = b'data: {"sequence_number": 3}\n\ndata: {"sequence_number":4,"x":1}\n\n'
    rows = rows_of(CODEC.error_event(BrokenStream("cut"), after))
    assert [row["sequence_number"] for row in rows] == [5, 6]
    assert [row["sequence_number"] for row in rows_of(CODEC.error_event(BrokenStream("cut")))] == [0, 1]
    assert OPEN_CODEC.error_event(BrokenStream("cut")).endswith(b"data: [DONE]\n\n")


# ---- the response around it ------------------------------------------------------------------------------------------


def asked(**said: Any) -> Seed:
    source = json.dumps({"model": "m", "input": "x", **said}).encode()
    call = Source(protocol="openai-responses", body=source)
    request = Request(model="m", source=call, decode=lambda: CODEC.decode_request(call))
    return Seed(id="seed", created=3, model="m", request=request)


def test_what_the_request_says_is_repeated() -> None:
    said = {
        "instructions": "i",
        "user": "u",
        "service_tier": "auto",
        "max_tool_calls": 3,
        "prompt_cache_key": "k",
        "truncation": "auto",
        "text": {"verbosity": "low"},
        "reasoning": {"effort": "low"},
        "previous_response_id": "resp_0",
    }
    response, _ = whole(answer(Text(text="x")), seed=asked(**said))
    for name in ("instructions", "user", "max_tool_calls", "prompt_cache_key", "truncation", "reasoning"):
        assert response[name] == said[name]
    assert response["previous_response_id"] == "resp_0"
    assert response["text"] == {"format": {"type": "text"}, "verbosity": "low"}
    assert response["service_tier"] == "default"
    assert whole(answer(Text(text="x")), seed=asked(safety_identifier="s"))[0]["safety_identifier"] == "s"


def test_what_the_provider_says_fills_what_the_request_does_not() -> None:
    row = {
        "id": "r",
        "output": [],
        "temperature": 0.7,
        "top_p": 0.9,
        "completed_at": 9,
        "user": "them",
        "vendor": {"a": 1},
        "service_tier": "flex",
    }
    told = CODEC.decode_answer(json.dumps(row).encode(), PLAIN)
    response, _ = whole(told, seed=asked(temperature=0.2, user="us"))
    assert (response["temperature"], response["top_p"], response["completed_at"]) == (0.2, 0.9, 9)
    assert (response["user"], response["vendor"], response["service_tier"]) == ("us", {"a": 1}, "flex")
    assert whole(told)[0]["temperature"] == 0.7


def test_a_request_of_another_protocol_is_repeated_as_far_as_it_goes() -> None:
    body = Body(messages=(Message(role="user", parts=(Text(text="x"),)),), temperature=0.3)
    seed = Seed(id="s", created=1, model="m", request=Request(model="m", body=body))
    assert whole(answer(Text(text="x")), seed=seed)[0]["temperature"] == 0.3
    assert whole(answer(Text(text="x")), OPEN_CODEC, seed)[0]["temperature"] == 0.3


def test_a_request_that_cannot_be_repeated_is_not() -> None:
    body = Body(messages=(Message(role="user", parts=(Text(text="x"),)),), tools=(_foreign_tool(),))
    seed = Seed(id="s", created=1, model="m", request=Request(model="m", body=body))
    assert whole(answer(Text(text="x")), seed=seed)[0]["tools"] == []


def _foreign_tool() -> Any:
    return Tool(name="x", kind="hosted", extra=Extra(protocol="gemini", members={"a": "1"}))


def test_usage_is_told_whole_also_when_nothing_was_counted() -> None:
    rows, _ = write(
        Start(), UsageSeen(usage=Usage(input=1, cache_read=2)), UsageSeen(usage=Usage(output=4)), END
    )
    assert rows[-1]["response"]["usage"] == {
        "input_tokens": 3,
        "input_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 0},
        "output_tokens": 4,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 7,
    }
    assert whole(answer(Text(text="x")))[0]["usage"]["total_tokens"] == 0


def test_metadata_of_the_answer_is_the_responses() -> None:
    assert whole(answer(Text(text="x"), metadata={"a": "b"}))[0]["metadata"] == {"a": "b"}


def test_the_other_verbs_are_those_of_openai() -> None:
    assert CODEC.keepalive() == b": keepalive\n\n"
    status, _, data = CODEC.encode_error(InvalidRequest("bad", param="input"))
    assert (status, json.loads(data)["error"]["param"]) == (400, "input")
    assert CODEC.call_headers(None, "m", None, PLAIN) == ()
    assert isinstance(CODEC.whole_decoder(PLAIN).close()[0], Failed)
