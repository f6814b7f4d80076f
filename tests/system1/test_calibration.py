"""A promise is kept as often as it says, or refused with what is missing."""

import json
import math
import random
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.system1.synthetic import World
from turnout.model.errors import Misconfigured
from turnout.system1.binomial import at_most, lower, upper, wilson
from turnout.system1.calibration import Calibration, Refusal, calibrate, load, save
from turnout.system1.risk import Counts, Promise, at_worst, kept
from turnout.system1.scores import Labelled, Scores, Thresholds

# ---- exact statistics ------------------------------------------------------------------------------------------


@given(st.integers(0, 60), st.integers(1, 60), st.floats(0.001, 0.999))
def test_the_tail_of_the_binomial_is_the_sum_of_its_terms(hits: int, trials: int, share: float) -> None:
    terms = (
        math.comb(trials, each) * share**each * (1 - share) ** (trials - each)
        for each in range(min(hits, trials) + 1)
    )
    assert at_most(hits, trials, share) == pytest.approx(min(1.0, math.fsum(terms)), abs=1e-10)


@given(st.data(), st.integers(1, 100_000), st.floats(1e-6, 0.5))
def test_a_bound_is_where_so_few_hits_become_too_unlikely(
    data: st.DataObject, trials: int, error: float
) -> None:
    hits = data.draw(st.integers(0, trials - 1))
    bound = upper(hits, trials, error)
    assert hits / trials < bound <= 1.0
    assert at_most(hits, trials, bound) <= error * (1 + 1e-6)
    assert at_most(hits, trials, bound * (1 - 1e-6)) >= error * (1 - 1e-2)


@pytest.mark.parametrize(("trials", "error"), [(1, 0.05), (300, 0.05), (1_000, 0.01)])
def test_no_hit_at_all_leaves_the_rule_of_three(trials: int, error: float) -> None:
    assert upper(0, trials, error) == pytest.approx(1 - error ** (1 / trials))
    assert lower(trials, trials, error) == pytest.approx(error ** (1 / trials))


def test_nothing_tried_leaves_everything_possible() -> None:
    assert upper(0, 0, 0.05) == 1.0
    assert lower(0, 0, 0.05) == 0.0
    assert wilson(0, 0) == (0.0, 1.0)


# ---- the test of one pair of thresholds --------------------------------------------------------------------------

PROMISES = st.builds(
    Promise,
    max_wrong=st.sampled_from([0.01, 0.02, 0.05]),
    reasoning_share=st.sampled_from([0.0, 0.2, 0.5, 0.8]),
    confidence=st.sampled_from([0.9, 0.95]),
)


@st.composite
def counted(draw: st.DrawFn) -> Counts:
    asking, idle = draw(st.integers(1, 2_000)), draw(st.integers(1, 2_000))
    acts = draw(st.integers(0, asking))
    wrong, false = draw(st.integers(0, min(acts, 20))), draw(st.integers(0, min(idle, 20)))
    return Counts(asking=asking, acts=acts, wrong=wrong, idle=idle, false=false)


@given(counted(), PROMISES)
def test_a_proof_never_gets_better_by_another_error(counts: Counts, promise: Promise) -> None:
    if kept(counts, promise):
        return
    worse = [
        Counts(
            asking=counts.asking,
            acts=counts.acts,
            wrong=min(counts.acts, counts.wrong + wrong),
            idle=counts.idle,
            false=min(counts.idle, counts.false + false),
        )
        for wrong, false in ((1, 0), (0, 1))
    ]
    assert not any(kept(each, promise) for each in worse)


@given(counted(), PROMISES)
def test_what_is_proven_is_more_than_what_was_counted(counts: Counts, promise: Promise) -> None:
    proven = at_worst(counts, promise)
    assert counts.wrong_share(promise.reasoning_share) <= proven <= 1.0
    if kept(counts, promise):
        assert proven <= promise.max_wrong * 1.02 + 1e-4


@pytest.mark.parametrize("split", [0.0, 0.25, 0.5, 0.75, 1.0])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_thresholds_that_just_break_the_promise_seldom_pass(split: float, share: float) -> None:
    """Whatever part of the wrong actions is misroutes: the worst mixes are on the edge of the promise."""
    promise = Promise(max_wrong=0.05, reasoning_share=share, confidence=0.9)
    coverage, asking, idle, draws = 0.8, 600, 600, 400
    misroutes = promise.max_wrong * split
    false_acts = (promise.max_wrong - misroutes) * (1 - share) * coverage / (share * (1 - promise.max_wrong))
    draw = random.Random(f"{split} {share}")
    passed = 0
    for _ in range(draws):
        acts = sum(draw.random() < coverage for _ in range(asking))
        counts = Counts(
            asking=asking,
            acts=acts,
            wrong=sum(draw.random() < misroutes for _ in range(acts)),
            idle=idle,
            false=sum(draw.random() < false_acts for _ in range(idle)),
        )
        passed += kept(counts, promise)
    # Of 400 draws at 10 % each, 55 is 2.5 standard deviations above what is allowed.
    assert passed <= 55


