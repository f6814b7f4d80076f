"""The provider document's view, over all protocols: the same request in, the same answer out."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from upstream import Script, Upstream, Wire, as_json, sse, upstream, whole

from turnout.providers import provider
from turnout.providers.known import KNOWN, known
from turnout.providers.view import (
    ChatRequest,
    ChatResponse,
    ContentBlock,
    ImageBlock,
    Message,
    ModelInfo,
    ProviderConfig,
    ProviderError,
    StreamChunk,
    ThinkingBlock,
    ToolCallBlock,
    ToolCallDelta,
    ToolDef,
    ToolResultBlock,
    TypedProvider,
    Usage,
    decode,
    encode,
    request_of,
)

Raw = msgspec.Raw
PROTOCOLS = ("anthropic-messages", "openai-chat", "openai-responses", "gemini")
KEY = "key-0123456789"
PNG = "iVBORw0KGgo="
ARGUMENTS = '{"z": 1.50, "a": [1, 2]}'
SCHEMA = '{"type": "object", "properties": {"z": {"type": "number"}}}'


@asynccontextmanager
async def against(
    protocol: str, script: Script, **options: Any
) -> AsyncGenerator[tuple[Upstream, TypedProvider]]:
    async with upstream(script) as up, provider(protocol, base_url=up.url, api_key=KEY, **options) as main:
        yield up, TypedProvider(main)


def text(words: str) -> ContentBlock:
    return ContentBlock(type="text", text=words)


def call(ref: str, name: str = "f", arguments: str = ARGUMENTS) -> ContentBlock:
    block = ToolCallBlock(id=ref, name=name, input=Raw(arguments.encode()))
    return ContentBlock(type="tool_call", tool_call=block)


def result(ref: str, content: str, *, is_error: bool = False, name: str = "f") -> ContentBlock:
    block = ToolResultBlock(tool_call_id=ref, name=name, content=content, is_error=is_error)
    return ContentBlock(type="tool_result", tool_result=block)


def image() -> ContentBlock:
    return ContentBlock(type="image", image=ImageBlock(media_type="image/png", data=PNG))


def thought(words: str, signature: str = "") -> ContentBlock:
    return ContentBlock(type="thinking", thinking=ThinkingBlock(text=words, signature=signature))


def asked(*messages: Message, temperature: float | None = None, **more: Any) -> ChatRequest:
    config = ProviderConfig(model="m", max_tokens=100, temperature=temperature, top_p=more.pop("top_p", 0.0))
    said = messages or (Message(role="user", content=(text("hi"),)),)
    return ChatRequest(messages=said, config=config, **more)


TOOL = ToolDef(name="f", description="does f", parameters=Raw(SCHEMA.encode()))

# ---- the same answer in every protocol --------------------------------------------------------------------------


WHOLE: dict[str, dict[str, Any]] = {
    "anthropic-messages": {
        "id": "a1",
        "type": "message",
        "role": "assistant",
        "model": "up-model",
        "content": [
            {"type": "text", "text": "hello"},
            {"type": "tool_use", "id": "c1", "name": "f", "input": Raw(ARGUMENTS.encode())},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 7, "cache_read_input_tokens": 3, "output_tokens": 5},
    },
    "openai-chat": {
        "id": "a1",
        "object": "chat.completion",
        "created": 1,
        "model": "up-model",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "hello",
                    "tool_calls": [
                        {"id": "c1", "type": "function", "function": {"name": "f", "arguments": ARGUMENTS}}
                    ],
                },
                "finish_reason": "tool_calls",
            }
        ],
        "usage": {
            "prompt_tokens": 10,
            "completion_tokens": 5,
            "total_tokens": 15,
            "prompt_tokens_details": {"cached_tokens": 3},
        },
    },
    "openai-responses": {
        "id": "a1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "up-model",
        "output": [
            {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "hello", "annotations": []}],
            },
            {
                "id": "fc_1",
                "type": "function_call",
                "status": "completed",
                "call_id": "c1",
                "name": "f",
                "arguments": ARGUMENTS,
            },
        ],
        "usage": {
            "input_tokens": 10,
            "input_tokens_details": {"cached_tokens": 3},
            "output_tokens": 5,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 15,
        },
    },
    "gemini": {
        "responseId": "a1",
        "modelVersion": "up-model",
        "candidates": [
            {
                "index": 0,
                "content": {
                    "role": "model",
                    "parts": [
                        {"text": "hello"},
                        {"functionCall": {"id": "c1", "name": "f", "args": Raw(ARGUMENTS.encode())}},
                    ],
                },
                "finishReason": "STOP",
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 10,
            "cachedContentTokenCount": 3,
            "candidatesTokenCount": 3,
            "thoughtsTokenCount": 2,
            "totalTokenCount": 15,
        },
    },
}


def whole_of(protocol: str, **changes: Any) -> Script:
    data = msgspec.json.encode({**WHOLE[protocol], **changes})
    return whole(200, data, {"content-type": "application/json"})


def stream_of(protocol: str) -> Script:
    """The same answer streamed: made by the protocol's own encoder, which its own tests check."""
    from turnout.model import unfold
    from turnout.wire.codec import Seed, codec

    spoken = codec(protocol)  # pyright: ignore[reportArgumentType]
    answer = spoken.decode_answer(msgspec.json.encode(WHOLE[protocol]), spoken.dialects[""])
    encoder = spoken.stream_encoder(Seed(id="a1", created=1, model="up-model"), True)
    return sse(*[data for told in unfold(answer) if (data := encoder.encode((told,)))])


