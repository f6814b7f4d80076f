"""Keeps a gateway busy with everything at once, and looks whether it holds on to anything.

Run: `python -m tests.e2e.soaking [SECONDS]` from the root of the repository, on Linux. `turnout serve` runs in a
process of its own, in front of a model that this one plays. Clients ask over all protocols, whole and streamed, for
the model and for an action, keep responses and delete them, send what is malformed, and leave in the middle of
streams. Every answer must be the right one. After a third of the time, memory and open files may not grow any more.
"""

import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

import turnout
from turnout.cli.listen import listening

CLIENTS = 24
GROWTH_MB = 6
"""What the last third may need more than the middle one: the spread of an allocator that is at its ease."""

DESK = '''
import turnout

@turnout.action(patterns=[r"which invoices of (?P<customer>\\w+) are open"], template="{customer}: {numbers}")
def open_invoices(customer: str) -> dict[str, str]:
    """List the unpaid invoices of a customer."""
    return {"customer": customer, "numbers": "INV-1001"}
'''
CONFIG = """
[providers.up]
protocol = "openai-chat"
base_url = "http://127.0.0.1:{port}/v1"

[models."*"]
provider = "up"

[app]
load = ["desk"]

[store]
url = "sqlite:///kept.db"
"""
Ask = Callable[[aiohttp.ClientSession, random.Random], Awaitable[None]]


class Wrong(Exception):
    """An answer that is not the right one."""


def model() -> turnout.App:
    """The model behind the gateway: it streams words, fails when asked to, and goes on for long when asked to."""
    app = turnout.App(on_error=lambda error, about: None)

    @app.agent("model")
    async def talks(request: turnout.Request) -> AsyncGenerator[str]:  # pyright: ignore[reportUnusedFunction]
        said = request.last_user_text
        if said.startswith("fail"):
            raise ValueError("asked to fail")
        for _ in range(5_000 if said.startswith("long") else 12):
            yield "word "
            await asyncio.sleep(0.001)

    return app


def expect(held: bool, what: str) -> None:
    if not held:
        raise Wrong(what)


async def whole(
    session: aiohttp.ClientSession, path: str, body: Any, status: int = 200, method: str = "POST"
) -> bytes:
    """The body of one answer that has `status`."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    async with session.request(method, path, data=data, headers=headers) as response:
        found = await response.read()
    expect(response.status == status, f"{method} {path}: {response.status} {found[:200]!r}")
    return found


def chat(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "model", "messages": [{"role": "user", "content": text}], **more}


async def asks_chat(session: aiohttp.ClientSession, chance: random.Random) -> None:
    found = await whole(session, "/v1/chat/completions", chat("hello " * chance.choice([1, 100, 10_000])))
    expect(found.count(b"word ") == 12, "a chat was cut")


async def asks_stream(session: aiohttp.ClientSession, _: random.Random) -> None:
    found = await whole(session, "/v1/chat/completions", chat("hello", stream=True))
    expect(found.endswith(b"data: [DONE]\n\n"), "a stream was cut")


async def asks_messages(session: aiohttp.ClientSession, _: random.Random) -> None:
    found = await whole(session, "/v1/messages", chat("hello", stream=True, max_tokens=99))
    expect(b"event: message_stop" in found and found.count(b"word ") == 12, "a stream of messages was cut")


async def asks_gemini(session: aiohttp.ClientSession, _: random.Random) -> None:
    body = {"contents": [{"role": "user", "parts": [{"text": "hello"}]}]}
    found = await whole(session, "/v1beta/models/model:generateContent", body)
    expect(b'"STOP"' in found, "no Gemini answer")


async def asks_action(session: aiohttp.ClientSession, chance: random.Random) -> None:
    # each asks about its own customer: the same words twice at once are one request, which runs once
    words = f"which invoices of C{chance.getrandbits(60)} are open"
    found = await whole(session, "/v1/chat/completions", chat(words, stream=chance.random() < 0.5))
    expect(b"INV-1001" in found, "an action did not answer")


async def keeps(session: aiohttp.ClientSession, _: random.Random) -> None:
    made = json.loads(await whole(session, "/v1/responses", {"model": "model", "input": "hi", "store": True}))
    path = f"/v1/responses/{made['id']}"
    expect(json.loads(await whole(session, path, b"", method="GET")) == made, "kept otherwise than made")
    more = {"model": "model", "input": "and?", "store": False, "previous_response_id": made["id"]}
    await whole(session, "/v1/responses", more)
    await whole(session, path, b"", method="DELETE")
    await whole(session, path, b"", 404, "GET")


async def leaves(session: aiohttp.ClientSession, chance: random.Random) -> None:
    body = chat("long", stream=True, max_tokens=99)
    path = chance.choice(["/v1/chat/completions", "/v1/messages"])
    async with session.post(path, json=body) as response:
        expect(response.status == 200, f"a long stream: {response.status}")
        for _ in range(chance.randrange(4)):
            await response.content.readany()
        response.close()


async def errs(session: aiohttp.ClientSession, chance: random.Random) -> None:
    path, body, status = chance.choice(
        [
            ("/v1/chat/completions", b'{"model": "model", "mess', 400),
            ("/v1/messages", b"[]", 400),
            ("/v1/nothing", b"{}", 404),
            ("/v1/chat/completions", chat("fail"), 500),
            ("/v1/messages", chat("fail", max_tokens=9), 500),
            ("/v1/responses", {"model": "model", "input": "x", "previous_response_id": "resp_none"}, 404),
        ]
    )
    await whole(session, path, body, status)


KINDS: tuple[Ask, ...] = (
    *(asks_chat, asks_chat, asks_stream, asks_stream, asks_messages, asks_messages),
    *(asks_gemini, asks_action, asks_action, keeps, leaves, errs),
)


async def client(url: str, seed: int, until: float, done: Counter[str], wrong: list[str]) -> None:
    """One client that asks in turn until the time is over, on a few connections that it keeps."""
    chance = random.Random(seed)
    async with aiohttp.ClientSession(url, timeout=aiohttp.ClientTimeout(total=30)) as session:
        while time.monotonic() < until and len(wrong) < 5:
            ask = chance.choice(KINDS)
            try:
                await ask(session, chance)
            except (Wrong, aiohttp.ClientError, TimeoutError, ValueError) as error:
                wrong.append(f"{ask.__name__}: {error!r}")
            done[ask.__name__] += 1


def memory_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


async def watched(pid: int, until: float) -> list[float]:
    """The memory in megabytes, twice a second."""
    seen: list[float] = []
    while time.monotonic() < until:
        await asyncio.sleep(0.5)
        seen.append(memory_mb(pid))
    return seen


async def settled(pid: int, at_most: int) -> int:
    """How many files are open once nobody asks any more, waited for a while."""
    for _ in range(100):
        if files(pid) <= at_most:
            break
        await asyncio.sleep(0.1)
    return files(pid)


class Seen(NamedTuple):
    """What was seen of the gateway's process: its memory in megabytes, and its open files when nobody asked."""

    memory: list[float]
    files_before: int
    files_after: int


