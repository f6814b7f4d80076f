"""A provider made from an official client calls what that client would call."""

from typing import Any

import openai
import pytest
from incoming import asked, completion
from upstream import Call, Wire, as_json, runs, sse, upstream

from turnout.model.errors import Misconfigured
from turnout.providers import provider

ANSWER = completion("hello")
ANSWER["choices"][0]["message"]["refusal"] = None
ANSWER["choices"][0]["logprobs"] = None
QUESTION: Any = [{"role": "user", "content": "hi"}]
OWN = {"x-mine": "1"}


def clients(url: str, origin: str) -> dict[str, Any]:
    async def later() -> str:
        return "sk-fresh-async"

    azure: dict[str, Any] = {"azure_endpoint": origin, "api_version": "2024-10-21"}
    return {
        "sync": openai.OpenAI(api_key="sk-sync", base_url=url, default_headers=OWN, default_query={"q": "1"}),
        "async": openai.AsyncOpenAI(api_key="sk-async", base_url=url, organization="org", project="pro"),
        "function": openai.OpenAI(api_key=lambda: "sk-fresh", base_url=url),
        "async function": openai.AsyncOpenAI(api_key=later, base_url=url),
        "azure": openai.AzureOpenAI(api_key="az-key-1", **azure),
        "azure deployment": openai.AzureOpenAI(api_key="az-key-1", azure_deployment="dep", **azure),
        "azure token": openai.AzureOpenAI(azure_ad_token="token-1", **azure),
        "azure token function": openai.AsyncAzureOpenAI(azure_ad_token_provider=lambda: "token-2", **azure),
    }


COMPARED = ("authorization", "api-key", "openai-organization", "openai-project", "x-mine", "content-type")


@pytest.mark.states("P-173", "P-193")
@pytest.mark.parametrize("kind", list(clients("http://h/v1", "http://h")))
def test_a_provider_made_from_a_client_makes_the_same_call(kind: str):
    @runs
    async def check() -> None:
        async with upstream(as_json(ANSWER)) as up:
            client = clients(up.url, up.origin)[kind]
            if isinstance(client, openai.AsyncOpenAI):
                await client.chat.completions.create(model="m", messages=QUESTION)
                await client.close()
            else:
                import asyncio

                await asyncio.to_thread(client.chat.completions.create, model="m", messages=QUESTION)
                client.close()
            theirs = up.last
            async with provider.from_client(client, retries=0) as ours:
                assert (await ours.chat(asked())).text == "hello"
                assert repr(ours) == "Provider('openai', openai-chat)"
            assert up.last.target == theirs.target
            for name in COMPARED:
                assert up.last.headers.get(name) == theirs.headers.get(name), name

    check()


def test_timeouts_and_retries_are_the_clients():
    client = openai.OpenAI(api_key="sk-x", timeout=3.5, max_retries=4)
    made = provider.from_client(client, name="mine", model="fixed")
    assert (made.name, made._retries, made._calls._model) == ("mine", 4, "fixed")
    assert [made._wiring[key] for key in ("connect_s", "first_byte_s", "idle_s")] == [3.5, 3.5, 3.5]
    client = openai.OpenAI(api_key="sk-x", timeout=openai.Timeout(60.0, connect=2.0))
    made = provider.from_client(client, retries=1)
    assert (made._wiring["first_byte_s"], made._wiring["connect_s"], made._retries) == (60.0, 2.0, 1)
    made = provider.from_client(openai.OpenAI(api_key="sk-x", timeout=None))
    assert made._wiring["first_byte_s"] == 600.0


@pytest.mark.states("P-177", "P-196")
def test_each_step_can_have_a_model_of_its_own_from_one_client():
    @runs
    async def check() -> None:
        async with upstream(as_json(ANSWER)) as up:
            client = openai.AsyncOpenAI(api_key="sk-x", base_url=up.url)
            for name in ("small", "large"):
                async with provider.from_client(client, model=name) as step:
                    await step.chat(asked(model="whatever"))
                assert up.last.json["model"] == name
            await client.close()

    check()


@pytest.mark.deviates(
    "P-172", "no SDK runs: the client object is only read, its calls go through one transport"
)
def test_the_clients_own_transport_is_not_used():
    client = openai.OpenAI(api_key="sk-x", base_url="http://h/v1")
    client.close()
    assert provider.from_client(client)._transport is None


def test_a_client_of_ones_own_class_is_read_too():
    class Mine(openai.OpenAI):
        pass

    assert provider.from_client(Mine(api_key="sk-x")).name == "openai"


@pytest.mark.parametrize("thing", [object(), "client", None])
def test_anything_else_is_refused_by_its_type(thing: Any):
    with pytest.raises(Misconfigured, match="from_client"):
        provider.from_client(thing)


@pytest.mark.states("T-005")
def test_a_stream_through_it_is_the_clients_too():
    async def script(call: Call, wire: Wire) -> None:
        from incoming import STREAM

        assert call.json["stream"] is True
        await sse(*STREAM)(call, wire)

    @runs
    async def check() -> None:
        async with upstream(script) as up:
            client = openai.OpenAI(api_key="sk-sync", base_url=up.url)
            async with provider.from_client(client) as ours:
                events = [event async for event in ours.stream(asked())]
            assert events
            client.close()

    check()
