"""What every ledger does, whatever it keeps its rows in."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from turnout.model import Claim, Ledger
from turnout.model.errors import StoreFailed
from turnout.store import MemoryLedger, MemoryStore, PostgresStore, SQLiteLedger, SQLiteStore


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


Make = Callable[[Clock], Ledger]


@pytest.fixture(params=["memory", "memory store", "sqlite", "sqlite store", "postgres store"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    path = tmp_path / "turnout.db"
    match request.param:
        case "memory":
            return lambda clock: MemoryLedger(now=clock)
        case "memory store":
            return lambda clock: MemoryStore(now=clock)
        case "sqlite":
            return lambda clock: SQLiteLedger(path, now=clock)
        case "sqlite store":
            return lambda clock: SQLiteStore(path, now=clock)
        case _:
            url = request.getfixturevalue("postgres_url")
            return lambda clock: PostgresStore(url, now=clock)


@contextlib.asynccontextmanager
async def opened(make: Make, clock: Clock | None = None) -> AsyncGenerator[Ledger]:
    ledger = make(clock or Clock())
    try:
        yield ledger
    finally:
        await ledger.aclose()


async def claimed(ledger: Ledger, key: str = "k", fingerprint: str = "f", **options: Any) -> str:
    return (await ledger.claim(key, fingerprint, keep_s=100, **options)).state


async def test_a_new_key_is_fresh_once(make: Make) -> None:
    async with opened(make) as ledger:
        assert await claimed(ledger) == "fresh"
        assert await claimed(ledger) == "running"
        assert await claimed(ledger, "other") == "fresh"


async def test_settled_work_gives_its_record(make: Make) -> None:
    async with opened(make) as ledger:
        await claimed(ledger)
        await ledger.settle("k", '{"π": 1}', keep_s=100)
        claim = await ledger.claim("k", "f", keep_s=100)
        assert claim == Claim(state="done", record='{"π": 1}')


@pytest.mark.states("K46")
@pytest.mark.parametrize("settle", [False, True])
async def test_another_fingerprint_is_a_conflict_in_any_state(make: Make, settle: bool) -> None:
    async with opened(make) as ledger:
        await claimed(ledger)
        if settle:
            await ledger.settle("k", "1", keep_s=100)
            await ledger.deliver("k")
        assert await claimed(ledger, fingerprint="g") == "conflict"
        assert await claimed(ledger, fingerprint="g", again=True) == "conflict"


@pytest.mark.parametrize(
    ("settle", "deliver", "again", "state"),
    [
        (False, False, False, "running"),
        (False, False, True, "running"),
        (False, True, True, "running"),
        (True, False, False, "done"),
        (True, False, True, "done"),
        (True, True, False, "done"),
        (True, True, True, "fresh"),
    ],
)
async def test_only_what_was_delivered_may_be_asked_for_again(
    make: Make, settle: bool, deliver: bool, again: bool, state: str
) -> None:
    async with opened(make) as ledger:
        await claimed(ledger)
        if settle:
            await ledger.settle("k", "1", keep_s=100)
        if deliver:
            await ledger.deliver("k")
        assert await claimed(ledger, again=again) == state


async def test_a_row_replaced_is_a_row_anew(make: Make) -> None:
    async with opened(make) as ledger:
        await claimed(ledger)
        await ledger.settle("k", "1", keep_s=100)
        await ledger.deliver("k")
        await claimed(ledger, again=True)
        assert await ledger.look("k") == Claim(state="running")
        await ledger.settle("k", "2", keep_s=100)
        assert await ledger.look("k") == Claim(state="done", record="2")


async def test_looking_takes_nothing(make: Make) -> None:
    async with opened(make) as ledger:
        assert await ledger.look("k") is None
        await claimed(ledger)
        assert await ledger.look("k") == Claim(state="running")
        await ledger.settle("k", "1", keep_s=100)
        await ledger.deliver("k")
        assert await ledger.look("k") == Claim(state="done", record="1", delivered=True)
        assert await ledger.look("k", "f") == Claim(state="done", record="1", delivered=True)
        assert await ledger.look("k", "g") == Claim(state="conflict")


async def test_a_row_is_kept_for_its_time_and_tells_its_age(make: Make) -> None:
    clock = Clock()
    async with opened(make, clock) as ledger:
        await claimed(ledger)
        clock.now += 99
        await ledger.settle("k", "1", keep_s=100)
        clock.now += 99
        found = await ledger.look("k")
        assert found is not None
        assert found.age_s == 99
        clock.now += 1
        assert await ledger.look("k") is None
        assert await claimed(ledger, fingerprint="g") == "fresh"


async def test_work_under_way_is_running_however_long_it_takes(make: Make) -> None:
    clock = Clock()
    async with opened(make, clock) as ledger:
        await claimed(ledger)
        clock.now += 10_000
        assert await claimed(ledger) == "running"
        await ledger.settle("k", "1", keep_s=100)
        assert (await ledger.claim("k", "f", keep_s=1)).state == "done"


@pytest.mark.parametrize("before", ["nothing", "settled", "expired"])
async def test_only_a_claim_can_be_settled(make: Make, before: str) -> None:
    clock = Clock()
    async with opened(make, clock) as ledger:
        if before != "nothing":
            await claimed(ledger)
            await ledger.settle("k", "1", keep_s=100)
        if before == "expired":
            clock.now += 1_000
        with pytest.raises(StoreFailed):
            await ledger.settle("k", "2", keep_s=100)


async def test_delivering_what_is_not_there_does_nothing(make: Make) -> None:
    async with opened(make) as ledger:
        await ledger.deliver("k")
        assert await ledger.look("k") is None


async def test_of_many_that_claim_at_once_one_gets_it(make: Make) -> None:
    async with opened(make) as ledger:
        states = await asyncio.gather(*(claimed(ledger, f"k{at % 50}") for at in range(500)))
        assert states.count("fresh") == 50
        assert states.count("running") == 450


async def test_rows_past_their_time_are_cleared_away(make: Make) -> None:
    clock = Clock()
    async with opened(make, clock) as ledger:
        for at in range(1_100):
            await claimed(ledger, f"old{at}")
            await ledger.settle(f"old{at}", "1", keep_s=1)
            if at == 1_000:
                clock.now += 1_000
        rows = getattr(ledger, "_rows", None)
        if rows is not None:
            assert len(rows) < 200
        assert await ledger.look("old0") is None


async def test_closing_twice_is_harmless(make: Make) -> None:
    async with opened(make) as ledger:
        await claimed(ledger)
        await ledger.aclose()


# ---- any history ------------------------------------------------------------------------------------------------

KEYS = st.sampled_from(["a", "b"])
PRINTS = st.sampled_from(["f", "g"])


class Histories(RuleBasedStateMachine):
    """Any history of calls, against a model of what a ledger says."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.rows: dict[str, dict[str, Any]] = {}
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()

    @initialize()
    def start(self) -> None:
        self.ledger = self.make()

    def make(self) -> Ledger:
        return MemoryLedger(now=self.clock)

    def expected(self, key: str) -> dict[str, Any] | None:
        row = self.rows.get(key)
        if row is None or (row["state"] != "running" and self.clock.now >= row["expires"]):
            return None
        return row

    @rule(key=KEYS, fingerprint=PRINTS, again=st.booleans(), keep=st.sampled_from([5, 50]))
    def claim(self, key: str, fingerprint: str, again: bool, keep: int) -> None:
        got = self.runner.run(self.ledger.claim(key, fingerprint, keep_s=keep, again=again))
        row = self.expected(key)
        if row is not None and row["fingerprint"] != fingerprint:
            assert got == Claim(state="conflict")
        elif row is not None and not (again and row["delivered"]):
            age_s = self.clock.now - row["since"]
            assert got == Claim(
                state=row["state"], record=row["record"], delivered=row["delivered"], age_s=age_s
            )
        else:
            assert got == Claim(state="fresh")
            self.rows[key] = {
                "state": "running",
                "fingerprint": fingerprint,
                "record": "",
                "delivered": False,
                "since": self.clock.now,
                "expires": self.clock.now + keep,
            }

    @rule(key=KEYS, record=st.text(max_size=3), keep=st.sampled_from([5, 50]))
    def settle(self, key: str, record: str, keep: int) -> None:
        row = self.expected(key)
        work = self.ledger.settle(key, record, keep_s=keep)
        if row is None or row["state"] != "running":
            with pytest.raises(StoreFailed):
                self.runner.run(work)
            return
        self.runner.run(work)
        row.update(state="done", record=record, since=self.clock.now, expires=self.clock.now + keep)

    @rule(key=KEYS)
    def deliver(self, key: str) -> None:
        self.runner.run(self.ledger.deliver(key))
        row = self.expected(key)
        if row is not None and row["state"] == "done":
            row["delivered"] = True

    @rule(key=KEYS)
    def look(self, key: str) -> None:
        got = self.runner.run(self.ledger.look(key))
        row = self.expected(key)
        assert (got is None) == (row is None)
        if got is not None and row is not None:
            assert (got.state, got.record, got.delivered) == (row["state"], row["record"], row["delivered"])

    @rule(seconds=st.sampled_from([1, 10, 100]))
    def wait(self, seconds: int) -> None:
        self.clock.now += seconds

    def teardown(self) -> None:
        if hasattr(self, "ledger"):
            self.runner.run(self.ledger.aclose())
        self.runner.close()
        self.folder.cleanup()


class DurableHistories(Histories):
    """The same, with restarts."""

    def make(self) -> Ledger:
        return SQLiteLedger(Path(self.folder.name) / "turnout.db", now=self.clock)

    @rule()
    def restart(self) -> None:
        self.runner.run(self.ledger.aclose())
        self.ledger = self.make()
        for row in self.rows.values():
            if row["state"] == "running":
                row["state"] = "lost"


TestHistoriesInMemory = Histories.TestCase
TestHistoriesInMemory.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestHistoriesInSQLite = DurableHistories.TestCase
TestHistoriesInSQLite.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
