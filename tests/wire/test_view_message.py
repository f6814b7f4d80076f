"""Messages, contents, tools and calls as typed values."""

import json

import pytest

from turnout.errors import InvalidRequest
from turnout.wire.chat import (
    ChatCacheControl,
    ChatContent,
    ChatContentPart,
    ChatFunction,
    ChatFunctionCall,
    ChatImageURL,
    ChatMessage,
    ChatTool,
    ChatToolCall,
)

CALL = ChatToolCall(id="call_1", function=ChatFunctionCall(name="add", arguments='{"a":1}'))
CALL_JSON = b'{"id":"call_1","type":"function","function":{"name":"add","arguments":"{\\"a\\":1}"}}'


@pytest.mark.states("P-099")
def test_the_members_of_a_message_are_fields_and_the_others_are_kept() -> None:
    text = b'{"role":"tool","content":"3","tool_call_id":"call_1","name":"calculator","mood":{"a":1.0}}'
    message = ChatMessage.decode(text)
    assert (message.role, message.text, message.tool_call_id, message.name) == (
        "tool",
        "3",
        "call_1",
        "calculator",
    )
    assert message.extra == {"mood": '{"a":1.0}'}
    assert message.encode() == text


@pytest.mark.states("P-099")
def test_a_message_may_ask_for_calls() -> None:
    text = b'{"role":"assistant","content":null,"tool_calls":[' + CALL_JSON + b"]}"
    assert ChatMessage.decode(text) == ChatMessage.assistant(tool_calls=[CALL])
    assert ChatMessage.assistant(tool_calls=[CALL]).encode() == text


@pytest.mark.states("P-100")
def test_null_content_stays_null_and_missing_content_stays_missing() -> None:
    null = b'{"role":"assistant","content":null}'
    assert ChatMessage.decode(null) == ChatMessage.assistant()
    assert ChatMessage.decode(null).encode() == null
    missing = b'{"role":"assistant"}'
    message = ChatMessage.decode(missing)
    assert message.text == ""
    assert len(message.content) == 0
    assert message.encode() == missing
    assert message.replace(content=ChatContent.of("now")).encode() == b'{"role":"assistant","content":"now"}'


@pytest.mark.states("P-101")
@pytest.mark.parametrize("role", ["user", "system", "developer", "assistant", "function", "tool", "critic"])
def test_every_role_is_kept(role: str) -> None:
    message = ChatMessage(role=role, content=ChatContent.of("x"))
    assert message.encode() == f'{{"role":"{role}","content":"x"}}'.encode()
    assert ChatMessage.decode(message.encode()) == message


@pytest.mark.states("P-101")
def test_the_usual_messages_are_short_to_write() -> None:
    assert ChatMessage.user("a") == ChatMessage(role="user", content=ChatContent.of("a"))
    assert ChatMessage.system("a") == ChatMessage(role="system", content=ChatContent.of("a"))
    assert ChatMessage.assistant("a") == ChatMessage(role="assistant", content=ChatContent.of("a"))
    assert ChatMessage.tool("id", "a") == ChatMessage(
        role="tool", tool_call_id="id", content=ChatContent.of("a")
    )


@pytest.mark.states("P-102")
def test_only_tool_and_function_messages_hold_the_result_of_a_tool() -> None:
    roles = ("user", "system", "developer", "assistant", "function", "tool", "", "critic")
    assert [role for role in roles if ChatMessage(role=role).has_tool_role] == ["function", "tool"]


@pytest.mark.states("P-103")
@pytest.mark.parametrize(
    ("wire", "parts"),
    [
        ("null", ()),
        ('"hi"', (ChatContentPart(text="hi"),)),
        ('""', (ChatContentPart(text=""),)),
        ("[]", ()),
        ('[{"type":"text","text":"hi"}]', (ChatContentPart(text="hi"),)),
        (
            '[{"type":"text","text":"a"},{"type":"text","text":"b"}]',
            (ChatContentPart(text="a"), ChatContentPart(text="b")),
        ),
    ],
)
def test_content_is_a_list_of_parts_whatever_its_form(wire: str, parts: tuple[ChatContentPart, ...]) -> None:
    text = f'{{"role":"user","content":{wire}}}'.encode()
    message = ChatMessage.decode(text)
    assert message.content.parts == parts
    assert tuple(message.content) == parts
    assert len(message.content) == len(parts)
    assert [message.content[n] for n in range(len(parts))] == list(parts)
    assert message.encode() == text


@pytest.mark.states("P-104")
@pytest.mark.parametrize(
    ("content", "wire"),
    [
        (ChatContent(), "null"),
        (ChatContent.of("hi"), '"hi"'),
        (ChatContent.of(""), '""'),
        (ChatContent(as_list=True), "[]"),
        (ChatContent(parts=(ChatContentPart(text="hi"),), as_list=True), '[{"type":"text","text":"hi"}]'),
        (
            ChatContent.of(ChatContentPart(text="hi", cache_control=ChatCacheControl())),
            '[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]',
        ),
        (ChatContent.of(ChatContentPart(text="hi", extra={"x": "1"})), '[{"type":"text","text":"hi","x":1}]'),
        (ChatContent.of("a", ""), '[{"type":"text","text":"a"},{"type":"text","text":""}]'),
        (
            ChatContent.of(ChatContentPart(type="image_url", image_url=ChatImageURL(url="u"))),
            '[{"type":"image_url","image_url":{"url":"u"}}]',
        ),
    ],
)
def test_a_lone_text_is_a_string_unless_a_string_cannot_hold_it(content: ChatContent, wire: str) -> None:
    message = ChatMessage(role="user", content=content)
    assert message.encode() == f'{{"role":"user","content":{wire}}}'.encode()
    assert ChatMessage.decode(message.encode()) == message


