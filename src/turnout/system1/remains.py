"""Free text by what is left over: "order 20 packs of Carprofen", "could we get another 8 packs of Metacam".

Strategy: of an action's examples, their values, the words of everyday speech and those that the action says of itself
are taken off. Where one stretch is left in most of them, that is how its free text stands in a request. In a request
the same is taken off, and what the examples say around their own stretches; one stretch that is left over is the
text, and two leave it open.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from turnout.model.languages import LANGUAGES
from turnout.model.utterance.words import word_set

from .calls import Extraction, Schema, named
from .deeds import is_form_of_verb
from .features import folded, stem
from .proper import Name, free_texts
from .verbs import IMPERATIVES

_SHARE: Final = 0.6  # of the examples of an action
_LEAST: Final = 2  # examples
_LONGEST: Final = 4
"""Words; more are rather a sentence than a name for a thing."""
LEFT: Final = 0.7
"""How sure such a text is: of most texts something is left over."""
_TOKEN: Final = re.compile(r"[^\W_]+(?:['\u2019&.-][^\W_]+)*|[^\w\s]|_")
_OF: Final = word_set("of de von van der del di la le du")
_DETERMINERS: Final = word_set("""
    the a an my our your his her their its this that these those some any all both each every another other no new more
    further extra spare additional single""")
_SPOKEN: Final = word_set("""
    a an the i me my mine you your yours he him his she her hers it its we us our ours they them their theirs one
    ones someone somebody anyone anybody everyone everybody nobody who whom whose which what where when why how
    that this these those there here am is are was were be been being isn't aren't wasn't weren't do does did
    don't doesn't didn't doing done have has had haven't hasn't having can could can't cannot couldn't will would
    won't wouldn't shall should shouldn't may might must i'm i'd i'll i've you're you'd you'll you've he's she's
    it's we're we'd we'll we've they're they'd they'll they've that's there's let's who's what's and or but nor so
    yet if unless because since although though while as than then of to in on at by for from with without within
    into onto over under up down out off about above below around across through during before after until till
    between against along among behind beside besides near via per not no never none nothing too also just only
    even still already again once twice soon now today tonight tomorrow yesterday later early earlier late always
    ever really very quite rather almost nearly maybe perhaps possibly probably actually currently instead anyway
    otherwise please pls plz kindly thanks thank thx hi hello hey dear yes yeah ok okay sure sorry great good fine
    nice well asap urgently urgent quickly quick fast possible able like likes want wants wanted need needs needed
    wish wishes ought got get gets getting gone go goes going come comes coming came take takes taken took taking give
    gives gave given giving make makes made making let lets put puts set say says said know knows see seen look
    looks looking think hope seems left lost last next first second third half new old more most much many few
    little less least some any all both each every other another same such own enough time times day days week
    weeks month months year years hour hours minute minutes morning afternoon evening night noon moment bit lot
    way thing things stuff something anything everything people person guy chance favour favor further extra spare
    additional longer back away ahead right straight total pm o'clock mr mrs ms miss dr kg g km m cm l kilo kilos
    kilogram kilograms gram grams litre litres liter liters metre metres euro euros eur dollar dollars usd pound
    pounds gbp cent cents percent piece pieces""")
"""Words of everyday English that by themselves are no name for a thing."""
_CAPITALS: Final = re.compile(r"[A-Z]{2,}")
_GENITIVE: Final = re.compile(r"['\u2019]s?\Z")
_BE: Final = word_set("is are was were isn't aren't wasn't weren't looks seems got gets")


class _Word(NamedTuple):
    """A word of a text, or a sign; `taken` where a value stands."""

    said: str
    start: int
    end: int
    taken: bool

    @property
    def key(self) -> str:
        return stem(folded(self.said.removesuffix("'s").removesuffix("\u2019s")))


class _Shape(NamedTuple):
    """How the free text of an action stands: the parameter, words that never belong to it, whether it is a name."""

    parameter: str
    around: frozenset[str]
    named: bool


class Remains:
    """What the examples of each action show of its free text."""

    __slots__ = ("_shapes",)

    def __init__(self, shapes: Mapping[str, _Shape]) -> None:
        self._shapes = shapes

    @classmethod
    def learn(
        cls,
        examples: Mapping[str, Iterable[str]],
        about: Mapping[str, Iterable[str]],
        schemas: Mapping[str, Schema],
        extract: Callable[[str, Schema, str], Extraction],
    ) -> "Remains":
        """From the examples of actions, what is said about them, and their values as `extract` finds them."""
        shapes: dict[str, _Shape] = {}
        for action, texts in examples.items():
            schema = schemas.get(action, {})
            wanted = free_texts(schema)
            own = tuple(texts)
            if len(wanted) != 1 or len(own) < _LEAST:
                continue
            words = [_words(text, extract(action, schema, text), wanted[0]) for text in own]
            shape = _shape(wanted[0], words, _told(wanted[0], about.get(action, ()), schema))
            if shape is not None:
                shapes[action] = shape
        return cls(shapes)

    def find(self, action_id: str, text: str, found: Extraction) -> tuple[str, Name] | None:
        """The parameter that is missing, and the words that are meant for it; `None` where that isn't clear."""
        shape = self._shapes.get(action_id)
        if shape is None or shape.parameter not in found.missing:
            return None
        words = _words(text, found, shape.parameter)
        runs = list(_runs(words, shape.around))
        if shape.named:
            runs = [part for run in runs for part in _capital(run)] or runs
        if len({text[run[0].start : run[-1].end] for run in runs}) != 1 or len(runs[0]) > _LONGEST:
            return None
        run = runs[0]
        said = _GENITIVE.sub("", text[run[0].start : run[-1].end])
        return shape.parameter, Name(said, run[0].start, run[0].start + len(said))


