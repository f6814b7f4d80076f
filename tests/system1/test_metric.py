"""The likeness that is learned from examples."""

import pytest

pytest.importorskip("numpy")

import numpy as np
from numpy.typing import NDArray

from turnout.system1.metric import learn_metric

ACTIONS, TELLING, SIZE = 12, 16, 48


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def requests(each: int, seed: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Rows of which the first numbers tell the action, and the others, which are larger, nothing."""
    middles = np.random.default_rng(1).normal(0, 1, (ACTIONS, TELLING))
    labels = np.repeat(np.arange(ACTIONS), each)
    random = np.random.default_rng(seed)
    rows = random.normal(0, 1.6, (len(labels), SIZE))
    rows[:, :TELLING] = middles[labels] + random.normal(0, 0.5, (len(labels), TELLING))
    return unit(rows.astype(np.float32)), labels


def nearest_right(rows: NDArray[np.float32], others: NDArray[np.float32], each: int) -> float:
    """How often the row of the others that is likest is of the same action."""
    found = (others @ rows.T).argmax(1) // each
    return float((found == np.repeat(np.arange(ACTIONS), len(others) // ACTIONS)).mean())


@pytest.mark.parametrize("each", [5, 10, 40])
def test_what_tells_nothing_counts_less_in_requests_that_were_not_seen(each: int) -> None:
    rows, labels = requests(each, 2)
    others, _ = requests(20, 3)
    metric = learn_metric(rows, labels)
    assert nearest_right(metric(rows), metric(others), each) > nearest_right(rows, others, each) + 0.1


def test_vectors_keep_their_length_and_are_the_same_each_time() -> None:
    rows, labels = requests(5, 2)
    once, again = learn_metric(rows, labels)(rows), learn_metric(rows, labels)(rows)
    assert np.linalg.norm(once, axis=1) == pytest.approx(1, abs=1e-5)
    assert (once == again).all()
    assert learn_metric(rows, labels)(np.zeros((1, SIZE), np.float32)) == pytest.approx(0)


def test_what_asks_for_nothing_is_pushed_away_and_not_together() -> None:
    rows, labels = requests(5, 2)
    nothing = unit(np.random.default_rng(4).normal(0, 1, (30, SIZE)).astype(np.float32) + rows[:30])
    all_rows = np.concatenate([nothing, rows])
    metric = learn_metric(all_rows, np.concatenate([np.full(30, -1), labels]))
    own, other = metric(rows), metric(nothing)
    before, after = (rows[:30] * nothing).sum(1).mean(), (own[:30] * other).sum(1).mean()
    assert after < before
    together = float((other @ other.T).mean()) - float((nothing @ nothing.T).mean())
    assert together < float((own @ own.T)[:5, :5].mean()) - float((rows @ rows.T)[:5, :5].mean())


@pytest.mark.parametrize(
    ("labels", "size"),
    [
        ([0, 0, 1, 1, 2, 2], 4),  # no more than a name and a description each
        ([0, 0, 0, 0, 0, 0], 4),  # nothing to be told apart
        ([-1, -1, -1, -1, -1, -1], 4),
        ([0, 0, 0, 1, 1, 1], 2000),  # too long to be worth it
    ],
)
def test_where_nothing_can_be_learned_vectors_stay_as_they_are(labels: list[int], size: int) -> None:
    rows = unit(np.random.default_rng(5).normal(0, 1, (6, size)).astype(np.float32))
    assert learn_metric(rows, np.array(labels))(rows) is rows


@pytest.mark.parametrize(("classes", "each"), [(2, 20_000), (3_000, 8), (40, 600)])
def test_many_rows_are_learned_from_without_a_table_of_all_pairs(classes: int, each: int) -> None:
    rows = unit(np.random.default_rng(6).normal(0, 1, (classes * each, 4)).astype(np.float32))
    found = learn_metric(rows, np.repeat(np.arange(classes), each))(rows)
    assert found.shape == rows.shape
    assert np.isfinite(found).all()
