"""What is answered where, and in which shape it is refused."""

import asyncio
import json
from functools import partial
from typing import Any

import pytest

from tests.serve.serve_call import Call, call
from tests.serve.serve_fakes import CODEC, JSON, Models, PlainCodec, Spy, evented, relayed, replying
from turnout.model import Answer, Headers, IdempotencyKey, Info, Limits, Reply, Request, Text
from turnout.model.errors import (
    Conflict,
    Forbidden,
    InvalidRequest,
    NotFound,
    ProviderError,
    RunTimedOut,
    StageError,
    TooLarge,
    TurnoutError,
    Unauthenticated,
    Unsupported,
)
from turnout.serve import Server
from turnout.wire import chat


def server(step: Any = None, codec: Any = CODEC, **options: Any) -> Server:
    return Server(Models(m=step or replying(lambda: relayed(b"{}"))), codec=lambda _: codec, **options)


def raising(error: BaseException) -> Any:
    async def step(request: Request) -> Reply:
        raise error

    return step


# ---- paths --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/chat/completions", "/v1/chat/completions"])
async def test_a_request_is_answered_with_and_without_the_version(path: str) -> None:
    made = await call(server(), path)
    assert (made.status, made.body, made.finished) == (200, b"{}", True)


@pytest.mark.parametrize(
    ("root", "path"),
    [("/ai", "/ai/v1/chat/completions"), ("/ai", "/v1/chat/completions"), ("/v1", "/v1/chat/completions")],
)
async def test_the_prefix_of_a_mount_is_honoured(root: str, path: str) -> None:
    assert (await call(server(), path, root_path=root)).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/chat/completions/",
        "//chat/completions",
        "/v2/chat/completions",
        "/v1/chat",
        "/v1/v1/models",
        "/models/",
        "/v1/healthz",
        "/Chat/Completions",
    ],
)
async def test_any_other_path_is_not_found_in_the_protocols_shape(path: str) -> None:
    made = await call(server(), path)
    assert (made.status, made.json["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("path", "method", "allow"),
    [
        ("/v1/chat/completions", "GET", "POST"),
        ("/v1/chat/completions", "HEAD", "POST"),
        ("/v1/chat/completions", "OPTIONS", "POST"),
        ("/v1/models", "POST", "GET, HEAD"),
        ("/models/m", "DELETE", "GET, HEAD"),
        ("/healthz", "POST", "GET, HEAD"),
    ],
)
async def test_a_wrong_method_is_refused_with_the_allowed_ones(path: str, method: str, allow: str) -> None:
    made = await call(server(), path, method=method)
    assert (made.status, made.headers["allow"]) == (405, allow)
    assert made.json["error"]["code"] == "method_not_allowed"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_models_are_listed_and_shown_by_name(method: str) -> None:
    app = Server(Models(**{"m": None, "a/b": None}), codec=lambda _: CODEC)
    listed = await call(app, "/v1/models", method=method)
    one = await call(app, "/models/a/b", method=method)
    assert (listed.json, one.json) == (["m", "a/b"], "a/b")
    assert listed.headers["content-length"] == str(len(listed.body))


async def test_an_unknown_model_is_not_found_by_its_code() -> None:
    for made in (
        await call(server(), body={"model": "other"}),
        await call(server(), "/models/other", method="GET"),
    ):
        assert (made.status, made.json["error"]["code"], made.json["error"]["param"]) == (
            404,
            "model_not_found",
            "model",
        )


async def test_health_says_that_it_serves_and_readiness_that_it_can_answer() -> None:
    ready = False

    async def is_ready() -> bool:
        return ready

    app = server(ready=is_ready)
    assert (await call(app, "/healthz", method="GET")).status == 200
    assert (await call(app, "/readyz", method="GET")).status == 503
    ready = True
    assert (await call(app, "/readyz", method="GET")).status == 200
    await app.aclose()
    assert (await call(app, "/readyz", method="GET")).status == 503


# ---- the body -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=utf-8", "Application/JSON", "application/x+json"]
)
async def test_json_is_taken_however_it_is_named(kind: str) -> None:
    assert (await call(server(), headers={"content-type": kind})).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "multipart/form-data; boundary=application/json"},
        {"content-type": "text/x+json"},
    ],
)
async def test_what_a_browser_could_post_from_elsewhere_is_refused(headers: dict[str, str]) -> None:
    made = await call(server(), headers=headers)
    assert (made.status, made.json["error"]["param"]) == (415, "content-type")


