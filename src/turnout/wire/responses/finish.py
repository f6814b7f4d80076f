"""Why an answer ended: status and reason, total in both directions (openai 3.57).

This protocol has no word for a call: an answer that calls is `completed`. A reason that nobody names becomes
`unknown` and is written back to this protocol only.
"""

from collections.abc import Iterable
from typing import Literal

from turnout.model import AnyPart, Refusal, Stop, ToolCall
from turnout.model.errors import BrokenStream, Unsupported

Status = Literal["completed", "incomplete"]

INCOMPLETE: dict[str, Stop] = {"max_output_tokens": "length", "content_filter": "content_filter"}
"""What the reason of an incomplete response means."""
REASONS: dict[Stop, str] = {
    "length": "max_output_tokens",
    "context_full": "max_output_tokens",
    "content_filter": "content_filter",
}
"""The reason that is written for a stop."""


def stop_of(status: str | None, reason: str | None, parts: Iterable[AnyPart]) -> tuple[Stop, str | None]:
    """The stop that a status and the reason of its incompleteness mean, and the raw word of one that nobody names."""
    if status is None or status == "completed":
        return _completed(parts), None
    if status == "incomplete":
        stop = INCOMPLETE.get(reason or "")
        if stop is not None:
            return stop, None
    return "unknown", status if reason is None else f"{status}/{reason}"


def _completed(parts: Iterable[AnyPart]) -> Stop:
    stop: Stop = "end"
    for part in parts:
        if isinstance(part, Refusal):
            return "refusal"
        if isinstance(part, ToolCall):
            stop = "tool_calls"
    return stop


def status_of(stop: Stop, raw: str | None, *, refused: bool) -> tuple[str, str | None]:
    """The status that is written, and the reason of an incomplete one; `refused`: a refusal in words is shown.

    Raises:
        Unsupported: the answer waits for something that this protocol cannot say.
        BrokenStream: another protocol's reason that nobody names.
    """
    match stop:
        case "end" | "stop_sequence" | "tool_calls":
            return "completed", None
        case "refusal":
            return ("completed", None) if refused else ("incomplete", "content_filter")
        case "length" | "context_full" | "content_filter":
            return "incomplete", REASONS[stop]
        case "input_required":
            return "incomplete", None
        case "pause":
            raise Unsupported("status", "an answer that paused cannot be told here")
        case _:
            status, _, reason = (raw or "").partition("/")
            if status not in _KNOWN:
                raise BrokenStream("the answer ended for a reason that is not known")
            return status, reason or None


_KNOWN = frozenset({"incomplete", "cancelled", "queued", "in_progress"})
