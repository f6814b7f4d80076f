"""The official clients of both protocols, with strict validation, against `turnout serve` over models of both."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import anthropic
import openai
import pydantic
import pytest
from anthropic import Anthropic
from openai import OpenAI

from tests.e2e import canned_messages, canned_model
from tests.e2e.conftest import DESK

CONFIG = """
[providers.up]
protocol = "openai-chat"
base_url = "http://127.0.0.1:{chat}/v1"
api_key = "env:UP_KEY"

[providers.claude]
protocol = "anthropic-messages"
base_url = "http://127.0.0.1:{messages}"
api_key = "env:UP_KEY"

[models.canned]
provider = "up"

[models.thinker]
provider = "claude"
reasoning = "reasoning_content"

[models."*"]
provider = "claude"

[app]
load = ["desk"]
"""
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS: Any = [{"name": "get_weather", "description": "Weather of a city", "input_schema": SCHEMA}]
FUNCTIONS: Any = [{"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}}]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
ACTION = "Which invoices of Acme are open?"
UPSTREAMS = pytest.mark.parametrize("model", ["canned", "claude"])
GREETINGS = {"canned": "Hello from the model", "claude": "Hello from Claude"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of `turnout serve` in front of both canned models, with two actions."""
    folder = tmp_path_factory.mktemp("served")
    chat, messages = canned_model.start(), canned_messages.start()
    (folder / "desk.py").write_text(DESK)
    ports = {"chat": chat.server_address[1], "messages": messages.server_address[1]}
    (folder / "turnout.toml").write_text(CONFIG.format(**ports))
    command = [sys.executable, "-m", "turnout", "serve", "turnout.toml", "--port", "0"]
    environment = {**os.environ, "UP_KEY": "sk-upstream"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("turnout: serving "), line
        yield line.split()[-1]
        process.terminate()
        process.wait(15)
    for server in (chat, messages):
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def _fresh() -> None:
    canned_model.Handler.requests.clear()
    canned_messages.Handler.requests.clear()


@pytest.fixture
def claude(served: str) -> Iterator[Anthropic]:
    with Anthropic(
        base_url=served, api_key="sk-client", max_retries=0, _strict_response_validation=True
    ) as client:
        yield client


@pytest.fixture
def chat(served: str) -> Iterator[OpenAI]:
    with OpenAI(
        base_url=f"{served}/v1", api_key="sk-client", max_retries=0, _strict_response_validation=True
    ) as client:
        yield client


def ask(client: Anthropic, model: str, content: Any, **more: Any) -> Any:
    messages: Any = [{"role": "user", "content": content}]
    return client.messages.create(model=model, max_tokens=100, messages=messages, **more)


def streamed(client: Anthropic, model: str, content: Any, **more: Any) -> Any:
    messages: Any = [{"role": "user", "content": content}]
    with client.messages.stream(model=model, max_tokens=100, messages=messages, **more) as stream:
        return stream.get_final_message()


def say(client: OpenAI, content: Any, model: str = "claude", **more: Any) -> Any:
    return client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": content}], **more
    )


def sent() -> dict[str, Any]:
    """The body that reached the upstream last."""
    if canned_model.Handler.requests:
        return json.loads(canned_model.Handler.requests[-1]["body"])
    return canned_messages.Handler.requests[-1]["body"]


# ---- an Anthropic client -------------------------------------------------------------------------------------------


@UPSTREAMS
def test_text_reaches_an_anthropic_client_whole_and_streamed(claude: Anthropic, model: str) -> None:
    for message in (ask(claude, model, "hello"), streamed(claude, model, "hello")):
        assert [block.text for block in message.content] == [GREETINGS[model]]
        assert message.stop_reason == "end_turn"
        assert message.usage.output_tokens > 0
        assert message.usage.input_tokens > 0


def test_what_an_anthropic_upstream_sends_comes_back_as_it_was_sent(claude: Anthropic) -> None:
    raw = claude.messages.with_raw_response.create(
        model="claude", max_tokens=100, messages=[{"role": "user", "content": "hello"}]
    )
    assert raw.headers["request-id"] == "req_1"
    assert json.loads(raw.text())["usage"] == canned_messages.USAGE
    headers = canned_messages.Handler.requests[-1]["headers"]
    lower = {name.lower(): value for name, value in headers.items()}
    assert lower["anthropic-version"] == "2026-10-21"
    assert lower["x-api-key"] == "sk-upstream"
    assert "authorization" not in lower
    assert canned_messages.Handler.requests[-1]["path"] == "/v1/messages"


