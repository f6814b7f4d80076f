"""The wording of a request, made comparable: clauses without politeness, and what makes one doubtful.

Strategy: a rule describes a whole request, so what surrounds the request proper (a greeting, "can you", "please", the
final mark) is taken off before it is compared, and nothing else is. All of it is English; requests in another
language are compared as they are.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_INVISIBLE: Final = dict.fromkeys((0x00AD, 0x200B, 0x2060, 0xFEFF))
# One character for one, so that what is matched in the plain text can be cut out of the original.
_PLAIN: Final = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-"}
)
_BLANKS: Final = re.compile(r"[^\S\n]+")
_LINES: Final = re.compile(r"\s*\n\s*")

_BEFORE: Final = re.compile(
    r"(?:(?:please|pls|plz|kindly|just|(?:hi|hello|hey)(?: there)?|ok|okay|go ahead and"
    r"|(?:can|could|would|will) you|i (?:want|need) you to|i(?:'d| would) like you to)(?:\s*[,!.]\s*|\s+))+",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"(?:[\s,.!?]+(?:please|pls|plz|thanks|thank you|thx|for me))+\Z", re.IGNORECASE
)
_MARKS: Final = " \n.,!?\u2026;:"
_JOINT: Final = re.compile(
    r"[,;.!?]*\s+(?:and then|and also|and|then|also|plus)\s+|[,;.!?]+\s+|;|\n", re.IGNORECASE
)
_SHORT_FORMS: Final = frozenset(
    {"mr", "mrs", "ms", "dr", "st", "inc", "ltd", "co", "corp", "no", "vs", "jr", "sr", "prof"}
)

_DOUBT: Final = re.compile(
    r"\A(?P<opening>don'?t|do not|never|not|no|stop|avoid|how|why|what|when|where|who|whether|which|should|if|is|are|do"
    r"|does|did|was|were|has|have|had)\b"
    r"|\b(?P<condition>if|unless|except)\b"
    r"|(?:[,;.!?-]\s*|\b(?:and|but|or)\s+)(?P<second>no|not|wait|actually|don'?t|do not|never|cancel|stop|forget)\b"
    r"|\b(?P<retreat>never ?mind|scratch that)\b"
    r"|(?P<word>\w*)(?P<sentence>[.!?;])\s+\S",
    re.IGNORECASE,
)


def plain(text: str) -> tuple[str, str]:
    """The text composed (NFC) with single blanks, and the same with plain quotes and dashes, of the same length."""
    text = unicodedata.normalize("NFC", text.translate(_INVISIBLE))
    text = _LINES.sub("\n", _BLANKS.sub(" ", text)).strip()
    return text, text.translate(_PLAIN)


def readings(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches of a clause that a rule may describe, the barest first.

    Without politeness and final marks; without final marks; as it is.
    """
    marked = start, end
    while end > start and text[end - 1] in _MARKS:
        end -= 1
    unmarked = start, end
    after = _AFTER.search(text, start, end)
    if after is not None:
        end = after.start()
    before = _BEFORE.match(text, start, end)
    if before is not None:
        start = before.end()
    yield start, end
    if unmarked != (start, end):
        yield unmarked
    if marked != unmarked:
        yield marked


def joints(text: str) -> list[tuple[int, int]]:
    """Where one clause may end and the next begin."""
    return [found.span() for found in _JOINT.finditer(text)]


def doubt(clause: str, pattern: str) -> str:
    """What in a clause speaks against the request that a pattern sees in it, `""` when nothing does.

    A pattern with a wildcard also takes in a negation, a condition, a second thought or another sentence. What the
    pattern itself names is meant.
    """
    named = pattern.casefold()
    for found in _DOUBT.finditer(clause):
        if found["sentence"] is not None:
            abbreviated = found["sentence"] == "." and (
                len(found["word"]) == 1 or found["word"].casefold() in _SHORT_FORMS
            )
            if not abbreviated and found["sentence"] not in named.replace(".+", "").replace(".*", ""):
                return "there is more than one sentence in it"
            continue
        word = found[str(found.lastgroup)]
        if word.casefold() not in named:
            return f'the word "{word}" in it makes it doubtful'
    return ""
