"""What a Gemini answer says, whole and streamed, and what is written of answers of other protocols."""

import json
from typing import Any

import pytest

from turnout.model import (
    Amend,
    Answer,
    Citation,
    Delta,
    Extension,
    Extra,
    Failed,
    File,
    Finish,
    Headers,
    Info,
    Inline,
    Media,
    ModelInfo,
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
    ToolCall,
    Usage,
    UsageSeen,
    fold,
    unfold,
)
from turnout.model.errors import (
    BrokenStream,
    Cancelled,
    Conflict,
    InvalidRequest,
    NotFound,
    ProviderError,
    TurnoutError,
    Unsupported,
)
from turnout.wire.codec import Seed, codec
from turnout.wire.gemini.pieces import media_wire

CODEC = codec("gemini")
PLAIN = CODEC.dialects[""]
SEED = Seed(id="id", created=1, model="m")
OURS = "gemini"
SIGNED = Seal(issuer=OURS, kind="signature", data="c2ln")


def piece(*parts: Any, reason: Any = None, **more: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}}
    if reason is not None:
        candidate["finishReason"] = reason
    return {"candidates": [{**candidate, **more.pop("candidate", {})}], **more}


def answered(body: Any) -> Answer:
    return CODEC.decode_answer(body if isinstance(body, bytes) else json.dumps(body).encode(), PLAIN)


def streamed(*pieces: Any) -> tuple[Any, ...]:
    decoder = CODEC.stream_decoder(PLAIN)
    data = b"".join(b"data: %b\r\n\r\n" % json.dumps(each).encode() for each in pieces)
    return decoder.feed(data) + decoder.close()


def failed(events: tuple[Any, ...]) -> TurnoutError:
    assert isinstance(events[-1], Failed)
    return events[-1].error


def call(name: str = "f", **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, **more}}


# ---- reading -----------------------------------------------------------------------------------------------------


@pytest.mark.states("T-047", "T-048", "K15")
@pytest.mark.parametrize(
    ("reason", "stop", "kept"),
    [
        ("STOP", "end", False),
        (1, "end", False),
        ("stop", "end", False),
        ("MAX_TOKENS", "length", False),
        (2, "length", False),
        ("SAFETY", "content_filter", False),
        ("RECITATION", "content_filter", True),
        ("LANGUAGE", "content_filter", True),
        ("MODEL_ARMOR", "content_filter", True),
        ("OTHER", "content_filter", True),
        ("SOMETHING_NEW", "content_filter", True),
        (99, "content_filter", True),
        ("CONTINUATION", "pause", False),
    ],
)
def test_a_reason_is_what_it_means_and_goes_back_as_it_was(reason: Any, stop: str, kept: bool) -> None:
    answer = answered(piece({"text": "x"}, reason=reason))
    assert answer.stop == stop
    data, _ = CODEC.encode_answer(answer, SEED)
    word = json.loads(data)["candidates"][0]["finishReason"]
    assert word == (
        str(reason)
        if kept
        else {"end": "STOP", "length": "MAX_TOKENS", "pause": "CONTINUATION"}.get(stop, "SAFETY")
    )


@pytest.mark.parametrize(
    "reason",
    [
        "MALFORMED_FUNCTION_CALL",
        10,
        "UNEXPECTED_TOOL_CALL",
        "MISSING_THOUGHT_SIGNATURE",
        "MALFORMED_RESPONSE",
    ],
)
@pytest.mark.states("K15")
def test_an_answer_that_came_to_nothing_is_an_error(reason: Any) -> None:
    for events in (streamed(piece({"text": "x"}), piece(reason=reason)),):
        error = failed(events)
        assert isinstance(error, ProviderError)
        assert error.retryable
    with pytest.raises(ProviderError, match="ended its answer"):
        answered({"candidates": [{"finishReason": reason}]})


@pytest.mark.states("T-048")
def test_an_answer_with_calls_stopped_for_them() -> None:
    answer = answered(piece(call(args={"a": 1}), call(), reason="STOP", responseId="r"))
    assert answer.stop == "tool_calls"
    first, second = answer.parts
    assert isinstance(first, ToolCall)
    assert isinstance(second, ToolCall)
    assert (first.arguments, second.arguments) == ('{"a": 1}', "{}")
    assert first.call_id != second.call_id
    assert answered(piece(call(args={"a": 1}), reason="MAX_TOKENS")).stop == "length"


