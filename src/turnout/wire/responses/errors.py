"""Errors of Responses: OpenAI's body outside a stream; inside one, an `error` event and `response.failed` behind it.

OpenAI sends the error nested (recorded), the SDK's type is flat; both are written, since clients read either. Clients
of agents understand only `response.failed`, which also ends the stream.
"""

import re
from typing import Any

from turnout.model.errors import InvalidRequest, ProviderError, TurnoutError
from turnout.wire import sse
from turnout.wire.failures import decode_error, encode_error, error_in, error_row

from .resource import as_bytes

_LAST_NUMBER = re.compile(rb'"sequence_number"\s*:\s*(\d+)')

_BY_KIND = {
    "rate_limit": "rate_limit_exceeded",
    "context_too_long": "context_length_exceeded",
    "invalid_request": "invalid_prompt",
    "content_filter": "invalid_prompt",
}


def failure(error: TurnoutError) -> dict[str, Any]:
    """The `error` of a failed response: one of the codes that clients know (openai 3.57; codex reads the third)."""
    code = "server_error"
    if isinstance(error, ProviderError):
        code = _BY_KIND.get(error.kind, code)
    elif isinstance(error, InvalidRequest):
        code = "invalid_prompt"
    return {"code": code, "message": error.message}


def error_members(error: TurnoutError) -> dict[str, Any]:
    """What an `error` event says, nested and flat."""
    row = error_row(error)
    row["code"] = row["code"] or failure(error)["code"]
    return {"code": row["code"], "message": row["message"], "param": row["param"], "error": row}


def frame(kind: str, number: int, members: dict[str, Any]) -> bytes:
    """One event."""
    return sse.write(as_bytes({"type": kind, "sequence_number": number, **members}), kind)


def error_event(error: TurnoutError, after: bytes, done: bytes) -> bytes:
    """An error behind `after`, the last bytes of a stream that was passed on, and what ends the stream."""
    numbers = _LAST_NUMBER.findall(after)
    number = int(numbers[-1]) + 1 if numbers else 0
    response: dict[str, Any] = {
        "id": "",
        "object": "response",
        "created_at": 0,
        "model": "",
        "status": "failed",
        "error": failure(error),
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    return (
        frame("error", number, error_members(error))
        + frame("response.failed", number + 1, {"response": response})
        + done
    )


__all__ = [
    "decode_error",
    "encode_error",
    "error_event",
    "error_in",
    "error_members",
    "failure",
    "frame",
]
