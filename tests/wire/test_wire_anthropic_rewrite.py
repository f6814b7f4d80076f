"""Requests of other protocols, written as Anthropic Messages."""

import json
from base64 import b64encode
from typing import Any

import pytest
from msgspec import structs

from turnout.model import (
    Body,
    Cache,
    Citation,
    Extension,
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
    Role,
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
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.anthropic import CODEC, DIALECTS
from turnout.wire.anthropic.families import UNKNOWN, family
from turnout.wire.codec import codec

PLAIN = DIALECTS[""]
SCHEMA = '{"type":"object"}'


def said(*parts: Any, role: Role = "user", **more: Any) -> Message:
    return Message(role=role, parts=parts, **more)


HI = said(Text(text="hi"))


def write(
    *messages: Message, model: str = "m", dialect: Any = PLAIN, **fields: Any
) -> tuple[dict[str, Any], tuple[str, ...]]:
    body = Body(messages=messages or (HI,), **fields)
    data, dropped = CODEC.encode_request(model, False, body, dialect, True)
    return json.loads(data), dropped


def from_chat(model: str = "m", **fields: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A chat client's request, through the chat codec."""
    body = {"model": model, "messages": [{"role": "user", "content": "hi"}], **fields}
    source = Source(protocol="openai-chat", body=json.dumps(body).encode())
    data, dropped = CODEC.encode_request(
        model, False, codec("openai-chat").decode_request(source), PLAIN, True
    )
    return json.loads(data), dropped


def refused(*messages: Message, **fields: Any) -> str | None:
    with pytest.raises(InvalidRequest) as error:
        write(*messages, **fields)
    return error.value.param


# ---- messages ------------------------------------------------------------------------------------------------------


@pytest.mark.states("P-190", "T-018", "T-024")
def test_leading_instructions_are_the_system_and_later_ones_stay() -> None:
    wire, _ = write(
        said(Text(text="a"), role="system"),
        said(Text(text="b", cache=Cache()), role="developer"),
        HI,
        said(Text(text="c"), role="developer"),
    )
    assert wire["system"] == [
        {"type": "text", "text": "a"},
        {"type": "text", "text": "b", "cache_control": {"type": "ephemeral"}},
    ]
    assert wire["messages"][1] == {"role": "system", "content": "c"}
    late = structs.replace(PLAIN, late_system="refuse")
    assert refused(HI, said(Text(text="c"), role="system"), dialect=late) == "messages[1]"
    wire, _ = write(said(Text(text="a"), role="system"), HI, dialect=late)
    assert wire["system"] == "a"
    assert refused(said(Media(kind="image", source=Url(url="https://x.test/a")), role="system"), HI)


def test_blank_text_is_no_block_and_a_message_with_nothing_is_none() -> None:
    blank = said(Text(text=" "))
    wire, _ = write(said(Text(text=""), role="system"), blank, HI, said(Text(text=""), role="assistant"))
    assert "system" not in wire
    assert wire["messages"] == [{"role": "user", "content": "hi"}]
    assert refused(blank) == "messages"
    assert write(said(Refusal(text=" "), role="assistant"), HI)[0]["messages"] == wire["messages"]


@pytest.mark.states("P-182", "T-025", "T-026")
def test_results_stand_first_in_the_users_next_message() -> None:
    wire, dropped = write(
        said(ToolCall(call_id="a", name="f", arguments='{"x":1.0}', namespace="n"), role="assistant"),
        said(
            ToolResult(call_id="a", parts=(Text(text="1"),), cache=Cache()),
            ToolResult(call_id="b", parts=(Media(kind="image", source=Inline(media_type="image/png", data="A")),)),
            ToolResult(call_id="c", structured='{"n":1}', is_error=True),
            ToolResult(call_id="d"),
            role="tool",
        ),
        said(Text(text="go on")),
        said(Text(text="and on")),
    )  # fmt: skip
    call, results, more = wire["messages"]
    assert call["content"] == [{"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1.0}}]
    first, second, third, fourth, words = results["content"]
    assert first["content"] == "1"
    assert first["cache_control"] == {"type": "ephemeral"}
    assert second["content"][0]["source"]["data"] == "A"
    assert (third["content"], third["is_error"]) == ('{"n":1}', True)
    assert fourth == {"type": "tool_result", "tool_use_id": "d"}
    assert words == {"type": "text", "text": "go on"}
    assert more["content"] == "and on"
    assert dropped == ("namespace",)


def test_an_opaque_block_behind_results_starts_no_merging() -> None:
    opaque = Opaque(protocol="anthropic-messages", kind="x", body='{"type":"x"}')
    wire, _ = write(said(opaque), said(Text(text="a")))
    assert [message["content"] for message in wire["messages"]] == [[{"type": "x"}], "a"]


@pytest.mark.states("T-037", "T-038")
def test_thoughts_go_back_to_their_maker_only() -> None:
    ours = Seal(issuer="anthropic-messages", kind="signature", data="s")
    wire, dropped = write(
        HI,
        said(
            Thinking(text="hm", seal=ours),
            Thinking(seal=structs.replace(ours, kind="redacted")),
            Thinking(text="no", seal=structs.replace(ours, issuer="gemini")),
            Thinking(text="no"),
            Text(text="a", seal=structs.replace(ours, issuer="gemini")),
            role="assistant",
        ),
    )
    assert wire["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "redacted_thinking", "data": "s"},
        {"type": "text", "text": "a"},
    ]
    assert dropped == ("reasoning", "signature")


@pytest.mark.parametrize(
    "part",
    [
        Extension(name="ui", data="{}"),
        Opaque(protocol="gemini", kind="executableCode", body="{}"),
        Media(kind="audio", source=Inline(media_type="audio/wav", data="A")),
        Media(kind="image", source=File(ref="f", owner="openai-chat")),
        Media(kind="image", source=Url(url="gs://bucket/a")),
        Media(kind="document", source=Inline(media_type="text/html2", data="A")),
        Media(kind="document", source=Inline(media_type="text/plain", data="=")),
        Text(text="a", extra=Extra(protocol="gemini", members={"m": "1"}, must=frozenset({"m"}))),
    ],
)
def test_parts_without_a_place_are_refused_by_name(part: Any) -> None:
    assert refused(said(part))


@pytest.mark.parametrize(
    "part",
    [
        Media(kind="image", source=Url(url="https://x.test/a")),
        ToolCall(call_id="c", name="f", arguments="[1]"),
        ToolCall(call_id="c", name="f", arguments='{"cut'),
        ToolCall(call_id="c", name="f", kind="custom", arguments="free"),
    ],
)
def test_what_an_assistant_cannot_have_said_is_refused(part: Any) -> None:
    assert refused(HI, said(part, role="assistant"))


@pytest.mark.states("P-181", "T-040")
def test_media_takes_the_source_that_it_came_from() -> None:
    def source(part: Media) -> Any:
        return write(said(part))[0]["messages"][0]["content"][0]["source"]

    inline = Inline(media_type="image/png", data="AAAA")
    assert source(Media(kind="image", source=inline)) == {
        "type": "base64", "media_type": "image/png", "data": "AAAA"
    }  # fmt: skip
    assert source(Media(kind="image", source=Url(url="https://x.test/a"))) == {
        "type": "url", "url": "https://x.test/a"
    }  # fmt: skip
    handle = File(ref="f", owner="anthropic-messages")
    assert source(Media(kind="document", source=handle)) == {"type": "file", "file_id": "f"}
    text = Inline(media_type="text/plain;charset=utf-8", data=b64encode(b"words").decode())
    assert source(Media(kind="document", source=text)) == {
        "type": "text", "media_type": "text/plain", "data": "words"
    }  # fmt: skip
    pdf = Media(kind="document", source=Inline(media_type="application/pdf", data="A"), name="n", context="c")
    wire, _ = write(said(pdf))
    assert wire["messages"][0]["content"][0]["title"] == "n"
    assert wire["messages"][0]["content"][0]["context"] == "c"
    _, dropped = write(said(Media(kind="image", source=inline, name="n", detail="low")))
    assert dropped == ("detail", "filename")


@pytest.mark.states("P-184")
def test_a_breakpoint_has_a_lifetime_that_this_protocol_knows() -> None:
    for ttl, wanted, names in (
        ("5m", "5m", ()),
        ("30m", "1h", ("cache_control.ttl",)),
        ("x", "5m", ("cache_control.ttl",)),
    ):
        wire, dropped = write(said(Text(text="a", cache=Cache(ttl=ttl))), cache=Cache())
        assert wire["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral", "ttl": wanted}
        assert wire["cache_control"] == {"type": "ephemeral"}
        assert dropped == names  # fmt: skip


def test_citations_go_back_with_their_proof_only() -> None:
    ours = Extra(protocol="anthropic-messages", members={"encrypted_index": '"e"'})
    proven = Citation(kind="url", url="u", title="t", extra=ours)
    wire, dropped = write(
        HI, said(Text(text="a", citations=(proven, Citation(kind="url", url="u"))), role="assistant")
    )
    (row,) = wire["messages"][1]["content"][0]["citations"]
    assert (row["encrypted_index"], row["url"], row["title"]) == ("e", "u", "t")
    assert dropped == ("citations",)
    wire, dropped = write(HI, said(Text(text="a", citations=(Citation(kind="odd"),)), role="assistant"))
    assert wire["messages"][1]["content"] == "a"
    assert dropped == ("citations",)


def test_names_and_phases_are_reported() -> None:
    _, dropped = write(said(Text(text="a"), name="ada", phase="p"))
    assert dropped == ("messages.name", "messages.phase")


# ---- values --------------------------------------------------------------------------------------------------------


@pytest.mark.states("P-185", "P-186", "T-019", "T-020")
def test_values_take_this_protocols_names() -> None:
    wire, dropped = from_chat(stop="END", max_completion_tokens=50, temperature=0, user="u")
    assert wire["stop_sequences"] == ["END"]
    assert (wire["max_tokens"], wire["temperature"]) == (50, 0)
    assert wire["metadata"] == {"user_id": "u"}
    assert dropped == ()
    assert from_chat(stop=["a", "b"])[0]["stop_sequences"] == ["a", "b"]
    wire, dropped = from_chat(stop=[" "])
    assert "stop_sequences" not in wire
    assert dropped == ("stop",)
    assert "stop_sequences" not in from_chat(stop=[])[0]


@pytest.mark.states("P-186")
def test_a_limit_is_always_sent() -> None:
    assert write()[0]["max_tokens"] == 4096
    assert write(dialect=structs.replace(PLAIN, default_max_tokens=7))[0]["max_tokens"] == 7
    assert write(model="claude-sonnet-4-5")[0]["max_tokens"] == 64_000


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"n": 2}, "n"),
        ({"logprobs": True}, "logprobs"),
        ({"logit_bias": {"1": 1}}, "logit_bias"),
        ({"prediction": {}}, "prediction"),
        ({"functions": [{"name": "f"}]}, "functions"),
        ({"modalities": ["text", "audio"]}, "modalities"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"response_format": {"type": "json_schema", "json_schema": {"name": "x"}}}, "response_format"),
        ({"service_tier": "flex"}, "service_tier"),
        ({"tools": [{"type": "custom", "custom": {"name": "f"}}]}, "tools[0].type"),
        ({"tools": [{"type": "web_search"}]}, "tools[0].type"),
    ],
)
def test_what_this_protocol_cannot_do_is_refused_by_name(fields: dict[str, Any], param: str) -> None:
    with pytest.raises(Unsupported) as error:
        from_chat(**fields)
    assert error.value.param == param


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"previous": "r"}, "previous_response_id"),
        ({"conversation": "c"}, "conversation"),
        ({"background": True}, "background"),
        ({"tools": (Tool(name="f", namespace="n"),)}, "tools[0].namespace"),
    ],
)
def test_what_other_protocols_have_is_refused_by_name(fields: dict[str, Any], param: str) -> None:
    assert refused(**fields) == param


