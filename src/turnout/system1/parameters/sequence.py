"""Entities learned from examples: which words of a request are the value of which parameter.

Strategy: an averaged structured perceptron over the words (begin, inside, outside), so that a few annotated examples
are enough and a request takes less than a millisecond in plain Python. What a word is worth comes from its
neighbours, its spelling, what the typed grammar takes it for, and whether the examples know it. While learning, the
spelling of words inside of values is often hidden, since the next request will have other values. Several learners
that saw the examples in another order vote; their agreement is the confidence.
"""

import datetime
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from turnout.model import V

from .mentions import Mentions
from .places import place
from .slots import name_words, stem
from .text import Words, several

_EPOCHS: Final = 12
_VOTERS: Final = 8
_FEWER_VOTERS: Final = 6
_VARIANTS: Final = 3
_MANY: Final = 100
_PLENTY: Final = 500
_MOST: Final = 2_000
_VISITS: Final = 200_000
_HIDDEN: Final = 0.15
_NOTHING: Final[dict[int, float]] = {}
_ANY_DAY: Final = datetime.date(2026, 6, 15)
_PLACES: Final = frozenset({"country", "state", "city", "nationality"})
_COMMON: Final = several(
    "the a an of to for in on at by with and or from is be my me i you it this that please can could would like want"
    " need give show find get put add book set play rate what when where how will are do does have s d m ll re"
)


class Example(V, frozen=True, kw_only=True):
    """A request and the values of its parameters as they stand in it."""

    text: str
    parameters: dict[str, str] = {}
    names: tuple[str, ...] = ()
    """All parameters of its action; with none, those of all examples."""


class Entity(NamedTuple):
    """A value in a text: its parameter, its words from `first` up to and without `end`, and how sure it is."""

    name: str
    first: int
    end: int
    confidence: float


class _Row(NamedTuple):
    spelled: tuple[tuple[str, ...], ...]  # by unit, features that tell the word itself
    around: tuple[tuple[str, ...], ...]  # by unit, all others
    labels: tuple[int, ...]
    names: list[int]


class _Units(NamedTuple):
    """A text in units: words, and what the typed grammar reads as one value."""

    words: list[str]
    kinds: list[str]
    bounds: list[tuple[int, int]]

    @classmethod
    def of(cls, words: Words, mentions: Mentions, cuts: Iterable[int] = ()) -> "_Units":
        """The units; a value that would be cut at one of `cuts` falls apart into words."""
        borders = set(cuts)
        typed: dict[int, tuple[int, str]] = {}
        for each in mentions.found:
            end = each.end
            if each.kind == "duration":
                end += 2 * (words.words[end : end + 2] == ["from", "now"]) + (words.word(end) == "ago")
            if not any(each.first < cut < end for cut in borders):
                typed[each.first] = end, each.kind
        units = cls([], [], [])
        at = 0
        while at < len(words):
            named = place(words, at) if at not in typed else None
            if named is not None and not any(at < cut < named[0] for cut in borders):
                typed[at] = named
            end, kind = typed.get(at, (at + 1, "-"))
            units.words.append(words.word(at) if end == at + 1 and kind not in _PLACES else f"<{kind}>")
            units.kinds.append(kind)
            units.bounds.append((at, end))
            at = end
        return units


