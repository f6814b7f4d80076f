"""Everything a request says, but where it came from."""

from typing import Literal

from .base import Cache, Extra, Json, V
from .parts import Message


class Tool(V, frozen=True, kw_only=True):
    """A tool that the client offers; a `hosted` one is named by its wire type and kept in `extra`."""

    name: str
    description: str | None = None
    parameters: Json | None = None
    kind: Literal["function", "custom", "hosted"] = "function"
    strict: bool | None = None
    output_schema: Json | None = None
    format: Json | None = None
    namespace: str | None = None
    cache: Cache | None = None
    extra: Extra | None = None


class ToolChoice(V, frozen=True, kw_only=True):
    """Which tools may or must be called; `names` empty means any, `required` with one name means that tool."""

    mode: Literal["auto", "none", "required"]
    names: tuple[str, ...] = ()


class OutputFormat(V, frozen=True, kw_only=True):
    """The form that the answer's text must have."""

    kind: Literal["text", "json", "json_schema"]
    name: str | None = None
    schema: Json | None = None
    strict: bool | None = None
    description: str | None = None


class Reasoning(V, frozen=True, kw_only=True):
    """How much to think and what to show of it; `budget` counts tokens."""

    mode: Literal["off", "on", "adaptive"] | None = None
    effort: str | None = None
    budget: int | None = None
    show: Literal["full", "summary", "omitted"] | None = None


class Body(V, frozen=True, kw_only=True):
    """A request's content in the terms of no protocol.

    `extra` holds members that a codec recognises and the model never names. `want_usage` says whether usage is
    shown in a stream.
    """

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    tool_choice: ToolChoice | None = None
    parallel: bool | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    format: OutputFormat | None = None
    reasoning: Reasoning | None = None
    verbosity: str | None = None
    output: frozenset[Literal["text", "audio", "image"]] = frozenset({"text"})
    voice: Json | None = None
    previous: str | None = None
    conversation: str | None = None
    store: bool | None = None
    background: bool = False
    metadata: dict[str, str] = {}
    user: str | None = None
    service_tier: str | None = None
    cache: Cache | None = None
    want_usage: bool = True
    extensions: dict[str, Json] = {}
    extra: Extra | None = None
