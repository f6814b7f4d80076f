"""Where secrets come from: the environment, a file, or (with a warning) the configuration itself."""

import os
import warnings
from collections.abc import Mapping
from pathlib import Path

from .tables import Config, ConfigError


def secret(value: str, place: str, environ: Mapping[str, str] = os.environ) -> str:
    """The secret that `value` points to: `env:NAME`, `file:PATH`, or (with a warning) itself.

    Raises:
        ConfigError: the variable is not set, or the file cannot be read.
    """
    kind, _, rest = value.partition(":")
    if kind == "env":
        if rest not in environ:
            raise ConfigError(f"{place}: the environment variable {rest} is not set")
        return environ[rest]
    if kind == "file":
        try:
            return Path(rest).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ConfigError(f"{place}: {rest} cannot be read: {error.strerror}") from error
    warnings.warn(f"{place}: a literal secret; better env:NAME or file:PATH", stacklevel=2)
    return value


def tokens(config: Config) -> tuple[str, ...]:
    """The tokens that clients must send, read from where the file points to.

    Raises:
        ConfigError: one cannot be read.
    """
    return tuple(
        secret(value, f"{config.path}: server.tokens[{index}]")
        for index, value in enumerate(config.server.tokens)
    )
