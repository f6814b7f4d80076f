"""`turnout eval`: how good the classifier of an application is on labelled requests."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import click
import msgspec

from turnout.config.target import application
from turnout.system1.cases import Case, read_cases
from turnout.system1.evaluation import Evaluation, Judged, evaluate

from .judging import explained, judged
from .requirements import Requirement, figures, requirements

_SHOWN = 12
_CURVE = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@click.command(name="eval", short_help="Evaluate the classifier on labelled requests; gates for CI.")
@click.argument("cases")
@click.argument("target")
@click.option("--model", default="", help="The model name that the requests ask for.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--require",
    "required",
    multiple=True,
    callback=requirements,
    help="A figure that must hold, such as coverage>=0.8 or wrong_per_acts<=0.02; exit status 1 if not.",
)
@click.option("--failures", default=0, show_default=True, help="Show as many requests that went wrong.")
@click.option("--shadow", is_flag=True, help="CASES is a record of live traffic (see [actions] shadow).")
@click.option(
    "--label", "labels", default="", help="With --shadow: write its requests there, to be labelled."
)
def command(
    cases: str,
    target: str,
    model: str,
    as_json: bool,
    required: tuple[Requirement, ...],
    failures: int,
    shadow: bool,
    labels: str,
) -> None:
    """Put every request of CASES to the classifier of TARGET, running nothing, and report what it would do.

    CASES is a JSONL or YAML file of {"text": ..., "actions": [ids]}; no action means that the model answers.
    """
    if shadow:
        from .shadowed import tell

        if required:
            raise click.UsageError("--require needs labels, which a record of live traffic does not have")
        tell(cases, target, as_json=as_json, labels=labels, model=model)
        return
    if labels:
        raise click.UsageError("--label needs --shadow")
    rows = asyncio.run(_judge(cases, target, model))
    report = evaluate(rows)
    known = figures(report)
    for each in required:
        if each.metric not in known:
            raise click.UsageError(f"--require {each}: expected one of {', '.join(known)}")
    missed = [each for each in required if not each.met(known)]
    if as_json:
        click.echo(json.dumps({**msgspec.to_builtins(report), **_gates(required, missed)}, indent=2))
    else:
        click.echo("\n".join(_words(report, rows, failures)))
    for each in missed:
        click.echo(f"turnout: {each} does not hold: {_figure(known[each.metric])}", err=True)
    raise SystemExit(1 if missed else 0)


async def _judge(path: str, target: str, model: str) -> list[Judged]:
    async with application(target) as app:
        cases: tuple[Case, ...] = read_cases(path, app.action_ids)
        return judged(cases, await explained(app, cases, model))


def _gates(required: tuple[Requirement, ...], missed: list[Requirement]) -> dict[str, Any]:
    return {"required": {str(each): each not in missed for each in required}} if required else {}


def _words(report: Evaluation, rows: list[Judged], failures: int) -> Iterator[str]:
    """The report as lines for a person."""
    idle = report.rows - report.asking
    yield f"{report.rows} requests: {report.asking} for actions, {idle} for the model"
    yield f"acts on {report.acts}, wrongly on {report.wrong}" + (
        f"; asks the user {report.asked} times" if report.asked else ""
    )
    low, high = report.wrong_interval
    if report.acts:
        yield f"  wrong of all acts     {_figure(report.wrong_per_acts)}  (95 %: {low:.1%} to {high:.1%}, in this mix)"
    for share, wrong in report.wrong_at.items():
        if wrong is not None:
            yield f"  where {float(share):3.0%} are for the model   {_figure(wrong)}"
    yield f"  answered rightly      {_figure(report.coverage)}  of the requests for actions"
    yield f"  left to the model     {_figure(report.reasoning_recall)}  of the requests for it"
    for name, told in (
        ("values_right", "parameters right      {}  of the right acts whose label names them"),
        ("forced", "first rank right      {}  of the requests for actions, acted on or not"),
        ("auroc", "tells ours from others {} (AUROC of the scores)"),
        ("calibration_error", "score is off by       {}  on average"),
    ):
        if getattr(report, name) is not None:
            yield f"  {told.format(_figure(getattr(report, name)))}"
    yield from _actions(report)
    yield from _pairs(report)
    yield from _curve(report)
    yield from _failures(rows, failures)


def _actions(report: Evaluation) -> Iterator[str]:
    if report.actions:
        width = max(len(each.id) for each in report.actions)
        yield ""
        yield f"{'action':{width}}  asked    ran  precision  recall"
        for each in sorted(
            report.actions, key=lambda one: (one.recall is not None, one.recall or 0.0, one.id)
        ):
            figures = f"{_figure(each.precision):>9}  {_figure(each.recall):>6}"
            yield f"{each.id:{width}}  {each.asked:5}  {each.ran:5}  {figures}"


def _pairs(report: Evaluation) -> Iterator[str]:
    if report.confused:
        yield ""
        yield "taken for another"
        for each in report.confused[:_SHOWN]:
            yield f"  {each.rows:4}  {each.gold} -> {each.picked}   {each.example[:60]!r}"


def _curve(report: Evaluation) -> Iterator[str]:
    if len(report.curve) < 2:
        return
    yield ""
    yield "if only the surest acted (in this mix)"
    for share in _CURVE:
        point = next((each for each in report.curve if each.coverage >= share), None)
        if point is not None:
            shares = f"{point.coverage:6.1%} answered, {point.wrong_per_acts:6.2%} wrong"
            yield f"  {shares}, from a score of {point.score:.3f}"


def _failures(rows: list[Judged], most: int) -> Iterator[str]:
    wrong = [row for row in rows if row.picked and not row.right] + [
        row for row in rows if row.gold and not row.picked
    ]
    if most and wrong:
        yield ""
        yield "went wrong"
        for row in wrong[:most]:
            yield f"  {row.text[:70]!r}: {', '.join(row.gold) or 'the model'} -> {', '.join(row.picked) or 'the model'}"


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"
