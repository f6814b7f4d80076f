"""What a Gemini request says, and what is written of requests of other protocols."""

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
    Headers,
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
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.codec import codec

CODEC = codec("gemini")
PLAIN = CODEC.dialects[""]
HI = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}
OURS = "gemini"


def source(body: Any, path: str = "/v1beta/models/m:generateContent") -> Source:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Source(protocol="gemini", body=data, headers=Headers(()), path=path)


def read(**fields: Any) -> Body:
    return CODEC.decode_request(source({**HI, **fields}))


def config(**fields: Any) -> Body:
    return read(generationConfig=fields)


def said(*parts: Any, role: str = "user") -> tuple[Message, ...]:
    return CODEC.decode_request(source({"contents": [{"role": role, "parts": list(parts)}]})).messages


def body_of(*messages: Message, **fields: Any) -> Body:
    return Body(messages=messages or (user(Text(text="hi")),), **fields)


def user(*parts: Any) -> Message:
    return Message(role="user", parts=parts)


def write(
    body: Body, model: str = "gemini-3-pro", translated: bool = True
) -> tuple[dict[str, Any], tuple[str, ...]]:
    data, dropped = CODEC.encode_request(model, False, body, PLAIN, translated)
    return json.loads(data), dropped


# ---- reading -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "name", "value"),
    [
        ({"temperature": 0}, "temperature", 0.0),
        ({"top_p": 0.5}, "top_p", 0.5),
        ({"topK": 40.0}, "top_k", 40),
        ({"maxOutputTokens": "9"}, "max_tokens", 9),
        ({"max_output_tokens": 9}, "max_tokens", 9),
        ({"seed": 3}, "seed", 3),
        ({"presencePenalty": 0.1}, "presence_penalty", 0.1),
        ({"frequencyPenalty": 0.2}, "frequency_penalty", 0.2),
        ({"stopSequences": ["a", "b"]}, "stop", ("a", "b")),
        ({"responseMimeType": "application/json"}, "format", OutputFormat(kind="json")),
        ({"responseMimeType": "text/plain"}, "format", OutputFormat(kind="text")),
        (
            {"responseMimeType": "application/json", "responseJsonSchema": {"type": "object"}},
            "format",
            OutputFormat(kind="json_schema", schema='{"type": "object"}'),
        ),
        (
            {"responseSchema": {"type": "STRING", "nullable": True}},
            "format",
            OutputFormat(kind="json_schema", schema='{"type":["string","null"]}'),
        ),
        ({"responseModalities": ["TEXT", "IMAGE"]}, "output", frozenset({"text", "image"})),
        ({"thinkingConfig": {"thinkingBudget": 0}}, "reasoning", Reasoning(mode="off")),
        ({"thinkingConfig": {"thinking_budget": -1}}, "reasoning", Reasoning(mode="adaptive")),
        ({"thinkingConfig": {"thinkingBudget": 9}}, "reasoning", Reasoning(budget=9)),
        (
            {"thinkingConfig": {"include_thoughts": True, "thinkingLevel": "HIGH"}},
            "reasoning",
            Reasoning(effort="high", show="summary"),
        ),
        ({"thinkingConfig": {"includeThoughts": False}}, "reasoning", Reasoning(show="omitted")),
        ({"thinkingConfig": {}}, "reasoning", None),
        ({"thinkingConfig": None}, "reasoning", None),
    ],
)
def test_a_field_of_the_configuration_is_what_it_means(fields: dict[str, Any], name: str, value: Any) -> None:
    assert getattr(config(**fields), name) == value


