"""Interception: what runs, in which order, and what is passed on."""

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plane_fakes import (
    BOTH,
    MALFORMED,
    RESTART,
    VERSION,
    Decodes,
    Engine,
    choosing,
    raising,
    reply,
    request,
    run,
    said,
    served,
    wording,
)

from turnout.errors import Conflict, Forbidden, InvalidRequest, ProviderError, StageError
from turnout.model import (
    ActionDescriptor,
    ActionIntent,
    ActionResult,
    Ask,
    Body,
    Candidate,
    Classification,
    Descriptors,
    Extra,
    Intent,
    Message,
    OutputFormat,
    Reply,
    Request,
    Source,
    Synthesis,
    Text,
    ToolChoice,
    ToolResult,
    lane,
)
from turnout.model.utterance import Kind, Utterance
from turnout.plane import ControlPlane, Explanation, Interception, Reasoning, Turn, action_descriptors


class PassedOn:
    """The rest of a chain, which keeps what it is given."""

    def __init__(self) -> None:
        self.seen: list[Request] = []

    async def __call__(self, given: Request) -> Reply:
        self.seen.append(given)
        return reply("from the model")


@pytest.mark.states("P-035")
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_an_interception_needs_all_its_components(missing: int) -> None:
    components: list[Any] = [choosing(), Engine(), wording]
    components[missing] = None
    with pytest.raises(TypeError, match="needs"):
        Interception(*components)


@pytest.mark.states("P-002", "P-004", "P-036", "P-038", "P-040", "P-042", "P-043")
def test_one_request_takes_one_call_of_each_component_in_order() -> None:
    calls: list[str] = []

    async def synthesize(synthesis: Synthesis) -> Reply:
        calls.append("synthesize")
        return await wording(synthesis)

    rest = PassedOn()
    step = Interception(choosing("ops.restart", calls=calls), Engine(*BOTH, calls=calls), synthesize)(rest)
    assert said(run(step(request()))) == "ops.restart done"
    assert calls == ["descriptors", "classify", "execute", "synthesize"]
    assert rest.seen == []


@pytest.mark.states("P-011", "P-038", "P-042", "P-056")
def test_each_component_is_given_what_it_needs() -> None:
    seen: dict[str, Any] = {}
    intent = Intent(actions=(ActionIntent(action_id="ops.restart", params={"service": "api"}),))
    results = (ActionResult(action_id="ops.restart", status="done"),)

    class Spy:
        async def descriptors(self, given: Request) -> Descriptors:
            seen["descriptors"] = given
            return BOTH

        async def execute(
            self, given: Request, intents: tuple[ActionIntent, ...]
        ) -> tuple[ActionResult, ...]:
            seen["execute"] = (given, intents)
            return results

    async def classify(given: Request, descriptors: Descriptors) -> Intent:
        seen["classify"] = (given, descriptors)
        return intent

    async def synthesize(synthesis: Synthesis) -> Reply:
        seen["synthesize"] = synthesis
        return reply()

    sent = request("restart api")
    run(Interception(classify, Spy(), synthesize)(PassedOn())(sent))
    assert seen["descriptors"] is sent
    heard, descriptors = seen["classify"]
    assert descriptors == BOTH
    assert heard.body is sent.body
    assert heard.context[Utterance].text == "restart api"
    assert seen["execute"][1] == intent.actions
    synthesis = seen["synthesize"]
    assert (synthesis.intent, synthesis.results) == (intent, results)
    assert synthesis.request.body is sent.body


@pytest.mark.states("P-003", "P-037")
def test_without_actions_the_very_request_goes_on_undecoded_and_unclassified() -> None:
    calls: list[str] = []
    decode = Decodes()
    rest = PassedOn()
    sent = served(decode)
    run(Interception(choosing("x", calls=calls), Engine(), wording)(rest)(sent))
    assert rest.seen[0] is sent
    assert (calls, decode.times) == ([], 0)