def test_hints_are_dropped_and_reported() -> None:
    _, dropped = write(
        verbosity="low",
        store=True,
        metadata={"a": "b"},
        voice="{}",
        extensions={"x-ui": "1"},
        tools=(Tool(name="f", output_schema="{}"),),
        presence_penalty=1.0,
        frequency_penalty=1.0,
        seed=1,
    )
    assert set(dropped) == {
        "verbosity", "store", "metadata", "voice", "x-ui", "output_schema",
        "presence_penalty", "frequency_penalty", "seed",
    }  # fmt: skip
    assert from_chat(service_tier="auto")[0]["service_tier"] == "auto"
    assert from_chat(service_tier="default")[0]["service_tier"] == "standard_only"
    assert from_chat(prompt_cache_key="k")[1] == ("prompt_cache_key",)


# ---- the families of models ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "output", "sampling", "thinks"),
    [
        ("claude-3-opus-20240229", 4_096, "all", "no"),
        ("claude-3-5-haiku-latest", 8_192, "all", "no"),
        ("claude-3-7-sonnet-20250219", 64_000, "all", "budget"),
        ("claude-sonnet-4-20250514", 64_000, "all", "budget"),
        ("claude-opus-4-1-20250805", 32_000, "one", "budget"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 64_000, "one", "budget"),
        ("anthropic/claude-opus-4.6", 128_000, "one", "both"),
        ("anthropic/claude-4.6-sonnet", 128_000, "one", "both"),
        ("claude-opus-4-7", 128_000, "none", "adaptive"),
        ("claude-sonnet-5", 128_000, "none", "adaptive"),
        ("claude-haiku-5-5", 128_000, "none", "adaptive"),
        ("claude-opus-5-5", 128_000, "none", "always"),
        ("claude-fable-5-2", 128_000, "none", "always"),
        ("claude-mythos-preview", 128_000, "none", "always"),
    ],
)
def test_a_family_is_known_by_the_models_name(model: str, output: int, sampling: str, thinks: str) -> None:
    row = family(model)
    assert (row.output, row.sampling, row.thinks) == (output, sampling, thinks)


