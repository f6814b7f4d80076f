"""Each field of each protocol that an agent may lack: refused by name before anything runs, taken where declared."""

import json
from typing import Any

import pytest

from tests.serve.serve_call import Call, call
from turnout import App
from turnout.agents import Emit
from turnout.model import Info, Request
from turnout.serve.capabilities import CHAT, GEMINI, MESSAGES, NEVER, RESPONSES, ROWS, Row, check
from turnout.wire.codec import codec

PNG, WAV, PDF = "iVBORw0KGgo=", "UklGRg==", "JVBERg=="
SCHEMA = {"type": "object", "properties": {}}
PATHS = {
    CHAT: "/v1/chat/completions",
    RESPONSES: "/v1/responses",
    MESSAGES: "/v1/messages",
    GEMINI: "/v1beta/models/m:generateContent",
}


def chat_part(**part: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": [part]}]}


def item(**part: Any) -> dict[str, Any]:
    return {"input": [{"role": "user", "content": [part]}]}


def block(**part: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": [part]}]}


def inline(mime: str, data: str) -> dict[str, Any]:
    return {"contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": mime, "data": data}}]}]}


def config(**members: Any) -> dict[str, Any]:
    return {"generationConfig": members}


CHAT_TOOL = {"type": "function", "function": {"name": "look", "parameters": SCHEMA}}
RESPONSES_TOOL = {"type": "function", "name": "look", "parameters": SCHEMA, "strict": False}
MESSAGES_TOOL = {"name": "look", "input_schema": SCHEMA}
GEMINI_TOOL = {"functionDeclarations": [{"name": "look"}]}

