"""Requests written for a provider: what other protocols said is translated, reported, or refused by name."""

import json
from typing import Any

import pytest

from turnout.model import (
    Body,
    Cache,
    Citation,
    Extension,
    Extra,
    File,
    Inline,
    Media,
    Message,
    Opaque,
    OutputFormat,
    Reasoning,
    Refusal,
    Seal,
    Source,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Url,
)
from turnout.model.errors import Unsupported
from turnout.wire.chat import CODEC, DIALECTS, ChatDialect
from turnout.wire.codec import foreign

PLAIN = DIALECTS[""]
HI = Message(role="user", parts=(Text(text="hi"),))
PNG = Inline(media_type="image/png", data="AA==")


def foreign_extra(**members: str) -> Extra:
    return Extra(protocol="anthropic-messages", members=members)


def write(
    *messages: Message, dialect: ChatDialect = PLAIN, stream: bool = False, ask: bool = False, **rest: Any
) -> tuple[dict[str, Any], tuple[str, ...]]:
    options: dict[str, Any] = {"want_usage": False, **rest}
    body = Body(messages=messages or (HI,), **options)
    data, dropped = CODEC.encode_request("m", stream, body, dialect, ask)
    return json.loads(data), dropped


def said(*parts: Any, role: Any = "assistant", **more: Any) -> Message:
    return Message(role=role, parts=parts, **more)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ({"temperature": 0.5}, {"temperature": 0.5}),
        ({"max_tokens": 5}, {"max_tokens": 5}),
        ({"stop": ("a",)}, {"stop": ["a"]}),
        ({"parallel": False}, {"parallel_tool_calls": False}),
        ({"user": "u"}, {"user": "u"}),
        ({"metadata": {"a": "b"}}, {"metadata": {"a": "b"}}),
        (
            {"output": frozenset({"audio", "text"}), "voice": '{"voice":"x"}'},
            {"modalities": ["text", "audio"], "audio": {"voice": "x"}},
        ),
        ({"reasoning": Reasoning(effort="low")}, {"reasoning_effort": "low"}),
        ({"reasoning": Reasoning(mode="off")}, {"reasoning_effort": "none"}),
        ({"reasoning": Reasoning()}, {}),
        (
            {"tools": (Tool(name="f", strict=True),)},
            {"tools": [{"type": "function", "function": {"name": "f", "strict": True}}]},
        ),
        (
            {"tools": (Tool(name="g", kind="custom", format='{"type":"text"}'),)},
            {"tools": [{"type": "custom", "custom": {"name": "g", "format": {"type": "text"}}}]},
        ),
        (
            {
                "tools": (Tool(name="g", kind="custom"),),
                "tool_choice": ToolChoice(mode="required", names=("g",)),
            },
            {
                "tools": [{"type": "custom", "custom": {"name": "g"}}],
                "tool_choice": {"type": "custom", "custom": {"name": "g"}},
            },
        ),
        ({"tool_choice": ToolChoice(mode="auto")}, {"tool_choice": "auto"}),
        ({"tool_choice": ToolChoice(mode="none", names=("f",))}, {"tool_choice": "none"}),
        (
            {"tool_choice": ToolChoice(mode="required", names=("f",))},
            {"tool_choice": {"type": "function", "function": {"name": "f"}}},
        ),
        (
            {"tool_choice": ToolChoice(mode="required", names=("f", "g"))},
            {
                "tool_choice": {
                    "type": "allowed_tools",
                    "allowed_tools": {
                        "mode": "required",
                        "tools": [
                            {"type": "function", "function": {"name": "f"}},
                            {"type": "function", "function": {"name": "g"}},
                        ],
                    },
                }
            },
        ),
        ({"format": OutputFormat(kind="text")}, {"response_format": {"type": "text"}}),
        ({"format": OutputFormat(kind="json")}, {"response_format": {"type": "json_object"}}),
        (
            {"format": OutputFormat(kind="json_schema", schema='{"a": 1.50}', description="d", strict=True)},
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {
                        "name": "answer",
                        "description": "d",
                        "schema": {"a": 1.5},
                        "strict": True,
                    },
                }
            },
        ),
        (
            {"format": OutputFormat(kind="json_schema", name="n")},
            {"response_format": {"type": "json_schema", "json_schema": {"name": "n"}}},
        ),
    ],
)
def test_what_the_model_says_has_a_member(body: dict[str, Any], wanted: dict[str, Any]) -> None:
    wire, dropped = write(**body)
    assert {name: wire[name] for name in wire if name not in ("model", "messages")} == wanted
    assert dropped == ()


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"top_k": 4}, ("top_k",)),
        ({"cache": Cache()}, ("cache_control",)),
        ({"extensions": {"x-ui": "{}"}}, ("x-ui",)),
        ({"extra": foreign_extra(thinking="{}", **{"~form": "1"})}, ("thinking",)),
        ({"reasoning": Reasoning(mode="adaptive")}, ("reasoning.mode",)),
        ({"reasoning": Reasoning(effort="low", show="full")}, ("reasoning.show",)),
        (
            {
                "tools": (
                    Tool(name="f", output_schema="{}", cache=Cache(), extra=foreign_extra(eager="true")),
                )
            },
            ("eager", "output_schema", "cache_control"),
        ),
        ({"messages": (said(Text(text="a"), phase="final", extra=foreign_extra(x="1")),)}, ("x", "phase")),
        ({"messages": (said(Thinking(text="hm"), Text(text="a")),)}, ("reasoning",)),
        (
            {
                "messages": (
                    said(Thinking(seal=Seal(issuer="anthropic-messages", kind="signature", data="s"))),
                )
            },
            ("reasoning", "signature"),
        ),
        (
            {
                "messages": (
                    said(
                        Text(
                            text="a",
                            citations=(Citation(kind="url"),),
                            cache=Cache(),
                            seal=Seal(issuer="gemini", kind="signature", data="s"),
                        )
                    ),
                )
            },
            ("signature", "citations", "cache_control"),
        ),
        ({"messages": (said(ToolCall(call_id="c", name="f", namespace="n")),)}, ("namespace",)),
    ],
)
def test_hints_of_other_protocols_are_dropped_and_reported(
    body: dict[str, Any], names: tuple[str, ...]
) -> None:
    messages = body.pop("messages", (HI,))
    _, dropped = write(*messages, **body)
    assert dropped == names


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"previous": "resp_1"}, "previous_response_id"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"background": True}, "background"),
        (
            {
                "extra": Extra(
                    protocol="gemini", members={"candidateCount": "2"}, must=frozenset({"candidateCount"})
                )
            },
            "candidateCount",
        ),
        ({"tools": (Tool(name="f", namespace="n"),)}, "tools[0].namespace"),
        ({"tools": (Tool(name="web_search", kind="hosted", extra=foreign_extra(x="1")),)}, "tools[0].type"),
        (
            {"messages": (said(Opaque(protocol="gemini", kind="executableCode", body="{}")),)},
            "executableCode",
        ),
        ({"messages": (said(Extension(name="ui", data="{}")),)}, "extension"),
        ({"messages": (said(ToolCall(call_id="c", name="f"), role="user"),)}, "tool_call"),
        ({"messages": (said(Text(text="a"), role="tool"),)}, "messages"),
        (
            {"messages": (said(Media(kind="image", source=File(ref="f", owner="gemini")), role="user"),)},
            "file",
        ),
        (
            {"messages": (said(Media(kind="document", source=File(ref="f", owner="gemini")), role="user"),)},
            "file",
        ),
        (
            {"messages": (said(Media(kind="audio", source=Url(url="https://example.test")), role="user"),)},
            "input_audio",
        ),
        (
            {"messages": (said(Media(kind="audio", source=Inline(media_type="audio/wav", data="AA"))),)},
            "audio",
        ),
        (
            {
                "messages": (
                    said(
                        Text(
                            text="a",
                            extra=Extra(protocol="gemini", members={"x": "1"}, must=frozenset({"x"})),
                        )
                    ),
                )
            },
            "x",
        ),
    ],
)
def test_what_cannot_be_said_is_refused_by_name(body: dict[str, Any], param: str) -> None:
    messages = body.pop("messages", (HI,))
    with pytest.raises(Unsupported) as refused:
        write(*messages, **body)
    assert refused.value.param == param


