"""An application's actions and models, with and without HTTP."""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from types import ModuleType
from typing import Any, cast

import pytest

import turnout
from tests.serve.serve_call import call
from tests.serve.serve_fakes import FINISH, START, evented, say
from turnout import App, Context
from turnout.model import (
    AgentIdentity,
    Answer,
    Ask,
    Batch,
    Body,
    Delta,
    Headers,
    Intent,
    Message,
    Reply,
    Request,
    Source,
    Text,
    User,
)
from turnout.model.errors import AgentFailed, Misconfigured, NotFound, StageError
from turnout.model.utterance import Reader, Wrapper
from turnout.serve.models import Models, Name, renamed


def asked(model: str, text: str = "hello", headers: dict[str, str] | None = None) -> Request:
    body = Body(messages=(Message(role="user", parts=(Text(text=text),)),))
    source = Source(protocol="openai-chat", body=b"{}", headers=Headers.of(headers or {}))
    return Request(model=model, body=body, source=source if headers else None)


def echo(request: Request) -> str:
    return f"{request.model}: {request.last_user_text}"


class FakeProvider:
    name = "fake"

    def __init__(self) -> None:
        self.closed = 0
        self.requests: list[Request] = []

    async def __call__(self, request: Request) -> Reply:
        self.requests.append(request)
        return evented((*START, *say("a")), say("b"), FINISH)

    async def aclose(self) -> None:
        self.closed += 1


def app_with_action(**options: Any) -> App:
    app = App(**options)

    @app.action(patterns=[r"greet (?P<name>\w+)"], template="Hello, {name}!")
    def greet(name: str) -> dict[str, str]:
        """Greet somebody."""
        return {"name": name}

    assert greet("x") == {"name": "x"}
    app.reason_with(echo)
    return app


# ---- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked_for", "found"),
    [
        ("fast", "exact"),
        ("fast-2", "fast-*"),
        ("fast-", "fast-*"),
        ("fast-2-mini", "*-mini"),
        ("faster-2-mini", "faster-*"),
        ("slow-mini", "*-mini"),
        ("", "*"),
        ("anything/at:all", "*"),
        ("fas", "*"),
    ],
)
async def test_the_exact_name_goes_first_then_the_longest_pattern(asked_for: str, found: str) -> None:
    app = App()
    for name in ("*", "*-mini", "fast-*", "faster-*"):
        app.model(name, lambda request, name=name: name)
    app.model("fast", lambda request: "exact")
    assert (await app.process(asked(asked_for))).text == found


async def test_a_model_that_only_a_pattern_answers_to_is_shown_and_not_listed() -> None:
    app = App()
    app.model("fast-*", echo)
    app.model("slow", echo)
    listed = await call(app, "/v1/models", method="GET")
    assert [each["id"] for each in listed.json["data"]] == ["slow"]
    assert (await call(app, "/v1/models/fast-2", method="GET")).json["id"] == "fast-2"
    assert (await call(app, "/v1/models/medium", method="GET")).status == 404


async def test_an_error_repeats_the_beginning_of_an_endless_name_only() -> None:
    app = App()
    app.model("slow", echo)
    with pytest.raises(NotFound) as caught:
        await app.process(asked("m" * 1_000_000))
    assert caught.value.message == f"the model '{'m' * 100}...' does not exist"


async def test_a_pattern_matches_only_what_fits_around_the_star() -> None:
    app = App()
    app.model("ab*ba", echo)
    assert (await app.process(asked("abba"))).text == "abba: hello"
    for name in ("aba", "ab", "xabba", "abbax", ""):
        with pytest.raises(NotFound) as caught:
            await app.process(asked(name))
        assert (caught.value.code, caught.value.param) == ("model_not_found", "model")


