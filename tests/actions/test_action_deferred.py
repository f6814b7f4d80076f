"""Actions that answer at once: what is told of their work while it goes on, and after (P-063, P-064)."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.plane.trust_fakes import asking
from turnout import App
from turnout.actions import Actions, Deferred, Failed, TemplateSynthesizer, action
from turnout.model import ActionIntent, ActionResult, Claim, Intent, Reply, Synthesis
from turnout.model.errors import Misconfigured, StoreFailed
from turnout.plane import ControlPlane, Interception, Reasoning
from turnout.store import MemoryLedger, SQLiteLedger
from turnout.system1 import RulesClassifier


async def ended(jobs: Deferred) -> None:
    """Wait for the end of all work."""
    if jobs._tasks:
        await asyncio.wait(list(jobs._tasks.values()))
    await asyncio.sleep(0)


class Shop:
    """Two actions whose work is deferred, and a control plane over them."""

    def __init__(self, ledger: Any = None, **options: Any) -> None:
        self.ledger = ledger or MemoryLedger()
        self.failures: list[Exception] = []
        self.jobs = Deferred(
            self.ledger, on_failure=lambda _id, error: self.failures.append(error), **options
        )
        self.release = asyncio.Event()
        self.cancelled = asyncio.Event()
        self.outcome: Any = {"pages": 12}

        @action(patterns=[r"build (?P<title>\w+)"], template="{pages} pages are ready.", deferred=self.jobs)
        async def build_report(title: str) -> dict[str, Any]:
            """Build a report."""
            try:
                await self.release.wait()
            except asyncio.CancelledError:
                self.cancelled.set()
                raise
            if isinstance(self.outcome, Exception):
                raise self.outcome
            return self.outcome

        self.build = build_report
        self.engine = Actions(build_report, self.jobs.status, self.jobs.cancel)
        self.synthesizer = TemplateSynthesizer(self.engine.templates())

    async def run(self, action_id: str, user: str = "ada", **params: Any) -> ActionResult:
        intents = (ActionIntent(action_id=action_id, params=params),)
        (result,) = await self.engine.execute(asking("x", user=user), intents)
        return result

    async def begin(self) -> str:
        begun = await self.run("build_report", title="x")
        assert (begun.status, begun.data) == ("running", None)
        assert begun.execution_id
        return begun.execution_id

    async def finish(self) -> None:
        self.release.set()
        await ended(self.jobs)

    def text(self, result: ActionResult, **params: Any) -> str:
        intent = Intent(actions=(ActionIntent(action_id="executions.status", params=params),))
        return self.synthesizer.text(Synthesis(request=asking("x"), intent=intent, results=(result,)))


@pytest.mark.states("P-063", "P-064")
async def test_an_action_returns_an_execution_id_at_once_and_its_status_is_another_action() -> None:
    shop = Shop()
    begun = await shop.begin()
    running = await shop.run("executions.status", execution_id=begun)
    assert running == ActionResult(action_id="build_report", status="running", execution_id=begun)
    assert shop.text(running) == f"Running: build report (reference {begun})."
    await shop.finish()
    done = await shop.run("executions.status", execution_id=begun)
    assert done == ActionResult(
        action_id="build_report", status="succeeded", execution_id=begun, data={"pages": 12}
    )
    assert shop.text(done) == "12 pages are ready."
    assert await shop.run("executions.cancel", execution_id=begun) == done


@pytest.mark.states("P-064")
async def test_a_control_plane_answers_all_of_it() -> None:
    shop = Shop()
    interception = Interception(
        RulesClassifier(shop.engine.rules()), shop.engine, shop.synthesizer, ledger=shop.ledger
    )
    plane = ControlPlane([interception, Reasoning(lambda _request: pytest.fail("passed on"))])

    async def ask(text: str) -> str:
        async with await plane(asking(text, user="ada")) as reply:
            said = (await reply.answer()).text
        await reply.delivered()
        return said

    begun = (await ask("build march")).removesuffix(").").rpartition(" ")[2]
    assert await ask(f"status of {begun}") == f"Running: build report (reference {begun})."
    assert await ask(f"what is the status of execution {begun}") == await ask(f"status of {begun}")
    stopped = await ask(f"cancel job {begun}")
    assert stopped.startswith(f"Cancelled: build report (reference {begun}): it was stopped before its end")
    assert await ask(f"status of {begun}") == stopped
    assert shop.cancelled.is_set()


async def test_a_repeated_request_begins_nothing_again() -> None:
    shop = Shop()
    interception = Interception(
        RulesClassifier(shop.engine.rules()), shop.engine, shop.synthesizer, ledger=shop.ledger
    )
    texts: set[str] = set()
    for _ in range(2):
        reply: Reply = await interception(lambda _: pytest.fail("passed on"))(asking("build x", key="k"))
        texts.add((await reply.answer()).text)
    assert len(texts) == 1
    assert len(shop.jobs._tasks) == 1
    await shop.jobs.aclose()


async def test_another_caller_is_told_nothing_and_can_stop_nothing() -> None:
    shop = Shop()
    begun = await shop.begin()
    for name in ("executions.status", "executions.cancel"):
        for who, what in (("bob", begun), ("ada", "000000000000")):
            told = await shop.run(name, user=who, execution_id=what)
            assert (told.status, told.data) == ("failed", {"error": f"there is no execution {what}"})
    assert (await shop.run("executions.status", execution_id=begun)).status == "running"
    await shop.jobs.aclose()


async def test_a_reason_for_the_user_is_the_result_of_the_work() -> None:
    shop = Shop()
    shop.outcome = Failed("there is no data for March")
    begun = await shop.begin()
    await shop.finish()
    told = await shop.run("executions.status", execution_id=begun)
    assert shop.text(told) == "Not done: build report. There is no data for March."
    assert shop.failures == []


@pytest.mark.parametrize("outcome", [RuntimeError("secret"), {"x": object()}], ids=["raises", "no JSON"])
async def test_work_that_raises_is_told_without_its_cause(outcome: Any) -> None:
    shop = Shop()
    shop.outcome = outcome
    begun = await shop.begin()
    await shop.finish()
    told = await shop.run("executions.status", execution_id=begun)
    assert shop.text(told) == "Not done: build report. It failed; it may have been done in part."
    assert len(shop.failures) == 1


async def test_without_a_hook_a_log_names_the_action_and_the_kind(caplog: pytest.LogCaptureFixture) -> None:
    jobs = Deferred(MemoryLedger())

    @action(deferred=jobs)
    async def fail() -> None:
        """Fail."""
        raise RuntimeError("secret")

    await Actions(fail).execute(asking("x"), (ActionIntent(action_id="fail"),))
    await ended(jobs)
    assert caplog.messages == ["the deferred work of action 'fail' raised RuntimeError"]
    assert "secret" not in caplog.text


async def test_work_that_takes_too_long_is_stopped() -> None:
    shop = Shop(limit_s=0.01)
    begun = await shop.begin()
    await shop.cancelled.wait()
    await ended(shop.jobs)
    told = await shop.run("executions.status", execution_id=begun)
    assert "took too long" in shop.text(told)


async def test_more_than_may_run_at_once_is_refused() -> None:
    shop = Shop(most=2)
    outcomes = await asyncio.gather(*(shop.run("build_report", title="x") for _ in range(5)))
    assert [each.status for each in outcomes] == ["running", "running", "failed", "failed", "failed"]
    assert "too much is under way" in str(outcomes[-1].data)
    await shop.finish()
    assert (await shop.run("build_report", title="x")).status == "running"
    await shop.jobs.aclose()


async def test_what_the_parameters_lack_is_told_at_once() -> None:
    shop = Shop()
    told = await shop.run("build_report")
    assert (told.status, told.execution_id) == ("failed", None)
    assert shop.jobs._tasks == {}


async def test_the_end_of_the_service_stops_the_work_and_is_seen_afterwards() -> None:
    shop = Shop()
    async with shop.jobs:
        begun = await shop.begin()
    assert shop.cancelled.is_set()
    told = await shop.run("executions.status", execution_id=begun)
    assert told.status == "lost"
    assert shop.text(told).startswith(
        f"Lost: build report (reference {begun}): it was stopped before its end"
    )
    shop.release.set()
    await shop.begin()
    await shop.finish()


async def test_nothing_begins_while_the_service_ends() -> None:
    shop = Shop()
    await shop.begin()
    ending = asyncio.create_task(shop.jobs.aclose())
    await asyncio.sleep(0)
    assert (await shop.run("build_report", title="x")).status == "failed"
    await ending


class SlowLedger(MemoryLedger):
    """A ledger that takes claims only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.let = asyncio.Event()

    async def claim(self, key: str, fingerprint: str = "", *, keep_s: float, again: bool = False) -> Claim:
        self.asked.set()
        await self.let.wait()
        return await super().claim(key, fingerprint, keep_s=keep_s, again=again)


