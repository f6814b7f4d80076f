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
    r"(?:one|somebody|someone|anyone|anybody|people|users|customers|guests|employees|staff|admins|patients|members"
    r"|(?:a|an|any|every|each|another|the|my|our) (?:new |other )?(?:user|customer|guest|employee|admin|patient|member|colleague|manager))"
)
_MACHINE: Final = (
    r"(?:this|it|that|the (?:bot|assistant|system|app|tool|chat|chatbot|service|ai|agent)|this (?:bot|assistant"
    r"|system|app|tool|chat|chatbot|service|ai|agent|thing)|your (?:bot|system|app|tool|service)|turnout)"
)
_DONE: Final = (
    r"(?:(?!(?:need|feed|speed|proceed|exceed|succeed|embed|shed|bed|indeed|seed|bleed)\b)\w{2,}ed|sent|got|gotten|made|ran|run|took|taken|told|paid|bought|set|put|went|gone|gave|given|wrote|written|read"
    r"|found|lost|left|built|cut|did|done|had|kept|let|met|saw|seen|shut|sold|spent|began|begun|brought|caught|chose|chosen"
    r"|drew|forgot|forgotten|held|hit|knew|known|led|lent|moved|spoke|split|stuck|thought|threw|thrown|undid|undone|woke|shown"
    r"|withdrew|withdrawn|reset|rebuilt|resent|redid|froze|frozen|hung)"
)
_WHEN: Final = r"(?:yesterday|last (?:\w+)|earlier(?: today)?|this morning|back in \w+|in the past|recently|previously|\w+ (?:days?|weeks?|months?|years?|hours?|minutes?) ago|a while ago|the other day|once|already|on \w+day|today)"
_SUBJECT: Final = r"(?:i|we|he|she|they|you|it|somebody|someone|everybody|everyone|nobody|no one|who|(?:the|a|an|my|our|your|his|her|their|this|that|these|those)(?: [\w-]+){1,3}|[\w-]+(?: [\w-]+)?)"
_PERSON: Final = r"(?:he|she|they|[\w-]+|(?:the|a|an|my|our|your|his|her|their) (?:(?!i\b|we\b)[\w-]+ )?(?!i\b|we\b)[\w-]+)"
_COME: Final = r"(?:how\b|what\b|which\b|why\b|when\b|where\b|who\b|whether\b|if\b)"

_CREATIVE: Final = (
    r"poems?|haikus?|limericks?|jokes?|stor(?:y|ies)|songs?|essays?|paragraphs?|blog(?: posts?)?|tweets?|speech|scripts?|functions?"
    r"|regex|regular expression|sentences?|slogans?|headlines?|subject lines?|unit tests?|synonyms?|rhymes?|riddles?|puns?"
    r"|recipes?|lyrics|cover letter|docstrings?|one-liner|code snippet"
)
_WRITTEN: Final = (
    r"posts?|articles?|programs?|code|class|quer(?:y|ies)|test cases?|tests|emails?|e-mails?|letters?|mails?|messages?|reply|response"
    r"|announcements?|press release|documentation|readme|runbooks?|tutorials?|guides?|how-to|examples?|wording|template|faq|resume|cv"
    r"|dialogues?|scene|explanation|description|checklist|policy|outline|dockerfile|makefile|bash|snippet|playbook|summary|text"
)

