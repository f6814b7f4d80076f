"""What only a store that outlives its process can show: kills, several processes, cancellation, broken places."""

import asyncio
import collections
import contextlib
import sqlite3
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.store.killing import ROOT, counted, tallied
from tests.store.turns import ANN, answered, ran, turn
from turnout.model.errors import Misconfigured, NotFound, RunInProgress, StoreFailed
from turnout.store import PostgresStore, SQLiteStore

Again = Callable[..., Any]
"""Opens the store of a test once more, as another process would."""


@contextlib.asynccontextmanager
async def both(again: Again) -> AsyncGenerator[tuple[Any, Any]]:
    """Two stores on the same records."""
    first, second = again(), again()
    try:
        yield first, second
    finally:
        await first.aclose()
        await second.aclose()


# ---- kills ------------------------------------------------------------------------------------------------------


@pytest.mark.states("L-178", "K45")
def test_what_a_killed_process_announced_is_there_and_nothing_is_half_there_in_sqlite(
    tmp_path: Path,
) -> None:
    tally = asyncio.run(tallied(str(tmp_path / "turnout.db"), 3, seed=1))
    assert tally.wrong == []
    assert tally.announced > 3


@pytest.mark.states("L-178", "K45")
def test_what_a_killed_process_announced_is_there_and_nothing_is_half_there_in_postgres(
    postgres_url: str,
) -> None:
    tally = asyncio.run(tallied(postgres_url, 2, seed=1))
    assert tally.wrong == []
    assert tally.announced > 2


# ---- several processes ------------------------------------------------------------------------------------------

RACER = """
import asyncio, sys
from tests.store.killing import opened
from tests.store.turns import answered, turn
from turnout.model.errors import RunInProgress

async def accept(store, key, done):
    try:
        acceptance = await store.accept(turn(key, key=key))
    except RunInProgress:
        return done["running"].append(key)
    if acceptance.replay is not None:
        return done["replayed"].append(key)
    done["ran"].append(key)
    await asyncio.sleep(0.01)
    await acceptance.finish(answered(acceptance.response.id, key), None)

async def main():
    store = opened(sys.argv[1], 30)
    await store.look("ready")
    print("ready", flush=True)
    sys.stdin.readline()
    done = {"ran": [], "running": [], "replayed": []}
    await asyncio.gather(*(accept(store, f"k{at * 7 % 100}", done) for at in range(500)))
    await store.aclose()
    for what, keys in done.items():
        print(what, *keys, flush=True)

asyncio.run(main())
"""


def raced(url: str) -> dict[str, list[str]]:
    """What two processes said of a thousand acceptances under a hundred keys, all at once."""
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for _ in range(2)
    ]
    said: dict[str, list[str]] = collections.defaultdict(list)
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    for racer in racers:
        for line in racer.communicate()[0].splitlines():
            what, *keys = line.split()
            said[what] += keys
    return said


