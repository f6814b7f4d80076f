"""A request cut into clauses.

Strategy: a sentence always ends a clause. A comma, "and" and their like end one only where the words that follow
open another: with a verb that asks, a subject, a question word, a negation, a courtesy. So "api and web" or "on
Monday, 10 am" stay whole, whatever an application's verbs are.
"""

import re
from typing import Final

from . import wording
from .payload import handed_on, quotes
from .verbs import ALONE, IMPERATIVES
from .withdrawal import withdrawal

_FEWEST: Final = 2  # things in a list
MOST: Final = 12
"""Clauses beyond these are prose, and the text is given as one."""

_END: Final = re.compile(r"[.!?\u2026]+[)\"']*(?=\s)|\s*\n\s*|;\s*")
_SOFT: Final = re.compile(
    r"\s*,\s+(?:(?:and|n|but|so|or|then|also|plus|(?:second|third|fourth|last)(?:ly)?|finally|next|und|aber"
    r"|dann|et|mais|puis|ensuite|y|pero|luego|e"
    r"|ma|poi)\s+(?:then\s+|also\s+|finally,?\s+|lastly,?\s+|next,?\s+|afterwards,?\s+"
    r"|dann\s+|puis\s+|luego\s+|poi\s+|after that,?\s+)?)?"
    r"|\s+(?:and then|and also|and after that|after that|afterwards|and finally|as well as|and|n|&|but"
    r"|then|also|plus|so|\+|/"
    r"|und dann|und|aber|dann|et puis|et|mais|puis|y luego|y|pero|luego|e poi|e|ma|poi)\s+"
    r"|\s+-{1,2}\s+|:\s+",
)
_OPENERS: Final = re.compile(
    r"(?:(?:please|pls|plz|kindly|also|then|just|maybe|actually|instead|rather|bitte|dann"
    r"|por favor|per favore)[,\s]+)*"
    r"(?:i|i'[dmv]e?|i'll|we|we'[a-z]+|he|she|they|it|it'[a-z]+|they'[a-z]+|she's|he's|she'll|he'll|you"
    r"|you'[a-z]+|that's|there's"
    r"|there (?:is|are)|this is|nobody|someone"
    r"|can|could|would|will|won't|shall|should|do|does|did|don'?t|do not|never|not|no|is|are|was"
    r"|were|has|have|am|let'?s|let"
    r"|what|what's|which|who|who's|whose|when|when's|where|where's|why|how|how's|if|unless|instead"
    r"|instead of"
    r"|while you'?re|while you are|while we'?re|when you have"
    r"|tell me|give me|show me|looking for|searching for|thanks|thank you|thx|cheers|sorry|hi"
    r"|hello|hey|bye|goodbye"
    r"|ich|wir|er|sie|es|kannst|könntest|kann|nicht|kein|keine|wie|was|wer|wann|wo|warum|danke"
    r"|vielen dank|wenn|falls"
    r"|je|j'[a-zà-ÿ]+|nous|il|elle|on|peux|pouvez|ne|n'[a-zà-ÿ]+|comment|quand|où|pourquoi|merci|si"
    r"|yo|puedes|puede|podrías|no|cómo|cuándo|dónde|qué|gracias|io|puoi|potresti|non|come|quando"
    r"|dove|perché|grazie"
    r")(?![\w'])",
)
_WORD: Final = re.compile(
    r"(?:(?:please|pls|plz|now|also|then|just|simply|kindly|quickly|this time|bitte|dann)\s+)*"
    r"([^\W\d_]+(?:-[^\W\d_]+)?)(?=\s+\S|[.!?]*\Z)"
)
_HALF: Final = re.compile(
    r"\s*(?:(?:and|so|but|ok|okay|please),?\s+)*(?:(?:can|could|would|will|may|shall|should|do) )?(?:i|we|you"
    r"|they|he|she)"
    r"(?:'d|'ll| would| will| could| can| should)?|\s*(?:(?:so|ok|okay|please),?\s+)*go (?:ahead|on)"
    r"|\s*(?:(?:would|could|will) (?:you|somebody|someone) )?(?:please )?be (?:so (?:kind|good|nice|sweet)|a dear)",
)
"""A subject and its auxiliary: what follows belongs to it, as in "can I also get ..."."""
_FINITE: Final = re.compile(
    r"\s+(?:both\s+)?(?:should|needs?|is|are|was|were|has|have|must|can|could|will|would|goes|gets)\b"
)
"""After a word that looks like a verb and is a name: "and search should run ..."."""
_NUMBERED: Final = re.compile(r" (?:number|numbers|no\.|nr\.?|#|id)(?![\w'-])")
"""After a word that looks like a verb and is a thing: "order number 7"."""
_AMENDS: Final = re.compile(
    r"(?:(?:no|nope|sorry|oops|wait|actually|rather|or rather|correction|scratch that|i mean|i meant"
    r"|make (?:it|that))"
    r"(?:\s*,\s*|\s+))+(?P<rest>[^\s,;.!?]+(?:[ ,]+[^\s,;.!?]+){0,3})\s*[.!]*\s*\Z"
)
"""A value that takes the place of one before: "to 4, sorry, I mean 6". It belongs to what it amends."""
_OPENS_ANEW: Final = re.compile(
    r"(?:leave|keep|don'?t|do|stop|forget|cancel|never|thanks|thank|please|it|that|this|they|i|we|you|he"
    r"|she|nothing|none"
    r"|problem|worries|need|rush|hurry|later|not|wait|skip|drop|if|there|is|can|could|would|how|what|why"
    r"|when|who)\b"
)
_SWAPPED: Final = re.compile(r"\bnto\b")
"""The commonest slip of the fingers that turns a refusal into a request."""
_LISTED: Final = re.compile(
    r"(?:\A|(?<=[\s:,;.]))(?:\(?(?:\d{1,2}|[a-h])[.)]|[-*+\u2022\u00b7]|#\d{1,2}:?|step \d{1,2}[.:])\s+(?=\S)"
)
"""What stands before each of several things in a list, by lines or one after the other: "1.", "b)", "-"."""
_FRAGMENT: Final = re.compile(r"\s*[,;.!?\u2026:-]*\s*\Z")


