"""The official client speaks Responses to a served app, over a Chat and over a Responses upstream, strictly."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI
from pydantic import BaseModel

import turnout
from tests.serve.serve_call import serving
from tests.wire.responses_strategies import stream_of
from turnout import App

CREATED = 1_790_000_000
CALL = {"name": "get_weather", "arguments": '{"city":"Rome"}'}
THOUGHT = "They want the weather."
TOOL: Any = {
    "type": "function",
    "name": "get_weather",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    "strict": False,
}


class Upstream:
    """A scripted model that speaks one protocol; what the last user text says is the scene to play."""

    def __init__(self, protocol: str) -> None:
        self.protocol = protocol
        self.asked: list[dict[str, Any]] = []
        self.broken = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        more = scope["type"] == "http"
        while more:
            message = await receive()
            body += message["body"]
            more = message["more_body"]
        asked = json.loads(body)
        self.asked.append(asked)
        scene = "tool" if asked.get("tools") and "weather" in body.decode() else "text"
        scene = "json" if "degrees" in body.decode() else scene
        scene = "cut" if b"cut off" in body else scene
        data = (self.chat if self.protocol == "openai-chat" else self.responses)(
            scene, asked.get("stream", False)
        )
        kind = b"text/event-stream" if asked.get("stream") else b"application/json"
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]})
        await send({"type": "http.response.body", "body": data, "more_body": scene == "cut"})
        if scene == "cut":
            await asyncio.sleep(0)  # returning without the last message cuts the connection

    def chat(self, scene: str, stream: bool) -> bytes:
        said: dict[str, Any] = {
            "role": "assistant",
            "content": _WORDS.get(scene, "Hello there"),
            "refusal": None,
        }
        reason = "stop"
        if scene == "tool":
            said["tool_calls"] = [{"id": "call_1", "type": "function", "function": CALL}]
            said["content"], reason = None, "tool_calls"
        usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
        base = {"id": "c1", "created": CREATED, "model": "up"}
        if not stream:
            choice = {"index": 0, "message": said, "finish_reason": reason}
            return json.dumps(
                {**base, "object": "chat.completion", "choices": [choice], "usage": usage}
            ).encode()
        base["object"] = "chat.completion.chunk"
        if scene == "tool":
            said["tool_calls"] = [{"index": 0, **call} for call in said["tool_calls"]]
        deltas: list[Any] = [(said, None), ({}, reason)]
        if scene == "cut":
            deltas.pop()
        rows: list[dict[str, Any]] = [
            {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": end}]} for delta, end in deltas
        ]
        if scene != "cut":
            rows.append({**base, "choices": [], "usage": usage})
        data = b"".join(b"data: " + json.dumps(row).encode() + b"\n\n" for row in rows)
        return data if scene == "cut" else data + b"data: [DONE]\n\n"

    def responses(self, scene: str, stream: bool) -> bytes:
        said = {
            "type": "message",
            "id": "msg_1",
            "status": "completed",
            "role": "assistant",
            "content": [{"type": "output_text", "text": _WORDS.get(scene, "Hello there"), "annotations": []}],
        }
        call = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "status": "completed", **CALL}
        thought = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": THOUGHT}]}
        usage = {
            "input_tokens": 3,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": 2,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 5,
        }
        response = {
            "id": "resp_up",
            "object": "response",
            "created_at": CREATED,
            "model": "up",
            "status": "completed",
            "output": [thought, call] if scene == "tool" else [said],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": usage,
        }
        if not stream:
            return json.dumps(response).encode()
        data = (
            stream_of(response)
            .replace(b'"text":', b'"logprobs":[],"text":')
            .replace(b'"delta":', b'"logprobs":[],"delta":')
        )
        return data[: data.index(b"event: response.output_text.done")] if scene == "cut" else data


_WORDS = {"json": '{"city":"Rome","degrees":21}', "tool": None}


def make_app(base_url: str, protocol: Any, **options: Any) -> App:
    app = App(**options)

    @app.action(patterns=[r"greet (?P<name>\w+)"], template="Hello, {name}!")
    async def greet(name: str) -> dict[str, str]:
        """Greet somebody."""
        return {"name": name}

    app.model("m", turnout.provider(protocol, base_url=base_url, api_key="k"))
    return app


@asynccontextmanager
async def gateway(up: Upstream, **options: Any) -> AsyncGenerator[str]:
    async with serving(up, lifespan="off") as behind:
        app = make_app(f"http://127.0.0.1:{behind}/v1", up.protocol, **options)
        async with serving(app, lifespan="on") as port:
            yield f"http://127.0.0.1:{port}/v1"


@asynccontextmanager
async def client(protocol: str, **options: Any) -> AsyncGenerator[tuple[Any, Upstream]]:
    up = Upstream(protocol)
    async with (
        gateway(up, **options) as url,
        AsyncOpenAI(base_url=url, api_key="x", max_retries=0, _strict_response_validation=True) as made,
    ):
        yield made, up


over = pytest.mark.parametrize("protocol", ["openai-chat", "openai-responses"])
shaped = pytest.mark.parametrize("open_responses", [False, True])


@over
@shaped
async def test_the_strict_client_reads_whole_answers(protocol: str, open_responses: bool) -> None:
    async with client(protocol, open_responses=open_responses) as (made, up):
        answer = await made.responses.create(model="m", input="hi", instructions="be brief")
        assert answer.output_text == "Hello there"
        assert answer.status == "completed"
        assert answer.usage.total_tokens == 5
    assert len(up.asked) == 1
    assert "be brief" in json.dumps(up.asked[0])


@over
@shaped
async def test_the_strict_client_reads_every_event(protocol: str, open_responses: bool) -> None:
    async with client(protocol, open_responses=open_responses) as (made, _):
        events = [one async for one in await made.responses.create(model="m", input="hi", stream=True)]
    assert [one.sequence_number for one in events] == list(range(len(events)))
    assert events[-1].type == "response.completed"
    assert events[-1].response.output_text == "Hello there"
    words = "".join(one.delta for one in events if one.type == "response.output_text.delta")
    assert words == "Hello there"


@over
async def test_the_streaming_helper_comes_to_the_same(protocol: str) -> None:
    asked: Any = {"model": "m", "input": "the weather in Rome?", "tools": [TOOL]}
    async with client(protocol) as (made, _), made.responses.stream(**asked) as helper:
        seen = [one.type async for one in helper]
        final = await helper.get_final_response()
    call = final.output[-1]
    assert (call.type, call.name, call.arguments) == ("function_call", "get_weather", '{"city":"Rome"}')
    for kind in ("output_item.added", "function_call_arguments.delta", "function_call_arguments.done"):
        assert f"response.{kind}" in seen


class Weather(BaseModel):
    city: str
    degrees: int


@over
async def test_the_parsing_helper_gets_its_object(protocol: str) -> None:
    async with client(protocol) as (made, up):
        answer = await made.responses.parse(model="m", input="degrees in Rome?", text_format=Weather)
        assert answer.output_parsed == Weather(city="Rome", degrees=21)
    asked = up.asked[0]
    shape = asked["response_format"]["json_schema"] if protocol == "openai-chat" else asked["text"]["format"]
    assert shape["strict"] is True


@over
async def test_an_action_answers_and_the_upstream_hears_nothing(protocol: str) -> None:
    async with client(protocol) as (made, up):
        answer = await made.responses.create(model="m", input="greet Ada")
        assert answer.output_text == "Hello, Ada!"
        async with made.responses.stream(model="m", input="greet Bob") as helper:
            final = await helper.get_final_response()
        assert final.output_text == "Hello, Bob!"
    assert up.asked == []


async def test_a_conversation_with_a_tool_goes_on() -> None:
    async with client("openai-chat") as (made, up):
        asked: Any = [{"role": "user", "content": "the weather in Rome?"}]
        first = await made.responses.create(model="m", input=asked, tools=[TOOL])
        history = [
            *asked,
            *[item.model_dump(exclude_none=True) for item in first.output],
            {"type": "function_call_output", "call_id": "call_1", "output": "21 degrees"},
        ]
        await made.responses.create(
            model="m", input=history, store=False, include=["reasoning.encrypted_content"]
        )
    roles = [message["role"] for message in up.asked[1]["messages"]]
    assert roles == ["user", "assistant", "tool"]
    assert up.asked[1]["messages"][2]["content"] == "21 degrees"


@over
async def test_the_response_repeats_what_was_asked(protocol: str) -> None:
    async with client(protocol) as (made, _):
        answer = await made.responses.create(
            model="m",
            input="greet Ada",
            instructions="be brief",
            tools=[TOOL],
            tool_choice="auto",
            temperature=0.5,
            metadata={"a": "b"},
            max_output_tokens=99,
            safety_identifier="s",
            reasoning={"effort": "low"},
            text={"verbosity": "low"},
        )
    assert answer.instructions == "be brief"
    assert answer.tools[0].name == "get_weather"
    assert (answer.temperature, answer.max_output_tokens, answer.safety_identifier) == (0.5, 99, "s")
    assert answer.metadata == {"a": "b"}
    assert answer.reasoning.effort == "low"
    assert answer.text.verbosity == "low"
    assert answer.store is False


async def test_a_cut_stream_ends_in_a_failed_response() -> None:
    async with client("openai-chat") as (made, _):
        with pytest.raises(openai.APIError) as raised:
            _ = [one async for one in await made.responses.create(model="m", input="cut off", stream=True)]
    assert "cut" in str(raised.value)


async def test_a_relayed_stream_that_is_cut_goes_on_counting() -> None:
    up = Upstream("openai-responses")
    async with gateway(up) as url:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(url.split(":")[2].split("/")[0]))
        body = json.dumps({"model": "m", "input": "cut off", "stream": True}).encode()
        head = "POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n"
        writer.write(head.encode() + b"content-length: %d\r\n\r\n" % len(body) + body)
        data = (await reader.read()).decode()
        writer.close()
    rows = [json.loads(line[6:]) for line in data.splitlines() if line.startswith("data: {")]
    assert [row["sequence_number"] for row in rows] == list(range(len(rows)))
    assert [row["type"] for row in rows[-2:]] == ["error", "response.failed"]
    assert rows[-2]["error"]["message"] == rows[-2]["message"]
    assert rows[-1]["response"]["error"]["code"] == "server_error"


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"previous_response_id": "resp_1"}, "previous_response_id"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"background": True}, "background"),
        ({"prompt": {"id": "p"}}, "prompt"),
        ({"tools": [{"type": "file_search", "vector_store_ids": ["v"]}]}, "tools[0].type"),
        ({"input": 5}, "input"),
    ],
)
async def test_what_the_upstream_cannot_do_is_refused_by_name(more: Any, param: str) -> None:
    async with client("openai-chat") as (made, up):
        with pytest.raises(openai.BadRequestError) as raised:
            await made.responses.create(**{"model": "m", "input": "hi", **more})
    assert raised.value.param == param
    assert up.asked == []


@pytest.mark.parametrize(
    "more",
    [{"previous_response_id": "resp_1"}, {"conversation": "conv_1"}, {"background": True}],
    ids=["previous", "conversation", "background"],
)
async def test_without_a_store_an_action_claims_no_state_that_the_model_is_asked_for(more: Any) -> None:
    """What the model's provider keeps is its own: it gets the request whole, or is known to have none."""
    async with client("openai-responses") as (made, up):
        await made.responses.create(**{"model": "m", "input": "greet Ada", **more})
    assert [{name: asked[name] for name in more} for asked in up.asked] == [more]
    async with client("openai-chat") as (made, up):
        with pytest.raises(openai.BadRequestError) as raised:
            await made.responses.create(**{"model": "m", "input": "greet Ada", **more})
    assert [raised.value.param] == list(more)
    assert up.asked == []


