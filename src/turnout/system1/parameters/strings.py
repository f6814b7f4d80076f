"""Words of the user's own in a text: in quotes, after words such as "called", and names by their capitals."""

import re
from typing import Final

from .mentions import Mentions
from .option import QUOTED, Option, option_at
from .slots import Slot, stem
from .text import Words, several

_QUOTE: Final = re.compile(
    r"\"([^\"\n]+)\"|\u201c([^\u201c\u201d\n]+)\u201d|\u201e([^\u201e\u201c\u201d\n]+)[\u201c\u201d]"
    r"|(?<!\w)'([^'\n]+)'(?!\w)|\u00ab\s?([^\u00ab\u00bb\n]+?)\s?\u00bb|`([^`\n]+)`"
)
_CALLED: Final = re.compile(
    r"\b(?:(?:call|name) it|called|named|titled|entitled|saying|says|that reads"
    r"|with the (?:title|name|text|subject|message|note|comment)|namens|appele|llamad[oa]|chiamat[oa])\s*:?\s+",
    re.I,
)
_STOP: Final = re.compile(
    r"[,;.!?](?=\s|$)|\s+(?:and|but|then|please|for|at|on|to|in|from|until|by|with|because)\s", re.I
)
_NAME_WORD: Final = r"(?:(?:St|Mt|Ft|Dr)\.|(?:[A-Z]\.)+|[A-Z\u00c0-\u00de][\w\u00c0-\u024f'\u2019-]*)"
_CAPITALS: Final = re.compile(
    rf"{_NAME_WORD}(?:\s+(?:(?:van|von|der|den|de|da|del|di|la|le|of|the|&)\s+){{0,2}}{_NAME_WORD})*"
)
_PEOPLE: Final = several(
    "name patient person customer guest contact employee recipient passenger attendee author owner driver client user"
    " colleague visitor student tenant member applicant sender assignee manager who payee beneficiary"
)
_PLACES: Final = several("city town place location country destination origin address street airport station")
_PLACE_STEMS: Final = frozenset(stem(each) for each in _PLACES)
_DOING: Final = several("is has was will wants needs would asked called wrote says can does")
_UNFINISHED: Final = several(
    "san santa saint los las new fort port mount el la north south east west puerto rio bad sankt"
)
_TOWARDS: Final = several("to from in into towards nach aus von a en da di vers pour para per")
_WITHIN: Final = several("in near around within inside nahe bei en")
_TEXTS: Final = several(
    "text message note comment subject title reason body content remark summary label topic query question"
    " description"
)


def text_options(slot: Slot, mentions: Mentions) -> list[Option]:
    """Words of the user's own: in quotes, after words such as "called", or capitalised names."""
    words = mentions.words
    if slot.cues & _PEOPLE and not slot.cues & _TEXTS:
        return _names(slot, mentions)
    found: list[Option] = []
    for match in _QUOTE.finditer(words.text):
        group = next(at for at in range(1, 7) if match[at] is not None)
        option = option_at(words, match.start(group), match.end(group), match[group].strip(), QUOTED)
        if option is not None:
            found.append(option)
    end = 0
    for match in _CALLED.finditer(words.text):
        if match.start() < end or words.text[match.end() : match.end() + 1] in "\"'\u201c\u201e`":
            continue
        stop = _STOP.search(words.text, match.end())
        end = stop.start() if stop else len(words.text)
        option = option_at(words, match.end(), end, words.text[match.end() : end].strip(), 0.82)
        if option is not None:
            found.append(option)
    if slot.cues & _PLACE_STEMS or "name" in slot.path[-1]:
        found += _names(slot, mentions)
    if slot.cues & _TEXTS or stem(words.word(0)) in slot.cues or words.word(0) == slot.path[-1]:
        found += _after_colon(words)
    return found


def _after_colon(words: Words) -> list[Option]:
    """`note: leave it at the door`: all that follows a colon."""
    at = words.text.find(": ")
    if at < 0:
        return []
    text = words.text[at + 2 :].strip()
    option = option_at(words, at + 2, len(words.text), text, 0.85)
    return [] if option is None or not text else [option]


def _names(slot: Slot, mentions: Mentions) -> list[Option]:
    words = mentions.words
    found: list[Option] = []
    claimed = {at for each in mentions.found for at in range(each.first, each.end)}
    for match in _CAPITALS.finditer(words.text):
        text = match[0].removesuffix("'s").removesuffix("\u2019s")
        option = option_at(words, match.start(), match.start() + len(text), text, 0.0)
        if option is None or not claimed.isdisjoint(range(option.first, option.end)):
            continue
        option = _whole_name(words, option)
        before = words.word(option.first - 1)
        if slot.cues & _PLACE_STEMS and before in (_TOWARDS if slot.role else _WITHIN):
            if words.word(option.first - 2) == "interested":
                continue
            found.append(_with_region(words, option)._replace(confidence=0.85))
            continue
        if option.first == 0 or words.word(option.first - 1) in {".", "!", "?"}:
            option = _at_the_start(words, option)
            if option is None:
                continue
        several = " " in str(option.values[0])
        if text in {"I", "I'm", "I'd", "OK"}:
            continue
        person = bool(slot.cues & _PEOPLE)
        found.append(option._replace(confidence=0.83 if several and person else 0.7))
    return found


def _at_the_start(words: Words, option: Option) -> Option | None:
    """A name that begins a sentence, where any word is capitalised: known by what follows, or after that word."""
    if words.word(option.end) in _DOING or words.words[option.end : option.end + 2] == ["'", "s"]:
        return option
    if option.end - option.first < 3 or not words.word(option.first).isalpha():
        return None
    first = option.first + 1
    return option._replace(first=first, values=(words.said(first, option.end),))


def _whole_name(words: Words, option: Option) -> Option:
    """`San francisco`: a name that can't end with the word it ends with, and the next word."""
    if words.word(option.end - 1) not in _UNFINISHED or not words.word(option.end).isalpha():
        return option
    end = option.end + 1
    return option._replace(end=end, values=(words.said(option.first, end),))


def _with_region(words: Words, option: Option) -> Option:
    """`Phoenix, AZ`: a place and, after a comma, what it lies in."""
    at = option.end
    if words.word(at) == "," and words.word(at + 1).isalpha() and words.text[words.starts[at + 1]].isupper():
        region = _CAPITALS.match(words.text, words.starts[at + 1])
        if region is not None:
            end = region.end()
            _, last = words.span(words.starts[at], end)
            return option._replace(end=last, values=(words.text[words.starts[option.first] : end],))
    return option