OPENING: Final[dict[str, tuple[str, ...]]] = {
    "courtesy": (
        r"(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day|night)|greetings|moin|hallo|guten (?:tag|morgen|abend)"
        r"|bonjour|bonsoir|salut|hola|buen(?:os|as) (?:días|tardes|noches)|ciao|buongiorno|buonasera)(?:[ ,]+[\w.'-]+){0,3})[.!,]*\Z",
        r"(?:many |big )?(?:thanks|thank you|thx|ty|cheers|much appreciated|appreciate it|danke|vielen dank|merci|gracias|grazie"
        r"|muchas gracias|merci beaucoup|grazie mille|danke schön|dankeschön)\b(?: (?:so much|a lot|a million|very much|again"
        r"|in advance|for (?:your|the|all|\w+ing) [\w ]{1,40}|everyone|all|mate|man|you|a bunch|vielmals|im voraus|d'avance|de antemano"
        r"|in anticipo|that'?s (?:great|perfect|all)))*[.!]*\Z",
        r"(?:sorry|apologies|excuse me|pardon)(?: (?:for|about|to) [\w' ]{1,50}| again)?[.!]*\Z",
        r"(?:i )?hope (?:you|all|this|everything)[\w' ]{0,50}[.!]*\Z",
        r"(?:how (?:are|is|'s) (?:you|things|it going|everything|your day)[\w ]{0,20}|how's it going|what's up|long time no see"
        r"|nice to (?:meet|see) you|have a (?:nice|good|great|lovely) [\w ]{1,20})[?!.]*\Z",
        r"(?:bye|goodbye|good bye|see you(?: \w+)?|take care|later|so long|tschüss|au revoir|adiós|arrivederci)[.!]*\Z",
        r"(?:(?:it's|it is|this is|kind of|quite|pretty|very|really)? ?urgent|asap|as soon as possible|no rush|no hurry|when you (?:can|have (?:a )?\w+)"
        r"|whenever you can|at your convenience|if (?:possible|you can|you could|you don'?t mind|that'?s (?:ok|okay|possible|alright)|it'?s not too much trouble)"
        r"|that(?:'s| is| will be| would be) (?:all|it|everything|great|perfect|nice|fine|awesome)[\w ]{0,20}|that's all for (?:now|today)"
        r"|don'?t worry(?: about (?:it|that))?|no worries|no problem|quick one|one more thing|another thing|you'?re (?:the best|great|awesome|a star|welcome|amazing)"
        r"|perfect|great|awesome|nice|wonderful|excellent|cool|fantastic|super|brilliant|lovely|good|alright|all right|ok(?:ay)?|got it|understood|i see|makes sense"
        r"|please|pls|bitte|por favor|per favore|s'il (?:te|vous) pla[iî]t|(?:lol|haha+|hehe)|best(?: regards| wishes)?|kind regards|regards|yours)[.!]*\Z",
    ),
    "capability": (
        r"what (?:else )?(?:can|could) (?:you|it|this|i (?:do|ask|say)|the \w+ (?:do|help))\b",
        r"what (?:all )?(?:are you|is it|is this) (?:able to|capable of|good (?:at|for)|for\b|made for)",
        r"what (?:do|else do) you (?:do|offer|support|know about)\b",
        r"what (?:kinds?|sorts?|types?) of (?:things|tasks|requests|questions|actions|stuff|work) ",
        r"(?:what|which) (?:features|functions?|functionality|commands|actions|languages|tools|skills|capabilities|tasks|services|integrations)\b.*\b(?:you|there|available|support\w*|offer\w*|i (?:can )?(?:use|ask))\b",
        r"(?:are|were) you (?:also |even |actually )?(?:able to|capable of|allowed to|trained to|programmed to|designed to|the right)",
        r"(?:do|can) you (?:also |even |actually |already )?(?:support|offer|handle|know how to|do (?:things|stuff|anything|other)|have (?:access|the ability|permission|a way|any way))\b",
        r"do you (?:also |even |actually |already |ever |usually |normally |only |just )?(?!have\b|know\b|see\b|want\b|need\b|think\b)(?:\w+) (?:\w+s|things|stuff)\b[\w ,]*\??\Z",
        r"(?:can|could) (?:even |actually |really )?" + _MACHINE + r" \w",
        r"(?:does|will|is|would|do) "
        + _MACHINE
        + r" (?:even |also |actually |really |only )*(?:able to|capable of|support|handle|know how|help|let (?:me|us)|allow|do\b|work with|speak|understand)",
        r"(?:can|could) (?:you|u) (?:even|actually|really|only|ever) \w+",
        r"(?:can|could) (?:you|u) (?:help|assist)(?: \w+)? with (?!this\b|that\b|it\b|my\b|something)",
        r"how (?:can|could|do|might) (?:you|this \w+|it) (?:help|assist|be of)\b",
        r"is (?:it|that|this) something (?:that )?you\b",
        r"(?:i wonder|curious|just curious|do you know|could you tell me|can you tell me|tell me),? (?:if|whether|what) (?:you|this \w+) (?:can|are able to|is able to|support|handle|know how)\b",
        r"(?:are|is) there (?:any|a|some)? ?(?:actions?|commands?|features?|functions?|options?|way|button|shortcut|setting) (?:for|to|that)\b",
        r"who (?:are|made|built|created|trained) you\b|what are you\b|are you (?:a |an )?(?:bot|robot|ai|human|person|real|machine|program)",
    ),
    "how-to": (
        r"(?:and |but |so )?how (?:exactly |else |best |quickly |easily )?(?:do|does|can|could|would|will|should|to|did|might|must|may|shall)\b",
        r"how'd\b|how (?:hard|easy|difficult|simple|safe|risky|complicated) (?:is|would|will)\b",
        r"what(?:'s| is| would be| are) (?:the |a |your )?(?:\w+ )?(?:way|ways|procedure|process|command|steps?|method|approach|syntax|instructions|workflow|policy|rules?)\b",
        r"(?:what|which) (?:do|does|would|should|must|button|menu|command|steps|form|page|screen|option) (?:\w+ )?(?:i|we|you|one)\b.*\b(?:to|press|click|use|type|run|do)\b",
        r"(?:and )?where (?:do|can|could|would|should|might|must) " + _ONE + r"\b",
        r"(?:show|teach|tell|remind) (?:me|us) (?:the (?:steps|way|process|procedure|command)|how (?:to|do|does|can|could|i|you|we|one|it works?|this works?|that works?|these|\w+ing))\b",
        r"(?:explain|describe|demonstrate|outline|document|clarify|list the steps|walk (?:me|us) through|guide (?:me|us)|talk (?:me|us) through)\b",
        r"(?:the |any |some )?(?:steps|instructions|guide|tutorial|documentation|docs|manual|help page)s? (?:to|for|on|about)\b",
        r"(?:any )?(?:idea|ideas|clue|tips?|advice|suggestions?) (?:on |about |for |as to )?(?:how|what|why)\b",
        r"(?:i|we) (?:don'?t|do not|can'?t|cannot) (?:know|understand|see|remember|figure out|find out|get|recall) (?:how|why|what|where|when|whether|if)\b",
        r"(?:i'?d like|i want|i need|we need|i'?m trying|i am trying|i'?d love|i would like|help me)(?: to)? (?:to )?(?:know|understand|learn|figure out|find out|see) (?:more |a bit more )?(?:how (?:to|do|does|can|i|you|we|one|it|this|that|the|\w+ing)\b|why|what (?:happens|does|it means)|about|whether (?:it'?s|it is)|if (?:it'?s|it is))",
    ),
    "why": (
        r"(?:and |but |so )?why\b(?! (?:don'?t|not|dont|do not) (?:you|we|just|\w+))",
        r"how come\b|what(?:'s| is| was| were)? (?:the |your |our )?(?:reasons?|cause|rationale|reasoning)\b|for what reason|what (?:made|makes|caused|causes|led|prompted) ",
    ),
    "explanation": (
        r"what (?:'?s|is|are|was|were) (?:(?:a|an) (?!good|great|nice|cheap|fun|popular|suitable|decent|quick|fast)|(?:this|these|that|those|it|meant|so special)\W*\Z|exactly\b|actually\b)",
        r"what(?:'s| is| are)? (?:the )?(?:difference|meaning|purpose|point|definition|effects?|impact|implications?|consequences?|use|benefits?|advantages?|disadvantages?|idea|concept|downsides?|risks?|pros)\b",
        r"what (?:do|does|did|would|will|can|could|should|might|must|is|are|happens|happened|would happen)\b.*\b(?:means?|(?<!to )do(?=\W*\Z| (?:to|for|when|if|exactly|here)\b)|happens?|involves?|entails?|implies|imply|affects?|refers?|stands? for|good for|used for|supposed to)\b(?! (?:we|i|you) have)",
        r"what (?:happens|happened|would happen|will happen|if|about when)\b",
        r"what(?:'s| is| are) (?!my\b|our\b|the\b|your\b|on\b|in\b|left\b|due\b|open\b|next\b|new\b|up\b|there\b|happening\b|going\b|planned\b|scheduled\b|available\b|still\b|currently\b|today|tomorrow|this\b|booked\b|free\b|wrong\b|playing\b|overdue\b|pending\b|missing\b|unpaid\b|outstanding\b|broken\b|down\b|running\b|urgent\b|\w+ (?:today|tomorrow|tonight|now|next)\b|\w+'s\b)[\w-]+(?: [\w-]+)?\??\Z",
        r"(?:define|meaning of|definition of|eli5|tl;?dr|tell (?:me|us) (?:a bit |a little |something |some )?(?:more )?about|give (?:me|us) (?:an? )?(?:overview|explanation|introduction|idea|example|definition|summary of (?:what|how))|what do you mean|what'?s that)\b",
        r"(?:does|do|will|would|can|could|is|are|did|might|should|has) (?:the |an? )?(?!anything|something|nothing|everything|meeting|building|parking|billing|booking|morning|evening|king|heating|lighting|living|dining|training|opening|cleaning|filing|setting|shipping|ceiling|pricing)\w{2,}ing\b",
    ),
    "advice": (
        r"(?:and |but |so )?should (?:i|we|one|they|it|the|my|our|you)\b",
        r"(?!would it be (?:possible|ok|okay|alright) (?:for you )?(?:to|if)\b)(?:is|was|would|wouldn'?t|isn'?t|will) (?:it|this|that|there) (?:be )?(?:\w+ )?(?:ok|okay|safe|possible|allowed|permitted|wise|smart|a good|a bad|good|bad|best|worth|worthwhile|better|necessary|normal|common|risky|dangerous|recommended|advisable|fine|alright|legal|required|mandatory|required|true|right|wrong|sensible|harmful|useful|any risk|a risk|easier|cheaper|faster|hard|easy|difficult|a problem|a way|any way|a limit|a fee|a charge|a rule|a deadline|a penalty)\b",
        r"(?:is|are) there (?:a|any|some) (?:way|risk|limit|fee|charge|rule|policy|downside|harm|problem|deadline|penalty|difference|reason|cost|charges|fees|limits|rules)\b",
        r"(?:do|must|need|would|did) "
        + _ONE
        + r" (?:really |even |always |still |actually )?(?:need|have|got|want) to\b",
        r"(?:am i|are we|is one|are "
        + _ONE
        + r"|is (?:a|an|the|my) \w+) (?:really )?(?:allowed|able|supposed|permitted|entitled|required|obliged|eligible|expected)\b",
        r"(?:would|do|could|can) you (?:recommend|suggest|advise|think(?! you (?:could|can))|believe|say|agree|consider)\b",
        r"(?:what|which|who|when|how)(?: \w+){0,3} (?:would|should|do) you (?:recommend|suggest|advise|think|do|say|prefer)\b",
        r"(?:which|what)(?: \w+){0,2} (?:is|are|would be|works?) (?:the )?(?:better|best|safer|safest|cheaper|cheapest|faster|right|recommended)\b",
        r"(?:can|could|may|must|might) " + _GROUP + r"\b",
        r"(?:can|could|may|must) (?:i|we)\b.*\b(?:ever|retroactively|without|once|after (?:it|the|they|i|we|that|a)|before (?:it|the|they|i|we)|even if|if|when|while|still|more than|at any time|anytime|later on|twice|afterwards|instead of|only|both|myself|ourselves|too)\b",
        r"(?:who|when|why) (?:can|could|should|must|may|has to|have to|is (?:allowed|able|supposed|permitted|responsible|entitled)|are (?:allowed|able))\b",
        r"how (?:long|often|much|many|far|late|early|soon|quickly|fast|big|small|high|low)(?: \w+){0,3} (?:does it|do they|would it|will it|should|must|may|is allowed|are allowed|does (?:an?|the) \w+ (?:take|last|cost|need))\b",
        r"(?:i'm|i am|we're|we are) not sure (?:if|whether|how|what|which|when|about)\b|any (?:downsides?|risks?|reasons?|harm|objections?) (?:to|in|of|not)\b|(?:what's|what is|your|any) (?:your )?(?:opinion|thoughts?|take|advice|recommendation)\b|what do you (?:think|say|recommend)\b",
    ),
    "negation": (
        _NOT
        + r"(?! (?:you (?:want|think|have|need|know)\b|(?:see|know|understand|remember|recall|think|believe|seem|look|work|get it|care|have (?:any|a|the|time|enough))\b|forget|hesitate|let (?:me|us) forget|let it (?:slip|happen)|be shy|fail to|neglect|miss\b|worry|mind|wait))\b",
        r"(?:can|could|would|will) (?:you|we) (?:please )?not\b(?! (?:forget|only))",
        r"(?:please )?(?:not|no need to|no more|rather not|better not|under no circumstances|by no means|on no account|hands off|no longer|anything but|not yet|not now|not today)\b(?! only)",
        r"(?:please )?(?:stop|avoid|refrain from|quit|cease|hold off(?: on)?|skip|hold) \w+ing\b|hold off\b|(?:please )?(?:leave|keep) (?:[\w.'-]+ ){1,4}(?:alone|as (?:is|it is|they are|it was)|untouched|unchanged|running|in place|open|alive|on)\b(?! for)",
        r"(?:i|we) (?:do not|don'?t|dont|didn'?t|did not|never|wouldn'?t|would not|won'?t|will not|no longer|cannot|can't) (?:\w+ )?(?:want|need|mean|ask|asked|wanted|wish|intend|plan|require|like)\b(?! (?:to (?:forget|miss|lose|be late|wait)))",
        r"(?:i'm|i am|we're|we are) (?:not|no longer) (?:asking|telling|going|planning|trying|looking|interested|ready|in favou?r|ordering|requesting|saying)\b",
        r"(?:you|we|one|nobody|no one|they) (?:should not|shouldn'?t|must not|mustn'?t|need not|needn'?t|can'?t|cannot|may not|don'?t (?:need|have) to|do not (?:need|have) to|better not|should never|must never)\b",
        r"(?:nobody|no one) (?:should|must|may|asked|wants|needs|said)\b",
        r"(?:there'?s|there is|there's really) no (?:need|reason|point|rush to|hurry to)\b|it'?s not (?:necessary|needed|worth|time)\b|it is not (?:necessary|needed)\b|(?:i'd|i would|we'd) (?:rather|prefer) (?:you )?(?:not|didn'?t|don'?t|do not)\b|(?:i'd|i would) (?:like|prefer|want) (?:you )?not to\b|i (?:want|need) you not to\b",
        r"(?:instead of|rather than|in place of)\b",
        r"(?:be careful|try|take care|remember|promise|beware|make sure|be sure|see to it)(?: that)? (?:not to|never to|to not|to never|(?:you|we|they|nobody|no one|it|the \w+|\w+) (?:don'?t|do not|never|isn'?t|is not|doesn'?t|does not|aren'?t|are not|gets? no)|nobody|no one|nothing)\b",
        r"(?!\w+ (?:the|a|an|my|our|all|this|that|it|me)\b)[\w'-]+(?: [\w#'-]+){0,4} (?:must not|mustn'?t|should not|shouldn'?t|must never|should never|needn'?t|need not|does not need|doesn'?t need|don'?t need|is not to be|are not to be|isn'?t to be)\b",
        r"(?:i|we) (?:told|asked|said|begged|warned)(?: \w+){0,3} (?:not to|never to|to not)\b|(?:you'd|you had|we'd|we had) better not\b|nothing to \w+|without (?:\w+ing)\b",
    ),
    "retreat": (
        r"(?:just |oh |wait,? |actually,? |no,? )*(?:forget|never ?mind|scratch|drop|disregard|ignore)(?: about)? (?:it|that|this|the \w+|my \w+|what i said|the last|everything)\b|(?:just |oh |actually,? )?never ?mind\b|(?:i )?(?:just )?changed my mind\b|(?:actually |wait )*(?:no|nope|nah|wait|stop|don'?t|do not)[.!,]*\Z|(?:no,? wait|wait,? no|on second thoughts?|just kidding|lol no|kidding)\b",
        r"(?:no|nope|nah)[.!,]*(?: (?:thanks|thank you|not now|don'?t|that's (?:ok|okay|all|fine)|i'm (?:good|fine)|it's (?:ok|okay|fine)|all good|stop|leave it[\w ]*|need|problem))*[.!]*\Z",
    ),
    "condition": (
        r"(?:if|unless|whenever|once|as soon as|in case|when|every time) (?!(?:do|does|did|is|are|will|was|were|can|should|would|could|am|shall|again|more|possible)\b|you (?:can|could|please|don'?t mind|would|have (?:a |time))|that'?s (?:ok|possible|alright)|it'?s (?:ok|possible|not too))"
        + _SUBJECT
        + r"\b",
        r"(?:only )?if (?:ever|not|need be|need(?:ed)?|necessary)\b",
    ),
    "hypothetical": (
        r"if only\b|what if\b|what would\b|even if\b|suppos(?:e|ing)\b|assum(?:e|ing)\b|imagine\b|let'?s (?:say|suppose|assume|imagine|pretend)\b|let us (?:say|suppose|assume|imagine)\b|pretend\b|say (?:i|we|you|someone|that)\b|hypothetically\b|theoretically\b|in theory\b|in principle\b|purely hypothetical|provided (?:that|the)\b|had (?:i|we)\b|were (?:i|we) to\b",
        r"(?:i|we)(?:'m| am|'re| are|'ve been| have been| was| were)? (?:just |only |still |currently |also )?(?:thinking|considering|wondering|toying|contemplating|debating|mulling|tempted|planning|hoping to|dreaming)\b(?! (?:if|whether) (?:you|we) (?:could|can))",
        r"(?:i|we) (?:might|may|could|would)(?!n't| not| like| love| appreciate| be (?:grateful|happy|glad)| need| want| prefer| rather)(?: (?:have|just|also|probably|perhaps|maybe|even|then|eventually|one day|at some point))* \w+|(?:i|we) (?:should|ought to) (?:probably|perhaps|maybe|really|have|one day|some day|at some point)\b|(?:i|we) wish\b|(?:perhaps|maybe) (?:i|we|one|it|someday|some day|later|one day|next)\b|one day\b|some ?day\b|at some point\b|it (?:might|may|could|would) (?!be \w+,? if (?:you|we|someone) (?:could|would|can)\b)(?:be|make|help|have)\b|wouldn'?t it be\b|would it (?!be (?:possible|ok|okay|alright) (?:for you )?(?:to|if)\b)(?:be|make|help|hurt|matter|work|cause)\b|would (?:that|this|the|my|our|a|an|i|we|they|\w+ing)\b|(?:it'd|it would) be (?:nice|great|cool|good|bad|better|awesome|terrible|crazy|fun|interesting|a (?:shame|pity|good|bad))\b(?! if you (?:could|can))|in an ideal world|(?:you|we|they|he|she) could (?:have|always|just|theoretically)\b",
    ),
    "reported": (
        r"(?!i\b|we\b|please\b|can\b|could\b)"
        + _PERSON
        + r"(?:'s|'ve|'d| has| have| had| is| are| was| were| just| also| already| only| once| always| really| even| keeps| kept)* (?:said|says|saying|told|tells|telling|asked|asks|asking|wrote|writes|suggested|suggests|claimed|claims|mentioned|mentions|insisted|insists|recommended|recommends|demanded|demands|ordered (?:me|us|him|her|them)|instructed|reminded|advised|advises|proposed|proposes|shouted|replied|begged|urged|announced|states|stated|reads|texted|emailed me|messaged|complained|wondered|wonders|thinks|thought|believes|reckons|requested|requests|promised|expects|wanted|wants|would like)\b(?: (?:me|us|him|her|them|you|everyone|that|to|i|we|if|whether|the|a|my|our|for|about|:|,|\w+ing)|:|,|\Z)",
        r"(?:it|this) (?:was|is|has been|had been) (?:\w+ )?(?:decided|suggested|said|agreed|requested|proposed|recommended|mentioned|announced|rumou?red|planned) (?:that|to|by|in)\b",
        r"(?!i\b|we\b)"
        + _PERSON
        + r" (?:is|are|was|were|keeps?|kept|has been|have been)(?: \w+)? (?:asking|saying|telling|demanding|complaining|insisting|begging|suggesting|claiming|wanting|hoping|writing)\b",
        r"(?:from|subject|sent|fwd?|re|cc|date): ?\S|(?:in|on) (?:the|a|his|her|their|our|today's|yesterday's) (?:\w+ )?(?:meeting|call|email|e-mail|mail|letter|message|chat|article|manual|docs|documentation|handbook|note|slide|minutes|thread|post|ticket|review)s?\b[, ]+(?:\w+ ){1,3}(?:said|says|wrote|writes|asked|asks|decided|mentioned|reads|suggested|told|claimed|stated|wants|wanted)\b|as \w+ (?:put it|said|says|wrote|told|mentioned)\b|per \w+'s\b|quote\b",
        r"(?:he|she|they|somebody|someone|everyone|people) (?:said|says|wrote|told|asked|suggested) |they want (?:me|us|you|it|the|to)\b",
        r"(?:according to|apparently|supposedly|allegedly|reportedly|rumou?r has it|word is|i (?:heard|was told|got told|hear|am told|read|was asked|have been told|overheard|saw)|i've (?:heard|been told|been asked|read)|we (?:heard|were told|were asked|'ve been told|have been told)|they say|people say|it says|it said|there(?:'s| is| was) (?:a (?:note|sign|message|mail|email|ticket|comment|post|rumou?r)|an (?:email|e-mail|article|announcement)))\b",
    ),
    "past": (
        r"(?:and |so |but )?(?:"
        + _WHEN
        + r",? )?(?:i|we|he|she|they|you|somebody|someone|who)(?:'ve|'d|'s| have| has| had)?(?: (?:also|already|just|once|never|recently|finally|accidentally|even|only|all|both|previously|yesterday|then|still|almost|nearly|had|have|has|been|got|successfully|literally|simply|first|actually))* "
        + _DONE
        + r"\b(?! to (?:book|make|get|order|send|cancel|see|know|ask|check|have|change|add|pay|report|request|restart|schedule)\b)",
        r"(?!\w+ (?:the|a|an|my|our|your|all|this|that|these|those|what|everything|me|us|it|him|her|them|every|any|some|for|to|of|up|off|on)\b|which|what|how|who|when|where)[\w'-]+(?: [\w#'-]+){0,4} (?:was|were|has been|have been|had been|got|has|have|had|already|just)(?: (?:also|already|just|never|finally|accidentally|then|been|successfully|only|not))* "
        + _DONE
        + r"\b",
        r"(?:i'm|i am|we're|we are|i've|just|we've) (?:just |already )?(?:done|finished|through)(?: with)? (?:\w+ing|the|my|it)\b|(?:just |already )(?:finished|done|completed) \w+ing\b",
        r"(?!\w+ (?:the|a|an|my|our|all|this|that|it|me)\b|what|which|who|how|when|where)[\w'-]+(?: [\w#'-]+){0,4} (?:is|are|'s|'re) (?:already|now already|long since) \w+",
        r"(?:" + _WHEN + r",? )(?:i|we|he|she|they|you|somebody|someone|the \w+|\w+) " + _DONE + r"\b",
    ),
    "plan": (
        r"(?:i|we|he|she|they|someone|somebody)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to|'s going to| is going to| intend to| plan to|'m about to| am about to|'re about to| are about to|'m planning| am planning)(?: (?:just|probably|also|then|definitely|maybe|soon|never|not))* (?!need|take|have\b|go (?:with|for)|want|require|love|appreciate)\w+",
        r"(?:let me|i can|i could|we can) (?!know|have|see|get|book|order|reserve)(?:\w+ ){1,6}(?:myself|ourselves|later|manually|by hand)\b",
    ),
    "transformation": (
        r"(?:translate|summari[sz]e|rephrase|paraphrase|proofread|spell ?check|rewrite|reword|shorten|condense|simplify|polish|brainstorm|transcribe|outline|conjugate|pronounce|spell|tl;?dr)\b",
        r"(?:correct|fix|improve|check|edit|review|clean up|tidy up) (?:the |my |this |these |that |following |any )*(?:grammar|spelling|wording|typos?|punctuation|sentences?|paragraph|phrasing|tone|text|style|essay|translation)\b",
        r"(?:make|turn|put|convert|change) (?:this|that|it|the (?:text|following|sentence|message)|these)(?: [\w-]+){0,3} (?:into|sound|more|less|shorter|longer|formal|polite|in|to) (?:a |an |more |less )?(?:poem|haiku|email|e-mail|letter|song|story|table|list|bullets?|bullet points|english|german|french|spanish|italian|formal|polite|friendly|casual|professional|passive|active|past tense|question|sentence|slide|tweet|formal|concise|natural|json|markdown|python)\b",
        r"(?:write|draft|compose|make up|come up with|invent|sketch|sing|recite|code)(?: (?:me|us|him|her|them))?(?: up)? (?:[\w'-]+ ){0,4}(?:"
        + _WRITTEN
        + "|"
        + _CREATIVE
        + r")\b",
        r"(?:generate|create|give|tell|produce|prepare|make|suggest|think of|design|show)(?: (?:me|us|him|her|them))? (?:[\w'-]+ ){0,3}(?:"
        + _CREATIVE
        + r")\b",
        r"(?:what(?:'s| is)|how (?:do|would|can) (?:you|i|one|we) (?:say|spell|pronounce|translate|write)|say|put) (?:the )?(?:[\"'][^\"']+[\"']|[\w ]+?)(?: called)? (?:in|into) (?:english|german|french|spanish|italian|dutch|portuguese|polish|japanese|chinese|russian|latin|other words)\b|what(?:'s| is) the (?:\w+ )?(?:word|translation|synonym|plural|past tense|spelling|german|french|spanish|italian|opposite) (?:for|of)\b",
        r"help (?:me|us) (?:to )?(?:write|phrase|word|formulate|draft|compose|rewrite|translate|reply|answer|say|express|come up|prepare|brainstorm|understand)\b",
        r"(?!(?:open|create|file|log|raise|add|make|post|send) )\w+ (?:[\w']+ ){0,4}(?:this|following|sentences?|text|phrase|line|words|paragraph|passage|snippet|excerpt|quote)\b[^:]{0,40}:",
        r"(?:in|auf|en|auf gut) (?:english|german|french|spanish|italian|deutsch|englisch|französisch|anglais|français|inglés|inglese|plain english|other words|simple words|one word|one sentence)\b\s*[:,]|(?:german|french|spanish|italian|english|dutch|japanese) (?:for|translation|word|version)\b",
        r"(?:extract|classify|categori[sz]e|count|analy[sz]e|parse|annotate|label|tokeni[sz]e|underline|capitali[sz]e)(?: \w+){0,5} (?:in|from|of) (?:this|the following|these|that) ",
        r"(?:role ?play|act as|pretend|play the (?:role|part))\b|continue (?:this|the) (?:story|text|sentence)\b|finish (?:this|the|my) (?:sentence|story|poem)\b|(?:give|find|list)(?: me)? (?:a |another |some |\d+ |five |three )?(?:words?|synonyms?|name|names|titles?|ideas?|examples?) (?:for|of|that|to)\b",
    ),
    "sarcasm": (
        r"(?:oh|ah|wow|gee)[,!.]? (?:sure|great|right|perfect|wonderful|brilliant|fantastic|lovely|joy|excellent|terrific)\b|yeah,? right\b",
        r"(?:yeah|yes|sure|great|right|brilliant|fantastic|wonderful|perfect|excellent|lovely|awesome|good|nice|super|terrific|marvell?ous|genius)[,.!]* (?:because|like that|as if|just what|exactly what|another (?:outage|error|crash|bug|failure|meeting|delay|problem)|idea\b|move\b|job\b|thinking\b|now (?:it|the|my|everything) |so now|what could|delete everything|the \w+ (?:is|are) (?:down|broken|dead|gone) again)\b",
        r"as if\b|thanks for nothing\b|(?:great|nice|good|excellent|amazing|superb|fantastic|fine|brilliant) (?:job|work|going|service|move|idea)(?:,? (?:\w+ing|on \w+|with \w+|again|as always|as usual)|[.!]+ (?:now|the|my|it|everything))|(?:i'm|i am|we're) (?:so |just |absolutely |really |simply )?(?:thrilled|delighted|overjoyed|ecstatic)\b|(?:i |we |just )?can'?t wait (?:to|for|until)\b|congratulations\b|well done[,.!]+ (?:now|the|my|it|you)|how (?:helpful|useful|smart|great|brilliant|nice of)\b|that went well\b|love that for\b|another (?:great|brilliant|wonderful|fantastic|lovely|perfect)\b|just what (?:i|we) (?:needed|wanted|always)\b|exactly what (?:i|we) (?:needed|wanted)\b|(?:i|we) (?:just |really |so |absolutely )?(?:love|adore|enjoy) (?:it when|how|that|the way|waiting|being)\b|(?:i'm|i am) sure (?:that|it|the|this|you|nobody|everyone|they)\b|what could (?:possibly )?go wrong\b|how (?:wonderful|lovely|convenient|nice|thoughtful|clever|kind|original|typical)\b|big surprise\b|what a (?:surprise|joy|treat|relief|brilliant|great|wonderful|fantastic|lovely|clever|genius|shock)\b|good luck\b|of course (?:it|the|you|they) (?:did|does|is|was|would|has)\b|sure thing,? (?:genius|sherlock|einstein)\b|why (?:don'?t (?:you|we)|not) (?:just )?(?:also )?(?:delete|burn|fire|throw|wipe|break|destroy|crash|drop|kill|blow|cancel|shut) (?:everything|it all|them all|the whole|all of|everyone|my whole|the entire|the company|production)\b|(?:another|yet another) (?:brilliant|great|genius|fantastic|wonderful)\b",
    ),
    "lookup": (
        r"(?:and |but |so |tell me |can you tell me |could you tell me |do you know |any idea |remind me |let me know )?(?:what|what'?s|which|whose|who|who'?s|when|when'?s|where|where'?s|how (?:many|much|long|far|often|late|early|old|big|soon|are|is|'s|was)|how'?s)\b",
        r"(?:is|are|isn'?t|aren'?t|am|does|doesn'?t|do|will|won'?t|would|did|didn'?t|haven'?t|has|hasn'?t|had|hadn'?t|was|wasn'?t|were|weren'?t) (?:the|a|an|my|our|your|his|her|this|that|these|those|there|it|he|she|they|i|we|any|anyone|anybody|someone|somebody|everything|all|you)\b(?! (?:mind|please|kindly))",
        r"have (?:you|they|we|i|the|any|all|there)\b (?!to\b)",
        r"(?:is|are|isn'?t|aren'?t|does|doesn'?t|did|didn'?t|has|hasn'?t|was|wasn'?t|were|weren'?t) [\w'-]+\b",
    ),
}
"""What a clause does when it begins so."""