CONTENT = (text("hello"), call("c1"))


@pytest.mark.states("T-002", "T-005", "T-044", "T-045", "T-046", "T-047", "T-048", "T-049", "T-050", "T-051")
@pytest.mark.states("T-031", "T-032", "T-052")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_the_same_request_gets_the_same_response_everywhere(protocol: str):
    async with against(protocol, whole_of(protocol)) as (up, main):
        response = await main.chat(asked(tools=(TOOL,)))
        assert response == ChatResponse(
            content=CONTENT,
            usage=Usage(input_tokens=7, output_tokens=5, cache_read_tokens=3),
            model="up-model",
            stop_reason="tool_use",
        )
        assert len(up.calls) == 1


async def collected(chunks: Any) -> list[StreamChunk]:
    return [chunk async for chunk in chunks]


def joined(chunks: list[StreamChunk]) -> tuple[str, dict[str, list[ToolCallDelta]]]:
    calls: dict[str, list[ToolCallDelta]] = {}
    for chunk in chunks:
        if chunk.tool_call is not None:
            calls.setdefault(chunk.tool_call.id, []).append(chunk.tool_call)
    return "".join(chunk.text for chunk in chunks), calls


@pytest.mark.states("T-003", "T-008", "T-009", "T-053", "T-054", "T-055", "T-056", "T-057", "T-058", "T-059")
@pytest.mark.states("T-062", "T-063")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_stream_tells_the_same_in_chunks(protocol: str):
    async with against(protocol, stream_of(protocol)) as (_, main):
        chunks = await collected(main.stream(asked(tools=(TOOL,))))
    words, calls = joined(chunks)
    assert words == "hello"
    assert list(calls) == ["c1"]
    assert "".join(delta.input_json for delta in calls["c1"]) == ARGUMENTS
    assert [delta.done for delta in calls["c1"]] == [False] * (len(calls["c1"]) - 1) + [True]
    assert calls["c1"][0].name == "f"
    assert [chunk.type for chunk in chunks[-2:]] == ["usage", "done"]
    assert [chunk.type for chunk in chunks].count("done") == 1
    assert chunks[-2].usage == Usage(input_tokens=7, output_tokens=5, cache_read_tokens=3)
    assert (chunks[-1].stop_reason, chunks[-1].model) == ("tool_use", "up-model")
    for chunk in chunks:
        assert (chunk.text != "") <= (chunk.type == "text_delta")
        assert (chunk.tool_call is not None) == (chunk.type == "tool_call_delta")
        assert (chunk.usage is not None) == (chunk.type == "usage")
        assert chunk.error is None