def test_an_action_answers_an_anthropic_client_whole_and_streamed(claude: Anthropic) -> None:
    for model in ("canned", "claude"):
        for message in (ask(claude, model, ACTION), streamed(claude, model, ACTION)):
            assert message.content[0].text == "Acme: INV-1001, INV-1002"
            assert message.stop_reason == "end_turn"
    assert canned_model.Handler.requests == canned_messages.Handler.requests == []


@UPSTREAMS
@pytest.mark.parametrize(("scene", "cities"), [("tool", ["Rome"]), ("parallel", ["Rome", "Oslo"])])
def test_tool_calls_reach_an_anthropic_client(
    claude: Anthropic, model: str, scene: str, cities: list[str]
) -> None:
    for message in (
        ask(claude, model, scene, tools=TOOLS),
        streamed(claude, model, scene, tools=TOOLS),
    ):
        calls = [block for block in message.content if block.type == "tool_use"]
        assert [call.input["city"] for call in calls] == cities
        assert message.stop_reason == "tool_use"
        assert len({call.id for call in calls}) == len(cities)


@UPSTREAMS
def test_a_tool_round_trip_keeps_thoughts_and_answers_every_call(claude: Anthropic, model: str) -> None:
    first = ask(claude, model, "tool", tools=TOOLS)
    calls = [block for block in first.content if block.type == "tool_use"]
    results: Any = [
        {"type": "tool_result", "tool_use_id": call.id, "content": [{"type": "text", "text": "sunny"}]}
        for call in calls
    ]
    history: Any = [
        {"role": "user", "content": "tool"},
        {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in first.content]},
        {"role": "user", "content": results},
    ]
    claude.messages.create(model=model, max_tokens=100, messages=history, tools=TOOLS)
    body = sent()
    if model == "claude":
        assert body["messages"][1]["content"][0] == canned_messages.THOUGHT
    else:
        assert [message["role"] for message in body["messages"]] == ["user", "assistant", "tool"]
        assert body["messages"][2]["content"] == "sunny"


@UPSTREAMS
def test_a_picture_and_a_document_reach_the_model(claude: Anthropic, model: str) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
    ask(claude, model, [{"type": "text", "text": "image"}, image])
    assert PIXEL in json.dumps(sent())
    source = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
    ask(claude, model, [{"type": "text", "text": "hello"}, {"type": "document", "source": source}])
    assert "JVBERi0=" in json.dumps(sent())


@UPSTREAMS
def test_structured_output_comes_back_in_its_schema(claude: Anthropic, model: str) -> None:
    class Weather(pydantic.BaseModel):
        city: str
        degrees: int

    messages: Any = [{"role": "user", "content": "json"}]
    message = claude.messages.parse(model=model, max_tokens=100, messages=messages, output_format=Weather)
    assert message.parsed_output == Weather(city="Rome", degrees=21)


@UPSTREAMS
def test_a_refusal_is_a_refusal(claude: Anthropic, model: str) -> None:
    for message in (ask(claude, model, "refuse"), streamed(claude, model, "refuse")):
        assert message.stop_reason == "refusal"
        assert message.stop_details.explanation == "No, sorry."
        assert message.content == []


def test_errors_before_a_stream_are_http_errors(claude: Anthropic) -> None:
    for model in ("canned", "claude"):
        for stream in (False, True):
            with pytest.raises(anthropic.RateLimitError) as limited:
                ask(claude, model, "limited", stream=stream)
            assert limited.value.response.headers["retry-after"] == "7"
            assert limited.value.type == "rate_limit_error"
    with pytest.raises(anthropic.OverloadedError):
        ask(claude, "claude", "overloaded")


@pytest.mark.parametrize("scene", ["cut", "stumble"])
def test_errors_inside_a_stream_are_seen(claude: Anthropic, scene: str) -> None:
    for model in ("canned", "claude"):
        if (model, scene) == ("canned", "stumble"):
            continue
        with pytest.raises(anthropic.APIStatusError) as seen:
            streamed(claude, model, scene)
        kind = "overloaded_error" if scene == "stumble" else "api_error"
        assert seen.value.type == kind


