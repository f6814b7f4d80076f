"""Shadow mode: what would have been answered is recorded, and nothing else happens."""

import asyncio
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from plane_fakes import RESTART, Engine, choosing, raising, reply, request, wording

from turnout.model import ActionIntent, Ask, Candidate, Classification, Descriptors, Intent, Reply, Request
from turnout.plane import ControlPlane, Interception, Reasoning, Shadow, Shadowed, append_to


def plane(classifier: Any, shadow: Shadow, engine: Engine, **trust: Any) -> ControlPlane:
    async def model(given: Request) -> Reply:
        return reply("from the model")

    return ControlPlane([Interception(classifier, engine, wording, shadow=shadow, **trust), Reasoning(model)])


async def restart(_request: Request, _descriptors: Descriptors) -> Intent:
    """A classifier that is always sure."""
    return Intent(actions=(ActionIntent(action_id=RESTART.id, params={"service": "api"}),))


async def put(chain: ControlPlane, text: str) -> str:
    async with await chain.process(request(text)) as answer:
        return (await answer.answer()).text


async def test_an_action_that_was_chosen_is_recorded_and_the_model_answers() -> None:
    rows: list[Shadowed] = []
    engine = Engine(RESTART)
    shadow = Shadow(rows.append, now=lambda: 12.5)
    chain = plane(restart, shadow, engine)
    assert await put(chain, "restart api") == "from the model"
    await shadow.aclose()
    assert engine.executed == []
    assert [(row.time, row.text, row.actions[0].id, row.actions[0].parameters) for row in rows] == [
        (12.5, "restart api", RESTART.id, {"service": "api"})
    ]


async def test_nothing_acts_either_where_somebody_listens_to_decisions() -> None:
    lanes: list[str] = []
    engine = Engine(RESTART)
    shadow = Shadow(lambda row: None)
    chain = plane(
        choosing(RESTART.id),
        shadow,
        engine,
        on_decision=lambda given, decision: lanes.append(decision.lane),
    )
    await put(chain, "restart api")
    await shadow.aclose()
    assert engine.executed == []
    assert lanes == ["model"]


async def test_grounds_are_recorded_where_the_classifier_tells_them() -> None:
    class Telling:
        async def __call__(self, given: Request, descriptors: Descriptors) -> Intent:
            raise AssertionError("it is asked to explain")

        async def explain(self, given: Request, descriptors: Descriptors) -> Classification:
            candidates = (Candidate(action_id=RESTART.id, score=0.4, threshold=0.7),)
            return Classification(outcome=Intent(), candidates=candidates, reason="not sure enough")

    rows: list[Shadowed] = []
    shadow = Shadow(rows.append)
    await put(plane(Telling(), shadow, Engine(RESTART)), "restart?")
    await shadow.aclose()
    assert (rows[0].actions, rows[0].candidates, rows[0].reason) == (
        (),
        ((RESTART.id, 0.4),),
        "not sure enough",
    )


async def test_a_question_that_would_have_been_asked_is_recorded() -> None:
    rows: list[Shadowed] = []
    shadow = Shadow(rows.append)

    async def ask(given: Request, descriptors: Descriptors) -> Ask:
        return Ask(question="Which one?")

    assert await put(plane(ask, shadow, Engine(RESTART)), "restart it") == "from the model"
    await shadow.aclose()
    assert (rows[0].question, rows[0].actions) == ("Which one?", ())


async def test_a_classifier_that_fails_harms_no_request() -> None:
    rows: list[Shadowed] = []
    shadow = Shadow(rows.append)
    assert (
        await put(plane(raising(ValueError("no")), shadow, Engine(RESTART)), "restart api")
        == "from the model"
    )
    await shadow.aclose()
    assert rows[0].failed == "StageError"


async def test_a_recorder_that_fails_harms_no_request(caplog: pytest.LogCaptureFixture) -> None:
    def full(row: Shadowed) -> None:
        raise OSError("the disk is full of restart api")

    shadow = Shadow(full)
    assert await put(plane(choosing(), shadow, Engine(RESTART)), "restart api") == "from the model"
    await shadow.aclose()
    assert "OSError" in caplog.text
    assert "restart api" not in caplog.text


async def test_a_slow_classifier_delays_no_request_and_too_many_at_once_are_dropped() -> None:
    rows: list[Shadowed] = []
    go = asyncio.Event()

    async def slow(given: Request, descriptors: Descriptors) -> Intent:
        await go.wait()
        return Intent()

    shadow = Shadow(rows.append, at_once=2)
    chain = plane(slow, shadow, Engine(RESTART))
    for text in ("one", "two", "three"):
        assert await put(chain, f"restart {text}") == "from the model"
    assert (rows, shadow.dropped) == ([], 1)
    go.set()
    await shadow.aclose()
    assert sorted(row.text for row in rows) == ["restart one", "restart two"]


async def test_what_does_not_end_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnout.plane.shadow._GRACE_S", 0.01)

    async def endless(given: Request, descriptors: Descriptors) -> Intent:
        await asyncio.Event().wait()
        return Intent()

    shadow = Shadow(lambda row: None)
    await put(plane(endless, shadow, Engine(RESTART)), "restart api")
    await shadow.aclose()


async def test_a_turn_that_is_no_request_of_the_user_is_not_recorded() -> None:
    rows: list[Shadowed] = []
    shadow = Shadow(rows.append)
    await put(plane(choosing(), shadow, Engine(RESTART)), "x" * 5_000)
    await shadow.aclose()
    assert rows == []


async def test_explaining_records_nothing() -> None:
    rows: list[Shadowed] = []
    shadow = Shadow(rows.append)
    interception = Interception(choosing(RESTART.id), Engine(RESTART), wording, shadow=shadow)
    found = await interception.explain(request("restart api"))
    await shadow.aclose()
    assert found.outcome == Intent(actions=(ActionIntent(action_id=RESTART.id),))
    assert rows == []


async def test_a_file_gets_a_row_a_line_that_only_its_owner_reads(tmp_path: Path) -> None:
    path = tmp_path / "shadow.jsonl"
    shadow = Shadow(append_to(path), now=lambda: 1.0)
    chain = plane(restart, shadow, Engine(RESTART))
    await put(chain, 'restart "api"\nnow')
    await put(chain, "restart db")
    await shadow.aclose()
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted(row["text"] for row in rows) == ['restart "api"\nnow', "restart db"]
    assert rows[0]["actions"][0]["id"] == RESTART.id
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
