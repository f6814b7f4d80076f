"""Anthropic Messages requests, answers and streams, generated as plain JSON values.

They are made from the protocol's field list alone, without a line of the codec, and hold nulls, unknown members and
every spelling that a client or provider may choose.
"""

import json
from typing import Any

from hypothesis import strategies as st

texts = st.text(max_size=12)
words = st.text(alphabet="abcxyz019_-", min_size=1, max_size=8)
numbers = st.integers(0, 10**6)
unknown = st.dictionaries(
    st.sampled_from(["x_one", "~x", "ünknown"]),
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | texts | st.lists(texts, max_size=2),
    max_size=2,
)
caches = st.sampled_from(
    [None, {"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}, {"type": "ephemeral", "scope": "x"}, 5]
)
inputs = st.dictionaries(words, st.none() | numbers | texts | st.lists(numbers, max_size=2), max_size=2)


def objects(required: dict[str, Any], /, **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have all of `required`, any of `optional`, and perhaps members that nobody knows."""
    known = st.fixed_dictionaries(required, optional=optional)
    return st.builds(lambda rest, body: {**rest, **body}, unknown, known)


def typed(kind: str, required: dict[str, Any], /, **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """A content block of this type, with or without a cache breakpoint."""
    return objects({"type": st.just(kind), **required}, cache_control=caches, **optional)


citations = st.one_of(
    objects(
        {
            "type": st.just("web_search_result_location"),
            "url": words,
            "cited_text": texts,
            "encrypted_index": words,
        },
        title=texts | st.none(),
    ),
    objects(
        {"type": st.just("char_location"), "cited_text": texts, "document_index": numbers},
        document_title=texts | st.none(),
        start_char_index=numbers,
    ),
    objects({"type": st.just("search_result_location"), "cited_text": texts}, title=texts, source=texts),
)
text_blocks = typed(
    "text", {"text": texts | st.just(" ")}, citations=st.none() | st.lists(citations, max_size=2)
)
plain_blocks = st.builds(lambda words: {"type": "text", "text": words}, texts)
sources = st.one_of(
    objects({"type": st.just("base64"), "media_type": st.just("image/png"), "data": st.just("AAAA")}),
    objects({"type": st.just("url"), "url": st.just("https://example.test/a")}),
    objects({"type": st.just("file"), "file_id": words}),
    objects({"type": st.just("hologram")}),
)
image_blocks = typed("image", {"source": sources})
document_blocks = typed(
    "document",
    {
        "source": sources
        | objects({"type": st.just("base64"), "media_type": st.just("application/pdf"), "data": words})
        | objects({"type": st.just("text"), "media_type": st.just("text/plain"), "data": texts})
        | objects({"type": st.just("content"), "content": st.lists(plain_blocks, max_size=1)})
    },
    title=texts | st.none(),
    context=texts | st.none(),
    citations=st.sampled_from([None, {"enabled": True}, {"enabled": False}]),
)
thinking_blocks = typed("thinking", {"thinking": texts}, signature=texts)
redacted_blocks = typed("redacted_thinking", {"data": texts})
call_blocks = typed(
    "tool_use",
    {"id": words, "name": words, "input": inputs},
    caller=st.sampled_from([None, {"type": "direct"}, {"type": "code_execution_20260120", "tool_id": "t"}]),
)
server_blocks = typed("server_tool_use", {"id": words, "name": words, "input": inputs}) | typed(
    "web_search_tool_result", {"tool_use_id": words, "content": st.lists(unknown, max_size=2)}
)
result_blocks = typed(
    "tool_result",
    {"tool_use_id": words},
    content=st.none() | texts | st.lists(text_blocks | image_blocks | document_blocks, max_size=2),
    is_error=st.none() | st.booleans(),
)


def content(*blocks: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[Any]:
    """A string, or a list of such blocks."""
    return texts | st.lists(st.one_of(*blocks), max_size=3)


messages = st.lists(
    st.one_of(
        objects(
            {
                "role": st.just("user"),
                "content": content(text_blocks, image_blocks, document_blocks, result_blocks, server_blocks),
            }
        ),
        objects(
            {
                "role": st.just("assistant"),
                "content": content(text_blocks, thinking_blocks, redacted_blocks, call_blocks, server_blocks),
            }
        ),
        objects({"role": st.just("system"), "content": content(text_blocks)}),
    ),
    min_size=1,
    max_size=5,
)
tools = st.lists(
    objects(
        {"name": words, "input_schema": inputs},
        type=st.sampled_from([None, "custom"]),
        description=texts,
        strict=st.none() | st.booleans(),
        cache_control=caches,
        defer_loading=st.booleans(),
        allowed_callers=st.sampled_from([["direct"], ["code_execution_20260120"]]),
    )
    | objects({"type": st.just("web_search_20260318"), "name": st.just("web_search")}, cache_control=caches),
    max_size=2,
)
thinking = st.one_of(
    objects({"type": st.just("enabled"), "budget_tokens": numbers}, display=st.just("summarized")),
    objects({"type": st.just("adaptive")}, display=st.sampled_from(["omitted", "updates", None])),
    st.sampled_from([{"type": "disabled"}, {"type": "between_tools"}, None]),
)
output_config = objects(
    {},
    effort=st.sampled_from(["low", "max", None]),
    format=st.sampled_from(
        [
            None,
            {"type": "json_schema", "schema": {"type": "object"}},
            {"type": "grammar"},
            {"type": "json_schema"},
        ]
    ),
    task_budget=inputs,
)
tool_choice = st.one_of(
    objects(
        {"type": st.sampled_from(["auto", "any", "none"])},
        disable_parallel_tool_use=st.none() | st.booleans(),
    ),
    objects({"type": st.just("tool"), "name": words}, disable_parallel_tool_use=st.booleans()),
    st.none(),
)
requests = objects(
    {"model": words, "messages": messages},
    max_tokens=numbers | st.none(),
    system=content(text_blocks) | st.none(),
    temperature=st.floats(0, 1) | st.none(),
    top_p=st.floats(0, 1),
    top_k=numbers,
    stop_sequences=st.lists(texts, max_size=2) | st.none(),
    stream=st.booleans(),
    metadata=objects({}, user_id=texts | st.none()) | st.none(),
    service_tier=st.sampled_from(["auto", "standard_only", None]),
    cache_control=st.sampled_from([None, {"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}]),
    thinking=thinking,
    output_config=output_config,
    tools=tools,
    tool_choice=tool_choice,
    thread=st.sampled_from([{"type": "create"}, {"type": "continue", "previous_message_id": "m"}]),
    container=st.none() | words,
    mcp_servers=st.sampled_from([[], [{"url": "u"}]]),
    context_management=inputs,
)


def _unmarked(block: dict[str, Any]) -> dict[str, Any]:
    """A block as answers have it: breakpoints are for requests."""
    return {name: value for name, value in block.items() if name != "cache_control"}


usages = st.fixed_dictionaries(
    {},
    optional={
        "input_tokens": numbers,
        "output_tokens": numbers,
        "cache_read_input_tokens": numbers | st.none(),
        "cache_creation_input_tokens": numbers | st.none(),
        "output_tokens_details": st.just({"thinking_tokens": 3}),
        "service_tier": st.just("standard"),
        "server_tool_use": st.just({"web_search_requests": 2}),
    },
)
reasons = st.sampled_from(
    [
        "end_turn",
        "max_tokens",
        "stop_sequence",
        "tool_use",
        "pause_turn",
        "refusal",
        "model_context_window_exceeded",
        "brand_new",
    ]
)
answers = objects(
    {
        "id": words,
        "type": st.just("message"),
        "role": st.just("assistant"),
        "model": words,
        "content": st.lists(
            (text_blocks | thinking_blocks | redacted_blocks | call_blocks | server_blocks).map(_unmarked),
            max_size=4,
        ),
        "stop_reason": reasons,
        "stop_sequence": st.none() | words,
        "usage": usages,
    },
    stop_details=st.sampled_from(
        [None, {"type": "refusal", "category": "bio", "explanation": "no"}, {"type": "refusal"}]
    ),
    container=st.none() | inputs,
)

plain_calls = st.builds(
    lambda name, given: {"type": "tool_use", "id": "toolu_" + name, "name": name, "input": given},
    words,
    inputs,
)
plain_answers = st.fixed_dictionaries(
    {
        "content": st.lists(plain_blocks | plain_calls, max_size=4),
        "stop_reason": reasons | st.none(),
        "usage": usages,
    },
    optional={
        "id": words,
        "type": st.just("message"),
        "role": st.just("assistant"),
        "model": words,
        "stop_sequence": st.none() | words,
        "stop_details": st.none(),
        "container": st.none(),
    },
)
"""Answers with nothing that is rare."""


def frame(kind: str, **members: Any) -> bytes:
    """One event of a stream."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **members})}\n\n".encode()


def _cut(draw: st.DrawFn, text: str) -> list[str]:
    if not text:
        return draw(st.sampled_from([[], [""]]))
    at = draw(st.integers(0, len(text)))
    return [text[:at], text[at:]]


def _block(draw: st.DrawFn, index: int, block: dict[str, Any]) -> list[bytes]:
    """The events of one block, as Anthropic tells it: an empty shell, what fills it, its end."""
    deltas: list[dict[str, Any]] = []
    shell = dict(block)
    match block["type"]:
        case "text":
            cited = shell.pop("citations", None) or []
            shell["text"] = ""
            deltas += [{"type": "citations_delta", "citation": row} for row in cited]
            deltas += [{"type": "text_delta", "text": piece} for piece in _cut(draw, block["text"])]
        case "thinking":
            shell |= {"thinking": "", "signature": ""}
            deltas += [{"type": "thinking_delta", "thinking": one} for one in _cut(draw, block["thinking"])]
            deltas.append({"type": "signature_delta", "signature": block.get("signature", "")})
        case "tool_use":
            shell["input"] = {}
            given = json.dumps(block["input"]) if block["input"] or draw(st.booleans()) else ""
            deltas += [{"type": "input_json_delta", "partial_json": piece} for piece in _cut(draw, given)]
        case _:
            pass
    return [
        frame("content_block_start", index=index, content_block=shell),
        *(frame("content_block_delta", index=index, delta=delta) for delta in deltas),
        frame("content_block_stop", index=index),
    ]


@st.composite
def streams(draw: st.DrawFn) -> tuple[dict[str, Any], bytes]:
    """A whole answer and its streamed twin."""
    whole = draw(answers)
    head = {**whole, "content": [], "stop_reason": None, "stop_sequence": None}
    head.pop("stop_details", None)
    usage = dict(whole["usage"])
    early = {name: usage[name] for name in usage if draw(st.booleans())}
    head["usage"] = early
    out = [frame("message_start", message=head)]
    for index, block in enumerate(whole["content"]):
        out += _block(draw, index, block)
        if draw(st.booleans()):
            out.append(frame("ping"))
    end = {name: whole.get(name) for name in ("stop_reason", "stop_sequence", "stop_details")}
    out.append(frame("message_delta", delta=end, usage=usage))
    out.append(frame("message_stop"))
    return whole, b"".join(out)