def test_calls_without_ids_in_answers_without_ids_are_told_apart_by_what_they_call() -> None:
    one, other = (answered(piece(call(args={"n": n}), reason="STOP")).parts[0] for n in (1, 2))
    assert isinstance(one, ToolCall)
    assert isinstance(other, ToolCall)
    assert one.call_id != other.call_id


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "not one of this protocol"),
        (b"3", "not one of this protocol"),
        (b"<html>", "not one of this protocol"),
        ({}, "empty"),
        ([], "holds no events"),
        ({"candidates": []}, "empty"),
        ({"candidates": [{"finishReason": "STOP"}]}, "empty"),
        ({"candidates": [{"content": {}, "finishReason": "STOP"}]}, "empty"),
        (piece({"text": "x"}), "was cut"),
        (piece({"text": 3}, reason="STOP"), "malformed"),
        (piece({"functionCall": {"name": 3}}, reason="STOP"), "malformed"),
        (piece({"functionCall": {"partialArgs": [{"jsonPath": "$.a"}]}}, reason="STOP"), "of no call"),
        (piece({"functionCall": {"name": "f", "partialArgs": 3}}, reason="STOP"), "malformed"),
        (
            piece({"functionCall": {"name": "f", "partialArgs": [{"jsonPath": "a"}]}}, reason="STOP"),
            "without a place",
        ),
        (
            piece({"functionCall": {"name": "f", "partialArgs": [{"jsonPath": "$.a!["}]}}, reason="STOP"),
            "without a place",
        ),
        (
            piece({"functionCall": {"name": "f", "partialArgs": [{"jsonPath": "$.a[3]"}]}}, reason="STOP"),
            "not there",
        ),
        (
            piece({"functionCall": {"name": "f", "partialArgs": [{"jsonPath": "$.a[3].b"}]}}, reason="STOP"),
            "not there",
        ),
    ],
)
@pytest.mark.states("T-076", "K23")
def test_what_is_no_answer_is_broken(body: Any, said: str) -> None:
    with pytest.raises(BrokenStream, match=said):
        answered(body)


@pytest.mark.parametrize("reason", ["MAX_TOKENS", "SAFETY"])
def test_an_answer_that_was_stopped_may_hold_nothing(reason: str) -> None:
    answer = answered({"candidates": [{"finishReason": reason}]})
    assert answer.parts == (Text(text=""),)


def test_an_empty_text_is_an_answer() -> None:
    assert answered(piece({"text": ""}, reason="STOP")).text == ""


def test_a_blocked_prompt_is_filtered_and_goes_back_as_it_was() -> None:
    body = {"promptFeedback": {"blockReason": "SAFETY"}, "responseId": "r", "modelVersion": "m"}
    answer = answered(body)
    assert (answer.stop, answer.parts) == ("content_filter", (Text(text=""),))
    data, dropped = CODEC.encode_answer(answer, SEED)
    assert json.loads(data) == body
    assert dropped == ()
    assert fold(streamed(body)) == answer


def test_candidates_beyond_the_first_are_only_passed_on() -> None:
    two = {"candidates": [piece({"text": "a"})["candidates"][0], {"index": 1}]}
    assert failed(streamed(two)) == Unsupported(
        "candidateCount", "an answer of several candidates is only passed on"
    )
    assert failed(streamed(piece({"text": "a"}, candidate={"index": 1})))


def test_signed_parts_keep_their_signature_and_their_place() -> None:
    """K13."""
    events = streamed(
        piece({"text": "hm", "thought": True}),
        piece({"text": "so", "thought": True}),
        piece({"text": "Hel"}),
        piece({"text": "lo"}),
        piece({"text": "", "thoughtSignature": "c2ln"}),
        piece({"text": "more"}),
        piece({**call(), "thoughtSignature": "c2ln"}, reason="STOP"),
    )
    thought, words, sealed, more, called = fold(events).parts
    assert isinstance(thought, Thinking)
    assert thought.text == "hmso"
    assert (words, sealed, more) == (Text(text="Hello"), Text(text="", seal=SIGNED), Text(text="more"))
    assert called.seal == SIGNED


def test_streamed_arguments_are_put_together() -> None:
    """K05: the recorded form, an empty call at the end."""

    def grown(path: str, **value: Any) -> dict[str, Any]:
        return {"functionCall": {"partialArgs": [{"jsonPath": path, **value}], "willContinue": True}}

    events = streamed(
        piece({**call(willContinue=True), "thoughtSignature": "c2ln"}),
        piece(grown("$.city", stringValue="Bos", willContinue=True)),
        piece(grown("$.city", stringValue="ton")),
        piece(grown("$.list[0].n", numberValue=1)),
        piece(grown("$.list[1]", stringValue="a"), grown("$.list[1]", stringValue="b")),
        piece(grown("$.list[1]", boolValue=True)),
        piece(grown("$['odd key\\'s']")),
        piece({"functionCall": {}}),
        piece({"functionCall": {}}),
        piece(call("g", id="x", partialArgs=[{"jsonPath": "$.a", "numberValue": 2.5}], willContinue=True)),
        piece(reason="STOP"),
    )
    first, second = fold(events).parts
    assert isinstance(first, ToolCall)
    assert isinstance(second, ToolCall)
    assert json.loads(first.arguments) == {"city": "Boston", "list": [{"n": 1}, True], "odd key's": None}
    assert (first.seal, second.call_id) == (SIGNED, "x")
    assert json.loads(second.arguments) == {"a": 2.5}
    assert isinstance(events[-1], Finish)