def test_members_of_the_same_protocol_are_no_loss() -> None:
    extra = Extra(protocol="openai-chat", members={"n": "2"}, must=frozenset({"n"}))
    assert foreign(extra, "openai-chat") == foreign(None, "openai-chat") == ()
    wire, dropped = write(extra=extra)
    assert (wire["n"], dropped) == (2, ())


@pytest.mark.parametrize(
    ("budget", "effort"), [(1, "low"), (2_048, "low"), (8_000, "medium"), (8_193, "high"), (64_000, "high")]
)
def test_a_budget_becomes_the_nearest_effort_and_is_reported(budget: int, effort: str) -> None:
    wire, dropped = write(reasoning=Reasoning(mode="on", budget=budget))
    assert (wire["reasoning_effort"], dropped) == (effort, ("reasoning.budget",))
    wire, _ = write(reasoning=Reasoning(effort="max", budget=budget))
    assert wire["reasoning_effort"] == "max"


@pytest.mark.parametrize(
    ("dialect", "limit"), [("", "max_tokens"), ("openai", "max_completion_tokens"), ("mistral", "max_tokens")]
)
def test_a_limit_without_a_spelling_takes_the_dialects_name(dialect: str, limit: str) -> None:
    wire, _ = write(dialect=DIALECTS[dialect], max_tokens=9)
    assert wire[limit] == 9


