"""The official client keeps, continues, looks up and deletes responses, strictly, whatever answers them."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI

import turnout
from tests.serve.serve_call import serving
from tests.serve.test_serve_responses import TOOL, Upstream, make_app
from turnout import App
from turnout.agents import Emit
from turnout.store import MemoryStore, Policy, SQLiteStore

BEHIND = ("agent", "openai-chat", "openai-responses")
behind = pytest.mark.parametrize("kind", BEHIND)


def with_agent(**options: Any) -> App:
    app = App(**options)

    @app.agent("m", continuation=True, tools=True, client_tools=True)
    async def echo(request: turnout.Request, emit: Emit) -> None:
        heard = " | ".join(each.text for each in request.messages if each.role != "assistant")
        if request.tools and request.messages[-1].role == "user":
            await emit.tool("get_weather", {"city": "Rome"})
        else:
            await emit.text(f"Hello there ({heard})")

    return app


@asynccontextmanager
async def keeping(kind: str, **options: Any) -> AsyncGenerator[tuple[Any, Upstream | None]]:
    """A client of a server with a store; what its upstream was asked."""
    options.setdefault("store", MemoryStore())
    if kind == "agent":
        async with serving(with_agent(**options), lifespan="on") as port, connected(port) as client:
            yield client, None
        return
    up = Upstream(kind)
    async with serving(up, lifespan="off") as port:
        app = make_app(f"http://127.0.0.1:{port}/v1", kind, **options)
        async with serving(app, lifespan="on") as gate, connected(gate) as client:
            yield client, up


def connected(port: int, key: str = "x") -> Any:
    return AsyncOpenAI(
        base_url=f"http://127.0.0.1:{port}/v1",
        api_key=key,
        max_retries=0,
        _strict_response_validation=True,
    )


async def streamed(client: Any, **asked: Any) -> Any:
    events = [event async for event in await client.responses.create(stream=True, **asked)]
    assert events[-1].type == "response.completed"
    return events[-1].response


@behind
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.states("L-100", "L-104", "L-192")
async def test_what_is_kept_is_looked_up_as_it_was_made(kind: str, stream: bool) -> None:
    async with keeping(kind) as (client, _):
        asked: Any = {
            "model": "m",
            "input": "hello",
            "store": True,
            "instructions": "be brief",
            "temperature": 0.5,
            "metadata": {"a": "1"},
            "tools": [{"type": "function", "name": "f", "parameters": {}, "strict": False}],
            "tool_choice": "none",
        }
        if kind == "agent":
            asked["tools"] = openai.omit
            asked["tool_choice"] = openai.omit
        made = await (streamed(client, **asked) if stream else client.responses.create(**asked))
        found = await client.responses.retrieve(made.id)
        assert found.to_dict() == made.to_dict()
        assert made.output_text.startswith("Hello there")
        assert (made.store, made.instructions) == (True, "be brief")
        assert found.metadata == {"a": "1"}


@behind
@pytest.mark.parametrize("tool", [False, True], ids=["text", "tool"])
@pytest.mark.states("L-101", "L-104", "L-192")
async def test_what_is_kept_is_looked_up_as_a_stream(kind: str, tool: bool) -> None:
    async with keeping(kind) as (client, _):
        offered: Any = [TOOL] if tool else openai.omit
        made = await client.responses.create(model="m", input="hello", store=True, tools=offered)
        events = [event async for event in await client.responses.retrieve(made.id, stream=True)]
        assert [event.sequence_number for event in events] == list(range(len(events)))
        assert [events[0].type, events[-1].type] == ["response.created", "response.completed"]
        assert events[-1].response.to_dict() == made.to_dict()
        words = "".join(event.delta for event in events if event.type == "response.output_text.delta")
        assert words == made.output_text
        done = [event.item.to_dict() for event in events if event.type == "response.output_item.done"]
        assert done == [item.to_dict() for item in made.output]


@behind
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.states("L-158", "L-168", "L-170")
async def test_a_response_is_continued_with_its_history(kind: str, stream: bool) -> None:
    async with keeping(kind) as (client, up):
        first = await client.responses.create(
            model="m", input="my name is Ada", store=True, instructions="once"
        )
        asked: Any = {"model": "m", "input": "who am I?", "store": True, "previous_response_id": first.id}
        second = await (streamed(client, **asked) if stream else client.responses.create(**asked))
        assert second.previous_response_id == first.id
        third = await client.responses.create(model="m", input="sure?", previous_response_id=second.id)
        assert third.output_text.startswith("Hello there")
        if up is None:
            assert third.output_text == "Hello there (my name is Ada | who am I? | sure?)"
            return
        sent = json.dumps(up.asked[-1])
        assert [sent.count(word) for word in ("my name is Ada", "who am I?", "sure?")] == [1, 1, 1]
        assert sent.count("Hello there") == 2
        assert "once" not in sent
        assert "previous_response_id" not in sent
        if kind == "openai-responses":
            assert [asked.get("store") for asked in up.asked] == [False, False, None]
        else:
            assert not any(asked.get("store") for asked in up.asked)


@behind
@pytest.mark.states("L-168")
async def test_a_tools_result_continues_the_call_that_was_kept(kind: str) -> None:
    async with keeping(kind) as (client, up):
        first = await client.responses.create(
            model="m", input="the weather in Rome?", tools=[TOOL], store=True
        )
        call = first.output[-1]
        assert call.type == "function_call"
        result: Any = {"type": "function_call_output", "call_id": call.call_id, "output": "21 degrees"}
        second = await client.responses.create(
            model="m", input=[result], tools=[TOOL], store=True, previous_response_id=first.id
        )
        assert second.status == "completed"
        listed = await client.responses.input_items.list(second.id, order="asc")
        assert [item.type for item in listed.data][-2:] == ["function_call", "function_call_output"]
        if up is not None:
            assert "21 degrees" in json.dumps(up.asked[-1])


@behind
async def test_what_is_deleted_is_gone(kind: str) -> None:
    async with keeping(kind) as (client, _):
        made = await client.responses.create(model="m", input="hello", store=True)
        await client.responses.delete(made.id)
        for gone in (
            client.responses.retrieve(made.id),
            client.responses.delete(made.id),
            client.responses.input_items.list(made.id),
        ):
            with pytest.raises(openai.NotFoundError):
                await gone
        with pytest.raises(openai.NotFoundError) as raised:
            await client.responses.create(model="m", input="and?", previous_response_id=made.id)
        assert (raised.value.code, raised.value.param) == (
            "previous_response_not_found",
            "previous_response_id",
        )


@behind
@pytest.mark.states("L-153", "L-155")
async def test_what_is_not_to_be_kept_is_not_found(kind: str) -> None:
    async with keeping(kind, store_default=True) as (client, _):
        made = await client.responses.create(model="m", input="hello", store=False)
        with pytest.raises(openai.NotFoundError):
            await client.responses.retrieve(made.id)
        kept = await client.responses.create(model="m", input="hello")
        assert kept.store is True
        assert (await client.responses.retrieve(kept.id)).id == kept.id


@behind
async def test_input_items_come_in_pages(kind: str) -> None:
    async with keeping(kind) as (client, _):
        image: Any = {"type": "input_text", "text": "two"}
        said: Any = [
            {"role": "user", "content": "one"},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "yes?", "annotations": []}],
            },
            {"role": "user", "content": [image]},
        ]
        made = await client.responses.create(model="m", input=said, store=True)
        pages = client.responses.input_items.list(made.id, order="asc", limit=2)
        items = [item async for item in pages]
        assert [item.role for item in items] == ["user", "assistant", "user"]
        assert len({item.id for item in items}) == 3
        newest = await client.responses.input_items.list(made.id, limit=1)
        assert newest.data[0].id == items[-1].id
        assert newest.has_more
        after = await client.responses.input_items.list(made.id, order="asc", after=items[0].id or "")
        assert [item.id for item in after.data] == [item.id for item in items[1:]]
        for wrong in ({"limit": 101}, {"limit": 0}, {"after": "nothing"}, {"order": "up"}):
            with pytest.raises(openai.BadRequestError) as raised:
                await client.responses.input_items.list(made.id, **wrong)
            assert raised.value.param == next(iter(wrong))


@behind
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.states("L-104", "L-190", "L-191", "L-192")
async def test_a_request_with_the_same_key_gets_the_same_response(kind: str, stream: bool) -> None:
    async with keeping(kind) as (client, up):
        asked: Any = {
            "model": "m",
            "input": "hello",
            "store": True,
            "extra_headers": {"Idempotency-Key": "k1"},
        }
        ask = streamed(client, **asked) if stream else client.responses.create(**asked)
        first = await ask
        again = await (streamed(client, **asked) if stream else client.responses.create(**asked))
        assert again.to_dict() == first.to_dict()
        assert (await client.responses.retrieve(first.id)).to_dict() == first.to_dict()
        if up is not None:
            assert len(up.asked) == 1
        with pytest.raises(openai.ConflictError) as raised:
            await client.responses.create(**{**asked, "input": "something else"})
        assert raised.value.code == "idempotency_conflict"


@behind
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.states("L-093", "L-189", "L-190", "L-191")
async def test_a_chat_completion_with_the_same_key_is_the_same(kind: str, stream: bool) -> None:
    async with keeping(kind) as (client, up):
        asked: Any = {
            "model": "m",
            "messages": [{"role": "user", "content": "hello"}],
            "store": True,
            "extra_headers": {"Idempotency-Key": "k1"},
        }

        async def ask() -> tuple[str, str, int]:
            if not stream:
                made = await client.chat.completions.create(**asked)
                return made.id, made.choices[0].message.content or "", made.created
            chunks = [one async for one in await client.chat.completions.create(stream=True, **asked)]
            text = "".join(one.choices[0].delta.content or "" for one in chunks if one.choices)
            assert any(one.choices and one.choices[0].finish_reason == "stop" for one in chunks)
            return chunks[0].id, text, chunks[0].created

        first = await ask()
        assert first[1].startswith("Hello there")
        assert await ask() == first
        if up is not None:
            assert len(up.asked) == 1


@behind
async def test_another_caller_sees_nothing(kind: str) -> None:
    async with keeping(kind, user_header="x-user") as (client, _):
        ann, bob = {"x-user": "ann"}, {"x-user": "bob"}
        made = await client.responses.create(model="m", input="hi", store=True, extra_headers=ann)
        assert (await client.responses.retrieve(made.id, extra_headers=ann)).id == made.id
        for hidden in (
            client.responses.retrieve(made.id, extra_headers=bob),
            client.responses.delete(made.id, extra_headers=bob),
            client.responses.create(model="m", input="x", previous_response_id=made.id, extra_headers=bob),
        ):
            with pytest.raises(openai.NotFoundError):
                await hidden


async def into(seen: list[Any], asking: Any) -> None:
    note = seen.append
    async for event in await asking:
        note(event)


async def test_a_failed_response_is_looked_up_as_failed(tmp_path: Any) -> None:
    app = App(store=SQLiteStore(tmp_path / "turnout.db"))

    @app.agent("m")
    async def fails(request: turnout.Request, emit: Emit) -> None:
        await emit.text("hel")
        raise RuntimeError("secret")

    async with serving(app, lifespan="on") as port, connected(port) as client:
        seen: list[Any] = []
        with pytest.raises(openai.APIError):
            await into(seen, client.responses.create(model="m", input="x", store=True, stream=True))
        found = await client.responses.retrieve(seen[0].response.id)
        assert found.status == "failed"
        assert found.error is not None
        assert found.error.code == "server_error"
        assert found.output_text == "hel"
        assert "secret" not in found.to_json()
        told = [event async for event in await client.responses.retrieve(found.id, stream=True)]
        assert told[-1].type == "response.failed"
        assert told[-1].response.to_dict() == found.to_dict()


@pytest.mark.states("L-071", "L-106", "L-196", "L-197", "L-198")
async def test_activity_is_told_in_responses_where_it_is_accepted() -> None:
    for allowed in (True, False):
        app = App(store=MemoryStore(Policy(activity=allowed)))

        @app.agent("m")
        async def notes(request: turnout.Request, emit: Emit) -> None:
            await emit.activity("search", {"found": 3})
            await emit.text("done")

        async with serving(app, lifespan="on") as port, connected(port) as client:
            raw = client.responses.with_raw_response
            if not allowed:
                with pytest.raises(openai.InternalServerError):
                    await raw.create(model="m", input="x", store=True)
                continue
            made = await raw.create(model="m", input="x", store=True, stream=True)
            text = (await made.http_response.aread()).decode()
            assert '"name":"search","data":{"found": 3}' in text
            assert "response.completed" in text
