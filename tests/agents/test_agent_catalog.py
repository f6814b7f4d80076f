"""Catalogs of the application's own, and agents as entries of an app."""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI

import turnout
from tests.serve.serve_call import Call, call, serving
from turnout import App, Server
from turnout.agents import Emit, info_of
from turnout.config import ConfigError, build, read
from turnout.errors import Forbidden, Misconfigured, NotFound, TurnoutError
from turnout.model import Context, Info, Outcome, Request

CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
GEMINI = "/v1beta/models/echo:generateContent"
ASK = {
    CHAT: {"model": "echo", "messages": [{"role": "user", "content": "hi"}]},
    RESPONSES: {"model": "echo", "input": "hi"},
    MESSAGES: {"model": "echo", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]},
    GEMINI: {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
}
PATHS = pytest.mark.parametrize("path", list(ASK))
SECRET = "db-password-7"


class Echo:
    async def run(self, request: Request, emit: Emit) -> Outcome:
        await emit.text("hello")
        return Outcome()


class Directory:
    """A catalog that notes how it is asked, and shows each user what is theirs."""

    def __init__(self, **listed: Info) -> None:
        self.listed = listed
        self.agents: dict[str, Any] = {"echo": Echo(), "hidden": Echo()}
        self.info = Info()
        self.lists = 0
        self.loads: list[str] = []
        self.users: list[Any] = []
        self.fault: Exception | None = None

    def _note(self, context: Context) -> str:
        user = (context.scope or {}).get("user")
        self.users.append(user)
        if self.fault is not None:
            raise self.fault
        return str(user)

    async def list(self, context: Context) -> Mapping[str, Info]:
        self.lists += 1
        user = self._note(context)
        return {name: info for name, info in self.listed.items() if info.owned_by in ("", user)}

    async def load(self, target: str, context: Context) -> tuple[Any, Info]:
        self.loads.append(target)
        self._note(context)
        if target == "shown":
            raise Forbidden("not for you")
        if target not in self.agents:
            raise NotFound("no such agent", code="model_not_found", param="model")
        return self.agents[target], self.info


def names(made: Call) -> list[str]:
    return [model["id"] for model in made.json["data"]]


def asked(path: str, model: str) -> tuple[str, dict[str, Any]]:
    body = {**ASK[path], "model": model} if path != GEMINI else ASK[path]
    return path.replace("echo", model) if path == GEMINI else path, body


@pytest.mark.states("L-001", "L-032", "L-034", "L-035", "L-037", "L-063")
@PATHS
async def test_each_call_loads_its_agent_and_lists_nothing(path: str) -> None:
    catalog = Directory(echo=Info())
    server = Server(catalog)
    for _ in range(2):
        made = await call(server, path, ASK[path])
        assert made.status == 200
        assert b"hello" in made.body
    assert (catalog.loads, catalog.lists) == (["echo", "echo"], 0)


@pytest.mark.states("L-028", "L-029", "L-036", "L-058", "L-060", "L-061")
async def test_every_caller_sees_what_the_catalog_lists_for_them_each_time() -> None:
    catalog = Directory(
        echo=Info(), b=Info(owned_by="ada", created=5), a=Info(owned_by="ada"), c=Info(owned_by="bob")
    )
    server = Server(catalog)
    for user, seen in (("ada", ["echo", "b", "a"]), ("bob", ["echo", "c"]), ("ada", ["echo", "b", "a"])):
        made = await call(server, "/v1/models", method="GET", user=user)
        assert made.json["object"] == "list"
        assert names(made) == seen
    assert catalog.lists == 3
    assert catalog.loads == []


@pytest.mark.states("L-030")
async def test_what_a_catalog_gives_is_never_changed() -> None:
    listed = {"echo": Info(extensions={"a": [1, 2]}), "other": Info()}
    catalog = Directory(**listed)
    before = repr(catalog.listed)
    await call(Server(catalog), "/v1/models", method="GET")
    await call(Server(catalog), CHAT, ASK[CHAT])
    assert repr(catalog.listed) == before


@pytest.mark.states("L-033")
async def test_seeing_an_agent_is_not_a_right_to_run_it_nor_the_other_way_round() -> None:
    catalog = Directory(shown=Info())
    server = Server(catalog)
    assert names(await call(server, "/v1/models", method="GET")) == ["shown"]
    made = await call(server, CHAT, {**ASK[CHAT], "model": "shown"})
    assert (made.status, made.json["error"]["message"]) == (403, "not for you")
    assert (await call(server, CHAT, {**ASK[CHAT], "model": "hidden"})).status == 200


