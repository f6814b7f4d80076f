"""Wordings of each form of speech, as tables: English thoroughly, the commonest of four other languages.

A wording is the source of a regular expression over lower-case text with plain quotes. Those of `OPENING` are
compared with the beginning of a clause, greetings and "please" taken off; those of `phrases_whole` are searched for
in a whole text. `phrases_foreign` has those of other languages, `phrases_framing` what stands around a clause.
"""

from typing import Final

from .phrases_asking import ASKING
from .phrases_telling import TELLING

_ORDER: Final = (
    "courtesy example capability how-to why explanation feasibility advice negation retreat condition hypothetical wish"
    " reported past plan transformation sarcasm lookup"
)
OPENING: Final[dict[str, tuple[str, ...]]] = {form: {**ASKING, **TELLING}[form] for form in _ORDER.split()}
"""What a clause does when it begins so; where several forms fit, the first counts."""
