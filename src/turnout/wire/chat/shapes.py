"""What is read of an answer and of a chunk; members that nobody names are skipped, which is what makes it fast.

Shapes: `ChatCompletion` and `ChatCompletionChunk` of openai 3.57, and what recorded providers send beside them.
Everything may be missing or null, since providers leave out what their own documents require.
"""

from typing import Any

import msgspec

from turnout.wire.json import mend

from .members import NOTHING


class FunctionShape(msgspec.Struct, gc=False):
    """Name and arguments of a call; some servers send arguments as an object."""

    name: str | None = None
    arguments: Any = None


class CustomShape(msgspec.Struct, gc=False):
    """Name and free text of a call of a custom tool."""

    name: str | None = None
    input: str | None = None


class CallShape(msgspec.Struct, gc=False):
    """A call, or in a stream a fragment of one; `index` and `type` may be missing (Mistral)."""

    index: int | None = None
    id: str | None = None
    type: str | None = None
    function: FunctionShape | None = None
    custom: CustomShape | None = None
    extra_content: msgspec.Raw = NOTHING


class AudioShape(msgspec.Struct, gc=False):
    """Sound: base64 `data`, its `transcript`, and until when it may be referred to by `id` (Unix seconds)."""

    id: str | None = None
    data: str | None = None
    transcript: str | None = None
    expires_at: msgspec.Raw = NOTHING


class MessageShape(msgspec.Struct, gc=False):
    """A message of an answer, or the delta of a chunk."""

    content: str | list[Any] | None = None
    tool_calls: list[CallShape] | None = None
    refusal: str | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    reasoning_details: Any = None
    thinking: Any = None
    annotations: Any = None
    audio: AudioShape | None = None
    images: Any = None
    function_call: FunctionShape | None = None


class ChoiceShape(msgspec.Struct, gc=False):
    """One choice; whole answers have a `message`, chunks a `delta`."""

    index: int | None = None
    delta: MessageShape | None = None
    message: MessageShape | None = None
    finish_reason: Any = None
    logprobs: msgspec.Raw = NOTHING


class GroqShape(msgspec.Struct, gc=False):
    """Where Groq puts usage when nobody asked for it."""

    usage: dict[str, Any] | None = None


class AnswerShape(msgspec.Struct, gc=False):
    """A whole answer or a chunk."""

    id: str | None = None
    created: int | float | None = None
    model: str | None = None
    choices: list[ChoiceShape] | None = None
    usage: dict[str, Any] | None = None
    error: msgspec.Raw = NOTHING
    metadata: dict[str, Any] | None = None
    service_tier: msgspec.Raw = NOTHING
    system_fingerprint: msgspec.Raw = NOTHING
    moderation: msgspec.Raw = NOTHING
    citations: msgspec.Raw = NOTHING
    search_results: msgspec.Raw = NOTHING
    x_groq: GroqShape | None = None


_ANSWER = msgspec.json.Decoder(AnswerShape)


def read_answer(data: bytes) -> AnswerShape:
    """A whole answer or a chunk; halves of surrogate pairs, which some servers cut emoji into, are mended.

    Raises:
        msgspec.DecodeError: it is neither.
        UnicodeDecodeError: it is not UTF-8, which members that are kept as they came would show only later.
        RecursionError: it is nested too deep.
    """
    if not data.isascii():
        data.decode()
    try:
        return _ANSWER.decode(data)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        return _ANSWER.decode(mend(data))


KEPT = ("service_tier", "system_fingerprint", "moderation", "citations", "search_results")
"""Members of an answer that go on to a client of this protocol."""
EMPTY = MessageShape()
