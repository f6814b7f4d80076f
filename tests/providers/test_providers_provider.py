"""A provider in every lane, against a scripted upstream."""

import asyncio
import gzip
import json
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from incoming import DONE, ROLE, STREAM, asked, chunk, completion, incoming, question
from upstream import Call, Script, Wire, as_json, runs, script_of, sse, stalled, upstream, whole

from turnout.model import (
    Failed,
    Finish,
    Headers,
    Message,
    Reply,
    Request,
    Source,
    Text,
    Tool,
    ToolCall,
    ToolResult,
)
from turnout.model.errors import (
    BrokenStream,
    InvalidRequest,
    Misconfigured,
    ProviderError,
    Unauthenticated,
    Unsupported,
)
from turnout.model.ports import Provider as Port
from turnout.providers import Backoff, Provider, Secret, provider
from turnout.providers import relay as relay_module

KEY = "sk-configured-0123456789"
CLIENT_KEY = "sk-client-9876543210"
CLIENT = {
    "authorization": f"Bearer {CLIENT_KEY}",
    "cookie": "session=1",
    "content-type": "application/json",
    "accept": "application/json",
    "user-agent": "agent/1",
    "x-trace-id": "t1",
}


def made(url: str, **options: Any) -> Provider:
    return Provider("up", "openai-chat", url, api_key=KEY, **options)


async def bytes_of(reply: Reply) -> bytes:
    assert reply.relay is not None
    out = b""
    async for data in reply.relay:
        out += data
    await reply.aclose()
    return out


def against(script: Script, **options: Any):
    """A test body that gets an upstream with `script` and a provider in front of it."""

    def wrap(check: Callable[[Any, Provider], Any]) -> None:
        @runs
        async def run() -> None:
            async with upstream(script) as up, made(up.url, **options) as main:
                await check(up, main)
            async with asyncio.timeout(2):
                await up.all_closed.wait()

        run()

    return wrap


# ---- lanes -------------------------------------------------------------------------------------------------------

ODD = (
    b'{ "model":"m" , "temperature":0.70, "messages":[{"role":"user","content":"h\\u00e9","vendor":1}],'
    b'"x":{"b":1,"a":2}}'
)


@pytest.mark.states("P-193", "P-194", "P-195")
def test_an_unchanged_request_goes_on_and_comes_back_byte_for_byte():
    answer = json.dumps(completion(vendor={"z": 1}), indent=3).encode()
    script = whole(201, answer, {"content-type": "application/json", "x-request-id": "r1", "x-vendor": "v"})

    @against(script)
    async def check(up: Any, main: Provider) -> None:
        request = incoming(ODD, CLIENT)
        reply = await main(request)
        assert (reply.status, reply.protocol, reply.length, reply.dropped) == (
            201,
            "openai-chat",
            len(answer),
            (),
        )
        shown = dict(reply.headers.items())
        assert shown == {"content-type": "application/json", "x-request-id": "r1", "x-vendor": "v"}
        assert await bytes_of(reply) == answer
        assert up.last.body == ODD
        assert up.last.target == "/v1/chat/completions"
        assert not request.decoded


@pytest.mark.states("P-195")
def test_a_stream_comes_back_byte_for_byte():
    events = (b": wait\r\n\r\n", b'data: {"choices":[],"vendor":1}\r\n\r\n', *STREAM)

    @against(sse(*events))
    async def check(up: Any, main: Provider) -> None:
        request = incoming(question(stream=True))
        reply = await main(request)
        assert reply.length is None
        assert await bytes_of(reply) == b"".join(events)
        assert not request.decoded


@pytest.mark.states("P-196")
def test_only_the_models_name_is_replaced_when_only_it_changed():
    @against(as_json(completion()), model="fixed")
    async def check(up: Any, main: Provider) -> None:
        request = incoming(ODD)
        await (await main(request)).aclose()
        assert up.last.body == ODD.replace(b'"m"', b'"fixed"')
        assert not request.decoded
        await (await main(incoming(ODD).replace(model="other"))).aclose()
        assert up.last.json["model"] == "fixed"


def test_the_requests_own_model_is_sent_where_none_is_fixed():
    @against(as_json(completion()))
    async def check(up: Any, main: Provider) -> None:
        await (await main(incoming(ODD).replace(model="renamed"))).aclose()
        assert up.last.body == ODD.replace(b'"m"', b'"renamed"')


def test_a_changed_request_keeps_the_fields_that_nobody_knows():
    @against(as_json(completion()))
    async def check(up: Any, main: Provider) -> None:
        await (await main(incoming(ODD).replace(temperature=0.1))).aclose()
        sent = up.last.json
        assert sent["temperature"] == 0.1
        assert sent["x"] == {"b": 1, "a": 2}
        assert sent["messages"][0]["vendor"] == 1