class Tagger:
    """Finds entities as in its examples; `names` are the parameters that it knows."""

    __slots__ = ("_begins", "_known", "_names", "_values", "_voters", "names")

    def __init__(self, examples: Iterable[Example], *, seed: int = 7) -> None:
        given = list(examples)
        if len(given) > _MOST:
            given = random.Random(seed).sample(given, _MOST)  # noqa: S311
        rows = [_Annotated.of(each) for each in given]
        self.names = tuple(dict.fromkeys(name for row in rows for name, _, _ in row.spans))
        self._names = {name: frozenset(stem(each) for each in name_words(name)) for name in self.names}
        outside = Counter(word for row in rows for word in {*row.outside()})
        self._known = {word for word, count in outside.items() if count > 1} | _COMMON
        self._values: dict[str, Counter[str]] = defaultdict(Counter)
        for row in rows:
            for name, first, end in row.spans:
                for word in row.words.words[first:end]:
                    self._values[word][name] += 1
        learned = [self._row(row) for row in (*rows, *_varied(rows, random.Random(seed)))]  # noqa: S311
        # With many examples fewer passes and learners do as well, and time stays bounded.
        few = _VOTERS if len(learned) <= _PLENTY else _FEWER_VOTERS
        voters = few if len(learned) <= 2 * _PLENTY else 1
        self._voters = [
            _learn(learned, len(self.names), random.Random(seed + at))  # noqa: S311
            for at in range(voters if self.names else 0)
        ]

    def entities(self, words: Words, mentions: Mentions, names: Iterable[str] | None = None) -> list[Entity]:
        """The entities that most learners see, none overlapping; only those of `names` where given."""
        if not self._voters:
            return []
        numbers = self._numbers(self.names if names is None else names)
        units = _Units.of(words, mentions)
        spelled, around = self._features(units, seen=0)
        features = [one + other for one, other in zip(spelled, around, strict=True)]
        votes: Counter[tuple[int, int, int]] = Counter()
        for voter in self._voters:
            votes.update(_spans(_best(voter, features, numbers, len(self.names))))
        found: list[tuple[int, int, int, int]] = []
        for (name, first, end), count in sorted(votes.items(), key=lambda each: (-each[1], each[0][1])):
            if count * 2 > len(self._voters) and not any(
                one < end and first < other for _, one, other, _ in found
            ):
                found.append((name, first, end, count))
        return [
            Entity(
                self.names[name], units.bounds[first][0], units.bounds[end - 1][1], count / len(self._voters)
            )
            for name, first, end, count in sorted(found, key=lambda each: each[1])
        ]

    def _numbers(self, names: Iterable[str]) -> list[int]:
        known = {name: number for number, name in enumerate(self.names)}
        return [known[each] for each in names if each in known]

    def _row(self, row: "_Annotated") -> _Row:
        cuts = {at for _, first, end in row.spans for at in (first, end)}
        units = _Units.of(row.words, Mentions(row.words, _ANY_DAY), cuts)
        spelled, around = self._features(units, seen=1)
        labels = [-1] * len(units.words)
        for name, first, end in row.spans:
            number = self.names.index(name)
            for at, (start, _) in enumerate(units.bounds):
                if first <= start < end:
                    labels[at] = 2 * number + (start > first)
        return _Row(tuple(spelled), tuple(around), tuple(labels), self._numbers(row.names or self.names))

    def _features(self, units: _Units, seen: int) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        """What is known of each unit: by its spelling, and otherwise.

        `seen` is how often a word of an example is in the values because of that example.
        """
        tokens = ["<", "<", *units.words, ">", ">"]
        shapes = [word if word in self._known or word[:1] in "<>" else "?" for word in tokens]
        kinds = ["-", "-", *units.kinds, "-", "-"]
        spelled: list[tuple[str, ...]] = []
        around: list[tuple[str, ...]] = []
        for here in range(2, len(tokens) - 2):
            spelled.append(self._spelling(tokens[here], tokens[here - 1], tokens[here + 1], seen))
            around.append(self._surroundings(tokens, shapes, kinds, here))
        return spelled, around

    def _spelling(self, word: str, before: str, after: str, seen: int) -> tuple[str, ...]:
        found = [f"w={word}", f"s={word[-3:]}", f"p={word[:3]}", f"b={before}|{word}", f"a={word}|{after}"]
        values = self._values.get(word)
        if values:
            found += [f"v={name}" for name, count in values.items() if count > seen]
        return tuple(found)

    def _surroundings(
        self, tokens: list[str], shapes: list[str], kinds: list[str], here: int
    ) -> tuple[str, ...]:
        word = tokens[here]
        kind = kinds[here]
        found = [
            "1",
            f"-1={tokens[here - 1]}",
            f"+1={tokens[here + 1]}",
            f"-2={tokens[here - 2]}|{shapes[here - 1]}",
            f"+2={tokens[here + 2]}|{shapes[here + 1]}",
            f"-1+1={shapes[here - 1]}|{shapes[here + 1]}",
            f"k={kind}",
            f"k-1={kinds[here - 1]}|{kind}",
            f"k+1={kinds[here + 1]}|{kind}",
            f"o={shapes[here] != '?'}",
            f"o-1={shapes[here - 1] != '?'}|{shapes[here] != '?'}",
            f"o+1={shapes[here + 1] != '?'}|{shapes[here] != '?'}",
            f"d={word.isdigit()}{len(word) if word.isdigit() else ''}",
        ]
        bare = stem(word)
        found += [f"n={name}" for name, parts in self._names.items() if bare in parts]
        after = stem(tokens[here + 1])
        found += [f"n+1={name}" for name, parts in self._names.items() if after in parts]
        before = stem(tokens[here - 1])
        found += [f"n-1={name}" for name, parts in self._names.items() if before in parts]
        return tuple(found)


