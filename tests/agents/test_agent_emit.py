"""What an agent says, and what becomes of it."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agents.agent_fakes import answer, events, request
from turnout.agents import Emit, Run, adapt, checked
from turnout.errors import (
    AgentFailed,
    BadOutput,
    BrokenStream,
    ConcurrentEmit,
    DeliveryError,
    EmitClosed,
    OutputTooLarge,
    RunTimedOut,
    is_delivery,
)
from turnout.model import (
    Answer,
    Citation,
    Delta,
    Extension,
    Failed,
    Finish,
    Info,
    Inline,
    Limits,
    Media,
    Message,
    Outcome,
    PartEnd,
    PartStart,
    Reasoning,
    Reducer,
    Refusal,
    Reply,
    Request,
    Signal,
    Start,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolChoice,
    Usage,
    UsageSeen,
    fold,
)

LOOK = Tool(name="look", parameters="{}")
PIXEL = Media(kind="image", source=Inline(media_type="image/png", data="iVBORw0KGgo="))
SOUND = Media(kind="audio", source=Inline(media_type="audio/wav", data="UklGRg=="))


def info(**fields: Any) -> Run:
    return Run(info=Info(**fields))


# ---- shapes of agents ------------------------------------------------------------------------------------------------


class Polite:
    async def run(self, request: Request, emit: Emit) -> Outcome:
        await emit.text(f"you said: {request.last_user_text}")
        return Outcome(usage=Usage(input=1, output=2))


async def polite(request: Request, emit: Emit) -> None:
    await emit.text(f"you said: {request.last_user_text}")


async def yielding(request: Request) -> AsyncIterator[str]:
    yield "you said: "
    yield request.last_user_text


class Yielding:
    async def run(self, request: Request) -> AsyncIterator[Any]:
        yield Text(text="you said: ")
        yield Message(role="assistant", parts=(Text(text=request.last_user_text),))


async def eventful(request: Request) -> AsyncIterator[Any]:
    yield Start(id="elsewhere")
    yield PartStart(index=7, part=Text(text=""))
    yield Delta(index=7, text=f"you said: {request.last_user_text}")
    yield PartEnd(index=7)
    yield Finish(stop="end")


async def whole(request: Request) -> AsyncIterator[Answer]:
    yield Answer(parts=(Text(text=f"you said: {request.last_user_text}"),), stop="end")


class Called:
    async def __call__(self, request: Request, emit: Emit) -> None:
        await emit.delta("you said: ")
        await emit.delta(request.last_user_text)


async def step(request: Request) -> Reply:
    return Reply.of(Answer(parts=(Text(text=f"you said: {request.last_user_text}"),), stop="end"))


@pytest.mark.states("L-011", "L-064")
@pytest.mark.parametrize(
    "agent",
    [Polite(), polite, Polite().run, yielding, Yielding(), eventful, whole, Called(), step],
    ids=["object", "function", "method", "generator", "generating", "events", "answer", "callable", "step"],
)
async def test_every_shape_of_an_agent_answers_alike(agent: Any) -> None:
    given = await answer(agent)
    assert given.text == "you said: hello"
    assert given.stop == "end"


@pytest.mark.states("L-012")
@pytest.mark.parametrize("thing", [None, 3, "text", Polite], ids=["none", "number", "text", "class"])
def test_what_is_no_agent_is_refused_when_it_is_given(thing: Any) -> None:
    with pytest.raises(TypeError):
        adapt(thing)


def test_what_is_adapted_stays_as_it_is() -> None:
    once = adapt(polite)
    assert adapt(once) is once
    assert adapt(step) is step


@pytest.mark.states("L-063")
async def test_an_agent_runs_once_and_not_before_its_answer_is_asked_for() -> None:
    ran: list[str] = []

    async def counted(request: Request, emit: Emit) -> None:
        ran.append(request.last_user_text)
        await emit.text("once")

    reply = await adapt(counted)(request())
    await asyncio.sleep(0)
    assert ran == []
    assert (await reply.answer()).text == "once"
    assert ran == ["hello"]


# ---- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.states("L-068", "L-069")
async def test_pieces_are_one_message_and_a_text_is_another() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.delta("a")
        await emit.delta("b")
        await emit.text("c", citations=[Citation(kind="url", url="http://x.test")])
        await emit.delta("d")

    given = await answer(agent)
    assert [part.text for part in given.parts if isinstance(part, Text)] == ["ab", "c", "d"]
    second = given.parts[1]
    assert isinstance(second, Text)
    assert second.citations[0].url == "http://x.test"


@pytest.mark.states("L-072", "L-073")
async def test_the_events_of_a_run_begin_and_end_each_part_in_order() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.delta("a")
        await emit.tool("look", {"at": 1}, call_id="c1")

    run = info(tools=True, client_tools=True)
    assert await events(agent, request(run=run, tools=(LOOK,))) == [
        Start(),
        PartStart(index=0, part=Text(text="")),
        Delta(index=0, text="a"),
        PartEnd(index=0),
        PartStart(index=1, part=ToolCall(call_id="c1", name="look", arguments="")),
        Delta(index=1, text='{"at": 1}', to="arguments"),
        PartEnd(index=1),
        Finish(stop="tool_calls"),
    ]


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("delta"), st.text(max_size=5)),
            st.tuples(st.just("text"), st.text(max_size=5)),
            st.tuples(st.just("thinking"), st.text(max_size=5)),
            st.tuples(st.just("refusal"), st.text(min_size=1, max_size=5)),
        ),
        max_size=12,
    )
)
async def test_whatever_is_emitted_keeps_the_grammar_and_its_order(said: list[tuple[str, str]]) -> None:
    async def agent(request: Request, emit: Emit) -> None:
        for kind, text in said:
            match kind:
                case "delta":
                    await emit.delta(text)
                case "text":
                    await emit.text(text)
                case "thinking":
                    await emit.thinking(text)
                case _:
                    await emit.item(Refusal(text=text))

    given = await events(agent)
    reducer = Reducer(Limits())
    assert [again for event in given for again in reducer.apply(event)] == given
    assert reducer.ended
    told = "".join(getattr(part, "text", "") for part in fold(given).parts)
    assert told == "".join(text for _, text in said)


async def test_a_call_gets_an_id_that_a_repeated_run_gives_again() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        ids.append(await emit.tool("look"))
        ids.append(await emit.tool("look"))

    ids: list[str] = []
    run = info(tools=True, client_tools=True)
    for _ in range(2):
        given = await answer(agent, request(run=run, tools=(LOOK,)))
        assert [part.arguments for part in given.parts if isinstance(part, ToolCall)] == ["{}", "{}"]
    assert ids[:2] == ids[2:]
    assert len(set(ids)) == 2


@pytest.mark.parametrize(
    ("reasoning", "shown"),
    [
        (None, False),
        (Reasoning(effort="high"), False),
        (Reasoning(show="summary"), True),
        (Reasoning(mode="on"), True),
        (Reasoning(mode="on", show="omitted"), False),
    ],
)
@pytest.mark.states("L-102")
async def test_thoughts_are_shown_to_who_asked_for_them(reasoning: Reasoning | None, shown: bool) -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.thinking("hm")
        await emit.item(Thinking(text="hm"))
        await emit.event(PartStart(index=0, part=Thinking(text="hm")))
        await emit.event(Delta(index=0, text="!"))
        await emit.event(PartEnd(index=0))
        await emit.text("done")

    given = await answer(agent, request(run=info(), reasoning=reasoning))
    assert [type(part) for part in given.parts] == [Thinking] * 3 * shown + [Text]


async def test_an_agent_that_shows_thoughts_in_a_member_is_heard() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.thinking("hm")

    given = await answer(agent, request(run=info(reasoning="reasoning_content")))
    assert given.parts == (Thinking(text="hm"),)


# ---- how a run ends --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "stop"),
    [
        (None, "end"),
        (Outcome(), "end"),
        (Outcome(stop="length"), "length"),
        (Outcome(status="incomplete"), "length"),
        (Outcome(status="incomplete", stop="pause"), "pause"),
        (Outcome(stop="stop_sequence"), "stop_sequence"),
    ],
)
@pytest.mark.states("L-013", "L-080")
async def test_an_outcome_says_how_the_answer_stopped(outcome: Outcome | None, stop: str) -> None:
    async def agent(request: Request, emit: Emit) -> Outcome | None:
        await emit.text("a")
        return outcome

    assert (await answer(agent)).stop == stop


@pytest.mark.deviates(
    "L-081", "The counts of a usage are disjoint; a protocol that shows a total shows their sum."
)
async def test_usage_is_told_as_the_agent_counts_it() -> None:
    used = Usage(input=10, cache_read=5, output=7, reasoning=3)

    async def agent(request: Request, emit: Emit) -> Outcome:
        await emit.usage(Usage(input=1, output=1))
        await emit.text("a")
        return Outcome(usage=used, metadata={"trace": "t1"})

    given = await answer(agent)
    assert given.usage == used
    assert given.metadata == {"trace": "t1"}


async def test_a_finish_that_is_passed_on_says_how_the_run_ended() -> None:
    async def agent(request: Request) -> AsyncIterator[Any]:
        yield UsageSeen(usage=Usage(output=3))
        yield Finish(stop="stop_sequence", stop_sequence="END")

    given = await answer(agent)
    assert (given.stop, given.stop_sequence, given.usage.output) == ("stop_sequence", "END", 3)


@pytest.mark.states("L-080")
@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(status="in_progress"),  # pyright: ignore[reportArgumentType]
        Outcome(stop="whenever"),  # pyright: ignore[reportArgumentType]
        Outcome(usage=Usage(output=-1)),
        "done",
    ],
    ids=["in_progress", "stop", "negative", "text"],
)
async def test_an_outcome_that_cannot_be_is_a_failure(outcome: Any) -> None:
    async def agent(request: Request, emit: Emit) -> Any:
        await emit.text("a")
        return outcome

    with pytest.raises(BadOutput):
        await answer(agent)


@pytest.mark.states("L-080")
@pytest.mark.parametrize(("status", "code"), [("failed", "agent_failed"), ("cancelled", "cancelled")])
async def test_an_unsuccessful_outcome_never_looks_finished(status: Any, code: str) -> None:
    async def agent(request: Request, emit: Emit) -> Outcome:
        await emit.text("a")
        return Outcome(status=status)

    given = await events(agent)
    assert isinstance(given[-1], Failed)
    assert isinstance(given[-1].error, AgentFailed)
    assert given[-1].error.code == code


@pytest.mark.states("L-143", "L-150")
async def test_what_an_agent_raises_is_a_failure_without_its_words() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.delta("a")
        raise ValueError("password=hunter2")

    last = (await events(agent))[-1]
    assert isinstance(last, Failed)
    assert isinstance(last.error, AgentFailed)
    assert "hunter2" not in repr(last.error.public())
    assert isinstance(last.error.__cause__, ValueError)


@pytest.mark.states("L-149")
async def test_an_error_of_the_tree_is_shown_as_it_is() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        raise RunTimedOut("too slow today")

    with pytest.raises(RunTimedOut, match="too slow today"):
        await answer(agent)


async def test_an_agent_that_cancels_itself_has_failed() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        raise asyncio.CancelledError

    with pytest.raises(AgentFailed):
        await answer(agent)


async def test_a_failure_that_is_passed_on_is_the_runs_own() -> None:
    async def agent(request: Request) -> AsyncIterator[Any]:
        yield Failed(error=RunTimedOut("upstream"))

    with pytest.raises(RunTimedOut):
        await answer(agent)


# ---- one after another -----------------------------------------------------------------------------------------------


@pytest.mark.states("L-065")
async def test_a_second_emission_beside_another_is_refused_and_the_first_goes_on() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        results = await asyncio.gather(emit.text("a"), emit.text("b"), return_exceptions=True)
        assert results[0] is None
        assert isinstance(results[1], ConcurrentEmit)
        await emit.text("c")

    assert (await answer(agent)).text == "ac"


@pytest.mark.states("L-067")
async def test_nothing_is_emitted_after_the_end() -> None:
    kept: list[Emit] = []

    async def agent(request: Request, emit: Emit) -> None:
        kept.append(emit)

    async with await adapt(agent)(request()) as reply:
        batches = reply.batches()
        async for batch in batches:
            if isinstance(batch[-1], Finish):
                with pytest.raises(EmitClosed):
                    await kept[0].text("late")
    with pytest.raises(EmitClosed):
        await kept[0].text("later")


@pytest.mark.parametrize(
    "said", [None, b"x", 5, "half \ud800"], ids=["nothing", "bytes", "number", "surrogate"]
)
@pytest.mark.parametrize("verb", ["text", "delta", "thinking"])
async def test_what_is_no_text_is_refused_where_it_is_said(verb: str, said: Any) -> None:
    async def agent(request: Request, emit: Emit) -> None:
        with pytest.raises(BadOutput):
            await getattr(emit, verb)(said)

    with pytest.raises(BadOutput):
        await answer(agent, request(run=info(), reasoning=Reasoning(show="full")))


async def test_a_call_whose_arguments_no_client_can_be_sent_is_refused() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.tool("look", {"at": "\ud800"})

    with pytest.raises(BadOutput):
        await answer(agent, request(run=info(tools=True, client_tools=True), tools=(LOOK,)))


class Abort(BaseException):
    """An application's own way out, past every `except Exception`."""


