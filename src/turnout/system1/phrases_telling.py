"""Wordings of what is told, refused, supposed or to be written; see `phrases`."""

from typing import Final

_NOT: Final = r"(?:do not|don'?t|dont|donot|neither|never|please (?:do not|don'?t)|let'?s not|let us not)"
_DONE: Final = (
    r"(?:(?!(?:need|feed|speed|proceed|exceed|succeed|embed|shed|bed|indeed|seed|bleed)\b)\w{2,}ed|sent|got"
    r"|gotten|made|ran|run|took|taken|told|paid|bought|set|put|went|gone|gave|given|wrote|written|read"
    r"|found|lost|left|built|cut|did|done|had|kept|let|met|saw|seen|shut|sold|spent|began|begun|brought"
    r"|caught|chose|chosen"
    r"|drew|forgot|forgotten|held|hit|knew|known|led|lent|moved|spoke|split|stuck|thought|threw|thrown"
    r"|undid"
    r"|undone|woke|shown"
    r"|stole|stolen|broke|broken|swallowed|ate|drove|wore|tore|fell|felt|grew|hid|meant|rang|shook|shot"
    r"|slept|stood|taught|woke|won|came|became|dealt|fought|heard|stuck|understood|drank|flew|withdrew"
    r"|withdrawn|reset|rebuilt|resent|redid|froze|frozen|hung)(?!')"
)
_SURELY_DONE: Final = (
    r"(?:(?!(?:need|feed|speed|proceed|exceed|succeed|embed|shed|seed|bleed|bed)\b)\w{3,}ed|sent|took|gave"
    r"|bought|told"
    r"|paid|wrote|built|brought|chose|held|forgot|sold|spent|made|ate|drank|drove|did|had|kept|met|caught"
    r"|threw|stole"
    r"|broke|wore|tore|taught|won|heard|flew|lost|got|knew|spoke|woke|drew)(?!')"
)
"""The past of verbs that ask for nothing in this form."""
_OBJECT: Final = (
    r"(?:the|a|an|my|our|your|his|her|their|it|them|me|us|him|all|every|both|this|that|these|those)"
)
_WHEN: Final = (
    r"(?:yesterday|last (?:\w+)|earlier(?: today)?|this morning|back in \w+|in the past|recently|previously"
    r"|\w+ (?:days?|weeks?|months?|years?|hours?|minutes?) ago|a while ago|the other day|once|already"
    r"|on \w+day|today)"
)
_SUBJECT: Final = (
    r"(?:i|we|he|she|they|you|it|somebody|someone|everybody|everyone|nobody|no one|who|(?:the|a|an|my|our"
    r"|your|his|her|their|this|that|these|those)(?: [\w-]+){1,3}|[\w-]+(?: [\w-]+)?)"
)
_PERSON: Final = (
    r"(?:he|she|they|[\w.@-]+|(?:the|a|an|my|our|your|his|her|their) (?:(?!i\b|we\b)[\w-]+ )?(?!i\b"
    r"|we\b)[\w-]+)"
)
_SOMEWHERE: Final = (
    r"(?: (?:at|in|from|on|of|behind|over at|next to|who \w+|with) "
    r"(?:(?:the|my|our|your|his|her|this|that) )?[\w-]+)?"
)
_CREATIVE: Final = (
    r"poems?|haikus?|limericks?|jokes?|stor(?:y|ies)|songs?|essays?|paragraphs?|blog(?: posts?)?|tweets?"
    r"|speech|scripts?|functions?"
    r"|regex|regular expression|sentences?|slogans?|headlines?|subject lines?|unit tests?|synonyms?|rhymes?"
    r"|riddles?|puns?"
    r"|recipes?|lyrics|cover letter|docstrings?|one-liner|code snippet"
)
_WRITTEN: Final = (
    r"posts?|articles?|programs?|code|class|quer(?:y|ies)|test cases?|tests|emails?|e-mails?|letters?"
    r"|mails?"
    r"|messages?|reply|response|complaints?|apolog(?:y|ies)|reviews?|statement|reasons?"
    r"|announcements?|press release|documentation|readme|runbooks?|tutorials?|guides?|how-to|examples?"
    r"|wording|template|faq|resume|cv"
    r"|dialogues?|scene|explanation|description|checklist|policy|outline|dockerfile|makefile|bash|snippet"
    r"|playbook|summary|text"
)