def test_a_name_that_nobody_knows_has_no_limits() -> None:
    assert family("deepseek-chat") is UNKNOWN


@pytest.mark.parametrize(
    ("model", "kept", "names"),
    [
        ("m", {"temperature", "top_p"}, ()),
        ("claude-sonnet-4-5", {"temperature"}, ("top_p",)),
        ("claude-opus-4-7", set(), ("temperature", "top_p")),
    ],
)
def test_a_model_gets_the_sampling_parameters_that_it_takes(
    model: str, kept: set[str], names: tuple[str, ...]
) -> None:
    wire, dropped = from_chat(model, temperature=0.5, top_p=0.5)
    assert wire.keys() & {"temperature", "top_p"} == kept
    assert dropped == names
    body = {"model": model, "messages": [{"role": "user", "content": "hi"}], "temperature": 1, "top_p": 1}
    given = Source(protocol="anthropic-messages", body=json.dumps(body).encode())
    data, _ = CODEC.encode_request(model, False, CODEC.decode_request(given), PLAIN, False)
    assert json.loads(data).keys() >= {"temperature", "top_p"}


def version(model: str, body: Body | None, source: Source | None = None, fixed: str = "") -> str:
    dialect = structs.replace(PLAIN, version=fixed)
    ((name, value),) = CODEC.call_headers(source, model, body, dialect)
    assert name == "anthropic-version"
    return value


