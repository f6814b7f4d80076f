"""The official client against a served app: an action in front, a real upstream on loopback behind."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.routing import Mount

import turnout
from tests.serve.serve_call import serving
from tests.serve.serve_fakes import Spy
from turnout import App
from turnout.errors import ProviderError
from turnout.model import (
    Batch,
    Delta,
    Finish,
    PartEnd,
    PartStart,
    Reply,
    Request,
    Start,
    Text,
    ToolCall,
    Usage,
    UsageSeen,
)

ASK: Any = [{"role": "user", "content": "hello"}]
GREET: Any = [{"role": "user", "content": "greet Ada"}]


def chunk(delta: Any, finish: str | None = None, **more: Any) -> bytes:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    row = {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "up",
        "choices": choices,
    } | more
    return b"data: " + json.dumps(row).encode() + b"\n\n"


TEXT = [
    chunk({"role": "assistant", "content": ""}),
    chunk({"content": "hello "}),
    chunk({"content": "there"}),
    chunk({}, "stop"),
    chunk({}, choices=[], usage={"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}),
    b"data: [DONE]\n\n",
]
WHOLE = {
    "id": "c1",
    "object": "chat.completion",
    "created": 1,
    "model": "up",
    "vendor": {"kept": True},
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "hello there", "refusal": None},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
}


class Upstream:
    """A scripted provider that remembers what it was sent."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.spy = Spy()
        self.status = 200
        self.answer: Any = WHOLE
        self.headers: list[Any] = []
        self.stream: list[Any] = TEXT

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = b""
        more = True
        while more:
            message = await receive()
            body += message["body"]
            more = message["more_body"]
        self.bodies.append(body)
        streamed = json.loads(body).get("stream") and self.status == 200
        kind = b"text/event-stream" if streamed else b"application/json"
        head = {
            "type": "http.response.start",
            "status": self.status,
            "headers": [(b"content-type", kind), *self.headers],
        }
        if not streamed and self.answer is None:
            await self.watch(receive)
            return
        await send(head)
        for piece in self.stream if streamed else [json.dumps(self.answer).encode()]:
            if piece is None:
                await self.watch(receive)
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def watch(self, receive: Any) -> None:
        self.spy.running.set()
        while (await receive())["type"] != "http.disconnect":
            pass
        self.spy.cancelled.set()


def make_app(base_url: str, **options: Any) -> App:
    app = App(**options)

    @app.action(patterns=[r"greet (?P<name>\w+)"], template="Hello, {name}!")
    async def greet(name: str) -> dict[str, str]:
        """Greet somebody."""
        return {"name": name}

    app.model("m", turnout.provider("openai-chat", base_url=base_url, api_key="k"))
    app.model("off", turnout.provider("openai-chat", base_url=base_url, api_key="k"), actions=False)
    return app


@asynccontextmanager
async def gateway(up: Upstream, **options: Any) -> AsyncGenerator[str]:
    async with serving(up, lifespan="off") as behind:
        app = make_app(f"http://127.0.0.1:{behind}/v1", **options)
        async with serving(app, lifespan="on") as port:
            yield f"http://127.0.0.1:{port}/v1"


@asynccontextmanager
async def client(up: Upstream, **options: Any) -> AsyncGenerator[Any]:
    async with gateway(up, **options) as url, strict(url) as made:
        yield made


def strict(url: str, kind: Any = AsyncOpenAI) -> Any:
    return kind(base_url=url, api_key="x", max_retries=0, _strict_response_validation=True)


async def test_a_passed_on_answer_reads_as_the_upstreams_own() -> None:
    up = Upstream()
    async with client(up) as made:
        answer = await made.chat.completions.create(model="m", messages=ASK)
        assert answer.choices[0].message.content == "hello there"
        assert answer.model_extra == {"vendor": {"kept": True}}
        assert answer.usage is not None
        assert answer.usage.total_tokens == 5
    assert json.loads(up.bodies[0]) == {"messages": ASK, "model": "m"}


async def test_a_passed_on_stream_reads_as_the_upstreams_own() -> None:
    async with client(Upstream()) as made:
        stream = await made.chat.completions.create(
            model="m", messages=ASK, stream=True, stream_options={"include_usage": True}
        )
        chunks = [each async for each in stream]
        assert (
            "".join(each.choices[0].delta.content or "" for each in chunks if each.choices) == "hello there"
        )
        assert chunks[-1].usage is not None
        async with made.chat.completions.stream(model="m", messages=ASK) as helper:
            final = await helper.get_final_completion()
        assert final.choices[0].message.content == "hello there"