@pytest.mark.parametrize("cause", [SystemExit(3), Abort("enough"), asyncio.CancelledError()], ids=repr)
@pytest.mark.parametrize("begun", [False, True])
async def test_whatever_an_agent_raises_only_fails_its_own_run(cause: BaseException, begun: bool) -> None:
    async def agent(request: Request, emit: Emit) -> None:
        if begun:
            await emit.delta("a")
        raise cause

    with pytest.raises(AgentFailed) as caught:
        await answer(agent)
    assert caught.value.__cause__ is cause


@pytest.mark.states("L-083")
async def test_who_emits_to_nobody_is_told_of_the_delivery() -> None:
    kept: list[Emit] = []

    async def agent(request: Request, emit: Emit) -> None:
        kept.append(emit)
        try:
            await emit.text("a")
            await emit.text("b")
        finally:
            with pytest.raises(DeliveryError):
                await emit.text("c")

    async with await adapt(agent)(request()) as reply:
        await anext(reply.batches())
    with pytest.raises(DeliveryError):
        await kept[0].text("d")


@pytest.mark.states("L-083")
def test_an_error_about_the_delivery_is_known_by_what_it_came_from() -> None:
    wrapped, other = RuntimeError("could not write"), RuntimeError("other")
    wrapped.__cause__ = DeliveryError()
    other.__cause__ = OSError()
    assert is_delivery(DeliveryError())
    assert is_delivery(wrapped)
    assert not is_delivery(other)
    assert not is_delivery(None)