@over
async def test_without_a_store_no_action_says_that_its_answer_is_stored(protocol: str) -> None:
    async with client(protocol) as (made, up):
        answer = await made.responses.create(model="m", input="greet Ada", store=True)
        assert (answer.output_text, answer.store) == ("Hello, Ada!", False)
        async with made.responses.stream(model="m", input="greet Bob", store=True) as helper:
            final = await helper.get_final_response()
        assert (final.output_text, final.store) == ("Hello, Bob!", False)
    assert up.asked == []


async def test_truncation_of_a_long_history_is_left_out_and_reported() -> None:
    async with client("openai-chat") as (made, up):
        answer = await made.responses.with_raw_response.create(model="m", input="hi", truncation="auto")
    assert "truncation" in answer.headers["x-turnout-dropped"]
    assert "truncation" not in up.asked[0]


async def test_tools_that_the_upstream_lacks_are_offered_as_functions() -> None:
    coding: Any = [
        {"type": "custom", "name": "apply_patch", "description": "patch"},
        {
            "type": "namespace",
            "name": "agents",
            "description": "d",
            "tools": [
                {"type": "function", "name": "close", "parameters": {"type": "object"}, "strict": False}
            ],
        },
        {"type": "web_search"},
    ]
    async with client("openai-chat") as (made, up):
        answer = await made.responses.with_raw_response.create(model="m", input="hi", tools=coding)
        assert "tools.web_search" in answer.headers["x-turnout-dropped"]
        assert [tool.type for tool in answer.parse().tools] == ["custom", "namespace", "web_search"]
    names = [tool["function"]["name"] for tool in up.asked[0]["tools"]]
    assert names == ["apply_patch", "agents__close"]


