"""How the demo's client speaks each protocol: what it sends and where it finds the reply's words.

Written by hand on the wire's own terms, so that the demo shows what any client sees.
"""

import json
from collections.abc import Callable
from typing import Any

from turnout.model import V


class Said(V, frozen=True, kw_only=True):
    """A turn of the conversation; `tool` is the assistant's call of a tool of the client, and its result."""

    role: str
    text: str = ""
    tool: bool = False


class Speaker(V, frozen=True, kw_only=True):
    """One protocol: its path, its body, and the words in a whole and in a streamed reply.

    `stream_path` is that of streams where they have one of their own.
    """

    protocol: str
    path: str
    stream_path: str = ""
    body: Callable[[tuple[Said, ...], bool], dict[str, Any]]
    whole: Callable[[Any], str]
    event: Callable[[Any], str]
    headers: dict[str, str] = {}

    def words(self, data: str, stream: bool) -> str:
        """The reply's words."""
        if not stream:
            return self.whole(json.loads(data))
        lines = (line.removeprefix("data: ") for line in data.splitlines() if line.startswith("data: {"))
        return "".join(self.event(json.loads(line)) for line in lines)


def _chat_messages(said: Said) -> list[dict[str, Any]]:
    if not said.tool:
        return [{"role": said.role, "content": said.text}]
    function = {"name": "read_file", "arguments": '{"path":"a.txt"}'}
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": said.text},
    ]


def _chat_body(turns: tuple[Said, ...], stream: bool) -> dict[str, Any]:
    messages = [message for said in turns for message in _chat_messages(said)]
    return {"model": "demo", "messages": messages, "stream": stream}


def _chat_whole(answer: Any) -> str:
    return answer["choices"][0]["message"]["content"]


def _chat_event(chunk: Any) -> str:
    return "".join(choice["delta"].get("content") or "" for choice in chunk["choices"])


def _messages_content(said: Said) -> list[dict[str, Any]]:
    if not said.tool:
        return [{"role": said.role, "content": said.text}]
    call = {"type": "tool_use", "id": "c1", "name": "read_file", "input": {"path": "a.txt"}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": said.text}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def _messages_body(turns: tuple[Said, ...], stream: bool) -> dict[str, Any]:
    messages = [message for said in turns for message in _messages_content(said)]
    return {"model": "demo", "max_tokens": 500, "messages": messages, "stream": stream}


def _messages_whole(answer: Any) -> str:
    return "".join(block["text"] for block in answer["content"] if block["type"] == "text")


def _messages_event(event: Any) -> str:
    return event.get("delta", {}).get("text", "")


def _responses_items(said: Said) -> list[dict[str, Any]]:
    if not said.tool:
        return [{"role": said.role, "content": said.text}]
    return [
        {"type": "function_call", "call_id": "c1", "name": "read_file", "arguments": '{"path":"a.txt"}'},
        {"type": "function_call_output", "call_id": "c1", "output": said.text},
    ]


def _responses_body(turns: tuple[Said, ...], stream: bool) -> dict[str, Any]:
    items = [item for said in turns for item in _responses_items(said)]
    return {"model": "demo", "input": items, "store": False, "stream": stream}


def _responses_whole(response: Any) -> str:
    messages = (item["content"] for item in response["output"] if item["type"] == "message")
    return "".join(part["text"] for content in messages for part in content)


def _responses_event(event: Any) -> str:
    return event["delta"] if event["type"] == "response.output_text.delta" else ""


def _gemini_content(said: Said) -> list[dict[str, Any]]:
    if not said.tool:
        return [{"role": "user" if said.role == "user" else "model", "parts": [{"text": said.text}]}]
    call = {"functionCall": {"name": "read_file", "args": {"path": "a.txt"}}}
    result = {"functionResponse": {"name": "read_file", "response": {"output": said.text}}}
    return [{"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}]


def _gemini_body(turns: tuple[Said, ...], _stream: bool) -> dict[str, Any]:
    return {"contents": [content for said in turns for content in _gemini_content(said)]}


def _gemini_words(answer: Any) -> str:
    parts = (part for candidate in answer["candidates"] for part in candidate["content"]["parts"])
    return "".join(part.get("text", "") for part in parts)


SPEAKERS = (
    Speaker(
        protocol="openai-chat",
        path="/v1/chat/completions",
        body=_chat_body,
        whole=_chat_whole,
        event=_chat_event,
    ),
    Speaker(
        protocol="openai-responses",
        path="/v1/responses",
        body=_responses_body,
        whole=_responses_whole,
        event=_responses_event,
    ),
    Speaker(
        protocol="anthropic-messages",
        path="/v1/messages",
        body=_messages_body,
        whole=_messages_whole,
        event=_messages_event,
        headers={"anthropic-version": "2023-06-01"},
    ),
    Speaker(
        protocol="gemini",
        path="/v1beta/models/demo:generateContent",
        stream_path="/v1beta/models/demo:streamGenerateContent?alt=sse",
        body=_gemini_body,
        whole=_gemini_words,
        event=_gemini_words,
    ),
)
"""The protocols that the demo's client speaks, in the order of the tour."""
