"""A request is cheap, immutable, decoded at most once, and knows what differs from how it came."""

from typing import Any, cast, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.strategies import protocols, requests
from turnout.model import (
    NO_CONTEXT,
    Body,
    Context,
    Headers,
    Lane,
    Message,
    ProtocolName,
    Request,
    Source,
    Text,
    Tool,
    lane,
)
from turnout.model.errors import InvalidRequest

BODY = Body(messages=(Message(role="user", parts=(Text(text="hi"),)),), temperature=1.0)
SOURCE = Source(protocol="openai-chat", body=b"{}")


class Decode:
    """A codec's function that counts its calls."""

    def __init__(self, body: Body = BODY) -> None:
        self.calls = 0
        self.body = body

    def __call__(self) -> Body:
        self.calls += 1
        return self.body


def test_a_request_that_is_not_looked_into_is_never_decoded() -> None:
    decode = Decode()
    request = Request(model="m", source=SOURCE, decode=decode)
    other = request.replace(model="n", stream=True, context=Context(request_id="r"))
    assert lane(other, "openai-chat") == "rewrite"
    assert (decode.calls, other.decoded) == (0, False)


def test_all_copies_share_one_decoding() -> None:
    decode = Decode()
    request = Request(model="m", source=SOURCE, decode=decode)
    copy = request.replace(model="n")
    other = copy.replace(temperature=0.5)
    bodies = [request.body, copy.body, other.replace(temperature=1.0).body]
    assert bodies == [BODY] * 3
    assert request.body is copy.body
    assert copy.decoded
    assert decode.calls == 1


def test_a_malformed_body_is_told_at_every_touch() -> None:
    def decode() -> Body:
        raise InvalidRequest("not an object", param="messages")

    request = Request(model="m", source=SOURCE, decode=decode)
    for _ in range(2):
        with pytest.raises(InvalidRequest):
            _ = request.body
    assert not request.decoded


def test_a_request_without_anything_says_nothing() -> None:
    request = Request()
    assert request.body == Body(messages=())
    assert (request.model, request.stream, request.source, request.context) == ("", False, None, NO_CONTEXT)
    assert request.last_user_text == ""


def test_a_request_shows_its_messages_and_tools() -> None:
    messages = (
        Message(role="user", parts=(Text(text="first"),)),
        Message(role="user", parts=(Text(text="one"), Text(text="two"))),
        Message(role="assistant", parts=(Text(text="said"),)),
    )
    request = Request(body=Body(messages=messages, tools=(Tool(name="t"),)))
    assert request.messages == messages
    assert request.tools == (Tool(name="t"),)
    assert request.last_user_text == "one\ntwo"


OTHERS: dict[str, Any] = {
    "tools": (Tool(name="another"),),
    "temperature": 1.75,
    "parallel": None,
    "metadata": {"another": "value"},
    "store": True,
    "messages": (Message(role="user", parts=(Text(text="another"),)),),
}
changes = st.lists(
    st.dictionaries(
        st.sampled_from(["model", "stream", *OTHERS]),
        st.booleans(),
        max_size=4,
    ),
    max_size=4,
)


@given(request=requests, steps=changes)
def test_changed_names_exactly_what_differs_from_the_first(
    request: Request, steps: list[dict[str, bool]]
) -> None:
    def value(name: str, other: bool) -> Any:
        if name == "model":
            return "another" if other else request.model
        if name == "stream":
            return not request.stream if other else request.stream
        return OTHERS[name] if other else getattr(request.body, name)

    copy = request
    expected: dict[str, Any] = {}
    for step in steps:
        fields = {name: value(name, other) for name, other in step.items()}
        expected |= fields
        copy = copy.replace(**fields)
    for name, wanted in expected.items():
        assert getattr(copy if name in {"model", "stream"} else copy.body, name) == wanted
    differing = {
        name
        for name in ("model", "stream", *Body.__struct_fields__)
        if getattr(copy if name in {"model", "stream"} else copy.body, name)
        != getattr(request if name in {"model", "stream"} else request.body, name)
    }
    assert copy.changed == differing
    assert request.changed == frozenset()
    assert copy.source is request.source


def test_a_change_that_is_taken_back_is_none() -> None:
    request = Request(model="m", body=BODY, source=SOURCE)
    there = request.replace(model="n", stream=True, temperature=0.0)
    assert there.changed == {"model", "stream", "temperature"}
    assert there.replace(model="m").changed == {"stream", "temperature"}
    assert there.replace(stream=False).changed == {"model", "temperature"}
    assert lane(there.replace(stream=False, temperature=1.0), "openai-chat") == "splice"
    assert lane(there.replace(model="m", stream=False, temperature=1.0), "openai-chat") == "bytes"


