"""The tiers: what they learn from, the two scores that they give, and heads that fit."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.model import ActionDescriptor
from turnout.system1.catalogue import NONE, compile_catalogue, spoken
from turnout.system1.features import Rarity, counts
from turnout.system1.lexical import LexicalScorer
from turnout.system1.scores import Labelled, Scores, Thresholds

np = pytest.importorskip("numpy")

SHOP = (
    ActionDescriptor(
        id="shop.refund",
        name="refund_order",
        description="Give the money for an order back.",
        examples=("refund my order", "I want my money back for order 12", "give me a refund"),
    ),
    ActionDescriptor(
        id="shop.track",
        name="trackParcel",
        description="Say where a parcel is.",
        examples=("where is my parcel", "track order 12", "has my package been shipped"),
    ),
    ActionDescriptor(
        id="shop.cancel",
        name="cancel_order",
        description="Stop an order that was not shipped.",
        examples=("cancel my order", "stop order 77 before it ships", "I don't want the order any more"),
    ),
)
ELSEWHERE = ("write a poem about the sea", "what is the capital of France", "explain monads to me")


def vectors(texts: Sequence[str]) -> Any:
    """An encoder of a test: the letters of a text, hashed into a vector of length 1."""
    found = np.zeros((len(texts), 64), np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().split():
            found[row, sum(map(ord, word)) % 64] += 1
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


def scorer(kind: str, reasoning: Sequence[str] = ()) -> Any:
    from turnout.system1.local import LocalScorer

    catalogue = compile_catalogue(SHOP, (), None, reasoning)
    return LexicalScorer(catalogue) if kind == "lexical" else LocalScorer(catalogue, vectors)


TIERS = pytest.mark.parametrize("kind", ["lexical", "local"])


def test_names_and_descriptions_are_examples_and_negatives_a_class_of_their_own() -> None:
    rows = [
        Labelled(text="money back please", actions=("shop.refund",)),
        Labelled(text="x", actions=("a", "b")),
    ]
    catalogue = compile_catalogue(SHOP, rows, {"shop.refund": ("do you refund",)}, ELSEWHERE)
    said = dict(zip(catalogue.texts, catalogue.labels, strict=True))
    assert said["refund order"] == said["money back please"] == said["Give the money for an order back."] == 0
    assert said["track parcel"] == 1
    assert said["do you refund"] == said["explain monads to me"] == NONE
    assert "x" not in said
    assert catalogue.taught == (4, 3, 3)


def test_a_fingerprint_names_all_that_is_learned_from() -> None:
    one, same = compile_catalogue(SHOP), compile_catalogue(SHOP)
    other = compile_catalogue(SHOP, [Labelled(text="refund it", actions=("shop.refund",))])
    moved = compile_catalogue(SHOP, [Labelled(text="refund it", actions=("shop.track",))])
    assert one.fingerprint == same.fingerprint
    assert len({one.fingerprint, other.fingerprint, moved.fingerprint}) == 3


@pytest.mark.parametrize(
    ("name", "words"), [("create_invoice", "create invoice"), ("getHTTPStatus2", "get http status 2")]
)
def test_a_name_is_read_as_words(name: str, words: str) -> None:
    assert spoken(ActionDescriptor(id="x", name=name, description="")) == words


@TIERS
@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("please refund order 99", "shop.refund"),
        ("track my parcel", "shop.track"),
        ("cancel order 5", "shop.cancel"),
    ],
)
def test_a_wording_near_an_example_is_ours_and_that_action(kind: str, text: str, action: str) -> None:
    scores = scorer(kind).score(text)
    assert scores.ranked[0][0] == action
    assert scores.ours > scorer(kind).score("the weather in Rome is lovely today").ours
    assert sum(chance for _, chance in scores.ranked) == pytest.approx(1.0, abs=1e-5)


@TIERS
def test_what_asks_for_nothing_is_less_ours_once_it_is_known(kind: str) -> None:
    text = "write a poem about my order"
    assert scorer(kind, ELSEWHERE).score(text).ours < scorer(kind).score(text).ours


@TIERS
@given(text=st.text(max_size=200))
def test_scores_are_shares_for_any_text(kind: str, text: str) -> None:
    known = _FITTED.setdefault(kind, scorer(kind))
    scores = known.score(text)
    assert 0 <= scores.ours <= 1
    assert 0 <= scores.margin <= 1 + 1e-6
    assert [chance for _, chance in scores.ranked] == sorted(
        (chance for _, chance in scores.ranked), reverse=True
    )


_FITTED: dict[str, Any] = {}


@TIERS
def test_fitting_twice_gives_the_same(kind: str) -> None:
    assert scorer(kind).score("refund order 4") == scorer(kind).score("refund order 4")


def test_one_action_alone_can_be_told_from_nothing() -> None:
    alone = LexicalScorer(compile_catalogue(SHOP[:1]))
    assert alone.score("refund my order").ours > 0.8
    assert alone.score("qqq zzz").ours == 0.0
    assert alone.score("").ranked == ()


def test_a_scorer_that_knows_most_of_it_encodes_only_what_is_new() -> None:
    from turnout.system1.local import LocalScorer

    asked: list[str] = []

    def counting(texts: Sequence[str]) -> Any:
        asked.extend(texts)
        return vectors(texts)

    before = LocalScorer(compile_catalogue(SHOP[:2]), counting)
    asked.clear()
    after = LocalScorer(compile_catalogue(SHOP), counting, before)
    assert set(asked) == {*SHOP[2].examples, "cancel order", SHOP[2].description}
    assert after.score("cancel order 5").ranked[0][0] == "shop.cancel"
    assert after.score("track my parcel").ranked[0][0] == "shop.track"


def test_a_fingerprint_tells_another_encoder_and_not_another_rounding() -> None:
    from turnout.system1.classifier import System1Classifier

    noise = np.random.default_rng(0)

    def rounded(texts: Sequence[str]) -> Any:
        return vectors(texts) + noise.normal(0, 1e-7, (len(texts), 64)).astype(np.float32)

    def mixed(texts: Sequence[str]) -> Any:
        found = vectors(texts) + 0.1
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    def longer(texts: Sequence[str]) -> Any:
        return np.hstack([vectors(texts), np.zeros((len(texts), 64), np.float32)])

    one, same, *others = (
        System1Classifier.fit(SHOP, encoder=encoder).fingerprint
        for encoder in (vectors, rounded, mixed, longer)
    )
    assert one == same
    assert len({one, *others, System1Classifier.fit(SHOP, local=False).fingerprint}) == 4


def test_a_head_learns_what_can_be_parted_and_begins_where_it_is_told() -> None:
    from turnout.system1.heads import fit_softmax

    random = np.random.default_rng(0)
    centres = np.eye(3, 5, dtype=np.float32) * 4
    labels = np.repeat(np.arange(3), 30)
    x = (centres[labels] + random.normal(0, 0.5, (90, 5))).astype(np.float32)
    head = fit_softmax(x, labels, 3)
    assert (head(x).argmax(1) == labels).mean() == 1.0
    assert head(x).sum(1).tolist() == pytest.approx([1.0] * 90, abs=1e-5)
    again = fit_softmax(x, labels, 3, start=head.weights, steps=1)
    assert np.abs(again.weights - head.weights).max() < 0.05


def test_a_rare_word_tells_more_than_a_common_one() -> None:
    bags = [counts(text) for text in ("refund the order", "track the order", "cancel the order")]
    vector = Rarity(bags).vector(counts("refund order"))
    assert vector["=refund"] > vector["=order"]
    assert sum(value * value for value in vector.values()) == pytest.approx(1.0)
    assert Rarity(bags).vector(counts("zzz")) == {}


def test_both_bars_must_be_reached() -> None:
    bars = Thresholds(ours=0.5, margin=0.2)
    assert bars.passed(Scores(ours=0.5, ranked=(("a", 0.75), ("b", 0.25))))
    assert not bars.passed(Scores(ours=0.49, ranked=(("a", 1.0),)))
    assert not bars.passed(Scores(ours=0.9, ranked=(("a", 0.55), ("b", 0.45))))


def test_examples_that_are_alike_ask_for_more_likeness() -> None:
    from turnout.system1.membership import Membership

    noise = np.random.default_rng(1).normal(0, 1, (3, 8, 16)).astype(np.float32)
    centre = np.eye(3, 16, dtype=np.float32)[:, None, :] * 3
    rows = centre + noise * np.array([0.3, 1.0, 1.0], np.float32)[:, None, None]
    rows /= np.linalg.norm(rows, axis=2, keepdims=True)
    labels = np.repeat(np.arange(3), 8)
    near, likeness = zip(
        *(Membership(rows.reshape(24, 16), labels, 3)(centre[at, 0] / 3, at) for at in (0, 1)), strict=True
    )
    assert near[0] > near[1]
    assert likeness[0] - likeness[1] < near[0] - near[1]


def test_the_likeness_is_that_to_a_quarter_of_the_examples_and_to_three_at_least() -> None:
    from turnout.system1.membership import Membership

    vector = np.array([1, 0], np.float32)
    for count, read in ((1, 1), (2, 2), (12, 3), (40, 10)):
        slopes = np.linspace(0, 1, count, dtype=np.float32)
        rows = np.stack([np.cos(slopes), np.sin(slopes)], axis=1)
        own = Membership(rows, np.zeros(count, np.int64), 2)
        expected = own(vector, 0)[1] - float(np.sort(rows[:, 0])[-read:].mean())
        assert own(rows[-1], 0)[1] - float(np.sort(rows @ rows[-1])[-read:].mean()) == pytest.approx(
            expected, abs=1e-6
        )
        assert own(vector, 1) == (0.0, 0.0)


def test_many_examples_of_one_action_fit_without_a_table_of_all_pairs() -> None:
    from turnout.system1.membership import Membership

    rows = np.random.default_rng(2).normal(0, 1, (30_000, 4)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert 0 < Membership(rows, np.zeros(30_000, np.int64), 1)(rows[0], 0)[1] <= 1.2


def test_only_the_weights_asked_for_are_fitted() -> None:
    from turnout.system1.heads import fit_softmax

    random = np.random.default_rng(3)
    labels = np.repeat(np.arange(4), 20)
    x = (np.eye(4, 6, dtype=np.float32)[labels] * 3 + random.normal(0, 1, (80, 6))).astype(np.float32)
    whole = fit_softmax(x, labels, 4)
    start = whole.weights.copy()
    start[:, 3] = 0
    again = fit_softmax(x, labels, 4, start=start, only=[3])
    assert (again.weights[:, :3] == whole.weights[:, :3]).all()
    assert again.weights == pytest.approx(whole.weights, abs=0.05)
    assert not start[:, 3].any()


def test_one_more_action_gives_the_scores_of_a_fresh_fit() -> None:
    from turnout.system1.local import LocalScorer

    names = ["red", "green", "blue", "black", "white", "grey", "pink", "brown"]
    things = ["lamp", "door", "clock", "fan"]
    forms = [
        "turn on the {} {}",
        "{} {} on please",
        "switch the {} {} on",
        "I want the {} {} on",
        "on with the {} {}",
    ]
    actions = tuple(
        ActionDescriptor(
            id=f"{name}_{thing}",
            name=f"{name}_{thing}",
            description="",
            examples=tuple(form.format(name, thing) for form in forms),
        )
        for name in names
        for thing in things
    )
    before = LocalScorer(compile_catalogue(actions[:-1]), vectors)
    grown, fresh = (LocalScorer(compile_catalogue(actions), vectors, since) for since in (before, None))
    for text in ("please turn the brown fan on", "the pink fan", "switch on the brown clock"):
        one, other = dict(grown.score(text).ranked), dict(fresh.score(text).ranked)
        assert one == pytest.approx(other, abs=0.02)
        assert grown.score(text).ours == pytest.approx(fresh.score(text).ours, abs=0.02)


def test_many_examples_part_actions_that_no_straight_border_does() -> None:
    from turnout.system1.local import LocalScorer

    meant: dict[str, float] = {"sail": -90, "row": -90}

    def word(angle: float) -> str:
        """A word that is like no other, and means an angle."""
        said = "".join(chr(0x4E00 + int(angle * 2) * 7 + at) for at in range(2))
        meant[said] = angle
        return said

    def angles(texts: Sequence[str]) -> Any:
        turned = np.radians([meant[text] for text in texts])
        return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)

    actions = tuple(
        ActionDescriptor(
            id=name,
            name=name,
            description="",
            examples=tuple(word(middle + at) for middle in middles for at in range(41)),
        )
        for name, middles in (("sail", (0, 120)), ("row", (60, 180)))
    )
    scorer = LocalScorer(compile_catalogue(actions), angles)
    found = [scorer.score(word(middle + 20.5)).ranked[0][0] for middle in (0, 60, 120, 180)]
    assert found == ["sail", "row", "sail", "row"]
