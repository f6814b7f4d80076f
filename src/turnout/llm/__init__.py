"""Components of the control plane that ask a language model: which actions, with which parameters, in which words.

Strategy: each component works over any agent (a provider, an application's agent, a test function) with a model name
of its own, and makes one call. What a step may see is decided by what its prompt is built from: selection has ids,
names and descriptions, extraction the schema of a chosen action, synthesis the structured results. What a model says
is never believed: ids must be described ones, parameters must be the user's words, figures must be in the results.
"""

from .call import Call, OnCall
from .classifier import Classifier
from .extractor import Extraction, Extractor
from .form import Structured
from .reasoning import ReasoningEngine
from .selector import Selection, Selector
from .synthesizer import Synthesizer

__all__ = [
    "Call",
    "Classifier",
    "Extraction",
    "Extractor",
    "OnCall",
    "ReasoningEngine",
    "Selection",
    "Selector",
    "Structured",
    "Synthesizer",
]
