"""One reducer checks the grammar and the size of an answer's events, and gives them in normal form."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.model.strategies import answers, batchings, failing_streams, streams, texts
from turnout.model import (
    Amend,
    Answer,
    Citation,
    Delta,
    Event,
    Extension,
    Failed,
    File,
    Finish,
    Inline,
    Limits,
    Media,
    Opaque,
    PartEnd,
    PartStart,
    Reducer,
    Refusal,
    Seal,
    Signal,
    Start,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
    Usage,
    UsageSeen,
    fold,
    unfold,
)
from turnout.model.errors import BadOutput, BrokenStream, OutputTooLarge, ProviderError

Draw = Callable[[st.SearchStrategy[Any]], Any]


NO_LIMITS = Limits()


def reduced(events: Sequence[Event], limits: Limits = NO_LIMITS) -> list[Event]:
    reducer = Reducer(limits)
    given: list[Event] = []
    for event in events:
        given += reducer.apply(event)
    return [*given, *reducer.close()]


@given(answer=answers)
def test_what_unfold_gives_is_in_normal_form(answer: Answer) -> None:
    assert reduced(unfold(answer)) == list(unfold(answer))


@given(events=streams)
def test_every_grammatical_stream_passes_and_says_the_same(events: list[Event]) -> None:
    given = reduced(events)
    assert fold(given) == fold(events)
    assert reduced(given) == given, "the normal form of a normal form is itself"


@given(events=failing_streams)
def test_a_grammatical_stream_that_fails_passes(events: list[Event]) -> None:
    assert reduced(events)[-1] == events[-1]


@given(data=st.data(), events=streams | failing_streams)
def test_batches_give_what_single_events_give(data: st.DataObject, events: list[Event]) -> None:
    reducer = Reducer(NO_LIMITS)
    given = [event for batch in data.draw(batchings(events)) for event in reducer.apply_batch(batch)]
    assert [*given, *reducer.close()] == reduced(events)


@given(events=streams)
def test_every_part_that_comes_out_of_a_finished_answer_has_ended(events: list[Event]) -> None:
    dropped = [event for event in events if not isinstance(event, PartEnd)]
    ended = [event.index for event in reduced(dropped) if isinstance(event, PartEnd)]
    assert ended == list(range(len(ended)))
    assert len(ended) == sum(isinstance(event, PartStart) for event in events)


@given(data=st.data(), events=streams)
def test_a_cut_stream_ends_as_broken(data: st.DataObject, events: list[Event]) -> None:
    cut = data.draw(st.integers(0, len(events) - 1))
    last = reduced(events[:cut])[-1]
    assert isinstance(last, Failed)
    assert isinstance(last.error, BrokenStream)


# ---- every single mutation of a grammatical stream is rejected


def _places(events: list[Event], *kinds: type) -> list[int]:
    return [place for place, event in enumerate(events) if isinstance(event, kinds)]


def _insert(events: list[Event], place: int, event: Event) -> list[Event]:
    return [*events[:place], event, *events[place:]]


def _inside(draw: Draw, events: list[Event]) -> int:
    """A place after the start and before the end."""
    return draw(st.integers(1, len(events) - 1))


def _drop_the_start(draw: Draw, events: list[Event]) -> list[Event]:
    return events[1:]


def _start_twice(draw: Draw, events: list[Event]) -> list[Event]:
    return _insert(events, _inside(draw, events), Start())


def _end_early(draw: Draw, events: list[Event]) -> list[Event]:
    return _insert(events, _inside(draw, events), Finish(stop="end"))


def _end_twice(draw: Draw, events: list[Event]) -> list[Event]:
    return [*events, draw(st.sampled_from([Finish(stop="end"), Failed(error=BadOutput("late"))]))]


def _go_on_after_the_end(draw: Draw, events: list[Event]) -> list[Event]:
    late: list[Event] = [
        Start(),
        PartStart(index=0, part=Text(text="")),
        Delta(index=0, text="late"),
        Amend(index=0),
        PartEnd(index=0),
        UsageSeen(usage=Usage()),
        Signal(kind="state"),
        Unknown(protocol="gemini", kind="k", body="{}"),
    ]
    return [*events, draw(st.sampled_from(late))]


def _skip_an_index(draw: Draw, events: list[Event]) -> list[Event]:
    place = draw(st.sampled_from(_places(events, PartStart)))
    start: Any = events[place]
    index = draw(st.sampled_from([start.index + 1, start.index - 1, -1]))
    return [*events[:place], msgspec.structs.replace(start, index=index), *events[place + 1 :]]


def _never_start_a_part(draw: Draw, events: list[Event]) -> list[Event]:
    place = draw(st.sampled_from(_places(events, PartStart)))
    return events[:place] + events[place + 1 :]


def _say_something_of_a_part_that_is_not_open(draw: Draw, events: list[Event]) -> list[Event]:
    index = draw(st.sampled_from([-1, 99]))
    late = [Delta(index=index, text="x"), Amend(index=index), PartEnd(index=index)]
    return _insert(events, _inside(draw, events), draw(st.sampled_from(late)))


def _say_something_of_a_part_that_has_ended(draw: Draw, events: list[Event]) -> list[Event]:
    place = draw(st.sampled_from(_places(events, PartEnd)))
    end: Any = events[place]
    late = [Delta(index=end.index, text="x"), Amend(index=end.index), PartEnd(index=end.index)]
    return _insert(events, draw(st.integers(place + 1, len(events) - 1)), draw(st.sampled_from(late)))


def _append_to_no_field(draw: Draw, events: list[Event]) -> list[Event]:
    place = draw(st.sampled_from(_places(events, PartStart)))
    start: Any = events[place]
    part = start.part
    has = {
        Text: {"text"},
        Refusal: {"text"},
        Thinking: {"text", "summary"},
        ToolCall: {"arguments"},
        Extension: {"data"},
        Media: {"data", "transcript"}
        if isinstance(getattr(part, "source", None), Inline)
        else {"transcript"},
    }.get(type(part), set[str]())
    lacks = sorted({"text", "summary", "arguments", "data", "transcript"} - has)
    return _insert(events, place + 1, Delta(index=start.index, text="x", to=draw(st.sampled_from(lacks))))


def _end_as_another_part(draw: Draw, events: list[Event]) -> list[Event]:
    place = draw(st.sampled_from(_places(events, PartEnd)))
    index = events[place].index  # type: ignore[union-attr]
    kind = next(type(event.part) for event in events if isinstance(event, PartStart) and event.index == index)
    other: Any = Refusal(text="") if kind is Text else Text(text="")
    return [*events[:place], PartEnd(index=index, whole=other), *events[place + 1 :]]


MUTATIONS = [
    _drop_the_start,
    _start_twice,
    _end_early,
    _end_twice,
    _go_on_after_the_end,
    _skip_an_index,
    _never_start_a_part,
    _say_something_of_a_part_that_is_not_open,
    _say_something_of_a_part_that_has_ended,
    _append_to_no_field,
    _end_as_another_part,
]
with_parts = streams.filter(lambda events: any(isinstance(event, PartStart) for event in events))


@pytest.mark.parametrize("mutate", MUTATIONS)
@given(data=st.data(), events=with_parts)
@settings(max_examples=25)
def test_every_single_mutation_is_rejected(
    mutate: Callable[[Draw, list[Event]], list[Event]], data: st.DataObject, events: list[Event]
) -> None:
    mutated = mutate(data.draw, events)
    with pytest.raises(BadOutput):
        reduced(mutated)
    batched = Reducer(NO_LIMITS).apply_batch(tuple(mutated))
    assert isinstance(batched[-1], Failed), "in one batch, a violation is how the answer ends"
    assert isinstance(batched[-1].error, BadOutput)
    assert not any(isinstance(event, (Finish, Failed)) for event in batched[:-1])


@pytest.mark.parametrize(
    ("shell", "event", "allowed"),
    [
        (Text(text=""), Delta(index=0, text="x", at=1), False),
        (Thinking(), Delta(index=0, text="x", to="summary", at=0), True),
        (Thinking(), Delta(index=0, text="x", to="summary", at=1), False),
        (Thinking(), Delta(index=0, text="x", to="summary", at=-1), False),
        (Thinking(summary=("a",)), Delta(index=0, text="x", to="summary", at=0), True),
        (Thinking(summary=("a",)), Delta(index=0, text="x", to="summary", at=1), True),
        (Thinking(summary=("a",)), Delta(index=0, text="x", to="summary", at=2), False),
        (
            Media(kind="image", source=Inline(media_type="i", data="")),
            Delta(index=0, text="x", to="data"),
            True,
        ),
        (Media(kind="image", source=File(ref="f")), Delta(index=0, text="x", to="data"), False),
        (Media(kind="audio", source=File(ref="f")), Delta(index=0, text="x", to="transcript"), True),
        (Opaque(protocol="gemini", kind="k", body="{}"), Delta(index=0, text="x", to="data"), False),
        (ToolResult(call_id="c"), Delta(index=0, text="x"), False),
        (Text(text=""), Amend(index=0, citation=Citation(kind="url")), True),
        (Refusal(text=""), Amend(index=0, citation=Citation(kind="url")), False),
        (Refusal(text=""), Amend(index=0, seal=Seal(issuer="i", kind="signature", data="s")), True),
    ],
)
def test_a_part_takes_only_what_it_has_a_place_for(shell: Any, event: Event, allowed: bool) -> None:
    reducer = Reducer(NO_LIMITS)
    reducer.apply_batch((Start(), PartStart(index=0, part=shell)))
    if allowed:
        assert reducer.apply(event) == (event,)
    else:
        with pytest.raises(BadOutput):
            reducer.apply(event)


def test_after_a_violation_nothing_is_taken_and_the_end_tells_of_it() -> None:
    reducer = Reducer(NO_LIMITS)
    reducer.apply(Start())
    with pytest.raises(BadOutput) as first:
        reducer.apply(Delta(index=0, text="x"))
    with pytest.raises(BadOutput) as second:
        reducer.apply(Finish(stop="end"))
    assert second.value is first.value
    assert not reducer.ended
    assert reducer.apply_batch((Finish(stop="end"),)) == (Failed(error=first.value),)
    assert reducer.ended
    assert reducer.close() == ()


def test_a_batch_after_the_end_is_refused_and_an_empty_one_is_not() -> None:
    reducer = Reducer(NO_LIMITS)
    reducer.apply_batch((Start(), Finish(stop="end")))
    assert reducer.ended
    assert reducer.apply_batch(()) == ()
    with pytest.raises(BadOutput):
        reducer.apply_batch((UsageSeen(usage=Usage()),))


def test_a_batch_shows_what_came_before_its_violation() -> None:
    start, bad = Start(), PartEnd(index=3)
    given = Reducer(NO_LIMITS).apply_batch((start, bad, Finish(stop="end")))
    assert given == (start, Failed(error=BadOutput("part 3 is not open")))


def test_a_finish_that_is_contradicted_in_its_own_batch_is_not_shown() -> None:
    given = Reducer(NO_LIMITS).apply_batch(
        (Start(), PartStart(index=0, part=Text(text="a")), Finish(stop="end"), Delta(index=0, text="b"))
    )
    assert [type(event) for event in given] == [Start, PartStart, PartEnd, Failed]


def test_a_failure_that_is_contradicted_in_its_own_batch_stays_the_failure() -> None:
    failed = Failed(error=ProviderError("busy"))
    reducer = Reducer(NO_LIMITS)
    assert reducer.apply_batch((Start(), failed, Finish(stop="end"))) == (Start(), failed)
    assert reducer.close() == ()


def test_an_answer_may_fail_before_it_starts() -> None:
    failed = Failed(error=ProviderError("busy"))
    assert reduced([failed]) == [failed]


def test_open_parts_end_before_the_finish_in_the_order_of_their_start() -> None:
    events = [
        Start(),
        PartStart(index=0, part=Text(text="a")),
        PartStart(index=1, part=Text(text="b")),
        PartStart(index=2, part=Text(text="c")),
        PartEnd(index=1),
        Finish(stop="end"),
    ]
    assert reduced(events) == [*events[:-1], PartEnd(index=0), PartEnd(index=2), events[-1]]


def test_open_parts_stay_open_when_an_answer_fails() -> None:
    events = [Start(), PartStart(index=0, part=Text(text="a")), Failed(error=ProviderError("busy"))]
    assert reduced(events) == events


@pytest.mark.parametrize("late", [Delta(index=0, text="b"), Amend(index=0), PartEnd(index=0)])
def test_a_part_that_was_open_when_its_answer_failed_takes_nothing_more(late: Event) -> None:
    reducer = Reducer(NO_LIMITS)
    reducer.apply_batch(
        (Start(), PartStart(index=0, part=Text(text="a")), Failed(error=ProviderError("busy")))
    )
    with pytest.raises(BadOutput):
        reducer.apply(late)


CALL = ToolCall(call_id="c", name="n", arguments="")


@pytest.mark.parametrize(
    ("shell", "told", "end", "expected"),
    [
        (CALL, [], PartEnd(index=0), [Delta(index=0, text="{}", to="arguments"), PartEnd(index=0)]),
        (
            CALL,
            [Delta(index=0, text="", to="arguments")],
            PartEnd(index=0),
            [Delta(index=0, text="{}", to="arguments"), PartEnd(index=0)],
        ),
        (CALL, [Delta(index=0, text="{ }", to="arguments")], PartEnd(index=0), [PartEnd(index=0)]),
        (msgspec.structs.replace(CALL, arguments="{ }"), [], PartEnd(index=0), [PartEnd(index=0)]),
        (msgspec.structs.replace(CALL, kind="custom"), [], PartEnd(index=0), [PartEnd(index=0)]),
        (
            CALL,
            [],
            PartEnd(index=0, whole=msgspec.structs.replace(CALL, arguments='{"a":1}')),
            [
                Delta(index=0, text='{"a":1}', to="arguments"),
                PartEnd(index=0, whole=msgspec.structs.replace(CALL, arguments='{"a":1}')),
            ],
        ),
        (
            CALL,
            [Delta(index=0, text="{ }", to="arguments")],
            PartEnd(index=0, whole=CALL),
            [PartEnd(index=0, whole=msgspec.structs.replace(CALL, arguments="{}"))],
        ),
        (
            msgspec.structs.replace(CALL, kind="custom"),
            [],
            PartEnd(index=0, whole=msgspec.structs.replace(CALL, kind="custom")),
            [PartEnd(index=0, whole=msgspec.structs.replace(CALL, kind="custom"))],
        ),
        (Text(text=""), [], PartEnd(index=0, whole=Text(text="a")), [PartEnd(index=0, whole=Text(text="a"))]),
    ],
)
def test_a_function_call_never_ends_without_arguments(
    shell: Any, told: list[Event], end: Event, expected: list[Event]
) -> None:
    reducer = Reducer(NO_LIMITS)
    reducer.apply_batch((Start(), PartStart(index=0, part=shell), *told))
    assert list(reducer.apply(end)) == expected


def test_an_open_function_call_gets_its_arguments_at_the_finish() -> None:
    events = reduced([Start(), PartStart(index=0, part=CALL), Finish(stop="tool_calls")])
    assert fold(events).parts == (msgspec.structs.replace(CALL, arguments="{}"),)


# ---- sizes


def _bytes(text: str) -> int:
    return len(text.encode())


@given(pieces=st.lists(texts, min_size=1, max_size=6))
def test_an_answer_of_just_the_limit_passes_and_one_byte_less_does_not(pieces: list[str]) -> None:
    size = sum(map(_bytes, pieces))
    assume(size > 0)
    events: list[Event] = [
        Start(id="not counted", model="not counted"),
        PartStart(index=0, part=Text(text="")),
        *(Delta(index=0, text=piece) for piece in pieces),
        Finish(stop="end"),
    ]
    size += _bytes("end")
    assert isinstance(reduced(events, Limits(output_bytes=size))[-1], Finish)
    with pytest.raises(OutputTooLarge):
        reduced(events, Limits(output_bytes=size - 1))


@pytest.mark.parametrize(
    ("event", "size"),
    [
        (Delta(index=0, text="größe"), 7),
        (Delta(index=0, text="\ud800"), 3),
        (PartStart(index=1, part=Text(text="ab", citations=(Citation(kind="k", url="u", start=3),))), 4),
        (PartStart(index=1, part=Opaque(protocol="gemini", kind="k", body="{}")), 9),
        (Amend(index=0, citation=Citation(kind="k", title="abc")), 4),
        (PartEnd(index=0, whole=Text(text="abcd")), 4),
        (Signal(kind="state", name="n", data="[1]"), 9),
        (Unknown(protocol="gemini", kind="kk", body="{}"), 10),
        (Finish(stop="end", metadata={"a": "bc"}), 6),
    ],
)
def test_the_size_of_an_event_is_that_of_its_text(event: Event, size: int) -> None:
    for limits in (Limits(event_bytes=size), Limits(output_bytes=size)):
        reducer = Reducer(limits)
        reducer.apply_batch((Start(), PartStart(index=0, part=Text(text=""))))
        assert reducer.apply(event)[-1] == event
    for limits in (Limits(event_bytes=size - 1), Limits(output_bytes=size - 1)):
        reducer = Reducer(limits)
        reducer.apply_batch((Start(), PartStart(index=0, part=Text(text=""))))
        given = reducer.apply_batch((event,))
        assert isinstance(given[-1], Failed)
        assert isinstance(given[-1].error, OutputTooLarge)


@pytest.mark.parametrize(("whole", "size"), [("abcdef", 6), ("abcdefgh", 8), ("a", 6)])
def test_a_part_stated_again_at_its_end_counts_once(whole: str, size: int) -> None:
    events: list[Event] = [
        Start(),
        PartStart(index=0, part=Text(text="ab")),
        Delta(index=0, text="cdef"),
        PartEnd(index=0, whole=Text(text=whole)),
        Finish(stop="end"),
    ]
    assert isinstance(reduced(events, Limits(output_bytes=size + 3))[-1], Finish)
    with pytest.raises(OutputTooLarge):
        reduced(events, Limits(output_bytes=size + 2))