# ---- the scenarios of Open Responses that need no store ------------------------------------------------------------

SCENARIOS: dict[str, dict[str, Any]] = {
    "basic-response": {"input": [{"type": "message", "role": "user", "content": "Say hello."}]},
    "assistant-phase": {
        "input": [
            {"type": "message", "role": "user", "content": "Plan it."},
            {"type": "message", "role": "assistant", "phase": "commentary", "content": "Thinking."},
            {"type": "message", "role": "assistant", "phase": "final_answer", "content": "Done."},
            {"type": "message", "role": "user", "content": "Go on."},
        ]
    },
    "system-prompt": {
        "input": [
            {"type": "message", "role": "system", "content": "Be a pirate."},
            {"type": "message", "role": "user", "content": "Hello."},
        ]
    },
    "tool-calling": {
        "input": [{"type": "message", "role": "user", "content": "What is the weather?"}],
        "tools": [{key: value for key, value in TOOL.items() if key != "strict"}],
    },
    "image-input": {
        "input": [
            {
                "type": "message",
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "What is it?"},
                    {"type": "input_image", "image_url": "data:image/png;base64,QUJD"},
                ],
            }
        ]
    },
    "multi-turn": {
        "input": [
            {"type": "message", "role": "user", "content": "I am Ada."},
            {"type": "message", "role": "assistant", "content": "Hello Ada."},
            {"type": "message", "role": "user", "content": "Who am I?"},
        ]
    },
}
ALWAYS = {
    "id",
    "object",
    "created_at",
    "completed_at",
    "status",
    "incomplete_details",
    "model",
    "previous_response_id",
    "instructions",
    "output",
    "error",
    "tools",
    "tool_choice",
    "truncation",
    "parallel_tool_calls",
    "text",
    "top_p",
    "presence_penalty",
    "frequency_penalty",
    "top_logprobs",
    "temperature",
    "reasoning",
    "usage",
    "max_output_tokens",
    "max_tool_calls",
    "store",
    "background",
    "service_tier",
    "metadata",
    "safety_identifier",
    "prompt_cache_key",
}
NEVER_NULL = (
    "top_p",
    "presence_penalty",
    "frequency_penalty",
    "top_logprobs",
    "temperature",
    "store",
    "service_tier",
)


