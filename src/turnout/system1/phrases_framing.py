"""Wordings around what a clause says: politeness, embedded questions, conditions, contrasts; see `phrases`."""

from typing import Final

FILLERS: Final = (
    r"(?:(?:please|pls|plz|kindly|just|ok|okay|alright|all right|so|well|and|but|then|also"
    r"|actually|now|um+|uh+|hmm+|btw|by the way|yes|yeah"
    r"|yep|sure|great|thanks|thank you|sorry|instead|rather|first|next|finally|lastly|afterwards"
    r"|after that|additionally|besides|next up|oh|while (?:you'?re|you are|we'?re|we are) (?:at it|there)"
    r"|if (?:it'?s|it is) not too much (?:trouble|work|to ask)|when you (?:have|get) (?:a )?(?:minute|moment"
    r"|second|chance|time)"
    r"|quick one|quickly|real quick|no(?=[,.!:-])|hi|hello|hey|hey there|hi there|good morning"
    r"|(?:listen|look)(?=\s*[,!:])|ah|lol|honestly|seriously|anyway|anyways|ideally"
    r"|as (?:i|we) (?:said|say|mentioned|agreed|discussed)"
    r"(?: (?:before|yesterday|earlier|already))?(?=[,:]|\Z)"
    r"|what (?:i|we) need(?=:|\Z)"
    r"|this time|in that case|for now|as well|too|bitte|also|dann|und|aber|hallo|alors|bonjour|salut|et|puis"
    r"|ensuite|hola|buenas|y|luego|entonces"
    r"|ciao|e|poi|allora|por favor|per favore|s'il (?:te|vous) pla[iî]t)(?:\s*[,:!.-]+\s*|\s+))*"
)
"""Before what a clause says itself."""

SURE_REQUESTERS: Final = (
    r"(?:(?:it'd|it would) (?:really |greatly )?help(?: (?:me|us))?(?: a lot| a great deal| so much)?"
    r" if (?:you|someone) (?:could|would|can)"
    r"|(?:please )?see if you can|i (?:hereby |do )?wish to|i (?:came|come|am here|called|call) (?:here )?to"
    r"|(?:i was|(?:my|our)(?: [\w-]+){1,2} (?:told|asked|wants) (?:me|us)) to (?:ask|tell) you to"
    r"|(?:i|we)(?:'ve| have)? (?:now |finally )?decided to"
    r"|what if you just|mind if i ask you to|is it (?:ok|okay|alright) if you"
    r"|is there (?:a|any) way (?:that )?you (?:could|can)|is it possible (?:for you )?to"
    r"(?=.*\b(?:now|for (?:me|us)|please)\b)"
    r"|are you able to(?=.* for (?:me|us)\W*\Z))"
)
"""Politeness that is taken for another form by how it begins."""

