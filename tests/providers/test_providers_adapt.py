"""Ids and names that fit a provider's patterns, and histories whose calls have results."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from turnout.model import (
    Batch,
    Body,
    Delta,
    Message,
    PartEnd,
    PartStart,
    Request,
    Text,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
)
from turnout.model.errors import InvalidRequest, Misconfigured
from turnout.providers.adapt import Fit, Fitter, restored, shape_for
from turnout.providers.pairing import NOT_RUN, check_pairs, repaired

MISTRAL = "[A-Za-z0-9]{9}"
NAMES = "^[A-Za-z0-9_-]{1,64}$"


def said(text: str) -> Message:
    return Message(role="user", parts=(Text(text=text),))


def called(*ids: str, name: str = "f") -> Message:
    return Message(role="assistant", parts=tuple(ToolCall(call_id=id_, name=name) for id_ in ids))


def answered(*ids: str) -> Message:
    return Message(role="tool", parts=tuple(ToolResult(call_id=id_, parts=(Text(text="r"),)) for id_ in ids))


def history(*ids: str) -> Request:
    return Request(model="m", body=Body(messages=(said("x"), called(*ids), answered(*ids))))


def ids_in(request: Request) -> list[str]:
    return [
        part.call_id for m in request.messages for part in m.parts if isinstance(part, ToolCall | ToolResult)
    ]


@given(st.lists(st.text(min_size=1, max_size=50), min_size=1, max_size=6, unique=True))
def test_ids_fit_stay_apart_and_results_follow_their_calls(ids: list[str]):
    request, fit = Fitter(ids=MISTRAL).fit(history(*ids))
    sent = ids_in(request)
    assert all(re.fullmatch(MISTRAL, text) for text in sent)
    assert sent[: len(ids)] == sent[len(ids) :]
    assert len(set(sent)) == len(ids)
    assert {fit.ids.get(text, text) for text in ids} == set(sent)
    assert Fitter(ids=MISTRAL).fit(history(*ids))[1] == fit


def test_what_fits_is_left_alone():
    request = history("abcdefghi", "ABCDEFGH1")
    same, fit = Fitter(ids=MISTRAL, names=NAMES).fit(request)
    assert same is request
    assert not fit


def test_a_made_up_id_that_is_taken_is_made_again():
    fitter = Fitter(ids=MISTRAL)
    (taken,) = fitter.fit(history("call_1"))[1].ids.values()
    _, fit = fitter.fit(history(taken, "call_1"))
    assert fit.ids["call_1"] != taken
    assert re.fullmatch(MISTRAL, fit.ids["call_1"])


@pytest.mark.parametrize(
    "pattern",
    [
        MISTRAL,
        "[a-zA-Z0-9_-]{1,40}",
        "call_[a-z0-9]+",
        "toolu_[A-Za-z0-9]{24}",
        "[0-9a-f]{32}",
        "[0-9]{8}",
        ".{1,64}",
    ],
)
def test_a_shape_is_found_for_the_patterns_of_real_providers(pattern: str):
    shape = shape_for(re.compile(pattern), "tool_id_pattern")
    assert re.fullmatch(pattern, shape.make("anything"))
    assert shape.make("a") != shape.make("b")


@pytest.mark.parametrize("options", [{"ids": "x{3}"}, {"ids": "["}, {"names": "("}])
def test_a_pattern_that_nothing_can_fit_is_refused_by_name(options: dict[str, str]):
    with pytest.raises(Misconfigured, match=r"tool_(id|name)_pattern"):
        Fitter(**options)


@given(st.lists(st.text(min_size=1, max_size=90), min_size=1, max_size=6, unique=True))
def test_names_fit_and_stay_apart_everywhere(names: list[str]):
    assume(all(name.strip() for name in names))
    body = Body(
        messages=(said("x"), called("c1", name=names[0]), answered("c1")),
        tools=tuple(Tool(name=name) for name in names),
        tool_choice=ToolChoice(mode="required", names=(names[-1],)),
    )
    request, fit = Fitter(names=NAMES).fit(Request(model="m", body=body))
    sent = [tool.name for tool in request.tools]
    assert all(re.fullmatch(NAMES, name) for name in sent)
    assert len(set(sent)) == len(names)
    call = request.messages[1].parts[0]
    assert isinstance(call, ToolCall)
    assert call.name == sent[0]
    assert request.body.tool_choice is not None
    assert request.body.tool_choice.names == (sent[-1],)
    assert len(set(fit.names.values())) == len(fit.names)


def test_a_name_keeps_its_letters_and_a_clash_gets_a_tail():
    body = Body(messages=(said("x"),), tools=(Tool(name="Github.Get File"), Tool(name="Github Get File")))
    request, _ = Fitter(names=NAMES).fit(Request(model="m", body=body))
    first, second = (tool.name for tool in request.tools)
    assert first == "Github_Get_File"
    assert second.startswith("Github_Get_File_")


def test_a_name_without_a_letter_that_fits_is_made_up():
    body = Body(messages=(said("x"),), tools=(Tool(name="天気"),))
    request, _ = Fitter(names="[a-z]{8}").fit(Request(model="m", body=body))
    assert re.fullmatch("[a-z]{8}", request.tools[0].name)


def test_hosted_tools_keep_their_wire_type():
    body = Body(messages=(said("x"),), tools=(Tool(name="web.search", kind="hosted"),))
    request = Request(model="m", body=body)
    assert Fitter(names=NAMES).fit(request)[0] is request


@pytest.mark.parametrize(
    ("data", "needed"),
    [
        (b'{"messages":[]}', False),
        (b'{"tool_call_id":"abcdefghi"}', False),
        (b'{"tool_call_id" : "call_1"}', True),
        (b'{"tool_call_id":"abc\\u0064efghi"}', True),
        (b'{"content":"\\"tool_call_id\\":\\"call_1\\""}', False),
        (b'{"name":"ok_name"}', False),
        (b'{"name": "not ok"}', True),
    ],
)
def test_bytes_tell_whether_a_request_may_have_to_change(data: bytes, needed: bool):
    assert Fitter(ids=MISTRAL, names=NAMES).may_need(data) is needed
    assert not Fitter().may_need(data)


def test_an_answer_comes_back_with_the_clients_own_ids_and_names():
    import asyncio

    fit = Fit(ids={"call_1": "abcdefghi"}, names={"a b": "a_b"})
    sent = ToolCall(call_id="abcdefghi", name="a_b", arguments="")
    own = ToolCall(call_id="call_1", name="a b", arguments="")
    batch: Batch = (
        PartStart(index=0, part=sent),
        Delta(index=0, text="{}", to="arguments"),
        PartEnd(index=0, whole=sent),
        PartStart(index=1, part=Text(text="")),
        PartEnd(index=1),
    )

    async def run() -> list[Batch]:
        async def batches():
            yield batch

        return [item async for item in restored(batches(), fit)]

    (back,) = asyncio.run(run())
    assert back[0] == PartStart(index=0, part=own)
    assert back[2] == PartEnd(index=0, whole=own)
    assert (back[1], back[3], back[4]) == (batch[1], batch[3], batch[4])


# ---- pairing -----------------------------------------------------------------------------------------------------

BROKEN = {
    "unanswered at the end": (said("x"), called("lost")),
    "unanswered before the user": (called("lost"), said("x")),
    "one of two": (called("a", "lost"), answered("a")),
    "orphan": (said("x"), answered("lost")),
    "orphan beside": (called("a"), answered("a", "lost")),
    "twice": (called("a"), answered("a"), answered("lost")),
}


@pytest.mark.parametrize("messages", BROKEN.values(), ids=BROKEN.keys())
def test_a_history_that_every_provider_refuses_is_refused_by_the_id(messages: tuple[Message, ...]):
    with pytest.raises(InvalidRequest) as caught:
        check_pairs(messages)
    assert "'lost'" in str(caught.value)
    assert (caught.value.param or "").startswith("messages[")


@pytest.mark.parametrize("messages", BROKEN.values(), ids=BROKEN.keys())
def test_a_repaired_history_is_complete_and_invents_no_result(messages: tuple[Message, ...]):
    whole = repaired(messages)
    check_pairs(whole)
    made = [p for m in whole for p in m.parts if isinstance(p, ToolResult) and p.is_error]
    assert all(p.parts == (Text(text=NOT_RUN),) for p in made)
    assert {p.call_id for p in made} <= {"lost", "a"}


@given(st.lists(st.sampled_from(["user", "call", "calls", "result", "results", "wrong"]), max_size=10))
def test_repair_completes_any_history_and_leaves_a_sound_one(kinds: list[str]):
    made = {
        "user": said("x"), "call": called("a"), "calls": called("a", "b"),
        "result": answered("a"), "results": answered("b", "a"), "wrong": answered("z"),
    }  # fmt: skip
    messages = tuple(made[kind] for kind in kinds)
    whole = repaired(messages)
    check_pairs(whole)
    assert repaired(whole) == whole
    try:
        check_pairs(messages)
    except InvalidRequest:
        return
    assert whole == messages