@pytest.mark.parametrize(
    ("fields", "must"),
    [
        ({"generationConfig": {"candidateCount": 1}}, ()),
        ({"generationConfig": {"candidateCount": 2}}, ("generationConfig/candidateCount",)),
        ({"generationConfig": {"responseLogprobs": False}}, ()),
        ({"generationConfig": {"responseLogprobs": None, "candidateCount": None}}, ()),
        ({"generationConfig": {"responseLogprobs": True}}, ("generationConfig/responseLogprobs",)),
        ({"generationConfig": {"responseMimeType": "text/x.enum"}}, ("generationConfig/responseMimeType",)),
        ({"generationConfig": {"responseModalities": ["SMELL"]}}, ("generationConfig/responseModalities",)),
        ({"generationConfig": {"speechConfig": {}}}, ("generationConfig/speechConfig",)),
        ({"generationConfig": {"mediaResolution": "LOW"}}, ()),
        ({"generationConfig": {"responseModalities": []}}, ()),
        ({"generationConfig": None, "tools": None, "toolConfig": None}, ()),
        ({"cachedContent": "c"}, ("cachedContent",)),
        ({"safetySettings": [{}]}, ()),
        ({"serviceTier": None, "store": None, "labels": None}, ()),
    ],
)
def test_what_changes_the_answer_is_marked(fields: dict[str, Any], must: tuple[str, ...]) -> None:
    extra = read(**fields).extra
    assert (() if extra is None else tuple(extra.must)) == must


@pytest.mark.parametrize(
    ("config", "choice"),
    [
        ({"mode": "AUTO"}, ToolChoice(mode="auto")),
        ({"mode": "any"}, ToolChoice(mode="required")),
        ({"mode": "ANY", "allowed_function_names": ["f"]}, ToolChoice(mode="required", names=("f",))),
        ({"mode": "NONE"}, ToolChoice(mode="none")),
        ({"mode": "VALIDATED"}, ToolChoice(mode="auto")),
        ({"mode": 2}, ToolChoice(mode="required")),
        ({"allowedFunctionNames": ["f"]}, ToolChoice(mode="auto", names=("f",))),
        ({}, None),
    ],
)
def test_which_tools_may_be_called_is_a_total_table(
    config: dict[str, Any], choice: ToolChoice | None
) -> None:
    body = read(toolConfig={"functionCallingConfig": config})
    assert body.tool_choice == choice
    sent, _ = write(body)
    assert sent["toolConfig"]["functionCallingConfig"] == config


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "contents"),
        ({"contents": []}, "contents"),
        ({"contents": [{"role": "system", "parts": []}]}, "contents[0].role"),
        (
            {"contents": [{"role": "model", "parts": [{"functionResponse": {"name": "f"}}]}]},
            "contents[0].role",
        ),
        ({"contents": [{"parts": [{"functionCall": {"name": "f"}}]}]}, "contents[0].role"),
        ({"contents": [{"parts": [{"functionResponse": {}}]}]}, "contents[0].parts[0].functionResponse.name"),
        ({"contents": [{"parts": [{"text": 3}]}]}, "contents[0].parts[0].text"),
        ({"contents": [{"parts": ["x"]}]}, "contents[0].parts[0]"),
        ({"contents": "x"}, "contents"),
        (
            {"contents": [{"role": "model", "parts": [{"functionCall": {"name": "f", "args": 3}}]}]},
            "contents[0].parts[0].functionCall.args",
        ),
        (
            {**HI, "systemInstruction": {"parts": [{"functionCall": {"name": "f"}}]}},
            "systemInstruction.parts",
        ),
        ({**HI, "tools": [{"functionDeclarations": [{}]}]}, "tools[0].functionDeclarations[0].name"),
        (
            {**HI, "toolConfig": {"functionCallingConfig": {"mode": "SOME"}}},
            "toolConfig.functionCallingConfig.mode",
        ),
        (
            {**HI, "generationConfig": {"thinkingConfig": {"thinkingBudget": "x"}}},
            "generationConfig.thinkingConfig.thinkingBudget",
        ),
        ({**HI, "generationConfig": {"temperature": []}}, "generationConfig.temperature"),
    ],
)
def test_what_is_malformed_is_named(body: dict[str, Any], param: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        CODEC.decode_request(source(body))
    assert caught.value.param == param


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"a": "\xff"}', b"[" * 100_000])
def test_what_is_no_object_is_refused_by_peek_and_read(data: bytes) -> None:
    with pytest.raises(InvalidRequest):
        CODEC.decode_request(source(data))
    if b"\xff" not in data or data == b"\xff":
        with pytest.raises(InvalidRequest):
            CODEC.peek(source(data))