ASKED: dict[tuple[str, str, str], dict[str, Any]] = {
    (CHAT, "image_url", "image in"): chat_part(
        type="image_url", image_url={"url": f"data:image/png;base64,{PNG}"}
    ),
    (CHAT, "input_audio", "audio in"): chat_part(
        type="input_audio", input_audio={"data": WAV, "format": "wav"}
    ),
    (CHAT, "video_url", "video in"): chat_part(type="video_url", video_url={"url": "https://x.test/a.mp4"}),
    (CHAT, "file", "document in"): chat_part(
        type="file", file={"file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"}
    ),
    (CHAT, "tools", "tools"): {"tools": [CHAT_TOOL]},
    (CHAT, "tools", "hosted tools"): {"tools": [{"type": "web_search"}]},
    (CHAT, "tool_choice", "forced call"): {"tools": [CHAT_TOOL], "tool_choice": "required"},
    (CHAT, "parallel_tool_calls", "parallel calls"): {"parallel_tool_calls": True},
    (CHAT, "modalities", "text out"): {"modalities": ["text"]},
    (CHAT, "modalities", "audio out"): {
        "modalities": ["text", "audio"],
        "audio": {"voice": "alloy", "format": "wav"},
    },
    (CHAT, "modalities", "image out"): {"modalities": ["text", "image"]},
    (CHAT, "audio", "voice"): {"audio": {"voice": "alloy", "format": "wav"}},
    (CHAT, "model", "any"): {},
    (CHAT, "n", "member n"): {"n": 2},
    (CHAT, "logprobs", "member logprobs"): {"logprobs": True},
    (CHAT, "top_logprobs", "member top_logprobs"): {"top_logprobs": 2},
    (CHAT, "logit_bias", "member logit_bias"): {"logit_bias": {"1": 5}},
    (CHAT, "prediction", "member prediction"): {"prediction": {"type": "content", "content": "x"}},
    (CHAT, "functions", "member functions"): {"functions": [{"name": "look", "parameters": SCHEMA}]},
    (CHAT, "function_call", "member function_call"): {"function_call": {"name": "look"}},
    (CHAT, "web_search_options", "member web_search_options"): {"web_search_options": {}},
    (CHAT, "moderation", "member moderation"): {"moderation": {"model": "x"}},
    (CHAT, "response_format", "member response_format"): {"response_format": {"type": "grammar"}},
    (CHAT, "modalities", "member modalities"): {"modalities": ["smell"]},
    (RESPONSES, "input_image", "image in"): item(
        type="input_image", image_url=f"data:image/png;base64,{PNG}", detail="auto"
    ),
    (RESPONSES, "input_audio", "audio in"): item(
        type="input_audio", input_audio={"data": WAV, "format": "wav"}
    ),
    (RESPONSES, "input_file", "document in"): item(
        type="input_file", file_data=f"data:application/pdf;base64,{PDF}", filename="a.pdf"
    ),
    (RESPONSES, "tools", "tools"): {"tools": [RESPONSES_TOOL]},
    (RESPONSES, "tools", "image tool"): {"tools": [{"type": "image_generation"}]},
    (RESPONSES, "tools", "hosted tools"): {"tools": [{"type": "web_search"}]},
    (RESPONSES, "tool_choice", "forced call"): {"tools": [RESPONSES_TOOL], "tool_choice": "required"},
    (RESPONSES, "parallel_tool_calls", "parallel calls"): {"parallel_tool_calls": True},
    (RESPONSES, "model", "text out"): {},
    (RESPONSES, "previous_response_id", "continuation"): {"previous_response_id": "resp_1"},
    (RESPONSES, "conversation", "conversation"): {"conversation": "conv_1"},
    (RESPONSES, "background", "background"): {"background": True},
    (RESPONSES, "model", "any"): {},
    (RESPONSES, "prompt", "member prompt"): {"prompt": {"id": "p"}},
    (RESPONSES, "context_management", "member context_management"): {
        "context_management": [{"type": "compaction"}]
    },
    (RESPONSES, "background_options", "member background_options"): {"background_options": {"a": 1}},
    (RESPONSES, "max_tool_calls", "member max_tool_calls"): {"max_tool_calls": 3},
    (RESPONSES, "top_logprobs", "member top_logprobs"): {"top_logprobs": 2},
    (RESPONSES, "moderation", "member moderation"): {"moderation": {"model": "x"}},
    (RESPONSES, "include", "member include"): {"include": ["message.output_text.logprobs"]},
    (RESPONSES, "text", "member text"): {"text": {"format": {"type": "grammar"}}},
    (MESSAGES, "image", "image in"): block(
        type="image", source={"type": "base64", "media_type": "image/png", "data": PNG}
    ),
    (MESSAGES, "document", "document in"): block(
        type="document", source={"type": "base64", "media_type": "application/pdf", "data": PDF}
    ),
    (MESSAGES, "tools", "tools"): {"tools": [MESSAGES_TOOL]},
    (MESSAGES, "tools", "hosted tools"): {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
    (MESSAGES, "tool_choice", "forced call"): {"tools": [MESSAGES_TOOL], "tool_choice": {"type": "any"}},
    (MESSAGES, "model", "text out"): {},
    (MESSAGES, "model", "any"): {},
    (MESSAGES, "container", "member container"): {"container": "c"},
    (MESSAGES, "inference_geo", "member inference_geo"): {"inference_geo": "us"},
    (MESSAGES, "mcp_servers", "member mcp_servers"): {"mcp_servers": [{"name": "x"}]},
    (MESSAGES, "output_format", "member output_format"): {"output_format": {"type": "grammar"}},
    (MESSAGES, "thread", "member thread"): {"thread": "t"},
    (GEMINI, "inlineData", "image in"): inline("image/png", PNG),
    (GEMINI, "inlineData", "audio in"): inline("audio/wav", WAV),
    (GEMINI, "inlineData", "video in"): inline("video/mp4", WAV),
    (GEMINI, "inlineData", "document in"): inline("application/pdf", PDF),
    (GEMINI, "tools", "tools"): {"tools": [GEMINI_TOOL]},
    (GEMINI, "tools", "hosted tools"): {"tools": [{"googleSearch": {}}]},
    (GEMINI, "toolConfig", "forced call"): {
        "tools": [GEMINI_TOOL],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
    },
    (GEMINI, "generationConfig.responseModalities", "text out"): config(responseModalities=["TEXT"]),
    (GEMINI, "generationConfig.responseModalities", "audio out"): config(responseModalities=["AUDIO"]),
    (GEMINI, "generationConfig.responseModalities", "image out"): config(responseModalities=["IMAGE"]),
    (GEMINI, "model", "any"): {},
    (GEMINI, "cachedContent", "member cachedContent"): {"cachedContent": "cachedContents/x"},
    (GEMINI, "modelArmorConfig", "member modelArmorConfig"): {"modelArmorConfig": {"a": "b"}},
    (GEMINI, "generationConfig/candidateCount", "member generationConfig/candidateCount"): config(
        candidateCount=2
    ),
    (GEMINI, "generationConfig/speechConfig", "member generationConfig/speechConfig"): config(
        speechConfig={"a": 1}
    ),
    (GEMINI, "generationConfig/imageConfig", "member generationConfig/imageConfig"): config(
        imageConfig={"a": 1}
    ),
    (GEMINI, "generationConfig/routingConfig", "member generationConfig/routingConfig"): config(
        routingConfig={"a": 1}
    ),
    (GEMINI, "generationConfig/translationConfig", "member generationConfig/translationConfig"): config(
        translationConfig={"a": 1}
    ),
}
"""What asks for each row's feature, beside a plain question."""

PLAIN: dict[str, dict[str, Any]] = {
    CHAT: {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    RESPONSES: {"model": "m", "input": "hi"},
    MESSAGES: {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]},
    GEMINI: {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
}

ABLE: dict[str, Any] = {
    "input": {"text", "image", "audio", "video", "document"},
    "output": {"text", "audio", "image"},
    "tools": True,
    "client_tools": True,
    "image_generation": True,
    "continuation": True,
}
"""An agent that has all there is."""
LACKS: dict[str, dict[str, Any]] = {
    "input image": {"input": ABLE["input"] - {"image"}},
    "input audio": {"input": ABLE["input"] - {"audio"}},
    "input video": {"input": ABLE["input"] - {"video"}},
    "input document": {"input": ABLE["input"] - {"document"}},
    "output text": {"output": {"audio", "image"}},
    "output audio": {"output": {"text", "image"}},
    "output image": {"output": {"text", "audio"}},
    "tools": {"tools": False},
    "client tools": {"client_tools": False},
    "image generation": {"image_generation": False},
    "continuation": {"continuation": False},
    "no user interface": {"extensions": {"x-ui": True}},
    NEVER: {},
}
"""How an agent lacks what a row needs, and nothing else."""


def id_of(row: Row) -> str:
    return f"{row.protocol}: {row.field} ({row.feature})"


async def ask(protocol: Any, body: dict[str, Any], ran: list[str], **info: Any) -> Call:
    app = App()

    async def agent(request: Request, emit: Emit) -> None:
        ran.append("agent")
        if "text" in info.get("output", {"text"}):
            await emit.text("fine")

    app.agent(agent, "m", **info)
    async with app:
        return await call(app, PATHS[protocol], {**PLAIN[protocol], **body})


def message_of(made: Call) -> str:
    return made.json["error"]["message"]


def of(row: Row) -> dict[str, Any]:
    return ASKED[row.protocol, row.field, row.feature]


# Sound in Messages has no shape at all, and an agent without text and a request for text meet in the first row.
OVER_THE_WIRE = [row for row in ROWS if (row.protocol, row.feature) != (MESSAGES, "audio in")]


def test_every_row_has_a_request_that_asks_for_it() -> None:
    assert {(row.protocol, row.field, row.feature) for row in OVER_THE_WIRE} == ASKED.keys()


@pytest.mark.states("L-044", "L-045", "L-047", "L-050", "L-054", "L-055", "L-056", "L-096", "L-098", "L-110")
@pytest.mark.states("L-093", "L-148")
@pytest.mark.parametrize("row", OVER_THE_WIRE, ids=id_of)
async def test_a_field_that_the_agent_cannot_honour_is_refused_by_name(row: Row) -> None:
    ran: list[str] = []
    made = await ask(row.protocol, of(row), ran, **{**ABLE, **LACKS[row.needs]})
    assert made.status == 400, made.body
    assert row.field in message_of(made)
    assert ran == []
    if row.protocol in (CHAT, RESPONSES):
        assert made.json["error"]["param"] == row.field
        assert made.json["error"]["code"] == "unsupported"


@pytest.mark.states("L-087", "L-090", "L-107", "L-108")
@pytest.mark.parametrize(
    "row", [row for row in OVER_THE_WIRE if row.needs not in (NEVER, "continuation")], ids=id_of
)
async def test_a_field_that_the_agent_declares_reaches_it(row: Row) -> None:
    body = of(row)
    if row.feature == "voice":
        body = {**body, "modalities": ["text", "audio"]}
    if row.feature == "parallel calls":
        body = {**body, **ASKED[row.protocol, "tools", "tools"]}
    ran: list[str] = []
    made = await ask(row.protocol, body, ran, **ABLE)
    assert made.status == 200, made.body
    assert ran == ["agent"]


@pytest.mark.states("L-042", "L-043")
@pytest.mark.parametrize(
    ("protocol", "controls"),
    [
        (CHAT, {"max_tokens": 5, "temperature": 0.5, "top_p": 0.9, "stop": ["x"], "seed": 1, "user": "u"}),
        (RESPONSES, {"max_output_tokens": 5, "temperature": 0.5, "top_p": 0.9, "metadata": {"a": "b"}}),
        (MESSAGES, {"temperature": 0.5, "top_p": 0.9, "stop_sequences": ["x"]}),
        (GEMINI, config(maxOutputTokens=5, temperature=0.5, topP=0.9, stopSequences=["x"])),
    ],
)
async def test_an_agent_that_declares_nothing_takes_the_ordinary_controls(
    protocol: Any, controls: dict[str, Any]
) -> None:
    made = await ask(protocol, controls, [])
    assert made.status == 200
    assert "x-turnout-dropped" not in made.headers


@pytest.mark.states("L-057", "L-093")
@pytest.mark.parametrize(
    ("protocol", "field"),
    [
        (CHAT, "previous_response_id"),
        (RESPONSES, "wish"),
        (MESSAGES, "previous_response_id"),
        (GEMINI, "wish"),
    ],
)
async def test_an_unknown_field_is_ignored_and_reported(protocol: Any, field: str) -> None:
    ran: list[str] = []
    made = await ask(protocol, {field: "x"}, ran)
    assert made.status == 200
    assert made.headers["x-turnout-dropped"] == field
    assert ran == ["agent"]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.protocol == CHAT and row.needs == NEVER], ids=id_of
)
async def test_null_counts_as_absent(row: Row) -> None:
    made = await ask(CHAT, {row.field: None}, [])
    assert made.status == 200
    assert "x-turnout-dropped" not in made.headers


