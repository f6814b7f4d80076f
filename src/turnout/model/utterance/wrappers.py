"""What clients put around the user's words, as data, and how it comes off.

Three kinds of text are told apart: *context* (the client's own, removed), an *envelope* (what it holds is the user's)
and *feedback* (what a program answered: the turn goes on, it does not begin). A block whose name nobody knows is
removed where it stands before or after all else, and a reason for doubt where it stands between words.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..base import V
from .blocks import NO_MARKS, Block, Marks, marks
from .words import pattern, word_set, words_of

_CONTEXT_WORDS = word_set("""
    attachments caveat context datetime details diagnostics directories environment files history hook info
    information instructions manifest memories memory metadata notification opened permissions plugins preferences
    profile recommended reminder reminders rules selection session settings skill skills state status system
    timezone tokens workspace""")
_CONTEXT_NAMES = word_set(
    "additional_data attachment command-args command-message command-name current_date current_time date "
    "project_layout turn_aborted"
)
_FEEDBACK_WORDS = word_set("function observation returncode stderr stdout tool toolcall")
_FEEDBACK_NAMES = word_set("error exit_code exitcode output result results")
_ENVELOPES = word_set("feedback task userinput usermessage userprompt userquery userquestion userrequest")
# Markup that people paste. Names that prompts use for their sections (`input`, `title`, `summary`) are not in it.
_HTML = word_set("""
    a abbr b blockquote body br button canvas code col dd del dfn div dl dt em font form frame h1 h2 h3 h4 h5 h6 hr html
    i iframe img ins kbd li link nav ol p pre q s samp script small span strong style sub sup svg table tbody td
    textarea tfoot th thead tr u ul video""")


class Wrapper(V, frozen=True, kw_only=True):
    """A host's own rule for text that its clients put around the user's words.

    What `pattern` matches is replaced by its group `said`, or removed when it has none. `unwrap` is a function
    instead: it returns the text without the wrapper, or None when the wrapper is not there. Both see one text part
    at a time; a part of which nothing is left is the client's own.
    """

    name: str
    pattern: str = ""
    unwrap: Callable[[str], str | None] | None = None


class Unwrapped(NamedTuple):
    """What is left of one text part; `feedback` and `doubt` say why it cannot be a request.

    `enveloped`: the words stood in a block that is the user's by its name, so that others' words are not.
    """

    text: str
    names: tuple[str, ...] = ()
    feedback: bool = False
    doubt: str = ""
    enveloped: bool = False


class _Rule(NamedTuple):
    name: str
    source: str

    @property
    def pattern(self) -> re.Pattern[str]:
        return pattern(self.source, re.DOTALL)


class _HostRule(NamedTuple):
    name: str
    pattern: re.Pattern[str]


# Anchored at the start: each costs one attempt. The group `said` is kept, everything else is removed.
_HEADS = (
    _Rule("time stamp", r"\A\[(?=[^\]\n]{0,120}?(?:\d{1,2}:\d\d|\d{4}-\d\d-\d\d))[^\]\n]{4,160}\]\s"),
    _Rule("task label", r"\A(?:(?:New|Current|Your) )?[Tt]ask:[ ]*\n"),
    _Rule(
        "task and criteria",
        r"\ACurrent Task: (?P<said>.*?)\n\nThis is the (?:expected criteria|context).*",
    ),
    _Rule("metadata", r"\A[A-Z][^\n`]{0,80}(?:metadata|untrusted)[^\n`]{0,60}:\n```\w*\n.*?\n```\s*"),
    _Rule(
        "instructions heading",
        r"\A#{1,3} [^\n]{0,80}\b(?:instructions|context|guidelines|rules)\b[^\n]{0,200}\Z",
    ),
    _Rule("called tool", r"\ACalled the \w+ tool with the following input: .*"),
    _Rule("local commands", r"\ACaveat: The messages below were generated .*"),
    _Rule("interruption", r"\A\[Request interrupted[^\]\n]{0,80}\]\s*"),
)
# Seen by the last paragraph only.
_TAILS = (
    _Rule("runtime line", r"[A-Z][\w ]{0,30}: \w+=[^|\n]*(?:\|[ ]?\w+=[^|\n]*)+\Z"),
    _Rule("message id", r"\[[a-z]+(?:_[a-z]+)+: ?[^\]\n]{1,120}\]\Z"),
    _Rule("reply language", r"(?:Always )?[Rr]eply(?: to the user)? in [A-Z]\w+\.\Z"),
)
_FEEDBACK = r"""\A(?:
      (?:observations?
        |(?:tool|function|code|command|shell|terminal|execution)[ _](?:call[ ])?(?:result|output|response)s?
        |execution[ ]result[ ]of[^\n]{0,80}
        |(?:result|output)[ ]of[ ](?:the[ ])?(?:tool|function|command|code)[^\n:]{0,80}
        |exit[ _]?code|return[ _]?code|traceback[ ]\(most[ ]recent[ ]call[ ]last\))[ ]*[:=]
      |\[[a-z]+_[a-z_]+(?:[ ]for[ ][^\]\n]{0,300})?\][ ]result:
      |\[error\]
      |the[ ]code[ ]above[ ]was[ ]executed
      |\[[^\]\n]{0,80}\b(?:previous|earlier|interrupted)[ ](?:active[ ])?(?:turn|run|attempt)\b[^\]\n]{0,160}\]
      |(?:please[ ])?continue[ ]if[ ]
      |(?:\d+[ ])?(?:validation|parsing)[ ](?:errors?|feedback)\b[^\n:]{0,40}:
      |[^\n]{0,160}\bfollowing[ ](?:validation[ ])?errors?\b[^\n:]{0,20}:
      |[^\n]{0,60}\byou[ ](?:did[ ]not|didn't)[ ](?:use|call)[ ]a[ ]tool
      |your[ ](?:last|previous)[ ](?:response|output|answer|reply)[ ](?:was|is|did|could|failed)
    )"""
_RESUME = (
    r"\n\n(?:please )?continue (?:with )?(?:the|your|from the) (?:current|previous|interrupted|existing)"
    r" (?:task|turn|run|work|transcript)\b"
)
"""A paragraph by which a client goes on with a turn that broke off; the words above it were said before."""
_REMOVABLE = frozenset({"context", "unknown"})
_TOO_MANY = Unwrapped("", doubt="there are too many blocks to tell whose they are")
_NOT_ONE_WORD = frozenset(" \n<")
_LINE = 80  # code points around a mark in which the end of its line is looked for
_DEPTH = 3  # envelopes in envelopes
_ROUNDS = 6  # wrappers around wrappers
_TAIL = 2000  # code points of a client's last paragraph
_REPEATED = 12  # a shorter paragraph may well be the user's
_WHOLE = re.compile(r"<([A-Za-z][\w.-]{0,63})>")  # most of what clients put in parts of its own is one block
_QUOTED = re.compile(r'\A"((?:[^"\\]|\\.)+)"\Z', re.DOTALL)
_INNER_QUOTE = re.compile(r'\\(["\\])')


def unwrap(text: str, repeats: Callable[[str], bool], host: Iterable[Wrapper | _HostRule]) -> Unwrapped:
    """The user's words in one text part, as far as they can be told from the client's.

    `repeats` says whether the system prompt has this paragraph too.
    """
    text = text.strip()
    names: list[str] = []
    for wrapper in host:
        text = _apply_host(wrapper, text, names)
    enveloped = False
    for _ in range(_ROUNDS):
        bare = _without_blocks(text, names)
        if bare.feedback or bare.doubt:
            return bare
        if not bare.text:
            return Unwrapped("", bare.names)
        enveloped = enveloped or bare.enveloped
        before, text = text, _without_edges(bare.text, repeats, names)
        if text == before:
            break
    else:
        return Unwrapped("", doubt="there are too many wrappers in wrappers")
    feedback = pattern(_FEEDBACK, re.VERBOSE | re.IGNORECASE).match(text) is not None or _is_resumed(text)
    return Unwrapped("" if feedback else text, tuple(names), feedback, enveloped=enveloped)


def _is_resumed(text: str) -> bool:
    return "ontinue" in text and pattern(_RESUME, re.IGNORECASE).search(text) is not None


def compiled(wrappers: Iterable[Wrapper]) -> tuple[Wrapper | _HostRule, ...]:
    """The host's wrappers with their patterns compiled once.

    Raises:
        re.error: a pattern is not a regular expression.
        ValueError: a wrapper has neither a pattern nor a function, or both.
    """
    ready: list[Wrapper | _HostRule] = []
    for wrapper in wrappers:
        if bool(wrapper.pattern) == (wrapper.unwrap is not None):
            raise ValueError(f"the wrapper {wrapper.name!r} needs a pattern or a function, and not both")
        if wrapper.pattern:
            ready.append(_HostRule(wrapper.name, re.compile(wrapper.pattern, re.DOTALL)))
        else:
            ready.append(wrapper)
    return tuple(ready)


def _said(match: re.Match[str]) -> str:
    return match.groupdict().get("said") or ""


def _apply_host(wrapper: Wrapper | _HostRule, text: str, names: list[str]) -> str:
    if isinstance(wrapper, _HostRule):
        changed, count = wrapper.pattern.subn(_said, text)
        bare = changed if count else None
    else:
        bare = wrapper.unwrap(text) if wrapper.unwrap is not None else None
    if bare is None:
        return text
    names.append(wrapper.name)
    return bare.strip()


def _kind(name: str) -> str:
    """What a block of this name holds: context, envelope, feedback or unknown."""
    lower = name.lower()
    words = words_of(name)
    if "".join(words) in _ENVELOPES:
        return "envelope"
    if lower in _FEEDBACK_NAMES or not _FEEDBACK_WORDS.isdisjoint(words):
        return "feedback"
    if lower in _CONTEXT_NAMES or not _CONTEXT_WORDS.isdisjoint(words):
        return "context"
    return "unknown"


def _label(name: str, kind: str) -> str:
    """The name under which a block is reported; a name that nobody knows could be anything and is not shown."""
    return f"<{name.lower()}>" if kind != "unknown" else "an unknown block"


def _whole(text: str) -> str:
    """The label of the one context block that is the whole text, `""` if it is something else."""
    opening = _WHOLE.match(text)
    if opening is None or text.find(f"</{opening[1]}>") != len(text) - len(opening[1]) - 3:
        return ""
    kind = _kind(opening[1])
    return _label(opening[1], kind) if kind == "context" else ""


def _without_blocks(text: str, names: list[str], depth: int = 0) -> Unwrapped:
    """The text without the client's blocks, or the reason why nothing can be said."""
    whole = _whole(text)
    if whole:
        return Unwrapped("", (*names, whole))
    found = marks(text, _HTML)
    if found == NO_MARKS:
        return Unwrapped(text)
    trouble = _TOO_MANY if found.many else _stray(text, found)
    if trouble is not None:
        return trouble
    first, last = 0, len(found.blocks)
    head, tail = 0, len(text)
    while first < last and not text[head : found.blocks[first].start].strip():
        block = found.blocks[first]
        kind = _kind(block.name)
        if kind == "envelope":
            return _opened(text, found.blocks[first:], names, depth)
        if kind == "feedback":
            return Unwrapped("", (_label(block.name, kind),), feedback=True)
        names.append(_label(block.name, kind))
        head = block.end
        first += 1
    while first < last and not text[found.blocks[last - 1].end : tail].strip():
        block = found.blocks[last - 1]
        kind = _kind(block.name)
        if kind not in _REMOVABLE:
            break
        names.append(_label(block.name, kind))
        tail = block.start
        last -= 1
    return _between(text, head, tail, found.blocks[first:last], names)


