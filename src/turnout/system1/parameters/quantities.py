"""Sums of money, measures and plain numbers: "12 dollars 50", "EUR 2.500", "5 feet 6", "a litre and a half"."""

from decimal import Decimal
from typing import Final, Literal, NamedTuple

from .languages import ENGLISH, small
from .numbers import number, ordinal
from .text import Words, several
from .units import Unit, cents_of, convert, currency, kind_of_dollar, unit, unit_at

_ONE: Final = several("one un una une uno ein eine einen einem einer")
_ARTICLES: Final = several("a an un una une ein eine einen einem einer")
_JOINING: Final = several("and und et y e")
_HALVES: Final = several("half demi demie medio media mezzo mezza")
_DOLLARS: Final = {
    "c": "CAD",
    "ca": "CAD",
    "a": "AUD",
    "au": "AUD",
    "us": "USD",
    "nz": "NZD",
    "hk": "HKD",
    "s": "SGD",
}
_SIGNS: Final = several("$ \u00a3 \u20ac")
_AFTER: Final = several(
    "for to from on at in of please and or per each a is was now today tomorrow bitte fur an auf pro por pour per"
)
_SMALLER: Final = {
    "ft": Unit("length", "in"),
    "m": Unit("length", "cm"),
    "st": Unit("mass", "lb"),
}
_OCTETS: Final = {"ko": "kb", "mo": "mb", "go": "gb", "to": "tb"}
_BELOW_ZERO: Final = (
    ("below", "zero"),
    ("under", "zero"),
    ("below", "freezing"),
    ("unter", "null"),
    ("bajo", "cero"),
    ("sotto", "zero"),
    ("sotto", "lo", "zero"),
    ("sous", "zero"),
    ("en", "dessous", "de", "zero"),
)


class Money(NamedTuple):
    """An amount in a currency, `""` where only cents were said."""

    amount: Decimal
    currency: str


class Measure(NamedTuple):
    """An amount in a unit."""

    amounts: tuple[Decimal, ...]
    unit: Unit


class Quantity(NamedTuple):
    """A sum, a measure, a number or an ordinal that ends before the word `end`; `bare` needs other words for it."""

    kind: Literal["money", "measure", "number", "ordinal"]
    end: int
    value: Money | Measure | tuple[Decimal, ...]
    bare: bool = False


