"""Truth values in a text: by an answer ("of course"), by what they are about ("without breakfast"), or by a state."""

from typing import Any, Final

from .answers import is_agreed
from .mentions import Mentions
from .option import Option
from .slots import Slot, choices_of, name_words, stem
from .states import states
from .text import Words, several

_ASKING: Final = several("do does did is are was were what which how why when will")
_ON: Final = several(
    "with enable enabled on include including want need active allow like love prefer mit avec con turn yes add take"
    " book activate"
)
_OFF: Final = several(
    "without disable disabled off exclude excluded no not don isn aren non skip never ohne sans senza sin cancel"
    " remove except"
)
_MAKING: Final = several("make keep set mark turn have")
_THINGS: Final = several("it this that them these those")
_PERSONS: Final = several("it him her them me us the everyone everybody all")
_SMALL: Final = several("a an one some please pls bitte un une una ein eine einen . !")
_MOST_SMALL: Final = 4
_FEW: Final = 4
_FAMILY: Final = 5
_AFTERWARDS: Final = frozenset({"", ".", "!", ",", "please", "thanks", "bitte", "needed", "required"})
_REFUSED: Final = several("off disabled false no not isn unnecessary excluded")
_GRANTED: Final = several("on enabled true yes included")


def boolean_options(slot: Slot, mentions: Mentions) -> list[Option]:
    """Whether a text wants what a truth value is about: by its name with a word for or against it, or by an answer."""
    words = mentions.words
    yes, no = _truths(slot)
    if _is_question(words):
        return []
    found: list[Option] = []
    for at, word in enumerate(words.words):
        if word.startswith("un") and _names(slot, word[2:]) and not _names(slot, word):
            found.append(Option(at, at + 1, (no,), 0.9))
        elif _names(slot, word) and len(word) > 2:
            before = set(words.words[max(0, at - 4) : at])
            after = set(words.words[at + 1 : at + 4])
            if before & _OFF or after & _REFUSED:
                found.append(Option(at, at + 1, (no,), 0.9))
            elif before & _ON or after & _GRANTED or _is_told(words, at):
                found.append(Option(at, at + 1, (yes,), 0.85))
    if found:
        return found
    told = states(slot, words)
    if told:
        return [Option(each.at, each.at + 1, (yes if each.holds else no,), 0.85) for each in told]
    # Who answers with yes or no answers what has to be known.
    return (_answers(words, yes, no, _described(slot)) if slot.required else []) or _whole_name(
        slot, words, yes
    )


def _names(slot: Slot, word: str) -> bool:
    """Whether a word is of the family of the parameter's name: "insurance" of `insured`."""
    return stem(word) in slot.cues or any(len(cue) >= _FAMILY and word.startswith(cue) for cue in slot.cues)


def _is_told(words: Words, at: int) -> bool:
    """Whether an adjective or a verb is said of it: "make it private", "it's private", "please notify them"."""
    before = words.words[max(0, at - 3) : at]
    if before[-1:] == ["as"]:
        before = before[:-1]
    if before[-2:-1] and before[-2] in _MAKING and before[-1] in _THINGS:
        return True
    if before[-3:-2] and before[-3] in _THINGS and before[-2:] == ["'", "s"]:
        return True
    if before[-2:-1] and before[-2] in _THINGS and before[-1] in {"is", "are", "be"}:
        return True
    begins = not before or before[-1] in {"please", "and", ",", "also"}
    return begins and words.word(at + 1) in _PERSONS | {"please", "pls", "bitte"}


def _whole_name(slot: Slot, words: Words, yes: Any) -> list[Option]:
    """A short request that says all of a name of several words, and nothing against it: "gift wrapped please"."""
    counted = len(words) - sum(word in _SMALL for word in words.words)
    if (
        counted > (8 if len(slot.cues) > 1 else 2)
        or counted < len(words) - _MOST_SMALL
        or set(words.words) & (_OFF | {"if", "?", "or"})
    ):
        return []
    said = [at for at, word in enumerate(words.words) if stem(word) in slot.cues]
    if not said or frozenset(stem(words.word(at)) for at in said) != slot.cues:
        return []  # nor of a name that gives no words to know it by, such as "on"
    return [Option(said[0], said[-1] + 1, (yes,), 0.82)]


def _is_question(words: Words) -> bool:
    """Whether it asks for a fact: "do I need insurance?" asks for none."""
    return words.word(0) in _ASKING and words.words[-1:] == ["?"]


def _answers(words: Words, yes: Any, no: Any, described: frozenset[str]) -> list[Option]:
    """The text as an answer: all of it is a yes, or a no."""
    if not len(words):
        return []
    agreed = is_agreed(words.text)
    if (
        agreed is None
        and len(words) <= _FEW
        and words.word(0) in {"no", "kein", "keine", "keinen", "ohne", "sin", "sans"}
    ):
        # "No newsletter", where the description speaks of one.
        agreed = False if stem(words.word(1)) in described and words.word(2) in _AFTERWARDS else None
    return [] if agreed is None else [Option(0, len(words), (yes if agreed else no,), 0.85)]


def _described(slot: Slot) -> frozenset[str]:
    """The stems of what the description speaks of."""
    return frozenset(
        stem(each) for each in name_words(str(slot.schema.get("description", ""))) if len(each) > 3
    )


def _truths(slot: Slot) -> tuple[Any, Any]:
    """How the slot spells true and false."""
    spelled = {str(each).casefold(): each for each in choices_of(slot.schema)}
    return spelled.get("true", True), spelled.get("false", False)
