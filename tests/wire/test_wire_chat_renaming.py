"""A whole answer under another name: it says what is kept of it, in the bytes of whoever wrote it."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given

from tests.wire.chat_strategies import answers
from turnout.model import Answer
from turnout.wire.chat import CODEC, DIALECTS

PLAIN = DIALECTS[""]


def named(data: bytes, **fields: Any) -> Answer:
    answer = CODEC.decode_answer(data, PLAIN)
    given = {"id": "resp_1", "created": 7, "model": answer.model or "m", **fields}
    return msgspec.structs.replace(answer, **given)


def a_call(**more: Any) -> dict[str, Any]:
    call = {"function": {"name": "f", "arguments": "{}"}, "type": "function", **more}
    return {"id": "a", "choices": [{"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}


@given(answers())
@example(a_call())
@example(a_call(id="call_1"))
@pytest.mark.states("L-104")
def test_what_is_sent_says_what_is_kept(wire: dict[str, Any]) -> None:
    for data in (json.dumps(wire).encode(), json.dumps(wire, ensure_ascii=False, indent=1).encode()):
        answer = named(data)
        sent = CODEC.renamed(data, answer)
        if sent is not None:
            assert CODEC.decode_answer(sent, PLAIN) == answer


def test_every_other_member_is_as_it_was_written() -> None:
    data = (
        b'{ "x_new": {"id": "inner",  "n": 1.50}, "id": "up", "model": "m",'
        b' "choices": [{"message": {"content": "\\u00e9", "later": []}, "finish_reason": "stop"}], "created": 1 }'
    )
    assert CODEC.renamed(data, named(data)) == (
        b'{"x_new":{"id": "inner",  "n": 1.50},"id":"resp_1","model":"m",'
        b'"choices":[{"message": {"content": "\\u00e9", "later": []}, "finish_reason": "stop"}],"created":7}'
    )


def test_a_call_that_is_named_by_its_answer_is_written_anew() -> None:
    data = json.dumps(a_call()).encode()
    assert CODEC.renamed(data, named(data)) is None
    data = json.dumps(a_call(id="call_1")).encode()
    assert CODEC.renamed(data, named(data)) is not None


@pytest.mark.parametrize("data", [b"[]", b"{"])
def test_what_is_no_object_has_no_name(data: bytes) -> None:
    assert CODEC.renamed(data, Answer(parts=(), stop="end")) is None