async def test_a_compressed_body_is_refused_by_name() -> None:
    made = await call(server(), headers={"content-type": "application/json", "content-encoding": "gzip"})
    assert made.status == 415
    assert "gzip" in made.json["error"]["message"]


@pytest.mark.parametrize("length", ["21", "9" * 5000], ids=["more", "digits"])
@pytest.mark.states("P-138")
async def test_a_body_over_the_limit_is_refused_before_it_is_read(length: str) -> None:
    codec = PlainCodec()
    app = server(codec=codec, limits=Limits(request_bytes=20))
    said = {"content-type": "application/json", "content-length": length}
    made = await call(app, headers=said, pieces=[])
    assert (made.status, made.json["error"]["code"]) == (413, "request_too_large")


@pytest.mark.states("P-138")
async def test_a_body_over_the_limit_is_refused_while_it_is_read() -> None:
    app = server(limits=Limits(request_bytes=20))
    for pieces in ([b"x" * 21], [b"x" * 15, b"x" * 6], [b"x" * 15, b"x" * 15, b"x" * 15]):
        assert (await call(app, pieces=pieces)).status == 413
    body = b'{"model":"m"}       '
    assert (await call(app, pieces=[body[:10], body[10:], b""])).status == 200


async def test_a_large_history_with_images_is_taken() -> None:
    body = b'{"model":"m","pad":"' + b"x" * 20_000_000 + b'"}'
    pieces = [body[at : at + 65_536] for at in range(0, len(body), 65_536)]
    seen: list[int] = []

    async def step(request: Request) -> str:
        assert request.source is not None
        seen.append(len(request.source.body))
        return "ok"

    assert (await call(server(step, codec=chat.CODEC), pieces=pieces)).status == 200
    assert seen == [len(body)]


async def test_a_body_that_does_not_come_is_given_up() -> None:
    never = asyncio.Event()
    app = server(read_s=0.01)
    made = Call()

    async def receive() -> Any:
        await never.wait()

    async def send(message: Any) -> None:
        made.messages.append(message)

    from tests.serve.serve_call import scope_of

    await app(scope_of("/chat/completions"), receive, send)
    assert (made.status, made.json["error"]["code"]) == (408, "request_timeout")
    assert made.headers["connection"] == "close"
    assert asyncio.current_task().cancelling() == 0  # type: ignore[union-attr]


@pytest.mark.states("P-137")
@pytest.mark.parametrize("body", [b"", b"no", b"[]", b'{"stream":true}', b'"model"'])
async def test_what_is_no_request_is_refused(body: bytes) -> None:
    made = await call(server(), pieces=[body])
    assert (made.status, made.json["error"]["type"]) == (400, "invalid_request_error")


# ---- what a step is given -------------------------------------------------------------------------------------


async def test_a_request_that_is_passed_on_is_never_decoded() -> None:
    codec = PlainCodec()
    made = await call(server(codec=codec), body={"model": "m", "say": "hi"})
    assert (made.status, codec.decoded) == (200, 0)


async def test_a_step_that_reads_the_request_has_it_decoded_once() -> None:
    codec = PlainCodec()

    async def step(request: Request) -> Answer:
        return Answer(
            parts=(Text(text=request.last_user_text * 2), *request.replace(model="x").messages[0].parts),
            stop="end",
        )

    made = await call(server(step, codec=codec), body={"model": "m", "say": "hi"})
    assert (made.json["text"], codec.decoded) == ("hihihi", 1)


async def test_a_body_that_a_step_cannot_decode_is_the_clients_fault() -> None:
    async def step(request: Request) -> str:
        return request.last_user_text

    made = await call(server(step), body={"model": "m", "say": 1})
    assert (made.status, made.json["error"]["param"]) == (400, "say")


