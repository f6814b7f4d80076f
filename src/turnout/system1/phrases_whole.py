"""Wordings that tell what a whole text is, wherever in it they stand; see `phrases`."""

from typing import Final

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
            r"\bslow clap\b|\bnothing better to do\b|\bwork(?:ed|s) (?:so|really|super|oh so) well (?:last"
            r"|the first"
            r"|before|yesterday)|\b(?:hundredth|thousandth|millionth|umpteenth|gazillionth) time\b"
            r"|\bwhat could possibly\b|\blike (?:that|it) (?:ever|would ever) |\bbest (?:service|bot|system|day"
            r"|idea) ever\b|\b(?:so|very|super|real|really) helpful,? (?:as always|again|thanks|not)\b"
            r"|\bmy favou?rite (?:part|thing|hobby|pastime)\b|\bbecause (?:clearly|obviously|who needs)\b"
            r"|\bwho needs \w+ anyway\b|\bnot\W*!+\Z"
        ),
    ),
    "hypothetical": (
        r"\b(?:in theory|theoretically|hypothetically|purely as an example|just hypothetical)\b",
    ),
    "injection": (
        r"(?:^|\n)\s*[\[<(]\s*(?:system|assistant|developer|admin|instructions?|notice)\s*[\])>]",
        (
            r"\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules"
            r"|guidelines|directives|context|polic(?:y|ies)|safety|restrictions|constraints|training"
            r"|everything (?:above|before)|previous|above|system message)\b"
        ),
        (
            r"\byou are now\b|\bfrom now on,? you\b|\bnew (?:system )?(?:instructions?|directives?|prompt|rules"
            r"|polic(?:y|ies):)(?!\w)"
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
    "reported": (
        r"(?:^|\n)(?:from|subject|to|sent|date|cc): [^\n]*\n(?:[^\n]*\n){0,3}?(?:from|subject|to|sent|date|cc): ",
    ),
    "code": (
        r"(?:^|\n)\s*(?:log|logs|output|console|stdout|stderr)\s*: *\[?\d\d?:\d\d",
        r"```|~~~\n|<(?:html|body|div|script|xml|table|svg|span|p|a href|\?xml)\b|</\w+>",
        r"\bfile \"[^\"]+\", line \d+|\n\s*at [\w.$<>]+\([\w.:]*\)|\b\w*(?:error|exception|warning): \S",
        (
            r"\btraceback \(most recent call last\)|\bexit (?:code|status) \d|\bsegmentation fault"
            r"|\bstack ?trace\b"
            r"|\bpanic: |\bnpm err!|\bcommand not found|\bno such file or directory|\bpermission denied\b"
        ),
        (
            r"(?:^|\n)\s*\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d|(?:^|\n)\s*\[?\d\d:\d\d:\d\d|\[(?:info|warn|warning|error"
            r"|debug|trace|fatal|notice)\]|(?:^|\n|\s)(?:info|warn|warning|error|debug|fatal|level)[=:] ?\S"
            r"|\b(?:info|warn|error|debug|fatal) (?:\[|\d{4}|- )|\blevel=\w+"
        ),
        (
            r"(?:^|\n)\s*(?:def|class|fn|func|function|public|private|static|void|import|from \w[\w.]* import"
            r"|const"
            r"|let|var|return|async def|#include|package|using) ?[\w\"'{(<*]+.*(?:[({:;=]|import \w)"
        ),
        (
            r"\b[a-z_][\w.]*\((?:[^()\s][^()]*)?\)|\)\s*[;{]|[\w\])]\s*(?:=>|===?|!==?|&&|\|\||\+=|:=)\s*"
            r"|;\s*(?:\n"
            r"|\Z)|\{\s*[\"'][\w-]+[\"']\s*:|\$\{?\w+\}?|--[a-z][\w-]+|\s\|\s*(?:grep|jq|awk|sed|xargs|head|tail"
            r"|wc"
            r"|sort)\b"
        ),
        r"(?:^|\n)\s*(?:\$|>>>|#!|c:\\|\w+@\w+[:~\$])\s?\S",
        (
            r"(?:^|\n)\s*(?:curl|kubectl|docker|git|npm|pip|sudo|ssh|systemctl|helm|terraform|psql|cd|rm|ls"
            r"|python3?"
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
