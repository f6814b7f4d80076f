"""One agent, and the official clients of four protocols: the same answer, whole and streamed, strictly read."""

import base64
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anthropic
import openai
import pytest
from anthropic import AsyncAnthropic
from google import genai
from google.genai import types
from openai import AsyncOpenAI

from tests.serve.serve_call import serving
from turnout import App
from turnout.agents import Emit
from turnout.model import Outcome, Request, Text, ToolResult, Usage

# The client's own session, which aiohttp would rather not see.
pytestmark = pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")

PIXEL = b"\x89PNG\r\n\x1a\n0000"
SOUND = b"RIFF0000WAVE"
SCHEMA: Any = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


class Desk:
    """Answers by what the user says last, with whatever a protocol can show."""

    async def run(self, request: Request, emit: Emit) -> Outcome:
        last = request.messages[-1].parts[-1]
        word = request.last_user_text.partition(" ")[0]
        if isinstance(last, ToolResult):
            told = "".join(part.text for part in last.parts if isinstance(part, Text))
            await emit.text(f"it is {told}")
        elif word == "weather":
            await emit.delta("looking")
            await emit.tool("look", {"city": "Rome"}, call_id="call_rome")
        elif word == "think":
            await emit.thinking("let me see")
            await emit.text("done")
        elif word == "fail":
            raise RuntimeError("secret-of-the-desk")
        elif word == "break":
            await emit.delta("so far")
            raise RuntimeError("secret-of-the-desk")
        elif word == "draw":
            await emit.media(PIXEL, "image/png")
        elif word == "speak":
            await emit.media(SOUND, "audio/wav", transcript="hello")
        elif word == "long":
            await emit.delta("half")
            return Outcome(stop="length", usage=Usage(output=5))
        else:
            await emit.delta("hel")
            await emit.delta("lo")
        return Outcome(usage=Usage(input=11, cache_read=2, output=5, reasoning=1))


