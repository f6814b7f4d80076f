"""Items become messages and items again, and nothing moves."""

import itertools
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given

from tests.wire.responses_strategies import histories, items
from turnout.model import (
    Cache,
    Citation,
    File,
    Inline,
    Media,
    Message,
    Opaque,
    Refusal,
    Seal,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Url,
)
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.losses import Losses
from turnout.wire.responses.dialect import DIALECTS, PLAIN
from turnout.wire.responses.turns import read_items, write_items


def grouped(*rows: Any) -> tuple[Message, ...]:
    return read_items([msgspec.Raw(json.dumps(row).encode()) for row in rows])


def flat(messages: tuple[Message, ...], dialect: str = "") -> tuple[list[Any], tuple[str, ...]]:
    losses = Losses("openai-responses")
    wire = json.loads(msgspec.json.encode(write_items(messages, DIALECTS[dialect], losses)))
    return wire, losses.names


def sayings(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Items without what says the same in another spelling: null members."""
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


@given(items)
def test_nothing_moves(rows: list[dict[str, Any]]) -> None:
    again, dropped = flat(grouped(*rows))
    assert again == sayings(rows)
    assert dropped == ()


@given(histories())
def test_every_output_stands_right_behind_its_calls_and_goes_back_to_its_place(
    rows: list[dict[str, Any]],
) -> None:
    messages = grouped(*rows)
    for before, message in itertools.pairwise(messages):
        if message.role == "tool":
            called = [part.call_id for part in before.parts if isinstance(part, ToolCall)]
            assert [part.call_id for part in message.parts if isinstance(part, ToolResult)] == called
    assert flat(messages)[0] == sayings(rows)


@given(items)
def test_messages_are_what_the_model_wants(rows: list[dict[str, Any]]) -> None:
    for message in grouped(*rows):
        assert message.parts
        for part in message.parts:
            assert isinstance(part, ToolResult) is (message.role == "tool")
            assert not isinstance(part, ToolCall | Thinking) or message.role == "assistant"


CALL = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
OTHER = {"type": "function_call", "call_id": "b", "name": "g", "arguments": "{}"}


def result(call_id: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": "x"}


def test_what_the_assistant_says_in_a_row_is_one_message() -> None:
    said = {"type": "message", "role": "assistant", "phase": "commentary", "content": "hm"}
    thought = {"type": "reasoning", "id": "rs", "summary": [], "content": None, "encrypted_content": None}
    (message, answer) = grouped(thought, said, CALL, result("a"))
    assert [type(part) for part in message.parts] == [Thinking, Text, ToolCall]
    assert (message.role, message.phase, answer.role) == ("assistant", "commentary", "tool")


def test_two_messages_stay_two_unless_a_call_waits() -> None:
    said = {"role": "assistant", "content": "a"}
    assert [message.text for message in grouped(said, said)] == ["a", "a"]
    late = {"role": "assistant", "phase": "final_answer", "content": "b"}
    messages = grouped(CALL, said, late, result("a"))
    assert [message.role for message in messages] == ["assistant", "tool"]
    assert flat(messages)[0] == [CALL, said, late, result("a")]


def test_outputs_that_come_late_and_turned_around_go_back() -> None:
    rows = [CALL, OTHER, result("b"), {"role": "user", "content": "hi"}, result("a")]
    messages = grouped(*rows)
    assert [message.role for message in messages] == ["assistant", "tool", "user"]
    assert [part.call_id for part in messages[1].parts if isinstance(part, ToolResult)] == ["a", "b"]
    assert flat(messages)[0] == rows


def test_a_place_that_a_step_made_wrong_is_not_used() -> None:
    rows = [{"role": "user", "content": "1"}, CALL, OTHER, result("b"), result("a")]
    more = (*grouped(rows[0], rows[0], rows[0]), *grouped(*rows))
    assert flat(more)[0][-4:] == [CALL, OTHER, result("a"), result("b")]


def test_an_output_of_no_call_stays_where_it_is() -> None:
    rows = [result("x"), result("y"), {"role": "user", "content": "hi"}]
    messages = grouped(*rows)
    assert [message.role for message in messages] == ["tool", "user"]
    assert flat(messages)[0] == rows


@pytest.mark.parametrize(
    ("row", "param"),
    [
        (5, "input[0]"),
        ({"type": 5}, "input[0].type"),
        ({"content": "x"}, "input[0].role"),
        ({"role": "nobody", "content": "x"}, "input[0].role"),
        ({"role": "user", "content": 5}, "input[0].content"),
        ({"role": "user", "content": [5]}, "input[0].content[0]"),
        ({"role": "user", "content": [{"text": "x"}]}, "input[0].content[0].type"),
        ({"role": "user", "content": [{"type": "input_text"}]}, "input[0].content[0].text"),
        ({"role": "user", "content": [{"type": "refusal"}]}, "input[0].content[0].refusal"),
        ({"role": "user", "id": 5, "content": "x"}, "input[0].id"),
        ({"type": "function_call", "name": "f", "arguments": "{}"}, "input[0].call_id"),
        ({"type": "function_call", "call_id": "c", "arguments": "{}"}, "input[0].name"),
        ({"type": "function_call", "call_id": "c", "name": "f", "arguments": 5}, "input[0].arguments"),
        ({"type": "function_call_output", "output": "x"}, "input[0].call_id"),
        ({"type": "function_call_output", "call_id": "c", "output": 5}, "input[0].output"),
    ],
)
def test_what_is_malformed_is_named(row: Any, param: str) -> None:
    with pytest.raises(InvalidRequest) as raised:
        grouped(row)
    assert raised.value.param == param


def test_arguments_that_are_an_object_mean_its_json() -> None:
    ((call,),) = (message.parts for message in grouped({**CALL, "arguments": {"a": 1}}))
    assert isinstance(call, ToolCall)
    assert json.loads(call.arguments) == {"a": 1}


@pytest.mark.parametrize(
    "row",
    [
        {"role": "user", "content": [{"type": "input_image"}]},
        {"role": "user", "content": [{"type": "input_image", "image_url": "u", "file_id": "f"}]},
        {"role": "user", "content": [{"type": "input_file", "filename": "a"}]},
        {"role": "user", "content": [{"type": "input_file", "file_data": "QUJD", "filename": "a"}]},
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "QQ"}}]},
        {"role": "user", "content": [{"type": "input_audio", "input_audio": 5}]},
        {"role": "user", "content": [{"type": "input_video"}]},
        {"role": "user", "content": [{"type": "text", "text": "x"}]},
        {"role": "user", "content": [{"type": "input_text", "text": "x", "prompt_cache_breakpoint": 5}]},
        {
            "role": "user",
            "content": [{"type": "input_text", "text": "x", "prompt_cache_breakpoint": {"ttl": 5}}],
        },
        {"role": "assistant", "content": [{"type": "output_text", "text": "x", "annotations": 5}]},
        {
            "role": "assistant",
            "content": [{"type": "output_text", "text": "x", "annotations": [{"type": "x"}]}],
        },
        {
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": "x",
                    "annotations": [{"type": "url_citation", "start_index": "a"}],
                }
            ],
        },
        {"type": "reasoning"},
        {"type": "reasoning", "summary": 5, "content": 5, "encrypted_content": 5},
        {"type": "function_call_output", "call_id": "c", "output": "x", "name": "f"},
        {"role": "user", "content": "x", "~odd": 1},
    ],
)
def test_what_is_odd_goes_back_as_it_came(row: dict[str, Any]) -> None:
    assert flat(grouped(row)) == ([row], ())


def test_what_says_nothing_more_is_not_repeated() -> None:
    part = {"type": "output_text", "text": "x", "annotations": [], "logprobs": []}
    ((said_part,),) = (one.parts for one in grouped({"role": "assistant", "content": [part]}))
    assert isinstance(said_part, Text)
    assert (said_part.text, said_part.citations) == ("x", ())


def test_a_message_without_content_is_empty() -> None:
    assert grouped({"role": "user"}) == grouped({"role": "user", "content": None})
    assert flat(grouped({"role": "user"}))[0] == [{"role": "user", "content": []}]


# ---- what came from other protocols ----------------------------------------------------------------------------------


def seal_text() -> Text:
    return Text(text="b", seal=Seal(issuer="gemini", kind="signature", data="s"))


def said(*parts: Any, role: Any = "user", **more: Any) -> tuple[Message, ...]:
    return (Message(role=role, parts=parts, **more),)


@pytest.mark.parametrize(
    ("messages", "wire", "dropped"),
    [
        (
            said(Text(text="a"), Media(kind="image", source=Url(url="u"))),
            [
                {
                    "type": "message",
                    "role": "user",
                    "content": [
                        {"type": "input_text", "text": "a"},
                        {"type": "input_image", "image_url": "u", "detail": "auto"},
                    ],
                }
            ],
            (),
        ),
        (
            said(Text(text="a"), name="Ann"),
            [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]}],
            ("name",),
        ),
        (
            said(Text(text="a"), Refusal(text="no"), role="assistant", name="x"),
            [
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "a"}, {"type": "refusal", "refusal": "no"}],
                }
            ],
            ("name",),
        ),
        (said(Thinking(text="hm"), role="assistant"), [], ("reasoning",)),
        (
            said(
                Thinking(text="hm", seal=Seal(issuer="gemini", kind="signature", data="s")), role="assistant"
            ),
            [],
            ("signature", "reasoning"),
        ),
        (
            said(
                Thinking(seal=Seal(issuer="openai-responses", kind="encrypted", data="s")), role="assistant"
            ),
            [{"type": "reasoning", "summary": [], "encrypted_content": "s"}],
            (),
        ),
        (
            said(Media(kind="document", source=Inline(media_type="application/pdf", data="QQ"))),
            [
                {
                    "type": "message",
                    "role": "user",
                    "content": [
                        {
                            "type": "input_file",
                            "file_data": "data:application/pdf;base64,QQ",
                            "filename": "document",
                        }
                    ],
                }
            ],
            (),
        ),
        (
            said(
                Text(text="a", citations=(Citation(kind="page"), Citation(kind="url", url="u"))),
                role="assistant",
            ),
            [
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [
                        {
                            "type": "output_text",
                            "text": "a",
                            "annotations": [
                                {
                                    "type": "url_citation",
                                    "url": "u",
                                    "title": "",
                                    "start_index": 0,
                                    "end_index": 0,
                                }
                            ],
                        }
                    ],
                }
            ],
            ("citations",),
        ),
        (
            said(Text(text="a", citations=(Citation(kind="url", url="u"),)), seal_text()),
            [
                {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
                }
            ],
            ("citations", "signature"),
        ),
        (
            said(ToolResult(call_id="c", cache=Cache(), parts=(Text(text="a"), Text(text="b"))), role="tool"),
            [
                {
                    "type": "function_call_output",
                    "call_id": "c",
                    "output": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
                }
            ],
            ("cache_control",),
        ),
        (
            said(
                ToolCall(
                    call_id="c", name="f", cache=Cache(), seal=Seal(issuer="x", kind="signature", data="s")
                ),
                role="assistant",
            ),
            [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}],
            ("signature", "cache_control"),
        ),
        (
            said(ToolResult(call_id="c", structured='{"a":1}', is_error=True), role="tool"),
            [{"type": "function_call_output", "call_id": "c", "output": '{"a":1}'}],
            ("is_error",),
        ),
    ],
)
def test_what_came_from_elsewhere_takes_its_place_or_is_reported(
    messages: tuple[Message, ...], wire: list[Any], dropped: tuple[str, ...]
) -> None:
    assert flat(messages) == (wire, dropped)


@pytest.mark.parametrize(
    ("messages", "param"),
    [
        (said(Media(kind="video", source=Url(url="u"))), "input_video"),
        (said(Media(kind="audio", source=Url(url="u"))), "input_audio"),
        (said(Media(kind="document", source=File(ref="f", owner="anthropic-messages"))), "file_id"),
        (said(Media(kind="image", source=Url(url="u")), role="assistant"), "messages.image"),
        (said(Opaque(protocol="gemini", kind="code", body="{}")), "code"),
        (said(Opaque(protocol="gemini", kind="code", body="{}"), role="assistant"), "code"),
        (said(Text(text="x"), role="tool"), "messages"),
        (said(ToolResult(call_id="c", parts=(Thinking(text="x"),)), role="tool"), "thinking"),
    ],
)
def test_what_has_no_place_is_refused_by_name(messages: tuple[Message, ...], param: str) -> None:
    with pytest.raises(Unsupported) as raised:
        flat(messages)
    assert raised.value.param == param


def test_a_video_goes_where_the_provider_takes_one() -> None:
    wire, _ = flat(said(Media(kind="video", source=Url(url="u"))), "open-responses")
    assert wire[0]["content"] == [{"type": "input_video", "video_url": "u"}]


def test_the_plain_dialect_has_both_kinds_of_tools() -> None:
    assert PLAIN.custom_tools
    assert PLAIN.namespaces
