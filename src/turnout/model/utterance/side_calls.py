"""Signs that a program asks for itself: titles, summaries, labels, memory, suggestions, extraction.

A system prompt is judged by its opening, where a prompt states its task; only a short one is read whole. The user's
text is judged by being a form: instructions about a conversation, a transcript, a template, a blank to fill in.
"""

import re
from collections.abc import Iterable, Sequence

from ..body import Body
from ..parts import Message, Opaque, ToolCall
from . import signs
from .words import pattern, word_set

_OPENING = 480  # code points in which a prompt states what it is for
_SHORT = 3000  # a system prompt up to this length is read whole
_HEAD = 600  # code points of a text in which instructions stand
_TAIL = 400
_TINY = 32  # tokens

_VALUE = (
    r"(?:titles?|summary|topic|labels?|tags?|categor(?:y|ies)|class|json|yes|no|true|false|numbers?|integer|score"
    r"|names?|ids?)"
)
_SMALL = r"(?:(?:with|in|as|the|a|an|one|valid|your|thread|single|word|agent|best|matching)[ ]){0,3}"
_ONLY_SIGNS = rf"""\b(?:
        (?:respond|reply|answer|output|return|print|say|write|generate)\b[^.\n]{{0,20}}?
          \b(?:only|just|exclusively|nothing[ ]but)[ ]{_SMALL}{_VALUE}\b
      | only[ ](?:respond|reply|answer|output|return|print|say|write|generate)[ ]{_SMALL}{_VALUE}\b
      | (?:respond|reply|answer|output|return[ ](?:only|a|valid|the))\b[^.\n]{{0,50}}?\bjson\b
      | your[ ](?:input|output)[ ]fields[ ]are\b
    )"""
_CLIENT = re.compile(r"\A\[[A-Z][A-Z _-]{3,40}:|\[\[ ## \w+ ## \]\]")
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
_EMBEDDED_FLAGS = re.VERBOSE | re.IGNORECASE | re.MULTILINE
_EMBEDDED = r"""(?:^|(?<=[.?!][ ]))[ \t>*\#-]{0,6}(?:
        (?:(?:user|human|customer)(?:'s)?[ ])(?:message|input|query|question|request|prompt|text|utterance)s?
      | conversation|(?:chat|conversation)[ ]history|transcript|dialog(?:ue)?|history|query|question
      | follow[- ]?up[ ](?:input|question)
    )\**[ \t]{0,3}:"""
_BLANK = re.compile(r"\n[ \t>*#-]{0,6}[A-Z][\w-]{1,24}(?: [\w-]{1,24}){0,2}\**[ \t]*:\**\Z")
_JSON_TAIL = re.compile(
    r"\b(?:respond|reply|answer|output|return)\b[^.\n]{0,50}?\bjson\b|\bjson (?:object|format|schema)\b",
    re.IGNORECASE,
)
_ONLY_NEEDS = re.compile(r"\b(?:only|just (?:the|a|one)|exclusively|nothing but|json|fields are)\b")
_AROUND = 64  # code points
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
    opening = _WRAPPED.sub(" ", text[:_OPENING]).lower()
    if signs.found(signs.OPENING, opening) or signs.found_cjk(opening):
        return "the system prompt asks for something about the conversation"
    if len(text) <= _SHORT and _wants_one_value(text.lower()):
        return "the system prompt wants one value in a fixed form"
    return ""


def _wants_one_value(text: str) -> bool:
    """Whether a lower-case text asks for nothing but a label, a number or JSON; looks around the words that say so."""
    only = pattern(_ONLY_SIGNS, re.VERBOSE)
    return any(
        only.search(text, max(0, hit.start() - _AROUND), hit.end() + _AROUND) is not None
        for hit in _ONLY_NEEDS.finditer(text)
    )


def of_instructions(text: str) -> str:
    """Why a text tells what to do with other messages or with a text in it, `""` if it does not."""
    head = _WRAPPED.sub(" ", text[:_HEAD])
    low = head.lower()
    if signs.found(signs.INSTRUCTIONS, low) or signs.found_cjk(low) or ("[" in head and _CLIENT.search(head)):
        return "the text gives instructions about a conversation or a text"
    return ""


def of_text(text: str) -> str:
    """Why a text is a program's form rather than a person's words, `""` if it is not."""
    instructions = of_instructions(text)
    if instructions:
        return instructions
    tail = text[-_TAIL:].lower()
    if "json" in tail and _JSON_TAIL.search(tail):
        return "the text wants JSON: a program reads the answer"
    embedded = pattern(_EMBEDDED, _EMBEDDED_FLAGS).search(text) if ":" in text else None
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
