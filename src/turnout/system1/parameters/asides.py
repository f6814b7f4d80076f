"""What a text says without wishing it: what is taken back, left out, turned down, asked about or said in parting."""

import re
from bisect import bisect_right
from typing import Final

from .option import Option
from .slots import Slot, name_words
from .text import Words, several

_CORRECTING: Final = re.compile(
    r"(?:,|\.|-|\bor|\boh|\bsorry)\s*(?:no\b|sorry\b|wait\b|actually\b|i mean\b|rather\b"
    r"|make (?:it|that)\b|scratch that\b)",
    re.I,
)
_REFUSING: Final = re.compile(
    r"\b(?:do(?:es)?n['\u2019]?t|do not|not|never|rather than|instead of|nicht|statt)\b"
    r".*?(?=[,;.!?](?:\s|$)|\bbut\b|$)",
    re.I,
)
_DISLIKING: Final = re.compile(
    r"\b(?:do(?:es)?n['\u2019]?t|do not|never)(?: \w+)? (?:like|love|want|need|enjoy|care|use|prefer)\b"
    r".*?(?=[,;.!?](?:\s|$)|\bbut\b|$)",
    re.I,
)
_EXCEPTING: Final = re.compile(
    r"\b(?:(?:any(?:thing|one|body)?|every(?:thing|one|body)?|all)(?: \w+)?"
    r" (?:but|except(?: for)?|other than|that is(?: not|n['\u2019]t))"
    r"|except(?: for)?|other than"
    r"|apart from|alles au(?:ß|ss)er|tout sauf|todo menos|tutto tranne)\b.*?(?=[;.!?](?:\s|$)|$)",
    re.I,
)
_VAGUE: Final = re.compile(
    r"\s*-?\s*(?:ish|odd)\b|\s+and (?:change|a bit)\b"
    r"|\s+or (?:so\b|thereabouts|something|somewhere)|\s+oder so\b|\s+ou quelque chose",
    re.I,
)
_BOUNDED: Final = re.compile(
    r"\s+(?:(?:or|and) (?:above|higher|more|better|less|below|lower|later|earlier|up|upwards?|under|over|older"
    r"|younger)|oder (?:mehr|höher|weniger|später|früher)|ou (?:plus|moins)|o (?:más|menos|più|meno))\b",
    re.I,
)
_BEYOND: Final = re.compile(
    r"(?<!\bnot )(?<!\bno )\b(?:over|under|above|below"
    r"|(?:more|less|fewer|older|younger|higher|lower|longer|shorter) than)\s+\Z",
    re.I,
)
_BOUNDS: Final = several(
    "min minimum max maximum least most lowest highest limit bound budget rating above below threshold"
)
# A question about the thing that was spoken of, not one for a thing: "is it a museum?", "how expensive are they?"
_THING: Final = r"(?:it|this|that|these|those|they|he|she)\b"
_ASKING: Final = re.compile(
    rf"(?:\A|[.!?;,]\s*|\b(?:and|or|but|so)\s+)"
    rf"(?:(?:is|was|are|were|isn['\u2019]?t|wasn['\u2019]?t|aren['\u2019]?t|does) {_THING}"
    rf"(?!\s+(?:possible|ok|okay|all ?right|fine|correct|doable|feasible|an option)\b)"
    rf"|how \w+ (?:is|are|was|were) (?:{_THING}|the\b)"
    rf"|(?:what|which) (?:kind|type|sort)s? of \w+ (?:do|does|did|is|are)\b)[^.!?;]*(?:\?|\Z)",
    re.I,
)
_ASKING_WHEN: Final = re.compile(
    r"(?:\A|[.!?;,]\s*)(?:is|was|are|were) (?:it|this|that|they|these|those) (?:on|at|for|from|until)\b[^.!?;]*\?",
    re.I,
)
_PARTING: Final = re.compile(
    r"\b(?:(?:thanks?|thank you|thx)(?: (?:so|very) much)?(?: again)? for"
    r"|that(?:['\u2019]?s| is| was| will be|['\u2019]ll be| would be|['\u2019]d be) (?:all|it|everything)"
    r"|nothing (?:else|more))\b[^,.!?;]*",
    re.I,
)
_ANY_TIME: Final = re.compile(
    r"\b(?:(?:any|some) ?time|shortly|just|soon|right|well) (?:after|before|from|until|till|between)\b(?! at\b)"
    r"[^,.!?;]*",
    re.I,
)
_ONE_OF: Final = re.compile(
    r"\b(?:one|1|a|an) ?[^\W\d_]+ (?=(?:is|are|=|equals?|makes|costs|buys) \d)|\b1 ?[^\w\s] ?(?==)", re.I
)
"""What a rate is told for: the one of "one euro is 1.08 dollars"."""
_CALENDAR: Final = several("day time moment")
_FARTHER: Final = several("up down further higher lower above below")
_LONGEST: Final = 24
_LITERAL: Final = several("boolean text email url phone code")