@pytest.mark.states("T-003", "T-060", "T-061", "T-008")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_cut_stream_ends_in_one_error_chunk(protocol: str):
    inner = stream_of(protocol)

    async def cut(called: Any, wire: Wire) -> None:
        kept: list[bytes] = []
        real = wire.sse

        async def fewer(*events: bytes, headers: Any = None) -> None:
            kept.extend(data for data in events if data)
            await real(*kept[: len(kept) // 2], headers=headers)

        wire.sse = fewer  # pyright: ignore[reportAttributeAccessIssue]
        await inner(called, wire)

    async with against(protocol, cut) as (_, main):
        chunks = await collected(main.stream(asked()))
    assert [chunk.type for chunk in chunks if chunk.type in ("done", "error")] == ["error"]
    last = chunks[-1].error
    assert isinstance(last, ProviderError)
    assert last.type == "provider"


# ---- what is asked ---------------------------------------------------------------------------------------------------

SYSTEMS = {
    "anthropic-messages": lambda body: body["system"],
    "openai-chat": lambda body: body["messages"][0]["content"],
    "openai-responses": lambda body: body.get("instructions") or body["input"][0]["content"],
    "gemini": lambda body: body["systemInstruction"]["parts"],
}
LIMITS = {
    "anthropic-messages": lambda body: body["max_tokens"],
    "openai-chat": lambda body: body.get("max_tokens") or body.get("max_completion_tokens"),
    "openai-responses": lambda body: body["max_output_tokens"],
    "gemini": lambda body: body["generationConfig"]["maxOutputTokens"],
}


@pytest.mark.states("T-010", "T-012", "T-013", "T-014", "T-015", "T-018", "T-019", "T-020", "T-016", "T-017")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_system_limit_and_sampling_reach_every_protocol(protocol: str):
    async with against(protocol, whole_of(protocol)) as (up, main):
        await main.chat(asked(system="be brief", temperature=0.0))
        body = up.last.json
        assert "be brief" in json.dumps(SYSTEMS[protocol](body))
        assert LIMITS[protocol](body) == 100
        config = body.get("generationConfig", body)
        assert config["temperature"] == 0
        assert config.get("top_p", config.get("topP")) is None
        assert ("m" in up.last.target) if protocol == "gemini" else body["model"] == "m"
        await main.chat(asked(top_p=0.5))
        body = up.last.json
        config = body.get("generationConfig", body)
        assert config.get("top_p", config.get("topP")) == 0.5
        assert "temperature" not in config


@pytest.mark.states("T-016", "T-017")
@pytest.mark.parametrize("field", ["temperature", "top_p"])
def test_shares_are_between_0_and_1(field: str):
    wire = {"model": "m", "max_tokens": 1, "temperature": 1.0, field: 1.5}
    with pytest.raises(msgspec.ValidationError, match=field):
        decode(json.dumps(wire).encode(), ProviderConfig)


@pytest.mark.states("T-021", "T-067", "T-068", "T-070")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_temperature_that_is_refused_is_a_typed_error(protocol: str):
    refused = as_json(
        {"error": {"message": "temperature is not taken", "type": "invalid_request_error"}}, 400
    )
    async with against(protocol, refused) as (up, main):
        with pytest.raises(ProviderError, match="temperature is not taken") as caught:
            await main.chat(asked(temperature=0.7))
        assert (caught.value.type, caught.value.retry, caught.value.status_code) == ("provider", False, 400)
        body = up.last.json
        assert body.get("generationConfig", body)["temperature"] == 0.7


TOOLS = {
    "anthropic-messages": lambda body: body["tools"][0]["input_schema"],
    "openai-chat": lambda body: body["tools"][0]["function"]["parameters"],
    "openai-responses": lambda body: body["tools"][0]["parameters"],
    "gemini": lambda body: body["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"],
}


@pytest.mark.states("T-011", "T-042", "T-043")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_tools_schema_reaches_every_protocol_unchanged(protocol: str):
    async with against(protocol, whole_of(protocol)) as (up, main):
        await main.chat(asked(tools=(TOOL,)))
        assert TOOLS[protocol](up.last.json) == json.loads(SCHEMA)
        assert SCHEMA.encode() in up.last.body
        await main.chat(asked())
        assert "tools" not in up.last.json


HISTORY = (
    Message(role="user", content=(text("look"), image(), text("and say"))),
    Message(role="assistant", content=(text("I call"), call("c1"), call("c2", "g", '{"b":2}'))),
    Message(role="tool", content=(result("c1", "one"), result("c2", "broken", is_error=True, name="g"))),
    Message(role="system", content=(text("now in French"),)),
    Message(role="user", content=(text("go on"),)),
)


@pytest.mark.states("T-022", "T-023", "T-024", "T-025", "T-026", "T-027", "T-028", "T-029", "T-030", "T-034")
@pytest.mark.states("T-035", "T-039", "T-040", "T-032")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_whole_history_reaches_every_protocol(protocol: str):
    async with against(protocol, whole_of(protocol)) as (up, main):
        await main.chat(asked(*HISTORY, tools=(TOOL,)))
    sent = up.last.body.decode()
    order = [sent.index(words) for words in ("look", PNG, "and say", "I call", "one", "broken", "go on")]
    assert order == sorted(order)
    assert "now in French" in sent
    assert ARGUMENTS in sent.replace('\\"', '"')
    PLACES[protocol](up.last.json)


def _in_anthropic(body: dict[str, Any]) -> None:
    results = body["messages"][2]
    assert results["role"] == "user"
    assert [row["type"] for row in results["content"][:2]] == ["tool_result", "tool_result"]
    assert [row.get("is_error", False) for row in results["content"][:2]] == [False, True]
    assert body["messages"][0]["content"][1]["source"] == {
        "type": "base64",
        "media_type": "image/png",
        "data": PNG,
    }


def _in_chat(body: dict[str, Any]) -> None:
    rows = [row for row in body["messages"] if row["role"] == "tool"]
    assert [row["tool_call_id"] for row in rows] == ["c1", "c2"]
    assert body["messages"][0]["content"][1]["image_url"]["url"] == f"data:image/png;base64,{PNG}"
    assert "error" in rows[1]["content"].lower() or "broken" in rows[1]["content"]


def _in_responses(body: dict[str, Any]) -> None:
    rows = [row for row in body["input"] if row.get("type") == "function_call_output"]
    assert [row["call_id"] for row in rows] == ["c1", "c2"]


def _in_gemini(body: dict[str, Any]) -> None:
    results = body["contents"][2]
    assert results["role"] == "user"
    responses = [part["functionResponse"] for part in results["parts"]]
    assert [row["response"] for row in responses] == [{"output": "one"}, {"error": "broken"}]
    assert [row["name"] for row in responses] == ["f", "g"]
    assert body["contents"][0]["parts"][1] == {"inlineData": {"mimeType": "image/png", "data": PNG}}


PLACES = {
    "anthropic-messages": _in_anthropic,
    "openai-chat": _in_chat,
    "openai-responses": _in_responses,
    "gemini": _in_gemini,
}


@pytest.mark.states("T-033")
async def test_gemini_calls_without_ids_get_ids_that_match_their_results():
    parts = [{"functionCall": {"name": "f", "args": {"n": n}}} for n in (1, 2)]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    async with against("gemini", whole_of("gemini", candidates=[candidate])) as (up, main):
        response = await main.chat(asked(tools=(TOOL,)))
        ids = [block.tool_call.id for block in response.content if block.tool_call is not None]
        assert len(set(ids)) == 2
        assert all(ids)
        results = tuple(result(ref, f"r{at}") for at, ref in enumerate(ids))
        turn = (
            Message(role="assistant", content=response.content),
            Message(role="tool", content=results),
        )
        await main.chat(asked(Message(role="user", content=(text("x"),)), *turn))
        answered = up.last.json["contents"][2]["parts"]
        assert [part["functionResponse"]["response"]["output"] for part in answered] == ["r0", "r1"]
        assert [part["functionResponse"]["id"] for part in answered] == ids


SIGNED: dict[str, dict[str, Any]] = {
    "anthropic-messages": {
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
            {"type": "redacted_thinking", "data": "cmVk"},
            {"type": "text", "text": "hello"},
        ]
    },
    "openai-responses": {
        "output": [
            {
                "id": "rs_1",
                "type": "reasoning",
                "summary": [{"type": "summary_text", "text": "hm"}],
                "encrypted_content": "c2ln",
            },
            WHOLE["openai-responses"]["output"][0],
        ]
    },
    "gemini": {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [
                        {"text": "hm", "thought": True, "thoughtSignature": "c2ln"},
                        {"text": "hello"},
                        {
                            "functionCall": {"id": "c1", "name": "f", "args": {}},
                            "thoughtSignature": "Y2FsbA==",
                        },
                    ],
                },
                "finishReason": "STOP",
            }
        ]
    },
}
RETURNED = {
    "anthropic-messages": lambda body: (
        body["messages"][1]["content"][:2] == SIGNED["anthropic-messages"]["content"][:2]
    ),
    "openai-responses": lambda body: any(row.get("encrypted_content") == "c2ln" for row in body["input"]),
    "gemini": lambda body: (
        body["contents"][1]["parts"] == SIGNED["gemini"]["candidates"][0]["content"]["parts"]
    ),
}