@pytest.mark.parametrize(
    ("name", "model", "sent", "seen"),
    [
        ("fast", "gpt-big", "fast", "gpt-big"),
        ("fast", None, "fast", "fast"),
        ("claude/*", "*", "claude/opus", "opus"),
        ("*", "vendor/*-x", "a", "vendor/a-x"),
        ("*", None, "a", "a"),
        ("x-*", "fixed", "x-1", "fixed"),
        ("x-*", "x-*", "x-1", "x-1"),
    ],
)
async def test_the_model_is_replaced_last(name: str, model: str | None, sent: str, seen: str) -> None:
    steps: list[str] = []

    @turnout.plane.step
    async def watch(request: Request, next: Any) -> Reply:
        steps.append(request.model)
        return await next(request)

    provider = FakeProvider()
    app = App()
    app.use(watch)
    app.model(name, provider, model=model)
    await app.process(asked(sent))
    assert steps == [sent]
    assert provider.requests[0].model == seen
    assert provider.requests[0].changed == (frozenset() if sent == seen else {"model"})


async def test_a_star_that_leaves_no_name_finds_no_model() -> None:
    app = App()
    app.model("claude/*", echo, model="*")
    with pytest.raises(NotFound):
        await app.process(asked("claude/"))


async def test_a_name_that_a_step_chose_is_kept_where_the_pattern_no_longer_fits() -> None:
    step = renamed(turnout.model.as_async(echo), Name("a/*"), "*")
    assert await step(asked("other")) == "other: hello"


@pytest.mark.parametrize(
    "register",
    [
        lambda app: app.model("a", echo),
        lambda app: app.model("*", echo),
        lambda app: app.reason_with(echo),
        lambda app: app.model("", echo),
        lambda app: app.model("a*b*", echo),
        lambda app: app.model("b", echo, model="x-*"),
    ],
)
def test_what_cannot_be_a_name_is_misconfigured(register: Any) -> None:
    app = App()
    app.model("a", echo)
    app.reason_with(echo)
    with pytest.raises(Misconfigured):
        register(app)


def test_what_cannot_be_called_is_no_model_and_no_step() -> None:
    app = App()
    with pytest.raises(TypeError):
        app.model("a", 42)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        app.use(42)  # type: ignore[arg-type]


async def test_only_exact_names_are_listed() -> None:
    app = App()
    app.model("a", FakeProvider())
    app.model("b*", echo)
    app.model("c", echo, info=turnout.model.Info(owned_by="me", created=5))
    models = await app._build().models.list(Context())
    assert {name: info.owned_by for name, info in models.items()} == {"a": "fake", "c": "me"}
    assert models["a"].created > 1_700_000_000
    assert models["c"].created == 5


def test_a_catalog_refuses_a_name_twice() -> None:
    models = Models()
    for name in ("a", "b*"):
        models.add(Name(name), turnout.model.as_async(echo), turnout.model.Info())
        with pytest.raises(Misconfigured):
            models.add(Name(name), turnout.model.as_async(echo), turnout.model.Info())


# ---- the two lanes -------------------------------------------------------------------------------------------


async def test_an_action_answers_what_it_can_and_the_model_the_rest() -> None:
    app = app_with_action()
    assert (await app.process("greet Ada", model="m")).text == "Hello, Ada!"
    assert (await app.process("tell me about Ada", model="m")).text == "m: tell me about Ada"


async def test_a_model_without_actions_is_never_intercepted() -> None:
    app = app_with_action()
    app.model("plain", echo, actions=False)
    assert (await app.process("greet Ada", model="plain")).text == "plain: greet Ada"
    assert (await app.explain("greet Ada", model="plain")).outcome == Intent()
    assert not (await app.explain("greet Ada", model="m")).reason


@pytest.mark.parametrize("actions", [True, False])
async def test_a_request_is_only_decoded_where_actions_may_answer(actions: bool) -> None:
    decoded: list[int] = []

    def decode() -> Body:
        decoded.append(1)
        return Body(messages=(Message(role="user", parts=(Text(text="x"),)),))

    app = app_with_action() if actions else App()
    provider = FakeProvider()
    app.model("m", provider)
    app.model("off", provider, actions=False)
    await app.process(Request(model="off", decode=decode))
    assert not decoded
    await app.process(Request(model="m", decode=decode))
    assert len(decoded) == actions


