"""The configuration file and what `turnout` is told to serve."""

from .build import build, build_provider
from .tables import Config, ConfigError, parse, read
from .target import Target, open_target

__all__ = ["Config", "ConfigError", "Target", "build", "build_provider", "open_target", "parse", "read"]
