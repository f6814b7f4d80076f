"""`turnout serve`: a configuration file or an application, over HTTP."""

import contextlib
import http.client
import os
import threading
from typing import Any

import click

from turnout.config import ConfigError, Target, open_target
from turnout.serve.door import LOOPBACK

from .failures import on_terminal
from .listen import Listener, settings

_TARGET = "TURNOUT_TARGET"
_HOST = "TURNOUT_HOST"
_TRACEBACKS = "TURNOUT_TRACEBACKS"


@click.command(name="serve", short_help="Serve a TOML file or module:app.")
@click.argument("target")
@click.option("--host", help="Address to listen on; 127.0.0.1 unless the file says otherwise.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 picks a free one.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--open", "open_", is_flag=True, help="Serve a non-loopback address without tokens.")
@click.option(
    "--tracebacks", is_flag=True, help="Show failures in full; they may hold what users said, and secrets."
)
def command(
    target: str, host: str | None, port: int | None, workers: int, open_: bool, tracebacks: bool
) -> None:
    """Serve TARGET: a TOML file, or module:app."""
    opened = open_target(target)
    _prepare(opened.app, tracebacks)
    server = opened.server
    host, port = host or server.host, server.port if port is None else port
    if host not in LOOPBACK and not opened.tokens and not open_:
        raise ConfigError(
            f"{target}: {host} is reachable by others: set [server] tokens, or say --open to serve everybody"
        )
    if workers == 1:
        listener = Listener(
            settings(opened.asgi(host), host, port, root_path=server.root_path),
            lambda bound: _announce(host, bound),
        )
        with contextlib.suppress(SystemExit):  # uvicorn's, when it cannot bind, which it has said
            listener.run()
        raise SystemExit(0 if listener.started else 1)
    os.environ[_TRACEBACKS] = "1" if tracebacks else ""
    _serve_many(target, host, port, workers, server.root_path)


def _prepare(app: Any, tracebacks: bool) -> None:
    """Have failures told, and find out what cannot work before anything is served.

    Raises:
        Misconfigured: an action or a model cannot work; names it.
    """
    from turnout import App

    if isinstance(app, App):
        if app.on_error is None:
            app.on_error = on_terminal(tracebacks)
        app.build()


def _announce(host: str, port: int) -> None:
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"turnout: serving http://{shown}:{port}")


def application() -> Any:
    """What each worker serves: the target named in the environment, opened anew."""
    opened: Target = open_target(os.environ[_TARGET])
    _prepare(opened.app, bool(os.environ[_TRACEBACKS]))
    return opened.asgi(os.environ[_HOST])


def _serve_many(target: str, host: str, port: int, workers: int, root_path: str) -> None:
    from uvicorn.supervisors import Multiprocess

    os.environ[_TARGET] = target
    os.environ[_HOST] = host
    config = settings(
        "turnout.cli.serve:application", host, port, factory=True, workers=workers, root_path=root_path
    )
    try:
        socket = config.bind_socket()
    except SystemExit:  # it has said why
        raise SystemExit(1) from None
    socket.listen(config.backlog)
    bound = socket.getsockname()[1]
    threading.Thread(target=_announce_when_ready, args=(host, bound), daemon=True).start()
    Multiprocess(config, sockets=[socket]).run()


def _announce_when_ready(host: str, port: int) -> None:
    """Say where it serves once a worker answers; the listening socket lets the question wait until then."""
    anywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- an address to ask, not to bind
    connection = http.client.HTTPConnection(anywhere.get(host, host), port, timeout=120)
    try:
        connection.request("GET", "/healthz")
        connection.getresponse().read()
    except OSError:
        return
    finally:
        connection.close()
    _announce(host, port)
