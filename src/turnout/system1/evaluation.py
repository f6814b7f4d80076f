"""How good a classifier is on labelled requests: what it ran, what it should have, and how sure it was.

Strategy: each row is judged once, whatever classifier decided (rules, a local tier, a model); the report is computed
from the judged rows alone, so that live traffic recorded in shadow can be reported on in the same way.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from turnout.model import V

from .binomial import wilson

REASONING: Final = "(model)"
"""What stands for reasoning among action ids in pairs; no action can have this id."""

SHARES: Final = (0.2, 0.5, 0.8)
_BINS: Final = 10
_POINTS: Final = 20


class Judged(V, frozen=True, kw_only=True):
    """One labelled request and what a classifier made of it.

    `gold` are the actions asked for and `picked` those that would run, one id per call; none is for the model. An
    `asked` row got a question, which runs nothing. `score` is how sure the classifier was, from 0 to 1, and `top` what
    it ranked first, `None` where it does not say. `values` says whether all parameters were right, `None` where the
    label names none.
    """

    text: str
    gold: tuple[str, ...] = ()
    picked: tuple[str, ...] = ()
    asked: bool = False
    score: float | None = None
    top: str | None = None
    values: bool | None = None

    @property
    def right(self) -> bool:
        """Whether exactly the actions asked for would run."""
        return sorted(self.picked) == sorted(self.gold)


class PerAction(V, frozen=True, kw_only=True):
    """One action: how often it was asked for and run, and rightly so; shares are `None` where there is nothing."""

    id: str
    asked: int
    ran: int
    precision: float | None
    recall: float | None


class Pair(V, frozen=True, kw_only=True):
    """Requests for one thing that another was taken for; `REASONING` is the model."""

    gold: str
    picked: str
    rows: int
    example: str


class Point(V, frozen=True, kw_only=True):
    """If only what is scored at least `score` acted: what would be answered, and how much of it wrongly."""

    score: float
    coverage: float
    wrong_per_acts: float


class Evaluation(V, frozen=True, kw_only=True):
    """The report over all rows; shares are `None` where there is nothing to take them of.

    `wrong_per_acts` is of the rows as they are, with its 95 % interval; `wrong_at` mixes requests for actions and for
    the model by the share of the latter. `coverage` is the share of the requests for actions that is answered rightly,
    `reasoning_recall` that of the requests for the model that stays with it. `values_right` is of the acts that are
    right and whose label names parameters. `forced` is how often the first rank is right whether or not it acts,
    `auroc` how well scores tell requests for actions from others. `calibration_error` is the mean distance of scores
    from how often they are right.
    """

    rows: int
    asking: int
    acts: int
    wrong: int
    asked: int
    wrong_per_acts: float | None
    wrong_interval: tuple[float, float]
    wrong_at: dict[str, float | None]
    coverage: float | None
    reasoning_recall: float | None
    values_right: float | None
    forced: float | None
    auroc: float | None
    calibration_error: float | None
    actions: tuple[PerAction, ...]
    confused: tuple[Pair, ...]
    curve: tuple[Point, ...]


def evaluate(rows: Iterable[Judged], shares: Sequence[float] = SHARES) -> Evaluation:
    """The report; `shares` are those of the requests for the model at which wrong/acts is told."""
    judged = tuple(rows)
    asking = [row for row in judged if row.gold]
    idle = [row for row in judged if not row.gold]
    acts = [row for row in judged if row.picked]
    wrong = sum(not row.right for row in acts)
    valued = [row.values for row in acts if row.right and row.values is not None]
    ranked = [row for row in asking if row.top is not None]
    scored = [row for row in judged if row.score is not None]
    return Evaluation(
        rows=len(judged),
        asking=len(asking),
        acts=len(acts),
        wrong=wrong,
        asked=sum(row.asked for row in judged),
        wrong_per_acts=_share(wrong, len(acts)),
        wrong_interval=wilson(wrong, len(acts)),
        wrong_at={f"{share:g}": _mixed(asking, idle, share) for share in shares},
        coverage=_share(sum(row.right for row in asking), len(asking)),
        reasoning_recall=_share(sum(not row.picked for row in idle), len(idle)),
        values_right=_share(sum(valued), len(valued)),
        forced=_share(sum(row.top in row.gold for row in ranked), len(asking)) if ranked else None,
        auroc=_auroc(
            [row.score or 0.0 for row in scored if row.gold],
            [row.score or 0.0 for row in scored if not row.gold],
        ),
        calibration_error=_calibration_error(scored),
        actions=_per_action(judged),
        confused=_confused(judged),
        curve=_curve(scored, len(asking)),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mixed(asking: list[Judged], idle: list[Judged], share: float) -> float | None:
    """Wrong/acts where `share` of the requests are for the model; 0 where nothing acts."""
    if not asking or not idle:
        return None
    right = (1 - share) * sum(row.right for row in asking) / len(asking)
    wrong = (1 - share) * sum(bool(row.picked) and not row.right for row in asking) / len(asking)
    wrong += share * sum(bool(row.picked) for row in idle) / len(idle)
    return wrong / (wrong + right) if wrong + right else 0.0


def _per_action(judged: tuple[Judged, ...]) -> tuple[PerAction, ...]:
    asked, ran, met = Counter[str](), Counter[str](), Counter[str]()
    for row in judged:
        asked.update(row.gold)
        ran.update(row.picked)
        met.update((Counter(row.gold) & Counter(row.picked)).elements())
    return tuple(
        PerAction(
            id=name,
            asked=asked[name],
            ran=ran[name],
            precision=_share(met[name], ran[name]),
            recall=_share(met[name], asked[name]),
        )
        for name in sorted(asked | ran)
    )


def _confused(judged: tuple[Judged, ...]) -> tuple[Pair, ...]:
    """What was taken for what, most often first; a request that wrongly stays with the model is only uncovered."""
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for row in judged:
        if row.picked and not row.right:
            gold, picked = Counter(row.gold), Counter(row.picked)
            for lost in sorted((gold - picked).keys()) or [REASONING]:
                for extra in sorted((picked - gold).keys()) or [REASONING]:
                    found[lost, extra].append(row.text)
    pairs = [
        Pair(gold=gold, picked=picked, rows=len(texts), example=texts[0])
        for (gold, picked), texts in found.items()
    ]
    return tuple(sorted(pairs, key=lambda pair: (-pair.rows, pair.gold, pair.picked)))


def _auroc(above: list[float], below: list[float]) -> float | None:
    """How often one of the first has a higher score than one of the second; a tie counts half."""
    if not above or not below:
        return None
    rank, total = 0, 0.0
    counted = Counter((score, 1) for score in above) + Counter((score, 0) for score in below)
    for score in sorted({score for score, _ in counted}):
        ties, ours = counted[score, 0], counted[score, 1]
        total += ours * (rank + (ties + ours + 1) / 2)
        rank += ties + ours
    return (total - len(above) * (len(above) + 1) / 2) / (len(above) * len(below))


def _certain(row: Judged) -> bool:
    """Whether what it ranks first is what is asked for."""
    return bool(row.gold) and (row.top in row.gold if row.top is not None else row.right)


def _calibration_error(scored: list[Judged]) -> float | None:
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for row in scored:
        score = min(1.0, max(0.0, row.score or 0.0))
        bins[min(_BINS - 1, int(score * _BINS))].append((score, _certain(row)))
    if not scored:
        return None
    off = (abs(sum(score for score, _ in each) - sum(right for _, right in each)) for each in bins)
    return sum(off) / len(scored)


def _curve(scored: list[Judged], asking: int) -> tuple[Point, ...]:
    """Some points of the risk-coverage curve, the surest first."""
    ordered = sorted(scored, key=lambda row: -(row.score or 0.0))
    points: list[Point] = []
    right = 0
    for place, row in enumerate(ordered, 1):
        right += _certain(row)
        last = place == len(ordered) or ordered[place].score != row.score
        if last and place * _POINTS >= len(ordered) * (len(points) + 1) and asking:
            points.append(
                Point(score=row.score or 0.0, coverage=right / asking, wrong_per_acts=1 - right / place)
            )
    return tuple(points)