@pytest.mark.states("T-036", "T-037", "T-030")
@pytest.mark.parametrize("protocol", list(SIGNED))
async def test_signatures_go_back_unchanged_on_the_next_turn(protocol: str):
    async with against(protocol, whole_of(protocol, **SIGNED[protocol])) as (up, main):
        response = await main.chat(asked(tools=(TOOL,)))
        thoughts = [block.thinking for block in response.content if block.thinking is not None]
        assert thoughts[0].text == "hm"
        assert all(each.signature for each in thoughts)
        history = [
            Message(role="user", content=(text("x"),)),
            Message(role="assistant", content=response.content),
        ]
        if protocol == "gemini":
            history.append(Message(role="tool", content=(result("c1", "ok"),)))
        again = decode(encode(asked(*history, Message(role="user", content=(text("y"),)))), ChatRequest)
        await main.chat(again)
        assert RETURNED[protocol](up.last.json)


@pytest.mark.states("T-037")
@pytest.mark.parametrize("protocol", list(SIGNED))
async def test_a_stream_tells_signatures_as_a_whole_answer_does(protocol: str):
    async with against(protocol, whole_of(protocol, **SIGNED[protocol])) as (_, main):
        response = await main.chat(asked(tools=(TOOL,)))
        wanted = [block.thinking.signature for block in response.content if block.thinking is not None]
        chunks = await collected(main.stream(asked(tools=(TOOL,))))
    assert [chunk.signature for chunk in chunks if chunk.signature] == wanted
    assert "".join(chunk.thinking for chunk in chunks) == "hm"