def test_a_call_that_was_still_growing_when_the_stream_was_cut_is_never_complete() -> None:
    events = streamed(
        piece(call(willContinue=True)),
        piece({"functionCall": {"partialArgs": [{"jsonPath": "$.a"}], "willContinue": True}}),
    )
    error = failed(events)
    assert isinstance(error, BrokenStream)
    assert not any(isinstance(event, PartEnd) for event in events)
    assert error.partial is not None


@pytest.mark.states("T-049", "T-050", "T-051", "T-052", "K16")
def test_usage_is_disjoint_and_goes_back() -> None:
    counts = {
        "promptTokenCount": 100,
        "cachedContentTokenCount": 40,
        "toolUsePromptTokenCount": 10,
        "candidatesTokenCount": 15,
        "thoughtsTokenCount": 804,
        "totalTokenCount": 929,
    }
    rest = {"promptTokensDetails": [{"modality": "TEXT", "tokenCount": 100}]}
    answer = answered(piece({"text": "x"}, reason="STOP", usageMetadata={**counts, **rest}))
    assert answer.usage == Usage(
        input=70, cache_read=40, output=819, reasoning=804, detail={"tool_use_prompt": 10}
    )
    data, _ = CODEC.encode_answer(answer, SEED)
    assert json.loads(data)["usageMetadata"] == {**counts, **rest}
    assert answered(piece({"text": "x"}, reason="STOP", usageMetadata=3)).usage == Usage()
    assert answered(piece({"text": "x"}, reason="STOP", usageMetadata={"trafficType": "X"})).usage == Usage()


@pytest.mark.states("T-053")
def test_usage_of_a_stream_is_the_last_word_of_each_count() -> None:
    events = streamed(
        piece({"text": "a"}, usageMetadata={"promptTokenCount": 5}),
        piece({"text": "b"}, usageMetadata={"promptTokenCount": 5}),
        piece(reason="STOP", usageMetadata={"promptTokenCount": 6, "candidatesTokenCount": 0}),
    )
    assert fold(events).usage == Usage(input=6, output=0)
    assert [event.usage.input for event in events if isinstance(event, UsageSeen)] == [5, 6]


def test_sources_are_citations_in_code_points_and_stay_as_they_came() -> None:
    """K21."""
    metadata = {
        "groundingChunks": [
            {"web": {"uri": "https://a.test", "title": "A"}},
            {"retrievedContext": {"uri": "gs://b"}},
            {"web": {"uri": ""}},
            "odd",
        ],
        "groundingSupports": [
            {"segment": {"startIndex": 3, "endIndex": 5, "text": "é"}, "groundingChunkIndices": [0, 2, "x"]},
            {"segment": {"startIndex": 4, "endIndex": 5}, "groundingChunkIndices": [0]},
            {"segment": {"endIndex": 2, "text": "other"}, "groundingChunkIndices": [0]},
            {},
        ],
    }
    citing = {"citations": [{"uri": "https://c.test", "startIndex": 0, "endIndex": 2}, {"license": "mit"}]}
    body = piece(
        {"text": "ab é"}, reason="STOP", candidate={"groundingMetadata": metadata, "citationMetadata": citing}
    )
    answer = answered(body)
    (part,) = answer.parts
    assert isinstance(part, Text)
    assert part.citations == (
        Citation(kind="url", url="https://a.test", title="A", start=3, end=4, quote="é"),
        Citation(kind="url", url="https://a.test", title="A"),
        Citation(kind="url", url="https://a.test", title="A", quote="other"),
        Citation(kind="url", url="gs://b"),
        Citation(kind="url", url="https://c.test", start=0, end=2),
    )
    data, _ = CODEC.encode_answer(answer, SEED)
    candidate = json.loads(data)["candidates"][0]
    assert candidate["groundingMetadata"] == metadata
    assert candidate["citationMetadata"] == citing


def test_sources_of_an_answer_that_ends_without_words_have_a_text_of_their_own() -> None:
    body = piece(
        call(), reason="STOP", candidate={"groundingMetadata": {"groundingChunks": [{"web": {"uri": "u"}}]}}
    )
    answer = answered(body)
    assert answer.parts[-1] == Text(text="", citations=(Citation(kind="url", url="u"),))
    thought = piece(
        {"text": "t", "thought": True},
        reason="STOP",
        candidate={"citationMetadata": {"citations": [{"uri": "u"}]}},
    )
    assert isinstance(answered(thought).parts[-1], Text)
    assert answered(piece({"text": "x"}, reason="STOP", candidate={"groundingMetadata": 3})).text == "x"


@pytest.mark.parametrize(
    ("stamp", "created"), [("2026-01-01T00:00:00Z", 1767225600), ("2026-01-01", 0), ("x", 0)]
)
def test_the_time_of_an_answer_is_read_and_goes_back(stamp: str, created: int) -> None:
    answer = answered(piece({"text": "x"}, reason="STOP", createTime=stamp))
    assert answer.created == created
    assert json.loads(CODEC.encode_answer(answer, SEED)[0])["createTime"] == stamp


