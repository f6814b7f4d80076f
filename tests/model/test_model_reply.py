"""A reply has one owner, is consumed once in one form, and lets go of all that it holds."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.strategies import answers, batchings, streams
from turnout.model import (
    Answer,
    Batch,
    Delta,
    Event,
    Failed,
    Finish,
    Headers,
    PartStart,
    Reply,
    Start,
    Text,
    fold,
    unfold,
)
from turnout.model.errors import BadOutput, BrokenStream, ProviderError, TurnoutError

ANSWER = Answer(id="a", model="m", parts=(Text(text="hello"),), stop="end")


class Feed:
    """An iterator that counts how often it is closed, and may fail instead of ending."""

    def __init__(self, *items: Any, ends_in: BaseException | None = None) -> None:
        self.items = list(items)
        self.ends_in = ends_in
        self.closed = 0

    def __aiter__(self) -> "Feed":
        return self

    async def __anext__(self) -> Any:
        if not self.items:
            raise self.ends_in or StopAsyncIteration
        await asyncio.sleep(0)
        return self.items.pop(0)

    async def aclose(self) -> None:
        self.closed += 1


class Closed:
    """A close callback that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    async def __call__(self) -> None:
        self.calls += 1


class Letters:
    """A decoder of a protocol of our own: each byte is a delta, `.` ends the answer, `!` fails it."""

    def __init__(self) -> None:
        self.started = False
        self.ended = False

    def feed(self, data: bytes) -> Batch:
        events: list[Event] = []
        for letter in data.decode():
            if not self.started:
                self.started = True
                events += [Start(), PartStart(index=0, part=Text(text=""))]
            if letter == ".":
                self.ended = True
                events.append(Finish(stop="end"))
            elif letter == "!":
                self.ended = True
                events.append(Failed(error=ProviderError("the letters say no", status_code=418)))
            elif letter != " ":
                events.append(Delta(index=0, text=letter))
        return tuple(events)

    def close(self) -> Batch:
        return () if self.ended else (Failed(error=BrokenStream("no full stop")),)

    def fail(self, error: TurnoutError) -> Batch:
        return () if self.ended else (Failed(error=error),)


def relayed(
    *chunks: bytes, status: int = 200, ends_in: BaseException | None = None
) -> tuple[Reply, Feed, Closed]:
    feed, closed = Feed(*chunks, ends_in=ends_in), Closed()
    reply = Reply.relayed(
        status, Headers.of({"x": "1"}), feed, protocol="openai-chat", decode=Letters, close=closed
    )
    return reply, feed, closed


def of_answer() -> Reply:
    return Reply.of(ANSWER)


def of_events() -> Reply:
    return Reply.of_events(Feed(*unfold(ANSWER)))


def of_batches() -> Reply:
    return Reply.of_batches(Feed(unfold(ANSWER)))


def of_relay() -> Reply:
    return relayed(b"hel", b"lo.")[0]


MAKERS = [of_answer, of_events, of_batches, of_relay]


async def take_batches(reply: Reply) -> Answer:
    return fold([event async for batch in reply.batches() for event in batch])


async def take_events(reply: Reply) -> Answer:
    return fold([event async for event in reply.events()])


async def take_answer(reply: Reply) -> Answer:
    return await reply.answer()


TAKERS = [take_batches, take_events, take_answer]


@pytest.mark.parametrize("take", TAKERS)
@pytest.mark.parametrize("make", MAKERS)
async def test_every_reply_can_be_taken_in_every_form(
    make: Callable[[], Reply], take: Callable[[Reply], Awaitable[Answer]]
) -> None:
    async with make() as reply:
        assert (await take(reply)).text == "hello"


@pytest.mark.parametrize("second", TAKERS)
@pytest.mark.parametrize("first", TAKERS)
@pytest.mark.parametrize("make", MAKERS)
async def test_a_reply_is_consumed_once(make: Callable[[], Reply], first: Any, second: Any) -> None:
    async with make() as reply:
        await first(reply)
        with pytest.raises(RuntimeError, match="once"):
            await second(reply)


