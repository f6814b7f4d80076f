"""Truth values that are told by a state or its opposite: "switch it off", "close gate 4", "unlock the door".

Strategy: states come in pairs. A parameter is about a pair when its name ends with one of its words (`on`, `is_open`,
`locked`), or when its description says which word is true; then a text that has one of the two words tells it.
"""

import re
from functools import cache
from typing import Final, NamedTuple

from .slots import Slot, name_words
from .text import Words, plain, several

_PAIRS: Final = """
    on enable enables enabled enabling activate activated active start started running live
        | off disable disables disabled disabling deactivate deactivated inactive stop stopped
    open opens opened opening | close closes closed closing shut shuts
    lock locks locked locking | unlock unlocks unlocked unlocking
    mute mutes muted muting silence silenced | unmute unmutes unmuted
    pause pauses paused pausing suspend suspended | resume resumes resumed unpause
    freeze freezes frozen block blocked | unfreeze unfreezes unblock unblocked
    public | private
    visible show shown | hidden hide
    paid | unpaid
    read | unread
    archived archive | unarchive unarchived restore restored
    allow allows allowed permit permitted | forbid forbids forbidden ban banned prohibit prohibited
    include includes included | exclude excludes excluded
    subscribe subscribed | unsubscribe unsubscribed
    publish published | unpublish unpublished
    approve approved accept accepted | reject rejected decline declined refuse refused deny denied
    up raise raised | down lower lowered
"""
_BY_NAME_ALONE: Final = several("up read")
"""Too common in other senses to be known by a name that ends with them."""
_TRUE: Final = re.compile(
    r"\b(?:true|yes)\b\W*(?:to|for|if|means?|when|is)?\W*((?:\w+ ?){1,4})", re.IGNORECASE
)
_FALSE: Final = re.compile(
    r"\b(?:false|no)\b\W*(?:to|for|if|means?|when|is)?\W*((?:\w+ ?){1,4})", re.IGNORECASE
)
_EITHER: Final = re.compile(r"\b(\w+)(?: or |/)(\w+)\b")
_SWITCHING: Final = several("turn switch put power flip set go keep leave turned switched turns bring get")
_FOLLOWS: Final = several(
    "for in at and please again now too as from until also then , . ; ! ? by with after"
)
_AGAINST: Final = several("not don doesn never without no isn")
_AFTER_ALL: Final = several("forget hesitate fail")
_BEFORE: Final = 6  # words


class State(NamedTuple):
    """A word that tells a truth value: where it stands, and which."""

    at: int
    holds: bool


def states(slot: Slot, words: Words) -> list[State]:
    """The words of a text that tell a parameter's truth, in order; none for one that is about no state."""
    known = _known(slot.path[-1], str(slot.schema.get("description") or ""))
    if known is None:
        return []
    found: list[State] = []
    for at, word in enumerate(words.words):
        holds = True if word in known[0] else False if word in known[1] else None
        if holds is None or (word in ("on", "up") and not _is_particle(words, at)):
            continue
        before = set(words.words[max(0, at - _BEFORE) : at])
        if not before & _AGAINST or before & _AFTER_ALL:
            found.append(State(at, holds))
    return found


def _is_particle(words: Words, at: int) -> bool:
    """Whether "on" belongs to a verb ("switch it on", "turn on the light") and leads to no place and no day."""
    before, following = words.word(at - 1), words.word(at + 1)
    if before in _SWITCHING:
        return True
    return not following or following in _FOLLOWS


@cache
def _known(name: str, described: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The words for true and those for false, `None` for a parameter that is about no state."""
    last = name_words(name)[-1:]
    for one, other in _pairs():
        if last and last[0] not in _BY_NAME_ALONE and last[0] in one | other:
            return (one, other) if last[0] in one else (other, one)
    true, false = _TRUE.search(described), _FALSE.search(described)
    said_true = _words_of(true)
    said_false = _words_of(false)
    for one, other in _pairs():
        if one.intersection(said_true) or other.intersection(said_false):
            return one, other
        if other.intersection(said_true) or one.intersection(said_false):
            return other, one
    for either in _EITHER.finditer(described.lower()):
        for one, other in _pairs():
            if either[1] in one and either[2] in other:
                return one, other
    return None


def _words_of(said: re.Match[str] | None) -> frozenset[str]:
    return frozenset() if said is None else frozenset(plain(each) for each in said[1].split())


@cache
def _pairs() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    rows = re.split(r"\n    (?! )", _PAIRS.strip("\n"))
    sides = (row.split("|") for row in rows)
    return tuple((several(one), several(other)) for one, other in sides)