def test_half_a_surrogate_pair_is_mended() -> None:
    body = b'{"candidates":[{"content":{"parts":[{"text":"a\\ud83d"}]},"finishReason":"STOP"}]}'
    assert answered(body).text == "a\ufffd"
    assert answered(b"[" + body + b"]").text == "a\ufffd"
    with pytest.raises(BrokenStream):
        answered(b"[3]")


# ---- failures in a stream ----------------------------------------------------------------------------------------


@pytest.mark.states("T-060", "K24")
def test_an_error_in_a_stream_is_the_providers() -> None:
    error = {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}
    told = failed(streamed(piece({"text": "a"}), error))
    assert isinstance(told, ProviderError)
    assert (told.kind, told.status_code, told.code) == ("overloaded", 503, "UNAVAILABLE")
    assert isinstance(failed(streamed({"error": {}})), ProviderError)
    with pytest.raises(ProviderError, match="busy"):
        answered(error)
    with pytest.raises(ProviderError, match="busy"):
        answered([error])


def test_what_is_no_piece_breaks_a_stream() -> None:
    assert isinstance(failed(streamed(3)), BrokenStream)
    decoder = CODEC.stream_decoder(PLAIN)
    events = decoder.feed(b"data: [" + b"1," * 700_000)
    assert isinstance(failed(events), BrokenStream)
    assert decoder.feed(b"x") == decoder.close() == decoder.fail(BrokenStream("x")) == ()


def test_an_event_too_large_at_the_very_end_breaks_a_stream() -> None:
    decoder = CODEC.stream_decoder(PLAIN)
    first = b"data: %b\r\n\r\n" % json.dumps(piece({"text": "a"})).encode()
    events = decoder.feed(first + b"data: " + b"1" * 1_100_000)
    events += decoder.close()
    assert isinstance(failed(events), BrokenStream)


def test_a_break_after_the_reason_is_an_end_and_before_it_a_failure() -> None:
    for kind in (CODEC.stream_decoder(PLAIN), CODEC.whole_decoder(PLAIN)):
        assert isinstance(failed(kind.fail(BrokenStream("cut"))), BrokenStream)
        assert kind.fail(BrokenStream("again")) == ()
    decoder = CODEC.stream_decoder(PLAIN)
    decoder.feed(b"data: %b\r\n\r\n" % json.dumps(piece({"text": "a"}, reason="STOP")).encode())
    assert isinstance(decoder.fail(BrokenStream("cut"))[-1], Finish)
    decoder = CODEC.stream_decoder(PLAIN)
    decoder.feed(b"data: %b\r\n\r\n" % json.dumps(piece({"text": "a"}, reason="STOP")).encode())
    assert isinstance(failed(decoder.fail(ProviderError("late", kind="timeout"))), ProviderError)
    events = streamed({"error": {"code": 500, "message": "x"}}, piece({"text": "a"}, reason="STOP"))
    assert len(events) == 1


# ---- writing -----------------------------------------------------------------------------------------------------


def write(answer: Answer) -> tuple[dict[str, Any], tuple[str, ...]]:
    data, dropped = CODEC.encode_answer(answer, SEED)
    return json.loads(data), dropped


def of(*parts: Any, stop: Any = "end", **more: Any) -> Answer:
    return Answer(parts=parts, stop=stop, **more)


def test_an_answer_of_another_protocol_is_written() -> None:
    thought = Thinking(summary=("a", "b"), seal=Seal(issuer="anthropic-messages", kind="signature", data="s"))
    wire, dropped = write(
        of(
            thought,
            Text(text="hi"),
            ToolCall(call_id="c", name="f", arguments='{"a":1}'),
            stop="tool_calls",
            metadata={"a": "b"},
        )
    )
    assert wire == {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [
                        {"text": "a\n\nb", "thought": True},
                        {"text": "hi"},
                        {"functionCall": {"name": "f", "args": {"a": 1}, "id": "c"}},
                    ],
                },
                "finishReason": "STOP",
                "index": 0,
            }
        ],
        "modelVersion": "m",
        "responseId": "id",
    }
    assert dropped == ("signature", "metadata")


def test_a_refusal_is_the_message_of_the_end() -> None:
    wire, dropped = write(of(Refusal(text="no"), stop="refusal"))
    candidate = wire["candidates"][0]
    assert (candidate["finishReason"], candidate["finishMessage"]) == ("SAFETY", "no")
    assert candidate["content"]["parts"] == [{"text": ""}]
    assert dropped == ()


