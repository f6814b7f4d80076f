"""Numbers in digits and in words: where one begins, where it ends, and what it may mean."""

import re
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final, NamedTuple

from .languages import ENGLISH, small, tens
from .text import Words, several
from .units import currency

_MARKS: Final = frozenset(".,'")
_MOST: Final = 10**15
_MOST_GROUPS: Final = 8
_MOST_WORDS: Final = 24
_TIMES: Final = {
    "en": {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "millions": 10**6, "billion": 10**9}
    | {"dozen": 12, "grand": 10**3, "mio": 10**6, "bn": 10**9, "tsd": 10**3, "mrd": 10**9},
    "de": {"hundert": 10**2, "tausend": 10**3, "millionen": 10**6, "milliarde": 10**9, "milliarden": 10**9}
    | {"dutzend": 12},
    "fr": {
        "cent": 10**2,
        "cents": 10**2,
        "mille": 10**3,
        "millions": 10**6,
        "milliard": 10**9,
        "douzaine": 12,
    },
    "es": {"cien": 10**2, "ciento": 10**2, "mil": 10**3, "millon": 10**6, "millones": 10**6, "docena": 12}
    | {"doscientos": 200, "trescientos": 300, "cuatrocientos": 400, "quinientos": 500, "seiscientos": 600}
    | {"setecientos": 700, "ochocientos": 800, "novecientos": 900},
    "it": {"cento": 10**2, "mille": 10**3, "mila": 10**3, "milione": 10**6, "milioni": 10**6, "dozzina": 12},
}
_ARTICLES: Final = {"en": "a an", "de": "ein eine einen", "fr": "un une", "es": "un una", "it": "un una"}
_SHARES: Final = {"half": "0.5", "quarter": "0.25"}
_SIGNS: Final = {"\u00bd": Decimal("0.5"), "\u00bc": Decimal("0.25"), "\u00be": Decimal("0.75")}
_NOUGHT: Final = several("nil nought naught")
_POINTS: Final = several("point komma virgule virgola coma")
_MINUS: Final = {"fr": "moins", "es": "menos", "it": "meno"}
_VAGUE: Final = several(
    "couple few several many some paar einige quelques plusieurs unos unas varios alcuni alcune vari"
)
_HALVES: Final = several("half halb halbe halben halbes demi demie medio media mezzo mezza mezz")
_SHARE_OF: Final = {
    **dict.fromkeys(("half", "demi", "demie", "media", "medio", "mezza", "mezzo"), Decimal("0.5")),
    **dict.fromkeys(("quarter", "quart", "cuarto", "quarto"), Decimal("0.25")),
}
_JOINERS: Final = {"en": "and", "de": "und", "fr": "et", "es": "y", "it": "e"}
_WHOLES: Final = {
    "anderthalb": Decimal("1.5"),
    "eineinhalb": Decimal("1.5"),
    "zweieinhalb": Decimal("2.5"),
} | {
    f"{word}einhalb": value + Decimal("0.5")
    for value, word in enumerate(["drei", "vier", "funf", "sechs", "sieben", "acht", "neun", "zehn"], 3)
}


class Number(NamedTuple):
    """A number that ends before the word `end`; `values` holds more than one where it may mean several things."""

    end: int
    values: tuple[Decimal, ...]
    spelled: bool = False


def number(words: Words, at: int, code: str = ENGLISH) -> Number | None:
    """The number that begins with a word, the longest one, or `None`; none is beyond a thousand billions."""
    key = ("number", at, code)
    if key in words.known:
        return words.known[key]
    found = _read(words, at, code)
    if found is not None and any(abs(each) > _MOST for each in found.values):
        found = None
    words.known[key] = found
    return found


def _read(words: Words, at: int, code: str) -> Number | None:
    word = words.word(at)
    if word in {"minus", "negative", "-"} or (word == _MINUS.get(code) and not _is_said_of(words, at, code)):
        return _negative(words, at, code)
    if words.word(at - 1) in _VAGUE and word in _times(code):
        # "A few hundred" is no number.
        return None
    if words.is_number(at):
        found = _digits(words, at, code)
        return None if found is None else _scaled(words, _halved(words, found, code), code)
    if word in _SIGNS:
        return Number(at + 1, (_SIGNS[word],))
    if word == "." and not words.joined(at) and words.joined(at + 1) and words.is_number(at + 1):
        return Number(at + 2, (Decimal("0." + words.word(at + 1)),))
    found = _spelled(words, at, code)
    return None if found is None else _scaled(words, _halved(words, found, code), code)


