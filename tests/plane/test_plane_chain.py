"""The chain: its order, what it costs, and what comes out of it when something fails."""

import asyncio
from typing import Any

import pytest
from plane_fakes import BOTH, Engine, answering, choosing, raising, reply, request, run, said, wording

from turnout.errors import (
    Cancelled,
    DeliveryError,
    InvalidRequest,
    Misconfigured,
    ProviderError,
    RunTimedOut,
    StageError,
    Unsupported,
)
from turnout.model import Reply, Request, Step
from turnout.model.context import Context
from turnout.plane import ControlPlane, Interception, Reasoning, step


def noting(name: str, calls: list[str]) -> Any:
    @step
    async def note(given: Request, next: Step) -> Reply:
        calls.append(name)
        return await next(given)

    return note


@pytest.mark.states("P-014", "P-015", "P-026")
def test_a_request_goes_through_the_steps_in_the_order_given() -> None:
    calls: list[str] = []
    plane = ControlPlane([noting("first", calls), noting("second", calls), Reasoning(answering("last"))])
    assert said(run(plane.process(request()))) == "last"
    assert calls == ["first", "second"]


def test_middleware_may_be_given_one_by_one() -> None:
    calls: list[str] = []
    plane = ControlPlane(noting("first", calls), noting("second", calls), Reasoning(answering()))
    run(plane(request()))
    assert calls == ["first", "second"]


@pytest.mark.states("P-014", "P-019", "P-029")
def test_the_first_step_that_answers_bypasses_the_rest() -> None:
    calls: list[str] = []

    @step
    async def answers(_request: Request, next: Step) -> Reply:
        return reply("enough")

    plane = ControlPlane([noting("first", calls), answers, noting("never", calls)])
    assert said(run(plane.process(request()))) == "enough"
    assert calls == ["first"]


@pytest.mark.states("P-016")
def test_a_control_plane_without_middleware_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="at least one"):
        ControlPlane([])


@pytest.mark.states("P-017")
@pytest.mark.parametrize("given", [[None], [Reasoning(answering()), None], None, ["middleware"]])
def test_a_control_plane_refuses_what_is_no_middleware(given: Any) -> None:
    with pytest.raises(TypeError):
        ControlPlane(given)


@pytest.mark.states("P-017")
def test_a_middleware_that_gives_no_step_is_refused() -> None:
    with pytest.raises(TypeError, match="made None"):
        ControlPlane([lambda next: None])  # pyright: ignore[reportArgumentType]


@pytest.mark.states("P-018", "P-028")
def test_the_chain_is_built_once_whatever_the_number_of_requests() -> None:
    built: list[Step] = []

    def middleware(next: Step) -> Step:
        built.append(next)
        return next

    plane = ControlPlane([middleware, Reasoning(answering())])
    for _ in range(3):
        run(plane.process(request()))
    assert len(built) == 1


def test_a_sync_step_is_a_step() -> None:
    plane = ControlPlane([lambda next: lambda given: reply("at once")])  # pyright: ignore[reportArgumentType]
    assert said(run(plane.process(request()))) == "at once"


def test_a_chain_that_nobody_answers_says_so() -> None:
    plane = ControlPlane([noting("only", [])])
    with pytest.raises(Misconfigured, match="no step"):
        run(plane.process(request()))


@pytest.mark.states("P-024", "P-025")
def test_what_a_step_of_the_host_raises_propagates_as_it_is() -> None:
    bug = ZeroDivisionError("a bug")
    plane = ControlPlane([lambda next: raising(bug)])
    with pytest.raises(ZeroDivisionError) as caught:
        run(plane.process(request()))
    assert caught.value is bug


@pytest.mark.states("P-020", "P-021", "P-022")
def test_a_failure_names_its_stage_once_and_keeps_its_cause() -> None:
    cause = ConnectionError("secret.host refused")
    inner = ControlPlane([Reasoning(raising(cause))])
    outer = ControlPlane([Reasoning(ControlPlane([Reasoning(inner)]))])
    with pytest.raises(StageError) as caught:
        run(outer.process(request()))
    error = caught.value
    assert str(error) == "turnout: reason: failed"
    assert (error.stage, error.status, error.may_have_acted) == ("reason", 502, False)
    assert error.__cause__ is cause