@pytest.mark.states("K17")
@pytest.mark.parametrize(
    ("dialect", "stream", "want", "ask", "options"),
    [
        ("", True, False, False, None),
        ("", True, True, False, {"include_usage": True}),
        ("", True, False, True, {"include_usage": True}),
        ("", False, True, True, None),
        ("mistral", True, False, True, None),
    ],
)
def test_usage_is_asked_for_where_it_does_not_come_by_itself(
    dialect: str, stream: bool, want: bool, ask: bool, options: Any
) -> None:
    wire, _ = write(dialect=DIALECTS[dialect], stream=stream, ask=ask, want_usage=want)
    assert wire.get("stream_options") == options
    assert wire.get("stream", False) is stream


def test_asking_for_usage_keeps_the_clients_other_options() -> None:
    extra = Extra(protocol="openai-chat", members={"~stream_options": '{"include_obfuscation": false}'})
    wire, _ = write(stream=True, ask=True, extra=extra)
    assert wire["stream_options"] == {"include_obfuscation": False, "include_usage": True}


def test_a_developer_is_a_system_where_the_role_does_not_exist() -> None:
    message = Message(role="developer", parts=(Text(text="be brief"),))
    assert write(message)[0]["messages"][0]["role"] == "developer"
    assert write(message, dialect=DIALECTS["mistral"])[0]["messages"][0]["role"] == "system"


@pytest.mark.states("P-100", "P-104")
def test_an_assistant_that_only_calls_has_null_content() -> None:
    wire, _ = write(said(ToolCall(call_id="c", name="f", arguments='{"a": 1.50}')))
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1.50}'}}
    assert wire["messages"] == [{"role": "assistant", "content": None, "tool_calls": [call]}]


def test_parts_of_a_turn_take_the_places_that_the_protocol_has() -> None:
    wire, _ = write(
        said(
            Thinking(summary=("one", "two")),
            Text(text="a"),
            ToolCall(call_id="c", name="f", kind="custom", arguments="go"),
            Text(text="b"),
            Refusal(text="no"),
            Refusal(text="never"),
            Media(kind="audio", id="audio_1", source=File(ref="audio_1")),
            name="al",
        ),
        dialect=DIALECTS["deepseek"],
    )
    assert wire["messages"] == [
        {
            "role": "assistant",
            "name": "al",
            "reasoning_content": "one\n\ntwo",
            "content": [
                {"type": "text", "text": "a"},
                {"type": "text", "text": "b"},
                {"type": "refusal", "refusal": "never"},
            ],
            "refusal": "no",
            "audio": {"id": "audio_1"},
            "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "f", "input": "go"}}],
        }
    ]


def test_a_seal_goes_back_to_its_issuer_only() -> None:
    seal = Seal(issuer="openai-chat:openrouter", kind="signature", data='[{"signature":"s"}]')
    message = said(Thinking(text="hm", seal=seal), Text(text="a"))
    wire, dropped = write(message, dialect=DIALECTS["openrouter"])
    assert wire["messages"][0] == {
        "role": "assistant",
        "content": "a",
        "reasoning": "hm",
        "reasoning_details": [{"signature": "s"}],
    }
    assert dropped == ()
    wire, dropped = write(message, dialect=DIALECTS["groq"])
    assert "reasoning_details" not in wire["messages"][0]
    assert dropped == ("signature",)


def test_a_cache_breakpoint_takes_the_dialects_spelling() -> None:
    message = Message(
        role="user", parts=(Text(text="a", cache=Cache(ttl="1h")), Text(text="b", cache=Cache()))
    )
    for name, first, second in (
        (
            "openrouter",
            {"cache_control": {"type": "ephemeral", "ttl": "1h"}},
            {"cache_control": {"type": "ephemeral"}},
        ),
        (
            "openai",
            {"prompt_cache_breakpoint": {"mode": "explicit"}},
            {"prompt_cache_breakpoint": {"mode": "explicit"}},
        ),
    ):
        wire, dropped = write(message, dialect=DIALECTS[name])
        assert wire["messages"][0]["content"] == [
            {"type": "text", "text": "a", **first},
            {"type": "text", "text": "b", **second},
        ]
        assert dropped == (("cache_control.ttl",) if name == "openai" else ())


