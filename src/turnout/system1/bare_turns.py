"""What a turn says itself, without the words around it: courtesy, reasons, what takes back and what is denied."""

import re
from typing import Final

from turnout.model.utterance.words import pattern

from . import phrases_followup, phrases_framing
from .speech import BACKGROUND, Speech, speech

_PLANS: Final = re.compile(
    r"(?:i|we)(?:['\u2019](?:d|ll)| would| will| have to| must| should)\b", re.IGNORECASE
)


def question_in(after: str) -> str:
    """The last question of the assistant's, `""` when it's one for a value or none at all."""
    asked = re.findall(r"[^.!?\n]+\?", re.sub(r"(?<=\d)[.](?=\d)", "\u2024", after))
    question = asked[-1].strip().replace("\u2024", ".") if asked else ""
    return "" if pattern(phrases_followup.FOR_A_VALUE, re.IGNORECASE).match(question) else question


def without_courtesy(text: str, heard: Speech) -> str:
    """The text without thanks and greetings at its ends."""
    kept = [clause for clause in heard.clauses if clause.form != "courtesy"]
    return text[kept[0].start : kept[-1].end] if kept else text


def without_background(text: str, heard: Speech) -> str:
    """The text without clauses that tell why it is said: "8000! I missed a zero"."""
    kept = [clause for clause in heard.clauses if not clause.states and clause.form not in BACKGROUND]
    if not kept or len(kept) == len(heard.clauses):
        return text
    return ", ".join(text[clause.start : clause.end] for clause in kept)


def without_cue(text: str, low: str) -> str:
    """What a correction says itself, behind the words that it begins with: "wrong car, I meant L-3310"."""
    cue = pattern(phrases_followup.CORRECTS).match(low)
    meant = pattern(phrases_followup.MEANT).search(low, 0 if cue is None else cue.end())
    if meant is not None and _is_denied(text, meant.start()):
        return text
    if meant is not None and not speech(text[: meant.start()]).asks:
        text = text[meant.end() :]
    elif cue is not None:
        text = text[cue.end() :]
    return text


def _is_denied(text: str, at: int) -> bool:
    """Whether a place stands within what is refused: "don't make it 60"."""
    return any(each.form == "negation" and each.start < at < each.end for each in speech(text).clauses)


def only_denies(heard: Speech) -> bool:
    """Whether nothing is said but what is not wanted: "not Ann"."""
    said = {clause.form for clause in heard.clauses} - {"courtesy"}
    return bool(said) and said <= {"negation", "retreat"}


def only_plans(text: str, heard: Speech) -> bool:
    """Whether nothing is said but what somebody will do: "I'd rather ask Bo first"."""
    said = [clause for clause in heard.clauses if clause.form != "courtesy"]
    return bool(said) and all(
        clause.form == "plan" or (clause.states and _PLANS.match(text, clause.begins) is not None)
        for clause in said
    )


def without_denied(text: str) -> tuple[str, str]:
    """The text without what is not meant, and that."""
    denied = pattern(phrases_followup.NOT_TAIL, re.IGNORECASE).search(text)
    rest = pattern(phrases_followup.NOT_TAIL, re.IGNORECASE).sub("", text)
    instead = pattern(phrases_framing.INSTEAD, re.IGNORECASE).search(rest)
    rest = pattern(phrases_framing.INSTEAD, re.IGNORECASE).sub("", rest)
    rest = pattern(phrases_followup.TAIL, re.IGNORECASE).sub("", rest)
    return rest, " ".join(each[0] for each in (denied, instead) if each is not None)
