"""Thresholds for a promise: of all actions that run, at most a given share is wrong. Reached, or refused.

How it is valid. Labelled rows are parted by the digests of their texts, before anything is scored: some teach and
plan, the others test. The first ones correct the first score, if the scorer can learn from them (see `leaning`), and
draw a ladder of thresholds (see `ladder`), each by what was learned without it. The others test the ladder with what
was learned, from its first rung down, and the first rung that does not pass ends the test (fixed-sequence testing,
Maurer, Hothorn and Lehmacher 1995). So a bad rung is taken with the probability of one wrong test, however many rungs
there are. Each test is exact (see `risk`): misroutes and false acts share one budget of errors in the mix of traffic
that is asked for, whatever the mix of the labelled rows.

What it rests on: the rows look like the traffic, within those that ask for an action and within those that do not;
each counts for itself (many wordings of one sentence count as one); none of them is an example that the scorer knows.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias

import msgspec

from turnout.model import V
from turnout.model.errors import Misconfigured

from .ladder import Scored, count, ladder
from .missing import Missing, missing
from .risk import Counts, Promise, at_worst, kept
from .scores import Labelled, Lean, Scores, Teachable, Thresholds

_PLANNING: Final = 1 / 7  # of the rows of each kind
_TEACHING: Final = 1 / 4  # the same where these rows teach as well
_FOLDS: Final = 5
_FORMAT: Final = 1
_NO_BARS: Final = Thresholds(ours=0.0, margin=0.0)
_BEYOND: Final = 1e-9


class Scorer(Protocol):
    """Anything that scores a text: a tier of System 1, or a function's object of one's own.

    Where more than the scores decides (speech acts, several actions in one text), it has
    `acting(text) -> (thresholds) -> ids` too, which tells what would run at some thresholds; the test asks that.
    One that learns from labelled rows has `leans` and `leaning` (see `Teachable`).
    """

    def score(self, text: str) -> Scores:
        """How surely the text asks for an action, and for which."""
        ...


class Calibration(V, frozen=True, kw_only=True):
    """Thresholds that keep a promise, and the proof: what they did to the rows that tested them.

    `proven` is the smallest share of wrong actions that these counts prove at the promise's confidence, in its mix.
    `planned` is how many rows drew the ladder, and taught the `lean` where there is one: the thresholds are for scores
    with it. `fingerprint` names the catalogue, its examples and the encoder that it was made for. `format` is that of
    the saved file.
    """

    thresholds: Thresholds
    promise: Promise
    counts: Counts
    proven: float
    planned: int = 0
    lean: Lean | None = None
    fingerprint: str = ""
    format: Literal[1] = _FORMAT

    @property
    def coverage(self) -> float:
        """The share of the tested requests for actions that is answered, and rightly."""
        return self.counts.coverage

    @property
    def told(self) -> str:
        """It in one sentence."""
        return (
            f"at most {self.promise.max_wrong:.1%} of the actions are wrong (proven: {self.proven:.2%}, with "
            f"{self.promise.confidence:.0%} confidence) where {self.promise.reasoning_share:.0%} of the requests are "
            f"for the model; {self.coverage:.1%} of the requests for actions are answered"
        )


class Refusal(V, frozen=True, kw_only=True):
    """No thresholds keep the promise on these rows; nothing may act alone.

    `missing` is about how many more labelled rows would do, `None` when more rows of the same kind would not: then
    the actions need better examples, or the promise must be smaller. `proven` is the smallest share of wrong actions
    that can be proven with these rows, at thresholds that act at all; 1 when nothing can.
    """

    promise: Promise
    reason: str
    missing: Missing | None = None
    proven: float = 1.0

    @property
    def told(self) -> str:
        """It in one sentence, with what to do."""
        if self.missing is None:
            return f"{self.reason}; more rows alone would not do: give clearer examples, or ask for less"
        return f"{self.reason}; {self.missing.told}"


def calibrate(
    rows: Iterable[Labelled],
    scorer: Scorer,
    *,
    max_wrong: float = 0.01,
    reasoning_share: float = 0.8,
    confidence: float = 0.95,
    fingerprint: str = "",
) -> Calibration | Refusal:
    """Thresholds under which at most `max_wrong` of all actions are wrong, or why there are none.

    `rows` with actions and rows without (which reasoning answers) may come in any proportion; the promise is for
    traffic of which the share `reasoning_share` is for the model, and it is kept with probability `confidence` over
    the choice of the rows. A row that asks for several actions is right only if just these would run.

    Raises:
        ValueError: a number is not a share, or nothing could be promised with it.
    """
    promise = Promise(max_wrong=max_wrong, reasoning_share=reasoning_share, confidence=confidence)
    parts, lean = _parted(list(rows), scorer)
    planning, testing = ([_Row(row, by) for row, by in part] for part in parts)
    asking = sum(row.asks for row in testing)
    rungs = ladder([row.scored for row in planning], promise, asking, len(testing) - asking)
    passed: tuple[Thresholds, Counts] | None = None
    for thresholds in rungs:
        counts = _tested(testing, thresholds)
        if not kept(counts, promise):
            break
        passed = thresholds, counts
    if passed is None:
        return _refused(planning, testing, rungs, promise)
    return Calibration(
        thresholds=passed[0],
        promise=promise,
        counts=passed[1],
        proven=at_worst(passed[1], promise),
        planned=len(planning),
        lean=lean,
        fingerprint=fingerprint,
    )


class _Row:
    """A labelled row, scored once."""

    __slots__ = ("acting", "asks", "decided", "gold", "scored")

    def __init__(self, row: Labelled, scorer: Scorer) -> None:
        self.gold = sorted(row.actions)
        self.asks = bool(row.actions)
        scores = scorer.score(row.text)
        acting: Any = getattr(scorer, "acting", None)
        self.acting: Callable[[Thresholds], tuple[str, ...]] | None = (
            None if acting is None else acting(row.text)
        )
        self.scored = self._scored(scores)
        self.decided = self.scored if self.acting is None else self.scored._replace(ran=self.ran)

    def ran(self, thresholds: Thresholds) -> bool | None:
        """Whether just that would run which is asked for; `None` where nothing would."""
        picked = self.acting(thresholds) if self.acting is not None else ()
        return sorted(picked) == self.gold if picked else None

    def _scored(self, scores: Scores) -> Scored:
        """The row by its scores, where these tell when it acts."""
        right = sorted(scores.picked) == self.gold if self.asks else None
        found = Scored(scores.ours, scores.margin, right) if scores.picked else Scored(-1.0, -1.0, right)
        if self.acting is None:
            return found
        ours, margin = scores.ours, scores.margin
        # At and beyond each of the corners.
        corners = [(0.0, 0.0), (ours, margin), (ours + _BEYOND, 0.0), (0.0, margin + _BEYOND)]
        tried = [Thresholds(ours=each, margin=other) for each, other in corners]
        if all(
            self.acting(each) == (scores.picked if found.acts(each) is not None else ()) for each in tried
        ):
            return found
        if not any(self.acting(each) for each in tried):
            return Scored(-1.0, -1.0, right)
        return found._replace(ran=self.ran)


def _tested(rows: Sequence[_Row], thresholds: Thresholds) -> Counts:
    """What the thresholds do to the rows; what would run is asked of the scorer itself where it says."""
    return count([row.decided for row in rows], thresholds)


_Part: TypeAlias = Sequence[tuple[Labelled, Scorer]]


def _parted(rows: Sequence[Labelled], scorer: Scorer) -> tuple[tuple[_Part, _Part], Lean | None]:
    """The rows that plan and those that test, each with what scores it, and what the first ones taught.

    A row that teaches is scored by what the others taught. The parts are the same for the same texts in any order.
    """
    if isinstance(scorer, Teachable):
        teaching, testing = _divided(rows, _TEACHING)
        lean, *without = scorer.leans(teaching, _FOLDS)
        if lean is not None:
            others = [scorer.leaning(each) for each in without]
            planning = [(row, others[place % _FOLDS]) for place, row in enumerate(teaching)]
            taught = scorer.leaning(lean)
            return (planning, [(row, taught) for row in testing]), lean
    planning, testing = _divided(rows, _PLANNING)
    return ([(row, scorer) for row in planning], [(row, scorer) for row in testing]), None


def _divided(rows: Sequence[Labelled], share: float) -> tuple[list[Labelled], list[Labelled]]:
    """That share of the rows of each kind, and the others."""
    first: list[Labelled] = []
    second: list[Labelled] = []
    for asks in (True, False):
        kind = sorted((row for row in rows if bool(row.actions) is asks), key=_digest)
        some = round(len(kind) * share)
        first += kind[:some]
        second += kind[some:]
    return first, second


def _digest(row: Labelled) -> bytes:
    return sha256(row.text.encode("utf-8", "surrogatepass")).digest()


def save(calibration: Calibration, path: str | Path) -> None:
    """Write it as JSON.

    Raises:
        OSError: the file cannot be written.
    """
    data = msgspec.json.format(msgspec.json.encode(calibration), indent=2)
    Path(path).write_bytes(data + b"\n")


def load(path: str | Path, fingerprint: str) -> Calibration:
    """The saved calibration, if it was made for what has this fingerprint.

    Raises:
        Misconfigured: it cannot be read, or was made for other actions, examples or another encoder.
    """
    try:
        found = msgspec.json.decode(Path(path).read_bytes(), type=Calibration)
    except OSError as error:
        raise Misconfigured(f"{path}: cannot be read: {error.strerror}") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise Misconfigured(f"{path}: no calibration: {error}") from error
    if found.fingerprint != fingerprint:
        raise Misconfigured(
            f"{path}: made for other actions, examples or another encoder, so its promise does not hold here; "
            "calibrate again"
        )
    return found


def _refused(
    planning: list[_Row], testing: list[_Row], rungs: tuple[Thresholds, ...], promise: Promise
) -> Refusal:
    tested = _tested(testing, _NO_BARS)
    if promise.reasoning_share > 0 and tested.idle == 0:
        reason = "there are no labelled rows for the model"
    elif tested.acts == 0:
        reason = "there are no labelled rows for an action that scored"
    else:
        reason = f"no thresholds prove that at most {promise.max_wrong:.1%} of the actions are wrong"
    both = [row.scored for row in (*planning, *testing)]
    asking = sum(row.right is not None for row in both)
    # An estimate may look for the thresholds that suit all rows best, by their scores alone; a proof may not.
    others = ladder([row._replace(ran=None) for row in both], promise, asking, len(both) - asking)
    estimates = (
        missing(
            [count(both, each) for each in thresholds],
            promise,
            testing_share=len(testing) / max(1, len(both)),
        )
        for thresholds in (rungs, others)
    )
    first = _tested(testing, rungs[0]) if rungs else tested
    return Refusal(
        promise=promise,
        reason=reason,
        missing=next((each for each in estimates if each is not None), None),
        proven=at_worst(first, promise),
    )
