"""What a store adds to a request: `python benchmarks/store.py [--at-once 16] [--requests 4000] [--folder F]`.

Requests run at once as so many connections would: each is accepted, and its response is kept, 600 B asked and 1 kB
answered. Prints the CPU of this process (user and system, all threads), and the time, per request: the best of several
rounds, since other load only ever adds. `keyed` has an idempotency key, `continued` the last response as its previous.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvloop

from turnout.model import (
    Answer,
    Body,
    Context,
    Message,
    Reply,
    Request,
    StoredResponse,
    Text,
    Turn,
    Usage,
    User,
)
from turnout.store import MemoryStore, SQLiteStore

ROUNDS = 5
CONTEXT = Context(values={User: User(id="ann")})
WORDS = "word " * 200


async def agent(request: Request) -> Reply:
    raise NotImplementedError


def turn(text: str, key: str | None, previous: str | None) -> Turn:
    items = (Message(role="user", parts=(Text(text=text + " " + WORDS[:600]),)),)
    request = Request(model="m", context=CONTEXT, body=Body(messages=items))
    return Turn(
        request=request, items=items, agent=agent, previous=previous, idempotency_key=key, retain=True
    )


def ended(response_id: str, text: str) -> StoredResponse:
    return StoredResponse(
        answer=Answer(
            id=response_id,
            model="m",
            created=1,
            parts=(Text(text=text + " " + WORDS),),
            stop="end",
            usage=Usage(input=150, output=250),
        ),
        echo={"temperature": "1.0", "tool_choice": '"auto"', "tools": "[]", "metadata": "{}"},
    )


async def connection(store: Any, name: str, requests: int, kind: str) -> None:
    previous: str | None = None
    for at in range(requests):
        text = f"{name} {at}"
        acceptance = await store.accept(
            turn(text, text if kind == "keyed" else None, previous if kind == "continued" else None)
        )
        await acceptance.finish(ended(acceptance.response.id, text), None)
        previous = acceptance.response.id


async def measured(make: Callable[[], Any], kind: str, at_once: int, requests: int) -> tuple[float, float]:
    best = (float("inf"), float("inf"))
    store = make()
    for round_ in range(ROUNDS + 1):
        cpu, wall = time.process_time(), time.perf_counter()
        await asyncio.gather(
            *(
                connection(store, f"{kind} {round_} {each}", requests // at_once, kind)
                for each in range(at_once)
            )
        )
        spent = (time.process_time() - cpu, time.perf_counter() - wall)
        if round_:  # the first one opens the file and fills the caches
            best = min(best[0], spent[0]), min(best[1], spent[1])
    await store.aclose()
    return best


async def main(options: argparse.Namespace, folder: Path) -> None:
    stores: dict[str, Callable[[], Any]] = {
        "memory": MemoryStore,
        "sqlite": lambda: SQLiteStore(folder / "turnout.db"),
    }
    for name, make in stores.items():
        for kind in ("plain", "keyed", "continued"):
            cpu, wall = await measured(make, kind, options.at_once, options.requests)
            print(
                f"{name:9} {kind:10} {cpu / options.requests * 1e6:7.1f} µs CPU"
                f" {wall / options.requests * 1e6:8.1f} µs of time, {options.requests / wall:7.0f} a second"
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--requests", type=int, default=4000)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as made:
        uvloop.run(main(arguments, Path(made)))