@pytest.mark.states("L-038")
async def test_the_info_that_is_loaded_counts_and_not_the_listed_one() -> None:
    tool = {"type": "function", "function": {"name": "look"}}
    catalog = Directory(echo=Info(tools=True))
    refused = await call(Server(catalog), CHAT, {**ASK[CHAT], "tools": [tool]})
    assert (refused.status, refused.json["error"]["param"]) == (400, "tools")
    catalog.info = Info(tools=True)
    assert (await call(Server(catalog), CHAT, {**ASK[CHAT], "tools": [tool]})).status == 200


@pytest.mark.states("L-039", "L-112")
@PATHS
async def test_an_agent_that_is_not_there_is_not_found_in_the_protocols_words(path: str) -> None:
    made = await call(Server(Directory()), *asked(path, "nobody"))
    assert made.status == 404
    error = made.json["error"]
    if path in (CHAT, RESPONSES):
        assert error["code"] == "model_not_found"
    elif path == MESSAGES:
        assert (made.json["type"], error["type"]) == ("error", "not_found_error")
    else:
        assert error["status"] == "NOT_FOUND"


@pytest.mark.states("L-041", "L-149")
@PATHS
async def test_an_applications_own_error_passes_as_it_is(path: str) -> None:
    catalog = Directory()
    catalog.fault = TurnoutError(
        "out of credits",
        status=402,
        type="billing_error",
        code="no_credits",
        param="model",
        metadata={"a": "b"},
    )
    made = await call(Server(catalog), path, ASK[path])
    assert made.status == 402
    assert made.json["error"]["message"].endswith("out of credits")
    if path in (CHAT, RESPONSES):
        error = made.json["error"]
        assert (error["type"], error["code"], error["param"]) == ("billing_error", "no_credits", "model")
    assert "metadata" not in made.json["error"]


@pytest.mark.states("L-031", "L-143", "L-144", "L-150")
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_failing_catalog_tells_its_cause_to_the_hook_alone(method: str) -> None:
    heard: list[tuple[BaseException, Any]] = []
    catalog = Directory()
    catalog.fault = RuntimeError(SECRET)
    server = Server(catalog, on_error=lambda error, about: heard.append((error, about)))
    path = "/v1/models" if method == "GET" else CHAT
    made = await call(server, path, ASK[CHAT], method=method, user="ada")
    assert made.status == 500
    assert SECRET not in made.body.decode()
    ((error, about),) = heard
    assert str(error.__cause__) == SECRET
    context = about.context if isinstance(about, Request) else about
    assert (context.scope or {})["user"] == "ada"


@pytest.mark.states("L-145")
async def test_the_hook_is_not_told_of_what_only_the_client_can_mend() -> None:
    heard: list[BaseException] = []
    server = Server(Directory(), on_error=lambda error, about: heard.append(error))
    for body in (b"{", b"[]", {**ASK[CHAT], "n": 2}, {**ASK[CHAT], "model": "nobody"}, {"model": "echo"}):
        assert (await call(server, CHAT, body)).status in (400, 404)
    assert heard == []


@pytest.mark.states("L-040", "L-059")
async def test_a_server_without_a_catalog_lists_nothing_and_runs_nothing() -> None:
    heard: list[BaseException] = []
    server = Server(None, on_error=lambda error, about: heard.append(error))
    assert (await call(server, "/v1/models", method="GET")).json["data"] == []
    for path, body in ASK.items():
        made = await call(server, path, body)
        assert made.status == 500
        assert "no catalog" in made.json["error"]["message"]
    assert [type(error) for error in heard] == [Misconfigured] * 4