def _is_said_of(words: Words, at: int, code: str) -> bool:
    """Whether a "minus" takes something off what stands before it, as in "neuf heures moins cinq"."""
    before = words.word(at - 1)
    return before in {"heures", "heure", "horas", "ore", "h", "al", "au", "lo", "y", "et"} or (
        before.isdigit() or before in small(code) or before in tens(code)
    )


def _negative(words: Words, at: int, code: str) -> Number | None:
    if words.word(at) == "-" and (not words.joined(at + 1) or words.joined(at)):
        return None
    if words.word(at + 1) in {"minus", "negative", "-"}:
        return None
    found = number(words, at + 1, code)
    return None if found is None else Number(found.end, tuple(-each for each in found.values), found.spelled)


def _digits(words: Words, at: int, code: str) -> Number | None:
    end = at + 1
    pieces = [words.word(at)]
    marks: list[str] = []
    while (
        words.word(end) in _MARKS
        and words.joined(end)
        and words.joined(end + 1)
        and words.is_number(end + 1)
        and (words.word(end) != "'" or len(words.word(end + 1)) == 3)
        and len(marks) < _MOST_GROUPS
    ):
        marks.append(words.word(end))
        pieces.append(words.word(end + 1))
        end += 2
    if not marks:
        end = _blank_groups(words, at, pieces, code)
        values = (Decimal("".join(pieces)),)
        if len(pieces) > 1:
            return _with_decimals(words, end, values)
        if (
            words.word(end) == "/"
            and words.joined(end)
            and words.joined(end + 1)
            and words.is_number(end + 1)
        ):
            return _fraction(words, at)
        return Number(end, values)
    values = _separated(pieces, marks, code)
    return Number(end, values) if values else None


def _has_two_groups(words: Words, at: int) -> bool:
    """Whether two groups of three digits follow, or one and decimals, which are one number in any language."""
    if not (words.is_number(at + 1) and len(words.word(at + 1)) == 3):
        return False
    decimals = words.word(at + 2) == "," and words.joined(at + 2) and words.joined(at + 3)
    return (words.is_number(at + 2) and len(words.word(at + 2)) == 3) or (
        decimals and words.is_number(at + 3)
    )


def _is_beside_money(words: Words, at: int) -> bool:
    """Whether a currency stands before a number or after the group of digits that follows it."""
    return currency(words.word(at - 1)) is not None or currency(words.word(at + 2)) is not None


def _with_decimals(words: Words, end: int, values: tuple[Decimal, ...]) -> Number:
    """Digits in groups apart by blanks may have decimals after a comma or a full stop."""
    if (
        words.word(end) in {",", "."}
        and words.joined(end)
        and words.joined(end + 1)
        and words.is_number(end + 1)
    ):
        return Number(end + 2, (values[0] + Decimal("0." + words.word(end + 1)),))
    return Number(end, values)


def _blank_groups(words: Words, at: int, pieces: list[str], code: str) -> int:
    """Takes in groups of three digits apart by blanks where that is usual: not in English with plain blanks."""
    end = at + 1
    while len(pieces[0]) <= 3 and words.is_number(end) and len(words.word(end)) == 3:
        gap = words.text[words.ends[end - 1] : words.starts[end]]
        plain_gap = gap == " " and (
            code != ENGLISH or _has_two_groups(words, at) or _is_beside_money(words, at)
        )
        if gap not in {"\u00a0", "\u2009", "\u202f"} and not plain_gap:
            break
        pieces.append(words.word(end))
        end += 1
    return end


def _fraction(words: Words, at: int) -> Number | None:
    over, under = int(words.word(at)), int(words.word(at + 2))
    if not 0 < over < under <= 16 or words.word(at + 3) == "/":
        return None
    return Number(at + 3, (Decimal(over) / Decimal(under),))


