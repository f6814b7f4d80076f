"""The wording of a request, made comparable: clauses without politeness, and what makes one doubtful.

Strategy: a rule describes a whole request, so what surrounds the request proper (a greeting, "can you", "please", the
final mark) is taken off before it is compared, and nothing else is. All of it is English; requests in another
language are compared as they are.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Final

from .verbs import REQUESTING

_INVISIBLE: Final = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")
# One character for one, so that what is matched in the plain text can be cut out of the original.
PLAIN: Final = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u00b4": "'",
        "\u02bc": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2010": "-",
        "\u2011": "-",
        "\u2013": "-",
        "\u2014": "-",
    }
)
_BLANKS: Final = re.compile(r"[^\S\n ]+ *| {2,}[^\S\n]*")
_LINES: Final = re.compile(r"\s*\n\s*")

_BEFORE: Final = re.compile(
    r"(?:(?:please|pls|plz|kindly|just|(?:hi|hello|hey)(?: there)?|ok|okay|go ahead and"
    r"|(?:can|could|would|will) you|i (?:want|need) you to|i(?:'d| would) like you to)(?:\s*[,!.]\s*|\s+))+",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(r"(?:[\s,.!?]+(?:please|pls|plz|thanks|thank you|thx|for me))+\Z", re.IGNORECASE)
_LAST_WORDS: Final = ("please", "pls", "plz", "thanks", "thx", " you", " me")
_LONGEST_THANKS: Final = 40  # code points
_MARKS: Final = " \n.,!?\u2026;:"
_JOINT: Final = re.compile(
    r"\s+(?:and then|and also|and|then|also|plus)\s+|[,;.!?]+\s+(?:(?:and then|and also|and|then|also|plus)\s+)?|;|\n",
    re.IGNORECASE,
)
_SHORT_FORMS: Final = frozenset(
    {"mr", "mrs", "ms", "dr", "st", "inc", "ltd", "co", "corp", "no", "vs", "jr", "sr", "prof"}
)

_DOUBT: Final = re.compile(
    r"\A(?P<opening>don'?t|do not|never|not|no|stop|avoid|how|why|what|when|where|who|whether|which|should|if|is|are|do"
    r"|does|did|was|were|has|have|had)\b"
    r"|\b(?P<condition>if|unless|except)\b"
    r"|(?:[,;.!?]\s*|\s-+\s*|\b(?:and|but|or)\s+)"
    r"(?P<second>no|not|wait|actually|don'?t|do not|never|instead|forget|then|also)\b"
    rf"|(?:[,;.!?]\s*|\b(?:and|but|or)\s+)(?:please\s+)?(?P<another>{REQUESTING})\b"
    r"|\b(?P<retreat>never ?mind|scratch that|no wait|wait no|on second thoughts?)\b"
    r"|\b(?P<last>don'?t|do not|not|no|never|wait|stop|cancel)\Z"
    r"|(?P<sentence>[.!?;])(?=\s+\S)",
    re.IGNORECASE,
)
_SYNTAX: Final = re.compile(r"\\.|\(\?P<\w+>|\(\?<?!")


def plain(text: str) -> tuple[str, str]:
    """The text composed (NFC) with single blanks, and the same with plain quotes and dashes, of the same length."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(_INVISIBLE))
    text = text.strip()
    if "  " in text or not text.isprintable():
        text = _BLANKS.sub(" ", text)
    if "\n" in text:
        text = _LINES.sub("\n", text)
    return text, text if text.isascii() else text.translate(PLAIN)


def readings(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches of a clause that a rule may describe, the barest first.

    Without politeness and final marks; without final marks; as it is.
    """
    marked = start, end
    while end > start and text[end - 1] in _MARKS:
        end -= 1
    unmarked = start, end
    if text[max(start, end - 7) : end].lower().endswith(_LAST_WORDS):
        after = _AFTER.search(text, max(start, end - _LONGEST_THANKS), end)
        end = end if after is None else after.start()
    before = _BEFORE.match(text, start, end)
    if before is not None:
        start = before.end()
    yield start, end
    if unmarked != (start, end):
        yield unmarked
    if marked != unmarked:
        yield marked


def joints(text: str, most: int) -> list[tuple[int, int]]:
    """Where one clause may end and the next begin; none when there are more than `most`, as in prose."""
    found = [joint.span() for joint in islice(_JOINT.finditer(text), most + 1)]
    return found if len(found) <= most else []


def meant(pattern: str) -> str:
    """The words and marks that a pattern names itself, which `doubt` then takes as meant."""
    words = _SYNTAX.sub(" ", pattern).casefold()
    marks = "".join(mark for mark in ".?!;" if f"\\{mark}" in pattern or (mark in "!;" and mark in words))
    return f"{words} {marks}"


def doubt(clause: str, named: str) -> str:
    """What in a clause speaks against the request that a pattern sees in it, `""` when nothing does.

    A pattern with a wildcard also takes in a negation, a condition, a second thought or another sentence. What the
    pattern itself names, see `meant`, is meant.
    """
    words, _, marks = named.rpartition(" ")
    for found in _DOUBT.finditer(clause):
        mark = found["sentence"]
        if mark is None:
            word = found[0] if found["another"] else found[str(found.lastgroup)]
            if not re.search(rf"(?<![a-z]){re.escape(word.casefold())}(?![a-z])", words):
                return f'the word "{word}" makes it doubtful'
        elif mark not in marks and not (mark == "." and is_short_form(clause[: found.start()])):
            return "there is more than one sentence in it"
    return ""


def is_short_form(before: str) -> bool:
    """Whether a full stop after this text belongs to its last word: an initial, or a title and the like."""
    word = before[-5:].rpartition(" ")[2].casefold()
    return (len(word) == 1 and word.isalpha()) or word in _SHORT_FORMS
