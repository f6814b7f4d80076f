"""Typed functions as actions: described by their signature, decoded strictly, run in process, worded by templates."""

from .declaration import Declaration, Declared, Defers, When, Wordsmith, action, declaration
from .deferred import CANCELLED, LOST, RUNNING, Deferred
from .engine import Actions, Allow, marked
from .failed import Failed
from .outcome import FAILED, SUCCEEDED, Unencodable
from .synthesizer import TemplateSynthesizer, Wording, default_wording

__all__ = [
    "CANCELLED",
    "FAILED",
    "LOST",
    "RUNNING",
    "SUCCEEDED",
    "Actions",
    "Allow",
    "Declaration",
    "Declared",
    "Deferred",
    "Defers",
    "Failed",
    "TemplateSynthesizer",
    "Unencodable",
    "When",
    "Wording",
    "Wordsmith",
    "action",
    "declaration",
    "default_wording",
    "marked",
]
