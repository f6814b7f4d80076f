"""Whole answers: normal forms of what providers send, and that reading and writing are one law."""

import json
from typing import Any

import pytest
from hypothesis import given
from msgspec import structs

from tests.wire.chat_strategies import answers
from turnout.model import (
    Answer,
    Citation,
    Extension,
    Extra,
    Failed,
    File,
    Finish,
    Inline,
    Media,
    Opaque,
    Refusal,
    Seal,
    Stop,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Url,
    Usage,
    fold,
    unfold,
)
from turnout.model.errors import BrokenStream, Cancelled, ProviderError, Unsupported
from turnout.wire.chat import CODEC, DIALECTS
from turnout.wire.chat.answer import layered
from turnout.wire.chat.usual import read_usual
from turnout.wire.codec import Seed

PLAIN = DIALECTS[""]
SEED = Seed(id="seed-id", created=99, model="seed-model")


def ours(**members: str) -> Extra:
    return Extra(protocol="openai-chat", members=members)


def read(
    message: dict[str, Any], finish: object = "stop", dialect: str = "", choice: Any = None, **top: Any
) -> Answer:
    row = {"index": 0, "message": message, "finish_reason": finish, **(choice or {})}
    data = json.dumps({"id": "a1", "model": "m", "created": 7, "choices": [row], **top}).encode()
    return CODEC.decode_answer(data, DIALECTS[dialect])


def write(answer: Answer, reasoning: str = "") -> tuple[dict[str, Any], tuple[str, ...]]:
    data, dropped = CODEC.encode_answer(answer, structs.replace(SEED, reasoning=reasoning))
    return json.loads(data), dropped


def answer(*parts: Any, stop: Stop = "end", **more: Any) -> Answer:
    return Answer(parts=parts, stop=stop, **more)


# ---- the laws ------------------------------------------------------------------------------------------------------


@given(answers())
def test_reading_what_was_written_gives_the_same_answer(wire: dict[str, Any]) -> None:
    first = CODEC.decode_answer(json.dumps(wire).encode(), PLAIN)
    data, dropped = CODEC.encode_answer(first, Seed(id="", created=0, model=""))
    assert dropped == ()
    assert CODEC.decode_answer(data, PLAIN) == first


@given(answers())
def test_what_the_short_way_reads_the_layers_read_too(wire: dict[str, Any]) -> None:
    for data in (json.dumps(wire).encode(), json.dumps(wire, ensure_ascii=False).encode()):
        short = read_usual(data)
        if short is not None:
            assert all(short == layered(data, dialect) for dialect in DIALECTS.values())


_CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
_COUNTS = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}


@pytest.mark.parametrize(
    ("message", "choice", "top"),
    [
        (
            {"content": "hi", "refusal": None, "annotations": []},
            {"logprobs": None},
            {"object": "chat.completion"},
        ),
        (
            {"content": ""},
            {"finish_reason": "length"},
            {"service_tier": "default", "system_fingerprint": None},
        ),
        (
            {"content": None, "tool_calls": [_CALL, _CALL]},
            {"finish_reason": "tool_calls"},
            {"usage": _COUNTS},
        ),
        ({"content": "hi", "tool_calls": [_CALL]}, {}, {"usage": None, "x_new": {"id": 1}}),
        (
            {"content": "hi", "x_new": 1},
            {},
            {"usage": {**_COUNTS, "prompt_tokens_details": {"cached_tokens": 7}}},
        ),
        (
            {"content": "h\u00e9"},
            {},
            {
                "usage": {
                    **_COUNTS,
                    "prompt_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 2, "audio_tokens": 0},
                    "completion_tokens_details": {
                        "reasoning_tokens": 2,
                        "audio_tokens": 1,
                        "accepted_prediction_tokens": 1,
                        "rejected_prediction_tokens": 0,
                    },
                }
            },
        ),
        ({"content": "hi"}, {}, {"usage": {**_COUNTS, "prompt_tokens_details": {"cached_tokens": 70}}}),
    ],
)
def test_the_short_way_reads_what_most_answers_are(
    message: dict[str, Any], choice: dict[str, Any], top: dict[str, Any]
) -> None:
    row = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop", **choice}
    data = json.dumps({"id": "a1", "model": "m", "created": 7, "choices": [row], **top}).encode()
    short = read_usual(data)
    assert short is not None
    assert short == layered(data, PLAIN)


