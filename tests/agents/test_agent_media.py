"""Media that clients send to agents: its forms, its bounds, and the application's own assets."""

import base64
from typing import Any

import pytest

from tests.serve.serve_call import Call, call
from turnout import App, Limits, Server
from turnout.agents import Emit
from turnout.errors import Forbidden
from turnout.model import Context, File, Info, Inline, Media, Request, ToolResult, Url

CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
GEMINI = "/v1beta/models/m:generateContent"
PNG = base64.b64encode(b"\x89PNG0000").decode()
SECRET = "bucket-password"
EVERYTHING = {"text", "image", "audio", "video", "document"}


class Seen:
    """An app with one agent that keeps what it is given."""

    def __init__(self, **options: Any) -> None:
        self.heard: list[BaseException] = []
        self.media: list[Media] = []
        self.runs = 0
        self.info: dict[str, Any] = {"input": options.pop("input", EVERYTHING)}
        self.app = App(on_error=lambda error, _: self.heard.append(error), **options)
        self.app.agent(self._agent, "m", tools=True, **self.info)

    async def _agent(self, request: Request, emit: Emit) -> None:
        self.runs += 1
        for message in request.messages:
            for part in message.parts:
                inner = part.parts if isinstance(part, ToolResult) else (part,)
                self.media += [one for one in inner if isinstance(one, Media)]
        await emit.text("seen")

    async def ask(self, *parts: dict[str, Any], path: str = CHAT, **more: Any) -> Call:
        body: dict[str, Any] = {"model": "m", "max_tokens": 9}
        if path == GEMINI:
            body = {"contents": [{"role": "user", "parts": list(parts)}]}
        elif path == RESPONSES:
            body = {"model": "m", "input": [{"role": "user", "content": list(parts)}]}
        else:
            body["messages"] = [{"role": "user", "content": list(parts)}]
        return await call(self.app, path, body, **more)


