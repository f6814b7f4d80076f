"""What is known of models that their provider's list does not say: the one data file, as of 30 November 2026.

A row is for all names that begin with its own, the longest one counts; sizes in tokens. Sources: the model pages of
platform.claude.com, developers.openai.com, ai.google.dev and docs.mistral.ai. A model that is not here works all the
same, with less known of it.
"""

import msgspec

from turnout.model import ModelInfo, V

AS_OF = "2026-11-30"


class Known(V, frozen=True, kw_only=True):
    """One family of models."""

    context_window: int
    max_tokens: int
    tools: bool = True
    vision: bool = True
    thinking: bool = True


def _row(context_window: int, max_tokens: int, without: str = "") -> Known:
    return Known(
        context_window=context_window,
        max_tokens=max_tokens,
        tools="tools" not in without,
        vision="vision" not in without,
        thinking="thinking" not in without,
    )


KNOWN: dict[str, Known] = {
    # Anthropic
    "claude-fable-5": _row(1_000_000, 128_000),
    "claude-mythos-5": _row(1_000_000, 128_000),
    "claude-opus-5": _row(1_000_000, 128_000),
    "claude-sonnet-5": _row(1_000_000, 128_000),
    "claude-haiku-4-5": _row(200_000, 64_000),
    "claude-opus-4-6": _row(1_000_000, 128_000),
    "claude-opus-4-5": _row(200_000, 64_000),
    "claude-opus-4": _row(200_000, 32_000),
    "claude-sonnet-4": _row(200_000, 64_000),
    "claude-3-7-sonnet": _row(200_000, 64_000),
    "claude-3-5-sonnet": _row(200_000, 8_192, without="thinking"),
    "claude-3-5-haiku": _row(200_000, 8_192, without="thinking"),
    "claude-3": _row(200_000, 4_096, without="thinking"),
    # OpenAI
    "gpt-6": _row(1_050_000, 128_000),
    "gpt-5.6": _row(1_050_000, 128_000),
    "gpt-5": _row(400_000, 128_000),
    "gpt-4.1": _row(1_047_576, 32_768, without="thinking"),
    "gpt-4o": _row(128_000, 16_384, without="thinking"),
    "gpt-4-turbo": _row(128_000, 4_096, without="thinking"),
    "gpt-4": _row(8_192, 8_192, without="vision thinking"),
    "gpt-3.5-turbo": _row(16_385, 4_096, without="vision thinking"),
    "gpt-oss": _row(131_072, 131_072, without="vision"),
    "o4-mini": _row(200_000, 100_000),
    "o3-mini": _row(200_000, 100_000, without="vision"),
    "o3": _row(200_000, 100_000),
    "o1": _row(200_000, 100_000),
    # Google
    "gemini-3": _row(1_048_576, 65_536),
    "gemini-2.5": _row(1_048_576, 65_536),
    "gemini-2.0": _row(1_048_576, 8_192, without="thinking"),
    "gemini-1.5-pro": _row(2_097_152, 8_192, without="thinking"),
    "gemini-1.5": _row(1_048_576, 8_192, without="thinking"),
    # others
    "deepseek-reasoner": _row(131_072, 65_536, without="vision"),
    "deepseek-chat": _row(131_072, 8_192, without="vision thinking"),
    "grok-4": _row(256_000, 256_000),
    "mistral-large": _row(131_072, 131_072, without="thinking"),
}
_LONGEST_FIRST = sorted(KNOWN, key=len, reverse=True)


def known(model: str) -> Known | None:
    """What is known of a model; a provider's own prefix (`openai/`) does not matter."""
    name = model.rpartition("/")[2]
    return next((KNOWN[start] for start in _LONGEST_FIRST if name.startswith(start)), None)


def completed(info: ModelInfo) -> ModelInfo:
    """What the provider says of a model, and what is known where it says nothing."""
    row = known(info.id)
    if row is None:
        return info
    said = {
        "context_window": row.context_window,
        "max_tokens": row.max_tokens,
        "supports_tools": row.tools,
        "supports_vision": row.vision,
        "supports_thinking": row.thinking,
    }
    return msgspec.structs.replace(
        info, **{name: value for name, value in said.items() if getattr(info, name) is None}
    )
