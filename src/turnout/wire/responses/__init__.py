"""OpenAI Responses, both directions, and Open Responses 2026-04-24 as a second shape of the same codec."""

from .codec import ResponsesCodec
from .shapes import OPEN, OPENAI

CODEC = ResponsesCodec(OPENAI)
OPEN_CODEC = ResponsesCodec(OPEN)

__all__ = ["CODEC", "OPEN_CODEC", "ResponsesCodec"]
