"""Cases of all codecs that laws meet only by chance."""

import json
from typing import Any

import pytest

from turnout.model import (
    Answer,
    Failed,
    Opaque,
    OutputFormat,
    Seal,
    Source,
    Text,
    ToolCall,
    fold,
    unfold,
)
from turnout.model.errors import BrokenStream, InvalidRequest, Unsupported
from turnout.model.visible import visible
from turnout.wire.codec import CountDecoder, Seed, codec

CHAT, GEMINI, RESPONSES = codec("openai-chat"), codec("gemini"), codec("openai-responses")
SEED = Seed(id="x", created=1, model="m")
SIGNED = ToolCall(call_id="c1", name="f", seal=Seal(issuer="gemini", kind="signature", data="c2ln"))


def request(protocol: Any, body: dict[str, Any], path: str = "") -> Source:
    return Source(protocol=protocol, body=json.dumps(body).encode(), path=path)


def test_names_and_items_of_a_shown_value_are_visible_too() -> None:
    assert visible({"a\nb": ["x\ty", 1, None]}) == {"a \u23ce b": ["x y", 1, None]}


def test_a_gemini_calls_proof_is_shown_in_chat_whole_and_streamed() -> None:
    answer = Answer(parts=(SIGNED,), stop="tool_calls")
    data, dropped = CHAT.encode_answer(answer, SEED)
    (call,) = json.loads(data)["choices"][0]["message"]["tool_calls"]
    assert call["extra_content"] == {"google": {"thought_signature": "c2ln"}}
    assert dropped == ()
    encoder = CHAT.stream_encoder(SEED, want_usage=False)
    assert b'"thought_signature":"c2ln"' in encoder.encode(unfold(answer))
    assert encoder.dropped == ()


def test_a_calls_proof_that_a_client_sends_back_goes_back_as_it_came() -> None:
    content = {"google": {"thought_signature": "c2ln"}}
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "f", "arguments": "{}"},
        "extra_content": content,
    }
    messages = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ]
    body = CHAT.decode_request(request("openai-chat", {"model": "m", "messages": messages}))
    data, dropped = CHAT.encode_request("m", False, body, CHAT.dialects[""], False)
    assert json.loads(data)["messages"][1]["tool_calls"][0]["extra_content"] == content
    assert dropped == ()


@pytest.mark.parametrize(
    "content",
    [{"google": {"thought_signature": 1}}, {"google": {"other": "x"}}, {"vendor": {}}, {"google": 3}, 7],
)
def test_what_only_looks_like_a_proof_stays_what_it_is(content: Any) -> None:
    function = {"name": "f", "arguments": "{}"}
    call = {"id": "c1", "type": "function", "function": function, "extra_content": content}
    messages = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ]
    body = CHAT.decode_request(request("openai-chat", {"model": "m", "messages": messages}))
    part = body.messages[1].parts[0]
    assert part.seal is None
    data, _ = CHAT.encode_request("m", False, body, CHAT.dialects[""], False)
    assert json.loads(data)["messages"][1]["tool_calls"][0]["extra_content"] == content


def test_a_block_that_must_be_answered_is_refused_by_its_kind() -> None:
    from turnout.model import Extra

    must = Extra(protocol="openai-responses", members={"x": "1"}, must=frozenset({"x"}))
    block = Opaque(protocol="openai-responses", kind="computer_call", body="{}", extra=must)
    with pytest.raises(Unsupported) as caught:
        CHAT.encode_answer(Answer(parts=(Text(text="x"), block), stop="end"), SEED)
    assert "computer_call" in (caught.value.param or "")


def test_a_count_that_broke_is_the_error_that_broke_it() -> None:
    error = BrokenStream("cut")
    assert CountDecoder(lambda data: 1).fail(error) == (Failed(error=error),)


@pytest.mark.parametrize("response", [{}, {"response": {"output": "x"}}])
def test_a_gemini_result_without_an_id_goes_back_without_one(response: dict[str, Any]) -> None:
    call = {"functionCall": {"name": "f", "args": {}}}
    result = {"functionResponse": {"name": "f", **response}}
    contents = [
        {"role": "user", "parts": [{"text": "hi"}]},
        {"role": "model", "parts": [call]},
        {"role": "user", "parts": [result]},
    ]
    path = "/v1beta/models/m:generateContent"
    body = GEMINI.decode_request(request("gemini", {"contents": contents}, path))
    data, _ = GEMINI.encode_request("m", False, body, GEMINI.dialects[""], False)
    assert json.loads(data)["contents"][2]["parts"] == [result]


@pytest.mark.parametrize(
    ("shape", "expected"),
    [("text", OutputFormat(kind="text")), ("json_object", OutputFormat(kind="json")), ("x", None)],
)
def test_the_form_of_a_response_is_read_by_its_type(shape: str, expected: OutputFormat | None) -> None:
    sent = {"model": "m", "input": "hi", "text": {"format": {"type": shape}}}
    assert RESPONSES.decode_request(request("openai-responses", sent)).format == expected


def test_messages_of_one_side_in_a_row_stay_messages_of_their_own() -> None:
    items = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "one"},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "x"},
        {"role": "assistant", "content": "two"},
        {"role": "assistant", "content": "three"},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "four", "annotations": []}],
        },
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "five", "annotations": []}],
        },
    ]
    body = RESPONSES.decode_request(request("openai-responses", {"model": "m", "input": items}))
    data, _ = RESPONSES.encode_request("m", False, body, RESPONSES.dialects[""], False)
    said = [item for item in json.loads(data)["input"] if item.get("role") == "assistant"]
    texts = ["".join(part["text"] for part in item["content"]) if isinstance(item["content"], list) else item["content"]
             for item in said]  # fmt: skip
    assert texts == ["one", "two", "three", "four", "five"]


def test_a_signed_call_survives_its_own_stream() -> None:
    answer = Answer(parts=(SIGNED,), stop="tool_calls")
    assert fold(unfold(answer)) == answer


ASKING: dict[Any, tuple[str, str]] = {
    "openai-chat": ('{"model":"m","messages":[{"role":"user","content":"%s"}]}', ""),
    "openai-responses": ('{"model":"m","input":"%s"}', ""),
    "anthropic-messages": ('{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"%s"}]}', ""),
    "gemini": ('{"contents":[{"role":"user","parts":[{"text":"%s"}]}]}', "/v1beta/models/m:generateContent"),
}


@pytest.mark.parametrize("protocol", ASKING)
def test_half_a_surrogate_pair_is_read_as_the_replacement_character(protocol: Any) -> None:
    """JavaScript clients write such halves where they cut a text inside an emoji."""
    body, path = ASKING[protocol]
    source = Source(protocol=protocol, body=(body % r"cut \ud83d here").encode(), path=path)
    assert codec(protocol).decode_request(source).messages[0].text == "cut \ufffd here"


@pytest.mark.parametrize("protocol", ASKING)
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"[1]", "the body must be a JSON object"),
        (b'{"a', "the body is not JSON"),
        (b'{"a":"\xff"}', "the body is not JSON"),
    ],
)
def test_a_body_that_is_no_object_is_refused_alike(protocol: Any, body: bytes, message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        codec(protocol).decode_request(Source(protocol=protocol, body=body, path=ASKING[protocol][1]))
