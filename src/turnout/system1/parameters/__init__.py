"""Parameters of an action in the words of a request, typed by its JSON Schema: sure, or left open."""

from .extraction import Extraction, Value, extract, violation
from .sequence import Entity, Example, Tagger

__all__ = ["Entity", "Example", "Extraction", "Tagger", "Value", "extract", "violation"]
