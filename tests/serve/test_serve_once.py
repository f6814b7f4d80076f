"""The official client's own retries against a real server, through connections that break: one run."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from openai import AsyncOpenAI

from tests.serve.serve_call import serving
from turnout import App
from turnout.model import Ledger
from turnout.store import MemoryLedger, SQLiteLedger

PAY: Any = [{"role": "user", "content": "pay 5 to bob"}]
REFUND: Any = [{"role": "user", "content": "refund 5 to bob"}]
PAID = "Paid 5 to bob, number 1."


class Wire:
    """A TCP proxy that breaks the first connections: `cut(sent)` says after how many bytes of the answer, if at all.

    It is broken by a reset, as a crashed peer does it, towards both sides; `early` breaks it as soon as the whole
    request has been passed on.
    """

    def __init__(self, port: int, cuts: list[int | str]) -> None:
        self._port = port
        self._cuts = list(cuts)
        self.connections = 0
        self.early = asyncio.Event()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        cut = self._cuts.pop(0) if self._cuts else None
        server, back = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            async with asyncio.TaskGroup() as group:
                up = group.create_task(_pass(reader, back))
                try:
                    if cut == "early":
                        await self.early.wait()
                        self.early.clear()
                    elif cut == "end":
                        await self._answer(server, writer, None, whole=True)
                    else:
                        await self._answer(server, writer, cut)
                finally:
                    up.cancel()
        except OSError:
            pass
        finally:
            for each in (writer, back):
                _reset(each) if cut is not None else each.close()

    async def _answer(
        self, server: asyncio.StreamReader, writer: asyncio.StreamWriter, cut: Any, whole: bool = False
    ) -> None:
        """Pass the answer on, up to `cut` bytes of it; the server is let to write all of it first."""
        sent = 0
        while data := await server.read(65_536):
            part = data if cut is None else data[: max(0, cut - sent)]
            writer.write(part)
            await writer.drain()
            sent += len(part)
            if (cut is not None and sent >= cut) or (whole and _is_end(data)):
                return


def _is_end(data: bytes) -> bool:
    return data.endswith((b"0\r\n\r\n", b"}"))


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()


def _reset(writer: asyncio.StreamWriter) -> None:
    plug = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


class Till:
    """An app whose payments are counted."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self.app = App(ledger=ledger)
        self.runs: list[str] = []
        self.started = asyncio.Event()
        self.hold: asyncio.Event | None = None
        self.app.reason_with(lambda _request: "from the model")

        @self.app.action(
            patterns=[r"pay (?P<amount>\d+) to (?P<to>\w+)"],
            template="Paid {amount} to {to}, number {number}.",
        )
        async def pay(amount: int, to: str) -> dict[str, Any]:
            """Pay."""
            self.runs.append(f"pay {amount} {to}")
            self.started.set()
            if self.hold is not None:
                await self.hold.wait()
            return {"number": len(self.runs)}

        @self.app.action(
            patterns=[r"refund (?P<amount>\d+) to (?P<to>\w+)"], confirm=True, ask="Refund {amount} to {to}?"
        )
        async def refund(amount: int, to: str) -> str:
            """Refund."""
            self.runs.append(f"refund {amount} {to}")
            return "Refunded."


@contextlib.asynccontextmanager
async def wired(till: Till, *cuts: int | str) -> AsyncGenerator[tuple[AsyncOpenAI, Wire]]:
    async with till.app, serving(till.app) as port:
        wire = Wire(port, list(cuts))
        proxy = await asyncio.start_server(wire, "127.0.0.1", 0)
        address = proxy.sockets[0].getsockname()[1]
        async with (
            proxy,
            AsyncOpenAI(
                base_url=f"http://127.0.0.1:{address}/v1",
                api_key="k",
                max_retries=2,
                _strict_response_validation=True,
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
