"""Parameters of an action in the words of a request, typed by its JSON Schema: sure, or left open."""

from .extraction import Extraction, Value, extract, violation

__all__ = ["Extraction", "Value", "extract", "violation"]
