"""One rich request and one rich answer, read and written again: everything that has a form of its own keeps it."""

import json
from typing import Any

from turnout.model import Answer, Source, Thinking, fold
from turnout.wire.anthropic import CODEC, DIALECTS
from turnout.wire.codec import Seed

PLAIN = DIALECTS[""]
SEED = Seed(id="msg_seed", created=1, model="seed")
PLACE = {
    "type": "web_search_result_location",
    "url": "https://example.test",
    "title": "t",
    "cited_text": "q",
    "encrypted_index": "e",
}
SERVER = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}}
CONTENT: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"type": "redacted_thinking", "data": "d"},
    SERVER,
    {"type": "text", "text": "cited", "citations": [PLACE]},
    {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}},
]
MESSAGE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "up",
    "content": CONTENT,
    "stop_reason": "tool_use",
    "stop_sequence": "END",
    "usage": {"input_tokens": 1, "output_tokens": 2, "output_tokens_details": {"thinking_tokens": 1}},
}


def frame(kind: str, **members: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **members})}\n\n".encode()


def stream() -> bytes:
    """The same answer as it is streamed."""
    deltas: list[list[dict[str, Any]]] = [
        [{"type": "thinking_delta", "thinking": "hm"}, {"type": "signature_delta", "signature": "s"}],
        [],
        [],
        [{"type": "citations_delta", "citation": PLACE}, {"type": "text_delta", "text": "cited"}],
        [{"type": "input_json_delta", "partial_json": '{"a": 1}'}],
    ]
    empty: dict[str, Any] = {"thinking": "", "signature": "", "text": "", "input": {}}
    out = [frame("message_start", message={**MESSAGE, "content": [], "stop_reason": None})]
    for index, block in enumerate(CONTENT):
        shell = block if block is SERVER else {name: empty.get(name, block[name]) for name in block}
        shell.pop("citations", None)
        out.append(frame("content_block_start", index=index, content_block=shell))
        out += [frame("content_block_delta", index=index, delta=delta) for delta in deltas[index]]
        out.append(frame("content_block_stop", index=index))
    end = {"stop_reason": "tool_use", "stop_sequence": "END"}
    out += [frame("message_delta", delta=end, usage=MESSAGE["usage"]), frame("message_stop")]
    return b"".join(out)


def decoded(data: bytes) -> Answer:
    decoder = CODEC.stream_decoder(PLAIN)
    return fold((*decoder.feed(data), *decoder.close()))


def test_a_rich_answer_is_one_whole_and_streamed_and_written_again() -> None:
    whole = CODEC.decode_answer(json.dumps(MESSAGE).encode(), PLAIN)
    told = decoded(stream())
    assert (told.parts, told.stop, told.stop_sequence, told.usage) == (
        whole.parts,
        whole.stop,
        whole.stop_sequence,
        whole.usage,
    )
    data, dropped = CODEC.encode_answer(whole, SEED)
    assert json.loads(data) == MESSAGE
    assert dropped == ()
    decoder, writer = CODEC.stream_decoder(PLAIN), CODEC.stream_encoder(SEED, True)
    again = decoded(writer.encode(decoder.feed(stream())) + writer.encode(decoder.close()))
    assert again.parts == whole.parts
    assert writer.dropped == ()


def test_a_second_start_of_a_thought_is_its_proof() -> None:
    shell = {"type": "thinking", "thinking": "hm", "signature": "given"}
    pieces = [
        frame("message_start", message={**MESSAGE, "content": []}),
        frame("content_block_start", index=0, content_block=shell),
        frame("message_delta", delta={"stop_reason": "end_turn"}, usage={}),
        frame("message_stop"),
    ]
    (part,) = decoded(b"".join(pieces)).parts
    assert isinstance(part, Thinking)
    assert part.seal is not None
    assert (part.text, part.seal.data) == ("hm", "given")


def test_a_rich_request_is_written_as_it_came() -> None:
    odd = {"type": "ephemeral", "ttl": "1h", "scope": "x"}
    document = {"type": "document", "source": {"type": "url", "url": "https://example.test/a.pdf"}}
    place = {"type": "char_location", "cited_text": "q", "document_index": 0, "document_title": "t"}
    body: dict[str, Any] = {
        "model": "m",
        "max_tokens": 9,
        "system": [{"type": "text", "text": "be kind", "cache_control": odd}, {"type": "later"}],
        "messages": [
            {"role": "user", "content": [document, {"type": "search_result", "source": "s"}]},
            {
                "role": "assistant",
                "content": [*CONTENT[:3], {"type": "text", "text": "a", "citations": [PLACE, place]}],
                "x": 1,
            },
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "go on"},
            {"role": "assistant", "content": [CONTENT[4]]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "1"}]},
        ],
        "tools": [{"type": "web_search_20260318", "name": "web_search", "cache_control": odd}],
    }
    source = Source(protocol="anthropic-messages", body=json.dumps(body).encode())
    data, dropped = CODEC.encode_request("m", False, CODEC.decode_request(source), PLAIN, False)
    assert json.loads(data) == body
    assert dropped == ()