def test_half_a_surrogate_pair_is_mended() -> None:
    body = b'{"contents":[{"parts":[{"text":"a\\ud83d"}]}]}'
    assert CODEC.peek(source(body)) == ("m", False)
    assert CODEC.decode_request(source(body)).messages[0].text == "a\ufffd"


@pytest.mark.parametrize("path", ["/v1/models", "/v1/models/m", "/v1/models/:generateContent", ""])
def test_a_path_without_a_model_is_refused(path: str) -> None:
    for verb in (CODEC.peek, lambda asked: CODEC.splice(asked, "x")):
        with pytest.raises(InvalidRequest) as caught:
            verb(source(HI, path))
        assert caught.value.param == "model"


def test_one_value_stands_for_a_list_of_one() -> None:
    body = CODEC.decode_request(
        source(
            {
                "contents": {"parts": {"text": "hi"}},
                "system_instruction": "be brief",
                "tools": {"function_declarations": {"name": "f"}},
            }
        )
    )
    assert [message.text for message in body.messages] == ["be brief", "hi"]
    assert body.tools == (Tool(name="f"),)


@pytest.mark.parametrize("system", ["", None, {"parts": []}, {"parts": [{"text": ""}]}])
def test_an_empty_system_instruction_says_nothing(system: Any) -> None:
    assert [message.role for message in read(systemInstruction=system).messages] == ["user"]


def test_results_find_their_calls_by_id_else_by_name_in_order() -> None:
    """K01, K03: google-genai echoes ids on one side only."""
    calls = [
        {"functionCall": {"name": "f", "id": "x"}},
        {"functionCall": {"name": "g"}},
        {"functionCall": {"name": "f", "id": "y"}},
    ]
    results = [
        {"text": "and now?"},
        {"functionResponse": {"name": "g", "response": {"result": 3}}},
        {"functionResponse": {"name": "other", "response": {"output": "orphan"}}},
        {"functionResponse": {"name": "f", "id": "y", "response": {"output": "two"}}},
        {"functionResponse": {"name": "f", "response": {"error": "one"}}},
    ]
    body = CODEC.decode_request(
        source({"contents": [{"role": "model", "parts": calls}, {"role": "function", "parts": results}]})
    )
    asked, tool, more = body.messages
    ids = [part.call_id for part in asked.parts if isinstance(part, ToolCall)]
    answered = [part for part in tool.parts if isinstance(part, ToolResult)]
    assert [part.call_id for part in answered[:3]] == ids
    assert [part.is_error for part in answered] == [True, False, False, False]
    assert answered[1].parts == (Text(text="3"),)
    assert answered[1].structured == '{"result": 3}'
    assert answered[3].call_id.startswith("call_")
    assert more.text == "and now?"
    sent, _ = write(body, translated=False)
    assert [content["role"] for content in sent["contents"]] == ["model", "function", "user"]
    assert sent["contents"][0]["parts"] == [
        {"functionCall": {"name": "f", "args": {}, "id": "x"}},
        {"functionCall": {"name": "g", "args": {}}},
        {"functionCall": {"name": "f", "args": {}, "id": "y"}},
    ]