@pytest.mark.states("L-066")
async def test_after_a_failed_emission_nothing_later_is_delivered() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.text("a")
        with pytest.raises(BadOutput):
            await emit.media(b"x", "image/png")
        with pytest.raises(BadOutput):
            await emit.text("b")

    given = await events(agent, request(run=info()))
    assert isinstance(given[-1], Failed)
    assert isinstance(given[-1].error, BadOutput)
    assert [event.text for event in given if isinstance(event, Delta)] == ["a"]


async def test_an_agent_is_at_most_one_batch_ahead_of_its_client() -> None:
    said: list[int] = []

    async def agent(request: Request, emit: Emit) -> None:
        for number in range(100):
            said.append(number)
            await emit.delta(str(number))

    async with await adapt(agent)(request()) as reply:
        batches = reply.batches()
        for taken in range(5):
            await anext(batches)
            for _ in range(20):
                await asyncio.sleep(0)
            assert len(said) <= taken + 2


@pytest.mark.states("L-082")
async def test_closing_the_reply_cancels_the_run_and_waits_for_it() -> None:
    ended: list[str] = []

    async def agent(request: Request, emit: Emit) -> None:
        try:
            await emit.delta("a")
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("cleaned up")

    async with await adapt(agent)(request()) as reply:
        await anext(reply.batches())
        await asyncio.sleep(0)
    assert ended == ["cleaned up"]


