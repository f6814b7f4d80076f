"""Errors of Chat Completions: OpenAI's shapes, and how one ends a stream."""

from turnout.model.errors import TurnoutError
from turnout.wire import sse
from turnout.wire.failures import decode_error, encode_error, error_body, error_in


def error_event(error: TurnoutError) -> bytes:
    """An error inside a stream; nothing follows it, `[DONE]` would mean success."""
    return sse.write(error_body(error))


__all__ = ["decode_error", "encode_error", "error_event", "error_in"]
