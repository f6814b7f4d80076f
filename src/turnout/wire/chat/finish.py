"""Why an answer ended: one table, total in both directions.

The four words of today's protocol and the legacy `function_call` are openai 3.57; the others are what compatible
providers were recorded or documented to say. A word that nobody names becomes `unknown` and is written back to this
protocol only.
"""

from collections.abc import Iterable

import msgspec

from turnout.model import AnyPart, Extra, Refusal, Stop, ToolCall
from turnout.model.errors import BrokenStream, ProviderError, ProviderErrorKind, Unsupported

from .members import PROTOCOL, form, open_string, raw_of

READ: dict[str, Stop] = {
    "stop": "end",
    "length": "length",
    "tool_calls": "tool_calls",
    "content_filter": "content_filter",
    "function_call": "tool_calls",
    "eos": "end",
    "end_turn": "end",
    "complete": "end",
    "stop_sequence": "end",
    "max_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "tool_call": "tool_calls",
    "tool_use": "tool_calls",
    "safety": "content_filter",
    "sensitive": "content_filter",
    "refusal": "content_filter",
}
_FAILED: dict[str, ProviderErrorKind] = {
    "error": "provider",
    "network_error": "provider",
    "insufficient_system_resource": "overloaded",
}
WRITE: dict[Stop, str] = {
    "end": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "context_full": "length",
    "tool_calls": "tool_calls",
    "content_filter": "content_filter",
    "refusal": "content_filter",
    "input_required": "stop",
}
_FINISHED: frozenset[Stop] = frozenset({"end", "content_filter"})


def word_of(reason: object) -> str | None:
    """The finish reason as a word, `None` while there is none; some servers send `""` for none."""
    if reason is None or reason == "":
        return None
    return reason if isinstance(reason, str) else str(reason)


def failure_of(word: str | None) -> ProviderError | None:
    """The error that some providers report as a finish reason."""
    kind = _FAILED.get(word.lower()) if word is not None else None
    if kind is None:
        return None
    return ProviderError(f"the provider ended its answer with {word}", kind=kind, retryable=True)


def stop_of(word: str | None, called: bool, refused: bool) -> tuple[Stop, str | None, Extra | None]:
    """The stop that `word` means in an answer that holds calls or a refusal; its raw word; what to write back.

    Without a word the answer ended by its end mark alone. Calls win over `stop`, whatever the provider says (K15).
    """
    stop = "end" if word is None else READ.get(word.lower())
    if stop is None:
        members = {"finish_reason": msgspec.json.encode(word).decode()}
        return "unknown", word, Extra(protocol=PROTOCOL, members=members)
    if refused and stop in _FINISHED:
        return "refusal", None, None
    if called and stop == "end":
        return "tool_calls", None, None
    return stop, None, None


def refused(parts: Iterable[AnyPart]) -> bool:
    """Whether the model refused in words of its own."""
    return any(isinstance(part, Refusal) for part in parts)


def finish_of(stop: Stop, legacy: bool, extra: Extra | None) -> str:
    """The finish reason that is written; `legacy`: the call goes out as `function_call`.

    Raises:
        Unsupported: the answer waits for something that this protocol cannot say.
        BrokenStream: another protocol's reason that nobody names.
    """
    if stop == "unknown":
        json = None if extra is None or extra.protocol != PROTOCOL else extra.members.get("finish_reason")
        word = None if json is None else open_string(raw_of(json))
        if word is None:
            raise BrokenStream("the answer ended for a reason that is not known")
        return word
    if stop == "tool_calls" and legacy:
        return "function_call"
    word = WRITE.get(stop)
    if word is None:
        raise Unsupported("finish_reason", f"an answer that ended with {stop} cannot be told here")
    return word


def is_legacy(part: AnyPart) -> bool:
    """Whether a call came as the legacy `function_call`."""
    return isinstance(part, ToolCall) and form(part.extra, "function_call") is not None
