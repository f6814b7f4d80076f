"""The official client's own retries against a real server, through connections that break: one run."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from openai import AsyncOpenAI

from tests.serve.broken_wire import Till, Wire, listening
from turnout.store import MemoryLedger, SQLiteLedger

PAY: Any = [{"role": "user", "content": "pay 5 to bob"}]
REFUND: Any = [{"role": "user", "content": "refund 5 to bob"}]
PAID = "Paid 5 to bob, number 1."


@contextlib.asynccontextmanager
async def wired(till: Till, *cuts: int | str) -> AsyncGenerator[tuple[AsyncOpenAI, Wire]]:
    async with (
        listening(till, *cuts) as (wire, address),
        AsyncOpenAI(
            base_url=f"{address}/v1", api_key="k", max_retries=2, _strict_response_validation=True
        ) as client,
    ):
        client._calculate_retry_timeout = lambda *_, **__: 0.1  # type: ignore[method-assign]
        yield client, wire


async def asked(client: AsyncOpenAI, messages: Any = PAY, stream: bool = False, **options: Any) -> str:
    if not stream:
        answer = await client.chat.completions.create(model="m", messages=messages, **options)
        return answer.choices[0].message.content or ""
    text = ""
    async with await client.chat.completions.create(
        model="m", messages=messages, stream=True, **options
    ) as chunks:
        async for chunk in chunks:
            text += "".join(choice.delta.content or "" for choice in chunk.choices)
    return text


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
@pytest.mark.parametrize("key", [{}, {"extra_headers": {"Idempotency-Key": "k1"}}], ids=["no key", "key"])
@pytest.mark.parametrize("cut", [10, 250, 400])
async def test_a_reset_inside_a_whole_answer_runs_the_action_once(till: Till, cut: int, key: Any) -> None:
    async with wired(till, cut) as (client, wire):
        assert await asked(client, **key) == PAID
        assert wire.connections == 2
        assert till.runs == ["pay 5 bob"]


@pytest.mark.states("K46")
async def test_a_reset_inside_a_stream_is_not_retried_by_the_client_and_a_keyed_repeat_gets_the_result(
    till: Till,
) -> None:
    key: Any = {"extra_headers": {"Idempotency-Key": "k1"}}
    async with wired(till, 700) as (client, wire):
        with pytest.raises((openai.APIConnectionError, httpx2.TransportError)):
            await asked(client, stream=True, **key)
        assert wire.connections == 1
        assert await asked(client, stream=True, **key) == PAID
        assert till.runs == ["pay 5 bob"]


@pytest.mark.states("K46")
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
async def test_a_reset_after_the_answer_changes_nothing_and_a_second_question_is_meant(
    till: Till, stream: bool
) -> None:
    # Not kept alive: else the second question might meet the broken connection, and its retry would count as one.
    alone: Any = {"extra_headers": {"Connection": "close"}}
    async with wired(till, "end") as (client, _):
        assert await asked(client, stream=stream, **alone) == PAID
        assert till.runs == ["pay 5 bob"]
        assert await asked(client, stream=stream, **alone) == "Paid 5 to bob, number 2."


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
        with pytest.raises(openai.ConflictError, match="may have been carried out") as caught:
            await ask
        assert caught.value.response.headers["x-should-retry"] == "false"
        assert wire.connections == 2
        assert till.runs == ["pay 5 bob"]


@pytest.mark.states("K46")
@pytest.mark.parametrize("cut", [0, 300])
async def test_a_reset_over_responses_runs_the_action_once(till: Till, cut: int) -> None:
    async with wired(till, cut) as (client, wire):
        answer = await client.responses.create(model="m", input="pay 5 to bob")
        assert answer.output_text == PAID
        assert wire.connections == 2
        assert till.runs == ["pay 5 bob"]


async def test_a_confirmation_may_begin_in_one_protocol_and_end_in_another(till: Till) -> None:
    async with wired(till) as (client, _):
        asked_first = await client.responses.create(model="m", input="refund 5 to bob")
        yes = {"role": "user", "content": "yes"}
        history = [*REFUND, {"role": "assistant", "content": asked_first.output_text}, yes]
        assert await asked(client, history) == "Refunded."
        items: Any = [*REFUND, *asked_first.output, yes]
        again = await client.responses.create(model="m", input=[*items])
        assert again.output_text == "Refunded."
        assert till.runs == ["refund 5 bob"]


async def test_the_client_waits_for_a_run_that_goes_on(till: Till) -> None:
    till.hold = asyncio.Event()
    key: Any = {"extra_headers": {"Idempotency-Key": "k1"}}
    async with wired(till) as (client, _):
        first = asyncio.create_task(asked(client, **key))
        await till.started.wait()
        with pytest.raises(openai.ConflictError) as caught:
            await asked(client.with_options(max_retries=0), **key)
        assert "x-should-retry" not in caught.value.response.headers
        assert caught.value.response.headers["retry-after"] == "1"
        till.hold.set()
        assert await first == await asked(client, **key) == PAID
        assert till.runs == ["pay 5 bob"]


async def test_a_changed_request_under_one_key_is_refused_for_good(till: Till) -> None:
    key: Any = {"extra_headers": {"Idempotency-Key": "k1"}}
    async with wired(till) as (client, wire):
        await asked(client, **key)
        with pytest.raises(openai.ConflictError) as caught:
            await asked(client, [{"role": "user", "content": "pay 6 to bob"}], **key)
        assert caught.value.code == "idempotency_conflict"
        assert caught.value.response.headers["x-should-retry"] == "false"
        assert len(till.runs) == 1
        assert wire.connections <= 2


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
async def test_a_confirmation_through_the_client_with_its_yes_cut_off(till: Till, stream: bool) -> None:
    async with wired(till, "end", 0) as (client, _):
        question = await asked(client.with_options(max_retries=0), REFUND, stream)
        history = [
            *REFUND,
            {"role": "assistant", "content": question},
            {"role": "user", "content": "Yes please"},
        ]
        assert question.startswith("Refund 5 to bob?")
        assert till.runs == []
        assert await asked(client, history, stream) == "Refunded."
        assert till.runs == ["refund 5 bob"]


async def test_a_client_that_reads_the_lane_finds_it(till: Till) -> None:
    async with wired(till) as (client, _):
        raw = await client.chat.completions.with_raw_response.create(model="m", messages=PAY)
        assert raw.headers["x-turnout-lane"] == "action"
        assert raw.headers["x-turnout-actions"] == "pay"
        raw = await client.chat.completions.with_raw_response.create(
            model="m", messages=[{"role": "user", "content": "hello"}]
        )
        assert raw.headers["x-turnout-lane"] == "model"
