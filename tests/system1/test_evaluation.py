"""The report counts what happened, whatever the classifier was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.system1.evaluation import REASONING, Judged, evaluate

IDS = st.sampled_from(["pay", "refund", "status"])
SCORES = st.one_of(st.none(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]))


@st.composite
def judged(draw: st.DrawFn) -> Judged:
    return Judged(
        text=draw(st.text(max_size=5)),
        gold=tuple(draw(st.lists(IDS, max_size=2))),
        picked=tuple(draw(st.lists(IDS, max_size=2))),
        score=draw(SCORES),
        top=draw(st.one_of(st.none(), IDS)),
    )


@given(st.lists(judged(), max_size=30))
def test_any_rows_give_a_report_whose_shares_are_shares(rows: list[Judged]) -> None:
    report = evaluate(rows)
    assert report.rows == len(rows)
    assert report.wrong <= report.acts <= report.rows
    low, high = report.wrong_interval
    assert 0.0 <= low <= high <= 1.0
    if report.wrong_per_acts is not None:
        assert low <= report.wrong_per_acts + 1e-9
        assert report.wrong_per_acts <= high + 1e-9
    shares = [report.coverage, report.reasoning_recall, report.auroc, report.calibration_error, report.forced]
    shares += [*report.wrong_at.values(), *(each.recall for each in report.actions)]
    assert all(share is None or 0.0 <= share <= 1.0 for share in shares)


@given(st.lists(judged(), max_size=30))
def test_what_ran_and_what_was_asked_for_add_up_over_the_actions(rows: list[Judged]) -> None:
    report = evaluate(rows)
    assert sum(each.ran for each in report.actions) == sum(len(row.picked) for row in rows)
    assert sum(each.asked for each in report.actions) == sum(len(row.gold) for row in rows)
    assert sum(pair.rows for pair in report.confused) >= report.wrong


@given(st.lists(judged(), min_size=1, max_size=20))
def test_the_auroc_is_how_often_a_request_for_an_action_scores_higher(rows: list[Judged]) -> None:
    above = [row.score for row in rows if row.gold and row.score is not None]
    below = [row.score for row in rows if not row.gold and row.score is not None]
    wins = [(a > b) + (a == b) / 2 for a in above for b in below]
    assert evaluate(rows).auroc == (pytest.approx(sum(wins) / len(wins)) if wins else None)


@given(st.lists(judged(), max_size=30))
def test_along_the_curve_the_bar_falls_and_the_coverage_grows(rows: list[Judged]) -> None:
    curve = evaluate(rows).curve
    assert [point.score for point in curve] == sorted({point.score for point in curve}, reverse=True)
    assert [point.coverage for point in curve] == sorted(point.coverage for point in curve)


ROWS = [
    *[Judged(text="pay ada", gold=("pay",), picked=("pay",), score=0.9, top="pay", values=True)] * 6,
    *[Judged(text="give it back", gold=("refund",), picked=("pay",), score=0.7, top="pay")] * 2,
    *[Judged(text="refund", gold=("refund",), score=0.4, top="refund")] * 2,
    *[Judged(text="why?", score=0.1, top="pay")] * 9,
    *[Judged(text="hi", picked=("status",), score=0.6, top="status")] * 1,
]


def test_a_report_says_how_much_is_wrong_for_each_mix_of_traffic() -> None:
    report = evaluate(ROWS)
    assert (report.acts, report.wrong, report.wrong_per_acts) == (9, 3, pytest.approx(1 / 3))
    assert report.coverage == pytest.approx(0.6)
    assert report.reasoning_recall == pytest.approx(0.9)
    assert report.forced == pytest.approx(0.8)
    assert report.values_right == 1.0
    assert report.wrong_at["0.5"] == pytest.approx(0.15 / (0.15 + 0.3))
    assert report.wrong_at["0.8"] == pytest.approx((0.08 + 0.04) / (0.08 + 0.04 + 0.12))


def test_a_report_names_each_action_and_what_is_taken_for_what() -> None:
    report = evaluate(ROWS)
    shown = {each.id: (each.asked, each.ran, each.precision, each.recall) for each in report.actions}
    assert shown["pay"] == (6, 8, 0.75, 1.0)
    assert shown["refund"] == (4, 0, None, 0.0)
    assert shown["status"] == (0, 1, 0.0, None)
    assert [(pair.gold, pair.picked, pair.rows) for pair in report.confused] == [
        ("refund", "pay", 2),
        (REASONING, "status", 1),
    ]


def test_a_score_that_says_how_often_it_is_right_has_no_calibration_error() -> None:
    honest = [
        Judged(text="x", gold=("pay",) if place < 8 else (), score=0.8, top="pay") for place in range(10)
    ]
    assert evaluate(honest).calibration_error == pytest.approx(0.0)
    boastful = [Judged(text="x", score=1.0, top="pay")] * 4
    assert evaluate(boastful).calibration_error == 1.0


def test_the_same_action_twice_is_not_the_action_once() -> None:
    once = Judged(text="pay ada and bob", gold=("pay", "pay"), picked=("pay",))
    assert not once.right
    assert evaluate([once]).wrong == 1


def test_a_question_to_the_user_is_no_act() -> None:
    report = evaluate([Judged(text="do it", gold=("pay",), asked=True)])
    assert (report.acts, report.asked, report.wrong_per_acts) == (0, 1, None)
