"""One action several times with other values, in one clause: "house A to 20 degrees, house B to 18".

Strategy: the clause is cut where values may be joined, and the pieces are read one by one, each behind the words that
lead to the first value. A piece that says a parameter anew begins another call; one that doesn't goes on with the last.
What is said once counts for the calls that lack it by where it stands: before all that differs for all, behind it
for those before, and in between for those that come after and can't do without it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from turnout.model.utterance.words import word_set

from .calls import Call, Extract, Extraction, Schema, named
from .carried import with_unit
from .clauses import lowered, opens
from .leftover import blanked
from .payload import quotes
from .proper import is_name, takes_any_text

MOST: Final = 8
"""Joints of one clause; with more it is prose."""

_PAIR: Final = 2
_LONG: Final = 500  # code points
_JOINT: Final = re.compile(
    r"\s*,?\s+(?:and|und|et|y|e|plus|sowie)\s+(?:then |also |dann )?|\s*[,;]\s+|\s+&\s+|\s*,?\s+as well as\s+"
)
_PRONOUN: Final = re.compile(
    r"(?:another(?: one)?|a second(?: one)?|one more|the other(?: one)?|the ones?|one(?= (?:for|on|at|with|to"
    r"|from|in|of)\b))"
    r"\s+",
    re.IGNORECASE,
)
_TOO: Final = re.compile(
    r"\b(?:too|as well|also|likewise|the same|each|both|all|auch|ebenfalls|jeweils|aussi|chacune?|también"
    r"|cada uno"
    r"|anche|ciascuno)\b(?: (?:on|at|for|by|in|to)\b.*)?\W*(?:please|pls|bitte)?\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
_ALSO: Final = re.compile(r"\b(?:also|as well|sowie|auch|aussi|también|anche)\b", re.IGNORECASE)
_BOTH: Final = re.compile(r"\b(?:both|each|beide|jeweils|les deux|ambos|entrambi)\b", re.IGNORECASE)
_EACH: Final = re.compile(r"\b(?:each|both|all)\b", re.IGNORECASE)
_LITTLE: Final = word_set("""
    s a an the my our your his her their its of to at on in for from by with until till about as and or it that
    this please pls also too then now both each all copies as well same again
    right straight directly immediately after afterwards another next
    der die das den dem ein eine einen für am um im in an auf zu
    le la les l un une à au en pour de du el los las para a il lo per alle di""")
_CLOCK: Final = re.compile(r"(?:\A|T)(?P<hour>\d\d):\d\d")
_NUMBER: Final = re.compile(r"\S*\d\S*")
_OWN: Final = word_set("""
    is are was were has have had can could will would should must may isn't aren't don't doesn't can't won't not never
    wait waits stay stays remain remains later already out leave keep nicht kann muss pas no non puede può""")
_SAME: Final = re.compile(r"\b(?:(?:for|at|on|in|to|by|with) )?the same [^\W\d_]+", re.IGNORECASE)
"""Points to a value that was said before: it is shared by what stands around it."""
_QUOTES: Final = frozenset('"\u201c\u201e\u00ab')
_WORD: Final = re.compile(r"[^\W_]+(?:['.:-][^\W_]+)*")


class _Said(NamedTuple):
    """A value and where it stands in the clause."""

    value: Any
    at: int
    end: int


class _Piece(NamedTuple):
    """What a stretch between two joints says.

    `rest` are its words that are no values and tell something; `led`
    says that words lead to the first value.
    """

    start: int
    end: int
    values: dict[str, _Said]
    doubtful: dict[str, tuple[Any, ...]]
    invalid: dict[str, Any]
    rest: tuple[str, ...]
    led: bool

    @property
    def bare(self) -> bool:
        """Whether it says nothing but values."""
        return not self.rest

    @property
    def names(self) -> frozenset[str]:
        """All the parameters that it says something for."""
        return frozenset((*self.values, *self.doubtful, *self.invalid))


def joined(whole: Call, found: Extraction, text: str, extract: Extract, schema: Schema) -> tuple[Call, ...]:
    """The calls of a clause that gives several values for one verb; none when it asks for one thing.

    `found` is what was read in all of it at once, and `whole` the call of that.
    """
    lists = {name for name, wants in named(schema).items() if wants.get("type") == "array"}
    cuts = _cuts(text, found, lists)
    if not cuts:
        return ()
    pieces = _Reader(whole.action_id, text, extract, schema).pieces(cuts)
    records = _records(pieces)
    if len(records) < 2:
        return ()
    differing = _differing(records)
    everywhere = _TOO.search(text) is not None or any(_ALSO.search(text[start:end]) for start, end in cuts)
    everywhere = everywhere or (len(records) == _PAIR and _BOTH.search(text) is not None)
    if not everywhere and _is_strange(records):
        return ()
    everywhere_or_quoted = everywhere or all(
        _is_quoted(text, piece, differing) for record in records for piece in record
    )
    if not differing or not _plausible(records, differing, schema, everywhere=everywhere_or_quoted):
        return ()
    made = _shared(records, differing, schema, everywhere=everywhere)
    calls = tuple(_call(whole.action_id, each, schema) for each in made)
    return calls if _better(calls, whole, differing) or _is_mixed(whole, records, differing) else ()


def strays(found: Extraction, text: str, action_id: str, extract: Extract, schema: Schema) -> bool:
    """Whether words behind a joint are no value of anything: "bills of C-1 and C-2, and the gas chart"."""
    if _EACH.search(text) or any(takes_any_text(wants) for wants in named(schema).values()):
        return False
    cuts = _cuts(text, found)
    return bool(cuts) and not _Reader(action_id, text, extract, schema).pieces(cuts)


def overheard(found: Extraction, text: str) -> bool:
    """Whether a number behind a joint is no value of anything, so that a part of the clause is not understood."""
    cuts = _cuts(text, found)
    if not cuts or found.ambiguous or found.invalid:
        return False
    return any(
        not any(each.start < number.end() and number.start() < each.end for each in found.values.values())
        for number in _NUMBER.finditer(text, cuts[0][1])
    )


def _cuts(text: str, found: Extraction, lists: Iterable[str] = ()) -> list[tuple[int, int]]:
    """The joints between values; those of `lists` may be parted."""
    if len(text) > _LONG:
        return []
    closed = [(each.start, each.end) for name, each in found.values.items() if name not in lists]
    closed += quotes(lowered(text))
    cuts = [
        each.span()
        for each in _JOINT.finditer(text)
        if each.start() and not any(start < each.end() and each.start() < end for start, end in closed)
    ]
    return cuts if len(cuts) <= MOST else []


class _Reader:
    """Reads the pieces of one clause."""

    def __init__(self, action_id: str, text: str, extract: Extract, schema: Schema) -> None:
        self._action_id = action_id
        self._text = text
        self._extract = extract
        self._schema = schema
        self._head = ""  # what leads to the first value
        self._before = ""  # what stands before the last value of the first piece
        self._counted = ""  # a value of it with a unit
        self._names: frozenset[str] = frozenset()  # the parameters of its values
        self._known: frozenset[str] = frozenset()  # its words, which tell nothing new in the others

    def pieces(self, cuts: Sequence[tuple[int, int]]) -> list[_Piece]:
        """The pieces that say something, in order; none when one of them says what no parameter is."""
        spans = zip(
            (0, *(end for _, end in cuts)), (*(start for start, _ in cuts), len(self._text)), strict=True
        )
        pieces: list[_Piece] = []
        begins = 0
        for start, end in spans:
            piece = self._piece(start if pieces else begins, end)
            if not pieces:
                if not piece.names:
                    continue
                self._lead_by(piece)
            elif not piece.names:
                if not piece.bare:
                    return []
                continue
            pieces.append(piece)
        return pieces

    def _lead_by(self, piece: _Piece) -> None:
        said = sorted(piece.values.values(), key=lambda each: each.at)
        if said:
            self._names = frozenset(piece.values)
            self._known = frozenset(_WORD.findall(self._text[: piece.end].lower()))
            self._head = self._text[: said[0].at]
            self._before = self._text[: said[-1].at]
            texts = (self._text[each.at : each.end] for each in said)
            self._counted = next((text for text in texts if with_unit("1", text)), "")

    def _piece(self, start: int, end: int) -> _Piece:
        said = self._text[start:end]
        pronoun = _PRONOUN.match(said)
        skipped = pronoun.end() if pronoun and self._head else 0
        start, said = start + skipped, said[skipped:]
        head = "" if not self._head or opens(lowered(said), 0) else self._head
        piece = self._behind(head, start, end)
        if not self._before or (piece.names >= self._names and not piece.invalid):
            return piece
        # A number may leave out its unit, and a name the word that leads to it.
        counted = [self._behind(head, start, end, text) for text in with_unit(said, self._counted)]
        more = [*counted, *(() if piece.names else (self._behind(self._before, start, end),))]
        return max((piece, *more), key=lambda each: (not each.invalid, len(each.values)))

    def _behind(self, head: str, start: int, end: int, instead: str = "") -> _Piece:
        """What is said in a stretch, read behind a head; `instead` are other words for it."""
        said = instead or self._text[start:end]
        found = self._extract(self._action_id, self._schema, head + said)
        shift = start - len(head)
        values = {
            name: _Said(each.value, min(each.start + shift, end), min(each.end + shift, end))
            for name, each in found.values.items()
            if each.start >= len(head)
        }
        rest = _SAME.sub(" ", blanked(head + said, found))
        leads = [each.start for each in found.values.values() if each.start >= len(head)]
        words = _WORD.findall(rest[max(len(head), 0 if self._head else min(leads, default=0)) :].lower())
        little = _LITTLE | self._known
        left = tuple(word for word in words if word not in little and not word[0].isdigit())
        doubtful = {name: tuple(each) for name, each in found.ambiguous.items()}
        led = bool(self._head.strip() or (leads and min(leads)))
        return _Piece(start, end, values, doubtful, dict(found.invalid), left, led)


def _records(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """The pieces of one call each."""
    records: list[list[_Piece]] = []
    for piece in pieces:
        if not records or any(_contradict(before, piece) for before in records[-1]):
            records.append([piece])
        else:
            records[-1].append(piece)
    return records


def _contradict(one: _Piece, two: _Piece) -> bool:
    return any(
        name not in one.values or name not in two.values or one.values[name].value != two.values[name].value
        for name in one.names & two.names
    )


def _differing(records: Sequence[Sequence[_Piece]]) -> dict[str, int]:
    """The parameters that are said in more than one call with other values, and where the first is said."""
    found: dict[str, int] = {}
    for name in dict.fromkeys(name for record in records for piece in record for name in piece.values):
        said = [piece.values[name] for record in records for piece in record if name in piece.values]
        if len({repr(each.value) for each in said}) > 1:
            found[name] = said[0].at
    return found


def _plausible(
    records: Sequence[Sequence[_Piece]], differing: dict[str, int], schema: Schema, *, everywhere: bool
) -> bool:
    """Whether the values that differ tell things apart, rather than being two parts of one value."""
    properties = named(schema)
    lists = [name for name in differing if properties[name].get("type") == "array"]
    if lists and not _is_dealt_out(records, differing):
        return False
    kinds = {name: _kind(properties[name]) for name in differing}
    if all(kind == "text" for kind in kinds.values()):
        return everywhere or _are_names(records, differing)
    if len(differing) == 1 and "number" in kinds.values():
        return all(piece.bare for record in records[1:] for piece in record)
    return True


def _is_dealt_out(records: Sequence[Sequence[_Piece]], differing: dict[str, int]) -> bool:
    """Whether each call has all that differs, so that each list belongs to something: "tea to 211, milk to 212"."""
    if len(differing) < _PAIR:
        return False
    return all(set(differing) <= {name for piece in record for name in piece.values} for record in records)


def _are_names(records: Sequence[Sequence[_Piece]], differing: dict[str, int]) -> bool:
    """Whether texts that differ are names of people or the like, of which each stands for itself."""
    said = [
        piece.values[name].value
        for record in records
        for piece in record
        for name in differing
        if name in piece.values
    ]
    return all(isinstance(each, str) and is_name(each) for each in said)


def _is_quoted(text: str, piece: _Piece, names: Iterable[str]) -> bool:
    """Whether a text that differs is told apart by its quotes."""
    places = [piece.values[name].at for name in names if name in piece.values]
    return bool(places) and all(text[max(0, at - 1)] in _QUOTES or text[at] in _QUOTES for at in places)


def _is_strange(records: Sequence[Sequence[_Piece]]) -> bool:
    """Whether a later call behind the verb of the first has a verb of its own: "back up users, orders can wait"."""
    return records[0][0].led and any(
        word in _OWN for record in records[1:] for piece in record for word in piece.rest
    )


def _kind(schema: dict[str, Any]) -> str:
    if any(key in schema for key in ("enum", "format", "pattern", "const")):
        return "typed"
    return "number" if schema.get("type") in ("number", "integer") else "text"


class _Record(NamedTuple):
    values: dict[str, Any]
    doubtful: dict[str, tuple[Any, ...]]
    invalid: dict[str, Any]


def _shared(
    records: Sequence[Sequence[_Piece]], differing: dict[str, int], schema: Schema, *, everywhere: bool
) -> list[_Record]:
    """The records with what counts for more than one of them."""
    required: Any = schema.get("required") or ()
    first = min(differing.values())
    made = _in_one_half([_merged(record) for record in records])
    names = dict.fromkeys(name for record in made for name in (*record.values, *record.doubtful))
    tail = any(
        name not in made[0].values and name not in made[0].doubtful
        for name in required
        if name in made[-1].values or name in made[-1].doubtful
    )
    for name in names:
        has = [at for at, record in enumerate(made) if name in record.values or name in record.doubtful]
        places = [piece.values[name].at for record in records for piece in record if name in piece.values]
        behind = len(differing) == 1 and _stands_behind(name, next(iter(differing)), records[-1])
        for at in range(len(made)):
            if at in has or name in made[at].invalid:
                continue
            earlier, later = [one for one in has if one < at], [one for one in has if one > at]
            if earlier and later:
                continue
            ahead = bool(places) and places[0] < first and name not in differing
            bare = everywhere or all(piece.bare for piece in records[at])
            if earlier and (ahead or everywhere or (name in required and bare)):
                _copy(made[earlier[-1]], made[at], name)
            elif (
                later
                and bare
                and (everywhere or name in required or ((tail or behind) and later[0] == len(made) - 1))
            ):
                _copy(made[later[0]], made[at], name)
    return made


def _in_one_half(made: list[_Record]) -> list[_Record]:
    """The records with times that may be of either half of the day in that of the others: "at 4 and again at 5 pm"."""
    for record in made:
        for name, values in list(record.doubtful.items()):
            known = [str(each.values[name]) for each in made if name in each.values]
            halves = {_is_late(each) for each in known}
            meant = [each for each in values if _is_late(str(each)) in halves]
            if len(halves) == 1 and None not in halves and len(meant) == 1:
                record.values[name] = meant[0]
                del record.doubtful[name]
    return made


def _is_late(value: str) -> bool | None:
    """Whether a time or moment is after noon, `None` for any other value."""
    told = _CLOCK.search(value)
    return None if told is None else told["hour"] >= "12"


def _stands_behind(name: str, other: str, record: Sequence[_Piece]) -> bool:
    """Whether a value is said after the one that tells the last call from those before: "R1 and R2 as pdf"."""
    values = {key: said for piece in record for key, said in piece.values.items()}
    return name in values and other in values and values[name].at > values[other].at


def _merged(record: Sequence[_Piece]) -> _Record:
    made = _Record({}, {}, {})
    for piece in record:
        made.values.update({name: said.value for name, said in piece.values.items()})
        made.doubtful.update(piece.doubtful)
        made.invalid.update(piece.invalid)
    return made


def _copy(source: _Record, target: _Record, name: str) -> None:
    if name in source.values:
        target.values[name] = source.values[name]
    else:
        target.doubtful[name] = source.doubtful[name]


def _call(action_id: str, record: _Record, schema: Schema) -> Call:
    required: Any = schema.get("required") or ()
    said = {*record.values, *record.doubtful, *record.invalid}
    return Call(
        action_id=action_id,
        params=record.values,
        missing=tuple(name for name in required if name not in said),
        ambiguous=record.doubtful,
        invalid=record.invalid,
    )


def _is_mixed(whole: Call, records: Sequence[Sequence[_Piece]], differing: dict[str, int]) -> bool:
    """Whether what was read in all at once has values that no single call of the clause says together."""
    said = [
        all(
            any(name in piece.values and piece.values[name].value == whole.params[name] for piece in record)
            for name in differing
            if name in whole.params
        )
        for record in records
    ]
    return len(differing) > 1 and not whole.open and not any(said)


def _better(calls: Sequence[Call], whole: Call, differing: dict[str, int]) -> bool:
    """Whether several calls tell more of the words than one."""
    if len({repr((call.params, call.ambiguous, call.invalid)) for call in calls}) < len(calls):
        return False
    if any(name in call.ambiguous or name in call.invalid for call in calls for name in differing):
        return False
    if whole.open:
        return max(len(call.open) for call in calls) <= len(whole.open)
    taken = {repr(value) for value in whole.params.values()}
    return not any(call.open for call in calls) and all(
        any(repr(call.params[name]) not in taken for name in differing if name in call.params)
        for call in calls
        if any(call.params.get(name) != whole.params.get(name) for name in differing)
    )
