"""Hypothesis strategies for the wire of Responses: items, requests, whole responses and the streams that say them."""

import json
from typing import Any

from hypothesis import strategies as st

words = st.text(max_size=10)
names = st.text(alphabet="abcxyz_-", min_size=1, max_size=6)
ids = st.text(alphabet="abc019", min_size=1, max_size=6)
objects = st.dictionaries(names, words | st.integers(-9, 9), max_size=2).map(json.dumps)


def row(fixed: dict[str, Any], **maybe: Any) -> st.SearchStrategy[dict[str, Any]]:
    """An object with all `fixed` members and any of the others."""
    required = {
        name: value if isinstance(value, st.SearchStrategy) else st.just(value)
        for name, value in fixed.items()
    }
    return st.fixed_dictionaries(required, optional=maybe)


breakpoints = row({"mode": "explicit"}, ttl=st.sampled_from(["30m", "12h"]))
details = st.sampled_from(["low", "auto", "original"])
input_parts = st.one_of(
    row({"type": "input_text", "text": words}, prompt_cache_breakpoint=breakpoints),
    row({"type": "input_image", "image_url": "data:image/png;base64,QUJD"}, detail=details),
    row({"type": "input_image", "file_id": ids}, detail=details),
    row({"type": "input_file", "file_data": "data:application/pdf;base64,QUJD"}, filename=names),
    row({"type": "input_file", "file_url": "https://example.test/a"}, filename=names),
    row({"type": "input_audio", "input_audio": {"data": "QUJD", "format": "mp3"}}),
    row({"type": "input_video", "video_url": "https://example.test/v"}),
    row({"type": "x_part", "x": words}),
)
citations = st.one_of(
    row(
        {
            "type": "url_citation",
            "url": "https://example.test",
            "title": words,
            "start_index": st.integers(0, 9),
            "end_index": st.integers(0, 9),
        }
    ),
    row({"type": "file_citation", "file_id": ids, "index": st.integers(0, 9), "filename": names}),
)
output_parts = st.one_of(
    row({"type": "output_text", "text": words}, annotations=st.lists(citations, min_size=1, max_size=2)),
    row({"type": "refusal", "refusal": words}),
    row({"type": "x_part", "x": words}),
)
statuses = st.sampled_from(["completed", "incomplete"])
phases = st.sampled_from(["commentary", "final_answer"])

spoken = st.one_of(
    row(
        {
            "role": st.sampled_from(["user", "system", "developer"]),
            "content": words | st.lists(input_parts, max_size=3),
        },
        type=st.just("message"),
        id=ids,
        status=statuses,
        x=words,
    ),
    row(
        {"role": "assistant", "content": words | st.lists(output_parts, max_size=3)},
        type=st.just("message"),
        id=ids,
        status=statuses,
        phase=phases,
        x=words,
    ),
)
summaries = st.lists(row({"type": "summary_text", "text": words}), max_size=2)
thoughts = row(
    {"type": "reasoning", "summary": summaries},
    id=ids,
    content=st.lists(row({"type": "reasoning_text", "text": words}), max_size=2),
    encrypted_content=words,
    status=statuses,
)
_call: dict[str, Any] = {
    "id": ids,
    "status": statuses,
    "namespace": names,
    "caller": st.just({"type": "direct"}),
}
calls = st.one_of(
    row({"type": "function_call", "call_id": ids, "name": names, "arguments": objects}, **_call),
    row({"type": "custom_tool_call", "call_id": ids, "name": names, "input": words}, **_call),
)
outputs = words | st.lists(input_parts, max_size=2)
results = st.one_of(
    row(
        {"type": "function_call_output", "call_id": ids, "output": outputs}, id=ids, status=statuses, x=words
    ),
    row({"type": "custom_tool_call_output", "call_id": ids, "output": outputs}, id=ids),
)
others = st.one_of(
    row({"type": "item_reference", "id": ids}),
    row({"type": "compaction", "encrypted_content": words}, id=ids),
    row({"type": "compaction_trigger"}),
    row({"type": "web_search_call", "status": "completed"}, id=ids),
    row({"type": "mcp_approval_response", "approve": st.booleans()}),
    row({"type": "x_item", "x": words}),
)
items = st.lists(st.one_of(spoken, thoughts, calls, results, others), min_size=1, max_size=8)