@pytest.mark.states("T-001", "T-002", "T-005", "T-045")
def test_a_request_made_by_hand_is_answered_whole():
    @against(as_json(completion("hello")))
    async def check(up: Any, main: Provider) -> None:
        port: Port = main
        assert port.name == "up"
        answer = await main.chat(asked("why?"))
        assert (answer.text, answer.stop, answer.model) == ("hello", "end", "up-model")
        assert (answer.usage.input, answer.usage.output) == (3, 2)
        assert up.last.json["messages"] == [{"role": "user", "content": "why?"}]
        assert not up.last.json.get("stream")


@pytest.mark.states("T-003", "T-008", "T-009", "T-062", "T-053")
def test_a_stream_tells_what_the_whole_answer_tells_and_ends_once():
    async def script(call: Call, wire: Wire) -> None:
        await (sse(*STREAM) if call.json.get("stream") else as_json(completion("hello")))(call, wire)

    @against(script)
    async def check(up: Any, main: Provider) -> None:
        events = [event async for event in main.stream(asked())]
        assert up.last.json["stream_options"]["include_usage"] is True
        assert [type(event) for event in events].count(Finish) == 1
        assert isinstance(events[-1], Finish)
        from turnout.model import fold

        streamed, at_once = fold(events), await main.chat(asked())
        assert (streamed.parts, streamed.usage, streamed.stop, streamed.model) == (
            at_once.parts,
            at_once.usage,
            at_once.stop,
            at_once.model,
        )


def test_a_typed_call_takes_a_request_that_came_as_bytes():
    async def script(call: Call, wire: Wire) -> None:
        await (sse(*STREAM) if call.json.get("stream") else as_json(completion("hello")))(call, wire)

    @against(script)
    async def check(up: Any, main: Provider) -> None:
        assert (await main.chat(incoming(question(stream=True)))).text == "hello"
        assert [e async for e in main.stream(incoming(question()))][-1].__class__ is Finish


# ---- headers, keys, addresses ------------------------------------------------------------------------------------


@pytest.mark.states("P-173")
def test_the_providers_key_goes_out_and_nothing_of_the_clients_own():
    @against(as_json(completion()), headers={"X-Extra": "1"}, forward_headers=["x-trace-*"])
    async def check(up: Any, main: Provider) -> None:
        await (await main(incoming(question(), CLIENT))).aclose()
        sent = up.last.headers
        assert sent["authorization"] == f"Bearer {KEY}"
        assert (sent["x-extra"], sent["x-trace-id"], sent["user-agent"]) == ("1", "t1", "agent/1")
        assert (sent["accept"], sent["content-type"]) == ("application/json", "application/json")
        assert "cookie" not in sent
        assert CLIENT_KEY not in str(up.last.raw_headers)
        assert len({name for name, _ in up.last.raw_headers}) == len(up.last.raw_headers)


def test_a_request_of_ones_own_has_all_headers_that_a_call_needs():
    @against(as_json(completion()))
    async def check(up: Any, main: Provider) -> None:
        await main.chat(asked())
        sent = up.last.headers
        assert sent["accept-encoding"] == "identity"
        assert sent["accept"] == "*/*"
        assert sent["user-agent"].startswith("turnout")


OPERATORS = {"User-Agent": "op/1", "Accept": "x/y", "accept-encoding": "gzip"}


@pytest.mark.parametrize("way", ["own", "client", "forward", "models"])
def test_a_header_that_the_operator_sets_goes_out_once_and_as_set(way: str):
    @against(as_json(completion()), headers=OPERATORS)
    async def check(up: Any, main: Provider) -> None:
        if way == "own":
            await main.chat(asked())
        elif way == "client":
            await (await main(incoming(question(), {**CLIENT, "accept-encoding": "br"}))).aclose()
        elif way == "forward":
            await (await main.forward("/audio/speech", incoming(question(), CLIENT))).aclose()
        else:
            with pytest.raises(ProviderError):  # the upstream has no list
                await main.models()
        sent = [(name.lower(), value) for name, value in up.last.raw_headers]
        for name, value in OPERATORS.items():
            assert [each for each in sent if each[0] == name.lower()] == [(name.lower(), value)]


@pytest.mark.parametrize("auth", ["bearer", "x-api-key", "api-key"])
def test_the_callers_own_credentials_go_on_only_when_that_is_configured(auth: str):
    @runs
    async def check() -> None:
        async with upstream(as_json(completion())) as up:
            main = Provider("up", "openai-chat", up.url, api_key="client", auth=auth)
            await (await main(incoming(question(), CLIENT))).aclose()
            name, value = (
                ("authorization", f"Bearer {CLIENT_KEY}") if auth == "bearer" else (auth, CLIENT_KEY)
            )
            assert up.last.headers[name] == value
            with pytest.raises(Unauthenticated):
                await main(incoming(question()))
            assert len(up.calls) == 1
            await main.aclose()

    check()