@pytest.mark.parametrize(
    ("message", "choice", "top"),
    [
        ({"reasoning_content": "hm"}, {}, {}),
        ({"content": [{"type": "text", "text": "hi"}]}, {}, {}),
        ({"refusal": "no"}, {}, {}),
        ({"annotations": [{"type": "url_citation", "url_citation": {"url": "u"}}]}, {}, {}),
        ({"tool_calls": [{**_CALL, "extra_content": {}}]}, {}, {}),
        ({"tool_calls": [{**_CALL, "id": ""}]}, {}, {}),
        ({"tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {}}}]}, {}, {}),
        ({"function_call": {"name": "f", "arguments": ""}}, {}, {}),
        ({}, {"finish_reason": "eos"}, {}),
        ({}, {"logprobs": {"content": []}}, {}),
        ({}, {}, {"usage": {**_COUNTS, "total_tokens": 20}}),
        ({}, {}, {"usage": {**_COUNTS, "cached_tokens": 3}}),
        ({}, {}, {"usage": {"total_tokens": 20}}),
        ({}, {}, {"metadata": {"a": "b"}}),
        ({}, {}, {"citations": ["u"]}),
        ({}, {}, {"error": {"message": "no"}}),
        ({}, {}, {"x_groq": {"usage": _COUNTS}}),
        ({}, {}, {"choices": []}),
    ],
)
def test_what_only_the_layers_know_is_left_to_them(
    message: dict[str, Any], choice: dict[str, Any], top: dict[str, Any]
) -> None:
    row = {"message": {"content": "hi", **message}, "finish_reason": "stop", **choice}
    assert read_usual(json.dumps({"id": "a1", "choices": [row], **top}).encode()) is None


@given(answers())
def test_a_whole_decoder_tells_the_answer_at_the_end(wire: dict[str, Any]) -> None:
    data = json.dumps(wire).encode()
    decoder = CODEC.whole_decoder(PLAIN)
    assert decoder.feed(data[:9]) == decoder.feed(data[9:]) == ()
    assert decoder.close() == unfold(CODEC.decode_answer(data, PLAIN))
    assert decoder.close() == decoder.fail(Cancelled("late")) == ()


def test_a_whole_decoder_never_raises() -> None:
    decoder = CODEC.whole_decoder(PLAIN)
    (event,) = decoder.close()
    assert isinstance(event, Failed)
    decoder = CODEC.whole_decoder(PLAIN)
    assert decoder.fail(Cancelled("gone")) == (Failed(error=Cancelled("gone")),)
    assert decoder.close() == ()


# ---- what is no answer -----------------------------------------------------------------------------------------------


@pytest.mark.states("T-076", "K23")
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"  \n",
        b"<html>Bad gateway</html>",
        b"[]",
        b"5",
        b'{"choices": 5}',
        b'{"id": "x"}',
        b'{"choices": []}',
        b'{"choices": null, "usage": {}}',
        b'{"choices": [{"message": {"content": "cut',
        b'{"choices": [{"message": {"tool_calls": [{"id": "c"}]}}]}',
        b'{"choices": [{"message": {"content": "\xff"}}]}',
    ],
)
def test_bytes_that_are_no_answer_are_a_broken_one(data: bytes) -> None:
    with pytest.raises(BrokenStream) as broken:
        CODEC.decode_answer(data, PLAIN)
    assert (broken.value.kind, broken.value.status) == ("provider", 502)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "no", "code": 500}}, "no"),
        ({"error": "no"}, "no"),
        ({"error": {"message": "no"}, "choices": []}, "no"),
        ({"detail": "no"}, "no"),
        ({"object": "error", "message": "no"}, "no"),
        ({"message": "no", "choices": 5, "error": "no"}, "no"),
    ],
)
def test_an_error_in_a_successful_answer_is_that_error(body: object, message: str) -> None:
    with pytest.raises(ProviderError, match=message) as failed:
        CODEC.decode_answer(json.dumps(body).encode(), PLAIN)
    assert not isinstance(failed.value, BrokenStream)
    assert failed.value.status >= 500