@st.composite
def histories(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Items in which every call is answered once, somewhere behind it."""
    rows = draw(st.lists(st.one_of(spoken, thoughts, calls), min_size=1, max_size=6))
    for at, call in enumerate([one for one in rows if "call_id" in one]):
        call["call_id"] = f"call{at}"
        kind = "custom_tool_call_output" if call["type"].startswith("custom") else "function_call_output"
        place = draw(st.integers(rows.index(call) + 1, len(rows)))
        rows.insert(place, {"type": kind, "call_id": call["call_id"], "output": draw(outputs)})
    return rows


schemas = st.sampled_from([{"type": "object"}, {"type": "object", "properties": {"a": {"type": "string"}}}])
functions = row(
    {"type": "function", "name": names, "parameters": schemas | st.none()},
    description=words,
    strict=st.booleans() | st.none(),
    defer_loading=st.booleans(),
    output_schema=schemas,
    prompt_cache_breakpoint=breakpoints,
)
customs = row(
    {"type": "custom", "name": names},
    description=words,
    format=st.sampled_from(
        [{"type": "text"}, {"type": "grammar", "syntax": "lark", "definition": "start: X"}]
    ),
)
tools = st.one_of(
    functions,
    customs,
    row(
        {
            "type": "namespace",
            "name": names,
            "description": words,
            "tools": st.lists(functions | customs, max_size=2),
        }
    ),
    row({"type": "web_search"}, search_context_size=st.just("low")),
)
choices = st.one_of(
    st.sampled_from(["auto", "none", "required"]),
    row({"type": "function", "name": names}),
    row({"type": "custom", "name": names}),
    row({"type": "web_search"}),
    row({"type": "mcp", "server_label": names}, name=names),
    row(
        {
            "type": "allowed_tools",
            "mode": st.sampled_from(["auto", "required"]),
            "tools": st.lists(row({"type": "function", "name": names}), max_size=2),
        }
    ),
)
formats = st.one_of(
    st.sampled_from([{"type": "text"}, {"type": "json_object"}, {"type": "x_format"}]),
    row(
        {"type": "json_schema", "name": names, "schema": schemas},
        strict=st.booleans() | st.none(),
        description=words,
        x=words,
    ),
)
numbers = st.floats(0, 2) | st.integers(0, 2)
requests = row(
    {"model": names, "input": words | items},
    stream=st.booleans(),
    instructions=words | st.none(),
    tools=st.lists(tools, max_size=3),
    tool_choice=choices,
    parallel_tool_calls=st.booleans(),
    max_output_tokens=st.integers(1, 99),
    temperature=numbers,
    top_p=numbers,
    presence_penalty=numbers,
    frequency_penalty=numbers,
    store=st.booleans(),
    background=st.booleans(),
    previous_response_id=ids,
    conversation=ids | row({"id": ids}),
    metadata=st.dictionaries(names, words, max_size=2),
    user=words,
    safety_identifier=words,
    service_tier=st.sampled_from(["auto", "flex"]),
    text=row({}, format=formats, verbosity=st.sampled_from(["low", "high"]), x=words),
    reasoning=row(
        {},
        effort=st.sampled_from(["none", "high"]),
        summary=st.sampled_from(["auto", "detailed"]),
        mode=names,
    ),
    include=st.lists(st.sampled_from(["reasoning.encrypted_content"]), max_size=1),
    truncation=st.sampled_from(["auto", "disabled"]),
    max_tool_calls=st.integers(1, 9),
    client_metadata=st.dictionaries(names, words, max_size=2),
    prompt_cache_key=words,
)


# ---- answers -----------------------------------------------------------------------------------------------------


@st.composite
def output(draw: st.DrawFn) -> list[dict[str, Any]]:
    """The items of an answer, with ids that differ."""
    said = row(
        {"type": "message", "role": "assistant", "content": st.lists(output_parts, min_size=1, max_size=2)},
        phase=phases,
    )
    kinds = st.one_of(
        said, thoughts, calls, others.filter(lambda one: one["type"] in {"web_search_call", "compaction"})
    )
    rows = draw(st.lists(kinds, min_size=1, max_size=4))
    for at, one in enumerate(rows):
        one.update(id=f"item{at}", status="completed")
        if "call_id" in one:
            one["call_id"] = f"call{at}"
        if one["type"] == "compaction":
            del one["status"]
    return rows


usages = row(
    {
        "input_tokens": 9,
        "input_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 1},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 3},
        "total_tokens": 14,
    },
    cost=st.floats(0, 1),
)
responses = row(
    {
        "id": "resp_1",
        "object": "response",
        "created_at": 7,
        "model": "m",
        "status": "completed",
        "output": output(),
        "usage": usages,
    },
    service_tier=st.just("default"),
    temperature=numbers,
    metadata=st.dictionaries(names, words, max_size=2),
    billing=st.just({"payer": "x"}),
)


def written(value: Any) -> bytes:
    """JSON as OpenAI writes it, without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def event(kind: str, number: int, **members: Any) -> bytes:
    """One event of a stream."""
    data = written({"type": kind, "sequence_number": number, **members})
    return f"event: {kind}\ndata: ".encode() + data + b"\n\n"


def stream_of(response: dict[str, Any], pieces: int = 2) -> bytes:
    """The stream that says a response, as OpenAI would send it."""
    rows: list[tuple[str, dict[str, Any]]] = []
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    rows += [(kind, {"response": begun}) for kind in ("response.created", "response.in_progress")]
    for at, item in enumerate(response["output"]):
        rows.extend(_item_events(at, item, pieces))
    rows.append((f"response.{response['status']}", {"response": response}))
    return b"".join(event(kind, number, **members) for number, (kind, members) in enumerate(rows))


def _cut(text: str, pieces: int) -> list[str]:
    size = max(1, -(-len(text) // pieces))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _item_events(at: int, item: dict[str, Any], pieces: int) -> list[tuple[str, dict[str, Any]]]:
    place = {"output_index": at, "item_id": item.get("id", "")}
    shell, inner = dict(item), []
    match item["type"]:
        case "message":
            shell["content"] = []
            for index, part in enumerate(item["content"]):
                inner += _part_events({**place, "content_index": index}, part, pieces)
        case "function_call" | "custom_tool_call":
            member = "arguments" if item["type"] == "function_call" else "input"
            stem = "function_call_arguments" if member == "arguments" else "custom_tool_call_input"
            shell[member] = ""
            inner = [
                (f"response.{stem}.delta", {**place, "delta": text}) for text in _cut(item[member], pieces)
            ]
            inner.append((f"response.{stem}.done", {**place, member: item[member]}))
        case "reasoning":
            shell["summary"] = []
            shell.pop("encrypted_content", None)
            shell.pop("content", None)
            for index, summary in enumerate(item["summary"]):
                where = {**place, "summary_index": index}
                inner.append(
                    (
                        "response.reasoning_summary_part.added",
                        {**where, "part": {"type": "summary_text", "text": ""}},
                    )
                )
                for text in _cut(summary["text"], pieces):
                    inner.append(("response.reasoning_summary_text.delta", {**where, "delta": text}))
                inner.append(("response.reasoning_summary_text.done", {**where, "text": summary["text"]}))
                inner.append(("response.reasoning_summary_part.done", {**where, "part": summary}))
            for index, part in enumerate(item.get("content", ())):
                where = {**place, "content_index": index}
                for text in _cut(part["text"], pieces):
                    inner.append(("response.reasoning_text.delta", {**where, "delta": text}))
                inner.append(("response.reasoning_text.done", {**where, "text": part["text"]}))
        case _:
            shell["status"] = "in_progress"
    added = ("response.output_item.added", {"output_index": at, "item": shell})
    return [added, *inner, ("response.output_item.done", {"output_index": at, "item": item})]


def _part_events(
    where: dict[str, Any], part: dict[str, Any], pieces: int
) -> list[tuple[str, dict[str, Any]]]:
    kinds = {"output_text": ("output_text", "text"), "refusal": ("refusal", "refusal")}
    stem, member = kinds.get(part["type"], ("", ""))
    if not stem:
        return [
            ("response.content_part.added", {**where, "part": part}),
            ("response.content_part.done", {**where, "part": part}),
        ]
    empty = {"type": part["type"], member: "", **({} if member == "refusal" else {"annotations": []})}
    rows: list[tuple[str, dict[str, Any]]] = [("response.content_part.added", {**where, "part": empty})]
    rows += [(f"response.{stem}.delta", {**where, "delta": text}) for text in _cut(part[member], pieces)]
    for index, citation in enumerate(part.get("annotations", ())):
        rows.append(
            (
                "response.output_text.annotation.added",
                {**where, "annotation_index": index, "annotation": citation},
            )
        )
    rows.append((f"response.{stem}.done", {**where, member: part[member]}))
    rows.append(("response.content_part.done", {**where, "part": part}))
    return rows