@pytest.mark.parametrize("asynchronous", [True, False])
def test_a_hook_sees_the_call_and_its_headers_win(asynchronous: bool):
    seen: list[Any] = []

    def hook(method: str, url: str, headers: Any, body: bytes) -> dict[str, str]:
        seen.append((method, url, headers.get("content-type"), body))
        return {"Authorization": "Signed abc", "x-date": "now"}

    async def later(method: str, url: str, headers: Any, body: bytes) -> dict[str, str]:
        return hook(method, url, headers, body)

    @against(as_json(completion()), auth=later if asynchronous else hook)
    async def check(up: Any, main: Provider) -> None:
        await (await main(incoming(ODD, query="q=1"))).aclose()
        assert seen == [("POST", f"{up.url}/chat/completions?q=1", "application/json", ODD)]
        assert (up.last.headers["authorization"], up.last.headers["x-date"]) == ("Signed abc", "now")
        with pytest.raises(ProviderError):  # the upstream has no list
            await main.models()
        assert up.last.headers["authorization"] == "Signed abc"


def test_a_hook_is_asked_for_each_try():
    signed = iter(["first", "second", "third"])

    def hook(method: str, url: str, headers: Any, body: bytes) -> dict[str, str]:
        assert "x-signature" not in headers
        return {"x-signature": next(signed)}

    script = script_of(as_json(error("busy"), 503), as_json(error("busy"), 503), as_json(completion()))

    async def at_once(seconds: float) -> None:
        pass

    @against(script, auth=hook, retries=2, sleep=at_once)
    async def check(up: Any, main: Provider) -> None:
        await main.chat(asked())
        assert [call.headers["x-signature"] for call in up.calls] == ["first", "second", "third"]


@pytest.mark.parametrize("way", ["chat", "forward", "models"])
@pytest.mark.parametrize("given", [KeyError("hunter2"), None], ids=["raises", "gives nothing"])
def test_a_hook_that_fails_is_an_error_of_the_provider_that_tells_no_secret(given: Any, way: str):
    def hook(method: str, url: str, headers: Any, body: bytes) -> Any:
        if given is not None:
            raise given
        return given

    @against(as_json(completion()), auth=hook, retries=1)
    async def check(up: Any, main: Provider) -> None:
        ways = {
            "chat": lambda: main.chat(asked()),
            "forward": lambda: main.forward("/audio/speech", incoming(question())),
            "models": main.models,
        }
        with pytest.raises(ProviderError) as caught:
            await ways[way]()
        assert "hunter2" not in str(caught.value)
        assert isinstance(caught.value.__cause__, AttributeError | TypeError if given is None else KeyError)
        assert (caught.value.status, len(up.calls)) == (502, 0)


def test_the_clients_query_goes_on_and_azures_own_stays():
    @runs
    async def check() -> None:
        async with upstream(as_json(completion())) as up:
            azure = provider("azure-deployments", base_url=up.origin, api_key="k" * 12)
            async with azure:
                await (
                    await azure(incoming(question(model="gpt x"), query="api-version=9&a=%2F&key=s"))
                ).aclose()
            assert (
                up.last.target == "/openai/deployments/gpt%20x/chat/completions?api-version=2024-10-21&a=%2F"
            )
            assert up.last.headers["api-key"] == "k" * 12
            assert "authorization" not in up.last.headers

    check()


# ---- errors ------------------------------------------------------------------------------------------------------

SAID_429 = (
    b'{"error":{"message":"slow down","type":"rate_limit_error","param":null,'
    b'"code":"rate_limit_exceeded","v":1}}'
)


@pytest.mark.states("P-174", "P-197")
def test_an_error_status_is_a_reply_with_its_bytes_and_headers():
    script = whole(
        429, SAID_429, {"content-type": "application/json", "retry-after": "7", "x-request-id": "r"}
    )

    @against(script)
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question()))
        assert (reply.status, reply.headers.get("retry-after"), reply.length) == (429, "7", len(SAID_429))
        assert await bytes_of(reply) == SAID_429
        assert len(up.calls) == 1


def error(message: str, **fields: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": None, "param": None, "code": None, **fields}}


@pytest.mark.states("T-067", "T-068", "T-069", "T-070", "T-071", "T-072")
@pytest.mark.parametrize(
    ("status", "body", "kind", "retryable"),
    [
        (429, error("slow", type="rate_limit_error"), "rate_limit", True),
        (401, error("bad key", code="invalid_api_key"), "auth", False),
        (403, error("no"), "auth", False),
        (400, error("too long", code="context_length_exceeded"), "context_too_long", False),
        (500, error("oops"), "provider", True),
        (503, error("busy"), None, True),
        (422, error("no"), None, False),
    ],
)
def test_the_kinds_of_a_providers_error(status: int, body: Any, kind: str | None, retryable: bool):
    @against(as_json(body, status, {"retry-after": "3"}))
    async def check(up: Any, main: Provider) -> None:
        with pytest.raises(ProviderError) as caught:
            await main.chat(asked())
        failure = caught.value
        assert (failure.status_code, failure.status, failure.retryable) == (status, status, retryable)
        assert kind is None or failure.kind == kind
        if kind == "auth":  # our own key: the provider's words may show a part of it
            assert body["error"]["message"] not in str(failure)
        else:
            assert body["error"]["message"] in str(failure)
        with pytest.raises(ProviderError):
            [event async for event in main.stream(asked())]


@pytest.mark.states("T-073")
def test_the_pause_that_a_provider_asks_for_can_be_read_from_its_error():
    @against(whole(429, SAID_429, {"content-type": "application/json", "retry-after": "7"}))
    async def check(up: Any, main: Provider) -> None:
        with pytest.raises(ProviderError) as caught:
            await main.chat(asked())
        assert caught.value.retry_after == 7.0


@pytest.mark.states("P-175", "T-075")
def test_only_no_answer_at_all_is_an_exception():
    @runs
    async def check() -> None:
        async with upstream(as_json({})) as up:
            url = up.url
        async with made(url) as main:
            with pytest.raises(ProviderError) as caught:
                await main(incoming(question()))
            assert caught.value.status == 502
            assert caught.value.__cause__ is not None

    check()


def page(_: Any = None) -> Script:
    return whole(200, b"\n <!DOCTYPE html><p>Sign in</p>", {"content-type": "text/html"})


def cut_at_once() -> Script:
    async def run(_: Call, wire: Wire) -> None:
        await wire.head(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})
        wire.close()

    return run


