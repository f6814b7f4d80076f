"""Streams read: one form for every way of cutting and spelling them, and an end that is always true."""

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wire.chat_strategies import answers, chunk, sse
from turnout.model import (
    Amend,
    Answer,
    Citation,
    Delta,
    Event,
    Extra,
    Failed,
    Finish,
    Limits,
    Media,
    Opaque,
    PartEnd,
    PartStart,
    Refusal,
    Start,
    Text,
    Thinking,
    ToolCall,
    Usage,
    UsageSeen,
    fold,
)
from turnout.model.errors import BrokenStream, Cancelled, ProviderError, TurnoutError, Unsupported
from turnout.model.reducer import Reducer
from turnout.wire.chat import CODEC, DIALECTS

PLAIN = DIALECTS[""]


def read(data: bytes, dialect: str = "", cuts: tuple[int, ...] = ()) -> tuple[Event, ...]:
    """All events of a stream that arrives in the pieces between `cuts`."""
    decoder = CODEC.stream_decoder(DIALECTS[dialect])
    places = [0, *cuts, len(data)]
    events: list[Event] = []
    for start, end in itertools.pairwise(places):
        events += decoder.feed(data[start:end])
    events += decoder.close()
    assert decoder.close() == decoder.feed(b"data: {}\n\n") == decoder.fail(Cancelled("late")) == ()
    reducer = Reducer(Limits())
    for event in events:
        assert reducer.apply(event) == (event,), "a decoder gives normal forms"
    assert reducer.ended
    return tuple(events)


def answer(*chunks: Any, done: bool = True, dialect: str = "") -> Answer:
    return fold(read(sse(*chunks, done=done), dialect))


def error(data: bytes) -> TurnoutError:
    event = read(data)[-1]
    assert isinstance(event, Failed)
    return event.error


def call(
    index: int | None, ref: str | None = None, name: str | None = None, arguments: Any = None
) -> dict[str, Any]:
    row: dict[str, Any] = {"index": index, "id": ref, "function": {"name": name, "arguments": arguments}}
    return {name: value for name, value in row.items() if value is not None}


def calls_of(got: Answer) -> list[tuple[str, str, str]]:
    return [(part.call_id, part.name, part.arguments) for part in got.parts if isinstance(part, ToolCall)]


# ---- the laws ------------------------------------------------------------------------------------------------------