async def test_an_action_answers_whole_and_streamed_and_the_upstream_hears_nothing() -> None:
    up = Upstream()
    async with client(up) as made:
        answer = await made.chat.completions.create(model="m", messages=GREET)
        assert answer.choices[0].message.content == "Hello, Ada!"
        assert answer.choices[0].finish_reason == "stop"
        assert answer.model == "m"
        async with made.chat.completions.stream(model="m", messages=GREET) as helper:
            final = await helper.get_final_completion()
        assert final.choices[0].message.content == "Hello, Ada!"
        assert final.id
        assert final.created > 1_700_000_000
        assert not up.bodies
        await made.chat.completions.create(model="off", messages=GREET)
    assert len(up.bodies) == 1


async def test_the_sync_client_is_served_alike() -> None:
    up = Upstream()

    def use(url: str) -> list[str | None]:
        with strict(url, OpenAI) as made:
            plain = made.chat.completions.create(model="m", messages=ASK)
            acted = made.chat.completions.create(model="m", messages=GREET)
            with made.chat.completions.stream(model="m", messages=ASK) as helper:
                streamed = helper.get_final_completion()
            models = [model.id for model in made.models.list()]
            one = made.models.retrieve("off")
        return [
            plain.choices[0].message.content,
            acted.choices[0].message.content,
            streamed.choices[0].message.content,
            *models,
            one.owned_by,
        ]

    async with gateway(up) as url:
        told = await asyncio.to_thread(use, url)
    assert told == ["hello there", "Hello, Ada!", "hello there", "m", "off", "openai-chat"]


class Point(BaseModel):
    x: int


async def test_events_of_a_step_become_tool_calls_usage_and_structured_output() -> None:
    async def step(request: Request) -> Reply:
        async def batches() -> AsyncIterator[Batch]:
            yield (Start(id="s1"), PartStart(index=0, part=Text(text="")))
            yield (Delta(index=0, text='{"x": '), Delta(index=0, text="1}"), PartEnd(index=0))
            yield (PartStart(index=1, part=ToolCall(call_id="call_1", name="f", arguments="")),)
            yield (Delta(index=1, text='{"a":1}', to="arguments"), PartEnd(index=1))
            yield (PartStart(index=2, part=ToolCall(call_id="call_2", name="g", arguments="")),)
            yield (Delta(index=2, text="{}", to="arguments"), PartEnd(index=2))
            yield (UsageSeen(usage=Usage(input=2, output=3)), Finish(stop="tool_calls"))

        return Reply.of_batches(batches())

    app = App()
    app.model("m", step)
    async with serving(app) as port, strict(f"http://127.0.0.1:{port}/v1") as made:
        whole = await made.chat.completions.create(model="m", messages=ASK)
        async with made.chat.completions.stream(
            model="m", messages=ASK, stream_options={"include_usage": True}
        ) as helper:
            streamed = await helper.get_final_completion()
        for answer in (whole, streamed):
            calls = answer.choices[0].message.tool_calls
            assert [(call.id, call.function.name, call.function.arguments) for call in calls] == [
                ("call_1", "f", '{"a":1}'),
                ("call_2", "g", "{}"),
            ]
            assert answer.choices[0].finish_reason == "tool_calls"
            assert answer.usage.total_tokens == 5
        parsed = await made.chat.completions.parse(model="m", messages=ASK, response_format=Point)
        assert parsed.choices[0].message.parsed == Point(x=1)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (403, openai.PermissionDeniedError),
        (404, openai.NotFoundError),
        (409, openai.ConflictError),
        (422, openai.UnprocessableEntityError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
        (503, openai.InternalServerError),
    ],
)
async def test_an_upstreams_error_keeps_its_status_and_body(
    status: int, kind: type[openai.APIStatusError]
) -> None:
    up = Upstream()
    up.status = status
    up.answer = {"error": {"message": "no", "type": "t", "param": "p", "code": "c"}}
    up.headers = [(b"retry-after", b"7"), (b"x-request-id", b"theirs")]
    async with client(up) as made:
        for stream in (False, True):
            with pytest.raises(kind) as caught:
                await made.chat.completions.create(model="m", messages=ASK, stream=stream)
            assert caught.value.status_code == status
            assert caught.value.response.headers["retry-after"] == "7"
            assert caught.value.request_id == "theirs"
            if status not in {401, 403}:
                assert (caught.value.code, caught.value.param) == ("c", "p")


