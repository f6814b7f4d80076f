"""What a server does not do: nothing is opened before it is asked, and an agent's request goes nowhere else."""

import asyncio
import contextlib
import socket
import subprocess
import threading
from collections.abc import Generator
from typing import Any

import pytest

from tests.serve.serve_call import call
from turnout import App, Server
from turnout.agents import Emit
from turnout.model import Context, Info, Inline, Media, Request, Transcript
from turnout.store import MemoryStore, SQLiteStore

CHAT = "/v1/chat/completions"
URL = "https://nowhere.invalid/a.png"
SAID: Any = {"type": "text", "text": "look"}
ASK: dict[str, tuple[str, dict[str, Any]]] = {
    "openai-chat": (
        CHAT,
        {"messages": [{"role": "user", "content": [SAID, {"type": "image_url", "image_url": {"url": URL}}]}]},
    ),
    "openai-responses": (
        "/v1/responses",
        {
            "input": [
                {"role": "user", "content": [{"type": "input_image", "image_url": URL, "detail": "auto"}]}
            ]
        },
    ),
    "anthropic-messages": (
        "/v1/messages",
        {
            "max_tokens": 9,
            "messages": [
                {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": URL}}]}
            ],
        },
    ),
    "gemini": (
        "/v1beta/models/m:generateContent",
        {"contents": [{"role": "user", "parts": [{"fileData": {"fileUri": URL, "mimeType": "image/png"}}]}]},
    ),
}


@contextlib.contextmanager
def closed_off() -> Generator[list[str]]:
    """Meanwhile no socket, process or thread can be made; what was tried."""
    tried: list[str] = []

    def refuse(name: str) -> Any:
        def refused(*_given: Any, **_more: Any) -> Any:
            tried.append(name)
            raise AssertionError(f"{name} was used")

        return refused

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "__init__", refuse("a socket"))
        patch.setattr(socket, "getaddrinfo", refuse("a name"))
        patch.setattr(subprocess.Popen, "__init__", refuse("a process"))
        patch.setattr(threading.Thread, "start", refuse("a thread"))
        yield tried


def looking(seen: list[Any]) -> App:
    app = App(store=MemoryStore())

    @app.agent("m", input={"text", "image"})
    async def look(request: Request, emit: Emit) -> None:
        seen.extend(part for message in request.messages for part in message.parts if isinstance(part, Media))
        await emit.text("a picture")

    return app


@pytest.mark.states("L-001")
async def test_what_is_made_opens_nothing_and_starts_nothing(tmp_path: Any) -> None:
    tasks = asyncio.all_tasks()
    with closed_off() as tried:
        app = App(store=SQLiteStore(tmp_path / "turnout.db"), transcriber=len, speaker=len, assets=len)
        app.agent(lambda request, emit: None, "m")
        app.build()
        Server(None, store=SQLiteStore(tmp_path / "turnout.db"))
    assert tried == []
    assert list(tmp_path.iterdir()) == []
    assert asyncio.all_tasks() == tasks


@pytest.mark.states("L-002", "L-125")
@pytest.mark.parametrize("protocol", list(ASK))
async def test_an_agents_request_goes_nowhere_and_its_addresses_are_not_fetched(protocol: str) -> None:
    path, body = ASK[protocol]
    seen: list[Any] = []
    app = looking(seen)
    with closed_off() as tried:
        made = await call(app, path, {"model": "m", **body})
    assert made.status == 200
    assert b"a picture" in made.body
    [media] = seen
    assert media.source.url == URL
    assert tried == []


@pytest.mark.states("L-007", "L-023")
@pytest.mark.parametrize("value", [None, "Bearer wrong", "Basic eDp5", ""])
async def test_credentials_are_nobodys_business_here(value: str | None) -> None:
    headers = {"content-type": "application/json"} | ({} if value is None else {"authorization": value})
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    assert (await call(looking([]), CHAT, body, headers=headers)).status == 200
    for path in (
        "/.well-known/oauth-authorization-server",
        "/authorize",
        "/token",
        "/register",
        "/mcp",
        "/ag-ui",
    ):
        for method in ("GET", "POST"):
            assert (await call(looking([]), path, {}, method=method, headers=headers)).status == 404


