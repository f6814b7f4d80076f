"""Errors: what upstreams' bodies mean, and how ours are written."""

import json

import pytest

from turnout.model import Headers
from turnout.model.errors import (
    BrokenStream,
    InvalidRequest,
    NotFound,
    ProviderError,
    StageError,
    TurnoutError,
    Unsupported,
)
from turnout.wire.chat import CODEC
from turnout.wire.codec import ErrorDecoder

JSON = {"content-type": "application/json"}


def read(status: int, body: object, **headers: str) -> ProviderError:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    pairs = {**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return CODEC.decode_error(status, Headers.of(pairs), data)


@pytest.mark.states("T-067", "T-068", "T-069", "T-070", "T-071", "T-072")
@pytest.mark.parametrize(
    ("status", "body", "kind", "retryable"),
    [
        (
            429,
            {"error": {"message": "slow down", "type": "requests", "code": "rate_limit_exceeded"}},
            "rate_limit",
            True,
        ),
        (429, {"error": {"message": "no money", "type": "insufficient_quota"}}, "rate_limit", True),
        (401, {"error": {"message": "bad key sk-12", "code": "invalid_api_key"}}, "auth", False),
        (403, {"detail": "not yours"}, "auth", False),
        (400, {"error": {"message": "x", "code": "context_length_exceeded"}}, "context_too_long", False),
        (
            400,
            {"error": {"message": "This endpoint's maximum context length is 9 tokens"}},
            "context_too_long",
            False,
        ),
        (
            400,
            {"error": {"message": "prompt too long; exceeded max context length by 9"}},
            "context_too_long",
            False,
        ),
        (400, {"error": {"message": "Please reduce the length of the messages"}}, "context_too_long", False),
        (413, {"error": {"message": "prompt is too long: 9 > 5"}}, "context_too_long", False),
        (
            400,
            {"error": {"type": "too_many_prompt_tokens", "message": "too long"}},
            "context_too_long",
            False,
        ),
        (400, {"error": {"message": "filtered", "code": "content_filter"}}, "content_filter", False),
        (
            400,
            {"error": {"message": "bad", "type": "invalid_request_error", "param": "stop"}},
            "invalid_request",
            False,
        ),
        (404, {"error": {"message": "no such model", "code": "model_not_found"}}, "invalid_request", False),
        (422, {"detail": [{"loc": ["body"], "msg": "field required"}]}, "invalid_request", False),
        (408, {}, "timeout", True),
        (504, b"<html>", "timeout", True),
        (500, b"", "provider", True),
        (502, b"bad gateway", "provider", True),
        (503, {"error": {"message": "busy"}}, "overloaded", True),
        (
            529,
            {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
            "overloaded",
            True,
        ),
    ],
)
def test_a_status_and_a_body_make_a_kind(status: int, body: object, kind: str, retryable: bool) -> None:
    error = read(status, body)
    assert (error.kind, error.retryable, error.status_code, error.status) == (kind, retryable, status, status)
    assert error.message
    assert str(error) == error.message


@pytest.mark.parametrize(
    ("body", "message", "type_", "code", "param"),
    [
        ({"error": {"message": "m", "type": "t", "param": "p", "code": "c"}}, "m", "t", "c", "p"),
        ({"error": {"message": "m", "code": 400}}, "m", "upstream_error", "400", None),
        (
            {"error": {"code": "RateLimit", "message": "m", "details": []}},
            "m",
            "upstream_error",
            "RateLimit",
            None,
        ),
        (
            {"error": {"code": 400, "message": "m", "status": "INVALID_ARGUMENT"}},
            "m",
            "INVALID_ARGUMENT",
            "400",
            None,
        ),
        ([{"error": {"message": "m"}}], "m", "upstream_error", None, None),
        ({"error": "m"}, "m", "upstream_error", None, None),
        ({"detail": "m"}, "m", "upstream_error", None, None),
        ({"detail": [{"msg": "m"}, {"msg": "n"}, 5, {"x": 1}]}, "m; n", "upstream_error", None, None),
        ({"id": "x", "message": "m"}, "m", "upstream_error", None, None),
        ({"object": "error", "message": "m", "type": "t", "code": 5}, "m", "t", "5", None),
        ({"errors": [{"message": "m", "code": 7}]}, "m", "upstream_error", "7", None),
        ({"type": "error", "error": {"type": "t", "message": "m"}, "request_id": "r"}, "m", "t", None, None),
        ({"detail": {"odd": 1}}, "the provider answered with status 400", "upstream_error", None, None),
        ({"code": True}, "the provider answered with status 400", "upstream_error", None, None),
        ([], "the provider answered with status 400", "upstream_error", None, None),
        ("text", "the provider answered with status 400", "upstream_error", None, None),
        (b"<html>", "the provider answered with status 400", "upstream_error", None, None),
    ],
)
def test_every_shape_of_an_error_body_is_read(
    body: object, message: str, type_: str, code: str | None, param: str | None
) -> None:
    error = read(400, body)
    assert (error.message, error.type, error.code, error.param) == (message, type_, code, param)


def test_a_body_of_plain_text_is_the_message() -> None:
    assert (
        read(500, b" upstream is down ", content_type="text/plain; charset=utf-8").message
        == "upstream is down"
    )


@pytest.mark.states("T-074", "T-075")
def test_a_refused_key_is_never_shown_and_stays_the_cause() -> None:
    error = read(
        401, {"error": {"message": "Incorrect API key provided: sk-abc***xyz", "code": "invalid_api_key"}}
    )
    assert "sk-" not in error.message
    assert "sk-" not in repr(error)
    assert "sk-abc***xyz" in str(error.__cause__)
    assert read(401, b"").__cause__ is None


@pytest.mark.states("T-073")
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry_after": "2"}, 2.0),
        ({"retry_after": "0.5"}, 0.5),
        ({"retry_after_ms": "1500", "retry_after": "9"}, 1.5),
        ({"retry_after_ms": "soon", "retry_after": "9"}, 9.0),
        ({"retry_after": "-1"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": "Wed, 21 Oct 2026 07:28:10 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 10.0),
        ({"retry_after": "Wed, 21 Oct 2026 07:28:00 GMT", "date": "Wed, 21 Oct 2026 07:28:10 GMT"}, 0.0),
        ({"retry_after": "Wed, 21 Oct 2026 07:28:10 GMT"}, None),
        ({"retry_after": "tomorrow", "date": "Wed, 21 Oct 2026 07:28:10 GMT"}, None),
    ],
)
def test_the_time_to_wait_is_in_seconds(headers: dict[str, str], seconds: float | None) -> None:
    assert read(429, {}, **headers).retry_after == seconds


def test_a_time_to_wait_inside_the_body_counts_where_no_header_says_one() -> None:
    details = [{"@type": "QuotaFailure"}, 5, {"@type": "RetryInfo", "retryDelay": "34.4s"}]
    body = {"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED", "details": details}}
    assert read(429, body).retry_after == 34.4
    assert read(429, body, retry_after="1").retry_after == 1.0
    assert read(429, {"error": {"details": [{"retryDelay": "soon"}]}}).retry_after is None