@pytest.mark.states("L-166", "L-193", "L-194")
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_of_a_thousand_acceptances_in_two_processes_each_key_runs_once(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = str(tmp_path / "turnout.db") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    said = raced(url)
    assert sorted(said["ran"]) == sorted({f"k{at}" for at in range(100)})
    assert len(said["running"]) + len(said["replayed"]) == 900


async def test_a_response_that_one_process_keeps_another_one_finds(again: Again) -> None:
    async with both(again) as (one, other):
        first = await ran(one, turn("a"), "b")
        second = await ran(other, turn("c", previous=first, key="k"), "d")
        assert [each.text for each in await one.load(second, ANN)] == ["a", "b", "c", "d"]
        assert (await one.accept(turn("c", previous=first, key="k"))).replay is not None
        await one.delete(second, ANN)
        with pytest.raises(NotFound):
            await other.get(second, ANN)


async def test_a_run_of_another_process_goes_on_until_that_is_gone(again: Again) -> None:
    async with both(again) as (one, other):
        acceptance = await one.accept(turn(key="k"))
        with pytest.raises(RunInProgress) as caught:
            await other.accept(turn(key="k"))
        assert caught.value.response_id == acceptance.response.id
        await one.aclose()
        taken = await other.accept(turn("changed", key="k"))
        assert taken.replay is None
        with pytest.raises(StoreFailed, match="given up for lost"):
            await acceptance.finish(answered(acceptance.response.id), None)
        await taken.finish(answered(taken.response.id), None)
        assert await one.get(taken.response.id, ANN) == answered(taken.response.id)
        with pytest.raises(NotFound):
            await one.get(acceptance.response.id, ANN)


async def test_a_process_that_does_not_renew_its_lease_is_gone(postgres_url: str) -> None:
    one, other = (PostgresStore(postgres_url, connections=2, lease_s=3_000) for _ in range(2))
    await one.accept(turn(key="k"))
    await one.claim("k", keep_s=1000)
    late = "UPDATE turnout_processes SET until = clock_timestamp() - interval '1 second' RETURNING 1"
    assert await counted(one, late) == 1
    assert (await other.accept(turn(key="k"))).replay is None
    assert (await other.claim("k", keep_s=1000)).state == "lost"
    await one.aclose()
    await other.aclose()


async def test_a_lease_is_renewed_as_long_as_the_process_lives(postgres_url: str) -> None:
    one = PostgresStore(postgres_url, lease_s=0.03)
    until = "SELECT until FROM turnout_processes"
    first = await counted(one, until)
    while await counted(one, until) == first:  # as long as the test may take
        pass
    await one.aclose()


async def test_what_continues_from_a_response_that_is_deleted_meanwhile_is_whole_or_not_there(
    again: Again,
) -> None:
    async with both(again) as (one, other):
        for _ in range(20):
            first = await ran(one, turn("a"), "b")
            acceptance = await one.accept(turn("c", previous=first))
            second = acceptance.response.id
            ended, _ = await asyncio.gather(
                acceptance.finish(answered(second, "d"), None),
                other.delete(first, ANN),
                return_exceptions=True,
            )
            if ended is None:
                assert [each.text for each in await other.load(second, ANN)] == ["a", "b", "c", "d"]
            else:
                assert isinstance(ended, NotFound)
                with pytest.raises(NotFound):
                    await other.get(second, ANN)


async def test_two_that_keep_the_same_history_at_once_keep_it_once(again: Again, kept: Any) -> None:
    async with both(again) as (one, other):
        texts = [f"message {at}" for at in range(30)]
        done = [ran(store, turn(*texts), "same") for store in (one, other) * 10]
        ids = await asyncio.gather(*done)
        assert await kept(one) == {"messages": 31, "history": 31, "responses": 20}
        for each in ids:
            await one.delete(each, ANN)
        assert await kept(one) == {"messages": 0, "history": 0, "responses": 0}


# ---- cancellation -----------------------------------------------------------------------------------------------


async def test_a_caller_that_is_cancelled_has_reserved_nothing(again: Again) -> None:
    async with both(again) as (one, other):
        await one.look("open it")
        for turns in range(6):
            task = asyncio.create_task(one.accept(turn(key="k")))
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await settled(one)
            acceptance = await other.accept(turn(key="k")) if task.cancelled() else await task
            assert acceptance.finish is not None
            await acceptance.finish(answered(acceptance.response.id, status="cancelled"), None)


async def test_a_caller_that_is_cancelled_while_it_keeps_has_kept(again: Again) -> None:
    async with both(again) as (one, other):
        await one.look("open it")
        for key in ("k", None):
            acceptance = await one.accept(turn(key=key))
            task = asyncio.ensure_future(acceptance.finish(answered(acceptance.response.id), None))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await settled(one)
            assert await other.get(acceptance.response.id, ANN) == answered(acceptance.response.id)


async def settled(store: Any) -> None:
    """Wait for what the store does on its own account."""
    if isinstance(store, PostgresStore):
        use = store._database._use()
        while use.tasks:
            await asyncio.wait(use.tasks)
        return
    for _ in range(2):  # what is taken back is queued after what it takes back
        await store.look("anything")
        await asyncio.sleep(0)


# ---- places that cannot be used ---------------------------------------------------------------------------------


def test_a_store_may_be_used_in_one_event_loop_after_another(again: Again) -> None:
    store = again()

    async def once(key: str) -> str:
        response_id = await ran(store, turn(key=key))
        await store.aclose()
        return response_id

    ids = [asyncio.run(once(key)) for key in "ab"]

    async def found() -> list[Any]:
        stored = [await store.get(each, ANN) for each in ids]
        await store.aclose()
        return stored

    assert asyncio.run(found()) == [answered(each) for each in ids]


async def test_a_store_of_a_later_version_is_not_touched(again: Again) -> None:
    first = again()
    await ran(first, turn())
    later = "UPDATE turnout_schema SET version = 7 RETURNING 1"
    assert await counted(first, later) == 1
    await first.aclose()
    second = again()
    with pytest.raises(StoreFailed, match=r"schema 7, this version knows 1"):
        await second.accept(turn(key="k"))
    await second.aclose()


async def test_a_ledger_of_the_time_before_responses_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "turnout.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TABLE turnout_ledger (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, owner TEXT NOT NULL,"
            " record TEXT, delivered INTEGER NOT NULL DEFAULT 0, since REAL NOT NULL, expires REAL NOT NULL)"
        )
        connection.execute("INSERT INTO turnout_ledger VALUES ('k', '', 'gone', '1', 0, 0, 9e12)")
        connection.commit()
    store = SQLiteStore(path)
    assert (await store.claim("k", keep_s=1)).record == "1"
    await store.get(await ran(store, turn()), ANN)
    await store.aclose()


