"""Actions run at most once per request identity (decision 13)."""

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from tests.plane.plane_fakes import RESTART, choosing, raising
from tests.plane.plane_fakes import Engine as PlainEngine
from tests.plane.trust_fakes import Clock, Desk, asking
from turnout.model import Claim, Media, Request, Source, Url, User
from turnout.model.errors import Conflict, Forbidden, StageError, StoreFailed
from turnout.model.ledger import caller, digest, identified
from turnout.plane.once import recorded
from turnout.store import MemoryLedger, SQLiteLedger

TRANSFER = "transfer 5 to bob"


# ---- who asks, and what counts as the same request ---------------------------------------------------------------


def test_a_caller_is_the_user_else_the_credentials_else_nobody() -> None:
    assert caller(asking("x", user="ada")) == caller(asking("x", user="ada", token="Bearer b"))
    assert caller(asking("x", user="ada")) != caller(asking("x", user="bob"))
    assert caller(asking("x")) == caller(asking("y"))
    assert caller(asking("x")) != caller(asking("x", token="Bearer b"))
    assert caller(asking("x", token=None)) == caller(Request()) == caller(asking("x", token=None, user=""))
    assert caller(asking("x", token=None, query="alt=sse&key=k")) != caller(asking("x", token=None))


def test_neither_keys_nor_credentials_can_be_read_from_an_identity() -> None:
    found = identified(asking("x", key="secret-key", token="Bearer secret-token"))
    assert found is not None
    assert "secret" not in repr(found)


def test_what_has_neither_a_key_nor_bytes_cannot_be_told_apart() -> None:
    assert identified(Request()) is None
    assert identified(Request(source=Source(protocol="openai-chat", body=b""))) is None


@given(st.lists(st.text(max_size=3), max_size=4), st.lists(st.text(max_size=3), max_size=4))
def test_a_digest_tells_every_division_of_a_text_apart(one: list[str], other: list[str]) -> None:
    assert (digest(*one) == digest(*other)) == (one == other)


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({}, True),
        ({"retry": 1}, True),
        ({"user": "bob"}, False),
        ({"key": "other"}, False),
        ({"token": "Bearer b", "user": "ada"}, True),
    ],
)
async def test_a_key_is_scoped_to_its_caller(changes: dict[str, Any], same: bool) -> None:
    desk = Desk()
    await desk.ask(asking(TRANSFER, key="k", user="ada"))
    given: Any = {"key": "k", "user": "ada", **changes}
    await desk.ask(asking(TRANSFER, **given))
    assert len(desk.bank.runs) == (1 if same else 2)


@pytest.mark.states("K46")
@pytest.mark.parametrize("count", ["1", "2", "10"])
async def test_a_repeat_that_says_so_gets_the_first_result(count: str) -> None:
    desk = Desk()
    first = await desk.answer(asking(TRANSFER))
    again, headers = await desk.answer(asking(TRANSFER, retry=int(count)))
    assert again == first[0] == "Transferred 5 to bob."
    assert desk.bank.runs == ["transfer 5 bob"]
    assert headers.get("x-turnout-replayed") == "true"
    assert "x-turnout-replayed" not in first[1]
    assert [each.replayed for each in desk.decisions] == [False, True]


async def test_a_person_who_asks_twice_after_a_finished_answer_means_it_twice() -> None:
    desk = Desk()
    for _ in range(3):
        assert await desk.ask(asking(TRANSFER)) == "Transferred 5 to bob."
    assert len(desk.bank.runs) == 3


async def test_the_same_words_after_an_answer_that_was_cut_are_the_same_request_for_ten_minutes() -> None:
    desk = Desk()
    await desk.ask(asking(TRANSFER), delivered=False)
    desk.clock.now += 599
    assert await desk.ask(asking(TRANSFER), delivered=False) == "Transferred 5 to bob."
    assert len(desk.bank.runs) == 1
    desk.clock.now += 1
    await desk.ask(asking(TRANSFER))
    assert len(desk.bank.runs) == 2


async def test_a_replay_that_arrives_is_a_finished_answer() -> None:
    desk = Desk()
    await desk.ask(asking(TRANSFER), delivered=False)
    await desk.ask(asking(TRANSFER, retry=1))
    await desk.ask(asking(TRANSFER))
    assert len(desk.bank.runs) == 2


def other_media(request: Request) -> Request:
    """The request about a picture."""
    last = request.messages[-1]
    picture = Media(kind="image", source=Url(url="https://example.com/a.png"))
    return request.replace(messages=(structs.replace(last, parts=(*last.parts, picture)),))


