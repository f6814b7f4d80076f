"""Streams written: order, required members, and that what was written reads back as the same answer."""

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs

from tests.wire.chat_strategies import answers
from turnout.model import (
    Amend,
    Answer,
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
    Opaque,
    PartEnd,
    PartStart,
    Refusal,
    Seal,
    Signal,
    Start,
    Text,
    Thinking,
    ToolCall,
    Unknown,
    Url,
    Usage,
    UsageSeen,
    fold,
    unfold,
)
from turnout.model.errors import Cancelled, InvalidRequest, ProviderError
from turnout.wire.chat import CODEC, DIALECTS
from turnout.wire.codec import Seed

PLAIN = DIALECTS[""]
SEED = Seed(id="seed-id", created=99, model="seed-model")
END = Finish(stop="end")


def ours(**members: str) -> Extra:
    return Extra(protocol="openai-chat", members=members)


def write(*events: Event, usage: bool = False, reasoning: str = "") -> tuple[list[Any], tuple[str, ...]]:
    """The data of all events that were written, and what was left out."""
    encoder = CODEC.stream_encoder(structs.replace(SEED, reasoning=reasoning), usage)
    data = b"".join(encoder.encode((event,)) for event in events)
    assert encoder.encode((END,)) == b"" or not any(isinstance(event, Finish | Failed) for event in events)
    rows = data.decode().split("\n\n")
    assert rows.pop() == ""
    assert all(row.startswith("data: ") for row in rows)
    return [row[6:] if row == "data: [DONE]" else json.loads(row[6:]) for row in rows], encoder.dropped


def deltas(rows: list[Any]) -> list[Any]:
    return [row["choices"][0]["delta"] for row in rows if row != "[DONE]" and row.get("choices")]


def tell(*parts: Any, **more: Any) -> list[Any]:
    return deltas(write(*unfold(Answer(parts=parts, stop="end", **more)))[0])


FIRST = {"role": "assistant", "content": "", "refusal": None}
FIRST_CALL = {"role": "assistant", "content": None, "refusal": None}


# ---- the laws ------------------------------------------------------------------------------------------------------


def told(wire: dict[str, Any]) -> Answer:
    return CODEC.decode_answer(json.dumps(wire).encode(), PLAIN)


@given(answers(), st.booleans())
def test_a_written_stream_reads_back_as_the_same_answer(wire: dict[str, Any], single: bool) -> None:
    answer = told(wire)
    sourced = [part for part in answer.parts if isinstance(part, Text) and part.citations and not part.text]
    assume(not sourced)  # sources without a text get one at another place, which moves the parts that follow
    encoder = CODEC.stream_encoder(Seed(id="", created=0, model=""), True)
    events = unfold(answer)
    data = b"".join(encoder.encode((event,)) for event in events) if single else encoder.encode(events)
    assert encoder.dropped == ()
    decoder = CODEC.stream_decoder(PLAIN)
    back = fold((*decoder.feed(data), *decoder.close()))
    assert merged(back) == merged(answer)


def merged(answer: Answer) -> dict[str, Any]:
    """An answer but for what a stream cannot keep: the place of a proof without words."""
    parts = sorted(repr(part) for part in answer.parts)
    members = {} if answer.extra is None else answer.extra.members
    return {
        "parts": parts,
        "stop": answer.stop,
        "usage": answer.usage,
        "extra": members,
        "metadata": answer.metadata,
    }


@given(answers(), st.data())
def test_batches_make_no_difference(wire: dict[str, Any], data: st.DataObject) -> None:
    events = unfold(told(wire))
    cut = data.draw(st.integers(0, len(events)))
    one, two = CODEC.stream_encoder(SEED, True), CODEC.stream_encoder(SEED, True)
    assert one.encode(events[:cut]) + one.encode(events[cut:]) == two.encode(events)


@pytest.mark.states("P-119")
@given(answers(), st.booleans())
def test_every_chunk_has_what_clients_break_without(wire: dict[str, Any], usage: bool) -> None:
    rows, _ = write(*unfold(told(wire)), usage=usage)
    assert rows[-1] == "[DONE]"
    reasons = []
    for row in rows[:-1]:
        assert row["object"] == "chat.completion.chunk"
        assert {"id", "created", "model", "choices"} <= row.keys()
        assert ("usage" in row) is usage
        for choice in row["choices"]:
            assert choice["index"] == 0
            reasons.append(choice["finish_reason"])
            for index, call in enumerate(choice["delta"].get("tool_calls", ())):
                assert call["index"] >= index
                assert "function" in call
    assert reasons[-1] is not None
    assert reasons[:-1] == [None] * (len(reasons) - 1)
    assert deltas(rows)[0]["role"] == "assistant"


