"""Peek and splice against a reference: a document whose members are known because the test wrote them."""

import contextlib
import json
import re
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from turnout.model.errors import InvalidRequest
from turnout.wire.json import mend, peek, splice

MARK = "<the value of model>"
SPACE = st.text(" \t\r\n", max_size=2)
CHARACTERS = st.characters(exclude_categories=["Cs"])
TRICKY = st.sampled_from(
    [
        "model",
        "stream",
        '"model"',
        '"model":"x"',
        '\\"model',
        "\\u006dodel",
        "model\\",
        "stream_options",
        "é",
        "🦀",
        "\x7fodel",
    ]
)
TEXT = TRICKY | st.text(CHARACTERS, max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


class Written(NamedTuple):
    """A JSON object by its pieces: the members as they are spelled, and the white space around them."""

    members: list[tuple[str, str]]
    space: tuple[str, ...]

    @property
    def body(self) -> bytes:
        a, b, c, d = self.space
        inside = f"{a},{b}".join(f"{key}{c}:{d}{value}" for key, value in self.members)
        return f"{d}{{{a}{inside}{b}}}{c}".encode()


@st.composite
def spelled(draw: st.DrawFn, text: st.SearchStrategy[str]) -> str:
    """A text in JSON, sometimes with escapes that nothing asks for."""
    value = draw(text)
    how = draw(st.sampled_from(["ascii", "utf-8", "escapes"]))
    if how == "escapes" and value.isascii():
        return '"' + "".join(f"\\u{ord(c):04x}" for c in value) + '"'
    return json.dumps(value, ensure_ascii=how == "ascii")


ANY = st.builds(json.dumps, VALUES, ensure_ascii=st.booleans())
MEMBER = st.one_of(
    st.tuples(st.just('"model"'), spelled(TEXT)),
    st.tuples(st.just('"stream"'), st.sampled_from(["true", "false", "null"])),
    st.tuples(spelled(TEXT), ANY),
    st.tuples(spelled(TEXT), ANY),
    st.tuples(
        st.just('"nested"'), st.builds(json.dumps, st.fixed_dictionaries({"model": VALUES, "stream": VALUES}))
    ),
)
SPACES = st.tuples(SPACE, SPACE, SPACE, SPACE)
ANY_OBJECT = st.builds(Written, st.lists(MEMBER, max_size=6), SPACES)


def reference(written: Written) -> tuple[str, bool] | set[str]:
    """What a peek must say, or which members it may name when it refuses."""
    found: dict[str, Any] = {}
    wrong: set[str] = set()
    for key, text in written.members:
        name = json.loads(key)
        if name in {"model", "stream"}:
            value = json.loads(text)
            if (
                name in found
                or key != f'"{name}"'
                or not isinstance(value, str if name == "model" else bool | None)
            ):
                wrong.add(name)
            found[name] = value
    if not found.get("model"):
        wrong.add("model")
    return wrong or (found["model"], found.get("stream") is True)


@settings(max_examples=400)
@given(ANY_OBJECT)
def test_a_peek_says_what_a_full_decode_says(written: Written) -> None:
    expected = reference(written)
    if isinstance(expected, set):
        with pytest.raises(InvalidRequest) as caught:
            peek(written.body)
        assert caught.value.param in expected
    else:
        assert peek(written.body) == expected
        assert json.loads(written.body)["model"] == expected[0]


@settings(max_examples=400)
@given(ANY_OBJECT, spelled(TEXT), st.integers(0, 6), st.text(CHARACTERS, max_size=5))
def test_a_splice_replaces_one_value_and_no_other_byte(
    written: Written, old: str, at: int, model: str
) -> None:
    rest = [member for member in written.members if json.loads(member[0]) != "model"]
    before, after = rest[:at], rest[at:]
    original = Written([*before, ('"model"', old), *after], written.space)
    assume(not isinstance(reference(original), set))
    left, right = Written([*before, ('"model"', MARK), *after], written.space).body.split(MARK.encode())
    spliced = splice(original.body, model)
    assert spliced.startswith(left)
    assert spliced.endswith(right)
    assert json.loads(spliced[len(left) : len(spliced) - len(right)]) == model
    assert json.loads(spliced) == {**json.loads(original.body), "model": model}


@pytest.mark.parametrize("position", range(4))
@pytest.mark.parametrize("padding", [0, 300, 3000])
@pytest.mark.parametrize("pretty", [None, 2])
def test_the_top_level_member_is_told_from_nested_ones_wherever_it_stands(
    position: int, padding: int, pretty: int | None
) -> None:
    nested = {"deep": [{"model": "inner", "stream": False}], "model": "inner", "stream": True}
    members: list[tuple[str, Any]] = [("a", [nested] * 3), ("pad", "x" * padding), ("z", {"y": nested})]
    members[position:position] = [("model", "outer"), ("stream", False)]
    body = json.dumps(dict(members), indent=pretty).encode()
    assert peek(body) == ("outer", False)
    expected = json.dumps({**dict(members), "model": "other"}, indent=pretty).encode()
    assert splice(body, "other") == expected


@pytest.mark.parametrize("copies", [0, 1, 50])
@pytest.mark.parametrize(
    ("twice", "param"),
    [
        ('"model":"a","pad":%s,"model":"b"', "model"),
        ('"model":"a","pad":%s,"model":"a"', "model"),
        ('"model":"a","pad":%s,"\\u006dodel":"b"', "model"),
        ('"\\u006dodel":"b","pad":%s,"model":"a"', "model"),
        ('"\\u006dodel":"b","pad":%s', "model"),
        ('"mode\\u006C":"b","pad":%s,"x":"model"', "model"),
        ('"model":"a","stream":true,"pad":%s,"stream":true', "stream"),
        ('"stream":true,"pad":%s,"model":"a","stream":null', "stream"),
        ('"model":"a","\\u0073tream":true,"pad":%s', "stream"),
        ('"model":"a","pad":%s,"stream":false,"stre\\u0061m":true', "stream"),
    ],
)
def test_a_key_that_is_there_twice_or_escaped_is_refused_among_any_number_of_nested_ones(
    twice: str, param: str, copies: int
) -> None:
    pad = json.dumps([{"model": "n", "stream": True, "text": "x" * 40}] * copies)
    body = f"{{{twice % pad}}}".encode()
    with pytest.raises(InvalidRequest) as caught:
        peek(body)
    assert caught.value.param == param
    assert caught.value.status == 400
    if param == "model":
        with pytest.raises(InvalidRequest):
            splice(body, "other")


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"", None),
        (b"not json", None),
        (b"[]", None),
        (b'"model"', None),
        (b"null", None),
        (b'{"model":"a"', None),
        (b'{"model":"a"} {}', None),
        (b'{"model":"a","x":01}', None),
        (b'{"model":"a","x":NaN}', None),
        (b'{"model":"\xff"}', None),
        (b'\xef\xbb\xbf{"model":"a"}', None),
        (b'{"model":"a","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}", None),
        (b"{}", "model"),
        (b'{"messages":[{"model":"a"}]}', "model"),
        (b'{"messages":["model"]}', "model"),
        (b'{"model":""}', "model"),
        (b'{"model":null}', "model"),
        (b'{"model":5}', "model"),
        (b'{"model":["a"]}', "model"),
        (b'{"model":5,"stream":5}', "model"),
        (b'{"model":"a","stream":1}', "stream"),
        (b'{"model":"a","stream":"true"}', "stream"),
        (b'{"stream":{},"model":"a"}', "stream"),
        (b'{"model":5,"x":"', None),
        (b'{"stream":["\\ud800"],"model":"a"}', "stream"),
        (b'{"model":5,"x":"\\ud800"}', "model"),
        (b'{"model":5,"x":"\\ud800', None),
        (b'{"model":5,"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}", None),
        (b'{"model":5,"\xff":"\xff"}', "model"),
    ],
)
def test_what_is_no_request_is_refused_and_the_member_named(body: bytes, param: str | None) -> None:
    with pytest.raises(InvalidRequest) as caught:
        peek(body)
    assert caught.value.param == param


