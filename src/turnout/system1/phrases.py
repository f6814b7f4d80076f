"""Wordings of each form of speech, as tables: English thoroughly, the commonest of four other languages.

A wording is the source of a regular expression over lower-case text with plain quotes. Those of `OPENING` are
compared with the beginning of a clause, greetings and "please" taken off; those of `ANYWHERE` are searched for in a
whole text. Where several forms fit a clause, the first in the order of `OPENING` counts.
"""

from typing import Final

_NOT: Final = r"(?:do not|don'?t|dont|never|please (?:do not|don'?t)|let'?s not|let us not)"
_ONE: Final = (
    r"(?:i|we|you|one|somebody|someone|anyone|people|users?|customers?|guests?|employees?|staff|admins?)"
)
_GROUP: Final = (
    r"(?:one|somebody|someone|anyone|anybody|people|users|customers|guests|employees|staff|admins|patients"
    r"|members"
    r"|(?:a|an|any|every|each|another|the|my|our) (?:new |other )?(?:user|customer|guest|employee|admin"
    r"|patient|member|colleague|manager))"
)
_MACHINE: Final = (
    r"(?:this|it|that|the (?:bot|assistant|system|app|tool|chat|chatbot|service|ai|agent)|this (?:bot"
    r"|assistant"
    r"|system|app|tool|chat|chatbot|service|ai|agent|thing)|your (?:bot|system|app|tool|service)|turnout)"
)
_DONE: Final = (
    r"(?:(?!(?:need|feed|speed|proceed|exceed|succeed|embed|shed|bed|indeed|seed|bleed)\b)\w{2,}ed|sent|got"
    r"|gotten|made|ran|run|took|taken|told|paid|bought|set|put|went|gone|gave|given|wrote|written|read"
    r"|found|lost|left|built|cut|did|done|had|kept|let|met|saw|seen|shut|sold|spent|began|begun|brought"
    r"|caught|chose|chosen"
    r"|drew|forgot|forgotten|held|hit|knew|known|led|lent|moved|spoke|split|stuck|thought|threw|thrown|undid"
    r"|undone|woke|shown"
    r"|stole|stolen|broke|broken|swallowed|ate|drove|wore|tore|fell|felt|grew|hid|meant|rang|shook|shot"
    r"|slept|stood|taught|woke|won|came|became|dealt|fought|heard|stuck|understood|drank|flew|withdrew"
    r"|withdrawn|reset|rebuilt|resent|redid|froze|frozen|hung)"
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
    r"(?:he|she|they|[\w-]+|(?:the|a|an|my|our|your|his|her|their) (?:(?!i\b|we\b)[\w-]+ )?(?!i\b"
    r"|we\b)[\w-]+)"
)
_COME: Final = r"(?:how\b|what\b|which\b|why\b|when\b|where\b|who\b|whether\b|if\b)"

_CREATIVE: Final = (
    r"poems?|haikus?|limericks?|jokes?|stor(?:y|ies)|songs?|essays?|paragraphs?|blog(?: posts?)?|tweets?"
    r"|speech|scripts?|functions?"
    r"|regex|regular expression|sentences?|slogans?|headlines?|subject lines?|unit tests?|synonyms?|rhymes?"
    r"|riddles?|puns?"
    r"|recipes?|lyrics|cover letter|docstrings?|one-liner|code snippet"
)
_WRITTEN: Final = (
    r"posts?|articles?|programs?|code|class|quer(?:y|ies)|test cases?|tests|emails?|e-mails?|letters?|mails?"
    r"|messages?|reply|response"
    r"|announcements?|press release|documentation|readme|runbooks?|tutorials?|guides?|how-to|examples?"
    r"|wording|template|faq|resume|cv"
    r"|dialogues?|scene|explanation|description|checklist|policy|outline|dockerfile|makefile|bash|snippet"
    r"|playbook|summary|text"
)

