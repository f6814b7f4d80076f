"""Wordings of the questions that ask for no action; see `phrases`."""

from typing import Final

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

ASKING: Final[dict[str, tuple[str, ...]]] = {
    "capability": (
        (
            r"what (?:else )?(?:can|could) (?:you|it|this|i (?:do with (?:you|this)|do here|ask|say)"
            r"|the \w+ (?:do"
            r"|help))\b"
        ),
        r"what (?:all )?(?:are you|is it|is this) (?:able to|capable of|good (?:at|for)|for\b|made for)",
        r"what (?:do|else do) you (?:do|offer|support|know about)\b",
        r"what (?:kinds?|sorts?|types?) of (?:things|tasks|requests|questions|actions|stuff|work) ",
        (
            r"(?:what|which) (?:features|functions?|functionality|commands|actions|languages|tools|skills"
            r"|capabilities|tasks|services|integrations)\b.*\b(?:you|there|available|support\w*|offer\w*"
            r"|i (?:can )?(?:use|ask))\b"
        ),
        (
            r"(?:are|were) you (?:also |even |actually )?(?:able to|capable of|allowed to|trained to"
            r"|programmed to"
            r"|designed to|the right)"
        ),
        (
            r"(?:do|can) you (?:also |even |actually |already )?(?:support|offer|handle|know how to"
            r"|do (?:things"
            r"|stuff|anything|other)|have (?:access|the ability|permission|a way|any way))\b"
        ),
        (
            r"do you (?:also |even |actually |already |ever |usually |normally |only |just )?(?!have\b|know\b"
            r"|see\b"
            r"|want\b|need\b|think\b)(?:\w+) (?:\w+s|things|stuff)\b[\w ,]*\??\Z"
        ),
        r"(?:can|could) (?:even |actually |really )?" + _MACHINE + r" \w",
        r"(?:does|will|is|would|do) "
        + _MACHINE
        + (
            r" (?:even |also |actually |really |only )*(?:able to|capable of|support|handle|know how|help"
            r"|let (?:me"
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
            r"(?:are|is) there (?:any|a|some)? ?(?:actions?|commands?|features?|functions?|options?|way"
            r"|button"
            r"|shortcut|setting) (?:for|to|that)\b"
        ),
        (
            r"who (?:are|made|built|created|trained) you\b|what are you\b|are you (?:a |an )?(?:bot|robot"
            r"|ai|human"
            r"|person|real|machine|program)"
        ),
    ),
    "how-to": (
        (
            r"(?:and |but |so )?how (?:exactly |else |best |quickly |easily )?(?:do|does|can|could|would|will"
            r"|should"
            r"|to|did|might|must|may|shall)\b"
        ),
        (
            r"(?:give|tell|name|find|list)(?: (?:me|us))? (?:\w+ )?(?:good |more )?(?:reasons?|arguments?"
            r"|excuses?|ways) (?:to|why)\b"
            r"|(?:convince|persuade|dissuade|talk) (?:me|us) (?:to|out of|into|that)\b"
        ),
        r"how'd\b|how (?:hard|easy|difficult|simple|safe|risky|complicated) (?:is|would|will)\b",
        (
            r"what(?:'s| is| would be| are) (?:the |a |your )?(?:\w+ )?(?:way|ways|procedure|process|command"
            r"|steps?"
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
            r"(?:show|teach|tell|remind) (?:me|us) (?:the (?:steps|way|process|procedure|command)|how (?:to"
            r"|do"
            r"|does"
            r"|can|could|i|you|we|one|it works?|this works?|that works?|these|\w+ing))\b"
        ),
        (
            r"(?:explain|describe|demonstrate|outline|document|clarify|list the steps|walk (?:me|us) through"
            r"|guide (?:me|us)|talk (?:me|us) through)\b"
        ),
        (
            r"(?:the |any |some )?(?:steps|instructions|guide|tutorial|documentation|docs|manual"
            r"|help page)s? (?:to"
            r"|for|on|about)\b"
        ),
        r"(?:any )?(?:idea|ideas|clue|tips?|advice|suggestions?) (?:on |about |for |as to )?(?:how|what"
        r"|why)\b",
        (
            r"(?:i|we) (?:don'?t|do not|can'?t|cannot) (?:know|understand|see|remember|figure out|find out"
            r"|get"
            r"|recall) (?:how|why|what|where|when|whether|if)\b"
        ),
        (
            r"(?:i'?d like|i want|i need|we need|i'?m trying|i am trying|i'?d love|i would like"
            r"|help me)(?: to)? (?:to )?(?:know|understand|learn|figure out|find out|see) (?:more "
            r"|a bit more )?(?:how (?:to|do|does|can|i|you|we|one|it|this|that|the|\w+ing)\b|why"
            r"|what (?:happens"
            r"|does|it means)|about|whether (?:it'?s|it is)|if (?:it'?s|it is))"
        ),
    ),
    "why": (
        r"(?:and |but |so )?why\b(?! (?:don'?t|not|dont|do not) (?:you|we|just|\w+))",
        (
            r"how come\b|what(?:'s| is| was| were)? (?:the |your |our )?(?:reasons?|cause|rationale"
            r"|reasoning)\b"
            r"|for what reason|what (?:made|makes|caused|causes|led|prompted) "
        ),
    ),
    "explanation": (
        (
            r"what (?:'?s|is|are|was|were) (?:(?:a|an) (?!good|great|nice|cheap|fun|popular|suitable|decent"
            r"|quick"
            r"|fast)|(?:this|these|that|those|it|meant|so special)\W*\Z|exactly\b|actually\b)"
        ),
        (
            r"what(?:'s| is| are)? (?:the )?(?:difference|meaning|purpose|point|definition|effects?|impact"
            r"|implications?|consequences?|use|benefits?|advantages?|disadvantages?|idea|concept|downsides?"
            r"|risks?"
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
            r"what(?:'s| is| are) (?!my\b|our\b|the\b|your\b|on\b|in\b|left\b|due\b|open\b|next\b|new\b|up\b"
            r"|there\b"
            r"|happening\b|going\b|planned\b|scheduled\b|available\b|still\b|currently\b|today|tomorrow"
            r"|this\b"
            r"|booked\b|free\b|wrong\b|playing\b|overdue\b|pending\b|missing\b|unpaid\b|outstanding\b"
            r"|broken\b"
            r"|down\b|running\b|urgent\b|\w+ (?:today|tomorrow|tonight|now|next)\b"
            r"|\w+'s\b)[\w-]+(?: [\w-]+)?\??\Z"
        ),
        (
            r"(?:define|meaning of|definition of|eli5|tl;?dr|tell (?:me|us) (?:a bit |a little |something "
            r"|some )?(?:more )?about|give (?:me|us) (?:an? )?(?:overview|explanation|introduction|idea"
            r"|example"
            r"|definition|summary of (?:what|how))|what do you mean|what'?s that)\b"
        ),
        (
            r"(?:does|do|will|would|can|could|is|are|did|might|should|has) (?:the |an? )?(?!anything"
            r"|something"
            r"|nothing|everything|meeting|building|parking|billing|booking|morning|evening|king|heating"
            r"|lighting"
            r"|living|dining|training|opening|cleaning|filing|setting|shipping|ceiling|pricing)\w{2,}ing\b"
        ),
    ),
    "feasibility": (
        r"(?:is|will) it (?:also |even |still )?(?:be )?(?:at all )?possible (?:for \w+ )?(?:to|that)\b"
        r"(?! (?:know|see|understand|find out|check)\b)",
    ),
    "advice": (
        r"(?:and |but |so )?should (?:i|we|one|they|it|the|my|our|you)\b",
        (
            r"(?!would it be (?:possible|ok|okay|alright) (?:for you )?(?:to|if)\b)(?:is|was|would|wouldn'?t"
            r"|isn'?t"
            r"|will) (?:it|this|that|there) (?:be )?(?:\w+ )?(?:ok|okay|safe|possible|allowed|permitted"
            r"|wise|smart"
            r"|a good|a bad|good|bad|best|worth|worthwhile|better|necessary|normal|common|risky|dangerous"
            r"|recommended|advisable|fine|alright|legal|required|mandatory|required|true|right|wrong|sensible"
            r"|harmful|useful|any risk|a risk|easier|cheaper|faster|hard|easy|difficult|a problem|a way"
            r"|any way"
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
            r"|is (?:a|an|the|my) \w+) (?:really )?(?:allowed|able|supposed|permitted|entitled|required"
            r"|obliged"
            r"|eligible|expected)\b"
        ),
        (
            r"(?:would|do|could|can) you (?:recommend|suggest|advise|think(?! you (?:could|can))|believe"
            r"|say|agree"
            r"|consider)\b"
        ),
        (
            r"(?:what|which|who|when|how)(?: \w+){0,3} (?:would|should|do) you (?:recommend|suggest|advise"
            r"|think"
            r"|do"
            r"|say|prefer)\b"
        ),
        (
            r"(?:which|what)(?: \w+){0,2} (?:is|are|would be|works?) (?:the )?(?:better|best|safer|safest"
            r"|cheaper"
            r"|cheapest|faster|right|recommended)\b"
        ),
        r"(?:can|could|may|must|might) "
        r"(?!(?:someone|somebody|anyone|anybody) (?!ever\b|else\b|really\b|also\b))" + _GROUP + r"\b",
        r"(?:can|could|may) (?!you\b|u\b|we\b|i\b|ya\b)[\w.@-]+ (?:become|still|also be|be both)\b",
        (
            r"(?:can|could|may|must) (?:i|we)\b.*\b(?:ever|retroactively|without|once|after (?:it|the|they"
            r"|i|we"
            r"|that"
            r"|a)|before (?:it|the|they|i|we)|even if|if|when|while|still|more than|at any time|anytime"
            r"|later on"
            r"|twice|afterwards|instead of|only|both(?! [^,.;]+ and\b)|myself|ourselves|too)\b"
        ),
        (
            r"(?:who|when|why) (?:can|could|should|must|may|has to|have to|is (?:allowed|able|supposed"
            r"|permitted"
            r"|responsible|entitled)|are (?:allowed|able))\b"
        ),
        (
            r"how (?:long|often|much|many|far|late|early|soon|quickly|fast|big|small|high"
            r"|low)(?: \w+){0,3} (?:does it|do they|would it|will it|should|must|may|is allowed|are allowed"
            r"|does (?:an?|the) \w+ (?:take|last|cost|need))\b"
        ),
        (
            r"(?:i'm|i am|we're|we are) not sure (?:if|whether|how|what|which|when|about)\b|any (?:downsides?"
            r"|risks?"
            r"|reasons?|harm|objections?) (?:to|in|of|not)\b|(?:what's|what is|your|any) (?:your )?(?:opinion"
            r"|thoughts?|take|advice|recommendation)\b|what do you (?:think|say|recommend)\b"
        ),
    ),
    "lookup": (
        (
            r"(?:and |but |so |tell me |can you tell me |could you tell me |do you know |any idea |remind me "
            r"|let me know )?(?:what|what'?s|which|whose|who|who'?s|when|when'?s|where|where'?s|how (?:many"
            r"|much"
            r"|long|far|often|late|early|old|big|soon|are|is|'s|was)|how'?s)\b|how \w+ (?:is|was|are|were"
            r"|does|did"
            r"|has|have|had|may|might|can|could|must|should|will|would)\b"
        ),
        (
            r"(?!do (?:(?:it|this|that|these|those|all)\b"
            r"|(?:the|my|our|a) [\w-]+(?: (?:of|for|on|at|now|again)\b|\W*\Z)))"
            r"(?:is|are|isn'?t|aren'?t|am|does|doesn'?t|do|will|won'?t|would|did|didn'?t|haven'?t|has"
            r"|hasn'?t|had"
            r"|hadn'?t|was|wasn'?t|were|weren'?t) (?:the|a|an|my|our|your|his|her|this|that|these|those"
            r"|there|it"
            r"|he"
            r"|she|they|i|we|any|anyone|anybody|someone|somebody|everything|all|you)\b(?! (?:mind|please"
            r"|kindly))"
        ),
        r"have (?:you|they|we|i|the|any|all|there)\b (?!to\b)",
        r"(?:is|are|isn'?t|aren'?t|does|doesn'?t|did|didn'?t|has|hasn'?t|was|wasn'?t|were"
        r"|weren'?t) [\w'-]+\b",
    ),
}
"""What a clause asks that begins so."""