def test_the_version_is_the_one_that_has_what_is_said() -> None:
    sampling = Body(messages=(HI,), temperature=0.5)
    assert version("m", None) == "2026-10-21"
    assert version("m", Body(messages=(HI,))) == "2026-10-21"
    assert version("m", sampling) == "2023-06-01"
    assert version("claude-opus-4-7", sampling) == "2026-10-21"
    assert version("m", sampling, fixed="2099-01-01") == "2099-01-01"
    told = Source(
        protocol="anthropic-messages", body=b"", headers=Headers.of({"anthropic-version": "2026-10-21"})
    )
    assert version("m", None, told) == "2026-10-21"
    assert version("m", sampling, told) == "2023-06-01"
    assert version("m", None, Source(protocol="anthropic-messages", body=b"")) == "2023-06-01"


ADAPTIVE = {"type": "adaptive"}


@pytest.mark.parametrize(
    ("model", "reasoning", "thinking", "effort", "names"),
    [
        ("m", Reasoning(effort="high"), ADAPTIVE, "high", ()),
        ("m", Reasoning(effort="minimal"), ADAPTIVE, "low", ("reasoning_effort",)),
        ("m", Reasoning(effort="odd"), ADAPTIVE, "odd", ()),
        ("m", Reasoning(effort="none"), {"type": "disabled"}, None, ()),
        ("m", Reasoning(mode="off"), {"type": "disabled"}, None, ()),
        ("m", Reasoning(mode="on", budget=2000), ADAPTIVE, None, ("reasoning.budget",)),
        ("m", Reasoning(mode="on", show="summary"), {**ADAPTIVE, "display": "summarized"}, None, ()),
        ("m", Reasoning(mode="on", show="full"), ADAPTIVE, None, ()),
        ("claude-opus-4-6", Reasoning(effort="xhigh"), ADAPTIVE, "high", ("reasoning_effort",)),
        ("claude-opus-4-6", Reasoning(mode="on", budget=2000), {"type": "enabled", "budget_tokens": 2000}, None, ()),
        ("claude-opus-4-5", Reasoning(effort="low"), {"type": "enabled", "budget_tokens": 2048}, "low", ()),
        ("claude-sonnet-4-5", Reasoning(effort="max"), {"type": "enabled", "budget_tokens": 32768}, None,
         ("reasoning_effort",)),
        ("claude-sonnet-4-5", Reasoning(mode="on"), {"type": "enabled", "budget_tokens": 8192}, None, ()),
        ("claude-3-opus", Reasoning(effort="high"), None, None, ("reasoning",)),
        ("claude-3-opus", Reasoning(mode="off"), None, None, ()),
    ],
)  # fmt: skip
def test_reasoning_is_asked_for_in_the_familys_way(
    model: str, reasoning: Reasoning, thinking: Any, effort: str | None, names: tuple[str, ...]
) -> None:
    wire, dropped = write(model=model, reasoning=reasoning)
    assert wire.get("thinking") == thinking
    assert wire.get("output_config", {}).get("effort") == effort
    assert dropped == names


