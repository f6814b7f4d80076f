"""References of a pattern in a text: as they are, in another case, or with other marks between their parts."""

import re
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from .dictation import Piece, piece
from .forms import form
from .mentions import Mentions
from .option import Option, option_at
from .slots import Slot, stem
from .text import Words, several

_TOKEN: Final = re.compile(r"[^\s,;!?\"'()]+")
_LITERAL: Final = re.compile(r"\^?((?:\\[-_./#:+]|[A-Za-z0-9_/#:\-])+)(?=[\[\\(.]|\$)(?![*?])")
_MARKS: Final = re.compile(r"[\s\-_/.#:\u2010-\u2015]+")
_PUT_IN: Final = "-/_ ."
_LONGEST: Final = 24
_MOST_PIECES: Final = 12
_MOST_LETTERS: Final = 5
# Words that stand before numbers and are no letters of a reference, unless they are written as such.
_WORDS: Final = several(
    "a i an at in on to is it am no we go be by or of so my me up do us he as if ok for the and from was are per via"
    " um am im ab zu ab de la le el il du au en et es y e o da di al un una une ein eine"
)
_LISTING: Final = several(", and & und et y e")
_AROUND: Final = several("it is that s ' . , ! : please thanks thank you the my number no bitte danke")


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
        option = option_at(words, match.start(), match.start() + len(text), "", 0.0)
        if option is None:
            continue
        value = _fitted(code, text) or _fitted(code, text.lstrip("vV#"))
        completed = _completed(code, text) or _respelled(code, text)
        if value is not None:
            found.append(option._replace(values=(value,), confidence=0.98))
        elif completed is not None and (
            not text.isdigit() or _is_named(slot, words, option.first) or _is_next(slot, words, option, found)
        ):
            found.append(option._replace(values=(completed,), confidence=0.93))
        elif _is_misspelled(slot, code, text, words, option.first):
            found.append(option._replace(values=(text,), confidence=0.9, wrong=True))
    apart = _spaced(code, words, alone=not found)
    if not apart and all(each.wrong for each in found):
        apart = _spelled_out(slot, code, mentions)
    if slot.many:
        apart += _listed_after(code, words, apart)
    if apart and all(each.wrong for each in found):
        return apart
    return apart + [
        each for each in found if not any(one.first < each.end and each.first < one.end for one in apart)
    ]


@lru_cache(maxsize=2048)
def _respelled(code: _Code, text: str) -> str | None:
    """The text with the marks between its parts that the pattern wants: `inv2041`, `INV_2041` for `INV-2041`.

    Only where there is one way to do so.
    """
    bare = _MARKS.sub("", text)
    if not 3 <= len(bare) <= _LONGEST or not any(each.isdigit() for each in bare):
        return None
    head = _MARKS.sub("", code.prefix)
    if head and bare.upper().startswith(head.upper()):
        known = _fitted(code, code.prefix + bare[len(head) :])
        if known is not None:
            return known
    asked = form(code.pattern.pattern)
    if asked is not None:
        made = asked.written(text.strip()) or (asked.written(bare) if text != bare else None)
        return None if made is None else _fitted(code, made)
    found = {_fitted(code, each) for each in _with_marks(bare)} - {None}
    return found.pop() if len(found) == 1 else None


def _with_marks(bare: str) -> list[str]:
    """A text with no mark, and with one mark once or twice in it."""
    made = [bare]
    places = range(1, len(bare))
    for mark in _PUT_IN:
        made += [bare[:at] + mark + bare[at:] for at in places]
        if len(bare) <= 12:
            made += [bare[:a] + mark + bare[a:b] + mark + bare[b:] for a, b in combinations(places, 2)]
    return made


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


def _is_next(slot: Slot, words: Words, option: Option, found: list[Option]) -> bool:
    """Whether it goes on a list of references: "orders 10412, 10413 and 10414"."""
    between = words.words[found[-1].end : option.first] if found else []
    return slot.many and 0 < len(between) < 3 and _LISTING.issuperset(between)


def _listed_after(code: _Code, words: Words, found: list[Option]) -> list[Option]:
    """Of references after those found, in a row with them, the figures alone: `ord 10412, 10413`."""
    made: list[Option] = []
    for each in found:
        end = each.end
        while words.word(end) in _LISTING:
            at = words.skip(end, _LISTING)
            known = _completed(code, words.word(at)) if words.is_number(at) else None
            if known is None:
                break
            made.append(Option(at, at + 1, (known,), 0.9))
            end = at + 1
    return made


def _is_misspelled(slot: Slot, code: _Code, text: str, words: Words, at: int) -> bool:
    """Whether it was meant as a reference and is none: it begins like one, or is named as one."""
    if not any(each.isdigit() for each in text):
        return False
    if len(code.prefix) > 1 and text.upper().startswith(code.prefix.upper()):
        return True
    return bool(code.prefix) and text.isdigit() and stem(words.word(at - 1)) in slot.cues


def _spaced(code: _Code, words: Words, *, alone: bool) -> list[Option]:
    """References that were written apart: `INV 1042`, `AB 123`, `DE89 3704 0044 0532 0130 00`."""
    found: list[Option] = []
    at = 0
    while at < len(words):
        option = _pieces(code, words, at)
        found += [] if option is None else [option]
        at = at + 1 if option is None else option.end
    return found or (_grouped(code, words) if alone else [])


