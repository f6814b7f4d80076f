"""Whether somebody's words are a plain yes or a plain no.

Strategy: a yes is only a yes when nothing else is said. Every word must be known, at least one must agree, none may
refuse; a condition, a doubt, a question or an unknown word makes it neither. What sounds like yes in one language and
no in another is never a yes by itself.
"""

# ruff: noqa: RUF001 -- a table of words in many scripts

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from .words import word_set

Consent: TypeAlias = Literal["yes", "no"] | None


YES: Final = word_set("""
    yes yeah yep yup aye sure ok okay okey affirmative absolutely definitely certainly proceed confirm confirmed
    agreed approve approved
    ja jawohl jep jup jo klar gerne genau einverstanden bestätige bestätigt los
    oui ouais ouaip volontiers vas-y allez-y confirme confirmé
    sí si claro vale dale adelante hazlo hágalo confirmo confirmado
    sì certo certamente confermo confermato procedi proceda
    sim pode confirmar continue faça prossiga
    hoor graag doen akkoord zeker bevestig bevestigd
    jasne jasno oczywiście zgoda potwierdzam pewnie dobra dobrze
    да ага угу конечно подтверждаю так
    evet tamam kyllä jepp absolut áno ano igen da
    はい うん ええ お願いします 是 是的 好 好的 可以 行 确认 確認 确定 確定 對 对 네 예 응
    हाँ हां نعم כן
    👍 ✅ 👌""")
NO: Final = word_set("""
    no nope nah never cancel stop abort decline declined don't dont not negative wait
    nein nee nö ne niemals nicht abbrechen abbruch stopp halt
    non annuler annule annulez jamais pas arrête arrêtez
    nunca cancela cancelar cancele
    annulla annullare mai ferma fermati
    não nao jamais pare
    neen niet annuleren annuleer nooit
    nie anuluj stój przestań
    нет не отмена ні
    hayır ei nej inte ikke nei nu
    いいえ いや いえ やめて 不 不是 不要 不用 不行 取消 别 아니 아니요 아니오 취소
    नहीं لا לא
    👎 ❌ 🚫 ✋""")
SMALL: Final = word_set("""
    please thanks thank you do it go ahead that that's is fine good great the this for me now of course all
    alright very much i am i'm perfect thing with
    bitte danke mach machen das es so gut sicher natürlich dank dir ihnen schon jetzt ist in ordnung ich bin
    s'il te vous plaît plait merci bien sûr sur d'accord c'est bon parfait fais-le faites-le je le la
    por favor gracias está esta bien de acuerdo supuesto lo
    per favore grazie va bene fallo d'accordo
    obrigado obrigada favor isso tudo bem com certeza claro
    dank je u wel maar is goed ga je gang alstublieft alsjeblieft doe het dat prima natuurlijk
    tak proszę dziękuję dzięki bardzo zrób to
    пожалуйста спасибо хорошо давай давайте""")
