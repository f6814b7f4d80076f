"""Requests as a server makes them from bytes, and answers of a provider in Chat Completions."""

import json
from typing import Any

from turnout.model import Body, Headers, Message, Request, Source, Text
from turnout.wire.codec import codec

CODEC = codec("openai-chat")


def incoming(body: dict[str, Any] | bytes, headers: dict[str, str] | None = None, query: str = "") -> Request:
    """A request that came as bytes, peeked at and not decoded."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = Headers.of(headers or {})
    source = Source(protocol="openai-chat", body=data, headers=given, path="/chat/completions", query=query)
    model, stream = CODEC.peek(source)
    return Request(model=model, stream=stream, source=source, decode=lambda: CODEC.decode_request(source))


def question(text: str = "hi", **fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": text}], **fields}


def asked(text: str = "hi", model: str = "m", **fields: Any) -> Request:
    """A request made by hand, without bytes."""
    return Request(
        model=model, body=Body(messages=(Message(role="user", parts=(Text(text=text),)),), **fields)
    )


def completion(text: str = "hello", **message: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 7,
        "model": "up-model",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": "tool_calls" if "tool_calls" in message else "stop",
            }
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    }


def chunk(delta: dict[str, Any], finish: str | None = None, **fields: Any) -> bytes:
    value = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 7,
        "model": "up-model",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        **fields,
    }
    return b"data: " + json.dumps(value).encode() + b"\n\n"


ROLE = chunk({"role": "assistant", "content": ""})
DONE = b"data: [DONE]\n\n"
USAGE = chunk({}, usage={"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}).replace(
    b'"choices": [{"index": 0, "delta": {}, "finish_reason": null}]', b'"choices": []'
)
STREAM = (ROLE, chunk({"content": "hel"}), chunk({"content": "lo"}), chunk({}, "stop"), USAGE, DONE)
