"""What labelled rows teach about the first score, and that it stays honest."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from turnout.model import ActionDescriptor
from turnout.system1.calibration import Calibration, Refusal, calibrate, load, save
from turnout.system1.catalogue import compile_catalogue
from turnout.system1.classifier import System1Classifier
from turnout.system1.scores import Labelled, Lean, Scores

np = pytest.importorskip("numpy")

from turnout.system1.leaning import FEWEST, learned  # noqa: E402
from turnout.system1.local import LocalScorer  # noqa: E402

WAYS = 16


def drawn(asking: int, idle: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """Vectors of length 1, first scores that tell nothing, and which texts ask; one way tells both kinds apart."""
    draw = np.random.default_rng(seed)
    asks = np.arange(asking + idle) < asking
    vectors = draw.normal(size=(asking + idle, WAYS)).astype(np.float32)
    vectors[:, 0] += np.where(asks, 1.5, -1.5)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors, draw.uniform(0.4, 0.8, asking + idle).astype(np.float32), asks


def shifts(lean: Lean, vectors: Any) -> Any:
    return vectors @ np.array(lean.weights) + lean.constant


@pytest.mark.parametrize(("asking", "idle"), [(40, 40), (400, 40), (40, 400)])
def test_a_direction_that_tells_the_kinds_apart_is_found_and_requests_keep_their_scale(
    asking: int, idle: int
) -> None:
    vectors, ours, asks = drawn(asking, idle)
    lean = learned(vectors, ours, asks)
    assert lean is not None
    fresh, _, fresh_asks = drawn(300, 300, seed=1)
    moved = shifts(lean, fresh)
    assert moved[fresh_asks].mean() - moved[~fresh_asks].mean() > 0.05
    assert shifts(lean, vectors)[asks].mean() == pytest.approx(0.0, abs=1e-4)


def test_rows_that_the_score_tells_apart_already_move_little() -> None:
    vectors, _, asks = drawn(100, 100)
    known = learned(vectors, np.where(asks, 1.0, 0.0).astype(np.float32), asks)
    unknown = learned(vectors, np.full(200, 0.5, np.float32), asks)
    assert known is not None
    assert unknown is not None
    assert np.linalg.norm(known.weights) < 0.2 * np.linalg.norm(unknown.weights)


def test_each_kind_weighs_the_same_however_many_rows_it_has() -> None:
    vectors, ours, asks = drawn(60, 60)
    again = np.concatenate([np.arange(120), *[np.flatnonzero(~asks)] * 3])
    once, often = learned(vectors, ours, asks), learned(vectors[again], ours[again], asks[again])
    assert once is not None
    assert often is not None
    assert shifts(often, vectors) - shifts(once, vectors) == pytest.approx(np.zeros(120), abs=5e-3)


@pytest.mark.parametrize(("asking", "idle"), [(FEWEST - 1, 200), (200, FEWEST - 1), (0, 0)])
def test_too_few_rows_of_a_kind_teach_nothing(asking: int, idle: int) -> None:
    assert learned(*drawn(asking, idle)) is None


# ---- the tier ------------------------------------------------------------------------------------------------------

HOUSE = tuple(
    ActionDescriptor(id=name, name=name, description="", examples=texts)
    for name, texts in (
        ("light", ("turn on the lamp", "make the lamp bright", "lamp on in the hall")),
        ("door", ("lock the door", "close the door for the night", "door shut now")),
    )
)
ROOMS = ("hall", "kitchen", "bath", "cellar", "attic", "garage", "study", "porch", "den", "lobby")


def vectors_of(texts: Sequence[str]) -> Any:
    """An encoder of a test: the words of a text, each in a way of its own."""
    found = np.zeros((len(texts), 128), np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().split():
            found[row, random.Random(word).randrange(128)] += 1
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


def rows(kinds: int = 6) -> list[Labelled]:
    """Requests, and ones about other things that sound the same."""
    found: list[Labelled] = []
    for number in range(kinds):
        for room in ROOMS:
            found += [
                Labelled(text=f"turn on lamp {number} in the {room} now", actions=("light",)),
                Labelled(text=f"lock the door {number} of the {room} now", actions=("door",)),
                Labelled(text=f"paint the lamp {number} in the {room} green"),
                Labelled(text=f"paint the door {number} of the {room} green"),
            ]
    return found


def test_a_tier_that_was_taught_scores_as_before_but_for_the_correction() -> None:
    scorer = LocalScorer(compile_catalogue(HOUSE), vectors_of)
    lean, *_ = scorer.leans(rows(), 5)
    assert lean is not None
    taught = scorer.leaning(lean)
    for row in rows(2):
        before, after = scorer.score(row.text), taught.score(row.text)
        correction = float(shifts(lean, vectors_of([row.text])[0]))
        assert after.ours == pytest.approx(min(1.0, max(0.0, before.ours + correction)), abs=1e-5)
        assert after.ranked == before.ranked
    assert taught.leaning(None).score("paint the lamp") == scorer.score("paint the lamp")
    assert taught.leans(rows(), 5) == scorer.leans(rows(), 5)


def test_what_is_learned_without_a_fold_is_what_the_other_rows_teach() -> None:
    scorer = LocalScorer(compile_catalogue(HOUSE), vectors_of)
    whole, *without = scorer.leans(rows(), 4)
    assert whole == scorer.leans(rows(), 1)[0]
    for fold, lean in enumerate(without):
        others = [row for place, row in enumerate(rows()) if place % 4 != fold]
        assert lean == scorer.leans(others, 1)[0]
    assert scorer.leans([], 4) == (None,) * 5


def test_a_calibration_holds_what_was_taught_and_its_thresholds_are_for_scores_with_it(
    tmp_path: Path,
) -> None:
    classifier = System1Classifier.fit(HOUSE, encoder=vectors_of)
    found = calibrate(rows(12), classifier, max_wrong=0.1, reasoning_share=0.5)
    assert isinstance(found, Calibration)
    assert found.lean is not None
    save(found, tmp_path / "calibration.json")
    read = load(tmp_path / "calibration.json", "")
    assert read == found
    served = classifier.calibrated(read.thresholds, read.lean)
    assert served.fingerprint == classifier.fingerprint
    counted = [bool(served.acting(row.text)(served.thresholds)) == bool(row.actions) for row in rows(12)]
    assert sum(counted) / len(counted) > 0.9


def test_the_lexical_tier_is_calibrated_without_a_correction() -> None:
    classifier = System1Classifier.fit(HOUSE, local=False)
    found = calibrate(rows(12), classifier, max_wrong=0.2, reasoning_share=0.5)
    assert isinstance(found, Calibration)
    assert found.lean is None
    assert classifier.leans(rows(), 3) == (None,) * 4


# ---- honesty -------------------------------------------------------------------------------------------------------


Taught = dict[str, bool]


class ByHeart:
    """Knows every row that it was taught, and guesses all others."""

    def __init__(self, taught: Taught | None = None, leans: dict[Lean, Taught] | None = None) -> None:
        self._taught: Taught = taught or {}
        self._leans: dict[Lean, Taught] = {} if leans is None else leans

    def score(self, text: str) -> Scores:
        guessed = random.Random(text).random()
        return Scores(ours=float(self._taught.get(text, guessed)), ranked=(("a", 1.0),))

    def leans(self, rows: Sequence[Labelled], folds: int) -> tuple[Lean, ...]:
        told = tuple(Lean(constant=float(fold), weights=()) for fold in range(-1, folds))
        for fold, lean in zip(range(-1, folds), told, strict=True):
            others = (row for place, row in enumerate(rows) if place % folds != fold)
            self._leans[lean] = {row.text: bool(row.actions) for row in others}
        return told

    def leaning(self, lean: Lean | None) -> "ByHeart":
        return self if lean is None else _Watched(self._leans[lean], self._leans)


class _Watched(ByHeart):
    """Refuses to score a row that it was taught: such a score would prove nothing."""

    def score(self, text: str) -> Scores:
        assert text not in self._taught
        return super().score(text)


def labelled(each: int) -> list[Labelled]:
    return [Labelled(text=f"{at}", actions=("a",) if at % 2 else ()) for at in range(2 * each)]


def test_no_row_is_scored_by_what_it_taught_itself_and_learning_by_heart_proves_nothing() -> None:
    found = calibrate(labelled(1_000), ByHeart(), max_wrong=0.05, reasoning_share=0.5)
    assert isinstance(found, Refusal)


def test_the_rows_that_test_are_scored_by_what_all_teaching_rows_taught() -> None:
    class Sure(ByHeart):
        def leaning(self, lean: Lean | None) -> "ByHeart":
            made.append(lean)
            return Knows()

    class Knows(ByHeart):
        def score(self, text: str) -> Scores:
            return Scores(ours=0.9 * (int(text) % 2), ranked=(("a", 1.0),))

    made: list[Lean | None] = []
    found = calibrate(labelled(1_000), Sure(), max_wrong=0.05, reasoning_share=0.5)
    assert isinstance(found, Calibration)
    assert found.lean == made[-1] == Lean(constant=-1.0, weights=())
    assert found.counts.asking + found.counts.idle + found.planned == 2_000
    assert found.coverage == 1.0
