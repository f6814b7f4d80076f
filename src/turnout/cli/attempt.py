"""`turnout try`: what a request would do, without doing it."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import click

from turnout.config.target import application
from turnout.model import Ask, Intent
from turnout.plane import Explanation


@click.command(name="try", short_help="Show which actions a text would run, without running anything.")
@click.argument("text")
@click.argument("target")
@click.option("--model", default="", help="The model name that the request asks for.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(text: str, target: str, model: str, as_json: bool) -> None:
    """Show what TEXT would do at TARGET: actions, scores, parameters, and what is missing."""
    found = asyncio.run(_explain(text, target, model))
    click.echo(json.dumps(_plain(found), indent=2, default=str) if as_json else "\n".join(_words(found)))


async def _explain(text: str, target: str, model: str) -> Explanation:
    async with application(target) as app:
        return await app.explain(text, model=model)


def _plain(found: Explanation) -> dict[str, Any]:
    """The explanation as JSON values."""
    outcome = found.outcome
    actions = (
        [] if isinstance(outcome, Ask) else [{"id": a.action_id, "params": a.params} for a in outcome.actions]
    )
    return {
        "kind": found.kind,
        "text": found.text,
        "actions": actions,
        "question": outcome.question if isinstance(outcome, Ask) else None,
        "confirm": _confirmed(found),
        "reason": found.reason,
        "candidates": [
            {
                "id": each.action_id,
                "score": each.score,
                "threshold": each.threshold,
                "params": each.params,
                "missing": each.missing,
                "because": each.because,
            }
            for each in found.candidates
        ],
    }


def _confirmed(found: Explanation) -> bool:
    """Whether the user is asked before the actions run."""
    confirm = {each.id for each in found.descriptors if each.confirm}
    return isinstance(found.outcome, Intent) and any(
        each.action_id in confirm for each in found.outcome.actions
    )


def _words(found: Explanation) -> Iterator[str]:
    """The explanation as lines for a person."""
    outcome = found.outcome
    if isinstance(outcome, Ask):
        yield f"asks: {outcome.question}"
    elif outcome.actions:
        then = "after a yes, runs" if _confirmed(found) else "runs"
        yield from (f"{then}: {_call(each.action_id, each.params)}" for each in outcome.actions)
    else:
        yield "goes to the model"
    if found.reason:
        yield f"  because {found.reason}"
    if found.kind:
        yield f"  the turn is a {found.kind.replace('_', ' ')}" + (
            f"; the words: {found.text}" if found.text else ""
        )
    for each in found.candidates:
        score = "" if each.score is None else f" {each.score:.3f}"
        if each.threshold is not None:
            score += f" (needs {each.threshold:.3f})"
        missing = f", missing {', '.join(each.missing)}" if each.missing else ""
        yield f"  considered {_call(each.action_id, each.params)}{score}{missing}: {each.because or 'no grounds given'}"


def _call(action_id: str, params: dict[str, Any]) -> str:
    return f"{action_id}({', '.join(f'{name}={value!r}' for name, value in params.items())})"
