"""How providers that speak Anthropic Messages differ, and what an operator may set for one."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from turnout.wire.codec import Dialect


class AnthropicDialect(Dialect, frozen=True, kw_only=True):
    """A provider's use of Anthropic Messages.

    `version` is the `anthropic-version` that is always sent; `""` chooses by the request. `default_max_tokens` is the
    output limit of models whose own is not known, since the protocol demands one. `late_system`: instructions after
    the first turn stay in place (`keep`), or are refused.
    """

    OPTIONS: ClassVar[frozenset[str]] = frozenset({"version", "default_max_tokens", "late_system"})

    version: str = ""
    default_max_tokens: int = 4096
    late_system: Literal["keep", "refuse"] = "keep"


DIALECTS: Mapping[str, AnthropicDialect] = {"": AnthropicDialect()}
