"""Values of an enumeration in a text: by name, synonym, part of the name, or nearly spelled."""

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

import msgspec

from .answers import is_agreed
from .choice_names import is_coded, names_of
from .languages import months, weekdays
from .mentions import Mentions
from .numbers import number, ordinal
from .option import Option
from .places import place
from .quantities import Money
from .slips import distance
from .slots import Slot, choices_of, name_words, stem
from .text import Words, several
from .units import currency

_EMPTY: Final = several("the a an of and for in to & at on ltd inc gmbh co dr mr mrs ms llc sa ag")
_COMMON: Final = several(
    "new my first last no all any please get set with from not high low day week month one two show open close start"
    " end make can could would what which some more their there them then than that this they these other"
)
_PLACES: Final = several("first second third fourth fifth sixth seventh eighth ninth tenth last")
_ENDS: Final = several(". ! ? : ;")
_UNSURE: Final = 0.7
_SHORTEST: Final = 5
_EVERYTHING: Final = re.compile(
    r"(?:all|all of (?:them|those)|every one of them|alle|tous|toutes|todos|todas|tutti|tutte)"
    r"(?:,? please|,? bitte)?[.!]?",
    re.I,
)
_TWICE: Final = several("twice thrice times time")
_YES_NAMES: Final = several("yes on y enabled ja oui si")
_NO_NAMES: Final = several("no off n disabled nein non")
_MOST_DESCRIBING: Final = 3
_LONGEST: Final = 16  # words of a name with others between them
_DESCRIBED: Final = r"['\"`]?\s*(?::|=|\bmeans\b|\bfor\b|\()\s*([^,;.)]+)"


# Words of every day, which alone don't stand for a longer name: "my family" asks for no "family counsellor".
_EVERYDAY: Final = several(
    "very more most less least good better best great big little long short old young right left same different early"
    " late free full whole half real sure able place time way thing things people person man woman child children kids"
    " family friend friends house home work job life world school city town state country area part side head hand"
    " water food money bank phone number name word line top bottom front back center centre middle game team group"
    " company service services business office store shop market street road car bus train air land sea sun year today"
    " tomorrow morning afternoon evening night general public local special main every each look take give find use"
    " help try call ask tell say go come nice fine well here now then once again only just also still too"
)
# Choices that read like these words are meant only as they are spelled: "IT" is not "it".
_PRONOUNS: Final = several(
    "it us me he she we they them i you or on in at to no so do be is as an if up go my who what and for all any may"
    " can will not off out"
)

_TOWARDS: Final = several("to in from at ,")
_PERSONS: Final = several("it us me he she we they them i you")
_LED: Final = several("the a an my your his her our their this that these those it me us them ?") | frozenset(
    weekdays("en")
)
_COMING: Final = several("come came hold carry move go hang get fell fall")
_SWITCHING: Final = several("turn turned switch switched set put leave keep")


class _Choice(NamedTuple):
    """A choice: its names in plain words, the words of its first name, its initials, and how it is spelled.

    `coded` ones are short codes, which are words as well; `single` are the names of one word.
    """

    value: Any
    names: tuple[tuple[str, ...], ...]
    parts: frozenset[str]
    initials: str
    spelled: str
    coded: bool = False
    single: tuple[str, ...] = ()


def choice_options(slot: Slot, mentions: Mentions) -> list[Option]:
    """The places that name a choice of the slot; where a name fits several choices, all of them."""
    key = msgspec.json.encode(
        [choices_of(slot.schema), slot.schema.get("x-synonyms"), slot.schema.get("oneOf")]
    )
    choices = _choices(key, str(slot.schema.get("description") or ""))
    words = mentions.words
    found: list[Option] = []
    at = 0
    while at < len(words):
        option = (
            _exact(choices, words, at, slot.cues)
            or _partial(choices, words, at, slot.cues)
            or _near(choices, words, at)
        )
        if option is None:
            at += 1
        else:
            found.append(option)
            at = option.end
    found = _by_currency(slot, mentions, found)
    if slot.many and not found and _EVERYTHING.fullmatch(words.text.strip()):
        return [Option(0, len(words), (each,), 0.9, shared=True) for each in choices_of(slot.schema)]
    return found or (_answered(slot, choices, words) if slot.required else [])


def _answered(slot: Slot, choices: tuple[_Choice, ...], words: Words) -> list[Option]:
    """A yes or a no to a parameter that has these among its choices."""
    agreed = is_agreed(words.text) if slot.required and len(words) else None
    named = _YES_NAMES if agreed else _NO_NAMES
    said = [each.value for each in choices if each.spelled.lower() in named]
    return [Option(0, len(words), (said[0],), 0.85)] if agreed is not None and len(said) == 1 else []