@pytest.mark.states("T-038")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_anothers_thinking_never_fails_a_request(protocol: str):
    async with against(protocol, whole_of(protocol)) as (up, main):
        await main.chat(
            asked(
                Message(role="user", content=(text("x"),)),
                Message(role="assistant", content=(thought("secret plan"), text("hello"))),
                Message(role="user", content=(text("y"),)),
            )
        )
        assert "hello" in up.last.body.decode()
        assert "secret plan" not in up.last.body.decode()


@pytest.mark.states("T-041", "T-067", "T-069")
async def test_an_image_that_a_model_cannot_see_is_a_typed_error():
    refused = as_json({"error": {"message": "image input is not supported", "code": "bad"}}, 400)
    async with against("openai-chat", refused) as (_, main):
        with pytest.raises(ProviderError, match="image") as caught:
            await main.chat(asked(Message(role="user", content=(image(),))))
        assert not caught.value.retry


@pytest.mark.parametrize("kind", ["image", "tool_call", "tool_result"])
async def test_a_block_without_its_content_is_refused_by_name(kind: Any):
    async with against("openai-chat", whole_of("openai-chat")) as (up, main):
        with pytest.raises(ProviderError, match=kind):
            await main.chat(asked(Message(role="user", content=(ContentBlock(type=kind),))))
        chunks = await collected(main.stream(asked(Message(role="user", content=(ContentBlock(type=kind),)))))
        assert [chunk.type for chunk in chunks] == ["error"]
        with pytest.raises(ProviderError, match=kind):
            await main.count_tokens(asked(Message(role="user", content=(ContentBlock(type=kind),))))
        assert up.calls == []


# ---- models and errors -----------------------------------------------------------------------------------------------

LISTS: dict[str, tuple[dict[str, Any], ModelInfo]] = {
    "anthropic-messages": (
        {"data": [{"type": "model", "id": "claude-haiku-4-5", "display_name": "H"}], "has_more": False},
        ModelInfo(
            id="claude-haiku-4-5",
            max_tokens=64_000,
            supports_tools=True,
            supports_vision=True,
            supports_thinking=True,
            context_window=200_000,
        ),
    ),
    "openai-chat": (
        {"object": "list", "data": [{"id": "gpt-4.1", "object": "model"}]},
        ModelInfo(
            id="gpt-4.1",
            max_tokens=32_768,
            supports_tools=True,
            supports_vision=True,
            context_window=1_047_576,
        ),
    ),
    "gemini": (
        {
            "models": [
                {
                    "name": "models/gemini-2.5-pro",
                    "inputTokenLimit": 999,
                    "outputTokenLimit": 99,
                    "supportedGenerationMethods": ["generateContent"],
                },
                {"name": "models/embed", "supportedGenerationMethods": ["embedContent"]},
            ]
        },
        ModelInfo(
            id="gemini-2.5-pro",
            max_tokens=99,
            supports_tools=True,
            supports_vision=True,
            supports_thinking=True,
            context_window=999,
        ),
    ),
}


