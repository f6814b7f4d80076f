"""Whether a whole text is a yes or a no: "of course", "I'd rather not", "turn it off", "aber gern"."""

import re
from typing import Final

from .text import plain

_YES: Final = (
    r"y|ya|ye[ash]|yeah|yea|yep|yup|aye|sure|sure thing"
    r"|ok|okay|k|true|on|right|correct|absolutely|definitely|certainly"
    r"|of course|please|pls"
    r"|by all means|please do|do(?: it| so| that)?|go ahead|go for it|sounds good|that'?s (?:right|correct|fine)|indeed"
    r"|that (?:would|'?d) be (?:great|nice|lovely|good|perfect|fine|helpful|wonderful|ideal)"
    r"|that'?(?:ll|d) (?:be )?(?:do|great|nice|lovely|good|perfect|fine|helpful|wonderful|ideal)"
    r"|why not|avec plaisir|con (?:mucho gusto|piacere)|mit vergnugen"
    r"|i do|i would|i'?d (?:like|love) (?:that|to|it|one)|with pleasure|yes,? i do|enabled?|activated?|affirmative"
    r"|very much so|we do|we would|(?:i|we)(?:'?d| would|'?ll| will)? (?:want|need|take|like|have) (?:it|that|one)"
    r"|sign me up|count me in|i'?m in|fine (?:by|with) me|(?:that )?works(?: for me)?|happy to|gladly|great|perfect"
    r"|most definitely|for sure|you bet|naturally|obviously|totally|i think so|i (?:guess|suppose) so"
    r"|ja|jawohl|jo|klar|gern|gerne|natur?lich|sicher|aber (?:sicher|gern|klar|ja)|auf jeden fall"
    r"|unbedingt|genau|stimmt|selbstverstandlich|an|ein(?:geschaltet)?|aktiviert?|mit"
    r"|oui|bien sur|d'accord|volontiers|tout a fait|absolument|exactement|avec|active|allume"
    r"|si|claro(?: que si)?|por supuesto|vale|desde luego|de acuerdo|correcto|activado|encendido"
    r"|certo|certamente|va bene|d'accordo|volentieri|esatto|attivo|attivato|acceso"
)
_NO: Final = (
    r"n|no|nope|nah|nay|false|off|not? (?:really|necessary|needed|required|at all)|no need|absolutely not"
    r"|certainly not|definitely not|of course not|not? (?:this time|today|now)|i (?:do|would) not"
    r"|i don'?t(?: (?:want|need) (?:it|that|one|any))?|we don'?t(?: (?:want|need) (?:it|that|one|any))?"
    r"|please (?:do not|don'?t)|do(?:n'?t| not)|i'?d rather not|rather not|better not|i'?d prefer not(?: to)?|never"
    r"|no,? thank(?:s| you)|i don'?t think (?:so|(?:we|i) need (?:it|that|one))"
    r"|i don'?t think (?:it'?s|that'?s|it is|that is) (?:necessary|needed)"
    r"|not for (?:me|us)|(?:that )?(?:won'?t|will not|wouldn'?t) be (?:necessary|needed|required)"
    r"|not interested|not (?:right now|for now|yet)|count me out|i'?m out"
    r"|no way|that'?s not (?:necessary|needed)|skip (?:it|that)|leave (?:it|that) (?:out|off)|disabled?|negative"
    r"|deactivated?|without(?: (?:it|that|one))?|i'?ll (?:pass|skip (?:it|that)|do without)|none|nothing|not one"
    r"|i'?m (?:good|fine)(?: without)?|don'?t bother|hardly|not likely|under no circumstances|by no means"
    r"|nein|ne|nee|nicht(?: notig)?|auf keinen fall|lieber nicht|niemals|eher nicht|bitte nicht|ohne|keinesfalls"
    r"|(?:das )?(?:brauche|brauchen|will|mochte|wollen) (?:ich|wir) (?:das )?nicht|aus(?:geschaltet)?|deaktiviert?"
    r"|non|pas du tout|surtout pas|jamais|en aucun cas|pas besoin|ca ira|sans|desactive|eteint"
    r"|pas (?:la peine|necessaire)"
    r"|claro que no|para nada|de ninguna manera|mejor no|nunca|no hace falta|desactivado|apagado|sin"
    r"|no grazie|assolutamente no|per niente|meglio di no|mai|non (?:serve|occorre)|disattivato|spento|senza"
)
_POLITE: Final = (
    r"(?:[\s,.!-]+(?:please|thanks|thank you|thx|pls|sir|madam|mate|bitte|danke|merci|s'il (?:vous|te) plait|gracias"
    r"|por favor|grazie|per favore|then|oh|well|um|hmm|it is|do it|ok|okay))*[\s.!,]*"
)
_LEAD: Final = r"(?:(?:oh|well|um|hmm|ah|eh|please|bitte|ok|okay|mmm)[\s,.!]+)*"
# "Turn it on", "keep them off", "ausschalten".
_SWITCH: Final = (
    r"(?:please )?(?:turn|switch|keep|leave|put|have|set|make|get|i want|i'?d like)"
    r" (?:it|them|that|this|those)"
)
_SWITCHES_ON: Final = (
    rf"{_SWITCH} (?:back )?(?:on|active|activated|enabled)|(?:turn|switch) on|(?:activate|enable) (?:it|them)"
    r"|ein ?schalten|an ?(?:schalten|machen|lassen)|aktivieren|allumer|activer|encender|activar|accendere|attivare"
)
_SWITCHES_OFF: Final = (
    rf"{_SWITCH} (?:off|inactive|deactivated|disabled)|(?:turn|switch) off|(?:deactivate|disable) (?:it|them)"
    r"|aus ?(?:schalten|machen|lassen)|ab ?schalten|deaktivieren|eteindre|desactiver|apagar|desactivar|spegnere"
    r"|disattivare"
)
_IS_YES: Final = re.compile(
    rf"{_LEAD}(?:{_YES}|{_SWITCHES_ON})(?:[\s,.!]+(?:{_YES}|{_SWITCHES_ON}))*{_POLITE}", re.I
)
_IS_NO: Final = re.compile(
    rf"{_LEAD}(?:{_NO}|{_SWITCHES_OFF})(?:[\s,.!]+(?:{_NO}|{_SWITCHES_OFF}))*{_POLITE}", re.I
)
# "Yes, I'll be driving": an answer and its reason, which takes nothing of it back.
_IS_YES_BECAUSE: Final = re.compile(
    r"(?:yes|yeah|yep|yup|sure|ja|oui|si)[,.!]+ (?:i|we|it|they|there|he|she|ich|wir|je|nous)\b"
    r"(?!.*(?:\b(?:but|not|no|unless|if|or|maybe|aber|nicht|kein|mais|pas|pero|ma)\b|n't|\?))[^\n]*",
    re.I,
)
_IS_NO_BECAUSE: Final = re.compile(
    r"(?:no|nope|nah|nein|non)[,.!]+ (?:i|we|it|they|there|he|she|ich|wir|je|nous)\b"
    r"(?!.*(?:\b(?:but|unless|if|or|maybe|aber|mais|pero|ma|want|need|would|meant?)\b|'d\b|\?))[^\n]*",
    re.I,
)
_LONGEST: Final = 60


def is_agreed(text: str) -> bool | None:
    """Whether all of a text is a yes (or a no); `None` where it is neither, or both."""
    if len(text) > _LONGEST:
        return None
    bare = plain(text.strip())
    says_yes = _IS_YES.fullmatch(bare) or _IS_YES_BECAUSE.fullmatch(bare)
    says_no = _IS_NO.fullmatch(bare) or _IS_NO_BECAUSE.fullmatch(bare)
    return None if bool(says_yes) == bool(says_no) else bool(says_yes)
