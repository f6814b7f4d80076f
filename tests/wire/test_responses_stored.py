"""A kept response is told as its creation was, and what it answered is listed in pages."""

import json
from typing import Any

import pytest
from hypothesis import given
from openai.types.responses import Response, ResponseItem
from pydantic import TypeAdapter

from tests.model.strategies import answers as any_answers
from tests.wire.responses_strategies import requests, responses, written
from turnout.model import (
    Answer,
    Body,
    Extra,
    Message,
    Opaque,
    Request,
    Source,
    StoredResponse,
    Text,
    ToolCall,
    ToolResult,
    unfold,
)
from turnout.model.errors import BrokenStream, InvalidRequest, RunInProgress, TurnoutError, Unsupported
from turnout.wire.codec import Seed
from turnout.wire.responses import CODEC, OPEN_CODEC, body, deleted, input_items, page, streamed

ITEM: TypeAdapter[Any] = TypeAdapter(ResponseItem)


def asked(row: Any) -> Request:
    source = Source(protocol="openai-responses", body=json.dumps(row).encode())
    return Request(model="m", body=CODEC.decode_request(source), source=source)


def last_response(stream: bytes) -> Any:
    rows = [line for line in stream.split(b"\n") if line.startswith(b"data: {")]
    return json.loads(rows[-1].removeprefix(b"data: "))["response"]


# ---- the body ----------------------------------------------------------------------------------------------------


def shown(codec: Any, answer: Answer, request: Request) -> tuple[bytes, Any, bytes]:
    """The body at creation, that at the end of a stream, and that of a lookup."""
    seed = Seed(id=answer.id, created=answer.created, model=answer.model, echo=codec.echo(request))
    made, _ = codec.encode_answer(answer, seed)
    encoder = codec.stream_encoder(seed, True)
    end = last_response(encoder.encode(unfold(answer)))
    kept = StoredResponse(answer=answer, status=answer.status, echo=seed.echo or {})
    return made, end, codec.encode_stored(kept)


@given(request=requests, response=responses)
@pytest.mark.states("L-104", "L-192")
def test_creation_stream_and_lookup_say_the_same(request: Any, response: Any) -> None:
    answer = CODEC.decode_answer(written(response), CODEC.dialects[""])
    for codec in (CODEC, OPEN_CODEC):
        made, end, found = shown(codec, answer, asked(request))
        assert found == made
        assert json.loads(found) == end
        kept = StoredResponse(answer=answer, status=answer.status, echo=codec.echo(asked(request)))
        assert last_response(codec.stream_stored(kept)) == end


@given(answer=any_answers)
@pytest.mark.states("L-104", "L-105")
def test_any_answer_is_told_alike_or_refused_alike(answer: Answer) -> None:
    request = asked({"input": "x"})
    seed = Seed(id=answer.id, created=answer.created, model=answer.model, echo=CODEC.echo(request))
    try:
        made, _ = CODEC.encode_answer(answer, seed)
    except TurnoutError as error:
        with pytest.raises(type(error)):
            body(StoredResponse(answer=answer, status=answer.status, echo=seed.echo or {}))
        return
    assert body(StoredResponse(answer=answer, status=answer.status, echo=seed.echo or {})) == made


@pytest.mark.states("L-105")
def test_what_this_protocol_cannot_say_is_refused_by_name() -> None:
    with pytest.raises(Unsupported, match="paused"):
        body(StoredResponse(answer=Answer(parts=(), stop="pause"), status="incomplete"))
    with pytest.raises(BrokenStream):
        body(StoredResponse(answer=Answer(parts=(), stop="unknown"), status="incomplete"))


@pytest.mark.parametrize(
    ("status", "error", "code"),
    [
        ("failed", {"message": "busy", "kind": "rate_limit"}, "rate_limit_exceeded"),
        ("failed", {"message": "no", "type": "invalid_request_error"}, "invalid_prompt"),
        ("failed", None, "server_error"),
        ("cancelled", {"message": "gone"}, None),
        ("in_progress", None, None),
    ],
)
@pytest.mark.parametrize("metadata", [{}, {"a": "1"}])
def test_a_response_without_success_says_what_there_is(
    status: Any, error: Any, code: str | None, metadata: dict[str, str]
) -> None:
    answer = Answer(
        id="resp_1", model="m", created=5, parts=(Text(text="hel"),), stop="unknown", metadata=metadata
    )
    row = json.loads(body(StoredResponse(answer=answer, status=status, error=error)))
    Response.model_validate(row, strict=True)
    assert row["status"] == status
    assert row["metadata"] == metadata
    assert row["output"][0]["content"][0]["text"] == "hel"
    assert (row["error"] or {}).get("code") == code
    kept = StoredResponse(answer=answer, status=status, error=error)
    if status == "in_progress":
        with pytest.raises(RunInProgress):
            streamed(kept)
        return
    stream = streamed(kept)
    assert last_response(stream) == row
    assert b"event: response.failed" in stream
    assert b"event: response.completed" not in stream