@pytest.mark.parametrize("fault", ["nobody listens", "no such database"])
async def test_a_database_that_cannot_be_used_is_told_without_its_address(
    postgres_server: str, fault: str
) -> None:
    urls = {
        "nobody listens": "postgres://ann:secret@127.0.0.1:1/x",
        "no such database": postgres_server.replace("/postgres", "/nothing").replace(
            "turnout@", "turnout:secret@"
        ),
    }
    store = PostgresStore(urls[fault])
    with pytest.raises(StoreFailed, match="cannot be read or written") as caught:
        await store.accept(turn(key="k"))
    assert "secret" not in str(caught.value)
    await store.aclose()


@pytest.mark.parametrize("url", ["postgres://ann:secret@[", "postgres://ann:secret@host:port/x"])
async def test_an_address_that_cannot_be_read_is_told_without_it(url: str) -> None:
    store = PostgresStore(url)
    with pytest.raises(Misconfigured) as caught:
        await store.accept(turn(key="k"))
    assert "secret" not in str(caught.value)
    await store.aclose()


async def test_a_connection_that_breaks_is_replaced(postgres_url: str) -> None:
    store = PostgresStore(postgres_url, connections=1)
    response_id = await ran(store, turn())
    with pytest.raises(StoreFailed):
        await counted(store, "SELECT pg_terminate_backend(pg_backend_pid())")
    assert await store.get(response_id, ANN) == answered(response_id)
    await store.aclose()


async def test_what_fails_in_a_transaction_leaves_nothing(postgres_url: str) -> None:
    store = PostgresStore(postgres_url, connections=1)
    acceptance = await store.accept(turn())
    assert acceptance.finish is not None
    await counted(store, "ALTER TABLE turnout_responses RENAME TO turnout_elsewhere")
    with pytest.raises(StoreFailed):
        await acceptance.finish(answered(acceptance.response.id), None)
    assert await counted(store, "SELECT count(*) FROM turnout_messages") == 0
    await store.aclose()


async def test_a_client_cannot_break_a_store_with_an_id(again: Again) -> None:
    store = again()
    for odd in ("", "\0", "\ud800", "ü", "x" * 100_000, "'; --"):
        for read in (store.get, store.load, store.items, store.delete):
            with pytest.raises(NotFound) as caught:
                await read(odd, ANN)
            assert len(str(caught.value)) < 300
        acceptance = await store.accept(turn(previous=odd))
        assert acceptance.finish is not None
        with pytest.raises(NotFound):
            await acceptance.finish(answered(acceptance.response.id), None)
    await store.aclose()