@pytest.mark.states("T-004", "T-064", "T-065")
@pytest.mark.parametrize("protocol", list(LISTS))
async def test_models_are_listed_with_what_the_provider_says_and_what_is_known(protocol: str):
    rows, wanted = LISTS[protocol]
    async with against(protocol, as_json(rows)) as (_, main):
        assert await main.models() == (wanted,)


@pytest.mark.states("T-066")
async def test_a_model_that_nobody_knows_is_listed_and_works():
    rows = {"data": [{"id": "home-made"}]}
    async with against("openai-chat", as_json(rows)) as (_, main):
        assert await main.models() == (
            ModelInfo(
                id="home-made", max_tokens=0, supports_tools=False, supports_vision=False, context_window=0
            ),
        )
    assert known("home-made") is None


@pytest.mark.states("T-065")
def test_what_is_known_has_sizes_that_can_be():
    for name, row in KNOWN.items():
        assert 0 < row.max_tokens <= row.context_window, name
    assert known("openai/gpt-5-mini") == KNOWN["gpt-5"]
    assert known("claude-opus-4-6-20260101") == KNOWN["claude-opus-4-6"]


ERRORS = [
    (429, {"retry-after": "7"}, "too fast", "rate_limit", True),
    (401, {}, "bad key", "auth", False),
    (403, {}, "not yours", "auth", False),
    (500, {}, "oops", "provider", True),
    (503, {}, "busy", "provider", True),
    (504, {}, "slow", "timeout", True),
    (404, {}, "no such model", "provider", False),
]


@pytest.mark.states("T-067", "T-068", "T-069", "T-070", "T-071", "T-072", "T-073", "T-074", "T-075")
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("status", "headers", "message", "kind", "retry"), ERRORS)
async def test_errors_have_the_documents_words(
    protocol: str, status: int, headers: dict[str, str], message: str, kind: str, retry: bool
):
    body = {"error": {"message": f"{message} {KEY}", "type": "x", "code": status}}
    async with against(protocol, as_json(body, status, headers)) as (_, main):
        for asking in (main.chat(asked()), main.models()):
            with pytest.raises(ProviderError) as caught:
                await asking
            error = caught.value
            assert (error.type, error.retry, error.status_code) == (kind, retry, status)
            assert error.message == str(error)
            assert error.message
            assert KEY not in str(error)
            assert error.__cause__ is not None
            assert error.retry_after == (7.0 if headers else None)


@pytest.mark.states("T-072")
async def test_a_gemini_prompt_that_is_too_long_is_one():
    message = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
    body = {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}
    async with against("gemini", as_json(body, 400)) as (_, main):
        with pytest.raises(ProviderError) as caught:
            await main.chat(asked())
        assert (caught.value.type, caught.value.retry) == ("context_too_long", False)


@pytest.mark.states("T-001")
@pytest.mark.parametrize("name", ["anthropic", "openai", "gemini"])
async def test_a_provider_is_named_as_its_preset(name: str):
    async with provider(name, api_key=KEY) as made:
        assert TypedProvider(made).name == name


@pytest.mark.states("T-006")
async def test_tokens_are_counted_where_the_protocol_counts():
    async with against("gemini", as_json({"totalTokens": 42})) as (up, main):
        assert await main.count_tokens(asked(system="s", tools=(TOOL,))) == 42
        assert up.last.target == "/v1/models/m:countTokens"
        inner = up.last.json["generateContentRequest"]
        assert inner["model"] == "models/m"
        assert set(inner) >= {"contents", "systemInstruction", "tools"}


# ---- JSON ------------------------------------------------------------------------------------------------------------

