"""The code of docs/middleware.md, run as it stands there."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from plane_fakes import BOTH, Engine, answering, choosing, raising, reply, request, run, said, wording

from turnout.errors import Forbidden, ProviderError, StageError
from turnout.model import (
    Answer,
    Body,
    Context,
    Headers,
    Media,
    Message,
    Reply,
    Request,
    Source,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    Url,
    lane,
)
from turnout.plane import ControlPlane, Interception, Reasoning

PAGE = Path(__file__).resolve().parents[2] / "docs" / "middleware.md"


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """What the page's code blocks define, run from top to bottom."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 8
    names: dict[str, Any] = {"provider": answering("from the provider")}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    return names


class Asked:
    """A model that notes the requests it gets."""

    def __init__(self, *replies: Reply | Exception) -> None:
        self.requests: list[Request] = []
        self._replies = iter(replies)

    async def __call__(self, given: Request) -> Reply:
        self.requests.append(given)
        answer = next(self._replies, None) or reply("from the model")
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_the_page_s_first_chain_routes_and_answers(page: dict[str, Any]) -> None:
    assert said(run(page["plane"].process(request()))) == "from the provider"
    asked = Asked()
    plane = ControlPlane([page["route"], Reasoning(asked)])
    run(plane.process(request("short")))
    run(plane.process(request("long " * 20)))
    assert [given.model for given in asked.requests] == ["small", "m"]


@pytest.mark.states("P-030", "P-033", "P-034")
def test_personal_data_is_stripped_and_all_else_left_as_it_came(page: dict[str, Any]) -> None:
    asked = Asked()
    plane = ControlPlane([page["strip_emails"], Reasoning(asked)])
    sent = request("write to ada@example.com now")
    run(plane.process(sent))
    assert asked.requests[0].last_user_text == "write to [e-mail] now"
    called = ToolCall(call_id="1", name="mail", arguments='{"to": "ada@example.com"}')
    result = ToolResult(call_id="1", parts=(Text(text="sent to ada@example.com"),))
    tools = (Message(role="assistant", parts=(called,)), Message(role="tool", parts=(result,)))
    run(plane.process(Request(body=Body(messages=tools))))
    assert "example.com" not in str(asked.requests[1].messages)
    assert sent.last_user_text == "write to ada@example.com now"
    clean = Request(
        source=Source(protocol="openai-chat", body=b"{}"),
        decode=lambda: Body(
            messages=(Message(role="user", parts=(Text(text="no address"), ToolResult(call_id="1"))),),
        ),
    )
    run(plane.process(clean))
    assert lane(asked.requests[2], "openai-chat") == "bytes"


@pytest.mark.states("P-034")
def test_only_known_users_get_through(page: dict[str, Any]) -> None:
    plane = ControlPlane([page["who"], page["known_users_only"], Reasoning(answering())])
    known = Request(source=Source(protocol="openai-chat", body=b"", headers=Headers.of({"x-user-id": "ada"})))
    assert said(run(plane.process(known))) == "from the model"
    with pytest.raises(Forbidden):
        run(plane.process(request()))


@pytest.mark.states("P-034")
def test_the_model_is_chosen_by_what_a_request_needs(page: dict[str, Any]) -> None:
    asked = Asked()
    plane = ControlPlane([page["route_auto"], Reasoning(asked)])
    picture = Message(role="user", parts=(Media(kind="image", source=Url(url="https://example.com/a.png")),))
    word = Message(role="user", parts=(Text(text="hi"),))
    tool = Tool(name="f")
    for model, body in [
        ("auto", Body(messages=(word,))),
        ("auto", Body(messages=(word,), tools=(tool,))),
        ("auto", Body(messages=(word,) * 21)),
        ("auto", Body(messages=(picture, word))),
        ("other", Body(messages=(picture,))),
    ]:
        source = Source(protocol="openai-chat", body=b"{}")
        run(plane.process(Request(model=model, body=body, source=source)))
    assert [given.model for given in asked.requests] == ["small", "large", "large", "seeing", "other"]
    assert lane(asked.requests[0], "openai-chat") == "splice"


@pytest.mark.states("P-034")
@pytest.mark.parametrize(
    ("first", "models"),
    [
        (lambda: Reply(status=503, answer=Answer(parts=(), stop="end")), ["m", "backup"]),
        (lambda: ProviderError("late", kind="timeout"), ["m", "backup"]),
        (lambda: Reply(status=400, answer=Answer(parts=(), stop="end")), ["m"]),
        (lambda: reply("at once"), ["m"]),
    ],
    ids=["overloaded", "no answer", "the client's fault", "fine"],
)
def test_another_model_is_asked_when_the_first_cannot_answer(
    page: dict[str, Any], first: Any, models: list[str]
) -> None:
    answer = first()
    asked = Asked(answer)
    run(ControlPlane([page["fall_back_to"]("backup"), Reasoning(asked)]).process(request()))
    assert [given.model for given in asked.requests] == models
    if isinstance(answer, Reply):
        assert answer.closed is (len(models) == 2)


