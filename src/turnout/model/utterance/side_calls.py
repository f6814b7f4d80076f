"""Signs that a program asks for itself: titles, summaries, labels, memory, suggestions, extraction.

A system prompt is judged by its opening, where a prompt states its task; only a short one is read whole. The user's
text is judged by being a form: instructions about a conversation, a transcript, a template, a blank to fill in.
Gaps in the patterns are bounded and stay inside one sentence, so that a long text costs no more than a short one.
"""

import re
from collections.abc import Iterable, Sequence

from ..body import Body
from ..parts import Message, Opaque, ToolCall
from .words import word_set

_OPENING = 480  # code points in which a prompt states what it is for
_SHORT = 3000  # a system prompt up to this length is read whole
_HEAD = 600  # code points of a text in which instructions stand
_TAIL = 400
_TINY = 32  # tokens

_MAKE = (
    r"(?:(?:generat|creat|writ|produc|provid|propos|com|giv|mak|devis|nam|choos|formulat|reformulat)(?:e|es|ing)"
    r"|(?:suggest|craft|draft|reply|respond|return|output|pick|crafting|drafting|answer)(?:s|ing)?)"
)
# What programs ask for; the second row is asked for by people too and must stand closer to its subject.
_THING = (
    r"(?:titles?|headlines?|topics?|summar(?:y|ies)|recaps?|emojis?|follow[- ]?ups?(?:[ ]questions?)?|handoff"
    r"|(?:enhanced|improved|rewritten|standalone)[ ](?:version|question|prompt))"
)
_LOOSE = r"(?:names?|descriptions?|labels?|tags?|keywords?|(?:search[ ])?quer(?:y|ies)|suggestions?|phrases?)"
_CHAT = (
    r"(?:conversations?|chats?|threads?|sessions?|dialog(?:ue)?s?|discussions?|exchanges?|transcripts?"
    r"|(?:chat|message|conversation|interaction)[ ]history)"
)
_MESSAGE = (
    r"(?:(?:the|this|these|following|previous|above|last|latest|given|provided|first|user'?s?)[ ](?:user'?s?[ ])?"
    r"(?:messages?|requests?|prompts?|queries|query|inputs?|questions?|utterances?)"
    r"|user'?s?[ ]intents?)"
)
_TALK = rf"(?:{_CHAT}|{_MESSAGE})"
_DIGEST = (
    r"(?:(?:summari[sz]|condens|categori[sz]|rephras)(?:e|es|ing)|(?:compact|compress|distil+)(?:s|ing)?"
    r"|classif(?:y|ies|ying))"
)
_JUDGE = r"(?:analy[sz]e|determine|decide|detect|check|judge|evaluate|assess|identify)"
_GAP = r"[^.\n]{0,80}?\b"
_NEAR = r"[^.\n]{0,30}?\b"

