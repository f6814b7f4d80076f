"""Replies of chunks that an application makes over time: order, ends, errors, and who stops whom."""

import asyncio
import gc
import json
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from turnout.errors import BadOutput, Cancelled, EmitClosed
from turnout.model import Reply
from turnout.serve.chat_stream import Emit, Produce, stream_response
from turnout.wire.chat import ChatCompletionChunk, ChatCompletionChunkChoice, ChatCompletionDelta
from turnout.wire.sse import Parser

BIG = "x" * 70_000
"""More than a stream keeps for a reader that is behind."""


def chunk(content: str = "", reason: str | None = None) -> ChatCompletionChunk:
    choice = ChatCompletionChunkChoice(delta=ChatCompletionDelta(content=content), finish_reason=reason)
    return ChatCompletionChunk(id="chatcmpl-1", created=7, model="m", choices=(choice,))


def body(reply: Reply) -> AsyncIterator[bytes]:
    assert reply.relay is not None
    return reply.relay


def stubborn(ended: asyncio.Event) -> Produce:
    """A producer that goes on waiting after its emission has failed."""

    async def produce(emit: Emit) -> None:
        try:
            await emit(chunk(BIG))
        except EmitClosed:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

    return produce


def texts(data: bytes) -> list[str]:
    """The contents of the chunks, and the end event as it is."""
    parser = Parser()
    frames = parser.feed(data) + parser.close()
    done = b"[DONE]"
    return [
        "[DONE]" if frame.data == done else json.loads(frame.data)["choices"][0]["delta"].get("content", "")
        for frame in frames
    ]


@pytest.mark.states("P-132", "P-135", "P-126")
async def test_chunks_are_events_followed_by_the_end_event() -> None:
    async def produce(emit: Emit) -> None:
        for word in ("one ", "two"):
            await emit(chunk(word))
        await emit(chunk(reason="stop"))

    async with stream_response(produce) as reply:
        assert (reply.status, reply.protocol) == (200, "openai-chat")
        assert reply.headers.get("content-type") == "text/event-stream"
        data = b"".join([data async for data in body(reply)])
        assert texts(data) == ["one ", "two", "", "[DONE]"]
        assert [data async for data in body(reply)] == []


async def test_a_stream_reads_back_as_an_answer_of_the_model() -> None:
    async def produce(emit: Emit) -> None:
        await emit(chunk("hello"))
        await emit(chunk(reason="stop"))

    async with stream_response(produce) as reply:
        assert (await reply.answer()).text == "hello"


@pytest.mark.states("P-131")
async def test_the_reply_is_there_at_once_and_the_chunks_come_as_they_are_made() -> None:
    go, made = asyncio.Event(), asyncio.Event()

    async def produce(emit: Emit) -> None:
        await emit(chunk("first"))
        made.set()
        await go.wait()
        await emit(chunk("second"))

    async with stream_response(produce) as reply:
        await made.wait()  # it runs although nobody reads
        assert texts(await anext(body(reply))) == ["first"]
        go.set()
        assert texts(await anext(body(reply))) == ["second"]
        assert texts(await anext(body(reply))) == ["[DONE]"]


async def test_a_reader_that_is_behind_gets_all_at_once() -> None:
    made = asyncio.Event()

    async def produce(emit: Emit) -> None:
        for word in "abc":
            await emit(chunk(word))
        made.set()

    async with stream_response(produce) as reply:
        await made.wait()
        assert texts(await anext(body(reply))) == ["a", "b", "c"]


async def test_emit_waits_for_a_reader_that_is_far_behind() -> None:
    emitted: list[int] = []

    async def produce(emit: Emit) -> None:
        for number in range(3):
            await emit(chunk(BIG))
            emitted.append(number)

    async with stream_response(produce) as reply:
        for number in range(3):
            assert len(texts(await anext(body(reply)))) == 1
            assert emitted == list(range(number))