@pytest.mark.parametrize(
    ("answer", "param"),
    [
        (of(Extension(name="ui", data="{}")), "extension"),
        (of(ToolCall(call_id="c", name="f", arguments="x", kind="custom")), "custom"),
        (
            of(
                Opaque(
                    protocol="openai-responses",
                    kind="k",
                    body="{}",
                    extra=Extra(protocol="openai-responses", members={}, must=frozenset({"k"})),
                )
            ),
            "k",
        ),
    ],
)
def test_what_has_no_place_is_refused_by_name(answer: Answer, param: str) -> None:
    with pytest.raises(Unsupported) as caught:
        write(answer)
    assert caught.value.param == param


def test_blocks_of_other_protocols_are_dropped_and_reported() -> None:
    wire, dropped = write(
        of(Opaque(protocol="openai-responses", kind="web_search_call", body="{}"), Text(text="x"))
    )
    assert wire["candidates"][0]["content"]["parts"] == [{"text": "x"}]
    assert dropped == ("web_search_call",)


def test_a_call_that_the_limit_cut_is_still_to_come_and_any_other_is_broken() -> None:
    """K05: never replaced by an empty object."""
    cut = ToolCall(call_id="c", name="f", arguments='{"a": "b')
    wire, dropped = write(of(cut, stop="length"))
    assert wire["candidates"][0]["content"]["parts"] == [
        {"functionCall": {"name": "f", "id": "c", "willContinue": True}}
    ]
    assert dropped == ("arguments",)
    with pytest.raises(BrokenStream):
        write(of(cut, stop="tool_calls"))


def test_an_unknown_end_of_another_protocol_is_broken() -> None:
    with pytest.raises(BrokenStream):
        write(of(Text(text="x"), stop="unknown", stop_raw="odd"))


def test_sources_of_other_protocols_are_grounding() -> None:
    known = Citation(kind="url", url="https://a.test", title="A", start=1, end=2)
    again = Citation(kind="url", url="https://a.test", title="A", start=0, end=1)
    bare = Citation(kind="url", url="https://b.test")
    odd = Citation(kind="file")
    wire, dropped = write(of(Text(text="éb", citations=(known, again, bare, odd))))
    metadata = wire["candidates"][0]["groundingMetadata"]
    assert [chunk["web"]["uri"] for chunk in metadata["groundingChunks"]] == [
        "https://a.test",
        "https://b.test",
    ]
    assert metadata["groundingSupports"] == [
        {"segment": {"startIndex": 2, "endIndex": 3, "text": "b"}, "groundingChunkIndices": [0]},
        {"segment": {"startIndex": 0, "endIndex": 2, "text": "é"}, "groundingChunkIndices": [0]},
    ]
    assert dropped == ("citations",)
    wire, _ = write(of(Text(text="x", citations=(bare,))))
    assert "groundingSupports" not in wire["candidates"][0]["groundingMetadata"]
    wire, _ = write(of(Text(text="x", citations=(odd,))))
    assert "groundingMetadata" not in wire["candidates"][0]


def test_usage_whose_thoughts_come_beside_the_output_is_written_so() -> None:
    wire, _ = write(of(Text(text="x"), usage=Usage(input=9, output=2, reasoning=25)))
    assert wire["usageMetadata"] == {
        "promptTokenCount": 9,
        "candidatesTokenCount": 2,
        "thoughtsTokenCount": 25,
        "totalTokenCount": 36,
    }
    wire, _ = write(of(Text(text="x"), usage=Usage(cache_read=3)))
    assert wire["usageMetadata"] == {"cachedContentTokenCount": 3, "totalTokenCount": 3}


def test_media_of_an_answer_are_written() -> None:
    picture = Media(
        kind="image",
        source=Inline(media_type="image/png", data="QQ=="),
        name="n",
        extra=Extra(protocol=OURS, members={"videoMetadata": "{}"}),
    )
    wire, _ = write(of(picture))
    assert wire["candidates"][0]["content"]["parts"] == [
        {"inlineData": {"mimeType": "image/png", "data": "QQ==", "displayName": "n"}, "videoMetadata": {}}
    ]


# ---- writing a stream --------------------------------------------------------------------------------------------


def lines(data: bytes) -> list[dict[str, Any]]:
    assert data == b"" or data.endswith(b"\r\n\r\n")
    return [json.loads(line[6:]) for line in data.split(b"\r\n\r\n") if line]


def test_text_goes_out_as_it_comes_and_calls_when_they_are_whole() -> None:
    encoder = CODEC.stream_encoder(SEED, True)
    assert encoder.encode((Start(id="r", model="up"),)) == b""
    (first,) = lines(
        encoder.encode(
            (PartStart(index=0, part=Text(text="")), Delta(index=0, text="a"), Delta(index=0, text="b"))
        )
    )
    assert first["candidates"][0]["content"]["parts"] == [{"text": "ab"}]
    assert (first["responseId"], first["modelVersion"]) == ("r", "up")
    shell = ToolCall(call_id="c", name="f", arguments="")
    assert (
        encoder.encode(
            (PartEnd(index=0), PartStart(index=1, part=shell), Delta(index=1, text="{", to="arguments"))
        )
        == b""
    )
    (second,) = lines(encoder.encode((Delta(index=1, text="}", to="arguments"), PartEnd(index=1))))
    assert second["candidates"][0]["content"]["parts"] == [call(args={}, id="c")]
    (last,) = lines(encoder.encode((UsageSeen(usage=Usage(input=1)), Finish(stop="tool_calls"))))
    assert last["candidates"][0]["finishReason"] == "STOP"
    assert last["usageMetadata"]["promptTokenCount"] == 1
    assert encoder.encode((Finish(stop="end"),)) == b""
    assert encoder.dropped == ()