def test_a_change_that_the_maker_declared_is_never_taken_back() -> None:
    request = Request(
        model="m", body=BODY, source=SOURCE, changed=frozenset({"model", "stream", "temperature"})
    )
    there = request.replace(model="n", stream=True, temperature=0.0)
    back = there.replace(model="m", stream=False, temperature=1.0)
    assert back.changed == {"model", "stream", "temperature"}


def test_a_body_field_that_is_given_its_own_value_changes_nothing() -> None:
    request = Request(body=BODY, source=SOURCE)
    copy = request.replace(temperature=1.0, stream=False, model="")
    assert copy.changed == frozenset()
    assert copy.body is request.body


def test_the_context_never_counts_as_a_change() -> None:
    request = Request(model="m", source=SOURCE).replace(context=Context(request_id="r"))
    assert request.changed == frozenset()
    assert request.context.request_id == "r"


@pytest.mark.parametrize("name", ["source", "body", "changed", "decode", "nonsense"])
def test_replace_takes_no_other_names_and_decodes_nothing_for_them(name: str) -> None:
    decode = Decode()
    request = Request(model="m", source=SOURCE, decode=decode)
    with pytest.raises(TypeError, match=name):
        request.replace(**{name: None})
    assert decode.calls == 0


@pytest.mark.parametrize("name", ["model", "stream", "source", "context", "changed", "anything"])
def test_a_request_cannot_be_changed(name: str) -> None:
    request = Request(model="m")
    with pytest.raises(AttributeError):
        setattr(request, name, "x")
    with pytest.raises(AttributeError):
        delattr(request, name)
    assert request.model == "m"


def test_bodies_and_sources_are_frozen() -> None:
    for value in (BODY, SOURCE, BODY.messages[0]):
        with pytest.raises(AttributeError):
            cast("Any", value).extra = None


SECRET = "sk-very-secret"


def test_what_prints_a_request_shows_no_secret() -> None:
    source = Source(
        protocol="gemini",
        body=SECRET.encode(),
        headers=Headers.of({"x-goog-api-key": SECRET}),
        path="/models/m:generateContent",
        query=f"key={SECRET}",
    )
    body = Body(messages=(Message(role="user", parts=(Text(text=SECRET),)),), user=SECRET)
    request = Request(model="m", source=source, body=body)
    shown = f"{source!r} {request!r} {request.context!r}"
    assert SECRET not in shown
    assert "x-goog-api-key" in shown
    assert f"{len(SECRET)} bytes" in shown
    assert "'m'" in shown


# ---- lanes

BYTES_OF_ANOTHER = Source(protocol="anthropic-messages", body=b"{}")


@pytest.mark.parametrize(
    ("source", "changed", "expected"),
    [
        (None, set[str](), "translate"),
        (None, {"model"}, "translate"),
        (BYTES_OF_ANOTHER, set[str](), "translate"),
        (BYTES_OF_ANOTHER, {"model"}, "translate"),
        (BYTES_OF_ANOTHER, {"temperature"}, "translate"),
        (SOURCE, set[str](), "bytes"),
        (SOURCE, {"model"}, "splice"),
        (SOURCE, {"stream"}, "rewrite"),
        (SOURCE, {"temperature"}, "rewrite"),
        (SOURCE, {"model", "messages"}, "rewrite"),
    ],
)
def test_the_lane_follows_from_source_and_changes(
    source: Source | None, changed: set[str], expected: Lane
) -> None:
    assert lane(Request(source=source, changed=frozenset(changed)), "openai-chat") == expected


@given(request=requests, steps=changes, target=protocols)
def test_the_lane_is_total_and_never_sends_stale_bytes(
    request: Request, steps: list[dict[str, bool]], target: ProtocolName
) -> None:
    copy = request
    for step in steps:
        copy = copy.replace(**{name: OTHERS.get(name, "another") for name, other in step.items() if other})
    found = lane(copy, target)
    assert found in get_args(Lane)
    same_protocol = copy.source is not None and copy.source.protocol == target
    assert (found == "translate") is not same_protocol
    if found in {"bytes", "splice"}:
        assert copy.body == request.body
        assert copy.stream == request.stream
    if found == "bytes":
        assert copy.model == request.model