def _spelled_out(slot: Slot, code: _Code, mentions: Mentions) -> list[Option]:
    """References that were dictated or written with blanks: `o r d dash one two`, `b xy 123`, `HH AB 1234`."""
    words, found, at = mentions.words, list[Option](), 0
    while at < len(words):
        option = _spelled_at(slot, code, mentions, at)
        found += [] if option is None else [option]
        at = at + 1 if option is None else option.end
    return found


def _spelled_at(slot: Slot, code: _Code, mentions: Mentions, at: int) -> Option | None:
    words = mentions.words
    if words.joined(at):
        return None
    ends, text, spoken = list[tuple[int, str]](), "", 0
    end = at
    while end < len(words) and len(ends) < _LONGEST:
        said = piece(words, end, mentions.code) or _letters(code, words, end)
        if said is None or (said.text.isalpha() and words.word(end + 1).isdigit() and _is_word(words, end)):
            break
        text += (" " if text and not words.joined(end) else "") + said.text
        spoken += said.spoken
        end = said.end
        ends.append((end, text))
    for pieces in range(len(ends), 1, -1):
        last, text = ends[pieces - 1]
        if _goes_on(words, last) or not any(each.isdigit() for each in text):
            continue
        alone = _AROUND.issuperset((*words.words[:at], *words.words[last:]))
        alone = alone or _is_named(slot, words, at)
        marked = (spoken and pieces > 2) or words.said(at, at + 1).isupper() or text[0] in "#+"
        known = _known(code, text, alone=alone)
        if known is not None and (marked or alone or (pieces > 2 and len(words.word(at)) > 1)):
            return Option(at, last, (known,), 0.9)
    return None


def _is_word(words: Words, at: int) -> bool:
    """Whether a word is one of every day: "at 1030" is no AT1030."""
    capitals = words.said(at, at + 1).isupper() and words.word(at) not in {"i", "ok"}
    apart = not words.joined(at + 1) and not words.joined(at)
    return words.word(at) in _WORDS and apart and not capitals


def _letters(code: _Code, words: Words, at: int) -> Piece | None:
    """A few letters that belong to a reference: what all begin with, in capitals, or beside digits."""
    said = words.said(at, at + 1)
    if not (said.isalpha() and said.isascii()) or len(said) > _MOST_LETTERS:
        return None
    begins = said.upper() == _MARKS.sub("", code.prefix).upper()
    beside = words.joined(at) or (words.joined(at + 1) and words.is_number(at + 1))
    led = said.islower() and at == 0 and words.is_number(at + 1)
    after = words.word(at - 1).isalnum() and len(words.word(at - 1)) < 3 and len(words) < _MOST_PIECES // 2
    if not begins and _is_word(words, at):
        return None
    return Piece(said, at + 1) if begins or beside or said.isupper() or led or after else None


def _known(code: _Code, text: str, *, alone: bool) -> str | None:
    bare = text.replace(" ", "")
    known = _fitted(code, bare) or _respelled(code, text)
    return known or (_completed(code, bare) if alone else None)


def _pieces(code: _Code, words: Words, at: int) -> Option | None:
    """Letters and the number after them, of which the letters are what the pattern begins with or in capitals."""
    head = words.said(at, at + 1)
    if words.joined(at) or not words.is_number(at + 1):
        return None
    if words.is_number(at):
        return _digit_groups(code, words, at)
    if not head.isalpha():
        return None
    begins = bool(code.prefix) and head.upper() == _MARKS.sub("", code.prefix).upper()
    if not begins and _is_word(words, at):
        return None
    adjoins = words.joined(at + 1) and len(head) < 4
    if not begins and not adjoins and not (len(head) > 1 and (head.isupper() or len(words) <= 3)):
        return None
    end = at + 2
    while end - at < _MOST_PIECES and _is_piece(words, end):
        end += 1
    for last in range(end, at + 1, -1):
        value = None if _goes_on(words, last) else _respelled(code, "".join(words.words[at:last]))
        if value is not None:
            return Option(at, last, (value,), 0.93)
    return None


def _digit_groups(code: _Code, words: Words, at: int) -> Option | None:
    """`123 45 6789`: three groups of digits or more, which together are the reference."""
    end = at
    while end - at < _MOST_PIECES and words.is_number(end) and not words.joined(end):
        end += 1
    if end - at < 3 or _goes_on(words, end):
        return None
    value = _respelled(code, "".join(words.words[at:end]))
    return None if value is None else Option(at, end, (value,), 0.93)


def _goes_on(words: Words, at: int) -> bool:
    """Whether a reference goes on without a blank."""
    return words.joined(at) and (words.word(at).isalnum() or words.word(at) in {"-", "_", "/"})


def _is_piece(words: Words, at: int) -> bool:
    """Whether a word may go on a reference: digits, or letters in capitals."""
    said = words.said(at, at + 1) if at < len(words) else ""
    return words.is_number(at) or (said.isalpha() and said.isupper())


def _grouped(code: _Code, words: Words) -> list[Option]:
    """Long references that were written in groups: `DE89 3704 0044 0532 0130 00`."""
    for first in range(len(words)):
        text, best = "", None
        for end in range(first + 1, min(len(words), first + 12) + 1):
            piece = words.word(end - 1)
            capital = words.said(end - 1, end).isupper()
            if not piece.isalnum() or (piece.isalpha() and end - first > 2 and not capital):
                break
            text += piece
            value = _fitted(code, text) if end - first > 2 and len(text) > 7 else None
            best = Option(first, end, (value,), 0.9) if value is not None else best
        if best is not None:
            return [best]
    return []