# ---- transcripts -----------------------------------------------------------------------------------------------------


@pytest.mark.states("P-118", "P-119")
def test_text_is_told_as_the_protocol_tells_it() -> None:
    rows, dropped = write(
        Start(id="a", created=5, model="m"),
        PartStart(index=0, part=Text(text="")),
        Delta(index=0, text="He"),
        Delta(index=0, text="y"),
        PartEnd(index=0),
        END,
    )
    top = {"id": "a", "object": "chat.completion.chunk", "created": 5, "model": "m"}

    def row(delta: Any, reason: Any = None) -> Any:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return {**top, "choices": [choice]}

    assert rows == [row(FIRST), row({"content": "He"}), row({"content": "y"}), row({}, "stop"), "[DONE]"]
    assert dropped == ()


def test_unsaid_id_time_and_model_come_from_the_seed() -> None:
    for events in ((Start(), END), (END,)):
        rows, _ = write(*events)
        assert (rows[0]["id"], rows[0]["created"], rows[0]["model"]) == ("seed-id", 99, "seed-model")


@pytest.mark.states("K17")
def test_usage_is_shown_once_before_the_end_and_only_if_wanted() -> None:
    events = (Start(), UsageSeen(usage=Usage(input=3)), UsageSeen(usage=Usage(output=2)), END)
    rows, _ = write(*events, usage=True)
    assert [row.get("usage") for row in rows[:-1]] == [
        None,
        None,
        {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    ]
    assert rows[-2]["choices"] == []
    rows, _ = write(*events)
    assert all("usage" not in row for row in rows[:-1])
    rows, _ = write(Start(), END, usage=True)
    assert len(rows) == 3, "nothing known is no usage"


@pytest.mark.states("K04", "K05")
def test_calls_count_over_the_stream_and_are_named_once() -> None:
    rows, _ = write(
        Start(),
        PartStart(index=0, part=ToolCall(call_id="a", name="f", arguments="")),
        PartStart(index=1, part=ToolCall(call_id="b", name="g", arguments='{"x"')),
        Delta(index=1, text=":1}", to="arguments"),
        Delta(index=0, text="{}", to="arguments"),
        PartEnd(index=0),
        PartEnd(index=1),
        Finish(stop="tool_calls"),
    )
    assert deltas(rows) == [
        FIRST_CALL,
        {
            "tool_calls": [
                {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}
            ]
        },
        {
            "tool_calls": [
                {"index": 1, "id": "b", "type": "function", "function": {"name": "g", "arguments": ""}}
            ]
        },
        {"tool_calls": [{"index": 1, "function": {"arguments": '{"x"'}}]},
        {"tool_calls": [{"index": 1, "function": {"arguments": ":1}"}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]},
        {},
    ]
    assert rows[-2]["choices"][0]["finish_reason"] == "tool_calls"


def test_a_legacy_call_is_told_in_the_legacy_form() -> None:
    call = ToolCall(call_id="a", name="f", arguments="{}", extra=ours(**{"~function_call": "null"}))
    rows, _ = write(*unfold(Answer(parts=(call,), stop="tool_calls")))
    assert deltas(rows) == [
        FIRST_CALL,
        {"function_call": {"name": "f", "arguments": ""}},
        {"function_call": {"arguments": "{}"}},
        {},
    ]
    assert rows[-2]["choices"][0]["finish_reason"] == "function_call"


def test_a_refusal_is_told_as_one() -> None:
    assert tell(Refusal(text="no")) == [FIRST, {"refusal": "no"}, {}]


def test_sound_images_and_parts_that_nobody_names_are_told() -> None:
    sound = Media(
        kind="audio",
        id="au",
        source=Inline(media_type="audio/*", data=""),
        extra=ours(**{"audio/expires_at": "5"}),
    )
    rows, _ = write(
        Start(),
        PartStart(index=0, part=sound),
        Delta(index=0, text="AA", to="data"),
        Delta(index=0, text="hi", to="transcript"),
        Amend(index=0, extra=ours(**{"audio/expires_at": "7"})),
        PartEnd(index=0),
        END,
    )
    assert deltas(rows) == [
        FIRST_CALL,
        {"audio": {"id": "au", "expires_at": 5}},
        {"audio": {"data": "AA"}},
        {"audio": {"transcript": "hi"}},
        {"audio": {"expires_at": 7}},
        {},
    ]
    image = Media(kind="image", source=Url(url="u"), extra=ours(**{"~images": "null"}))
    opaque = Opaque(protocol="openai-chat", kind="reference", body='{"type":"reference"}')
    assert tell(image, opaque) == [
        FIRST,
        {"images": [{"index": 0, "type": "image_url", "image_url": {"url": "u"}}]},
        {"content": [{"type": "reference"}]},
        {},
    ]


def test_sources_are_numbered_annotations() -> None:
    first, second = (
        Citation(kind="url", url="u", start=1, end=2),
        Citation(kind="place", extra=ours(where="1")),
    )
    rows, dropped = write(
        *unfold(Answer(parts=(Text(text="x", citations=(first, second, Citation(kind="page"))),), stop="end"))
    )
    url = {"url": "u", "title": "", "start_index": 1, "end_index": 2}
    assert deltas(rows)[2:4] == [
        {"annotations": [{"index": 0, "type": "url_citation", "url_citation": url}]},
        {"annotations": [{"index": 1, "type": "place", "where": 1}]},
    ]
    assert dropped == ("citations",)


def test_thoughts_of_others_are_shown_only_when_wanted() -> None:
    seal = Seal(issuer="anthropic-messages", kind="signature", data="s")
    events = (
        Start(),
        PartStart(index=0, part=Thinking()),
        Delta(index=0, text="a", to="summary"),
        Delta(index=0, text="b", to="summary"),
        Delta(index=0, text="c", to="summary", at=1),
        Amend(index=0, seal=seal),
        PartEnd(index=0),
        END,
    )
    rows, dropped = write(*events)
    assert deltas(rows) == [FIRST, {}]
    assert dropped == ("reasoning", "signature")
    rows, dropped = write(*events, reasoning="reasoning_content")
    assert deltas(rows) == [
        FIRST,
        {"reasoning_content": "a"},
        {"reasoning_content": "b"},
        {"reasoning_content": "\n\nc"},
        {},
    ]
    assert dropped == ("signature",)


def test_thoughts_of_this_protocol_keep_their_spelling_and_their_proof() -> None:
    seal = Seal(issuer="openai-chat:openrouter", kind="signature", data='[{"signature":"s"}]')
    thought = Thinking(text="a", seal=seal, extra=ours(**{"~message.reasoning": "null"}))
    assert tell(thought) == [FIRST, {"reasoning": "a"}, {"reasoning_details": [{"signature": "s"}]}, {}]
    listed = Thinking(text="a", extra=ours(**{"~thinking": "null"}))
    assert tell(listed)[1] == {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "a"}]}]}


