"""The parameters that a text gives: each place in it to the parameter it is meant for, and nothing guessed.

Strategy: every parameter collects the places that could fill it; words beside a place that name a parameter or a
direction ("from", "until", "for 4 guests") decide between several. Where two readings remain, the parameter is
ambiguous; where none reaches the bar it is missing; a value against the schema is invalid.
"""

import datetime
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from .addresses import email_options, phone_options, url_options
from .asides import wished
from .choices import choice_options
from .codes import code_options
from .described import described_options
from .filling import Extraction, Filling
from .mentions import Mentions
from .option import Clockwork, Option
from .options import TYPED, typed_options
from .party import party_options
from .sequence import Example, Tagger
from .slips import set_right
from .slots import WAKING, Slot, name_words, slots
from .strings import text_options
from .text import Words
from .truths import boolean_options
from .validity import violation

# Who says more than so many values of one parameter doesn't mean one of them.
_MOST: Final = 24
_MOST_LISTED: Final = 200
_MOST_TEXTS: Final = 64
_AGREED: Final = 0.85
_DISPUTED: Final = 0.6
_MAJORITY: Final = 0.8
"""The share of learners that have to see a value: all but one of six or eight."""


def extract(
    schema: dict[str, Any],
    text: str,
    *,
    now: datetime.datetime,
    zone: datetime.tzinfo | None = None,
    examples: Tagger | Sequence[Example] = (),
    taken: Iterable[tuple[int, int]] = (),
    about: str = "",
) -> Extraction:
    """Reads the parameters of an object schema in a text.

    `now` is the user's local time, which "tomorrow" and "last month" are counted from. With a `zone`, moments carry
    its offset, where the schema sets no pattern. Words in `taken` spans (start, end) belong to something else.
    `examples` teach what the parameters without a form of their own look like; a `Tagger` is learned once and used
    often, a sequence is learned at each call. `about`, what the action does, tells whether a month without a year is
    a past or a coming one.
    """
    return Readings(now, zone).extract(schema, text, examples=examples, taken=taken, about=about)


class Readings:
    """What texts say at one moment, each read once for all the schemas that are filled from it.

    Meant for the texts of one request; of more than a few only the last ones are kept. `now` and `zone` are as for
    `extract`.
    """

    __slots__ = ("_clockwork", "_read")

    def __init__(self, now: datetime.datetime, zone: datetime.tzinfo | None = None) -> None:
        self._clockwork = Clockwork(now, zone)
        self._read: dict[tuple[str, tuple[tuple[int, int], ...]], Mentions] = {}

    def extract(
        self,
        schema: dict[str, Any],
        text: str,
        *,
        examples: Tagger | Sequence[Example] = (),
        taken: Iterable[tuple[int, int]] = (),
        about: str = "",
    ) -> Extraction:
        """The parameters of an object schema in a text, as `extract` gives them."""
        wanted = _slots(msgspec.json.encode(schema), about)
        if not wanted:
            return Extraction()
        mentions = self._mentions(text, tuple(taken))
        if not mentions.stems.isdisjoint(WAKING):
            wanted = tuple(each._replace(waking=True) for each in wanted)
        tagger = examples if isinstance(examples, Tagger) else Tagger(examples) if examples else None
        learned = _learned(wanted, mentions, tagger)
        options = [
            learned[at] if at in learned else _options(slot, mentions, self._clockwork)
            for at, slot in enumerate(wanted)
        ]
        kept = [
            each[: _MOST_LISTED if slot.many else _MOST] for slot, each in zip(wanted, options, strict=True)
        ]
        return Filling(wanted, _outermost(wanted, kept), mentions, name_words(about)).extraction()

    def _mentions(self, text: str, taken: tuple[tuple[int, int], ...]) -> Mentions:
        found = self._read.get((text, taken))
        if found is None:
            words = Words(text, taken)
            set_right(words)
            found = self._read[text, taken] = Mentions(words, self._clockwork.now.date())
            if len(self._read) > _MOST_TEXTS:
                del self._read[next(iter(self._read))]
        return found


@lru_cache(maxsize=1024)
def _slots(schema: bytes, about: str) -> tuple[Slot, ...]:
    return slots(msgspec.json.decode(schema), about)


def _learned(wanted: tuple[Slot, ...], mentions: Mentions, tagger: Tagger | None) -> dict[int, list[Option]]:
    """The options of the parameters that the examples tell, by their place among the wanted ones."""
    if tagger is None:
        return {}
    known = {
        slot.path[-1]: at for at, slot in enumerate(wanted) if slot.verbatim and slot.path[-1] in tagger.names
    }
    found: dict[int, list[Option]] = {at: [] for at in known.values()}
    for each in tagger.entities(mentions.words, mentions, known):
        said = mentions.words.said(each.first, each.end)
        sure = _AGREED if each.confidence >= _MAJORITY else _DISPUTED
        found[known[each.name]].append(Option(each.first, each.end, (said,), sure))
    return found


_TEXTUAL: Final = {
    "email": email_options,
    "url": url_options,
    "phone": phone_options,
    "code": code_options,
    "text": text_options,
    "choice": choice_options,
    "boolean": boolean_options,
}


def _options(slot: Slot, mentions: Mentions, clockwork: Clockwork) -> list[Option]:
    typed = slot.want in TYPED
    found = typed_options(slot, mentions, clockwork) if typed else _TEXTUAL[slot.want](slot, mentions)
    if slot.want == "number":
        found = [*found, *described_options(slot, mentions)]
        party = party_options(slot, mentions)
        found = [
            each for each in found if not any(one.first < each.end and each.first < one.end for one in party)
        ]
        found += party
    words = mentions.words
    said = [
        each._replace(
            values=tuple(
                words.said(each.first, each.end) if value is None else value for value in each.values
            )
        )
        for each in found
    ]
    return wished(slot, [_checked(slot, each) for each in said], words)


def _checked(slot: Slot, option: Option) -> Option:
    """Of several values only those that the schema allows; one that it refuses is wrong."""
    allowed = tuple(each for each in dict.fromkeys(option.values) if violation(slot.schema, each) is None)
    if option.wrong or not option.values:
        return option
    return option._replace(values=allowed) if allowed else option._replace(wrong=True)


def _outermost(wanted: tuple[Slot, ...], options: list[list[Option]]) -> list[list[Option]]:
    """Without values inside of a longer name or reference: the 1 of "meeting room 1" counts nothing."""
    named = [
        (each.first, each.end)
        for slot, own in zip(wanted, options, strict=True)
        for each in own
        if slot.want in {"choice", "code"}
        and each.end - each.first > 1
        and not each.shared
        and not each.wrong
    ]
    return [
        [
            each
            for each in own
            if slot.want not in TYPED
            or not any(
                first <= each.first and each.end <= end and each.end - each.first < end - first
                for first, end in named
            )
        ]
        for slot, own in zip(wanted, options, strict=True)
    ]
