"""The official OpenAI client for Python, with strict validation, against `turnout serve`."""

import http.server
import json
from collections.abc import Iterator
from typing import Any

import openai
import pydantic
import pytest
from openai import AsyncOpenAI, OpenAI

from tests.e2e import canned_model

TOOLS: Any = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
            },
        },
    }
]
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5Erk"
    "Jggg=="
)
ACTION = "Which invoices of Acme are open?"


@pytest.fixture
def client(gateway: str) -> Iterator[OpenAI]:
    with OpenAI(
        base_url=f"{gateway}/v1", api_key="sk-client", max_retries=0, _strict_response_validation=True
    ) as client:
        yield client


def ask(client: OpenAI, text: str, **more):
    return client.chat.completions.create(
        model="canned", messages=[{"role": "user", "content": text}], **more
    )


def seen() -> dict:
    return json.loads(canned_model.Handler.requests[-1]["body"])


@pytest.mark.states("P-001", "P-003", "P-193")
def test_text_comes_back_whole_and_streamed(client: OpenAI) -> None:
    assert ask(client, "hello").choices[0].message.content == "Hello from the model"
    chunks = list(ask(client, "hello", stream=True))
    assert "".join(c.choices[0].delta.content or "" for c in chunks) == "Hello from the model"
    assert chunks[-1].choices[0].finish_reason == "stop"


@pytest.mark.states("P-002", "P-043")
def test_an_action_answers_without_the_model_whole_and_streamed(client: OpenAI) -> None:
    answer = ask(client, ACTION)
    assert answer.choices[0].message.content == "Acme: INV-1001, INV-1002"
    assert answer.choices[0].finish_reason == "stop"
    chunks = list(ask(client, ACTION, stream=True, stream_options={"include_usage": True}))
    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert text == "Acme: INV-1001, INV-1002"
    assert chunks[-1].choices == []
    assert chunks[-1].usage is not None
    assert canned_model.Handler.requests == []


def test_the_stream_helper_accumulates_both_lanes(client: OpenAI) -> None:
    for text, expected in (("hello", "Hello from the model"), (ACTION, "Acme: INV-1001, INV-1002")):
        with client.chat.completions.stream(
            model="canned", messages=[{"role": "user", "content": text}]
        ) as stream:
            kinds = {event.type for event in stream}
            final = stream.get_final_completion()
        assert final.choices[0].message.content == expected
        assert "content.delta" in kinds


@pytest.mark.parametrize(("scene", "cities"), [("tool", ["Rome"]), ("parallel", ["Rome", "Oslo"])])
def test_tool_calls_come_back_whole_and_streamed(client: OpenAI, scene: str, cities: list[str]) -> None:
    whole = ask(client, scene, tools=TOOLS)
    assert whole.choices[0].finish_reason == "tool_calls"
    assert [json.loads(c.function.arguments)["city"] for c in whole.choices[0].message.tool_calls] == cities
    with client.chat.completions.stream(
        model="canned", messages=[{"role": "user", "content": scene}], tools=TOOLS
    ) as stream:
        streamed = stream.get_final_completion()
    calls = streamed.choices[0].message.tool_calls or []
    assert [json.loads(c.function.arguments)["city"] for c in calls] == cities
    assert seen()["tools"] == TOOLS


def test_an_action_never_fires_after_a_tool_result(client: OpenAI) -> None:
    call = canned_model.CALLS[0]
    messages: Any = [
        {"role": "user", "content": ACTION},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_a", "content": "sunny"},
    ]
    answer = client.chat.completions.create(model="canned", messages=messages, tools=TOOLS)
    assert answer.choices[0].message.content == "Hello from the model"


def test_structured_output_is_parsed(client: OpenAI) -> None:
    class Weather(pydantic.BaseModel):
        city: str
        degrees: int

    parsed = client.chat.completions.parse(
        model="canned", messages=[{"role": "user", "content": "json"}], response_format=Weather
    )
    assert parsed.choices[0].message.parsed == Weather(city="Rome", degrees=21)


