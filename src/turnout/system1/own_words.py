"""Words of the user's own that a request leads to: "remind me to send the offer", "note that the budget is approved".

Strategy: where one text is still open, the words behind a phrase that leads to it are meant, up to the values that
other parameters take at the end. A value in the midst of them leaves it open: whose words it belongs to isn't clear.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from .calls import Extraction, Schema, named
from .proper import Name, takes_any_text

_LONGEST: Final = 200  # code points
_FEWEST: Final = 2  # words
_LED: Final = re.compile(
    r"\b(?:remind (?:me|us)|(?:do not|don'?t) let (?:me|us) forget"
    r"|(?:task|to-?do|reminder)(?: (?:for me|for us))?) to (?P<to>.+)"
    r"|\b(?:note|write down|record|mention|remember|log|say|(?:tell|inform|message|text"
    r"|write(?: to)?) [\w.'-]+|let [\w.'-]+ know)\b(?: (?:down|for|on|to|in"
    r"|with)\b.{1,30}?)? that (?P<that>.+)"
    r"|(?:\A|[.!?]\s+)(?:(?:new|please|pls|add|a|an) )*(?:task|to-?do|reminder|note|comment|title|subject"
    r"|message)\s*[:\u2013-]\s+(?P<colon>.+)",
    re.IGNORECASE | re.DOTALL,
)
_JOINING: Final = re.compile(
    r"[\s,.;!]+(?:(?:and|it'?s|is|due|by|on|at|until|till|for|from|to|before|with|deadline|the)\b[\s,]*)*\Z",
    re.IGNORECASE,
)


def own_words(text: str, found: Extraction, schema: Schema) -> tuple[str, Name] | None:
    """The parameter that is open and the words that are meant for it, `None` when there are none."""
    wanted = _open_text(found, schema)
    led = _LED.search(text) if wanted else None
    if led is None or len(text) > _LONGEST:
        return None
    group = str(led.lastgroup)
    start, end = led.span(group)
    taken = sorted((each.start, each.end) for each in found.values.values() if each.end > start)
    while True:
        joining = _JOINING.search(text, start, end)
        if joining is not None and joining.start() < end and (joining.end() == end):
            end = joining.start()
        if taken and taken[-1][1] >= end:
            end = taken.pop()[0]
            continue
        break
    said = text[start:end]
    if taken or len(said.split()) < _FEWEST:
        return None
    return wanted, Name(said, start, end)


def _open_text(found: Extraction, schema: Schema) -> str:
    properties: Mapping[str, Any] = named(schema)
    texts = [name for name in found.missing if takes_any_text(properties.get(name, {}))]
    return texts[0] if len(texts) == 1 else ""