async def test_actions_are_taken_from_functions_and_modules_once_each() -> None:
    module = ModuleType("my_actions")

    @turnout.action(patterns=["ping"])
    def ping() -> str:
        """Answer a ping."""
        return "pong"

    module.ping = ping  # type: ignore[attr-defined]
    app = App()
    app.add(ping, module)
    app.reason_with(echo)
    assert "pong" in (await app.process("ping", model="m")).text
    empty = App()
    empty.add(ModuleType("empty"))
    with pytest.raises(Misconfigured):
        empty._build()


async def test_what_is_added_later_counts_from_then_on() -> None:
    app = app_with_action()
    before = app._build()
    assert app._build() is before

    @app.action(patterns=["later"])
    def later() -> str:
        """Come later."""
        return "came"

    assert "came" in (await app.process("later")).text


async def test_bare_and_called_decorators_mark_alike() -> None:
    app = App()

    @app.action
    def one() -> str:
        """One."""
        return "1"

    @app.action(id="my.two")
    def two() -> str:
        """Two."""
        return "2"

    app.reason_with(echo)
    found = await app.explain("hm", model="m")
    assert [descriptor.id for descriptor in found.descriptors] == ["one", "my.two"]


async def test_a_classifier_and_a_synthesizer_of_ones_own_are_used() -> None:
    def classify(request: Request, descriptors: Any) -> Intent:
        return Intent(actions=(turnout.model.ActionIntent(action_id="greet", params={"name": "you"}),))

    def synthesize(synthesis: Any) -> Reply:
        return Reply.of(Answer(parts=(Text(text=f"worded {synthesis.results[0].data}"),), stop="end"))

    app = app_with_action(classifier=classify, synthesizer=synthesize)
    assert (await app.process("whatever", model="m")).text == "worded {'name': 'you'}"


async def test_identities_come_from_the_headers_that_are_named() -> None:
    seen: list[Any] = []

    def look(request: Request) -> str:
        seen.append((request.context.get(User), request.context.get(AgentIdentity)))
        return "ok"

    headers = {"x-user-id": "ada", "user-agent": "cli"}
    for app in (App(), App(user_header="x-user-id", agent_header="user-agent")):
        app.reason_with(look)
        await app.process(asked("m", headers=headers))
    assert seen == [(None, None), (User(id="ada"), AgentIdentity(id="cli"))]


async def test_classifiers_are_asked_in_order_until_one_decides() -> None:
    heard: list[str] = []

    def silent(request: Request, descriptors: Any) -> Intent:
        heard.append("silent")
        return Intent()

    def asking(request: Request, descriptors: Any) -> Ask:
        heard.append("asking")
        return Ask(question="Which one?")

    app = app_with_action(classifier=(silent, "rules", asking))
    assert (await app.process("greet Ada", model="m")).text == "Hello, Ada!"
    assert heard == ["silent"]
    assert (await app.process("what else?", model="m")).text == "Which one?"
    assert heard == ["silent", "silent", "asking"]
    assert (await app.explain("what else?", model="m")).outcome == Ask(question="Which one?")
    app = app_with_action(classifier=[silent, "rules"])
    assert (await app.process("what else?", model="m")).text == "m: what else?"
    assert (await app.explain("what else?", model="m")).reason


async def test_a_host_s_own_wrapping_comes_off() -> None:
    wrapped = "@@desk 7@@ greet Ada"
    assert (await app_with_action().process(wrapped, model="m")).text == f"m: {wrapped}"
    app = app_with_action(turn=Reader(wrappers=[Wrapper(name="desk", pattern=r"@@.*?@@\s*")]))
    assert (await app.process(wrapped, model="m")).text == "Hello, Ada!"
    assert (await app.explain(wrapped, model="m")).text == "greet Ada"


def test_what_is_registered_is_told() -> None:
    app = app_with_action()
    assert (app.action_ids, app.model_names) == (("greet",), ("*",))
    assert (App().action_ids, App().model_names) == ((), ())


# ---- without HTTP ----------------------------------------------------------------------------------------------