@pytest.mark.states("L-006", "L-005", "L-007")
async def test_the_applications_middleware_stands_in_front_and_its_findings_are_seen() -> None:
    catalog, seen = Directory(echo=Info()), list[Any]()

    async def agent(request: Request, emit: Emit) -> None:
        seen.append((request.context.scope or {}).get("user"))
        await emit.text("hello")

    catalog.agents["echo"] = agent
    server = Server(catalog)

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if dict(scope["headers"]).get(b"authorization") != b"Bearer ada":
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        await server({**scope, "user": "ada"}, receive, send)

    kind = {"content-type": "application/json"}
    assert (await call(guarded, CHAT, ASK[CHAT])).status == 401
    assert catalog.users == []
    made = await call(guarded, CHAT, ASK[CHAT], headers={**kind, "authorization": "Bearer ada"})
    assert made.status == 200
    assert (catalog.users, seen) == (["ada"], ["ada"])
    # The server itself asks nobody who they are.
    assert (await call(server, CHAT, ASK[CHAT])).status == 200


@pytest.mark.states("L-003")
async def test_many_requests_to_different_agents_are_never_mixed() -> None:
    app = App()
    for number in range(20):

        async def agent(request: Request, emit: Emit, number: int = number) -> None:
            for piece in (f"{number}:", request.last_user_text):
                await emit.delta(piece)
                await asyncio.sleep(0)

        app.agent(agent, f"a{number}")
    async with app, serving(app) as port:
        url = f"http://127.0.0.1:{port}/v1"
        async with AsyncOpenAI(base_url=url, api_key="x", max_retries=0) as client:

            async def ask(number: int) -> str | None:
                said: Any = [{"role": "user", "content": f"q{number}"}]
                made = await client.chat.completions.create(model=f"a{number % 20}", messages=said)
                return made.choices[0].message.content

            answers = await asyncio.gather(*(ask(number) for number in range(100)))
    assert answers == [f"{number % 20}:q{number}" for number in range(100)]


@pytest.mark.states("L-008")
async def test_options_count_as_they_were_when_the_server_was_made() -> None:
    steps = {"echo": Echo()}
    owned: list[Any] = []
    server = Server(Directory(), owned=owned)
    owned.append(object())
    await server.aclose()
    assert list(steps) == ["echo"]


# ---- agents of an app ------------------------------------------------------------------------------------------------


async def test_a_decorated_agent_answers_under_its_name_and_is_listed() -> None:
    app = App()

    @app.agent
    async def echo(request: Request, emit: Emit) -> None:
        """Says hello.

        And nothing else.
        """
        await emit.text("hello")

    @app.agent("second", created=7, owned_by="acme", input={"text", "image"})
    async def other(request: Request, emit: Emit) -> None:
        await emit.text("hello too")

    assert app.model_names == ("echo", "second")
    assert app.providers == ()
    assert (await app.process("hi")).text == "hello"
    assert (await app.process("hi", model="second")).text == "hello too"
    made = await call(app, "/v1/models", method="GET")
    assert [(one["id"], one["owned_by"]) for one in made.json["data"]] == [
        ("echo", "turnout"),
        ("second", "acme"),
    ]
    assert made.json["data"][1]["created"] == 7


def test_the_description_of_an_agent_is_its_docstrings_first_paragraph() -> None:
    async def echo(request: Request, emit: Emit) -> None:
        """Says hello,
        politely.

        And more.
        """

    class Polite:
        """Says hello."""

        async def run(self, request: Request, emit: Emit) -> None: ...

    assert info_of("echo", echo, {}).description == "Says hello, politely."
    assert info_of("echo", Polite(), {}).description == "Says hello."
    assert info_of("echo", echo, {"description": "x"}).description == "x"


async def nobody(request: Request, emit: Emit) -> None:
    await emit.text("nobody")


@pytest.mark.parametrize(
    "register",
    [
        lambda app: app.agent(nobody, "taken"),
        lambda app: app.model("taken", nobody),
        lambda app: app.agent(nobody, "with*star"),
        lambda app: app.agent(Echo()),
        lambda app: app.agent(nobody, "a", input={"smell"}),
        lambda app: app.agent(nobody, "a", output=()),
        lambda app: app.agent(nobody, "a", wings=2),
    ],
    ids=["twice", "model", "pattern", "nameless", "modality", "nothing", "field"],
)
def test_an_agent_that_cannot_be_is_misconfigured(register: Any) -> None:
    app = App()
    app.agent(nobody, "taken")
    with pytest.raises(Misconfigured):
        register(app)