def test_several_choices_are_only_passed_on() -> None:
    choice = {"index": 0, "message": {"content": "a"}, "finish_reason": "stop"}
    with pytest.raises(Unsupported) as refused:
        CODEC.decode_answer(json.dumps({"choices": [choice, choice]}).encode(), PLAIN)
    assert refused.value.param == "n"


# ---- normal forms ----------------------------------------------------------------------------------------------------


@pytest.mark.states("T-044", "T-045")
def test_text_usage_model_and_time_are_read() -> None:
    got = read({"role": "assistant", "content": "hi"}, usage={"prompt_tokens": 3, "completion_tokens": 2})
    assert got == Answer(
        id="a1", model="m", created=7, parts=(Text(text="hi"),), stop="end", usage=Usage(input=3, output=2)
    )


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ({}, (Text(text=""),)),
        ({"content": None}, (Text(text=""),)),
        ({"content": ""}, (Text(text=""),)),
        ({"content": None, "refusal": "no"}, (Refusal(text="no"),)),
        (
            {"content": "a", "reasoning_content": "r"},
            (Thinking(text="r", extra=ours(**{"~message.reasoning_content": "null"})), Text(text="a")),
        ),
        (
            {"content": "a", "reasoning": "r"},
            (Thinking(text="r", extra=ours(**{"~message.reasoning": "null"})), Text(text="a")),
        ),
        (
            {"content": "a", "thinking": "r"},
            (Thinking(text="r", extra=ours(**{"~message.thinking": "null"})), Text(text="a")),
        ),
        ({"content": "a", "reasoning": {"odd": 1}, "reasoning_details": "odd"}, (Text(text="a"),)),
        (
            {"content": "a", "reasoning_details": [{"type": "reasoning.text", "text": "r"}, 5]},
            (Thinking(text="r", extra=ours(**{"~message.reasoning": "null"})), Text(text="a")),
        ),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "r"}, {"type": "x"}]},
                    {"type": "thinking", "thinking": "s"},
                    {"type": "text", "text": "a"},
                    {"type": "text", "text": "b"},
                    {"type": "reference", "ids": [1]},
                    {"type": "thinking", "thinking": 5},
                    "odd",
                ]
            },
            (
                Thinking(text="rs", extra=ours(**{"~thinking": "null"})),
                Text(text="ab"),
                Opaque(protocol="openai-chat", kind="reference", body='{"type":"reference","ids":[1]}'),
                Opaque(protocol="openai-chat", kind="thinking", body='{"type":"thinking","thinking":5}'),
                Opaque(protocol="openai-chat", kind="content", body='"odd"'),
            ),
        ),
        (
            {"content": "a", "audio": {"id": "au", "data": "AA", "transcript": "hi", "expires_at": 5}},
            (
                Text(text="a"),
                Media(
                    kind="audio",
                    id="au",
                    source=Inline(media_type="audio/*", data="AA"),
                    transcript="hi",
                    extra=ours(**{"audio/expires_at": "5"}),
                ),
            ),
        ),
        (
            {
                "content": "a",
                "images": [{"image_url": {"url": "https://example.test/i"}}, 5, {"image_url": 5}],
            },
            (
                Text(text="a"),
                Media(
                    kind="image", source=Url(url="https://example.test/i"), extra=ours(**{"~images": "null"})
                ),
            ),
        ),
        (
            {"function_call": {"name": "f", "arguments": ""}},
            (
                ToolCall(
                    call_id="call_0f2a3a6d8f1d",
                    name="f",
                    arguments="{}",
                    extra=ours(**{"~function_call": "null"}),
                ),
            ),
        ),
    ],
)
def test_every_spelling_of_a_message_has_one_form(message: dict[str, Any], parts: tuple[Any, ...]) -> None:
    got = read(message).parts
    if isinstance(parts[0], ToolCall):
        assert isinstance(got[0], ToolCall)
        assert got[0].call_id.startswith("call_")
        parts = (ToolCall(call_id=got[0].call_id, name="f", arguments="{}", extra=parts[0].extra),)
    assert got == parts