def test_what_comes_beside_text_is_not_lost() -> None:
    foreign = Seal(issuer="anthropic-messages", kind="signature", data="s")
    events = (
        Start(extra=Extra(protocol="openai-chat", members={"system_fingerprint": '"x"'})),
        PartStart(index=0, part=Thinking()),
        Delta(index=0, text="one", to="summary"),
        Delta(index=0, text="two", to="summary", at=1),
        Delta(index=0, text="!", to="summary", at=1),
        Amend(index=0, seal=foreign),
        PartEnd(index=0),
        PartStart(index=1, part=Text(text="", seal=SIGNED)),
        Amend(index=1, citation=Citation(kind="url", url="https://a.test", start=0, end=1)),
        Amend(index=1, seal=Seal(issuer=OURS, kind="signature", data="bmV3")),
        Delta(index=1, text="a"),
        PartEnd(index=1),
        PartStart(index=2, part=Text(text="")),
        Delta(index=2, text="b"),
        Amend(index=2, extra=Extra(protocol="openai-chat", members={"y": "1"})),
        PartEnd(index=2, whole=Text(text="bc", citations=(Citation(kind="url", url="https://b.test"),))),
        Signal(kind="custom", name="tick"),
        Finish(stop="end"),
    )
    encoder = CODEC.stream_encoder(SEED, True)
    (only,) = lines(encoder.encode(events))
    candidate = only["candidates"][0]
    assert candidate["content"]["parts"] == [
        {"text": "one\n\ntwo!", "thought": True},
        {"text": "a", "thoughtSignature": "bmV3"},
        {"text": "bc"},
    ]
    assert len(candidate["groundingMetadata"]["groundingChunks"]) == 2
    assert encoder.dropped == ("system_fingerprint", "signature", "y", "tick")


def test_a_part_restated_otherwise_keeps_what_was_shown() -> None:
    encoder = CODEC.stream_encoder(SEED, True)
    events = (
        Start(),
        PartStart(index=0, part=Text(text="ab")),
        PartEnd(index=0, whole=Text(text="x")),
        Finish(stop="end"),
    )
    (only,) = lines(encoder.encode(events))
    assert only["candidates"][0]["content"]["parts"] == [{"text": "ab"}]


@pytest.mark.states("K24", "T-060")
def test_a_failure_is_one_event_after_what_came_before_it() -> None:
    encoder = CODEC.stream_encoder(SEED, True)
    start = (Start(), PartStart(index=0, part=Text(text="")), Delta(index=0, text="a"))
    said, error = lines(
        encoder.encode((*start, Failed(error=ProviderError("busy", kind="overloaded", status_code=503))))
    )
    assert said["candidates"][0]["content"]["parts"] == [{"text": "a"}]
    assert error["error"]["status"] == "UNAVAILABLE"
    assert encoder.encode(start) == b""
    encoder = CODEC.stream_encoder(SEED, True)
    assert encoder.encode((Start(), Failed(error=Cancelled("gone")))) == b""


def asked(query: str) -> Seed:
    source = Source(protocol="gemini", body=b"{}", headers=Headers(()), path="", query=query)
    return Seed(id="id", created=1, model="m", request=Request(source=source))


def test_without_events_a_stream_is_one_list() -> None:
    answer = of(Text(text="hi"))
    encoder: Any = CODEC.stream_encoder(asked("alt=json"), True)
    assert encoder.content_type == b"application/json"
    data = b"".join(encoder.encode((event,)) for event in unfold(answer))
    assert len(json.loads(data)) == 2
    assert answered(data).text == "hi"
    encoder = CODEC.stream_encoder(asked(""), True)
    events = (Start(), PartStart(index=0, part=Text(text="a")), Failed(error=ProviderError("x")))
    assert [list(each) for each in json.loads(encoder.encode(events))][-1] == ["error"]
    encoder = CODEC.stream_encoder(asked("key=1&alt=sse"), True)
    assert encoder.content_type.startswith(b"text/event-stream")


def test_nothing_keeps_a_stream_alive() -> None:
    assert CODEC.keepalive() == b""
    assert CODEC.call_headers(None, "m", None, PLAIN) == ()


# ---- errors ------------------------------------------------------------------------------------------------------