class Quantities:
    """Reads quantities in the words of one text."""

    __slots__ = ("_code", "_words")

    def __init__(self, words: Words, code: str) -> None:
        self._words = words
        self._code = code

    def read(self, at: int) -> Quantity | None:
        """The longest quantity that begins with a word, or `None`."""
        found = self._read(at)
        if found is None or found.kind not in {"number", "measure"}:
            return found
        for words in _BELOW_ZERO:
            if tuple(self._words.words[found.end : found.end + len(words)]) == words:
                return _negated(found, found.end + len(words))
        return found

    def _read(self, at: int) -> Quantity | None:
        words = self._words
        if words.word(at) in _ARTICLES and not self._is_counted(at - 1):
            one = self._one(at)
            if one is not None:
                return one
        signed = self._signed(at) or self._unit_and_a_half(at)
        if signed is not None:
            return signed
        counted = number(words, at, self._code)
        if counted is None:
            placed = ordinal(words, at, self._code)
            return (
                None if placed is None else Quantity("ordinal", placed[0], (Decimal(placed[1]),), bare=True)
            )
        end, values = counted.end, counted.values
        named = self._currency_after(end)
        if named is not None:
            return self._money(named[0], _whole(values), named[1])
        if words.joined(end) and words.word(end) == "m":
            named = self._currency_after(end + 1)
            if named is not None:
                return self._money(named[0], _whole(values) * 10**6, named[1])
        measured = self._measure(end, values)
        if measured is not None:
            return measured
        if self._runs_on(end):
            return None
        return Quantity("number", end, values, bare=end == at + 1 and words.word(at) in _ONE)

    def _is_said_alone(self, at: int) -> bool:
        """Whether an article before a unit makes it one: "a kilo", not "a m", nor "a ton" for much."""
        word = self._words.word(at)
        return len(word) > 2 and word not in {"ton", "tons"}

    def _is_counted(self, at: int) -> bool:
        """Whether a word ends an amount, so that "a ton" after it is what it is paid for."""
        words = self._words
        word = words.word(at)
        return words.is_number(at) or currency(word) is not None or word in small(self._code)

    def _signed(self, at: int) -> Quantity | None:
        """`$5`, `EUR 2.500`, `C$15`."""
        words = self._words
        if words.word(at) in _DOLLARS and words.word(at + 1) == "$" and words.joined(at + 1):
            sign: str | None = _DOLLARS[words.word(at)]
            at += 1
        else:
            sign = currency(words.word(at))
        if sign is None or _is_word_of_weight(words.word(at)):
            return None
        counted = number(words, at + 1, self._code)
        if counted is None or counted.spelled:
            return None
        end, amount = self._millions(counted.end, _whole(counted.values))
        return self._money(end, amount, sign, sign=words.word(at))

    def _one(self, at: int) -> Quantity | None:
        """`a litre and a half`, `a dollar fifty`: an article before a unit is one of it."""
        named = self._currency_after(at + 1)
        if named is not None:
            alone = named[0] == at + 2 and not _is_word_of_weight(self._words.word(at + 1))
            if (alone and len(self._words.word(at + 1)) > 3) or self._cents(named[0], named[1]) is not None:
                return self._money(named[0], Decimal(1), named[1])
        found = self._unit(at + 1)
        if found is None or (self._and_a_half(found[0]) is None and not self._is_said_alone(at + 1)):
            return None
        return self._measure(at + 1, (Decimal(1),))

    def _unit_and_a_half(self, at: int) -> Quantity | None:
        """`kilo y medio`: a unit without an article, and half of it more."""
        if len(self._words.word(at)) < 3 or unit(self._words.word(at)) is None:
            return None
        found = self._unit(at)
        if found is None or self._and_a_half(found[0]) is None:
            return None
        return self._measure(at, (Decimal(1),))

    def _runs_on(self, end: int) -> bool:
        """Whether letters adjoin the number, so that it is part of a reference."""
        words = self._words
        return (
            words.joined(end)
            and words.word(end).isalpha()
            and words.is_number(end - 1)
            and words.word(end) not in {"x", "m"}
        )

    def _millions(self, end: int, value: Decimal) -> tuple[int, Decimal]:
        if self._words.word(end) == "m" and self._words.joined(end):
            return end + 1, value * 10**6
        return end, value

    def _currency_after(self, at: int) -> tuple[int, str] | None:
        words = self._words
        word = words.word(at)
        adjective = kind_of_dollar(word)
        if adjective is not None and currency(words.word(at + 1)) is not None:
            return at + 2, adjective
        if word == "hong" and words.word(at + 1) == "kong":
            return at + 3, "HKD"
        if word in {",."} and words.word(at + 1) == "-" and words.joined(at) and currency(words.word(at + 2)):
            return at + 3, currency(words.word(at + 2)) or ""
        code = currency(word)
        if code is not None:
            end = at + 2 if words.word(at + 1) == "sterling" else at + 1
            return end, code
        if cents_of(word) is not None and (word != "p" or words.joined(at)):
            return at + 1, "c" + (cents_of(word) or "")
        return None

    def _money(self, end: int, amount: Decimal, code: str, sign: str = "") -> Quantity:
        words = self._words
        if code.startswith("c") and len(code) in {1, 4}:
            return Quantity("money", end, Money(amount / 100, code[1:]))
        cents = self._cents(end, code) if amount == int(amount) and not sign else None
        if cents is not None:
            return Quantity("money", cents[0], Money(amount + cents[1] / 100, code))
        named = currency(words.word(end)) if words.word(end).isalpha() and len(words.word(end)) == 3 else None
        if named is not None and sign in _SIGNS:
            return Quantity("money", end + 1, Money(amount, named))
        return Quantity("money", end, Money(amount, code))

    def _cents(self, at: int, code: str) -> tuple[int, Decimal] | None:
        """The cents after a sum: `and 50 cents`, or a number of two digits alone, `12 dollars 50`."""
        words = self._words
        after = words.skip(at, _JOINING)
        more = number(words, after, self._code) if after - at < 2 else None
        if more is None or len(more.values) != 1 or more.values[0] not in range(1, 100):
            return None
        named = cents_of(words.word(more.end))
        if named is not None and (not named or named == code):
            return more.end + 1, more.values[0]
        two_digits = more.values[0] >= 10 or words.word(after).startswith("0")
        following = words.word(more.end)
        ends = not following.isalnum() or following in _AFTER
        is_more = self._unit(more.end) or following in {":", "%", "/", "-"}
        direct = after == at or self._code == "it"
        return (more.end, more.values[0]) if direct and two_digits and ends and not is_more else None

    def _measure(self, end: int, values: tuple[Decimal, ...]) -> Quantity | None:
        found = self._unit(end)
        if found is None:
            return None
        after, measured = found
        half = self._and_a_half(after)
        if half is not None:
            return Quantity(
                "measure", half, Measure(tuple(each + Decimal("0.5") for each in values), measured)
            )
        if measured == Unit("mass", "kg") and (grams := self._grams(after)) is not None:
            more_grams = Decimal(grams[1]) / 1000
            return Quantity(
                "measure", grams[0], Measure(tuple(each + more_grams for each in values), measured)
            )
        joining = frozenset({"and"}) if self._code == ENGLISH else _JOINING
        more = number(self._words, self._words.skip(after, joining), self._code)
        if more is None or len(more.values) != 1 or len(values) != 1:
            return Quantity("measure", after, Measure(values, measured))
        second = self._unit(more.end) or self._smaller(measured, after, more.end, more.values[0])
        if second is not None and second[1].dimension == measured.dimension and second[1] != measured:
            added = convert(more.values[0], second[1], measured, 15)
            if added is not None and added < 1 and measured.dimension != "percent":
                return Quantity("measure", second[0], Measure((values[0] + added,), measured))
        return Quantity("measure", after, Measure(values, measured))

    def _grams(self, at: int) -> tuple[int, int] | None:
        """The grams of `zwei Kilo f\u00fcnfhundert`, whose unit goes without saying."""
        more = number(self._words, at, self._code)
        if (
            self._code == ENGLISH
            or more is None
            or not more.spelled
            or more.values[0] not in range(100, 1000)
        ):
            return None
        return None if self._words.word(more.end).isalnum() else (more.end, int(more.values[0]))

    def _smaller(self, measured: Unit, at: int, end: int, value: Decimal) -> tuple[int, Unit] | None:
        """The inches of `5 feet 6` and the centimetres of `1m80`, whose unit goes without saying."""
        words = self._words
        if measured.name == "m":
            joined = words.joined(at) and words.joined(at - 1) and len(words.word(at)) == 2
            ends = not words.word(end).isalnum() and value in range(10, 100)
            return (end, _SMALLER["m"]) if joined or ends else None
        following = words.word(end)
        if measured.name == "st" and value in range(14):
            return (end, _SMALLER["st"]) if not following.isalnum() or following in _AFTER else None
        if measured.name != "ft" or value != int(value) or not 0 <= value < 12:
            return None
        if following == '"' or (following == "in" and not words.word(end + 1).isalnum()):
            return end + 1, _SMALLER["ft"]
        return (end, _SMALLER["ft"]) if not following.isalnum() or following in _AFTER else None

    def _and_a_half(self, at: int) -> int | None:
        """Where the half ends that is added to a unit: `and a half`, `et demi`, `y medio`."""
        words = self._words
        if words.word(at) not in _JOINING:
            return None
        after = words.skip(at + 1, _ARTICLES)
        if words.word(after) not in _HALVES or unit(words.word(words.skip(after + 1, _ARTICLES))):
            return None
        return after + 1

    def _unit(self, at: int) -> tuple[int, Unit] | None:
        words = self._words
        after = at + 1 if words.word(at) == "-" and words.joined(at) and words.joined(at + 1) else at
        if words.word(after) == "of" and words.word(after + 1) in _ARTICLES:
            after += 2
        word = words.word(after)
        if word == "\u00b0":
            return self._degrees(after)
        if word in {"per", "pour", "por"} and words.word(after + 1) in {"cent", "ciento", "cento"}:
            return after + 2, Unit("percent", "%")
        if (
            word == "'"
            and words.joined(after)
            and words.is_number(after + 1)
            and words.word(after + 2) == '"'
        ):
            return after + 1, Unit("length", "ft")
        if (
            word == '"'
            and words.joined(after)
            and words.is_number(after - 1)
            and words.word(after - 2) != '"'
        ):
            return after + 1, Unit("length", "in")
        if word in _OCTETS and words.is_number(after - 1) and words.said(after, after + 1).istitle():
            return after + 1, Unit("data", _OCTETS[word])
        named = unit_at(words.words, after)
        if named is None:
            return None
        if words.word(named[0] - 1) in {"2", "3"} and not words.joined(named[0] - 1):
            named = after + 1, unit(word) or named[1]
        return named if named[0] > after + 1 else self._one_word(after, word, named[1])

    def _one_word(self, at: int, word: str, found: Unit) -> tuple[int, Unit] | None:
        """A unit of one word, which may be a letter that means something else."""
        words = self._words
        if len(word) == 1 and word not in {"%"} and not self._may_be_short_unit(at, word):
            return None
        if found.name == "deg":
            scale = unit(words.word(at + 1))
            if scale is not None and scale.dimension == "temperature":
                return at + 2, scale
        if word in {"c", "f"}:
            meant = words.joined(at) or words.text[words.starts[at]].isupper()
            return (at + 1, found) if meant else None
        return at + 1, found

    def _degrees(self, at: int) -> tuple[int, Unit]:
        scale = self._words.word(at + 1)
        named = unit(scale) if scale in {"c", "f", "celsius", "fahrenheit"} else None
        return (at + 2, named) if named else (at + 1, Unit("temperature", "deg"))

    def _may_be_short_unit(self, at: int, word: str) -> bool:
        """Whether a single letter after a number is its unit and not a word ("5 m", not "5 t-shirts")."""
        words = self._words
        if words.word(at + 1) in {"-", "'"} and words.joined(at + 1):
            return False
        if word in {"s", "h"} and not words.word(at + 1).isalnum():
            return True
        return words.joined(at) or word in {"g", "l", "m", "t", "w", "c", "f"}


def _negated(found: Quantity, end: int) -> Quantity:
    value = found.value
    if isinstance(value, Measure):
        return found._replace(
            end=end, value=value._replace(amounts=tuple(-abs(each) for each in value.amounts))
        )
    return (
        found
        if isinstance(value, Money)
        else found._replace(end=end, value=tuple(-abs(each) for each in value))
    )


def shared(values: tuple[Decimal, ...], like: object) -> Quantity | None:
    """A number of a range in what its other end is counted in: the 2 of `2 to 3 kg`."""
    if isinstance(like, Money):
        return Quantity("money", 0, Money(_whole(values), like.currency))
    return Quantity("measure", 0, Measure(values, like.unit)) if isinstance(like, Measure) else None


def _whole(values: tuple[Decimal, ...]) -> Decimal:
    """Of a sum that may have three decimals or thousands, the thousands: money has two decimals."""
    return max(values)


def _is_word_of_weight(word: str) -> bool:
    return word in {"pound", "pounds", "won", "rand", "lira", "try", "franc", "francs"}
