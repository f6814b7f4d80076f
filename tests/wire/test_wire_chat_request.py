"""Requests: what is read of them, how malformed ones are refused, and that reading and writing are one law."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given

from tests.wire.chat_strategies import EVERYTHING, bodies
from turnout.model import (
    Body,
    Cache,
    Extra,
    File,
    Headers,
    Inline,
    Media,
    Message,
    Opaque,
    OutputFormat,
    Reasoning,
    Refusal,
    Source,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Url,
)
from turnout.model.errors import InvalidRequest
from turnout.wire.chat import CODEC, DIALECTS
from turnout.wire.chat.request import decode_request, layered
from turnout.wire.codec import codec

PLAIN = DIALECTS[""]


def read(body: object) -> Body:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return CODEC.decode_request(Source(protocol="openai-chat", body=data))


def say(*messages: dict[str, Any], **rest: Any) -> Body:
    return read({"model": "m", "messages": list(messages), **rest})


def ask(**rest: Any) -> Body:
    return say({"role": "user", "content": "hi"}, **rest)


def marked(extra: Extra | None) -> dict[str, str]:
    assert extra is not None
    assert extra.protocol == "openai-chat"
    return extra.members


# ---- the laws ------------------------------------------------------------------------------------------------------


@given(bodies)
@example(EVERYTHING)
def test_reading_what_was_written_gives_the_same_body(wire: dict[str, Any]) -> None:
    body = read(wire)
    stream = wire.get("stream") is True
    written, dropped = CODEC.encode_request("m", stream, body, PLAIN, False)
    assert dropped == ()
    assert read(written) == body


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [without_nulls(inner) for inner in value] if isinstance(value, list) else value


NOTHING: dict[str, list[object]] = {
    "tools": [[]],
    "stop": [[]],
    "metadata": [{}],
    "stream": [False],
    "modalities": [[], ["text"]],
    "stream_options": [{}],
    "tool_calls": [[]],
}
"""Values that say no more than absence does."""


def bare(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value not in NOTHING.get(name, [])}


def equivalent(wire: dict[str, Any]) -> dict[str, Any]:
    """The same request in one spelling: nulls are absence, a lone plain text is a string, no arguments are `{}`."""
    body = bare(without_nulls(wire))
    body["messages"] = [bare(message) for message in body["messages"]]
    for message in body["messages"]:
        content = message.get("content")
        if isinstance(content, list) and len(content) == 1 and content[0].keys() == {"type", "text"}:
            content = content[0]["text"]
        message["content"] = content or None
        for call in [*message.get("tool_calls", ()), {"function": message.get("function_call", {})}]:
            inner = call.get("function", {})
            if inner.get("arguments") == "":
                inner["arguments"] = "{}"
    for tool in body.get("tools", ()):
        tool.setdefault("type", "function")
    return without_nulls(body)


def in_one_order(wire: dict[str, Any]) -> dict[str, Any]:
    """Results may move to their calls, so messages are compared as a bag."""
    return {**wire, "messages": sorted(json.dumps(message, sort_keys=True) for message in wire["messages"])}


@given(bodies)
@example(EVERYTHING)
def test_a_request_written_again_says_the_same(wire: dict[str, Any]) -> None:
    written, _ = CODEC.encode_request(wire["model"], wire.get("stream") is True, read(wire), PLAIN, False)
    assert in_one_order(equivalent(json.loads(written))) == in_one_order(equivalent(wire))


@given(bodies)
def test_the_short_way_reads_what_the_long_way_reads(wire: dict[str, Any]) -> None:
    """A member that nobody knows sends each message and tool the long way."""
    slow = json.loads(json.dumps(wire))
    for row in [*slow["messages"], *(slow.get("tools") or ())]:
        row["zz"] = 1

    def forget(value: Any) -> Any:
        return json.loads(
            msgspec.json.encode(value)
            .decode()
            .replace('"zz":"1",', "")
            .replace(',"zz":"1"', "")
            .replace('"zz":"1"', "")
        )

    def settle(value: Any) -> Any:
        """An empty bag is no bag."""
        if isinstance(value, dict):
            rows = {name: settle(inner) for name, inner in value.items()}
            return {name: row for name, row in rows.items() if not (name == "extra" and row["members"] == {})}
        return [settle(inner) for inner in value] if isinstance(value, list) else value

    assert settle(forget(read(slow))) == settle(forget(read(wire)))


def test_the_codec_is_found_by_the_name_of_its_protocol() -> None:
    assert codec("openai-chat") is CODEC
    assert CODEC.peek(Source(protocol="openai-chat", body=b'{"model":"a","stream":true}')) == ("a", True)
    source = Source(protocol="openai-chat", body=b'{"model": "a", "x": 1.50}', path="/chat/completions")
    assert CODEC.splice(source, "b") == (b'{"model": "b", "x": 1.50}', "/chat/completions")
    with pytest.raises(LookupError):
        codec("mcp")


# ---- malformed requests ----------------------------------------------------------------------------------------------

USER = {"role": "user", "content": "hi"}


@pytest.mark.states("P-094", "P-095", "P-096", "P-097")
@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"{", None),
        (b"", None),
        (b"[" * 20_000, None),
        (b'{"messages": "\xff"}', None),
        ([USER], None),
        ("text", None),
        ({}, "messages"),
        ({"messages": None}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": "hi"}, "messages"),
        ({"messages": [USER, "hi"]}, "messages[1]"),
        ({"messages": [USER, {"role": "wizard", "content": "hi"}]}, "messages[1].role"),
        ({"messages": [{"role": 1, "content": "hi"}]}, "messages[0].role"),
        ({"messages": [{"content": "hi"}]}, "messages[0].role"),
        ({"messages": [USER, USER, {"role": "user", "content": 5}]}, "messages[2].content"),
        ({"messages": [{"role": "user", "content": {}}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": ["hi"]}]}, "messages[0].content[0]"),
        ({"messages": [{"role": "user", "content": [{}]}]}, "messages[0].content[0].type"),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "messages[0].content[0].text"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]},
            "messages[0].content[0].image_url.url",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]}]},
            "messages[0].content[0].input_audio.data",
        ),
        ({"messages": [{"role": "user", "content": "x", "name": 5}]}, "messages[0].name"),
        ({"messages": [{"role": "assistant", "refusal": 5}]}, "messages[0].refusal"),
        (
            {"messages": [{"role": "assistant", "content": [{"type": "refusal"}]}]},
            "messages[0].content[0].refusal",
        ),
        ({"messages": [{"role": "assistant", "tool_calls": {}}]}, "messages[0].tool_calls"),
        ({"messages": [{"role": "assistant", "tool_calls": [5]}]}, "messages[0].tool_calls[0]"),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f"}}]}]},
            "messages[0].tool_calls[0].id",
        ),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"id": "a"}]}]},
            "messages[0].tool_calls[0].function",
        ),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"id": "a", "function": {}}]}]},
            "messages[0].tool_calls[0].function.name",
        ),
        (
            {
                "messages": [
                    {
                        "role": "assistant",
                        "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {}}}],
                    }
                ]
            },
            "messages[0].tool_calls[0].function.arguments",
        ),
        (
            {"messages": [{"role": "assistant", "function_call": {"name": "f"}}]},
            "messages[0].function_call.arguments",
        ),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].tool_call_id"),
        ({"messages": [{"role": "function", "content": "x"}]}, "messages[0].name"),
        ({"messages": [USER], "temperature": "hot"}, "temperature"),
        ({"messages": [USER], "max_tokens": 1.5}, "max_tokens"),
        ({"messages": [USER], "max_completion_tokens": "9"}, "max_completion_tokens"),
        ({"messages": [USER], "stop": 5}, "stop"),
        ({"messages": [USER], "metadata": {"a": 1}}, "metadata"),
        ({"messages": [USER], "user": 5}, "user"),
        ({"messages": [USER], "safety_identifier": 5}, "safety_identifier"),
        ({"messages": [USER], "reasoning_effort": 5}, "reasoning_effort"),
        ({"messages": [USER], "modalities": "text"}, "modalities"),
        ({"messages": [USER], "stream": True, "stream_options": 5}, "stream_options"),
        (
            {"messages": [USER], "stream": True, "stream_options": {"include_usage": 1}},
            "stream_options.include_usage",
        ),
        ({"messages": [USER], "tools": {}}, "tools"),
        ({"messages": [USER], "tools": [5]}, "tools[0]"),
        ({"messages": [USER], "tools": [{"type": "function"}]}, "tools[0].function"),
        ({"messages": [USER], "tools": [{"type": "function", "function": {}}]}, "tools[0].function.name"),
        (
            {"messages": [USER], "tools": [{"type": "function", "function": {"name": "f", "strict": 1}}]},
            "tools[0].function.strict",
        ),
        ({"messages": [USER], "tool_choice": "maybe"}, "tool_choice"),
        ({"messages": [USER], "tool_choice": 5}, "tool_choice"),
        ({"messages": [USER], "tool_choice": {"type": "function"}}, "tool_choice"),
        (
            {"messages": [USER], "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "x"}}},
            "tool_choice",
        ),
        (
            {"messages": [USER], "tool_choice": {"allowed_tools": {"mode": "auto", "tools": 5}}},
            "tool_choice.allowed_tools.tools",
        ),
        ({"messages": [USER], "response_format": {"type": "json_schema"}}, "response_format.json_schema"),
        (
            {"messages": [USER], "response_format": {"type": "json_schema", "json_schema": {"name": 5}}},
            "response_format.json_schema.name",
        ),
    ],
)
def test_a_malformed_request_is_refused_and_the_field_is_named(body: object, param: str | None) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read(body)
    assert refused.value.param == param
    assert refused.value.status == 400


@pytest.mark.parametrize("role", ["user", "assistant", "system", "developer", "tool"])
def test_nulls_count_as_absent(role: str) -> None:
    bare = {"role": role, "tool_call_id": "c"} if role == "tool" else {"role": role}
    names = ["content", "name", "refusal", "tool_calls", "function_call", "audio", "reasoning", "x"]
    nulls = dict.fromkeys(names if role == "assistant" else ["content", "name", "x"])
    assert say({**nulls, **bare}) == say(bare)
    every = [
        "temperature",
        "stop",
        "max_tokens",
        "max_completion_tokens",
        "tools",
        "tool_choice",
        "user",
        "x",
        "response_format",
        "stream_options",
        "modalities",
        "audio",
        "safety_identifier",
        "metadata",
        "reasoning_effort",
    ]
    assert ask(**dict.fromkeys(every)) == ask()


# ---- messages --------------------------------------------------------------------------------------------------------


@pytest.mark.states("P-101")
@pytest.mark.parametrize("role", ["user", "system", "developer", "assistant"])
def test_a_string_is_one_text(role: Any) -> None:
    assert say({"role": role, "content": "hi", "name": "al"}).messages == (
        Message(role=role, parts=(Text(text="hi"),), name="al"),
    )


@pytest.mark.parametrize(
    "message", [{"role": "user"}, {"role": "assistant", "content": None}, {"role": "user", "content": []}]
)
def test_a_message_of_nothing_is_one_empty_text(message: dict[str, Any]) -> None:
    assert say(message).messages[0].parts == (Text(text=""),)


@pytest.mark.parametrize("content", [None, "", [{"type": "text", "text": ""}]])
@pytest.mark.parametrize("more", [{}, {"prefix": False}])
def test_an_empty_content_beside_calls_is_no_part(content: object, more: dict[str, Any]) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}
    parts = say({"role": "assistant", "content": content, "tool_calls": [call], **more}).messages[0].parts
    assert parts == (ToolCall(call_id="c", name="f", arguments="{}"),)


def test_calls_of_all_kinds_keep_their_place() -> None:
    strange = {"id": "c3", "type": "teleport", "to": "x"}
    body = say(
        {
            "role": "assistant",
            "content": "look",
            "tool_calls": [
                {"id": "c1", "function": {"name": "f", "arguments": '{"a": 1.50}', "v": 1}, "index": 0},
                {
                    "id": "c2",
                    "type": "custom",
                    "custom": {"name": "g", "input": ""},
                    "cache_control": {"type": "ephemeral"},
                },
                strange,
            ],
        }
    )
    text, first, second, third = body.messages[0].parts
    assert text == Text(text="look")
    assert isinstance(first, ToolCall)
    assert (first.call_id, first.arguments) == ("c1", '{"a": 1.50}')
    assert marked(first.extra) == {"function/v": "1", "index": "0"}
    assert isinstance(second, ToolCall)
    assert (second.kind, second.arguments, second.cache) == ("custom", "", Cache())
    assert isinstance(third, Opaque)
    assert (third.kind, json.loads(third.body)) == ("teleport", strange)
    written, dropped = CODEC.encode_request("m", False, body, PLAIN, False)
    calls = json.loads(written)["messages"][0]["tool_calls"]
    assert (calls[0]["function"]["v"], calls[0]["index"], calls[2], dropped) == (1, 0, strange, ())


def test_results_become_one_message_in_the_order_of_the_calls() -> None:
    def call(ref: str) -> dict[str, Any]:
        return {"id": ref, "type": "function", "function": {"name": "f", "arguments": "{}"}}

    def result(ref: str) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": ref, "content": f"of {ref}"}

    body = say(
        {"role": "assistant", "tool_calls": [call("a"), call("b"), call("c")]},
        result("c"),
        USER,
        result("stray"),
        result("a"),
        result("b"),
        {"role": "assistant", "content": "so"},
        result("lost"),
        result("gone"),
    )
    assert [message.role for message in body.messages] == [
        "assistant",
        "tool",
        "user",
        "tool",
        "assistant",
        "tool",
    ]
    groups = [
        [part.call_id for part in message.parts if isinstance(part, ToolResult)]
        for message in body.messages
        if message.role == "tool"
    ]
    assert groups == [["a", "b", "c"], ["stray"], ["lost", "gone"]]


def test_one_id_used_twice_keeps_the_order_of_its_results() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    body = say(
        {"role": "assistant", "tool_calls": [call, call]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "a", "content": "2"},
    )
    results: list[Any] = list(body.messages[1].parts)
    assert [result.parts[0].text for result in results] == ["1", "2"]


def test_a_legacy_function_call_and_its_result_are_paired() -> None:
    body = say(
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "done"},
        {"role": "function", "name": "other", "content": "what"},
    )
    call, result = body.messages[0].parts[0], body.messages[1].parts[0]
    assert isinstance(call, ToolCall)
    assert isinstance(result, ToolResult)
    assert result.call_id == call.call_id
    assert [message.role for message in body.messages] == ["assistant", "tool", "tool"]


def test_tool_results_keep_name_media_and_unknown_members() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.test/a.png"}}
    (message,) = say(
        {
            "role": "tool",
            "tool_call_id": "c",
            "name": "f",
            "x": 1,
            "cache_control": {"type": "ephemeral"},
            "content": [{"type": "text", "text": "see"}, image],
        }
    ).messages
    (result,) = message.parts
    assert isinstance(result, ToolResult)
    assert (result.name, result.cache) == ("f", Cache())
    assert marked(result.extra)["x"] == "1"
    assert [type(part) for part in result.parts] == [Text, Media]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_reasoning_of_a_history_is_a_thought_that_keeps_its_spelling(field: str) -> None:
    (message,) = say({"role": "assistant", "content": "so", field: "because"}).messages
    thought, text = message.parts
    assert isinstance(thought, Thinking)
    assert thought.text == "because"
    assert text == Text(text="so")
    written, _ = CODEC.encode_request("m", False, Body(messages=(message,)), PLAIN, False)
    assert json.loads(written)["messages"][0] == {"role": "assistant", "content": "so", field: "because"}


def test_reasoning_details_are_kept_to_the_letter() -> None:
    details = '[{"type": "reasoning.text", "text": "hm", "signature": "s1g", "n": 1.50}, 5]'
    for raw, words in ((details[:-4] + "]", "hm"), ('"odd"', None), ("null", None)):
        data = '{"messages":[{"role":"assistant","content":"x","reasoning_details":' + raw + "}]}"
        (message,) = read(data.encode()).messages
        thought = message.parts[0]
        written, _ = CODEC.encode_request("m", False, Body(messages=(message,)), PLAIN, False)
        if words is not None:
            assert isinstance(thought, Thinking)
            assert thought.text == words
            assert raw.encode() in written
        else:
            assert thought == Text(text="x")


def test_a_message_with_two_spellings_of_reasoning_gives_both_back() -> None:
    message = {"role": "assistant", "content": "x", "reasoning_content": "a", "reasoning": "b"}
    body = say(message)
    assert len(body.messages[0].parts) == 2
    written, _ = CODEC.encode_request("m", False, body, PLAIN, False)
    assert json.loads(written)["messages"] == [message]


@pytest.mark.parametrize("field", ["reasoning", "thinking"])
def test_reasoning_that_is_no_text_stays_as_it_is(field: str) -> None:
    (message,) = say({"role": "assistant", "content": "x", field: {"a": 1}}).messages
    assert marked(message.extra) == {field: '{"a": 1}'}


def test_sound_and_refusals_of_the_past_are_parts() -> None:
    (message,) = say({"role": "assistant", "audio": {"id": "audio_1"}, "refusal": "no"}).messages
    assert message.parts == (
        Refusal(text="no"),
        Media(kind="audio", id="audio_1", source=File(ref="audio_1", owner="openai-chat")),
    )
    (odd,) = say({"role": "assistant", "audio": {"x": 1}, "content": "a"}).messages
    assert marked(odd.extra) == {"audio": '{"x": 1}'}


@pytest.mark.parametrize(
    ("part", "wanted"),
    [
        ({"type": "text", "text": "a"}, Text(text="a")),
        (
            {"type": "refusal", "refusal": "no"},
            Refusal(text="no", extra=Extra(protocol="openai-chat", members={"~part": "null"})),
        ),
        (
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA==", "detail": "original"}},
            Media(kind="image", source=Inline(media_type="image/png", data="AA=="), detail="original"),
        ),
        (
            {"type": "image_url", "image_url": {"url": "https://example.test/x"}},
            Media(kind="image", source=Url(url="https://example.test/x")),
        ),
        (
            {"type": "image_url", "image_url": {"url": "data:text/plain,hi"}},
            Media(kind="image", source=Url(url="data:text/plain,hi")),
        ),
        (
            {"type": "video_url", "video_url": {"url": "https://example.test/x"}},
            Media(kind="video", source=Url(url="https://example.test/x")),
        ),
        (
            {"type": "input_audio", "input_audio": {"data": "AA==", "format": "mp3"}},
            Media(kind="audio", source=Inline(media_type="audio/mpeg", data="AA==")),
        ),
        (
            {"type": "file", "file": {"file_id": "file-1"}},
            Media(kind="document", source=File(ref="file-1", owner="openai-chat")),
        ),
        (
            {"type": "file", "file": {"file_data": "data:application/pdf;base64,AA==", "filename": "a.pdf"}},
            Media(kind="document", source=Inline(media_type="application/pdf", data="AA=="), name="a.pdf"),
        ),
        (
            {"type": "image_url", "image_url": "https://example.test/x"},
            Opaque(
                protocol="openai-chat",
                kind="image_url",
                body='{"type": "image_url", "image_url": "https://example.test/x"}',
            ),
        ),
        (
            {"type": "hologram", "v": 1.5},
            Opaque(protocol="openai-chat", kind="hologram", body='{"type": "hologram", "v": 1.5}'),
        ),
        (
            {"type": "thinking", "thinking": 5},
            Opaque(protocol="openai-chat", kind="thinking", body='{"type": "thinking", "thinking": 5}'),
        ),
        ({"type": "thinking"}, Opaque(protocol="openai-chat", kind="thinking", body='{"type": "thinking"}')),
        (
            {"type": "file", "file": {}},
            Opaque(protocol="openai-chat", kind="file", body='{"type": "file", "file": {}}'),
        ),
        ({"type": "file"}, Opaque(protocol="openai-chat", kind="file", body='{"type": "file"}')),
        (
            {"type": "input_audio"},
            Opaque(protocol="openai-chat", kind="input_audio", body='{"type": "input_audio"}'),
        ),
    ],
)
def test_content_parts_are_typed_or_kept_whole(part: dict[str, Any], wanted: object) -> None:
    assert (
        say({"role": "user", "content": [part, {"type": "text", "text": ""}]}).messages[0].parts[0] == wanted
    )


@pytest.mark.parametrize(
    ("member", "marker", "ttl"),
    [
        ("cache_control", {"type": "ephemeral"}, None),
        ("cache_control", {"type": "ephemeral", "ttl": "1h"}, "1h"),
        ("prompt_cache_breakpoint", {"mode": "explicit", "ttl": "30m"}, "30m"),
        ("prompt_cache_breakpoint", {"mode": "explicit", "ttl": None}, None),
    ],
)
@pytest.mark.states("P-108")
def test_a_cache_marker_is_a_breakpoint_in_its_own_spelling(
    member: str, marker: Any, ttl: str | None
) -> None:
    message = {"role": "user", "content": [{"type": "text", "text": "a", member: marker}]}
    body = say(message)
    assert body.messages[0].parts[0].cache == Cache(ttl=ttl)
    written, dropped = CODEC.encode_request("m", False, body, PLAIN, False)
    assert (json.loads(written)["messages"], dropped) == ([message], ())


@pytest.mark.parametrize("marker", [5, {"ttl": 5}])
def test_a_cache_marker_that_is_none_is_kept_as_it_is(marker: object) -> None:
    part = (
        say({"role": "user", "content": [{"type": "text", "text": "a", "cache_control": marker}]})
        .messages[0]
        .parts[0]
    )
    assert part.cache is None
    assert marked(part.extra) == {"cache_control": json.dumps(marker)}


def test_a_marker_on_a_whole_message_is_one_after_its_last_part() -> None:
    message = {"role": "user", "content": "a", "cache_control": {"type": "ephemeral"}}
    body = say(message)
    assert body.messages[0].parts[0].cache == Cache()
    written, dropped = CODEC.encode_request("m", False, body, PLAIN, False)
    assert (json.loads(written)["messages"], dropped) == ([message], ())


# ---- the rest of a body ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wire", "wanted"),
    [
        ({"temperature": 1}, {"temperature": 1.0}),
        ({"top_p": 0.5}, {"top_p": 0.5}),
        ({"presence_penalty": 0.5}, {"presence_penalty": 0.5}),
        ({"frequency_penalty": -1}, {"frequency_penalty": -1.0}),
        ({"seed": 10**30}, {"seed": 10**30}),
        ({"parallel_tool_calls": False}, {"parallel": False}),
        ({"store": True}, {"store": True}),
        ({"verbosity": "low"}, {"verbosity": "low"}),
        ({"service_tier": "flex"}, {"service_tier": "flex"}),
        ({"metadata": {"a": "b"}}, {"metadata": {"a": "b"}}),
        ({"reasoning_effort": "none"}, {"reasoning": Reasoning(effort="none")}),
        ({"stop": ["a", "b"]}, {"stop": ("a", "b")}),
        ({"modalities": ["audio", "text"]}, {"output": frozenset({"text", "audio"})}),
        ({"audio": {"voice": "alloy"}}, {"voice": '{"voice": "alloy"}'}),
        ({"user": "u"}, {"user": "u"}),
        ({"tool_choice": "none"}, {"tool_choice": ToolChoice(mode="none")}),
        ({"response_format": {"type": "text"}}, {"format": OutputFormat(kind="text")}),
        ({"response_format": {"type": "json_object"}}, {"format": OutputFormat(kind="json")}),
        (
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "n", "schema": {"a": 1}, "strict": True},
                }
            },
            {"format": OutputFormat(kind="json_schema", name="n", schema='{"a": 1}', strict=True)},
        ),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, {"tools": (Tool(name="f"),)}),
        (
            {
                "tools": [
                    {
                        "function": {
                            "name": "f",
                            "parameters": {"type": "object"},
                            "strict": False,
                            "description": "d",
                        }
                    }
                ]
            },
            {"tools": (Tool(name="f", description="d", parameters='{"type": "object"}', strict=False),)},
        ),
        (
            {
                "tools": [
                    {
                        "type": "custom",
                        "custom": {"name": "g", "description": "d", "format": {"type": "text"}},
                    }
                ]
            },
            {"tools": (Tool(name="g", kind="custom", description="d", format='{"type": "text"}'),)},
        ),
    ],
)
def test_known_members_have_fields(wire: dict[str, Any], wanted: dict[str, Any]) -> None:
    body = ask(**wire)
    assert {name: getattr(body, name) for name in wanted} == wanted
    assert body.extra is None


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        ("any", ToolChoice(mode="required")),
        ({"type": "function", "function": {"name": "f"}}, ToolChoice(mode="required", names=("f",))),
        ({"type": "custom", "custom": {"name": "f"}}, ToolChoice(mode="required", names=("f",))),
        (
            {
                "type": "allowed_tools",
                "allowed_tools": {
                    "mode": "auto",
                    "tools": [{"type": "function", "function": {"name": "f"}}, 5],
                },
            },
            ToolChoice(mode="auto", names=("f",)),
        ),
        ({"type": "allowed_tools", "allowed_tools": {"mode": "required"}}, ToolChoice(mode="required")),
    ],
)
def test_tool_choice_is_read_in_all_its_forms(choice: object, wanted: ToolChoice) -> None:
    body = ask(tool_choice=choice)
    assert body.tool_choice == wanted
    written, _ = CODEC.encode_request("m", False, body, PLAIN, False)
    assert json.loads(written)["tool_choice"] == choice


def test_a_hosted_tool_is_named_by_its_type_and_kept() -> None:
    tool = {"type": "openrouter:web_search", "parameters": {"max": 1}, "cache_control": {"type": "ephemeral"}}
    body = ask(tools=[tool])
    assert (body.tools[0].name, body.tools[0].kind, body.tools[0].cache) == (tool["type"], "hosted", Cache())
    written, _ = CODEC.encode_request("m", False, body, PLAIN, False)
    assert json.loads(written)["tools"] == [tool]


@pytest.mark.parametrize(
    ("wire", "must"),
    [
        ({"n": 1}, set()),
        ({"n": 2}, {"n"}),
        ({"logprobs": False, "top_logprobs": 0}, set()),
        ({"logprobs": True, "top_logprobs": 2}, {"logprobs", "top_logprobs"}),
        ({"logit_bias": {}}, set()),
        ({"logit_bias": {"1": 2}}, {"logit_bias"}),
        ({"prediction": {"type": "content", "content": "x"}}, {"prediction"}),
        ({"functions": []}, set()),
        ({"functions": [{"name": "f"}], "function_call": "auto"}, {"functions"}),
        ({"functions": [{"name": "f"}], "function_call": {"name": "f"}}, {"functions", "function_call"}),
        ({"web_search_options": {}}, {"web_search_options"}),
        ({"moderation": {"model": "x"}}, {"moderation"}),
        ({"modalities": ["smell"]}, {"modalities"}),
        ({"response_format": {"type": "grammar"}}, {"response_format"}),
        ({"response_format": "json"}, {"response_format"}),
        ({"prompt_cache_key": "k", "top_k": 4, "x_new": {"a": 1}}, set()),
    ],
)
def test_unnamed_members_are_kept_and_those_that_change_the_answer_are_must(
    wire: dict[str, Any], must: set[str]
) -> None:
    extra = ask(**wire).extra
    assert {name: json.loads(value) for name, value in marked(extra).items()} == wire
    assert extra is not None
    assert extra.must == must


@pytest.mark.parametrize(
    ("wire", "wanted"),
    [
        ({"stream": True}, False),
        ({"stream": True, "stream_options": {}}, False),
        ({"stream": True, "stream_options": {"include_usage": True}}, True),
        ({"stream": True, "stream_options": {"include_usage": True, "include_obfuscation": False}}, True),
        ({"stream": True, "stream_options": {"include_usage": False}}, False),
        ({"stream": False, "stream_options": {"include_usage": True}}, False),
    ],
)
def test_usage_is_shown_only_in_a_stream_that_asks_for_it(wire: dict[str, Any], wanted: bool) -> None:
    body = ask(**wire)
    assert body.want_usage is wanted
    written, _ = CODEC.encode_request("m", wire["stream"], body, PLAIN, False)
    assert json.loads(written).get("stream_options", {}) == wire.get("stream_options", {})


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_the_limit_keeps_the_name_that_the_client_used(name: str) -> None:
    body = ask(**{name: 5})
    assert body.max_tokens == 5
    for dialect in DIALECTS.values():
        written, _ = CODEC.encode_request("m", False, body, dialect, False)
        assert json.loads(written)[name] == 5


def test_half_an_emoji_is_mended() -> None:
    data = b'{"messages":[{"role":"user","content":"\\ud83d \\ud83d\\ude00"}],"x":"\\ud83d"}'
    body = read(data)
    assert body.messages[0].text == "\ufffd \U0001f600"


def test_a_value_that_cannot_be_read_counts_as_one_that_changes_the_answer() -> None:
    extra = read(b'{"messages":[{"role":"user","content":"hi"}],"n":1e999}').extra
    assert extra is not None
    assert extra.must == {"n"}


def test_only_an_assistant_calls() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    (message,) = say({"role": "user", "content": "a", "tool_calls": [call]}).messages
    assert message.parts == (Text(text="a"),)
    assert json.loads(marked(message.extra)["tool_calls"]) == [call]


def test_of_two_limits_the_newer_name_counts_and_both_go_on() -> None:
    body = ask(max_tokens=5, max_completion_tokens=7)
    assert body.max_tokens == 7
    written, _ = CODEC.encode_request("m", False, body, PLAIN, False)
    assert (json.loads(written)["max_tokens"], json.loads(written)["max_completion_tokens"]) == (5, 7)


def test_of_two_names_of_the_user_both_go_on() -> None:
    assert ask(safety_identifier="s").user == "s"
    body = ask(user="u", safety_identifier="s")
    written, _ = CODEC.encode_request("m", False, body, PLAIN, False)
    assert body.user == "u"
    assert (json.loads(written)["user"], json.loads(written)["safety_identifier"]) == ("u", "s")


USUAL: list[dict[str, Any]] = [
    {"messages": [{"role": "user", "content": "hi"}]},
    {
        "messages": [
            {"role": "system", "content": "be kind"},
            {"role": "user", "content": "hi", "name": "ada"},
        ]
    },
    {
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
        ]
    },
    {
        "messages": [{"role": "user", "content": "é日"}],
        "temperature": 1,
        "top_p": 0.5,
        "seed": 7,
        "user": "u",
    },
    {"messages": [{"role": "user", "content": "x"}], "max_tokens": 5, "presence_penalty": -1},
    {"messages": [{"role": "user", "content": "x"}], "max_completion_tokens": 5, "frequency_penalty": 0},
    {"messages": [{"role": "user", "content": "x"}], "max_tokens": 5, "max_completion_tokens": 6},
    {"messages": [{"role": "user", "content": "x"}], "max_tokens": None, "temperature": None, "stream": None},
    {
        "messages": [{"role": "user", "content": "x"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    },
    {
        "messages": [{"role": "user", "content": "x"}],
        "stream": True,
        "stream_options": {"include_usage": False},
    },
    {
        "messages": [{"role": "user", "content": "x"}],
        "stream": False,
        "stream_options": {"include_usage": True},
    },
    {"messages": [{"role": "user", "content": "x"}], "stream": True, "stream_options": None},
    {"messages": [{"role": "user", "content": ""}, {"role": "assistant", "content": None}]},
    {
        "messages": [
            {"role": "user", "content": "x"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}],
            },
            {"role": "tool", "tool_call_id": "c", "content": "done"},
            {"role": "user", "content": "thanks"},
        ]
    },
    {"messages": [{"role": "function", "name": "f", "content": "legacy"}]},
    {"messages": [{"role": "user", "content": "x"}], "n": 1, "tools": []},
    {"messages": [{"role": "user", "content": "x"}], "temperature": "hot"},
    {"messages": [{"role": "nobody", "content": "x"}]},
    {"messages": []},
    {"messages": "nothing"},
    {},
]


@pytest.mark.parametrize("members", USUAL, ids=[f"row{at}" for at in range(len(USUAL))])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_short_way_says_what_the_long_one_says(members: dict[str, Any], ascii_only: bool) -> None:
    data = json.dumps({"model": "m", **members}, ensure_ascii=ascii_only).encode()

    def outcome(read: Any, given: Any) -> Any:
        try:
            return read(given)
        except InvalidRequest as error:
            return error.param, error.message

    short = outcome(decode_request, Source(protocol="openai-chat", body=data, headers=Headers.of({})))
    assert short == outcome(layered, data)
