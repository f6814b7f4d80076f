"""What clients put around the user's words, as data, and how it comes off.

Three kinds of text are told apart: *context* (the client's own, removed), an *envelope* (what it holds is the user's)
and *feedback* (what a program answered: the turn goes on, it does not begin). A block whose name nobody knows is
removed where it stands before or after all else, and a reason for doubt where it stands between words.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..base import V
from .blocks import NO_MARKS, Block, Marks, marks
from .words import word_set, words_of

_CONTEXT_WORDS = word_set("""
    attachments caveat context datetime details diagnostics directories environment files history hook info
    instructions manifest memories memory metadata notification opened permissions plugins preferences profile
    recommended reminder reminders rules selection session settings skill skills state status system timezone tokens
    workspace""")
_CONTEXT_NAMES = word_set(
    "additional_data attachment command-args command-message command-name current_date current_time date "
    "project_layout turn_aborted"
)
_FEEDBACK_WORDS = word_set("function observation returncode stderr stdout tool toolcall")
_FEEDBACK_NAMES = word_set("error exit_code exitcode output result results")
_ENVELOPES = word_set("feedback task userinput usermessage userprompt userquery userquestion userrequest")
_HTML = word_set("""
    a abbr address article aside b blockquote body br button canvas caption cite code col dd del details dfn div dl
    dt em fieldset figure font footer form frame h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label
    legend li link main map mark meta nav ol option p path pre q s samp script section select small span strong style
    sub summary sup svg table tbody td template textarea tfoot th thead title tr u ul var video""")


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
    """What is left of one text part; `feedback` and `doubt` say why it cannot be a request."""

    text: str
    names: tuple[str, ...] = ()
    feedback: bool = False
    doubt: str = ""


class _Rule(NamedTuple):
    name: str
    pattern: re.Pattern[str]


def _rule(name: str, pattern: str) -> _Rule:
    return _Rule(name, re.compile(pattern, re.DOTALL))


# Anchored at the start: each costs one attempt. The group `said` is kept, everything else is removed.
_HEADS = (
    _rule("time stamp", r"\A\[(?=[^\]\n]{0,120}?(?:\d{1,2}:\d\d|\d{4}-\d\d-\d\d))[^\]\n]{4,160}\]\s"),
    _rule("task label", r"\A(?:(?:New|Current|Your) )?[Tt]ask:[ ]*\n"),
    _rule(
        "task and criteria",
        r"\ACurrent Task: (?P<said>.*?)\n\nThis is the (?:expected criteria|context).*",
    ),
    _rule("metadata", r"\A[A-Z][^\n`]{0,80}(?:metadata|untrusted)[^\n`]{0,60}:\n```\w*\n.*?\n```\s*"),
    _rule(
        "instructions heading",
        r"\A#{1,3} [^\n]{0,80}\b(?:instructions|context|guidelines|rules)\b[^\n]{0,200}\Z",
    ),
    _rule("local commands", r"\ACaveat: The messages below were generated .*"),
    _rule("interruption", r"\A\[Request interrupted[^\]\n]{0,80}\]\s*"),
)
# Seen by the last paragraph only.
_TAILS = (
    _rule("runtime line", r"[A-Z][\w ]{0,30}: \w+=[^|\n]*(?:\|[ ]?\w+=[^|\n]*)+\Z"),
    _rule("message id", r"\[[a-z]+(?:_[a-z]+)+: ?[^\]\n]{1,120}\]\Z"),
    _rule("reply language", r"(?:Always )?[Rr]eply(?: to the user)? in [A-Z]\w+\.\Z"),
)
_FEEDBACK = re.compile(
    r"""\A(?:
      (?:observations?
        |(?:tool|function|code|command|shell|terminal|execution)[ _](?:call[ ])?(?:result|output|response)s?
        |execution[ ]result[ ]of[^\n]{0,80}
        |(?:result|output)[ ]of[ ](?:the[ ])?(?:tool|function|command|code)[^\n:]{0,80}
        |exit[ _]?code|return[ _]?code|traceback[ ]\(most[ ]recent[ ]call[ ]last\))[ ]*[:=]
      |\[[a-z]+_[a-z_]+(?:[ ]for[ ][^\]\n]{0,300})?\][ ]result:
      |\[error\]
      |(?:\d+[ ])?(?:validation|parsing)[ ](?:errors?|feedback)\b[^\n:]{0,40}:
      |[^\n]{0,160}\bfollowing[ ](?:validation[ ])?errors?\b[^\n:]{0,20}:
      |[^\n]{0,60}\byou[ ](?:did[ ]not|didn't)[ ](?:use|call)[ ]a[ ]tool
      |your[ ](?:last|previous)[ ](?:response|output|answer|reply)[ ](?:was|is|did|could|failed)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_REMOVABLE = frozenset({"context", "unknown"})
_DEPTH = 3  # envelopes in envelopes
_ROUNDS = 4  # wrappers around wrappers
_TAIL = 2000  # code points of a client's last paragraph
_REPEATED = 12  # a shorter paragraph may well be the user's
_QUOTED = re.compile(r'\A"((?:[^"\\]|\\.)+)"\Z', re.DOTALL)
_INNER_QUOTE = re.compile(r'\\(["\\])')


def unwrap(text: str, system: str, host: Iterable[Wrapper | _Rule]) -> Unwrapped:
    """The user's words in one text part, as far as they can be told from the client's."""
    text = text.strip()
    names: list[str] = []
    for wrapper in host:
        text = _apply_host(wrapper, text, names)
    bare = _without_blocks(text, names)
    if bare.feedback or bare.doubt:
        return bare
    text = _without_edges(bare.text, system, names)
    feedback = _FEEDBACK.match(text) is not None
    return Unwrapped("" if feedback else text, tuple(names), feedback)


def compiled(wrappers: Iterable[Wrapper]) -> tuple[Wrapper | _Rule, ...]:
    """The host's wrappers with their patterns compiled once.

    Raises:
        re.error: a pattern is not a regular expression.
        ValueError: a wrapper has neither a pattern nor a function, or both.
    """
    ready: list[Wrapper | _Rule] = []
    for wrapper in wrappers:
        if bool(wrapper.pattern) == (wrapper.unwrap is not None):
            raise ValueError(f"the wrapper {wrapper.name!r} needs a pattern or a function, and not both")
        ready.append(wrapper if wrapper.unwrap is not None else _rule(wrapper.name, wrapper.pattern))
    return tuple(ready)


def _said(match: re.Match[str]) -> str:
    return match.groupdict().get("said") or ""


def _apply_host(wrapper: Wrapper | _Rule, text: str, names: list[str]) -> str:
    if isinstance(wrapper, _Rule):
        changed, count = wrapper.pattern.subn(_said, text)
        bare = changed if count else None
    else:
        bare = wrapper.unwrap(text) if wrapper.unwrap is not None else None
    if bare is None:
        return text
    names.append(wrapper.name)
    return bare.strip()


def _kind(name: str) -> str:
    """What a block of this name holds: context, envelope, feedback, html or unknown."""
    lower = name.lower()
    words = words_of(name)
    if "".join(words) in _ENVELOPES:
        return "envelope"
    if lower in _FEEDBACK_NAMES or not _FEEDBACK_WORDS.isdisjoint(words):
        return "feedback"
    if lower in _HTML:
        return "html"
    if lower in _CONTEXT_NAMES or not _CONTEXT_WORDS.isdisjoint(words):
        return "context"
    return "unknown"


def _without_blocks(text: str, names: list[str], depth: int = 0) -> Unwrapped:
    """The text without the client's blocks, or the reason why nothing can be said."""
    found = marks(text)
    if found == NO_MARKS:
        return Unwrapped(text)
    trouble = _stray(text, found)
    if trouble is not None:
        return trouble
    blocks = list(found.blocks)
    head, tail = 0, len(text)
    while blocks and not text[head : blocks[0].start].strip():
        block = blocks[0]
        kind = _kind(block.name)
        if kind == "envelope":
            return _opened(text, blocks, names, depth)
        if kind == "feedback":
            return Unwrapped("", (block.name,), feedback=True)
        if kind == "html":
            break
        names.append(block.name)
        head = block.end
        del blocks[0]
    while blocks and not text[blocks[-1].end : tail].strip() and _kind(blocks[-1].name) in _REMOVABLE:
        block = blocks.pop()
        names.append(block.name)
        tail = block.start
    return _between(text, head, tail, blocks, names)


def _stray(text: str, found: Marks) -> Unwrapped | None:
    """What marks without a partner say: nothing, that the part is a client's, or that nobody can tell."""
    for start, end, name in found.strays:
        kind = _kind(name)
        if kind == "html" or (kind == "unknown" and not _own_line(text, start, end)):
            continue
        if not text[:start].strip() and not text.startswith("</"):
            return Unwrapped("", (name,))
        return Unwrapped("", doubt="a block of the client's is not balanced")
    return None


def _own_line(text: str, start: int, end: int) -> bool:
    """Whether nothing else stands on the line(s) of `start:end`."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    line_end = text.find("\n", end)
    after = text[end : line_end if line_end >= 0 else len(text)]
    return not before.strip() and not after.strip()


def _opened(text: str, blocks: list[Block], names: list[str], depth: int) -> Unwrapped:
    """The words in an envelope, when all that stands after it is the client's."""
    envelope = blocks.pop(0)
    names.append(envelope.name)
    rest = Unwrapped("") if depth >= _DEPTH else _between(text, envelope.end, len(text), blocks, names)
    if depth >= _DEPTH or rest.doubt or (rest.text and not rest.text.startswith("#")):
        return Unwrapped("", doubt="there is other text beside the user's block")
    return _without_blocks(text[envelope.inside : envelope.outside].strip(), names, depth + 1)


def _between(text: str, head: int, tail: int, blocks: list[Block], names: list[str]) -> Unwrapped:
    """The text of `head:tail` without the context blocks in it."""
    pieces: list[str] = []
    for block in blocks:
        kind = _kind(block.name)
        if kind == "context":
            names.append(block.name)
            pieces.append(text[head : block.start])
            head = block.end
        elif kind != "html" and (kind != "unknown" or _own_line(text, block.start, block.end)):
            return Unwrapped("", doubt="a block stands between the words and cannot be told from them")
    pieces.append(text[head:tail])
    return Unwrapped("".join(pieces).strip(), tuple(names))


def _without_edges(text: str, system: str, names: list[str]) -> str:
    """The text without what clients put directly before and after it."""
    for _ in range(_ROUNDS):
        before = text
        for rule in _HEADS:
            match = rule.pattern.match(text)
            if match is not None:
                names.append(rule.name)
                text = (_said(match) + text[match.end() :]).strip()
        text = _without_tail(text, system, names)
        quoted = _QUOTED.match(text)
        if quoted is not None:
            names.append("quotes")
            text = _INNER_QUOTE.sub(r"\1", quoted[1]).strip()
        if text == before:
            break
    return text


def _without_tail(text: str, system: str, names: list[str]) -> str:
    """The text without a last paragraph that is the client's: a known line, or one that the system prompt repeats."""
    at = text.rfind("\n\n")
    last = text[at + 2 :].strip()
    if at < 0 or len(last) > _TAIL:
        return text
    name = next((rule.name for rule in _TAILS if rule.pattern.match(last)), "")
    if not name and len(last) >= _REPEATED and f"\n{last}\n" in f"\n{system}\n":
        name = "repeated instruction"
    if not name:
        return text
    names.append(name)
    return text[:at].strip()