@pytest.mark.parametrize(
    ("part", "read_as"),
    [
        ({"text": "t", "thought": False}, Text(text="t", extra=Extra(protocol=OURS, members={}))),
        (
            {"inlineData": {"mimeType": "audio/wav", "data": "QQ==", "displayName": "n"}},
            Media(kind="audio", source=Inline(media_type="audio/wav", data="QQ=="), name="n"),
        ),
        (
            {"fileData": {"fileUri": "https://x.test/a.PNG?q"}},
            Media(kind="image", source=Url(url="https://x.test/a.PNG?q", media_type="image/png")),
        ),
        (
            {"file_data": {"file_uri": "gs://b/c", "mime_type": "video/mp4"}},
            Media(kind="video", source=File(ref="gs://b/c", owner=OURS, media_type="video/mp4")),
        ),
        (
            {"fileData": {"fileUri": "https://generativelanguage.googleapis.com/v1beta/files/a"}},
            Media(
                kind="document",
                source=File(ref="https://generativelanguage.googleapis.com/v1beta/files/a", owner=OURS),
            ),
        ),
        (
            {"thoughtSignature": "c2ln"},
            Text(text="", seal=Seal(issuer=OURS, kind="signature", data="c2ln")),
        ),
        (
            {"executableCode": {"code": "1"}},
            Opaque(protocol=OURS, kind="executableCode", body='{"executableCode": {"code": "1"}}'),
        ),
        ({"thought": True}, Opaque(protocol=OURS, kind="part", body='{"thought": true}')),
    ],
)
def test_each_kind_of_part_is_read(part: dict[str, Any], read_as: Any) -> None:
    (message,) = said(part, {"text": "x"})
    found = message.parts[0]
    assert type(found) is type(read_as)
    if isinstance(read_as, Text):
        assert (found.text, found.seal) == (read_as.text, read_as.seal)  # pyright: ignore[reportAttributeAccessIssue]
    else:
        assert found == read_as


def test_the_request_of_a_count_may_be_inside() -> None:
    asked = source({"generateContentRequest": {"model": "models/m", **HI}}, "/v1beta/models/m:countTokens")
    assert CODEC.decode_request(asked).messages[0].text == "hi"
    assert CODEC.peek(asked) == ("m", False)


