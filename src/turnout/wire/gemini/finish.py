"""Why an answer ended: one table, total in both directions.

The words are those of google-genai 3.6 (`FinishReason`, `BlockedReason`); a service that is asked for numbers
(`enum-encoding=int`) gives the numbers of its protocol buffers, in the order of `google.ai.generativelanguage`.
A word that nobody names is read as a filter: all but the few that say otherwise are the service cutting an answer
short, and so it is shown, never as an end; the word itself goes back to this protocol.
"""

import msgspec

from turnout.model import Extra, Stop
from turnout.model.errors import BrokenStream, ProviderError

from .members import PROTOCOL, form, open_string, raw_of

READ: dict[str, Stop] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "SAFETY": "content_filter",
    "RECITATION": "content_filter",
    "LANGUAGE": "content_filter",
    "BLOCKLIST": "content_filter",
    "PROHIBITED_CONTENT": "content_filter",
    "SPII": "content_filter",
    "IMAGE_SAFETY": "content_filter",
    "IMAGE_PROHIBITED_CONTENT": "content_filter",
    "IMAGE_RECITATION": "content_filter",
    "ESCALATION": "content_filter",
    "PUP_LIMITED_DISABLED": "content_filter",
    "MODEL_ARMOR": "content_filter",
    "CONTINUATION": "pause",
}
FAILURES = frozenset(
    {
        "MALFORMED_FUNCTION_CALL",
        "UNEXPECTED_TOOL_CALL",
        "TOO_MANY_TOOL_CALLS",
        "MISSING_THOUGHT_SIGNATURE",
        "MALFORMED_RESPONSE",
        "NO_IMAGE",
    }
)
"""Words for an answer that came to nothing."""

WRITE: dict[Stop, str] = {
    "end": "STOP",
    "stop_sequence": "STOP",
    "tool_calls": "STOP",
    "length": "MAX_TOKENS",
    "context_full": "MAX_TOKENS",
    "content_filter": "SAFETY",
    "refusal": "SAFETY",
    "pause": "CONTINUATION",
    "input_required": "STOP",
}
_NUMBERS = {
    1: "STOP",
    2: "MAX_TOKENS",
    3: "SAFETY",
    4: "RECITATION",
    5: "OTHER",
    6: "LANGUAGE",
    7: "BLOCKLIST",
    8: "PROHIBITED_CONTENT",
    9: "SPII",
    10: "MALFORMED_FUNCTION_CALL",
    11: "IMAGE_SAFETY",
    12: "UNEXPECTED_TOOL_CALL",
    13: "TOO_MANY_TOOL_CALLS",
}
_UNNAMED: Stop = "content_filter"
_NONE = frozenset({"", "FINISH_REASON_UNSPECIFIED", "0"})


def word_of(reason: str | int | None) -> str | None:
    """The finish reason as a word, `None` while there is none."""
    if reason is None:
        return None
    word = _NUMBERS.get(reason, str(reason)) if isinstance(reason, int) else reason.upper()
    return None if word in _NONE else word


def failure_of(word: str | None) -> ProviderError | None:
    """The error that is reported as a finish reason."""
    if word not in FAILURES:
        return None
    return ProviderError(f"the provider ended its answer with {word}", kind="provider", retryable=True)


def stop_of(word: str, called: bool) -> tuple[Stop, Extra | None]:
    """The stop that `word` means, and what to write back.

    There is no word for calls: an answer that holds some stopped for them (K15).
    """
    stop = READ.get(word, _UNNAMED)
    if called and stop == "end":
        return "tool_calls", None
    return stop, None if WRITE[stop] == word else _kept(word)


def _kept(word: str) -> Extra:
    return Extra(protocol=PROTOCOL, members={"~finishReason": msgspec.json.encode(word).decode()})


def finish_of(stop: Stop, extra: Extra | None) -> str:
    """The finish reason that is written.

    Raises:
        BrokenStream: another protocol's reason that nobody names.
    """
    json = form(extra, "finishReason")
    word = None if json is None else open_string(raw_of(json))
    if word is not None and READ.get(word, _UNNAMED) == stop:
        return word
    if stop == "unknown":
        raise BrokenStream("the answer ended for a reason that is not known")
    return WRITE[stop]
