"""CPU time of passing on one chat of 600 bytes through a provider alone, on loopback.

Run: `python benchmarks/provider.py [--requests 20000] [--at-once 16] [--loop uvloop|asyncio]`. The upstream is a
process of its own; the figures are CPU microseconds a call of this process, for aiohttp used plainly, for the
transport, and for the provider. The rounds take turns, and the
best of eight is shown, since other load only ever adds.
"""

import argparse
import asyncio
import json
import multiprocessing
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import Any

import aiohttp
import uvloop

from turnout.model import Headers, Request, Source
from turnout.providers import HttpTransport, Provider
from turnout.wire.codec import codec

ANSWER = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "quick " * 40}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 40, "total_tokens": 140},
    }
).encode()
BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "word " * 112}]}).encode()
CLIENT = Headers.of(
    {
        "host": "127.0.0.1:8787",
        "accept": "application/json",
        "accept-encoding": "gzip, deflate",
        "connection": "keep-alive",
        "user-agent": "OpenAI/Python 3.57.0",
        "authorization": "Bearer sk-client",
        "content-type": "application/json",
        "content-length": str(len(BODY)),
        "x-stainless-lang": "python",
        "x-stainless-retry-count": "0",
        "x-stainless-runtime": "CPython",
    }
)
REPLY = (
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: req_1\r\nx-ratelimit-remaining: 9\r\n"
    b"date: Mon, 30 Nov 2026 00:00:00 GMT\r\nserver: up\r\ncontent-length: %d\r\n\r\n" % len(ANSWER) + ANSWER
)


class Upstream(asyncio.Protocol):
    """Answers each call as soon as its body is whole."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.data = b""

    def data_received(self, data: bytes) -> None:
        self.data += data
        while (end := self.data.find(b"\r\n\r\n")) >= 0:
            head = self.data[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n")[0]) if at >= 0 else 0
            if len(self.data) < end + 4 + length:
                return
            self.data = self.data[end + 4 + length :]
            self.transport.write(REPLY)


def serve(pipe: Connection) -> None:
    """Run the upstream until the process is ended."""

    async def main() -> None:
        server = await asyncio.get_running_loop().create_server(Upstream, "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    uvloop.run(main())


async def measure(call: Callable[[], Awaitable[None]], requests: int, at_once: int) -> float:
    """CPU microseconds a call."""
    left = requests

    async def worker() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            await call()

    begun = time.process_time()
    await asyncio.gather(*(worker() for _ in range(at_once)))
    return (time.process_time() - begun) / requests * 1e6


async def run(port: int, requests: int, at_once: int) -> None:
    """Measure all three and print a row each."""
    url = f"http://127.0.0.1:{port}/v1"
    transport = HttpTransport()
    main = Provider("up", "openai-chat", url, api_key="sk-up-12345678", transport=transport)
    source = Source(protocol="openai-chat", body=BODY, headers=CLIENT)
    spoken = codec("openai-chat")

    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False) as session:

        async def plain() -> None:
            async with session.post(f"{url}/chat/completions", data=BODY) as response:
                await response.read()

        async def seam() -> None:
            response = await transport.send("POST", f"{url}/chat/completions", [], BODY)
            await response.read()
            response.close()

        async def whole() -> None:
            model, stream = spoken.peek(source)
            request = Request(model=model, stream=stream, source=source)
            async with await main(request) as reply:
                assert reply.relay is not None
                async for _ in reply.relay:
                    pass

        calls = {"aiohttp, plainly": plain, "transport": seam, "provider": whole}
        best = dict.fromkeys(calls, float("inf"))
        for _ in range(8):
            for name, call in calls.items():
                best[name] = min(best[name], await measure(call, requests // 8, at_once))
    for name, cost in best.items():
        print(f"{name:18} {cost:6.1f} us a call")
    await main.aclose()


def cli() -> None:
    """Start the upstream, measure, end it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--loop", choices=["uvloop", "asyncio"], default="uvloop")
    given = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    try:
        work = run(ours.recv(), given.requests, given.at_once)
        (uvloop.run if given.loop == "uvloop" else asyncio.run)(work)
    finally:
        process.terminate()
        process.join()


if __name__ == "__main__":
    cli()