@pytest.mark.states("P-133")
async def test_closing_the_body_makes_a_pending_emit_fail() -> None:
    failures: list[BaseException] = []
    cleaned = asyncio.Event()

    async def produce(emit: Emit) -> None:
        try:
            await emit(chunk(BIG))
        except EmitClosed as error:
            failures.append(error)
            await asyncio.sleep(0)  # a producer may clean up in peace
            cleaned.set()
            raise

    reply = stream_response(produce)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await reply.aclose()
    await reply.aclose()
    assert len(failures) == 1
    assert cleaned.is_set()
    assert [data async for data in body(reply)] == []


@pytest.mark.states("P-133")
async def test_closing_the_body_stops_a_producer_that_waits_for_something_else() -> None:
    stopped = asyncio.Event()
    started = asyncio.Event()
    kept: list[Emit] = []

    async def produce(emit: Emit) -> None:
        kept.append(emit)
        await emit(chunk("one"))
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async with stream_response(produce):
        await started.wait()
    assert stopped.is_set()
    with pytest.raises(EmitClosed):
        await kept[0](chunk("late"))


@pytest.mark.states("P-133")
async def test_closing_the_body_stops_a_producer_that_will_not_hear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnout.serve.chat_stream._GRACE_S", 0.01)
    ended = asyncio.Event()
    reply = stream_response(stubborn(ended))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await reply.aclose()
    assert ended.is_set()


async def test_a_close_that_is_cancelled_still_ends_the_producer() -> None:
    ended = asyncio.Event()
    reply = stream_response(stubborn(ended))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    closing = asyncio.create_task(reply.aclose())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    await ended.wait()


@pytest.mark.states("P-134")
async def test_a_failure_of_the_producer_comes_after_its_chunks_and_there_is_no_end_event() -> None:
    async def produce(emit: Emit) -> None:
        await emit(chunk("one"))
        raise LookupError("the application's own")

    async with stream_response(produce) as reply:
        assert texts(await anext(body(reply))) == ["one"]
        with pytest.raises(LookupError, match="the application's own"):
            await anext(body(reply))
        assert [data async for data in body(reply)] == []


@pytest.mark.states("P-134")
async def test_a_chunk_that_cannot_be_written_is_a_failure_of_the_producer() -> None:
    async def produce(emit: Emit) -> None:
        await emit(chunk("half \ud83d"))

    async with stream_response(produce) as reply:
        with pytest.raises(BadOutput):
            await anext(body(reply))


async def test_a_producer_that_somebody_else_cancelled_did_not_finish() -> None:
    async def produce(emit: Emit) -> None:
        await emit(chunk("one"))
        cast("asyncio.Task[Any]", asyncio.current_task()).cancel()
        await asyncio.sleep(0)

    async with stream_response(produce) as reply:
        assert texts(await anext(body(reply))) == ["one"]
        with pytest.raises(Cancelled):
            await anext(body(reply))


async def test_an_emit_that_was_kept_fails_after_the_end() -> None:
    kept: list[Emit] = []

    async def produce(emit: Emit) -> None:
        kept.append(emit)

    async with stream_response(produce) as reply:
        assert texts(await anext(body(reply))) == ["[DONE]"]
        with pytest.raises(EmitClosed):
            await kept[0](chunk("late"))


async def test_a_failed_emit_of_another_stream_is_a_failure_like_any_other() -> None:
    async def produce(emit: Emit) -> None:
        raise EmitClosed("of something else")

    async with stream_response(produce) as reply:
        with pytest.raises(EmitClosed, match="of something else"):
            await anext(body(reply))


async def test_an_error_that_nobody_read_is_reported_by_the_event_loop() -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))

    async def produce(emit: Emit) -> None:
        raise LookupError("unread")

    reply = stream_response(produce)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await reply.aclose()
    del reply, produce
    gc.collect()
    assert [type(context["exception"]) for context in reported] == [LookupError]


async def test_the_applications_context_variables_reach_the_producer() -> None:
    from contextvars import ContextVar

    tenant: ContextVar[str] = ContextVar("tenant", default="nobody")
    tenant.set("acme")

    async def produce(emit: Emit) -> None:
        await emit(chunk(tenant.get()))

    async with stream_response(produce) as reply:
        assert texts(await anext(body(reply))) == ["acme"]


def test_a_stream_needs_a_running_loop() -> None:
    async def produce(emit: Emit) -> None:
        raise AssertionError

    with pytest.raises(RuntimeError):
        stream_response(produce)
