"""Completions and chunks as typed values, what builds them, and the replies that they become."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.errors import BadOutput, BrokenStream, Unsupported
from turnout.model import Reply, ToolCall
from turnout.wire.chat import (
    ChatCompletion,
    ChatCompletionBuilder,
    ChatCompletionChoice,
    ChatCompletionChunk,
    ChatCompletionChunkChoice,
    ChatCompletionDelta,
    ChatCompletionRequest,
    ChatContent,
    ChatContentPart,
    ChatFunctionCall,
    ChatMessage,
    ChatPromptTokensDetails,
    ChatStreamOptions,
    ChatToolCall,
    ChatUsage,
    FunctionCallDelta,
    ToolCallDelta,
    respond,
)
from turnout.wire.sse import Parser

REQUEST = ChatCompletionRequest(model="m", messages=(ChatMessage.user("hello"),))
STREAM = REQUEST.replace(stream=True)
WITH_USAGE = STREAM.replace(stream_options=ChatStreamOptions(include_usage=True))
BUILDER = ChatCompletionBuilder.answering(REQUEST, id="chatcmpl-1", created=1_790_000_000)
USAGE = ChatUsage(prompt_tokens=3, completion_tokens=2, total_tokens=5)
CALLS = (
    ChatToolCall(id="call_1", function=ChatFunctionCall(name="add", arguments='{"a":1}', extra={"x": "1"})),
    ChatToolCall(id="call_2", type="custom", extra={"custom": '{"name":"sql","input":"select 1"}'}),
)


async def body_of(reply: Reply) -> bytes:
    async with reply:
        assert reply.relay is not None
        return b"".join([data async for data in reply.relay])


def events_of(body: bytes) -> list[dict[str, Any]]:
    parser = Parser()
    frames = parser.feed(body)
    assert parser.close() == []
    assert frames[-1].data == b"[DONE]"
    return [json.loads(frame.data) for frame in frames[:-1]]


@pytest.mark.states("P-114")
def test_usage_counts_tokens_and_those_from_the_cache() -> None:
    text = (
        b'{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,'
        b'"prompt_tokens_details":{"cached_tokens":1,"audio_tokens":0},"cost":0.50}'
    )
    usage = ChatUsage.decode(text)
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (3, 2, 5)
    assert usage.prompt_tokens_details == ChatPromptTokensDetails(
        cached_tokens=1, extra={"audio_tokens": "0"}
    )
    assert usage.extra == {"cost": "0.50"}
    assert usage.encode() == text
    assert USAGE.encode() == b'{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}'


@pytest.mark.states("P-115", "P-116", "P-117")
@pytest.mark.parametrize("reason", ["stop", "length", "tool_calls", "content_filter", "eos"])
def test_the_members_of_a_completion_are_fields_and_the_others_are_kept(reason: str) -> None:
    text = (
        '{"id":"c","object":"chat.completion","created":7,"model":"m","choices":[{"index":1,"message":'
        '{"role":"assistant","content":"hi","refusal":null},"finish_reason":"'
        + reason
        + '","logprobs":null}],'
        '"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5},"system_fingerprint":"fp"}'
    )
    completion = ChatCompletion.decode(text)
    message = ChatMessage.assistant("hi").replace(extra={"refusal": "null"})
    choice = ChatCompletionChoice(index=1, message=message, finish_reason=reason, extra={"logprobs": "null"})
    assert completion == ChatCompletion(
        id="c", created=7, model="m", choices=(choice,), usage=USAGE, extra={"system_fingerprint": '"fp"'}
    )
    assert completion.object == "chat.completion"
    assert completion.encode() == text.encode()


@pytest.mark.states("P-115")
def test_a_completion_without_usage_says_none() -> None:
    assert ChatCompletion(id="c", model="m").encode() == (
        b'{"id":"c","object":"chat.completion","created":0,"model":"m","choices":[]}'
    )


@pytest.mark.states("P-118", "P-119")
def test_the_finish_reason_of_a_chunk_is_null_until_it_is_known() -> None:
    chunk = ChatCompletionChunk(id="c", created=7, model="m", choices=(ChatCompletionChunkChoice(),))
    text = (
        b'{"id":"c","object":"chat.completion.chunk","created":7,"model":"m",'
        b'"choices":[{"index":0,"delta":{},"finish_reason":null}]}'
    )
    assert chunk.encode() == text
    assert ChatCompletionChunk.decode(text) == chunk
    last = chunk.replace(choices=(ChatCompletionChunkChoice(finish_reason="stop"),), usage=USAGE)
    assert json.loads(last.encode())["choices"] == [{"index": 0, "delta": {}, "finish_reason": "stop"}]
    assert json.loads(last.encode())["usage"] == {
        "prompt_tokens": 3,
        "completion_tokens": 2,
        "total_tokens": 5,
    }


@pytest.mark.states("P-120", "P-121", "P-122")
@pytest.mark.parametrize(
    ("delta", "wire"),
    [
        (ChatCompletionDelta(), "{}"),
        (ChatCompletionDelta(role="assistant"), '{"role":"assistant"}'),
        (ChatCompletionDelta(content="hi"), '{"content":"hi"}'),
        (
            ChatCompletionDelta(
                tool_calls=(
                    ToolCallDelta(index=1, id="c", type="function", function=FunctionCallDelta(name="f")),
                )
            ),
            '{"tool_calls":[{"index":1,"id":"c","type":"function","function":{"name":"f"}}]}',
        ),
        (
            ChatCompletionDelta(
                tool_calls=(ToolCallDelta(index=1, function=FunctionCallDelta(arguments="{")),)
            ),
            '{"tool_calls":[{"index":1,"function":{"arguments":"{"}}]}',
        ),
        (
            ChatCompletionDelta(tool_calls=(ToolCallDelta(function=FunctionCallDelta()),)),
            '{"tool_calls":[{"index":0,"function":{}}]}',
        ),
    ],
)
def test_a_delta_leaves_out_what_is_empty(delta: ChatCompletionDelta, wire: str) -> None:
    assert delta.encode() == wire.encode()
    assert ChatCompletionDelta.decode(wire) == delta


@pytest.mark.parametrize(
    "wire", ['{"content":""}', '{"role":"assistant","content":null}', '{"tool_calls":[]}']
)
def test_what_a_provider_says_although_it_is_empty_is_kept(wire: str) -> None:
    assert ChatCompletionDelta.decode(wire).encode() == wire.encode()


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (ChatCompletion, b"<html>"),
        (ChatCompletion, b"[]"),
        (ChatCompletion, b'{"choices":[{"message":"hi"}]}'),
        (ChatCompletionChunk, b'{"choices":[{"delta":{"content":["hi"]}}]}'),
    ],
)
def test_an_answer_that_is_none_is_the_providers_fault(
    kind: type[ChatCompletion | ChatCompletionChunk], body: bytes
) -> None:
    with pytest.raises(BrokenStream):
        kind.decode(body)


@pytest.mark.states("P-123")
def test_the_completions_of_a_builder_share_model_id_and_time() -> None:
    for completion in (BUILDER.build_text("a"), BUILDER.build_text("b"), BUILDER.build_tool_calls(*CALLS)):
        assert (completion.model, completion.id, completion.created) == ("m", "chatcmpl-1", 1_790_000_000)
        assert completion.object == "chat.completion"


@pytest.mark.states("P-124")
def test_a_text_is_one_choice_that_stopped() -> None:
    assert json.loads(BUILDER.build_text("Done.", usage=USAGE).encode()) == {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": "m",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    }


@pytest.mark.states("P-125", "P-100")
def test_calls_are_one_choice_with_null_content() -> None:
    completion = BUILDER.build_tool_calls(*CALLS)
    (choice,) = json.loads(completion.encode())["choices"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None
    assert completion.choices[0].message.tool_calls == CALLS


@pytest.mark.states("P-126", "P-127")
async def test_a_request_that_is_not_streamed_gets_the_completion_as_it_is() -> None:
    completion = BUILDER.build_text("Done.", usage=USAGE)
    reply = respond(REQUEST, completion)
    assert (reply.status, reply.protocol) == (200, "openai-chat")
    assert reply.headers.get("content-type") == "application/json"
    assert reply.length == len(completion.encode())
    assert await body_of(reply) == completion.encode()
    assert reply.closed


@pytest.mark.states("P-126", "P-128", "P-118", "P-119", "P-135")
async def test_a_request_that_is_streamed_gets_a_stream() -> None:
    reply = respond(STREAM, BUILDER.build_text("Done.", usage=USAGE))
    assert (reply.status, reply.protocol, reply.length) == (200, "openai-chat", None)
    assert reply.headers.get("content-type") == "text/event-stream"
    chunks = events_of(await body_of(reply))
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks] == [None, "stop"]
    assert [chunk["choices"][0]["delta"] for chunk in chunks] == [
        {"role": "assistant", "content": "Done."},
        {},
    ]
    assert {(chunk["id"], chunk["object"], chunk["created"], chunk["model"]) for chunk in chunks} == {
        ("chatcmpl-1", "chat.completion.chunk", 1_790_000_000, "m")
    }
    assert not any("usage" in chunk for chunk in chunks)


@pytest.mark.states("P-128", "P-118")
async def test_a_stream_ends_with_the_usage_if_it_was_asked_for() -> None:
    chunks = events_of(await body_of(respond(WITH_USAGE, BUILDER.build_text("Done.", usage=USAGE))))
    assert [chunk.get("usage") for chunk in chunks[:-1]] == [None, None]
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["total_tokens"] == 5
    without = events_of(await body_of(respond(WITH_USAGE, BUILDER.build_text("Done."))))
    assert not any("usage" in chunk for chunk in without)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
EXTRA = st.dictionaries(
    st.sampled_from(["refusal", "audio", "x"]), st.sampled_from(["null", "1.50", '"a"']), max_size=2
)
FUNCTION_CALLS = st.builds(ChatFunctionCall, name=TEXTS, arguments=TEXTS, extra=EXTRA)
CALL = st.builds(ChatToolCall, id=TEXTS, type=st.just("function"), function=FUNCTION_CALLS, extra=EXTRA)
MESSAGE = st.builds(
    ChatMessage,
    role=st.just("assistant"),
    content=st.just(ChatContent()) | TEXTS.filter(bool).map(ChatContent.of),
    tool_calls=st.lists(CALL, max_size=3).map(tuple),
    name=TEXTS,
    extra=EXTRA,
)
CHOICE = st.builds(
    ChatCompletionChoice, message=MESSAGE, finish_reason=st.sampled_from(["stop", "tool_calls"]), extra=EXTRA
)


def fold(chunks: list[ChatCompletionChunk]) -> list[tuple[Any, ...]]:
    """What the choices of a stream say in the end, as any client adds it up."""
    choices: dict[int, dict[str, Any]] = {}
    for piece in (piece for chunk in chunks for piece in chunk.choices):
        said = choices.setdefault(
            piece.index, {"content": "", "calls": {}, "extra": {}, "reason": None, "role": ""}
        )
        said["content"] += piece.delta.content
        said["role"] += piece.delta.role
        said["extra"] |= piece.delta.extra
        said["reason"] = piece.finish_reason or said["reason"]
        for call in piece.delta.tool_calls:
            said["calls"][call.index] = call
    return [
        (index, said["role"], said["content"], list(said["calls"].values()), said["extra"], said["reason"])
        for index, said in choices.items()
    ]


@pytest.mark.states("P-129")
@given(st.lists(CHOICE, min_size=1, max_size=3))
def test_the_streamed_form_says_what_the_whole_form_says(choices: list[ChatCompletionChoice]) -> None:
    from turnout.wire.chat import pieces_of

    numbered = tuple(choice.replace(index=index) for index, choice in enumerate(choices))
    completion = ChatCompletion(id="c", model="m", choices=numbered)
    chunks = [ChatCompletionChunk.decode(chunk.encode()) for chunk in pieces_of(completion)]
    assert len(fold(chunks)) == len(numbered)
    for choice, (index, role, content, calls, extra, reason) in zip(numbered, fold(chunks), strict=True):
        message = choice.message
        assert (index, role, content, reason) == (
            choice.index,
            message.role,
            message.text,
            choice.finish_reason,
        )
        name = {"name": json.dumps(message.name, ensure_ascii=False)} if message.name else {}
        assert {k: json.loads(v) for k, v in extra.items()} == {
            k: json.loads(v) for k, v in (message.extra | name).items()
        }
        assert [call.id for call in calls] == [call.id for call in message.tool_calls]
        for call, whole in zip(calls, message.tool_calls, strict=True):
            assert whole.function is not None
            assert (call.function.name, call.function.arguments) == (
                whole.function.name,
                whole.function.arguments,
            )
            assert (call.extra, call.function.extra) == (whole.extra, whole.function.extra)


@pytest.mark.states("P-129")
@pytest.mark.parametrize("request_", [REQUEST, STREAM])
async def test_the_reply_reads_back_as_an_answer_of_the_model_in_both_forms(
    request_: ChatCompletionRequest,
) -> None:
    async with respond(request_, BUILDER.build_text("Done.")) as reply:
        answer = await reply.answer()
    assert (answer.text, answer.stop, answer.id, answer.model) == ("Done.", "end", "chatcmpl-1", "m")
    async with respond(request_, BUILDER.build_tool_calls(CALLS[0])) as reply:
        answer = await reply.answer()
    (call,) = [part for part in answer.parts if isinstance(part, ToolCall)]
    assert (call.call_id, call.name, call.arguments, answer.stop) == (
        "call_1",
        "add",
        '{"a":1}',
        "tool_calls",
    )


async def test_a_call_of_another_type_is_streamed_too() -> None:
    chunks = events_of(await body_of(respond(STREAM, BUILDER.build_tool_calls(*CALLS))))
    assert chunks[0]["choices"][0]["delta"]["tool_calls"] == [
        {
            "index": 0,
            "id": "call_1",
            "type": "function",
            "function": {"name": "add", "arguments": '{"a":1}', "x": 1},
        },
        {"index": 1, "id": "call_2", "type": "custom", "custom": {"name": "sql", "input": "select 1"}},
    ]


@pytest.mark.states("P-130")
@pytest.mark.parametrize("request_", [REQUEST, STREAM])
@pytest.mark.parametrize(
    "completion",
    [
        BUILDER.build_text("Done.").replace(extra={"x": "{not json"}),
        BUILDER.build_text("Done.").replace(created="today"),
        BUILDER.build_text("half \ud83d"),
        BUILDER.build_text("Done.").replace(model=None),
    ],
)
def test_a_completion_that_cannot_be_written_is_an_error_and_no_reply(
    request_: ChatCompletionRequest, completion: ChatCompletion
) -> None:
    with pytest.raises(BadOutput):
        respond(request_, completion)


@pytest.mark.states("P-130")
def test_a_content_that_chunks_cannot_say_is_an_error_and_no_reply() -> None:
    message = ChatMessage.assistant("a", ChatContentPart(type="image_url"))
    completion = ChatCompletion(id="c", model="m", choices=(ChatCompletionChoice(message=message),))
    with pytest.raises(Unsupported) as caught:
        respond(STREAM, completion)
    assert caught.value.param == "choices[0].message.content"


def test_a_name_that_the_protocol_does_not_have_is_an_error() -> None:
    from turnout.wire import chat

    with pytest.raises(AttributeError, match="has no attribute 'ChatThing'"):
        chat.ChatThing  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue]
    assert all(getattr(chat, name) is not None for name in chat.__all__)
