"""OpenAI Responses, both directions, and Open Responses 2026-04-24 as a second shape of the same codec."""

from .codec import ResponsesCodec
from .shapes import OPEN, OPENAI
from .stored import body, deleted, input_items, page, streamed

CODEC = ResponsesCodec(OPENAI)
OPEN_CODEC = ResponsesCodec(OPEN)

__all__ = ["CODEC", "OPEN_CODEC", "ResponsesCodec", "body", "deleted", "input_items", "page", "streamed"]