@pytest.mark.states("T-061", "T-076")
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "script",
    [
        whole(200, b"", {"content-type": "application/json"}),
        whole(204, b""),
        sse(),
        page(),
        cut_at_once(),
        whole(302, b"", {"location": "http://127.0.0.1:1/elsewhere"}),
    ],
    ids=["empty", "204", "empty stream", "web page", "cut", "redirect"],
)
@pytest.mark.parametrize("retries", [0, 1])
def test_what_cannot_be_an_answer_is_an_error_of_its_own(script: Script, stream: bool, retries: int):
    async def no_pause(_: float) -> None: ...

    @against(script, retries=retries, sleep=no_pause)
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=stream)))
        assert reply.status == 502
        assert "location" not in reply.headers
        data = await bytes_of(reply)
        assert json.loads(data)["error"]["message"]
        assert reply.headers.get("content-type") == "application/json"
        assert len(up.calls) == 1 + retries
        with pytest.raises(ProviderError):
            await main.chat(asked())


def test_an_error_event_that_comes_first_is_an_http_error():
    event = (
        b"event: error\ndata: "
        + json.dumps(error("slow", type="rate_limit_error", code="rate_limit_exceeded")).encode()
    )

    @against(sse(event + b"\n\n", DONE, headers={"x-request-id": "r"}))
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=True)))
        assert reply.status == 429
        assert reply.headers.get("x-request-id") == "r"
        assert "slow" in json.loads(await bytes_of(reply))["error"]["message"]


def test_an_answer_that_speaks_of_errors_is_no_error():
    events = (ROLE, chunk({"content": 'print("error")'}), chunk({}, "stop"), DONE)

    @against(sse(b"".join(events)))
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=True)))
        assert reply.status == 200
        assert await bytes_of(reply) == b"".join(events)


def cut_after(*events: bytes) -> Script:
    async def run(_: Call, wire: Wire) -> None:
        await wire.sse(*events, end=False)
        gate = wire.__dict__.get("gate")
        if gate is not None:
            await gate.wait()
        await asyncio.sleep(0.02)  # the client reads what came before it is cut
        wire.close()

    return run


@pytest.mark.states("T-060", "T-061")
def test_a_stream_that_is_cut_never_ends_like_a_finished_one():
    @against(cut_after(ROLE, chunk({"content": "half"})))
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=True)))
        with pytest.raises(BrokenStream):
            await bytes_of(reply)
        await reply.aclose()
        events = [event async for event in main.stream(asked())]
        assert isinstance(events[-1], Failed)
        assert isinstance(events[-1].error, BrokenStream)
        assert not [event for event in events if isinstance(event, Finish)]


@pytest.mark.states("T-076")
@pytest.mark.parametrize("body", [b"{", b"[]", b'"x"', b'{"choices":[]}'])
def test_a_malformed_answer_is_a_providers_error(body: bytes):
    @against(whole(200, body, {"content-type": "application/json"}))
    async def check(up: Any, main: Provider) -> None:
        with pytest.raises(ProviderError):
            await main.chat(asked())


# ---- secrets -----------------------------------------------------------------------------------------------------


@pytest.mark.states("T-074")
@pytest.mark.parametrize("packed", [False, True])
def test_a_key_that_the_provider_repeats_is_masked(packed: bool, caplog: pytest.LogCaptureFixture):
    text = json.dumps(error(f"wrong key {KEY}, header hunter2-header")).encode()
    headers = {"content-type": "application/json", **({"content-encoding": "gzip"} if packed else {})}
    caplog.set_level(logging.DEBUG)

    @against(
        whole(401, gzip.compress(text) if packed else text, headers), headers={"x-pass": "hunter2-header"}
    )
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question()))
        assert reply.status == 401
        assert reply.headers.get("content-encoding") is None
        data = await bytes_of(reply)
        assert json.loads(data)["error"]["message"] == "wrong key ***, header ***"
        with pytest.raises(ProviderError) as caught:
            await main.chat(asked())
        for shown in (
            repr(main),
            str(caught.value),
            repr(caught.value),
            repr(reply),
            caplog.text,
            str(vars(main)),
        ):
            assert KEY not in shown.replace(str(main._credentials.static), "")


