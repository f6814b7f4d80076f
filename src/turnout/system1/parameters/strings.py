"""Addresses, references, phone numbers and words of the user's own in a text."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .mentions import Mentions
from .options import Option
from .slots import Slot, stem
from .text import Words, several

_EMAIL: Final = re.compile(r"[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}")
_URL: Final = re.compile(
    r"\b(?:https?://[^\s<>\"']+|www\.[^\s<>\"']+|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|app|de|fr|eu|co|ai)\b(?:/[^\s<>\"']*)?)",
    re.I,
)
_PHONE: Final = re.compile(r"(?<![\w.])(?:\+|00)?\(?\d[\d\s()/.\u2011-]{5,22}\d(?!\w)")
_QUOTE: Final = re.compile(
    r"\"([^\"\n]+)\"|\u201c([^\u201d\n]+)\u201d|\u201e([^\u201c\u201d\n]+)[\u201c\u201d]|(?<!\w)'([^'\n]+)'(?!\w)|\u00ab\s?([^\u00bb\n]+?)\s?\u00bb|`([^`\n]+)`"
)
_TOKEN: Final = re.compile(r"[^\s,;!?\"'()]+")
_CALLED: Final = re.compile(
    r"\b(?:called|named|titled|entitled|saying|says|that reads"
    r"|with the (?:title|name|text|subject|message|note|comment)|namens|appele|llamad[oa]|chiamat[oa])\s*:?\s+",
    re.I,
)
_STOP: Final = re.compile(
    r"[,;.!?](?=\s|$)|\s+(?:and|but|then|please|for|at|on|to|in|from|until|by|with|because)\s", re.I
)
_NAME_WORD: Final = r"(?:(?:St|Mt|Ft|Dr|[A-Z])\.|[A-Z\u00c0-\u00de][\w\u00c0-\u024f'\u2019-]*)"
_CAPITALS: Final = re.compile(
    rf"{_NAME_WORD}(?:\s+(?:(?:van|von|der|den|de|da|del|di|la|le|of|the)\s+){{0,2}}{_NAME_WORD})*"
)
_PEOPLE: Final = several(
    "name patient person customer guest contact employee recipient passenger attendee author owner driver client user"
    " colleague visitor student tenant member applicant sender assignee manager who payee beneficiary"
)
_PLACES: Final = several("city town place location country destination origin address street airport station")
_PLACE_STEMS: Final = frozenset(stem(each) for each in _PLACES)
_DOING: Final = several("is has was will wants needs would asked called wrote says can does")
_TOWARDS: Final = several("to from in into towards nach aus von a en da di vers pour para per")
_WITHIN: Final = several("in near around within inside nahe bei en")
_TEXTS: Final = several(
    "text message note comment subject title reason body content remark summary label topic query question"
    " description"
)
_LITERAL: Final = re.compile(r"\^?((?:\\[-_./#:+]|[A-Za-z0-9_/#:\-])+)(?=[\[\\(.]|\$)(?![*?])")


def email_options(_slot: Slot, mentions: Mentions) -> list[Option]:
    """The mail addresses."""
    return _matches(_EMAIL, mentions.words, 0.99)


def url_options(_slot: Slot, mentions: Mentions) -> list[Option]:
    """The web addresses, without the mark that ends the sentence."""
    words = mentions.words
    found: list[Option] = []
    for match in _URL.finditer(words.text):
        if words.text[max(0, match.start() - 1) : match.start()] == "@":
            continue
        text = match[0].rstrip(".,;:!?)")
        option = _option(words, match.start(), match.start() + len(text), text, 0.97)
        if option is not None:
            found.append(option)
    return found


def phone_options(slot: Slot, mentions: Mentions) -> list[Option]:
    """Phone numbers in E.164 form where the country is said, else as they were said, which a pattern may refuse."""
    words = mentions.words
    found: list[Option] = []
    for match in _PHONE.finditer(words.text):
        text = match[0].strip()
        digits = re.sub(r"\D", "", text)
        if not 7 <= len(digits) <= 15 or re.fullmatch(r"\d{4}-\d\d-\d\d.*", text):
            continue
        if text.startswith("+"):
            number = "+" + re.sub(r"\D", "", text.replace("(0)", ""))
        elif text.startswith("00"):
            number = "+" + re.sub(r"\D", "", text.replace("(0)", ""))[2:]
        else:
            number = digits
        option = _option(words, match.start(), match.start() + len(text), number, 0.95)
        if option is not None and not _is_refused(slot, number):
            found.append(option)
        elif option is not None:
            found.append(option._replace(wrong=True))
    return found


def _is_refused(slot: Slot, value: str) -> bool:
    pattern = slot.schema.get("pattern")
    return isinstance(pattern, str) and re.search(pattern, value) is None


class _Code(NamedTuple):
    """A pattern for references, the signs it begins with, and whether digits follow them."""

    pattern: re.Pattern[str]
    prefix: str


@lru_cache(maxsize=512)
def _code(pattern: str) -> _Code | None:
    try:
        compiled = re.compile(pattern)
    except re.error:
        return None
    literal = _LITERAL.match(pattern)
    return _Code(compiled, re.sub(r"\\(.)", r"\1", literal[1]) if literal and pattern.startswith("^") else "")


def code_options(slot: Slot, mentions: Mentions) -> list[Option]:
    """References of the slot's pattern: as they are, in another case, or without the signs they all begin with."""
    code = _code(str(slot.schema.get("pattern")))
    if code is None:
        return []
    words = mentions.words
    found: list[Option] = []
    for match in _TOKEN.finditer(words.text):
        text = match[0].rstrip(".:")
        option = _option(words, match.start(), match.start() + len(text), "", 0.0)
        if option is None:
            continue
        value = _fitted(code, text)
        if value is not None:
            found.append(option._replace(values=(value,), confidence=0.98))
        elif _completed(code, text) is not None and (
            not text.isdigit() or _is_named(slot, words, option.first)
        ):
            found.append(option._replace(values=(_completed(code, text),), confidence=0.93))
        elif _is_misspelled(slot, code, text, words, option.first):
            found.append(option._replace(values=(text,), confidence=0.9, wrong=True))
    return found or _spaced(code, words)