@pytest.mark.states("K05", "T-058")
def test_calls_without_id_type_or_arguments_are_whole() -> None:
    calls = [
        {"function": {"name": "f", "arguments": None}},
        {"id": "", "function": {"name": "f", "arguments": {"a": 1}}},
        {"id": "c", "type": "function", "function": {"name": "g", "arguments": '{"a": 1.50}'}},
        {"id": "d", "type": "custom", "custom": {"name": "h", "input": "go"}},
        {
            "id": "e",
            "function": {"name": "i", "arguments": "{}"},
            "extra_content": {"google": {"thought_signature": "s"}},
        },
    ]
    parts = read({"content": "", "tool_calls": calls}, "tool_calls").parts
    got = [part for part in parts if isinstance(part, ToolCall)]
    assert [(call.name, call.arguments, call.kind) for call in got] == [
        ("f", "{}", "function"),
        ("f", '{"a":1}', "function"),
        ("g", '{"a": 1.50}', "function"),
        ("h", "go", "custom"),
        ("i", "{}", "function"),
    ]
    assert len({call.call_id for call in got}) == 5
    assert got[4].extra == ours(extra_content='{"google": {"thought_signature": "s"}}')
    assert read({"tool_calls": calls}).parts[0] == got[0], "a derived id is always the same"


@pytest.mark.states("T-046", "T-047", "K15")
@pytest.mark.parametrize(
    ("word", "called", "refused", "stop", "written"),
    [
        ("stop", False, False, "end", "stop"),
        ("length", False, False, "length", "length"),
        ("tool_calls", True, False, "tool_calls", "tool_calls"),
        ("content_filter", False, False, "content_filter", "content_filter"),
        ("stop", True, False, "tool_calls", "tool_calls"),
        ("length", True, False, "length", "length"),
        ("content_filter", True, False, "content_filter", "content_filter"),
        ("stop", False, True, "refusal", "content_filter"),
        ("content_filter", False, True, "refusal", "content_filter"),
        ("length", False, True, "length", "length"),
        (None, False, False, "end", "stop"),
        ("", True, False, "tool_calls", "tool_calls"),
        ("eos", False, False, "end", "stop"),
        ("STOP", False, False, "end", "stop"),
        ("MAX_TOKENS", False, False, "length", "length"),
        ("model_length", False, False, "length", "length"),
        ("function_call", True, False, "tool_calls", "tool_calls"),
        ("because", False, False, "unknown", "because"),
        ("because", True, False, "unknown", "because"),
        (17, False, False, "unknown", "17"),
    ],
)
def test_the_finish_reason_is_total(
    word: object, called: bool, refused: bool, stop: Stop, written: str
) -> None:
    message: dict[str, Any] = {"content": None if refused else "x"}
    if refused:
        message["refusal"] = "no"
    if called:
        message["tool_calls"] = [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]
    got = read(message, word)
    assert got.stop == stop
    assert got.stop_raw == (written if stop == "unknown" else None)
    assert write(got)[0]["choices"][0]["finish_reason"] == written


@pytest.mark.parametrize(
    ("word", "kind"), [("error", "provider"), ("insufficient_system_resource", "overloaded")]
)
def test_a_failure_told_as_a_finish_reason_is_a_failure(word: str, kind: str) -> None:
    with pytest.raises(ProviderError) as failed:
        read({"content": "half"}, word)
    assert (failed.value.kind, failed.value.retryable) == (kind, True)


