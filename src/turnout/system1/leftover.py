"""What a text says beside the values that were found in it."""

import re
from typing import Final

from turnout.model.utterance.words import word_set

from .calls import Extraction

_LITTLE: Final = word_set("""
    s a an the it it's its is for to at on in of by with from and or please pls thanks i i'd i'll we me my our us
    would will like want need take have go make be that this one ok okay yes yeah um uh let's lets say just then
    maybe think probably about around best work works fine good great should can could you do der die das ein
    eine einen für am um im in bitte ich wir nehme mir le la les un une pour à au en de du s'il te plaît je el
    los por favor para el a las il lo per alle the""")
_DISCOURSE: Final = word_set("""
    sorry oops afraid i'm perhaps possibly rather instead actually better too also as well either likewise again next
    now until till no not but so hm hmm oh ah well both each all same time day was were he she him her they them until
    must i've try possible possibly even only skip without except leave out drop forget
    nur ohne seulement sans solo sin senza
    lieber doch auch nochmal plutôt aussi mejor también meglio anche""")
_WORD: Final = re.compile(r"[^\W_]+(?:['.:-][^\W_]+)*")


def blanked(text: str, found: Extraction) -> str:
    """The text with blanks in place of its values."""
    for each in found.values.values():
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text


def content_words(text: str) -> list[str]:
    """The words of a text that are more than little ones, in lower case."""
    return [word for word in _words(text) if word not in _LITTLE]


def content(text: str) -> int:
    """How many these are."""
    return len(content_words(text))


def is_bare(text: str) -> bool:
    """Whether a text has no words but little ones and those with which talk goes on ("sorry", "too", "then")."""
    return all(word in _LITTLE or word in _DISCOURSE for word in _words(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("\u2019", "'"))
