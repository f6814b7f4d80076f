"""`--require METRIC>=X`: figures of a report that a build depends on."""

import re

import click

from turnout.model import V
from turnout.system1.evaluation import Evaluation

_WRITTEN = re.compile(
    r"\s*(?P<metric>[^<>=\s]+)\s*(?P<sign>>=|<=)\s*(?P<bound>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*"
)
_PLAIN = (
    "coverage",
    "wrong_per_acts",
    "reasoning_recall",
    "values_right",
    "forced",
    "auroc",
    "calibration_error",
    "rows",
    "acts",
    "wrong",
    "asked",
)


class Requirement(V, frozen=True, kw_only=True):
    """A bound on one figure."""

    metric: str
    at_least: bool
    bound: float

    def __str__(self) -> str:
        return f"{self.metric}{'>=' if self.at_least else '<='}{self.bound:g}"

    def met(self, figures: dict[str, float | None]) -> bool:
        """Whether the figure is within the bound; one that there is nothing to take from is not."""
        value = figures[self.metric]
        if value is None:
            return False
        return value >= self.bound if self.at_least else value <= self.bound


def requirements(
    _context: click.Context, _option: click.Parameter, texts: tuple[str, ...]
) -> tuple[Requirement, ...]:
    """The requirements of the command line.

    Raises:
        click.BadParameter: one is not `METRIC>=NUMBER` or `METRIC<=NUMBER`.
    """
    return tuple(_requirement(text) for text in texts)


def _requirement(text: str) -> Requirement:
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not METRIC>=NUMBER or METRIC<=NUMBER")
    return Requirement(metric=found["metric"], at_least=found["sign"] == ">=", bound=float(found["bound"]))


def figures(report: Evaluation) -> dict[str, float | None]:
    """Every figure that can be required, by name.

    Beside the report's own, `wrong_upper` (the end of its interval), `wrong_at.SHARE`, `precision.ACTION` and
    `recall.ACTION`.
    """
    found: dict[str, float | None] = {name: getattr(report, name) for name in _PLAIN}
    found["wrong_upper"] = report.wrong_interval[1]
    found |= {f"wrong_at.{share}": value for share, value in report.wrong_at.items()}
    for each in report.actions:
        found[f"precision.{each.id}"] = each.precision
        found[f"recall.{each.id}"] = each.recall
    return found