class Served:
    """Clients of a served desk, by protocol; each tells text, calls, finish and tokens."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.heard: list[BaseException] = []
        self.openai = AsyncOpenAI(
            base_url=f"{self.url}/v1", api_key="x", max_retries=0, _strict_response_validation=True
        )
        self.anthropic = AsyncAnthropic(
            base_url=self.url, api_key="x", max_retries=0, _strict_response_validation=True
        )
        self.genai = genai.Client(api_key="x", http_options=types.HttpOptions(base_url=self.url))

    async def chat(self, text: str, *, stream: bool, tools: bool = False) -> dict[str, Any]:
        options: Any = (
            {"tools": [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}]}
            if tools
            else {}
        )
        ask: Any = {"model": "desk", "messages": [{"role": "user", "content": text}], **options}
        if not stream:
            return self._chat(await self.openai.chat.completions.create(**ask))
        with_usage: Any = {"include_usage": True}
        async with self.openai.chat.completions.stream(**ask, stream_options=with_usage) as made:
            async for _ in made:
                pass
            return self._chat(await made.get_final_completion())

    def _chat(self, made: Any) -> dict[str, Any]:
        choice = made.choices[0]
        calls = [(call.function.name, call.function.arguments) for call in choice.message.tool_calls or ()]
        return told(choice.message.content, calls, choice.finish_reason, made.usage.completion_tokens)

    async def responses(self, text: str, *, stream: bool, tools: bool = False) -> dict[str, Any]:
        options: Any = (
            {"tools": [{"type": "function", "name": "look", "parameters": SCHEMA, "strict": False}]}
            if tools
            else {}
        )
        ask: Any = {"model": "desk", "input": text, "store": False, **options}
        if not stream:
            return self._responses(await self.openai.responses.create(**ask))
        async with self.openai.responses.stream(**ask) as made:
            async for _ in made:
                pass
            return self._responses(await made.get_final_response())

    def _responses(self, made: Any) -> dict[str, Any]:
        calls = [(item.name, item.arguments) for item in made.output if item.type == "function_call"]
        return told(made.output_text, calls, made.status, made.usage.output_tokens)

    async def messages(self, text: str, *, stream: bool, tools: bool = False) -> dict[str, Any]:
        options: Any = {"tools": [{"name": "look", "input_schema": SCHEMA}]} if tools else {}
        ask: Any = {
            "model": "desk",
            "max_tokens": 100,
            "messages": [{"role": "user", "content": text}],
            **options,
        }
        if not stream:
            return self._messages(await self.anthropic.messages.create(**ask))
        async with self.anthropic.messages.stream(**ask) as made:
            return self._messages(await made.get_final_message())

    def _messages(self, made: Any) -> dict[str, Any]:
        text = "".join(block.text for block in made.content if block.type == "text")
        calls = [(block.name, json.dumps(block.input)) for block in made.content if block.type == "tool_use"]
        return told(text, calls, made.stop_reason, made.usage.output_tokens)

    async def gemini(self, text: str, *, stream: bool, tools: bool = False) -> dict[str, Any]:
        look = types.FunctionDeclaration(name="look", parameters_json_schema=SCHEMA)
        config = types.GenerateContentConfig(
            tools=[types.Tool(function_declarations=[look])] if tools else None,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )
        if not stream:
            made = [await self.genai.aio.models.generate_content(model="desk", contents=text, config=config)]
        else:
            pieces = await self.genai.aio.models.generate_content_stream(
                model="desk", contents=text, config=config
            )
            made = [piece async for piece in pieces]
        parts = [
            part
            for piece in made
            for candidate in piece.candidates or ()
            for part in (candidate.content.parts if candidate.content else None) or ()
        ]
        calls = [
            (part.function_call.name, json.dumps(part.function_call.args))
            for part in parts
            if part.function_call is not None
        ]
        candidates = made[-1].candidates
        used = made[-1].usage_metadata
        assert candidates
        assert used
        tokens = (used.candidates_token_count or 0) + (used.thoughts_token_count or 0)
        reason = candidates[0].finish_reason
        return told("".join(part.text or "" for part in parts), calls, reason and reason.value, tokens)

    async def close(self) -> None:
        await self.openai.close()
        await self.anthropic.close()
        await self.genai.aio.aclose()
        self.genai.close()


def told(text: str | None, calls: list[Any], finish: Any, tokens: int) -> dict[str, Any]:
    read = [(name, json.loads(arguments)) for name, arguments in calls]
    return {"text": text or "", "calls": read, "finish": finish, "tokens": tokens}


@asynccontextmanager
async def desk(**info: Any) -> AsyncGenerator[Served]:
    heard: list[BaseException] = []
    app = App(on_error=lambda error, _: heard.append(error))
    app.agent(Desk(), "desk", **info)
    async with app, serving(app) as port:
        clients = Served(port)
        clients.heard = heard
        try:
            yield clients
        finally:
            await clients.close()


PROTOCOLS = pytest.mark.parametrize("protocol", ["chat", "responses", "messages", "gemini"])
STREAMED = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])

FINISHES: dict[str, dict[str, str]] = {
    "chat": {"end": "stop", "call": "tool_calls", "length": "length"},
    "responses": {"end": "completed", "call": "completed", "length": "incomplete"},
    "messages": {"end": "end_turn", "call": "tool_use", "length": "max_tokens"},
    "gemini": {"end": "STOP", "call": "STOP", "length": "MAX_TOKENS"},
}


@pytest.mark.states(
    "L-002", "L-010", "L-015", "L-016", "L-017", "L-078", "L-079", "L-084", "L-085", "L-086", "L-094", "L-095"
)
@pytest.mark.states("L-101", "L-109", "L-113")
@PROTOCOLS
@STREAMED
async def test_one_agent_says_the_same_over_every_protocol(protocol: str, stream: bool) -> None:
    async with desk() as clients:
        given = await getattr(clients, protocol)("hi", stream=stream)
    finish = FINISHES[protocol]["end"]
    assert given == {"text": "hello", "calls": [], "finish": finish, "tokens": 5}


@pytest.mark.states("L-070", "L-090", "L-108")
@PROTOCOLS
@STREAMED
async def test_a_tool_of_the_client_is_called_over_every_protocol(protocol: str, stream: bool) -> None:
    async with desk(tools=True, client_tools=True) as clients:
        given = await getattr(clients, protocol)("weather", stream=stream, tools=True)
    assert given["text"] == "looking"
    assert given["calls"] == [("look", {"city": "Rome"})]
    assert given["finish"] == FINISHES[protocol]["call"]


CUT: dict[tuple[str, bool], type[Exception]] = {
    ("chat", True): openai.LengthFinishReasonError,
    ("responses", True): RuntimeError,  # this helper gives completed responses only
}
"""Where the client's own helper raises for an answer that was cut."""


@PROTOCOLS
@STREAMED
async def test_an_answer_that_was_cut_short_says_so_over_every_protocol(protocol: str, stream: bool) -> None:
    async with desk() as clients:
        ask, raised = getattr(clients, protocol), CUT.get((protocol, stream))
        if raised is not None:
            with pytest.raises(raised):
                await ask("long", stream=stream)
            return
        given = await ask("long", stream=stream)
    assert given["finish"] == FINISHES[protocol]["length"]


@pytest.mark.states("L-143", "L-144", "L-146", "L-150")
@PROTOCOLS
@STREAMED
async def test_a_failing_agent_is_an_error_without_its_words(protocol: str, stream: bool) -> None:
    async with desk() as clients:
        with pytest.raises(Exception, match=r"500|the agent failed") as failed:
            await getattr(clients, protocol)("fail", stream=stream)
        assert "secret" not in str(failed.value)
        assert [str(error.__cause__) for error in clients.heard] == ["secret-of-the-desk"]