def test_a_key_in_an_error_event_is_masked():
    event = b"data: " + json.dumps(error(f"wrong {KEY}", code="invalid_api_key")).encode() + b"\n\n"

    @against(sse(event))
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=True)))
        assert reply.status >= 400
        assert KEY.encode() not in await bytes_of(reply)
        with pytest.raises(ProviderError) as caught:
            [e async for e in main.stream(asked())]
        assert KEY not in str(caught.value)


def test_a_huge_error_is_passed_on_without_being_held():
    data = b'{"error":{"message":"' + b"x" * 3_000_000 + b'"}}'

    @against(whole(400, data, {"content-type": "application/json"}))
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question()))
        assert (reply.status, reply.length) == (400, len(data))
        assert await bytes_of(reply) == data
        with pytest.raises(ProviderError):
            await main.chat(asked())


def test_an_error_answer_that_is_cut_keeps_its_status():
    async def script(_: Call, wire: Wire) -> None:
        await wire.head(429, {"content-length": "99", "retry-after": "5"})
        await wire.raw(b"{")
        wire.close()

    @against(script)
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question()))
        assert (reply.status, reply.headers.get("retry-after")) == (429, "5")
        assert json.loads(await bytes_of(reply))["error"]


# ---- content coding ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [True, False])
def test_a_compressed_answer_stays_so_when_passed_on_and_is_read_when_asked_for(stream: bool):
    plain = b"".join(STREAM) if stream else json.dumps(completion("hello")).encode()
    packed = gzip.compress(plain)
    headers = {
        "content-encoding": "gzip",
        "content-type": "text/event-stream" if stream else "application/json",
    }

    @against(whole(200, packed, headers))
    async def check(up: Any, main: Provider) -> None:
        request = incoming(question(stream=stream), {"accept-encoding": "gzip"})
        reply = await main(request)
        assert up.last.headers["accept-encoding"] == "gzip"
        assert reply.headers.get("content-encoding") == "gzip"
        assert await bytes_of(reply) == packed
        async with await main(request) as reply:
            assert (await reply.answer()).text == "hello"
        assert (await main.chat(asked())).text == "hello"


# ---- retries and holding back ------------------------------------------------------------------------------------