RELAYED: Final = (
    r"\b(?:said|says|told (?:me|us|him|her|them|you)|tells (?:me|us)|asked (?:me|us|him|her|them|you|for)|asks|wrote|writes|reads|shouted"
    r"|replied|states|stated|like|meant|gesagt|sagt|sagte|meinte|schrieb|dit|dijo|dice|detto)\s*[,:]?\s*\Z"
)
"""Ends a clause whose sequel is somebody else's words."""

ANYWHERE: Final[dict[str, tuple[str, ...]]] = {
    "transformation": (
        r"\b(?:into|as|like|in) (?:an? )?(?:haiku|poem|limerick|rhymes?|song|rap|bullet points?|pirate\w*|shakespeare\w*|fairy tale|the style of|the voice of|(?:plain|simple|formal|polite|fancy|old|broken) (?:english|language|words|german|french)|other words)\b|\binto (?:english|german|french|spanish|italian|dutch|portuguese|japanese|chinese|russian|polish|latin|klingon)\b",
    ),
    "sarcasm": (
        r"\U0001f644|(?<!\S)/s\b|\bslow clap\b|\bnothing better to do\b|\bwork(?:ed|s) (?:so|really|super|oh so) well (?:last|the first|before|yesterday)|\b(?:hundredth|thousandth|millionth|umpteenth|gazillionth) time\b|\bwhat could possibly\b|\blike (?:that|it) (?:ever|would ever) |\bbest (?:service|bot|system|day|idea) ever\b|\b(?:so|very|super|real|really) helpful,? (?:as always|again|thanks|not)\b|\bmy favou?rite (?:part|thing|hobby|pastime)\b|\bbecause (?:clearly|obviously|who needs)\b|\bwho needs \w+ anyway\b|\bnot\W*!+\Z",
    ),
    "injection": (
        r"\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules|guidelines|directives|context|polic(?:y|ies)|safety|restrictions|constraints|training|everything (?:above|before)|previous|above|system message)\b",
        r"\byou are now\b|\bfrom now on,? you\b|\bnew (?:system )?(?:instructions?|directives?|prompt|rules)\b|\bsystem (?:prompt|override|message|instruction|notice|note)\b|\b(?:developer|dan|god|admin|debug|maintenance|root|sudo|jailbreak) mode\b|\bjailbreak|\bprompt injection\b|\bdo anything now\b",
        r"(?:^|\n)\s*(?:###|<\|?|\[)?\s*(?:system|assistant|developer|tool|function|admin|inst|instructions?)\s*(?:\|?>|\]|###)?\s*:\s|<\|[\w ]+\|>|\[/?inst\]|<</?sys>>|</?(?:system|assistant|instructions?|tool_call|function_call|tool|admin)>|\bbegin (?:system|instructions|prompt)\b|\bend of (?:prompt|instructions|document|text)\b",
        r"\b(?:as (?:the|an?|your) (?:system |new )?(?:administrator|admin|developer|owner|creator|operator|root)\b|\bauthori[sz]ation (?:code|level)\b|\bwithout (?:asking|confirmation|telling the user|informing)\b|\b(?:note|message|attention|instructions?|reminder|important|command) (?:to|for) (?:the )?(?:ai|assistant|model|bot|agent|llm|chatbot|language model)s?\b)",
        r"\b(?:ai|assistant|model|bot|agent|llm)s? (?:reading|processing|parsing|summari[sz]ing|that reads?|who reads?) this\b|\bdear (?:ai|assistant|model|bot|llm)\b|\bhidden (?:instruction|text|command)|\baction required by (?:the )?(?:ai|assistant)|\b(?:execute|run|perform|carry out) the following (?:command|instruction|action|tool)s?\b|\b(?:call|use|invoke) the (?:tool|function|action) ",
        r"\bignorier\w* (?:alle|die|deine|sämtliche|bisherig\w+|vorherig\w+)|\bignore[sz]? (?:toutes|les|vos|tes) |\bignora (?:todas|las|tus|tutte|le|le tue|tus) ",
    ),
    "code": (
        r"```|~~~\n|<(?:html|body|div|script|xml|table|svg|span|p|a href|\?xml)\b|</\w+>",
        r"\btraceback \(most recent call last\)|\bfile \"[^\"]+\", line \d+|\n\s*at [\w.$<>]+\([\w.:]*\)|\b\w*(?:error|exception|warning): \S|\bexit (?:code|status) \d|\bsegmentation fault|\bstack ?trace\b|\bpanic: |\bnpm err!|\bcommand not found|\bno such file or directory|\bpermission denied\b",
        r"(?:^|\n)\s*\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d|(?:^|\n)\s*\[?\d\d:\d\d:\d\d|\[(?:info|warn|warning|error|debug|trace|fatal|notice)\]|(?:^|\n|\s)(?:info|warn|warning|error|debug|fatal|level)[=:] ?\S|\b(?:info|warn|error|debug|fatal) (?:\[|\d{4}|-|in |at )|\blevel=\w+",
        r"(?:^|\n)\s*(?:def|class|fn|func|function|public|private|static|void|import|from \w[\w.]* import|const|let|var|return|async def|#include|package|using) ?[\w\"'{(<*]+.*(?:[({:;=]|import \w)",
        r"\b[a-z_][\w.]*\((?:[^()\s][^()]*)?\)|\)\s*[;{]|[\w\])]\s*(?:=>|===?|!==?|&&|\|\||\+=|:=)\s*|;\s*(?:\n|\Z)|\{\s*[\"'][\w-]+[\"']\s*:|\$\{?\w+\}?|--[a-z][\w-]+|\s\|\s*(?:grep|jq|awk|sed|xargs|head|tail|wc|sort)\b",
        r"(?:^|\n)\s*(?:\$|>>>|#!|c:\\|\w+@\w+[:~\$])\s?\S|(?:^|\n)\s*(?:curl|kubectl|docker|git|npm|pip|sudo|ssh|systemctl|helm|terraform|psql|cd|rm|ls|python3?|apt-get|brew|gcloud) (?:-|[a-z]+ ?[-./\w]|\w+=)",
        r"\bselect\s+.+\s+from\s+\w+|\binsert\s+into\s+\w+|\bdelete\s+from\s+\w+\s*(?:where|;|\Z)|\bupdate\s+\w+\s+set\s+\w+\s*=|\bdrop\s+(?:table|database)\b|(?:^|\n)(?:\+\+\+|---) [ab/]|(?:^|\n)@@ -\d|(?:^|\n)diff --git",
        r"(?:^|\n)\s*(?:get|post|put|patch|delete) /\S+|\bhttp/\d|\b(?:^|\n)\s*- (?:name|run|uses):|(?:^|\n)\s*[\w-]+:\s*\n\s+[\w-]+:",
    ),
}
"""What a whole text is when it holds this."""

