"""Providers that speak Responses: presets, clients of the SDK, and histories that begin elsewhere."""

import json
from typing import Any

import openai
import pytest

import turnout
from turnout.errors import InvalidRequest, Misconfigured
from turnout.model import Body, Message, Opaque, Request, Text, ToolResult
from turnout.providers import PRESETS
from turnout.providers.pairing import begins_elsewhere


@pytest.mark.parametrize(
    ("preset", "url"),
    [
        ("openai", "https://api.openai.com/v1/responses"),
        ("openrouter", "https://openrouter.ai/api/v1/responses"),
        ("xai", "https://api.x.ai/v1/responses"),
        ("ollama", "http://127.0.0.1:11434/v1/responses"),
        ("vllm", "http://127.0.0.1:8000/v1/responses"),
        ("lmstudio", "http://127.0.0.1:1234/v1/responses"),
    ],
)
def test_presets_that_offer_responses_know_where(preset: str, url: str) -> None:
    made = turnout.provider(preset, protocol="openai-responses", api_key="k")
    assert made.protocol == "openai-responses"
    assert made._address.call("m") == url


def test_azure_has_its_own_root() -> None:
    made = turnout.provider(
        "azure", protocol="openai-responses", base_url="https://x.openai.azure.com", api_key="k"
    )
    assert made._address.call("m") == "https://x.openai.azure.com/openai/v1/responses"


def test_a_preset_speaks_its_own_protocol_by_default() -> None:
    assert turnout.provider("openai", api_key="k").protocol == "openai-chat"
    assert turnout.provider("openai", protocol="openai-chat", api_key="k").protocol == "openai-chat"


def test_what_a_provider_does_not_speak_is_misconfigured() -> None:
    assert "openai-responses" not in PRESETS["groq"].also
    with pytest.raises(Misconfigured, match="protocol: Groq is known to speak openai-chat"):
        turnout.provider("groq", protocol="openai-responses", api_key="k")


def test_a_client_of_the_sdk_may_be_asked_for_responses() -> None:
    client = openai.OpenAI(base_url="http://127.0.0.1:9/v1", api_key="k")
    made = turnout.provider.from_client(client, protocol="openai-responses")
    assert made._address.call("m") == "http://127.0.0.1:9/v1/responses"
    azure = openai.AzureOpenAI(azure_endpoint="http://127.0.0.1:9", api_version="v1", api_key="k")
    made = turnout.provider.from_client(azure, protocol="openai-responses")
    assert made._address.call("m").startswith("http://127.0.0.1:9/openai/responses")


def test_a_history_that_begins_elsewhere_has_results_of_calls_that_are_not_there() -> None:
    orphan = Message(role="tool", parts=(ToolResult(call_id="c"),))
    reference = Opaque(
        protocol="openai-responses", kind="item_reference", body='{"type":"item_reference","id":"fc"}'
    )
    whole = Body(messages=(Message(role="user", parts=(Text(text="x"),)),))
    assert not begins_elsewhere(whole)
    assert begins_elsewhere(Body(messages=(orphan,), previous="resp_1"))
    assert begins_elsewhere(Body(messages=(orphan,), conversation="conv_1"))
    assert begins_elsewhere(Body(messages=(Message(role="assistant", parts=(reference,)), orphan)))
    made: Any = turnout.provider("openai-responses", base_url="http://127.0.0.1:9/v1")
    call = made._calls.call(Request(model="m", body=Body(messages=(orphan,), previous="resp_1")))
    assert json.loads(call.body)["input"][0]["type"] == "function_call_output"
    with pytest.raises(InvalidRequest, match="answers no call"):
        made._calls.call(Request(model="m", body=Body(messages=(orphan,))))