REQUESTERS: Final = SURE_REQUESTERS + (
    r"(?![\w'-])[\s,:]*|(?:(?:can|could|would|will|won't|can't|couldn't) (?:you|u|we|i|ya|someone"
    r"|somebody|anyone|anybody)(?: (?:please|pls|kindly|maybe|just|also|quickly|possibly|perhaps|then"
    r"|go ahead and|help me|have someone|mind))*"
    r"|(?:would (?:you|somebody|someone) )?(?:(?:please )?be so (?:kind|good|nice|sweet)(?: as)?(?:,? and| to)"
    r"|be (?:kind|good) enough (?:and|to)|be (?:able|willing) to|be a dear and)|do you mind|mind"
    r"|(?:it is|it's) (?:hereby |kindly )?(?:requested|asked|desired) (?:that|to)"
    r"|you are (?:hereby |kindly )?(?:requested|asked|required) to|(?:would|could|might) it be possible to"
    r"|may (?:i|we)|do me a favou?r(?: and|:|,)?|go (?:ahead|on) and|feel free to"
    r"|(?:i|we)(?:'d| would)(?: really| also)? (?:like|love|want|prefer|appreciate it if"
    r"|be (?:grateful|happy|glad) if)(?: (?:you|us|someone))?(?: (?:to|could|would))?"
    r"|(?:i|we)(?: really| also| just| now| still|'ll|'m going to| will| would)* (?:want|need"
    r"|have(?= (?:(?:you|us|someone) )?to\b)"
    r"|wanted|wish|gotta|wanna|needed)(?: (?:you|us|someone))?(?: to)?"
    r"|(?:looking|searching) (?:for|to)|i(?:'m| am) (?:(?:only |just )?asking (?:for|you (?:to|for))"
    r"|looking (?:for|to)|trying to|calling to"
    r"|writing to|here to|hoping to|needing|after)|(?:i|we)(?:'ll| will) (?:take|have|go (?:for"
    r"|with))"
    r"|(?:please )?(?:do not|don'?t|never) (?:forget|hesitate|fail|neglect|let me forget"
    r"|let us forget)(?: to)?|(?:make|be) sure (?:to|that you|that|you|we|i)?|remember to"
    r"|why (?:don'?t|dont|do not|not) (?:you|we)(?: just)?|why not(?: just)?|how about(?: (?:you"
    r"|we))?|what about|let'?s|let us|(?:it'?s )?time to"
    r"|(?:it'd|it would|would) be (?:great|nice|good|cool|lovely|awesome|helpful|perfect"
    r"|super)(?:,)? if (?:you|we|someone) (?:could|would|can)"
    r"|i (?:really )?wonder if (?:you|someone|somebody) (?:could|might|can|would)"
    r"|(?:is there )?any chance (?:of|(?:that )?(?:you|we|i|someone) (?:could|can|might))"
    r"|(?:i|we)(?:'m| am| was|'re| were) (?:just )?(?:hoping|wondering)(?: if| whether"
    r"| that)? (?:you|we|i|someone) (?:could|can|might|would)"
    r"|would it be (?:possible|ok|okay|alright)(?: for you)? (?:to|if you|if i|if we)"
    r"|do you think (?:that )?you (?:could|can)|your (?:task|job) is to|i (?:expect|order|beg|ask"
    r"|urge) you to"
    r"|(?:what|all|the thing|one thing) (?:i|we)(?:'d)? (?:really |actually |now )?(?:need|want"
    r"|would like|like|wish|am after|ask)(?: from you)?(?: now)? is(?: for you)?(?: to)?"
    r"|(?:kannst|könntest|kann|könnten|könnte|würdest|würden|magst) (?:du|sie|ihr|ich|wir|man"
    r"|jemand)|(?:ich|wir) (?:möchten?|will|wollen|brauchen?|hätten? gerne?|würden? gerne?|muss"
    r"|müssen|bräuchten?)"
    r"|(?:bitte )?(?:vergiss|vergessen sie|denk|denke)(?: bitte)?(?: nicht| daran|,)*|zögere nicht"
    r"|(?:est-ce que )?(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez"
    r"|tu pourrais|vous pourriez|je peux|puis-je)|(?:je|nous) (?:veux|voudrais|souhaite"
    r"|souhaiterais|dois|voulons|voudrions)|j'aimerais|j'ai besoin (?:de|d')|il (?:me|nous) faut"
    r"|il faudrait"
    r"|(?:n'|ne )(?:oublie|oubliez|hésite|hésitez|manque)(?:z)? pas (?:de|d'|à)|¿? ?(?:me "
    r"|nos )?(?:puedes|puede|podrías|podría|podéis|pueden|puedo)(?: usted)?|(?:yo )?(?:quiero"
    r"|quisiera|queremos|necesito|necesitamos|querría)|me gustaría|no (?:te |se )?olvid(?:es"
    r"|e)(?: de)?|no dud(?:es|e) en"
    r"|(?:mi |ci )?(?:puoi|può|potresti|potrebbe|potete|posso)|(?:io )?(?:voglio|vorrei|vogliamo"
    r"|vorremmo|devo)|ho bisogno (?:di|che)|mi serve|non (?:ti )?(?:dimenticare|dimenticarti"
    r"|scordare|esitare|dimentichi)(?: di| a)?)"
    r"(?![\w'-])[\s,:]*(?:(?:please|kindly|just|also|maybe|bitte|mir|mal|uns|me)[\s,]+)*"
)
"""Politeness that makes a request of what follows."""

