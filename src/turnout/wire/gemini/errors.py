"""Errors in Google's shape, in both directions: `{error: {code, message, status, details}}`.

Sources: google-genai 3.6 (`errors.APIError`), `google.rpc` (`Code`, `RetryInfo`, `BadRequest`, `ErrorInfo`), recorded
answers. A hint when to come back stands in the body, not in a header.
"""

import math
import re
from typing import Any, cast

import msgspec

from turnout.model import Headers
from turnout.model.errors import ProviderError, TurnoutError
from turnout.wire import failures

_ANY = msgspec.json.Decoder()
_encode = msgspec.json.Encoder().encode
_TOO_LONG = re.compile(
    r"token count .{0,40}exceeds the maximum|exceeds the maximum number of tokens", re.IGNORECASE
)
_TYPES = {
    "INVALID_ARGUMENT": "invalid_request_error",
    "FAILED_PRECONDITION": "invalid_request_error",
    "OUT_OF_RANGE": "invalid_request_error",
    "UNAUTHENTICATED": "authentication_error",
    "PERMISSION_DENIED": "permission_error",
    "NOT_FOUND": "not_found_error",
    "ALREADY_EXISTS": "conflict_error",
    "ABORTED": "conflict_error",
    "RESOURCE_EXHAUSTED": "rate_limit_error",
    "UNAVAILABLE": "overloaded_error",
    "DEADLINE_EXCEEDED": "timeout_error",
    "INTERNAL": "server_error",
    "UNKNOWN": "server_error",
}
STATUS: dict[int, str] = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    402: "RESOURCE_EXHAUSTED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    408: "DEADLINE_EXCEEDED",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    502: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
    529: "UNAVAILABLE",
}

# ---- reading -----------------------------------------------------------------------------------------------------


def decode_error(status: int, headers: Headers, data: bytes) -> ProviderError:
    """What an upstream's error answer says; a key that is not valid is one, whatever status says so."""
    return _sharper(failures.decode_error(status, headers, data), data)


def error_in(data: bytes) -> ProviderError | None:
    """The error that a body or event of a successful answer is, `None` when it is none."""
    error = failures.error_in(data)
    return None if error is None else _sharper(error, data)


def _sharper(error: ProviderError, data: bytes) -> ProviderError:
    """The error in the words that all protocols share, with Google's own word as its code."""
    word, bad_key = _details(data)
    kind = error.kind
    if bad_key and kind != "auth":
        return _bad_key(error)
    if kind == "invalid_request" and _TOO_LONG.search(error.message):
        kind = "context_too_long"
    made = ProviderError(
        error.message,
        kind=kind,
        status_code=error.status_code,
        type=_TYPES.get(word, error.type),
        code="context_length_exceeded" if kind == "context_too_long" else word or error.code,
        retryable=error.retryable,
        retry_after=error.retry_after,
    )
    made.__cause__ = error.__cause__
    return made


def _bad_key(error: ProviderError) -> ProviderError:
    """The gateway's own key is told in our words, since the provider's may show a part of it."""
    made = ProviderError(
        "the provider refused the credentials of this gateway",
        kind="auth",
        status_code=error.status_code,
        type="authentication_error",
        code="API_KEY_INVALID",
    )
    made.__cause__ = PermissionError(error.message)
    return made


def _details(data: bytes) -> tuple[str, bool]:
    """Google's word for the status, and whether the details say that the key is not valid."""
    try:
        body: object = _ANY.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return "", False
    if isinstance(body, list) and body:
        body = cast("list[object]", body)[0]
    row = cast("dict[str, Any]", body).get("error") if isinstance(body, dict) else None
    if not isinstance(row, dict):
        return "", False
    error = cast("dict[str, Any]", row)
    word, details = error.get("status"), error.get("details")
    rows = cast("list[object]", details) if isinstance(details, list) else []
    reasons = [cast("dict[str, Any]", each).get("reason") for each in rows if isinstance(each, dict)]
    return word if isinstance(word, str) else "", "API_KEY_INVALID" in reasons


# ---- writing -----------------------------------------------------------------------------------------------------


def status_word(status: int) -> str:
    """Google's word for an HTTP status."""
    return STATUS.get(status, "INVALID_ARGUMENT" if status < 500 else "INTERNAL")


def error_body(error: TurnoutError) -> bytes:
    """The error as a body."""
    details: list[dict[str, Any]] = []
    if error.code is not None:
        details.append(
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": error.code, "domain": "turnout"}
        )
    if error.param is not None:
        violation = {"field": error.param, "description": error.message}
        details.append({"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]})
    if error.retry_after is not None:
        delay = f"{error.retry_after:g}s"
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay})
    row: dict[str, Any] = {
        "code": error.status,
        "message": error.message,
        "status": status_word(error.status),
    }
    if details:
        row["details"] = details
    return _encode({"error": row})


def encode_error(error: TurnoutError) -> tuple[int, Headers, bytes]:
    """An error as an HTTP answer: status, headers, body."""
    raw: list[tuple[bytes, bytes]] = [(b"content-type", b"application/json")]
    if error.retry_after is not None:
        raw.append((b"retry-after", str(math.ceil(error.retry_after)).encode()))
    if error.may_have_acted:
        raw.append((b"x-should-retry", b"false"))
    return error.status, Headers(raw), error_body(error)


def error_event(error: TurnoutError) -> bytes:
    """An error inside a stream of events, which ends it."""
    return event(error_body(error))


def event(data: bytes) -> bytes:
    """One event; lines end as Google's do."""
    return b"data: %b\r\n\r\n" % data