def _stray(text: str, found: Marks) -> Unwrapped | None:
    """What marks without a partner say: nothing, that the part is a client's, or that nobody can tell."""
    for start, end, name in found.strays:
        kind = _kind(name)
        if kind == "unknown" and not text.startswith("<<", start) and not _own_line(text, start, end):
            continue
        if not text[:start].strip() and not text.startswith("</"):
            return Unwrapped("", (_label(name, kind),))
        return Unwrapped("", doubt="a block of the client's is not balanced")
    return None


def _holds_words(text: str, block: Block) -> bool:
    """Whether a block could hold what somebody said: it has lines of its own, several words or more marks."""
    inside = text[block.inside : block.outside].strip()
    return not _NOT_ONE_WORD.isdisjoint(inside) or _own_line(text, block.start, block.end)


def _own_line(text: str, start: int, end: int) -> bool:
    """Whether nothing else stands on the line(s) of `start:end`."""
    before = text[max(0, start - _LINE) : start].rstrip(" \t")
    after = text[end : end + _LINE].lstrip(" \t")
    return before[-1:] in ("", "\n") and after[:1] in ("", "\n")


def _opened(text: str, blocks: Sequence[Block], names: list[str], depth: int) -> Unwrapped:
    """The words in an envelope, when all that stands after it is the client's."""
    envelope = blocks[0]
    names.append(_label(envelope.name, "envelope"))
    rest = Unwrapped("") if depth >= _DEPTH else _between(text, envelope.end, len(text), blocks[1:], names)
    if depth >= _DEPTH or rest.doubt or (rest.text and not rest.text.startswith("#")):
        return Unwrapped("", doubt="there is other text beside the user's block")
    inner = _without_blocks(text[envelope.inside : envelope.outside].strip(), names, depth + 1)
    return inner._replace(enveloped=True)


