"""Damaged answers: whatever became of the bytes, they decode to one ending, and nothing is raised."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from turnout.model import Decoder, Event, Failed, Finish, Headers
from turnout.model.errors import ProviderError
from turnout.wire.chat import CODEC, DIALECTS
from turnout.wire.codec import Seed

PLAIN = DIALECTS[""]
MESSAGE = {
    "role": "assistant",
    "content": "hi",
    "refusal": None,
    "reasoning_content": "r",
    "annotations": [{"type": "url_citation", "url_citation": {"start_index": 0, "end_index": 1, "url": "u"}}],
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    "audio": {"id": "a", "data": "AA", "expires_at": 1, "transcript": "t"},
}
USAGE = {"prompt_tokens": 1, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 1}}
CHOICE = {"index": 0, "message": MESSAGE, "finish_reason": "stop", "logprobs": {"content": []}}
WHOLE = {"id": "c", "created": 1, "model": "m", "choices": [CHOICE], "usage": USAGE, "x": ["y"]}
DELTAS: list[tuple[dict[str, Any], str | None]] = [
    ({"role": "assistant", "content": ""}, None),
    ({"reasoning_content": "r"}, None),
    ({"content": "hi"}, None),
    ({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "f", "arguments": ""}}]}, None),
    ({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}, None),
    ({"audio": {"id": "a", "data": "AA", "expires_at": 1}}, None),
    ({}, "tool_calls"),
]
CHUNKS = [{"id": "c", "choices": [{"delta": delta, "finish_reason": end}]} for delta, end in DELTAS]
WILD: list[Any] = [
    None,
    True,
    0,
    -1,
    1e308,
    10**30,
    "",
    "x",
    "\ud800",
    "a" * 3000,
    [],
    [None],
    {},
    [[]],
    "stop",
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """(container, key) of everything inside `value`."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


@st.composite
def damaged(draw: st.DrawFn, sound: Any) -> Any:
    """A copy of `sound` in which a few members are missing or something else."""
    value = json.loads(json.dumps(sound))
    for _ in range(draw(st.integers(0, 3))):
        found = places(value)
        if found:
            container, key = draw(st.sampled_from(found))
            if draw(st.booleans()):
                container[key] = json.loads(json.dumps(draw(st.sampled_from(WILD))))
            else:
                del container[key]
    return value


@st.composite
def spoiled(draw: st.DrawFn, data: bytes) -> bytes:
    """`data` with some bytes cut out and others put in."""
    at = draw(st.integers(0, len(data)))
    put = draw(st.sampled_from([b"", b"", b"\n", b"\r", b"\n\n", b"\xff", b"}", b'"', b"data:", b"\\"]))
    return data[:at] + put + data[at + draw(st.integers(0, 3)) :]


def decoded(decoder: Decoder, data: bytes, size: int = 100) -> list[Event]:
    events: list[Event] = []
    for start in range(0, len(data), size):
        events += decoder.feed(data[start : start + size])
    return [*events, *decoder.close()]


def check(events: list[Event]) -> None:
    """One ending, and all of it can be written to a client."""
    assert [event for event in events if isinstance(event, Finish | Failed)] == events[-1:]
    encoder = CODEC.stream_encoder(Seed(id="i", created=1, model="m"), True)
    assert b"".join(encoder.encode((event,)) for event in events)


@settings(max_examples=150)
@given(damaged(WHOLE).flatmap(lambda value: spoiled(json.dumps(value).encode())))
@example(json.dumps(WHOLE).encode().replace(b'"expires_at": 1', b'"expires_at": "\xff"'))
@example(json.dumps(WHOLE).encode().replace(b'["y"]', b'"\xff"'))
def test_a_damaged_answer_has_one_ending(data: bytes) -> None:
    check(decoded(CODEC.whole_decoder(PLAIN), data))


@settings(max_examples=150)
@given(
    damaged(CHUNKS).flatmap(
        lambda chunks: spoiled(
            b"".join(b"data: %b\n\n" % json.dumps(chunk).encode() for chunk in chunks) + b"data: [DONE]\n\n"
        )
    ),
    st.integers(1, 300),
)
@example(b'data: {"choices":[{"delta":{"content":"a"},"logprobs":"\xff"}]}\n\n', 100)
@example(b'data: {"choices":[{"delta":{"content":"a"}}],"system_fingerprint":"\xff"}\n\n', 100)
def test_a_damaged_stream_has_one_ending(data: bytes, size: int) -> None:
    check(decoded(CODEC.stream_decoder(PLAIN), data, size))


ERROR = {"error": {"message": "m", "type": "t", "param": None, "code": "c"}}


@pytest.mark.parametrize("status", [400, 429, 500])
@given(data=damaged(ERROR).flatmap(lambda value: spoiled(json.dumps(value).encode())))
@example(data=b'{"error":"\xff"}')
def test_a_damaged_error_is_an_error(status: int, data: bytes) -> None:
    found = CODEC.decode_error(status, Headers([]), data)
    assert isinstance(found, ProviderError)
    assert found.status_code == status
