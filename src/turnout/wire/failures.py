"""Errors of OpenAI's protocols and of what is compatible with them, in both directions.

Reading: all shapes of error bodies that such providers were recorded to send: OpenAI's
`{error: {message, type, param, code}}`, Azure's and Google's variants of it, a string for `error`, a list around it
(Google), `{detail}` (Mistral, FastAPI), `{message}` (Cohere, vLLM), `{errors: [...]}`. Writing: OpenAI's four keys.
"""

import math
import re
from typing import Any, cast

import msgspec

from turnout.model import Headers
from turnout.model.errors import ProviderError, ProviderErrorKind, TurnoutError
from turnout.wire.layers import BROKEN

_ANY = msgspec.json.Decoder()
_TOO_LONG = re.compile(
    r"context.{0,4}length|context.{0,4}window|context size|too many (input |prompt )?tokens|too_many_prompt_tokens"
    r"|prompt (is )?too long|input (is )?too long|maximum (prompt|input|context)|max context"
    r"|reduce the length|all messages is too long",
    re.IGNORECASE,
)
_LONGEST = 2_000
_JSON_HEADER = (b"content-type", b"application/json")

Row = dict[str, Any]


# ---- reading -----------------------------------------------------------------------------------------------------


def decode_error(status: int, headers: Headers, data: bytes) -> ProviderError:
    """What an upstream's error answer says.

    A refusal of the gateway's own credentials is told in our words; the provider's are the cause, since they may
    show a part of the key. `retry_after` is in seconds; a date counts from the answer's own `date`.
    """
    row = _row(data)
    hint = _retry_after(headers)
    return _error(status, row, _details_delay(row) if hint is None else hint, _plain(headers, data))


def error_in(data: bytes) -> ProviderError | None:
    """The error that a body or event of a successful answer is, `None` when it is none."""
    row = _row(data)
    if not row:
        return None
    status = _int(row.get("status_code")) or _int(row.get("status")) or _int(row.get("code"))
    return _error(status if status is not None and status >= 400 else None, row, _details_delay(row), "")


def _row(data: bytes) -> Row:
    """The members of the error itself, under OpenAI's names; empty when there is none."""
    try:
        body: object = _ANY.decode(data)
    except BROKEN:
        return {}
    if isinstance(body, list) and body:
        body = cast("list[object]", body)[0]
    if not isinstance(body, dict):
        return {}
    outer = cast("Row", body)
    errors = outer.get("errors")
    error = outer.get("error") or (
        cast("list[object]", errors)[0] if isinstance(errors, list) and errors else None
    )
    if isinstance(error, dict):
        return cast("Row", error)
    if isinstance(error, str):
        return {**outer, "message": error}
    if "choices" in outer:
        return {}
    detail = outer.get("detail")
    if detail is not None:
        return {**outer, "message": _detail(detail)}
    return outer if isinstance(outer.get("message"), str) else {}


def _detail(detail: object) -> str:
    """FastAPI's `detail`: a text, or a list of `{loc, msg}`."""
    if isinstance(detail, str):
        return detail
    if isinstance(detail, list):
        rows = [cast("Row", row) for row in cast("list[object]", detail) if isinstance(row, dict)]
        return "; ".join(str(row.get("msg", "")) for row in rows if row.get("msg"))
    return ""


def _plain(headers: Headers, data: bytes) -> str:
    """A body of plain text is its own message."""
    if not headers.get("content-type", "").startswith("text/plain"):
        return ""
    return data[:_LONGEST].decode("utf-8", "replace").strip()


def _error(status: int | None, row: Row, retry_after: float | None, plain: str) -> ProviderError:
    message = row.get("message")
    words = message if isinstance(message, str) and message else plain
    code, kind_word = _word(row.get("code")), _word(row.get("type"))
    kind = _kind(status, code, kind_word, words)
    if kind == "auth":
        shown = "the provider refused the credentials of this gateway"
    else:
        shown = words or f"the provider answered with status {status}"
    error = ProviderError(
        shown[:_LONGEST],
        kind=kind,
        status_code=status,
        type=kind_word or _word(row.get("status")),
        code=code,
        param=_word(row.get("param")),
        retryable=_retryable(status, kind),
        retry_after=retry_after,
    )
    if kind == "auth" and words:
        error.__cause__ = PermissionError(words[:_LONGEST])
    return error