HARMLESS: list[tuple[Any, dict[str, Any]]] = [
    (CHAT, {"n": 1, "logprobs": False, "modalities": ["text"], "parallel_tool_calls": False, "tools": []}),
    (CHAT, {"tool_choice": "none", "response_format": {"type": "text"}, "reasoning_effort": "high"}),
    (RESPONSES, {"include": ["reasoning.encrypted_content"], "truncation": "disabled", "tools": []}),
    (RESPONSES, {"reasoning": {"effort": "low", "summary": "auto"}, "background": False}),
    (MESSAGES, {"thinking": {"type": "enabled", "budget_tokens": 1024}, "container": None}),
    (GEMINI, config(candidateCount=1)),
]


@pytest.mark.parametrize(("protocol", "body"), HARMLESS)
async def test_what_asks_for_nothing_is_no_reason_to_refuse(protocol: Any, body: dict[str, Any]) -> None:
    assert (await ask(protocol, body, [])).status == 200


@pytest.mark.states("L-096")
async def test_an_item_of_the_history_that_only_its_maker_understands_is_refused_by_name() -> None:
    made = await ask(RESPONSES, {"input": [{"type": "item_reference", "id": "x"}]}, [])
    assert (made.status, made.json["error"]["param"]) == (400, "item_reference")