@pytest.mark.parametrize("take", TAKERS)
@pytest.mark.parametrize("make", MAKERS)
async def test_a_closed_reply_gives_nothing(make: Callable[[], Reply], take: Any) -> None:
    reply = make()
    await reply.aclose()
    with pytest.raises(RuntimeError, match="closed"):
        await take(reply)


@given(answer=answers)
async def test_a_whole_answer_is_given_back_as_it_is(answer: Answer) -> None:
    assert await Reply.of(answer).answer() is answer
    assert await take_batches(Reply.of(answer)) == answer


@given(data=st.data(), events=streams)
async def test_batches_come_out_as_they_went_in_but_never_empty(
    data: st.DataObject, events: list[Event]
) -> None:
    batches = data.draw(batchings(events))
    async with Reply.of_batches(Feed((), *batches, ())) as reply:
        assert [batch async for batch in reply.batches()] == batches
    async with Reply.of_events(Feed(*events)) as reply:
        assert [batch async for batch in reply.batches()] == [(event,) for event in events]


async def test_one_read_of_a_relay_is_one_batch_and_silence_is_none() -> None:
    async with relayed(b"ab", b" ", b"c.")[0] as reply:
        batches = [batch async for batch in reply.batches()]
    assert [len(batch) for batch in batches] == [4, 2]


# ---- the relay


async def test_a_relay_gives_the_very_bytes_and_is_closed_once() -> None:
    reply, feed, closed = relayed(b"ab", b"c.")
    async with reply:
        assert reply.relay is not None
        assert [data async for data in reply.relay] == [b"ab", b"c."]
    await reply.aclose()
    assert (feed.closed, closed.calls, reply.closed) == (1, 1, True)


async def test_bytes_may_be_put_back_into_a_reply_that_was_read_and_closed() -> None:
    reply, feed, closed = relayed(b"ab", b"c.")
    async with reply:
        assert reply.relay is not None
        assert [data async for data in reply.relay] == [b"ab", b"c."]
    reply.put_back(b"xyz.")
    assert (reply.closed, reply.length) == (False, 4)
    async with reply:
        assert [data async for data in reply.relay] == [b"xyz."]
    assert (feed.closed, closed.calls, reply.closed) == (1, 1, True)
    reply.put_back(b"xyz.")
    assert (await reply.answer()).text == "xyz"


async def test_a_relay_may_be_read_by_hand_first_and_then_to_its_end() -> None:
    reply, _, _ = relayed(b"ab", b"c", b".")
    async with reply:
        assert reply.relay is not None
        assert await anext(reply.relay) == b"ab"
        assert [data async for data in reply.relay] == [b"c", b"."]


@pytest.mark.parametrize("take", TAKERS)
async def test_bytes_that_were_taken_cannot_be_taken_as_events_too(take: Any) -> None:
    reply, _, closed = relayed(b"ab", b"c.")
    async with reply:
        assert reply.relay is not None
        async for _ in reply.relay:
            break
        with pytest.raises(RuntimeError, match="as bytes"):
            await take(reply)
    assert closed.calls == 1


async def test_events_that_were_taken_cannot_be_taken_as_bytes_too() -> None:
    reply, _, _ = relayed(b"ab", b"c.")
    async with reply:
        reply.batches()
        assert reply.relay is not None
        with pytest.raises(RuntimeError, match="as events"):
            aiter(reply.relay)
        with pytest.raises(RuntimeError, match="as events"):
            await anext(reply.relay)


async def test_a_relay_that_is_not_looked_into_is_not_decoded() -> None:
    def decode() -> Letters:
        raise AssertionError("nobody asked for events")

    reply = Reply.relayed(200, Headers(), Feed(b"a"), protocol="openai-chat", decode=decode, length=1)
    async with reply:
        assert reply.relay is not None
        assert [data async for data in reply.relay] == [b"a"]
        assert (reply.length, reply.protocol, reply.status) == (1, "openai-chat", 200)


async def test_who_looks_at_some_bytes_gets_a_decoder_and_takes_nothing() -> None:
    async with relayed(b"ab.")[0] as reply:
        decoder = reply.decoder()
        assert decoder is not None
        assert decoder.feed(b"x")[-1] == Delta(index=0, text="x")
        assert reply.decoder() is not decoder
        assert (await reply.answer()).text == "ab"
    assert of_answer().decoder() is None


