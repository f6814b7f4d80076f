"""The reasoning step and the middleware that hosts write themselves."""

from typing import Any

import pytest
from plane_fakes import (
    BOTH,
    Decodes,
    Engine,
    answering,
    choosing,
    raising,
    reply,
    request,
    run,
    said,
    served,
    wording,
)

from turnout.errors import StageError
from turnout.model import Descriptors, Reply, Request, Step, Text, Thread, lane
from turnout.model.context import Context
from turnout.plane import (
    ControlPlane,
    Interception,
    Reasoning,
    action_descriptors,
    reason_with,
    step,
    with_action_descriptors,
)


@pytest.mark.states("P-049")
@pytest.mark.parametrize("engine", [None, "a model", 7])
def test_reasoning_needs_an_engine(engine: Any) -> None:
    with pytest.raises(TypeError):
        Reasoning(engine)


@pytest.mark.states("P-049")
@pytest.mark.parametrize("engine", [lambda: None, lambda a, b, c: None])
def test_reasoning_refuses_an_engine_of_another_shape(engine: Any) -> None:
    with pytest.raises(TypeError, match="neither"):
        Reasoning(engine)


@pytest.mark.states("P-050", "P-069")
def test_an_engine_is_given_the_request_and_the_descriptors_of_its_context() -> None:
    seen: list[Any] = []

    async def engine(given: Request, descriptors: Descriptors) -> Reply:
        seen.append((given, descriptors))
        return reply()

    sent = request(context=with_action_descriptors(Context(), BOTH))
    run(ControlPlane([Reasoning(engine)]).process(sent))
    assert seen == [(sent, BOTH)]
    assert seen[0][0] is sent


@pytest.mark.states("P-053", "P-148")
def test_without_an_interception_the_descriptors_are_empty_and_it_answers() -> None:
    def engine(_given: Request, descriptors: Descriptors) -> Reply:
        return reply(repr(descriptors))

    assert said(run(ControlPlane([Reasoning(engine)]).process(request()))) == "()"


@pytest.mark.states("P-148")
def test_descriptors_travel_in_the_context() -> None:
    context = with_action_descriptors(Context(), BOTH)
    assert action_descriptors(context) == BOTH
    assert action_descriptors(Context()) == ()


class ProviderLike:
    """As a provider is: a step that is an object."""

    async def __call__(self, request: Request) -> Reply:
        return reply(f"{request.model} answers")


async def optional(request: Request, descriptors: Descriptors = ()) -> Reply:
    return reply(f"{request.model} answers")


async def anything(*args: Any) -> Reply:
    return reply(f"{args[0].model} answers" if len(args) == 1 else f"{len(args)} arguments")


@pytest.mark.parametrize(
    "engine",
    [
        ProviderLike(),
        optional,
        lambda request: reply(f"{request.model} answers"),
        ControlPlane([Reasoning(ProviderLike())]),
        reason_with(anything),
    ],
    ids=["provider", "optional second argument", "sync function", "control plane", "reason_with"],
)
def test_a_step_is_an_engine(engine: Any) -> None:
    assert said(run(ControlPlane([Reasoning(engine)]).process(request()))) == "m answers"


def test_a_function_of_any_arguments_is_taken_for_an_engine() -> None:
    assert said(run(ControlPlane([Reasoning(anything)]).process(request()))) == "2 arguments"


@pytest.mark.states("P-051")
@pytest.mark.parametrize("engine", [answering(), raising(OSError())])
def test_reasoning_never_calls_the_rest_of_the_chain(engine: Any) -> None:
    called: list[Request] = []

    async def rest(given: Request) -> Reply:
        called.append(given)
        return reply()

    try:
        run(Reasoning(engine)(rest)(request()))
    except StageError as error:
        assert error.stage == "reason"  # noqa: PT017 -- whether it fails is not the question
    assert called == []


@pytest.mark.states("P-044", "P-052")
@pytest.mark.parametrize("engine", [lambda request: None, lambda request, descriptors: None])
def test_an_engine_that_gives_nothing_has_failed(engine: Any) -> None:
    with pytest.raises(StageError, match="reason: the engine gave no reply"):
        run(ControlPlane([Reasoning(engine)]).process(request()))


