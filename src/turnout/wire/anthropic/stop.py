"""Why an answer ended: one table, total in both directions (anthropic 2.14, `StopReason`)."""

from turnout.model import Extra, Stop
from turnout.model.errors import BrokenStream
from turnout.wire.layers import open_string, raw_of

from .members import PROTOCOL, bag, json_of

READ: dict[str, Stop] = {
    "end_turn": "end",
    "max_tokens": "length",
    "stop_sequence": "stop_sequence",
    "tool_use": "tool_calls",
    "pause_turn": "pause",
    "refusal": "refusal",
    "model_context_window_exceeded": "context_full",
}
WRITE: dict[Stop, str] = {
    "end": "end_turn",
    "stop_sequence": "stop_sequence",
    "length": "max_tokens",
    "context_full": "model_context_window_exceeded",
    "tool_calls": "tool_use",
    "content_filter": "refusal",
    "refusal": "refusal",
    "pause": "pause_turn",
    "input_required": "end_turn",
}


def stop_of(word: str | None, ends_in_call: bool) -> tuple[Stop, str | None, Extra | None]:
    """The stop that `word` means; its raw word and what to write back where nobody names it.

    An answer whose last part is a call waits for its result, whatever the provider says (K15).
    """
    stop = "end" if word is None else READ.get(word)
    if stop is None:
        return "unknown", word, bag({"stop_reason": json_of(word)})
    if stop == "end" and ends_in_call:
        stop = "tool_calls"
    return stop, None, None


def word_of(stop: Stop, extra: Extra | None) -> str:
    """The stop reason that is written.

    Raises:
        BrokenStream: another protocol's reason that nobody names.
    """
    word = WRITE.get(stop)
    if word is not None:
        return word
    json = extra.members.get("stop_reason") if extra is not None and extra.protocol == PROTOCOL else None
    written = None if json is None else open_string(raw_of(json))
    if written is None:
        raise BrokenStream("the answer ended for a reason that is not known")
    return written