ASKING: Final = (
    r"(?:(?:tell|show|remind|give) (?:me|us)|let (?:me|us) know|inform me|do you (?:know"
    r"|happen to know)|have you any idea|any idea|(?:i|we)(?:'d| would)?(?: only| just| really"
    r"| simply)? (?:like|want|need"
    r"|love) to (?:know|see|find out|check)"
    r"|(?:i|we) (?:only |just |really |simply )?(?:wonder|want to know|need to know)|(?:check|see|verify"
    r"|find out|look|look up"
    r"|confirm|know|ask|see for me|double[- ]check|prüf|prüfe|schau|sag mir|sag|zeig mir|zeige mir"
    r"|dis-moi|vérifie|dime|mira|dimmi|verifica|controlla))"
    r"(?: please| me| for me| quickly)*[\s,]+(?=(?:if|whether|what|which|who|whose|when|where|how"
    r"|why|ob|wie|was|wer|wann|wo|wie viele?|si|quel|quelle|quand|combien|comment|qué|cuándo|cuál"
    r"|cuánto|quando|quanto|quale|chi|se)\b)"
)
"""Before a question that stands in a request."""

STATING: Final = (
    r"(?:i|we|you|he|she|they|it|that|this|there|someone|somebody|everyone|everybody|nobody"
    r"|nothing|something|everything)(?:'\w+)?(?: \w|\Z)"
    r"|(?:the|my|our|your|his|her|their|this|that|these|those|a|an|all|most"
    r"|some)(?: [\w'#.-]+){1,5} (?:is|are|isn'?t|aren'?t|was|were|has|have|had|hasn'?t|does"
    r"|doesn'?t|do|don'?t|did|didn'?t|keeps?|looks?|seems?|feels?|needs?|will|won'?t|can'?t|cannot"
    r"|should|must)\b"
    r"|[\w'#.@-]+(?: [\w'#.@-]+){0,2} (?:no longer \w+s|left|is|are|was|were|isn'?t|aren'?t|has been|keeps"
    r"|looks|seems"
    r"|feels|needs"
    r"|doesn'?t|don'?t|can'?t|won'?t|shouldn'?t|mustn'?t|needn'?t|wasn'?t|weren'?t|hasn'?t|haven'?t"
    r"|didn'?t)\b"
    r"|(?:ich|wir|er|sie|es|das) (?!möchte|will|brauche)\w+|(?:der|die|das|mein|meine) \w+ (?:ist"
    r"|sind|hat|war|geht|funktioniert)|(?:il|elle|c'|ça|je|nous) ?\w+|(?:el|la|los|las"
    r"|mi) \w+ (?:es|está|están|no)|(?:il|la|lo) \w+ (?:è|non|sono)"
)
"""A sentence with a subject, which tells something."""

OBLIGING: Final = (
    r"(?:it'?s |it is )?[\w'#.@-]+(?: [\w'#.@-]+){0,5} (?:(?:that |which |who )?(?:has|have"
    r"|needs?) to be (?:\w+ly )?\w+(?:ed|en|wn|pt|nt|ne)"
    r"|(?:that |which )?needs? \w+ing)\b(?!.*\?)(?!.*\b(?:by|before|first|if|when|once|every|always"
    r"|usually)\b)"
)
"""What has to be done to something, which asks for it."""

TELLS: Final = (
    r"(?:(?:so|well|look|listen|hi|hello|hey|ok|okay|because|since|as|now|and|but)[\s,]+)*"
    r"(?:(?:found|lost|got|heard|saw|met|had|been|just) \w"
    r"|(?:[\w'#.&-]+ ){1,6}?(?:(?:is|are|was|were|has|have|had|isn'?t|aren'?t|wasn'?t|hasn'?t|haven'?t|won'?t|will"
    r"|would|can'?t|cannot|doesn'?t|don'?t|didn'?t|does|did|came|went|took|said|says|put|got|left|lost|made|gave|told|felt"
    r"|seems?|looks?|keeps?|wants?|needs?|joins?|starts?|comes?|goes|opens?|closes?|leaves?|moves?|ends?|expires?|turns?"
    r"|runs?|arrives?|expects?|pays?|asks?|thinks?|works?|calls?|(?!(?:need|used|feed|speed|seed)\b)\w{2,}ed)\b"
    r"(?=[\s,.!?]|\Z)|\w+'(?:s|re|ve|m|d|ll) (?!\w+\Z)))"
)
"""A sentence that tells something, of which it is known that it has no verb that asks."""

SO: Final = (
    r"(?:\A|[\s,.;])(?:so|therefore|hence|thus|that'?s why|which is why|darum|deshalb|donc|por eso|quindi)\W"
)
"""Between a reason and the request that it is given for."""

