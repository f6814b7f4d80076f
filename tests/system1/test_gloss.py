"""Requests of other languages word by word in English."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnout.system1.gloss import gloss
from turnout.system1.speech import forms


@pytest.mark.parametrize(
    ("text", "english", "tongue"),
    [
        ("Storniere die Bestellung B-12", "cancel the order B-12", "german"),
        ("Mach das Licht im Zimmer 3 aus", "turn off the light in room 3", "german"),
        ("Weck mich um 6", "wake me at 6", "german"),
        ("annule la réservation A-1", "cancel the reservation A-1", "french"),
        ("envoie l'extrait à Zoé", "send the extrait to Zoé", "french"),
        ("cancela el pedido 7", "cancel the order 7", "spanish"),
        ("stampa le etichette", "print the labels", "italian"),
    ],
)
def test_the_words_of_a_request_are_known(text: str, english: str, tongue: str) -> None:
    found = gloss(text)

    assert found is not None
    assert (found.text, found.tongue) == (english, tongue)


@pytest.mark.parametrize(
    ("text", "known", "english"),
    [
        ("Storniere den Termin am Donnerstag", "", "cancel the appointment am Thursday"),
        ("Storniere den Termin", "cancel the visit", "cancel the visit"),
        ("Öffne Tor 3", "open door 3", "open door 3"),
        ("Buche eine Geigenstunde", "violin lesson", "book a violin lesson"),
        ("paie la facture de mars", "the invoice of May", "pay the invoice of March"),
        ("reserva una sala para mañana", "a hall", "reserve a hall for tomorrow"),
    ],
)
def test_of_several_english_words_the_one_that_the_application_uses_is_taken(
    text: str, known: str, english: str
) -> None:
    found = gloss(text, frozenset(known.lower().split()))

    assert found is not None
    assert found.text == english


def test_words_that_are_known_lose_their_capital_and_names_keep_it() -> None:
    text = "Kannst du bitte den Termin von Rex am Freitag absagen?"
    found = gloss(text)

    assert found is not None
    assert found.uncapitalised(text) == "Kannst du bitte den termin von Rex am freitag absagen?"


@pytest.mark.parametrize(
    "text",
    [
        "cancel my order",
        "what's the weather in Paris",
        "no, 25 not 20",
        "play la vie en rose",
        "",
        "10 minutes",
    ],
)
def test_english_is_left_alone(text: str) -> None:
    assert gloss(text) is None


@settings(max_examples=60)
@given(st.text(max_size=60), st.sampled_from(["storniere die {} bitte", "annule la {}", "cancella il {}"]))
def test_what_isn_t_known_stays_and_every_word_tells_where_it_comes_from(word: str, frame: str) -> None:
    text = frame.format(word)
    found = gloss(text)

    if found is not None:
        for start, end, first, last in found.places:
            assert 0 <= start < end <= len(found.text)
            assert 0 <= first < last <= len(text)
            assert found.origin(start, end)[0] <= first


@pytest.mark.parametrize(
    "text",
    [
        "Wer genehmigt meinen Urlaub?",
        "Wann kommt das Paket?",
        "Combien coûte la livraison ?",
        "¿Cuándo llega el paquete?",
        "Quanto costa la consegna?",
        "Funktioniert die Pumpe?",
    ],
)
def test_a_question_of_another_language_asks_for_facts_at_most(text: str) -> None:
    assert forms(text)


@pytest.mark.parametrize(
    "text",
    ["Kannst du die Bestellung stornieren?", "Peux-tu annuler la commande ?", "¿Puedes cancelar el pedido?"],
)
def test_a_polite_question_of_another_language_is_a_request(text: str) -> None:
    assert forms(text) == frozenset()
