"""OpenAI Chat Completions: `CODEC` says all verbs of the protocol; the typed view is for applications.

The typed view loses nothing and needs neither network nor server:

>>> from turnout.wire import chat
>>> request = chat.decode_request(body, headers)
>>> request.last_message.text
'What is on this picture?'
>>> shorter = request.replace(messages=request.messages[-1:])
>>> builder = chat.ChatCompletionBuilder.answering(request, id="chatcmpl-1", created=1_790_000_000)
>>> reply = chat.respond(request, builder.build_text("A cat."))

It is loaded when it is first named, since relaying never needs it.
"""

import importlib
from typing import TYPE_CHECKING, Any

from .codec import ChatCodec
from .dialect import DIALECTS, ChatDialect

if TYPE_CHECKING:
    from .builders import ChatCompletionBuilder, pieces_of
    from .replies import respond
    from .view import ChatObject, Form
    from .view_answer import (
        ChatCompletion,
        ChatCompletionChoice,
        ChatCompletionChunk,
        ChatCompletionChunkChoice,
        ChatCompletionDelta,
        ChatFinishReason,
        ChatPromptTokensDetails,
        ChatUsage,
        FunctionCallDelta,
        ToolCallDelta,
    )
    from .view_message import (
        ChatCacheControl,
        ChatContent,
        ChatContentPart,
        ChatFunction,
        ChatFunctionCall,
        ChatImageURL,
        ChatMessage,
        ChatRole,
        ChatTool,
        ChatToolCall,
    )
    from .view_request import ChatCompletionRequest, ChatStreamOptions, decode_request

CODEC = ChatCodec()

_VIEW = {
    "builders": ("ChatCompletionBuilder", "pieces_of"),
    "replies": ("respond",),
    "view": ("ChatObject", "Form"),
    "view_answer": (
        "ChatCompletion",
        "ChatCompletionChoice",
        "ChatCompletionChunk",
        "ChatCompletionChunkChoice",
        "ChatCompletionDelta",
        "ChatFinishReason",
        "ChatPromptTokensDetails",
        "ChatUsage",
        "FunctionCallDelta",
        "ToolCallDelta",
    ),
    "view_message": (
        "ChatCacheControl",
        "ChatContent",
        "ChatContentPart",
        "ChatFunction",
        "ChatFunctionCall",
        "ChatImageURL",
        "ChatMessage",
        "ChatRole",
        "ChatTool",
        "ChatToolCall",
    ),
    "view_request": ("ChatCompletionRequest", "ChatStreamOptions", "decode_request"),
}
_ROOM_OF = {name: room for room, names in _VIEW.items() for name in names}


def __getattr__(name: str) -> Any:
    room = _ROOM_OF.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{room}"), name)
    globals()[name] = value
    return value


__all__ = [
    "CODEC",
    "DIALECTS",
    "ChatCacheControl",
    "ChatCodec",
    "ChatCompletion",
    "ChatCompletionBuilder",
    "ChatCompletionChoice",
    "ChatCompletionChunk",
    "ChatCompletionChunkChoice",
    "ChatCompletionDelta",
    "ChatCompletionRequest",
    "ChatContent",
    "ChatContentPart",
    "ChatDialect",
    "ChatFinishReason",
    "ChatFunction",
    "ChatFunctionCall",
    "ChatImageURL",
    "ChatMessage",
    "ChatObject",
    "ChatPromptTokensDetails",
    "ChatRole",
    "ChatStreamOptions",
    "ChatTool",
    "ChatToolCall",
    "ChatUsage",
    "Form",
    "FunctionCallDelta",
    "ToolCallDelta",
    "decode_request",
    "pieces_of",
    "respond",
]