def image(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def file_id(ref: str) -> dict[str, Any]:
    return {"type": "file", "file": {"file_id": ref}}


def message_of(made: Call) -> str:
    return made.json["error"]["message"]


@pytest.mark.states("L-087", "L-123", "L-125")
@pytest.mark.parametrize(
    ("part", "kind", "source"),
    [
        (image(f"data:image/png;base64,{PNG}"), "image", Inline(media_type="image/png", data=PNG)),
        # Nothing answers there, and nobody asks.
        (image("https://nowhere.invalid/a.png"), "image", Url(url="https://nowhere.invalid/a.png")),
        (
            {"type": "input_audio", "input_audio": {"data": PNG, "format": "wav"}},
            "audio",
            Inline(media_type="audio/wav", data=PNG),
        ),
        (
            {
                "type": "file",
                "file": {"file_data": f"data:application/pdf;base64,{PNG}", "filename": "a.pdf"},
            },
            "document",
            Inline(media_type="application/pdf", data=PNG),
        ),
    ],
    ids=["data", "address", "sound", "file"],
)
async def test_media_reaches_the_agent_as_it_was_sent(part: Any, kind: str, source: Any) -> None:
    seen = Seen()
    assert (await seen.ask(part)).status == 200
    (media,) = seen.media
    assert (media.kind, media.source) == (kind, source)


@pytest.mark.states("L-107")
async def test_images_and_documents_of_messages_reach_the_agent() -> None:
    seen = Seen()
    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    pdf = {"type": "base64", "media_type": "application/pdf", "data": PNG}
    made = await seen.ask(
        {"type": "image", "source": source}, {"type": "document", "source": pdf}, path=MESSAGES
    )
    assert made.status == 200
    assert [media.kind for media in seen.media] == ["image", "document"]


WRONG: dict[str, dict[str, Any]] = {
    "ftp": image("ftp://x.test/a.png"),
    "relative": image("a.png"),
    "schemeless": image("//x.test/a.png"),
    "hostless": image("https://"),
    "broken line": image("http://x.invalid/\r\nfoo"),
    "no image": image("data:text/html;base64,PGI+"),
    "broken": image("http://[broken"),
    "plain": image("data:image/png,plain"),
    "typeless": image(f"data:;base64,{PNG}"),
    "not base64": image("data:image/png;base64,not base64!"),
    "empty": image(""),
    "none": {"type": "image_url", "image_url": {}},
    "no format": {"type": "input_audio", "input_audio": {"data": PNG}},
}


@pytest.mark.states("L-124")
@pytest.mark.parametrize("part", WRONG.values(), ids=list(WRONG))
async def test_media_that_is_none_is_refused(part: Any) -> None:
    seen = Seen()
    assert (await seen.ask(part)).status == 400
    assert seen.runs == 0


@pytest.mark.states("L-133")
@pytest.mark.parametrize(("size", "status"), [(1_000, 200), (1_001, 413), (5_000, 413)])
@pytest.mark.parametrize("path", [CHAT, MESSAGES, RESPONSES, GEMINI])
async def test_inline_media_has_a_limit_of_decoded_bytes(size: int, status: int, path: str) -> None:
    seen = Seen(limits=Limits(media_bytes=1_000))
    data = base64.b64encode(b"x" * size).decode()
    parts: dict[str, Any] = {
        CHAT: image(f"data:image/png;base64,{data}"),
        MESSAGES: {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
        RESPONSES: {
            "type": "input_image",
            "detail": "auto",
            "image_url": f"data:image/png;base64,{data}",
        },
        GEMINI: {"inlineData": {"mimeType": "image/png", "data": data}},
    }
    made = await seen.ask(parts[path], path=path)
    assert made.status == status
    assert seen.runs == (status == 200)


# ---- the application's own assets ------------------------------------------------------------------------------------


class Vault:
    """Gives assets to who may have them, and notes how it is asked."""

    def __init__(self, **assets: Any) -> None:
        self.assets = assets
        self.asked: list[tuple[Media, int, Context]] = []

    async def __call__(self, media: Media, limit: int, context: Context) -> Inline:
        self.asked.append((media, limit, context))
        assert isinstance(media.source, File)
        found = self.assets[media.source.ref]
        if isinstance(found, Exception):
            raise found
        return found


PICTURE = Inline(media_type="image/png", data=PNG)
HANDLES: dict[str, dict[str, Any]] = {
    CHAT: file_id("a"),
    RESPONSES: {"type": "input_file", "file_id": "a"},
    MESSAGES: {"type": "document", "source": {"type": "file", "file_id": "a"}},
}


@pytest.mark.states("L-127")
@pytest.mark.parametrize("path", list(HANDLES))
async def test_a_handle_is_resolved_with_the_callers_context_and_a_ceiling(path: str) -> None:
    vault = Vault(a=Inline(media_type="application/pdf", data=PNG))
    seen = Seen(assets=vault, limits=Limits(media_bytes=1_000))
    made = await seen.ask(HANDLES[path], path=path, user="ada")
    assert made.status == 200, made.body
    ((media, limit, context),) = vault.asked
    assert media.kind == "document"
    assert limit == 1_000
    assert (context.scope or {})["user"] == "ada"
    assert [media.source for media in seen.media] == [vault.assets["a"]]


async def test_a_handle_inside_a_tools_result_is_resolved() -> None:
    seen = Seen(assets=Vault(a=PICTURE))
    inner = {"type": "image", "source": {"type": "file", "file_id": "a"}}
    body = {
        "model": "m",
        "max_tokens": 9,
        "messages": [
            {"role": "user", "content": "look"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "n", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": [inner]}]},
        ],
    }
    assert (await call(seen.app, MESSAGES, body)).status == 200
    assert [media.source for media in seen.media] == [PICTURE]


async def test_a_resolver_may_be_sync_and_give_bytes_and_type() -> None:
    def resolve(media: Media, limit: int, context: Context) -> tuple[bytes, str]:
        return b"\x89PNG0000", "image/png"

    seen = Seen(assets=resolve)
    assert (await seen.ask(file_id("a"))).status == 200
    assert [(media.kind, media.source) for media in seen.media] == [("image", PICTURE)]


@pytest.mark.states("L-126")
@pytest.mark.parametrize("path", list(HANDLES))
async def test_a_handle_without_a_resolver_is_refused_clearly(path: str) -> None:
    seen = Seen()
    made = await seen.ask(HANDLES[path], path=path)
    assert made.status == 400
    assert "file handles are not supported here" in message_of(made)
    assert seen.runs == 0


@pytest.mark.states("L-128", "L-143", "L-144")
@pytest.mark.parametrize("refusal", [PermissionError(SECRET), KeyError(SECRET), Forbidden("not yours")])
async def test_a_resolvers_refusal_reaches_the_client_without_its_words(refusal: Exception) -> None:
    seen = Seen(assets=Vault(a=refusal))
    made = await seen.ask(file_id("a"))
    assert made.status == 403
    assert SECRET not in made.body.decode()
    assert ("not yours" in message_of(made)) == isinstance(refusal, Forbidden)
    assert seen.runs == 0


@pytest.mark.states("L-129", "L-134")
@pytest.mark.parametrize(("count", "status"), [(32, 200), (33, 400)])
async def test_one_request_has_so_many_handles_and_no_more(count: int, status: int) -> None:
    vault = Vault(a=PICTURE)
    seen = Seen(assets=vault)
    assert (await seen.ask(*(file_id("a") for _ in range(count)))).status == status
    assert len(vault.asked) == (count if status == 200 else 0)
    assert seen.runs == (status == 200)


@pytest.mark.states("L-130")
@pytest.mark.parametrize(
    ("found", "status"),
    [
        (Inline(media_type="image/png", data=base64.b64encode(b"x" * 100).decode()), 200),
        (Inline(media_type="image/png", data=base64.b64encode(b"x" * 101).decode()), 413),
        (Inline(media_type="video/mp4", data=PNG), 400),
        (Inline(media_type="", data=PNG), 400),
        (Inline(media_type="image/png", data="!"), 400),
    ],
    ids=["fits", "too large", "another kind", "typeless", "not base64"],
)
async def test_what_a_resolver_gives_is_checked_like_what_a_client_sends(found: Inline, status: int) -> None:
    seen = Seen(assets=Vault(a=found), limits=Limits(media_bytes=100), input={"text", "image", "document"})
    assert (await seen.ask(file_id("a"))).status == status
    assert seen.runs == (status == 200)


@pytest.mark.states("L-125")
async def test_a_handle_of_what_is_no_agent_is_not_touched() -> None:
    vault = Vault()

    class Catalog:
        async def list(self, context: Context) -> dict[str, Info]:
            return {}

        async def load(self, target: str, context: Context) -> tuple[Any, Info]:
            async def provider(request: Request) -> str:
                return "fine"

            return provider, Info(unlimited=True)

    body = {"model": "m", "messages": [{"role": "user", "content": [file_id("a")]}]}
    assert (await call(Server(Catalog(), assets=vault), CHAT, body)).status == 200
    assert vault.asked == []
