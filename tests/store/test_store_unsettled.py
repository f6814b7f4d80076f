"""A run whose end cannot be written: whoever asks again is told that nobody knows what came of it."""

import contextlib
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from tests.store.turns import ANN, BOB, Clock, Make, answered, opened, turn
from turnout.model.errors import (
    AgentFailed,
    Cancelled,
    Conflict,
    NotFound,
    OutcomeUnknown,
    StoreFailed,
    TurnoutError,
)
from turnout.store import MemoryStore, Policy, PostgresStore, SQLiteStore

HALF = "half a pair: \ud800"
"""What no store can write."""

_SQLITE = "CREATE TRIGGER broken BEFORE UPDATE ON turnout_responses BEGIN SELECT RAISE(ABORT, 'disk'); END"
_POSTGRES = """
    CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk'; END $$;
    CREATE TRIGGER broken BEFORE UPDATE ON turnout_responses EXECUTE FUNCTION broken()
"""


async def _no_keeping(ending: Any) -> None:
    raise StoreFailed("turnout: the store cannot be read or written")


async def executed(store: Any, statement: str) -> None:
    if isinstance(store, SQLiteStore):
        await store._file.run(lambda connection: connection.execute(statement))
    else:
        assert isinstance(store, PostgresStore)
        await store._database.run(lambda connection: connection.execute(statement))


@contextlib.asynccontextmanager
async def writing_fails(store: Any) -> AsyncGenerator[None]:
    """Meanwhile no run's end can be written."""
    if isinstance(store, MemoryStore):
        working = store._keep
        store._keep = store._unsettled._keep = _no_keeping
        yield
        store._keep = store._unsettled._keep = working
        return
    await executed(store, _SQLITE if isinstance(store, SQLiteStore) else _POSTGRES)
    yield
    await executed(
        store, "DROP TRIGGER broken" if isinstance(store, SQLiteStore) else "DROP FUNCTION broken CASCADE"
    )


async def lost(store: Any, error: TurnoutError | None = None, text: str = "hi", **asked: Any) -> str:
    """Run a turn under the key `k` whose end is not written: the id of its response."""
    acceptance = await store.accept(turn(key="k", **asked))
    ended = answered(
        acceptance.response.id, text, status="cancelled" if isinstance(error, Cancelled) else "completed"
    )
    with pytest.raises(StoreFailed):
        await acceptance.finish(ended, error)
    return acceptance.response.id


@pytest.mark.states("L-166", "L-178", "L-193")
@pytest.mark.parametrize("retain", [True, False])
async def test_a_response_that_cannot_be_written_has_an_outcome_that_nobody_knows(
    make: Make, retain: bool
) -> None:
    async with opened(make) as store:
        response_id = await lost(store, text=HALF, retain=retain)
        for _ in range(2):
            with pytest.raises(OutcomeUnknown) as caught:
                await store.accept(turn(key="k", retain=retain))
            assert caught.value.response_id == response_id
            assert (caught.value.status, caught.value.code) == (409, "outcome_unknown")
            assert caught.value.may_have_acted
        for read in (store.get, store.items, store.load, store.delete):
            with pytest.raises(NotFound):
                await read(response_id, ANN)


async def test_an_unknown_outcome_is_that_of_its_own_request_and_caller_only(make: Make) -> None:
    async with opened(make) as store:
        await lost(store, text=HALF)
        with pytest.raises(Conflict) as caught:
            await store.accept(turn("something else", key="k"))
        assert caught.value.code == "idempotency_conflict"
        assert (await store.accept(turn(key="k", context=BOB))).replay is None
        assert (await store.accept(turn(key="l"))).replay is None


async def test_a_key_stands_for_its_unknown_outcome_for_its_time(make: Make, kept: Any) -> None:
    clock = Clock()
    async with opened(make, Policy(key_s=100), clock) as store:
        await lost(store, text=HALF)
        clock.now += 99
        with pytest.raises(OutcomeUnknown):
            await store.accept(turn(key="k"))
        clock.now += 1
        again = await store.accept(turn(key="k"))
        assert again.replay is None
        await again.finish(answered(again.response.id), None)
        assert (await kept(store))["responses"] == 1


@pytest.mark.states("L-178")
@pytest.mark.parametrize("error", [None, AgentFailed("no")])
async def test_a_writer_that_fails_leaves_an_unknown_outcome_also_when_it_works_again(
    make: Make, error: TurnoutError | None
) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn(key="k"))
        async with writing_fails(store):
            with pytest.raises(StoreFailed):
                await acceptance.finish(answered(acceptance.response.id), error)
            with pytest.raises(OutcomeUnknown):
                await store.accept(turn(key="k"))
        for _ in range(2):
            with pytest.raises(OutcomeUnknown) as caught:
                await store.accept(turn(key="k"))
            assert caught.value.response_id == acceptance.response.id


async def test_a_store_that_does_not_work_is_tried_once_for_each_key_however_much_waits(make: Make) -> None:
    async with opened(make) as store:
        begun = [await store.accept(turn(key=f"k{n}")) for n in range(5)]
        tried: list[Any] = []

        async def broken(ending: Any) -> None:
            tried.append(ending)
            raise StoreFailed("turnout: the store cannot be read or written")

        keep, store._keep, store._unsettled._keep = store._keep, broken, broken
        for acceptance in begun:
            with pytest.raises(StoreFailed):
                await acceptance.finish(answered(acceptance.response.id), None)
        tried.clear()
        await store.accept(turn(key="new"))
        assert len(tried) == 1
        store._keep = store._unsettled._keep = keep
        for n in range(5):
            with pytest.raises(OutcomeUnknown):
                await store.accept(turn(key=f"k{n}"))
        assert not any(acceptance.response.id in store._unsettled for acceptance in begun)


async def test_an_unknown_outcome_is_known_to_other_processes_and_after_a_restart(
    again: Make,
) -> None:
    one, other = again(), again()
    acceptance = await one.accept(turn(key="k"))
    async with writing_fails(other):
        with pytest.raises(StoreFailed):
            await acceptance.finish(answered(acceptance.response.id), None)
    await one.aclose()  # writes what it could not write before
    for store in (other, one):
        with pytest.raises(OutcomeUnknown):
            await store.accept(turn(key="k"))
        await store.aclose()


async def test_a_key_of_which_nothing_came_is_given_back_when_the_store_works_again(make: Make) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn(key="k"))
        gone = answered(acceptance.response.id, status="cancelled")
        async with writing_fails(store):
            with pytest.raises(StoreFailed):
                await acceptance.finish(gone, Cancelled("left"))
        assert (await store.accept(turn(key="k"))).replay is None


async def test_what_was_written_although_the_writer_said_otherwise_is_replayed(make: Make) -> None:
    async with opened(make) as store:
        keep = store._keep

        async def unsure(ending: Any) -> None:
            await keep(ending)
            raise StoreFailed("the connection broke after all was said")

        store._keep = unsure
        await lost(store)
        store._keep = keep
        assert (await store.accept(turn(key="k"))).replay is not None


async def test_what_the_host_cannot_foresee_leaves_an_unknown_outcome_too(make: Make) -> None:
    async with opened(make) as store:
        acceptance = await store.accept(turn(key="k"))

        async def broken(ending: Any) -> None:
            raise RuntimeError("no disk")

        keep, store._keep = store._keep, broken
        with pytest.raises(RuntimeError):
            await acceptance.finish(answered(acceptance.response.id), None)
        store._keep = keep
        with pytest.raises(OutcomeUnknown):
            await store.accept(turn(key="k"))
