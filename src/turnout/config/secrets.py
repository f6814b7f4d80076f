"""Secrets that a configuration points to."""

import os
import warnings
from collections.abc import Mapping

from turnout.model.errors import Misconfigured
from turnout.providers.auth import Secret, read_key

from .tables import Config, ConfigError

_REFERENCES = ("env:", "file:")


def secret(value: str, place: str, environ: Mapping[str, str] = os.environ) -> Secret:
    """The secret that `value` points to: `env:NAME`, `file:PATH`, or (with a warning) itself.

    Raises:
        ConfigError: the variable is not set, or the file cannot be read.
    """
    if not value.startswith(_REFERENCES):
        warnings.warn(f"{place}: a literal secret; better env:NAME or file:PATH", stacklevel=2)
    try:
        return read_key(value, environ, place=place)
    except Misconfigured as error:
        raise ConfigError(error.message) from error


def header(value: str, place: str) -> str:
    """The text of a configured header, which may be a reference to a secret.

    Raises:
        ConfigError: the variable is not set, or the file cannot be read.
    """
    return secret(value, place).reveal() if value.startswith(_REFERENCES) else value


def tokens(config: Config) -> tuple[str, ...]:
    """The tokens that clients must send, read from where the file points to.

    Raises:
        ConfigError: one cannot be read, or is empty.
    """
    found: list[str] = []
    for index, value in enumerate(config.server.tokens):
        place = f"{config.path}: server.tokens[{index}]"
        token = secret(value, place).reveal()
        if not token:
            raise ConfigError(f"{place}: a token must not be empty")
        found.append(token)
    return tuple(found)