@settings(max_examples=400)
@given(ANY_OBJECT, st.integers(0), st.integers(0, 3), st.binary(max_size=2) | st.just(b"\\ud800"))
def test_a_peek_at_anything_is_an_answer_or_a_refusal(
    written: Written, place: int, cut: int, put: bytes
) -> None:
    body = written.body
    at = place % (len(body) + 1)
    with contextlib.suppress(InvalidRequest):
        assert peek(body[:at] + put + body[at + cut :])[0]


@pytest.mark.parametrize(
    "body", [b"{}", b'{"x":{"model":"a"}}', b'{"model":1}', b'{"model":', b"[]", b'{"x":["model"]}']
)
def test_a_splice_never_touches_a_body_without_a_model(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        splice(body, "b")


def test_a_deeply_nested_body_is_read_over() -> None:
    deep: Any = {"model": "inner"}
    for _ in range(100):
        deep = {"model": [deep], "stream": 3}
    body = json.dumps({"messages": deep, "model": "m", "stream": True, "more": deep}).encode()
    assert peek(body) == ("m", True)
    assert json.loads(splice(body, 'é"\\\n')) == {**json.loads(body), "model": 'é"\\\n'}


def test_half_a_surrogate_pair_in_a_text_does_not_stop_a_body_from_being_passed_on() -> None:
    body = rb'{"messages":[{"content":"cut \ud83d","x":"\\ud83d \ud83d\ude00 \ude00"}],"model":"m"}'
    assert peek(body) == ("m", False)
    assert splice(body, "n") == body[:-4] + b'"n"}'
    assert (
        mend(body)
        == rb'{"messages":[{"content":"cut \ufffd","x":"\\ud83d \ud83d\ude00 \ufffd"}],"model":"m"}'
    )


@given(
    st.lists(
        st.sampled_from(["a", "\\\\", '\\"']) | st.builds("\\u{:04x}".format, st.integers(0xD7FE, 0xE002))
    )
)
def test_mending_changes_nothing_but_halves_of_pairs(pieces: list[str]) -> None:
    body = f'"{"".join(pieces)}"'.encode()
    assert json.loads(mend(body)) == re.sub("[\ud800-\udfff]", "\ufffd", json.loads(body))
    assert len(mend(body)) == len(body)
