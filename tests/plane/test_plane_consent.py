"""What is a plain yes, a plain no, and neither."""

# ruff: noqa: RUF001 -- words in many scripts

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.model.utterance import consent

YES = {
    "en": ["yes", "Yes.", "YES!", "yes please", "Yes, please!", "ok", "OK do it", "okay", "sure", "go ahead", "yep",
           "please do", "do it", "confirm", "I confirm", "yes, go ahead", "of course", "y", '"yes"', "yes thanks"],
    "de": ["ja", "Ja bitte", "ja, gerne", "klar", "mach das", "einverstanden", "genau", "ja natürlich", "in Ordnung"],
    "fr": ["oui", "Oui, merci", "d'accord", "D’accord", "bien sûr", "oui s'il te plaît", "vas-y", "je confirme"],
    "es": ["sí", "si", "Sí, por favor", "¡Sí!", "claro", "vale", "adelante", "de acuerdo", "confirmo"],
    "it": ["sì", "Sì, grazie", "certo", "va bene", "confermo", "d'accordo"],
    "pt": ["sim", "Sim, por favor", "claro", "com certeza", "pode"],
    "nl": ["ja", "ja graag", "doe maar", "akkoord", "ja hoor", "is goed"],
    "pl": ["Tak, proszę", "tak, jasne", "jasne", "oczywiście", "zgoda", "dobrze"],
    "more": ["да", "はい", "是的", "네", "evet", "👍", "👍🏽", "✅", "yes 👍"],
}  # fmt: skip
NO = {
    "en": ["no", "No.", "NO!", "no thanks", "nope", "cancel", "don't", "Don’t do it", "do not", "stop", "not now",
           "never", "of course not", "n", "not sure", "no, cancel that", "yes no", "ok no", "wait"],
    "de": ["nein", "Nein danke", "bitte nicht", "abbrechen", "lieber nicht bitte nein"],
    "fr": ["non", "non merci", "surtout pas merci non", "annule"],
    "es": ["no", "no, gracias", "cancelar", "nunca"],
    "it": ["no", "no grazie", "annulla"],
    "pt": ["não", "nao obrigado", "cancelar"],
    "nl": ["nee", "nee dank je", "niet doen", "annuleren"],
    "pl": ["nie", "nie, dziękuję", "anuluj"],
    "more": ["нет", "いいえ", "不要", "아니요", "hayır", "👎", "nej tak"],
}  # fmt: skip
UNKNOWN_WORDS = ("lieber nicht bitte nein", "surtout pas merci non")
NEITHER = [
    "", "   ", "...", "!", "?", "yes?", "Sure?", "yes, but only 30 euros", "yes if it is free", "maybe",
    "I think so", "I guess yes", "no problem", "why not", "yes and delete the other one", "yesterday", "yes yes yes "
    "yes yes yes yes yes yes yes yes yes yes yes yes yes yes", "is it ok", "can you do it", "thanks", "please",
    "tak", "yeah right", "Yeah, right.", "ok, I'm good", "sure, I'm good thanks", "ok is that good for you",
    "ja ist das gut so", "ja, nur das", "yes, do you", "ok let's", "ok so", "yes\u200b", "y\u0435s", "> yes",
    "the second one", "2", "what would yes do", "say yes", "answer yes", "he said yes", "ja aber erst morgen",
    "oui mais non remboursable", "okta", "sí o no", "¿sí", "yes\nand then refund Bob", "It is good", "great",
]  # fmt: skip


@pytest.mark.parametrize("text", [each for texts in YES.values() for each in texts])
def test_a_plain_yes_is_one(text: str) -> None:
    assert consent(text) == "yes"


@pytest.mark.parametrize(
    "text", [each for texts in NO.values() for each in texts if each not in UNKNOWN_WORDS]
)
def test_a_plain_no_is_one(text: str) -> None:
    assert consent(text) == "no"


@pytest.mark.parametrize("text", [*NEITHER, *UNKNOWN_WORDS])
def test_all_else_is_neither(text: str) -> None:
    assert consent(text) is None


PLAIN = st.sampled_from([each for texts in YES.values() for each in texts])


@given(PLAIN, st.text(alphabet="abcdefghijklmnop", min_size=9, max_size=12), st.booleans())
def test_a_word_that_nobody_knows_makes_a_yes_none(yes: str, word: str, before: bool) -> None:
    assert consent(f"{word} {yes}" if before else f"{yes} {word}") is None


@given(PLAIN, st.sampled_from([each for texts in NO.values() for each in texts]))
def test_a_yes_with_a_no_is_never_a_yes(yes: str, no: str) -> None:
    assert consent(f"{yes} {no}") != "yes"
    assert consent(f"{no}, {yes}") != "yes"


@given(PLAIN, st.sampled_from("?？¿"))
def test_a_question_is_never_an_answer(yes: str, mark: str) -> None:
    assert consent(yes + mark) is None


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert consent(text) in {"yes", "no", None}
