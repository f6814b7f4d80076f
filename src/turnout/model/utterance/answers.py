"""Short answers to what the assistant asked: a plain yes or no in many languages, or the choice of an option."""

# ruff: noqa: RUF001 -- a table of words in many scripts

import re

from .words import word_set
from .yes_no import NO, SMALL, YES

_ANSWERS = (
    YES
    | NO
    | word_set("""
    avbryt bestätigen confirmer correct không nem right stimmt tak tidak va vâng ya""")
)
_FILLERS = SMALL | word_set("it's one pf")
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
