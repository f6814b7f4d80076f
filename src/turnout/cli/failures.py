"""What `turnout serve` tells the terminal of failures, where the application has no `on_error` hook of its own.

Strategy: one line a failure, with types and places and without any text of a cause: an exception's text may hold
what a user said, or a secret. Who wants it all asks for tracebacks.
"""

import os
import traceback

import click

from turnout.model import Context, Request
from turnout.model.errors import TurnoutError
from turnout.serve.failure import OnError


def on_terminal(tracebacks: bool) -> OnError:
    """A hook that writes each failure to the standard error stream."""

    def tell(error: BaseException, about: Request | Context) -> None:
        context = about.context if isinstance(about, Request) else about
        what = "".join(traceback.format_exception(error)).rstrip() if tracebacks else in_one_line(error)
        click.echo(f"turnout: request {context.request_id} failed: {what}", err=True)

    return tell


def in_one_line(error: BaseException) -> str:
    """What a client was told, and the causes behind it by type and place."""
    told = error.message if isinstance(error, TurnoutError) else _placed(error)
    causes: list[str] = []
    cause = error.__cause__
    while cause is not None and len(causes) < 5:
        causes.append(_placed(cause))
        cause = cause.__cause__
    return " <- ".join([told, *causes])


def _placed(error: BaseException) -> str:
    """Its type and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__, limit=-1)
    if not frames:
        return type(error).__name__
    frame = frames[0]
    place = os.path.relpath(frame.filename) if frame.filename.startswith(os.getcwd()) else frame.filename
    return f"{type(error).__name__} at {place}:{frame.lineno} in {frame.name}"