@pytest.mark.states("P-003", "P-039", "P-046", "P-048")
def test_a_request_for_no_action_goes_on_untouched_with_the_descriptors() -> None:
    decode = Decodes()
    rest = PassedOn()
    sent = served(decode)
    engine = Engine(*BOTH)
    run(Interception(choosing(), engine, wording)(rest)(sent))
    passed = rest.seen[0]
    assert passed.source is sent.source
    assert lane(passed, "openai-chat") == "bytes"
    assert action_descriptors(passed.context) == BOTH
    assert Utterance not in passed.context
    assert engine.calls == ["descriptors"]
    assert decode.times == 1


@pytest.mark.states("P-046", "P-055")
def test_the_descriptors_are_those_of_the_request() -> None:
    class Narrowing:
        async def descriptors(self, given: Request) -> Descriptors:
            return BOTH if given.model == "admin" else (VERSION,)

        async def execute(self, *_: Any) -> Any:
            raise AssertionError

    rest = PassedOn()
    seen: list[Descriptors] = []

    async def classify(_request: Request, descriptors: Descriptors) -> Intent:
        seen.append(descriptors)
        return Intent()

    step = Interception(classify, Narrowing(), wording)(rest)
    run(step(request()))
    run(step(request().replace(model="admin")))
    assert seen == [(VERSION,), BOTH]
    assert [action_descriptors(passed.context) for passed in rest.seen] == seen


@pytest.mark.states("P-041")
def test_several_actions_run_in_one_call() -> None:
    engine = Engine(*BOTH)
    step = Interception(choosing("ops.restart", "ops.version"), engine, wording)(PassedOn())
    assert said(run(step(request()))) == "ops.restart done; ops.version done"
    assert [[intent.action_id for intent in intents] for intents in engine.executed] == [
        ["ops.restart", "ops.version"]
    ]


@pytest.mark.states("P-010", "P-047", "P-058", "P-061")
def test_an_unknown_action_reaches_the_engine_which_says_so() -> None:
    step = Interception(choosing("made.up"), Engine(*BOTH), wording)(PassedOn())
    assert said(run(step(request()))) == "made.up failed"


STAGES: list[tuple[str, dict[str, Any], bool]] = [
    ("descriptors", {"engine": lambda error: Engine(*BOTH, descriptors=error)}, False),
    ("classify", {"classifier": raising}, False),
    ("execute", {"engine": lambda error: Engine(*BOTH, execute=error)}, True),
    ("synthesize", {"synthesizer": raising}, True),
]


def failing(components: dict[str, Any], error: Exception) -> Interception:
    made = {name: make(error) for name, make in components.items()}
    return Interception(
        made.get("classifier", choosing("ops.restart")),
        made.get("engine", Engine(*BOTH)),
        made.get("synthesizer", wording),
    )


@pytest.mark.states("P-022", "P-025", "P-044", "P-045", "P-057")
@pytest.mark.parametrize(
    "cause", [ConnectionError("queue down"), ProviderError("no key", status_code=401)], ids=repr
)
@pytest.mark.parametrize(("stage", "components", "acted"), STAGES, ids=[stage for stage, *_ in STAGES])
def test_a_component_s_error_is_the_stage_s_and_never_an_answer(
    stage: str, components: dict[str, Any], acted: bool, cause: Exception
) -> None:
    rest = PassedOn()
    with pytest.raises(StageError) as caught:
        run(failing(components, cause)(rest)(request()))
    error = caught.value
    assert (error.stage, str(error), error.may_have_acted) == (stage, f"turnout: {stage}: failed", acted)
    assert error.__cause__ is cause
    assert rest.seen == []


@pytest.mark.parametrize(("stage", "components", "acted"), STAGES, ids=[stage for stage, *_ in STAGES])
def test_a_component_that_names_its_stage_itself_is_not_named_twice(
    stage: Any, components: dict[str, Any], acted: bool
) -> None:
    own = StageError(stage, "the registry is down")
    with pytest.raises(StageError) as caught:
        run(failing(components, own)(PassedOn())(request()))
    assert caught.value is own
    assert own.may_have_acted is acted