@pytest.mark.states("L-147", "L-112")
@pytest.mark.parametrize("protocol", ["chat", "responses", "messages"])
async def test_an_agent_that_fails_on_its_way_ends_the_stream_in_an_error(protocol: str) -> None:
    async with desk() as clients:
        with pytest.raises((openai.APIError, anthropic.APIError, RuntimeError)) as failed:
            await getattr(clients, protocol)("break", stream=True)
        assert "secret" not in str(failed.value)
        assert [str(error.__cause__) for error in clients.heard] == ["secret-of-the-desk"]


@pytest.mark.states("L-090")
async def test_a_tools_result_reaches_the_agent_on_the_next_turn() -> None:
    call: Any = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages: Any = [
        {"role": "user", "content": "weather"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
    ]
    async with desk(tools=True, client_tools=True) as clients:
        made = await clients.openai.chat.completions.create(model="desk", messages=messages)
        assert made.choices[0].message.content == "it is sunny"


@pytest.mark.states("L-108")
async def test_a_tool_result_block_reaches_the_agent_on_the_next_turn() -> None:
    messages: Any = [
        {"role": "user", "content": "weather"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "sunny"}]},
    ]
    async with desk(tools=True, client_tools=True) as clients:
        made = await clients.anthropic.messages.create(model="desk", max_tokens=9, messages=messages)
        assert made.content[0].type == "text"
        assert made.content[0].text == "it is sunny"


# ---- thoughts --------------------------------------------------------------------------------------------------------


@pytest.mark.states("L-102")
@STREAMED
async def test_a_summary_of_thoughts_is_given_to_who_asks_for_it(stream: bool) -> None:
    async with desk() as clients:
        for asked, wanted in (({"summary": "auto"}, ["reasoning", "message"]), ({}, ["message"])):
            ask: Any = {"model": "desk", "input": "think", "reasoning": asked}
            if stream:
                async with clients.openai.responses.stream(**ask) as made:
                    response: Any = await made.get_final_response()
            else:
                response = await clients.openai.responses.create(**ask)
            assert [item.type for item in response.output] == wanted
            if asked:
                assert response.output[0].summary[0].text == "let me see"


# ---- sound and images ------------------------------------------------------------------------------------------------

AUDIO: Any = {
    "modalities": ["text", "audio"],
    "audio": {"voice": "alloy", "format": "wav"},
    "messages": [{"role": "user", "content": "speak"}],
}


@pytest.mark.states("L-088")
async def test_sound_is_given_whole() -> None:
    async with desk(output={"text", "audio"}) as clients:
        made = await clients.openai.chat.completions.create(model="desk", **AUDIO)
        audio = made.choices[0].message.audio
        assert audio is not None
        assert (base64.b64decode(audio.data), audio.transcript) == (SOUND, "hello")


@pytest.mark.states("L-088")
async def test_sound_is_given_in_a_stream() -> None:
    async with desk(output={"text", "audio"}) as clients:
        pieces = await clients.openai.chat.completions.create(model="desk", stream=True, **AUDIO)
        deltas: list[Any] = [piece.choices[0].delta async for piece in pieces if piece.choices]
    told = [delta.audio for delta in deltas if getattr(delta, "audio", None)]
    assert base64.b64decode("".join(one.data or "" for one in told)) == SOUND
    assert "".join(one.transcript or "" for one in told) == "hello"


IMAGE: Any = {"input": "draw", "tools": [{"type": "image_generation"}]}


@pytest.mark.states("L-050", "L-095")
@STREAMED
async def test_an_image_is_given_to_who_offers_the_tool_for_it(stream: bool) -> None:
    async with desk(image_generation=True) as clients:
        if stream:
            async with clients.openai.responses.stream(model="desk", **IMAGE) as made:
                response: Any = await made.get_final_response()
        else:
            response = await clients.openai.responses.create(model="desk", **IMAGE)
    (item,) = response.output
    assert (item.type, item.status) == ("image_generation_call", "completed")
    assert base64.b64decode(item.result) == PIXEL


@pytest.mark.states("L-051")
async def test_an_image_that_nobody_asked_for_is_an_error() -> None:
    async with desk(image_generation=True) as clients:
        with pytest.raises(openai.InternalServerError, match="not declare"):
            await clients.openai.responses.create(model="desk", input="draw")


# ---- the list --------------------------------------------------------------------------------------------------------


@pytest.mark.states("L-018", "L-052", "L-058", "L-062")
async def test_the_list_of_models_tells_of_agents() -> None:
    async with desk(created=1_735_689_600, owned_by="acme") as clients:
        (found,) = [model async for model in clients.openai.models.list()]
        assert (found.id, found.created, found.owned_by) == ("desk", 1_735_689_600, "acme")
        assert [model.id async for model in clients.anthropic.models.list()] == ["desk"]