def test_what_a_part_holds_only_at_its_end_is_told_then() -> None:
    seal = Seal(issuer="openai-chat", kind="encrypted", data="[]")
    rows, _ = write(
        Start(),
        PartStart(index=0, part=Text(text="a")),
        Delta(index=0, text="b"),
        PartEnd(index=0, whole=Text(text="abc")),
        PartStart(index=1, part=ToolCall(call_id="c", name="f", arguments="")),
        PartEnd(index=1, whole=ToolCall(call_id="c", name="f", arguments='{"x":1}')),
        PartStart(index=2, part=Thinking()),
        PartEnd(index=2, whole=Thinking(summary=("x", "y"), seal=seal)),
        END,
        reasoning="reasoning",
    )
    assert [delta for delta in deltas(rows)[1:] if delta] == [
        {"content": "a"},
        {"content": "b"},
        {"content": "c"},
        {
            "tool_calls": [
                {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}
            ]
        },
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"x":1}'}}]},
        {"reasoning": "x\n\ny"},
        {"reasoning_details": []},
    ]


def test_what_is_said_of_the_whole_answer_goes_with_it() -> None:
    start = Start(extra=ours(service_tier='"flex"', citations='["u"]'))
    rows, _ = write(
        start, Finish(stop="end", metadata={"a": "b"}, extra=ours(logprobs='{"content":[]}', moderation="1"))
    )
    assert [row.get("service_tier") for row in rows[:-1]] == ["flex", "flex"]
    assert "citations" not in rows[0]
    assert (rows[1]["citations"], rows[1]["moderation"], rows[1]["metadata"]) == (["u"], 1, {"a": "b"})
    assert rows[1]["choices"][0]["logprobs"] == {"content": []}