@pytest.mark.states("L-042")
async def test_a_provider_behind_a_name_decides_for_itself() -> None:
    seen: list[Request] = []
    app = App()

    async def provider(request: Request) -> str:
        seen.append(request)
        return "fine"

    app.model("m", provider, info=Info(owned_by="x"))
    async with app:
        made = await call(app, PATHS[CHAT], {**PLAIN[CHAT], **ASKED[CHAT, "tools", "tools"], "n": 2})
    assert made.status == 200
    assert seen[0].decoded is False


# ---- structured output and sound -------------------------------------------------------------------------------------


@pytest.mark.states("L-091")
@pytest.mark.parametrize(
    ("protocol", "body"),
    [
        (
            CHAT,
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "n", "schema": SCHEMA, "strict": True},
                }
            },
        ),
        (
            RESPONSES,
            {"text": {"format": {"type": "json_schema", "name": "n", "schema": SCHEMA, "strict": True}}},
        ),
    ],
)
async def test_a_schema_reaches_the_agent(protocol: Any, body: dict[str, Any]) -> None:
    seen: list[Request] = []
    app = App()

    @app.agent("m")
    async def agent(request: Request, emit: Emit) -> None:
        seen.append(request)
        await emit.text("{}")

    async with app:
        made = await call(app, PATHS[protocol], {**PLAIN[protocol], **body})
    assert made.status == 200
    shape = seen[0].body.format
    assert shape is not None
    assert (shape.kind, shape.name, shape.strict) == ("json_schema", "n", True)
    assert json.loads(shape.schema or "") == SCHEMA