async def pressed(folder: str, seconds: float, done: Counter[str], wrong: list[str]) -> Seen:
    """Run the gateway in `folder`, and let the clients at it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "turnout", "serve", "turnout.toml", "--port", "0"),
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,  # it tells of each failure that is asked for
    )
    assert process.stdout is not None
    try:
        url = (await process.stdout.readline()).decode().split()[-1]
        await client(url, -1, time.monotonic() + 0.5, Counter(), wrong)
        quiet = files(process.pid)
        until = time.monotonic() + seconds
        async with asyncio.TaskGroup() as tasks:
            memory = tasks.create_task(watched(process.pid, until))
            for seed in range(CLIENTS):
                tasks.create_task(client(url, seed, until, done, wrong))
        return Seen(memory.result(), quiet, await settled(process.pid, quiet + 2))
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def soak(folder: str, seconds: float) -> int:
    """Run all of it; the exit status."""
    done: Counter[str] = Counter()
    wrong: list[str] = []
    async with listening(model(), "127.0.0.1", 0) as port:
        write(folder, port)
        seen = await pressed(folder, seconds, done, wrong)
    third = len(seen.memory) // 3
    middle, last = max(seen.memory[third : 2 * third]), max(seen.memory[2 * third :])
    print(f"{sum(done.values())} requests in {seconds:g} s: {dict(sorted(done.items()))}")
    print(
        f"memory: {seen.memory[0]:.1f} MB at first, {middle:.1f} in the middle third, {last:.1f} in the last one"
    )
    print(f"open files: {seen.files_before} before, {seen.files_after} after")
    if last > middle + GROWTH_MB:
        wrong.append("memory grows")
    if seen.files_after > seen.files_before + 2:
        wrong.append("files stay open")
    print("\n".join(wrong) or "all answers were right")
    return 1 if wrong else 0


def write(folder: str, port: int) -> None:
    """The files that the gateway is started with."""
    Path(folder, "desk.py").write_text(DESK)
    Path(folder, "turnout.toml").write_text(CONFIG.format(port=port))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        sys.exit(asyncio.run(soak(place, float(sys.argv[1]) if len(sys.argv) > 1 else 300.0)))