def test_a_remembered_form_that_no_longer_agrees_is_not_written() -> None:
    def form(name: str, json_text: str) -> Extra:
        return Extra(protocol="openai-chat", members={f"~{name}": json_text})

    wire, _ = write(extra=form("tool_choice", '"any"'), tool_choice=ToolChoice(mode="none"))
    assert wire["tool_choice"] == "none"
    stale = form("response_format", '{"type":"json_object","schema":{}}')
    wire, _ = write(extra=stale, format=OutputFormat(kind="text"))
    assert wire["response_format"] == {"type": "text"}
    text = Text(text="a", cache=Cache(ttl="1h"), extra=form("cache_control", '{"type":"ephemeral"}'))
    wire, _ = write(Message(role="user", parts=(text,)), dialect=DIALECTS["openrouter"])
    assert wire["messages"][0]["content"][0]["cache_control"]["ttl"] == "1h"
    thought = Thinking(text="new", extra=form("thinking", '"old"'))
    wire, _ = write(said(thought, Text(text="a")))
    assert wire["messages"][0]["content"][0] == {
        "type": "thinking",
        "thinking": [{"type": "text", "text": "new"}],
    }
    whole = Text(text="a", cache=Cache(ttl="1h"), extra=form("message.cache_control", '{"type":"ephemeral"}'))
    assert "cache_control" not in write(Message(role="user", parts=(whole,)))[0]["messages"][0]


@pytest.mark.states("K12")
def test_media_in_results_of_other_protocols_follow_the_run_of_tool_messages() -> None:
    image = Media(kind="image", source=PNG)
    link = Media(kind="image", source=Url(url="https://example.test/b.png"))
    wire, _ = write(
        Message(
            role="tool",
            parts=(
                ToolResult(call_id="a", parts=(Text(text="see"), image), name="f"),
                ToolResult(call_id="b", parts=(link,)),
                ToolResult(call_id="c", structured='{"n": 1}'),
                ToolResult(call_id="d"),
            ),
        )
    )
    first, second, third, fourth, last = wire["messages"]
    assert (first["tool_call_id"], first["name"]) == ("a", "f")
    assert [part["text"] for part in first["content"]] == [
        "see",
        "[image (image/png) 1 of the tool results is in the next message]",
    ]
    assert second["content"] == "[image 2 of the tool results is in the next message]"
    assert third["content"] == '{"n": 1}'
    assert fourth["content"] == ""
    assert last["role"] == "user"
    assert [part["image_url"]["url"] for part in last["content"]] == [
        "data:image/png;base64,AA==",
        "https://example.test/b.png",
    ]


def test_media_are_written_in_their_own_types() -> None:
    wire, _ = write(
        Message(
            role="user",
            parts=(
                Media(kind="image", source=PNG, detail="low"),
                Media(kind="video", source=Url(url="https://example.test/v")),
                Media(kind="audio", source=Inline(media_type="audio/mpeg", data="AA")),
                Media(kind="audio", source=Inline(media_type="audio/wav", data="AA")),
                Media(kind="document", source=Inline(media_type="application/pdf", data="AA"), name="a.pdf"),
                Media(kind="document", source=File(ref="file-1", owner="openai-chat")),
            ),
        )
    )
    assert wire["messages"][0]["content"] == [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA==", "detail": "low"}},
        {"type": "video_url", "video_url": {"url": "https://example.test/v"}},
        {"type": "input_audio", "input_audio": {"data": "AA", "format": "mp3"}},
        {"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}},
        {"type": "file", "file": {"file_data": "data:application/pdf;base64,AA", "filename": "a.pdf"}},
        {"type": "file", "file": {"file_id": "file-1"}},
    ]


def test_the_table_of_dialects_has_one_row_a_name_and_no_shared_issuer() -> None:
    assert all(row.name == name for name, row in DIALECTS.items())
    issuers = [row.issuer for row in DIALECTS.values()]
    assert len(set(issuers)) == len(issuers)
    assert PLAIN.issuer == "openai-chat"


@pytest.mark.parametrize("role", ["assistant", "system", "developer"])
@pytest.mark.parametrize("kind", ["image", "video", "document"])
def test_media_of_others_stand_in_messages_of_the_user_only(role: Any, kind: Any) -> None:
    with pytest.raises(Unsupported) as raised:
        write(HI, said(Media(kind=kind, source=PNG), role=role))
    assert raised.value.param == f"messages.{kind}"


@pytest.mark.parametrize("role", ["assistant", "system", "developer"])
def test_media_that_a_chat_client_put_elsewhere_go_where_they_were(role: str) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    wire = {"model": "m", "messages": [{"role": role, "content": [{"type": "text", "text": "a"}, image]}]}
    body = CODEC.decode_request(Source(protocol="openai-chat", body=json.dumps(wire).encode()))
    data, dropped = CODEC.encode_request("m", False, body, PLAIN, False)
    assert (json.loads(data), dropped) == (wire, ())


def test_thoughts_in_instructions_have_no_place() -> None:
    with pytest.raises(Unsupported) as raised:
        write(said(Thinking(text="hm"), role="system"), HI)
    assert raised.value.param == "thinking"