class Noting(MemoryStore):
    """A store, catalog, agent, resolver, transcriber, speaker and hook that note who asks, by what is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, Any] = {}

    def _note(self, name: str, context: Context) -> None:
        self.seen[name] = (context.scope or {}).get("user")

    async def accept(self, turn: Any, /) -> Any:
        self._note("store.accept", turn.request.context)
        return await super().accept(turn)

    async def load(self, previous: str, context: Context, /) -> Any:
        self._note("store.load", context)
        return await super().load(previous, context)

    async def get(self, response_id: str, context: Context, /) -> Any:
        self._note("store.get", context)
        return await super().get(response_id, context)

    async def run(self, request: Request, emit: Emit) -> None:
        self._note("agent", request.context)
        if request.last_user_text == "fail":
            raise RuntimeError
        await emit.text("hello")

    async def asset(self, media: Media, limit: int, context: Context) -> Inline:
        self._note("assets", context)
        return Inline(media_type="image/png", data="iVBORw0KGgo=")

    async def transcribe(self, request: Any, context: Context) -> Transcript:
        self._note("transcriber", context)
        return Transcript(text="hi")

    async def speak(self, request: Any, context: Context) -> bytes:
        self._note("speaker", context)
        return b"sound"

    def on_error(self, error: BaseException, about: Request | Context) -> None:
        self._note("on_error", about.context if isinstance(about, Request) else about)


class NotingCatalog:
    def __init__(self, noting: Noting) -> None:
        self._noting = noting

    async def list(self, context: Context) -> dict[str, Any]:
        self._noting._note("catalog.list", context)
        return {}

    async def load(self, target: str, context: Context) -> Any:
        self._noting._note("catalog.load", context)
        return self._noting.run, Info(input=frozenset({"text", "image"}), continuation=True)


FORM = (
    b'--x\r\ncontent-disposition: form-data; name="model"\r\n\r\nm\r\n'
    b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF\r\n--x--\r\n'
)


@pytest.mark.states("L-006")
async def test_what_the_middleware_found_is_seen_wherever_the_application_is_asked() -> None:
    noting = Noting()
    server = Server(
        NotingCatalog(noting),  # type: ignore[arg-type]
        store=noting,
        assets=noting.asset,
        transcriber=noting.transcribe,
        speaker=noting.speak,
        on_error=noting.on_error,
    )

    async def found(scope: Any, receive: Any, send: Any) -> None:
        await server({**scope, "user": "ada"}, receive, send)

    picture = {"type": "input_image", "file_id": "f1", "detail": "auto"}
    first: Any = {"model": "m", "store": True, "input": [{"role": "user", "content": [picture]}]}
    made = await call(found, "/v1/responses", first)
    again = {"model": "m", "input": "and?", "previous_response_id": made.json["id"]}
    assert (await call(found, "/v1/responses", again)).status == 200
    assert (await call(found, "/v1/responses/" + made.json["id"], method="GET")).status == 200
    assert (await call(found, "/v1/responses", {"model": "m", "input": "fail"})).status == 500
    assert (await call(found, "/v1/models", method="GET")).status == 200
    speech = {"model": "m", "input": "hi", "voice": "v"}
    assert (await call(found, "/v1/audio/speech", speech)).status == 200
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert (await call(found, "/v1/audio/transcriptions", FORM, headers=headers)).status == 200
    places = ("list", "load"), ("accept", "load", "get")
    asked = [f"catalog.{name}" for name in places[0]] + [f"store.{name}" for name in places[1]]
    asked += ["agent", "assets", "transcriber", "speaker", "on_error"]
    assert noting.seen == dict.fromkeys(asked, "ada")