def other_user(request: Request) -> Request:
    """The request for one of the caller's own users."""
    return request.replace(user="bob")


@pytest.mark.parametrize(
    "again",
    [
        lambda: asking(TRANSFER, retry=1, token="Bearer b"),
        lambda: asking("transfer 6 to bob", retry=1),
        lambda: asking("hello", "Hello!", TRANSFER, retry=1),
        lambda: other_media(asking(TRANSFER, retry=1)),
        lambda: other_user(asking(TRANSFER, retry=1)),
    ],
    ids=["caller", "words", "history", "media", "user"],
)
async def test_other_words_or_another_caller_are_another_request(again: Callable[[], Request]) -> None:
    desk = Desk()
    await desk.ask(asking(TRANSFER), delivered=False)
    await desk.ask(again())
    assert len(desk.bank.runs) == 2


@pytest.mark.parametrize(
    "again",
    [
        lambda: asking(TRANSFER, stream=True),
        lambda: asking(TRANSFER, more="other settings"),
        lambda: asking(f"[Mon 2026-11-30 18:09 UTC] {TRANSFER}\n\nRuntime: host=vm | node=v24"),
        lambda: asking(f"<system-reminder>The date has changed.</system-reminder>\n{TRANSFER}"),
    ],
    ids=["without streaming", "settings", "another time", "another reminder"],
)
async def test_the_same_words_in_another_form_are_the_same_request(again: Callable[[], Request]) -> None:
    """Clients ask again with other bytes: after a broken stream without streaming, or a minute later."""
    desk = Desk()
    await desk.ask(asking(TRANSFER), delivered=False)
    assert await desk.ask(again()) == "Transferred 5 to bob."
    assert len(desk.bank.runs) == 1


async def test_a_repeat_whose_first_attempt_never_arrived_runs() -> None:
    desk = Desk()
    assert await desk.ask(asking(TRANSFER, retry=2)) == "Transferred 5 to bob."


@pytest.mark.parametrize("count", ["0", "-1", "x", "", "²"])
async def test_a_count_that_counts_nothing_is_no_repeat(count: str) -> None:
    desk = Desk()
    request = asking(TRANSFER)
    assert request.source is not None
    source = msgspec.structs.replace(
        request.source,
        headers=type(request.source.headers)(
            [*request.source.headers.raw, (b"x-stainless-retry-count", count.encode("latin-1"))]
        ),
    )
    for _ in range(2):
        await desk.ask(Request(model="m", source=source, body=request.body))
    assert len(desk.bank.runs) == 2


async def test_a_request_in_process_without_a_key_runs_each_time() -> None:
    desk = Desk()
    for _ in range(2):
        await desk.ask(Request(model="m", body=asking(TRANSFER).body))
    assert len(desk.bank.runs) == 2


# ---- the states of a run -----------------------------------------------------------------------------------------


@pytest.mark.states("K46")
async def test_a_changed_body_under_the_same_key_conflicts_and_runs_nothing() -> None:
    desk = Desk()
    await desk.ask(asking(TRANSFER, key="k"))
    for text in ("transfer 6 to bob", "hello there"):
        with pytest.raises(Conflict) as caught:
            await desk.ask(asking(text, key="k"))
        assert (caught.value.status, caught.value.code) == (409, "idempotency_conflict")
        assert caught.value.may_have_acted  # which says: don't retry
    assert len(desk.bank.runs) == 1


@pytest.mark.states("K46")
@pytest.mark.parametrize("repeat", [{"key": "k"}, {}, {"retry": 1}], ids=str)
async def test_while_a_run_goes_on_a_repeat_is_told_to_wait(repeat: dict[str, Any]) -> None:
    desk = Desk()
    desk.bank.hold = asyncio.Event()
    first = asyncio.create_task(desk.ask(asking(TRANSFER, key=repeat.get("key"))))
    await desk.bank.started.wait()
    with pytest.raises(Conflict) as caught:
        await desk.ask(asking(TRANSFER, **repeat))
    assert (caught.value.code, caught.value.may_have_acted) == ("run_in_progress", False)
    assert caught.value.retry_after == 1
    desk.bank.hold.set()
    assert await first == "Transferred 5 to bob."
    assert len(desk.bank.runs) == 1