@pytest.mark.parametrize(("stage", "components", "acted"), STAGES, ids=[stage for stage, *_ in STAGES])
def test_the_engine_may_refuse_a_request_and_a_classifier_s_own_request_is_no_matter_of_the_client(
    stage: str, components: dict[str, Any], acted: bool
) -> None:
    for refusal in (Forbidden("not for you"), Conflict("this is running")):
        with pytest.raises(type(refusal) if "engine" in components else StageError) as caught:
            run(failing(components, refusal)(PassedOn())(request()))
        assert caught.value.may_have_acted is acted


def test_a_body_that_does_not_decode_stays_the_client_s_fault() -> None:
    engine = Engine(*BOTH)
    with pytest.raises(InvalidRequest) as caught:
        run(Interception(choosing("x"), engine, wording)(PassedOn())(served(Decodes(error=MALFORMED))))
    assert caught.value is MALFORMED
    assert engine.calls == ["descriptors"]


def test_a_body_that_the_engine_cannot_decode_stays_the_client_s_fault() -> None:
    class Reads(Engine):
        async def descriptors(self, given: Request) -> Descriptors:
            return BOTH if given.messages else ()

    with pytest.raises(InvalidRequest) as caught:
        run(Interception(choosing(), Reads(), wording)(PassedOn())(served(Decodes(error=MALFORMED))))
    assert caught.value.param == "messages"


@pytest.mark.states("P-056")
@pytest.mark.parametrize("count", [0, 1, 3])
def test_an_engine_that_gives_another_number_of_results_has_failed(count: int) -> None:
    class Miscounts(Engine):
        async def execute(self, *_: Any) -> tuple[ActionResult, ...]:
            return tuple(ActionResult(action_id="ops.restart", status="done") for _ in range(count))

    step = Interception(choosing("ops.restart", "ops.version"), Miscounts(*BOTH), wording)(PassedOn())
    with pytest.raises(StageError, match=f"execute: the engine gave {count} results for 2") as caught:
        run(step(request()))
    assert caught.value.may_have_acted


def test_a_synthesizer_that_gives_no_reply_has_failed_after_the_action() -> None:
    with pytest.raises(StageError, match="synthesize") as caught:
        run(Interception(choosing("ops.version"), Engine(*BOTH), lambda _: None)(PassedOn())(request()))  # pyright: ignore[reportArgumentType]
    assert caught.value.may_have_acted


def test_a_classifier_that_gives_neither_an_intent_nor_a_question_has_failed() -> None:
    with pytest.raises(StageError, match="classify"):
        run(Interception(lambda *_: None, Engine(*BOTH), wording)(PassedOn())(request()))  # pyright: ignore[reportArgumentType]


def test_a_question_of_the_classifier_is_the_answer_and_nothing_runs() -> None:
    async def unsure(*_: Any) -> Ask:
        return Ask(question="Which service?", candidates=("ops.restart",))

    engine = Engine(*BOTH)
    rest = PassedOn()
    assert said(run(Interception(unsure, engine, wording)(rest)(request("restart it")))) == "Which service?"
    assert (engine.calls, rest.seen) == (["descriptors"], [])


@pytest.mark.states("P-069")
def test_sync_components_are_components() -> None:
    class Plain:
        def descriptors(self, _request: Request) -> list[ActionDescriptor]:
            return [VERSION]

        def execute(self, _request: Request, intents: tuple[ActionIntent, ...]) -> list[ActionResult]:
            return [ActionResult(action_id=intent.action_id, status="ok") for intent in intents]

    def classify(_request: Request, descriptors: Descriptors) -> Intent:
        return Intent(actions=tuple(ActionIntent(action_id=descriptor.id) for descriptor in descriptors))

    step = Interception(classify, Plain(), lambda synthesis: reply(synthesis.results[0].status))(PassedOn())  # pyright: ignore[reportArgumentType]
    assert said(run(step(request()))) == "ok"