async def test_the_end_of_the_service_waits_for_work_that_is_just_beginning_and_stops_it() -> None:
    ledger = SlowLedger()
    shop = Shop(ledger)
    beginning = asyncio.create_task(shop.begin())
    await ledger.asked.wait()
    ending = asyncio.create_task(shop.jobs.aclose())
    await asyncio.sleep(0)
    ledger.let.set()
    execution_id = await beginning
    await ending
    assert (await shop.run("executions.status", execution_id=execution_id)).status == "lost"


async def test_a_beginning_that_is_given_up_does_not_hold_up_the_end() -> None:
    shop = Shop(SlowLedger())
    beginning = asyncio.create_task(shop.begin())
    await asyncio.sleep(0)
    ending = asyncio.create_task(shop.jobs.aclose())
    await asyncio.sleep(0)
    beginning.cancel()
    await ending


async def test_work_whose_process_is_gone_is_lost(tmp_path: Path) -> None:
    first = Shop(SQLiteLedger(tmp_path / "turnout.db"))
    begun = await first.begin()
    second = Shop(SQLiteLedger(tmp_path / "turnout.db"))
    assert (await second.run("executions.status", execution_id=begun)).status == "running"
    elsewhere = await second.run("executions.cancel", execution_id=begun)
    assert "another process" in str(elsewhere.data)
    await first.ledger.aclose()
    assert (await second.run("executions.status", execution_id=begun)).status == "lost"
    assert (await second.run("executions.cancel", execution_id=begun)).status == "lost"
    await first.jobs.aclose()
    for shop in (first, second):
        await shop.ledger.aclose()


