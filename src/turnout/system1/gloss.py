"""A request of another language word by word in English, so that English examples are near to it.

Strategy: of German, French, Spanish and Italian the words that requests are made of are known; names, numbers and all
other words stay as they are. Whether anything is asked for, and with which values, is read in the original; the gloss
is scored beside it, and tells values that are words ("towels") where the original has none.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from turnout.model.languages import LANGUAGES
from turnout.model.utterance.words import word_set

from . import glosses

_TOKEN: Final = re.compile(r"\S*[\d@]\S*|[^\W\d_]+(?:['\u2019-][^\W\d_]+)*['\u2019]?|\S")
_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
_ELIDED: Final = re.compile(r"(?:qu|jusqu|aujourd|dell|nell|all|sull|[ldjnmtsc])['\u2019]", re.IGNORECASE)
OR: Final = "/"
"""Between English words of which any may be meant."""
_CODES: Final[dict[str, str]] = {"german": "de", "french": "fr", "spanish": "es", "italian": "it"}
_STOP: Final = frozenset(".,;!?")
_FEW: Final = 2  # words
_LONGEST: Final = 500  # code points
_COMPOUND: Final = 8  # letters
_SHORT: Final = 3  # letters; a stem of fewer must be the whole word
_TELLING: Final = word_set(LANGUAGES["en"].telling) | word_set(
    "a an me i it this need want would could can will set turn book open show new all off out up do does what how why"
    " in more no not yes never also too already has was were you we they he she when where who which there any some"
)


Places: TypeAlias = tuple[tuple[int, int, int, int], ...]
"""For stretches of a rendered text where they stand: (start, end) of it, (start, end) of the original."""


def origin(places: Places, start: int, end: int) -> tuple[int, int]:
    """The span of the original that a span of the rendered text comes from.

    A part of a stretch comes from all of it, where the stretch has another length than it had.
    """
    met = [place for place in places if place[0] < end and start < place[1]]
    if not met:
        return 0, 0
    first, last = met[0], met[-1]
    before = max(0, start - first[0]) if first[1] - first[0] == first[3] - first[2] else 0
    after = max(0, last[1] - end) if last[1] - last[0] == last[3] - last[2] else 0
    return first[2] + before, last[3] - after


class Gloss(NamedTuple):
    """The English words, and for each where it stands.

    `verbs` are the words of the original that stand for a verb of the table, in lower case.
    """

    text: str
    places: Places
    verbs: frozenset[str]
    tongue: str

    def uncapitalised(self, text: str) -> str:
        """The original with the words that are known in lower case, so that only names have a capital."""
        for start, end, first, last in self.places:
            low = text[first:last].lower()
            if self.text[start:end].strip().lower() != low and len(low) == last - first:
                text = text[:first] + low + text[last:]
        return text

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that a span of the gloss comes from."""
        return origin(self.places, start, end)


@lru_cache(maxsize=64)
def gloss(text: str, known: frozenset[str] = frozenset()) -> Gloss | None:
    """The text in English words, `None` when it is English or of no language that is known.

    Of several English words that a word may be, the first is taken of which all is `known`, words of an application
    for instance, else the first.
    """
    if len(text) > _LONGEST:
        return None
    low = _plain(text)
    words = _LETTERS.findall(low)
    tongue = _tongue(words)
    return None if tongue is None else _glossed(text, low, tongue, known)


def _plain(text: str) -> str:
    """The text in lower case without accents, of the same length."""
    low = "".join(_bare(sign) for sign in text)
    return low if len(low) == len(text) else text.lower()


@lru_cache(maxsize=512)
def _bare(sign: str) -> str:
    if sign == "\u00df":
        return "s"  # one sign for one
    base = unicodedata.normalize("NFD", sign.lower())[:1]
    return base or sign


def _tongue(words: list[str]) -> str | None:
    english = sum(word in _TELLING for word in words)
    best, most = None, 0
    for tongue in glosses.TONGUES:
        known = [_known(tongue, word) for word in words]
        content = sum(word.verb or word.other for word in known)
        small = sum(word.little for word in known)
        hits = content + small
        begins = bool(known) and known[0].verb
        sure = small or content > 1 or begins or len(words) <= _FEW
        if content and sure and hits > max(most, english):
            best, most = tongue, hits
    return best


class _Known(NamedTuple):
    """What a word tells of a language: that it is one of its verbs, another word of it, or one of its little words."""

    verb: bool
    other: bool
    little: bool


@lru_cache(maxsize=16_384)
def _known(tongue: str, word: str) -> _Known:
    verbs, others, little = _tables(tongue)
    return _Known(_tells(word, verbs.get(word)), _tells(word, others.get(word)), word in little.exact)


def _tells(word: str, english: str | None) -> bool:
    """Whether a word is known in another language, and no form of the English words."""
    return english is not None and all(_differs(word, each) for each in english.split(OR))


def _differs(word: str, english: str) -> bool:
    """Whether a word is no form of an English one."""
    forms = (
        english + ending
        for ending in ("", "s", "d", "ed", "ing", "er", english[-1] + "ed", english[-1] + "ing")
    )
    return (
        word not in forms
        and word + "s" != english
        and word not in (english[:-1] + "ing", english[:-1] + "ied")
    )


class _Table(NamedTuple):
    exact: dict[str, str]
    stems: dict[str, str]
    longest: int

    def get(self, word: str) -> str | None:
        """What a plain word is in English."""
        found = self.exact.get(word)
        if found is not None:
            return found
        for size in range(min(len(word), self.longest), _SHORT - 1, -1):
            if word[:size] in self.stems:
                return self.stems[word[:size]]
        return None