def test_a_refusal_of_the_provider_is_no_reason_to_ask_another_one(page: dict[str, Any]) -> None:
    asked = Asked(ProviderError("wrong key", kind="auth", status_code=401))
    with pytest.raises(ProviderError):
        run(ControlPlane([page["fall_back_to"]("backup"), Reasoning(asked)]).process(request()))
    assert len(asked.requests) == 1


@pytest.mark.states("P-034")
def test_a_long_conversation_is_cut_between_turns(page: dict[str, Any]) -> None:
    def told(role: Any, *parts: Any) -> Message:
        return Message(role=role, parts=parts)

    messages = (
        told("system", Text(text="be brief")),
        told("user", Text(text="one")),
        told("assistant", ToolCall(call_id="1", name="f")),
        told("tool", ToolResult(call_id="1")),
        told("user", Text(text="two")),
        told("assistant", ToolCall(call_id="2", name="f")),
        told("tool", ToolResult(call_id="2")),
    )
    asked = Asked()
    for turns in (1, 2):
        plane = ControlPlane([page["last_turns"](turns), Reasoning(asked)])
        run(plane.process(Request(body=Body(messages=messages))))
    assert asked.requests[0].messages == (messages[0], *messages[4:])
    assert asked.requests[1].messages == messages


@pytest.mark.states("P-011", "P-034", "P-146")
def test_a_first_step_measures_what_happens_and_sees_the_cause(page: dict[str, Any]) -> None:
    seen: list[tuple[str, str, float]] = []
    ticks = iter(range(10))
    measure = page["measured"](lambda *what: seen.append(what), lambda: float(next(ticks)))
    failing = Interception(raising(OSError("queue")), Engine(*BOTH), wording)
    run(ControlPlane([measure, Reasoning(answering())]).process(request()))
    with pytest.raises(StageError):
        run(ControlPlane([measure, failing]).process(request()))
    with pytest.raises(asyncio.CancelledError):
        run(ControlPlane([measure, Reasoning(raising(asyncio.CancelledError()))]).process(request()))
    assert seen == [("m", "200", 1.0), ("m", "OSError", 1.0), ("m", "CancelledError", 1.0)]


@pytest.mark.states("P-034")
def test_steps_compose_in_front_of_and_behind_the_interception(page: dict[str, Any]) -> None:
    asked = Asked()

    def plane(*chosen: str) -> ControlPlane:
        return ControlPlane(
            [
                page["measured"](lambda *_: None),
                Interception(choosing(*chosen), Engine(*BOTH), wording),
                page["strip_emails"],
                page["last_turns"](3),
                page["fall_back_to"]("backup"),
                Reasoning(asked),
            ]
        )

    assert said(run(plane("ops.version").process(request()))) == "ops.version done"
    assert said(run(plane().process(request("mail ada@example.com")))) == "from the model"
    assert [given.last_user_text for given in asked.requests] == ["mail [e-mail]"]


@pytest.mark.states("P-034")
def test_the_audit_log_says_who_asked_and_what_came_of_it(page: dict[str, Any]) -> None:
    log: list[dict[str, Any]] = []

    def plane(classifier: Any, engine: Any = None) -> ControlPlane:
        interception = Interception(
            classifier, engine or Engine(*BOTH), wording, on_decision=page["note_decision"]
        )
        audit = page["audited"](log.append, lambda: 7.0)
        return ControlPlane([page["who"], audit, interception, Reasoning(answering())])

    def asked(text: str) -> Request:
        headers = Headers.of({"x-user-id": "ada"})
        body = Body(messages=(Message(role="user", parts=(Text(text=text),)),))
        source = Source(protocol="openai-chat", body=b"", headers=headers)
        return Request(model="m", source=source, body=body, context=Context(request_id="r1"))

    run(plane(choosing("ops.version")).process(asked("restart api")))
    run(plane(choosing()).process(asked("restart api")))
    broken = Engine(*BOTH, execute=OSError("the queue is away"))
    with pytest.raises(StageError):
        run(plane(choosing("ops.version"), broken).process(asked("restart api")))
    with pytest.raises(StageError):
        run(plane(raising(OSError("the model is away"))).process(asked("restart api")))
    whose = {"at": 7.0, "request": "r1", "user": "ada", "replayed": False}
    nothing = {"asked": [], "done": {}, "reason": "", "lane": "model", **whose}
    no_action = {"reason": "the classifier sees no action in it"}
    assert log == [
        {
            **whose,
            "lane": "action",
            "reason": "",
            "asked": ["ops.version"],
            "done": {"ops.version": "done"},
            "outcome": "200",
            "may_have_acted": True,
        },
        {**nothing, **no_action, "outcome": "200", "may_have_acted": False},
        {
            **nothing,
            "lane": "action",
            "asked": ["ops.version"],
            "outcome": "StageError",
            "may_have_acted": True,
        },
        {**nothing, "outcome": "StageError", "may_have_acted": False},
    ]
    assert "restart" not in str(log)