async def test_a_step_sees_the_call_as_it_came() -> None:
    seen: list[Request] = []

    async def step(request: Request) -> str:
        seen.append(request)
        return "ok"

    said = {"content-type": "application/json", "idempotency-key": "k1", "x-user-id": "u"}
    app = server(step, new_id=lambda: "id1")
    made = await call(app, "/ai/v1/chat/completions", headers=said, root_path="/ai", query_string=b"a=1")
    [request] = seen
    assert request.source is not None
    assert request.context.scope is not None
    assert request.context.get(IdempotencyKey) == IdempotencyKey(value="k1")
    assert (request.source.path, request.source.query) == ("/v1/chat/completions", "a=1")
    assert request.source.headers.get("X-User-Id") == "u"
    assert (request.context.request_id, made.headers["x-request-id"]) == ("id1", "id1")
    assert request.context.scope["root_path"] == "/ai"


@pytest.mark.parametrize("answered", ["ok", Answer(parts=(Text(text="ok"),), stop="end")])
async def test_a_step_may_answer_with_text_or_an_answer(answered: Any) -> None:
    async def step(request: Request) -> Any:
        return answered

    made = await call(server(step, new_id=lambda: "id1"))
    assert made.json == {"id": "id1", "model": "m", "text": "ok"}
    assert made.headers["content-type"] == "application/json"


async def test_the_upstreams_own_request_id_is_relayed() -> None:
    headers = Headers.of({"content-type": "application/json", "x-request-id": "theirs"})
    made = await call(server(replying(lambda: relayed(b"{}", headers=headers))))
    assert [value for name, value in made.messages[0]["headers"] if name == b"x-request-id"] == [b"theirs"]


# ---- errors -------------------------------------------------------------------------------------------------

SECRET = "sk-secret"


def caused(error: TurnoutError) -> TurnoutError:
    error.__cause__ = RuntimeError(SECRET)
    return error


ERRORS: list[tuple[BaseException, int, str | None, bool]] = [
    (InvalidRequest("bad", param="x"), 400, None, False),
    (Unsupported("audio"), 400, "unsupported", False),
    (Unauthenticated("who"), 401, "invalid_api_key", False),
    (Forbidden("no"), 403, None, False),
    (NotFound("gone"), 404, "not_found", False),
    (Conflict("again"), 409, "conflict", False),
    (TooLarge("big"), 413, "request_too_large", False),
    (ProviderError("slow down", status_code=429, kind="rate_limit"), 429, None, True),
    (ProviderError("no answer"), 502, None, True),
    (ProviderError("late", kind="timeout"), 504, None, True),
    (caused(StageError("execute", may_have_acted=True)), 502, "control_plane_failed", True),
    (RunTimedOut("late"), 504, "timeout", True),
    (RuntimeError(SECRET), 502, "control_plane_failed", True),
    (TimeoutError(SECRET), 504, "timeout", True),
    (asyncio.CancelledError(SECRET), 502, "control_plane_failed", True),
]


@pytest.mark.states("P-139", "P-145", "P-146")
@pytest.mark.parametrize("codec", [CODEC, chat.CODEC], ids=["plain", "chat"])
@pytest.mark.parametrize(("error", "status", "code", "told"), ERRORS, ids=lambda value: type(value).__name__)
async def test_every_failure_has_its_status_and_hides_its_cause(
    error: BaseException, status: int, code: str | None, told: bool, codec: Any
) -> None:
    heard: list[Any] = []

    def on_error(raised: BaseException, about: Any) -> None:
        heard.append((raised, about))

    body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    made = await call(server(raising(error), on_error=on_error, codec=codec), body=body)
    assert (made.status, made.json["error"]["code"]) == (status, code)
    assert set(made.json["error"]) == {"message", "type", "param", "code"}
    assert made.headers["content-type"] == "application/json"
    assert made.headers["content-length"] == str(len(made.body))
    assert made.headers["x-request-id"]
    assert SECRET.encode() not in made.body
    assert [raised for raised, _ in heard] == ([error] if told else [])
    assert all(isinstance(about, Request) for _, about in heard)