class Pauses:
    """A sleep that only writes down."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


async def hang_up(_: Call, wire: Wire) -> None:
    wire.close()


async def role_then_cut(_: Call, wire: Wire) -> None:
    await wire.sse(ROLE, end=False)
    wire.close()


FAILURES = {
    "no answer": hang_up,
    "429": whole(429, SAID_429, {"content-type": "application/json"}),
    "500": whole(500, b""),
    "408": whole(408, b"{}"),
    "529": whole(529, b"{}"),
    "empty": sse(),
    "role then cut": role_then_cut,
    "error event": sse(ROLE, b"data: " + SAID_429 + b"\n\n"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_before_the_first_content_is_tried_again(name: str):
    pauses = Pauses()

    @against(
        script_of(FAILURES[name], FAILURES[name], sse(*STREAM)), retries=2, sleep=pauses, chance=lambda: 0.0
    )
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=True)))
        assert reply.status == 200
        assert await bytes_of(reply) == b"".join(STREAM)
        assert len(up.calls) == 3
        assert pauses.taken == [0.5, 1.0]


@pytest.mark.parametrize("name", FAILURES)
def test_the_last_failure_is_what_the_caller_gets(name: str):
    @against(FAILURES[name], retries=1, sleep=Pauses())
    async def check(up: Any, main: Provider) -> None:
        if name == "no answer":
            with pytest.raises(ProviderError):
                await main(incoming(question(stream=True)))
        else:
            reply = await main(incoming(question(stream=True)))
            assert reply.status >= 400
            await reply.aclose()
        assert len(up.calls) == 2


@pytest.mark.parametrize(
    ("status", "headers"),
    [(400, {}), (401, {}), (404, {}), (500, {"x-should-retry": "false"}), (429, {"retry-after": "61"})],
)
def test_what_would_fail_again_is_not_tried_again(status: int, headers: dict[str, str]):
    pauses = Pauses()

    @against(whole(status, b"{}", headers), retries=5, sleep=pauses)
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question()))
        assert (reply.status, len(up.calls), pauses.taken) == (status, 1, [])
        await reply.aclose()


def test_the_pause_that_a_provider_asks_for_is_kept():
    pauses = Pauses()
    script = script_of(whole(429, b"{}", {"retry-after": "3"}), as_json(completion()))

    @against(script, retries=1, sleep=pauses, backoff=Backoff(first=9.0))
    async def check(up: Any, main: Provider) -> None:
        await (await main(incoming(question()))).aclose()
        assert pauses.taken == [3.0]


def test_after_the_first_content_nothing_is_tried_again():
    @against(cut_after(ROLE, chunk({"content": "shown"})), retries=5, sleep=Pauses())
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=True)))
        assert reply.status == 200
        with pytest.raises(BrokenStream):
            await bytes_of(reply)
        await reply.aclose()
        assert len(up.calls) == 1


def test_a_whole_answer_that_is_cut_is_tried_again():
    async def cut(_: Call, wire: Wire) -> None:
        await wire.head(200, {"content-type": "application/json", "content-length": "500"})
        await wire.raw(b'{"id"')
        wire.close()

    @against(script_of(cut, as_json(completion())), retries=1, sleep=Pauses())
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question()))
        assert json.loads(await bytes_of(reply)) == completion()


def test_a_stream_is_not_held_longer_than_its_bound(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(relay_module, "HOLD_S", 0.03)
    release = asyncio.Event()

    async def script(_: Call, wire: Wire) -> None:
        await wire.sse(ROLE, end=False)
        await release.wait()
        for event in STREAM[1:]:
            await wire.chunk(event)
        await wire.end()

    @against(script, retries=1)
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=True)))
        assert reply.status == 200
        release.set()
        assert await bytes_of(reply) == b"".join(STREAM)
        assert len(up.calls) == 1


@pytest.mark.parametrize("retries", [0, 1])
def test_several_choices_are_passed_on_though_they_are_no_events(retries: int):
    both = tuple(event.replace(b'"index": 0', b'"index": 1') for event in STREAM[:4])
    events = (*(event for pair in zip(STREAM, both, strict=False) for event in pair), DONE)

    @against(sse(*events), retries=retries)
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=True, n=2)))
        assert reply.status == 200
        assert await bytes_of(reply) == b"".join(events)


def test_an_event_that_is_no_error_and_nothing_else_known_is_passed_on():
    odd = b'data: {"mistake":"error"} {\n\n'

    @against(sse(odd))
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=True)))
        assert (reply.status, await bytes_of(reply)) == (200, odd)


def test_without_retries_only_the_first_read_is_held():
    release = asyncio.Event()

    async def script(_: Call, wire: Wire) -> None:
        await wire.sse(ROLE, end=False)
        await release.wait()
        for event in STREAM[1:]:
            await wire.chunk(event)
        await wire.end()

    @against(script)
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(stream=True)))
        assert reply.relay is not None
        assert await anext(reply.relay) == ROLE
        release.set()
        assert ROLE + await bytes_of(reply) == b"".join(STREAM)


# ---- leaving -----------------------------------------------------------------------------------------------------

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.states("T-006")
@pytest.mark.parametrize("after", [b"", HEAD], ids=["before the headers", "before the first byte"])
@pytest.mark.parametrize("retries", [0, 3])
def test_leaving_before_the_first_byte_is_seen_by_the_provider_within_100_ms(after: bytes, retries: int):
    @runs
    async def check() -> None:
        script, came, gone = stalled(after=after)
        async with upstream(script) as up, made(up.url, retries=retries) as main:
            task = asyncio.create_task(main(incoming(question(stream=True))))
            await came.wait()
            task.cancel()
            async with asyncio.timeout(0.1):
                await gone.wait()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert len(up.calls) == 1

    check()


@pytest.mark.states("T-006", "T-007")
def test_a_stream_that_is_abandoned_is_seen_by_the_provider_within_100_ms():
    @runs
    async def check() -> None:
        first = b"".join(b"%x\r\n%s\r\n" % (len(event), event) for event in STREAM[:2])
        script, _, gone = stalled(after=HEAD + first)
        async with upstream(script) as up, made(up.url) as main:
            events: AsyncIterator[Any] = main.stream(asked())
            async for _event in events:
                break
            await events.aclose()  # type: ignore[attr-defined]
            async with asyncio.timeout(0.1):
                await gone.wait()

    check()


@pytest.mark.states("T-006")
@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_that_is_closed_early_is_seen_by_the_provider_within_100_ms(stream: bool):
    @runs
    async def check() -> None:
        script, _, gone = stalled(after=b"HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{")
        async with upstream(script) as up, made(up.url) as main:
            reply = await main(incoming(question(stream=stream)))
            await reply.aclose()
            async with asyncio.timeout(0.1):
                await gone.wait()

    check()


class Waiting:
    """A response of a transport of one's own, whose body never comes."""

    def __init__(self, status: int, kind: bytes) -> None:
        self.status = status
        self.headers = ((b"content-type", kind),)
        self.length = None
        self.ended = False
        self.reading = asyncio.Event()
        self.closed = 0

    async def read(self) -> bytes:
        self.reading.set()
        await asyncio.Event().wait()
        return b""

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("retries", [0, 1])
def test_a_response_is_closed_by_whoever_is_cancelled_while_holding_it(status: int, retries: int):
    @runs
    async def check() -> None:
        response = Waiting(status, b"application/json")

        class Own:
            async def send(self, method: str, url: str, headers: Any, body: bytes) -> Waiting:
                return response

            async def aclose(self) -> None:
                response.closed += 10

        async with made("http://h/v1", transport=Own(), retries=retries) as main:
            task = asyncio.create_task(main(incoming(question())))
            await response.reading.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert response.closed == 1
        assert response.closed == 11

    check()