_PHRASES: Final[dict[str, Consent]] = {
    "go ahead": "yes",
    "please do": "yes",
    "please go ahead": "yes",
    "do it": "yes",
    "please do it": "yes",
    "go for it": "yes",
    "of course": "yes",
    "all right": "yes",
    "that is right": "yes",
    "that's right": "yes",
    "correct": "yes",
    "that is correct": "yes",
    "that's correct": "yes",
    "exactly": "yes",
    "sounds good": "yes",
    "looks good": "yes",
    "alright": "yes",
    "let's do it": "yes",
    "do that": "yes",
    "do so": "yes",
    "carry on": "yes",
    "fine by me": "yes",
    "fine by us": "yes",
    "fine with me": "yes",
    "fine with us": "yes",
    "works for me": "yes",
    "works for us": "yes",
    "i'm sure": "yes",
    "i am sure": "yes",
    "i'm certain": "yes",
    "i am certain": "yes",
    "quite sure": "yes",
    "absolutely sure": "yes",
    "that's the one": "yes",
    "make it so": "yes",
    "stimmt": "yes",
    "das stimmt": "yes",
    "passt": "yes",
    "das passt": "yes",
    "mach mal": "yes",
    "mach ruhig": "yes",
    "ich bin sicher": "yes",
    "c'est ça": "yes",
    "c'est exact": "yes",
    "c'est correct": "yes",
    "ça marche": "yes",
    "ça me va": "yes",
    "je suis sûr": "yes",
    "je suis sûre": "yes",
    "correcto": "yes",
    "es correcto": "yes",
    "así es": "yes",
    "exacto": "yes",
    "estoy seguro": "yes",
    "estoy segura": "yes",
    "me parece bien": "yes",
    "esatto": "yes",
    "giusto": "yes",
    "è corretto": "yes",
    "sono sicuro": "yes",
    "sono sicura": "yes",
    "mi va bene": "yes",
    "mach das": "yes",
    "mach es": "yes",
    "nur zu": "yes",
    "bitte": "yes",
    "natürlich": "yes",
    "in ordnung": "yes",
    "d'accord": "yes",
    "bien sûr": "yes",
    "c'est bon": "yes",
    "por supuesto": "yes",
    "de acuerdo": "yes",
    "está bien": "yes",
    "va bene": "yes",
    "d'accordo": "yes",
    "com certeza": "yes",
    "tudo bem": "yes",
    "doe maar": "yes",
    "is goed": "yes",
    "ga je gang": "yes",
    "natuurlijk": "yes",
    "prima": "yes",
    "proszę": "yes",
    "tak proszę": "yes",  # "tak" by itself is yes in Polish, no in Malay and thanks in Danish
    "tak tak": "yes",
    "хорошо": "yes",
    "давай": "yes",
    "ist in ordnung": "yes",
    "y": "yes",
    "j": "yes",
    "n": "no",
}
_ASKING: Final = frozenset({"is", "ist", "est", "are", "can", "may", "should"})
"""A text that begins so is a question, with or without its mark."""

_TURNS: Final = re.compile(
    r"\b(?:is (?:it|that|this|the)|ist (?:das|es)|do you"
    r"|am i)\b"  # a question after all: "ok is that good for you"
    r"|\b(?:i'm|i am) (?:good|fine|great|perfect)\b"  # thanks for nothing
    r"|\bso\Z"  # goes on
)
"""What makes words that would agree mean something else."""

_LONGEST: Final = 60
"""In code points; a longer text says more than yes or no."""

_WORD: Final = re.compile(r"[^\s,.;:!…。！、，・¡\"“”„()\[\]*_]+")
_STOP: Final = re.compile(r"[,.;:!\u2026\u3002\uff01\u3001\uff0c]+|\s-+\s")
_SEVERAL: Final = 2
_QUESTION: Final = frozenset("?？¿؟")


def consent(text: str) -> Consent:
    """`yes` or `no` when the text is plainly that and nothing else, in any of some twenty languages; else `None`."""
    if len(text) > _LONGEST or _QUESTION.intersection(text):
        return None
    plain = unicodedata.normalize("NFC", text).casefold().replace("’", "'")
    # A skin tone or a variation selector changes the look of a sign only.
    plain = "".join(sign for sign in plain if sign != "\ufe0f" and not "\U0001f3fb" <= sign <= "\U0001f3ff")
    said = " ".join(_WORD.findall(plain))
    if said in _PHRASES:
        return _PHRASES[said]
    return _in_pieces(plain) or _of_words(said.split())


def _in_pieces(plain: str) -> Consent:
    """A yes that is said twice or with thanks, each piece a yes by itself: "that is correct, please proceed"."""
    pieces = [" ".join(words) for piece in _STOP.split(plain) if (words := _WORD.findall(piece))]
    if len(pieces) < _SEVERAL:
        return None
    agreeing = [piece in _PHRASES or _of_words(piece.split()) == "yes" for piece in pieces]
    known = all(
        yes or all(word in SMALL for word in piece.split())
        for yes, piece in zip(agreeing, pieces, strict=True)
    )
    refused = any(_PHRASES.get(piece) == "no" for piece in pieces) or _TURNS.search(" ".join(pieces))
    return "yes" if known and any(agreeing) and not refused else None


def _of_words(words: Sequence[str]) -> Consent:
    if not words or words[0] in _ASKING:
        return None
    if not all(word in YES or word in NO or word in SMALL for word in words):
        return None
    if any(word in NO for word in words):
        return "no"
    return "yes" if any(word in YES for word in words) and _TURNS.search(" ".join(words)) is None else None