async def test_a_failure_after_an_action_tells_clients_not_to_repeat() -> None:
    for error, said in (
        (StageError("execute", may_have_acted=True), "false"),
        (RuntimeError(), "false"),
        (StageError("classify"), None),
        (ProviderError("no answer"), None),
    ):
        made = await call(server(raising(error)))
        assert made.headers.get("x-should-retry") == said
    made = await call(server(raising(ProviderError("slow", status_code=429, retry_after=1.5))))
    assert made.headers["retry-after"] == "1.5"


@pytest.mark.states("P-145")
async def test_nothing_is_logged(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    await call(server(raising(RuntimeError(SECRET))))
    assert not caplog.records
    assert capsys.readouterr() == ("", "")


async def test_a_hook_may_be_async_and_its_failure_changes_nothing() -> None:
    heard: list[BaseException] = []

    async def on_error(raised: BaseException, about: Any) -> None:
        heard.append(raised)
        raise ValueError("the hook fails")

    made = await call(server(raising(RuntimeError("x")), on_error=on_error))
    assert (made.status, len(heard), made.finished) == (502, 1, True)


async def test_a_catalog_that_fails_is_a_failure_of_its_own() -> None:
    heard: list[BaseException] = []

    class Broken:
        async def list(self, context: Any) -> Any:
            raise RuntimeError(SECRET)

        async def load(self, target: str, context: Any) -> Any:
            raise RuntimeError(SECRET)

    app = Server(Broken(), codec=lambda _: CODEC, on_error=lambda error, about: heard.append(error))
    for made in (await call(app), await call(app, "/models", method="GET")):
        assert (made.status, made.json["error"]["code"]) == (500, "catalog_failed")
        assert SECRET.encode() not in made.body
    assert [str(error.__cause__) for error in heard] == [SECRET, SECRET]


async def test_an_answer_that_the_protocol_cannot_say_is_refused_by_name() -> None:
    made = await call(server(replying(lambda: Reply.of(Answer(parts=(), stop="pause")))))
    assert (made.status, made.json["error"]["param"]) == (400, "pause")


async def test_what_was_dropped_is_named() -> None:
    answer = Answer(parts=(Text(text="x"),), stop="end", metadata={"a": "b"})
    made = await call(server(replying(lambda: Reply.of(answer, dropped=("seed", "voice")))))
    assert made.headers["x-turnout-dropped"] == "seed, voice"
    made = await call(server(replying(lambda: relayed(b"{}", dropped=("seed",)))))
    assert made.headers["x-turnout-dropped"] == "seed"


async def test_the_reply_is_closed_however_it_ends() -> None:
    for make in (
        lambda spy: relayed(b"{}", spy=spy),
        lambda spy: relayed(RuntimeError("x"), spy=spy),
        lambda spy: relayed(b"{", RuntimeError("x"), spy=spy),
        lambda spy: evented(RuntimeError("x"), spy=spy),
    ):
        spy = Spy()
        await call(server(replying(partial(make, spy))))
        assert spy.closed.is_set()


async def test_what_is_owned_is_closed_with_the_lifespan() -> None:
    closed: list[str] = []

    class Owned:
        def __init__(self, name: str, error: Exception | None = None) -> None:
            self.name, self.error = name, error

        async def aclose(self) -> None:
            closed.append(self.name)
            if self.error is not None:
                raise self.error

    sent: list[Any] = []
    asked = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]

    async def receive() -> Any:
        return asked.pop(0)

    async def send(message: Any) -> None:
        sent.append(message["type"])

    app = server(owned=[Owned("a"), Owned("b", RuntimeError(SECRET)), Owned("c")])
    await app({"type": "lifespan"}, receive, send)
    assert (closed, sent) == (["a", "b", "c"], ["lifespan.startup.complete", "lifespan.shutdown.failed"])
    async with server(owned=[Owned("d")]).lifespan():
        assert "d" not in closed
    assert closed[-1] == "d"


async def test_a_websocket_is_refused() -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message["type"])

    await server()({"type": "websocket", "path": "/v1/responses"}, receive, send)
    assert sent == ["websocket.close"]


def test_fakes_are_what_they_say() -> None:
    assert json.loads(CODEC.encode_model("m", Info())) == "m"
    assert JSON.get("content-type") == "application/json"