def never(*_: Any) -> Any:
    raise AssertionError("this request is not to be classified")


def extra(must: str = "", **members: str) -> Extra:
    return Extra(protocol="openai-chat", members=members, must=frozenset({must} - {""}))


UNFIT_FORMS: dict[str, Body] = {
    "several answers": request(extra=extra("n", n="2")).body,
    "log probabilities": request(extra=extra("logprobs", logprobs="true")).body,
    "log probabilities of an item": request(extra=extra(include='["message.output_text.logprobs"]')).body,
    "audio": request(output=frozenset({"text", "audio"})).body,
    "an image": request(output=frozenset({"image"})).body,
    "JSON": request(format=OutputFormat(kind="json")).body,
    "JSON of a schema": request(format=OutputFormat(kind="json_schema", schema="{}")).body,
    "any tool call": request(tool_choice=ToolChoice(mode="required")).body,
    "a named tool call": request(tool_choice=ToolChoice(mode="required", names=("f",))).body,
    "a named function call": request(extra=extra("function_call", function_call='{"name":"f"}')).body,
    "an older JSON form": request(extra=extra("response_format", response_format='{"type":"yaml"}')).body,
    "a modality without a name": request(extra=extra("modalities", modalities='["video"]')).body,
    "the background": request(background=True).body,
    "a response before": request(previous="resp_1").body,
    "a conversation": request(conversation="conv_1").body,
}

UNFIT_TURNS: dict[str, Body] = {
    "a long text": request("x " * 2001).body,
    "nothing": request(" ").body,
    "a continuation": Body(
        messages=(
            *request().messages,
            Message(role="tool", parts=(ToolResult(call_id="1", parts=(Text(text="restart api"),)),)),
        )
    ),
    "a prefill": Body(messages=(*request().messages, Message(role="assistant", parts=(Text(text="Sure"),)))),
}


def interception(turn: Turn | None) -> tuple[Interception, Engine]:
    engine = Engine(*BOTH)
    return Interception(never, engine, wording, turn=turn), engine


def obviously(_request: Request) -> Utterance:
    return Utterance(kind="request", text="restart api")


UNFIT = [
    *((content, turn) for content in UNFIT_FORMS.values() for turn in (None, obviously)),
    *((content, None) for content in UNFIT_TURNS.values()),
]
NAMES = [*(f"{name}, {turn}" for name in UNFIT_FORMS for turn in ("as read", "as told")), *UNFIT_TURNS]


@pytest.mark.parametrize(("content", "turn"), UNFIT, ids=NAMES)
def test_what_an_action_s_reply_cannot_be_is_passed_on_untouched(content: Body, turn: Turn | None) -> None:
    rest = PassedOn()
    intercepting, engine = interception(turn)
    source = Source(protocol="openai-chat", body=b"{}")
    sent = Request(model="m", source=source, decode=lambda: content)
    run(intercepting(rest)(sent))
    assert rest.seen[0].source is source
    assert lane(rest.seen[0], "openai-chat") == "bytes"
    assert action_descriptors(rest.seen[0].context) == BOTH
    assert engine.calls == ["descriptors"]


FIT: dict[str, Body] = {
    "plain": request().body,
    "one answer said": request(extra=extra(n="1")).body,
    "text said": request(format=OutputFormat(kind="text"), output=frozenset({"text"})).body,
    "tools on offer": request(tool_choice=ToolChoice(mode="auto", names=("f",))).body,
    "a bias": request(extra=extra("logit_bias", logit_bias='{"1":2}')).body,
    "functions on offer": request(extra=extra(function_call='"auto"')).body,
}


@pytest.mark.parametrize("name", FIT)
def test_what_an_action_s_reply_can_be_is_classified(name: str) -> None:
    sent = Request(model="m", body=FIT[name])
    assert said(run(Interception(choosing("ops.version"), Engine(*BOTH), wording)(PassedOn())(sent))) == (
        "ops.version done"
    )


