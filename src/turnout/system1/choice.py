"""Requests between which the user leaves a choice: "pay Ann, or refund Bob"; neither is surely wanted."""

import re
from typing import Final

from .coordination import in_quotes
from .verbs import IMPERATIVES

_OR: Final = re.compile(
    r"(?P<before>[^\W\d_]+)?[\s,;]+(?:or|oder|ou|oppure)"
    r"(?:\s+(?:else|please|just|maybe|perhaps|rather|bitte))*\s+(?P<after>[^\W\d_]+)(?P<object>\s+\S+)?",
    re.IGNORECASE,
)
_OBJECT: Final = re.compile(
    r"\s+(?:[A-Z\d\"'\u201c\u20ac$\u00a3]|(?:an?|the|my|our|your|his|her|their|its?|them|this|that|these"
    r"|those|me|us|"
    r"him|all|both|some|one|den?|das|die|meine?|mir|uns|l[eao]s?|il|un[ea]?|mon|ma|mes|mi|mis|mio|mia)\b)"
)
"""What a verb has after it, so that it is no noun ("a film or book about Rome")."""


def leaves_a_choice(text: str) -> bool:
    """Whether a verb that asks stands behind an "or", with an object, or with another such verb before it."""
    for found in _OR.finditer(text):
        if found["after"].lower() not in IMPERATIVES or in_quotes(text, found.start("after")):
            continue
        before, after = found["before"], found["object"]
        if (after and _OBJECT.match(after)) or (before and before.lower() in IMPERATIVES):
            return True
    return False
