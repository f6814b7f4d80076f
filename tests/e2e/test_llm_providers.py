"""The components that ask a model, over providers of four protocols: what they ask, and what they make of it."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest

from tests.e2e.scripted_model import SPOKEN, Scene
from tests.llm.llm_fakes import ALL, CREATE, INVOICE, TODAY, asking, results, said, template
from tests.providers.upstream import Call as Asked
from tests.providers.upstream import Upstream, Wire, upstream
from turnout.llm import Call, Classifier, Extractor, ReasoningEngine, Selector, Synthesizer
from turnout.model import ActionIntent, Intent, ProtocolName
from turnout.model.errors import ProviderError
from turnout.providers import Provider, provider

Structured = Literal["schema", "tool"]

SELECTED = {"actions": [CREATE.id], "verdict": "asked"}
FOUND = {"customer": "Acme", "month": "2026-03-01", "amount": None}
WORDS = "Invoice R-7 over 1250.50 is sent."
PROTOCOLS = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")
OVER = pytest.mark.parametrize("protocol", PROTOCOLS)
FORMS: dict[str, tuple[str, ...]] = {
    "openai-chat": ("response_format", "json_schema", "schema"),
    "openai-responses": ("text", "format", "schema"),
    "anthropic-messages": ("output_config", "format", "schema"),
    "gemini": ("generationConfig", "responseJsonSchema"),
}
"""Where each protocol takes the schema of an answer."""
FORCED: dict[str, Any] = {
    "openai-chat": {"tool_choice": {"type": "function", "function": {"name": "selection"}}},
    "openai-responses": {"tool_choice": {"type": "function", "name": "selection"}},
    "anthropic-messages": {"tool_choice": {"type": "tool", "name": "selection"}},
    "gemini": {
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["selection"]}}
    },
}
"""How each says that one tool must be called."""


def scene(body: str, structured: Structured) -> Scene:
    """What a good model says to a prompt of ours."""
    if "You choose which" in body:
        name, value = "selection", SELECTED
    elif "You read from a conversation" in body:
        name, value = "parameters", FOUND
    else:
        return Scene(thought="I ponder", words=WORDS)
    if structured == "tool":
        return Scene(calls=(value,), tool=name)
    return Scene(thought="I ponder", words=json.dumps(value))


@asynccontextmanager
async def model(
    protocol: ProtocolName, structured: Structured = "schema", *, status: int = 200
) -> AsyncGenerator[tuple[Provider, Upstream]]:
    """A provider of `protocol`, and the model behind it."""

    async def play(call: Asked, wire: Wire) -> None:
        path = call.target.partition("?")[0]
        spoken = next(how for end, how in SPOKEN.items() if path.endswith(end))
        if status != 200:
            error = json.dumps(spoken.error(status, spoken.limited)).encode()
            await wire.whole(status, error, {"content-type": "application/json"})
            return
        told = scene(call.body.decode(), structured)
        if not (call.json.get("stream") or "stream" in path):
            data = json.dumps(spoken.whole(told)).encode()
            await wire.whole(200, data, {"content-type": "application/json"})
            return
        frames: list[bytes] = []
        for piece in spoken.stream(told):
            data = {"type": piece.name, **piece.data} if piece.name else piece.data
            text = data if isinstance(data, str) else json.dumps(data)
            frames.append(
                (f"event: {piece.name}\n" if piece.name else "").encode() + f"data: {text}\n\n".encode()
            )
        await wire.sse(*frames)

    async with upstream(play) as up:
        made = provider(protocol, base_url=up.url, api_key="k")
        async with made:
            yield made, up


def classifier(agent: Provider, structured: Structured, calls: list[Call]) -> Classifier:
    options: dict[str, Any] = {"model": "small", "structured": structured, "on_call": calls.append}
    return Classifier.of(Selector(agent, **options), Extractor(agent, today=lambda: TODAY, **options))


@OVER
@pytest.mark.parametrize("structured", ["schema", "tool"])
async def test_actions_are_chosen_and_filled_in(protocol: ProtocolName, structured: Structured) -> None:
    calls: list[Call] = []
    async with model(protocol, structured) as (agent, up):
        intent = await classifier(agent, structured, calls)(asking(), ALL)
    assert intent == Intent(
        actions=(ActionIntent(action_id=CREATE.id, params={"customer": "Acme", "month": "2026-03-01"}),)
    )
    assert [(call.step, call.model) for call in calls] == [("select", "small"), ("extract", "small")]
    assert [call.usage.input for call in calls] == [11, 11]
    first = up.calls[0].json
    if structured == "tool":
        assert first.items() >= FORCED[protocol].items()
    else:
        asked: Any = first
        for name in FORMS[protocol]:
            asked = asked[name]
        assert set(asked["properties"]) == {"actions", "verdict"}
        assert "tools" not in first


@OVER
@pytest.mark.parametrize("stream", [False, True])
async def test_results_are_put_into_words(protocol: ProtocolName, stream: bool) -> None:
    async with model(protocol) as (agent, up):
        synthesizer = Synthesizer(agent, fallback=template, model="small")
        reply = await synthesizer(results(INVOICE, request=asking(stream=stream)))
        assert await said(reply) == WORDS
    assert "1250.50" in up.last.body.decode()
    assert ("stream" in up.last.target) is (stream and protocol == "gemini")


@OVER
async def test_reasoning_tells_the_model_what_can_be_done(protocol: ProtocolName) -> None:
    async with model(protocol) as (agent, up):
        engine = ReasoningEngine(
            agent, model="big", tell=lambda known: "You can: " + ", ".join(each.id for each in known)
        )
        async with await engine(asking("How are you?"), ALL) as reply:
            answer = await reply.answer()
    assert (answer.text, answer.usage.reasoning) == (WORDS, 2)
    assert f"You can: {CREATE.id}" in up.last.body.decode()


@OVER
async def test_a_provider_that_refuses_chooses_nothing_and_says_why(protocol: ProtocolName) -> None:
    async with model(protocol, status=429) as (agent, _):
        with pytest.raises(ProviderError) as raised:
            await classifier(agent, "schema", [])(asking(), ALL)
        assert (raised.value.kind, raised.value.status_code) == ("rate_limit", 429)
        synthesizer = Synthesizer(agent, fallback=template, model="small")
        reply = await synthesizer(results(INVOICE))
        assert await said(reply) == "From the template: R-7 over 1250.50."
