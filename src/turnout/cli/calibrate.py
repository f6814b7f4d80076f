"""`turnout calibrate`: thresholds for a promise about wrong actions, or why there are none yet."""

import asyncio
import json
from pathlib import Path

import click
import msgspec

from turnout.config.target import application
from turnout.model.errors import Misconfigured
from turnout.serve.local import Local
from turnout.system1.calibration import Calibration, Refusal, calibrate, save
from turnout.system1.cases import read_cases
from turnout.system1.scores import Labelled

_DEFAULT = "calibration.json"
_SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command(
    name="calibrate", short_help="Set thresholds so that wrong actions stay below a share, or refuse."
)
@click.argument("labelled")
@click.argument("target")
@click.option(
    "--max-wrong",
    type=_SHARE,
    default=0.01,
    show_default=True,
    help="The largest share of actions that may be wrong.",
)
@click.option(
    "--reasoning-share",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.8,
    show_default=True,
    help="The share of your traffic that asks for no action.",
)
@click.option(
    "--confidence",
    type=_SHARE,
    default=0.95,
    show_default=True,
    help="How sure it must be, given these rows.",
)
@click.option("--out", default="", help=f"Where to write; by default what TARGET names, else {_DEFAULT}.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    labelled: str,
    target: str,
    max_wrong: float,
    reasoning_share: float,
    confidence: float,
    out: str,
    as_json: bool,
) -> None:
    """Choose the thresholds of TARGET's local classifier by the rows of LABELLED, and write them.

    LABELLED is a JSONL or YAML file of {"text": ..., "actions": [ids]}, with rows for the model (no action) too; rows
    that the classifier has learned from are left out. Exit status 1: no thresholds keep the promise; says how many
    rows are missing.
    """
    local, rows = asyncio.run(_opened(labelled, target))
    known = local.texts()
    fresh = [row for row in rows if row.text not in known]
    tier = local.fitted()
    found = calibrate(
        fresh,
        tier,
        max_wrong=max_wrong,
        reasoning_share=reasoning_share,
        confidence=confidence,
        fingerprint=tier.fingerprint,
    )
    if len(fresh) < len(rows):
        click.echo(
            f"turnout: left out {len(rows) - len(fresh)} rows that are among the examples it learned from",
            err=True,
        )
    _tell(found, as_json)
    if isinstance(found, Refusal):
        raise SystemExit(1)
    path = out or local.calibration or _DEFAULT
    try:
        save(found, path)
    except OSError as error:
        raise Misconfigured(f"{path}: cannot be written: {error.strerror}") from error
    if not as_json:
        click.echo(f"written to {Path(path)}")


async def _opened(labelled: str, target: str) -> tuple[Local, list[Labelled]]:
    async with application(target) as app:
        if app.local is None:
            raise Misconfigured(f'{target}: only classifier = "local" has thresholds to calibrate')
        return app.local, [case.labelled for case in read_cases(labelled, app.action_ids)]


def _tell(found: Calibration | Refusal, as_json: bool) -> None:
    if as_json:
        reached = isinstance(found, Calibration)
        told = {"reached": reached, "told": found.told, **msgspec.to_builtins(found)}
        if isinstance(found, Calibration):
            told["coverage"] = found.coverage
            del told["lean"]  # numbers for machines; they are in the file
        click.echo(json.dumps(told, indent=2))
        return
    if isinstance(found, Refusal):
        click.echo(f"refused: {found.told}")
        if found.proven < 1:
            click.echo(f"  these rows prove at most {found.proven:.1%} wrong, at the surest thresholds tried")
        return
    counts, bars = found.counts, found.thresholds
    click.echo(f"kept: {found.told}")
    click.echo(f"  thresholds: ours {bars.ours:.3f}, margin {bars.margin:.3f}")
    click.echo(
        f"  tested on {counts.asking} requests for actions ({counts.acts} acted on, {counts.wrong} wrongly) and "
        f"{counts.idle} for the model ({counts.false} acted on); {found.planned} rows planned the order"
    )
