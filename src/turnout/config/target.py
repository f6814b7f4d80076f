"""What `turnout` is told to serve: a configuration file, or an application in a module."""

from typing import TYPE_CHECKING, Any

from turnout.model import V

from .build import build
from .modules import imported
from .secrets import tokens
from .tables import ConfigError, ServerTable, read

if TYPE_CHECKING:
    from turnout import App


class Target(V, frozen=True, kw_only=True):
    """An opened target: the application, where to serve it, and the tokens that clients must send."""

    app: Any
    server: ServerTable = ServerTable()
    tokens: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Target({self.app!r})"

    def asgi(self, host: str) -> Any:
        """The application behind its door, for a server that listens on `host`."""
        from turnout.serve.door import LOOPBACK, allow_origins, require_host, require_token
        from turnout.serve.ending import Ending

        door = self.app
        if self.tokens:
            door = require_token(door, self.tokens)
        if self.server.cors_origins:
            door = allow_origins(door, self.server.cors_origins)
        return Ending(require_host(door) if host in LOOPBACK else door)


def open_target(target: str) -> Target:
    """The target that `turnout serve`, `try` and `check` are given.

    Raises:
        ConfigError: there is no such file, module or application, or it cannot be built.
    """
    if target.endswith(".toml"):
        config = read(target)
        return Target(app=build(config), server=config.server, tokens=tokens(config))
    if ":" not in target:
        raise ConfigError(f"{target}: expected a .toml file or module:app")
    app = imported(target, target)
    if not callable(app):
        raise ConfigError(
            f"{target}: expected a turnout.App or another ASGI application, found {type(app).__name__}"
        )
    return Target(app=app)


def application(target: str) -> "App":
    """The `App` of a target.

    Raises:
        ConfigError: the target is something else than an `App`.
    """
    from turnout import App

    app = open_target(target).app
    if not isinstance(app, App):
        raise ConfigError(f"{target}: expected a turnout.App, found {type(app).__name__}")
    return app
