"""Usage, in both directions.

Chat Completions counts cached and written tokens inside `prompt_tokens` and reasoning inside `completion_tokens`
(openai 3.57); the model's counts are disjoint. Recorded exceptions are told apart by their own sums: xAI adds
reasoning beside `completion_tokens`. Mistral's audio stands in the total only, and stays a detail.
"""

from collections.abc import Mapping
from typing import Any, cast

from turnout.model import Usage
from turnout.wire.numbers import count

from .dialect import ChatDialect

PROMPT = {"audio_tokens": "input_audio", "image_tokens": "input_image", "text_tokens": "input_text"}
COMPLETION = {
    "audio_tokens": "output_audio",
    "text_tokens": "output_text",
    "accepted_prediction_tokens": "accepted_prediction",
    "rejected_prediction_tokens": "rejected_prediction",
}
_UNSAID = Usage()
_READS = ("prompt_cache_hit_tokens", "cached_tokens", "num_cached_tokens")


def _count(row: Mapping[str, Any], name: str) -> int | None:
    return count(row.get(name))


def _inner(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        value = row.get(name)
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
    return {}


def read_usage(row: Mapping[str, Any], dialect: ChatDialect) -> Usage | None:
    """Usage as a provider says it, `None` when it says no count."""
    prompt = _count(row, "prompt_tokens")
    completion = _count(row, "completion_tokens")
    if prompt is None and completion is None:
        return None
    prompt, completion = prompt or 0, completion or 0
    of_prompt = _inner(row, "prompt_tokens_details", "prompt_token_details")
    of_completion = _inner(row, "completion_tokens_details", "completion_token_details")
    cached = _count(of_prompt, "cached_tokens") if of_prompt else None
    if cached is None:
        cached = next((count for name in _READS if (count := _count(row, name)) is not None), None)
    written = _count(of_prompt, "cache_write_tokens") if of_prompt else None
    reasoning = _count(of_completion, "reasoning_tokens") if of_completion else None
    total = _count(row, "total_tokens") or 0
    beside = total - prompt - completion
    if beside > 0 and (dialect.hides_thoughts or beside == reasoning):
        completion += beside
    return Usage(
        input=max(0, prompt - (cached or 0) - (written or 0)),
        cache_read=cached,
        cache_write=written,
        output=completion,
        reasoning=reasoning,
        detail=_detail(of_prompt, of_completion) if of_prompt or of_completion else {},
    )


def _detail(of_prompt: dict[str, Any], of_completion: dict[str, Any]) -> dict[str, int]:
    detail: dict[str, int] = {}
    for row, names in ((of_prompt, PROMPT), (of_completion, COMPLETION)):
        for name in row:
            ours = names.get(name)
            count = None if ours is None else _count(row, name)
            if ours is not None and count is not None:
                detail[ours] = count
    return detail


def _shown(detail: Mapping[str, int], names: Mapping[str, str]) -> dict[str, int]:
    return {name: detail[ours] for name, ours in names.items() if ours in detail} if detail else {}


def write_usage(usage: Usage) -> dict[str, Any] | None:
    """Usage as this protocol says it, `None` when nothing is known."""
    if usage == _UNSAID:
        return None
    prompt, completion = usage.total_input or 0, usage.output or 0
    wire: dict[str, Any] = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
    of_prompt = _shown(usage.detail, PROMPT)
    if usage.cache_read is not None:
        of_prompt["cached_tokens"] = usage.cache_read
    if usage.cache_write is not None or usage.cache_write_1h is not None:
        of_prompt["cache_write_tokens"] = (usage.cache_write or 0) + (usage.cache_write_1h or 0)
    of_completion = _shown(usage.detail, COMPLETION)
    if usage.reasoning is not None:
        of_completion["reasoning_tokens"] = usage.reasoning
    if of_prompt:
        wire["prompt_tokens_details"] = of_prompt
    if of_completion:
        wire["completion_tokens_details"] = of_completion
    return wire
