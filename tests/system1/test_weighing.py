"""Scores of a request in the light of the values that it gives."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.system1.parameters import Extraction
from turnout.system1.parameters.filling import Value
from turnout.system1.parameters.option import QUOTED
from turnout.system1.scores import Scores
from turnout.system1.weighing import weighed


def found(*spans: tuple[str, int, int], missing: Sequence[str] = ()) -> Extraction:
    values = {name: Value(value=name, start=start, end=end, confidence=1.0) for name, start, end in spans}
    return Extraction(values=values, missing=tuple(missing))


def after(
    scores: Scores, told: Mapping[str, Extraction], required: Mapping[str, Sequence[str]] | None = None
) -> Scores:
    needed = required or {name: (*each.values, *each.missing) for name, each in told.items()}
    return weighed(scores, told.__getitem__, needed.__getitem__)


def near(ours: float, **chances: float) -> Scores:
    return Scores(ours=ours, ranked=tuple(sorted(chances.items(), key=lambda each: -each[1])))


ROOM, DAY, TIME = ("room", 0, 4), ("day", 5, 8), ("time", 9, 12)


def test_an_action_that_has_a_place_for_all_values_goes_before_a_likelier_one_that_has_not() -> None:
    told = {"cool": found(ROOM, missing=["degrees"]), "ride": found(ROOM, DAY, TIME)}

    assert after(near(0.5, cool=0.5, ride=0.3), told).ranked[0][0] == "ride"


def test_values_do_not_overcome_words_that_are_clear() -> None:
    told = {"cool": found(ROOM, missing=["degrees"]), "ride": found(ROOM, DAY, TIME)}

    assert after(near(0.7, cool=0.97, ride=0.02), told).ranked[0][0] == "cool"


def test_each_required_value_makes_a_text_surer_to_be_ours() -> None:
    steps = [
        found(missing=["room", "day"]),
        found(ROOM, missing=["day"]),
        found(ROOM, DAY),
    ]
    ours = [after(near(0.4, ride=0.9, cool=0.05), {"ride": each, "cool": found()}).ours for each in steps]

    assert ours == sorted(set(ours))


def test_words_in_quotes_speak_for_no_action() -> None:
    def quoting(text: str) -> float:
        said = Value(value=text, start=0, end=4, confidence=QUOTED)
        told = {"post": Extraction(values={"text": said}), "cool": found()}
        return after(near(0.5, post=0.6, cool=0.3), told).ranked[0][1]

    assert quoting("stop it") < quoting("stop")


def test_values_that_are_open_make_it_less_sure() -> None:
    scores = near(0.5, ride=0.9, cool=0.05)
    whole = after(scores, {"ride": found(ROOM), "cool": found()})
    lacking = after(scores, {"ride": found(ROOM, missing=["day"]), "cool": found()})

    assert lacking.ours < whole.ours


def test_only_likely_actions_are_asked_for_their_values() -> None:
    asked: list[str] = []

    def told(action: str) -> Extraction:
        asked.append(action)
        return found()

    weighed(near(0.5, ride=0.9, cool=0.09, wake=0.001), told, lambda _: ())

    assert asked == ["ride", "cool"]


@given(
    st.floats(0, 1),
    st.lists(st.floats(0.001, 1), min_size=1, max_size=8),
    st.lists(st.integers(0, 3), min_size=8, max_size=8),
    st.lists(st.integers(0, 3), min_size=8, max_size=8),
)
def test_scores_stay_scores(ours: float, chances: list[float], values: list[int], missing: list[int]) -> None:
    total = sum(chances)
    scores = near(ours, **{f"a{at}": chance / total for at, chance in enumerate(chances)})
    told = {
        f"a{at}": found(
            *((f"v{n}", 5 * n, 5 * n + 4) for n in range(values[at])),
            missing=[f"m{n}" for n in range(missing[at])],
        )
        for at in range(len(chances))
    }
    made = after(scores, told)

    assert 0 <= made.ours <= 1
    assert {action for action, _ in made.ranked} == {action for action, _ in scores.ranked}
    assert sum(chance for _, chance in made.ranked) == pytest.approx(1)
    assert [chance for _, chance in made.ranked] == sorted(
        (chance for _, chance in made.ranked), reverse=True
    )