def test_a_wrong_path_or_model_is_told_in_the_clients_own_shape(claude: Anthropic, served: str) -> None:
    with pytest.raises(anthropic.NotFoundError) as missing:
        claude.get("/v1/messages/nothing", cast_to=object)
    assert missing.value.type == "not_found_error"
    assert missing.value.request_id
    with pytest.raises(anthropic.BadRequestError) as bad:
        claude.post("/v1/messages", cast_to=object, body={"model": "canned", "messages": []})
    assert bad.value.message.count("messages")


def test_models_are_listed_in_both_shapes(claude: Anthropic, chat: OpenAI) -> None:
    assert {model.id for model in claude.models.list()} == {"canned", "thinker"}
    assert claude.models.retrieve("canned").display_name == "canned"
    assert {model.id for model in chat.models.list()} == {"canned", "thinker"}


def test_tokens_are_counted_by_the_provider_or_estimated(claude: Anthropic) -> None:
    messages: Any = [{"role": "user", "content": "hello " * 40}]
    counted = claude.messages.with_raw_response.count_tokens(model="claude", messages=messages)
    assert counted.parse().input_tokens == 42
    assert "x-turnout-estimated" not in counted.headers
    assert canned_messages.Handler.requests[-1]["path"] == "/v1/messages/count_tokens"
    guessed = claude.messages.with_raw_response.count_tokens(model="canned", messages=messages)
    assert 40 <= guessed.parse().input_tokens <= 120
    assert guessed.headers["x-turnout-estimated"] == "input_tokens"
    assert canned_model.Handler.requests == []


def test_a_thread_falls_back_to_the_whole_conversation(claude: Anthropic) -> None:
    @anthropic.beta_tool
    def get_weather(city: str) -> str:
        """The weather of a city."""
        return f"sunny in {city}"

    runner = claude.beta.messages.tool_runner(
        model="canned", max_tokens=100, tools=[get_weather], messages=[{"role": "user", "content": "tool"}]
    )
    turns = []
    for message in runner:
        turns.append(message)
        if len(turns) == 2:
            break
    bodies = [json.loads(request["body"]) for request in canned_model.Handler.requests]
    assert [row["role"] for row in bodies[-1]["messages"]][:3] == ["user", "assistant", "tool"]


# ---- an OpenAI client over Claude ----------------------------------------------------------------------------------


@pytest.mark.states("P-180", "P-187", "P-191", "P-192", "P-186")
def test_text_reaches_an_openai_client_whole_and_streamed(chat: OpenAI) -> None:
    whole = say(chat, "hello")
    assert whole.choices[0].message.content == "Hello from Claude"
    assert whole.choices[0].finish_reason == "stop"
    assert whole.usage.prompt_tokens == 139
    assert whole.usage.prompt_tokens_details.cached_tokens == 100
    assert whole.usage.completion_tokens_details.reasoning_tokens == 2
    assert sent()["max_tokens"] > 0
    chunks = list(say(chat, "hello", stream=True, stream_options={"include_usage": True}))
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == "Hello from Claude"
    assert chunks[-1].usage.prompt_tokens == 139
    assert say(chat, "long").choices[0].finish_reason == "length"


@pytest.mark.states("P-182", "P-183", "P-189")
@pytest.mark.parametrize(("scene", "cities"), [("tool", ["Rome"]), ("parallel", ["Rome", "Oslo"])])
def test_tool_calls_reach_an_openai_client_without_thoughts(
    chat: OpenAI, scene: str, cities: list[str]
) -> None:
    whole = say(chat, scene, tools=FUNCTIONS, tool_choice="auto", parallel_tool_calls=False)
    message = whole.choices[0].message
    assert whole.choices[0].finish_reason == "tool_calls"
    assert [json.loads(call.function.arguments)["city"] for call in message.tool_calls] == cities
    assert not hasattr(message, "reasoning_content")
    assert sent()["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    with chat.chat.completions.stream(
        model="claude", messages=[{"role": "user", "content": scene}], tools=FUNCTIONS
    ) as stream:
        final = stream.get_final_completion()
    calls = final.choices[0].message.tool_calls or []
    assert [json.loads(call.function.arguments)["city"] for call in calls] == cities
    history: Any = [
        {"role": "user", "content": scene},
        message.model_dump(exclude_none=True),
        *({"role": "tool", "tool_call_id": call.id, "content": "sunny"} for call in message.tool_calls),
    ]
    chat.chat.completions.create(model="claude", messages=history, tools=FUNCTIONS)
    results = sent()["messages"][2]
    assert results["role"] == "user"
    assert [block["tool_use_id"] for block in results["content"]] == [call.id for call in message.tool_calls]