def wished(slot: Slot, options: list[Option], words: Words) -> list[Option]:
    """Of the places that could fill a parameter those that the text wishes for."""
    found = _corrected(slot, options, words)
    if slot.want == "boolean":
        return found
    if slot.want != "text":
        found = [each for each in found if not _is_vague(slot, each, words)]
    if slot.want not in _LITERAL:
        asking = _ASKING if slot.want in {"number", "choice"} else _ASKING_WHEN
        found = _outside(_outside(found, asking, words), _PARTING, words)
    if slot.want in _CALENDAR:
        found = _outside(found, _ANY_TIME, words)
    if slot.want == "number":
        found = _outside(found, _ONE_OF, words)
    return _affirmed(slot, _outside(found, _EXCEPTING, words), words)


def _is_vague(slot: Slot, option: Option, words: Words) -> bool:
    """Whether what follows makes it about so much ("five-ish") or a bound, where no bound is asked for."""
    at = words.ends[option.end - 1]
    if _VAGUE.match(words.text, at):
        return True
    if _is_relative(slot, option, words):
        return True
    if slot.cues & _BOUNDS:
        return False
    if slot.want == "number" and not slot.role and not slot.money:
        # Who is over 65 is not 65.
        start = words.starts[option.first]
        if _BEYOND.search(words.text[max(0, start - _LONGEST) : start]):
            return True
    return _BOUNDED.match(words.text, at) is not None


def _is_relative(slot: Slot, option: Option, words: Words) -> bool:
    """Whether a number is counted from where one is: "two floors up" is no floor."""
    if slot.want != "number" or words.word(option.end + 1) not in _FARTHER:
        return False
    return words.word(option.end).removesuffix("s") in name_words(slot.path[-1])


def _outside(options: list[Option], aside: re.Pattern[str], words: Words) -> list[Option]:
    """Without those in a stretch of text that wishes nothing: "anything but economy"."""
    left = [match.span() for match in aside.finditer(words.text)] if options else []
    starts = [start for start, _ in left]

    def is_inside(at: int) -> bool:
        before = bisect_right(starts, at) - 1
        return before >= 0 and at < left[before][1]

    return [each for each in options if not is_inside(words.starts[each.first])]


def _affirmed(slot: Slot, options: list[Option], words: Words) -> list[Option]:
    """Without those that are turned down, where others are not: "not the lab but the atrium".

    A choice that is not liked is never meant: "I don't want jazz".
    """
    if slot.want == "choice":
        options = _outside(options, _DISLIKING, words)
    return _outside(options, _REFUSING, words) or options


def _corrected(slot: Slot, options: list[Option], words: Words) -> list[Option]:
    """Without those that the user took back: "at 3, no, at 4"."""
    last = max((words.starts[each.first] for each in options), default=-1)
    taken_back = -1
    for match in _CORRECTING.finditer(words.text):
        if slot.many and match[0].lower().endswith("no") and words.text[match.end() : match.end() + 1] == " ":
            # "A laptop, no monitor" leaves one out of a list.
            continue
        if match.end() <= last:
            taken_back = match.start()
    return [each for each in options if words.ends[each.end - 1] > taken_back]