@pytest.mark.parametrize("take", TAKERS)
@pytest.mark.parametrize("with_relay", [False, True])
async def test_a_reply_without_an_answer_is_no_answer(with_relay: bool, take: Any) -> None:
    async with Reply(relay=Feed(b"a") if with_relay else None) as reply:
        with pytest.raises(BadOutput):
            await take(reply)


# ---- failures


@pytest.mark.parametrize("take", TAKERS)
async def test_a_cut_relay_never_looks_finished(take: Any) -> None:
    async with relayed(b"ab")[0] as reply:
        with pytest.raises(BrokenStream, match="full stop"):
            await take(reply)


async def test_a_connection_that_breaks_is_a_failure_after_what_came() -> None:
    error = BrokenStream("the connection broke")
    async with relayed(b"ab", ends_in=error)[0] as reply:
        events = [event async for event in reply.events()]
    assert events[-2:] == [Delta(index=0, text="b"), Failed(error=error)]


async def test_a_connection_that_breaks_after_the_end_changes_nothing() -> None:
    async with relayed(b"ab.", ends_in=BrokenStream("too late"))[0] as reply:
        assert (await reply.answer()).text == "ab"


async def test_a_failure_of_the_program_is_no_event() -> None:
    reply, feed, closed = relayed(b"ab", ends_in=ZeroDivisionError())
    async with reply:
        with pytest.raises(ZeroDivisionError):
            await take_events(reply)
    assert (feed.closed, closed.calls) == (1, 1)


@pytest.mark.parametrize("take", TAKERS)
@pytest.mark.parametrize(
    ("chunks", "ends_in", "message"),
    [
        ((b"a!",), None, "letters say no"),
        ((b"a", b"!", b"!b"), None, "letters say no"),
        ((b"a",), None, "full stop"),
        ((b"a",), BrokenStream("the connection broke"), "connection broke"),
        ((b"a.",), None, "error"),
        ((b"a.",), BrokenStream("the connection broke"), "error"),
    ],
)
async def test_an_error_status_raises_and_shows_nothing(
    chunks: tuple[bytes, ...], ends_in: Any, message: str, take: Any
) -> None:
    async with relayed(*chunks, status=429, ends_in=ends_in)[0] as reply:
        with pytest.raises(ProviderError, match=message):
            await take(reply)
    async with relayed(*chunks, status=429, ends_in=ends_in)[0] as reply:
        with pytest.raises(ProviderError):
            await anext(reply.batches())


async def test_an_error_status_without_words_is_shown_as_it_is() -> None:
    async with relayed(b".", status=429)[0] as reply:
        with pytest.raises(ProviderError) as caught:
            await reply.answer()
    assert (caught.value.status, caught.value.status_code) == (429, 429)


# ---- closing


@pytest.mark.parametrize("times", [1, 2, 3])
async def test_closing_again_is_harmless(times: int) -> None:
    reply, feed, closed = relayed(b"a")
    await asyncio.gather(*(reply.aclose() for _ in range(times)))
    assert (feed.closed, closed.calls) == (1, 1)


async def test_taking_the_answer_closes_the_reply() -> None:
    reply, feed, closed = relayed(b"a.")
    assert (await reply.answer()).text == "a"
    assert (reply.closed, feed.closed, closed.calls) == (True, 1, 1)


async def test_a_failed_answer_closes_the_reply_too() -> None:
    reply, feed, closed = relayed(b"a")
    with pytest.raises(BrokenStream):
        await reply.answer()
    assert (reply.closed, feed.closed, closed.calls) == (True, 1, 1)


@pytest.mark.parametrize("of", [Reply.of_batches, Reply.of_events])
@pytest.mark.parametrize("read", [False, True])
async def test_what_feeds_a_reply_is_closed_with_it_read_or_not(of: Any, read: bool) -> None:
    start: Any = Start()
    feed, closed = Feed(*([start] * 3 if of == Reply.of_events else [(start,)] * 3)), Closed()
    reply = of(feed, close=closed)
    async with reply:
        if read:
            assert await anext(reply.events()) == start
    assert (feed.closed, closed.calls) == (1, 1)


