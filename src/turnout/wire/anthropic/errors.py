"""Errors of Anthropic Messages, written; `turnout.wire.failures` reads them.

Shape: `ErrorResponse` of anthropic 2.14, with the stable cause as `details.error_code`.
"""

import msgspec

from turnout.model import Headers
from turnout.model.errors import ProviderError, TurnoutError
from turnout.wire import sse
from turnout.wire.failures import encode_error as encode_generic

TYPES: dict[int, str] = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""The error's type by status; below 500 any other is the request's fault, from there on the server's."""

_KINDS: dict[str, str] = {
    "auth": "authentication_error",
    "content_filter": "invalid_request_error",
    "context_too_long": "invalid_request_error",
    "invalid_request": "invalid_request_error",
    "overloaded": "overloaded_error",
    "rate_limit": "rate_limit_error",
    "timeout": "timeout_error",
}
_CODES = {"thread": "thread_unsupported_request"}
"""The stable cause where this protocol has a word for it; clients with threads send the whole conversation then."""


def type_of(status: int) -> str:
    """The type of an error with this HTTP status."""
    return TYPES.get(status) or ("invalid_request_error" if status < 500 else "api_error")


def _body(error: TurnoutError, kind: str, request_id: str) -> bytes:
    message = error.message
    if error.param and error.param not in message:
        message = f"{error.param}: {message}"
    row: dict[str, object] = {"type": kind, "message": message}
    code = _CODES.get(error.param or "") or error.code
    if code:
        row["details"] = {"error_code": code}
    wire: dict[str, object] = {"type": "error", "error": row}
    if request_id:
        wire["request_id"] = request_id
    return msgspec.json.encode(wire)


def encode_error(error: TurnoutError, request_id: str) -> tuple[int, Headers, bytes]:
    """An error as an HTTP answer: status, headers, body."""
    status, headers, _ = encode_generic(error)
    return status, headers, _body(error, type_of(status), request_id)


def error_event(error: TurnoutError) -> bytes:
    """An error inside a stream, which it ends; the kind of failure counts, since there is no status."""
    kind = _KINDS.get(error.kind) if isinstance(error, ProviderError) else None
    return sse.write(_body(error, kind or type_of(error.status), ""), "error")