# ---- adapting ----------------------------------------------------------------------------------------------------

TOOLS = [{"type": "function", "function": {"name": "Github.Get File", "parameters": {"type": "object"}}}]
TALK = [
    {"role": "user", "content": "x"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "call_abc", "type": "function", "function": {"name": "Github.Get File", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "call_abc", "content": "r"},
]  # fmt: skip


def echo(call: Call) -> dict[str, Any]:
    name = call.json["tools"][0]["function"]["name"]
    return completion(
        "", tool_calls=[{"id": "n1", "type": "function", "function": {"name": name, "arguments": '{"a": 1}'}}]
    )


@pytest.mark.parametrize("stream", [True, False])
def test_names_and_ids_fit_the_provider_and_the_client_sees_its_own(stream: bool):
    async def script(call: Call, wire: Wire) -> None:
        whole_answer = echo(call)
        if not call.json.get("stream"):
            return await as_json(whole_answer)(call, wire)
        made_call = {"index": 0, **whole_answer["choices"][0]["message"]["tool_calls"][0]}
        return await sse(ROLE, chunk({"tool_calls": [made_call]}), chunk({}, "tool_calls"), DONE)(call, wire)

    @against(script, tool_name_pattern="^[A-Za-z0-9_-]{1,64}$", tool_id_pattern="[A-Za-z0-9]{9}")
    async def check(up: Any, main: Provider) -> None:
        request = incoming(question(messages=TALK, tools=TOOLS, stream=stream, vendor=1))
        reply = await main(request)
        assert reply.relay is None
        answer = await reply.answer()
        await reply.aclose()
        (call,) = (part for part in answer.parts if isinstance(part, ToolCall))
        assert (call.name, call.call_id, call.arguments) == ("Github.Get File", "n1", '{"a": 1}')
        sent = up.last.json
        made_id = sent["messages"][1]["tool_calls"][0]["id"]
        assert len(made_id) == 9
        assert sent["messages"][2]["tool_call_id"] == made_id
        assert sent["messages"][1]["tool_calls"][0]["function"]["name"] == "Github_Get_File"
        assert sent["vendor"] == 1
        assert up.last.headers["accept-encoding"] == "identity"


def test_a_request_that_fits_is_passed_on_undecoded_in_spite_of_patterns():
    @against(as_json(completion()), tool_name_pattern="[A-Za-z0-9_-]+", tool_id_pattern="[A-Za-z0-9]{9}")
    async def check(up: Any, main: Provider) -> None:
        request = incoming(ODD)
        reply = await main(request)
        assert reply.relay is not None
        await reply.aclose()
        assert up.last.body == ODD
        assert not request.decoded


def test_repair_reads_the_answer_and_completes_the_history():
    events = (ROLE, chunk({"content": "ok"}), chunk({}, "stop"))  # no end mark

    @against(sse(*events), repair=True)
    async def check(up: Any, main: Provider) -> None:
        reply = await main(incoming(question(messages=TALK[:2], stream=True)))
        assert reply.relay is None
        assert reply.headers.get("content-type") is None
        assert (await reply.answer()).text == "ok"
        await reply.aclose()
        assert up.last.json["messages"][-1]["tool_call_id"] == "call_abc"
        reply = await main(incoming(ODD))
        await reply.aclose()
        assert up.last.body == ODD


@pytest.mark.parametrize("hand_made", [True, False])
def test_a_history_with_an_unanswered_call_is_refused_before_anything_is_sent(hand_made: bool):
    @against(as_json(completion()))
    async def check(up: Any, main: Provider) -> None:
        request = incoming(question(messages=TALK[:2])).replace(temperature=0.5)
        if hand_made:
            request = Request(model="m", body=request.body)
        with pytest.raises(InvalidRequest, match="call_abc"):
            await main(request)
        assert up.calls == []
        await (await main(incoming(question(messages=TALK[:2])))).aclose()
        assert len(up.calls) == 1


@pytest.mark.states("T-026", "T-032")
def test_calls_and_results_made_by_hand_reach_the_provider_in_order():
    messages = (
        Message(role="user", parts=(Text(text="x"),)),
        Message(role="assistant", parts=(
            ToolCall(call_id="a", name="f", arguments='{"z":1.0,"b":2}'), ToolCall(call_id="b", name="g"))),
        Message(role="tool", parts=(
            ToolResult(call_id="a", parts=(Text(text="1"),)), ToolResult(call_id="b", parts=(Text(text="2"),)))),
    )  # fmt: skip

    @against(as_json(completion()))
    async def check(up: Any, main: Provider) -> None:
        await main.chat(
            asked(tools=(Tool(name="f", parameters='{"type":"object"}'),)).replace(messages=messages)
        )
        sent = up.last.json["messages"]
        assert [m["role"] for m in sent] == ["user", "assistant", "tool", "tool"]
        assert sent[1]["tool_calls"][0]["function"]["arguments"] == '{"z":1.0,"b":2}'
        assert [m["tool_call_id"] for m in sent[2:]] == ["a", "b"]


def test_hints_that_cannot_be_sent_are_reported_and_strictly_refused():
    request = asked(top_k=5)

    @against(as_json(completion()))
    async def lenient(up: Any, main: Provider) -> None:
        async with await main(request) as reply:
            assert "top_k" in reply.dropped
        assert len(up.calls) == 1

    @against(as_json(completion()), strict_parameters=True)
    async def strict(up: Any, main: Provider) -> None:
        with pytest.raises(Unsupported) as caught:
            await main(request)
        assert caught.value.param == "top_k"
        assert up.calls == []


# ---- models and making -------------------------------------------------------------------------------------------


@pytest.mark.states("T-004", "T-066")
def test_the_providers_models_are_listed():
    rows = {"object": "list", "data": [{"id": "a", "created": 1, "owned_by": "x"}, {"id": "b"}]}
    packed = gzip.compress(json.dumps(rows).encode())

    @against(script_of(as_json(rows), whole(200, packed, {"content-encoding": "gzip"})))
    async def check(up: Any, main: Provider) -> None:
        for _ in range(2):
            assert [model.id for model in await main.models()] == ["a", "b"]
            assert (up.last.method, up.last.target) == ("GET", "/v1/models")
            assert up.last.headers["authorization"] == f"Bearer {KEY}"
            assert "content-type" not in up.last.headers


def test_a_refused_list_of_models_is_the_providers_error():
    @against(as_json(error(f"no {KEY}"), 401))
    async def check(up: Any, main: Provider) -> None:
        with pytest.raises(ProviderError) as caught:
            await main.models()
        assert caught.value.status_code == 401
        assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"auth": "basic"}, "auth"),
        ({"auth": "no.such:thing"}, "auth"),
        ({"headers": {"x": "a\r\nb"}}, "headers"),
        ({"tool_id_pattern": "("}, "tool_id_pattern"),
        ({"forward_headers": ["cookie"]}, "forward_headers"),
        ({"api_key": "a\nb"}, "api_key"),
    ],
)
def test_an_option_that_cannot_work_is_named(options: dict[str, Any], said: str):
    with pytest.raises(Misconfigured, match=said):
        Provider("up", "openai-chat", "http://h/v1", **options)