DELEGATING: Final = (
    r"(?:(?:do|handle|arrange|sort|organi[sz]e|manage|set|put|plan|get|make|fix|change|correct|enter|record|note|log"
    r"|update|process|schedule|add|take care of|see to|attend to|deal with|look after) (?:it|that|this|them|so)"
    r"(?:,? (?:up|in|out|down|through|happen|done|sorted|right|accordingly|for (?:me|us|him|her|them|it|that)|please"
    r"|pls|then|dear|thanks|thank you|right away|immediately|quickly|now|asap|today)|,? (?:would|will|can|could) you)*"
    r"|see to (?:it|that|this)|(?:would|will|could|can) you(?: please)?)[\s,.!?]*"
)
"""A request that says nothing itself, but that what was told before it is to be done: "could you set that up?"."""

NO_VERB: Final = r"(?:please|pls|plz|kindly)[\s,]+(?:just |also |now |quickly )*(?P<verb>[^\W\d_]{3,})(?= \S)"
"""The word after "please", which mostly asks for something."""

AGREED: Final = (
    r"\b(?:check|see|tell|know|inform|ask|search|verify|find out|confirm|wonder|look"
    r"|sure)(?: \w+){0,3} (?:if|whether)\b|\bif (?:possible|necessary|needed|available|applicable"
    r"|you (?:can|could|please|don'?t mind|would|have)|that'?s (?:ok|okay|possible|alright)"
    r"|it'?s (?:ok|okay|possible|not too)|there (?:is|are) (?:any|one))\b"
)
"""Conditions that aren't any."""

CONDITION: Final = (
    r"\b(?:if|unless|provided that|in case|only when|as soon as (?!possible|you can)|whenever"
    r"|every time|once (?:the|it|they|he|she|i|we|you|my|everyone|that|this|\w+ (?:is|has|are))"
    r"|when (?:the|it|they|he|she|i|we|my|everyone|\w+ (?:is|has|are|gets)))\b"
)
"""What makes a request depend on something."""

AT_LEISURE: Final = (
    r"(?:when(?:ever)?|if|as soon as|once) (?:you(?:'re| are| have| get| find| can)|it (?:suits"
    r"|is convenient|fits))\b"
    r"(?! (?:to|that|it|them|done|ready to|finished|the (?!chance|time|opportunity|occasion|go)))"
    r"(?: (?:ready|free|able|back|around|a|an|the|some|any|moment|minute|second|chance|time|opportunity"
    r"|spare|quiet|next|you|at|your|desk|there|online|awake|for|me|it|convenient))*\W*\Z"
)
"""A condition that is mere politeness: "when you get a moment"."""

FEASIBLE: Final = (
    r"(?:(?:only )?if|unless|provided(?: that)?|as long as|so long as) (?:"
    r"there(?:'s| is| are) (?:still |any )*(?:room|space|a (?:\w+ )?(?:place|seat|spot|slot|table)"
    r"|places|seats|spots|slots|one left|some left|any left)\b[^,;.]{0,30}"
    r"|(?:[\w'#.-]+ ){1,4}?(?:still |otherwise )?(?:free|available|possible|feasible|doable|allowed|valid"
    r"|in stock)"
    r"|(?:[\w'#.-]+ ){1,4}?(?:have|has|are|is|did|do|does)(?:n'?t| not) (?:been |done (?:it|so|that|this) "
    r"|yet )*"
    r"(?:already|yet|done (?:it|so|that|this))(?: (?:been )?\w+)?|not (?:already|yet)(?: \w+)?"
    r"|not done (?:already|yet)"
    r"|[\w'#.-]+ still (?:works?|counts?|fits?|holds?)"
    r"|(?:[\w'#.-]+ ){1,4}?(?:already |not |completely )*(?:full|booked up|fully booked|sold out|taken"
    r"|too late))\W*\Z"
)
"""A condition that only asks whether it can be done at all, which whoever does it finds out."""

INSTEAD: Final = (
    r",?\s+(?:instead of|rather than|in place of|anstatt|statt|anstelle von|au lieu de|en vez de"
    r"|en lugar de|invece di)\s+[^,;.!?\n]+"
)
"""What is not wanted, within a clause."""