class Stubborn:
    """An agent that says a word, does not let itself be cancelled, and ends when it is let go."""

    def __init__(self) -> None:
        self.running, self.go, self.over = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.said: BaseException | None = None

    async def run(self, request: Request, emit: Emit) -> None:
        await emit.delta("a")
        self.running.set()
        while not self.go.is_set():
            try:
                await self.go.wait()
            except asyncio.CancelledError:
                continue
        try:
            await emit.delta("b")
        except Exception as error:
            self.said = error
        self.over.set()


@pytest.mark.states("L-082", "L-066")
async def test_an_agent_that_does_not_let_itself_be_cancelled_is_left_to_itself_and_told_of() -> None:
    told: list[tuple[AgentFailed, Request]] = []

    async def left(error: AgentFailed, about: Request) -> None:
        told.append((error, about))

    agent = Stubborn()
    asked = request(run=Run(stop_s=0.001, left=left))
    async with asyncio.timeout(5), await adapt(agent)(asked) as reply:
        await anext(reply.batches())
        await agent.running.wait()
    [(error, about)] = told
    assert "left to itself" in error.message
    assert about is asked
    agent.go.set()
    await agent.over.wait()
    assert isinstance(agent.said, DeliveryError)


@pytest.mark.parametrize("at_once", [False, True], ids=["left before", "at the end"])
def test_the_end_of_an_event_loop_does_not_wait_for_such_an_agent(at_once: bool) -> None:
    """As when a server is told to stop: every task of the loop is cancelled and waited for."""
    agent = Stubborn()

    async def serve() -> None:
        consumer = asyncio.create_task(answer(agent, request(run=Run(stop_s=0.01))))
        await agent.running.wait()
        if not at_once:
            consumer.cancel()
            await asyncio.wait([consumer])

    served = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    served.start()
    served.join(10)
    assert not served.is_alive()