def _fitted(code: _Code, text: str) -> str | None:
    """The text, in the case that the pattern wants."""
    for each in (text, text.upper(), text.lower()):
        if code.pattern.search(each):
            return each
    return None


def _completed(code: _Code, text: str) -> str | None:
    """The text with the signs before it that the pattern begins with: `4711` is `T-4711`."""
    bare = text.lstrip("#")
    return _fitted(code, code.prefix + bare) if code.prefix and bare[:1].isdigit() else None


def _is_named(slot: Slot, words: Words, at: int) -> bool:
    """Whether a word before a reference says what it is."""
    before = [each for each in words.words[max(0, at - 3) : at + 1] if each not in {"number", "no", "#", "."}]
    if slot.required and len(words) <= 2:
        return True
    return any(stem(each) in slot.cues or each in slot.cues for each in before)


def _is_misspelled(slot: Slot, code: _Code, text: str, words: Words, at: int) -> bool:
    """Whether it was meant as a reference and is none: it begins like one, or is named as one."""
    if not any(each.isdigit() for each in text):
        return False
    if len(code.prefix) > 1 and text.upper().startswith(code.prefix.upper()):
        return True
    return bool(code.prefix) and text.isdigit() and stem(words.word(at - 1)) in slot.cues


def _spaced(code: _Code, words: Words) -> list[Option]:
    """References that were written apart: `INV 1042`, `T 4711`."""
    found: list[Option] = []
    for at in range(len(words) - 1):
        if words.word(at).isalpha() and words.is_number(at + 1) and not words.joined(at + 1):
            head, tail = words.text[words.starts[at] : words.ends[at]], words.word(at + 1)
            if code.prefix and head.upper() == code.prefix.strip("-_/ #").upper():
                value = _fitted(code, code.prefix + tail)
                if value is not None:
                    found.append(Option(at, at + 2, (value,), 0.93))
    return found or _grouped(code, words)


