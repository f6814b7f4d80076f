"""Headers, contexts, messages and actions as values."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.strategies import header_items, headers, json_objects, words
from turnout.model import (
    NO_CONTEXT,
    NO_HEADERS,
    ActionDescriptor,
    ActionIntent,
    AgentIdentity,
    Answer,
    Context,
    Descriptors,
    Headers,
    IdempotencyKey,
    Intent,
    Media,
    Message,
    Refusal,
    Text,
    Thinking,
    Thread,
    Url,
    User,
)

SECRET = "sk-very-secret"


@given(items=header_items, data=st.data())
def test_headers_are_found_whatever_their_case(items: list[tuple[str, str]], data: st.DataObject) -> None:
    found = Headers.of(items)
    for name, _ in items:
        asked = "".join(data.draw(st.sampled_from([letter.lower(), letter.upper()])) for letter in name)
        values = tuple(value for key, value in items if key.lower() == name.lower())
        assert found.get_all(asked) == values
        assert found.get(asked) == values[0]
        assert asked in found
    assert len(found) == len(items)
    assert list(found.items()) == [(name.lower(), value) for name, value in items]
    assert list(found) == [name.lower() for name, _ in items]


@given(items=header_items)
def test_the_case_of_names_makes_no_difference_to_equality(items: list[tuple[str, str]]) -> None:
    one = Headers.of(items)
    other = Headers([(name.upper().encode(), value.encode("latin-1")) for name, value in items])
    assert one == other
    assert hash(one) == hash(other)
    assert one != Headers.of([*items, ("another", "")])
    assert one != items


@given(items=header_items)
def test_headers_in_lower_case_are_taken_as_they_are(items: list[tuple[str, str]]) -> None:
    made = Headers.of(items)
    assert Headers.lower(list(made.raw)) == made


@pytest.mark.parametrize("asked", ["x-a", "X-A", "x-A"])
def test_a_header_that_comes_twice_keeps_both_values(asked: str) -> None:
    found = Headers.of([("other", "0"), ("X-a", "1"), ("x-A", "2")])
    assert found.get(asked) == "1"
    assert found.get_all(asked) == ("1", "2")
    assert list(found) == ["other", "x-a", "x-a"]
    assert list(found.items()) == [("other", "0"), ("x-a", "1"), ("x-a", "2")]


def test_a_header_that_is_missing_gives_the_default() -> None:
    assert NO_HEADERS.get("x") is None
    assert NO_HEADERS.get("x", "default") == "default"
    assert NO_HEADERS.get_all("x") == ()
    assert "x" not in NO_HEADERS
    assert Headers.of({"ä": "1"}).get("имя") is None, "no HTTP name, so nobody has it"


@given(name=words, values=st.lists(words, min_size=1, max_size=3))
def test_printing_headers_shows_names_only(name: str, values: list[str]) -> None:
    shown = repr(Headers.of([(name, f"{SECRET}{value}") for value in values]))
    assert SECRET not in shown
    assert shown == f"Headers({', '.join([name] * len(values))})"


@pytest.mark.parametrize("value", [f"{SECRET}\r\nx: y", f"{SECRET}\n", f"{SECRET}\0", f"{SECRET}€"])
def test_a_value_that_would_end_its_line_is_refused_without_showing_it(value: str) -> None:
    with pytest.raises(ValueError, match="'x-key'") as caught:
        Headers.of({"x-key": value})
    assert SECRET not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_name_that_would_end_its_line_is_refused() -> None:
    with pytest.raises(ValueError, match="HTTP"):
        Headers.of([("x\r\ny", "1")])


@given(value=headers)
def test_headers_cannot_be_changed(value: Headers) -> None:
    with pytest.raises(AttributeError):
        value.raw = ()
    with pytest.raises(AttributeError):
        del value.raw
    assert isinstance(value.raw, tuple)


def test_a_context_holds_one_value_per_type() -> None:
    descriptors: Descriptors = (ActionDescriptor(id="a", name="a", description="does a"),)
    context = (
        Context(request_id="r", scope={"type": "http"}, deadline=3.5)
        .with_(User(id="u"))
        .with_(AgentIdentity(id="agent"))
        .with_(Thread(id="t"))
        .with_(descriptors, key=tuple[ActionDescriptor, ...])
    )
    assert context[User] == User(id="u")
    assert context.get(AgentIdentity) == AgentIdentity(id="agent")
    assert context[tuple[ActionDescriptor, ...]] == descriptors
    assert context.get(IdempotencyKey) is None
    assert context.get(IdempotencyKey, "none") == "none"
    assert Thread in context
    assert tuple not in context
    assert (context.request_id, context.scope, context.deadline) == ("r", {"type": "http"}, 3.5)
    with pytest.raises(KeyError):
        context[IdempotencyKey]


@given(first=words, second=words)
def test_a_later_value_of_a_type_replaces_the_earlier_in_the_copy_only(first: str, second: str) -> None:
    one = Context().with_(User(id=first))
    other = one.with_(User(id=second))
    assert one[User].id == first
    assert other[User].id == second
    assert User not in NO_CONTEXT


def test_a_context_does_not_see_later_changes_of_what_it_was_made_from() -> None:
    values: dict[Any, Any] = {User: User(id="u")}
    context = Context(values=values)
    values.clear()
    assert context[User] == User(id="u")


@pytest.mark.parametrize("name", ["scope", "request_id", "deadline", "user"])
def test_a_context_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(NO_CONTEXT, name, "x")
    with pytest.raises(AttributeError):
        delattr(NO_CONTEXT, name)


def test_printing_a_context_shows_types_only() -> None:
    context = Context(request_id="r", scope={"headers": SECRET}).with_(User(id=SECRET)).with_(1, key="odd")
    assert repr(context) == "Context(request_id='r', holds=[User, odd])"


def test_the_text_of_a_message_is_its_text_parts() -> None:
    image = Media(kind="image", source=Url(url="https://example.test/i"))
    parts = (Text(text="one"), image, Thinking(text="hm"), Text(text="two"))
    assert Message(role="user", parts=parts).text == "one\ntwo"
    assert Answer(parts=(*parts, Refusal(text="no")), stop="end").text == "onetwo"


@given(params=json_objects)
def test_an_intent_without_actions_is_for_reasoning(params: dict[str, Any]) -> None:
    assert Intent().is_reasoning
    assert not Intent(actions=(ActionIntent(action_id="a", params=params),)).is_reasoning


@pytest.mark.parametrize(
    ("schema", "missing"),
    [
        (None, ()),
        ({"type": "object"}, ()),
        ({"required": ["b", "a", "c"]}, ("b", "c")),
    ],
)
def test_a_descriptor_names_the_required_parameters_that_are_missing(
    schema: Any, missing: tuple[str, ...]
) -> None:
    descriptor = ActionDescriptor(id="i", name="n", description="d", schema=schema)
    assert descriptor.missing({"a": None}) == missing
