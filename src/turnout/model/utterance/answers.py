"""Short answers to what the assistant asked: a plain yes or no in many languages, or the choice of an option."""

# ruff: noqa: RUF001 -- a table of words in many scripts

import re

from .words import word_set

_ANSWERS = word_set("""
    yes yeah yep yup sure ok okay okey right correct confirm confirmed agreed absolutely definitely proceed continue
    no nope nah cancel stop abort decline never
    ja jawohl jep klar gerne genau stimmt nein nee abbrechen stopp bestätigt bestätigen
    oui ouais non annuler confirmer confirme
    sí si claro vale dale cancelar confirmar confirmo
    sì va certo confermo annulla sim não nao pode claro
    jo jepp nej avbryt tak nie anuluj evet hayır tamam kyllä ei ano ne igen nem da nu
    да нет ага так ні نعم لا हाँ हां नहीं כן לא vâng không ya tidak""")
_FILLERS = word_set("""
    please thanks thank you do it go ahead that's that is fine it's good do the this one for me now of course not
    i am bitte danke mach das schon nicht s'il te vous plaît plait merci bien sûr d'accord por favor gracias per favore
    grazie obrigado bene bem pf proszę""")
_PHRASES = word_set("""
    はい いいえ うん お願いします 是 是的 好 好的
    可以 确认 确定 對 对 不 不是 不要 不用 取消 네 예 아니요 아니오""") | {
    "go ahead",
    "do it",
    "please do",
    "not now",
    "bien sûr",
    "d'accord",
    "do not",
    "don't",
}
_OPTION = re.compile(r"\A(?:option |number |nr\.? |no\. )?[#(\[]?(?:\d{1,2}|[a-h])[)\].:]?\Z")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_LONGEST = 60  # code points


def is_answer(text: str) -> bool:
    """Whether a text is nothing but a yes, a no or the choice of an option."""
    if len(text) > _LONGEST:
        return False
    plain = text.casefold().strip(" \t\n.,;:!?…。！、👍👎✅❌")
    if not plain:
        return True
    if plain in _PHRASES or _OPTION.match(plain):
        return True
    words = _WORD.findall(plain.replace("’", "'"))
    return bool(_ANSWERS.intersection(words)) and all(word in _ANSWERS or word in _FILLERS for word in words)
