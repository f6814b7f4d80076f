"""Typed functions as actions: described by their signature, decoded strictly, run in process, worded by templates."""

from .declaration import Declaration, When, Wordsmith, action, declaration
from .engine import Actions, Allow, marked
from .failed import Failed
from .outcome import FAILED, SUCCEEDED, Unencodable
from .synthesizer import TemplateSynthesizer, Wording, default_wording

__all__ = [
    "FAILED",
    "SUCCEEDED",
    "Actions",
    "Allow",
    "Declaration",
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