def _separated(pieces: list[str], marks: list[str], code: str) -> tuple[Decimal, ...]:
    """What digits with separators mean: thousands, decimals, or either."""
    last = marks[-1]
    grouped = len(pieces[0]) <= 3 and all(len(each) == 3 for each in pieces[1:]) and pieces[0] != "0"
    if len(marks) > 1:
        if len(set(marks)) == 1:
            return (Decimal("".join(pieces)),) if grouped else ()
        inner = len(pieces[0]) <= 3 and all(len(each) == 3 for each in pieces[1:-1])
        if inner and marks.count(last) == 1 and len(set(marks[:-1])) == 1:
            return (Decimal("".join(pieces[:-1]) + "." + pieces[-1]),)
        return ()
    whole, decimal = Decimal("".join(pieces)), Decimal(".".join(pieces))
    if not grouped:
        return (decimal,) if last != "'" else ()
    thousands = "," if code == ENGLISH else "."
    if last in {thousands, "'"}:
        return (whole,)
    return (decimal, whole)


def _scaled(words: Words, found: Number, code: str) -> Number:
    """`5k`, `2 million`, `3 dozen`."""
    word = words.word(found.end)
    times: int | None = None
    apart = word == "k" and words.word(found.end + 1) in {"eur", "usd", "gbp", "chf", "\u20ac", "$", "\u00a3"}
    if (words.joined(found.end) or apart) and word in {"k", "bn", "m"}:
        # An m that adjoins a number is left alone here: it may be metres or minutes.
        times = {"k": 10**3, "bn": 10**9}.get(word)
    elif word not in {"cent", "cents", "cien", "ciento", "cento"}:
        times = _times(code).get(word)
    if times is None:
        return found
    end = found.end + 1
    if word in {"tsd", "mio", "mrd"} and words.word(end) == "." and words.joined(end):
        end += 1
    scaled = Number(end, tuple(each * times for each in found.values))
    return scaled if scaled.values[0] > _MOST else _scaled(words, scaled, code)


def _halved(words: Words, found: Number, code: str) -> Number:
    """`two and a half`, `2 1/2`, `2\u00bd`, `three quarters`."""
    end = found.end
    if words.word(end) in _SIGNS and words.joined(end):
        return Number(end + 1, tuple(each + _SIGNS[words.word(end)] for each in found.values))
    if words.word(end) == "einhalb":
        return Number(end + 1, tuple(each + Decimal("0.5") for each in found.values), True)
    part = words.skip(end, frozenset({"-"}))
    if words.word(part) in {"quarters", "quarter"} and found.spelled and found.values[0] in {1, 3}:
        return Number(part + 1, (found.values[0] / 4,), True)
    if words.word(part) in {"third", "thirds"} and found.spelled and found.values[0] in {1, 2}:
        return Number(part + 1, (round(found.values[0] / 3, 6),), True)
    if (
        words.is_number(end)
        and words.word(end + 1) == "/"
        and words.joined(end + 1)
        and words.is_number(end + 2)
    ):
        part = _fraction(words, end)
        if part is not None:
            return Number(part.end, tuple(each + part.values[0] for each in found.values))
    if words.word(end) == _JOINERS[code] or words.word(end) == "and":
        return _and_a_share(words, found, code)
    return found


def _and_a_share(words: Words, found: Number, code: str) -> Number:
    """`two and a half`, `one and three quarters`."""
    start = found.end + 1
    after = words.skip(start, _articles(code))
    share = _SHARE_OF.get(words.word(after))
    if share is not None and (share == Decimal("0.5") or after > start):
        return Number(after + 1, tuple(each + share for each in found.values), found.spelled)
    if words.word(start) in {"three", "3"} and words.word(start + 1) in {"quarters", "quarter"}:
        return Number(start + 2, tuple(each + Decimal("0.75") for each in found.values), found.spelled)
    return found