@pytest.mark.parametrize("repeat", [{"key": "k"}, {}, {"retry": 1}], ids=str)
async def test_a_run_that_raised_is_not_run_again(repeat: dict[str, Any]) -> None:
    desk = Desk()
    desk.bank.broken = RuntimeError("the bank's secret")
    with pytest.raises(StageError):
        await desk.ask(asking(TRANSFER, key=repeat.get("key")))
    desk.bank.broken = None
    with pytest.raises(StageError, match="may have been carried out") as caught:
        await desk.ask(asking(TRANSFER, **repeat))
    assert (caught.value.status, caught.value.may_have_acted) == (502, True)
    assert "secret" not in str(caught.value)
    assert len(desk.bank.runs) == 1


@pytest.mark.parametrize("repeat", [{"key": "k"}, {}, {"retry": 1}], ids=str)
async def test_a_run_that_was_cancelled_is_not_run_again_and_the_client_is_told(
    repeat: dict[str, Any],
) -> None:
    desk = Desk()
    desk.bank.hold = asyncio.Event()
    first = asyncio.create_task(desk.ask(asking(TRANSFER, key=repeat.get("key"))))
    await desk.bank.started.wait()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    with pytest.raises(Conflict, match="It may have been carried out") as caught:
        await desk.ask(asking(TRANSFER, **repeat))
    assert (caught.value.status, caught.value.code) == (409, "run_interrupted")
    assert caught.value.may_have_acted
    assert len(desk.bank.runs) == 1


async def test_a_refusal_of_the_engine_is_recorded_as_a_failure() -> None:
    engine = PlainEngine(RESTART, execute=Forbidden("not you"))
    desk = Desk(classifier=choosing("ops.restart"), engine=engine)
    with pytest.raises(Forbidden):
        await desk.ask(asking("x", key="k"))
    with pytest.raises(StageError):
        await desk.ask(asking("x", key="k"))
    assert engine.calls.count("execute") == 1


async def test_a_failed_result_is_a_result() -> None:
    desk = Desk(classifier=choosing("transfer"))
    first = await desk.ask(asking("x", key="k"))
    assert "Which amount?" in first
    assert await desk.ask(asking("x", key="k")) == first


async def test_what_the_classifier_says_the_second_time_does_not_matter() -> None:
    chosen = itertools.chain(["transfer", "balance"], itertools.repeat("refund"))

    async def classify(request: Request, descriptors: Any) -> Any:
        return await choosing(next(chosen))(request, descriptors)

    desk = Desk(classifier=classify)
    first = await desk.ask(asking("x"), delivered=False)
    assert await desk.ask(asking("x")) != first  # a read, which needs no record
    assert await desk.ask(asking("x", retry=1)) == first


async def _no_disk(*_: Any, **__: Any) -> Any:
    raise StoreFailed("no disk")


@pytest.mark.parametrize("call", ["look", "claim"])
async def test_a_ledger_that_fails_fails_the_request_and_nothing_runs(call: str) -> None:
    desk = Desk()
    setattr(desk.ledger, call, _no_disk)
    with pytest.raises(StoreFailed) as caught:
        await desk.ask(asking(TRANSFER, key="k"))
    assert not caught.value.may_have_acted
    assert desk.bank.runs == []


async def test_what_cannot_be_recorded_is_not_told_as_done() -> None:
    desk = Desk()
    desk.ledger.settle = _no_disk  # type: ignore[method-assign]
    with pytest.raises(StageError, match="cannot be recorded") as caught:
        await desk.ask(asking(TRANSFER, key="k"))
    assert caught.value.may_have_acted


async def test_a_failure_is_told_even_when_it_cannot_be_recorded() -> None:
    desk = Desk()
    desk.bank.broken = RuntimeError("boom")
    desk.ledger.settle = _no_disk  # type: ignore[method-assign]
    with pytest.raises(StageError, match="execute: failed"):
        await desk.ask(asking(TRANSFER, key="k"))


async def test_results_that_cannot_be_worded_are_kept_and_worded_at_the_repeat() -> None:
    words = iter([raising(RuntimeError("no words"))])
    desk = Desk()
    real = desk.interception._acting._synthesize

    async def synthesize(synthesis: Any) -> Any:
        return await next(words, real)(synthesis)

    desk.interception._acting._synthesize = synthesize
    with pytest.raises(StageError, match="synthesize"):
        await desk.ask(asking(TRANSFER))
    assert await desk.ask(asking(TRANSFER)) == "Transferred 5 to bob."
    assert len(desk.bank.runs) == 1