def test_thoughts_are_shown_where_the_configuration_says_so(chat: OpenAI) -> None:
    message = say(chat, "tool", model="thinker", tools=FUNCTIONS).choices[0].message
    assert message.reasoning_content == canned_messages.THOUGHT["thinking"]
    chunks = list(say(chat, "tool", model="thinker", tools=FUNCTIONS, stream=True))
    words = [getattr(chunk.choices[0].delta, "reasoning_content", None) or "" for chunk in chunks]
    assert "".join(words) == canned_messages.THOUGHT["thinking"]


@pytest.mark.states("P-181", "P-184", "P-185", "P-190")
def test_pictures_breakpoints_stops_and_instructions_reach_claude(chat: OpenAI) -> None:
    parts: Any = [
        {"type": "text", "text": "image", "cache_control": {"type": "ephemeral"}},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
        {"type": "image_url", "image_url": {"url": "https://example.test/a.png"}},
    ]
    messages: Any = [
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": "Be kind."},
        {"role": "user", "content": parts},
    ]
    chat.chat.completions.create(model="claude", messages=messages, stop="END", max_completion_tokens=50)
    body = sent()
    assert [block["text"] for block in body["system"]] == ["Be brief.", "Be kind."]
    text, inline, linked = body["messages"][0]["content"]
    assert text["cache_control"] == {"type": "ephemeral"}
    assert inline["source"] == {"type": "base64", "media_type": "image/png", "data": PIXEL}
    assert linked["source"] == {"type": "url", "url": "https://example.test/a.png"}
    assert body["stop_sequences"] == ["END"]
    assert body["max_tokens"] == 50


def test_structured_output_of_claude_is_the_openai_clients_own(chat: OpenAI) -> None:
    class Weather(pydantic.BaseModel):
        city: str
        degrees: int

    parsed = chat.chat.completions.parse(
        model="claude", messages=[{"role": "user", "content": "json"}], response_format=Weather
    )
    assert parsed.choices[0].message.parsed == Weather(city="Rome", degrees=21)
    assert sent()["output_config"]["format"]["type"] == "json_schema"


@pytest.mark.states("P-192")
def test_a_refusal_of_claude_is_an_openai_refusal(chat: OpenAI) -> None:
    choice = say(chat, "refuse").choices[0]
    assert choice.finish_reason == "content_filter"
    assert choice.message.refusal == "No, sorry."


@pytest.mark.states("P-188")
def test_an_error_of_claude_has_the_openai_shape(chat: OpenAI) -> None:
    with pytest.raises(openai.RateLimitError) as limited:
        say(chat, "limited")
    assert limited.value.response.headers["retry-after"] == "7"
    body: Any = limited.value.body
    assert body["message"] == "not now"
    with pytest.raises(openai.InternalServerError) as overloaded:
        say(chat, "overloaded")
    assert overloaded.value.status_code == 529


@pytest.mark.parametrize("scene", ["cut", "stumble"])
def test_a_stream_of_claude_that_breaks_raises(chat: OpenAI, scene: str) -> None:
    with pytest.raises(openai.APIError):
        list(say(chat, scene, stream=True))


def test_what_claude_cannot_do_is_refused_by_name_before_it_is_asked(chat: OpenAI) -> None:
    asked: dict[str, Any] = {"n": 2, "logprobs": True, "logit_bias": {"1": 2}}
    for field, value in asked.items():
        more: dict[str, Any] = {field: value}
        with pytest.raises(openai.BadRequestError) as refused:
            say(chat, "hello", **more)
        assert refused.value.param == field
    assert canned_messages.Handler.requests == []
    raw = chat.chat.completions.with_raw_response.create(
        model="claude", messages=[{"role": "user", "content": "hello"}], seed=5, user="u1"
    )
    assert raw.headers["x-turnout-dropped"] == "seed"
    assert sent()["metadata"] == {"user_id": "u1"}