def test_the_end_of_an_event_loop_waits_for_an_agent_that_takes_its_time() -> None:
    said: list[str] = []
    running = asyncio.Event()

    async def agent(request: Request, emit: Emit) -> None:
        try:
            running.set()
            await asyncio.Event().wait()
        finally:
            for _ in range(5):
                await asyncio.sleep(0)
            said.append("tidied up")

    async def serve() -> None:
        consumer = asyncio.create_task(answer(agent, request(run=Run(stop_s=10))))
        await running.wait()
        assert not consumer.done()

    served = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    served.start()
    served.join(10)
    assert said == ["tidied up"]


async def test_an_agent_that_takes_its_time_to_end_is_waited_for() -> None:
    async def left(error: AgentFailed, about: Request) -> None:
        raise AssertionError("it ended in time")

    agent = Stubborn()
    async with await adapt(agent)(request(run=Run(stop_s=5, left=left))) as reply:
        await anext(reply.batches())
        await agent.running.wait()
        asyncio.get_running_loop().call_soon(agent.go.set)
    assert agent.over.is_set()


async def test_a_cancelled_consumer_cancels_the_run() -> None:
    running, ended = asyncio.Event(), asyncio.Event()

    async def agent(request: Request, emit: Emit) -> None:
        try:
            running.set()
            await asyncio.Event().wait()
        finally:
            ended.set()

    task = asyncio.create_task(answer(agent))
    await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_a_generator_is_closed_with_its_run() -> None:
    closed: list[bool] = []

    async def agent(request: Request) -> AsyncIterator[str]:
        try:
            yield "a"
            yield "b"
        finally:
            closed.append(True)

    async with await adapt(agent)(request()) as reply:
        await anext(reply.batches())
    assert closed == [True]


