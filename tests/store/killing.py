"""Kills a process that stores responses, at random instants, and looks at what is left.

Run: `python -m tests.store.killing [RUNS]` from the root of the repository; on SQLite and on Postgres. A process keeps
responses, eight at once, half of them under keys and each continuing from the last, and announces each one when the
store has said that it is kept. It is killed. Then every announced response must be there and equal, with its history;
what was not announced must be there whole or not at all; and every key must be free or stand for a whole response.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from tests.store import postgres
from tests.store.turns import ANN, answered, turn
from turnout.model import StoredResponse, Turn
from turnout.model.errors import NotFound, RunInProgress
from turnout.store import PostgresStore, SQLiteStore

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 8
LEASE_S = 1.0
LATEST_S = 0.15
"""The latest instant of a kill, in seconds after the first announcement."""


class Announced(msgspec.Struct, frozen=True):
    """What the child says of a response that is kept: which of the `at`th task, and its ids."""

    task: int
    at: int
    id: str
    previous: str | None


class Tally(msgspec.Struct):
    """What was seen in all runs together; `wrong` must be empty."""

    runs: int = 0
    announced: int = 0
    unannounced: int = 0
    keys_free: int = 0
    keys_replayed: int = 0
    wrong: list[str] = []


def key(run: str, task: int, at: int) -> str | None:
    return f"{run}/{task}/{at}" if at % 2 else None


def asked(run: str, task: int, at: int, previous: str | None) -> Turn:
    return turn(f"question {at} of {task} " * 20, key=key(run, task, at), previous=previous)


def ended(response_id: str, task: int, at: int, previous: str | None) -> StoredResponse:
    return answered(response_id, f"answer {at} of {task} " * 50, previous=previous)


# ---- the one that is killed -------------------------------------------------------------------------------------


def opened(url: str, lease_s: float = LEASE_S) -> Any:
    if url.startswith("postgres"):
        return PostgresStore(url, lease_s=lease_s)
    return SQLiteStore(url)


async def work(store: Any, run: str, task: int) -> None:
    previous = None
    for at in range(100_000):
        acceptance = await store.accept(asked(run, task, at, previous))
        await acceptance.finish(ended(acceptance.response.id, task, at, previous), None)
        said = Announced(task=task, at=at, id=acceptance.response.id, previous=previous)
        os.write(1, msgspec.json.encode(said) + b"\n")
        previous = acceptance.response.id


async def child(url: str, run: str) -> None:
    store = opened(url)
    await asyncio.gather(*(work(store, run, task) for task in range(AT_ONCE)))


# ---- the one that kills and looks -------------------------------------------------------------------------------


def killed(url: str, run: str, after_s: float) -> list[Announced]:
    """What a process announced before it was killed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.store.killing", "child", url, run], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(after_s)
    os.kill(process.pid, signal.SIGKILL)
    rest, _ = process.communicate()
    whole = (first + rest).split(b"\n")[:-1]  # the last line may have been cut
    return [msgspec.json.decode(line, type=Announced) for line in whole]


async def look(store: Any, run: str, announced: list[Announced], tally: Tally) -> None:
    tally.runs += 1
    tally.announced += len(announced)
    last: dict[int, Announced] = {}
    for said in announced:
        last[said.task] = said
        try:
            found = await store.get(said.id, ANN)
        except NotFound:
            tally.wrong.append(f"{run}: an announced response is missing")
            continue
        if found != ended(said.id, said.task, said.at, said.previous):
            tally.wrong.append(f"{run}: an announced response differs")
    for task, said in last.items():
        expected = [
            message
            for at in range(said.at + 1)
            for message in (asked(run, task, at, None).items[0].text, f"answer {at} of {task} " * 50)
        ]
        if [message.text for message in await store.load(said.id, ANN)] != expected:
            tally.wrong.append(f"{run}: a history differs")
        await look_at_next(store, run, said, tally)


async def look_at_next(store: Any, run: str, said: Announced, tally: Tally) -> None:
    """The response that may have been under way when the process was killed."""
    at = said.at + 1
    if key(run, said.task, at) is None:
        return
    ends = time.monotonic() + 10 * LEASE_S
    while True:
        try:
            acceptance = await store.accept(asked(run, said.task, at, said.id))
            break
        except RunInProgress:
            if isinstance(store, SQLiteStore) or time.monotonic() > ends:
                tally.wrong.append(f"{run}: a key is stuck")
                return
            await asyncio.sleep(0.05)
    if acceptance.replay is None:
        tally.keys_free += 1
        return
    tally.keys_replayed += 1
    if acceptance.replay != ended(acceptance.replay.answer.id, said.task, at, said.id):
        tally.wrong.append(f"{run}: a replayed response differs")


HALVES = {
    "a response without its history": "SELECT count(*) FROM turnout_responses r WHERE r.last IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM turnout_history h WHERE h.id = r.last)",
    "a link without its message": "SELECT count(*) FROM turnout_history h"
    " LEFT JOIN turnout_messages m ON m.{message} = h.message WHERE m.body IS NULL",
    "a link without the one before": "SELECT count(*) FROM turnout_history h WHERE {has_parent}"
    " AND NOT EXISTS (SELECT 1 FROM turnout_history p WHERE p.id = h.parent)",
    "a retained response without a history": "SELECT count(*) FROM turnout_responses r"
    " WHERE r.body IS NOT NULL AND r.last IS NULL",
    "a message that nothing needs": "SELECT count(*) FROM turnout_messages m"
    " WHERE NOT EXISTS (SELECT 1 FROM turnout_history h WHERE h.message = m.{message})",
}


async def halves(store: Any, run: str, tally: Tally) -> None:
    """Nothing in the tables is half there."""
    in_file = isinstance(store, SQLiteStore)
    names = {
        "message": "id" if in_file else "address",
        "has_parent": "h.parent <> 0" if in_file else "h.parent IS NOT NULL",
    }
    for what, statement in HALVES.items():
        if await counted(store, statement.format(**names)):
            tally.wrong.append(f"{run}: {what}")
    if in_file and await counted(store, "PRAGMA integrity_check") != "ok":
        tally.wrong.append(f"{run}: the file is damaged")
    whole = await counted(store, "SELECT count(*) FROM turnout_responses WHERE body IS NOT NULL")
    tally.unannounced = whole - tally.announced


async def counted(store: Any, statement: str) -> Any:
    if isinstance(store, SQLiteStore):
        return await store._file.run(lambda connection: connection.execute(statement).fetchone()[0])
    return await store._database.run(lambda connection: connection.fetchval(statement))


async def tallied(url: str, runs: int, seed: int = 0) -> Tally:
    """Kill `runs` processes, one after the other, on the same store; look after each."""
    chance = random.Random(seed)
    tally = Tally()
    for at in range(runs):
        run = f"{seed}.{at}"
        announced = await asyncio.to_thread(killed, url, run, chance.uniform(0, LATEST_S))
        store = opened(url)
        try:
            await look(store, run, announced, tally)
            await halves(store, run, tally)
        finally:
            await store.aclose()
    return tally


def main(runs: int) -> int:
    with tempfile.TemporaryDirectory() as folder, postgres.running() as url:
        for name, address in (
            ("sqlite", f"{folder}/turnout.db"),
            ("postgres", postgres.emptied(url, "killed")),
        ):
            tally = asyncio.run(tallied(address, runs))
            print(f"{name}: {tally}")
            if tally.wrong:
                return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        asyncio.run(child(*sys.argv[2:]))
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 200))
