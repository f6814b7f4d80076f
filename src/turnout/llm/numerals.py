"""The numbers that a text names, in digits or in words, in every way in which they may be meant."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Final, NamedTuple

from turnout.model.languages import LANGUAGES

from .words import plain, words

_GROUPED: Final = r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)"
_DIGITS: Final = re.compile(rf"(?<!\d){_GROUPED}|\d+(?:[.,'\u2019]\d+)*")
_AFTER: Final = re.compile(r"(?:\s?(%)|(k)\b|\s?(m)\b|[\s-]?([^\W\d_]+))")
_MINUS: Final = re.compile(r"(?:(?:^|[\s(])[-\u2212]\s?[$€£¥]?|\b(?:minus|negative)\s)\Z")
_LETTERS: Final = re.compile(r"[^\W\d_]+")

_TIMES: Final = {
    10**2: "hundred hundert",
    10**3: "thousand tausend mille mil mila duizend",
    10**6: "million millions mio millionen millon millones milione milioni miljoen milhao milhoes",
    10**9: "billion billions bn milliarde milliarden milliard milliards",
}
# Words for 2 to 12 that mean something else in a neighbouring language.
_UNCLEAR: Final = frozenset({"dos", "once", "sei", "six"})
_LOOSE: Final = {
    1: "a an single once first ein eine einen einem einer un une uno una um uma een",
    2: "couple pair twice double both second",
    3: "third triple",
    12: "dozen dutzend douzaine docena dozzina",
}


class Numeral(NamedTuple):
    """A number in a text: how it stands there, and the values that it may mean."""

    text: str
    values: frozenset[Decimal]


def numerals(text: str) -> Iterator[Numeral]:
    """The numbers in digits. One separator before three digits may part thousands or decimals: both are meant."""
    text = plain(text)
    for found in _DIGITS.finditer(text):
        after = _AFTER.match(text, found.end())
        negative = _MINUS.search(text[max(0, found.start() - 12) : found.start()]) is not None
        for part, read in _read(found[0]):
            values = read if after is None else _multiplied(read, after)
            yield Numeral(part, frozenset({-value for value in values} if negative else values))


def spelled(text: str) -> Iterator[Numeral]:
    """The numbers in words: whole ones in English, from two to twelve in some other languages."""
    run: list[str] = []
    before = ""
    for word in (*words(text), ""):
        if _begins(word, before) if not run else _continues(run, word):
            run.append(word)
        elif not (run and word == "and" and run[-1] in _times()):
            if run:
                yield Numeral(" ".join(run), frozenset({Decimal(_sum(run))}))
            run = [word] if _begins(word, before) else []
            if word in _elsewhere():
                yield Numeral(word, frozenset({Decimal(_elsewhere()[word])}))
        before = word


def values(text: str) -> frozenset[Decimal]:
    """All numbers that a text may name, those meant loosely ("a dozen", "both") included."""
    found: set[Decimal] = set()
    for numeral in (*numerals(text), *spelled(text)):
        found |= numeral.values
        if (
            " " in numeral.text and numeral.text[0].isdigit()
        ):  # also two numbers side by side: "2 500 ml bottles"
            found |= {value for piece in numeral.text.split() for _, read in _read(piece) for value in read}
    for word in _LETTERS.findall(plain(text)):
        if word in _loose():
            found.add(Decimal(_loose()[word]))
    if "half" in text.lower():
        found.add(Decimal("0.5"))
    return frozenset(found)


def thousands(text: str) -> Decimal | None:
    """What one separator before three digits means where it parts thousands, else `None`."""
    whole, mark, rest = text.replace(",", ".").partition(".")
    grouped = mark and len(rest) == 3 and rest.isdigit() and len(whole) <= 3 and whole[:1] != "0"
    return Decimal(whole + rest) if grouped else None


def _read(text: str) -> list[tuple[str, set[Decimal]]]:
    """What a run of digits and separators means: one number, or several as in a date."""
    bare = re.sub(r"[ '\u2019]", "", text)
    pieces = re.split(r"[.,]", bare)
    marks = [mark for mark in bare if mark in ".,"]
    if not marks:
        return [(text, {Decimal(bare)})]
    if len(marks) == 1:
        whole = thousands(bare)
        decimal = Decimal(".".join(pieces))
        return [(text, {decimal} if whole is None else {decimal, whole})]
    last = marks[-1]
    if len(set(marks)) == 1 and _are_groups(pieces):
        return [(text, {Decimal("".join(pieces))})]
    if len(set(marks)) == 2 and marks.count(last) == 1 and _are_groups(pieces[:-1]):
        return [(text, {Decimal("".join(pieces[:-1]) + "." + pieces[-1])})]
    return [(piece, {Decimal(piece)}) for piece in pieces]


def _are_groups(pieces: list[str]) -> bool:
    return len(pieces[0]) <= 3 and all(len(piece) == 3 for piece in pieces[1:])


def _multiplied(read: set[Decimal], after: re.Match[str]) -> set[Decimal]:
    percent, kilo, mega, word = after.groups()
    if percent or word in {"percent", "prozent"}:
        return read | {value / 100 for value in read}
    if kilo:
        return {value * 1000 for value in read}
    if mega:
        return read | {value * 10**6 for value in read}
    times = _times().get(word)
    return read if times is None else {value * times for value in read}


def _begins(word: str, before: str) -> bool:
    return word in _english() or (word in {"hundred", "thousand", "million"} and not before.isdigit())


def _continues(run: list[str], word: str) -> bool:
    if word in _times():
        return True
    last = _english().get(run[-1], 0)
    return word in _english() and (run[-1] in _times() or (last >= 20 and _english()[word] < 10))


def _sum(run: list[str]) -> int:
    total = 0
    current = 0
    for word in run:
        times = _times().get(word)
        if times is None:
            current += _english()[word]
        elif times == 100:
            current = max(current, 1) * 100
        else:
            total += max(current, 1) * times
            current = 0
    return total + current


@cache
def _english() -> dict[str, int]:
    english = LANGUAGES["en"]
    named = {word: value for value, word in enumerate(english.numbers.split())}
    return named | {word: 10 * at for at, names in enumerate(english.tens, 2) for word in names.split()}


@cache
def _times() -> dict[str, int]:
    return {word: times for times, names in _TIMES.items() for word in names.split()}


@cache
def _elsewhere() -> dict[str, int]:
    return {
        word: value
        for code, each in LANGUAGES.items()
        for value, word in enumerate(each.numbers.split()[2:13], 2)
        if code != "en" and word not in _UNCLEAR
    }


@cache
def _loose() -> dict[str, int]:
    return {word: value for value, names in _LOOSE.items() for word in names.split()}
