"""`turnout check`: is what would be served usable, and are its upstreams there?"""

import asyncio
from pathlib import Path

import click

from turnout.config.target import application
from turnout.model import Provider
from turnout.model.errors import TurnoutError


@click.command(name="check", short_help="Validate a configuration, its keys and its upstreams.")
@click.argument("target")
@click.option(
    "--timeout", "seconds", type=float, default=5.0, show_default=True, help="Seconds for each upstream."
)
def command(target: str, seconds: float) -> None:
    """Check TARGET; each fault is named with its place, and the exit status is 1 if there is one."""
    raise SystemExit(0 if asyncio.run(_check(target, seconds)) else 1)


async def _check(target: str, seconds: float) -> bool:
    async with application(target) as app:
        providers = app.providers
        counted = ("action", app.action_ids), ("model", app.model_names), ("provider", providers)
        told = [f"{len(found)} {name}{'' if len(found) == 1 else 's'}" for name, found in counted]
        click.echo(f"{target}: {', '.join(told)}")
        if not app.model_names:
            click.echo("  no model: every request is refused; see [models] or App.reason_with", err=True)
        if app.local is not None:
            click.echo(f"  local: {_told((await app.local.prepare()).tier, app.local.calibration)}")
        found = await asyncio.gather(*(_reach(provider, seconds) for provider in providers))
    for provider, fault in zip(providers, found, strict=True):
        click.echo(f"  {provider.name}: {fault or 'reachable'}", err=fault is not None)
    return not any(found)


def _told(tier: str, calibration: str | Path | None) -> str:
    """Which tier serves, and by which thresholds."""
    from turnout.system1.tiers import available, engine

    serves = f"the encoder serves, by {engine()}"
    if tier != "local":
        lacks = "its weights are not installed" if available() else "turnout[local] is not installed"
        serves = f"the lexical tier serves, without the encoder: {lacks}, see turnout encoder install"
    bars = (
        f"thresholds from {calibration}"
        if calibration
        else "no calibration, so no promise; see turnout calibrate"
    )
    return f"{serves}; {bars}"


async def _reach(provider: Provider, seconds: float) -> str | None:
    """Why the provider's upstream is not usable; `None` when it is."""
    try:
        async with asyncio.timeout(seconds):
            await provider.models()
    except TimeoutError:
        return f"no answer within {seconds:g} s"
    except TurnoutError as error:
        return error.message
    return None
