"""Streamed and whole answers are the same thing, however the events come."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.strategies import answers, batchings, extras, failing_streams, streams, tellings, usages
from turnout.model import (
    Amend,
    Answer,
    Citation,
    Delta,
    Extension,
    Extra,
    Failed,
    Finish,
    Folder,
    Inline,
    Media,
    PartEnd,
    PartStart,
    Refusal,
    Seal,
    Signal,
    Start,
    Text,
    Thinking,
    ToolCall,
    Usage,
    UsageSeen,
    fold,
    merge_extra,
    unfold,
)
from turnout.model.errors import BrokenStream, ProviderError, TurnoutError


@given(answer=answers)
def test_folding_what_was_unfolded_gives_the_answer_back(answer: Answer) -> None:
    assert fold(unfold(answer)) == answer


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (Text(text="a"), [Delta(index=0, text="a")]),
        (Text(text=""), []),
        (
            Text(text="a", citations=(Citation(kind="url"),)),
            [Delta(index=0, text="a"), Amend(index=0, citation=Citation(kind="url"))],
        ),
        (Refusal(text="no"), [Delta(index=0, text="no")]),
        (Refusal(text=""), []),
        (Thinking(), []),
        (
            Thinking(text="a", summary=("b", "")),
            [
                Delta(index=0, text="a"),
                Delta(index=0, text="b", to="summary", at=0),
                Delta(index=0, text="", to="summary", at=1),
            ],
        ),
        (ToolCall(call_id="c", name="n"), [Delta(index=0, text="{}", to="arguments")]),
        (Extension(name="ui", data="[1]"), []),
    ],
)
def test_a_whole_part_is_told_as_its_start_its_text_and_its_end(part: Any, told: list[Any]) -> None:
    events = unfold(Answer(id="a", parts=(part,), stop="end"))
    assert list(events[2:-2]) == told
    assert [type(event) for event in (*events[:2], *events[-2:])] == [Start, PartStart, PartEnd, Finish]


@given(data=st.data(), answer=answers)
def test_every_telling_of_an_answer_folds_to_it(data: st.DataObject, answer: Answer) -> None:
    assert fold(data.draw(tellings(answer))) == answer


@given(data=st.data(), events=streams)
def test_batches_make_no_difference(data: st.DataObject, events: list[Any]) -> None:
    folder = Folder()
    for batch in data.draw(batchings(events)):
        for event in batch:
            folder.feed(event)
    assert folder.result() == fold(events)


@given(events=failing_streams)
def test_a_failed_stream_never_folds_to_an_answer(events: list[Any]) -> None:
    with pytest.raises(TurnoutError) as caught:
        fold(events)
    assert caught.value == events[-1].error


@given(data=st.data(), events=streams)
def test_a_cut_stream_never_folds_to_an_answer(data: st.DataObject, events: list[Any]) -> None:
    cut = data.draw(st.integers(0, len(events) - 1))
    with pytest.raises(BrokenStream) as caught:
        fold(events[:cut])
    assert caught.value.partial is not None
    started = sum(isinstance(event, PartStart) for event in events[:cut])
    assert len(caught.value.partial.parts) == started


def test_a_cut_stream_carries_what_came_before() -> None:
    error = BrokenStream("cut")
    events = [
        Start(id="a", model="m"),
        PartStart(index=0, part=Text(text="")),
        Delta(index=0, text="half of "),
        UsageSeen(usage=Usage(input=3)),
        Failed(error=error),
    ]
    with pytest.raises(BrokenStream) as caught:
        fold(events)
    assert caught.value is error
    assert error.partial == Answer(
        id="a", model="m", parts=(Text(text="half of "),), usage=Usage(input=3), stop="unknown"
    )


def test_a_partial_answer_that_the_error_brings_is_kept() -> None:
    partial = Answer(parts=(Text(text="mine"),), stop="unknown")
    with pytest.raises(BrokenStream) as caught:
        fold([Start(), Failed(error=BrokenStream("cut", partial=partial))])
    assert caught.value.partial is partial


def test_an_upstreams_error_is_raised_as_it_is() -> None:
    error = ProviderError("busy", kind="overloaded", status_code=529)
    with pytest.raises(ProviderError) as caught:
        fold([Failed(error=error)])
    assert caught.value is error


@pytest.mark.parametrize(
    ("shell", "events", "expected"),
    [
        (Text(text="a"), [Delta(index=0, text="b")], Text(text="ab")),
        (Thinking(), [Delta(index=0, text="b")], Thinking(text="b")),
        (
            Thinking(summary=("x",)),
            [Delta(index=0, text="y", to="summary"), Delta(index=0, text="z", to="summary", at=1)],
            Thinking(summary=("xy", "z")),
        ),
        (
            Thinking(),
            [
                Delta(index=0, text="far", to="summary", at=10**9),
                Delta(index=0, text="a", to="summary", at=1),
            ],
            Thinking(summary=("a", "far")),
        ),
        (
            ToolCall(call_id="c", name="n", arguments=""),
            [Delta(index=0, text='{"a"', to="arguments"), Delta(index=0, text=":1}", to="arguments")],
            ToolCall(call_id="c", name="n", arguments='{"a":1}'),
        ),
        (
            Media(kind="audio", source=Inline(media_type="audio/wav", data="AA")),
            [Delta(index=0, text="BB", to="data"), Delta(index=0, text="hi", to="transcript")],
            Media(kind="audio", source=Inline(media_type="audio/wav", data="AABB"), transcript="hi"),
        ),
        (
            Extension(name="ui", data="[1"),
            [Delta(index=0, text=",2]", to="data")],
            Extension(name="ui", data="[1,2]"),
        ),
        (
            Thinking(seal=Seal(issuer="i", kind="signature", data="")),
            [Amend(index=0, seal=Seal(issuer="i", kind="signature", data="s"))],
            Thinking(seal=Seal(issuer="i", kind="signature", data="s")),
        ),
        (
            Text(text="", extra=Extra(protocol="gemini", members={"a": "1", "b": "1"})),
            [
                Amend(index=0, extra=Extra(protocol="gemini", members={"b": "2"})),
                Amend(index=0, extra=Extra(protocol="gemini", members={"c": "3"})),
            ],
            Text(text="", extra=Extra(protocol="gemini", members={"a": "1", "b": "2", "c": "3"})),
        ),
    ],
)
def test_what_is_said_later_is_added_to_the_part(shell: Any, events: list[Any], expected: Any) -> None:
    start, finish = PartStart(index=0, part=shell), Finish(stop="end")
    assert fold([start, *events, PartEnd(index=0), finish]).parts == (expected,)
    assert fold([start, *events, finish]).parts == (expected,), "a part that never ends counts as it stands"


def test_the_whole_part_at_its_end_wins() -> None:
    events = [
        PartStart(index=0, part=Text(text="")),
        Delta(index=0, text="draft"),
        PartEnd(index=0, whole=Text(text="final", id="t1")),
        Finish(stop="end"),
    ]
    assert fold(events).parts == (Text(text="final", id="t1"),)


def test_usage_is_told_only_if_there_is_any() -> None:
    told = unfold(Answer(parts=(), stop="end", usage=Usage(input=0)))
    assert told[1:-1] == (UsageSeen(usage=Usage(input=0)),)
    assert len(unfold(Answer(parts=(), stop="end"))) == 2


def test_citations_come_after_those_that_were_there() -> None:
    first, second, third = (Citation(kind=kind) for kind in ("a", "b", "c"))
    events = [
        PartStart(index=0, part=Text(text="x", citations=(first,))),
        Amend(index=0, citation=second),
        Amend(index=0, citation=third),
        Finish(stop="end"),
    ]
    assert fold(events).parts == (Text(text="x", citations=(first, second, third)),)


def test_parts_stand_in_the_order_of_their_start_not_of_their_end() -> None:
    events = [
        PartStart(index=0, part=Text(text="first")),
        PartStart(index=1, part=Text(text="second")),
        PartEnd(index=1),
        PartEnd(index=0),
        Finish(stop="end"),
    ]
    assert fold(events).text == "firstsecond"


def test_signals_are_no_part_of_an_answer() -> None:
    assert fold([Signal(kind="state"), Finish(stop="end")]) == Answer(parts=(), stop="end")


def test_a_folder_tells_the_usage_seen_so_far() -> None:
    folder = Folder()
    assert folder.usage == Usage()
    folder.feed(UsageSeen(usage=Usage(input=1)))
    folder.feed(UsageSeen(usage=Usage(output=2)))
    assert folder.usage == Usage(input=1, output=2)


@given(first=usages, second=usages, third=usages)
def test_merging_usage_is_associative(first: Usage, second: Usage, third: Usage) -> None:
    assert first.merge(second).merge(third) == first.merge(second.merge(third))


@given(usage=usages)
def test_unsaid_usage_changes_nothing(usage: Usage) -> None:
    assert usage.merge(Usage()) == usage
    assert Usage().merge(usage) == usage
    assert usage.merge(usage) == usage


@given(first=usages, second=usages)
def test_later_counts_win_and_zero_is_a_count(first: Usage, second: Usage) -> None:
    merged = first.merge(second)
    for name in ("input", "cache_read", "cache_write", "cache_write_1h", "output", "reasoning"):
        later = getattr(second, name)
        assert getattr(merged, name) == (getattr(first, name) if later is None else later)
    assert merged.detail == {**first.detail, **second.detail}
    assert merged.estimated == (first.estimated or second.estimated)


@pytest.mark.parametrize(
    ("usage", "total"),
    [
        (Usage(), None),
        (Usage(output=5), None),
        (Usage(input=0), 0),
        (Usage(input=3, cache_read=4, cache_write=5, cache_write_1h=6, output=7), 18),
        (Usage(cache_read=4), 4),
    ],
)
def test_total_input_adds_the_disjoint_counts(usage: Usage, total: int | None) -> None:
    assert usage.total_input == total


@given(extra=extras)
def test_nothing_merged_with_an_extra_is_that_extra(extra: Extra) -> None:
    assert merge_extra(None, extra) is extra
    assert merge_extra(extra, None) is extra
    assert merge_extra(None, None) is None
    assert merge_extra(extra, extra) == extra


def test_members_of_one_protocol_are_never_written_to_another() -> None:
    ours = Extra(protocol="gemini", members={"a": "1"}, must=frozenset({"a"}))
    theirs = Extra(protocol="openai-chat", members={"b": "2"})
    assert merge_extra(ours, theirs) == theirs


@pytest.mark.parametrize(
    ("stop", "status"),
    [
        ("end", "completed"),
        ("stop_sequence", "completed"),
        ("tool_calls", "completed"),
        ("refusal", "completed"),
        ("length", "incomplete"),
        ("context_full", "incomplete"),
        ("content_filter", "incomplete"),
        ("pause", "incomplete"),
        ("input_required", "incomplete"),
        ("unknown", "incomplete"),
    ],
)
def test_the_stop_says_whether_an_answer_is_complete(stop: Any, status: str) -> None:
    assert Answer(parts=(), stop=stop).status == status