TELLING: Final[dict[str, tuple[str, ...]]] = {
    "courtesy": (
        r"(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day|night)|greetings|moin|hallo"
        r"|guten (?:tag"
        r"|morgen|abend)"
        r"|bonjour|bonsoir|salut|hola|buen(?:os|as) (?:días|tardes|noches)|ciao|buongiorno"
        r"|buonasera)(?:[ ,]+[\w.'-]+){0,3})[.!,]*\Z",
        r"(?:many |big )?(?:thanks|thank you|thx|ty|cheers|much appreciated|appreciate it|danke|vielen dank"
        r"|merci|gracias|grazie"
        r"|muchas gracias|merci beaucoup|grazie mille|danke schön|dankeschön)\b(?: (?:so much|a lot|a million"
        r"|very much|again"
        r"|in advance|for (?:your|the|all|\w+ing) [\w ]{1,40}|everyone|all|mate|man|you|a bunch|vielmals"
        r"|im voraus|d'avance|de antemano"
        r"|in anticipo|that'?s (?:great|perfect|all)))*[.!]*\Z",
        (
            r"(?:(?:can|could|would|will) you |i(?:'ve| have)? (?:got |need |want )?|we (?:need|have) |do "
            r"|take care of |here(?:'s| is| are) |please )*(?:the following|these|both|this|my list"
            r"|(?:one|two|three|four|five|several|some"
            r"|a few|a couple of|\d) (?:more |small |quick |other )*(?=\w))(?: ?(?:things?|tasks?|requests?"
            r"|items?"
            r"|changes?|actions?|updates?|jobs?))?(?: (?:for (?:me|us|you|today)|please|to do|today"
            r"|now))*\s*:\Z"
        ),
        r"(?:sorry|apologies|excuse me|pardon)(?: (?:for|about|to) [\w' ]{1,50}| again)?[.!]*\Z",
        r"(?:happy|merry|enjoy (?:the|your)) \w+(?: \w+)?"
        r"(?:,? (?:everyone|everybody|all|to (?:you|all)))?[!.]*\Z",
        r"(?:i )?hope (?:you|all|this|everything)[\w' ]{0,50}[.!]*\Z",
        r"(?:how (?:are|is|'s) (?:you|things|it going|everything|your day)[\w ]{0,20}|how's it going"
        r"|what's up"
        r"|long time no see"
        r"|nice to (?:meet|see) you|have a (?:nice|good|great|lovely) [\w ]{1,20})[?!.]*\Z",
        (
            r"(?:bye|goodbye|good bye|see you(?: \w+)?|take care|later|so long|tschüss|au revoir|adiós"
            r"|arrivederci)[.!]*\Z"
        ),
        r"(?:(?:it's|it is|this is|kind of|quite|pretty|very|really)? ?urgent|asap|as soon as possible"
        r"|no rush"
        r"|no hurry|when you (?:can|have (?:a )?\w+)"
        r"|whenever you can|at your convenience|if (?:possible|you can|you could|you don'?t mind"
        r"|that'?s (?:ok"
        r"|okay|possible|alright)|it'?s not too much trouble)"
        r"|that(?:'s| is| will be| would be) (?:all|it|everything|great|perfect|nice|fine|awesome)[\w ]{0,20}"
        r"|that's all for (?:now|today)"
        r"|don'?t worry(?: about (?:it|that))?|no worries|no problem|quick one|one more thing|another thing"
        r"|you'?re (?:the best|great|awesome|a star|welcome|amazing)"
        r"|perfect|great|awesome|nice|wonderful|excellent|cool|fantastic|super|brilliant|lovely|good|alright"
        r"|all right|ok(?:ay)?|got it|understood|i see|makes sense"
        r"|please|pls|bitte|por favor|per favore|s'il (?:te|vous) pla[iî]t|(?:lol|haha+|hehe)|best(?: regards"
        r"| wishes)?|kind regards|regards|yours)[.!]*\Z",
    ),
    "example": (
        r"(?:(?:as |here is |here's )?(?:an? |the |one |another )?(?:typical |possible )?(?:for )?(?:example|instance)"
        r"|(?:for )?(?:example|instance)s?|e\.?g\.?|(?:an? |the |my )?(?:test|sample|example|dummy) (?:sentence|message"
        r"|request|input|text|case|utterance|prompt|question|command|phrase|query)s?"
        r"|zum beispiel|z\. ?b\.?|beispiel|par exemple|por ejemplo|per esempio)\s*(?:[:,\"]|\Z)",
    ),
    "negation": (
        r"(?:absolutely|certainly|definitely|surely|obviously) not\b",
        (
            r"(?!have\b|has\b|is\b|are\b|there\b|i\b|we\b|if\b|say\b|with\b)\w+ (?:me |us )?(?:nothing|nobody"
            r"|none of|no (?!later\b|more than\b|less\b|longer\b|matter\b|reply\b|one\b|\d)\w+)\b"
        ),
        (
            r"(?:keep|leave) (?:[\w.'#-]+ ){1,6}(?:open|active|intact|alive|up|unlocked|locked|in place"
            r"|booked|on|off"
            r"|shut|closed|on hold)\W*\Z|no need (?:for|of|to)\b|(?:nobody|no one|none of (?:us|them"
            r"|you)) \w+"
            r"|let (?:the |my |it |them )?(?:[\w-]+ )?(?:run|be|stay|continue|alone)\W*\Z"
        ),
        (
            r"(?:[\w'#-]+ ){1,4}(?:must|should|has to|needs to|have to|shall) (?:stay|remain|keep)\b"
            r"|(?:[\w'#-]+ ){1,4}(?:isn'?t|is not|aren'?t|are not) (?:needed|necessary|required|wanted"
            r"|called for)\b"
        ),
        (
            r"(?:stop|quit) trying to\b|wait (?:with|before)\b|(?:i'm|i am|we're|we are) (?:fine|good|ok|okay"
            r"|happy) without\b|whatever you do\b"
        ),
        _NOT
        + (
            r"(?! (?:you (?:want|think|have|need|know)\b|(?:see|know|understand|remember|recall|think"
            r"|believe|seem"
            r"|look|work|get it|care|have (?:any|a|the|time|enough))\b|forget|hesitate|let (?:me|us) forget"
            r"|let it (?:slip|happen)|be shy|fail to|neglect|miss\b|worry|mind|wait))\b"
        ),
        r"(?:can|could|would|will) (?:you|we) (?:please )?not\b(?! (?:forget|only))",
        (
            r"(?:i|we) (?:wouldn'?t|would not|won'?t|will not) (?!mind\b|be (?:able|there|here|in|at|home"
            r"|around"
            r"|back|coming)|make it|have (?:time|to)|need (?:more|less)|object|say no|come\b)\w+"
        ),
        r"(?:i|we|nobody|no one) never (?:said|asked|told|wanted|meant)\b|(?:hold on|wait|hang on"
        r"|stop) before\b",
        (
            r"(?:please )?(?:not|no need to|no more|rather not|better not|under no circumstances|by no means"
            r"|on no account|hands off|no longer|anything but|not yet|not now|not today)\b(?! only)"
        ),
        (
            r"(?:please )?(?:stop|avoid|refrain from|quit|cease|hold off(?: on)?|skip|hold) \w+ing\b"
            r"|hold off\b"
            r"|(?:please )?(?:leave|keep) (?:[\w.'-]+ ){1,4}(?:alone|as (?:is|it is|they are|it was)"
            r"|untouched"
            r"|unchanged|running|in place|open|alive|on)\b(?! for)"
        ),
        (
            r"(?:i|we) (?:do not|don'?t|dont|didn'?t|did not|never|wouldn'?t|would not|won'?t|will not"
            r"|no longer"
            r"|cannot|can't) (?:\w+ )?(?:want|need|mean|ask|asked|wanted|wish|intend|plan|require"
            r"|like)\b(?! (?:to (?:forget|miss|lose|be late|wait)))"
        ),
        (
            r"(?:i'm|i am|we're|we are) (?:not|no longer) (?:asking|telling|going|planning|trying|looking"
            r"|interested"
            r"|ready|in favou?r|ordering|requesting|saying)\b"
        ),
        (
            r"(?:you|we|one|nobody|no one|they) (?:should not|shouldn'?t|must not|mustn'?t|need not|needn'?t"
            r"|can'?t"
            r"|cannot|may not|don'?t (?:need|have) to|do not (?:need|have) to|better not|should never"
            r"|must never)\b"
        ),
        r"no (?:more )?(?!later\b|more\b|less\b|longer\b)"
        r"[a-z][\w-]*(?: [\w-]+){0,2},? "
        r"(?:please|pls|thanks|thank you|for (?:me|us))\b",
        r"(?:nobody|no one) (?:should|must|may|asked|wants|needs|said)\b",
        (
            r"(?:there'?s|there is|there's really) no (?:need|reason|point|rush to|hurry to)\b"
            r"|it'?s not (?:necessary|needed|worth|time)\b|it is not (?:necessary|needed)\b|(?:i'd|i would"
            r"|we'd) (?:rather|prefer) (?:you )?(?:not|didn'?t|don'?t|do not)\b|(?:i'd|i would) (?:like"
            r"|prefer"
            r"|want) (?:you )?not to\b|i (?:want|need) you not to\b"
        ),
        r"(?:instead of|rather than|in place of)\b",
        (
            r"(?:be careful|try|take care|remember|promise|beware|make sure|be sure"
            r"|see to it)(?: that)? (?:not to"
            r"|never to|to not|to never|(?:you|we|they|nobody|no one|it|the \w+|\w+) (?:don'?t|do not|never"
            r"|isn'?t"
            r"|is not|doesn'?t|does not|aren'?t|are not|gets? no)|nobody|no one|nothing)\b"
        ),
        (
            r"(?!\w+ (?:the|a|an|my|our|all|this|that|it|me)\b)[\w'-]+(?: [\w#'-]+){0,4} (?:may not"
            r"|isn'?t allowed|is not allowed|must not|mustn'?t"
            r"|should not|shouldn'?t|must never|should never|needn'?t|need not|does not need|doesn'?t need"
            r"|don'?t need|is not to be|are not to be|isn'?t to be)\b"
        ),
        (
            r"(?:i|we) (?:told|asked|said|begged|warned)(?: \w+){0,3} (?:not to|never to|to not)\b|(?:you'd"
            r"|you had"
            r"|we'd|we had) better not\b|nothing to \w+|without (?:\w+ing)\b"
        ),
    ),
    "retreat": (
        r"(?:absolutely|certainly|definitely|of course|hell|please|rather|better|maybe|probably) not\W*\Z",
        (
            r"(?:just |oh |wait,? |actually,? |no,? )*(?:(?:forget|never ?mind|scratch|disregard"
            r"|ignore)(?: about)? (?:it|that|this|the \w+|my \w+|what i said|the last|everything)"
            r"|drop (?:it|that"
            r"|this|the"
            r" (?:idea|subject|matter|topic|whole thing|request)))\b|(?:just |oh "
            r"|actually,? )?never ?mind\b|(?:i )?(?:just )?changed my mind\b|(?:actually |wait )*(?:no|nope"
            r"|nah"
            r"|wait"
            r"|stop|don'?t|do not)[.!,]*\Z|(?:no,? wait|wait,? no|on second thoughts?|just kidding|lol no"
            r"|kidding)\b"
        ),
        (
            r"(?:(?:no|nope|nah|ok|okay)[.!,]* )?(?:leave|keep|let) (?:it|that|this|them"
            r"|everything)(?: (?:as (?:it"
            r"|they) (?:is|are|was|were)|be|alone|there|for now|then|please))*[.!]*\Z"
        ),
        (
            r"(?:no|nope|nah)[.!,]*(?: (?:thanks|thank you|not now|don'?t|that's (?:ok|okay|all|fine)"
            r"|i'm (?:good"
            r"|fine)|it's (?:ok|okay|fine)|all good|stop|leave it[\w ]*|need|problem))*[.!]*\Z"
        ),
    ),
    "condition": (
        (
            r"(?:if|unless|whenever|once|as soon as|in case|when|every time) (?!(?:do|does|did|is|are|will"
            r"|was"
            r"|were"
            r"|can|should|would|could|am|shall|again|more|possible)\b|you (?:can|could|please|don'?t mind"
            r"|would"
            r"|have (?:a |time))|that'?s (?:ok|possible|alright)|it'?s (?:ok|possible|not too))"
        )
        + _SUBJECT
        + r"\b",
        r"(?:only|but only|just) (?:if|when|once|after) \w",
        r"(?:only )?if (?:ever|not|need be|need(?:ed)?|necessary)\b",
    ),
    "hypothetical": (
        (
            r"if only\b|what if\b|what would\b|even if\b|suppos(?:e|ing)\b|assum(?:e|ing)\b|imagine\b"
            r"|let'?s (?:say"
            r"|suppose|assume|imagine|pretend)\b|let us (?:say|suppose|assume|imagine)\b|pretend\b|say (?:i"
            r"|we|you"
            r"|someone|that)\b|hypothetically\b|theoretically\b|in theory\b|in principle\b"
            r"|purely hypothetical"
            r"|provided (?:that|the)\b|had (?:i|we)\b|were (?:i|we) to\b"
        ),
        (
            r"(?:i|we)(?:'m| am|'re| are|'ve been| have been| was| were)? (?:just |only |still |currently "
            r"|also )?(?:thinking|considering|wondering|toying|contemplating|debating|mulling|tempted"
            r"|planning"
            r"|hoping to|dreaming)\b(?! (?:if|whether) (?:you|we) (?:could|can))"
        ),
        (
            r"(?:i|we) (?:might|may|could|would)(?!n't| not| like| love| appreciate| be (?:grateful|happy"
            r"|glad)"
            r"| need| want| prefer| rather)(?: (?:have|just|also|probably|perhaps|maybe|even|then|eventually"
            r"|one day"
            r"|at some point))* \w+|(?:i|we) (?:should|ought to) (?:probably|perhaps|maybe|really|have"
            r"|one day"
            r"|some day|at some point)\b|(?:i|we) wish\b|(?:perhaps|maybe) (?:i|we|one|it|someday|some day"
            r"|later"
            r"|one day|next)\b|one day\b(?! (?:of|off|on|from|for|as|more|leave)\b|')|some ?day\b"
            r"|at some point\b|it (?:might"
            r"|may|could"
            r"|would) (?!be \w+,? if (?:you|we|someone) (?:could|would|can)\b)(?:be|make|help|have)\b"
            r"|wouldn'?t it be\b|would it (?!be (?:possible|ok|okay|alright) (?:for you )?(?:to|if)\b)(?:be"
            r"|make"
            r"|help|hurt|matter|work|cause)\b|would (?:that|this|the|my|our|a|an|i|we|they|\w+ing)\b|(?:it'd"
            r"|it would) be (?:nice|great|cool|good|bad|better|awesome|terrible|crazy|fun|interesting"
            r"|a (?:shame"
            r"|pity|good|bad))\b(?! if you (?:could|can))|in an ideal world|(?:you|we|they|he"
            r"|she) could (?:have"
            r"|always|just|theoretically)\b"
        ),
    ),
    "wish": (
        r"(?!i\b|we\b|you\b|please\b|can\b|could\b|it\b|that\b|this\b|what\b|who\b)"
        + _PERSON
        + r" (?:just |also |really |now |still |always )?(?:wants|would like|'d like|asks for|is asking for|requests)\b"
        r"(?! (?:me|us|you|him|her|them|that|if|whether|to (?:know|see|understand|hear|be told))\b|\W*\Z|:)",
    ),
    "reported": (
        (
            r"[\w-]+'s (?:request|message|mail|e-?mail|note|instructions?|wish|orders?|suggestion|idea|words"
            r"|demand|advice|answer|reply)\b"
        ),
        (
            r"(?:(?:a|the|another|one) )?(?:\w+ )?(?:message|note|mail|e-?mail|letter|request|quote|word"
            r"|voicemail"
            r"|comment|text|instructions?|complaint)s? (?:from|by|of) (?!last\b|yesterday\b|today\b|january"
            r"|february|march|april|may\b|june|july|august|september|october|november|december"
            r"|\d)[\w-]+(?: [\w-]+){0,2}\W*(?::|says|said|reads|asks|is to|was to|that)"
        ),
        (
            r"(?:a|the) (?:note|message|sign|sticker|banner|memo|post-it|notification|alert|log|poster"
            r"|headline"
            r"|doc|docs|manual|guide|handbook|runbook|policy|faq)(?: [\w-]+){0,5} (?:says|said|reads|read"
            r"|stated"
            r"|states|tells|telling|saying|asking|recommends|suggests|advises|requires|instructs)\b"
        ),
        (
            r"(?!i\b|we\b|please\b|can\b|could\b|this\b|it\b|that\b)(?:[\w-]+|(?:the|a|an|my|our|your|his|her"
            r"|their) [\w-]+(?: [\w-]+)?)(?: (?:on|at|in|from|over) (?:the )?\w+)? (?:recommends|recommended"
            r"|insists|insisted|advises|advised|begs|begged|demands|demanded|instructed|urged|expects"
            r"|hopes)\b"
        ),
        r"(?!i\b|we\b|please\b|can\b|could\b)"
        + _PERSON
        + _SOMEWHERE
        + (
            r"(?:'s|'ve|'d| has| have| had| is| are| was| were| just| also| already| only| once| always"
            r"| really"
            r"| even| keeps| kept)* (?:said|says|saying|told|tells|telling|asked|asks|asking|wrote|writes"
            r"|suggested"
            r"|suggests|claimed|claims|mentioned|mentions|insisted|insists|recommended|recommends|demanded"
            r"|demands"
            r"|ordered (?:me|us|him|her|them)|instructed|reminded|advised|advises|proposed|proposes|shouted"
            r"|replied"
            r"|begged|urged|announced|states|stated|reads|texted|emailed me|messaged|complained|wondered"
            r"|wonders"
            r"|thinks|thought|believes|reckons|requested|requests|promised|expects|wanted|wants"
            r"|would like)\b(?: (?:me|us|him|her|them|you|everyone|that|to|i|we|if|whether|the|a|my|our|for"
            r"|about"
            r"|:"
            r"|,|\w+ing)|:|,|\Z)"
        ),
        (
            r"(?:it|this) (?:was|is|has been|had been) (?:\w+ )?(?:decided|suggested|said|agreed|requested"
            r"|proposed"
            r"|recommended|mentioned|announced|rumou?red|planned) (?:that|to|by|in)\b"
        ),
        r"(?!i\b|we\b)"
        + _PERSON
        + (
            r" (?:is|are|was|were|keeps?|kept|has been|have been)(?: \w+)? (?:asking|saying|telling|demanding"
            r"|complaining|insisting|begging|suggesting|claiming|wanting|hoping|writing)\b"
        ),
        (
            r"(?:from|subject|sent|fwd?|re|cc|date): ?\S|(?:in|on) (?:the|a|his|her|their|our|today's"
            r"|yesterday's) (?:\w+ )?(?:meeting|call|email|e-mail|mail|letter|message|chat|article|manual"
            r"|docs"
            r"|documentation|handbook|note|slide|minutes|thread|post|ticket"
            r"|review)s?\b[, ]+(?:\w+ ){1,3}(?:said"
            r"|says|wrote|writes|asked|asks|decided|mentioned|reads|suggested|told|claimed|stated|wants"
            r"|wanted)\b"
            r"|as \w+ (?:put it|said|says|wrote|told|mentioned)\b|per \w+'s\b|quote\b"
        ),
        r"(?!i\b|we\b)" + _PERSON + r" (?:said|says|wrote) \w",
        (
            r"(?:he|she|they|somebody|someone|everyone|people) (?:said|says|wrote|told|asked|suggested) "
            r"|they want (?:me|us|you|it|the|to)\b"
        ),
        (
            r"(?:according to|apparently|supposedly|allegedly|reportedly|rumou?r has it|word is|i (?:heard"
            r"|was told"
            r"|got told|hear|am told|read|was asked|have been told|overheard|saw)|i've (?:heard|been told"
            r"|been asked"
            r"|read)|we (?:heard|were told|were asked|'ve been told|have been told)|they say|people say"
            r"|it says"
            r"|it said|there(?:'s| is| was) (?:a (?:note|sign|message|mail|email|ticket|comment|post|rumou?r)"
            r"|an (?:email|e-mail|article|announcement)))\b"
        ),
    ),
    "past": (
        (
            r"(?:i|we|he|she|they|you) (?:used|tried|wanted|meant|hoped|planned|forgot|had|managed"
            r"|attempted|failed"
            r"|(?:was|were) (?:about|going|planning|trying|supposed|meant|asked|told))(?: \w+ly)? to\b"
            r"(?=.*\b(?:but|when|yesterday|last|ago|every|earlier|this morning|once|back then|before"
            r"|already|anyway)\b)"
        ),
        r"you (?:used|tried|forgot|failed|neglected|(?:was|were) (?:about|going|supposed|meant|asked"
        r"|told)) to\b",
        r"(?:i|we|they|he|she) (?:was|were) going to\b",
        (
            r"(?!(?:what|which|who|how|when|where|why|please)\b"
            r"|\w+ (?:the|a|an|my|our|all|this|that|those|these|it|me)\b)"
            r"(?:(?!that\b|which\b|who\b|i\b|we\b)[\w'#.-]+ ){1,4}(?:was|were|had)(?: [\w'-]+){1,6} "
            r"(?:yesterday|last (?:night|week|month|year|\w+day)|this morning|on \w+day"
            r"|(?:\w+ ){1,2}ago|the other day)\W*\Z"
        ),
        r"(?:and |so |but )?(?:"
        + _WHEN
        + (
            r",? )?(?:i|we|he|she|they|you|somebody|someone|who)(?:'ve|'d|'s| have| has| had)?(?: (?:also"
            r"|already"
            r"|just|once|never|recently|finally|accidentally|even|only|all|both|previously|yesterday|then"
            r"|still"
            r"|almost|nearly|had|have|has|been|got|successfully|literally|simply|first|actually))* "
        )
        + _DONE
        + (
            r"\b(?! to (?:book|make|get|order|send|cancel|see|know|ask|check|have|change|add|pay|report"
            r"|request"
            r"|restart|schedule)\b)"
        ),
        (
            r"(?!\w+ (?:the|a|an|my|our|your|all|this|that|these|those|what|everything|me|us|it|him|her"
            r"|them|every"
            r"|any|some|for|to|of|up|off|on)\b|which|what|how|who|when"
            r"|where)[\w'-]+(?: [\w#'-]+){0,4} (?:was|were"
            r"|has been|have been|had been|got|has|have|had|already|just)(?: (?:also|already|just|never"
            r"|finally"
            r"|accidentally|then|been|successfully|only|not))* "
        )
        + _DONE
        + r"\b",
        (
            r"(?:i'm|i am|we're|we are|i've|just|we've) (?:just |already )?(?:done|finished"
            r"|through)(?: with)? (?:\w+ing|the|my|it)\b|(?:just |already )(?:finished|done"
            r"|completed) \w+ing\b"
        ),
        (
            r"(?!(?:find|show|list|get|report|block|cancel|replace|track|return|refund|search|check|help"
            r"|order|pay|view"
            r"|have|need|please|i|we|what'?s?|which|who|how|when|where)\b)[\w'-]+(?: [\w#'-]+){0,2} (?:got|left"
            r"|went"
            r"|came|took"
            r"|gave|sent|made|bought|told|paid|ran|arrived|departed|crashed|failed)\b(?! (?:to|over)\b)"
        ),
        (
            r"(?!\w+ (?:the|a|an|my|our|all|this|that|it|me)\b|what|which|who|how|when"
            r"|where)[\w'-]+(?: [\w#'-]+){0,4} (?:is|are|'s|'re) (?:already|now already|long since) \w+"
        ),
        (
            r"(?:(?:the|my|our|your|his|her|their|this|that) (?:[\w-]+ ){1,2}"
            r"|(?!(?:please|just|get|have|need|want|see|what|which|who|how|when|where|why)\b)[a-z][\w-]+ )"
        )
        + _SURELY_DONE
        + " "
        + _OBJECT
        + r"\b",
        (
            r"(?:(?:the|my|our|your|his|her|their) (?:[\w-]+ ){1,2}"
            r"|(?!(?:please|just|get|have|need|want|see|what|which|who|how|when|where|why)\b)[a-z][\w-]+ )"
        )
        + _SURELY_DONE
        + r"(?: [\w'-]+){0,6} (?:yesterday|last (?:night|week|month|year|\w+day)|this morning|earlier"
        + r"|(?:\w+ ){1,2}ago|the other day)\W*\Z",
        r"(?:" + _WHEN + r",? )(?:i|we|he|she|they|you|somebody|someone|the \w+|\w+) " + _DONE + r"\b",
    ),
    "plan": (
        (
            r"(?:i|we|he|she|they|someone|somebody)(?:'ll| will| shall|'m going to| am going to|'re going to"
            r"| are going to|'s going to| is going to| intend to| plan to|'m about to| am about to"
            r"|'re about to"
            r"| are about to|'m planning| am planning)(?: (?:just|probably|also|then|definitely|maybe|soon"
            r"|never"
            r"|not))* (?!need|take|have\b|go (?:with|for)|want|require|love|appreciate)\w+"
        ),
        (
            r"(?:let me|i can|i could|we can) (?!know|have|see|get|book|order|reserve)(?:\w+ ){1,6}(?:myself"
            r"|ourselves|later|manually|by hand)\b"
        ),
    ),
    "transformation": (
        (
            r"(?:(?:give|tell|find|suggest|show) (?:me|us) |what(?:'s| is| would be) )?(?:another|a better"
            r"|a nicer"
            r"|a different|a shorter|a politer|a polite|some other|a good|the best|the right"
            r"|the correct) (?:way"
            r"|wording|word|phrase|phrasing|term|expression|sentence) (?:to say|to write|to put|to phrase"
            r"|to ask"
            r"|of|for)\b"
        ),
        (
            r"fix my (?:english|german|french|grammar|spelling|text|sentence)\b|is (?:this"
            r"|the following)(?: \w+)? (?:sentence|text|wording|phrase|correct|grammatical|spelled|spelt)\b"
            r"|(?:answer|reply to|respond to) (?:this|the following|that|these)\b|repeat after me\b|(?:read"
            r"|say"
            r"|spell|repeat) (?:this|that|it|the following)(?: \w+)? (?:aloud|out loud|back|backwards"
            r"|slowly)\b"
        ),
        (
            r"(?:make|turn|convert|change|put|bring) (?:this|that|these|the following|it"
            r"|[\"'][^\"']+[\"'])(?: \w+)? (?:friendlier|shorter|longer|nicer|softer|clearer|simpler|politer"
            r"|formal|into (?:a|an|the|one|\w+ words)|to (?:a |an |the )?(?:question|past|passive|active"
            r"|future"
            r"|list|table|statement|command|plural))\b"
        ),
        (
            r"(?!open\b|create\b|file\b|log\b|raise\b|add\b|post\b|send\b|note\b|play\b)\w+ (?:this|that"
            r"|these)(?! is\b)(?: (?:in|into|as|to|for|more|less|better|a|an|please|\w+ly)\b[^:]{0,30})?:"
        ),
        (
            r"(?:translate|summari[sz]e|rephrase|paraphrase|proofread|spell ?check|rewrite|reword|shorten"
            r"|condense"
            r"|simplify|polish|brainstorm|transcribe|outline|conjugate|pronounce|spell|tl;?dr)\b"
        ),
        (
            r"(?:correct|fix|improve|check|edit|review|clean up|tidy up) (?:the |my |this |these |that "
            r"|following "
            r"|any )*(?:grammar|spelling|wording|typos?|punctuation|sentences?|paragraph|phrasing|tone|text"
            r"|style"
            r"|essay|translation)\b"
        ),
        (
            r"(?:make|turn|put|convert|change) (?:this|that|it|the (?:text|following|sentence|message)"
            r"|these)(?: [\w-]+){0,3} (?:into|sound|more|less|shorter|longer|formal|polite|in|to) (?:a |an "
            r"|more "
            r"|less )?(?:poem|haiku|email|e-mail|letter|song|story|table|list|bullets?|bullet points|english"
            r"|german"
            r"|french|spanish|italian|formal|polite|friendly|casual|professional|passive|active|past tense"
            r"|question"
            r"|sentence|slide|tweet|formal|concise|natural|json|markdown|python)\b"
        ),
        (
            r"(?:write|draft|compose|make up|come up with|invent|sketch|sing|recite|code)(?: (?:me|us|him|her"
            r"|them))?(?: up)? (?:[\w'-]+ ){0,4}(?:"
        )
        + _WRITTEN
        + "|"
        + _CREATIVE
        + r")\b",
        (
            r"(?:generate|create|give|tell|produce|prepare|make|suggest|think of|design|show)(?: (?:me|us"
            r"|him|her"
            r"|them))? (?:[\w'-]+ ){0,3}(?:"
        )
        + _CREATIVE
        + r")\b",
        (
            r"(?:what(?:'s| is)|how (?:do|would|can) (?:you|i|one|we) (?:say|spell|pronounce|translate"
            r"|write)|say"
            r"|put) (?:the )?(?:[\"'][^\"']+[\"']|[\w ]+?)(?: called)? (?:in|into) (?:english|german|french"
            r"|spanish"
            r"|italian|dutch|portuguese|polish|japanese|chinese|russian|latin|other words)\b|what(?:'s"
            r"| is) the (?:\w+ )?(?:word|translation|synonym|plural|past tense|spelling|german|french|spanish"
            r"|italian|opposite) (?:for|of)\b"
        ),
        (
            r"help (?:me|us) (?:to )?(?:write|phrase|word|formulate|draft|compose|rewrite|translate|reply"
            r"|answer"
            r"|say"
            r"|express|come up|prepare|brainstorm|understand)\b"
        ),
        (
            r"(?!(?:open|create|file|log|raise|add|make|post|send) )\w+ (?:[\w']+ ){0,4}(?:following"
            r"|sentences?"
            r"|text"
            r"|phrase|line|words|paragraph|passage|snippet|excerpt|quote)\b[^:]{0,40}:"
        ),
        (
            r"(?:in|auf|en|auf gut) (?:english|german|french|spanish|italian|deutsch|englisch|französisch"
            r"|anglais"
            r"|français|inglés|inglese|plain english|other words|simple words|one word|one sentence)\b\s*[:,]"
            r"|(?:german|french|spanish|italian|english|dutch|japanese) (?:for|translation|word|version)\b"
        ),
        (
            r"(?:extract|classify|categori[sz]e|count|analy[sz]e|parse|annotate|label|tokeni[sz]e|underline"
            r"|capitali[sz]e)(?: \w+){0,5} (?:in|from|of) (?:this|the following|these|that) "
        ),
        (
            r"(?:role ?play|act as|pretend|play the (?:role|part))\b|continue (?:this|the) (?:story|text"
            r"|sentence)\b"
            r"|finish (?:this|the|my) (?:sentence|story|poem)\b|(?:give|find|list)(?: me)? (?:a |another "
            r"|some "
            r"|\d+ "
            r"|five |three )?(?:words?|synonyms?|name|names|titles?|ideas?|examples?) (?:for|of|that|to)\b"
        ),
    ),
    "sarcasm": (
        (
            r"(?:great|fine|super|perfect)[.,!]+ just (?:great|fine|perfect|super)\b|just great\b"
            r"|nothing says\b"
            r"|who doesn'?t (?:love|like|enjoy)\b|(?:yay|hooray|woohoo|whoopee|yippee|bravo)[,.! ]|oh (?:good"
            r"|goody|nice|super)[,.!] (?!yes\b|and\b|can\b|could\b|i\b|then\b)|(?:every|any)(?:one"
            r"|body) loves\b"
            r"|i (?:so|simply|do so) (?:enjoy|love)\b|what fun\b"
        ),
        (
            r"(?:oh|ah|wow|gee)[,!.]? (?:sure|great|right|perfect|wonderful|brilliant|fantastic|lovely|joy"
            r"|excellent"
            r"|terrific)\b|yeah,? right\b"
        ),
        (
            r"(?:yeah|yes|sure|great|right|brilliant|fantastic|wonderful|perfect|excellent|lovely|awesome"
            r"|good"
            r"|nice"
            r"|super|terrific|marvell?ous|genius)[,.!]* (?:because|like that|as if|just what|exactly what"
            r"|another (?:outage|error|crash|bug|failure|meeting|delay|problem)|idea\b|move\b|job\b"
            r"|thinking\b"
            r"|now (?:it|the|my|everything) |so now|what could|delete everything|the \w+ (?:is|are) (?:down"
            r"|broken"
            r"|dead|gone) again)\b"
        ),
        (
            r"as if\b|thanks for nothing\b|(?:great|nice|good|excellent|amazing|superb|fantastic|fine"
            r"|brilliant) (?:job|work|going|service|move|idea)(?:,? (?:\w+ing|on \w+|with \w+|again|as always"
            r"|as usual)|[.!]+ (?:now|the|my|it|everything))|(?:i'm|i am|we're) (?:so |just |absolutely "
            r"|really "
            r"|simply )?(?:thrilled|delighted|overjoyed|ecstatic)\b|(?:i |we |just )?can'?t wait (?:to|for"
            r"|until)\b"
            r"|congratulations\b|well done[,.!]+ (?:now|the|my|it|you)|how (?:helpful|useful|smart|great"
            r"|brilliant"
            r"|nice of)\b|that went well\b|love that for\b|another (?:great|brilliant|wonderful|fantastic"
            r"|lovely"
            r"|perfect)\b|just what (?:i|we) (?:needed|wanted|always)\b|exactly what (?:i|we) (?:needed"
            r"|wanted)\b"
            r"|(?:i|we) (?:just |really |so |absolutely )?(?:love|adore|enjoy) (?:it when|how|that|the way"
            r"|waiting"
            r"|being)\b|(?:i'm|i am) sure (?:that|it|the|this|you|nobody|everyone|they)\b"
            r"|what could (?:possibly )?go wrong\b|how (?:wonderful|lovely|convenient|nice|thoughtful"
            r"|clever|kind"
            r"|original|typical)\b|big surprise\b|what a (?:surprise|joy|treat|relief|brilliant|great"
            r"|wonderful"
            r"|fantastic|lovely|clever|genius|shock)\b|good luck\b|of course (?:it|the|you|they) (?:did"
            r"|does|is"
            r"|was"
            r"|would|has)\b|sure thing,? (?:genius|sherlock|einstein)\b|why (?:don'?t (?:you|we)"
            r"|not) (?:just )?(?:also )?(?:delete|burn|fire|throw|wipe|break|destroy|crash|drop|kill|blow"
            r"|cancel"
            r"|shut) (?:everything|it all|them all|the whole|all of|everyone|my whole|the entire|the company"
            r"|production)\b|(?:another|yet another) (?:brilliant|great|genius|fantastic|wonderful)\b"
        ),
    ),
}
"""What a clause tells that begins so."""
