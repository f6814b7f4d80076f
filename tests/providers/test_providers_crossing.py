"""What may cross between a client and a provider, and what never does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.model import Headers, Source
from turnout.model.errors import Misconfigured
from turnout.providers.crossing import HOP_BY_HOP, ClientHeaders, Crossing, client_query, without

names = st.sampled_from(
    [
        b"x-a",
        b"X-B",
        b"content-type",
        b"x-request-id",
        b"connection",
        b"te",
        b"set-cookie",
        b"transfer-encoding",
    ]
)
values = st.sampled_from([b"v", b"x-a", b"close", b"x-b, keep-alive"])


def source(*pairs: tuple[str, str]) -> Source:
    return Source(protocol="openai-chat", body=b"{}", headers=Headers.of(pairs))


CLIENT = source(
    ("host", "gateway"),
    ("authorization", "Bearer mine"),
    ("x-api-key", "mine"),
    ("api-key", "mine"),
    ("x-goog-api-key", "mine"),
    ("cookie", "session=1"),
    ("connection", "keep-alive"),
    ("te", "trailers"),
    ("proxy-authorization", "Basic x"),
    ("content-type", "application/json"),
    ("content-length", "2"),
    ("accept", "application/json"),
    ("accept-encoding", "gzip"),
    ("user-agent", "agent/1"),
    ("openai-beta", "b=1"),
    ("idempotency-key", "k"),
    ("x-trace-id", "t"),
    ("x-trace-parent", "p"),
    ("x-stainless-lang", "python"),
)


def picked(
    patterns: tuple[str, ...] = (), *, same: bool = True, raw: bool = True, of: Source = CLIENT
) -> dict[str, str]:
    return dict(ClientHeaders(patterns).pick(of, same_protocol=same, raw_answer=raw))


def test_only_the_named_client_headers_cross():
    assert picked() == {
        "accept": "application/json",
        "accept-encoding": "gzip",
        "user-agent": "agent/1",
        "openai-beta": "b=1",
        "idempotency-key": "k",
    }


def test_a_content_coding_is_not_asked_for_where_the_answer_is_read():
    assert "accept-encoding" not in picked(raw=False)


def test_nothing_crosses_to_another_protocol_but_what_the_operator_names():
    assert picked(("x-trace-*",), same=False) == {"x-trace-id": "t", "x-trace-parent": "p"}


@pytest.mark.parametrize("patterns", [("*",), ("x-*", "a*", "c*", "*key", "t*", "proxy*")])
def test_no_pattern_lets_credentials_cookies_or_connection_headers_cross(patterns: tuple[str, ...]):
    crossing = picked(patterns)
    for name in ("authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "host", "te"):
        assert name not in crossing
    assert not {"proxy-authorization", "content-length", "content-type", "connection"} & set(crossing)


@pytest.mark.parametrize("name", ["Authorization", "cookie", "x-api-key", "Host", "connection"])
def test_naming_such_a_header_is_refused(name: str):
    with pytest.raises(Misconfigured, match="forward_headers"):
        ClientHeaders([name])


def test_a_header_that_connection_names_does_not_cross():
    given = source(("x-private", "s"), ("x-open", "o"), ("connection", "close, X-Private"))
    assert picked(("x-*",), of=given) == {"x-open": "o"}


def test_patterns_match_whole_names_and_dots_are_dots():
    given = source(("x.a", "1"), ("xxa", "2"), ("x.ab", "3"))
    assert picked(("x.a",), of=given) == {"x.a": "1"}
    assert picked(("x.a*",), of=given) == {"x.a": "1", "x.ab": "3"}


def test_what_the_provider_sends_itself_is_not_taken_from_the_client():
    assert dict(
        ClientHeaders(["x-trace-*"], own=["X-Trace-Id", "accept"]).pick(
            CLIENT, same_protocol=True, raw_answer=False
        )
    ) == {"user-agent": "agent/1", "openai-beta": "b=1", "idempotency-key": "k", "x-trace-parent": "p"}


def test_a_value_that_is_no_text_does_not_cross():
    raw = Source(
        protocol="openai-chat", body=b"", headers=Headers([(b"x-a", b"\xff"), (b"x-b", "ü".encode())])
    )
    assert picked(("x-*",), of=raw) == {"x-b": "ü"}


@given(st.lists(st.tuples(names, values)))
def test_nothing_of_one_connection_is_shown_to_a_client(raw: list[tuple[bytes, bytes]]):
    shown = Crossing(tuple(raw)).headers
    named = {
        item.strip()
        for name, value in raw
        if name.lower() == b"connection"
        for item in value.lower().split(b",")
    } - {b"close", b"keep-alive"}
    for name, _ in shown.raw:
        assert name not in HOP_BY_HOP
        assert name not in named
        assert name != b"set-cookie"
    kept = [
        (n.lower(), v)
        for n, v in raw
        if n.lower() in {b"x-request-id", b"content-type"} and n.lower() not in named
    ]
    assert [pair for pair in shown.raw if pair[0] in {b"x-request-id", b"content-type"}] == kept


def test_request_ids_limits_and_a_vendors_own_headers_are_shown():
    raw = (
        (b"Content-Type", b"application/json"),
        (b"X-Request-Id", b"r"),
        (b"Retry-After", b"7"),
        (b"X-RateLimit-Remaining-Tokens", b"0"),
        (b"X-Vendor", b"v"),
        (b"Content-Encoding", b"gzip"),
        (b"Set-Cookie", b"a=b"),
        (b"Content-Length", b"3"),
        (b"Server", b"s"),
        (b"Access-Control-Allow-Origin", b"*"),
        (b"X-Accel-Redirect", b"/inner"),
        (b"X-Accel-Buffering", b"no"),
    )
    assert dict(Crossing(raw).headers.items()) == {
        "content-type": "application/json",
        "x-request-id": "r",
        "retry-after": "7",
        "x-ratelimit-remaining-tokens": "0",
        "x-vendor": "v",
        "content-encoding": "gzip",
        "x-accel-buffering": "no",
    }


def test_headers_can_be_left_out():
    assert dict(without(Headers.of({"a": "1", "b": "2"}), "a", "c").items()) == {"b": "2"}


@pytest.mark.parametrize(
    ("client", "own", "sent"),
    [
        ("", "", ""),
        ("", "api-version=1", "api-version=1"),
        ("q=1&r=%20", "", "q=1&r=%20"),
        ("q=1", "api-version=1", "api-version=1&q=1"),
        ("api-version=9&q=1", "api-version=1", "api-version=1&q=1"),
        ("key=secret&a=1", "", "a=1"),
        ("API_KEY=s&access_token=s&token=s", "", ""),
        ("flag&&x=", "", "flag&x="),
    ],
)
def test_the_clients_query_goes_on_without_credentials(client: str, own: str, sent: str):
    assert client_query(client, own) == sent
