"""Several actions are doubted where all of the words are nearer to one."""

import pytest

from turnout.system1.oneness import rather_one
from turnout.system1.scores import Scores, Thresholds

BARS = Thresholds(ours=0.6, margin=0.3)


def scores(ours: float, first: float, second: float) -> Scores:
    return Scores(ours=ours, ranked=(("declined", first), ("perhaps", second)))


LESSER = Scores(ours=0.7, ranked=(("perhaps", 0.8), ("declined", 0.1)))
UNSURE = Scores(ours=0.5, ranked=(("perhaps", 0.8), ("declined", 0.1)))


@pytest.mark.parametrize(
    ("whole", "least", "rather"),
    [
        # Sure of one action, and the other hardly has a chance in all of it.
        (scores(0.9, 0.98, 0.001), LESSER, True),
        # The other passes only beside one that is sure.
        (scores(0.9, 0.7, 0.1), UNSURE, True),
        # All of it looks like both.
        (scores(0.9, 0.6, 0.3), LESSER, False),
        # The clauses are nearer to their examples than all of it is to any.
        (scores(0.65, 0.98, 0.001), LESSER, False),
        (scores(0.5, 0.98, 0.001), UNSURE, False),
    ],
)
def test_all_of_it_speaks_against_the_lesser_clause(whole: Scores, least: Scores, rather: bool) -> None:
    assert rather_one(whole, least, ("declined", "perhaps"), BARS) is rather


def test_an_action_that_the_whole_does_not_rank_has_no_chance_in_it() -> None:
    assert rather_one(scores(0.9, 0.98, 0.02), LESSER, ("declined", "unheard of"), BARS)