class _Annotated(NamedTuple):
    words: Words
    spans: list[tuple[str, int, int]]
    names: tuple[str, ...]

    @classmethod
    def of(cls, example: Example) -> "_Annotated":
        """The example with each value where it stands; one that does not stand there is left out."""
        words = Words(example.text)
        spans: list[tuple[str, int, int]] = []
        for name, value in sorted(example.parameters.items(), key=lambda each: -len(str(each[1]))):
            wanted = Words(str(value)).words
            for first in range(len(words) - len(wanted) + 1 if wanted else 0):
                end = first + len(wanted)
                free = not any(one < end and first < other for _, one, other in spans)
                if free and words.words[first:end] == wanted:
                    spans.append((name, first, end))
                    break
        return cls(words, spans, example.names)

    def outside(self) -> list[str]:
        """The words that belong to no value."""
        inside = {at for _, first, end in self.spans for at in range(first, end)}
        return [word for at, word in enumerate(self.words.words) if at not in inside]


def _varied(rows: Sequence[_Annotated], chance: random.Random) -> list[_Annotated]:
    """The examples with other values of the same parameters put into them."""
    values: dict[str, list[str]] = {}
    for row in rows:
        for name, first, end in row.spans:
            values.setdefault(name, []).append(row.words.said(first, end))
    varied: list[_Annotated] = []
    for row in rows:
        for _ in range(_VARIANTS if len(rows) <= _MANY else 1 if len(rows) <= _PLENTY else 0):
            text, at = "", 0
            parameters: list[tuple[str, int, int]] = []
            for name, first, end in sorted(row.spans, key=lambda each: each[1]):
                text += row.words.text[at : row.words.starts[first]]
                start = len(text)
                text += chance.choice(values[name])
                parameters.append((name, start, len(text)))
                at = row.words.ends[end - 1]
            words = Words(text + row.words.text[at:])
            spans = [
                (
                    name,
                    next(each for each in range(len(words)) if words.starts[each] >= start),
                    next(each + 1 for each in range(len(words)) if words.ends[each] >= stop),
                )
                for name, start, stop in parameters
            ]
            varied.append(_Annotated(words, spans, row.names))
    return varied


class _Weights:
    """Weights of (feature, label), and of (label, the label before it).

    A label is -1 outside, 2n where the name n begins, 2n + 1 inside of it.
    """

    __slots__ = ("links", "marks")

    def __init__(self) -> None:
        self.marks: dict[str, dict[int, float]] = {}
        self.links: dict[int, dict[int, float]] = {}


