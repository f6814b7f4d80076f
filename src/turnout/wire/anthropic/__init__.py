"""Anthropic Messages: `CODEC` says all verbs of the protocol."""

from turnout.wire.codec import Codec

from .codec import AnthropicCodec
from .dialect import DIALECTS, AnthropicDialect

CODEC: Codec = AnthropicCodec()

__all__ = ["CODEC", "DIALECTS", "AnthropicCodec", "AnthropicDialect"]
