"""What is sent to a provider fits the schema that its maker publishes, whatever protocol the client speaks."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outgoing import PROTOCOLS, Asked, Upstreams, captured, path_of, recorded
from published import Schema, closed, openapi, schemas

from tests.wire import anthropic_strategies, chat_strategies, gemini_strategies, responses_strategies
from turnout.model import ProtocolName
from turnout.model.errors import InvalidRequest, Unsupported


class Argued(NamedTuple):
    """A fault that is none: where a schema is narrower than what its service takes, or is the client's own."""

    protocol: str
    fault: str
    reason: str
    recorded: bool = True


ARGUED = (
    Argued(
        "openai-chat",
        r"messages/\d+: .*\('name' was unexpected\)",
        "the name of a tool on its result: OpenAI ignores it, templates of local engines and Mistral read it",
    ),
    Argued(
        "openai-chat",
        r"messages/\d+/content/\d+.*(video_url|\"text\" (is a required|was expected))",
        "a video: OpenAI's models take none and say so; OpenRouter, vLLM and others take `video_url`",
    ),
    Argued(
        "openai-responses",
        r"input/\d+(/content/\d+)?: \"(id|status|annotations|logprobs)\" is a required property",
        "several texts of an assistant, or one with citations: the service takes the list without id and status, as "
        "OpenAI's own coding agent sends it (its captures); a lone text goes as the schema has it",
        recorded=False,
    ),
    Argued(
        "openai-responses",
        r'service_tier: "on_demand" is not one of',
        "a word of the client's own provider, which only the service can judge",
    ),
    Argued(
        "openai-chat openai-responses",
        r"top_p: .* is (less|greater) than the m",
        "a number that the client's own protocol does not take either; the service says so",
    ),
)


def unargued(protocol: str, faults: Iterator[str], used: set[Argued]) -> list[str]:
    left: list[str] = []
    for fault in faults:
        found = [row for row in ARGUED if protocol in row.protocol.split() and re.match(row.fault, fault)]
        used.update(found)
        if not found:
            left.append(fault)
    return left


# ---- what was recorded -----------------------------------------------------------------------------------------------


async def test_every_recorded_and_captured_request_fits_what_the_provider_publishes(shared: Path) -> None:
    published = schemas(shared)
    upstreams = Upstreams()
    used: set[Argued] = set()
    wrong: list[str] = []
    sent = dict.fromkeys(PROTOCOLS, 0)
    for asked in (*recorded(shared), *captured(shared)):
        for protocol in PROTOCOLS:
            if protocol == asked.protocol:
                continue
            try:
                body = await upstreams.sent(asked, protocol)
            except (InvalidRequest, Unsupported):
                continue
            sent[protocol] += 1
            for schema in published[protocol]:
                wrong += [
                    f"{asked.name} to {protocol}: {fault}"
                    for fault in unargued(protocol, schema.faults(body), used)
                ]
    await upstreams.aclose()
    assert wrong == []
    assert min(sent.values()) > 300
    assert used == {row for row in ARGUED if row.recorded}, "an argued exception that nothing needs any more"


# ---- what is generated -----------------------------------------------------------------------------------------------

REFUSED = frozenset(
    {
        *(
            "n",
            "logprobs",
            "top_logprobs",
            "logit_bias",
            "prediction",
            "web_search_options",
            "modalities",
            "audio",
        ),
        *("background", "previous_response_id", "conversation", "max_tool_calls", "include"),
        *("thread", "container", "mcp_servers", "context_management", "cachedContent", "cached_content"),
    }
)
"""What no other protocol has: a request with it is refused, which other tests show."""


