"""Whether the verb of a request is one that an action may be asked for with.

Strategy: examples that name the same thing draw a request near, whatever is to be done with it: "wash the towels" is
near to "bring towels". Verbs of a firm meaning are known in groups that may stand for each other; one of which an
action's own words show nothing asks for something else. Verbs that may mean anything (get, make, take, set) are in no
group, and neither is what isn't known.
"""

import re
from collections.abc import Iterable, Mapping, Set
from functools import cache
from typing import Final

from turnout.model.utterance.words import pattern, word_set

from . import phrases_framing
from .clauses import lowered
from .verbs import IMPERATIVES

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
_AGAIN: Final = re.compile(r"\A(?:re|un)-?(?=\w{3})")
_DETERMINED: Final = ("the ", "my ", "our ")
_HEAD: Final = re.compile(r"([a-z]+)(?= \S)")


_RELAYED: Final = re.compile(
    r"(?P<verb>tell|ask|get|remind|instruct|urge|beg|advise|persuade|convince|message|text|e-?mail|ping|nudge|call)"
    r" (?P<whom>(?:(?:the|my|our) )?[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,2}?)"
    r" (?:(?:please |kindly |not |never )*to|that (?:he|she|they|we|i) (?:should|must|can|has to|have to|needs? to))"
    r" (?=[^\W\d_]+ \S)"
)
"""Words that hand a request on to somebody else: "tell Ben to order tomatoes"."""
_HANDING: Final = word_set("""
    tell ask message text notify notification inform email mail write ping contact remind nudge instruct advise warn
    delegate""")
_HANDS: Final[Mapping[str, frozenset[str]]] = {
    "remind": word_set("""
        remind reminder reminders remember forget note notes task tasks todo todos to-do alarm nudge notify notification
        memo"""),
    "get": word_set("delegate assign instruct"),
}
"""What an action says of itself that does so too, by the verb, and for all others."""


class Deeds:
    """The groups of verbs that each action's own words show."""

    __slots__ = ("_shown", "_told", "_words")

    def __init__(
        self,
        shown: Mapping[str, frozenset[int]],
        words: Mapping[str, frozenset[str]] | None = None,
        told: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self._shown = shown
        self._words = words or {}
        self._told = told or {}

    @classmethod
    def learn(cls, examples: Mapping[str, Iterable[str]], about: Mapping[str, Iterable[str]]) -> "Deeds":
        """From the examples of actions, and from what is said about them."""
        shown: dict[str, frozenset[int]] = {}
        worded: dict[str, frozenset[str]] = {}
        told: dict[str, frozenset[str]] = {}
        for action, texts in examples.items():
            own = tuple(texts)
            said = (*own, *about.get(action, ()))
            words = told[action] = frozenset(word for text in said for word in _WORD.findall(text.lower()))
            if len(own) >= _LEAST:
                shown[action] = frozenset(group for word in words for group in _groups_of(_verb(word)))
            if not any(_UNABLE.search(text.lower()) for text in own):
                worded[action] = frozenset(word for text in own for word in _WORD.findall(text.lower()))
        return cls(shown, worded, told)

    def unable(self, action_id: str, told: str) -> bool:
        """Whether a statement says that somebody can't do what the action's examples say: "I can't work from home".

        An action with an example that says so is asked for in this way.
        """
        found = _UNABLE.match(lowered(told))
        return found is not None and found[1] in self._words.get(action_id, frozenset())

    def objects(self, action_id: str, said: str) -> str:
        """Why the verb with which a clause begins isn't one of the action's, `""` when nothing speaks against it."""
        low, at = _headed(said)
        handed = _RELAYED.match(low, at)
        if handed is not None and self._is_handed_on(action_id, handed):
            return f'it is to be done by "{handed["whom"]}"'
        shown = self._shown.get(action_id)
        if shown is None:
            return ""
        verb = head(said)
        groups = frozenset[int]() if verb in _ANYTHING else _groups_of(verb)
        return f'the action is not asked for with "{verb}"' if groups and not groups & shown else ""

    def _is_handed_on(self, action_id: str, handed: re.Match[str]) -> bool:
        """Whether somebody else is to do it, and the action neither tells people things nor is that somebody."""
        told = self._told.get(action_id, frozenset())
        if not told or _HANDS.get(handed["verb"], _HANDING) & told:
            return False
        whom = _WORD.findall(handed["whom"])
        return not (handed["whom"].startswith(_DETERMINED) and whom[-1] in told)


def head(said: str) -> str:
    """The word with which a clause asks, after greetings and politeness."""
    low, at = _headed(said)
    word = _HEAD.match(low, at)
    return "" if word is None else word[1]


def _headed(said: str) -> tuple[str, int]:
    """A clause in lower case, and where it begins after greetings and politeness."""
    low = lowered(said)
    at = 0
    for source in (phrases_framing.FILLERS, phrases_framing.REQUESTERS, phrases_framing.FILLERS):
        found = pattern(source).match(low, at)
        at = at if found is None else found.end()
    return low, at


def is_form_of_verb(word: str) -> bool:
    """Whether a lower-case word is a form of a verb that asks for something, or of that verb with "re" or "un"."""
    bare = _AGAIN.sub("", word)
    return bool(_bare(word, IMPERATIVES) or _verb(word) or _bare(bare, IMPERATIVES) or _verb(bare))


def _verb(word: str) -> str:
    """The bare form of a word that may be a form of a verb in the table."""
    return _bare(word, _table().keys())


def _bare(word: str, table: Set[str]) -> str:
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