def clauses(text: str, verbs: frozenset[str] = frozenset()) -> tuple[tuple[int, int], ...]:
    """The spans of the clauses of a text, in order, without the joints between them; one at least for any words.

    `verbs` are lower-case words that begin a request too, beside the common ones. Quoted words are never cut.
    """
    low = lowered(text)
    cuts = _cuts(low, verbs)
    if len(cuts) >= MOST:
        cuts = []
    spans: list[tuple[int, int]] = []
    start = 0
    for end, following in [*cuts, (len(low), len(low))]:
        first, last = _trimmed(low, start, end)
        if first < last and _FRAGMENT.match(low, first, last) is None:
            spans.append((first, last))
        start = following
    return tuple(spans)


def lowered(text: str) -> str:
    """The text in lower case with plain quotes and dashes, of the same length, so that spans fit both."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
    low = low if low.isascii() else low.translate(wording.PLAIN)
    return _SWAPPED.sub("not", low) if "nto" in low else low


def is_numbered(low: str, at: int) -> bool:
    """Whether the word that ends here is a thing with a number, "order number 7", and asks for nothing."""
    return _NUMBERED.match(low, at) is not None


def opens(low: str, at: int, verbs: frozenset[str] = frozenset()) -> bool:
    """Whether a clause may begin at this place of a lower-case text."""
    if _OPENERS.match(low, at):
        return True
    word = _WORD.match(low, at)
    if word is None or _FINITE.match(low, word.end()) or low.startswith(" of ", word.end()):
        return False
    if is_numbered(low, word.end()):
        return False
    ends = word.end() == len(low.rstrip(".!? "))
    return word[1] in (ALONE if ends else IMPERATIVES) or word[1] in verbs


def _cuts(low: str, verbs: frozenset[str]) -> list[tuple[int, int]]:
    quoted = (*quotes(low), *handed_on(low))
    cuts = [
        found.span()
        for found in _END.finditer(low)
        if not (low[found.start()] == "." and wording.is_short_form(low[: found.start()]))
    ]
    cuts += _list_cuts(low)
    back = withdrawal(low)
    if back is not None:
        cuts = [cut for cut in cuts if cut[0] < back[0]] + [back]
    cuts += [
        found.span()
        for found in _SOFT.finditer(low, 0, len(low) if back is None else back[0])
        if opens(low, found.end(), verbs)
    ]
    kept: list[tuple[int, int]] = []
    for start, end in sorted(cuts):
        if kept and start < kept[-1][1]:
            continue
        begins = kept[-1][1] if kept else 0
        if any(first <= start < last for first, last in quoted) or _HALF.fullmatch(low, begins, start):
            continue
        if (start, end) != back and (kept or begins < start):
            amends = _AMENDS.match(low, end)
            if amends is not None and _OPENS_ANEW.match(amends["rest"]) is None:
                continue
        kept.append((start, end))
    return kept


def _list_cuts(low: str) -> list[tuple[int, int]]:
    """The signs before the things of a list, two at least; each line's, or those that count up."""
    found = list(_LISTED.finditer(low))
    if len(found) < _FEWEST:
        return []
    by_lines = [
        each
        for each in found
        if not low[: each.start()].strip(" \t") or low[: each.start()].rstrip(" \t").endswith("\n")
    ]
    if len(by_lines) >= _FEWEST:
        return [each.span() for each in by_lines]
    signs = [each[0].strip(" ().:#step-*+\u2022\u00b7") for each in found]
    counted = [str(at + 1) for at in range(len(found))], list("abcdefgh"[: len(found)])
    return [each.span() for each in found] if signs in counted else []


def _trimmed(low: str, start: int, end: int) -> tuple[int, int]:
    while start < end and low[start] in " \t\n,;:-":
        start += 1
    while end > start and low[end - 1] in " \t\n,;:":
        end -= 1
    return start, end
