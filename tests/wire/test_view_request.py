"""A chat completions request as a typed value, and how it is read from an HTTP call."""

import doctest
import json
from typing import Any

import pytest

from turnout.errors import InvalidRequest, TooLarge
from turnout.model import Context, Headers, lane
from turnout.wire import chat
from turnout.wire.chat import (
    ChatCompletionChunk,
    ChatCompletionRequest,
    ChatContent,
    ChatContentPart,
    ChatFunction,
    ChatImageURL,
    ChatMessage,
    ChatObject,
    ChatStreamOptions,
    ChatTool,
    ChatToolCall,
    decode_request,
)

HELLO = '"messages":[{"role":"user","content":"hello"}]'
BODY = (
    '{"model":"m","stream":true,"stream_options":{"include_usage":true},'
    + HELLO
    + ',"tools":[{"type":"function",'
    '"function":{"name":"add","description":"adds","parameters":{"type":"object","z":1,"a":1.0}}}],'
    '"tool_choice":{"type":"function","function":{"name":"add"}},"parallel_tool_calls":false,"max_tokens":5,'
    '"max_completion_tokens":6,"stop":["a","b"],"temperature":0.50,"logit_bias":{"1":-100}}'
)


def plain(**members: Any) -> str:
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": "hello"}], **members})


@pytest.mark.states("P-080", "P-081")
def test_the_members_of_a_request_are_fields_and_the_others_are_kept_as_json() -> None:
    request = ChatCompletionRequest.decode(BODY)
    assert request.model == "m"
    assert request.stream is True
    assert request.stream_options == ChatStreamOptions(include_usage=True)
    assert request.messages == (ChatMessage.user("hello"),)
    function = ChatFunction(name="add", description="adds", parameters='{"type":"object","z":1,"a":1.0}')
    assert request.tools == (ChatTool(function=function),)
    assert request.tool_choice == '{"type":"function","function":{"name":"add"}}'
    assert request.parallel_tool_calls is False
    assert request.max_tokens == 5
    assert request.max_completion_tokens == 6
    assert request.stop == '["a","b"]'
    assert request.extra == {"temperature": "0.50", "logit_bias": '{"1":-100}'}
    assert request.member("temperature") == 0.5
    assert request.member("top_p") is None
    assert request.encode() == BODY.encode()


@pytest.mark.states("P-080")
def test_a_request_says_nothing_that_nobody_said() -> None:
    request = ChatCompletionRequest.decode("{" + HELLO + "}")
    assert request == ChatCompletionRequest(messages=(ChatMessage.user("hello"),), form=request.form)
    assert (request.model, request.stream, request.tools, request.tool_choice) == ("", False, (), None)
    assert (request.max_tokens, request.max_completion_tokens, request.stop) == (None, None, None)
    assert request.form is None


@pytest.mark.states("P-082")
def test_an_extra_member_is_written_unless_a_field_has_its_name() -> None:
    request = ChatCompletionRequest(
        model="m",
        messages=(ChatMessage.user("hello"),),
        extra={"model": '"forged"', "max_tokens": "9", "stream": "true", "seed": "7"},
    )
    assert json.loads(request.encode()) == {
        "model": "m",
        "messages": [{"role": "user", "content": "hello"}],
        "seed": 7,
    }


@pytest.mark.states("P-084")
def test_a_request_without_stream_options_never_gains_any() -> None:
    request = ChatCompletionRequest.decode(plain(stream=True))
    assert request.stream_options is None
    assert "stream_options" not in json.loads(request.encode())
    assert "stream_options" not in json.loads(request.replace(model="other").encode())
    assert "stream_options" not in json.loads(ChatCompletionRequest(stream=True).encode())


@pytest.mark.states("P-085")
@pytest.mark.parametrize(
    ("members", "value"),
    [({}, None), ({"parallel_tool_calls": True}, True), ({"parallel_tool_calls": False}, False)],
)
def test_parallel_tool_calls_has_three_states(members: dict[str, bool], value: bool | None) -> None:
    request = ChatCompletionRequest.decode(plain(**members))
    assert request.parallel_tool_calls is value
    assert json.loads(request.encode()) == json.loads(plain(**members))


