"""What came from another protocol, written as a Chat Completions request."""

import json
from base64 import b64encode
from typing import Any

import pytest

from turnout.model import (
    Body,
    Cache,
    Extra,
    Inline,
    Media,
    Message,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    Url,
)
from turnout.model.errors import Unsupported
from turnout.wire.chat import CODEC, DIALECTS

ELSEWHERE = Extra(protocol="anthropic-messages", members={"~source": "null"})


def write(*messages: Message, dialect: str = "", **fields: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    body = Body(messages=messages, want_usage=False, **fields)
    data, dropped = CODEC.encode_request("m", False, body, DIALECTS[dialect], False)
    return json.loads(data), dropped


def document(source: Any, **more: Any) -> Message:
    part = Media(kind="document", source=source, extra=ELSEWHERE, **more)
    return Message(role="user", parts=(part,))


def plain(words: str) -> Inline:
    return Inline(media_type="text/plain", data=b64encode(words.encode()).decode())


def test_a_plain_text_document_of_others_is_told_as_text() -> None:
    wire, _ = write(document(plain("größe"), name="Sizes", context="from the shop"))
    assert wire["messages"][0]["content"] == [{"type": "text", "text": "Sizes\n\nfrom the shop\n\ngröße"}]
    with pytest.raises(Unsupported):
        write(document(Inline(media_type="text/plain", data="=")))


def test_a_pdf_of_others_gets_the_name_that_files_need() -> None:
    pdf = Inline(media_type="application/pdf", data="AAAA")
    wire, _ = write(document(pdf))
    file = {"file_data": "data:application/pdf;base64,AAAA", "filename": "document.pdf"}
    assert wire["messages"][0]["content"] == [{"type": "file", "file": file}]
    wire, _ = write(document(pdf, name="a.pdf"))
    assert wire["messages"][0]["content"][0]["file"]["filename"] == "a.pdf"


def test_a_document_of_others_at_an_address_is_refused() -> None:
    with pytest.raises(Unsupported) as refused:
        write(document(Url(url="https://example.test/a.pdf")))
    assert refused.value.param == "file"


@pytest.mark.states("T-035")
@pytest.mark.parametrize(
    ("parts", "content"),
    [
        ((Text(text="no such file"),), "Error: no such file"),
        ((Text(text="Error 5"),), "Error 5"),
        ((), "Error"),
    ],
)
def test_a_failed_call_says_so_in_words(parts: tuple[Text, ...], content: str) -> None:
    call = Message(role="assistant", parts=(ToolCall(call_id="c", name="f"),))
    result = Message(role="tool", parts=(ToolResult(call_id="c", parts=parts, is_error=True),))
    wire, dropped = write(call, result)
    assert wire["messages"][1]["content"] == content
    assert dropped == ()


def test_a_user_that_is_a_whole_session_is_left_out() -> None:
    hi = Message(role="user", parts=(Text(text="hi"),))
    elsewhere = Extra(protocol="anthropic-messages", members={"~user": "null"})
    wire, dropped = write(hi, user="x" * 65, extra=elsewhere)
    assert "user" not in wire
    assert dropped == ("user",)
    for user, extra in (("x" * 64, elsewhere), ("x" * 65, None)):
        wire, dropped = write(hi, user=user, extra=extra)
        assert wire["user"] == user
        assert dropped == ()


@pytest.mark.states("P-184")
def test_breakpoints_stand_only_where_the_provider_takes_them() -> None:
    tool = Tool(name="f", parameters="{}", cache=Cache())
    hi = Message(role="user", parts=(Text(text="hi", cache=Cache(ttl="30m")),))
    wire, dropped = write(hi, dialect="openai", tools=(tool,))
    marker = {"mode": "explicit", "ttl": "30m"}
    assert wire["messages"][0]["content"][0]["prompt_cache_breakpoint"] == marker
    assert wire["tools"] == [{"type": "function", "function": {"name": "f", "parameters": {}}}]
    assert dropped == ("cache_control",)
    wire, dropped = write(hi, dialect="openrouter", tools=(tool,))
    assert wire["tools"][0]["cache_control"] == {"type": "ephemeral"}
    assert dropped == ()
