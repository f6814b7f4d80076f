"""The official clients of four protocols behind one face, so that one table of tests speaks for all of them.

Each is as strict as it can be. `history` is in the client's own terms: what it got is what it sends back.
"""

import base64
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import anthropic
import openai
from google import genai
from google.genai import errors, types

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
FORM = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}},
    "required": ["city", "degrees"],
    "additionalProperties": False,
}
PICTURE = "QUJD"
"""A picture, as base64."""


class Ask(NamedTuple):
    """What is asked; `history` is what was said before, `words` None where it ends with results."""

    model: str
    words: str | None
    stream: bool = False
    tools: bool = False
    think: bool = False
    picture: bool = False
    form: bool = False
    history: tuple[Any, ...] = ()


class Said(NamedTuple):
    """What was answered. `calls`: id, name, arguments. `turn`: the answer as the client sends it back."""

    text: str
    thoughts: str
    calls: tuple[tuple[str, str, Any], ...]
    stop: str
    used: tuple[int, int]
    turn: tuple[Any, ...]
    pieces: int = 1


class Refused(NamedTuple):
    """What an error says: its status, the protocol's word for it, after how many seconds to come back."""

    status: int
    word: str
    after: str | None


class Speaker(NamedTuple):
    """One client."""

    ask: Callable[[Ask], Said]
    results: Callable[[Said, str], tuple[Any, ...]]
    user: Callable[[Ask], tuple[Any, ...]]
    refused: Callable[[Exception], Refused]
    error: type[Exception]
    close: Callable[[], None]


# ---- Chat Completions ------------------------------------------------------------------------------------------------


def chat(url: str) -> Speaker:
    client = openai.OpenAI(
        base_url=f"{url}/v1", api_key="sk-client", max_retries=0, _strict_response_validation=True
    )

    def user(ask: Ask) -> tuple[Any, ...]:
        if ask.words is None:
            return ()
        link = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}}
        content = [{"type": "text", "text": ask.words}, link] if ask.picture else ask.words
        return ({"role": "user", "content": content},)

    def say(ask: Ask) -> Said:
        more: dict[str, Any] = {"reasoning_effort": "high"} if ask.think else {}
        if ask.tools:
            function = {"name": "look", "description": "Look at the weather.", "parameters": SCHEMA}
            more["tools"] = [{"type": "function", "function": function}]
        if ask.form:
            shape = {"name": "weather", "schema": FORM, "strict": True}
            more["response_format"] = {"type": "json_schema", "json_schema": shape}
        more |= {"model": ask.model, "messages": [*ask.history, *user(ask)]}
        if not ask.stream:
            return chat_said(client.chat.completions.create(**more))
        options: Any = {"include_usage": True}
        with client.chat.completions.stream(**more, stream_options=options) as stream:
            chunks = [event.chunk for event in stream if event.type == "chunk"]
            final = stream.get_final_completion()
        deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
        thoughts = "".join((delta.model_extra or {}).get("reasoning_content") or "" for delta in deltas)
        words = [delta.content for delta in deltas if delta.content]
        return chat_said(final)._replace(thoughts=thoughts, pieces=len(words))

    def results(said: Said, text: str) -> tuple[Any, ...]:
        return tuple({"role": "tool", "tool_call_id": call[0], "content": text} for call in said.calls)

    return Speaker(say, results, user, openai_refused, openai.APIError, client.close)


def chat_said(answer: Any) -> Said:
    choice, usage = answer.choices[0], answer.usage
    message = choice.message
    calls = tuple(
        (call.id, call.function.name, json.loads(call.function.arguments))
        for call in message.tool_calls or ()
    )
    thoughts = (message.model_extra or {}).get("reasoning_content") or ""
    turn = message.model_dump(exclude_none=True, exclude={"parsed"})
    for call in turn.get("tool_calls", ()):
        call["function"].pop("parsed_arguments", None)
        call.pop("index", None)
    used = (usage.prompt_tokens, usage.completion_tokens)
    return Said(message.content or "", thoughts, calls, choice.finish_reason, used, (turn,))