@pytest.mark.states("P-086")
@pytest.mark.parametrize(
    "text", ['"auto"', '{ "type":"function", "function":{"name":"f"}}', '["a", "b"]', '"\\u0041"', "7"]
)
@pytest.mark.parametrize("name", ["tool_choice", "stop"])
def test_members_of_several_forms_keep_theirs(name: str, text: str) -> None:
    request = ChatCompletionRequest.decode(f'{{{HELLO},"{name}":{text}}}')
    assert getattr(request, name) == text
    assert request.encode() == f'{{{HELLO},"{name}":{text}}}'.encode()


@pytest.mark.parametrize(
    ("members", "field", "value", "other"),
    [
        ('"stream":false', "stream", False, True),
        ('"stream":null', "stream", False, True),
        ('"tools":[]', "tools", (), (ChatTool(),)),
        ('"tools":null', "tools", (), (ChatTool(),)),
        ('"max_tokens":null', "max_tokens", None, 3),
        ('"max_tokens":1e3', "max_tokens", 1000, 3),
        ('"max_tokens":7.0', "max_tokens", 7, 3),
        ('"stop":null', "stop", None, '"x"'),
        ('"model":""', "model", "", "m"),
        ('"model":null', "model", "", "m"),
        ('"stream_options":null', "stream_options", None, ChatStreamOptions(include_usage=True)),
    ],
)
def test_what_says_nothing_and_unusual_spellings_are_written_back_until_the_field_is_changed(
    members: str, field: str, value: object, other: object
) -> None:
    request = ChatCompletionRequest.decode(f"{{{members},{HELLO}}}")
    assert getattr(request, field) == value
    assert request.encode() == f"{{{members},{HELLO}}}".encode()
    changed = ChatCompletionRequest.decode(request.replace(**{field: other}).encode())
    assert getattr(changed, field) == other


@pytest.mark.states("P-032", "P-033")
def test_a_change_makes_another_request_in_the_same_order() -> None:
    request = ChatCompletionRequest.decode('{"seed":1,"messages":[],"model":"m","user":"u"}')
    changed = request.replace(model="other", extra={"user": '"u"', "new": "1"}, max_tokens=4)
    assert changed.encode() == b'{"messages":[],"model":"other","user":"u","max_tokens":4,"new":1}'
    assert request.encode() == b'{"seed":1,"messages":[],"model":"m","user":"u"}'
    with pytest.raises(AttributeError):
        request.model = "other"  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(TypeError):
        request.replace(temperature=1)


@pytest.mark.states("P-087", "P-088", "P-093")
def test_headers_are_copied_and_are_no_part_of_the_json() -> None:
    headers = {"Authorization": "Bearer key", "X-Tenant": "acme"}
    request = decode_request(BODY.encode(), headers)
    headers["Authorization"] = "changed"
    assert request.header.get("authorization") == "Bearer key"
    assert request.header.get("x-tenant") == "acme"
    assert request.encode() == BODY.encode()
    assert b"acme" not in request.encode()


@pytest.mark.states("P-088")
@pytest.mark.parametrize(
    "headers",
    [
        Headers.of({"A": "1", "B": "2"}),
        {"A": "1", "B": "2"},
        [("A", "1"), ("B", "2")],
        [(b"a", b"1"), (b"b", b"2")],
        iter([("a", "1"), ("b", "2")]),
    ],
)
def test_headers_are_taken_in_every_form_that_servers_give_them(headers: Any) -> None:
    assert decode_request(BODY.encode(), headers).header == Headers.of([("a", "1"), ("b", "2")])


@pytest.mark.states("P-089")
def test_a_request_shows_neither_its_headers_nor_its_messages_when_it_is_printed() -> None:
    request = decode_request(BODY.encode(), {"authorization": "Bearer key"})
    for shown in (repr(request), str(request), repr(request.received), f"{request}"):
        assert "key" not in shown
        assert "hello" not in shown
    assert repr(request) == "ChatCompletionRequest(model='m', 1 messages, Headers(authorization))"
    assert repr(request.received) == f"Received({len(BODY)} bytes)"


@pytest.mark.states("P-090")
def test_the_last_message_is_the_one_to_answer_or_an_empty_one() -> None:
    first, last = ChatMessage.user("first"), ChatMessage.assistant("last")
    assert ChatCompletionRequest(messages=(first, last)).last_message == last
    assert ChatCompletionRequest().last_message == ChatMessage()