CONTRAST: Final = (
    (
        r"(?P<lead>\A|[.!?;,]\s+|\b(?:please|pls|bitte)\s+)(?:do not|don'?t"
        r"|never)\s+(?P<verb>[\w-]+)\s+(?P<not>[^.!?;]+?)"
        r"(?:,?\s+but\s+(?:rather\s+|just\s+|only\s+|instead\s+)?|[,;]\s+(?:just|only|rather|but)\s+"
        r"|[,;]\s+(?=[^,.!?;]+\s+instead\b))(?P<wanted>[^,.!?;]+?)(?:\s+instead)?(?=[.!?;,]|\Z)"
    ),
    (
        r"(?P<lead>\A(?:no[,.]? )?)(?P<verb>)not (?P<not>(?!now\b|yet\b|today\b|tonight\b|again\b|really\b"
        r"|sure\b"
        r"|at all\b|so\b|that\b|only\b|to\b|even\b|a (?:good|bad|great)\b|good\b|everyone\b|everything\b"
        r"|all\b)"
        r"[\w'.@-]+(?: [\w'.@-]+){0,2}?)[,;:] "
        r"(?P<wanted>(?:[^\s,]+ ){2}.+)"
    ),
    (
        r"(?P<lead>[\s,])(?P<verb>)(?:not|nicht|pas|no"
        r"|non)\s+(?P<not>[^,.!?;]+?),?\s+(?:but(?:\s+rather)?|sondern|mais|sino"
        r"|ma)\s+(?P<wanted>[^,.!?;]+)"
    ),
)
"""One thing not wanted and another in its place: "don't book Monday but Tuesday", "not red but blue"."""

RESTRICTION: Final = (
    r"(?:but )?not (?:on|at|before|after|in|until|for|with|during|by|from|over|above|more|less"
    r"|later|earlier|too|the (?:usual|same))\b"
)
"""A negation that narrows the request before it."""

RHETORICAL: Final = (
    r"(?:is|are|isn'?t|aren'?t) (?:it|this|that|the \w+|my \w+|\w+) (?:\w+ )?(?:just me|again"
    r"|already|still|down|broken|hot|cold|dark|late|time|too|so|stuck|dead|gone|off|wrong|frozen"
    r"|that late)\b"
    r"|(?:didn'?t|haven'?t|hasn'?t|can'?t|couldn'?t|don'?t|doesn'?t|isn'?t|wasn'?t) \w+|(?:did"
    r"|have|has) (?:you|i|we|he|she|they|somebody|someone|nobody|\w+) (?:forget|forgotten|miss"
    r"|missed|see|seen|notice|noticed|hear|heard|lost|lose|never|not)\b"
    r"|(?:do|can|did) you (?:see|hear|believe|remember|notice)\b|you know what\b|guess what\b"
    r"|know what\b|what(?:'s| is) (?:wrong|up|going on|the matter|with|that noise)\b"
    r"|what (?:the heck|the hell|on earth|a mess|took)\b|who (?:left|turned|put|did|broke|cares)\b"
    r"|how (?:hard|difficult) (?:can|could)\b|(?:got|have you got) a (?:minute|second|moment)\b"
)
"""A question before a request that wants no answer."""

MOCKING: Final = (
    r"\W*(?:(?:oh|ah|well|yeah|yes),? )?(?:wow|great|nice|lovely|fantastic|wonderful|brilliant|perfect"
    r"|super|awesome"
    r"|amazing|excellent|marvell?ous|splendid|terrific|congratulations|bravo|sure)[,.! ]"
    r".*\b(?:again|once more|yet another|as always|as usual|every (?:single )?(?:time|day|week)|in a row"
    r"|for the \w+ time|\w+th time|like the last)\b"
)
"""Praise for what goes on and on, where nothing is asked for."""

AND: Final = r",?\s+(?:and|und|et|y|e)(?: then| also)?\s+"
"""Joins a clause to the one before so that both say the same kind of thing."""

RELAYED: Final = (
    r"\b(?:said|says|told (?:me|us|him|her|them|you)|tells (?:me|us)|asked (?:me|us|him|her|them"
    r"|you|for)|asks|wrote|writes|reads|shouted"
    r"|replied|states|stated|like|meant|gesagt|sagt|sagte|meinte|schrieb|dit|dijo|dice|detto)\s*[,:]?\s*\Z"
)
"""Ends a clause whose sequel is somebody else's words."""
