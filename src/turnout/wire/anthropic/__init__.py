"""Anthropic Messages: `CODEC` says all verbs of the protocol."""

from .codec import AnthropicCodec
from .dialect import DIALECTS, AnthropicDialect

CODEC = AnthropicCodec()

__all__ = ["CODEC", "DIALECTS", "AnthropicCodec", "AnthropicDialect"]