def _word(value: object) -> str | None:
    if isinstance(value, bool) or value is None or value == "":
        return None
    return str(value) if isinstance(value, str | int) else None


def _int(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


_BY_STATUS: dict[int, ProviderErrorKind] = {
    401: "auth",
    403: "auth",
    408: "timeout",
    429: "rate_limit",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
_BY_CODE: dict[str, ProviderErrorKind] = {
    "context_length_exceeded": "context_too_long",
    "too_many_prompt_tokens": "context_too_long",
    "content_filter": "content_filter",
    "content_policy_violation": "content_filter",
    "rate_limit_exceeded": "rate_limit",
    "rate_limit_error": "rate_limit",
    "insufficient_quota": "rate_limit",
    "overloaded_error": "overloaded",
    "invalid_api_key": "auth",
    "authentication_error": "auth",
}


def _kind(status: int | None, code: str | None, kind: str | None, words: str) -> ProviderErrorKind:
    by_status = _BY_STATUS.get(status or 0)
    if by_status is not None:
        return by_status
    for word in (code, kind):
        by_code = _BY_CODE.get(word or "")
        if by_code is not None:
            return by_code
    client = status is not None and status < 500
    if (status is None or client) and _TOO_LONG.search(words):
        return "context_too_long"
    return "invalid_request" if client or kind == "invalid_request_error" else "provider"


def _retryable(status: int | None, kind: ProviderErrorKind) -> bool | None:
    """A failure of the provider itself may be tried again; the other kinds say it themselves."""
    return (status is not None and status >= 500) if kind == "provider" else None


def _retry_after(headers: Headers) -> float | None:
    """Seconds to wait: `retry-after-ms`, else `retry-after` in seconds or as a date."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or value is None:
        return seconds
    return _between(headers.get("date"), value)


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _between(start: str | None, end: str) -> float | None:
    """Seconds from one HTTP date to another, not below 0; without a start there is no telling."""
    from email.utils import parsedate_to_datetime

    if start is None:
        return None
    try:
        return max(0.0, (parsedate_to_datetime(end) - parsedate_to_datetime(start)).total_seconds())
    except (ValueError, TypeError):
        return None


_DELAY = re.compile(r"(\d+(?:\.\d+)?)s")


def _details_delay(row: Row) -> float | None:
    """Google's `RetryInfo` inside the body: `{retryDelay: "34.4s"}`."""
    details = row.get("details")
    if not isinstance(details, list):
        return None
    for detail in cast("list[object]", details):
        delay = cast("Row", detail).get("retryDelay") if isinstance(detail, dict) else None
        found = _DELAY.fullmatch(delay) if isinstance(delay, str) else None
        if found is not None:
            return float(found[1])
    return None


# ---- writing -----------------------------------------------------------------------------------------------------


_TYPES: dict[int, tuple[str, ...]] = {
    401: ("authentication_error", "invalid_request_error"),
    402: ("insufficient_quota",),
    403: ("permission_error", "invalid_request_error"),
    404: ("not_found_error", "invalid_request_error"),
    429: ("rate_limit_error", "insufficient_quota", "rate_limit_exceeded", "requests", "tokens"),
}
"""The types that OpenAI's clients know for a status, the first one for what has none of them; else see `_type`."""


def _type(error: TurnoutError) -> str:
    """The error's type, where it is one that belongs to its status; another protocol's or a gateway's word is none."""
    known = _TYPES.get(error.status)
    if known is None:
        known = ("invalid_request_error",) if error.status < 500 else ("server_error", "api_error")
    return error.type if error.type in known else known[0]


def error_row(error: TurnoutError) -> Row:
    """The members of the error object."""
    kind = _type(error) if isinstance(error, ProviderError) else error.type
    return {"message": error.message, "type": kind, "param": error.param, "code": error.code}


def error_body(error: TurnoutError) -> bytes:
    """The error as a body."""
    return msgspec.json.encode({"error": error_row(error)})


def encode_error(error: TurnoutError) -> tuple[int, Headers, bytes]:
    """An error as an HTTP answer: status, headers, body."""
    raw: list[tuple[bytes, bytes]] = [_JSON_HEADER]
    if error.retry_after is not None:
        raw.append((b"retry-after", str(math.ceil(error.retry_after)).encode()))
    if error.may_have_acted:
        raw.append((b"x-should-retry", b"false"))
    return error.status, Headers(raw), error_body(error)