@pytest.mark.parametrize(
    ("openapi", "schema"),
    [
        ({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}, None),
        ({"type": "TYPE_UNSPECIFIED", "description": "d"}, {"description": "d"}),
        (
            {"type": "STRING", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        (
            {"any_of": [{"type": "STRING"}], "nullable": True},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
        ),
        ({"type": "ARRAY", "items": {"type": "NUMBER"}, "minItems": "2"}, None),
        (
            {"ref": "#/defs/A", "defs": {"A": {"type": "STRING"}}},
            {"$ref": "#/defs/A", "$defs": {"A": {"type": "string"}}},
        ),
        ({"type": "OBJECT", "additional_properties": {"type": "STRING"}, "nullable": False}, None),
    ],
)
def test_the_openapi_subset_becomes_json_schema_and_goes_back_as_it_was(
    openapi: dict[str, Any], schema: dict[str, Any] | None
) -> None:
    """K07."""
    body = read(tools=[{"functionDeclarations": [{"name": "f", "parameters": openapi}]}])
    found = json.loads(body.tools[0].parameters or "null")
    if schema is not None:
        assert found == schema
    assert "STRING" not in json.dumps(found)
    sent, _ = write(body)
    assert sent["tools"][0]["functionDeclarations"][0] == {"name": "f", "parameters": openapi}
    other = Tool(name="f", parameters='{"type":"object"}', extra=body.tools[0].extra)
    sent, _ = write(body_of(tools=(other,)))
    assert sent["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"] == {"type": "object"}


# ---- writing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "sent", "dropped"),
    [
        ('{"$ref":"#/$defs/A","$defs":{"A":{"type":"string"}}}', None, ()),
        ('{"$ref":"#/components/A","description":"d"}', {"description": "d"}, ("f.parameters.$ref",)),
        ('{"$ref":"https://x.test/s"}', {}, ("f.parameters.$ref",)),
        (
            '{"anyOf":[{"$ref":"#/anyOf/1"},{"$ref":"#/anyOf/9"},{"$ref":"#/anyOf/x/y"}]}',
            None,
            ("f.parameters.$ref",),
        ),
        ('{"type":"object","title":"a"}', None, ()),
        ('{"a/b":{"~":1},"x":{"$ref":"#/a~1b/~0"}}', None, ()),
        ('{"$ref": broken', None, ()),
    ],
)
def test_a_reference_that_leads_nowhere_is_an_open_schema(
    schema: str, sent: dict[str, Any] | None, dropped: tuple[str, ...]
) -> None:
    data, names = CODEC.encode_request(
        "m", False, body_of(tools=(Tool(name="f", parameters=schema),)), PLAIN, True
    )
    assert names == dropped
    if sent is not None:
        assert json.loads(data)["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"] == sent
    elif not dropped:
        assert schema.encode() in data


@pytest.mark.parametrize(
    ("model", "reasoning", "sent", "dropped"),
    [
        ("gemini-3-pro", Reasoning(effort="none"), {"thinkingBudget": 0}, ()),
        ("gemini-3-pro", Reasoning(mode="off"), {"thinkingBudget": 0}, ()),
        ("gemini-3-pro", Reasoning(effort="high"), {"thinkingLevel": "HIGH", "includeThoughts": True}, ()),
        (
            "gemini-3-pro",
            Reasoning(effort="max", show="omitted"),
            {"thinkingLevel": "XHIGH", "includeThoughts": False},
            (),
        ),
        (
            "gemini-3-pro",
            Reasoning(effort="low", budget=5),
            {"thinkingLevel": "LOW", "includeThoughts": True},
            ("reasoning.budget",),
        ),
        ("gemini-2.5-pro", Reasoning(effort="low"), {"thinkingBudget": 1024, "includeThoughts": True}, ()),
        (
            "gemini-2.5-pro",
            Reasoning(effort="low", budget=7),
            {"thinkingBudget": 7, "includeThoughts": True},
            (),
        ),
        ("m", Reasoning(budget=7), {"thinkingBudget": 7, "includeThoughts": True}, ()),
        ("m", Reasoning(mode="adaptive"), {"thinkingBudget": -1, "includeThoughts": True}, ()),
        ("m", Reasoning(mode="on", show="full"), {"includeThoughts": True}, ()),
    ],
)
def test_thinking_is_a_level_or_a_budget_as_the_model_knows_it(
    model: str, reasoning: Reasoning, sent: dict[str, Any], dropped: tuple[str, ...]
) -> None:
    wire, names = write(body_of(reasoning=reasoning), model)
    assert wire["generationConfig"]["thinkingConfig"] == sent
    assert names == dropped


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"format": OutputFormat(kind="text")}, {"responseMimeType": "text/plain"}),
        ({"format": OutputFormat(kind="json")}, {"responseMimeType": "application/json"}),
        (
            {"format": OutputFormat(kind="json_schema", schema='{"type":"object"}', name="n", strict=True)},
            {"responseMimeType": "application/json", "responseJsonSchema": {"type": "object"}},
        ),
        ({"output": frozenset({"text", "image"})}, {"responseModalities": ["TEXT", "IMAGE"]}),
        ({"stop": ("a", "")}, {"stopSequences": ["a"]}),
        ({"top_k": 3, "seed": 1, "max_tokens": 2}, {"topK": 3, "seed": 1, "maxOutputTokens": 2}),
    ],
)
def test_the_configuration_is_written(fields: dict[str, Any], sent: dict[str, Any]) -> None:
    assert write(body_of(**fields))[0]["generationConfig"] == sent


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"previous": "r"}, "previous_response_id"),
        ({"conversation": "c"}, "conversation"),
        ({"background": True}, "background"),
        ({"voice": "{}"}, "audio"),
        ({"parallel": False, "tools": (Tool(name="f"),)}, "parallel_tool_calls"),
        ({"service_tier": "scale"}, "service_tier"),
        ({"reasoning": Reasoning(effort="huge")}, "reasoning_effort"),
        ({"tools": (Tool(name="t", kind="custom"),)}, "tools[0].type"),
        ({"tools": (Tool(name="t", namespace="n"),)}, "tools[0].namespace"),
        ({"tools": (Tool(name="web_search", kind="hosted"),)}, "tools[0].type"),
        ({"extra": Extra(protocol="openai-chat", members={"n": "2"}, must=frozenset({"n"}))}, "n"),
    ],
)
def test_what_has_no_place_is_refused_by_name(fields: dict[str, Any], param: str) -> None:
    with pytest.raises(Unsupported) as caught:
        write(body_of(**fields))
    assert caught.value.param == param


