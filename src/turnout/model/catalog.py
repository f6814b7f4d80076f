"""What is known of an agent or of a provider's model."""

from typing import Any

from .base import V


class Info(V, frozen=True, kw_only=True):
    """What an application-owned agent can do; `created` is in Unix seconds.

    `reasoning` names the member that shows its thoughts where a protocol has no place of its own for them.
    `unlimited` is what answers with means of its own, a provider: what it takes is its own matter, nothing is checked.
    """

    input: frozenset[str] = frozenset({"text"})
    output: frozenset[str] = frozenset({"text"})
    tools: bool = False
    client_tools: bool = False
    image_generation: bool = False
    continuation: bool = False
    extensions: dict[str, Any] = {}
    description: str = ""
    tool: str = ""
    created: int = 0
    owned_by: str = ""
    reasoning: str = ""
    unlimited: bool = False


class ModelInfo(V, frozen=True, kw_only=True):
    """A provider's model; sizes in tokens, `None` where the provider does not say."""

    id: str
    context_window: int | None = None
    max_tokens: int | None = None
    supports_tools: bool | None = None
    supports_vision: bool | None = None
    supports_thinking: bool | None = None
    created: int = 0
    owned_by: str = ""
