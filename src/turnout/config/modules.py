"""The user's own code that a configuration names."""

import importlib
import sys
import traceback
from pathlib import Path
from typing import Any

from turnout.model.errors import Misconfigured

from .tables import ConfigError


def imported(path: str, place: str) -> Any:
    """The object that `module:name` names.

    Raises:
        ConfigError: the module cannot be imported or has no such name.
    """
    module_name, _, name = path.partition(":")
    module = imported_module(module_name, place)
    if not name or not hasattr(module, name):
        raise ConfigError(
            f"{place}: {module_name} has no {name or 'name after the colon'!r}; expected module:name"
        )
    return getattr(module, name)


def imported_module(name: str, place: str) -> Any:
    """The module `name`; the current folder counts as a place to look in.

    Raises:
        ConfigError: it cannot be imported, or its own code fails; says where.
    """
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ConfigError(f"{place}: cannot import {name}: {error}") from error
    except Misconfigured as error:
        raise ConfigError(f"{place}: {error.message}") from error
    except Exception as error:
        raise ConfigError(f"{place}: cannot import {name}: {_told(error)}") from error


def _told(error: Exception) -> str:
    """An exception of the user's code in one line: type, text and where it was raised."""
    text = " ".join(str(error).split())
    if isinstance(error, SyntaxError):  # whose text names file and line
        return f"{type(error).__name__}: {text}"
    frame = traceback.extract_tb(error.__traceback__, limit=-1)[0]
    return f"{type(error).__name__}: {text} (at {frame.filename}:{frame.lineno})"