async def test_a_generator_that_was_left_in_its_middle_has_run_its_end_when_the_reply_is_closed() -> None:
    steps: list[str] = []

    async def events() -> AsyncIterator[Event]:
        try:
            yield Start()
            yield Finish(stop="end")
        finally:
            await asyncio.sleep(0)
            steps.append("generator")

    async def close() -> None:
        steps.append("connection")

    async with Reply.of_events(events(), close=close) as reply:
        async for _ in reply.events():
            break
        assert steps == []
    assert steps == ["generator", "connection"]


@pytest.mark.parametrize("form", ["batches", "events"])
@pytest.mark.parametrize("make", MAKERS)
async def test_who_still_holds_what_a_closed_reply_gave_gets_no_more(
    make: Callable[[], Reply], form: str
) -> None:
    async with make() as reply:
        taken = getattr(reply, form)()
        assert await anext(taken) is not None
    assert await anext(taken, "no more") == "no more"


async def test_an_iterator_that_cannot_be_closed_is_left_alone() -> None:
    class Plain:
        def __aiter__(self) -> "Plain":
            return self

        async def __anext__(self) -> bytes:
            raise StopAsyncIteration

    closed = Closed()
    await Reply(relay=Plain(), close=closed).aclose()
    assert closed.calls == 1


class Stubborn(Feed):
    """A feed whose closing fails."""

    async def aclose(self) -> None:
        await super().aclose()
        raise OSError("closing failed")


async def test_the_connection_is_let_go_even_if_closing_its_stream_fails() -> None:
    feed, closed = Stubborn(b"a"), Closed()
    reply = Reply.relayed(200, Headers(), feed, protocol="openai-chat", decode=Letters, close=closed)
    with pytest.raises(OSError, match="closing failed"):
        await reply.aclose()
    assert (feed.closed, closed.calls) == (1, 1)
    await reply.aclose()
    assert closed.calls == 1


async def test_the_first_failure_of_closing_is_the_one_that_is_told() -> None:
    async def close() -> None:
        raise ValueError("the second one")

    class Other(Feed):
        async def aclose(self) -> None:
            raise ValueError("another one")

    with pytest.raises(OSError, match="closing failed"):
        await Reply(batches=Stubborn(), relay=Other(), close=close).aclose()


async def test_a_failure_of_the_callback_is_told() -> None:
    async def close() -> None:
        raise ValueError("the callback's")

    with pytest.raises(ValueError, match="callback"):
        await Reply(close=close).aclose()


@pytest.mark.parametrize("take", TAKERS)
async def test_cancelling_who_reads_lets_go_of_everything(take: Any) -> None:
    waiting = asyncio.Event()

    class Silent(Feed):
        async def __anext__(self) -> bytes:
            waiting.set()
            await asyncio.Event().wait()
            raise AssertionError

    feed, closed = Silent(), Closed()

    async def read() -> None:
        async with Reply.relayed(
            200, Headers(), feed, protocol="openai-chat", decode=Letters, close=closed
        ) as reply:
            await take(reply)

    task = asyncio.create_task(read())
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (feed.closed, closed.calls) == (1, 1)


async def test_cancelling_the_closing_still_lets_go_of_the_connection() -> None:
    closing = asyncio.Event()

    class Slow(Feed):
        async def aclose(self) -> None:
            closing.set()
            await asyncio.Event().wait()

    closed = Closed()
    task = asyncio.create_task(Reply(relay=Slow(), close=closed).aclose())
    await closing.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed.calls == 1


@pytest.mark.parametrize(
    ("make", "shown"),
    [
        (of_answer, "Reply(200, answer)"),
        (of_events, "Reply(200, events)"),
        (of_batches, "Reply(200, events)"),
        (of_relay, "Reply(200, relay)"),
    ],
)
async def test_printing_a_reply_shows_no_content(make: Callable[[], Reply], shown: str) -> None:
    async with make() as reply:
        assert repr(reply) == shown
