"""Chat Completions requests, answers and streams, generated as plain JSON values.

They are made from the protocol's field list alone, without a line of the codec, and hold nulls, unknown members and
every spelling that a client or provider may choose.
"""

import json
from typing import Any

from hypothesis import strategies as st

texts = st.text(max_size=12)
words = st.text(alphabet="abcxyz019_-", min_size=1, max_size=8)
unknown = st.dictionaries(
    st.sampled_from(["x_one", "~x", "ünknown"]),
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | texts | st.lists(texts, max_size=2),
    max_size=2,
)
caches = st.sampled_from([None, {"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}])
breakpoints = st.sampled_from([None, {"mode": "explicit"}, {"mode": "explicit", "ttl": "30m"}])
arguments = st.sampled_from(["{}", '{"a": 1.50}', '{"é":"\\u00e9"}', "", '{"cut":'])
urls = st.sampled_from(["https://example.test/a.png", "data:image/png;base64,AAAA", "data:,plain"])


def objects(required: dict[str, Any], /, **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have all of `required`, any of `optional`, and perhaps members that nobody knows."""
    known = st.fixed_dictionaries(required, optional=optional)
    return st.builds(lambda rest, body: {**rest, **body}, unknown, known)


text_parts = objects(
    {"type": st.just("text"), "text": texts}, cache_control=caches, prompt_cache_breakpoint=breakpoints
)
image_parts = objects(
    {
        "type": st.just("image_url"),
        "image_url": objects({"url": urls}, detail=st.sampled_from(["low", None])),
    },
    prompt_cache_breakpoint=breakpoints,
)
audio_parts = objects(
    {
        "type": st.just("input_audio"),
        "input_audio": objects({"data": st.just("AAAA"), "format": st.sampled_from(["wav", "mp3", "flac"])}),
    }
)
file_parts = objects(
    {
        "type": st.just("file"),
        "file": objects({"file_id": words}) | objects({"file_data": urls}, filename=texts) | unknown,
    }
)
strange_parts = objects({"type": st.sampled_from(["video_url", "hologram"])}) | st.just(
    {"type": "image_url", "image_url": "https://example.test/short"}
)
thinking_parts = objects(
    {
        "type": st.just("thinking"),
        "thinking": texts | st.lists(objects({"type": st.just("text"), "text": texts})),
    }
)
user_parts = text_parts | image_parts | audio_parts | file_parts | strange_parts
user_content = texts | st.lists(user_parts, max_size=3) | st.none()

function_calls = objects(
    {"id": words, "type": st.just("function"), "function": objects({"name": words, "arguments": arguments})},
    cache_control=caches,
    extra_content=st.just({"google": {"thought_signature": "c2ln"}}),
)
custom_calls = objects(
    {"id": words, "type": st.just("custom"), "custom": objects({"name": words, "input": texts})}
)
strange_calls = objects({"id": words, "type": st.just("teleport")})
details = st.lists(
    objects({"type": st.just("reasoning.text"), "text": texts}, signature=texts, index=st.integers(0, 2)),
    max_size=2,
)
assistant = objects(
    {"role": st.just("assistant")},
    content=texts
    | st.none()
    | st.lists(
        text_parts | thinking_parts | objects({"type": st.just("refusal"), "refusal": texts}), max_size=3
    ),
    refusal=texts | st.none(),
    name=words,
    reasoning_content=texts | st.none(),
    reasoning=texts | st.none(),
    reasoning_details=details,
    thinking=texts,
    audio=objects({"id": words}) | st.none(),
    tool_calls=st.lists(function_calls | custom_calls | strange_calls, max_size=3) | st.none(),
    function_call=objects({"name": words, "arguments": arguments}) | st.none(),
    cache_control=caches,
    prefix=st.booleans(),
)
plain_messages = objects(
    {"role": st.sampled_from(["user", "system", "developer"])},
    content=user_content,
    name=words | st.none(),
    cache_control=caches,
)
tool_content = texts | st.none() | st.lists(text_parts | image_parts, max_size=2)
tool_messages = objects(
    {"role": st.just("tool"), "tool_call_id": words}, content=tool_content, name=words, cache_control=caches
) | objects({"role": st.just("function"), "name": words}, content=tool_content)


@st.composite
def conversations(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Messages in which some results answer calls that were made, in any order, and others answer none."""
    messages: list[dict[str, Any]] = []
    for message in draw(st.lists(plain_messages | assistant | tool_messages, min_size=1, max_size=4)):
        messages.append(message)
        ids = [call["id"] for call in message.get("tool_calls") or ()]
        if ids and draw(st.booleans()):
            for ref in draw(st.permutations(ids)):
                messages.append({"role": "tool", "tool_call_id": ref, "content": draw(tool_content)})
                if draw(st.booleans()):
                    messages.append(draw(plain_messages))
    return messages


schemas = st.sampled_from([{"type": "object"}, {"type": "object", "properties": {"n": {"const": 1}}}])
functions = objects({"name": words}, description=texts | st.none(), parameters=schemas, strict=st.booleans())
tools = (
    objects({"type": st.just("function"), "function": functions}, cache_control=caches)
    | objects({"function": functions})
    | objects(
        {"type": st.just("custom"), "custom": objects({"name": words}, format=st.just({"type": "text"}))}
    )
    | objects({"type": st.just("openrouter:web_search")}, parameters=schemas)
)
choices = (
    st.sampled_from(["auto", "none", "required", "any", None])
    | words.map(lambda name: {"type": "function", "function": {"name": name}})
    | words.map(lambda name: {"type": "custom", "custom": {"name": name}})
    | st.lists(words, max_size=2).map(
        lambda names: {
            "type": "allowed_tools",
            "allowed_tools": {
                "mode": "auto",
                "tools": [{"type": "function", "function": {"name": name}} for name in names],
            },
        }
    )
)
formats = (
    st.sampled_from(
        [None, {"type": "text"}, {"type": "json_object"}, {"type": "grammar", "grammar": "x"}, "json"]
    )
    | st.just({"type": "json_object", "schema": {"type": "object"}})
    | objects(
        {
            "type": st.just("json_schema"),
            "json_schema": objects({}, name=words, schema=schemas, strict=st.booleans(), description=texts),
        }
    )
)
numbers = st.none() | st.integers(0, 2) | st.floats(0, 2)
bodies = objects(
    {"model": words, "messages": conversations()},
    stream=st.booleans(),
    stream_options=st.none()
    | objects({}, include_usage=st.booleans() | st.none(), include_obfuscation=st.booleans()),
    temperature=numbers,
    top_p=numbers,
    presence_penalty=numbers,
    frequency_penalty=numbers,
    seed=st.none() | st.integers(),
    max_tokens=st.none() | st.integers(1, 9),
    max_completion_tokens=st.none() | st.integers(1, 9),
    stop=st.none() | texts | st.lists(texts, max_size=3),
    reasoning_effort=st.sampled_from(["none", "low", "max", None]),
    verbosity=st.sampled_from(["low", None]),
    parallel_tool_calls=st.booleans(),
    store=st.booleans() | st.none(),
    metadata=st.none() | st.dictionaries(words, texts, max_size=2),
    user=st.none() | words,
    safety_identifier=st.none() | words,
    service_tier=st.sampled_from(["auto", "flex", None]),
    modalities=st.sampled_from([["text"], ["text", "audio"], ["smell"], [], None]),
    audio=st.sampled_from([None, {"voice": "alloy", "format": "wav"}]),
    n=st.sampled_from([1, 2, None]),
    logprobs=st.booleans(),
    top_logprobs=st.sampled_from([0, 3]),
    logit_bias=st.sampled_from([{}, {"50256": -100}]),
    prediction=st.just({"type": "content", "content": "x"}),
    web_search_options=st.just({}),
    prompt_cache_key=words,
    top_k=st.integers(1, 9),
    tools=st.none() | st.lists(tools, max_size=2),
    tool_choice=choices,
    response_format=formats,
)


# ---- answers -----------------------------------------------------------------------------------------------------

usages = st.none() | st.fixed_dictionaries(
    {"prompt_tokens": st.integers(0, 99), "completion_tokens": st.integers(0, 99)},
    optional={
        "total_tokens": st.integers(0, 300),
        "prompt_tokens_details": st.none()
        | st.fixed_dictionaries(
            {}, optional={"cached_tokens": st.integers(0, 50), "cache_write_tokens": st.integers(0, 9)}
        ),
        "completion_tokens_details": st.none()
        | st.fixed_dictionaries({}, optional={"reasoning_tokens": st.integers(0, 9)}),
    },
)
annotations = st.lists(
    st.fixed_dictionaries(
        {
            "type": st.just("url_citation"),
            "url_citation": st.fixed_dictionaries(
                {
                    "url": urls,
                    "title": texts,
                    "start_index": st.integers(0, 9),
                    "end_index": st.integers(0, 9),
                }
            ),
        }
    )
    | st.just({"type": "place", "where": {"x": 1}}),
    max_size=2,
)
full = texts.filter(bool)
reasons = st.sampled_from(["stop", "length", "tool_calls", "content_filter", "eos", "", None, "because"])


@st.composite
def answers(draw: st.DrawFn) -> dict[str, Any]:
    """Whole answers of one choice, as providers send them."""
    message: dict[str, Any] = {"role": "assistant"}
    optional: dict[str, Any] = {
        "content": texts | st.none(),
        "refusal": texts | st.none(),
        "reasoning_content": texts | st.none(),
        "reasoning": texts,
        "reasoning_details": details,
        "annotations": annotations,
        "audio": st.none() | st.just({"id": "audio_1", "data": "AAAA", "transcript": "hi", "expires_at": 9}),
        "tool_calls": st.none()
        | st.lists(
            st.fixed_dictionaries(
                {"function": st.fixed_dictionaries({"name": full, "arguments": arguments | st.none()})},
                optional={
                    "id": words | st.none(),
                    "type": st.just("function"),
                    "extra_content": st.just({"google": {"thought_signature": "c2ln"}}),
                },
            ),
            max_size=2,
        ),
        "function_call": st.none() | st.fixed_dictionaries({"name": full, "arguments": arguments}),
    }
    message.update(draw(st.fixed_dictionaries({}, optional=optional)))
    if draw(st.integers(0, 5)) == 0:
        # Who lists thoughts in the content spells them nowhere else.
        for name in ("reasoning_content", "reasoning", "reasoning_details"):
            message.pop(name, None)
        message["content"] = draw(
            st.lists(
                st.fixed_dictionaries({"type": st.just("text"), "text": texts})
                | st.fixed_dictionaries({"type": st.just("thinking"), "thinking": texts})
                | st.just({"type": "reference", "reference_ids": [1]}),
                max_size=4,
            )
        )
    choice = {"index": 0, "message": message, "finish_reason": draw(reasons)}
    if draw(st.booleans()):
        choice["logprobs"] = draw(
            st.none() | st.just({"content": [{"token": "a", "logprob": -0.5}], "refusal": None})
        )
    rest = st.fixed_dictionaries(
        {},
        optional={
            "id": words,
            "model": words,
            "created": st.integers(0, 2**31),
            "usage": usages,
            "service_tier": st.none() | words,
            "system_fingerprint": st.none() | words,
            "metadata": st.none() | st.dictionaries(words, texts, max_size=2),
        },
    )
    return {"object": "chat.completion", **draw(rest), "choices": [choice]}


def sse(*events: object, end: str = "\n", done: bool = True) -> bytes:
    """Events as a stream; a string is data as it is."""
    rows = [event if isinstance(event, str) else json.dumps(event) for event in events]
    if done:
        rows.append("[DONE]")
    return "".join(f"data: {row}{end}{end}" for row in rows).encode()


def chunk(delta: dict[str, Any] | None = None, finish: object = None, **top: Any) -> dict[str, Any]:
    """One chunk of one choice."""
    choice = {"index": 0, "delta": {} if delta is None else delta, "finish_reason": finish}
    return {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 7,
        "model": "m",
        "choices": [choice],
        **top,
    }


EVERYTHING: dict[str, Any] = {
    "model": "m",
    "stream": True,
    "stream_options": {"include_usage": True, "include_obfuscation": False},
    "~x": 1,
    "tools": [
        {"type": "function", "function": {"name": "f", "description": "d", "strict": True, "v": 1}},
        {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}, "v": 1},
        {"type": "custom", "custom": {"name": "g", "description": "d", "format": {"type": "text"}}, "v": 1},
        {"type": "custom", "custom": {"name": "g"}},
        {"type": None, "function": {"name": "i"}},
        {
            "type": "function",
            "function": {"name": "h", "description": "d", "parameters": {}, "strict": False},
        },
    ],
    "messages": [
        {"role": "developer", "content": [{"type": "text", "text": "a", "~x": 1}], "name": "n"},
        {
            "role": "assistant",
            "content": [
                {
                    "type": "thinking",
                    "thinking": [{"type": "text", "text": "hm"}, {"type": "x"}, 5],
                    "closed": True,
                },
                {"type": "text", "text": "a"},
                {"type": "refusal", "refusal": "no"},
            ],
            "refusal": "never",
            "audio": {"id": "au", "x": 1},
            "function_call": {"name": "f", "arguments": "{}", "x": 1},
            "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}, "x": 1},
                {"id": "d", "type": "custom", "custom": {"name": "g", "input": "go"}},
                {"id": "e", "type": "teleport"},
            ],
        },
        {"role": "function", "name": "f", "content": "done"},
        {
            "role": "user",
            "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}],
            "cache_control": {"type": "ephemeral"},
        },
        {"role": "assistant", "content": "a", "function_call": None, "tool_calls": [], "audio": None},
        {
            "role": "tool",
            "tool_call_id": "c",
            "content": [{"type": "text", "text": "a", "x": 1}],
            "name": "f",
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "image_url",
                    "image_url": {"url": "https://example.test/a", "detail": "low", "x": 1},
                },
                {"type": "video_url", "video_url": {"url": "data:video/mp4;base64,AA"}},
                {"type": "input_audio", "input_audio": {"data": "AA", "format": "wav", "x": 1}},
                {"type": "input_audio", "input_audio": {"data": "AA", "format": "mp3"}},
                {"type": "file", "file": {"file_id": "f"}},
                {"type": "file", "file": {"file_data": "data:a/b;base64,AA", "filename": "a", "x": 1}},
                {"type": "hologram"},
            ],
        },
    ],
}
"""A request with one of each, so that no line of the codec waits for chance to be run."""
