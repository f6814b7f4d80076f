"""The official google-genai client against a served app: over a Gemini upstream, and over a chat one."""

import base64
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from google import genai
from google.genai import errors, types
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.serve.serve_call import serving
from turnout import App
from turnout.providers import provider

# The client's own session, which aiohttp would rather not see.
pytestmark = pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")

KEY = "upstream-0123456789"
PIXEL = base64.b64decode("iVBORw0KGgo=")


# ---- two upstreams that play the same scenes -------------------------------------------------------------------------


def gemini_pieces(body: dict[str, Any]) -> list[dict[str, Any]]:
    last = json.dumps(body["contents"][-1])
    if "functionResponse" in last:
        parts: list[Any] = [{"text": "It is "}, {"text": "sunny."}]
    elif "weather" in last:
        parts = [
            {"functionCall": {"name": "look", "args": {"city": city}}, "thoughtSignature": "c2lnbmVk"}
            for city in ("Rome", "Oslo")
        ]
    elif "think" in last:
        parts = [{"text": "I ponder", "thought": True}, {"text": "Done."}]
    else:
        parts = [{"text": "Hello "}, {"text": "there"}]
    pieces: list[dict[str, Any]] = [
        {"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}]} for part in parts
    ]
    pieces[-1]["candidates"][0]["finishReason"] = "STOP"
    counts = {
        "promptTokenCount": 7,
        "candidatesTokenCount": 3,
        "thoughtsTokenCount": 2,
        "totalTokenCount": 12,
    }
    pieces[-1]["usageMetadata"] = counts
    return [{**piece, "responseId": "r1", "modelVersion": "up-model"} for piece in pieces]


def gemini_whole(body: dict[str, Any]) -> dict[str, Any]:
    pieces = gemini_pieces(body)
    parts = [part for piece in pieces for part in piece["candidates"][0]["content"]["parts"]]
    candidate = {**pieces[-1]["candidates"][0], "content": {"role": "model", "parts": parts}}
    return {**pieces[-1], "candidates": [candidate]}


def chat_message(body: dict[str, Any]) -> dict[str, Any]:
    last = body["messages"][-1]
    text = json.dumps(last)
    if last["role"] == "tool":
        return {"role": "assistant", "content": "It is sunny."}
    if "weather" in text:
        calls = [
            {
                "id": f"call_{city}",
                "type": "function",
                "function": {"name": "look", "arguments": json.dumps({"city": city})},
            }
            for city in ("Rome", "Oslo")
        ]
        return {"role": "assistant", "content": None, "tool_calls": calls}
    if "think" in text:
        return {"role": "assistant", "content": "Done.", "reasoning_content": "I ponder"}
    return {"role": "assistant", "content": "Hello there"}


USAGE = {
    "prompt_tokens": 7,
    "completion_tokens": 5,
    "total_tokens": 12,
    "completion_tokens_details": {"reasoning_tokens": 2},
}


def chat_answer(body: dict[str, Any], *, stream: bool) -> dict[str, Any]:
    message = chat_message(body)
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    for at, call in enumerate(message.get("tool_calls", ())):
        call["index"] = at
    choice = {"index": 0, "delta" if stream else "message": message, "finish_reason": reason}
    kind = "chat.completion.chunk" if stream else "chat.completion"
    return {
        "id": "r1",
        "object": kind,
        "created": 1,
        "model": "up-model",
        "choices": [choice],
        "usage": USAGE,
    }


def answered(path: str, body: dict[str, Any]) -> Response:
    if "limited" in json.dumps(body):
        error = {"code": 429, "message": "slow down", "status": "RESOURCE_EXHAUSTED"}
        return JSONResponse({"error": error}, 429, {"retry-after": "7"})
    if path.endswith("countTokens"):
        return JSONResponse({"totalTokens": 42})
    if path.endswith("chat/completions"):
        if body.get("stream"):
            data = [chat_answer(body, stream=True)]
            lines = [f"data: {json.dumps(each)}\n\n" for each in data] + ["data: [DONE]\n\n"]
            return StreamingResponse(iter(lines), media_type="text/event-stream")
        return JSONResponse(chat_answer(body, stream=False))
    if path.endswith("streamGenerateContent"):
        lines = [f"data: {json.dumps(piece)}\r\n\r\n" for piece in gemini_pieces(body)]
        return StreamingResponse(iter(lines), media_type="text/event-stream")
    return JSONResponse(gemini_whole(body))


class Seen:
    """What the upstream was asked."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []


@asynccontextmanager
async def served(protocol: str) -> AsyncGenerator[tuple[genai.Client, Seen]]:
    """A client of an app with an action, in front of an upstream that speaks `protocol`."""
    seen = Seen()

    async def play(request: HttpRequest) -> Response:
        body = await request.json()
        seen.paths.append(str(request.url.path) + "?" + str(request.url.query))
        seen.bodies.append(body)
        seen.headers.append(dict(request.headers))
        return answered(request.url.path, body)

    upstream = Starlette(routes=[Route("/{path:path}", play, methods=["POST"])])
    async with serving(upstream) as upstream_port:
        origin = f"http://127.0.0.1:{upstream_port}"
        app = App()

        @app.action(patterns=["greet (?P<name>[A-Za-z]+)"], template="Good day, {name}.")
        def greet(name: str) -> dict[str, str]:
            """Greet somebody."""
            return {"name": name}

        app.model("up/*", provider(protocol, base_url=origin + "/v1", api_key=KEY), model="*")
        app.model("named", provider(protocol, base_url=origin + "/v1", api_key=KEY))
        async with app, serving(app) as port:
            url = f"http://127.0.0.1:{port}"
            client = genai.Client(api_key="client-key", http_options=types.HttpOptions(base_url=url))
            try:
                yield client, seen
            finally:
                await client.aio.aclose()
                client.close()


UPSTREAMS = pytest.mark.parametrize("protocol", ["gemini", "openai-chat"])
LOOK = types.Tool(
    function_declarations=[
        types.FunctionDeclaration(
            name="look",
            description="Look at the weather.",
            parameters_json_schema={"type": "object", "properties": {"city": {"type": "string"}}},
        )
    ]
)
OFF = types.AutomaticFunctionCallingConfig(disable=True)


@UPSTREAMS
async def test_text_comes_whole_and_streamed(protocol: str) -> None:
    async with served(protocol) as (client, seen):
        for model in ("up/some-model", "named"):
            answer = await client.aio.models.generate_content(model=model, contents="hello")
            assert answer.text == "Hello there"
            assert answer.candidates is not None
            assert answer.candidates[0].finish_reason == types.FinishReason.STOP
            assert answer.usage_metadata is not None
            usage = answer.usage_metadata
            assert (usage.prompt_token_count, usage.candidates_token_count) == (7, 3)
            assert (usage.thoughts_token_count, usage.total_token_count) == (2, 12)
            assert (answer.response_id, answer.model_version) == ("r1", "up-model")
            stream = await client.aio.models.generate_content_stream(model=model, contents="hello")
            chunks = [chunk async for chunk in stream]
            assert "".join(chunk.text or "" for chunk in chunks) == "Hello there"
            assert chunks[-1].usage_metadata == usage
        for headers in seen.headers:
            assert "client-key" not in json.dumps(headers)
        if protocol == "gemini":
            assert seen.paths[0] == "/v1/models/some-model:generateContent?"
            assert seen.paths[1] == "/v1/models/some-model:streamGenerateContent?alt=sse"
            assert seen.headers[0]["x-goog-api-key"] == KEY


@UPSTREAMS
async def test_an_action_answers_whole_and_streamed(protocol: str) -> None:
    async with served(protocol) as (client, seen):
        answer = await client.aio.models.generate_content(model="named", contents="greet Ada")
        assert answer.text == "Good day, Ada."
        stream = await client.aio.models.generate_content_stream(model="named", contents="greet Ada")
        assert "".join([chunk.text or "" async for chunk in stream]) == "Good day, Ada."
        assert seen.bodies == []


@UPSTREAMS
async def test_parallel_calls_and_their_results_make_a_round(protocol: str) -> None:
    async with served(protocol) as (client, seen):
        config = types.GenerateContentConfig(tools=[LOOK], automatic_function_calling=OFF)
        question = types.Content(role="user", parts=[types.Part(text="weather?")])
        answer = await client.aio.models.generate_content(model="named", contents=[question], config=config)
        calls = answer.function_calls or []
        assert [call.args for call in calls] == [{"city": "Rome"}, {"city": "Oslo"}]
        assert answer.candidates is not None
        said = answer.candidates[0].content
        assert said is not None
        results = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=call.id, name=call.name, response={"output": "sun"}
                )
            )
            for call in calls
        ]
        back = types.Content(role="user", parts=results)
        again = await client.aio.models.generate_content(
            model="named", contents=[question, said, back], config=config
        )
        assert again.text == "It is sunny."
        if protocol == "gemini":
            parts = seen.bodies[1]["contents"][1]["parts"]
            assert [part["thoughtSignature"] for part in parts] == ["c2lnbmVk", "c2lnbmVk"]
        else:
            rows = [row for row in seen.bodies[1]["messages"] if row["role"] == "tool"]
            assert [row["content"] for row in rows] == ["sun", "sun"]
            assert [row["tool_call_id"] for row in rows] == ["call_Rome", "call_Oslo"]
        stream = await client.aio.models.generate_content_stream(
            model="named", contents=[question], config=config
        )
        found = [call async for chunk in stream for call in chunk.function_calls or []]
        assert [call.args for call in found] == [{"city": "Rome"}, {"city": "Oslo"}]


@UPSTREAMS
async def test_thoughts_are_shown_where_they_are_asked_for(protocol: str) -> None:
    async with served(protocol) as (client, seen):
        thinking = types.ThinkingConfig(include_thoughts=True, thinking_level=types.ThinkingLevel.HIGH)
        config = types.GenerateContentConfig(thinking_config=thinking)
        answer = await client.aio.models.generate_content(model="named", contents="think", config=config)
        assert answer.candidates is not None
        content = answer.candidates[0].content
        assert content is not None
        assert [(part.text, bool(part.thought)) for part in content.parts or []] == [
            ("I ponder", True),
            ("Done.", False),
        ]
        if protocol == "openai-chat":
            assert seen.bodies[0]["reasoning_effort"] == "high"


@UPSTREAMS
async def test_an_image_reaches_the_model(protocol: str) -> None:
    async with served(protocol) as (client, seen):
        image = types.Part.from_bytes(data=PIXEL, mime_type="image/png")
        answer = await client.aio.models.generate_content(model="named", contents=[image, "what is it?"])
        assert answer.text == "Hello there"
        assert base64.b64encode(PIXEL).decode() in json.dumps(seen.bodies[0])


@UPSTREAMS
async def test_a_schema_reaches_the_model(protocol: str) -> None:
    async with served(protocol) as (client, seen):
        schema = {"type": "object", "properties": {"a": {"type": "string"}}}
        config = types.GenerateContentConfig(
            response_mime_type="application/json",
            response_json_schema=schema,
            temperature=0,
            max_output_tokens=50,
            system_instruction="Be brief.",
        )
        await client.aio.models.generate_content(model="named", contents="json", config=config)
        sent = json.dumps(seen.bodies[0])
        assert json.dumps(schema) in sent
        assert "Be brief." in sent


@UPSTREAMS
async def test_errors_are_typed_and_say_when_to_come_back(protocol: str) -> None:
    async with served(protocol) as (client, _):
        with pytest.raises(errors.ClientError) as caught:
            await client.aio.models.generate_content(model="named", contents="limited")
        assert (caught.value.code, caught.value.status) == (429, "RESOURCE_EXHAUSTED")
        assert "slow down" in str(caught.value)
        with pytest.raises(errors.ClientError) as caught:
            await client.aio.models.generate_content(model="nobody", contents="hi")
        assert (caught.value.code, caught.value.status) == (404, "NOT_FOUND")
        with pytest.raises(errors.ClientError) as caught:
            await client.aio.models.embed_content(model="named", contents="hi")
        assert caught.value.code in (404, 405)


@UPSTREAMS
async def test_what_cannot_be_done_is_a_bad_request_that_names_it(protocol: str) -> None:
    async with served(protocol) as (client, seen):
        config = types.GenerateContentConfig(candidate_count=3)
        if protocol == "gemini":
            await client.aio.models.generate_content(model="named", contents="hi", config=config)
            assert seen.bodies[0]["generationConfig"]["candidateCount"] == 3
            return
        with pytest.raises(errors.ClientError) as caught:
            await client.aio.models.generate_content(model="named", contents="hi", config=config)
        assert (caught.value.code, caught.value.status) == (400, "INVALID_ARGUMENT")
        assert "candidateCount" in str(caught.value)


@UPSTREAMS
async def test_tokens_are_counted_or_estimated(protocol: str) -> None:
    async with served(protocol) as (client, _):
        counted = await client.aio.models.count_tokens(model="named", contents="hello there")
        assert counted.total_tokens is not None
        assert (counted.total_tokens == 42) if protocol == "gemini" else (0 < counted.total_tokens < 20)


@UPSTREAMS
async def test_models_are_listed_and_found(protocol: str) -> None:
    async with served(protocol) as (client, _):
        pager = await client.aio.models.list(config={"query_base": True})
        assert [model.name async for model in pager] == ["models/named"]
        found = await client.aio.models.get(model="named")
        assert found.name == "models/named"


async def test_a_provider_is_made_from_a_client() -> None:
    async with served("gemini") as (client, seen):
        from turnout.providers.view import ChatRequest, ContentBlock, Message, ProviderConfig, TypedProvider

        said = Message(role="user", content=(ContentBlock(type="text", text="hi"),))
        config = ProviderConfig(model="named", max_tokens=9, temperature=None)
        for each in (client, client.aio):
            async with provider.from_client(each) as made:
                response = await TypedProvider(made).chat(ChatRequest(messages=(said,), config=config))
                assert response.content == (ContentBlock(type="text", text="Hello there"),)
        assert len(seen.bodies) == 2