FILLERS: Final = (
    r"(?:(?:please|pls|plz|kindly|just|ok|okay|alright|all right|so|well|and|but|then|also|actually|now|um+|uh+|hmm+|btw|by the way|yes|yeah"
    r"|yep|sure|great|thanks|thank you|sorry|instead|rather|first|next|finally|lastly|afterwards|after that|additionally|besides|next up|oh"
    r"|quick one|quickly|real quick|no(?=[,.!:-])|hi|hello|hey|hey there|hi there|good morning|listen|look|ah|lol|honestly|seriously|anyway|anyways|ideally"
    r"|in that case|for now|as well|too|bitte|also|dann|und|aber|hallo|alors|bonjour|salut|et|puis|ensuite|hola|buenas|y|luego|entonces"
    r"|ciao|e|poi|allora|por favor|per favore|s'il (?:te|vous) pla[iî]t)(?:\s*[,:!.-]+\s*|\s+))*"
)
"""Before what a clause says itself."""

REQUESTERS: Final = (
    r"(?:(?:can|could|would|will|won't|can't|couldn't) (?:you|u|we|i|ya|someone|somebody)(?: (?:please|pls|kindly|maybe|just|also|quickly|possibly|perhaps|then"
    r"|go ahead and|help me|have someone|mind))*"
    r"|(?:would you )?(?:be so kind as to|be (?:able|willing) to|be a dear and)|do you mind|mind|may (?:i|we)|do me a favou?r(?: and|:|,)?|go (?:ahead|on) and|feel free to"
    r"|(?:i|we)(?:'d| would)(?: really| also)? (?:like|love|want|prefer|appreciate it if|be (?:grateful|happy|glad) if)(?: (?:you|us|someone))?(?: (?:to|could|would))?"
    r"|(?:i|we)(?: really| also| just| now| still|'ll|'m going to| will| would)* (?:want|need|have|wanted|wish|gotta|wanna|needed)(?: (?:you|us|someone))?(?: to)?"
    r"|i(?:'m| am) (?:looking (?:for|to)|trying to|calling to|writing to|here to|hoping to|needing|after)|(?:i|we)(?:'ll| will) (?:take|have|go (?:for|with))"
    r"|(?:please )?(?:do not|don'?t|never) (?:forget|hesitate|fail|neglect|let me forget|let us forget)(?: to)?|(?:make|be) sure (?:to|that you|that|you|we|i)?|remember to"
    r"|why (?:don'?t|dont|do not|not) (?:you|we)(?: just)?|why not(?: just)?|how about(?: (?:you|we))?|what about|let'?s|let us|(?:it'?s )?time to"
    r"|(?:it'd|it would|would) be (?:great|nice|good|cool|lovely|awesome|helpful|perfect|super)(?:,)? if (?:you|we|someone) (?:could|would|can)"
    r"|(?:is there )?any chance (?:of|(?:that )?(?:you|we|i|someone) (?:could|can|might))"
    r"|(?:i|we)(?:'m| am| was|'re| were) (?:just )?(?:hoping|wondering)(?: if| whether| that)? (?:you|we|i|someone) (?:could|can|might|would)"
    r"|would it be (?:possible|ok|okay|alright)(?: for you)? (?:to|if you|if i|if we)|do you think (?:that )?you (?:could|can)|your (?:task|job) is to|i (?:expect|order|beg|ask|urge) you to"
    r"|(?:what|all|the thing|one thing) (?:i|we)(?:'d)? (?:really |actually |now )?(?:need|want|would like|like|wish|am after|ask)(?: from you)?(?: now)? is(?: for you)?(?: to)?"
    r"|(?:kannst|könntest|kann|könnten|könnte|würdest|würden|magst) (?:du|sie|ihr|ich|wir|man|jemand)|(?:ich|wir) (?:möchten?|will|wollen|brauchen?|hätten? gerne?|würden? gerne?|muss|müssen|bräuchten?)"
    r"|(?:bitte )?(?:vergiss|vergessen sie|denk|denke)(?: bitte)?(?: nicht| daran|,)*|zögere nicht"
    r"|(?:est-ce que )?(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez|tu pourrais|vous pourriez|je peux|puis-je)|(?:je|nous) (?:veux|voudrais|souhaite|souhaiterais|dois|voulons|voudrions)|j'aimerais|j'ai besoin (?:de|d')|il (?:me|nous) faut|il faudrait"
    r"|(?:n'|ne )(?:oublie|oubliez|hésite|hésitez|manque)(?:z)? pas (?:de|d'|à)|¿? ?(?:me |nos )?(?:puedes|puede|podrías|podría|podéis|pueden|puedo)(?: usted)?|(?:yo )?(?:quiero|quisiera|queremos|necesito|necesitamos|querría)|me gustaría|no (?:te |se )?olvid(?:es|e)(?: de)?|no dud(?:es|e) en"
    r"|(?:mi |ci )?(?:puoi|può|potresti|potrebbe|potete|posso)|(?:io )?(?:voglio|vorrei|vogliamo|vorremmo|devo)|ho bisogno (?:di|che)|mi serve|non (?:ti )?(?:dimenticare|dimenticarti|scordare|esitare|dimentichi)(?: di| a)?)"
    r"(?![\w'-])[\s,:]*(?:(?:please|kindly|just|also|maybe|bitte|mir|mal|uns|me)[\s,]+)*"
)
"""Politeness that makes a request of what follows."""