def _spelled(words: Words, at: int, code: str) -> Number | None:
    word = words.word(at)
    if word in _WHOLES:
        return Number(at + 1, (_WHOLES[word],), True)
    if word in _NOUGHT:
        return Number(at + 1, (Decimal(0),), True)
    if word == "point" and words.word(at + 1) in small(code):
        end, value = _decimals(words, at + 1, Decimal(0), code)
        return Number(end, (value,), True) if end > at + 1 else None
    if word in _articles(code) or word in _HALVES:
        return _article(words, at, code)
    run = _Run(code)
    end = at
    while end - at < _MOST_WORDS and run.take(words.word(end)):
        end += 1
        if (words.word(end) == "-" and words.joined(end) and run.fits(words.word(end + 1))) or (
            words.word(end) in run.joiners and run.open and run.fits(words.word(end + 1))
        ):
            end += 1
    if end == at:
        return None
    value = Decimal(run.value)
    if words.word(end) in _POINTS and small(code).get(words.word(end + 1), 10) < 10:
        end, value = _decimals(words, end + 1, value, code)
    return Number(end, (value,), True)


def _decimals(words: Words, at: int, whole: Decimal, code: str) -> tuple[int, Decimal]:
    digits = ""
    while small(code).get(words.word(at), 10) < 10:
        digits += str(small(code)[words.word(at)])
        at += 1
    return at, whole + Decimal(f"0.{digits}")


def _article(words: Words, at: int, code: str) -> Number | None:
    """`a hundred`, `a dozen`, `half a million`, `a couple of`, `a half`, `a quarter of a`; not an article alone."""
    word = words.word(at)
    if word in _HALVES:
        if code in {"en", "de"} and not word.startswith("hal"):
            return None
        end = words.skip(at + 1, _articles(code) | {"-", "'"})
        if end > at + 1 and words.word(end - 1) in {"-", "'"} and not words.joined(end):
            end = at + 1
        times = _times(code).get(words.word(end), 1)
        return Number(end + (times != 1), (Decimal(times) / 2,), True)
    after = words.word(at + 1)
    if after in _times(code):
        found = _spelled(words, at + 1, code)
        return None if found is None else found
    if after in {"couple", "pair"} and words.word(at + 2) in _times(code):
        return None
    if after in {"couple", "pair"}:
        return Number(at + 2, (Decimal(2),), True)
    if after == "single" and code == ENGLISH:
        return Number(at + 2, (Decimal(1),), True)
    if after in {"half", "quarter"}:
        value = Decimal(_SHARES[after])
        return Number(at + 2, (value,), True)
    return Number(at + 1, (Decimal(1),), True) if code != ENGLISH and word in small(code) else None


def spoken_year(words: Words, at: int, code: str = ENGLISH) -> tuple[int, int] | None:
    """Where a year in words ends, and the year: `nineteen ninety-eight`, `twenty twenty-six`, `two thousand five`."""
    first = number(words, at, code)
    if first is None or not first.spelled or first.values[0] != int(first.values[0]):
        return None
    hundreds = int(first.values[0])
    if 1900 <= hundreds < 2200:
        return first.end, hundreds
    rest = number(words, first.end, code) if hundreds in {17, 18, 19, 20, 21} else None
    if rest is None or not rest.spelled or rest.values[0] not in range(10, 100):
        return None
    return rest.end, 100 * hundreds + int(rest.values[0])


class _Run:
    """Number words one after another, and what they come to."""

    __slots__ = ("_code", "_current", "_last", "_total", "joiners")

    def __init__(self, code: str) -> None:
        self._code = code
        self._total = 0
        self._current: int | None = None
        self._last = 0
        self.joiners = {"and", _JOINERS[code]}

    @property
    def value(self) -> int:
        return self._total + (self._current or 0)

    @property
    def open(self) -> bool:
        """Whether an "and" may follow."""
        return self._last >= 100 or (self._code != ENGLISH and 20 <= self._last < 100)

    def fits(self, word: str) -> bool:
        """Whether the word may be the next one."""
        if word in _times(self._code):
            return self._last < 10**3 or _times(self._code)[word] != self._last
        value = _word_value(word, self._code)
        if value is None:
            return False
        if self._code == "fr" and (self._is_four_score(word) or (self._last == 10 and 7 <= value < 10)):
            return True
        if self._last == 0:
            return self._current is None
        if self._last >= 100:
            return value < min(self._last, 1000)
        return self._last >= 20 and self._last % 10 == 0 and value < (20 if self._code == "fr" else 10)

    def _is_four_score(self, word: str) -> bool:
        """Whether a French `vingt` multiplies the four before it."""
        return word in {"vingt", "vingts"} and self._last == 4

    def take(self, word: str) -> bool:
        """Takes the word in where it fits."""
        if not word or not self.fits(word):
            return False
        times = _times(self._code).get(word)
        if self._code == "fr" and self._is_four_score(word):
            self._current = (self._current or 0) + 76
            self._last = 80
        elif times is None:
            value = _word_value(word, self._code) or 0
            self._current = (self._current or 0) + value
            self._last = value if self._last == 0 or self._last >= 100 else self._last + value
        elif times < 10**3 and times != 12 and not (200 <= times < 1000):
            self._current = (self._current or 1) * times
            self._last = times
        elif 200 <= times < 1000:
            self._current = (self._current or 0) + times
            self._last = 100
        else:
            self._total = (self._total if times < 10**6 else 0) + (self._current or 1) * times
            self._current = None
            self._last = times
        return True