def openai_refused(error: Exception) -> Refused:
    assert isinstance(error, openai.APIStatusError)
    return Refused(error.status_code, str(error.type), error.response.headers.get("retry-after"))


# ---- Responses -------------------------------------------------------------------------------------------------------


def responses(url: str) -> Speaker:
    client = openai.OpenAI(
        base_url=f"{url}/v1", api_key="sk-client", max_retries=0, _strict_response_validation=True
    )

    def user(ask: Ask) -> tuple[Any, ...]:
        if ask.words is None:
            return ()
        image = {
            "type": "input_image",
            "image_url": f"data:image/png;base64,{PICTURE}",
            "detail": "auto",
        }
        content = [{"type": "input_text", "text": ask.words}, image] if ask.picture else ask.words
        return ({"role": "user", "content": content},)

    def say(ask: Ask) -> Said:
        more: dict[str, Any] = {"store": False, "include": ["reasoning.encrypted_content"]}
        if ask.think:
            more["reasoning"] = {"effort": "high", "summary": "auto"}
        if ask.tools:
            function = {"name": "look", "description": "Look at the weather.", "parameters": SCHEMA}
            more["tools"] = [{"type": "function", **function, "strict": True}]
        if ask.form:
            more["text"] = {"format": {"type": "json_schema", "name": "w", "schema": FORM, "strict": True}}
        more |= {"model": ask.model, "input": [*ask.history, *user(ask)]}
        if not ask.stream:
            return responses_said(client.responses.create(**more))
        with client.responses.stream(**more) as stream:
            events = list(stream)
            final = stream.get_final_response()
        words = [event.delta for event in events if event.type == "response.output_text.delta"]
        assert "".join(words) == final.output_text
        assert [event.sequence_number for event in events] == list(range(len(events)))
        return responses_said(final)._replace(pieces=len(words))

    def results(said: Said, text: str) -> tuple[Any, ...]:
        return tuple(
            {"type": "function_call_output", "call_id": call[0], "output": text} for call in said.calls
        )

    return Speaker(say, results, user, openai_refused, openai.APIError, client.close)


def responses_said(answer: Any) -> Said:
    thoughts = "".join(
        part.text for item in answer.output if item.type == "reasoning" for part in item.summary
    )
    calls = tuple(
        (item.call_id, item.name, json.loads(item.arguments))
        for item in answer.output
        if item.type == "function_call"
    )
    turn = tuple(
        item.model_dump(exclude_none=True, exclude={"parsed_arguments"}, warnings=False)
        for item in answer.output
    )
    used = (answer.usage.input_tokens, answer.usage.output_tokens)
    return Said(answer.output_text, thoughts, calls, answer.status, used, turn)


# ---- Anthropic Messages ----------------------------------------------------------------------------------------------


def claude(url: str) -> Speaker:
    client = anthropic.Anthropic(
        base_url=url, api_key="sk-client", max_retries=0, _strict_response_validation=True
    )

    def user(ask: Ask) -> tuple[Any, ...]:
        if ask.words is None:
            return ()
        source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
        image = {"type": "image", "source": source}
        content = [{"type": "text", "text": ask.words}, image] if ask.picture else ask.words
        return ({"role": "user", "content": content},)

    def say(ask: Ask) -> Said:
        more: dict[str, Any] = {"max_tokens": 4_000}
        if ask.think:
            more["thinking"] = {"type": "enabled", "budget_tokens": 2_000}
        if ask.tools:
            more["tools"] = [{"name": "look", "description": "Look at the weather.", "input_schema": SCHEMA}]
        if ask.form:
            more["output_config"] = {"format": {"type": "json_schema", "schema": FORM}}
        more |= {"model": ask.model, "messages": [*ask.history, *user(ask)]}
        if not ask.stream:
            return claude_said(client.messages.create(**more))
        with client.messages.stream(**more) as stream:
            words = [event.text for event in stream if event.type == "text"]
            return claude_said(stream.get_final_message())._replace(pieces=len(words))

    def results(said: Said, text: str) -> tuple[Any, ...]:
        blocks = [{"type": "tool_result", "tool_use_id": call[0], "content": text} for call in said.calls]
        return ({"role": "user", "content": blocks},)

    return Speaker(say, results, user, claude_refused, anthropic.APIError, client.close)