@pytest.mark.parametrize("kind", get_args(Kind))
def test_only_the_user_s_own_turns_are_classified(kind: Any) -> None:
    step = Interception(
        choosing("ops.version"),
        Engine(*BOTH),
        wording,
        turn=lambda _: Utterance(kind=kind, text="the version"),
    )(PassedOn())
    acted = said(run(step(request()))) == "ops.version done"
    assert acted is (kind in {"request", "answer"})


@pytest.mark.parametrize(("length", "acts"), [(4000, True), (4001, False)])
def test_the_longest_utterance_is_counted_in_code_points(length: int, acts: bool) -> None:
    text = "\N{GRINNING FACE}" * length
    step = Interception(
        choosing("ops.version"), Engine(*BOTH), wording, turn=lambda _: Utterance(kind="request", text=text)
    )(PassedOn())
    assert (said(run(step(request()))) == "ops.version done") is acts


texts = st.text(max_size=30)
bodies = st.builds(
    Body,
    messages=st.lists(
        st.builds(
            Message,
            role=st.sampled_from(["system", "developer", "user", "assistant", "tool"]),
            parts=st.lists(st.builds(Text, text=texts), min_size=1, max_size=2).map(tuple),
        ),
        max_size=4,
    ).map(tuple),
    background=st.booleans(),
    user=st.none() | texts,
)


@pytest.mark.states("P-003", "P-032", "P-033", "P-048")
@settings(max_examples=60, deadline=None)
@given(content=bodies, data=st.binary(max_size=60), model=texts, stream=st.booleans())
def test_a_passed_on_request_is_the_one_that_came_whatever_it_is(
    content: Body, data: bytes, model: str, stream: bool
) -> None:
    rest = PassedOn()
    source = Source(protocol="openai-chat", body=data)
    sent = Request(model=model, stream=stream, source=source, decode=lambda: content)
    before = repr(content)
    run(ControlPlane([Interception(choosing(), Engine(*BOTH), wording), lambda _: rest]).process(sent))
    passed = rest.seen[0]
    assert passed.source is source
    assert passed.body is content
    assert (passed.model, passed.stream, passed.changed) == (model, stream, frozenset())
    assert repr(content) == before
    assert action_descriptors(sent.context) == ()


@pytest.mark.states("P-009")
def test_the_same_request_has_the_same_effects() -> None:
    engine = Engine(*BOTH)
    step = Interception(choosing("ops.restart"), engine, wording)(PassedOn())
    first, second = run(step(request())), run(step(request()))
    assert said(first) == said(second)
    assert engine.executed[0] == engine.executed[1]


@pytest.mark.states("P-008")
def test_an_action_that_only_reads_goes_the_same_way() -> None:
    reads = ActionDescriptor(id="list", name="list", description="", read_only=True)
    engine = Engine(reads)
    run(Interception(choosing("list"), engine, wording)(PassedOn())(request()))
    assert engine.calls == ["descriptors", "execute"]


# ---- looking without running -------------------------------------------------------------------


def explained(interception: Interception, sent: Request) -> Explanation:
    return run(interception.explain(sent))


@pytest.mark.states("P-007", "P-011")
def test_explaining_shows_the_choice_and_runs_nothing() -> None:
    engine = Engine(*BOTH)
    found = explained(
        Interception(choosing("ops.restart", "made.up"), engine, wording), request("restart api")
    )
    assert (found.kind, found.text, found.reason, found.descriptors) == ("request", "restart api", "", BOTH)
    assert found.candidates == (
        Candidate(action_id="ops.restart", missing=("service",)),
        Candidate(action_id="made.up"),
    )
    assert engine.calls == ["descriptors"]


