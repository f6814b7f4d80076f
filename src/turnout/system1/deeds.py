"""Whether the verb of a request is one that an action may be asked for with.

Strategy: examples that name the same thing draw a request near, whatever is to be done with it: "wash the towels" is
near to "bring towels". Verbs of a firm meaning are known in groups that may stand for each other; one of which an
action's own words show nothing asks for something else. Verbs that may mean anything (get, make, take, set) are in no
group, and neither is what isn't known.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from turnout.model.utterance.words import pattern, word_set

from . import phrases_framing
from .clauses import lowered

_LEAST: Final = 3  # examples
_GROUPS: Final = """
    cancel scrap withdraw revoke annul void abort delete remove erase discard wipe purge trash terminate drop
        retract undo end stop quit clear kill dismiss close deactivate disable unsubscribe lose leave
    close shut end finish lock conclude resolve settle seal turn switch off
    lock block freeze disable deactivate suspend secure seal close shut ban stop
    unlock unblock unfreeze reactivate enable activate restore resume reopen
    move shift reschedule postpone delay change update modify edit adjust amend correct rename swap switch replace
        reassign alter relocate convert set make put push
    upgrade update refresh
    buy purchase acquire order get
    sell
    clean wash mop dust vacuum polish sweep scrub tidy rinse
    paint decorate
    repair fix mend
    convert exchange translate change
    split divide separate
    merge combine join unite consolidate link
    request claim demand ask
    restore recover undo revert rollback retrieve
    reset reinitialize restart reboot
    restart reboot bounce relaunch reload reset
    install deploy launch set
    uninstall
    deploy release roll publish launch install
    migrate move port
    hire recruit
    fire sack
    invite
    insure
    harvest
    plant sow
    rate review evaluate score assess
    recommend suggest
    compare
    upload import
    export download save
    import upload load
    archive
    rename relabel retitle change
    approve accept grant allow authorize authorise permit
    reject decline refuse deny
    refund reimburse repay return
    return refund send
    renew extend prolong lengthen
    extend renew prolong lengthen postpone
    copy duplicate clone
    encrypt
    cook bake
    build construct assemble
    forecast predict estimate
    audit
    sterilize
    tow
"""
_ANYTHING: Final = word_set("""
    get make put set turn send off order stop drop leave lose push ask switch update save launch end finish clear quit
    release""")
"""Verbs of the table that by themselves may ask for nearly anything."""
_WORD: Final = re.compile(r"[a-z]+")
_UNABLE: Final = re.compile(
    r"\b(?:[\w-]+ ){1,3}(?:can'?t|cannot|can not|couldn'?t|won'?t|will not|(?:am|is|are)(?: not|n't) able to)"
    r" (?:\w+ly )?([a-z]+)\b"
)
_HEAD: Final = re.compile(r"([a-z]+)(?= \S)")


class Deeds:
    """The groups of verbs that each action's own words show."""

    __slots__ = ("_shown", "_words")

    def __init__(
        self, shown: Mapping[str, frozenset[int]], words: Mapping[str, frozenset[str]] | None = None
    ) -> None:
        self._shown = shown
        self._words = words or {}

    @classmethod
    def learn(cls, examples: Mapping[str, Iterable[str]], about: Mapping[str, Iterable[str]]) -> "Deeds":
        """From the examples of actions, and from what is said about them."""
        shown: dict[str, frozenset[int]] = {}
        worded: dict[str, frozenset[str]] = {}
        for action, texts in examples.items():
            own = tuple(texts)
            if len(own) >= _LEAST:
                words = {
                    word for text in (*own, *about.get(action, ())) for word in _WORD.findall(text.lower())
                }
                shown[action] = frozenset(group for word in words for group in _groups_of(_verb(word)))
            if not any(_UNABLE.search(text.lower()) for text in own):
                worded[action] = frozenset(word for text in own for word in _WORD.findall(text.lower()))
        return cls(shown, worded)

    def unable(self, action_id: str, told: str) -> bool:
        """Whether a statement says that somebody can't do what the action's examples say: "I can't work from home".

        An action with an example that says so is asked for in this way.
        """
        found = _UNABLE.match(lowered(told))
        return found is not None and found[1] in self._words.get(action_id, frozenset())

    def objects(self, action_id: str, said: str) -> str:
        """Why the verb with which a clause begins isn't one of the action's, `""` when nothing speaks against it."""
        shown = self._shown.get(action_id)
        if shown is None:
            return ""
        verb = head(said)
        groups = frozenset[int]() if verb in _ANYTHING else _groups_of(verb)
        return f'the action is not asked for with "{verb}"' if groups and not groups & shown else ""


def head(said: str) -> str:
    """The word with which a clause asks, after greetings and politeness."""
    low = lowered(said)
    at = 0
    for source in (phrases_framing.FILLERS, phrases_framing.REQUESTERS, phrases_framing.FILLERS):
        found = pattern(source).match(low, at)
        at = at if found is None else found.end()
    word = _HEAD.match(low, at)
    return "" if word is None else word[1]


def _verb(word: str) -> str:
    """The bare form of a word that may be a form of a verb in the table."""
    table = _table()
    if word in table:
        return word
    for ending, instead in (
        ("ing", ""),
        ("ing", "e"),
        ("ed", ""),
        ("d", ""),
        ("s", ""),
        ("es", ""),
        ("lation", ""),
        ("al", ""),
    ):
        if word.endswith(ending) and word[: -len(ending)] + instead in table:
            return word[: -len(ending)] + instead
    bare = re.sub(r"([a-z])\1(?:ing|ed)\Z", r"\1", word)
    return bare if bare in table else ""


def _groups_of(verb: str) -> frozenset[int]:
    return _table().get(verb, frozenset())


@cache
def _table() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, row in enumerate(re.split(r"\n    (?! )", _GROUPS)):
        for verb in row.split():
            found.setdefault(verb, set()).add(number)
    return {verb: frozenset(numbers) for verb, numbers in found.items()}