def schema(**members: Any) -> dict[str, Any]:
    return {"response_format": {"type": "json_schema", "json_schema": members}}


@pytest.mark.states("L-092", "L-148")
@pytest.mark.parametrize(
    ("protocol", "body", "param"),
    [
        (CHAT, schema(schema=SCHEMA), "response_format.json_schema.name"),
        (CHAT, schema(name="n"), "response_format.json_schema.schema"),
        (CHAT, schema(name="n", schema={"type": "wish"}), "response_format.json_schema.schema"),
        (CHAT, schema(name="n", schema=[]), "response_format.json_schema.schema"),
        (RESPONSES, {"text": {"format": {"type": "json_schema", "schema": SCHEMA}}}, "text.format.name"),
        (
            RESPONSES,
            {"text": {"format": {"type": "json_schema", "name": "n", "schema": {"type": 3}}}},
            "text.format.schema",
        ),
    ],
)
async def test_a_schema_that_is_none_is_refused(protocol: Any, body: dict[str, Any], param: str) -> None:
    made = await ask(protocol, body, [])
    assert (made.status, made.json["error"]["param"]) == (400, param)


@pytest.mark.states("L-089")
@pytest.mark.parametrize(
    ("audio", "status", "param"),
    [
        *(({"voice": "alloy", "format": kind}, 200, None) for kind in ("wav", "aac", "mp3", "flac", "opus")),
        ({"voice": "alloy", "format": "pcm16"}, 200, None),
        ({"voice": {"id": "voice_1"}, "format": "wav"}, 200, None),
        ({"voice": "alloy", "format": "midi"}, 400, "audio.format"),
        ({"format": "wav"}, 400, "audio"),
        ({"voice": "alloy"}, 400, "audio"),
        (None, 400, "audio"),
    ],
)
async def test_sound_needs_a_voice_and_a_known_format(audio: Any, status: int, param: str | None) -> None:
    made = await ask(CHAT, {"modalities": ["text", "audio"], "audio": audio}, [], **ABLE)
    assert made.status == status
    if param is not None:
        assert made.json["error"]["param"] == param


def test_every_member_that_a_codec_knows_to_change_the_answer_has_a_row() -> None:
    from turnout.wire.anthropic import request as anthropic
    from turnout.wire.chat import request as chat
    from turnout.wire.gemini import request as gemini
    from turnout.wire.responses import request as responses

    known: dict[Any, set[str]] = {
        CHAT: set(chat._MUST),
        RESPONSES: set(responses._MUST),
        MESSAGES: set(anthropic._MUST),
        GEMINI: set(gemini._MUST),
    }
    for protocol, names in known.items():
        assert names <= {row.field for row in ROWS if row.protocol == protocol}


def test_a_request_of_the_application_itself_is_checked_too() -> None:
    from turnout.errors import Unsupported
    from turnout.model import Body, Message, Text, Tool

    said = (Message(role="user", parts=(Text(text="hi"),)),)
    made = Request(model="m", body=Body(messages=said, tools=(Tool(name="look"),)))
    with pytest.raises(Unsupported):
        check(Info(), None, made)
    assert codec("openai-chat").protocol == CHAT