@pytest.mark.states("T-049", "T-050", "T-051", "T-052", "K16")
@pytest.mark.parametrize(
    ("dialect", "wire", "usage"),
    [
        ("", None, Usage()),
        ("", {}, Usage()),
        ("", {"prompt_tokens": None, "completion_tokens": None}, Usage()),
        ("", {"prompt_tokens": 5}, Usage(input=5, output=0)),
        ("", {"prompt_tokens": 5.0, "completion_tokens": True}, Usage(input=5, output=0)),
        (
            "",
            {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "prompt_tokens_details": {
                    "cached_tokens": 60,
                    "cache_write_tokens": 30,
                    "audio_tokens": 1,
                    "x": 1,
                },
                "completion_tokens_details": {
                    "reasoning_tokens": 7,
                    "rejected_prediction_tokens": 2,
                    "audio_tokens": None,
                },
            },
            Usage(
                input=10,
                cache_read=60,
                cache_write=30,
                output=20,
                reasoning=7,
                detail={"input_audio": 1, "rejected_prediction": 2},
            ),
        ),
        (
            "",
            {"prompt_tokens": 5, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 9}},
            Usage(input=0, cache_read=9, output=1),
        ),
        (
            "",
            {"prompt_tokens": 5, "completion_tokens": 1, "prompt_cache_hit_tokens": 4},
            Usage(input=1, cache_read=4, output=1),
        ),
        (
            "",
            {"prompt_tokens": 5, "completion_tokens": 1, "cached_tokens": 0},
            Usage(input=5, cache_read=0, output=1),
        ),
        (
            "xai",
            {
                "prompt_tokens": 5,
                "completion_tokens": 1,
                "total_tokens": 26,
                "completion_tokens_details": {"reasoning_tokens": 20},
            },
            Usage(input=5, output=21, reasoning=20),
        ),
        (
            "mistral",
            {
                "prompt_tokens": 5,
                "completion_tokens": 1,
                "total_tokens": 16,
                "prompt_tokens_details": {"audio_tokens": 10},
            },
            Usage(input=5, output=1, detail={"input_audio": 10}),
        ),
        (
            "gemini",
            {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 26},
            Usage(input=5, output=21),
        ),
        ("", {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 26}, Usage(input=5, output=1)),
    ],
)
def test_usage_is_disjoint_whoever_counts(dialect: str, wire: Any, usage: Usage) -> None:
    assert read({"content": "x"}, dialect=dialect, usage=wire).usage == usage


def test_usage_that_nobody_asked_for_is_read_from_where_groq_puts_it() -> None:
    got = read({"content": "x"}, x_groq={"id": "r", "usage": {"prompt_tokens": 3, "completion_tokens": 1}})
    assert got.usage == Usage(input=3, output=1)
    assert read({"content": "x"}, x_groq={"id": "r"}).usage == Usage()


def test_annotations_are_citations_of_the_text() -> None:
    rows = [
        {
            "type": "url_citation",
            "url_citation": {"url": "u", "title": "t", "start_index": 0, "end_index": 5},
        },
        {"type": "url_citation", "url_citation": {"url": "u", "title": "", "content": "q"}},
        {"type": "url_citation", "url_citation": 5, "index": 3},
        {"type": "place", "where": [1]},
        5,
    ]
    citations = (
        Citation(kind="url", url="u", title="t", start=0, end=5),
        Citation(kind="url", url="u", quote="q"),
        Citation(kind="url_citation", extra=ours(url_citation="5")),
        Citation(kind="place", extra=ours(where="[1]")),
    )
    assert read({"content": "hello", "annotations": rows}).parts == (Text(text="hello", citations=citations),)
    assert read({"reasoning": "r", "content": None, "annotations": rows}).parts[1] == Text(
        text="", citations=citations
    )
    wire, dropped = write(answer(Text(text="hello", citations=citations)))
    assert [row["type"] for row in wire["choices"][0]["message"]["annotations"]] == [
        "url_citation",
        "url_citation",
        "url_citation",
        "place",
    ]
    assert dropped == ()


def test_what_is_said_of_the_whole_answer_goes_on_to_the_same_protocol() -> None:
    logprobs = {"content": [{"token": "x", "logprob": -0.5}]}
    top: dict[str, Any] = {
        "service_tier": "flex",
        "system_fingerprint": "fp",
        "moderation": {"a": 1},
        "citations": ["u"],
    }
    got = read({"content": "x"}, choice={"logprobs": logprobs}, metadata={"a": "b", "c": 5}, **top)
    assert got.metadata == {"a": "b"}
    wire, _ = write(got)
    assert wire["choices"][0]["logprobs"] == logprobs
    assert {name: wire[name] for name in top} == top
    assert wire["metadata"] == {"a": "b"}


# ---- writing ---------------------------------------------------------------------------------------------------------