@pytest.mark.parametrize(
    ("part", "param"),
    [
        (Extension(name="ui", data="{}"), "extension"),
        (Opaque(protocol="openai-chat", kind="odd", body="{}"), "odd"),
        (Media(kind="image", source=File(ref="f", owner="openai-chat")), "file"),
        (ToolResult(call_id="c"), "tool_result"),
    ],
)
def test_a_part_without_a_place_is_refused_by_name(part: Any, param: str) -> None:
    with pytest.raises(Unsupported) as caught:
        write(body_of(user(part)))
    assert caught.value.param == param


@pytest.mark.parametrize(
    ("part", "param"),
    [
        (Text(text="x"), "messages"),
        (ToolResult(call_id="c", parts=(Refusal(text="r"),)), "refusal"),
        (ToolResult(call_id="c", parts=(Opaque(protocol="ag-ui", kind="k", body="1"),)), "k"),
    ],
)
def test_a_result_holds_words_and_media(part: Any, param: str) -> None:
    with pytest.raises(Unsupported) as caught:
        write(body_of(Message(role="tool", parts=(part,))))
    assert caught.value.param == param


@pytest.mark.parametrize(
    "call", [ToolCall(call_id="c", name="f", arguments="[1]"), ToolCall(call_id="c", name="f", arguments="{")]
)
def test_arguments_that_are_no_object_are_never_invented(call: ToolCall) -> None:
    with pytest.raises(InvalidRequest, match="arguments of the call c"):
        write(body_of(Message(role="assistant", parts=(call,))))


@pytest.mark.parametrize(
    ("call", "param"),
    [
        (ToolCall(call_id="c", name="f", kind="custom"), "custom"),
        (ToolCall(call_id="c", name="f", namespace="n"), "namespace"),
    ],
)
def test_calls_of_tools_that_are_not_here_are_refused(call: ToolCall, param: str) -> None:
    with pytest.raises(Unsupported) as caught:
        write(body_of(Message(role="assistant", parts=(call,))))
    assert caught.value.param == param


def test_what_cannot_change_the_answer_is_dropped_and_reported() -> None:
    cached = Text(text="a", cache=Cache(), citations=(Citation(kind="url"),))
    named = Message(role="user", parts=(cached,), name="bob", phase="p")
    picture = Media(
        kind="image", source=Inline(media_type="image/png", data="QQ=="), detail="high", context="c"
    )
    sealed = Text(text="b", seal=Seal(issuer="anthropic-messages", kind="signature", data="s"))
    body = body_of(
        named,
        user(picture, sealed),
        Message(role="assistant", parts=(Thinking(text="t"), Refusal(text="no"), Refusal(text=""))),
        Message(
            role="tool", parts=(ToolResult(call_id="c", parts=(Text(text="r", cache=Cache()),), name="f"),)
        ),
        tools=(Tool(name="f", strict=True, cache=Cache()),),
        cache=Cache(),
        store=True,
        user="u",
        metadata={"a": "b"},
        verbosity="low",
        service_tier="auto",
        extensions={"x-ui": "{}"},
    )
    _, dropped = write(body)
    assert set(dropped) == {
        "name",
        "phase",
        "cache_control",
        "citations",
        "detail",
        "context",
        "signature",
        "reasoning",
        "refusal",
        "strict",
        "store",
        "user",
        "metadata",
        "verbosity",
        "service_tier",
        "x-ui",
    }


@pytest.mark.parametrize(
    ("tier", "sent"), [("default", "standard"), ("flex", "flex"), ("priority", "priority")]
)
def test_tiers_are_mapped(tier: str, sent: str) -> None:
    assert write(body_of(service_tier=tier))[0]["serviceTier"] == sent


