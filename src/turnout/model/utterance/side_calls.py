"""Signs that a program asks for itself: titles, summaries, labels, memory, suggestions, extraction.

The system prompt is judged by what it says first, where a prompt states its task; only a short one is read whole.
The user's text is judged by being a form: instructions about a conversation, a transcript, a blank to fill in.
"""

import re

from ..body import Body
from ..parts import Message, Opaque, ToolCall

_OPENING = 480  # code points in which a prompt states what it is for
_SHORT = 3000  # a system prompt up to this length is read whole
_TEXT_HEAD = 600
_TEXT_TAIL = 400
_TINY = 32  # tokens

_MAKE = (
    r"(?:generat|creat|writ|produc|provid|propos|suggest|craft|draft|mak|com|reply|respond|giv|return|output|pick|choos"
    r"|devis|nam)(?:e|es|ing|s|ed)?"
)
_THING = (
    r"(?:titles?|headlines?|topics?|summar(?:y|ies)|recaps?|descriptions?|labels?|tags?|emojis?|keywords?|names?"
    r"|follow[- ]?ups?(?: questions?)?|(?:search )?quer(?:y|ies)|suggestions?|enhanced version|handoff)"
)
_TALK = (
    r"(?:conversations?|chats?|threads?|sessions?|dialog(?:ue)?s?|discussions?|exchanges?|transcripts?|chat history"
    r"|(?:message|conversation|interaction) history"
    r"|(?:the|this|these|following|previous|above|last|latest|user'?s?|given"
    r"|provided|first) (?:user'?s? )?(?:messages?|requests?|prompts?|queries|query|inputs?|questions?|utterances?))"
)
_DIGEST = (
    r"(?:summari[sz]|condens|compact|compress|classif|categori[sz]|rephras|distil+)(?:e|es|ing|y|ies|ying|s)?"
)
_ROLE = (
    r"(?:titles?|headlines?|topics?|summar(?:y|i[sz]er|i[sz]ation|i[sz]ing)|compaction|memory extraction|extraction"
    r"|suggestions?|naming|labell?ing|intents?|classification|moderation|next[- ]speaker|commit messages?)"
)

