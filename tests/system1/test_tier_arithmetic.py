"""The arithmetic that makes the tiers quick gives what the plain one gives."""

import math
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnout.model import ActionDescriptor
from turnout.system1.catalogue import NONE, Catalogue, compile_catalogue
from turnout.system1.columns import ABOVE, addend, column, numbers, parted, weighed, weighted_sum
from turnout.system1.features import Rarity, counts
from turnout.system1.lexical import RANKED, LexicalScorer, verdict

# ---- columns of numbers as large integers --------------------------------------------------------------------------

TERMS = st.integers(min_value=1, max_value=9).flatmap(
    lambda size: st.lists(
        st.tuples(st.floats(0, 1), st.lists(st.floats(0, 4), min_size=2 * size, max_size=2 * size)),
        max_size=60,
    ).map(lambda terms: (size, terms))
)


@given(TERMS)
def test_a_weighted_sum_of_columns_is_that_of_their_numbers(
    given: tuple[int, list[tuple[float, list[float]]]],
) -> None:
    size, terms = given
    total = weighted_sum([(factor, column(each)) for factor, each in terms])
    expected = [sum(factor * each[at] for factor, each in terms) for at in range(2 * size)]
    for half, wanted in zip(parted(total, size), (expected[:size], expected[size:]), strict=True):
        assert [number - ABOVE for number in numbers(half, size)] == pytest.approx(wanted, abs=1e-5)


@given(
    st.lists(st.tuples(st.floats(0, 30), st.floats(0, 1), st.floats(0, 60)), min_size=1, max_size=20),
    st.floats(0.03, 2),
    st.floats(0, 10),
)
def test_sums_are_weighed_slot_by_slot(
    rows: list[tuple[float, float, float]], one: float, other: float
) -> None:
    first, second, more = zip(*rows, strict=True)
    sums = [(one, weighted_sum([(1.0, column(first))])), (other, weighted_sum([(1.0, column(second))]))]
    expected = [one * a + other * b + c for a, b, c in rows]
    found = [number - ABOVE for number in weighed(sums, addend(more), len(rows))]
    assert found == pytest.approx(expected, abs=1e-5)


def test_the_fullest_slot_does_not_spill_into_the_next() -> None:
    total = weighted_sum([(127.0, column([63.999, 0.0, 63.999, 1.5]))])
    found = [number - ABOVE for number in weighed([(0.03, total)], 0, 4)]
    assert found == pytest.approx([0.03 * 127 * 63.999, 0, 0.03 * 127 * 63.999, 0.03 * 127 * 1.5], abs=1e-3)


