"""Messages and the tagged parts they are made of; the order of parts is meaning.

Strategy: order inside a turn, signed reasoning tied to its place, media in tool results and wire blocks that
nobody names all survive, because each is a part. Invariants that decoders establish: `ToolCall` only in assistant
messages; `ToolResult` only in `tool` messages, one message for all results that answer one assistant message, in
the order of its calls; no message without parts.
"""

from typing import Literal, TypeAlias

from .base import Cache, Extra, Json, ProtocolName, Seal, V

Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool"]


class Part(V, frozen=True, kw_only=True):
    """What all parts have in common.

    `id` is the element's own wire id, never a call id. Adjacent parts with the same `item` were one item of a
    protocol that groups parts.
    """

    id: str | None = None
    item: str | None = None
    cache: Cache | None = None
    seal: Seal | None = None
    extra: Extra | None = None


class Citation(V, frozen=True, kw_only=True):
    """A source of a stretch of text; `start` and `end` count code points of the part's text."""

    kind: str
    url: str | None = None
    title: str | None = None
    quote: str | None = None
    start: int | None = None
    end: int | None = None
    extra: Extra | None = None


class Inline(V, tag="inline", frozen=True, kw_only=True):
    """Media in the message itself; `data` is base64 exactly as sent."""

    media_type: str
    data: str


class Url(V, tag="url", frozen=True, kw_only=True):
    """Media at an absolute http(s) address (Gemini also `gs://` and `files/`); decoding never fetches it."""

    url: str
    media_type: str | None = None


class File(V, tag="file", frozen=True, kw_only=True):
    """A handle issued by `owner`; without owner it is the application's own asset."""

    ref: str
    owner: ProtocolName | None = None
    media_type: str | None = None


MediaSource: TypeAlias = Inline | Url | File


class Text(Part, tag="text", frozen=True, kw_only=True):
    """Plain text with its citations."""

    text: str
    citations: tuple[Citation, ...] = ()


class Thinking(Part, tag="thinking", frozen=True, kw_only=True):
    """Reasoning: raw `text`, or one `summary` entry per summary part; both empty with a seal is valid."""

    text: str = ""
    summary: tuple[str, ...] = ()


class Refusal(Part, tag="refusal", frozen=True, kw_only=True):
    """The model's own refusal in words."""

    text: str
    category: str | None = None


class Media(Part, tag="media", frozen=True, kw_only=True):
    """An image, sound, video or document."""

    kind: Literal["image", "audio", "video", "document"]
    source: MediaSource
    name: str | None = None
    detail: str | None = None
    transcript: str | None = None
    context: str | None = None


class ToolCall(Part, tag="tool_call", frozen=True, kw_only=True):
    """The model asks the client to run a tool.

    `arguments` is a JSON document for a function (cut only in an answer that stopped on `length`) and free text
    for a custom tool. It is never empty in a `Request` or an `Answer`.
    """

    call_id: str
    name: str
    arguments: Json = "{}"
    kind: Literal["function", "custom"] = "function"
    namespace: str | None = None


class ToolResult(Part, tag="tool_result", frozen=True, kw_only=True):
    """What running a tool gave; `parts` may hold media."""

    call_id: str
    parts: tuple["AnyPart", ...] = ()
    is_error: bool = False
    name: str | None = None
    structured: Json | None = None
    kind: Literal["function", "custom"] = "function"


class Opaque(Part, tag="opaque", frozen=True, kw_only=True):
    """A wire block that the model does not name: kept in place, sent back only to `protocol`."""

    protocol: ProtocolName
    kind: str
    body: Json


class Extension(Part, tag="extension", frozen=True, kw_only=True):
    """Application-defined content such as `ui`, `confirm` or `interrupt`."""

    name: str
    data: Json


AnyPart: TypeAlias = Text | Thinking | Refusal | Media | ToolCall | ToolResult | Opaque | Extension


class Message(V, frozen=True, kw_only=True):
    """One turn or one part of a turn; system and developer messages stay where they were said."""

    role: Role
    parts: tuple[AnyPart, ...]
    id: str | None = None
    name: str | None = None
    phase: str | None = None
    extra: Extra | None = None

    @property
    def text(self) -> str:
        """The text parts, joined by newlines."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))
