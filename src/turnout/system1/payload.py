"""Words that a request hands on: what is quoted in it, or follows the colon of a message.

Why: "tell Ann: why did you cancel it?" asks for a message, whatever the message asks. What is handed on is neither cut
into clauses nor read for its purpose, and the request is scored without it.
"""

import re
from typing import Final

_QUOTED: Final = re.compile(
    r"\"[^\"\n]{1,400}\"|(?<![\w'])'[^'\n]{1,400}'(?![\w])|(?<![\w])'(?:[^'\n]|'(?=\w)){2,400}'(?!\w)"
    r"|\u00ab[^\u00bb\n]{1,400}\u00bb|\u201e[^\"\u201c\n]{1,400}[\"\u201c]|`[^`\n]{1,400}`"
)
_HANDED: Final = re.compile(
    r"(?:\A|[.!?,]\s+|\b(?:and|please|pls|to)\s+)(?:message|text|tell|dm|ping|email|write(?: to)?|reply to|answer"
    r"|send (?:a (?:message|text|mail) to )?)(?: (?!me\b|us\b)[\w'@.-]+){1,3}(?P<handed>:\s+[^\n]{1,400}?)"
    r"(?=[.!?]\s+(?:also|then|and|please|after that)\b|\n|\Z)"
)
_FEWEST: Final = 3  # words


def quotes(low: str) -> tuple[tuple[int, int], ...]:
    """The spans of quoted words of a lower-case text, with their marks."""
    if not any(mark in low for mark in "\"'\u00ab\u201e`"):
        return ()
    return tuple(found.span() for found in _QUOTED.finditer(low))


def handed_on(low: str) -> tuple[tuple[int, int], ...]:
    """The spans of messages that follow a colon, with it."""
    return tuple(found.span("handed") for found in _HANDED.finditer(low)) if ":" in low else ()


def without_payload(text: str, low: str) -> str | None:
    """The text without the words that it hands on, `None` where these are few or all that is said."""
    spans = [span for span in (*quotes(low), *handed_on(low)) if len(text[slice(*span)].split()) >= _FEWEST]
    if not spans:
        return None
    left = text
    for start, end in sorted(spans, reverse=True):
        left = f"{left[:start].rstrip()} {left[end:].lstrip()}"
    left = left.strip(" :,")
    return left if len(left.split()) > 1 else None