def test_without_traffic_for_the_model_only_misroutes_count() -> None:
    promise = Promise(max_wrong=0.02, reasoning_share=0.0)
    assert kept(Counts(asking=200, acts=200, wrong=0), promise)
    assert not kept(Counts(asking=100, acts=100, wrong=0), promise)


@pytest.mark.parametrize("counts", [Counts(asking=500, idle=500), Counts(asking=500, acts=500), Counts()])
def test_nothing_seen_proves_nothing(counts: Counts) -> None:
    assert not kept(counts, Promise())
    assert at_worst(counts, Promise()) == 1.0


@pytest.mark.parametrize(
    "numbers",
    [
        {"max_wrong": 0.0},
        {"max_wrong": 1.0},
        {"reasoning_share": 1.0},
        {"reasoning_share": -0.1},
        {"confidence": 1.0},
        {"confidence": math.nan},
    ],
)
def test_a_promise_is_made_of_shares(numbers: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(numbers))):
        calibrate([], World(1), **numbers)


# ---- the whole calibration ----------------------------------------------------------------------------------------


SETTINGS = [
    (0.02, 0.5, 1_500, 1_000),
    (0.05, 0.8, 1_500, 1_500),
    (0.05, 0.2, 500, 300),
    (0.01, 0.2, 1_500, 1_000),
]


_MANY_DRAWS = pytest.mark.timeout(900)  # seconds; hundreds of calibrations, a minute on an idle machine


@_MANY_DRAWS
def test_what_is_realised_is_at_most_what_was_asked_in_nearly_all_draws() -> None:
    truth = World(0)
    traffic = truth.rows(10_000, 10_000)
    made, broken = 0, 0
    for max_wrong, share, asking, idle in SETTINGS:
        covered: list[float] = []
        for seed in range(1, 13):
            world = World(seed)
            found = calibrate(world.rows(asking, idle), world, max_wrong=max_wrong, reasoning_share=share)
            if isinstance(found, Refusal):
                continue
            counts = truth.truth(found.thresholds, traffic)
            broken += counts.wrong_share(share) > max_wrong
            covered.append(counts.coverage)
        assert len(covered) >= 8
        assert sum(covered) / len(covered) >= 0.65
        made += len(covered)
    assert broken / made <= 0.05


@_MANY_DRAWS
@pytest.mark.parametrize(("misroutes", "false_acts"), [(0.0, 0.26), (0.11, 0.12), (0.21, 0.0)])
def test_where_every_threshold_just_breaks_the_promise_hardly_any_draw_finds_one(
    misroutes: float, false_acts: float
) -> None:
    """The worst case for a search: scores that tell nothing, so that every pair of thresholds is wrong as often."""

    class Luck:
        """Acts on a score that has nothing to do with the text."""

        def score(self, text: str) -> Scores:
            number = random.Random(text)
            return Scores(ours=number.random(), ranked=(("a", 0.5 + number.random() / 2), ("b", 0.0)))

        def acting(self, text: str) -> Callable[[Thresholds], tuple[str, ...]]:
            number = random.Random(f"what {text}")
            runs = "for one" in text or number.random() < false_acts
            picked = "b" if "for one" in text and number.random() < misroutes else "a"
            scores = self.score(text)
            return lambda bars: (picked,) if runs and bars.passed(scores) else ()

    broken, draws = 0, 10
    for draw in range(draws):
        rows = [Labelled(text=f"{draw} for one {place}", actions=("a",)) for place in range(140)]
        rows += [Labelled(text=f"{draw} for none {place}") for place in range(140)]
        broken += isinstance(
            calibrate(rows, Luck(), max_wrong=0.2, reasoning_share=0.5, confidence=0.9), Calibration
        )
    # Of 10 draws at 10 % each, more than 3 are 1 in 100.
    assert broken <= 3


