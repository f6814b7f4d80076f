"""A plain converter from the four wire formats to `Body`: only what the reader of utterances looks at.

It is made for recorded requests, needs no codec, and keeps messages, parts and tools in their order.
"""

import json
from typing import Any

from turnout.model import (
    AnyPart,
    Body,
    Inline,
    Media,
    Message,
    Opaque,
    OutputFormat,
    Role,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
)

Json = dict[str, Any]


def body_of(path: str, body: Json) -> Body | None:
    """The request as a `Body`, None if this endpoint is not one that answers a conversation."""
    path = path.partition("?")[0].rstrip("/")
    if path.endswith("/chat/completions"):
        return chat(body)
    if path.endswith("/v1/messages"):
        return anthropic(body)
    if path.endswith("/v1/responses"):
        return responses(body)
    if path.endswith((":generateContent", ":streamGenerateContent")):
        return gemini(body)
    return None


def chat(body: Json) -> Body:
    messages = [_chat_message(message) for message in body["messages"]]
    choice = body.get("tool_choice")
    return Body(
        messages=tuple(messages),
        tools=_tools([tool.get(tool.get("type", "function"), tool) for tool in body.get("tools") or []]),
        tool_choice=_choice(choice if isinstance(choice, str) else (choice or {}).get("function", choice)),
        max_tokens=body.get("max_completion_tokens") or body.get("max_tokens"),
        format=_format((body.get("response_format") or {}).get("type")),
    )


def _chat_message(message: Json) -> Message:
    if message["role"] == "tool":
        parts = _content(message["content"], "openai-chat")
        return Message(role="tool", parts=(ToolResult(call_id=message["tool_call_id"], parts=parts),))
    calls = tuple(
        ToolCall(call_id=call["id"], name=call["function"]["name"], arguments=call["function"]["arguments"])
        for call in message.get("tool_calls") or []
    )
    content = message.get("content")
    parts = () if calls and not content else _content(content or "", "openai-chat")
    return Message(role=message["role"], parts=parts + calls, name=message.get("name"))


def anthropic(body: Json) -> Body:
    messages: list[Message] = []
    if body.get("system"):
        messages.append(Message(role="system", parts=_content(body["system"], "anthropic-messages")))
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        results = [part for part in parts if part["type"] == "tool_result"]
        if results:
            made = (ToolResult(call_id=part["tool_use_id"]) for part in results)
            messages.append(Message(role="tool", parts=tuple(made)))
        rest = [part for part in parts if part["type"] != "tool_result"]
        if rest:
            messages.append(Message(role=message["role"], parts=_content(rest, "anthropic-messages")))
    choice: Json = body.get("tool_choice") or {}
    forced: list[str] | None = {"tool": [choice.get("name", "")], "any": []}.get(choice.get("type", ""))
    return Body(
        messages=tuple(messages),
        tools=_tools(body.get("tools") or []),
        tool_choice=None if forced is None else ToolChoice(mode="required", names=tuple(forced)),
        max_tokens=body.get("max_tokens"),
        format=_format(((body.get("output_config") or {}).get("format") or {}).get("type")),
    )


def responses(body: Json) -> Body:
    messages: list[Message] = []
    if body.get("instructions"):
        messages.append(Message(role="system", parts=(Text(text=body["instructions"]),)))
    items = body["input"]
    messages.extend(map(_item, [{"role": "user", "content": items}] if isinstance(items, str) else items))
    return Body(
        messages=tuple(messages),
        tools=_tools(body.get("tools") or []),
        tool_choice=_choice(body.get("tool_choice")),
        max_tokens=body.get("max_output_tokens"),
        format=_format(((body.get("text") or {}).get("format") or {}).get("type")),
        background=body.get("background") or False,
    )


def _item(item: Json) -> Message:
    match item.get("type", "message"):
        case "message":
            return Message(role=item["role"], parts=_content(item["content"], "openai-responses"))
        case "reasoning":
            return Message(role="assistant", parts=(Thinking(),))
        case "function_call":
            call = ToolCall(call_id=item["call_id"], name=item["name"], arguments=item["arguments"])
            return Message(role="assistant", parts=(call,))
        case "function_call_output":
            return Message(role="tool", parts=(ToolResult(call_id=item["call_id"]),))
        case kind:
            part = Opaque(protocol="openai-responses", kind=kind, body=json.dumps(item))
            return Message(role="user", parts=(part,))


def gemini(body: Json) -> Body:
    messages: list[Message] = []
    system = body.get("systemInstruction")
    if system:
        messages.append(Message(role="system", parts=_content(system["parts"], "gemini")))
    for content in body["contents"]:
        role: Role = "assistant" if content.get("role") == "model" else "user"
        results = [part for part in content["parts"] if "functionResponse" in part]
        if results:
            made = (ToolResult(call_id=part["functionResponse"]["name"]) for part in results)
            messages.append(Message(role="tool", parts=tuple(made)))
        rest = [part for part in content["parts"] if "functionResponse" not in part]
        if rest:
            messages.append(Message(role=role, parts=_content(rest, "gemini")))
    config = body.get("generationConfig") or {}
    mode = ((body.get("toolConfig") or {}).get("functionCallingConfig") or {}).get("mode")
    declared = [
        one for tool in body.get("tools") or [] for one in tool.get("functionDeclarations") or [{"name": "x"}]
    ]
    return Body(
        messages=tuple(messages),
        tools=_tools(declared),
        tool_choice=ToolChoice(mode="required") if mode == "ANY" else None,
        max_tokens=config.get("maxOutputTokens"),
        format=_format("json" if config.get("responseMimeType") == "application/json" else None),
    )


def _content(content: Any, protocol: Any) -> tuple[AnyPart, ...]:
    if isinstance(content, str):
        return (Text(text=content),)
    return tuple(_part(part, protocol) for part in content)


def _part(part: Json, protocol: Any) -> AnyPart:
    kind = part.get("type", "")
    if "text" in part and kind in ("", "text", "input_text", "output_text"):
        return Text(text=part["text"])
    if kind == "thinking":
        return Thinking(text=part["thinking"])
    if kind == "tool_use":
        return ToolCall(call_id=part["id"], name=part["name"], arguments=json.dumps(part["input"]))
    if "functionCall" in part:
        return ToolCall(call_id=part["functionCall"]["name"], name=part["functionCall"]["name"])
    if "inlineData" in part or kind in ("image", "image_url", "input_image"):
        return Media(kind="image", source=Inline(media_type="image/png", data=""))
    return Opaque(protocol=protocol, kind=kind, body=json.dumps(part))


def _tools(tools: list[Json]) -> tuple[Tool, ...]:
    return tuple(Tool(name=tool.get("name") or tool.get("type") or "tool") for tool in tools)


def _choice(choice: Any) -> ToolChoice | None:
    if choice in ("auto", "none", "required"):
        return ToolChoice(mode=choice)
    if isinstance(choice, dict) and "name" in choice:
        return ToolChoice(mode="required", names=(choice["name"],))
    return None


def _format(kind: str | None) -> OutputFormat | None:
    return OutputFormat(kind="json") if kind and kind != "text" else None
