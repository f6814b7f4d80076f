"""`turnout try`: what a request would do, without doing it."""

import asyncio
import json
from typing import Any

import click

from turnout.config.target import application


@click.command(name="try", short_help="Show which actions a text would run, without running anything.")
@click.argument("text")
@click.argument("target")
@click.option("--model", default="", help="The model name that the request asks for.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(text: str, target: str, model: str, as_json: bool) -> None:
    """Show what TEXT would do at TARGET: actions, scores, parameters, and what is missing."""
    explanation = asyncio.run(_explain(text, target, model))
    click.echo(json.dumps(explanation, indent=2, default=str) if as_json else _words(explanation))


async def _explain(text: str, target: str, model: str) -> dict[str, Any]:
    async with application(target) as app:
        return (await app.explain(text, model=model)).public()


def _words(explanation: dict[str, Any]) -> str:
    return json.dumps(explanation, indent=2)