def _learn(rows: Sequence[_Row], names: int, chance: random.Random) -> _Weights:
    """An averaged perceptron: the weights of all steps added up, which ranks as their mean does."""
    now, total = _Weights(), _Weights()
    step = 1
    order = list(rows)
    labels = sum(len(row.names) for row in rows)
    for _ in range(min(_EPOCHS, max(2, _VISITS // max(1, labels)))):
        chance.shuffle(order)
        wrong = 0
        for row in order:
            features = [
                around if label >= 0 and chance.random() < _HIDDEN else around + spelled
                for spelled, around, label in zip(row.spelled, row.around, row.labels, strict=True)
            ]
            guess = _best(now, features, row.names, names)
            if guess != list(row.labels):
                wrong += 1
                _update(now, total, features, row.labels, guess, step)
            step += 1
        if not wrong:
            break
    return _averaged(now, total, step)


def _update(
    now: _Weights,
    total: _Weights,
    features: list[tuple[str, ...]],
    right: Sequence[int],
    guess: Sequence[int],
    step: int,
) -> None:
    before, guessed = -1, -1
    for each, label, wrong in zip(features, right, guess, strict=True):
        if label != wrong:
            for feature in each:
                marks = now.marks.setdefault(feature, {})
                sums = total.marks.setdefault(feature, {})
                for which, by in ((label, 1.0), (wrong, -1.0)):
                    marks[which] = marks.get(which, 0.0) + by
                    sums[which] = sums.get(which, 0.0) + by * step
        if (before, label) != (guessed, wrong):
            for link, by in (((before, label), 1.0), ((guessed, wrong), -1.0)):
                origin, to = link
                into, sums = now.links.setdefault(to, {}), total.links.setdefault(to, {})
                into[origin] = into.get(origin, 0.0) + by
                sums[origin] = sums.get(origin, 0.0) + by * step
        before, guessed = label, wrong


def _averaged(now: _Weights, total: _Weights, steps: int) -> _Weights:
    found = _Weights()
    for feature, marks in now.marks.items():
        sums = total.marks[feature]
        found.marks[feature] = {label: value - sums[label] / steps for label, value in marks.items()}
    found.links = {
        to: {origin: value - total.links[to][origin] / steps for origin, value in into.items()}
        for to, into in now.links.items()
    }
    return found


def _best(
    weights: _Weights, features: Sequence[tuple[str, ...]], numbers: list[int], names: int
) -> list[int]:
    """The best labels of all words, by dynamic programming; a name goes on only after itself."""
    scores: dict[int, float] = {-1: 0.0}
    paths: list[dict[int, int]] = []
    begins = [-1, *(2 * number for number in numbers)]
    links = weights.links
    for each in features:
        emitted = _emitted(weights.marks, each, names)
        ranked = sorted(scores, key=scores.__getitem__, reverse=True)
        next_scores: dict[int, float] = {}
        path: dict[int, int] = {}
        for label in begins:
            origin, score = _before(label, links.get(label), ranked, scores)
            next_scores[label] = score + emitted[label]
            path[label] = origin
        for number in numbers:
            inside = 2 * number + 1
            into = links.get(inside, _NOTHING)
            for origin in (inside - 1, inside):
                if origin in scores:
                    score = scores[origin] + into.get(origin, 0.0) + emitted[inside]
                    if inside not in path or score > next_scores[inside]:
                        next_scores[inside] = score
                        path[inside] = origin
        scores = next_scores
        paths.append(path)
    label = max(scores, key=lambda one: scores[one]) if paths else -1
    found: list[int] = []
    for path in reversed(paths):
        found.append(label)
        label = path[label]
    return found[::-1]


def _emitted(known: dict[str, dict[int, float]], features: tuple[str, ...], names: int) -> list[float]:
    """What the features of a word say for each label."""
    emitted = [0.0] * (2 * names + 1)
    for feature in features:
        marks = known.get(feature)
        if marks:
            for label, value in marks.items():
                emitted[label] += value
    return emitted


def _before(
    label: int, into: dict[int, float] | None, ranked: list[int], scores: dict[int, float]
) -> tuple[int, float]:
    """The best label before one, and the score of both; `ranked` are all by their scores, `into` the linked ones."""
    if not into:
        return ranked[0], scores[ranked[0]]
    best, score = ranked[0], -math.inf
    for origin in ranked:
        if origin not in into:
            best, score = origin, scores[origin]
            break
    for origin, link in into.items():
        if origin in scores and scores[origin] + link > score:
            best, score = origin, scores[origin] + link
    return best, score


def _spans(labels: Sequence[int]) -> list[tuple[int, int, int]]:
    """(name, first word, end) of each entity."""
    found: list[tuple[int, int, int]] = []
    for at, label in enumerate(labels):
        if label >= 0 and label % 2 == 0:
            end = at + 1
            while end < len(labels) and labels[end] == label + 1:
                end += 1
            found.append((label // 2, at, end))
    return found