def test_what_has_no_place_is_reported() -> None:
    extra = Extra(protocol="gemini", members={"x": "1"})
    rows, dropped = write(
        Start(extra=extra),
        Signal(kind="activity", name="search"),
        Signal(kind="state"),
        Unknown(protocol="gemini", kind="odd", body="{}"),
        PartStart(index=0, part=Text(text="", seal=Seal(issuer="gemini", kind="signature", data="s"))),
        Amend(index=0, extra=Extra(protocol="gemini", members={"y": "1"})),
        PartEnd(index=0),
        Finish(stop="end", extra=Extra(protocol="gemini", members={"z": "1"})),
    )
    assert dropped == ("x", "search", "state", "odd", "y", "signature", "z")
    assert rows[-1] == "[DONE]"


# ---- ends ------------------------------------------------------------------------------------------------------------


@pytest.mark.states("K24", "T-060")
def test_a_failure_is_one_event_and_nothing_follows_it() -> None:
    for events in ((Start(),), (Start(), PartStart(index=0, part=Text(text="a"))), ()):
        rows, _ = write(*events, Failed(error=ProviderError("gone", code="c")))
        assert rows[-1] == {"error": {"message": "gone", "type": "server_error", "param": None, "code": "c"}}
        assert "[DONE]" not in rows
        assert sum("error" in row for row in rows) == 1


def test_a_custom_call_is_streamed_as_text() -> None:
    call = ToolCall(call_id="c", name="f", kind="custom", arguments="")
    rows, _ = write(Start(), PartStart(index=0, part=call), Delta(index=0, text="go", to="arguments"), END)
    first, more = (row["choices"][0]["delta"]["tool_calls"] for row in rows[1:3])
    assert first == [{"index": 0, "id": "c", "custom": {"name": "f", "input": ""}}]
    assert more == [{"index": 0, "custom": {"input": "go"}}]


def test_a_block_of_another_protocol_is_left_out_and_reported() -> None:
    block = Opaque(protocol="gemini", kind="code", body="{}")
    rows, dropped = write(Start(), PartStart(index=0, part=block), PartEnd(index=0), END)
    assert dropped == ("code",)
    assert not any("error" in row for row in rows if isinstance(row, dict))


def test_a_cancellation_is_never_written() -> None:
    assert write(Start(), Failed(error=Cancelled("gone"))) == ([], ())


MUST = Extra(protocol="gemini", members={"m": "1"}, must=frozenset({"m"}))


@pytest.mark.parametrize(
    ("event", "param"),
    [
        (PartStart(index=0, part=Extension(name="ui", data="{}")), "extension"),
        (PartStart(index=0, part=Opaque(protocol="gemini", kind="code", body="{}", extra=MUST)), "code"),
        (PartStart(index=0, part=Media(kind="image", source=Url(url="u"))), "modalities.image"),
        (PartStart(index=0, part=Media(kind="audio", source=File(ref="f"))), "modalities.audio"),
        (Finish(stop="pause"), "finish_reason"),
        (Finish(stop="unknown", stop_raw="x"), None),
        (Start(extra=Extra(protocol="gemini", members={"m": "1"}, must=frozenset({"m"}))), "m"),
    ],
)
def test_what_cannot_be_said_ends_in_the_error_event(event: Event, param: str | None) -> None:
    rows, _ = write(Start(), event, END)
    assert rows[-1]["error"]["param"] == param
    assert "[DONE]" not in rows


def test_an_error_of_the_request_keeps_its_field() -> None:
    rows, _ = write(Failed(error=InvalidRequest("bad", param="messages[0]")))
    assert rows[0]["error"]["param"] == "messages[0]"


def test_a_reason_that_nobody_names_goes_back_to_the_same_protocol() -> None:
    rows, _ = write(Start(), Finish(stop="unknown", stop_raw="weird", extra=ours(finish_reason='"weird"')))
    assert rows[-2]["choices"][0]["finish_reason"] == "weird"