@st.composite
def sayable(draw: st.DrawFn, requests: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """A request with a few of its members, since one that has all is refused for one of them."""
    body = draw(requests)
    spare = sorted(body.keys() - REFUSED - NEEDED)
    kept = NEEDED | (draw(st.sets(st.sampled_from(spare), max_size=4)) if spare else set())
    for member, question in QUESTIONS.items():
        if isinstance(body.get(member), list):
            body = {**body, member: [*body[member], question]}
    return {name: value for name, value in body.items() if name in kept}


QUESTIONS = {
    "messages": {"role": "user", "content": "And then?"},
    "input": {"role": "user", "content": "And then?"},
    "contents": {"role": "user", "parts": [{"text": "And then?"}]},
}
"""What each history ends with: one that says nothing is not sent."""

NEEDED = frozenset({"model", "messages", "input", "contents", "max_tokens"})
REQUESTS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "openai-chat": sayable(chat_strategies.bodies),
    "openai-responses": sayable(responses_strategies.requests),
    "anthropic-messages": sayable(anthropic_strategies.requests),
    "gemini": sayable(gemini_strategies.requests),
}


@pytest.fixture(scope="module")
def published(shared: Path) -> dict[str, tuple[Schema, ...]]:
    return schemas(shared)


@pytest.mark.parametrize(("spoken", "protocol"), [*itertools.permutations(PROTOCOLS, 2)])
@given(data=st.data())
@settings(max_examples=40)
async def test_generated_requests_fit_what_the_provider_publishes(
    published: dict[str, tuple[Schema, ...]],
    spoken: ProtocolName,
    protocol: ProtocolName,
    data: st.DataObject,
) -> None:
    body = data.draw(REQUESTS[spoken])
    asked = Asked("generated", spoken, path_of(spoken), body)
    upstreams = Upstreams(repair=True)  # most generated calls have no results
    try:
        sent = await upstreams.sent(asked, protocol)
    except (InvalidRequest, Unsupported):
        return
    finally:
        await upstreams.aclose()
    for schema in published[protocol]:
        assert unargued(protocol, schema.faults(sent), set()) == [], sent


# ---- the judge itself ------------------------------------------------------------------------------------------------


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


DOCUMENT = {
    "components": {
        "schemas": {
            "Order": {
                "type": "object",
                "required": ["dish"],
                "properties": {
                    "dish": {"discriminator": {"propertyName": "type"}, "oneOf": [ref("Soup"), ref("Cake")]},
                    "note": {"type": "string", "nullable": True},
                    "then": {"$recursiveRef": "#"},
                },
            },
            "Soup": {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["soup"]}}},
            "Cake": {
                "type": "object",
                "required": ["type", "slices"],
                "properties": {"type": {"enum": ["cake"]}, "slices": {"type": "integer"}},
            },
            "Unused": {"type": "object"},
        }
    }
}


def test_a_component_of_openapi_is_judged_as_it_is_meant() -> None:
    made = openapi(DOCUMENT, "Order")
    assert set(made["$defs"]) == {"Order", "Soup", "Cake"}
    order = Schema(made)
    assert [*order.faults({"dish": {"type": "soup"}, "note": None})] == []
    wrong = {"dish": {"type": "cake"}, "note": 7, "then": {"dish": {"type": "soup"}, "note": 8}}
    assert [fault.split(":")[0] for fault in order.faults(wrong)] == ["dish", "note", "then/note"]
    assert [fault.split(":")[0] for fault in Schema(made).faults({})] == [""]
    strict = Schema(closed(made))
    assert [*strict.faults({"dish": {"type": "soup"}, "tip": 1})] == [
        ": Additional properties are not allowed ('tip' was unexpected)"
    ]


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "openai-chat": ({"model": "m", "messages": [{"role": "judge", "content": "hi"}]}, "messages/0/role"),
    "openai-responses": ({"model": "m", "input": [{"role": "user", "content": [{"type": "x"}]}]}, "input/0"),
    "anthropic-messages": ({"model": "m", "messages": [], "max_tokens": "9"}, "max_tokens"),
    "gemini": ({"contents": [{"role": "user", "parts": [{"txt": "hi"}]}]}, "contents/0/parts/0"),
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_broken_request_does_not_fit(published: dict[str, tuple[Schema, ...]], protocol: str) -> None:
    body, place = BROKEN[protocol]
    for schema in published[protocol]:
        assert any(fault.startswith(place) for fault in schema.faults(body))
