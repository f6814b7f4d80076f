"""Requests read and written again: the same after a round, and those of other protocols in the terms of this one."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.model.strategies import bodies
from tests.wire.responses_strategies import requests
from turnout.model import (
    Body,
    Cache,
    Extra,
    Media,
    Message,
    OutputFormat,
    ProtocolName,
    Reasoning,
    Source,
    Text,
    Tool,
    ToolChoice,
    Url,
)
from turnout.model.errors import InvalidRequest, TurnoutError, Unsupported
from turnout.wire.codec import codec
from turnout.wire.responses import CODEC
from turnout.wire.responses.dialect import DIALECTS


def decode(wire: Any) -> Body:
    body = wire if isinstance(wire, bytes) else json.dumps(wire, ensure_ascii=False).encode()
    return CODEC.decode_request(Source(protocol="openai-responses", body=body))


def encode(body: Body, dialect: str = "", stream: bool = False) -> tuple[dict[str, Any], tuple[str, ...]]:
    data, dropped = CODEC.encode_request("m", stream, body, DIALECTS[dialect], True)
    return json.loads(data), dropped


USER = Message(role="user", parts=(Text(text="hi"),))


# ---- laws ------------------------------------------------------------------------------------------------------------


@given(requests)
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=150)
def test_a_request_says_the_same_after_a_round(wire: dict[str, Any]) -> None:
    body = decode(wire)
    again, dropped = encode(body, stream=wire.get("stream", False))
    assert decode(again) == body
    assert dropped == ()


@given(requests)
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=150)
def test_a_rewritten_request_differs_in_nothing(wire: dict[str, Any]) -> None:
    again, _ = encode(decode(wire), stream=wire.get("stream", False))
    said = {name: value for name, value in wire.items() if value is not None and value not in ([], {}, False)}
    again = {name: value for name, value in again.items() if value not in ([], {}, False)}
    assert again == {**said, "model": "m"}


@given(bodies, st.sampled_from(sorted(DIALECTS)))
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=200)
def test_whatever_is_asked_is_said_or_refused_by_name(body: Body, dialect: str) -> None:
    try:
        _, told = encode(body, dialect)
    except TurnoutError as error:
        told = (error.param or "",)
    assert all(told)


# ---- what is read ----------------------------------------------------------------------------------------------------


def test_the_simplest_request_is_one_message_of_the_user() -> None:
    body = decode({"model": "m", "input": "hi"})
    assert body.messages == (USER,)
    assert encode(body)[0] == {"model": "m", "input": "hi"}


def test_instructions_lead_and_go_back_to_their_place() -> None:
    body = decode({"model": "m", "instructions": "be brief", "input": "hi"})
    assert [(message.role, message.text) for message in body.messages] == [
        ("system", "be brief"),
        ("user", "hi"),
    ]
    assert encode(body)[0] == {"model": "m", "instructions": "be brief", "input": "hi"}


def test_what_a_step_changes_is_all_that_differs() -> None:
    wire = {"model": "m", "input": "hi", "user": "u", "reasoning": {"effort": "low", "summary": "detailed"}}
    body = msgspec.structs.replace(decode(wire), temperature=0.5)
    assert encode(body)[0] == {**wire, "temperature": 0.5}
    harder = msgspec.structs.replace(body, reasoning=Reasoning(effort="high", show="summary"))
    assert encode(harder)[0]["reasoning"] == {"effort": "high", "summary": "auto"}


def test_halves_of_characters_are_read() -> None:
    body = decode(b'{"model":"m","input":"a\\ud83d"}')
    assert body.messages[0].text == "a\N{REPLACEMENT CHARACTER}"


def test_null_is_unsaid() -> None:
    names = [
        "temperature",
        "tools",
        "tool_choice",
        "reasoning",
        "text",
        "user",
        "conversation",
        "x",
        "metadata",
    ]
    body = decode({"model": "m", "input": "x", **dict.fromkeys(names)})
    assert body == decode({"model": "m", "input": "x"})


def test_input_that_a_step_made_longer_is_a_list() -> None:
    body = decode({"model": "m", "input": "x"})
    other = Message(role="user", parts=(Text(text="y", cache=Cache()),))
    assert (
        encode(msgspec.structs.replace(body, messages=(USER, USER)))[0]["input"][1]["content"][0]["text"]
        == "hi"
    )
    assert isinstance(encode(msgspec.structs.replace(body, messages=(other,)))[0]["input"], list)
    assert isinstance(encode(msgspec.structs.replace(body, messages=(_seen(),)))[0]["input"], list)


def _seen() -> Message:
    return Message(role="user", parts=(Media(kind="image", source=Url(url="u")),))


def test_an_effort_that_a_step_takes_away_is_gone() -> None:
    body = decode({"model": "m", "input": "x", "reasoning": {"effort": "low", "mode": "pro"}})
    assert encode(msgspec.structs.replace(body, reasoning=Reasoning()))[0]["reasoning"] == {"mode": "pro"}


def test_both_names_of_the_user_are_kept() -> None:
    wire = {"model": "m", "input": "x", "user": "a", "safety_identifier": "b"}
    assert decode(wire).user == "a"
    assert encode(decode(wire))[0] == wire
    one = {"model": "m", "input": "x", "safety_identifier": "b"}
    assert decode(one).user == "b"
    assert encode(decode(one))[0] == one


@pytest.mark.parametrize(
    ("wire", "param"),
    [
        (b"5", None),
        (b"{", None),
        (b"\xff", None),
        ({"input": 5}, "input"),
        ({}, "input"),
        ({"instructions": 5, "input": "x"}, "instructions"),
        ({"temperature": "hot", "input": "x"}, "temperature"),
        ({"background": 5, "input": "x"}, "background"),
        ({"metadata": {"a": 5}, "input": "x"}, "metadata"),
        ({"user": 5, "input": "x"}, "user"),
        ({"safety_identifier": 5, "input": "x"}, "safety_identifier"),
        ({"conversation": 5, "input": "x"}, "conversation"),
        ({"conversation": {"x": 1}, "input": "x"}, "conversation"),
        ({"reasoning": 5, "input": "x"}, "reasoning"),
        ({"reasoning": {"effort": 5}, "input": "x"}, "reasoning.effort"),
        ({"reasoning": {"summary": 5}, "input": "x"}, "reasoning.summary"),
        ({"text": 5, "input": "x"}, "text"),
        ({"text": {"verbosity": 5}, "input": "x"}, "text.verbosity"),
        ({"text": {"format": 5}, "input": "x"}, "text.format"),
        ({"text": {"format": {"type": "json_schema", "name": 5}}, "input": "x"}, "text.format.name"),
        ({"text": {"format": {"type": "json_schema", "strict": 5}}, "input": "x"}, "text.format.strict"),
        ({"tool_choice": "maybe", "input": "x"}, "tool_choice"),
        ({"tool_choice": 5, "input": "x"}, "tool_choice"),
        ({"tool_choice": {}, "input": "x"}, "tool_choice"),
        ({"tool_choice": {"type": "function"}, "input": "x"}, "tool_choice"),
        (
            {"tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [5]}, "input": "x"},
            "tool_choice",
        ),
        ({"tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": 5}, "input": "x"}, "tool_choice"),
        ({"tool_choice": {"type": "allowed_tools", "mode": "x", "tools": []}, "input": "x"}, "tool_choice"),
        ({"tools": 5, "input": "x"}, "tools"),
        ({"tools": [5], "input": "x"}, "tools[0]"),
        ({"tools": [{"name": "f"}], "input": "x"}, "tools[0].type"),
        ({"tools": [{"type": "function"}], "input": "x"}, "tools[0].name"),
        ({"tools": [{"type": "function", "name": "f", "strict": 5}], "input": "x"}, "tools[0].strict"),
        (
            {"tools": [{"type": "function", "name": "f", "description": 5}], "input": "x"},
            "tools[0].description",
        ),
        ({"tools": [{"type": "namespace", "tools": [], "name": 5}], "input": "x"}, "tools[0].name"),
        (
            {"tools": [{"type": "namespace", "name": "n", "tools": [{"type": "mcp"}]}], "input": "x"},
            "tools[0].tools[0].type",
        ),
    ],
)
def test_what_is_malformed_is_named(wire: Any, param: str | None) -> None:
    with pytest.raises(InvalidRequest) as raised:
        decode(wire if isinstance(wire, bytes) else {"model": "m", **wire})
    assert raised.value.param == param


@pytest.mark.parametrize("name", ["previous_response_id", "conversation", "prompt"])
def test_a_request_may_say_nothing_new_where_something_else_does(name: str) -> None:
    body = decode({"model": "m", name: "x"})
    assert body.messages == ()
    assert encode(body)[0] == {"model": "m", name: "x"}


@pytest.mark.parametrize(
    ("member", "must"),
    [
        ({"include": ["reasoning.encrypted_content", "web_search_call.results"]}, False),
        ({"include": ["message.output_text.logprobs"]}, True),
        ({"include": 5}, True),
        ({"truncation": "disabled"}, False),
        ({"truncation": "auto"}, False),
        ({"top_logprobs": 0}, False),
        ({"top_logprobs": 2}, True),
        ({"max_tool_calls": 3}, True),
        ({"prompt": {"id": "p"}}, True),
        ({"context_management": []}, False),
        ({"context_management": [{"type": "compaction"}]}, True),
        ({"text": {"format": {"type": "x_format"}}}, True),
        ({"prompt_cache_key": "k"}, False),
        ({"client_metadata": {"a": "b"}}, False),
    ],
)
def test_what_would_change_the_answer_is_refused_elsewhere_by_its_name(
    member: dict[str, Any], must: bool
) -> None:
    chat = codec("openai-chat")
    body = decode({"model": "m", "input": "x", **member})
    (name,) = member
    if must:
        with pytest.raises(Unsupported) as raised:
            chat.encode_request("m", False, body, chat.dialects[""], True)
        assert raised.value.param == name
    else:
        _, dropped = chat.encode_request("m", False, body, chat.dialects[""], True)
        assert dropped == (name,)


@pytest.mark.parametrize("protocol", ["openai-chat", "anthropic-messages", "gemini"])
def test_cutting_a_history_that_is_too_long_is_left_to_the_model_and_reported(protocol: ProtocolName) -> None:
    other = codec(protocol)
    body = decode({"model": "m", "input": "x", "truncation": "auto"})
    _, dropped = other.encode_request("m", False, body, other.dialects[""], True)
    assert "truncation" in dropped


@pytest.mark.parametrize("hosted", [{"type": "tool_search"}, {"type": "x:search"}])
@pytest.mark.parametrize("protocol", ["openai-chat", "anthropic-messages", "gemini"])
def test_a_hosted_tool_that_says_no_more_than_its_type_stays_with_its_maker(
    protocol: ProtocolName, hosted: dict[str, Any]
) -> None:
    body = decode({"model": "m", "input": "x", "tools": [hosted]})
    assert encode(body)[0]["tools"] == [hosted]
    other = codec(protocol)
    with pytest.raises(Unsupported):
        other.encode_request("m", False, body, other.dialects[""], True)


def test_there_is_no_store_to_continue_from_in_another_protocol() -> None:
    chat = codec("openai-chat")
    body = decode({"model": "m", "input": "x", "previous_response_id": "resp_1"})
    with pytest.raises(Unsupported) as raised:
        chat.encode_request("m", False, body, chat.dialects[""], True)
    assert raised.value.param == "previous_response_id"


# ---- what other protocols say ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "sent", "dropped"), [(5, 16, ("max_tokens",)), (16, 16, ()), (99, 99, ())])
def test_a_limit_below_the_least_that_openai_takes_is_raised_to_it_and_reported(
    given: int, sent: int, dropped: tuple[str, ...]
) -> None:
    spoken = codec("openai-responses")
    body = Body(messages=(Message(role="user", parts=(Text(text="hi"),)),), max_tokens=given)
    data, left = spoken.encode_request("m", False, body, spoken.dialects["openai"], True)
    assert (json.loads(data)["max_output_tokens"], left) == (sent, dropped)
    own = decode({"model": "m", "input": "x", "max_output_tokens": given})
    assert (
        json.loads(spoken.encode_request("m", False, own, spoken.dialects["openai"], True)[0])[
            "max_output_tokens"
        ]
        == given
    )


@pytest.mark.parametrize("name", ["openai", "vllm"])
def test_a_cache_breakpoint_goes_only_where_one_is_taken(name: str) -> None:
    spoken = codec("openai-responses")
    marked = Text(text="x", cache=Cache())
    body = Body(
        messages=(
            Message(role="user", parts=(marked,)),
            Message(role="assistant", parts=(marked,)),
            Message(role="user", parts=(Text(text="y"),)),
        ),
        tools=(Tool(name="f", cache=Cache()),),
    )
    data, dropped = spoken.encode_request("m", False, body, spoken.dialects[name], True)
    wire = json.loads(data)
    marks = ["prompt_cache_breakpoint" in json.dumps(each) for each in (*wire["input"], *wire["tools"])]
    assert marks == [name == "openai", False, False, False]
    assert dropped == ("cache_control",)


@pytest.mark.parametrize(
    ("said", "wire", "dropped"),
    [
        ({}, {}, ()),
        ({"max_tokens": 5, "parallel": False}, {"max_output_tokens": 5, "parallel_tool_calls": False}, ()),
        ({"seed": 1, "top_k": 2, "cache": Cache()}, {}, ("seed", "top_k", "cache_control")),
        ({"presence_penalty": 1.0}, {}, ("presence_penalty",)),
        ({"stop": (" ",)}, {}, ("stop",)),
        ({"extensions": {"x-ui": "1"}}, {}, ("x-ui",)),
        ({"store": True, "user": "u"}, {"store": True, "user": "u"}, ()),
        ({"reasoning": Reasoning(effort="low")}, {"reasoning": {"effort": "low"}}, ()),
        ({"reasoning": Reasoning(mode="off")}, {"reasoning": {"effort": "none"}}, ()),
        ({"reasoning": Reasoning(mode="on")}, {}, ("reasoning.mode",)),
        ({"reasoning": Reasoning(budget=5_000)}, {"reasoning": {"effort": "medium"}}, ("reasoning.budget",)),
        (
            {"reasoning": Reasoning(budget=9_000, effort="max", show="full")},
            {"reasoning": {"effort": "max", "summary": "auto"}},
            ("reasoning.budget",),
        ),
        ({"format": OutputFormat(kind="json")}, {"text": {"format": {"type": "json_object"}}}, ()),
        (
            {"format": OutputFormat(kind="json_schema", description="d", strict=True), "verbosity": "low"},
            {
                "text": {
                    "format": {
                        "type": "json_schema",
                        "name": "answer",
                        "description": "d",
                        "schema": {},
                        "strict": True,
                    },
                    "verbosity": "low",
                }
            },
            (),
        ),
        (
            {"tools": (Tool(name="f", description="d"),)},
            {
                "tools": [
                    {"type": "function", "name": "f", "description": "d", "parameters": None, "strict": False}
                ]
            },
            (),
        ),
        (
            {
                "tools": (
                    Tool(name="f", kind="custom", format='{"type":"grammar","grammar":{"syntax":"lark"}}'),
                )
            },
            {"tools": [{"type": "custom", "name": "f", "format": {"type": "grammar", "syntax": "lark"}}]},
            (),
        ),
        (
            {"tools": (Tool(name="f", namespace="n", parameters="{}", strict=True),)},
            {
                "tools": [
                    {
                        "type": "namespace",
                        "name": "n",
                        "description": "n",
                        "tools": [{"type": "function", "name": "f", "parameters": {}, "strict": True}],
                    }
                ]
            },
            (),
        ),
        (
            {
                "tools": (
                    Tool(name="f", namespace="n", parameters="{}", strict=True),
                    Tool(name="g", namespace="n", parameters="{}", strict=True),
                    Tool(name="f", namespace="o", parameters="{}", strict=True),
                )
            },
            {
                "tools": [
                    {
                        "type": "namespace",
                        "name": "n",
                        "description": "n",
                        "tools": [
                            {"type": "function", "name": "f", "parameters": {}, "strict": True},
                            {"type": "function", "name": "g", "parameters": {}, "strict": True},
                        ],
                    },
                    {
                        "type": "namespace",
                        "name": "o",
                        "description": "o",
                        "tools": [{"type": "function", "name": "f", "parameters": {}, "strict": True}],
                    },
                ]
            },
            (),
        ),
        (
            {"tools": (Tool(name="f", cache=Cache(ttl="1h")),)},
            {"tools": [{"type": "function", "name": "f", "parameters": None, "strict": False}]},
            ("cache_control",),
        ),
        (
            {"tool_choice": ToolChoice(mode="required", names=("f",))},
            {"tool_choice": {"type": "function", "name": "f"}},
            (),
        ),
        (
            {
                "tool_choice": ToolChoice(mode="auto", names=("f", "web")),
                "tools": (Tool(name="web", kind="hosted"),),
            },
            {
                "tools": [{"type": "web"}],
                "tool_choice": {
                    "type": "allowed_tools",
                    "mode": "auto",
                    "tools": [{"type": "function", "name": "f"}, {"type": "web"}],
                },
            },
            (),
        ),
        ({"tool_choice": ToolChoice(mode="none", names=("f",))}, {"tool_choice": "none"}, ()),
    ],
)
def test_other_protocols_are_told_in_the_terms_of_this_one(
    said: dict[str, Any], wire: dict[str, Any], dropped: tuple[str, ...]
) -> None:
    got, left_out = encode(Body(messages=(USER,), **said))
    got.pop("input")
    assert got == {"model": "m", "store": False, **wire}
    assert left_out == dropped


@pytest.mark.parametrize(
    ("said", "param"),
    [
        ({"output": frozenset({"text", "audio"})}, "modalities"),
        ({"voice": "{}"}, "audio"),
        ({"stop": ("END",)}, "stop"),
        (
            {"tools": (Tool(name="x", kind="hosted", extra=Extra(protocol="gemini", members={"a": "1"})),)},
            "tools[0].type",
        ),
        ({"extra": Extra(protocol="openai-chat", members={"n": "2"}, must=frozenset({"n"}))}, "n"),
    ],
)
def test_what_cannot_be_said_is_refused_by_name(said: dict[str, Any], param: str) -> None:
    with pytest.raises(Unsupported) as raised:
        encode(Body(messages=(USER,), **said))
    assert raised.value.param == param


def test_dialects_differ_where_their_providers_do() -> None:
    body = Body(
        messages=(Message(role="user", parts=(Text(text="x", cache=Cache(ttl="30m")),)),),
        presence_penalty=1.0,
        reasoning=Reasoning(effort="high"),
        user="u",
    )
    openai, dropped = encode(body, "openai")
    assert openai["input"][0]["content"][0]["prompt_cache_breakpoint"] == {"mode": "explicit", "ttl": "30m"}
    assert openai["include"] == ["reasoning.encrypted_content"]
    assert dropped == ("presence_penalty",)
    lmstudio, dropped = encode(body, "lmstudio")
    assert lmstudio["presence_penalty"] == 1.0
    assert lmstudio["safety_identifier"] == "u"
    assert dropped == ("cache_control",)


def test_peek_and_splice_are_those_of_all_json_bodies() -> None:
    source = Source(
        protocol="openai-responses", body=b'{"model":"m","stream":true,"input":"x"}', path="/responses"
    )
    assert CODEC.peek(source) == ("m", True)
    assert CODEC.splice(source, "n") == (b'{"model":"n","stream":true,"input":"x"}', "/responses")
