"""Anthropic Messages requests, read field by field."""

import json
from base64 import b64decode
from typing import Any

import pytest

from turnout.model import (
    Body,
    Cache,
    Headers,
    Inline,
    Media,
    Message,
    Opaque,
    OutputFormat,
    Reasoning,
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
from turnout.model.errors import InvalidRequest
from turnout.wire.anthropic import CODEC

HI = {"role": "user", "content": "hi"}
NEW = "2026-10-21"


def source(body: Any, **headers: str) -> Source:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Source(protocol="anthropic-messages", body=data, headers=Headers.of(headers))


def read(*messages: Any, version: str = "2023-06-01", **fields: Any) -> Body:
    body = {"model": "m", "max_tokens": 9, "messages": list(messages) or [HI], **fields}
    return CODEC.decode_request(source(body, **{"anthropic-version": version}))


def block(role: str, **members: Any) -> Any:
    """The one part of a message that holds one such block."""
    (message,) = read({"role": role, "content": [members]}).messages
    (part,) = message.parts
    return part


def test_values_are_read() -> None:
    body = read(
        temperature=0,
        top_p=0.5,
        top_k=3,
        stop_sequences=["a", " "],
        metadata={"user_id": "u"},
        service_tier="standard_only",
        cache_control={"type": "ephemeral", "ttl": "1h"},
    )
    assert (body.max_tokens, body.temperature, body.top_p, body.top_k) == (9, 0.0, 0.5, 3)
    assert (body.stop, body.user, body.service_tier) == (("a", " "), "u", "default")
    assert body.cache == Cache(ttl="1h")
    assert body.want_usage


def test_nulls_say_nothing() -> None:
    names = ("temperature", "stop_sequences", "metadata", "service_tier", "cache_control", "thinking")
    more = ("output_config", "tools", "tool_choice", "system", "thread", "container", "max_tokens")
    nothing: dict[str, Any] = dict.fromkeys([*names, *more])
    assert read(**nothing).extra == read().extra


@pytest.mark.parametrize("name", ["temperature", "top_p", "top_k"])
def test_the_new_version_has_no_sampling(name: str) -> None:
    given: dict[str, Any] = {name: 1}
    assert getattr(read(**given), name) == 1
    with pytest.raises(InvalidRequest) as refused:
        read(version=NEW, **given)
    assert refused.value.param == name
    body = json.dumps({name: 1}).encode()
    with pytest.raises(InvalidRequest, match=name):
        CODEC.decode_request(Source(protocol="anthropic-messages", body=body, version=NEW))


def test_the_new_version_has_no_documents_of_assistants_and_no_citations_of_users() -> None:
    document = {"type": "document", "source": {"type": "url", "url": "https://example.test/a.pdf"}}
    cited = {"type": "text", "text": "a", "citations": [{"type": "char_location", "cited_text": "a"}]}
    for role, content, param in (
        ("assistant", document, "messages[0].content[0]"),
        ("user", cited, "messages[0].content[0].citations"),
    ):
        message = {"role": role, "content": [content]}
        read(message)
        with pytest.raises(InvalidRequest) as refused:
            read(message, version=NEW)
        assert refused.value.param == param


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"max_tokens": "9"}, "max_tokens"),
        ({"temperature": "hot"}, "temperature"),
        ({"stop_sequences": "a"}, "stop_sequences"),
        ({"metadata": 5}, "metadata"),
        ({"metadata": {"user_id": 5}}, "metadata.user_id"),
        ({"service_tier": 5}, "service_tier"),
        ({"cache_control": 5}, "cache_control"),
        ({"thread": 5}, "thread"),
        ({"output_config": 5}, "output_config"),
        ({"output_config": {"effort": 5}}, "output_config.effort"),
        ({"thinking": {"type": "enabled", "budget_tokens": "x"}}, "thinking.budget_tokens"),
        ({"tools": {}}, "tools"),
        ({"tools": [5]}, "tools[0]"),
        ({"tools": [{"type": 5}]}, "tools[0].type"),
        ({"tools": [{"input_schema": {}}]}, "tools[0].name"),
        ({"tools": [{"name": "f", "input_schema": {}, "strict": 5}]}, "tools[0].strict"),
        ({"tools": [{"name": "f", "input_schema": {}, "description": 5}]}, "tools[0].description"),
        ({"tool_choice": "auto"}, "tool_choice"),
        ({"tool_choice": {"type": "maybe"}}, "tool_choice"),
        ({"tool_choice": {"type": "tool"}}, "tool_choice.name"),
        (
            {"tool_choice": {"type": "auto", "disable_parallel_tool_use": 5}},
            "tool_choice.disable_parallel_tool_use",
        ),
        ({"system": 5}, "system"),
        ({"messages": "hi"}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": None}, "messages"),
        ({"messages": [5]}, "messages[0]"),
        ({"messages": [{"content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": ["x"]}]}, "messages[0].content[0]"),
        ({"messages": [{"role": "user", "content": [{"text": "x"}]}]}, "messages[0].content[0].type"),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "messages[0].content[0].text"),
        (
            {"messages": [{"role": "user", "content": [{"type": "tool_result"}]}]},
            "messages[0].content[0].tool_use_id",
        ),
        (
            {"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "a"}]}]},
            "messages[0].content[0].name",
        ),
        (
            {"messages": [{"role": "assistant", "content": [{"type": "redacted_thinking"}]}]},
            "messages[0].content[0].data",
        ),
    ],
)
def test_what_is_malformed_is_refused_by_name(fields: dict[str, Any], param: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        CODEC.decode_request(source({"model": "m", "messages": [HI], **fields}))
    assert refused.value.param == param


@pytest.mark.parametrize("body", [b"[]", b"{", b'"\xff"', b"{}"])
def test_what_is_no_request_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        CODEC.decode_request(source(body))


# ---- messages ------------------------------------------------------------------------------------------------------


@pytest.mark.states("T-018")
def test_instructions_come_first_and_stay_where_they_are_said() -> None:
    later = {"role": "system", "content": "be brief"}
    body = read(HI, later, system="be kind")
    assert [message.role for message in body.messages] == ["system", "user", "system"]
    assert [message.text for message in body.messages] == ["be kind", "hi", "be brief"]
    marked = read(HI, system=[{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}])
    assert marked.messages[0].parts == (Text(text="a", cache=Cache()),)
    assert [message.role for message in read(system="").messages] == ["system", "user"]
    assert [message.role for message in read(system=[]).messages] == ["user"]


@pytest.mark.states("T-025", "T-026")
def test_results_answer_the_calls_before_them_in_their_order() -> None:
    calls = [{"type": "tool_use", "id": name, "name": "f", "input": {}} for name in ("a", "b")]
    results = [
        {"type": "tool_result", "tool_use_id": "b", "content": "2"},
        {"type": "text", "text": "go on"},
        {"type": "tool_result", "tool_use_id": "a", "is_error": True},
    ]
    body = read(HI, {"role": "assistant", "content": calls}, {"role": "user", "content": results})
    assert [message.role for message in body.messages] == ["user", "assistant", "tool", "user"]
    assert body.messages[2].parts == (
        ToolResult(call_id="a", is_error=True),
        ToolResult(call_id="b", parts=(Text(text="2"),)),
    )
    assert body.messages[3].text == "go on"


def test_results_that_answer_nothing_stay_where_they_are() -> None:
    orphan = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": ""}]}
    body = read(HI, orphan, orphan)
    assert [message.role for message in body.messages] == ["user", "tool"]
    assert body.messages[1].parts == (ToolResult(call_id="x"), ToolResult(call_id="x"))


def test_a_message_with_nothing_is_one_empty_text() -> None:
    for content in (None, "", []):
        (message,) = read({"role": "user", "content": content}).messages
        assert message.text == ""


# ---- blocks --------------------------------------------------------------------------------------------------------


@pytest.mark.states("T-028", "T-032", "T-037")
def test_the_blocks_of_an_assistant_are_parts_in_their_order() -> None:
    content = b"""[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"d"},
    {"type":"tool_use","id":"c","name":"f","input":{"b":1.50,"a":2}},{"type":"server_tool_use","id":"x"}]"""
    data = b'{"model":"m","messages":[{"role":"assistant","content":' + content + b"}]}"
    (message,) = CODEC.decode_request(source(data)).messages
    assert message.parts == (
        Thinking(text="hm", seal=Seal(issuer="anthropic-messages", kind="signature", data="s")),
        Thinking(seal=Seal(issuer="anthropic-messages", kind="redacted", data="d")),
        ToolCall(call_id="c", name="f", arguments='{"b":1.50,"a":2}'),
        Opaque(
            protocol="anthropic-messages",
            kind="server_tool_use",
            body='{"type":"server_tool_use","id":"x"}',
        ),
    )


def test_media_is_read_from_every_source() -> None:
    image = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
    part = block("user", type="image", source=image)
    assert part.source == Inline(media_type="image/png", data="AAAA")
    part = block("user", type="image", source={"type": "url", "url": "https://example.test/a"})
    assert part.source == Url(url="https://example.test/a")
    part = block("user", type="image", source={"type": "file", "file_id": "f"})
    assert (part.source.ref, part.source.owner) == ("f", "anthropic-messages")
    text = {"type": "text", "media_type": "text/plain", "data": "größe"}
    part = block("user", type="document", source=text, title="t", context="c", citations={"enabled": True})
    assert isinstance(part, Media)
    assert (part.name, part.context) == ("t", "c")
    assert isinstance(part.source, Inline)
    assert b64decode(part.source.data).decode() == "größe"
    assert part.extra is not None
    assert part.extra.must == {"citations"}


@pytest.mark.parametrize("kind", ["image", "document"])
@pytest.mark.parametrize(
    "given", [None, {"type": "content", "content": "x"}, {"type": "base64"}, {"type": "url"}]
)
def test_a_source_that_nobody_names_keeps_the_block_as_it_is(kind: str, given: Any) -> None:
    part = block("user", type=kind, source=given)
    assert isinstance(part, Opaque)
    assert json.loads(part.body)["type"] == kind


def test_who_called_a_tool_matters_unless_it_was_the_model() -> None:
    call = {"type": "tool_use", "id": "c", "name": "f"}
    assert block("assistant", **call).arguments == "{}"
    assert block("assistant", **call, caller={"type": "direct"}).extra.must == frozenset()
    part = block("assistant", **call, caller={"type": "code_execution_20260120", "tool_id": "t"})
    assert part.extra.must == {"caller"}


def test_citations_are_read_leniently() -> None:
    assert block("assistant", type="text", text="a", citations="x").citations == ()
    part = block("assistant", type="text", text="a", citations=[5, {"type": "char_location"}])
    assert [citation.kind for citation in part.citations] == ["char_location"]


@pytest.mark.parametrize(
    ("marker", "cache"),
    [
        ({"type": "ephemeral"}, Cache()),
        ({"type": "ephemeral", "ttl": "1h"}, Cache(ttl="1h")),
        ({"type": "ephemeral", "ttl": None}, Cache()),
        ({"type": "ephemeral", "ttl": 5}, None),
        ("ephemeral", None),
    ],
)
@pytest.mark.states("P-184")
def test_cache_breakpoints_are_read(marker: Any, cache: Cache | None) -> None:
    assert block("user", type="text", text="a", cache_control=marker).cache == cache


# ---- reasoning, form, tools ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thinking", "effort", "wanted"),
    [
        ({"type": "enabled", "budget_tokens": 2000}, None, Reasoning(mode="on", budget=2000)),
        (
            {"type": "adaptive", "display": "summarized"},
            "max",
            Reasoning(mode="adaptive", show="summary", effort="max"),
        ),
        ({"type": "disabled"}, None, Reasoning(mode="off")),
        (None, "low", Reasoning(effort="low")),
        ({"type": "between_tools"}, None, None),
        ("on", None, None),
    ],
)  # fmt: skip
def test_reasoning_is_read(thinking: Any, effort: str | None, wanted: Reasoning | None) -> None:
    body = read(thinking=thinking, output_config={"effort": effort})
    assert body.reasoning == wanted
    assert body.extra is not None
    assert ("thinking" in body.extra.members) == (wanted is None)


