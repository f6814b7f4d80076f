"""A completion as the answer of a step: one JSON body, or a stream if the request asked for one."""

from collections.abc import AsyncIterator

import msgspec

from turnout.model import Decoder, Headers, Reply
from turnout.model.errors import BadOutput
from turnout.wire import sse
from turnout.wire.codec import codec

from .builders import pieces_of
from .view_answer import ChatCompletion, ChatCompletionChunk
from .view_request import ChatCompletionRequest

JSON_HEADERS = Headers.of({"content-type": "application/json"})
STREAM_HEADERS = Headers.of({"content-type": "text/event-stream"})
DONE = sse.write(b"[DONE]")
"""The event that ends a stream."""


def respond(request: ChatCompletionRequest, completion: ChatCompletion) -> Reply:
    """The reply that answers `request` with `completion`: as it is, or streamed if the request asked for that.

    A stream ends with the usage if the request asked for it and the completion has one.

    >>> @plane.step
    ... async def greet(request, next):
    ...     asked = ChatCompletionRequest.decode(request.source.body)
    ...     if asked.last_message.text != "hello":
    ...         return await next(request)
    ...     builder = ChatCompletionBuilder.answering(asked, id=new_id(), created=now())
    ...     return respond(asked, builder.build_text("Hello!"))

    Raises:
        BadOutput: the completion cannot be written as JSON; then there is no reply.
        Unsupported: its content cannot be streamed.
    """
    if not request.stream:
        data = encoded(completion)
        return Reply.relayed(200, JSON_HEADERS, _once(data), "openai-chat", _whole_decoder, length=len(data))
    pieces = [event(chunk) for chunk in pieces_of(completion, want_usage=request.usage_requested)]
    return Reply.relayed(200, STREAM_HEADERS, _once(b"".join((*pieces, DONE))), "openai-chat", stream_decoder)


def encoded(value: ChatCompletion | ChatCompletionChunk) -> bytes:
    """The JSON of an answer, checked, since its members may be text that an application wrote.

    Raises:
        BadOutput: it is not JSON.
    """
    try:
        data = value.encode()
        msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise BadOutput("the answer cannot be written as JSON") from error
    return data


def event(chunk: ChatCompletionChunk) -> bytes:
    """A chunk as an event of a stream.

    Raises:
        BadOutput: it cannot be written as JSON.
    """
    return sse.write(encoded(chunk))


def stream_decoder() -> Decoder:
    """What reads such a stream back as events of the model."""
    chat = codec("openai-chat")
    return chat.stream_decoder(chat.dialects[""])


def _whole_decoder() -> Decoder:
    chat = codec("openai-chat")
    return chat.whole_decoder(chat.dialects[""])


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data
