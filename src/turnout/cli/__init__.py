"""The command line; each command is imported when it is asked for."""

import importlib
import sys
import warnings
from typing import TYPE_CHECKING, Any

import click

from turnout import __version__

if TYPE_CHECKING:
    from turnout.model.errors import TurnoutError

_COMMANDS = {
    "demo": "turnout.cli.demo",
    "serve": "turnout.cli.serve",
    "try": "turnout.cli.attempt",
    "eval": "turnout.cli.evaluate",
    "calibrate": "turnout.cli.calibrate",
    "encoder": "turnout.cli.encoder",
    "check": "turnout.cli.check",
}


class _Lazy(click.Group):
    """Finds a command's module by name and imports only that one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which a newcomer meets them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or `None` when there is none of that name."""
        module = _COMMANDS.get(cmd_name)
        return importlib.import_module(module).command if module else None


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="turnout")
def group() -> None:
    """An AI gateway: your own actions answer what they can, any model answers the rest."""


def main(argv: list[str] | None = None) -> Any:
    """Run the command line; exits 0 when all is fine, 1 when the thing asked for failed, 2 on wrong usage."""
    from turnout.model.errors import Misconfigured, TurnoutError

    warnings.showwarning = _warn
    try:
        return group.main(args=argv, prog_name="turnout")
    except TurnoutError as error:
        failed = error
    except ExceptionGroup as several:  # of tasks that ran side by side; the first one tells enough
        matching = several.subgroup(TurnoutError)
        if matching is None:
            raise
        failed = _first(matching)
    click.echo(f"turnout: {failed.message}", err=True)
    sys.exit(2 if isinstance(failed, Misconfigured) else 1)


def _first(several: "ExceptionGroup[TurnoutError]") -> "TurnoutError":
    found = several.exceptions[0]
    return _first(found) if isinstance(found, ExceptionGroup) else found


def _warn(message: Warning | str, *_: Any) -> None:
    """Show a warning as a line of ours, without a place in our code that says nothing to users."""
    click.echo(f"turnout: warning: {message}", err=True)
