"""Where a text takes back what it asked for: "... no wait, scratch that", "... ach nee, lass mal".

Strategy: a withdrawal is made of few words. Behind a stop or a joint stands nothing any more but words with which
one hesitates and at least one phrase that takes back; a further word makes it something else ("scratch that, 15").
"""

from typing import Final

from turnout.model.utterance.words import pattern

_HESITATING: Final = (
    r"actually|wait(?: a (?:sec|second|minute|moment))?|hold on|hang on|hm+|h+mm+|oh|ah+|uh+|um+|er+m?|eh"
    r"|sorry|lol"
    r"|ha(?:ha)+|well|ok|okay|or|but|and|on second thoughts?|come to think of it|rather|better|then|please"
    r"|pls|thanks"
    r"|thank you|now|for now|yet|today|after all|instead|maybe|perhaps|i think|i guess|you know what|my bad"
    r"|oops|anyway"
    r"|ach|äh|doch|lieber|bitte|danke|moment|halt|warte|jetzt|erstmal|besser|oder|aber|und|ich glaube|sorry"
    r"|en fait|finalement|attends|attendez|euh|plutôt|merci|pardon|ou|mais|et|alors"
    r"|espera|espere|mejor|perdón|gracias|pues|pero|o|y|bueno|de momento|en realidad"
    r"|aspetta|aspetti|scusa|scusi|meglio|grazie|anzi|ma|e|per ora|in realtà"
)
_WITHDRAWING: Final = (
    r"no+|nope|nah|don'?t(?: (?:do|bother)(?: (?:it|that|this))?)?|do not(?: do (?:it|that|this))?|not"
    r"|let'?s not"
    r"|(?:scratch|forget|ignore|disregard|leave)(?: about)? (?:it|that|this"
    r"|the whole thing|what i (?:just )?said|everything)(?: alone| be)?|forget i (?:said|asked)(?: anything"
    r"| that)?"
    r"|never ?mind(?: (?:that|it|me))?|nvm|(?:i'?m |i was |i am )?(?:just |only )?(?:kidding|joking)|j/?k"
    r"|(?:i(?:'ve| have)? )?changed my mind|(?:i(?:'d| would) )rather not|not (?:yet|now|any ?more)"
    r"|(?:i )?take (?:it|that) back"
    r"|nein|ne+|nö|nicht|noch nicht|lass(?:en sie)?(?: (?:es|das|mal|gut sein|stecken|lieber|doch|sein))+"
    r"|vergiss (?:es|das)|vergessen sie (?:es|das)|war nur (?:ein )?spaß|schon gut|egal"
    r"|non|pas|pas encore|pas maintenant|laisse(?:z)? (?:tomber|ça)|oublie(?:z)?(?: ça)?|je rigole"
    r"|peu importe"
    r"|no|todavía no|aún no|ahora no|déjalo|déjelo|olvídalo|olvídelo|da igual|es broma|no importa"
    r"|non ancora|non ora|lascia(?: stare| perdere)|lasci (?:stare|perdere)|non importa|fa niente|scherzo"
)
_UNKNOWING: Final = (
    r"(?:i )?(?:really |honestly |just )?(?:do not|don'?t|couldn'?t|can'?t|cannot) (?:really "
    r"|quite )?(?:know|say|tell|remember"
    r"|have (?:it|that|one)(?: (?:here|at hand|with me|to hand))?)|(?:i )?dunno|idk|(?:i have "
    r"|i've )?(?:absolutely )?no (?:idea|clue)"
    r"|(?:i'?m |i am )?(?:not|un)(?: (?:so|quite|really|entirely))? ?(?:sure|certain|decided)|(?:i )?forgot"
    r"|tbd|undecided|who knows"
    r"|(?:i )?have(?:n'?t| not) decided|good question|let me (?:check|see|think|look|ask)(?: (?:about it"
    r"|it up|first|again))?"
    r"|(?:you|u) (?:choose|decide|tell me)|whatever|whichever|any(?:thing|one)?(?: (?:is fine|works|goes"
    r"|will do))?"
    r"|(?:ich )?(?:weiß|weiss)(?: ich)?(?: (?:es|das|noch|gerade|leider|auch))* nicht|keine ahnung"
    r"|kein plan|muss ich (?:noch )?(?:schauen|fragen|überlegen)"
    r"|(?:je )?(?:ne )?sais pas|aucune idée|j'en sais rien|no (?:lo )?sé|ni idea|(?:yo )?qué sé yo"
    r"|non (?:lo )?so|nessuna idea|boh"
)
_BETWEEN: Final = r"[\s,.;:!\u2026-]+"
_ALL: Final = (
    rf"(?:(?:{_HESITATING}){_BETWEEN})*(?:{_WITHDRAWING})(?:{_BETWEEN}(?:{_WITHDRAWING}|{_HESITATING}))*"
    r"[\s.!)\u2026]*\Z"
)
_NO_ANSWER: Final = (
    rf"\W*(?:(?:{_HESITATING}){_BETWEEN})*(?:{_UNKNOWING})(?:{_BETWEEN}(?:{_UNKNOWING}|{_HESITATING}))*"
    r"[\s.!?)\u2026]*\Z"
)
_TAIL: Final = (
    r"(?P<joint>\s*[,;.!\u2026(]+\s+|\s+-{1,2}\s+|\s*\n\s*|\s+(?=(?:or|but|oder|aber|ou|mais|pero|ma)\s))"
    rf"(?P<said>{_ALL})"
)
_NEEDED: Final = 2  # code points
_LONGEST: Final = 80  # code points


def is_withdrawal(said: str) -> bool:
    """Whether words (lower case, plain quotes) do nothing but take back or turn down."""
    return _NEEDED <= len(said) <= _LONGEST and pattern(_ALL).match(said) is not None


def is_unknowing(said: str) -> bool:
    """Whether an answer (lower case, plain quotes) only says that somebody doesn't know: "no idea, let me check"."""
    return len(said) <= _LONGEST and pattern(_NO_ANSWER).match(said) is not None


def withdrawal(low: str) -> tuple[int, int] | None:
    """Where a text (lower case, plain quotes) begins to take back what it says before: the span of the joint."""
    if is_withdrawal(low):
        return None
    found = pattern(_TAIL).search(low, max(1, len(low) - _LONGEST))
    return None if found is None else found.span("joint")
