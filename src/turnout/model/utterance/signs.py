"""Patterns for instructions about a conversation or a text, and the words without which they cannot match.

Strategy: a pattern is looked for only where the words that it needs occur at all; the words of a head are split off
once. So nearly every text is done after a few look-ups in sets. Gaps in the patterns are bounded and stay inside one
sentence. All patterns see lower-case text.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from .words import pattern, word_set

Words = frozenset[str]


class Sign(NamedTuple):
    """The source of a pattern, and sets of words of which the text must hold one each for the pattern to match."""

    needs: tuple[Words, ...]
    source: str


def found(signs: Iterable[Sign], text: str) -> bool:
    """Whether one of the signs is in this lower-case text."""
    words = set(text.translate(_APART).split() if text.isascii() else _WORD.findall(text))
    for needs, source in signs:
        for group in needs:
            if words.isdisjoint(group):
                break
        else:
            if pattern(source).search(text):
                return True
    return False


def _any(words: Iterable[str]) -> str:
    """One of these words, each as a word of its own; longer ones first."""
    return rf"\b(?:{'|'.join(sorted(words, key=lambda word: (-len(word), word)))})\b"


def _sign(needs: tuple[Words, ...], *source: str) -> Sign:
    return Sign(needs, "".join(source))


_WORD = re.compile(r"[a-z]+")
_APART = {code: " " for code in range(128) if not chr(code).islower()}  # quicker than a pattern, for ASCII
_GAP = r"[^.\n]{0,80}?"
_NEAR = r"[^.\n]{0,30}?"

# What a program wants done ...
_MAKE = word_set("""
    generate generates generating create creates creating write writes writing produce produces producing provide
    provides providing propose proposes proposing come give gives giving make makes making devise devising formulate
    reformulate choose choosing name suggest suggests suggesting craft crafts crafting draft drafts drafting reply
    respond return output pick answer""")
_DIGEST = word_set("""
    summarize summarizes summarizing summarise summarises summarising condense condenses condensing compact compacts
    compacting compress compresses compressing classify classifies classifying categorize categorizes categorizing
    categorise categorises categorising reformulate reformulates reformulating rewrite rewrites rewriting rephrase
    rephrases rephrasing distil distill distills""")
_JUDGE = word_set("analyze analyse determine decide detect check judge evaluate assess identify")
_CHANGE = word_set("translate rewrite correct extract improve enhance")
# ... what it wants: the second row is wanted by people too and must stand closer to its subject ...
_THING = word_set("title titles headline headlines topic topics summary summaries recap recaps emoji handoff")
_FOLLOW = word_set("follow followup followups enhanced improved rewritten standalone")
_LOOSE = word_set("""
    name names description descriptions label labels tag tags keyword keywords query queries suggestion suggestions
    phrase phrases""")
# ... and about what.
_CHAT = word_set("""
    conversation conversations chat chats thread threads session sessions dialog dialogs dialogue dialogues discussion
    discussions exchange exchanges transcript transcripts history""")
_SAID = word_set("""
    message messages request requests prompt prompts query queries input inputs question questions utterance utterances
    intent intents""")
_TEXT = word_set("text content sentence passage snippet prompt message input question")
_NAMING = word_set("name label tag title")
_FEELING = word_set("sentiment intent toxicity emotion tone language topic")

_BETTER = r"\b(?:enhanced|improved|rewritten|standalone) (?:version|question|prompt)\b"
_THINGS = rf"(?:{_any(_THING)}|\bfollow[- ]?ups?\b|{_BETTER})"
_WHOSE = r"\b(?:the|this|these|following|previous|above|last|latest|given|provided|first|user(?:'s)?)"
_TALK = rf"(?:{_any(_CHAT)}|{_WHOSE} (?:user(?:'s)? )?{_any(_SAID)})"
_ABOUT = _CHAT | _SAID

_ASKED = (
    _sign((_MAKE, _THING | _FOLLOW, _ABOUT), _any(_MAKE), _GAP, _THINGS, _GAP, _TALK),
    _sign((_MAKE, _LOOSE, _ABOUT), _any(_MAKE), _NEAR, _any(_LOOSE), r" (?:for|of)\b", _NEAR, _TALK),
    _sign((_DIGEST, _ABOUT), _any(_DIGEST), _GAP, _TALK),
    _sign((_THING, _CHAT), _any(_CHAT), r" (?:titles?|summar(?:y|ies)|topics?|headlines?)\b"),
    _sign((_THING, _ABOUT), r"\b(?:titles?|summar(?:y|ies)|topics?) (?:for|of)\b", _NEAR, _TALK),
    _sign((_NAMING, _CHAT), rf"{_any(_NAMING)} (?:the|this) ", _any(_CHAT)),
    _sign(
        (word_set("extract extracts extracting"), _CHAT),
        r"\bextract",
        _GAP,
        r"\b(?:from|in)\b",
        _NEAR,
        _any(_CHAT),
    ),
    _sign((_JUDGE, _ABOUT), _any(_JUDGE), _NEAR, rf"(?:\bif\b|\bwhether\b|{_any(_FEELING)})", _GAP, _TALK),
    _sign(
        (
            word_set("titel zusammenfassung titre resume resum sum titulo tulo resumen titolo riassunto"),
            _CHAT | word_set("unterhaltung gespr gesprach konversation conversaci conversazione conversa"),
        ),
        r"\b(?:titel|zusammenfassung|titre|r[ée]sum[ée]|t[íi]tulo|resumen|titolo|riassunto)\b",
        _GAP,
        r"\b(?:chats?|unterhaltung|gespr[äa]chs?|konversation|conversa(?:ci[óo]n|zione|tion)?)\b",
    ),
)
_CJK_THING = "(?:标题|主题|总结|概括|摘要|要約|タイトル|제목|요약)"
_CJK_TALK = "(?:对话|会话|聊天|这句话|会話|チャット|대화)"
_CJK = rf"{_CJK_THING}[^。\n]{{0,60}}{_CJK_TALK}|{_CJK_TALK}[^。\n]{{0,60}}{_CJK_THING}"

_ROLE_HEAD = (
    r"(?:\A\W*|\byou(?:'re| are)\b|\b(?:act|acting|serve|serving|work|working) as\b|\b(?:role|job|task|goal) is\b)"
    r"[^.\n]{0,100}?"
)
_ROLE = (
    r"\b(?:titles?|headlines?|topics?|summar(?:y|i[sz]ation|i[sz]ing|i[sz]er)|compaction|extraction|suggestions?|naming"
    r"|labell?ing|intents?|classification|moderation|(?:next[- ])?speaker|commit messages?)(?:[- ]generation)?"
    r" (?:generator|agent|assistant|writer|model|system|component|sub-?agent|bot|engine|maker|expert)\b"
)
_ROLES = word_set("""
    title titles headline headlines topic topics summary summarization summarisation summarizing summarising summarizer
    summariser compaction extraction suggestion suggestions naming labeling labelling intent intents classification
    moderation speaker commit""")
_PARSE = word_set("parse parsed parsing extract extracted extracting")
_PARSED = word_set("object objects entity entities fact facts field fields memory memories")

OPENING = (
    *_ASKED,
    _sign((_ROLES,), _ROLE_HEAD, _ROLE),
    _sign(
        (word_set("summarizer summariser classifier extractor subagent sub"),),
        _ROLE_HEAD,
        r"\b(?:summari[sz]er|classifier|extractor|sub-?agent)\b",
    ),
    _sign(
        (_MAKE, word_set("commit branch")),
        _ROLE_HEAD,
        _any(_MAKE),
        _GAP,
        r"\b(?:commit messages?|branch names?)\b",
    ),
    _sign((_PARSE, _PARSED), _ROLE_HEAD, _any(_PARSE), _NEAR, _any(_PARSED)),
)
"""What a system prompt says first when it is a side call's."""

