"""Wordings with which a conversation goes on: corrections, repetitions, questions for a yes; as tables."""

from typing import Final

CORRECTS: Final = (
    r"(?:(?:no|nope|nah|sorry|wait|hold on|actually|oops|ah|oh|hmm|sorry|correction|my mistake"
    r"|my bad|apologies|scratch that|rather|on second thoughts?"
    r"|nein|doch|moment|halt|entschuldigung|quatsch|non|pardon|désolé|attends|en fait|no|perdón"
    r"|espera|mejor dicho|scusa|aspetta|anzi|in realtà)(?:\s*[,.!:;-]+\s*|\s+))*"
    r"(?:(?:i|we) (?:meant|mean|should have said|wanted)(?: to say)?|make (?:it|that|this|them)"
    r"|change (?:it|that|this|them|the \w+) (?:to|into)|set it to|it(?:'s| is| should be"
    r"| has to be| must be) (?:actually|rather)?"
    r"|that should (?:be|have been)|should be|let'?s (?:make it|say|do|go with)|use|take|better"
    r"|instead|better make it|i said|say"
    r"|ich meinte|ich meine|mach|nimm|lieber|sondern|es ist|je voulais dire|plutôt|mets|prends"
    r"|c'est|quería decir|mejor|pon|que sea|es|volevo dire|piuttosto|meglio|facciamo|metti|è)?"
    r"(?:\s*[,.!:;-]+\s*|\s+|\Z)"
)
"""Words that take back what was said and put something else in its place."""
CUES: Final = (
    r"\A(?:not|nicht|pas) |[,;] (?:not|nicht|pas) |\b(?:no|nope|sorry|wait|actually|oops|correction|meant"
    r"|mistake"
    r"|instead|rather|scratch that|make it|make that|make them|change it|change that|change the \w+"
    r"|should be|should have been|second thoughts?|better|let's say|was what (?:i|we)|i mean"
    r"|nein|doch|meinte|lieber|sondern|mach|non|pardon|plutôt|voulais dire|en fait|perdón"
    r"|quería decir|mejor|scusa|anzi|volevo dire|piuttosto|meglio)\b"
)
SAME: Final = (
    r"(?:(?:(?:and|ok|okay|please)[\s,]+)*do\s+(?=.*\b(?:too|as well|also|likewise)\b)"
    r"|(?:(?:and|also|then|now|next)[\s,]+)+(?:do|for)\b(?! it\b| that\b| the\b| this\b)\s*|next\s*[:,]\s*"
    r"|(?:(?:and|also|then|now|next|ok|okay|great|thanks|please|can you|could you|would you|do|und"
    r"|jetzt|auch|et|aussi|maintenant|y|ahora|también|e|ora|anche|bitte)[\s,]+)*"
    r"(?:(?:do |exactly )?the same(?: (?:thing|again|one|please|action|request))*|same(?: (?:thing"
    r"|again|here|one))*|(?:do|repeat|run|try) (?:it|that|this)(?: (?:again|once more|too"
    r"|as well))?|try again|retry|try (?:it )?once more|repeat|again"
    r"|once more|one more time|ditto|likewise|another(?: one)?|one more"
    r"|what about|how about|and|also|as well|das ?selbe|das gleiche|dasselbe|nochmal|noch einmal"
    r"|wiederhole das|und|ebenso|auch|la même chose|pareil|idem|encore|de même|et|aussi"
    r"|lo mismo|otra vez|igual|de nuevo|repite|y|también|lo stesso|la stessa cosa|di nuovo|ancora"
    r"|uguale|e|anche)\b)"
    r"(?:\s*[,:-]?\s*(?:again|too|as well|please|bitte|por favor|per favore))*\s*[,:-]?\s*"
)
"""Words that ask for the last action once more."""
TOO: Final = (
    r"[\s,]+(?:as well|too|also|likewise"
    r"|(?:(?:needs?|gets?|wants?|takes?) )?(?:exactly )?the same(?: thing)?"
    r"|either|next|needs? (?:it|that|this|one) (?:too|as well|also)|auch|ebenfalls"
    r"|aussi|également|también|igualmente"
    r"|anche)\W*(?:please)?\W*\Z"
)
AGAIN: Final = (
    r"(?:\b(?:the same|same again|same thing|same for|(?:do|repeat|run) (?:it|that|this)|try again|retry"
    r"|repeat|again"
    r"|once more|one more time|ditto|likewise|another|one more|nochmal|noch einmal|dasselbe"
    r"|das gleiche|das selbe|encore|la même chose"
    r"|pareil|otra vez|de nuevo|lo mismo|repite|di nuovo|ancora|lo stesso|la stessa cosa)\b)"
)
FOR_A_VALUE: Final = (
    r"\W*(?:(?:and|ok|okay|sure|great|fine|gladly|for|on|at|to|in|by|from|until|under|with|und|für"
    r"|pour|à|para|per)[\s,]+)*"
    r"(?:which|what|when|where|who|whom|whose|how|why|welche\w*|was|wann|wo|wer|wie\w*|warum"
    r"|quel\w*|quand|où|qui|combien|comment|qué|cuál\w*"
    r"|cuándo|dónde|quién|cuánt\w*|cómo|quale|quali|quando|dove|chi|quant\w*|come|che)\b"
)
OFFERING: Final = (
    r"\b(?:too|also|as well|else|instead|another|anything|something|more|other|next|auch|außerdem"
    r"|stattdessen|sonst|aussi|également|à la place|autre|también|además"
    r"|otra|otro|algo más|anche|invece|altro)\b"
)
"""A question that offers what wasn't asked for."""
REPORTS: Final = (
    r"\A\W*(?:done|all set|finished|completed|sorted|erledigt|fertig|fait|c'est fait|hecho|listo|fatto)\b"
    r"|\b(?:has|have|'ve) (?:been |now been |just )?\w+(?:ed|nt|ne|n)\b|\b(?:was|were|is now"
    r"|are now) \w+ed\b|\bi(?:'ve| have) \w+ed\b|\bwurden? \w+|\ba été\b|\bha sido\b"
    r"|\bè stat[oa]\b"
)
"""A finished action, so that the question after it is about another one."""
ASSENT: Final = (
    r"(?:yes|yeah|yep|yup|sure|ok|okay|right|correct|ja|oui|sí|si|sì|genau)(?: (?:please|bitte"
    r"|gerne|por favor))?(?:\s*[,.!:-]+\s*|\s+(?:but|and|aber|mais|pero|ma)\s+)"
)
AGREES: Final = (
    r"(?:yes|yeah|yep|yup|sure|ok|okay|right|correct|exactly|absolutely|fine|perfect|great|good|go ahead|ja"
    r"|klar|genau|gerne"
    r"|oui|sí|si|claro|vale|sì|certo)(?: (?:please|bitte"
    r"|gerne|por favor))?(?P<joint>\s*[,.!:-]+\s*|\s+(?=(?:and|und|et|y|e|also|plus|aber|mais|pero|ma"
    r"|but)\s))(?:(?:but|and|aber|mais|pero|ma)\s+)?"
)
"""A yes before further words that say it once more or add something."""
ADDS: Final = (
    r"[\s,.!:-]+(?:and|also|plus|additionally|und|auch|außerdem|et|aussi|y|también|además|e|anche|inoltre)\b"
    r"|\b(?:too|as well|also|likewise|auch|aussi|también|anche)\W*(?:please|bitte)?\W*\Z"
)
"""Behind a yes: more is asked for."""
NOT_TAIL: Final = (
    r",?\s+(?:and )?(?:not|nicht|pas|no|non)\s+(?!only)[^,;.!?]+\Z|\A(?:not|nicht|pas|no"
    r"|non)\s+[^,;.!?]+?(?:,\s*(?:but\s+|sondern\s+|mais\s+|sino\s+|ma\s+)?|\s+but\s+"
    r"|\s+sondern\s+)"
)
ONLY: Final = r"\b(?:only|just|nur|seulement|solo|sólo|soltanto|solamente)\b"
"""Some of what was asked for."""
WITHOUT: Final = (
    r"\A\W*(?:but |please |and )?(?:not|skip|without|except|leave out|drop|forget"
    r"|nicht|ohne|sans|sin|senza)\b"
)
"""Some of what was asked for, which is not wanted."""
MEANT: Final = (
    r"\b(?:(?:i|we) (?:really |actually )?(?:meant|mean|should have said|wanted to say)(?: to say)?"
    r"|(?:it|that) should (?:be|have been)|make (?:it|that)|ich meinte|ich meine|je voulais dire|quería decir"
    r"|volevo dire)\b[\s,:]*"
)
"""Words in a correction behind which stands what is meant."""
TAIL: Final = (
    r"[\s,]+(?:instead|rather|please|actually|sorry"
    r"|(?:is|was) what (?:i|we) (?:want|wanted|meant|said))(?=\W*\Z)"
)
"""Words that end a correction."""
PROPOSES: Final = (
    r"\b(?:perhaps|maybe|possibly|instead|then|too|also|as well|either|vielleicht|auch|peut-être|aussi"
    r"|quizás?"
    r"|también|forse|anche)\b"
)
"""Words that make a proposal of a value with a question mark."""
