"""Tools of kinds that a provider lacks, offered as functions, and their calls mapped back (K08)."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.model import (
    Batch,
    Body,
    Delta,
    Event,
    Extra,
    Finish,
    Message,
    PartEnd,
    PartStart,
    Request,
    Start,
    Text,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    fold,
)
from turnout.providers.recast import NO_RECAST, declared, recast, unwrapped
from turnout.wire.codec import Dialect

LACKS = Dialect()
HAS = Dialect(custom_tools=True, namespaces=True)
PATCH = Tool(name="patch", kind="custom", description="patches")
CLOSE = Tool(name="close", namespace="agents", parameters="{}")


def request(*tools: Tool, messages: tuple[Message, ...] = (), **more: Any) -> Request:
    asked = messages or (Message(role="user", parts=(Text(text="x"),)),)
    return Request(model="m", body=Body(messages=asked, tools=tools, **more))


def test_what_a_provider_has_goes_as_it_is() -> None:
    asked = request(PATCH, CLOSE)
    assert recast(asked, HAS) == (asked, NO_RECAST)
    plain = request(Tool(name="f"))
    assert recast(plain, LACKS) == (plain, NO_RECAST)


def test_a_custom_tool_is_a_function_of_one_text() -> None:
    offered, how = recast(request(PATCH), LACKS)
    (tool,) = offered.tools
    assert (tool.kind, tool.name, tool.description) == ("function", "patch", "patches")
    assert json.loads(tool.parameters or "")["required"] == ["input"]
    assert how.customs == {"patch"}
    assert how.dropped == ()


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ('{"type":"grammar","grammar":{"syntax":"lark","definition":"start: X"}}', "lark grammar:\nstart: X"),
        ('{"type":"text"}', ""),
        ("5", ""),
    ],
)
def test_a_grammar_is_told_in_words_and_reported(form: str, words: str) -> None:
    offered, how = recast(request(Tool(name="p", kind="custom", format=form)), LACKS)
    assert words in (offered.tools[0].description or "")
    assert how.dropped == (("tools.format",) if words else ())


def test_the_history_is_told_in_the_same_terms() -> None:
    messages = (
        Message(
            role="assistant",
            parts=(
                ToolCall(call_id="a", name="patch", kind="custom", arguments='go "on"'),
                ToolCall(call_id="b", name="close", namespace="agents"),
                ToolCall(call_id="c", name="f"),
                Text(text="x"),
            ),
        ),
        Message(role="tool", parts=(ToolResult(call_id="a", kind="custom"), ToolResult(call_id="b"))),
    )
    offered, _ = recast(request(PATCH, CLOSE, Tool(name="f"), messages=messages), LACKS)
    first, second, third, _text = offered.messages[0].parts
    assert first == ToolCall(call_id="a", name="patch", arguments='{"input":"go \\"on\\""}')
    assert second == ToolCall(call_id="b", name="agents__close")
    assert third == ToolCall(call_id="c", name="f")
    assert [part.kind for part in offered.messages[1].parts if isinstance(part, ToolResult)] == [
        "function"
    ] * 2


def test_names_are_unique_and_short_enough() -> None:
    long = Tool(name="n" * 70, namespace="space")
    taken = Tool(name="agents__close")
    offered, how = recast(
        request(
            taken, CLOSE, long, tool_choice=ToolChoice(mode="required", names=("close", "agents__close"))
        ),
        LACKS,
    )
    names = [tool.name for tool in offered.tools]
    assert len(set(names)) == 3
    assert all(len(name) <= 64 for name in names)
    assert how.names[names[1]] == ("agents", "close")
    assert offered.body.tool_choice == ToolChoice(mode="required", names=(names[1], "agents__close"))


def test_a_search_that_is_only_on_offer_is_left_out_and_reported() -> None:
    search = Tool(
        name="web_search", kind="hosted", extra=Extra(protocol="openai-responses", members={"a": "1"})
    )
    offered, how = recast(request(search, Tool(name="f")), LACKS)
    assert [tool.name for tool in offered.tools] == ["f"]
    assert how.dropped == ("tools.web_search",)
    must = request(search, CLOSE, tool_choice=ToolChoice(mode="required", names=("web_search",)))
    assert [tool.kind for tool in recast(must, LACKS)[0].tools] == ["hosted", "function"]
    other = request(Tool(name="mcp", kind="hosted"))
    assert recast(other, LACKS) == (other, NO_RECAST)


async def told(*events: Event) -> AsyncIterator[Batch]:
    for event in events:
        yield (event,)


async def back(tools: tuple[Tool, ...], *events: Event) -> list[Event]:
    _, how = recast(request(*tools), LACKS)
    batches = declared(told(Start(), *events, Finish(stop="tool_calls")), how)
    return [event async for batch in batches for event in batch]


async def test_calls_come_back_as_the_client_declared_them() -> None:
    call = ToolCall(call_id="a", name="patch", arguments='{"in')
    other = ToolCall(call_id="b", name="agents__close", arguments="{}")
    whole = ToolCall(call_id="c", name="patch", arguments='{"input":"all"}')
    events = await back(
        (PATCH, CLOSE),
        PartStart(index=0, part=call),
        Delta(index=0, text='put":"a', to="arguments"),
        Delta(index=0, text='\\nb"}', to="arguments"),
        PartEnd(index=0),
        PartStart(index=1, part=other),
        PartEnd(index=1, whole=other),
        PartStart(index=2, part=ToolCall(call_id="c", name="patch", arguments="")),
        PartEnd(index=2, whole=whole),
        PartStart(index=3, part=ToolCall(call_id="d", name="patch", arguments='{"input":""}')),
        PartEnd(index=3),
    )
    assert fold(events).parts == (
        ToolCall(call_id="a", name="patch", kind="custom", arguments="a\nb"),
        ToolCall(call_id="b", name="close", namespace="agents"),
        ToolCall(call_id="c", name="patch", kind="custom", arguments="all"),
        ToolCall(call_id="d", name="patch", kind="custom", arguments=""),
    )


@given(st.text())
def test_what_was_wrapped_is_unwrapped(words: str) -> None:
    assert unwrapped(json.dumps({"input": words})) == words


@pytest.mark.parametrize("arguments", ["", "{broken", "[]", '{"input":5}', '{"other":"x"}'])
def test_what_is_no_wrapper_is_handed_on(arguments: str) -> None:
    assert unwrapped(arguments) == arguments
