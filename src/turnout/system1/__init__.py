"""Classification without a language model: fast, local, and silent where it is not sure."""

from .rules import RulesClassifier

__all__ = ["RulesClassifier"]
