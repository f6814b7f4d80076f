"""The two shapes of this protocol: OpenAI's own, and Open Responses 2026-04-24."""

from turnout.model import V


class Shape(V, frozen=True, kw_only=True):
    """How answers are written.

    `raw` is the stem of the events of raw reasoning. `done` is what follows the terminal event. `prefix` is put before
    item types that the shape does not know, since extensions carry the name of who defined them.
    """

    name: str
    raw: str
    done: bytes = b""
    prefix: str = ""


OPENAI = Shape(name="openai", raw="reasoning_text")
OPEN = Shape(name="open-responses", raw="reasoning", done=b"data: [DONE]\n\n", prefix="openai:")

OPEN_ITEMS = frozenset({"message", "function_call", "function_call_output", "reasoning", "compaction"})
"""Item types of Open Responses."""