OPENING: Final[dict[str, tuple[str, ...]]] = {
    "courtesy": (
        r"(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day|night)|greetings|moin|hallo|guten (?:tag"
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
        r"(?:sorry|apologies|excuse me|pardon)(?: (?:for|about|to) [\w' ]{1,50}| again)?[.!]*\Z",
        r"(?:i )?hope (?:you|all|this|everything)[\w' ]{0,50}[.!]*\Z",
        r"(?:how (?:are|is|'s) (?:you|things|it going|everything|your day)[\w ]{0,20}|how's it going|what's up"
        r"|long time no see"
        r"|nice to (?:meet|see) you|have a (?:nice|good|great|lovely) [\w ]{1,20})[?!.]*\Z",
        (
            r"(?:bye|goodbye|good bye|see you(?: \w+)?|take care|later|so long|tschüss|au revoir|adiós"
            r"|arrivederci)[.!]*\Z"
        ),
        r"(?:(?:it's|it is|this is|kind of|quite|pretty|very|really)? ?urgent|asap|as soon as possible|no rush"
        r"|no hurry|when you (?:can|have (?:a )?\w+)"
        r"|whenever you can|at your convenience|if (?:possible|you can|you could|you don'?t mind|that'?s (?:ok"
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
    "capability": (
        r"what (?:else )?(?:can|could) (?:you|it|this|i (?:do|ask|say)|the \w+ (?:do|help))\b",
        r"what (?:all )?(?:are you|is it|is this) (?:able to|capable of|good (?:at|for)|for\b|made for)",
        r"what (?:do|else do) you (?:do|offer|support|know about)\b",
        r"what (?:kinds?|sorts?|types?) of (?:things|tasks|requests|questions|actions|stuff|work) ",
        (
            r"(?:what|which) (?:features|functions?|functionality|commands|actions|languages|tools|skills"
            r"|capabilities|tasks|services|integrations)\b.*\b(?:you|there|available|support\w*|offer\w*"
            r"|i (?:can )?(?:use|ask))\b"
        ),
        (
            r"(?:are|were) you (?:also |even |actually )?(?:able to|capable of|allowed to|trained to|programmed to"
            r"|designed to|the right)"
        ),
        (
            r"(?:do|can) you (?:also |even |actually |already )?(?:support|offer|handle|know how to|do (?:things"
            r"|stuff|anything|other)|have (?:access|the ability|permission|a way|any way))\b"
        ),
        (
            r"do you (?:also |even |actually |already |ever |usually |normally |only |just )?(?!have\b|know\b|see\b"
            r"|want\b|need\b|think\b)(?:\w+) (?:\w+s|things|stuff)\b[\w ,]*\??\Z"
        ),
        r"(?:can|could) (?:even |actually |really )?" + _MACHINE + r" \w",
        r"(?:does|will|is|would|do) "
        + _MACHINE
        + (
            r" (?:even |also |actually |really |only )*(?:able to|capable of|support|handle|know how|help|let (?:me"
            r"|us)|allow|do\b|work with|speak|understand)"
        ),
        r"(?:can|could) (?:you|u) (?:even|actually|really|only|ever) \w+",
        r"(?:can|could) (?:you|u) (?:help|assist)(?: \w+)? with (?!this\b|that\b|it\b|my\b|something)",
        r"how (?:can|could|do|might) (?:you|this \w+|it) (?:help|assist|be of)\b",
        r"is (?:it|that|this) something (?:that )?you\b",
        (
            r"(?:i wonder|curious|just curious|do you know|could you tell me|can you tell me|tell me),? (?:if"
            r"|whether|what) (?:you|this \w+) (?:can|are able to|is able to|support|handle|know how)\b"
        ),
        (
            r"(?:are|is) there (?:any|a|some)? ?(?:actions?|commands?|features?|functions?|options?|way|button"
            r"|shortcut|setting) (?:for|to|that)\b"
        ),
        (
            r"who (?:are|made|built|created|trained) you\b|what are you\b|are you (?:a |an )?(?:bot|robot|ai|human"
            r"|person|real|machine|program)"
        ),
    ),
    "how-to": (
        (
            r"(?:and |but |so )?how (?:exactly |else |best |quickly |easily )?(?:do|does|can|could|would|will|should"
            r"|to|did|might|must|may|shall)\b"
        ),
        r"how'd\b|how (?:hard|easy|difficult|simple|safe|risky|complicated) (?:is|would|will)\b",
        (
            r"what(?:'s| is| would be| are) (?:the |a |your )?(?:\w+ )?(?:way|ways|procedure|process|command|steps?"
            r"|method|approach|syntax|instructions|workflow|policy|rules?)\b"
        ),
        (
            r"(?:what|which) (?:do|does|would|should|must|button|menu|command|steps|form|page|screen"
            r"|option) (?:\w+ )?(?:i|we|you|one)\b.*\b(?:to|press|click|use|type|run|do)\b"
        ),
        r"(?:and )?where (?:do|can|could|would|should|might|must) "
        + _ONE
        + r"\b(?! (?:find|see|get|watch|buy|eat|meet|park|hear)\b)",
        (
            r"(?:show|teach|tell|remind) (?:me|us) (?:the (?:steps|way|process|procedure|command)|how (?:to|do|does"
            r"|can|could|i|you|we|one|it works?|this works?|that works?|these|\w+ing))\b"
        ),
        (
            r"(?:explain|describe|demonstrate|outline|document|clarify|list the steps|walk (?:me|us) through"
            r"|guide (?:me|us)|talk (?:me|us) through)\b"
        ),
        (
            r"(?:the |any |some )?(?:steps|instructions|guide|tutorial|documentation|docs|manual|help page)s? (?:to"
            r"|for|on|about)\b"
        ),
        r"(?:any )?(?:idea|ideas|clue|tips?|advice|suggestions?) (?:on |about |for |as to )?(?:how|what|why)\b",
        (
            r"(?:i|we) (?:don'?t|do not|can'?t|cannot) (?:know|understand|see|remember|figure out|find out|get"
            r"|recall) (?:how|why|what|where|when|whether|if)\b"
        ),
        (
            r"(?:i'?d like|i want|i need|we need|i'?m trying|i am trying|i'?d love|i would like"
            r"|help me)(?: to)? (?:to )?(?:know|understand|learn|figure out|find out|see) (?:more "
            r"|a bit more )?(?:how (?:to|do|does|can|i|you|we|one|it|this|that|the|\w+ing)\b|why|what (?:happens"
            r"|does|it means)|about|whether (?:it'?s|it is)|if (?:it'?s|it is))"
        ),
    ),
    "why": (
        r"(?:and |but |so )?why\b(?! (?:don'?t|not|dont|do not) (?:you|we|just|\w+))",
        (
            r"how come\b|what(?:'s| is| was| were)? (?:the |your |our )?(?:reasons?|cause|rationale|reasoning)\b"
            r"|for what reason|what (?:made|makes|caused|causes|led|prompted) "
        ),
    ),
    "explanation": (
        (
            r"what (?:'?s|is|are|was|were) (?:(?:a|an) (?!good|great|nice|cheap|fun|popular|suitable|decent|quick"
            r"|fast)|(?:this|these|that|those|it|meant|so special)\W*\Z|exactly\b|actually\b)"
        ),
        (
            r"what(?:'s| is| are)? (?:the )?(?:difference|meaning|purpose|point|definition|effects?|impact"
            r"|implications?|consequences?|use|benefits?|advantages?|disadvantages?|idea|concept|downsides?|risks?"
            r"|pros)\b"
        ),
        (
            r"what (?:do|does|did|would|will|can|could|should|might|must|is|are|happens|happened"
            r"|would happen)\b.*\b(?:means?|(?<!to )do(?=\W*\Z| (?:to|for|when|if|exactly|here)\b)|happens?"
            r"|involves?|entails?|implies|imply|affects?|refers?|stands? for|good for|used for"
            r"|supposed to)\b(?! (?:we|i|you) have)"
        ),
        r"what (?:happens|happened|would happen|will happen|if|about when)\b",
        (
            r"what(?:'s| is| are) (?!my\b|our\b|the\b|your\b|on\b|in\b|left\b|due\b|open\b|next\b|new\b|up\b|there\b"
            r"|happening\b|going\b|planned\b|scheduled\b|available\b|still\b|currently\b|today|tomorrow|this\b"
            r"|booked\b|free\b|wrong\b|playing\b|overdue\b|pending\b|missing\b|unpaid\b|outstanding\b|broken\b"
            r"|down\b|running\b|urgent\b|\w+ (?:today|tomorrow|tonight|now|next)\b|\w+'s\b)[\w-]+(?: [\w-]+)?\??\Z"
        ),
        (
            r"(?:define|meaning of|definition of|eli5|tl;?dr|tell (?:me|us) (?:a bit |a little |something "
            r"|some )?(?:more )?about|give (?:me|us) (?:an? )?(?:overview|explanation|introduction|idea|example"
            r"|definition|summary of (?:what|how))|what do you mean|what'?s that)\b"
        ),
        (
            r"(?:does|do|will|would|can|could|is|are|did|might|should|has) (?:the |an? )?(?!anything|something"
            r"|nothing|everything|meeting|building|parking|billing|booking|morning|evening|king|heating|lighting"
            r"|living|dining|training|opening|cleaning|filing|setting|shipping|ceiling|pricing)\w{2,}ing\b"
        ),
    ),
    "advice": (
        r"(?:and |but |so )?should (?:i|we|one|they|it|the|my|our|you)\b",
        (
            r"(?!would it be (?:possible|ok|okay|alright) (?:for you )?(?:to|if)\b)(?:is|was|would|wouldn'?t|isn'?t"
            r"|will) (?:it|this|that|there) (?:be )?(?:\w+ )?(?:ok|okay|safe|possible|allowed|permitted|wise|smart"
            r"|a good|a bad|good|bad|best|worth|worthwhile|better|necessary|normal|common|risky|dangerous"
            r"|recommended|advisable|fine|alright|legal|required|mandatory|required|true|right|wrong|sensible"
            r"|harmful|useful|any risk|a risk|easier|cheaper|faster|hard|easy|difficult|a problem|a way|any way"
            r"|a limit|a fee|a charge|a rule|a deadline|a penalty)\b"
        ),
        (
            r"(?:is|are) there (?:a|any|some) (?:way|risk|limit|fee|charge|rule|policy|downside|harm|problem"
            r"|deadline|penalty|difference|reason|cost|charges|fees|limits|rules)\b"
        ),
        r"(?:do|must|need|would|did) "
        + _ONE
        + r" (?:really |even |always |still |actually )?(?:need|have|got|want) to\b",
        r"(?:am i|are we|is one|are "
        + _ONE
        + (
            r"|is (?:a|an|the|my) \w+) (?:really )?(?:allowed|able|supposed|permitted|entitled|required|obliged"
            r"|eligible|expected)\b"
        ),
        (
            r"(?:would|do|could|can) you (?:recommend|suggest|advise|think(?! you (?:could|can))|believe|say|agree"
            r"|consider)\b"
        ),
        (
            r"(?:what|which|who|when|how)(?: \w+){0,3} (?:would|should|do) you (?:recommend|suggest|advise|think|do"
            r"|say|prefer)\b"
        ),
        (
            r"(?:which|what)(?: \w+){0,2} (?:is|are|would be|works?) (?:the )?(?:better|best|safer|safest|cheaper"
            r"|cheapest|faster|right|recommended)\b"
        ),
        r"(?:can|could|may|must|might) " + _GROUP + r"\b",
        (
            r"(?:can|could|may|must) (?:i|we)\b.*\b(?:ever|retroactively|without|once|after (?:it|the|they|i|we|that"
            r"|a)|before (?:it|the|they|i|we)|even if|if|when|while|still|more than|at any time|anytime|later on"
            r"|twice|afterwards|instead of|only|both|myself|ourselves|too)\b"
        ),
        (
            r"(?:who|when|why) (?:can|could|should|must|may|has to|have to|is (?:allowed|able|supposed|permitted"
            r"|responsible|entitled)|are (?:allowed|able))\b"
        ),
        (
            r"how (?:long|often|much|many|far|late|early|soon|quickly|fast|big|small|high"
            r"|low)(?: \w+){0,3} (?:does it|do they|would it|will it|should|must|may|is allowed|are allowed"
            r"|does (?:an?|the) \w+ (?:take|last|cost|need))\b"
        ),
        (
            r"(?:i'm|i am|we're|we are) not sure (?:if|whether|how|what|which|when|about)\b|any (?:downsides?|risks?"
            r"|reasons?|harm|objections?) (?:to|in|of|not)\b|(?:what's|what is|your|any) (?:your )?(?:opinion"
            r"|thoughts?|take|advice|recommendation)\b|what do you (?:think|say|recommend)\b"
        ),
    ),
    "negation": (
        r"(?:absolutely|certainly|definitely|surely|obviously) not\b",
        r"(?!have\b|has\b|is\b|are\b|there\b|i\b|we\b|if\b|say\b|with\b)\w+ (?:me |us )?(?:nothing|nobody|none of|no (?!later\b|more than\b|less\b|longer\b|matter\b|reply\b|one\b|\d)\w+)\b",
        r"(?:keep|leave) (?:[\w.'#-]+ ){1,4}(?:open|active|intact|alive|up|unlocked|locked|in place|booked|on hold)\W*\Z|let (?:the |my |it |them )?(?:[\w-]+ )?(?:run|be|stay|continue|alone)\W*\Z",
        r"(?:[\w'#-]+ ){1,4}(?:must|should|has to|needs to|have to|shall) (?:stay|remain|keep)\b|(?:[\w'#-]+ ){1,4}(?:isn'?t|is not|aren'?t|are not) (?:needed|necessary|required|wanted|called for)\b",
        r"(?:stop|quit) trying to\b|wait (?:with|before)\b|(?:i'm|i am|we're|we are) (?:fine|good|ok|okay|happy) without\b|whatever you do\b",
        _NOT
        + (
            r"(?! (?:you (?:want|think|have|need|know)\b|(?:see|know|understand|remember|recall|think|believe|seem"
            r"|look|work|get it|care|have (?:any|a|the|time|enough))\b|forget|hesitate|let (?:me|us) forget"
            r"|let it (?:slip|happen)|be shy|fail to|neglect|miss\b|worry|mind|wait))\b"
        ),
        r"(?:can|could|would|will) (?:you|we) (?:please )?not\b(?! (?:forget|only))",
        (
            r"(?:please )?(?:not|no need to|no more|rather not|better not|under no circumstances|by no means"
            r"|on no account|hands off|no longer|anything but|not yet|not now|not today)\b(?! only)"
        ),
        (
            r"(?:please )?(?:stop|avoid|refrain from|quit|cease|hold off(?: on)?|skip|hold) \w+ing\b|hold off\b"
            r"|(?:please )?(?:leave|keep) (?:[\w.'-]+ ){1,4}(?:alone|as (?:is|it is|they are|it was)|untouched"
            r"|unchanged|running|in place|open|alive|on)\b(?! for)"
        ),
        (
            r"(?:i|we) (?:do not|don'?t|dont|didn'?t|did not|never|wouldn'?t|would not|won'?t|will not|no longer"
            r"|cannot|can't) (?:\w+ )?(?:want|need|mean|ask|asked|wanted|wish|intend|plan|require"
            r"|like)\b(?! (?:to (?:forget|miss|lose|be late|wait)))"
        ),
        (
            r"(?:i'm|i am|we're|we are) (?:not|no longer) (?:asking|telling|going|planning|trying|looking|interested"
            r"|ready|in favou?r|ordering|requesting|saying)\b"
        ),
        (
            r"(?:you|we|one|nobody|no one|they) (?:should not|shouldn'?t|must not|mustn'?t|need not|needn'?t|can'?t"
            r"|cannot|may not|don'?t (?:need|have) to|do not (?:need|have) to|better not|should never|must never)\b"
        ),
        r"(?:nobody|no one) (?:should|must|may|asked|wants|needs|said)\b",
        (
            r"(?:there'?s|there is|there's really) no (?:need|reason|point|rush to|hurry to)\b"
            r"|it'?s not (?:necessary|needed|worth|time)\b|it is not (?:necessary|needed)\b|(?:i'd|i would"
            r"|we'd) (?:rather|prefer) (?:you )?(?:not|didn'?t|don'?t|do not)\b|(?:i'd|i would) (?:like|prefer"
            r"|want) (?:you )?not to\b|i (?:want|need) you not to\b"
        ),
        r"(?:instead of|rather than|in place of)\b",
        (
            r"(?:be careful|try|take care|remember|promise|beware|make sure|be sure|see to it)(?: that)? (?:not to"
            r"|never to|to not|to never|(?:you|we|they|nobody|no one|it|the \w+|\w+) (?:don'?t|do not|never|isn'?t"
            r"|is not|doesn'?t|does not|aren'?t|are not|gets? no)|nobody|no one|nothing)\b"
        ),
        (
            r"(?!\w+ (?:the|a|an|my|our|all|this|that|it|me)\b)[\w'-]+(?: [\w#'-]+){0,4} (?:must not|mustn'?t"
            r"|should not|shouldn'?t|must never|should never|needn'?t|need not|does not need|doesn'?t need"
            r"|don'?t need|is not to be|are not to be|isn'?t to be)\b"
        ),
        (
            r"(?:i|we) (?:told|asked|said|begged|warned)(?: \w+){0,3} (?:not to|never to|to not)\b|(?:you'd|you had"
            r"|we'd|we had) better not\b|nothing to \w+|without (?:\w+ing)\b"
        ),
    ),
    "retreat": (
        r"(?:absolutely|certainly|definitely|of course|hell|please|rather|better|maybe|probably) not\W*\Z",
        (
            r"(?:just |oh |wait,? |actually,? |no,? )*(?:forget|never ?mind|scratch|drop|disregard"
            r"|ignore)(?: about)? (?:it|that|this|the \w+|my \w+|what i said|the last|everything)\b|(?:just |oh "
            r"|actually,? )?never ?mind\b|(?:i )?(?:just )?changed my mind\b|(?:actually |wait )*(?:no|nope|nah|wait"
            r"|stop|don'?t|do not)[.!,]*\Z|(?:no,? wait|wait,? no|on second thoughts?|just kidding|lol no|kidding)\b"
        ),
        (
            r"(?:(?:no|nope|nah|ok|okay)[.!,]* )?(?:leave|keep|let) (?:it|that|this|them|everything)(?: (?:as (?:it"
            r"|they) (?:is|are|was|were)|be|alone|there|for now|then|please))*[.!]*\Z"
        ),
        (
            r"(?:no|nope|nah)[.!,]*(?: (?:thanks|thank you|not now|don'?t|that's (?:ok|okay|all|fine)|i'm (?:good"
            r"|fine)|it's (?:ok|okay|fine)|all good|stop|leave it[\w ]*|need|problem))*[.!]*\Z"
        ),
    ),
    "condition": (
        (
            r"(?:if|unless|whenever|once|as soon as|in case|when|every time) (?!(?:do|does|did|is|are|will|was|were"
            r"|can|should|would|could|am|shall|again|more|possible)\b|you (?:can|could|please|don'?t mind|would"
            r"|have (?:a |time))|that'?s (?:ok|possible|alright)|it'?s (?:ok|possible|not too))"
        )
        + _SUBJECT
        + r"\b",
        r"(?:only )?if (?:ever|not|need be|need(?:ed)?|necessary)\b",
    ),
    "hypothetical": (
        (
            r"if only\b|what if\b|what would\b|even if\b|suppos(?:e|ing)\b|assum(?:e|ing)\b|imagine\b|let'?s (?:say"
            r"|suppose|assume|imagine|pretend)\b|let us (?:say|suppose|assume|imagine)\b|pretend\b|say (?:i|we|you"
            r"|someone|that)\b|hypothetically\b|theoretically\b|in theory\b|in principle\b|purely hypothetical"
            r"|provided (?:that|the)\b|had (?:i|we)\b|were (?:i|we) to\b"
        ),
        (
            r"(?:i|we)(?:'m| am|'re| are|'ve been| have been| was| were)? (?:just |only |still |currently "
            r"|also )?(?:thinking|considering|wondering|toying|contemplating|debating|mulling|tempted|planning"
            r"|hoping to|dreaming)\b(?! (?:if|whether) (?:you|we) (?:could|can))"
        ),
        (
            r"(?:i|we) (?:might|may|could|would)(?!n't| not| like| love| appreciate| be (?:grateful|happy|glad)"
            r"| need| want| prefer| rather)(?: (?:have|just|also|probably|perhaps|maybe|even|then|eventually|one day"
            r"|at some point))* \w+|(?:i|we) (?:should|ought to) (?:probably|perhaps|maybe|really|have|one day"
            r"|some day|at some point)\b|(?:i|we) wish\b|(?:perhaps|maybe) (?:i|we|one|it|someday|some day|later"
            r"|one day|next)\b|one day\b|some ?day\b|at some point\b|it (?:might|may|could"
            r"|would) (?!be \w+,? if (?:you|we|someone) (?:could|would|can)\b)(?:be|make|help|have)\b"
            r"|wouldn'?t it be\b|would it (?!be (?:possible|ok|okay|alright) (?:for you )?(?:to|if)\b)(?:be|make"
            r"|help|hurt|matter|work|cause)\b|would (?:that|this|the|my|our|a|an|i|we|they|\w+ing)\b|(?:it'd"
            r"|it would) be (?:nice|great|cool|good|bad|better|awesome|terrible|crazy|fun|interesting|a (?:shame"
            r"|pity|good|bad))\b(?! if you (?:could|can))|in an ideal world|(?:you|we|they|he|she) could (?:have"
            r"|always|just|theoretically)\b"
        ),
    ),
    "reported": (
        r"[\w-]+'s (?:request|message|mail|e-?mail|note|instructions?|wish|orders?|suggestion|idea|words|demand|advice|answer|reply)\b",
        r"(?:(?:a|the|another|one) )?(?:\w+ )?(?:message|note|mail|e-?mail|letter|request|quote|word|voicemail|comment|text|instructions?|complaint)s? (?:from|by|of) (?!last\b|yesterday\b|today\b|january|february|march|april|may\b|june|july|august|september|october|november|december|\d)[\w-]+(?: [\w-]+){0,2}\W*(?::|says|said|reads|asks|is to|was to|that)",
        r"(?:a|the) (?:note|message|sign|sticker|banner|memo|post-it|notification|alert|log|poster|headline|doc|docs|manual|guide|handbook|runbook|policy|faq)(?: [\w-]+){0,5} (?:says|said|reads|read|stated|states|tells|telling|saying|asking|recommends|suggests|advises|requires|instructs)\b",
        r"(?!i\b|we\b|please\b|can\b|could\b|this\b|it\b|that\b)(?:[\w-]+|(?:the|a|an|my|our|your|his|her|their) [\w-]+(?: [\w-]+)?)(?: (?:on|at|in|from|over) (?:the )?\w+)? (?:recommends|recommended|insists|insisted|advises|advised|begs|begged|demands|demanded|instructed|urged|expects|hopes)\b",
        r"(?!i\b|we\b|please\b|can\b|could\b)"
        + _PERSON
        + (
            r"(?:'s|'ve|'d| has| have| had| is| are| was| were| just| also| already| only| once| always| really"
            r"| even| keeps| kept)* (?:said|says|saying|told|tells|telling|asked|asks|asking|wrote|writes|suggested"
            r"|suggests|claimed|claims|mentioned|mentions|insisted|insists|recommended|recommends|demanded|demands"
            r"|ordered (?:me|us|him|her|them)|instructed|reminded|advised|advises|proposed|proposes|shouted|replied"
            r"|begged|urged|announced|states|stated|reads|texted|emailed me|messaged|complained|wondered|wonders"
            r"|thinks|thought|believes|reckons|requested|requests|promised|expects|wanted|wants"
            r"|would like)\b(?: (?:me|us|him|her|them|you|everyone|that|to|i|we|if|whether|the|a|my|our|for|about|:"
            r"|,|\w+ing)|:|,|\Z)"
        ),
        (
            r"(?:it|this) (?:was|is|has been|had been) (?:\w+ )?(?:decided|suggested|said|agreed|requested|proposed"
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
            r"|yesterday's) (?:\w+ )?(?:meeting|call|email|e-mail|mail|letter|message|chat|article|manual|docs"
            r"|documentation|handbook|note|slide|minutes|thread|post|ticket|review)s?\b[, ]+(?:\w+ ){1,3}(?:said"
            r"|says|wrote|writes|asked|asks|decided|mentioned|reads|suggested|told|claimed|stated|wants|wanted)\b"
            r"|as \w+ (?:put it|said|says|wrote|told|mentioned)\b|per \w+'s\b|quote\b"
        ),
        r"(?!i\b|we\b)" + _PERSON + r" (?:said|says|wrote) \w",
        (
            r"(?:he|she|they|somebody|someone|everyone|people) (?:said|says|wrote|told|asked|suggested) "
            r"|they want (?:me|us|you|it|the|to)\b"
        ),
        (
            r"(?:according to|apparently|supposedly|allegedly|reportedly|rumou?r has it|word is|i (?:heard|was told"
            r"|got told|hear|am told|read|was asked|have been told|overheard|saw)|i've (?:heard|been told|been asked"
            r"|read)|we (?:heard|were told|were asked|'ve been told|have been told)|they say|people say|it says"
            r"|it said|there(?:'s| is| was) (?:a (?:note|sign|message|mail|email|ticket|comment|post|rumou?r)"
            r"|an (?:email|e-mail|article|announcement)))\b"
        ),
    ),
    "past": (
        r"(?:and |so |but )?(?:"
        + _WHEN
        + (
            r",? )?(?:i|we|he|she|they|you|somebody|someone|who)(?:'ve|'d|'s| have| has| had)?(?: (?:also|already"
            r"|just|once|never|recently|finally|accidentally|even|only|all|both|previously|yesterday|then|still"
            r"|almost|nearly|had|have|has|been|got|successfully|literally|simply|first|actually))* "
        )
        + _DONE
        + (
            r"\b(?! to (?:book|make|get|order|send|cancel|see|know|ask|check|have|change|add|pay|report|request"
            r"|restart|schedule)\b)"
        ),
        (
            r"(?!\w+ (?:the|a|an|my|our|your|all|this|that|these|those|what|everything|me|us|it|him|her|them|every"
            r"|any|some|for|to|of|up|off|on)\b|which|what|how|who|when|where)[\w'-]+(?: [\w#'-]+){0,4} (?:was|were"
            r"|has been|have been|had been|got|has|have|had|already|just)(?: (?:also|already|just|never|finally"
            r"|accidentally|then|been|successfully|only|not))* "
        )
        + _DONE
        + r"\b",
        (
            r"(?:i'm|i am|we're|we are|i've|just|we've) (?:just |already )?(?:done|finished"
            r"|through)(?: with)? (?:\w+ing|the|my|it)\b|(?:just |already )(?:finished|done|completed) \w+ing\b"
        ),
        (
            r"(?!\w+ (?:the|a|an|my|our|all|this|that|it|me)\b|what|which|who|how|when"
            r"|where)[\w'-]+(?: [\w#'-]+){0,4} (?:is|are|'s|'re) (?:already|now already|long since) \w+"
        ),
        r"(?:" + _WHEN + r",? )(?:i|we|he|she|they|you|somebody|someone|the \w+|\w+) " + _DONE + r"\b",
    ),
    "plan": (
        (
            r"(?:i|we|he|she|they|someone|somebody)(?:'ll| will| shall|'m going to| am going to|'re going to"
            r"| are going to|'s going to| is going to| intend to| plan to|'m about to| am about to|'re about to"
            r"| are about to|'m planning| am planning)(?: (?:just|probably|also|then|definitely|maybe|soon|never"
            r"|not))* (?!need|take|have\b|go (?:with|for)|want|require|love|appreciate)\w+"
        ),
        (
            r"(?:let me|i can|i could|we can) (?!know|have|see|get|book|order|reserve)(?:\w+ ){1,6}(?:myself"
            r"|ourselves|later|manually|by hand)\b"
        ),
    ),
    "transformation": (
        r"(?:(?:give|tell|find|suggest|show) (?:me|us) |what(?:'s| is| would be) )?(?:another|a better|a nicer|a different|a shorter|a politer|a polite|some other|a good|the best|the right|the correct) (?:way|wording|word|phrase|phrasing|term|expression|sentence) (?:to say|to write|to put|to phrase|to ask|of|for)\b",
        r"fix my (?:english|german|french|grammar|spelling|text|sentence)\b|is (?:this|the following)(?: \w+)? (?:sentence|text|wording|phrase|correct|grammatical|spelled|spelt)\b|(?:answer|reply to|respond to) (?:this|the following|that|these)\b|repeat after me\b|(?:read|say|spell|repeat) (?:this|that|it|the following)(?: \w+)? (?:aloud|out loud|back|backwards|slowly)\b",
        r"(?:make|turn|convert|change|put|bring) (?:this|that|these|the following|it|[\"'][^\"']+[\"'])(?: \w+)? (?:friendlier|shorter|longer|nicer|softer|clearer|simpler|politer|formal|into (?:a|an|the|one|\w+ words)|to (?:a |an |the )?(?:question|past|passive|active|future|list|table|statement|command|plural))\b",
        r"(?!open\b|create\b|file\b|log\b|raise\b|add\b|post\b|send\b|note\b|play\b)\w+ (?:this|that|these)(?! is\b)(?: (?:in|into|as|to|for|more|less|better|a|an|please|\w+ly)\b[^:]{0,30})?:",
        (
            r"(?:translate|summari[sz]e|rephrase|paraphrase|proofread|spell ?check|rewrite|reword|shorten|condense"
            r"|simplify|polish|brainstorm|transcribe|outline|conjugate|pronounce|spell|tl;?dr)\b"
        ),
        (
            r"(?:correct|fix|improve|check|edit|review|clean up|tidy up) (?:the |my |this |these |that |following "
            r"|any )*(?:grammar|spelling|wording|typos?|punctuation|sentences?|paragraph|phrasing|tone|text|style"
            r"|essay|translation)\b"
        ),
        (
            r"(?:make|turn|put|convert|change) (?:this|that|it|the (?:text|following|sentence|message)"
            r"|these)(?: [\w-]+){0,3} (?:into|sound|more|less|shorter|longer|formal|polite|in|to) (?:a |an |more "
            r"|less )?(?:poem|haiku|email|e-mail|letter|song|story|table|list|bullets?|bullet points|english|german"
            r"|french|spanish|italian|formal|polite|friendly|casual|professional|passive|active|past tense|question"
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
            r"(?:generate|create|give|tell|produce|prepare|make|suggest|think of|design|show)(?: (?:me|us|him|her"
            r"|them))? (?:[\w'-]+ ){0,3}(?:"
        )
        + _CREATIVE
        + r")\b",
        (
            r"(?:what(?:'s| is)|how (?:do|would|can) (?:you|i|one|we) (?:say|spell|pronounce|translate|write)|say"
            r"|put) (?:the )?(?:[\"'][^\"']+[\"']|[\w ]+?)(?: called)? (?:in|into) (?:english|german|french|spanish"
            r"|italian|dutch|portuguese|polish|japanese|chinese|russian|latin|other words)\b|what(?:'s"
            r"| is) the (?:\w+ )?(?:word|translation|synonym|plural|past tense|spelling|german|french|spanish"
            r"|italian|opposite) (?:for|of)\b"
        ),
        (
            r"help (?:me|us) (?:to )?(?:write|phrase|word|formulate|draft|compose|rewrite|translate|reply|answer|say"
            r"|express|come up|prepare|brainstorm|understand)\b"
        ),
        (
            r"(?!(?:open|create|file|log|raise|add|make|post|send) )\w+ (?:[\w']+ ){0,4}(?:following|sentences?|text"
            r"|phrase|line|words|paragraph|passage|snippet|excerpt|quote)\b[^:]{0,40}:"
        ),
        (
            r"(?:in|auf|en|auf gut) (?:english|german|french|spanish|italian|deutsch|englisch|französisch|anglais"
            r"|français|inglés|inglese|plain english|other words|simple words|one word|one sentence)\b\s*[:,]"
            r"|(?:german|french|spanish|italian|english|dutch|japanese) (?:for|translation|word|version)\b"
        ),
        (
            r"(?:extract|classify|categori[sz]e|count|analy[sz]e|parse|annotate|label|tokeni[sz]e|underline"
            r"|capitali[sz]e)(?: \w+){0,5} (?:in|from|of) (?:this|the following|these|that) "
        ),
        (
            r"(?:role ?play|act as|pretend|play the (?:role|part))\b|continue (?:this|the) (?:story|text|sentence)\b"
            r"|finish (?:this|the|my) (?:sentence|story|poem)\b|(?:give|find|list)(?: me)? (?:a |another |some |\d+ "
            r"|five |three )?(?:words?|synonyms?|name|names|titles?|ideas?|examples?) (?:for|of|that|to)\b"
        ),
    ),
    "sarcasm": (
        r"(?:great|fine|super|perfect)[.,!]+ just (?:great|fine|perfect|super)\b|just great\b|nothing says\b|who doesn'?t (?:love|like|enjoy)\b|(?:yay|hooray|woohoo|whoopee|yippee|bravo)[,.! ]|oh (?:good|goody|nice|super)[,.!] (?!yes\b|and\b|can\b|could\b|i\b|then\b)|(?:every|any)(?:one|body) loves\b|i (?:so|simply|do so) (?:enjoy|love)\b|what fun\b",
        (
            r"(?:oh|ah|wow|gee)[,!.]? (?:sure|great|right|perfect|wonderful|brilliant|fantastic|lovely|joy|excellent"
            r"|terrific)\b|yeah,? right\b"
        ),
        (
            r"(?:yeah|yes|sure|great|right|brilliant|fantastic|wonderful|perfect|excellent|lovely|awesome|good|nice"
            r"|super|terrific|marvell?ous|genius)[,.!]* (?:because|like that|as if|just what|exactly what"
            r"|another (?:outage|error|crash|bug|failure|meeting|delay|problem)|idea\b|move\b|job\b|thinking\b"
            r"|now (?:it|the|my|everything) |so now|what could|delete everything|the \w+ (?:is|are) (?:down|broken"
            r"|dead|gone) again)\b"
        ),
        (
            r"as if\b|thanks for nothing\b|(?:great|nice|good|excellent|amazing|superb|fantastic|fine"
            r"|brilliant) (?:job|work|going|service|move|idea)(?:,? (?:\w+ing|on \w+|with \w+|again|as always"
            r"|as usual)|[.!]+ (?:now|the|my|it|everything))|(?:i'm|i am|we're) (?:so |just |absolutely |really "
            r"|simply )?(?:thrilled|delighted|overjoyed|ecstatic)\b|(?:i |we |just )?can'?t wait (?:to|for|until)\b"
            r"|congratulations\b|well done[,.!]+ (?:now|the|my|it|you)|how (?:helpful|useful|smart|great|brilliant"
            r"|nice of)\b|that went well\b|love that for\b|another (?:great|brilliant|wonderful|fantastic|lovely"
            r"|perfect)\b|just what (?:i|we) (?:needed|wanted|always)\b|exactly what (?:i|we) (?:needed|wanted)\b"
            r"|(?:i|we) (?:just |really |so |absolutely )?(?:love|adore|enjoy) (?:it when|how|that|the way|waiting"
            r"|being)\b|(?:i'm|i am) sure (?:that|it|the|this|you|nobody|everyone|they)\b"
            r"|what could (?:possibly )?go wrong\b|how (?:wonderful|lovely|convenient|nice|thoughtful|clever|kind"
            r"|original|typical)\b|big surprise\b|what a (?:surprise|joy|treat|relief|brilliant|great|wonderful"
            r"|fantastic|lovely|clever|genius|shock)\b|good luck\b|of course (?:it|the|you|they) (?:did|does|is|was"
            r"|would|has)\b|sure thing,? (?:genius|sherlock|einstein)\b|why (?:don'?t (?:you|we)"
            r"|not) (?:just )?(?:also )?(?:delete|burn|fire|throw|wipe|break|destroy|crash|drop|kill|blow|cancel"
            r"|shut) (?:everything|it all|them all|the whole|all of|everyone|my whole|the entire|the company"
            r"|production)\b|(?:another|yet another) (?:brilliant|great|genius|fantastic|wonderful)\b"
        ),
    ),
    "lookup": (
        (
            r"(?:and |but |so |tell me |can you tell me |could you tell me |do you know |any idea |remind me "
            r"|let me know )?(?:what|what'?s|which|whose|who|who'?s|when|when'?s|where|where'?s|how (?:many|much"
            r"|long|far|often|late|early|old|big|soon|are|is|'s|was)|how'?s)\b"
        ),
        (
            r"(?:is|are|isn'?t|aren'?t|am|does|doesn'?t|do|will|won'?t|would|did|didn'?t|haven'?t|has|hasn'?t|had"
            r"|hadn'?t|was|wasn'?t|were|weren'?t) (?:the|a|an|my|our|your|his|her|this|that|these|those|there|it|he"
            r"|she|they|i|we|any|anyone|anybody|someone|somebody|everything|all|you)\b(?! (?:mind|please|kindly))"
        ),
        r"have (?:you|they|we|i|the|any|all|there)\b (?!to\b)",
        r"(?:is|are|isn'?t|aren'?t|does|doesn'?t|did|didn'?t|has|hasn'?t|was|wasn'?t|were|weren'?t) [\w'-]+\b",
    ),
}
"""What a clause does when it begins so."""

ANYWHERE: Final[dict[str, tuple[str, ...]]] = {
    "transformation": (
        (
            r"\b(?:into|as|like|in) (?:an? )?(?:haiku|poem|limerick|rhymes?|song|rap|bullet points?|pirate\w*"
            r"|shakespeare\w*|fairy tale|the style of|the voice of|(?:plain|simple|formal|polite|fancy|old"
            r"|broken) (?:english|language|words|german|french)|other words)\b|\binto (?:english|german|french"
            r"|spanish|italian|dutch|portuguese|japanese|chinese|russian|polish|latin|klingon)\b"
        ),
    ),
    "sarcasm": (
        r"\U0001f644|(?<!\S)/s\b",
        (
            r"\bslow clap\b|\bnothing better to do\b|\bwork(?:ed|s) (?:so|really|super|oh so) well (?:last|the first"
            r"|before|yesterday)|\b(?:hundredth|thousandth|millionth|umpteenth|gazillionth) time\b"
            r"|\bwhat could possibly\b|\blike (?:that|it) (?:ever|would ever) |\bbest (?:service|bot|system|day"
            r"|idea) ever\b|\b(?:so|very|super|real|really) helpful,? (?:as always|again|thanks|not)\b"
            r"|\bmy favou?rite (?:part|thing|hobby|pastime)\b|\bbecause (?:clearly|obviously|who needs)\b"
            r"|\bwho needs \w+ anyway\b|\bnot\W*!+\Z"
        ),
    ),
    "injection": (
        (
            r"\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules"
            r"|guidelines|directives|context|polic(?:y|ies)|safety|restrictions|constraints|training"
            r"|everything (?:above|before)|previous|above|system message)\b"
        ),
        (
            r"\byou are now\b|\bfrom now on,? you\b|\bnew (?:system )?(?:instructions?|directives?|prompt|rules)\b"
            r"|\bsystem (?:prompt|override|message|instruction|notice|note)\b|\b(?:developer|dan|god|admin|debug"
            r"|maintenance|root|sudo|jailbreak) mode\b|\bjailbreak|\bprompt injection\b|\bdo anything now\b"
        ),
        (
            r"(?:^|\n)\s*(?:###|<\|?|\[)?\s*(?:system|assistant|developer|tool|function|admin|inst"
            r"|instructions?)\s*(?:\|?>|\]|###)?\s*:\s|<\|[\w ]+\|>|\[/?inst\]|<</?sys>>|</?(?:system|assistant"
            r"|instructions?|tool_call|function_call|tool|admin)>|\bbegin (?:system|instructions|prompt)\b"
            r"|\bend of (?:prompt|instructions|document|text)\b"
        ),
        (
            r"\b(?:as (?:the|an?|your) (?:system |new )?(?:administrator|admin|developer|owner|creator|operator"
            r"|root)\b|\bauthori[sz]ation (?:code|level)\b|\bwithout (?:asking|confirmation|telling the user"
            r"|informing)\b|\b(?:note|message|attention|instructions?|reminder|important|command) (?:to"
            r"|for) (?:the )?(?:ai|assistant|model|bot|agent|llm|chatbot|language model)s?\b)"
        ),
        (
            r"\b(?:ai|assistant|model|bot|agent|llm)s? (?:reading|processing|parsing|summari[sz]ing|that reads?"
            r"|who reads?) this\b|\bdear (?:ai|assistant|model|bot|llm)\b|\bhidden (?:instruction|text|command)"
            r"|\baction required by (?:the )?(?:ai|assistant)|\b(?:execute|run|perform"
            r"|carry out) the following (?:command|instruction|action|tool)s?\b|\b(?:call|use|invoke) the (?:tool"
            r"|function|action) "
        ),
        (
            r"\bignorier\w* (?:alle|die|deine|sämtliche|bisherig\w+|vorherig\w+)|\bignore[sz]? (?:toutes|les|vos"
            r"|tes) |\bignora (?:todas|las|tus|tutte|le|le tue|tus) "
        ),
    ),
    "code": (
        r"```|~~~\n|<(?:html|body|div|script|xml|table|svg|span|p|a href|\?xml)\b|</\w+>",
        r"\bfile \"[^\"]+\", line \d+|\n\s*at [\w.$<>]+\([\w.:]*\)|\b\w*(?:error|exception|warning): \S",
        (
            r"\btraceback \(most recent call last\)|\bexit (?:code|status) \d|\bsegmentation fault|\bstack ?trace\b"
            r"|\bpanic: |\bnpm err!|\bcommand not found|\bno such file or directory|\bpermission denied\b"
        ),
        (
            r"(?:^|\n)\s*\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d|(?:^|\n)\s*\[?\d\d:\d\d:\d\d|\[(?:info|warn|warning|error"
            r"|debug|trace|fatal|notice)\]|(?:^|\n|\s)(?:info|warn|warning|error|debug|fatal|level)[=:] ?\S"
            r"|\b(?:info|warn|error|debug|fatal) (?:\[|\d{4}|- )|\blevel=\w+"
        ),
        (
            r"(?:^|\n)\s*(?:def|class|fn|func|function|public|private|static|void|import|from \w[\w.]* import|const"
            r"|let|var|return|async def|#include|package|using) ?[\w\"'{(<*]+.*(?:[({:;=]|import \w)"
        ),
        (
            r"\b[a-z_][\w.]*\((?:[^()\s][^()]*)?\)|\)\s*[;{]|[\w\])]\s*(?:=>|===?|!==?|&&|\|\||\+=|:=)\s*|;\s*(?:\n"
            r"|\Z)|\{\s*[\"'][\w-]+[\"']\s*:|\$\{?\w+\}?|--[a-z][\w-]+|\s\|\s*(?:grep|jq|awk|sed|xargs|head|tail|wc"
            r"|sort)\b"
        ),
        r"(?:^|\n)\s*(?:\$|>>>|#!|c:\\|\w+@\w+[:~\$])\s?\S",
        (
            r"(?:^|\n)\s*(?:curl|kubectl|docker|git|npm|pip|sudo|ssh|systemctl|helm|terraform|psql|cd|rm|ls|python3?"
            r"|apt-get|brew|gcloud) (?:-|[a-z]+ ?[-./\w]|\w+=)"
        ),
        (
            r"\bselect\s+.+\s+from\s+\w+|\binsert\s+into\s+\w+|\bdelete\s+from\s+\w+\s*(?:where|;|\Z)"
            r"|\bupdate\s+\w+\s+set\s+\w+\s*=|\bdrop\s+(?:table|database)\b"
        ),
        r"(?:^|\n)(?:\+\+\+|---) [ab/]|(?:^|\n)@@ -\d|(?:^|\n)diff --git",
        (
            r"(?:^|\n)\s*(?:get|post|put|patch|delete) /\S+|\bhttp/\d|\b(?:^|\n)\s*- (?:name|run|uses):|(?:^"
            r"|\n)\s*[\w-]+:\s*\n\s+[\w-]+:"
        ),
    ),
}
"""What a whole text is when it holds this."""