@pytest.mark.states("P-115", "P-116")
def test_what_an_answer_does_not_say_comes_from_the_seed() -> None:
    wire, dropped = write(answer(Text(text="hi")))
    assert wire == {
        "id": "seed-id",
        "object": "chat.completion",
        "created": 99,
        "model": "seed-model",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "hi", "refusal": None},
                "logprobs": None,
                "finish_reason": "stop",
            }
        ],
    }
    assert dropped == ()
    wire, _ = write(answer(Text(text="hi"), id="a", created=1, model="m", usage=Usage(input=1, output=0)))
    assert (wire["id"], wire["created"], wire["model"]) == ("a", 1, "m")
    assert wire["usage"] == {"prompt_tokens": 1, "completion_tokens": 0, "total_tokens": 1}


def test_usage_is_summed_for_this_protocol() -> None:
    usage = Usage(input=10, cache_read=512, cache_write=1000, cache_write_1h=733, output=5, reasoning=2)
    wire, _ = write(answer(Text(text="x"), usage=usage))
    assert wire["usage"] == {
        "prompt_tokens": 2255,
        "completion_tokens": 5,
        "total_tokens": 2260,
        "prompt_tokens_details": {"cached_tokens": 512, "cache_write_tokens": 1733},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    wire, _ = write(answer(Text(text="x"), usage=Usage(cache_write_1h=3, detail={"output_audio": 1})))
    assert wire["usage"]["prompt_tokens_details"] == {"cache_write_tokens": 3}
    assert wire["usage"]["completion_tokens_details"] == {"audio_tokens": 1}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((Text(text="a"), Text(text="b")), {"content": "ab", "refusal": None}),
        ((Text(text=""),), {"content": "", "refusal": None}),
        ((Refusal(text="no"), Refusal(text="!")), {"content": None, "refusal": "no!"}),
        (
            (Text(text="a"), ToolCall(call_id="c", name="f", arguments='{"a":1}')),
            {
                "content": "a",
                "refusal": None,
                "tool_calls": [
                    {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}
                ],
            },
        ),
        (
            (ToolCall(call_id="c", name="f", kind="custom", arguments="go"),),
            {
                "content": None,
                "refusal": None,
                "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "f", "input": "go"}}],
            },
        ),
        (
            (ToolCall(call_id="c", name="f", extra=ours(**{"~function_call": "null"})),),
            {"content": None, "refusal": None, "function_call": {"name": "f", "arguments": "{}"}},
        ),
        (
            (Media(kind="audio", source=Inline(media_type="audio/wav", data="AA")),),
            {
                "content": None,
                "refusal": None,
                "audio": {"id": "audio_seed-id", "data": "AA", "transcript": "", "expires_at": 0},
            },
        ),
        (
            (Media(kind="image", source=Url(url="u"), extra=ours(**{"~images": "null"})),),
            {"content": None, "refusal": None, "images": [{"type": "image_url", "image_url": {"url": "u"}}]},
        ),
        (
            (
                Thinking(text="r", extra=ours(**{"~thinking": "null"})),
                Text(text="a"),
                Opaque(protocol="openai-chat", kind="reference", body='{"type":"reference"}'),
            ),
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "r"}]},
                    {"type": "text", "text": "a"},
                    {"type": "reference"},
                ],
                "refusal": None,
            },
        ),
    ],
)
def test_parts_have_their_places_in_the_message(parts: tuple[Any, ...], message: dict[str, Any]) -> None:
    wire, dropped = write(answer(*parts))
    assert wire["choices"][0]["message"] == {"role": "assistant", **message}
    assert dropped == ()


def test_a_legacy_call_ends_with_the_legacy_reason() -> None:
    call = ToolCall(call_id="c", name="f", extra=ours(**{"~function_call": "null"}))
    assert write(answer(call, stop="tool_calls"))[0]["choices"][0]["finish_reason"] == "function_call"


def test_thoughts_of_others_are_shown_only_when_wanted() -> None:
    seal = Seal(issuer="anthropic-messages", kind="signature", data="s")
    thoughts = answer(Thinking(summary=("a", "b"), seal=seal), Text(text="x"))
    wire, dropped = write(thoughts)
    assert "reasoning_content" not in wire["choices"][0]["message"]
    assert dropped == ("reasoning", "signature")
    marked = answer(Thinking(text="a", extra=ours(x="1")), Text(text="x"))
    assert write(marked)[1] == ("reasoning",)
    wire, dropped = write(thoughts, reasoning="reasoning_content")
    assert wire["choices"][0]["message"]["reasoning_content"] == "a\n\nb"
    assert dropped == ("signature",)