def check_resource(response: dict[str, Any]) -> None:
    """The members that Open Responses wants in every response, whole or in an event."""
    assert len(ALWAYS) == 31
    assert response.keys() >= ALWAYS
    assert not [name for name in NEVER_NULL if response[name] is None]
    for item in response["output"]:
        assert item["type"] in {"message", "function_call", "reasoning"}
        assert item["id"]
        assert item["type"] == "reasoning" or item["status"] in {"completed", "incomplete"}
        assert item.get("phase") in {None, "commentary", "final_answer"}


@pytest.mark.parametrize("name", sorted(SCENARIOS))
@pytest.mark.parametrize("stream", [False, True])
async def test_the_scenarios_of_open_responses_pass(name: str, stream: bool) -> None:
    async with client("openai-chat", open_responses=True) as (made, _):
        body = {"model": "m", **SCENARIOS[name], "stream": stream}
        raw = await made.post("/responses", body=body, cast_to=str)
    if not stream:
        response = json.loads(raw)
    else:
        frames = [frame.split("\n") for frame in raw.strip().split("\n\n")]
        assert frames.pop() == ["data: [DONE]"]
        rows = [json.loads(lines[1].removeprefix("data: ")) for lines in frames]
        assert [lines[0].removeprefix("event: ") for lines in frames] == [row["type"] for row in rows]
        assert [row["sequence_number"] for row in rows] == list(range(len(rows)))
        for row in rows:
            if "response" in row:
                check_resource(row["response"])
        kinds = [row["type"] for row in rows]
        assert kinds.count("response.completed") == 1
        if name == "tool-calling":
            told = [
                kind for kind in kinds if kind.startswith(("response.output_item", "response.function_call"))
            ]
            assert list(dict.fromkeys(told)) == [
                "response.output_item.added",
                "response.function_call_arguments.delta",
                "response.function_call_arguments.done",
                "response.output_item.done",
            ]
        response = rows[-1]["response"]
    check_resource(response)
    assert response["status"] == "completed"
    assert bool([item for item in response["output"] if item["type"] == "function_call"]) is (
        name == "tool-calling"
    )