ASKING: Final = (
    r"(?:(?:tell|show|remind|give) (?:me|us)|let (?:me|us) know|inform me|do you (?:know|happen to know)|have you any idea|any idea|(?:i|we)(?:'d| would)? (?:like|want|need|love) to (?:know|see|find out|check)"
    r"|(?:i|we) (?:wonder|want to know|need to know)|(?:check|see|verify|find out|look|look up|confirm|know|ask|see for me|double[- ]check|prüf|prüfe|schau|sag mir|sag|zeig mir|zeige mir|dis-moi|vérifie|dime|mira|dimmi|verifica|controlla))"
    r"(?: please| me| for me| quickly)*[\s,]+(?=(?:if|whether|what|which|who|whose|when|where|how|why|ob|wie|was|wer|wann|wo|wie viele?|si|quel|quelle|quand|combien|comment|qué|cuándo|cuál|cuánto|quando|quanto|quale|chi|se)\b)"
)
"""Before a question that stands in a request."""

STATING: Final = (
    r"(?:i|we|you|he|she|they|it|that|this|there|someone|somebody|everyone|everybody|nobody|nothing|something|everything)(?:'\w+)?(?: \w|\Z)"
    r"|(?:the|my|our|your|his|her|their|this|that|these|those|a|an|all|most|some)(?: [\w'#.-]+){1,5} (?:is|are|isn'?t|aren'?t|was|were|has|have|had|hasn'?t|does|doesn'?t|do|don'?t|did|didn'?t|keeps?|looks?|seems?|feels?|needs?|will|won'?t|can'?t|cannot|should|must)\b"
    r"|[\w'#.-]+(?: [\w'#.-]+){0,2} (?:is|are|isn'?t|aren'?t|has been|keeps|looks|seems|feels|doesn'?t|don'?t|can'?t|won'?t)\b"
    r"|(?:ich|wir|er|sie|es|das) (?!möchte|will|brauche)\w+|(?:der|die|das|mein|meine) \w+ (?:ist|sind|hat|war|geht|funktioniert)|(?:il|elle|c'|ça|je|nous) ?\w+|(?:el|la|los|las|mi) \w+ (?:es|está|están|no)|(?:il|la|lo) \w+ (?:è|non|sono)"
)
"""A sentence with a subject, which tells something."""

