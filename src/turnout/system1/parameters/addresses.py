"""Addresses in a text: mail, web and phone numbers, as they are written or as they are said aloud.

Strategy: what is written is read first; "jane dot doe at example dot com" and "plus four nine ..." only where nothing
is written, and only where every sign of them is said.
"""

import re
from typing import Final

from .dictation import MARKS, digits
from .mentions import Mentions
from .option import Option, option_at
from .slots import Slot
from .text import Words, several

_EMAIL: Final = re.compile(
    r"[A-Za-z0-9._%+-][A-Za-z0-9._%+'-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
)
_ENDINGS: Final = (
    "com|org|net|io|dev|app|de|fr|eu|co|ai|uk|ch|nl|us|info|edu|gov|pl|se|dk|cz|ie|ca|au|jp|tech|shop"
    "|cloud|example"
)
_URL: Final = re.compile(
    rf"\b(?:[a-z][a-z0-9+]{{1,9}}://[^\s<>\"']+|www\.[^\s<>\"']+"
    rf"|[a-z0-9-]{{1,63}}(?:\.[a-z0-9-]{{1,63}}){{0,8}}\.(?:{_ENDINGS})\b(?::\d{{2,5}}\b)?(?:/[^\s<>\"']*)?)",
    re.I,
)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+]*://", re.I)
_AT: Final = (
    r"(?:\s+(?:at|arobase|arroba|chiocciola|klammeraffe)\s+|\s*[\[({]\s*(?:at|@)\s*[\])}]\s*|\s+@\s+)"
)
_DOT: Final = r"(?:\s+(?:dot|punkt|point|punto)\s+|\s*[\[({]\s*(?:dot|punkt|\.)\s*[\])}]\s*|\.)"
_MARK: Final = rf"(?:\s+(?:{'|'.join(MARKS)})\s+|[._+-])"
_SPELLED: Final = re.compile(
    rf"(?<![\w.+-])([a-z0-9]\w{{0,30}}(?:{_MARK}\w{{1,30}}){{0,6}}){_AT}"
    rf"([a-z0-9][a-z0-9-]{{0,62}}(?:(?:{_DOT}|-|\s+(?:dash|hyphen|bindestrich|tiret)\s+)[a-z0-9]{{1,30}}){{1,6}})"
    r"(?![\w@])",
    re.I,
)
_SPELLED_DOT: Final = re.compile(r"\s*[\[({]?\s*\b(?:dot|punkt|point|punto)\b\s*[\])}]?\s*", re.I)
_SPELLED_MARK: Final = re.compile(rf"\s+({'|'.join(MARKS)})\s+", re.I)
# "Look at example.com" holds no address: with a plain "at" and a plain full stop nothing else may be said.
_LEAD_IN: Final = re.compile(
    r"\W*(?:(?:it|that|my|the|our|e?-?mail|mail|address|is|it's|that's|send|write|to|use|please|me|reach)\W+)*",
    re.I,
)
_NO_NAMES: Final = several(
    "me us him her them it look is reach only find see meet be write mail live are back"
)
_SPOKEN_URL: Final = re.compile(
    rf"(?<![\w.@])(?:(https?)\s+colon\s+slash\s+slash\s+)?([a-z0-9-]{{1,63}}(?:\s+dot\s+[a-z0-9-]{{1,63}}){{0,5}}"
    rf"\s+dot\s+(?:{_ENDINGS}))\b((?:\s+slash\s+[\w.-]{{1,63}}){{0,8}})",
    re.I,
)
_PHONE: Final = re.compile(r"(?<![\w.])(?:\+|00|plus\s+)?\(?\d[\d\s()/.\u2011-]{5,22}\d(?!\w)", re.I)
_EXTENSION: Final = re.compile(r"[\s,]*(?:ext|extension|x|durchwahl|dw|poste|interno)\b\.?\s*\d", re.I)
_FEWEST_DIGITS: Final = 7


def email_options(_slot: Slot, mentions: Mentions) -> list[Option]:
    """The mail addresses."""
    words = mentions.words
    written = (option_at(words, *match.span(), match[0], 0.99) for match in _EMAIL.finditer(words.text))
    found = [each for each in written if each is not None]
    return found or _spelled_mail(words)