@pytest.mark.states("P-021", "P-044")
def test_a_nested_plane_keeps_the_stage_at_which_it_failed() -> None:
    inner = ControlPlane([Interception(raising(OSError()), Engine(*BOTH), wording), Reasoning(answering())])
    with pytest.raises(StageError) as caught:
        run(ControlPlane([Reasoning(inner)]).process(request()))
    assert str(caught.value) == "turnout: classify: failed"


@pytest.mark.states("P-022", "P-024")
def test_a_failure_of_another_stage_inside_a_component_is_the_component_s_cause() -> None:
    inner = StageError("reason")
    plane = ControlPlane([Interception(raising(inner), Engine(*BOTH), wording)])
    with pytest.raises(StageError) as caught:
        run(plane.process(request()))
    assert (caught.value.stage, caught.value.__cause__) == ("classify", inner)
    assert str(caught.value).count("turnout:") == 1


ENDS = [
    Cancelled("stopped"),
    RunTimedOut("late"),
    DeliveryError("gone"),
    asyncio.CancelledError(),
    KeyboardInterrupt(),
]


@pytest.mark.states("P-020", "P-023")
@pytest.mark.parametrize("end", ENDS, ids=lambda end: type(end).__name__)
def test_what_ends_the_request_as_a_whole_is_not_wrapped(end: BaseException) -> None:
    async def main() -> None:
        with pytest.raises(type(end)) as caught:
            await ControlPlane([Interception(raising(end), Engine(*BOTH), wording)]).process(request())
        assert caught.value is end

    work = main()
    with pytest.raises(StopIteration):
        work.send(None)


@pytest.mark.states("P-023")
def test_a_cancelled_request_is_cancelled_and_nothing_else() -> None:
    started = asyncio.Event()

    async def waits(_request: Request, _descriptors: Any) -> Any:
        started.set()
        await asyncio.Event().wait()

    async def main() -> None:
        plane = ControlPlane([Interception(waits, Engine(*BOTH), wording)])
        task = asyncio.ensure_future(plane.process(request()))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert task.cancelled()

    run(main())


@pytest.mark.states("P-023")
def test_the_host_s_own_timeout_is_a_timeout() -> None:
    async def waits(_request: Request) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError

    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await ControlPlane([Reasoning(waits)]).process(request())

    run(main())


@pytest.mark.states("P-023")
def test_a_timeout_is_the_request_s_once_its_deadline_has_passed_and_else_the_component_s() -> None:
    async def main(deadline: float | None) -> None:
        now = asyncio.get_running_loop().time()
        context = Context(deadline=None if deadline is None else now + deadline)
        await ControlPlane([Reasoning(raising(TimeoutError("too slow")))]).process(request(context=context))

    with pytest.raises(TimeoutError):
        run(main(0))
    for later in (None, 60.0):
        with pytest.raises(StageError) as caught:
            run(main(later))
        assert isinstance(caught.value.__cause__, TimeoutError)


@pytest.mark.states("P-052")
@pytest.mark.parametrize(
    "error",
    [
        ProviderError("slow down", kind="rate_limit", status_code=429),
        InvalidRequest("not a list", param="messages"),
        Unsupported("logit_bias"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_the_reasoning_engine_s_own_error_reaches_the_caller_as_itself(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        run(ControlPlane([Reasoning(raising(error))]).process(request()))
    assert caught.value is error


@pytest.mark.states("P-027")
def test_the_usual_chain_acts_first_and_reasons_otherwise() -> None:
    def plane(*chosen: str) -> ControlPlane:
        return ControlPlane([Interception(choosing(*chosen), Engine(*BOTH), wording), Reasoning(answering())])

    assert said(run(plane("ops.version").process(request()))) == "ops.version done"
    assert said(run(plane().process(request()))) == "from the model"


def test_a_request_creates_no_task_of_its_own() -> None:
    async def main() -> None:
        before = asyncio.all_tasks()
        plane = ControlPlane([Interception(choosing(), Engine(), wording), Reasoning(answering())])
        await plane.process(request())
        assert asyncio.all_tasks() == before

    run(main())


def test_a_request_through_instant_steps_never_waits() -> None:
    plane = ControlPlane([Interception(choosing(), Engine(*BOTH), wording), Reasoning(answering())])
    with pytest.raises(StopIteration):
        plane.process(request()).send(None)  # pyright: ignore[reportAttributeAccessIssue]
