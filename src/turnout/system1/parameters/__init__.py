"""Parameters of an action in the words of a request, typed by its JSON Schema: sure, or left open."""

from .extraction import Readings, extract
from .filling import Extraction, Value
from .sequence import Entity, Example, Tagger
from .validity import violation

__all__ = ["Entity", "Example", "Extraction", "Readings", "Tagger", "Value", "extract", "violation"]