def test_an_error_decoder_collects_the_body() -> None:
    decoder = ErrorDecoder(lambda data: CODEC.decode_error(429, Headers(), data))
    assert decoder.feed(b'{"error":') == decoder.feed(b'{"message":"m"}}') == ()
    (event,) = decoder.close()
    assert getattr(event, "error", None) == ProviderError("m", kind="rate_limit", status_code=429)
    assert getattr(decoder.fail(BrokenStream("cut"))[0], "error", None) == BrokenStream("cut")


def test_an_error_decoder_keeps_no_more_than_its_limit() -> None:
    decoder = ErrorDecoder(lambda data: ProviderError(str(len(data))), limit=4)
    decoder.feed(b"12345")
    decoder.feed(b"678")
    assert getattr(decoder.close()[0], "error", None) == ProviderError("5")


@pytest.mark.parametrize(
    ("error", "status", "headers", "body"),
    [
        (
            InvalidRequest("bad", param="messages"),
            400,
            {},
            {"message": "bad", "type": "invalid_request_error", "param": "messages", "code": None},
        ),
        (
            Unsupported("n"),
            400,
            {},
            {
                "message": "n is not supported here",
                "type": "invalid_request_error",
                "param": "n",
                "code": "unsupported",
            },
        ),
        (
            NotFound("no model x", code="model_not_found", param="model"),
            404,
            {},
            {
                "message": "no model x",
                "type": "invalid_request_error",
                "param": "model",
                "code": "model_not_found",
            },
        ),
        (
            ProviderError("slow", kind="rate_limit", status_code=429, retry_after=1.2),
            429,
            {"retry-after": "2"},
            {"message": "slow", "type": "rate_limit_error", "param": None, "code": None},
        ),
        (
            StageError("execute", may_have_acted=True),
            502,
            {"x-should-retry": "false"},
            {
                "message": "turnout: execute: failed",
                "type": "server_error",
                "param": None,
                "code": "control_plane_failed",
            },
        ),
    ],
)
def test_an_error_has_four_members_and_the_headers_that_clients_obey(
    error: TurnoutError, status: int, headers: dict[str, str], body: dict[str, object]
) -> None:
    got_status, got_headers, data = CODEC.encode_error(error)
    assert got_status == status
    assert dict(got_headers.items()) == {"content-type": "application/json", **headers}
    assert json.loads(data) == {"error": body}


@pytest.mark.states("K24")
def test_an_error_in_a_stream_is_one_event_and_no_end_mark() -> None:
    data = CODEC.error_event(ProviderError("gone"))
    assert data.startswith(b'data: {"error":{"message":"gone"')
    assert data.endswith(b"}\n\n")
    assert b"[DONE]" not in data


def test_a_keepalive_is_a_comment() -> None:
    assert CODEC.keepalive().startswith(b":")
    assert CODEC.keepalive().endswith(b"\n\n")
