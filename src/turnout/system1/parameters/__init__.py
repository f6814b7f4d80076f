"""Parameters of an action in the words of a request, typed by its JSON Schema: sure, or left open."""

from .extraction import extract
from .filling import Extraction, Value
from .sequence import Entity, Example, Tagger
from .validity import violation

__all__ = ["Entity", "Example", "Extraction", "Tagger", "Value", "extract", "violation"]