async def test_the_gateways_own_errors_are_the_clients_typed_ones() -> None:
    async with client(Upstream()) as made:
        with pytest.raises(openai.NotFoundError) as caught:
            await made.chat.completions.create(model="nobody", messages=ASK)
        assert caught.value.code == "model_not_found"
        assert caught.value.request_id
        with pytest.raises(openai.BadRequestError):
            await made.chat.completions.create(model=1, messages=ASK)
        with pytest.raises(openai.BadRequestError) as caught:
            await made.chat.completions.create(model="m", messages="no")
        assert caught.value.param == "messages"
        with pytest.raises(openai.NotFoundError):
            await made.embeddings.create(model="m", input="x")


async def test_an_upstream_that_is_not_there_is_a_502() -> None:
    app = make_app("http://127.0.0.1:9/v1")
    async with serving(app) as port, strict(f"http://127.0.0.1:{port}/v1") as made:
        with pytest.raises(openai.InternalServerError) as caught:
            await made.chat.completions.create(model="m", messages=ASK)
        assert caught.value.status_code == 502
        assert "127.0.0.1" not in str(caught.value)


async def test_a_cut_stream_never_looks_finished() -> None:
    class Cut(Upstream):
        async def watch(self, receive: Any) -> None:
            raise ConnectionAbortedError

    up = Cut()
    up.stream = [*TEXT[:2], None]
    async with client(up) as made:
        stream = await made.chat.completions.create(model="m", messages=ASK, stream=True)
        with pytest.raises(openai.APIError):
            async for _ in stream:
                pass
        up.answer = None
        with pytest.raises(openai.APIError):
            await made.chat.completions.create(model="m", messages=ASK)


@pytest.mark.parametrize("stream", [False, True])
async def test_leaving_reaches_the_providers_socket_in_time(stream: bool) -> None:
    up = Upstream()
    up.answer = None
    up.stream = [*TEXT[:2], None]
    async with client(up) as made:
        task = asyncio.create_task(made.chat.completions.create(model="m", messages=ASK, stream=stream))
        await up.spy.running.wait()
        if stream:
            await (await task).close()
        else:
            task.cancel()
        async with asyncio.timeout(0.1):
            await up.spy.cancelled.wait()


async def test_an_early_error_event_of_a_stream_is_an_http_error() -> None:
    up = Upstream()
    row = {
        "error": {
            "message": "slow down",
            "type": "rate_limit_error",
            "param": None,
            "code": "rate_limit_exceeded",
        }
    }
    up.stream = [b"data: " + json.dumps(row).encode() + b"\n\n"]
    async with client(up) as made:
        with pytest.raises(openai.APIStatusError) as caught:
            await made.chat.completions.create(model="m", messages=ASK, stream=True)
        assert "slow down" in str(caught.value)


async def test_a_failing_step_is_told_to_the_hook_and_not_to_the_client() -> None:
    heard: list[BaseException] = []

    def step(request: Request) -> str:
        raise ProviderError("no answer") from OSError("sk-secret")

    app = App(on_error=lambda error, about: heard.append(error))
    app.reason_with(step)
    async with serving(app) as port, strict(f"http://127.0.0.1:{port}/v1") as made:
        with pytest.raises(openai.InternalServerError) as caught:
            await made.chat.completions.create(model="m", messages=ASK)
    assert "sk-secret" not in str(caught.value)
    assert isinstance(heard[0].__cause__, OSError)


async def test_an_app_is_mounted_with_its_lifespan() -> None:
    up = Upstream()
    async with serving(up, lifespan="off") as behind:
        inner = make_app(f"http://127.0.0.1:{behind}/v1")
        outer = Starlette(routes=[Mount("/ai", app=inner)], lifespan=inner.lifespan)
        async with serving(outer, lifespan="on") as port, strict(f"http://127.0.0.1:{port}/ai/v1") as made:
            for messages, text in ((ASK, "hello there"), (GREET, "Hello, Ada!")):
                answer = await made.chat.completions.create(model="m", messages=messages)
                assert answer.choices[0].message.content == text
    assert not await inner.build().ready()