def test_a_budget_leaves_room_for_the_answer() -> None:
    asked = Reasoning(effort="high")
    wire, _ = write(model="claude-sonnet-4-5", reasoning=asked, max_tokens=4000)
    assert wire["thinking"] == {"type": "enabled", "budget_tokens": 2000}
    wire, dropped = write(model="claude-sonnet-4-5", reasoning=asked, max_tokens=1500)
    assert "thinking" not in wire
    assert "reasoning" in dropped


def test_a_model_that_always_thinks_refuses_not_to() -> None:
    assert refused(model="claude-fable-5", reasoning=Reasoning(effort="none")) == "reasoning_effort"


def test_a_forced_call_excludes_thinking() -> None:
    forced = ToolChoice(mode="required")
    tools = (Tool(name="f", parameters=SCHEMA),)
    wire, dropped = write(tools=tools, tool_choice=forced, reasoning=Reasoning(effort="high"))
    assert "thinking" not in wire
    assert wire["output_config"] == {"effort": "high"}
    assert dropped == ("reasoning",)
    wire, dropped = write(
        model="claude-fable-5", tools=tools, tool_choice=forced, reasoning=Reasoning(effort="high")
    )
    assert wire["output_config"] == {"effort": "high"}
    assert dropped == ()


def test_thinking_excludes_sampling() -> None:
    wire, dropped = write(reasoning=Reasoning(effort="high"), temperature=0.5)
    assert "temperature" not in wire
    assert dropped == ("temperature",)


def ours(**fields: Any) -> Body:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}], **fields}
    return CODEC.decode_request(Source(protocol="anthropic-messages", body=json.dumps(body).encode()))


def test_what_a_step_changed_is_written_anew() -> None:
    body = ours(thinking={"type": "adaptive", "display": "updates"}, output_config={"effort": "low"})
    wire = json.loads(CODEC.encode_request("m", False, body, PLAIN, False)[0])
    assert wire["thinking"] == {"type": "adaptive", "display": "updates"}
    changed = structs.replace(body, reasoning=Reasoning(mode="off"))
    wire = json.loads(CODEC.encode_request("m", False, changed, PLAIN, False)[0])
    assert wire["thinking"] == {"type": "disabled"}
    assert "output_config" not in wire
    gone = structs.replace(ours(output_config={"effort": "low"}), reasoning=Reasoning())
    assert "output_config" not in json.loads(CODEC.encode_request("m", False, gone, PLAIN, False)[0])
    shaped = ours(output_config={"format": {"type": "json_schema", "schema": {}, "x": 1}})
    wire = json.loads(CODEC.encode_request("m", False, shaped, PLAIN, False)[0])
    assert wire["output_config"]["format"]["x"] == 1
    other = structs.replace(shaped, format=OutputFormat(kind="json_schema", schema=SCHEMA))
    wire = json.loads(CODEC.encode_request("m", False, other, PLAIN, False)[0])
    assert wire["output_config"]["format"] == {"type": "json_schema", "schema": {"type": "object"}}


# ---- tools ---------------------------------------------------------------------------------------------------------


