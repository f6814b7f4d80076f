"""A till whose payments are counted, and a wire to it that breaks."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncGenerator
from typing import Any

from tests.serve.serve_call import serving
from turnout import App
from turnout.model import Ledger


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
        self._tasks: set[asyncio.Task[Any]] = set()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
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

    async def aclose(self) -> None:
        """End the connections that are still open."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

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

    def __init__(self, ledger: Ledger | None = None, **options: Any) -> None:
        self.app = App(ledger=ledger, **options)
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
async def listening(till: Till, *cuts: int | str) -> AsyncGenerator[tuple[Wire, str]]:
    """The wire and the address of the till behind it."""
    async with till.app, serving(till.app) as port:
        wire = Wire(port, list(cuts))
        proxy = await asyncio.start_server(wire, "127.0.0.1", 0)
        async with proxy:
            try:
                yield wire, f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"
            finally:
                await wire.aclose()