@pytest.mark.states("P-022", "P-052")
def test_an_engine_s_failure_is_that_of_the_stage() -> None:
    async def engine(_given: Request, _descriptors: Descriptors) -> Reply:
        raise OSError("no route")

    with pytest.raises(StageError) as caught:
        run(ControlPlane([Reasoning(engine)]).process(request()))
    assert isinstance(caught.value.__cause__, OSError)
    assert not caught.value.may_have_acted


@pytest.mark.states("P-003")
def test_a_request_that_only_passes_is_never_decoded() -> None:
    decode = Decodes()
    plane = ControlPlane([Interception(choosing(), Engine(), wording), Reasoning(answering())])
    run(plane.process(served(decode)))
    assert decode.times == 0


# ---- steps of the host -------------------------------------------------------------------------


@pytest.mark.states("P-030")
def test_a_step_may_route_the_model_and_leave_the_rest_as_it_came() -> None:
    @step
    async def route(given: Request, next: Step) -> Reply:
        return await next(given.replace(model="small"))

    seen: list[Request] = []

    async def rest(given: Request) -> Reply:
        seen.append(given)
        return reply()

    sent = served(Decodes())
    run(ControlPlane([route, Reasoning(rest)]).process(sent))
    assert (seen[0].model, lane(seen[0], "openai-chat"), sent.model) == ("small", "splice", "m")


@pytest.mark.states("P-031")
def test_a_step_may_add_to_the_context_for_the_rest() -> None:
    @step
    async def thread(given: Request, next: Step) -> Reply:
        return await next(given.replace(context=given.context.with_(Thread(id="t1"))))

    def engine(given: Request) -> Reply:
        return reply(given.context[Thread].id)

    sent = request()
    assert said(run(ControlPlane([thread, Reasoning(engine)]).process(sent))) == "t1"
    assert Thread not in sent.context


@pytest.mark.states("P-032", "P-033")
def test_a_step_that_rewrites_the_messages_leaves_the_caller_s_request_alone() -> None:
    @step
    async def shout(given: Request, next: Step) -> Reply:
        louder = tuple(
            type(message)(role=message.role, parts=(Text(text=message.text.upper()),))
            for message in given.messages
        )
        return await next(given.replace(messages=louder))

    sent = request("quiet")
    before = sent.body
    plane = ControlPlane([shout, Reasoning(lambda given: reply(given.last_user_text))])
    assert said(run(plane.process(sent))) == "QUIET"
    assert sent.body is before
    assert sent.last_user_text == "quiet"


@pytest.mark.states("P-028", "P-069")
def test_a_function_of_any_kind_becomes_a_middleware() -> None:
    @step
    def passes(given: Request, next: Step) -> Any:
        """Pass it on."""
        return next(given)

    @step
    def answers(given: Request, next: Step) -> Reply:
        return reply("sync")

    @step
    async def positional(given: Request, next: Step, /) -> Reply:
        return await next(given)

    class Method:
        async def __call__(self, given: Request, rest: Step) -> Reply:
            return await rest(given)

    chain = [passes, positional, step(Method())]
    assert said(run(ControlPlane([*chain, answers]).process(request()))) == "sync"
    assert said(run(ControlPlane([*chain, Reasoning(answering())]).process(request()))) == "from the model"
    assert passes.__name__ == "passes"
    assert passes.__doc__ == "Pass it on."


@pytest.mark.parametrize("function", [None, 3])
def test_what_is_no_function_becomes_no_middleware(function: Any) -> None:
    with pytest.raises(TypeError):
        step(function)


def test_a_middleware_may_be_used_in_many_chains() -> None:
    @step
    async def passes(given: Request, next: Step) -> Reply:
        return await next(given)

    first = ControlPlane([passes, Reasoning(answering("first"))])
    second = ControlPlane([passes, Reasoning(answering("second"))])
    assert [said(run(plane.process(request()))) for plane in (first, second)] == ["first", "second"]