@pytest.mark.states("P-183", "T-043")
def test_tools_keep_their_schemas() -> None:
    parameters = {"type": "object", "properties": {"a": {"type": ["string", "null"]}}}
    function = {"name": "f", "description": "d", "parameters": parameters, "strict": True}
    wire, _ = from_chat(tools=[{"type": "function", "function": function}])
    assert wire["tools"] == [{"name": "f", "description": "d", "input_schema": parameters, "strict": True}]
    for given in (None, '{"properties":{}}', "true"):
        wire, _ = write(tools=(Tool(name="f", parameters=given, cache=Cache()),))
        schema = wire["tools"][0]["input_schema"]
        assert schema == ({"type": "object", "properties": {}} if given != "true" else True)
        assert wire["tools"][0]["cache_control"] == {"type": "ephemeral"}


@pytest.mark.states("P-183")
@pytest.mark.parametrize(
    ("choice", "parallel", "wanted"),
    [
        (ToolChoice(mode="auto"), None, {"type": "auto"}),
        (ToolChoice(mode="auto"), True, {"type": "auto"}),
        (ToolChoice(mode="auto"), False, {"type": "auto", "disable_parallel_tool_use": True}),
        (ToolChoice(mode="required"), None, {"type": "any"}),
        (ToolChoice(mode="required", names=("f",)), None, {"type": "tool", "name": "f"}),
        (ToolChoice(mode="none"), False, {"type": "none"}),
        (None, False, {"type": "auto", "disable_parallel_tool_use": True}),
        (None, True, None),
        (None, None, None),
    ],
)
def test_tool_choices_are_written(choice: Any, parallel: bool | None, wanted: Any) -> None:
    tools = (Tool(name="f", parameters=SCHEMA), Tool(name="g", parameters=SCHEMA))
    wire, _ = write(tools=tools, tool_choice=choice, parallel=parallel)
    assert wire.get("tool_choice") == wanted


def test_where_only_some_tools_may_be_called_only_those_are_offered() -> None:
    tools = tuple(Tool(name=name, parameters=SCHEMA) for name in "fgh")
    for mode, word in (("auto", "auto"), ("required", "any")):
        choice = ToolChoice(mode=mode, names=("f", "h"))  # pyright: ignore[reportArgumentType]
        wire, _ = write(tools=tools, tool_choice=choice)
        assert [tool["name"] for tool in wire["tools"]] == ["f", "h"]
        assert wire["tool_choice"] == {"type": word}


def test_a_choice_without_tools_is_no_choice() -> None:
    assert "tool_choice" not in write(tool_choice=ToolChoice(mode="none"), parallel=False)[0]
    assert "tool_choice" not in write(parallel=False)[0]
    assert write(tool_choice=ToolChoice(mode="required"))[0]["tool_choice"] == {"type": "any"}


def test_a_schema_of_the_answer_is_asked_for_natively() -> None:
    shape = {"name": "r", "strict": True, "schema": {"type": "object"}, "description": "d"}
    wire, dropped = from_chat(response_format={"type": "json_schema", "json_schema": shape})
    assert wire["output_config"] == {"format": {"type": "json_schema", "schema": {"type": "object"}}}
    assert dropped == ()
    assert "output_config" not in from_chat(response_format={"type": "text"})[0]


def test_a_count_asks_for_less() -> None:
    body = Body(messages=(HI,), max_tokens=5, stop=("a",), temperature=0.5, user="u", tools=(Tool(name="f"),))
    data, _ = CODEC.encode_count_request("m", body, PLAIN)
    assert json.loads(data).keys() == {"model", "messages", "tools"}


def test_a_tool_that_says_its_type_keeps_saying_it() -> None:
    tool = {"type": "custom", "name": "f", "input_schema": {"type": "object"}}
    data, _ = CODEC.encode_request("m", False, ours(tools=[tool]), PLAIN, False)
    assert json.loads(data)["tools"] == [tool]


def test_what_nobody_names_is_written_back_where_it_stood() -> None:
    given = {
        "metadata": {"user_id": None, "x": 1},
        "output_config": {"task_budget": {"total": 5}},
        "tool_choice": {"type": "auto", "y": 2},
        "speed": "fast",
    }
    data, dropped = CODEC.encode_request("m", True, ours(**given), PLAIN, False)
    wire = json.loads(data)
    assert wire["stream"] is True
    assert wire["metadata"] == {"x": 1}
    assert (wire["output_config"], wire["tool_choice"]) == (given["output_config"], given["tool_choice"])
    assert wire["speed"] == "fast"
    assert dropped == ()
