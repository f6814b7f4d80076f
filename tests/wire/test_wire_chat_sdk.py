"""The official client, in its strict mode, against a loopback server that writes what the codec encodes."""

import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any, ClassVar

import openai
import pytest
from openai.lib.streaming.chat import ChatCompletionStreamState

from turnout.model import (
    Answer,
    Citation,
    Failed,
    Inline,
    Media,
    Refusal,
    Source,
    Stop,
    Text,
    Thinking,
    ToolCall,
    Usage,
    unfold,
)
from turnout.model.errors import InvalidRequest, ProviderError, StageError, TurnoutError, Unauthenticated
from turnout.wire.chat import CODEC
from turnout.wire.codec import Seed

SEED = Seed(id="chatcmpl-1", created=1_790_000_000, model="m", reasoning="reasoning_content")


class Door(http.server.BaseHTTPRequestHandler):
    """Answers everything with `answer`, whole or streamed as the request asks."""

    protocol_version = "HTTP/1.1"
    answer: ClassVar[Answer | TurnoutError]
    failing: ClassVar[TurnoutError | None] = None
    asked: ClassVar[list[Any]] = []

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the base class names it
        """Say nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        request = CODEC.decode_request(Source(protocol="openai-chat", body=body))
        self.asked.append(request)
        if isinstance(self.answer, TurnoutError):
            status, headers, data = CODEC.encode_error(self.answer)
            self.send(status, dict(headers.items()), data)
        elif json.loads(body).get("stream"):
            encoder = CODEC.stream_encoder(SEED, request.want_usage)
            events = unfold(self.answer)
            if self.failing is not None:
                events = (*events[:-1], Failed(error=self.failing))
            pieces = [CODEC.keepalive(), *[encoder.encode((event,)) for event in events]]
            self.send(200, {"content-type": "text/event-stream; charset=utf-8"}, b"".join(pieces))
        else:
            data, _ = CODEC.encode_answer(self.answer, SEED)
            self.send(200, {"content-type": "application/json"}, data)

    def send(self, status: int, headers: dict[str, str], data: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def door() -> Iterator[type[Door]]:
    """A server on a free port; its handler's `answer` is what it says."""

    class Own(Door):
        asked: ClassVar[list[Any]] = []

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Own) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        Own.port = server.server_address[1]  # pyright: ignore[reportAttributeAccessIssue]
        yield Own
        server.shutdown()
        thread.join()


@pytest.fixture
def client(door: Any) -> Iterator[openai.OpenAI]:
    """The official client, which checks every answer against its own types."""
    with openai.OpenAI(
        base_url=f"http://127.0.0.1:{door.port}/v1",
        api_key="k",
        max_retries=0,
        _strict_response_validation=True,
    ) as made:
        yield made


CALLS = (
    ToolCall(call_id="call_a", name="f", arguments='{"city":"Rome"}'),
    ToolCall(call_id="call_b", name="g", arguments="{}"),
)
FULL = Usage(input=10, cache_read=5, cache_write=2, output=7, reasoning=3, detail={"input_audio": 1})
SOURCE = Citation(kind="url", url="https://example.test", title="t", start=0, end=5)
SAID: list[tuple[str, Answer]] = [
    ("text", Answer(parts=(Text(text="Grüße 🌍"),), stop="end", usage=FULL)),
    ("nothing", Answer(parts=(Text(text=""),), stop="end")),
    ("calls", Answer(parts=(Text(text="see"), *CALLS), stop="tool_calls", usage=Usage(input=1, output=1))),
    ("only calls", Answer(parts=CALLS, stop="tool_calls")),
    ("refusal", Answer(parts=(Refusal(text="no"),), stop="refusal")),
    ("filter", Answer(parts=(Text(text="a"),), stop="content_filter")),
    ("thought", Answer(parts=(Thinking(text="hm"), Text(text="a")), stop="end")),
    ("sources", Answer(parts=(Text(text="hello", citations=(SOURCE, SOURCE)),), stop="end")),
    (
        "sound",
        Answer(
            parts=(
                Media(kind="audio", id="au", source=Inline(media_type="audio/*", data="AA"), transcript="hi"),
            ),
            stop="end",
        ),
    ),
]


@pytest.mark.states("P-115", "P-116", "P-117")
@pytest.mark.parametrize(("name", "answer"), SAID, ids=[name for name, _ in SAID])
def test_the_strict_client_takes_every_whole_answer(
    name: str, answer: Answer, door: type[Door], client: openai.OpenAI
) -> None:
    door.answer = answer
    got = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
    message = got.choices[0].message
    texts = [part.text for part in answer.parts if isinstance(part, Text)]
    assert (message.content or "") == "".join(texts), name
    assert (message.content is None) is (not texts)
    assert [call.id for call in message.tool_calls or ()] == [
        part.call_id for part in answer.parts if isinstance(part, ToolCall)
    ]
    if answer.usage != Usage():
        assert got.usage is not None
        assert got.usage.total_tokens == (answer.usage.total_input or 0) + (answer.usage.output or 0)