def test_a_protocol_that_is_not_built_is_named():
    with pytest.raises(Misconfigured, match="protocol"):
        Provider("up", "a2a", "http://h/v1")


def test_a_provider_is_made_by_the_name_of_a_preset(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GROQ_API_KEY", "gsk-from-env-123")
    groq = provider("groq", model="m")
    assert "gsk" not in repr(groq)
    assert groq._address.call("m") == "https://api.groq.com/openai/v1/chat/completions"
    assert ("authorization", "Bearer gsk-from-env-123") in groq._credentials.static
    assert groq.name == "groq"
    monkeypatch.delenv("GROQ_API_KEY")
    monkeypatch.delenv("AZURE_OPENAI_API_KEY", raising=False)
    with pytest.raises(Misconfigured, match="GROQ_API_KEY"):
        provider("groq")
    assert provider("groq", api_key=Secret("k" * 9), name="mine").name == "mine"
    assert provider("openai-chat", base_url="http://h/v1").name == "openai-chat"
    assert provider("openai-chat", base_url="http://h/v1", api_key="client")._credentials._per_caller
    with pytest.raises(Misconfigured, match="base_url"):
        provider("azure", api_key="k")
    with pytest.raises(Misconfigured, match="AZURE_OPENAI_API_KEY"):
        provider("azure", base_url="https://r.example")
    assert provider("groq", base_url="http://127.0.0.1:9/v1").name == "groq"
    with pytest.raises(Misconfigured, match="openrouter"):
        provider("nobody")


def test_a_request_of_another_protocol_is_translated_and_its_headers_stay_behind():
    source = Source(
        protocol="anthropic-messages",
        body=b"",
        headers=Headers.of(
            {"anthropic-version": "2026-10-21", "user-agent": "c/1", "x-trace-id": "t", "x-api-key": "c"}
        ),
        query="beta=true",
    )

    @against(as_json(completion()), forward_headers=["x-trace-*"])
    async def check(up: Any, main: Provider) -> None:
        request = Request(model="m", source=source, decode=lambda: asked().body)
        async with await main(request) as reply:
            assert (await reply.answer()).text == "hello"
        sent = up.last.headers
        assert sent["x-trace-id"] == "t"
        assert "anthropic-version" not in sent
        assert sent["user-agent"].startswith("turnout")
        assert up.last.target == "/v1/chat/completions"