@pytest.mark.states("T-072", "T-073", "T-074")
@pytest.mark.parametrize(
    ("status", "row", "kind", "kind_word", "code"),
    [
        (
            400,
            {"status": "INVALID_ARGUMENT", "message": "no"},
            "invalid_request",
            "invalid_request_error",
            "INVALID_ARGUMENT",
        ),
        (
            400,
            {
                "status": "INVALID_ARGUMENT",
                "message": "The input token count exceeds the maximum number of tokens",
            },
            "context_too_long",
            "invalid_request_error",
            "context_length_exceeded",
        ),
        (
            400,
            {
                "status": "INVALID_ARGUMENT",
                "message": "bad key AIza",
                "details": [3, {"reason": "API_KEY_INVALID"}],
            },
            "auth",
            "authentication_error",
            "API_KEY_INVALID",
        ),
        (
            401,
            {"status": "UNAUTHENTICATED", "message": "key AIza"},
            "auth",
            "authentication_error",
            "UNAUTHENTICATED",
        ),
        (
            403,
            {
                "status": "PERMISSION_DENIED",
                "message": "key AIza",
                "details": [{"reason": "API_KEY_INVALID"}],
            },
            "auth",
            "permission_error",
            "PERMISSION_DENIED",
        ),
        (404, {"status": "NOT_FOUND", "message": "no"}, "invalid_request", "not_found_error", "NOT_FOUND"),
        (
            429,
            {"status": "RESOURCE_EXHAUSTED", "message": "slow"},
            "rate_limit",
            "rate_limit_error",
            "RESOURCE_EXHAUSTED",
        ),
        (500, {"status": "INTERNAL", "message": "oops"}, "provider", "server_error", "INTERNAL"),
        (503, {"status": "UNAVAILABLE", "message": "busy"}, "overloaded", "overloaded_error", "UNAVAILABLE"),
        (
            504,
            {"status": "DEADLINE_EXCEEDED", "message": "late"},
            "timeout",
            "timeout_error",
            "DEADLINE_EXCEEDED",
        ),
        (418, {"message": "odd", "code": 418}, "invalid_request", None, "418"),
    ],
)
def test_googles_errors_have_the_words_of_all(
    status: int, row: dict[str, Any], kind: str, kind_word: str | None, code: str
) -> None:
    error = CODEC.decode_error(status, Headers(()), json.dumps({"error": row}).encode())
    assert (error.kind, error.code, error.status_code) == (kind, code, status)
    if kind_word is not None:
        assert error.type == kind_word
    assert "AIza" not in error.message
    assert (error.__cause__ is not None) == (kind == "auth")
    listed = CODEC.decode_error(status, Headers(()), json.dumps([{"error": row}]).encode())
    assert listed == error


@pytest.mark.parametrize("data", [b"", b"<html>", b"[]", b'"x"', b'{"error":"text"}', b"[" * 100_000])
def test_any_body_of_an_error_is_one(data: bytes) -> None:
    assert CODEC.decode_error(500, Headers(()), data).status_code == 500


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (InvalidRequest("m", param="contents"), "INVALID_ARGUMENT"),
        (NotFound("m"), "NOT_FOUND"),
        (Conflict("m"), "ABORTED"),
        (ProviderError("m", kind="overloaded", status_code=529), "UNAVAILABLE"),
        (ProviderError("m", kind="timeout"), "DEADLINE_EXCEEDED"),
        (TurnoutError("m", status=418), "INVALID_ARGUMENT"),
        (TurnoutError("m", status=599), "INTERNAL"),
    ],
)
def test_errors_are_written_in_googles_shape(error: TurnoutError, word: str) -> None:
    status, _, data = CODEC.encode_error(error)
    row = json.loads(data)["error"]
    assert (row["code"], row["status"], row["message"]) == (status, word, "m")
    assert CODEC.error_event(error) == b"data: " + data + b"\r\n\r\n"


@pytest.mark.states("K37")
def test_an_error_says_when_to_come_back_and_what_was_wrong() -> None:
    late = ProviderError("m", kind="rate_limit", status_code=429, retry_after=2.5, code="c", param="p")
    late.may_have_acted = True
    _, headers, data = CODEC.encode_error(late)
    assert headers.get("retry-after") == "3"
    assert headers.get("x-should-retry") == "false"
    details = {row["@type"].rpartition(".")[2]: row for row in json.loads(data)["error"]["details"]}
    assert details["RetryInfo"]["retryDelay"] == "2.5s"
    assert details["BadRequest"]["fieldViolations"][0]["field"] == "p"
    assert details["ErrorInfo"]["reason"] == "c"
    again = CODEC.decode_error(429, Headers(()), data)
    assert again.retry_after == 2.5


# ---- models and counts -------------------------------------------------------------------------------------------