def _spelled_mail(words: Words) -> list[Option]:
    """`jane dot doe at example dot com`, `jane [at] example [dot] com`, `jane @ example.com`."""
    found: list[Option] = []
    for match in _SPELLED.finditer(words.text):
        between = words.text[match.end(1) : match.start(2)]
        if between.strip().isalpha() and not _SPELLED_DOT.search(match[2]):
            alone = _LEAD_IN.fullmatch(words.text, 0, match.start()) is not None
            rest = words.text[match.end() :].strip(" .!,").lower()
            if not alone or rest not in {"", "please", "thanks"} or match[1].lower() in _NO_NAMES:
                continue
        user = _SPELLED_MARK.sub(lambda each: MARKS[each[1].lower()], match[1])
        host = _SPELLED_MARK.sub(
            lambda each: "-" if MARKS[each[1].lower()] == "-" else ".", _SPELLED_DOT.sub(".", match[2])
        )
        address = _EMAIL.fullmatch(f"{user}@{host}")
        option = option_at(words, *match.span(), address[0], 0.93) if address is not None else None
        found += [] if option is None else [option]
    return found


def url_options(slot: Slot, mentions: Mentions) -> list[Option]:
    """The web addresses, without the mark that ends the sentence; one without a scheme is of `https`, for a URI."""
    words = mentions.words
    found: list[Option] = []
    for match in _URL.finditer(words.text):
        if words.text[max(0, match.start() - 1) : match.start()] == "@":
            continue
        text = _trimmed(match[0])
        if words.text[match.start() + len(text) :][:1] == "@":
            continue
        option = option_at(words, match.start(), match.start() + len(text), _with_scheme(slot, text), 0.97)
        if option is not None:
            found.append(option)
    return found or _spoken_urls(slot, words)


def _spoken_urls(slot: Slot, words: Words) -> list[Option]:
    """`example dot com slash docs`."""
    found: list[Option] = []
    for match in _SPOKEN_URL.finditer(words.text):
        scheme = f"{match[1].lower()}://" if match[1] else ""
        host = re.sub(r"\s+dot\s+", ".", match[2], flags=re.I)
        path = re.sub(r"\s+slash\s+", "/", match[3], flags=re.I)
        option = option_at(words, *match.span(), _with_scheme(slot, scheme + host + path), 0.93)
        found += [] if option is None else [option]
    return found


def _with_scheme(slot: Slot, address: str) -> str:
    wants = slot.schema.get("format") in {"uri", "url", "iri"}
    return f"https://{address}" if wants and not _SCHEME.match(address) else address


def _trimmed(address: str) -> str:
    """Without the marks after it; a closing bracket belongs to it where it was opened there."""
    while address[-1:] in ".,;:!?)" and not (
        address.endswith(")") and address.count("(") >= address.count(")")
    ):
        address = address[:-1]
    return address


def phone_options(slot: Slot, mentions: Mentions) -> list[Option]:
    """Phone numbers in E.164 form where the country is said, else as they were said, which a pattern may refuse."""
    words = mentions.words
    found: list[Option] = []
    for match in _PHONE.finditer(words.text):
        text = match[0].strip()
        if _EXTENSION.match(words.text, match.end()):
            # A number without its extension reaches someone else.
            continue
        if re.fullmatch(r"\d{4}-\d\d-\d\d.*", text):
            continue
        found += _number(slot, words, match.start(), match.start() + len(text), text)
    return found or _dictated(slot, mentions)


def _dictated(slot: Slot, mentions: Mentions) -> list[Option]:
    """`plus four nine three oh ...`, `double five one ...`."""
    words, found, at = mentions.words, list[Option](), 0
    while at < len(words):
        read = digits(words, at, mentions.code)
        if read is not None and read.spoken and not _EXTENSION.match(words.text, words.ends[read.end - 1]):
            found += _number(slot, words, words.starts[at], words.ends[read.end - 1], read.text)
        at = read.end if read is not None else at + 1
    return found


def _number(slot: Slot, words: Words, start: int, end: int, text: str) -> list[Option]:
    """The number in E.164 form where it says its country."""
    bare = re.sub(r"(?i)\bplus\s*", "+", text).replace("(0)", "")
    figures = re.sub(r"\D", "", bare)
    if not _FEWEST_DIGITS <= len(figures) <= 15:
        return []
    if bare.startswith("+"):
        number = "+" + figures
    else:
        number = "+" + figures[2:] if bare.startswith("00") else re.sub(r"\D", "", text)
    option = option_at(words, start, end, number, 0.95)
    if option is None:
        return []
    pattern = slot.schema.get("pattern")
    wrong = isinstance(pattern, str) and re.search(pattern, number) is None
    return [option._replace(wrong=True) if wrong else option]