# ---- the door --------------------------------------------------------------------------------------------------------


async def raw(app: Any, head: str) -> str:
    async with serving(app, lifespan="on") as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{head}host: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n".encode())
        data = await reader.read()
        writer.close()
    return data.decode()


async def test_get_is_refused_cleanly() -> None:
    answer = await raw(make_app("http://127.0.0.1:9/v1", "openai-chat"), "GET /v1/responses HTTP/1.1\r\n")
    assert answer.startswith("HTTP/1.1 405")
    assert "allow: POST" in answer


@pytest.mark.filterwarnings("ignore")
async def test_an_upgrade_to_websocket_is_refused_with_426() -> None:
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/v1/responses",
        "query_string": b"",
        "headers": [(b"host", b"x"), (b"connection", b"Upgrade"), (b"upgrade", b"websocket")],
    }
    sent = await asgi(scope)
    assert sent[0]["status"] == 426
    assert dict(sent[0]["headers"])[b"upgrade"] == b"HTTP/1.1"
    assert json.loads(sent[1]["body"])["error"]["code"] == "websocket_unsupported"


async def test_a_socket_that_the_server_accepted_is_refused_with_426() -> None:
    scope: dict[str, Any] = {"type": "websocket", "path": "/v1/responses", "headers": [], "extensions": None}
    assert (await asgi(scope))[0] == {"type": "websocket.close", "code": 1008}
    scope["extensions"] = {"websocket.http.response": {}}
    start, body = await asgi(scope)
    assert (start["type"], start["status"]) == ("websocket.http.response.start", 426)
    assert json.loads(body["body"])["error"]["type"] == "invalid_request_error"
    assert (await asgi({**scope, "path": "/nowhere"}))[0]["type"] == "websocket.close"


async def asgi(scope: dict[str, Any]) -> list[Any]:
    app = make_app("http://127.0.0.1:9/v1", "openai-chat")
    sent: list[Any] = []

    async def receive() -> Any:
        return (
            {"type": "http.request", "body": b""}
            if scope["type"] == "http"
            else {"type": "websocket.connect"}
        )

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    await app.aclose()
    return sent
