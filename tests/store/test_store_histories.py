"""Any history of calls says the same on every store: those on disk are compared with the one in memory."""

import asyncio
import itertools
import tempfile
import threading
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, multiple, rule

from tests.store import postgres
from tests.store.conftest import counted
from tests.store.turns import ANN, BOB, Clock, answered, turn
from turnout.model import Acceptance, Context
from turnout.model.errors import Cancelled, ProviderError, RunInProgress, TurnoutError
from turnout.store import MemoryStore, Policy, PostgresStore, SQLiteStore

POLICY = Policy(retention_s=100, key_s=30)
OWNERS = st.sampled_from([ANN, BOB])
TEXTS = st.sampled_from("abc")
ENDS: list[tuple[str, TurnoutError | None]] = [
    ("completed", None),
    ("incomplete", None),
    ("failed", ProviderError("no", kind="auth")),
    ("failed", ProviderError("later", kind="overloaded")),
    ("cancelled", Cancelled("left")),
]


class Histories(RuleBasedStateMachine):
    """The same calls on two stores: what they give and what they raise is the same, but for the ids they make."""

    responses = Bundle("responses")
    runs = Bundle("runs")

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.folder = tempfile.TemporaryDirectory()

    @initialize()
    def start(self) -> None:
        self.memory = MemoryStore(POLICY, now=self.clock, new_id=self.ids())
        self.new_id = self.ids()
        self.other = self.make()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    def ids(self) -> Callable[[], str]:
        numbers = itertools.count()
        return lambda: f"resp_{next(numbers)}"

    def make(self) -> Any:
        return SQLiteStore(Path(self.folder.name) / "turnout.db", POLICY, now=self.clock, new_id=self.new_id)

    def same(self, call: Callable[[Any], Awaitable[Any]]) -> Any:
        """What a call on both gives, or the error that it raises on both."""
        ours, theirs = (self.run(outcome(call, store)) for store in (self.memory, self.other))
        if isinstance(ours, RunInProgress) and isinstance(theirs, RunInProgress):
            assert ours.response_id == theirs.response_id
        assert shown(ours) == shown(theirs)
        return ours, theirs

    @rule(
        target=runs,
        owner=OWNERS,
        texts=st.lists(TEXTS, min_size=1, max_size=3),
        key=st.sampled_from([None, "k", "l"]),
        retain=st.booleans(),
        previous=st.none() | responses,
    )
    def accept(self, owner: Context, texts: list[str], key: str | None, retain: bool, previous: Any) -> Any:
        asked = turn(*texts, context=owner, key=key, retain=retain, previous=previous)
        ours, theirs = self.same(lambda store: store.accept(asked))
        if not isinstance(ours, Acceptance) or ours.finish is None:
            return multiple()
        return ours, theirs

    @rule(target=responses, run=runs, text=TEXTS, end=st.sampled_from(ENDS))
    def finish(
        self, run: tuple[Acceptance, Acceptance], text: str, end: tuple[Any, TurnoutError | None]
    ) -> Any:
        ended = answered(run[0].response.id, text, status=end[0])
        acceptances = {id(self.memory): run[0], id(self.other): run[1]}

        async def finish(store: Any) -> None:
            acceptance = acceptances[id(store)]
            assert acceptance.finish is not None
            await acceptance.finish(ended, end[1])

        self.same(finish)
        return run[0].response.id

    @rule(response=responses, owner=OWNERS, read=st.sampled_from(["get", "load", "items"]))
    def read(self, response: str, owner: Context, read: str) -> None:
        self.same(lambda store: getattr(store, read)(response, owner))

    @rule(response=responses, owner=OWNERS)
    def delete(self, response: str, owner: Context) -> None:
        self.same(lambda store: store.delete(response, owner))

    @rule(seconds=st.sampled_from([1, 20, 70]))
    def wait(self, seconds: int) -> None:
        self.clock.now += seconds

    @rule()
    def count(self) -> None:
        """Nothing that is on disk is there twice, and nothing without need."""
        links = self.run(counted(self.other, "SELECT count(*) FROM turnout_history"))
        texts = self.run(counted(self.other, "SELECT count(*) FROM turnout_messages"))
        rows = self.run(counted(self.other, "SELECT count(*) FROM turnout_responses"))
        memory = self.memory
        assert (links, texts, rows) == (len(memory._histories), len(memory._texts), len(memory._turns))

    def teardown(self) -> None:
        if hasattr(self, "other"):
            self.run(self.other.aclose())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
        self.folder.cleanup()


class PostgresHistories(Histories):
    """The same on Postgres."""

    server = ""

    def make(self) -> Any:
        url = postgres.emptied(self.server, "histories")
        return PostgresStore(url, POLICY, now=self.clock, new_id=self.new_id, connections=1)


async def outcome(call: Callable[[Any], Awaitable[Any]], store: Any) -> Any:
    try:
        return await call(store)
    except TurnoutError as error:
        return error


def shown(given: Any) -> Any:
    """What a caller sees of an acceptance or an error; anything else is seen whole."""
    if isinstance(given, Acceptance):
        return given.response, given.replay, given.finish is None
    return given


TestHistoriesInSQLite = Histories.TestCase
TestHistoriesInSQLite.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)


def test_any_history_says_the_same_on_postgres(postgres_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    monkeypatch.setattr(PostgresHistories, "server", postgres_server)
    run_state_machine_as_test(
        PostgresHistories, settings=settings(max_examples=10, stateful_step_count=30, deadline=None)
    )
