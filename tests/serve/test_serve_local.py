"""`classifier = "local"`: fitted once, in a thread, from the actions and from labelled files."""

import json
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.serve.serve_call import call
from turnout import App, action
from turnout.model import (
    ActionIntent,
    Ask,
    Candidate,
    Classification,
    Descriptors,
    Intent,
    Request,
    V,
)
from turnout.model.errors import Misconfigured
from turnout.model.utterance import Utterance
from turnout.plane import Shadowed
from turnout.serve.local import Material
from turnout.system1.calibration import Calibration, save
from turnout.system1.risk import Counts, Promise
from turnout.system1.scores import Labelled, Lean, Scores, Thresholds


class Knows(V, frozen=True, kw_only=True):
    """A tier that knows its examples by heart, and half of any other text."""

    material: Material
    thresholds: Thresholds = Thresholds(ours=0.9, margin=0.0)
    fingerprint: str = "by heart"
    tier: str = "local"

    def score(self, text: str) -> Scores:
        known = {row.text: row.actions[0] for row in self.material.examples}
        known |= {text: each.id for each in self.material.descriptors for text in each.examples}
        return Scores(ours=1.0 if text in known else 0.5, ranked=((known.get(text, "pay"), 1.0),))

    def calibrated(self, thresholds: Thresholds, lean: Lean | None = None) -> "Knows":
        return msgspec.structs.replace(self, thresholds=thresholds)

    async def __call__(self, request: Request, descriptors: Descriptors) -> Intent | Ask:
        return (await self.explain(request, descriptors)).outcome

    async def explain(self, request: Request, descriptors: Descriptors) -> Classification:
        scores = self.score(request.context[Utterance].text)
        best = scores.ranked[0][0]
        candidate = Candidate(action_id=best, score=scores.ours, threshold=self.thresholds.ours)
        chosen = (ActionIntent(action_id=best),) if self.thresholds.passed(scores) else ()
        return Classification(outcome=Intent(actions=chosen), candidates=(candidate,))


@action(examples=["pay the bill"], negatives=["pay attention"], template="paid")
def pay() -> None:
    """Pay."""


@action(template="refunded")
def refund() -> None:
    """Pay back."""


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Material, threading.Thread]]:
    made: list[tuple[Material, threading.Thread]] = []

    def fit(material: Material) -> Knows:
        made.append((material, threading.current_thread()))
        return Knows(material=material)

    monkeypatch.setattr("turnout.serve.app.fit", fit)
    return made


def app(**options: Any) -> App:
    made = App(classifier="local", **options)
    made.add(pay, refund)
    made.reason_with(lambda request: "the model")
    return made


async def test_actions_teach_by_their_examples_and_a_file_adds_more(
    fits: list[tuple[Material, threading.Thread]], tmp_path: Path
) -> None:
    rows = [
        {"text": "money back", "actions": ["refund"]},
        {"text": "both", "actions": ["pay", {"id": "refund", "parameters": {}}]},
        {"text": "why?", "actions": []},
    ]
    path = tmp_path / "examples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    async with app(examples=path) as made:
        assert (await made.process("pay the bill")).text == "paid"
        assert (await made.process("money back")).text == "refunded"
        assert (await made.process("something else")).text == "the model"
    [(material, _)] = fits
    assert [each.id for each in material.descriptors] == ["pay", "refund"]
    assert material.examples == (
        Labelled(text="money back", actions=("refund",)),
        Labelled(text="both", actions=("pay", "refund")),
    )
    assert material.negatives == {"pay": ("pay attention",)}
    assert material.reasoning == ("why?",)


async def test_it_is_fitted_before_the_first_request_and_not_on_the_event_loop(
    fits: list[tuple[Material, threading.Thread]],
) -> None:
    made = app()
    async with made.lifespan():
        [(_, thread)] = fits
        assert thread is not threading.main_thread()
        assert (await made.process("pay the bill")).text == "paid"
    assert len(fits) == 1


