"""The composite classifier: two stages, each given what it needs."""

from typing import Any

import pytest
from plane_fakes import BOTH, RESTART, Engine, raising, reply, request, run, wording

from turnout.errors import StageError
from turnout.model import ActionIntent, Ask, Descriptors, Intent, Request
from turnout.plane import CompositeClassifier, ControlPlane, Interception, Reasoning


def selecting(*chosen: Any) -> Any:
    async def select(_request: Request, _descriptors: Descriptors) -> Any:
        return chosen

    return select


async def extracting(_request: Request, descriptors: Descriptors) -> tuple[ActionIntent, ...]:
    return tuple(
        ActionIntent(action_id=descriptor.id, params={"service": "api"}) for descriptor in descriptors
    )


@pytest.mark.states("P-070")
@pytest.mark.parametrize("stages", [(None, extracting), (selecting(), None)])
def test_a_composite_needs_both_stages(stages: Any) -> None:
    with pytest.raises(TypeError, match="CompositeClassifier needs"):
        CompositeClassifier(*stages)


@pytest.mark.states("P-068", "P-070", "P-071", "P-073")
def test_selection_sees_all_actions_and_extraction_the_selected_ones() -> None:
    seen: list[Any] = []

    async def select(given: Request, descriptors: Descriptors) -> Descriptors:
        seen.append((given, descriptors))
        return (RESTART,)

    async def extract(given: Request, descriptors: Descriptors) -> tuple[ActionIntent, ...]:
        seen.append((given, descriptors))
        return await extracting(given, descriptors)

    sent = request()
    intent = run(CompositeClassifier(select, extract)(sent, BOTH))
    assert intent == Intent(actions=(ActionIntent(action_id="ops.restart", params={"service": "api"}),))
    assert seen == [(sent, BOTH), (sent, (RESTART,))]


@pytest.mark.states("P-072")
@pytest.mark.parametrize("nothing", [(), [], None])
def test_nothing_selected_means_reasoning_and_no_extraction(nothing: Any) -> None:
    composite = CompositeClassifier(lambda *_: nothing, raising(AssertionError("extracted")))
    assert run(composite(request(), BOTH)) == Intent()


@pytest.mark.states("P-074")
def test_a_parameter_that_is_not_given_is_left_out() -> None:
    composite = CompositeClassifier(selecting(RESTART), lambda *_: [ActionIntent(action_id="ops.restart")])  # pyright: ignore[reportArgumentType]
    assert run(composite(request(), BOTH)).actions == (ActionIntent(action_id="ops.restart", params={}),)


def test_a_selector_that_asks_is_heard() -> None:
    ask = Ask(question="Which?")
    assert run(CompositeClassifier(lambda *_: ask, extracting)(request(), BOTH)) is ask


@pytest.mark.states("P-022", "P-075")
@pytest.mark.parametrize("stage", ["select", "extract"])
def test_a_failing_stage_is_named_once_even_through_the_interception(stage: str) -> None:
    cause = OSError("model down")
    stages = {"select": (raising(cause), extracting), "extract": (selecting(RESTART), raising(cause))}
    composite = CompositeClassifier(*stages[stage])
    plane = ControlPlane([Interception(composite, Engine(*BOTH), wording), Reasoning(lambda _: reply())])
    for work in (composite(request(), BOTH), plane.process(request())):
        with pytest.raises(StageError) as caught:
            run(work)
        assert str(caught.value) == f"turnout: classify: {stage}: failed"
        assert caught.value.__cause__ is cause


@pytest.mark.states("P-075")
def test_an_extractor_that_gives_nothing_has_failed() -> None:
    with pytest.raises(StageError, match="classify: extract"):
        run(CompositeClassifier(selecting(RESTART), lambda *_: None)(request(), BOTH))  # pyright: ignore[reportArgumentType]