def claude_said(answer: Any) -> Said:
    blocks = answer.content
    text = "".join(block.text for block in blocks if block.type == "text")
    thoughts = "".join(block.thinking for block in blocks if block.type == "thinking")
    calls = tuple((block.id, block.name, block.input) for block in blocks if block.type == "tool_use")
    content = [block.model_dump(exclude_none=True, exclude={"parsed_output"}) for block in blocks]
    used = (answer.usage.input_tokens, answer.usage.output_tokens)
    turn = ({"role": "assistant", "content": content},)
    return Said(text, thoughts, calls, str(answer.stop_reason), used, turn)


def claude_refused(error: Exception) -> Refused:
    assert isinstance(error, anthropic.APIStatusError)
    body: Any = error.body
    assert body["type"] == "error"
    return Refused(error.status_code, body["error"]["type"], error.response.headers.get("retry-after"))


# ---- Gemini ----------------------------------------------------------------------------------------------------------


def gemini(url: str) -> Speaker:
    client = genai.Client(api_key="client-key", http_options=types.HttpOptions(base_url=url))

    def user(ask: Ask) -> tuple[Any, ...]:
        if ask.words is None:
            return ()
        parts = [types.Part(text=ask.words)]
        if ask.picture:
            parts.append(types.Part.from_bytes(data=base64.b64decode(PICTURE), mime_type="image/png"))
        return (types.Content(role="user", parts=parts),)

    def say(ask: Ask) -> Said:
        config = types.GenerateContentConfig()
        config.automatic_function_calling = types.AutomaticFunctionCallingConfig(disable=True)
        if ask.think:
            config.thinking_config = types.ThinkingConfig(
                include_thoughts=True, thinking_level=types.ThinkingLevel.HIGH
            )
        if ask.tools:
            look = types.FunctionDeclaration(
                name="look", description="Look at the weather.", parameters_json_schema=SCHEMA
            )
            config.tools = [types.Tool(function_declarations=[look])]
        if ask.form:
            config.response_mime_type, config.response_json_schema = "application/json", FORM
        more: dict[str, Any] = {
            "model": ask.model,
            "contents": [*ask.history, *user(ask)],
            "config": config,
        }
        if not ask.stream:
            return gemini_said([client.models.generate_content(**more)])
        return gemini_said(list(client.models.generate_content_stream(**more)))

    def results(said: Said, text: str) -> tuple[Any, ...]:
        parts = [
            types.Part(
                function_response=types.FunctionResponse(id=call[0], name=call[1], response={"output": text})
            )
            for call in said.calls
        ]
        return (types.Content(role="user", parts=parts),)

    return Speaker(say, results, user, gemini_refused, errors.APIError, client.close)


def gemini_said(chunks: list[Any]) -> Said:
    candidates = [chunk.candidates[0] for chunk in chunks if chunk.candidates]
    parts = [part for each in candidates if each.content for part in each.content.parts or ()]
    words = [part.text for part in parts if part.text and not part.thought]
    thoughts = "".join(part.text for part in parts if part.text and part.thought)
    calls = tuple(
        (part.function_call.id, part.function_call.name, part.function_call.args)
        for part in parts
        if part.function_call
    )
    usage, reason = chunks[-1].usage_metadata, candidates[-1].finish_reason
    output = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
    turn = (types.Content(role="model", parts=parts),)
    stop = reason.value if reason else "cut"
    return Said("".join(words), thoughts, calls, stop, (usage.prompt_token_count, output), turn, len(words))


def gemini_refused(error: Exception) -> Refused:
    assert isinstance(error, errors.APIError)
    response: Any = error.response
    return Refused(error.code, str(error.status), response.headers.get("retry-after"))


SPEAKERS: dict[str, Callable[[str], Speaker]] = {
    "openai-chat": chat,
    "openai-responses": responses,
    "anthropic-messages": claude,
    "gemini": gemini,
}