@pytest.mark.parametrize("state", ["running", "conflict", "lost"])
def test_every_state_but_done_is_a_conflict(state: Any) -> None:
    with pytest.raises(Conflict) as caught:
        recorded(Claim(state=state))
    assert caught.value.status == 409
    assert caught.value.may_have_acted == (state != "running")


# ---- which actions need it ---------------------------------------------------------------------------------------


async def test_reads_run_each_time() -> None:
    desk = Desk()
    assert await desk.ask(asking("balance", key="k")) == "Balance number 1."
    assert await desk.ask(asking("balance", key="k")) == "Balance number 2."
    desk.bank.broken = RuntimeError("down")
    with pytest.raises(StageError):
        await desk.ask(asking("balance", key="k"))
    desk.bank.broken = None
    assert await desk.ask(asking("balance", key="k")) == "Balance number 4."


async def test_a_read_beside_a_write_is_recorded_with_it() -> None:
    desk = Desk(classifier=choosing("balance", "delete_nothing"))
    first = await desk.ask(asking("x", key="k"))
    assert await desk.ask(asking("x", key="k")) == first
    assert desk.bank.runs == ["balance"]


async def test_requests_that_are_passed_on_leave_no_row() -> None:
    desk = Desk()
    for _ in range(2):
        assert await desk.ask(asking("what is a bank", key="k")) == "from the model"
    assert desk.ledger._rows == {}  # type: ignore[attr-defined]


# ---- many at once, and the end of a process ----------------------------------------------------------------------


@pytest.mark.states("K46")
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_500_requests_with_50_keys_make_50_runs(kind: str, tmp_path: Path) -> None:
    ledger = MemoryLedger() if kind == "memory" else SQLiteLedger(tmp_path / "turnout.db")
    desk = Desk(ledger)

    async def until_answered(at: int) -> str:
        while True:
            try:
                return await desk.ask(asking(TRANSFER, key=f"k{at % 50}", retry=0))
            except Conflict as conflict:
                if conflict.code != "run_in_progress":
                    raise
                await asyncio.sleep(0.001)

    texts = await asyncio.gather(*(until_answered(at) for at in range(500)))
    await ledger.aclose()
    assert set(texts) == {"Transferred 5 to bob."}
    assert len(desk.bank.runs) == 50


@pytest.mark.states("K46")
async def test_after_a_process_died_in_the_middle_nothing_is_run_again_and_the_client_is_told(
    tmp_path: Path,
) -> None:
    first = Desk(SQLiteLedger(tmp_path / "turnout.db"))
    first.bank.hold = asyncio.Event()
    task = asyncio.create_task(first.ask(asking(TRANSFER, key="k")))
    await first.bank.started.wait()
    await first.ledger.aclose()  # whose claims count as those of a process that ended
    second = Desk(SQLiteLedger(tmp_path / "turnout.db"))
    with pytest.raises(Conflict, match="is not run again") as caught:
        await second.ask(asking(TRANSFER, key="k"))
    assert caught.value.may_have_acted
    assert second.bank.runs == []
    await second.ledger.aclose()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await first.ledger.aclose()


# ---- any history -------------------------------------------------------------------------------------------------

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["plain", "retry", "key a", "key b"]),
        st.booleans(),
        st.sampled_from([0, 1, 700]),
        st.sampled_from(["ada", "bob"]),
    ),
    max_size=12,
)


@settings(max_examples=100)
@given(STEPS)
async def test_any_history_runs_as_often_as_the_decision_says(
    steps: list[tuple[str, bool, int, str]],
) -> None:
    desk = Desk(clock=Clock())
    rows: dict[tuple[str, str], tuple[float, bool]] = {}
    expected = 0
    for kind, delivered, wait, user in steps:
        key = kind[4:] if kind.startswith("key") else None
        name = (user, key or "bytes")
        settled = rows.get(name)
        keep = 86_400 if key else 600
        known = settled is not None and desk.clock.now < settled[0] + keep
        if not known or (kind == "plain" and settled is not None and settled[1]):
            expected += 1
            rows[name] = (desk.clock.now, False)
        await desk.ask(
            asking(TRANSFER, user=user, key=key, retry=1 if kind == "retry" else None), delivered=delivered
        )
        rows[name] = (rows[name][0], rows[name][1] or (delivered and key is None))
        assert len(desk.bank.runs) == expected
        desk.clock.now += wait


def test_a_user_is_told_apart_from_a_credential_of_the_same_words() -> None:
    assert caller(asking("x", token=None, user="authorization:x")) != caller(asking("x", token="x"))
    assert User(id="") == User()
