"""Tokens, host names, origins."""

from typing import Any

import pytest

from tests.serve.serve_call import call
from tests.serve.serve_fakes import CODEC, Models, relayed, replying
from turnout.serve import Server
from turnout.serve.door import allow_origins, require_host, require_token

APP = Server(Models(m=replying(lambda: relayed(b"{}"))), codec=lambda _: CODEC)
JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    "sent",
    [
        {"authorization": "Bearer good"},
        {"authorization": "bearer  good "},
        {"x-api-key": "good"},
        {"x-api-key": "other good"},
        {"authorization": "Bearer wrong", "x-api-key": "good"},
    ],
)
async def test_a_known_token_comes_in(sent: dict[str, str]) -> None:
    app = require_token(APP, ["good", "other good"], codec=CODEC)
    assert (await call(app, headers=JSON | sent)).status == 200


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"authorization": "good"},
        {"authorization": "Basic good"},
        {"authorization": "Bearer "},
        {"authorization": "Bearer goo"},
        {"authorization": "Bearer goodd"},
        {"x-api-key": ""},
        {"x-api-key": "GOOD"},
        {"api-key": "good"},
    ],
)
async def test_anything_else_stays_outside(sent: dict[str, str]) -> None:
    app = require_token(APP, ["good"], codec=CODEC)
    for path, method in (("/v1/chat/completions", "POST"), ("/v1/models", "GET"), ("/nowhere", "GET")):
        made = await call(app, path, method=method, headers=JSON | sent)
        assert (made.status, made.json["error"]["code"]) == (401, "invalid_api_key")
        assert made.headers["www-authenticate"] == "Bearer"
        assert b"good" not in made.body.lower()


async def test_health_needs_no_token() -> None:
    app = require_token(APP, ["good"], codec=CODEC)
    assert (await call(app, "/ai/healthz", method="GET", root_path="/ai")).status == 200
    assert (await call(app, "/readyz", method="GET")).status == 200


@pytest.mark.parametrize("tokens", [[], [""], ["a", ""]])
def test_an_empty_token_is_no_token(tokens: list[str]) -> None:
    with pytest.raises(ValueError, match="token"):
        require_token(APP, tokens, codec=CODEC)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8787", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:8787", 200),
        ("localhost.", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example:8787", 403),
        ("", 403),
        (None, 403),
    ],
)
async def test_on_loopback_only_its_names_are_answered(host: str | None, status: int) -> None:
    headers = JSON | ({} if host is None else {"host": host})
    assert (await call(require_host(APP, codec=CODEC), headers=headers)).status == status


async def test_a_preflight_of_a_known_origin_passes_without_a_token() -> None:
    app = allow_origins(require_token(APP, ["good"], codec=CODEC), ["https://app.example"])
    asked = {
        "origin": "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, content-type, x-stainless-lang",
    }
    made = await call(app, method="OPTIONS", headers=asked)
    assert made.status == 200
    assert made.headers["access-control-allow-origin"] == "https://app.example"
    assert "x-stainless-lang" in made.headers["access-control-allow-headers"]
    made = await call(app, method="OPTIONS", headers=asked | {"origin": "https://evil.example"})
    assert made.status == 400


async def test_an_answer_to_a_known_origin_may_be_read_refusals_included() -> None:
    app = allow_origins(require_token(APP, ["good"], codec=CODEC), ["https://app.example"])
    for token, status in (("good", 200), ("bad", 401)):
        sent = JSON | {"origin": "https://app.example", "x-api-key": token}
        made = await call(app, headers=sent)
        assert (made.status, made.headers["access-control-allow-origin"]) == (status, "https://app.example")
        assert "x-request-id" in made.headers["access-control-expose-headers"]
        assert "access-control-allow-credentials" not in made.headers
    made = await call(app, headers=JSON | {"origin": "https://evil.example", "x-api-key": "good"})
    assert "access-control-allow-origin" not in made.headers


async def test_other_scopes_pass_the_door_and_websockets_need_a_token() -> None:
    seen: list[str] = []
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["type"])

    async def receive() -> Any:
        return {}

    async def send(message: Any) -> None:
        sent.append(message["type"])

    door = require_token(app, ["good"], codec=CODEC)
    await door({"type": "lifespan"}, receive, send)
    await door({"type": "websocket", "path": "/", "headers": []}, receive, send)
    assert (seen, sent) == (["lifespan"], ["websocket.close"])