async def test_a_cancelled_emission_does_not_lose_what_was_said() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        first = asyncio.create_task(emit.text("a"))
        first_ran = asyncio.create_task(asyncio.sleep(0))
        await first_ran
        first.cancel()
        await asyncio.wait([first])
        await emit.text("b")

    assert (await answer(agent)).text == "ab"


async def test_a_run_that_is_never_consumed_leaves_nothing() -> None:
    reply = await adapt(polite)(request())
    await reply.aclose()
    del reply
    gc.collect()
    assert len(asyncio.all_tasks()) == 1


# ---- what may be said ------------------------------------------------------------------------------------------------

Say = Callable[[Emit], Any]

REFUSED: list[tuple[str, Say, Run, dict[str, Any]]] = [
    ("tool undeclared", lambda e: e.tool("look"), info(), {"tools": (LOOK,)}),
    ("tools of its own", lambda e: e.tool("look"), info(tools=True), {"tools": (LOOK,)}),
    ("tool not offered", lambda e: e.tool("other"), info(tools=True, client_tools=True), {"tools": (LOOK,)}),
    (
        "no tool wanted",
        lambda e: e.tool("look"),
        info(tools=True, client_tools=True),
        {"tools": (LOOK,), "tool_choice": ToolChoice(mode="none")},
    ),
    ("image undeclared", lambda e: e.item(PIXEL), info(), {"output": frozenset({"text", "image"})}),
    ("image not asked for", lambda e: e.item(PIXEL), info(output=frozenset({"text", "image"})), {}),
    ("image without its tool", lambda e: e.item(PIXEL), info(image_generation=True), {}),
    ("audio undeclared", lambda e: e.item(SOUND), info(), {"output": frozenset({"text", "audio"})}),
    ("audio not asked for", lambda e: e.item(SOUND), info(output=frozenset({"text", "audio"})), {}),
    ("text undeclared", lambda e: e.text("a"), info(output=frozenset({"audio"})), {}),
    ("piece undeclared", lambda e: e.delta("a"), info(output=frozenset({"audio"})), {}),
    ("document", lambda e: e.media(b"x", "application/pdf"), Run(), {}),
    ("no media type", lambda e: e.media(b"x"), Run(), {}),
    ("activity", lambda e: e.activity("step", {}), info(), {}),
    ("user's message", lambda e: e.item(Message(role="user", parts=(Text(text="a"),))), Run(), {}),
    (
        "no part",
        lambda e: e.item(Usage()),  # pyright: ignore[reportArgumentType]
        Run(),
        {},
    ),
    ("broken arguments", lambda e: e.tool("look", "{"), Run(), {}),
    ("arguments no object", lambda e: e.tool("look", "[1]"), Run(), {}),
    ("nameless call", lambda e: e.item(ToolCall(call_id="c", name="")), Run(), {}),
    ("broken extension", lambda e: e.item(Extension(name="ui", data="{")), Run(), {}),
]