_OPENING_SIGNS = re.compile(
    rf"""\b(?:
        {_ROLE}[ ](?:generator|agent|assistant|writer|model|system|component|sub-?agent|bot|engine|maker|creator|expert)
      | (?:summari[sz]er|classifier|extractor|title[ ]?writer|sub-?agent)s?\b
      | {_MAKE}\b[^.\n]{{0,80}}\b{_THING}\b[^.\n]{{0,80}}\b{_TALK}
      | {_THING}\b[^.\n]{{0,40}}\b(?:for|of|from|about)\b[^.\n]{{0,40}}\b{_TALK}
      | {_MAKE}\b[^.\n]{{0,60}}\b(?:commit[ ]messages?|branch[ ]names?)
      | {_DIGEST}\b[^.\n]{{0,80}}\b{_TALK}
      | (?:analy[sz]e|determine|decide|detect|check|judge|evaluate)\b
          [^.\n]{{0,30}}\b(?:if|whether)\b[^.\n]{{0,80}}\b{_TALK}
      | (?:extract|parse|parsed|identify)\b[^.\n]{{0,40}}\b(?:objects?|entit(?:y|ies)|facts?|fields|memor(?:y|ies))\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_ONLY_SIGNS = re.compile(
    r"""\b(?:
        (?:only|just|exclusively|nothing[ ]but)[ ](?:(?:with|in|as|the|a|an|one|valid|your|thread|single)[ ]){0,3}
          (?:titles?|summary|topic|labels?|tags?|category|class|json|yes|no|true|false|numbers?|integer|score|key)\b
      | (?:respond|reply|answer|output|return[ ](?:only|a|valid|the))\b[^.\n]{0,50}\bjson\b
      | (?:your[ ](?:input|output)[ ]fields[ ]are)\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_TEXT_SIGNS = re.compile(
    rf"""(?:
        \b{_MAKE}\b[^.\n]{{0,80}}\b{_THING}\b[^.\n]{{0,80}}\b{_TALK}
      | \b{_DIGEST}\b[^.\n]{{0,60}}\b{_TALK}
      | \A\W*(?:read|review|given|based[ ]on|analy[sz]e|consider|look[ ]at|below[ ]is|here[ ]is)\b
          [^.\n]{{0,40}}\b{_TALK}
      | \bsuggest\b[^.\n]{{0,60}}\b(?:user|they)\b[^.\n]{{0,20}}\b(?:might|may|would|could|will)\b
      | \b(?:for[ ])?continu(?:e|ing)[ ](?:our|the|this)[ ](?:conversation|session)\b
      | \b(?:context|checkpoint)[ ](?:checkpoint|compaction|summar)
      | \A\W*analy[sz]e\b[^.\n]{{0,60}}\byour\b[^.\n]{{0,30}}\b(?:response|turn|message)\b
      | \A\[[A-Z][A-Z _-]{{3,40}}:
      | \A\#{{1,4}}[ ]task:?[ ]*\n
      | \[\[[ ]\#\#[ ]\w+[ ]\#\#[ ]\]\]
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"^[ \t>*#\[|]{0,6}(user|human|customer|assistant|ai|agent|bot|model|system)[\]*]{0,3}[ \t]{0,3}(?::|$)",
    re.MULTILINE | re.IGNORECASE,
)
_EMBEDDED = re.compile(
    r"""\n[ \t>*\#-]{0,6}(?:
        (?:(?:user|human|customer)(?:'s)?[ ])(?:message|input|query|question|request|prompt|text|utterance)s?
      | conversation|chat[ ]history|conversation[ ]history|transcript|dialog(?:ue)?|history|query|question
      | follow[- ]?up[ ](?:input|question)
    )\**[ \t]{0,3}:""",
    re.VERBOSE | re.IGNORECASE,
)
_BLANK = re.compile(r"\n[ \t>*#-]{0,6}[A-Z][\w-]{1,24}(?: [\w-]{1,24}){0,2}\**[ \t]*:\**\Z")
_JSON_TAIL = re.compile(
    r"\b(?:respond|reply|answer|output|return)\b[^.\n]{0,50}\bjson\b|\bjson (?:object|format|schema)\b",
    re.IGNORECASE,
)
_PEOPLE = frozenset({"user", "human", "customer"})


def of_body(body: Body) -> str:
    """Why the request's form is a program's, `""` if it is not."""
    choice = body.tool_choice
    if body.format is not None and body.format.kind != "text":
        return "the answer must be JSON: a program reads it"
    if choice is not None and choice.mode == "required" and (len(choice.names) == 1 or len(body.tools) == 1):
        return "the answer must be one given tool call: a program reads it"
    if body.max_tokens is not None and body.max_tokens <= _TINY:
        return "the answer may have only a few tokens"
    if not body.tools and any(
        isinstance(part, ToolCall) for message in body.messages for part in message.parts
    ):
        return "earlier turns used tools and this one offers none"
    return ""


def of_system(text: str) -> str:
    """Why a system prompt is that of a side call, `""` if it is not."""
    if _OPENING_SIGNS.search(text, 0, _OPENING):
        return "the system prompt asks for something about the conversation"
    if len(text) <= _SHORT and _ONLY_SIGNS.search(text):
        return "the system prompt wants one value in a fixed form"
    return ""


def of_run(run: list[Message]) -> str:
    """Why the last messages are a program's, by the parts in them; `""` if they are not."""
    if any(isinstance(part, Opaque) and "compact" in part.kind for message in run for part in message.parts):
        return "the request asks to compact the conversation"
    return ""


def of_text(text: str) -> str:
    """Why a text is a program's form rather than a person's words, `""` if it is not."""
    if _TEXT_SIGNS.search(text, 0, _TEXT_HEAD):
        return "the text gives instructions about a conversation"
    speakers = {match[1].lower() in _PEOPLE for match in _SPEAKER.finditer(text)}
    if len(speakers) == 2:
        return "the text holds a transcript"
    if _EMBEDDED.search(text):
        return "the words are embedded in a longer instruction"
    if _BLANK.search(text, max(0, len(text) - 120)):
        return "the text ends in a blank to fill in"
    if _JSON_TAIL.search(text, max(0, len(text) - _TEXT_TAIL)):
        return "the text wants JSON: a program reads the answer"
    return ""