@st.composite
def streams(draw: st.DrawFn) -> tuple[dict[str, Any], list[Any]]:
    """A whole answer and its streamed twin: the same message cut into deltas at places drawn."""
    whole = draw(answers())
    choice = whole["choices"][0]
    message = choice["message"]
    # One spelling of reasoning at a time, and sources of a text that is there: more a stream cannot tell apart.
    message.pop("reasoning_details", None)
    if message.get("reasoning_content"):
        message.pop("reasoning", None)
    if not message.get("content") or isinstance(message["content"], list):
        message.pop("annotations", None)
    top = {name: whole[name] for name in whole if name not in ("choices", "usage")}

    def pieces(text: str) -> list[str]:
        cut = draw(st.integers(0, len(text)))
        return [piece for piece in (text[:cut], text[cut:]) if piece] or [text]

    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for name in ("reasoning_content", "reasoning", "content", "refusal"):
        value = message.get(name) or ()
        deltas += [
            {name: piece}
            for piece in (pieces(value) if isinstance(value, str) else [[item] for item in value])
        ]
    deltas += [{"annotations": [row]} for row in message.get("annotations") or ()]
    deltas += [{name: message[name]} for name in ("audio",) if message.get(name)]
    for index, made in enumerate(message.get("tool_calls") or ()):
        function = made["function"]
        rest = {name: made[name] for name in ("id", "type", "extra_content") if name in made}
        deltas.append({"tool_calls": [{"index": index, **rest, "function": {"name": function["name"]}}]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
            for piece in pieces(function["arguments"] or "")
        ]
    deltas += [{name: message[name]} for name in ("function_call",) if message.get(name)]
    rows = [{**top, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    last = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    if "logprobs" in choice:
        last["logprobs"] = choice["logprobs"]
    rows.append({**top, "choices": [last], "usage": None})
    if "usage" in whole:
        rows.append({**top, "choices": [], "usage": whole["usage"]})
    return whole, rows


@pytest.mark.states("T-053", "T-063")
@given(streams())
def test_a_stream_folds_to_its_whole_twin(twins: tuple[dict[str, Any], list[Any]]) -> None:
    whole, rows = twins
    expected = CODEC.decode_answer(json.dumps(whole).encode(), PLAIN)
    if expected.parts == (Text(text=""),) and not whole["choices"][0]["finish_reason"]:
        assert isinstance(error(sse(*rows)), BrokenStream), (
            "a stream of nothing, without a reason, is no answer"
        )
    else:
        assert fold(read(sse(*rows))) == expected


STREAM = sse(
    chunk({"role": "assistant", "content": "", "refusal": None}, usage=None),
    chunk({"reasoning_content": "Bäh ☂"}),
    chunk({"content": "Grüße 🌍"}),
    chunk({"content": "!", "annotations": [{"type": "url_citation", "url_citation": {"url": "u"}}]}),
    chunk({"tool_calls": [call(0, "c", "f", "")]}),
    chunk({"tool_calls": [call(0, arguments='{"ä":1}')]}),
    chunk({}, "tool_calls"),
    {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
)


@pytest.mark.states("K25")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_way_of_cutting_a_stream_gives_the_same_events(end: str) -> None:
    data = STREAM.replace(b"\n", end.encode())
    whole = read(data)
    assert [type(event) for event in whole].count(Finish) == 1
    for cut in range(len(data) + 1):
        assert read(data, cuts=(cut,)) == whole
    assert read(data, cuts=tuple(range(1, len(data)))) == whole


@given(st.lists(st.integers(0, len(STREAM)), max_size=9).map(sorted))
def test_any_cuts_give_the_same_events(cuts: list[int]) -> None:
    assert read(STREAM, cuts=tuple(cuts)) == read(STREAM)


@given(st.integers(0, len(STREAM)), st.booleans())
def test_a_cut_stream_never_looks_finished(size: int, breaks: bool) -> None:
    """Only a stream that showed its finish reason, or all of itself, ends well."""
    decoder = CODEC.stream_decoder(PLAIN)
    events = list(decoder.feed(STREAM[:size]))
    events += decoder.fail(BrokenStream("the connection broke")) if breaks else decoder.close()
    reasons_shown = STREAM.index(b'"finish_reason": "tool_calls"') + 40
    whole_line = STREAM.index(b"\n", reasons_shown)
    if size > whole_line:
        assert isinstance(events[-1], Finish)
    elif size < reasons_shown - 30:
        assert isinstance(events[-1], Failed)
        assert isinstance(events[-1].error, BrokenStream)
        started = any(isinstance(event, Start) for event in events)
        assert (events[-1].error.partial is not None) is started
        assert not any(isinstance(event, PartEnd) for event in events), (
            "open calls are not closed as complete"
        )


def test_what_came_before_a_cut_rides_on_the_error() -> None:
    cut = error(sse(chunk({"content": "half a wo"}), done=False))
    assert isinstance(cut, BrokenStream)
    assert cut.partial is not None
    assert cut.partial.text == "half a wo"


# ---- ends ------------------------------------------------------------------------------------------------------------


@pytest.mark.states("T-061", "T-076", "K23")
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b": ping\n\n",
        b"<html><body>Service unavailable</body></html>",
        b"data: [DONE]\n\n",
        b"data: <html>\n\n",
        b"data: 5\n\n",
        sse({"choices": []}),
        sse(chunk({"role": "assistant", "content": ""})),
        sse(chunk({"content": "a"}), done=False),
        sse(chunk({"content": "a"}), "{broken"),
        sse(chunk({"tool_calls": [call(0, "c", None, "{}")]}), chunk({}, "tool_calls")),
        sse(
            chunk({"tool_calls": [call(0, "c", "f", "{}")]}),
            chunk({}, "stop"),
            chunk({"tool_calls": [call(0, arguments="x")]}),
        ),
        b'data: {"a":"' + b"x" * 1_100_000,
        b'data: {"a":"' + b"x" * 1_100_000 + b'"}\n\n',
    ],
)
def test_a_stream_without_a_true_end_is_broken(data: bytes) -> None:
    broken = error(data)
    assert isinstance(broken, BrokenStream)
    assert (broken.status, broken.kind, broken.retryable) == (502, "provider", True)


def test_half_an_emoji_is_mended() -> None:
    got = answer(json.dumps(chunk({"content": "HALF"})).replace("HALF", "\\ud83d"), chunk({}, "stop"))
    assert got.text == "\ufffd"


def test_a_last_event_without_its_blank_line_is_read() -> None:
    data = sse(chunk({"content": "a"}), chunk({}, "stop"), done=False)
    wanted = read(data)
    assert isinstance(wanted[-1], Finish)
    assert read(data[:-1]) == read(data[:-2]) == read(data + b"data: [DONE]") == wanted
    failed = read(sse(chunk({"content": "a"}), done=False) + b'data: {"error":{"message":"m"}}')
    assert failed[-1] == Failed(error=ProviderError("m", kind="provider", retryable=False))


def test_an_event_over_the_limit_fails_after_what_came_before_it() -> None:
    huge = b'data: {"a":"' + b"x" * 1_100_000
    events = read(sse(chunk({"content": "a"}), done=False) + huge)
    assert [type(event) for event in events] == [Start, PartStart, Delta, Failed]


def test_an_end_mark_does_not_complete_a_call_without_a_name() -> None:
    rows = [chunk({"content": "a"}), chunk({"tool_calls": [call(0, "c", None, "{}")]})]
    assert isinstance(error(sse(*rows)), BrokenStream)


def test_a_stream_that_is_broken_by_its_last_bytes_is_broken() -> None:
    decoder = CODEC.stream_decoder(PLAIN)
    events = decoder.feed(sse(chunk({"content": "a"}), done=False) + b"data: {") + decoder.close()
    assert isinstance(events[-1], Failed)


@pytest.mark.parametrize("done", [True, False])
def test_a_finish_reason_is_an_end_with_and_without_the_end_mark(done: bool) -> None:
    got = answer(chunk({"content": "a"}), chunk({}, "stop"), done=done)
    assert (got.text, got.stop) == ("a", "end")


def test_an_end_mark_after_content_is_an_end() -> None:
    assert answer(chunk({"content": "a"})).stop == "end"
    assert answer(chunk({"tool_calls": [call(0, "c", "f", '{"a')]})).stop == "tool_calls"


def test_nothing_but_a_finish_reason_is_one_empty_text() -> None:
    assert answer(chunk({"role": "assistant"}), chunk({}, "stop")).parts == (Text(text=""),)


def test_a_failure_after_the_finish_reason_finishes_unless_it_is_a_cancellation() -> None:
    data = sse(chunk({"content": "a"}), chunk({}, "stop"), done=False)
    decoder = CODEC.stream_decoder(PLAIN)
    decoder.feed(data)
    assert isinstance(decoder.fail(BrokenStream("reset"))[-1], Finish)
    decoder = CODEC.stream_decoder(PLAIN)
    decoder.feed(data)
    assert decoder.fail(Cancelled("gone")) == (Failed(error=Cancelled("gone")),)
    decoder = CODEC.stream_decoder(PLAIN)
    decoder.feed(sse(chunk({"content": "a"}), done=False))
    (event,) = decoder.fail(BrokenStream("reset"))
    assert isinstance(event, Failed)
    assert isinstance(event.error, BrokenStream)
    assert event.error.partial is not None


@pytest.mark.states("T-060", "K24")
@pytest.mark.parametrize(
    ("data", "message", "code"),
    [
        (sse({"error": {"message": "m", "code": "c"}}), "m", "c"),
        (sse({"error": "m"}), "m", None),
        (sse({"error": {}}), "the provider reported an error", None),
        (sse({"error": {"message": "m", "code": 429}, "choices": [{"delta": {}}]}), "m", "429"),
        (sse({"object": "error", "message": "m", "code": 400}), "m", "400"),
        (sse({"detail": "m"}), "m", None),
        (b'event: error\ndata: {"error":{"message":"m"}}\n\n', "m", None),
        (b'event: error\ndata: {"what":1}\n\n', "the provider reported an error", None),
        (sse({"error": {"message": "m"}, "choices": 5}), "m", None),
    ],
)
def test_an_error_in_the_stream_is_one_failure_and_the_end(
    data: bytes, message: str, code: str | None
) -> None:
    failed = error(data)
    assert isinstance(failed, ProviderError)
    assert not isinstance(failed, BrokenStream)
    assert (failed.message, failed.code) == (message, code)
    events = read(sse(chunk({"content": "a"}), done=False) + data)
    assert [type(event) for event in events[-2:]] == [Delta, Failed]


def test_a_failure_told_as_a_finish_reason_is_a_failure() -> None:
    assert isinstance(error(sse(chunk({"content": "a"}), chunk({}, "error"))), ProviderError)


@pytest.mark.parametrize("choices", [[{"index": 1, "delta": {"content": "a"}}], [{"index": 0}, {"index": 1}]])
def test_several_choices_are_only_passed_on(choices: list[Any]) -> None:
    assert error(sse({"choices": choices})) == Unsupported(
        "n", "a stream of several choices is only passed on"
    )


# ---- tool calls ------------------------------------------------------------------------------------------------------

A, B = '{"a": 1}', '{"b": 2}'


@pytest.mark.states("K04", "K05", "T-056", "T-057", "T-058", "T-059")
@pytest.mark.parametrize(
    ("fragments", "wanted"),
    [
        ([call(0, "x", "f", ""), call(0, None, None, A[:3]), call(0, None, None, A[3:])], [("x", "f", A)]),
        ([call(0, "x", "f", A[:3]), call(0, "x", "f", A[3:])], [("x", "f", A)]),
        ([call(0, "x", "f"), call(0, "x", None, A), call(0, "x", "f", "")], [("x", "f", A)]),
        ([call(0, "x", "f", A), call(1, "y", "g", B)], [("x", "f", A), ("y", "g", B)]),
        (
            [call(0, "x", "f"), call(1, "y", "g"), call(0, None, None, A), call(1, None, None, B)],
            [("x", "f", A), ("y", "g", B)],
        ),
        ([call(0, "x", "f", A), call(0, "y", "g", B)], [("x", "f", A), ("y", "g", B)]),
        ([call(0, "x", "f", A), call(0, "y", "f", B)], [("x", "f", A), ("y", "f", B)]),
        ([call(0, None, "f", A), call(0, None, "f", B)], [("", "f", A), ("", "f", B)]),
        ([call(0, None, "f", A), call(0, None, "g", B)], [("", "f", A), ("", "g", B)]),
        ([call(0, None, "f", A[:3]), call(0, None, "f", A[3:])], [("", "f", A)]),
        ([call(0, None, "f", A), call(0, None, "f", "")], [("", "f", A)]),
        ([call(0, "", "f", A[:3]), call(0, "", None, A[3:])], [("", "f", A)]),
        ([call(None, "x", "f", A), call(None, "y", "g", B)], [("x", "f", A), ("y", "g", B)]),
        (
            [call(None, "x", "f", A[:3]), call(None, "y", "g"), call(None, "x", None, A[3:])],
            [("x", "f", A), ("y", "g", "{}")],
        ),
        ([call(None, None, "f", A), call(None, None, "g", B)], [("", "f", A), ("", "g", B)]),
        ([call(None, None, "f", A[:3]), call(None, None, None, A[3:])], [("", "f", A)]),
        ([call(0, "x"), call(0, None, "f"), call(0, None, None, A)], [("x", "f", A)]),
        ([call(0, "x", None, A[:3]), call(0, None, "f", A[3:])], [("x", "f", A)]),
        ([call(0, None, "f", A[:3]), call(0, "late", None, A[3:])], [("", "f", A)]),
        ([call(0, "x", "f", A[:3]), call(0, "random", None, A[3:])], [("x", "f", A)]),
        ([call(0, "x", "f", {"a": 1})], [("x", "f", '{"a":1}')]),
        ([call(0, "x", "f")], [("x", "f", "{}")]),
        ([call(0, "x", "f", "{broken}"), call(0, None, "f", A)], [("x", "f", "{broken}" + A)]),
        ([{"id": "x"}, call(None, "y", "f", A)], [("y", "f", A)]),
    ],
)
def test_every_fragment_reaches_its_call(fragments: list[Any], wanted: list[Any]) -> None:
    got = answer(*[chunk({"tool_calls": [row]}) for row in fragments], chunk({}, "tool_calls"))
    assert calls_of(got) == [
        (ref or found[0], name, arguments)
        for (ref, name, arguments), found in zip(wanted, calls_of(got), strict=True)
    ]
    assert all(ref for ref, _, _ in calls_of(got))
    together = answer(chunk({"tool_calls": fragments}), chunk({}, "tool_calls"))
    assert together == got, "in one chunk or in many"


@given(st.lists(st.integers(0, len(A)), max_size=5).map(sorted), st.booleans(), st.booleans())
def test_arguments_are_byte_for_byte_whole_for_any_cutting(
    cuts: list[int], repeat: bool, indexed: bool
) -> None:
    places = [0, *cuts, len(A)]
    pieces = [A[start:end] for start, end in itertools.pairwise(places)]
    ref, name = ("x", "f") if repeat or not indexed else (None, None)
    index = 0 if indexed else None
    rows = [call(index, "x", "f", "")] + [
        call(index, ref, name if indexed else None, piece) for piece in pieces
    ]
    got = answer(*[chunk({"tool_calls": [row]}) for row in rows], chunk({}, "tool_calls"))
    assert calls_of(got) == [("x", "f", A)]


@pytest.mark.states("T-048", "K15")
def test_calls_win_over_a_finish_reason_of_stop() -> None:
    got = answer(
        chunk({"tool_calls": [call(0, "x", "f", A)]}), chunk({}, "stop"), chunk({"content": ""}, None)
    )
    assert got.stop == "tool_calls"


def test_a_later_empty_chunk_changes_no_finish_reason() -> None:
    got = answer(chunk({"content": "a"}, "length"), chunk({"content": ""}, None), chunk({}, ""))
    assert got.stop == "length"


def test_custom_and_legacy_calls_are_read() -> None:
    custom = {"index": 0, "id": "x", "type": "custom", "custom": {"name": "g", "input": "go"}}
    got = answer(
        chunk({"tool_calls": [custom]}),
        chunk({"function_call": {"name": "f", "arguments": A[:3]}}),
        chunk({"function_call": {"arguments": A[3:]}}),
        chunk({}, "function_call"),
    )
    first, second = got.parts
    assert isinstance(first, ToolCall)
    assert isinstance(second, ToolCall)
    assert (first.kind, first.arguments) == ("custom", "go")
    assert (second.name, second.arguments) == ("f", A)
    assert second.extra == Extra(protocol="openai-chat", members={"~function_call": "null"})
    empty = {"index": 0, "id": "x", "custom": {"name": "g"}}
    assert calls_of(answer(chunk({"tool_calls": [empty]}), chunk({}, "tool_calls"))) == [("x", "g", "")]


def test_what_google_adds_to_a_call_is_kept_whenever_it_comes() -> None:
    extra = {"google": {"thought_signature": "s"}}
    first = {**call(0, "x", "f", A), "extra_content": extra}
    late = {**call(0), "extra_content": extra}
    wanted = Extra(protocol="openai-chat", members={"extra_content": json.dumps(extra)})
    for rows in ([first], [call(0, "x", "f", A), late]):
        got = answer(*[chunk({"tool_calls": [row]}) for row in rows], chunk({}, "stop"))
        assert got.parts[0].extra == wanted


def test_a_derived_call_id_is_the_same_in_the_whole_twin() -> None:
    got = answer(chunk({"content": "a"}), chunk({"tool_calls": [call(0, None, "f", A)]}), chunk({}, "stop"))
    message = {"content": "a", "tool_calls": [{"function": {"name": "f", "arguments": A}}]}
    body = {"id": "c1", "choices": [{"message": message, "finish_reason": "stop"}]}
    assert calls_of(got) == calls_of(CODEC.decode_answer(json.dumps(body).encode(), PLAIN))


def test_text_after_a_call_is_a_second_text() -> None:
    got = answer(
        chunk({"content": "a"}),
        chunk({"tool_calls": [call(0, "x", "f", A)]}),
        chunk({"content": "b"}),
        chunk({}, "tool_calls"),
    )
    assert [type(part) for part in got.parts] == [Text, ToolCall, Text]


# ---- reasoning, refusals, media, sources -----------------------------------------------------------------------------


@pytest.mark.states("T-054", "T-055")
@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_reasoning_is_one_thought_under_any_name(field: str) -> None:
    got = answer(
        chunk({field: "a", "content": ""}), chunk({field: "b", "content": "x"}), chunk({field: None}, "stop")
    )
    assert got.parts == (
        Thinking(text="ab", extra=Extra(protocol="openai-chat", members={f"~message.{field}": "null"})),
        Text(text="x"),
    )


def test_details_repeat_the_text_and_carry_the_proof() -> None:
    def row(**more: Any) -> list[Any]:
        return [{"type": "reasoning.text", "index": 0, **more}]

    got = answer(
        chunk({"reasoning": "a", "reasoning_details": row(text="a", format="f")}),
        chunk({"reasoning": "b", "reasoning_details": row(text="b", format=None)}),
        chunk({"reasoning_details": row(signature="s", text="")}),
        chunk(
            {
                "reasoning_details": [
                    {"type": "reasoning.encrypted", "data": "d", "index": 1},
                    {"type": "x"},
                    5,
                ]
            }
        ),
        chunk({"content": "x"}),
        chunk({}, "stop"),
        dialect="openrouter",
    )
    thought = got.parts[0]
    assert isinstance(thought, Thinking)
    assert thought.text == "ab"
    assert thought.seal is not None
    assert json.loads(thought.seal.data) == [
        {"type": "reasoning.text", "index": 0, "text": "ab", "format": "f", "signature": "s"},
        {"type": "reasoning.encrypted", "data": "d", "index": 1},
        {"type": "x"},
    ]


def test_details_alone_are_a_thought() -> None:
    got = answer(
        chunk({"reasoning_details": [{"type": "reasoning.summary", "summary": "a"}]}), chunk({}, "stop")
    )
    assert isinstance(got.parts[0], Thinking)
    assert (got.parts[0].text, got.parts[0].seal) == ("a", None)
    sealed = answer(
        chunk({"reasoning_details": [{"type": "reasoning.encrypted", "data": "d"}]}), chunk({"content": "x"})
    )
    assert isinstance(sealed.parts[0], Thinking)
    assert sealed.parts[0].seal is not None
    empty = answer(chunk({"reasoning_details": [{"type": "x"}]}), chunk({"content": "x"}))
    assert empty.parts == (Text(text="x"),)


def test_typed_parts_of_the_content_keep_their_order() -> None:
    def thought(words: str) -> dict[str, Any]:
        return {"type": "thinking", "thinking": [{"type": "text", "text": words}]}

    got = answer(
        chunk({"content": [thought("a")]}),
        chunk({"content": [thought("b"), thought("")]}),
        chunk({"content": "x"}),
        chunk({"content": [{"type": "text", "text": "y"}, {"type": "reference", "ids": [1]}]}),
        chunk({"content": [thought("c")]}),
        chunk({"content": "z"}),
        chunk({}, "stop"),
    )
    assert [(type(part), getattr(part, "text", None)) for part in got.parts] == [
        (Thinking, "ab"),
        (Text, "xy"),
        (Opaque, None),
        (Thinking, "c"),
        (Text, "z"),
    ]


def test_a_refusal_grows_and_ends_as_one() -> None:
    got = answer(chunk({"refusal": "I ca"}), chunk({"refusal": "nnot"}), chunk({}, "stop"))
    assert (got.parts, got.stop) == ((Refusal(text="I cannot"),), "refusal")


def test_sources_belong_to_the_text_whenever_they_come() -> None:
    row = {"type": "url_citation", "url_citation": {"url": "u"}}
    citation = Citation(kind="url", url="u")
    early = answer(chunk({"annotations": [row]}), chunk({"content": "x"}), chunk({}, "stop"))
    late = answer(chunk({"content": "x"}), chunk({"annotations": [row]}), chunk({}, "stop"))
    assert early.parts == late.parts == (Text(text="x", citations=(citation,)),)
    alone = answer(chunk({"annotations": [row]}), chunk({}, "stop"))
    assert alone.parts == (Text(text="", citations=(citation,)),)


def test_sound_grows_in_data_and_transcript() -> None:
    got = answer(
        chunk({"audio": {"id": "au", "transcript": "hi"}}),
        chunk({"audio": {"data": "AA"}}),
        chunk({"audio": {"transcript": " you", "data": "BB"}}),
        chunk({"audio": {"expires_at": 5}}),
        chunk({}, "stop"),
    )
    (media,) = got.parts
    assert isinstance(media, Media)
    assert (media.id, media.transcript, getattr(media.source, "data", None)) == ("au", "hi you", "AABB")
    assert media.extra == Extra(protocol="openai-chat", members={"audio/expires_at": "5"})


def test_images_are_parts_of_their_own() -> None:
    events = read(
        sse(chunk({"images": [{"image_url": {"url": "data:image/png;base64,AA"}}]}), chunk({}, "stop"))
    )
    assert [type(event) for event in events] == [Start, PartStart, PartEnd, Finish]


# ---- beside the parts ------------------------------------------------------------------------------------------------


@pytest.mark.states("K16", "K17", "T-062")
@pytest.mark.parametrize(
    "rows",
    [
        [
            chunk({"content": "x"}),
            chunk({}, "stop"),
            {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
        ],
        [chunk({"content": "x"}), chunk({}, "stop", usage={"prompt_tokens": 3, "completion_tokens": 2})],
        [
            chunk({"content": "x"}),
            chunk({}, "stop"),
            {"choices": None, "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
        ],
        [chunk({"content": "x"}), chunk({}, "stop"), {"usage": {"prompt_tokens": 3, "completion_tokens": 2}}],
        [
            chunk({"content": "x"}, usage={"prompt_tokens": 3, "completion_tokens": 1}),
            chunk({"content": ""}, usage={"prompt_tokens": 3, "completion_tokens": 2}),
            chunk({}, "stop", usage={}),
        ],
        [
            {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
            chunk({"content": "x"}),
            chunk({}, "stop"),
        ],
        [
            chunk({"content": "x"}),
            chunk({}, "stop", x_groq={"usage": {"prompt_tokens": 3, "completion_tokens": 2}}),
        ],
    ],
)
def test_usage_is_seen_wherever_it_comes(rows: list[Any]) -> None:
    events = read(sse(*rows))
    assert isinstance(events[-1], Finish)
    assert fold(events).usage == Usage(input=3, output=2)


def test_the_same_usage_in_every_chunk_is_told_once() -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    events = read(
        sse(chunk({"content": "x"}, usage=usage), chunk({"content": "y"}, usage=usage), chunk({}, "stop"))
    )
    assert sum(isinstance(event, UsageSeen) for event in events) == 1


def test_a_first_chunk_without_choices_does_not_begin_the_answer() -> None:
    filters = {"id": "", "model": "", "created": 0, "choices": [], "prompt_filter_results": []}
    events = read(sse(filters, chunk({"content": "x"}), chunk({}, "stop")))
    assert events[0] == Start(id="c1", model="m", created=7)


def test_what_chunks_say_of_the_whole_answer_is_kept() -> None:
    got = answer(
        {"choices": [], "moderation": {"early": 1}},
        chunk({"content": "x"}, service_tier="auto", metadata={"a": "b"}),
        chunk({"content": "y"}, service_tier="flex"),
        chunk({"content": "z"}, service_tier="auto", citations=["u"], metadata={"c": "d"}),
        chunk({}, "stop"),
    )
    assert got.extra is not None
    assert {name: json.loads(value) for name, value in got.extra.members.items()} == {
        "moderation": {"early": 1},
        "service_tier": "auto",
        "citations": ["u"],
    }
    assert got.metadata == {"a": "b", "c": "d"}


def test_log_probabilities_are_joined() -> None:
    def one(token: str) -> dict[str, Any]:
        row = chunk({"content": token})
        row["choices"][0]["logprobs"] = {"content": [{"token": token}], "refusal": None}
        return row

    odd = chunk({"content": "c"})
    odd["choices"][0]["logprobs"] = 5
    none = chunk({"content": "d"})
    none["choices"][0]["logprobs"] = None
    got = answer(one("a"), one("b"), odd, none, chunk({}, "stop"))
    assert got.extra is not None
    assert json.loads(got.extra.members["logprobs"]) == {"content": [{"token": "a"}, {"token": "b"}]}


def test_padding_comments_and_unknown_members_are_nothing() -> None:
    noisy = b": ping\n\nid: 7\nretry: 5\n\n" + sse(
        chunk({"content": "x", "zz": 1}, obfuscation="aaaa"), chunk({}, "stop")
    )
    assert read(noisy) == read(sse(chunk({"content": "x"}), chunk({}, "stop")))


def test_an_amendment_comes_before_the_end_of_its_part() -> None:
    row = {"type": "reasoning.text", "text": "", "signature": "s"}
    events = read(
        sse(chunk({"reasoning": "a", "reasoning_details": [row]}), chunk({"content": "x"}), chunk({}, "stop"))
    )
    kinds = [type(event) for event in events]
    assert kinds.index(Amend) < kinds.index(PartEnd)