def test_models_are_listed_in_pages() -> None:
    models = {name: Info(description=f"d{name}") for name in ("a", "b/c", "d")}
    page = json.loads(CODEC.encode_models(models, "pageSize=2"))
    assert [row["name"] for row in page["models"]] == ["models/a", "models/b/c"]
    page = json.loads(CODEC.encode_models(models, f"page_size=2&pageToken={page['nextPageToken']}&x=1"))
    assert [row["description"] for row in page["models"]] == ["dd"]
    assert "nextPageToken" not in page
    assert json.loads(CODEC.encode_model("a", Info()))["displayName"] == "a"
    for query, param in (("pageSize=x", "pageSize"), ("pageToken=-1", "pageToken")):
        with pytest.raises(InvalidRequest) as caught:
            CODEC.encode_models(models, query)
        assert caught.value.param == param


@pytest.mark.states("T-064")
def test_a_providers_list_says_sizes_and_thinking() -> None:
    rows = [
        {
            "name": "models/a",
            "inputTokenLimit": 9,
            "outputTokenLimit": 3,
            "thinking": True,
            "supportedGenerationMethods": ["generateContent"],
        },
        {"name": "models/e", "supportedGenerationMethods": ["embedContent"]},
        {"name": "publishers/google/models/b", "inputTokenLimit": "x"},
        {"name": 3},
        "odd",
    ]
    models, more = CODEC.decode_models(json.dumps({"models": rows, "nextPageToken": "a b"}).encode())
    assert models == (
        ModelInfo(id="a", context_window=9, max_tokens=3, supports_thinking=True, owned_by="google"),
        ModelInfo(id="b", owned_by="google"),
    )
    assert more == "pageToken=a%20b"
    assert CODEC.decode_models(b"{}") == ((), "")
    for data in (b"", b"3", b'{"models": 3}', b'{"x": 1}'):
        with pytest.raises(ProviderError):
            CODEC.decode_models(data)


def test_counts_are_read_and_written() -> None:
    assert CODEC.decode_count(CODEC.encode_count(7)) == 7
    assert CODEC.decode_count(b"{}") == 0
    for data in (b"", b"3", b'{"totalTokens": "x"}', b'{"totalTokens": true}'):
        with pytest.raises(BrokenStream):
            CODEC.decode_count(data)


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (["$!.a"], "without a place"),
        (["$.a", "$.a.b"], "not there"),
        (["$.a", "$.a.b.c"], "not there"),
    ],
)
def test_a_piece_of_arguments_in_no_place_breaks_an_answer(paths: list[str], said: str) -> None:
    pieces = [{"jsonPath": path, "boolValue": True} for path in paths]
    with pytest.raises(BrokenStream, match=said):
        answered(piece(call(partialArgs=pieces), reason="STOP"))


def test_a_text_in_a_list_is_continued_as_one() -> None:
    pieces = [
        {"jsonPath": "$.a[0]", "stringValue": "x", "willContinue": True},
        {"jsonPath": "$.a[0]", "stringValue": "y"},
    ]
    (part,) = answered(piece(call(partialArgs=pieces), reason="STOP")).parts
    assert isinstance(part, ToolCall)
    assert json.loads(part.arguments) == {"a": ["xy"]}


def test_a_call_that_says_it_is_complete_is_whole() -> None:
    (part,) = answered(piece(call(args={"a": 1}, willContinue=False), reason="STOP")).parts
    assert isinstance(part, ToolCall)
    assert part.arguments == '{"a": 1}'


def test_metadata_that_cannot_be_read_say_nothing() -> None:
    for name in ("usageMetadata", "groundingMetadata"):
        body = piece(
            {"text": "x"},
            reason="STOP",
            usageMetadata={"x": "@"},
            candidate={"groundingMetadata": {"x": "@"}},
        )
        data = json.dumps(body).replace('"@"', '"\\ud83d"').encode()
        assert answered(data).usage == Usage(), name


def test_a_blocked_prompt_with_ratings_keeps_them() -> None:
    body = {
        "promptFeedback": {"blockReason": "SAFETY"},
        "candidates": [{"safetyRatings": []}],
        "responseId": "r",
    }
    answer = answered(body)
    data, _ = CODEC.encode_answer(answer, SEED)
    assert answered(data) == Answer(
        id="r", model="m", parts=answer.parts, stop="content_filter", extra=answer.extra
    )


def test_nothing_is_read_behind_a_failure() -> None:
    error = {"error": {"code": 500, "message": "x"}}
    decoder = CODEC.whole_decoder(PLAIN)
    decoder.feed(json.dumps([error, piece({"text": "a"}, reason="STOP")]).encode())
    assert len(decoder.close()) == 1


def test_signed_thoughts_are_written_whole() -> None:
    thought = Thinking(text="t", seal=SIGNED)
    wire, dropped = write(of(thought, Text(text="x")))
    assert wire["candidates"][0]["content"]["parts"][0] == {
        "text": "t",
        "thought": True,
        "thoughtSignature": "c2ln",
    }
    assert dropped == ()


def test_a_file_of_another_provider_is_refused_by_name() -> None:
    with pytest.raises(Unsupported) as caught:
        media_wire(Media(kind="image", source=File(ref="file-1", owner="anthropic-messages")))
    assert caught.value.param == "file"