async def test_requests_for_an_agent_are_never_intercepted() -> None:
    app, ran = App(), list[str]()

    @app.action(patterns=["do it"])
    def do_it() -> dict[str, str]:
        """Do it."""
        ran.append("action")
        return {}

    @app.agent
    async def echo(request: Request, emit: Emit) -> None:
        await emit.text(f"agent: {request.last_user_text}")

    assert (await app.process("do it", model="echo")).text == "agent: do it"
    assert ran == []
    assert "not intercepted" in (await app.explain("do it", model="echo")).reason


async def test_the_apps_own_steps_stand_before_an_agent() -> None:
    app = App(user_header="x-user")
    app.agent(nobody, "nobody")

    def shouting(following: Any) -> Any:
        async def step(request: Request) -> Any:
            reply = await following(request)
            answer = await reply.answer()
            return turnout.Reply.of(turnout.Answer(parts=answer.parts * 2, stop="end"))

        return step

    app.use(shouting)
    assert (await app.process("hi")).text == "nobodynobody"


def module_of(code: str, name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType(name)
    exec(code, vars(module))
    monkeypatch.setitem(sys.modules, name, module)
    return module


AGENTS = '''
import turnout

@turnout.agent
async def echo(request, emit):
    """Say it again."""
    await emit.text(request.last_user_text)

@turnout.agent("painter", image_generation=True, created=9)
async def paint(request, emit):
    await emit.text("no paint")
'''
ACTIONS = '''
@turnout.action(patterns=["do it"], template="Done.")
def do_it() -> dict[str, str]:
    """Do it."""
    return {}
'''


async def test_marked_agents_of_a_module_are_added_once(monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_of(AGENTS, "agents_alone", monkeypatch)
    again = module_of(
        "from agents_alone import echo\n" + "import turnout\n" + ACTIONS, "agents_too", monkeypatch
    )
    app = App()
    app.add(module, again, module)
    assert app.model_names == ("echo", "painter")
    assert app.action_ids == ("do_it",)
    assert (await app.process("again", model="echo")).text == "again"


def test_a_module_without_marks_is_misconfigured(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App()
    app.add(module_of("x = 1", "bare_module", monkeypatch))
    with pytest.raises(Misconfigured):
        app.build()


@pytest.mark.parametrize("thing", [object(), 3, (1,)], ids=["object", "number", "tuple"])
def test_what_takes_no_mark_is_misconfigured(thing: Any) -> None:
    with pytest.raises(Misconfigured):
        turnout.agent("name")(thing)
    with pytest.raises(Misconfigured):
        turnout.agent(thing)


async def test_a_configuration_loads_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module_of(AGENTS + ACTIONS, "desk_with_agents", monkeypatch)
    path = tmp_path / "turnout.toml"
    path.write_text('[app]\nload = ["desk_with_agents"]\n', "utf-8")
    app = build(read(path))
    async with app:
        assert app.model_names == ("echo", "painter")
        assert (await app.process("again", model="echo")).text == "again"


@pytest.mark.parametrize("taken", ["echo", "painter"])
def test_a_name_that_a_model_has_too_is_named_with_its_place(
    taken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module_of(AGENTS, "desk_with_agents", monkeypatch)
    path = tmp_path / "turnout.toml"
    provider = '[providers.up]\nprotocol = "openai-chat"\nbase_url = "http://127.0.0.1:9/v1"\n'
    path.write_text(
        f'{provider}[models."{taken}"]\nprovider = "up"\n[app]\nload = ["desk_with_agents"]\n', "utf-8"
    )
    with pytest.raises(Misconfigured, match=taken):
        build(read(path))


def test_a_name_that_two_agents_have_is_named_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module_of(AGENTS, "desk_with_agents", monkeypatch)
    module_of(AGENTS, "another_desk", monkeypatch)
    path = tmp_path / "turnout.toml"
    path.write_text('[app]\nload = ["desk_with_agents", "another_desk"]\n', "utf-8")
    with pytest.raises(ConfigError, match=r"app\.load: .*echo"):
        build(read(path))


async def test_the_list_shows_an_agent_to_the_official_client() -> None:
    app = App()
    app.agent(nobody, "nobody")
    async with app, serving(app) as port:
        url = f"http://127.0.0.1:{port}/v1"
        async with AsyncOpenAI(
            base_url=url, api_key="x", max_retries=0, _strict_response_validation=True
        ) as client:
            assert (await client.models.retrieve("nobody")).id == "nobody"
            with pytest.raises(openai.NotFoundError):
                await client.models.retrieve("somebody")