_LOOK = word_set("read review given based analyze analyse consider look below here")
_THESE = r"\b(?:following|given|provided|this) "

INSTRUCTIONS = (
    *_ASKED,
    _sign(
        (_LOOK, _CHAT),
        r"\A\W*(?:read|review|given|based on|analy[sz]e|consider|look at|(?:below|here) is)\b",
        _NEAR,
        _any(_CHAT),
    ),
    _sign(
        (_LOOK | _JUDGE, _SAID),
        rf"\A\W*(?:given\b|based on\b|{_any(_JUDGE)})",
        _NEAR,
        _WHOSE,
        " ",
        _any(_SAID),
    ),
    _sign(
        (_LOOK, word_set("your")),
        r"\A\W*analy[sz]e\b",
        _GAP,
        r"\byour\b",
        _NEAR,
        r"\b(?:response|turn|message)\b",
    ),
    _sign(
        (_FEELING,),
        rf"\A\W*(?:{_any(_MAKE)}|{_any(_JUDGE)}|what\b)",
        _NEAR,
        r"\b(?:sentiment|intent|toxicity|tone)\b",
    ),
    _sign((_TEXT,), r"\A\W*(?:what|which|is|are|does|do)\b", _NEAR, r"\b(?:following|given) ", _any(_TEXT)),
    _sign((_JUDGE | _CHANGE, _TEXT), _any(_JUDGE | _CHANGE), _NEAR, _THESE, _any(_TEXT)),
    _sign(
        (word_set("suggest"), word_set("user they")),
        r"\bsuggest\b",
        _GAP,
        r"\b(?:user|they)\b",
        _NEAR,
        r"\b(?:might|may|would|could|will)\b",
    ),
    _sign(
        (word_set("continue continued continuing"), _CHAT),
        r"\bcontinu(?:e|ed|ing)\b",
        _NEAR,
        r"\b(?:our|the|this|previous|earlier) (?:conversation|session)\b",
    ),
    _sign((word_set("context"),), r"\bcontext (?:checkpoint|compaction|summar)"),
    _sign(
        (word_set("you act your"),),
        r"\A\W*(?:you are (?:a|an|the|now|performing)|act as|your (?:task|job|role|goal) is)\b",
    ),
)
"""What a text says first when it tells what to do with other messages or with a text in it."""


def found_cjk(text: str) -> bool:
    """Whether a text in Chinese, Japanese or Korean asks for a title or a summary of a conversation."""
    return not text.isascii() and pattern(_CJK).search(text) is not None