@pytest.mark.states("P-091")
@pytest.mark.parametrize(
    ("members", "limit"),
    [
        ({}, 0),
        ({"max_tokens": 5}, 5),
        ({"max_completion_tokens": 6}, 6),
        ({"max_tokens": 5, "max_completion_tokens": 6}, 6),
        ({"max_tokens": 5, "max_completion_tokens": None}, 5),
        ({"max_tokens": None}, 0),
    ],
)
def test_the_current_name_of_the_limit_goes_before_the_former(
    members: dict[str, int | None], limit: int
) -> None:
    assert ChatCompletionRequest.decode(plain(**members)).max_output_tokens == limit


@pytest.mark.states("P-092", "P-113")
@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ({}, False),
        ({"stream_options": None}, False),
        ({"stream_options": {}}, False),
        ({"stream_options": {"include_usage": False}}, False),
        ({"stream_options": {"include_usage": None}}, False),
        ({"stream_options": {"include_usage": True, "include_obfuscation": False}}, True),
    ],
)
def test_usage_is_requested_only_by_the_stream_option(members: dict[str, Any], wanted: bool) -> None:
    request = ChatCompletionRequest.decode(plain(**members))
    assert request.usage_requested is wanted
    assert json.loads(request.encode()) == json.loads(plain(**members))


@pytest.mark.states("P-093")
def test_a_request_is_read_from_body_and_headers() -> None:
    request = decode_request(BODY.encode(), {"x": "1"})
    assert request == ChatCompletionRequest.decode(BODY).replace(header=Headers.of({"x": "1"}))
    assert decode_request(BODY.encode()).header == Headers()
    assert decode_request(f"{{{HELLO}}}".encode()).model == ""


@pytest.mark.parametrize(
    ("body", "param"),
    [
        pytest.param(b'{"messages":[{"role":"\xff"}]}', None, marks=pytest.mark.states("P-094")),
        pytest.param(b"", None, marks=pytest.mark.states("P-095")),
        pytest.param(b"hello", None, marks=pytest.mark.states("P-095")),
        pytest.param(b'{"messages":', None, marks=pytest.mark.states("P-095")),
        pytest.param(b"[]", None, marks=pytest.mark.states("P-095")),
        pytest.param(b"null", None, marks=pytest.mark.states("P-095")),
        pytest.param(b'{"messages":{}}', "messages", marks=pytest.mark.states("P-095")),
        pytest.param(b'{"messages":["hello"]}', "messages[0]", marks=pytest.mark.states("P-095")),
        pytest.param(b'{"messages":[{"role":1}]}', "messages[0].role", marks=pytest.mark.states("P-095")),
        pytest.param(b"{}", "messages", marks=pytest.mark.states("P-096")),
        pytest.param(b'{"messages":[]}', "messages", marks=pytest.mark.states("P-096")),
        pytest.param(b'{"messages":null}', "messages", marks=pytest.mark.states("P-096")),
        pytest.param(
            b'{"messages":[{"content":1}]}', "messages[0].content", marks=pytest.mark.states("P-097")
        ),
        pytest.param(
            b'{"messages":[{},{"content":{}}]}', "messages[1].content", marks=pytest.mark.states("P-097")
        ),
        pytest.param(
            b'{"messages":[{"content":true}]}', "messages[0].content", marks=pytest.mark.states("P-097")
        ),
        pytest.param(
            b'{"messages":[{"content":["a"]}]}', "messages[0].content[0]", marks=pytest.mark.states("P-097")
        ),
    ],
)
def test_what_is_no_request_is_refused_and_the_member_named(body: bytes, param: str | None) -> None:
    with pytest.raises(InvalidRequest) as caught:
        decode_request(body)
    assert caught.value.param == param
    assert caught.value.status == 400
    assert param is None or param in caught.value.message


@pytest.mark.parametrize(
    ("members", "param"),
    [
        ('"model":1', "model"),
        ('"stream":1', "stream"),
        ('"stream_options":[]', "stream_options"),
        ('"stream_options":{"include_usage":"yes"}', "stream_options.include_usage"),
        ('"tools":[{"function":{"name":1}}]', "tools[0].function.name"),
        ('"tools":"none"', "tools"),
        ('"max_tokens":"5"', "max_tokens"),
        ('"max_tokens":1.5', "max_tokens"),
        ('"max_tokens":true', "max_tokens"),
        ('"parallel_tool_calls":"no"', "parallel_tool_calls"),
    ],
)
def test_a_member_of_the_wrong_type_is_named(members: str, param: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        decode_request(f"{{{HELLO},{members}}}".encode())
    assert caught.value.param == param


@pytest.mark.parametrize(
    "twice", ['"model":"a","model":"b"', '"\\u006dodel":"a"', '"model":"a","stream":true,"stream":false']
)
def test_a_request_that_parsers_read_differently_is_refused(twice: str) -> None:
    with pytest.raises(InvalidRequest):
        decode_request(f"{{{twice},{HELLO}}}".encode())


def test_a_body_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="too deeply"):
        decode_request(f'{{{HELLO},"x":{"[" * 100_000}{"]" * 100_000}}}'.encode())