def test_system_messages_lead_or_become_marked_turns() -> None:
    """K09."""
    messages = (
        Message(role="system", parts=(Text(text="one"),)),
        Message(role="developer", parts=(Text(text="two"),)),
        user(Text(text="hi")),
        Message(role="system", parts=(Text(text="three"),)),
        Message(role="system", parts=(Text(text=""),)),
    )
    sent, dropped = write(body_of(*messages))
    assert sent["systemInstruction"]["parts"] == [{"text": "one"}, {"text": "two"}]
    assert sent["contents"][1] == {
        "role": "user",
        "parts": [{"text": "<system>"}, {"text": "three"}, {"text": "</system>"}],
    }
    assert dropped == ("messages[3].role", "messages[4].role")
    strict = type(PLAIN)(late_system="refuse")
    with pytest.raises(Unsupported) as caught:
        CODEC.encode_request("m", False, body_of(*messages), strict, True)
    assert caught.value.param == "messages[3].role"


def test_calls_of_other_models_stand_in_for_signatures_where_those_are_asked_for() -> None:
    """K13: the first call of a content stands for all; nothing is put into a client's own history."""
    own = Seal(issuer=OURS, kind="signature", data="c2ln")
    calls = (ToolCall(call_id="a", name="f"), ToolCall(call_id="b", name="f"))
    signed = (ToolCall(call_id="c", name="f", seal=own), ToolCall(call_id="d", name="f"))
    history = body_of(Message(role="assistant", parts=calls), Message(role="assistant", parts=signed))
    for model, translated, marks in (
        ("gemini-3-pro", True, ["skip_thought_signature_validator", None, "c2ln", None]),
        ("models/gemini-3.5-flash", True, ["skip_thought_signature_validator", None, "c2ln", None]),
        ("gemini-2.5-pro", True, [None, None, "c2ln", None]),
        ("gemini-3-pro", False, [None, None, "c2ln", None]),
    ):
        sent, _ = write(history, model, translated)
        parts = [part for content in sent["contents"] for part in content["parts"]]
        assert [part.get("thoughtSignature") for part in parts] == marks


def test_results_are_named_after_their_calls_and_hold_media() -> None:
    picture = Media(kind="image", source=Url(url="https://x.test/a.png"), transcript="t")
    failed = ToolResult(call_id="c", parts=(Text(text="a"), Text(text="b"), picture), is_error=True)
    opaque = ToolResult(call_id="zz", parts=(Opaque(protocol=OURS, kind="k", body='{"x":1}'),))
    body = body_of(
        Message(role="assistant", parts=(ToolCall(call_id="c", name="look"),)),
        Message(role="tool", parts=(failed, opaque)),
    )
    sent, dropped = write(body)
    assert sent["contents"][1]["parts"] == [
        {
            "functionResponse": {
                "name": "look",
                "id": "c",
                "response": {"error": "a\nb"},
                "parts": [{"fileData": {"fileUri": "https://x.test/a.png", "mimeType": "image/png"}}],
            }
        },
        {"functionResponse": {"name": "zz", "id": "zz", "response": {"output": '{"x":1}'}}},
    ]
    assert dropped == ("transcript",)


def test_media_of_a_result_that_are_neither_bytes_nor_file_are_kept() -> None:
    part = {
        "functionResponse": {
            "name": "f",
            "parts": [{"odd": 1}, {"inlineData": {"mimeType": "image/png", "data": "QQ=="}}],
        }
    }
    (message,) = said(part)
    result = message.parts[0]
    assert isinstance(result, ToolResult)
    assert [type(inner) for inner in result.parts] == [Opaque, Media]


