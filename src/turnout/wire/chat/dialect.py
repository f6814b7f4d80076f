"""How providers that speak Chat Completions differ, as rows of one table.

A row says only what is known to behave otherwise; what every decoder accepts anyway (five names for reasoning,
usage in any chunk) is no row.
"""

from collections.abc import Mapping
from typing import Literal

from turnout.wire.codec import Dialect

Limit = Literal["max_completion_tokens", "max_tokens"]


class ChatDialect(Dialect, frozen=True, kw_only=True):
    """A provider's use of Chat Completions.

    `issuer` is who seals reasoning (`openai-chat:family`; seals of others are left out). `limit` is the name of the
    output limit where the client's own spelling is not known. `reasoning` is the member of a history's assistant
    message that takes reasoning text. `cache` is the spelling of cache breakpoints. `asks_usage`: usage in a stream
    is asked for with `stream_options`; else it comes unasked. `developer`: the role exists. `hides_thoughts`: tokens
    of reasoning are only in `total_tokens`.
    """

    issuer: str = "openai-chat"
    limit: Limit = "max_tokens"
    reasoning: Literal["reasoning_content", "reasoning"] | None = None
    cache: Literal["cache_control", "prompt_cache_breakpoint"] | None = None
    asks_usage: bool = True
    developer: bool = True
    hides_thoughts: bool = False


def _row(name: str, **differences: object) -> ChatDialect:
    return ChatDialect(name=name, issuer=f"openai-chat:{name}", **differences)  # pyright: ignore[reportArgumentType]


PLAIN = ChatDialect()

DIALECTS: Mapping[str, ChatDialect] = {
    row.name: row
    for row in (
        PLAIN,
        _row("openai", limit="max_completion_tokens", cache="prompt_cache_breakpoint", custom_tools=True),
        _row("azure", limit="max_completion_tokens", cache="prompt_cache_breakpoint", custom_tools=True),
        _row("openrouter", reasoning="reasoning", cache="cache_control"),
        _row("vercel", reasoning="reasoning", cache="cache_control"),
        _row("groq", limit="max_completion_tokens", reasoning="reasoning", developer=False),
        _row("cerebras", limit="max_completion_tokens", reasoning="reasoning"),
        _row("ollama", reasoning="reasoning"),
        _row("deepseek", reasoning="reasoning_content", developer=False),
        _row("moonshot", reasoning="reasoning_content", developer=False),
        _row("vllm", reasoning="reasoning_content"),
        _row("llamacpp", reasoning="reasoning_content"),
        _row("mistral", asks_usage=False, developer=False),
        _row("perplexity", asks_usage=False, developer=False),
        _row("xai", developer=False),
        _row("gemini", developer=False, hides_thoughts=True),
    )
}
