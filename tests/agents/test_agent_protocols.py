"""Where agents are reached, and what is particular to a protocol."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from openai import AsyncOpenAI
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.serve.serve_call import call, serving
from turnout import App, Server
from turnout.agents import Emit, Run, adapt
from turnout.model import Context, Headers, Info, Reply, Request, Source
from turnout.model.base import ProtocolName
from turnout.wire.codec import codec

CHAT, RESPONSES, MESSAGES = "/chat/completions", "/responses", "/messages"
GEMINI = "/models/m:generateContent"
ASK: dict[str, dict[str, Any]] = {
    CHAT: {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    RESPONSES: {"model": "m", "input": "hi"},
    MESSAGES: {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]},
    GEMINI: {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
}
PATHS = pytest.mark.parametrize("path", list(ASK))


class Never:
    """A catalog that must not be asked."""

    async def list(self, context: Context) -> dict[str, Info]:
        pytest.fail("the catalog was asked")

    async def load(self, target: str, context: Context) -> tuple[Any, Info]:
        pytest.fail("the catalog was asked")


def echo() -> App:
    app = App()

    @app.agent("m")
    async def agent(request: Request, emit: Emit) -> None:
        await emit.text("hello")

    return app


@pytest.mark.states("L-004")
@pytest.mark.parametrize("prefix", ["", "/v1", "/ai", "/ai/v1"])
@PATHS
async def test_an_agent_is_reached_under_any_prefix(prefix: str, path: str) -> None:
    app = echo()
    mount, _, version = prefix.rpartition("/v1") if prefix.endswith("/v1") else (prefix, "", None)
    inner = path if version is None else f"/v1{path}"
    outer = Starlette(routes=[Mount(mount or "/", app)]) if mount else app
    made = await call(outer, f"{mount}{inner}", ASK[path])
    assert made.status == 200
    assert b"hello" in made.body


@pytest.mark.states("L-023", "L-024", "L-026", "L-027")
@pytest.mark.parametrize(
    "path",
    [
        "/v1/chat/completions/",
        "/v1/chat/completions/x",
        "/v1/Chat/Completions",
        "/v1/responses/",
        "/v1/messages/x",
        "/v1/nothing",
        "/v1/mcp",
        "/v1/ag-ui",
        "/",
    ],
)
async def test_any_other_path_is_not_found_and_asks_nobody(path: str) -> None:
    made = await call(Server(Never()), path, ASK[CHAT])
    assert made.status == 404
    error = made.json["error"]
    assert error["message"]
    assert (made.json.get("type") == "error") == path.startswith("/v1/messages")


@pytest.mark.states("L-025")
@pytest.mark.parametrize(
    ("path", "method", "allow"),
    [
        (CHAT, "GET", "POST"),
        (MESSAGES, "PUT", "POST"),
        (RESPONSES, "PATCH", "POST"),
        ("/models", "POST", "GET, HEAD"),
    ],
)
async def test_another_method_is_told_the_right_one(path: str, method: str, allow: str) -> None:
    made = await call(Server(Never()), f"/v1{path}", ASK[CHAT], method=method)
    assert (made.status, made.headers["allow"]) == (405, allow)


@pytest.mark.states("L-014")
@pytest.mark.parametrize(
    ("protocol", "path"),
    [
        ("openai-chat", CHAT),
        ("openai-responses", RESPONSES),
        ("anthropic-messages", MESSAGES),
        ("gemini", GEMINI),
    ],
)
def test_a_request_is_decoded_without_any_server(protocol: ProtocolName, path: str) -> None:
    headers = Headers.of({"content-type": "application/json"})
    source = Source(
        protocol=protocol, body=json.dumps(ASK[path]).encode(), headers=headers, path=f"/v1{path}"
    )
    body = codec(protocol).decode_request(source)
    assert [(message.role, message.text) for message in body.messages] == [("user", "hi")]
    assert codec(protocol).peek(source) == ("m", False)


@pytest.mark.states("L-099")
async def test_a_response_gets_an_id_and_a_time_of_the_servers() -> None:
    ids: Iterator[str] = iter(["one", "two", "three"])

    class Catalog:
        async def list(self, context: Context) -> dict[str, Info]:
            return {}

        async def load(self, target: str, context: Context) -> tuple[Any, Info]:
            async def agent(request: Request, emit: Emit) -> None:
                await emit.text("hello")

            return agent, Info()

    server = Server(Catalog(), new_id=lambda: next(ids), now=lambda: 1_700_000_000.5)
    first, second = [(await call(server, "/v1/responses", ASK[RESPONSES])).json for _ in range(2)]
    assert first["created_at"] == second["created_at"] == 1_700_000_000
    assert "one" in first["id"]
    assert "two" in second["id"]


@pytest.mark.states("L-111")
async def test_messages_have_no_continuation() -> None:
    seen: list[Request] = []
    app = App()

    @app.agent("m", continuation=True)
    async def agent(request: Request, emit: Emit) -> None:
        seen.append(request)
        await emit.text("hello")

    made = await call(app, "/v1/messages", {**ASK[MESSAGES], "previous_response_id": "r1"})
    assert made.status == 200
    assert made.headers["x-turnout-dropped"] == "previous_response_id"
    assert seen[0].body.previous is None


# ---- activity --------------------------------------------------------------------------------------------------------


def allowing(activity: bool) -> Any:
    """A step that runs an agent as a store's acceptance would have it."""

    async def agent(request: Request, emit: Emit) -> None:
        await emit.activity("search", {"query": "turnout"})
        await emit.text("found")

    async def step(request: Request) -> Reply:
        run = Run(info=Info(), activity=activity)
        return await adapt(agent)(request.replace(context=request.context.with_(run)))

    return step