def test_the_ladder_is_planned_by_what_would_run() -> None:
    """Scores that look right, of texts that are taken apart at low thresholds."""

    class Splitting(World):
        def acting(self, text: str) -> Callable[[Thresholds], tuple[str, ...]]:
            scores = self.score(text)
            taken_apart = sha256(text.encode()).digest()[0] < 40
            half = Thresholds(ours=0.45, margin=0.0)

            def at(bars: Thresholds) -> tuple[str, ...]:
                if taken_apart and bars.ours <= half.ours:
                    return ("right", "other")
                return scores.picked if bars.passed(scores) else ()

            return at

    made = 0
    for seed in range(3):
        world = Splitting(seed)
        found = calibrate(world.rows(1_500, 1_000), world, max_wrong=0.02, reasoning_share=0.5)
        if isinstance(found, Calibration):
            made += 1
            assert found.thresholds.ours > 0.45
    assert made >= 2


def test_a_scorer_that_cannot_tell_is_refused() -> None:
    for seed in range(10):
        world = World(seed, accuracy=0.5, near=0.9)
        assert isinstance(
            calibrate(world.rows(500, 500), world, max_wrong=0.02, reasoning_share=0.5), Refusal
        )


def test_too_few_rows_are_refused_and_twice_as_many_more_as_told_mostly_do() -> None:
    reached = 0
    for seed in range(8):
        world = World(seed)
        refusal = calibrate(world.rows(600, 200), world, max_wrong=0.02, reasoning_share=0.5)
        assert isinstance(refusal, Refusal)
        assert refusal.missing is not None
        assert "more labelled rows that" in refusal.told
        more = world.rows(600 + 2 * refusal.missing.asking, 200 + 2 * refusal.missing.idle)
        reached += isinstance(calibrate(more, world, max_wrong=0.02, reasoning_share=0.5), Calibration)
    assert reached >= 5


def test_rows_for_the_model_alone_or_actions_alone_say_which_kind_is_missing() -> None:
    world = World(3)
    no_idle = calibrate(world.rows(1_000, 0), world)
    assert isinstance(no_idle, Refusal)
    assert no_idle.reason == "there are no labelled rows for the model"
    no_asking = calibrate(world.rows(0, 1_000), world)
    assert isinstance(no_asking, Refusal)
    assert no_asking.reason == "there are no labelled rows for an action that scored"
    assert calibrate([], world).__class__ is Refusal


def test_the_order_of_the_rows_does_not_matter() -> None:
    world = World(4)
    rows = world.rows(1_500, 1_000)
    assert calibrate(rows, world, max_wrong=0.05) == calibrate(rows[::-1], world, max_wrong=0.05)


def test_a_text_that_nothing_is_known_of_never_acts() -> None:
    class Blind:
        def score(self, text: str) -> Scores:
            return Scores(ours=1.0)

    rows = [Labelled(text=str(place), actions=("a",) if place % 2 else ()) for place in range(4_000)]
    assert isinstance(calibrate(rows, Blind(), max_wrong=0.5, reasoning_share=0.1), Refusal)


def test_a_request_for_several_actions_is_right_only_if_just_these_would_run() -> None:
    class Both:
        def score(self, text: str) -> Scores:
            return Scores(ours=0.9, ranked=(("a", 1.0),), several=("a", "b") if "and" in text else ())

    def rows(*actions: str) -> list[Labelled]:
        return [Labelled(text=f"do this and that {place}", actions=actions) for place in range(400)]

    sure: dict[str, Any] = {"max_wrong": 0.02, "reasoning_share": 0.0}
    assert isinstance(calibrate(rows("b", "a"), Both(), **sure), Calibration)
    assert isinstance(calibrate(rows("a"), Both(), **sure), Refusal)


# ---- kept on disk ---------------------------------------------------------------------------------------------------


@pytest.fixture
def calibration() -> Calibration:
    world = World(5)
    found = calibrate(
        world.rows(1_500, 1_000), world, max_wrong=0.05, reasoning_share=0.5, fingerprint="these actions"
    )
    assert isinstance(found, Calibration)
    return found


def test_a_calibration_is_plain_json_and_comes_back_as_it_was(
    calibration: Calibration, tmp_path: Path
) -> None:
    path = tmp_path / "calibration.json"
    save(calibration, path)
    assert load(path, "these actions") == calibration
    assert json.loads(path.read_text())["promise"]["max_wrong"] == 0.05
    assert "at most 5.0% of the actions are wrong" in calibration.told


def test_a_calibration_for_other_actions_is_refused(calibration: Calibration, tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    save(calibration, path)
    with pytest.raises(Misconfigured, match="other actions, examples or another encoder"):
        load(path, "those actions")


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"format": 2}', "\xff"])
def test_what_is_no_calibration_is_named(content: str, tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(Misconfigured, match="no calibration"):
        load(path, "")
    with pytest.raises(Misconfigured, match="cannot be read"):
        load(tmp_path / "none.json", "")