def _shape(parameter: str, texts: Sequence[Sequence[_Word]], told: frozenset[str]) -> _Shape | None:
    """What examples show together, `None` where most of them have not one stretch left."""
    counted: dict[str, int] = {}
    for words in texts:
        for key in {word.key for word in words}:
            counted[key] = counted.get(key, 0) + 1
    shared = {key for key, count in counted.items() if count > 1}
    around = told | shared
    left = [
        runs for words in texts if len(runs := list(_runs(words, around))) == 1 and len(runs[0]) <= _LONGEST
    ]
    if len(left) < max(_LEAST, _SHARE * len(texts)):
        return None
    own = {word.key for (run,) in left for word in run}
    around |= {word.key for words in texts for word in words} - own
    names = sum(all(word.said[:1].isupper() for word in run) for (run,) in left)
    return _Shape(parameter, around, names >= _SHARE * len(left))


def _told(parameter: str, about: Iterable[str], schema: Schema) -> frozenset[str]:
    """The words that an action says of itself and of its parameters."""
    texts = [*about, parameter.replace("_", " "), *(name.replace("_", " ") for name in named(schema))]
    texts += [str(wants.get("description", "")) for wants in named(schema).values()]
    return frozenset(stem(folded(word[0])) for text in texts for word in _TOKEN.finditer(text))


def _words(text: str, found: Extraction, parameter: str) -> list[_Word]:
    taken = [(each.start, each.end) for name, each in found.values.items() if name != parameter]
    return [
        _Word(word[0], *word.span(), any(start < word.end() and word.start() < end for start, end in taken))
        for word in _TOKEN.finditer(text)
    ]


def _runs(words: Sequence[_Word], around: frozenset[str]) -> Iterator[tuple[_Word, ...]]:
    """The stretches of words that neither everyday speech nor the action itself explains."""
    run: list[_Word] = []
    for at, word in enumerate(words):
        if _is_left(words, at, run, around):
            run.append(word)
            continue
        if run and _joins(words, at):
            run.append(word)
            continue
        if run:
            yield tuple(run)
        run = []
    if run:
        yield tuple(run)


def _is_left(words: Sequence[_Word], at: int, run: Sequence[_Word], around: frozenset[str]) -> bool:
    word = words[at]
    if run and run[-1].said[0].isupper() and _CAPITALS.fullmatch(word.said):
        return not word.taken
    low = word.said.lower().replace("\u2019", "'")
    if word.taken or not word.said[0].isalnum() or low.isdigit():
        return False
    if low in _SPOKEN or low in _calendar() or word.key in around or low.endswith("ly"):
        return False
    before = words[at - 1].said.lower().replace("\u2019", "'") if at else ""
    if before in _BE:
        return False
    after = words[at + 1].said.lower() if at + 1 < len(words) else ""
    if before[:1].isdigit() and after == "of":
        return False
    named = word.said[0].isupper() and at > 0 and words[at - 1].said not in ".!?:;"
    if named:
        return True
    if low.endswith("ed") and is_form_of_verb(low):
        return False
    governed = bool(run) or before in _DETERMINERS or before == "of" or before[:1].isdigit()
    governed = governed or (at > 0 and words[at - 1].taken)
    return governed or not (low in IMPERATIVES or is_form_of_verb(low))


def _capital(run: Sequence[_Word]) -> Iterator[tuple[_Word, ...]]:
    """The stretches of a stretch whose words are names; one in the genitive ends there: "Sara's machine"."""
    name: list[_Word] = []
    for word in run:
        if word.said[0].isupper() or (name and word.said.lower() in _OF):
            name.append(word)
        if name and (not word.said[0].isupper() or _GENITIVE.search(word.said)):
            yield tuple(name)
            name = []
    if name:
        yield tuple(name)


def _joins(words: Sequence[_Word], at: int) -> bool:
    """Whether a little word stands within a name: "Bank of America"."""
    if words[at].taken or words[at].said.lower() not in _OF or at + 1 >= len(words):
        return False
    return words[at - 1].said[:1].isupper() and words[at + 1].said[:1].isupper()


@cache
def _calendar() -> frozenset[str]:
    return frozenset(
        word for each in LANGUAGES.values() for row in (*each.months, *each.weekdays) for word in row.split()
    )