async def test_what_cannot_be_recorded_has_not_begun() -> None:
    shop = Shop()

    async def claim(*_: Any, **__: Any) -> Claim:
        raise StoreFailed("no disk")

    shop.ledger.claim = claim
    with pytest.raises(StoreFailed):
        await shop.run("build_report", title="x")
    assert shop.jobs._tasks == {}
    assert not shop.jobs._beginning


async def test_an_outcome_that_cannot_be_recorded_is_told_to_the_hook() -> None:
    shop = Shop()
    await shop.begin()

    async def settle(*_: Any, **__: Any) -> None:
        raise StoreFailed("no disk")

    shop.ledger.settle = settle
    await shop.finish()
    assert [type(each) for each in shop.failures] == [StoreFailed]


async def test_sync_work_runs_in_a_thread() -> None:
    jobs = Deferred(MemoryLedger())
    seen: list[str] = []

    @action(deferred=jobs)
    def count() -> int:
        """Count."""
        seen.append(threading.current_thread().name)
        return 3

    engine = Actions(count, jobs.status)
    request = asking("x")
    (begun,) = await engine.execute(request, (ActionIntent(action_id="count"),))
    await ended(jobs)
    intent = ActionIntent(action_id="executions.status", params={"execution_id": begun.execution_id})
    (done,) = await engine.execute(request, (intent,))
    assert done.data == {"result": 3}
    assert seen
    assert seen[0] != threading.main_thread().name


async def test_a_function_stays_what_it_was() -> None:
    shop = Shop()
    shop.release.set()
    assert await shop.build("x") == {"pages": 12}


@pytest.mark.parametrize("options", [{"most": 0}, {"limit_s": 0}])
def test_work_needs_place_and_time(options: Any) -> None:
    with pytest.raises(Misconfigured):
        Deferred(MemoryLedger(), **options)


async def test_an_app_stops_the_work_at_its_end() -> None:
    shop = Shop()
    app = App(ledger=shop.ledger, user_header="x-user")
    app.add(shop.build, shop.jobs.status, shop.jobs.cancel)
    app.reason_with(lambda _request: "from the model")
    async with app:
        assert (await app.process("build x")).text.startswith("Running: build report")
    assert shop.cancelled.is_set()
    assert shop.jobs._tasks == {}
