"""The short way to read what nearly all whole answers are: one choice of text and calls, and counts that add up.

Strategy: one typed reading instead of one for each layer, which names all that the layers look at; where something
stands there that is not usual, the answer is left to them. Where both can read an answer, both read the same.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from turnout.model import Answer, AnyPart, Json, Text, ToolCall, Usage

from .finish import READ
from .members import BROKEN, NOTHING, NULL, bag, text
from .usage import COMPLETION, PROMPT


class _Function(msgspec.Struct, gc=False):
    name: str
    arguments: str


class _Call(msgspec.Struct, gc=False):
    id: str
    function: _Function
    custom: None = None
    extra_content: msgspec.Raw = NOTHING


class _Message(msgspec.Struct, gc=False):
    content: str | None = None
    tool_calls: list[_Call] | None = None
    refusal: None = None
    annotations: list[Any] | None = None
    reasoning_content: None = None
    reasoning: None = None
    reasoning_details: None = None
    thinking: None = None
    audio: None = None
    images: None = None
    function_call: None = None


class _Choice(msgspec.Struct, gc=False):
    message: _Message
    finish_reason: Literal["stop", "length", "tool_calls"]
    logprobs: None = None


class _Prompt(msgspec.Struct, gc=False):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    audio_tokens: int | None = None
    image_tokens: int | None = None
    text_tokens: int | None = None


class _Completion(msgspec.Struct, gc=False):
    reasoning_tokens: int | None = None
    audio_tokens: int | None = None
    text_tokens: int | None = None
    accepted_prediction_tokens: int | None = None
    rejected_prediction_tokens: int | None = None


class _Counts(msgspec.Struct, gc=False):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int = 0
    prompt_tokens_details: _Prompt | None = None
    completion_tokens_details: _Completion | None = None
    prompt_token_details: None = None
    completion_token_details: None = None
    prompt_cache_hit_tokens: None = None
    cached_tokens: None = None
    num_cached_tokens: None = None


class _Usual(msgspec.Struct, gc=False):
    choices: list[_Choice]
    id: str = ""
    created: int = 0
    model: str = ""
    usage: _Counts | None = None
    service_tier: msgspec.Raw = NULL
    system_fingerprint: msgspec.Raw = NULL
    error: None = None
    metadata: None = None
    moderation: None = None
    citations: None = None
    search_results: None = None
    x_groq: None = None


_READ = msgspec.json.Decoder(_Usual).decode


def read_usual(data: bytes) -> Answer | None:
    """The answer, `None` when it is not so usual after all."""
    try:
        if not data.isascii():
            data.decode()  # what is kept as it came would show only later that it is no text
        usual = _READ(data)
    except BROKEN:
        return None
    counts = usual.usage
    if len(usual.choices) != 1 or not (counts is None or _add_up(counts)):
        return None
    choice = usual.choices[0]
    parts = _parts(choice.message)
    if parts is None:
        return None
    stop = READ[choice.finish_reason]
    names: dict[str, Json] = {}
    if usual.service_tier != NULL:
        names["service_tier"] = text(usual.service_tier)
    if usual.system_fingerprint != NULL:
        names["system_fingerprint"] = text(usual.system_fingerprint)
    return Answer(
        id=usual.id,
        model=usual.model,
        created=usual.created,
        parts=parts,
        stop="tool_calls" if stop == "end" and choice.message.tool_calls else stop,
        extra=bag(names),
        usage=Usage() if counts is None else _usage(counts),
    )


def _parts(message: _Message) -> tuple[AnyPart, ...] | None:
    if message.annotations:
        return None
    calls, words = message.tool_calls, message.content
    if not calls:
        return (Text(text=words or ""),)
    parts: list[AnyPart] = [Text(text=words)] if words else []
    for call in calls:
        function = call.function
        if not (call.id and function.name) or call.extra_content is not NOTHING:
            return None
        parts.append(ToolCall(call_id=call.id, name=function.name, arguments=function.arguments or "{}"))
    return tuple(parts)


def _add_up(counts: _Counts) -> bool:
    """Whether nothing is counted beside the prompt and the completion; whose it is, providers see differently."""
    return counts.total_tokens <= counts.prompt_tokens + counts.completion_tokens


def _usage(counts: _Counts) -> Usage:
    fresh, cached, written, reasoning = counts.prompt_tokens, None, None, None
    detail: dict[str, int] = {}
    prompt, completion = counts.prompt_tokens_details, counts.completion_tokens_details
    if prompt is not None:
        cached, written = prompt.cached_tokens, prompt.cache_write_tokens
        fresh = max(0, fresh - (cached or 0) - (written or 0))
        _count(prompt, PROMPT, detail)
    if completion is not None:
        reasoning = completion.reasoning_tokens
        _count(completion, COMPLETION, detail)
    return Usage(
        input=fresh,
        cache_read=cached,
        cache_write=written,
        output=counts.completion_tokens,
        reasoning=reasoning,
        detail=detail,
    )


def _count(said: _Prompt | _Completion, names: Mapping[str, str], detail: dict[str, int]) -> None:
    for name, ours in names.items():
        value: int | None = getattr(said, name)
        if value is not None:
            detail[ours] = value