def test_functions_that_stand_together_are_one_entry() -> None:
    hosted = read(tools=[{"googleSearch": {}}]).tools
    sent, _ = write(
        body_of(
            tools=(Tool(name="a", output_schema='{"type":"string"}'), Tool(name="b"), *hosted, Tool(name="c"))
        )
    )
    assert sent["tools"] == [
        {"functionDeclarations": [{"name": "a", "responseJsonSchema": {"type": "string"}}, {"name": "b"}]},
        {"googleSearch": {}},
        {"functionDeclarations": [{"name": "c"}]},
    ]


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (ToolChoice(mode="auto"), {"mode": "AUTO"}),
        (ToolChoice(mode="auto", names=("f",)), {"mode": "VALIDATED", "allowedFunctionNames": ["f"]}),
        (ToolChoice(mode="none", names=("f",)), {"mode": "NONE"}),
        (ToolChoice(mode="required"), {"mode": "ANY"}),
        (ToolChoice(mode="required", names=("f",)), {"mode": "ANY", "allowedFunctionNames": ["f"]}),
    ],
)
def test_choices_of_other_protocols_are_written(choice: ToolChoice, sent: dict[str, Any]) -> None:
    assert write(body_of(tool_choice=choice))[0]["toolConfig"]["functionCallingConfig"] == sent


def test_a_count_is_asked_for_as_each_service_takes_it() -> None:
    body = body_of(max_tokens=3, tools=(Tool(name="f"),))
    data, _ = CODEC.encode_count_request("m", body, PLAIN)
    whole = json.loads(data)["generateContentRequest"]
    assert whole["model"] == "models/m"
    assert whole["generationConfig"] == {"maxOutputTokens": 3}
    data, _ = CODEC.encode_count_request("m", body, CODEC.dialects["vertex"])
    assert set(json.loads(data)) == {"contents", "tools"}


def test_what_a_step_changes_is_written_anew_and_all_else_as_it_came() -> None:
    given = {
        **HI,
        "generationConfig": {
            "thinkingConfig": {"thinkingLevel": "LOW"},
            "responseModalities": ["TEXT"],
            "x": 1,
        },
        "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}, "other": 1},
        "serviceTier": "FLEX",
        "store": True,
    }
    body = CODEC.decode_request(source(given))
    assert write(body, translated=False) == (given, ())
    import msgspec

    changed = msgspec.structs.replace(
        body,
        reasoning=Reasoning(effort="high"),
        tool_choice=ToolChoice(mode="none"),
        service_tier="priority",
        output=frozenset({"image"}),
    )
    sent, _ = write(changed, translated=False)
    assert sent["generationConfig"]["thinkingConfig"]["thinkingLevel"] == "HIGH"
    assert sent["generationConfig"]["responseModalities"] == ["IMAGE"]
    assert sent["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}, "other": 1}
    assert sent["serviceTier"] == "priority"


def test_a_message_of_nothing_is_none() -> None:
    sent, _ = write(body_of(user(Text(text="")), user(Text(text="x"))))
    assert sent["contents"] == [{"role": "user", "parts": [{"text": "x"}]}]


def test_null_is_absence() -> None:
    body = read(
        generationConfig={"temperature": None, "odd": None, "stopSequences": None},
        tools=[{"googleSearch": None}],
    )
    assert body == read()


def test_a_body_nested_too_deeply_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="deep"):
        CODEC.peek(source(b'{"a":' + b"[" * 100_000))


def test_a_schema_that_allows_anything_is_none() -> None:
    sent, _ = write(body_of(tools=(Tool(name="f", parameters="{}"),)))
    assert sent["tools"] == [{"functionDeclarations": [{"name": "f"}]}]
    items = {"type": "ARRAY", "items": True}
    body = read(tools=[{"functionDeclarations": [{"name": "f", "parameters": items}]}])
    assert json.loads(body.tools[0].parameters or "") == {"type": "array", "items": True}


@pytest.mark.parametrize("response", [{"odd": "x"}, {"output": "x", "more": 1}])
def test_a_result_of_odd_members_is_json(response: dict[str, Any]) -> None:
    (message,) = said({"functionResponse": {"name": "f", "response": response}})
    result = message.parts[0]
    assert isinstance(result, ToolResult)
    assert result.parts == (Text(text=json.dumps(response)),)