@cache
def _tables(tongue: str) -> tuple[_Table, _Table, _Table]:
    at = glosses.TONGUES.index(tongue) + 1
    nouns = _table(glosses.NOUNS, at)
    days = {word: english for word, english in _calendar(tongue) if word not in nouns.exact}
    nouns = nouns._replace(exact={**nouns.exact, **days})
    return _table(glosses.VERBS, at), nouns, _table(glosses.LITTLE, at)


def _calendar(tongue: str) -> Iterator[tuple[str, str]]:
    """The months and days of the week with their English names; short forms are left out."""
    own, english = LANGUAGES[_CODES[tongue]], LANGUAGES["en"]
    for rows, names in ((own.months, english.months), (own.weekdays, english.weekdays)):
        for row, name in zip(rows, names, strict=True):
            for word in row.split():
                if len(word) > _SHORT and word not in name.split():
                    yield word, name.split()[0].capitalize()


def _table(rows: str, at: int) -> _Table:
    exact: dict[str, str] = {}
    stems: dict[str, str] = {}
    for row in filter(None, map(str.strip, rows.splitlines())):
        columns = row.split("|")
        for form in columns[at].split() if at < len(columns) else ():
            table = stems if form.endswith("*") else exact
            table.setdefault(form.rstrip("*"), columns[0].strip())
    return _Table(exact, stems, max(map(len, stems), default=0))


@cache
def _apart() -> tuple[tuple[str, str, str], ...]:
    rows = (entry.split() for row in glosses.APART.splitlines() for entry in row.split("|"))
    return tuple((row[0].replace("-", " "), row[1], row[2]) for row in rows if row)


class _Word(NamedTuple):
    low: str
    start: int
    end: int


def _words(low: str) -> list[_Word]:
    found: list[_Word] = []
    for token in _TOKEN.finditer(low):
        start = token.start()
        elided = _ELIDED.match(token[0])
        if elided is not None and elided.end() < len(token[0]) and token[0] != "aujourd'hui":
            found.append(_Word(token[0][: elided.end() - 1], start, start + elided.end()))
            start += elided.end()
        found.append(_Word(low[start : token.end()], start, token.end()))
    return found


def _glossed(text: str, low: str, tongue: str, known: frozenset[str]) -> Gloss:
    verbs, others, little = _tables(tongue)
    words = _words(low)
    parted = _parted(words) if tongue == "german" else {}
    pieces: list[str] = []
    places: list[tuple[int, int, int, int]] = []
    asking: set[str] = set()
    at = 0
    for index, word in enumerate(words):
        english = parted.get(index)
        if english is None:
            verb = verbs.get(word.low) if index not in parted else None
            english = little.exact.get(word.low) or _chosen(verb, _noun(word.low, others, tongue), index)
            if verb is not None and english == verb:
                asking.add(text[word.start : word.end].lower())
        elif english:
            asking.add(text[word.start : word.end].lower())
        english = None if english is None else _meant(english, known)
        said = text[word.start : word.end] if english is None else english
        if not said:
            continue
        apart = english or low[word.start - 1 : word.start] in (" ", "'", "\u2019", "\n", "\t")
        blank = " " if pieces and apart else ""
        at += len(blank)
        pieces.append(blank + said)
        places.append((at, at + len(said), word.start, word.end))
        at += len(said)
    return Gloss("".join(pieces), tuple(places), frozenset(asking), tongue)


def _meant(english: str, known: frozenset[str]) -> str:
    """The English word that is meant of several."""
    ways = english.split(OR)
    return next((each for each in ways if known.issuperset(each.split())), ways[0])


def _chosen(verb: str | None, other: str | None, index: int) -> str | None:
    """A word that may be either is a verb where the request begins, and else a noun."""
    if verb is None or other is None:
        return verb or other
    return verb if index == 0 else other


def _parted(words: list[_Word]) -> dict[int, str]:
    """Verbs of two parts by the places of both; the second part is left out."""
    found: dict[int, str] = {}
    for english, first, second in _apart():
        for at, word in enumerate(words):
            if at in found or not word.low.startswith(first):
                continue
            last = next(
                (
                    place
                    for place in range(at + 1, len(words))
                    if words[place].low == second and place not in found and _ends(words, place + 1)
                ),
                None,
            )
            if last is not None:
                found[at] = english
                found[last] = ""
    return found


def _ends(words: list[_Word], place: int) -> bool:
    """Whether a clause ends before this place."""
    return place >= len(words) or words[place].low in _STOP or words[place].low in ("und", "bitte")


def _noun(word: str, nouns: _Table, tongue: str) -> str | None:
    """A noun or the like; of a German one that is made of two the parts tell more than how it begins."""
    parts = _compounded(word, nouns) if tongue == "german" and len(word) > _COMPOUND else None
    return nouns.exact.get(word) or parts or nouns.get(word)


def _compounded(word: str, nouns: _Table) -> str | None:
    """A German noun made of two by its second: "debitkarte" is a debit card."""
    for at in range(_SHORT + 1, len(word) - _SHORT):
        noun = nouns.get(word[at:])
        if noun is not None and not noun[0].isupper() and len(word) - at > _SHORT:
            first = word[:at].removesuffix("s")
            of = nouns.get(first) or first
            return OR.join(f"{one} {two}" for two in noun.split(OR) for one in of.split(OR))
    return None