def test_half_a_surrogate_pair_is_read_as_the_replacement_character() -> None:
    request = decode_request(rb'{"messages":[{"role":"user","content":"cut \ud83d"}],"x":"\ude00"}')
    assert request.last_message.text == "cut \ufffd"
    assert request.member("x") == "\ufffd"


@pytest.mark.states("P-098")
def test_a_body_over_the_limit_is_told_from_a_bad_one() -> None:
    body = BODY.encode()
    assert decode_request(body, limit=len(body)).model == "m"
    with pytest.raises(TooLarge) as caught:
        decode_request(body, limit=len(body) - 1)
    assert caught.value.status == 413
    with pytest.raises(TooLarge):
        decode_request(b"x" * 100, limit=10)


@pytest.mark.states("P-026", "P-048")
def test_a_request_goes_on_in_the_very_bytes_that_it_came_in() -> None:
    body = json.dumps(json.loads(BODY), indent=2).encode()
    context = Context(request_id="r1")
    request = decode_request(body, {"x": "1"}).to_request(context)
    assert request.source is not None
    assert request.source.body == body
    assert request.source.headers.get("x") == "1"
    assert (request.model, request.stream, request.context) == ("m", True, context)
    assert lane(request, "openai-chat") == "bytes"
    assert request.last_user_text == "hello"


@pytest.mark.states("P-026", "P-030")
def test_a_request_that_was_changed_or_made_by_hand_goes_on_as_it_is_written() -> None:
    changed = decode_request(BODY.encode()).replace(model="other")
    source = changed.to_request().source
    assert source is not None
    assert source.body == changed.encode()
    made = ChatCompletionRequest(model="m", messages=(ChatMessage.user("by hand"),))
    request = made.to_request()
    assert request.last_user_text == "by hand"
    assert request.source is not None
    assert request.source.body == b'{"model":"m","messages":[{"role":"user","content":"by hand"}]}'


def test_where_a_request_is_from_is_no_part_of_it() -> None:
    one, other = decode_request(BODY.encode()), ChatCompletionRequest.decode(BODY)
    assert one == other
    assert hash(one.received) == hash(other.received)
    assert one.received != "bytes"


def test_a_value_of_a_wrong_type_is_not_written() -> None:
    message = ChatMessage.user("hello")
    wrong: list[Any] = [
        ChatCompletionRequest(model=1, messages=(message,)),  # pyright: ignore[reportArgumentType]
        ChatCompletionRequest(max_tokens="5"),  # pyright: ignore[reportArgumentType]
        ChatCompletionRequest(stop=["a"]),  # pyright: ignore[reportArgumentType]
    ]
    for request in wrong:
        with pytest.raises(TypeError):
            request.encode()
    with pytest.raises(ValueError, match="surrogates"):
        ChatCompletionRequest(model="\ud83d").encode()


@pytest.mark.parametrize(
    "shown",
    [
        ChatObject.member,
        ChatContentPart,
        ChatToolCall,
        ChatMessage,
        ChatCompletionRequest,
        ChatCompletionChunk,
    ],
)
def test_the_examples_of_the_documentation_are_true(shown: Any) -> None:
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder(recurse=False).find(shown, shown.__qualname__, globs=vars_of_chat()):
        assert runner.run(example).failed == 0
    assert runner.tries > 0


def vars_of_chat() -> dict[str, Any]:
    return {name: getattr(chat, name) for name in chat.__all__}


def test_a_picture_beside_a_text_reads_as_it_is_written() -> None:
    picture = ChatContentPart(
        type="image_url", image_url=ChatImageURL(url="https://example.org/cat.png", detail="low")
    )
    request = ChatCompletionRequest(model="m", messages=(ChatMessage.user("What is this?", picture),))
    assert ChatCompletionRequest.decode(request.encode()) == request
    assert request.last_message.content == ChatContent.of("What is this?", picture)
