"""Google's Gemini API (`generateContent`), both directions; also Vertex AI's, which has the same bodies."""

from .codec import GeminiCodec

CODEC = GeminiCodec()

__all__ = ["CODEC", "GeminiCodec"]
