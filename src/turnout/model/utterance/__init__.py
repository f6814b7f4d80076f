"""Which words of a request are the user's, and what kind of turn it is.

Strategy: structure first, names last. Where the turn stands (what comes after the last assistant message), whether
a program or a person waits for the answer, and how the text is built say more than the name of a client; the tables
of names only shorten the way for well-known ones. Everything that could be a client's own text is not a request:
the price of a wrong "no" is one call to the model, the price of a wrong "yes" is an action that nobody asked for.
"""

from .dialogue import Turn, turns
from .reader import Kind, Reader, Utterance, utterance
from .wrappers import Wrapper
from .yes_no import Consent, consent

__all__ = ["Consent", "Kind", "Reader", "Turn", "Utterance", "Wrapper", "consent", "turns", "utterance"]