def test_the_form_of_the_answer_is_read() -> None:
    schema = {"type": "json_schema", "schema": {"type": "object"}}
    body = read(output_config={"format": schema, "task_budget": {"total": 5}})
    assert body.format == OutputFormat(kind="json_schema", schema='{"type": "object"}')
    assert body.extra is not None
    assert body.extra.must == {"output_config/task_budget"}
    body = read(output_config={"format": {"type": "grammar"}})
    assert body.format is None
    assert body.extra is not None
    assert body.extra.must == {"output_config/format"}


def test_tools_are_read() -> None:
    schema = {"type": "object", "properties": {}}
    body = read(
        tools=[
            {"name": "f", "input_schema": schema, "description": "d"},
            {"type": "custom", "name": "g", "input_schema": schema, "strict": True,
             "cache_control": {"type": "ephemeral"}, "defer_loading": True},
            {"type": "web_search_20260318", "name": "web_search", "max_uses": 3},
            {"name": "h", "input_schema": {}, "allowed_callers": ["code_execution_20260120"]},
            {"name": "i", "input_schema": None, "allowed_callers": ["direct"]},
        ]
    )  # fmt: skip
    plain, custom, hosted, hidden, open_ = body.tools
    assert plain == Tool(name="f", description="d", parameters=json.dumps(schema))
    assert (custom.strict, custom.cache, custom.kind) == (True, Cache(), "function")
    assert custom.extra is not None
    assert custom.extra.must == frozenset()
    assert (hosted.name, hosted.kind) == ("web_search_20260318", "hosted")
    assert hidden.extra is not None
    assert hidden.extra.must == {"allowed_callers"}
    assert open_.extra is not None
    assert open_.extra.must == frozenset()
    assert open_.parameters is None