def test_an_image_reaches_the_model_as_it_was_sent(client: OpenAI) -> None:
    content: Any = [
        {"type": "text", "text": "what is it"},
        {"type": "image_url", "image_url": {"url": PIXEL}},
    ]
    answer = client.chat.completions.create(model="canned", messages=[{"role": "user", "content": content}])
    assert answer.choices[0].message.content == "a red square"
    assert seen()["messages"][0]["content"] == content


def test_usage_is_shown_in_a_stream_only_if_asked_for(client: OpenAI) -> None:
    plain = list(ask(client, "hello", stream=True))
    assert all(chunk.usage is None for chunk in plain)
    counted = list(ask(client, "hello", stream=True, stream_options={"include_usage": True}))
    assert counted[-1].usage is not None
    assert counted[-1].usage.total_tokens == 16


def test_a_model_is_renamed_and_nothing_else(client: OpenAI) -> None:
    client.chat.completions.create(model="renamed", messages=[{"role": "user", "content": "hello"}], seed=7)
    assert seen() == {"messages": [{"role": "user", "content": "hello"}], "model": "other", "seed": 7}


@pytest.mark.states("P-197")
def test_errors_of_the_model_come_back_as_they_are(client: OpenAI) -> None:
    with pytest.raises(openai.RateLimitError) as limited:
        ask(client, "limited")
    assert limited.value.code == "rate_limit_exceeded"
    assert limited.value.response.headers["retry-after"] == "7"
    with pytest.raises(openai.InternalServerError):
        ask(client, "broken", stream=True)


def test_a_cut_stream_is_an_error_not_an_end(client: OpenAI) -> None:
    with pytest.raises((openai.APIError, Exception)) as caught:
        list(ask(client, "cut", stream=True))
    assert isinstance(caught.value, openai.APIError)


def test_a_bad_request_names_the_field_and_reaches_nobody(client: OpenAI) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model="canned", messages="nothing")  # type: ignore[arg-type]
    assert caught.value.param == "messages"
    assert canned_model.Handler.requests == []


def test_the_models_are_listed(client: OpenAI) -> None:
    assert {model.id for model in client.models.list()} == {"renamed", "canned"}
    assert client.models.retrieve("canned").id == "canned"


@pytest.mark.states("P-194")
def test_the_clients_key_never_reaches_the_provider(client: OpenAI) -> None:
    ask(client, "hello")
    headers = {name.lower(): value for name, value in canned_model.Handler.requests[-1]["headers"].items()}
    assert headers["authorization"] == "Bearer sk-upstream"
    assert "sk-client" not in json.dumps(headers)


@pytest.mark.parametrize("scene", ["endless", "never"])
def test_a_client_that_leaves_closes_the_connection_to_the_model(
    model: http.server.ThreadingHTTPServer, gateway: str, scene: str
) -> None:
    with OpenAI(base_url=f"{gateway}/v1", api_key="k", max_retries=0, timeout=0.4) as client:
        if scene == "endless":
            with ask(client, scene, stream=True) as stream:
                next(iter(stream))
        else:
            with pytest.raises(openai.APITimeoutError):
                ask(client, scene)
        assert canned_model.Handler.gone.wait(1)


async def test_the_async_client_works_alike(gateway: str) -> None:
    async with AsyncOpenAI(
        base_url=f"{gateway}/v1", api_key="k", max_retries=0, _strict_response_validation=True
    ) as client:
        answer = await client.chat.completions.create(
            model="canned", messages=[{"role": "user", "content": "hello"}]
        )
        assert answer.choices[0].message.content == "Hello from the model"
        stream = await client.chat.completions.create(
            model="canned", messages=[{"role": "user", "content": ACTION}], stream=True
        )
        text = "".join([c.choices[0].delta.content or "" async for c in stream if c.choices])
        assert text == "Acme: INV-1001, INV-1002"