def _grouped(code: _Code, words: Words) -> list[Option]:
    """Long references that were written in groups: `DE89 3704 0044 0532 0130 00`."""
    for first in range(len(words)):
        text, best = "", None
        for end in range(first + 1, min(len(words), first + 12) + 1):
            piece = words.word(end - 1)
            if not piece.isalnum() or (piece.isalpha() and end - first > 2):
                break
            text += piece
            value = _fitted(code, text) if end - first > 2 and len(text) > 7 else None
            best = Option(first, end, (value,), 0.9) if value is not None else best
        if best is not None:
            return [best]
    return []


def text_options(slot: Slot, mentions: Mentions) -> list[Option]:
    """Words of the user's own: in quotes, after words such as "called", or capitalised names."""
    words = mentions.words
    if slot.cues & _PEOPLE and not slot.cues & _TEXTS:
        return _names(slot, mentions)
    found: list[Option] = []
    for match in _QUOTE.finditer(words.text):
        group = next(at for at in range(1, 7) if match[at] is not None)
        option = _option(words, match.start(group), match.end(group), match[group].strip(), 0.9)
        if option is not None:
            found.append(option)
    for match in _CALLED.finditer(words.text):
        if words.text[match.end() : match.end() + 1] in "\"'\u201c\u201e`":
            continue
        stop = _STOP.search(words.text, match.end())
        end = stop.start() if stop else len(words.text)
        option = _option(words, match.end(), end, words.text[match.end() : end].strip(), 0.82)
        if option is not None:
            found.append(option)
    if slot.cues & _PLACE_STEMS or "name" in slot.path[-1]:
        found += _names(slot, mentions)
    elif slot.cues & _TEXTS:
        found += _after_colon(words)
    return found


def _after_colon(words: Words) -> list[Option]:
    """`note: leave it at the door`: all that follows a colon."""
    at = words.text.find(": ")
    if at < 0:
        return []
    text = words.text[at + 2 :].strip()
    option = _option(words, at + 2, len(words.text), text, 0.85)
    return [] if option is None or not text else [option]


def _names(slot: Slot, mentions: Mentions) -> list[Option]:
    words = mentions.words
    found: list[Option] = []
    claimed = [(each.first, each.end) for each in mentions.found]
    for match in _CAPITALS.finditer(words.text):
        text = match[0].removesuffix("'s").removesuffix("\u2019s")
        option = _option(words, match.start(), match.start() + len(text), text, 0.0)
        if option is None or any(first < option.end and option.first < end for first, end in claimed):
            continue
        before = words.word(option.first - 1)
        if slot.cues & _PLACE_STEMS and before in (_TOWARDS if slot.role else _WITHIN):
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


def _with_region(words: Words, option: Option) -> Option:
    """`Phoenix, AZ`: a place and, after a comma, what it lies in."""
    at = option.end
    if words.word(at) == "," and words.word(at + 1).isalpha() and words.text[words.starts[at + 1]].isupper():
        region = _CAPITALS.match(words.text, words.starts[at + 1])
        if region is not None:
            end = region.end()
            last = max(each for each in range(len(words)) if words.starts[each] < end)
            return option._replace(end=last + 1, values=(words.text[words.starts[option.first] : end],))
    return option


def _matches(pattern: re.Pattern[str], words: Words, confidence: float) -> list[Option]:
    found = (_option(words, *match.span(), match[0], confidence) for match in pattern.finditer(words.text))
    return [each for each in found if each is not None]


def _option(words: Words, start: int, end: int, value: str, confidence: float) -> Option | None:
    """The option of a stretch of text, `None` where it holds no free word."""
    inside = [at for at in range(len(words)) if start < words.ends[at] and words.starts[at] < end]
    if not inside or any(words.word(at) == "\0" for at in inside):
        return None
    return Option(inside[0], inside[-1] + 1, (value,), confidence)