# ---- what was answered -------------------------------------------------------------------------------------------


def test_instructions_are_no_part_of_a_turn() -> None:
    lead, items = CODEC.turn(asked({"input": "x", "instructions": "be brief"}).messages)
    assert ([each.text for each in lead], [each.text for each in items]) == (["be brief"], ["x"])
    lead, items = CODEC.turn(asked({"input": "x"}).messages)
    assert (lead, [each.text for each in items]) == ((), ["x"])


LISTED = (
    {"input": "hello"},
    {"input": [{"role": "user", "content": "hello"}]},
    {"input": [{"role": "user", "content": [{"type": "input_text", "text": "hello"}]}]},
    {
        "input": [
            {
                "role": "user",
                "content": [
                    {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,AA=="}
                ],
            }
        ]
    },
    {"input": [{"role": "assistant", "content": "hi"}, {"role": "user", "content": "hello"}]},
    {
        "input": [
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": "ok"},
        ]
    },
)


@pytest.mark.parametrize("row", LISTED)
def test_every_listed_item_is_one_of_the_clients_types(row: Any) -> None:
    items = input_items("resp_1", asked(row).messages)
    assert items == input_items("resp_1", asked(row).messages)
    assert len({item["id"] for item in items}) == len(items)
    for item in items:
        ITEM.validate_python(item, strict=True)


def test_an_answer_of_another_protocol_is_listed_too() -> None:
    messages = (
        Message(role="user", parts=(Text(text="x"),)),
        Message(role="assistant", parts=(Text(text="let me see"), ToolCall(call_id="c", name="f"))),
        Message(role="tool", parts=(ToolResult(call_id="c", parts=(Text(text="ok"),)),)),
    )
    items = input_items("resp_1", messages)
    kinds = [item["type"] for item in items]
    assert kinds == ["message", "message", "function_call", "function_call_output"]
    for item in items:
        ITEM.validate_python(item, strict=True)


def test_a_reference_to_an_item_is_not_listed() -> None:
    part = Opaque(
        protocol="openai-responses", kind="item_reference", body='{"type":"item_reference","id":"x"}'
    )
    with pytest.raises(Unsupported, match="item_reference"):
        input_items("resp_1", (Message(role="user", parts=(part,)),))


ROWS = [{"id": str(at)} for at in range(5)]


@pytest.mark.parametrize(
    ("options", "ids", "more"),
    [
        ({}, "43210", False),
        ({"order": "asc"}, "01234", False),
        ({"order": "asc", "limit": 2}, "01", True),
        ({"order": "asc", "limit": 2, "after": "1"}, "23", True),
        ({"order": "asc", "after": "4"}, "", False),
        ({"limit": 2, "after": "3"}, "21", True),
        ({"limit": 3, "after": "3"}, "210", False),
    ],
)
def test_pages_follow_each_other(options: Any, ids: str, more: bool) -> None:
    told = json.loads(page(ROWS, **options))
    assert (told["object"], "".join(row["id"] for row in told["data"]), told["has_more"]) == (
        "list",
        ids,
        more,
    )
    assert (told["first_id"], told["last_id"]) == (ids[:1], ids[-1:])


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"order": "up"}, "order"),
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"after": "9"}, "after"),
    ],
)
def test_a_page_that_cannot_be_is_refused(options: Any, param: str) -> None:
    with pytest.raises(InvalidRequest) as raised:
        page(ROWS, **options)
    assert raised.value.param == param


def test_a_deleted_response_is_told_so() -> None:
    assert json.loads(deleted("resp_1")) == {"id": "resp_1", "object": "response", "deleted": True}


# ---- providers that need not keep it -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "include"),
    [
        ({"input": "x", "store": True}, ["reasoning.encrypted_content"]),
        (
            {"input": "x", "include": ["web_search_call.results"]},
            ["web_search_call.results", "reasoning.encrypted_content"],
        ),
        ({"input": "x", "include": ["reasoning.encrypted_content"]}, ["reasoning.encrypted_content"]),
        ({"input": "x", "include": "wrong"}, "wrong"),
    ],
)
def test_a_provider_that_keeps_nothing_is_asked_for_sealed_reasoning(row: Any, include: Any) -> None:
    request = CODEC.unkept(asked(row))
    data, _ = CODEC.encode_request("m", False, request.body, CODEC.dialects[""], False)
    sent = json.loads(data)
    assert (sent["store"], sent["include"]) == (False, include)


def test_a_request_without_a_wire_form_is_asked_the_same() -> None:
    request = CODEC.unkept(Request(body=Body(messages=(Message(role="user", parts=(Text(text="x"),)),))))
    assert request.body.store is False
    assert request.body.extra == Extra(
        protocol="openai-responses", members={"include": '["reasoning.encrypted_content"]'}
    )


def test_the_id_of_an_answer_follows_its_requests() -> None:
    assert CODEC.answer_id("abc") == "resp_abc"
