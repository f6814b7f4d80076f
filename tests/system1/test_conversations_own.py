"""Small applications and what people say to them, from the words to the calls; see `tests/system1/curated`.

The bars are what the lexical tier reaches, which needs no weights; `benchmarks/conversations.py` measures the other.
"""

import functools
from collections.abc import Sequence
from typing import Final

import pytest

from benchmarks.conversations import Scored, half_of, rows, score
from turnout.system1.harness import build_lexical

NOTHING: Final = frozenset(
    {"followup_none", "negation", "past", "reported", "quoted", "hypothetical", "question_about"}
)


@functools.cache
def answered() -> tuple[Scored, ...]:
    return tuple(score(rows(of="conversations"), build_lexical))


@functools.cache
def answered_singly() -> tuple[Scored, ...]:
    return tuple(score(rows(of="single"), build_lexical))


@functools.cache
def talked() -> tuple[Scored, ...]:
    return tuple(score(rows(of="talks"), build_lexical))


def share(scored: Sequence[Scored]) -> float:
    return sum(each.right for each in scored) / len(scored)


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("compound", 0.85),
        ("followup", 0.9),
        ("contrast", 0.75),
        ("single", 0.8),
        ("other_language", 0.9),
        ("missing", 1.0),
        ("invalid", 1.0),
        ("followup_none", 1.0),
        ("question_about", 1.0),
        ("past", 0.9),
        ("reported", 1.0),
        ("negation", 0.85),
        ("wrapped", 1.0),
        ("continuation", 1.0),
        ("side_call", 1.0),
    ],
)
def test_so_many_conversations_come_to_what_was_asked_for(kind: str, least: float) -> None:
    mine = [each for each in answered() if each.row["kind"] == kind]

    assert len(mine) >= 2
    assert share(mine) >= least, [each.row["text"] for each in mine if not each.right]


def test_hardly_any_conversation_ends_in_an_act_that_nobody_asked_for() -> None:
    wrong = [each.row["text"] for each in answered() if each.wrong]

    assert len(wrong) <= 5, wrong


def test_many_single_requests_come_to_what_was_asked_for_and_hardly_any_other_words_do() -> None:
    asking = [each for each in answered_singly() if each.row["actions"]]
    others = [each for each in answered_singly() if not each.row["actions"]]

    assert share(asking) >= 0.7
    assert share(others) >= 0.9
    assert sum(each.wrong for each in answered_singly()) <= 0.04 * len(answered_singly())


def test_the_held_half_comes_near_to_the_tuned_one() -> None:
    tuned = [each for each in answered() if half_of(each.row) == "tuned"]
    held = [each for each in answered() if half_of(each.row) == "held"]

    assert share(held) >= share(tuned) - 0.08


def test_both_halves_hold_every_larger_kind() -> None:
    kinds = {(each["kind"], half_of(each)) for each in rows()}

    assert {kind for kind, _ in kinds if (kind, "held") in kinds and (kind, "tuned") in kinds} >= NOTHING | {
        "single",
        "compound",
        "followup",
        "contrast",
        "other_language",
        "missing",
        "near_domain",
    }


@pytest.mark.parametrize(
    ("kind", "least"), [("compound", 0.85), ("followup", 0.9), ("followup_none", 0.9), ("half", 0.7)]
)
def test_so_many_talks_of_several_actions_come_to_what_was_asked_for(kind: str, least: float) -> None:
    mine = [each for each in talked() if each.row["kind"] == kind]

    assert len(mine) >= 10
    assert share(mine) >= least, [each.row["text"] for each in mine if not each.right]


def test_few_talks_of_several_actions_end_in_an_act_that_nobody_asked_for() -> None:
    wrong = [each.row["text"] for each in talked() if each.wrong]

    assert len(wrong) <= 0.04 * len(talked()), wrong


def test_of_rows_by_strangers_that_nobody_read_most_come_to_what_was_asked_for() -> None:
    # Shares only, no texts: whoever sees a failure must not read them either.
    scored = tuple(score(rows("held", "blind"), build_lexical))
    asking = share([each for each in scored if each.row["actions"]])
    others = share([each for each in scored if not each.row["actions"]])
    wrong = sum(each.wrong for each in scored) / len(scored)

    assert asking >= 0.52
    assert others >= 0.95
    assert wrong <= 0.045
