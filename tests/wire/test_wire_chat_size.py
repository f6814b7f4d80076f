"""Requests made to cost much: the work of reading one grows with its size, and no faster."""

import json
import time
from typing import Any

import pytest

from turnout.model import Source, ToolResult
from turnout.wire.chat import CODEC

MANY = 50_000
SECONDS = 5.0
"""Of CPU; reading takes a tenth of it, and several times as much if each result is looked for among all calls."""


def called(ids: list[str]) -> dict[str, Any]:
    calls = [{"id": each, "type": "function", "function": {"name": "f", "arguments": "{}"}} for each in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "ok"}


IDS = [f"call_{number}" for number in range(MANY)]
ASKED = {"role": "user", "content": "hi"}


@pytest.mark.parametrize(
    ("messages", "sizes"),
    [
        ([ASKED, called(IDS), *map(result, reversed(IDS))], [1, MANY, MANY]),
        ([ASKED, *map(result, IDS)], [1, MANY]),
        ([called(IDS[:1]), result(IDS[0]), *map(result, IDS[1:])], [1, 1] + [1] * (MANY - 1)),
    ],
    ids=["answers", "orphans", "orphans after an answer"],
)
def test_the_results_of_very_many_calls_are_read_in_linear_work(messages: Any, sizes: list[int]) -> None:
    source = Source(protocol="openai-chat", body=json.dumps({"model": "m", "messages": messages}).encode())
    before = time.process_time()
    read = CODEC.decode_request(source).messages
    assert time.process_time() - before < SECONDS
    assert [len(message.parts) for message in read] == sizes
    results = [part.call_id for message in read for part in message.parts if isinstance(part, ToolResult)]
    assert results == IDS[-len(results) :]