@lru_cache(maxsize=256)
def _choices(key: bytes, description: str) -> tuple[_Choice, ...]:
    values, synonyms, titled = msgspec.json.decode(key)
    spelled = tuple(str(each) for each in values)
    return tuple(
        _choice(value, at, synonyms, titled, description, spelled) for at, value in enumerate(values)
    )


def _choice(
    value: Any, at: int, synonyms: Any, titled: Any, description: str, spelled: tuple[str, ...]
) -> _Choice:
    text = str(value)
    names = [text]
    if isinstance(synonyms, dict):
        names += cast("dict[str, list[str]]", synonyms).get(text, [])
    elif isinstance(synonyms, list) and at < len(cast("list[Any]", synonyms)):
        own = cast("list[Any]", synonyms)[at]
        names += [own] if isinstance(own, str) else own
    if isinstance(titled, list):
        entry = cast("list[dict[str, Any]]", titled)[at] if at < len(cast("list[Any]", titled)) else {}
        names += [entry["title"]] if isinstance(entry.get("title"), str) else []
        names += _described_by(entry.get("description"))
    described = re.search(rf"(?<![\w-])['\"`]?{re.escape(text)}{_DESCRIBED}", description)
    if described is not None and len(described[1].split()) <= 3:
        names.append(described[1].strip())
    for table in (weekdays("en"), months("en")):
        number_of_name = table.get(text.lower())
        names += [each for each, which in table.items() if which == number_of_name]
    names += names_of(text, spelled)
    parsed = tuple(tuple(_tokens(each)) for each in names)
    if len(parsed[0]) > 1 and text.isalpha():
        # `GitHub` is one word to most, and "you track" is no `YouTrack`.
        parsed = (*(each for each in parsed if each[0] not in _PERSONS), (text.lower(),))
    coded = is_coded(spelled)
    parts = frozenset(
        word
        for word in (() if coded else parsed[0])
        if word not in _EMPTY | _PRONOUNS and (len(word) > 1 or word.isdigit())
    )
    capitals = "".join(each[0] for each in text.split() if each[0].isupper())
    return _Choice(
        value,
        parsed,
        parts,
        capitals.lower() if len(capitals) > 1 else "",
        text,
        coded,
        tuple(name[0] for name in parsed if len(name) == 1),
    )


def _described_by(description: Any) -> list[str]:
    """The phrases of a choice's own description, as it may be called by them: "cheapest, up to a week"."""
    phrases = re.split(r"[,;.()]", description) if isinstance(description, str) else []
    stripped = (re.sub(r"^(?:the|a|an|for|with) ", "", each.strip().lower()) for each in phrases)
    return [
        each for each in stripped if each and len(each.split()) <= _MOST_DESCRIBING and each not in _COMMON
    ]


def _tokens(name: str) -> list[str]:
    tokens = [each for each in Words(name).words if each not in {"-", "_", ".", ",", "/", "'"}]
    if (
        len(tokens) == 1
        and name.isalpha()
        and not name.isupper()
        and not name.islower()
        and not name.istitle()
    ):
        return name_words(name)
    return ["and" if each == "&" else each for each in tokens]


def _skip(words: Words, at: int) -> int:
    return words.skip(at, frozenset({"-", "_", ".", "/", "'"}))


def _run(words: Words, at: int, name: tuple[str, ...]) -> int:
    """Where a name that begins with a word ends, 0 where it does not stand there."""
    whole = _run_together(words, at, name)
    if whole:
        return whole
    for index, want in enumerate(name):
        at = at if index == 0 else _skip(words, at)
        have = "and" if words.word(at) == "&" else words.word(at)
        halved = words.word(at + 2) if words.word(at + 1) == "-" and words.joined(at + 1) else ""
        if halved and have + halved == want:
            at += 3
            continue
        if have == want or (index == len(name) - 1 and len(want) > 2 and have in {want + "s", want + "es"}):
            at += 1
            continue
        placed = ordinal(words, at)
        if placed is not None and _place_of(want) == (1, placed[1]):
            at = placed[0]
            continue
        if want.isdigit():
            spelled = number(words, at)
            if spelled is not None and spelled.spelled and str(spelled.values[0]) == want:
                at = spelled.end
                continue
        return 0
    return at


@lru_cache(maxsize=4096)
def _place_of(word: str) -> tuple[int, int] | None:
    return ordinal(Words(word), 0)