AGREED: Final = r"\b(?:check|see|tell|know|inform|ask|search|verify|find out|confirm|wonder|look|sure)(?: \w+){0,3} (?:if|whether)\b|\bif (?:possible|necessary|needed|available|applicable|you (?:can|could|please|don'?t mind|would|have)|that'?s (?:ok|okay|possible|alright)|it'?s (?:ok|okay|possible|not too)|there (?:is|are) (?:any|one))\b"
"""Conditions that aren't any."""

CONDITION: Final = r"\b(?:if|unless|provided that|in case|only when|as soon as (?!possible|you can)|whenever|every time|once (?:the|it|they|he|she|i|we|you|my|everyone|that|this|\w+ (?:is|has|are))|when (?:the|it|they|he|she|i|we|my|everyone|\w+ (?:is|has|are|gets)))\b"
"""What makes a request depend on something."""

INSTEAD: Final = r",?\s+(?:instead of|rather than|in place of|anstatt|statt|anstelle von|au lieu de|en vez de|en lugar de|invece di)\s+[^,;.!?\n]+"
"""What is not wanted, within a clause."""

RESTRICTION: Final = r"(?:but )?not (?:on|at|before|after|in|until|for|with|during|by|from|over|above|more|less|later|earlier|too|the (?:usual|same))\b"
"""A negation that narrows the request before it."""