async def test_text_is_asked_of_the_first_exact_name_else_of_any() -> None:
    app = App()
    app.reason_with(echo)
    assert (await app.process("hi")).text == ": hi"
    app.model("a", echo)
    app.model("b", echo)
    assert (await app.process("hi")).text == "a: hi"
    assert (await app.process(asked("x", "hi"), model="b")).text == "b: hi"


async def test_an_answer_is_streamed_as_events() -> None:
    provider = FakeProvider()
    app = App()
    app.reason_with(provider)
    events = [event async for event in app.stream("hi", model="m")]
    assert [event.text for event in events if isinstance(event, Delta)] == ["a", "b"]
    assert provider.requests[0].stream


async def test_a_stream_that_is_left_early_is_closed() -> None:
    closed = asyncio.Event()

    async def close() -> None:
        closed.set()

    async def batches() -> AsyncIterator[Batch]:
        yield (*START, *say("a"))
        await asyncio.Event().wait()

    app = App()
    app.reason_with(lambda request: Reply.of_batches(batches(), close=close))
    stream = app.stream("hi", model="m")
    async for _ in stream:
        break
    await cast("Any", stream).aclose()
    assert closed.is_set()


async def test_a_failing_model_fails_the_call_with_its_stage() -> None:
    app = App()

    def fail(request: Request) -> str:
        raise RuntimeError("x")

    app.reason_with(fail)
    with pytest.raises(StageError) as caught:
        await app.process("hi", model="m")
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_a_script_asks_without_a_loop_and_leaves_nothing_open() -> None:
    provider = FakeProvider()
    app = App()
    app.reason_with(provider)
    assert app.process_sync("hi", model="m").text == "ab"
    assert provider.closed == 1

    async def inside() -> None:
        with pytest.raises(RuntimeError, match=r"await app\.process"):
            app.process_sync("hi", model="m")

    asyncio.run(inside())


async def test_each_provider_is_closed_once_even_when_one_fails() -> None:
    class Failing(FakeProvider):
        async def aclose(self) -> None:
            await super().aclose()
            raise OSError("x")

    first, second = Failing(), FakeProvider()
    app = App()
    app.model("a", first)
    app.model("b", first)
    app.model("c", second)
    app.model("d", echo)
    with pytest.raises(OSError, match="x"):
        await app.aclose()
    assert (first.closed, second.closed) == (1, 1)
    assert len(app.providers) == 3


# ---- the package ---------------------------------------------------------------------------------------------


def test_importing_is_cheap_and_silent() -> None:
    code = (
        "import time; began = time.process_time(); import turnout; spent = time.process_time() - began\n"
        "import sys; heavy = {'aiohttp', 'starlette', 'uvicorn', 'msgspec', 'asyncio', 'logging', 'click'}\n"
        "print(spent, sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    spent, heavy = done.stdout.split(" ", 1)
    assert float(spent) < 0.05
    assert (heavy.strip(), done.stderr) == ("[]", "")


def test_an_app_needs_no_network_library() -> None:
    code = "import turnout, sys; turnout.App, turnout.provider; print('aiohttp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_everything_that_is_named_is_there_and_nothing_else() -> None:
    for name in turnout.__all__:
        assert getattr(turnout, name) is not None
        assert name in dir(turnout)
    with pytest.raises(AttributeError):
        turnout.nothing  # type: ignore[attr-defined]  # noqa: B018


async def test_an_app_says_how_long_an_agent_may_take_to_end() -> None:
    told: list[BaseException] = []
    running, on, over = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def stubborn(request: Request, emit: Any) -> None:
        await emit.delta("a")
        running.set()
        while not on.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await on.wait()
        over.set()

    app = App(stop_s=0.001, on_error=lambda error, about: told.append(error))
    app.agent(stubborn, "m")
    async with asyncio.timeout(4), aclosing(cast("Any", app.stream("x", model="m"))) as events:
        async for event in events:
            if isinstance(event, Delta):
                await running.wait()
                break
    assert [type(error) for error in told] == [AgentFailed]
    on.set()
    await over.wait()