@pytest.mark.states("P-118", "P-119")
@pytest.mark.parametrize("wants_usage", [True, False])
@pytest.mark.parametrize(("name", "answer"), SAID, ids=[name for name, _ in SAID])
def test_the_strict_client_accumulates_every_stream_to_the_same(
    name: str, answer: Answer, wants_usage: bool, door: type[Door], client: openai.OpenAI
) -> None:
    door.answer = answer
    state = ChatCompletionStreamState()
    rest: Any = {"stream_options": {"include_usage": True}} if wants_usage else {}
    for chunk in client.chat.completions.create(
        model="m", messages=[{"role": "user", "content": "hi"}], stream=True, **rest
    ):
        state.handle_chunk(chunk)
        if not wants_usage:
            assert chunk.usage is None
    got = state.get_final_completion() if answer.stop not in ("content_filter", "refusal") else None
    message = state.current_completion_snapshot.choices[0].message
    assert (message.content or "") == answer.text, name
    assert [(call.id, call.function.name, call.function.arguments) for call in message.tool_calls or ()] == [
        (part.call_id, part.name, part.arguments) for part in answer.parts if isinstance(part, ToolCall)
    ]
    if got is not None and wants_usage and answer.usage != Usage():
        assert got.usage is not None
        assert got.usage.completion_tokens == answer.usage.output
    door.answer = answer
    whole = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
    assert state.current_completion_snapshot.choices[0].finish_reason == whole.choices[0].finish_reason
    assert message.refusal == whole.choices[0].message.refusal
    thought = getattr(whole.choices[0].message, "reasoning_content", None)
    assert getattr(message, "reasoning_content", None) == thought


@pytest.mark.parametrize(
    "stop", ["end", "stop_sequence", "length", "context_full", "tool_calls", "content_filter"]
)
def test_the_strict_client_knows_every_reason(stop: Stop, door: type[Door], client: openai.OpenAI) -> None:
    door.answer = Answer(parts=(Text(text="a"),), stop=stop)
    got = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
    chunks = list(
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}], stream=True)
    )
    assert got.choices[0].finish_reason == chunks[-1].choices[0].finish_reason


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (InvalidRequest("bad", param="messages[0].content"), openai.BadRequestError),
        (Unauthenticated("who are you"), openai.AuthenticationError),
        (ProviderError("slow", kind="rate_limit", status_code=429, retry_after=3), openai.RateLimitError),
        (StageError("execute", may_have_acted=True), openai.InternalServerError),
    ],
)
def test_the_strict_client_raises_its_typed_errors(
    error: TurnoutError, kind: type[openai.APIStatusError], door: type[Door], client: openai.OpenAI
) -> None:
    door.answer = error
    with pytest.raises(kind) as raised:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
    assert (raised.value.param, raised.value.code) == (error.param, error.code)
    assert raised.value.type == ("rate_limit_error" if isinstance(error, ProviderError) else error.type)
    assert error.message in str(raised.value)


def test_an_action_that_may_have_run_is_not_asked_for_again(door: Any) -> None:
    door.answer = StageError("execute", may_have_acted=True)
    with (
        openai.OpenAI(base_url=f"http://127.0.0.1:{door.port}/v1", api_key="k", max_retries=2) as client,
        pytest.raises(openai.InternalServerError),
    ):
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
    assert len(door.asked) == 1


@pytest.mark.states("K24", "T-060")
def test_the_strict_client_raises_when_a_stream_fails(door: type[Door], client: openai.OpenAI) -> None:
    door.answer = Answer(parts=(Text(text="half"),), stop="end")
    door.failing = ProviderError("the model left", code="gone")
    stream = client.chat.completions.create(
        model="m", messages=[{"role": "user", "content": "hi"}], stream=True
    )
    seen: list[str] = []
    with pytest.raises(openai.APIError, match="the model left"):
        seen.extend(chunk.choices[0].delta.content or "" for chunk in stream)
    assert "".join(seen) == "half"


def test_what_the_client_sends_is_read(door: type[Door], client: openai.OpenAI) -> None:
    door.answer = Answer(parts=(Text(text="a"),), stop="end")
    client.chat.completions.create(
        model="m",
        messages=[
            {"role": "developer", "content": "be brief"},
            {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        ],
        tools=[{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
        tool_choice={"type": "function", "function": {"name": "f"}},
        temperature=0.5,
        n=1,
    )
    (body,) = door.asked
    assert [message.role for message in body.messages] == ["developer", "user"]
    assert (body.temperature, body.tool_choice.names, body.tools[0].parameters) == (
        0.5,
        ("f",),
        '{"type":"object"}',
    )