def _between(text: str, head: int, tail: int, blocks: Sequence[Block], names: list[str]) -> Unwrapped:
    """The text of `head:tail` without the context blocks in it."""
    pieces: list[str] = []
    for block in blocks:
        kind = _kind(block.name)
        if kind == "context":
            names.append(_label(block.name, kind))
            pieces.append(text[head : block.start])
            head = block.end
        elif kind != "unknown" or _holds_words(text, block):
            return Unwrapped("", doubt="a block stands between the words and cannot be told from them")
    pieces.append(text[head:tail])
    return Unwrapped("".join(pieces).strip(), tuple(names))


def _without_edges(text: str, repeats: Callable[[str], bool], names: list[str]) -> str:
    """The text without what clients put directly before and after it."""
    for rule in _HEADS:
        match = rule.pattern.match(text)
        if match is not None:
            names.append(rule.name)
            text = (_said(match) + text[match.end() :]).strip()
    text = _without_tail(text, repeats, names)
    quoted = _QUOTED.match(text)
    if quoted is not None:
        names.append("quotes")
        text = _INNER_QUOTE.sub(r"\1", quoted[1]).strip()
    return text


def _without_tail(text: str, repeats: Callable[[str], bool], names: list[str]) -> str:
    """The text without a last paragraph that is the client's: a known line, or one that the system prompt repeats."""
    at = text.rfind("\n\n")
    last = text[at + 2 :].strip()
    if at < 0 or len(last) > _TAIL:
        return text
    name = next((rule.name for rule in _TAILS if rule.pattern.match(last)), "")
    if not name and len(last) >= _REPEATED and repeats(last):
        name = "repeated instruction"
    if not name:
        return text
    names.append(name)
    return text[:at].strip()