words = st.text(max_size=8)
counts = st.integers(0, 1000)
jsons = st.sampled_from([Raw(b"{}"), Raw(b'{"b": 1.0, "a": [null]}')])
shares = st.floats(0, 1)
calls = st.builds(ToolCallBlock, id=words, name=words, input=jsons)
results = st.builds(ToolResultBlock, tool_call_id=words, name=words, content=words, is_error=st.booleans())
thoughts = st.builds(ThinkingBlock, text=words, signature=words)
images = st.builds(ImageBlock, media_type=words, data=words)
blocks = st.builds(
    ContentBlock,
    type=st.sampled_from(["text", "tool_call", "tool_result", "thinking", "image"]),
    text=words,
    tool_call=st.none() | calls,
    tool_result=st.none() | results,
    thinking=st.none() | thoughts,
    image=st.none() | images,
)
messages = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    content=st.lists(blocks, max_size=3).map(tuple),
)
configs = st.builds(
    ProviderConfig, model=words, max_tokens=counts, temperature=st.none() | shares, top_p=shares
)
tools = st.builds(ToolDef, name=words, description=words, parameters=jsons)
usages = st.builds(
    Usage,
    input_tokens=counts,
    output_tokens=counts,
    cache_read_tokens=counts,
    cache_write_tokens=counts,
)
errors = st.builds(
    ProviderError,
    words,
    type=words,
    retry=st.booleans(),
    status_code=counts,
    retry_after=st.none() | shares,
)
deltas = st.builds(ToolCallDelta, id=words, name=words, input_json=words, done=st.booleans())
values = st.one_of(
    st.builds(
        ChatRequest,
        messages=st.lists(messages, max_size=2).map(tuple),
        tools=st.lists(tools, max_size=2).map(tuple),
        system=words,
        config=configs,
    ),
    st.builds(
        ChatResponse,
        content=st.lists(blocks, max_size=2).map(tuple),
        usage=usages,
        model=words,
        stop_reason=words,
    ),
    st.builds(
        StreamChunk,
        type=st.sampled_from(["text_delta", "usage", "done", "error"]),
        text=words,
        tool_call=st.none() | deltas,
        thinking=words,
        usage=st.none() | usages,
        error=st.none() | errors,
    ),
    st.builds(
        ModelInfo,
        id=words,
        max_tokens=counts,
        supports_tools=st.booleans(),
        supports_vision=st.booleans(),
        context_window=counts,
    ),
    errors,
)


@pytest.mark.states("T-078")
@given(values)
def test_what_is_written_reads_as_the_same(value: Any):
    assert decode(encode(value), type(value)) == value
    assert hash(ProviderError("a")) == hash(ProviderError("a"))


@pytest.mark.states("T-077", "T-011", "T-012", "T-017", "T-029", "T-034", "T-036", "T-050", "T-056")
@pytest.mark.parametrize(
    ("value", "wire"),
    [
        (
            asked(),
            {
                "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
                "config": {"model": "m", "max_tokens": 100, "temperature": None},
            },
        ),
        (
            ChatResponse(
                content=(), usage=Usage(input_tokens=0, output_tokens=0), model="m", stop_reason="x"
            ),
            {
                "content": [],
                "usage": {"input_tokens": 0, "output_tokens": 0},
                "model": "m",
                "stop_reason": "x",
            },
        ),
        (
            call("c", arguments="{}"),
            {"type": "tool_call", "tool_call": {"id": "c", "name": "f", "input": {}}},
        ),
        (
            result("c", "r"),
            {"type": "tool_result", "tool_result": {"tool_call_id": "c", "name": "f", "content": "r"}},
        ),
        (thought("t"), {"type": "thinking", "thinking": {"text": "t"}}),
        (image(), {"type": "image", "image": {"media_type": "image/png", "data": PNG}}),
        (StreamChunk(type="done"), {"type": "done"}),
        (ToolCallDelta(done=True), {"done": True}),
        (
            StreamChunk(type="error", error=ProviderError("m", type="auth", status_code=401)),
            {
                "type": "error",
                "error": {"type": "auth", "message": "m", "retry": False, "status_code": 401},
            },
        ),
        (
            ModelInfo(id="m", max_tokens=1, supports_tools=True, supports_vision=False, context_window=2),
            {
                "id": "m",
                "max_tokens": 1,
                "supports_tools": True,
                "supports_vision": False,
                "context_window": 2,
            },
        ),
    ],
)
def test_names_are_the_documents_and_empty_options_are_left_out(value: Any, wire: Any):
    assert json.loads(encode(value)) == wire


def test_what_is_no_value_of_the_view_is_not_written():
    with pytest.raises(TypeError):
        encode(object())
    with pytest.raises(msgspec.ValidationError):
        decode(b'{"type": "error", "error": 3}', StreamChunk)


def test_a_signature_that_only_looks_like_ours_is_the_providers():
    request = request_of(asked(Message(role="assistant", content=(thought("t", "turnout.!"),))), "gemini")
    seal = request.messages[0].parts[0].seal
    assert seal is not None
    assert (seal.issuer, seal.data) == ("gemini", "turnout.!")
