"""A provider that speaks Anthropic Messages: where it is called, with which headers, and what it counts and lists."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

import anthropic
import pytest
from upstream import Call, Wire, as_json, runs, upstream

from turnout.model import Body, Headers, Message, Request, Source, Text, ToolCall, ToolResult
from turnout.model.errors import InvalidRequest, Misconfigured, ProviderError, Unauthenticated, Unsupported
from turnout.providers import Provider, provider
from turnout.wire.codec import codec

CODEC = codec("anthropic-messages")
ANSWER = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "up",
    "content": [{"type": "text", "text": "hello"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 3, "output_tokens": 2},
}
QUESTION: Any = [{"role": "user", "content": "hi"}]
KEY = "sk-ant-test-key"


def incoming(headers: dict[str, str] | None = None, query: str = "", **fields: Any) -> Request:
    """A request of an Anthropic client, peeked at and not decoded."""
    data = json.dumps({"model": "m", "max_tokens": 5, "messages": QUESTION, **fields}).encode()
    source = Source(protocol="anthropic-messages", body=data, headers=Headers.of(headers or {}), query=query)
    model, stream = CODEC.peek(source)
    return Request(model=model, stream=stream, source=source, decode=lambda: CODEC.decode_request(source))


def asked(*messages: Message, **fields: Any) -> Request:
    """A request made by hand, without bytes."""
    said = messages or (Message(role="user", parts=(Text(text="hi"),)),)
    return Request(model="m", body=Body(messages=said, **fields))


def claude(url: str, **options: Any) -> Provider:
    return provider("anthropic-messages", base_url=url, **{"api_key": KEY, **options})


@pytest.mark.parametrize(
    ("base", "wanted"),
    [
        ("", "/v1/messages"),
        ("/v1", "/v1/messages"),
        ("/v1/", "/v1/messages"),
        ("/anthropic", "/anthropic/v1/messages"),
        ("/anthropic/v1/messages", "/anthropic/v1/messages"),
        ("/v2beta", "/v2beta/messages"),
    ],
)
def test_the_address_is_joined_once_with_a_version(base: str, wanted: str):
    @runs
    async def check() -> None:
        async with upstream(as_json(ANSWER)) as up, claude(up.origin + base) as ours:
            assert (await ours.chat(asked())).text == "hello"
            assert up.last.target == wanted

    check()


@pytest.mark.states("T-001", "T-002", "T-003", "T-005")
def test_a_call_has_key_and_version_and_the_answer_is_typed():
    @runs
    async def check() -> None:
        async with upstream(as_json(ANSWER)) as up, claude(up.origin, name="anthropic") as ours:
            assert ours.name == "anthropic"
            answer = await ours.chat(asked(temperature=0.5))
            assert (answer.text, answer.usage.total_input, answer.stop) == ("hello", 3, "end")
            assert up.last.headers["x-api-key"] == KEY
            assert up.last.headers["anthropic-version"] == "2023-06-01"
            assert up.last.json["max_tokens"] == 4096
            await ours.chat(asked())
            assert up.last.headers["anthropic-version"] == "2026-10-21"

    check()


def test_the_clients_version_and_betas_cross_and_the_operators_win():
    given = {"anthropic-version": "2023-06-01", "anthropic-beta": "a,b", "x-api-key": "sk-client"}

    @runs
    async def check() -> None:
        async with upstream(as_json(ANSWER)) as up:
            async with claude(up.origin) as ours, await ours(incoming(given, "beta=true")) as reply:
                assert reply.protocol == "anthropic-messages"
            assert up.last.target == "/v1/messages?beta=true"
            names = ("anthropic-version", "anthropic-beta", "x-api-key")
            assert [up.last.headers[name] for name in names] == ["2023-06-01", "a,b", KEY]
            assert sum(name.lower() == "anthropic-version" for name, _ in up.last.raw_headers) == 1
            async with claude(up.origin, version="2099-01-01") as ours, await ours(incoming(given)):
                assert up.last.headers["anthropic-version"] == "2099-01-01"
            own = {"Anthropic-Version": "2098-01-01"}
            async with claude(up.origin, headers=own) as ours, await ours(incoming(given)):
                assert up.last.headers["anthropic-version"] == "2098-01-01"
            async with claude(up.origin) as ours, await ours(incoming()):
                assert up.last.headers["anthropic-version"] == "2023-06-01"
            async with claude(up.origin, model="other") as ours:
                request = incoming(given).replace(temperature=0.5)
                async with await ours(request):
                    assert (up.last.json["model"], up.last.json["temperature"]) == ("other", 0.5)
                assert up.last.headers["anthropic-version"] == "2023-06-01"

    check()


def test_the_callers_key_goes_on_in_the_header_that_it_came_in():
    @runs
    async def check() -> None:
        async with upstream(as_json(ANSWER)) as up, claude(up.origin, api_key="client") as ours:
            async with await ours(incoming({"authorization": "Bearer oauth-token"})):
                assert up.last.headers["authorization"] == "Bearer oauth-token"
                assert "x-api-key" not in up.last.headers
            async with await ours(incoming({"x-api-key": "sk-client"})):
                assert up.last.headers["x-api-key"] == "sk-client"
                assert "authorization" not in up.last.headers
            with pytest.raises(Unauthenticated):
                await ours(incoming())
            chat = Source(
                protocol="openai-chat", body=b"{}", headers=Headers.of({"authorization": "Bearer sk-x"})
            )
            request = Request(model="m", source=chat, body=asked().body)
            async with await ours(request):
                assert up.last.headers["x-api-key"] == "sk-x"

    check()


def test_the_preset_takes_ids_that_the_protocol_takes():
    @runs
    async def check() -> None:
        call = Message(role="assistant", parts=(ToolCall(call_id="a.b", name="f g"),))
        result = Message(role="tool", parts=(ToolResult(call_id="a.b"),))
        hi = Message(role="user", parts=(Text(text="hi"),))
        async with upstream(as_json(ANSWER)) as up:
            ours = provider("anthropic", base_url=up.origin, api_key=KEY)
            async with ours:
                await ours.chat(asked(hi, call, result))
            used, answered = (message["content"][0] for message in up.last.json["messages"][1:])
            assert used["id"] == answered["tool_use_id"]
            assert used["id"].replace("_", "").replace("-", "").isalnum()
            assert " " not in used["name"]

    check()


@pytest.mark.parametrize(
    ("protocol", "options", "name"),
    [
        ("anthropic-messages", {"late_system": "sometimes"}, "late_system"),
        ("anthropic-messages", {"default_max_tokens": "x"}, "default_max_tokens"),
        ("anthropic-messages", {"colour": "red"}, "colour"),
        ("openai-chat", {"version": "2023-06-01"}, "version"),
    ],
)
def test_options_are_the_protocols_own(protocol: str, options: dict[str, Any], name: str):
    with pytest.raises(Misconfigured, match=name):
        provider(protocol, base_url="http://h", api_key=KEY, **options)


def test_options_reach_the_request():
    @runs
    async def check() -> None:
        late = (
            Message(role="user", parts=(Text(text="hi"),)),
            Message(role="system", parts=(Text(text="be brief"),)),
        )
        options: dict[str, Any] = {"default_max_tokens": 77, "late_system": "refuse"}
        async with upstream(as_json(ANSWER)) as up, claude(up.origin, **options) as ours:
            await ours.chat(asked())
            assert up.last.json["max_tokens"] == 77
            with pytest.raises(InvalidRequest):
                await ours.chat(asked(*late))

    check()


# ---- counting and listing ------------------------------------------------------------------------------------------


def test_tokens_are_counted_in_the_providers_own_bytes():
    body = b'{"input_tokens": 42, "extra": true}'

    async def script(call: Call, wire: Wire) -> None:
        if b"bad" in call.body:
            await wire.whole(404, b'{"type":"error","error":{"type":"not_found_error","message":"no"}}')
        else:
            await wire.whole(200, body, {"content-type": "application/json"})

    @runs
    async def check() -> None:
        async with upstream(script) as up, claude(up.origin) as ours:
            async with await ours.count(incoming()) as reply:
                assert reply.relay is not None
                assert b"".join([data async for data in reply.relay]) == body
            assert up.last.target == "/v1/messages/count_tokens"
            assert up.last.json == {"model": "m", "max_tokens": 5, "messages": QUESTION}
            assert await ours.count_tokens(asked(max_tokens=5)) == 42
            assert up.last.json == {"model": "m", "messages": QUESTION}
            async with await ours.count(asked()) as reply:
                assert (await reply.answer()).usage.total_input == 42
            with pytest.raises(ProviderError) as missing:
                await ours.count_tokens(incoming(metadata={"user_id": "bad"}))
            assert missing.value.status == 404

    check()


def test_a_count_that_is_none_is_told():
    @runs
    async def check() -> None:
        async with upstream(as_json({"tokens": 5})) as up, claude(up.origin) as ours:
            with pytest.raises(ProviderError):
                await ours.count_tokens(asked())

    check()


def test_a_provider_that_cannot_count_estimates():
    @runs
    async def check() -> None:
        async with provider("openai-chat", base_url="http://127.0.0.1:9/v1", api_key=KEY) as ours:
            words = Message(role="user", parts=(Text(text="word " * 80),))
            async with await ours.count(asked(words)) as reply:
                usage = (await reply.answer()).usage
            assert usage.estimated
            assert 80 <= (usage.total_input or 0) <= 130
            chat = codec("openai-chat")
            with pytest.raises(Unsupported):
                chat.encode_count_request("m", asked().body, None)
            with pytest.raises(Unsupported):
                chat.decode_count(b"{}")
            with pytest.raises(Unsupported):
                chat.encode_count(1)

    check()


@pytest.mark.states("T-004")
def test_all_pages_of_the_models_are_listed():
    async def script(call: Call, wire: Wire) -> None:
        later = "after_id=b" in call.target
        rows = [{"id": name, "type": "model", "max_tokens": 9} for name in ("c" if later else "ab")]
        page = {"data": rows, "has_more": not later, "first_id": "a", "last_id": rows[-1]["id"]}
        await wire.whole(200, json.dumps(page).encode(), {"content-type": "application/json"})

    @runs
    async def check() -> None:
        async with upstream(script) as up, claude(up.origin) as ours:
            assert [model.id for model in await ours.models()] == ["a", "b", "c"]
            assert up.last.target == "/v1/models?after_id=b"
            assert up.last.headers["anthropic-version"] == "2026-10-21"

    check()


# ---- signatures ----------------------------------------------------------------------------------------------------


def signature(secret: bytes, method: str, target: str, body: bytes) -> str:
    """A signature over all of a call, in the manner of cloud providers."""
    text = "\n".join((method, target, hashlib.sha256(body).hexdigest()))
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()


def test_a_hook_signs_the_very_bytes_that_are_sent():
    secret = b"region-key"

    def sign(method: str, url: str, headers: Mapping[str, str], body: bytes) -> Mapping[str, str]:
        target = "/" + url.split("/", 3)[3]
        assert ("content-type" in headers) == (method == "POST")
        return {"authorization": f"AWS4-HMAC-SHA256 {signature(secret, method, target, body)}"}

    async def verify(call: Call, wire: Wire) -> None:
        wanted = f"AWS4-HMAC-SHA256 {signature(secret, call.method, call.target, call.body)}"
        fine = call.headers["authorization"] == wanted
        answer = {"data": [], "has_more": False} if call.method == "GET" else ANSWER
        await wire.whole(200 if fine else 403, json.dumps(answer if fine else {}).encode())

    @runs
    async def check() -> None:
        async with upstream(verify) as up:
            options: dict[str, Any] = {"auth": sign, "path": "/model/{model}/invoke"}
            async with provider("anthropic-messages", base_url=up.origin, **options) as ours:
                assert (await ours.chat(asked())).text == "hello"
                assert up.last.target == "/model/m/invoke"
                async with await ours(incoming({"authorization": "Bearer sk-client"})) as reply:
                    assert reply.status == 200
                assert await ours.models() == ()
                assert "x-api-key" not in up.last.headers

    check()


def test_a_hook_may_fetch_a_token_that_expires():
    tokens = iter(("first", "second"))

    async def fresh(_method: str, _url: str, _headers: Mapping[str, str], _body: bytes) -> Mapping[str, str]:
        await asyncio.sleep(0)
        return {"Authorization": f"Bearer {next(tokens)}"}

    @runs
    async def check() -> None:
        async with upstream(as_json(ANSWER)) as up, claude(up.origin, auth=fresh) as ours:
            for token in ("first", "second"):
                await ours.chat(asked())
                assert up.last.headers["authorization"] == f"Bearer {token}"

    check()


# ---- official clients ----------------------------------------------------------------------------------------------


class Expiring:
    """A source of tokens, as the client takes one."""

    def __call__(self, *, force_refresh: bool = False) -> Any:
        from anthropic.lib.credentials import AccessToken

        return AccessToken(token="token-1", expires_at=None)


def clients(url: str) -> dict[str, Any]:
    return {
        "sync": anthropic.Anthropic(api_key=KEY, base_url=url, default_headers={"x-mine": "1"}),
        "async": anthropic.AsyncAnthropic(api_key=KEY, base_url=url, default_query={"q": "1"}),
        "token": anthropic.Anthropic(auth_token="token-2", base_url=url),
        "expiring": anthropic.Anthropic(credentials=Expiring(), base_url=url),
        "expiring async": anthropic.AsyncAnthropic(credentials=Expiring(), base_url=url),
    }


COMPARED = ("authorization", "x-api-key", "anthropic-version", "x-mine", "content-type")


@pytest.mark.states("P-173")
@pytest.mark.parametrize("kind", list(clients("http://h")))
def test_a_provider_made_from_a_client_makes_the_same_call(kind: str):
    @runs
    async def check() -> None:
        async with upstream(as_json(ANSWER)) as up:
            client = clients(up.origin)[kind]
            call: dict[str, Any] = {"model": "m", "max_tokens": 5, "messages": QUESTION}
            if isinstance(client, anthropic.AsyncAnthropic):
                await client.messages.create(**call)
                await client.close()
            else:
                await asyncio.to_thread(lambda: client.messages.create(**call))
                client.close()
            theirs = up.last
            async with provider.from_client(client, retries=0) as ours:
                assert (await ours.chat(asked(max_tokens=5))).text == "hello"
                assert repr(ours) == "Provider('anthropic', anthropic-messages)"
            assert up.last.target == theirs.target
            assert up.last.json == theirs.json
            for name in COMPARED:
                assert up.last.headers.get(name) == theirs.headers.get(name), name

    check()


def test_an_older_client_keeps_its_header():
    class Anthropic:
        """What a client of the package's first release shows."""

        api_key = KEY
        base_url = "http://h"
        auth_headers: Mapping[str, str] = {"X-Api-Key": KEY}

    Anthropic.__module__ = "anthropic._client"
    made = provider.from_client(Anthropic())
    assert ("x-api-key", KEY) in made._credentials.static
    Anthropic.api_key = ""
    assert dict(provider.from_client(Anthropic())._credentials.static).keys() == {"content-type"}


@pytest.mark.states("T-006", "T-007", "T-008")
def test_a_stream_is_told_as_events():
    def event(kind: str, **members: Any) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **members})}\n\n".encode()

    pieces = (
        event("message_start", message={**ANSWER, "content": []}),
        event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        event("content_block_delta", index=0, delta={"type": "text_delta", "text": "hel"}),
        event("content_block_delta", index=0, delta={"type": "text_delta", "text": "lo"}),
        event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 2}),
        event("message_stop"),
    )

    async def script(call: Call, wire: Wire) -> None:
        await wire.sse(*pieces)

    @runs
    async def check() -> None:
        async with upstream(script) as up, claude(up.origin) as ours:
            events = [one async for one in ours.stream(asked())]
            assert [getattr(one, "text", "") for one in events].count("hel") == 1
            assert type(events[-1]).__name__ == "Finish"
            assert up.last.json["stream"] is True

    check()