def _may_begin(words: Words, at: int, name: tuple[str, ...], counted: bool) -> bool:
    """Whether a name can stand at a word at all: `_run` matches pieces of one, or numbers where one is `counted`."""
    have = "and" if words.words[at] == "&" else words.words[at]
    return counted or name[0].startswith(have) or have.startswith(name[0])


def _run_together(words: Words, at: int, name: tuple[str, ...]) -> int:
    """Where a name ends that is written as two words for one, or as one for several: "pay pal", "creditcard"."""
    one, other = words.word(at), words.word(at + 1)
    if len(name) == 1:
        parted = len(name[0]) > _SHORTEST and one.isalpha() and other.isalpha() and one not in _PERSONS
        return at + 2 if parted and one + other == name[0] else 0
    joined = len(one) > _SHORTEST and one.isalpha() and one.startswith(name[0]) and one == "".join(name)
    return at + 1 if joined else 0


def _exact(choices: tuple[_Choice, ...], words: Words, at: int, cues: frozenset[str]) -> Option | None:
    best, values = 0, list[Any]()
    counted = ordinal(words, at) is not None or number(words, at) is not None
    for choice in choices:
        ends = [
            _run(words, at, name) for name in choice.names if name and _may_begin(words, at, name, counted)
        ]
        end = max(ends, default=0)
        if end == at + 1 and words.word(at) in _PRONOUNS and not _is_spelled(choice, words, at):
            continue
        if (
            end == at + 1
            and choice.coded
            and len(words) > 1
            and len(choice.spelled) == len(words.word(at)) == 2
        ):
            end = end if words.said(at, end).isupper() else 0
        if not end and choice.initials and words.said(at, at + 1) == choice.initials.upper():
            end = at + 1
        if words.word(at - 1) in _TWICE and words.word(at) in {"a", "per"}:
            continue
        if end > best:
            best, values = end, [choice.value]
        elif end == best and end:
            values.append(choice.value)
    if not best or _is_in_code(words, at, best):
        return None
    return Option(at, best, tuple(values), _UNSURE if _is_in_name(words, at, best, cues) else 0.97)


def _is_in_name(words: Words, at: int, end: int, cues: frozenset[str]) -> bool:
    """Whether one word of a choice is part of a longer name, or a verb: "Harbour Museum" is one, "can I park" parks."""
    if end != at + 1 or not words.said(at, end).istitle():
        return end == at + 1 and words.word(at - 1) in _PERSONS - {"it", "us", "me"}
    begins = at < 2 or words.word(at - 2) in _ENDS
    before = at > 0 and not begins and _is_title(words, at - 1, cues)
    return before or (at > 0 and words.word(at - 1) not in _ENDS and _is_title(words, end, cues))


def _is_title(words: Words, at: int, cues: frozenset[str]) -> bool:
    """Whether a word is a name by its capital: no day, no month, no acronym, and not what the parameter is called."""
    word, said = words.word(at), words.said(at, at + 1) if at < len(words) else ""
    calendar = weekdays("en").keys() | months("en").keys()
    if word in cues or stem(word) in cues:
        return False
    return len(said) > 1 and said.istitle() and word not in calendar and word not in _EMPTY


def _is_spelled(choice: _Choice, words: Words, at: int) -> bool:
    """Whether a word that is a pronoun or a preposition too is none there: alone, in capitals, "lamps off"."""
    if len(words) == 1:
        return True
    if not choice.spelled.islower():
        return words.said(at, at + 1) == choice.spelled and not words.text.isupper()
    if words.word(at) in _PERSONS:
        return False
    switched = bool(_SWITCHING & set(words.words[max(0, at - 3) : at]))
    if words.word(at - 1) in _COMING:
        return False
    return switched or not (words.word(at + 1) in _LED or words.is_number(at + 1))


def _is_in_code(words: Words, at: int, end: int) -> bool:
    """Whether it is a piece of an address, a path or a reference."""
    before = words.joined(at) and words.word(at - 1) in {"@", "/", "_", "."}
    after = words.joined(end) and (
        words.word(end) in {"@", "_"} or (words.word(end) == "." and words.joined(end + 1))
    )
    return before or after


def _said_parts(parts: frozenset[str], words: Words, at: int) -> tuple[set[str], int]:
    """The words of names that stand one after another from a word on, and where the last of them ends."""
    said: set[str] = set()
    end = last = at
    while end < min(len(words), at + _LONGEST):
        word = words.word(end)
        if word in parts:
            said.add(word)
            last = end + 1
        elif word.isalpha() and said and (spelled := number(words, end)) is not None and spelled.spelled:
            value = str(spelled.values[0])
            if value not in parts:
                break
            said.add(value)
            last = spelled.end
            end = spelled.end - 1
        elif word not in _EMPTY | {".", "-"} or (not said and word not in {"dr", "mr", "mrs", "ms"}):
            break
        end += 1
    return said, last