@pytest.mark.deviates(
    "P-104", "a lone text part that its sender wrote in a list goes back in a list, so that nothing changes"
)
def test_a_lone_text_that_was_sent_in_a_list_goes_back_in_a_list() -> None:
    text = b'{"role":"user","content":[{"type":"text","text":"hi"}]}'
    assert ChatMessage.decode(text).encode() == text


@pytest.mark.states("P-105")
def test_the_text_of_a_content_is_its_text_parts_by_lines() -> None:
    picture = ChatContentPart(type="image_url", image_url=ChatImageURL(url="u"))
    assert ChatContent.of("a", picture, "b\nc").text == "a\nb\nc"
    assert ChatContent.of(picture).text == ""
    assert ChatContent().text == ""


@pytest.mark.states("P-106", "P-107", "P-109")
def test_the_members_of_a_part_are_fields_and_the_others_are_kept() -> None:
    text = (
        b'{"type":"image_url","image_url":{"url":"data:image/png;base64,AA==","detail":"low","w":1},'
        b'"cache_control":{"type":"ephemeral","ttl":"1h","scope":"x"},"id":"p1"}'
    )
    part = ChatContentPart.decode(text)
    assert part.image_url == ChatImageURL(url="data:image/png;base64,AA==", detail="low", extra={"w": "1"})
    assert part.cache_control == ChatCacheControl(ttl="1h", extra={"scope": '"x"'})
    assert part.extra == {"id": '"p1"'}
    assert part.encode() == text


@pytest.mark.states("P-107")
def test_a_part_of_an_unknown_type_survives() -> None:
    text = b'{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}}'
    part = ChatContentPart.decode(text)
    assert (part.type, part.text) == ("input_audio", "")
    assert part.member("input_audio") == {"data": "AA==", "format": "wav"}
    assert part.encode() == text
    message = ChatMessage.user("listen", part)
    assert ChatMessage.decode(message.encode()) == message
    assert ChatMessage.user(part).encode() == b'{"role":"user","content":[' + text + b"]}"


@pytest.mark.states("P-108")
def test_a_cache_breakpoint_survives_beside_its_text() -> None:
    text = b'{"role":"user","content":[{"type":"text","text":"long","cache_control":{"type":"ephemeral","ttl":"5m"}}]}'
    message = ChatMessage.decode(text)
    assert message.content[0].cache_control == ChatCacheControl(ttl="5m")
    assert message.encode() == text


@pytest.mark.states("P-110")
def test_a_tool_and_its_function_keep_their_members() -> None:
    text = (
        b'{"type":"function","function":{"name":"add","description":"adds","parameters":{"z":1,"a":[1.0]},'
        b'"strict":true},"cache_control":{"type":"ephemeral"}}'
    )
    tool = ChatTool.decode(text)
    function = ChatFunction(
        name="add", description="adds", parameters='{"z":1,"a":[1.0]}', extra={"strict": "true"}
    )
    assert tool == ChatTool(function=function, extra={"cache_control": '{"type":"ephemeral"}'})
    assert tool.encode() == text
    assert (
        ChatTool(function=ChatFunction(name="f")).encode() == b'{"type":"function","function":{"name":"f"}}'
    )


@pytest.mark.states("P-110", "P-111")
@pytest.mark.parametrize("kind", [ChatTool, ChatToolCall])
def test_a_tool_of_another_type_survives(kind: type[ChatTool | ChatToolCall]) -> None:
    text = b'{"id":"1","type":"custom","custom":{"name":"sql","input":"select 1"}}'
    value = kind.decode(text)
    assert (value.type, value.function) == ("custom", None)
    assert json.loads(value.encode()) == json.loads(text)


@pytest.mark.states("P-111")
def test_a_call_and_its_function_keep_their_members() -> None:
    text = b'{"id":"c","type":"function","function":{"name":"f","arguments":"{ }","x":1},"index":0}'
    call = ChatToolCall.decode(text)
    function = ChatFunctionCall(name="f", arguments="{ }", extra={"x": "1"})
    assert call == ChatToolCall(id="c", function=function, extra={"index": "0"})
    assert call.encode() == text
    assert CALL.encode() == CALL_JSON


@pytest.mark.states("P-111")
def test_a_type_that_a_client_leaves_out_is_understood_and_stays_out() -> None:
    text = b'{"id":"c","function":{"name":"f","arguments":"{}"}}'
    call = ChatToolCall.decode(text)
    assert call.type == "function"
    assert call.encode() == text
    assert call.replace(type="other").encode() == text.replace(b'"c",', b'"c","type":"other",')


@pytest.mark.states("P-112")
def test_the_arguments_of_a_call_are_always_written() -> None:
    assert ChatFunctionCall(name="f").encode() == b'{"name":"f","arguments":""}'
    assert ChatFunctionCall.decode(b'{"name":"f"}').encode() == b'{"name":"f","arguments":""}'
    assert (
        ChatFunctionCall.decode(b'{"name":"f","arguments":null}').encode() == b'{"name":"f","arguments":null}'
    )


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"[]", None),
        (b'{"role":', None),
        (b'{"content":[{"type":"text"},{"image_url":"u"}]}', "content[1].image_url"),
        (b'{"content":[{"cache_control":1}]}', "content[0].cache_control"),
        (b'{"tool_calls":[{"function":{"arguments":{}}}]}', "tool_calls[0].function.arguments"),
        (b'{"name":7}', "name"),
    ],
)
def test_a_message_that_is_none_is_refused_and_the_member_named(body: bytes, param: str | None) -> None:
    with pytest.raises(InvalidRequest) as caught:
        ChatMessage.decode(body)
    assert caught.value.param == param