def _word_value(word: str, code: str) -> int | None:
    value = small(code).get(word)
    if value is None:
        value = tens(code).get(word)
    if value is None and code in {"de", "it"} and len(word) > 6:
        value = _one_word(word, code)
    return value


_HUNDREDS: Final = {"de": ("tausend", "hundert"), "it": ("mila", "mille", "cento")}


_LONGEST_WORD: Final = 60


@lru_cache(maxsize=4096)
def _one_word(word: str, code: str) -> int | None:
    """Numbers from 100 on that are written as one word, as in German and Italian."""
    if len(word) > _LONGEST_WORD:
        return None
    for mark in _HUNDREDS[code]:
        before, found, after = word.partition(mark)
        if not found:
            continue
        after = after.removeprefix("und") if code == "de" else after
        many = _word_value(before, code) if before else 1
        rest = _word_value(after, code) if after else 0
        if many is None or rest is None:
            return None
        return many * (100 if mark in {"hundert", "cento"} else 1000) + rest
    return None


@cache
def _times(code: str) -> dict[str, int]:
    return _TIMES[ENGLISH] | _TIMES[code]


@cache
def _articles(code: str) -> frozenset[str]:
    return frozenset((_ARTICLES[ENGLISH] + " " + _ARTICLES[code]).split())


_ORDINALS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ORDINAL_ENDS: Final = re.compile(r"(?:st|nd|rd|th|er|eme|e|te|ten|ter|o|a)\Z")


@cache
def _ordinals(code: str) -> dict[str, int]:
    found = {word: at for at, word in enumerate(_ORDINALS.split(), 1)} | {"thirtieth": 30}
    if code == "de":
        for word, value in (small(code) | tens(code)).items():
            stem = {"eins": "ers", "drei": "drit", "sieben": "sieb", "acht": "ach"}.get(word, word)
            for end in ("te", "ten", "ter", "tes") if value < 20 else ("ste", "sten", "ster"):
                found[stem + end] = value
    elif code == "fr":
        found |= {"premier": 1, "premiere": 1, "deuxieme": 2, "troisieme": 3, "quatrieme": 4}
    elif code == "es":
        found |= {"primero": 1, "primer": 1, "primera": 1, "segundo": 2, "tercer": 3, "cuarto": 4}
    elif code == "it":
        found |= {"primo": 1, "prima": 1, "secondo": 2, "terzo": 3, "quarto": 4}
    return found


def ordinal(words: Words, at: int, code: str = ENGLISH) -> tuple[int, int] | None:
    """The ordinal that begins with a word, `(end, value)`: `3rd`, `third`, `twenty-first`, `3.` in German."""
    word = words.word(at)
    if words.is_number(at) and len(word) <= 2:
        after = words.word(at + 1)
        if words.joined(at + 1) and after in {"st", "nd", "rd", "th", "er", "e", "eme", "te", "ten", "o"}:
            return at + 2, int(word)
        if words.joined(at + 1) and after == "." and code == "de":
            return at + 2, int(word)
        return None
    ordinals = _ordinals(code)
    if word in ordinals:
        return at + 1, ordinals[word]
    ten = tens(ENGLISH).get(word)
    if ten is not None:
        after = at + 2 if words.word(at + 1) == "-" else at + 1
        one = ordinals.get(words.word(after), 10)
        if one < 10:
            return after + 1, ten + one
    return None
