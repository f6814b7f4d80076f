"""Anthropic's client and its own retries, through connections that break: one run, as over Chat Completions."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic

from tests.serve.broken_wire import Till, Wire, listening
from turnout.errors import BrokenStream
from turnout.model import Answer, Delta, Event, Failed, PartStart, Reply, Start, Synthesis, Text
from turnout.store import MemoryLedger, SQLiteLedger

PAY: Any = [{"role": "user", "content": "pay 5 to bob"}]
REFUND: Any = [{"role": "user", "content": "refund 5 to bob"}]
PAID = "Paid 5 to bob, number 1."


@contextlib.asynccontextmanager
async def wired(till: Till, *cuts: int | str) -> AsyncGenerator[tuple[AsyncAnthropic, Wire]]:
    async with (
        listening(till, *cuts) as (wire, address),
        AsyncAnthropic(
            base_url=address, api_key="k", max_retries=2, _strict_response_validation=True
        ) as client,
    ):
        client._calculate_retry_timeout = lambda *_, **__: 0.1  # type: ignore[method-assign]
        yield client, wire


async def asked(client: AsyncAnthropic, messages: Any = PAY, stream: bool = False, **options: Any) -> str:
    if stream:
        async with client.messages.stream(model="m", max_tokens=99, messages=messages, **options) as events:
            return await events.get_final_text()
    answer = await client.messages.create(model="m", max_tokens=99, messages=messages, **options)
    return "".join(block.text for block in answer.content if block.type == "text")


@pytest.fixture(params=["memory", "sqlite"])
def till(request: pytest.FixtureRequest, tmp_path: Path) -> Till:
    return Till(MemoryLedger() if request.param == "memory" else SQLiteLedger(tmp_path / "turnout.db"))


@pytest.mark.states("K46")
@pytest.mark.parametrize("key", [{}, {"extra_headers": {"Idempotency-Key": "k1"}}], ids=["no key", "key"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("cuts", [(0,), (0, 0)], ids=["once", "twice"])
async def test_a_reset_before_the_answer_runs_the_action_once(
    till: Till, cuts: tuple[int, ...], stream: bool, key: Any
) -> None:
    async with wired(till, *cuts) as (client, wire):
        assert await asked(client, stream=stream, **key) == PAID
        assert wire.connections == len(cuts) + 1
        assert till.runs == ["pay 5 bob"]


@pytest.mark.states("K46")
@pytest.mark.parametrize("cut", [10, 250, 400])
async def test_a_reset_inside_a_whole_answer_runs_the_action_once(till: Till, cut: int) -> None:
    async with wired(till, cut) as (client, wire):
        assert await asked(client) == PAID
        assert wire.connections == 2
        assert till.runs == ["pay 5 bob"]


@pytest.mark.states("K46")
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
async def test_a_reset_while_the_action_runs_is_not_run_again_and_the_client_is_told(
    till: Till, stream: bool
) -> None:
    till.hold = asyncio.Event()
    async with wired(till, "early") as (client, wire):
        ask = asyncio.create_task(asked(client, stream=stream))
        await till.started.wait()
        wire.early.set()
        with pytest.raises(anthropic.ConflictError, match="may have been carried out") as caught:
            await ask
        assert caught.value.response.headers["x-should-retry"] == "false"
        assert wire.connections == 2
        assert till.runs == ["pay 5 bob"]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
async def test_a_confirmation_through_the_client_with_its_yes_cut_off(till: Till, stream: bool) -> None:
    async with wired(till, "end", 0) as (client, _):
        question = await asked(client.with_options(max_retries=0), REFUND, stream)
        assert till.runs == []
        said = {"role": "assistant", "content": [{"type": "text", "text": question.strip()}]}
        reminder = {"type": "text", "text": "<system-reminder>be brief</system-reminder>"}
        yes = {"role": "user", "content": [reminder, {"type": "text", "text": "Yes please"}]}
        assert await asked(client, [*REFUND, said, yes], stream) == "Refunded."
        assert till.runs == ["refund 5 bob"]


@pytest.mark.states("K46")
async def test_a_stream_that_breaks_and_is_asked_again_without_streaming_runs_the_action_once() -> None:
    """As claude-code does it: other bytes, and no count of retries."""
    broken = [True, True]

    async def wording(synthesis: Synthesis) -> Reply:
        if broken and broken.pop():
            return Reply.of_events(_cut())
        return Reply.of(Answer(parts=(Text(text=str(synthesis.results[0].data)),), stop="end"))

    async def _cut() -> AsyncIterator[Event]:
        yield Start()
        yield PartStart(index=0, part=Text(text=""))
        yield Delta(index=0, text="Paid")
        yield Failed(error=BrokenStream("the model is away"))

    till = Till(synthesizer=wording)
    async with wired(till) as (client, _):
        alone = client.with_options(max_retries=0)
        for _ in range(2):
            with pytest.raises(anthropic.APIError):
                await asked(alone, stream=True, extra_body={"thinking": {"type": "disabled"}})
        assert await asked(alone) == "{'number': 1}"
        assert till.runs == ["pay 5 bob"]
        assert await asked(alone) == "{'number': 2}"