@given(
    st.lists(st.one_of(st.floats(0.001, 1), st.sampled_from([0.001, 0.5])), min_size=1, max_size=900).map(
        lambda few: few * (1 + 900 // len(few))
    )
)
@settings(max_examples=50)
def test_the_best_of_many_are_in_order_and_none_is_left_out(chances: list[float]) -> None:
    scores = verdict(tuple(map(str, range(len(chances)))), chances, 0.5)
    total = sum(chances) or 1.0
    best = sorted(chances, reverse=True)[:RANKED]
    assert [chance for _, chance in scores.ranked] == [chance / total for chance in best]
    assert len({action for action, _ in scores.ranked}) == RANKED


# ---- the lexical tier ----------------------------------------------------------------------------------------------


def plain_scores(catalogue: Catalogue, text: str) -> tuple[list[float], float, float]:
    """The chances of all classes and the likeness to the nearest middle, feature by feature and class by class.

    The last is the mean likeness to the three nearest rows that ask for nothing.
    """
    bags = [counts(each, 4) for each in catalogue.texts]
    rarity = Rarity(bags, 0.5)
    classes = len(catalogue.ids) + (NONE in catalogue.labels)
    own: list[dict[str, float]] = [defaultdict(float) for _ in range(classes)]
    for bag, label in zip(bags, catalogue.labels, strict=True):
        for name, value in rarity.vector(bag).items():
            own[label if label != NONE else -1][name] += value
    everything = {name for each in own for name in each}
    total = sum(sum(each.values()) for each in own)
    whole = {name: sum(each.get(name, 0.0) for each in own) for name in everything}
    vector = rarity.vector(counts(text, 4))
    likely: list[float] = []
    near: list[float] = []
    for each in own:
        size = sum(each.values())
        bias = math.log(total - size + 0.1 * len(everything)) - math.log(size + 0.005 * len(everything))
        odds = 0.0
        for name, value in vector.items():
            inside, outside = each.get(name, 0.0), whole[name] - each.get(name, 0.0)
            odds += value * (
                math.log((inside + 0.005) / 0.005) - math.log((outside + 0.1) / (whole[name] + 0.1))
            )
        if not vector:
            return [], 0.0, 0.0
        length = math.sqrt(sum(value * value for value in each.values()))
        near.append(sum(value * each.get(name, 0.0) for name, value in vector.items()) / length)
        likely.append(2 * (odds / sum(vector.values()) + bias + 5 * near[-1]))
    powers = [math.exp(each - max(likely)) for each in likely]
    rows = [rarity.vector(bag) for bag, label in zip(bags, catalogue.labels, strict=True) if label == NONE]
    alike = sorted(sum(value * row.get(name, 0.0) for name, value in vector.items()) for row in rows)
    told = [each for each in alike if each > 0][-3:]
    elsewhere = sum(told) / len(told) if told else 0.0
    return [power / sum(powers) for power in powers], max(near[: len(catalogue.ids)]), elsewhere


def made_up(actions: int) -> Catalogue:
    """Actions that share some words with all, some with a few, and have one of their own."""
    things = [f"thing{at}" for at in range(actions)]
    return compile_catalogue(
        tuple(
            ActionDescriptor(
                id=f"a{at}",
                name=f"verb{at % 5}_{thing}",
                description=f"To verb{at % 5} one {thing}.",
                examples=(
                    f"please verb{at % 5} the {thing}",
                    f"verb{at % 5} my {thing} now",
                    f"{thing} please",
                ),
            )
            for at, thing in enumerate(things)
        ),
        (),
        None,
        ("write a poem", "the weather please"),
    )


CATALOGUES = {actions: made_up(actions) for actions in (1, 4, 30, 150)}
SCORERS = {actions: LexicalScorer(catalogue) for actions, catalogue in CATALOGUES.items()}


@settings(max_examples=30)
@given(
    st.sampled_from(sorted(CATALOGUES)),
    st.lists(
        st.sampled_from(["please", "the", "verb1", "verb3", "thing0", "thing29", "my", "now", "poem", "qqq"]),
        min_size=1,
        max_size=40,
    ).map(" ".join),
)
def test_the_lexical_scores_are_those_of_plain_sums(actions: int, text: str) -> None:
    catalogue = CATALOGUES[actions]
    chances, near, elsewhere = plain_scores(catalogue, text)
    scores = SCORERS[actions].score(text)
    if not chances:
        assert scores.ours == 0.0
        return
    acting = sum(chances[:actions])
    expected = {f"a{at}": chances[at] / acting for at in range(actions)}
    assert dict(scores.ranked) == pytest.approx({name: expected[name] for name, _ in scores.ranked}, abs=1e-5)
    assert len(scores.ranked) == min(actions, RANKED)
    assert min(dict(scores.ranked).values()) >= sorted(expected.values())[-len(scores.ranked)] - 1e-5
    likeness = min(1.0, max(0.0, 1.35 * near - max(0.0, elsewhere - 1.35 * near)))
    spoken = [word for word in text.split() if word.isalpha() and word not in ("please", "the", "my")]
    known = 1 - spoken.count("qqq") / len(spoken) if spoken else 1.0
    assert scores.ours == pytest.approx(
        (0.5 * max(chances[:actions]) + 0.5 * likeness) * known**0.5, abs=1e-5
    )


# ---- products and neighbours in numpy ------------------------------------------------------------------------------


@pytest.mark.parametrize("blocks", [True, False], ids=["in blocks", "whole"])
@pytest.mark.parametrize("rows", [1, 2, 39, 40, 41, 97])
@pytest.mark.parametrize(("deep", "wide"), [(384, 1152), (1536, 384), (8, 24), (385, 67), (7, 1)])
def test_a_matrix_gives_the_same_product_in_blocks(rows: int, deep: int, wide: int, blocks: bool) -> None:
    np = pytest.importorskip("numpy")
    from turnout.system1.encoder.matrix import Matrix

    random = np.random.default_rng(rows)
    weights = random.normal(0, 1, (wide, deep)).astype(np.float32)
    bias = random.normal(0, 1, wide).astype(np.float32)
    x = random.normal(0, 1, (rows, deep)).astype(np.float32)
    assert np.abs(Matrix(weights, bias, blocks=blocks)(x) - (x @ weights.T + bias)).max() < 1e-4 * math.sqrt(
        deep
    )


@given(st.lists(st.integers(min_value=2, max_value=60), max_size=80))
def test_texts_go_through_with_others_of_their_length_and_each_of_them_once(lengths: list[int]) -> None:
    pytest.importorskip("numpy")
    from turnout.system1.encoder.forward import batches

    found = list(batches(lengths))
    assert sorted(at for batch in found for at in batch) == list(range(len(lengths)))
    assert all(len({lengths[at] for at in batch}) == 1 for batch in found)
    assert all(len(batch) == 1 or sum(lengths[at] for at in batch) <= 40 for batch in found)


@pytest.mark.parametrize("rows", [0, 1, 3, 2048, 2049, 3000])
@pytest.mark.parametrize("spread", [0.05, 1.0], ids=["near each other", "far apart"])
def test_the_nearest_rows_are_found_without_reading_all(rows: int, spread: float) -> None:
    np = pytest.importorskip("numpy")
    from turnout.system1.nearest import Nearest

    random = np.random.default_rng(rows)
    centres = random.normal(0, 1, (50, 384))
    known = centres[random.integers(0, 50, rows)] + random.normal(0, spread, (rows, 384))
    known = (known / np.linalg.norm(known, axis=1, keepdims=True)).astype(np.float32)
    nearest = Nearest(known)
    for at in range(20):
        asked = centres[at] + random.normal(0, 0.3, 384)
        asked = (asked / np.linalg.norm(asked)).astype(np.float32)
        best = np.sort(known @ asked)[-3:]
        assert nearest(asked) == pytest.approx(float(best.mean()) if rows else 0.0, abs=1e-5)