def test_explaining_asks_a_classifier_that_explains_itself() -> None:
    candidate = Candidate(action_id="ops.version", score=0.4, threshold=0.6)

    class Explains:
        async def __call__(self, *_: Any) -> Intent:
            raise AssertionError

        async def explain(self, _request: Request, descriptors: Descriptors) -> Classification:
            assert descriptors == BOTH
            return Classification(outcome=Intent(), candidates=(candidate,), reason="below the threshold")

    found = explained(Interception(Explains(), Engine(*BOTH), wording), request())
    assert (found.candidates, found.reason, found.outcome) == ((candidate,), "below the threshold", Intent())


def test_explaining_says_why_a_request_would_be_passed_on() -> None:
    assert (
        explained(Interception(never, Engine(), wording), request()).reason
        == "there are no actions for this request"
    )
    found = explained(Interception(never, Engine(*BOTH), wording), request(background=True))
    assert (found.text, found.reason) == ("restart api", "it asks for an answer in the background")
    assert explained(Interception(choosing(), Engine(*BOTH), wording), request()).reason == (
        "the classifier sees no action in it"
    )
    asking = Interception(lambda *_: Ask(question="?", candidates=("a", "b")), Engine(*BOTH), wording)
    found = explained(asking, request())
    assert found.reason == "the classifier asks the user"
    assert [candidate.action_id for candidate in found.candidates] == ["a", "b"]
    told = explained(
        Interception(never, Engine(*BOTH), wording, turn=lambda _: Utterance(kind="none", reason="a riddle")),
        request(),
    )
    assert told.reason.endswith("(none): a riddle")
    blank = explained(
        Interception(never, Engine(*BOTH), wording, turn=lambda _: Utterance(kind="answer", text=" ")),
        request(),
    )
    assert blank.reason == "the user said nothing"
    bare = explained(
        Interception(never, Engine(*BOTH), wording, turn=lambda _: Utterance(kind="none")), request()
    )
    assert bare.reason.endswith("(none)")


def test_explaining_fails_with_the_stage_that_failed() -> None:
    class Broken:
        __call__ = staticmethod(choosing())

        async def explain(self, *_: Any) -> Classification:
            raise OSError("no weights")

    for interception, stage in (
        (Interception(never, Engine(descriptors=OSError()), wording), "descriptors"),
        (Interception(Broken(), Engine(*BOTH), wording), "classify"),
        (Interception(raising(OSError()), Engine(*BOTH), wording), "classify"),
    ):
        with pytest.raises(StageError) as caught:
            run(interception.explain(request()))
        assert caught.value.stage == stage


@pytest.mark.states("P-078")
def test_a_follow_up_is_classified_with_the_whole_conversation() -> None:
    seen: list[int] = []

    async def classify(given: Request, _descriptors: Descriptors) -> Intent:
        seen.append(len(given.messages))
        return Intent()

    talk = Body(
        messages=(
            Message(role="user", parts=(Text(text="create an invoice for Acme for February"),)),
            Message(role="assistant", parts=(Text(text="It is sent."),)),
            Message(role="user", parts=(Text(text="Do the same for March"),)),
        )
    )
    run(Interception(classify, Engine(RESTART), wording)(PassedOn())(Request(model="m", body=talk)))
    assert seen == [3]


@pytest.mark.states("P-067")
def test_an_intent_without_actions_is_a_reasoning_intent() -> None:
    assert Intent().is_reasoning
    assert not Intent(actions=(ActionIntent(action_id="a"),)).is_reasoning


@pytest.mark.states("P-002", "P-043")
def test_an_answered_request_never_reaches_the_model() -> None:
    plane = ControlPlane([Interception(choosing("ops.version"), Engine(*BOTH), wording), Reasoning(never)])
    assert said(run(plane.process(request()))) == "ops.version done"


def test_a_reply_of_the_rest_of_the_chain_is_handed_back_as_it_is() -> None:
    given = reply()
    plane = ControlPlane([Interception(choosing(), Engine(*BOTH), wording), Reasoning(lambda request: given)])
    assert run(plane.process(request())) is given