_ASKED = rf"""
    \b{_MAKE}\b{_GAP}{_THING}\b{_GAP}{_TALK}\b
  | \b{_MAKE}\b{_NEAR}{_LOOSE}[ ](?:for|of)\b{_NEAR}{_TALK}\b
  | \b(?:name|label|tag|title)[ ](?:the|this)[ ]{_CHAT}\b
  | \bextract(?:s|ing)?\b{_GAP}(?:from|in)\b{_NEAR}{_CHAT}\b
  | \b{_DIGEST}\b{_GAP}{_TALK}\b
  | \b{_CHAT}[ ](?:titles?|summar(?:y|ies)|topics?|headlines?)\b
  | \b(?:titles?|summar(?:y|ies)|topics?)[ ](?:for|of)\b{_NEAR}{_TALK}\b
  | \b{_JUDGE}\b{_NEAR}(?:if|whether|language|intent|sentiment|topic)\b{_GAP}{_TALK}\b
  | (?:标题|主题|总结|概括|摘要|要約|タイトル|제목|요약)[^。\n]{{0,60}}(?:对话|会话|聊天|这句话|会話|チャット|대화)
  | (?:对话|会话|聊天|这句话|会話|チャット|대화)[^。\n]{{0,60}}(?:标题|主题|总结|概括|摘要|要約|タイトル|제목|요약)
  | \b(?:titel|zusammenfassung|titre|r[ée]sum[ée]|t[íi]tulo|resumen|titolo|riassunto)\b{_GAP}
    (?:chats?|unterhaltung|gespr[äa]chs?|konversation|conversaci[óo]n|conversazione|conversation|conversa)\b
"""
_ROLE = (
    r"(?:titles?|headlines?|topics?|summar(?:y|i[sz]ation|i[sz]ing|i[sz]er)|compaction|extraction|suggestions?|naming"
    r"|labell?ing|intents?|classification|moderation|(?:next[- ])?speaker|commit[ ]messages?)"
)
_OPENING_SIGNS = re.compile(
    rf"""(?:{_ASKED}
      | (?:\A\W*|\byou(?:'re|[ ]are)\b|\b(?:act|acting|serve|serving|work|working)[ ]as\b
          |\b(?:role|job|task|goal)[ ]is\b)
        [^.\n]{{0,100}}?\b
        (?: {_ROLE}(?:[- ]generation)?[ ](?:generator|agent|assistant|writer|model|system|component|sub-?agent|bot|engine|maker|expert)\b
          | (?:summari[sz]er|classifier|extractor|sub-?agent)\b
          | {_MAKE}\b{_GAP}(?:commit[ ]messages?|branch[ ]names?)\b
          | (?:pars|extract)(?:e|ed|ing)?\b{_NEAR}(?:objects?|entit(?:y|ies)|facts?|fields|memor(?:y|ies))\b)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_VALUE = (
    r"(?:titles?|summary|topic|labels?|tags?|categor(?:y|ies)|class|json|yes|no|true|false|numbers?|integer|score"
    r"|names?|ids?)"
)
_SMALL = r"(?:(?:with|in|as|the|a|an|one|valid|your|thread|single|word|agent|best|matching)[ ]){0,3}"
_ONLY_SIGNS = re.compile(
    rf"""\b(?:
        (?:respond|reply|answer|output|return|print|say|write|generate)\b[^.\n]{{0,20}}?
          \b(?:only|just|exclusively|nothing[ ]but)[ ]{_SMALL}{_VALUE}\b
      | only[ ](?:respond|reply|answer|output|return|print|say|write|generate)[ ]{_SMALL}{_VALUE}\b
      | (?:respond|reply|answer|output|return[ ](?:only|a|valid|the))\b[^.\n]{{0,50}}?\bjson\b
      | your[ ](?:input|output)[ ]fields[ ]are\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_TEXT_SIGNS = re.compile(
    rf"""(?:{_ASKED}
      | \A\W*(?:read|review|given|based[ ]on|analy[sz]e|consider|look[ ]at|(?:below|here)[ ]is)\b{_NEAR}{_CHAT}\b
      | \A\W*(?:given|based[ ]on|analy[sz]e|{_JUDGE})\b{_NEAR}{_MESSAGE}\b
      | \A\W*analy[sz]e\b{_GAP}your\b{_NEAR}(?:response|turn|message|answer)\b
      | \A\W*(?:{_MAKE}|{_JUDGE}|what)\b{_NEAR}(?:sentiment|intent|toxicity|emotion|tone)\b
      | \A\W*(?:what|which|is|are|does|do)\b{_NEAR}(?:following|given)[ ](?:text|message|content|input|question)\b
      | \b(?:{_JUDGE}|translate|rewrite|correct|extract|improve|enhance)\b{_NEAR}
        (?:following|given|provided|this)[ ](?:text|content|sentence|passage|snippet|prompt|message|input)\b
      | \bsuggest\b{_GAP}(?:user|they)\b{_NEAR}(?:might|may|would|could|will)\b
      | \bcontinu(?:e|ed|ing)\b{_NEAR}(?:our|the|this|previous|earlier)[ ](?:conversation|session)\b
      | \bcontext[ ](?:checkpoint|compaction|summar)
      | \A\W*(?:you[ ]are[ ](?:a|an|the|now|performing)|act[ ]as|your[ ](?:task|job|role|goal)[ ]is)\b
      | \A(?-i:\[[A-Z][A-Z _-]{{3,40}}:)
      | \[\[[ ]\#\#[ ]\w+[ ]\#\#[ ]\]\]
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_WRAPPED = re.compile(r"\n[ \t]*(?=[a-z])")  # a sentence that goes on in the next line
_MATERIAL = re.compile(
    r"\A\W{0,6}(?:context|background|documents?|(?:search|web) results|sources|knowledge|excerpts?"
    r"|(?:relevant|retrieved|additional|reference) \w+)\b[^\n]{0,60}:[ ]*\n",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^#{1,4} \S", re.MULTILINE)
_SPEAKER = re.compile(
    r"^[ \t>*#\[|]{0,6}(user|human|assistant|ai|bot|chatbot)[\]*]{0,3}[ \t]{0,3}(?::|$)",
    re.MULTILINE | re.IGNORECASE,
)
_EMBEDDED = re.compile(
    r"""(?:^|(?<=[.?!][ ]))[ \t>*\#-]{0,6}(?:
        (?:(?:user|human|customer)(?:'s)?[ ])(?:message|input|query|question|request|prompt|text|utterance)s?
      | conversation|(?:chat|conversation)[ ]history|transcript|dialog(?:ue)?|history|query|question
      | follow[- ]?up[ ](?:input|question)
    )\**[ \t]{0,3}:""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_BLANK = re.compile(r"\n[ \t>*#-]{0,6}[A-Z][\w-]{1,24}(?: [\w-]{1,24}){0,2}\**[ \t]*:\**\Z")
_JSON_TAIL = re.compile(
    r"\b(?:respond|reply|answer|output|return)\b[^.\n]{0,50}?\bjson\b|\bjson (?:object|format|schema)\b",
    re.IGNORECASE,
)
_PROMPT = re.compile(r"\W{0,6}(?:you are|act as|your (?:task|job|role|goal) is)\b", re.IGNORECASE)
_PEOPLE = word_set("user human")


def of_body(body: Body) -> str:
    """Why the request's form is a program's, `""` if it is not."""
    choice = body.tool_choice
    if body.format is not None and body.format.kind != "text":
        return "the answer must be JSON: a program reads it"
    if choice is not None and choice.mode == "required" and 1 in (len(choice.names), len(body.tools)):
        return "the answer must be one given tool call: a program reads it"
    if body.max_tokens is not None and body.max_tokens <= _TINY:
        return "the answer may have only a few tokens"
    if not body.tools and any(
        isinstance(part, ToolCall) for message in body.messages for part in message.parts
    ):
        return "earlier turns used tools and this one offers none"
    return ""


def of_messages(messages: Sequence[Message], run: Iterable[Message]) -> str:
    """Why the system messages, or the parts of the last messages, are those of a side call, `""` if they are not.

    A first user message that reads like a system prompt and is not the last word counts as one.
    """
    if any(isinstance(part, Opaque) and "compact" in part.kind for message in run for part in message.parts):
        return "the request asks to compact the conversation"
    first = True
    for message in messages:
        if message.role in ("system", "developer"):
            reason = _of_system(message.text)
            if reason:
                return reason
        elif first:
            first = False
            if message is not messages[-1] and _PROMPT.match(text := message.text):
                reason = _of_system(text)
                if reason:
                    return reason
    return ""


def _of_system(text: str) -> str:
    if _OPENING_SIGNS.search(_WRAPPED.sub(" ", text[:_OPENING])):
        return "the system prompt asks for something about the conversation"
    if len(text) <= _SHORT and _ONLY_SIGNS.search(text):
        return "the system prompt wants one value in a fixed form"
    return ""


def of_instructions(text: str) -> str:
    """Why a text tells what to do with other messages or with a text in it, `""` if it does not."""
    if _TEXT_SIGNS.search(_WRAPPED.sub(" ", text[:_HEAD])):
        return "the text gives instructions about a conversation or a text"
    return ""


def of_text(text: str) -> str:
    """Why a text is a program's form rather than a person's words, `""` if it is not."""
    instructions = of_instructions(text)
    if instructions:
        return instructions
    if _JSON_TAIL.search(text, max(0, len(text) - _TAIL)):
        return "the text wants JSON: a program reads the answer"
    embedded = _EMBEDDED.search(text)
    if embedded is not None and embedded.start() > 0:
        return "the words are embedded in a longer instruction"
    return _of_lines(text) if "\n" in text else ""


def _of_lines(text: str) -> str:
    """The signs that only a text of several lines can have."""
    if _MATERIAL.match(text):
        return "the text begins with material that a client may have put there"
    if len(_HEADING.findall(text)) > 1:
        return "the text is built like a template, with headings"
    if len({speaker.lower() in _PEOPLE for speaker in _SPEAKER.findall(text)}) > 1:
        return "the text holds a transcript"
    if _BLANK.search(text, max(0, len(text) - 120)):
        return "the text ends in a blank to fill in"
    return ""
