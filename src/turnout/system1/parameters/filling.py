"""Which place in a text fills which parameter: the clearest first, and none where two are meant as well."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

from turnout.model import V

from .mentions import Mentions
from .option import QUOTED, SURE, Option
from .slots import Slot, stem
from .text import several

_STARTING: Final = several(
    "from since starting beginning between after leaving departing ab von vom seit desde du depuis dal dalle"
)
_ENDING: Final = several(
    "to until till through thru - by before ending returning into bis zum hasta jusqu al into with"
)
_LEAVING: Final = several("leav leave depart start begin pickup pick checkin fly outbound")
_RETURNING: Final = several("return back end dropoff drop checkout until till inbound")
_GOING: Final = several("arriv go head visit travel")
_CHANGING: Final = several(
    "lower rais raise reduc reduce cut increas increase chang change mov move shift push bump switch updat update"
    " extend shorten postpon postpone reschedul reschedule"
)
_MOST: Final = several("under below max maximum maximal hochstens")
_LEAST: Final = several("over above min minimum minimal mindestens almeno")
_FOREIGN_BOUNDS: Final = {
    **dict.fromkeys((("mas", "de"), ("plus", "de"), ("piu", "di"), ("mehr", "als")), "start"),
    **dict.fromkeys((("menos", "de"), ("moins", "de"), ("meno", "di"), ("weniger", "als")), "end"),
    **dict.fromkeys((("al", "menos"), ("au", "moins"), ("lo", "menos"), ("al", "meno")), "start"),
    **dict.fromkeys((("au", "plus"), ("al", "massimo"), ("fino", "a"), ("como", "maximo")), "end"),
}
_LESS: Final = several("less fewer cheaper lower smaller shorter younger")
_MORE: Final = several("more greater dearer higher larger bigger longer older")
_AGAINST: Final = several("not instead than nicht pas")
_CONTRACTED: Final = [[each, "'", "t"] for each in ("isn", "aren", "wasn", "weren")]
_WITHOUT: Final = several("no without kein keine keinen ohne sans sin senza except")
_WITH_UNIT: Final = frozenset({"money", "measure", "duration"})
_ASSUMED: Final = 0.78
_ARTICLES: Final = several("the my our your their his her a an")
_NEAR: Final = 0.7
_MARGIN: Final = 0.3
_LEFT: Final = 4
_RIGHT: Final = 2
_SMALL: Final = several("the a an of is be my our your their on in at for it to this that please with and")


class Value(V, frozen=True, kw_only=True):
    """A value in its normal form (JSON), where it stands in the text (code points), and how sure it is (0 to 1)."""

    value: Any
    start: int
    end: int
    confidence: float


class Extraction(V, frozen=True, kw_only=True):
    """The parameters of one action in one text.

    `values` are sure. `missing` are required and were not said (or not surely); `ambiguous` have several values that
    were meant equally well; `invalid` were said, against the schema: the value as it was read.
    """

    values: dict[str, Value] = {}
    missing: tuple[str, ...] = ()
    ambiguous: dict[str, tuple[Any, ...]] = {}
    invalid: dict[str, Any] = {}


class _Pair(NamedTuple):
    score: float
    slot: int
    option: Option


class Filling:
    """Gives each place to one parameter, the clearest first."""

    def __init__(
        self,
        wanted: tuple[Slot, ...],
        options: list[list[Option]],
        mentions: Mentions,
        about: Sequence[str] = (),
    ) -> None:
        self._wanted = wanted
        self._about = frozenset(stem(word) for word in about)
        self._options = options
        self._words = mentions.words
        self._boundaries = {each.end for each in mentions.found}
        self._worded = _words_of_values(wanted, options, mentions)
        self._begun = {other.first: one.first for one, other in mentions.ranges()}
        self._ended = {one.first: other.end for one, other in mentions.ranges()}
        self._spans = {one.first: other.first for one, other in mentions.ranges(open_ends=False)}
        self._changes = not mentions.stems.isdisjoint(_CHANGING)
        self._values: dict[int, tuple[Option, float]] = {}
        self._many: dict[int, list[Option]] = {}
        self._ambiguous: dict[int, tuple[Any, ...]] = {}
        self._invalid: dict[int, Any] = {}
        self._taken: list[tuple[int, int]] = []

    def extraction(self) -> Extraction:
        """What the places come to."""
        pairs = [
            _Pair(self._score(slot, option, len(self._options[at]) - 1), at, option)
            for at, slot in enumerate(self._wanted)
            for option in self._options[at]
        ]
        self._assign(sorted(self._possible(pairs), key=self._order))
        return self._result()

    def _possible(self, pairs: Sequence[_Pair]) -> list[_Pair]:
        """Without numbers against the schema in places that another parameter can take as well: "wake 204 at 6"."""
        right = [pair for pair in pairs if not pair.option.wrong and pair.option.confidence >= SURE]
        return [
            pair
            for pair in pairs
            if not pair.option.wrong
            or self._wanted[pair.slot].want != "number"
            or not any(
                each.slot != pair.slot
                and _overlap(each.option, pair.option)
                and each.score > pair.score - _MARGIN
                for each in right
            )
        ]

    def _order(self, pair: _Pair) -> tuple[bool, float]:
        """Words of the user's own come last: they may be any word that nothing else takes."""
        return self._wanted[pair.slot].want == "text", -pair.score

    def _score(self, slot: Slot, option: Option, rivals: int) -> float:
        """How well a place fits: its own confidence, words beside it that name the parameter, its direction."""
        score = option.confidence + self._named(slot, option)
        score += self._direction(slot, option, rivals)
        if self._is_refused(slot, option):
            score -= 1.5
        if slot.required:
            score += 0.1
        return score + (option.end - option.first) * 0.01

    def _is_refused(self, slot: Slot, option: Option) -> bool:
        """Whether the words before a place are against it: "not", "isn't", "without"."""
        words, at = self._words, option.first
        if slot.want == "boolean":
            return False
        if (
            slot.want == "choice"
            and words.word(at - 1) in _WITHOUT
            and (slot.many or words.word(at - 2) != ",")
        ):
            return True
        if words.word(at - 1) == "than" and words.word(at - 3) in {"no", "not"}:
            # "No later than" and "no more than" say how far a value goes, not that it is none.
            return False
        if slot.role and slot.want == "number" and self._bound(at - 1):
            return False
        isn_t = words.words[max(0, at - 3) : at] in _CONTRACTED
        return isn_t or bool(set(words.words[max(0, at - 2) : at]) & _AGAINST)

    def _direction(self, slot: Slot, option: Option, rivals: int) -> float:
        """What the way that a place is led to (`from`, `until`) says for or against a parameter."""
        role = self._role(option, slot)
        wanted = slot.role
        if wanted == "moved" or (
            not wanted and self._changes and slot.want not in {"text", "choice", "boolean"}
        ):
            wanted = "end" if rivals else ""
        if wanted and role and self._is_either(slot, option):
            # Who says "between" to one parameter leaves open which.
            return 0.0
        if wanted and role:
            return 0.8 if role == wanted else -0.8
        if wanted and slot.want == "text":
            # A place alone is neither where something begins nor where it ends; words in quotes are no place.
            return 0.0 if option.confidence >= QUOTED else -0.5
        # Who says one end only, without a word for it, means the beginning.
        return _MARGIN + 0.05 if self._is_assumed(slot, option, role) else 0.0

    def _is_either(self, slot: Slot, option: Option) -> bool:
        """Whether a place is one of "between the 2nd and the 5th", for a parameter without a counterpart."""
        first = self._begun.get(option.first, option.first)
        words = self._words
        at = first - 2 if words.word(first - 1) in _ARTICLES else first - 1
        if words.word(at) != "between" and words.word(option.first - 1) != "and":
            return False
        if "between" not in words.words[: option.first]:
            return False
        return not any(
            each is not slot and each.want == slot.want and each.role in {"start", "end"}
            for each in self._wanted
        )

    def _is_assumed(self, slot: Slot, option: Option, role: str) -> bool:
        """Whether only the habit of naming the beginning speaks for this end of a range."""
        alone = option.end - option.first >= len(self._words) - 2
        return slot.role == "start" and slot.want in {"day", "moment"} and not role and not alone

    def _role(self, option: Option, slot: Slot) -> str:
        """Whether the words before a place make it the beginning or the end of something."""
        words = self._words
        if option.first in self._spans:
            return "start"
        if option.first in self._spans.values():
            return "end"
        if words.word(option.first - 1) == "and" and "between" in words.words[: option.first]:
            return "end"
        first = option.first
        while words.word(first - 1) in _ARTICLES or self._is_counted_as(slot, words.word(first - 1)):
            first -= 1
        if slot.want == "number" and (bound := self._bound(first - 1)):
            return bound
        return self._led(slot, first)

    def _led(self, slot: Slot, first: int) -> str:
        """Whether words before a place lead from a beginning or to an end: "from", "leaving", "until"."""
        words = self._words
        for away in range(1, _LEFT + 2):
            at = first - away
            word = words.word(at)
            if at < 0 or word in {";", "."} or (at + 1 in self._boundaries and away > 1):
                break
            if slot.stay and stem(word) in {"arriv", "leav", "leave", "depart"}:
                return "start" if stem(word) == "arriv" else "end"
            if (
                (away == 1 and (word in _STARTING or (word == "out" and words.word(at - 1) != "check")))
                or (away == 1 and word == "of" and words.word(at - 1) == "as")
                or stem(word) in _LEAVING
                or (words.word(at) == "up" and words.word(at - 1).startswith("pick"))
            ):
                return "start"
            if (away == 1 and word in _ENDING) or stem(word) in (
                _RETURNING | _GOING if slot.want == "text" else _RETURNING
            ):
                return "end"
        return ""

    @staticmethod
    def _is_counted_as(slot: Slot, word: str) -> bool:
        """Whether a word before a number only says what is numbered: "from page 3"."""
        return slot.want == "number" and stem(word) in slot.cues and word not in _STARTING | _ENDING

    def _bound(self, at: int) -> str:
        """Whether words that end at a place set a highest value ("no more than") or a lowest one ("at least")."""
        words = self._words
        if words.word(at) == "of" and words.word(at - 1) in _MOST | _LEAST:
            at -= 1
        word, before = words.word(at), words.word(at - 1)
        if word == "than" and words.word(at - 2) in {"no", "not"}:
            return "end" if before == "more" else "start" if before == "less" else ""
        if word == "than":
            return "end" if before in _LESS else "start" if before in _MORE else ""
        if (before, word) in _FOREIGN_BOUNDS:
            return _FOREIGN_BOUNDS[before, word]
        if word in _MOST or (before, word) in {("up", "to"), ("at", "most"), ("bis", "zu")}:
            return "end"
        return "start" if word in _LEAST or (before, word) == ("at", "least") else ""

    def _named(self, slot: Slot, option: Option) -> float:
        """Up to 1 for words that name the parameter, the nearer the more, not beyond another place."""
        words = self._words
        best = 0.0
        others = self._inside(slot, option)
        # What names a range names both of its ends.
        first = self._begun.get(option.first, option.first)
        end = self._ended.get(option.first, option.end)
        for away in range(1, _LEFT + 1):
            at = first - away
            if at < 0 or words.word(at) in {",", ";", "."} or at in others | self._worded:
                # A word of another value names that one.
                break
            if words.word(at) in slot.cues or stem(words.word(at)) in slot.cues:
                best = max(best, 1.1 - 0.15 * away)
                break
            if at + 1 in self._boundaries and away > 1:
                break
        for away in range(_RIGHT):
            at = end + away
            if (at in self._boundaries and away) or words.word(at) in {",", ";", "."} or at in others:
                break
            if words.word(at) in slot.cues or stem(words.word(at)) in slot.cues:
                best = max(best, 1.05 - 0.2 * away)
                break
        return best

    def _inside(self, slot: Slot, option: Option) -> frozenset[int]:
        """The words of other places for the same parameter: they don't name this one."""
        if slot.want != "code":
            return frozenset()
        own = self._options[self._wanted.index(slot)]
        return frozenset(
            at for each in own if not _overlap(each, option) for at in range(each.first, each.end)
        )

    def _assign(self, pairs: list[_Pair]) -> None:
        while pairs:
            best = pairs[0]
            slot = self._wanted[best.slot]
            if best.score < SURE - 0.25 and not best.option.wrong:
                pairs = pairs[1:]
                continue
            if slot.many:
                pairs = self._take_many(best, pairs)
                continue
            rival = self._rival_slot(best, pairs)
            if rival is not None:
                pairs = self._leave(best.option, pairs)
                continue
            self._take(best, pairs)
            pairs = self._without(best, pairs)

    def _rival_slot(self, best: _Pair, pairs: list[_Pair]) -> int | None:
        """Another parameter that the same place is meant for just as well."""
        if best.option.shared:
            return None
        for pair in pairs[1:]:
            if best.score - pair.score >= _MARGIN:
                continue
            if pair.slot == best.slot or not _overlap(pair.option, best.option) or pair.option.shared:
                continue
            mine, other = self._wanted[best.slot], self._wanted[pair.slot]
            if mine.required != other.required or mine.want != other.want or mine.many != other.many:
                continue
            as_many = len(self._free(best.slot, pairs)) == len(self._free(pair.slot, pairs)) > 1
            if as_many and mine.want == "text":
                continue
            return pair.slot
        return None

    def _free(self, slot: int, pairs: list[_Pair]) -> list[_Pair]:
        return [pair for pair in pairs if pair.slot == slot]

    def _take(self, best: _Pair, pairs: list[_Pair]) -> None:
        option = best.option
        rivals = [
            pair.option
            for pair in pairs[1:]
            if pair.slot == best.slot
            and (best.score - pair.score < _MARGIN or self._is_alternative(option, pair.option))
            and pair.option.values != option.values
            and not _overlap(pair.option, option)
            and not pair.option.wrong
            and not self._is_wanted_elsewhere(pair, pairs)
        ]
        placed = sorted((option, *rivals), key=lambda each: each.first)
        values = tuple(dict.fromkeys(value for each in placed for value in _hashable(each.values)))
        if option.wrong:
            self._invalid[best.slot] = option.values[0]
        elif len(values) > 1:
            self._ambiguous[best.slot] = values
            self._taken += [(each.first, each.end) for each in rivals if not each.shared]
        elif min(best.score, option.confidence) >= SURE and not self._is_stray(best):
            assumed = self._is_assumed(
                self._wanted[best.slot], option, self._role(option, self._wanted[best.slot])
            )
            sure = min(
                option.confidence, best.score, _ASSUMED if assumed and self._has_other_end(best.slot) else 1.0
            )
            if sure >= SURE:
                self._values[best.slot] = (option, sure)
        if not option.shared:
            self._taken.append((option.first, option.end))

    def _is_alternative(self, one: Option, other: Option) -> bool:
        """Whether two places are offered as either: "business or economy"."""
        first, second = sorted((one, other), key=lambda each: each.first)
        between = self._words.words[first.end : second.first]
        return between in [["or"], ["oder"], ["ou"], ["o"]]

    def _has_other_end(self, slot: int) -> bool:
        """Whether the end of the range is a parameter too."""
        want = self._wanted[slot].want
        return any(each.role == "end" and each.want == want for each in self._wanted)

    def _is_wanted_elsewhere(self, pair: _Pair, pairs: list[_Pair]) -> bool:
        """Whether another parameter has a better claim to a place."""
        return any(
            other.slot != pair.slot
            and _overlap(other.option, pair.option)
            and not other.option.shared
            and (other.score > pair.score or self._wanted[other.slot].want == self._wanted[pair.slot].want)
            for other in pairs
        )

    def _is_stray(self, best: _Pair) -> bool:
        """Whether a plain number that nothing points at counts something else, for a parameter that may be left out."""
        slot = self._wanted[best.slot]
        if slot.required or slot.want != "number" or best.option.confidence > 0.9:
            return False
        following = self._words.word(best.option.end)
        if stem(following) in self._about:  # "3 labels", where labels are what the action is about
            return False
        return self._named(slot, best.option) < _NEAR and following.isalpha() and following not in _SMALL

    def _take_many(self, best: _Pair, pairs: list[_Pair]) -> list[_Pair]:
        slot = self._wanted[best.slot]
        mine = [
            pair
            for pair in pairs
            if pair.slot == best.slot
            and not self._is_wanted_elsewhere(pair, pairs)
            and not self._is_refused(slot, pair.option)
        ]
        found = sorted((pair.option for pair in mine), key=lambda option: option.first)
        wrong = [each for each in found if each.wrong]
        unclear = [each for each in found if len(each.values) > 1 and not each.wrong]
        if wrong:
            self._invalid[best.slot] = [value for each in wrong for value in each.values[:1]]
        elif unclear:
            self._ambiguous[best.slot] = tuple(value for each in unclear for value in each.values)
        else:
            self._many[best.slot] = [each for each in found if each.confidence >= SURE]
        self._taken += [(each.first, each.end) for each in found if not each.shared]
        return [pair for pair in pairs if pair.slot != best.slot and not self._is_taken(pair.option)]

    def _leave(self, option: Option, pairs: list[_Pair]) -> list[_Pair]:
        return [pair for pair in pairs if not _overlap(pair.option, option)]

    def _without(self, best: _Pair, pairs: list[_Pair]) -> list[_Pair]:
        return [pair for pair in pairs if pair.slot != best.slot and not self._is_taken(pair.option)]

    def _is_taken(self, option: Option) -> bool:
        return not option.shared and any(
            first < option.end and option.first < end for first, end in self._taken
        )

    def _result(self) -> Extraction:
        values: dict[str, Value] = {}
        missing: list[str] = []
        ambiguous: dict[str, tuple[Any, ...]] = {}
        invalid: dict[str, Any] = {}
        for at, slot in enumerate(self._wanted):
            if at in self._invalid:
                invalid[slot.name] = self._invalid[at]
            elif at in self._ambiguous:
                ambiguous[slot.name] = self._ambiguous[at]
            elif at in self._values or self._many.get(at):
                self._put(values, at, slot)
            elif slot.required and slot.name not in missing:
                missing.append(slot.name)
        for name in (*missing, *ambiguous, *invalid):
            values.pop(name, None)
        settled = {**ambiguous, **invalid}
        return Extraction(
            values=values,
            missing=tuple(each for each in missing if each not in settled),
            ambiguous=ambiguous,
            invalid=invalid,
        )

    def _put(self, values: dict[str, Value], at: int, slot: Slot) -> None:
        words = self._words
        if slot.many:
            found = self._many[at]
            value: Any = [each.values[0] for each in found]
            first, end = found[0].first, max(each.end for each in found)
            sure = min(each.confidence for each in found)
        else:
            option, sure = self._values[at]
            value, first, end = option.values[0], option.first, option.end
        start, stop = words.starts[first], words.ends[end - 1]
        for name in reversed(slot.path[1:]):
            value = {name: value}
        before = values.get(slot.name)
        if before is not None and len(slot.path) > 1:
            value = _merged(before.value, value)
            start, stop, sure = min(start, before.start), max(stop, before.end), min(sure, before.confidence)
        values[slot.name] = Value(value=value, start=start, end=stop, confidence=round(sure, 3))


def _merged(one: Any, other: Any) -> Any:
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return other
    both = dict(cast("dict[str, Any]", one))
    for key, value in cast("dict[str, Any]", other).items():
        both[key] = _merged(both[key], value) if key in both else value
    return both


def _overlap(one: Option, other: Option) -> bool:
    return one.first < other.end and other.first < one.end


def _hashable(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(each if isinstance(each, str | int | float | bool) else str(each) for each in values)


def _words_of_values(
    wanted: Sequence[Slot], options: Sequence[Sequence[Option]], mentions: Mentions
) -> frozenset[int]:
    """The words that belong to a value with a unit, or to a choice or a reference of several words."""
    spans = [(each.first, each.end) for each in mentions.found if each.kind in _WITH_UNIT]
    spans += [
        (each.first, each.end)
        for slot, own in zip(wanted, options, strict=True)
        for each in own
        if slot.want in {"choice", "code"} and each.end - each.first > 1 and not (each.wrong or each.shared)
    ]
    return frozenset(at for first, end in spans for at in range(first, end))