@pytest.mark.states("P-183")
@pytest.mark.parametrize(
    ("given", "choice", "parallel"),
    [
        ({"type": "auto"}, ToolChoice(mode="auto"), None),
        ({"type": "any", "disable_parallel_tool_use": True}, ToolChoice(mode="required"), False),
        ({"type": "tool", "name": "f"}, ToolChoice(mode="required", names=("f",)), None),
        ({"type": "none", "disable_parallel_tool_use": False}, ToolChoice(mode="none"), True),
    ],
)
def test_tool_choices_are_read(given: Any, choice: ToolChoice, parallel: bool | None) -> None:
    body = read(tool_choice=given)
    assert (body.tool_choice, body.parallel) == (choice, parallel)


def test_members_that_change_the_answer_must_be_honoured() -> None:
    body = read(container="c", mcp_servers=[{"url": "u"}], speed="fast", context_management={"edits": []})
    assert body.extra is not None
    assert body.extra.must == {"container", "mcp_servers"}
    harmless = read(container=None, mcp_servers=[], inference_geo="global")
    assert harmless.extra is not None
    assert harmless.extra.must == frozenset()
    thread = read(thread={"type": "continue", "previous_message_id": "msg_1"})
    assert thread.previous == "msg_1"
    assert thread.extra is not None
    assert thread.extra.must == {"thread"}


def test_a_request_is_peeked_at_and_spliced_without_being_read() -> None:
    given = source(b'{"model": "a", "messages": 5, "stream": true}')
    assert CODEC.peek(given) == ("a", True)
    assert CODEC.splice(given, "b")[0] == b'{"model": "b", "messages": 5, "stream": true}'


def test_a_block_with_text_is_no_text_unless_it_says_so() -> None:
    assert block("user", type="odd", text="a") == Opaque(
        protocol="anthropic-messages", kind="odd", body='{"type": "odd", "text": "a"}'
    )


def test_the_new_version_takes_what_it_has() -> None:
    assistant = {"role": "assistant", "content": "a"}
    assert len(read(HI, assistant, HI, version=NEW).messages) == 3


def test_a_message_keeps_what_nobody_names() -> None:
    (message,) = read({"role": "user", "content": "a", "x": 1}).messages
    assert message.extra is not None
    assert message.extra.members == {"x": "1"}
    assert isinstance(message, Message)