@pytest.mark.states("L-046", "L-048", "L-049", "L-051", "L-074", "L-075", "L-076", "L-077", "L-196")
@pytest.mark.parametrize(
    ("say", "run", "body"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
async def test_what_was_not_declared_or_asked_for_is_refused_and_not_dropped(
    say: Say, run: Run, body: dict[str, Any]
) -> None:
    async def agent(request: Request, emit: Emit) -> None:
        with pytest.raises(BadOutput):
            await say(emit)

    with pytest.raises(BadOutput):
        await answer(agent, request(run=run, **body))


async def test_a_call_id_is_used_once() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.tool("look", call_id="c")
        await emit.tool("look", call_id="c")

    with pytest.raises(BadOutput, match="twice"):
        await answer(agent)


ALLOWED: list[tuple[str, Any, Run, dict[str, Any]]] = [
    (
        "image by its tool",
        PIXEL,
        info(image_generation=True),
        {"tools": (Tool(name="image_generation", kind="hosted"),)},
    ),
    ("image", PIXEL, info(output=frozenset({"text", "image"})), {"output": frozenset({"image"})}),
    ("audio", SOUND, info(output=frozenset({"text", "audio"})), {"output": frozenset({"audio", "text"})}),
]


@pytest.mark.states("L-050")
@pytest.mark.parametrize(
    ("part", "run", "body"), [row[1:] for row in ALLOWED], ids=[row[0] for row in ALLOWED]
)
async def test_what_was_declared_and_asked_for_is_given(part: Any, run: Run, body: dict[str, Any]) -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.media(part)

    assert (await answer(agent, request(run=run, **body))).parts == (part,)


async def test_bytes_and_addresses_become_media() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.media(b"\x89PNG", "image/png", name="dot.png")
        await emit.media("https://x.test/a.wav", "audio/wav", transcript="hi")

    first, second = (await answer(agent)).parts
    assert isinstance(first, Media)
    assert isinstance(second, Media)
    assert first.source == Inline(media_type="image/png", data="iVBORw==")
    assert (first.kind, second.kind, second.transcript) == ("image", "audio", "hi")


@pytest.mark.states("L-071")
async def test_activity_is_told_where_the_run_may() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.activity("search", {"query": "x"})
        await emit.text("a")

    given = await events(agent, request(run=Run(info=Info(), activity=True)))
    assert Signal(kind="activity", name="search", data='{"query": "x"}') in given


@pytest.mark.states("L-135")
async def test_too_much_output_stops_the_run() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        for _ in range(100):
            await emit.delta("x" * 100)
        pytest.fail("the run went on")

    with pytest.raises(OutputTooLarge):
        await answer(agent, request(run=Run(limits=Limits(output_bytes=1_000))))


@pytest.mark.states("L-136")
async def test_one_event_too_large_stops_the_run() -> None:
    async def agent(request: Request, emit: Emit) -> None:
        await emit.delta("x" * 101)

    with pytest.raises(OutputTooLarge):
        await answer(agent, request(run=Run(limits=Limits(event_bytes=100))))


# ---- steps as agents -------------------------------------------------------------------------------------------------


def stepping(*parts: Any) -> Any:
    async def step(request: Request) -> Reply:
        return Reply.of(Answer(parts=parts, stop="end"))

    return step


async def held(step: Any, asked: Request) -> Answer:
    async with checked(await step(asked), asked) as reply:
        return await reply.answer()


@pytest.mark.states("L-046")
async def test_a_step_is_held_to_what_was_declared_too() -> None:
    asked = request(run=info())
    assert (await held(stepping(Text(text="a")), asked)).text == "a"
    with pytest.raises(BadOutput):
        await held(stepping(Text(text="a"), PIXEL), asked)


@pytest.mark.states("L-135")
async def test_a_step_is_held_to_the_limits_too() -> None:
    asked = request(run=Run(limits=Limits(output_bytes=10)))
    with pytest.raises(OutputTooLarge):
        await held(stepping(Text(text="a" * 11)), asked)


async def test_a_step_whose_events_end_too_early_never_looks_finished() -> None:
    async def cut() -> AsyncIterator[Any]:
        yield Start()
        yield PartStart(index=0, part=Text(text="a"))

    async def step(asked: Request) -> Reply:
        return Reply.of_events(cut())

    with pytest.raises(BrokenStream):
        await held(step, request(run=info()))


async def test_the_delivery_of_a_checked_reply_is_that_of_what_it_was() -> None:
    told: list[str] = []

    async def note() -> None:
        told.append("delivered")

    inner = await stepping(Text(text="a"))(request())
    inner.on_delivery(note)
    async with checked(inner, request(run=info())) as reply:
        await reply.answer()
        await reply.delivered()
    assert told == ["delivered"]
    assert inner.closed


async def test_what_nobody_declared_anything_for_is_left_alone() -> None:
    reply = await stepping(PIXEL)(request())
    assert checked(reply, request()) is reply
    await reply.aclose()