@pytest.mark.states("L-071", "L-106", "L-197", "L-198")
async def test_activity_is_an_event_of_our_own_in_a_stream_of_responses() -> None:
    app = App()
    app.model("m", allowing(True))
    async with app, serving(app) as port:
        url = f"http://127.0.0.1:{port}/v1"
        async with AsyncOpenAI(base_url=url, api_key="x", max_retries=0) as client:
            async with client.responses.stream(model="m", input="hi") as stream:
                events: list[Any] = [event async for event in stream]
                response = await stream.get_final_response()
            (told,) = [event for event in events if event.type == "turnout:activity"]
            assert (told.name, told.data) == ("search", {"query": "turnout"})
            assert response.output_text == "found"
            assert "turnout" not in response.model_dump_json()


@pytest.mark.states("L-106", "L-196")
@PATHS
async def test_activity_that_is_not_allowed_is_an_error(path: str) -> None:
    app = App()
    app.model("m", allowing(False))
    made = await call(app, f"/v1{path}", ASK[path])
    assert made.status == 500
    assert b"activity" in made.body


@pytest.mark.parametrize("path", [CHAT, MESSAGES, GEMINI])
async def test_activity_has_no_place_in_the_other_protocols(path: str) -> None:
    app = App()
    app.model("m", allowing(True))
    made = await call(app, f"/v1{path}", {**ASK[path], "stream": True} if path != GEMINI else ASK[path])
    assert made.status == 200
    assert b"found" in made.body
    assert b"search" not in made.body


# ---- thoughts --------------------------------------------------------------------------------------------------------

THINKING: dict[str, dict[str, Any]] = {
    CHAT: {"reasoning_effort": "high"},
    RESPONSES: {"reasoning": {"summary": "auto"}},
    MESSAGES: {"thinking": {"type": "enabled", "budget_tokens": 1024}},
    GEMINI: {"generationConfig": {"thinkingConfig": {"includeThoughts": True}}},
}


@pytest.mark.states("L-102")
@pytest.mark.parametrize(
    ("path", "reasoning", "shown"),
    [
        (CHAT, "", False),
        (CHAT, "reasoning_content", True),
        (RESPONSES, "", True),
        (MESSAGES, "", False),
        (GEMINI, "", True),
    ],
)
async def test_thoughts_are_shown_where_the_protocol_has_a_place(
    path: str, reasoning: str, shown: bool
) -> None:
    app = App()

    @app.agent("m", reasoning=reasoning)
    async def agent(request: Request, emit: Emit) -> None:
        await emit.thinking("let me see")
        await emit.text("done")

    asked = await call(app, f"/v1{path}", {**ASK[path], **THINKING[path]})
    assert (b"let me see" in asked.body) == shown
    assert b"done" in asked.body
    assert ("x-turnout-dropped" in asked.headers) == (path == MESSAGES)
