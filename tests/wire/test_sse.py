"""One parser for all event streams: the standard's rules, and the same frames for every way of cutting the bytes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnout.model.errors import BrokenStream
from turnout.wire.sse import Frame, Parser, comment, write


def parse(*reads: bytes, limit: int = 1_048_576) -> list[Frame]:
    parser = Parser(limit)
    frames = [frame for data in reads for frame in parser.feed(data)]
    return frames + parser.close()


def outcome(*reads: bytes, limit: int) -> tuple[list[Frame], bool]:
    """The frames, and whether an event was too large."""
    parser, frames = Parser(limit), []
    try:
        for data in reads:
            frames += parser.feed(data)
        frames += parser.close()
    except BrokenStream:
        return frames, True
    return frames, False


@pytest.mark.parametrize(
    ("stream", "frames"),
    [
        (b"data: a\n\n", [Frame("", b"a")]),
        (b"data:a\n\n", [Frame("", b"a")]),
        (b"data:  a \n\n", [Frame("", b" a ")]),
        (b"data: a\ndata:\ndata:b\n\n", [Frame("", b"a\n\nb")]),
        (b"data\n\n", [Frame("", b"")]),
        (b"data: x: y\n\n", [Frame("", b"x: y")]),
        (b"event: ping\ndata: {}\n\n", [Frame("ping", b"{}")]),
        (b"data: {}\nevent:ping\n\n", [Frame("ping", b"{}")]),
        (b"event: a\nevent: b\ndata: 1\n\n", [Frame("b", b"1")]),
        (b"event: a\n\ndata: 1\n\n", [Frame("", b"1")]),
        (b"id: 7\nretry: 10\ndata: 1\n\n", [Frame("", b"1")]),
        (b": still here\n\n", []),
        (b":\n\n:\n\ndata: 1\n\n", [Frame("", b"1")]),
        (b": note\ndata: 1\n: note\n\n", [Frame("", b"1")]),
        (b"unknown: 1\ndatabase: 2\n\n", []),
        (b"\n\n\n\ndata: 1\n\n\n\n\ndata: 2\n\n", [Frame("", b"1"), Frame("", b"2")]),
        (b" data: 1\n\n", []),
        (b"\xef\xbb\xbfdata: 1\n\n", [Frame("", b"1")]),
        (b"\xef\xbb\xbf\xef\xbb\xbfdata: 1\n\ndata: 2\n\n", [Frame("", b"2")]),
        (b"data: 1\n\n\xef\xbb\xbfdata: 2\n\n", [Frame("", b"1")]),
        (b"event: \xff\ndata: \xff\n\n", [Frame("\ufffd", b"\xff")]),
        ("event: é\ndata: 日本\n\n".encode(), [Frame("é", "日本".encode())]),
        (b"", []),
    ],
)
def test_the_standards_rules_hold_with_every_line_end_and_in_every_split(
    stream: bytes, frames: list[Frame]
) -> None:
    for form in (stream, stream.replace(b"\n", b"\r\n"), stream.replace(b"\n", b"\r")):
        assert parse(form) == frames
        assert parse(*(form[at : at + 1] for at in range(len(form)))) == frames
        for at in range(len(form) + 1):
            assert parse(form[:at], form[at:]) == frames


def test_mixed_line_ends_are_each_one_line_end() -> None:
    assert parse(b"data: 1\r\ndata: 2\rdata: 3\n\r\ndata: 4\n\r") == [Frame("", b"1\n2\n3"), Frame("", b"4")]


def test_an_event_is_there_as_soon_as_its_blank_line_has_begun() -> None:
    parser = Parser()
    assert parser.feed(b"data: 1\r\n\r") == [Frame("", b"1")]
    assert parser.feed(b"") == []
    assert parser.feed(b"\ndata: 2\r\n") == []
    assert parser.feed(b"\r\n") == [Frame("", b"2")]


LINES = st.sampled_from(
    [
        b"data: {}",
        b"data:",
        b"data",
        b"data: [DONE]",
        'data: {"a":"日本 🦀"}'.encode(),
        b"event: a",
        b"event",
        b": x",
        b"id: 1",
        b"\xef\xbb\xbfdata: 1",
        b"dat",
        b"",
        b"",
    ]
)
ENDS = st.sampled_from([b"\n", b"\r\n", b"\r", b"\n\n", b"\n", b""])


@st.composite
def cut(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    stream = b"".join(draw(st.lists(st.builds(lambda line, end: line + end, LINES, ENDS), max_size=12)))
    places = sorted(draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    return stream, [stream[a:b] for a, b in zip([0, *places], [*places, len(stream)], strict=True)]


@settings(max_examples=300)
@given(cut())
def test_any_way_of_cutting_gives_the_same_frames(case: tuple[bytes, list[bytes]]) -> None:
    stream, reads = case
    assert parse(*reads) == parse(stream)
    assert parse(*(stream[at : at + 1] for at in range(len(stream)))) == parse(stream)


@settings(max_examples=200)
@given(cut(), st.integers(1, 30))
def test_an_event_over_the_limit_breaks_the_stream_at_the_same_place_in_every_cut(
    case: tuple[bytes, list[bytes]], limit: int
) -> None:
    stream, reads = case
    assert outcome(*reads, limit=limit) == outcome(stream, limit=limit)


@settings(max_examples=200)
@given(st.lists(st.tuples(st.binary(), st.from_regex(r"[a-z_.]*", fullmatch=True))), st.data())
def test_what_is_written_is_what_is_parsed(events: list[tuple[bytes, str]], data: st.DataObject) -> None:
    stream = b"".join(
        write(body, event) + data.draw(st.sampled_from([b"", comment("tick")])) for body, event in events
    )
    lf = [body.replace(b"\r\n", b"\n").replace(b"\r", b"\n") for body, _ in events]
    assert parse(stream) == [Frame(event, body) for body, (_, event) in zip(lf, events, strict=True)]


def test_a_frame_is_written_in_its_plainest_form() -> None:
    assert write(b"{}") == b"data: {}\n\n"
    assert write(b"{}", "ping") == b"event: ping\ndata: {}\n\n"
    assert write(b"a\nb\r\nc") == b"data: a\ndata: b\ndata: c\n\n"
    assert comment("x") == b": x\n\n"


@pytest.mark.parametrize("name", ["a\nb", "a\rb"])
def test_an_event_name_of_two_lines_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        write(b"", name)


@pytest.mark.parametrize(
    "text", ["", "a", "a\ndata: forged\n\ndata: forged", "a\r\rdata: forged", "a\r\n\r\ndata: b"]
)
def test_a_comment_never_becomes_an_event(text: str) -> None:
    assert parse(comment(text)) == []
    assert parse(write(b"1") + comment(text) + write(b"2")) == [Frame("", b"1"), Frame("", b"2")]


@pytest.mark.parametrize(
    ("stream", "frames"),
    [
        (b"data: {}\n", [Frame("", b"{}")]),
        (b"data: text\r", [Frame("", b"text")]),
        (b"event: a\ndata: text\n", [Frame("a", b"text")]),
        (b"data: [DONE]", [Frame("", b"[DONE]")]),
        (b"data:[DONE] ", [Frame("", b"[DONE] ")]),
        (b'data: {"a":[1]}', [Frame("", b'{"a":[1]}')]),
        (b"event: a\ndata: []", [Frame("a", b"[]")]),
        (b'data: {"a":\ndata: 1}', [Frame("", b'{"a":\n1}')]),
        (b"data: {}\nid: 1", [Frame("", b"{}")]),
        (b"data: {}\nevent: half", [Frame("", b"{}")]),
        (b"data: {}\ndat", [Frame("", b"{}")]),
        (b'data: {"a":', []),
        (b"data: {" + b'"a":{' * 50_000, []),
        (b"data: [DON", []),
        (b"data: text", []),
        (b"data: 12", []),
        (b"data: text\nid: 1", []),
        (b"data: {}\ndata: 1", []),
        (b"data", []),
        (b": comment", []),
        (b"\xef\xbb", []),
    ],
)
def test_an_event_without_its_blank_line_is_returned_at_the_end_only_if_it_is_surely_whole(
    stream: bytes, frames: list[Frame]
) -> None:
    parser = Parser()
    assert parser.feed(stream) == []
    assert parser.close() == frames
    assert parser.close() == []


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=3),
        lambda x: st.lists(x) | st.dictionaries(st.text(max_size=3), x),
        max_leaves=5,
    ),
    st.data(),
)
def test_a_cut_document_is_never_returned_as_an_event(document: object, data: st.DataObject) -> None:
    text = json.dumps({"delta": document}).encode()
    at = data.draw(st.integers(0, len(text) - 1))
    assert parse(b"data: " + text[:at]) == []


def test_frames_before_an_event_that_is_too_large_are_kept_and_the_error_stays() -> None:
    parser = Parser(limit=16)
    assert parser.feed(b"data: 1\n\ndata: " + b"x" * 11 + b"\n\ndata: 2\n\n") == [Frame("", b"1")]
    for _ in range(2):
        with pytest.raises(BrokenStream, match="larger than 16 bytes"):
            parser.feed(b"data: 3\n\n")
        with pytest.raises(BrokenStream, match="larger than 16 bytes"):
            parser.close()


@pytest.mark.parametrize(
    ("read", "frames"),
    [
        (b"data: 2\n\n", [b"2"]),
        (b"data: 2\n\ndata: 3\n\ndata: \n\n", [b"2", b"3", b""]),
        (b"data: 2\n\ndata: 3\ndata: 4\n\n", [b"2", b"3\n4"]),
        (b"data: 2\n\n: note\n\ndata: 3\n\n", [b"2", b"3"]),
        (b"data: 2\n\n\n\n", [b"2"]),
        (b"data: 2\n\ndata:3\n\n", [b"2", b"3"]),
        (b"data: 2\r\rdata: 3\n\n", [b"2", b"3"]),
        (b"data: " + b"x" * 60 + b"\n\ndata: 3\n\n", [b"x" * 60, b"3"]),
    ],
)
def test_a_read_of_whole_events_is_cut_like_any_other(read: bytes, frames: list[bytes]) -> None:
    parser = Parser(limit=66)
    assert parser.feed(b"data: 1\n\n") == [Frame("", b"1")]
    assert parser.feed(read) == [Frame("", data) for data in frames]
    assert parser.feed(b"data: 1\n\n") == [Frame("", b"1")]


def test_a_stream_that_was_plain_so_far_stays_broken_too() -> None:
    parser = Parser(limit=16)
    assert parser.feed(b"data: 1\n\n") == [Frame("", b"1")]
    for data in (b"data: " + b"x" * 16 + b"\n\n", b"data: 2\n\n"):
        with pytest.raises(BrokenStream):
            parser.feed(data)


def test_an_event_without_end_is_held_only_up_to_the_limit() -> None:
    parser = Parser(limit=1000)
    for _ in range(1000):
        assert parser.feed(b"x") == []
    with pytest.raises(BrokenStream):
        parser.feed(b"x")
    with pytest.raises(BrokenStream):
        parser.feed(b"data: 1\n\n")
    assert outcome(b"data: " + b"x" * 994 + b"\n\n", limit=1000) == ([Frame("", b"x" * 994)], False)
    assert outcome(b"data: " + b"x" * 995 + b"\n\n", limit=1000) == ([], True)


@pytest.mark.parametrize(
    ("data", "frames"),
    [
        (b"event: a\ndata: 1\n\n", [Frame("a", b"1")]),
        (b"event: gr\xc3\xb6\xc3\x9fe\ndata: \n\n", [Frame("größe", b"")]),
        (b"event: a\n: comment\n\n", []),
        (b"event: a\rdata: 1\n\n", [Frame("a", b"1")]),
        (b"event: a\ndata: 1\ndata: 2\n\n", [Frame("a", b"1\n2")]),
    ],
)
def test_a_read_of_one_named_event_is_what_it_is_in_pieces(data: bytes, frames: list[Frame]) -> None:
    parser = Parser()
    assert parser.feed(b"data: first\n\n") == [Frame("", b"first")]
    assert parser.feed(data) == frames
    slow = Parser()
    assert [frame for byte in data for frame in slow.feed(bytes([byte]))] == frames


_LINES = st.sampled_from(
    ["event: a\n", "event: b\n", "event:c\n", "data: 1\n", "data: {}\n", "data:\n", "data: x y\n", ": note\n"]
)
_BLOCKS = st.just(["event: a\n", "data: 1\n"]) | st.lists(_LINES, max_size=4)


@given(st.lists(_BLOCKS.map(lambda lines: "".join((*lines, "\n"))), min_size=1, max_size=6), st.data())
def test_a_read_of_many_named_events_is_what_it_is_in_pieces(blocks: list[str], data: st.DataObject) -> None:
    read = "".join(("event: a\ndata: 0\n\n", *blocks)).encode()
    at = data.draw(st.integers(0, len(read)))
    assert parse(b": begun\n\n", read) == parse(b": begun\n\n", read[:at], read[at:])