def test_citations_that_this_protocol_cannot_say_are_reported_and_spans_follow_the_text() -> None:
    odd = Citation(kind="page", extra=Extra(protocol="gemini", members={"a": "1"}))
    second = Text(
        text="cd", citations=(Citation(kind="url", url="u", start=0, end=2), odd, Citation(kind="page"))
    )
    wire, dropped = write(answer(Text(text="ab"), second))
    (row,) = wire["choices"][0]["message"]["annotations"]
    assert (row["url_citation"]["start_index"], row["url_citation"]["end_index"]) == (2, 4)
    assert dropped == ("citations",)


MUST = Extra(protocol="gemini", members={"m": "1"}, must=frozenset({"m"}))


@pytest.mark.parametrize(
    ("parts", "param"),
    [
        ((Extension(name="ui", data="{}"),), "extension"),
        ((Opaque(protocol="gemini", kind="executableCode", body="{}", extra=MUST),), "executableCode"),
        ((ToolResult(call_id="c"),), "tool_result"),
        ((Media(kind="image", source=Url(url="u")),), "modalities.image"),
        ((Media(kind="audio", source=File(ref="f")),), "modalities.audio"),
        ((Text(text="x", extra=Extra(protocol="gemini", members={"m": "1"}, must=frozenset({"m"}))),), "m"),
    ],
)
def test_parts_without_a_place_are_refused_by_name(parts: tuple[Any, ...], param: str) -> None:
    with pytest.raises(Unsupported) as refused:
        write(answer(*parts))
    assert refused.value.param == param


@pytest.mark.states("P-117")
@pytest.mark.parametrize(
    ("stop", "word"),
    [
        ("end", "stop"),
        ("stop_sequence", "stop"),
        ("length", "length"),
        ("context_full", "length"),
        ("tool_calls", "tool_calls"),
        ("content_filter", "content_filter"),
        ("refusal", "content_filter"),
        ("input_required", "stop"),
    ],
)
def test_every_stop_has_a_word(stop: Stop, word: str) -> None:
    assert write(answer(Text(text="x"), stop=stop))[0]["choices"][0]["finish_reason"] == word


def test_a_stop_without_a_word_is_refused_and_never_a_false_end() -> None:
    with pytest.raises(Unsupported) as refused:
        write(answer(Text(text="x"), stop="pause"))
    assert refused.value.param == "finish_reason"
    with pytest.raises(BrokenStream):
        write(answer(Text(text="x"), stop="unknown", stop_raw="WEIRD"))
    with pytest.raises(BrokenStream):
        write(answer(Text(text="x"), stop="unknown", extra=ours(x="1")))


def test_hints_of_another_protocol_are_reported() -> None:
    extra = Extra(protocol="anthropic-messages", members={"container": "{}"})
    assert write(answer(Text(text="x"), extra=extra))[1] == ("container",)


def test_a_proof_survives_in_the_spelling_it_came_in() -> None:
    rows = [{"type": "reasoning.text", "text": "r", "signature": "s", "index": 0}]
    got = read({"reasoning": "r", "content": "a", "reasoning_details": rows}, dialect="openrouter")
    thought = got.parts[0]
    assert isinstance(thought, Thinking)
    assert thought.seal is not None
    assert (thought.seal.issuer, thought.seal.kind) == ("openai-chat:openrouter", "signature")
    assert write(got)[0]["choices"][0]["message"]["reasoning_details"] == rows
    sealed = read({"reasoning_details": [{"type": "reasoning.encrypted", "data": "xx"}], "content": "a"})
    assert isinstance(sealed.parts[0], Thinking)
    assert sealed.parts[0].seal is not None
    assert sealed.parts[0].seal.kind == "encrypted"


def test_folding_what_a_whole_decoder_tells_gives_the_answer() -> None:
    got = read({"content": "x"}, usage={"prompt_tokens": 1, "completion_tokens": 1})
    events = unfold(got)
    assert fold(events) == got
    assert isinstance(events[-1], Finish)