async def test_requests_at_once_fit_once(
    fits: list[tuple[Material, threading.Thread]], monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    slow = threading.Event()

    def fit(material: Material) -> Knows:
        slow.wait(5)
        fits.append((material, threading.current_thread()))
        return Knows(material=material)

    monkeypatch.setattr("turnout.serve.app.fit", fit)
    async with app() as made:
        asking = [asyncio.create_task(made.process("pay the bill")) for _ in range(4)]
        await asyncio.sleep(0)
        slow.set()
        assert {answer.text for answer in await asyncio.gather(*asking)} == {"paid"}
    assert len(fits) == 1


def calibration(ours: float, fingerprint: str = "by heart") -> Calibration:
    return Calibration(
        thresholds=Thresholds(ours=ours, margin=0.0),
        promise=Promise(),
        counts=Counts(),
        proven=0.01,
        fingerprint=fingerprint,
    )


async def test_a_calibration_sets_the_thresholds(
    fits: list[tuple[Material, threading.Thread]], tmp_path: Path
) -> None:
    path = tmp_path / "calibration.json"
    save(calibration(0.4), path)
    async with app(calibration=path) as made:
        assert (await made.process("something else")).text == "paid"
        found = await made.explain("something else")
        assert found.candidates[0].threshold == 0.4
    assert fits


async def test_a_calibration_of_other_actions_stops_the_start(
    fits: list[tuple[Material, threading.Thread]], tmp_path: Path
) -> None:
    path = tmp_path / "calibration.json"
    save(calibration(0.4, "others"), path)
    made = app(calibration=path)
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "lifespan.startup"}

    async def send(message: Any) -> None:
        sent.append(message)

    await made({"type": "lifespan"}, receive, send)
    assert [message["type"] for message in sent] == ["lifespan.startup.failed"]
    assert "made for other actions" in sent[0]["message"]
    with pytest.raises(Misconfigured, match="made for other actions"):
        async with made.lifespan():
            raise AssertionError("it may not start")


async def test_a_calibration_that_is_not_there_yet_stops_the_start_and_not_the_making_of_one(
    fits: list[tuple[Material, threading.Thread]], tmp_path: Path
) -> None:
    made = app(calibration=tmp_path / "none.json")
    assert made.local is not None
    assert made.local.fitted().fingerprint == "by heart"
    with pytest.raises(Misconfigured, match=r"none\.json: cannot be read"):
        await made.prepare()
    await made.aclose()


async def test_an_example_of_an_action_that_is_not_there_is_named(
    fits: list[tuple[Material, threading.Thread]],
) -> None:
    made = app(examples=[Labelled(text="la", actions=("sing",))])
    with pytest.raises(Misconfigured, match="there is no action 'sing'"):
        await made.prepare()
    assert not fits
    await made.aclose()


async def test_rules_may_come_first(fits: list[tuple[Material, threading.Thread]]) -> None:
    made = App(classifier=["rules", "local"])

    @made.action(patterns=["stop"], template="stopped")
    def stop() -> None:
        """Stop."""

    made.add(pay)
    made.reason_with(lambda request: "the model")
    async with made:
        assert (await made.process("stop")).text == "stopped"
        assert not fits
        assert (await made.process("pay the bill")).text == "paid"


async def test_a_name_that_stands_for_no_classifier_is_refused() -> None:
    made = App(classifier="majority")
    made.add(pay)
    with pytest.raises(Misconfigured, match="'majority' is no classifier; expected one of rules, local"):
        await made.prepare()
    await made.aclose()


async def test_a_shadow_records_over_http_and_the_model_answers(
    fits: list[tuple[Material, threading.Thread]], tmp_path: Path
) -> None:
    path = tmp_path / "shadow.jsonl"
    made = app(shadow=path)
    body = {"model": "any", "messages": [{"role": "user", "content": "pay the bill"}]}
    async with made.lifespan():
        answer = await call(made, "/v1/chat/completions", json.dumps(body).encode())
        assert answer.json["choices"][0]["message"]["content"] == "the model"
    [row] = [msgspec.json.decode(line, type=Shadowed) for line in path.read_bytes().splitlines()]
    assert (row.text, row.actions[0].id, row.model) == ("pay the bill", "pay", "any")
    assert abs(row.time - time.time()) < 60