def _is_telling(said: set[str], words: Words, at: int, cues: frozenset[str]) -> bool:
    """Whether words of a name tell it: not a number, a place in a row, a word of every day or what all are called."""
    if all(each.isdigit() or stem(each) in cues or each in _PLACES for each in said):
        return False
    if len(said) > 1:
        return True
    if said & _COMMON or (said & _EVERYDAY and len(words) > 3 and words.text[words.starts[at]].islower()):
        return False
    return not (words.word(at - 1) == "," and at > 1 and words.text[words.starts[at - 2]].isupper())


def _partial(choices: tuple[_Choice, ...], words: Words, at: int, cues: frozenset[str]) -> Option | None:
    """Some of the words of a name: `Brightwater` for `Brightwater Ltd`, `room 2` for `meeting room 2`."""
    said, last = _said_parts(_parts(choices), words, at)
    if not _is_telling(said, words, at, cues) or _is_in_code(words, at, last):
        return None
    fitting = [choice for choice in choices if said <= choice.parts]
    if not fitting:
        most = max(len(said & choice.parts) for choice in choices)
        fitting = [choice for choice in choices if len(said & choice.parts) == most]
        if len(fitting) == 1 and most < len(said):
            return None
    if _is_destination(said, fitting, words, at, cues):
        return None
    confidence = 0.9 if len(fitting) > 1 or not _is_lone_plain_word(said, words, at) else 0.85
    return Option(at, last, tuple(each.value for each in fitting), confidence)


def _is_destination(
    said: set[str], fitting: list[_Choice], words: Words, at: int, cues: frozenset[str]
) -> bool:
    """Whether a part of a name is a place that is spoken of itself: "going to France" names no Air France."""
    if words.word(at - 1) not in _TOWARDS or place(words, at) is None:
        return False
    return not any(stem(part) in cues for choice in fitting for part in choice.parts - said)


@lru_cache(maxsize=256)
def _parts(choices: tuple[_Choice, ...]) -> frozenset[str]:
    """The words of all names."""
    return frozenset(part for choice in choices for part in choice.parts)


def _is_lone_plain_word(said: set[str], words: Words, at: int) -> bool:
    return len(said) == 1 and words.text[words.starts[at]].islower()


def _near(choices: tuple[_Choice, ...], words: Words, at: int) -> Option | None:
    """A word that is nearly a choice (`prodution`, `urgnet`) or begins it (`prod`)."""
    word = words.word(at)
    if len(word) < 4 or not word.isalpha() or word in _COMMON or _is_in_code(words, at, at + 1):
        return None
    begun, near = list[Any](), list[Any]()
    for choice in choices:
        single = choice.single
        if any(name.startswith(word) and len(name) > len(word) + 1 for name in single):
            begun.append(choice.value)
        elif word not in choice.parts and any(_is_near(word, name) for name in (*single, *choice.parts)):
            near.append(choice.value)
    values = begun or near
    return Option(at, at + 1, tuple(values), 0.85) if values else None


def _is_near(word: str, name: str) -> bool:
    """Whether two words differ by one slip of the pen, two in words of nine letters or more."""
    if len(name) < 5 or not name.isalpha() or abs(len(word) - len(name)) > 2 or word[0] != name[0]:
        return False
    return distance(word, name) <= (2 if len(name) >= 9 else 1)


def _by_currency(slot: Slot, mentions: Mentions, found: list[Option]) -> list[Option]:
    """Currencies among the choices are also named by signs and words, beside an amount or alone."""
    codes = {
        code: each
        for each in choices_of(slot.schema)
        if (code := str(each)).upper() == code and currency(code.lower())
    }
    if not codes or len(codes) < len(choices_of(slot.schema)):
        return found
    made: list[Option] = []
    for mention in mentions.found:
        if isinstance(mention.value, Money) and mention.value.currency:
            value = codes.get(mention.value.currency)
            wrong = value is None
            said = mention.value.currency if wrong else value
            made.append(Option(mention.first, mention.end, (said,), 0.97, shared=True, wrong=wrong))
    if made and not slot.role:
        return made
    amounts = {
        at for each in mentions.found if isinstance(each.value, Money) for at in range(each.first, each.end)
    }
    for at, word in enumerate(mentions.words.words):
        code = currency(word)
        if (
            at not in amounts
            and code in codes
            and (len(word) > 3 or word.upper() in codes or not word.isalpha())
        ):
            made.append(Option(at, at + 1, (codes[code],), 0.95))
    return made or found
