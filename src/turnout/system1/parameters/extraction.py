"""The parameters that a text gives: each place in it to the parameter it is meant for, and nothing guessed.

Strategy: every parameter collects the places that could fill it; words beside a place that name a parameter or a
direction ("from", "until", "for 4 guests") decide between several. Where two readings remain, the parameter is
ambiguous; where none reaches the bar it is missing; a value against the schema is invalid.
"""

import datetime
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from .choices import choice_options
from .codes import code_options
from .filling import Extraction, Filling
from .mentions import Mentions
from .options import TYPED, Clockwork, Option, typed_options
from .sequence import Example, Tagger
from .slots import Slot, slots
from .strings import email_options, phone_options, text_options, url_options
from .text import Words, several
from .truths import boolean_options
from .validity import violation

_CORRECTING: Final = re.compile(
    r"(?:,|\.|-|\bor|\boh|\bsorry)\s*(?:no\b|sorry\b|wait\b|actually\b|i mean\b|rather\b"
    r"|make (?:it|that)\b|scratch that\b)",
    re.I,
)
_REFUSING: Final = re.compile(
    r"\b(?:do(?:es)?n['\u2019]?t|do not|not|never|rather than|instead of|nicht|statt)\b"
    r".*?(?=[,;.!?](?:\s|$)|\bbut\b|$)",
    re.I,
)
_EXCEPTING: Final = re.compile(
    r"\b(?:(?:any(?:thing|one|body)?|every(?:thing|one|body)?|all)"
    r" (?:but|except(?: for)?|other than|that is(?: not|n['\u2019]t))"
    r"|except(?: for)?|other than"
    r"|apart from|alles au(?:ß|ss)er|tout sauf|todo menos|tutto tranne)\b.*?(?=[;.!?](?:\s|$)|$)",
    re.I,
)
_VAGUE: Final = re.compile(
    r"\s*-?\s*(?:ish|odd)\b|\s+or (?:so\b|thereabouts|something|somewhere)|\s+oder so\b|\s+ou quelque chose",
    re.I,
)
_BOUNDED: Final = re.compile(
    r"\s+(?:(?:or|and) (?:above|higher|more|better|less|below|lower|later|earlier|up|upwards?|under|over|older"
    r"|younger)|oder (?:mehr|höher|weniger|später|früher)|ou (?:plus|moins)|o (?:más|menos|più|meno))\b",
    re.I,
)
_BOUNDS: Final = several(
    "min minimum max maximum least most lowest highest limit bound budget rating above below"
)
# Who says more than so many values of one parameter doesn't mean one of them.
_MOST: Final = 24
_MOST_LISTED: Final = 200
_AGREED: Final = 0.85
_DISPUTED: Final = 0.6
_MOST_VOTES: Final = 0.75


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
    wanted = _slots(msgspec.json.encode(schema), about)
    if not wanted:
        return Extraction()
    mentions = Mentions(Words(text, taken), now.date())
    clockwork = Clockwork(now, zone)
    tagger = examples if isinstance(examples, Tagger) else Tagger(examples) if examples else None
    learned = _learned(wanted, mentions, tagger)
    options = [
        learned[at] if at in learned else _options(slot, mentions, clockwork)
        for at, slot in enumerate(wanted)
    ]
    kept = [each[: _MOST_LISTED if slot.many else _MOST] for slot, each in zip(wanted, options, strict=True)]
    return Filling(wanted, _outermost(wanted, kept), mentions).extraction()


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
        sure = _AGREED if each.confidence >= _MOST_VOTES else _DISPUTED
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
    words = mentions.words
    said = [
        each._replace(
            values=tuple(
                words.said(each.first, each.end) if value is None else value for value in each.values
            )
        )
        for each in found
    ]
    checked = _corrected(slot, [_checked(slot, each) for each in said], words)
    if slot.want == "boolean":
        return checked
    clear = checked if slot.want == "text" else [each for each in checked if not _is_vague(slot, each, words)]
    return _affirmed(_unexcepted(clear, words), words)


def _is_vague(slot: Slot, option: Option, words: Words) -> bool:
    """Whether what follows makes it about so much ("five-ish") or a bound, where no bound is asked for."""
    at = words.ends[option.end - 1]
    if _VAGUE.match(words.text, at):
        return True
    return _BOUNDED.match(words.text, at) is not None and not slot.cues & _BOUNDS


def _unexcepted(options: list[Option], words: Words) -> list[Option]:
    """Without those that are left out of what is meant: "anything but economy"."""
    left = [match.span() for match in _EXCEPTING.finditer(words.text)] if options else []
    return [
        each for each in options if not any(start <= words.starts[each.first] < end for start, end in left)
    ]


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


def _affirmed(options: list[Option], words: Words) -> list[Option]:
    """Without those that are turned down where others are not: "not the lab but the atrium"."""
    refused = [match.span() for match in _REFUSING.finditer(words.text)]
    kept = [
        each for each in options if not any(start <= words.starts[each.first] < end for start, end in refused)
    ]
    return kept or options


def _corrected(slot: Slot, options: list[Option], words: Words) -> list[Option]:
    """Without those that the user took back: "at 3, no, at 4"."""
    for match in _CORRECTING.finditer(words.text):
        if slot.many and match[0].lower().endswith("no") and words.text[match.end() : match.end() + 1] == " ":
            # "A laptop, no monitor" leaves one out of a list.
            continue
        after = [each for each in options if words.starts[each.first] >= match.end()]
        if after:
            options = [each for each in options if words.ends[each.end - 1] > match.start()]
    return options
